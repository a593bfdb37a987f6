"""A solver as a post prints it, kept as it is: gradient ascent on the dual, without its equation.

The post derives the dual of the SVM with an offset, sum alpha_i y_i = 0 included, and then prints
a program that clamps each multiplier to its bounds and leaves the equation out. So it solves
another problem than the one derived above it: the SVM without offset. Here it works on lists
instead of tensors, and its derivative, there taken by a program, is written out; the steps are the
same. What is right is in projected_gradient.py.

    what it prints                      what is true
    an optimal dual solution            of the problem without offset, if it has arrived
    a learning rate, any                at most 1 / L: the dual rises with every step; more than
                                        2 / L: the optimum pushes the steps away from it
    c=None, the hard margin             if no plane through the origin separates the classes, the
                                        multipliers grow without bound, and it does not say so
    a kernel matrix                     of the linear kernel; w and b are left to the caller

Throughout this module
    Q       y_i y_j x_i.x_j                          L       the largest eigenvalue of Q
    alpha   the multipliers, one an example          slope   1 - Q alpha, the gradient of the dual

Source: lycpaul's post on the dual formulation (lycpaul-30 to lycpaul-35).
"""

from __future__ import annotations

from math import inf

from ..numerics.linalg import add_scaled, dot, gram_of_rows, matrix_vector, total
from ..numerics.types import Matrix, Number, Rows, Vector, VectorLike
from ..numerics.validation import labels, matrix, number_kind, positive, vector, whole_number


def svm_solver(
    X: Rows, y: VectorLike, rate: Number, steps: int, c: Number | None = None
) -> Vector:
    """Return the alpha of the posted program after so many steps from zero (S5.4).

    c is the penalty of slack, None for the hard margin. No test of convergence, no w, no b: see
    above for what alpha solves. O(n n) a step. ValueError for bad arguments.

    >>> svm_solver([[1], [-1]], [1, -1], 0.25, 100, c=1)
    [0.5, 0.5]
    """
    kind = number_kind(X, rate, c)
    X = matrix(X, "X", kind)
    y = labels(y, len(X))
    rate = positive(kind, rate, "rate")
    Q = signed_gram(X, y)
    alpha = clamp([kind(0)] * len(X), c)
    for _ in range(whole_number(steps, "steps", 0)):
        alpha = clamp(add_scaled(alpha, rate, dual_slope(Q, alpha)), c)
    return alpha


def signed_gram(X: Rows, y: VectorLike) -> Matrix:
    """Return Q, the matrix of y_i y_j x_i.x_j: the Gram matrix of the rows y_i x_i. O(n n d).

    >>> signed_gram([[1, 2], [3, 1]], [1, -1])
    [[5.0, -5.0], [-5.0, 10.0]]
    """
    X = matrix(X, "X")
    return gram_of_rows([[s * v for v in x] for s, x in zip(labels(y, len(X)), X)])


def dual_objective(Q: Matrix, alpha: Vector) -> Number:
    """Return sum alpha_i - 1/2 alpha'Q alpha. O(n n).

    >>> dual_objective([[2.0, 0.0], [0.0, 1.0]], [1.0, 1.0])
    0.5
    """
    Q, alpha = _one_kind(Q, alpha)
    return total(alpha) - dot(alpha, matrix_vector(Q, alpha)) / 2


def dual_slope(Q: Matrix, alpha: Vector) -> Vector:
    """Return the gradient of dual_objective, 1 - Q alpha. O(n n).

    >>> dual_slope([[2.0, 0.0], [0.0, 1.0]], [1.0, 1.0])
    [-1.0, 0.0]
    """
    Q, alpha = _one_kind(Q, alpha)
    return [1 - v for v in matrix_vector(Q, alpha)]


def _one_kind(Q: Matrix, alpha: Vector) -> tuple[Matrix, Vector]:
    """Q and alpha, checked, in numbers of one kind."""
    kind = number_kind(Q, alpha)
    return matrix(Q, "Q", kind), vector(alpha, "alpha", kind)


def clamp(alpha: VectorLike, c: Number | None = None) -> Vector:
    """Return each alpha_i clamped to between 0 and c; None for no upper bound.

    The nearest point of the box, but not of the box with sum alpha_i y_i = 0: for that see
    numerics.projections.onto_multipliers.

    >>> clamp([-1, 0.25, 3], 1), clamp([-1, 0.25, 3])
    ([0.0, 0.25, 1.0], [0.0, 0.25, 3.0])
    """
    kind = number_kind(alpha, c)
    c = inf if c is None else positive(kind, c, "c")
    return [min(max(kind(0), a), c) for a in vector(alpha, "alpha", kind)]
