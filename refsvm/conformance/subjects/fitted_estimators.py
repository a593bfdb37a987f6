"""What a fitted estimator answers: decisions, predictions, attributes, and whether they last.

The decisions are asked for once more after a second fit, after another model's fit, of rows alone,
and of the model saved and loaded. Where a second fit has another answer, a new object is fitted,
too: an estimator that draws at random keeps nothing of its first fit.
"""

from __future__ import annotations

import pickle
import warnings
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from ..protocol import Request
from ..protocol.answer_reader import Fields
from ..protocol.forms import form_named
from ..protocol.plain_values import Malformed, numbers, plain, reading, sentence_of
from ..protocol.refusals import FITS, names_copy, refused_thing
from .subject_attributes import attributes_of, model_parts, status_of

REFUSALS = (ValueError, TypeError)  # if their sentences are, see refusals.py
ALONE = 3  # rows, at least, that are asked about alone, too


class Arguments(NamedTuple):
    """What an estimator is given: new objects, the arrays, and how other values become arrays."""

    make: Callable[[], Any]
    give: Callable[[Any], Any]
    X: Any
    y: Any  # None of a machine that has none
    weights: dict[str, Any]  # fit's parameters beside X and y
    rows: Any
    kept: list[Any]  # what must live as long as the model does

    def fit(self, model: Any, X: Any = None, y: Any = None) -> None:
        """Fit a model to these rows and labels; None: to those that were asked about."""
        X, y = self.X if X is None else X, self.y if y is None else y
        model.fit(*([X] if y is None else [X, y]), **self.weights)


def fields_of_model(model: Any, request: Request, rows: Any) -> Fields:
    """Return the fields of a fitted estimator."""
    values = _predicts_values(request)
    several = len(set(request.y)) > 2 and not values
    decisions = None if several else decide(model, rows, values)
    predicts = hasattr(model, "predict") and not (request.brief and decisions is not None)
    found = attributes_of(model, request)
    fields: Fields = {
        "decisions": decisions,
        "predictions": model.predict(rows) if predicts and not values else None,
        "status": status_of(model),
        "attributes": found,
        **model_parts(found, request),
    }
    if several:
        fields["scores"] = decide(model, rows)
    if request.extras and decisions is not None:
        fields["one_by_one"] = _decide_one_by_one(model, rows, values)
        fields["reloaded"] = _decide_reloaded(model, rows, decisions, values)
    return fields


def fit_again(first: Any, request: Request, arguments: Arguments, decisions: Any) -> Fields:
    """Return the decisions of a model fitted with the classes exchanged, then fitted as asked.

    Also those of the first model, after that; and, if the second fit does not give the decisions
    that the first gave, those of one more new model. If extras is 2 then another model is fitted
    as asked, which was fitted to other rows before.
    """
    make, rows, values = arguments.make, arguments.rows, _predicts_values(request)
    model = make()
    fields: Fields = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if values or arguments.y is None:
            arguments.fit(model, arguments.give([[v / 2 for v in x] for x in request.X]))
        else:
            arguments.fit(model, y=arguments.give(_exchanged_labels(request.y)))
            fields["exchanged"] = decide(model, rows)
        if request.extras == 2:
            model = make()
            arguments.fit(model, arguments.give([[v * v + 1 for v in x] for x in request.X]))
        fields["after_other_fit"] = decide(first, rows, values)
        try:
            arguments.fit(model)
        except REFUSALS as error:
            if refuses_second_fit(sentence_of(error)):
                return fields
            raise
        fields["refitted"] = decide(model, rows, values)
        if _is_other(fields["refitted"], decisions):
            model = make()
            arguments.fit(model)
            fields["repeated"] = decide(model, rows, values)
    return fields


def _exchanged_labels(y: Sequence[Any]) -> list[Any]:
    """Return the labels with the classes exchanged."""
    classes = sorted(set(y))
    return [classes[-1 - classes.index(label)] for label in y]


def refuses_second_fit(sentence: str) -> bool:
    """Return whether a refusal speaks of fits: then it is meant, and no accident of the second."""
    return refused_thing(sentence, [FITS]) is not None


def _is_other(one: Any, other: Any) -> bool:
    """Return whether two lists or arrays of decisions differ in any bit, or cannot be read."""
    try:
        with reading("decisions"):
            return bool(plain("decisions", one) != plain("decisions", other))
    except Malformed:
        return True


def _predicts_values(request: Request) -> bool:
    """Return whether the machine predicts numbers: then these are its decisions."""
    form = form_named(request.form)
    return form is not None and form.answers == "values"


def decide(model: Any, rows: Any, values: bool = False) -> Any:
    """Return the decisions about rows, or the values; None where there are only labels."""
    if values:
        return model.predict(rows)
    return model.decision_function(rows) if hasattr(model, "decision_function") else None


def _decide_one_by_one(model: Any, rows: Any, values: bool) -> list[tuple[int, Any]] | str:
    """Return [(number, decision), ..] of some rows, each asked about alone; or a sentence."""
    some = range(0, len(rows), max(1, len(rows) // ALONE))
    alone = [(k, decide(model, rows[k : k + 1], values)) for k in some]
    try:
        with reading("decisions"):
            return [(k, numbers("decisions", plain("decisions", f), 1)[0]) for k, f in alone]
    except Malformed as why:
        return f"of a row alone {why}"


def _decide_reloaded(model: Any, rows: Any, decisions: Any, values: bool) -> Any:
    """Return the decisions after pickling; None for a class that says that it cannot be pickled.

    Also None where the model itself, asked twice, has not the same bits. A sentence where anything
    else is raised.
    """
    try:
        reloaded = decide(pickle.loads(pickle.dumps(model)), rows, values)
    except Exception as error:
        sentence = sentence_of(error)
        return None if names_copy(sentence) else f"saved and loaded, it raises {sentence}"
    if _is_other(reloaded, decisions) and _is_other(decide(model, rows, values), decisions):
        return None
    return reloaded
