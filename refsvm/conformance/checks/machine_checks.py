"""What only the machines beside C-SVC are asked; the other checks are those of __init__.py.

offsets     rho and epsilon, where they are stated, are optimal, too
outliers    no more training rows are predicted -1 than nu, or C, allows: one on the boundary
            is none of them
no machine  where w and rho are 0, or no multipliers have the sums, none is made up
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from ...numerics.linalg import total
from ..cases import Case
from ..protocol import Answer, says_unfinished
from ..protocol.forms import bounds_of, form_of_problem
from ..truth import Evidence, middle_offset, shape_of
from ..truth.margin_measure import ENGINEERING
from . import FEASIBLE, Finding, check_offset, failure, roundings, short_text
from .answer_checks import check_consistency, check_no_optimum

STATED = {"epsilon": "EpsilonWrong", "rho": "RhoWrong"}


def check_offsets(e: Evidence) -> Finding | None:
    """Check G3: the offset of the decisions, and the other one, if it is stated."""
    found = check_offset(e)
    if found is None or found.result == "fail":
        return found
    for name, flag in STATED.items():
        value, measure = getattr(e.answer, name), e.truth.measure
        interval = measure.other_offset(e.truth.optimum).get(name)
        if value is None or interval is None:
            continue
        room = ENGINEERING * max(measure.unit(e.truth.optimum), abs(Fraction(value)))
        low, high = interval
        if not low - room <= value <= high + room:
            right = f"from {short_text(low)} to {short_text(high)}"
            return failure(f"{name} is {short_text(value)}; it must be {right}", flag)
    return found


def check_answers(e: Evidence) -> Finding | None:
    """Check G6: attributes and predictions agree, and outliers are as few as they must be."""
    found = check_consistency(e)
    if found is not None and found.result == "fail":
        return found
    return _check_outliers(e) or found


def _check_outliers(e: Evidence) -> Finding | None:
    """Return a failure if rows on the boundary are predicted -1, or more than may be; else None.

    What rounding or the stated tolerance puts outside is not counted.
    """
    form, n, f = form_of_problem(e.truth.problem), e.truth.problem.n, e.answer.decisions
    labels, right = e.answer.predictions, f is not None and shape_of(e).is_right
    if form is None or form.answers != "outliers" or labels is None or not right:
        return None
    beta = e.beta if e.beta is not None else e.truth.alpha
    rounded = roundings(e.truth, beta, None, middle_offset(e.truth.optimum))
    outside = [i for i, label in enumerate(labels[:n]) if label == -1]
    on = [i for i in outside if f[i] >= 0]
    if on:
        reason = f"f is {short_text(f[on[0]])} and it predicts -1; f >= 0 is no outlier"
        return failure(reason, "BoundarySign", worst=on[0])
    bounds, most = bounds_of(e.truth.problem), e.truth.measure.whole_sum()
    promised = Fraction(e.tol or 0) * e.truth.measure.unit(e.truth.optimum)
    counted = [i for i in outside if e.factor * Fraction(f[i]) < -max(rounded[i], promised)]
    weight = total([bounds[i] for i in counted])
    if weight <= most * (1 + FEASIBLE):
        return None
    words = f"rows that weigh {short_text(weight)} are predicted -1"
    reason = f"{words}; at most {short_text(most)} may be: one on the boundary is no outlier"
    worst = max(counted, key=lambda i: f[i])
    return failure(reason, "BoundaryOutliers", worst=worst)


# ---- no machine


def check_without_machine(case: Case, answer: Answer, why: str) -> Finding:
    """Check G8 of an answer where there is no machine: it is to be said, or nothing made up."""
    if says_unfinished(answer) or answer.decisions is None:
        return check_no_optimum(answer, why)
    status, problem = getattr(case.optimum, "status", None), case.problem
    spread = max(answer.decisions) - min(answer.decisions)
    if status == "infeasible" and problem is not None:
        if _is_point(problem, answer.decisions):
            return Finding("acceptable", f"{why}: it answers the ball of radius 0 around the mean")
        return failure(f"{why}; it answers all the same", "SumTooLarge")
    if spread <= noise(problem):
        return Finding("acceptable", f"{why}: every decision is the same")
    return failure(f"{why}; f goes over {short_text(spread)} all the same", "Degenerate")


def noise(problem: Any) -> float:
    """Return how far decisions of one class may be from 0 by rounding; divided by rho, nothing."""
    form = form_of_problem(problem)
    if form is None or form.answers != "outliers":
        return 0.0
    return float(FEASIBLE * problem.dual_form().sums[0] * max(map(abs, problem.squared_norms())))


def _is_point(problem: Any, decisions: list[Any]) -> bool:
    """Return whether decisions about the examples are minus the squares of their distances."""
    form = form_of_problem(problem)
    if form is None or form.name != "svdd":
        return False
    n = problem.n
    scores, w_norm2 = problem.scores_and_norm2([problem.kind(1) / n] * n)
    away = [k - 2 * s + w_norm2 for k, s in zip(problem.squared_norms(), scores)]
    room = float(ENGINEERING * max(away))
    return all(abs(f + float(d)) <= room for f, d in zip(decisions, away))
