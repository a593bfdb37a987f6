"""What the classifiers here share: labels, and weights of classes; see estimator.py."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import numpy as np
from sklearn.base import ClassifierMixin, clone
from sklearn.utils import column_or_1d
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight

from .estimator import ArrayEstimator


class ArrayClassifier(ClassifierMixin, ArrayEstimator):
    """The base of the classifiers, which say how to keep a plain one."""

    @abstractmethod
    def _keep(self, plain: Any, rows: Any, classes: Any) -> None:
        """Keep what a trained plain classifier found, as arrays."""

    def _targets(self, y: Any) -> Any:
        """Return the labels as an array of one dimension, refused if they are no classes."""
        y = column_or_1d(y, warn=True)
        check_classification_targets(y)
        return y

    def _train(self, X: Any, y: Any, sample_weight: Any) -> Any:
        """Train a plain classifier, keep what it found, and return it."""
        checked = clone(self)  # which learns the columns: input that is refused changes nothing
        rows, y = checked._training_rows(X, y)
        if sample_weight is not None:
            sample_weight = _check_sample_weight(sample_weight, y)
        classes = np.unique(y if sample_weight is None else y[sample_weight != 0])
        plain = self._plain()
        plain.class_weight = known_weights(self.class_weight, classes.tolist())
        plain._train(rows, y.tolist(), sample_weight)
        checked._keep(plain, rows, classes)
        self._replace_fit(checked)
        return plain

    def predict(self, X: Any) -> Any:
        """Return the array of labels of the rows of X."""
        plain, rows = self._ready(X)
        place = {label: c for c, label in enumerate(plain.classes_)}
        return self.classes_[[place[label] for label in plain.predict(rows)]]


def known_weights(class_weight: Any, classes: list[Any]) -> Any:
    """Return the weights of these classes, if a dict has them all: a fold may lack some."""
    if not isinstance(class_weight, dict) or not set(classes) <= set(class_weight):
        return class_weight
    return {label: class_weight[label] for label in classes}
