"""All offsets that cost least, when the scores are given: a quantile of the residuals.

Let w be fixed. Example i lies on its margin when b = r_i = y_i - s_i, and its slack is
max(0, y_i (r_i - b)). So the price of slack is a convex function of b alone, and its slope is

    hinge      (sum of the C_i with r_i < b) - C_plus      where C_plus is the sum over y_i = +1
    squared    sum over y_i = -1, r_i < b of C_i (b - r_i)
               - sum over y_i = +1, r_i > b of C_i (r_i - b)

The best b are those where the slope changes sign. With the hinge it is a weighted quantile of all
r_i: the labels only say at which share of the weight. An example with C_i = inf does not bargain:
b >= r_i if y_i = +1, b <= r_i if y_i = -1.

Both ends of the interval of best b rise, or stay, when an r_i rises. So if each r_i is known to
lie from p_i to q_i, each end lies between what it is for the p_i and what it is for the q_i:
nothing need be known about which example is a support vector.

Throughout this module
    asks    triples (r_i, y_i, C_i) in order of r_i, C_i finite
"""

from math import inf

from ..numerics.linalg import total


def best_offsets(problem, r):
    """(b_low, b_high): the offsets of least price for these residuals; O(n log n).

    problem and r on Fractions. With infinite C there may be no b that honours all; then b_low is
    still a number that rises with every r_i.

    >>> from refsvm.svm.problem import Problem
    >>> best_offsets(Problem([[0], [1], [2]], [-1, 1, 1], C=[2, 1, 1]), [-1, 0, 5])
    (-1, 0)
    """
    lowest = lowest_of_hinge if problem.slack == "hinge" else lowest_of_squares
    given = list(zip(r, problem.y, problem.C))
    least = max((v for v, y, c in given if c == inf and y > 0), default=-inf)
    most = min((v for v, y, c in given if c == inf and y < 0), default=inf)
    asks = sorted((v, y, c) for v, y, c in given if c < inf)
    mirrored = [(-v, -y, c) for v, y, c in reversed(asks)]
    ends = lowest(asks), -lowest(mirrored)
    return tuple(min(max(b, least), most) for b in ends)


def lowest_of_hinge(asks):
    """The smallest b where the slope is no longer negative; -inf if it never is."""
    missing = total(c for _, y, c in asks if y > 0)
    if missing == 0:
        return -inf
    for r, _, c in asks:
        missing -= c
        if missing <= 0:
            return r


def lowest_of_squares(asks):
    """The smallest b where the slope is zero; -inf if it is zero from there on.

    Between two neighbouring residuals the slope is linear, and zero at a mean of residuals.
    """
    low, high = 0, len(asks)
    while low < high:
        middle = (low + high) // 2
        if slope(asks, asks[middle][0]) < 0:
            low = middle + 1
        else:
            high = middle
    pull = weight = 0
    for k, (r, y, c) in enumerate(asks):
        if (y > 0) == (k >= low):
            pull, weight = pull + c * r, weight + c
    return pull / weight if weight else -inf


def slope(asks, b):
    """The slope of half the sum of the C_i xi_i^2 at b."""
    return total(c * (b - r) for r, y, c in asks if y * (r - b) > 0)
