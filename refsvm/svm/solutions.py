"""The Solution that residuals tell of: what is said of an answer in doubles, as bounds that hold.

    gap            the primal of the machine that is kept is above the optimum by no more
    objective      the optimum is not below
    violation      m - M is no more                   b_low .. b_high    m and M are within

All four are proved by the accuracy of the residuals (residual_bounds.py): gap by gap_bounds.py,
the others as each residual is r_k within E_k. Where nothing was rounded, and on Fractions, they
are exact. b itself is the number that the residuals as computed give.

Of the objective, target' beta - 1/2 |w|^2: the scores are off by E_k, and the sums are rounded;
multipliers whose sum is not exact are made feasible, which costs what gap_bounds.py says.
"""

from __future__ import annotations

from fractions import Fraction
from math import inf, sqrt
from typing import Any

from ..numerics.exact_sums import round_to_kind
from ..numerics.linalg import squared_norm
from ..numerics.rounding_bounds import LARGEST, TINY, above, of_sum, rounded_down, rounded_up
from ..numerics.types import Number, Vector
from .dual_form import infeasible_group
from .judged_answer import JudgedAnswer
from .model import OffsetInterval, Solution, SolutionValues
from .residual_bounds import ErrorBounds


def solution_at(
    problem: Any,
    form: Any,
    beta: Vector,
    r: Vector,
    accuracy: ErrorBounds,
    *,
    iterations: int,
    status: str,
    farkas: Vector | None = None,
    residual_error: Any = 0,
    b: Number | None = None,
) -> Solution:
    """Return the Solution at these variables of its form, from their residuals.

    residual_error: what steps may have added to each residual, see OutlierProblem
    b: the offset, if it is not the one that the residuals give
    """
    alpha = problem.multipliers_of(beta)
    values = problem.values_at(form, beta, r, accuracy.errors)
    zeros = [problem.kind(0) for _ in values.lam]
    answer = JudgedAnswer(problem, form, beta, alpha, r, accuracy, values.lam, zeros)
    shifted = problem.moved_by_shift(alpha)
    taken = problem.offsets_from([(v, v) for v in values.lam], values.w_norm2)
    taken = _on_given_rows(problem, taken, shifted) if b is None else [b]
    moved = problem.moved_offset(answer, residual_error)
    moved = moved if moved == moved else inf  # no number: beyond the doubles
    answer = answer.with_offsets(taken, values.w_norm2, shifted, moved)
    offsets = _with_intervals(answer, taken, values, shifted)
    gap, (objective, most) = answer.narrowed().most(), _ends_of_dual(answer, values)
    if gap != gap and status == "optimal":  # not a number: the answer cannot be judged
        status = "precision"
    if status == "infeasible" and infeasible_group(form) is not None:
        objective, gap = -inf, inf  # no multipliers are feasible
    decision = problem.decision_offset(offsets)
    found = Solution(
        alpha=alpha,
        b=decision.value,
        b_low=decision.low,
        b_high=decision.high,
        objective=objective,
        gap=gap,
        violation=_largest_violation(answer, values),
        iterations=iterations,
        status=status,
        farkas=farkas or problem.proof_of(status, form, alpha),
    )
    found.problem, found.offsets = problem, offsets
    found.optimum_at_most = _at_most(most, gap)
    found.least_scores = problem.least_scores(answer, residual_error)
    return found


def _at_most(dual: Any, gap: Any) -> Any:
    """The optimum is not above: the dual and the gap; inf where either is, or their sum NaN."""
    if not (-inf < dual < inf and gap < inf):
        return inf
    return dual + gap if isinstance(dual, Fraction) else rounded_up(Fraction(dual) + Fraction(gap))


def _worst(errors: Any) -> Any:
    """The largest error."""
    return max(errors) if isinstance(errors, list) else errors


