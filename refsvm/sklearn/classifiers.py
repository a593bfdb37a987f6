"""SVC, NuSVC and LinearSVC as scikit-learn's own kind; see estimator.py."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix, issparse
from sklearn.preprocessing import LabelBinarizer
from sklearn.utils import check_array, check_consistent_length
from sklearn.utils.extmath import safe_sparse_dot
from sklearn.utils.validation import check_is_fitted

from ..estimators.estimator import keep_parameters
from ..numerics.conversion import as_lists
from ..numerics.cures import giving, with_cure
from ..numerics.quoting import quote
from ..numerics.types import KernelLike, Labels, Number, RowsLike, Shaped, VectorLike
from ..numerics.validation import one_of
from ..svm.one_vs_one import OneAgainstOne
from .estimator import ArrayClassifier, KernelEstimator, library
from .linear_weights import LinearWeights


class SVC(ArrayClassifier, KernelEstimator):
    """Classify into two or more classes: refsvm.SVC as scikit-learn's own kind.

    What is not named here is as in refsvm.SVC, with arrays for lists.

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

    Attributes
    ----------
    support_vectors_, dual_coef_, coef_ : arrays, or sparse matrices if X is sparse
        of shapes (V, d), (k - 1, V) and (k (k - 1) / 2, d) for k classes, V support vectors and d
        features; no vectors if precomputed or if kernel is a function; coef_ if linear
    n_features_in_, feature_names_in_ : int, array of d strings
        not there if kernel is a function; the names, only if X is a data frame that has some
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
    _libsvm_type: str | None = None  # where it is not the usual one of the model

    def __init__(
        self,
        *,
        C: Number = 1.0,
        kernel: str | KernelLike = "rbf",
        degree: int = 3,
        gamma: str | Number = "scale",
        coef0: Number = 0.0,
        shrinking: bool = True,
        probability: bool | str = False,
        tol: Number = 1e-3,
        cache_size: float = 200,
        class_weight: None | str | Mapping[Any, Number] = None,
        verbose: bool | int = False,
        max_iter: int = -1,
        decision_function_shape: str = "ovr",
        break_ties: bool = False,
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        keep_parameters(self, locals())

    def fit(self, X: RowsLike, y: Labels, sample_weight: VectorLike | Shaped | None = None) -> SVC:
        """Train on n rows and n labels, and return self; weights are factors of C.

        A row of weight 0 is as if absent. Bad input is a ValueError or TypeError; then nothing of
        an earlier fit is lost. A ConvergenceWarning names a pair of classes that did not end
        optimal.
        """
        _refuse_probability(self)
        return self._fit(X, y, sample_weight)

    @property
    def model_(self) -> OneAgainstOne:
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


def _refuse_probability(classifier: SVC) -> None:
    """Raise ValueError if probabilities are asked for, and name the cure."""
    if classifier.probability and classifier.probability != "deprecated":  # the usual value there
        name = type(classifier).__name__
        words = f"take CalibratedClassifierCV({name}(), ensemble=False) for probabilities"
        raise with_cure(
            ValueError,
            f"probability is {quote(classifier.probability)}; it must be False:",
            giving(words, "probability", False),
        )


class NuSVC(SVC):
    """Classify with a share of margin errors: refsvm.NuSVC as scikit-learn's own kind.

    What is not named here is as in SVC.

    Parameters
    ----------
    nu : number above 0, at most 1
        the share of rows that may be margin errors
    class_weight : None, "balanced" or dict
        factors of the largest multiplier of a row

    Attributes
    ----------
    rho_ : array
        the functional margin by which the answer of each pair was divided

    Examples
    --------
    >>> X, y = [[0, 0], [1, 0], [3, 1], [4, 1]], [1, 1, 2, 2]
    >>> NuSVC(kernel="linear").fit(X, y).predict([[0.5, 0.5], [3.5, 0.5]])
    array([1, 2])
    """

    _plain_name = "NuSVC"
    _libsvm_type = "nu_svc"

    def __init__(
        self,
        *,
        nu: Number = 0.5,
        kernel: str | KernelLike = "rbf",
        degree: int = 3,
        gamma: str | Number = "scale",
        coef0: Number = 0.0,
        shrinking: bool = True,
        probability: bool | str = False,
        tol: Number = 1e-3,
        cache_size: float = 200,
        class_weight: None | str | Mapping[Any, Number] = None,
        verbose: bool | int = False,
        max_iter: int = -1,
        decision_function_shape: str = "ovr",
        break_ties: bool = False,
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        keep_parameters(self, locals())

    def _keep(self, plain: Any, rows: Any) -> None:
        super()._keep(plain, rows)
        self.rho_ = np.array(plain.rho_, float)


class LinearSVC(LinearWeights, ArrayClassifier):
    """Classify by linear machines whose offset is penalised: refsvm.LinearSVC as scikit-learn's.

    For an offset that is not penalised take SVC(kernel="linear"). What is
    not named here is as in refsvm.LinearSVC, with arrays for lists.

    Parameters
    ----------
    penalty, multi_class
        fit refuses "l1" and "crammer_singer", and names the cure
    random_state : None, int or RandomState
        None is the seed 0; a RandomState draws one at each fit
    verbose : int
        if it is not 0, tell on a terminal how long the training takes

    Attributes
    ----------
    coef_ : array of shape (m, d)
        w of each machine: one for two classes, otherwise one for each class
    intercept_ : array of m numbers, or 0.0 without an offset
    model_ : OneAgainstOne
        of two classes, as refsvm.write_model and refsvm.export take it

    Notes
    -----
    coef_, intercept_ and classes_ are the machine: each may be set, also where fit was not called.

    Examples
    --------
    >>> X, y = [[0, 0], [1, 0], [3, 1], [4, 1]], ["no", "no", "yes", "yes"]
    >>> LinearSVC(C=10).fit(X, y).predict([[0.5, 0.5], [3.5, 0.5]])
    array(['no', 'yes'], dtype='<U3')
    >>> known = LinearSVC()
    >>> known.coef_, known.intercept_, known.classes_ = [[1, 0]], [-2], [0, 1]
    >>> known.predict([[0, 0], [5, 0]])
    array([0, 1])
    """

    _plain_name = "LinearSVC"

    def __init__(
        self,
        penalty: str = "l2",
        loss: str = "squared_hinge",
        *,
        dual: bool | str = "auto",
        tol: Number = 1e-4,
        C: Number = 1.0,
        multi_class: str = "ovr",
        fit_intercept: bool = True,
        intercept_scaling: Number = 1,
        class_weight: None | str | Mapping[Any, Number] = None,
        verbose: bool | int = 0,
        random_state: int | np.random.RandomState | None = None,
        max_iter: int = 1000,
    ) -> None:
        keep_parameters(self, locals())

    def fit(
        self, X: RowsLike, y: Labels, sample_weight: VectorLike | Shaped | None = None
    ) -> LinearSVC:
        """Train on n rows and n labels, and return self; weights are factors of C.

        A row of weight 0 is as if absent. Bad input is a ValueError or TypeError; then nothing of
        an earlier fit is lost. A ConvergenceWarning names a machine that did not end optimal.
        """
        return self._fit(X, y, sample_weight)

    @property
    def coef_(self) -> np.ndarray:
        """The weights w of each machine, which may be set; AttributeError before fit."""
        return self._rows_of_weights()

    @coef_.setter
    def coef_(self, coef: Any) -> None:
        self._set_weights(coef)

    def sparsify(self) -> LinearSVC:
        """Make coef_ a sparse matrix, and return self; the answers stay."""
        check_is_fitted(self)
        self.coef_ = csr_matrix(self.coef_)
        return self

    def densify(self) -> LinearSVC:
        """Make coef_ an array again, and return self; the answers stay."""
        check_is_fitted(self)
        coef: Any = self.coef_
        self.coef_ = coef.toarray() if issparse(coef) else coef
        return self

    @property
    def model_(self) -> OneAgainstOne:
        """The classifier of two classes as a OneAgainstOne, made anew."""
        check_is_fitted(self)
        return self._fitted().model_

    def _keep(self, plain: Any, rows: Any) -> None:
        self._keep_weights(plain, plain.coef_)

    def _fitted(self) -> Any:
        if not hasattr(self, "_svc"):
            plain = library().LinearSVC()  # its parameters are of no use to what is asked of it
            plain.coef_, plain.n_features_in_ = as_lists(self._weights), self._weights.shape[1]
            self._svc = plain
        offsets = np.broadcast_to(np.ravel(self.intercept_).astype(float), len(self._svc.coef_))
        self._svc.intercept_, self._svc.classes_ = offsets.tolist(), as_lists(self.classes_)
        return self._svc


def l1_min_c(
    X: RowsLike,
    y: Labels,
    *,
    loss: str = "squared_hinge",
    fit_intercept: bool = True,
    intercept_scaling: Number = 1.0,
) -> float:
    """Return the C up to which a linear machine with an l1 penalty has no weight but 0.

    For scikit-learn's LinearSVC(penalty="l1", dual=False): at w = 0 the derivative of the loss in
    a weight is at most 1 / C in size. O(n d).

    >>> l1_min_c([[0, 0], [1, 0], [3, 1], [4, 1]], [1, 1, 2, 2])
    0.08333333333333333
    """
    one_of(loss, ("squared_hinge", "log"), "loss")
    X = check_array(X, accept_sparse="csc")
    check_consistent_length(X, y)
    signs = LabelBinarizer(neg_label=-1).fit_transform(y).T
    slopes = [np.abs(safe_sparse_dot(signs, X)).max()]
    if fit_intercept:
        slopes.append(intercept_scaling * np.abs(signs.sum(axis=1)).max())
    if not max(slopes) > 0:
        raise ValueError("X and y have no C up to which all weights are 0: they are 0 for every C")
    return float((0.5 if loss == "squared_hinge" else 2.0) / max(slopes))
