"""Projected gradient ascent: move every multiplier up the slope, and come back into the set.

    beta  <-  P(beta + rate r)

r is the slope of the dual, P the projection onto the set on which beta must lie: the box, and with
an offset also the plane sum beta = 0 (numerics/projections.py; this P is easily done wrong). The
rate is 1 / L, L an upper bound of the largest eigenvalue of K. Then the dual rises with every
step, by at least L / 2 times the square of the distance moved, and a beta that P gives back
unmoved is the optimum.

textbook_projected_gradient is that and no more. Such steps soon find which multipliers lie on
their bounds, and then creep. So every few steps of projected_gradient the free ones are moved
together (conjugate_gradient.py), and the answer is exact at the end.

Throughout this module
    beta   alpha_i y_i                                K     the kernel matrix, with the ridge
    r      y_i - (K beta)_i, the residuals            L     a bound on the eigenvalues of K

Source: Goldstein, Bulletin of the American Mathematical Society 70 (1964), pages 709-710; Levitin
and Polyak, USSR Computational Mathematics and Mathematical Physics 6 (1966), pages 1-50; More and
Toraldo, SIAM Journal on Optimization 1 (1991), pages 93-113, for changing over to the face.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Any, NamedTuple

from ..numerics.display import displayed
from ..numerics.linalg import add_scaled, matrix_vector, total
from ..numerics.projections import clip_to_box, clip_to_sum, onto_box, onto_multipliers
from ..numerics.types import Kind, Number, VectorLike
from ..numerics.validation import checked_limits
from ..svm.model import Solution
from ..svm.problem import Problem, require_problem
from .ascent_loop import maximise
from .dual_ascent import DualAscent
from .dual_program import (
    DualProgram,
    Numbers,
    dual_program,
    solver_arguments,
)
from .textbook import (
    TextbookAnswer,
    errors,
    kernel_matrix,
    textbook_answer,
    violation,
    with_signs,
)

STEPS_BEFORE_CG = 3  # steps before conjugate gradients: each of them may free or stop many at once


def textbook_projected_gradient(
    problem: Problem, tol: Number = 1e-3, max_iter: int | None = None
) -> TextbookAnswer:
    """Solve the problem by projected gradient ascent: step along the gradient, project, repeat.

    Parameters
    ----------
    tol : number, 0 or more
        in units of the functional margin, which is 1
    max_iter : int
        steps at most; None stands for max(100 000, 100 n)

    Returns
    -------
    TextbookAnswer
        alpha, b, objective, violation, iterations and status. A hard margin that does not exist is
        noticed by projected_gradient alone: here it ends with "max_iter".

    Notes
    -----
    A step costs O(n n), the kernel matrix O(n n d). The posts that print this
    algorithm clip alpha to its bounds, which is the projection for a problem without an offset
    only. Source: lycpaul's post (lycpaul-30 to lycpaul-35), corrected. Standard: S5.6.

    Examples
    --------
    >>> from refsvm.svm.problem import Problem
    >>> solution = textbook_projected_gradient(Problem([[-1], [1]], [-1, 1]))
    >>> solution.alpha, solution.b, solution.iterations, solution.status
    ([0.5, 0.5], 0.0, 1, 'optimal')
    """
    problem = require_problem(problem)
    tol, max_iter = checked_limits(problem.kind, problem.n, tol, max_iter, steps=100)
    K, y, C = kernel_matrix(problem), problem.y, problem.upper_bounds()
    Q, rate, zero = with_signs(K, y), _rate_for(K, problem.kind), [problem.kind(0)] * problem.n
    alpha, steps = zero, 0
    while steps < max_iter and violation(problem, alpha, errors(problem, K, alpha)) > tol:
        gradient = [1 - v for v in matrix_vector(Q, alpha)]
        alpha = add_scaled(alpha, rate, gradient)
        alpha = onto_multipliers(alpha, y, C) if problem.bias else onto_box(alpha, zero, C)
        steps += 1
    return textbook_answer(problem, K, alpha, tol, max_iter, steps)


def _rate_for(rows: Any, kind: Kind) -> Number:
    """1 / L, where L is the largest sum of sizes in a row of K; 1 where that is no number.

    No eigenvalue of K is larger than L. Where K is 0, or so small that 1 / L overflows, the slope
    hardly changes: any rate will do. O(n n).
    """
    largest = max(total(map(abs, row)) for row in rows)
    return 1 / largest if largest > 0 and 1 / largest < inf else kind(1)


@displayed
class GradientMove(NamedTuple):
    """A step as taken: how many multipliers it moved, and what it added to the dual.

    >>> GradientMove(moved=2, gain=0.5).moved
    2
    """

    moved: int
    gain: Number


@displayed
class GradientStep(NamedTuple):
    """What on_step is called with after each step.

    Between two steps the free multipliers may have moved together (conjugate_gradient.py).

    rate       how far along the slope, 1 / L       moved      how many multipliers moved
    violation  m - M after the step                 objective  the dual after it
    """

    iteration: int
    rate: Number
    moved: int
    violation: Number
    objective: Number


class ProjectedAscent(DualAscent):
    """A DualAscent whose step moves every beta along the slope and projects."""

    def __init__(self, program: DualProgram, kind: Kind) -> None:
        super().__init__(program, kind)
        n = len(self.beta)
        self.step_cost, self.cg_interval = n * n, STEPS_BEFORE_CG
        self.rate = _rate_for(map(self.row, range(n)), kind)
        self.total = total(program.start)

    def step(self) -> GradientMove | None:
        """beta <- P(beta + rate r) (S5.7); None if that moves nothing, or is beyond doubles."""
        lower, upper = self.form.lower, self.form.upper
        start, r = dict(enumerate(self.beta)), self.residuals()
        z = [x + self.rate * v for x, v in zip(self.beta, r)]
        if not all(abs(v) < inf for v in z):
            return None
        if self.form.groups:
            self.beta = clip_to_sum(z, lower, upper, self.total)
        else:
            self.beta = clip_to_box(z, lower, upper)
        d = [x - start[k] for k, x in enumerate(self.beta)]
        moved = len(d) - d.count(0)
        if not moved:
            return None
        gain = self.update_after_moving_from(start)
        self.note_curvature_along(d, r)
        return GradientMove(moved, gain)

    def note_curvature_along(self, d: Numbers, before: Numbers) -> None:
        """Note d'Kd, by how much the slope fell on the way; its terms are at most |d|^2 / rate."""
        curvature = norm2 = self.zero
        for v, old, new in zip(d, before, self.residuals()):
            curvature += v * (old - new)
            norm2 += v * v
        direction = {k: v for k, v in enumerate(d) if v != 0}
        self.note_curvature(curvature, norm2 / self.rate, direction)


