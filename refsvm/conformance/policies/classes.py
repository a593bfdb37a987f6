"""Several classes, far apart or overlapping: policies of check G7.

    three classes     three classes far apart, called by words and by numbers
    many classes      four to ten of them, one of a single example; the scores have a column for
                      each class or each pair of classes, and the largest is the predicted one's
    votes of pairs    where one class beats each other one alone, and is also the first against the
                      rest, it is predicted; scores, weights, the order of the examples
    vote in a circle  three classes of which each beats one (E1)

One against one and one against the rest are both right. Classes that overlap are compared with the
estimator's own decisions about two of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, combinations
from typing import Any

from ...kernels.standard import Gaussian
from ..checks import PASS, Finding, failure
from ..checks.answer_checks import contradiction
from ..protocol import Answer, Request
from ..protocol.refusals import CLASSES, LIMIT, exception_of, names_form, refused_thing
from ..subjects.fitted_estimators import has_right_support
from .own_answers import ENGINEERING, OwnAnswers
from .questions import (
    Ask,
    FindingList,
    Rows,
    about,
    every_question,
    g7,
    not_on_offer,
    of_examples,
    request_on_rows,
    wide_request,
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

    def called(names: tuple[Any, ...]) -> FindingList:
        y = [name for name in names for _ in range(2)]
        request = request_on_rows(f"three classes {names}", CLUSTERS_X, y, 10.0)
        return about(request.id, _found_apart(request, ask(request)))

    return every_question(map(called, THREE_LABELS))


def many_classes(ask: Ask) -> FindingList:
    """Check four to ten classes far apart, one of them of a single example, in no order."""

    def of(k: int) -> FindingList:
        X, y = _far_apart(k)
        request = request_on_rows(f"{k} classes", X, y, 10.0)
        return about(request.id, _found_apart(request, ask(request)))

    return every_question(map(of, (4, 5, 7, 10)))


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
    if not _takes_several(answer):
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
    if width not in (k, k * (k - 1) // 2):
        pairs = k * (k - 1) // 2
        reason = f"{width} scores a row; {k} classes have {k}, or {pairs} of their pairs"
        return failure(reason, "Votes")
    sides = [1] if width == k and k > 3 else [1, -1, 0] if width == k else [1, -1]
    told = [[_spoken_for(row, k, side) for row in scores] for side in sides]
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


def _spoken_for(row: list[float], k: int, side: int) -> list[int]:
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


def _takes_several(answer: Answer) -> bool:
    """Return whether the answer to several classes is no refusal."""
    sentence = exception_of(answer)
    if sentence is None:
        return answer.unsupported is None
    return refused_thing(sentence, [CLASSES, LIMIT]) is None and not names_form(sentence)


# ---- classes that overlap

CIRCLE_X = [[0.0, 0.0], [4.0, 0.0], [2.0, 4.0], [1.0, 0.0], [4.0, 1.0], [2.0, 1.0]]
CLASS_PAIRS = ((0, 1), (0, 2), (1, 2))
MANY_TIES = 8  # pairs of classes with equal votes, whose scores tell something
Decided = dict[tuple[Any, Any], list[float]]  # of each pair of classes, below 0 for the first
CLEAR = 0.05  # by so much a class must be ahead, so that every scheme predicts it


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
    if not _takes_several(answer):
        return not_on_offer("more than two classes")
    found = without_answer(answer)
    if found is None and answer.predictions is None:
        found = not_on_offer("predictions")
    if found is not None:
        return about(request.id, found)
    classes = sorted(names)
    pairs = _decided_pairs(own, request, classes)
    winners = _first_of_all(own, request, classes, pairs)
    if winners is None:
        return not_on_offer("decisions about two classes")
    others = [_in_another_order, with_weights]
    if answer.scores is not None and len(answer.scores[0]) == len(classes):
        others.append(_shares_of_votes)
    return every_question(
        chain(
            [about(request.id, g7(_check_winners(answer, winners)))],
            (other(own, request) for other in others),
        )
    )


def _check_winners(answer: Answer, winners: Sequence[Any]) -> Finding:
    """Check that the class that all decisions are for is predicted."""
    for k, (winner, label) in enumerate(zip(winners, answer.predictions)):
        if winner is not None and label != winner:
            reason = f"predicts {label} at row {k}; alone, {winner} beats each other class there"
            return failure(reason, "Votes")
    return PASS


def _decided_pairs(own: OwnAnswers, request: Request, classes: Sequence[Any]) -> Decided:
    """Return the decisions about each pair of classes alone."""
    return {
        (p, q): decided(own, _two_classes(request, [p], [q])) for p, q in combinations(classes, 2)
    }


def _shares_of_votes(own: OwnAnswers, request: Request) -> FindingList:
    """Check the scores of three classes, in a region where each has one vote."""
    classes = (0, 1, 2)
    plain = request_on_rows("shares of votes", CIRCLE_X, [0, 0, 1, 1, 2, 2])
    plain = plain._replace(rows=[[i / 2, j / 2] for i in range(-4, 9) for j in range(-4, 9)])
    answer = own.ask(plain)
    found = without_answer(answer)
    if found is None:
        found = g7(_check_shares(answer, classes, _decided_pairs(own, plain, classes)))
    return about(plain.id, found)


def _check_shares(answer: Answer, classes: Sequence[Any], pairs: Decided) -> Finding:
    """Check the scores of classes with as many votes against the sums of their decisions.

    How scores are made of decisions is free; but not that nearly all are in the reverse order.
    """
    if answer.scores is None or [] in pairs.values():
        return PASS
    agreeing = reverse = 0
    for k, scores in enumerate(answer.scores):
        if any(abs(f[k]) <= CLEAR for f in pairs.values()):
            continue  # a rounding decides one of the votes
        votes, sums = [0] * len(classes), [0.0] * len(classes)
        for (p, q), f in pairs.items():
            one, other = classes.index(p), classes.index(q)
            votes[other if f[k] > 0 else one] += 1
            sums[other] += f[k]
            sums[one] -= f[k]
        for c, d in combinations(range(len(classes)), 2):
            if votes[c] == votes[d] and abs(sums[c] - sums[d]) > CLEAR:
                product = (scores[c] - scores[d]) * (sums[c] - sums[d])
                agreeing, reverse = agreeing + (product > 0), reverse + (product < 0)
    if reverse >= MANY_TIES * max(1, agreeing):
        return failure(
            f"scores of classes with equal votes are reversed, {reverse} times", "Votes"
        )
    return PASS


def _in_another_order(own: OwnAnswers, request: Request) -> FindingList:
    """Check that the order of the examples does not matter."""
    other = of_examples(request, "classes in another order", range(len(request.y))[::-1])
    return own.compare(request, other, "LabelOrder", refusable=False)


def with_weights(own: OwnAnswers, request: Request) -> FindingList:
    """Check that a weight of 2 or 3 is the example twice or three times."""
    times = [1 + (i * i) % 3 for i in range(len(request.y))]
    copies = [i for i, count in enumerate(times) for _ in range(count)]
    plain = of_examples(request, "four classes, rows repeated", copies)
    plain = plain._replace(C=[1.0] * len(copies))
    weighted = request._replace(id="four classes, weights", C=[float(count) for count in times])
    return own.compare(plain, weighted, "Votes")


def _first_of_all(
    own: OwnAnswers, request: Request, classes: Sequence[Any], pairs: Decided
) -> list[Any] | None:
    """Return the class of each row that all decisions are for; None where they are not clear."""
    rest: list[list[float]] = []
    for one in classes:
        rest.append(decided(own, _two_classes(request, [c for c in classes if c != one], [one])))
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


def _two_classes(request: Request, low: Sequence[Any], high: Sequence[Any]) -> Request:
    """Return the Request about examples of these labels: -1 for the low ones, +1 for the high."""
    kept = [i for i, label in enumerate(request.y) if label in (*low, *high)]
    found = of_examples(request, f"{list(low)} against {list(high)}", kept)
    return found._replace(y=[1 if label in high else -1 for label in found.y])


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
    if not _takes_several(answer):
        return not_on_offer("three classes")
    if answer.scores is None or len(answer.scores[0]) != len(CLASS_PAIRS):
        return not_on_offer("the decisions of pairs of classes")
    pairs = _decided_pairs(OwnAnswers(ask), request, (0, 1, 2))
    if [] in pairs.values():
        return not_on_offer("decisions about two classes")
    votes = _count_votes(pairs, answer)
    if votes is None:
        return g7(failure("the decisions of the pairs of classes are not theirs", "Votes"))
    for x, votes_here, label in zip(request.rows, votes, answer.predictions or []):
        if dict(enumerate(votes_here)).get(label, -1) < max(votes_here):
            reason = f"predicts {label} at {x}, where the votes are {votes_here}"
            return g7(failure(reason, "Votes"))
    return g7(_check_largest_score(request.rows, ask(request)))


def _count_votes(pairs: Decided, answer: Answer) -> list[list[int]] | None:
    """Return the votes for each class at each row; None if the columns are no pair's decisions."""
    votes = [[0] * len(CLASS_PAIRS) for _ in answer.scores]
    sides = set()
    for column, (p, q) in zip(zip(*answer.scores), CLASS_PAIRS):
        sides.add(_side_of(column, pairs[p, q]))
        for count, f in zip(votes, pairs[p, q]):
            count[q if f > 0 else p] += 1
    return votes if len(sides) == 1 and sides != {0} else None


def _side_of(column: Sequence[float], decisions: Sequence[float]) -> int:
    """Return +1 if decisions above 0 are for the first class, -1 if for the second, else 0."""
    most = ENGINEERING * max(1.0, *map(abs, decisions))
    for side in (1, -1):
        if all(abs(side * f + g) <= 2 * most for f, g in zip(column, decisions)):
            return side
    return 0


def _check_largest_score(rows: list[Any], answer: Answer) -> Finding:
    """Check that predictions have the largest score."""
    for x, label, scores in zip(rows, answer.predictions or [], answer.scores or []):
        score = dict(enumerate(scores)).get(label)
        if len(scores) == len(CLASS_PAIRS) and score is not None and score < max(scores):
            best = scores.index(max(scores))
            reason = f"votes tie at {x}: it predicts {label}, the largest score is that of {best}"
            return Finding("acceptable", reason)
    return PASS
