"""Is this alpha optimal? Is this a proof that there is no hard margin? Decided without rounding.

How the numbers were found does not matter. The problem and the numbers alone decide:

    box         0 <= alpha_i <= C_i
    equality    sum alpha_i y_i = 0, if there is an offset
    KKT         one offset satisfies every example: m <= M, see kkt_conditions.py
    no gap      the primal at that offset is the dual at alpha

The primal is nowhere below the dual (weak duality), so where the two meet neither can be improved:
the last line alone is a proof, if the kernel matrix is positive semidefinite (definiteness.py).
The others say sooner what is wrong. All is computed in whole numbers over a common denominator.

    beta    alpha_i y_i                 s, r    scores and residuals, see kkt_conditions.py
    m, M    the ends of the interval of optimal offsets
    D       the denominator of all scores, residuals and offsets
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from math import inf, lcm
from typing import Any, NamedTuple, Union

from ..numerics.display import displayed
from ..numerics.exact_sums import ScaledIntegers, integer_dot, nearest_weights, scaled_integers
from ..numerics.intervals import Interval
from ..numerics.quoting import quote
from ..svm.kkt_conditions import extremes
from ..svm.problem import Problem
from .rational_kernels import IntegerRows, integer_rows

Value = Union[Fraction, Interval]  # an Interval where kernel values are no fractions


@displayed
class Optimum(NamedTuple):
    """The optimum of a problem; every number a Fraction, and verified.

    Where kernel values are no fractions (Gaussian, Sigmoid) the numbers are Intervals instead,
    alpha is feasible and nearly optimal, a status that is not decided is "?", and alpha_unique and
    b_unique are None where neither answer is proved.

    Attributes
    ----------
    alpha : n optimal multipliers
    b_low, b_high
        the optimal offsets are exactly the numbers from b_low to b_high
    objective
        the least primal value, which is the greatest dual value
    w
        the weights of a linear machine, else None
    w_norm2
        |w|^2, the same at every optimum, as are the next two
    sum_alpha
        the sum of the alpha_i
    sum_C_slack
        the penalty of slack: sum C_i xi_i, or sum C_i / 2 xi_i^2 if squared
    status : str
        "infeasible", or a letter for each example:
        L   y f > 1 (at an optimal b inside the interval): alpha_i is 0 at every optimum
        M   on the margin: y f = 1, or 1 - alpha_i / C_i if slack is squared
        U   y f < 1: alpha_i is C_i at every optimum
    alpha_unique
        whether no other alpha is optimal
    b_unique
        whether b_low == b_high
    other_alpha
        another optimal alpha, verified too; None if there is none
    farkas
        if "infeasible": n multipliers q >= 0, not all zero, only where C_i is infinite, with
        sum q_i y_i phi(x_i) = 0 and (with an offset) sum q_i y_i = 0. They prove that there is no
        hard margin; all other fields but `status` are None then
    """

    alpha: list[Fraction] | None
    b_low: Value | None
    b_high: Value | None
    objective: Value | None
    w: list[Fraction] | None
    w_norm2: Value | None
    sum_alpha: Value | None
    sum_C_slack: Value | None
    status: str
    alpha_unique: bool | None
    b_unique: bool | None
    other_alpha: list[Fraction] | None
    farkas: list[Fraction] | None


def infeasible(farkas: list[Fraction]) -> Optimum:
    """The Optimum of a problem that has none: there is no hard margin."""
    return Optimum._make([*[None] * 8, "infeasible", *[None] * 3, farkas])


class Unproved(ArithmeticError):
    """What was to be proved is not so: a mistake of refsvm's."""


class VerifiedOptimum(NamedTuple):
    """The numbers of an optimal alpha, as the verification computes them."""

    residuals: ScaledIntegers
    m: Fraction
    M: Fraction
    w_norm2: Fraction
    sum_alpha: Fraction
    objective: Fraction


def verify(problem: Problem, alpha: list[Any]) -> VerifiedOptimum:
    """Prove that alpha is optimal, or raise Unproved.

    O(n) rows, each times a number of as many bits as alpha has; linear O(n d).
    """
    require_feasible(problem, alpha)
    beta = [a * y for a, y in zip(alpha, problem.y)]
    scores, w_norm2 = integer_scores(problem, beta)
    scores, r = residuals(problem, beta, scores)
    m, M = (int(v) for v in extremes(problem, alpha, r.numbers))
    if m > M:
        raise Unproved(
            f"no offset suits every example: one wants {quote(m)} or more, another {quote(M)} / D"
        )
    primal = w_norm2 / 2 + penalty_of_slack(problem, scores, m)
    numbers, denominator = scaled_integers(alpha)
    sum_alpha = Fraction(sum(numbers), denominator)  # exact
    dual = sum_alpha - w_norm2 / 2 - ridge_term(problem, beta) / 2
    if primal != dual:
        raise Unproved(f"the primal is {quote(primal)} and the dual {quote(dual)}")
    D = r.denominator
    return VerifiedOptimum(r, Fraction(m, D), Fraction(M, D), w_norm2, sum_alpha, dual)


def require_feasible(problem: Problem, alpha: Sequence[Fraction]) -> None:
    """Raise Unproved unless alpha is in the box and fulfils the equality."""
    for i, (a, c) in enumerate(zip(alpha, problem.upper_bounds())):
        if not 0 <= a <= c:
            raise Unproved(f"alpha[{i}] is {quote(a)}; it must be from 0 to {quote(c)}")
    require_balanced(problem, alpha)


