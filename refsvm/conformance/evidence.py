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

from ..linalg import dot
from ..proofs.exactly import exact
from .messages import exactly

ENGINEERING = Fraction(1, 1000)  # of the larger of 1 and the decisions: float32 programs have it


class Truth(NamedTuple):
    """What every optimum of a problem has in common."""

    problem: Any  # on Fractions
    optimum: Any
    rows: list  # those asked about, as Fractions: the examples first
    scores: list  # s of each of them
    squares: list  # K(x, x) of each of them


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


def truth_of(problem, optimum, rows):
    """The Truth about rows of a problem that is on doubles."""
    problem = exact(problem)
    rows = [exactly(row) for row in rows]
    return Truth(
        problem, optimum, rows,
        scores_of(problem, problem.beta(optimum.alpha), rows),
        [square(problem, i, row) for i, row in enumerate(rows)],
    )


def kernel_values(problem, row):
    """K(x_i, row) for every example i."""
    if not problem.kernel.has_rows:
        return row
    return problem.kernel.against(problem.X, Fraction)(row)


def square(problem, i, row):
    """K(row, row); None for a row of kernel values that is no example."""
    if problem.kernel.has_rows:
        return problem.kernel.squared_norms([row], Fraction)[0]
    return problem.X[i][i] if i < problem.n else None


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
        truth, request, tol, worked_out(truth, beta, b, w) if stated is None else stated,
        beta, b, w, stated, answer,
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


def allowances(truth):
    """How far each decision may be off: a thousandth of the size of the decisions.

    Of the decisions, never of s or b alone: a million away from the origin both are a million,
    and to be off by a thousandth of that is to be wrong everywhere.
    """
    b = middle(truth.optimum)
    size = max(1, *[abs(s + b) for s in truth.scores[: truth.problem.n]])
    return [ENGINEERING * max(size, abs(s + b)) for s in truth.scores]


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
    allowed = allowances(truth)
    low = max(e - a for e, a in zip(found, allowed))
    high = min(e + a for e, a in zip(found, allowed))
    shift = (low + high) / 2
    off = [abs(e - shift) - a for e, a in zip(found, allowed)]
    worst = off.index(max(off))
    outside = max(truth.optimum.b_low - shift, shift - truth.optimum.b_high)
    return Shape(shift, low > high, max(Fraction(0), outside - min(allowed)), worst)
