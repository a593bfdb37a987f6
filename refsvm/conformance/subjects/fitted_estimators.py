"""What a fitted estimator answers: decisions, predictions, attributes, and whether they last.

The decisions are asked for once more after a second fit, after another model's fit, of rows alone,
and of the model saved and loaded. Where a second fit has another answer, a new object is fitted,
too: an estimator that draws at random keeps nothing of its first fit.

Two fits at once must not share what they should not. While one thread fits and decides, another
fits the same examples with the classes exchanged, so that what one leaves behind misleads the
other. A program whose threads can be counted is run with two of them, too. What comes back is
compared with the answer of a fit that was alone.

    attributes   support, support_vectors, n_support, dual_coef .. without their underscore
    beta         alpha_i y_i of each example, from support and dual_coef
"""

from __future__ import annotations

import pickle
import sys
import warnings
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any, NamedTuple

from ...numerics.types import Label
from ..protocol import Answer, Request
from ..protocol.answer_reader import ATTRIBUTES, Fields, attributes, read_answer
from ..protocol.forms import form_named
from ..protocol.plain_values import (
    RAISED,
    Malformed,
    Unsupported,
    numbers,
    place_of,
    plain,
    reading,
    sentence_of,
    text_of,
)
from ..protocol.refusals import FITS, names_copy, refused_thing

REFUSALS = (ValueError, TypeError)  # if their sentences are, see refusals.py
ALONE = 3  # rows, at least, that are asked about alone, too
ROUNDS = 8  # fits of each thread
SWITCH_INTERVAL = 1e-5  # seconds between changes of thread: within a fit, not after it
THREADS = ("threads", "n_jobs", "n_threads", "num_threads", "nthread")


def answer_or_error(work: Callable[[], Fields], request: Request) -> Answer:
    """Return the Answer of the fields that some work gives, exceptions included."""
    fields: Fields
    try:
        fields = work()
    except Unsupported as reason:
        fields = {"unsupported": text_of(reason) or type(reason).__name__}
    except Malformed as reason:
        fields = {"malformed": text_of(reason)}
    except NotImplementedError as error:
        says_what = refused_thing(sentence_of(error)) is not None
        fields = {"unsupported" if says_what else "crashed": sentence_of(error)}
        fields["place"] = place_of(error)
    except REFUSALS as error:
        fields = {"refused": sentence_of(error), "place": place_of(error)}
    except Exception as error:
        fields = {"crashed": sentence_of(error), "place": place_of(error)}
    return read_answer(fields, request)


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
    found = _attributes_of(model, request)
    fields: Fields = {
        "decisions": decisions,
        "predictions": model.predict(rows) if predicts and not values else None,
        "status": status_of(model),
        "attributes": found,
        **_model_parts(found, request),
    }
    if several:
        fields["scores"] = decide(model, rows)
    if request.extras and decisions is not None:
        fields["one_by_one"] = _decide_one_by_one(model, rows, values)
        fields["reloaded"] = _decide_reloaded(model, rows, decisions, values)
    return fields


def fit_again(first: object, request: Request, arguments: Arguments, decisions: Any) -> Fields:
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
            arguments.fit(model, y=arguments.give(exchanged_labels(request.y)))
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
        if is_other(fields["refitted"], decisions):
            model = make()
            arguments.fit(model)
            fields["repeated"] = decide(model, rows, values)
    return fields


def exchanged_labels(y: Sequence[Label]) -> list[Label]:
    """Return the labels with the classes exchanged."""
    classes = sorted(set(y))
    return [classes[-1 - classes.index(label)] for label in y]


def refuses_second_fit(sentence: str) -> bool:
    """Return whether a refusal speaks of fits: then it is meant, and no accident of the second."""
    return refused_thing(sentence, [FITS]) is not None


def is_other(one: Any, other: object) -> bool:
    """Return whether two lists or arrays differ in any bit, or cannot be read."""
    try:
        with reading("it"):
            return bool(plain("it", one) != plain("it", other))
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


