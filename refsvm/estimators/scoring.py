"""How well rows are predicted that a machine has not seen: the accuracy, or R^2.

Of each fold a count is kept, from which the scores of the folds and of all rows follow: how many
rows are predicted rightly, or the sum of the squared errors of values.

    R^2    1 - sum (y - f)^2 / sum (y - mean)^2; where all y are equal 1 if all are met, else 0
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import eq
from typing import Any

from ..numerics.linalg import total
from ..numerics.quoting import quote
from ..numerics.types import Number, Vector
from ..numerics.validation import number_kind, vector


class Accuracy:
    """The score of classifiers: the share of rows whose label is predicted."""

    def count(self, y: Sequence[Any], predicted: Sequence[Any]) -> Any:
        """Return how many rows are predicted rightly."""
        return list(map(eq, predicted, y)).count(True)

    def score(self, y: Sequence[Any], counts: Sequence[Any]) -> float:
        """Return the accuracy on rows with these labels, from the counts of their parts."""
        return sum(counts) / len(y)  # type: ignore[no-any-return]  # exact


class R2:
    """The score of regression."""

    def count(self, y: Sequence[Any], predicted: Sequence[Any]) -> Any:
        """Return the sum of the squared errors."""
        return total((v - f) * (v - f) for v, f in zip(y, predicted))

    def score(self, y: Sequence[Any], counts: Sequence[Any]) -> Any:
        """Return R^2 of rows with these values, from the squared errors of their parts."""
        return r2_of(total(counts), list(y), [1] * len(y))


Scoring = Any  # an Accuracy or an R2


def scoring_of(machine: Any) -> Scoring:
    """Return what a machine is scored by; TypeError for one that predicts no y."""
    kind = getattr(machine, "_estimator_type", None)
    if kind is None and hasattr(machine, "__sklearn_tags__"):
        kind = machine.__sklearn_tags__().estimator_type
    if kind == "outlier_detector":
        raise TypeError(
            f"estimator is {quote(machine)}; it predicts no y with which its answers could be"
            " compared"
        )
    return R2() if kind == "regressor" else Accuracy()


def r2_of(missed: Number, y: Vector, weights: Vector) -> Number:
    """Return R^2 from the weighted sum of squared errors."""
    whole = total(weights)
    mean = total(c * v for c, v in zip(weights, y)) / whole
    spread = total(c * (v - mean) * (v - mean) for c, v in zip(weights, y))
    if spread == 0:
        return 1 if missed == 0 else 0
    return 1 - missed / spread


def values(y: Any) -> Vector:
    """Return y as numbers of one kind."""
    return vector(y, "y", number_kind(y))
