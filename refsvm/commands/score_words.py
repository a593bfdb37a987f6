"""The scores that points of a grid are compared by, in words."""

from collections.abc import Callable
from typing import NamedTuple

from ..estimators.scores import scoring_named
from ..numerics.linalg import total
from .console import number, percent, plural
from .reports import guessing, is_rare, mean_squares, no_better


class _Score(NamedTuple):
    """What points are compared by, and how it is printed."""

    name: str
    of: str  # what it is the score of
    cell: Callable
    best: Callable  # from the score and the y of all rows
    within: str = "a standard error ({})"  # which points are as good


def _accuracy_of(share, y):
    """Return an accuracy in words.

    >>> _accuracy_of(0.75, [1, 1, -1, -1])
    '75.00 % (3 of 4 rows; always -1: 50.00 %)'
    """
    n, right = len(y), round(share * len(y))
    return f"{percent(right, n)} ({right} of {plural(n, 'row')}; {guessing(y)})"


def _balanced_of(share, y):
    """Return a balanced accuracy in words.

    >>> _balanced_of(0.75, [1, 1, -1, -1])
    'balanced accuracy 75.00 % (always one class: 50.00 %)'
    """
    guessed = percent(1, len(set(y)))
    return f"balanced accuracy {percent(share, 1)} (always one class: {guessed})"


def _fit_of(r2, y):
    """Return R^2 in words, and the mean squared error that it stands for.

    >>> _fit_of(0.75, [1.0, 3.0])
    'R^2 0.7500, mean squared error 0.25 (2 rows; always the mean: 1)'
    """
    spread = mean_squares(y)
    rows = f"{plural(len(y), 'row')}; always the mean: {number(spread)}"
    error = f", mean squared error {number((1 - r2) * spread)}" if spread else ""
    return f"R^2 {r2:.4f}{error} ({rows})"


def _error_of(error, y):
    """Return a mean absolute error in words.

    >>> _error_of(0.5, [1.0, 3.0])
    'mean absolute error 0.5 (2 rows; always the mean: 1)'
    """
    rows, guessed = plural(len(y), "row"), number(_mean_absolute(y))
    return f"mean absolute error {number(error)} ({rows}; always the mean: {guessed})"


def _mean_absolute(y):
    """Return the mean absolute error of always the mean."""
    scoring, mean = scoring_named("mean_absolute_error", "values"), total(y) / len(y)
    return scoring.score(y, [scoring.tally(y, [mean] * len(y))])


def as_good_as_guessing(name, score, error, y):
    """Return a line if the score of rows not trained on is no better than guessing.

    name, score, error: of a Scoring, its value, and how far that may be off by chance.

    >>> as_good_as_guessing("r2", 0.0, 0.01, [1.0, 2.0])
    ['no better than always the mean']
    >>> as_good_as_guessing("mean_absolute_error", 0.6, 0.005, [1.0, 2.0])
    ['no better than always the mean']
    >>> as_good_as_guessing("balanced_accuracy", 0.6, 0.05, ["no", "yes"])
    []
    """
    if name == "accuracy":
        return no_better(score, y)
    if name == "balanced_accuracy" and score <= 1 / len(set(y)) + error:
        return ["no better than always one class, within a standard error"]
    of_mean = (
        name == "r2" and score <= 0 or name == "mean_absolute_error" and score >= _mean_absolute(y)
    )
    return ["no better than always the mean"] if of_mean else []


def _share(share):
    """Return a share as a cell of the table."""
    return percent(share, 1)


def _four_digits(value):
    """Return a number from 0 to 1 as a cell of the table."""
    return f"{value:.4f}"


SCORES = {
    "accuracy": _Score("accuracy", "accuracy on rows", _share, _accuracy_of),
    "balanced_accuracy": _Score("balanced", "balanced accuracy on rows", _share, _balanced_of),
    "f1_macro": _Score(
        "F1", "mean F1 on rows", _four_digits, lambda score, y: f"mean F1 {score:.4f}"
    ),
    "r2": _Score("R^2", "R^2 of predictions of rows", _four_digits, _fit_of, "{}"),
    "mean_absolute_error": _Score(
        "error", "mean absolute error of predictions of rows", number, _error_of, "{}"
    ),
}


def score_for(given, answers, y):
    """Return the name of the score; balanced where a class is so rare that accuracy hides it."""
    if given.score is not None:
        return scoring_named(given.score, answers).name
    if answers == "values":
        return "r2"
    return "balanced_accuracy" if is_rare(y) else "accuracy"
