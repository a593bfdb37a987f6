"""Columns of a linear problem, shifted towards zero so that rounding costs less.

A linear problem with an offset does not change its dual when every row is moved by the same
vector. So it is solved on columns shifted by their lower median, where that rounds nothing: years
and timestamps then cost no precision, and a sparse column, whose median is 0, stays sparse.
Fractions lose nothing and are not moved: their shift is zero.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from ..numerics.sparse_rows import KeptColumns, SparseRow, filled_columns
from ..numerics.types import Kind, Matrix, Number, Vector, VectorLike


def shift_of(X: Matrix, kind: Kind) -> Vector:
    """Return what each column is shifted by: its lower median, or zero (S2.5).

    It is zero for Fractions, and where a difference from the median would be rounded: the shifted
    problem must be the same problem. Then the column's numbers are not all far from zero, or not
    all close to each other. O(n d) and a sort of each column.

    >>> shift_of([[2001.0, 0.0], [2003.0, 0.0], [2004.0, 5.0]], float)
    [2003.0, 0.0]
    """
    if kind is Fraction:
        return [kind(0)] * len(X[0])
    shift = []
    for _, values in filled_columns(X):
        median = lower_median(values, len(X) - len(values), kind(0))
        every = [*values, kind(0)] if len(values) < len(X) else values
        shift.append(median if all(_differs_exactly(v, median) for v in every) else kind(0))
    return shift


def lower_median(values: VectorLike, zeros: int, zero: Number) -> Number:
    """Return the lower median of the values and of so many zeros.

    >>> lower_median([5.0, 3.0], 2, 0.0), lower_median([5.0, 3.0, 4.0], 1, 0.0)
    (0.0, 3.0)
    """
    rank = (len(values) + zeros - 1) // 2
    # In order: what is below 0, the zeros, what is above. Without zeros all counts as below.
    below = sum(v < 0 for v in values) if zeros else rank + 1  # exact
    if below <= rank < below + zeros:
        return zero
    return sorted(values)[rank if rank < below else rank - zeros]


def _differs_exactly(v: Number, c: Number) -> bool:
    """Return whether the double v - c is the exact difference: it leads back to both.

    Nothing is rounded on the way back to the smaller of v and c (Dekker 1971): so that test
    decides, and an exact difference passes both.
    """
    d = v - c
    return d + c == v and v - d == c


def shift_rows(X: Matrix, shift: Vector) -> Matrix:
    """Return the rows of X, each minus the shift.

    >>> shift_rows([[2001.0, 5.0]], [2003.0, 0.0])
    [[-2.0, 5.0]]
    """
    return [
        _sparse_less(x, shift) if isinstance(x, SparseRow) else [v - c for v, c in zip(x, shift)]
        for x in X
    ]


def _sparse_less(x: SparseRow, shift: Vector) -> Any:
    """Return a sparse row minus the shift."""
    numbers = {k: x.zero for k, c in enumerate(shift) if c != 0}
    numbers = dict(sorted({**numbers, **dict(x.items())}.items()))
    shifted = [v - shift[k] for k, v in numbers.items()]
    return SparseRow(KeptColumns(list(numbers), len(x)), shifted, x.zero)