def _decide_one_by_one(model: object, rows: Any, values: bool) -> list[tuple[int, Any]] | str:
    """Return [(number, decision), ..] of some rows, each asked about alone; or a sentence."""
    some = range(0, len(rows), max(1, len(rows) // ALONE))
    alone = [(k, decide(model, rows[k : k + 1], values)) for k in some]
    try:
        with reading("decisions"):
            return [(k, numbers("decisions", plain("decisions", f), 1)[0]) for k, f in alone]
    except Malformed as why:
        return f"of a row alone {why}"


def _decide_reloaded(model: object, rows: Any, decisions: Any, values: bool) -> Any:
    """Return the decisions after pickling; None for a class that says that it cannot be pickled.

    Also None where the model itself, asked twice, has not the same bits. A sentence where anything
    else is raised.
    """
    try:
        reloaded = decide(pickle.loads(pickle.dumps(model)), rows, values)
    except RAISED as error:
        sentence = sentence_of(error)
        return None if names_copy(sentence) else f"saved and loaded, it raises {sentence}"
    if is_other(reloaded, decisions) and is_other(decide(model, rows, values), decisions):
        return None
    return reloaded


# ---- attributes


def _attributes_of(model: object, request: Request) -> Fields:
    """Return scikit-learn's attributes of a fitted machine, as far as it has them."""
    with reading("attributes"):
        values = {name: _attribute_of(model, name + "_") for name in ATTRIBUTES}
    return attributes("attributes", values, request)


def _attribute_of(model: object, name: str) -> Any:
    """Return an attribute; None if there is none, as of a w where the kernel has none."""
    try:
        return getattr(model, name, None)
    except NotImplementedError:
        return None


def _model_parts(attributes: Fields, request: Request) -> Fields:
    """Return b, beta and w, as far as the attributes have them."""
    parts = {}
    intercept, coef = attributes.get("intercept"), attributes.get("coef")
    for name, values in (
        ("b", intercept),
        ("radius2", attributes.get("radius2") if request.form == "svdd" else None),
        ("rho", attributes.get("offset") if request.form == "one_class" else None),
        ("epsilon", attributes.get("epsilon") if request.form == "nu_svr" else None),
    ):
        if values not in (None, []):
            parts[name] = values[0] if isinstance(values, list) else values
    if coef and request.kernel["name"] == "linear":
        parts["w"] = coef[0]
    beta = beta_of(attributes, request)
    if beta is not None:
        parts["beta"] = beta
    return parts


def beta_of(attributes: Fields, request: Request) -> list[float] | None:
    """Return beta of each example; None unless support names the rows of dual_coef rightly."""
    support, coefs = attributes.get("support"), attributes.get("dual_coef")
    if support is None or not coefs or not has_right_support(attributes, request):
        return None
    beta = [0.0] * len(request.X)
    for i, coef in zip(support, coefs[0]):
        beta[i] = coef
    return beta


def has_right_support(attributes: Fields, request: Request) -> bool:
    """Return whether the rows that support names are support_vectors.

    True if those are not there, or are no rows of this width.
    """
    support, vectors = attributes.get("support"), attributes.get("support_vectors")
    if not all(0 <= i < len(request.X) for i in support or ()):
        return False
    if support is None or not vectors or request.kernel["name"] == "precomputed":
        return True
    if wrong_width(attributes, request):
        return True
    return bool([request.X[i] for i in support] == vectors)


def wrong_width(attributes: Fields, request: Request) -> str | None:
    """Return a sentence about support vectors that are not as wide as the rows; else None."""
    width, vectors = len(request.X[0]), attributes.get("support_vectors")
    if not vectors or request.kernel["name"] == "precomputed" or len(vectors[0]) == width:
        return None
    return f"support_vectors_ have {len(vectors[0])} features; the rows have {width}"


def status_of(model: object) -> str | None:
    """Return "optimal" or "not optimal" where the estimator says so."""
    with reading("fit_status_"):
        status = getattr(model, "fit_status_", None)
    return None if status is None else "optimal" if status == 0 else "not optimal"


# ---- threads


def answer_with_threads(train: Callable[[Request], Fields], request: Request) -> Fields:
    """Return train(request); its `threaded` holds what threads decide, if they are asked for."""
    answer = train(request._replace(threads=None))
    if request.threads is None or answer.get("decisions") is None:
        return answer
    plain = request._replace(extras=False)
    alone = plain._replace(threads=None)
    start, usual = Barrier(2), sys.getswitchinterval()

    def repeat(asked: Request) -> list[Fields]:
        start.wait()
        return [train(asked) for _ in range(ROUNDS)]

    sys.setswitchinterval(SWITCH_INTERVAL)  # so that they take turns within a fit, which is short
    try:
        with ThreadPoolExecutor(2) as threads:
            exchanged = alone._replace(y=exchanged_labels(alone.y))
            answers, _ = threads.map(repeat, (alone, exchanged))
        sys.setswitchinterval(usual)
        answers.append(train(plain))
    except RAISED as error:
        return {**answer, "threaded": sentence_of(error)}
    finally:
        sys.setswitchinterval(usual)
    return {**answer, "threaded": [each.get("decisions") for each in answers]}
