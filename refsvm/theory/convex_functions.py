"""Convex functions that are computed exactly: sums of terms, each the largest of its pieces.

    f(x) = sum over the terms of   max over the term's pieces of   1/2 x'Qx + a.x + c

A piece without Q is affine; one with Q is convex because Q is positive semidefinite, which is
checked without rounding. Maxima and sums of convex functions are convex, so every function that
can be written down here is. Among them are |x|, the hinge, the largest of some coordinates, and
the objective of every linear SVM with hinge loss (regularised_risk.py).

    x        a point, a list of d numbers          f, g     functions
    Q, a, c  matrix, slope and height of a piece   A, b     in f(Ax + b): d rows, d numbers

The numbers of a function are of one kind, float or Fraction. At a point of Fractions, a function
of floats is first converted to Fractions, exactly.

Source: the NYU slides, "Basic Rules for Calculating Subdifferential" (nyu-57 to nyu-60).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import Any, NamedTuple

from ..kernels.mercer_condition import mercer
from ..numerics.display import displayed
from ..numerics.factorisations import convert_matrix
from ..numerics.linalg import (
    add,
    check_equal_lengths,
    dot,
    identity,
    matrix_product,
    matrix_vector,
    quadratic_form,
    scale,
    subtract,
    symmetric_size,
    total,
    transpose,
)
from ..numerics.quoting import quote
from ..numerics.types import Kind, Matrix, Number, Vector, VectorLike
from ..numerics.validation import matrix, number_kind, positive, to_number, vector


@displayed
class Piece(NamedTuple):
    """The function 1/2 x'Qx + a.x + c, or a.x + c where Q is None (S25.1)."""

    Q: Matrix | None
    a: Vector
    c: Number

    def __call__(self, x: Vector) -> Number:
        """Return its value at x: a.x + c first, then the half square is added."""
        value = dot(self.a, x) + self.c
        return value if self.Q is None else value + quadratic_form(self.Q, x) / 2

    def gradient(self, x: Vector) -> Vector:
        """Return Qx + a."""
        return list(self.a) if self.Q is None else add(matrix_vector(self.Q, x), self.a)


@displayed
class Convex(NamedTuple):
    """A convex function of d numbers: the sum of terms, each a list of pieces (S25.1).

    Call it for its value, in the kind of number of the function and x together. The sum runs over
    the terms in order. O(d * d) a piece with Q, O(d) one without.

    >>> from fractions import Fraction
    >>> f = polyhedral([[1, 0], [0, 1]], [0, 2])
    >>> f([5, 1]), f([Fraction(1, 2), 1])
    (5.0, Fraction(3, 1))
    """

    kind: Kind
    terms: list[list[Piece]]

    def __call__(self, x: VectorLike) -> Number:
        f, x = in_common_type(self, x, "x")
        return total(max(piece(x) for piece in pieces) for pieces in f.terms)

    def dimension(self) -> int:
        """Return how many numbers it takes."""
        return len(self.terms[0][0].a)

    def to(self, kind: Kind) -> Convex:
        """Return the same function in numbers of this kind."""
        if kind is self.kind:
            return self
        return self.map_pieces(
            kind, lambda Q, a, c: (Q and convert_matrix(Q, kind), list(map(kind, a)), kind(c))
        )

    def map_pieces(self, kind: Kind, change: Callable[..., tuple[Any, Any, Any]]) -> Convex:
        """Return the function with every piece (Q, a, c) changed to another."""
        return Convex(kind, [[Piece(*change(*piece)) for piece in term] for term in self.terms])


def in_common_type(f: Convex, x: VectorLike, name: str) -> tuple[Convex, Vector]:
    """Return f and the point x in numbers of one kind; ValueError unless f takes x."""
    require_convex(f)
    kind = number_kind(x, f.kind(0))
    f, x = f.to(kind), vector(x, name, kind)
    if len(x) != f.dimension():
        raise ValueError(f"{name} has length {len(x)}; the function takes {f.dimension()} numbers")
    return f, x


def require_convex(f: Convex, name: str = "f") -> None:
    """Raise TypeError unless f is a Convex."""
    if not isinstance(f, Convex):
        raise TypeError(f"{name} is {quote(f)}; a Convex function is needed")


# Making functions


def polyhedral(slopes: Sequence[VectorLike], heights: VectorLike) -> Convex:
    """Return the largest of the affine functions a_k.x + c_k, a function with one term.

    >>> hinge = polyhedral([[-1], [0]], [1, 0])
    >>> hinge([-2]), hinge([1]), hinge([4])
    (3.0, 0.0, 0.0)
    """
    kind = number_kind(slopes, heights)
    slopes, heights = matrix(slopes, "slopes", kind), vector(heights, "heights", kind)
    check_equal_lengths(slopes, heights, "slopes", "heights")
    return Convex(kind, [[Piece(None, a, c) for a, c in zip(slopes, heights)]])


