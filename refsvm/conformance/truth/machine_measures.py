"""The measures of single machines: what each has of its own beside grouped_measure.py."""

from __future__ import annotations

from fractions import Fraction
from math import inf
from typing import Any

from ...numerics.linalg import dot, total
from ...numerics.types import Number, VectorLike
from ...proofs.answers import linear_function
from ...svm.dual_form import exact_total, middle
from ..protocol import Answer, NumericProblem
from ..protocol.forms import bounds_of, changed_problem, form_of_problem
from .exact_scores import BallScores, ExactOptimum, ExactScores, Fractions, squared_norms
from .grouped_measure import TINY, GroupedMeasure
from .margin_measure import MarginMeasure

PAPER = Fraction(1, 64)  # how near to nu W a factor is that is taken for it


class NuRegressionMeasure(GroupedMeasure):
    """The measure of answers where the tube's width is found, too."""

    def lam_of_answer(self, e: Any, r: Fractions, w_norm2: Number) -> Fractions:
        """Return b + epsilon and b - epsilon, for the best epsilon there is with this b."""
        epsilon = self.best_epsilon([v - e.b for v in r[: self.problem.n]])
        return [e.b + epsilon, e.b - epsilon]

    def other_offset(self, best: ExactOptimum) -> dict[str, tuple[Any, Any]]:
        """Return epsilon, least and largest."""
        return {"epsilon": (best.offsets.epsilon.low, best.offsets.epsilon.high)}

    def best_epsilon(self, errors: Fractions) -> Any:
        """Return the epsilon with the least primal: where the weight outside is nu W."""
        limits = self.problem.limits()
        most, outside = 2 * self.problem.half_sum(), Fraction(0)
        for size, limit in sorted(zip(map(abs, errors), limits), reverse=True):
            outside += limit
            if outside > most:
                return size
        return Fraction(0)

    def sums(self, alpha: Fractions) -> list[tuple[str, Any, Any]]:
        """Return the sum of all, and that of their sizes where it is too large."""
        size, most = total(list(map(abs, alpha))), 2 * self.problem.half_sum()
        found = super().sums(alpha)
        return [*found, ("the sum of all |alpha|", size, most)] if size > most else found


class OneClassMeasure(GroupedMeasure):
    """The measure of answers to one class: b is -rho."""

    def offset_interval(self, best: ExactOptimum) -> tuple[Any, Any]:
        """Return -rho, least and largest."""
        ((low, high),) = self.lam_intervals(best)
        return low, min(high, Fraction(0))

    def offset_of(self, answer: Answer) -> Any:
        """Return b, or minus the rho that is stated."""
        return -answer.rho if answer.b is None and answer.rho is not None else answer.b

    def unit(self, optimum: ExactOptimum) -> Any:
        """Return rho: of an interval the middle, or the finite end."""
        return -middle(optimum.b_low, optimum.b_high)

    def centre(self) -> Number:
        """Return the boundary, which is 0."""
        return 0

    def least_size(self, optimum: ExactOptimum) -> Any:
        """Return rho."""
        return self.unit(optimum)

    def whole_sum(self) -> Number:
        """Return what the multipliers add up to, nu W."""
        return self.form.sums[0]

    def normalised(self, e: Any) -> Any:
        """Return the Evidence on LIBSVM's scale; the paper's numbers are these over nu W."""
        ratio = _scale_between(e.truth.scores, e.decisions)
        if ratio is None or near(ratio, 1) or not near(ratio, self.whole_sum()):
            return e
        return e.times(self.whole_sum())

    def bounds(self) -> tuple[Any, Any]:
        """Return the least and the largest multiplier of each example."""
        return self.form.lower, self.form.upper

    def sums(self, alpha: Fractions) -> list[tuple[str, Any, Any]]:
        """Return the sum of all."""
        return [("the sum of all alpha", total(alpha), self.whole_sum())]


class BallMeasure(OneClassMeasure):
    """The measure of answers to the smallest ball: b is R^2.

    No multiplier is above 1. So an infinite C is 2 here: the optimum is the same, and what
    rounding puts outside a hard ball costs a finite amount.
    """

    def __init__(self, original: NumericProblem, problem: NumericProblem) -> None:
        if inf in bounds_of(problem):
            problem = changed_problem(problem, bounds=[Fraction(2)] * problem.n)
        super().__init__(original, problem)

    def scores(self, rows: list[Fractions], asked: list[VectorLike]) -> ExactScores:
        """Return what computes minus the squared distance from the centre."""
        return BallScores(self.problem, rows, squared_norms(self.original, asked))

    def offset_interval(self, best: ExactOptimum) -> tuple[Any, Any]:
        """Return R^2, least and largest."""
        ((low, high),) = self.lam_intervals(best)
        return max(2 * low + best.w_norm2, Fraction(0)), 2 * high + best.w_norm2

    def offset_of(self, answer: Answer) -> Any:
        """Return R^2 as it is stated."""
        return answer.radius2 if answer.b is None else answer.b

    def unit(self, optimum: ExactOptimum) -> Any:
        """Return R^2."""
        return middle(optimum.b_low, optimum.b_high)

    def least_size(self, optimum: ExactOptimum) -> Any:
        """Return R^2; where it is 0, of what rounding leaves of it."""
        return max(self.unit(optimum), TINY * max(map(abs, self.problem.squared_norms())))

    def normalised(self, e: Any) -> Any:
        """Return the Evidence: there is one scale."""
        return e

    def lam_of_answer(self, e: Any, r: Fractions, w_norm2: Number) -> Fractions:
        """Return (R^2 - |c|^2) / 2."""
        return [(e.b - w_norm2) / 2]

    def linear_model(self, stated: dict[Any, Any]) -> tuple[Any, Any]:
        """Return the centre and R^2 of the decisions stated: f(x) + |x|^2 is linear in x."""

        def linear(x: list[float]) -> Any:
            row = tuple(map(Fraction, x))
            return stated[row] + dot(row, row)

        twice, rest = linear_function(self.problem, linear)
        w = [v / 2 for v in twice]
        return w, rest + dot(w, w)


