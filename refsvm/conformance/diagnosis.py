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
from functools import partial
from math import inf
from typing import Any

from .cases import Case
from .explanations import (
    Decisions,
    Diagnosis,
    Explanation,
    Wanted,
    guess_optimum,
    optimal_beta,
    stated_or_optimal_beta,
)
from .other_optima import explain_problem, fit
from .protocol import (
    Answer,
    NumericProblem,
    Request,
    as_doubles,
    request_for,
    says_unfinished,
)
from .truth import Evidence, evidence_of, middle_offset, shape_of, truth_of
from .wrong_decisions import explain_decisions, explain_rows_decided
from .wrong_kernels import WrongProblem, changed
from .wrong_multipliers import (
    by_single_precision,
    explain_multipliers,
    has_optimal_multipliers,
)
from .wrong_offsets import OffsetSources, explain_offset, offsets_in_words

SECOND = 0.4  # of the weight of another problem, where only the offset is wrong
MULTIPLIERS_WRONG = 0.6  # of the weight of an offset: more is wrong than b
NO_WEIGHTS = 0.9  # of the weight of an offset, where penalties differ
KEPT_OFFSET = 0.49  # the weight of an offset that wrong answers before had
FLAT = 0.3  # of the weight of what explains decisions that are all the same: many bugs do
NOTHING = 0.01  # the weight of having no explanation
ELSEWHERE = 0.65  # of the weight of a bug that does not show in the case itself
THERE_TOO = ("StoppedEarly", "WeightsIgnored", "WeightsScaled", "WeightsSwapped")


def diagnose(e: Evidence, relation: Explanation | None = None) -> Diagnosis:
    """Return what may explain a wrong answer, or one that breaks a relation: what is quick.

    The rest is postponed, and looked for by `search`.
    """
    if says_unfinished(e.answer):
        return with_relation(_unfinished(e), relation)
    postponed = None if _is_offset_alone(e) else e
    found = [] if e.decisions is None else list(_explain_at_once(e))
    last = Explanation("Wrong", "", NOTHING, "Wrong")
    fits = [*(x for x in found if isinstance(x, Explanation)), last]
    return with_relation(Diagnosis(tuple(fits), _missed_by(found, fits), postponed), relation)


def search(known: Diagnosis, wanted: Wanted) -> Diagnosis:
    """Return the Diagnosis with what was postponed, as far as it is wanted."""
    e = known.postponed
    if e is None or e.decisions is None:
        return known
    found = [*_explain_slowly(e, wanted), *_explain_weightless(e, known.relation, wanted)]
    there = {x.identities for x in known.fits}
    new = [x for x in found if isinstance(x, Explanation) and x.identities not in there]
    if known.relation is not None:
        new = [elsewhere(x) for x in new]
    if is_flat(e) and e.beta is None:  # multipliers tell more
        new = [x._replace(weight=FLAT * x.weight) for x in new]
    fits = (*known.fits[:-1], *new, known.fits[-1])
    return known._replace(fits=fits, missed=known.missed | _missed_by(found, fits))


def is_flat(e: Evidence) -> bool:
    """Return whether all decisions are the same, to what is allowed, where they should differ."""
    allowed, scores, f = min(e.truth.allowed), e.truth.scores, e.decisions
    return bool(max(f) - min(f) <= allowed and max(scores) - min(scores) > 2 * allowed)


def _missed_by(found: Iterable[Explanation | str], fits: Iterable[Explanation]) -> frozenset[str]:
    """Return the identities among what was found that do not fit."""
    known = {identity for fit in fits for identity in fit.identities}
    return frozenset(x for x in found if isinstance(x, str)) - known


def with_relation(found: Diagnosis, relation: Explanation | None) -> Diagnosis:
    """Return the Diagnosis of an answer that breaks a relation, which is said if nothing fits."""
    if relation is None:
        return found
    fits = [elsewhere(x) for x in found.fits if x.flag != "Wrong"]
    return found._replace(fits=(*fits, relation), relation=relation)


def elsewhere(x: Explanation) -> Explanation:
    """Return the Explanation with its weight where it does not show in the case itself."""
    return x if x.flag in THERE_TOO else x._replace(weight=x.weight * ELSEWHERE)


def right_evidence(case: Case) -> Evidence:
    """Return the Evidence of a right answer to a case."""
    asked: Any = case.problem
    problem, rows = as_doubles(asked, [query.x for query in case.queries])
    request = request_for(case.name, problem, rows, None)
    truth = truth_of(problem, rows, case)
    b = middle_offset(truth.optimum)
    scale = getattr(truth.measure, "solved_rho", 1)  # nu-classification divides by rho
    right = [(s + b) / scale for s in truth.scores]
    return evidence_of(truth, request, Answer(decisions=right), None)


def missed_by_right(e: Evidence, wanted: Wanted) -> frozenset[str]:
    """Return the identities, of those wanted, of bugs that a right answer does not have."""
    decisions, best = Decisions(e), e.truth.optimum
    ends = best.b_low, best.b_high
    at = OffsetSources(e.truth.problem, ends, e.truth.example_scores, optimal_beta(e))
    found = [
        *explain_offset(at, *ends)[1],
        *explain_decisions(e, decisions),
        *explain_problem(e, decisions, wanted),
    ]
    return frozenset(x for x in found if isinstance(x, str))


