"""LMS, least mean squares: linear regression by small steps, with weights or with a kernel.

    batch        w = w + rate * sum of (y_i - w.x_i) x_i over all i           (all errors at once)
    stochastic   w = w + rate * (y_s - w.x_s) x_s                             for each pick s

Both start at w = 0. Then w stays a combination of the rows, w = sum beta_i x_i, and the same steps
can be taken on its coefficients, for which inner products K_ij of the rows are enough:

    batch        beta_i = beta_i + rate * (y_i - sum_j beta_j K_ij)           for all i at once
    stochastic   beta_s = beta_s + rate * (y_s - sum_j beta_j K_sj)           for each pick s

"For all i at once" is meant: every error is computed from the old beta. Using each new beta_i at
once is another algorithm.

    X      n rows, d numbers each           K      their kernel values, n by n
    y      n numbers, any                   rate   the length of a step, positive
    w      weights, beta coefficients       slope  X'(y - X w): zero where w is best

When it converges. A batch step multiplies the errors by I - rate * K, so they settle, whatever y
is, if rate * (largest eigenvalue of K) < 2 (`settles`, `largest_rate`), and can grow without end
if it is > 2. A stochastic step takes w no further from any w that fits all the data if
rate * K_ss <= 2 (`largest_stochastic_rate`). Where no w fits y, beta need not settle: what no w
can reach is added to it for ever, while the predictions K beta converge. So watch `slope`, not
beta.

Source: CS229 notes, sections 1.1 to 1.4, equations (2) to (12).
"""

from fractions import Fraction
from math import inf
from typing import NamedTuple

from ..kernels.base import as_kernel, rows_against
from ..kernels.gram_matrices import finite_row
from ..numerics.eigenvalues import symmetric_eigenvalues
from ..numerics.factorisations import ldl
from ..numerics.linalg import dot, matrix_vector, symmetric_size, transpose
from ..numerics.validation import (
    indices,
    matrix,
    number_kind,
    positive,
    same_length,
    vector,
    whole_number,
)
from ..svm.model import model_from_beta
from ..svm.problem import training_rows


class LMS(NamedTuple):
    """The weights; and for each step half the sum of the squares of the errors it saw."""

    w: list
    losses: list


class KernelLMSFields(NamedTuple):
    """The fields of a KernelLMS, in order."""

    beta: list
    losses: list


class KernelLMS(KernelLMSFields):
    """The coefficients; and for each step half the sum of the squares of the errors it saw."""

    def model(self):
        """A Model whose decision(x) is the prediction, sum beta_i K(x_i, x)."""
        kernel, rows = self.machine
        return model_from_beta(kernel, rows, self.beta, type(self.beta[0])(0))


def lms(X, y, rate, steps):
    """Batch LMS from w = 0; an LMS(w, losses). O(n d) a step.

    ValueError for bad arguments, or when the rate is so large that a weight is beyond any double.

    >>> lms([[1], [2]], [2, 4], 0.25, 2).w
    [1.875]
    """
    X, y, rate = regression(X, y, rate)
    columns, w, losses = transpose(X), [type(rate)(0)] * len(X[0]), []
    for t in range(whole_number(steps, "steps", 0)):
        errors = [v - dot(w, x) for v, x in zip(y, X)]
        losses.append(dot(errors, errors) / 2)
        w = settled([v + rate * dot(errors, c) for v, c in zip(w, columns)], rate, t)
    return LMS(w, losses)


def stochastic_lms(X, y, rate, picks):
    """Stochastic LMS from w = 0 over the picked examples; an LMS(w, losses). O(d) a pick.

    >>> stochastic_lms([[1], [2]], [2, 4], 0.25, [0, 1])
    LMS(w=[2.0], losses=[2.0, 4.5])
    """
    X, y, rate = regression(X, y, rate)
    w, losses = [type(rate)(0)] * len(X[0]), []
    for t, s in enumerate(indices(picks, len(X))):
        error = y[s] - dot(w, X[s])
        losses.append(error * error / 2)
        push = rate * error
        w = settled([v + push * x for v, x in zip(w, X[s])], rate, t)
    return LMS(w, losses)


def kernel_lms(kernel, X, y, rate, steps):
    """Batch LMS on coefficients, from beta = 0; a KernelLMS(beta, losses). O(n n) a step.

    The Gram matrix is computed once, O(n n d).

    >>> from refsvm.kernels.standard import Linear
    >>> run = kernel_lms(Linear(), [[1], [2]], [2, 4], 0.25, 2)
    >>> run.beta, run.model().decision([1])
    ([0.375, 0.75], 1.875)
    """
    kernel, rows, K, y, rate = kernel_regression(kernel, X, y, rate)
    beta, losses = [type(rate)(0)] * len(y), []
    for t in range(whole_number(steps, "steps", 0)):
        errors = [v - dot(beta, row) for v, row in zip(y, K)]
        losses.append(dot(errors, errors) / 2)
        beta = settled([b + rate * e for b, e in zip(beta, errors)], rate, t)
    return remembering(KernelLMS(beta, losses), kernel, rows)


