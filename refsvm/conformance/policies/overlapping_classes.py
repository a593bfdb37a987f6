"""Several classes that overlap: what each pair of them trains on, and how pairs vote. Check G7.

    votes of pairs    three to five classes; each pair is held against the estimator's own machine
                      of those two classes alone, where its decisions are told; and the labels
                      against the votes of these machines, or of their optima
    vote in a circle  three classes of which each beats one (E1)

One against one and one against the rest are both right: labels have to follow one of them. What an
estimator decides about two classes is held against the exact optimum by the cases.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from math import inf
from statistics import pvariance
from typing import Any

from ...numerics.linalg import total
from ...numerics.picks import splitmix64
from ...solvers.smo import smo
from ..checks import PASS, Finding, failure
from ..protocol import Answer, Request, problem_from_request, says_unfinished
from .classes import takes_several
from .own_answers import MAX_SHARE_OFF, ROOM, AskedTwice, OwnAnswers
from .questions import (
    Ask,
    FindingList,
    about,
    every_question,
    g7,
    may_refuse,
    not_on_offer,
    of_examples,
    request_on_rows,
    without_answer,
)

LEAD = 0.05  # by so much a class must be ahead, so that rounding does not decide
OPTIMAL = 1e-9  # so near are the conditions of an optimum
MANY_TIES = 8  # pairs of classes with equal votes, whose scores tell something
NAMES = (30, -2, 7, 11, 4)
EACH = 9  # examples of a class
CIRCLE_X = [[0.0, 0.0], [4.0, 0.0], [2.0, 4.0], [1.0, 0.0], [4.0, 1.0], [2.0, 1.0]]
GAUSSIAN = {"name": "gaussian", "gamma": 0.125}


def votes_of_pairs(ask: Ask) -> FindingList:
    """Check three to five classes that overlap, with weights and a word for gamma, too."""
    own, kernel = OwnAnswers(ask), GAUSSIAN
    if own.answer(_overlapping(4, kernel)).unsupported is not None:
        kernel = {"name": "linear"}
    three, four, five = (_overlapping(k, kernel) for k in (3, 4, 5))
    answer = own.answer(four)
    if not takes_several(answer):
        return not_on_offer("more than two classes")
    weights = [1.0 + (i * i) % 3 for i in range(len(five.y))]
    weighted = five._replace(id="five classes, weights", C=weights)
    reverse = of_examples(four, "classes in another order", range(len(four.y))[::-1])

    def answers() -> Iterator[FindingList]:
        for some in (four, three, weighted):
            yield _judge(own, some, [_Alone(own, some)])
        yield _with_class_weights(own, four)
        yield own.compare(AskedTwice(four, reverse, "LabelOrder", refusable=False))
        if kernel == GAUSSIAN:
            yield _with_a_word_for_gamma(own, four)
        if answer.scores is not None and len(answer.scores[0]) == len(set(four.y)):
            yield _shares_of_votes(own)

    found = every_question(answers())
    if any(finding.flag == "Pairs" for _, finding in found):  # then votes are wrong, too
        return [(c, f._replace(flag="Pairs") if f.flag == "Votes" else f) for c, f in found]
    return found


def _overlapping(k: int, kernel: dict[str, Any]) -> Request:
    """Return k classes, of each of which some rows lie among those of the others."""
    bits = splitmix64(k)
    names, places = NAMES[:k], [((3 * c * c + c) % 7, (5 * c + 1) % 7) for c in range(k)]
    X, y = [], []
    for i in range(EACH * k):
        centre = places[i % k]
        X.append([float((v + next(bits) % 5) % 9) for v in centre])
        y.append(names[i % k if i < k or next(bits) % 4 else next(bits) % k])
    rows = [*X, *([float(i), float(j)] for i in range(0, 9, 2) for j in range(0, 9, 2))]
    plain = request_on_rows(f"{k} classes that overlap, {kernel['name']}", X, y, 1.0, kernel)
    return plain._replace(rows=rows)


# ---- two classes alone


class _Alone:
    """The estimator's own machines of the classes of a Request, each pair by itself.

    against : the Request for the machine of a class against the rest; None: the same
    """

    def __init__(
        self, own: OwnAnswers, request: Request, against: Callable[[Any], Request] | None = None
    ) -> None:
        self.own, self.classes = own, sorted(set(request.y))
        self.told: dict[str, list[float]] = {}  # by the id of a Request
        self.pairs = {
            (p, q): _two_classes(request, [p], [q]) for p, q in combinations(self.classes, 2)
        }
        self.rest = {
            one: _two_classes(
                request if against is None else against(one),
                [c for c in self.classes if c != one],
                [one],
            )
            for one in self.classes
        }

    def decided(self, request: Request) -> list[float]:
        """Return the decisions of two classes; [] where there are none.

        Where only labels are told, those of the optimum, if these are its labels.
        """
        if request.id not in self.told:
            answer = self.own.answer(request)
            f = list(answer.decisions or [])
            if not f and answer.predictions is not None:
                f = _optimum(request)
                pairs = zip(f, answer.predictions)
                if any(abs(v) > LEAD and label != (1 if v > 0 else -1) for v, label in pairs):
                    f = []
            self.told[request.id] = f
        return self.told[request.id]

    def tells(self, machines: Mapping[Any, Request]) -> bool:
        """Return whether there are decisions of all of these machines."""
        return all(map(self.decided, machines.values()))

    def winners_by_votes(self, k: int, clear: float) -> list[Any]:
        """Return the classes with most votes at row k; [] where less than `clear` decides one."""
        votes = dict.fromkeys(self.classes, 0)
        for (p, q), request in self.pairs.items():
            f = self.decided(request)[k]
            if abs(f) <= clear:
                return []
            votes[q if f > 0 else p] += 1
        return [c for c in votes if votes[c] == max(votes.values())]

    def winners_against_the_rest(self, k: int, clear: float) -> list[Any]:
        """Return the class with the largest decision at row k; [] where less decides it."""
        scores = {c: self.decided(request)[k] for c, request in self.rest.items()}
        first, second = sorted(scores, key=lambda c: -scores[c])[:2]
        return [first] if scores[first] > scores[second] + clear else []

    def doubt(self) -> float:
        """Return how far its decisions about the same classes may be apart, asked again."""
        found = LEAD
        for request in (*self.pairs.values(), *self.rest.values()):
            answer = self.own.answer(request)
            if says_unfinished(answer):
                return inf
            size = max([1.0, *map(abs, self.decided(request))])
            found = max(found, ROOM * MAX_SHARE_OFF * size * self.own.spread(request, answer))
        return found


def _two_classes(request: Request, low: Sequence[Any], high: Sequence[Any]) -> Request:
    """Return the Request about examples of these labels: -1 for the low ones, +1 for the high."""
    kept = [i for i, label in enumerate(request.y) if label in (*low, *high)]
    name = f"{request.id}: {list(low)} against {list(high)}"
    found = of_examples(request, name, kept)
    return found._replace(y=[1 if label in high else -1 for label in found.y])


def _optimum(request: Request) -> list[float]:
    """Return the decisions of the optimum of two classes."""
    if request.kernel.get("gamma") == "scale":
        request = request._replace(kernel={**request.kernel, "gamma": _scaled_gamma(request.X)})
    model = smo(problem_from_request(request), OPTIMAL).model()
    return list(map(float, model.decisions(request.rows)))


def _scaled_gamma(X: Sequence[Any]) -> float:
    """Return 1 / (d times the variance of all numbers): gamma="scale"."""
    return float(1 / (len(X[0]) * pvariance([v for x in X for v in x])))


# ---- several classes


def _judge(own: OwnAnswers, request: Request, right: Sequence[_Alone]) -> FindingList:
    """Check the answer to a Request: one of these is right, and all its pairs are of that one."""
    answer = own.ask(request._replace(pairs=True))
    if answer.unsupported is not None:  # it has no word for that
        answer = own.ask(request)
    found = without_answer(answer)
    if found is not None:
        return about(request.id, may_refuse(found, of_form=True))
    if not all(one.tells(one.pairs) for one in right):
        return about(request.id, not_on_offer("decisions about two classes"))
    findings = [_check_several(own, answer, one) for one in right]
    best = next((f for f in findings if f.result != "fail"), findings[0])
    return about(request.id, g7(best))


def _check_several(own: OwnAnswers, answer: Answer, alone: _Alone) -> Finding:
    """Check decisions of all pairs, where they are told, and the labels."""
    width = len(answer.scores[0]) if answer.scores else 0
    if width == len(alone.pairs) > len(alone.classes):
        found = _check_columns(own, answer.scores, alone)
        if found.result != "pass":
            return found
    return _check_labels(answer, alone)


def _check_columns(own: OwnAnswers, scores: Any, alone: _Alone) -> Finding:
    """Check that each column holds the decisions of the machine of its two classes alone."""
    columns = list(zip(*scores))
    mine = [alone.decided(plain) for plain in alone.pairs.values()]
    agree = total(f * g for some, column in zip(mine, columns) for f, g in zip(some, column))
    side = 1.0 if agree >= 0 else -1.0  # above 0 for the second class, or for the first
    excused = PASS
    for column, ((p, q), plain) in zip(columns, alone.pairs.items()):
        answer = Answer(decisions=[side * f for f in column])
        ((_, found),) = own.judge(plain, own.answer(plain), answer, "Pairs")
        if found.result == "fail":
            return found._replace(reason=f"the machine of {p} and {q}: {found.reason}")
        excused = found if found.result != "pass" else excused
    return excused


def _check_labels(answer: Answer, alone: _Alone) -> Finding:
    """Check that labels follow the votes of all pairs, or the machines against the rest."""
    if answer.predictions is None:
        return PASS
    reasons = _other_labels(answer.predictions, alone, LEAD)
    if reasons and _other_labels(answer.predictions, alone, alone.doubt()):
        return failure("; and ".join(reasons), "Votes")
    return PASS


def _other_labels(labels: Sequence[Any], alone: _Alone, clear: float) -> list[str]:
    """Return where labels follow neither of the two ways; [] if they follow one."""
    found = []
    for words, machines, winners in (
        ("has most votes", alone.pairs, alone.winners_by_votes),
        ("is first against the rest", alone.rest, alone.winners_against_the_rest),
    ):
        if alone.tells(machines):
            reason = _first_other_label(labels, words, winners, clear)
            if reason is None:
                return []
            found.append(reason)
    return found


def _first_other_label(
    labels: Sequence[Any], words: str, winners: Callable[[int, float], list[Any]], clear: float
) -> str | None:
    """Return what is said of the first row whose label is no winner there; None if none is."""
    for k, label in enumerate(labels):
        some = winners(k, clear)
        if some and label not in some:
            return f"it predicts {label} at row {k}, where {some[0]} {words}"
    return None


def _with_class_weights(own: OwnAnswers, plain: Request) -> FindingList:
    """Check that the two classes of a pair have their weights, and no other's.

    Against the rest a class has its weight; the others may have theirs, or none.
    """
    weights = {name: 4.0 ** (c % 2) for c, name in enumerate(sorted(set(plain.y)))}

    def of(some: Sequence[Any]) -> Request:
        C = [c * weights[v] if v in some else c for c, v in zip(plain.C, plain.y)]
        return plain._replace(id=f"{plain.id}, weights of {list(some)}", C=C)

    every = of(list(weights))
    asked = plain._replace(
        id="four classes, class_weight", class_weight=[*map(list, weights.items())]
    )
    return _judge(own, asked, [_Alone(own, every), _Alone(own, every, lambda one: of([one]))])


def _with_a_word_for_gamma(own: OwnAnswers, plain: Request) -> FindingList:
    """Check that gamma="scale" is that of all rows in each pair, or of its own in each."""
    gamma = _scaled_gamma(plain.X)
    kernel = {"name": "gaussian", "gamma": gamma}
    of_all = plain._replace(id=f"{plain.id}, gamma = {gamma:.3g}", kernel=kernel)
    asked = plain._replace(id="four classes, gamma='scale'", kernel={**kernel, "gamma": "scale"})
    return _judge(own, asked, [_Alone(own, of_all), _Alone(own, asked)])


# ---- three classes of which each beats one


def _circle(name: str, rows: list[Any]) -> Request:
    """Return three classes of which each beats one, at (0, 1) and near it."""
    return request_on_rows(name, CIRCLE_X, [0, 0, 1, 1, 2, 2])._replace(rows=rows)


def _shares_of_votes(own: OwnAnswers) -> FindingList:
    """Check the scores of three classes, in a region where each has one vote."""
    rows = [[i / 2, j / 2] for i in range(-4, 9) for j in range(-4, 9)]
    plain = _circle("shares of votes", rows)
    answer = own.ask(plain)
    found = without_answer(answer)
    return about(plain.id, found or g7(_check_shares(answer, _Alone(own, plain))))


def _check_shares(answer: Answer, alone: _Alone) -> Finding:
    """Check the scores of three classes with a vote each against the sums of their decisions.

    How scores are made of decisions is free; but not that nearly all are in the reverse order.
    """
    decided = {pair: alone.decided(request) for pair, request in alone.pairs.items()}
    if answer.scores is None or [] in decided.values():
        return PASS
    agreeing = reverse = 0
    for k, scores in enumerate(answer.scores):
        if len(alone.winners_by_votes(k, LEAD)) < len(alone.classes):
            continue
        sums = dict.fromkeys(alone.classes, 0.0)
        for (p, q), f in decided.items():
            sums[q] += f[k]
            sums[p] -= f[k]
        for (c, one), (d, other) in combinations(enumerate(sums.values()), 2):
            product = (scores[c] - scores[d]) * (one - other)
            if abs(one - other) > LEAD:
                agreeing, reverse = agreeing + (product > 0), reverse + (product < 0)
    if reverse >= MANY_TIES * max(1, agreeing):
        return failure(
            f"scores of classes with equal votes are reversed, {reverse} times", "Votes"
        )
    return PASS


def vote_in_a_circle(ask: Ask) -> FindingList:
    """Check E1, whole: at (0, 1) each class has one vote, and any may be predicted."""
    request = _circle("vote in a circle", [*CIRCLE_X, [0.0, 1.0]])
    answer = ask(request._replace(pairs=True))
    if not takes_several(answer):
        return not_on_offer("three classes")
    own = OwnAnswers(ask)
    alone = _Alone(own, request)
    if answer.scores is None or len(answer.scores[0]) != len(alone.pairs):
        return not_on_offer("the decisions of pairs of classes")
    if not alone.tells(alone.pairs):
        return not_on_offer("decisions about two classes")
    found = _check_columns(own, answer.scores, alone)
    if found.result == "fail":
        return g7(found._replace(flag="Votes"))
    labels = answer.predictions or []
    reason = _first_other_label(labels, "has most votes", alone.winners_by_votes, 0.0)
    return g7(PASS if reason is None else failure(reason, "Votes"))
