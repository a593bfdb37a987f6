"""Estimators with scikit-learn's interface, asked as any other subject: a Request, then an Answer.

An estimator is given the problem by scikit-learn's names, as far as its constructor has them: C,
kernel, degree, gamma, coef0, tol, and loss, fit_intercept, alpha for those that have these
instead. What it lacks it cannot be asked; that is recorded, and is no failure.

**kwargs are no parameter, for a constructor that takes every name may do nothing with it. Behind
them are the names of a parent's constructor, if the object then keeps the value under that name. A
constructor that has nothing but **kwargs is tried: it takes what it keeps, as an attribute, in
get_params() or in a dict of its own; but for C the text of the class has to mention the name, too,
for what is kept may be used by nothing.

    X, y, C     rows, labels, penalties, one an example       beta    alpha_i y_i

Source: Pedregosa et al., Scikit-learn: Machine Learning in Python (2011), for the interface.
"""

from __future__ import annotations

import copy
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cached_property, partial
from inspect import Parameter, isclass, isfunction, signature
from itertools import islice
from math import inf
from types import CodeType
from typing import Any

from ...numerics.quoting import quote
from ...numerics.types import Number, VectorLike
from ..protocol import Answer, Request
from ..protocol.answer_reader import MOST_WARNINGS, Fields
from ..protocol.forms import form_named
from ..protocol.plain_values import RAISED, Unsupported, sentence_of, text_of
from ..protocol.refusals import WEIGHTS, refused_thing
from .array_forms import as_caller_has, in_form, labels_in_form, to_lists
from .fitted_estimators import (
    THREADS,
    Arguments,
    answer_or_error,
    answer_with_threads,
    fields_of_model,
    fit_again,
    is_other,
)
from .histories import History

# Warnings about a name that will change, not about what was computed:
ABOUT_NAMES = DeprecationWarning, FutureWarning, PendingDeprecationWarning
KERNEL_NAMES = {"polynomial": "poly", "gaussian": "rbf"}  # where scikit-learn's name is another
MISSING = object()
TRIED = {  # values that no constructor has by itself
    "C": 3.25,
    "epsilon": 0.15625,
    "nu": 0.28125,
    "kernel": "linear",
    "gamma": 0.8125,
    "degree": 5,
    "coef0": 0.4375,
    "tol": 0.00012,
    "max_iter": 7654,
    "fit_intercept": False,
    "loss": "hinge",
    "class_weight": {1: 1.5},
    "random_state": 1234,
}