def stochastic_kernel_lms(kernel, X, y, rate, picks):
    """Stochastic LMS on coefficients, from beta = 0; a KernelLMS(beta, losses). O(n) a pick.

    >>> from refsvm.kernels.standard import Linear
    >>> stochastic_kernel_lms(Linear(), [[1], [2]], [2, 4], 0.25, [0, 1])
    KernelLMS(beta=[0.5, 0.75], losses=[2.0, 4.5])
    """
    kernel, rows, K, y, rate = kernel_regression(kernel, X, y, rate)
    beta, losses = [type(rate)(0)] * len(y), []
    for t, s in enumerate(indices(picks, len(y))):
        error = y[s] - dot(beta, K[s])
        losses.append(error * error / 2)
        beta[s] += rate * error
        settled(beta[s : s + 1], rate, t)
    return remembering(KernelLMS(beta, losses), kernel, rows)


def slope(X, y, w):
    """X'(y - X w), d numbers: minus the gradient of half the sum of squared errors. O(n d).

    Zero if and only if no w has a smaller sum. For coefficients give K for X and beta for w.

    >>> slope([[1], [2]], [2, 4], [1.875])
    [0.625]
    """
    kind = number_kind(X, y, w)
    X, y, w = matrix(X, "X", kind), vector(y, "y", kind), vector(w, "w", kind)
    same_length(y, len(X), "y")
    if len(w) != len(X[0]):
        raise ValueError(f"w has length {len(w)}; the rows of X have {len(X[0])}")
    return matrix_vector(transpose(X), [v - dot(w, x) for v, x in zip(y, X)])


def settles(K, rate):
    """Whether batch steps of this rate settle for every y: rate * (largest eigenvalue of K) < 2.

    Decided exactly, for floats as for Fractions: by whether 2 I - rate K is positive definite. K
    is a positive semidefinite Gram matrix, or X'X. O(n n n).

    >>> settles([[1, 0], [0, 4]], 0.49), settles([[1, 0], [0, 4]], 0.5)
    (True, False)
    """
    n = symmetric_size(K, "K")
    K, rate = matrix(K, "K", Fraction), positive(Fraction, rate, "rate")
    shrinking = [[2 * (i == j) - rate * K[i][j] for j in range(n)] for i in range(n)]
    return ldl(shrinking).rank == n


def largest_rate(K):
    """2 / (largest eigenvalue of K), a float: batch steps settle for every smaller rate. O(n n n).

    inf for a matrix of zeros, where nothing moves at all.

    >>> largest_rate([[1, 0], [0, 4]])
    0.5
    """
    K = [[float(v) for v in row] for row in matrix(K, "K")]
    largest = symmetric_eigenvalues(K)[-1]
    return 2 / largest if largest > 0 else inf


def largest_stochastic_rate(K):
    """2 / (the largest K_ii): at smaller rates no pick leads away from a w that fits all. O(n).

    >>> largest_stochastic_rate([[1, 0], [0, 4]])
    0.5
    """
    kind = number_kind(K)
    symmetric_size(K, "K")
    largest = max(row[i] for i, row in enumerate(matrix(K, "K", kind)))
    return 2 / largest if largest > 0 else inf


def regression(X, y, rate):
    """X, y and the rate in numbers of one kind."""
    kind = number_kind(X, y, rate)
    X, y = matrix(X, "X", kind), vector(y, "y", kind)
    same_length(y, len(X), "y")
    return X, y, positive(kind, rate, "rate")


def kernel_regression(kernel, X, y, rate):
    """The kernel, the rows, their Gram matrix, y and the rate, in numbers of one kind."""
    kernel = as_kernel(kernel)
    kind = number_kind(X, y, rate, kernel.numbers())
    kernel = kernel.to(kind)
    rows = training_rows(X, kernel, kind)
    y = vector(y, "y", kind)
    same_length(y, len(rows), "y")
    values = rows_against(kernel, kernel.points(rows), kind, len(rows))
    K = [finite_row(values(x), i) for i, x in enumerate(rows)]
    return kernel, rows, K, y, positive(kind, rate, "rate")


def settled(numbers, rate, t):
    """The numbers, refused if one of them is beyond any double: the steps were too long."""
    for v in numbers:
        if not -inf < v < inf:
            raise ValueError(
                f"rate is {rate}; step {t} leaves the range of doubles, so it is too large"
            )
    return numbers


def remembering(found, kernel, rows):
    """found, with what its model needs, which is no field of it."""
    found.machine = kernel, rows
    return found
