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

The other machines have the same conditions, of each variable beta_k of group g (dual_form.py):

    beta_k < upper_k   implies   r_k <= lam_g      it could rise
    beta_k > lower_k   implies   r_k >= lam_g      it could fall

and each group one, that its sum is right. Multipliers are optimal if and only if for some lam all
of these hold; the offsets of the machine are made of the lam.

Source: Keerthi, Shevade, Bhattacharyya, Murthy, Neural Computation 13 (2001), pages 637-649;
CS229 notes, equations (26)-(28).
"""

from __future__ import annotations

from math import inf
from typing import Any, NamedTuple

from ..numerics.conversion import as_lists, as_sequence
from ..numerics.display import displayed
from ..numerics.linalg import total
from ..numerics.types import Number, Vector, VectorLike
from .problem import Problem
from .training_problem import Evaluation, TrainingProblem, require_training_problem


@displayed
class Row(NamedTuple):
    """The conditions of one example (S2.7); the last four are violations, 0 where they hold.

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

    >>> from refsvm.svm.problem import Problem
    >>> kkt(Problem([[-1], [1]], [-1, 1]), [0.25, 0.25]).worst.amount
    0.5
    """

    amount: Number
    condition: str
    index: int | None  # type: ignore[assignment]  # hides tuple.index


@displayed
class VariableRow(NamedTuple):
    """The conditions of one variable (S9.3, S11.2); the last four are violations, 0 where kept.

    Attributes
    ----------
    index : int
        its example
    group : int
    alpha : number
        its own multiplier, from 0 to its bound; an example of regression has two
    excess : number
        r - lam
    below, above
        by how much alpha >= 0, and alpha <= its bound, are violated
    short, long
        by how much r <= lam is violated where beta may rise, and r >= lam where it may fall
    """

    index: int  # type: ignore[assignment]  # hides tuple.index
    group: int
    alpha: Number
    excess: Number
    below: Number
    above: Number
    short: Number
    long: Number


class KKTFields(NamedTuple):
    """The fields of a KKT, in order."""

    m: Number
    M: Number
    b_low: Number
    b_high: Number
    worst: Violation
    rows: list[Any]


@displayed
class KKT(KKTFields):
    """The conditions of all examples, or of all variables of another machine.

    Attributes
    ----------
    m, M
        of the rows solved on; a feasible alpha is optimal if and only if m <= M. Of two groups
        those that are farther from it
    b_low, b_high
        what m and M make of the offset of the caller's rows: every b between them is optimal;
        where m > M no b suits every example, and b_low > b_high by as much
    worst : Violation
    rows : list of Row
        one an example; of VariableRow of another machine, one a variable
    ends : list of (m, M), one a group; not one of the fields
    offsets : NamedTuple of OffsetInterval
        what lam from m to M make of them; not one of the fields
    """

    ends: list[tuple[Number, Number]]
    offsets: Any


CONDITIONS = {
    "below": "alpha >= 0",
    "above": "alpha <= C",
    "short": "margin >= 1 where alpha < C",
    "long": "margin <= 1 where alpha > 0",
}
CONDITIONS_OF_VARIABLES = {
    "below": "alpha >= 0",
    "above": "alpha <= its bound",
    "short": "r <= lam where beta may rise",
    "long": "r >= lam where beta may fall",
}


def kkt(problem: TrainingProblem, alpha: VectorLike, b: Any = None, *more: Number) -> KKT:
    """Check the conditions at alpha and the offsets (S2.7).

    Parameters
    ----------
    problem : Problem, or that of another machine
    alpha : n numbers
    b, more : numbers
        the offsets of the machine, in the order of its Solution's `offsets`, or one tuple of them;
        by default the middles of m and M, where the worst margin is least bad

    Returns
    -------
    KKT

    Notes
    -----
    O(n n d), linear O(n d). Exact on Fractions. A linear problem is checked on its shifted rows,
    which is the same problem as long as sum alpha_i y_i = 0; how far that is from true is a
    violation, too.

    Examples
    --------
    >>> from refsvm.svm.problem import Problem
    >>> report = kkt(Problem([[-1], [1]], [-1, 1], C=0.125), [0.125, 0.125])
    >>> report.b_low, report.b_high, report.worst.amount
    (-0.75, 0.75, 0.0)
    >>> from refsvm.svm.one_class_problem import OneClassProblem
    >>> report = kkt(OneClassProblem([[1], [2], [4]]), [1, 0.5, 0])
    >>> report.offsets.rho, report.worst.amount
    (OffsetInterval(value=4.0, low=4.0, high=4.0), 0.0)
    """
    given = given_offsets(b, more)
    return kkt_at(require_training_problem(problem).at(alpha, given), has_offsets=bool(given))


def kkt_at(point: Evaluation, has_offsets: bool) -> KKT:
    """Return the KKT of multipliers, and offsets if there were some, that were evaluated."""
    problem, form, beta = point.problem, point.form, point.beta
    alpha, r = problem.multipliers_of(beta), point.residuals()
    ends = problem.group_extremes(form, beta, r)
    middles = problem.middles(ends)
    lam = point.lam if has_offsets else middles
    is_classifier = isinstance(problem, Problem)
    rows = (_rows_of_examples if is_classifier else _rows_of_variables)(point, r, lam)
    sums = [total(beta[k] for k in g) - problem.kind(s) for g, s in zip(form.groups, form.sums)]
    offsets = problem.offset_intervals(alpha, middles, ends, point.w_norm2)
    m, M = max(ends, key=lambda pair: pair[0] - pair[1])
    _, low, high = problem.decision_offset(offsets)
    worst = _largest_violation(problem, sums, rows)
    report = KKT(m, M, low, high, worst, rows)
    report.ends, report.offsets = ends, offsets
    return report


def given_offsets(b: Any, more: tuple[Number, ...]) -> tuple[Any, ...]:
    """Return offsets given one by one, or as one tuple; none where there are none."""
    if b is None and not more:
        return ()
    several = None if more else as_sequence(as_lists(b))
    return (b, *more) if several is None else tuple(several)


def _rows_of_examples(point: Evaluation, r: Vector, lam: Vector) -> list[Row]:
    """Return the Row of each example of a classification."""
    problem, b = point.problem, lam[0] if lam else point.problem.kind(0)
    parts = zip(problem.y, point.beta, problem.upper_bounds(), point.scores, r)
    return [
        _check_example(i, y, x * y, C, margin=y * (s + b), deficit=y * (v - b))
        for i, (y, x, C, s, v) in enumerate(parts)
    ]


def _rows_of_variables(point: Evaluation, r: Vector, lam: Vector) -> list[VariableRow]:
    """Return the VariableRow of each variable, group by group."""
    form = point.form
    of = range(len(point.beta)) if form.of is None else form.of
    return [
        _check_variable(
            of[k],
            g,
            point.beta[k],
            r[k] - lam[g],
            form.lower[k],
            form.upper[k],
        )
        for g, group in enumerate(form.groups)
        for k in group
    ]


def _check_example(
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


def _check_variable(
    index: int, group: int, beta: Number, excess: Number, low: Number, high: Number
) -> VariableRow:
    """Return the VariableRow of a variable of this example; excess: its r - lam."""
    zero = 0 * excess + 0  # first in each max, so that no violation is -0.0
    under, over = max(zero, low - beta), max(zero, beta - high) if high < inf else zero
    is_turned = high == 0  # then the multiplier is -beta
    return VariableRow(
        index=index,
        group=group,
        alpha=0 - beta if is_turned else beta,
        excess=excess,
        below=over if is_turned else under,
        above=under if is_turned else over,
        short=max(zero, excess) if beta < high else zero,
        long=max(zero, -excess) if beta > low else zero,
    )


def _largest_violation(problem: Any, sums: list[Any], rows: list[Any]) -> Violation:
    """Return the largest violation, the first of them; sums: what each group has too much."""
    is_classifier = isinstance(problem, Problem)
    conditions = CONDITIONS if is_classifier else CONDITIONS_OF_VARIABLES
    names = ["sum alpha_i y_i = 0"] if is_classifier else [f"sum of group {g}" for g in (0, 1)]
    worst = Violation(problem.kind(0), names[0], None)
    for name, much in zip(names, sums):
        if abs(much) > worst.amount:
            worst = Violation(abs(much), name, None)
    for row in rows:
        for field, condition in conditions.items():
            if getattr(row, field) > worst.amount:
                worst = Violation(getattr(row, field), condition, row.index)
    return worst
