"""One machine of a LinearSVC or LinearSVR: what solves it, and what it is called.

    squared loss, finite C     newton; with more than 512 columns, or more columns than rows, it
                               takes turns with passes (_solve_by_turns). The gap is at most tol
                               times the primal, whichever ends
    another, or C = inf        few columns: smo, whose steps end whatever the scales of the columns
                               are; many: passes of dual coordinate descent, each of which reads
                               each number once

With many columns it is not known beforehand whether passes end. In columns of one size and around
0, in texts, and where rows are hardly more than columns some 30 to 500 are enough; otherwise it
takes thousands. Newton's method takes some five steps, or some hundred where the margin is nearly
hard, each of as much work as many passes. The violation tells: where passes end in some hundred,
32 leave little more than half of what 16 left, or less, and so whenever they have doubled.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import inf
from typing import Any, ClassVar, NamedTuple

from ..kernels.standard import Linear
from ..numerics.cures import giving, with_cure
from ..numerics.picks import WORD, shuffled_passes
from ..numerics.quoting import quote
from ..numerics.types import Kind, Label, Number, RowsLike, Vector
from ..numerics.validation import (
    not_negative,
    number_kind,
    one_of,
    positive,
    whole_number,
    yes_or_no,
)
from ..solvers.dual_coordinate_descent import dual_coordinate_descent
from ..solvers.newton import newton
from ..solvers.smo import smo
from ..svm.constant_feature import offset_apart, with_constant
from ..svm.dual_form import distinct
from ..svm.model import Solution, SolutionFields
from ..svm.regression_without_offset import LinearProblem
from .estimator import BaseEstimator
from .pairwise_training import pair_names
from .training_data import TrainingSet, read_rows

MOST_COLUMNS = 512  # with more, smo's rows cost more than passes, and so may newton's steps
FEW_COLUMNS = 32  # with these newton's steps cost less than passes, however few the rows are
FIRST_STEPS = 10  # of newton: many, as a rule
FIRST_PASSES, MOST_PASSES = 16, 512
USUAL_SEED = 0  # of random_state None: all that is computed here can be repeated
FALL = 0.6  # to what part the violation falls at least when passes have doubled, if they end


def solver_name(problem: LinearProblem, dual: bool | str) -> str:
    """Return "newton", "smo" or "descent": what solves the problem of a machine.

    dual: as the estimator has it; only "auto" leaves the choice
    """
    if dual != "auto":
        return "descent" if dual else "newton"
    # Without a limit of slack there is no primal to go down.
    if problem.slack == "squared" and inf not in distinct(problem.C):
        return "newton"
    return "smo" if problem.column_count() <= min(problem.n, MOST_COLUMNS) else "descent"


def _has_many_columns(problem: LinearProblem) -> bool:
    """Return whether passes are worth a try; on Fractions their digits grow."""
    d = problem.column_count()
    most = MOST_COLUMNS if d <= problem.n else FEW_COLUMNS
    return problem.kind is float and d > most


def _solve_by_turns(
    problem: LinearProblem, tol: Number, max_iter: int, seed: int, solvers: tuple[Any, ...]
) -> tuple[Solution, int]:
    """Return (Solution whose gap is at most tol times the primal, steps and passes in all).

    Newton's method has a first turn where there are no more columns than rows, and the last one
    where passes do not end. If none of them does, the least gap is returned.

    max_iter : limits steps and passes, each by itself
    solvers : newton, smo, dual_coordinate_descent, shuffled_passes
    """
    newton, _, descent, shuffled = solvers
    found, steps = [], 0
    if problem.column_count() <= problem.n:
        first = newton(problem, tol, min(FIRST_STEPS, max_iter))
        found, steps = [first], first.iterations
        if first.status != "max_iter":
            return first, steps
    passes, count = _passes(problem, tol, max_iter, seed, descent, shuffled)
    if _has_small_gap(passes, tol):
        return _called("optimal", passes), steps + count
    found.append(passes)
    start = min(found, key=_primal).w
    for w in start, None:  # a start with large weights may end in rounding
        last = newton(problem, tol, max_iter - steps, w)
        steps += last.iterations
        if last.status == "optimal":
            return last, steps + count
        found.append(last)
        if last.status == "max_iter":
            break
    return _called(last.status, min(found, key=_gap)), steps + count


def _passes(
    problem: LinearProblem, tol: Number, most: int, seed: int, descent: Any, shuffled: Any
) -> tuple[Solution, int]:
    """Return (Solution, their count) of passes; while the violation falls, as many again."""
    alpha, violation, made, most = None, inf, 0, min(most, MOST_PASSES)
    while True:
        picks = shuffled(problem.n, min(made or FIRST_PASSES, most - made), seed)
        found = descent(problem, picks, tol / 10, alpha)
        made += -(-found.iterations // problem.n)
        has_ended = found.status != "max_iter" or made == most or _has_small_gap(found, tol)
        if has_ended or found.violation > FALL * violation:
            return found, made
        alpha, violation = found.alpha, found.violation


def _has_small_gap(solution: Solution, tol: Number) -> bool:
    """Return whether the gap is at most tol times the dual, a lower bound of the primal."""
    return solution.gap <= tol * solution.objective


def _called(status: str, solution: Solution) -> Solution:
    """Return a copy of the Solution with this status."""
    found = solution._replace(status=status)
    found.problem, found.w, found.keeps_w = solution.problem, solution.w, solution.keeps_w
    return found


def _primal(solution: Solution) -> Number:
    return solution.objective + solution.gap


def _gap(solution: Solution) -> Number:
    return solution.gap


class LinearTraining(BaseEstimator):
    """How LinearSVC and LinearSVR train: the constant behind the rows, and what solves."""

    loss: str
    dual: bool | str
    fit_intercept: bool
    intercept_scaling: Number
    random_state: int | None

    _solvers: ClassVar[tuple[Any, ...]] = newton, smo, dual_coordinate_descent, shuffled_passes
    _squared_loss: ClassVar[str]

    def _refuse_settings(self) -> None:
        """Refuse bad parameters that need no data."""
        if isinstance(self.dual, str):
            one_of(self.dual, ("auto",), "dual")
        elif not yes_or_no(self.dual, "dual") and self.loss != self._squared_loss:
            raise with_cure(
                ValueError,
                f"dual is False; with loss='{self.loss}'",
                giving(
                    "it must be 'auto' or True, as that primal has corners;"
                    f" loss='{self._squared_loss}' has none",
                    "dual",
                    "auto",
                ),
            )
        yes_or_no(self.fit_intercept, "fit_intercept")
        whole_number(self.max_iter, "max_iter", 0)
        if self.random_state is not None:
            whole_number(self.random_state, "random_state", 0, WORD)
        not_negative(number_kind(self.tol), self.tol, "tol")

    def _read(self, X: RowsLike, beside: Sequence[object]) -> tuple[Any, Kind]:
        """Return the rows of X, and the kind of all numbers; see read_rows."""
        return read_rows(X, beside, Linear())

    def _constant(self, kind: Kind) -> Number | None:
        """Return what stands behind the numbers of each row, whose weight times it is the offset;
        None: there is no offset (svm/constant_feature.py)."""
        constant = positive(kind, self.intercept_scaling, "intercept_scaling")
        return constant if self.fit_intercept else None

    def _rows_to_train(self, data: TrainingSet, constant: Number | None) -> Any:
        """Return the rows that are present, with the constant behind them."""
        rows = data.present_of(data.rows)
        return rows if constant is None else with_constant(rows, constant)

    def _solve(self, problem: Any, tol: Number) -> tuple[Any, int]:
        """Return the Solution of the Problem of one machine, and its steps, or passes begun."""
        newton, smo, descent, shuffled = self._solvers
        name = solver_name(problem, self.dual)
        if name == "newton" and self.dual == "auto" and _has_many_columns(problem):
            return _solve_by_turns(problem, tol, self.max_iter, self._seed(), self._solvers)
        if name == "newton":
            solution = newton(problem, tol, self.max_iter)
            return solution, solution.iterations
        if name == "smo":
            solution = smo(problem, tol, self.max_iter * problem.n)
        else:
            solution = descent(problem, shuffled(problem.n, self.max_iter, self._seed()), tol)
        return solution, -(-solution.iterations // problem.n)

    def _seed(self) -> int:
        return USUAL_SEED if self.random_state is None else self.random_state


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


def machine_names(classes: list[Label]) -> list[str]:
    """Return what the machines are called in a sentence.

    >>> machine_names(["low", "high"]), machine_names([1, 2, 3])[2]
    (["the classes 'low' and 'high'"], 'class 3 against the rest')
    """
    if len(classes) == 2:
        return pair_names(classes)
    return [f"class {quote(c)} against the rest" for c in classes]
