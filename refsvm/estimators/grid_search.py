"""Grid search: cross-validation at every point of a grid of parameters, and the best of them.

    point       parameters by name, as set_params takes them
    grid        the values of each parameter: its points are all combinations. The first name
                varies slowest, as in nested loops. Several grids are taken one after the other

All points share the same folds, so that they are compared on the same rows. What counts is the
score on all rows together: of classifiers how many are predicted rightly, so that ties are ties.
The first point with the best score, in the order given, is the best.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple

from ..numerics.conversion import as_lists, as_sequence
from ..numerics.cures import giving, with_cure
from ..numerics.display import displayed
from ..numerics.quoting import quote, shorten
from ..numerics.types import Labels, RowsLike
from ..svm.one_vs_one import first_largest
from .cross_validation import (
    Parameters,
    Split,
    Trial,
    fold_scores,
    fresh_copy,
    is_pairwise,
    split_data,
    trials_of,
    whole_score,
)
from .estimator import BaseEstimator
from .executor_tasks import require_executor, unheard
from .folds import PreparedMachine, select_rows
from .kernel_estimator import SingleMachine, divisor_of_scale
from .labels import classes_of
from .refined_search import USUAL_POINT, Point, Score, refined_search

if TYPE_CHECKING:
    from concurrent.futures import Executor


MAX_NAMES_LISTED = 12  # parameters, more than an SVC of refsvm has


@displayed
class GridPoint(NamedTuple):
    """A point of a grid, and how well its machines predict.

    Attributes
    ----------
    parameters : dict
    score : float
        the accuracy on all rows, each predicted by a machine not trained on it; of regression R^2;
        or the score that was asked for
    scores : list of k floats
        the same on each fold

    Examples
    --------
    >>> from refsvm.estimators.svc import SVC
    >>> X, y = [[0], [1], [5], [6]], ["no", "no", "yes", "yes"]
    >>> grid(SVC(kernel="linear"), {"C": [1]}, X, y, folds=2).table[0].parameters
    {'C': 1}
    """

    parameters: Parameters
    score: float
    scores: list[float]


@displayed
class Grid(NamedTuple):
    """What grid returns.

    Attributes
    ----------
    best : dict
        the parameters of the first point with the best score
    score : float
        its score
    table : list of GridPoint
        all points, in the order given
    """

    best: Parameters
    score: float
    table: list[GridPoint]


def grid(
    estimator: object,
    parameters: Mapping[str, Sequence[Any]] | Sequence[Mapping[str, Sequence[Any]]],
    X: RowsLike,
    y: Labels,
    folds: int = 5,
    seed: int = 1,
    executor: Executor | None = None,
    *,
    score: str | None = None,
) -> Grid:
    """Cross-validate an estimator with all combinations of parameters; return a Grid (S13.3).

    Parameters
    ----------
    estimator : SVC, SVR, or any classifier or regressor that has get_params and set_params
        is copied, and stays as it is
    parameters : dict of lists
        the values to try, by name; or a list of such dicts
    X, y, folds, seed, score
        as in cross_validate
    executor : concurrent.futures.Executor
        what runs the fits, each a task: threads, processes, a cluster; None: one after another.
        The result is the same to the last bit

    Raises
    ------
    ValueError, TypeError
        for bad input, before any work; for what a fit refuses, with its parameters and fold
    RuntimeError
        for any other error, or the end of a process

    Notes
    -----
    A fit for each point and fold. Where nu is too large or too small for a machine of NuSVC, no
    row of the fold is predicted. The score of the best point is a little too good, since
    it was chosen by it; what to expect on new rows is told by rows that the search has not seen.

    Examples
    --------
    >>> from refsvm.estimators.svc import SVC
    >>> X, y = [[i] for i in range(12)], [0] * 4 + [1] * 4 + [0] * 4
    >>> found = grid(SVC(), {"C": [1, 100], "kernel": ["linear", "rbf"]}, X, y, folds=4)
    >>> found.best, found.score
    ({'C': 100, 'kernel': 'rbf'}, 1.0)
    >>> [round(point.score, 2) for point in found.table]
    [0.67, 0.92, 0.67, 1.0]
    >>> SVC(**found.best).fit(X, y).predict([[5.5]])
    [1]
    """
    require_executor(executor)
    return run_search(checked_search(estimator, parameters, X, y, folds, seed, score), executor)


class Search(NamedTuple):
    """A search that is checked, and ready for the work."""

    machine: Any
    points: list[Parameters]
    split: Split


def checked_search(
    estimator: object,
    parameters: object,
    X: object,
    y: object,
    folds: int,
    seed: int,
    score: str | None = None,
) -> Search:
    """Refuse what is no search, before any work; return the Search."""
    machine = fresh_copy(estimator)
    points = _grid_points(parameters, machine)
    split = split_data(_with_parameters(machine, points[0]), X, y, folds, seed, score)
    _refuse_bad_points(machine, points, split)
    return Search(machine, points, split)


def run_search(
    ready: Search,
    executor: Executor | None,
    on_answer: Callable[[int, Trial], object] = unheard,
) -> Grid:
    """Return the Grid of a Search; on_answer(number, trial) is called after each fit."""
    machine, points, split = ready
    trials = trials_of(machine, points, split, executor, on_answer=on_answer)
    return _scored(points, split, trials)


class RefinedGrid(NamedTuple):
    """What a search of C and gamma has found that chose its points itself (refined_search.py).

    grid     all points, by C and then by gamma; its best is the best
    taken    the point nearest to the usual one within a standard error of the best
    error    this standard error
    usual    the parameters of the usual point; None where all points were given
    """

    grid: Grid
    taken: GridPoint
    error: float
    usual: Parameters | None


def run_refined(
    ready: Search,
    unit: float,
    executor: Executor | None,
    on_answer: Callable[[int, Trial], object] = unheard,
    on_stage: Callable[[int, int], object] = unheard,
) -> RefinedGrid:
    """Return the RefinedGrid of a Search, whose first point has all that stays as it is (S13.8).

    unit: of C. on_stage(fits, more) is called before each stage: so many fits are in it, and so
    many may follow, at most.
    """
    machine, points, split = ready
    table: dict[Point, GridPoint] = {}

    def ask(asked: list[Point], more: int) -> list[Score]:
        folds, sign = len(split.folds), split.scoring.sign
        on_stage(len(asked) * folds, more * folds)
        parameters = [
            {**points[0], "C": 4.0**i * unit, "gamma": _part_of_scale(j)} for i, j in asked
        ]
        trials = trials_of(machine, parameters, split, executor, on_answer=on_answer)
        table.update(zip(asked, _scored(parameters, split, trials).table))
        errors = [split.scoring.error(split.y, [t.tally for t in several]) for several in trials]
        return [Score(sign * table[at].score, error) for at, error in zip(asked, errors)]

    found = refined_search(ask)
    best = table[found.best]
    grid = Grid(dict(best.parameters), best.score, [table[at] for at in sorted(table)])
    error = found.scores[found.best].error
    return RefinedGrid(grid, table[found.taken], error, table[USUAL_POINT].parameters)


def _part_of_scale(j: int) -> str:
    """Return the word for 4^j times the scale of the rows.

    >>> _part_of_scale(-3), _part_of_scale(0), _part_of_scale(2)
    ('scale/64', 'scale', 'scale/0.0625')
    """
    return f"scale/{4**-j}" if j else "scale"


def _scored(points: list[Parameters], split: Split, trials: list[list[Trial]]) -> Grid:
    """Return the Grid of the trials of each point."""
    table = [
        GridPoint(point, whole_score(split, of_point), fold_scores(split, of_point))
        for point, of_point in zip(points, trials)
    ]
    best = table[first_largest([split.scoring.sign * point.score for point in table])]
    return Grid(dict(best.parameters), best.score, table)


def _grid_points(parameters: object, machine: BaseEstimator | PreparedMachine) -> list[Parameters]:
    """Return the points of a grid, or of a list of grids, in their order."""
    if isinstance(parameters, Mapping):
        return _combinations(parameters, "parameters", machine)
    grids = as_sequence(parameters)
    if grids is None:
        raise TypeError(
            f"parameters is {quote(parameters)}; a dict of lists of values is needed, such as"
            " {'C': [1, 10]}"
        )
    if not grids:
        raise ValueError("parameters is empty; it must hold at least one dict of lists of values")
    named = [(f"parameters[{k}]", part) for k, part in enumerate(grids)]
    for name, part in named:
        if not isinstance(part, Mapping):
            raise TypeError(f"{name} is {quote(part)}; a dict of lists of values is needed")
    return [point for name, part in named for point in _combinations(part, name, machine)]


def _combinations(
    of: Mapping[Any, Any], name: str, machine: BaseEstimator | PreparedMachine
) -> list[Parameters]:
    """Return all combinations of the values of one grid."""
    if not of:
        raise ValueError(f"{name} is empty; it must name at least one parameter")
    known = sorted(machine.get_params(deep=True))
    for key in of:
        if key not in known:
            raise ValueError(f"{name} has the key {quote(key)}; {_known_names(key, known)}")
    values = [_listed_values(of[key], f"{name}[{key!r}]") for key in of]
    return [dict(zip(of, chosen)) for chosen in product(*values)]


def _known_names(key: object, known: list[str]) -> str:
    """Return in words which keys there are; of a pipeline's many those that look like this one.

    >>> _known_names("C", ["steps", "svc__C", "svc__gamma"] + [f"step{k}__x" for k in range(9)])
    "the nearest are 'svc__C'"
    """
    near = [name for name in known if name.endswith(f"__{key}")]
    near = near or get_close_matches(str(key), known)
    few = len(known) < MAX_NAMES_LISTED or not near
    listed = shorten(", ".join(map(repr, known if few else near)), 150)
    return f"the {'known ones' if few else 'nearest'} are {listed}"


def _listed_values(given: object, name: str) -> Sequence[Any]:
    """Return the values of one parameter as a list or tuple."""
    values = as_sequence(as_lists(given))
    if values is None:
        sentence = f"{name} is {quote(given)}; a list of values is needed"
        if isinstance(given, (str, int, float)) or given is None:
            cure = giving(f"such as [{quote(given)}]", name, [given])
            raise with_cure(TypeError, f"{sentence},", cure)
        raise TypeError(sentence)
    if not values:
        raise ValueError(f"{name} is empty; it must hold at least one value")
    return values


def _with_parameters(machine: Any, point: Parameters) -> Any:
    """Return a copy of the machine with these parameters."""
    copy = fresh_copy(machine)
    copy.set_params(**point)
    return copy


def _refuse_bad_points(machine: Any, points: list[Parameters], split: Split) -> None:
    """Refuse, before any work, parameters that fit would refuse: on one row of each class."""
    of_cells = isinstance(machine, PreparedMachine)
    trained = machine.machine if of_cells else machine
    if not isinstance(trained, BaseEstimator):
        return
    everyone = list(range(len(split.y)))
    values = isinstance(trained, SingleMachine)
    # So few rows cost nothing, and what they refuse any rows would.
    few = everyone[:2] if values else [rows[0] for rows in classes_of(split.y, everyone)[1]]
    for point in points:
        copy = _with_parameters(trained, point)
        if getattr(copy, "kernel", None) is not None and _is_scale(copy.gamma):
            copy.gamma = "auto"  # the variance of a few rows may be none of the doubles
        columns = few if is_pairwise(copy) else None
        X = select_rows(split.X, few, columns)
        if of_cells:
            X = machine.preparation.rows(X)
        copy._check_parameters(copy._accept(X, [split.y[i] for i in few], None))


def _is_scale(gamma: object) -> bool:
    """Tell whether gamma is a word of the scale of the rows; it may be anything."""
    return isinstance(gamma, str) and divisor_of_scale(gamma) is not None
