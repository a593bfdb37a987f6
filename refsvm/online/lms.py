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

When it converges. A batch step multiplies the errors by I - rate * K, so they converge, whatever y
is, if rate * (largest eigenvalue of K) < 2 (`converges`, `largest_rate`), and can grow without end
if it is > 2. A stochastic step takes w no further from any w that fits all the data if
rate * K_ss <= 2 (`largest_stochastic_rate`). Where no w fits y, beta need not converge: each step
adds the part of y that no w can reach, while the predictions K beta converge. So watch `slope`,
not beta.

Source: CS229 notes, sections 1.1 to 1.4, equations (2) to (12).
"""

from __future__ import annotations

from fractions import Fraction
from math import inf
from typing import Any, NamedTuple

from ..kernels.base import Kernel, as_kernel, checked_row_function
from ..kernels.gram_matrices import finite_row
from ..kernels.standard import comparable
from ..numerics.display import displayed
from ..numerics.eigenvalues import symmetric_eigenvalues
from ..numerics.factorisations import ldl
from ..numerics.linalg import dot, matrix_vector, symmetric_size, transpose
from ..numerics.pickles import with_format
from ..numerics.quoting import quote
from ..numerics.sparse_rows import inner, narrowed, widened
from ..numerics.types import KernelLike, Matrix, Number, Picks, Rows, Vector, VectorLike
from ..numerics.validation import (
    check_length,
    indices,
    matrix,
    nearest,
    number_kind,
    positive,
    vector,
    whole_number,
)
from ..svm.model import Model, model_from_beta
from ..svm.problem_rows import training_rows


@displayed
class LMS(NamedTuple):
    """The weights of a linear regression by LMS.

    Attributes
    ----------
    w : d numbers
    losses : a number for each step
        half the sum of the squares of the errors that the step saw
    """

    w: Vector
    losses: Vector


class KernelLMSFields(NamedTuple):
    """The fields of a KernelLMS, in order."""

    beta: Vector
    losses: Vector


@with_format
@displayed
class KernelLMS(KernelLMSFields):
    """The coefficients of a kernel regression by LMS.

    Attributes
    ----------
    beta : n numbers
    losses : a number for each step
        half the sum of the squares of the errors that the step saw
    """

    training: tuple[Kernel, list[Any]]

    def model(self) -> Model:
        """Return a Model whose decision(x) is the prediction, sum beta_i K(x_i, x)."""
        kernel, rows = self.training
        return model_from_beta(kernel, rows, self.beta, type(self.beta[0])(0))


def lms(X: Rows, y: VectorLike, rate: Number, steps: int) -> LMS:
    """Run batch LMS from w = 0 (S23.1).

    Parameters
    ----------
    X, y : n rows of d numbers, n numbers
    rate : positive number
        converges below `largest_rate`
    steps : int, at least 0

    Returns
    -------
    LMS
        (w, losses)

    Raises
    ------
    ValueError
        for a bad argument, or if the rate is so large that a weight is beyond any double

    Notes
    -----
    O(n d) a step. Source: CS229, section 1.1.

    Examples
    --------
    >>> lms([[1], [2]], [2, 4], 0.25, 2).w
    [1.875]
    """
    kept, X, y, rate = _convert_regression(X, y, rate)
    columns, w, losses = transpose(X), [type(rate)(0)] * len(X[0]), []
    for t in range(whole_number(steps, "steps", 0)):
        errors = [v - inner(w, x) for v, x in zip(y, X)]
        losses.append(dot(errors, errors) / 2)
        w = _require_finite([v + rate * dot(errors, c) for v, c in zip(w, columns)], rate, t)
    return LMS(widened(kept, w), losses)


def stochastic_lms(X: Rows, y: VectorLike, rate: Number, picks: Picks) -> LMS:
    """Run stochastic LMS from w = 0 over the examples that `picks` names (S23.1).

    Parameters
    ----------
    X, y : n rows of d numbers, n numbers
    rate : positive number
        leads away from no w that fits all the data up to `largest_stochastic_rate`
    picks : indices from 0 to n - 1, at least one

    Returns
    -------
    LMS
        (w, losses)

    Notes
    -----
    O(d) a pick. Source: CS229, section 1.1.

    Examples
    --------
    >>> stochastic_lms([[1], [2]], [2, 4], 0.25, [0, 1])
    LMS(w=[2.0], losses=[2.0, 4.5])
    """
    kept, X, y, rate = _convert_regression(X, y, rate)
    w, losses = [type(rate)(0)] * len(X[0]), []
    for t, s in enumerate(indices(picks, len(X))):
        error = y[s] - inner(w, X[s])
        losses.append(error * error / 2)
        push = rate * error
        w = _require_finite([v + push * x for v, x in zip(w, X[s])], rate, t)
    return LMS(widened(kept, w), losses)


def kernel_lms(kernel: KernelLike, X: Rows, y: VectorLike, rate: Number, steps: int) -> KernelLMS:
    """Run batch LMS on coefficients, from beta = 0 (S23.2).

    Parameters
    ----------
    X, y, rate, steps : as for `lms`; rows may be strings for a string kernel

    Returns
    -------
    KernelLMS
        (beta, losses)

    Notes
    -----
    O(n n d) once for the Gram matrix, then O(n n) a step. Source: CS229, section 1.4, (11).

    Examples
    --------
    >>> from refsvm.kernels.standard import Linear
    >>> run = kernel_lms(Linear(), [[1], [2]], [2, 4], 0.25, 2)
    >>> run.beta, run.model().decision([1])
    ([0.375, 0.75], 1.875)
    """
    kernel, rows, K, y, rate = _convert_kernel_regression(kernel, X, y, rate)
    beta, losses = [type(rate)(0)] * len(y), []
    for t in range(whole_number(steps, "steps", 0)):
        errors = [v - dot(beta, row) for v, row in zip(y, K)]
        losses.append(dot(errors, errors) / 2)
        beta = _require_finite([b + rate * e for b, e in zip(beta, errors)], rate, t)
    return _with_training(KernelLMS(beta, losses), kernel, rows)


def stochastic_kernel_lms(
    kernel: KernelLike, X: Rows, y: VectorLike, rate: Number, picks: Picks
) -> KernelLMS:
    """Run stochastic LMS on coefficients, from beta = 0 (S23.2).

    Parameters
    ----------
    X, y, rate, picks : as for `stochastic_lms`; rows may be strings for a string kernel

    Returns
    -------
    KernelLMS
        (beta, losses)

    Notes
    -----
    O(n n d) once for the Gram matrix, then O(n) a pick. Source: CS229, section 1.4.

    Examples
    --------
    >>> from refsvm.kernels.standard import Linear
    >>> stochastic_kernel_lms(Linear(), [[1], [2]], [2, 4], 0.25, [0, 1])
    KernelLMS(beta=[0.5, 0.75], losses=[2.0, 4.5])
    """
    kernel, rows, K, y, rate = _convert_kernel_regression(kernel, X, y, rate)
    beta, losses = [type(rate)(0)] * len(y), []
    for t, s in enumerate(indices(picks, len(y))):
        error = y[s] - dot(beta, K[s])
        losses.append(error * error / 2)
        beta[s] += rate * error
        _require_finite([beta[s]], rate, t)
    return _with_training(KernelLMS(beta, losses), kernel, rows)


def slope(X: Rows, y: VectorLike, w: VectorLike) -> Vector:
    """Return X'(y - X w): minus the gradient of half the squared errors (S23.2). O(n d).

    Zero if and only if no w has a smaller sum. For coefficients give K for X and beta for w.

    >>> slope([[1], [2]], [2, 4], [1.875])
    [0.625]
    """
    kind = number_kind(X, y, w)
    X, y, w = matrix(X, "X", kind), vector(y, "y", kind), vector(w, "w", kind)
    check_length(y, len(X), "y")
    if len(w) != len(X[0]):
        raise ValueError(f"w has length {len(w)}; the rows of X have {len(X[0])}")
    return matrix_vector(transpose(X), [v - dot(w, x) for v, x in zip(y, X)])


def converges(K: Matrix, rate: Number) -> bool:
    """Return whether batch LMS converges for every y: rate * (largest eigenvalue of K) < 2.

    Decided exactly, on floats as on Fractions: by whether 2 I - rate K is positive definite. K
    is a positive semidefinite Gram matrix, or X'X. O(n n n). Standard: S23.1.

    >>> converges([[1, 0], [0, 4]], 0.49), converges([[1, 0], [0, 4]], 0.5)
    (True, False)
    """
    K, rate = matrix(K, "K", Fraction), positive(Fraction, rate, "rate")
    n = symmetric_size(K, "K")
    difference = [[2 * (i == j) - rate * K[i][j] for j in range(n)] for i in range(n)]
    return ldl(difference).rank == n


def largest_rate(K: Matrix) -> float:
    """Return 2 / (largest eigenvalue of K): batch LMS converges at smaller rates. O(n n n).

    inf for a matrix of zeros, where no step moves anything. Standard: S23.1.

    >>> largest_rate([[1, 0], [0, 4]])
    0.5
    """
    K = [[nearest(float, v, "a number of K") for v in row] for row in matrix(K, "K")]
    largest = symmetric_eigenvalues(K)[-1]
    return 2 / largest if largest > 0 else inf


def largest_stochastic_rate(K: Matrix) -> Number:
    """Return 2 / (largest K_ii): up to it no pick leads away from a w that fits all (S23.1). O(n).

    >>> largest_stochastic_rate([[1, 0], [0, 4]])
    0.5
    """
    kind = number_kind(K)
    K = matrix(K, "K", kind)
    largest = max(K[i][i] for i in range(symmetric_size(K, "K")))
    return 2 / largest if largest > 0 else inf


def _convert_regression(
    X: Rows, y: VectorLike, rate: Number
) -> tuple[Any, Matrix, Vector, Number]:
    """Return the columns kept, X over these, y and the rate, in numbers of one kind."""
    kind = number_kind(X, y, rate)
    kept, X = narrowed(matrix(X, "X", kind))
    y = vector(y, "y", kind)
    check_length(y, len(X), "y")
    return kept, X, y, positive(kind, rate, "rate")


def _convert_kernel_regression(
    kernel: KernelLike, X: Rows, y: VectorLike, rate: Number
) -> tuple[Kernel, list[Any], Matrix, Vector, Number]:
    """Return the kernel, rows, Gram matrix, y and rate in numbers of one kind."""
    kernel = as_kernel(kernel)
    kind = number_kind(X, y, rate, kernel.parameters())
    kernel = kernel.to(kind)
    rows = training_rows(X, kernel, kind)
    y = vector(y, "y", kind)
    check_length(y, len(rows), "y")
    _, points = comparable(kernel, rows)
    values = checked_row_function(kernel, kernel.reference_points(points), kind, len(rows))
    K = [finite_row(values(x), i) for i, x in enumerate(points)]
    return kernel, rows, K, y, positive(kind, rate, "rate")


def _require_finite(numbers: Vector, rate: Number, t: int) -> Vector:
    """Return the numbers; ValueError if step t took one beyond the doubles."""
    for v in numbers:
        if not -inf < v < inf:
            raise ValueError(
                f"rate is {quote(rate)}; step {t} leaves the range of doubles, so it is too large"
            )
    return numbers


def _with_training(run: KernelLMS, kernel: Kernel, rows: list[Any]) -> KernelLMS:
    """Return the run with the kernel and rows that its model needs, which are no fields of it."""
    run.training = kernel, rows
    return run
