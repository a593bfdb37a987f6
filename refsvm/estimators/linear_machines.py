"""One machine of a LinearSVC or LinearSVR: what solves it, and what it is called.

    squared loss, finite C     newton
    linear loss, finite C      proximal_point, in doubles
    others                     smo; with many columns passes of dual coordinate descent

The first two go down the primal, and end where the gap is at most tol times it, under linear slack
a hundredth of that: then w, too, is near. In doubles, with more than 512 columns or more columns
than rows, they take turns with passes of dual coordinate descent, each of which reads each number
once (_solve_by_turns). Squared loss on Fractions is newton's, too.

With many columns it is not known beforehand whether passes end. In columns of one size and around
0, in texts, and where rows are hardly more than columns some 30 to 500 are enough; otherwise it
takes thousands. Steps down the primal are five to some hundred, each of as much work as many
passes. The violation tells, by what it would be after 512 passes if it fell on as it did when the
last passes doubled their number; the gap falls with it, under squared slack with its square.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from math import inf, sqrt
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
from ..solvers.newton import first_w, newton
from ..solvers.proximal_point import proximal_point
from ..solvers.smo import smo
from ..svm.constant_feature import offset_apart, with_constant
from ..svm.dual_form import distinct
from ..svm.gap_bounds import gap_of_w
from ..svm.model import Solution, SolutionFields
from ..svm.own_weights import is_part
from ..svm.regression_without_offset import LinearProblem
from .estimator import BaseEstimator
from .pairwise_training import pair_names
from .training_data import TrainingSet, read_rows

MOST_COLUMNS = 512  # with more, smo's rows cost more than passes, and so may steps of the primal
FEW_COLUMNS = 32  # with these steps of the primal cost less than passes, however few the rows are
FIRST_STEPS = 10  # of newton: many, as a rule
FIRST_PASSES, MOST_PASSES = 16, 512
USUAL_SEED = 0  # of random_state None: all that is computed here can be repeated


def _solver_name(problem: LinearProblem, dual: bool | str) -> str:
    """Return "newton", "proximal_point", "smo" or "descent": what solves a machine's problem.

    dual: as the estimator has it; only "auto" leaves the choice
    """
    if dual != "auto":
        return "descent" if dual else "newton"
    # Without a limit of slack there is no primal to go down.
    is_finite = inf not in distinct(problem.C)
    if is_finite and problem.slack == "squared":
        return "newton"
    if is_finite and problem.kind is float:
        return "proximal_point"
    return "smo" if problem.column_count() <= min(problem.n, MOST_COLUMNS) else "descent"


def solves_primal(problem: LinearProblem, dual: bool | str) -> bool:
    """Return whether a machine ends where the gap is at most tol times the primal."""
    return _solver_name(problem, dual) in ("newton", "proximal_point")


def part_for_gap(problem: LinearProblem, tol: Number) -> Number:
    """Return what part of the primal the gap may be: tol; under linear slack a hundredth of it.

    Steps under squared slack end far below it, as a rule, and others just below.
    """
    return tol if problem.slack == "squared" else tol / 100


def _has_many_columns(problem: LinearProblem) -> bool:
    """Return whether passes are worth a try; on Fractions their digits grow."""
    d = problem.column_count()
    most = MOST_COLUMNS if d <= problem.n else FEW_COLUMNS
    return problem.kind is float and d > most


def _solve_by_turns(
    problem: LinearProblem, tol: Number, max_iter: int, seed: int, solvers: tuple[Any, ...]
) -> tuple[Solution, int]:
    """Return (Solution whose gap is at most tol times the primal, steps and passes in all).

    Newton's method has a first turn where there are no more columns than rows. Where passes end
    in rounding, exact sums may show a smaller gap. Where they do not end, the primal has the last
    turn. If none of them does, the least gap is returned.

    max_iter : limits steps and passes, each by itself
    solvers : newton, proximal_point, smo, dual_coordinate_descent, shuffled_passes
    """
    newton, proximal_point, _, descent, shuffled = solvers
    by_newton, found, steps = problem.slack == "squared", [], 0
    if by_newton and problem.column_count() <= problem.n:
        first = newton(problem, tol, min(FIRST_STEPS, max_iter))
        found, steps = [first], first.iterations
        if first.status != "max_iter":
            return first, steps
    passes, count = _passes(problem, tol, max_iter, seed, descent, shuffled)
    if passes.status == "precision":
        gap = gap_of_w(problem, passes.alpha, first_w(problem, passes.w))
        passes = _changed(passes, gap=min(passes.gap, gap))
    if _has_small_gap(passes, tol):
        return _changed(passes, status="optimal"), steps + count
    found.append(passes)
    # Newton's method may end in rounding from a start with large weights.
    ways = [partial(newton, start=w) for w in (min(found, key=_primal).w, None)]
    for way in ways if by_newton else [proximal_point]:
        last = way(problem, tol, max_iter - steps)
        steps += last.iterations
        if last.status == "optimal":
            return last, steps + count
        found.append(last)
        if last.status == "max_iter":
            break
    return _changed(min(found, key=_gap), status=last.status), steps + count


def _passes(
    problem: LinearProblem, tol: Number, most: int, seed: int, descent: Any, shuffled: Any
) -> tuple[Solution, int]:
    """Return (Solution, their count) of passes; as many again while they will end at that rate."""
    alpha, before, made, limit, most = None, inf, 0, 0.0, min(most, MOST_PASSES)
    while True:
        picks = shuffled(problem.n, min(made or FIRST_PASSES, most - made), seed)
        found = descent(problem, picks, limit, alpha)
        made += -(-found.iterations // problem.n)
        is_stuck = found.status not in ("max_iter", "optimal") or found.violation >= before
        if is_stuck or made >= most or _has_small_gap(found, tol):
            return found, made
        fall, alpha, before = found.violation / before, found.alpha, found.violation
        part, was_early = tol * max(found.objective, 0.0) / found.gap, found.status == "optimal"
        enough = before * (sqrt(part) if problem.slack == "squared" else part)
        if not was_early and before * fall ** ((most // made).bit_length() - 1) > enough:
            return found, made
        limit = enough / (2 if was_early else 1) / (problem.unit_of_tol() or 1)


def _has_small_gap(solution: Solution, tol: Number) -> bool:
    """Return whether the gap is at most tol times the dual, a lower bound of the primal."""
    return is_part(solution.gap, tol, solution.objective, 0)


def _changed(solution: Solution, **changes: Any) -> Solution:
    """Return a copy of the Solution with other values of these fields."""
    found = solution._replace(**changes)
    vars(found).update(vars(solution))  # w, too, if it was asked for
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

    _solvers: ClassVar[tuple[Any, ...]] = (
        newton,
        proximal_point,
        smo,
        dual_coordinate_descent,
        shuffled_passes,
    )
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
        newton, proximal_point, smo, descent, shuffled = self._solvers
        name, by_primal = _solver_name(problem, self.dual), solves_primal(problem, self.dual)
        if by_primal:
            tol = part_for_gap(problem, tol)
        if by_primal and self.dual == "auto" and _has_many_columns(problem):
            return _solve_by_turns(problem, tol, self.max_iter, self._seed(), self._solvers)
        if by_primal:
            solve = newton if name == "newton" else proximal_point
            solution = solve(problem, tol, self.max_iter)
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
