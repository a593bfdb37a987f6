"""What can be audited: each subject takes a Request and gives an Answer.

Estimator        a class or an instance with scikit-learn's constructor, fit, decision_function
ProblemFunction  problem -> decision function, or Solution, Model, or a dict of Answer's fields
GivenAnswer      (w, b), (beta, b) or a LIBSVM model file: an answer that is there already
CommandLine      a program: reads a line of JSON for each problem, writes a line

    estimator_adapter               an estimator, by scikit-learn's names
    histories, fitted_estimators    what is done before its fit, what is read after it
    array_forms                     in which arrays it is given its rows
    named_subjects                  by which name, and which machine it is
"""

from __future__ import annotations

import os
import shlex
import shutil
import sys
import warnings
from collections.abc import Callable
from contextlib import suppress
from functools import cached_property
from importlib import metadata
from inspect import isclass
from math import inf
from typing import Any, Union

from ...files import no_name_of_file
from ...files.matching import match_rows, net_multipliers
from ...files.models import read_model, same_width
from ...kernels.standard import Linear
from ...numerics.quoting import quote, shell_words
from ...numerics.validation import one_of
from ...svm.training_problem import TrainingProblem
from ..protocol import NOT_PREDICTED, Answer, Request, problem_from_request
from ..protocol.answer_reader import READERS, Fields
from ..protocol.forms import bounds_of, form_named, form_of_problem, labels_of
from ..protocol.plain_values import Malformed, number, one_line, plain, reading
from ..protocol.plain_values import Unsupported as Unsupported  # for a function to raise
from .estimator_adapter import Estimator, messages, name_of, parameters_of, threads_for
from .fitted_estimators import answer_or_error, answer_with_threads


class ProblemFunction:
    """A function of a Problem; if it has the parameters tol, max_iter, threads, they are given."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self.name = name_of(function)

    @cached_property
    def accepted(self) -> set[str]:
        """The names of the function's parameters, read once."""
        return parameters_of(self.function)

    def answer(self, request: Request) -> Answer:
        """Call it, and ask what it returned about the rows."""
        return answer_or_error(lambda: answer_with_threads(self.train, request), request)

    def train(self, request: Request) -> Fields:
        """Call it, in this thread; exceptions are the caller's."""
        problem, accepted = problem_from_request(request), self.accepted
        options = threads_for(request, accepted)
        for name in ("tol", "max_iter"):
            value = getattr(request, name)
            if value is not None and name in accepted:
                options[name] = value
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            result = self.function(problem, **options)
        fields = _fields_of_result(result, request)
        given = problem.X, labels_of(problem), bounds_of(problem)
        same = given == (request.X, request.y, request.C)
        changed = None if same else "problem"
        return {"warnings": messages(caught), **fields, "changed": changed}


def _fields_of_result(result: object, request: Request) -> Fields:
    """Return the fields of what a function returned: a dict, a Solution, a model, a function.

    In a dict, decisions and predictions may be functions of a row. Predictions alone may be about
    the examples, for the function is not given other rows.
    """
    if isinstance(result, dict):
        fields = {
            name: [value(row) for row in request.rows]
            if name in ("decisions", "predictions") and callable(value)
            else value
            for name, value in result.items()
        }
        is_alone = set(fields) == {"predictions"}
        return _of_all_rows(fields["predictions"], request) if is_alone else fields
    parts: Fields = {}
    with reading("what the function returned"):
        if hasattr(result, "alpha") and hasattr(result, "b"):
            parts = {"alpha": result.alpha, "b": result.b}
            parts["status"] = getattr(result, "status", None)
            offsets = getattr(result, "offsets", None)
            for name in ("rho", "epsilon", "radius2"):
                interval = getattr(offsets, name, None)
                parts[name] = getattr(interval, "value", interval)
            if hasattr(result, "problem") and hasattr(result, "model"):
                result = result.model()
        decide = _method_of(result, "decision_function", "decisions")
        predict = _method_of(result, "predict")
    if decide is not None:
        return {"decisions": decide(request.rows), **parts}
    if callable(result):
        return {"decisions": [result(row) for row in request.rows], **parts}
    if predict is not None and not parts:
        return {"predictions": predict(request.rows)}
    if not parts:
        shown = quote(result)
        raise Malformed(f"the function returned {shown}; a decision function is needed")
    return parts


