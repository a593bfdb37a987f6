"""Sequential minimal optimization: the algorithm of record for every problem with a kernel.

    maximise the dual two multipliers at a time (descent.py), until no pair violates the
    conditions by more than tol: m - M <= tol, see kkt_conditions.py

The loop around a step, which also moves along faces, is dual_ascent.py. Two consequences of
m - M <= tol (b in the middle): no margin is wrong by more than tol / 2, and primal - dual <= tol /
2 * sum C_i. There is always an answer, and its status is honest.

Nobody is set aside ("shrinking", as in LIBSVM): at the end every multiplier that moved would need
the rest of its kernel row, and rows are what takes the time.

Source: Platt, "Sequential Minimal Optimization", 1998; Keerthi et al., Neural Computation 13
(2001); Fan, Chen, Lin, JMLR 6 (2005).
"""

from typing import Any, NamedTuple

from .answers import checked, dual_program
from .descent import Descent
from .dual_ascent import run


class Step(NamedTuple):
    """What on_step is told after each step, in terms of alpha_j, the second of the pair.

    Between two steps the free multipliers may have moved along their face
    (conjugate_gradient.py).

    low, high   the ends of the segment on which alpha_j may lie
    unclipped   where the dual is largest on the whole line; clipped: on the segment
    violation   m - M after the step, among the examples looked at; objective: the dual after it
    """

    iteration: int
    i: int
    j: int
    low: Any
    high: Any
    unclipped: Any
    clipped: Any
    violation: Any
    objective: Any


def smo(problem, tol=1e-3, max_iter=None, start=None, on_step=None, *, cache_mb=200, threads=1):
    """Solve the problem to m - M <= tol; a Solution, whose status says how it ended.

    tol         0 or more; in units of the functional margin
    max_iter    steps at most; None stands for max(100 000, 100 n)
    start       multipliers to start from, 0 <= alpha_i <= C_i; what sum alpha_i y_i has too much
                is first taken off the heavier class, in index order
    on_step     called with a Step after each step
    cache_mb    room for kernel rows in megabytes; changes no bit
    threads     for the compiled twin; changes no bit

    ValueError for bad arguments, a kernel value that is not finite, or an answer beyond the
    doubles. A step costs O(n) and at most two kernel rows.

    >>> from refsvm.svm.problem import Problem
    >>> solution = smo(Problem([[0], [1], [3], [4]], [-1, -1, 1, 1]))
    >>> solution.alpha, solution.b, solution.status
    ([0.0, 0.5, 0.5, 0.0], -2.0, 'optimal')
    """
    problem, tol, max_iter = checked(problem, tol, max_iter, start, on_step, cache_mb, threads)
    descent = Descent(dual_program(problem, start, cache_mb), problem.kind)
    tell = None if on_step is None else lambda *news: on_step(told(problem, *news))
    return run(problem, descent, tol, max_iter, tell)


def told(problem, move, iteration, violation, objective):
    """The Step that tells of a Move: beta_j turned into alpha_j."""
    y = problem.y[move.j]
    low, high = sorted((y * move.low, y * move.high))
    return Step(
        iteration,
        move.i,
        move.j,
        low,
        high,
        y * move.unclipped,
        y * move.clipped,
        violation,
        objective,
    )
