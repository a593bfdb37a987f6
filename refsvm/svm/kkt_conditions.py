"""The Karush-Kuhn-Tucker conditions: how far alpha is from optimal, and which offsets suit it.

Let K be positive semidefinite. With hinge slack a feasible alpha is optimal if and only if, for
some b, every example fulfils two conditions:

    alpha_i < C_i   implies   y_i f_i >= 1      the multiplier could rise: the margin is no less
    alpha_i > 0     implies   y_i f_i <= 1      the multiplier could fall: the margin is no more

With r_i = y_i - s_i, the offset b at which example i lies on its margin, since
y_i (s_i + r_i) = 1, each condition is a bound on b:

    up      the examples whose beta_i = alpha_i y_i may rise:    b >= r_i
    low     the examples whose beta_i may fall:                  b <= r_i
    m, M    the largest r_i over up, the smallest r_i over low

So alpha is optimal if and only if m <= M, and then the optimal offsets are the interval from m to
M. Without an offset b is 0, so that m >= 0 and M <= 0 are asked for. Under squared slack
beta_i / C_i is added to s_i, because xi_i = alpha_i / C_i.

    s_i   score without offset        y_i f_i   margin, f_i = s_i + b        r_i   residual

Source: Keerthi, Shevade, Bhattacharyya, Murthy, Neural Computation 13 (2001), pages 637-649;
CS229 notes, equations (26)-(28).
"""

from __future__ import annotations

from math import inf
from typing import NamedTuple

from ..numerics.display import displayed
from ..numerics.linalg import total
from ..numerics.types import Number, Vector, VectorLike
from .problem import Problem, require_problem
from .training_problem import TrainingProblem


@displayed
class Row(NamedTuple):
    """The conditions of one example; the last four are violations, 0 where a condition holds.

    Attributes
    ----------
    index, y, alpha
    margin
        y f
    slack
        max(0, 1 - y f)
    below
        by how much alpha >= 0 is violated
    above
        by how much alpha <= C is violated
    short
        the margin deficit: by how much y f >= 1 is violated where alpha < C; under squared slack
        y f >= 1 - alpha / C
    long
        the margin excess: by how much y f <= 1 is violated where alpha > 0; under squared slack
        y f <= 1 - alpha / C
    """

    index: int  # type: ignore[assignment]  # hides tuple.index
    y: int
    alpha: Number
    margin: Number
    slack: Number
    below: Number
    above: Number
    short: Number
    long: Number


@displayed
class Violation(NamedTuple):
    """The largest violation: how large, of which condition, by which example.

    index is None for sum alpha_i y_i = 0, the condition on all examples together.
    """

    amount: Number
    condition: str
    index: int | None  # type: ignore[assignment]  # hides tuple.index


@displayed
class KKT(NamedTuple):
    """The conditions of all examples.

    Attributes
    ----------
    m, M
        of the rows solved on; a feasible alpha is optimal if and only if m <= M
    b_low, b_high
        m and M as offsets of the caller's rows: every b between them is optimal; where m > M no b
        suits every example, and b_low > b_high by as much
    worst : Violation
    rows : list of Row
        one an example
    """

    m: Number
    M: Number
    b_low: Number
    b_high: Number
    worst: Violation
    rows: list[Row]


CONDITIONS = {
    "below": "alpha >= 0",
    "above": "alpha <= C",
    "short": "margin >= 1 where alpha < C",
    "long": "margin <= 1 where alpha > 0",
}


