"""Projected gradient ascent: move every multiplier up the slope, and come back into the set.

    beta  <-  P(beta + rate r)

r is the slope of the dual, P the projection onto the set on which beta must lie: the box, and with
an offset also the plane sum beta = 0 (projections.py: this P is what is easily done wrong). The
rate is 1 / L, where L is no less than the largest eigenvalue of K. Then the dual rises with every
step, by at least L / 2 times the square of the distance moved, and a beta that P gives back
unmoved is the optimum.

Such steps soon find which multipliers lie on their bounds, and then creep. So every few steps the
free ones are moved together (conjugate_gradient.py), and the answer is exact at the end.

Throughout this module
    beta   alpha_i y_i                                K     the kernel matrix, with the ridge
    r      y_i - (K beta)_i, the residuals            L     a bound on the eigenvalues of K

Source: Goldstein, Bulletin of the American Mathematical Society 70 (1964), pages 709-710; Levitin
and Polyak, USSR Computational Mathematics and Mathematical Physics 6 (1966), pages 1-50; More and
Toraldo, SIAM Journal on Optimization 1 (1991), pages 93-113, for changing over to the face.
"""

from math import inf
from typing import Any, NamedTuple

from ..numerics.linalg import add_scaled, matrix_vector, total
from .answers import checked, dual_program, kernel_matrix, solution_at, violation, with_signs
from .descent import Descent
from .dual_ascent import run
from .projections import clipped, onto_box, onto_multipliers, tied

PAUSE = 3  # steps before the face is tried: each of them may free or stop many at once


def textbook_projected_gradient(problem, tol=1e-3, max_iter=None):
    """Solve the problem by projected gradient ascent: step along the gradient, project, repeat.

    Parameters
    ----------
    tol : number, 0 or more
        in units of the functional margin, which is 1
    max_iter : int
        steps at most; None stands for max(100 000, 100 n)

    Returns
    -------
    Solution
        status "optimal": the conditions hold to within tol. A hard margin that does not exist is
        noticed by projected_gradient alone: here it ends with "max_iter".

    Notes
    -----
    A step costs O(n n), and the test of the conditions O(n n d). The posts that print this
    algorithm clip alpha to its bounds, which is the projection for a problem without an offset
    only. Source: lycpaul's post (lycpaul-30 to lycpaul-35), corrected.

    Examples
    --------
    >>> from refsvm.svm.problem import Problem
    >>> solution = textbook_projected_gradient(Problem([[-1], [1]], [-1, 1]))
    >>> solution.alpha, solution.b, solution.iterations, solution.status
    ([0.5, 0.5], 0.0, 1, 'optimal')
    """
    problem, tol, max_iter = checked(problem, tol, max_iter)
    K, y, C = kernel_matrix(problem), problem.y, problem.upper_bounds()
    Q, rate, zero = with_signs(K, y), rate_for(K, problem.kind), [problem.kind(0)] * problem.n
    alpha, steps = zero, 0
    while steps < max_iter and violation(problem, alpha) > tol:
        gradient = [1 - v for v in matrix_vector(Q, alpha)]
        alpha = add_scaled(alpha, rate, gradient)
        alpha = onto_multipliers(alpha, y, C) if problem.bias else onto_box(alpha, zero, C)
        steps += 1
    return solution_at(problem, K, alpha, tol, max_iter, steps)


def rate_for(rows, kind):
    """1 / L, where L is the largest sum of sizes in a row of K; 1 where that is no number.

    No eigenvalue of K is larger than L. Where K is 0, or so small that 1 / L overflows, the slope
    hardly changes: any rate will do. O(n n).
    """
    largest = max(total(map(abs, row)) for row in rows)
    return 1 / largest if largest > 0 and 1 / largest < inf else kind(1)


class Slide(NamedTuple):
    """A step as taken: how many multipliers it moved, and what it added to the dual."""

    moved: int
    gain: Any


class GradientStep(NamedTuple):
    """What on_step is told after each step.

    Between two steps the free multipliers may have moved along their face
    (conjugate_gradient.py).

    rate       how far along the slope, 1 / L       moved      how many multipliers moved
    violation  m - M after the step                 objective  the dual after it
    """

    iteration: int
    rate: Any
    moved: int
    violation: Any
    objective: Any


class UpTheSlope(Descent):
    """A Descent whose step moves every beta along the slope and projects."""

    def __init__(self, program, kind):
        super().__init__(program, kind)
        self.work, self.pause = len(self.beta) * len(self.beta), PAUSE
        self.rate = rate_for(map(self.row, range(len(self.beta))), kind)
        self.total = total(program.start)

    def step(self):
        """beta <- P(beta + rate r); None if that moves nothing, or is beyond the doubles."""
        lower, upper = self.program.lower, self.program.upper
        start, r = dict(enumerate(self.beta)), self.known()
        z = [x + self.rate * v for x, v in zip(self.beta, r)]
        if not all(abs(v) < inf for v in z):
            return None
        if self.program.tied:
            self.beta = tied(z, lower, upper, self.total)
        else:
            self.beta = clipped(z, 0, lower, upper)
        d = [x - start[k] for k, x in enumerate(self.beta)]
        moved = len(d) - d.count(0)
        if not moved:
            return None
        gain = self.settle(start)
        self.look_for_negative_curvature(d, r)
        return Slide(moved, gain)

    def look_for_negative_curvature(self, d, before):
        """Note it if d'Kd < 0: the slope grew on the way, by more than rounding could make it."""
        bend = size = self.zero
        for v, old, new in zip(d, before, self.known()):
            bend += v * (old - new)
            size += v * v
        if bend * self.rate < -self.noise * size:
            self.indefinite = True


def projected_gradient(
    problem, tol=1e-3, max_iter=None, start=None, on_step=None, *, cache_mb=200, threads=1
):
    """Solve the problem by projected gradient ascent on its dual; a Solution.

    Arguments, statuses and errors as in smo; on_step gets a GradientStep. A step costs O(n n) and
    the kernel rows of those that moved.

    >>> from refsvm.svm.problem import Problem
    >>> solution = projected_gradient(Problem([[0], [1], [3], [4]], [-1, -1, 1, 1]))
    >>> solution.alpha, solution.b, solution.status
    ([0.0, 0.5, 0.5, 0.0], -2.0, 'optimal')
    """
    problem, tol, max_iter = checked(problem, tol, max_iter, start, on_step, cache_mb, threads)
    descent = UpTheSlope(dual_program(problem, start, cache_mb), problem.kind)

    def tell(slide, iteration, violation, objective):
        on_step(GradientStep(iteration, descent.rate, slide.moved, violation, objective))

    return run(problem, descent, tol, max_iter, None if on_step is None else tell)
