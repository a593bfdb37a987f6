"""Which multipliers are at a bound at every optimum, and is there only one? As far as is proved.

The points go on from those of enclosed_values.py.

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
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import inf
from typing import Any

from ..numerics.intervals import Interval, point_interval, square_root
from ..svm.regression_problem import NuRegressionProblem
from .enclosed_values import EnclosedVariables, End
from .exponential_sums import all_on_margin
from .rounded_problem import RoundedProblem


def decide_statuses(
    near: RoundedProblem,
    known: EnclosedVariables,
    r: Sequence[Interval],
    lam: Sequence[tuple[End, End]],
) -> tuple[str, bool | None]:
    """(a letter for each variable, whether the variables are unique: True, or None)."""
    unknown = "?" * len(r), None
    if near.closed and not is_surely_closed(near, known):
        return unknown
    letters, held = letters_by_sign(near, r, lam)
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


def letters_by_sign(
    near: RoundedProblem, r: Sequence[Interval], lam: Sequence[tuple[End, End]]
) -> tuple[list[str], list[Any]]:
    """Point 5: (the letters that it decides, the bounds at which it holds variables or None)."""
    form, inside = near.form, [inside_of(*ends) for ends in lam]
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


def inside_of(low: End, high: End) -> Interval:
    """A number inside the interval of the optimal lam; if it may be one number, all of them."""
    if not isinstance(low, Interval):
        return point_interval(high.low - 1)
    if not isinstance(high, Interval):
        return point_interval(low.high + 1)
    if low.high < high.low:
        return point_interval((low.high + high.low) / 2)
    return Interval(low.low, high.high)


def is_surely_closed(near: RoundedProblem, known: EnclosedVariables) -> bool:
    """Whether the tube of a problem of regression has no width at any optimum."""
    if not isinstance(near.problem, NuRegressionProblem):
        return True
    c = near.curvature(range(near.n))
    if c == 0:
        return False
    distance = square_root(2 * known.value.width / c, near.p).high
    room: Fraction = near.problem.room(known.x)
    return bool(room > distance * near.n)  # the root of n would do
