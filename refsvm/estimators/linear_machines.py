"""One machine of a LinearSVC: what solves it, and what it is called.

squared hinge   newton, where columns are few: it adds up a matrix of them, in some five steps
otherwise       dual coordinate descent: a pass reads each number once, and there may be many
"""

from __future__ import annotations

from math import inf
from typing import Any, NamedTuple

from ..numerics.quoting import quote
from ..numerics.types import Number, Vector
from ..svm.model import SolutionFields
from .pairwise_training import pair_names

MOST_COLUMNS = 512  # with more, the matrix costs more than the passes


def is_for_newton(problem: Any, dual: bool | str) -> bool:
    """Return whether the primal of a machine is solved, where `dual` leaves the choice."""
    if dual == "auto":
        few = problem.column_count() <= min(problem.n, MOST_COLUMNS)
        return few and problem.slack == "squared" and inf not in problem.C
    return not dual


class LinearMachine(NamedTuple):
    """One trained machine; rounds are the steps, or the passes, that it took."""

    w: Vector
    b: Number
    solution: SolutionFields
    rounds: int


def machine_names(classes: list[Any]) -> list[str]:
    """Return what the machines are called in a sentence.

    >>> machine_names(["low", "high"]), machine_names([1, 2, 3])[2]
    (["the classes 'low' and 'high'"], 'class 3 against the rest')
    """
    if len(classes) == 2:
        return pair_names(classes)
    return [f"class {quote(c)} against the rest" for c in classes]
