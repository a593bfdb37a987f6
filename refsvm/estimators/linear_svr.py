"""LinearSVR: linear regression with a tube, under the names that scikit-learn made common.

The offset is the weight of a constant feature, and penalised as the others are; SVR(kernel=
"linear") has one that is not. What is solved, with w' = (w, v) and x' = (x, intercept_scaling), so
that b = intercept_scaling v, and e_i = max(0, |y_i - <w', x_i'>| - epsilon):

    epsilon_insensitive            1/2 |w'|^2 + C sum e_i
    squared_epsilon_insensitive    1/2 |w'|^2 + C sum e_i^2

linear_machines.py says what solves it.

    n, d    rows and columns of X

Source: Ho and Lin, Large-scale linear support vector regression, JMLR 13 (2012), for what is
solved; Pedregosa et al., Scikit-learn (2011), for what the parameters mean.
"""

from __future__ import annotations

from typing import Any, ClassVar

from ..kernels.standard import Linear
from ..numerics.sparse_rows import converted, inner, narrowed
from ..numerics.types import Number, RowsLike, Vector
from ..numerics.validation import not_negative, one_of, positive, tolerance
from ..svm.conventions import from_squares
from ..svm.model import SolutionFields
from ..svm.regression_problem import RegressionModel
from ..svm.regression_without_offset import RegressionWithoutOffset
from .estimator import Endings, as_it_is, keep_parameters, not_fitted, rows_as_in_fit
from .linear_machines import LinearTraining, weights_and_offset
from .svr import ValueRegressor
from .training_data import (
    Targets,
    TrainingSet,
    Weights,
    other_numbers,
    penalties_of_rows,
    valued_rows,
)

SLACKS = {"epsilon_insensitive": "linear", "squared_epsilon_insensitive": "squared"}


class LinearSVR(LinearTraining, ValueRegressor):
    """Predict values by a linear machine with a tube of given width, whose offset is penalised.

    For an offset that is not penalised take SVR(kernel="linear").

    Parameters
    ----------
    epsilon : number, 0 or more
        half the width of the tube, in units of y
    tol : float
        primal: how large the gap may be, as a part of the primal, of the first loss a hundredth of
        it; dual: how far the conditions of optimality may be violated, by the largest |y_i|
    C : positive number
        penalty of slack
    loss : "epsilon_insensitive" or "squared_epsilon_insensitive"
        what C multiplies: the sum of what is missed beyond epsilon, or of its squares
    fit_intercept, intercept_scaling, verbose, random_state
        as in LinearSVC
    dual : "auto", True or False
        whether the dual is solved, by passes of coordinate descent, or the primal, by steps of
        Newton's method, of squared loss only; "auto": by the rules of LinearSVC
    max_iter : int
        steps down the primal, and passes over the examples; n steps of SMO count as a pass; 0
        leaves w and b at 0

    Attributes
    ----------
    coef_ : list of d numbers
        w; sparse, if the rows are
    intercept_ : list of one number
        b, 0 without an offset
    n_iter_ : int
        steps down the primal and passes that were begun
    n_features_in_, feature_names_in_
        as in LinearSVC
    solution_ : Solution fields
        what the solver returned: status, gap, ..; alpha of the rows whose weight is above 0
    model_ : RegressionModel
        whose only vector is w

    Notes
    -----
    coef_ and intercept_ are the machine, and may be set. Cost: as of LinearSVC.

    Examples
    --------
    >>> machine = LinearSVR(C=100, loss="squared_epsilon_insensitive")
    >>> machine = machine.fit([[0], [1], [3]], [1, 3, 7])
    >>> [round(value, 1) for value in machine.predict([[2], [4]])]
    [5.0, 9.0]
    """

    epsilon: Number
    verbose: int

    coef_: Vector
    intercept_: Vector
    n_iter_: int
    solution_: SolutionFields

    _problem_class: ClassVar[Any] = RegressionWithoutOffset
    _model_class: ClassVar[type[RegressionModel]] = RegressionModel
    _squared_loss = "squared_epsilon_insensitive"
    _apart = staticmethod(weights_and_offset)

    def __init__(
        self,
        epsilon: Number = 0.0,
        tol: Number = 1e-4,
        C: Number = 1.0,
        loss: str = "epsilon_insensitive",
        fit_intercept: bool = True,
        intercept_scaling: Number = 1.0,
        dual: bool | str = "auto",
        verbose: int = 0,
        random_state: int | None = None,
        max_iter: int = 1000,
    ) -> None:
        keep_parameters(self, locals())

    def _solver_settings(self) -> tuple[Any, ...]:
        one_of(self.loss, SLACKS, "loss")
        self._refuse_settings()
        return ()

    def _training_set(self, X: RowsLike, y: Targets, sample_weight: Weights) -> TrainingSet:
        rows, kind = self._read(X, other_numbers(self, y, sample_weight))
        data = valued_rows(rows, kind, y, sample_weight)
        C = positive(kind, self.C, "C")
        if SLACKS[self.loss] == "squared":
            C = from_squares(C).C
        not_negative(kind, self.epsilon, "epsilon")
        self._constant(kind)
        return data._replace(C=penalties_of_rows(C, [kind(1)], [data.present], data.weights))

    def _learn(self, data: TrainingSet, *settings: object) -> dict[str, Any]:
        solution, rounds = self._solve(self._problem(data), tolerance(data.kind, self.tol))
        w, b = self._apart(solution, self._constant(data.kind))
        return {
            "coef_": w,
            "intercept_": [b],
            "n_iter_": rounds,
            "n_features_in_": len(data.rows[0]),
            "solution_": SolutionFields(*solution),
        }

    def _problem(self, data: TrainingSet) -> Any:
        """Return the problem of the rows that are present."""
        return self._problem_class.from_validated(
            data.kind,
            self._rows_to_train(data, self._constant(data.kind)),
            data.present_of(data.y),
            data.kernel,
            data.present_of(data.C),
            not_negative(data.kind, self.epsilon, "epsilon"),
            SLACKS[self.loss],
        )

    def _endings(self) -> Endings:
        return [type(self).__name__], [self.solution_], "machines"

    def predict(self, X: RowsLike) -> Vector:
        """Return the list of values predicted for the rows of X."""
        return as_it_is(self)._decisions(X)

    def _decisions(self, X: RowsLike) -> Vector:
        """Return w.x + b for each row x, checked against those given to fit."""
        if not hasattr(self, "coef_"):
            raise not_fitted(self)
        (b,) = self.intercept_
        rows: list[Any] = rows_as_in_fit(self, X, type(b), [self.coef_])
        kind = type(rows[0][0])
        _, (w,), rows = narrowed([converted(self.coef_, kind)], rows)
        return [inner(w, x) + kind(b) for x in rows]

    @property
    def model_(self) -> RegressionModel:
        """The machine as write_model, export and plot take it."""
        if not hasattr(self, "coef_"):
            raise AttributeError(str(not_fitted(self)))
        (b,) = self.intercept_
        model = self._model_class(b, [type(b)(1)], [self.coef_], Linear(), self.coef_)
        model.svm_type = "linear_svr"
        return model
