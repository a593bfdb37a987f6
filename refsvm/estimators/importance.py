"""How much each feature matters to a machine: what its score loses when a column is shuffled.

A machine is asked about rows whose labels, or values, are known. Then the numbers of one column
are dealt to other rows, at random: so the column tells nothing of a row, and has the same numbers
as before. What the score loses is what the machine owed to the column. It is told of rows that
the machine was not trained on; on its own rows a column that it learnt by heart seems to matter.
Two columns that say the same share what both are worth.

    drop     the score less that with the column shuffled; of an error how much it grows
    error    the standard error of its mean over the shuffles

Source: Breiman, Random Forests, Machine Learning 45 (2001), pages 5-32, section 10.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import sqrt
from typing import Any, NamedTuple

from ..numerics.linalg import total
from ..numerics.picks import shuffle, splitmix64
from .scores import Scoring


class Importance(NamedTuple):
    """What one column is worth: the mean drop of the score, and the standard error of it."""

    drop: float
    error: float


def importances(
    predict: Callable[[list[Any]], Sequence[Any]],
    X: Sequence[Any],
    y: Sequence[Any],
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
        return float(scoring.sign * scoring.score(y, [scoring.tally(y, predict(asked))]))

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