def _of_all_rows(predictions: Any, request: Request) -> Fields:
    """Return labels of the examples as labels of the rows, which begin with the examples."""
    form, n = form_named(request.form), len(request.y)
    if form is not None and form.answers == "values":
        return {"predictions": predictions}
    with reading("predictions"):
        labels = plain("predictions", predictions)
    if isinstance(labels, list) and len(labels) == n != len(request.rows):
        known = labels if request.rows[:n] == request.X else []
        labels = [*known, *[NOT_PREDICTED] * (len(request.rows) - len(known))]
    return {"predictions": labels}


def _method_of(result: object, *names: str) -> Callable[[Any], Any] | None:
    """Return the first of these methods that an object has."""
    methods = (getattr(result, name, None) for name in names)
    return next((method for method in methods if callable(method)), None)


class GivenAnswer:
    """An answer that is there already: its fields, or what makes them for the rows asked about."""

    def __init__(self, name: str, given: Fields | Callable[[Request], Fields]) -> None:
        self.name, self.given = name, given

    def answer(self, request: Request) -> Answer:
        """Return the answer, whatever was asked."""
        given = self.given
        return answer_or_error(lambda: given(request) if callable(given) else given, request)


def _answer_of_file(path: os.PathLike[str], problem: TrainingProblem) -> GivenAnswer:
    """Return the answer in a LIBSVM model file of one machine.

    Of two classes y = +1 is the larger, as in SVC.
    """
    model, X = same_width(read_model(path), problem.X)
    y, form = labels_of(problem), form_of_problem(problem)
    classifies = form is None or form.answers == "classes"
    if classifies != hasattr(model, "classes"):
        words = "C-SVC" if form is None else form.words
        raise ValueError(f"{path} is no model of {words}, which the problem is of")
    if classifies and len(model.classes) != 2:
        raise ValueError(f"{path} has {len(model.classes)} classes; two are needed")

    def fields(request: Request) -> Fields:
        """Find the file's vectors among the rows; ValueError if one is not there."""
        width = len(X[0])
        rows = [[*row, *[0.0] * (width - len(row))] for row in request.rows]
        if not classifies:
            values = y if form is not None and form.answers == "values" else []
            beta = net_multipliers(model, X, values)
            return {"decisions": model.decisions(rows), "beta": beta, "b": model.b}
        low, high = sorted(model.classes)
        sign = 1 if model.classes[0] == high else -1
        beta = [0.0] * len(y)
        found = match_rows(model, X, [high if label > 0 else low for label in y])
        for i, coef in zip(found, model.coefs[0]):
            beta[i] = sign * coef
        decisions = [sign * model.pair_decisions(row)[0] for row in rows]
        return {"decisions": decisions, "beta": beta, "b": sign * model.offsets[0]}

    return GivenAnswer(os.fspath(path), fields)


class CommandLine:
    """A program; workers.py reads and writes its lines.

    It is started in another folder, so words that name files here are made absolute; of a word
    name=file that is the part behind the sign.
    """

    def __init__(self, words: list[str]) -> None:
        self.name = shell_words(words)
        self.command = [_program_path(words[0]), *map(_with_absolute_path, words[1:])]


def words_of(line: str) -> list[str]:
    """Return the words of a command line, as a shell splits it."""
    try:
        words = shlex.split(line)
    except ValueError as error:
        raise ValueError(f"subject is {quote(line)}; no command line: {error}") from None
    if not words:
        raise ValueError(f"subject is {quote(line)}; a command line has a word at least")
    return words


def _program_path(word: str) -> str:
    """Return the path of a program; ValueError if there is none."""
    why = no_name_of_file(word)
    if why:
        raise ValueError(f"subject is {quote(word)}; {why}")
    path = shutil.which(word)
    if path is not None:
        return os.path.abspath(path)
    if os.path.isfile(word) and os.path.dirname(word):
        raise ValueError(f"subject is {quote(word)}, a file that may not be run (chmod +x)")
    raise ValueError(
        f"subject is {quote(word)}; there is no such program (an estimator or a function is"
        " written module:Name, or file.py:Name)"
    )


def _with_absolute_path(word: str) -> str:
    """Return a word of a command line whose file, if it names one, is found from any folder."""
    why = no_name_of_file(word)
    if why:
        raise ValueError(f"no program can be given the word {quote(word)}; {why}")
    name, sign, path = word.rpartition("=")
    return name + sign + os.path.abspath(path) if path and os.path.exists(path) else word


