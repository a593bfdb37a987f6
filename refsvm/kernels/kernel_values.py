"""What a kernel returned, as numbers of one kind; it may be NaN or infinite."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, isfinite
from typing import Any

from ..numerics.conversion import as_lists, as_number
from ..numerics.quoting import quote
from ..numerics.types import Kind, Number, Vector
from ..numerics.validation import check_length, number_kind, sequence


def convert_values(kind: Kind, values: Sequence[Any], n: int, name: str) -> Vector:
    """n values that a kernel returned, as a new list of numbers of this kind."""
    if type(values) is list and len(values) == n and set(map(type, values)) <= {kind}:
        return list(values)
    values = sequence(values, name)
    check_length(values, n, name)
    return [convert_value(kind, value) for value in values]


def to_one_kind(x: Any, z: Any, p: Any, q: Any) -> tuple[Number, Number]:
    """p and q, converted to the one kind of number that they decide together with x and z, rows of
    one kind already."""
    kind = number_kind(x[:1], z[:1], p, q)
    return convert_value(kind, p), convert_value(kind, q)


def convert_value(kind: Kind, value: Any) -> Number:
    """A value that a kernel returned, as a number of this kind; it may be NaN or infinite.

    >>> convert_value(float, None)
    Traceback (most recent call last):
      ...
    TypeError: a kernel returned None; a number is needed
    """
    if type(value) is float and kind is float:
        return value
    value = as_lists(value)
    number = as_number(value)  # NumPy's ints would overflow in silence
    if number is None:
        raise TypeError(f"a kernel returned {quote(value)}; a number is needed")
    if kind is not float and not isinstance(number, float):
        return kind(number)
    try:
        double = float(number)
    except OverflowError:
        return inf if number > 0 else -inf
    return kind(double) if isfinite(double) else double
