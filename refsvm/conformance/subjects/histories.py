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
from typing import Any, NamedTuple

from ..protocol import Request
from ..protocol.plain_values import Unsupported, sentence_of, text_of
from ..protocol.refusals import names_copy
from .fitted_estimators import Arguments, decide, exchanged_labels


class History(NamedTuple):
    """Who is asked, for what, and what fit and decision_function are given.

    Each step takes the model and the change, and returns the model or what has taken its place.
    """

    estimator: Any  # an Estimator: it makes the objects, and what they are given
    request: Request
    arguments: Arguments

    def perform(self, steps: Any, model: Any) -> Any:
        """Do what a history says; return the model, or the copy that has taken its place."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for verb, change in steps or ():
                model = STEPS[verb](self, model, change)
        return model

    def refit(self, model: Any, change: Any) -> Any:
        """Fit the same object otherwise, then give it the parameters that are asked for."""
        other = self.request._replace(**change)
        self._set_parameters(model, other, self.request)
        self._fit_and_decide(model, other)
        self._set_parameters(model, self.request, other)
        return model

    def made_otherwise(self, model: Any, change: Any) -> Any:
        """Return an object made with other parameters, which gets those that are asked for."""
        other = self.request._replace(**change)
        model = self.estimator.make(other)
        self._set_parameters(model, self.request, other)
        return model

    def overwrite(self, model: Any, change: Any) -> Any:
        """Fit the arrays of the fit to come while they hold other rows."""
        arguments = self.arguments
        asked = arguments.give(self.request.X)
        _fill(arguments.X, arguments.give(change["X"]))
        with suppress(Exception):
            arguments.fit(model)
            decide(model, arguments.rows)
        _fill(arguments.X, asked)
        return model

    def beside(self, model: Any, change: Any) -> Any:
        """Fit another object, which lives as long as the model does."""
        other = self.request._replace(**change)
        companion = self.estimator.make(other)
        self.arguments.kept.append(companion)
        self._fit_and_decide(companion, other)
        return model

    def ask_about(self, model: Any, change: Any) -> Any:
        """Ask for decisions and predictions."""
        given = self.arguments
        rows = given.give(change["rows"]) if change["rows"] else given.X[:0]
        with suppress(Exception):
            decide(model, rows)
            model.predict(rows)
        return model

    def replace_by_copy(self, model: Any, change: Any) -> Any:
        """Return the copy; the original is fitted once more, to exchanged classes."""
        if change["by"] == "clone":
            _require_told(model, self.estimator.parameters(self.request))
        try:
            twin = COPIES[change["by"]](model)
        except Exception as error:
            if not names_copy(sentence_of(error)):
                raise
            raise Unsupported(f"no copy by {change['by']}: {text_of(error)}") from None
        exchanged = exchanged_labels(self.request.y)
        self._fit_and_decide(model, self.request._replace(y=exchanged))
        return twin

    def _fit_and_decide(self, model: Any, request: Request) -> None:
        """Fit and decide, whatever comes of it."""
        with suppress(Exception):
            arguments = self.estimator.arguments(request)
            arguments.fit(model)
            decide(model, arguments.rows)

    def _set_parameters(self, model: Any, wanted: Request, before: Request) -> None:
        """Give an object the parameters of a Request; Unsupported if it cannot take others."""
        parameters, others = map(self.estimator.parameters, (wanted, before))
        if parameters == others:
            return
        if not hasattr(model, "set_params") or not hasattr(model, "get_params"):
            raise Unsupported("parameters cannot be set after the first fit (set_params)")
        _require_told(model, {**others, **parameters})
        usual = self.estimator.make(wanted).get_params(deep=False)
        model.set_params(**{name: usual[name] for name in {**others, **parameters}})


STEPS: dict[str, Callable[[History, Any, Any], Any]] = {
    "fit": History.refit,
    "make": History.made_otherwise,
    "overwrite": History.overwrite,
    "beside": History.beside,
    "decide": History.ask_about,
    "copy": History.replace_by_copy,
}
COPIES: dict[str, Callable[[Any], Any]] = {
    "deepcopy": copy.deepcopy,
    "pickle": lambda model: pickle.loads(pickle.dumps(model)),
    "clone": lambda model: _clone(model),
}


def _clone(model: Any) -> Any:
    """Return a new object with the same parameters, as scikit-learn makes one."""
    if not hasattr(model, "get_params"):
        raise Unsupported("there is no get_params, by which a clone is made")
    return type(model)(**model.get_params(deep=False))


def _require_told(model: Any, parameters: dict[str, Any]) -> None:
    """Raise Unsupported if get_params does not tell these, as behind **kwargs."""
    told = model.get_params(deep=False) if hasattr(model, "get_params") else parameters
    for name in sorted(set(parameters) - set(told)):
        raise Unsupported(f"get_params() does not tell {name}")


def _fill(array: Any, values: Any) -> None:
    """Overwrite rows, where they stand."""
    for row, new in zip(array, values):
        row[:] = new
