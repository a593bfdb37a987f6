"""The Solution that residuals tell of: what is said of an answer in doubles, as bounds that hold.

    gap            an upper bound of the duality gap of the machine that is kept, and so of
                   primal - optimum
    objective      a lower bound of the optimum
    violation      an upper bound of m - M         b_low .. b_high    hold m and M
    "optimal"      m - M <= tol units, as violation and the least that the unit may be show

Four ways prove them, the first that suffices:

    1  in exact arithmetic, where numbers are as short as those of a lesson; and on Fractions
    2  by bounds in doubles, of the residuals that the solver has
    3  in exact arithmetic, where the problem is small and kernel values are fractions
    4  by bounds in doubles, of residuals made anew: by w, if the kernel is linear

2 suffices where it shows what the solver claims, and errors of residuals are far below tol, or
m - M. What none shows is "precision". No bit of alpha depends on any of this.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from math import inf
from typing import TYPE_CHECKING, Any, NamedTuple

from ..numerics.exact_sums import round_to_kind
from ..numerics.rounding_bounds import nearest_double, rounded_down, rounded_up
from ..numerics.types import Kind, Number, Vector
from .dual_form import DualForm, as_fraction, gap_between, middle, roundings_of_sums
from .exact_answers import ExactAnswer, is_short, is_small
from .machine_in_doubles import MachineInDoubles, error_of_half_norm2, error_of_shift, with_offsets
from .model import OffsetInterval, Solution, SolutionValues
from .residual_bounds import BoundedResiduals, residuals_by_w

if TYPE_CHECKING:
    from .training_problem import TrainingProblem


FAR_BELOW = 2.0**-8  # tol, or m - M: an error that leaves the bound of the gap narrow


class FinalIterate(NamedTuple):
    """Variables of a problem at which a solver stopped.

    r               the residuals that the solver has
    carried         how far these may be off, besides the rounding that beta explains
    residual_error  what steps may have added to each, see OutlierProblem
    b               the offset, if it is not the one that the residuals give; otherwise None
    row             the kernel values of an example with all, where the solver keeps them
    """

    problem: Any
    form: DualForm
    beta: Vector
    r: Vector
    carried: Number = 0
    residual_error: Any = 0
    b: Any = None
    row: Any = None


class _Proved(NamedTuple):
    """What was proved of a FinalIterate.

    primal    an upper bound of the primal of the machine that is kept
    unit      a lower bound of what tol is a multiple of
    error     the largest of a residual
    """

    offsets: Any
    objective: Number
    gap: Number
    violation: Number
    primal: Number
    least_scores: Sequence[int]
    unit: Number = 1
    error: Number = 0


def solution_at(
    answer: FinalIterate,
    tol: Number,
    *,
    iterations: int,
    status: str,
    farkas: Vector | None = None,
) -> Solution:
    """Return the Solution (S3.10, S30.8); "optimal" becomes "precision" unless it is proved."""
    problem, form, beta = answer[:3]
    claims = tol if status == "optimal" else inf
    found = _proved(answer, tol, claims)
    if status == "optimal" and not _holds(found, tol):
        status = "precision"
    alpha = problem.multipliers_of(beta)
    decision = problem.decision_offset(found.offsets)
    solution = Solution(
        alpha=alpha,
        b=decision.value,
        b_low=decision.low,
        b_high=decision.high,
        objective=found.objective,
        gap=found.gap,
        violation=found.violation,
        iterations=iterations,
        status=status,
        farkas=farkas or problem.proof_of(status, form, alpha),
    )
    solution.problem, solution.offsets = problem, found.offsets
    solution.optimum_at_most, solution.least_scores = found.primal, found.least_scores
    return solution


def _holds(found: _Proved, tol: Number) -> bool:
    """Return whether m - M <= tol units."""
    violation, unit = found.violation, found.unit
    if not (-inf < unit < inf and violation < inf):
        return False
    return violation == -inf or Fraction(violation) <= Fraction(tol) * Fraction(unit)


def _proved(answer: FinalIterate, tol: Number, claimed: Number) -> _Proved:
    """Return what is proved, by the first way that suffices.

    claimed: what m - M is said to be at most, in units; inf where nothing is said
    """
    problem, form, beta = answer[:3]
    if problem.kind is not float or is_short(problem):
        return _proved_exactly(answer)
    residuals = problem.bounded_residuals(form, beta, answer.r, answer.carried, None, answer.row)
    found = _proved_in_doubles(answer, residuals)
    size = max(found.violation, tol * nearest_double(found.unit))
    if found.error <= FAR_BELOW * size and (claimed == inf or _holds(found, claimed)):
        return found
    if is_small(problem, beta):
        exact = _proved_exactly(answer)
        shown = claimed < inf and _holds(exact, claimed)
        return exact if shown or exact.gap <= found.gap else found
    if problem.linear:
        return _proved_in_doubles(answer, residuals_by_w(problem, form, beta))
    if answer.carried > 0:
        return _proved_in_doubles(answer, problem.bounded_residuals(form, beta, None))
    return found


# In exact arithmetic


def _proved_exactly(answer: FinalIterate) -> _Proved:
    """Return what is so, each number rounded outwards where the problem is on doubles."""
    problem, form, beta = answer[:3]
    kind, near, alpha = problem.kind, roundings_of_sums(form, beta), problem.multipliers_of(beta)
    exact = _exact_answer(answer, alpha)
    r, norm2 = exact.residuals, exact.norm2
    taken = _taken(answer, r, norm2, Fraction(0))
    ends = problem.group_extremes(form, beta, r)
    told = problem.group_extremes(form, beta, r, near)  # what is near a bound is at it
    lows = [rounded_down(v, kind) for v in problem.offsets_from(told, norm2)]
    highs = [rounded_up(v, kind) for v in problem.offsets_from([(M, m) for m, M in told], norm2)]
    least_scores, primal = _kept_exactly(answer, exact, taken)
    return _Proved(
        offsets=problem.offsets_class(*map(OffsetInterval, taken, lows, highs)),
        objective=rounded_down(exact.dual, kind),
        gap=rounded_up(gap_between(primal, exact.dual), kind),
        violation=rounded_up(max(map(_apart, ends)), kind),
        primal=rounded_up(primal, kind),
        least_scores=least_scores,
        unit=1 if form.unit is None else form.unit([middle(*pair) for pair in ends], norm2),
    )


def _kept_exactly(
    answer: FinalIterate, exact: ExactAnswer, taken: Vector
) -> tuple[Sequence[int], Number]:
    """Return (the least scores, the larger primal of these offsets and those a model keeps)."""
    problem, form, beta = answer[:3]
    if inf in map(abs, taken):
        return (), inf
    alpha = problem.multipliers_of(beta)
    lam: Any = max(exact.problem.lam_of([Fraction(v) for v in taken], exact.norm2), default=0)
    if problem.kind is float:
        lam += problem.moved_offset(alpha, 0)
    least_scores = problem.least_scores(form, alpha, exact.residuals, lam, 0)
    kept = problem.kept_offsets(alpha, taken, least_scores)
    return least_scores, max(map(exact.primal, {tuple(taken), tuple(kept)}))  # as a rule one


def _taken(answer: FinalIterate, r: Vector, w_norm2: Number, shifted: Fraction) -> Vector:
    """Return the offsets that residuals give, of the rows as given, each rounded once."""
    problem, form, beta = answer[:3]
    if answer.b is not None:
        return [answer.b]
    near = roundings_of_sums(form, beta)
    ends = problem.group_extremes(form, beta, r, near) if form.groups else []
    lam = problem.lam_at(beta, r, ends, near)
    found = problem.offsets_from([(v, v) for v in lam], w_norm2)
    return [_nearest(v, problem.kind) for v in _on_given_rows(problem, found, shifted)]


def _exact_answer(answer: FinalIterate, alpha: Vector) -> ExactAnswer:
    """Return the ExactAnswer, with the w of a linear model, which is rounded on doubles."""
    problem, form, beta, r = answer[:4]
    if problem.kind is float:
        if problem.linear:
            return ExactAnswer(problem, beta, w=problem.point_weights(alpha))
        return ExactAnswer(problem, beta, problem.beta(alpha))
    of = range(problem.n) if form.of is None else form.of
    parts = zip(of, form.target, r, form.per_variable(problem.ridge()), beta)
    scores = {i: t - v - c * x for i, t, v, c, x in parts}
    return ExactAnswer(problem, beta, scores=[scores[i] for i in range(problem.n)])


def _apart(ends: tuple[Number, Number]) -> Number:
    """Return m - M; -inf where none may rise, or none fall."""
    m, M = ends
    return -inf if m == -inf or M == inf else m - M


def _nearest(value: Number, kind: Kind) -> Number:
    """Return the nearest number of this kind; an infinity as it is."""
    return value if abs(value) == inf else round_to_kind(Fraction(value), kind)


# By bounds in doubles


def _proved_in_doubles(answer: FinalIterate, residuals: BoundedResiduals) -> _Proved:
    """Return what residuals prove that are within their errors."""
    problem, form, beta = answer[:3]
    alpha, r = problem.multipliers_of(beta), residuals.r
    values = problem.values_at(form, beta, residuals)
    shifted = problem.moved_by_shift(alpha)
    taken = _taken(answer, r, values.w_norm2, shifted)
    machine = MachineInDoubles(problem, form, beta, residuals, [], [])
    moved = problem.moved_offset(alpha, answer.residual_error)
    machine = with_offsets(machine, taken, values.w_norm2, shifted, moved)
    lam = max((v + off for v, off in zip(machine.lam, machine.lam_errors)), default=0.0)
    gap, scale = machine.most(), problem.scale
    objective, most = (scale * v for v in machine.dual())
    return _Proved(
        offsets=_with_intervals(machine, taken, values, shifted),
        objective=objective,
        gap=gap,
        violation=max(map(_violation, values.ends)),
        primal=rounded_up(Fraction(most) + Fraction(gap)) if abs(most) < inf > gap else inf,
        least_scores=problem.least_scores(form, alpha, r, lam, answer.residual_error),
        unit=_least_unit(machine, values),
        error=max(residuals.errors),
    )


def _violation(ends: tuple[Number, Number, Number, Number]) -> Any:
    """Return an upper bound of m - M of a group; -inf where none may rise, or none fall."""
    _, m, M, _ = ends
    if m == -inf or M == inf:
        return -inf
    if m == inf or M == -inf:
        return inf
    return rounded_up(Fraction(m) - Fraction(M))


def _least_unit(machine: MachineInDoubles, values: SolutionValues) -> Number:
    """Return a lower bound of the unit of tol, which is linear in lam and |w|^2."""
    unit = machine.form.unit
    if unit is None:
        return 1
    lows = [middle(as_fraction(m), as_fraction(M)) for m, _, M, _ in values.ends]
    highs = [middle(as_fraction(m), as_fraction(M)) for _, m, _, M in values.ends]
    off = error_of_half_norm2(machine)
    if not off < inf or any(abs(v) == inf for v in [*lows, *highs]):
        return -inf
    norm2 = as_fraction(values.w_norm2) - 2 * Fraction(off)
    return min(Fraction(unit(list(lam), norm2)) for lam in product(*zip(lows, highs)))


def _with_intervals(
    machine: MachineInDoubles, taken: Vector, values: SolutionValues, shifted: Fraction
) -> Any:
    """Return the offsets of the caller's rows, each with an interval that holds its true ends."""
    problem = machine.problem
    ends = [(as_fraction(low), as_fraction(high)) for low, high in values.near]
    norm2, off = as_fraction(values.w_norm2), error_of_shift(problem, machine.residuals.w_error)
    of_norm2 = 2 * as_fraction(error_of_half_norm2(machine))
    lows = problem.offsets_from(ends, norm2 - of_norm2)
    highs = problem.offsets_from([(high, low) for low, high in ends], norm2 + of_norm2)
    lows = map(rounded_down, _on_given_rows(problem, lows, shifted, off))
    highs = map(rounded_up, _on_given_rows(problem, highs, shifted, -off))
    return problem.offsets_class(*map(OffsetInterval, taken, lows, highs))


def _on_given_rows(
    problem: TrainingProblem, offsets: Vector, shifted: Fraction, off: Number = 0
) -> Vector:
    """Return the offsets with b that of the rows as given, less what it may be off, exactly."""
    if shifted == off == 0:
        return offsets
    k = problem.offsets_class._fields.index("b")
    b = offsets[k]
    if abs(off) == inf:
        b = -off
    elif abs(b) < inf:  # no Fraction is added to an infinity
        b = Fraction(b) - shifted - Fraction(off)
    return [*offsets[:k], b, *offsets[k + 1 :]]
