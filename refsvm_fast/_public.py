"""The names of what is compiled: those that are there, too, where nothing is compiled.

A pickle holds the name of a class or function, and opening it means to look that name up. Compiled
modules are not everywhere; refsvm_fast is, and has the oracle's where nothing is compiled.
"""

from functools import wraps
from types import FunctionType


def public(thing, module=__package__):
    """A class, with its methods, or a function: from now on it says that it is of this module."""
    methods = vars(thing).values() if isinstance(thing, type) else ()
    for part in (thing, *(m for m in methods if isinstance(m, FunctionType))):
        part.__module__ = module
    return thing


def named_as(name, mixin):
    """Lets the methods of a class that others are made from be those of the class of this name,
    which is there uncompiled, too: a pickle of a method names it."""
    for method in vars(public(mixin)).values():
        if isinstance(method, FunctionType):
            method.__qualname__ = f"{name}.{method.__name__}"


def namesake(theirs, module=__package__):
    """Marks a function that is called, and described, as one of the oracle's."""
    return lambda function: public(wraps(theirs)(function), module)


def is_own(cls):
    """Whether a class is one of refsvm's or of those here: one made from them may do anything."""
    return cls.__module__.partition(".")[0] in ("refsvm", __package__)