def require_balanced(problem: Problem, multipliers: Sequence[Fraction]) -> None:
    """Raise Unproved unless sum alpha_i y_i is zero or there is no offset."""
    if problem.bias and integer_dot(scaled_integers(multipliers).numbers, problem.y) != 0:
        raise Unproved("sum alpha_i y_i is not 0")


def integer_scores(problem: Problem, beta: Sequence[Any]) -> tuple[ScaledIntegers, Fraction]:
    """(the scores K beta, |w|^2) of a problem on Fractions."""
    if problem.linear:
        rows: Any = problem.points
        whole, denominator = scaled_integers(nearest_weights(beta, rows))
        X, q = integer_rows(problem.rows)
        w_norm2 = Fraction(integer_dot(whole, whole), denominator * denominator)
        return ScaledIntegers([integer_dot(whole, x) for x in X], denominator * q), w_norm2
    # Those at C have few digits, the free many: apart, so that the few are not written as many.
    at_C: dict[int, Any] = {}
    free: dict[int, Any] = {}
    for i, (b, c) in enumerate(zip(beta, problem.C)):
        if b != 0:
            (at_C if abs(b) == c else free)[i] = b
    row = IntegerRows(problem, ridge=False).row
    scores = add_scaled_integers(*(combine_rows(row, part, problem.n) for part in (at_C, free)))
    return scores, squared_norm(beta, scores)


def squared_norm(beta: Iterable[Any], scores: ScaledIntegers) -> Fraction:
    """|w|^2 = sum beta_i s_i."""
    whole, denominator = scaled_integers(beta)
    return Fraction(integer_dot(whole, scores.numbers), denominator * scores.denominator)


def combine_rows(
    row: Callable[[int], ScaledIntegers], coefs: Mapping[int, Any], n: int
) -> ScaledIntegers:
    """The sum of c_i times row i of the kernel matrix, over all i: c_i of a dict."""
    whole, q = scaled_integers(coefs.values())
    sums, denominator = [0] * n, 1  # over q * denominator
    for i, c in zip(coefs, whole):
        numbers, of_row = row(i)
        if denominator % of_row:
            factor = lcm(denominator, of_row) // denominator
            sums, denominator = [v * factor for v in sums], denominator * factor
        c *= denominator // of_row
        sums = [s + c * v for s, v in zip(sums, numbers)]
    return ScaledIntegers(sums, denominator * q)


def add_scaled_integers(x: ScaledIntegers, z: ScaledIntegers) -> ScaledIntegers:
    """Their sum, over the least common denominator."""
    D = lcm(x.denominator, z.denominator)
    p, q = D // x.denominator, D // z.denominator
    return ScaledIntegers([p * a + q * b for a, b in zip(x.numbers, z.numbers)], D)


def residuals(
    problem: Problem, beta: Sequence[Any], scores: ScaledIntegers
) -> tuple[ScaledIntegers, ScaledIntegers]:
    """(the scores, r), over one denominator; r_i = y_i - s_i, less beta_i / C_i if squared."""
    numbers, D = scores
    if problem.slack == "hinge":
        return scores, ScaledIntegers([y * D - s for y, s in zip(problem.y, numbers)], D)
    shares, q = scaled_integers([c * b for c, b in zip(problem.ridge(), beta)])
    common = lcm(q, D)
    numbers = [s * (common // D) for s in numbers]
    r = [y * common - s - v * (common // q) for y, s, v in zip(problem.y, numbers, shares)]
    return ScaledIntegers(numbers, common), ScaledIntegers(r, common)


def penalty_of_slack(problem: Problem, scores: ScaledIntegers, m: int) -> Fraction:
    """sum C_i xi_i, or sum C_i / 2 xi_i^2, at the offset m / D."""
    numbers, D = scores
    slacks = [max(D - y * (s + m), 0) for y, s in zip(problem.y, numbers)]
    for i, (c, xi) in enumerate(zip(problem.C, slacks)):
        if c == inf and xi > 0:
            raise Unproved(f"example {i} has slack {quote(Fraction(xi, D))}, and C[{i}] is inf")
    penalties, q = scaled_integers([0 if c == inf else c for c in problem.C])
    if problem.slack == "hinge":
        return Fraction(integer_dot(penalties, slacks), q * D)
    return Fraction(integer_dot(penalties, [xi * xi for xi in slacks]), 2 * q * D * D)


def ridge_term(problem: Problem, beta: Sequence[Any]) -> Fraction:
    """sum beta_i^2 / C_i with squared slack, 0 with hinge."""
    if problem.slack == "hinge":
        return Fraction(0)
    whole, q = scaled_integers(beta)
    ridge, D = scaled_integers(problem.ridge())
    return Fraction(integer_dot(ridge, [b * b for b in whole]), D * q * q)


def verify_farkas(problem: Problem, q: list[Fraction]) -> list[Fraction]:
    """q itself, if it proves that there is no hard margin; otherwise raise Unproved. O(n) rows."""
    for i, (v, c) in enumerate(zip(q, problem.C)):
        if v < 0 or v > 0 and c < inf:
            raise Unproved(f"farkas[{i}] is {quote(v)}, and C[{i}] is {quote(c)}")
    require_balanced(problem, q)
    w_norm2 = integer_scores(problem, [v * y for v, y in zip(q, problem.y)])[1]
    if not any(q) or w_norm2 != 0:
        raise Unproved(f"|sum q_i y_i phi(x_i)|^2 is {quote(w_norm2)} for farkas = {quote(q)}")
    return q
