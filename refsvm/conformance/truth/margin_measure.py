"""What of an answer depends on the machine: here of classification with C, whose margin is 1.

    unit      what tolerances are multiples of, and the least size of a decision that is right to
              a thousandth
    primal    the value of the problem at an answer, exactly
    errors    how far each example's condition is broken, in these units

grouped_measure.py has the same for the other machines.

Source: Keerthi et al., Neural Computation 13 (2001), pages 637-649, for the conditions.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import inf
from typing import Any

from ...kernels.rational_values import is_rational
from ...kernels.standard import Precomputed
from ...numerics.linalg import dot, total
from ...numerics.types import Matrix, Number, Rows
from ...proofs.answers import linear_function
from ...proofs.optimum import solve_rational
from ...proofs.rational_kernels import exact
from ...svm.dual_form import group_extremes, middle
from ...svm.exact_answers import repair_multipliers
from ...svm.judgement import promised_gap
from ..protocol import Answer, NumericProblem, as_fractions
from ..protocol.kernel_tables import kernel_table
from .exact_scores import ExactOptimum, ExactScores, Fractions

ENGINEERING = Fraction(1, 1000)  # of the larger of 1 and the decisions: float32 programs have it
FEASIBLE = Fraction(1, 2**20)  # of C_i, of the sum of alpha: rounding, in single precision too


class MarginMeasure:
    """The measure of answers to one Problem of classification, on Fractions."""

    no_optimum = "there is no hard margin"

    def __init__(self, problem: NumericProblem) -> None:
        self.problem = problem

    def solve(self) -> ExactOptimum:
        """Return the optimum; its status says if there is none."""
        return solve_rational(self.problem)

    def scores(self, rows: list[Fractions], asked: Matrix) -> ExactScores:
        """Return what computes scores at the rows; asked: the same as they were asked."""
        return ExactScores(self.problem, rows)

    def alpha_of(self, beta: Fractions) -> Fractions:
        """Return the multipliers of these coefficients; and the reverse."""
        return [c * y for c, y in zip(beta, self.problem.y)]

    def offset_of(self, answer: Answer) -> Any:
        """Return what the decisions add to the scores, as an answer states it; or None."""
        return answer.b

    def other_offset(self, best: ExactOptimum) -> dict[str, Any]:
        """Return no offset: there is none but b."""
        return {}

    def allowances(
        self, optimum: ExactOptimum, at_examples: Fractions, scores: Fractions
    ) -> Fractions:
        """Return how far each decision may be off."""
        return allowances(optimum, at_examples, scores)

    def unit(self, optimum: ExactOptimum) -> Number:
        """Return the margin."""
        return Fraction(1)

    def normalised(self, evidence: Any) -> Any:
        """Return the Evidence in the units of the optimum: it is in these already."""
        return evidence

    def primal(self, e: Any) -> Any:
        """Return the primal value at multipliers or w, and b; None if it is not known."""
        problem, examples, beta, w, b = self.problem, e.truth.exact.of_examples, e.beta, e.w, e.b
        if b is None or (beta is None and w is None):
            return None
        if b != 0 and not problem.bias:
            return None
        if beta is not None:
            scores = examples.of_beta(beta)[: problem.n]
            w_norm2 = dot(beta, scores)
        elif problem.linear:
            scores, w_norm2 = examples.of_w(w)[: problem.n], dot(w, w)
        else:
            return None
        lam = [b] if problem.bias else []
        return problem.primal_value(problem.dual_form(), scores, w_norm2, lam)

    def linear_model(self, stated: dict[Any, Any]) -> tuple[Any, Any]:
        """Return w, b of the decisions stated, by row: some rows determine them.

        Without an offset b is what rounding makes of 0, and is 0.
        """
        w, b = linear_function(self.problem, lambda x: stated[tuple(map(Fraction, x))])
        return w, b if self.problem.bias else Fraction(0)

    def promised(self, e: Any, primal: Number) -> Number:
        """Return the gap that the stated tolerance allows."""
        alpha = repair_multipliers(self.problem, self.alpha_of(e.beta))
        variables = self.problem.variables_of(alpha)
        return promised_gap(self.problem, variables, primal, Fraction(e.tol))

    def infeasibility(self, beta: Fractions) -> tuple[str, str] | None:
        """Return flag and sentence about multipliers that are not feasible; None if they are."""
        problem, alpha = self.problem, self.alpha_of(beta)
        largest = max(map(abs, alpha))
        if max(alpha) <= 0 < largest:
            return "SignFlipped", "no alpha is positive: each beta has the opposite sign"
        outside = outside_bounds(alpha, [0] * len(alpha), problem.upper_bounds())
        if outside is not None:
            return "AlphaOutside", outside
        balance = total(beta)
        if problem.bias and abs(balance) > FEASIBLE * largest:
            return "AlphaUnbalanced", f"sum alpha_i y_i is {short_text(balance)}; it must be 0"
        return None

    def condition_errors(self, e: Any) -> Fractions:
        """Return how far each example's margin is off: share_i / max(C_i - alpha_i, alpha_i).

        It is |v| where alpha is inside its bounds, and goes to 0 with alpha or C - alpha where v
        has the sign that goes with this bound: so 1e-20 may count as 0 or not. v_i = 1 - y_i f_i
        is what example i lacks of the margin.
        """
        problem, found = self.problem, []
        decisions = [s + e.b for s in e.truth.exact.of_examples.of_beta(e.beta)]
        for a, y, f, most, ridge in zip(
            self.alpha_of(e.beta), problem.y, decisions, problem.upper_bounds(), problem.ridge()
        ):
            v = 1 - y * f - ridge * a
            if most == inf:
                found.append(max(v, Fraction(0)) if a <= 0 else abs(v))
            else:
                found.append((most * max(v, Fraction(0)) - a * v) / max(most - a, a))
        return found

    def keeps_tolerance(self, e: Any) -> bool:
        """Return whether an answer's multipliers and b keep its tolerance, or a thousandth."""
        allowed = ENGINEERING if e.tol is None else Fraction(e.tol)
        return self.keeps_conditions(e.truth.exact.of_examples, e.beta, e.b, allowed)

    def keeps_conditions(self, examples: ExactScores, beta: Any, b: Any, allowed: Number) -> bool:
        """Return whether m - M is at most `allowed`, and b between the two or near them."""
        if beta is None or b is None or not self.problem.bias:
            return False
        beta = self.feasible(beta)
        scores = examples.of_beta(beta)[: self.problem.n]
        form = self.problem.dual_form()
        ((m, M),) = group_extremes(form, beta, self.problem.residuals(form, beta, scores))
        return bool(m - M <= allowed and min(m, M) - allowed <= b <= max(m, M) + allowed)

    def feasible(self, beta: Fractions) -> Fractions:
        """Return beta with multipliers inside their bounds, and balanced."""
        return self.alpha_of(repair_multipliers(self.problem, self.alpha_of(beta)))


