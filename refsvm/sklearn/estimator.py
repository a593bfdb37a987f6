"""What the estimators here share: arrays become what one of refsvm takes, and back again.

That one, of refsvm_fast where it is compiled, trains and answers; it is called plain here.
"""

from __future__ import annotations

from abc import abstractmethod
from importlib import import_module
from typing import Any, ClassVar, TypeVar

import numpy as np
from scipy.sparse import issparse
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_consistent_length, column_or_1d
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted

import refsvm

from ..estimators.estimator import as_it_is, defaults, warn_unless_optimal
from ..estimators.kernel_estimator import takes_gram
from ..numerics.conversion import as_lists
from ..numerics.pickles import with_format
from ..numerics.types import Labels, RowsLike
from .matrices import (
    matrix_of,
    precomputed_matrix,
    sparse_rows,
    strings_of,
    takes_matrices,
    training_matrix,
    validated,
)

Estimator = TypeVar("Estimator", bound="ArrayEstimator")


@with_format
class ArrayEstimator(BaseEstimator):
    """The base of the estimators, which say what to keep of a plain one, and how to make it anew.

    Their parameters are those of the plain one, and some that scikit-learn's have besides. The
    signatures are scikit-learn's own, so each stands here once more, with the same defaults.
    """

    _plain_name: ClassVar[str]  # of the class, in refsvm and refsvm_fast
    _found_by_fit: ClassVar[tuple[str, ...]] = ("_svc",)  # beside names that end with _
    _rules: ClassVar[dict[str, Any]] = {}  # of scikit-learn's check of X and y

    @abstractmethod
    def _keep(self, plain: Any, rows: Any) -> None:
        """Keep what a trained plain estimator found, as arrays."""

    @abstractmethod
    def _fitted(self) -> Any:
        """Return the plain estimator that answers; after a pickle it is made of the arrays."""

    @abstractmethod
    def _targets(self, y: Any) -> Any:
        """Return y, if one is taken, as an array; refused if it is not what is predicted."""

    def _fit(self: Estimator, X: Any, y: Any, sample_weight: Any) -> Estimator:
        """Train a plain estimator, keep what it found, and warn of what did not end optimal."""
        checked = clone(self)  # which learns the columns: input that is refused changes nothing
        rows, y = checked._training_rows(X, y)
        if sample_weight is not None:
            sample_weight = _check_sample_weight(sample_weight, rows)
        plain = self._plain()
        if getattr(self, "verbose", False):
            plain = self._watched(plain)
        checked._prepare(plain, y, sample_weight)
        plain._train(rows, None if y is None else y.tolist(), sample_weight)
        checked._keep(plain, rows)
        self._replace_fit(checked)
        names, solutions, each = plain._endings()
        warn_unless_optimal(names, solutions, each, ConvergenceWarning)
        return self

    def _training_rows(self, X: Any, y: Any) -> Any:
        """Return the rows to train on and y, checked as scikit-learn checks them."""
        rows, y = validated(self, X, y, **self._rules)
        return rows, self._targets(y)

    def _plain(self) -> Any:
        """Return a plain estimator, with the parameters as they are now."""
        return getattr(library(), self._plain_name)(**self._parameters())

    def _parameters(self) -> dict[str, Any]:
        """Return the parameters of the plain class, as they are now."""
        names = sorted(defaults(getattr(refsvm, self._plain_name)))
        return {name: getattr(self, name) for name in names}

    def _prepare(self, plain: Any, y: Any, sample_weight: Any) -> None:
        """Do what is to be done with the plain estimator before it is trained on these y."""

    def _watched(self, plain: Any) -> Any:
        """Return the plain estimator, which tells on a terminal how long its training takes."""
        from ..commands.console import progress  # which nothing else here waits for

        def train(self: Any, *given: Any) -> Any:
            with progress("training"):
                return type(plain)._train(self, *given)

        return _changed(plain, _train=train)

    def _replace_fit(self, checked: ArrayEstimator) -> None:
        """Take over what a copy found by fit, instead of what was found before."""
        earlier = _found_by_fit(self)
        kept = {name: v for name, v in vars(self).items() if name not in earlier}
        self.__dict__ = {
            **kept,
            **_found_by_fit(checked),
        }  # at once, for those who predict meanwhile

    def _ready(self, X: Any) -> Any:
        """Return the plain estimator that answers and the rows to ask it about, checked."""
        check_is_fitted(self)
        return self._fitted(), validated(self, X, reset=False)

    def __getstate__(self) -> Any:
        # What answers is left out: a pickle holds arrays, whatever library computed them.
        return {name: v for name, v in super().__getstate__().items() if name != "_svc"}


def _changed(plain: Any, **methods: Any) -> Any:
    """Return a copy of a plain estimator, not yet trained, with other methods."""
    kind = type(plain)
    return type(kind.__name__, (kind,), methods)(**plain.get_params())


def library() -> Any:
    """Return refsvm_fast, which is compiled or refsvm's own; refsvm where it is not installed."""
    try:
        return import_module("refsvm_fast")
    except ModuleNotFoundError as error:
        if error.name != "refsvm_fast":
            raise
        return refsvm


def _found_by_fit(estimator: ArrayEstimator) -> dict[str, Any]:
    """Return the attributes that fit makes."""
    own = estimator._found_by_fit
    return {name: v for name, v in vars(estimator).items() if name.endswith("_") or name in own}


