"""How far a number computed in doubles may lie from the exact one: each inequality by itself.

Every operation rounds to the nearest double, so its result is off by u = 2^-53 of its size at
most, or by 2^-1075 where it is tiny. What follows from that for sums, products and differences is
here, a function for each, with its proof. Bounds are doubles, too, and rounded themselves: SPARE
has room for that, and for the terms with u^2, as long as fewer than 2^40 numbers are added.

On Fractions nothing is rounded, and no bound is needed.

Source: Higham, Accuracy and Stability of Numerical Algorithms (2002), chapter 2.
"""

from __future__ import annotations

from fractions import Fraction
from math import inf, nextafter, sqrt
from typing import Any

from .linalg import squared_norm
from .types import Kind, Number, VectorLike

U = 2.0**-53
MIN_DOUBLE = 2.0**-1074
MAX_DOUBLE = (2 - 2.0**-52) * 2.0**1023  # of the doubles
SPARE = 1 + 2.0**-6


def of_sum(roundings: Number, size: Number) -> Number:
    """Return how far a sum is off, each of whose terms is rounded so often on its way (S30.2).

    roundings u size, where size is what the terms add up to, each taken without its sign. In a sum
    from left to right of m products the first goes through its own rounding and m - 1 additions,
    and no other through more.

    >>> of_sum(2, 1.0) == 2 * U * SPARE
    True
    """
    return SPARE * U * roundings * size


def above(value: Number, roundings: Number) -> Any:
    """Return an upper bound of an exact number >= 0, from its value after so many roundings.

    (1 + u)^k is at most 1 + k u (1 + k u); four more are for this function's own roundings. Fewer
    than 2^-1074 is lost by each product that is tiny. Standard: S30.2.

    >>> above(0.0, 5), above(1.0, 0) > 1
    (0.0, True)
    """
    if value == 0:
        return value
    return value * (1 + (roundings + 4) * U * SPARE) + (roundings + 1) * MIN_DOUBLE


def norm_above(v: VectorLike) -> float:
    """Return an upper bound of |v| (S30.2).

    >>> norm_above([3.0, 4.0]) - 5 < 1e-14, norm_above([0.0])
    (True, 0.0)
    """
    lost = len(v) * MIN_DOUBLE if any(v) else 0.0  # of squares
    return float(above(sqrt(squared_norm(v) + lost), len(v) + 4))


def norm_below(v: VectorLike) -> float:
    """Return a lower bound of |v|.

    >>> 5 - norm_below([3.0, 4.0]) < 1e-14, norm_below([0.0])
    (True, 0.0)
    """
    found = min(squared_norm(v), MAX_DOUBLE) - len(v) * MIN_DOUBLE  # of rounded squares
    return max(sqrt(max(found, 0.0)) * (1 - (len(v) + 8) * U), 0.0)


def nearest_double(value: Number) -> float:
    """Return the nearest double; an infinity beyond them."""
    try:
        return float(value)
    except OverflowError:
        return inf if value > 0 else -inf


def rounded_down(value: Number, kind: Kind = float) -> Any:
    """Return the largest number of this kind that is at most the value; an infinity as it is.

    >>> rounded_down(Fraction(1, 3)) < Fraction(1, 3), rounded_down(Fraction(1, 3), Fraction)
    (True, Fraction(1, 3))
    """
    if kind is not float or not -inf < value < inf:
        return value
    near = nearest_double(value)
    return near if Fraction(value) >= near else nextafter(near, -inf)


def rounded_up(value: Number, kind: Kind = float) -> Any:
    """Return the least number of this kind that is at least the value; an infinity as it is.

    >>> rounded_up(Fraction(1, 3)) > Fraction(1, 3), rounded_up(Fraction(1, 3), Fraction)
    (True, Fraction(1, 3))
    """
    return 0 - rounded_down(-value, kind)
