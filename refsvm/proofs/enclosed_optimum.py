"""The optimum where kernel values are no fractions: every number of it held between two.

    1  merge      equal examples are made one                                rounded_problem.py
    2  definite?  a kernel whose formula does not say it is tested              definiteness.py
    3  round      kernel values to p bits: a problem on Fractions next to it rounded_problem.py
    4  refine     its optimum, nearly                                             refinement.py
    5  enclose    what that proves of the true one                                    this file

If that is not enough, 3 to 5 again with twice the bits. Point 5 starts from a feasible alpha.
Kernel values are known to `error` (rounded_problem.py). Then, with B = sum |beta_i|, a score s_i
computed with the rounded ones is off by `error` B at most, and |w|^2 by `error` B^2. What follows
is certain.

1. The dual of alpha, rounded down, and the primal at its w and the best b, rounded up, hold the
   optimal value between them; their difference is the gap.

2. For every optimal beta*, with d = beta* - beta, and Q the kernel matrix with the ridge:

       d'Qd <= 2 gap

   The dual D is a quadratic function: D(beta) = D(beta*) - g'd - d'Qd / 2 with g its gradient at
   beta*, and g'd >= 0, as going from beta* to the feasible beta leads nowhere up. So d'Qd / 2 is
   at most D(beta*) - D(beta), which is at most the gap.

3. Hence |w* - w|^2 <= 2 gap, and |s*(x) - s(x)| <= root(2 gap k(x, x)) at every x (Cauchy and
   Schwarz). That encloses |w*|^2 and the residuals r_i = y_i - s*_i. The value is |w*|^2 / 2 plus
   the penalty of slack; and with the hinge it is sum alpha less |w*|^2 / 2, with squared slack
   half of sum alpha.

4. The optimal offsets are those of least penalty at w*. Both ends of their interval rise with
   every residual (svm/offsets.py), so each is enclosed by what it is for all r_i at their lower
   ends and for all at their upper ends.

5. Let b be optimal, and inside the interval of the optimal offsets unless that is one number.
   Where y_i (r_i - b) is negative every optimal alpha_i is 0 (status L). Where it is positive
   alpha_i is C_i (U); if slack is squared, it is positive (M).

6. To be M is to have y_i (r_i - b) = 0, which no interval can show. But 0 < alpha*_i < C_i
   implies it, and that can be proved: d is zero where 5 has decided and alpha is at that bound.
   On the others let v'Qv >= c |v|^2 for all v with sum zero, c > 0 (RoundedProblem.curvature).
   Then d_i is at most root(2 gap / c), and if alpha_i is farther than that from both of its
   bounds, alpha*_i is not at them. Besides the optimal alpha is unique then: between two of them
   d'Qd = 0.

7. An example on the margin with its multiplier at a bound is found by algebra, not by measuring:
   exponential_sums.py proves equations between exponentials.

The gap falls with the square of the unit and c does not, so with more bits all is decided but
this: what is too long for 7, and examples on the margin whose features depend on each other (then
there is no c). They stay "?".

    near    a RoundedProblem          problem    its problem on Fractions
    known   its EnclosureOfBeta       r          residuals without the ridge: Intervals
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import inf
from typing import Any, NamedTuple

from ..numerics.intervals import Interval, point_interval, square_root
from ..numerics.linalg import total
from ..numerics.validation import whole_number
from ..svm.kkt_conditions import middle
from ..svm.offsets import best_offsets
from ..svm.problem import Problem
from .definiteness import require_definite_enclosed
from .exponential_sums import all_on_margin
from .rational_kernels import Exact
from .refinement import refine
from .rounded_problem import MergedProblem, RoundedProblem
from .starting_points import start_for_exponentials
from .verification import Optimum, infeasible

DOUBLINGS = 2  # of the bits, if nothing but a status is not decided
LIMIT = 8  # of the bits, whatever is not
HALF = Fraction(1, 2)


def enclosed_optimum(problem: Problem, bits: int) -> Optimum:
    """The Optimum of a problem whose kernel values are no fractions; for solve_exactly.

    objective, w_norm2, sum_alpha, sum_C_slack, b_low and b_high are Intervals no wider than
    2^-bits, alpha is feasible and nearly optimal; alpha_unique and b_unique are True or False if
    that is proved, else None.

    ValueError if bits is not from 1, or if the kernel matrix is not positive semidefinite.
    ArithmeticError if a hard margin is neither found nor refuted, as with 0 * Gaussian(1), whose
    zeros no precision shows to be zero.
    """
    bits = whole_number(bits, "bits", 1)
    require_definite_enclosed(problem)
    merged = MergedProblem(problem)
    farkas = merged.find_farkas()
    if farkas is not None:
        return infeasible(farkas)
    beta, free = start_for_exponentials(merged)
    p, optimum = first_precision(beta, bits, min(merged.C)), None
    for doubling in range(LIMIT + 1):
        near = RoundedProblem(merged, p)
        beta, free = refine(near, beta, free)
        optimum = enclose_optimum(near, enclose_values(near, beta))
        if (
            optimum
            and is_narrow(optimum, bits)
            and ("?" not in optimum.status or doubling >= DOUBLINGS)
        ):
            return spread_optimum(merged, optimum)
        p *= 2
    hidden = "whether there is a hard margin" if optimum is None else f"the optimum to 2^-{bits}"
    raise ArithmeticError(f"{p // 2} bits of the kernel values do not tell {hidden}")


def first_precision(beta: Sequence[Fraction], bits: int, least: Any) -> int:
    """p to begin with: |w|^2 is enclosed to the root of the gap, which goes with |beta|^2.

    If all of beta is small, units must be smaller by as much; least: the smallest C, which stands
    in for beta where floats proposed none.
    """
    size = total(map(abs, beta))
    large, small = int(size), int(1 / (size or least))
    lengths = 4 * large.bit_length() + small.bit_length() + 2 * len(beta).bit_length()
    return 2 * bits + lengths + 32


def is_narrow(optimum: Optimum, bits: int) -> bool:
    """Whether no Interval of an Optimum is wider than 2^-bits."""
    intervals: Any = (
        optimum.objective,
        optimum.w_norm2,
        optimum.sum_alpha,
        optimum.sum_C_slack,
        optimum.b_low,
        optimum.b_high,
    )
    return all(v.width <= Fraction(1, 1 << bits) for v in intervals)


def spread_optimum(merged: MergedProblem, optimum: Optimum) -> Optimum:
    """The Optimum for the examples as they were before they were merged."""
    movable = [s == "M" for s in optimum.status]
    other = merged.divide_otherwise(optimum.alpha, movable)
    undecided = merged.divide_otherwise(optimum.alpha, [s == "?" for s in optimum.status])
    unique = False if other else None if undecided else optimum.alpha_unique
    return optimum._replace(
        alpha=merged.divide(optimum.alpha),
        other_alpha=other,
        alpha_unique=unique,
        status="".join(merged.spread(optimum.status)).replace("T", "M"),
    )


class EnclosureOfBeta(NamedTuple):
    """What is known of a feasible beta (Fractions), as point 1 has it."""

    beta: list[Exact]
    scores: list[Exact]  # of the rounded problem
    radius: Exact  # the true scores are within this of them
    w_norm2: Interval
    value: Interval  # from the dual to the primal, which may be inf: the optimal value is in it

    def distance(self, bits: int) -> Fraction:
        """How far w* may be from w: root(2 gap), rounded up."""
        return square_root(2 * self.value.width, bits).high


def enclose_values(near: RoundedProblem, beta: list[Exact]) -> EnclosureOfBeta:
    """Point 1: scores, |w|^2 and the optimal value, by a feasible beta."""
    problem = near.problem
    size: Exact = total(map(abs, beta))
    scores, norm2 = near.scores_and_norm2(beta)
    radius = near.error * size
    w_norm2 = Interval(max(norm2 - radius * size, Fraction(0)), norm2 + radius * size)
    b: Exact = Fraction(0)
    if problem.bias:
        b = middle(*best_offsets(problem, [y - s for y, s in zip(problem.y, scores)]))
    worst = [s - y * radius for y, s in zip(problem.y, scores)]
    primal: Exact = problem.primal_value(worst, w_norm2.high, b)
    dual: Exact = problem.dual_value(beta, w_norm2.high)
    return EnclosureOfBeta(beta, scores, radius, w_norm2, Interval(dual, primal))


def enclose_optimum(near: RoundedProblem, known: EnclosureOfBeta) -> Optimum | None:
    """The Optimum of the merged examples, enclosed; None if the primal is inf."""
    if known.value.high == inf:
        return None
    problem = near.problem
    r = enclose_residuals(near, known)
    b_low, b_high = enclose_offsets(problem, r)
    alpha = [v * y for v, y in zip(known.beta, problem.y)]
    signs = statuses_by_sign(problem, r, b_low, b_high)
    status, alpha_unique = decide_statuses(near, known, alpha, signs, r)
    b_unique = decide_b_unique(problem, b_low, b_high, status)
    if b_unique:
        b_low = b_high = Interval(max(b_low.low, b_high.low), min(b_low.high, b_high.high))
    w_norm2, value = enclose_norm2(near, known), known.value
    slack = value - w_norm2 * HALF
    return Optimum(
        alpha=alpha,
        b_low=b_low,
        b_high=b_high,
        objective=value,
        w=None,
        w_norm2=w_norm2,
        sum_alpha=value + w_norm2 * HALF if problem.slack == "hinge" else 2 * value,
        sum_C_slack=Interval(max(slack.low, Fraction(0)), slack.high),
        status=status,
        alpha_unique=alpha_unique,
        b_unique=b_unique,
        other_alpha=None,
        farkas=None,
    )


def enclose_norm2(near: RoundedProblem, known: EnclosureOfBeta) -> Interval:
    """|w*|^2: the square of |w| give or take the distance."""
    distance = known.distance(near.p)
    low = square_root(known.w_norm2.low, near.p).low - distance
    high = square_root(known.w_norm2.high, near.p).high + distance
    return Interval(max(low, Fraction(0)) ** 2, high**2)


def enclose_residuals(near: RoundedProblem, known: EnclosureOfBeta) -> list[Interval]:
    """y_i - s*_i, where the rounded K_ii is no less than the true one."""
    residuals = []
    for i, (y, s) in enumerate(zip(near.problem.y, known.scores)):
        k = Fraction(near.values[i][i], 1 << near.p)
        error = known.radius + square_root(2 * known.value.width * k, near.p).high
        residuals.append(Interval(y - s - error, y - s + error))
    return residuals


def enclose_offsets(problem: Problem, r: Sequence[Interval]) -> tuple[Interval, Interval]:
    """Point 4: (b_low, b_high)."""
    if not problem.bias:
        return point_interval(0), point_interval(0)
    lows: Exact = best_offsets(problem, [v.low for v in r])
    highs: Exact = best_offsets(problem, [v.high for v in r])
    return Interval(lows[0], highs[0]), Interval(lows[1], highs[1])


def statuses_by_sign(
    problem: Problem, r: Sequence[Interval], b_low: Interval, b_high: Interval
) -> list[str]:
    """The statuses as far as point 5 decides them."""
    if b_low.high < b_high.low:
        b = point_interval((b_low.high + b_high.low) / 2)
    else:
        b = Interval(b_low.low, b_high.high)
    above = "U" if problem.slack == "hinge" else "M"
    signed = [y * (v - b) for y, v in zip(problem.y, r)]
    return ["L" if v.high < 0 else above if v.low > 0 else "?" for v in signed]


def decide_statuses(
    near: RoundedProblem,
    known: EnclosureOfBeta,
    alpha: Sequence[Fraction],
    signs: Sequence[str],
    r: Sequence[Interval],
) -> tuple[str, bool | None]:
    """Points 6 and 7: (the statuses in one string, whether alpha is unique: True, or None).

    Those that point 7 finds on the margin are T here: their multipliers are at a bound.
    """
    status = list(signs)
    tops: list[Exact] = near.problem.upper_bounds()
    bound: dict[str, list[Exact]] = {"L": [0] * near.n, "U": tops}
    others = [i for i, s in enumerate(status) if s not in bound or alpha[i] != bound[s][i]]
    c = near.curvature(others) if others else 1
    if c == 0:
        return "".join(status), None
    distance = square_root(2 * known.value.width / c, near.p).high
    off_0 = {i for i in others if alpha[i] > distance}
    off_C = {i for i in others if alpha[i] + distance < tops[i]}
    for i in off_0 & off_C:
        status[i] = "M"
    ties = [i for i in others if status[i] == "?"]
    free = [i for i in others if status[i] == "M"]
    if ties and len(ties) + len(free) == len(others) and off_0 | off_C == set(others):
        beta = list(known.beta)
        for i in ties:
            beta[i] = near.problem.y[i] * (tops[i] if i in off_0 else 0)
        if all_on_margin(near, beta, free, ties, r):
            for i in ties:
                status[i] = "T"
    return "".join(status), True


def decide_b_unique(
    problem: Problem, b_low: Interval, b_high: Interval, status: str
) -> bool | None:
    """True, False, or None if neither is proved. An example on the margin leaves one b only."""
    if not problem.bias or problem.slack == "squared":
        return True
    if b_low.high < b_high.low:
        return False
    return True if "M" in status or "T" in status else None
