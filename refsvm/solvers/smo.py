"""Sequential minimal optimization: the algorithm of record for every problem with a kernel.

    minimise the dual two multipliers at a time (descent.py), until no pair violates the
    conditions by more than tol: m - M <= tol, see conditions.py

    1  beta = start; every example is looked at
    2  if m - M <= tol among those looked at: bring everybody back, with residuals computed
       anew where they are missing or rounding may have spoilt them; if it still holds, stop
    3  take one step
    4  every so many steps move all free multipliers at once (face.py), and set aside the
       examples that are pressed against a bound
    5  go to 2

Two consequences of m - M <= tol (b in the middle): no margin is wrong by more than tol / 2, and
primal - dual <= tol / 2 * sum C_i. There is always an answer, and its status is honest.

Source: Platt, "Sequential Minimal Optimization", 1998; Keerthi et al., Neural Computation 13
(2001); Fan, Chen, Lin, JMLR 6 (2005); LIBSVM for setting examples aside ("shrinking").
"""

from math import inf
from typing import Any, NamedTuple

from .answers import checked, dual_program, solution_of
from .descent import Descent
from .face import along_the_face
from .separation import touching

PAUSE = 1000  # steps between two times of point 4, at most; a quarter of n if that is less
EFFORT = 10  # multiplications along the face, for each number that the steps since then touched
ENOUGH = 25_000  # and at least so many: a face of few is then always solved to its end


class Step(NamedTuple):
    """What on_step is told after each step, in terms of alpha_j, the second of the pair.

    Between two steps the free multipliers may have moved along their face, too (face.py).

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

    ValueError for bad arguments or a kernel value that is not finite. A step costs O(n) and at
    most two kernel rows.

    >>> from refsvm.problem import Problem
    >>> solution = smo(Problem([[0], [1], [3], [4]], [-1, -1, 1, 1]))
    >>> solution.alpha, solution.b, solution.status
    ([0.0, 0.5, 0.5, 0.0], -2.0, 'optimal')
    """
    problem, tol, max_iter = checked(problem, tol, max_iter, start, on_step, cache_mb, threads)
    descent = Descent(dual_program(problem, start, cache_mb), problem.kind)
    status, iterations, farkas = descend(problem, descent, tol, max_iter, on_step)
    if not descent.sure(inf):
        descent.look_again(inf)
    r = descent.known()
    return solution_of(
        problem, descent.beta, r, descent.extremes(),
        iterations=iterations, status=status, farkas=farkas,
    )


def descend(problem, descent, tol, max_iter, on_step):
    """Step until there is a reason to stop: status, iterations, and a Farkas proof or None."""
    hard = inf in problem.C
    pause = min(problem.n // 4 + 1, PAUSE)
    effort = max(EFFORT * pause * problem.n, ENOUGH)
    iterations, check_at, objective = 0, problem.n, descent.objective()
    status = farkas = None
    while status is None:
        violation = descent.violation()
        # Every now and then, too, when rounding may be all there is to the violation.
        if violation <= tol or iterations % pause == 0 and violation <= 2 * descent.drift:
            if descent.sure(tol):
                status = "optimal"
            elif not descent.look_again(tol):
                status = "precision"
            continue
        if iterations == max_iter:
            status = "max_iter"
            continue
        move = descent.step()
        if move is not None:
            iterations += 1
            objective += move.gain
            if iterations % pause == 0:
                objective += along_the_face(descent, tol, effort)
                descent.set_aside()
            if on_step is not None:
                on_step(told(problem, move, iterations, descent.violation(), objective))
        elif not descent.endless and not descent.refresh():
            status = "precision"  # the best step there is moves nothing by as much as a rounding
        if descent.endless:
            status = "precision"  # rounding hides the curvature, unless there is a disproof
        elif hard and iterations >= check_at:
            check_at *= 2
            farkas = disproof(problem, descent)
            status = "infeasible" if farkas else status
    if hard and not farkas:
        farkas = disproof(problem, descent)
    if status != "max_iter" and (descent.indefinite or farkas):
        status = "indefinite" if descent.indefinite else "infeasible"
    return status, iterations, farkas


def disproof(problem, descent):
    """Multipliers that prove that there is no hard margin, or None."""
    if descent.indefinite:
        return None
    if not descent.endless:
        return touching(problem, descent.beta, descent.program.rows)
    if any(problem.C[i] < inf for i in descent.endless):
        return None
    way = [problem.kind(descent.endless.get(i, 0)) for i in range(problem.n)]
    return touching(problem, way, descent.program.rows) or [abs(v) for v in way]


def told(problem, move, iteration, violation, objective):
    """The Step that tells of a Move: beta_j turned into alpha_j."""
    y = problem.y[move.j]
    low, high = sorted((y * move.low, y * move.high))
    return Step(
        iteration, move.i, move.j, low, high, y * move.unclipped, y * move.clipped,
        violation, objective,
    )
