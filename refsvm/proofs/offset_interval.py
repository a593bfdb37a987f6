"""Between which numbers every optimal offset lies, whatever alpha one has.

Fix b. The least primal value with this b is p(b), and any multipliers a in the box bound it,
balanced or not:

    p(b) >= D(a) - b sum a_i y_i          D: the dual objective

(The Lagrangian of the problem in which b is no variable; sum a_i y_i = 0 came from varying b.) At
an optimal b the left side is the optimum's value, and no primal value is below that. So for every
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

from ..numerics.intervals import square_root
from ..svm.dual_form import DualForm


def tilt(
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
        if (slack := slack_towards(form, beta, k, sign)) > 0
    ]
    moves: list[tuple[int, Any]] = []
    best, best_end = 0, -inf
    spent, gain, T = Fraction(0), Fraction(0), Fraction(0)
    for r, slack, length, k in sorted(candidates, key=lambda candidate: -candidate[0]):
        t = min(slack, (budget - spent) / length)
        moves.append((k, t))
        spent, gain, T = spent + t * length, gain + t * r, T + t
        end = (gain - spent * spent / 2 - gap) / T
        if end > best_end:
            best, best_end = len(moves), end
        if spent == budget:
            break
    tilted = list(beta)
    for k, t in moves[:best]:
        tilted[k] += sign * t
    return tilted


def slack_towards(form: DualForm, beta: Sequence[Fraction], k: int, sign: int) -> Any:
    """How far beta_k may move in the direction of the sign.

    inf below an infinite bound: a float, from which not every Fraction can be taken.
    """
    end: Any = form.upper[k] if sign > 0 else form.lower[k]
    return inf if abs(end) == inf else abs(end - beta[k])


def root_above(x: Fraction) -> Fraction:
    """A Fraction that is the root of x >= 0, or above it by one part in 2^60 at most.

    >>> root_above(Fraction(9, 4))
    Fraction(3, 2)
    """
    bits = 62 + max(0, x.denominator.bit_length() - x.numerator.bit_length() + 1) // 2
    return square_root(x, bits).high
