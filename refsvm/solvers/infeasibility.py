"""Is there a hard margin at all? If the classes touch, multipliers prove it.

The dual of the hard margin is bounded if and only if the convex hulls of the two classes (or,
without an offset, the hull of the y_i phi(x_i) and the origin) do not touch. They touch if and
only if there are multipliers q >= 0, not all zero, with

    sum q_i y_i phi(x_i) = 0        and, with an offset,    sum q_i y_i = 0          (Farkas)

When no hard margin exists SMO's alpha grows for ever, and its direction tends to such a q. On
floats q is rounded, and the sums are 0 only nearly. So "infeasible" is said if the equations have
a solution on the same examples in exact arithmetic, and the kernel matrix is one of inner
products (semidefiniteness.py).

Throughout this module
    support    the examples with alpha_i > 0 and C_i = inf
    q          {i: multiplier} over the support
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import inf
from typing import Any

from ..numerics.factorisations import null_space, solve
from ..numerics.linalg import dot, gram_of_rows, matrix_vector
from ..numerics.types import Matrix, Number, RowFunction, Vector
from ..svm.problem import Problem
from .semidefiniteness import exact_rows, has_exact_values, is_semidefinite

MAX_SUPPORT = 60  # the null space of more support vectors than this costs more than it is worth
SUM_ROUNDING = 2.0**-52


def infeasibility_proof(problem: Problem, ascent: Any) -> list[Any] | None:
    """Multipliers that prove that no hard margin exists, where a DualAscent is (S3.9); or None."""
    direction = ascent.unbounded_direction
    if not direction:
        return farkas_multipliers(problem, ascent.beta, ascent.row)
    if any(problem.C[i] < inf for i, speed in direction.items() if speed != 0):
        return None
    way = [problem.kind(direction.get(i, 0)) for i in range(problem.n)]
    proof = farkas_multipliers(problem, way, ascent.row)
    if proof or problem.kind is float or not is_semidefinite(problem):
        return proof
    return [abs(v) for v in way]


def farkas_multipliers(problem: Problem, beta: list[Any], row: RowFunction) -> list[Any] | None:
    """Multipliers that prove that no hard margin exists, one an example; None if none was found.

    Tried are the nearest solution of the equations to alpha, and alpha itself. On floats the
    answer is the rounded one of a solution that there is.
    O(s^3) for a support of s. Standard: S3.9.
    """
    support = [i for i, (x, c) in enumerate(zip(beta, problem.C)) if x != 0 and c == inf]
    own, near = {i: abs(beta[i]) for i in support}, None
    if len(support) <= MAX_SUPPORT:
        near = _null_direction(problem, _values(row, own), own)
    for q in (near, own):
        if q and vanishes(problem, q, row) and _is_proved(problem, q):
            return [q.get(i, problem.kind(0)) for i in range(problem.n)]
    return None


def _null_direction(problem: Problem, K: Any, a: dict[int, Any]) -> dict[int, Number] | None:
    """The solution q >= 0 of the equations that is nearest to a on its support; or None.

    Multipliers that come out negative or zero are left out, and the rest projected again.
    K: {i: {j: kernel value}}
    """
    support = list(a)
    while support:
        kind = type(a[support[0]])
        system = [[problem.y[j] * K[i][j] for j in support] for i in support]
        if problem.bias:
            system.append([kind(problem.y[j]) for j in support])
        q = projection([a[i] for i in support], null_space(system))
        if all(v > 0 for v in q):
            return dict(zip(support, q))
        support = [i for i, v in zip(support, q) if v > 0]
    return None


def _values(row: RowFunction, some: Iterable[int]) -> dict[int, dict[int, Any]]:
    """{i: {j: kernel value}} of some examples."""
    found = {}
    for i in some:
        values = row(i)
        found[i] = {j: values[j] for j in some}
    return found


def _is_proved(problem: Problem, q: dict[int, Any]) -> bool:
    """Whether the equations hold near q in exact arithmetic, and so prove something."""
    if problem.kind is not float:
        return is_semidefinite(problem)
    if len(q) > MAX_SUPPORT:
        return False
    row, K = exact_rows(problem, list(q)), {}
    for a, i in enumerate(q):
        K[i] = dict(zip(q, map(Fraction, row(a).numbers)))
    if _null_direction(problem, K, {i: Fraction(v) for i, v in q.items()}) is None:
        return False
    # Where equal rows cancel, no function of the rows has these margins, whatever the kernel is.
    return not has_exact_values(problem) or is_semidefinite(problem)


def projection(a: Vector, basis: Matrix) -> Vector:
    """The vector nearest to a in the span of the basis; zeros if the basis is empty."""
    if not basis:
        return [0 * v for v in a]
    weights = solve(gram_of_rows(basis), matrix_vector(basis, a))
    return [dot(weights, column) for column in zip(*basis)]


def vanishes(problem: Problem, q: dict[int, Any], row: RowFunction) -> bool:
    """Whether |sum q_i y_i phi(x_i)|^2 is zero, or on floats at most its own rounding."""
    zero: Number = problem.kind(0)
    norm2 = weight = balance = zero
    for i, p in q.items():
        values = row(i)
        balance += p * problem.y[i]
        for j, r in q.items():
            term = (p * r) * values[j]
            norm2 += problem.y[i] * problem.y[j] * term
            weight += abs(term)
    slack = SUM_ROUNDING * len(q) if problem.kind is float else 0
    balanced = not problem.bias or abs(balance) <= slack * len(q) * max(q.values())
    return bool(balanced and abs(norm2) <= slack * weight)
