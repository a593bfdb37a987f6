"""What a value of any type is in Python's own types: a list, a number, or neither.

Only here are methods called of values that may come from another library, or may be made to harm.
What such a method raises, whatever it is, says only that the value is no list, sequence or number.
The caller, who knows where the value stands, refuses it.
"""

from __future__ import annotations

import sys
from bisect import bisect_right
from collections.abc import Iterator
from fractions import Fraction
from itertools import islice
from operator import index, itemgetter
from typing import Any

from .quoting import quote
from .sparse_rows import rows_from
from .types import Number

NUMBER_TYPES = {float, int, bool, Fraction}
PLAIN_TYPES = NUMBER_TYPES | {
    list,
    tuple,
    str,
}  # the types of nearly all values given; none is an array


def as_lists(value: object) -> Any:
    """Nested lists for an array, a buffer, a data frame or a sparse matrix; others unchanged.

    They are recognised by their methods, so that none of these libraries is imported. A sparse
    matrix that is nearly all zero becomes a list of sparse rows.

    Raises ValueError for a sparse matrix with a number outside of it.
    """
    if type(value) in PLAIN_TYPES:
        return value
    refuse_broken_matrix(value)
    try:
        rows = rows_of_matrix(value)
        if rows is not None:
            return rows
        if hasattr(value, "to_pylist"):
            return arrow_lists(value)
        # In turn, each of what the one before returned: matrix or frame, array, lists.
        for method in ("toarray", "to_numpy", "tolist"):
            convert = getattr(value, method, None)
            if convert is not None:
                found = convert()
                # A date that became an int would pass for a number: its array is refused.
                value = value if is_date(value) and _holds_int(found) else found
    except MemoryError:  # of an array that is real, but too large
        raise
    except Exception:
        pass
    return value


def is_date(value: object) -> bool:
    """Whether NumPy says that these are dates or durations."""
    return getattr(getattr(value, "dtype", None), "kind", None) in ("M", "m")


def _holds_int(found: object) -> bool:
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


def is_sequence(value: object) -> bool:
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
    if kind in NUMBER_TYPES:
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


# SciPy's sparse matrices as rows, and the refusal of those with numbers outside of them
#
# They are recognised by their type and its attributes, so that SciPy is not imported.
#
#     indices, indptr    the place of each number in its row (csr) or column (csc); where the
#                        numbers of each begin
#
# SciPy looks at these only where it makes a matrix; a caller may have changed them since, and its
# compiled code would then read and write memory that is not the matrix's.


SPARSE_FORMATS = ("csr", "csc", "coo", "lil", "dok", "bsr", "dia")


def _is_scipys(kind: type) -> bool:
    """Return whether a class is one of SciPy's."""
    return kind.__module__.partition(".")[0] == "scipy"


def refuse_broken_matrix(X: object) -> None:
    """Raise ValueError for a sparse matrix of SciPy with a number outside of it.

    Anything else is passed over, also what raises when it is looked at. O(numbers), by SciPy's own
    arrays.
    """
    try:
        fault = fault_of_matrix(X) if any(map(_is_scipys, type(X).__mro__)) else None
    except Exception:
        return
    if fault:
        raise ValueError(fault)


