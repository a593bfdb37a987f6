"""Cross-validation: every row is decided about by a machine that was not trained on it.

The rows are dealt into folds. For each fold an estimator is trained on all rows but those of the
fold, and asked about these. The share that is predicted rightly is the accuracy to expect on rows
that are new; of regression it is R^2. scores.py has other scores.

    folds       lists of indices; every row is in one of them
    held out    the rows of a fold, which its machine is asked about; the others are kept: it is
                trained on them
    estimator   what has fit, predict, get_params and set_params: an SVC of refsvm, refsvm_fast or
                scikit-learn, a pipeline. It is never trained itself: every task makes a copy
    parameters  by name, what a copy has set before it is trained

Source: Stone, Cross-validatory choice and assessment of statistical predictions (1974).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from ..numerics.conversion import as_lists
from ..numerics.cures import Cure, with_cure
from ..numerics.display import displayed
from ..numerics.linalg import total
from ..numerics.quoting import quote
from ..numerics.types import Label, Labels, RowsLike
from ..numerics.validation import check_length, number_kind, vector
from .estimator import BaseEstimator, Classifier, NoMachine
from .executor_tasks import answer_tasks, require_executor, unheard
from .folds import (
    PreparedMachine,
    all_but,
    rows_to_cut,
    select_rows,
    shuffled_folds,
    stratified_folds,
)
from .kernel_estimator import SingleMachine, takes_gram
from .labels import is_same, plain_labels
from .scores import Scoring, missed, scoring_named

if TYPE_CHECKING:
    from concurrent.futures import Executor

Parameters = dict[str, Any]


@displayed
class Validation(NamedTuple):
    """What cross_validate returns; lists of n are in the order of the rows.

    Attributes
    ----------
    scores : list of k floats
        the accuracy on each fold, or another score
    predictions : list of n labels
    decisions : list of n numbers, or of n lists with more than two classes
        what decision_function says; None if the estimator has none. Where a fold holds all rows
        of a class, its machine does not know that class. They are what `calibrate` needs: each row
        was decided about by a machine that did not see it
    folds : list of k lists of indices
    score : float
        the accuracy on all rows, each counted once; or another score
    """

    scores: list[float]
    predictions: list[Label]
    decisions: list[Any] | None
    folds: list[list[int]]
    score: float


@displayed
class RegressionValidation(NamedTuple):
    """What cross_validate returns for regression; lists of n are in the order of the rows.

    Attributes
    ----------
    scores : list of k numbers
        R^2 on each fold, or another score
    predictions : list of n numbers
    decisions : None
    folds : list of k lists of indices
    score : number
        R^2 of all predictions, or another score
    mean_squared_error : number
        of all predictions
    """

    scores: list[Any]
    predictions: list[Any]
    decisions: None
    folds: list[list[int]]
    score: Any
    mean_squared_error: Any


class Split(NamedTuple):
    """Rows, their y, the folds they are dealt into, and the score: what all tasks share."""

    X: Any
    y: list[Any]
    folds: list[list[int]]
    scoring: Scoring


class Trial(NamedTuple):
    """What one machine says of the rows that it was not trained on."""

    tally: Any  # of the score: how many it predicts rightly; the sum of squared errors; ..
    statuses: list[str]  # how its training ended, where that was not optimal
    predictions: list[Any]  # if they are asked for
    decisions: list[Any] | None


def cross_validate(
    estimator: object,
    X: RowsLike,
    y: Labels,
    folds: int = 5,
    seed: int = 1,
    executor: Executor | None = None,
    *,
    score: str | None = None,
) -> Validation | RegressionValidation:
    """Predict every row by a machine trained on the other folds; return a Validation (S13.2).

    Of regression, where y are values, it is a RegressionValidation.

    Parameters
    ----------
    estimator : SVC, SVR, or any classifier or regressor that has get_params and set_params
        is copied, and stays as it is
    X : n rows, or an array, a data frame, a sparse matrix
    y : n labels
    folds : int, from 2 to n
        each has the same share of every class, up to one row; of regression any rows
    seed : int
        where the generator starts that shuffles the rows
    executor : concurrent.futures.Executor
        what runs the folds: threads, processes, a cluster; None: one after another. The result is
        the same to the last bit
    score : string
        "accuracy", "balanced_accuracy" or "f1_macro" of classes; "r2" or "mean_absolute_error" of
        values. None: the first of these

    Raises
    ------
    ValueError, TypeError
        for bad input, before any work; for what a fold's training refuses, with its fold
    RuntimeError
        for any other error, or the end of a process

    Notes
    -----
    k fits on n (k - 1) / k rows.

    Examples
    --------
    >>> from refsvm.estimators.svc import SVC
    >>> X, y = [[0], [1], [2], [5], [6], [7]], ["low"] * 3 + ["high"] * 3
    >>> found = cross_validate(SVC(kernel="linear"), X, y, folds=3)
    >>> found.scores, found.predictions
    ([1.0, 1.0, 1.0], ['low', 'low', 'low', 'high', 'high', 'high'])
    """
    require_executor(executor)
    machine = fresh_copy(estimator)
    split = split_data(machine, X, y, folds, seed, score)
    (trials,) = trials_of(machine, [{}], split, executor, with_answers=True)
    found: Validation | RegressionValidation = validation(split, trials)
    return found


def validation(split: Split, trials: Sequence[Trial]) -> RegressionValidation | Validation:
    """Put the answers of the folds together, in the order of the rows."""
    predictions: list[Any] = [None] * len(split.y)
    decisions: list[Any] | None = [None] * len(split.y)
    for fold, trial in zip(split.folds, trials):
        for i, label in zip(fold, trial.predictions):
            predictions[i] = label
        if trial.decisions is None:
            decisions = None
        for i, decision in zip(fold, trial.decisions or ()):
            decisions[i] = decision  # type: ignore[index]
    scores, score = fold_scores(split, trials), whole_score(split, trials)
    if split.scoring.of == "classes":
        return Validation(scores, predictions, decisions, split.folds, score)
    errors = [
        missed([split.y[i] for i in fold], trial.predictions)
        for fold, trial in zip(split.folds, trials)
    ]
    error = total(errors) / len(split.y)
    return RegressionValidation(scores, predictions, None, split.folds, score, error)


def fold_scores(split: Split, trials: Sequence[Trial]) -> list[Any]:
    """Return the score of each fold's machine on its rows."""
    return [
        split.scoring.score([split.y[i] for i in fold], [trial.tally])
        for trial, fold in zip(trials, split.folds)
    ]