def quadratic(Q: Matrix, slope: VectorLike | None = None, height: Number = 0) -> Convex:
    """Return 1/2 x'Qx + slope.x + height; Q must be symmetric and positive semidefinite.

    >>> quadratic([[2]], [-4], 3)([5])
    8.0
    >>> quadratic([[1, 2], [2, 1]])
    Traceback (most recent call last):
      ...
    ValueError: Q makes no convex function: v'Qv < 0 for v = [-2.0, 1.0]
    """
    kind = number_kind(Q, slope, height)
    Q = matrix(Q, "Q", kind)
    symmetric_size(Q, "Q")
    slope = vector([0] * len(Q) if slope is None else slope, "slope", kind)
    check_equal_lengths(Q, slope, "Q", "slope")
    witness = mercer(Q).witness
    if witness is not None:
        raise ValueError(f"Q makes no convex function: v'Qv < 0 for v = {quote(witness)}")
    return Convex(kind, [[Piece(Q, slope, to_number(kind, height, "height"))]])


def absolute_sum(weights: VectorLike) -> Convex:
    """Return weights_0 |x_0| + weights_1 |x_1| + ..., every weight positive.

    >>> absolute_sum([1, 2])([3, -4])
    11.0
    """
    weights = vector(weights, "weights")
    kind = type(weights[0])
    axes = identity(len(weights), kind)
    terms = []
    for j, weight in enumerate(weights):
        slope = scale(positive(kind, weight, f"weights[{j}]"), axes[j])
        downwards = subtract([kind(0)] * len(weights), slope)
        terms.append([Piece(None, slope, kind(0)), Piece(None, downwards, kind(0))])
    return Convex(kind, terms)


# Functions from functions: the rules of the calculus


def scaled(c: Number, f: Convex) -> Convex:
    """Return c f, for c >= 0 (S25.2). A negative multiple is not convex: ValueError.

    >>> scaled(3, polyhedral([[1], [-1]], [0, 0]))([-2])
    6.0
    """
    require_convex(f)
    kind = number_kind(c, f.kind(0))
    factor = to_number(kind, c, "c")
    if factor < 0:
        raise ValueError(f"c is {quote(c)}; it must not be negative, or c f need not be convex")
    return f.to(kind).map_pieces(
        kind,
        lambda Q, a, h: (Q and [scale(factor, row) for row in Q], scale(factor, a), factor * h),
    )


def plus(f: Convex, g: Convex) -> Convex:
    """Return f + g: the terms of f, then those of g (S25.2).

    >>> plus(absolute_sum([1]), quadratic([[1]]))([-2])
    4.0
    """
    f, g = _same_arguments(f, g)
    return Convex(f.kind, f.terms + g.terms)


def substituted(f: Convex, A: Matrix, b: VectorLike) -> Convex:
    """Return x -> f(Ax + b), for a matrix A with as many rows as f takes numbers (S25.2).

    >>> substituted(absolute_sum([1, 2]), [[1], [1]], [0, -3])([2])
    4.0
    """
    require_convex(f)
    kind = number_kind(A, b, f.kind(0))
    A, b = matrix(A, "A", kind), vector(b, "b", kind)
    check_equal_lengths(A, b, "A", "b")
    f, b = in_common_type(f.to(kind), b, "b")
    T = transpose(A)

    def change(Q: Matrix | None, a: Vector, c: Number) -> tuple[Any, Vector, Number]:
        gradient = Piece(Q, a, c).gradient(b)
        return (
            Q and matrix_product(T, matrix_product(Q, A)),
            matrix_vector(T, gradient),
            Piece(Q, a, c)(b),
        )

    return f.map_pieces(kind, change)


def largest(f: Convex, g: Convex) -> Convex:
    """Return x -> max(f(x), g(x)): one term, of the pieces of f and of g multiplied out (S25.2).

    >>> largest(polyhedral([[1]], [0]), polyhedral([[-1]], [0]))([-2])
    2.0
    """
    f, g = _same_arguments(f, g)
    return Convex(f.kind, [_as_one_term(f) + _as_one_term(g)])


def _as_one_term(f: Convex) -> list[Piece]:
    """Return the pieces of f as a single term: a sum of maxima is the maximum of all sums."""
    return [_sum_of_pieces(choice) for choice in product(*f.terms)]


def _sum_of_pieces(pieces: Sequence[Piece]) -> Piece:
    """Return one piece, the sum of these."""
    Q, a, c = pieces[0]
    for piece in pieces[1:]:
        Q = _sum_of_matrices(Q, piece.Q)
        a, c = add(a, piece.a), c + piece.c
    return Piece(Q, a, c)


def _sum_of_matrices(Q: Matrix | None, R: Matrix | None) -> Matrix | None:
    """Return Q + R, where None stands for zero."""
    if Q is None or R is None:
        return R if Q is None else Q
    return [add(q, r) for q, r in zip(Q, R)]


def _same_arguments(f: Convex, g: Convex) -> tuple[Convex, Convex]:
    """Return f and g in one kind; ValueError unless both take as many numbers."""
    require_convex(f)
    require_convex(g, "g")
    if f.dimension() != g.dimension():
        raise ValueError(
            f"f takes {f.dimension()} numbers and g takes {g.dimension()}; the two must be equal"
        )
    kind = number_kind(f.kind(0), g.kind(0))
    return f.to(kind), g.to(kind)
