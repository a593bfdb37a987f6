"""Subgradients: the slopes of the planes that touch a function at a point and stay below it.

    g is a subgradient of f at x      if    f(z) >= f(x) + g.(z - x)   for every z
    the subdifferential of f at x     is    the set of all of them

Where a convex function is smooth the gradient is the only one. At a kink there are many, and they
replace the gradient: x is a minimiser if and only if 0 is among them. For the functions of
convex_functions.py the subdifferential is a polytope, a sum of hulls (polyhedra.py): for each
term, of the gradients of its active pieces.

    f            a Convex, or where the text says so any function of a list of numbers
    x, z         points                           g       a subgradient, or what may be one
    active       the pieces of a term that are as large as the term itself
    direction    a vector of any length; d is the number of dimensions

Claims are decided without rounding, on Fractions, and a false one is answered with a witness: a
point at which the inequality fails.

Source: the NYU slides, "Subgradient" and "Subgradient Descent" (nyu-46 to nyu-64).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from ..numerics.linalg import add_scaled, check_equal_lengths, dot, subtract
from ..numerics.polyhedra import corner, corners, nearest_point, sum_of_points, weighted_mean
from ..numerics.quoting import quote
from ..numerics.types import Number, Vector, VectorLike
from ..numerics.validation import matrix, vector
from .convex_functions import Convex, in_common_type
from .losses import SlopeInterval


def active_pieces(f: Convex, x: VectorLike) -> list[list[int]]:
    """Return for each term of f the indices of its pieces that are largest at x.

    Pieces tie when their values as computed are equal, so on floats rounding may hide a tie.

    >>> from refsvm.theory.convex_functions import absolute_sum
    >>> active_pieces(absolute_sum([1, 2]), [3, 0])
    [[0], [0, 1]]
    """
    f, x = in_common_type(f, x, "x")
    found = []
    for pieces in f.terms:
        values = [piece(x) for piece in pieces]
        found.append([k for k, value in enumerate(values) if value == max(values)])
    return found


def subdifferential(f: Convex, x: VectorLike) -> list[list[Vector]]:
    """Return all subgradients of f at x, as a polytope: the active gradients of each term (S25.1).

    So subgradients of a sum are the sums of subgradients, and those of a maximum the weighted
    means of the gradients of what attains it.

    >>> from refsvm.theory.convex_functions import absolute_sum
    >>> subdifferential(absolute_sum([1, 2]), [3, 0])
    [[[1.0, 0.0]], [[0.0, 2.0], [0.0, -2.0]]]
    """
    f, x = in_common_type(f, x, "x")
    return [
        [pieces[k].gradient(x) for k in largest]
        for pieces, largest in zip(f.terms, active_pieces(f, x))
    ]


def subgradient(f: Convex, x: VectorLike) -> Vector:
    """Return one subgradient of f at x: the sum of the gradients of the first active pieces.

    >>> from refsvm.theory.convex_functions import absolute_sum
    >>> subgradient(absolute_sum([1, 2]), [3, 0])
    [1.0, 2.0]
    """
    return sum_of_points([part[0] for part in subdifferential(f, x)])


def _exact_subdifferential(f: Convex, x: VectorLike) -> list[list[Vector]]:
    """Return the subdifferential of f at x in Fractions, so that no tie is hidden."""
    return subdifferential(f, vector(x, "x", Fraction))


def is_differentiable(f: Convex, x: VectorLike) -> bool:
    """Return whether f has a gradient at x, and no kink: one subgradient and no other.

    >>> from refsvm.theory.convex_functions import absolute_sum
    >>> is_differentiable(absolute_sum([1]), [2]), is_differentiable(absolute_sum([1]), [0])
    (True, False)
    """
    return all(len(corners([part])) == 1 for part in _exact_subdifferential(f, x))


def gradient(f: Convex, x: VectorLike) -> Vector:
    """Return the gradient of f at x; ValueError where f has a kink.

    >>> from refsvm.theory.convex_functions import quadratic
    >>> gradient(quadratic([[2, 0], [0, 4]]), [1, 1])
    [2.0, 4.0]
    """
    if not is_differentiable(f, x):
        raise ValueError(f"f has a kink at x = {quote(x)}; it has no gradient there")
    return subgradient(f, x)


def directional_derivative(f: Convex, x: VectorLike, direction: VectorLike) -> Number:
    """Return the slope of f at x in this direction: the largest g.direction (S25.3).

    The limit of (f(x + t direction) - f(x)) / t as t > 0 falls to 0. On a polytope of
    subgradients the largest product is that of a corner.

    >>> from refsvm.theory.convex_functions import absolute_sum
    >>> f = absolute_sum([1, 2])
    >>> directional_derivative(f, [3, 0], [-1, 0]), directional_derivative(f, [3, 0], [0, -1])
    (-1.0, 2.0)
    """
    f, x = in_common_type(f, x, "x")
    f, direction = in_common_type(f, direction, "direction")
    return dot(corner(subdifferential(f, x), direction), direction)


def slope_interval(f: Convex, x: VectorLike) -> SlopeInterval:
    """Return the subdifferential of an f of one number at x = [x_0], from left to right slope.

    >>> from refsvm.theory.convex_functions import absolute_sum
    >>> slope_interval(absolute_sum([1]), [0]), slope_interval(absolute_sum([1]), [5])
    (SlopeInterval(low=-1.0, high=1.0), SlopeInterval(low=1.0, high=1.0))
    """
    f, x = in_common_type(f, x, "x")
    if len(x) != 1:
        raise ValueError(f"f takes {len(x)} numbers; an interval is for functions of one")
    return SlopeInterval(-directional_derivative(f, x, [-1]), directional_derivative(f, x, [1]))


# Claims and their witnesses


def excess(
    f: Callable[[Vector], Number] | Convex, x: VectorLike, g: VectorLike, z: VectorLike
) -> Number:
    """Return f(z) - f(x) - g.(z - x), how far the plane with slope g at x is below f at z.

    g is a subgradient of f at x if no z makes this negative; a z that does is a witness that g is
    none. In Fractions; f may be any function of a list of Fractions.

    >>> excess(lambda x: x[0] * x[0], [3], [6], [5])
    Fraction(4, 1)
    """
    x, g, z = (vector(v, name, Fraction) for v, name in ((x, "x"), (g, "g"), (z, "z")))
    check_equal_lengths(x, g, "x", "g")
    return f(z) - f(x) - dot(g, subtract(z, x))


def disproof(f: Convex, x: VectorLike, g: VectorLike) -> Vector | None:
    """Return None if g is a subgradient of the Convex f at x; otherwise a witness z (S25.1).

    With p the subgradient nearest to g, f rises in the direction g - p more slowly than the plane
    with slope g. So a short enough step in that direction is a witness; halving finds it.

    >>> from refsvm.theory.convex_functions import absolute_sum
    >>> disproof(absolute_sum([1, 2]), [3, 0], [1, -2])
    >>> disproof(absolute_sum([1, 2]), [3, 0], [1, 3])
    [Fraction(3, 1), Fraction(1, 1)]
    """
    f, g = in_common_type(f, vector(g, "g", Fraction), "g")
    x = vector(x, "x", Fraction)
    direction = subtract(g, nearest_point(subdifferential(f, x), g).point)
    if not any(direction):
        return None
    step = Fraction(1)
    while excess(f, x, g, add_scaled(x, step, direction)) >= 0:
        step /= 2
    return add_scaled(x, step, direction)


def is_subgradient(f: Convex, x: VectorLike, g: VectorLike) -> bool:
    """Return whether g is a subgradient of the Convex f at x.

    >>> from refsvm.theory.convex_functions import absolute_sum
    >>> f = absolute_sum([1])
    >>> is_subgradient(f, [0], [1]), is_subgradient(f, [0], [1.001])
    (True, False)
    """
    return disproof(f, x, g) is None


def is_minimiser(f: Convex, x: VectorLike) -> bool:
    """Return whether f is nowhere smaller than at x: whether 0 is a subgradient there.

    Where it is not, disproof(f, x, [0, ..., 0]) is a better point.

    >>> from refsvm.theory.convex_functions import polyhedral
    >>> hinge = polyhedral([[-1], [0]], [1, 0])
    >>> is_minimiser(hinge, [1]), is_minimiser(hinge, [0.99])
    (True, False)
    """
    return is_subgradient(f, x, [0] * len(vector(x, "x")))


def shortest_subgradient(f: Convex, x: VectorLike) -> Vector:
    """Return the subgradient of f at x nearest to 0, in Fractions. f falls fastest against it.

    >>> from refsvm.theory.convex_functions import absolute_sum
    >>> shortest_subgradient(absolute_sum([1, 2]), [3, 0])
    [Fraction(1, 1), Fraction(0, 1)]
    """
    return nearest_point(_exact_subdifferential(f, x), [0] * len(vector(x, "x"))).point


def jensen_gap(
    f: Callable[[Vector], Number] | Convex, points: Sequence[VectorLike], weights: VectorLike
) -> Number:
    """Return the weighted mean of f at the points less f at their weighted mean (S25.1).

    Weights are at least 0 and sum to 1. A convex f, any function of a list of Fractions, is
    nowhere above its chords, so this is never negative (Jensen). If it is, f is not convex and has
    no subgradient at the mean: the mean of a plane's values is its value at the mean.

    >>> jensen_gap(lambda x: -abs(x[0]), [[-1], [1]], [0.5, 0.5])
    Fraction(-1, 1)
    """
    points = matrix(points, "points", Fraction)
    weights = vector(weights, "weights", Fraction)
    check_equal_lengths(points, weights, "points", "weights")
    if min(weights) < 0 or dot(weights, [1] * len(weights)) != 1:
        raise ValueError(
            f"weights are {quote(weights)}; they must be at least 0 and sum to exactly 1"
        )
    return dot(weights, [f(point) for point in points]) - f(weighted_mean(points, weights))


def supports(g: VectorLike, x: VectorLike, points: Sequence[VectorLike]) -> bool:
    """Return whether the hyperplane through x orthogonal to g supports the set of these points.

    It supports the set if it meets it and all of it lies on one side (or on the hyperplane). It
    then supports the hull, too. g = 0 defines no hyperplane: ValueError. Standard: S25.3.

    >>> supports([1, 0], [2, 9], [[2, 0], [1, 5], [-3, 1]])
    True
    >>> supports([1, 0], [1, 0], [[0, 0], [2, 0]])
    False
    """
    g, x = vector(g, "g", Fraction), vector(x, "x", Fraction)
    if not any(g):
        raise ValueError("g is 0; the normal of a hyperplane must not be 0")
    sides = [dot(g, subtract(point, x)) for point in matrix(points, "points", Fraction)]
    return 0 in sides and (min(sides) == 0 or max(sides) == 0)
