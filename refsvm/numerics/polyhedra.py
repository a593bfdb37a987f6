"""Polytopes and cones, exactly: nearest points, corners, and membership with its proof.

The hull of some points is the set of all their weighted means: weights at least 0 that sum to 1.
A polytope is a list of parts, each part a list of points: it is the set of all sums that take one
point from the hull of each part. A box in d dimensions is d parts of two points, not 2^d corners.

The cone of some vectors is the set of the sums alpha_k v_k with every alpha_k >= 0. Lagrange
multipliers are such coefficients, so whether they exist is a question about cones. Exactly one of
two things is the case, and each comes with its proof (the lemma of Farkas):

    there are  alpha >= 0  with  sum alpha_k v_k = target
    there is   d           with  v_k.d <= 0 for every k  and  target.d > 0

    P, Q       polytopes                    d        a direction; the number of dimensions
    corner     one point of each part, summed; the hull of all corners is the polytope
    target     the point that a nearest point is asked for; the vector that a sum is to equal
    v_k        m vectors of d numbers       alpha    m coefficients

`nearest_point`, what is built on it, and `nonnegative_combination` decide questions. They convert
every number to a Fraction (each double is one) and round nothing. The others work in the kind of
number given.

Sources: Wolfe, Mathematical Programming 11 (1976), pages 128-149 (the nearest point); Bland,
Mathematics of Operations Research 2 (1977), pages 103-107 (why the simplex method ends).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from .display import displayed
from .factorisations import solve
from .linalg import (
    add,
    add_scaled,
    check_row_lengths,
    dot,
    gram_of_rows,
    identity,
    matrix_vector,
    scale,
    subtract,
    total,
)
from .types import Matrix, MatrixLike, Number, Vector, VectorLike
from .validation import matrix, number_kind, sequence, vector

Polytope = Sequence[MatrixLike]  # its parts, each a list of points


@displayed
class NearestPoint(NamedTuple):
    """The point of a polytope nearest to a target, as the weighted mean of some corners."""

    point: Vector
    corners: Matrix
    weights: Vector  # one for each of the corners, positive, with sum 1


def corner(P: Polytope, direction: VectorLike) -> Vector:
    """Find the corner of P that lies farthest in this direction; of equals the first. O(points d).

    Examples
    --------
    >>> box = [[[0, 0], [2, 0]], [[0, 0], [0, 1]]]
    >>> corner(box, [1, -3])
    [2, 0]
    """
    farthest = []
    for part in P:
        reach = [dot(point, direction) for point in part]
        farthest.append(part[reach.index(max(reach))])
    return sum_of_points(farthest)


def sum_of_points(points: MatrixLike) -> Vector:
    """Add one point or more, in order.

    Examples
    --------
    >>> sum_of_points([[1, 2], [3, 4]])
    [4, 6]
    """
    so_far = list(points[0])
    for point in points[1:]:
        so_far = add(so_far, point)
    return so_far


def corners(P: Polytope) -> Matrix:
    """List all corners of P, none twice: at most the product of the sizes of the parts.

    Some may lie inside the hull of the others.

    Examples
    --------
    >>> corners([[[0, 0], [2, 0]], [[0, 0], [0, 1]]])
    [[0, 0], [0, 1], [2, 0], [2, 1]]
    """
    found: Matrix = []
    for part in P:
        sums = [add(c, point) for c in found for point in part] if found else list(part)
        found = []
        for c in sums:
            if c not in found:
                found.append(list(c))
    return found


def nearest_point(P: Polytope, target: VectorLike) -> NearestPoint:
    """Find the point of P nearest to the target, exactly.

    Returns
    -------
    NearestPoint(point, corners, weights)
        in Fractions. The weights prove that the point lies in P. That no other is nearer is
        proved by the plane through it, at a right angle to the line to the target: no corner
        lies beyond it.

    Raises
    ------
    ValueError
        if P has no point, or points of another length than the target

    Notes
    -----
    Wolfe's algorithm: it works on a few corners at a time, and ends because no such set comes
    twice.

    Examples
    --------
    >>> nearest_point([[[0, 0], [2, 0]], [[0, 0], [0, 1]]], [1, 3]).point
    [Fraction(1, 1), Fraction(1, 1)]
    """
    target = vector(target, "target", Fraction)
    P = [matrix(part, f"P[{k}]", Fraction) for k, part in enumerate(sequence(P, "P"))]
    if not P:
        raise ValueError("P is empty; it must have at least one part")
    points = [subtract(corner(P, target), target)]  # from here on the target is 0
    weights: Vector = [Fraction(1)]
    while True:
        here = weighted_mean(points, weights)
        new = subtract(corner(P, scale(-1, here)), target)
        if dot(here, new) >= dot(here, here):
            return NearestPoint(add(here, target), [add(c, target) for c in points], weights)
        points, weights = move_to_nearest_mean([*points, new], [*weights, Fraction(0)])


def move_to_nearest_mean(points: Matrix, weights: Vector) -> tuple[Matrix, Vector]:
    """Points and positive weights whose mean is nearer to 0: one round of Wolfe's algorithm.

    The nearest point of the plane through all points may lie outside their hull. Then the mean
    moves towards it until the first weight becomes 0, that point is dropped, and the plane through
    the others is tried.
    """
    while True:
        wanted = weights_nearest_to_zero(points)
        if all(v > 0 for v in wanted):
            return points, wanted
        step = min(w / (w - v) for w, v in zip(weights, wanted) if v <= 0)
        moved = [w + step * (v - w) for w, v in zip(weights, wanted)]
        points = [point for point, w in zip(points, moved) if w > 0]
        weights = [w for w in moved if w > 0]


def weights_nearest_to_zero(points: MatrixLike) -> Vector:
    """Weights with sum 1, some perhaps negative, whose mean of the points is shortest.

    At that mean every point has the same product with it. With G the products of the points, and
    1 added to each to make it regular, the weights are in proportion to the solution of G u = 1.
    """
    regular = [[product + 1 for product in row] for row in gram_of_rows(points)]
    u = solve(regular, [1] * len(points))
    length = total(u)
    return [v / length for v in u]


def weighted_mean(points: MatrixLike, weights: VectorLike) -> Vector:
    """Compute the sum of weight times point, in order.

    Examples
    --------
    >>> weighted_mean([[4, 0], [0, 8]], [Fraction(1, 4), Fraction(3, 4)])
    [Fraction(1, 1), Fraction(6, 1)]
    """
    return sum_of_points([scale(weight, point) for point, weight in zip(points, weights)])


def contains(P: Polytope, point: VectorLike) -> bool:
    """Decide exactly whether the point lies in P.

    Examples
    --------
    >>> triangle = [[[0, 0], [3, 0], [0, 3]]]
    >>> contains(triangle, [1, 2]), contains(triangle, [1, Fraction(201, 100)])
    (True, False)
    """
    return nearest_point(P, point).point == vector(point, "point", Fraction)


def same_set(P: Polytope, Q: Polytope) -> bool:
    """Decide exactly whether P and Q are the same set of points, however they are written (S25.2).

    Each must contain every corner of the other.

    Examples
    --------
    >>> same_set([[[0], [1]], [[0], [1]]], [[[0], [1], [2]]]), same_set([[[0]]], [[[0], [1]]])
    (True, False)
    """
    return all(contains(Q, c) for c in corners(P)) and all(contains(P, c) for c in corners(Q))


def multiple(c: Number, P: Polytope) -> list[Matrix]:
    """Make the set of all c p, with p in P.

    Examples
    --------
    >>> multiple(3, [[[0, 0], [2, 1]]])
    [[[0, 0], [6, 3]]]
    """
    return [[scale(c, point) for point in part] for part in P]


def set_sum(P: Polytope, Q: Polytope) -> Polytope:
    """Make the set of all p + q, with p in P and q in Q (Minkowski's sum): the parts of both.

    Examples
    --------
    >>> corners(set_sum([[[1], [2]]], [[[10], [20]]]))
    [[11], [21], [12], [22]]
    """
    return [*P, *Q]


def image(A: MatrixLike, P: Polytope) -> list[Matrix]:
    """Make the set of all A p, with p in P, for a matrix A.

    Examples
    --------
    >>> image([[1, 1]], [[[0, 0], [2, 1]]])
    [[[0], [3]]]
    """
    return [[matrix_vector(A, point) for point in part] for part in P]


def hull(P: Polytope, Q: Polytope) -> list[Matrix]:
    """Make the hull of P and Q together: all weighted means of a point of P and a point of Q.

    Examples
    --------
    >>> hull([[[0], [1]]], [[[5]]])
    [[[0], [1], [5]]]
    """
    return [corners(P) + corners(Q)]


@displayed
class FarkasAlternative(NamedTuple):
    """Coefficients that make the target, or a direction that proves that there are none."""

    coefs: Vector | None  # m numbers >= 0, or None
    direction: Vector | None  # None, or d numbers


def nonnegative_combination(vectors: MatrixLike, target: VectorLike) -> FarkasAlternative:
    """Find alpha >= 0 with sum alpha_k v_k = target, or the direction that excludes it.

    Returns
    -------
    FarkasAlternative(coefs, direction)
        at most d of the coefs are not zero. Decided without rounding: floats are taken for the
        fractions they are, and only the answer is rounded.

    Notes
    -----
    The simplex method gives every equation an artificial unknown, which stands for what is still
    missing, and minimises their sum. O(d (m + d)) a pivot; in practice there are few.

    Examples
    --------
    >>> nonnegative_combination([[1, 0], [1, 1]], [3, 1])
    FarkasAlternative(coefs=[2.0, 1.0], direction=None)
    >>> nonnegative_combination([[1, 0], [1, 1]], [0, 1])
    FarkasAlternative(coefs=None, direction=[-1.0, 1.0])
    """
    kind = number_kind(vectors, target)
    vectors = matrix(vectors, "vectors", kind) if len(vectors) else []
    target = vector(target, "target", kind)
    check_row_lengths(len(target), vectors, "vectors", "the length of target is")
    m = len(vectors)
    rows, signs = _simplex_rows(vectors, target)
    basis = [m + r for r in range(len(rows))]
    cost = _simplex_cost(rows, m)
    _minimise_artificial_sum(rows, basis, cost, m)
    if cost[-1] != 0:
        # c is 1 less the multiplier of its row: and the multipliers are the direction.
        direction = [kind(s * (1 - c)) for s, c in zip(signs, cost[m:-1])]
        return FarkasAlternative(None, direction)
    coefs: Vector = [kind(0)] * m
    for column, row in zip(basis, rows):
        if column < m:
            coefs[column] = kind(row[-1])
    return FarkasAlternative(coefs, None)


def _simplex_rows(vectors: MatrixLike, target: VectorLike) -> tuple[Matrix, list[int]]:
    """The rows of the simplex tableau, and the signs that make their right-hand sides >= 0.

    A row holds the coefficients of its equation, a column for each artificial unknown, and the
    right-hand side.
    """
    signs = [-1 if t < 0 else 1 for t in target]
    unit = identity(len(target), Fraction)
    rows: Matrix = []
    for r, sign in enumerate(signs):
        left: Vector = [sign * Fraction(v[r]) for v in vectors]
        rows.append(left + unit[r] + [sign * Fraction(target[r])])
    return rows, signs


def _simplex_cost(rows: Matrix, m: int) -> Vector:
    """The cost row, minus the sum of the rows: how each column changes what is still missing."""
    cost = scale(0, rows[0])
    for row in rows:
        cost = add_scaled(cost, -1, row)
    artificial: Vector = [Fraction(0)] * len(rows)
    return cost[:m] + artificial + cost[-1:]


def _minimise_artificial_sum(rows: Matrix, basis: list[int], cost: Vector, m: int) -> None:
    """Pivot, in place, until no column lowers the sum of the artificial unknowns.

    basis[r] is the column that row r is solved for. Bland's rule, the lowest index always, makes
    sure that this ends.
    """
    while True:
        j = next((j for j in range(m) if cost[j] < 0), None)
        if j is None:
            return
        # The sum cannot become negative, so some row bounds how far column j can be raised.
        bounding = [r for r, row in enumerate(rows) if row[j] > 0]
        r = min(bounding, key=lambda r: (rows[r][-1] / rows[r][j], basis[r]))
        rows[r] = scale(1 / rows[r][j], rows[r])
        for i, row in enumerate(rows):
            if i != r:
                rows[i] = add_scaled(row, -row[j], rows[r])
        cost[:] = add_scaled(cost, -cost[j], rows[r])
        basis[r] = j
