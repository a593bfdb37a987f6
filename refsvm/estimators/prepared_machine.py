"""An estimator of cells: a table is prepared anew by the rows that it is trained on.

For cross-validation: what is learnt of the columns is learnt of the rows to train on alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..tables.preparation import Preparation


class PreparedMachine:
    """An estimator behind a Preparation, whose rows are cells.

    Its parameters by name are those of the estimator.
    """

    def __init__(self, machine: Any, preparation: Preparation) -> None:
        self.machine, self.preparation = machine, preparation

    @property
    def _estimator_type(self) -> Any:
        return getattr(self.machine, "_estimator_type", None)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return what it is made of; deep: the parameters of the estimator."""
        if deep:
            return dict(self.machine.get_params())
        return {"machine": self.machine, "preparation": self.preparation}

    def set_params(self, **parameters: Any) -> PreparedMachine:
        """Set parameters of the estimator."""
        self.machine.set_params(**parameters)
        return self

    def fit(self, cells: Sequence[Any], y: Any) -> PreparedMachine:
        """Learn of the cells what their columns hold, and train on the rows that are made."""
        self.preparation = self.preparation.refitted(cells)
        self.machine.fit(self.preparation.rows(cells), y)
        return self

    def predict(self, cells: Sequence[Any]) -> Any:
        """Return what the estimator predicts of the rows that are made of the cells."""
        return self.machine.predict(self.preparation.rows(cells))

    def _decision_function(self, cells: Sequence[Any]) -> Any:
        """Return how the estimator decides about the rows that are made of the cells."""
        return self.machine.decision_function(self.preparation.rows(cells))

    def __getattr__(self, name: str) -> Any:
        """Return what the estimator has learnt; and decision_function, if it has that."""
        if name == "decision_function" and hasattr(self.machine, name):
            return self._decision_function
        if name.endswith("_") and not name.startswith("_"):
            return getattr(self.machine, name)
        raise AttributeError(name)
