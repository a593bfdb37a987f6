"""Answers of any program, made into what can be certified: multipliers, or a linear function.

A program's alpha leaves the box by a rounding, and a sum is 1e-17 and not what it must be; that of
a broken program is anything at all. The dual's value bounds the optimum only at multipliers that
are feasible. So each variable (svm/dual_form.py) is moved to the nearest end of its interval.
Then, in a group whose sum is too large, those above zero are scaled down, and where it is too
small those below zero; in classification that is the class of larger sum. Where there are none of
these the others are moved towards their bounds, each by the same part of its way: those that are
not 0, or all where that is not enough.

A linear machine may come as a pair (w, b), or as a function that computes w.x + b.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import inf
from typing import Any

from ..numerics.conversion import as_lists, as_sequence
from ..numerics.linalg import dot, total
from ..numerics.projections import clip_to_box
from ..numerics.quoting import quote
from ..numerics.types import VectorLike
from ..numerics.validation import to_number, vector
from ..svm.dual_form import DualForm, surplus
from ..svm.problem import Problem
from .rational_kernels import Exact


def repair_multipliers(problem: Any, alpha: VectorLike) -> list[Exact]:
    """Feasible multipliers near alpha, for a problem on Fractions; alpha if it is feasible. O(n).

    >>> from fractions import Fraction
    >>> from refsvm.svm.problem import Problem
    >>> problem = Problem([[Fraction(0)], [1], [3]], [-1, 1, 1], C=2)
    >>> [str(a) for a in repair_multipliers(problem, [3, -1, 0.5])]
    ['1/2', '0', '1/2']
    """
    form: DualForm = problem.dual_form()
    given = problem.variables_of(vector(alpha, "alpha", problem.kind))
    x: list[Exact] = clip_to_box(given, form.lower, form.upper)
    for group, s in zip(form.groups, form.sums):
        much = surplus(group, s, x)
        side = [k for k in group if x[k] * much > 0]
        size: Exact = total([x[k] for k in side])
        if much != 0 and abs(size) >= abs(much):
            for k in side:
                x[k] *= 1 - much / size
        elif much != 0:
            _fill(x, form.upper if much < 0 else form.lower, group, -much)
    return problem.multipliers_of(x)  # type: ignore[no-any-return]


def _fill(x: list[Exact], ends: Sequence[Any], group: range, missing: Exact) -> None:
    """Add to the variables of a group what their sum is missing; ends: where they go to."""
    for some in ([k for k in group if x[k] != 0], list(group)):
        if any(abs(ends[k]) == inf for k in some):
            for k in some:
                x[k] += missing / len(some)
            return
        room: Exact = abs(total([ends[k] - x[k] for k in some]))
        if room >= abs(missing):
            for k in some:
                x[k] += (ends[k] - x[k]) * (abs(missing) / room)
            return


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
    """(w, b) of the linear function with the values of `decision` at d + 1 points, Fractions.

    The points are the lower medians of the columns, and these with one number replaced by the
    farthest in its column: near the data, where a function on floats is as accurate as it can be.

    >>> linear_function(Problem([[2000], [2002]], [-1, 1]), lambda x: x[0] - 2001)
    ([Fraction(1, 1)], Fraction(-2001, 1))
    """

    def value_at(x: list[float]) -> Any:
        return to_number(Fraction, decision(x), f"decision({x})")

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
