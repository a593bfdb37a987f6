"""What the estimators here share: arrays become what one of refsvm takes, and back again.

That one, of refsvm_fast where it is compiled, trains and answers; it is called plain here.
"""

from __future__ import annotations

from abc import abstractmethod
from importlib import import_module
from typing import Any, ClassVar

from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

import refsvm

from ..numerics.pickles import with_format
from .rows import validated


@with_format
class ArrayEstimator(BaseEstimator):
    """The base of the estimators, which say how to make and ask a plain one."""

    _found_by_fit: ClassVar[tuple[str, ...]] = ("_svc",)  # beside names that end with _
    _rules: ClassVar[dict[str, Any]] = {}  # of scikit-learn's check of X and y

    @abstractmethod
    def _plain(self) -> Any:
        """Return a plain estimator, with the parameters as they are now."""

    @abstractmethod
    def _fitted(self) -> Any:
        """Return the plain estimator that answers; after a pickle it is made of the arrays."""

    @abstractmethod
    def _targets(self, y: Any) -> Any:
        """Return y as an array, refused if it is not what the estimator predicts."""

    def _training_rows(self, X: Any, y: Any) -> Any:
        """Return the rows to train on and y, checked as scikit-learn checks them."""
        rows, y = validated(self, X, y, **self._rules)
        return rows, self._targets(y)

    def _replace_fit(self, checked: ArrayEstimator) -> None:
        """Take over what a copy found by fit, instead of what was found before."""
        for name in found_by_fit(self):
            delattr(self, name)
        self.__dict__.update(found_by_fit(checked))

    def _ready(self, X: Any) -> Any:
        """Return the plain estimator that answers and the rows to ask it about, checked."""
        check_is_fitted(self)
        return self._fitted(), validated(self, X, reset=False)

    def __getstate__(self) -> Any:
        # What answers is left out: a pickle holds arrays, whatever library computed them.
        return {name: v for name, v in super().__getstate__().items() if name != "_svc"}


def library() -> Any:
    """Return refsvm_fast, which is compiled or refsvm's own; refsvm where it is not installed."""
    try:
        return import_module("refsvm_fast")
    except ModuleNotFoundError as error:
        if error.name != "refsvm_fast":
            raise
        return refsvm


def found_by_fit(estimator: ArrayEstimator) -> dict[str, Any]:
    """Return the attributes that fit makes."""
    own = estimator._found_by_fit
    return {name: v for name, v in vars(estimator).items() if name.endswith("_") or name in own}