def projected_gradient(
    problem: Problem,
    tol: Number = 1e-3,
    max_iter: int | None = None,
    start: VectorLike | None = None,
    on_step: Callable[[GradientStep], object] | None = None,
    *,
    cache_mb: float = 200,
    threads: int = 1,
) -> Solution:
    """Solve the problem by projected gradient ascent on its dual (S5.7).

    Parameters
    ----------
    on_step : function
        called with a GradientStep after each step
    tol, max_iter, start, cache_mb, threads
        as in smo

    Returns
    -------
    Solution
        with the statuses of smo; errors, too, are those of smo

    Notes
    -----
    A step costs O(n n) and the kernel rows of those that moved. Source: Goldstein (1964).

    Examples
    --------
    >>> from refsvm.svm.problem import Problem
    >>> solution = projected_gradient(Problem([[0], [1], [3], [4]], [-1, -1, 1, 1]))
    >>> solution.alpha, solution.b, solution.status
    ([0.0, 0.5, 0.5, 0.0], -2.0, 'optimal')
    """
    problem, tol, max_iter = solver_arguments(
        problem, tol, max_iter, start, on_step, cache_mb, threads
    )
    ascent = ProjectedAscent(dual_program(problem, start, cache_mb), problem.kind)

    if on_step is None:
        return maximise(problem, ascent, tol, max_iter)

    def report(move: GradientMove, iteration: int, violation: Number, objective: Number) -> None:
        on_step(GradientStep(iteration, ascent.rate, move.moved, violation, objective))

    return maximise(problem, ascent, tol, max_iter, report)
