"""Decisions with the right direction and another length: f = c s + shift.

They may have a wrong offset besides.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import inf, isfinite, sqrt

from .explanations import Decisions, Explanation, Guess, optimal_beta, to_float
from .truth import Evidence
from .wrong_offsets import VAGUE, OffsetSources, explain_offset

TWO = 0.55  # of the weight of a bug that another one is needed with
USUAL = {"halved": 0.95, "doubled": 0.95, "distances, f / |w|": 1.0}  # weights of factors
SAME_FACTOR = 0.42  # the weight of one factor in all cases
TRIVIAL = 0.05  # the weight of a length where every answer has the right direction


def explain_length(e: Evidence, decisions: Decisions) -> Iterator[Explanation | str]:
    """Yield the factor of the scores; and a wrong offset beside it."""
    factor = factor_of(decisions, decisions.right.scores)
    named = _named_factors(e)
    for name, value in named.items():
        if factor is None or abs(factor - value) > 0.01 * value or factor == 1:
            yield f"Length: the decisions are {name}"
    if factor is None or factor <= 0:
        return
    trivial = e.truth.problem.linear and len(e.truth.problem.X[0]) == 1
    scaled = decisions.right.changed(factor)
    shifts = decisions.shifts(scaled.scores)
    if shifts is None:
        return
    for name, value in named.items():
        if abs(factor - value) <= 0.01 * value and value != 1:
            weight = 0.6 if trivial else USUAL.get(name, 0.7)
            yield from with_offset(e, decisions, factor, f"the decisions are {name}", weight)
    why = f"the decisions are {factor:.3g} times as long"
    weight = SAME_FACTOR * (0.8 if trivial else 1.0)
    yield from with_offset(e, decisions, factor, why, weight)
    yield from with_offset(e, decisions, factor, why, TRIVIAL if trivial else 0.35, "any")


def with_offset(
    e: Evidence, decisions: Decisions, factor: float, why: str, weight: float, variant: str = ""
) -> Iterator[Explanation]:
    """Yield a Length, together with the bug of its offset if that is wrong, too."""
    length = Explanation("Length", why, weight, variant)
    right = decisions.right
    scaled = right.changed(factor)
    unmoved = Guess(scaled.scores, right.low, right.high)
    if decisions.are(scaled) or decisions.are(unmoved):
        yield length
        return
    least, most = decisions.shifts(scaled.scores)
    if not e.truth.problem.bias:
        return
    at = OffsetSources(
        e.truth.problem, (right.low, right.high), e.truth.example_scores, optimal_beta(e)
    )
    fits, _ = explain_offset(at, least / factor, most / factor)
    direct, _ = explain_offset(at, least, most)
    for offset in [*fits, *direct]:
        yield length._replace(
            weight=weight * (TWO if offset.weight > VAGUE else TWO / 2), second=offset
        )


def explain_flat_length(e: Evidence, decisions: Decisions) -> Iterator[Explanation]:
    """Yield the factor of decisions that are all the same: it may be taken for an offset's."""
    if not decisions.are_same(decisions.right.scores):
        return
    for name, value in _named_factors(e).items():
        if decisions.are(decisions.right.changed(value)):
            yield Explanation("Length", f"the decisions are {name}", 0.4)
    yield Explanation("Length", "the decisions have another length", TRIVIAL, "any")


def factor_of(decisions: Decisions, scores: list[float]) -> float | None:
    """Return c of the nearest f = c s + shift; None if all scores are the same."""
    if not decisions.finite or decisions.are_same(scores):
        return None
    low, high = min(scores), max(scores)
    f = decisions.f
    factor = (f[scores.index(high)] - f[scores.index(low)]) / (high - low)
    return factor if isfinite(factor) else None


def _named_factors(e: Evidence) -> dict[str, float]:
    """Return the factors by which programs multiply decisions, with what is then said of them."""
    problem, best = e.truth.problem, e.truth.optimum
    C, n = to_float(problem.C[0]), problem.n
    norm = sqrt(max(0.0, to_float(best.w_norm2 or 0)))
    found = {
        "distances, f / |w|": 1 / norm if norm else 1.0,
        "halved": 0.5,
        "doubled": 2.0,
        "divided by |w|^2": 1 / norm**2 if norm else 1.0,
        "divided by n": 1 / n,
        "multiplied by n": float(n),
    }
    if len(set(problem.C)) == 1 and C < inf:
        found.update({"divided by C": 1 / C, "multiplied by C": C})
    return {name: value for name, value in found.items() if isfinite(value) and value != 1}
