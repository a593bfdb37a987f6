"""Where the search for an optimum begins: what floats propose, and never anything but a proposal.

Which examples are at 0, which at C_i, and which are free? smo says so, if it ends after a number
of steps that is worth it. Where it does not, two other methods on floats may be quicker:

    interior point (interior_point.py)      takes few steps, of n r^2 products, r being the rank
                                            of K: for polynomials, where r is small
    active sets from zero (active_set.py)   frees as many as are needed, one at a time: for
                                            exponentials, where r is n

Where floats fail, because a number is beyond any double, the proposal is zero. It may be anything:
the exact method that begins there (optimum.py, refinement.py) goes on to the optimum, however far.

    beta     the variables, Fractions: alpha_i y_i in classification
    floats   the problem on floats
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import inf
from typing import Any

from ..kernels.rational_values import polynomial_coefficients
from ..kernels.standard import Precomputed
from ..numerics.types import Kind, Number, Vector, VectorLike
from ..solvers.active_set import bounded_qp
from ..solvers.dual_program import dual_program, starting_point
from ..solvers.qp_active_set import ActiveSetMethod
from ..solvers.smo import smo
from ..svm.dual_form import DualForm, restore_sums, surplus
from ..svm.model import Solution
from ..svm.problem import Problem
from ..svm.training_problem import TrainingProblem
from .interior_point import interior_point_beta
from .merged_examples import MergedProblem

SMO_TOL, SMO_STEPS = 1e-6, 5000  # of smo, which comes first
ACTIVE_SET_TOL = 1e-9  # of the active-set method after it
MAX_VIOLATION = 2.0**-4  # the violation above which the way on from where smo ends is too long
CACHE_MB = 2000
ENCLOSED_SMO_TOL = 1e-3  # with exponentials: what smo is asked for, and
ENCLOSED_SMO_STEPS = 30_000  # how many steps it has; refinement is less certain from farther away


def start_for_fractions(problem: Any) -> Any:
    """Feasible variables of any machine whose kernel values are fractions (S15.7)."""
    try:
        floats = _on_floats(problem)
        beta = approach_optimum(floats, smo(floats, SMO_TOL, SMO_STEPS))
        form = problem.dual_form()
        return balance_on_one(form, _as_fractions(form, floats.dual_form(), beta))
    except (ArithmeticError, ValueError):  # a number beyond any double, given or on the way
        return starting_point(problem, problem.dual_form(), None)


def start_for_exponentials(merged: MergedProblem, exact: Any) -> Vector:
    """Variables within their bounds, for a MergedProblem; exact: the same on Fractions."""
    floats, form = merged.problem, exact.dual_form()
    try:
        return _as_fractions(form, floats.dual_form(), _rough_variables(floats))
    except (ArithmeticError, ValueError):
        return starting_point(exact, form, None)


def _rough_variables(problem: Any) -> Any:
    """The variables of a problem on floats, near the optimum."""
    found = smo(problem, ENCLOSED_SMO_TOL, ENCLOSED_SMO_STEPS)
    if found.status != "max_iter":
        return problem.variables_of(found.alpha)
    method = _active_set_at(problem, None)
    method.minimise(ENCLOSED_SMO_TOL * _unit_at(problem, found.alpha) / 2, 100 * problem.n)
    return method.x


def _on_floats(problem: TrainingProblem) -> Any:
    """The problem on floats; a kernel without a formula here is asked for Fractions all the same.

    OverflowError or ValueError if a number is beyond any double.
    """
    if polynomial_coefficients(problem.kernel) is not None:
        return problem.to(float)
    row = problem.kernel_rows()
    K = [list(map(float, row(x))) for x in problem.rows]
    return problem.with_rows(K, Precomputed(), float)


def approach_optimum(problem: Any, found: Solution) -> Any:
    """The variables of a problem on floats, refined by active sets from this Solution of smo."""
    alpha = found.alpha
    if not isinstance(problem, Problem):
        method = _active_set_at(problem, alpha)
        return _minimised(method, problem.n, ACTIVE_SET_TOL * _unit_at(problem, alpha))
    if found.violation <= MAX_VIOLATION or found.status == "infeasible":
        method = _active_set_at(problem, alpha)
        # Each variable between its bounds beyond the rank of the free block takes a step.
        if found.status == "optimal" or len(method.strictly_inside()) <= len(method.free()):
            return _minimised(method, problem.n, ACTIVE_SET_TOL)
    return _minimised(
        _active_set_at(problem, _alpha_by_interior_point(problem)), problem.n, ACTIVE_SET_TOL
    )


def _minimised(method: ActiveSetMethod, n: int, tol: float) -> Vector:
    """The variables where the method ends."""
    method.minimise(tol / 2, max(100_000, 100 * n))
    return method.x


def _unit_at(problem: TrainingProblem, alpha: VectorLike) -> float:
    """What tol is a multiple of at alpha, see svm/dual_form.py."""
    unit = problem.dual_form().unit
    if unit is None:
        return 1.0
    point = problem.at(alpha, ())
    return max(float(unit(point.lam, point.w_norm2)), 0.0)


def _alpha_by_interior_point(problem: Problem) -> list[float] | None:
    """alpha near the optimum; None if the interior-point method does not come near it."""
    try:
        beta = interior_point_beta(problem)
    except (ArithmeticError, ValueError):  # rounding has made its equations singular
        return None
    return beta and [abs(v) for v in balance_on_one(problem.dual_form(), beta, problem.kind)]


def _active_set_at(problem: Problem, alpha: VectorLike | None) -> ActiveSetMethod:
    """The active-set method on floats, at this alpha; None stands for zeros."""
    program = dual_program(problem, alpha, CACHE_MB)
    return ActiveSetMethod(bounded_qp(program.form, program.rows, float), program.start, float)


def _as_fractions(form: DualForm, rounded: DualForm, beta: Iterable[Any]) -> list[Any]:
    """beta within the bounds of the form, on them where beta is on those rounded to floats."""
    bounds = zip(form.lower, form.upper, rounded.lower, rounded.upper)
    return [snap_to_bounds(x, *four) for x, four in zip(beta, bounds)]


def snap_to_bounds(
    x: float, low: Number, high: Number, rounded_low: Number, rounded_high: Number
) -> Number:
    """The float x as a Fraction from low to high, just those where x is at the rounded ones."""
    if -inf < max(low, rounded_low) >= x:
        return Fraction(low)
    if inf > min(high, rounded_high) <= x:
        return Fraction(high)
    return Fraction(x)


def balance_on_one(form: DualForm, beta: Vector, kind: Kind = Fraction) -> Any:
    """beta with exact sums: the one farthest from its bounds takes all the surplus of its group.

    If it is not far enough, as many as are needed take it (restore_sums).
    """
    slacks = [_to_nearest_bound(x, *ends) for x, *ends in zip(beta, form.lower, form.upper)]
    for group, s in zip(form.groups, form.sums):
        much = surplus(group, s, beta)
        k = max(group, key=slacks.__getitem__)
        if 0 < abs(much) >= slacks[k]:
            return restore_sums(form, beta, kind)
        beta[k] -= much
    return beta


def _to_nearest_bound(x: Any, low: Any, high: Any) -> Any:
    """How far x is from a bound, of which one is finite."""
    return min(abs(x - end) for end in (low, high) if abs(end) < inf)
