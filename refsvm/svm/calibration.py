"""From decision values to probabilities of two classes: Platt's sigmoid.

A decision value says on which side of the hyperplane a row lies, and how far away. Platt makes a
probability of it:

    p(f) = 1 / (1 + e^(A f + B))        of the label +1; A is negative where f decides rightly

A and B make some examples with known labels as probable as possible. So that they stay finite,
the wrong label of an example is given a share, too: of N examples with its label, 1 / (N + 2).

    f      a decision value                    z      A f + B, the log-odds of the label -1
    q      the probability that an example's wrong label gets, 1 / (1 + e^(-y z))
    share  the probability that it ought to get, 1 / (N + 2)
    F      the sum of -(share log q + (1 - share) log(1 - q)), which A and B minimise
    pull   y (q - share), the slope of F in z

The slopes of F are sum pull f in A and sum pull in B, and both are zero at the optimum. No
logarithm is needed to get there. F is strictly convex, and its curvature along a line changes by
at most a factor e^c where no z changes by more than c. So Newton's step, which changes z by at
most c, may be taken to the share log(1 + c) / c of it, and F falls all the way; 2 / (2 + c) is
smaller than that. Longer steps are tried first, and taken if F still falls at their end.

Source: Platt, Probabilistic outputs for support vector machines (1999); Lin, Lin and Weng, A note
on Platt's probabilistic outputs for support vector machines (2007), for F and its two forms of the
sigmoid. The step: Bach, Self-concordant analysis for logistic regression (2010), Proposition 1.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from math import isfinite
from typing import Any, NamedTuple

from ..numerics.cures import Cure, in_floats, scaled, with_cure
from ..numerics.display import displayed
from ..numerics.elementary import exp, exps
from ..numerics.linalg import dot, total
from ..numerics.pickles import with_format
from ..numerics.powers_of_two import in_ordinary_unit, times_power_of_two
from ..numerics.types import Labels, Number, VectorLike
from ..numerics.validation import labels, number_kind, to_number, vector

MAX_CALIBRATION_STEPS = 1000  # never needed; without it rounding might go round in a circle


@with_format
@displayed
class Calibration(NamedTuple):
    """Platt's sigmoid: the label +1 has the probability 1 / (1 + exp(A f + B)) (S12.1).

    Attributes
    ----------
    A, B : float
        A is below zero where larger decision values speak for +1; above zero it says that labels
        or columns were confused

    Examples
    --------
    >>> Calibration(-2.0, 0.0).probabilities([-1, 0, 1])
    [0.11920292202211755, 0.5, 0.8807970779778823]
    """

    A: float
    B: float

    def probabilities(self, decisions: VectorLike) -> list[float]:
        """Return the probability of the label +1 for each decision value (S12.1).

        Parameters
        ----------
        decisions : n numbers
            each a decision value f(x); the probability of -1 is 1 less the one returned

        Raises
        ------
        ValueError
            for numbers that are not finite
        TypeError
            for Fractions, of which no exponential is taken
        """
        A, B = (float(to_number(float, v, name)) for v, name in zip(self, self._fields))
        return [sigmoid(A * f + B) for f in _floats(decisions)]


class Examples(NamedTuple):
    """What F is made of; decision values are in the unit and from the centre of `calibrate`."""

    x: list[float]
    y: list[int]
    shares: dict[int, float]  # of each label: what the other one is given


class SigmoidStep(NamedTuple):
    """A step of Newton's method, and how it changes F and z."""

    a: Number
    b: Number
    fall: Number  # minus the slope of F along it: near the optimum twice what F still falls
    change: float  # of any z, at most


