"""The steps of SMO: two multipliers at a time, or one where no equation ties them.

A step works on beta_k = alpha_k y_k: it raises beta_i and lowers beta_j by the same amount, so
that sum beta stays. Both are of one group, that whose residuals violate the conditions most; for
classification all variables are one. i is where the residual is largest among the beta that may
rise; j is where the step would gain most if the bounds did not stop it (the second-order rule).
Ties go to the lowest index. Without an offset nothing ties two multipliers: one moves alone, the
one that would gain most.

smo.py takes these steps among all examples, decomposition.py among a few. up, low and r are
explained in dual_ascent.py.

Source: Keerthi et al., Neural Computation 13 (2001); Fan, Chen, Lin, JMLR 6 (2005), pages
1889-1918, for the second-order rule.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Any, NamedTuple

from ..numerics.display import displayed
from ..numerics.types import Number, Vector
from ..svm.problem import Problem
from .dual_ascent import DualAscent, Move
from .dual_program import best_travel


@displayed
class Step(NamedTuple):
    """What on_step is called with after each step, in terms of alpha_j, the second of the pair.

    Between two steps the free multipliers may have moved together (conjugate_gradient.py).

    In regression an example has two variables, the shares of its multiplier above and below 0.
    What is told is the share of j that moved: never negative, or never positive. The net
    multiplier is the sum of both, as alpha of a Solution and the column `net` of a trace have it.
    It differs from `clipped` while the other share is not 0. Standard: S3.4.

    low, high   the ends of the segment on which alpha_j may lie
    unclipped   where the dual is largest on the whole line; clipped: on the segment
    violation   m - M after the step; objective: the dual after it
    """

    iteration: int
    i: int
    j: int
    low: Number
    high: Number
    unclipped: Number
    clipped: Number
    violation: Number
    objective: Number


class PairAscent(DualAscent):
    """A DualAscent that moves two multipliers at a time, or one where no equation ties them."""

    def step(self) -> Move | None:
        """Choose and take one step; the Move, or None if there was nothing left to move."""
        return self.pair_step() if self.form.groups else self.single_step()

    def pair_step(self) -> Move | None:
        """Raise the worst group's beta of the largest residual; lower its best partner (S3.5)."""
        group, m, _ = self.worst_group()
        i = self.up.index(m, group.start)
        row_i = self.row(i)
        j = self.partner(i, row_i, group)
        row_j = self.row(j)
        slope = self.up[i] - self.low[j]
        k_ii, k_jj, k_ij = self.diagonal[i], self.diagonal[j], row_i[j]
        curvature = (k_ii + k_jj) - 2 * k_ij
        if curvature < 0:
            size = abs(k_ii) + abs(k_jj) + 2 * abs(k_ij)
            self.note_curvature(curvature, size, {i: 1, j: -1})
        beta, lower, upper = self.beta, self.form.lower, self.form.upper
        minus = self.minus
        # The slope leads forward; where the curvature is negative the other end may be better.
        forward = min(minus(upper[i], beta[i]), minus(beta[j], lower[j]))
        backward = min(minus(beta[i], lower[i]), minus(upper[j], beta[j]))
        t = best_travel(slope, curvature, -backward, forward)
        if abs(t) == inf:
            self.unbounded_direction = {i: 1, j: -1}
            return None
        unclipped = beta[j] - slope / curvature if curvature > 0 else beta[j] - t
        ends = minus(beta[j], forward), minus(beta[j], -backward)
        rose, fell = self.add_clipped(i, t), self.add_clipped(j, -t)
        if not rose and not fell:
            return None
        # What the dual gains by moving both, each by what rounding let it move.
        gain = (rose * self.residual(i) + fell * self.residual(j)) - (
            k_ii * rose * rose + 2 * k_ij * rose * fell + k_jj * fell * fell
        ) / 2
        change = [rose * p + fell * q for p, q in zip(row_i, row_j)]
        self.subtract_from_residuals(change, abs(rose) + abs(fell))
        self.update_bounds(i)
        self.update_bounds(j)
        return Move(i, j, *ends, unclipped, beta[j], gain)

    def partner(self, i: int, row: Vector, group: range) -> int:
        """The j of the group that gains most with i: (r_i - r_j)^2 / (2 curvature) (S3.5)."""
        m, k_ii = self.up[i], self.diagonal[i]
        diagonal, j = self.diagonal, group.start
        best: Number = -1
        for k, v in zip(group, self.low[group.start : group.stop]):
            if v < m:
                d, e = m - v, (k_ii + diagonal[k]) - 2 * row[k]
                gain = d * d / e if e > 0 else inf  # only a bound stops it
                if gain > best:
                    best, j = gain, k
        return j

    def single_step(self) -> Move | None:
        """Move alone the beta that gains most: r^2 / (2 K_ii) (S3.6)."""
        gains = [
            -1 if r == 0 else r * r / k if k > 0 else inf
            for r, k in zip(self.projected_residuals(), self.diagonal)
        ]
        return self.move_alone(gains.index(max(gains)))


def step_reporter(problem: Problem, on_step: Callable[[Step], object] | None) -> Any:
    """The function that calls on_step with the Step of a Move; None if there is no on_step."""
    return None if on_step is None else lambda *news: on_step(step_of(problem, *news))


def step_of(
    problem: Problem, move: Move, iteration: int, violation: Number, objective: Number
) -> Step:
    """The Step of a Move: beta_j turned into alpha_j."""
    (i, _), (j, y) = problem.example_and_sign(move.i), problem.example_and_sign(move.j)
    low, high = sorted((y * move.low, y * move.high))
    return Step(
        iteration,
        i,
        j,
        low,
        high,
        y * move.unclipped,
        y * move.clipped,
        violation,
        objective,
    )