class Estimator:
    """A class, made anew for each problem, or an instance, of which copies are made.

    A class is given tol; an instance keeps its own.
    """

    def __init__(self, subject: Any) -> None:
        self.subject = subject
        self.name = name_of(subject if isclass(subject) else type(subject))
        self.give: Callable[[Any], Any] | None = None  # how it is given values; None: not known

    @cached_property
    def accepted(self) -> set[str]:
        """The names of the constructor's parameters, read once."""
        return parameters_of(self.subject)

    @cached_property
    def takes_weights(self) -> bool:
        """Whether fit has the parameter sample_weight, or **kwargs in which it may stand."""
        return "sample_weight" in parameters_of(self.subject.fit) or self.may_take_weights

    @cached_property
    def may_take_weights(self) -> bool:
        """Whether fit has **kwargs, and no parameter sample_weight."""
        with suppress(Exception):
            fit = self.subject.fit
            return _takes_any_name(fit) and "sample_weight" not in _own_parameters(fit)
        return False

    def answer(self, request: Request) -> Answer:
        """Fit and decide, with lists in the place of arrays if arrays are not taken."""
        answer = self.answer_or_error(request)
        if self.give is not None or request.arrays is not None:
            return answer
        if _decides(answer):
            self.give = as_caller_has
        elif "numpy" in sys.modules:
            self.give = to_lists
            to_these = self.answer_or_error(request)
            if _decides(to_these):
                return to_these
            self.give = None
        return answer

    def answer_or_error(self, request: Request) -> Answer:
        """Return the Answer, exceptions included."""
        return answer_or_error(lambda: answer_with_threads(self.train, request), request)

    def train(self, request: Request) -> Fields:
        """Fit and decide, in this thread; exceptions are the caller's."""
        model, arguments = self.make(request), self.arguments(request)
        history = History(self, request, arguments)
        model = history.perform(request.before, model)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            self.fit(model, arguments)
        model = history.perform(request.after, model)
        fields = fields_of_model(model, request, arguments.rows)
        if request.extras:
            fields.update(fit_again(model, request, arguments, fields["decisions"]))
            fields["changed"] = self.changed(request, arguments)
        fields["warnings"] = messages(w for w in caught if not issubclass(w.category, ABOUT_NAMES))
        return fields

    def fit(self, model: object, arguments: Arguments) -> None:
        """Fit; Unsupported if **kwargs do not take weights."""
        try:
            arguments.fit(model)
        except TypeError as error:
            is_about_weights = refused_thing(sentence_of(error), [WEIGHTS]) is not None
            if arguments.weights and self.may_take_weights and is_about_weights:
                raise Unsupported("fit takes no sample_weight") from None
            raise

    def arguments(self, request: Request) -> Arguments:
        """Return what fit and decision_function are given."""
        give = self.give or as_caller_has
        weights = {name: give(each) for name, each in self.weights(request).items()}
        X, y, rows = _arrays_for(request, give)
        form = form_named(request.form)
        if form is not None and not form.is_labelled:
            y = None
        return Arguments(partial(self.make, request), give, X, y, weights, rows, [])

    def changed(self, request: Request, arguments: Arguments) -> str | None:
        """Return the name of an argument that is another one after it was given; None if none."""
        given = [("X", arguments.X, request.X), ("rows", arguments.rows, request.rows)]
        given += [] if arguments.y is None else [("y", arguments.y, request.y)]
        given += [(k, arguments.weights[k], each) for k, each in self.weights(request).items()]
        return next((k for k, array, before in given if is_other(array, before)), None)

    def make(self, request: Request) -> Any:
        """Return an estimator with the parameters that the request asks for."""
        self.needs_weights(request)
        wanted = self.parameters(request)
        if isclass(self.subject):
            return _require_kept(self.subject(**wanted), wanted, _own_parameters(self.subject))
        if hasattr(self.subject, "get_params"):
            return type(self.subject)(**{**self.subject.get_params(deep=False), **wanted})
        model = copy.deepcopy(self.subject)
        vars(model).update(wanted)
        return model

    def parameters(self, request: Request) -> dict[str, Any]:
        """Return the parameters that the request sets; of a class tol and random_state, too."""
        wanted = _parameters_for(request, self.accepted)
        if isclass(self.subject):
            more = {"random_state": 0, **({} if request.tol is None else {"tol": request.tol})}
            wanted.update({k: v for k, v in more.items() if k in self.accepted})
        return wanted

    def weights(self, request: Request) -> dict[str, Any]:
        """Return what fit is given beside X and y: the weights of the examples, if they differ."""
        if not self.needs_weights(request):
            return {}
        if _common_penalty(request.C) == 1 or not _has_penalty(request):
            return {"sample_weight": request.C}
        return {"sample_weight": [0.0 if c == 0 else 1.0 for c in request.C]}

    def needs_weights(self, request: Request) -> bool:
        """Return whether penalties differ; Unsupported if fit takes no weights then."""
        alike = set(request.C) if _has_penalty(request) else {1.0, *request.C}
        if len(alike) == 1 and len(request.C) == len(request.X):
            return False
        if not self.takes_weights:
            raise Unsupported("fit takes no sample_weight")
        return True


def _decides(answer: Answer) -> bool:
    """Return whether an answer has decisions, or predictions in their place."""
    return answer.decisions is not None or answer.predictions is not None


def messages(caught: Iterable[warnings.WarningMessage]) -> list[str]:
    """Return the first few warnings as text, each behind the name of its category."""
    return [f"{w.category.__name__}: {text_of(w.message)}" for w in islice(caught, MOST_WARNINGS)]


# ---- parameters


def name_of(thing: Any) -> str:
    """Return module:Name, as the command line takes it."""
    try:
        return f"{thing.__module__}:{getattr(thing, '__qualname__', type(thing).__qualname__)}"
    except RAISED:
        return quote(thing)


def parameters_of(callable_or_instance: Any) -> set[str]:
    """Return the names of the parameters; none where they cannot be known, as of some C code."""
    with suppress(*RAISED):  # the subject's own included
        if hasattr(callable_or_instance, "get_params") and not isclass(callable_or_instance):
            return set(callable_or_instance.get_params(deep=False))
        if not callable(callable_or_instance):
            return set(vars(callable_or_instance))
        if isclass(callable_or_instance):
            return constructor_names(callable_or_instance)
        return _own_parameters(callable_or_instance)
    return set()


def _require_kept(model: object, given: dict[str, Any], own: set[str]) -> Any:
    """Return the model; Unsupported if it does not keep what was given by **kwargs."""
    for name in sorted(set(given) - own):
        kept = _kept_value(model, name)
        if kept is not given[name] and kept != given[name]:  # a NaN is not equal to itself
            raise Unsupported(f"the constructor has no {name}")
    return model


def _common_penalty(C: VectorLike) -> Number:
    """Return the penalty of all the examples that weigh anything, or 1 if they differ."""
    if len(set(C)) == 1:
        return C[0]
    penalties = {c for c in C if c != 0}
    return penalties.pop() if len(penalties) == 1 and min(C) == 0 else 1.0


def _has_penalty(request: Request) -> bool:
    """Return whether the machine that is asked for has a C."""
    form = form_named(request.form)
    return form is None or form.has_C


