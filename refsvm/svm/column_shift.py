"""Columns of a linear problem, shifted towards zero so that rounding costs less.

A linear problem with an offset does not change its dual when every row is moved by the same
vector. So it is solved on columns shifted by their lower median, where that rounds nothing: years
and timestamps then cost no precision, and a sparse column, whose median is 0, stays sparse.
Fractions lose nothing and are not moved: their shift is zero.
"""

from __future__ import annotations

from fractions import Fraction

from ..numerics.types import Kind, Matrix, Number, Vector


def shift_of(X: Matrix, kind: Kind) -> Vector:
    """Return what each column is shifted by: its lower median, or zero.

    It is zero for Fractions, and where a difference from the median would be rounded: the shifted
    problem must be the same problem. Then the column's numbers are not all far from zero, or not
    all close to each other. O(n d) and a sort of each column.

    >>> shift_of([[2001.0, 0.0], [2003.0, 0.0], [2004.0, 5.0]], float)
    [2003.0, 0.0]
    """
    if kind is Fraction:
        return [kind(0)] * len(X[0])
    medians = [sorted(column)[(len(X) - 1) // 2] for column in zip(*X)]
    exact = [all(differs_exactly(v, c) for v in column) for c, column in zip(medians, zip(*X))]
    return [c if same else kind(0) for c, same in zip(medians, exact)]


def differs_exactly(v: Number, c: Number) -> bool:
    """Return whether the double v - c is the exact difference: it leads back to both."""
    d = v - c
    return d + c == v and v - d == c


def shift_rows(X: Matrix, shift: Vector) -> Matrix:
    """Return the rows of X, each minus the shift.

    >>> shift_rows([[2001.0, 5.0]], [2003.0, 0.0])
    [[-2.0, 5.0]]
    """
    return [[v - c for v, c in zip(x, shift)] for x in X]
