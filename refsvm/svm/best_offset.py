"""The offset of a classifier that costs least slack, whatever w is.

    r_i    residual, y_i - s_i: the b with which example i lies on its margin

As b grows past r_i a positive example loses its slack, and a negative one begins to have some. So
along b the penalty is convex, and its least value lies where its slope changes sign.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import accumulate
from math import inf

from ..numerics.linalg import total
from ..numerics.types import Number, Vector, VectorLike


def best_offsets(y: list[int], C: Vector, slack: str, r: VectorLike) -> tuple[Number, Number]:
    """Return the ends of the b with the least penalty of slack, given the residuals.

    O(n log n). Hinge slack, or Fractions. With infinite C_i there may be no b that keeps all
    bounds; then the lower end is still a number that rises with every r_i.

    >>> best_offsets([-1, 1, 1], [2, 1, 1], "hinge", [-1, 0, 5])
    (-1, 0)
    """
    lowest = lowest_of_hinge if slack == "hinge" else lowest_of_squares
    given = list(zip(r, y, C))
    least = max((v for v, y, c in given if c == inf and y > 0), default=-inf)
    most = min((v for v, y, c in given if c == inf and y < 0), default=inf)
    # The sign of a slope must not be rounded away: C in Fractions.
    examples = sorted((v, y, Fraction(c)) for v, y, c in given if c < inf)
    mirrored = [(-v, -y, c) for v, y, c in reversed(examples)]
    low, high = lowest(examples), -lowest(mirrored)
    return min(max(low, least), most), min(max(high, least), most)


Example = tuple[Number, int, Fraction]  # (r_i, y_i, C_i), C_i finite


def lowest_of_hinge(examples: list[Example]) -> Number:
    """Return the smallest b where the slope is no longer negative; -inf if it never is.

    A weighted quantile: the first r_i, in order, where the sum of the C_i reaches C_plus.
    """
    C_plus = total(c for _, y, c in examples if y > 0)
    if C_plus == 0:
        return -inf
    sums = accumulate(c for _, _, c in examples)
    return next(r for (r, _, _), weight in zip(examples, sums) if weight >= C_plus)


def lowest_of_squares(examples: list[Example]) -> Number:
    """Return the smallest b where the slope is zero; -inf if it is zero from there on.

    Between two neighbouring residuals the slope is linear, and zero at a mean of residuals.
    """
    low, high = 0, len(examples)
    while low < high:
        middle = (low + high) // 2
        if slope_of_squares(examples, examples[middle][0]) < 0:
            low = middle + 1
        else:
            high = middle
    pull = weight = 0
    for k, (r, y, c) in enumerate(examples):
        if (y > 0) == (k >= low):
            pull, weight = pull + c * r, weight + c
    return pull / weight if weight else -inf


def slope_of_squares(examples: list[Example], b: Number) -> Number:
    """Return the slope of half the sum of the C_i xi_i^2 at b."""
    return total(c * (b - r) for r, y, c in examples if y * (r - b) > 0)
