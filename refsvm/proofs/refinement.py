"""From an optimum in floats to one in as many bits as asked.

Floats propose which variables are free, between their bounds (starting_points.py). The free ones
solve

    sum over l of Q_kl x_l + lam_g = target_k  for k free   and, over each group,  sum x_k = s_g

with the others at their bounds, and that is done in fixed point. A solution outside its box is put
on the bound, and a variable held at a bound that should leave it becomes free; then anew. One to
three rounds are the rule (Hintermueller, Ito and Kunisch, SIAM Journal on Optimization 13 (2003),
pages 865-888). They need not end, though: when the changes become no fewer the exact active-set
method goes on from there.

Nothing here is proved, and nothing need be: enclosed_optimum.py measures the result.

    near    a RoundedProblem             x       the variables of its form, Fractions
    free    a set of variables           r       residuals, target - s - ridge x
"""

from __future__ import annotations

from fractions import Fraction
from math import inf
from typing import Any

from ..numerics.exact_sums import integer_dot, scaled_integers
from ..numerics.factorisations import solve
from ..numerics.fixed_point import FixedPointLDL
from ..numerics.projections import clip_to_box
from ..numerics.types import Vector, VectorLike
from ..solvers.active_set import bounded_qp
from ..solvers.qp_active_set import ActiveSetMethod
from ..svm.dual_form import DualForm, middle, surplus
from .rational_kernels import IntegerRows
from .rounded_problem import RoundedProblem
from .starting_points import balance_on_one

MAX_IDLE_ROUNDS = 20  # without fewer changes than before, until the exact method goes on


def refine(near: RoundedProblem, x: Vector, free: set[int]) -> tuple[list[Any], set[int]]:
    """(x, free) at the optimum of the rounded problem, as well as its p bits allow."""
    fewest, idle = len(x) + 1, 0
    while idle < MAX_IDLE_ROUNDS:
        x, lam, left_out = solve_free(near, x, free)
        changes = _changes_of_free(near, x, free, lam, left_out)
        if changes is None:
            break
        x = clip_to_box(x, near.form.lower, near.form.upper)
        free = free ^ changes  # the freed come, the held go
        if not changes:
            return balance_on_one(near.form, x), free
        fewest, idle = (len(changes), 0) if len(changes) < fewest else (fewest, idle + 1)
    x = _exact_optimum(near, balance_on_one(near.form, x))
    return x, strictly_inside(near.form, x)


def _exact_optimum(near: RoundedProblem, start: Vector) -> Vector:
    """The optimal variables of the rounded problem, by active sets on Fractions."""
    rows = IntegerRows(near.problem, of=near.form.of)
    method = ActiveSetMethod(bounded_qp(near.form, rows, Fraction), start, Fraction)
    method.minimise(Fraction(0), inf)
    return method.x


def strictly_inside(form: DualForm, x: VectorLike) -> set[int]:
    """The variables between their bounds."""
    return {k for k, v in enumerate(x) if form.lower[k] < v < form.upper[k]}


def solve_free(
    near: RoundedProblem, x: Vector, free: set[int]
) -> tuple[list[Any], list[Any], set[int]]:
    """(x with the free at the best point of their face, the lam, the indices left out).

    Free variables that depend on the others, as far as half of the bits can show, are left out:
    they stay where they are. A lam is None if all of its group are. `submatrix` adds the sum of
    the free of a group to each line of it.
    """
    form, p, order = near.form, near.p, sorted(free)
    factor = FixedPointLDL(near.submatrix(order), p, 1 << p // 2)
    kept = [order[a] for a in factor.kept]
    held = [Fraction(0) if k in set(kept) else v for k, v in enumerate(x)]
    whole, denominator = scaled_integers(near.net(held))
    right = [
        _in_units(form.target[k], p) - integer_dot(near.values[near.of[k]], whole) // denominator
        for k in kept
    ]
    found, lam = factor.solve(right), [None] * len(form.groups)
    groups = sorted({near.group[k] for k in kept} - {-1})
    if groups:
        members = [[int(near.group[k] == g) for k in kept] for g in groups]
        goals = [_in_units(-surplus(form.groups[g], form.sums[g], held), p) for g in groups]
        ones = [factor.solve([v << p for v in some]) for some in members]
        missing = [Fraction(integer_dot(some, found) - goal) for some, goal in zip(members, goals)]
        A = [[Fraction(integer_dot(some, one)) for one in ones] for some in members]
        shifts: Any = solve(A, missing)
        # The 1 that submatrix adds has put the sum, which is the goal, into each equation of the
        # group, beside the shift: lam is both.
        for g, one, shift, goal in zip(groups, ones, shifts, goals):
            found = [v - o * shift.numerator // shift.denominator for v, o in zip(found, one)]
            lam[g] = shift + Fraction(goal, 1 << p)
    x = list(x)
    for k, v in zip(kept, found):
        x[k] = Fraction(v, 1 << p)
    return x, lam, set(order) - set(kept)


def _in_units(v: Fraction, p: int) -> int:
    """The number in units of 2^-p, rounded down."""
    return int((v.numerator << p) // v.denominator)


def _changes_of_free(
    near: RoundedProblem,
    x: Vector,
    free: set[int],
    lam: list[Any],
    left_out: set[int],
) -> set[int] | None:
    """The variables to be freed, and the free to be held; None if only those left out should move.

    If none of a group is free though its sum is not right, the one nearest to the margin is to be
    freed, too.
    """
    form, changes = near.form, []
    r: list[Any] = near.residuals(x)
    best = near.best_lam(r) if None in lam else []
    for g, group in enumerate(form.groups):
        if lam[g] is None:
            lam[g] = middle(*best[g])
            if surplus(group, form.sums[g], x) != 0:
                changes.append(min(group, key=lambda k: abs(r[k] - lam[near.group[k]])))
    pulls = [v - (lam[g] if g >= 0 else 0) for v, g in zip(r, near.group)]
    # Of the p bits of a pull the last quarter may be what solving the equations has cost.
    noise = Fraction(1, 1 << 3 * near.p // 4)
    for k, (v, low, high) in enumerate(zip(x, form.lower, form.upper)):
        leaves_bound = pulls[k] > noise if v == low else pulls[k] < -noise
        if not low < v < high if k in free else leaves_bound:
            changes.append(k)
    if not changes and any(abs(pulls[k]) > noise for k in left_out):
        return None
    return set(changes)
