"""What feasible variables prove of the optimum where kernel values are known to an error only.

Its numbers, which multipliers are at a bound at every optimum, and whether there is only one.

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

5. Let lam be optimal, and inside the interval of the optimal ones unless that is one number. Where
   r_k - lam_g is below 0 every optimal x_k is at its lower bound, where it is above 0 at its upper
   one: the status is L if that bound is 0 and U otherwise. If slack is squared there is no upper
   bound, and the multiplier is positive (M).

6. To be M is to have r_k = lam_g, which no interval can show. But an x*_k between its bounds
   implies it, and that can be proved: d is zero where 5 has decided and x is at that bound. On the
   others let v'Qv >= c |v|^2 for all v with sum zero over each group, c > 0
   (RoundedProblem.curvature). Then d_k is at most root(2 gap / c), and if x_k is farther than that
   from both of its bounds, x*_k is not at them. Besides the optimal x is unique then: between two
   of them d'Qd = 0.

7. An example on the margin with its multiplier at a bound is found by algebra, not by measuring:
   exponential_sums.py proves equations between exponentials.

A tube closes in nu-regression where sum |alpha_i| is less than it may be. If by point 6, on all
examples, that is so at every optimum, these are the optima of the form without a tube, and the
letters are those of that form.

The gap falls with the square of the unit and c does not, so with more bits all is decided but
this: what is too long for 7, and examples on the margin whose features depend on each other (then
there is no c). They stay "?".

    T    on the margin with the multiplier at a bound, as found by 7; a caller sees M

    near    a RoundedProblem          known   its EnclosedVariables
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import inf
from typing import Any, NamedTuple

from ..numerics.intervals import Interval, point_interval, square_root
from ..numerics.linalg import total
from ..svm.dual_form import middle
from ..svm.regression_problem import NuRegressionProblem
from .exponential_sums import all_on_margin
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
    """Point 1: scores, |w|^2 and the optimal value, by feasible variables (S17.3)."""
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

    The rounded K_ii is at least the true one.
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

    An end is an Interval, or infinite. Standard: S17.4.
    """
    lows, highs = best([v.low for v in r]), best([v.high for v in r])
    return [
        (end_between(low, high), end_between(low_end, high_end))
        for (low, low_end), (high, high_end) in zip(lows, highs)
    ]


def end_between(low: Any, high: Any) -> End:
    """The Interval from low to high; an infinite end is known as it is."""
    return low if abs(low) == inf == abs(high) else Interval(low, high)


def decide_statuses(
    near: RoundedProblem,
    known: EnclosedVariables,
    r: Sequence[Interval],
    lam: Sequence[tuple[End, End]],
) -> tuple[str, bool | None]:
    """(a letter for each variable, whether the variables are unique: True, or None), S17.3."""
    unknown = "?" * len(r), None
    if near.closed and not is_surely_closed(near, known):
        return unknown
    letters, held = _letters_by_sign(near, r, lam)
    others = [k for k, end in enumerate(held) if end is None or known.x[k] != end]
    c = near.curvature(others) if others else 1
    if c == 0:
        return "".join(letters), None
    distance = square_root(2 * known.value.width / c, near.p).high
    off_lower = {k for k in others if known.x[k] - distance > near.form.lower[k]}
    off_upper = {k for k in others if known.x[k] + distance < near.form.upper[k]}
    for k in off_lower & off_upper:
        letters[k] = "M"
    ties = [k for k in others if letters[k] == "?"]
    free = [k for k in others if letters[k] == "M"]
    if ties and len(ties) + len(free) == len(others) and off_lower | off_upper == set(others):
        x = list(known.x)
        for k in ties:
            x[k] = near.form.upper[k] if k in off_lower else near.form.lower[k]
        if all_on_margin(near, x, free, ties, r):
            for k in ties:
                letters[k] = "T"
    return "".join(letters), True


def _letters_by_sign(
    near: RoundedProblem, r: Sequence[Interval], lam: Sequence[tuple[End, End]]
) -> tuple[list[str], list[Any]]:
    """Point 5: (the letters that it decides, the bounds at which it holds variables or None)."""
    form, inside = near.form, [_inside_of(*ends) for ends in lam]
    letters, held = [], []
    for v, g, low, high in zip(r, near.group, form.lower, form.upper):
        pull = v - inside[g] if g >= 0 else v
        end = high if pull.low > 0 else low if pull.high < 0 else None
        if end is None or abs(end) == inf:
            letters.append("?" if end is None else "M")
            held.append(None)
        else:
            letters.append("U" if end else "L")
            held.append(end)
    return letters, held


def _inside_of(low: End, high: End) -> Interval:
    """A number inside the interval of the optimal lam; if it may be one number, all of them."""
    if not isinstance(low, Interval):
        return point_interval(high.low - 1)
    if not isinstance(high, Interval):
        return point_interval(low.high + 1)
    if low.high < high.low:
        return point_interval((low.high + high.low) / 2)
    return Interval(low.low, high.high)


def is_surely_closed(near: RoundedProblem, known: EnclosedVariables) -> bool:
    """Whether the tube of a problem of regression has no width at any optimum (S17.8)."""
    if not isinstance(near.problem, NuRegressionProblem):
        return True
    c = near.curvature(range(near.n))
    if c == 0:
        return False
    distance = square_root(2 * known.value.width / c, near.p).high  # of each x_k
    room: Fraction = near.problem.room(known.x)
    return bool(room > distance * near.n)  # the root of n would do
