"""The checks G6 to G9 of an answer: does it come, is it well formed, is it honest?

    G6  consistency   attributes and predictions agree with each other; outliers are few enough
    G7  input         what must be refused is, and nothing else
    G8  termination   an answer in time, finite, and honest about itself
    G9  round trip    a saved and loaded model decides as before

Some answers leave nothing to measure: none in time, a refusal, the statement that there is no
answer. For those G7 and G8 are all there is. (G1 to G4 are in __init__.py; what an estimator must
take and refuse, also G7, is asked by policies.)
"""

from __future__ import annotations

from fractions import Fraction
from math import isfinite
from typing import Any

from ...numerics.display import text_below
from ...numerics.linalg import total
from ...numerics.types import VectorLike
from ..cases import Case
from ..protocol import Answer, says_unfinished, stopped_at
from ..protocol.answer_reader import Fields
from ..protocol.forms import bounds_of, form_of_problem
from ..protocol.records import NOT_OFFERED, STOPPED
from ..protocol.refusals import exception_of, has_no_machine, refused_thing, things_in, with_place
from ..subjects.fitted_estimators import has_right_support, wrong_width
from ..truth import Evidence, middle_offset, shape_of
from . import ENGINEERING, FEASIBLE, PASS, Finding, failure, roundings, short_text

DRAWS = 4  # times the distance of two new objects may be that of two fits

# ---- G7 and G8: answers that leave nothing to measure


def check_delivery(answer: Answer) -> Finding | None:
    """Return the failure of G8 if there is no answer to look at, else None."""
    for sentence, flag in (
        (answer.late, "Hang"),
        (answer.died, "Exit"),
        (answer.crashed, "Crash"),
        (answer.malformed, "NoAnswer"),
    ):
        if sentence is not None:
            return failure(with_place(sentence, answer), flag)
    for name in ("decisions", "alpha", "beta", "w", "b"):
        values = getattr(answer, name)
        for value in values if isinstance(values, list) else [values]:
            if value is not None and not isfinite(value):
                return failure(f"{name} holds {value}", "NotFinite")
    return None


def check_refusal(case: Case, answer: Answer) -> Finding | None:
    """Return G7 of an answer that is an exception or a refusal, else None.

    It is a refusal if it names what the problem has and not every program offers: refusals.py.
    """
    if answer.unsupported is not None:
        return Finding("acceptable", f"{NOT_OFFERED}: {answer.unsupported}")
    sentence = exception_of(answer)
    if sentence is None:
        return None
    is_said = answer.place is None and answer.refused is not None  # it called itself refusing
    is_refusal = refused_thing(sentence, things_in(case)) is not None
    if has_no_machine(case) and (is_said or is_refusal):
        return Finding("pass", f"refused, as there is no machine: {sentence}")
    if is_refusal:
        return Finding("acceptable", f"{NOT_OFFERED}: {sentence}")
    is_meant = is_said or refused_thing(sentence) is not None
    return failure(with_place(sentence, answer), "Refused" if is_meant else "Crash")


def check_one_step(answer: Answer) -> Finding:
    """Check G8 of a wrong answer after the one step that was allowed."""
    if says_unfinished(answer):
        return Finding("pass", "it says that it has not finished")
    return failure("stopped after one step, and does not say so", "NotSaid")


def check_rejection(case: Case, answer: Answer) -> tuple[str, Finding | None]:
    """Return the check that an answer to invalid input is about, G7 or G8, and its Finding."""
    if answer.unsupported is not None:
        return "G7", Finding("acceptable", f"{NOT_OFFERED}: {answer.unsupported}")
    if answer.refused is not None or says_unfinished(answer):
        return "G7", PASS
    if answer.crashed is not None:
        return "G7", Finding("acceptable", f"refused by accident: {answer.crashed}")
    if answer.late or answer.died or answer.malformed:
        return "G8", check_delivery(answer)
    if case.result == "acceptable":
        return "G7", Finding("acceptable", f"accepted: {case.comment}")
    return "G7", failure(f"accepted: {case.comment}", case.flags[0])


def check_limit(answer: Answer) -> Finding | None:
    """Return G8 of an answer that says that it stopped at a limit of its own, else None."""
    words = stopped_at(answer)
    if words is None:
        return None
    return Finding("acceptable", f"{STOPPED}: {words}", "NotConverged")


# ---- G8 where there is no machine


def check_without_machine(case: Case, answer: Answer, why: str) -> Finding:
    """Check G8 of an answer where there is no machine: it is to be said, or nothing made up."""
    if says_unfinished(answer):
        return Finding("pass", "it says that there is none")
    if form_of_problem(case.problem) is None or answer.decisions is None:
        if answer.status == "optimal":
            return failure(f"it says 'optimal' where {why}", "NotSaid")
        return Finding("acceptable", f"{why}, and it says nothing")
    status, problem = getattr(case.optimum, "status", None), case.problem
    spread = max(answer.decisions) - min(answer.decisions)
    if status == "infeasible" and problem is not None:
        if _is_point(problem, answer.decisions):
            return Finding("acceptable", f"{why}: it answers the ball of radius 0 around the mean")
        return failure(f"{why}; it answers all the same", "SumTooLarge")
    if spread <= _noise(problem):
        return Finding("acceptable", f"{why}: every decision is the same")
    return failure(f"{why}; f goes over {short_text(spread)} all the same", "Degenerate")


