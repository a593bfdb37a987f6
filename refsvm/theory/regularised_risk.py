"""Regularised risk: the mean hinge plus a penalty on |w|^2, whole and example by example.

    F(w) = (1/n) sum max(0, 1 - y_i w.x_i) + lam/2 |w|^2     objective: what Pegasos minimises
    J(w) = (1/n) sum max(0, 1 - y_i w.x_i) + lam   |w|^2     objective_unhalved: F with 2 lam

Both are the soft margin without offset, divided by a constant (conventions.py says which C). F is
the mean of n losses, one for each example, so a method can look at one example at a time:

    l_i(w) = max(0, 1 - y_i w.x_i) + lam/2 |w|^2             a Loss

Throughout this module
    X, y     n rows of d numbers, and their labels +1 or -1       w      weights, d numbers
    lam      weight of |w|^2, positive                            m_i    margin, y_i w.x_i
    v_i      push: y_i x_i if m_i < 1, else zero                  kink   a margin of exactly 1

The hinge has no gradient at its kink, but subgradients: slopes of planes that touch the function
and stay below it. The choice made here is the notes' (m_i < 1, strictly): an example on its kink
pushes nothing. svm_objective gives the objective as a function whose kinks can be studied
(convex_functions.py).

The representer theorem. Any w is v + u, with v a combination of the rows and u orthogonal to all
of them (span_decomposition). Scores depend on v alone, since u.x_i = 0, and |w|^2 = |v|^2 + |u|^2.
So a penalty on |w|^2 is least, for the same scores, where u = 0: the best w is a combination of
the rows, whatever the losses are.

Source: CDS New York University, "SVM" (2023), from "SVM Optimization Problem (no intercept)" on;
Nicolo Cesa-Bianchi, "Support Vector Machines" (2023), from "The SVM problem can then be
re-formulated" to equation (8), and Theorem 3.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..numerics.display import displayed
from ..numerics.exact_sums import nearest_offset
from ..numerics.factorisations import row_echelon, solve
from ..numerics.linalg import (
    add_scaled,
    dot,
    gram_of_rows,
    identity,
    matrix_vector,
    subtract,
    total,
    transpose,
)
from ..numerics.quoting import quote
from ..numerics.types import Kind, Matrix, Number, Rows, Vector, VectorLike
from ..numerics.validation import (
    check_length,
    labels,
    matrix,
    number_kind,
    positive,
    to_number,
    vector,
)
from ..svm.problem import Problem, require_problem
from .convex_functions import Convex, Piece, plus, quadratic, scaled
from .losses import hinge


@displayed
class Loss(NamedTuple):
    """The loss of one example, l(w) = max(0, 1 - y w.x) + lam/2 |w|^2 (S29.1).

    It is lam-strongly convex: above each of its tangent planes by lam/2 |u - w|^2 or more.
    Its methods cost O(d).

    >>> loss = Loss([3, 4], 1, 0.5)
    >>> loss.value([0, 0]), loss.value([1, 1])
    (1.0, 0.5)
    """

    x: Vector
    y: int
    lam: Number

    def value(self, w: VectorLike) -> Number:
        """Return l(w)."""
        w, x, lam = self.in_common_type(w)
        return hinge(self.y * dot(w, x)) + lam * dot(w, w) / 2

    def push(self, w: VectorLike) -> Vector:
        """Return v: y x if the margin y w.x is below 1, else zero."""
        w, x, _ = self.in_common_type(w)
        return push(w, x, self.y)

    def subgradient(self, w: VectorLike) -> Vector:
        """Return lam w - v, the gradient of l wherever y w.x is not 1.

        >>> Loss([3, 4], 1, 1).subgradient([0, 0]), Loss([3, 4], 1, 1).subgradient([1, 1])
        ([-3.0, -4.0], [1.0, 1.0])
        """
        w, x, lam = self.in_common_type(w)
        return [lam * a - v for a, v in zip(w, push(w, x, self.y))]

    def in_common_type(self, w: VectorLike) -> tuple[Vector, Vector, Number]:
        """Return w, x and lam in numbers of one kind."""
        kind = number_kind(w, self.x, self.lam)
        x = vector(self.x, "x", kind)
        return _convert_weights(w, len(x), kind), x, positive(kind, self.lam, "lam")


def losses(X: Rows, y: VectorLike, lam: Number) -> list[Loss]:
    """Return [l_1, ..., l_n], the Loss of each example; F is their mean (S25.4).

    >>> losses([[1], [-1]], [1, -1], 2)
    [Loss(x=[1.0], y=1, lam=2.0), Loss(x=[-1.0], y=-1, lam=2.0)]
    """
    kind = number_kind(X, lam)
    X = matrix(X, "X", kind)
    y = labels(y, len(X))
    lam = positive(kind, lam, "lam")
    return [Loss(x, label, lam) for x, label in zip(X, y)]


def objective(w: VectorLike, X: Rows, y: VectorLike, lam: Number) -> Number:
    """Return F(w): the mean hinge + lam/2 |w|^2 (S25.4, S29.1). O(n d).

    Source: Cesa-Bianchi, the display before Theorem 3.

    >>> objective([0], [[1], [-1]], [1, -1], 2), objective([1], [[1], [-1]], [1, -1], 2)
    (1.0, 1.0)
    """
    w, X, y, lam = _convert_all(w, X, y, lam)
    risk = total(hinge(label * dot(w, x)) for x, label in zip(X, y)) / len(X)
    return risk + lam * dot(w, w) / 2


def objective_unhalved(w: VectorLike, X: Rows, y: VectorLike, lam: Number) -> Number:
    """Return J(w): the mean hinge + lam |w|^2 (S25.4). O(n d).

    Source: New York University, "SVM Optimization Problem (no intercept)".

    >>> objective_unhalved([1], [[1], [-1]], [1, -1], 2)
    2.0
    """
    return objective(w, X, y, 2 * positive(number_kind(lam), lam, "lam"))


def subgradient(
    w: VectorLike, X: Rows, y: VectorLike, lam: Number, kink: Number | VectorLike = 0
) -> Vector:
    """Return lam w - (1/n) sum v_i, a subgradient of F at w. O(n d).

    `kink`, from 0 to 1, is the share of y_i x_i that an example on its kink pushes with: one
    number, or one for each example. 0 is the notes' choice; any other gives a subgradient, too,
    and w minimises F if and only if some choice gives zero.

    Source: Cesa-Bianchi, the gradient of the loss before (8), averaged.

    >>> X, y = [[1], [-1]], [1, -1]
    >>> subgradient([1], X, y, 0.5), subgradient([1], X, y, 0.5, kink=0.5)
    ([0.5], [0.0])
    """
    w, X, y, lam = _convert_all(w, X, y, lam, kink)
    pushes = [0] * len(w)
    for x, label, share in zip(X, y, _kink_shares(type(lam), kink, len(X))):
        pushes = [a + v for a, v in zip(pushes, push(w, x, label, share))]
    return [lam * a - v / len(X) for a, v in zip(w, pushes)]


def subgradient_unhalved(
    w: VectorLike, X: Rows, y: VectorLike, lam: Number, kink: Number | VectorLike = 0
) -> Vector:
    """Return 2 lam w - (1/n) sum v_i, a subgradient of J; the gradient if no margin is 1. O(n d).

    Source: New York University, "Gradient" of SVM Objective. Standard: S25.4.

    >>> subgradient_unhalved([0], [[1], [-1]], [1, -1], 2)
    [-1.0]
    """
    return subgradient(w, X, y, 2 * positive(number_kind(lam), lam, "lam"), kink)


def push(w: Vector, x: Vector, y: int, share: Number = 0) -> Vector:
    """Return y x below the kink, share y x on it, zero above."""
    margin = y * dot(w, x)
    part = 1 if margin < 1 else share if margin == 1 else 0
    return [part * y * v + 0 for v in x]  # + 0, so that no zero is -0.0


def _convert_all(
    w: VectorLike, X: Rows, y: VectorLike, lam: Number, *others: Number | VectorLike
) -> tuple[Vector, Matrix, list[int], Number]:
    """Return w, X, y and lam in numbers of one kind, which the others decide, too."""
    kind = number_kind(w, X, lam, *others)
    X = matrix(X, "X", kind)
    y = labels(y, len(X))
    return _convert_weights(w, len(X[0]), kind), X, y, positive(kind, lam, "lam")


def _convert_weights(w: VectorLike, d: int, kind: Kind) -> Vector:
    """Return w as d numbers of this kind."""
    w = vector(w, "w", kind)
    if len(w) != d:
        raise ValueError(f"w has length {len(w)}; the rows have length {d}")
    return w


def _kink_shares(kind: Kind, kink: Number | VectorLike, n: int) -> Vector:
    """Return `kink` as n numbers from 0 to 1."""
    many = hasattr(kink, "__len__")
    values = vector(kink, "kink", kind) if many else [to_number(kind, kink, "kink")] * n
    check_length(values, n, "kink")
    for i, value in enumerate(values):
        if not 0 <= value <= 1:
            place = f"kink[{i}]" if many else "kink"
            raise ValueError(f"{place} is {quote(value)}; it must be from 0 to 1")
    return values


# The objective as a function of [w_1, ..., w_d, b], so that its kinks can be studied


def average_hinge(X: Rows, y: VectorLike) -> Convex:
    """Return w -> (1/n) sum max(0, 1 - y_i w.x_i), with one term of two pieces an example.

    >>> average_hinge([[1], [3]], [1, -1])([1])
    2.0
    """
    X = matrix(X, "X")
    y, kind, n = labels(y, len(X)), type(X[0][0]), len(X)
    zeros = [kind(0)] * len(X[0])
    return Convex(
        kind,
        [
            [Piece(None, [-s * v / n for v in x], kind(1) / n), Piece(None, zeros, kind(0))]
            for x, s in zip(X, y)
        ],
    )


def svm_objective(X: Rows, y: VectorLike, c: Number) -> Convex:
    """Return (w, b) -> 1/2 |w|^2 + (c/n) sum max(0, 1 - y_i (w.x_i + b)) (S25.4).

    b, the last of d + 1 numbers, is not penalised; C is c / n. It is convex in w and b together,
    and has a kink wherever a margin is 1. The NYU slides' empirical risk (nyu-35, nyu-36).

    >>> svm_objective([[1], [-1]], [1, -1], 4)([0.5, 0])
    2.125
    """
    kind = number_kind(X, c)
    X = matrix(X, "X", kind)
    d = len(X[0])
    penalised = identity(d + 1, kind)
    penalised[d][d] = kind(0)
    hinges = average_hinge([[*x, kind(1)] for x in X], y)
    return plus(quadratic(penalised), scaled(positive(kind, c, "c"), hinges))


# The representer theorem


@displayed
class Decomposition(NamedTuple):
    """w = inside + outside.

    Attributes
    ----------
    coefficients : n numbers
        inside is the sum of coefficients_i x_i; 0 for rows that are combinations of earlier ones
    inside : d numbers
        in the span of the rows
    outside : d numbers
        orthogonal to every row
    """

    coefficients: Vector
    inside: Vector
    outside: Vector


def span_decomposition(w: VectorLike, X: Rows) -> Decomposition:
    """Return the part of w in the span of the rows, and the part orthogonal to them (S24.3).

    The first rows that are no combination of earlier ones are a basis; the coefficients c make
    w - sum c_i x_i orthogonal to each of these: (B B') c = B w. Exact on Fractions.
    O(n*n*d + n*n*n). (Cesa-Bianchi's notes, equations (2) and (3))

    >>> span_decomposition([3, 4], [[1, 0], [2, 0]])
    Decomposition(coefficients=[3.0, 0.0], inside=[3.0, 0.0], outside=[0.0, 4.0])
    """
    kind = number_kind(w, X)
    w, X = vector(w, "w", kind), matrix(X, "X", kind)
    _require_width(w, X)
    basis = row_echelon(transpose(X))[1]
    rows = [X[i] for i in basis]
    coefficients, inside = [kind(0)] * len(X), [kind(0)] * len(w)
    solution = solve(gram_of_rows(rows), matrix_vector(rows, w)) if basis else []
    for i, c in zip(basis, solution):
        coefficients[i] = c
        inside = add_scaled(inside, c, X[i])
    return Decomposition(coefficients, inside, subtract(w, inside))


def primal_at(problem: Problem, w: VectorLike, b: Number = 0) -> Number:
    """Return the primal objective at any w and b, combination of the rows or not. O(n d).

    Linear kernel only. Times lam it is F(w), where C = 1 / (lam n): see conventions.py.

    >>> pair = Problem([[1, 0], [-1, 0]], [1, -1], C=2)
    >>> primal_at(pair, [0.5, 0]), primal_at(pair, [0.5, 1])
    (2.125, 2.625)
    """
    if not require_problem(problem).linear:
        raise TypeError(
            f"w is a list of numbers for Linear() only, not for {quote(problem.kernel)}"
        )
    w = vector(w, "w", number_kind(w, b, problem.kind(0)))
    problem, b = problem.in_common_type(w, b)
    _require_width(w, problem.X)
    b = nearest_offset(b, w, problem.shift, 1) if problem.shift else b
    form, lam = problem.dual_form(), [b] if problem.bias else []
    value: Number = problem.primal_value(form, matrix_vector(problem.rows, w), dot(w, w), lam)
    return value


def _require_width(w: Vector, X: Sequence[Vector]) -> None:
    """Raise ValueError unless w is as long as the rows of X."""
    if len(w) != len(X[0]):
        raise ValueError(f"w has length {len(w)}; the rows of X have length {len(X[0])}")
