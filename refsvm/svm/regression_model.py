"""The result of training for regression: a Model whose prediction is its decision value."""

from __future__ import annotations

from typing import Any

from ..numerics.types import Kind, Number, Row, Rows, Vector
from .model import Model


class RegressionModel(Model):
    """A trained regression: f(x) = sum alpha_i k(x_i, x) + b, and f is what it predicts.

    Attributes
    ----------
    b, coef, vectors, kernel, w
        as in Model; coef holds the net multipliers
    scale : number or None
        of the Laplace distribution of what is missed, in units of f, where it is known
    svm_type : str or None
        what a model file calls the machine: "nu_svr"; None where that is "epsilon_svr"
    """

    scale: Number | None = None
    svm_type: str | None = None

    def _replace(self, **changes: Any) -> RegressionModel:
        """Return the model with other fields; scale and svm_type stay."""
        found: RegressionModel = super()._replace(**changes)
        return self.described(found, self.scale)

    def to(self, kind: Kind) -> RegressionModel:
        """Return the same model in numbers of this kind."""
        found: RegressionModel = super().to(kind)  # type: ignore[assignment]
        return self.described(found, None if self.scale is None else kind(self.scale))

    def described(self, other: RegressionModel, scale: Number | None) -> RegressionModel:
        """Return the other model with this scale, and with the svm_type of this one."""
        if scale is not None:
            other.scale = scale
        if self.svm_type is not None:
            other.svm_type = self.svm_type
        return other

    def predict(self, x: Row) -> Number:  # type: ignore[override]
        """Return f(x)."""
        return self.decision(x)

    def predictions(self, X: Rows, *, threads: int = 1) -> Vector:  # type: ignore[override]
        """Return f of each row of X."""
        return self.decisions(X, threads=threads)
