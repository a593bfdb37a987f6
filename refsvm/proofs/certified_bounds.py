"""What any (w, b) proves of the optimum, exactly: scores, primal and dual values, shares, balls.

Where kernel values are fractions they are exact. A Gaussian's are not; but each can be rounded to
a fraction that is off by one radius at most (rounded_problem.py). So what is computed from those
is off by no more than

    radius |beta|              a score s_i = sum_j beta_j K_ij, where |beta| = sum_j |beta_j|
    radius |beta| |beta|       |w|^2 = sum_ij beta_i beta_j K_ij

which is all it takes to round a primal value up and a dual value down.

    w      sum beta_i phi(x_i), or the weights of a linear machine     s_i    <w, phi(x_i)>
    b      the offset                                                  m_i    y_i (s_i + b)
    factor the least >= 1 that lifts to 1 each margin whose C_i is infinite, see Problem.primal
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import cache
from math import inf
from typing import Any, NamedTuple

from ..kernels.gram_matrices import refuse_if_string, refuse_other_type
from ..kernels.rational_values import is_rational
from ..kernels.standard import Precomputed, comparable
from ..numerics.exact_sums import ScaledIntegers
from ..numerics.intervals import Interval, point_interval
from ..numerics.linalg import dot, total
from ..numerics.quoting import quote
from ..numerics.sparse_rows import narrowed
from ..numerics.validation import check_length, to_number, vector
from ..svm.problem import Problem
from ..svm.support_vectors import gap_share
from .definiteness import require_definite, require_definite_enclosed
from .enclosures import fraction_rows, interval_rows
from .offset_interval import root_above
from .rational_kernels import Exact, IntegerRows, exact, refuse_long_values
from .rounded_problem import RoundedKernel, rounded_gram
from .verification import combine_rows, integer_scores, squared_norm

BITS = 128  # of enclosed values: beyond what the 53 of a double can spoil


class EnclosedProblem(NamedTuple):
    """A problem on Fractions, and what its numbers stand for.

    problem    the exact problem; where kernel values are enclosed, that of rounded ones
    row        the function that takes i to row i of its kernel matrix, ScaledIntegers
    radius     how far each of its kernel values may be from the true one; 0 if they are fractions
    kernel     the true kernel               rows    the true rows, Fractions or strings
    """

    problem: Problem
    row: Callable[[int], ScaledIntegers]
    radius: Fraction
    kernel: Any
    rows: list[Any]

    @classmethod
    def of(cls, problem: Problem, radius: Fraction, kernel: Any, rows: Any) -> EnclosedProblem:
        """The EnclosedProblem of these, with the function that makes its rows."""
        return cls(problem, integer_row_function(problem), radius, kernel, rows)

    def __reduce__(self) -> Any:  # that function cannot be pickled, nor copied, but made anew
        return EnclosedProblem.of, (self.problem, self.radius, self.kernel, self.rows)

    def intervals_at(self, x: Any, norm2: Any = None) -> tuple[list[Interval], Interval]:
        """(Intervals of k(x_i, x) for each example, Interval of k(x, x)). O(n d).

        With Precomputed, x is the list of the k(x_i, x), and norm2 must be given: k(x, x).
        """
        if isinstance(self.kernel, Precomputed):
            return point_intervals(x, norm2, len(self.rows))
        if norm2 is not None:
            raise TypeError(f"norm2 is {quote(norm2)}; {quote(self.kernel)} computes it itself")
        x = self.validated_row(x)
        _, points = comparable(self.kernel, [x, *self.rows])
        own, *values = interval_rows(self.kernel, points)(points[0], BITS, len(points))
        return values, own

    def validated_row(self, x: Any) -> Any:
        """x as a row like those of the examples, refused if it is none."""
        refuse_if_string(self.kernel, x, "x")
        refuse_other_type(x, self.rows, "x")
        if isinstance(x, str):
            return x
        x, width = vector(x, "x", Fraction), len(self.rows[0])
        if len(x) != width:
            raise ValueError(f"x has length {len(x)}; the rows of X have length {width}")
        return x


def enclose_problem(problem: Any) -> EnclosedProblem:
    """The EnclosedProblem; ValueError if its kernel matrix is not positive semidefinite.

    >>> from refsvm.kernels.standard import Gaussian
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
    rounded, radius = RoundedKernel(rounded_gram(problem, BITS), BITS), Fraction(1, 1 << BITS)
    near = problem.with_rows([[Fraction(i)] for i in range(problem.n)], rounded, Fraction)
    return EnclosedProblem.of(near, radius, kernel, rows)


def require_fractions(known: EnclosedProblem) -> None:
    """Raise TypeError where kernel values are rounded: what is stated then is no equation."""
    if known.radius:
        raise TypeError(
            f"problem has the kernel {quote(known.kernel)}, whose values are no Fractions; no"
            " certificate of it can be checked by fractions alone"
        )


def integer_row_function(problem: Problem) -> Callable[[int], ScaledIntegers]:
    """The function that takes i to row i of the kernel matrix of a problem on Fractions."""
    kernel = problem.kernel
    if isinstance(kernel, RoundedKernel):
        return lambda i: ScaledIntegers(kernel.values[i], kernel.unit.denominator)
    return cache(IntegerRows(problem, ridge=False).row)


