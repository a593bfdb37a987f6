"""Is this alpha optimal? Is this a proof that there is no hard margin? Decided without rounding.

How the numbers were found does not matter. The problem and the numbers alone decide, whatever
machine the problem is for; its dual has the form of svm/dual_form.py:

    box         lower_k <= beta_k <= upper_k            classification: 0 <= alpha_i <= C_i
    sums        each group has the sum that it must have                sum alpha_i y_i = 0
    KKT         one lam_g satisfies every variable of a group: m_g <= M_g
    no gap      the primal at these lam is the dual at beta

The primal is nowhere below the dual (weak duality), so where the two meet neither can be improved:
the last line alone is a proof, if the kernel matrix is positive semidefinite (definiteness.py).
The others say sooner what is wrong. All is computed in whole numbers over a common denominator.

    beta    the variables; in classification alpha_i y_i
    s, r    scores of the examples, residuals of the variables
    m, M    the ends of the interval of optimal lam; in classification of optimal offsets
    D       the denominator of all residuals and lam
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from math import inf, lcm
from typing import Any, NamedTuple, Union

from ..kernels.rational_values import integer_rows
from ..numerics.display import displayed
from ..numerics.exact_sums import ScaledIntegers, integer_dot, nearest_weights, scaled_integers
from ..numerics.intervals import Interval
from ..numerics.quoting import quote
from ..numerics.types import Number, Vector, VectorLike
from ..svm.dual_form import DualForm, group_extremes, surplus
from ..svm.problem import Problem
from ..svm.training_problem import TrainingProblem
from .rational_kernels import IntegerRows

Value = Union[Fraction, Interval]  # an Interval where kernel values are no fractions


@displayed
class Optimum(NamedTuple):
    """The optimum of a problem of any machine; every number a Fraction, and verified (S15.2).

    Where kernel values are no fractions (Gaussian, Sigmoid) the numbers are Intervals instead,
    alpha is feasible and nearly optimal, a status that is not decided is "?", and alpha_unique and
    b_unique are None where neither answer is proved. An end that is infinite is so in both.

    Attributes
    ----------
    alpha : n optimal multipliers
        for regression the net ones, which may be negative
    b_low, b_high
        what a decision adds to the score is exactly a number from b_low to b_high
    objective
        the least primal value, which is the greatest dual value
    w
        the weights of a linear machine, the centre of the ball; else None
    w_norm2
        |w|^2, the same at every optimum, as are the next two
    sum_alpha
        the sum of the alpha_i; for classification with C only, as the next
    sum_C_slack
        the penalty of slack: sum C_i xi_i, or sum C_i / 2 xi_i^2 if squared
    status : str
        "infeasible", "degenerate", or a letter for each example, with lam (of classification: b)
        inside the intervals of those that are optimal::

            L   its multiplier is 0 at every optimum; y f > 1
            M   on the margin, on the edge of the tube, on the sphere: y f = 1; or, if slack is
                squared, 1 - alpha_i / C_i
            U   its multiplier is at every optimum as large as its bound allows; y f < 1

    alpha_unique
        whether no other alpha is optimal
    b_unique
        whether b_low == b_high
    other_alpha
        another optimal alpha, verified too; None if there is none
    farkas
        if "infeasible": n multipliers q >= 0, not all zero, only where C_i is infinite, with
        sum q_i y_i phi(x_i) = 0 and (with an offset) sum q_i y_i = 0. They prove that there is no
        hard margin. Of the other machines 1 for the examples whose bounds are too small together,
        else 0. All other fields but `status` are None then. If "degenerate": the weights of a
        point that the reduced hulls have in common, so that w = 0 and rho = 0
    offsets : NamedTuple of OffsetInterval
        b, rho, epsilon or radius2, as the machine has them: exactly the numbers from low to high
        are optimal, and value is the middle, or the finite end. Two of them are not independent
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
    offsets: Any = None


def infeasible(farkas: list[Fraction]) -> Optimum:
    """The Optimum of a problem that has none, as is proved by farkas."""
    return Optimum._make([*[None] * 8, "infeasible", *[None] * 3, farkas, None])


class Unproved(ArithmeticError):
    """What was to be proved is not so: a mistake of refsvm's."""


