"""Losses: what a decision costs, as a function of its margin.

A machine gives the score f(x), the truth is the label y, and m = y f(x) is the margin: positive if
the decision is right, large if it is right with room to spare. A loss turns m into a price. What
one would like to count is mistakes, but that count is flat nearly everywhere, and a flat floor
does not say which way to step. So learners use other losses, which are convex. All of those below
but the perceptron's are nowhere less than the count: whoever makes them small makes few mistakes.

    zero_one          1 if m <= 0 else 0     the count of mistakes itself
    perceptron_loss   max(0, -m)             how far on the wrong side
    hinge             max(0, 1 - m)          how much is missing to a margin of 1
    squared_hinge     max(0, 1 - m)^2        the same, squared: small shortfalls are nearly free
    squared_error     (f - y)^2              for labels +1 and -1 this is (1 - m)^2

    m       margin, a number                    slope   the derivative, where there is one
    f, y    score and label                     w, x    weights and example, vectors of d numbers
    kink    a place where the slope jumps

At a kink there is no derivative, but there are still straight lines that touch the loss there and
stay below it. Their slopes, the subgradients, fill an interval: the subdifferential. Every
function here costs O(1) unless it says otherwise, refuses what is no finite number (TypeError,
ValueError), and is exact on Fractions.

Source: the slides of CDS New York University, "SVM" (2023), from "Perceptron Loss" to "Gradient of
SVM Objective"; Nicolo Cesa-Bianchi, "Support Vector Machines" (2023); 50.007 Machine Learning,
"Support Vector Machines (II)" (2022), section 2.
"""

from typing import Any, NamedTuple

from ..numerics.linalg import scale
from ..numerics.validation import label, number_kind, to_number, vector
from .hyperplanes import score


class SlopeInterval(NamedTuple):
    """All numbers from low to high, both included. At a kink: the slope left and right of it."""

    low: Any
    high: Any


def positive_part(x):
    """x if x is positive, else 0: what the notes write as (x)_+ = max(x, 0).

    >>> positive_part(3), positive_part(-3)
    (3.0, 0.0)
    """
    x = number(x, "x")
    return x if x > 0 else type(x)(0)


def zero_one(m):
    """1 for a mistake, else 0. A score of zero, m = 0, is counted as a mistake whatever y is.

    >>> zero_one(-2), zero_one(0), zero_one(2)
    (1.0, 1.0, 0.0)
    """
    m = number(m, "m")
    return type(m)(1 if m <= 0 else 0)


def perceptron_loss(m):
    """max(0, -m): how far the score lies on the wrong side. Source: NYU, "Perceptron Loss".

    >>> perceptron_loss(-2), perceptron_loss(0), perceptron_loss(2)
    (2.0, 0.0, 0.0)
    """
    return positive_part(-number(m, "m"))


def hinge(m):
    """max(0, 1 - m): what is missing to a margin of 1. Source: NYU, "Hinge Loss"; 50.007, (7).

    >>> hinge(-2), hinge(0), hinge(1), hinge(2)
    (3.0, 1.0, 0.0, 0.0)
    """
    return positive_part(1 - number(m, "m"))


def squared_hinge(m):
    """max(0, 1 - m)^2. Its slope has no jump. The price of slack="squared" is half of it, times C.

    >>> squared_hinge(-2), squared_hinge(0), squared_hinge(1)
    (9.0, 1.0, 0.0)
    """
    missing = hinge(m)
    return missing * missing


def squared_error(f, y):
    """(f - y)^2, for any numbers; for a label +1 or -1 it is (1 - m)^2 with m = y f.

    It punishes a score that is too right as much as one that falls short by the same amount.

    >>> squared_error(0, 1), squared_error(3, 1), squared_error(-3, -1)
    (1.0, 4.0, 4.0)
    """
    error = difference(f, y)
    return error * error


def hinge_subdifferential(m):
    """The slopes of all lines that touch the hinge at m and stay below it, as a SlopeInterval.

    One slope on either side of the kink, every slope from -1 to 0 on the kink m = 1.

    >>> hinge_subdifferential(0), hinge_subdifferential(1)
    (SlopeInterval(low=-1.0, high=-1.0), SlopeInterval(low=-1.0, high=0.0))
    """
    m = number(m, "m")
    return SlopeInterval(falling(m <= 1, m), falling(m < 1, m))


