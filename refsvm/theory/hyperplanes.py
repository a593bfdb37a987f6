"""Hyperplanes: which side a point lies on, and how far away.

A hyperplane is a flat cut through space: in the plane a line, in space a plane. It is given by a
vector w that stands at right angles to it, and a number b, the offset. The cut is where the score
w.x + b is 0. On the side that w points to the score is positive, on the other side negative, and
it grows in proportion to the distance. A linear classifier answers by the sign of the score.

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

from fractions import Fraction
from math import inf, isqrt, sqrt
from typing import Any, NamedTuple

from ..numerics.elementary import exp
from ..numerics.linalg import add_scaled, dot, squared_norm
from ..numerics.validation import number_kind, to_number, vector


class Hyperplane(NamedTuple):
    """w and b. `distance(*h, x)` is how to hand one to the functions here."""

    w: list
    b: Any


def score(w, b, x):
    """f(x) = w.x + b, added in index order, b last. O(d).

    >>> score([3, 4], -5, [3, 4])
    20.0
    """
    kind = number_kind(w, b, x)
    w, b = affine(kind, w, b)
    return dot(w, point(kind, x, w, "x")) + b


def sign(z):
    """+1 if z >= 0, else -1; so sign(0) is +1. Source: CS229, section 3, g(z).

    >>> sign(0.5), sign(0), sign(-0.5)
    (1, 1, -1)
    """
    return 1 if to_number(number_kind(z), z, "z") >= 0 else -1


def predict(w, b, x):
    """The side of x, +1 or -1: the sign of its score. O(d). Source: CS229, section 3, h_{w,b}.

    >>> predict([3, 4], -5, [0, 0]), predict([3, 4], -5, [3, -1])
    (-1, 1)
    """
    return sign(score(w, b, x))


def logistic(z):
    """1 / (1 + e^-z) for a float z: the score read as the probability of the label +1.

    More than 1/2 exactly when z > 0, up to rounding: near 0 and far out it rounds to 1/2, 0 or 1,
    so decide by the score. TypeError for a Fraction. O(1). Source: CS229, section 2.

    >>> logistic(0), logistic(2), logistic(-1000)
    (0.5, 0.8807970779778823, 0.0)
    """
    z = to_number(float, z, "z")
    if isinstance(z, Fraction):
        raise TypeError(f"z is {z!r}; e^z of a Fraction is no Fraction, so give z as a float")
    e = exp(-abs(z))  # at most 1: nothing overflows
    return 1 / (1 + e) if z >= 0 else e / (1 + e)


def contains(w, b, x):
    """Whether x lies on H: its score is 0, to the last bit. O(d).

    >>> contains([3, 4], -5, [3, -1]), contains([3, 4], -5, [0, 0])
    (True, False)
    """
    plane(number_kind(w, b, x), w, b)
    return score(w, b, x) == 0


def signed_distance(w, b, x):
    """f(x) / |w|: the distance of x from H, negative on the side where f is. O(d).

    >>> signed_distance([3, 4], -5, [3, 4]), signed_distance([3, 4], -5, [0, 0])
    (4.0, -1.0)
    """
    kind = number_kind(w, b, x)
    w, b = plane(kind, w, b)
    return (dot(w, point(kind, x, w, "x")) + b) / length(w)


def distance(w, b, x):
    """|f(x)| / |w|: how far x is from the nearest point of H. O(d). Source: NYU, the same.

    >>> distance([3, 4], -5, [0, 0])
    1.0
    """
    return abs(signed_distance(w, b, x))


def squared_distance(w, b, x):
    """f(x)^2 / w.w, the square of the distance; exact for every Fraction. O(d).

    >>> squared_distance([Fraction(1), 1], -1, [0, 0])
    Fraction(1, 2)
    """
    kind = number_kind(w, b, x)
    w, b = plane(kind, w, b)
    f = dot(w, point(kind, x, w, "x")) + b
    return f * f / usable(squared_norm(w))


def foot(w, b, x):
    """The foot of the perpendicular: the point of H that is nearest to x. A new list, O(d).

    It is x - (f(x) / w.w) w: from x against w until the score is 0. Source: CS229, section 4,
    the point B.

    >>> foot([Fraction(3), 4], -5, [3, 4])
    [Fraction(3, 5), Fraction(4, 5)]
    """
    kind = number_kind(w, b, x)
    w, b = plane(kind, w, b)
    x = point(kind, x, w, "x")
    return add_scaled(x, -((dot(w, x) + b) / usable(squared_norm(w))), w)


def scalar_projection(v, w):
    """v.w / |w|: how far v reaches in the direction of w; a number, negative if v points away.

    O(d). Source: NYU, distance between a point and a hyperplane.

    >>> scalar_projection([2, 1], [3, 4]), scalar_projection([-3, -4], [3, 4])
    (2.0, -5.0)
    """
    return signed_distance(w, 0, v)


def margin_lines(w, b):
    """The hyperplanes where the score is +1 and -1; they are 2/|w| apart, H halfway. O(d).

    Source: 50.007, section 2, margin boundaries.

    >>> margin_lines([3, 4], -5)
    (Hyperplane(w=[3.0, 4.0], b=-6.0), Hyperplane(w=[3.0, 4.0], b=-4.0))
    """
    w, b = plane(number_kind(w, b), w, b)
    return Hyperplane(w, b - 1), Hyperplane(list(w), b + 1)


def rescaled(w, b, quantity, target):
    """(c w, c b), the same hyperplane with the same sides, where quantity(c w, c b) is the target.

    quantity: a function of w and b that doubles when both double, such as |w| or |w_1|; c > 0.
    ValueError where no such c exists: quantity(w, b) is 0, or not of the sign of the target.
    A Hyperplane, O(d). Source: CS229, section 4, scaling constraints.

    >>> rescaled([2, 1], -4, lambda w, b: abs(w[0]), 5)
    Hyperplane(w=[5.0, 2.5], b=-10.0)
    >>> rescaled([0, 1], -4, lambda w, b: abs(w[0]), 5)
    Traceback (most recent call last):
      ...
    ValueError: quantity(w, b) is 0.0; no positive multiple of (w, b) makes it 5.0
    """
    kind = number_kind(w, b, target)
    w, b = plane(kind, w, b)
    target = to_number(kind, target, "target")
    now, doubled = quantity(w, b), quantity([2 * v for v in w], 2 * b)
    if doubled != 2 * now:
        raise ValueError(
            f"quantity(w, b) is {now} and quantity(2 w, 2 b) is {doubled}; it must double, too"
        )
    if not 0 < now * target < inf:
        raise ValueError(
            f"quantity(w, b) is {now}; no positive multiple of (w, b) makes it {target}"
        )
    return Hyperplane([v * target / now for v in w], b * target / now)


def normalised(w, b):
    """(w, b) divided by |w|: the same hyperplane, and the score is now the signed distance. O(d).

    >>> normalised([3, 4], -5)
    Hyperplane(w=[0.6, 0.8], b=-1.0)
    """
    return rescaled(w, b, lambda w, b: length(w), 1)


def length(w):
    """|w|, w not zero. Exact on Fractions, or a ValueError where the root is no fraction. O(d).

    >>> length([1, 1]), length([Fraction(3), 4])
    (1.4142135623730951, Fraction(5, 1))
    >>> length([Fraction(1), 1])
    Traceback (most recent call last):
      ...
    ValueError: w.w is 2, whose square root is no fraction; use the squared form, or floats
    """
    w, _ = plane(number_kind(w), w, 0)
    square = usable(squared_norm(w))
    if not isinstance(square, Fraction):
        return sqrt(square)
    root = Fraction(isqrt(square.numerator), isqrt(square.denominator))
    if root * root != square:
        raise ValueError(
            f"w.w is {square}, whose square root is no fraction; use the squared form, or floats"
        )
    return root


def usable(square):
    """w.w, refused where doubles have made 0 or infinity of it."""
    if not 0 < square < inf:
        raise ValueError(f"w.w is {square} in doubles; scale w and b, or give them as Fractions")
    return square


def affine(kind, w, b):
    """w and b as numbers of this kind."""
    return vector(w, "w", kind), to_number(kind, b, "b")


def plane(kind, w, b):
    """The same, where they are to be a hyperplane: w must not be zero."""
    w, b = affine(kind, w, b)
    if not any(w):
        raise ValueError("w is zero; a hyperplane needs a w that is not")
    return w, b


def point(kind, x, w, name):
    """x as numbers of this kind, as many as w has."""
    x = vector(x, name, kind)
    if len(x) != len(w):
        raise ValueError(
            f"{name} has length {len(x)} and w has length {len(w)}; the two must be equal"
        )
    return x
