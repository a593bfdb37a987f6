"""SVC as scikit-learn's own kind: arrays become what an SVC of refsvm takes, and back again.

That one, of refsvm_fast where it is compiled, trains and answers; it is called plain here.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
from scipy.sparse import issparse
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_consistent_length, column_or_1d
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted

import refsvm

from ..estimators.pairwise_training import warn_unless_optimal
from ..estimators.training_data import takes_gram
from ..numerics.conversion import as_lists
from ..numerics.pickles import with_format
from ..numerics.quoting import quote
from .kernel_matrices import matrix_of, precomputed_matrix, takes_matrices, training_matrix
from .rows import sparse_rows, strings_of, validated


@with_format
class SVC(ClassifierMixin, BaseEstimator):
    """Classify into two or more classes: refsvm.SVC as scikit-learn's own kind.

    Parameters
    ----------
    kernel : str, Kernel or function
        "linear", "poly", "rbf", "sigmoid", "precomputed", a Kernel of refsvm, or a function that
        takes matrices of n and m rows and returns the (n, m) matrix of kernel values
    probability : False
        True is refused by fit, which names the cure
    shrinking, verbose, random_state
        kept for get_params; they have no effect
    C, degree, gamma, coef0, tol, cache_size, class_weight, max_iter, decision_function_shape, \
