"""What all solvers of the dual share but the step itself: the state, and what is known of it.

A solver is a DualAscent whose `step` moves something: smo.py two multipliers, coordinate_ascent.py
one, projected_gradient.py all of them. The loop around the steps is ascent_loop.py.

Throughout this module
    r_k        target_k - (K beta)_k, the residual: minus the slope of the objective along beta_k
    up[k]      r_k if beta_k may rise (beta_k < upper_k), else -inf
    low[k]     r_k if beta_k may fall (beta_k > lower_k), else +inf
    m, M       the largest up, the smallest low of a group of variables; beta is optimal if and
               only if m <= M in each (classification: all variables are one group)
    unit       what tol is a multiple of: 1 for classification, see svm/dual_form.py

Nothing here is compared with an absolute threshold. A bound is met exactly: a step that reaches it
puts beta onto it. Scaling the data by a power of two scales every number and changes no choice.
"""

from __future__ import annotations

from math import inf
from typing import Any, NamedTuple

from ..numerics.linalg import dot, subtraction, total
from ..numerics.types import Kind, Number
from ..svm.dual_form import middle
from . import face_system
from .conjugate_gradient import MAX_CG_FACE, move_free_multipliers
from .dual_program import DualProgram, Numbers, best_travel, compute_residuals

# The largest relative error of one operation on doubles; Fractions make none.
ROUNDING: dict[Kind, float] = {float: 2.0**-53}
# Curvature this far below zero, relative to its three terms, is the kernel's and not rounding's.
CURVATURE_NOISE: dict[Kind, float] = {float: 2.0**-40}
CG_INTERVAL = 1000  # steps between conjugate gradients, at most; a quarter of n if that is less
CG_EFFORT = 10  # multiplications of these, for each number that the steps since then touched
CG_LEAST = 25_000  # and at least so many: a face of few is then always solved to its end


class Move(NamedTuple):
    """A step as taken: beta_i rose and beta_j fell (i is j when a variable moved alone)."""

    i: int
    j: int
    low: Number  # the ends of what beta_j was allowed
    high: Number
    unclipped: Number  # where it would have gone
    clipped: Number  # and where it went
    gain: Number  # what the step added to the dual


