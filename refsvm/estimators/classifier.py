"""What every classifier here has, whatever it solves: labels, and a score.

Source: Pedregosa et al., Scikit-learn: Machine Learning in Python (2011), for the interface.
"""

from __future__ import annotations

import sys
from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

from ..numerics.linalg import total
from ..numerics.powers_of_two import in_ordinary_unit
from ..numerics.types import Label, Labels, Number, RowsLike, Shaped, VectorLike
from ..numerics.validation import number_kind
from ..svm.model import SolutionFields
from .estimator import BaseEstimator
from .labels import is_same, plain_labels
from .training_data import weights


class Classifier(BaseEstimator):
    """The base of the classifiers, which have fit, predict and decision_function."""

    classes_: list[Label]
    solutions_: Sequence[SolutionFields]

    _estimator_type = "classifier"  # asked for by scikit-learn before 1.6

    @abstractmethod
    def predict(self, X: RowsLike) -> list[Label]:
        """Return the list of labels of the rows of X."""

    def score(
        self, X: RowsLike, y: Labels, sample_weight: VectorLike | Shaped | None = None
    ) -> Number:
        """Return the accuracy: the share of rows whose label is predicted, each by its weight."""
        predicted = self.predict(X)
        y = plain_labels(y, len(predicted))
        kind = number_kind(sample_weight)
        row_weights = weights(kind, sample_weight, len(y))
        if kind is float:  # so that the sum is finite
            (row_weights,), _ = in_ordinary_unit([row_weights])
        whole = total(row_weights)
        if whole == 0:
            raise ValueError("sample_weight is 0 for every row; one must be positive")
        return total(v for v, a, b in zip(row_weights, predicted, y) if is_same(a, b)) / whole

    def __sklearn_tags__(self) -> Any:
        """Return the tags of scikit-learn 1.6 and later, which is loaded when it asks."""
        tags: Any = sys.modules["sklearn.utils"]
        return tags.Tags(
            estimator_type="classifier",
            target_tags=tags.TargetTags(required=True),
            classifier_tags=tags.ClassifierTags(),
            input_tags=tags.InputTags(sparse=True, **self._more_tags()),
        )
