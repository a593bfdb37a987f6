"""The base of estimators that train one machine on all rows: SVR, NuSVR, OneClassSVM, SVDD.

A subclass says which problem its parameters make, and what its offsets are called.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar

from ..kernels.standard import Linear, Precomputed
from ..numerics.types import Matrix, RowsLike, Vector
from .estimator import Endings, not_fitted, rows_as_in_fit, solver_limits
from .fitted_attributes import attributes_of_one
from .kernel_estimator import KernelEstimator
from .training_data import TrainingSet, numbers_beside, valued_rows


class SingleMachine(KernelEstimator):
    """The base of these estimators."""

    n_iter_: int
    solution_: Any
    model_: Any

    _problem_class: ClassVar[Any]

    def _solver_settings(self) -> tuple[Any, ...]:
        return solver_limits(self)

    def _training_set(self, X: Any, y: Any, sample_weight: Any) -> TrainingSet:
        rows, kind = self._read(X, numbers_beside(self, y, sample_weight))
        self._refuse_strings(rows[0])
        data = valued_rows(rows, kind, y, sample_weight)
        return data._replace(kernel=self._checked_kernel(data))

    @abstractmethod
    def _problem(self, data: TrainingSet) -> Any:
        """Return the problem that the parameters make of the rows."""

    def _check_parameters(self, data: TrainingSet) -> None:
        self._problem(data)

    def _rows_to_train(self, data: TrainingSet) -> Any:
        """Return the rows that are present; of a Gram matrix these columns only."""
        rows = data.of_present(data.rows)
        return list(map(data.of_present, rows)) if isinstance(data.kernel, Precomputed) else rows

    def _learn(self, data: TrainingSet, *settings: Any) -> dict[str, Any]:
        steps, cache_mb = settings
        solution = self._solve(self._problem(data), self.tol, steps, cache_mb=cache_mb)
        self._refuse_failure(solution)
        model = self._model(data, solution)
        return {
            **attributes_of_one(data, solution),
            **self._model_attributes(model),
            **self._own_attributes(solution, model),
        }

    def _refuse_failure(self, solution: Any) -> None:
        """Raise NoMachine where there is none."""

    def _model(self, data: TrainingSet, solution: Any) -> Any:
        """Return the model; precomputed values are counted by all rows, not by those present."""
        model = solution.model()
        if not isinstance(data.kernel, Precomputed):
            return model
        return model._replace(vectors=[data.present[i] for i in model.vectors])

    def _own_attributes(self, solution: Any, model: Any) -> dict[str, Any]:
        """Return the fitted attributes that are the estimator's own."""
        return {"intercept_": [solution.b]}

    def _endings(self) -> Endings:
        return [type(self).__name__], [self.solution_], "machines"

    def _decisions(self, X: RowsLike) -> Vector:
        """Return the decision value of each row of X, checked against those given to fit."""
        model = getattr(self, "model_", None)
        if model is None:
            raise not_fitted(self)
        rows = rows_as_in_fit(self, X, type(model[0]), model.vectors)
        return model.decisions(rows)  # type: ignore[no-any-return]

    @property
    def coef_(self) -> Matrix:
        """The weights w, one row; AttributeError unless linear."""
        model = self._kept_model()
        if model is None or type(model.kernel) is not Linear:
            raise AttributeError("coef_ is there after fit, and with a linear kernel only")
        return [model.w]
