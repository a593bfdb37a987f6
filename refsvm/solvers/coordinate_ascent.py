"""Coordinate ascent: change one number, hold the others, and go round.

    climb                       the notes' algorithm, for any W whose largest value along a
                                coordinate is known
    climb_greedily              the same, always along the coordinate that gains most
    quadratic                   W = b'a - 1/2 a'Aa, and where it is largest along a coordinate
    dual_along                  the same for the dual without offset, with its bounds
    textbook_coordinate_ascent  the notes' algorithm on that dual, pass after pass
    coordinate_ascent           the solver of record: passes over the examples, exact at the end

Where W is smooth and concave and its largest values exist, every move gains until nothing is left
to gain (cs229-93). Both conditions are needed. On a ridge that runs between the axes no coordinate
alone gains anything: W = -|a - b| - |a + b| / 10 holds every point with a = b fast, though W is
largest at 0. And an equation between the multipliers leaves no coordinate any room: that is why
the dual with an offset moves two at a time (smo.py).

Throughout this module
    W       the function to maximise                picks    which coordinate next (picks.py)
    alpha   the point, a list of numbers            along    along(alpha, i): where alpha_i is best
    Q       y_i y_j K_ij, the ridge on its diagonal upper    U_i: 0 <= alpha_i <= U_i

Source: CS229 notes, section 9.1 (cs229-93 to cs229-96); for the solver Hsieh, Chang, Lin, Keerthi
and Sundararajan, ICML 2008, pages 408-415.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf
from typing import Any

from ..numerics.cures import giving, with_cure
from ..numerics.linalg import dot, matrix_vector, symmetric_size
from ..numerics.quoting import quote
from ..numerics.types import Kind, Matrix, Number, Picks, Vector, VectorLike
from ..numerics.validation import (
    checked_limits,
    iterator,
    matrix,
    number_kind,
    vector,
    whole_number,
)
from ..svm.model import Solution
from ..svm.problem import Problem, require_problem
from .ascent_loop import maximise
from .dual_ascent import DualAscent, Move
from .dual_program import (
    DualProgram,
    dual_program,
    solver_arguments,
)
from .pair_ascent import Step, step_reporter
from .textbook import (
    TextbookAnswer,
    errors,
    kernel_matrix,
    textbook_answer,
    violation,
    with_signs,
)

Along = Callable[[Vector, int], Any]  # along(alpha, i): the alpha_i where W is largest


def climb(along: Along, start: VectorLike, picks: Picks) -> list[Vector]:
    """The points passed: start, then one for each pick, with that coordinate at its best (S5.1).

    along(alpha, i) is the alpha_i at which W is largest while the others keep their values.
    Points are lists; the cost is one call of along a pick.

    >>> W, along = quadratic([[2, 1], [1, 2]], [0, 0])
    >>> climb(along, [2, -2], [0, 1])
    [[2.0, -2.0], [1.0, -2.0], [1.0, -0.5]]
    """
    points = [vector(start, "start")]
    for pick in iterator(picks, "picks", "indices"):
        i = whole_number(pick, "a pick", 0)
        if i >= len(points[0]):
            raise ValueError(f"a pick is {i}; start has length {len(points[0])}")
        points.append(_with_best(along, points[-1], i))
    return points


def climb_greedily(
    W: Callable[[Vector], Number], along: Along, start: VectorLike, steps: int
) -> list[Vector]:
    """The points passed when each step is along the coordinate that raises W most (S5.1).

    The first of equals; stops early where no coordinate raises W. n calls of W and along a step.

    >>> climb_greedily(*quadratic([[2, 1], [1, 2]], [0, 0]), [2, -4], 1)
    [[2.0, -4.0], [2.0, -1.0]]
    """
    points = [vector(start, "start")]
    for _ in range(whole_number(steps, "steps", 0)):
        here = points[-1]
        best = max((_with_best(along, here, i) for i in range(len(here))), key=W)
        if not W(best) > W(here):
            break
        points.append(best)
    return points


def _with_best(along: Along, alpha: Vector, i: int) -> Vector:
    """A copy of alpha, with alpha_i where W is largest along it."""
    return alpha[:i] + [along(alpha, i)] + alpha[i + 1 :]


def quadratic(A: Sequence[VectorLike], b: VectorLike) -> tuple[Callable[[Vector], Any], Along]:
    """(W, along) of W(alpha) = b'alpha - 1/2 alpha'A alpha, for a symmetric A with A_ii > 0.

    along(alpha, i) = (b_i - sum over j != i of A_ij alpha_j) / A_ii: one row of A alpha = b solved
    for its own unknown. A pass over all i is thus a sweep of Gauss and Seidel for A alpha = b, and
    costs O(n n). Exact on Fractions. ValueError for other A. Standard: S5.1.

    >>> W, along = quadratic([[2, 1], [1, 2]], [3, 3])
    >>> W([1, 1]), along([0, 1], 0)
    (3.0, 1.0)
    """
    kind = number_kind(A, b)
    A, b = matrix(A, "A", kind), vector(b, "b", kind)
    if symmetric_size(A, "A") != len(b):
        raise ValueError(f"b has length {len(b)} and A has {len(A)} rows; the two must be equal")
    for i, row in enumerate(A):
        if not row[i] > 0:
            raise ValueError(
                f"A[{i}][{i}] is {quote(row[i])}; W has no largest value along coordinate {i}"
            )

    def W(alpha: Vector) -> Number:
        return dot(b, alpha) - dot(alpha, matrix_vector(A, alpha)) / 2

    def along(alpha: Vector, i: int) -> Number:
        others = dot(A[i][:i], alpha[:i]) + dot(A[i][i + 1 :], alpha[i + 1 :])
        return (b[i] - others) / A[i][i]

    return W, along


def dual_along(Q: Matrix, upper: Vector) -> Along:
    """along of W(alpha) = sum alpha_i - 1/2 alpha'Q alpha on 0 <= alpha_i <= upper_i (S5.2).

    along(alpha, i) = alpha_i + (1 - Q_i alpha) / Q_ii, clipped. Where Q_ii is 0 the whole row is,
    if Q comes from inner products: then W rises by 1 a unit, and alpha_i goes to its bound.

    >>> along = dual_along([[4.0, 0.0], [0.0, 0.0]], [1, 3])
    >>> along([0.0, 0.0], 0), along([0.0, 0.0], 1)
    (0.25, 3)
    """

    def along(alpha: Vector, i: int) -> Number:
        slope = 1 - dot(Q[i], alpha)
        if Q[i][i] > 0:
            return min(max(alpha[i] + slope / Q[i][i], 0 * slope), upper[i])
        return upper[i] if slope > 0 else 0 * slope

    return along


def textbook_coordinate_ascent(
    problem: Problem, tol: Number = 1e-3, max_iter: int | None = None
) -> TextbookAnswer:
    """Solve a problem without an offset by coordinate ascent as the notes print it (S5.2).

    Loop until convergence: for i = 0, ..., n - 1, make W as large as alpha_i alone can make it.

    Parameters
    ----------
    tol : number, 0 or more
        in units of the functional margin, which is 1
    max_iter : int
        passes at most; None stands for max(100 000, 100 n)

    Returns
    -------
    TextbookAnswer
        alpha, b, objective, violation, iterations and status. "infeasible": W rises without end
        along one multiplier, so there is no hard margin. A hard margin that does not exist is
        otherwise noticed by coordinate_ascent alone: here it ends with "max_iter".

    Raises
    ------
    ValueError
        if the problem has an offset

    Notes
    -----
    A pass costs O(n n), the kernel matrix O(n n d). Plain passes come closer
    and closer and may never arrive. Source: CS229, section 9.1.

    Examples
    --------
    >>> from refsvm.svm.problem import Problem
    >>> solution = textbook_coordinate_ascent(Problem([[1], [2], [-1]], [1, 1, -1], bias=False))
    >>> solution.alpha, solution.iterations, solution.status
    ([1.0, 0.0, 0.0], 1, 'optimal')
    """
    problem = require_problem(problem)
    tol, max_iter = checked_limits(problem.kind, problem.n, tol, max_iter, steps=100)
    _refuse_offset(problem, "textbook_coordinate_ascent")
    K, alpha, passes = kernel_matrix(problem), [problem.kind(0)] * problem.n, 0
    along = dual_along(with_signs(K, problem.y), problem.upper_bounds())
    while passes < max_iter and violation(problem, alpha, errors(problem, K, alpha)) > tol:
        for i in range(problem.n):
            best = along(alpha, i)
            if best == inf:
                return textbook_answer(problem, K, alpha, tol, max_iter, passes + 1, (i,))
            alpha[i] = best + 0  # a zero has no sign
        passes += 1
    return textbook_answer(problem, K, alpha, tol, max_iter, passes)


class CyclicAscent(DualAscent):
    """A DualAscent that gives every beta its turn, in index order, over and over."""

    def __init__(self, program: DualProgram, kind: Kind) -> None:
        super().__init__(program, kind)
        self.next_index = 0  # the first beta to try

    def step(self) -> Move | None:
        """Move the next beta that has anything to gain (S5.7); the Move, or None if none has."""
        gaining = [i for i, r in enumerate(self.projected_residuals()) if r != 0]
        later = [i for i in gaining if i >= self.next_index]
        # Those before next_index have their turn last.
        for i in later + gaining[: len(gaining) - len(later)]:
            move = self.move_alone(i)
            if move or self.unbounded_direction:
                self.next_index = i + 1
                return move
        return None


def coordinate_ascent(
    problem: Problem,
    tol: Number = 1e-3,
    max_iter: int | None = None,
    start: VectorLike | None = None,
    on_step: Callable[[Step], object] | None = None,
    *,
    cache_mb: float = 200,
    threads: int = 1,
) -> Solution:
    """Solve a problem without offset, one multiplier at a time (S5.7).

        alpha_i  <-  alpha_i + (1 - Q_i alpha) / Q_ii,  clipped to 0 <= alpha_i <= U_i

    for i = 0, ..., n - 1, again and again; an example with nothing to gain is passed over. Every
    few steps all free multipliers move together (conjugate_gradient.py), for plain passes never
    quite arrive.

    Parameters
    ----------
    on_step : function
        called with a Step after each step, whose i and j are the one that moved
    tol, max_iter, start, cache_mb, threads
        as in smo

    Returns
    -------
    Solution
        with the statuses of smo

    Raises
    ------
    ValueError
        if the problem has an offset, and as in smo

    Notes
    -----
    A step costs O(n) and one kernel row. Source: CS229, section 9.1; Hsieh et al. (2008).

    Examples
    --------
    >>> from refsvm.svm.problem import Problem
    >>> solution = coordinate_ascent(Problem([[1], [2], [-1]], [1, 1, -1], bias=False))
    >>> solution.alpha, solution.iterations, solution.gap
    ([1.0, 0.0, 0.0], 1, 0.0)
    """
    problem, tol, max_iter = solver_arguments(
        problem, tol, max_iter, start, on_step, cache_mb, threads
    )
    _refuse_offset(problem, "coordinate_ascent")
    ascent = CyclicAscent(dual_program(problem, start, cache_mb), problem.kind)
    return maximise(problem, ascent, tol, max_iter, step_reporter(problem, on_step))


def _refuse_offset(problem: Problem, solver: str) -> None:
    """ValueError if the problem has an offset: this solver moves one multiplier at a time."""
    if problem.bias:
        raise with_cure(
            ValueError,
            "problem has an offset, so sum alpha_i y_i = 0 gives each alpha_i from the others"
            " and none can move alone;",
            giving(f"{solver} needs bias=False", "bias", False),
        )
