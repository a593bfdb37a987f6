"""refsvm's solvers of the dual, which take compiled steps (_smo.pyx) where all is plain floats."""

from functools import partial

import refsvm
from refsvm.numerics.validation import whole_number
from refsvm.solvers import decomposition as rounds
from refsvm.solvers.dual_program import refuse_shared_ridge, solver_arguments
from refsvm.solvers.pair_ascent import step_of
from refsvm.solvers.smo import MAX_SMO_ROWS, MAX_STEP_ROWS
from refsvm.svm.training_problem import require_training_problem

from ._inputs import is_whole
from ._public import is_own, namesake
from ._smo import CyclicAscent, Decomposition, DualAscent

ENDLESS = 1 << 62  # steps: as many as C counts


@namesake(refsvm.smo)
def smo(problem, tol=1e-3, max_iter=None, start=None, on_step=None, *, cache_mb=200, threads=1):
    given = problem, tol, max_iter, start
    if require_training_problem(problem).n > MAX_SMO_ROWS:
        return decomposition(*given, on_step, cache_mb=cache_mb, threads=threads)
    way = DualAscent
    if problem.n > MAX_STEP_ROWS:
        way = partial(Decomposition, members=rounds.MEMBERS, by_rounds=False)
    return solved(way, refsvm.smo, given, on_step, cache_mb, threads)


@namesake(refsvm.coordinate_ascent)
def coordinate_ascent(
    problem, tol=1e-3, max_iter=None, start=None, on_step=None, *, cache_mb=200, threads=1
):
    given = problem, tol, max_iter, start
    if getattr(problem, "bias", True):
        return refsvm.coordinate_ascent(*given, on_step, cache_mb=cache_mb, threads=threads)
    return solved(CyclicAscent, refsvm.coordinate_ascent, given, on_step, cache_mb, threads)


@namesake(rounds.decomposition)
def decomposition(
    problem,
    tol=1e-3,
    max_iter=None,
    start=None,
    on_step=None,
    *,
    members=rounds.MEMBERS,
    cache_mb=200,
    threads=1,
):
    members = whole_number(members, "members", 2)
    way = partial(Decomposition, members=members, by_rounds=True)
    theirs = partial(rounds.decomposition, members=members)
    given = problem, tol, max_iter, start
    return solved(way, theirs, given, on_step, cache_mb, threads)


def solved(way, theirs, given, on_step, cache_mb, threads):
    """What `theirs`, a solver of the oracle's, returns for these arguments. `way`: makes the
    ascent that takes its steps."""
    problem, tol, max_iter = solver_arguments(
        *given, on_step, cache_mb, threads, require=require_training_problem
    )
    given = problem, *given[1:]
    plain = problem.kind is float and is_own(type(problem))
    refuse_shared_ridge(problem)
    if not plain or not is_whole(problem):
        return theirs(*given, on_step, cache_mb=cache_mb)
    ascent = way(problem, given[3], float(cache_mb))
    source = ascent.rows.source
    try:
        source.hire(whole_number(threads, "threads", 1))
        tell = None if on_step is None else lambda *news: on_step(step_of(*news))
        sampled = getattr(on_step, "sampled", False) is True  # which commands/console.py asks for
        solution = ascent.run(tol, min(max_iter, ENDLESS), tell, sampled)
    finally:
        source.dismiss()
    if solution is None:
        return theirs(*given, after(ascent.iterations, on_step), cache_mb=cache_mb)
    return solution


def after(steps, on_step):
    """on_step without the first steps, which were reported before the oracle began anew."""
    return on_step and (lambda step: step.iteration > steps and on_step(step))
