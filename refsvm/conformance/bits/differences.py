"""The first field of an answer that is another than the right one.

Numbers are compared by their bits: no two zeros are one, and every NaN is one. How a double is
spelled does not matter, nor do fields that were not asked for.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ...numerics.quoting import quote
from .functions import is_double


class Difference(NamedTuple):
    """Where an answer differs, and from what."""

    place: str
    right: Any
    said: Any

    def __str__(self) -> str:
        said = "is missing" if self.said is MISSING else f"is {quote(self.said)}"
        return f"{self.place} {said}; {quote(self.right)} is right"


MISSING = object()  # in the place of a field that is not there


def first_difference(right: Any, said: Any, place: str = "") -> Difference | None:
    """Return the first place where what was said is not right; None if all of it is.

    Parameters
    ----------
    right, said : JSON
        of the right one every field is asked for, in its order
    place : str
        of both in the answer

    Examples
    --------
    >>> right = {"steps": [{"i": 1, "t": "0x1.8000000000000p+0"}], "b": "-0x0.0p+0"}
    >>> first_difference(right, {"b": "-0x0p+0", "steps": [{"t": "0x3p-1", "i": 1}], "extra": 1})
    >>> print(first_difference(right, {"b": "0x0p+0", "steps": [{"t": "0x3p-1", "i": 1}]}))
    b is '0x0p+0'; '-0x0.0p+0' is right
    >>> print(first_difference(right, {"steps": [{"t": "0x3p-1"}]}))
    steps[0].i is missing; 1 is right
    """
    if isinstance(right, dict) and isinstance(said, dict):
        parts = [(f"{place}.{key}".lstrip("."), key) for key in right]
        pairs = [(where, right[key], said.get(key, MISSING)) for where, key in parts]
        return _first_of(pairs)
    if isinstance(right, list) and isinstance(said, list):
        pairs = [(f"{place}[{k}]", *pair) for k, pair in enumerate(zip(right, said))]
        length = Difference(f"the length of {place or 'it'}", len(right), len(said))
        return _first_of(pairs) or (length if len(right) != len(said) else None)
    return None if _is_same(right, said) else Difference(place or "it", right, said)


def _first_of(pairs: list[tuple[str, Any, Any]]) -> Difference | None:
    """Return the first difference of several places."""
    found = (first_difference(right, said, place) for place, right, said in pairs)
    return next((difference for difference in found if difference is not None), None)


def _is_same(right: Any, said: Any) -> bool:
    """Return whether a number, word or truth value is another."""
    if is_double(right):
        return is_double(said) and float.fromhex(right).hex() == float.fromhex(said).hex()
    if isinstance(right, bool) or isinstance(said, bool):
        return right is said
    return bool(right == said)  # 3 is 3.0