def _unfinished(e: Evidence) -> Diagnosis:
    """Return the Diagnosis of an answer that says of itself that it is none."""
    found: Iterable[Explanation | str] = ()
    if e.decisions is not None and e.beta is not None:
        found = explain_multipliers(e, Decisions(e), Wanted(["FlatPairSkipped"]))
    flat = any(isinstance(x, Explanation) and x.flag == "FlatPairSkipped" for x in found)
    flag = "FlatPairSkipped" if flat else "NotConverged"
    return Diagnosis((Explanation(flag, "and it says so", 1.0, flag),))


def _is_offset_alone(e: Evidence) -> bool:
    """Return whether the multipliers are optimal and the decisions off by the same everywhere."""
    if e.decisions is None or not e.truth.problem.bias:
        return False
    shape = shape_of(e)
    return not shape.bent and bool(shape.outside) and has_optimal_multipliers(e)


def _explain_at_once(e: Evidence) -> Iterator[Explanation | str]:
    """Yield each quick Explanation of the decisions, and identities of those that are none."""
    decisions, shape = Decisions(e), shape_of(e)
    if not shape.bent and shape.outside and e.truth.problem.bias:
        allowed = min(e.truth.allowed)
        ends = e.truth.optimum.b_low, e.truth.optimum.b_high
        beta = stated_or_optimal_beta(e)
        at = OffsetSources(e.truth.problem, ends, e.truth.example_scores, beta)
        fits, missed = explain_offset(at, shape.shift - allowed, shape.shift + allowed)
        only = has_optimal_multipliers(e)
        if e.beta is not None and not only:
            fits = [x._replace(weight=MULTIPLIERS_WRONG * x.weight) for x in fits]
        elif _has_weights(e):
            fits = [x._replace(weight=NO_WEIGHTS * x.weight) for x in fits]
        yield from fits
        yield from missed
        yield from _explain_kept_offset(e)
        if only:
            return
    if not shape.is_right:
        yield from explain_decisions(e, decisions)


def _explain_kept_offset(e: Evidence) -> Iterator[Explanation]:
    """Yield that b is that of wrong answers before: where many have the same, it is no luck."""
    words = () if not e.b else offsets_in_words(e.b, e.truth.example_scores)
    for b in dict.fromkeys(words):
        if b in e.offsets:
            yield Explanation("StateKept", f"{b}, as in answers before", KEPT_OFFSET, b)


def _explain_slowly(e: Evidence, wanted: Wanted) -> Iterator[Explanation | str]:
    """Yield each other Explanation that is wanted, and identities of those that are none."""
    decisions, shape = Decisions(e), shape_of(e)
    if not shape.is_right:
        yield from explain_rows_decided(e, decisions, wanted)
    if decisions.finite and (not shape.is_right or e.beta is not None):
        for found in explain_problem(e, decisions, wanted):
            alone = e.beta is None and not _has_weights(e)
            if isinstance(found, Explanation) and not shape.bent and alone:
                found = found._replace(weight=found.weight * SECOND)
            yield found
    if shape.bent or shape.is_right or not e.truth.problem.bias:
        yield from explain_multipliers(e, decisions, wanted)
    if shape.bent and e.beta is None and wanted.any_of("Float32Rows"):
        yield from by_single_precision(e)  # of stated multipliers by_rounded_kernel is asked


def _has_weights(e: Evidence) -> bool:
    """Return whether the penalties differ: then it is likely that they are not as asked."""
    return len(set(e.truth.problem.C)) > 1


def _explain_weightless(
    e: Evidence, relation: Explanation | None, wanted: Wanted
) -> Iterator[Explanation | str]:
    """Yield what makes an example of weight 0 matter: it has a penalty, or others count it."""
    problem, rows = e.truth.original, e.request.rows
    more = len(e.request.y) - problem.n
    if more == 0 or relation is None or inf in problem.C or not problem.kernel.has_rows:
        return
    for wrong in _weightless_problems(problem, e.request):
        words = f"it is the optimum {wrong.why}"
        explanation = Explanation(wrong.flag, words, 1.0, wrong.why)
        made = wrong.make() if wanted.has(explanation) else None
        if made is not None:
            yield from fit(Decisions(e), explanation, guess_optimum(made[0], rows))


def _weightless_problems(problem: NumericProblem, request: Request) -> Iterator[WrongProblem]:
    """Yield the problems that examples of weight 0 belong to, or whose penalties they lessen."""
    X, y, C = request.X, request.y, problem.C
    for name, one in (("1", 1.0), ("the largest", max(C))):
        make = partial(changed, problem, request.rows, X=X, y=y, C=[one] * len(y))
        yield WrongProblem("WeightsIgnored", f"with one C for all, {name}", make)
    larger = [len(y) / problem.n * c for c in C]
    make = partial(changed, problem, request.rows, C=larger)
    yield WrongProblem("WeightsScaled", "with weights of mean 1", make)
    for unit in dict.fromkeys((1.0, max(C))):
        rows = [[c / unit * v for v in x] for c, x in zip(request.C, X)]
        make = partial(changed, problem, request.rows, X=rows, y=y, C=[unit] * len(y))
        yield WrongProblem("WeightsOnRows", "with weights that multiply the rows", make)
    X, y, C = ([v for v, c in zip(some, request.C[::-1]) if c] for some in (X, y, request.C[::-1]))
    if len(set(y)) == 2:
        make = partial(changed, problem, request.rows, X=X, y=y, C=C)
        yield WrongProblem("WeightsSwapped", "with weights in another order", make)
