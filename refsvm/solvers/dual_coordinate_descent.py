"""Dual coordinate descent: coordinate ascent for the linear kernel, by way of w.

Without an offset each multiplier can move alone. All that must be known for it is the slope of the
dual along it. With the linear kernel that is a score, and w = sum alpha_i y_i x_i has it at hand:

    G  = y_i w.x_i - 1 + D_ii alpha_i                minus the slope of the dual along alpha_i
    PG = min(G, 0) if alpha_i = 0, max(G, 0) if alpha_i = U_i, otherwise G
    if PG != 0:
        alpha_i  <-  min(max(alpha_i - G / Q_ii, 0), U_i)
        w  <-  w + (what alpha_i rose by) y_i x_i

That is Algorithm 1 of Hsieh et al., which LIBLINEAR runs, and CoordinateDescent.visit below. A
visit reads one row, and of it the numbers that are not zero: no kernel value, no other example.
How this differs from the two algorithms of coordinate_ascent.py says the table at the end of
spec/standard/dual-ascent.md.

When to stop. LIBLINEAR does when the PG that a pass saw lie close together. But each was seen at
another w, and the PG of one example alone always lie close together. Here such a pass leads to the
question of all other solvers: w and the residuals are made anew from alpha, and m - M <= tol is
asked of these. m and M of the pass itself are the largest and the smallest -y_i PG, joined with 0.
If m - M stays above tol, but is as little as rounding explains, further passes are in vain.

Whom to pass over ("shrinking"). Near the end most multipliers are pressed against a bound. An
example is shrunk if PG = 0 and r_i lies outside of the m and M of the pass before: r_i would
have to change by more than any slope met there before alpha_i could move. Picks of sleepers are
passed over. All wake up when the question is asked, so it is asked whenever m - M of the pass is a
tenth of the last answer, or rounding only: otherwise the others would be brought to their optimum
for nothing.

Throughout this module
    alpha, y, w      multipliers, labels, weights      U_i    the largest alpha_i: C_i, or inf
    Q_ii             x_i.x_i + D_ii                    D_ii   0; 1 / C_i under squared slack
    r, m, M          the residuals r_i = -y_i G and their extremes, as in dual_ascent.py

Source: Hsieh, Chang, Lin, Keerthi and Sundararajan, "A dual coordinate descent method for
large-scale linear SVM", ICML 2008, pages 408-415.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from math import inf
from typing import Any

from ..kernels.gram_matrices import refuse_infinite
from ..numerics.cures import calling, with_cure
from ..numerics.linalg import dot, total
from ..numerics.quoting import quote
from ..numerics.sparse_rows import row_items
from ..numerics.types import Number, Picks, VectorLike
from ..numerics.validation import indices, iterator
from ..svm.dual_form import group_extremes
from ..svm.model import Solution
from ..svm.regression_without_offset import LinearProblem, require_for_descent
from ..svm.solutions import FinalIterate
from .dual_ascent import ROUNDING
from .dual_program import Numbers, beyond_doubles, solution_of, solver_arguments, starting_point
from .pair_ascent import Step


class CoordinateDescent:
    """alpha on its way to the optimum, and w with it.

    rows        (feature, number) of the numbers of each row that are not zero, in order
    m, M        those of the pass; m_before, M_before: of the one before, infinite at first
    shrunk      whether an example is passed over
    known       m - M, when the question was last asked
    best        the least m - M and the largest objective when it was asked
    objective   the dual
    unbounded   an example along whose multiplier the dual rises for ever, once met
    largest     the largest size of what a score is compared with
    unit        what tol is a multiple of
    """

    def __init__(self, problem: LinearProblem, start: VectorLike | None) -> None:
        self.problem: Any = problem
        self.zero = problem.kind(0)
        self.upper, self.D = problem.upper_bounds(), problem.ridge()
        self.rows = [list(row_items(x)) for x in problem.points]
        self.Q: Numbers = [total(v * v for _, v in x) + c for x, c in zip(self.rows, self.D)]
        for i, q in enumerate(self.Q):
            refuse_infinite(q, i, i)
        self.form = problem.dual_form()
        self.largest, self.unit = problem.largest_target(), problem.unit_of_tol()
        beta = starting_point(problem, self.form, start)
        self.take_start(beta)
        self.make_weights()
        self.objective: Number = problem.dual_value(self.form, beta, dot(self.w, self.w))
        self.iterations = 0
        self.unbounded: int | None = None
        self.known: Any = inf
        self.best: tuple[Number, Number] = (inf, -inf)
        self.wake_all()

    def take_start(self, beta: Numbers) -> None:
        """Set y, and alpha of these variables."""
        self.y: list[int] = self.problem.y
        self.alpha: Numbers = [b * y + 0 for b, y in zip(beta, self.y)]  # a zero has no sign

    def wake_all(self) -> None:
        """Pass over no example, nor let any be shrunk before a pass has seen them."""
        self.shrunk = [False] * len(self.rows)
        self.m: Any = inf
        self.M: Any = -inf

    def score(self, i: int) -> Any:
        """w.x_i."""
        score = self.zero
        for k, v in self.rows[i]:
            score += self.w[k] * v
        return score

    def gradient(self, i: int) -> Any:
        """G, minus the slope of the dual along alpha_i."""
        return self.y[i] * self.score(i) - 1 + self.D[i] * self.alpha[i]

    def visit(self, i: int) -> Step | None:
        """Move alpha_i to where the dual is largest along it; None if it did not move (S5.9)."""
        G, Q, old, U, zero = self.gradient(i), self.Q[i], self.alpha[i], self.upper[i], self.zero
        if not -inf < G < inf:
            raise beyond_doubles("residual", i)
        PG = min(G, zero) if old == 0 else max(G, zero) if old == U else G
        self.m, self.M = max(self.m, -self.y[i] * PG), min(self.M, -self.y[i] * PG)
        if PG == 0:
            self.shrunk[i] = not self.M_before <= -self.y[i] * G <= self.m_before
            return None
        best = old - G / Q if Q > 0 else U if G < 0 else zero
        new = min(max(best, zero), U)
        if new == inf:
            self.note_unbounded(i)
            return None
        moved = new - old
        if moved == 0:
            return None
        self.alpha[i] = new
        self.add_to_weights(i, moved)
        self.objective -= moved * G + Q * moved * moved / 2
        return Step(self.iterations, i, i, zero, U, best, new, abs(PG), self.objective)

    def note_unbounded(self, i: int) -> None:
        """Note that nothing stops alpha_i, as row i is zero; otherwise a division overflowed."""
        if self.rows[i] or self.Q[i] > 0:
            raise beyond_doubles("multiplier", i)
        self.unbounded = i

    def add_to_weights(self, i: int, a: Number) -> None:
        """w += a y_i x_i."""
        for k, v in self.rows[i]:
            self.w[k] += a * self.y[i] * v

    def make_pass(self, picks: list[int], on_step: Callable[[Step], object] | None) -> None:
        """Visit those of these examples that are awake."""
        self.m_before, self.M_before, self.m, self.M = self.m, self.M, self.zero, self.zero
        for i in picks:
            self.iterations += 1
            step = None if self.shrunk[i] else self.visit(i)
            if step is not None and on_step is not None:
                on_step(step)
            if self.unbounded is not None:
                break

    def make_weights(self) -> None:
        """Make w anew, from alpha in index order."""
        self.w = [self.zero] * len(self.problem.points[0])
        for i, a in enumerate(self.alpha):
            if a != 0:
                self.add_to_weights(i, a)

    def residuals(self) -> Numbers:
        """r, with w made anew. O(numbers that are not zero)."""
        self.make_weights()
        return [-y * self.gradient(i) for i, y in enumerate(self.y)]

    def reason_to_stop(self, tol: Number) -> str | None:
        """Why there is to be no further pass, or None (S5.9).

        Asked if the pass saw at most tol, a tenth of what is known, or what rounding
        explains.
        """
        rounded = 2 * self.rounding()
        if self.m - self.M > max(tol, self.known / 10, rounded):
            return None
        self.known = self.violation(self.residuals())
        self.wake_all()
        if self.known <= tol:
            return "optimal"
        least, most = self.best
        self.best = min(least, self.known), max(most, self.objective)
        improves = self.known < least or self.objective > most
        return None if improves or self.known > rounded else "precision"

    def rounding(self) -> Any:
        """What rounding may add to a residual when w is made anew, at most. O(n).

        No score is larger than the mass. Each example of the support rounds w, each feature a
        score; twice more the mass itself is rounded, and three times a residual of 1 + 2 mass;
        of regression the largest target stands in the place of 1.
        """
        u = ROUNDING.get(self.problem.kind)
        if u is None:
            return self.zero
        support = [a for a in self.alpha if a != 0]
        mass = total(support) * max(self.Q)
        return u * (len(support) + len(self.w) + 8) * (self.largest + mass)

    def violation(self, r: Numbers) -> Any:
        """m - M of these residuals."""
        ((m, M),) = group_extremes(self.form, self.beta(), r)
        return m - M

    def beta(self) -> Numbers:
        """alpha_i y_i."""
        return [a * y for a, y in zip(self.alpha, self.y)]

    def solution(self, tol: Number, reason: str | None) -> Solution:
        """The Solution at alpha; its status is what is true of it. reason: to stop, if any."""
        r, farkas, beta = self.residuals(), None, self.beta()
        violation = self.violation(r)
        status = reason or "max_iter"
        if self.unbounded is not None:
            status = "infeasible"
            farkas = [self.problem.kind(i == self.unbounded) for i in range(self.problem.n)]
        elif violation <= tol * self.unit:
            status = "optimal"
        answer = FinalIterate(self.problem, self.form, beta, r)
        steps = self.iterations
        return solution_of(answer, tol, iterations=steps, status=status, farkas=farkas)


class TubeDescent(CoordinateDescent):
    """The same for a RegressionWithoutOffset: alpha_i is the size of the net multiplier.

    On its side of the tube an example is one of classification, whose margin is another number
    than 1: y_i is +1 below the tube, -1 above, and may change while alpha_i is 0.

    margin   y_i value_i - epsilon
    """

    def take_start(self, beta: Numbers) -> None:
        """Set y, and alpha of these variables; where it is 0 a visit finds the side."""
        net: Numbers = self.problem.multipliers_of(beta)
        self.y = [-1 if a < 0 else 1 for a in net]
        self.alpha = list(map(abs, net))

    def gradient(self, i: int) -> Any:
        """G, minus the slope of the dual along alpha_i; on the side that is nearer if it is 0."""
        score, value = self.score(i), self.problem.y[i]
        if self.alpha[i] == 0:
            self.y[i] = 1 if score <= value else -1
        margin = self.y[i] * value - self.problem.epsilon
        return self.y[i] * score - margin + self.D[i] * self.alpha[i]

    def residuals(self) -> Numbers:
        """r of both variables of each example, with w made anew."""
        self.make_weights()
        scores = self.form.per_variable([self.score(i) for i in range(self.problem.n)])
        found: Numbers = self.problem.residuals(self.form, self.beta(), scores)
        return found

    def beta(self) -> Numbers:
        """The variables of both sides."""
        net = [a * y + 0 for a, y in zip(self.alpha, self.y)]
        found: Numbers = self.problem.variables_of(net)
        return found


def dual_coordinate_descent(
    problem: LinearProblem,
    picks: Picks,
    tol: Number = 1e-3,
    start: VectorLike | None = None,
    on_step: Callable[[Step], object] | None = None,
) -> Solution:
    """Solve a linear problem without offset, one multiplier at a time, by way of w (S5.9).

    Parameters
    ----------
    problem : Problem, or a RegressionWithoutOffset
        kernel Linear(), bias=False
    picks : iterable of indices from 0 to n - 1
        which example comes next; n are a pass, read when it begins, so they may be endless.
        Shuffle them: passes in one order may need ten times as many
    tol : number, 0 or more
        in units of the functional margin, which is 1; of regression, of the largest |y_i|
    start : n numbers
        multipliers to start from, 0 <= alpha_i <= C_i; of regression the net ones
    on_step : function
        called with a Step after each visit that moved a multiplier: i and j are the example,
        iteration the number of picks so far, violation the size of its own PG before it moved

    Returns
    -------
    Solution
        b is 0, iterations counts picks. status "optimal": m - M <= tol; "max_iter": the picks
        were used up before; "precision": what is left above tol may be rounding alone;
        "infeasible": a C_i is infinite, and example i lies in the origin. Other hard margins that
        do not exist are noticed by smo and coordinate_ascent

    Raises
    ------
    ValueError
        if the problem has an offset or another kernel, for bad arguments, or for numbers beyond
        the doubles; what a pass picks is looked at when it begins

    Notes
    -----
    A visit costs O(numbers of the row that are not zero), the question as much as a pass, and is
    asked a few times for each factor of ten in the violation. Source: Hsieh et al. (2008),
    Algorithm 1, and section 3.2 for the examples that are passed over.

    Examples
    --------
    >>> from refsvm.numerics.picks import shuffled_passes
    >>> from refsvm.svm.problem import Problem
    >>> problem = Problem([[1, 0], [2, 1], [-1, 1]], [1, 1, -1], bias=False)
    >>> solution = dual_coordinate_descent(problem, shuffled_passes(3, 100, seed=1))
    >>> solution.alpha, solution.iterations, solution.status
    ([1.0, 0.0, 0.0], 3, 'optimal')
    """
    problem, tol, _ = solver_arguments(
        problem, tol, None, start, on_step, require=require_for_descent, calls_back=True
    )
    _refuse_others(problem)
    way = CoordinateDescent if problem.sides == 1 else TubeDescent
    descent, reason = way(problem, start), None
    for pass_picks in _passes_of(picks, problem.n):
        descent.make_pass(pass_picks, on_step)
        if descent.unbounded is None:
            reason = descent.reason_to_stop(tol * descent.unit)
        if reason is not None or descent.unbounded is not None:
            break
    return descent.solution(tol, reason)


def _refuse_others(problem: LinearProblem) -> None:
    """ValueError unless the problem is linear, without an offset."""
    if not problem.linear:
        raise with_cure(
            ValueError,
            f"problem has the kernel {quote(problem.kernel)}; dual_coordinate_descent keeps w,"
            f" which needs Linear();",
            calling("smo takes every kernel", "smo"),
        )
    if problem.bias:
        raise with_cure(
            ValueError,
            "problem has an offset, so that no multiplier can move alone;"
            " dual_coordinate_descent needs bias=False, and",
            calling("smo solves problems with an offset", "smo"),
        )


def _passes_of(picks: Picks, n: int) -> Iterator[list[int]]:
    """The picks, n at a time, checked before any of them is visited."""
    given, begin = iterator(picks, "picks", "indices"), 0
    while True:
        some = list(islice(given, n))
        if not some:
            return
        yield indices(some, n, begin)
        begin += n
