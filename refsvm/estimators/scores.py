"""Scores: how well labels or values are predicted, by tallies of parts; what a column is worth.

    accuracy              the share of rows whose label is predicted
    balanced_accuracy     of each class the share of its rows that is predicted to be of it, and
                          the mean of these: a class of few rows counts as much as one of many
    f1_macro              of each class 2 r / (t + p): t rows are of it, p are predicted to be, r
                          are both; and the mean over the classes that occur
    r2                    1 - sum (y - f)^2 / sum (y - mean)^2, of regression
    mean_absolute_error   sum |y - f| / n, of regression: the only one of which less is better

A tally of each fold is kept: how many rows are right, how many of each class are predicted to be
of each, or the sum of what is missed. From these follow the scores of the folds and of all rows,
and how far a score is off by chance: its standard error, or what stands for it.

    accuracy a            sqrt(a (1 - a) / n)
    balanced_accuracy     (1/k) sqrt(sum r (1 - r) / t), over k classes of t rows of which a share
                          r is predicted; it stands for that of f1_macro, too
    r2                    1/100, and of mean_absolute_error a hundredth of what the mean misses

A column is worth what the score of a machine loses when the column is shuffled. Ask about rows
that the machine was not trained on: on its own rows a column learnt by heart seems to matter. Two
columns that say the same share what both are worth.

Source: Breiman, Random Forests, Machine Learning 45 (2001), pages 5-32, section 10.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from math import inf, sqrt
from operator import eq
from typing import Any, NamedTuple

from ..numerics.linalg import total
from ..numerics.picks import shuffle, splitmix64
from ..numerics.types import Label, Number, VectorLike
from ..numerics.validation import one_of
from .svr import r2_of

Confusion = Counter[tuple[Label, Label]]  # how many rows of a label are predicted to be of another


class Scoring(NamedTuple):
    """A score (S13.2).

    tally    of labels, or values, and predictions: what is kept of a fold
    score    of the labels of some rows, and the tallies of their parts
    error    of the same: how far the score is off by chance
    nothing  the tally where there is no machine, so that nothing is predicted
    of       "classes" or "values"
    sign     1 where more is better, -1 where less is
    """

    name: str
    tally: Callable[[Sequence[Any], Sequence[Any]], Any]
    score: Callable[[Sequence[Any], Sequence[Any]], Any]
    error: Callable[[Sequence[Any], Sequence[Any]], float]
    nothing: Any
    of: str
    sign: int = 1


def scoring_named(name: str | None, of: str) -> Scoring:
    """Return the Scoring of this name, for classes or values; None: accuracy, or r2."""
    known = {scoring.name: scoring for scoring in SCORINGS if scoring.of == of}
    if name is None:
        return next(iter(known.values()))
    return known[one_of(name, known, "score")]


def missed(y: VectorLike, predicted: VectorLike) -> Number:
    """Return the sum of the squared errors."""
    return total((v - f) * (v - f) for v, f in zip(y, predicted))


def _right(y: Sequence[Label], predicted: Sequence[Label]) -> int:
    """Return how many rows are predicted rightly."""
    return list(map(eq, predicted, y)).count(True)


def _accuracy(y: Sequence[Label], tallies: Sequence[int]) -> float:
    """Return the share of rows that are predicted rightly."""
    return sum(tallies) / len(y)  # exact


def _error_of_accuracy(y: Sequence[Label], tallies: Sequence[int]) -> float:
    """Return the standard error of an accuracy."""
    share = _accuracy(y, tallies)
    return sqrt(share * (1 - share) / len(y))


def _confused(y: Sequence[Label], predicted: Sequence[Label]) -> Confusion:
    """Return how many rows of each label are predicted to be of each: {(label, other): n}."""
    return Counter(zip(y, predicted))


def _shares(tallies: Iterable[Confusion], score: Callable[[int, int, int], float]) -> list[float]:
    """Return score(right, there, predicted) of each label that occurs."""
    whole: Confusion = Counter()
    for of_part in tallies:
        whole.update(of_part)
    there: Counter[Label] = Counter()
    predicted: Counter[Label] = Counter()
    for (label, other), n in whole.items():
        there[label] += n
        predicted[other] += n
    labels = dict.fromkeys([*there, *predicted])
    return [score(whole[label, label], there[label], predicted[label]) for label in labels]


def _balanced_accuracy(y: Sequence[Label], tallies: Sequence[Confusion]) -> float:
    """Return the mean, over the classes of y, of the share that is predicted."""
    shares = _shares(tallies, lambda right, there, _: right / there if there else 0)
    return _mean(shares, len(set(y)))


def _error_of_balanced(y: Sequence[Label], tallies: Sequence[Confusion]) -> float:
    """Return the standard error of a mean, over the classes of y, of shares of their rows."""
    squares = _shares(tallies, lambda right, t, _: right * (t - right) / (t * t * t) if t else 0)
    return sqrt(total(sorted(squares))) / len(set(y))


def _f1_macro(y: Sequence[Label], tallies: Sequence[Confusion]) -> float:
    """Return the mean of 2 r / (t + p) over the classes that occur in y or are predicted."""
    shares = _shares(tallies, lambda right, there, predicted: 2 * right / (there + predicted))
    return _mean(shares, len(shares) or 1)


def _mean(shares: list[float], count: int) -> float:
    """Return the mean of `count` shares; shares that are not listed are 0."""
    return float(total(sorted(shares)) / count)


def _r2(y: VectorLike, tallies: VectorLike) -> Number:
    """Return R^2 of rows with these values, from the squared errors of their parts."""
    return r2_of(total(tallies), list(y), [1] * len(y))


def _hundredth(y: VectorLike, tallies: VectorLike) -> float:
    """Return what counts as the standard error of R^2."""
    return 0.01


def _absolute(y: VectorLike, predicted: VectorLike) -> Number:
    """Return the sum of the sizes of the errors."""
    pairs: Iterable[Any] = zip(y, predicted)
    return total(abs(v - f) for v, f in pairs)


def _mean_absolute_error(y: VectorLike, tallies: VectorLike) -> Number:
    """Return the mean size of the errors."""
    return total(tallies) / len(y)


def _hundredth_of_guess(y: VectorLike, tallies: VectorLike) -> float:
    """Return a hundredth of the mean absolute error of always the mean."""
    mean = total(y) / len(y)
    return float(_absolute(y, [mean] * len(y)) / (100 * len(y)))


SCORINGS = (  # the first of each sort is taken where none is named
    Scoring("accuracy", _right, _accuracy, _error_of_accuracy, 0, "classes"),
    Scoring(
        "balanced_accuracy",
        _confused,
        _balanced_accuracy,
        _error_of_balanced,
        Counter(),
        "classes",
    ),
    Scoring("f1_macro", _confused, _f1_macro, _error_of_balanced, Counter(), "classes"),
    Scoring("r2", missed, _r2, _hundredth, inf, "values"),
    Scoring(
        "mean_absolute_error",
        _absolute,
        _mean_absolute_error,
        _hundredth_of_guess,
        inf,
        "values",
        -1,
    ),
)


class Importance(NamedTuple):
    """What one column is worth: the mean drop of the score, and the standard error of it."""

    drop: float
    error: float


def importances(
    predict: Callable[[list[Any]], Sequence[Any]],
    X: Sequence[Any],
    y: Sequence[Label],
    scoring: Scoring,
    repeats: int = 10,
    seed: int = 1,
    on_column: Callable[[int], object] = lambda column: None,
) -> tuple[float, list[Importance]]:
    """Return the score, and the Importance of each column.

    The columns come in their order, each with `repeats` shuffles of all rows; one generator, which
    begins at the seed, serves them all. `on_column` is called with each before it is shuffled.
    O(d repeats) predictions of all rows.

    Parameters
    ----------
    predict : function
        from rows to labels, or values
    X, y : n rows of d numbers, and their labels or values
    scoring : Scoring
        what is compared
    repeats : int, 2 or more
    seed : int

    Examples
    --------
    >>> from refsvm.estimators.scores import scoring_named
    >>> X = [[i % 2, i % 3] for i in range(12)]
    >>> score, found = importances(
    ...     lambda rows: [x[0] for x in rows], X, [x[0] for x in X],
    ...     scoring_named("accuracy", "classes"))
    >>> score, [round(column.drop, 2) for column in found]
    (1.0, [0.48, 0.0])
    """
    bits, rows = splitmix64(seed), [list(x) for x in X]

    def score_of(asked: list[Any]) -> float:
        return float(
            scoring.sign * scoring.score(y, [scoring.tally(y, predict([[*x] for x in asked]))])
        )

    whole, found = score_of(rows), []
    for j in range(len(rows[0])):
        on_column(j)
        drops = []
        for _ in range(repeats):
            column = shuffle([x[j] for x in rows], bits)
            dealt = [[*x[:j], v, *x[j + 1 :]] for x, v in zip(rows, column)]
            drops.append(whole - score_of(dealt))
        mean: Any = total(drops) / repeats
        around: Any = total((drop - mean) * (drop - mean) for drop in drops)
        found.append(Importance(mean, sqrt(around / (repeats * (repeats - 1)))))
    return scoring.sign * whole, found
