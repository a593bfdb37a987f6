"""How objects are pickled: with the number of the format they are written in, in plain Python.

    format     what the attributes of an object are called and mean: PICKLE_FORMAT, a number
    state      the attributes that a pickle holds, by name

A pickle names classes and functions that are there whether anything is compiled or not, and a
state holds lists and numbers, nothing packed. So it opens, compiled or not, as an object
that answers with the same bits. PICKLE_FORMAT rises with every change of a state that is written;
a format that is not known is refused, since to guess what it means could give wrong answers.
Records that answer nothing (KKT, Optimum, Step) are plain tuples, and are pickled as such.
"""

from __future__ import annotations

import copyreg
from collections.abc import Iterable
from typing import Any, ClassVar, TypeVar

from ..version import __version__
from .quoting import quote

PICKLE_FORMAT = 2

Class = TypeVar("Class", bound="type[Any]")


def with_format(cls: Class) -> Class:
    """Let the pickles of a class, and of those made from it, hold the number of their format."""
    setattr(cls, "__reduce_ex__", _reduce_with_format)  # noqa: B010 (mypy refuses the other form)
    return cls


def _reduce_with_format(instance: Any, protocol: int) -> Any:
    """Return what pickle and copy make an instance of: the usual, made by restored()."""
    usual = object.__reduce_ex__(instance, 2)  # a class of the caller's may have its own
    if isinstance(usual, str) or usual[0] is not getattr(copyreg, "__newobj__"):  # noqa: B009
        return usual
    arguments: Any = usual[1]
    return restored, (PICKLE_FORMAT, __version__, *arguments), *usual[2:]


def restored(form: int, release: str, cls: type[Any], *fields: Any) -> Any:
    """Return an instance as it was pickled, but for its state; refuse a format not known.

    Every pickle names this function: here it stays.

    >>> restored(PICKLE_FORMAT, __version__, tuple, [1, 2])
    (1, 2)
    """
    if form != PICKLE_FORMAT:
        raise ValueError(
            f"this {cls.__name__} was pickled in format {quote(form)} by refsvm {quote(release)}; "
            f"refsvm {__version__} reads format {PICKLE_FORMAT}: use that release, or make it anew"
        )
    return cls.__new__(cls, *fields)


class Pickled:
    """The base of a class whose pickles hold its attributes by name, and the format's number."""

    computed: ClassVar[tuple[str, ...]] = ()  # attributes that follow from others: left out

    def __getstate__(self) -> dict[str, Any]:
        return {k: value for k, value in attributes(self).items() if k not in self.computed}

    def __setstate__(self, state: object) -> None:
        cls = type(self)
        parameters = _own_parameters(cls)
        needed = [name for name in parameters if not hasattr(cls, name)]
        set_attributes(self, require_state(state, cls, needed))
        if parameters:  # which the class refuses if they are none that it could have
            cls.__init__(self, **{name: getattr(self, name) for name in parameters})


with_format(Pickled)


def _own_parameters(cls: type[Any]) -> list[str]:
    """Return the parameters of a class of refsvm, which are attributes, too; of others nothing.

    A class of the caller's may call its attributes, or make properties, as it likes.
    """
    from inspect import signature  # which takes long to import

    initialiser = getattr(cls, "__init__")  # noqa: B009
    module = getattr(initialiser, "__module__", None) or ""  # PyPy: None of object's own
    own = module.partition(".")[0].startswith("refsvm")
    return list(signature(cls).parameters) if own else []


def require_state(state: object, cls: type[Any], needed: Iterable[str]) -> dict[str, Any]:
    """Return a copy of a pickled object's state, if it has the attributes that its class needs.

    >>> require_state({"C": 1.0}, list, ["C", "tol"])
    Traceback (most recent call last):
      ...
    ValueError: the state of a pickled list lacks 'tol'; it is damaged
    """
    name = cls.__name__
    if not isinstance(state, dict) or not set(map(type, state)) <= {str}:
        kind = type(state).__name__
        raise TypeError(f"the state of a pickled {name} is no dict of attributes but a {kind}")
    for attribute in needed:
        if attribute not in state:
            raise ValueError(f"the state of a pickled {name} lacks {attribute!r}; it is damaged")
    return dict(state)


def attributes(instance: object) -> dict[str, Any]:
    """Return all that an instance has of its own, by name; also what a subclass has in slots."""
    slots = [name for name in _slots_of(instance) if hasattr(instance, name)]
    return {**vars(instance), **{name: getattr(instance, name) for name in slots}}


def set_attributes(instance: object, state: dict[str, Any]) -> None:
    """Give an instance the attributes of a state; those of a subclass may be slots."""
    slots = [name for name in _slots_of(instance) if name in state]
    for name in slots:
        setattr(instance, name, state[name])
    vars(instance).update({name: value for name, value in state.items() if name not in slots})


def _slots_of(instance: object) -> list[str]:
    """Return the names of the slots in the class of an instance, or in a base of it."""
    names: list[str] = getattr(copyreg, "_slotnames")(type(instance))  # noqa: B009
    return names
