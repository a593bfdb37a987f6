"""Support vectors: which examples hold the solution, and what alpha says about each of them.

Two notions share the name. In most texts a support vector has alpha_i > 0; in some it is any
example whose margin is at most 1. Every example of the first sort is one of the second; the
second may have more, with margin exactly 1 and alpha_i = 0.

At an optimum with hinge slack, six statements tie alpha_i to the margin m_i = y_i f_i:

    alpha_i = 0        means  m_i >= 1            m_i < 1  means  alpha_i = C_i
    0 < alpha_i < C_i  means  m_i = 1             m_i = 1  says nothing of alpha_i
    alpha_i = C_i      means  m_i <= 1            m_i > 1  means  alpha_i = 0

They allow five of the nine pairs (share, side) below, and alpha with sum alpha_i y_i = 0 and b are
optimal if and only if every example is one of the five: see gap_shares.

    alpha_i   multiplier, from 0 to C_i           m_i    y_i f_i, the margin
    C_i       penalty of slack                    xi_i   max(0, 1 - m_i), the slack

Sources: New York University slides, complementary slackness; CS229 notes, equations (26)-(28);
50.007 notes, equations (11)-(13); Cesa-Bianchi's notes, the remark after Theorem 3.
"""

from __future__ import annotations

from math import inf
from typing import NamedTuple

from ..numerics.display import displayed
from ..numerics.linalg import total
from ..numerics.types import Number, Vector, VectorLike
from ..numerics.validation import instance_of, not_negative, number_kind, vector
from .problem import Problem, require_problem


@displayed
class Place(NamedTuple):
    """The place of one example.

    Attributes
    ----------
    share : str
        "none" alpha = 0,    "free" 0 < alpha < C,    "full" alpha = C
    side : str
        "inside" margin < 1, "on" margin = 1,         "beyond" margin > 1
    decision : str
        "right" margin > 0,  "undecided" margin = 0,  "wrong" margin < 0
    """

    share: str
    side: str
    decision: str


POSSIBLE = {
    ("none", "on"),
    ("none", "beyond"),
    ("free", "on"),
    ("full", "on"),
    ("full", "inside"),
}


@displayed
class Reply(NamedTuple):
    """The multipliers that make the sum of alpha_i (1 - m_i) largest, and that sum."""

    multipliers: Vector
    value: Number


def support_vectors(alpha: VectorLike) -> list[int]:
    """Return the indices of the support vectors, alpha_i > 0 (S24.3). O(n).

    There is no tolerance: the solvers here hit the bounds exactly. (nyu-96; sutd-30)

    >>> support_vectors([0, 0.5, 0.25])
    [1, 2]
    """
    return [i for i, a in enumerate(vector(alpha, "alpha")) if a > 0]


def margin_support(problem: Problem, alpha: VectorLike, b: Number) -> list[int]:
    """Return the indices of the examples with margin at most 1 (S24.3). O(n n d), linear O(n d).

    The wider notion. (Cesa-Bianchi's notes, remark after Theorem 3: cesabianchi-24)

    >>> three = Problem([[1, 0], [1, 1], [-1, 0]], [1, 1, -1], C=inf)
    >>> support_vectors([0.5, 0, 0.5]), margin_support(three, [0.5, 0, 0.5], 0)
    ([0, 2], [0, 1, 2])
    """
    margins = require_problem(problem).margins(alpha, b)
    return [i for i, m in enumerate(margins) if m <= 1]


def shares(problem: Problem, alpha: VectorLike) -> list[str]:
    """Return "none", "free" or "full" for each example: alpha_i at 0, between, at its bound. O(n).

    >>> shares(Problem([[0], [1], [2]], [-1, 1, 1], C=2), [2, 1, 0])
    ['full', 'free', 'none']
    """
    problem, _ = require_problem(problem).in_common_type(alpha, 0)
    alpha = [c * y for c, y in zip(problem.beta(alpha), problem.y)]
    return [_share(a, C) for a, C in zip(alpha, problem.upper_bounds())]


def _share(alpha: Number, C: Number) -> str:
    """Return the share of one example."""
    if alpha >= C:
        return "full"
    return "free" if alpha > 0 else "none"


def places(problem: Problem, alpha: VectorLike, b: Number, within: Number = 0) -> list[Place]:
    """Return the Place(share, side, decision) of each example. O(n n d), linear O(n d).

    A margin counts as 1 if it differs by at most `within`: on floats few margins are exactly 1.
    The multipliers are compared exactly. (sutd-24 to sutd-28; nyu-23)

    >>> places(Problem([[0], [1], [3]], [-1, 1, 1], C=2), [2, 2, 0], -1)[0]
    Place(share='full', side='on', decision='right')
    """
    margins = require_problem(problem).margins(alpha, b)
    within = not_negative(number_kind(margins), within, "within")
    return [
        Place(s, _side(m, within), _decision(m)) for s, m in zip(shares(problem, alpha), margins)
    ]


