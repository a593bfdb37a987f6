"""An estimator's own answers: the same problem, asked in another way, has the same answer.

How far two answers may be apart is what rounding in another order explains. It is a thousandth of
the size of the decisions, as everywhere. Where they are farther apart, both questions are asked of
new objects again, the plain one with its rows changed in their last bits, too. An estimator that
draws at random, or that stops far from its optimum, then shows by itself how far apart its right
answers are.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Any

from ...numerics.picks import splitmix64
from ..checks import PASS, Finding, failure, short_text
from ..protocol import Answer, Request, says_unfinished
from .questions import Ask, FindingList, about, g7, may_refuse, without_answer

MAX_SHARE_OFF = 1e-3  # of the size of the decisions
LAST_BITS = 2.0**-20  # of each number: sums of single precision are rounded by as much
AGAIN = 4  # times that a question is asked again
ROOM = 4.0  # times the largest distance between its answers
EXCUSED = "new objects have answers to the same question that are as far apart"


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

    def compare(
        self,
        plain: Request,
        other: Request,
        flag: str,
        refusable: bool = True,
        places: Sequence[int] | None = None,
    ) -> FindingList:
        """Check that the answer to the other Request is that to the plain one.

        The row k of the other is the row places[k] of the plain one; None: the row k.
        """
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
        return g7(failure(describe(own, answer, worst, places), flag))

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
    theirs, mine = values(answer), values(own)
    if not theirs or not mine or type(theirs[0]) is not type(mine[0]):
        return None
    size = max([1.0, *(abs(v) for row in mine[: len(plain.X)] for v in listed(row))])
    if places is not None:
        mine = [mine[k] for k in places]
    return [apart(f, g, size) for f, g in zip(mine, theirs)]


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


def values(answer: Answer) -> Any:
    """Return the decisions, or the scores of several classes, or the predictions as words."""
    if answer.decisions is not None:
        return answer.decisions
    if answer.scores is not None:
        return answer.scores
    return None if answer.predictions is None else list(map(repr, answer.predictions))


def listed(value: Any) -> list[float]:
    """Return the numbers of a decision or of a row of scores; none of a predicted label."""
    return [] if isinstance(value, str) else value if isinstance(value, list) else [value]


def apart(mine: Any, theirs: Any, size: float) -> float:
    """Return the distance of two decisions, or of two rows of scores, in what is allowed."""
    if isinstance(mine, str):
        return 0.0 if mine == theirs else inf
    pairs = list(zip(listed(mine), listed(theirs)))
    if len(listed(mine)) != len(listed(theirs)):
        return inf
    return max(abs(f - g) / (MAX_SHARE_OFF * max(size, abs(f))) for f, g in pairs)


def describe(own: Answer, answer: Answer, worst: int, places: Sequence[int] | None) -> str:
    """Return a sentence about the row where two answers are farthest apart."""
    mine = values(own)[worst if places is None else places[worst]]
    theirs = values(answer)[worst]
    what = "it predicts" if isinstance(mine, str) else "f is"
    return (
        f"{what} {shown(theirs)} at row {worst}; of the same problem, asked plainly, {shown(mine)}"
    )


def shown(value: Any) -> str:
    """Return a decision, a row of scores or a label as it stands in a sentence."""
    if isinstance(value, str):
        return value
    return ", ".join(short_text(v) for v in listed(value))
