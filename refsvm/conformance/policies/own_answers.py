"""An estimator's own answers: the same problem, asked in another way, has the same answer.

How far two answers may be apart is what rounding in another order explains. It is a thousandth of
the size of the decisions, as everywhere. Where they are farther apart, both questions are asked of
new objects again, the plain one with its rows changed in their last bits, too. An estimator that
draws at random, or that stops far from its optimum, then shows by itself how far apart its right
answers are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import inf
from typing import Any, NamedTuple

from ...numerics.picks import splitmix64
from ..checks import PASS, Finding, failure, short_text
from ..protocol import Answer, Request, says_unfinished
from .questions import (
    Ask,
    FindingList,
    Policy,
    about,
    every_question,
    g7,
    may_refuse,
    without_answer,
)

MAX_SHARE_OFF = 1e-3  # of the size of the decisions
LAST_BITS = 2.0**-20  # of each number: sums of single precision are rounded by as much
AGAIN = 4  # times that a question is asked again
ROOM = 4.0  # times the largest distance between its answers
EXCUSED = "new objects have answers to the same question that are as far apart"


class AskedTwice(NamedTuple):
    """The same problem, asked plainly and in another way: the answers must be the same.

    Parameters
    ----------
    plain, other : Request
    flag : str
        the bug that another answer shows
    refusable : bool
        whether the other way may be refused by a sentence that names it
    places : list of int
        the row k of the other is the row places[k] of the plain one; None: the row k
    """

    plain: Request
    other: Request
    flag: str
    refusable: bool = True
    places: Sequence[int] | None = None


def same_answers(questions: Callable[[], Iterable[AskedTwice]]) -> Policy:
    """Return the policy that asks these questions."""

    def policy(ask: Ask) -> FindingList:
        return every_question(map(OwnAnswers(ask).compare, questions()))

    return policy


class OwnAnswers:
    """The answers to plain requests, each asked once; other requests are compared with them."""

    def __init__(self, ask: Ask) -> None:
        self.ask = ask
        self.answers: dict[str, Answer] = {}  # by the id of the request
        self.spreads: dict[str, float] = {}

    def answer(self, plain: Request) -> Answer:
        """Return the answer to a plain request."""
        if plain.id not in self.answers:
            self.answers[plain.id] = self.ask(plain)
        return self.answers[plain.id]

    def compare(self, question: AskedTwice) -> FindingList:
        """Check that the answer to the other Request is that to the plain one."""
        plain, other, flag, refusable, places = question
        own = self.answer(plain)
        found = without_answer(own)
        if found is not None:
            return about(plain.id, may_refuse(found))
        answer = self.ask(other)
        found = without_answer(answer)
        if found is None:
            return about(other.id, self.judge(plain, own, answer, flag, other, places))
        if refusable:
            has_words = isinstance(other.kernel.get("gamma"), str)
            return about(other.id, may_refuse(found, has_words or other.arrays is not None))
        (check, finding), *_ = found
        flag = flag if finding.flag == "NotAccepted" else finding.flag
        return about(other.id, [(check, finding._replace(flag=flag))])

    def judge(
        self,
        plain: Request,
        own: Answer,
        answer: Answer,
        flag: str,
        other: Request | None = None,
        places: Sequence[int] | None = None,
    ) -> FindingList:
        """Return what is found of an answer, to the other request, that must be its own."""
        apart = distances(plain, own, answer, places)
        if apart is None:
            return g7(Finding("acceptable", "not asked: there are no decisions to compare"))
        worst = apart.index(max(apart))
        if apart[worst] <= 1 or _is_free_offset(other or plain, own, answer):
            return g7(PASS)
        if says_unfinished(own) or (says_unfinished(answer) and flag != "StateKept"):
            return g7(Finding("acceptable", "it says that it has not finished"))
        spread = self.spread(plain, own)
        if other is not None and apart[worst] > 1 + ROOM * spread:
            spread = max(spread, self.spread(other, answer))
        if apart[worst] <= 1 + ROOM * spread:
            return g7(Finding("acceptable", EXCUSED))
        return g7(failure(_describe(own, answer, worst, places), flag))

    def spread(self, request: Request, answer: Answer) -> float:
        """Return how far apart the answers of new objects are, in what is allowed."""
        if request.id not in self.spreads:
            largest = 0.0
            for draw in range(AGAIN):
                apart = distances(request, answer, self.ask(_trembling(request, draw)))
                largest = max([largest, *(apart or [])])
            self.spreads[request.id] = largest
        return self.spreads[request.id]


def _trembling(request: Request, draw: int) -> Request:
    """Return the Request with its rows changed in their last bits, if they are plain doubles.

    As it is if draw is 0, for a Gram matrix, and for rows of another form.
    """
    is_plain = request.arrays is None and all(type(v) is float for v in request.X[0])
    if draw == 0 or not is_plain or request.kernel["name"] == "precomputed":
        return request
    bits = splitmix64(draw)
    X = [[v * (1 + LAST_BITS * (next(bits) / 2.0**63 - 1)) for v in x] for x in request.X]
    return request._replace(X=X)


def distances(
    plain: Request, own: Answer, answer: Answer, places: Sequence[int] | None = None
) -> list[float] | None:
    """Return how far apart the answers about each row are, in what is allowed there.

    None if neither decisions, nor scores, nor predictions are there in both of them.
    """
    (kind, mine), (other_kind, theirs) = _told(own), _told(answer)
    if kind != other_kind or not mine or not theirs:
        return None
    told = [] if kind == "predictions" else mine[: len(plain.X)]
    size = max([1.0, *(abs(v) for row in told for v in row)])
    if places is not None:
        mine = [mine[k] for k in places]
    return [_distance(f, g, size) for f, g in zip(mine, theirs)]


def _told(answer: Answer) -> tuple[str, list[list[Any]]]:
    """Return what an answer tells of its rows, of each a list: the best of three kinds."""
    for kind in ("decisions", "scores", "predictions"):
        told = getattr(answer, kind)
        if told is not None:
            words = map(repr, told) if kind == "predictions" else told
            return kind, [value if isinstance(value, list) else [value] for value in words]
    return "", []


def _distance(mine: list[Any], theirs: list[Any], size: float) -> float:
    """Return the distance of what two answers tell of a row, in what is allowed."""
    if mine == theirs:
        return 0.0
    if len(mine) != len(theirs) or isinstance(mine[0], str):
        return inf
    apart = [abs(f - g) / (MAX_SHARE_OFF * max(size, abs(f))) for f, g in zip(mine, theirs)]
    return float(max(apart))


def _describe(own: Answer, answer: Answer, worst: int, places: Sequence[int] | None) -> str:
    """Return a sentence about the row where two answers are farthest apart."""
    kind, mine = _told(own)
    rows = _told(answer)[1][worst], mine[worst if places is None else places[worst]]
    theirs, right = (
        ", ".join(v if isinstance(v, str) else short_text(v) for v in row) for row in rows
    )
    what = "it predicts" if kind == "predictions" else "f is"
    return f"{what} {theirs} at row {worst}; of the same problem, asked plainly, {right}"


def _is_free_offset(request: Request, own: Answer, answer: Answer) -> bool:
    """Return whether answers differ by a shift that costs nothing: another optimal offset.

    Both then have the same slacks in sum, each times its penalty.
    """
    n, mine, theirs = len(request.X), own.decisions, answer.decisions
    if mine is None or theirs is None or len(mine) != len(theirs) or request.class_weight:
        return False
    if request.rows[:n] != request.X or len(request.C) != n or request.form is not None:
        return False
    shifts = [f - g for f, g in zip(mine, theirs)]
    if max(shifts) - min(shifts) > MAX_SHARE_OFF * max(1.0, *map(abs, mine)):
        return False
    paid = [_slacks_in_sum(request, decisions) for decisions in (mine, theirs)]
    return abs(paid[0] - paid[1]) <= MAX_SHARE_OFF * max(paid)


def _slacks_in_sum(request: Request, decisions: Sequence[float]) -> float:
    """Return the sum of C_i times the slack of example i."""
    found, high = 0.0, max(request.y)
    for c, f, label in zip(request.C, decisions, request.y):
        found += c * max(0.0, 1 - f if label == high else 1 + f)
    return found
