"""LinearSVC as scikit-learn's own kind; see estimator.py."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import csr_matrix, issparse
from sklearn.utils.validation import check_is_fitted

from ..estimators.estimator import keep_parameters
from ..numerics.conversion import as_lists
from ..numerics.sparse_rows import SparseRow
from .estimator import ArrayClassifier, library
from .matrices import sparse_rows

SEEDS = 2**31 - 1  # of which a RandomState draws one


class LinearSVC(ArrayClassifier):
    """Classify by linear machines whose offset is penalised: refsvm.LinearSVC as scikit-learn's.

    For an offset that is not penalised take SVC(kernel="linear").

    Parameters
    ----------
    penalty, multi_class
        fit refuses "l1" and "crammer_singer", and names the cure
    random_state : None, int or RandomState
        None is the seed 0; a RandomState draws one at each fit
    verbose : int
        if it is not 0, tell on a terminal how long the training takes
    loss, dual, tol, C, fit_intercept, intercept_scaling, class_weight, max_iter
        those of refsvm.LinearSVC

    Attributes
    ----------
    classes_ : array of k labels
    coef_ : array of shape (m, d)
        w of each machine: one for two classes, otherwise one for each class
    intercept_ : array of m numbers, or 0.0 without an offset
    n_iter_ : int
        steps and passes that were begun, of the machine that took most
    n_features_in_, feature_names_in_ : int, array of d strings
        the names, only if X is a data frame that has some
    model_ : OneAgainstOne
        of two classes, as refsvm.write_model and refsvm.export take it

    Examples
    --------
    >>> X, y = [[0, 0], [1, 0], [3, 1], [4, 1]], ["no", "no", "yes", "yes"]
    >>> LinearSVC(C=10).fit(X, y).predict([[0.5, 0.5], [3.5, 0.5]])
    array(['no', 'yes'], dtype='<U3')
    """

    _plain_name = "LinearSVC"
    _found_by_fit = ("_svc", "_weights")

    def __init__(
        self,
        penalty: Any = "l2",
        loss: Any = "squared_hinge",
        *,
        dual: Any = "auto",
        tol: Any = 1e-4,
        C: Any = 1.0,
        multi_class: Any = "ovr",
        fit_intercept: Any = True,
        intercept_scaling: Any = 1,
        class_weight: Any = None,
        verbose: Any = 0,
        random_state: Any = None,
        max_iter: Any = 1000,
    ) -> None:
        keep_parameters(self, locals())

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> LinearSVC:
        """Train on n rows and n labels, and return self; weights are factors of C.

        A row of weight 0 is as if absent. Bad input is a ValueError or TypeError; then nothing of
        an earlier fit is lost. A ConvergenceWarning names a machine that did not end optimal.
        """
        return self._fit(X, y, sample_weight)

    def decision_function(self, X: Any) -> Any:
        """Return how the rows of X are decided, an array.

        With two classes n numbers: classes_[1] is predicted where they are >= 0. With more, n rows
        of a number for each class against the rest: the first of the largest is predicted.
        """
        return super().decision_function(X)

    @property
    def coef_(self) -> Any:
        """The weights w of each machine, which may be set; AttributeError before fit."""
        if not hasattr(self, "_weights"):
            raise AttributeError("coef_ is there after fit")
        coef = self._weights.toarray() if issparse(self._weights) else self._weights.copy()
        coef.flags.writeable = False  # a change in it would change no prediction
        return coef

    @coef_.setter
    def coef_(self, coef: Any) -> None:
        self._weights = coef if issparse(coef) else np.array(coef, float, ndmin=2)
        self.__dict__.pop("_svc", None)

    @property
    def model_(self) -> Any:
        """The classifier of two classes as a OneAgainstOne, made anew."""
        check_is_fitted(self)
        return self._fitted().model_

    def _parameters(self) -> dict[str, Any]:
        given = super()._parameters()
        if isinstance(self.random_state, np.random.RandomState):
            given["random_state"] = int(self.random_state.randint(SEEDS))
        return given

    def _keep(self, plain: Any, rows: Any) -> None:
        self._svc = plain
        self.n_iter_ = plain.n_iter_
        self.intercept_ = np.array(plain.intercept_, float) if self.fit_intercept else 0.0
        sparse = any(isinstance(w, SparseRow) for w in plain.coef_)
        width = plain.n_features_in_
        self._weights = (
            sparse_rows(plain.coef_, width, csr_matrix) if sparse else np.array(plain.coef_, float)
        )

    def _fitted(self) -> Any:
        if not hasattr(self, "_svc"):
            plain = library().LinearSVC()  # its parameters are of no use to what is asked of it
            plain.classes_, plain.n_features_in_ = self.classes_.tolist(), self.n_features_in_
            plain.coef_, self._svc = as_lists(self._weights), plain
        offsets = np.broadcast_to(np.asarray(self.intercept_, float), len(self._svc.coef_))
        self._svc.intercept_ = offsets.tolist()
        return self._svc

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags
