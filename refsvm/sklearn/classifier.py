"""What the classifiers here share: arrays become what one of refsvm takes, and back again.

That one, of refsvm_fast where it is compiled, trains and answers; it is called plain here.
"""

from __future__ import annotations

from abc import abstractmethod
from importlib import import_module
from typing import Any, ClassVar

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils import column_or_1d
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted

import refsvm

from ..numerics.pickles import with_format
from .rows import validated


@with_format
class ArrayClassifier(ClassifierMixin, BaseEstimator):
    """The base of the classifiers, which say how to make, ask and keep a plain one."""

    _found_by_fit: ClassVar[tuple[str, ...]] = ("_svc",)  # beside names that end with _

    @abstractmethod
    def _plain(self) -> Any:
        """Return a plain classifier, with the parameters as they are now."""

    @abstractmethod
    def _keep(self, plain: Any, rows: Any, classes: Any) -> None:
        """Keep what a trained plain classifier found, as arrays."""

    @abstractmethod
    def _fitted(self) -> Any:
        """Return the plain classifier that answers; after a pickle it is made of the arrays."""

    def _training_rows(self, X: Any, y: Any) -> Any:
        """Return the rows to train on and the labels, checked as scikit-learn checks them."""
        rows, y = validated(self, X, y)
        return rows, labels_of(y)

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
        for name in found_by_fit(self):
            delattr(self, name)
        self.__dict__.update(found_by_fit(checked))
        return plain

    def predict(self, X: Any) -> Any:
        """Return the array of labels of the rows of X."""
        plain, rows = self._ready(X)
        place = {label: c for c, label in enumerate(plain.classes_)}
        return self.classes_[[place[label] for label in plain.predict(rows)]]

    def _ready(self, X: Any) -> Any:
        """Return the plain classifier that answers and the rows to ask it about, checked."""
        check_is_fitted(self)
        return self._fitted(), validated(self, X, reset=False)

    def __getstate__(self) -> Any:
        # What answers is left out: a pickle holds arrays, whatever library computed them.
        return {name: v for name, v in super().__getstate__().items() if name != "_svc"}


def labels_of(y: Any) -> Any:
    """Return the labels as an array of one dimension, refused if they are no classes."""
    y = column_or_1d(y, warn=True)
    check_classification_targets(y)
    return y


def library() -> Any:
    """Return refsvm_fast, which is compiled or refsvm's own; refsvm where it is not installed."""
    try:
        return import_module("refsvm_fast")
    except ModuleNotFoundError as error:
        if error.name != "refsvm_fast":
            raise
        return refsvm


def found_by_fit(classifier: ArrayClassifier) -> dict[str, Any]:
    """Return the attributes that fit makes."""
    own = classifier._found_by_fit
    return {name: v for name, v in vars(classifier).items() if name.endswith("_") or name in own}


def known_weights(class_weight: Any, classes: list[Any]) -> Any:
    """Return the weights of these classes, if a dict has them all: a fold may lack some."""
    if not isinstance(class_weight, dict) or not set(classes) <= set(class_weight):
        return class_weight
    return {label: class_weight[label] for label in classes}
