"""refsvm's learners that take one example at a time, and dual coordinate descent, compiled.

Every function answers as its namesake in refsvm, in that one's classes. Numbers that
are floats or ints are worked on in C. Fractions go to the oracle's function; and what must be
refused is refused by the oracle's own checks, called in the oracle's order.
"""

from fractions import Fraction
from math import inf

import refsvm
from refsvm import Precomputed
from refsvm.kernels.base import as_kernel
from refsvm.numerics.sparse_rows import widened
from refsvm.numerics.validation import labels, matrix, number_kind, room
from refsvm.online import pegasos as machines
from refsvm.online import perceptron as perceptrons
from refsvm.solvers import dual_coordinate_descent as descents
from refsvm.solvers import newton as newtons
from refsvm.solvers import proximal_point as centres
from refsvm.solvers.dual_program import solution_of, solver_arguments, starting_point
from refsvm.solvers.newton_direction import CG_REDUCTION, MOST_REDUCTION, SHARPENING
from refsvm.svm import regression_without_offset as tubes
from refsvm.svm.conventions import from_mean_hinge_halved
from refsvm.svm.model import OffsetInterval, Solution
from refsvm.svm.own_weights import sums_of_examples
from refsvm.svm.solutions import FinalIterate

from . import _online
from ._grouped_problems import RegressionWithoutOffset
from ._inputs import is_whole, table_of
from ._models import Model
from ._packed_rows import Packed, comparable_rows
from ._problem import Problem
from ._public import namesake, public


@public
class Pegasos(machines.Pegasos):
    __doc__ = machines.Pegasos.__doc__
    __slots__ = ()

    def model(self, average=True):
        return Model(*super().model(average))


@public
class KernelPegasos(machines.KernelPegasos):
    __doc__ = machines.KernelPegasos.__doc__

    def model(self, average=True):
        return Model(*super().model(average))


@public
class Perceptron(perceptrons.Perceptron):
    __doc__ = perceptrons.Perceptron.__doc__
    __slots__ = ()

    def model(self):
        return Model(*super().model())


@public
class KernelPerceptron(perceptrons.KernelPerceptron):
    __doc__ = perceptrons.KernelPerceptron.__doc__

    def model(self):
        return Model(*super().model())


def examples(X, y, picks, *others):
    """X as compiled Examples, validated if need be; None if any number is a Fraction."""
    found = _online.examples(X, y, picks, *others)
    if found is None:
        if number_kind(X, *others) is Fraction:
            return None
        return _online.examples(matrix(X, "X", float))
    return None if number_kind(*others) is Fraction else found


def signs(y, n):
    """The labels, validated if need be."""
    return _online.plain_signs(y, n) or _online.plain_signs(labels(y, n), n)


@namesake(machines.pegasos)
def pegasos(X, y, lam, picks, *, history=True):
    found = examples(X, y, picks, lam, history)
    if found is None:
        return machines.pegasos(X, y, lam, picks, history=history)
    y, lam = signs(y, found.n), machines.convert_lam(float, lam, found.n)
    w, average, W = _online.pegasos(found, y, lam, picks, history)
    if found.kept is not None:  # W has a vector for each pick
        w, average, *W = [widened(found.kept, v) for v in (w, average, *W)]
    return Pegasos(w, average, W)


@namesake(perceptrons.perceptron)
def perceptron(X, y, picks):
    found = examples(X, y, picks)
    if found is None:
        return perceptrons.perceptron(X, y, picks)
    w, *counted = _online.perceptron(found, signs(y, found.n), picks)
    return Perceptron(widened(found.kept, w), *counted)


@namesake(perceptrons.kernel_perceptron)
def kernel_perceptron(kernel, X, y, picks, *, cache_mb=200):
    room(cache_mb)
    problem = Problem(X, y, as_kernel(kernel), bias=False)
    if problem.kind is Fraction:
        return perceptrons.kernel_perceptron(kernel, X, y, picks, cache_mb=cache_mb)
    fields = _online.kernel_perceptron(problem, picks, cache_mb)
    found = KernelPerceptron(*fields)
    found.problem = problem
    return found


@namesake(machines.kernel_pegasos)
def kernel_pegasos(kernel, X, y, lam, picks, *, cache_mb=200):
    room(cache_mb)
    problem, lam = equivalent_problem(kernel, X, y, lam)
    if problem.kind is Fraction:
        return machines.kernel_pegasos(kernel, X, y, lam, picks, cache_mb=cache_mb)
    fields = _online.kernel_pegasos(problem, lam, picks, cache_mb)
    run = KernelPegasos(*fields, lam)
    run.problem = problem
    return run


def packed(X, kernel):
    """The Table of X, if X is rows of plain numbers and the kernel compares such; else None."""
    rows = kernel.takes_numbers and not isinstance(kernel, Precomputed)
    table = table_of(X) if rows else None
    return table if table is not None and comparable_rows(table, kernel) else None


def equivalent_problem(kernel, X, y, lam):
    """(a Problem whose rows stay packed, lam): pegasos.equivalent_problem for floats."""
    kernel = as_kernel(kernel)
    table = packed(X, kernel)
    if table is None or number_kind(lam, kernel.parameters()) is Fraction:
        return machines.equivalent_problem(kernel, X, y, lam)
    kernel.to(float)  # what it refuses, it refuses before lam is looked at
    lam = machines.convert_lam(float, lam, table.n)
    C = from_mean_hinge_halved(lam, table.n).C
    return Problem(Packed(X, table), y, kernel, C, bias=False), lam


