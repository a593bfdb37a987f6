"""Which bugs a wrong answer shows.

A known bug makes of each problem another one, or of each optimal offset another number; what it
would answer can be computed. So a wrong answer is compared with the answers of the known bugs, and
each that it agrees with may explain it. Which of them does, a whole run decides: agreement.py.

    1  offset      f - s is the same everywhere: only the offset is wrong
    2  decisions   made of the right ones: their length, their sign, some rows, another kernel
    3  problem     the answer is the optimum of another problem, with the offset right or wrong
    4  multipliers outside their bounds, not balanced, optimal for other kernel values, or those
                   of a solver that stopped early

    s, b      the truth's scores and optimal offsets           f    the subject's decisions
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from math import inf
from typing import Any

from ..kernels.standard import Precomputed
from ..svm.kkt_conditions import kkt
from ..svm.problem import Problem
from .cases import Case
from .explanations import (
    EVERY,
    Decisions,
    Diagnosis,
    Explanation,
    Guess,
    Wanted,
    begins_with_examples,
    bug,
    float_scores,
    guess_optimum,
    optimal_beta,
    stated_or_optimal_beta,
    to_float,
)
from .metamorphic import with_changes
from .protocol import Answer, as_doubles, request_for, says_unfinished
from .truth import (
    ENGINEERING,
    Evidence,
    evidence_of,
    middle_offset,
    shape_of,
    truth_of,
)
from .wrong_decisions import TWO, explain_decisions, factor_of
from .wrong_kernels import WrongProblem, exact_kernel_rows
from .wrong_multipliers import (
    by_single_precision,
    explain_multipliers,
    has_optimal_multipliers,
)
from .wrong_offsets import VAGUE, OffsetSources, explain_offset
from .wrong_problems import wrong_problems

SECOND = 0.4  # of the weight of another problem, where only the offset is wrong
MULTIPLIERS_WRONG = 0.6  # of the weight of an offset: more is wrong than b
NO_WEIGHTS = 0.9  # of the weight of an offset, where penalties differ
MATCHED = 1.2  # times the weight of another problem whose multipliers are stated
UNMATCHED = 0.3  # the same, if others are stated
NOTHING = 0.01  # the weight of having no explanation
ELSEWHERE = 0.65  # of the weight of a bug that does not show in the case itself
THERE_TOO = ("StoppedEarly", "WeightsIgnored")  # but of these, which need not show there


def diagnose(
    e: Evidence, wanted: Wanted = EVERY, relation: Explanation | None = None
) -> Diagnosis:
    """Return what may explain a wrong answer; or one that breaks a relation."""
    if says_unfinished(e.answer):
        return with_relation(unfinished(e), relation)
    fits: list[Explanation] = []
    missed: set[str] = set()
    if e.decisions is not None:
        for found in chain(explain(e, wanted), explain_weightless(e, relation, wanted)):
            if isinstance(found, str):
                missed.add(found)
            else:
                fits.append(found)
    fits.append(Explanation("Wrong", "", NOTHING, "Wrong"))
    known = {identity for fit in fits for identity in fit.identities}
    postponed = None if wanted is EVERY else e
    return with_relation(Diagnosis(tuple(fits), frozenset(missed - known), postponed), relation)


def with_relation(found: Diagnosis, relation: Explanation | None) -> Diagnosis:
    """Return the Diagnosis of an answer that breaks a relation, which is said if nothing fits."""
    if relation is None:
        return found
    fits = [
        x if x.flag in THERE_TOO else x._replace(weight=x.weight * ELSEWHERE)
        for x in found.fits
        if x.flag != "Wrong"
    ]
    return found._replace(fits=(*fits, relation), relation=relation)


def diagnose_right(case: Case) -> frozenset[str]:
    """Return the identities of the bugs that a right answer to a case does not have."""
    asked: Any = case.problem
    problem, rows = as_doubles(asked, [query.x for query in case.queries])
    request = request_for(case.name, problem, rows, None)
    truth = truth_of(problem, rows, case)
    b = middle_offset(truth.optimum)
    answer = Answer(decisions=[s + b for s in truth.scores])
    e = evidence_of(truth, request, answer, None)
    decisions, best = Decisions(e), truth.optimum
    at = OffsetSources(problem, (best.b_low, best.b_high), truth.example_scores, optimal_beta(e))
    found = [
        *explain_offset(at, best.b_low, best.b_high)[1],
        *explain_decisions(e, decisions),
        *explain_problem(e, decisions),
    ]
    return frozenset(identity for identity in found if isinstance(identity, str))


def unfinished(e: Evidence) -> Diagnosis:
    """Return the Diagnosis of an answer that says of itself that it is none."""
    found: Iterable[Explanation] = ()
    if e.decisions is not None and e.beta is not None:
        found = explain_multipliers(e, Decisions(e), Wanted(["FlatPairSkipped"]))
    flat = any(explanation.flag == "FlatPairSkipped" for explanation in found)
    flag = "FlatPairSkipped" if flat else "NotConverged"
    return Diagnosis((Explanation(flag, "and it says so", 1.0, flag),))


def explain(e: Evidence, wanted: Wanted) -> Iterator[Explanation | str]:
    """Yield each Explanation of the decisions, and identities of those that they do not have."""
    decisions, shape = Decisions(e), shape_of(e)
    if not shape.bent and shape.outside and e.truth.problem.bias:
        allowed = min(e.truth.allowed)
        best = e.truth.optimum
        at = OffsetSources(
            e.truth.problem,
            (best.b_low, best.b_high),
            e.truth.example_scores,
            stated_or_optimal_beta(e),
        )
        fits, missed = explain_offset(at, shape.shift - allowed, shape.shift + allowed)
        only = has_optimal_multipliers(e)
        if e.beta is not None and not only:
            fits = [x._replace(weight=MULTIPLIERS_WRONG * x.weight) for x in fits]
        elif has_weights(e):
            fits = [x._replace(weight=NO_WEIGHTS * x.weight) for x in fits]
        yield from fits
        yield from missed
        if only:
            return
    if not shape.is_right:
        yield from explain_decisions(e, decisions, wanted)
    if decisions.finite and (not shape.is_right or e.beta is not None):
        for found in explain_problem(e, decisions, wanted):
            alone = e.beta is None and not has_weights(e)
            if isinstance(found, Explanation) and not shape.bent and alone:
                found = found._replace(weight=found.weight * SECOND)
            yield found
    if shape.bent or shape.is_right or not e.truth.problem.bias:
        yield from explain_multipliers(e, decisions, wanted)
    if shape.bent and e.beta is None and wanted.any_of("Float32Rows"):
        yield from by_single_precision(e)  # of stated multipliers by_rounded_kernel is asked


def has_weights(e: Evidence) -> bool:
    """Return whether the penalties differ: then it is likely that they are not as asked."""
    return len(set(e.truth.problem.C)) > 1


def explain_weightless(
    e: Evidence, relation: Explanation | None, wanted: Wanted
) -> Iterator[Explanation | str]:
    """Yield that an example of weight 0 has the penalty of the others, as all have the same."""
    problem, rows = e.truth.original, e.request.rows
    more = len(e.request.y) - problem.n
    asked = more > 0 and relation is not None and wanted.any_of("WeightsIgnored")
    if not asked or inf in problem.C or not problem.kernel.has_rows:
        return
    X, y, C = e.request.X, e.request.y, problem.C
    for name, one in (("1", 1.0), ("the largest", max(C))):
        explanation = Explanation(
            "WeightsIgnored", f"it is the optimum with one C for all, {name}"
        )
        explanation = explanation._replace(variant=f"with one C for all, {name}")
        other = with_changes(problem, X=X, y=y, C=[one] * len(y))
        yield from fit(Decisions(e), explanation, guess_optimum(other, rows))


# ---- another problem


def explain_problem(
    e: Evidence, decisions: Decisions, wanted: Wanted = EVERY
) -> Iterator[Explanation | str]:
    """Yield the other problems whose optimum the answer is: of all, or of those wanted."""
    right = shape_of(e).is_right and e.beta is not None
    flags = None if wanted.identities is None else wanted.flags
    for wrong in wrong_problems(e.truth.original, e.request.rows, flags):
        whole = Explanation(wrong.flag, f"it is the optimum {wrong.why}", wrong.weight)
        whole = whole._replace(variant=wrong.variant or wrong.why, second=wrong.second)
        if not wanted.has(whole):
            continue
        guess = guess_optimum(wrong.problem, wrong.rows)
        if guess is None:
            continue
        if e.beta is not None and has_multipliers(e, guess):
            whole = whole._replace(weight=MATCHED * whole.weight)
        elif has_other_multipliers(e, wrong, guess):
            whole = whole._replace(weight=UNMATCHED * whole.weight)
        if right:
            if has_multipliers(e, guess):
                yield whole
        else:
            yield from compare(e, decisions, whole, wrong, guess)
    if not right and wanted.any_of("Margin", "ZeroOneLabels", "DualWithoutLabels"):
        yield from explain_labels(e, decisions)


def compare(
    e: Evidence, decisions: Decisions, whole: Explanation, wrong: WrongProblem, guess: Guess
) -> Iterator[Explanation | str]:
    """Yield the Explanation if the decisions are the guess, or are with a second bug."""
    if decisions.are(guess) or (e.stated is None and has_multipliers(e, guess)):
        yield whole
        return
    if decisions.tell_apart(guess):
        yield whole.identity
    same_examples = guess.beta is not None and len(guess.beta) == e.truth.problem.n
    if whole.second is not None or not same_examples or not begins_with_examples(e):
        return
    shifts = decisions.shifts(guess.scores)
    if shifts is not None and wrong.problem.bias:
        same_scores = decisions.shifts(decisions.right.scores) is not None
        if not same_scores:
            scores = guess.scores[: wrong.problem.n]
            at = OffsetSources(wrong.problem, (guess.low, guess.high), scores, guess.beta or [])
            for offset in explain_offset(at, *shifts)[0]:
                weight = whole.weight * (TWO if offset.weight > VAGUE else TWO / 2)
                yield whole._replace(weight=weight, second=offset)
        return
    if len(e.truth.problem.X[0]) > 1:
        yield from with_length(decisions, whole, guess)


def with_length(decisions: Decisions, whole: Explanation, guess: Guess) -> Iterator[Explanation]:
    """Yield the Explanation with decisions that are halved or doubled besides."""
    factor = factor_of(decisions, guess.scores) or 0.0
    for value, name in ((0.5, "halved"), (2.0, "doubled")):
        if abs(factor - value) < 0.01 * value and decisions.are(guess.changed(value)):
            length = Explanation("Length", f"the decisions are {name}")
            yield whole._replace(weight=TWO * whole.weight, second=length)


def has_multipliers(e: Evidence, guess: Guess) -> bool:
    """Return whether the answer's multipliers are the guess's, to a thousandth of the largest."""
    if guess.beta is None or e.beta is None or len(guess.beta) != len(e.beta):
        return False
    off = max(abs(float(c) - a) for c, a in zip(e.beta, guess.beta))
    return bool(off <= ENGINEERING * max(map(abs, guess.beta)))


def has_other_multipliers(e: Evidence, wrong: WrongProblem, guess: Guess) -> bool:
    """Return whether the answer states multipliers that are not optimal for another problem."""
    if e.beta is None or len(e.beta) != wrong.problem.n or has_multipliers(e, guess):
        return False
    alpha = [to_float(c * y) for c, y in zip(e.beta, wrong.problem.y)]
    most = wrong.problem.upper_bounds()
    if any(not 0 <= a <= c for a, c in zip(alpha, most)):
        return True
    found = kkt(wrong.problem, alpha)
    return bool(found.m - found.M > ENGINEERING)


def explain_labels(e: Evidence, decisions: Decisions) -> Iterator[Explanation | str]:
    """Yield labels of another size: a margin of 2, labels 0 and 1; and a dual without labels."""
    original, rows = e.truth.original, e.request.rows
    if inf in original.C:
        return
    for flag, factor, scale, added in (
        ("Margin", 0.5, 2.0, 0.0),
        ("ZeroOneLabels", 2.0, 0.5, 0.5),
    ):
        if original.slack == "hinge":
            guess = guess_optimum(with_changes(original, C=[factor * c for c in original.C]), rows)
            yield from fit(decisions, bug(flag), guess and guess.changed(scale, added))
    yield from fit(decisions, bug("ZeroOneLabels"), one_class_guess(original, rows))
    dual = dual_without_labels(e)
    weight = 0.74 if e.beta is None or (dual and has_multipliers(e, dual)) else UNMATCHED
    yield from fit(decisions, bug("DualWithoutLabels", weight), dual)


def fit(
    decisions: Decisions, explanation: Explanation, guess: Guess | None
) -> Iterator[Explanation | str]:
    """Yield the Explanation if the decisions are the guess, its identity if they are not."""
    if guess is not None and decisions.are(guess):
        yield explanation
    elif guess is not None and decisions.tell_apart(guess):
        yield explanation.identity


def one_class_guess(original: Problem, rows: object) -> Guess | None:
    """Return the Guess of labels 0 and 1 without an offset: examples of label 0 do not push."""
    if original.bias:
        return None
    C = [c if y > 0 else c * 2.0**-60 for c, y in zip(original.C, original.y)]
    return guess_optimum(with_changes(original, C=C), rows)


def dual_without_labels(e: Evidence) -> Guess | None:
    """Return the Guess of a dual whose quadratic form has no labels; its b may be any."""
    original, y = e.truth.original, e.truth.problem.y
    K = exact_kernel_rows(original, original.X)
    signed = [[float(p * q * v) for q, v in zip(y, row)] for p, row in zip(y, K)]
    other = with_changes(original, X=signed, kernel=Precomputed())
    guess = guess_optimum(other, [])
    if guess is None or guess.beta is None:
        return None
    scores = float_scores(original, guess.beta, e.request.rows)
    return Guess(scores, -inf, inf, guess.beta)
