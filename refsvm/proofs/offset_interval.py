"""Between which numbers every optimal offset lies, whatever alpha one has.

Fix b. The least primal value with this b is p(b), and any multipliers a in the box bound it,
balanced or not:

    p(b) >= D(a) - b sum a_i y_i          D: the dual objective

(The Lagrangian of the problem in which b is no variable; sum a_i y_i = 0 came from varying b.) At
an optimal b the left side is the optimum's value, a lower bound of every primal. So for every
optimal b, every primal value P and all a in the box

    b T >= D(a) - P          where T = sum a_i y_i

and each a with T > 0 gives a lower end, each with T < 0 an upper end. Any a will do for a proof; a
good one is found from nearly optimal balanced multipliers alpha. Move beta_i = alpha_i y_i by t_i
for some examples that may rise. With r_i the residuals (kkt_conditions.py) and
N = sum t_i |phi(x_i)|

    D(a) >= D(alpha) + sum t_i r_i - N^2 / 2          T = sum t_i

so those with the largest r_i are moved first, each as far as its bound, until N^2 / 2 is the gap
P - D(alpha): then the end is about the mean of their r_i, less the root of twice the gap times the
mean of their |phi(x_i)|. As alpha tends to the optimum the ends tend to those of the interval of
optimal offsets.

The same holds for lam_g, the multiplier of any group of variables (svm/dual_form.py), with
T = sum over the group of beta_k, less s_g.

    sign     +1 for the lower end, -1 for the upper, where beta_i falls and -r_i counts
    length   |phi(x_i)| or a little more, not 0
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import inf
from typing import Any

from ..numerics.intervals import Interval, point_interval, root_above
from ..numerics.types import Number
from ..svm.dual_form import DualForm, group_extremes, surplus
from .certified_bounds import EnclosedProblem, ScoredWeights, dual_below, score_beta
from .rational_kernels import Exact


def lam_intervals(
    known: EnclosedProblem,
    variables: list[Exact],
    residuals: list[Exact],
    best: Number,
    dual: Exact,
) -> list[tuple[Any, Any]]:
    """Between what every optimal lam_g lies, by feasible variables and residuals (S16.4).

    best, dual: a primal value, and the dual one of the variables
    """
    form = known.form
    if not form.groups:  # then lam is 0, and so is b
        return [(Fraction(0), Fraction(0))]
    ends: list[tuple[Any, Any]] = group_extremes(form, variables, residuals)
    if all(m <= M for m, M in ends) and not known.radius:  # the variables are optimal
        return ends
    if best == inf:
        return [(-inf, inf) for _ in ends]
    problem = known.problem
    values = problem.kernel.squared_norms(problem.rows, Fraction)
    norms2 = [v + known.radius + c for v, c in zip(values, problem.ridge())]
    gap, norms2 = (best - dual) / problem.scale, form.per_variable(norms2)

    def end(g: int, sign: int) -> Any:
        """The lower end for group g if sign is +1, the upper if it is -1."""
        group = form.groups[g]
        unbalanced = _unbalance(form, group, variables, residuals, norms2, gap, sign)
        T = surplus(group, form.sums[g], unbalanced)
        if T == 0:
            return -sign * inf
        weights = score_beta(known, problem.beta(problem.multipliers_of(unbalanced)))
        return (dual_below(known, unbalanced, weights) - best) / (problem.scale * T)

    return [(end(g, +1), end(g, -1)) for g in range(len(ends))]


def norm2_of_optimum(weights: ScoredWeights, gap: Exact) -> Interval:
    """The Interval of |w*|^2, by the w of feasible variables: root(2 gap) away at most."""
    error = weights.error * weights.size
    if gap == 0 == error:
        return point_interval(weights.w_norm2)
    if gap == inf:
        return Interval(Fraction(0), inf)  # type: ignore[arg-type]
    far, least = root_above(2 * gap), max(weights.w_norm2 - error, Fraction(0))
    # least / root_above(least) is a root from below
    low = least / root_above(least) - far if least else least
    high = root_above(weights.w_norm2 + error) + far
    return Interval(max(low, Fraction(0)) ** 2, high**2)


def _unbalance(
    form: DualForm,
    group: Iterable[int],
    beta: Sequence[Fraction],
    residuals: Sequence[Fraction],
    norms2: Sequence[Fraction],
    gap: Fraction,
    sign: int,
) -> list[Fraction]:
    """Variables within their bounds, those of the group with sign T > 0, for a good end.

    norms2: |phi|^2 or more, for each variable; gap > 0, or nearly the gap. O(n log n). T is 0
    where no variable of the group can move.
    """
    budget = root_above(2 * gap)
    candidates = [
        (sign * residuals[k], slack, root_above(norms2[k]) or Fraction(1), k)
        for k in group
        if (slack := _slack_towards(form, beta, k, sign)) > 0
    ]
    moves: list[tuple[int, Any]] = []
    best, best_end = 0, -inf
    spent, gain, T = Fraction(0), Fraction(0), Fraction(0)
    # Those first whose r says most, until the budget is spent: then N^2 / 2 is the gap.
    for r, slack, length, k in sorted(candidates, key=lambda candidate: -candidate[0]):
        t = min(slack, (budget - spent) / length)
        moves.append((k, t))
        spent, gain, T = spent + t * length, gain + t * r, T + t
        end = (gain - spent * spent / 2 - gap) / T
        if end > best_end:
            best, best_end = len(moves), end
        if spent == budget:
            break
    unbalanced = list(beta)
    for k, t in moves[:best]:
        unbalanced[k] += sign * t
    return unbalanced


def _slack_towards(form: DualForm, beta: Sequence[Fraction], k: int, sign: int) -> Number:
    """How far beta_k may move in the direction of the sign.

    inf below an infinite bound: a float, from which not every Fraction can be taken.
    """
    end: Any = form.upper[k] if sign > 0 else form.lower[k]
    return inf if abs(end) == inf else abs(end - beta[k])
