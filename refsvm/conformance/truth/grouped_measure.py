"""What of an answer depends on the machine, of those beside C-SVC: nu, regression, outliers.

All of it follows from the form of the dual (svm/dual_form.py): r are the residuals, lam_g the
multiplier of a group, of which the offset comes. What tolerances are multiples of:

    regression            half the spread of y      nu-classification   rho
    one class             rho                       the ball            R^2

A sum of nu W that is a whole number up to rounding is one: an offset that is optimal for a nu
next to the one that was asked for, a part in 2^45 away, is accepted.

Answers of nu-classification are on the scale of LIBSVM, divided by rho, unless they state rho; of
one class on that of LIBSVM, or divided by nu W, as the paper has it. Evidence is on the scale of
the problem (svm/nu_problem.py): `factor` times what was answered.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from fractions import Fraction
from functools import cached_property
from math import inf
from typing import Any, ClassVar

from ...numerics.linalg import dot, total
from ...numerics.types import Number, VectorLike
from ...proofs.answers import linear_function
from ...proofs.optimum import solve_rational
from ...svm.dual_form import DualForm, best_multipliers, group_extremes, middle
from ...svm.exact_answers import repair_multipliers
from ...svm.judgement import promised_gap
from ..protocol import Answer, NumericProblem
from .exact_scores import ExactOptimum, ExactScores, Fractions
from .margin_measure import ENGINEERING, FEASIBLE, outside_bounds, short_text

NEARBY = Fraction(1, 2**45)  # of a sum: a nu so near is the same for programs in doubles
TINY = Fraction(1, 2**40)  # of the numbers that decisions are differences of
NO_MACHINE = {
    "infeasible": "no multipliers have the sums that are asked for",
    "degenerate": "w and rho are 0, so there is no machine",
}


class GroupedMeasure:
    """The measure of answers to one problem of regression with a tube, on Fractions."""

    stated: ClassVar[str | None] = None  # the field of an answer that says the offset, too

    def __init__(self, original: NumericProblem, problem: NumericProblem) -> None:
        self.original = original
        self.problem = copy(problem)
        self.problem.point_shift, self.problem.rows = None, self.problem.points

    @cached_property
    def form(self) -> DualForm:
        """The dual."""
        return self.problem.dual_form()  # type: ignore[no-any-return]

    @property
    def no_optimum(self) -> str:
        """A sentence where there is no machine."""
        return NO_MACHINE[self.solve().status]

    def solve(self) -> ExactOptimum:
        """Return the optimum, every offset within rounding of nu; its status if there is none."""
        return self.solved

    @cached_property
    def solved(self) -> ExactOptimum:
        """The optimum."""
        best = solve_rational(self.problem)
        if best.status in NO_MACHINE:
            return best
        low, high = self.offset_interval(best)
        return best._replace(b_low=low, b_high=high)

    def offset_interval(self, best: ExactOptimum) -> tuple[Any, Any]:
        """Return the least and the largest optimal offset."""
        return best.b_low, best.b_high

    def lam_intervals(self, best: ExactOptimum) -> list[tuple[Any, Any]]:
        """Return the least and the largest optimal lam of each group, for every nearby nu."""
        r = self.residuals(self.scores_at_examples(best.alpha))
        ends = []
        for factor in (1, 1 - NEARBY, 1 + NEARBY):
            sums = [factor * s for s in self.form.sums]
            ends.append(best_multipliers(self.form._replace(sums=sums), r))
        return [(min(low), max(high)) for low, high in (zip(*group) for group in zip(*ends))]

    def scores_at_examples(self, alpha: Fractions) -> Fractions:
        """Return <w, phi(x_i)> of each example."""
        beta = self.beta_of(alpha)
        return ExactScores(self.problem, self.problem.X).of_beta(beta)

    def residuals(self, scores: Fractions) -> Fractions:
        """Return target - s of each variable."""
        return [t - s for t, s in zip(self.form.target, self.form.per_variable(scores))]

    def scores(self, rows: list[Fractions], asked: list[VectorLike]) -> ExactScores:
        """Return what computes scores at the rows; asked: the same as they were asked."""
        return ExactScores(self.problem, rows)

    def alpha_of(self, beta: Fractions) -> Fractions:
        """Return the multipliers of these coefficients: for regression the net ones."""
        return beta

    def beta_of(self, alpha: Fractions) -> Fractions:
        """Return the coefficients of these multipliers."""
        return alpha

    def offset_of(self, answer: Answer) -> Any:
        """Return what the decisions add to the scores, as an answer states it; or None."""
        return answer.b

    def other_offset(self, best: ExactOptimum) -> dict[str, tuple[Any, Any]]:
        """Return {its name: the least and the largest} of the offset that is not b."""
        return {}

    # ---- sizes

    @cached_property
    def half_spread(self) -> Any:
        """Half the spread of y."""
        return (max(self.problem.y) - min(self.problem.y)) / 2

    def unit(self, optimum: ExactOptimum) -> Any:
        """Return what tolerances are multiples of."""
        return self.half_spread

    def centre(self) -> Any:
        """Return what decisions are near: the middle of y."""
        return (max(self.problem.y) + min(self.problem.y)) / 2

    def least_size(self, optimum: ExactOptimum) -> Any:
        """Return the least size of decisions."""
        epsilon = getattr(self.problem, "epsilon", 0)
        return max(self.half_spread, epsilon, TINY * max(map(abs, self.problem.y)))

    def allowances(
        self, optimum: ExactOptimum, at_examples: Fractions, scores: Fractions
    ) -> Fractions:
        """Return how far each decision may be off: a thousandth of the size of the decisions."""
        away = middle(optimum.b_low, optimum.b_high) - self.centre()
        size = max([self.least_size(optimum), *(abs(s + away) for s in at_examples)])
        return [ENGINEERING * max(size, abs(s + away)) for s in scores]

    def normalised(self, e: Any) -> Any:
        """Return the Evidence on the scale of the problem."""
        return e

    # ---- an answer

    def scores_of_answer(self, e: Any) -> tuple[Fractions, Any] | None:
        """Return <w, phi(x_i)> of each example and |w|^2 of an answer; None if not known."""
        exactly = e.truth.exact.of_examples
        inner = getattr(exactly, "inner", exactly)
        if e.beta is not None:
            scores = inner.of_beta(e.beta)[: self.problem.n]
            return scores, dot(e.beta, scores)
        if e.w is None or not self.problem.linear:
            return None
        return inner.of_w(e.w)[: self.problem.n], dot(e.w, e.w)

    def lam_of_answer(self, e: Any, r: Fractions, w_norm2: Number) -> Fractions:
        """Return lam of each group, of the offsets that an answer states."""
        return [e.b]

    def primal(self, e: Any) -> Any:
        """Return the primal value at multipliers or w, and b; None if it is not known."""
        model = None if e.b is None else self.scores_of_answer(e)
        if model is None:
            return None
        scores, w_norm2 = model
        lam = self.lam_of_answer(e, self.residuals(scores), w_norm2)
        return self.problem.primal_value(self.form, self.form.per_variable(scores), w_norm2, lam)

    def linear_model(self, stated: dict[Any, Any]) -> tuple[Any, Any]:
        """Return w, b of the decisions stated, by row: some rows determine them."""
        return linear_function(self.problem, lambda x: stated[tuple(map(Fraction, x))])

    def promised(self, e: Any, primal: Number) -> Number:
        """Return the gap that the stated tolerance allows."""
        alpha = repair_multipliers(self.problem, self.alpha_of(e.beta))
        allowed = Fraction(e.tol) * self.unit(e.truth.optimum)
        return promised_gap(self.problem, self.problem.variables_of(alpha), primal, allowed)

    def infeasibility(self, beta: Fractions) -> tuple[str, str] | None:
        """Return flag and sentence about multipliers that are not feasible; None if they are."""
        alpha = self.alpha_of(beta)
        largest = max(map(abs, alpha))
        lower, upper = self.bounds()
        if min(lower) == 0 and max(alpha) <= 0 < largest:
            return "SignFlipped", "no alpha is positive: each has the opposite sign"
        outside = outside_bounds(alpha, lower, upper)
        if outside is not None:
            return "AlphaOutside", outside
        for what, value, right in self.sums(alpha):
            if abs(value - right) > FEASIBLE * max(largest, abs(right)):
                return "AlphaSum", f"{what} is {short_text(value)}; it must be {short_text(right)}"
        return None

    def bounds(self) -> tuple[Sequence[Any], Sequence[Any]]:
        """Return the least and the largest multiplier of each example."""
        limits = self.problem.limits()
        return [-c for c in limits], limits

    def sums(self, alpha: Fractions) -> list[tuple[str, Any, Any]]:
        """Return (what, its value, what it must be) of each sum."""
        return [("the sum of all alpha", total(alpha), 0)]

    def condition_errors(self, e: Any) -> Fractions:
        """Return how far the conditions of each example are off: of two variables the worse.

        As in margin_measure.py: the share of the gap over the largest way that x may go.
        """
        scores, w_norm2 = self.scores_of_answer(e) or ([], 0)
        r, form = self.residuals(scores), self.form
        lam = self.lam_of_answer(e, r, w_norm2)
        x, found = self.problem.variables_of(self.alpha_of(e.beta)), [Fraction(0)] * self.problem.n
        for group, value in zip(form.groups, lam):
            for k in group:
                i = k if form.of is None else form.of[k]
                found[i] = max(
                    found[i], _condition_error(x[k], form.lower[k], form.upper[k], r[k] - value)
                )
        return found

    def keeps_tolerance(self, e: Any) -> bool:
        """Return whether an answer's multipliers and b keep its tolerance, or a thousandth."""
        if e.beta is None or e.b is None:
            return False
        unit = self.unit(e.truth.optimum)
        allowed = unit * (ENGINEERING if e.tol is None else Fraction(e.tol))
        alpha = repair_multipliers(self.problem, self.alpha_of(e.beta))
        r = self.residuals(self.scores_at_examples(alpha))
        ends = group_extremes(self.form, self.problem.variables_of(alpha), r)
        _, w_norm2 = self.scores_of_answer(e) or ([], 0)
        lam = self.lam_of_answer(e, r, w_norm2)
        return all(
            m - M <= allowed and min(m, M) - allowed <= v <= max(m, M) + allowed
            for (m, M), v in zip(ends, lam)
        )


def _condition_error(x: Any, lower: Any, upper: Any, excess: Any) -> Any:
    """Return how far the condition of one variable is off, whose residual is lam + excess."""
    if upper == inf:
        return max(excess, Fraction(0)) if x <= lower else abs(excess)
    share = max(upper * excess, lower * excess) - x * excess
    return share / (max(upper - x, x - lower) or 1)
