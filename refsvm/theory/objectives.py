"""The objective of a linear SVM as a function of its weights, so that its kinks can be studied.

    1/2 |w|^2 + (c/n) sum max(0, 1 - y_i (w.x_i + b))

Written as a regulariser plus a mean of losses this is empirical risk minimisation. It is convex in
w and b together, and has a kink wherever an example's margin y_i (w.x_i + b) is exactly 1.

    X, y     n examples, n labels                  c        price of the mean slack: C is c / n
    w, b     weights and offset; the point where the function is taken is [w_1, ..., w_d, b]

Source: the NYU slides, "Support Vector Machine" (nyu-35, nyu-36).
"""

from ..numerics.linalg import identity
from ..numerics.validation import labels, matrix, number_kind, positive
from .convex_functions import Convex, Piece, plus, quadratic, scaled


def average_hinge(X, y):
    """w -> (1/n) sum max(0, 1 - y_i w.x_i), with one term of two pieces an example.

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


def svm_objective(X, y, c):
    """(w, b) -> 1/2 |w|^2 + (c/n) sum max(0, 1 - y_i (w.x_i + b)): d + 1 numbers, b the last.

    The offset is not penalised. The NYU slides' empirical risk (nyu-35).

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
