"""Projected gradient ascent: move every multiplier up the slope, and come back into the set.

    beta  <-  P(beta + rate r)

r is the slope of the dual, P the projection: of all points of the set on which beta must lie, the
nearest one. Which set it is, is the whole question:

    box             lower_i <= x_i <= upper_i              the dual without offset
    box and plane   the same, and  sum x_i = total         the dual with an offset

Onto the box each x_i is clipped on its own. Onto both, clipping is not enough, and clipping after
having moved onto the plane is not it either: what one of them mends the other breaks again. The
nearest point is clip(z_i - nu), all z moved by the same nu before they are clipped, and nu is what
makes the sum right (nu is the multiplier of the equation; Lagrange).

The rate is 1 / L, where L is no less than the largest eigenvalue of K. Then the dual rises with
every step, by at least L / 2 times the square of the distance moved, and a beta that P gives back
unmoved is the optimum. Such steps soon find which multipliers lie on their bounds, and then creep.
So every few steps the free ones are moved together (conjugate_gradient.py), and the answer is
exact at the end; textbook_projected_gradient does without.

Throughout this module
    beta   alpha_i y_i; here the plane is sum beta = 0     K    the kernel matrix, with the ridge
    r      y_i - (K beta)_i, the residuals                 L    a bound on the eigenvalues of K
    z, x   the point to bring back; the nearest one        kink a nu where a z_i - nu is at a bound

Source: Goldstein, Bulletin of the American Mathematical Society 70 (1964), pages 709-710; Levitin
and Polyak, USSR Computational Mathematics and Mathematical Physics 6 (1966), pages 1-50; More and
Toraldo, SIAM Journal on Optimization 1 (1991), pages 93-113, for changing over to the face; for P
lycpaul's post (lycpaul-34), and Held, Wolfe, Crowder, Mathematical Programming 6 (1974), 62-88.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf
from typing import Any, NamedTuple

from ..numerics import linalg
from ..numerics.linalg import add_scaled, matrix_vector
from ..numerics.types import Number, Vector, VectorLike
from ..numerics.validation import labels, number_kind, penalties, sequence, to_number, vector
from ..svm.model import Solution
from ..svm.problem import Problem
from .dual_ascent import DualAscent, run
from .dual_program import (
    dual_program,
    kernel_matrix,
    solution_at,
    solver_arguments,
    violation,
    with_signs,
)

CG_INTERVAL = 3  # steps before conjugate gradients: each of them may free or stop many at once


def textbook_projected_gradient(
    problem: Problem, tol: Number = 1e-3, max_iter: int | None = None
) -> Solution:
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
    problem, tol, max_iter = solver_arguments(problem, tol, max_iter)
    K, y, C = kernel_matrix(problem), problem.y, problem.upper_bounds()
    Q, rate, zero = with_signs(K, y), rate_for(K, problem.kind), [problem.kind(0)] * problem.n
    alpha, steps = zero, 0
    while steps < max_iter and violation(problem, alpha) > tol:
        gradient = [1 - v for v in matrix_vector(Q, alpha)]
        alpha = add_scaled(alpha, rate, gradient)
        alpha = onto_multipliers(alpha, y, C) if problem.bias else onto_box(alpha, zero, C)
        steps += 1
    return solution_at(problem, K, alpha, tol, max_iter, steps)


def rate_for(rows: Any, kind: Any) -> Any:
    """1 / L, where L is the largest sum of sizes in a row of K; 1 where that is no number.

    No eigenvalue of K is larger than L. Where K is 0, or so small that 1 / L overflows, the slope
    hardly changes: any rate will do. O(n n).
    """
    largest = max(linalg.total(map(abs, row)) for row in rows)
    return 1 / largest if largest > 0 and 1 / largest < inf else kind(1)


class GradientMove(NamedTuple):
    """A step as taken: how many multipliers it moved, and what it added to the dual."""

    moved: int
    gain: Any


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

    def __init__(self, program, kind):
        super().__init__(program, kind)
        n = len(self.beta)
        self.step_cost, self.cg_interval = n * n, CG_INTERVAL
        self.rate = rate_for(map(self.row, range(n)), kind)
        self.total = linalg.total(program.start)

    def step(self):
        """beta <- P(beta + rate r); None if that moves nothing, or is beyond the doubles."""
        lower, upper = self.program.lower, self.program.upper
        start, r = dict(enumerate(self.beta)), self.residuals()
        z = [x + self.rate * v for x, v in zip(self.beta, r)]
        if not all(abs(v) < inf for v in z):
            return None
        if self.program.tied:
            self.beta = project_with_sum(z, lower, upper, self.total)
        else:
            self.beta = shift_and_clip(z, 0, lower, upper)
        d = [x - start[k] for k, x in enumerate(self.beta)]
        moved = len(d) - d.count(0)
        if not moved:
            return None
        gain = self.update_after_moving_from(start)
        self.look_for_negative_curvature(d, r)
        return GradientMove(moved, gain)

    def look_for_negative_curvature(self, d, before):
        """Note it if d'Kd < 0: the slope grew on the way, by more than rounding could make it."""
        curvature = norm2 = self.zero
        for v, old, new in zip(d, before, self.residuals()):
            curvature += v * (old - new)
            norm2 += v * v
        if curvature * self.rate < -self.noise * norm2:
            self.indefinite = True


