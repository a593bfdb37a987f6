"""What the algorithms of the notes share: the kernel matrix, the conditions, and their answer.

    K_ij    the kernel of x_i and x_j; squared slack adds 1 / C_i to the diagonal
    E_k     f(x_k) - y_k, the error, for b = 0
    f(x)    sum alpha_i y_i k(x_i, x) + b

All numbers are as computed: exact on Fractions, rounded on doubles. Bounds that hold on doubles,
too, are the business of the solvers of record, such as smo.
"""

from __future__ import annotations

from typing import NamedTuple

from ..kernels.base import checked_row_function
from ..kernels.gram_matrices import finite_row
from ..numerics.display import displayed
from ..numerics.linalg import dot
from ..numerics.types import Matrix, Number, Vector
from ..svm.problem import Problem
from .infeasibility import farkas_multipliers


@displayed
class TextbookAnswer(NamedTuple):
    """What an algorithm of the notes ends with; its numbers are as computed.

    Attributes
    ----------
    alpha : n numbers
    b : number
        half way between the offsets that the worst two examples ask for; 0 without an offset
    objective : number
        the dual at alpha
    violation : number
        the conditions hold to within this much, in units of the functional margin, which is 1
    iterations : int
        steps, or passes, that were made
    status : str
        "optimal"     violation <= tol; the optimum, if K is a matrix of inner products
        "max_iter"    the last step allowed was taken
        "infeasible"  the dual rises without end along a step: there is no hard margin
        "precision"   a step was less than a rounding, or only rounding made it endless
    """

    alpha: Vector
    b: Number
    objective: Number
    violation: Number
    iterations: int
    status: str


def kernel_matrix(problem: Problem) -> Matrix:
    """K of the rows as given, with the ridge of squared slack on its diagonal. O(n n d)."""
    kernel, X = problem.kernel, problem.points
    row = checked_row_function(kernel, kernel.reference_points(X), problem.kind, problem.n)
    K = [finite_row(list(row(x)), i) for i, x in enumerate(X)]
    for i, c in enumerate(problem.ridge()):
        K[i][i] += c
    return K


def with_signs(K: Matrix, y: list[int]) -> Matrix:
    """Q, the matrix of y_i y_j K_ij."""
    return [[y_i * y_j * k for y_j, k in zip(y, row)] for y_i, row in zip(y, K)]


def errors(problem: Problem, K: Matrix, alpha: Vector) -> Vector:
    """E_k of every example. O(n n)."""
    beta = problem.variables_of(alpha)
    return [dot(beta, row) - y for row, y in zip(K, problem.y)]


def most_violating_pair(y: list[int], C: Vector, alpha: Vector, E: Vector) -> tuple[int, int]:
    """i of least error whose alpha_i y_i may rise, j of largest error whose alpha_j y_j may fall.

    The optimum is where no such j has a larger error than any such i.
    """
    n = range(len(y))
    may_rise = [k for k in n if (alpha[k] < C[k] if y[k] > 0 else alpha[k] > 0)]
    may_fall = [k for k in n if (alpha[k] > 0 if y[k] > 0 else alpha[k] < C[k])]
    return min(may_rise, key=E.__getitem__), max(may_fall, key=E.__getitem__)


def violation(problem: Problem, alpha: Vector, E: Vector) -> Number:
    """How far the conditions are from true: with an offset E_j - E_i of the worst pair. O(n)."""
    y, C = problem.y, problem.upper_bounds()
    if problem.bias:
        i, j = most_violating_pair(y, C, alpha, E)
        return E[j] - E[i]
    slopes = [-label * e for label, e in zip(y, E)]  # of the dual along each multiplier
    rises = [v for v, a, c in zip(slopes, alpha, C) if a < c]
    falls = [-v for v, a in zip(slopes, alpha) if a > 0]
    return max([problem.kind(0), *rises, *falls])


def textbook_answer(
    problem: Problem,
    K: Matrix,
    alpha: Vector,
    tol: Number,
    max_iter: int,
    iterations: int,
    endless: tuple[int, ...] = (),
) -> TextbookAnswer:
    """The answer at alpha, computed from alpha alone. O(n n).

    endless: multipliers that the last step was to move without end, by as much each
    """
    E = errors(problem, K, alpha)
    off = violation(problem, alpha, E)
    step = [problem.kind(k in endless) for k in range(problem.n)]
    if endless and farkas_multipliers(problem, step, K.__getitem__):
        status = "infeasible"
    elif off <= tol:
        status = "optimal"
    else:
        status = "max_iter" if iterations == max_iter else "precision"
    b = problem.kind(0)
    if problem.bias:
        i, j = most_violating_pair(problem.y, problem.upper_bounds(), alpha, E)
        b -= (E[i] + E[j]) / 2
    # The dual is sum alpha_k - 1/2 sum beta_k (E_k + y_k).
    halves = [1 - y * (e + y) / 2 for y, e in zip(problem.y, E)]
    return TextbookAnswer(alpha, b, dot(alpha, halves), off, iterations, status)
