"""SVC as scikit-learn's own kind; see estimator.py."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from ..estimators.estimator import keep_parameters
from ..numerics.quoting import quote
from .estimator import ArrayClassifier, KernelEstimator, library


class SVC(ArrayClassifier, KernelEstimator):
    """Classify into two or more classes: refsvm.SVC as scikit-learn's own kind.

    Parameters
    ----------
    kernel : str, Kernel or function
        "linear", "poly", "rbf", "precomputed" or another word that kernels/standard.py has, a
        Kernel of refsvm, or a function that takes matrices of n and m rows and returns the (n, m)
        matrix of kernel values
    probability : False
        True is refused by fit, which names the cure
    verbose : bool
        tell on a terminal how far the training is, as the command does
    shrinking, random_state
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

    _plain_name = "SVC"
    _found_by_fit = KernelEstimator._found_by_fit
    _libsvm_type: str | None = None  # where it is not the usual one of the model

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
        keep_parameters(self, locals())

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> SVC:
        """Train on n rows and n labels, and return self; weights are factors of C.

        A row of weight 0 is as if absent. Bad input is a ValueError or TypeError; then nothing of
        an earlier fit is lost. A ConvergenceWarning names a pair of classes that did not end
        optimal.
        """
        _refuse_probability(self)
        return self._fit(X, y, sample_weight)

    def decision_function(self, X: Any) -> Any:
        """Return how the rows of X are decided, an array.

        With two classes n numbers: classes_[1] is predicted where they are >= 0. With more, n
        rows: for "ovr" k scores, for "ovo" k (k - 1) / 2 numbers, positive for the first class.
        """
        return super().decision_function(X)

    @property
    def model_(self) -> Any:
        """The classifier as a OneAgainstOne, made anew."""
        check_is_fitted(self)
        sign = -1 if len(self.classes_) == 2 else 1  # with two classes they speak for the later
        model = library().OneAgainstOne(
            classes=self.classes_.tolist(),
            kernel=self._kernel,
            vectors=self._vectors(),
            counts=self.n_support_.tolist(),
            coefs=(sign * self._coefs()).tolist(),
            offsets=(sign * self.intercept_).tolist(),
        )
        if self._libsvm_type is not None:
            model.svm_type = self._libsvm_type
        return model

    def _keep(self, plain: Any, rows: Any) -> None:
        self._keep_vectors(plain, rows)
        self.n_iter_ = np.array(plain.n_iter_, np.int32)
        for name in ("class_weight_", "intercept_"):
            setattr(self, name, np.array(getattr(plain, name), float))

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


def _refuse_probability(classifier: Any) -> None:
    """Raise ValueError if probabilities are asked for, and name the cure."""
    if classifier.probability and classifier.probability != "deprecated":  # the usual value there
        name = type(classifier).__name__
        raise ValueError(
            f"probability is {quote(classifier.probability)}; it must be False: take"
            f" CalibratedClassifierCV({name}(), ensemble=False) for probabilities"
        )
