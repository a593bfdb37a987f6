"""The names that a constructor takes: those of its signature, of its parents', and kept ones.

**kwargs are no parameter. Behind them are the names of a parent's constructor, if the object then
keeps the value under that name. A constructor that has nothing but **kwargs is tried: it takes
what it keeps, as an attribute, in get_params() or in a dict of its own; but for C the text of the
class has to mention the name, too, for what is kept may be used by nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from inspect import Parameter, isfunction, signature
from types import CodeType
from typing import Any

from ..protocol.plain_values import RAISED

MISSING = object()
TRIED = {  # values that no constructor has by itself
    "C": 3.25,
    "epsilon": 0.15625,
    "nu": 0.28125,
    "kernel": "linear",
    "gamma": 0.8125,
    "degree": 5,
    "coef0": 0.4375,
    "tol": 0.00012,
    "max_iter": 7654,
    "fit_intercept": False,
    "loss": "hinge",
    "class_weight": {1: 1.5},
    "random_state": 1234,
}


def own_parameters(function: Any) -> set[str]:
    """Return the names that the signature has, without *args and **kwargs."""
    several = (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)
    parameters = signature(function).parameters.values()
    return {p.name for p in parameters if p.kind not in several}


def takes_any_name(function: Any) -> bool:
    """Return whether the signature has **kwargs."""
    kinds = {p.kind for p in signature(function).parameters.values()}
    return Parameter.VAR_KEYWORD in kinds


def constructor_names(subject: type) -> set[str]:
    """Return the names that a constructor takes."""
    names: set[str] = set()
    for cls in subject.__mro__[:-1]:
        if cls is subject or "__init__" in vars(cls):
            names |= own_parameters(cls)
            if not takes_any_name(cls):
                return names - set(_dropped_names(subject, names))
    return names - set(_dropped_names(subject, names)) or set(_kept_names(subject))


def _dropped_names(subject: type, names: set[str]) -> Iterator[str]:
    """Yield those of a parent's names that **kwargs take and the object does not keep."""
    for name in sorted((names & set(TRIED)) - own_parameters(subject)):
        with suppress(*RAISED):
            if kept_value(subject(**{name: TRIED[name]}), name) != TRIED[name]:
                yield name


def _kept_names(subject: type) -> Iterator[str]:
    """Yield the names that a constructor with nothing but **kwargs keeps, and may use."""
    for name, value in TRIED.items():
        if name == "C" or _is_mentioned(subject, name):
            with suppress(*RAISED):
                if kept_value(subject(**{name: value}), name) == value:
                    yield name


def kept_value(model: Any, name: str) -> Any:
    """Return what an object has under this name; MISSING if it has nothing."""
    if hasattr(model, name):
        return getattr(model, name)
    places = [model.get_params()] if hasattr(model, "get_params") else []
    places += [value for value in vars(model).values() if isinstance(value, dict)]
    return next((place[name] for place in places if name in place), MISSING)


def _is_mentioned(subject: type, name: str) -> bool:
    """Return whether a function of the class, or of its parents, has this name or string."""
    functions = [f for cls in subject.__mro__[:-1] for f in vars(cls).values() if isfunction(f)]
    return any(name in words_of(function.__code__) for function in functions)


def words_of(code: CodeType) -> set[object]:
    """Return the names and the strings in the code of a function, and of those inside it."""
    words: set[object] = {*code.co_names, *(c for c in code.co_consts if isinstance(c, str))}
    for inside in code.co_consts:
        if isinstance(inside, CodeType):
            words |= words_of(inside)
    return words
