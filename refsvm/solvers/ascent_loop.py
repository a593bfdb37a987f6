"""The loop around the steps of every solver of the dual, and when it stops.

    1  beta = start
    2  if m - M <= tol: stop, unless rounding may have spoilt the residuals; then compute them
       anew, and look again
    3  take one step
    4  every so many steps move all free multipliers at once (conjugate_gradient.py)
    5  go to 2, unless the last window of steps brought nothing

decomposition.py takes many steps at 3, a round of them, before it looks at all examples again. The
state, and what is known of it, is a DualAscent (dual_ascent.py).

Why there is always an end. Steps raise the dual; how many it takes to the tolerance depends on the
data and on C, and no number of them is right for all. So they go on while each window of them, 100
for each variable, raises the dual or lowers m - M, by more than the part of it that rounding may
feign. The dual has an upper bound and m - M a lower one: only so many windows can do that. Where C
is infinite the dual may rise for ever, and only m - M counts. On Fractions, whose steps always
gain, a window that brings so little ends them, too: "max_iter".
"""

from __future__ import annotations

from fractions import Fraction
from math import inf
from typing import Any

from ..numerics.linalg import total
from ..numerics.types import Number
from ..svm.dual_form import infeasible_group
from ..svm.model import Solution
from ..svm.problem import Problem
from ..svm.solutions import FinalIterate
from ..svm.training_problem import TrainingProblem
from .dual_ascent import DualAscent
from .dual_program import Numbers, end_with_sums, kernel_values, solution_of
from .infeasibility import infeasibility_proof
from .semidefiniteness import has_negative_curvature

LOOKS_IN_DOUBT = 20  # at most, where rho may be 0: the steps between them are those of CG_INTERVAL
STALL_ROUNDOFF = Fraction(1, 2**50)  # of the largest residual and of all scores: a window beats it


def maximise(
    problem: Problem, ascent: DualAscent, tol: Number, max_iter: int, report: Any = None
) -> Solution:
    """The Solution that a DualAscent comes to.

    report is called after each step with what the step returned, the number of steps, the
    violation and the dual. O(n) a step, besides what the step itself takes.
    """
    status, farkas = ascend(problem, ascent, tol, max_iter, report)
    answer = FinalIterate(
        problem,
        ascent.form,
        ascent.beta,
        ascent.residuals(),
        carried=ascent.error_besides(),
        residual_error=ascent.residual_error,
        row=kernel_values(problem, ascent.program),
    )
    steps = ascent.iterations
    return solution_of(answer, tol, iterations=steps, status=status, farkas=farkas)


def ascend(
    problem: Problem, ascent: DualAscent, tol: Number, max_iter: int, report: Any
) -> tuple[str, Numbers | None]:
    """Step until there is a reason to stop: the status, and a Farkas proof or None (S3.4)."""
    check_at, stall_test = problem.n, StallTest(ascent)
    status: str | None = None if infeasible_group(ascent.form) is None else "infeasible"
    farkas = None
    while status is None:
        status = reason_to_stop(ascent, tol, max_iter)
        if status == "degenerate" and not is_proved_degenerate(problem, ascent):
            ascent.last_step = ascent.iterations + LOOKS_IN_DOUBT * ascent.cg_interval
            status = None
            continue
        if status is not None:
            break
        moved = ascent.advance(tol * ascent.unit, max_iter, report)
        if ascent.unbounded_direction:
            status = "precision"  # rounding hides the curvature, unless infeasibility is proved
        elif not moved and not ascent.recompute_residuals():
            status = "precision"  # the best step there is moves nothing by as much as a rounding
        elif ascent.iterations >= check_at:
            check_at *= 2  # a proof may cost more than many steps
            farkas = infeasibility_proof(problem, ascent) if ascent.form.hard else None
            status = "infeasible" if farkas else status
        elif stall_test.has_stalled(ascent, tol * ascent.unit):
            status = "precision" if ascent.rounding else "max_iter"
    end_with_sums(problem, ascent, status)
    if ascent.form.hard and not farkas:
        farkas = infeasibility_proof(problem, ascent)
    if status == "precision" and ascent.form.degenerates:
        status = "degenerate" if is_proved_degenerate(problem, ascent) else status
    if status != "max_iter":
        if farkas:
            status = "infeasible"
        elif any(has_negative_curvature(problem, d) for d in ascent.steepest_directions()):
            status = "indefinite"
    return status, farkas


def reason_to_stop(ascent: DualAscent, tol: Number, max_iter: int) -> str | None:
    """Why there is no further step (S3.4), or None; residuals are new if that was in doubt."""
    while True:
        violation, look = ascent.violation(), ascent.is_time_to_look()
        if look or violation <= tol * ascent.unit:
            ascent.renew_unit()
            if ascent.is_degenerate():
                return "degenerate"
        limit = tol * ascent.unit
        # From time to time, too, when rounding may be all there is to the violation.
        rounded = look and violation <= 2 * ascent.residual_error
        if not (violation <= limit or rounded):
            if ascent.iterations < min(max_iter, ascent.last_step):
                return None
            return "max_iter" if ascent.iterations >= max_iter else "precision"
        if ascent.is_surely_within(limit):
            return "optimal"
        if not ascent.improves_when_recomputed(limit):
            return "precision"


def is_proved_degenerate(problem: TrainingProblem, ascent: DualAscent) -> bool:
    """Whether there are multipliers that make w 0, in exact arithmetic."""
    from . import degeneracy  # few problems need it, and all would wait

    return degeneracy.is_proved_degenerate(problem, problem.dual_form(), ascent.beta)


def window(variables: int) -> int:
    """How many steps must bring something, with so many variables."""
    return max(100_000, 100 * variables)


class StallTest:
    """Whether an ascent gets on, asked once in a window of steps (S3.4).

    least, most     m - M and the dual at their best, at the ends of windows
    """

    def __init__(self, ascent: DualAscent) -> None:
        self.window = window(len(ascent.beta))
        self.due, self.counts_dual = self.window, not ascent.form.hard
        self.roundoff = type(ascent.zero)(STALL_ROUNDOFF)
        self.least: Number = inf
        self.most: Number = -inf

    def has_stalled(self, ascent: DualAscent, limit: Number) -> bool:
        """Whether a window is over that brought nothing, m - M being above the limit.

        Residuals are then new.
        """
        if ascent.iterations < self.due:
            return False
        self.due = ascent.iterations + self.window
        ascent.recompute_residuals()
        violation, dual = ascent.violation(), ascent.objective()
        roundoff = self.roundoff * (ascent.largest_residual + ascent.mass_when_new)
        fell = self.least - violation > roundoff
        rose = self.counts_dual and dual - self.most > roundoff * total(map(abs, ascent.beta))
        self.least, self.most = min(self.least, violation), max(self.most, dual)
        return violation > limit and not (fell or rose)
