"""How input may be given to an estimator, and what must be refused there: policies of check G7.

    stage            question that sees a fault in it
    reading rows     integers: rows of ints are rows of numbers, as large as they are
                     arrays: small integers, single precision, other strides, lists, data frames
                     sparse rows: whatever is stored of a row and in which order
    decision         many rows: one row and thousands, in batches of every size near a block's
                     rows to decide: with a NaN, of another width, or none of them
    labels           labels: words, whole numbers, booleans, in arrays of several types

Rows have 7 to 65 features: no number of them is a multiple of 4, 8 or 16, so that a loop that was
unrolled has a remainder. All but the last are compared with the estimator's own answer to the same
numbers, given plainly (own_answers.py). A form that is refused is not on offer; but an array of
doubles that is taken is taken wherever its numbers lie in memory.

f > 0 means the larger label, and predictions are labels as they were given. The answers are
compared with the estimator's own about the labels -1 and +1. Labels of one sort may be refused, if
all of this sort are; fractions always.

Source: Pedregosa et al., Scikit-learn: Machine Learning in Python (2011), for the interface.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from math import isfinite
from typing import Any

from ...kernels.base import Kernel
from ...kernels.standard import Gaussian, Linear, Polynomial
from ..checks import PASS, failure, short_text
from ..protocol import Answer, Request
from ..subjects.array_forms import FRAME, LAYOUTS, LISTS, SPARSE
from .own_answers import AskedTwice, OwnAnswers, same_answers
from .questions import (
    Ask,
    FindingList,
    Rows,
    about,
    every_question,
    g7,
    may_refuse,
    request_on_rows,
    wide_request,
    without_answer,
)

PLANE_X, PLANE_Y = [[0.0, 1.0], [1.0, 3.0], [3.0, 0.0], [4.0, 2.0], [7.0, 1.0]], [-1, -1, 1, 1, 1]
SCALES = {  # how large features are that an array of each form holds
    "uint8": 2.0**5,
    "int8": 2.0**4,
    "int16": 2.0**12,
    "int32": 2.0**28,
    "int64": 2.0**40,
    "float16": 2.0**12,
}
PARTS = {"X": " in fit", "rows": " to decide"}  # of a request, and where these rows are
DENSE_FORMS = ("float64", "float32", ">f8", "object", FRAME, *SCALES, *LAYOUTS, *LISTS)
WIDTHS: tuple[tuple[int, int, type[Kernel]], ...] = (  # features, examples
    (7, 20, Gaussian),
    (33, 29, Linear),
    (65, 37, Polynomial),
)
MANY = 2503  # a prime, so that blocks of no size fit
NO_ROWS: tuple[tuple[str, Rows, str], ...] = (
    ("a NaN in a row to decide about", [[float("nan"), 1.0]], "RejectNotFinite"),
    ("a feature more in a row to decide about", [[1.0, 2.0, 3.0]], "RejectShape"),
    ("a feature less in a row to decide about", [[1.0]], "RejectShape"),
    ("no row to decide about", [], "RejectShape"),
)
BATCHES = (1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 97, 128, 129)


@same_answers
def integers() -> Iterator[AskedTwice]:
    """Ask about rows of ints, whose squares need 6, 16, 34 and 70 bits; halves are to decide."""
    for scale, kind in product((1, 2**5, 2**14, 2**32), (Linear, Gaussian)):
        plain = wide_request(9, 21, kind, float(scale))
        halves = [[v + scale / 2 for v in row] for row in plain.X[:5]]
        plain = plain._replace(rows=[*plain.rows, *halves])
        ints = [[int(v) for v in row] for row in plain.X]
        yield AskedTwice(plain, plain._replace(id=f"ints {plain.id}", X=ints), "NotAccepted")


@same_answers
def arrays() -> Iterator[AskedTwice]:
    """Ask about rows in arrays of every form, at three widths."""
    for form, width in product(DENSE_FORMS, WIDTHS):
        yield _in_form(form, wide_request(*width, SCALES.get(form, 1.0)))


@same_answers
def mixed_arrays() -> Iterator[AskedTwice]:
    """Ask about rows of which those of the fit and those to decide about have different forms."""
    for form, part in product(("float32", "int8", "columns first", "sparse rows"), PARTS):
        flag = "SparseRows" if form in SPARSE else "NotAccepted"
        yield _in_form(form, wide_request(17, 25, Gaussian), flag, PARTS[part], (part,))


@same_answers
def sparse_rows() -> Iterator[AskedTwice]:
    """Ask about sparse matrices: mostly zeros, an empty row, and empty columns at the ends."""
    for kind, form in product((Linear, Gaussian), SPARSE):
        plain = wide_request(33, 29, kind)
        empty = len(plain.X[0]) - 1
        X = [
            [v if (i + j) % 3 == 0 and 0 < j < empty and i != 8 else 0.0 for j, v in enumerate(x)]
            for i, x in enumerate(plain.X)
        ]
        rows = [*X, *plain.rows[len(X) :]]
        plain = plain._replace(id=f"sparse {plain.id}", X=X, rows=rows)
        yield _in_form(form, plain, "SparseRows")


def _in_form(
    form: str,
    plain: Request,
    flag: str = "NotAccepted",
    where: str = "",
    parts: Iterable[str] = PARTS,
) -> AskedTwice:
    """Return the question with rows in this form: those of the fit, those to decide, or both."""
    if form in LAYOUTS:
        plain = plain._replace(id=f"doubles, {plain.id}", arrays=dict.fromkeys(PARTS, "float64"))
    forms = {**(plain.arrays or {}), **dict.fromkeys(parts, form)}
    other = plain._replace(id=f"{form}{where}, {plain.id}", arrays=forms)
    return AskedTwice(plain, other, flag, refusable=form not in LAYOUTS)


@same_answers
def many_rows() -> Iterator[AskedTwice]:
    """Ask about thousands of rows to decide, from either end, and batches of every size."""
    for size, kind in product(BATCHES, (Polynomial, Gaussian)):
        plain = wide_request(5, 20, kind)
        rows = [[v + k / 8 for v in plain.X[k % 20]] for k in range(BATCHES[-1] + 2)]
        plain = plain._replace(id=f"{len(rows)} rows to decide, {plain.id}", rows=rows)
        some = range(len(rows) - size, len(rows))
        other = plain._replace(id=f"batch of {size}, {plain.id}", rows=[rows[k] for k in some])
        yield AskedTwice(plain, other, "BatchDependence", False, some)
    for kind in (Linear, Polynomial, Gaussian):
        plain = wide_request(5, 20, kind)
        rows = [[v + k / 512 for v in plain.X[k % 20]] for k in range(MANY)]
        plain = plain._replace(id=f"{MANY} rows to decide, {plain.id}", rows=rows, brief=True)
        other = plain._replace(id=f"{plain.id}, from the last", rows=rows[::-1])
        yield AskedTwice(plain, other, "BatchDependence", False, range(MANY - 1, -1, -1))


def rows_to_decide(ask: Ask) -> FindingList:
    """Check rows to decide about that are none: a NaN, a feature more or less; or no row at all.

    To have no row may be refused, or has no decision.
    """

    def check(name: str, rows: Rows, flag: str) -> FindingList:
        request = request_on_rows(f"to decide: {name}", PLANE_X, PLANE_Y)
        answer = ask(request._replace(rows=rows, brief=not rows))
        found = g7(PASS)
        if answer.late or answer.died or answer.malformed:
            found = without_answer(answer) or []
        elif answer.decisions and all(map(isfinite, answer.decisions)):
            found = g7(failure(f"f is {short_text(answer.decisions[0])}", flag))
        return about(name, found)

    return every_question(check(*given) for given in NO_ROWS)


# ---- labels

LABELS: dict[str, tuple[tuple[Any, Any], ...]] = {  # those of -1 and +1, by their sort
    "words": (("no", "yes"), ("10", "9"), ("yes", "no")),
    "whole numbers": (
        (0, 1),
        (1, 0),
        (1, 2),
        (5, 6),
        (9, 10),
        (3, -7),
        (-1000, -2),
        (-1.0, 1.0),
        (2**53, 2**53 + 1),
        (-(2**62), 2**62),
    ),
    "booleans": ((False, True), (True, False)),
    "fractions": ((0.5, 1.5), (0.25, 0.75)),
}
ALWAYS_REFUSABLE = "fractions"
LABEL_FORMS: tuple[tuple[str, tuple[Any, Any]], ...] = (  # in an array of this form
    ("int8", (0, 1)),
    ("uint8", (100, 200)),
    ("uint8", (1, 0)),
    ("int16", (-300, 300)),
    ("float32", (0, 1)),
    ("float64", (1, 2)),
    ("object", (5, 6)),
    ("object", ("no", "yes")),
    ("lists", (5, 6)),
    ("lists", ("no", "yes")),
    (FRAME, (5, 6)),
    (FRAME, ("no", "yes")),
)
CLEAR_DECISION = 0.05  # a decision of this size is no tie


def labels(ask: Ask) -> FindingList:
    """Check labels of every sort, and in arrays of every type."""
    own, plain = OwnAnswers(ask), wide_request(5, 20, Linear)
    found = without_answer(own.answer(plain))
    if found is not None:
        return about(plain.id, may_refuse(found))
    asked: list[tuple[Sequence[Any], str | None, bool]] = [
        *((pairs, None, sort == ALWAYS_REFUSABLE) for sort, pairs in LABELS.items()),
        *(([pair], form, True) for form, pair in LABEL_FORMS),
    ]
    return every_question(_check_labels(own, plain, *given) for given in asked)


def _check_labels(
    own: OwnAnswers, plain: Request, pairs: Sequence[Any], form: str | None, refusable: bool
) -> FindingList:
    """Check that labels mean what -1 and +1 do, the larger one +1; all may be refused, or any."""
    found: dict[str, FindingList] = {}
    refused: dict[str, FindingList] = {}
    for pair in pairs:
        y = [pair[label > 0] for label in plain.y]
        name = f"labels {pair[0]!r} and {pair[1]!r}" + (f", {form}" if form else "")
        answer = own.ask(plain._replace(id=name, y=y, arrays={"y": form} if form else None))
        no_answer = without_answer(answer)
        if no_answer is None:
            found[name] = _judge_pair(own, plain, answer, pair)
        else:
            refused[name] = no_answer
        if answer.late is not None:
            break
    if refusable or not found:
        refused = {name: may_refuse(each, of_form=True) for name, each in refused.items()}
    return [one for name, each in {**found, **refused}.items() for one in about(name, each)]


def _judge_pair(
    own: OwnAnswers, plain: Request, answer: Answer, pair: tuple[Any, Any]
) -> FindingList:
    """Return what is found of an answer about two labels."""
    for label in answer.predictions or ():
        if label not in pair:
            return g7(failure(f"predicts {label!r}, which is no label", "NotAccepted"))
        if isinstance(pair[0], bool) and not isinstance(label, bool):
            reason = f"predicts {label!r}, a number, where the labels are False and True"
            return g7(failure(reason, "NotAccepted"))
    classes = (answer.attributes or {}).get("classes", sorted(pair))
    if classes != sorted(pair):
        return g7(failure(f"of the labels {sorted(pair)} classes_ is {classes}", "LabelOrder"))
    sign = 1 if pair[0] < pair[1] else -1
    plain_answer = own.answer(plain)
    found = own.judge(plain, plain_answer, _translated(answer, pair, sign), "NotAccepted")
    if found[0][1].result == "fail" and answer.decisions is not None:
        turned = own.judge(plain, plain_answer, _translated(answer, pair, -sign), "LabelOrder")
        reason = f"f > 0 means {min(pair)!r}, the smaller of the two labels"
        return found if turned[0][1].result == "fail" else g7(failure(reason, "LabelOrder"))
    wrong = _contradiction_of(answer, pair)
    if wrong is None:
        return found
    as_always = _contradiction_of(plain_answer, (-1, 1)) is not None
    return g7(failure(wrong, "PredictSign" if as_always else "NotAccepted"))


def _contradiction_of(answer: Answer, pair: tuple[Any, Any]) -> str | None:
    """Return a sentence about a row of which decision and prediction differ; None if none does."""
    for f, label in zip(answer.decisions or (), answer.predictions or ()):
        if abs(f) > CLEAR_DECISION and label != (max(pair) if f > 0 else min(pair)):
            return f"predicts {label!r} where f is {f:.3g}"
    return None


def _translated(answer: Answer, pair: tuple[Any, Any], sign: int) -> Answer:
    """Return the answer as if the labels had been -1 and +1; sign is that of the decisions."""
    if answer.decisions is not None:
        return answer._replace(decisions=[sign * f for f in answer.decisions])
    labels = [2 * (label == pair[1]) - 1 for label in answer.predictions or ()]
    return answer._replace(predictions=labels or None)
