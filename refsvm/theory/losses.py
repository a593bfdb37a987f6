"""Losses: what a decision costs, as a function of its margin; and slack, which is the hinge.

The score of an example is f(x), its label is y, and m = y f(x) is its margin: positive if the
decision is right, large if it is right by far. A loss turns m into a number. What one would like
to count is mistakes, but that count is flat nearly everywhere, and where it is flat it gives no
direction for a step. So learners use other losses, which are convex. All of those below except
the perceptron's are nowhere less than the count: if they are small, there are few mistakes.

    zero_one          1 if m <= 0 else 0     the count of mistakes itself
    perceptron_loss   max(0, -m)             how far on the wrong side
    hinge             max(0, 1 - m)          how much is missing to a margin of 1
    squared_hinge     max(0, 1 - m)^2        the same, squared: small shortfalls are nearly free
    squared_error     (f - y)^2              for labels +1 and -1 this is (1 - m)^2

    m       margin, a number                    slope   the derivative, where there is one
    f, y    score and label                     w, x    weights and example, vectors of d numbers
    kink    a place where the slope jumps       xi      slack of an example, in units of the margin

At a kink there is no derivative, but there are still straight lines that touch the loss there and
stay below it. Their slopes, the subgradients, fill an interval: the subdifferential.

Slack. A hard margin asks every example for a margin of at least 1. Where the data cannot give it,
each example gets a slack xi >= 0 and need only have m >= 1 - xi, and slack is penalised. So an
optimum has no more slack than needed, and the least that is enough is the hinge of the margin:

    xi = 0         the margin is 1 or more               0 < xi < 1   on the right side, but close
    xi = 1         on the hyperplane itself              xi > 1       on the wrong side

Hence the two ways to a support vector machine, a wide margin with slack, and few mistakes as the
hinge counts them, are one problem.

Every function here costs O(1) unless it says otherwise, refuses what is no finite number
(TypeError, ValueError), and is exact on Fractions.

Source: the slides of CDS New York University, "SVM" (2023), from "Slack Variables" to "Gradient of
SVM Objective"; Nicolo Cesa-Bianchi, "Support Vector Machines" (2023); 50.007 Machine Learning,
"Support Vector Machines (II)" (2022), section 2.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from ..numerics.display import displayed
from ..numerics.linalg import scale, total
from ..numerics.quoting import quote
from ..numerics.types import Number, Vector, VectorLike
from ..numerics.validation import label, number_kind, to_number, vector
from .hyperplanes import score


@displayed
class SlopeInterval(NamedTuple):
    """All slopes from low to high, both included; at a kink the slopes left and right of it."""

    low: Number
    high: Number


def positive_part(x: Number) -> Number:
    """Return x if x is positive, else 0: what the notes write as (x)_+ = max(x, 0).

    >>> positive_part(3), positive_part(-3)
    (3.0, 0.0)
    """
    x = _checked_number(x, "x")
    return x if x > 0 else type(x)(0)


def zero_one(m: Number) -> Number:
    """Return 1 for a mistake, else 0. A score of zero, m = 0, counts as a mistake.

    >>> zero_one(-2), zero_one(0), zero_one(2)
    (1.0, 1.0, 0.0)
    """
    m = _checked_number(m, "m")
    return type(m)(1 if m <= 0 else 0)


def perceptron_loss(m: Number) -> Number:
    """Return max(0, -m): how far the score lies on the wrong side. Source: NYU, "Perceptron Loss".

    >>> perceptron_loss(-2), perceptron_loss(0), perceptron_loss(2)
    (2.0, 0.0, 0.0)
    """
    return positive_part(-_checked_number(m, "m"))


def hinge(m: Number) -> Number:
    """Return max(0, 1 - m): what is missing to a margin of 1 (S22.2).

    Source: NYU, "Hinge Loss"; 50.007, (7).

    >>> hinge(-2), hinge(0), hinge(1), hinge(2)
    (3.0, 1.0, 0.0, 0.0)
    """
    return positive_part(1 - _checked_number(m, "m"))


def squared_hinge(m: Number) -> Number:
    """Return max(0, 1 - m)^2, whose slope has no jump (S22.2).

    The penalty of slack="squared" is half of it, times C.

    >>> squared_hinge(-2), squared_hinge(0), squared_hinge(1)
    (9.0, 1.0, 0.0)
    """
    missing = hinge(m)
    return missing * missing


def squared_error(f: Number, y: Number) -> Number:
    """Return (f - y)^2 of any numbers (S22.2); of a label +1 or -1 it is (1 - m)^2, m = y f.

    A score beyond the label costs as much as one that falls short by the same amount.

    >>> squared_error(0, 1), squared_error(3, 1), squared_error(-3, -1)
    (1.0, 4.0, 4.0)
    """
    error = _error_of(f, y)
    return error * error


def hinge_subdifferential(m: Number) -> SlopeInterval:
    """Return the slopes of all lines that touch the hinge at m and stay below it (S22.2).

    One slope on either side of the kink, every slope from -1 to 0 on the kink m = 1.

    >>> hinge_subdifferential(0), hinge_subdifferential(1)
    (SlopeInterval(low=-1.0, high=-1.0), SlopeInterval(low=-1.0, high=0.0))
    """
    m = _checked_number(m, "m")
    return SlopeInterval(_slope_where(m <= 1, m), _slope_where(m < 1, m))


def perceptron_subdifferential(m: Number) -> SlopeInterval:
    """Return the same of the perceptron loss, whose kink is at m = 0.

    >>> perceptron_subdifferential(0), perceptron_subdifferential(1)
    (SlopeInterval(low=-1.0, high=0.0), SlopeInterval(low=0.0, high=0.0))
    """
    m = _checked_number(m, "m")
    return SlopeInterval(_slope_where(m <= 0, m), _slope_where(m < 0, m))


def hinge_derivative(m: Number) -> Number:
    """Return -1 below m = 1, 0 above; ValueError on the kink.

    Source: NYU, "Gradient of SVM Objective".

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
            f"m is {quote(_checked_number(m, 'm'))}, where the hinge has a kink and no derivative;"
            " see hinge_subdifferential"
        )
    return low


