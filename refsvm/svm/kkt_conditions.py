"""The Karush-Kuhn-Tucker conditions: read off how far alpha is from optimal, and every offset.

An alpha is optimal if and only if, for some b, every example keeps its two promises:

    alpha_i < C_i   means   y_i f_i >= 1        it could be given more, so it must not want more
    alpha_i > 0     means   y_i f_i <= 1        it has been given some, so it must not want less

Throughout this module
    r_i     y_i - s_i, the offset at which example i lies on its margin: y_i (s_i + r_i) = 1
    up      examples whose beta_i = alpha_i y_i may rise: they ask that b >= r_i
    low     examples whose beta_i may fall: they ask that b <= r_i
    m, M    the largest r over up, the smallest r over low; alpha is optimal iff m <= M

Then the optimal offsets are exactly the interval from m to M. Without an offset b is 0, which
joins both sets. Under squared slack s_i has beta_i / C_i added: xi_i = alpha_i / C_i.

Source: Keerthi, Shevade, Bhattacharyya, Murthy, Neural Computation 13 (2001), pages 637-649;
CS229 notes, equations (26)-(28).
"""

from math import inf
from typing import Any, NamedTuple

from .problem import require_problem


class Row(NamedTuple):
    """What the conditions say about one example; a violation is 0 when the condition holds."""

    index: int
    y: int
    alpha: Any
    margin: Any  # y f
    slack: Any  # max(0, 1 - y f)
    below: Any  # alpha >= 0 is violated by this much
    above: Any  # alpha <= C
    short: Any  # y f >= 1 where alpha < C (under squared slack: y f >= 1 - alpha / C)
    long: Any  # y f <= 1 where alpha > 0 (under squared slack: y f <= 1 - alpha / C)


class Violation(NamedTuple):
    """The largest violation: of which condition, by which example (None: of all together)."""

    amount: Any
    condition: str
    index: Any


class KKT(NamedTuple):
    """m, M of the rows solved on; the interval of offsets as the caller counts them; the rest.

    m <= M if and only if a feasible alpha is optimal. Where m > M no offset satisfies everybody,
    and b_low > b_high by as much.
    """

    m: Any
    M: Any
    b_low: Any
    b_high: Any
    worst: Violation
    rows: list


CONDITIONS = {
    "below": "alpha >= 0",
    "above": "alpha <= C",
    "short": "margin >= 1 where alpha < C",
    "long": "margin <= 1 where alpha > 0",
}


def kkt(problem, alpha, b=None):
    """The conditions at alpha and b: KKT(m, M, b_low, b_high, worst, rows), one row an example.

    b defaults to the middle of m and M, where the worst margin is least bad. Exact on Fractions.
    A linear problem is looked at on its shifted rows, which is the same problem as long as
    sum alpha_i y_i = 0; how far that is from true is a violation too. O(n n d), linear O(n d).

    >>> from refsvm.svm.problem import Problem
    >>> report = kkt(Problem([[-1], [1]], [-1, 1], C=0.125), [0.125, 0.125])
    >>> report.b_low, report.b_high, report.worst.amount
    (-0.75, 0.75, 0.0)
    """
    problem, given = require_problem(problem).in_common_type(alpha, 0 if b is None else b)
    beta = problem.beta(alpha)
    alpha = [x * y for x, y in zip(beta, problem.y)]
    scores, _ = problem.scores_and_norm2(beta)
    asks = residuals(problem, beta, scores)
    m, M = extremes(problem, alpha, asks)
    if b is None:
        here = middle(m, M) if problem.bias else problem.kind(0)
    else:
        here = problem.shifted_offset(given, alpha)
    rows = [
        row_of(i, y, a, C, y * (s + here), y * (r - here))
        for i, (y, a, C, s, r) in enumerate(
            zip(problem.y, alpha, problem.upper_bounds(), scores, asks)
        )
    ]
    b_low, b_high = (problem.unshifted_offset(v, alpha) for v in (m, M))
    return KKT(m, M, b_low, b_high, worst_of(problem, beta, rows), rows)


def residuals(problem, beta, scores):
    """r_i = y_i - s_i, less beta_i / C_i under squared slack."""
    return [y - (s + c * x) for y, s, c, x in zip(problem.y, scores, problem.ridge(), beta)]


def extremes(problem, alpha, asks):
    """m and M; where no example asks, -inf and inf. Without offset 0 joins both."""
    m, M = (-inf, inf) if problem.bias else (problem.kind(0), problem.kind(0))
    for y, a, C, r in zip(problem.y, alpha, problem.upper_bounds(), asks):
        may_grow, may_shrink = a < C, a > 0
        if (may_grow if y > 0 else may_shrink) and r > m:
            m = r
        if (may_shrink if y > 0 else may_grow) and r < M:
            M = r
    return m, M


def middle(m, M):
    """Half way between m and M, or the finite one of them."""
    if -inf < m and M < inf:
        return (m + M) / 2
    return m if -inf < m else M


def row_of(i, y, alpha, C, margin, wants):
    """The row of example i; `wants` is y (r - b), positive if it asks for a larger alpha."""
    zero = 0 * abs(margin)  # first in each max, so that no violation is -0.0
    return Row(
        index=i,
        y=y,
        alpha=alpha,
        margin=margin,
        slack=max(zero, 1 - margin),
        below=max(zero, -alpha),
        above=max(zero, alpha - C) if C < inf else zero,
        short=max(zero, wants) if alpha < C else zero,
        long=max(zero, -wants) if alpha > 0 else zero,
    )


def worst_of(problem, beta, rows):
    """The largest violation, the first of them if several are equal."""
    total = problem.kind(0)
    for x in beta:
        total += x
    unbalanced = abs(total) if problem.bias else problem.kind(0)
    worst = Violation(unbalanced, "sum alpha_i y_i = 0", None)
    for row in rows:
        for field, condition in CONDITIONS.items():
            if getattr(row, field) > worst.amount:
                worst = Violation(getattr(row, field), condition, row.index)
    return worst
