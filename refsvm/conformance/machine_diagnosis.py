"""Which bugs a wrong answer of regression, nu or outliers shows; see diagnosis.py for C-SVC.

    offset       f - s is the same everywhere: of which examples the offset may have been made
    decisions    made of the right ones: their sign, their length, some support vectors
    problem      the optimum of another problem: machine_guesses.py
    multipliers  those of a solver that stopped early, or whose tolerance is an absolute number

All is found at once, for these problems are small.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from math import sqrt
from typing import Any

from ..numerics.linalg import dot
from ..svm.dual_form import group_extremes
from .cases.flags import BUGS
from .diagnosis import NOTHING, with_relation
from .explanations import (
    Decisions,
    Diagnosis,
    Explanation,
    Guess,
    bug,
    float_kernel_rows,
    to_float,
)
from .forms import form_of_problem
from .grouped_measure import TINY
from .machine_guesses import has_optimum, snapped, wrong_machines
from .machine_offsets import offset_candidates
from .protocol import says_unfinished
from .truth import Evidence, decisions_of_model, middle_offset, shape_of

SOLVED = 0.9  # the weight of the optimum of another problem
OF_ITSELF = 0.5  # of multipliers that break their bounds or sums
VAGUE = 0.3  # of a solver that stopped early
ABSOLUTE = 0.95  # of a tolerance that is kept as an absolute number, and not in units of the data
TINIEST, LARGEST = 2.0**-126, 2.0**127  # of kernel values that single precision holds
MUCH = 100  # times better are conditions that are kept
TOLERANCE_BROKEN = Explanation("ToleranceBroken", "no warning", VAGUE, "ToleranceBroken")
SMALL_UNIT = 100  # times the unit of the data the tolerance is, where it may spoil an answer


def diagnose_machine(e: Evidence, relation: Explanation | None = None) -> Diagnosis:
    """Return what may explain a wrong answer, or one that breaks a relation."""
    if says_unfinished(e.answer):
        found: list[Explanation | str] = [
            Explanation("NotConverged", "and it says so", 1.0, "NotConverged")
        ]
    else:
        found = [] if e.decisions is None else list(_explain_machine(_as_answered(e), e))
    last = Explanation("Wrong", "", NOTHING, "Wrong")
    fits = [*(x for x in found if isinstance(x, Explanation)), last]
    known = {identity for fit in fits for identity in fit.identities}
    missed = frozenset(x for x in found if isinstance(x, str)) - known
    return with_relation(Diagnosis(tuple(fits), missed), relation)


def missed_by_right_machine(e: Evidence) -> frozenset[str]:
    """Return the identities of bugs that a right answer does not have."""
    scaled = _as_answered(e)
    found = [*_explain_offsets(scaled, e), *_explain_problems(scaled)]
    return frozenset(x for x in found if isinstance(x, str))


def _as_answered(e: Evidence) -> Evidence:
    """Return the Evidence on the scale of the answer, truth and all.

    That of nu-classification is divided by rho, if the answer does not do so itself.
    """
    theirs, own = e.factor, e.factor
    if e.answer.rho is not None and hasattr(e.truth.measure, "solved_rho"):
        theirs, own = Fraction(e.answer.rho), e.truth.measure.solved_rho
    if theirs <= 0 or theirs == own == 1:
        return e
    back, truth = 1 / own, e.truth
    low, high = (back * v for v in (truth.optimum.b_low, truth.optimum.b_high))
    truth = truth._replace(
        scores=[back * s for s in truth.scores],
        allowed=[back * a for a in truth.allowed],
        optimum=truth.optimum._replace(b_low=low, b_high=high),
    )
    return e.times(1 / theirs)._replace(truth=truth)


def _explain_machine(scaled: Evidence, e: Evidence) -> Iterator[Explanation | str]:
    """Yield each Explanation, and identities of those that are none."""
    shape = shape_of(scaled)
    if not shape.bent and shape.outside:
        yield from _explain_offsets(scaled, e)
    if shape.is_right:
        yield from explain_multipliers(e)
    else:
        yield from explain_decisions(scaled, e)
        yield from _explain_problems(scaled)
    yield from _explain_solver(e, shape.is_right)


def _try_guess(
    decisions: Decisions, explanation: Explanation, guess: Guess | None
) -> Iterator[Explanation | str]:
    """Yield the Explanation if the guess is the answer; its identity if it is another."""
    if guess is None:
        return
    if decisions.tell_apart(guess):
        yield explanation if decisions.are(guess) else explanation.identity


def _explain_problems(scaled: Evidence) -> Iterator[Explanation | str]:
    """Yield the bugs that make another problem of which the answer is the optimum."""
    decisions = Decisions(scaled)
    if not decisions.finite:
        return
    for wrong in wrong_machines(scaled.truth.original, scaled.request.rows):
        weight, variant = SOLVED * wrong.weight, wrong.variant or wrong.why
        explanation = Explanation(wrong.flag, wrong.why, weight, variant)
        yield from _try_guess(decisions, explanation, wrong.guess())


# ---- offsets


def _explain_offsets(scaled: Evidence, e: Evidence) -> Iterator[Explanation | str]:
    """Yield the bugs of an offset that make of it what it is."""
    decisions = Decisions(scaled)
    for flag, why, value, weight in offset_candidates(e):
        explanation = Explanation(flag, why, weight, why)
        b = to_float(value / e.factor)
        yield from _try_guess(decisions, explanation, Guess(decisions.right.scores, b, b))
    if shape_of(scaled).outside and not shape_of(scaled).bent:
        yield Explanation("Offset", "", VAGUE, "Offset")


# ---- decisions


def explain_decisions(scaled: Evidence, e: Evidence) -> Iterator[Explanation | str]:
    """Yield the bugs that make wrong decisions of the right machine."""
    decisions = Decisions(scaled)
    right, f = decisions.right, decisions.f
    yield from _try_guess(decisions, bug("SignFlipped"), right.changed(-1))
    yield from explain_length(scaled, e)
    allowed, spread = min(decisions.allowed), max(right.scores) - min(right.scores)
    if max(f) - min(f) <= allowed and spread > 2 * allowed:
        yield bug("NothingLearnt", VAGUE)
        if _has_small_unit(e):
            yield _absolute_tolerance()
    yield from _explain_support_vectors(scaled, e)
    form = form_of_problem(e.truth.problem)
    if form is not None and form.name == "svdd":
        b = to_float(middle_offset(e.truth.optimum))
        roots = [sqrt(max(b, 0.0)) - sqrt(max(-to_float(s), 0.0)) for s in e.truth.scores]
        guess = Guess(roots, 0.0, 0.0)
        yield from _try_guess(decisions, bug("RadiusNotSquared"), guess)


def explain_length(scaled: Evidence, e: Evidence) -> Iterator[Explanation | str]:
    """Yield that the decisions have the right direction and a wrong length."""
    decisions, form = Decisions(scaled), form_of_problem(e.truth.problem)
    right, f = decisions.right, decisions.f
    wide, theirs = max(right.scores) - min(right.scores), max(f) - min(f)
    if form is not None and form.name == "nu_svc" and e.answer.rho is None:
        rho = to_float(e.factor)
        whole = to_float(e.truth.measure.form.sums[0]) * 2
        for flag, why, factor in (
            ("RhoNotDivided", "the decisions are not divided by rho", rho),
            (
                "RhoNotDivided",
                "the decisions are divided by nu n in the place of rho",
                rho / whole,
            ),
        ):
            explanation = Explanation(flag, why, 1.0, why)
            yield from _try_guess(decisions, explanation, right.changed(factor))
    if wide > 0 < theirs:
        guess = right.changed(theirs / wide)
        if decisions.tell_apart(guess) and decisions.are(guess):
            yield bug("Length", 0.5)


def _explain_support_vectors(scaled: Evidence, e: Evidence) -> Iterator[Explanation | str]:
    """Yield that some support vectors are lost when it decides."""
    decisions, exact = Decisions(scaled), e.truth.exact
    if hasattr(exact, "inner") or (e.beta is not None and _decides_as_stated(e)):
        return
    beta = e.beta if e.beta is not None else e.truth.measure.beta_of(e.truth.alpha)
    b = middle_offset(e.truth.optimum) if e.b is None else e.b
    support = [i for i, c in enumerate(beta) if c != 0]
    parts = [("those below 0 are lost", [max(c, Fraction(0)) for c in beta])]
    parts += [("those above 0 are lost", [min(c, Fraction(0)) for c in beta])]
    parts += [("they have lost their sign", list(map(abs, beta)))]
    for words, i in (("the first", support[:1]), ("the last", support[-1:])):
        parts.append((f"{words} is lost", [0 if j in i else c for j, c in enumerate(beta)]))
    for words, some in parts:
        why = f"of the support vectors {words} when it decides"
        f = [to_float((s + b) / e.factor) for s in exact.of_beta(some)]
        explanation = Explanation("SupportVectorsLost", why, 0.7, why)
        yield from _try_guess(decisions, explanation, Guess(f, 0.0, 0.0))


def _decides_as_stated(e: Evidence) -> bool:
    """Return whether the decisions are those of the multipliers and b that are stated."""
    stated = decisions_of_model(e.truth, e.beta, e.b, None)
    if stated is None or e.stated is None:
        return True
    return all(abs(f - v) <= a for f, v, a in zip(e.stated, stated, e.truth.allowed))


# ---- the solver


def _has_small_unit(e: Evidence) -> bool:
    """Return whether the stated tolerance is no small part of the unit of the data."""
    return e.tol is not None and Fraction(e.tol) * SMALL_UNIT > e.truth.measure.unit(
        e.truth.optimum
    )


def _absolute_tolerance() -> Explanation:
    """Return the Explanation that the tolerance is an absolute number."""
    return bug("AbsoluteTolerance", ABSOLUTE)


def explain_multipliers(e: Evidence) -> Iterator[Explanation | str]:
    """Yield other problems of which multipliers are optimal that decide rightly all the same."""
    broken = None if e.beta is None else e.truth.measure.infeasibility(e.beta)
    if broken is None:
        return
    alpha = [to_float(a) for a in e.truth.measure.alpha_of(e.beta)]
    yield Explanation(broken[0], "", OF_ITSELF, broken[0])
    for wrong in wrong_machines(e.truth.original, e.request.rows):
        with suppress(ValueError, TypeError, OverflowError):
            problem = wrong.problem()
            if problem is not None and has_optimum(problem, alpha):
                yield Explanation(wrong.flag, wrong.why, SOLVED, wrong.why)


def _explain_solver(e: Evidence, is_right: bool) -> Iterator[Explanation | str]:
    """Yield that the solver stopped early: by an absolute tolerance, or somehow."""
    broken = None if e.beta is None else e.truth.measure.infeasibility(e.beta)
    if broken is not None and not is_right:
        yield Explanation(broken[0], "", OF_ITSELF, broken[0])
    if e.beta is None or broken is not None:
        if not is_right and _has_small_unit(e):
            yield _absolute_tolerance()._replace(weight=0.6)
        return
    measure, unit = e.truth.measure, e.truth.measure.unit(e.truth.optimum)
    violation = violation_of(e, measure.scores_at_examples(measure.alpha_of(e.beta)))
    yield from _explain_rounding(e, violation)
    yield (
        _absolute_tolerance() if _keeps_absolute(e, violation) else _absolute_tolerance().identity
    )
    if violation > unit / 1000:
        yield Explanation("StoppedEarly", "", VAGUE, "StoppedEarly")


def violation_of(e: Evidence, scores: Any) -> Any:
    """Return by how much the conditions are broken, with these scores at the examples.

    A multiplier that was divided by rho is at its bound if it is there but for rounding.
    """
    measure = e.truth.measure
    x = measure.problem.variables_of(measure.alpha_of(e.beta))
    x = snapped(measure.form, x, TINY * max(map(abs, x)))
    ends = group_extremes(measure.form, x, measure.residuals(scores))
    return max([m - M for m, M in ends])


def _keeps_absolute(e: Evidence, violation: Any) -> bool:
    """Return whether the tolerance is kept as an absolute number, and not in units of the data."""
    if e.tol is None:
        return False
    unit = e.truth.measure.unit(e.truth.optimum)
    return bool(2 * Fraction(e.tol) >= violation > Fraction(e.tol) * unit)


def _explain_rounding(e: Evidence, violation: Any) -> Iterator[Explanation | str]:
    """Yield that the multipliers are optimal for kernel values in single precision."""
    unit = e.truth.measure.unit(e.truth.optimum)
    room = unit * max(Fraction(e.tol or 0), Fraction(1, 1000))
    rounded = _violation_in_single(e) if violation > 2 * room else None
    if rounded is not None:
        yield bug("Float32Rows") if rounded <= room else "Float32Rows: " + BUGS["Float32Rows"]


def _violation_in_single(e: Evidence) -> Any:
    """Return how much the conditions are broken for kernel values in single precision, or None."""
    rows = float_kernel_rows(e.truth.original, e.truth.original.X)
    largest = max(abs(v) for row in rows for v in row)
    if not TINIEST < largest < LARGEST:
        return None
    beta = e.truth.measure.beta_of(e.truth.measure.alpha_of(e.beta))
    single = [list(map(Fraction, array("f", row))) for row in rows]
    return violation_of(e, [dot(beta, row) for row in single])


def cause_of_broken_tolerance(e: Evidence) -> Explanation:
    """Return why multipliers that are feasible do not keep the stated tolerance."""
    measure = e.truth.measure
    violation = violation_of(e, measure.scores_at_examples(measure.alpha_of(e.beta)))
    rounded = _violation_in_single(e)
    if rounded is not None and MUCH * rounded < violation:
        return bug("Float32Rows")
    if _keeps_absolute(e, violation):
        return _absolute_tolerance()
    return TOLERANCE_BROKEN
