"""A linear machine that keeps a w of its own, and not the one that its multipliers make.

Newton's method (solvers/newton.py) ends at some w, and so does LIBLINEAR. Where columns are large,
v in doubles may be far worse than w: so w is kept, and alpha only measures it.

    v = sum alpha_i y_i x_i            P(w) - P*  <=  sum_i share_i + 1/2 |w - v|^2

That holds for any w and alpha, with the residuals by w (gap_bounds.machine_of_w). Newton's method
needs no exact sum, as a rule: it has g = w - v in doubles (bounds_at_gradient). Problems with
squared slack, and alpha_i = C_i xi_i:

    d_i  =  1 - y_i w.x_i - alpha_i / C_i          0, but for rounding; less where xi_i is 0
    E    =  (d + 4) u (1 + |w| R) + ..             an upper bound of d_i; the longest row is R long
    a    =  |g| + (q + 2) u (|w| + R sum alpha)    an upper bound of |w - v|; q multipliers

    gap            1/2 E^2 sum C_i + 1/2 a^2, as each share is at most C_i d_i^2 / 2
    primal         as computed, but for E sum alpha + E^2 sum C_i + (n + d + 8) u P
    violation      2 (E + a R), for the residual of x_i is y_i d_i + (w - v).x_i

In regression both sides of the tube have a variable, so that C_i counts twice, and a target, in
the place of 1, which was rounded once. Then the slack is the target less the score, or the other
way round.

Under linear slack (solvers/proximal_point.py), with share_i = C_i xi_i - alpha_i (1 - y_i w.x_i)
and m - M of the residuals by w, as they were computed:

    gap            sum share_i + 2 E sum C_i + (n + 8) u (2 P + sum share_i) + 1/2 a^2
    primal         as computed, but for E sum C_i + (n + d + 8) u P
    violation      m - M + 2 (E + a R)

That counts every C_i. Where it is too much exact sums tell the gap (gap_bounds.gap_of_w): then a
score is rounded once, and an example adds nothing whose multiplier is at the bound that its
margin, surely less or more than 1, asks for.

Proof of E: a score of d products has d roundings, none of more than |w| R together; the slack and
the multiplier have one more each, of a number that is 1 + |w| R at most, and so has a target. Of
a: each term of g_j goes through its product and q differences; the sizes of the terms, for all j
together, are no longer than |w| + sum alpha_i |x_i|. Of the primal: where a slack grows by E the
penalty grows by alpha_i E + C_i E^2 / 2. Under linear slack both terms of a share change by at
most C_i E with the score, and so does the penalty; their sizes add up to at most 2 P and the
shares. What is lost by numbers that are tiny is in the code.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import inf, sqrt
from typing import Any, NamedTuple

from ..numerics.linalg import squared_norm, total
from ..numerics.rounding_bounds import MIN_DOUBLE, above, norm_above, of_sum
from ..numerics.types import Number, Vector

LEAST_ERROR = 2.0**-500  # of a score: the square of a smaller one is lost, and C may be large


def excess(score: Any, low: Any, high: Any) -> Any:
    """Return what a score is below the one bound, or minus what it is above the other; else 0.

    >>> excess(0.5, 1.0, inf), excess(0.5, -inf, -1.0), excess(0.5, 0.25, 0.75)
    (0.5, -1.5, 0.0)
    """
    if score < low:
        return low - score
    return high - score if score > high else type(score)(0)


def multipliers_of_w(problem: Any, w: Vector) -> Vector:
    """Return C_i times the slack of each example at w: multipliers under squared slack (S31.1)."""
    ends = zip(problem.C, problem.scores_of_weights(w), *problem.score_bounds())
    found: Vector = problem.multipliers_from(
        [c * excess(s, low, high) for c, s, low, high in ends]
    )
    return found


class ExampleSums(NamedTuple):
    """What the bounds at a gradient need of n examples.

    active     how many multipliers are not 0        mass      what their sizes add up to
    penalties  what all C_k add up to                least     of them
    longest    |x_i|^2 of the longest row            n         variables
    largest    the largest size of a target
    shares     what all share_k of linear slack add up to; None under squared slack
    apart      m - M by w, under linear slack
    """

    active: int
    mass: Number
    penalties: Number
    least: Number
    longest: Number
    n: int
    largest: Number = 1
    shares: Any = None
    apart: Number = 0


class BoundsAtGradient(NamedTuple):
    """What is proved of w in doubles: see the head; lost: how far the primal may be off."""

    gap: float
    lost: float
    violation: float


def bounds_at_gradient(
    w: Vector, g: Vector, primal: Number, sums: ExampleSums
) -> BoundsAtGradient:
    """Return what is proved of w, its gradient and its primal as they were computed (S31.4). O(d).

    >>> sums = ExampleSums(active=1, mass=0.5, penalties=1.0, least=1.0, longest=1.0, n=1)
    >>> found = bounds_at_gradient([0.5], [0.0], 0.25, sums)  # of x = 1, y = 1, C = 1
    >>> 0 < found.gap < 1e-30, 0 < found.lost < 1e-14, 0 < found.violation < 1e-14
    (True, True, True)
    """
    active, mass, penalties, least, longest, n, largest, shares, apart = sums
    d, length = len(w), norm_above(w)
    R = above(sqrt(longest + d * MIN_DOUBLE), d + 4)
    E = above(of_sum(d + 4, largest + length * R) + d * MIN_DOUBLE + MIN_DOUBLE / least, 4)
    E = max(E, LEAST_ERROR)
    a = norm_above(g) + of_sum(active + 2, length + R * mass) + active * d * MIN_DOUBLE
    a, squares = above(a, 4), E * E * penalties
    off, part = E * mass + squares, squares / 2  # of the primal, and what all shares are at most
    if shares is not None:
        off = E * penalties
        part = max(shares, 0.0) + 2 * off + of_sum(n + 8, 2 * primal + max(shares, 0.0))
    lost = off + of_sum(n + d + 8, primal) + (2 * n + d + 8) * MIN_DOUBLE
    return BoundsAtGradient(
        gap=_finite(above(part + n * MIN_DOUBLE + a * a / 2, n + 16)),
        lost=_finite(above(lost, n + 16)),
        violation=_finite(above(apart, 4) + 2 * above(E + a * R, 4)),
    )


def sums_of_examples(
    problem: Any, active: int, mass: Number, penalties: Number, least: Number, longest: Number
) -> ExampleSums:
    """Return the ExampleSums of a problem; penalties: the sum of C_i over the examples."""
    k, largest = problem.sides, problem.largest_target()
    return ExampleSums(active, mass, k * penalties, least, longest, k * problem.n, largest)


def part_of_primal(
    problem: Any, w: Vector, part: Any, others: Sequence[float] = ()
) -> tuple[Any, Any]:
    """Return between what a part of the primal of w lies; on doubles.

    others: weights in columns where no row has a number
    """
    C, longest, squared = problem.C, max(problem.squared_norms()), problem.slack == "squared"
    if squared:
        alpha = multipliers_of_w(problem, w)
        sizes: list[Any] = [abs(a) for a in alpha]
        costs = total(a * a * c for a, c in zip(alpha, problem.ridge())) / 2
    else:
        ends = zip(C, problem.scores_of_weights(w), *problem.score_bounds())
        sizes, costs = [], total(c * abs(excess(s, low, high)) for c, s, low, high in ends)
    primal, active = squared_norm([*w, *others]) / 2 + costs, len(sizes) - sizes.count(0)
    sums = sums_of_examples(problem, active, total(sizes), total(C), min(C), longest)
    if not squared:
        sums = sums._replace(shares=0.0)
    lost = bounds_at_gradient([*w, *others], [], primal, sums).lost
    if not (primal < inf and lost < inf):
        return 0, inf
    primal, lost, part = map(Fraction, (primal, lost, part))
    return max(part * (primal - lost), 0), part * (primal + lost)


def is_part(gap: Number, tol: Number, primal: Number, lost: Number) -> bool:
    """Return whether a gap is at most tol times a primal that may be less by what is lost."""
    if not (gap < inf and -inf < primal < inf and lost < inf):
        return False
    least = max(Fraction(primal) - Fraction(lost), Fraction(0))  # no primal is negative
    return Fraction(gap) <= Fraction(tol) * least


def _finite(value: float) -> float:
    """Return the bound, or inf where it is no number."""
    return value if value < inf else inf
