"""Is this alpha optimal? Is this a proof that there is no hard margin? Decided without rounding.

Whoever found the numbers is not asked how. Looked at are the problem and the numbers alone:

    box         0 <= alpha_i <= C_i
    equality    sum alpha_i y_i = 0, if there is an offset
    KKT         some offset suits every example: m <= M, see kkt_conditions.py
    no gap      the primal at that offset is the dual at alpha

The primal is nowhere below the dual (weak duality), so where the two meet neither can be improved:
the last line alone is a proof, if the kernel matrix is positive semidefinite (definiteness.py).
The others say sooner what is wrong. All is computed in whole numbers over a common denominator.

Throughout this module
    beta    alpha_i y_i                 s, r    scores and residuals, see kkt_conditions.py
    m, M    the ends of the interval of optimal offsets
    D       the denominator of all scores, residuals and offsets
"""

from fractions import Fraction
from math import inf, lcm
from typing import Any, NamedTuple

from ..numerics.dixon_lifting import integer_dot
from ..numerics.exact_sums import ScaledIntegers, nearest_weights, scaled_integers
from ..svm.kkt_conditions import extremes
from .rational_kernels import WholeRows, whole_matrix


class Optimum(NamedTuple):
    """The optimum of a problem; every number a Fraction, and verified.

    alpha          n multipliers that are optimal
    b_low, b_high  the optimal offsets are exactly the numbers from b_low to b_high
    objective      the least primal value, which is the greatest dual value
    w              the weights of a linear machine, else None
    w_norm2        |w|^2, the same at every optimum, as are the next two
    sum_alpha      the sum of the alpha_i
    sum_C_slack    what slack costs: sum C_i xi_i, or sum C_i / 2 xi_i^2 if squared
    status         "infeasible", or a letter for each example:
                   L   y f > 1 (at an optimal b inside the interval): alpha_i is 0 at every optimum
                   M   on the margin: y f = 1, or 1 - alpha_i / C_i if slack is squared
                   U   y f < 1: alpha_i is C_i at every optimum
    alpha_unique   whether no other alpha is optimal         b_unique    whether b_low == b_high
    other_alpha    another optimal alpha, verified too; None if there is none
    farkas         if "infeasible": n multipliers q >= 0, not all zero, only where C_i is infinite,
                   with sum q_i y_i phi(x_i) = 0 and (with an offset) sum q_i y_i = 0. They prove
                   that there is no hard margin; all other fields but `status` are None then

    Where kernel values are no fractions (Gaussian, Sigmoid) the numbers are Intervals instead,
    alpha is feasible and nearly optimal, a status that is not decided is "?", and alpha_unique and
    b_unique are None where neither answer is proved.
    """

    alpha: Any
    b_low: Any
    b_high: Any
    objective: Any
    w: Any
    w_norm2: Any
    sum_alpha: Any
    sum_C_slack: Any
    status: str
    alpha_unique: Any
    b_unique: Any
    other_alpha: Any
    farkas: Any


class Unproved(ArithmeticError):
    """What was to be proved is not so: a mistake of refsvm's."""


class Facts(NamedTuple):
    """What verification has seen of an optimal alpha."""

    residuals: ScaledIntegers
    m: Any
    M: Any
    w_norm2: Any
    sum_alpha: Any
    objective: Any


def verified(problem, alpha):
    """The Facts of an alpha (Fractions) that is optimal; Unproved if it is not.

    O(n) rows, each times a number of as many bits as alpha has; linear O(n d).
    """
    refuse_infeasible(problem, alpha)
    beta = [a * y for a, y in zip(alpha, problem.y)]
    scores, w_norm2 = image(problem, beta)
    scores, r = residuals(problem, beta, scores)
    m, M = (int(v) for v in extremes(problem, alpha, r.numbers))
    if m > M:
        raise Unproved(f"no offset suits every example: one wants {m} or more, another {M} / D")
    primal = w_norm2 / 2 + cost_of_slack(problem, scores, m)
    numbers, below = scaled_integers(alpha)
    sum_alpha = Fraction(sum(numbers), below)  # exact
    dual = sum_alpha - w_norm2 / 2 - squares(problem, beta) / 2
    if primal != dual:
        raise Unproved(f"the primal is {primal} and the dual {dual}")
    D = r.denominator
    return Facts(r, Fraction(m, D), Fraction(M, D), w_norm2, sum_alpha, dual)


def refuse_infeasible(problem, alpha):
    """Unproved unless alpha is in the box and fulfils the equality."""
    for i, (a, c) in enumerate(zip(alpha, problem.upper_bounds())):
        if not 0 <= a <= c:
            raise Unproved(f"alpha[{i}] is {a}; it must be from 0 to {c}")
    refuse_unbalanced(problem, alpha)


