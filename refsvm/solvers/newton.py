"""Newton's method for linear machines with squared slack: it ends, and it knows how near it is.

    minimise   P(w) = 1/2 |w|^2 + 1/2 sum C_i xi_i^2        xi_i = max(0, 1 - y_i w.x_i)

In regression (svm/regression_without_offset.py) xi_i is max(0, |value_i - w.x_i| - epsilon), and
y_i says on which side of the tube: +1 where the score is too low. alpha_i y_i is the multiplier,
and a target, value_i -+ epsilon, stands in the place of 1 below.

P has no corner: it is a quadratic function on each of some pieces, of which each has its set
of *active* examples, those with xi_i > 0. On such a piece Newton's method would be done in one
step.

    alpha_i = C_i xi_i                    the multipliers of w
    g = w - sum alpha_i y_i x_i           the gradient of P
    H = I + sum of C_i x_i x_i'           over the active: the second derivative on the piece of w

    1  if 1/2 |g|^2 <= tol P(w), stop
    2  solve H s = -g; with many columns nearly, |g + H s| <= |g| / 10 (newton_direction.py)
    3  t = 1 if the active examples at w + s are those at w. Otherwise the first t of 1, 1/2,
       1/4 .. for which P(w + t s) <= P(w) + t s.g / 4; the scores on the way are made of those
       at w and at w + s
    4  w <- w + t s. After the second t below 1 the C_i are made small, so that all C_i |x_i|^2
       are at most 1, and raised whenever 1/2 |g|^2 <= P(w) / 8: by eight where one step was
       enough, otherwise by two
    5  again

**The gap is 1/2 |g|^2.** Let v = sum alpha_i y_i x_i, so that g = w - v. The dual of alpha is
D = sum alpha_i - 1/2 |v|^2 - 1/2 sum alpha_i^2 / C_i. As alpha_i^2 / C_i = C_i xi_i^2 =
alpha_i (1 - y_i w.x_i), also where both are 0,

    P(w) - D(alpha)  =  1/2 |w|^2 + 1/2 |v|^2 + sum alpha_i (1 - y_i w.x_i) - sum alpha_i
                     =  1/2 |w|^2 + 1/2 |v|^2 - w.v  =  1/2 |w - v|^2  =  1/2 |g|^2

alpha is feasible, whatever w is: so D(alpha) is at most the least P, and 1/2 |g|^2 bounds
how far P(w) is above it. P(z) >= P(w*) + 1/2 |z - w*|^2 for every z, so |w - w*| <= |g|, too,
and a decision about x is off by |g| |x| at most.

**On Fractions it ends, at tol = 0 too.** (1) s.g = -g'H^-1 g < 0, and the second derivatives
are at most 1 + sum C_i |x_i|^2 everywhere: so t does not fall below a fixed number, P falls by
a fixed part of |g|^2 >= 2 (P - P*), and w comes as near to w* as one likes. (2) Near w*, an
example whose margin is not 1 at w* is active if and only if it is at w*. An example whose
margin is 1 at w* may be active or not; but its xi is 0 there. So the quadratic function of the
piece of w has the gradient w* - sum C_i xi_i(w*) y_i x_i = 0 at w*: its minimum is w*, and w +
s is w* itself. (3) That t = 1 is taken then: P(w*) = P(w) + 1/2 s.g <= P(w) + 1/4 s.g. Full
steps alone may go round in circles. (4) The C_i are made small once, and by (1) each of the
finitely many rises comes.

**Why steps come nearer to right ones.** Where few examples decide about many columns, the piece
changes with nearly every step, and one that is nearly right goes far where H is small. 2500 rows
of 1200 columns with C = 200 took 152 steps, and take 28.

**Why C rises.** With a large C a step crosses the margins of many examples, and short steps
change few of them at a time. With a small C all examples are active and one step is enough; and
after a rise few examples change: 500 rows of 250 columns whose scales go from 1 to 1000, at C =
10,000, take 34 steps instead of more than 1000. Where few examples decide about many columns, a
rise by eight is too much: 2000 rows of 800 columns, of which 800 lie outside a tube, took 201
steps with rises by eight alone, and take 81.

In doubles an s that is nearly right will do: the steps go down as well, as s.g < 0 is all that
(1) asks, and the gap is 1/2 |g|^2 wherever w is. P and the gap stop falling at last. A step that
lowers neither below what was seen is the last one with these C_i. If tol was not reached by
steps that are nearly right, those that are right begin anew, at 0: nearly right ones may
end where margins meet. The gap that is told is proved, with all its roundings
(svm/own_weights.py).

H - I has no negative eigenvalue, so each pivot of H is at least 1: one that is, by rounding, is
1. H_jk and g_j are sums of their own, over the examples in order: they may be made in any
order of j and k.

Source: Mangasarian, "A finite Newton method for classification", Optimization Methods and
Software 17 (2002), pages 913-929; Keerthi and DeCoste, "A modified finite Newton method for
fast solution of large scale linear SVMs", JMLR 6 (2005), pages 341-361.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from math import inf
from typing import NamedTuple

from ..numerics.cures import Cure, calling, in_fractions, with_cure
from ..numerics.display import displayed
from ..numerics.exact_sums import integer_dot, scaled_integers
from ..numerics.linalg import dot, squared_norm, total
from ..numerics.quoting import quote
from ..numerics.rounding_bounds import rounded_down
from ..numerics.sparse_rows import row_items, widened
from ..numerics.types import Number, Vector, VectorLike
from ..numerics.validation import vector
from ..svm.dual_form import distinct
from ..svm.gap_bounds import gap_of_w
from ..svm.model import Solution
from ..svm.own_weights import (
    ExampleSums,
    bounds_at_gradient,
    excess,
    is_part,
    sums_of_examples,
)
from ..svm.regression_without_offset import LinearProblem, require_for_descent
from ..svm.solutions import FinalIterate, solution_at
from ..svm.training_problem import TrainingProblem
from .dual_program import Numbers, solver_arguments
from .newton_direction import (
    CG_REDUCTION,
    CHEAP_PRODUCTS,
    MOST_REDUCTION,
    SHARPENING,
    conjugate_direction,
    exact_direction,
    products_of_factorisation,
)

SHORTENED = 2  # steps, after which the C_i are made small
RISE = 8  # how many times as large the C_i are made, when the gap is as small a part of P
SLOW_RISE = 2  # the same, where one step was not enough
MOST_FACTORISED = 2048  # columns: the second derivative of more takes more than 32 MB


@displayed
class PrimalStep(NamedTuple):
    """One step, for on_step: what was known of w when it was left for w + t s."""

    iteration: int  # 1 for the first
    w: Vector
    primal: Number
    gap: Number
    active: list[int]
    t: Number
    share: Number  # of every C_i, in primal and gap: below 1 while C rises


class PrimalPoint(NamedTuple):
    """Some w, and what follows from it.

    scores   w.x_i
    active   the examples that count for the second derivative: those with slack
    coefs    alpha_i y_i of all examples: C_i xi_i y_i
    value    what steps bring down: the primal
    places, shares, apart    see proximal_point.py, where the others are other numbers, too
    """

    w: Numbers
    scores: Numbers
    primal: Number
    active: list[int]
    coefs: Numbers
    value: Number
    places: Sequence[int] = ()
    shares: Number = 0
    apart: Number = 0


def gap_at(at: PrimalPoint, g: Numbers) -> Number:
    """Return the gap of a point whose gradient is g."""
    return squared_norm(g) / 2 + at.shares


class NewtonDescent:
    """The primal of a linear machine with squared slack, and the steps down to its least value.

    rows     (column, number) of the numbers of each row that are not zero, in order
    C        the penalties, share times those of the problem
    ends     between which two numbers each score costs nothing
    """

    def __init__(self, problem: LinearProblem) -> None:
        self.problem, self.kind = problem, problem.kind
        self.longest = max(problem.squared_norms())  # refused if infinite
        self.rows = [list(row_items(x)) for x in problem.points]
        self.C, self.d = problem.C, problem.column_count()
        self.ends = list(zip(*problem.score_bounds()))
        self.share = self.kind(1)
        numbers = sum(map(len, self.rows))  # exact
        self.products = products_of_factorisation(problem.n, self.d, numbers)
        self.reduction = CG_REDUCTION

    def take_share(self, share: Number) -> None:
        """Make the penalties this share of those of the problem."""
        self.share, self.C = share, [share * C for C in self.problem.C]

    def least_share(self) -> Number:
        """Return the largest 1 / 8^k that makes all C_i |x_i|^2 at most 1."""
        share, most = self.kind(1), max(self.problem.C)
        while share * most * self.longest > 1:
            share /= RISE
        if share * most == 0:
            refuse_overflow(inf, inf)
        return share

    def point(self, w: Numbers) -> PrimalPoint:
        """Return what follows from w. O(numbers that are not zero)."""
        scores = []
        for x in self.rows:
            score = self.kind(0)
            for j, v in x:
                score += w[j] * v
            scores.append(score)
        return self.point_of(w, scores)

    def point_between(
        self, at: PrimalPoint, full: PrimalPoint, t: Number, w: Numbers
    ) -> PrimalPoint:
        """Return what follows from w, a part t of the way from at to full, by their scores."""
        return self.point_of(w, [a + t * (b - a) for a, b in zip(at.scores, full.scores)])

    def point_of(self, w: Numbers, scores: Numbers) -> PrimalPoint:
        """Return what follows from w and its scores. O(n)."""
        zero = self.kind(0)
        loss, active, coefs = zero, [], [zero] * len(self.rows)
        for i, (score, (low, high), C) in enumerate(zip(scores, self.ends, self.C)):
            short = excess(score, low, high)  # xi_i y_i
            if short != 0:
                active.append(i)
                coefs[i] = C * short
                loss += C * short * short
        primal = squared_norm(w) / 2 + loss / 2
        return PrimalPoint(w, scores, primal, active, coefs, primal)

    def gradient(self, at: PrimalPoint) -> Numbers:
        """Return w - sum alpha_i y_i x_i."""
        g = list(at.w)
        for i in at.active:
            c = at.coefs[i]
            for j, v in self.rows[i]:
                g[j] -= c * v
        return g

    def second_derivative(self, active: list[int]) -> list[Numbers]:
        """Return the lower triangle of I + sum C_i x_i x_i' of these examples. O(active d d)."""
        H: list[Numbers] = [[self.kind(j == k) for k in range(j + 1)] for j in range(self.d)]
        for i in active:
            x, C = self.rows[i], self.C[i]
            for p, (j, v) in enumerate(x):
                row, c = H[j], C * v
                for k, z in x[: p + 1]:
                    row[k] += c * z
        return H

    def diagonal(self, active: list[int]) -> Numbers:
        """Return the diagonal of the second derivative. O(numbers of these that are not zero)."""
        D = [1.0] * self.d
        for i in active:
            for j, v in self.rows[i]:
                D[j] += self.C[i] * v * v
        return D

    def times_second_derivative(self, active: list[int], p: Numbers) -> Numbers:
        """Return H p, without H: p + sum C_i (x_i.p) x_i. O(numbers that are not zero)."""
        q = list(p)
        for i in active:
            score = 0.0
            for j, v in self.rows[i]:
                score += p[j] * v
            c = self.C[i] * score
            for j, v in self.rows[i]:
                q[j] += c * v
        return q

    def step_from(self, at: PrimalPoint, g: Numbers) -> Numbers:
        """Return the s with H s = -g; in doubles nearly, but with s.g < 0."""
        nearly, is_wide = None, self.products >= CHEAP_PRODUCTS
        if self.kind is float and is_wide:
            nearly, is_near = self.conjugate_direction(at, g)
            if is_near or self.d > MOST_FACTORISED:
                return nearly
            self.allow(0)
        s = exact_direction(self.second_derivative(at.active), [-v for v in g])
        if self.kind is not float or -inf < dot(s, g) < 0:
            return s
        return nearly or self.conjugate_direction(at, g)[0]  # s is of rounding, or overflow

    def allow(self, products: int) -> None:
        """Let a direction take so many products of H from now on; below 16: solve H s = -g."""
        self.products = products

    def sharpen(self) -> None:
        """Ask for steps that are nearer to right ones, as one had to be shortened."""
        self.reduction = min(SHARPENING * self.reduction, MOST_REDUCTION)

    def conjugate_direction(self, at: PrimalPoint, g: Numbers) -> tuple[Numbers, bool]:
        """Return (s with H s = -g nearly, whether it is near)."""
        times = partial(self.times_second_derivative, at.active)
        products = max(self.products, CHEAP_PRODUCTS)
        return conjugate_direction(times, self.diagonal(at.active), g, products, self.reduction)

    def sums(self, at: PrimalPoint) -> ExampleSums:
        """Return what the bounds of the answer need of all examples."""
        mass: Number = total(abs(at.coefs[i]) for i in at.active)
        of_C = total(self.C), min(self.C), self.longest
        return sums_of_examples(self.problem, len(at.active), mass, *of_C)

    def has_same_piece(self, at: PrimalPoint, found: PrimalPoint) -> bool:
        """Return whether the same examples are active, on the same sides."""
        if at.active != found.active or self.problem.sides == 1:
            return at.active == found.active
        return all((at.coefs[i] > 0) == (found.coefs[i] > 0) for i in at.active)

    def next_point(self, at: PrimalPoint, g: Numbers) -> tuple[PrimalPoint, Number]:
        """Return where the step from here leads, and its t."""
        s = self.step_from(at, g)
        slope, t = dot(s, g), self.kind(1)
        found = full = self.point([a + b for a, b in zip(at.w, s)])
        if self.has_same_piece(at, full):
            return full, t
        while found.value > at.value + t * slope / 4 and found.w != at.w:
            t /= 2
            w = [a + t * b for a, b in zip(at.w, s)]
            is_finite = full.value < inf
            found = self.point_between(at, full, t, w) if is_finite else self.point(w)
        return full if t == 1 else self.point(found.w), t

    def reason_to_stop(
        self, at: PrimalPoint, gap: Number, tol: Number, best: tuple[Number, Number]
    ) -> str:
        """Return a status, if these C_i need no further step; best: the least (P, gap) seen."""
        if gap <= tol * at.primal if self.share == 1 else gap * RISE <= at.primal:
            return "optimal"
        return "" if at.primal < best[0] or gap < best[1] else "precision"

    def descend(
        self,
        w: Numbers,
        tol: Number,
        max_iter: int,
        on_step: Callable[[PrimalStep], object] | None,
    ) -> Solution:
        """Return the Solution by steps from w, if need be by others from 0 that are right."""
        is_near = CHEAP_PRODUCTS <= self.products and self.d <= MOST_FACTORISED
        found = self.take_steps(w, tol, 0, max_iter, on_step)
        if found.status != "precision" or not is_near or found.iterations == max_iter:
            return found
        self.allow(0)
        return self.take_steps([0.0] * self.d, tol, found.iterations, max_iter, on_step)

    def take_steps(
        self,
        w: Numbers,
        tol: Number,
        iterations: int,
        max_iter: int,
        on_step: Callable[[PrimalStep], object] | None,
    ) -> Solution:
        """Take steps from w until there is a reason to stop (S31.3); return the Solution there."""
        at, share, least, products = self.point(w), self.share, self.least_share(), self.products
        best, shortened, has_eased, since = (inf, inf), 0, least == 1, iterations
        while True:
            g = self.gradient(at)
            gap = squared_norm(g) / 2
            refuse_overflow(gap, at.primal)
            status = self.reason_to_stop(at, gap, tol, best)
            if not status and iterations == max_iter:
                status = "max_iter"
            if status and share == 1:
                break
            if status:  # for these C_i
                rise = RISE if iterations <= since + 1 else SLOW_RISE
                share = min(rise * share, self.kind(1))
            else:
                best = min(best[0], at.primal), min(best[1], gap)
                left, (at, t) = at, self.next_point(at, g)
                iterations += 1
                if on_step is not None:
                    of_point = left.w, left.primal, gap, left.active
                    on_step(PrimalStep(iterations, *of_point, t, share))
                if t < 1:
                    shortened += 1
                    self.sharpen()
                if shortened == SHORTENED and not has_eased:
                    share, has_eased = least, True
                    self.allow(products)
            if share != self.share:
                self.take_share(share)
                at, best, since = self.point(at.w), (inf, inf), iterations
        return self.solution(at, g, tol, iterations, status)

    def solution(
        self, at: PrimalPoint, g: Numbers, tol: Number, iterations: int, status: str
    ) -> Solution:
        """Return the Solution that keeps this w; g: the gradient there.

        As a rule the roundings of g are small enough, and nothing more is summed.
        """
        computed, alpha = gap_at(at, g), self.problem.multipliers_from(at.coefs)
        if self.kind is not float:
            return _solution_by_sums(self.problem, alpha, at.w, computed, iterations, status)
        told = bounds_at_gradient(at.w, g, at.primal, self.sums(at))
        if status == "optimal":
            is_sharp = is_part(told.gap, tol, at.primal, told.lost)
        else:
            is_sharp = told.gap / 2 <= computed and told.lost < inf
        if not is_sharp:
            gap = gap_of_w(self.problem, alpha, at.w)
            found = _solution_by_sums(self.problem, alpha, at.w, gap, iterations, status)
            if status == "optimal" and not is_part(gap, tol, at.primal, told.lost):
                numbers, q = scaled_integers(at.w)
                half = Fraction(integer_dot(numbers, numbers), 2 * q * q)  # the primal is no less
                if not is_part(gap, tol, half, 0):
                    found = _keeping(found._replace(status="precision"), self.problem, at.w)
            return found
        least = Fraction(at.primal) - Fraction(told.lost)
        found = Solution(
            alpha=alpha,
            b=0.0,
            b_low=0.0,
            b_high=0.0,
            objective=rounded_down(least - Fraction(told.gap)),
            gap=told.gap,
            violation=told.violation,
            iterations=iterations,
            status=status,
            farkas=None,
        )
        return _keeping(found, self.problem, at.w)