def whole_score(split: Split, trials: Sequence[Trial]) -> Any:
    """Return the score of all rows together."""
    return split.scoring.score(split.y, [trial.tally for trial in trials])


def trials_of(
    machine: object,
    points: Sequence[Parameters],
    split: Split,
    executor: Executor | None = None,
    with_answers: bool = False,
    on_answer: Callable[[int, Trial], object] = unheard,
) -> list[list[Trial]]:
    """Return for each point, which is a dict of parameters, the Trial of each fold.

    on_answer(number, trial) is called when each is there: number = point * folds + fold.
    """
    k = len(split.folds)
    tasks = [(machine, point, j, with_answers) for point in points for j in range(k)]

    def name_of(number: int) -> str:
        point = ", ".join(f"{name}={quote(v, 30)}" for name, v in points[number // k].items())
        return f"{point and point + ', '}fold {number % k + 1} of {k}"

    found = answer_tasks(_held_out_trial, split, tasks, executor, name_of, on_answer)
    return [found[start : start + k] for start in range(0, len(tasks), k)]


def _held_out_trial(
    split: Split,
    machine: BaseEstimator | PreparedMachine,
    point: Parameters,
    j: int,
    with_answers: bool,
) -> Trial:
    """Train a copy of the machine with these parameters on all folds but j; ask it about j.

    Where there is no machine for these parameters, and its answers are not asked for, nothing is
    predicted: a search goes on.
    """
    held_out, machine = split.folds[j], fresh_copy(machine)
    if point:
        machine.set_params(**point)
    kept = all_but(held_out, len(split.y))
    columns = kept if is_pairwise(machine) else None
    try:
        machine.fit(select_rows(split.X, kept, columns), [split.y[i] for i in kept])
    except NoMachine as error:
        if with_answers:
            raise
        return Trial(split.scoring.nothing, [error.status], [], None)
    rows = select_rows(split.X, held_out, columns)
    predictions = as_lists(machine.predict(rows))
    tally = split.scoring.tally([split.y[i] for i in held_out], predictions)
    solutions = getattr(machine, "solutions_", [getattr(machine, "solution_", None)])
    statuses = {solution.status for solution in solutions if solution} - {"optimal"}
    if not with_answers:
        return Trial(tally, sorted(statuses), [], None)
    decide = getattr(machine, "decision_function", None)
    decisions = None if decide is None else as_lists(decide(rows))
    return Trial(tally, sorted(statuses), predictions, decisions)


def fresh_copy(estimator: Any) -> Any:
    """Return a copy of an estimator as it was before it was trained."""
    if isinstance(estimator, type):
        name = estimator.__name__
        cure = Cure(f"such as {name}()", "estimator", _instance)
        raise with_cure(TypeError, f"estimator is the class {name}; an instance is needed,", cure)
    for method in ("fit", "predict", "get_params", "set_params"):
        if not callable(getattr(estimator, method, None)):
            raise TypeError(f"estimator is {quote(estimator)}; it must have the method {method}")
    clone = getattr(estimator, "__sklearn_clone__", None)
    return clone() if clone else type(estimator)(**deepcopy(estimator.get_params(deep=False)))


def is_pairwise(machine: BaseEstimator | PreparedMachine) -> bool:
    """Tell whether the rows of X are those of a Gram matrix, whose columns are cut, too."""
    tags = getattr(machine, "__sklearn_tags__", None)
    if tags is None or isinstance(machine, BaseEstimator):  # which answers without scikit-learn
        return takes_gram(getattr(machine, "kernel", None))
    return bool(tags().input_tags.pairwise)


def split_data(
    machine: Any, X: Any, y: Any, folds: int, seed: int, score: str | None = None
) -> Split:
    """Return a Split of checked data: what the machine's own fit would refuse is refused here."""
    X = rows_to_cut(X)
    n = X.shape[0] if hasattr(X, "shape") else len(X)
    scoring = scoring_named(score, _answers_of(machine))
    if scoring.of == "values":
        y = vector(y, "y", number_kind(y))
        check_length(y, n, "y")
        X = _check_rows(machine, X, y) if isinstance(machine, SingleMachine) else X
        return Split(X, y, shuffled_folds(n, folds, seed), scoring)
    y = plain_labels(y, n)
    parts = stratified_folds(y, folds, seed)
    for j, fold in enumerate(parts):
        _require_two_classes(y, fold, f"fold {j + 1} of {len(parts)}")
    if isinstance(machine, Classifier):
        X = _check_rows(machine, X, y)
    return Split(X, y, parts, scoring)


def _answers_of(machine: object) -> str:
    """Return whether a machine predicts classes or values; TypeError if it predicts no y."""
    kind = getattr(machine, "_estimator_type", None)
    if kind is None and hasattr(machine, "__sklearn_tags__"):
        kind = machine.__sklearn_tags__().estimator_type
    if kind == "outlier_detector":
        raise TypeError(
            f"estimator is {quote(machine)}; it predicts no y with which its answers could be"
            " compared"
        )
    return "values" if kind == "regressor" else "classes"


def _check_rows(machine: Classifier | SingleMachine, X: Any, y: list[Any]) -> Any:
    """Return X, of Fractions if one number is: a fold without that would be of floats."""
    data = machine._accept(X, y, None)
    return data.rows if data.kind is Fraction else X


def _instance(cls: type) -> Any:
    """Return an estimator of this class, with its defaults."""
    return cls()


def _require_two_classes(y: list[Label], fold: list[int], name: str) -> None:
    """Raise ValueError if one class only is left to train on beside a fold."""
    kept = all_but(fold, len(y))
    if all(is_same(y[i], y[kept[0]]) for i in kept):
        raise ValueError(
            f"{name} leaves the label {quote(y[kept[0]])} only to train on; there must be at"
            " least two rows of each of two classes"
        )
