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
from fractions import Fraction
from math import sqrt
from typing import Any

from ..numerics.linalg import dot, total
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
from .machine_guesses import wrong_machines
from .protocol import says_unfinished
from .truth import Evidence, middle_offset, shape_of

SOLVED = 0.9  # the weight of the optimum of another problem
FROM_ROWS = 0.8  # of an offset that is made of some rows
VAGUE = 0.3  # of a solver that stopped early
ABSOLUTE = 0.95  # of a tolerance that is kept as an absolute number, and not in units of the data
TINIEST, LARGEST = 2.0**-126, 2.0**127  # of kernel values that single precision holds
SMALL_UNIT = 100  # times the unit of the data the tolerance is, where it may spoil an answer


def diagnose_machine(e: Evidence, relation: Explanation | None = None) -> Diagnosis:
    """Return what may explain a wrong answer, or one that breaks a relation."""
    if says_unfinished(e.answer):
        found: list[Explanation | str] = [
            Explanation("NotConverged", "and it says so", 1.0, "NotConverged")
        ]
    else:
        found = [] if e.decisions is None else list(explain_machine(as_answered(e), e))
    last = Explanation("Wrong", "", NOTHING, "Wrong")
    fits = [*(x for x in found if isinstance(x, Explanation)), last]
    known = {identity for fit in fits for identity in fit.identities}
    missed = frozenset(x for x in found if isinstance(x, str)) - known
    return with_relation(Diagnosis(tuple(fits), missed), relation)


def missed_by_right_machine(e: Evidence) -> frozenset[str]:
    """Return the identities of bugs that a right answer does not have."""
    scaled = as_answered(e)
    found = [*explain_offsets(scaled, e), *explain_problems(scaled)]
    return frozenset(x for x in found if isinstance(x, str))


def as_answered(e: Evidence) -> Evidence:
    """Return the Evidence on the scale of the answer, truth and all."""
    if e.factor == 1:
        return e
    back, truth = 1 / e.factor, e.truth
    low, high = (back * v for v in (truth.optimum.b_low, truth.optimum.b_high))
    truth = truth._replace(
        scores=[back * s for s in truth.scores],
        allowed=[back * a for a in truth.allowed],
        optimum=truth.optimum._replace(b_low=low, b_high=high),
    )
    return e.times(back)._replace(truth=truth)


def explain_machine(scaled: Evidence, e: Evidence) -> Iterator[Explanation | str]:
    """Yield each Explanation, and identities of those that are none."""
    shape = shape_of(scaled)
    if not shape.bent and shape.outside:
        yield from explain_offsets(scaled, e)
    if not shape.is_right:
        yield from explain_decisions(scaled, e)
        yield from explain_problems(scaled)
    yield from explain_solver(e, shape.is_right)


def try_guess(
    decisions: Decisions, explanation: Explanation, guess: Guess | None
) -> Iterator[Explanation | str]:
    """Yield the Explanation if the guess is the answer; its identity if it is another."""
    if guess is None:
        return
    if decisions.tell_apart(guess):
        yield explanation if decisions.are(guess) else explanation.identity


def explain_problems(scaled: Evidence) -> Iterator[Explanation | str]:
    """Yield the bugs that make another problem of which the answer is the optimum."""
    decisions = Decisions(scaled)
    if not decisions.finite:
        return
    for wrong in wrong_machines(scaled.truth.original, scaled.request.rows):
        explanation = Explanation(wrong.flag, wrong.why, SOLVED, wrong.why)
        yield from try_guess(decisions, explanation, wrong.guess())


# ---- offsets


def explain_offsets(scaled: Evidence, e: Evidence) -> Iterator[Explanation | str]:
    """Yield the bugs of an offset that make of it what it is."""
    decisions = Decisions(scaled)
    for flag, why, value, weight in offset_candidates(e):
        explanation = Explanation(flag, why, weight, why)
        b = to_float(value / e.factor)
        yield from try_guess(decisions, explanation, Guess(decisions.right.scores, b, b))
    if shape_of(scaled).outside and not shape_of(scaled).bent:
        yield Explanation("Offset", "", VAGUE, "Offset")


