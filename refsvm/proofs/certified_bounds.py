"""What any w and offsets prove of the optimum, exactly: primal and dual values, shares, balls.

Where kernel values are fractions they are exact. A Gaussian's are not; but each can be rounded to
a fraction that is off by one radius at most (rounded_problem.py). So what is computed from those
is off by at most

    radius |beta|              a score s_i = sum_j beta_j K_ij, where |beta| = sum_j |beta_j|
    radius |beta| |beta|       |w|^2 = sum_ij beta_i beta_j K_ij

which is all it takes to round a primal value up and a dual value down.

    w      sum beta_i phi(x_i), or the weights of a linear machine     s_i    <w, phi(x_i)>
    lam_g  what the offsets are of group g; of classification b        x_k    a variable
    factor what w is multiplied by where margins are rescaled, see Problem.primal
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from math import inf
from typing import Any, NamedTuple

from ..kernels.base import Kernel
from ..kernels.gram_matrices import refuse_if_string, refuse_other_type
from ..kernels.rational_values import is_rational
from ..kernels.standard import Precomputed, comparable
from ..numerics.exact_sums import ScaledIntegers
from ..numerics.intervals import Interval, point_interval, root_above
from ..numerics.linalg import dot, total
from ..numerics.quoting import quote
from ..numerics.sparse_rows import narrowed
from ..numerics.types import Number, Row, Vector, VectorLike
from ..numerics.validation import check_length, to_number, vector
from ..svm.dual_form import DualForm, gap_between, loss, middle
from ..svm.training_problem import TrainingProblem
from .definiteness import require_definite, require_definite_enclosed
from .enclosures import fraction_rows, interval_rows
from .rational_kernels import Exact, IntegerRows, exact, refuse_long_values
from .rounded_problem import GrowingKernel
from .verification import combine_rows, integer_norm2, integer_scores

BOUND_BITS = 128  # of enclosed values: beyond what the 53 of a double can spoil


class EnclosedProblem(NamedTuple):
    """A problem on Fractions, and what its numbers stand for (S16.10).

    problem    the exact problem; where kernel values are enclosed, that of rounded ones
    row        the function that takes i to row i of its kernel matrix, ScaledIntegers; None where
               kernel values are rounded
    radius     how far each of its kernel values may be from the true one; 0 if they are fractions
    kernel     the true kernel               rows    the true rows, Fractions or strings
    form       the data of the dual
    """

    problem: Any
    row: Callable[[int], ScaledIntegers] | None
    radius: Fraction
    kernel: Any
    rows: list[Any]
    form: DualForm

    @classmethod
    def of(
        cls, problem: TrainingProblem, radius: Fraction, kernel: Kernel, rows: list[Row]
    ) -> EnclosedProblem:
        """The EnclosedProblem of these, with its form and the function that makes its rows."""
        row = None if radius else cache(IntegerRows(problem, ridge=False).row)
        return cls(problem, row, radius, kernel, rows, problem.dual_form())

    def __reduce__(self) -> Any:  # functions cannot be pickled, nor copied, but made anew
        return EnclosedProblem.of, (self.problem, self.radius, self.kernel, self.rows)

    def intervals_at(self, x: Any, norm2: Number | None = None) -> tuple[list[Interval], Interval]:
        """(Intervals of k(x_i, x) for each example, Interval of k(x, x)). O(n d).

        With Precomputed, x is the list of the k(x_i, x), and norm2 must be given: k(x, x).
        """
        if isinstance(self.kernel, Precomputed):
            return _point_intervals(x, norm2, len(self.rows))
        if norm2 is not None:
            raise TypeError(f"norm2 is {quote(norm2)}; {quote(self.kernel)} computes it itself")
        x = self.validated_row(x)
        _, points = comparable(self.kernel, [x, *self.rows])
        own, *values = interval_rows(self.kernel, points)(points[0], BOUND_BITS, len(points))
        return values, own

    def validated_row(self, x: Row) -> Row | None:
        """x as a row like those of the examples, refused if it is none."""
        refuse_if_string(self.kernel, x, "x")
        refuse_other_type(x, self.rows, "x")
        if isinstance(x, str):
            return x
        x, width = vector(x, "x", Fraction), len(self.rows[0])
        if len(x) != width:
            raise ValueError(f"x has length {len(x)}; the rows of X have length {width}")
        return x


def enclose_problem(problem: TrainingProblem) -> EnclosedProblem:
    """The EnclosedProblem; ValueError if its kernel matrix is not positive semidefinite.

    >>> from refsvm.kernels.standard import Gaussian
    >>> from refsvm.svm.problem import Problem
    >>> enclose_problem(Problem([[0.5], [2]], [-1, 1])).problem.X[0]
    [Fraction(1, 2)]
    >>> enclose_problem(Problem([[0], [1]], [-1, 1], Gaussian(1))).radius == Fraction(1, 2**128)
    True
    """
    refuse_long_values(problem)
    kernel = problem.kernel
    rows = fraction_rows(problem.X)
    if is_rational(kernel):
        problem = exact(problem)
        require_definite(problem)
        return EnclosedProblem.of(problem, Fraction(0), problem.kernel, rows)
    require_definite_enclosed(problem)
    rounded = GrowingKernel(kernel, fraction_rows(problem.points), BOUND_BITS)
    near = problem.with_rows([[Fraction(i)] for i in range(problem.n)], rounded, Fraction)
    return EnclosedProblem.of(near, rounded.unit, kernel, rows)


def require_fractions(known: EnclosedProblem) -> None:
    """Raise TypeError where kernel values are rounded: what is stated then is no equation."""
    if known.radius:
        raise TypeError(
            f"problem has the kernel {quote(known.kernel)}, whose values are no Fractions; no"
            " certificate of it can be checked by fractions alone"
        )


def _point_intervals(
    x: VectorLike, norm2: Number | None, n: int
) -> tuple[list[Interval], Interval]:
    """The values that a caller of Precomputed gives, as Intervals that hold one number."""
    values = vector(x, "x", Fraction)
    check_length(values, n, "x")
    if norm2 is None:
        raise TypeError("norm2 is None; with Precomputed it must be the kernel value of x and x")
    return list(map(point_interval, values)), point_interval(to_number(Fraction, norm2, "norm2"))


class ScoredWeights(NamedTuple):
    """A w with its scores.

    scores     s_i, off by at most error         size    sum |beta_i|
    w_norm2    |w|^2, off by at most error size
    beta       None if w was given               w       None unless it was given
    is_whole   False if scores of some examples were not asked for: then they are farther off
    """

    scores: list[Exact]
    w_norm2: Exact
    error: Exact
    size: Exact
    beta: Any
    w: Any
    is_whole: bool = True

    @property
    def norm2_above(self) -> Exact:
        """|w|^2, rounded up."""
        return self.w_norm2 + self.error * self.size

    def score_at(self, x: Any, values: Sequence[Interval]) -> Interval:
        """<w, phi(x)> as an Interval, from the Intervals of the k(x_i, x)."""
        if self.beta is None:
            _, (w,), (x,) = narrowed([self.w], [vector(x, "x", Fraction)])
            return point_interval(dot(w, x))
        score = point_interval(0)
        for c, value in zip(self.beta, values):
            if c != 0:
                score += c * value
        return score


def score_beta(
    known: EnclosedProblem, beta: list[Exact], others: Mapping[int, Exact] | None = None
) -> ScoredWeights:
    """The ScoredWeights of sum beta_i phi(x_i). O(n n d), linear O(n d).

    others: where kernel values are rounded, the examples whose scores need not be computed, as
    their beta_i are 0 and these will do
    """
    size, n, problem = total(map(abs, beta)), len(beta), known.problem
    coefs = {i: x for i, x in enumerate(beta) if x != 0}
    if known.row is None:
        others = others or {}
        asked = [i for i in range(n) if i not in others]
        of_asked = dict(zip(asked, problem.kernel.scores(coefs, asked)))
        scores = [others[i] if i in others else of_asked[i] for i in range(n)]
        w_norm2: Exact = total(x * of_asked[i] for i, x in coefs.items())
        error = known.radius * size
        return ScoredWeights(scores, w_norm2, error, size, beta, None, is_whole=not others)
    if problem.linear:
        whole, w_norm2 = integer_scores(problem, beta)
    else:
        whole = combine_rows(known.row, coefs, n)
        w_norm2 = integer_norm2(beta, whole)
    scores = [Fraction(s, whole.denominator) for s in whole.numbers]
    return ScoredWeights(scores, w_norm2, Fraction(0), size, beta, None)


def score_w(known: EnclosedProblem, w: list[Exact]) -> ScoredWeights:
    """The ScoredWeights of the weights w of a linear machine. O(n d)."""
    _, (at_points,), X = narrowed([w], known.problem.X)
    scores = [dot(at_points, x) for x in X]
    return ScoredWeights(scores, dot(at_points, at_points), Fraction(0), Fraction(0), None, w)


class PrimalSide(NamedTuple):
    """A w with the lam of its groups: what has a primal value."""

    known: EnclosedProblem
    weights: ScoredWeights
    lam: list[Exact]

    def error(self) -> Exact:
        """How far each r_k - lam_g may be off (S16.10): by s_k; in a ball by K_ii, |c|^2, too."""
        known, w = self.known, self.weights
        if not known.problem.has_kernel_values_as_targets:
            return w.error
        return w.error + (known.radius + w.error * w.size) / 2

    def feasible_factor(self) -> Any:
        """(factor, lam) that rescale every margin that allows no slack, rounded up, or None."""
        known = self.known
        scores = known.form.per_variable(self.weights.scores)
        return known.problem.feasible_factor(known.form, scores, self.lam, self.error())

    def primal(self) -> Any:
        """The primal value, rounded up: an upper bound of the optimum's. May be inf."""
        known, w = self.known, self.weights
        return known.problem.primal_value(
            known.form, known.form.per_variable(w.scores), w.norm2_above, self.lam, self.error()
        )

    def shares(self, variables: Sequence[Exact]) -> Vector:
        """What each example adds to the gap to feasible variables, rounded up; none is negative.

        loss_k(e) - x_k e + ridge x_k^2 / 2 for its variables, with e = target_k - (s_k + lam_g) of
        what is rescaled, if anything does. Convex in e, so within the error it is largest at an
        end. Standard: S16.2.
        """
        problem, form = self.known.problem, self.known.form
        factor, lam = self.feasible_factor() or (Fraction(1), self.lam)
        far, ridge = factor * self.error(), form.per_variable(problem.ridge())
        shares: Vector = [Fraction(0)] * problem.n
        of = range(problem.n) if form.of is None else form.of
        limits = zip(form.lower, form.upper, form.squared or [None] * len(ridge))
        scores = zip(form.per_variable(self.weights.scores), form.lam_per_variable(lam))
        for i, x, t, (s, v), c, limit in zip(of, variables, form.target, scores, ridge, limits):
            excess = t - factor * (s + v)
            share = max(
                gap_between(_loss_or_inf(e, *limit), x * e - c * x * x / 2)
                for e in {excess - far, excess + far}  # a set: one e where nothing is rounded
            )
            shares[i] = share if share == inf else shares[i] + problem.scale * share
        return shares


