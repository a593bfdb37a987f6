"""How far is an answer of the machines beside classification from the optimum? Certified.

Nothing is assumed of the numbers. Let r = target - s be the residuals of the w that is given,
and lam what its offsets say (svm/dual_form.py). Then its primal value is not below the optimum's,

    primal   1/2 |w|^2 + sum_g s_g lam_g + sum_k max(upper_k (r_k - lam_g), lower_k (r_k - lam_g))

and with v of multipliers x that were repaired until they are feasible

    gap = primal - dual(x) = sum of the shares + 1/2 |w - v|^2
    share of k     max(upper_k (r_k - lam_g), lower_k (r_k - lam_g)) - x_k (r_k - lam_g) >= 0

The optimum's w is near w and v by that (certified_bounds.Ball), and each optimal lam_g is between
the numbers of offset_interval.py; the offsets follow.

The ball's centre is that of the rows as given, so rows are never shifted here. Where kernel values
are rounded by `radius` at most, each residual, |w|^2 and, for the ball, target and |c|^2 are off
by what Errors says, and primal values and shares are rounded up and dual values down.
"""

from __future__ import annotations

from copy import copy
from fractions import Fraction
from functools import cached_property
from math import inf
from typing import Any, NamedTuple

from ..numerics.display import displayed
from ..numerics.exact_sums import integer_dot, scaled_integers
from ..numerics.intervals import Interval
from ..numerics.pickles import with_format
from ..numerics.quoting import quote
from ..numerics.types import Number, Vector
from ..numerics.validation import to_number
from ..svm.dual_form import (
    DualForm,
    best_multipliers,
    group_extremes,
    middle,
    require_feasible,
    spread,
    surplus,
)
from ..svm.training_problem import TrainingProblem
from .certificate_json import statement
from .certified_bounds import (
    Ball,
    EnclosedProblem,
    ScoredWeights,
    ball_between,
    enclose_problem,
    require_fractions,
    score_beta,
    score_error,
)
from .offset_interval import root_above, tilt
from .plain_json import Document
from .rational_kernels import Exact
from .repair import repair_multipliers

UNBOUNDED: tuple[Any, Any] = (Fraction(0), inf)


class CertificateWithOffsetsFields(NamedTuple):
    """The fields of a CertificateWithOffsets, in order."""

    primal: Any
    dual: Fraction
    gap: Any
    shares: list[Any]
    alpha: list[Fraction]
    offsets: list[Fraction]
    problem: TrainingProblem