class ArrayClassifier(ClassifierMixin, ArrayEstimator):
    """The base of the classifiers."""

    def _targets(self, y: Labels) -> np.ndarray:
        """Return the labels as an array of one dimension, refused if they are no classes."""
        y = column_or_1d(y, warn=True)
        check_classification_targets(y)
        return y

    def _prepare(self, plain: Any, y: Any, sample_weight: Any) -> None:
        self.classes_ = np.unique(y if sample_weight is None else y[sample_weight != 0])
        plain.class_weight = _known_weights(self.class_weight, self.classes_.tolist())

    def decision_function(self, X: RowsLike) -> np.ndarray:
        """Return how the rows of X are decided, an array.

        With two classes n numbers: classes_[1] is predicted where they are >= 0. With more, n rows
        of k numbers, one for each class: its score, or for LinearSVC the class against the rest;
        for "ovo" of k (k - 1) / 2 numbers, positive for the first class of the pair.
        """
        plain, rows = self._ready(X)
        return np.array(plain.decision_function(rows))

    def predict(self, X: RowsLike) -> np.ndarray:
        """Return the array of labels of the rows of X."""
        machine = as_it_is(self)
        plain, rows = machine._ready(X)
        place = {label: c for c, label in enumerate(plain.classes_)}
        return np.asarray(machine.classes_)[[place[label] for label in plain.predict(rows)]]


def _known_weights(class_weight: Any, classes: list[Any]) -> Any:
    """Return the weights of these classes, if a dict has them all: a fold may lack some."""
    if not isinstance(class_weight, dict) or not set(classes) <= set(class_weight):
        return class_weight
    return {label: class_weight[label] for label in classes}


class KernelEstimator(ArrayEstimator):
    """The base of these estimators.

    _kernel, _function, _X_fit: the Kernel of fit; of a function of two matrices this function, and
    the rows that it was given.
    """

    _takes_y: ClassVar[bool] = True
    _found_by_fit: ClassVar[tuple[str, ...]] = ("_svc", "_kernel", "_function", "_X_fit")

    def _training_rows(self, X: Any, y: Any) -> Any:
        rows = strings_of(X, self.kernel)
        if rows is not None or takes_matrices(self.kernel):
            check_consistent_length(*([X, y] if self._takes_y else [X]))
        elif self._takes_y:
            rows, y = validated(self, X, y, **self._rules)
        else:
            rows = validated(self, X)
        y = self._targets(y) if self._takes_y else None
        if takes_matrices(self.kernel):
            self._function, self._X_fit = self.kernel, X
            rows = training_matrix(self.kernel, X)
        elif takes_gram(self.kernel):
            rows = precomputed_matrix(rows, X)
        return rows, y

    def _parameters(self) -> dict[str, Any]:
        given = super()._parameters()
        if takes_matrices(self.kernel):
            given["kernel"] = "precomputed"
        return given

    def _watched(self, plain: Any) -> Any:
        """Return the plain estimator, which tells on a terminal how far its training is."""
        from ..commands.console import progress
        from ..commands.cross_validating import watched

        def watch(*names: Any) -> Any:
            pair = f", {names[0]} against {names[1]}" if names else ""
            return progress(f"training{pair}", plain.tol)

        return watched(plain, watch)  # type: ignore[no-untyped-call]

    def _keep_vectors(self, plain: Any, rows: Any) -> None:
        """Keep the support vectors and their coefficients, as arrays."""
        self._svc, self._kernel = plain, plain._kept_model().kernel
        self.fit_status_, self.shape_fit_ = plain.fit_status_, plain.shape_fit_
        for name in ("support_", "n_support_"):
            setattr(self, name, np.array(getattr(plain, name), np.int32))
        dual = np.array(plain.dual_coef_, float)
        self.dual_coef_ = type(rows)(dual) if issparse(rows) else dual
        if takes_gram(self._kernel):
            self.support_vectors_ = np.empty((0, 0))
        elif isinstance(rows, list):
            self.support_vectors_ = np.array(rows, object)[self.support_]
        else:
            self.support_vectors_ = rows[self.support_]

    def _vectors(self) -> Any:
        """Return what a model of refsvm keeps of the support vectors."""
        if takes_gram(self._kernel):
            return self.support_.tolist()
        return as_lists(self.support_vectors_)

    def _coefs(self) -> Any:
        """Return the coefficients of the support vectors as an array."""
        return self.dual_coef_.toarray() if issparse(self.dual_coef_) else self.dual_coef_

    @property
    def coef_(self) -> np.ndarray:
        """The weights w, a row for each machine; AttributeError unless linear and fitted."""
        if not hasattr(self, "dual_coef_"):
            raise AttributeError("coef_ is there after fit, and with a linear kernel only")
        weights = self._fitted().coef_
        if issparse(self.support_vectors_):
            return sparse_rows(weights, self.n_features_in_, type(self.support_vectors_))
        coef = np.array(weights)
        coef.flags.writeable = False  # a change of it would change no prediction
        return coef

    def _ready(self, X: Any) -> Any:
        check_is_fitted(self)
        if hasattr(self, "_function"):  # the kernel of fit, which may not be the parameter now
            return self._fitted(), matrix_of(self._function, X, self._X_fit)
        rows = strings_of(X, self._kernel)
        return self._fitted(), validated(self, X, reset=False) if rows is None else rows

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = takes_gram(self.kernel)
        tags.input_tags.sparse = not takes_gram(self.kernel)
        return tags

    def _more_tags(self) -> dict[str, bool]:
        """Return the tags of scikit-learn before 1.6."""
        return {"pairwise": takes_gram(self.kernel)}