def fault_of_matrix(X: Any) -> str | None:
    """Return what is wrong with the places of a sparse matrix, in a sentence; None if nothing."""
    layout = X.format
    if not all(0 <= size <= sys.maxsize for size in X.shape):
        return f"a sparse matrix has the shape {quote(X.shape)}; each number of it is a length"
    if layout == "coo":
        return _place_outside(X.row, X.shape[0], "row") or _place_outside(
            X.col, X.shape[1], "column"
        )
    if layout in ("lil", "dok"):
        pairs = X.keys() if layout == "dok" else _pairs_of_lists(X.rows)
        wrong = next((pair for pair in pairs if _is_outside(pair, X.shape)), None)
        return None if wrong is None else _fault_of_pair(wrong, X.shape)
    if layout not in ("csr", "csc", "bsr"):
        return None
    n, d = X.shape if layout != "csc" else X.shape[::-1]
    line, place = ("row", "column") if layout != "csc" else ("column", "row")
    if layout == "bsr":
        n, d, line, place = n // X.blocksize[0], d // X.blocksize[1], "row of blocks", "block"
    starts, numbers = X.indptr, len(X.indices)
    rises = len(starts) == n + 1 and starts[0] == 0 and not (starts[1:] < starts[:-1]).any()
    if not rises or starts[-1] > min(numbers, len(X.data)):
        return (
            f"a sparse matrix has an indptr that does not deal its {numbers} numbers to"
            f" {n} {line}s; it must rise from 0 to that count"
        )
    return _place_outside(X.indices[: starts[-1]], d, place, f" of {line} ", starts)


def _pairs_of_lists(rows: Any) -> Iterator[tuple[int, int]]:
    """Yield (row, column) of each number, from a list of columns for each row."""
    for i, columns in enumerate(rows):
        for j in columns:
            yield i, j


def _is_outside(pair: tuple[int, int], shape: tuple[int, int]) -> bool:
    """Return whether (row, column) is no place of a matrix of this shape."""
    return not all(0 <= place < bound for place, bound in zip(pair, shape))


def _fault_of_pair(pair: tuple[int, int], shape: tuple[int, int]) -> str:
    """Return the sentence on a place that is outside."""
    return (
        f"a sparse matrix has a number in column {pair[1]} of row {pair[0]}; its rows are 0 to"
        f" {shape[0] - 1} and its columns 0 to {shape[1] - 1}"
    )


def _place_outside(
    places: Any, bound: int, name: str, of_line: str = "", starts: Any = None
) -> str | None:
    """Return in a sentence which place is not from 0 to below the bound; None if all are."""
    if not len(places) or (places.min() >= 0 and places.max() < bound):
        return None
    e = int(places.argmax() if places.max() >= bound else places.argmin())
    where = f"{of_line}{bisect_right(starts.tolist(), e) - 1}" if of_line else ""
    return (
        f"a sparse matrix has a number in {name} {int(places[e])}{where}; its {name}s are 0 to"
        f" {bound - 1}"
    )


def rows_of_matrix(X: Any) -> Any:
    """Return the rows of a sparse matrix of SciPy; None of any other, which lays itself out.

    The type is asked by name, so that SciPy is not imported; a subclass may mean other numbers.
    """
    name, _, form = type(X).__name__.partition("_")
    plain = name in SPARSE_FORMATS and form in ("matrix", "array")
    if not plain or not _is_scipys(type(X)) or len(X.shape) != 2:
        return None
    csr = X.tocsr()
    if csr.nnz != X.nnz:
        return None  # numbers of one place were added up, not as X itself would do it
    starts, places, numbers = csr.indptr.tolist(), csr.indices.tolist(), csr.data.tolist()
    items = []
    for begin, end in zip(starts, starts[1:]):
        found = dict(sorted(zip(places[begin:end], numbers[begin:end]), key=itemgetter(0)))
        if len(found) < end - begin:  # some numbers have one place
            return _rows_added_up(csr, places)
        items.append((list(found), [0 + v for v in found.values()]))  # as toarray() adds: no -0.0
    return rows_from(items, X.shape[1])


def _rows_added_up(csr: Any, places: list[int]) -> Any:
    """Return the rows of a CSR matrix with several numbers in one place, added up as it does."""
    kept = sorted(set(places))
    index = {place: k for k, place in enumerate(kept)}
    within = csr.data, [index[place] for place in places], csr.indptr
    points = type(csr)(within, shape=(csr.shape[0], len(kept))).toarray().tolist()
    return rows_from([(kept, point) for point in points], csr.shape[1], numbers=len(places))
