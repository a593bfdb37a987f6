"""Margins: how far a hyperplane is from labelled examples, on the right side or the wrong one.

Each example is a point x_i with a label y_i, +1 or -1, and (w, b) decides it rightly if the score
f(x_i) = w.x_i + b has the sign of the label. Two numbers measure that:

    functional margin    y_i f(x_i)            in units of the score: doubles when w and b double
    geometric margin     y_i f(x_i) / |w|      the distance from the hyperplane, in units of the
                                               data; negative if x_i lies on the wrong side

The margin of a whole set is the smallest of its examples' margins. Only the geometric one belongs
to the hyperplane itself, since (w, b) and (2 w, 2 b) are the same hyperplane; a support vector
machine makes it as large as possible.

    X   the rows x_1 .. x_n, each d numbers     w, b, f, |w|   as in hyperplanes.py
    y   n labels, +1 or -1; one class will do

Source: Andrew Ng and Tengyu Ma, "CS229 lecture notes" part VI (2019), section 4; the slides of CDS
New York University, "SVM" (2023), from "Geometric Margin" to "Maximize the Margin".
"""

from __future__ import annotations

from ..numerics.linalg import dot, squared_norm
from ..numerics.quoting import quote
from ..numerics.types import Kind, Matrix, Number, Rows, Vector, VectorLike
from ..numerics.validation import check_length, label, matrix, number_kind, sequence, vector
from .hyperplanes import (
    Hyperplane,
    convert_affine,
    convert_hyperplane,
    convert_point,
    length,
    require_usable,
    rescaled,
)


def functional_margins(w: VectorLike, b: Number, X: Rows, y: VectorLike) -> Vector:
    """Return y_i f(x_i) for each example. O(n d). Source: CS229, section 4.

    >>> functional_margins([1], -2, [[0], [3]], [-1, 1])
    [2.0, 1.0]
    >>> functional_margins([1], -2, [[0], [3]], [0, 1])
    Traceback (most recent call last):
      ...
    ValueError: y[0] is 0; a label must be +1 or -1
    """
    kind = number_kind(w, b, X)
    w, b = convert_affine(kind, w, b)
    return [s * (dot(w, x) + b) for x, s in zip(*_convert_examples(kind, X, y, w))]


def functional_margin(w: VectorLike, b: Number, X: Rows, y: VectorLike) -> Number:
    """Return the functional margin of the whole set: the smallest. O(n d).

    Source: CS229, section 4.

    >>> functional_margin([1], -2, [[0], [3]], [-1, 1])
    1.0
    """
    return min(functional_margins(w, b, X, y))


def separates(w: VectorLike, b: Number, X: Rows, y: VectorLike) -> bool:
    """Return whether every example lies strictly on the side of its label. O(n d).

    False for w = 0, even where all labels are equal: then there is no hyperplane.
    Source: NYU, definition of a separating hyperplane.

    >>> separates([1], -2, [[0], [3]], [-1, 1]), separates([1], -3, [[0], [3]], [-1, 1])
    (True, False)
    """
    return functional_margin(w, b, X, y) > 0 and any(vector(w, "w"))


def geometric_margins(w: VectorLike, b: Number, X: Rows, y: VectorLike) -> Vector:
    """Return y_i f(x_i) / |w| for each example: distances, negative on the wrong side. O(n d).

    On Fractions: ValueError where |w| is no fraction; see squared_geometric_margins.
    Source: CS229, section 4. Standard: S22.1.

    >>> geometric_margins([3, 4], -5, [[3, 4], [0, 0]], [1, 1])
    [4.0, -1.0]
    """
    kind = number_kind(w, b, X)
    w, b = convert_hyperplane(kind, w, b)
    size = length(w)
    return [s * (dot(w, x) + b) / size for x, s in zip(*_convert_examples(kind, X, y, w))]


def geometric_margin(w: VectorLike, b: Number, X: Rows, y: VectorLike) -> Number:
    """Return the geometric margin of the whole set: the smallest. O(n d).

    If (w, b) separates the set, it is the distance from the hyperplane to the closest point.
    Source: CS229, section 4.

    >>> geometric_margin([3, 4], -5, [[3, 4], [0, 0]], [1, -1])
    1.0
    """
    return min(geometric_margins(w, b, X, y))


def squared_geometric_margins(w: VectorLike, b: Number, X: Rows, y: VectorLike) -> Vector:
    """Return g |g| for each geometric margin g: its square, with its sign (S22.1). O(n d).

    Exact on Fractions. Signs and order are those of the margins.

    >>> from fractions import Fraction
    >>> squared_geometric_margins([Fraction(1), 1], -1, [[2, 1], [0, 0]], [1, 1])
    [Fraction(2, 1), Fraction(-1, 2)]
    """
    kind = number_kind(w, b, X)
    w, b = convert_hyperplane(kind, w, b)
    margins = [s * (dot(w, x) + b) for x, s in zip(*_convert_examples(kind, X, y, w))]
    square = require_usable(squared_norm(w))
    return [m * abs(m) / square for m in margins]


def canonical(w: VectorLike, b: Number, X: Rows, y: VectorLike) -> Hyperplane:
    """Return (w, b) divided by its functional margin, which becomes 1; the geometric one is 1/|w|.

    ValueError unless (w, b) separates the examples. O(n d).
    Source: NYU, "Maximize the Margin". Standard: S22.1.

    >>> canonical([1], -2, [[0], [4]], [-1, 1])
    Hyperplane(w=[0.5], b=-1.0)
    >>> canonical([1], -2, [[0], [1]], [-1, 1])
    Traceback (most recent call last):
      ...
    ValueError: the functional margin is -1.0; only where it is positive can it be made 1
    """
    margin = functional_margin(w, b, X, y)
    if not margin > 0:
        raise ValueError(
            f"the functional margin is {quote(margin)}; only where it is positive can it be made 1"
        )
    return rescaled(w, b, lambda w, b: functional_margin(w, b, X, y), 1)


def _convert_examples(kind: Kind, X: Rows, y: VectorLike, w: Vector) -> tuple[Matrix, list[int]]:
    """Return the rows of X, as points of the length of w, and the labels as ints."""
    X, y = matrix(X, "X", kind), sequence(y, "y")
    check_length(y, len(X), "y")
    convert_point(kind, X[0], w, "X[0]")
    return X, [label(s, f"y[{i}]") for i, s in enumerate(y)]