DESCENDED = refsvm.Problem, Problem, tubes.RegressionWithoutOffset, RegressionWithoutOffset


def solved_rows(problem):
    """The rows of a problem that is solved in C, as Examples; None of any other."""
    plain = problem.kind is float and type(problem) in DESCENDED
    if not plain or not problem.linear or problem.bias or not is_whole(problem):
        return None
    rows = _online.rows_of_problem(problem)
    return rows if rows is not None and rows.n == problem.n else None


@namesake(descents.dual_coordinate_descent)
def dual_coordinate_descent(problem, picks, tol=1e-3, start=None, on_step=None):
    own_picks, require = isinstance(picks, _online.Draws), tubes.require_for_descent
    there, tol_of_kind, _ = solver_arguments(
        problem, tol, None, start, on_step, require=require, calls_back=not own_picks
    )
    rows = solved_rows(there)
    if rows is None:
        return descents.dual_coordinate_descent(there, picks, tol, start, on_step)
    descent = _online.CoordinateDescent(rows, there)
    limit = tol_of_kind * descent.unit
    # No function of the caller's is called meanwhile, which may change the problem.
    alone = on_step is None and own_picks
    form = None if alone else there.dual_form()
    if start is not None and not descent.begins_plainly(start):
        form = there.dual_form()
        descent.begin_at(there, form, starting_point(there, form, start))
    reason = descent.descend(picks, limit, on_step)
    found = plain_solution(descent, there, limit, reason) if alone else None
    return found or ended(descent, there, form or there.dual_form(), tol_of_kind, reason)


def plain_solution(descent, problem, tol, reason):
    """CoordinateDescent.solution of the oracle, as it nearly always is; or None."""
    if descent.unbounded is not None:
        return None
    status = "optimal" if descent.violation() <= tol else reason or "max_iter"
    found = descent.plain_ending(problem, tol, tol if status == "optimal" else inf)
    if found is None:
        return None
    *fields, most = found
    solution = Solution(*fields, descent.iterations, status, None)
    b = OffsetInterval(solution.b, solution.b_low, solution.b_high)
    solution.problem, solution.offsets = problem, problem.offsets_class(b)
    solution.optimum_at_most, solution.least_scores = most, ()
    return solution


def ended(descent, problem, form, tol, reason):
    """CoordinateDescent.solution of the oracle. reason: to stop, if any."""
    violation, status, farkas = descent.violation(), reason or "max_iter", None
    beta, r = descent.betas(), descent.residuals()
    if descent.unbounded is not None:
        status, farkas = "infeasible", [float(i == descent.unbounded) for i in range(problem.n)]
    elif violation <= tol * descent.unit:
        status = "optimal"
    answer, steps = FinalIterate(problem, form, beta, r), descent.iterations
    return solution_of(answer, tol, iterations=steps, status=status, farkas=farkas)


class CompiledSums:
    """The sums over the examples of a descent, compiled; it inherits before the oracle's class."""

    _examples = _online.NewtonExamples

    def __init__(self, problem, rows):
        self.problem, self.kind, self.share = problem, float, 1.0
        self.examples = examples = self._examples(rows, problem)
        self.longest, self.products = examples.longest(), examples.products
        examples.reduction = CG_REDUCTION
        self.d = problem.column_count()
        if not self.longest < inf:
            problem.squared_norms()  # which refuses it
        self.point, self.point_between = examples.point, examples.point_between
        self.gradient = examples.gradient
        self.step_from, self.has_same_piece = examples.step_from, examples.has_same_piece

    def take_share(self, share):
        self.share = share
        self.examples.take_share(share)

    def allow(self, products):
        self.products = self.examples.products = products

    def sharpen(self):
        self.examples.reduction = min(SHARPENING * self.examples.reduction, MOST_REDUCTION)

    def sums(self, at):
        return sums_of_examples(self.problem, *self.examples.sums(at), self.longest)


class NewtonDescent(CompiledSums, newtons.NewtonDescent):
    """newton.NewtonDescent, compiled."""


class ProximalDescent(CompiledSums, centres.ProximalDescent):
    """proximal_point.ProximalDescent, compiled."""

    _examples = _online.ProximalExamples

    def move_centre(self, at, share):
        self.examples.take_centre(at)
        self.take_share(share)

    def sums(self, at):
        return super().sums(at)._replace(shares=at.shares, apart=at.apart)


@namesake(newtons.newton)
def newton(problem, tol=1e-4, max_iter=1000, start=None, on_step=None, *, threads=1):
    there, limit, _ = solver_arguments(
        problem, tol, max_iter, start, on_step, threads=threads, require=tubes.require_for_descent
    )
    newtons.refuse_others(there)
    rows = solved_rows(there)
    if rows is None:
        return newtons.newton(there, tol, max_iter, start, on_step, threads=threads)
    descent = NewtonDescent(there, rows)
    return descent.descend(newtons.first_w(there, start), limit, max_iter, on_step)


@namesake(centres.proximal_point)
def proximal_point(problem, tol=1e-4, max_iter=1000, on_step=None, *, threads=1):
    there, limit, most = solver_arguments(
        problem, tol, max_iter, None, on_step, threads=threads, require=tubes.require_for_descent
    )
    newtons.refuse_others(there, "proximal_point")
    rows = solved_rows(there)
    if rows is None:
        return centres.proximal_point(there, tol, max_iter, on_step, threads=threads)
    return ProximalDescent(there, rows).bring_down(limit, most, on_step)