def newton(
    problem: LinearProblem,
    tol: Number = 1e-4,
    max_iter: int = 1000,
    start: VectorLike | None = None,
    on_step: Callable[[PrimalStep], object] | None = None,
    *,
    threads: int = 1,
) -> Solution:
    """Solve a linear problem with squared slack and no offset, by steps of Newton's method.

    Parameters
    ----------
    problem : Problem, or a RegressionWithoutOffset
        kernel Linear(), slack="squared", bias=False, every C_i finite
    tol : number, 0 or more
        how large the gap may be, as a part of the primal
    max_iter : int, 0 or more
        steps that are allowed; ten are many
    start : d numbers
        the w to start from; 0 without it
    on_step : function
        called with a PrimalStep after each step
    threads : int
        without effect: one works, in refsvm_fast, too

    Returns
    -------
    Solution
        `w` is what was found, and what its Model keeps; b is 0, alpha are the multipliers of w.
        status "optimal": the gap is at most tol times the primal; "max_iter": the steps were used
        up before; "precision": doubles cannot show more

    Raises
    ------
    ValueError
        if the problem is another one, for bad arguments, or for numbers beyond the doubles

    Notes
    -----
    A step costs O(n d + active d d + d d d), or with many columns some products of O(n d). On
    Fractions it ends for any tol, 0 as well; digits grow. Source: Mangasarian (2002); Keerthi and
    DeCoste (2005). Standard: S31.3.

    Examples
    --------
    >>> from refsvm.svm.problem import Problem
    >>> problem = Problem([[1], [2], [-1]], [1, 1, -1], C=1, bias=False, slack="squared")
    >>> solution = newton(problem)
    >>> solution.w, solution.status, solution.iterations
    ([0.6666666666666666], 'optimal', 2)
    """
    problem, tol, max_iter = solver_arguments(
        problem, tol, max_iter, start, on_step, threads=threads, require=require_for_descent
    )
    refuse_others(problem)
    return NewtonDescent(problem).descend(first_w(problem, start), tol, max_iter, on_step)