def point_intervals(x: Any, norm2: Any, n: int) -> tuple[list[Interval], Interval]:
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
    """

    scores: list[Exact]
    w_norm2: Exact
    error: Exact
    size: Exact
    beta: Any
    w: Any

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


def score_beta(known: EnclosedProblem, beta: list[Exact]) -> ScoredWeights:
    """The ScoredWeights of sum beta_i phi(x_i). O(n n d), linear O(n d)."""
    size = total(map(abs, beta))
    if known.problem.linear:
        scores, w_norm2 = integer_scores(known.problem, beta)
    else:
        scores = combine_rows(known.row, {i: x for i, x in enumerate(beta) if x != 0}, len(beta))
        w_norm2 = squared_norm(beta, scores)
    fractions = [Fraction(s, scores.denominator) for s in scores.numbers]
    return ScoredWeights(fractions, w_norm2, known.radius * size, size, beta, None)


def score_w(known: EnclosedProblem, w: list[Exact]) -> ScoredWeights:
    """The ScoredWeights of the weights w of a linear machine. O(n d)."""
    _, (at_points,), X = narrowed([w], known.problem.X)
    scores = [dot(at_points, x) for x in X]
    return ScoredWeights(scores, dot(at_points, at_points), Fraction(0), Fraction(0), None, w)


def least_scores(known: EnclosedProblem, weights: ScoredWeights) -> list[Exact]:
    """The scores, each moved by the error to where it makes the margin least."""
    return [s - y * weights.error for s, y in zip(weights.scores, known.problem.y)]


def factor_of(known: EnclosedProblem, weights: ScoredWeights, b: Exact) -> Exact | None:
    """The factor, rounded up; None if there is none."""
    scores = least_scores(known, weights)
    margins = [y * (s + b) for s, y in zip(scores, known.problem.y)]
    return known.problem.rescaling_factor(margins)


def primal_above(known: EnclosedProblem, weights: ScoredWeights, b: Exact) -> Any:
    """The primal value at (w, b), rounded up: the optimum's is not above it. May be inf."""
    w_norm2 = weights.w_norm2 + weights.error * weights.size
    problem, lam = known.problem, [b] if known.problem.bias else []
    return problem.primal_value(problem.dual_form(), least_scores(known, weights), w_norm2, lam)


def dual_below(known: EnclosedProblem, weights: ScoredWeights) -> Exact:
    """The dual value at the beta of the weights, rounded down."""
    w_norm2 = weights.w_norm2 + weights.error * weights.size
    return known.problem.dual_value(known.problem.dual_form(), weights.beta, w_norm2)


def gap_shares_above(
    known: EnclosedProblem,
    weights: ScoredWeights,
    b: Exact,
    factor: Exact,
    alpha: Sequence[Exact],
) -> list[Any]:
    """What each example adds to the gap between (w, b) and alpha, rounded up; none is negative.

    C_i xi_i - alpha_i (1 - m_i), or half of C_i xi_i^2 + alpha_i^2 / C_i with squared slack, less
    the same product; the margins m_i are those of (factor w, factor b). Convex in the margin, so
    within the error it is largest at an end.
    """
    problem, shares = known.problem, []
    for y, s, c, ridge, a in zip(problem.y, weights.scores, problem.C, problem.ridge(), alpha):
        margins = [factor * (y * (s + b) + side) for side in {-weights.error, weights.error}]
        shares.append(max(gap_share(problem.slack, c, a, m, ridge) for m in margins))
    return shares


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
    """The Ball that the primal value at w and the dual value at v leave for the optimum's w.

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
    x: Any,
    norm2: Any,
) -> Any:
    """A bound on the error of the score of x at the w given; see Certificate.bound."""
    values, own = known.intervals_at(x, norm2)
    given, repaired = (w.score_at(x, values) for w in sides)
    return min(
        (
            ((1 - p) * given - q * repaired).magnitude + root_above(radius2 * own.high)
            for p, q, radius2 in balls
        ),
        default=inf,
    )


def gap_bound(problem: Problem, alpha: Sequence[Exact], primal: Any, tol: Exact) -> Any:
    """The largest gap at a feasible alpha with m - M <= tol and b between m and M.

    Each v_i = y_i (r_i - b) is at most tol, and at least -tol where alpha_i > 0. So the share of
    an example is at most tol max(alpha_i, C_i - alpha_i), or tol^2 C_i / 2 with squared slack.
    Where C_i is infinite the margin is at least 1 - tol: lifted by a factor f <= 1 / (1 - tol) the
    primal becomes f^2 times as large at most. That is at most (1 - (1 - tol)^2) primal of it, and
    the share is at most tol alpha_i. A tol of 1 or more promises nothing then.
    """
    if inf in problem.C and tol >= 1:
        return inf
    bound = tol * (2 - tol) * primal if inf in problem.C and primal < inf else Fraction(0)
    for a, c in zip(alpha, problem.C):
        if c == inf:
            bound += a * tol
        else:
            c = Fraction(c)
            bound += max(a, c - a) * tol if problem.slack == "hinge" else c * tol * tol / 2
    return bound
