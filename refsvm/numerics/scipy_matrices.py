"""SciPy's sparse matrices as rows, and the refusal of those with numbers outside of them.

They are recognised by their type and its attributes, so that SciPy is not imported.

    indices, indptr    the place of each number in its row (csr) or column (csc); where the numbers
                       of each begin

SciPy looks at these only where it makes a matrix; a caller may have changed them since, and its
compiled code would then read and write memory that is not the matrix's.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from operator import itemgetter
from typing import Any

from .sparse_rows import rows_from

FORMATS = ("csr", "csc", "coo", "lil", "dok", "bsr", "dia")
NAMES = "row", "column"  # of the first and the second number of a place


def _is_scipys(kind: type) -> bool:
    """Return whether a class is one of SciPy's."""
    return kind.__module__.partition(".")[0] == "scipy"


def refuse_broken_matrix(X: Any) -> None:
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
    plain = name in FORMATS and form in ("matrix", "array")
    if not plain or not _is_scipys(type(X)) or len(X.shape) != 2:
        return None
    csr = X.tocsr()
    if csr.nnz != X.nnz:
        return None  # numbers of one place were added up, not as X itself would do it
    starts, places, numbers = csr.indptr.tolist(), csr.indices.tolist(), csr.data.tolist()
    items = []
    for begin, end in zip(starts, starts[1:]):
        found = dict(sorted(zip(places[begin:end], numbers[begin:end]), key=itemgetter(0)))
        if len(found) < end - begin:
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