def _side(margin: Number, within: Number) -> str:
    """Return the side of 1 on which the margin lies."""
    if -within <= margin - 1 <= within:
        return "on"
    return "inside" if margin < 1 else "beyond"


def _decision(margin: Number) -> str:
    """Return whether an example of this margin is decided rightly, wrongly or not at all."""
    if margin == 0:
        return "undecided"
    return "right" if margin > 0 else "wrong"


def is_possible(place: Place) -> bool:
    """Return whether an example can have this Place at an optimum with hinge slack.

    These are the six statements at once. (nyu-95)

    >>> is_possible(Place("none", "on", "right")), is_possible(Place("none", "inside", "right"))
    (True, False)
    """
    return instance_of(Place, place, "place")[:2] in POSSIBLE


def slackness(problem: Problem, alpha: VectorLike, b: Number) -> list[tuple[Number, Number]]:
    """Return (alpha_i (1 - m_i - xi_i), (C_i - alpha_i) xi_i) for each example.

    These are the products of multiplier and constraint that complementary slackness speaks of,
    all 0 at an optimum; C_i - alpha_i is the multiplier of xi_i >= 0. Hinge slack only.
    O(n n d), linear O(n d). (nyu-93)

    >>> slackness(Problem([[-1], [1]], [-1, 1], C=2), [0.5, 0.5], 0.25)
    [(0.0, 0.375), (-0.125, 0.0)]
    """
    examples = _with_margins(problem, alpha, b)
    return [(a * (1 - m - xi), _times_slack(C - a, xi)) for a, C, m, xi in examples]


def gap_shares(problem: Problem, alpha: VectorLike, b: Number) -> Vector:
    """Return C_i xi_i - alpha_i (1 - m_i) for each example: together, primal - dual.

    For 0 <= alpha_i <= C_i no share is negative, and it is 0 exactly where the example has a
    possible place. They add up to the gap if sum alpha_i y_i = 0, or if there is no offset.
    Hinge slack only. O(n n d), linear O(n d). (cs229-92)

    >>> pair = Problem([[-1], [1]], [-1, 1], C=2)
    >>> gap_shares(pair, [0.5, 0.5], 0.25), pair.gap([0.5, 0.5], 0.25)
    ([0.375, 0.125], 0.5)
    """
    examples = _with_margins(problem, alpha, b)
    # Where C xi is infinite, nothing is taken from it: that might be infinite, too.
    return [
        inf if C == inf and xi != 0 else _times_slack(C, xi) - a * (1 - m)
        for a, C, m, xi in examples
    ]


def _times_slack(factor: Number, xi: Number) -> Number:
    """Return the factor times xi; without slack 0, also where the factor is infinite."""
    return factor * xi if xi != 0 else xi


def adversary(problem: Problem, alpha: VectorLike, b: Number) -> Reply:
    """Return the multipliers a, 0 <= a_i <= C_i, with the largest sum of a_i (1 - m_i) (S24.2).

    An adversary who weighs each violated constraint by a_i gains that sum. Best is C_i where the
    margin is below 1 and 0 elsewhere; the value is the penalty of the slacks, sum C_i xi_i. A
    finite C_i limits the gain. Hinge slack only. O(n n d), linear O(n d). (sutd-22)

    >>> adversary(Problem([[-1], [1]], [-1, 1], C=2), [0.25, 0.25], 0)
    Reply(multipliers=[2.0, 2.0], value=2.0)
    """
    examples = _with_margins(problem, alpha, b)
    value = total(_times_slack(C, xi) for _, C, _, xi in examples)
    return Reply([C if xi > 0 else xi for _, C, _, xi in examples], value)


def _with_margins(
    problem: Problem, alpha: VectorLike, b: Number
) -> list[tuple[Number, Number, Number, Number]]:
    """Return (alpha_i, C_i, m_i, xi_i) of every example, in one kind of number."""
    problem, b = require_hinge(problem).in_common_type(alpha, b)
    margins = problem.margins(alpha, b)
    slacks = [max(1 - m, problem.kind(0)) for m in margins]
    alpha = [c * y for c, y in zip(problem.beta(alpha), problem.y)]
    return list(zip(alpha, problem.C, margins, slacks))


def require_hinge(problem: Problem) -> Problem:
    """Return the problem; ValueError unless its slack is the hinge's."""
    if require_problem(problem).slack != "hinge":
        raise ValueError(f"problem has {problem.slack} slack; this is said of hinge slack only")
    return problem