def _solution_by_sums(
    problem: TrainingProblem, alpha: Numbers, w: Numbers, gap: Number, iterations: int, status: str
) -> Solution:
    """Return the Solution that keeps this w and has this gap; all else by v of exact sums."""
    form, beta = problem.dual_form(), problem.variables_of(alpha)
    scores = form.per_variable(problem.scores_and_norm2(problem.beta(alpha))[0])
    r = problem.residuals(form, beta, scores)
    # tol is of the gap here: of m - M nothing is claimed.
    answer = FinalIterate(problem, form, beta, r)
    found = solution_at(answer, 0, iterations=iterations, status="max_iter")
    return _keeping(found._replace(gap=gap, status=status), problem, w)


def _keeping(found: Solution, problem: TrainingProblem, w: Numbers) -> Solution:
    """Return the Solution with its problem, and this w for that of its multipliers."""
    found.problem, found.keeps_w, found.w = problem, True, widened(problem.kept, w)
    return found


def first_w(problem: TrainingProblem, start: VectorLike | None) -> Numbers:
    """The w to start from, in the columns of the points."""
    if start is None:
        return [problem.kind(0)] * problem.column_count()
    w = vector(start, "start", problem.kind)
    if len(w) != problem.row_length():
        raise ValueError(
            f"start has length {len(w)}; the problem has {problem.row_length()} features"
        )
    return problem.in_columns_of_points(w)


