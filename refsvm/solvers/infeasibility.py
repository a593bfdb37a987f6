"""Is there a hard margin at all? If the classes touch, multipliers prove it.

The dual of the hard margin is bounded if and only if the convex hulls of the two classes (or,
without an offset, the hull of the y_i phi(x_i) and the origin) do not touch. They touch if and
only if there are multipliers q >= 0, not all zero, with

    sum q_i y_i phi(x_i) = 0        and, with an offset,    sum q_i y_i = 0          (Farkas)

When no hard margin exists SMO's alpha grows for ever, and its direction tends to such a q.

Throughout this module
    support    the examples with alpha_i > 0 and C_i = inf
    q          {i: multiplier} over the support
"""

from __future__ import annotations

from math import inf
from typing import Any

from ..numerics.factorisations import null_space, solve
from ..numerics.linalg import dot, gram_of_rows, matrix_vector
from ..svm.problem import Problem

MAX_SUPPORT = 60  # the null space of more support vectors than this costs more than it is worth
ROUNDING = 2.0**-52


def farkas_multipliers(problem: Problem, beta: list[Any], rows: Any) -> list[Any] | None:
    """Multipliers that prove that no hard margin exists, one an example; None if none was found.

    Tried are the nearest solution of the equations to alpha, and alpha itself. On Fractions the
    answer is a proof; on floats it fulfils the equations up to the rounding of evaluating them.
    O(s^3) for a support of s.
    """
    support = [i for i, (x, c) in enumerate(zip(beta, problem.C)) if x != 0 and c == inf]
    near = _null_direction(problem, beta, rows, support) if len(support) <= MAX_SUPPORT else None
    for q in (near, {i: abs(beta[i]) for i in support}):
        if q and vanishes(problem, q, rows):
            return [q.get(i, problem.kind(0)) for i in range(problem.n)]
    return None


def _null_direction(
    problem: Problem, beta: list[Any], rows: Any, support: list[int]
) -> dict[int, Any] | None:
    """The solution q >= 0 of the equations that is nearest to alpha on its support; or None.

    Multipliers that come out negative or zero are left out, and the rest projected again.
    """
    while support:
        K = {i: rows.row(i) for i in support}
        system = [[problem.y[j] * K[i][j] for j in support] for i in support]
        if problem.bias:
            system.append([problem.kind(problem.y[j]) for j in support])
        q = projection([abs(beta[i]) for i in support], null_space(system))
        if all(v > 0 for v in q):
            return dict(zip(support, q))
        support = [i for i, v in zip(support, q) if v > 0]
    return None


def projection(a: list[Any], basis: list[list[Any]]) -> list[Any]:
    """The vector nearest to a in the span of the basis; zeros if the basis is empty."""
    if not basis:
        return [0 * v for v in a]
    weights = solve(gram_of_rows(basis), matrix_vector(basis, a))
    return [dot(weights, column) for column in zip(*basis)]


def vanishes(problem: Problem, q: dict[int, Any], rows: Any) -> bool:
    """Whether |sum q_i y_i phi(x_i)|^2 is zero, or on floats no more than its own rounding."""
    zero: Any = problem.kind(0)
    norm2 = weight = balance = zero
    for i, p in q.items():
        row = rows.row(i)
        balance += p * problem.y[i]
        for j, r in q.items():
            term = (p * r) * row[j]
            norm2 += problem.y[i] * problem.y[j] * term
            weight += abs(term)
    slack = ROUNDING * len(q) if problem.kind is float else 0
    balanced = not problem.bias or abs(balance) <= slack * len(q) * max(q.values())
    return bool(balanced and norm2 <= slack * weight)