def kkt(problem: Problem, alpha: VectorLike, b: Number | None = None) -> KKT:
    """Check the conditions at alpha and b.

    Parameters
    ----------
    problem : Problem, or that of another machine
    alpha : n numbers
    b : number
        by default the middle of m and M, where the worst margin is least bad; of another machine
        all its offsets, in a tuple

    Returns
    -------
    KKT
        (m, M, b_low, b_high, worst, rows); of another machine a GroupedKKT

    Notes
    -----
    O(n n d), linear O(n d). Exact on Fractions. A linear problem is checked on its shifted rows,
    which is the same problem as long as sum alpha_i y_i = 0; how far that is from true is a
    violation, too.

    Examples
    --------
    >>> report = kkt(Problem([[-1], [1]], [-1, 1], C=0.125), [0.125, 0.125])
    >>> report.b_low, report.b_high, report.worst.amount
    (-0.75, 0.75, 0.0)
    """
    if not isinstance(problem, Problem) and isinstance(problem, TrainingProblem):
        return problem.conditions(alpha, () if b is None else b)
    problem, given = require_problem(problem).in_common_type(alpha, 0 if b is None else b)
    beta = problem.beta(alpha)
    alpha = [c * y for c, y in zip(beta, problem.y)]
    scores, _ = problem.scores_and_norm2(beta)
    r = residuals(problem, beta, scores)
    m, M = extremes(problem, alpha, r)
    if b is not None:
        offset = problem.shifted_offset(given, alpha)
    else:
        offset = middle(m, M) if problem.bias else problem.kind(0)
    rows = [
        check_example(i, y, a, C, margin=y * (s + offset), deficit=y * (v - offset))
        for i, (y, a, C, s, v) in enumerate(
            zip(problem.y, alpha, problem.upper_bounds(), scores, r)
        )
    ]
    b_low, b_high = (problem.unshifted_offset(v, alpha) for v in (m, M))
    return KKT(m, M, b_low, b_high, largest_violation(problem, beta, rows), rows)


def residuals(problem: Problem, beta: VectorLike, scores: VectorLike) -> Vector:
    """Return r_i = y_i - s_i, less beta_i / C_i under squared slack."""
    return [y - (s + c * x) for y, s, c, x in zip(problem.y, scores, problem.ridge(), beta)]


def extremes(problem: Problem, alpha: VectorLike, r: VectorLike) -> tuple[Number, Number]:
    """Return m and M: the largest r_i whose beta_i may rise, the smallest whose beta_i may fall.

    -inf and inf where no example is one of these. Without offset b = 0 is a bound of either sort.
    """
    m, M = (-inf, inf) if problem.bias else (problem.kind(0), problem.kind(0))
    for y, a, C, v in zip(problem.y, alpha, problem.upper_bounds(), r):
        alpha_may_rise, alpha_may_fall = a < C, a > 0
        beta_may_rise = alpha_may_rise if y > 0 else alpha_may_fall
        beta_may_fall = alpha_may_fall if y > 0 else alpha_may_rise
        if beta_may_rise and v > m:
            m = v
        if beta_may_fall and v < M:
            M = v
    return m, M


def middle(m: Number, M: Number) -> Number:
    """Return the middle of m and M, or the finite one of them."""
    if -inf < m and M < inf:
        return (m + M) / 2
    return m if -inf < m else M


def check_example(
    i: int, y: int, alpha: Number, C: Number, *, margin: Number, deficit: Number
) -> Row:
    """Return the Row of example i; the deficit is what its margin lacks, below 0 an excess."""
    zero = 0 * margin + 0  # first in each max, so that no violation is -0.0
    return Row(
        index=i,
        y=y,
        alpha=alpha,
        margin=margin,
        slack=max(zero, 1 - margin),
        below=max(zero, -alpha),
        above=max(zero, alpha - C) if C < inf else zero,
        short=max(zero, deficit) if alpha < C else zero,
        long=max(zero, -deficit) if alpha > 0 else zero,
    )


def largest_violation(problem: Problem, beta: Vector, rows: list[Row]) -> Violation:
    """Return the largest violation, the first of them if several are equal."""
    balance = total(beta) if problem.bias else problem.kind(0)
    worst = Violation(max(balance, -balance), "sum alpha_i y_i = 0", None)
    for row in rows:
        for field, condition in CONDITIONS.items():
            if getattr(row, field) > worst.amount:
                worst = Violation(getattr(row, field), condition, row.index)
    return worst
