"""Decisions that are made of the right ones, or of the right model, by mistake.

Those of the right direction are in wrong_lengths.py. Other decisions have the wrong sign; or are
right about most rows and wrong about a few: those far from the examples, the last ones. Others are
those of another kernel than the one that was trained with.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import inf, sqrt
from typing import Any

from ..kernels.standard import Linear, Precomputed
from ..numerics.elementary import exp, tanh
from ..numerics.linalg import dot, squared_distance, total
from .cases.flags import BUGS
from .explanations import (
    EVERY,
    Decisions,
    Explanation,
    Floats,
    Guess,
    Wanted,
    float_scores,
    optimal_beta,
    right_decisions,
    to_float,
)
from .truth import Evidence
from .wrong_features import BLOCKS, NO_FEATURES, cuts, wrong_remainders
from .wrong_kernels import wrong_parameters
from .wrong_lengths import TRIVIAL, explain_flat_length, explain_length

UNLIKELY = 0.3  # of a weight
WHATEVER = ("NothingLearnt", "LabelOrder", "SignFlipped")  # whatever the model is
UNTOLD = 0.48  # the weight of decisions not the model's: how they are made says more
NEARLY = 0.4  # the weight of signs that are turned round in an answer that is wrong besides


def explain_decisions(e: Evidence, decisions: Decisions) -> Iterator[Explanation | str]:
    """Yield each Explanation that is quick to find, and the identities of those that it is not."""
    if _model_is_right(e, decisions):
        why = "alpha and b are right, the decisions made of them are not"
        yield Explanation("DecisionArithmetic", why, UNTOLD)
    yield from _as_likely(e, decisions, _explain_given_decisions(e, decisions))


def explain_rows_decided(
    e: Evidence, decisions: Decisions, wanted: Wanted = EVERY
) -> Iterator[Explanation | str]:
    """Yield what a model has decided about: other features, other kernel values."""
    bent = decisions.shifts(decisions.right.scores) is None
    flags = "BlockRemainder", "FeatureOrder", "FeatureIgnored", "DecisionArithmetic"
    if bent and decisions.finite and wanted.any_of(*flags):
        yield from _as_likely(e, decisions, _explain_other_rows(e, decisions, wanted))


def _as_likely(
    e: Evidence, decisions: Decisions, found: Iterator[Explanation | str]
) -> Iterator[Explanation | str]:
    """Yield what is found with the weight that it has beside the model as stated.

    If the decisions are those of the model as stated, it is unlikely that the model is right.
    """
    same = e.beta is not None and decisions_are_the_models(e, decisions)
    for x in found:
        if same and isinstance(x, Explanation) and x.flag not in WHATEVER:
            x = x._replace(weight=UNLIKELY * x.weight)
        yield x


def _explain_given_decisions(e: Evidence, decisions: Decisions) -> Iterator[Explanation | str]:
    """Yield what explains decisions of which no model is known."""
    yield from _explain_formula(e, decisions)
    if decisions.shifts(decisions.right.scores) is not None:
        yield from explain_flat_length(e, decisions)
        if len(set(decisions.f)) == 1:
            yield Explanation("NothingLearnt", BUGS["NothingLearnt"], TRIVIAL)
        return
    yield from _explain_constant(decisions)
    yield from _explain_sign(e, decisions)
    yield from explain_length(e, decisions)
    yield from _explain_some_rows(e, decisions)


def _model_is_right(e: Evidence, decisions: Decisions) -> bool:
    """Return whether the model as stated is right, and the decisions are not its decisions."""
    if e.stated is None or e.beta is None or e.b is None:
        return False
    modelled = [to_float(s + e.b) for s in e.truth.exact.of_beta(e.beta)]
    right, shifts = decisions.right, decisions.shifts(decisions.right.scores, modelled)
    return shifts is not None and bool(shifts[0] <= right.high and right.low <= shifts[1])


def decisions_are_the_models(e: Evidence, decisions: Decisions) -> bool:
    """Return whether the decisions are those of the multipliers and b as stated."""
    if e.b is None or e.beta is None or e.stated is None:
        return True
    modelled = [to_float(s + e.b) for s in e.truth.exact.of_beta(e.beta)]
    return all(abs(f - m) <= a for f, m, a in zip(decisions.f, modelled, decisions.allowed))


def _explain_formula(e: Evidence, decisions: Decisions) -> Iterator[Explanation | str]:
    """Yield the formula by which the decisions are made of right ones: labels, probabilities."""
    right = right_decisions(e)
    formulas: dict[str, Callable[[float], float]] = {
        "labels": lambda f: 1 if f > 0 else -1,
        "labels 0 and 1": lambda f: int(f > 0),
        "probabilities": lambda f: 1 / (1 + exp(-f)),
        "squashed by tanh": tanh,
        "without their signs": abs,
        "cut at -1 and 1": lambda f: max(-1.0, min(1.0, f)),
    }
    if not decisions.finite:
        return
    for name, formula in formulas.items():
        explanation = Explanation("DecisionArithmetic", f"the decisions are {name}")
        made = [formula(v) for v in right]
        each = list(zip(decisions.f, made, right, decisions.allowed))
        if not any(abs(s - v) > a for f, v, s, a in each if abs(s) > a):
            continue
        fits = all(abs(f - v) <= a for f, v, s, a in each if abs(s) > a)
        yield explanation if fits else explanation.identity


def _explain_constant(decisions: Decisions) -> Iterator[Explanation | str]:
    """Yield that every decision is the same, where they should not be."""
    f = decisions.f
    explanation = Explanation("NothingLearnt", BUGS["NothingLearnt"], 0.32)
    same = max(f) - min(f) <= min(decisions.allowed)
    yield explanation if same else explanation.identity


def _explain_sign(e: Evidence, decisions: Decisions) -> Iterator[Explanation | str]:
    """Yield that every decision has the wrong sign: always, or where the first label is +1."""
    right = decisions.right
    flipped = decisions.are(right.changed(-1))
    first = e.truth.problem.y[0] > 0
    for flag in ("LabelOrder", "SignFlipped") if first else ("SignFlipped",):
        explanation = Explanation(flag, BUGS[flag])
        yield explanation if flipped else explanation.identity
    r = 0.0 if flipped else _correlation(decisions.f, right.scores)
    most = Explanation("SignFlipped", "nearly all decisions have the wrong sign", NEARLY)
    if r < -0.9:
        yield most
    elif r > 0:
        yield most.identity


def _correlation(f: Floats, s: Floats) -> float:
    """Return the correlation of decisions and scores, whatever the offset; 0 if it has none."""
    at_f, at_s = ([v - total(some) / len(some) for v in some] for some in (f, s))
    size = sqrt(dot(at_f, at_f)) * sqrt(dot(at_s, at_s))
    return dot(at_f, at_s) / size if 0 < size < inf else 0.0


# ---- decisions that are wrong about some rows only


def _explain_some_rows(e: Evidence, decisions: Decisions) -> Iterator[Explanation | str]:
    """Yield what the rows have in common that are decided wrongly, if most are decided rightly."""
    wrong = _wrong_rows(decisions)
    m = len(decisions.f)
    few = 2 * len(wrong) <= m and max(decisions.f) > min(decisions.f)
    values = {decisions.f[k] for k in wrong}
    far = Explanation("FarRows", BUGS["FarRows"], 0.9)
    alike = few and len(values) == 1 and _is_empty_sum(decisions, max(values))
    yield far if alike and _are_farthest(e, wrong) else far.identity
    for block in BLOCKS:
        why = f"the rows to decide about after the last full block of {block} are decided alike"
        found = Explanation("BlockRemainder", why, 0.9)
        last = list(range(m - m % block, m))
        yield found if last and wrong == last and alike else found.identity


def _wrong_rows(decisions: Decisions) -> list[int]:
    """Return the rows decided wrongly, with the middle of the optimal offsets."""
    right = decisions.right
    least = [s + right.low - a for s, a in zip(right.scores, decisions.allowed)]
    most = [s + right.high + a for s, a in zip(right.scores, decisions.allowed)]
    return [k for k, f in enumerate(decisions.f) if not least[k] <= f <= most[k]]


def _is_empty_sum(decisions: Decisions, f: float) -> bool:
    """Return whether a decision is 0, or no more than an offset."""
    right = decisions.right
    allowed = min(decisions.allowed)
    return f == 0 or right.low - allowed <= f <= right.high + allowed


def _are_farthest(e: Evidence, wrong: list[int]) -> bool:
    """Return whether these rows are farther from the examples than all others."""
    problem = e.truth.original
    if not problem.kernel.has_rows:
        return False
    distances = [min(squared_distance(x, z) for z in problem.X) for x in e.request.rows]
    others = [d for k, d in enumerate(distances) if k not in wrong]
    return bool(min(distances[k] for k in wrong) > max(others))


# ---- decisions about other rows, or with another kernel, than the model was trained on


def _explain_other_rows(
    e: Evidence, decisions: Decisions, wanted: Wanted
) -> Iterator[Explanation | str]:
    """Yield what the model has decided about: other features, other kernel values."""
    problem, rows = e.truth.original, e.request.rows
    beta, low, high = _model_that_decides(e, decisions)
    found: list[tuple[Explanation, Any, Any, Any]] = []
    for why, kept in _other_vectors(beta):
        explanation = Explanation("BlockRemainder", f"it decides {why}", 0.7)
        found.append((explanation, problem, kept, rows))
    if not isinstance(problem.kernel, Precomputed):
        for flag, why, variant, other, there in other_rows(problem, rows):
            weight = 0.7 if flag == "BlockRemainder" else 0.9
            if not any(map(any, there)):
                weight = NO_FEATURES
            explanation = Explanation(flag, f"it decides {why}", weight, variant)
            found.append((explanation, other, beta, there))
    for explanation, other, some, there in found:
        if wanted.has(explanation):
            guess = Guess(float_scores(other, some, there), low, high)
            if decisions.are(guess):
                yield explanation
            elif any(map(any, there)) and decisions.tell_apart(guess):
                yield explanation.identity


def _model_that_decides(e: Evidence, decisions: Decisions) -> tuple[Floats, float, float]:
    """Return beta and the ends of b: of the model as stated if it decides otherwise, or right."""
    if not decisions_are_the_models(e, decisions):
        return list(map(to_float, e.beta)), to_float(e.b), to_float(e.b)
    return list(map(to_float, optimal_beta(e))), decisions.right.low, decisions.right.high


def _other_vectors(beta: list[float]) -> Iterator[tuple[str, list[float]]]:
    """Yield beta without what is left after the last full block, or with that counted wrongly."""
    support = [i for i, c in enumerate(beta) if c != 0]
    for name, some in (("support vectors", support), ("examples", list(range(len(beta))))):
        for block in BLOCKS:
            left = some[len(some) - len(some) % block :]
            if left and len(some) > block:
                kept = [0.0 if i in left else c for i, c in enumerate(beta)]
                yield f"without the {name} after the last full block of {block}", kept
                for why, counts in wrong_remainders(len(some), block):
                    times = dict(zip(some, counts))
                    kept = [times.get(i, 0) * c for i, c in enumerate(beta)]
                    yield f"with {name} in blocks of {block}, {why}", kept


def other_rows(problem: Any, rows: Any) -> Iterator[tuple[str, str, str, Any, Any]]:
    """Yield flag, words, variant, problem and rows for a model that was trained rightly."""
    width = len(problem.X[0])
    orders = {"from the last to the first": list(range(width))[::-1]} if width > 1 else {}
    if width > 2:
        orders["with the first two exchanged"] = [1, 0, *range(2, width)]
        orders["with the last two exchanged"] = [*range(width - 2), width - 1, width - 2]
    for why, order in orders.items():
        there = [[x[j] for j in order] for x in rows]
        yield "FeatureOrder", f"on features {why}", why, problem, there
    for k, why, variant in cuts(width):
        there = [[v if j < k else 0.0 for j, v in enumerate(x)] for x in rows]
        flag = "BlockRemainder" if "block" in why else "FeatureIgnored"
        yield flag, f"on {why}", f"decides on {variant}", problem, there
    if type(problem.kernel) is not Linear:
        for why, variant, kernel in wrong_parameters(problem):
            other = type(problem)(problem.X, problem.y, kernel, problem.C)
            yield "DecisionArithmetic", why, f"decides {variant}", other, rows
