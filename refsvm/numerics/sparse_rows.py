"""Rows that are nearly all zero: only the columns in which a number stands are kept.

A text has a million possible words and holds a hundred of them. Its row is a SparseRow: it reads
as the list of a million numbers, and takes the memory of a hundred. Before calculations begin, the
columns that occur in no row are dropped (`narrowed`). That changes no bit of an inner
product or a squared distance: a column of zeros adds +0 to a sum that was begun at +0.
What is left are plain lists, but for a row that is nearly all zero still. Any calculation may read
it as a list; those that are asked for every row (`inner`, `filled_columns`) go by its numbers.

    places    the columns that are kept, counted from 0, ascending; numbers: what stands in them,
              a list, or a SparseRow over the columns kept
    width     how many columns there are in all: the length of the row
    zero      what stands in the others: 0.0 or Fraction(0)
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import compress, repeat
from math import frexp, ldexp
from typing import Any, NamedTuple

from .display import without_middle
from .linalg import dot
from .pickles import with_format
from .types import MatrixLike, Number, Row, Rows, Vector, VectorLike

ZEROS_A_NUMBER = 8  # a number kept with its place takes the memory of so many zeros in a list,
NUMBERS_A_ROW = 4  # and a sparse row without numbers that of so many numbers


class KeptColumns(NamedTuple):
    """Which columns are kept, and the number of all columns. Rows may share it."""

    places: list[int]
    width: int


@with_format
class SparseRow(Sequence[Any]):
    """A row that reads as the list of its numbers, though its zeros are not in memory.

    >>> row = SparseRow(KeptColumns([1, 4], 6), [0.5, 2.0])
    >>> len(row), row[4], row[5], list(row)
    (6, 2.0, 0.0, [0.0, 0.5, 0.0, 0.0, 2.0, 0.0])
    >>> row
    SparseRow({1: 0.5, 4: 2.0}, width=6)
    """

    __slots__ = ("kept", "numbers", "zero")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, kept: KeptColumns, numbers: Vector, zero: Number = 0.0) -> None:
        self.kept, self.numbers, self.zero = kept, numbers, zero

    def __len__(self) -> int:
        return self.kept.width

    def __getitem__(self, k: Any) -> Any:
        if isinstance(k, slice):
            return [self[j] for j in range(*k.indices(len(self)))]
        place = range(len(self))[k]
        at = bisect_left(self.kept.places, place)
        found = self.kept.places[at : at + 1] == [place]
        return self.numbers[at] if found else self.zero

    def __iter__(self) -> Iterator[Any]:
        end = 0
        for place, number in zip(self.kept.places, self.numbers):
            yield from repeat(self.zero, place - end)
            yield number
            end = place + 1
        yield from repeat(self.zero, len(self) - end)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, SparseRow):
            return len(self) == len(other) and dict(self.items()) == dict(other.items())
        if not isinstance(other, list):
            return NotImplemented
        return len(self) == len(other) and all(v == w for v, w in zip(self, other))

    def __add__(self, other: Any) -> Any:
        return [*self, *other] if isinstance(other, (list, SparseRow)) else NotImplemented

    def __radd__(self, other: object) -> Any:
        return [*other, *self] if isinstance(other, list) else NotImplemented

    def __repr__(self) -> str:
        items = [f"{place}: {number!r}" for place, number in self.items()]
        return f"SparseRow({{{', '.join(without_middle(items, 12))}}}, width={len(self)})"

    def items(self) -> Iterator[tuple[int, Any]]:
        """Return the places and the numbers that are not zero, in order."""
        places, numbers = self.kept.places, self.numbers
        if isinstance(numbers, SparseRow):
            return ((places[k], v) for k, v in numbers.items())
        return ((k, v) for k, v in zip(places, numbers) if v != 0)

    def convert(self, convert: Callable[[Any], Any]) -> SparseRow:
        """Return the row of the converted numbers; zero must become zero."""
        return SparseRow(self.kept, converted(self.numbers, convert), convert(self.zero))


def row_items(row: Sequence[Any]) -> Iterable[tuple[int, Any]]:
    """Return the places and the numbers of a row that are not zero, in order.

    >>> list(row_items([0.0, 3.0]))
    [(1, 3.0)]
    """
    if isinstance(row, SparseRow):
        return row.items()
    return compress(enumerate(row), row)


def row_numbers(row: Sequence[Any]) -> Sequence[Any]:
    """Return the numbers of a row that are in memory, at least one; the others are zero."""
    return row_numbers(row.numbers) or [row.zero] if isinstance(row, SparseRow) else row


def inner(w: Sequence[Any], row: Sequence[Any]) -> Any:
    """Return linalg.dot(w, row); of a sparse row only its numbers are visited.

    >>> inner([2.0] * 9, SparseRow(KeptColumns([1, 4], 9), [0.5, 3.0]))
    7.0
    """
    if not isinstance(row, SparseRow):
        return dot(w, row)
    total = row.zero
    for k, v in row.items():
        total += w[k] * v
    return total


def filled_columns(rows: MatrixLike) -> list[tuple[Sequence[int], Sequence[Any]]]:
    """Return for each column in which rows it has numbers, and these; the others are zero.

    >>> filled_columns([[1.0, 0.0], [2.0, 3.0]])
    [(range(0, 2), (1.0, 2.0)), (range(0, 2), (0.0, 3.0))]
    >>> filled_columns([SparseRow(KeptColumns([1], 2), [5.0]), [2.0, 3.0]])
    [([1], [2.0]), ([0, 1], [5.0, 3.0])]
    """
    if not any(isinstance(row, SparseRow) for row in rows):
        return [(range(len(rows)), column) for column in zip(*rows)]
    found: list[Any] = [([], []) for _ in range(len(rows[0]))]
    for i, row in enumerate(rows):
        for k, v in row_items(row):
            found[k][0].append(i)
            found[k][1].append(v)
    return found


def converted(row: Sequence[Any], convert: Callable[[Any], Any]) -> Any:
    """Return the row of the converted numbers, sparse if the row is; zero must become zero."""
    return row.convert(convert) if isinstance(row, SparseRow) else list(map(convert, row))


def rows_from(
    items: Sequence[tuple[list[int], list[Any]]],
    width: int,
    zero: Number = 0.0,
    numbers: int | None = None,
) -> list[Any]:
    """Return the rows of this width that have these places and numbers.

    They are lists, unless sparse rows of so many numbers, by default all these, take less memory.

    >>> rows_from([([1], [0.5]), ([], [])], 3)
    [[0.0, 0.5, 0.0], [0.0, 0.0, 0.0]]
    >>> rows_from([([1], [0.5])], 10**9)
    [SparseRow({1: 0.5}, width=1000000000)]
    """
    if numbers is None:
        numbers = sum(len(places) for places, _ in items)  # exact
    if mostly_zero(len(items), width, numbers):
        return [SparseRow(KeptColumns(places, width), values, zero) for places, values in items]
    return [_filled(places, values, width, zero) for places, values in items]


def _filled(places: list[int], values: Vector, width: int, zero: Number) -> Vector:
    """Return the row of this width, as a list, that has these values at these places.

    >>> _filled([1], [0.5], 3, 0.0)
    [0.0, 0.5, 0.0]
    """
    row = [zero] * width
    for place, value in zip(places, values):
        row[place] = value
    return row


def mostly_zero(n: int, width: int, numbers: int) -> bool:
    """Return whether n rows of this width with so many numbers are smaller as sparse rows.

    >>> mostly_zero(1, 32, 0), mostly_zero(1, 33, 0), mostly_zero(1, 33, 1)
    (False, True, False)
    """
    return n * width > ZEROS_A_NUMBER * (numbers + NUMBERS_A_ROW * n)


def narrowed(*groups: Sequence[Any]) -> tuple[Any, ...]:
    """Return the columns that are kept, and each group of rows over these alone.

    They are lists, but for those that are nearly all zero over these, too. Those columns are left
    out that occur in no row of any group. If no row is sparse, nothing is left out: None, and the
    groups as they are. O(numbers that are there).

    >>> far = SparseRow(KeptColumns([7], 10**9), [2.0])
    >>> narrowed([far], [SparseRow(KeptColumns([3], 10**9), [5.0])])
    (KeptColumns(places=[3, 7], width=1000000000), [[0.0, 2.0]], [[5.0, 0.0]])
    """
    rows = [row for group in groups for row in group]
    sparse = [row for row in rows if type(row) is SparseRow]
    if not sparse:
        return None, *groups
    kept = sparse[0].kept
    if len(sparse) < len(rows) or any(row.kept is not kept for row in sparse):
        kept = _columns_of(rows)
    index = {place: k for k, place in enumerate(kept.places)}
    zero = sparse[0].zero
    return kept, *[[_over(row, kept, index, zero) for row in group] for group in groups]


def _columns_of(rows: Iterable[Sequence[Any]]) -> KeptColumns:
    """Return the columns in which some of the rows are not zero, at least one."""
    found: set[int] = set()
    for row in rows:
        found.update(k for k, _ in row_items(row))
        width = len(row)
    return KeptColumns(sorted(found) or [0], width)


def _over(row: SparseRow, kept: KeptColumns, index: dict[int, int], zero: Number) -> Any:
    """Return the numbers of a row in the columns kept, of which index has the order."""
    if isinstance(row, SparseRow) and row.kept is kept:
        return row.numbers
    numbers = dict(row_items(row))
    places = list(map(index.__getitem__, numbers))
    return rows_from([(places, list(numbers.values()))], len(index), zero)[0]


def widened(kept: KeptColumns | None, numbers: Vector) -> Vector:
    """Return the row of all columns, of which narrowed() left these numbers."""
    if kept is None:
        return numbers
    return SparseRow(kept, numbers, type(numbers[0])(0))  # type: ignore[return-value]


def copied(row: Sequence[Any]) -> Any:
    """Return a list of the caller's own; a sparse row, which nothing changes, as it is."""
    return row if isinstance(row, SparseRow) else list(row)


