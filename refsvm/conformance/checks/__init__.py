"""The checks G1 to G4: is this answer the optimum?

    G1  optimality    the objective at the answer, against the optimum; the shape of the decisions
    G2  multipliers   within their bounds, balanced, each example's condition kept
    G3  offset        within the interval of optimal offsets
    G4  arithmetic    the decisions are those of the model that is stated

(G5 is in relations.py; G6 to G9 are in answer_checks.py.) Never graded, because optima differ in
them: alpha, the set of support vectors and its order, b inside its interval, the number of steps.

An answer passes by the first of three rules that it keeps:

    exact          it is the optimum
    audited        its tolerance is kept: the gap is at most tol sum max(C_i - alpha_i, alpha_i)
    engineering    every decision is right to a thousandth of the decisions' size

An answer that states a tolerance and keeps the third rule only is "acceptable", not "pass".

What of this depends on the machine is in margin_measure.py and grouped_measure.py.

Source: Keerthi et al., Neural Computation 13 (2001), pages 637-649, for the conditions.

    answer_checks     G6 to G9                  relations     G5; metamorphic has more, for search
    rounding          what doubles may do       claims        where doubles end
    case_requests     cases as requests         repeats       what repeats is told once
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, NamedTuple

from ...numerics.display import text_below
from ..protocol import NOT_PREDICTED
from ..truth import Evidence, Fractions, Shape, Truth, decisions_of_model, gap_of, shape_of
from ..truth.margin_measure import ENGINEERING as ENGINEERING
from ..truth.margin_measure import FEASIBLE as FEASIBLE
from ..truth.margin_measure import short_text as short_text

CHECKS = {
    "G1": "optimality: the objective, and the shape of the decisions",
    "G2": "multipliers: bounds, balance, conditions",
    "G3": "offset: inside the interval of optimal offsets",
    "G4": "arithmetic: decisions are those of the stated model",
    "G5": "invariance: the same problem in another dress",
    "G6": "consistency: attributes and predictions agree",
    "G7": "input: what must be refused, and what must not",
    "G8": "termination: in time, finite, honest",
    "G9": "round trip: saved and loaded, it decides as before",
}
BY_LABELS = "every label that is determined is right"
STATED = {"epsilon": "EpsilonWrong", "rho": "RhoWrong"}  # flags of the other offsets
SUM_SLACK = Fraction(1, 2**50)  # of a sum of doubles in any order: of its absolute terms, each


class Finding(NamedTuple):
    """What a check found.

    worst is the number of a row asked about, question the one of a policy's that was asked. The
    reason does not say yet what a whole run names the wrong answer that was seen.
    """

    result: str  # "pass", "fail" or "acceptable"
    reason: str = ""
    flag: str | None = None  # a failure's own kind of bug; None: what naming.py finds
    gap: Fraction | None = None
    worst: int | None = None
    question: str | None = None
    seen: Any = None  # of a failure, the wrong answer that is to be named


PASS = Finding("pass")


def failure(reason: str, flag: str | None = None, **more: Any) -> Finding:
    """Return a Finding that is a failure."""
    return Finding("fail", reason, flag, **more)


def check_optimality(e: Evidence) -> Finding:
    """Check G1."""
    if e.decisions is None:
        return _check_labels(e)
    (excess, promised), shape = gap_of(e), shape_of(e)
    if excess == 0:
        return Finding("pass", "exact", gap=excess)
    if excess is not None and promised is not None and excess <= promised:
        return Finding("pass", "the stated tolerance is kept", gap=excess)
    if shape.is_right:
        if promised is None:
            return Finding("pass", f"every decision is right to {precision(e.truth)}", gap=excess)
        reason = (
            f"the gap exceeds {text_below(promised)}, which tol = {short_text(e.tol)} promises"
        )
        return Finding("acceptable", reason, gap=excess)
    if not shape.bent:
        return Finding("pass", "only the offset is wrong, see G3", gap=excess)
    if e.tol is None and e.truth.measure.keeps_tolerance(e):
        return Finding("pass", "every condition is kept to a thousandth", gap=excess)
    worst, reason = wrong_decision(e, shape, e.as_told)
    return failure(reason, gap=excess, worst=worst)


def precision(truth: Truth) -> str:
    """Return to what decisions need be right."""
    thousandths = truth.thousandths
    most = max(a - t for a, t in zip(truth.allowed, thousandths))
    return "what doubles can hold" if most > max(thousandths) else "a thousandth"


def wrong_decision(
    e: Evidence, shape: Shape, told: Callable[[Fraction], Fraction]
) -> tuple[int, str]:
    """Return a row where decisions are wrong, and a sentence whose numbers are as they are told.

    It is the row where f is farthest from what it is at every optimum. If f is possible at each
    row, but not at all of them, it is the one that fits worst.
    """
    best, scores = e.truth.optimum, e.truth.scores
    errors = [f - s for f, s in zip(e.decisions, scores)]
    outside = [
        max(best.b_low - error, error - best.b_high) - allowed
        for error, allowed in zip(errors, e.truth.allowed)
    ]
    k = outside.index(max(outside))
    if outside[k] <= 0:
        k = shape.worst
        f, fits = told(e.decisions[k]), told(scores[k] + shape.shift)
        off = short_text(f - fits)
        return k, f"f is {short_text(f)}, which is off by {off} whatever the offset"
    ends = sorted(told(scores[k] + b) for b in (best.b_low, best.b_high))
    f, low, high = different_texts(told(e.decisions[k]), *ends)
    right = low if low == high else f"from {low} to {high}"
    return k, f"f is {f}; it must be {right}"


def _check_labels(e: Evidence) -> Finding:
    """Check G1 of a subject that only predicts, by the labels that the truth determines."""
    if e.answer.predictions is None:
        return failure("neither decisions, nor what they could be worked out from", "NoAnswer")
    low, high = e.truth.optimum.b_low, e.truth.optimum.b_high
    rows = zip(e.truth.scores, e.truth.allowed, e.answer.predictions)
    for k, (s, allowed, label) in enumerate(rows):
        right = 1 if s + low > allowed else -1 if s + high < -allowed else None
        if right is not None and label not in (right, NOT_PREDICTED):
            f = s + (low if right > 0 else high)
            reason = (
                f"it predicts {label}; it must be {right:+d}, for f is {short_text(e.as_told(f))}"
            )
            return failure(reason, worst=k)
    return Finding("pass", BY_LABELS)


def check_multipliers(e: Evidence) -> Finding | None:
    """Check G2."""
    if e.beta is None or e.b is None:
        return None
    broken = e.truth.measure.infeasibility(e.beta)
    return failure(broken[1], broken[0]) if broken else _check_conditions(e)


def _check_conditions(e: Evidence) -> Finding:
    """Check that every example keeps its condition, to the stated tolerance or to a thousandth."""
    measure, promised = e.truth.measure, e.tol is not None
    least, unit = min(e.truth.allowed), measure.unit(e.truth.optimum)
    allowed = [max(least, r) for r in roundings(e.truth, e.beta, None, e.b)]
    found = measure.condition_errors(e)
    worst = found.index(max(found))
    if found[worst] <= (Fraction(e.tol or 0) * unit):
        return Finding("pass", "", worst=worst)
    off = short_text(found[worst] / unit if unit else found[worst])
    if all(r <= a for r, a in zip(found, allowed)):
        result = "acceptable" if promised else "pass"
        return Finding(result, f"a margin is off by {off}", worst=worst)
    alpha = short_text(e.as_told(measure.alpha_of(e.beta)[worst]))
    return failure(
        f"the margin of example {worst} is off by {off} for its alpha of {alpha}", worst=worst
    )


def check_offset(e: Evidence) -> Finding | None:
    """Check G3: the offset of the decisions, and rho and epsilon where they are stated."""
    if e.decisions is None:
        return None
    shape, best = shape_of(e), e.truth.optimum
    if shape.bent:
        return None
    if shape.outside == 0:
        return _check_other_offsets(e)
    b, low, high = different_texts(*map(e.as_told, (shape.shift, best.b_low, best.b_high)))
    right = f"offset is {low}" if low == high else f"offsets lie from {low} to {high}"
    reason = f"b is {b}; the optimal {right}"
    return failure(reason, worst=shape.worst)


def _check_other_offsets(e: Evidence) -> Finding:
    """Check the offset of a machine that is not b, if it is stated."""
    measure = e.truth.measure
    for name, (low, high) in measure.other_offset(e.truth.optimum).items():
        value = getattr(e.answer, name)
        if value is None:
            continue
        room = ENGINEERING * max(measure.unit(e.truth.optimum), abs(Fraction(value)))
        if not low - room <= value <= high + room:
            right = f"from {short_text(low)} to {short_text(high)}"
            reason = f"{name} is {short_text(value)}; it must be {right}"
            return failure(reason, STATED[name])
    return PASS


def check_arithmetic(e: Evidence) -> Finding | None:
    """Check G4. A program may decide in either way: the rounding of either is allowed."""
    if e.stated is None:
        return None
    models, rounded = {}, [e.truth.allowed]
    for beta, w, name in ((e.beta, None, "the multipliers"), (None, e.w, "w")):
        decisions = decisions_of_model(e.truth, beta, e.b, w)
        if decisions is not None:
            models[name] = decisions
            rounded.append(roundings(e.truth, beta, w, e.b))
    for name, decisions in models.items():
        for k, (f, model, *allowed) in enumerate(zip(e.stated, decisions, *rounded)):
            if abs(f - model) > max(allowed):
                said, stated = different_texts(e.as_told(f), e.as_told(model))
                reason = f"f is {said}; of {name} and b as stated it is {stated}"
                return failure(reason, "DecisionArithmetic", worst=k)
    return PASS if models else None


def roundings(truth: Truth, beta: Any, w: Any, b: Fraction) -> Fractions:
    """Return what rounding may do to each decision, when it is summed in doubles in any order."""
    problem, rows = truth.problem, truth.rows
    sizes = truth.exact.sizes_of_w(w) if beta is None else truth.exact.sizes_of_beta(beta)
    return [SUM_SLACK * (len(rows[0]) + problem.n) * (s + abs(b)) for s in sizes]


def different_texts(*values: Any) -> list[str]:
    """Return numbers as they stand in a sentence: the first unlike the others, if it is another.

    >>> different_texts(25499999232.0, 25500000000.0)
    ['2.5499999e+10', '2.55e+10']
    """
    for digits in range(6, 18):
        first, *others = texts = [short_text(value, digits) for value in values]
        if first not in others:
            break
    return texts