Subject = Union[Estimator, ProblemFunction, GivenAnswer, CommandLine]


def as_subject(subject: object, problem: TrainingProblem | None = None) -> Subject:
    """Return the subject that is meant; TypeError if it is none.

    >>> as_subject([sys.executable, "--version"]).command[1:]
    ['--version']
    """
    if isinstance(subject, (Estimator, ProblemFunction, GivenAnswer, CommandLine)):
        return subject
    is_pair = isinstance(subject, tuple) and len(subject) == 2  # numbers, number
    if is_pair or isinstance(subject, (os.PathLike, dict)):
        return _answer_subject(subject, problem)
    if isinstance(subject, str):
        return CommandLine(words_of(subject))
    if isinstance(subject, list) and subject and all(isinstance(s, str) for s in subject):
        return CommandLine(subject)
    with suppress(Exception):  # of an object whose attributes raise
        if hasattr(subject, "fit"):
            return Estimator(subject)
        if callable(subject):
            return ProblemFunction(subject)
    raise TypeError(
        f"subject is {quote(subject)}; an estimator, a function of a problem, (w, b),"
        " (beta, b), the path of a model file or a command line is needed"
    )


def _answer_subject(subject: Any, problem: TrainingProblem | None) -> GivenAnswer:
    """Return the subject of (w, b), (beta, b), a dict of Answer's fields, or a path."""
    if problem is None:
        shown = quote(subject)
        raise TypeError(f"problem is None; {shown} is an answer, and needs its problem")
    if isinstance(subject, os.PathLike):
        return _answer_of_file(subject, problem)
    if isinstance(subject, dict):
        for name in subject:
            one_of(name, READERS, "a key of subject")
        return GivenAnswer("the given answer", subject)
    try:
        with reading("subject"):
            numbers, b = plain("subject[0]", subject[0]), plain("subject[1]", subject[1])
    except Malformed as error:
        raise TypeError(str(error)) from None
    if not isinstance(numbers, list):
        raise TypeError(f"subject[0] is {quote(numbers)}; a list of numbers is needed")
    width = len(problem.X[0]) if type(problem.kernel) is Linear else None
    if len(numbers) not in (width, problem.n):
        right = f"{width} weights or {problem.n}" if width else problem.n
        raise ValueError(f"subject[0] has length {len(numbers)}; {right} multipliers are needed")
    if len(numbers) == width == problem.n:
        raise ValueError(
            f"subject[0] has length {width}, which is both the number of features and of examples;"
            " say {'w': .., 'b': ..} or {'beta': .., 'b': ..}"
        )
    name = "w" if len(numbers) == width else "beta"
    return GivenAnswer(f"the given {name} and b", {name: numbers, "b": b})


def has_decisions(subject: Subject) -> bool:
    """Return whether it is an answer that holds decisions: those about the examples."""
    given = subject.given if isinstance(subject, GivenAnswer) else {}
    return not callable(given) and given.get("decisions") is not None


def stated_tol(subject: Subject, tol: float) -> float | None:
    """Return the tolerance that a subject is given, or has itself; None if it has none."""
    if isinstance(subject, Estimator) and not isclass(subject.subject):
        return _own_tol(subject.subject)
    takes = isinstance(subject, (Estimator, ProblemFunction)) and "tol" in subject.accepted
    return tol if takes else None


def _own_tol(instance: Any) -> float | None:
    """Return the tolerance of an estimator; None if it has none that is a number above 0."""
    try:
        with reading("tol"):
            tol = number("tol", plain("tol", getattr(instance, "tol", None)))
    except Malformed:
        return None
    return float(tol) if 0 < tol < inf else None


def name_with_version(subject: Any) -> str:
    """Return the name of a subject, with the version of the package it is from."""
    name = as_subject(subject).name
    package = name.partition(":")[0].partition(".")[0]
    version = _version_of(package)
    return one_line(f"{name}, {package} {version}" if isinstance(version, str) else name)


def _version_of(package: str) -> str | None:
    """Return the version that was installed, else what the package says of itself; or None."""
    try:
        return metadata.version(metadata.packages_distributions()[package][0])
    except (AttributeError, LookupError, ImportError):
        return getattr(sys.modules.get(package), "__version__", None)  # Python 3.9: always