class VerifiedOptimum(NamedTuple):
    """The numbers of an optimal alpha, as the verification computes them."""

    form: DualForm
    variables: list[Any]
    residuals: ScaledIntegers
    ends: list[tuple[Any, Any]]  # (m_g, M_g) of each group, an end may be infinite
    w_norm2: Fraction
    objective: Fraction  # of the form


def verify(problem: Any, alpha: list[Any]) -> VerifiedOptimum:
    """Prove that alpha is optimal, or raise Unproved; a problem of any machine, on Fractions.

    O(n) rows, each times a number of as many bits as alpha has; linear O(n d). Standard: S15.5.
    """
    form, beta = problem.dual_form(), problem.variables_of(alpha)
    _require_feasible(form, beta)
    scores, w_norm2 = integer_scores(problem, problem.beta(alpha), _examples_at_bounds(form, beta))
    r = residuals(problem, form, beta, scores)
    ends = extremes_of_groups(form, beta, r.numbers)
    for m, M in ends:
        if m > M:
            raise Unproved(f"no lam suits all: one wants {quote(m)} or more, one {quote(M)} / D")
    target, q = scaled_integers(form.target)
    whole, p = scaled_integers(beta)
    linear_part, curved = Fraction(integer_dot(target, whole), p * q), ridge_term(problem, beta)
    dual = linear_part - (w_norm2 + curved) / 2
    lam = [int(m if m > -inf else M) for m, M in ends]  # any that suits all will do for a proof
    primal = (w_norm2 + curved) / 2 + penalty_of_slack(form, r, lam)
    if primal != dual:
        raise Unproved(f"the primal is {quote(primal)} and the dual {quote(dual)}")
    return VerifiedOptimum(form, beta, r, extremes_over(r.denominator, ends), w_norm2, dual)


