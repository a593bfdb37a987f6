"""The result of training for regression: a Model whose prediction is its decision value."""

from __future__ import annotations

from typing import Any

from ..numerics.types import Number, Row, Rows, Vector
from .model import Model


class RegressionModel(Model):
    """A trained regression: f(x) = sum alpha_i k(x_i, x) + b, and f is what it predicts.

    Attributes
    ----------
    b, coef, vectors, kernel, w
        as in Model; coef holds the net multipliers
    scale : number or None
        of the Laplace distribution of what is missed, in units of f, where it is known
    """

    scale: Number | None = None

    def _replace(self, **changes: Any) -> RegressionModel:
        """Return the model with other fields; the scale stays."""
        found: RegressionModel = super()._replace(**changes)
        if self.scale is not None:
            found.scale = self.scale
        return found

    def predict(self, x: Row) -> Number:  # type: ignore[override]
        """Return f(x)."""
        return self.decision(x)

    def predictions(self, X: Rows, *, threads: int = 1) -> Vector:  # type: ignore[override]
        """Return f of each row of X."""
        return self.decisions(X, threads=threads)