@with_format
@displayed
class CertificateWithOffsets(CertificateWithOffsetsFields):
    """What is certain of an answer to a problem of nu, regression, one class or the ball.

    Attributes
    ----------
    primal
        the primal value at the w and the offsets given: the optimum's is not above it. math.inf
        if an example without slack lies outside the ball
    dual
        the dual value at alpha: the optimum's is not below it
    gap
        primal - dual >= 0: the answer's primal value is at most so far above the optimum's
    shares
        what each example adds to the gap, >= 0; all of the gap if alpha was feasible
    alpha
        the multipliers, repaired: feasible
    offsets
        as given; the best for this w where none were
    problem
        the exact problem; for Gaussian and Sigmoid that of rounded kernel values, and then primal
        and shares are rounded up and dual down
    """

    known: EnclosedProblem
    given: ScoredWeights
    repaired: ScoredWeights
    variables: list[Exact]
    arguments: Any

    def __reduce__(self) -> Any:  # what is known of the problem is computed anew
        return certify_with_offsets, self.arguments

    @cached_property
    def form(self) -> DualForm:
        """The dual of the problem."""
        form: DualForm = self.problem.dual_form()
        return form

    @cached_property
    def residuals(self) -> list[Exact]:
        """Those of the repaired multipliers."""
        return residuals_of(self.form, self.repaired)

    @cached_property
    def best_primal(self) -> Any:
        """The lower of two primal values of the form: as given, and repaired at the best lam."""
        lam = [middle(*ends) for ends in best_multipliers(self.form, self.residuals)]
        repaired = Sides(self.problem, self.repaired, lam, self.known.radius).primal()
        return min(repaired, divided(self.primal, self.problem.scale))

    @property
    def dual_of_form(self) -> Exact:
        """The dual value without the machine's scale."""
        return self.dual / self.problem.scale

    @cached_property
    def lam_intervals(self) -> list[tuple[Any, Any]]:
        """Between which numbers every optimal lam_g lies. O(n) kernel rows."""
        ends: list[tuple[Any, Any]] = group_extremes(self.form, self.variables, self.residuals)
        if all(m <= M for m, M in ends) and not self.known.radius:
            return ends
        if self.best_primal == inf:
            return [(-inf, inf) for _ in ends]
        return [(self.lam_end(g, +1), self.lam_end(g, -1)) for g in range(len(ends))]

    def lam_end(self, g: int, sign: int) -> Any:
        """The lower end of the interval of lam_g if sign is +1, the upper if it is -1."""
        problem, form, radius = self.problem, self.form, self.known.radius
        norms2 = [v + radius for v in problem.kernel.squared_norms(problem.rows, Fraction)]
        gap = self.best_primal - self.dual_of_form
        lengths2: Any = spread(form, norms2)
        tilted: Any = tilt(
            form, form.groups[g], self.variables, self.residuals, lengths2, gap, sign
        )
        much = surplus(form.groups[g], form.sums[g], tilted)
        if much == 0:
            return -sign * inf
        weights = score_beta(self.known, problem.beta(problem.multipliers_of(tilted)))
        dual = dual_of(problem, tilted, weights, radius)
        return (dual - self.best_primal) / much

    @cached_property
    def intervals(self) -> Any:
        """The Interval of each offset that holds every optimal one, by name: a NamedTuple."""
        problem, ends = self.problem, self.lam_intervals
        low, high = self.norm2_of_optimum
        lows: Any = problem.offsets_from(ends, low)
        highs: Any = problem.offsets_from([(M, m) for m, M in ends], high)
        return problem.offsets_class(*(Interval(*ends) for ends in zip(lows, highs)))

    @property
    def norm2_of_optimum(self) -> Interval:
        """The Interval of |w|^2 of the optimum."""
        error = self.repaired.error * self.repaired.size
        gap = self.best_primal - self.dual_of_form
        if gap == 0 == error:
            return Interval(self.repaired.w_norm2, self.repaired.w_norm2)
        if gap == inf:
            return Interval(*UNBOUNDED)
        far = root_above(2 * gap)
        least = max(self.repaired.w_norm2 - error, Fraction(0))
        low = least / root_above(least) - far if least else least
        high = root_above(self.repaired.w_norm2 + error) + far
        return Interval(max(low, Fraction(0)) ** 2, high**2)

    @property
    def b_interval(self) -> Interval:
        """The Interval of what a decision value adds to the score: it holds every optimal one."""
        if "b" in self.problem.offsets_class._fields:
            return self.intervals.b  # type: ignore[no-any-return]
        (only,) = self.intervals
        return Interval(-only.high, -only.low) if self.problem.shares[0][0] < 0 else only

    @cached_property
    def balls(self) -> list[Ball]:
        """The Balls in which the optimum's w lies: by what was given, and as repaired."""
        found, one = [], Fraction(1)
        primal = divided(self.primal, self.problem.scale)
        if primal < inf:
            found.append(self.ball(self.given, primal, one))
        if self.best_primal < inf:
            p, q, radius2 = self.ball(self.repaired, self.best_primal, one)
            found.append(Ball(Fraction(0), p + q, radius2))
        return found

    def ball(self, side: ScoredWeights, primal: Exact, one: Fraction) -> Ball:
        """The Ball between a primal value and the dual one."""
        return ball_between(self.known, side, one, primal, self.repaired, self.dual_of_form)

    def bound(self, x: Any, norm2: Number | None = None) -> Any:
        """Bound the error |s(x) - s*(x)| of a score, without offset; see Certificate.bound.

        Parameters
        ----------
        x
            a row; with Precomputed, the n values k(x_i, x)
        norm2
            with Precomputed, k(x, x); otherwise None
        """
        return score_error(self.known, self.balls, (self.given, self.repaired), x, norm2)

    def document(self) -> Document:
        """Return the certificate that checker.py checks, as a document of canonical_json.py.

        It is of the machine of `alpha`, which was repaired, with the offsets: its dual and its
        primal value.

        Raises
        ------
        TypeError
            where kernel values are rounded
        """
        require_fractions(self.known)
        given: Any = self.offsets
        lam = self.problem.lam_of(given, self.repaired.w_norm2)
        primal = Sides(self.problem, self.repaired, lam, Fraction(0)).primal()
        offsets = dict(zip(self.problem.offsets_class._fields, given))
        primal *= self.problem.scale
        return statement(self.problem, self.alpha, offsets, self.dual, primal)