def _parameters_for(request: Request, accepted: set[str]) -> dict[str, Any]:
    """Return the constructor's arguments for a Request; Unsupported if it lacks one of them."""
    kernel = dict(request.kernel)
    name = kernel.pop("name")
    wanted: dict[str, Any] = {}
    if "kernel" in accepted:
        wanted.update(kernel=KERNEL_NAMES.get(name, name), **kernel)
    elif name != "linear":
        raise Unsupported("the constructor has no kernel")
    C = _common_penalty(request.C)
    own = {"epsilon": request.epsilon, "nu": request.nu}
    wanted.update({name: value for name, value in own.items() if value is not None})
    if not _has_penalty(request):
        pass
    elif "C" in accepted:
        wanted["C"] = C
    elif "alpha" in accepted:  # the weight of 1/2 |w|^2 against a mean loss
        wanted["alpha"] = 0.0 if C == inf else 1 / (len(request.X) * C)
    else:
        raise Unsupported("the constructor has no C")
    if request.class_weight is not None:
        given = request.class_weight
        wanted["class_weight"] = given if isinstance(given, str) else dict(map(tuple, given))
    if request.max_iter is not None:
        wanted["max_iter"] = request.max_iter
    if request.pairs:
        wanted["decision_function_shape"] = "ovo"
    wanted.update(threads_for(request, accepted))
    wanted.update(request.settings or {})
    if request.bias is False:
        wanted["fit_intercept"] = False
    if request.epsilon is not None and "loss" in accepted:
        wanted["loss"] = "epsilon_insensitive"
    if request.slack is not None and ("loss" in accepted or request.slack != "hinge"):
        wanted["loss"] = "squared_hinge" if request.slack == "squared" else request.slack
    for word in sorted(set(wanted) - accepted):
        raise Unsupported(f"the constructor has no {word}")
    return wanted


def threads_for(request: Request, accepted: set[str]) -> dict[str, Any]:
    """Return the setting of the program's own threads, if asked for and if it has one."""
    names = [name for name in THREADS if request.threads is not None and name in accepted]
    return dict.fromkeys(names[:1], request.threads)


def _arrays_for(request: Request, give: Callable[[Any], Any]) -> tuple[Any, Any, Any]:
    """Return X, y, rows as fit and decision_function are given them."""
    form = request.arrays or {}
    rows = give(request.rows) if request.rows else give(request.X)[:0]  # also where it is none
    try:
        return (
            in_form(request.X, form["X"]) if "X" in form else give(request.X),
            labels_in_form(request.y, form["y"]) if "y" in form else give(request.y),
            in_form(request.rows, form["rows"]) if "rows" in form else rows,
        )
    except LookupError as missing:
        raise Unsupported(f"{missing} is not loaded") from None


# ---- the names that a constructor takes


def _own_parameters(function: Any) -> set[str]:
    """Return the names that the signature has, without *args and **kwargs."""
    several = (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)
    parameters = signature(function).parameters.values()
    return {p.name for p in parameters if p.kind not in several}


def _takes_any_name(function: Any) -> bool:
    """Return whether the signature has **kwargs."""
    kinds = {p.kind for p in signature(function).parameters.values()}
    return Parameter.VAR_KEYWORD in kinds


def constructor_names(subject: type) -> set[str]:
    """Return the names that a constructor takes."""
    names: set[str] = set()
    for cls in subject.__mro__[:-1]:
        if cls is subject or "__init__" in vars(cls):
            names |= _own_parameters(cls)
            if not _takes_any_name(cls):
                return names - set(_dropped_names(subject, names))
    return names - set(_dropped_names(subject, names)) or set(_kept_names(subject))


def _dropped_names(subject: type, names: set[str]) -> Iterator[str]:
    """Yield those of a parent's names that **kwargs take and the object does not keep."""
    for name in sorted((names & set(TRIED)) - _own_parameters(subject)):
        with suppress(*RAISED):
            if _kept_value(subject(**{name: TRIED[name]}), name) != TRIED[name]:
                yield name


def _kept_names(subject: type) -> Iterator[str]:
    """Yield the names that a constructor with nothing but **kwargs keeps, and may use."""
    for name, value in TRIED.items():
        if name == "C" or _is_mentioned(subject, name):
            with suppress(*RAISED):
                if _kept_value(subject(**{name: value}), name) == value:
                    yield name


def _kept_value(model: object, name: str) -> Any:
    """Return what an object has under this name; MISSING if it has nothing."""
    if hasattr(model, name):
        return getattr(model, name)
    places = [model.get_params()] if hasattr(model, "get_params") else []
    places += [value for value in vars(model).values() if isinstance(value, dict)]
    return next((place[name] for place in places if name in place), MISSING)


def _is_mentioned(subject: type, name: str) -> bool:
    """Return whether a function of the class, or of its parents, has this name or string."""
    functions = [f for cls in subject.__mro__[:-1] for f in vars(cls).values() if isfunction(f)]
    return any(name in _words_of(function.__code__) for function in functions)


def _words_of(code: CodeType) -> set[object]:
    """Return the names and the strings in the code of a function, and of those inside it."""
    words: set[object] = {*code.co_names, *(c for c in code.co_consts if isinstance(c, str))}
    for inside in code.co_consts:
        if isinstance(inside, CodeType):
            words |= _words_of(inside)
    return words
