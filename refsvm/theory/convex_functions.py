"""Convex functions that can be decided exactly: sums of terms, each the largest of its pieces.

    f(x) = sum over the terms of   max over the term's pieces of   1/2 x'Qx + a.x + c

A piece without Q is affine; one with Q is convex because Q is positive semidefinite, which is
checked without rounding. Maxima and sums of convex functions are convex, so every function that
can be written down here is. Among them are |x|, the hinge, the largest of some coordinates, and
the objective of every linear SVM with hinge loss (regularised_risk.py).

    x        a point, a list of d numbers          f, g     functions
    Q, a, c  matrix, slope and height of a piece   A, b     in f(Ax + b): d rows, d numbers

What a function is made of is of one kind, float or Fraction. Met with Fractions, a function of
floats is first made one of Fractions, exactly.

Source: the NYU slides, "Basic Rules for Calculating Subdifferential" (nyu-57 to nyu-60).
"""

from itertools import product
from typing import Any, NamedTuple

from ..kernels.mercer_condition import mercer
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
from ..numerics.validation import matrix, number_kind, positive, to_number, vector


class Piece(NamedTuple):
    """The function 1/2 x'Qx + a.x + c, or a.x + c where Q is None."""

    Q: Any
    a: list
    c: Any

    def __call__(self, x):
        """Its value at x: a.x + c first, then the half square is added."""
        value = dot(self.a, x) + self.c
        return value if self.Q is None else value + quadratic_form(self.Q, x) / 2

    def gradient(self, x):
        """Qx + a, as a new list."""
        return list(self.a) if self.Q is None else add(matrix_vector(self.Q, x), self.a)


class Convex(NamedTuple):
    """A convex function of d numbers: the sum of terms, each a list of pieces.

    Call it for its value, in the kind of number of the function and x together. The sum runs over
    the terms in order. O(d * d) a piece with Q, O(d) one without.

    >>> from fractions import Fraction
    >>> f = polyhedral([[1, 0], [0, 1]], [0, 2])
    >>> f([5, 1]), f([Fraction(1, 2), 1])
    (5.0, Fraction(3, 1))
    """

    kind: type  # float or Fraction
    terms: list

    def __call__(self, x):
        f, x = agree(self, x, "x")
        return total(max(piece(x) for piece in pieces) for pieces in f.terms)

    def dimension(self):
        """How many numbers it takes."""
        return len(self.terms[0][0].a)

    def to(self, kind):
        """The same function in numbers of this kind."""
        if kind is self.kind:
            return self
        return self.each(
            kind, lambda Q, a, c: (Q and convert_matrix(Q, kind), list(map(kind, a)), kind(c))
        )

    def each(self, kind, change):
        """The function of which every piece (Q, a, c) is changed to another."""
        return Convex(kind, [[Piece(*change(*piece)) for piece in term] for term in self.terms])


def agree(f, x, name):
    """f and the point x in one kind of number; refused unless f takes x."""
    a_convex_function(f)
    kind = number_kind(x, f.kind(0))
    f, x = f.to(kind), vector(x, name, kind)
    if len(x) != f.dimension():
        raise ValueError(f"{name} has length {len(x)}; the function takes {f.dimension()} numbers")
    return f, x


def a_convex_function(f, name="f"):
    """Refuse what is not a Convex."""
    if not isinstance(f, Convex):
        raise TypeError(f"{name} is {f!r}; a Convex function is needed")


# Making functions


def polyhedral(slopes, heights):
    """The largest of the affine functions a_k.x + c_k, a function with one term.

    >>> hinge = polyhedral([[-1], [0]], [1, 0])
    >>> hinge([-2]), hinge([1]), hinge([4])
    (3.0, 0.0, 0.0)
    """
    kind = number_kind(slopes, heights)
    slopes, heights = matrix(slopes, "slopes", kind), vector(heights, "heights", kind)
    check_equal_lengths(slopes, heights, "slopes", "heights")
    return Convex(kind, [[Piece(None, a, c) for a, c in zip(slopes, heights)]])


def quadratic(Q, slope=None, height=0):
    """1/2 x'Qx + slope.x + height. ValueError unless Q is symmetric and positive semidefinite.

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
        raise ValueError(f"Q makes no convex function: v'Qv < 0 for v = {witness}")
    return Convex(kind, [[Piece(Q, slope, to_number(kind, height, "height"))]])


def absolute_sum(weights):
    """weights_0 |x_0| + weights_1 |x_1| + ..., every weight positive.

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


def scaled(c, f):
    """c f, for c >= 0 (0 makes the zero function). A negative multiple is not convex: ValueError.

    >>> scaled(3, polyhedral([[1], [-1]], [0, 0]))([-2])
    6.0
    """
    a_convex_function(f)
    kind = number_kind(c, f.kind(0))
    factor = to_number(kind, c, "c")
    if factor < 0:
        raise ValueError(f"c is {c}; it must not be negative, or c f need not be convex")
    return f.to(kind).each(
        kind,
        lambda Q, a, h: (Q and [scale(factor, row) for row in Q], scale(factor, a), factor * h),
    )


def plus(f, g):
    """f + g: the terms of f, then those of g.

    >>> plus(absolute_sum([1]), quadratic([[1]]))([-2])
    4.0
    """
    f, g = same_arguments(f, g)
    return Convex(f.kind, f.terms + g.terms)


def substituted(f, A, b):
    """x -> f(Ax + b), for a matrix A with as many rows as f takes numbers.

    >>> substituted(absolute_sum([1, 2]), [[1], [1]], [0, -3])([2])
    4.0
    """
    a_convex_function(f)
    kind = number_kind(A, b, f.kind(0))
    A, b = matrix(A, "A", kind), vector(b, "b", kind)
    check_equal_lengths(A, b, "A", "b")
    f, b = agree(f.to(kind), b, "b")
    T = transpose(A)

    def change(Q, a, c):
        gradient = Piece(Q, a, c).gradient(b)
        return (
            Q and matrix_product(T, matrix_product(Q, A)),
            matrix_vector(T, gradient),
            Piece(Q, a, c)(b),
        )

    return f.each(kind, change)


def largest(f, g):
    """x -> max(f(x), g(x)): one term, of the pieces of f and of g multiplied out.

    >>> largest(polyhedral([[1]], [0]), polyhedral([[-1]], [0]))([-2])
    2.0
    """
    f, g = same_arguments(f, g)
    return Convex(f.kind, [in_one_term(f) + in_one_term(g)])


def in_one_term(f):
    """The pieces of f as a single term: a sum of maxima is the maximum of all sums."""
    return [sum_of_pieces(choice) for choice in product(*f.terms)]


def sum_of_pieces(pieces):
    """One piece, the sum of these."""
    Q, a, c = pieces[0]
    for piece in pieces[1:]:
        Q = sum_of_matrices(Q, piece.Q)
        a, c = add(a, piece.a), c + piece.c
    return Piece(Q, a, c)


def sum_of_matrices(Q, R):
    """Q + R, where None stands for zero."""
    if Q is None or R is None:
        return R if Q is None else Q
    return [add(q, r) for q, r in zip(Q, R)]


def same_arguments(f, g):
    """f and g in one kind; refused unless both take as many numbers."""
    a_convex_function(f)
    a_convex_function(g, "g")
    if f.dimension() != g.dimension():
        raise ValueError(
            f"f takes {f.dimension()} numbers and g takes {g.dimension()}; the two must be equal"
        )
    kind = number_kind(f.kind(0), g.kind(0))
    return f.to(kind), g.to(kind)
