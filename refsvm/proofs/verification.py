"""Is this alpha optimal? Is this a proof that there is no hard margin? Decided without rounding.

Whoever found the numbers is not asked how. Looked at are the problem and the numbers alone:

    box         0 <= alpha_i <= C_i
    equality    sum alpha_i y_i = 0, if there is an offset
    KKT         some offset suits every example: m <= M, see conditions.py
    no gap      the primal at that offset is the dual at alpha

The last implies the others' worth: the primal is nowhere below the dual (weak duality), so where
the two meet neither can be improved. It needs a kernel matrix that is positive semidefinite, see
semidefinite.py.

Throughout this module
    beta    alpha_i y_i                 s, r    scores and residuals, see conditions.py
    m, M    the ends of the interval of optimal offsets
"""

from math import inf
from typing import Any, NamedTuple

from ..conditions import extremes, residuals


class Unproved(ArithmeticError):
    """What was to be proved is not so; refsvm made a mistake."""


class Facts(NamedTuple):
    """What verification has seen of an optimal alpha."""

    residuals: list
    m: Any
    M: Any
    w_norm2: Any
    objective: Any


def verified(problem, alpha):
    """The Facts of an alpha (Fractions) that is optimal; Unproved if it is not. O(n) rows."""
    refuse_infeasible(problem, alpha)
    beta = [a * y for a, y in zip(alpha, problem.y)]
    scores, w_norm2 = problem.image(beta)
    r = residuals(problem, beta, scores)
    m, M = extremes(problem, alpha, r)
    if m > M:
        raise Unproved(f"no offset suits every example: one asks for {m} or more, one for {M}")
    b = m if problem.bias else problem.kind(0)
    primal, dual = problem.primal_value(scores, w_norm2, b), problem.dual_value(beta, w_norm2)
    if primal != dual:
        raise Unproved(f"the primal is {primal} and the dual {dual}")
    return Facts(r, m, M, w_norm2, dual)


def refuse_infeasible(problem, alpha):
    """Unproved unless alpha is in the box and fulfils the equality."""
    for i, (a, c) in enumerate(zip(alpha, problem.upper_bounds())):
        if not 0 <= a <= c:
            raise Unproved(f"alpha[{i}] is {a}; it must be from 0 to {c}")
    refuse_unbalanced(problem, alpha)


def refuse_unbalanced(problem, multipliers):
    """Unproved unless sum alpha_i y_i is zero or there is no offset."""
    if problem.bias:
        total = 0
        for a, y in zip(multipliers, problem.y):
            total += a * y
        if total != 0:
            raise Unproved(f"sum alpha_i y_i is {total}; it must be 0")


def verified_farkas(problem, q):
    """q itself if it proves that there is no hard margin; Unproved if it does not. O(n) rows."""
    for i, (v, c) in enumerate(zip(q, problem.C)):
        if v < 0 or v > 0 and c < inf:
            raise Unproved(f"farkas[{i}] is {v}, and C[{i}] is {c}")
    refuse_unbalanced(problem, q)
    w_norm2 = problem.image([v * y for v, y in zip(q, problem.y)])[1]
    if not any(q) or w_norm2 != 0:
        raise Unproved(f"|sum q_i y_i phi(x_i)|^2 is {w_norm2} for farkas = {q}")
    return q
