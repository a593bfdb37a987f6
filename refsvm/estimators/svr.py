"""SVR and NuSVR: support vector regression under the names that scikit-learn made common.

Nothing here computes anything new: fit makes a problem (svm/regression_problem.py), solves it, and
gathers the answer. tol is in units of half the spread of y: values in other units, with C and
epsilon in the same, give the answer in these units.

    n, d    rows and columns of X        V    number of support vectors

Source: Pedregosa et al., Scikit-learn: Machine Learning in Python (2011), for the interface;
Chang and Lin, LIBSVM: A Library for Support Vector Machines, for the meaning of every number.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

from ..numerics.linalg import total
from ..numerics.types import KernelLike, Number, RowsLike, Shaped, Vector, VectorLike
from ..numerics.validation import check_length, number_kind, vector
from ..svm.model import Solution
from ..svm.regression_problem import NuRegressionProblem, RegressionModel, RegressionProblem
from ..svm.training_problem import TrainingProblem
from .estimator import BaseEstimator, Estimator, keep_parameters
from .kernel_estimator import SingleMachine
from .training_data import TrainingSet, Weights, row_weights


class ValueRegressor(BaseEstimator):
    """What all regression has: values are predicted, and the score is R^2."""

    _estimator_type = "regressor"

    C: Number

    @abstractmethod
    def predict(self, X: RowsLike) -> Vector:
        """Return the list of values predicted for the rows of X."""

    def fit(
        self: Estimator,
        X: RowsLike,
        y: VectorLike | Shaped,
        sample_weight: Weights = None,
    ) -> Estimator:
        """Train on n rows and n values, and return self.

        Parameters
        ----------
        X : n rows of d numbers, or n strings for a kernel of strings
        y : n numbers
        sample_weight : n numbers, none negative
            factors of C; a row of weight 0 is as if absent

        Raises
        ------
        ValueError or TypeError
            for bad input; then nothing of an earlier fit is lost

        Notes
        -----
        Warns if the training does not end optimal. A step of the solver costs O(n d) at most.
        """
        return self._fit(X, y, sample_weight)

    def score(self, X: RowsLike, y: VectorLike | Shaped, sample_weight: Weights = None) -> Number:
        """Return R^2 = 1 - sum (y - f)^2 / sum (y - mean)^2, each row by its weight.

        Where all y are equal it is 1 if all are predicted, else 0.
        """
        return r2_score(y, self.predict(X), sample_weight)


class Regressor(SingleMachine, ValueRegressor):
    """What SVR and NuSVR have."""

    def predict(self, X: RowsLike) -> Vector:
        """Return the list of values predicted for the rows of X."""
        return self._decisions(X)


def r2_score(y: Any, predicted: Vector, sample_weight: Any = None) -> Number:
    """Return R^2 of predictions, each row by its weight.

    >>> r2_score([1, 2, 3], [1.0, 2.0, 4.0])
    0.5
    """
    kind = number_kind(y, predicted, sample_weight)
    y, f = vector(y, "y", kind), vector(predicted, "predicted", kind)
    check_length(y, len(f), "y")
    w = row_weights(kind, sample_weight, len(y))
    if not any(w):
        raise ValueError("sample_weight is 0 for every row; one must be positive")
    return kind(r2_of(total(c * (v - p) * (v - p) for c, v, p in zip(w, y, f)), y, w))


def r2_of(missed: Number, y: Vector, weights: Vector) -> Number:
    """Return R^2 from the weighted sum of squared errors."""
    whole = total(weights)
    mean = total(c * v for c, v in zip(weights, y)) / whole
    around_mean = total(c * (v - mean) * (v - mean) for c, v in zip(weights, y))
    if around_mean == 0:
        return 1 if missed == 0 else 0
    return 1 - missed / around_mean


class SVR(Regressor):
    """Predict values by a support vector machine with a tube of given width.

    Rows are taken as they are, and not scaled (see SVC); nor is y, so that C and epsilon are in
    its units.

    Parameters
    ----------
    kernel, degree, gamma, coef0, cache_size, max_iter
        as in SVC
    tol : float
        how far the conditions of optimality may be violated, in units of half the spread of y.
        "optimal" says that, and no more: with C = 100 the primal was within 0.2 % of the optimum
        on ten ordinary sets, and with 1e-3 within 12 %; solution_.gap bounds by how much it is.
        The tol of scikit-learn, 1e-3, is in units of y itself
    C : positive number
        penalty of the sum of the slacks
    epsilon : number, 0 or more
        half the width of the tube, in units of y

    Attributes
    ----------
    support_ : list of V ints
        the rows that are support vectors
    n_support_ : list of one int, V
    support_vectors_ : list of V rows
        [] if precomputed
    dual_coef_ : a list of V numbers in a list
        the net multipliers
    intercept_, coef_ : lists of one
        b and w; coef_ with a linear kernel only
    n_features_in_, feature_names_in_, shape_fit_, fit_status_
        as in SVC
    n_iter_ : int
        steps
    solution_ : Solution
        what the solver returned: status, gap, offsets, ..
    model_ : RegressionModel

    Examples
    --------
    >>> SVR(kernel="linear", epsilon=0.25).fit([[0], [1], [2]], [0, 1, 4]).predict([[1.5]])
    [1.75]
    """

    epsilon: Number

    _problem_class = RegressionProblem

    def __init__(
        self,
        kernel: str | KernelLike = "rbf",
        degree: int = 3,
        gamma: str | Number = "scale",
        coef0: Number = 0.0,
        tol: Number = 1e-5,
        C: Number = 1.0,
        epsilon: Number = 0.1,
        cache_size: float = 200,
        max_iter: int = -1,
    ) -> None:
        keep_parameters(self, locals())

    def _problem(self, data: TrainingSet) -> TrainingProblem:
        rows, y = self._rows_to_train(data), data.present_of(data.y)
        weights = data.present_of(data.weights)
        return self._problem_class(rows, y, data.kernel, self.C, self.epsilon, weights)


class NuSVR(Regressor):
    """Predict values by a support vector machine with a share of rows outside its tube.

    What is not named here is as in SVR.

    Parameters
    ----------
    nu : number above 0, at most 1
        the share of rows that may lie outside the tube; at least that share are support vectors
    C, kernel, degree, gamma, coef0, tol, cache_size, max_iter
        as in SVR

    Attributes
    ----------
    epsilon_ : number
        half the width of the tube that was found

    Examples
    --------
    >>> from fractions import Fraction
    >>> machine = NuSVR(nu=Fraction(1, 3), kernel="linear").fit([[0], [1], [2]], [0, 1, 4])
    >>> str(machine.epsilon_), str(machine.predict([[3]])[0])
    ('1', '4')
    """

    nu: Number

    epsilon_: Number

    _problem_class = NuRegressionProblem
    _libsvm_type = "nu_svr"

    def __init__(
        self,
        nu: Number = 0.5,
        C: Number = 1.0,
        kernel: str | KernelLike = "rbf",
        degree: int = 3,
        gamma: str | Number = "scale",
        coef0: Number = 0.0,
        tol: Number = 1e-5,
        cache_size: float = 200,
        max_iter: int = -1,
    ) -> None:
        keep_parameters(self, locals())

    def _problem(self, data: TrainingSet) -> TrainingProblem:
        rows, y = self._rows_to_train(data), data.present_of(data.y)
        weights = data.present_of(data.weights)
        return self._problem_class(rows, y, data.kernel, self.C, self.nu, weights)

    def _own_attributes(self, solution: Solution, model: RegressionModel) -> dict[str, Any]:
        return {"intercept_": [solution.b], "epsilon_": solution.offsets.epsilon.value}
