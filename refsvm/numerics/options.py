"""Validation of what is no number: words, answers to a question of yes or no, objects of refsvm.

    name    what an error message calls the place of a value, such as "slack"

The messages are made as those of validation.py are, which checks numbers.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, TypeVar

from .conversion import as_lists, as_number
from .quoting import quote

Instance = TypeVar("Instance")


def text(value: Any, name: str) -> str:
    """The string; TypeError for anything else."""
    if not issubclass(type(value), str):
        raise TypeError(f"{name} is {quote(value)}; a string is needed")
    return str.__str__(value)


def instance_of(sort: type[Instance], value: Any, name: str) -> Instance:
    """The value, if it is of this class of refsvm; TypeError for anything else.

    >>> from fractions import Fraction
    >>> instance_of(Fraction, 3, "q")
    Traceback (most recent call last):
      ...
    TypeError: q is 3; a Fraction is needed
    """
    if not issubclass(type(value), sort):
        raise TypeError(f"{name} is {quote(value)}; a {sort.__name__} is needed")
    return value  # type: ignore[no-any-return]


def yes_or_no(value: Any, name: str) -> bool:
    """True or False; TypeError for a word, which Python would take for True.

    >>> yes_or_no("no", "bias")
    Traceback (most recent call last):
      ...
    TypeError: bias is 'no'; it must be True or False
    """
    value = as_lists(value)
    number = as_number(value)
    if not isinstance(number, int) or number not in (0, 1):
        raise TypeError(f"{name} is {quote(value)}; it must be True or False")
    return bool(number)


def one_of(value: Any, choices: Collection[str], name: str) -> str:
    """The word, if it is one of the choices; ValueError, with the choices, if it is not.

    >>> one_of("square", ("hinge", "squared"), "slack")
    Traceback (most recent call last):
      ...
    ValueError: slack is 'square'; the known ones are 'hinge', 'squared'
    """
    word = str.__str__(value) if issubclass(type(value), str) else None
    if word is None or word not in choices:
        known = ", ".join(map(repr, choices))
        raise ValueError(f"{name} is {quote(value)}; the known ones are {known}")
    return word
