"""What is done with an estimator before it is fitted as asked, and after: nothing may be left.

A history is a list of steps [verb, change]. A change is a dict of what is other in this step than
in the Request: other rows, labels, penalties, another kernel.

    fit         the same object gets these parameters, is fitted and decides
    make        an object made with these parameters gets those of the Request, and takes its place
    overwrite   the same as fit, and then the arrays that it was given are overwritten
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
from typing import Any, Protocol

from ..protocol import Request
from ..protocol.plain_values import Unsupported, sentence_of, text_of
from ..protocol.refusals import names_copy
from .fitted_estimators import Arguments, decide


class Maker(Protocol):
    """What makes the objects, and what they are given: an Estimator."""

    def make(self, request: Request) -> Any:
        """Return a new object."""

    def parameters(self, request: Request) -> dict[str, Any]:
        """Return the constructor's parameters that a request sets."""

    def arguments(self, request: Request) -> Arguments:
        """Return what fit and decision_function are given."""


def perform(
    steps: Any, estimator: Maker, model: Any, request: Request, arguments: Arguments
) -> Any:
    """Do what a history says; return the model, or the copy that has taken its place."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for verb, change in steps or ():
            model = STEPS[verb](estimator, model, request, arguments, change)
    return model


def refit(
    estimator: Maker, model: Any, request: Request, arguments: Arguments, change: Any
) -> Any:
    """Fit the same object otherwise, then give it the parameters that are asked for."""
    other = request._replace(**change)
    _set_parameters(estimator, model, other, request)
    _fit_and_decide(estimator, model, other)
    _set_parameters(estimator, model, request, other)
    return model


def _made_otherwise(
    estimator: Maker, model: Any, request: Request, arguments: Arguments, change: Any
) -> Any:
    """Return an object that was made with other parameters, and has those that are asked for."""
    other = request._replace(**change)
    model = estimator.make(other)
    _set_parameters(estimator, model, request, other)
    return model


def overwrite(
    estimator: Maker, model: Any, request: Request, arguments: Arguments, change: Any
) -> Any:
    """Fit the arrays of the fit to come while they hold other rows."""
    asked = arguments.give(request.X)
    fill(arguments.X, arguments.give(change["X"]))
    with suppress(Exception):
        arguments.fit(model)
        decide(model, arguments.rows)
    fill(arguments.X, asked)
    return model


def beside(
    estimator: Maker, model: Any, request: Request, arguments: Arguments, change: Any
) -> Any:
    """Fit another object, which lives as long as the model does."""
    other = request._replace(**change)
    companion = estimator.make(other)
    arguments.kept.append(companion)
    _fit_and_decide(estimator, companion, other)
    return model


def _ask_about(
    estimator: Maker, model: Any, request: Request, arguments: Arguments, change: Any
) -> Any:
    """Ask for decisions and predictions."""
    rows = arguments.give(change["rows"]) if change["rows"] else arguments.X[:0]
    with suppress(Exception):
        decide(model, rows)
        model.predict(rows)
    return model


def _replace_by_copy(
    estimator: Maker, model: Any, request: Request, arguments: Arguments, change: Any
) -> Any:
    """Return the copy; the original is fitted once more, to exchanged classes."""
    if change["by"] == "clone":
        _require_told(model, estimator.parameters(request))
    try:
        twin = COPIES[change["by"]](model)
    except Exception as error:
        if not names_copy(sentence_of(error)):
            raise
        raise Unsupported(f"no copy by {change['by']}: {text_of(error)}") from None
    classes = sorted(set(request.y))
    exchanged = [classes[-1 - classes.index(label)] for label in request.y]
    _fit_and_decide(estimator, model, request._replace(y=exchanged))
    return twin


STEPS: dict[str, Callable[..., Any]] = {
    "fit": refit,
    "make": _made_otherwise,
    "overwrite": overwrite,
    "beside": beside,
    "decide": _ask_about,
    "copy": _replace_by_copy,
}
COPIES: dict[str, Callable[[Any], Any]] = {
    "deepcopy": copy.deepcopy,
    "pickle": lambda model: pickle.loads(pickle.dumps(model)),
    "clone": lambda model: type(model)(**model.get_params(deep=False)),
}


def _fit_and_decide(estimator: Maker, model: Any, request: Request) -> None:
    """Fit and decide, whatever comes of it."""
    with suppress(Exception):
        arguments = estimator.arguments(request)
        arguments.fit(model)
        decide(model, arguments.rows)


def _set_parameters(estimator: Maker, model: Any, wanted: Request, before: Request) -> None:
    """Give an object the parameters of a Request; Unsupported if it cannot take others."""
    parameters, others = estimator.parameters(wanted), estimator.parameters(before)
    if parameters == others:
        return
    if not hasattr(model, "set_params") or not hasattr(model, "get_params"):
        raise Unsupported("parameters cannot be set after the first fit (set_params)")
    _require_told(model, {**others, **parameters})
    usual = estimator.make(wanted).get_params(deep=False)
    model.set_params(**{name: usual[name] for name in {**others, **parameters}})


def _require_told(model: Any, parameters: dict[str, Any]) -> None:
    """Raise Unsupported if get_params does not tell these, as behind **kwargs."""
    told = model.get_params(deep=False) if hasattr(model, "get_params") else parameters
    for name in sorted(set(parameters) - set(told)):
        raise Unsupported(f"get_params() does not tell {name}")


def fill(array: Any, values: Any) -> None:
    """Overwrite rows, where they stand."""
    for row, new in zip(array, values):
        row[:] = new
