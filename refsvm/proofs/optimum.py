"""The optimum of a support vector machine, as fractions: found, then proved.

    1  exact       each number given is the fraction that it is               rational_kernels.py
    2  definite?   a kernel matrix that is not positive semidefinite is refused  definiteness.py
    3  search      floats propose a start, active sets on Fractions decide     starting_points.py
    4  verify      from the problem and alpha alone, never skipped                verification.py
    5  unique?     statuses L, M, U; another optimum if there is one                uniqueness.py

Floats come near the optimum, and propose which alpha_i are 0, which are C_i and which are free.
The active-set method on Fractions begins there. If the proposal is right it solves one system and
is done; otherwise it goes on, from face to face, to the optimum. So nothing that floats propose is
believed: they only choose where the exact method begins, and it may begin anywhere.

Where kernel values are no fractions, enclosed_optimum.py takes over.
"""

from __future__ import annotations

from fractions import Fraction
from math import inf
from typing import Any, NamedTuple

from ..kernels.rational_values import is_rational
from ..numerics.linalg import total
from ..solvers.active_set import bounded_qp
from ..solvers.dual_program import program_on, starting_point
from ..solvers.qp_active_set import ActiveSetMethod
from ..svm.dual_form import infeasible_group
from ..svm.problem import Problem
from ..svm.training_problem import require_training_problem
from .definiteness import require_definite
from .enclosed_optimum import enclosed_optimum
from .optimum_with_offsets import infeasible_sums, optimum_of_groups
from .rational_kernels import IntegerRows, exact, refuse_long_values
from .starting_points import start_for_fractions
from .uniqueness import find_other_optimum, statuses, strictly_between
from .verification import Optimum, infeasible, verify, verify_farkas

BITS = 64  # how narrow enclosures are unless another number is asked for
FEW = 8  # so few examples need no proposal


def solve_exactly(problem: Any, *, bits: int | None = None) -> Any:
    """Compute the optimum of a problem as fractions, and prove it.

    Parameters
    ----------
    problem : Problem, or one of the other machines'
    bits : int, optional
        Where kernel values are no fractions (Gaussian, Sigmoid, and what is made of them) the
        numbers are Intervals no wider than 2^-bits; 64 unless it is given. For kernels whose
        values are rational every number is a Fraction, and bits is not used.

    Returns
    -------
    Optimum, or OptimumWithOffsets for the machines beside classification

    Raises
    ------
    ValueError
        if the kernel matrix is not positive semidefinite, with its witness; or if its values
        would have more than 20000 digits, as those of a high degree do

    Examples
    --------
    >>> from refsvm.svm.problem import Problem
    >>> best = solve_exactly(Problem([[0], [1], [3]], [-1, 1, 1], C=8))
    >>> best.objective, best.w, best.b_low, best.status
    (Fraction(2, 1), [Fraction(2, 1)], Fraction(-1, 1), 'MML')
    >>> from refsvm.svm.one_class_problem import OneClassProblem
    >>> print(solve_exactly(OneClassProblem([[1], [2], [4]], nu=0.5)).offsets.rho.value)
    4
    """
    refuse_long_values(require_training_problem(problem))
    if not is_rational(problem.kernel):
        return enclosed_optimum(problem, BITS if bits is None else bits)
    problem = exact(problem)
    require_definite(problem)
    return solve_rational(problem)


def solve_rational(problem: Any) -> Any:
    """The optimum of a problem on Fractions whose kernel matrix is positive semidefinite."""
    grouped = not isinstance(problem, Problem)
    if grouped and infeasible_group(problem.dual_form()) is not None:
        return infeasible_sums(problem)
    alpha, farkas, inverse = search(problem)
    if farkas is not None:
        return infeasible(verify_farkas(problem, farkas))
    return (optimum_of_groups if grouped else optimum_at)(problem, alpha, inverse)


class SearchResult(NamedTuple):
    """An optimal alpha, or multipliers that prove that there is no hard margin."""

    alpha: Any
    farkas: Any
    inverse: Any  # the ExactInverse with which the last equations were solved


def search(problem: Any) -> SearchResult:
    """Go on from the start to the optimum, by the active-set method on Fractions."""
    form = problem.dual_form()
    program = program_on(IntegerRows(problem, of=form.of), problem, form, None)
    method = ActiveSetMethod(bounded_qp(program, Fraction), start(problem), Fraction)
    if method.minimise(Fraction(0), inf) == "unbounded":
        ray: Any = method.ray
        return SearchResult(None, [abs(v) for v in ray], method.inverse)
    return SearchResult(problem.multipliers_of(method.x), None, method.inverse)


def start(problem: Any) -> list[Fraction]:
    """Feasible variables to begin at."""
    few = problem.n <= FEW
    return (
        starting_point(problem, problem.dual_form(), None) if few else start_for_fractions(problem)
    )


def optimum_at(problem: Problem, alpha: list[Fraction], inverse: Any) -> Optimum:
    """The Optimum at an alpha that must be optimal; inverse: where the search ended."""
    proof = verify(problem, alpha)
    ((m, M),) = proof.ends
    form = proof.form
    status = statuses(form, proof.residuals, [strictly_between(m, M)])
    other: Any = find_other_optimum(form, proof.variables, status, inverse)
    if other is not None:
        other = problem.multipliers_of(other)
        verify(problem, other)
    w: Any = problem.weights(alpha) if problem.linear else None
    return Optimum(
        alpha=alpha,
        b_low=m,
        b_high=M,
        objective=proof.objective,
        w=w,
        w_norm2=proof.w_norm2,
        sum_alpha=Fraction(total(alpha)),
        sum_C_slack=proof.objective - proof.w_norm2 / 2,
        status=status,
        alpha_unique=other is None,
        b_unique=m == M,
        other_alpha=other,
        farkas=None,
    )