def offset_candidates(e: Evidence) -> Iterator[tuple[str, str, Any, float]]:
    """Yield (flag, why, offset, weight) on the scale of the problem."""
    b = middle_offset(e.truth.optimum)
    yield "OffsetMissing", "b is 0, or left out", Fraction(0), 1.0
    yield "OffsetSign", "b has the wrong sign", -b, 1.0
    for words, factor in (("halved", Fraction(1, 2)), ("doubled", 2), ("negated and halved", -2)):
        yield "OffsetScaled", f"b is {words}", b * factor, FROM_ROWS
    measure = e.truth.measure
    alpha = measure.alpha_of(e.beta) if e.beta is not None else e.truth.alpha
    r = measure.residuals(measure.scores_at_examples(alpha))
    x, form = measure.problem.variables_of(alpha), measure.form
    constant = offset_constant(e)
    bounded = [v in (low, high) for v, low, high in zip(x, form.lower, form.upper)]
    for flag, words, chosen in (
        ("OffsetAveraged", "averaged over all support vectors", [v != 0 for v in x]),
        (
            "OffsetBounded",
            "averaged over support vectors at their bound",
            [v != 0 and at for v, at in zip(x, bounded)],
        ),
        ("OffsetEveryRow", "averaged over all rows", [True] * len(x)),
    ):
        lam = [mean([r[k] for k in g if chosen[k]]) for g in form.groups]
        if None not in lam:
            yield flag, f"b is {words}", combined(e, lam) + constant, FROM_ROWS
    for words, place in (("least", 0), ("largest", -1)):
        lam = [sorted(r[k] for k in g)[place] for g in form.groups]
        why = f"b is that of the {words} residual"
        yield "OffsetEnds", why, combined(e, lam) + constant, FROM_ROWS
    if len(form.groups) == 1:
        order = sorted(set(r))
        for lam_k in order[1:-1]:
            yield "OffsetBounded", "b is that of one row", combined(e, [lam_k]) + constant, 0.5
    yield from offsets_of_values(e, alpha)
    yield from offsets_of_ball(e, alpha)


def offsets_of_values(e: Evidence, alpha: Any) -> Iterator[tuple[str, str, Any, float]]:
    """Yield the offsets of regression that forget the tube, or the machine."""
    problem = e.truth.problem
    form = form_of_problem(problem)
    if form is None or form.answers != "values":
        return
    y, scores = problem.y, e.truth.example_scores
    yield "OffsetMeanOfY", "b is the mean of y", mean(y), FROM_ROWS
    limits = problem.limits()
    for words, chosen in (
        ("free support vectors", [0 < abs(a) < c for a, c in zip(alpha, limits)]),
        ("support vectors", [a != 0 for a in alpha]),
    ):
        some = [v - s for v, s, is_one in zip(y, scores, chosen) if is_one]
        if some:
            why = f"b is the mean of y - s over {words}, without epsilon"
            yield "OffsetWithoutEpsilon", why, mean(some), FROM_ROWS
            why = f"b is y - s of the first of the {words}, without epsilon"
            yield "OffsetWithoutEpsilon", why, some[0], 0.6
    width = getattr(problem, "epsilon", None)
    if width:
        signs = [(a > 0) - (a < 0) for a in alpha]
        away = [v - s + width * k for v, s, k in zip(y, scores, signs) if k]
        if away:
            why = "b adds epsilon where it is to be taken off"
            yield "OffsetWithoutEpsilon", why, mean(away), FROM_ROWS


def offsets_of_ball(e: Evidence, alpha: Any) -> Iterator[tuple[str, str, Any, float]]:
    """Yield radii of the ball from other rows than those on its surface."""
    form = form_of_problem(e.truth.problem)
    if form is None or form.name != "svdd":
        return
    problem, w_norm2 = e.truth.measure.problem, e.truth.optimum.w_norm2
    norms2, scores = problem.squared_norms(), e.truth.measure.scores_at_examples(alpha)
    for s in dict.fromkeys(s for s, a in zip(scores, alpha) if a != 0):
        value = mean(norms2) - 2 * s + w_norm2
        yield "RadiusOfMean", "R^2 takes the mean of k(x, x) over all rows", value, FROM_ROWS
    value = total([a * k for a, k in zip(alpha, norms2)]) - w_norm2
    yield "RadiusOfMean", "R^2 is the value of the dual", value, FROM_ROWS


def offset_constant(e: Evidence) -> Any:
    """Return what an offset is besides lam: of the ball |c|^2."""
    return e.truth.measure.problem.offset_constant(e.truth.optimum.w_norm2)


def combined(e: Evidence, lam: list[Any]) -> Any:
    """Return the offset that one lam a group makes: b, -rho or R^2 - |c|^2."""
    if len(lam) == 2:
        return (lam[0] + lam[1]) / 2
    return lam[0] * e.truth.measure.problem.scale


