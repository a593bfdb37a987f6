"""The active-set method for support vector machines: from face to face of the box, to the end.

At the optimum each multiplier is 0, C_i or in between. Knew one which, the ones in between would
follow from linear equations. So a list of the free ones is kept, which changes by one at a time
(pivoting.py), and the equations are solved for each list. Unlike SMO this is over after finitely
many steps: on Fractions with tol=0 it ends at the very optimum. From a start near the optimum it
has few lists to go through, so it is the way to finish exactly what another solver has begun.

A step costs about as much as k kernel rows are long, k being how many are free, and k^2: much
more than one of SMO's. It pays where few are free, where SMO's steps are many, and on Fractions.

Source: Scheinberg, Journal of Machine Learning Research 7 (2006), pages 2237-2257; the method
itself as in pivoting.py.
"""

from ..svm.kkt_conditions import extremes
from .answers import checked, dual_program, residuals, solution_of
from .infeasibility import touching
from .pivoting import Form, Walk


def active_set(
    problem, tol=1e-3, max_iter=None, start=None, on_step=None, *, cache_mb=200, threads=1
):
    """Solve the problem to m - M <= tol; on Fractions with tol=0 exactly. A Solution.

    The arguments, and the statuses, are those of smo; but on_step is called with a Pivot:
    iteration, entering (the multiplier that is let go, None on the way to the best point of a
    face), step (how far it moves; else which part of that way), blocking (the multiplier that met
    a bound, or None), objective (the dual afterwards).

    >>> from fractions import Fraction
    >>> from refsvm.svm.problem import Problem
    >>> rows = [[Fraction(v)] for v in (1, 2, -1, -2, 3)]
    >>> solution = active_set(Problem(rows, [1, 1, -1, -1, -1], slack="squared"), tol=0)
    >>> solution.status, solution.objective, solution.gap
    ('optimal', Fraction(186, 91), Fraction(0, 1))
    """
    problem, tol, max_iter = checked(problem, tol, max_iter, start, on_step, cache_mb, threads)
    program = dual_program(problem, start, cache_mb)
    walk = Walk(
        form_of(program, problem.kind),
        program.start,
        problem.kind,
        on_step and (lambda pivot: on_step(pivot._replace(objective=-pivot.objective))),
        lambda way: touching(problem, way, program.rows),
    )
    status = walk.minimise(tol / 2, max_iter)
    r = residuals(program, walk.x) if problem.kind is float else walk.residuals()
    alpha = [x * y for x, y in zip(walk.x, problem.y)]
    m, M = extremes(problem, alpha, r)
    if status == "optimal" and m - M > tol:
        status = "precision"
    farkas = None
    if status != "indefinite" and m > M:
        farkas = touching(problem, walk.ray or walk.x, program.rows)
    if farkas:
        status = "infeasible"
    elif status == "unbounded":
        status = "precision"  # rounding hides the curvature
    return solution_of(
        problem, walk.x, r, iterations=walk.iterations, status=status, farkas=farkas
    )


def form_of(program, kind):
    """The dual program as pivoting.py wants it: tied means one equation, sum beta = 0."""
    n = len(program.start)
    A = [[kind(1)] * n] if program.tied else []
    return Form(
        program.rows.row, program.target, A, [kind(0)] * len(A), program.lower, program.upper
    )
