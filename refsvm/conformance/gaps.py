"""How far above the optimum an answer is: its certificate, held against the known optimum.

The certificate speaks of the multipliers and b that the subject states; or of its w and b; or, if
it only decides and the kernel is linear, of the one w and b to which its decisions at d + 1 points
belong. So a program that tells nothing of itself has an exact primal value, too.
"""

from fractions import Fraction
from typing import Any, NamedTuple

from ..proofs.certificate import Certificate, linear_function, promised
from ..proofs.certified_bounds import image_of, image_of_weights
from ..proofs.known import known
from ..proofs.rational_kernels import rational
from ..proofs.repair import repaired


class Gap(NamedTuple):
    """excess: the primal value at the answer less the optimum, never negative. promised: what
    the stated tolerance allows of the gap. None for what is not known, or was not stated."""

    excess: Any
    promised: Any


def gap_of(e):
    """The Gap of an Evidence."""
    certificate = certificate_of(e)
    if certificate is None:
        return Gap(None, None)
    excess = certificate.primal - e.truth.optimum.objective
    if e.tol is None or e.beta is None:
        return Gap(excess, None)
    tol = Fraction(e.tol)
    return Gap(excess, promised(certificate.problem, certificate.alpha, certificate.primal, tol))


def certificate_of(e):
    """The Certificate of an answer; None if it is not known what w and b it has."""
    problem, beta, w, b = e.truth.problem, e.beta, e.w, e.b
    if (b is None or beta is None and w is None) and e.stated is not None:
        w, b = weights_of(e)
    if b is None or beta is None and w is None or (b != 0 and not problem.bias):
        return None
    facts = known(problem if rational(e.truth.posed.kernel) else e.truth.posed)
    if beta is None:
        return Certificate.of(facts, image_of_weights(facts, w), e.truth.optimum.alpha, b)
    alpha = repaired(facts.problem, [c * y for c, y in zip(beta, problem.y)])
    return Certificate.of(facts, image_of(facts, beta), alpha, b)


def weights_of(e):
    """(w, b) of a linear machine of which decisions are known only; (None, None) if unknown.

    Without an offset b is what rounding makes of 0, and is 0.
    """
    problem = e.truth.problem
    stated = {tuple(row): f for row, f in zip(e.truth.rows, e.stated)}
    if not problem.linear or not all(tuple(point) in stated for point in points_of(problem)):
        return None, None
    w, b = linear_function(problem, lambda x: stated[tuple(x)])
    return w, b if problem.bias else Fraction(0)


def points_of(problem):
    """The rows, d + 1 lists of floats, whose decisions tell w and b of a linear machine.

    >>> from refsvm.svm.problem import Problem
    >>> points_of(Problem([[0, 1], [4, 1], [2, 3]], [-1, 1, 1]))
    [[2.0, 1.0], [0.0, 1.0], [2.0, 3.0]]
    """
    points = []
    linear_function(problem, lambda x: points.append(x) or 0)
    return points
