"""Hyperplanes: which side a point lies on, and how far away.

A hyperplane is a line in the plane and a plane in space. It is given by a vector w at right angles
to it, and a number b, the offset: it is where the score w.x + b is 0. On the side that w points to
the score is positive, on the other side negative, and it grows in proportion to the distance. A
linear classifier decides by the sign of the score.

    w      normal vector, d numbers, not all 0        H      the hyperplane: all v with w.v + b = 0
    b      offset, a number                           f(x)   the score w.x + b
    x, v   points, vectors of d numbers               |w|    the length of w, the root of w.w

Lengths need a square root, and the square root of a fraction is seldom a fraction. So on Fractions
a function that divides by |w| is exact where |w| is a fraction (w = (3, 4) has length 5), and
otherwise it is a ValueError, which points to the squared form: that one is always exact.

Source: Andrew Ng and Tengyu Ma, "CS229 lecture notes" part VI (2019), sections 2 to 4; the slides
of CDS New York University, "SVM" (2023), "Maximum Margin Classifier"; 50.007 Machine Learning,
"Support Vector Machines (II)" (2022), section 2.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import inf, isqrt, sqrt
from typing import NamedTuple

from ..numerics.cures import Cure, in_floats, in_fractions, with_cure
from ..numerics.display import displayed
from ..numerics.elementary import exp
from ..numerics.linalg import add_scaled, dot, squared_norm
from ..numerics.quoting import quote
from ..numerics.types import Kind, Number, Vector, VectorLike
from ..numerics.validation import number_kind, to_number, vector


@displayed
class Hyperplane(NamedTuple):
    """The hyperplane of w and b; pass it on as `distance(*hyperplane, x)`."""

    w: Vector
    b: Number


def score(w: VectorLike, b: Number, x: VectorLike) -> Number:
    """Return f(x) = w.x + b, added in index order, b last. O(d).

    >>> score([3, 4], -5, [3, 4])
    20.0
    """
    kind = number_kind(w, b, x)
    w, b = convert_affine(kind, w, b)
    return dot(w, convert_point(kind, x, w, "x")) + b


def sign(z: Number) -> int:
    """Return +1 if z >= 0, else -1; so sign(0) is +1. Source: CS229, section 3, g(z).

    >>> sign(0.5), sign(0), sign(-0.5)
    (1, 1, -1)
    """
    return 1 if to_number(number_kind(z), z, "z") >= 0 else -1


def predict(w: VectorLike, b: Number, x: VectorLike) -> int:
    """Return the side of x, +1 or -1: the sign of its score. O(d). Source: CS229, section 3.

    >>> predict([3, 4], -5, [0, 0]), predict([3, 4], -5, [3, -1])
    (-1, 1)
    """
    return sign(score(w, b, x))


def logistic(z: float) -> float:
    """Return 1 / (1 + e^-z): the score read as the probability of the label +1 (S22.1).

    More than 1/2 exactly when z > 0, up to rounding: near 0 and far out it rounds to 1/2, 0 or 1,
    so decide by the score. TypeError for a Fraction. O(1). Source: CS229, section 2.

    >>> logistic(0), logistic(2), logistic(-1000)
    (0.5, 0.8807970779778823, 0.0)
    """
    z = to_number(float, z, "z")
    if isinstance(z, Fraction):
        raise with_cure(
            TypeError,
            f"z is {quote(z)}; e^z of a Fraction is no Fraction, so",
            Cure("give z as a float", "z", float),
        )
    e = exp(-abs(z))  # at most 1: nothing overflows
    return 1 / (1 + e) if z >= 0 else e / (1 + e)


def contains(w: VectorLike, b: Number, x: VectorLike) -> bool:
    """Return whether x lies on H: its score is 0, to the last bit. O(d).

    >>> contains([3, 4], -5, [3, -1]), contains([3, 4], -5, [0, 0])
    (True, False)
    """
    convert_hyperplane(number_kind(w, b, x), w, b)
    return score(w, b, x) == 0


def signed_distance(w: VectorLike, b: Number, x: VectorLike) -> Number:
    """Return f(x) / |w|: the distance of x from H, negative on the side where f is (S22.1). O(d).

    >>> signed_distance([3, 4], -5, [3, 4]), signed_distance([3, 4], -5, [0, 0])
    (4.0, -1.0)
    """
    kind = number_kind(w, b, x)
    w, b = convert_hyperplane(kind, w, b)
    return (dot(w, convert_point(kind, x, w, "x")) + b) / length(w)


def distance(w: VectorLike, b: Number, x: VectorLike) -> Number:
    """Return |f(x)| / |w|: how far x is from the nearest point of H (S22.1). O(d). Source: NYU.

    >>> distance([3, 4], -5, [0, 0])
    1.0
    """
    signed = signed_distance(w, b, x)
    return signed if signed > 0 else 0 - signed  # not -0.0


def squared_distance(w: VectorLike, b: Number, x: VectorLike) -> Number:
    """Return f(x)^2 / w.w, the square of the distance; exact for every Fraction (S22.1). O(d).

    >>> squared_distance([Fraction(1), 1], -1, [0, 0])
    Fraction(1, 2)
    """
    kind = number_kind(w, b, x)
    w, b = convert_hyperplane(kind, w, b)
    f = dot(w, convert_point(kind, x, w, "x")) + b
    return f * f / require_usable(squared_norm(w))


def foot(w: VectorLike, b: Number, x: VectorLike) -> Vector:
    """Return the foot of the perpendicular: the point of H that is nearest to x (S22.1). O(d).

    It is x - (f(x) / w.w) w: from x against w until the score is 0. Source: CS229, section 4,
    the point B.

    >>> foot([Fraction(3), 4], -5, [3, 4])
    [Fraction(3, 5), Fraction(4, 5)]
    """
    kind = number_kind(w, b, x)
    w, b = convert_hyperplane(kind, w, b)
    x = convert_point(kind, x, w, "x")
    return add_scaled(x, -((dot(w, x) + b) / require_usable(squared_norm(w))), w)


def scalar_projection(v: VectorLike, w: VectorLike) -> Number:
    """Return v.w / |w|: how far v reaches in the direction of w, negative if v points away.

    O(d). Source: NYU, distance between a point and a hyperplane.

    >>> scalar_projection([2, 1], [3, 4]), scalar_projection([-3, -4], [3, 4])
    (2.0, -5.0)
    """
    return signed_distance(w, 0, v)


def margin_lines(w: VectorLike, b: Number) -> tuple[Hyperplane, Hyperplane]:
    """Return the hyperplanes where the score is +1 and -1: 2/|w| apart, H halfway (S22.1). O(d).

    Source: 50.007, section 2, margin boundaries.

    >>> margin_lines([3, 4], -5)
    (Hyperplane(w=[3.0, 4.0], b=-6.0), Hyperplane(w=[3.0, 4.0], b=-4.0))
    """
    w, b = convert_hyperplane(number_kind(w, b), w, b)
    return Hyperplane(w, b - 1), Hyperplane(list(w), b + 1)


def rescaled(
    w: VectorLike, b: Number, quantity: Callable[[Vector, Number], Number], target: Number
) -> Hyperplane:
    """Return (c w, c b), c > 0, the same hyperplane, with quantity(c w, c b) = target. O(d).

    quantity: a function of w and b that doubles when both double, such as |w| or |w_1|.
    ValueError where no such c exists: quantity(w, b) is 0, or not of the sign of the target.
    Source: CS229, section 4, scaling constraints. Standard: S22.1.

    >>> rescaled([2, 1], -4, lambda w, b: abs(w[0]), 5)
    Hyperplane(w=[5.0, 2.5], b=-10.0)
    >>> rescaled([0, 1], -4, lambda w, b: abs(w[0]), 5)
    Traceback (most recent call last):
      ...
    ValueError: quantity(w, b) is 0.0; no positive multiple of (w, b) makes it 5.0
    """
    kind = number_kind(w, b, target)
    w, b = convert_hyperplane(kind, w, b)
    target = to_number(kind, target, "target")
    now, doubled = quantity(w, b), quantity([2 * v for v in w], 2 * b)
    if doubled != 2 * now:
        raise ValueError(
            f"quantity(w, b) is {quote(now)} and quantity(2 w, 2 b) is {quote(doubled)}; it"
            " must double, too"
        )
    if not 0 < now * target < inf:
        raise ValueError(
            f"quantity(w, b) is {quote(now)}; no positive multiple of (w, b) makes it"
            f" {quote(target)}"
        )
    return Hyperplane([v * target / now for v in w], b * target / now)


def normalised(w: VectorLike, b: Number) -> Hyperplane:
    """Return (w, b) / |w| (S22.1): the same hyperplane, its score the signed distance. O(d).

    >>> normalised([3, 4], -5)
    Hyperplane(w=[0.6, 0.8], b=-1.0)
    """
    return rescaled(w, b, lambda w, b: length(w), 1)


def length(w: VectorLike) -> Number:
    """Return |w|, w not zero. O(d).

    Exact on Fractions, or a ValueError where the root is no fraction.

    >>> length([1, 1]), length([Fraction(3), 4])
    (1.4142135623730951, Fraction(5, 1))
    >>> length([Fraction(1), 1])
    Traceback (most recent call last):
      ...
    ValueError: w.w is 2, whose square root is no fraction; give w as floats
    """
    w, _ = convert_hyperplane(number_kind(w), w, 0)
    square = require_usable(squared_norm(w))
    if not isinstance(square, Fraction):
        return sqrt(square)
    root = Fraction(isqrt(square.numerator), isqrt(square.denominator))
    if root * root != square:
        raise with_cure(
            ValueError,
            f"w.w is {quote(square)}, whose square root is no fraction;",
            Cure("give w as floats", "w", in_floats),
        )
    return root


def require_usable(square: Number) -> Number:
    """Return w.w; ValueError if it is 0 or infinite in doubles."""
    if not 0 < square < inf:
        raise with_cure(
            ValueError,
            f"w.w is {quote(square)} in doubles;",
            Cure("scale w and b, or give them as Fractions", "w", in_fractions),
        )
    return square


def convert_affine(kind: Kind, w: VectorLike, b: Number) -> tuple[Vector, Number]:
    """Return w and b in numbers of this kind."""
    return vector(w, "w", kind), to_number(kind, b, "b")


def convert_hyperplane(kind: Kind, w: VectorLike, b: Number) -> tuple[Vector, Number]:
    """Return w and b in numbers of this kind; ValueError if w is zero."""
    w, b = convert_affine(kind, w, b)
    if not any(w):
        raise ValueError("w is zero; a hyperplane needs a w that is not")
    return w, b


def convert_point(kind: Kind, x: VectorLike, w: Vector, name: str) -> Vector:
    """Return x in numbers of this kind; ValueError unless it is as long as w."""
    x = vector(x, name, kind)
    if len(x) != len(w):
        raise ValueError(
            f"{name} has length {len(x)} and w has length {len(w)}; the two must be equal"
        )
    return x