def _noise(problem: Any) -> float:
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


# ---- G6 and G9


def check_consistency(e: Evidence) -> Finding | None:
    """Check G6."""
    answer = e.answer
    attributes = answer.attributes or {}
    if not has_right_support(attributes, e.request):
        return failure("X[support_] is not support_vectors_", "SupportIndices")
    if answer.changed:
        return failure(f"{answer.changed} is another afterwards", "InputChanged")
    reason = wrong_width(attributes, e.request) or contradiction(attributes, e.request.y)
    if reason:
        return failure(reason, "Attributes")
    if e.stated is None:
        return None
    k = _wrong_prediction(e)
    if k is not None:
        f = short_text(e.answer.decisions[k])
        reason = f"predict says {answer.predictions[k]}, decision_function {f}"
        return failure(reason, "PredictSign", worst=k)
    if isinstance(answer.one_by_one, str):
        return failure(answer.one_by_one, "NoAnswer")
    if isinstance(answer.threaded, str):
        return failure(f"with threads: {answer.threaded}", "Threads")
    room = _room_of_draws(e)
    for name, values, flag, times in (
        ("alone", answer.one_by_one, "BatchDependence", 1),
        ("after a second fit", numbered(answer.refitted), "StateKept", room),
        ("after another model's fit", numbered(answer.after_other_fit), "StateKept", 1),
        *[
            ("fitted with threads", numbered(one), "Threads", room)
            for one in answer.threaded or ()
        ],
    ):
        found = _other_decision(e, values or [], times)
        if found is not None:
            k, value = found
            said = short_text(e.answer.decisions[k])
            reason = f"f is {said}, {name} it is {short_text(value)}"
            return failure(reason, flag, worst=k)
    return _check_outliers(e) or PASS


def _check_outliers(e: Evidence) -> Finding | None:
    """Return a failure if rows on the boundary are predicted -1, or more than may be; else None.

    What rounding or the stated tolerance puts outside is not counted.
    """
    form, n, f = form_of_problem(e.truth.problem), e.truth.problem.n, e.answer.decisions
    labels = e.answer.predictions
    if form is None or form.answers != "outliers" or labels is None or f is None:
        return None
    if not shape_of(e).is_right:
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
    reason = f"{words}; at most {text_below(most)} may be: one on the boundary is no outlier"
    worst = max(counted, key=lambda i: f[i])
    return failure(reason, "BoundaryOutliers", worst=worst)


def numbered(values: list[float] | None) -> list[tuple[int, float]] | None:
    """Return [(number, value), ..] of the values."""
    return None if values is None else list(enumerate(values))


def _room_of_draws(e: Evidence) -> Fraction:
    """Return how many times what is allowed two fits of a program may be apart.

    Twice, for each may be off by as much; and more if two new objects differ by more, too, as they
    do where examples are drawn at random.
    """
    found = [Fraction(2)]
    for f, value, allowed in zip(e.stated, e.answer.repeated or (), e.truth.allowed):
        found.append(
            DRAWS * abs(f - e.factor * Fraction(value)) / allowed
            if isfinite(value) and allowed
            else Fraction(2)
        )
    return max(found)


def _other_decision(
    e: Evidence, values: list[tuple[int, float]], times: Any
) -> tuple[int, float] | None:
    """Return the first (row, decision) that is not the decision stated; None if all are."""
    for k, value in values:
        if not isfinite(value):
            return k, value
        if abs(e.stated[k] - e.factor * Fraction(value)) > times * e.truth.allowed[k]:
            return k, value
    return None


def _wrong_prediction(e: Evidence) -> int | None:
    """Return the first row of which predict and the decision say different classes; else None.

    A decision near 0 may be rounded to either side.
    """
    for k, (f, label) in enumerate(zip(e.answer.decisions, e.answer.predictions or [])):
        if abs(f) > FEASIBLE and (f > 0) != (label == 1):
            return k
    return None


def contradiction(attributes: Fields, y: VectorLike) -> str | None:
    """Return a sentence about attributes that contradict each other; None if none do."""
    support, vectors = attributes.get("support"), attributes.get("support_vectors")
    if support is not None and vectors and len(vectors) != len(support):
        return f"support_ has {len(support)} rows, support_vectors_ has {len(vectors)}"
    coefs = attributes.get("dual_coef")
    if support is not None and coefs and len(coefs[0]) != len(support):
        return f"support_ has {len(support)} rows, dual_coef_ has {len(coefs[0])} columns"
    counts = attributes.get("n_support")
    if support is None or counts is None:
        return None
    if total(counts) != len(support):
        return f"n_support_ adds up to {total(counts)}; support_ has {len(support)} rows"
    classes = attributes.get("classes")
    if classes:
        right = [[y[i] for i in support].count(label) for label in classes]
        if counts != right:
            return f"n_support_ is {counts}; of the classes {classes} there are {right}"
    return None


def check_round_trip(e: Evidence) -> Finding | None:
    """Check G9."""
    if e.answer.reloaded is None or e.stated is None:
        return None
    if isinstance(e.answer.reloaded, str):
        return failure(e.answer.reloaded, "RoundTrip")
    for k, (f, value) in enumerate(zip(e.answer.decisions, e.answer.reloaded)):
        if f != value:
            return failure(
                f"f is {short_text(f)}, after saving and loading it is {short_text(value)}",
                "RoundTrip",
                worst=k,
            )
    return PASS
