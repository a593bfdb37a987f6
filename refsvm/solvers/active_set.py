"""The active-set method for support vector machines: from face to face of the box, to the end.

At the optimum each multiplier is 0, C_i or in between. If it were known which, those in between
would follow from linear equations. So a list of the free ones is kept, which changes by one at a
time (qp_active_set.py), and the equations are solved for each list. Unlike SMO this is over after
finitely many steps: on Fractions with tol=0 it ends at the very optimum. From a start near the
optimum it has few lists to go through, so it is the way to finish exactly what another solver has
begun.

A step costs about as much as k kernel rows are long, k being how many are free, and k^2: much
more than one of SMO's. It pays where few are free, where SMO's steps are many, and on Fractions.

Source: Scheinberg, Journal of Machine Learning Research 7 (2006), pages 2237-2257; the method
itself as in qp_active_set.py.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..numerics.types import Kind, Number, VectorLike
from ..svm.dual_form import DualForm, restore_exact_sums
from ..svm.model import Solution
from ..svm.problem import Problem
from ..svm.solutions import FinalIterate
from .dual_program import (
    compute_residuals,
    dual_program,
    kernel_values,
    refuse_overflow,
    solution_of,
    solver_arguments,
)
from .infeasibility import farkas_multipliers
from .qp_active_set import ActiveSetMethod, BoundedQP, Pivot
from .semidefiniteness import has_negative_curvature


def active_set(
    problem: Problem,
    tol: Number = 1e-3,
    max_iter: int | None = None,
    start: VectorLike | None = None,
    on_step: Callable[[Pivot], object] | None = None,
    *,
    cache_mb: float = 200,
    threads: int = 1,
) -> Solution:
    """Solve the problem to m - M <= tol; on Fractions with tol=0 exactly (S6.6, S6.7).

    Parameters
    ----------
    on_step : function
        called with a Pivot after each move: iteration, entering (the multiplier that is freed,
        None on the way to the optimum of a face), step (how far it moves; else which part of that
        way), blocking (the multiplier that met a bound, or None), objective (the dual afterwards)
    max_iter : int
        moves at most; None stands for max(100 000, 100 n)
    tol, start, cache_mb, threads
        as in smo

    Returns
    -------
    Solution
        with the statuses of smo; errors, too, are those of smo

    Notes
    -----
    Source: Scheinberg (2006).

    Examples
    --------
    >>> from fractions import Fraction
    >>> from refsvm.svm.problem import Problem
    >>> rows = [[Fraction(v)] for v in (1, 2, -1, -2, 3)]
    >>> solution = active_set(Problem(rows, [1, 1, -1, -1, -1], slack="squared"), tol=0)
    >>> solution.status, solution.objective, solution.gap
    ('optimal', Fraction(186, 91), Fraction(0, 1))
    """
    problem, tol, max_iter = solver_arguments(
        problem, tol, max_iter, start, on_step, cache_mb, threads, steps=100
    )
    program = dual_program(problem, start, cache_mb)
    method = ActiveSetMethod(
        bounded_qp(program.form, program.rows, problem.kind),
        program.start,
        problem.kind,
        on_step and (lambda pivot: on_step(pivot._replace(objective=-pivot.objective))),
        lambda direction: farkas_multipliers(problem, direction, program.rows.row),
    )
    status = method.minimise(tol / 2, max_iter)
    refuse_overflow(method.x, [])
    beta = restore_exact_sums(
        program.form, method.x, problem.kind, program.rows.diagonal, problem.linear
    )
    r = compute_residuals(program, beta)
    ((m, M),) = problem.group_extremes(program.form, beta, r)
    farkas = None
    if status == "indefinite":
        if not has_negative_curvature(problem, method.negative_direction):
            status = "precision"
    elif m > M:
        farkas = farkas_multipliers(problem, method.ray or beta, program.rows.row)
    if farkas:
        status = "infeasible"
    elif status == "unbounded":
        status = "precision"  # rounding hides the curvature
    answer = FinalIterate(problem, program.form, beta, r, row=kernel_values(problem, program))
    return solution_of(answer, tol, iterations=method.iterations, status=status, farkas=farkas)


def bounded_qp(form: DualForm, rows: Any, kind: Kind) -> BoundedQP:
    """The dual as qp_active_set.py takes it: each group has an equation, for its sum."""
    A = [[kind(k in g) for k in range(len(form.target))] for g in form.groups]
    c = [kind(s) for s in form.sums]
    return BoundedQP(rows.row, form.target, A, c, form.lower, form.upper)
