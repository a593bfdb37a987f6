"""Several classes: the policies of check G7 that see faults in the stage of votes.

    three classes     three classes far apart, called by words and by numbers
    many classes      four to ten of them, one of a single example; the scores have a column for
                      each class or each pair of classes, and the largest is the predicted one's
    votes of pairs    classes that overlap: where one class beats each other one alone, and is also
                      the first against the rest, it is predicted
    vote in a circle  three classes of which each beats one (E1)

One against one and one against the rest are both right. Classes that overlap are compared with the
estimator's own decisions about two classes.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

from ..kernels.standard import Gaussian
from ..svm.problem import Problem
from .answer_checks import contradiction
from .checks import PASS, Finding, failure
from .own_answers import OwnAnswers
from .protocol import Answer, Request
from .questions import (
    Ask,
    FindingList,
    Rows,
    about,
    every_question,
    g7,
    not_on_offer,
    request_on_rows,
    wide_request,
    without_answer,
)
from .subject_attributes import has_right_support
from .truth import Truth, evidence_of, middle_offset, shape_of, truth_of

CLUSTERS_X = [[0.0, 0.0], [1.0, 0.0], [20.0, 0.0], [21.0, 0.0], [0.0, 20.0], [1.0, 21.0]]
THREE_LABELS: tuple[tuple[Any, ...], ...] = (
    ("a", "b", "c"),
    (5, 6, 7),
    (10, 0, -3),
    (2**40, 7, -(2**40)),
)
CIRCLE_X = [[0.0, 0.0], [4.0, 0.0], [2.0, 4.0], [1.0, 0.0], [4.0, 1.0], [2.0, 1.0]]
CLASS_PAIRS = ((0, 1), (0, 2), (1, 2))
CLEAR = 0.05  # by so much a class must be ahead, so that every scheme predicts it


# ---- classes far apart


def three_classes(ask: Ask) -> FindingList:
    """Check three classes far apart, which are called by words, by numbers, and from the last."""

    def called(names: tuple[Any, ...]) -> FindingList:
        y = [name for name in names for _ in range(2)]
        request = request_on_rows(f"three classes {names}", CLUSTERS_X, y, 10.0)
        return judge_apart(request, ask(request))

    return every_question(map(called, THREE_LABELS))


def many_classes(ask: Ask) -> FindingList:
    """Check four to ten classes far apart, one of them of a single example, in no order."""

    def of(k: int) -> FindingList:
        X, y = far_apart(k)
        request = request_on_rows(f"{k} classes", X, y, 10.0)
        return judge_apart(request, ask(request))

    return every_question(map(of, (4, 5, 7, 10)))


def far_apart(k: int) -> tuple[Rows, list[int]]:
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


def judge_apart(request: Request, answer: Answer) -> FindingList:
    """Return what is found of an answer about classes far apart."""
    return about(request.id, found_apart(request, answer))


def found_apart(request: Request, answer: Answer) -> FindingList:
    """The same, without the question."""
    if not takes_several(answer):
        return not_on_offer("more than two classes")
    found = without_answer(answer)
    if found is not None:
        return found
    if answer.predictions is not None and answer.predictions != request.y:
        k = [p == label for p, label in zip(answer.predictions, request.y)].index(False)
        reason = f"row {k} is of class {request.y[k]!r}; it predicts {answer.predictions[k]!r}"
        return g7(failure(reason, "NotAccepted"))
    attributes = answer.attributes or {}
    if not has_right_support(attributes, request):
        return [("G6", failure("X[support_] is not support_vectors_", "SupportIndices"))]
    contradicted = contradiction(attributes, request.y)
    if contradicted is not None:
        return [("G6", failure(contradicted, "Attributes"))]
    return g7(check_columns(request, answer))


def check_columns(request: Request, answer: Answer) -> Finding:
    """Check that scores have a column a class or a pair, and speak for the class of each row."""
    classes, scores = sorted(set(request.y)), answer.scores
    if scores is None:
        return PASS
    k, width = len(classes), len(scores[0])
    if width not in (k, k * (k - 1) // 2):
        pairs = k * (k - 1) // 2
        reason = f"{width} scores a row; {k} classes have {k}, or {pairs} of their pairs"
        return failure(reason, "Votes")
    sides = [1] if width == k and k > 3 else [1, -1, 0] if width == k else [1, -1]
    for side in sides:
        told = [spoken_for(row, k, side) for row in scores]
        if all(classes.index(label) in best for label, best in zip(request.y, told)):
            return PASS
    row = next(i for i, label in enumerate(request.y) if classes.index(label) not in told[i])
    reason = f"the scores of row {row}, of class {request.y[row]!r}, speak for another class"
    return failure(reason, "Votes")


def spoken_for(row: list[float], k: int, side: int) -> list[int]:
    """Return the classes with most votes, or with the largest score.

    side is +1 if a decision above 0 is for the first of a pair, -1 if for the second; it is 0, or
    there are more than 3 classes, where each class has a score of its own.
    """
    if side == 0 or len(row) == k > 3:
        return [c for c, f in enumerate(row) if f == max(row)]
    votes = [0] * k
    for (p, q), f in zip(combinations(range(k), 2), row):
        votes[p if side * f > 0 else q] += 1
    return [c for c, count in enumerate(votes) if count == max(votes)]


def takes_several(answer: Answer) -> bool:
    """Return whether the answer to several classes is no refusal."""
    return answer.refused is None and answer.unsupported is None and answer.crashed is None


# ---- votes


def votes_of_pairs(ask: Ask) -> FindingList:
    """Check four classes that overlap against the estimator's own decisions about two of them.

    Judged at rows where the class that beats each other one is also the first against the rest.
    """
    own = OwnAnswers(ask)
    plain = wide_request(5, 32, Gaussian)
    names = (30, -2, 7, 11)
    y = [names[(x[1] > 3) + 2 * (x[0] > 4)] for x in plain.X]
    request = plain._replace(id="votes of pairs", y=y, C=[4.0] * len(y))
    answer = ask(request)
    if not takes_several(answer):
        return not_on_offer("more than two classes")
    found = without_answer(answer)
    if found is None and answer.predictions is None:
        found = not_on_offer("predictions")
    if found is not None:
        return about(request.id, found)
    classes = sorted(names)
    winners = first_of_all(own, request, classes)
    if winners is None:
        return not_on_offer("decisions about two classes")
    for k, (winner, label) in enumerate(zip(winners, answer.predictions)):
        if winner is not None and label != winner:
            reason = f"predicts {label} at row {k}; alone, {winner} beats each other class there"
            return about(request.id, g7(failure(reason, "Votes")))
    turned = request._replace(id="classes in another order", X=request.X[::-1], y=y[::-1])
    turned = turned._replace(rows=request.rows)
    more = own.compare(request, turned, "LabelOrder", refusable=False)
    return every_question([about(request.id, g7(PASS)), more])


def first_of_all(own: OwnAnswers, request: Request, classes: Sequence[Any]) -> list[Any] | None:
    """Return the class of each row that all decisions are for; None where they are not clear."""
    pairs: dict[Any, list[float]] = {}
    rest: list[list[float]] = []
    for p, q in combinations(classes, 2):
        pairs[p, q] = decided(own, two_classes(request, [p], [q]))
    for one in classes:
        rest.append(decided(own, two_classes(request, [c for c in classes if c != one], [one])))
    if [] in rest or [] in pairs.values():
        return None
    winners = []
    for k in range(len(request.rows)):
        scores = [f[k] for f in rest]
        first = scores.index(max(scores))
        runner_up = max(f for c, f in enumerate(scores) if c != first)
        beaten = [
            f[k] < -CLEAR if p == classes[first] else f[k] > CLEAR
            for (p, q), f in pairs.items()
            if classes[first] in (p, q)
        ]
        clear = scores[first] > runner_up + CLEAR and all(beaten)
        winners.append(classes[first] if clear else None)
    return winners


def two_classes(request: Request, low: Sequence[Any], high: Sequence[Any]) -> Request:
    """Return the Request about examples of these labels: -1 for the low ones, +1 for the high."""
    kept = [i for i, label in enumerate(request.y) if label in (*low, *high)]
    return request._replace(
        id=f"{list(low)} against {list(high)}",
        X=[request.X[i] for i in kept],
        y=[1 if request.y[i] in high else -1 for i in kept],
        C=[request.C[i] for i in kept],
    )


def decided(own: OwnAnswers, request: Request) -> list[float]:
    """Return the decisions, or predictions in their place; [] where there are neither."""
    answer = own.answer(request)
    return list(answer.decisions or answer.predictions or [])


def vote_in_a_circle(ask: Ask) -> FindingList:
    """Check E1, whole: at (0, 1) each class has one vote, and any may be predicted.

    To predict another class than the one with the largest score is no mistake, for votes tie and
    scores do not; but it surprises, and is acceptable.
    """
    y = [0, 0, 1, 1, 2, 2]
    request = request_on_rows("vote in a circle", CIRCLE_X, y)
    request = request._replace(rows=[*CIRCLE_X, [0.0, 1.0]])
    answer = ask(request._replace(pairs=True))
    if not takes_several(answer):
        return not_on_offer("three classes")
    if not is_table(answer.scores, len(request.rows), len(CLASS_PAIRS)):
        return not_on_offer("the decisions of pairs of classes")
    votes = count_votes(request, y, answer)
    if votes is None:
        return g7(failure("the decisions of the pairs of classes are not theirs", "Votes"))
    for x, votes_here, label in zip(request.rows, votes, answer.predictions or []):
        if dict(enumerate(votes_here)).get(label, -1) < max(votes_here):
            reason = f"predicts {label} at {x}, where the votes are {votes_here}"
            return g7(failure(reason, "Votes"))
    return g7(check_largest_score(request.rows, ask(request)))


def count_votes(request: Request, y: list[int], answer: Answer) -> list[list[int]] | None:
    """Return the votes for each class at each row; None if the pairs are decided wrongly."""
    votes = [[0] * len(CLASS_PAIRS) for _ in request.rows]
    sides = set()
    for column, (p, q) in zip(zip(*answer.scores), CLASS_PAIRS):
        X = [x for x, label in zip(request.X, y) if label in (p, q)]
        problem = Problem(X, [1 if label == p else -1 for label in y if label in (p, q)])
        truth = truth_of(problem, request.rows)
        sides.add(side_of(truth, request, column))
        for count, s in zip(votes, truth.scores):
            count[p if s + middle_offset(truth.optimum) > 0 else q] += 1
    return votes if len(sides) == 1 and sides != {0} else None


def is_table(values: Any, length: int, width: int) -> bool:
    """Return whether it is a list of so many rows of so many numbers."""
    return (
        isinstance(values, list)
        and len(values) == length
        and all(isinstance(row, list) and len(row) == width for row in values)
    )


def side_of(truth: Truth, request: Request, decisions: Any) -> int:
    """Return +1 if the decisions are those of the first class, -1 of the second, 0 of neither."""
    for side in (1, -1):
        answer = Answer(decisions=[side * f for f in decisions])
        if shape_of(evidence_of(truth, request, answer, None)).is_right:
            return side
    return 0


def check_largest_score(rows: list[Any], answer: Answer) -> Finding:
    """Check that predictions have the largest score."""
    for x, label, scores in zip(rows, answer.predictions or [], answer.scores or []):
        score = dict(enumerate(scores)).get(label)
        if len(scores) == len(CLASS_PAIRS) and score is not None and score < max(scores):
            best = scores.index(max(scores))
            reason = f"votes tie at {x}: it predicts {label}, the largest score is that of {best}"
            return Finding("acceptable", reason)
    return PASS