def _loss_or_inf(excess: Exact, low: Number, high: Number, C: Number | None) -> Number:
    """The loss of dual_form.py; inf where it allows none, which nothing has rescaled."""
    limit = high if excess > 0 else low
    is_strict = abs(limit) == inf and (C is None or C == inf)
    return inf if is_strict and excess != 0 else loss(excess, low, high, C)


def best_side(known: EnclosedProblem, weights: ScoredWeights) -> PrimalSide:
    """The PrimalSide of this w with the least primal value."""
    form = known.form
    r = [t - s for t, s in zip(form.target, form.per_variable(weights.scores))]
    best = known.problem.best_lam(form, r)
    return PrimalSide(known, weights, [middle(*ends) for ends in best])


def dual_below(known: EnclosedProblem, variables: list[Exact], weights: ScoredWeights) -> Exact:
    """The dual value at variables within their bounds, rounded down; the weights are theirs."""
    problem = known.problem
    value = problem.dual_value(known.form, variables, weights.norm2_above)
    # The targets of a ball are halves of rounded kernel values: scale times 1/2 radius |beta|.
    is_rounded = problem.has_kernel_values_as_targets
    return value - problem.scale * known.radius * weights.size / 2 if is_rounded else value


class Ball(NamedTuple):
    """Where the optimum's w lies: no farther than the root of radius2 from p w + q v."""

    p: Exact
    q: Exact
    radius2: Exact


