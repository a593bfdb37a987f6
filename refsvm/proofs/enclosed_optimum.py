"""The optimum where kernel values are no fractions: every number of it held between two.

    1  merge      equal examples are made one                                  merged_examples.py
    2  definite?  a kernel whose formula does not say it is tested                definiteness.py
    3  round      kernel values to p bits: a problem on Fractions next to it   rounded_problem.py
    4  refine     its optimum, nearly                                               refinement.py
    5  enclose    what that proves of the true one                             enclosed_values.py

If that is not enough, 3 to 5 again with twice the bits. It is one way for every machine, as all of
it is said of the dual's form.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import inf
from typing import Any

from ..kernels.standard import Linear
from ..numerics.intervals import Interval, ends, point_interval
from ..numerics.linalg import total
from ..numerics.types import Number, Vector
from ..numerics.validation import whole_number
from ..svm.dual_form import best_multipliers, infeasible_group, middle
from ..svm.model import OffsetInterval
from ..svm.regression_problem import TubeProblem
from ..svm.training_problem import TrainingProblem
from .definiteness import require_definite_enclosed
from .enclosed_values import (
    EnclosedVariables,
    End,
    decide_statuses,
    enclose_lam,
    enclose_norm2,
    enclose_residuals,
    enclose_values,
    end_between,
)
from .merged_examples import MergedProblem, find_cancelling, find_farkas
from .refinement import refine, strictly_inside
from .rounded_problem import RoundedProblem, is_closed
from .starting_points import start_for_exponentials
from .uniqueness import letters_of_examples
from .verification import Optimum, infeasible

DOUBLINGS = 2  # of the bits, if nothing but a status is not decided
MAX_DOUBLINGS = 8  # of the bits, whatever is not


def enclosed_optimum(problem: TrainingProblem, bits: int) -> Optimum:
    """The optimum of a problem whose kernel values are no fractions; for solve_exactly (S17.3).

    An Optimum in which objective, |w|^2, the ends of the offsets and what
    else is a number are Intervals no wider than 2^-bits, alpha is feasible and nearly optimal;
    alpha_unique and b_unique are True or False if that is proved, else None.

    ValueError if bits is not from 1, or if the kernel matrix is not positive semidefinite.
    ArithmeticError if a hard margin is neither found nor refuted, as with 0 * Gaussian(1), whose
    zeros no precision shows to be zero.
    """
    bits = whole_number(bits, "bits", 1)
    require_definite_enclosed(problem)
    merged = MergedProblem(problem)
    exact = merged.exact(Linear())
    without_search = _by_equal_rows(merged, exact)
    if without_search is not None:
        return without_search
    x = start_for_exponentials(merged, exact)
    p, optimum = _first_precision(x, bits, min(merged.box)), None
    alpha = exact.multipliers_of(x)
    closed = is_closed(exact, alpha)
    if closed:
        x = alpha
    for doubling in range(MAX_DOUBLINGS + 1):
        near = RoundedProblem(merged, p, closed)
        x = _nearly_optimal(near, x)
        closed = near.closed
        optimum = enclose_optimum(near, enclose_values(near, x))
        if (
            optimum
            and is_narrow(optimum, bits)
            and ("?" not in optimum.status or doubling >= DOUBLINGS)
        ):
            return _unmerged_optimum(merged, near, optimum)
        p *= 2  # the gap falls with the square of the unit, see enclosed_values.py
    hidden = "whether there is a hard margin" if optimum is None else f"the optimum to 2^-{bits}"
    raise ArithmeticError(f"{p // 2} bits of the kernel values do not tell {hidden}")


def _by_equal_rows(merged: MergedProblem, exact: Any) -> Optimum | None:
    """The answer where bounds and equal rows alone give it: infeasible, or degenerate; else None.

    exact: the merged problem on Fractions, whatever its kernel.
    """
    form = exact.dual_form()
    farkas = find_farkas(merged) if form.hard else None
    if farkas is None and infeasible_group(form) is not None:
        farkas = merged.unmerged(exact.proof_of("infeasible", form, []))
    if farkas is not None:
        return infeasible(farkas)
    x = find_cancelling(merged, form) if form.degenerates else None
    if x is None:
        return None
    alpha, zero = exact.multipliers_of(x), point_interval(0)
    lam = enclose_lam(lambda r: best_multipliers(form, r), [zero] * len(x))
    found = _enclosed_optimum_at(exact, alpha, lam, zero, zero)
    alpha = merged.divide(alpha)
    proof = exact.proof_of("degenerate", form, alpha)
    return found._replace(alpha=alpha, status="degenerate", farkas=proof)


def _first_precision(x: Sequence[Any], bits: int, least: Number) -> int:
    """p to begin with: |w|^2 is enclosed to the root of the gap, which goes with |x|^2.

    If all of x is small, units must be smaller by as much; least: the smallest C, which stands in
    for x where floats proposed none.
    """
    size = total(map(abs, x))
    large, small = int(size), int(1 / (size or least))
    lengths = 4 * large.bit_length() + small.bit_length() + 2 * len(x).bit_length()
    return 2 * bits + lengths + 32


def _nearly_optimal(near: RoundedProblem, x: Vector) -> Vector:
    """Feasible variables near the optimum, from x; near takes the form that the tube asks for."""
    x = _refined(near, x)
    alpha = near.net(x)
    if not isinstance(near.problem, TubeProblem) or is_closed(near.problem, alpha) == near.closed:
        return x
    near.use_form(not near.closed)
    other = _refined(near, alpha if near.closed else near.problem.variables_of(alpha))
    if near.closed and not is_closed(near.problem, other):
        near.use_form(False)
        return x
    return other


def _refined(near: RoundedProblem, x: Vector) -> Vector:
    """The variables after refinement, begun with those free that are between their bounds."""
    return refine(near, x, strictly_inside(near.form, x))[0]


def is_narrow(optimum: Optimum, bits: int) -> bool:
    """Whether no Interval of an optimum is wider than 2^-bits."""
    offsets = [v for offset in optimum.offsets for v in offset]
    intervals = [v for v in (*optimum, *offsets) if isinstance(v, Interval)]
    return all(v.width <= Fraction(1, 1 << bits) for v in intervals)


def _unmerged_optimum(merged: MergedProblem, near: RoundedProblem, optimum: Optimum) -> Optimum:
    """The optimum for the examples as they were before they were merged."""
    limits = [Fraction(0)] * near.n
    for i, *bounds in zip(near.of, near.form.lower, near.form.upper):
        limits[i] = max(limits[i], *map(abs, bounds))
    others = [
        merged.divide_otherwise(optimum.alpha, [v == letter for v in optimum.status], limits)
        for letter in "M?"
    ]
    unique = False if others[0] else None if others[1] else optimum.alpha_unique
    found: Optimum = optimum._replace(
        alpha=merged.divide(optimum.alpha),
        other_alpha=others[0],
        alpha_unique=unique,
        status="".join(merged.unmerged(optimum.status)).replace("T", "M"),
    )
    return found


def enclose_optimum(near: RoundedProblem, known: EnclosedVariables) -> Optimum | None:
    """The optimum of the merged examples, enclosed; None if the primal is inf."""
    if known.value.high == inf:
        return None
    r = enclose_residuals(near, known)
    lam = enclose_lam(near.best_lam, r)
    letters, unique = decide_statuses(near, known, r, lam)
    has_one_lam = _has_one_lam(near, letters)
    if near.closed and len(near.problem.lam_coefficients) > 1:
        # The closed form has one lam, but b and epsilon are made of those of both sides of a tube.
        form, has_one_lam = near.problem.dual_form(), has_one_lam * 2
        lam = enclose_lam(lambda r: best_multipliers(form, r), r * 2)
    lam = [_as_one_number(*ends) if one else ends for one, ends in zip(has_one_lam, lam)]
    alpha = known.x if near.closed else near.problem.multipliers_of(known.x)
    found = _enclosed_optimum_at(near.problem, alpha, lam, known.value, enclose_norm2(near, known))
    if found.b_unique is None and all(has_one_lam):
        found = found._replace(b_unique=True)
    letters = letters_of_examples(near.of, letters, near.n)
    return found._replace(status=letters, alpha_unique=unique)


def _has_one_lam(near: RoundedProblem, letters: str) -> list[bool]:
    """Whether the lam of each group is surely one number.

    An example on the margin leaves no other; and squared slack has one b of least penalty.
    """
    is_squared = near.form.squared is not None
    return [is_squared or any(letters[k] in "MT" for k in group) for group in near.form.groups]


def _as_one_number(low: End, high: End) -> tuple[End, End]:
    """Both ends, where they are known to be one number."""
    one = Interval(max(low.low, high.low), min(low.high, high.high))
    return one, one


def _enclosed_optimum_at(
    problem: Any,
    alpha: list[Any],
    lam: Sequence[tuple[End, End]],
    value: Interval,
    w_norm2: Interval,
) -> Optimum:
    """The Optimum, but for the statuses; value: that of the form."""
    zero = point_interval(0)
    offsets = _enclosed_offsets(problem, lam or [(zero, zero)], w_norm2)
    _, b_low, b_high = problem.decision_offset(offsets)
    apart = not isinstance(b_low, Interval) or not isinstance(b_high, Interval)
    sum_alpha, slack = problem.sums_at_optimum(value, w_norm2)
    if slack is not None:
        slack = Interval(max(slack.low, Fraction(0)), slack.high)
    return Optimum(
        alpha=alpha,
        b_low=b_low,
        b_high=b_high,
        objective=problem.scale * value,
        w=None,
        w_norm2=w_norm2,
        sum_alpha=sum_alpha,
        sum_C_slack=slack,
        status="",
        alpha_unique=None,
        b_unique=False if apart or b_low.high < b_high.low else None,
        other_alpha=None,
        farkas=None,
        offsets=offsets,
    )


def _enclosed_offsets(
    problem: TrainingProblem, lam: Sequence[tuple[End, End]], w_norm2: Interval
) -> Any:
    """The offsets of the machine from the ends of the intervals of lam."""
    low, high = ([ends(end) for end in side] for side in zip(*lam))
    value = [tuple(map(middle, m, M)) for m, M in zip(low, high)]

    def between(starts: Any, stops: Any) -> list[End]:
        """The offsets for lam that are from starts, or to stops where they count negatively."""
        least = problem.offsets_from(
            [(a, b) for (a, _), (_, b) in zip(starts, stops)], w_norm2.low
        )
        most = problem.offsets_from(
            [(a, b) for (_, a), (b, _) in zip(starts, stops)], w_norm2.high
        )
        return [end_between(*ends) for ends in zip(least, most)]

    sides = between(value, value), between(low, high), between(high, low)
    return problem.offsets_class(*map(OffsetInterval, *sides))
