"""SVC as scikit-learn's own kind; see classifier.py."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import issparse
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_consistent_length
from sklearn.utils.validation import check_is_fitted

import refsvm

from ..estimators.estimator import warn_unless_optimal
from ..estimators.pairwise_training import pair_names
from ..estimators.training_data import takes_gram
from ..numerics.conversion import as_lists
from ..numerics.quoting import quote
from .classifier import ArrayClassifier, labels_of, library
from .kernel_matrices import matrix_of, precomputed_matrix, takes_matrices, training_matrix
from .rows import sparse_rows, strings_of, validated


class SVC(ArrayClassifier):
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

    _found_by_fit = ("_svc", "_kernel", "_function", "_X_fit")

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
        plain = self._train(X, y, sample_weight)
        names = pair_names(plain.classes_)
        warn_unless_optimal(names, plain.solutions_, "pairs", ConvergenceWarning)
        return self

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
        rows = strings_of(X, self.kernel)
        if rows is None and not takes_matrices(self.kernel):
            rows, y = validated(self, X, y)
        else:
            check_consistent_length(X, y)
        y = labels_of(y)
        if takes_matrices(self.kernel):
            self._function, self._X_fit = self.kernel, X
            rows = training_matrix(self.kernel, X)
        elif takes_gram(self.kernel):
            rows = precomputed_matrix(rows, X)
        return rows, y

    def _plain(self) -> Any:
        given = {name: getattr(self, name) for name in refsvm.SVC().get_params()}
        if takes_matrices(self.kernel):
            given["kernel"] = "precomputed"
        return library().SVC(**given)

    def _keep(self, plain: Any, rows: Any, classes: Any) -> None:
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
