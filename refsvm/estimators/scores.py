"""Scores: how well labels or values are predicted, by tallies of parts and told of all rows.

    accuracy              the share of rows whose label is predicted
    balanced_accuracy     of each class the share of its rows that is predicted to be of it, and
                          the mean of these: a class of few rows counts as much as one of many
    f1_macro              of each class 2 r / (t + p): t rows are of it, p are predicted to be, r
                          are both; and the mean over the classes that occur
    r2                    1 - sum (y - f)^2 / sum (y - mean)^2, of regression
    mean_absolute_error   sum |y - f| / n, of regression: the only one of which less is better

A tally of each fold is kept: how many rows are right, how many of each class are predicted to be
of each, or the sum of what is missed. From these follow the scores of the folds and of all rows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from math import inf
from operator import eq
from typing import Any

from ..numerics.linalg import total
from ..numerics.records import NamedTuple
from ..numerics.validation import one_of
from .svr import r2_of


class Scoring(NamedTuple):
    """A score.

    tally    of labels, or values, and predictions: what is kept of a fold
    score    of the labels of some rows, and the tallies of their parts
    nothing  the tally where there is no machine, so that nothing is predicted
    of       "classes" or "values"
    sign     1 where more is better, -1 where less is
    """

    name: str
    tally: Callable[[Sequence[Any], Sequence[Any]], Any]
    score: Callable[[Sequence[Any], Sequence[Any]], Any]
    nothing: Any
    of: str
    sign: int = 1


def scoring_named(name: str | None, of: str) -> Scoring:
    """Return the Scoring of this name, for classes or values; None: accuracy, or r2."""
    known = {scoring.name: scoring for scoring in SCORINGS if scoring.of == of}
    if name is None:
        return next(iter(known.values()))
    return known[one_of(name, known, "score")]


def missed(y: Sequence[Any], predicted: Sequence[Any]) -> Any:
    """Return the sum of the squared errors."""
    return total((v - f) * (v - f) for v, f in zip(y, predicted))


def _right(y: Sequence[Any], predicted: Sequence[Any]) -> int:
    """Return how many rows are predicted rightly."""
    return list(map(eq, predicted, y)).count(True)


def _accuracy(y: Sequence[Any], tallies: Sequence[int]) -> float:
    """Return the share of rows that are predicted rightly."""
    return sum(tallies) / len(y)  # exact


def _confused(y: Sequence[Any], predicted: Sequence[Any]) -> Counter[Any]:
    """Return how many rows of each label are predicted to be of each: {(label, other): n}."""
    return Counter(zip(y, predicted))


def _shares(tallies: Iterable[Counter[Any]], score: Callable[[int, int, int], Any]) -> list[Any]:
    """Return score(right, there, predicted) of each label that occurs."""
    whole: Counter[Any] = Counter()
    for of_part in tallies:
        whole.update(of_part)
    there: Counter[Any] = Counter()
    predicted: Counter[Any] = Counter()
    for (label, other), n in whole.items():
        there[label] += n
        predicted[other] += n
    labels = dict.fromkeys([*there, *predicted])
    return [score(whole[label, label], there[label], predicted[label]) for label in labels]


def _balanced_accuracy(y: Sequence[Any], tallies: Sequence[Counter[Any]]) -> float:
    """Return the mean, over the classes of y, of the share that is predicted."""
    shares = _shares(tallies, lambda right, there, _: right / there if there else 0)
    return _mean(shares, len(set(y)))


def _f1_macro(y: Sequence[Any], tallies: Sequence[Counter[Any]]) -> float:
    """Return the mean of 2 r / (t + p) over the classes that occur in y or are predicted."""
    shares = _shares(tallies, lambda right, there, predicted: 2 * right / (there + predicted))
    return _mean(shares, len(shares) or 1)


def _mean(shares: list[Any], count: int) -> float:
    """Return the mean of so many shares, of which those that are not listed are 0."""
    return float(total(sorted(shares)) / count)


def _r2(y: Sequence[Any], tallies: Sequence[Any]) -> Any:
    """Return R^2 of rows with these values, from the squared errors of their parts."""
    return r2_of(total(tallies), list(y), [1] * len(y))


def _absolute(y: Sequence[Any], predicted: Sequence[Any]) -> Any:
    """Return the sum of the sizes of the errors."""
    return total(abs(v - f) for v, f in zip(y, predicted))


def _mean_absolute_error(y: Sequence[Any], tallies: Sequence[Any]) -> Any:
    """Return the mean size of the errors."""
    return total(tallies) / len(y)


SCORINGS = (  # the first of each sort is taken where none is named
    Scoring("accuracy", _right, _accuracy, 0, "classes"),
    Scoring("balanced_accuracy", _confused, _balanced_accuracy, Counter(), "classes"),
    Scoring("f1_macro", _confused, _f1_macro, Counter(), "classes"),
    Scoring("r2", missed, _r2, inf, "values"),
    Scoring("mean_absolute_error", _absolute, _mean_absolute_error, inf, "values", -1),
)
