"""What a document may hold: dicts, lists, strings, bools and small ints; all else is refused."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from ..numerics.conversion import is_sequence
from ..numerics.quoting import quote, shorten
from ..numerics.validation import one_of

Document = dict[str, Any]

MAX_JSON_DEPTH = 100  # lists and objects in one another; a kernel made of kernels has some
TOO_DEEP = f"the document holds lists or objects in one another, deeper than {MAX_JSON_DEPTH}"
INT_DIGITS = 18


def unique_keys(pairs: list[tuple[str, Any]]) -> Document:
    """The pairs of a JSON object as a dict; raise ValueError if a key stands twice."""
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"the document has the key {quote(twice)} twice in one object")
    return found


def parse_small_int(text: str) -> int:
    """Read a label or a degree, whose digits are few."""
    return int(text) if len(text) <= INT_DIGITS else refuse_number(text)


def refuse_number(text: str) -> Any:
    """Refuse a JSON number that is no small int, and NaN and Infinity."""
    raise ValueError(f'the document holds {shorten(text)}; a number is a string, "p" or "p/q"')


def require_plain(document: Any) -> None:
    """Refuse a document unless it holds dicts with string keys, lists, strings, ints, bools."""
    level, seen = [document], {id(document)}  # a part that stands in several places is read once
    for _ in range(MAX_JSON_DEPTH):
        below: list[Any] = []
        for part in level:
            _refuse_unless_plain(part)
            if type(part) in (dict, list):
                below += part.values() if type(part) is dict else part
        level = [part for part in below if id(part) not in seen]
        seen.update(map(id, level))
        if not level:
            return
    raise ValueError(TOO_DEEP)


def _refuse_unless_plain(part: object) -> None:
    """Raise TypeError for a part of a document, not looking at its own parts."""
    if type(part) is dict:
        for key in part:
            if type(key) is not str:
                raise TypeError(f"the document has the key {quote(key)}; a string is needed")
    elif type(part) not in (list, str, bool) and not (
        type(part) is int and abs(part) < 10**INT_DIGITS
    ):
        raise TypeError(f'the document holds {quote(part)}; a number is a string, "p" or "p/q"')


def refuse_other_keys(document: object, keys: Collection[str], place: str) -> None:
    """Raise ValueError unless the dict has exactly these keys."""
    if not isinstance(document, dict):
        raise TypeError(f"{place} is {quote(document)}; an object is needed")
    for key in document:
        one_of(key, keys, f"a key of {place}")
    for key in keys:
        if key not in document:
            raise ValueError(f"{place} has no {quote(key)}")


def require_list(value: Any) -> Any:
    """The list, refused unless it is one."""
    if not is_sequence(value):
        raise TypeError(f"the document holds {quote(value)}; a list is needed")
    return value
