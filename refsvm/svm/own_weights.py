"""The gap of a linear machine that keeps a w of its own, and not the one of its multipliers.

A solver of the primal (solvers/newton.py) ends at some w and at multipliers alpha, whose v = sum
alpha_i y_i x_i is near w. Where columns are large, v in doubles may be far worse than w: so w is
kept. What gap_bounds.py says of a machine and multipliers holds for any w: the primal of w is
above the dual of alpha by its shares and by 1/2 |w - v|^2.
"""

from __future__ import annotations

from fractions import Fraction
from math import inf, sqrt
from operator import mul
from typing import Any

from ..kernels.value_errors import SMALLEST, bound_by_diagonal
from ..numerics.linalg import squared_norm, subtract, total
from ..numerics.rounding_bounds import TINY, above, of_sum
from ..numerics.types import Vector
from .judged_answer import JudgedAnswer
from .residual_bounds import EXACT, MOST_NUMBERS, ErrorBounds, accuracy_of


def _accuracy_by_w(problem: Any, form: Any, beta: Vector, r: Vector, w: Vector) -> ErrorBounds:
    """Return the ErrorBounds of residuals by some w; w_error is that of the w of the multipliers.

    Of many rows there is one for all, with the largest row: O(n).
    """
    w_norm2 = squared_norm(w)
    if problem.n * len(w) <= MOST_NUMBERS:
        # What is exact of the w of the multipliers is so of this one where both are the same.
        carried = 0 if w == problem.point_weights(problem.multipliers_of(beta)) else TINY
        return accuracy_of(problem, form, beta, beta, r, carried=carried, w_norm2=w_norm2)
    ridge = problem.ridge()
    root = above(sqrt(max(problem.squared_norms()) + max(ridge) + SMALLEST), 4)
    size = root * sqrt(w_norm2) + 1 + max(map(abs, map(mul, ridge, beta)))
    error = of_sum(bound_by_diagonal(problem.kernel, problem.row_length()) + 5, size)
    return ErrorBounds(above(error + TINY, 8), root, of_sum(2, sqrt(w_norm2)) + TINY, size)


class AnswerOfW:
    """Multipliers of a problem without offset, and the w that its machine keeps instead of theirs.

    judged     the JudgedAnswer of residuals by this w, as if the multipliers had no other
    v          what the multipliers make           v_error    how far it may be from sum beta_j x_j
    of_v       residuals by v, and their ErrorBounds

    w: in the columns of the points
    """

    def __init__(self, problem: Any, alpha: Vector, w: Vector) -> None:
        self.problem, self.w, self.v = problem, w, problem.point_weights(alpha)
        form, beta = problem.dual_form(), problem.variables_of(alpha)
        (r, accuracy), (r_of_v, of_v) = (self._residuals(form, beta, x) for x in (w, self.v))
        self.v_error = of_v.w_error
        if problem.kind is float:
            of_v = of_v.with_error_of_w()
        self.of_v = r_of_v, of_v
        accuracy = accuracy._replace(w_error=problem.kind(0))
        self.judged = JudgedAnswer(problem, form, beta, alpha, r, accuracy, [], [])

    def _residuals(self, form: Any, beta: Vector, w: Vector) -> tuple[Vector, ErrorBounds]:
        """Residuals by some w, and their ErrorBounds."""
        problem = self.problem
        r = problem.residuals(form, beta, problem.scores_of_weights(w))
        return r, EXACT if problem.kind is not float else _accuracy_by_w(problem, form, beta, r, w)

    def gap(self) -> Any:
        """Return what the primal of w is at most above the optimum."""
        shares, away = self.judged.most(), subtract(self.w, self.v)
        if self.problem.kind is not float:
            return shares + squared_norm(away) / 2
        lost = len(away) * TINY if any(away) else 0.0  # of squares
        far = above(sqrt(squared_norm(away) + lost), len(away) + 4) + self.v_error
        found = shares + far * far / 2
        return above(found, 8) if found < inf else inf

    def is_within(self, gap: Any, tol: Any, primal: Any) -> bool:
        """Return whether the gap is surely no more than tol times the primal.

        Which is as computed. Its terms are positive; where a slack falls, the penalty falls by
        no more than its multiplier times that.
        """
        if self.problem.kind is float:
            alpha, errors = self.judged.alpha, self.judged.accuracy.errors
            if isinstance(errors, list):
                lost = total(a * e for a, e in zip(alpha, errors) if a != 0)
            else:
                lost = total(alpha) * errors
            terms = self.problem.n + len(self.w) + 8
            primal = primal - above(lost + of_sum(terms, primal), 8)
        if not gap < inf or not -inf < primal < inf:
            return False
        return Fraction(gap) <= Fraction(tol) * Fraction(primal)