def perceptron_subdifferential(m):
    """The same for the perceptron loss, whose kink is at m = 0.

    >>> perceptron_subdifferential(0), perceptron_subdifferential(1)
    (SlopeInterval(low=-1.0, high=0.0), SlopeInterval(low=0.0, high=0.0))
    """
    m = number(m, "m")
    return SlopeInterval(falling(m <= 0, m), falling(m < 0, m))


def hinge_derivative(m):
    """-1 below m = 1, 0 above; ValueError on the kink. Source: NYU, "Gradient of SVM Objective".

    >>> hinge_derivative(0), hinge_derivative(2)
    (-1.0, 0.0)
    >>> hinge_derivative(1)
    Traceback (most recent call last):
      ...
    ValueError: m is 1.0, where the hinge has a kink and no derivative; see hinge_subdifferential
    """
    low, high = hinge_subdifferential(m)
    if low != high:
        raise ValueError(
            f"m is {number(m, 'm')}, where the hinge has a kink and no derivative;"
            " see hinge_subdifferential"
        )
    return low


def hinge_subgradient(m):
    """The subgradient of the hinge that the notes choose: -1 if m < 1, else 0. On the kink: 0.

    So an example with margin exactly 1 moves nothing. Any number in [-1, 0] would be as right
    there, but steps that follow would differ: subgradient descent and Pegasos use this one.
    Source: NYU, "Pegasos Algorithm" (y w.x < 1); Cesa-Bianchi, the indicator of h_t(w) > 0.

    >>> hinge_subgradient(0), hinge_subgradient(1), hinge_subgradient(2)
    (-1.0, 0.0, 0.0)
    """
    return hinge_subdifferential(m).high


def perceptron_subgradient(m):
    """The subgradient of the perceptron loss that the perceptron takes: -1 if m <= 0, else 0.

    On the kink it is -1, the other end than for the hinge: a perceptron starts at w = 0, where
    every margin is 0, and would never move with the slope 0 there.

    >>> perceptron_subgradient(-1), perceptron_subgradient(0), perceptron_subgradient(1)
    (-1.0, -1.0, 0.0)
    """
    return perceptron_subdifferential(m).low


def squared_hinge_derivative(m):
    """-2 max(0, 1 - m): there is a derivative everywhere.

    >>> squared_hinge_derivative(0), squared_hinge_derivative(1)
    (-2.0, 0.0)
    """
    return 0 - 2 * hinge(m)  # from 0, so that no slope is -0.0


def squared_error_derivative(f, y):
    """2 (f - y), the slope in f.

    >>> squared_error_derivative(3, 1)
    4.0
    """
    return 2 * difference(f, y)


def hinge_gradient(w, x, y):
    """The gradient of hinge(y w.x) in w: -y x if y w.x < 1, zero if > 1, ValueError on the kink.

    By the chain rule: the slope of the hinge at m = y w.x, times the gradient y x of m. A list
    of d numbers, O(d). Source: NYU, "Gradient of SVM Objective".

    >>> hinge_gradient([0, 0], [3, 4], -1)
    [3.0, 4.0]
    """
    m = label(y, "y") * score(w, 0, x)
    return scale(hinge_derivative(m) * label(y, "y"), vector(x, "x", type(m)))


def empirical_risk(loss, margins):
    """The mean of loss(m) over the margins, added in index order; what ERM minimises. O(n).

    >>> empirical_risk(hinge, [2, 1, 0, -2])
    1.0
    """
    margins = vector(margins, "margins")
    total = type(margins[0])(0)
    for m in margins:
        total += loss(m)
    return total / len(margins)


def number(value, name):
    """One number from the caller, as a float or a Fraction."""
    return to_number(number_kind(value), value, name)


def difference(f, y):
    """f - y, both of one kind."""
    kind = number_kind(f, y)
    return to_number(kind, f, "f") - to_number(kind, y, "y")


def falling(yes, m):
    """The slope -1 if it falls here, else 0, of the same kind as m."""
    return type(m)(-1 if yes else 0)
