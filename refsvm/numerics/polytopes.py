"""Polytopes, exactly: the corner farthest in a direction, the point nearest to a given one.

The hull of finitely many points is the set of all their weighted means (weights at least 0 that
sum to 1). A polytope is held here as a list of parts, each part a list of points: it is the set
of all sums that take one point from the hull of each part. A segment is one part of two points.
A box in d dimensions is d parts of two points, and its 2^d corners need never be written down.

    P, Q       polytopes                        d    a direction; the number of dimensions
    corner     one point of each part, summed; the hull of all corners is the polytope
    target     the point that a nearest point is asked for

`nearest_point` and what is built on it decide questions, so they convert every number to a
Fraction (a double is one) and round nothing. The rest works in the kind of number it is given.

Source: Philip Wolfe, Finding the nearest point in a polytope, Mathematical Programming 11, 1976,
pages 128-149.
"""

from fractions import Fraction
from typing import NamedTuple

from .factorisations import solve
from .linalg import add, dot, gram_of_rows, matrix_vector, scale, subtract
from .validation import matrix, sequence, vector


class NearestPoint(NamedTuple):
    """The point of a polytope nearest to a target, as the weighted mean of some corners."""

    point: list
    corners: list
    weights: list  # one for each of the corners, positive, with sum 1


def corner(P, direction):
    """The corner of P that lies farthest in this direction; of equals the first. O(points d).

    >>> box = [[[0, 0], [2, 0]], [[0, 0], [0, 1]]]
    >>> corner(box, [1, -3])
    [2, 0]
    """
    farthest = []
    for part in P:
        reach = [dot(point, direction) for point in part]
        farthest.append(part[reach.index(max(reach))])
    return sum_of_points(farthest)


def sum_of_points(points):
    """The sum of one point or more, in order.

    >>> sum_of_points([[1, 2], [3, 4]])
    [4, 6]
    """
    so_far = list(points[0])
    for point in points[1:]:
        so_far = add(so_far, point)
    return so_far


def corners(P):
    """All corners of P, none twice, as many as the product of the sizes of the parts.

    Some may lie inside the hull of the others.

    >>> corners([[[0, 0], [2, 0]], [[0, 0], [0, 1]]])
    [[0, 0], [0, 1], [2, 0], [2, 1]]
    """
    found = []
    for part in P:
        sums = [add(c, point) for c in found for point in part] if found else list(part)
        found = []
        for c in sums:
            if c not in found:
                found.append(c)
    return found


def nearest_point(P, target):
    """The point of P nearest to the target, in Fractions: NearestPoint(point, corners, weights).

    The weights prove that the point lies in P. That none is nearer is proved by the plane through
    the point, square to the way to the target: no corner lies beyond it. Wolfe's algorithm holds a
    few corners at a time, and ends because no two such sets are the same.
    ValueError if P has no point, or points of another length than the target.

    >>> nearest_point([[[0, 0], [2, 0]], [[0, 0], [0, 1]]], [1, 3]).point
    [Fraction(1, 1), Fraction(1, 1)]
    """
    target = vector(target, "target", Fraction)
    P = [matrix(part, f"P[{k}]", Fraction) for k, part in enumerate(sequence(P, "P"))]
    if not P:
        raise ValueError("P is empty; it must have at least one part")
    held, weights = [subtract(corner(P, target), target)], [Fraction(1)]  # the target is 0 here
    while True:
        here = mean(held, weights)
        new = subtract(corner(P, scale(-1, here)), target)
        if dot(here, new) >= dot(here, here):
            return NearestPoint(add(here, target), [add(c, target) for c in held], weights)
        held, weights = approach([*held, new], [*weights, Fraction(0)])


def approach(held, weights):
    """The points, and their weights, whose mean is nearest to 0 on the way that lowers it.

    The nearest point of the plane through all points may lie outside their hull. Then the way to
    it is gone up to where the first weight becomes 0, and that point is let go.
    """
    while True:
        wanted = weights_nearest_to_zero(held)
        if all(v > 0 for v in wanted):
            return held, wanted
        way = min(w / (w - v) for w, v in zip(weights, wanted) if v <= 0)
        moved = [w + way * (v - w) for w, v in zip(weights, wanted)]
        held = [point for point, w in zip(held, moved) if w > 0]
        weights = [w for w in moved if w > 0]


def weights_nearest_to_zero(points):
    """Weights with sum 1, some perhaps negative, whose mean of the points is shortest.

    At that mean every point has the same product with it. With G the products of the points, and
    1 added to each to make it regular, the weights are in proportion to the solution of G u = 1.
    """
    regular = [[product + 1 for product in row] for row in gram_of_rows(points)]
    u = solve(regular, [1] * len(points))
    whole = dot(u, [1] * len(u))
    return [v / whole for v in u]


def mean(points, weights):
    """The sum of weight times point, in order.

    >>> mean([[4, 0], [0, 8]], [Fraction(1, 4), Fraction(3, 4)])
    [Fraction(1, 1), Fraction(6, 1)]
    """
    return sum_of_points([scale(weight, point) for point, weight in zip(points, weights)])


def contains(P, point):
    """Whether the point lies in P: decided exactly.

    >>> triangle = [[[0, 0], [3, 0], [0, 3]]]
    >>> contains(triangle, [1, 2]), contains(triangle, [1, Fraction(201, 100)])
    (True, False)
    """
    return nearest_point(P, point).point == vector(point, "point", Fraction)


def same_set(P, Q):
    """Whether P and Q are the same set of points, however they are written: decided exactly.

    Each must contain every corner of the other.

    >>> same_set([[[0], [1]], [[0], [1]]], [[[0], [1], [2]]]), same_set([[[0]]], [[[0], [1]]])
    (True, False)
    """
    return all(contains(Q, c) for c in corners(P)) and all(contains(P, c) for c in corners(Q))


def multiple(c, P):
    """The set of all c p, with p in P.

    >>> multiple(3, [[[0, 0], [2, 1]]])
    [[[0, 0], [6, 3]]]
    """
    return [[scale(c, point) for point in part] for part in P]


def set_sum(P, Q):
    """The set of all p + q, with p in P and q in Q (Minkowski's sum): the parts of both.

    >>> corners(set_sum([[[1], [2]]], [[[10], [20]]]))
    [[11], [21], [12], [22]]
    """
    return [*P, *Q]


def image(A, P):
    """The set of all A p, with p in P, for a matrix A.

    >>> image([[1, 1]], [[[0, 0], [2, 1]]])
    [[[0], [3]]]
    """
    return [[matrix_vector(A, point) for point in part] for part in P]


def hull(P, Q):
    """The hull of P and Q together: all weighted means of a point of P and a point of Q.

    >>> hull([[[0], [1]]], [[[5]]])
    [[[0], [1], [5]]]
    """
    return [corners(P) + corners(Q)]
