"""SMO as the lecture notes print it, without refinements. The solver of record is smo.py.

    maximise   W(alpha) = sum alpha_i - 1/2 sum alpha_i alpha_j y_i y_j K_ij
    such that  0 <= alpha_i <= C_i    and    sum alpha_i y_i = 0

    Repeat until no pair violates the conditions by more than tol:
        1  select a pair alpha_i, alpha_j: the one that violates them most
        2  reoptimise W over these two, while all other multipliers are held fixed

The equation leaves to the pair a segment of a line; on it W is a parabola in alpha_j.

    L, H        the least and the largest alpha_j on the segment
    unclipped   the alpha_j where the derivative of W is zero     clipped   brought to L .. H
    E_k         f(x_k) - y_k, the error, for b = 0: the offset cancels in E_i - E_j
    eta         K_ii + K_jj - 2 K_ij, minus the second derivative of W along alpha_j

Each formula by itself, with its derivation: theory/smo_step.py.

Source: CS229 notes, section 9.2; Platt, "Sequential Minimal Optimization", 1998. The pair is that
of Keerthi, Shevade, Bhattacharyya and Murthy, Neural Computation 13 (2001).
"""

from __future__ import annotations

from math import inf
from typing import Any

from ..numerics.linalg import difference
from ..numerics.types import Matrix, Number, Vector
from ..numerics.validation import checked_limits
from ..svm.problem import Problem, require_problem
from .textbook import (
    TextbookAnswer,
    kernel_matrix,
    most_violating_pair,
    textbook_answer,
)


def textbook_smo(
    problem: Problem, tol: Number = 1e-3, max_iter: int | None = None
) -> TextbookAnswer:
    """Solve a problem with an offset by SMO as the notes print it (S3).

    Parameters
    ----------
    tol : number, 0 or more
        in units of the functional margin, which is 1
    max_iter : int
        steps at most; None stands for max(100 000, 100 n)

    Returns
    -------
    TextbookAnswer
        alpha, b, objective, violation, iterations and status. "infeasible": W rises without end
        along one pair, so there is no hard margin. A hard margin that does not exist is otherwise
        noticed by smo alone: here it ends with "max_iter".

    Raises
    ------
    ValueError
        if the problem has no offset

    Notes
    -----
    A step costs O(n), the kernel matrix O(n n d). On Fractions each step is exact; tol=0 may take
    infinitely many. Source: CS229, section 9.2.

    Examples
    --------
    >>> from refsvm.svm.problem import Problem
    >>> solution = textbook_smo(Problem([[0], [1], [3], [4]], [-1, -1, 1, 1], C=10))
    >>> [round(a, 3) for a in solution.alpha], round(solution.b, 3), solution.status
    ([0.0, 0.5, 0.5, 0.0], -2.0, 'optimal')
    """
    problem = require_problem(problem)
    tol, max_iter = checked_limits(problem.kind, problem.n, tol, max_iter, steps=100)
    if not problem.bias:
        raise ValueError(
            "problem has no offset, so each multiplier may move alone; textbook_smo moves pairs"
        )
    K, y, C = kernel_matrix(problem), problem.y, problem.upper_bounds()
    alpha, E = [problem.kind(0)] * problem.n, [problem.kind(-label) for label in y]
    steps = 0
    i, j = most_violating_pair(y, C, alpha, E)
    while E[j] - E[i] > tol and steps < max_iter:
        alpha_i, alpha_j = reoptimise(K, y, C, alpha, E, i, j)
        if alpha_j == inf:
            return textbook_answer(problem, K, alpha, tol, max_iter, steps, (i, j))
        d_i, d_j = y[i] * (alpha_i - alpha[i]), y[j] * (alpha_j - alpha[j])
        if d_i == d_j == 0:  # the step is less than a rounding
            break
        E = [e + d_i * k_i + d_j * k_j for e, k_i, k_j in zip(E, K[i], K[j])]
        alpha[i], alpha[j] = alpha_i, alpha_j
        steps += 1
        i, j = most_violating_pair(y, C, alpha, E)
    return textbook_answer(problem, K, alpha, tol, max_iter, steps)


def reoptimise(
    K: Matrix, y: list[int], C: Vector, alpha: Vector, E: Vector, i: int, j: int
) -> tuple[Any, Any]:
    """The alpha_i and alpha_j that make W largest while all others are held; inf if nothing does.

    >>> K = [[0, 0], [0, 4]]
    >>> reoptimise(K, [-1, 1], [9, 9], [0, 0], [1, -1], 1, 0)
    (0.5, 0.5)
    """
    (i_at_L, L), (i_at_H, H) = ends_of_segment(y, C, alpha, i, j)
    eta = K[i][i] + K[j][j] - 2 * K[i][j]
    slope = y[j] * (E[i] - E[j])  # the derivative of W at alpha_j
    unclipped = alpha[j] + slope / eta if eta > 0 else ((slope > 0) - (slope < 0)) * inf
    if unclipped <= L:
        alpha_i, alpha_j = i_at_L, L
    elif unclipped >= H:
        alpha_i, alpha_j = i_at_H, H
    else:
        alpha_i, alpha_j = alpha[i] + y[i] * y[j] * (alpha[j] - unclipped), unclipped
    zero = 0 * alpha[i]
    # Both lie in the box, unless rounding carried one of them past its bound.
    return min(max(alpha_i, zero), C[i]), min(max(alpha_j, zero), C[j])


def ends_of_segment(
    y: list[int], C: Vector, alpha: Vector, i: int, j: int
) -> tuple[tuple[Number, Number], tuple[Number, Number]]:
    """The points (alpha_i, alpha_j) where the line of the pair crosses the box: at L, and at H.

    >>> ends_of_segment([1, -1, 1], [4, 4, 4], [1, 3, 2], 0, 1)
    ((0, 2), (2, 4))
    >>> ends_of_segment([1, -1, 1], [4, 4, 4], [1, 3, 2], 0, 2)
    ((3, 0), (0, 3))
    """
    zero = 0 * alpha[i]
    if y[i] != y[j]:  # both rise, or both fall
        apart = alpha[j] - alpha[i]
        at_L = (zero, apart) if apart > 0 else (0 - apart, zero)
        top = difference(C[i], -apart)
        at_H = (C[i], top) if top < C[j] else (difference(C[j], apart), C[j])
    else:  # one rises as the other falls
        both = alpha[i] + alpha[j]
        at_L = (C[i], both - C[i]) if both > C[i] else (both, zero)
        at_H = (zero, both) if both < C[j] else (both - C[j], C[j])
    return at_L, at_H