def mean(values: list[Any]) -> Any:
    """Return the mean; None of no values."""
    return total(values) / len(values) if values else None


# ---- decisions


def explain_decisions(scaled: Evidence, e: Evidence) -> Iterator[Explanation | str]:
    """Yield the bugs that make wrong decisions of the right machine."""
    decisions = Decisions(scaled)
    right, f = decisions.right, decisions.f
    yield from try_guess(decisions, bug("SignFlipped"), right.changed(-1))
    yield from explain_length(scaled, e)
    allowed, spread = min(decisions.allowed), max(right.scores) - min(right.scores)
    if max(f) - min(f) <= allowed and spread > 2 * allowed:
        yield bug("NothingLearnt", VAGUE)
        if has_small_unit(e):
            yield absolute_tolerance()
    yield from explain_support_vectors(scaled, e)
    form = form_of_problem(e.truth.problem)
    if form is not None and form.name == "svdd":
        b = to_float(middle_offset(e.truth.optimum))
        roots = [sqrt(max(b, 0.0)) - sqrt(max(-to_float(s), 0.0)) for s in e.truth.scores]
        guess = Guess(roots, 0.0, 0.0)
        yield from try_guess(decisions, bug("RadiusNotSquared"), guess)


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
            yield from try_guess(decisions, explanation, right.changed(factor))
    if wide > 0 < theirs:
        guess = right.changed(theirs / wide)
        if decisions.tell_apart(guess) and decisions.are(guess):
            yield bug("Length", 0.5)


def explain_support_vectors(scaled: Evidence, e: Evidence) -> Iterator[Explanation | str]:
    """Yield that some support vectors are lost when it decides."""
    decisions, exact = Decisions(scaled), e.truth.exact
    if hasattr(exact, "inner"):
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
        yield from try_guess(decisions, explanation, Guess(f, 0.0, 0.0))


# ---- the solver


def has_small_unit(e: Evidence) -> bool:
    """Return whether the stated tolerance is no small part of the unit of the data."""
    return e.tol is not None and Fraction(e.tol) * SMALL_UNIT > e.truth.measure.unit(
        e.truth.optimum
    )


def absolute_tolerance() -> Explanation:
    """Return the Explanation that the tolerance is an absolute number."""
    return bug("AbsoluteTolerance", ABSOLUTE)


def explain_solver(e: Evidence, is_right: bool) -> Iterator[Explanation | str]:
    """Yield that the solver stopped early: by an absolute tolerance, or somehow."""
    if e.beta is None or e.truth.measure.infeasibility(e.beta) is not None:
        if not is_right and has_small_unit(e):
            yield absolute_tolerance()._replace(weight=0.6)
        return
    measure, alpha = e.truth.measure, e.truth.measure.alpha_of(e.beta)
    r = measure.residuals(measure.scores_at_examples(alpha))
    ends = group_extremes(measure.form, measure.problem.variables_of(alpha), r)
    violation = max([m - M for m, M in ends])
    yield from explain_rounding(e, alpha, violation)
    unit = measure.unit(e.truth.optimum)
    if e.tol is not None and 2 * Fraction(e.tol) >= violation > Fraction(e.tol) * unit:
        yield absolute_tolerance()
    elif has_small_unit(e):
        yield absolute_tolerance().identity
    if violation > unit / 1000:
        yield Explanation("StoppedEarly", "", VAGUE, "StoppedEarly")


def explain_rounding(e: Evidence, alpha: Any, violation: Any) -> Iterator[Explanation | str]:
    """Yield that the multipliers are optimal for kernel values in single precision."""
    measure = e.truth.measure
    rows = float_kernel_rows(e.truth.original, e.truth.original.X)
    largest = max(abs(v) for row in rows for v in row)
    if not TINIEST < largest < LARGEST:
        return
    beta = measure.beta_of(alpha)
    single = [list(map(Fraction, array("f", row))) for row in rows]
    r = measure.residuals([dot(beta, row) for row in single])
    form, x = measure.form, measure.problem.variables_of(alpha)
    worst = max([m - M for m, M in group_extremes(form, x, r)])
    room = measure.unit(e.truth.optimum) * max(Fraction(e.tol or 0), Fraction(1, 1000))
    if violation > 2 * room:
        yield bug("Float32Rows") if worst <= room else "Float32Rows: " + BUGS["Float32Rows"]