def hinge_subgradient(m: Number) -> Number:
    """Return the subgradient of the hinge that the notes choose: -1 if m < 1, else 0.

    So an example with margin exactly 1 moves nothing. On the kink any number in [-1, 0] is a
    subgradient, but other steps would follow: subgradient descent and Pegasos use this one.
    Source: NYU, "Pegasos Algorithm" (y w.x < 1); Cesa-Bianchi, the indicator of h_t(w) > 0.

    >>> hinge_subgradient(0), hinge_subgradient(1), hinge_subgradient(2)
    (-1.0, 0.0, 0.0)
    """
    return hinge_subdifferential(m).high


def perceptron_subgradient(m: Number) -> Number:
    """Return the subgradient that the perceptron uses: -1 if m <= 0, else 0.

    On the kink it is -1, the other end than for the hinge: a perceptron starts at w = 0, where
    every margin is 0, and with the slope 0 it would never take a step.

    >>> perceptron_subgradient(-1), perceptron_subgradient(0), perceptron_subgradient(1)
    (-1.0, -1.0, 0.0)
    """
    return perceptron_subdifferential(m).low


def squared_hinge_derivative(m: Number) -> Number:
    """Return -2 max(0, 1 - m), the derivative, which is there for every m (S22.2).

    >>> squared_hinge_derivative(0), squared_hinge_derivative(1)
    (-2.0, 0.0)
    """
    return 0 - 2 * hinge(m)  # from 0, so that no slope is -0.0


def squared_error_derivative(f: Number, y: Number) -> Number:
    """Return 2 (f - y), the slope in f (S22.2).

    >>> squared_error_derivative(3, 1)
    4.0
    """
    return 2 * _error_of(f, y)


def hinge_gradient(w: VectorLike, x: VectorLike, y: Number) -> Vector:
    """Return the gradient of hinge(y w.x) in w: -y x if y w.x < 1, zero if > 1 (S22.2).

    By the chain rule: the slope of the hinge at m = y w.x, times the gradient y x of m.
    ValueError on the kink. O(d). Source: NYU, "Gradient of SVM Objective".

    >>> hinge_gradient([0, 0], [3, 4], -1)
    [3.0, 4.0]
    """
    m = label(y, "y") * score(w, 0, x)
    return scale(hinge_derivative(m) * label(y, "y"), vector(x, "x", type(m)))


def empirical_risk(loss: Callable[[Number], Number], margins: VectorLike) -> Number:
    """Return the mean of loss(m) over the margins, which ERM minimises (S22.2). O(n).

    >>> empirical_risk(hinge, [2, 1, 0, -2])
    1.0
    """
    margins = vector(margins, "margins")
    return total(map(loss, margins)) / len(margins)


# Slack


def smallest_slack(m: Number) -> Number:
    """Return the smallest slack that a margin m allows: 1 - m if m < 1, else 0. It is the hinge.

    Source: Cesa-Bianchi, optimal slack; 50.007, (8).

    >>> smallest_slack(-2), smallest_slack(1), smallest_slack(5)
    (3.0, 0.0, 0.0)
    """
    m = _checked_number(m, "m")
    return 1 - m if m < 1 else type(m)(0)


def covers_hinge(xi: Number, m: Number) -> bool:
    """Return whether xi >= max(0, 1 - m): the constraint on slack written as one inequality.

    >>> covers_hinge(2, -1), covers_hinge(1, -1), covers_hinge(-1, 5)
    (True, False, False)
    """
    xi, m = in_common_type(xi, m)
    return xi >= hinge(m)


def keeps_constraints(xi: Number, m: Number) -> bool:
    """Return whether xi >= 1 - m and xi >= 0: the same as two inequalities, as solvers need them.

    Each is linear in the unknowns (w, b and xi), which max(0, 1 - m) is not. The first is more
    often written m >= 1 - xi. Source: NYU, "SVM as a Constrained Optimization Problem"; 50.007,
    (9).

    >>> keeps_constraints(2, -1), keeps_constraints(1, -1), keeps_constraints(-1, 5)
    (True, False, False)
    """
    xi, m = in_common_type(xi, m)
    return xi >= 1 - m and xi >= 0


def margin_errors(margins: VectorLike) -> list[int]:
    """Return the indices of the margins below 1, in order; exactly 1 is no margin error. O(n).

    Source: NYU, "Hinge Loss".

    >>> margin_errors([2, 1, 0.5, -1])
    [2, 3]
    """
    return [i for i, m in enumerate(vector(margins, "margins")) if m < 1]


def in_common_type(xi: Number, m: Number) -> tuple[Number, Number]:
    """Return xi and m, both floats or both Fractions."""
    kind = number_kind(xi, m)
    return to_number(kind, xi, "xi"), to_number(kind, m, "m")


def _checked_number(value: Number, name: str) -> Number:
    """Return one number from the caller, as a float or a Fraction."""
    return to_number(number_kind(value), value, name)


def _error_of(f: Number, y: Number) -> Number:
    """Return f - y, both of one kind."""
    kind = number_kind(f, y)
    return to_number(kind, f, "f") - to_number(kind, y, "y")


def _slope_where(falls: bool, m: Number) -> Number:
    """Return the slope -1 if the loss falls here, else 0, of the same kind as m."""
    return type(m)(-1 if falls else 0)
