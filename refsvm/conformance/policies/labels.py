"""Two labels of every sort: the policy of check G7 that sees faults in the stage of labels.

Words, whole numbers, booleans, in arrays of several types: f > 0 means the larger label, and
predictions are labels as they were given. The answers are compared with the estimator's own about
the labels -1 and +1. Labels of one sort may be refused, if all of this sort are; fractions always.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Any

from ...kernels.standard import Linear
from ..checks import failure
from ..protocol import Answer, Request
from ..subjects.array_forms import FRAME
from .own_answers import OwnAnswers
from .questions import (
    Ask,
    FindingList,
    about,
    every_question,
    g7,
    may_refuse,
    wide_request,
    without_answer,
)

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
CLEAR = 0.05  # a decision of this size is no tie


def labels(ask: Ask) -> FindingList:
    """Check labels of every sort, and in arrays of every type."""
    own, plain = OwnAnswers(ask), wide_request(5, 20, Linear)
    found = without_answer(own.answer(plain))
    if found is not None:
        return about(plain.id, may_refuse(found))
    sorts = (_check_sort(own, plain, sort) for sort in LABELS)
    forms = (check_labels(own, plain, [pair], form, True) for form, pair in LABEL_FORMS)
    return every_question(chain(sorts, forms))


def _check_sort(own: OwnAnswers, plain: Request, sort: str) -> FindingList:
    """Check the pairs of labels of one sort; all of them may be refused."""
    return check_labels(own, plain, LABELS[sort], None, sort == ALWAYS_REFUSABLE)


def check_labels(
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
            found[name] = judge_pair(own, plain, answer, pair)
        else:
            refused[name] = no_answer
        if answer.late is not None:
            break
    if refusable or not found:
        refused = {name: may_refuse(each, of_form=True) for name, each in refused.items()}
    return [one for name, each in {**found, **refused}.items() for one in about(name, each)]


def judge_pair(
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
    found = own.judge(plain, plain_answer, translated(answer, pair, sign), "NotAccepted")
    if found[0][1].result == "fail" and answer.decisions is not None:
        turned = own.judge(plain, plain_answer, translated(answer, pair, -sign), "LabelOrder")
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
        if abs(f) > CLEAR and label != (max(pair) if f > 0 else min(pair)):
            return f"predicts {label!r} where f is {f:.3g}"
    return None


def translated(answer: Answer, pair: tuple[Any, Any], sign: int) -> Answer:
    """Return the answer as if the labels had been -1 and +1; sign is that of the decisions."""
    if answer.decisions is not None:
        return answer._replace(decisions=[sign * f for f in answer.decisions])
    labels = [2 * (label == pair[1]) - 1 for label in answer.predictions or ()]
    return answer._replace(predictions=labels or None)
