"""SVR, NuSVR, OneClassSVM and SVDD as scikit-learn's own kind; see estimator.py."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import numpy as np
from sklearn.base import OutlierMixin, RegressorMixin
from sklearn.utils import column_or_1d
from sklearn.utils.validation import check_is_fitted

from ..estimators.estimator import as_it_is, keep_parameters
from ..kernels.standard import Linear
from ..numerics.conversion import as_lists
from ..numerics.exact_sums import nearest_weights
from ..numerics.types import KernelLike, Number, RowsLike, Shaped, VectorLike
from ..svm.ball_problem import BallModel
from ..svm.one_class_problem import OneClassModel
from ..svm.regression_problem import RegressionModel
from .estimator import ArrayEstimator, Estimator, KernelEstimator, library
from .linear_weights import LinearWeights


class SingleMachine(KernelEstimator):
    """The base of these estimators; one machine is trained on all rows."""

    @abstractmethod
    def _keep_offsets(self, plain: Any) -> None:
        """Keep the offsets of a trained plain estimator."""

    def _keep(self, plain: Any, rows: Any) -> None:
        self._keep_vectors(plain, rows)
        self.n_iter_ = plain.n_iter_
        self._keep_offsets(plain)

    @abstractmethod
    def _model(self, *fields: Any) -> Any:
        """Return the model of these coefficients, support vectors, kernel and w."""

    @property
    def model_(self) -> Any:
        """The model, made anew."""
        check_is_fitted(self)
        vectors, coefs = self._vectors(), self._coefs()[0].tolist()
        linear = type(self._kernel) is Linear and vectors
        w = nearest_weights(coefs, vectors) if linear else None
        return self._model(coefs, vectors, self._kernel, w)

    def _fitted(self) -> Any:
        if not hasattr(self, "_svc"):
            plain = self._plain()
            plain.model_ = self.model_
            for name in ("n_features_in_", "offset_"):
                if hasattr(self, name):
                    setattr(plain, name, getattr(self, name))
            self._svc = plain
        return self._svc


class ValueRegressor(RegressorMixin, ArrayEstimator):
    """What all regression has."""

    _rules = {"y_numeric": True}

    def fit(
        self: Estimator,
        X: RowsLike,
        y: VectorLike | Shaped,
        sample_weight: VectorLike | Shaped | None = None,
    ) -> Estimator:
        """Train on n rows and n values, and return self; weights are factors of C.

        A row of weight 0 is as if absent. Bad input is a ValueError or TypeError; then nothing of
        an earlier fit is lost. A ConvergenceWarning says if the training did not end optimal.
        """
        return self._fit(X, y, sample_weight)

    def predict(self, X: RowsLike) -> np.ndarray:
        """Return the array of values predicted for the rows of X."""
        plain, rows = self._ready(X)
        return np.array(plain.predict(rows))

    def _targets(self, y: VectorLike | Shaped) -> np.ndarray:
        """Return the values as an array of one dimension."""
        return column_or_1d(y, warn=True).astype(float)


class ArrayRegressor(ValueRegressor, SingleMachine):
    """What SVR and NuSVR share."""

    def _keep_offsets(self, plain: Any) -> None:
        self.intercept_ = np.array(plain.intercept_, float)

    def _model(self, *fields: Any) -> Any:
        return RegressionModel(float(self.intercept_[0]), *fields)


class SVR(ArrayRegressor):
    """Predict values: refsvm.SVR as scikit-learn's own kind.

    What is not named here is as in refsvm.SVR, with arrays for lists.

    Parameters
    ----------
    kernel, verbose
        as in SVC
    shrinking
        kept for get_params; it has no effect

    Attributes
    ----------
    support_vectors_, dual_coef_, coef_ : arrays, or sparse matrices if X is sparse
    model_ : RegressionModel

    Examples
    --------
    >>> SVR(kernel="linear", epsilon=0.25).fit([[0], [1], [2]], [0, 1, 4]).predict([[1.5]])
    array([1.75])
    """

    _plain_name = "SVR"

    def __init__(
        self,
        *,
        kernel: str | KernelLike = "rbf",
        degree: int = 3,
        gamma: str | Number = "scale",
        coef0: Number = 0.0,
        tol: Number = 1e-5,
        C: Number = 1.0,
        epsilon: Number = 0.1,
        shrinking: bool = True,
        cache_size: float = 200,
        verbose: bool | int = False,
        max_iter: int = -1,
    ) -> None:
        keep_parameters(self, locals())


class NuSVR(ArrayRegressor):
    """Predict values: refsvm.NuSVR as scikit-learn's own kind.

    What is not named here is as in SVR.

    Parameters
    ----------
    nu : number above 0, at most 1
        the share of rows that may lie outside the tube

    Attributes
    ----------
    epsilon_ : float
        half the width of the tube that was found

    Examples
    --------
    >>> NuSVR(nu=0.5, kernel="linear").fit([[0], [1], [2], [4]], [0, 1, 2, 4]).predict([[3]])
    array([3.])
    """

    _plain_name = "NuSVR"
    _libsvm_type = "nu_svr"

    def __init__(
        self,
        *,
        nu: Number = 0.5,
        C: Number = 1.0,
        kernel: str | KernelLike = "rbf",
        degree: int = 3,
        gamma: str | Number = "scale",
        coef0: Number = 0.0,
        shrinking: bool = True,
        tol: Number = 1e-5,
        cache_size: float = 200,
        verbose: bool | int = False,
        max_iter: int = -1,
    ) -> None:
        keep_parameters(self, locals())

    def _keep_offsets(self, plain: Any) -> None:
        super()._keep_offsets(plain)
        self.epsilon_ = float(plain.epsilon_)


class LinearSVR(LinearWeights, ValueRegressor):
    """Predict values by a linear machine whose offset is penalised: refsvm.LinearSVR.

    For an offset that is not penalised take SVR(kernel="linear"). What is not named here is as in
    refsvm.LinearSVR, with arrays for lists.

    Parameters
    ----------
    random_state, verbose
        as in LinearSVC

    Attributes
    ----------
    coef_ : array of d numbers
    intercept_ : array of one number, or 0.0 without an offset
    model_ : RegressionModel
        as refsvm.write_model and refsvm.export take it

    Notes
    -----
    coef_ and intercept_ are the machine: each may be set, also where fit was not called.

    Examples
    --------
    >>> known = LinearSVR()
    >>> known.coef_, known.intercept_ = [1, 2], [0.5]
    >>> known.predict([[1, 1], [0, 2]])
    array([3.5, 4.5])
    """

    _plain_name = "LinearSVR"

    def __init__(
        self,
        *,
        epsilon: Number = 0.0,
        tol: Number = 1e-4,
        C: Number = 1.0,
        loss: str = "epsilon_insensitive",
        fit_intercept: bool = True,
        intercept_scaling: Number = 1.0,
        dual: bool | str = "auto",
        verbose: bool | int = 0,
        random_state: int | np.random.RandomState | None = None,
        max_iter: int = 1000,
    ) -> None:
        keep_parameters(self, locals())

    @property
    def coef_(self) -> np.ndarray:
        """The weights w, which may be set; AttributeError before fit."""
        return self._rows_of_weights()[0]

    @coef_.setter
    def coef_(self, coef: Any) -> None:
        self._set_weights(coef)

    @property
    def model_(self) -> RegressionModel:
        """The machine as a RegressionModel, made anew."""
        check_is_fitted(self)
        return self._fitted().model_

    def _keep(self, plain: Any, rows: Any) -> None:
        self._keep_weights(plain, [plain.coef_])

    def _fitted(self) -> Any:
        if not hasattr(self, "_svc"):
            plain = library().LinearSVR()  # its parameters are of no use to what is asked of it
            (plain.coef_,), plain.n_features_in_ = as_lists(self._weights), self._weights.shape[1]
            self._svc = plain
        self._svc.intercept_ = [float(np.ravel(self.intercept_)[0])]
        return self._svc


class ArrayOutlierDetector(OutlierMixin, SingleMachine):
    """What OneClassSVM and SVDD share."""

    _takes_y = False

    def fit(
        self: Estimator,
        X: RowsLike,
        y: Any = None,
        sample_weight: VectorLike | Shaped | None = None,
    ) -> Estimator:
        """Train on n rows, and return self; y is not looked at.

        Weights are the largest multipliers; a row of weight 0 is as if absent. Bad input, and rows
        that have no machine, are a ValueError or TypeError; then nothing of an earlier fit is
        lost. A ConvergenceWarning says if the training did not end optimal.
        """
        return self._fit(X, None, sample_weight)

    def decision_function(self, X: RowsLike) -> np.ndarray:
        """Return f of each row of X, an array: 0 or above inside."""
        plain, rows = self._ready(X)
        return np.array(plain.decision_function(rows))

    def score_samples(self, X: RowsLike) -> np.ndarray:
        """Return the score of each row of X: decision_function without the offset."""
        machine = as_it_is(self)
        return machine.decision_function(X) + machine.offset_

    def predict(self, X: RowsLike) -> np.ndarray:
        """Return an array: +1 for each row of X that lies inside, -1 for the others."""
        plain, rows = self._ready(X)
        return np.array(plain.predict(rows))

    def _keep_offsets(self, plain: Any) -> None:
        self.offset_ = np.array([plain.offset_], float)


class OneClassSVM(ArrayOutlierDetector):
    """Tell outliers: refsvm.OneClassSVM as scikit-learn's own kind.

    What is not named here is as in refsvm.OneClassSVM, with arrays for lists.

    Parameters
    ----------
    kernel, shrinking, verbose
        as in SVR

    Attributes
    ----------
    offset_ : array of one number
        rho: decision_function is score_samples less offset_
    model_ : OneClassModel

    Examples
    --------
    >>> OneClassSVM(kernel="linear", nu=0.5).fit([[1], [2], [4]]).predict([[1], [2], [3]])
    array([-1,  1,  1])
    """

    _plain_name = "OneClassSVM"

    def __init__(
        self,
        *,
        kernel: str | KernelLike = "rbf",
        degree: int = 3,
        gamma: str | Number = "scale",
        coef0: Number = 0.0,
        tol: Number = 1e-3,
        nu: Number = 0.5,
        shrinking: bool = True,
        cache_size: float = 200,
        verbose: bool | int = False,
        max_iter: int = -1,
    ) -> None:
        keep_parameters(self, locals())

    def _keep_offsets(self, plain: Any) -> None:
        super()._keep_offsets(plain)
        self.intercept_ = np.array(plain.intercept_, float)

    def _model(self, *fields: Any) -> Any:
        return OneClassModel(float(self.intercept_[0]), *fields)


class SVDD(ArrayOutlierDetector):
    """Tell outliers by the smallest ball: refsvm.SVDD as scikit-learn's own kind.

    What is not named here is as in refsvm.SVDD, with arrays for lists.

    Parameters
    ----------
    kernel : str, Kernel or function
        as in SVC; after precomputed values, or a function, no other rows can be decided about

    Attributes
    ----------
    radius2_, offset_ : float, array of one number
        the squared radius, and minus it
    model_ : BallModel

    Examples
    --------
    >>> SVDD(kernel="linear").fit([[0], [2], [10]]).predict([[0], [5], [11]])
    array([ 1,  1, -1])
    """

    _plain_name = "SVDD"
    _found_by_fit = (*SingleMachine._found_by_fit, "_w_norm2")

    def __init__(
        self,
        *,
        C: Number = 1.0,
        kernel: str | KernelLike = "rbf",
        degree: int = 3,
        gamma: str | Number = "scale",
        coef0: Number = 0.0,
        tol: Number = 1e-3,
        cache_size: float = 200,
        max_iter: int = -1,
    ) -> None:
        keep_parameters(self, locals())

    def _keep_offsets(self, plain: Any) -> None:
        super()._keep_offsets(plain)
        self.radius2_ = float(plain.radius2_)
        self._w_norm2 = float(plain._kept_model().w_norm2)

    def _model(self, *fields: Any) -> Any:
        coefs, vectors, kernel, w = fields
        return BallModel(self.radius2_, coefs, vectors, kernel, w, self._w_norm2)
