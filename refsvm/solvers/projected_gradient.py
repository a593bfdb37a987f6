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

from ..numerics.linalg import total
from .answers import checked, dual_program
from .descent import Descent
from .dual_ascent import run
from .projections import clipped, tied

PAUSE = 3  # steps before the face is tried: each of them may free or stop many at once


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
        bound = largest_row(program.rows, len(self.beta))
        # Where K is 0, or so small that 1 / bound overflows, the slope hardly changes: any rate
        # will do.
        self.rate = 1 / bound if bound > 0 and 1 / bound < inf else kind(1)
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


def largest_row(rows, n):
    """The largest sum of sizes in a row of K: no eigenvalue is larger. n rows, O(n n)."""
    largest = 0
    for i in range(n):
        largest = max(largest, total(map(abs, rows.row(i))))
    return largest


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
