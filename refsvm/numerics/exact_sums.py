"""Sums that are rounded once, at the end.

Most sums here run from the first index to the last and round at each step. The few numbers that a
trained machine keeps deserve better: where features are around 1e9 (timestamps), the weights come
out of large products that cancel, and one rounding on the way moves w.x by whole units. So the
weights and the offset of a linear machine are the doubles nearest to their exact values. Then they
do not depend on any order, and whoever computes them from alpha exactly finds the same ones.

The sums are done on whole numbers: every double is a whole number over a power of two.
On Fractions nothing is rounded at all.
"""

from fractions import Fraction
from math import inf, lcm
from typing import NamedTuple


class Whole(NamedTuple):
    """Fractions over one denominator: numbers[k] / below."""

    numbers: list
    below: int


def nearest_combination(coefs, rows):
    """The sum of c_i x_i over the rows x_i, each number the double nearest to it. O(n d).

    At least one row; coefs and rows all floats, or all Fractions. ValueError if beyond a double.

    >>> nearest_combination([1.0, 1.0, -1.0], [[1e16], [1.0], [1e16]])
    [1.0]
    """
    coefs, over = whole_numbers(coefs)
    kind = type(rows[0][0])
    combined = []
    for column in zip(*rows):
        values, under = whole_numbers(column)
        total = 0
        for c, v in zip(coefs, values):
            total += c * v
        combined.append(rounded(Fraction(total, over * under), kind))
    return combined


def nearest_weights(beta, X):
    """w = sum beta_i x_i, each number rounded once; zeros if every beta_i is. O(n d).

    >>> nearest_weights([0.0, -2.0], [[1.0, 5.0], [3.0, 0.5]])
    [-6.0, -1.0]
    """
    support = [(c, x) for c, x in zip(beta, X) if c != 0]
    if not support:
        return [type(beta[0])(0)] * len(X[0])
    return nearest_combination(*zip(*support))


def nearest_offset(b, w, x, sign):
    """b + <w, x>, or b - <w, x> where sign is -1, as the double nearest to it. O(d).

    An infinite b, as where no offset is too large, stays infinite.

    >>> nearest_offset(1e16, [1.0, 1.0], [1.0, -1e16], 1)
    1.0
    """
    if abs(b) == inf:
        return b
    total = Fraction(b)
    for p, q in zip(w, x):
        total += sign * Fraction(p) * Fraction(q)
    return rounded(total, type(b))


def rounded(value, kind):
    """The Fraction itself, or the double nearest to it; ValueError if there is none."""
    try:
        return kind(value)
    except OverflowError:
        raise ValueError("a weight or offset of the linear machine is beyond any double") from None


def whole_numbers(x):
    """Whole numbers p_k and the least q with x_k = p_k / q exactly, as a Whole.

    >>> whole_numbers([0.5, 3.0]), whole_numbers([3.0])
    (Whole(numbers=[1, 6], below=2), Whole(numbers=[3], below=1))
    """
    ratios = [v.as_integer_ratio() for v in x]
    q = lcm(*[denominator for _, denominator in ratios])
    return Whole([p * (q // denominator) for p, denominator in ratios], q)
