"""Answers that are the optimum of another problem than the one that was asked.

The problems are those of wrong_problems.py. Where an answer has the scores of such an optimum and
another offset, or another length, that is a second bug.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import inf

from ..kernels.standard import Precomputed
from ..svm.kkt_conditions import kkt
from ..svm.problem import Problem
from .explanations import (
    EVERY,
    Decisions,
    Explanation,
    Floats,
    Guess,
    Wanted,
    begins_with_examples,
    bug,
    float_kernel_rows,
    float_scores,
    guess_optimum,
    to_float,
)
from .metamorphic import with_changes
from .protocol import NumericProblem
from .truth import ENGINEERING, Evidence, shape_of
from .wrong_kernels import WrongProblem
from .wrong_lengths import TWO, factor_of
from .wrong_multipliers import has_optimal_multipliers
from .wrong_offsets import VAGUE, OffsetSources, explain_offset
from .wrong_problems import with_another_bug, wrong_problems

MATCHED = 1.2  # times the weight of another problem whose multipliers are stated
UNMATCHED = 0.3  # the same, if others are stated
UNLIKELY = 0.2  # a problem of so little weight may be solved otherwise by a program with the bug


def explain_problem(
    e: Evidence, decisions: Decisions, wanted: Wanted = EVERY
) -> Iterator[Explanation | str]:
    """Yield the other problems whose optimum the answer is: of all, or of those wanted."""
    original, rows = e.truth.original, e.request.rows
    flags = None if wanted.identities is None else wanted.flags
    fitted = set[str]()
    for wrong in wrong_problems(original, rows, flags):
        for found in _explain_by(wrong, e, decisions, wanted):
            fitted.update([] if isinstance(found, str) else [found.flag])
            yield found
    if flags is not None and "RegularisedOffset" in flags and "RegularisedOffset" not in fitted:
        for wrong in with_another_bug(original, rows):
            yield from _explain_by(wrong, e, decisions, wanted)
    if not _has_right_decisions(e) and wanted.any_of(
        "Margin", "ZeroOneLabels", "DualWithoutLabels"
    ):
        yield from _explain_labels(e, decisions, wanted)


def _has_right_decisions(e: Evidence) -> bool:
    """Return whether only the multipliers can be wrong."""
    return shape_of(e).is_right and e.beta is not None


def _explain_by(
    wrong: WrongProblem, e: Evidence, decisions: Decisions, wanted: Wanted
) -> Iterator[Explanation | str]:
    """Yield what says whether the answer is the optimum of another problem, if that is wanted."""
    whole = Explanation(wrong.flag, f"it is the optimum {wrong.why}", wrong.weight)
    whole = whole._replace(variant=wrong.variant or wrong.why, second=wrong.second)
    made = wrong.make() if wanted.has(whole) else None
    guess = None if made is None else guess_optimum(*made)
    if made is None or guess is None:
        return
    if e.beta is not None and _has_multipliers(e, guess):
        whole = whole._replace(weight=MATCHED * whole.weight)
    elif _has_other_multipliers(e, made[0], guess):
        whole = whole._replace(weight=UNMATCHED * whole.weight)
    if not _has_right_decisions(e):
        for found in compare(e, decisions, whole, made[0], guess):
            if isinstance(found, Explanation) or wrong.weight > UNLIKELY:
                yield found
    elif _has_multipliers(e, guess):
        yield whole


def compare(
    e: Evidence, decisions: Decisions, whole: Explanation, problem: NumericProblem, guess: Guess
) -> Iterator[Explanation | str]:
    """Yield the Explanation if the decisions are the guess, or are with a second bug."""
    if decisions.are(guess) or (e.stated is None and _has_multipliers(e, guess)):
        yield whole
        return
    if decisions.tell_apart(guess):
        yield whole.identity
    if whole.second is not None or guess.beta is None or not begins_with_examples(e):
        return
    shifts = decisions.shifts(guess.scores)
    if shifts is not None and (problem.bias or whole.flag == "NoOffset"):
        same_scores = decisions.shifts(decisions.right.scores) is not None
        # scores that are all the same, and some offset, fit any decisions that are
        if not same_scores and not decisions.are_same(guess.scores):
            scores = _scores_of_examples(e, problem, guess)
            at = OffsetSources(problem, (guess.low, guess.high), scores, guess.beta)
            for offset in explain_offset(at, *shifts)[0]:
                weight = whole.weight * (TWO if offset.weight > VAGUE else TWO / 2)
                yield whole._replace(weight=weight, second=offset)
        return
    if len(guess.beta) == e.truth.problem.n and len(e.truth.problem.X[0]) > 1:
        yield from _with_length(decisions, whole, guess)
    if _has_multipliers(e, guess) and not has_optimal_multipliers(e):
        why = whole.why.replace("it is", "alpha is", 1)
        yield whole._replace(why=why, weight=TWO * whole.weight)


def _scores_of_examples(e: Evidence, problem: NumericProblem, guess: Guess) -> Floats:
    """Return a Guess's scores of the examples of another problem, which may be fewer."""
    if problem.n == e.truth.problem.n:
        return guess.scores[: problem.n]
    scores: Floats = float_scores(problem, guess.beta, problem.X)
    return scores


