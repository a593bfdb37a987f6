"""What a value of any type is in Python's own types: a list, a number, or neither.

Only here are methods called of values that may come from another library, or may be made to harm.
What such a method raises, whatever it is, says only that the value is no list, sequence or number.
The caller, who knows where the value stands, refuses it.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import islice
from operator import index
from typing import Any

from .scipy_matrices import refuse_broken_matrix, rows_of_matrix
from .types import Number

NUMBERS = {float, int, bool, Fraction}
PLAIN = NUMBERS | {list, tuple, str}  # the types of nearly all values given; none is an array


def as_lists(value: Any) -> Any:
    """Nested lists for an array, a buffer, a data frame or a sparse matrix; others unchanged.

    They are recognised by their methods, so that none of these libraries is imported. A sparse
    matrix that is nearly all zero becomes a list of sparse rows.

    Raises ValueError for a sparse matrix with a number outside of it.
    """
    if type(value) in PLAIN:
        return value
    refuse_broken_matrix(value)
    try:
        rows = rows_of_matrix(value)
        if rows is not None:
            return rows
        if hasattr(value, "to_pylist"):
            return arrow_lists(value)
        for method in ("toarray", "to_numpy", "tolist"):
            convert = getattr(value, method, None)
            if convert is not None:
                found = convert()
                value = value if is_date(value) and _holds_int(found) else found
    except MemoryError:  # of an array that is real, but too large
        raise
    except Exception:
        pass
    return value


def is_date(value: Any) -> bool:
    """Whether NumPy says that these are dates or durations."""
    return getattr(getattr(value, "dtype", None), "kind", None) in ("M", "m")


def _holds_int(found: Any) -> bool:
    """Whether dates became ints, as those of NumPy do that are finer than Python's."""
    return any(map(_holds_int, found)) if isinstance(found, list) else isinstance(found, int)


def arrow_lists(value: Any) -> Any:
    """Nested lists for a table or an array of Arrow: a table has columns, and no order of rows."""
    columns = getattr(value, "columns", None)
    if columns is None:
        return value.to_pylist()
    return list(map(list, zip(*(column.to_pylist() for column in columns))))


def as_sequence(value: Any) -> list[Any] | tuple[Any, ...] | None:
    """The items of a sequence as a list or tuple; None if it is none, or cannot be read."""
    if type(value) in (list, tuple):
        return value  # type: ignore[no-any-return]
    if not is_sequence(value):
        return None
    try:
        return list(islice(value, len(value)))
    except Exception:
        return None


def is_sequence(value: Any) -> bool:
    """Whether value is a sequence of numbers or rows: it has a length and an order.

    A string counts as a word. A generator has no length, and reading it would use it up.
    """
    kind = type(value)
    if issubclass(kind, (str, bytes, dict)):
        return False
    return hasattr(kind, "__len__") and hasattr(kind, "__getitem__")


def as_number(value: Any) -> float | int | Fraction | None:
    """The number that a value is, in a type of Python's own; None if it is none.

    >>> as_number(True), as_number(Fraction(1, 3)), as_number("1")
    (True, Fraction(1, 3), None)
    """
    kind = type(value)
    if kind in NUMBERS:
        return value  # type: ignore[no-any-return]
    try:
        if issubclass(kind, Fraction):
            return Fraction(value.numerator, value.denominator)
        if hasattr(kind, "__index__"):
            return int(index(value))
        return float(value) if hasattr(kind, "__float__") and not is_date(value) else None
    except Exception:
        return None


def is_double(number: Number) -> bool:
    """Whether a double equals the number."""
    try:
        return float(number) == number
    except OverflowError:
        return False
