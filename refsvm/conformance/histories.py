"""What is done with an estimator before it is fitted as asked, and after: nothing may be left.

A history is a list of steps [verb, change]. A change is a dict of what is other in this step than
in the Request: other rows, labels, penalties, another kernel.

    fit         the same object gets these parameters, is fitted and decides
    overwrite   the same, and then the arrays that it was given are overwritten
    beside      another object is fitted and decides
    decide      the object decides about other rows, and predicts
    copy        a copy takes its place (by "deepcopy", "pickle" or "clone"), and the object that
                was copied is fitted to the examples with their classes exchanged

What an estimator raises in a step is no matter; what it raises afterwards is.
"""

from __future__ import annotations

import copy
import pickle
import warnings
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from .fitted_estimators import Training, decide
from .plain_values import Unsupported, text_of
from .protocol import Request

if TYPE_CHECKING:
    from .estimator_adapter import Estimator

Step = tuple[str, Any]


def perform(
    steps: Any, estimator: Estimator, model: Any, request: Request, training: Training
) -> Any:
    """Do what a history says; return the model, or the copy that has taken its place."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for verb, change in steps or ():
            model = STEPS[verb](estimator, model, request, training, change)
    return model


def refit(
    estimator: Estimator, model: Any, request: Request, training: Training, change: Any
) -> Any:
    """Fit the same object otherwise, then give it the parameters that are asked for."""
    other = request._replace(**change)
    set_parameters(estimator, model, other, request)
    fit_and_decide(estimator, model, other)
    set_parameters(estimator, model, request, other)
    return model


def overwrite(
    estimator: Estimator, model: Any, request: Request, training: Training, change: Any
) -> Any:
    """Fit the arrays of the fit to come while they hold other rows."""
    asked = training.give(request.X)
    fill(training.X, training.give(change["X"]))
    with suppress(Exception):
        training.fit(model)
        decide(model, training.rows)
    fill(training.X, asked)
    return model


def beside(
    estimator: Estimator, model: Any, request: Request, training: Training, change: Any
) -> Any:
    """Fit another object, which lives as long as the model does."""
    other = request._replace(**change)
    companion = estimator.make(other)
    training.kept.append(companion)
    fit_and_decide(estimator, companion, other)
    return model


def ask_about(
    estimator: Estimator, model: Any, request: Request, training: Training, change: Any
) -> Any:
    """Ask for decisions and predictions."""
    rows = training.give(change["rows"])
    with suppress(Exception):
        decide(model, rows)
        model.predict(rows)
    return model


def replace_by_copy(
    estimator: Estimator, model: Any, request: Request, training: Training, change: Any
) -> Any:
    """Return the copy; the original is fitted once more, to exchanged classes."""
    try:
        twin = COPIES[change["by"]](model)
    except Exception as error:
        raise Unsupported(f"no copy by {change['by']}: {text_of(error)}") from None
    classes = sorted(set(request.y))
    exchanged = [classes[-1 - classes.index(label)] for label in request.y]
    fit_and_decide(estimator, model, request._replace(y=exchanged))
    return twin


STEPS: dict[str, Callable[..., Any]] = {
    "fit": refit,
    "overwrite": overwrite,
    "beside": beside,
    "decide": ask_about,
    "copy": replace_by_copy,
}
COPIES: dict[str, Callable[[Any], Any]] = {
    "deepcopy": copy.deepcopy,
    "pickle": lambda model: pickle.loads(pickle.dumps(model)),
    "clone": lambda model: type(model)(**model.get_params(deep=False)),
}


def fit_and_decide(estimator: Estimator, model: Any, request: Request) -> None:
    """Fit and decide, whatever comes of it."""
    with suppress(Exception):
        training = estimator.training(request)
        training.fit(model)
        decide(model, training.rows)


def set_parameters(estimator: Estimator, model: Any, wanted: Request, before: Request) -> None:
    """Give an object the parameters of a Request; Unsupported if it cannot take others."""
    parameters, others = estimator.parameters(wanted), estimator.parameters(before)
    if parameters == others:
        return
    if not hasattr(model, "set_params") or not hasattr(model, "get_params"):
        raise Unsupported("parameters cannot be set after the first fit (set_params)")
    usual = estimator.make(wanted).get_params(deep=False)
    model.set_params(**{name: usual[name] for name in {**others, **parameters}})


def fill(array: Any, values: Any) -> None:
    """Overwrite rows, where they stand."""
    for row, new in zip(array, values):
        row[:] = new
