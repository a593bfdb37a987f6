"""refsvm's learners that take one example at a time, compiled.

Every function answers as its namesake in refsvm, in that one's classes. Numbers that
are floats or ints are worked on in C. Fractions go to the oracle's function; and what must be
refused is refused by the oracle's own checks, called in the oracle's order.
"""

from fractions import Fraction

from refsvm import Precomputed
from refsvm.kernels.base import as_kernel, checked_row_function
from refsvm.kernels.standard import comparable
from refsvm.numerics.conversion import as_lists, is_sequence
from refsvm.numerics.sparse_rows import widened
from refsvm.numerics.validation import (
    check_length,
    labels,
    matrix,
    number_kind,
    positive,
    vector,
    whole_number,
)
from refsvm.online import lms as regressions
from refsvm.online import pegasos as machines
from refsvm.online import perceptron as perceptrons
from refsvm.svm.conventions import from_mean_hinge_halved
from refsvm.svm.training_set import training_rows

from . import _online
from ._inputs import table_of
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


@public
class KernelLMS(regressions.KernelLMS):
    __doc__ = regressions.KernelLMS.__doc__

    def model(self):
        return Model(*super().model())


def examples(X, *others):
    """X as compiled Examples, validated if need be; None if any number is a Fraction."""
    found = _online.examples(X)
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
    found = examples(X, lam)
    if found is None:
        return machines.pegasos(X, y, lam, picks, history=history)
    y, lam = signs(y, found.n), machines.convert_lam(float, lam, found.n)
    w, average, W = _online.pegasos(found, y, lam, picks, history)
    if found.kept is not None:  # W has a vector for each pick
        w, average, *W = [widened(found.kept, v) for v in (w, average, *W)]
    return Pegasos(w, average, W)


@namesake(perceptrons.perceptron)
def perceptron(X, y, picks):
    found = examples(X)
    if found is None:
        return perceptrons.perceptron(X, y, picks)
    w, *counted = _online.perceptron(found, signs(y, found.n), picks)
    return Perceptron(widened(found.kept, w), *counted)


def values(y):
    """y as Doubles; None if it is not plain."""
    y = as_lists(y)
    return _online.plain_values(y, len(y)) if is_sequence(y) else None


def values_for(y, n):
    """y as Doubles, validated: one for each of n examples."""
    y = vector(y, "y", float)
    check_length(y, n, "y")
    return _online.plain_values(y, n)


def regression(X, y, rate):
    """X as Examples, y as Doubles and the rate; None if any number is a Fraction."""
    plain = values(y)
    found = examples(X, rate) if plain else examples(X, y, rate)
    if found is None:
        return None
    if plain is None or plain.n != found.n:
        plain = values_for(y, found.n)
    return found, plain, positive(float, rate, "rate")


@namesake(regressions.lms)
def lms(X, y, rate, steps):
    found = regression(X, y, rate)
    if found is None:
        return regressions.lms(X, y, rate, steps)
    w, losses = _online.lms(*found, whole_number(steps, "steps", 0))
    return regressions.LMS(widened(found[0].kept, w), losses)


@namesake(regressions.stochastic_lms)
def stochastic_lms(X, y, rate, picks):
    found = regression(X, y, rate)
    if found is None:
        return regressions.stochastic_lms(X, y, rate, picks)
    w, losses = _online.stochastic_lms(*found, picks, False)
    return regressions.LMS(widened(found[0].kept, w), losses)


@namesake(perceptrons.kernel_perceptron)
def kernel_perceptron(kernel, X, y, picks, *, cache_mb=200):
    positive(float, cache_mb, "cache_mb")
    problem = Problem(X, y, as_kernel(kernel), bias=False)
    if problem.kind is Fraction:
        return perceptrons.kernel_perceptron(kernel, X, y, picks, cache_mb=cache_mb)
    fields = _online.kernel_perceptron(problem, picks, cache_mb)
    found = KernelPerceptron(*fields)
    found.problem = problem
    return found


@namesake(machines.kernel_pegasos)
def kernel_pegasos(kernel, X, y, lam, picks, *, cache_mb=200):
    positive(float, cache_mb, "cache_mb")
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


class Points:
    """What the compiled kernel rows ask of a problem: here there are rows, but no labels."""

    kind = float

    def __init__(self, kernel, rows, table):
        self.kernel, self.rows, self.table, self.n = kernel, rows, table, len(rows)

    def kernel_rows(self):
        return checked_row_function(
            self.kernel, self.kernel.reference_points(self.rows), float, self.n
        )


def kernel_regression(kernel, X, y, rate):
    """(the kernel and the rows), (K as Examples, y as Doubles, the rate); None for Fractions."""
    kernel = as_kernel(kernel)
    plain, table = values(y), packed(X, kernel)
    unsure = [what for what, sure in ((X, table), (y, plain)) if sure is None]
    if number_kind(*unsure, rate, kernel.parameters()) is Fraction:
        return None
    kernel = kernel.to(float)
    rows = training_rows(X, kernel, float) if table is None else table.rows()
    if plain is None or plain.n != len(rows):
        plain = values_for(y, len(rows))
    K = _online.gram(Points(kernel, comparable(kernel, rows)[1], table))
    return (kernel, rows), (K, plain, positive(float, rate, "rate"))


@namesake(regressions.kernel_lms)
def kernel_lms(kernel, X, y, rate, steps):
    found = kernel_regression(kernel, X, y, rate)
    if found is None:
        return regressions.kernel_lms(kernel, X, y, rate, steps)
    fields = _online.kernel_lms(*found[1], whole_number(steps, "steps", 0))
    return regressions.with_training(KernelLMS(*fields), *found[0])


@namesake(regressions.stochastic_kernel_lms)
def stochastic_kernel_lms(kernel, X, y, rate, picks):
    found = kernel_regression(kernel, X, y, rate)
    if found is None:
        return regressions.stochastic_kernel_lms(kernel, X, y, rate, picks)
    fields = _online.stochastic_lms(*found[1], picks, True)
    return regressions.with_training(KernelLMS(*fields), *found[0])
