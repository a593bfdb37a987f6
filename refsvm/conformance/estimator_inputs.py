"""How input may be given to an estimator, and what must be refused there: policies of check G7.

    labels          two words, two ints, two booleans, two floats: predicted as they were given
    integers        rows of ints are rows of numbers, as large as they are; rows to decide about
                    may be floats all the same
    arrays          arrays of small integers, of other strides, of single precision
    sparse rows     sparse matrices, whatever is stored of a row and in which order
    many rows       thousands of rows to decide about at once
    rows to decide  with a NaN, or of another width, are refused

A policy is a function of `ask`, which takes a Request and returns an Answer. It returns a list of
(check, Finding), of every question that it asks; empty where there is nothing to judge. It judges
by decisions alone.

Source: Pedregosa et al., Scikit-learn: Machine Learning in Python (2011), for the interface.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import isfinite
from typing import Any

from ..kernels.base import Kernel
from ..kernels.standard import Gaussian, Linear, Polynomial
from ..svm.problem import Problem
from .answer_checks import check_delivery
from .array_forms import COMPRESSED_ROWS, PLAIN_ROWS, SPARSE
from .checks import PASS, Finding, failure, short_text
from .protocol import Answer, Request, kernel_document
from .truth import evidence_of, shape_of, truth_of

Ask = Callable[[Request], Answer]
FindingList = list[tuple[str, Finding]]  # the check, and what it found

LINE_X, LINE_Y = [[0.0], [1.0], [3.0], [4.0], [7.0]], [-1, -1, 1, 1, 1]
PLANE_X, PLANE_Y = [[0.0, 1.0], [1.0, 3.0], [3.0, 0.0], [4.0, 2.0], [7.0, 1.0]], LINE_Y
LABEL_PAIRS: tuple[tuple[Any, Any], ...] = (
    ("no", "yes"),
    (0, 1),
    (1, 2),
    (False, True),
    (-1.0, 1.0),
    (3, -7),
    (9, 10),
    (2**53, 2**53 + 1),
)
SCALES = {  # how large features are that an array of each form holds
    "uint8": 2.0**5,
    "int8": 2.0**4,
    "int16": 2.0**12,
    "int32": 2.0**28,
    "int64": 2.0**40,
    "float16": 2.0**12,
    "float32": 1.0,
    ">f8": 1.0,
    "columns first": 1.0,
    "every second row": 1.0,
    "backwards": 1.0,
    "read-only": 1.0,
}
MANY = 2503  # a prime, so that blocks of no size fit


# ---- what all policies share


def request_on_rows(
    name: str, X: Any, y: Any, C: Any = 1.0, kernel: Any = None, **more: Any
) -> Request:
    """Return a Request for an estimator, about its own rows."""
    kernel = kernel or {"name": "linear"}
    return Request(name, X, y, [C] * len(y), kernel, X, True, "hinge", 1e-6, **more)


def g7(finding: Finding) -> FindingList:
    """Return what check G7 found."""
    return [("G7", finding)]


def without_answer(answer: Answer) -> FindingList | None:
    """Return what is found of an answer that has nothing to judge, else None."""
    if answer.unsupported is not None:
        return g7(Finding("acceptable", f"not on offer: {answer.unsupported}"))
    undelivered = check_delivery(answer)
    if undelivered is not None:
        return [("G8", undelivered)]
    if answer.refused is not None:
        return g7(failure(answer.refused, "NotAccepted"))
    return None


def check_meaning(
    ask: Ask, request: Request, problem: Problem, flag: str, rows: Any = None
) -> FindingList:
    """Check that a Request means the Problem, after a second fit and another model's, too.

    rows are those to decide about as the Problem has them, if they are others there.
    """
    answer = ask(request)
    return about(request.id, judge_meaning(answer, request, problem, flag, rows))


def judge_meaning(
    answer: Answer, request: Request, problem: Problem, flag: str, rows: Any
) -> FindingList:
    """Return what is found of the answer to a Request that means the Problem."""
    found = without_answer(answer)
    if found is not None or answer.decisions is None:
        return found or []
    truth = truth_of(problem, [list(map(float, row)) for row in rows or request.rows])
    for decisions, bug in (
        (answer.decisions, flag),
        (answer.refitted, "StateKept"),
        (answer.after_other_fit, "StateKept"),
    ):
        if decisions is None:
            continue
        one = answer._replace(decisions=decisions)
        undelivered = check_delivery(one)
        if undelivered is not None:
            return [("G8", undelivered)]
        if not shape_of(evidence_of(truth, request, one, None)).is_right:
            return g7(failure("not the answer to the problem that this means", bug))
    return g7(PASS)


def about(question: str, findings: FindingList) -> FindingList:
    """Return the findings with the question that they are about."""
    return [(check, finding._replace(question=question)) for check, finding in findings]


def every_question(lists: Iterable[FindingList]) -> FindingList:
    """Return what all the questions of a policy found; after a late answer no more are asked.

    What is acceptable for the same reason at several questions is told once.
    """
    found: dict[Any, tuple[str, Finding]] = {}
    for check, finding in (one for findings in lists for one in findings):
        excused = finding.result == "acceptable"
        key = (check, finding.reason) if excused else (check, finding.question, finding.flag)
        found.setdefault(key, (check, finding))
        if finding.flag == "Hang":
            break
    return list(found.values())


def multiplied(rows: list[list[float]], factor: float) -> list[list[float]]:
    """Return the rows times a power of two."""
    return [[v * factor for v in row] for row in rows]


# ---- the policies


def labels(ask: Ask) -> FindingList:
    """Check labels of every sort."""

    def called(pair: tuple[Any, Any]) -> FindingList:
        y = [pair[sign > 0] for sign in LINE_Y]
        request = request_on_rows(f"labels {pair[0]!r} and {pair[1]!r}", LINE_X, y, 10.0)
        answer = ask(request)
        found = without_answer(answer)
        if found is None and answer.predictions is not None and answer.predictions != y:
            reason = f"of the labels {y} it makes {answer.predictions}"
            found = g7(failure(reason, "NotAccepted"))
        if found is None and answer.decisions is not None:
            found = check_label_order(answer, y)
        return about(request.id, g7(PASS) if found is None else found)

    return every_question(map(called, LABEL_PAIRS))


def check_label_order(answer: Answer, y: list[Any]) -> FindingList | None:
    """Check that f > 0 means the larger label, classes_[1]; None if it does."""
    classes = (answer.attributes or {}).get("classes", sorted(set(y)))
    if classes != sorted(set(y)):
        return g7(failure(f"of {y} classes_ is {classes}", "LabelOrder"))
    if [f > 0 for f in answer.decisions] == [label == classes[-1] for label in y]:
        return None
    return g7(failure(f"of {y} the decisions are {answer.decisions}", "LabelOrder"))


def integers(ask: Ask) -> FindingList:
    """Check rows of ints, whose squares need 6, 16, 34 and 70 bits; rows to decide are floats."""

    def at(scale: int) -> FindingList:
        X = [[int(v * scale) for v in row] for row in LINE_X]
        floats = multiplied(LINE_X, float(scale))
        problem = Problem(floats, LINE_Y, C=float(scale) ** -2)
        request = request_on_rows(f"ints times {scale}", X, LINE_Y, problem.C[0])
        request = request._replace(rows=[*floats, [0.5], [2.5]])
        return check_meaning(ask, request, problem, "NotAccepted")

    return every_question(at(scale) for scale in (1, 2**5, 2**14, 2**32))


def arrays(ask: Ask) -> FindingList:
    """Check rows in arrays of every form: linear, and with a Gaussian kernel."""
    return every_question(
        check_form(ask, form, SCALES[form], kernel)
        for form in SCALES
        for kernel in (None, Gaussian(0.25 / SCALES[form] ** 2))
    )


def check_form(
    ask: Ask, form: str, scale: float, kernel: Kernel | None = None, flag: str = "NotAccepted"
) -> FindingList:
    """Check rows in this form; the labels are 0 and 1, of small ints where the rows are.

    C is so small that multipliers meet it: else rows of half the size have the same decisions.
    """
    X = multiplied(PLANE_X, scale)
    C = 1.0 if kernel else scale**-2 / 16
    problem = Problem(X, PLANE_Y, kernel or Linear(), C)
    name = f"{form}, {problem.kernel!r}"
    y = [int(label > 0) for label in PLANE_Y]
    request = request_on_rows(name, X, y, C, kernel_document(problem.kernel), form=form)
    return check_meaning(ask, request, problem, flag)


def sparse_rows(ask: Ask) -> FindingList:
    """Check rows in sparse matrices. An estimator that takes none may refuse them.

    One that takes compressed rows takes them however they are stored.
    """
    taken = set()

    def at(form: str) -> FindingList:
        findings = check_form(ask, form, 1.0, flag="SparseRows")
        if not findings or findings[0][1].flag not in ("NotAccepted", "Crash"):
            taken.add(form)
            return findings
        refused = findings[0][1]
        if PLAIN_ROWS in taken and form in COMPRESSED_ROWS:
            return g7(refused._replace(flag="SparseRows"))
        reason = f"not on offer: {refused.reason}"
        return g7(refused._replace(result="acceptable", flag=None, reason=reason))

    return every_question(map(at, SPARSE))


def many_rows(ask: Ask) -> FindingList:
    """Check thousands of rows to decide about: of a linear machine, and of a kernel's."""
    rows = [[k / 256] for k in range(MANY)]

    def at(kernel: Kernel) -> FindingList:
        problem = Problem(LINE_X, LINE_Y, kernel, 1 / 64)
        document = kernel_document(kernel)
        request = request_on_rows(f"{MANY} rows, {kernel!r}", LINE_X, LINE_Y, 1 / 64, document)
        return check_meaning(ask, request._replace(rows=rows), problem, "BatchDependence")

    return every_question(map(at, (Linear(), Polynomial(2, 1.0, 1.0))))


def rows_to_decide(ask: Ask) -> FindingList:
    """Check rows to decide about that are none: a NaN, a feature more, a feature less."""

    def with_row(row: list[float], flag: str, name: str) -> FindingList:
        request = request_on_rows(f"to decide: {name}", PLANE_X, PLANE_Y)
        answer = ask(request._replace(rows=[row]))
        found = g7(PASS)
        if answer.late or answer.died or answer.malformed:
            found = without_answer(answer) or []
        elif answer.decisions and all(map(isfinite, answer.decisions)):
            found = g7(failure(f"f is {short_text(answer.decisions[0])}", flag))
        return about(name, found)

    return every_question(
        with_row(*given)
        for given in (
            ([float("nan"), 1.0], "RejectNotFinite", "a NaN in a row to decide about"),
            ([1.0, 2.0, 3.0], "RejectShape", "a feature more in a row to decide about"),
            ([1.0], "RejectShape", "a feature less in a row to decide about"),
        )
    )
