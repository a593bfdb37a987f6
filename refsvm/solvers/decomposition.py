"""Decomposition: solve a small program among a few members, then let all residuals follow.

    choose the members: examples that violate the conditions, and some of the round before
    maximise the dual over the beta of the members alone, all others held (Osuna's idea)
    subtract what that moved from the residuals of all examples, and begin the next round

The dual over the members is a program of the same form, so smo's own steps solve it. They touch as
many numbers as there are members, not as many as there are examples: a step among 1000 members of
100,000 costs a hundredth of one of smo. A round ends when the members violate the conditions ten
times less than all examples did when it began, or as little as rounding explains. Then each
residual needs one kernel value for each member that moved, whatever the number of steps between.
Half of the places go to the members of the round before, free ones first: else these leave as
others enter, and there are ten times as many rounds. While more multipliers are free than half of
a round has members, the next round has twice as many, up to eight times as many as the first: a
free multiplier that is no member has to wait. The loop around the rounds, and the names up,
low, r, m and M, are in dual_ascent.py.

With the linear kernel residuals need no kernel value. They follow from w = sum beta_j x_j, of the
shifted rows: r_k = target_k - <w, x_k> - ridge_k beta_k, all n in O(n d), as much as one row of K.

Source: Osuna, Freund, Girosi, "An improved training algorithm for support vector machines", 1997;
Joachims, "Making large-scale SVM learning practical", 1999, section 11.2.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from math import inf
from typing import Any

from ..kernels.gram_matrices import KernelBlock
from ..numerics.sparse_rows import inner, row_items
from ..numerics.types import Number, VectorLike
from ..numerics.validation import whole_number
from ..svm.dual_form import DualForm
from ..svm.model import Solution
from ..svm.problem import Problem
from ..svm.training_problem import require_training_problem
from .ascent_loop import maximise, window
from .conjugate_gradient import selector
from .dual_ascent import Move
from .dual_program import DualProgram, Numbers, dual_program, solver_arguments
from .pair_ascent import PairAscent, Step, step_reporter

LARGEST_FACE = 512  # of a round: of more, some meet a bound again and again, and none is solved
MEMBERS = 512  # of the first round
GROWTH = 8  # the largest round has so many times the members of the first
VIOLATION_SHARE = 10  # a round leaves its members a tenth of the violation that it began with


def choose_members(
    up: Numbers, low: Numbers, m: Number, M: Number, count: int, last: list[int]
) -> list[int]:
    """The examples of the next round: at most `count`, half of them new (S4.2).

    Half of the new ones have the largest up of those above M, the rest the smallest low of those
    below m (ties: the lowest index). Then come the free ones, those of the last round before
    others, and the rest of the last round.

    >>> choose_members([3, 5, 4, -inf], [inf, 5, 4, 1], 5, 1, 2, [])
    [1, 3]
    """
    # Half of the places are left to the last round; but two at least are new, one of each sort.
    new = count - min(count // 2, count - 2, len(last))
    above = [k for k, v in enumerate(up) if v > M]
    rising = dict.fromkeys(sorted(above, key=lambda k: -up[k])[: new // 2])
    below = [k for k, v in enumerate(low) if v < m and k not in rising]
    falling = sorted(below, key=lambda k: low[k])[: new - len(rising)]
    # Of those that are named twice a dict keeps the first place.
    free = [k for k in range(len(up)) if up[k] > -inf and low[k] < inf]
    free_before = [k for k in last if up[k] > -inf and low[k] < inf]
    return list(dict.fromkeys([*rising, *falling, *free_before, *free, *last]))[:count]


class LinearResiduals:
    """w of a beta that moves, and the residuals that follow from it (S4.5).

    mass        N times (sum |beta_j| when w was new, and all distance since), for N the largest
                K_jj with its ridge: an upper bound of each |score| and |ridge_k beta_k|
    additions   to w since it was new
    """

    def __init__(self, problem: Problem, program: DualProgram) -> None:
        of, ridge = program.form.of or range(problem.n), problem.ridge()
        self.rows, self.target = [problem.rows[i] for i in of], program.form.target
        self.zero, self.ridge = problem.kind(0), [ridge[i] for i in of]
        self.largest_norm = max(program.rows.diagonal)

    def renew(self, beta: Numbers) -> Numbers:
        """Make w anew, over beta_j != 0 in index order; r of all examples."""
        self.w = [self.zero] * len(self.rows[0])
        self.mass, self.additions = self.zero, 0
        self.add({j: b for j, b in enumerate(beta) if b != 0})
        self.additions = 0
        return self.residuals(beta)

    def add(self, moved: dict[int, Number]) -> None:
        """Let w follow after beta_j rose by moved[j]: w += d x_j."""
        for j, d in moved.items():
            for c, x in row_items(self.rows[j]):
                self.w[c] += d * x
            self.mass += abs(d) * self.largest_norm
        self.additions += len(moved)

    def residuals(self, beta: Numbers) -> Numbers:
        """r of all examples. O(n d)."""
        scores = [inner(self.w, x) for x in self.rows]
        parts = zip(self.target, scores, self.ridge, beta)
        return [t - s - c * b for t, s, c, b in parts]

    def roundings(self) -> int:
        """How many roundings, each at most u (R + mass), are in a residual since w was new.

        R is the largest residual then. Each addition rounds w, by u |w|; and d and d x_j, by u |d|
        N each, which is twice the mass for all of them. A score of d terms is rounded d times, and
        three times more on its way to a residual.
        """
        return self.additions + len(self.w) + 5


class RoundAscent(PairAscent):
    """A DualAscent that moves on by rounds (S4.1); the rule of smo decides each step in one.

    Where by_rounds is not set, steps among all examples come first (S4.9).
    """

    def __init__(
        self, problem: Problem, program: DualProgram, members: int, by_rounds: bool = True
    ) -> None:
        self.by_rounds = by_rounds
        self.problem, self.count, self.largest_count = problem, members, GROWTH * members
        self.linear = LinearResiduals(problem, program) if problem.linear else None
        super().__init__(program, problem.kind)
        self.members: list[int] = []  # of the last round, as they were chosen
        self.next_face = self.cg_interval  # after so many steps conjugate gradients are due

    def advance(self, tol: Number, max_iter: float, report: Any) -> bool:
        """Do one round, and conjugate gradients where needed; whether to do another (S4.3)."""
        if not self.by_rounds:
            self.by_rounds = self.are_rounds_due()
            if not self.by_rounds:
                return super().advance(tol, max_iter, report)
            if self.linear is not None:
                self.recompute_residuals()
        if 2 * self.count_free() > self.count:
            self.count = min(2 * self.count, self.largest_count)
        self.members = self.next_members()
        members = sorted(self.members)
        small = self.small_program(members)
        aim, begun = max(self.violation() / VIOLATION_SHARE, tol / 2), self.iterations
        most = min(max_iter, begun + window(len(self.beta)))
        tell = report and (lambda move, *news: report(_in_whole(move, members), *news))
        while small.violation() > max(aim, 2 * small.residual_error):
            moved = small.advance(tol, max_iter, tell)
            if not moved or small.iterations == most or small.unbounded_direction:
                break
        self.take_over(small, members)
        due = self.iterations >= self.next_face and self.count_free() > self.count
        if due and not self.unbounded_direction:
            # No round can move all free multipliers together.
            self.next_face = self.iterations + self.cg_interval
            self.dual += self.move_free_multipliers(tol)
        rounded = self.iterations == begun and self.residual_error > 0
        return self.improves_when_recomputed(tol) if rounded else self.iterations > begun

    def are_rounds_due(self) -> bool:
        """Whether steps are as many as variables, and more are free than a face has (S4.9)."""
        many = self.iterations >= len(self.beta) and self.iterations % self.cg_interval == 0
        return many and self.count_free() > self.usual_system

    def next_members(self) -> list[int]:
        """The variables of the next round: as many of each group, if each can have two (S4.2).

        Without a group those that may gain alone: with up > 0 or low < 0.
        """
        groups = self.extremes()
        if not self.form.groups:
            groups = [(groups[0][0], self.zero, self.zero)]
        elif self.count < 2 * len(groups):
            groups = [self.worst_group()]
        members: list[int] = []
        for g, m, M in groups:
            part, last = slice(g.start, g.stop), [k - g.start for k in self.members if k in g]
            count = self.count // len(groups)
            chosen = choose_members(self.up[part], self.low[part], m, M, count, last)
            members += [g.start + k for k in chosen]
        return members

    def count_free(self) -> int:
        """How many variables may both rise and fall."""
        return [u > -inf and v < inf for u, v in zip(self.up, self.low)].count(True)

    def stand_for(self, members: list[int]) -> list[int]:
        """The examples of these variables."""
        of = self.form.of
        return members if of is None else [of[k] for k in members]

    def places(self, group: range, members: list[int]) -> range:
        """Which of the members, in order, are of the group."""
        return range(bisect_left(members, group.start), bisect_left(members, group.stop))

    def small_program(self, members: list[int]) -> PairAscent:
        """The dual over the beta of these members (S4.3), all others held, as far as it got."""
        of = selector(members, len(self.beta))
        form = DualForm(
            of=None,
            target=of(self.form.target),
            lower=of(self.form.lower),
            upper=of(self.form.upper),
            groups=[self.places(g, members) for g in self.form.groups],
            sums=(),  # those of the start stay
        )
        rows = KernelBlock(self.problem, self.stand_for(members), of(self.diagonal))
        program = DualProgram(form, rows, of(self.beta))
        small = PairAscent(program, self.problem.kind, of(self.residuals()))
        small.iterations, small.dual = self.iterations, self.dual
        small.largest_face, small.largest_system = LARGEST_FACE, 0
        return small

    def take_over(self, small: PairAscent, members: list[int]) -> None:
        """Put the beta of the small program into place, and let all residuals follow (S4.4)."""
        start = {k: self.beta[k] for k in members}
        for k, b in zip(members, small.beta):
            self.beta[k] = b
        self.update_after_moving_from(start)
        self.iterations, self.dual = small.iterations, small.dual
        if small.least_curvature < self.least_curvature:
            self.least_curvature = small.least_curvature
            direction = small.negative_direction or {}
            self.negative_direction = {members[a]: speed for a, speed in direction.items()}
        if direction := small.unbounded_direction:
            self.unbounded_direction = {members[a]: speed for a, speed in direction.items()}

    def compute_residuals(self) -> Numbers:
        """r from beta alone; with the linear kernel by way of w, without a kernel value."""
        if self.linear is None or not self.by_rounds:
            return super().compute_residuals()
        return self.linear.renew(self.beta)

    def residuals_after(self, moved: dict[int, Number], r: Numbers) -> Numbers:
        """The residuals, r until now, once beta_j rose by moved[j]; and bound their rounding."""
        if self.linear is None or not moved or not self.by_rounds:
            return super().residuals_after(moved, r)
        self.linear.add(moved)
        rounding = self.rounding * self.linear.roundings()
        self.residual_error = rounding * (self.largest_residual + self.linear.mass)
        return self.linear.residuals(self.beta)

    def is_time_to_look(self) -> bool:
        return self.by_rounds or super().is_time_to_look()  # before each round

    def improves_when_recomputed(self, tol: Number) -> bool:
        """As there, but better than ever (S4.1): two rounds may undo each other for ever."""
        least, most = self.last_recomputed
        improves = super().improves_when_recomputed(tol)
        violation, objective = self.last_recomputed
        if self.by_rounds:
            self.last_recomputed = min(least, violation), max(most, objective)
        return improves


def _in_whole(move: Move, members: list[int]) -> Move:
    """The Move of a small program, with the numbers that its variables have in the whole."""
    return move._replace(i=members[move.i], j=members[move.j])


def decomposition(
    problem: Problem,
    tol: Number = 1e-3,
    max_iter: int | None = None,
    start: VectorLike | None = None,
    on_step: Callable[[Step], object] | None = None,
    *,
    members: int = MEMBERS,
    cache_mb: float = 200,
    threads: int = 1,
) -> Solution:
    """Solve the problem by rounds of steps among a few members (S4).

    Parameters
    ----------
    max_iter : int
        steps at most, those of all rounds; None: as in smo
    on_step : function
        called with a Step after each step; its violation is that among the members
    members : int, 2 or more
        examples in the first round; later ones may have eight times as many. tol, start,
        cache_mb, threads: as in smo

    Returns
    -------
    Solution
        with the statuses of smo

    Notes
    -----
    A step costs O(members), a round O(n) kernel values for each member that moved; with the
    linear kernel O(n d). Source: Osuna, Freund and Girosi (1997); Joachims (1999).

    Examples
    --------
    >>> from refsvm.svm.problem import Problem
    >>> solution = decomposition(Problem([[0], [1], [3], [4]], [-1, -1, 1, 1]), members=2)
    >>> solution.alpha, solution.b, solution.status
    ([0.0, 0.5, 0.5, 0.0], -2.0, 'optimal')
    """
    members = whole_number(members, "members", 2)
    problem, tol, max_iter = solver_arguments(
        problem, tol, max_iter, start, on_step, cache_mb, threads, require=require_training_problem
    )
    ascent = RoundAscent(problem, dual_program(problem, start, cache_mb), members)
    return maximise(problem, ascent, tol, max_iter, step_reporter(problem, on_step))
