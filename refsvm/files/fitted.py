"""The model inside a fitted estimator, for all that write, export or draw one."""

from __future__ import annotations

from typing import Any, Protocol

from ..svm.one_vs_one import OneAgainstOne
from .table_columns import TableColumns


class Fitted(Protocol):
    """An SVC that is fitted, or a LinearSVC of two classes."""

    @property
    def model_(self) -> OneAgainstOne: ...


def model_of(machine: Any) -> Any:
    """Return the model of a fitted estimator; of anything else itself.

    ValueError where an estimator has no model to give, in its own sentence.

    >>> model_of(3)
    3
    """
    try:
        return machine.model_
    except AttributeError as error:
        if not isinstance(getattr(type(machine), "model_", None), property):
            return machine
        raise ValueError(str(error)) from None


def columns_of_frame(model: Any) -> TableColumns | None:
    """Return the TableColumns of the data frame that an SVC was fitted on, if it was one."""
    names = getattr(model, "feature_names_in_", None)
    return None if names is None else TableColumns(list(map(str, names)), len(names))
