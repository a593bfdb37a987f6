"""Is this alpha the only optimal one? If not, here is another.

Let b be an optimal offset, inside the interval of all of them. Then every optimal alpha has
alpha_i = 0 where y_i f_i > 1 (status L) and alpha_i = C_i where y_i f_i < 1 (status U): only the
examples on the margin (M) may vary. And w is the same at every optimum, so two optima differ by a
direction d on M (in beta) with

    sum_j K_ij d_j = 0 for i in M        and, with an offset,    sum d_j = 0

which points inwards where alpha_i is on a bound. If several offsets are optimal, no example is on
the margin of one inside their interval, and alpha is unique.

Some of M are free: 0 < alpha_i < C_i. If their part of the matrix (bordered by ones, with an
offset) is singular, a null vector of it is such a direction. If it is regular the free ones follow
the others: a change t >= 0 of those on a bound, inwards, makes d, and d is a direction if S t = 0,
with S the Schur complement of the free part. Whether there is such a t is a question about cones.

    inverse  that of the free part, an ExactInverse, whose index a stands for the equation if
             a < m and for example a - m otherwise; m is 1 with an offset, else 0
    bound    those of M whose alpha_i is 0 or C_i
    inwards  +1 or -1 for each of them: the sign of d_i that leads into the box
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import inf
from typing import Any

from ..numerics.exact_submatrix_inverse import ExactInverse
from ..numerics.exact_sums import ScaledIntegers
from ..numerics.linalg import dot
from ..numerics.polyhedra import nonnegative_combination
from ..svm.problem import Problem

Direction = dict[int, Any]  # d_i of each example that moves


def statuses(problem: Problem, residuals: ScaledIntegers, b: Fraction) -> str:
    """A letter for each example, L, M or U, in one string; b is inside the interval.

    >>> from refsvm.numerics.exact_sums import ScaledIntegers
    >>> from refsvm.svm.problem import Problem
    >>> line = Problem([[Fraction(0)], [1], [3]], [-1, 1, 1])
    >>> statuses(line, ScaledIntegers([-1, -1, -5], 1), Fraction(-1))
    'MML'
    """
    numbers, D = residuals
    signed = [y * (r - b * D) for y, r in zip(problem.y, numbers)]
    return "".join("U" if v > 0 else "L" if v < 0 else "M" for v in signed)


def find_other_optimum(
    problem: Problem, alpha: Sequence[Any], status: str, inverse: ExactInverse
) -> list[Any] | None:
    """Another optimal alpha, or None if there is none; inverse: where the search ended."""
    movable = [i for i, letter in enumerate(status) if letter == "M"]
    if not movable:
        return None
    tops = problem.upper_bounds()
    free = [i for i in movable if 0 < alpha[i] < tops[i]]
    bound = [i for i in movable if not 0 < alpha[i] < tops[i]]
    m = int(problem.bias)
    direction = null_direction(inverse, free, m)
    if direction is None:
        inwards = {i: problem.y[i] * (1 if alpha[i] == 0 else -1) for i in bound}
        direction = inward_direction(inverse, inwards, m)
    return None if direction is None else move_to_bound(problem, alpha, direction)


def null_direction(inverse: ExactInverse, free: Sequence[int], m: int) -> Direction | None:
    """{i: d_i} on the free ones, a null vector of their part; None if it is regular.

    Then the inverse is of all of them and of no other example. But if no example is free it keeps,
    with an offset, one that is on a bound, without which it would not be regular.
    """
    others = [a for a in inverse.index if a >= m and a - m not in free]
    missing = [m + i for i in free if m + i not in inverse.index]
    while others and len(inverse.index) > 2 * m:
        inverse.remove(others.pop())
    if others and missing:
        inverse.replace(others.pop(), missing.pop())
    for a in missing:
        if not inverse.add_if_regular(a):
            u, _, sign = inverse.response(a)
            if sign == 0:
                return {a - m: Fraction(1), **by_example(inverse, u, m)}
            inverse.add(a)
    return None


def by_example(inverse: ExactInverse, values: Sequence[Any], m: int) -> Direction:
    """{i: value} for the examples in the inverse, from a value for each index of it."""
    return {a - m: v for a, v in zip(inverse.index[m:], values[m:])}


def inward_direction(
    inverse: ExactInverse, inwards: Mapping[int, int], m: int
) -> Direction | None:
    """{i: d_i} that leads inwards from the bounds, the others following; None if there is none.

    inwards has all of M that are on a bound. The inverse may hold one of them: for that an
    equation says, with an unknown >= 0, that it moves inwards, too.
    """
    movers = [i for i in inwards if m + i not in inverse.index]
    if is_regular_with(inverse, [m + i for i in movers]):
        return None
    responses = {i: inverse.response(m + i)[0] for i in movers}
    held = [k for k, a in enumerate(inverse.index) if a - m in inwards]
    columns = []
    for i, u in responses.items():
        schur = schur_column(inverse, [m + e for e in movers], m + i, u)
        followers = [inwards[inverse.index[k] - m] * u[k] for k in held]
        columns.append([inwards[i] * v for v in schur + followers] + [Fraction(1)])
    zeros = [Fraction(0)] * len(movers)
    columns += [[*zeros, Fraction(-1), Fraction(0)] for _ in held]
    goal = [*zeros, *(Fraction(0) for _ in held), Fraction(1)]
    t = nonnegative_combination(columns, goal).coefs
    if t is None:
        return None
    steps = [inwards[i] * v for i, v in zip(movers, t)]
    follow = [dot(steps, column) for column in zip(*responses.values())]
    return {**dict(zip(movers, steps)), **by_example(inverse, follow, m)}


def is_regular_with(inverse: ExactInverse, indices: Sequence[int]) -> bool:
    """Whether the matrix is surely regular with all of these in it; the inverse stays as it is."""
    added = [a for a in indices if inverse.add_if_regular(a)]
    for a in added:
        inverse.remove(a)
    return len(added) == len(indices)


def schur_column(
    inverse: ExactInverse, rows: Sequence[int], j: int, u: Sequence[Any]
) -> list[Fraction]:
    """Column j of the Schur complement, at these rows; u is the response to j."""
    column: list[Fraction] = []
    for e in rows:
        numbers, denominator = inverse.prepare(e)
        moved: Any = dot([numbers[a] for a in inverse.index], u)
        column.append(Fraction(numbers[j] + moved, denominator))
    return column


def move_to_bound(problem: Problem, alpha: Sequence[Any], direction: Direction) -> list[Any]:
    """The alpha at the end of the direction, where the first multiplier meets a bound."""
    tops = problem.upper_bounds()
    change = {i: problem.y[i] * d for i, d in direction.items() if d != 0}
    t = min(
        ((tops[i] if d > 0 else 0) - alpha[i]) / d
        for i, d in change.items()
        if d < 0 or tops[i] < inf
    )
    return [a + t * change.get(i, 0) for i, a in enumerate(alpha)]