break_ties
        those of refsvm.SVC

    Attributes
    ----------
    classes_, support_, n_support_, intercept_, class_weight_, n_iter_ : arrays
        what refsvm.SVC has in lists, as also the next two
    support_vectors_, dual_coef_, coef_ : arrays, or sparse matrices if X is sparse
        of shapes (V, d), (k - 1, V) and (k (k - 1) / 2, d) for k classes, V support vectors and d
        features; no vectors if precomputed or if kernel is a function; coef_ if linear
    n_features_in_, feature_names_in_ : int, array of d strings
        not there if kernel is a function; the names, only if X is a data frame that has some
    shape_fit_, fit_status_ : tuple, int
        (n, d), or (n,) if the rows are strings; 0 if every pair ended optimal, else 1
    model_ : OneAgainstOne
        the classifier, as refsvm.write_model and refsvm.export take it

    Examples
    --------
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> X, y = [[0, 0], [1, 0], [3, 1], [4, 1]], [1, 1, 2, 2]
    >>> pipeline = make_pipeline(StandardScaler(), SVC(kernel="linear")).fit(X, y)
    >>> pipeline.predict([[0.5, 0.5], [3.5, 0.5]])
    array([1, 2])
    """

    def __init__(
        self,
        *,
        C: Any = 1.0,
        kernel: Any = "rbf",
        degree: Any = 3,
        gamma: Any = "scale",
        coef0: Any = 0.0,
        shrinking: Any = True,
        probability: Any = False,
        tol: Any = 1e-3,
        cache_size: Any = 200,
        class_weight: Any = None,
        verbose: Any = False,
        max_iter: Any = -1,
        decision_function_shape: Any = "ovr",
        break_ties: Any = False,
        random_state: Any = None,
    ) -> None:
        self.C = C
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.shrinking = shrinking
        self.probability = probability
        self.tol = tol
        self.cache_size = cache_size
        self.class_weight = class_weight
        self.verbose = verbose
        self.max_iter = max_iter
        self.decision_function_shape = decision_function_shape
        self.break_ties = break_ties
        self.random_state = random_state

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> SVC:
        """Train on n rows and n labels, and return self; weights are factors of C.

        A row of weight 0 is as if absent. Bad input is a ValueError or TypeError; then nothing of
        an earlier fit is lost. A ConvergenceWarning names a pair of classes that did not end
        optimal.
        """
        if self.probability and self.probability != "deprecated":  # scikit-learn's default
            raise ValueError(
                f"probability is {quote(self.probability)}; it must be False: take"
                " CalibratedClassifierCV(SVC(), ensemble=False) for probabilities"
            )
        checked = clone(self)  # which learns the columns: input that is refused changes nothing
        rows, y = checked._training_rows(X, y)
        if sample_weight is not None:
            sample_weight = _check_sample_weight(sample_weight, y)
        classes = np.unique(y if sample_weight is None else y[sample_weight != 0])
        plain = checked._plain()
        plain.class_weight = known_weights(self.class_weight, classes.tolist())
        plain._train(rows, y.tolist(), sample_weight)
        checked._keep(plain, rows, classes)
        for name in found_by_fit(self):
            delattr(self, name)
        self.__dict__.update(found_by_fit(checked))
        warn_unless_optimal(plain.classes_, plain.solutions_, ConvergenceWarning)
        return self

    def predict(self, X: Any) -> Any:
        """Return the array of labels of the rows of X."""
        svc, rows = self._ready(X)
        place = {label: c for c, label in enumerate(svc.classes_)}
        return self.classes_[[place[label] for label in svc.predict(rows)]]

    def decision_function(self, X: Any) -> Any:
        """Return how the rows of X are decided, an array.

        With two classes n numbers: classes_[1] is predicted where they are >= 0. With more, n
        rows: for "ovr" k scores, for "ovo" k (k - 1) / 2 numbers, positive for the first class.
        """
        svc, rows = self._ready(X)
        return np.array(svc.decision_function(rows))

    @property
    def coef_(self) -> Any:
        """The weights w of each pair of classes; AttributeError unless linear and fitted."""
        if not hasattr(self, "intercept_"):
            raise AttributeError("coef_ is there after fit, and with a linear kernel only")
        weights = self._fitted().coef_
        if issparse(self.support_vectors_):
            return sparse_rows(weights, self.n_features_in_, type(self.support_vectors_))
        coef = np.array(weights)
        coef.flags.writeable = False  # a change of it would change no prediction
        return coef

    @property
    def model_(self) -> Any:
        """The classifier as a OneAgainstOne, made anew."""
        check_is_fitted(self)
        sign = -1 if len(self.classes_) == 2 else 1  # with two classes they speak for the later
        dual = self.dual_coef_.toarray() if issparse(self.dual_coef_) else self.dual_coef_
        if takes_gram(self._kernel):
            vectors = self.support_.tolist()
        else:
            vectors = as_lists(self.support_vectors_)
        return library().OneAgainstOne(
            classes=self.classes_.tolist(),
            kernel=self._kernel,
            vectors=vectors,
            counts=self.n_support_.tolist(),
            coefs=(sign * dual).tolist(),
            offsets=(sign * self.intercept_).tolist(),
        )

    def _training_rows(self, X: Any, y: Any) -> Any:
        """Return the rows to train on and the labels, checked as scikit-learn checks them."""
        rows = strings_of(X, self.kernel)
        if rows is None and not takes_matrices(self.kernel):
            rows, y = validated(self, X, y)
        else:
            check_consistent_length(X, y)
        y = column_or_1d(y, warn=True)
        check_classification_targets(y)
        if takes_matrices(self.kernel):
            self._function, self._X_fit = self.kernel, X
            rows = training_matrix(self.kernel, X)
        elif takes_gram(self.kernel):
            rows = precomputed_matrix(rows, X)
        return rows, y

    def _plain(self) -> Any:
        """Return an SVC of the library that computes, with the parameters as they are now."""
        given = {name: getattr(self, name) for name in refsvm.SVC().get_params()}
        if takes_matrices(self.kernel):
            given["kernel"] = "precomputed"
        return library().SVC(**given)

    def _keep(self, plain: Any, rows: Any, classes: Any) -> None:
        """Keep what a trained SVC found, as arrays."""
        self._svc, self._kernel = plain, plain._kept_model().kernel
        self.classes_ = classes
        self.fit_status_, self.shape_fit_ = plain.fit_status_, plain.shape_fit_
        for name in ("support_", "n_support_", "n_iter_"):
            setattr(self, name, np.array(getattr(plain, name), np.int32))
        for name in ("class_weight_", "intercept_"):
            setattr(self, name, np.array(getattr(plain, name), float))
        dual = np.array(plain.dual_coef_, float)
        self.dual_coef_ = type(rows)(dual) if issparse(rows) else dual
        if takes_gram(self._kernel):
            self.support_vectors_ = np.empty((0, 0))
        elif isinstance(rows, list):
            self.support_vectors_ = np.array(rows, object)[self.support_]
        else:
            self.support_vectors_ = rows[self.support_]

    def _fitted(self) -> Any:
        """Return the SVC that answers; after a pickle it is made of the arrays."""
        if not hasattr(self, "_svc"):
            svc = self._plain()
            svc.classes_, svc.model_ = self.classes_.tolist(), self.model_
            if hasattr(self, "n_features_in_"):
                svc.n_features_in_ = self.n_features_in_
            self._svc = svc
        return self._svc.set_params(
            decision_function_shape=self.decision_function_shape, break_ties=self.break_ties
        )

    def _ready(self, X: Any) -> Any:
        """Return the SVC that answers and the rows to ask it about, checked."""
        check_is_fitted(self)
        if hasattr(self, "_function"):  # the kernel of fit, which may not be the parameter now
            return self._fitted(), matrix_of(self._function, X, self._X_fit)
        rows = strings_of(X, self._kernel)
        return self._fitted(), validated(self, X, reset=False) if rows is None else rows

    def __getstate__(self) -> Any:
        # The SVC that answers is left out: a pickle holds arrays, whatever library computed them.
        return {name: v for name, v in super().__getstate__().items() if name != "_svc"}

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = takes_gram(self.kernel)
        tags.input_tags.sparse = not takes_gram(self.kernel)
        return tags

    def _more_tags(self) -> dict[str, bool]:
        """Return the tags of scikit-learn before 1.6."""
        return {"pairwise": takes_gram(self.kernel)}


def library() -> Any:
    """Return refsvm_fast, which is compiled or refsvm's own; refsvm where it is not installed."""
    try:
        return import_module("refsvm_fast")
    except ModuleNotFoundError as error:
        if error.name != "refsvm_fast":
            raise
        return refsvm


def found_by_fit(svc: Any) -> dict[str, Any]:
    """Return the attributes that fit makes."""
    own = ("_svc", "_kernel", "_function", "_X_fit")
    return {name: v for name, v in vars(svc).items() if name.endswith("_") or name in own}


def known_weights(class_weight: Any, classes: list[Any]) -> Any:
    """Return the weights of these classes, if a dict has them all: a fold may lack some."""
    if not isinstance(class_weight, dict) or not set(classes) <= set(class_weight):
        return class_weight
    return {label: class_weight[label] for label in classes}
