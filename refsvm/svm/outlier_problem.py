"""What one class and the smallest ball share: a boundary, and on which side a training row lies.

At an optimum no example whose multiplier is below its bound lies outside, and so at most the
share nu of the weight does. (One that is below it by rounding alone counts as at it:
roundings_of_sums of dual_form.py.) Those between their bounds lie on the boundary itself, where f
is 0 and its sign, as a model computes f, is a matter of rounding. So the offset of a model is
moved outwards, by rounding, until f >= 0 holds for all of them: what is promised of nu then holds.

    least score    which f is smallest among these examples, with the offset 0; for the ball the
                   score is minus the squared distance
    room           how far the residuals may be from what a model computes, in their unit

Only examples whose residual is within the room of the largest are asked for their score: a few.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Any, TypeVar

from ..numerics.linalg import dot, total
from ..numerics.types import Number, Rows, Vector
from .dual_form import DualForm, Numbers, middle, roundings_of_sums
from .model import Solution, model_at
from .training_problem import TrainingProblem

ROUNDING = 2.0**-53  # largest relative error of one operation on doubles
ROUNDINGS = 16  # of each term and feature: residual, kernel value, score and |c|^2, and to spare

AnyModel = TypeVar("AnyModel", bound=Any)


def _largest_below_bound(
    upper: Numbers, alpha: Numbers, r: Numbers, within: Number, near: Number
) -> list[int]:
    """Return the examples below their bound whose residual is within so much of the largest.

    near: one so near its bound is at it

    >>> _largest_below_bound([1.0] * 4, [0.0, 1.0, 0.5, 0.5], [2.0, 9.0, 3.0, 1.0], 1.0, 0.0)
    [0, 2]
    """
    below = [k for k, (a, most) in enumerate(zip(alpha, upper)) if a + near < most]
    least = max((r[k] for k in below), default=inf) - within  # -inf where that is infinite
    return [k for k in below if not r[k] < least]


class OutlierProblem(TrainingProblem):
    """The base of the problems that tell outliers; each example has one variable, its alpha."""

    def variables_of(self, alpha: Vector) -> Vector:
        """Return alpha."""
        return alpha

    def multipliers_of(self, variables: Vector) -> Vector:
        """Return alpha."""
        return variables

    def middles(self, ends: list[tuple[Any, Any]]) -> Vector:
        """Return lam: where m > M, within tol, m, so that only examples at their bound lie out."""
        return [max(m, middle(m, M)) for m, M in ends]

    def least_scores(
        self, form: DualForm, alpha: Vector, r: Vector, lam: Number, residual_error: Number
    ) -> Sequence[int]:
        """Return the examples below their bound that may have the least score of these (S34.6).

        The residuals are those of alpha, within residual_error. A model computes with rows that
        are not shifted, and may be longer. On Fractions no sign is a matter of rounding, nor where
        a residual is above lam: far from an optimum, as rho and R^2 are never negative.

        lam: an upper bound of the one that is kept
        """
        if self.kind is not float:
            return ()
        room, (near,) = self.room_of_offset(alpha, residual_error), roundings_of_sums(form, alpha)
        # Two residuals are compared, and each may be off by the room.
        found = _largest_below_bound(form.upper, alpha, r, 2 * room, near)
        return found if all(r[k] <= lam for k in found) else []

    def room_of_offset(self, alpha: Numbers, residual_error: Number) -> Any:
        """Return how far a residual may be from what a model computes (S34.6)."""
        norms: list[Any] = self.squared_norms()
        largest_norm = max(map(abs, norms))
        if self.point_shift:  # then |x|^2 <= 2 |x - shift|^2 + 2 |shift|^2
            largest_norm = 2 * (largest_norm + dot(self.point_shift, self.point_shift))
        terms = len(alpha) - alpha.count(0) + len(self.rows_at([0])[0])
        mass = total(alpha) * largest_norm  # an upper bound of each |score|
        return residual_error + ROUNDINGS * (terms + 4) * ROUNDING * mass

    def moved_offset(self, alpha: Vector, residual_error: Number) -> Any:
        """Return how far a model's offset may be from the one that was taken."""
        return 2 * self.room_of_offset(alpha, residual_error)

    def kept_offsets(self, alpha: Vector, offsets: Vector, least_scores: Sequence[int]) -> Vector:
        """Return the offset that the model keeps (S10.2). O(n d) for each of the least scores."""
        if not least_scores:
            return offsets
        sign = 1 if self.lam_coefficients[0][0] > 0 else -1  # of the offset in what is decided
        kept = self.model_inside(alpha, sign * offsets[0], least_scores)[0]
        return [sign * kept]

    def model_of(self, solution: Solution) -> Any:
        """Return the model, which has no example outside that is below its bound."""
        return self.model_inside(solution.alpha, solution.b, solution.least_scores)

    def model_inside(self, alpha: Vector, b: Number, least_scores: Sequence[int]) -> Any:
        """Return the model of an offset, raised to where it keeps these examples (S34.6)."""
        model = self.model_before_rounding(alpha, b)
        return keep_inside(model, self.rows_at(least_scores))

    def model_before_rounding(self, alpha: Vector, b: Number) -> Any:
        """Return the model with this very offset."""
        return self.model_class(*model_at(self, alpha, b))


def keep_inside(model: AnyModel, rows: Rows) -> AnyModel:
    """Return the model, its offset raised until no f of these is negative (S10.2). O(rows n d).

    f is the score plus the offset, rounded once, so its sign is that of the exact sum.
    """
    if not rows:
        return model
    offset = model._fields[0]  # b, or radius2
    least = min(model._replace(**{offset: 0.0}).decisions(rows))
    return model._replace(**{offset: max(model[0], 0 - least)})  # type: ignore[no-any-return]
