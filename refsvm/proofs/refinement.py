"""From an optimum in floats to one in as many bits as asked.

Floats propose which multipliers are free, 0 < alpha_i < C_i (starting_points.py). The free ones
solve

    sum over j of Q_ij beta_j + b = y_i       for i free        and, with an offset, sum beta_j = 0

with the others at their bounds, and that is done in fixed point. A solution outside its box is put
on the bound, and a multiplier held at a bound that should leave it becomes free; then anew. One to
three rounds are the rule (Hintermueller, Ito and Kunisch, SIAM Journal on Optimization 13 (2003),
pages 865-888). They need not end, though: when the changes become no fewer the exact active-set
method goes on from there.

Nothing here is proved, and nothing need be: enclosed_optimum.py measures the result.

    near    a RoundedProblem             beta    alpha_i y_i, a Fraction an example
    free    a set of indices             r       residuals, y_i - s_i - ridge_i beta_i
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from ..numerics.exact_sums import integer_dot, scaled_integers
from ..numerics.fixed_point import FixedPointLDL
from ..solvers.active_set import active_set
from ..svm.kkt_conditions import middle, residuals
from ..svm.offsets import best_offsets
from .rounded_problem import RoundedProblem
from .starting_points import balance_on_one

ROUNDS = 20  # without fewer changes than before, until the exact method goes on


def refine(near: RoundedProblem, beta: list[Any], free: set[int]) -> tuple[list[Any], set[int]]:
    """(beta, free) at the optimum of the rounded problem, as well as its p bits allow."""
    fewest, idle = near.n + 1, 0
    while idle < ROUNDS:
        beta, b, left_out = solve_free(near, beta, free)
        changes = changes_of_free(near, beta, free, b, left_out)
        if changes is None:
            break
        free, beta = free ^ changes, clip_to_box(near.problem, beta)
        if not changes:
            return balance_on_one(near.problem, beta), free
        fewest, idle = (len(changes), 0) if len(changes) < fewest else (fewest, idle + 1)
    start = [v * y for v, y in zip(balance_on_one(near.problem, beta), near.problem.y)]
    alpha = active_set(near.problem, tol=0, start=start).alpha
    free = {i for i, (a, c) in enumerate(zip(alpha, near.problem.upper_bounds())) if 0 < a < c}
    return [a * y for a, y in zip(alpha, near.problem.y)], free


def solve_free(
    near: RoundedProblem, beta: list[Any], free: set[int]
) -> tuple[list[Any], Any, set[int]]:
    """(beta with the free ones at the best point of their face, the offset, the indices left out).

    Free examples that depend on the others, as far as half of the bits can show, are left out:
    they stay where they are. The offset is None if all are. With an offset, `submatrix` adds the
    sum of the free to each line.
    """
    p, order = near.p, sorted(free)
    factor = FixedPointLDL(near.submatrix(order), p, 1 << p // 2)
    kept = [order[k] for k in factor.kept]
    whole, denominator = scaled_integers([0 if i in kept else v for i, v in enumerate(beta)])
    right = [
        (near.problem.y[i] << p) - integer_dot(near.values[i], whole) // denominator for i in kept
    ]
    x = factor.solve(right)
    b = None
    if near.problem.bias and kept:
        ones = factor.solve([1 << p] * len(kept))
        goal = -(sum(whole) << p) // denominator  # exact: what the free ones must add up to
        shift = Fraction(sum(x) - goal, sum(ones))  # exact
        x = [v - o * shift.numerator // shift.denominator for v, o in zip(x, ones)]
        b = shift + Fraction(goal, 1 << p)
    beta = list(beta)
    for i, v in zip(kept, x):
        beta[i] = Fraction(v, 1 << p)
    return beta, b, set(order) - set(kept)


def changes_of_free(
    near: RoundedProblem,
    beta: list[Any],
    free: set[int],
    b: Any,
    left_out: set[int],
) -> set[int] | None:
    """The examples to be freed, and the free to be held; None if only those left out should move.

    If none is free though sum beta is not 0, the one nearest to its margin is to be freed, too.
    """
    problem, changes = near.problem, []
    r: list[Any] = residuals(problem, beta, near.scores_and_norm2(beta)[0])
    if b is None:
        b = middle(*best_offsets(problem, r)) if problem.bias else Fraction(0)
        if problem.bias and sum(beta) != 0:  # exact
            changes.append(min(range(near.n), key=lambda i: abs(r[i] - b)))
    noise = Fraction(1, 1 << 3 * near.p // 4)
    for i, (y, v, top) in enumerate(zip(problem.y, beta, problem.upper_bounds())):
        pull = y * (r[i] - b)
        leaves_bound = pull > noise if v == 0 else pull < -noise
        if not 0 < v * y < top if i in free else leaves_bound:
            changes.append(i)
    if not changes and any(abs(r[i] - b) > noise for i in left_out):
        return None
    return set(changes)


def clip_to_box(problem: Any, beta: list[Any]) -> list[Any]:
    """beta with each alpha moved to the nearest point of its box."""
    tops = problem.upper_bounds()
    return [y * min(max(v * y, 0), top) for v, y, top in zip(beta, problem.y, tops)]