class DualAscent:
    """beta on its way to the optimum, with what is known about it (S3.2).

    A subclass defines step(): it moves beta, keeps what follows true, and returns what it did, of
    which the loop reads the `gain` of the dual; or None if nothing moved.

    True between any two steps, up to rounding; what the steps since the residuals were last
    computed anew may have added to each of them is at most `residual_error` (for a Mercer kernel):
        (a)  lower_k <= beta_k <= upper_k, and each group's sum of beta is that of the start
        (b)  up and low hold r_k, and show exactly what beta_k may do
    """

    largest_face = MAX_CG_FACE  # conjugate gradients move no more free multipliers than so many,
    largest_system = face_system.MAX_SYSTEM  # and elimination no more than these;
    usual_system = face_system.USUAL_SYSTEM  # for more than these it has to save longer

    def __init__(self, program: DualProgram, kind: Kind, r: Numbers | None = None) -> None:
        """Begin at program.start. r: the residuals there, where they are known."""
        self.program, self.form = program, program.form
        self.row, self.diagonal = program.rows.row, program.rows.diagonal
        self.beta = list(program.start)
        self.zero: Any = kind(0)
        self.minus = subtraction(kind)
        self.step_cost = len(self.beta)  # how many numbers a step touches, about
        self.iterations = 0  # steps taken
        self.cg_interval = min(len(self.beta) // 4 + 1, CG_INTERVAL)
        self.patience = 1  # how many times the usual budget conjugate gradients have next
        self.unit: Any = kind(1)
        self.rounding: Any = ROUNDING.get(kind, self.zero)
        self.noise: Number = CURVATURE_NOISE.get(kind, self.zero)
        self.largest_norm = max(map(abs, self.diagonal))
        self.last_recomputed: tuple[Number, Number] = (inf, -inf)  # violation and objective
        self.residual_error = self.zero
        # The most negative curvature met, relative to its terms, and {k: speed} along which it was
        self.least_curvature: Any = self.zero
        self.negative_direction: dict[int, Any] | None = None
        self.last_step: Number = (
            inf  # steps at most, once "degenerate" was asked for and not proved
        )
        # {i: speed} along which the dual rises for ever, once met
        self.unbounded_direction: dict[int, Any] | None = None
        self.renew_residuals(self.compute_residuals() if r is None else r)
        self.dual = self.objective()  # afterwards kept by what each step gains

    def step(self) -> Any:
        """Choose and take one step; what it did, or None if there was nothing left to move."""
        raise NotImplementedError

    def advance(self, tol: Number, max_iter: float, report: Any) -> bool:
        """Take a step, and every so many steps conjugate gradients; whether anything moved."""
        move = self.step()
        if move is None:
            return False
        self.iterations += 1
        self.dual += move.gain
        if self.iterations % self.cg_interval == 0:
            self.dual += self.move_free_multipliers(tol)
        if report is not None:
            report(move, self.iterations, self.violation(), self.dual)
        return True

    def move_free_multipliers(self, tol: Number) -> Any:
        """Move all free multipliers together; the dual's gain. As dear as the steps since then."""
        budget = CG_EFFORT * self.cg_interval * self.step_cost
        return move_free_multipliers(self, tol, max(budget, CG_LEAST))

    # Residuals

    def recompute_residuals(self) -> bool:
        """Compute every residual anew, from beta alone (S3.8). O(n) rows.

        Whether rounding had touched them: if not, nothing new can come of it.
        """
        had_error: bool = self.residual_error > 0
        self.renew_residuals(self.compute_residuals())
        return had_error

    def compute_residuals(self) -> Numbers:
        """r from beta alone."""
        return compute_residuals(self.program, self.beta)

    def renew_residuals(self, r: Numbers) -> None:
        """Let r be the residuals; no step has rounded them."""
        self.set_residuals(r)
        self.largest_residual = max(map(abs, r))
        self.support_when_new = len(self.beta) - self.beta.count(0)
        self.mass_when_new = total(map(abs, self.beta)) * self.largest_norm
        self.distance_moved = self.residual_error = self.zero

    def set_residuals(self, r: Numbers) -> None:
        """Let up and low show these residuals, and what beta may do."""
        lower, upper = self.form.lower, self.form.upper
        self.up = [v if b < high else -inf for v, b, high in zip(r, self.beta, upper)]
        self.low = [v if b > low else inf for v, b, low in zip(r, self.beta, lower)]

    def residuals(self) -> Numbers:
        """r: every beta may rise or fall."""
        return [u if u > -inf else v for u, v in zip(self.up, self.low)]

    def residual(self, k: int) -> Number:
        """r_k."""
        return self.up[k] if self.up[k] > -inf else self.low[k]

    def subtract_from_residuals(self, change: Numbers, distance: Number) -> None:
        """Lower each r_k by change_k after a step of this distance; and bound what rounding added.

        Each residual was rounded to within u |r| and 3 u distance max|K|, if K is a Mercer kernel,
        and |r| is at most its largest value when new plus all the changes since. Standard: S3.8.
        """
        self.up = list(map(self.minus, self.up, change))
        self.low = list(map(self.minus, self.low, change))
        self.distance_moved += distance * self.largest_norm
        self.residual_error += self.rounding * (self.largest_residual + 4 * self.distance_moved)

    def update_bounds(self, k: int) -> None:
        """Make up and low show what beta_k may do now."""
        r = self.residual(k)
        self.up[k] = r if self.beta[k] < self.form.upper[k] else -inf
        self.low[k] = r if self.beta[k] > self.form.lower[k] else inf

    def update_after_moving_from(self, start: dict[int, Any]) -> Any:
        """Update the residuals after beta_j moved away from start[j]; the gain of the dual."""
        old, gain = self.residuals(), self.zero
        moved = {j: self.beta[j] - b for j, b in start.items() if self.beta[j] != b}
        r = self.residuals_after(moved, old)
        self.set_residuals(r)
        for j, d in moved.items():  # the dual is quadratic: the mean of its slopes at both ends
            gain += d * (old[j] + r[j]) / 2
        return gain

    def residuals_after(self, moved: dict[int, Number], r: Numbers) -> Numbers:
        """The residuals, r until now, once beta_j rose by moved[j]; and bound their rounding."""
        for j, d in moved.items():
            r = [v - d * k for v, k in zip(r, self.row(j))]
            self.distance_moved += abs(d) * self.largest_norm
        one_update = self.largest_residual + 4 * self.distance_moved
        self.residual_error += self.rounding * len(moved) * one_update
        return r

    def error_besides(self) -> Any:
        """How far a residual may be off, besides the rounding that beta as it is now explains.

        What steps added; and where there were any, what it took to make the residuals when new, of
        multipliers that may have been larger: of each a product and a difference, both rounded.
        """
        if self.residual_error == 0:
            return self.zero
        largest = self.largest_residual + 4 * self.mass_when_new
        return self.residual_error + self.rounding * self.support_when_new * largest

    # How good beta is

    def extremes(self) -> list[tuple[range, Any, Any]]:
        """Each group with its m and M; without a group those of all, which the number 0 joins."""
        everything, groups = range(len(self.beta)), self.form.groups
        if not groups:
            return [(everything, max(*self.up, self.zero), min(*self.low, self.zero))]
        if len(groups) == 1:
            return [(everything, max(self.up), min(self.low))]
        parts = [(g, slice(g.start, g.stop)) for g in groups]
        return [
            (g, max(self.up[part], default=-inf), min(self.low[part], default=inf))
            for g, part in parts
        ]

    def worst_group(self) -> tuple[range, Any, Any]:
        """The group with the largest m - M, the first of equals, with its m and M."""
        return max(self.extremes(), key=lambda group: self.minus(*group[1:]))

    def violation(self) -> Any:
        """m - M of the worst group."""
        _, m, M = self.worst_group()
        return self.minus(m, M)

    def renew_unit(self) -> None:
        """Let the unit of tol be that of the machine as it is now (S34.3)."""
        if self.form.unit is not None:
            multipliers = [middle(m, M) for _, m, M in self.extremes()]
            scores = [t - r for t, r in zip(self.form.target, self.residuals())]
            unit = self.form.unit(multipliers, dot(self.beta, scores))
            self.unit = max(unit, self.zero)

    def is_degenerate(self) -> bool:
        """Whether unit and violation are 0 where there is then no machine; on floats, rounding."""
        if not self.form.degenerates or self.last_step < inf:
            return False
        rounding = self.noise * total(map(abs, self.beta)) * self.largest_norm
        return bool(self.unit <= rounding and self.violation() <= rounding)

    def is_time_to_look(self) -> bool:
        """Whether to ask if the violation is rounding only: every so many steps."""
        return self.iterations % self.cg_interval == 0

    def is_surely_within(self, tol: Number) -> bool:
        """Whether the violation is at most tol, whatever the steps' rounding."""
        return bool(self.violation() + 2 * self.residual_error <= tol)

    def objective(self) -> Number:
        """The dual objective, sum beta (target + r) / 2. O(n)."""
        return dot(self.beta, [t + r for t, r in zip(self.form.target, self.residuals())]) / 2

    def improves_when_recomputed(self, tol: Number) -> bool:
        """Compute all residuals anew, as rounding may have hidden tol; whether to go on.

        Not if neither the violation nor the objective is better than when they were last new.
        """
        self.recompute_residuals()
        violation, objective = self.violation(), self.objective()
        least, most = self.last_recomputed
        self.last_recomputed = violation, objective
        return bool(violation <= tol or violation < least or objective > most)

    def note_curvature(self, curvature: Number, size: Number, direction: dict[int, Any]) -> None:
        """Keep this direction if no other had so negative a curvature; size: of its terms."""
        if curvature < 0 < size and curvature / size < self.least_curvature:
            self.least_curvature, self.negative_direction = curvature / size, direction

    def steepest_directions(self) -> list[dict[int, Any]]:
        """The directions along which the dual may rise faster than a line, if any."""
        return [d for d in (self.unbounded_direction, self.negative_direction) if d]

    # A multiplier that moves alone

    def projected_residuals(self) -> Numbers:
        """r of each beta, or 0 where a bound is in its way: the slope to follow alone."""
        return [u if u > 0 else v if v < 0 else 0 for u, v in zip(self.up, self.low)]

    def move_alone(self, i: int) -> Move | None:
        """Move beta_i to where the dual is largest along it; the Move (S3.6)."""
        row = self.row(i)
        slope, curvature = self.residual(i), self.diagonal[i]
        if curvature < 0:
            self.note_curvature(curvature, -curvature, {i: 1})
        old, low, high = self.beta[i], self.form.lower[i], self.form.upper[i]
        t = best_travel(slope, curvature, self.minus(low, old), self.minus(high, old))
        if abs(t) == inf:
            self.unbounded_direction = {i: 1 if t > 0 else -1}
            return None
        unclipped = old + slope / curvature if curvature > 0 else old + t
        moved = self.add_clipped(i, t)
        if not moved:
            return None
        gain = moved * slope - curvature * moved * moved / 2
        self.subtract_from_residuals([moved * k for k in row], abs(moved))
        self.update_bounds(i)
        return Move(i, i, low, high, unclipped, self.beta[i], gain)

    def add_clipped(self, i: int, t: Number) -> Any:
        """Add t to beta_i, onto a bound exactly if it gets there; the change applied."""
        old, low, high = self.beta[i], self.form.lower[i], self.form.upper[i]
        if t == self.minus(high, old):  # old + t, rounded, might lie beside the bound
            self.beta[i] = high
        elif t == self.minus(low, old):
            self.beta[i] = low
        else:
            self.beta[i] = min(max(old + t, low), high)
        return self.beta[i] - old
