"""The mean hinge with a price on the length of w: two objectives, whole and example by example.

    F(w) = (1/n) sum max(0, 1 - y_i w.x_i) + lam/2 |w|^2     objective: what Pegasos minimises
    J(w) = (1/n) sum max(0, 1 - y_i w.x_i) + lam   |w|^2     objective_unhalved: F with 2 lam

Both are the soft margin without offset, divided by a constant (conventions.py says which C). F is
the mean of n losses, one for each example, and that is what lets a method look at one example at
a time:

    l_i(w) = max(0, 1 - y_i w.x_i) + lam/2 |w|^2             a Loss

Throughout this module
    X, y     n rows of d numbers, and their labels +1 or -1       w      weights, d numbers
    lam      price of length, positive                            m_i    margin, y_i w.x_i
    v_i      push: y_i x_i if m_i < 1, else zero                  kink   a margin of exactly 1

The hinge has no gradient at its kink, so one speaks of subgradients: slopes of planes that touch
the function and stay below it. The choice made here is the notes' (m_i < 1, strictly): an example
on its kink pushes nothing. What comes in is checked and converted by validation.py.

Source: CDS New York University, "SVM" (2023), from "SVM Optimization Problem (no intercept)" on;
Nicolo Cesa-Bianchi, "Support Vector Machines" (2023), from "The SVM problem can then be
re-formulated" to equation (8).
"""

from typing import Any, NamedTuple

from ..numerics.linalg import dot, total
from ..numerics.validation import (
    check_length,
    labels,
    matrix,
    number_kind,
    positive,
    to_number,
    vector,
)
from .losses import hinge


class Loss(NamedTuple):
    """The loss of one example: l(w) = max(0, 1 - y w.x) + lam/2 |w|^2.

    It is lam-strongly convex: above each of its tangent planes by lam/2 |u - w|^2 or more.
    Its methods cost O(d).

    >>> loss = Loss([3, 4], 1, 0.5)
    >>> loss.value([0, 0]), loss.value([1, 1])
    (1.0, 0.5)
    """

    x: list
    y: int
    lam: Any

    def value(self, w):
        """l(w)."""
        w, x, lam = self.in_common_type(w)
        return hinge(self.y * dot(w, x)) + lam * dot(w, w) / 2

    def push(self, w):
        """v: y x if the margin y w.x is below 1, else zero."""
        w, x, _ = self.in_common_type(w)
        return push(w, x, self.y)

    def subgradient(self, w):
        """lam w - v, the gradient of l wherever y w.x is not 1.

        >>> Loss([3, 4], 1, 1).subgradient([0, 0]), Loss([3, 4], 1, 1).subgradient([1, 1])
        ([-3.0, -4.0], [1.0, 1.0])
        """
        w, x, lam = self.in_common_type(w)
        return [lam * a - v for a, v in zip(w, push(w, x, self.y))]

    def in_common_type(self, w):
        """w, x and lam in numbers of one kind."""
        kind = number_kind(w, self.x, self.lam)
        x = vector(self.x, "x", kind)
        return weights(w, len(x), kind), x, positive(kind, self.lam, "lam")


def losses(X, y, lam):
    """[l_1, ..., l_n]: the Loss of each example; F is their mean.

    >>> losses([[1], [-1]], [1, -1], 2)
    [Loss(x=[1.0], y=1, lam=2.0), Loss(x=[-1.0], y=-1, lam=2.0)]
    """
    kind = number_kind(X, lam)
    X = matrix(X, "X", kind)
    y = labels(y, len(X))
    lam = positive(kind, lam, "lam")
    return [Loss(x, label, lam) for x, label in zip(X, y)]


def objective(w, X, y, lam):
    """F(w): the mean hinge, added in index order and divided once, + lam/2 |w|^2. O(n d).

    Source: Cesa-Bianchi, the display before Theorem 3.

    >>> objective([0], [[1], [-1]], [1, -1], 2), objective([1], [[1], [-1]], [1, -1], 2)
    (1.0, 1.0)
    """
    w, X, y, lam = checked(w, X, y, lam)
    losses = total(hinge(label * dot(w, x)) for x, label in zip(X, y))
    return losses / len(X) + lam * dot(w, w) / 2


def objective_unhalved(w, X, y, lam):
    """J(w): the mean hinge + lam |w|^2. O(n d).

    Source: New York University, "SVM Optimization Problem (no intercept)".

    >>> objective_unhalved([1], [[1], [-1]], [1, -1], 2)
    2.0
    """
    return objective(w, X, y, twice(lam))


def subgradient(w, X, y, lam, kink=0):
    """lam w - (1/n) sum v_i: a subgradient of F at w, a list of d numbers. O(n d).

    `kink`, from 0 to 1, is the share of y_i x_i that an example on its kink pushes with: one
    number, or a list of one for each example. 0 is the notes' choice; with any other the answer
    is a subgradient, too, and w minimises F if and only if some choice gives zero.

    Source: Cesa-Bianchi, the gradient of the loss before (8), averaged.

    >>> X, y = [[1], [-1]], [1, -1]
    >>> subgradient([1], X, y, 0.5), subgradient([1], X, y, 0.5, kink=0.5)
    ([0.5], [0.0])
    """
    w, X, y, lam = checked(w, X, y, lam, kink)
    total = [0] * len(w)
    for x, label, share in zip(X, y, shares(type(lam), kink, len(X))):
        total = [a + v for a, v in zip(total, push(w, x, label, share))]
    return [lam * a - v / len(X) for a, v in zip(w, total)]


def subgradient_unhalved(w, X, y, lam, kink=0):
    """2 lam w - (1/n) sum v_i: a subgradient of J at w, the gradient if no margin is 1. O(n d).

    Source: New York University, "Gradient" of SVM Objective.

    >>> subgradient_unhalved([0], [[1], [-1]], [1, -1], 2)
    [-1.0]
    """
    return subgradient(w, X, y, twice(lam), kink)


def push(w, x, y, share=0):
    """y x below the kink, share y x on it, zero above; numbers as they are."""
    margin = y * dot(w, x)
    part = 1 if margin < 1 else share if margin == 1 else 0
    return [part * y * v + 0 for v in x]  # + 0, so that no zero is -0.0


def checked(w, X, y, lam, *others):
    """w, X, y and lam, refused or converted to the one kind that all the numbers decide."""
    kind = number_kind(w, X, lam, *others)
    X = matrix(X, "X", kind)
    y = labels(y, len(X))
    return weights(w, len(X[0]), kind), X, y, positive(kind, lam, "lam")


def weights(w, d, kind):
    """w as d numbers of this kind."""
    w = vector(w, "w", kind)
    if len(w) != d:
        raise ValueError(f"w has length {len(w)}; the rows have length {d}")
    return w


def shares(kind, kink, n):
    """`kink` as a list of n numbers from 0 to 1."""
    many = hasattr(kink, "__len__")
    values = vector(kink, "kink", kind) if many else [to_number(kind, kink, "kink")] * n
    check_length(values, n, "kink")
    for i, value in enumerate(values):
        if not 0 <= value <= 1:
            place = f"kink[{i}]" if many else "kink"
            raise ValueError(f"{place} is {value}; it must be from 0 to 1")
    return values


def twice(lam):
    """2 lam, of a positive number."""
    return 2 * positive(number_kind(lam), lam, "lam")
