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
    C_i       price of slack                      xi_i   max(0, 1 - m_i), the slack

Sources: New York University slides, complementary slackness; CS229 notes, equations (26)-(28);
50.007 notes, equations (11)-(13); Cesa-Bianchi's notes, the remark after Theorem 3.
"""

from typing import Any, NamedTuple

from ..numerics.linalg import total
from ..numerics.validation import not_negative, number_kind, vector
from .problem import require_problem


class Place(NamedTuple):
    """Where one example stands.

    share     "none" alpha = 0,    "free" 0 < alpha < C,    "full" alpha = C
    side      "inside" margin < 1, "on" margin = 1,         "beyond" margin > 1
    decision  "right" margin > 0,  "undecided" margin = 0,  "wrong" margin < 0
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


class Reply(NamedTuple):
    """The adversary's best multipliers against fixed margins, and what they win."""

    multipliers: list
    value: Any


def support_vectors(alpha):
    """The indices of the support vectors, alpha_i > 0. O(n).

    Nothing is tolerated: the solvers here hit the bounds exactly. (nyu-96; sutd-30)

    >>> support_vectors([0, 0.5, 0.25])
    [1, 2]
    """
    return [i for i, a in enumerate(vector(alpha, "alpha")) if a > 0]


def margin_support(problem, alpha, b):
    """The indices of the examples with margin at most 1, on it or inside. O(n n d), linear O(n d).

    The wider notion. (Cesa-Bianchi's notes, remark after Theorem 3: cesabianchi-24)

    >>> from math import inf
    >>> from refsvm.svm.problem import Problem
    >>> three = Problem([[1, 0], [1, 1], [-1, 0]], [1, 1, -1], C=inf)
    >>> support_vectors([0.5, 0, 0.5]), margin_support(three, [0.5, 0, 0.5], 0)
    ([0, 2], [0, 1, 2])
    """
    margins = require_problem(problem).margins(alpha, b)
    return [i for i, m in enumerate(margins) if m <= 1]


def shares(problem, alpha):
    """For each example "none", "free" or "full": where alpha_i lies between 0 and its bound. O(n).

    >>> from refsvm.svm.problem import Problem
    >>> shares(Problem([[0], [1], [2]], [-1, 1, 1], C=2), [2, 1, 0])
    ['full', 'free', 'none']
    """
    problem, _ = require_problem(problem).in_common_type(alpha, 0)
    alpha = [x * y for x, y in zip(problem.beta(alpha), problem.y)]
    return [share(a, c) for a, c in zip(alpha, problem.upper_bounds())]


def share(alpha, C):
    """The share of one example."""
    if alpha >= C:
        return "full"
    return "free" if alpha > 0 else "none"


def places(problem, alpha, b, within=0):
    """One Place(share, side, decision) an example. O(n n d), linear O(n d).

    A margin counts as 1 if it differs by at most `within`: on floats no margin is exactly 1. The
    multipliers are compared exactly. (sutd-24 to sutd-28; nyu-23)

    >>> from refsvm.svm.problem import Problem
    >>> places(Problem([[0], [1], [3]], [-1, 1, 1], C=2), [2, 2, 0], -1)[0]
    Place(share='full', side='on', decision='right')
    """
    margins = require_problem(problem).margins(alpha, b)
    within = not_negative(number_kind(margins), within, "within")
    return [
        Place(s, side(m, within), decision(m)) for s, m in zip(shares(problem, alpha), margins)
    ]


def side(margin, within):
    """The side of 1 on which the margin lies."""
    if abs(margin - 1) <= within:
        return "on"
    return "inside" if margin < 1 else "beyond"


def decision(margin):
    """Whether an example of this margin is decided rightly."""
    if margin == 0:
        return "undecided"
    return "right" if margin > 0 else "wrong"


def is_possible(place):
    """Whether an example of an optimum with hinge slack can stand at this Place.

    This is the six statements at once. (nyu-95)

    >>> is_possible(Place("none", "on", "right")), is_possible(Place("none", "inside", "right"))
    (True, False)
    """
    return place[:2] in POSSIBLE


def slackness(problem, alpha, b):
    """For each example (alpha_i (1 - m_i - xi_i), (C_i - alpha_i) xi_i): all 0 at an optimum.

    The products of multiplier and constraint that complementary slackness speaks of; C_i -
    alpha_i is the multiplier of xi_i >= 0. Hinge slack only. O(n n d), linear O(n d). (nyu-93)

    >>> from refsvm.svm.problem import Problem
    >>> slackness(Problem([[-1], [1]], [-1, 1], C=2), [0.5, 0.5], 0.25)
    [(0.0, 0.375), (-0.125, 0.0)]
    """
    parts = parts_of(problem, alpha, b)
    return [(a * (1 - m - xi), cost(c - a, xi)) for a, c, m, xi in parts]


def gap_shares(problem, alpha, b):
    """C_i xi_i - alpha_i (1 - m_i) for each example: together, primal - dual. Hinge slack only.

    For 0 <= alpha_i <= C_i no share is negative, and it is 0 exactly where the example stands at
    a possible place. That adds up to the gap needs sum alpha_i y_i = 0 where there is an offset.
    O(n n d), linear O(n d). (cs229-92)

    >>> from refsvm.svm.problem import Problem
    >>> pair = Problem([[-1], [1]], [-1, 1], C=2)
    >>> gap_shares(pair, [0.5, 0.5], 0.25), pair.gap([0.5, 0.5], 0.25)
    ([0.375, 0.125], 0.5)
    """
    parts = parts_of(problem, alpha, b)
    return [cost(c, xi) - a * (1 - m) for a, c, m, xi in parts]


def adversary(problem, alpha, b):
    """Reply(multipliers, value): the best answer a, 0 <= a_i <= C_i, to these margins.

    An adversary who may weigh each broken promise by a_i wins sum a_i (1 - m_i). Best is C_i where
    the margin is below 1 and 0 elsewhere; the value is what slack costs: sum C_i xi_i. A finite
    C_i is where he gives up. Hinge slack only. O(n n d), linear O(n d). (sutd-22)

    >>> from refsvm.svm.problem import Problem
    >>> adversary(Problem([[-1], [1]], [-1, 1], C=2), [0.25, 0.25], 0)
    Reply(multipliers=[2.0, 2.0], value=2.0)
    """
    parts = parts_of(problem, alpha, b)
    value = total(cost(c, xi) for _, c, _, xi in parts)
    return Reply([c if xi > 0 else xi for _, c, _, xi in parts], value)


def parts_of(problem, alpha, b):
    """(alpha_i, C_i, m_i, xi_i) of every example, in one kind of number."""
    problem, b = require_hinge(problem).in_common_type(alpha, b)
    margins = problem.margins(alpha, b)
    slacks = [max(1 - m, problem.kind(0)) for m in margins]
    alpha = [x * y for x, y in zip(problem.beta(alpha), problem.y)]
    return list(zip(alpha, problem.C, margins, slacks))


def cost(price, slack):
    """price * slack; no slack costs nothing, even if its price is infinite."""
    return price * slack if slack != 0 else slack


def require_hinge(problem):
    """The problem, refused unless its slack is the hinge's."""
    if require_problem(problem).slack != "hinge":
        raise ValueError(f"problem has {problem.slack} slack; this is said of hinge slack only")
    return problem
