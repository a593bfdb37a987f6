"""From an optimum in floats to one in as many bits as asked.

Floats propose which multipliers are free, 0 < alpha_i < C_i (starting_points.py). The free ones
solve

    sum over j of Q_ij beta_j + b = y_i       for i free        and, with an offset, sum beta_j = 0

with the others at their bounds, and that is done in fixed point. If an answer is out of its box it
is put on the bound, and one held at a bound that wants to leave becomes free; then anew. One to
three rounds are the rule (Hintermueller, Ito and Kunisch, SIAM Journal on Optimization 13 (2003),
pages 865-888). They need not end, though: when those who move become no fewer the exact
active-set method takes over from where they stand.

Nothing here is proved, and nothing need be: enclosed_optimum.py measures what comes out.

Throughout this module
    near    a Nearby                     beta    alpha_i y_i, a Fraction an example
    free    a set of indices             r       residuals, y_i - s_i - ridge_i beta_i
"""

from fractions import Fraction

from ..numerics.dixon_lifting import integer_dot
from ..numerics.exact_sums import scaled_integers
from ..numerics.fixed_point import FixedPointLDL
from ..solvers.active_set import active_set
from ..svm.best_offsets import best_offsets
from ..svm.kkt_conditions import middle, residuals
from .starting_points import evened

PATIENCE = 20  # rounds in which no fewer move than before, until the exact method takes over


def polished(near, beta, free):
    """(beta, free) at the optimum of the rounded problem, as well as its p bits allow."""
    fewest, idle = near.n + 1, 0
    while idle < PATIENCE:
        beta, b, left = balance_of_free(near, beta, free)
        moved = moves(near, beta, free, b, left)
        if moved is None:
            break
        free, beta = free ^ moved, boxed(near.problem, beta)
        if not moved:
            return evened(near.problem, beta), free
        fewest, idle = (len(moved), 0) if len(moved) < fewest else (fewest, idle + 1)
    start = [v * y for v, y in zip(evened(near.problem, beta), near.problem.y)]
    alpha = active_set(near.problem, tol=0, start=start).alpha
    free = {i for i, (a, c) in enumerate(zip(alpha, near.problem.upper_bounds())) if 0 < a < c}
    return [a * y for a, y in zip(alpha, near.problem.y)], free


def balance_of_free(near, beta, free):
    """beta with the free ones at the best point of their face, and the offset that belongs to it.

    Free ones that depend on the others, as far as half of the bits can tell, stay where they are:
    these are returned third. The offset is None if that leaves no one. With an offset, `block`
    adds the sum of the free to each line.
    """
    p, order = near.p, sorted(free)
    factor = FixedPointLDL(near.block(order), p, 1 << p // 2)
    kept = [order[k] for k in factor.kept]
    whole, below = scaled_integers([0 if i in kept else v for i, v in enumerate(beta)])
    x = factor.solve(
        [(near.problem.y[i] << p) - integer_dot(near.values[i], whole) // below for i in kept]
    )
    b = None
    if near.problem.bias and kept:
        ones = factor.solve([1 << p] * len(kept))
        total = -(sum(whole) << p) // below  # exact: what the free ones add up to
        shift = Fraction(sum(x) - total, sum(ones))  # exact
        x = [v - o * shift.numerator // shift.denominator for v, o in zip(x, ones)]
        b = shift + Fraction(total, 1 << p)
    beta = list(beta)
    for i, v in zip(kept, x):
        beta[i] = Fraction(v, 1 << p)
    return beta, b, set(order) - set(kept)


def moves(near, beta, free, b, left):
    """Those to be freed, and those of the free to be held; None if only those `left` are to move.

    If nobody is free though sum beta is not 0, the one nearest to its margin is to be, too.
    """
    problem, found = near.problem, []
    r = residuals(problem, beta, near.image(beta)[0])
    if b is None:
        b = middle(*best_offsets(problem, r)) if problem.bias else Fraction(0)
        if problem.bias and sum(beta) != 0:  # exact
            found.append(min(range(near.n), key=lambda i: abs(r[i] - b)))
    noise = Fraction(1, 1 << 3 * near.p // 4)
    for i, (y, v, top) in enumerate(zip(problem.y, beta, problem.upper_bounds())):
        wants = y * (r[i] - b)
        at_bound = wants > noise if v == 0 else wants < -noise
        if not 0 < v * y < top if i in free else at_bound:
            found.append(i)
    if not found and any(abs(r[i] - b) > noise for i in left):
        return None
    return set(found)


def boxed(problem, beta):
    """beta with each alpha brought into its box."""
    tops = problem.upper_bounds()
    return [y * min(max(v * y, 0), top) for v, y, top in zip(beta, problem.y, tops)]
