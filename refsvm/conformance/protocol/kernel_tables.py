"""Kernel values of many rows with many examples, exactly or to many bits, and quickly.

Rows become whole numbers over one denominator, and so do the kernel values. Two rows of whole
numbers have one of few inner products and distances, so an exponential is computed once for each.

    table      K(x_i, row) of every example i, a list for each row
    scores     sum beta_i K(x_i, row) of each row
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import cache
from math import lcm
from typing import Any, NamedTuple

from ...kernels.base import Multiple, Sum
from ...kernels.rational_values import integer_rows, is_rational, polynomial_coefficients
from ...kernels.standard import Gaussian, Precomputed, Sigmoid
from ...numerics.exact_sums import integer_dot, scaled_integers
from ...numerics.intervals import floor_exp, floor_tanh
from ...numerics.types import Rows, Vector
from ...proofs.enclosures import fraction_rows

VALUE_BITS = 256  # of a kernel value that is no fraction: far more than doubles can be asked for
Integers = list[list[int]]


class KernelTable(NamedTuple):
    """Kernel values, a list for each row: values[row][example] / denominator."""

    values: Integers
    denominator: int

    def fractions(self) -> list[list[Fraction]]:
        """Return the values; a number that occurs often is one object."""
        fraction = cache(lambda v: Fraction(v, self.denominator))
        return [list(map(fraction, row)) for row in self.values]

    def doubles(self) -> list[list[float]]:
        """Return the double nearest to each value."""
        return [[v / self.denominator for v in row] for row in self.values]

    def absolute(self) -> KernelTable:
        """Return the table of the absolute values."""
        return KernelTable([list(map(abs, row)) for row in self.values], self.denominator)

    def scores(self, beta: Iterable[Any]) -> Vector:
        """Return sum beta_i K(x_i, row) of each row."""
        factors, q = scaled_integers(beta)
        q *= self.denominator
        return [Fraction(integer_dot(factors, row), q) for row in self.values]


def kernel_table(kernel: Any, X: Rows, rows: Rows, bits: int = VALUE_BITS) -> KernelTable:
    """Return the kernel values of each row with each example; O(n d) a row.

    Where they are fractions they are exact; Gaussian and Sigmoid have `bits` bits after the point.

    >>> kernel_table(Gaussian(1), [[0], [1]], [[1], [2]], 2)
    KernelTable(values=[[3, 8], [1, 3]], denominator=8)
    """
    if isinstance(kernel, Precomputed):
        return whole_numbers(rows)
    if is_rational(kernel):
        return _rational_table(kernel.to(Fraction), X, rows)
    if isinstance(kernel, (Gaussian, Sigmoid)):
        return _exponential_table(kernel, X, rows, bits)
    if isinstance(kernel, Multiple):
        return multiple(kernel_table(kernel.kernel, X, rows, bits), Fraction(kernel.factor))
    parts = [kernel_table(part, X, rows, bits) for part in (kernel.left, kernel.right)]
    return added(*parts) if isinstance(kernel, Sum) else multiplied(*parts)


def _rational_table(kernel: Any, X: Rows, rows: Rows) -> KernelTable:
    """Return the values of a kernel on Fractions."""
    coefficients = polynomial_coefficients(kernel)
    if coefficients is not None:
        return _polynomial_table(coefficients, X, rows)
    values = kernel.row_function(kernel.reference_points(fraction_rows(X)), Fraction)
    return whole_numbers([values(x) for x in fraction_rows(rows)])


def whole_numbers(rows: Rows) -> KernelTable:
    """Return the table of values that are given."""
    return KernelTable(*integer_rows(rows))


def _tables_of(
    function: Callable[[list[int], list[int]], int], X: Rows, rows: Rows
) -> tuple[Integers, int]:
    """Return a symmetric function of the rows and examples in whole numbers, and their scale.

    Where the rows begin with the examples, half of these values are computed.
    """
    n = len(X)
    if list(rows[:n]) == list(X):
        Z, q = integer_rows(rows)
        X = Z[:n]
        values = [[function(x, z) for x in X[: i + 1]] for i, z in enumerate(X)]
        for i, row in enumerate(values):
            row += [values[j][i] for j in range(i + 1, n)]
        return values + [[function(x, z) for x in X] for z in Z[n:]], q
    both, q = integer_rows([*X, *rows])
    return [[function(x, z) for x in both[:n]] for z in both[n:]], q


def _polynomial_table(
    coefficients: Sequence[Any], X: Sequence[Any], rows: Sequence[Any]
) -> KernelTable:
    """Return the values of sum c_k <x, z>^k."""
    products, q = _tables_of(integer_dot, X, rows)
    p, denominator = scaled_integers([Fraction(c) for c in coefficients])
    degree = len(p) - 1
    scaled: list[int] = [c * q ** (2 * (degree - k)) for k, c in enumerate(p)]

    @cache
    def value(s: int) -> int:
        v = scaled[-1]
        for c in reversed(scaled[:-1]):
            v = v * s + c
        return v

    table = [list(map(value, row)) for row in products]
    return KernelTable(table, denominator * q ** (2 * degree))


def squared_distance(x: list[int], z: list[int]) -> int:
    """Return |x - z|^2 of whole numbers."""
    differences = [p - q for p, q in zip(x, z)]
    return integer_dot(differences, differences)


def _exponential_table(kernel: Any, X: Rows, rows: Rows, bits: int) -> KernelTable:
    """Return the values of a Gaussian or Sigmoid kernel: the middle of a cell of the grid."""
    is_gaussian = isinstance(kernel, Gaussian)
    found, q = _tables_of(squared_distance if is_gaussian else integer_dot, X, rows)
    gamma = Fraction(kernel.gamma) / q**2
    coef0 = Fraction(0) if is_gaussian else Fraction(kernel.coef0)

    @cache
    def value(s: int) -> int:
        u = gamma * s + coef0
        if is_gaussian:
            return 2 * floor_exp(u, bits) + 1 if u else 2 << bits
        size = 2 * floor_tanh(abs(u), bits) + 1 if u else 0
        return size if u > 0 else -size

    return KernelTable([list(map(value, row)) for row in found], 2 << bits)


def multiple(table: KernelTable, factor: Fraction) -> KernelTable:
    """Return factor times the values."""
    values = [[factor.numerator * v for v in row] for row in table.values]
    return KernelTable(values, factor.denominator * table.denominator)


def added(one: KernelTable, other: KernelTable) -> KernelTable:
    """Return the sums of values."""
    q = lcm(one.denominator, other.denominator)
    p, r = q // one.denominator, q // other.denominator
    pairs = zip(one.values, other.values)
    return KernelTable([[p * u + r * v for u, v in zip(a, b)] for a, b in pairs], q)


def multiplied(one: KernelTable, other: KernelTable) -> KernelTable:
    """Return the products of values."""
    pairs = zip(one.values, other.values)
    values = [[u * v for u, v in zip(a, b)] for a, b in pairs]
    return KernelTable(values, one.denominator * other.denominator)
