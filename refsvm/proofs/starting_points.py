"""Where the search for an optimum begins: what floats propose, and never anything but a proposal.

Which examples are at 0, which at C_i, and which are free? smo says so, if it ends after a number
of steps that is worth it. Where it does not, two other methods on floats may be quicker:

    interior point (interior_point.py)      takes few steps, of n r^2 products, r being the rank
                                            of K: for polynomials, where r is small
    active sets from zero (active_set.py)   frees as many as are needed, one at a time: for
                                            exponentials, where r is n

Where floats fail, because a number is beyond any double, the proposal is zero. It may be anything:
the exact method that begins there (optimum.py, refinement.py) goes on to the optimum, however far.

    beta     alpha_i y_i, a Fraction an example         floats    the problem on floats
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import inf
from typing import Any

from ..kernels.standard import Precomputed
from ..numerics.linalg import total
from ..solvers.active_set import bounded_qp
from ..solvers.dual_program import dual_program, remove_surplus
from ..solvers.qp_active_set import ActiveSetMethod
from ..solvers.smo import smo
from ..svm.problem import Problem
from .interior_point import interior_point_beta
from .rational_kernels import polynomial_coefficients
from .rounded_problem import MergedProblem

NEAR, NEARER = 1e-6, 1e-9  # the violations at which smo, and the active-set method after it, end
STEPS = 5000  # of smo, at most
FAR = 2.0**-4  # the violation above which the way on from where smo ends is too long
CACHE_MB = 2000
ROUGH = 1e-3  # with exponentials: what smo is asked for, and
ROUGH_STEPS = 30_000  # how many steps it has; refinement is less certain from farther away


def start_for_fractions(problem: Problem) -> Any:
    """A feasible beta, for a problem whose kernel values are fractions."""
    try:
        floats = on_floats(problem)
        beta = approach_optimum(floats, smo(floats, NEAR, STEPS))
        return balance_on_one(problem, as_fractions(problem.upper_bounds(), floats, beta))
    except (ArithmeticError, ValueError):  # a number beyond any double, given or on the way
        return [Fraction(0)] * problem.n


def start_for_exponentials(merged: MergedProblem) -> tuple[list[Any], set[int]]:
    """(beta, the set of the free), for a MergedProblem."""
    floats = merged.problem
    tops = merged.C if floats.slack == "hinge" else floats.upper_bounds()
    try:
        near = smo(floats, ROUGH, ROUGH_STEPS)
        alpha = near.alpha if near.status != "max_iter" else map(abs, active_set_from_zero(floats))
        beta = as_fractions(tops, floats, [a * y for a, y in zip(alpha, floats.y)])
    except (ArithmeticError, ValueError):
        beta = [Fraction(0)] * floats.n
    return beta, {i for i, (x, top) in enumerate(zip(beta, tops)) if 0 < abs(x) < top}


def on_floats(problem: Problem) -> Problem:
    """The problem on floats; a kernel without a formula here is asked for Fractions all the same.

    OverflowError or ValueError if a number is beyond any double.
    """
    if polynomial_coefficients(problem.kernel) is not None:
        return problem.to(float)
    row = problem.kernel_rows()
    K = [list(map(float, row(x))) for x in problem.rows]
    C = [float(c) for c in problem.C]
    return Problem(K, problem.y, Precomputed(), C, problem.bias, problem.slack)


def approach_optimum(problem: Problem, near: Any) -> Any:
    """beta of a problem on floats, nearer to the optimum than the Solution of smo."""
    method = None
    if near.violation <= FAR or near.status == "infeasible":
        method = active_set_at(problem, near.alpha)
        if near.status != "optimal" and len(method.strictly_inside()) > len(method.free()):
            method = None
    method = method or active_set_at(problem, alpha_by_interior_point(problem))
    method.minimise(NEARER / 2, max(100_000, 100 * problem.n))
    return method.x


def alpha_by_interior_point(problem: Problem) -> list[float] | None:
    """alpha near the optimum; None if the interior-point method does not come near it."""
    try:
        beta = interior_point_beta(problem)
    except (ArithmeticError, ValueError):  # rounding has made its equations singular
        return None
    return beta and [abs(v) for v in balance_on_one(problem, beta)]


def active_set_from_zero(problem: Problem) -> Any:
    """beta of a problem on floats, as the active-set method finds it."""
    method = active_set_at(problem, None)
    method.minimise(ROUGH / 2, 100 * problem.n)
    return method.x


def active_set_at(problem: Problem, alpha: Any) -> Any:
    """The active-set method on floats, at this alpha; None stands for zeros."""
    program = dual_program(problem, alpha, CACHE_MB)
    return ActiveSetMethod(bounded_qp(program, float), program.start, float)


def as_fractions(tops: Iterable[Any], floats: Problem, beta: Iterable[Any]) -> list[Any]:
    """beta in Fractions, those on a bound of the problem on floats exactly on that of `tops`."""
    return [snap_to_bound(x, *both) for x, *both in zip(beta, tops, floats.upper_bounds())]


def snap_to_bound(x: float, top: Any, rounded: Any) -> Any:
    """The float x as a Fraction; at most `top` in size, and just that where x is at `rounded`."""
    if abs(x) >= min(rounded, top) < inf:
        return top if x > 0 else -top
    return Fraction(x)


def balance_on_one(problem: Problem, beta: list[Any]) -> Any:
    """beta with sum exactly zero: the one farthest from its bounds takes all the surplus.

    If it is not far enough, the heavier class gives up the surplus (remove_surplus).
    """
    surplus = total(beta)
    if not problem.bias or surplus == 0:
        return beta
    tops = problem.upper_bounds()
    slacks = [abs(x) if c == inf else min(abs(x), c - abs(x)) for x, c in zip(beta, tops)]
    i = max(range(problem.n), key=slacks.__getitem__)
    if slacks[i] <= abs(surplus):
        return remove_surplus(problem, beta)
    beta[i] -= surplus
    return beta
