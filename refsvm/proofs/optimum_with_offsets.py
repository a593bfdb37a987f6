"""The optimum of the machines beside classification, as fractions, and what is certain of it.

verification.py proves that the multipliers are optimal. From the interval of the lam of each group
follow the intervals of the offsets, and they are exact: every optimal offset is in its interval.
If no multipliers have the sums that the machine asks for, that is proved by adding up the bounds.
If w is 0, which the proof shows without rounding, the reduced hulls meet in the point whose
weights are the multipliers divided by their sum; then there is no machine (svm/nu_problem.py).

The letters of an example: L its multiplier is 0 at every optimum, U it is as large as its bound
allows, M anything between. They follow from residuals at lam inside the intervals.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

from ..numerics.display import displayed
from ..numerics.exact_submatrix_inverse import ExactInverse
from ..numerics.linalg import dot
from ..solvers.qp_active_set import border
from ..svm.dual_form import DualForm, middle
from ..svm.regression_problem import TubeProblem
from ..svm.training_problem import TrainingProblem
from .rational_kernels import IntegerRows
from .uniqueness import find_other_optimum, statuses, strictly_between
from .verification import (
    Value,
    divided,
    extremes_of_groups,
    integer_scores,
    residuals,
    verify,
)


@displayed
class OptimumWithOffsets(NamedTuple):
    """The optimum of a problem of nu, regression, one class or the ball; Fractions, verified.

    Where kernel values are no fractions (Gaussian, Sigmoid) the numbers are Intervals instead,
    alpha is feasible and nearly optimal, a status that is not decided is "?", and alpha_unique and
    b_unique are None where neither answer is proved. An end that is infinite is so in both.

    Attributes
    ----------
    alpha : n optimal multipliers
        for regression the net ones, which may be negative
    b_low, b_high
        what a decision value adds to the score is exactly a number from b_low to b_high
    objective
        the least primal value, which is the greatest dual value
    w
        the weights of a linear machine, the centre of the ball; else None
    w_norm2
        |w|^2, the same at every optimum
    status : str
        "infeasible", "degenerate", or a letter for each example, at lam inside their intervals:
        L   its multiplier is 0 at every optimum
        M   on the margin, on the edge of the tube, on the sphere: anything between
        U   its multiplier is at every optimum as large as its bound allows
    alpha_unique
        whether no other alpha is optimal
    b_unique
        whether b_low == b_high
    other_alpha
        another optimal alpha, verified too; None if there is none
    farkas
        if "infeasible": 1 for the examples whose bounds are too small together, else 0; all other
        fields but `status` are None then. If "degenerate": the weights of a point that the reduced
        hulls have in common, so that w = 0 and rho = 0
    offsets : NamedTuple of OffsetInterval
        b, rho, epsilon or radius2, as the machine has them: exactly the numbers from low to high
        are optimal, and value is the middle, or the finite end. Two of them are not independent
    """

    alpha: list[Fraction] | None
    b_low: Value | None
    b_high: Value | None
    objective: Value | None
    w: list[Fraction] | None
    w_norm2: Value | None
    status: str
    alpha_unique: bool | None
    b_unique: bool | None
    other_alpha: list[Fraction] | None
    farkas: list[Fraction] | None
    offsets: Any


def infeasible_sums(problem: TrainingProblem) -> OptimumWithOffsets:
    """The OptimumWithOffsets of a problem whose bounds do not allow its sums."""
    proof: Any = problem.proof_of("infeasible", problem.dual_form(), [])
    return OptimumWithOffsets._make([*[None] * 6, "infeasible", *[None] * 3, proof, None])


def optimum_of_groups(problem: Any, alpha: list[Any], inverse: ExactInverse) -> OptimumWithOffsets:
    """The OptimumWithOffsets at an alpha that must be optimal; inverse: where the search ended."""
    proof = verify(problem, alpha)
    letters, other = letters_and_other(problem, alpha, proof, inverse)
    if other is not None:
        verify(problem, other)
    lam = [middle(*pair) for pair in proof.ends]
    offsets = problem.offset_intervals(alpha, lam, proof.ends, proof.w_norm2)
    _, b_low, b_high = problem.decision_offset(offsets)
    w: Any = problem.weights(alpha) if problem.linear else None
    degenerate = proof.form.degenerates and proof.w_norm2 == 0
    return OptimumWithOffsets(
        alpha=alpha,
        b_low=b_low,
        b_high=b_high,
        objective=problem.scale * proof.objective,
        w=w,
        w_norm2=proof.w_norm2 if w is None else Fraction(dot(w, w)),
        status="degenerate" if degenerate else letters,
        alpha_unique=other is None,
        b_unique=b_low == b_high,
        other_alpha=other,
        farkas=problem.proof_of("degenerate", proof.form, alpha) if degenerate else None,
        offsets=offsets,
    )


def letters_and_other(
    problem: Any, alpha: list[Any], proof: Any, inverse: ExactInverse
) -> tuple[str, list[Any] | None]:
    """(a letter for each example, another optimal alpha or None)."""
    form, beta, r, ends = proof.form, proof.variables, proof.residuals, proof.ends
    closed = closed_tube(problem, alpha)
    if closed is not None:
        form, beta = closed, alpha
        r = residuals(problem, form, beta, integer_scores(problem, beta)[0])
        ends = extremes_of_groups(form, beta, r.numbers)
        ends = [(divided(m, r.denominator), divided(M, r.denominator)) for m, M in ends]
        inverse = inverse_on_the_bound(problem)
    letters = statuses(form, r, [strictly_between(*pair) for pair in ends])
    other = find_other_optimum(form, beta, letters, inverse)
    if other is not None:
        other = problem.within_tube(alpha, other) if closed else problem.multipliers_of(other)
    return by_example(form, letters, problem.n), other


def closed_tube(problem: Any, alpha: list[Any]) -> DualForm | None:
    """The form with one variable an example, in regression whose tube is closed; else None."""
    return problem.form_of_closed_tube(alpha) if isinstance(problem, TubeProblem) else None


def inverse_on_the_bound(problem: Any) -> ExactInverse:
    """The ExactInverse of one example, for the form with one variable an example."""
    row, one = IntegerRows(problem).row, [Fraction(1)]
    ones = [Fraction(0), *one * problem.n]
    found = ExactInverse(lambda a: border(one, row(a - 1)) if a else ones, 1 + problem.n)
    found.set_index([0, 1])
    return found


def by_example(form: DualForm, letters: str, n: int) -> str:
    """A letter for each example from those of its variables: M before U before L."""
    found = ["L"] * n
    for i, letter in zip(range(n) if form.of is None else form.of, letters):
        found[i] = min(letter, found[i], key="MUL".index)
    return "".join(found)
