"""Multipliers of any program, made to fulfil the constraints.

A program's alpha leaves the box by a rounding, and a sum is 1e-17 and not what it must be; that of
a broken program is anything at all. The dual's value bounds the optimum only at multipliers that
are feasible. So each variable (svm/dual_form.py) is moved to the nearest end of its interval.
Then, in a group whose sum is too large, those above zero are scaled down, and where it is too
small those below zero; in classification that is the class of larger sum. Where there are none of
these the others are moved towards their bounds, each by the same part of its way: those that are
not 0, or all where that is not enough.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Any

from ..numerics.linalg import total
from ..numerics.types import VectorLike
from ..numerics.validation import vector
from ..svm.dual_form import DualForm, surplus
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
    x: list[Exact] = [
        min(max(v, low), high) for v, low, high in zip(given, form.lower, form.upper)
    ]
    for group, s in zip(form.groups, form.sums):
        much = surplus(group, s, x)
        side = [k for k in group if x[k] * much > 0]
        size: Exact = total([x[k] for k in side])
        if much != 0 and abs(size) >= abs(much):
            for k in side:
                x[k] *= 1 - much / size
        elif much != 0:
            fill(x, form.upper if much < 0 else form.lower, group, -much)
    return problem.multipliers_of(x)  # type: ignore[no-any-return]


def fill(x: list[Exact], ends: Sequence[Any], group: range, missing: Exact) -> None:
    """Add to the variables of a group what their sum is missing; ends: where they go to."""
    for some in ([k for k in group if x[k] != 0], list(group)):
        room: Exact = inf if any(abs(ends[k]) == inf for k in some) else None
        room = room or abs(total([ends[k] - x[k] for k in some]))
        if room == inf:
            for k in some:
                x[k] += missing / len(some)
            return
        if room >= abs(missing):
            for k in some:
                x[k] += (ends[k] - x[k]) * (abs(missing) / room)
            return