def extremes_over(D: int, ends: Iterable[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
    """m_g / D and M_g / D of each group; an infinity as it is."""
    over_D = (v if abs(v) == inf else Fraction(int(v), D) for pair in ends for v in pair)
    return list(zip(over_D, over_D))  # one iterator twice: pair by pair


def _require_feasible(form: DualForm, beta: Vector) -> None:
    """Raise Unproved unless beta is within its bounds and each group has its sum."""
    for k, (v, low, high) in enumerate(zip(beta, form.lower, form.upper)):
        if not low <= v <= high:
            raise Unproved(
                f"beta[{k}] is {quote(v)}; it must be from {quote(low)} to {quote(high)}"
            )
    _require_sums(form, beta, form.sums)


def _require_sums(form: DualForm, beta: Vector, sums: Iterable[Fraction]) -> None:
    """Raise Unproved unless the groups have these sums."""
    for g, (group, s) in enumerate(zip(form.groups, sums)):
        much = surplus(group, s, beta)
        if much != 0:
            raise Unproved(f"the sum of group {g} is {quote(much)} too large")


def extremes_of_groups(form: DualForm, beta: list[Any], r: list[Any]) -> list[tuple[Any, Any]]:
    """(m_g, M_g) of each group (S15.9). Without groups lam is 0: one pair, that 0 is between."""
    if form.groups:
        return group_extremes(form, beta, r)
    ((m, M),) = group_extremes(form._replace(groups=[range(len(beta))]), beta, r)
    return [(max(m, 0), min(M, 0))]


def _examples_at_bounds(form: DualForm, beta: VectorLike) -> set[int]:
    """The examples none of whose variables is strictly between its bounds."""
    of = range(len(beta)) if form.of is None else form.of
    bounds = zip(of, beta, form.lower, form.upper)
    return set(of) - {i for i, v, low, high in bounds if low < v < high}


def integer_scores(
    problem: TrainingProblem, beta: VectorLike, at_bounds: Collection[int] = ()
) -> tuple[ScaledIntegers, Fraction]:
    """(the scores K beta, |w|^2) of a problem on Fractions; beta has a number an example."""
    if problem.linear:
        whole, denominator = scaled_integers(nearest_weights(beta, problem.rows_of_w()))
        X, q = integer_rows(problem.rows)
        w_norm2 = Fraction(integer_dot(whole, whole), denominator * denominator)
        return ScaledIntegers([integer_dot(whole, x) for x in X], denominator * q), w_norm2
    # Bounds have few digits, what is free many: apart, so that the few are not written as many.
    few: dict[int, Any] = {}
    many: dict[int, Any] = {}
    for i, b in enumerate(beta):
        if b != 0:
            (few if i in at_bounds else many)[i] = b
    row = IntegerRows(problem, ridge=False).row
    scores = _add_scaled_integers(*(combine_rows(row, part, problem.n) for part in (few, many)))
    return scores, integer_norm2(beta, scores)


def integer_norm2(beta: Iterable[Number], scores: ScaledIntegers) -> Fraction:
    """|w|^2 = sum beta_i s_i."""
    whole, denominator = scaled_integers(beta)
    return Fraction(integer_dot(whole, scores.numbers), denominator * scores.denominator)


def combine_rows(
    row: Callable[[int], ScaledIntegers], coefs: Mapping[int, Number], n: int
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


def _add_scaled_integers(x: ScaledIntegers, z: ScaledIntegers) -> ScaledIntegers:
    """Their sum, over the least common denominator."""
    D = lcm(x.denominator, z.denominator)
    p, q = D // x.denominator, D // z.denominator
    return ScaledIntegers([p * a + q * b for a, b in zip(x.numbers, z.numbers)], D)


def residuals(
    problem: TrainingProblem, form: DualForm, beta: VectorLike, scores: ScaledIntegers
) -> ScaledIntegers:
    """r_k = target_k - s_i, less ridge_i beta_k under squared slack, for the example i of k."""
    numbers, D = scores
    shares, q = scaled_integers([c * b for c, b in zip(form.per_variable(problem.ridge()), beta)])
    target, p = scaled_integers(form.target)
    common = lcm(p, q, D)
    of = range(len(beta)) if form.of is None else form.of
    r = [t * (common // p) - numbers[i] * (common // D) for i, t in zip(of, target)]
    if any(shares):
        r = [v - c * (common // q) for v, c in zip(r, shares)]
    return ScaledIntegers(r, common)


def penalty_of_slack(form: DualForm, r: ScaledIntegers, lam: Sequence[int]) -> Fraction:
    """What the primal has besides the squares, at the lam_g / D of the groups.

    sum s_g lam_g + sum max(upper_k (r_k - lam_g), lower_k (r_k - lam_g))
    """
    value, limits, slacks = Fraction(0), [], []
    groups, sums = form.groups or [range(len(r.numbers))], form.sums or [Fraction(0)]
    for group, s, v in zip(groups, sums, lam):
        value += s * v
        for k in group:
            slack = r.numbers[k] - v
            limit = form.upper[k] if slack > 0 else form.lower[k]
            if slack == 0 or limit == 0:
                continue
            if abs(limit) == inf:
                raise Unproved(f"variable {k} has slack {quote(slack)} / D, and no bound")
            limits.append(limit)
            slacks.append(slack)
    whole, q = scaled_integers(limits)
    return (value + Fraction(integer_dot(whole, slacks), q)) / r.denominator


def ridge_term(problem: TrainingProblem, beta: VectorLike) -> Fraction:
    """sum ridge_i beta_i^2: with squared slack beta_i^2 / C_i, else 0."""
    each = problem.ridge()
    ridge, D = scaled_integers(each * (len(beta) // len(each)))  # two variables have one ridge
    if not any(ridge):
        return Fraction(0)
    whole, q = scaled_integers(beta)
    return Fraction(integer_dot(ridge, [b * b for b in whole]), D * q * q)


def verify_farkas(problem: Problem, q: list[Fraction]) -> list[Fraction]:
    """q, if it proves that there is no hard margin (S15.6); else raise Unproved. O(n) rows."""
    for i, (v, c) in enumerate(zip(q, problem.C)):
        if v < 0 or v > 0 and c < inf:
            raise Unproved(f"farkas[{i}] is {quote(v)}, and C[{i}] is {quote(c)}")
    beta = problem.beta(q)
    _require_sums(problem.dual_form(), beta, [Fraction(0)])
    w_norm2 = integer_scores(problem, beta)[1]
    if not any(q) or w_norm2 != 0:
        raise Unproved(f"|sum q_i y_i phi(x_i)|^2 is {quote(w_norm2)} for farkas = {quote(q)}")
    return q