def projected_gradient(
    problem: Problem,
    tol: Number = 1e-3,
    max_iter: int | None = None,
    start: VectorLike | None = None,
    on_step: Callable[[GradientStep], Any] | None = None,
    *,
    cache_mb: Number = 200,
    threads: int = 1,
) -> Solution:
    """Solve the problem by projected gradient ascent on its dual.

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

    def report(move, iteration, violation, objective):
        on_step(GradientStep(iteration, ascent.rate, move.moved, violation, objective))

    return run(problem, ascent, tol, max_iter, None if on_step is None else report)


# Projections


def onto_box(z: VectorLike, lower: VectorLike, upper: VectorLike) -> Vector:
    """The nearest x with lower_i <= x_i <= upper_i. O(n).

    lower and upper are lists as long as z; -inf and inf are allowed there. ValueError if a lower
    bound is above the upper.

    >>> onto_box([-1, 0.5, 3], [0, 0, 0], [1, 1, 1])
    [0.0, 0.5, 1.0]
    """
    z, lower, upper, _ = in_one_kind(z, lower, upper, 0)
    return shift_and_clip(z, 0, lower, upper)


def onto_box_and_plane(
    z: VectorLike, lower: VectorLike, upper: VectorLike, total: Number = 0
) -> Vector:
    """The nearest x with lower_i <= x_i <= upper_i and sum x_i = total. O(n log n).

    Exact on Fractions. ValueError if there is no such x.

    >>> onto_box_and_plane([0.75, -0.25], [0, -1], [1, 0])
    [0.5, -0.5]
    """
    z, lower, upper, total = in_one_kind(z, lower, upper, total)
    least, most = linalg.total(lower), linalg.total(upper)
    if not least <= total <= most:
        raise ValueError(f"total is {total}; the bounds allow sums from {least} to {most} only")
    return project_with_sum(z, lower, upper, total)


def onto_multipliers(z: VectorLike, y: Sequence[int], upper: Number | VectorLike) -> Vector:
    """The alpha nearest to z with 0 <= alpha_i <= upper and sum alpha_i y_i = 0. O(n log n).

    upper is one number or math.inf, or a list of them. The right projection for the dual with an
    offset; without one it is onto_box.

    >>> onto_multipliers([0.75, 0.25], [1, -1], 1)
    [0.5, 0.5]
    """
    kind = number_kind(z, upper)
    z = vector(z, "z", kind)
    y = labels(y, len(z))
    upper = penalties(kind, upper, len(z))
    zero = kind(0)
    beta = project_with_sum(
        [v * s for v, s in zip(z, y)],
        [zero if s > 0 else -c for s, c in zip(y, upper)],
        [c if s > 0 else zero for s, c in zip(y, upper)],
        zero,
    )
    return [v * s + 0 for v, s in zip(beta, y)]


def project_with_sum(z, lower, upper, total):
    """onto_box_and_plane for lists already checked.

    A long step leaves z so far behind the bounds that z - nu has none of their digits any more.
    So nu is first found roughly, and then once more from where the kink next to it is 0.
    """
    left, right = neighbouring_kinks(z, lower, upper, total)
    nu = common_shift(z, lower, upper, total, left, right)
    kinks = [kink for kink in (left, right) if abs(kink) < inf]
    near = min(kinks, key=lambda kink: abs(nu - kink), default=0)
    z = [v - near for v in z]  # exact for those that end up between their bounds
    left, right = neighbouring_kinks(z, lower, upper, total)
    return shift_and_clip(z, common_shift(z, lower, upper, total, left, right), lower, upper)


def shift_and_clip(z, nu, lower, upper):
    """z_i - nu, or the bound that it is beyond."""
    return [min(max(v - nu, low), high) for v, low, high in zip(z, lower, upper)]


def neighbouring_kinks(z, lower, upper, total):
    """The two kinks, or infinities, between which the clipped z - nu sum to total.

    As nu grows their sum falls, in straight pieces between kinks. The piece with the total on it
    is found by bisection.
    """
    kinks = sorted({v - bound for v, bound in zip(z + z, lower + upper) if abs(bound) < inf})
    first, end = 0, len(kinks)  # the sum is above total at kinks before first, and not from end on
    while first < end:
        middle = (first + end) // 2
        if linalg.total(shift_and_clip(z, kinks[middle], lower, upper)) > total:
            first = middle + 1
        else:
            end = middle
    left = kinks[first - 1] if first > 0 else -inf
    right = kinks[first] if first < len(kinks) else inf
    return left, right


def common_shift(z, lower, upper, total, left, right):
    """nu between two neighbouring kinks: the free ones, all of one slope, share what is missing.

    Without any, nu is a kink: of two, the one at which rounding has made a jump of steep pieces.
    """
    missing, free = -total, 0
    for v, low, high in zip(z, lower, upper):
        if v - high <= left and right <= v - low:
            missing, free = missing + v, free + 1
        else:
            missing += high if right <= v - high else low
    if free:
        return missing / free
    return right if left == -inf or missing >= 0 and right < inf else left


def in_one_kind(z, lower, upper, total):
    """z, its bounds and the total in one kind of number; the bounds may be infinite."""
    kind = number_kind(z, lower, upper, total)
    z = vector(z, "z", kind)
    lower = convert_bounds(kind, lower, "lower", len(z), -inf)
    upper = convert_bounds(kind, upper, "upper", len(z), inf)
    for i, (low, high) in enumerate(zip(lower, upper)):
        if low > high:
            raise ValueError(f"lower[{i}] is {low} and upper[{i}] is {high}; no number is between")
    return z, lower, upper, to_number(kind, total, "total")


def convert_bounds(kind, values, name, n, free):
    """A list of n numbers, or of the infinity `free` where there is no bound."""
    values = sequence(values, name)
    if len(values) != n:
        raise ValueError(f"{name} has length {len(values)} and z has length {n}")
    return [
        free if v == free else to_number(kind, v, f"{name}[{i}]") for i, v in enumerate(values)
    ]
