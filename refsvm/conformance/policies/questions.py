"""What all policies share: a policy asks an estimator several questions besides the cases.

A policy is a function of `ask`, which takes a Request and returns an Answer. It returns a list of
(check, Finding), of every question that it asks; empty where there is nothing to judge. A question
is judged by decisions (by predictions, if there are no others), and in one of two ways:

    check_meaning       against the exact optimum of the problem that the question means
    own_answers.py      against the estimator's own answer to the same problem asked plainly: most
                        policies are a list of such questions

The second for all that is not about the optimum: forms of input, labels, weights by their words,
what was fitted before. A machine that solves another problem is not wrong a second time there.

A question is stated for C-SVC, and put to another machine in its numbers:

    values      labels -1 and 1 are values, C is C, the tube has half the width EPSILON
    nu          C is no part of the machine: nu is NU; in a step before the fit that has another C
                it is as much larger or smaller; penalties that differ are weights of mean 1
    the ball    C is 1 / (NU n), the ball that goes with NU; there is no y, as of one class
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ...kernels.base import Kernel
from ...kernels.standard import Gaussian, Linear, Polynomial, Sigmoid
from ...numerics.linalg import dot, total
from ...numerics.picks import splitmix64
from ..checks import PASS, Finding, failure
from ..checks.answer_checks import check_delivery, check_limit
from ..protocol import Answer, Request, kernel_document, problem_from_request
from ..protocol.forms import Form
from ..protocol.records import NOT_ASKED
from ..protocol.refusals import names_form, refused_thing, with_place, without_place
from ..truth import evidence_of, shape_of, truth_of

EPSILON, NU = 0.25, 0.4
LEAST_BALL = 1.5  # times 1 / n: C of a ball is more


class Ask:
    """Asks one estimator, as the machine that it is; form is None of C-SVC."""

    def __init__(self, answer: Callable[[Request], Answer], form: Form | None = None) -> None:
        self.answer, self.form = answer, form

    def __call__(self, request: Request) -> Answer:
        """Return the answer to what a request means."""
        return self.answer(self.meant(request))

    @property
    def answers(self) -> str:
        """What the machine answers: "classes", "values" or "outliers"."""
        return "classes" if self.form is None else self.form.answers

    def meant(self, request: Request) -> Request:
        """Return the request as it is put to this machine, with all that is done before it."""
        form, C = self.form, request.C
        if form is None or request.form is not None:
            return request
        changes: dict[str, Any] = {"form": form.name, "bias": None, "slack": None}
        for name in ("before", "after"):
            steps = getattr(request, name) or ()
            meant = [(verb, self.change_meant(change, C)) for verb, change in steps]
            changes[name] = meant or None
        return request._replace(**changes, **_numbers_of(form, C))

    def change_meant(self, change: dict[str, Any], C: Sequence[Any]) -> dict[str, Any]:
        """Return what is other in a step; C: the penalties of the question."""
        if self.form is None or "C" not in change:
            return change
        return {**change, **_numbers_of(self.form, change["C"], max(change["C"]) / max(C))}


def _numbers_of(form: Form, C: Sequence[Any], times: float = 1.0) -> dict[str, Any]:
    """Return the bounds, and epsilon or nu, of a machine; times: C to that of the question."""
    found: dict[str, Any] = {}
    if form.parameter is not None:
        found[form.parameter] = EPSILON if form.parameter == "epsilon" else NU
    if form.answers == "values" or not C:
        return {**found, "C": C}
    mean = total(list(map(float, C))) / len(C)
    weights = [c / mean for c in C] if len(set(C)) > 1 else [1.0] * len(C)
    if form.has_C:
        share = max(times / NU, LEAST_BALL) / len(C)
        return {"C": [share * w for w in weights]}
    return {"nu": times * NU, "C": weights}


FindingList = list[tuple[str, Finding]]  # the check, and what it found
Policy = Callable[[Ask], FindingList]
Rows = list[list[float]]
MAX_DRAWN = 7  # number of a drawn row
ROWS_SEED = 6  # of the drawn rows: each feature of them matters
MOST_LATE = 3  # answers to the questions of a policy; rows may be so large that one is, or two
NO_ANSWER = ("NotAccepted", "Crash")  # flags of an exception


def request_on_rows(
    name: str, X: Any, y: Any, C: Any = 1.0, kernel: Any = None, **more: Any
) -> Request:
    """Return a Request for an estimator, about its own rows."""
    kernel = kernel or {"name": "linear"}
    return Request(name, X, y, [C] * len(y), kernel, X, True, "hinge", 1e-6, **more)


def of_examples(request: Request, name: str, some: Sequence[int]) -> Request:
    """Return the Request about these of its examples, in this order, under another name."""
    X, y, C = ([values[i] for i in some] for values in (request.X, request.y, request.C))
    return request._replace(id=name, X=X, y=y, C=C)


def g7(finding: Finding) -> FindingList:
    """Return what check G7 found."""
    return [("G7", finding)]


def not_on_offer(reason: str) -> FindingList:
    """Return what is found of a question that cannot be asked."""
    return g7(Finding("acceptable", f"not on offer: {reason}"))


def without_answer(answer: Answer) -> FindingList | None:
    """Return what is found of an answer that has nothing to judge, else None."""
    if answer.unsupported is not None:
        return not_on_offer(answer.unsupported)
    undelivered = check_delivery(answer)
    if undelivered is not None:
        return [("G8", undelivered)]
    if answer.refused is not None:
        return g7(failure(with_place(answer.refused, answer), "NotAccepted"))
    return None


def may_refuse(findings: FindingList, of_form: bool = False) -> FindingList:
    """Return the findings, but a refusal that names something is acceptable: refusals.py.

    of_form: the question is about a form of rows or labels, or a word for a number, which may be
    named by its type.
    """
    if findings and findings[0][1].flag in NO_ANSWER:
        reason = findings[0][1].reason
        if refused_thing(reason) is not None or (of_form and names_form(reason)):
            return not_on_offer(without_place(reason))
    return findings


def about(question: str, findings: FindingList) -> FindingList:
    """Return the findings with the question that they are about."""
    return [(check, finding._replace(question=question)) for check, finding in findings]


def every_question(lists: Iterable[FindingList]) -> FindingList:
    """Return what all the questions of a policy found; after MOST_LATE late answers it ends.

    What is acceptable for the same reason at several questions is told once.
    """
    found: dict[Any, tuple[str, Finding]] = {}
    late: set[Any] = set()
    for check, finding in (one for findings in lists for one in findings):
        excused = finding.result == "acceptable"
        key = (check, finding.reason) if excused else (check, finding.question, finding.flag)
        found.setdefault(key, (check, finding))
        late.update([key] if finding.flag == "Hang" else [])
        if len(late) == MOST_LATE:
            reason = f"{NOT_ASKED}: the questions after {MOST_LATE} late answers"
            return [*found.values(), ("G8", Finding("acceptable", reason))]
    return list(found.values())


# ---- questions about the optimum


def check_meaning(ask: Ask, request: Request, flag: str) -> FindingList:
    """Check that a Request means what it says; to refuse it is no mistake."""
    answer = ask(request)
    found = without_answer(answer)
    if found is not None or answer.decisions is None:
        return may_refuse(about(request.id, found or []))
    truth = truth_of(problem_from_request(ask.meant(request)), request.rows)
    if shape_of(evidence_of(truth, request, answer, None)).is_right:
        return about(request.id, g7(PASS))
    stopped = check_limit(answer)
    if stopped is not None:
        return [("G8", stopped)]
    return about(request.id, g7(failure("not the answer to the problem that this means", flag)))


# ---- examples

# Of each kind of kernel: one by its gamma, and C by the number of features.
USUAL: dict[type[Kernel], tuple[Callable[[float], Kernel], Callable[[int], float]]] = {
    Linear: (lambda gamma: Linear(), lambda d: 1 / (2 * d)),
    Gaussian: (Gaussian, lambda d: 1.0),
    Polynomial: (lambda gamma: Polynomial(2, gamma, 1.0), lambda d: 1 / 16),
    Sigmoid: (lambda gamma: Sigmoid(gamma / 4, -1.0), lambda d: 2.0),
}


def drawn(features: int, examples: int) -> tuple[Rows, list[int]]:
    """Return rows of whole numbers 0..MAX_DRAWN, and labels by a plane of which some are wrong."""
    bits = splitmix64(ROWS_SEED)
    w = [1 - 2 * (next(bits) >> 63) for _ in range(features)]
    X = [[float(next(bits) % (MAX_DRAWN + 1)) for _ in w] for _ in range(examples)]
    heights = [dot(w, x) + next(bits) % (2 * MAX_DRAWN) for x in X]
    middle = sorted(heights)[examples // 2]
    return X, [1 if height >= middle else -1 for height in heights]


def _patterns(features: int) -> Rows:
    """Return rows of which the k-th has the features whose number has the bit k: all are told."""
    return [
        [float(MAX_DRAWN * (j >> k & 1)) for j in range(features)]
        for k in range(max(1, (features - 1).bit_length()))
    ]


def usual_kernel(kind: type[Kernel], features: int, scale: float = 1.0) -> Kernel:
    """Return a kernel that has neither equal nor vanishing values on drawn rows times a scale."""
    return USUAL[kind][0](1 / (4 * features * scale**2))


def wide_request(
    features: int, examples: int, kind: type[Kernel] = Linear, scale: float = 1.0
) -> Request:
    """Return a plain Request about drawn rows and patterns, whole numbers times a power of two.

    C is so small that multipliers meet it: else rows of half the size have the same decisions.
    Whichever feature is left out, a decision is another.
    """
    X, y = drawn(features, examples)
    kernel = usual_kernel(kind, features, scale)
    C = USUAL[kind][1](features) / (scale**2 if kind is Linear else 1)
    X, rows = ([[v * scale for v in x] for x in some] for some in (X, [*X, *_patterns(features)]))
    size = f"{examples} rows of {features} features"
    name = f"{size}, {kernel!r}" if scale == 1 else f"{size} times {scale:g}, {kernel!r}"
    return request_on_rows(name, X, y, C, kernel_document(kernel))._replace(rows=rows)