def ball_between(
    known: EnclosedProblem,
    primal_side: ScoredWeights,
    factor: Exact,
    primal: Exact,
    dual_side: ScoredWeights,
    dual: Exact,
) -> Ball:
    """The Ball that the primal at w and the dual at v leave for the optimum's w (S16.3).

    The primal is 1-strongly convex in w, and the dual falls by 1/2 |v - w*|^2 at least. So, with
    p* the optimum's value and w multiplied by the factor already,

        1/2 |w - w*|^2 <= primal - p*        1/2 |v - w*|^2 <= p* - dual

    and by the parallelogram law |(w + v) / 2 - w*|^2 <= primal - dual - 1/4 |w - v|^2. Seen from
    w this is never farther than the root of 2 (primal - dual); if w is v, half as far, squared.
    """
    product = dot(dual_side.beta, primal_side.scores)
    distance2 = factor**2 * primal_side.w_norm2 + dual_side.w_norm2 - 2 * factor * product
    size = factor * primal_side.size + dual_side.size
    distance2 = max(Fraction(0), distance2 - known.radius * size * size)
    return Ball(Fraction(factor, 2), Fraction(1, 2), primal - dual - distance2 / 4)


def score_error(
    known: EnclosedProblem,
    balls: Iterable[Ball],
    sides: Iterable[ScoredWeights],
    x: Row,
    norm2: Number | None,
) -> Number:
    """A bound on the error of the score of x at the w given; see Certificate.bound (S16.3)."""
    values, own = known.intervals_at(x, norm2)
    given, repaired = (w.score_at(x, values) for w in sides)
    return min(
        (
            ((1 - p) * given - q * repaired).magnitude + root_above(radius2 * own.high)
            for p, q, radius2 in balls
        ),
        default=inf,
    )
