"""OneClassSVM and SVDD: where most rows lie, and which lie outside.

OneClassSVM has the names and meanings of scikit-learn's; SVDD, the smallest ball, has no namesake
there and follows the same habits: +1 inside, -1 outside.

    n, d    rows and columns of X        V    number of support vectors

Source: Pedregosa et al., Scikit-learn: Machine Learning in Python (2011), for the interface;
Schoelkopf et al., Neural Computation 13 (2001), and Tax and Duin, Machine Learning 54 (2004).
"""

from __future__ import annotations

from copy import copy
from typing import Any

from ..numerics.cures import giving
from ..numerics.quoting import quote
from ..numerics.rounding_bounds import rounded_up
from ..numerics.types import KernelLike, Number, RowsLike, Vector
from ..svm.ball_problem import BallModel, BallProblem
from ..svm.dual_form import exact_total
from ..svm.model import Solution
from ..svm.one_class_problem import OneClassModel, OneClassProblem
from ..svm.training_problem import TrainingProblem
from .estimator import Estimator, NoMachine, as_it_is, keep_parameters, may_be_degenerate
from .kernel_estimator import SingleMachine, cure_of_meeting_hulls
from .training_data import TrainingSet, Weights


class OutlierDetector(SingleMachine):
    """What both have: no y, and predictions +1 inside and -1 outside."""

    offset_: Number

    _estimator_type = "outlier_detector"

    def fit(
        self: Estimator,
        X: RowsLike,
        y: object = None,
        sample_weight: Weights = None,
    ) -> Estimator:
        """Train on n rows, and return self; y is ignored.

        Parameters
        ----------
        X : n rows of d numbers, or n strings for a kernel of strings
        sample_weight : n numbers, none negative
            the largest multiplier of each row; a row of weight 0 is as if absent

        Raises
        ------
        ValueError or TypeError
            for bad input, and where the origin lies among the rows, so that there is no machine;
            then nothing of an earlier fit is lost

        Notes
        -----
        Warns if the training does not end optimal. A step of the solver costs O(n d) at most.
        """
        return self._fit(X, None, sample_weight)

    def decision_function(self, X: RowsLike) -> Vector:
        """Return f of each row of X: 0 or above inside."""
        return self._decisions(X)

    def score_samples(self, X: RowsLike) -> Vector:
        """Return the score of each row of X: its decision without the offset."""
        machine = as_it_is(self)
        return [f + machine.offset_ for f in machine._decisions(X)]

    def predict(self, X: RowsLike) -> list[int]:
        """Return +1 for each row of X that lies inside, f >= 0, and -1 for the others."""
        return [1 if f >= 0 else -1 for f in self._decisions(X)]

    def fit_predict(self, X: RowsLike, y: object = None, **fit_params: Any) -> list[int]:
        """Train on the rows, and return the predictions for them; y is ignored."""
        self.fit(X, y, **fit_params)
        return self.predict(X)


class OneClassSVM(OutlierDetector):
    """Tell rows like those of training from others, by a support vector machine of one class.

    What is not named here is as in SVR.

    Parameters
    ----------
    kernel, degree, gamma, coef0, cache_size, max_iter
        as in SVC
    tol : float
        how far the conditions of optimality may be violated, in units of rho
    nu : number above 0, at most 1
        the share of rows that may lie outside; at least that share are support vectors

    Attributes
    ----------
    dual_coef_ : a list of V numbers in a list
        the multipliers, from 0 to the weight of the row
    offset_, intercept_ : number, list of one
        rho and -rho: decision_function is score_samples less offset_
    model_ : OneClassModel

    Examples
    --------
    >>> machine = OneClassSVM(kernel="linear", nu=0.5).fit([[1], [2], [4]])
    >>> machine.offset_, machine.predict([[1], [2], [3]])
    (4.0, [-1, 1, 1])
    """

    nu: Number

    _problem_class = OneClassProblem

    def __init__(
        self,
        kernel: str | KernelLike = "rbf",
        degree: int = 3,
        gamma: str | Number = "scale",
        coef0: Number = 0.0,
        tol: Number = 1e-3,
        nu: Number = 0.5,
        cache_size: float = 200,
        max_iter: int = -1,
    ) -> None:
        keep_parameters(self, locals())

    def _problem(self, data: TrainingSet) -> TrainingProblem:
        rows = self._rows_to_train(data)
        return self._problem_class(rows, data.kernel, self.nu, data.present_of(data.weights))

    def _own_attributes(self, solution: Solution, model: OneClassModel) -> dict[str, Any]:
        return {"intercept_": [model.b], "offset_": 0 - model.b}  # where b is 0.0 no -0.0

    def _refuse_failure(self, solution: Solution, data: TrainingSet, *limits: Any) -> None:
        if solution.status == "degenerate":
            why = "the origin lies in the reduced hull of the rows, so w is 0 and nothing can be"
            why += " told apart"
        elif may_be_degenerate(solution):
            why = (
                f"training ended with status {quote(solution.status)} where rho may be 0, as it is"
                " if the origin lies in the reduced hull of the rows"
            )
        else:
            return

        def trains(**changes: Any) -> bool:
            other = copy(self).set_params(**changes)
            changed = data._replace(kernel=other._checked_kernel(data))
            found = other._solved(changed, *limits)
            return found.status != "degenerate" and not may_be_degenerate(found)

        cure = cure_of_meeting_hulls(self, solution.problem.kind(1), trains)
        raise NoMachine(solution.status, f"nu is {quote(self.nu)}; {why}", cure)


class SVDD(OutlierDetector):
    """Tell rows like those of training from others, by the smallest ball around most of them.

    What is not named here is as in SVR, but for intercept_.

    Parameters
    ----------
    C : positive number, or math.inf
        penalty of the sum of the slacks, in units of the squared radius; 1 / (nu n) lets the share
        nu of n rows lie outside, and from 1 on none does
    kernel, degree, gamma, coef0, cache_size, max_iter
        as in SVC
    tol : float
        how far the conditions of optimality may be violated, in units of the squared radius

    Attributes
    ----------
    radius2_, offset_ : number
        the squared radius, and minus it: score_samples is minus the squared distance
    dual_coef_ : a list of V numbers in a list
        the multipliers, which add up to 1: the centre is their mean of the support vectors
    model_ : BallModel

    Examples
    --------
    >>> ball = SVDD(kernel="linear").fit([[0], [2], [10]])
    >>> ball.radius2_, ball.predict([[0], [5], [11]])
    (25.0, [1, 1, -1])
    """

    C: Number

    radius2_: Number

    _problem_class = BallProblem

    def __init__(
        self,
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

    def _problem(self, data: TrainingSet) -> TrainingProblem:
        rows = self._rows_to_train(data)
        return self._problem_class(rows, data.kernel, self.C, data.present_of(data.weights))

    def _own_attributes(self, solution: Solution, model: BallModel) -> dict[str, Any]:
        return {"radius2_": model.radius2, "offset_": 0 - model.radius2}

    def _refuse_failure(self, solution: Solution, data: TrainingSet, *limits: Any) -> None:
        if solution.status == "infeasible":
            problem = solution.problem
            least = rounded_up(1 / exact_total(problem.example_weights), problem.kind)
            raise NoMachine(
                solution.status,
                f"C is {quote(self.C)}; C times the sum of the weights must be at least 1, or the"
                " best ball is the point in the middle",
                giving(f"give at least {quote(least)}", "C", least),
            )
