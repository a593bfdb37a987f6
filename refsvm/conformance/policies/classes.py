"""Several classes, far apart: policies of check G7.

    three classes     three classes far apart, called by words and by numbers
    many classes      four to ten of them, one of a single example; the scores have a column for
                      each class or each pair of classes, and the largest is the predicted one's

Classes that overlap are asked in overlapping_classes.py.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import combinations
from typing import Any

from ..checks import PASS, Finding, failure
from ..checks.answer_checks import contradiction
from ..protocol import Answer, Request
from ..protocol.refusals import CLASSES, LIMIT, exception_of, names_form, refused_thing
from ..subjects.fitted_estimators import has_right_support
from .questions import (
    Ask,
    FindingList,
    Rows,
    about,
    every_question,
    g7,
    not_on_offer,
    request_on_rows,
    without_answer,
)

CLUSTERS_X = [[0.0, 0.0], [1.0, 0.0], [20.0, 0.0], [21.0, 0.0], [0.0, 20.0], [1.0, 21.0]]
THREE_LABELS: tuple[tuple[Any, ...], ...] = (
    ("a", "b", "c"),
    (5, 6, 7),
    (10, 0, -3),
    (2**40, 7, -(2**40)),
)


def three_classes(ask: Ask) -> FindingList:
    """Check three classes far apart, which are called by words, by numbers, and from the last."""
    return _ask_each(ask, {f"three classes {c}": (CLUSTERS_X, _twice(c)) for c in THREE_LABELS})


def many_classes(ask: Ask) -> FindingList:
    """Check four to ten classes far apart, one of them of a single example, in no order."""
    return _ask_each(ask, {f"{k} classes": _far_apart(k) for k in (4, 5, 7, 10)})


def _ask_each(ask: Ask, asked: Mapping[str, tuple[Rows, list[Any]]]) -> FindingList:
    """Ask about each of these examples, by their name, and return what is found."""
    requests = [request_on_rows(name, X, y, 10.0) for name, (X, y) in asked.items()]
    return every_question(about(r.id, _found_apart(r, ask(r))) for r in requests)


def _twice(names: Sequence[Any]) -> list[Any]:
    """Return each name two times."""
    return [name for name in names for _ in range(2)]


def _far_apart(k: int) -> tuple[Rows, list[int]]:
    """Return k classes: the c-th is near 6 times the c-th unit vector; labels are 3 (c - 2)."""
    X, y = [], []
    for i in range(3 * k):
        c = (5 * i * i + 2 * i + 1) % k
        X.append([6.0 * (j == c) + (i * (j + 2)) % 3 / 4 for j in range(k)])
        y.append(3 * (c - 2))
    for c in (c for c in range(k) if 3 * (c - 2) not in y):
        X.append([6.0 * (j == c) for j in range(k)])
        y.append(3 * (c - 2))
    return X, y


def _found_apart(request: Request, answer: Answer) -> FindingList:
    """Return what is found of an answer about classes far apart."""
    if not takes_several(answer):
        return not_on_offer("more than two classes")
    found = without_answer(answer)
    if found is not None:
        return found
    if answer.predictions is not None and answer.predictions != request.y:
        k = [p == label for p, label in zip(answer.predictions, request.y)].index(False)
        reason = f"row {k} is of class {request.y[k]!r}; it predicts {answer.predictions[k]!r}"
        is_label = answer.predictions[k] in request.y
        return g7(failure(reason, "Votes" if is_label else "NotAccepted"))
    attributes = answer.attributes or {}
    if not has_right_support(attributes, request):
        return [("G6", failure("X[support_] is not support_vectors_", "SupportIndices"))]
    contradicted = contradiction(attributes, request.y)
    if contradicted is not None:
        return [("G6", failure(contradicted, "Attributes"))]
    return g7(_check_columns(request, answer))


def _check_columns(request: Request, answer: Answer) -> Finding:
    """Check that scores have a column a class or a pair, and speak for the class of each row."""
    classes, scores = sorted(set(request.y)), answer.scores
    if scores is None:
        return PASS
    k, width = len(classes), len(scores[0])
    pairs = k * (k - 1) // 2
    if width not in (k, pairs):
        reason = f"{width} scores a row; {k} classes have {k}, or {pairs} of their pairs"
        return failure(reason, "Votes")
    ways: list[Callable[[list[float]], list[int]]] = []
    if width == pairs:  # a decision above 0 is for the first of a pair, or for the second
        ways += [partial(_most_votes, k, 1), partial(_most_votes, k, -1)]
    if width == k:
        ways.append(_places_of_largest)
    told = [list(map(way, scores)) for way in ways]
    if _speak_for(classes, request.y, told):
        return PASS
    for why, order in _wrong_orders(request.y).items():
        if _speak_for(order, request.y, told):
            return failure(f"the columns of the scores are of the labels {why}", "LabelOrder")
    row = next(i for i, label in enumerate(request.y) if classes.index(label) not in told[-1][i])
    reason = f"the scores of row {row}, of class {request.y[row]!r}, speak for another class"
    return failure(reason, "Votes")


def _speak_for(classes: list[Any], y: Sequence[Any], told: list[list[list[int]]]) -> bool:
    """Return whether the scores of each row, read one way, speak for its label."""
    places = [classes.index(label) for label in y]
    return any(all(c in best for c, best in zip(places, one)) for one in told)


def _wrong_orders(y: Sequence[Any]) -> dict[str, list[Any]]:
    """Return orders of the classes that are not theirs, with what is then said of the labels."""
    classes = sorted(set(y))
    return {
        "sorted as words": sorted(classes, key=str),
        "in the order of the examples": list(dict.fromkeys(y)),
        "from the last to the first": classes[::-1],
    }


def _most_votes(k: int, side: int, row: list[float]) -> list[int]:
    """Return the classes with most votes; times side a decision above 0 is for the first."""
    votes = [0] * k
    for (p, q), f in zip(combinations(range(k), 2), row):
        votes[p if side * f > 0 else q] += 1
    return _places_of_largest(votes)


def _places_of_largest(row: Sequence[float]) -> list[int]:
    """Return where the largest numbers stand."""
    return [c for c, f in enumerate(row) if f == max(row)]


def takes_several(answer: Answer) -> bool:
    """Return whether the answer to several classes is no refusal."""
    sentence = exception_of(answer)
    if sentence is None:
        return answer.unsupported is None
    return refused_thing(sentence, [CLASSES, LIMIT]) is None and not names_form(sentence)