class NuMeasure(GroupedMeasure):
    """The measure of answers to nu-classification: b and rho, of which a rectangle is optimal."""

    def offset_interval(self, best: ExactOptimum) -> tuple[Any, Any]:
        """Return b, least and largest, at the rho in the middle."""
        low, high = self.rho_interval(best)
        return self.b_interval(best, middle(low, high))

    def rho_interval(self, best: ExactOptimum) -> tuple[Any, Any]:
        """Return rho, least and largest."""
        (m, M), (p, P) = self.lam_intervals(best)
        return max((p - M) / 2, Fraction(0)), (P - m) / 2

    def other_offset(self, best: ExactOptimum) -> dict[str, tuple[Any, Any]]:
        """Return rho, least and largest."""
        return {"rho": self.rho_interval(best)}

    def b_interval(self, best: ExactOptimum, rho: Number) -> tuple[Any, Any]:
        """Return b, least and largest, at a rho: lam are b - rho and b + rho."""
        (m, M), (p, P) = self.lam_intervals(best)
        low, high = max(m + rho, p - rho), min(M + rho, P - rho)
        return min(low, high), max(low, high)

    @property
    def solved_rho(self) -> Any:
        """The rho in the middle of its interval, or its finite end."""
        return middle(*self.rho_interval(self.solved))

    def unit(self, optimum: ExactOptimum) -> Any:
        """Return rho."""
        return self.solved_rho

    def centre(self) -> Number:
        """Return the boundary, which is 0."""
        return 0

    def least_size(self, optimum: ExactOptimum) -> Any:
        """Return rho."""
        return self.solved_rho

    def alpha_of(self, beta: Fractions) -> Fractions:
        """Return alpha, from alpha_i y_i."""
        return [c * y for c, y in zip(beta, self.problem.y)]

    def beta_of(self, alpha: Fractions) -> Fractions:
        """Return alpha_i y_i."""
        return self.alpha_of(alpha)

    def normalised(self, e: Any) -> Any:
        """Return the Evidence times the rho that it was divided by, with the b that go with it.

        The multipliers tell it, for they add up to nu W. Without them it is the one of its
        interval that suits the length of w best.
        """
        best, rho = e.truth.optimum, e.answer.rho
        low, high = self.rho_interval(best)
        if rho is None:
            rho = self.divisor(e, low, high)
            e = e.times(rho)
        rho = min(max(Fraction(rho), low), high)
        b_low, b_high = self.b_interval(best, rho)
        return e.with_offsets(b_low, b_high)

    def divisor(self, e: Any, low: Number, high: Number) -> Number:
        """Return the rho that an answer is divided by, near its interval."""
        size = 0 if e.beta is None else total(list(map(abs, e.beta)))
        if size > 0:
            rho = 2 * self.form.sums[0] / size
            if low * (1 - PAPER) <= rho <= high * (1 + PAPER):
                return rho
        ratio = _scale_between(e.truth.scores, e.decisions)
        return min(max(low if ratio is None else ratio, low), high)

    def lam_of_answer(self, e: Any, r: Fractions, w_norm2: Number) -> Fractions:
        """Return b - rho and b + rho."""
        rho = e.factor if e.answer.rho is None else Fraction(e.answer.rho)
        return [e.b - rho, e.b + rho]

    def bounds(self) -> tuple[Any, Any]:
        """Return the least and the largest multiplier of each example."""
        return [Fraction(0)] * self.problem.n, self.problem.example_weights

    def sums(self, alpha: Fractions) -> list[tuple[str, Any, Any]]:
        """Return the sum of each class."""
        right = Fraction(self.problem.nu) * exact_total(self.problem.example_weights) / 2
        by_class = [
            (name, total([a for a, y in zip(alpha, self.problem.y) if y == label]))
            for name, label in (("+1", 1), ("-1", -1))
        ]
        return [(f"the sum of alpha of class {name}", value, right) for name, value in by_class]


def _scale_between(scores: Fractions, decisions: Any) -> Any:
    """Return by what decisions are to be multiplied to differ as scores do; None if unknown."""
    if decisions is None:
        return None
    wide, theirs = max(scores) - min(scores), max(decisions) - min(decisions)
    return wide / theirs if wide > 0 and theirs > 0 else None


def near(one: Any, other: Any) -> bool:
    """Return whether two positive numbers are nearly the same."""
    return bool(abs(one - other) <= PAPER * other)


MEASURES: dict[str, type[GroupedMeasure]] = {
    "nu_svc": NuMeasure,
    "epsilon_svr": GroupedMeasure,
    "nu_svr": NuRegressionMeasure,
    "one_class": OneClassMeasure,
    "svdd": BallMeasure,
}


def measure_of(original: NumericProblem, problem: NumericProblem) -> Any:
    """Return the measure of a problem, which is given as it was asked and on Fractions."""
    form = form_of_problem(problem)
    return MarginMeasure(problem) if form is None else MEASURES[form.name](original, problem)
