"""A linear machine of any program: a pair (w, b), or a function that computes w.x + b."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from ..numerics.conversion import as_lists, as_sequence
from ..numerics.linalg import dot
from ..numerics.quoting import quote
from ..numerics.validation import to_number, vector
from ..svm.problem import Problem
from .rational_kernels import Exact


def read_decision(problem: Problem, decision: Any) -> tuple[list[Exact], Exact]:
    """(w, b) of a pair or a function; w as Fractions."""
    if callable(decision):
        return linear_function(problem, decision)
    decision = as_sequence(as_lists(decision))
    if decision is None or len(decision) != 2:
        raise TypeError(f"decision is {quote(decision)}; a pair (w, b) or a function is needed")
    w, width = vector(decision[0], "w", Fraction), len(problem.X[0])
    if len(w) != width:
        raise ValueError(f"w has length {len(w)}; the rows of X have length {width}")
    return w, decision[1]


def linear_function(
    problem: Problem, decision: Callable[[list[float]], Any]
) -> tuple[list[Exact], Exact]:
    """(w, b) of the linear function with the values of `decision` at d + 1 points (S16.6).

    The points are the lower medians of the columns, and these with one number replaced by the
    farthest in its column: near the data, where a function on floats is as accurate as it can be.

    >>> linear_function(Problem([[2000], [2002]], [-1, 1]), lambda x: x[0] - 2001)
    ([Fraction(1, 1)], Fraction(-2001, 1))
    """

    def value_at(x: list[float]) -> Any:
        return to_number(Fraction, decision([*x]), f"decision({x})")

    columns = [sorted(map(float, column)) for column in zip(*problem.X)]
    base = [column[(len(column) - 1) // 2] for column in columns]
    at_base, w = value_at(base), []
    for k, (c, column) in enumerate(zip(base, columns)):
        far = max(column[0], column[-1], key=lambda v: abs(v - c))
        if far == c:
            far = 0.0 if c else 1.0
        rise = value_at([*base[:k], far, *base[k + 1 :]]) - at_base
        w.append(rise / (Fraction(far) - Fraction(c)))
    return w, at_base - dot(w, list(map(Fraction, base)))