class Sides(NamedTuple):
    """A w and the lam of its groups, whose primal value and shares are asked for."""

    problem: Any
    weights: ScoredWeights
    lam: Vector
    radius: Exact

    def excesses(self) -> list[tuple[Exact, Exact]]:
        """(the least, the largest) that r_k - lam_g may be, for each variable."""
        form, error = self.problem.dual_form(), self.error()
        r = residuals_of(form, self.weights)
        found: list[Any] = [None] * len(r)
        for group, v in zip(form.groups, self.lam):
            for k in group:
                found[k] = (r[k] - v - error, r[k] - v + error)
        return found

    def error(self) -> Exact:
        """How far an r_k - lam_g may be off: by s_i, and for the ball by K_ii / 2, |c|^2 / 2."""
        w = self.weights
        return w.error + (self.radius + w.error * w.size) / 2 * (self.problem.scale - 1)

    def losses(self) -> list[Any]:
        """max(upper_k (r_k - lam_g), lower_k (r_k - lam_g)), rounded up."""
        form = self.problem.dual_form()
        return [
            max(product(upper, high), product(lower, low), Fraction(0))
            for (low, high), lower, upper in zip(self.excesses(), form.lower, form.upper)
        ]

    def primal(self) -> Any:
        """The primal value of the form, rounded up."""
        form, w = self.problem.dual_form(), self.weights
        value = (w.w_norm2 + w.error * w.size) / 2
        for s, v in zip(form.sums, self.lam):
            value += s * v
        losses = self.losses()
        return inf if inf in losses else value + total_of(losses)

    def shares(self, variables: Vector) -> list[Any]:
        """What each example adds to the gap between this and feasible variables, rounded up."""
        form, found = self.problem.dual_form(), [Fraction(0)] * self.problem.n
        of = range(len(variables)) if form.of is None else form.of
        for i, x, ends, low, high in zip(of, variables, self.excesses(), form.lower, form.upper):
            share = max(max(product(high, e), product(low, e)) - x * e for e in ends)
            found[i] += self.problem.scale * share
        return found


def product(limit: Any, excess: Exact) -> Any:
    """Their product; that of an infinite limit is inf where it is positive, else 0."""
    if abs(limit) < inf:
        return limit * excess
    return inf if (excess > 0) == (limit > 0) and excess != 0 else Fraction(0)


def divided(value: Any, scale: int) -> Any:
    """value / scale; inf stays inf."""
    return value if value == inf else value / scale


def total_of(values: Vector) -> Fraction:
    """The sum of Fractions, over one denominator."""
    numbers, q = scaled_integers(values)
    return Fraction(integer_dot(numbers, [1] * len(numbers)), q)


def residuals_of(form: DualForm, weights: ScoredWeights) -> list[Exact]:
    """target - s for each variable."""
    return [t - s for t, s in zip(form.target, spread(form, weights.scores))]


def dual_of(problem: Any, variables: Vector, weights: ScoredWeights, radius: Exact) -> Exact:
    """The dual value of the form at the variables, rounded down."""
    form = problem.dual_form()
    value = total_of([t * x for t, x in zip(form.target, variables)])
    value -= (weights.w_norm2 + weights.error * weights.size) / 2
    return value - radius * weights.size / 2 * (problem.scale - 1)


def certify_with_offsets(problem: Any, alpha: Any, offsets: Any) -> CertificateWithOffsets:
    """Certify the multipliers and the offsets of a problem beside classification."""
    known = enclose_problem(problem)
    near: Any = copy(known.problem)
    near.point_shift, near.rows = None, near.points
    known = known._replace(problem=near)
    require_feasible(near.dual_form())
    names = near.offsets_class._fields
    if offsets and len(offsets) != len(names):
        raise TypeError(f"offsets are {quote(offsets)}; give {' and '.join(names)}, or none")
    alpha = near.multipliers(alpha)
    form, given = near.dual_form(), score_beta(known, near.beta(alpha))
    if offsets:
        numbers: Any = [to_number(Fraction, v, name) for v, name in zip(offsets, names)]
        lam = near.lam_of(numbers, given.w_norm2)
    else:
        lam = [middle(*ends) for ends in best_multipliers(form, residuals_of(form, given))]
        numbers = near.offsets_from([(v, v) for v in lam], given.w_norm2)
    repaired_alpha = repair_multipliers(near, alpha)
    x = near.variables_of(repaired_alpha)
    repaired = score_beta(known, near.beta(repaired_alpha))
    sides = Sides(near, given, lam, known.radius)
    primal = near.scale * sides.primal()
    dual = near.scale * dual_of(near, x, repaired, known.radius)
    found = CertificateWithOffsets(
        primal, dual, primal - dual, sides.shares(x), repaired_alpha, numbers, near
    )
    found.known, found.given, found.repaired, found.variables = known, given, repaired, x
    found.arguments = problem, alpha, offsets
    return found