def refuse_unbalanced(problem, multipliers):
    """Unproved unless sum alpha_i y_i is zero or there is no offset."""
    if problem.bias and integer_dot(scaled_integers(multipliers).numbers, problem.y) != 0:
        raise Unproved("sum alpha_i y_i is not 0")


def image(problem, beta):
    """(the scores K beta as ScaledIntegers, |w|^2)."""
    if problem.linear:
        w = nearest_weights(beta, problem.X)
        whole, below = scaled_integers(w)
        X, q = whole_matrix(problem.rows)
        norm2 = Fraction(integer_dot(whole, whole), below * below)
        return ScaledIntegers([integer_dot(whole, x) for x in X], below * q), norm2
    at_bound = {}, {}  # few digits, and many: apart, so that the few are not written as many
    for i, (b, c) in enumerate(zip(beta, problem.C)):
        if b != 0:
            at_bound[abs(b) != c][i] = b
    rows = WholeRows(problem, ridge=False)
    scores, D = added(*(weighted(rows, part, problem.n) for part in at_bound))
    whole, below = scaled_integers(beta)
    return ScaledIntegers(scores, D), Fraction(integer_dot(whole, scores), below * D)


def weighted(rows, coefs, n):
    """The sum of c_i times row i, over all i: c_i of a dict, as ScaledIntegers."""
    whole, q = scaled_integers(coefs.values())
    sums, below = [0] * n, 1  # over q * below
    for i, c in zip(coefs, whole):
        numbers, under = rows.row(i)
        if below % under:
            factor = lcm(below, under) // below
            sums, below = [v * factor for v in sums], below * factor
        c *= below // under
        sums = [s + c * v for s, v in zip(sums, numbers)]
    return ScaledIntegers(sums, below * q)


def added(x, z):
    """The sum of two ScaledIntegers."""
    (x, q), (z, r) = x, z
    D = lcm(q, r)
    return ScaledIntegers([(D // q) * a + (D // r) * b for a, b in zip(x, z)], D)


def residuals(problem, beta, scores):
    """(the scores, r) as ScaledIntegers, over one denominator; r_i = y_i - s_i."""
    if problem.slack == "hinge":
        numbers, D = scores
        return scores, ScaledIntegers([y * D - s for y, s in zip(problem.y, numbers)], D)
    shares, q = scaled_integers([c * b for c, b in zip(problem.ridge(), beta)])
    numbers, D = scores
    common = lcm(q, D)
    numbers = [s * (common // D) for s in numbers]
    r = [y * common - s - v * (common // q) for y, s, v in zip(problem.y, numbers, shares)]
    return ScaledIntegers(numbers, common), ScaledIntegers(r, common)


def cost_of_slack(problem, scores, m):
    """sum C_i xi_i, or sum C_i / 2 xi_i^2, at the offset m / D."""
    numbers, D = scores
    slacks = [max(D - y * (s + m), 0) for y, s in zip(problem.y, numbers)]
    for i, (c, xi) in enumerate(zip(problem.C, slacks)):
        if c == inf and xi > 0:
            raise Unproved(f"example {i} has slack {Fraction(xi, D)}, and C[{i}] is inf")
    prices, q = scaled_integers([0 if c == inf else c for c in problem.C])
    if problem.slack == "hinge":
        return Fraction(integer_dot(prices, slacks), q * D)
    return Fraction(integer_dot(prices, [xi * xi for xi in slacks]), 2 * q * D * D)


def squares(problem, beta):
    """sum beta_i^2 / C_i under squared slack, 0 under hinge."""
    if problem.slack == "hinge":
        return Fraction(0)
    whole, q = scaled_integers(beta)
    ridge, D = scaled_integers(problem.ridge())
    return Fraction(integer_dot(ridge, [b * b for b in whole]), D * q * q)


def verified_farkas(problem, q):
    """q itself if it proves that there is no hard margin; Unproved if it does not. O(n) rows."""
    for i, (v, c) in enumerate(zip(q, problem.C)):
        if v < 0 or v > 0 and c < inf:
            raise Unproved(f"farkas[{i}] is {v}, and C[{i}] is {c}")
    refuse_unbalanced(problem, q)
    w_norm2 = image(problem, [v * y for v, y in zip(q, problem.y)])[1]
    if not any(q) or w_norm2 != 0:
        raise Unproved(f"|sum q_i y_i phi(x_i)|^2 is {w_norm2} for farkas = {q}")
    return q