def aligned(rows: Rows) -> list[Row]:
    """Return the same rows, which share their columns if they are sparse.

    To drop empty columns again, as for every pair of classes, then costs nothing.
    """
    kept, points = narrowed(rows)
    return [widened(kept, point) for point in points]


def laid_out(rows: Sequence[Any]) -> list[Any]:
    """Return the rows, those that are sparse as lists of all their numbers."""
    return [list(row) if isinstance(row, SparseRow) else row for row in rows]


def total_of(row: VectorLike, term: Callable[[Any], Any]) -> Any:
    """Return the sum of term(v) over all numbers v of a row, in order.

    The run of equal terms between two numbers of a sparse row is added in a few steps.
    """
    total: Number = 0
    if not isinstance(row, SparseRow):
        for v in row:
            total += term(v)
        return total
    end, of_zero = 0, term(row.zero)
    for place, v in row.items():
        total = add_repeatedly(total, of_zero, place - end) + term(v)
        end = place + 1
    return add_repeatedly(total, of_zero, len(row) - end)


def add_repeatedly(total: Any, term: Number, times: int) -> Any:
    """Return total + term + term + ..: every addition is rounded, and many are done at once.

    From one power of two to the next, doubles are evenly spaced. So a sum that stays between
    them changes by the same amount each time, from the second time on: then a term that lies
    half way between two spaces finds an even number, and leaves an even one.

    >>> add_repeatedly(0.0, 0.1, 10), add_repeatedly(1e16, 1.0, 10**9)
    (0.9999999999999999, 1e+16)
    """
    if not isinstance(term, float):
        return total + times * term
    while times > 0:
        before, total, times = total, total + term, times - 1
        if total == before or total != total:
            return total
        step = (total + term) - total
        low = ldexp(0.5, frexp(total)[1])
        if step and all(low <= abs(v) < 2 * low for v in (before, total, total + step)):
            away = (step > 0) == (total > 0)
            room = (2 * low - abs(total) if away else abs(total) - low) / abs(step) - 1
            steps = times if times < room else max(0, int(room))
            # Exact: a whole number of spaces, and the sum stays where these are even.
            total, times = total + steps * step, times - steps
    return total
