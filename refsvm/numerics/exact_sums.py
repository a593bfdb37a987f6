"""Sums that are rounded once, at the end.

Most sums in refsvm run from the first index to the last and round at each step. The weights and
the offset of a linear machine need more care: where features are around 1e9 (timestamps), the
weights come from large products that cancel, and one rounding on the way moves w.x by whole units.
So these numbers are the doubles nearest to their exact values. They do not depend on any order,
and any program that computes them from alpha exactly finds the same doubles.

The sums are done in whole numbers: every double is a whole number over a power of two.
On Fractions nothing is rounded at all.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import repeat
from math import frexp, inf, isqrt, lcm
from operator import mul
from typing import NamedTuple

from .rounding_bounds import nearest_double
from .sparse_rows import filled_columns, narrowed, row_items, widened
from .types import MatrixLike, Number, Rows, Vector, VectorLike


class ScaledIntegers(NamedTuple):
    """Fractions over one denominator: numbers[k] / denominator."""

    numbers: list[int]
    denominator: int


def integer_dot(x: Iterable[int], z: Iterable[int]) -> int:
    """The inner product of whole numbers. It is exact, so the order does not matter."""
    return sum(map(mul, x, z))  # exact


def nearest_combination(coefs: VectorLike, rows: MatrixLike) -> Vector:
    """The sum of c_i x_i over the rows x_i, each number the double nearest to it. O(n d).

    Sparse, if the rows are.

    At least one row; coefs and rows all floats, or all Fractions. ValueError if the sum is larger
    than any double.

    >>> nearest_combination([1.0, 1.0, -1.0], [[1e16], [1.0], [1e16]])
    [1.0]
    """
    factors, denominator = scaled_integers(coefs)
    kept, rows = narrowed(rows)
    kind = type(rows[0][0])
    combination: Vector = []
    for places, column in filled_columns(rows):
        values, column_denominator = scaled_integers(column)
        present = factors if len(places) == len(factors) else [factors[i] for i in places]
        numerator = integer_dot(present, values)
        exact = Fraction(numerator, denominator * column_denominator)
        combination.append(round_to_kind(exact, kind))
    return widened(kept, combination)


def nearest_weights(beta: VectorLike, X: MatrixLike) -> Vector:
    """w = sum beta_i x_i, each number rounded once; zeros if every beta_i is 0 (S2.5). O(n d).

    >>> nearest_weights([0.0, -2.0], [[1.0, 5.0], [3.0, 0.5]])
    [-6.0, -1.0]
    """
    support = [(c, x) for c, x in zip(beta, X) if c != 0]
    if not support:
        kept, points = narrowed(X)
        return widened(kept, [type(beta[0])(0)] * len(points[0]))
    return nearest_combination([c for c, _ in support], [x for _, x in support])


def nearest_products(w: VectorLike, rows: Rows) -> Vector:
    """Return w.x of each row x on doubles, rounded once; an infinity beyond them. O(n d).

    >>> nearest_products([1e16, 1.0, 1.0], [[1.0, 1.0, -1e16], [0.0, 0.0, 3.0]])
    [1.0, 3.0]
    """
    factors, denominator = _whole_multiples(list(map(float, w)))
    products: Vector = []
    for row in rows:
        items = dict(row_items(row))
        values, own = _whole_multiples(list(items.values()))
        numerator = integer_dot((factors[j] for j in items), values)
        products.append(nearest_double(Fraction(numerator, denominator * own)))
    return products


def nearest_offset(b: Number, w: VectorLike, x: VectorLike, sign: int) -> Number:
    """b + <w, x>, or b - <w, x> if sign is -1, as the double nearest to it (S2.5). O(d).

    An infinite b stays infinite: it says that no offset is too large, or none too small.

    >>> nearest_offset(1e16, [1.0, 1.0], [1.0, -1e16], 1)
    1.0
    """
    if abs(b) == inf:
        return b
    exact = Fraction(b)
    for p, q in zip(w, x):
        exact += sign * Fraction(p) * Fraction(q)
    return round_to_kind(exact, type(b))


def round_to_kind(value: Fraction, kind: type[Number]) -> Number:
    """The double nearest to a Fraction, or the Fraction itself; ValueError beyond any double."""
    try:
        return kind(value)
    except OverflowError:
        raise ValueError("a weight or offset of the linear machine is beyond any double") from None


def scaled_integers(x: Iterable[Number]) -> ScaledIntegers:
    """Whole numbers p_k and the least q with x_k = p_k / q exactly.

    >>> scaled_integers([0.5, 3.0]), scaled_integers([3.0])
    (ScaledIntegers(numbers=[1, 6], denominator=2), ScaledIntegers(numbers=[3], denominator=1))
    """
    ratios = [v.as_integer_ratio() for v in x]
    q = lcm(*[denominator for _, denominator in ratios])
    return ScaledIntegers([p * (q // denominator) for p, denominator in ratios], q)


def _whole_multiples(x: list[float]) -> ScaledIntegers:
    """Whole numbers p_k and a power q of 2 with x_k = p_k / q; quicker than scaled_integers.

    The least |x_k| but 0 is from 2^(e - 1) to 2^e, so that it and all larger ones are multiples of
    2^(e - 53). A product with a power of 2 is not rounded, or overflows, which int() refuses.

    >>> _whole_multiples([0.5, 3.0]).numbers[1] == 6 * _whole_multiples([0.5, 3.0]).numbers[0]
    True
    """
    k = max(0, 53 - frexp(min(map(abs, filter(None, x)), default=1.0))[1])
    try:
        return ScaledIntegers(list(map(int, map(mul, x, repeat(2.0**k)))), 2**k)
    except OverflowError:
        return scaled_integers(x)


def mean_and_deviation(values: list[float]) -> tuple[float, float]:
    """Return the doubles nearest to the mean and to the standard deviation of exact numbers.

    The deviation is the root of the mean square of what is off the mean. (0, 0) of no number.

    Let v_i = p_i / q with whole p_i, S = sum p_i and Q = sum p_i^2. The mean is S / (n q), and the
    mean square off it is (n Q - S^2) / (n q)^2. Standard: S33.3.

    >>> mean_and_deviation([1.0, 2.0, 4.0])
    (2.3333333333333335, 1.247219128924647)
    """
    n = len(values)
    if n == 0:
        return 0.0, 0.0
    p, q = _whole_multiples(values)
    S, Q = sum(p), sum(map(mul, p, p))  # exact
    return float(Fraction(S, n * q)), nearest_root(n * Q - S * S, n * q)


def nearest_root(square: int, q: int) -> float:
    """Return the double nearest to sqrt(square) / q, of whole numbers.

    The root times 2^k is cut off to a whole number, and half of one is put on it if anything was
    cut off. A double, or the middle of two, is M 2^e with M below 2^54; near the quotient q 2^k
    times it is whole, as k gives the root 64 bits more than q has. So the cut root lies on the
    same side of each of them as the root does.
    """
    if square == 0:
        return 0.0
    k = max(0, 64 + q.bit_length() - square.bit_length() // 2)
    root = isqrt(square << 2 * k)
    is_cut = root * root != square << 2 * k
    return float(Fraction(2 * root + is_cut, q << k + 1))
