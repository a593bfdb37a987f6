"""Sequential minimal optimization: the solver of record for every problem with a kernel.

    maximise the dual two multipliers at a time, until no pair violates the conditions by more
    than tol: m - M <= tol, see kkt_conditions.py

SMO as the notes print it is textbook_smo.py; read that first. Here a step works on beta_k =
alpha_k y_k: it raises beta_i and lowers beta_j by the same amount, so that sum beta stays. i is
where the residual is largest among the beta that may rise; j is where the step would gain most if
the bounds did not stop it (the second-order rule). Ties go to the lowest index. Without an offset
nothing ties two multipliers: one moves alone, the one that would gain most.

The loop around the step, which also moves all free multipliers together, is dual_ascent.py; up,
low and r are explained there. Two consequences of m - M <= tol (b in the middle): no margin is
wrong by more than tol / 2, and primal - dual <= tol / 2 * sum C_i. There is always an answer, and
its status is honest.

No example is set aside ("shrinking", as in LIBSVM): at the end every multiplier that moved would
need the rest of its kernel row, and rows are what takes the time. For more than MANY examples a
step among all of them is too dear: then smo is decomposition.py, which takes steps among a few.

Source: Platt, "Sequential Minimal Optimization", 1998; Keerthi et al., Neural Computation 13
(2001); Fan, Chen, Lin, JMLR 6 (2005), pages 1889-1918, for the second-order rule.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Any, NamedTuple

from ..numerics.display import displayed
from ..numerics.types import Number, VectorLike
from ..svm.model import Solution
from ..svm.problem import Problem, require_problem
from .dual_ascent import DualAscent, Move, run
from .dual_program import best_travel, dual_program, solver_arguments

MANY = 15_000  # examples: where there are more, rounds of steps among 1024 of them are quicker


@displayed
class Step(NamedTuple):
    """What on_step is called with after each step, in terms of alpha_j, the second of the pair.

    Between two steps the free multipliers may have moved together (conjugate_gradient.py).

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
        return self.pair_step() if self.program.tied else self.single_step()

    def pair_step(self) -> Move | None:
        """Raise the beta of the largest residual, and lower its best partner."""
        i = self.up.index(max(self.up))
        row_i = self.row(i)
        j = self.partner(i, row_i)
        row_j = self.row(j)
        slope = self.up[i] - self.low[j]
        k_ii, k_jj, k_ij = self.diagonal[i], self.diagonal[j], row_i[j]
        curvature = (k_ii + k_jj) - 2 * k_ij
        if curvature < -self.noise * (abs(k_ii) + abs(k_jj) + 2 * abs(k_ij)):
            self.indefinite = True
        beta, lower, upper = self.beta, self.program.lower, self.program.upper
        minus = self.minus
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

    def partner(self, i: int, row: list[Any]) -> int:
        """The j that gains most with i: (r_i - r_j)^2 / (2 curvature)."""
        m, k_ii = self.up[i], self.diagonal[i]
        diagonal, j = self.diagonal, 0
        best: Any = -1
        for k, v in enumerate(self.low):
            if v < m:
                d, e = m - v, (k_ii + diagonal[k]) - 2 * row[k]
                gain = d * d / e if e > 0 else inf
                if gain > best:
                    best, j = gain, k
        return j

    def single_step(self) -> Move | None:
        """Move alone the beta that gains most: r^2 / (2 K_ii)."""
        gains = [
            -1 if r == 0 else r * r / k if k > 0 else inf
            for r, k in zip(self.projected_residuals(), self.diagonal)
        ]
        return self.move_alone(gains.index(max(gains)))


def smo(
    problem: Problem,
    tol: Number = 1e-3,
    max_iter: int | None = None,
    start: VectorLike | None = None,
    on_step: Callable[[Step], Any] | None = None,
    *,
    cache_mb: float = 200,
    threads: int = 1,
) -> Solution:
    """Solve the problem to m - M <= tol.

    Parameters
    ----------
    tol : number, 0 or more
        in units of the functional margin, which is 1
    max_iter : int
        steps at most; None stands for max(100 000, 100 n), above MANY examples for 1000 n
    start : n numbers
        multipliers to start from, 0 <= alpha_i <= C_i; what sum alpha_i y_i has too much is first
        taken off the heavier class, in index order
    on_step : function
        called with a Step after each step
    cache_mb : number
        room for kernel rows in megabytes; changes no bit
    threads : int
        for the compiled twin; changes no bit

    Returns
    -------
    Solution
        whose status says how it ended

    Raises
    ------
    ValueError, TypeError
        for bad arguments, a kernel value that is not finite, or an answer beyond the doubles

    Notes
    -----
    A step costs O(n) and at most two kernel rows; above MANY examples see decomposition. Source:
    Platt (1998); CS229, section 9.2.

    Examples
    --------
    >>> from refsvm.svm.problem import Problem
    >>> solution = smo(Problem([[0], [1], [3], [4]], [-1, -1, 1, 1]))
    >>> solution.alpha, solution.b, solution.status
    ([0.0, 0.5, 0.5, 0.0], -2.0, 'optimal')
    """
    if require_problem(problem).n > MANY:
        from .decomposition import decomposition  # which takes these steps in its rounds

        return decomposition(
            problem, tol, max_iter, start, on_step, cache_mb=cache_mb, threads=threads
        )
    problem, tol, max_iter = solver_arguments(
        problem, tol, max_iter, start, on_step, cache_mb, threads
    )
    ascent = PairAscent(dual_program(problem, start, cache_mb), problem.kind)
    return run(problem, ascent, tol, max_iter, step_reporter(problem, on_step))


def step_reporter(problem: Problem, on_step: Callable[[Step], Any] | None) -> Any:
    """The function that calls on_step with the Step of a Move; None if there is no on_step."""
    return None if on_step is None else lambda *news: on_step(step_of(problem, *news))


def step_of(
    problem: Problem, move: Move, iteration: int, violation: Number, objective: Number
) -> Step:
    """The Step of a Move: beta_j turned into alpha_j."""
    y = problem.y[move.j]
    low, high = sorted((y * move.low, y * move.high))
    return Step(
        iteration,
        move.i,
        move.j,
        low,
        high,
        y * move.unclipped,
        y * move.clipped,
        violation,
        objective,
    )