def _with_length(decisions: Decisions, whole: Explanation, guess: Guess) -> Iterator[Explanation]:
    """Yield the Explanation with decisions that are halved or doubled besides."""
    factor = factor_of(decisions, guess.scores) or 0.0
    for value, name in ((0.5, "halved"), (2.0, "doubled")):
        if abs(factor - value) < 0.01 * value and decisions.are(guess.changed(value)):
            length = Explanation("Length", f"the decisions are {name}")
            yield whole._replace(weight=TWO * whole.weight, second=length)


def _has_multipliers(e: Evidence, guess: Guess) -> bool:
    """Return whether the answer's multipliers are the guess's, to a thousandth of the largest."""
    if guess.beta is None or e.beta is None or len(guess.beta) != len(e.beta):
        return False
    off = max(abs(float(c) - a) for c, a in zip(e.beta, guess.beta))
    return bool(off <= ENGINEERING * max(map(abs, guess.beta)))


def _has_other_multipliers(e: Evidence, problem: NumericProblem, guess: Guess) -> bool:
    """Return whether the answer states multipliers that are not optimal for another problem."""
    if e.beta is None or len(e.beta) != problem.n or _has_multipliers(e, guess):
        return False
    alpha = [to_float(c * y) for c, y in zip(e.beta, problem.y)]
    if any(not 0 <= a <= c for a, c in zip(alpha, problem.upper_bounds())):
        return True
    found = kkt(problem, alpha)
    return bool(found.m - found.M > ENGINEERING)


def _explain_labels(
    e: Evidence, decisions: Decisions, wanted: Wanted
) -> Iterator[Explanation | str]:
    """Yield labels of another size: a margin of 2, labels 0 and 1; and a dual without labels."""
    original, rows = e.truth.original, e.request.rows
    if inf in original.C:
        return
    for flag, factor, scale, added in (
        ("Margin", 0.5, 2.0, 0.0),
        ("ZeroOneLabels", 2.0, 0.5, 0.5),
    ):
        if original.slack == "hinge" and wanted.has(bug(flag)):
            guess = guess_optimum(with_changes(original, C=[factor * c for c in original.C]), rows)
            yield from fit(decisions, bug(flag), guess and guess.changed(scale, added))
    if wanted.has(bug("ZeroOneLabels")):
        yield from fit(decisions, bug("ZeroOneLabels"), _one_class_guess(original, rows))
    if wanted.has(bug("DualWithoutLabels")):
        dual = _dual_without_labels(e)
        weight = 0.74 if e.beta is None or (dual and _has_multipliers(e, dual)) else UNMATCHED
        yield from fit(decisions, bug("DualWithoutLabels", weight), dual)


def fit(
    decisions: Decisions, explanation: Explanation, guess: Guess | None
) -> Iterator[Explanation | str]:
    """Yield the Explanation if the decisions are the guess, its identity if they are not."""
    if guess is not None and decisions.are(guess):
        yield explanation
    elif guess is not None and decisions.tell_apart(guess):
        yield explanation.identity


def _one_class_guess(original: Problem, rows: object) -> Guess | None:
    """Return the Guess of labels 0 and 1 without an offset: examples of label 0 do not push."""
    if original.bias:
        return None
    C = [c if y > 0 else c * 2.0**-60 for c, y in zip(original.C, original.y)]
    return guess_optimum(with_changes(original, C=C), rows)


def _dual_without_labels(e: Evidence) -> Guess | None:
    """Return the Guess of a dual whose quadratic form has no labels; its b may be any."""
    original, y = e.truth.original, e.truth.problem.y
    K = float_kernel_rows(original, original.X)
    signed = [[p * q * v for q, v in zip(y, row)] for p, row in zip(y, K)]
    other = with_changes(original, X=signed, kernel=Precomputed())
    guess = guess_optimum(other, [])
    if guess is None or guess.beta is None:
        return None
    scores = float_scores(original, guess.beta, e.request.rows)
    return Guess(scores, -inf, inf, guess.beta)
