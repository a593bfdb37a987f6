"""What feasible variables prove of the optimum where kernel values are known to an error only.

Let x be feasible variables of a machine's dual (svm/dual_form.py), beta what they add up to for
each example, and B = sum |beta_i|. A score computed with rounded kernel values is off by `error` B
at most, and |w|^2 by `error` B^2. What follows is certain.

1. The dual of x, rounded down, and the primal at its w and the best lam, rounded up, hold the
   optimal value between them; their difference is the gap.

2. For every optimal x*, with d = x* - x, and Q the kernel matrix with the ridge:

       d'Qd <= 2 gap

   The dual D is a quadratic function: D(x) = D(x*) - g'd - d'Qd / 2 with g its gradient at x*, and
   g'd >= 0, as going from x* to the feasible x leads nowhere up. So d'Qd / 2 is at most
   D(x*) - D(x), which is at most the gap.

3. Hence |w* - w|^2 <= 2 gap, and |s*(x) - s(x)| <= root(2 gap k(x, x)) at every x (Cauchy and
   Schwarz). That encloses |w*|^2 and the residuals r_k = target_k - s*_i.

4. The optimal lam are those of least primal at w*. Both ends of the interval of each rise with
   every residual, so each end is between what it is for all r_k at their lower ends and for all at
   their upper ends.

    near    a RoundedProblem          known   its EnclosedVariables
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import inf
from typing import Any, NamedTuple

from ..numerics.intervals import Interval, square_root
from ..numerics.linalg import total
from ..svm.dual_form import middle
from .rational_kernels import Exact
from .rounded_problem import RoundedProblem

# An end of an interval of optimal numbers: enclosed, or infinite.
End = Any


class EnclosedVariables(NamedTuple):
    """What is known of feasible variables (Fractions), as point 1 has it."""

    x: list[Exact]
    scores: list[Exact]  # of the rounded problem
    radius: Exact  # the true scores are within this of them
    w_norm2: Interval
    value: Interval  # from the dual to the primal, which may be inf: the optimal value is in it

    def distance(self, bits: int) -> Fraction:
        """How far w* may be from w: root(2 gap), rounded up."""
        return square_root(2 * self.value.width, bits).high


def enclose_values(near: RoundedProblem, x: list[Exact]) -> EnclosedVariables:
    """Point 1: scores, |w|^2 and the optimal value, by feasible variables."""
    beta = near.net(x)
    size: Exact = total(map(abs, beta))
    scores, norm2 = near.scores_and_norm2(beta)
    radius = near.error * size
    w_norm2 = Interval(max(norm2 - radius * size, Fraction(0)), norm2 + radius * size)
    r = [t - scores[i] for t, i in zip(near.form.target, near.of)]
    lam = [middle(*ends) for ends in near.best_lam(r)]
    primal = near.primal_above(scores, radius, w_norm2.high, lam)
    return EnclosedVariables(
        x, scores, radius, w_norm2, Interval(near.dual_below(x, w_norm2.high), primal)
    )


def enclose_norm2(near: RoundedProblem, known: EnclosedVariables) -> Interval:
    """|w*|^2: the square of |w| give or take the distance."""
    distance = known.distance(near.p)
    low = square_root(known.w_norm2.low, near.p).low - distance
    high = square_root(known.w_norm2.high, near.p).high + distance
    return Interval(max(low, Fraction(0)) ** 2, high**2)


def enclose_residuals(near: RoundedProblem, known: EnclosedVariables) -> list[Interval]:
    """target_k - s*_i of each variable, without the ridge.

    The rounded K_ii is no less than the true one.
    """
    errors = []
    for i in range(near.n):
        k = Fraction(near.values[i][i], 1 << near.p)
        errors.append(known.radius + square_root(2 * known.value.width * k, near.p).high)
    middles = ((t - known.scores[i], errors[i]) for t, i in zip(near.form.target, near.of))
    return [Interval(v - error, v + error) for v, error in middles]


def enclose_lam(
    best: Callable[[list[Any]], list[tuple[Any, Any]]], r: Sequence[Interval]
) -> list[tuple[End, End]]:
    """Point 4: the two ends of the interval of each optimal lam; best: finds them from residuals.

    An end is an Interval, or infinite.
    """
    lows, highs = best([v.low for v in r]), best([v.high for v in r])
    return [
        (end_between(low, high), end_between(low_end, high_end))
        for (low, low_end), (high, high_end) in zip(lows, highs)
    ]


def end_between(low: Any, high: Any) -> End:
    """The Interval from low to high; an infinite end is known as it is."""
    return low if abs(low) == inf == abs(high) else Interval(low, high)
