"""The optimum of a support vector machine, as fractions: found, then proved.

    1  exact       each number given is the fraction that it is               rational_kernels.py
    2  definite?   a kernel matrix that is not positive semidefinite is refused  definiteness.py
    3  search      floats propose a start, active sets on Fractions decide     starting_points.py
    4  verify      from the problem and alpha alone, never skipped                verification.py
    5  unique?     statuses L, M, U; another optimum if there is one                uniqueness.py
    6  offsets     exact intervals, from those of the lam of each group          svm/dual_form.py

Floats come near the optimum, and propose which alpha_i are 0, which are C_i and which are free.
The active-set method on Fractions begins there. If the proposal is right it solves one system and
is done; otherwise it goes on, from face to face, to the optimum. So nothing that floats propose is
believed: they only choose where the exact method begins, and it may begin anywhere.

If no multipliers have the sums that a machine asks for, that is proved by adding up the bounds. If
w is 0, which the proof shows without rounding, reduced hulls meet in the point whose weights are
the multipliers divided by their sum; then there is no machine (svm/nu_problem.py).

Where kernel values are no fractions, enclosed_optimum.py takes over.
"""

from __future__ import annotations

from fractions import Fraction
from math import inf
from typing import Any

from ..kernels.rational_values import is_rational
from ..numerics.submatrix_inverse import ExactInverse
from ..solvers.active_set import bounded_qp
from ..solvers.dual_program import starting_point
from ..solvers.qp_active_set import ActiveSetMethod, bordered_row
from ..svm.dual_form import infeasible_group, middle
from ..svm.regression_problem import TubeProblem
from ..svm.training_problem import TrainingProblem, require_training_problem
from .definiteness import require_definite
from .enclosed_optimum import enclosed_optimum
from .rational_kernels import IntegerRows, exact, refuse_long_values
from .starting_points import start_for_fractions
from .uniqueness import find_other_optimum, letters_of_examples, statuses, strictly_between
from .verification import (
    Optimum,
    VerifiedOptimum,
    extremes_of_groups,
    extremes_over,
    infeasible,
    integer_scores,
    residuals,
    verify,
    verify_farkas,
)

DEFAULT_BITS = 64  # how narrow enclosures are unless another number is asked for
MAX_UNAIDED_EXAMPLES = 8  # so few examples need no proposal


def solve_exactly(problem: TrainingProblem, *, bits: int | None = None) -> Optimum:
    """Compute the optimum of a problem as fractions, and prove it (S15).

    Parameters
    ----------
    problem : Problem, or one of the other machines'
    bits : int, optional
        Where kernel values are no fractions (Gaussian, Sigmoid, and what is made of them) the
        numbers are Intervals no wider than 2^-bits; 64 unless it is given. For kernels whose
        values are rational every number is a Fraction, and bits is not used.

    Returns
    -------
    Optimum

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
        return enclosed_optimum(problem, DEFAULT_BITS if bits is None else bits)
    problem = exact(problem)
    require_definite(problem)
    return solve_rational(problem)


def solve_rational(problem: Any) -> Optimum:
    """The Optimum of a problem on Fractions whose kernel matrix is positive semidefinite."""
    form = problem.dual_form()
    if infeasible_group(form) is not None:
        return infeasible(problem.proof_of("infeasible", form, []))
    alpha, farkas, inverse = search(problem)
    if farkas is not None:
        return infeasible(verify_farkas(problem, farkas))
    return _optimum_at(problem, alpha, inverse)


def search(problem: TrainingProblem) -> tuple[Any, Any, ExactInverse]:
    """Go on from the start to the optimum, by the active-set method on Fractions (S15.7).

    (an optimal alpha, or None; else multipliers that prove that there is no hard margin; the
    inverse with which the last equations were solved)
    """
    form = problem.dual_form()
    program = bounded_qp(form, IntegerRows(problem, of=form.of), Fraction)
    method = ActiveSetMethod(program, starting_variables(problem), Fraction)
    if method.minimise(Fraction(0), inf) == "unbounded":
        ray: Any = method.ray  # of beta: only classification with C = inf has one
        return None, [abs(v) for v in ray], method.inverse
    return problem.multipliers_of(method.x), None, method.inverse


def starting_variables(problem: Any) -> list[Fraction]:
    """Feasible variables to begin at."""
    few = problem.n <= MAX_UNAIDED_EXAMPLES
    return (
        starting_point(problem, problem.dual_form(), None) if few else start_for_fractions(problem)
    )


def _optimum_at(problem: Any, alpha: list[Fraction], inverse: ExactInverse) -> Optimum:
    """The Optimum at an alpha that must be optimal; inverse: where the search ended."""
    proof = verify(problem, alpha)
    letters, other = _letters_and_other(problem, alpha, proof, inverse)
    if other is not None:
        verify(problem, other)
    lam = [middle(*pair) for pair in proof.ends]
    offsets = problem.offset_intervals(alpha, lam, proof.ends, proof.w_norm2)
    _, b_low, b_high = problem.decision_offset(offsets)
    objective = problem.scale * proof.objective
    sum_alpha, sum_C_slack = problem.sums_at_optimum(objective, proof.w_norm2)
    degenerate = proof.form.degenerates and proof.w_norm2 == 0
    return Optimum(
        alpha=alpha,
        b_low=b_low,
        b_high=b_high,
        objective=objective,
        w=problem.weights(alpha) if problem.linear else None,
        w_norm2=proof.w_norm2,
        sum_alpha=sum_alpha,
        sum_C_slack=sum_C_slack,
        status="degenerate" if degenerate else letters,
        alpha_unique=other is None,
        b_unique=b_low == b_high,
        other_alpha=other,
        farkas=problem.proof_of("degenerate", proof.form, alpha) if degenerate else None,
        offsets=offsets,
    )


def _letters_and_other(
    problem: Any, alpha: list[Any], proof: VerifiedOptimum, inverse: ExactInverse
) -> tuple[str, list[Any] | None]:
    """(a letter for each example, another optimal alpha or None)."""
    form, beta, r, ends = proof.form, proof.variables, proof.residuals, proof.ends
    closed = problem.form_of_closed_tube(alpha) if isinstance(problem, TubeProblem) else None
    if closed is not None:  # then one variable an example says more, see uniqueness.py
        form, beta = closed, alpha
        r = residuals(problem, form, beta, integer_scores(problem, beta)[0])
        ends = extremes_over(r.denominator, extremes_of_groups(form, beta, r.numbers))
        inverse = _inverse_on_the_bound(problem)
    letters = statuses(form, r, [strictly_between(*pair) for pair in ends])
    other = find_other_optimum(form, beta, letters, inverse)
    if other is not None:
        other = problem.within_tube(alpha, other) if closed else problem.multipliers_of(other)
    return letters_of_examples(form.of, letters, problem.n), other


def _inverse_on_the_bound(problem: TrainingProblem) -> ExactInverse:
    """The ExactInverse of one example, for the form with one variable an example.

    Of none where no sum is demanded.
    """
    row, one = IntegerRows(problem).row, [Fraction(1)]
    if not problem.dual_form().groups:
        return ExactInverse(row, problem.n)
    ones = [Fraction(0), *one * problem.n]
    found = ExactInverse(lambda a: bordered_row(one, row(a - 1)) if a else ones, 1 + problem.n)
    found.set_index([0, 1])
    return found
