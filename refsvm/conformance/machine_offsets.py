"""The offsets that known bugs would make of the multipliers of regression, nu or outliers.

Each is a flag, words, the offset on the scale of the problem, and how little the bug allows.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from ..numerics.linalg import total
from ..svm.dual_form import middle
from .forms import form_of_problem
from .truth import Evidence, middle_offset

FROM_ROWS = 0.8  # the weight of an offset that is made of some rows
Candidate = tuple[str, str, Any, float]


def offset_candidates(e: Evidence) -> Iterator[Candidate]:
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
    if len(form.groups) == 2:
        for words, ends in zip(("first", "second"), measure.lam_intervals(e.truth.optimum)):
            why = f"b is the multiplier of the {words} sum"
            yield "OffsetOneSide", why, middle(*ends), FROM_ROWS
    if len(form.groups) == 1:
        order = sorted(set(r))
        for lam_k in order[1:-1]:
            yield "OffsetBounded", "b is that of one row", combined(e, [lam_k]) + constant, 0.5
    yield from _offsets_of_values(e, alpha)
    yield from _offsets_of_ball(e, alpha)


def _offsets_of_values(e: Evidence, alpha: Any) -> Iterator[Candidate]:
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


def _offsets_of_ball(e: Evidence, alpha: Any) -> Iterator[Candidate]:
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
