"""What is known about one case: the truth, and a subject's answer beside it, as fractions.

    s(x)     the score of a row, <w, phi(x)>; the same at every optimum
    f(x)     the decision, s(x) + b; every b from b_low to b_high is optimal
    beta_i   alpha_i y_i
    error    f(x) - s(x), the offset that the subject seems to use at x: the same at every row,
             and optimal, if the subject is right

What an answer does not say is worked out from what it says: decisions from beta and b or from w
and b, exactly.
"""

from fractions import Fraction
from typing import Any, NamedTuple

from ..kernels.standard import Precomputed
from ..numerics.linalg import dot
from ..proofs.certificate import Certificate, linear_function
from ..proofs.certified_bounds import (
    enclose_problem,
    gap_bound,
    repair_multipliers,
    score_beta,
    score_w,
)
from ..proofs.optimum import solve_rational
from ..proofs.rational_kernels import exact, is_rational
from ..svm.problem import Problem
from .protocol import exactly, value

ENGINEERING = Fraction(1, 1000)  # of the larger of 1 and the decisions: float32 programs have it


class Truth(NamedTuple):
    """What every optimum of a problem has in common, and how far decisions may be off."""

    posed: Any  # the problem as it was asked
    problem: Any  # the same on Fractions
    optimum: Any
    rows: list  # those asked about, as Fractions
    scores: list  # s of each of them
    at_examples: list  # s of the examples
    allowed: list  # how far each decision may be off


class Evidence(NamedTuple):
    """A truth and an answer; None for what is not known of the answer."""

    truth: Truth
    request: Any
    tol: Any  # the tolerance that the subject knew of, or None
    decisions: Any
    beta: Any
    b: Any
    w: Any
    stated: Any  # the decisions as the answer states them, None if they were worked out
    answer: Any
    earlier: Any = ()  # Requests of as many examples, which the subject had before


def truth_of(posed, rows, case=None):
    """The Truth about rows, or None if the problem has no optimum.

    The optimum is that of the case, if the case's problem is this one to the last bit.
    """
    problem, rows = on_fractions(posed, rows)
    known = case is not None and case.optimum is not None and same(case.problem, problem)
    optimum = case.optimum if known else solve_rational(problem)
    if optimum.status == "infeasible":
        return None
    beta = problem.beta(optimum.alpha)
    scores, at_examples = scores_of(problem, beta, rows), scores_of(problem, beta, problem.X)
    allowed = allowances(optimum, at_examples, scores)
    return Truth(posed, problem, optimum, rows, scores, at_examples, allowed)


def same(one, other):
    """Whether two problems are the same, in every number."""
    return (one.X, one.C, one.kernel) == (other.X, other.C, other.kernel)


def on_fractions(problem, rows):
    """(problem, rows) on Fractions.

    A kernel whose values are no fractions gives way to its Gram matrix, to 256 bits after the
    point: that is far more than a thousandth needs, which is all that doubles are asked for.
    """
    if is_rational(problem.kernel):
        return exact(problem), [exactly(row) for row in rows]
    K, rows = [
        [[value(problem.kernel, x, z) for x in problem.X] for z in some]
        for some in (problem.X, rows)
    ]
    return Problem(K, problem.y, Precomputed(), problem.C, problem.bias, problem.slack), rows


def kernel_values(problem, row):
    """K(x_i, row) for every example i of a problem on Fractions."""
    if not problem.kernel.has_rows:
        return row
    return problem.kernel.row_function(problem.X, Fraction)(row)


def scores_of(problem, beta, rows):
    """sum beta_i K(x_i, x) of each row."""
    if problem.linear:
        w = problem.weights([c * y for c, y in zip(beta, problem.y)])
        return [dot(w, x) for x in rows]
    return [dot(beta, kernel_values(problem, x)) for x in rows]


def evidence_of(truth, request, answer, tol, kept=None):
    """The Evidence; kept are the indices of the truth's examples among those of the request."""
    beta, b, w = multipliers(truth.problem, answer, kept), answer.b, answer.w
    b, w = None if b is None else Fraction(b), None if w is None else exactly(w)
    stated = None if answer.decisions is None else exactly(answer.decisions)
    return Evidence(
        truth,
        request,
        tol,
        worked_out(truth, beta, b, w) if stated is None else stated,
        beta,
        b,
        w,
        stated,
        answer,
    )


def multipliers(problem, answer, kept):
    """beta of the truth's examples."""
    given = answer.beta if answer.alpha is None else answer.alpha
    if given is None:
        return None
    given = exactly(given)
    given = given if kept is None else [given[i] for i in kept]
    return given if answer.alpha is None else [a * y for a, y in zip(given, problem.y)]


def worked_out(truth, beta, b, w):
    """The decisions that beta and b, or w and b, stand for; None if neither is there."""
    if b is None or (beta is None and w is None):
        return None
    if beta is None:
        return [dot(w, x) + b for x in truth.rows]
    return [s + b for s in scores_of(truth.problem, beta, truth.rows)]


def middle(optimum):
    """An optimal offset: the middle of the interval."""
    return (optimum.b_low + optimum.b_high) / 2


def allowances(optimum, at_examples, scores):
    """How far each decision may be off: a thousandth of the size of the decisions.

    Of the decisions, never of s or b alone: a million away from the origin both are a million,
    and to be off by a thousandth of that is to be wrong everywhere.
    """
    b = middle(optimum)
    size = max(1, *[abs(s + b) for s in at_examples])
    return [ENGINEERING * max(size, abs(s + b)) for s in scores]


def errors(evidence):
    """f(x) - s(x) of every row asked about."""
    return [f - s for f, s in zip(evidence.decisions, evidence.truth.scores)]


class Shape(NamedTuple):
    """How the decisions differ from the truth: by a shift, and by what is no shift.

    shift     the offset that fits best       bent    whether they differ by more than a shift
    outside   how far the shift is from the optimal offsets, beyond what is allowed
    worst     the row where they are worst
    """

    shift: Any
    bent: bool
    outside: Any
    worst: int


def shape_of(evidence):
    """The Shape of the errors. The shift is fitted where least is allowed."""
    truth = evidence.truth
    found = errors(evidence)
    allowed = truth.allowed
    low = max(e - a for e, a in zip(found, allowed))
    high = min(e + a for e, a in zip(found, allowed))
    shift = (low + high) / 2
    off = [abs(e - shift) - a for e, a in zip(found, allowed)]
    worst = off.index(max(off))
    outside = max(truth.optimum.b_low - shift, shift - truth.optimum.b_high)
    return Shape(shift, low > high, max(Fraction(0), outside - min(allowed)), worst)


# ---- gaps


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
    return Gap(excess, gap_bound(certificate.problem, certificate.alpha, certificate.primal, tol))


def certificate_of(e):
    """The Certificate of an answer; None if it is not known what w and b it has."""
    problem, beta, w, b = e.truth.problem, e.beta, e.w, e.b
    if (b is None or beta is None and w is None) and e.stated is not None:
        w, b = weights_of(e)
    if b is None or beta is None and w is None or (b != 0 and not problem.bias):
        return None
    enclosed = enclose_problem(problem if is_rational(e.truth.posed.kernel) else e.truth.posed)
    if beta is None:
        return Certificate.of(enclosed, score_w(enclosed, w), e.truth.optimum.alpha, b)
    alpha = repair_multipliers(enclosed.problem, [c * y for c, y in zip(beta, problem.y)])
    return Certificate.of(enclosed, score_beta(enclosed, beta), alpha, b)


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
