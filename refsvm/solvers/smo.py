"""Sequential minimal optimization: the solver of record for every problem with a kernel.

    maximise the dual two multipliers at a time, until no pair violates the conditions by more
    than tol: m - M <= tol, see kkt_conditions.py

SMO as the notes print it is textbook_smo.py; read that first. Here the steps are those of
pair_ascent.py: the beta of the largest residual rises, and its best partner falls by as much. The
loop around them, which also moves all free multipliers together, is ascent_loop.py.

Two consequences of m - M <= tol (b in the middle), in exact arithmetic: no margin is wrong by more
than tol / 2, and primal - dual <= tol / 2 * sum C_i. There is always an answer; "optimal" is said
only where m - M <= tol is proved of it (svm/solutions.py).

No example is set aside ("shrinking", as in LIBSVM): at the end every multiplier that moved would
need the rest of its kernel row, and rows are what takes the time. For more than MAX_SMO_ROWS
examples such a step is too dear: then smo is decomposition.py, which takes steps among a few; and
above MAX_STEP_ROWS it goes over to these where steps are many and so are free multipliers.

Source: Platt, "Sequential Minimal Optimization", 1998; Keerthi et al., Neural Computation 13
(2001); Fan, Chen, Lin, JMLR 6 (2005), pages 1889-1918, for the second-order rule.
"""

from __future__ import annotations

from collections.abc import Callable

from ..numerics.types import Number, VectorLike
from ..svm.model import Solution
from ..svm.problem import Problem
from ..svm.training_problem import require_training_problem
from .ascent_loop import maximise
from .dual_program import dual_program, solver_arguments
from .pair_ascent import PairAscent, Step, step_reporter

MAX_STEP_ROWS = 10_000  # where there are more, and many multipliers are free, rounds follow steps
MAX_SMO_ROWS = 15_000  # where there are more, rounds of steps among a few of them are quicker


def smo(
    problem: Problem,
    tol: Number = 1e-3,
    max_iter: int | None = None,
    start: VectorLike | None = None,
    on_step: Callable[[Step], object] | None = None,
    *,
    cache_mb: float = 200,
    threads: int = 1,
) -> Solution:
    """Solve the problem to m - M <= tol (S3).

    Parameters
    ----------
    tol : number, 0 or more
        in units of the functional margin, which is 1
    max_iter : int
        steps at most; None: as many as it takes, as long as they bring anything (ascent_loop.py)
    start : n numbers
        multipliers to start from, 0 <= alpha_i <= C_i; what sum alpha_i y_i has too much is first
        taken off the heavier class, in index order
    on_step : function
        called with a Step after each step
    cache_mb : number
        room for kernel rows in megabytes; changes no bit
    threads : int
        at most so many work, in refsvm_fast; changes no bit. One does where a kernel row takes
        fewer than some 200,000 cycles, as two would bring little: with AVX2 up to 15,000 rows of
        5 columns, 11,000 of 20, 4000 of 100, 600 of 784; and with the linear kernel. With more,
        two on idle cores were 1.4 to 2 times as fast (tests/bench/README.md)

    Returns
    -------
    Solution
        whose status says how it ended

    Raises
    ------
    ValueError, TypeError
        for bad arguments, a kernel value that is not finite, or an answer beyond the doubles

    Notes
    -----
    A step costs O(n) and at most two kernel rows; above MAX_STEP_ROWS examples see
    decomposition. Source: Platt (1998); CS229, section 9.2.

    Examples
    --------
    >>> from refsvm.svm.problem import Problem
    >>> solution = smo(Problem([[0], [1], [3], [4]], [-1, -1, 1, 1]))
    >>> solution.alpha, solution.b, solution.status
    ([0.0, 0.5, 0.5, 0.0], -2.0, 'optimal')
    """
    if require_training_problem(problem).n > MAX_SMO_ROWS:
        from .decomposition import decomposition  # few problems need it, and all would wait

        return decomposition(
            problem, tol, max_iter, start, on_step, cache_mb=cache_mb, threads=threads
        )
    problem, tol, max_iter = solver_arguments(
        problem, tol, max_iter, start, on_step, cache_mb, threads, require=require_training_problem
    )
    program = dual_program(problem, start, cache_mb)
    if problem.n > MAX_STEP_ROWS:
        from .decomposition import MEMBERS, RoundAscent

        ascent: PairAscent = RoundAscent(problem, program, MEMBERS, by_rounds=False)
    else:
        ascent = PairAscent(program, problem.kind)
    return maximise(problem, ascent, tol, max_iter, step_reporter(problem, on_step))
