"""The optimality conditions of nu, regression, one class and the ball: see dual_form.py.

With r = target - K beta, each variable beta_k of group g has two conditions:

    beta_k < upper_k   implies   r_k <= lam_g      it could rise
    beta_k > lower_k   implies   r_k >= lam_g      it could fall

and each group one, that its sum is right. Multipliers are optimal if and only if for some lam all
of these hold; the offsets of the machine are made of the lam.
"""

from __future__ import annotations

from math import inf
from typing import Any, NamedTuple

from ..numerics.display import displayed
from ..numerics.linalg import total
from ..numerics.types import Number, VectorLike
from .dual_form import group_extremes
from .kkt_conditions import Violation


@displayed
class VariableRow(NamedTuple):
    """The conditions of one variable; the last four are violations, 0 where a condition holds.

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


@displayed
class GroupedKKT(NamedTuple):
    """The conditions of all variables.

    Attributes
    ----------
    ends : list of (m, M), one a group
        feasible multipliers are optimal if and only if m <= M in each
    offsets : NamedTuple of OffsetInterval
        what lam from m to M make of them
    worst : Violation
    rows : list of VariableRow
    """

    ends: list[tuple[Number, Number]]
    offsets: Any
    worst: Violation
    rows: list[VariableRow]


CONDITIONS = {
    "below": "alpha >= 0",
    "above": "alpha <= its bound",
    "short": "r <= lam where beta may rise",
    "long": "r >= lam where beta may fall",
}


def grouped_kkt(problem: Any, alpha: VectorLike, offsets: Any = ()) -> GroupedKKT:
    """Check the conditions of a GroupedProblem at alpha and offsets; without, at their middle.

    O(n n d), linear O(n d). Exact on Fractions.

    >>> from refsvm.svm.one_class_problem import OneClassProblem
    >>> report = grouped_kkt(OneClassProblem([[1], [2], [4]]), [1, 0.5, 0])
    >>> report.offsets.rho, report.worst.amount
    (OffsetInterval(value=4.0, low=4.0, high=4.0), 0.0)
    """
    problem, form, variables, r, w_norm2, lam = problem.at(alpha, offsets)
    ends = group_extremes(form, variables, r)
    middles = [problem.multiplier_between(m, M) for m, M in ends]
    if not offsets:
        lam = middles
    rows = [
        check_variable(problem.example_and_sign(k)[0], g, variables[k], r[k] - lam[g], *bounds)
        for g, group in enumerate(form.groups)
        for k, bounds in zip(group, list(zip(form.lower, form.upper))[group.start : group.stop])
    ]
    sums: list[Any] = [
        total(variables[k] for k in group) - problem.kind(s)
        for group, s in zip(form.groups, form.sums)
    ]
    offsets = problem.offset_intervals(alpha, middles, ends, w_norm2)
    return GroupedKKT(ends, offsets, largest_violation(sums, rows), rows)


def check_variable(
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


def largest_violation(sums: list[Any], rows: list[VariableRow]) -> Violation:
    """Return the largest violation, the first of them; sums: what each group has too much."""
    worst = Violation(0 * rows[0].excess + 0, "sum of group 0", None)
    for g, much in enumerate(sums):
        if abs(much) > worst.amount:
            worst = Violation(abs(much), f"sum of group {g}", None)
    for row in rows:
        for field, condition in CONDITIONS.items():
            if getattr(row, field) > worst.amount:
                worst = Violation(getattr(row, field), condition, row.index)
    return worst
