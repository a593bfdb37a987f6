"""The proximal point method for linear machines with linear slack; steps are those of Newton.

    minimise   P(w) = 1/2 |w|^2 + sum C_i xi_i              xi_i = max(0, 1 - y_i w.x_i)

P has a corner wherever a margin is 1, so Newton's method (newton.py) cannot go down it. The dual
less a square is the dual of a primal without corners:

    maximise   D(alpha) - sum (alpha_i - a_i)^2 / (2 c_i)   over 0 <= alpha_i <= C_i
    minimise   F(w) = 1/2 |w|^2 + sum f_i                   over w

    alpha_i = min(max(a_i + c_i (1 - y_i w.x_i), 0), C_i)   what w makes of the centre a
    f_i = alpha_i (1 - y_i w.x_i) - (alpha_i - a_i)^2 / (2 c_i)
    g = w - sum alpha_i y_i x_i                             the gradient of F
    H = I + sum of c_i x_i x_i' over 0 < alpha_i < C_i      its second derivative: these are active

Where the centre a is an optimum of D, so is the alpha of the least F; otherwise D is larger there
than at a. So F is brought down by Newton's method until w is near enough, alpha becomes the
centre, and F is another.

    share_i = C_i xi_i - alpha_i (1 - y_i w.x_i)            never negative
    gap = 1/2 |g|^2 + sum share_i                           an upper bound of P(w) - P*

    1  if gap <= tol P(w), stop
    2  if 1/2 |g|^2 <= sum share_i, what is left is the centre's part: a <- alpha, and the c_i are
       made larger: eightfold if one step was enough for this centre, otherwise twofold
    3  a step of Newton's method down F, shortened as in newton.py
    4  again

The gap holds for every w and every alpha between the bounds, see svm/own_weights.py: so an answer
is proved, whichever way led to it. Rockafellar's theorem says that the centres go to an optimum if
the errors of the steps have a finite sum. Rule 2 does not promise that: an error may be as large
as what is left. The status says how it ended.

c_i = share C_i, and share begins where all c_i |x_i|^2 are at most 1: there H is nearly I, nearly
all examples are active, and a step is enough. The larger the c_i, the fewer are active, and the
more steps a centre needs; but the fewer centres there are. Sets of 500 to 100,000 rows take 10 to
100 steps, whatever the scales of their columns.

With many columns directions are nearly right only. From the first that does not come near on, H is
factorised, as in newton.py; and from where eight steps for one centre were shortened on, if that
costs no more than d / 2 products: d of them make a direction right. Without that 500 rows of 400
columns in a tube, C = 10,000, took 2267 steps, and take 369.

In regression without an offset xi_i is max(0, |value_i - w.x_i| - epsilon). beta_i = alpha_i y_i
is the multiplier with its sign, and a score costs nothing between two numbers, low_i and high_i:

    beta_i = min(a_i + c_i (low_i - w.x_i), C_i)            if that is above 0
             max(a_i + c_i (high_i - w.x_i), -C_i)          if that is below 0; otherwise 0

Source: Rockafellar, "Monotone operators and the proximal point algorithm", SIAM Journal on Control
and Optimization 14 (1976), pages 877-898; Li, Sun and Toh, "A highly efficient semismooth Newton
augmented Lagrangian method for solving Lasso problems", SIAM Journal on Optimization 28 (2018),
pages 433-458, for steps of Newton in it and why they are cheap.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf

from ..numerics.linalg import squared_norm, total
from ..numerics.types import Number
from ..svm.model import Solution
from ..svm.own_weights import ExampleSums, excess, sums_of_examples
from ..svm.regression_without_offset import LinearProblem, require_for_descent
from .dual_program import Numbers, solver_arguments
from .newton import (
    MOST_FACTORISED,
    RISE,
    SLOW_RISE,
    NewtonDescent,
    PrimalPoint,
    PrimalStep,
    gap_at,
    refuse_others,
    refuse_overflow,
)

HARD = 8  # shortened steps for one centre: from then on directions are right, not nearly so
MOST_SHARE = 2**20  # of C_i in c_i, by the largest target: beyond, roundings move alpha_i far


class ProximalDescent(NewtonDescent):
    """The primal of a linear machine with linear slack, and the steps down to its least value.

    C        the c_i: share times the penalties
    centre   a_i y_i

    Of a PrimalPoint
        value    F
        active   the examples with 0 < alpha_i < C_i
        coefs    beta_i
        places   where beta_i is: 0; 1 between its bounds, 2 at one; negative if it is
        shares   what all share_i add up to
        apart    m - M, how far the conditions of optimality are violated, if g is 0
    """

    def __init__(self, problem: LinearProblem) -> None:
        super().__init__(problem)
        self.centre = [self.kind(0)] * problem.n

    def move_centre(self, at: PrimalPoint, share: Number) -> None:
        """Let the multipliers of this point be the centre, and the c_i this share of C_i."""
        self.centre = at.coefs
        self.take_share(share)

    def multiplier(self, i: int, score: Number) -> Number:
        """Return beta_i where w.x_i is this."""
        (low, high), C = self.ends[i], self.problem.C[i]
        up = self.centre[i] + self.C[i] * (low - score)
        if up > 0:
            return min(up, C)
        down = self.centre[i] + self.C[i] * (high - score)
        return max(down, -C) if down < 0 else self.kind(0)

    def point_of(self, w: Numbers, scores: Numbers) -> PrimalPoint:
        """Return what follows from w and its scores. O(n)."""
        zero = self.kind(0)
        value, loss, shares, m, M = zero, zero, zero, zero, zero
        active, coefs, places = [], [], []
        for i, (score, (low, high), C) in enumerate(zip(scores, self.ends, self.problem.C)):
            b, short = self.multiplier(i, score), excess(score, low, high)
            cost, moved = C * abs(short), b - self.centre[i]
            gained = b * ((low if b > 0 else high) - score) if b != 0 else zero
            loss, shares = loss + cost, shares + (cost - gained)
            value += gained
            if moved != 0:
                value -= moved * (moved / self.C[i]) / 2
            m = max(m, low - score if b < C else m, high - score if b < 0 else m)
            M = min(M, low - score if b > 0 else M, high - score if b > -C else M)
            coefs.append(b)
            places.append(
                0 if b == 0 else 1 if 0 < b < C else 2 if b > 0 else -1 if b > -C else -2
            )
            if abs(places[-1]) == 1:
                active.append(i)
        half = squared_norm(w) / 2
        value, primal = half + value, half + loss
        return PrimalPoint(w, scores, primal, active, coefs, value, places, shares, m - M)

    def gradient(self, at: PrimalPoint) -> Numbers:
        """Return w - sum alpha_i y_i x_i."""
        g = list(at.w)
        for i, b in enumerate(at.coefs):
            if b != 0:
                for j, v in self.rows[i]:
                    g[j] -= b * v
        return g

    def sums(self, at: PrimalPoint) -> ExampleSums:
        """Return what the bounds of the answer need of all examples."""
        C = self.problem.C
        mass: Number = total(abs(b) for b in at.coefs)
        count = self.problem.n - at.coefs.count(0)
        found = sums_of_examples(self.problem, count, mass, total(C), min(C), self.longest)
        return found._replace(shares=at.shares, apart=at.apart)

    def has_same_piece(self, at: PrimalPoint, found: PrimalPoint) -> bool:
        """Return whether each multiplier is at the same bound, or between the same two."""
        return at.places == found.places

    def bring_down(
        self, tol: Number, max_iter: int, on_step: Callable[[PrimalStep], object] | None
    ) -> Solution:
        """Take steps from 0, and move the centre, until there is a reason to stop (S31.7)."""
        self.take_share(self.least_share())
        most = self.kind(MOST_SHARE) / (self.problem.largest_target() or 1)
        at: PrimalPoint = self.point([self.kind(0)] * self.d)
        iterations, least = 0, inf
        best: tuple[PrimalPoint, Numbers] = at, []
        while True:
            at, g, steps, status = self.near_least(at, tol, iterations, max_iter, on_step)
            iterations, gap = iterations + steps, gap_at(at, g)
            if gap < least or status == "optimal":
                least, best = gap, (at, g)
            elif self.share == most and self.kind is float:
                status = status or "precision"
            if status:
                return self.solution(*best, tol, iterations, status)
            rise = RISE if steps == 1 else SLOW_RISE
            self.move_centre(at, min(rise * self.share, most))
            at = self.point(at.w)

    def near_least(
        self,
        at: PrimalPoint,
        tol: Number,
        before: int,
        max_iter: int,
        on_step: Callable[[PrimalStep], object] | None,
    ) -> tuple[PrimalPoint, Numbers, int, str]:
        """Take steps down F; return (where w is near its least, g, their number, a status or "").

        before: how many steps other centres took
        """
        g, steps, shortened, lowest = self.gradient(at), 0, 0, (inf, inf)
        while True:
            half = squared_norm(g) / 2
            gap = half + at.shares
            refuse_overflow(gap, at.primal)
            is_last = before + steps == max_iter
            status = "optimal" if gap <= tol * at.primal else "max_iter" if is_last else ""
            is_near = steps > 0 and half <= at.shares
            if status or is_near or not (at.value < lowest[0] or half < lowest[1]):
                return at, g, steps, status
            lowest = min(lowest[0], at.value), min(lowest[1], half)
            left, (at, t) = at, self.next_point(at, g)
            steps, shortened, g = steps + 1, shortened + (t < 1), self.gradient(at)
            if shortened == HARD and 2 * self.products <= self.d <= MOST_FACTORISED:
                self.allow(0)
            if on_step is not None:
                of_point = list(left.w), left.primal, gap, list(left.active)
                on_step(PrimalStep(before + steps, *of_point, t, self.share))


def proximal_point(
    problem: LinearProblem,
    tol: Number = 1e-4,
    max_iter: int = 1000,
    on_step: Callable[[PrimalStep], object] | None = None,
    *,
    threads: int = 1,
) -> Solution:
    """Solve a linear problem with linear slack and no offset, by the proximal point method.

    Parameters
    ----------
    problem : Problem, or a RegressionWithoutOffset
        kernel Linear(), slack="hinge", of regression "linear", bias=False, every C_i finite
    tol : number, 0 or more
        how large the gap may be, as a part of the primal
    max_iter : int, 0 or more
        steps that are allowed; a hundred are many
    on_step : function
        called with a PrimalStep after each step
    threads : int
        without effect: one works, in refsvm_fast, too

    Returns
    -------
    Solution
        `w` is what was found, and what its Model keeps; b is 0, alpha are multipliers that prove
        it. status "optimal": the gap is at most tol times the primal; "max_iter": the steps were
        used up before; "precision": doubles cannot show more

    Raises
    ------
    ValueError
        if the problem is another one, for bad arguments, or for numbers beyond the doubles

    Notes
    -----
    A step costs what one of newton does. On Fractions digits grow fast, and with tol=0 it ends by
    chance only: smo is for these. Source: Rockafellar (1976); Li, Sun and Toh (2018). Standard:
    S31.7.

    Examples
    --------
    >>> from refsvm.svm.problem import Problem
    >>> problem = Problem([[1], [2], [-1]], [1, 1, -1], C=1, bias=False)
    >>> solution = proximal_point(problem)
    >>> solution.w, solution.status, solution.gap <= 1e-4 * solution.objective
    ([0.9999996815139215], 'optimal', True)
    """
    problem, tol, max_iter = solver_arguments(
        problem, tol, max_iter, None, on_step, threads=threads, require=require_for_descent
    )
    refuse_others(problem, "proximal_point")
    return ProximalDescent(problem).bring_down(tol, max_iter, on_step)
