"""The base of estimators that train one machine on all rows: SVR, NuSVR, OneClassSVM, SVDD.

A subclass says which problem its parameters make, and what its offsets are called.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar

from ..numerics.types import Matrix, Number, RowsLike, Vector
from ..solvers.smo import smo
from .estimator import (
    BaseEstimator,
    not_fitted,
    rows_as_in_fit,
    solver_limits,
    warn_unless_optimal,
)
from .feature_names import feature_names
from .fitted_attributes import model_attributes
from .single_training import (
    SingleTrainingSet,
    linear_weights,
    present_rows,
    single_attributes,
    single_model,
    single_training_set,
)
from .training_data import takes_gram


class SingleMachine(BaseEstimator):
    """The base of these estimators."""

    kernel: Any
    tol: Number
    cache_size: float
    max_iter: int

    support_: list[int]
    n_support_: list[int]
    support_vectors_: list[Any]
    dual_coef_: Matrix
    intercept_: Vector
    n_iter_: int
    fit_status_: int
    shape_fit_: tuple[int, ...]
    solution_: Any
    model_: Any

    # "regressor" or "outlier_detector"; asked for by scikit-learn before 1.6
    _estimator_type: ClassVar[str]

    # What fit is made of; refsvm_fast has its own, with the same results.
    _training_set = staticmethod(single_training_set)
    _rows_to_train = staticmethod(present_rows)
    _problem_class: ClassVar[Any]
    _solve = staticmethod(smo)
    _model = staticmethod(single_model)
    _model_attributes = staticmethod(model_attributes)

    @abstractmethod
    def _numbers(self) -> list[Any]:
        """Return the parameters that decide the kind of all numbers, beside the kernel's."""

    @abstractmethod
    def _problem(self, data: SingleTrainingSet) -> Any:
        """Return the problem that the parameters make of the rows."""

    def _own_attributes(self, solution: Any, model: Any) -> dict[str, Any]:
        """Return the fitted attributes that are the estimator's own."""
        return {"intercept_": [solution.b]}

    def _accept(self, X: Any, y: Any, sample_weight: Any) -> SingleTrainingSet:
        solver_limits(self)
        data: SingleTrainingSet
        data = self._training_set(self, X, y, sample_weight, self._numbers())
        return data

    def _check_parameters(self, data: Any) -> None:
        """Refuse what of the parameters only a problem refuses."""
        self._problem(data)

    def _train(self, X: Any, y: Any, sample_weight: Any) -> None:
        """Do what fit does, but warn of nothing."""
        steps, cache_mb = solver_limits(self)
        names = feature_names(X)
        data = self._accept(X, y, sample_weight)
        problem = self._problem(data)
        solution = self._solve(problem, self.tol, steps, cache_mb=cache_mb)
        self._refuse_failure(solution)
        model = self._model(data, solution)
        attributes = single_attributes(data, solution)
        attributes.update(self._model_attributes(model))
        attributes.update(self._own_attributes(solution, model))
        self._keep(attributes, names)

    def _refuse_failure(self, solution: Any) -> None:
        """Raise NoMachine where there is none."""

    def _warn(self) -> None:
        """Warn if the training did not end optimal."""
        warn_unless_optimal([type(self).__name__], [self.solution_], "machines")

    def _kept_model(self) -> Any:
        """Return the model as fit left it, None before; refsvm_fast's may be packed."""
        return getattr(self, "model_", None)

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
        return linear_weights(self)

    def _more_tags(self) -> dict[str, bool]:
        """Return the tags of scikit-learn before 1.6: precomputed X is cut on both sides."""
        return {"pairwise": takes_gram(self.kernel)}

    def __sklearn_tags__(self) -> Any:
        """Return the tags of scikit-learn 1.6 and later, which is loaded when it asks."""
        import sys

        tags: Any = sys.modules["sklearn.utils"]
        regressor = self._estimator_type == "regressor"
        return tags.Tags(
            estimator_type=self._estimator_type,
            target_tags=tags.TargetTags(required=regressor),
            regressor_tags=tags.RegressorTags() if regressor else None,
            input_tags=tags.InputTags(sparse=True, **self._more_tags()),
        )
