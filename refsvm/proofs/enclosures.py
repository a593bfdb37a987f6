"""Kernel values as intervals: of the real kernel of the given numbers, as narrow as asked.

A linear, polynomial, string or given kernel has fractions for values, and these are exact: low is
high. An exponential has not. The intervals of Gaussian and Sigmoid are cells of the grid 2^-bits,
found in intervals.py; those of sums, products and multiples follow by interval arithmetic from
parts that are asked for more bits. So the interval for more bits lies within that for fewer.

What is enclosed is the kernel's formula on the numbers as given, each double the fraction it is,
without any rounding: exp(-gamma |x - z|^2) of exact gamma, x and z. The double that the kernel
itself returns is off by a few of its own last bits, and may lie outside.

    bits      no interval is wider than 2^-bits
    points    the rows compared with, on Fractions (or strings, if the kernel takes them)
    row       a function (x, bits, count) -> the intervals of k(x, z) for the first `count` points
              z; x is one of the points. A function of floors has whole numbers in their place,
              floor(2^bits k(x, z)) or what rounds the interval's low down
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any

from ..kernels.base import Kernel, Multiple, Product, Sum, as_kernel
from ..kernels.columns import Columns
from ..kernels.gram_matrices import finite_row, refuse_mismatched_rows, rows_for
from ..kernels.standard import Gaussian, Precomputed, Sigmoid, comparable
from ..numerics.exact_sums import integer_dot, scaled_integers
from ..numerics.intervals import Interval, floor_exps, floor_tanh, grid_cell, point_interval
from ..numerics.sparse_rows import converted
from ..numerics.types import KernelLike, Row, Rows, VectorLike
from ..numerics.validation import whole_number
from ..svm.problem import Problem, require_problem
from ..svm.training_problem import TrainingProblem

IntervalRow = Callable[[Any, int, int], list[Interval]]
FloorRow = Callable[[Any, int, int], list[int]]


def kernel_interval(kernel: KernelLike, x: Row, z: Row, bits: int) -> Interval:
    """Enclose k(x, z) in an Interval no wider than 2^-bits, a point if it is a fraction (S17.2).

    A function of the caller's is called with Fractions, and what it returns is taken for exact.

    Parameters
    ----------
    x, z
        two rows that the kernel takes, or would take if they were floats
    bits : int
        from 0

    Raises
    ------
    TypeError
        for Precomputed, which has no formula

    Examples
    --------
    >>> from refsvm.kernels.standard import Linear
    >>> kernel_interval(Gaussian(0.5), [1], [2], 4)
    Interval(low=Fraction(9, 16), high=Fraction(5, 8))
    >>> kernel_interval(2 * Linear(), [0.5], [3], 4)
    Interval(low=Fraction(3, 1), high=Fraction(3, 1))
    """
    kernel, bits = as_kernel(kernel), whole_number(bits, "bits", 0)
    if isinstance(kernel, Precomputed):
        kernel(x, z)  # which says why not
    X = rows_for([x], "x", Fraction, kernel)
    Z = rows_for([z], "z", Fraction, kernel)
    refuse_mismatched_rows(X, Z)
    _, points = comparable(kernel, X + Z)
    return interval_rows(kernel, points)(points[0], bits, 2)[1]


def gram_intervals(problem: Problem, bits: int) -> list[list[Interval]]:
    """Enclose the Gram matrix of a Problem's examples: no Interval is wider than 2^-bits (S17.2).

    Returns
    -------
    n lists of n Intervals

    Notes
    -----
    O(n n d), and n n / 2 exponentials, for which see intervals.py.

    Examples
    --------
    >>> from refsvm.svm.problem import Problem
    >>> K = gram_intervals(Problem([[0], [1]], [-1, 1], Gaussian(1.0)), 3)
    >>> [[(str(v.low), str(v.high)) for v in row] for row in K]
    [[('1', '1'), ('1/4', '3/8')], [('1/4', '3/8'), ('1', '1')]]
    """
    problem, bits = require_problem(problem), whole_number(bits, "bits", 0)
    return mirror(lower_triangle(problem, bits))


def lower_triangle(problem: TrainingProblem, bits: int) -> Iterator[list[Interval]]:
    """The rows of the Gram matrix up to the diagonal, one after the other. O(n d) a row."""
    X = fraction_rows(problem.points)
    row = interval_rows(problem.kernel, X)
    for i, x in enumerate(X):
        yield row(x, bits, i + 1)


def mirror(triangle: Iterable[list[Any]]) -> list[list[Any]]:
    """The symmetric matrix whose rows up to the diagonal are given."""
    K: list[list[Any]] = []
    for i, row in enumerate(triangle):
        K.append(row)
        for j in range(i):
            K[j].append(row[j])
    return K


def fraction_rows(X: Iterable[Row]) -> list[Row]:
    """The rows with each number the Fraction it is; strings as they are."""
    return [x if isinstance(x, str) else converted(x, Fraction) for x in X]


def interval_rows(kernel: Kernel, points: Sequence[Any]) -> IntervalRow:
    """The row function of a kernel; those that are not in the table have exact values."""
    return ROWS_OF.get(type(kernel), _exact_rows)(kernel, points)


def floor_rows(kernel: Kernel, points: Sequence[Any]) -> FloorRow:
    """The function of floors of a kernel: of a Gaussian without a Fraction for each value."""
    if type(kernel) is Gaussian:
        return _gaussian_floors(kernel, points)
    row = interval_rows(kernel, points)
    return lambda x, bits, count: [
        (v.low.numerator << bits) // v.low.denominator for v in row(x, bits, count)
    ]


def _exact_rows(kernel: Kernel, points: Rows) -> IntervalRow:
    """The row function of a kernel whose values are fractions."""
    values = kernel.to(Fraction).row_function(kernel.reference_points(points), Fraction)

    def row(x: VectorLike, bits: int, count: int) -> list[Interval]:
        return [point_interval(v) for v in finite_row(values(x)[:count], points.index(x))]

    return row


def _gaussian_rows(kernel: Kernel, points: Rows) -> IntervalRow:
    """exp(-gamma |x - z|^2), exactly 1 where the distance is 0: below 1 elsewhere."""
    floors = _gaussian_floors(kernel, points)

    def row(x: VectorLike, bits: int, count: int) -> list[Interval]:
        return [
            point_interval(1) if v >> bits else grid_cell(v, bits) for v in floors(x, bits, count)
        ]

    return row


def _gaussian_floors(kernel: Any, points: Sequence[Any]) -> FloorRow:
    """The function of floors of a Gaussian."""
    table, unit = IntegerTable(points), Fraction(kernel.gamma)
    unit /= table.denominator**2

    def row(x: Sequence[Fraction], bits: int, count: int) -> list[int]:
        return floor_exps(unit, table.squared_distances(table.rows[tuple(x)], count), bits)

    return row


def _sigmoid_rows(kernel: Sigmoid, points: Rows) -> IntervalRow:
    """tanh(gamma <x, z> + coef0), exactly 0 where the argument is 0; it is odd."""
    table, unit, coef0 = IntegerTable(points), Fraction(kernel.gamma), Fraction(kernel.coef0)
    unit /= table.denominator**2

    def value(u: Fraction, bits: int) -> Interval:
        if u == 0:
            return point_interval(0)
        size = grid_cell(floor_tanh(abs(u), bits), bits)
        return size if u > 0 else -size

    def row(x: VectorLike, bits: int, count: int) -> list[Interval]:
        dots: list[Any] = table.columns.dots(table.rows[tuple(x)])[:count]
        return [value(unit * s + coef0, bits) for s in dots]

    return row


class IntegerTable:
    """Rows of Fractions as whole numbers over one denominator: sums of fractions are slow."""

    def __init__(self, points: Sequence[Any]) -> None:
        d = len(points[0])
        flat, self.denominator = scaled_integers([v for x in points for v in x])
        self.numbers = [flat[k : k + d] for k in range(0, len(flat), d)]
        self.rows = {tuple(x): row for x, row in zip(points, self.numbers)}
        self.columns = Columns(self.numbers, int)

    @cached_property
    def long_columns(self) -> _LongColumns:
        """The same rows."""
        return _LongColumns(self.numbers)

    def squared_distances(self, x: Sequence[int], count: int) -> list[Any]:
        """[|x - z|^2 for the first count rows z]. O(n d), less where features are zero."""
        if len(self.columns.full) < len(self.columns.columns):
            return self.columns.squared_distances(x)[:count]
        return self.long_columns.squared_distances(x, count)


class _LongColumns:
    """Rows of whole numbers, each column as one long number: all rows are multiplied at once.

    Column c is P_c, the sum of z_kc 2^(8 size k) over the rows z_k. Then

        sum over k of |x - z_k|^2 2^(8 size k)  =  |x|^2 U + N - 2 sum_c x_c P_c

    where U is made of ones, and N of the |z_k|^2. A distance is not negative, and is less than
    4 d most^2 with `most` the largest number, which `size` bytes hold: so distance k is what these
    bytes are, whatever signs the products have. That takes a tenth of the time of a loop.
    """

    def __init__(self, rows: Sequence[Sequence[int]]) -> None:
        most = max(abs(v) for row in rows for v in row)
        self.size = (4 * len(rows[0]) * most * most).bit_length() // 8 + 1
        self.columns = [self.long(column) for column in zip(*rows)]
        self.ones = self.long([1] * len(rows))
        self.norms = self.long([integer_dot(z, z) for z in rows])
        self.length = self.size * len(rows)

    def long(self, numbers: Sequence[int]) -> int:
        """The sum of the numbers, each times its power of two."""
        above, below = (
            b"".join([max(sign * v, 0).to_bytes(self.size, "little") for v in numbers])
            for sign in (1, -1)
        )
        return int.from_bytes(above, "little") - int.from_bytes(below, "little")

    def squared_distances(self, x: Sequence[int], count: int) -> list[int]:
        """[|x - z|^2 for the first count rows z], of an x with no number above `most`."""
        total = integer_dot(x, x) * self.ones + self.norms - 2 * integer_dot(x, self.columns)
        distances, size = total.to_bytes(self.length, "little"), self.size
        starts = range(0, size * count, size)
        return [int.from_bytes(distances[k : k + size], "little") for k in starts]


def _sum_rows(kernel: Sum, points: Rows) -> IntervalRow:
    """The rows of a sum; half the width is for each part."""
    left, right = interval_rows(kernel.left, points), interval_rows(kernel.right, points)

    def row(x: VectorLike, bits: int, count: int) -> list[Interval]:
        return [p + q for p, q in zip(left(x, bits + 1, count), right(x, bits + 1, count))]

    return row


def _multiple_rows(kernel: Multiple, points: Rows) -> IntervalRow:
    """The rows of a multiple; the width grows with the factor."""
    part, factor = interval_rows(kernel.kernel, points), Fraction(kernel.factor)
    guard = int(factor).bit_length()
    return lambda x, bits, count: [factor * p for p in part(x, bits + guard, count)]


def _product_rows(kernel: Product, points: Rows) -> IntervalRow:
    """The rows of a product.

    The width of p q is at most |p| times that of q and |q| times that of p. The sizes are looked
    at first, to one unit: enough to know how many more bits are needed.
    """
    left, right = interval_rows(kernel.left, points), interval_rows(kernel.right, points)
    n = len(points)
    pairs = [pair for x in points for pair in zip(left(x, 0, n), right(x, 0, n))]
    guard = int(max(p.magnitude + q.magnitude for p, q in pairs)).bit_length()

    def row(x: VectorLike, bits: int, count: int) -> list[Interval]:
        bits += guard
        return [p * q for p, q in zip(left(x, bits, count), right(x, bits, count))]

    return row


ROWS_OF: dict[type, Callable[[Any, Sequence[Any]], IntervalRow]] = {
    Gaussian: _gaussian_rows,
    Sigmoid: _sigmoid_rows,
    Sum: _sum_rows,
    Product: _product_rows,
    Multiple: _multiple_rows,
}