def _on_given_rows(problem: Any, offsets: Vector, shifted: Fraction, off: Any = 0) -> Vector:
    """The offsets with b that of the rows as given, less what it may be off, rounded once."""
    if shifted == 0:
        return offsets
    k = problem.offsets_class._fields.index("b")
    b, kind = offsets[k], type(offsets[k])
    if abs(off) == inf:
        b = -off
    elif abs(b) < inf:  # no Fraction is added to an infinity
        b = round_to_kind(Fraction(b) - shifted - Fraction(off), kind)
    return [*offsets[:k], b, *offsets[k + 1 :]]


def _largest_violation(answer: JudgedAnswer, values: SolutionValues) -> Any:
    """No less than m - M of any group; -inf where none may rise, or none fall."""
    exact = answer.problem.kind is float and _worst(answer.accuracy.errors) == 0
    found = []
    for _, m, M, _ in values.bounds:
        if m == -inf or M == inf:
            found.append(-inf)
        else:
            apart = rounded_up(Fraction(m) - Fraction(M)) if exact else m - M
            found.append(-LARGEST if apart == -inf else apart)  # of two finite numbers
    return max(found)


def _ends_of_dual(answer: JudgedAnswer, values: SolutionValues) -> tuple[Any, Any]:
    """Between what the dual of the variables is, made feasible: the optimum is not below that."""
    problem, form, beta = answer.problem, answer.form, answer.beta
    if problem.kind is not float or values.mass == 0:
        return values.objective, values.objective
    if answer.has_exact_residuals and answer.parts(lifts=False)[1:] == (0, 0, 0):
        # The dual is sum beta (target + r) / 2, also with a ridge.
        parts = zip(beta, form.target, answer.r)
        doubled = sum(Fraction(x) * (Fraction(t) + Fraction(v)) for x, t, v in parts)  # exact
        exact = problem.scale * doubled / 2
        return rounded_down(exact), rounded_up(exact)
    parts = answer.parts(lifts=False)
    lost = values.of_errors + of_sum(len(beta) + 16, values.size) + len(beta) * TINY
    lost += parts.cost + parts.of_lam
    if parts.moved > 0:
        lost += parts.moved * (parts.moved + 2 * max(answer.roots) * values.mass)
    if not lost < inf:
        return -inf, inf
    lost = above(problem.scale * lost, 8)
    return values.objective - lost, values.objective + lost


def _with_intervals(
    answer: JudgedAnswer, taken: Vector, values: SolutionValues, shifted: Fraction
) -> Any:
    """The offsets of the caller's rows, each with an interval that holds its true ends."""
    problem = answer.problem
    if shifted == 0 and problem.has_plain_offsets():
        lows = problem.offsets_from([(low, high) for low, _, _, high in values.bounds], 0)
        highs = problem.offsets_from([(high, low) for low, _, _, high in values.bounds], 0)
        return problem.offsets_class(*map(OffsetInterval, taken, lows, highs))
    ends = [(_fraction(low), _fraction(high)) for low, _, _, high in values.bounds]
    w_norm2, off, shift = _fraction(values.w_norm2), 0.0, problem.point_shift
    if shifted != 0 and answer.accuracy.w_error > 0:
        off = above(answer.accuracy.w_error * sqrt(squared_norm(shift)), len(shift) + 4)
    of_norm2 = 2 * _fraction(answer.error_of_half_norm2(values.w_norm2))
    lows = problem.offsets_from(ends, w_norm2 - of_norm2)
    highs = problem.offsets_from([(high, low) for low, high in ends], w_norm2 + of_norm2)
    lows = _on_given_rows(problem, lows, shifted, off)
    highs = _on_given_rows(problem, highs, shifted, -off)
    if problem.kind is float:
        lows, highs = list(map(rounded_down, lows)), list(map(rounded_up, highs))
    return problem.offsets_class(*map(OffsetInterval, taken, lows, highs))


def _fraction(value: Any) -> Any:
    """The number as a Fraction; what is none as it is."""
    return Fraction(value) if -inf < value < inf else value
