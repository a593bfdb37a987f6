"""State of an estimator, and its settings, which must not matter: policies of check G7.

    stage            question that sees a fault in it
    state            refits: other examples, features, labels, classes, parameters before; a fit
                     that failed; arrays that were overwritten; other objects beside; copies
    rows and cache   settings: a cache that holds next to nothing, shrinking on and off, jobs
    stop             few steps: max_iter is small, and the answer is right or says it has not ended
    start            warm start: a fit that goes on from an earlier one ends where a first fit does

All are compared with the estimator's own answer of a new object with its usual settings. What the
constructor has no parameter for is not asked.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from math import inf
from typing import Any

from ...kernels.base import Kernel
from ...kernels.standard import Gaussian, Linear, Polynomial
from ..checks import PASS, Finding, failure
from ..protocol import Answer, Request, kernel_document, problem_from_request, says_unfinished
from ..protocol.records import UNASKED
from ..subjects.fitted_estimators import THREADS, refuses_second_fit
from ..truth import middle_offset, truth_of
from .own_answers import AskedTwice, OwnAnswers, distances
from .questions import (
    Ask,
    FindingList,
    about,
    drawn,
    every_question,
    g7,
    may_refuse,
    not_on_offer,
    request_on_rows,
    usual_kernel,
    wide_request,
    without_answer,
)

Steps = list[tuple[str, dict[str, Any]]]
SETTINGS: tuple[tuple[str, Any], ...] = (  # parameters that must not change the answer
    ("cache_size", 1e-3),
    ("cache_size", 1e-9),
    ("cache_mb", 1e-3),
    ("shrinking", False),
    ("shrinking", True),
    *((name, 2) for name in THREADS),
)
CLEARLY_OTHER = 10.0  # optima that are so far apart, in what is allowed
FEW_STEPS = (1, 2, 5, 20)
WARM_STARTS = (  # of befores: what the fit goes on from
    "a smaller C or nu",
    "some labels exchanged",
    "the same rows in another order",
    "fewer examples",
    "more examples",
    "fewer features",
)


# ---- fits before and beside


def refits(ask: Ask) -> FindingList:
    """Check that nothing is left of what was done with the object, and with others, before."""
    own = OwnAnswers(ask)
    return every_question(one for kind in (Gaussian, Linear) for one in _histories_of(own, kind))


def _histories_of(own: OwnAnswers, kind: type[Kernel]) -> Iterator[FindingList]:
    """Yield what is found of each history; of the second fit alone, if there may be none."""
    plain = wide_request(7, 20, kind)
    befores = _befores(plain, kind, own.ask.answers)
    changes: dict[str, dict[str, Any]] = {
        "fitted twice": {"before": [("fit", {})]},
        **{f"fitted after {name}": {"before": steps} for name, steps in befores.items()},
        **{name: {"after": steps} for name, steps in _afters(plain).items()},
    }
    for name, change in changes.items():
        other = plain._replace(id=f"{name}, {plain.id}", **change)
        found = own.compare(AskedTwice(plain, other, "StateKept", refusable=False))
        if name == "fitted twice" and refuses_second_fit(found[0][1].reason):
            yield may_refuse([(check, f._replace(flag="NotAccepted")) for check, f in found])
            return
        yield found


def _befores(plain: Request, kind: type[Kernel], answers: str) -> dict[str, Steps]:
    """Return {what was before: its steps}, for a machine that answers this (questions.py)."""
    turned, fit = plain.X[::-1], partial(_fit_before, plain)
    between = [plain.X[0], *turned[1:-1], plain.X[-1]]
    holed = [[float("nan"), *x[1:]] if i == 3 else x for i, x in enumerate(plain.X)]
    other = Linear if kind is Gaussian else Polynomial

    return {
        "more features": fit(*drawn(11, 20)),
        "fewer features": fit(*drawn(5, 20)),
        "more examples": fit(*drawn(7, 34)),
        "fewer examples": fit(*drawn(7, 9)),
        "the same rows in another order": fit(turned, plain.y),
        "other rows between the first and the last": fit(between, plain.y),
        **_labels_before(plain, answers),
        "a smaller C or nu": [("fit", {"C": [c / 64 for c in plain.C]})],
        "another kernel": [("fit", {"kernel": kernel_document(usual_kernel(other, 7))})],
        "one step": [("fit", {"max_iter": 1})],
        "a row with a NaN": fit(holed, plain.y),
        "two fits to other rows": fit(*drawn(5, 9)) + fit(*drawn(9, 33)),
        "its arrays held other rows": [("overwrite", {"X": turned})],
        "it was made with another C or nu": [("make", {"C": [c / 64 for c in plain.C]})],
        "it was made with another kernel": [
            ("make", {"kernel": kernel_document(usual_kernel(other, 7))})
        ],
        "it was cloned": [("copy", {"by": "clone"})],
    }


def _fit_before(plain: Request, X: Any, y: Any) -> Steps:
    """Return the step of a fit to other examples."""
    return [("fit", {"X": X, "y": y, "rows": X, "C": [plain.C[0]] * len(y)})]


def _labels_before(plain: Request, answers: str) -> dict[str, Steps]:
    """Return {what was before: its steps} of fits to other y, where there are any."""
    y = plain.y
    found = {
        "some labels exchanged": [-label if i % 5 == 0 else label for i, label in enumerate(y)],
        "all labels exchanged": [-label for label in y],
        "labels that were words": ["no" if label > 0 else "yes" for label in y],
        "three classes": [i % 3 for i in range(len(y))],
        "one class alone": [1] * len(y),
    }
    kept = {"classes": list(found), "values": list(found)[:2]}.get(answers, [])
    steps = {name: _fit_before(plain, plain.X, found[name]) for name in kept}
    if answers == "classes":
        weights = {"class_weight": [[-1, 8.0], [1, 1.0]]}
        steps["other weights of classes"] = [("fit", weights)]
    return steps


def _afters(plain: Request) -> dict[str, Steps]:
    """Return {what is after the fit: its steps}."""
    more_X, more_y = drawn(7, 34)
    rows = plain.X[::-1]
    return {
        "asked about other rows first": [("decide", {"rows": [*rows, *plain.rows[len(rows) :]]})],
        "asked about no rows first": [("decide", {"rows": []})],
        "beside a machine of other rows": [("beside", {"X": rows})],
        "beside a machine of more rows": [
            ("beside", {"X": more_X, "y": more_y, "C": [plain.C[0]] * len(more_y)})
        ],
        "a deep copy": [("copy", {"by": "deepcopy"})],
        "saved and loaded": [("copy", {"by": "pickle"})],
    }


# ---- warm starts


def warm_start(ask: Ask) -> FindingList:
    """Check fits that go on from an earlier fit, where the constructor has warm_start."""
    own = OwnAnswers(ask)
    return every_question(one for kind in (Gaussian, Linear) for one in _warm_starts(own, kind))


def _warm_starts(own: OwnAnswers, kind: type[Kernel]) -> Iterator[FindingList]:
    """Yield what is found of each start; of the first alone, if there may be none.

    An estimator that stops before its optimum ends elsewhere from each start. How far apart its
    answers are is shown by going on with the same examples, which is no mistake then.
    """
    plain = wide_request(7, 20, kind)
    same = _warm_request(plain, "the same examples", [("fit", {})])
    found, mine = own.compare(AskedTwice(plain, same, "WarmStart")), own.answer(plain)
    if without_answer(mine) is not None or found[0][1].reason.startswith(UNASKED):
        yield found
        return
    if found[0][1].result == "fail" and not _is_optimum(own.ask, plain, mine):
        reason = "it goes on from an answer that is no optimum"
        found = about(same.id, g7(Finding("acceptable", reason)))
    yield found
    again = distances(plain, mine, own.answer(same))
    own.spreads[plain.id] = max([own.spread(plain, mine), *(again or [])])
    steps = _befores(plain, kind, own.ask.answers)
    for name in filter(steps.__contains__, WARM_STARTS):
        yield own.compare(AskedTwice(plain, _warm_request(plain, name, steps[name]), "WarmStart"))


def _warm_request(plain: Request, name: str, before: Steps) -> Request:
    """Return the Request of a fit that goes on."""
    name = f"warm start after {name}, {plain.id}"
    return plain._replace(id=name, settings={"warm_start": True}, before=before)


def _is_optimum(ask: Ask, request: Request, answer: Answer) -> bool:
    """Return whether an answer is the optimum."""
    apart = distances(request, _optimum_of(ask, request, request.rows), answer)
    return apart is not None and max(apart) <= 1


# ---- problems that look alike


def lookalikes(ask: Ask) -> FindingList:
    """Check problems that agree with the one before in what a cache may be looked up by.

    The answers are those of new objects. An answer that is that to the first problem, where the
    optimum is another, was kept.
    """
    own = OwnAnswers(ask)
    X = [[0.0, 1.0], [1.0, 3.0], [3.0, 0.0], [4.0, 2.0], [2.0, 2.0], [7.0, 1.0]]
    y, kernel = [-1, -1, 1, 1, -1, 1], {"name": "gaussian", "gamma": 0.125}
    first = request_on_rows("the problem that the others look like", X, y, 2.0, kernel)
    within = [X[0], X[3], X[4], X[1], X[2], X[5]]
    others: dict[str, dict[str, Any]] = {
        "the same rows in another order": {"X": within},
        "another row between": {"X": [*X[:2], [3.0, 5.0], *X[3:]]},
        "the same sums of rows": {"X": [*X[:2], [1.0, 2.0], *X[3:]]},
        "other labels between": {"y": [-1, 1, -1, 1, -1, 1]},
        "another C": {"C": [0.25] * 6},
        "weights": {"C": [0.5, 2.0, 0.5, 0.5, 2.0, 0.5]},
        "another gamma": {"kernel": {"name": "gaussian", "gamma": 1.0}},
    }

    def check(name: str, change: dict[str, Any]) -> FindingList:
        request = first._replace(id=f"{name} as before", **change)
        if ask.meant(request)._replace(id=first.id) == ask.meant(first):
            return []  # it is no other problem of this machine
        plain, answer = own.answer(first), ask(request)
        found = without_answer(plain) or without_answer(answer)
        if found is not None:
            return about(request.id, may_refuse(found))
        if not _is_kept(ask, first, plain, request, answer):
            return about(request.id, g7(PASS))
        reason = "new objects have the answer of the problem that was asked before"
        return about(request.id, g7(failure(reason, "StateKept")))

    return every_question(check(*given) for given in others.items())


def _is_kept(ask: Ask, first: Request, plain: Answer, request: Request, answer: Answer) -> bool:
    """Return whether an answer is that to the first problem, which is right there only."""
    right, other = (_optimum_of(ask, one, first.rows) for one in (first, request))
    found = [distances(first, right, one) or [inf] for one in (plain, answer, other)]
    is_right, is_same, apart = map(max, found)
    return is_right <= 1 and is_same <= 1 and apart > CLEARLY_OTHER


def _optimum_of(ask: Ask, request: Request, rows: list[Any]) -> Answer:
    """Return the right answer about rows; that of nu-classification is divided by rho."""
    truth = truth_of(problem_from_request(ask.meant(request)), rows)
    b, rho = middle_offset(truth.optimum), getattr(truth.measure, "solved_rho", 1)
    return Answer(decisions=[float((s + b) / rho) for s in truth.scores])


# ---- settings


def settings(ask: Ask) -> FindingList:
    """Check the parameters that must not change the answer, on seventy examples."""
    own = OwnAnswers(ask)
    plain = wide_request(9, 70, Gaussian)

    def at(name: str, value: Any) -> FindingList:
        other = plain._replace(id=f"{name}={value}, {plain.id}", settings={name: value})
        found = own.compare(AskedTwice(plain, other, "Settings"))
        return [] if "has no" in found[0][1].reason else found

    found = every_question(at(*given) for given in SETTINGS)
    return found or not_on_offer("a cache, shrinking, threads")


def few_steps(ask: Ask) -> FindingList:
    """Check that an answer after few steps is right, or says that it has not finished."""
    own = OwnAnswers(ask)
    plain = wide_request(9, 41, Gaussian)

    def at(steps: int) -> FindingList:
        request = plain._replace(id=f"max_iter={steps}, {plain.id}", max_iter=steps)
        answer = ask(request)
        no_answer = without_answer(answer)
        if no_answer is not None:
            return about(request.id, may_refuse(no_answer))
        plainly = own.answer(plain)
        if without_answer(plainly) is not None or says_unfinished(answer):
            return about(request.id, [("G8", PASS)])
        (_, found), *_ = own.judge(plain, plainly, answer, "NotSaid")
        if found.result == "fail":
            reason = f"stopped after max_iter = {steps}, and does not say so: {found.reason}"
            found = failure(reason, "NotSaid")
        return about(request.id, [("G8", found)])

    return every_question(map(at, FEW_STEPS))