def calibrate(decisions: VectorLike, y: Labels) -> Calibration:
    """Fit Platt's sigmoid to decision values of examples with known labels (S12.2).

    Parameters
    ----------
    decisions : n numbers
        f(x) of machines that were NOT trained on x, as cross_validate returns them: on its own
        examples a machine is surer than it has reason to be
    y : n labels -1 or +1
        +1 is the label that positive decision values speak for

    Returns
    -------
    Calibration
        whose `probabilities` are those of +1. All decision values equal: A is 0. Of values times
        2^k, A is A / 2^k and B is the same, to the last bit; of labels and values with the other
        sign, A is the same and B is -B

    Raises
    ------
    ValueError
        for one label only, numbers that are not finite, lengths that differ, and decision values
        so close to each other that A is no double
    TypeError
        for Fractions, of which no exponential is taken

    Notes
    -----
    O(n) a step; some 10 steps, more where the classes are far apart. It ends when rounding hides
    what is left to gain. Where LIBSVM's fit ends differs from it by the tolerance of 1e-5 there.

    Examples
    --------
    >>> from refsvm import SVC, cross_validate
    >>> X, y = [[1], [2], [3], [4], [5], [6], [7], [8]], [-1, -1, -1, 1, -1, 1, 1, 1]
    >>> out_of_fold = cross_validate(SVC(kernel="linear"), X, y, folds=4)
    >>> found = calibrate(out_of_fold.decisions, y)
    >>> machine = SVC(kernel="linear").fit(X, y)
    >>> [round(p, 2) for p in found.probabilities(machine.decision_function([[1], [4.5], [8]]))]
    [0.33, 0.5, 0.67]
    """
    f: Any = _floats(decisions)
    y = labels(y, len(f))
    (f,), unit = in_ordinary_unit([f])
    ordered = sorted(f)
    centre = (
        ordered[(len(f) - 1) // 2] + ordered[len(f) // 2]
    ) / 2  # a median: that of -f is minus it
    shares = {label: 1 / (y.count(label) + 2) for label in (-1, 1)}
    a, b = _fit_sigmoid(Examples([value - centre for value in f], y, shares))
    A, B = times_power_of_two(a, -unit), b - a * centre
    if not isfinite(A):
        raise with_cure(
            ValueError,
            "decisions lie so close to each other that A is no double;",
            Cure("multiply them by 2^100", "decisions", partial(scaled, 100)),
        )
    return Calibration(A, B)


def _fit_sigmoid(examples: Examples) -> tuple[float, float]:
    """Return the a and b that minimise F for z = a x + b, by Newton's method from a = b = 0.

    A step that changes no z by more than 1/2 is taken whole: in exact numbers `fall` becomes less
    than a sixth of what it was. It ends where rounding keeps it above a quarter.
    """
    a = b = 0.0
    last = None
    for _ in range(MAX_CALIBRATION_STEPS):
        step = newton_step(examples, a, b)
        if last is not None and step.fall * 4 >= last:
            break
        length = share_taken(examples, a, b, step)
        a, b = a + length * step.a, b + length * step.b
        last = step.fall if step.change <= 1 / 2 else None
    return a, b


def newton_step(examples: Examples, a: float, b: float) -> SigmoidStep:
    """Return Newton's step: a by x less its mean, weighted by curvature; b by the rest (S12.2).

    The second derivatives of F are those of sum bend (x, 1)(x, 1)', with bend = q (1 - q).
    """
    x = examples.x
    pulls, bends = slopes(examples, a, b)
    mass, force = total(bends), total(pulls)
    mean = dot(bends, x) / mass
    away = [value - mean for value in x]
    turn = dot(pulls, away)
    spread = total(bend * v * v for bend, v in zip(bends, away))
    step_a = -(turn / spread) if spread > 0 else 0.0
    step_b = -(force / mass) - step_a * mean
    change = max(abs(step_a * end + step_b) for end in (min(x), max(x)))
    return SigmoidStep(step_a, step_b, force * force / mass - turn * step_a, change)


def slopes(examples: Examples, a: float, b: float) -> tuple[list[float], list[float]]:
    """Return for each example the pull, and q (1 - q)."""
    x, y, shares = examples
    z = [a * value + b for value in x]
    e = exps([-abs(value) for value in z])
    q = [(v if label * w < 0 else 1) / (1 + v) for label, w, v in zip(y, z, e)]
    pulls = [label * (p - shares[label]) for label, p in zip(y, q)]
    return pulls, [v / ((1 + v) * (1 + v)) for v in e]


def share_taken(examples: Examples, a: float, b: float, step: SigmoidStep) -> float:
    """Return the share of the step to take (S12.2): the first of 1, 1/2, .. at which F falls."""
    length, certain = 1.0, 2 / (2 + step.change)
    while length > certain and step.change > 1 / 2:
        pulls, _ = slopes(examples, a + length * step.a, b + length * step.b)
        if step.a * dot(pulls, examples.x) + step.b * total(pulls) <= 0:
            return length
        length /= 2
    return length if step.change <= 1 / 2 else certain


def sigmoid(z: float) -> float:
    """Return 1 / (1 + e^z), without overflow and without loss where it is small (S12.2).

    >>> sigmoid(0.0), sigmoid(-1000.0), sigmoid(700.0)
    (0.5, 1.0, 9.85967654375977e-305)
    """
    e = exp(-abs(z))
    return (e if z > 0 else 1.0) / (1.0 + e)


def _floats(decisions: VectorLike) -> list[float]:
    """Return decision values as floats; TypeError for Fractions."""
    if number_kind(decisions) is Fraction:
        raise with_cure(
            TypeError,
            "decisions holds Fractions, of which no exponential is taken;",
            Cure("give floats", "decisions", in_floats),
        )
    return [float(value) for value in vector(decisions, "decisions")]