def refuse_others(problem: LinearProblem, name: str = "newton") -> None:
    """ValueError unless the problem is one that this method, newton or proximal_point, is for."""
    is_squared, by_newton = problem.slack == "squared", name == "newton"
    if not problem.linear:
        raise with_cure(
            ValueError,
            f"problem has the kernel {quote(problem.kernel)}; {name} keeps w, which needs"
            f" Linear();",
            calling("smo takes every kernel", "smo"),
        )
    if problem.bias:
        raise with_cure(
            ValueError,
            f"problem has an offset; {name} needs bias=False, and",
            calling("smo solves the others", "smo"),
        )
    if is_squared != by_newton:
        other = "newton" if is_squared else "proximal_point"
        raise with_cure(
            ValueError,
            f"problem has {problem.slack} slack; {name} is for the other kind, and",
            calling(f"{other} solves it", other),
        )
    penalties = distinct(problem.C)
    if inf in penalties:
        raise with_cure(
            ValueError,
            f"C[{problem.C.index(inf)}] is inf; {name} needs a finite C, and",
            calling("dual_coordinate_descent solves hard margins", "dual_coordinate_descent"),
        )
    if is_squared and problem.kind is float and 1 / min(penalties) == inf:
        problem.ridge()  # which refuses it


def refuse_overflow(gap: Number, primal: Number) -> None:
    """ValueError if a value is infinite, or no number."""
    if not (gap < inf and primal < inf):
        raise with_cure(
            ValueError,
            "the primal or its gradient went beyond the doubles;",
            Cure("scale X, lower C or give Fractions", "X", in_fractions),
        )