def outside_bounds(alpha: Sequence[Any], lower: Sequence[Any], upper: Sequence[Any]) -> Any:
    """Return a sentence about the first multiplier outside its bounds; None if none is."""
    largest = max(map(abs, alpha))
    for i, (a, least, most) in enumerate(zip(alpha, lower, upper)):
        if max(least - a, a - most) > FEASIBLE * (largest if most == inf else most):
            bounds = f"from {short_text(least)} to {short_text(most)}"
            return f"alpha[{i}] is {short_text(a)}; it lies {bounds}"
    return None


def allowances(optimum: ExactOptimum, at_examples: Fractions, scores: Fractions) -> Fractions:
    """Return how far each decision may be off: a thousandth of the size of the decisions.

    Of the decisions, never of s or b alone: a million away from the origin both are a million,
    and to be off by a thousandth of that is to be wrong everywhere.
    """
    b = middle(optimum.b_low, optimum.b_high)
    size = max(Fraction(1), *[abs(s + b) for s in at_examples])
    return [ENGINEERING * max(size, abs(s + b)) for s in scores]


def on_fractions(problem: NumericProblem, rows: Rows) -> tuple[NumericProblem, list[Fractions]]:
    """Return problem and rows on Fractions.

    A kernel whose values are no fractions gives way to its Gram matrix, to 256 bits after the
    point: that is far more than a thousandth needs, which is all that doubles are asked for.
    """
    if is_rational(problem.kernel):
        return exact(problem), [as_fractions(row) for row in rows]
    n, asked = problem.n, rows if rows[: problem.n] == problem.X else [*problem.X, *rows]
    K = kernel_table(problem.kernel, problem.X, asked).fractions()
    given = problem.with_rows(K[:n], Precomputed(), Fraction)
    return given, K[-len(rows) :] if rows else []


def short_text(value: Any, digits: int = 6) -> str:
    """Return a number as it stands in a sentence.

    >>> short_text(Fraction(2, 3)), short_text(-(Fraction(10) ** 400))
    ('0.666667', '-inf')
    """
    try:
        return f"{float(value):.{digits}g}"
    except OverflowError:
        return "inf" if value > 0 else "-inf"
