"""One machine of a LinearSVC: what solves it, and what it is called.

few columns, squared hinge    newton: it adds up a matrix of columns, in some five steps
few columns, hinge            smo: its steps end whatever the scales of the columns are
otherwise                     dual coordinate descent: a pass reads each number once, and there
                              may be many. So is a text, of more words than rows, done
"""

from __future__ import annotations

from collections.abc import Iterable
from math import inf
from typing import Any

from ..numerics.quoting import quote
from ..numerics.records import NamedTuple
from ..numerics.types import Number, Vector
from ..svm.constant_feature import offset_apart
from ..svm.dual_form import distinct
from ..svm.model import SolutionFields
from .pairwise_training import pair_names

MOST_COLUMNS = 512  # with more, the matrix costs more than the passes


def solver_name(problem: Any, dual: bool | str) -> str:
    """Return "newton", "smo" or "descent": what solves the problem of a machine.

    dual: as the estimator has it; only "auto" leaves the choice
    """
    if dual != "auto":
        return "descent" if dual else "newton"
    if problem.column_count() > min(problem.n, MOST_COLUMNS):
        return "descent"
    # Without a limit of slack there is no primal to go down.
    return "newton" if problem.slack == "squared" and inf not in distinct(problem.C) else "smo"


class LinearMachine(NamedTuple):
    """One trained machine; rounds are the steps, or the passes, that it took."""

    w: Vector
    b: Number
    solution: SolutionFields
    rounds: int


def signs_of(ones: Iterable[int], n: int) -> list[int]:
    """Return a label for each of n rows: 1 for these, -1 for the others.

    >>> signs_of([0, 2], 3)
    [1, -1, 1]
    """
    y = [-1] * n
    for i in ones:
        y[i] = 1
    return y


def weights_and_offset(solution: Any, constant: Number | None) -> tuple[Vector, Number]:
    """Return w and b of a machine whose rows had the constant behind them, or None."""
    w = solution.w
    return (w, type(w[0])(0)) if constant is None else offset_apart(w, constant)


def machine_names(classes: list[Any]) -> list[str]:
    """Return what the machines are called in a sentence.

    >>> machine_names(["low", "high"]), machine_names([1, 2, 3])[2]
    (["the classes 'low' and 'high'"], 'class 3 against the rest')
    """
    if len(classes) == 2:
        return pair_names(classes)
    return [f"class {quote(c)} against the rest" for c in classes]
