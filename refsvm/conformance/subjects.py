"""What can be audited: each subject takes a Request and gives an Answer.

Estimator        a class or an instance with scikit-learn's constructor, fit, decision_function
ProblemFunction  problem -> decision function, or Solution, Model, or a dict of Answer's fields
GivenAnswer      (w, b) or (beta, b): an answer that is there already
ModelFile        the path of a LIBSVM model file: the same
CommandLine      a program: reads a line of JSON for each problem, writes a line
"""

from __future__ import annotations

import os
import re
import shlex
import sys
import warnings
from collections.abc import Callable
from functools import cached_property
from importlib import import_module
from inspect import isclass
from typing import Any, Union

from ..files.matching import match_rows
from ..files.models import read_model, same_width
from ..kernels.standard import Linear
from ..svm.problem import Problem
from .array_forms import to_floats, to_lists
from .estimator_adapter import (
    Estimator,
    accepts,
    answer_or_error,
    name_of,
    parameters_of,
    threads_for,
)
from .estimator_adapter import Unsupported as Unsupported  # for a function to raise, too
from .protocol import Answer, Request, problem_from_request
from .thread_safety import answer_with_threads

PYTHON_NAME = re.compile(r"\w+(\.\w+)*:\w+(\.\w+)*")


class ProblemFunction:
    """A function of a Problem; if it has the parameters tol, max_iter, threads, they are given."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self.name = name_of(function)

    @cached_property
    def accepted(self) -> set[str | None]:
        """The names of the function's parameters, read once."""
        return parameters_of(self.function)

    def answer(self, request: Request) -> Answer:
        """Call it, and ask what it returned about the rows."""
        return answer_or_error(lambda: answer_with_threads(self.train, request))

    def train(self, request: Request) -> Answer:
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
        if isinstance(result, dict):
            answer = Answer(**result)
        else:
            answer = answer_of_result(result, request)
        same = (problem.X, problem.y, problem.C) == (request.X, request.y, request.C)
        return answer._replace(
            warnings=[str(w.message) for w in caught], changed=None if same else "problem"
        )


def answer_of_result(result: Any, request: Request) -> Answer:
    """Return the Answer of what a function returned: a Solution, a model, a function of a row."""
    parts: dict[str, Any] = {}
    if hasattr(result, "alpha") and hasattr(result, "b"):
        parts = {"alpha": to_floats(result.alpha), "b": float(result.b)}
        parts["status"] = getattr(result, "status", None)
        result = result.model() if hasattr(result, "problem") else None
    for name in ("decision_function", "decisions"):
        if hasattr(result, name):
            return Answer(decisions=to_floats(getattr(result, name)(request.rows)), **parts)
    if callable(result):
        return Answer(decisions=to_floats([result(row) for row in request.rows]), **parts)
    if not parts:
        raise TypeError(f"the function returned {result!r}; a decision function is needed")
    return Answer(**parts)


class GivenAnswer:
    """An answer that is there already."""

    def __init__(self, name: str, given: Answer) -> None:
        self.name, self.given = name, given

    def answer(self, request: Request) -> Answer:
        """Return the answer, whatever was asked."""
        return self.given


class ModelFile:
    """A LIBSVM model file of two classes; y = +1 is the larger label, as in SVC."""

    def __init__(self, path: os.PathLike[str], problem: Problem) -> None:
        self.name, self.y = os.fspath(path), problem.y
        self.model, self.X = same_width(read_model(path), problem.X)
        if len(self.model.classes) != 2:
            raise ValueError(f"{path} has {len(self.model.classes)} classes; two are needed")

    def answer(self, request: Request) -> Answer:
        """Return beta, by finding the vectors among the rows, and the decisions of the file."""
        return answer_or_error(lambda: self.match(request))

    def match(self, request: Request) -> Answer:
        """Find the file's vectors among the rows; ValueError if one is not there."""
        low, high = sorted(self.model.classes)
        sign = 1 if self.model.classes[0] == high else -1
        found = match_rows(self.model, self.X, [high if y > 0 else low for y in self.y])
        beta = [0.0] * len(self.y)
        for i, coef in zip(found, self.model.coefs[0]):
            beta[i] = sign * coef
        width = len(self.X[0])
        rows = [[*row, *[0.0] * (width - len(row))] for row in request.rows]
        decisions = [sign * self.model.pair_decisions(row)[0] for row in rows]
        return Answer(decisions=decisions, beta=beta, b=sign * self.model.offsets[0])


class CommandLine:
    """A program; workers.py reads and writes its lines."""

    def __init__(self, command: list[str]) -> None:
        self.command = command
        self.name = shlex.join(command)


Subject = Union[Estimator, ProblemFunction, GivenAnswer, ModelFile, CommandLine]


def as_subject(subject: Any, problem: Problem | None = None) -> Subject:
    """Return the subject that is meant; TypeError if it is none.

    >>> as_subject("./train --json").command
    ['./train', '--json']
    """
    if isinstance(subject, (Estimator, ProblemFunction, GivenAnswer, ModelFile, CommandLine)):
        return subject
    if isinstance(subject, os.PathLike) or is_pair(subject) or isinstance(subject, dict):
        return answer_subject(subject, problem)
    if isinstance(subject, str):
        return CommandLine(shlex.split(subject))
    if isinstance(subject, list) and subject and all(isinstance(s, str) for s in subject):
        return CommandLine(subject)
    if hasattr(subject, "fit"):
        return Estimator(subject)
    if callable(subject):
        return ProblemFunction(subject)
    raise TypeError(
        f"subject is {subject!r}; an estimator, a function of a problem, (w, b), (beta, b), the"
        " path of a model file or a command line is needed"
    )


def is_pair(subject: Any) -> bool:
    """Return whether it is (numbers, number)."""
    return isinstance(subject, tuple) and len(subject) == 2


def answer_subject(subject: Any, problem: Problem | None) -> GivenAnswer | ModelFile:
    """Return the subject of (w, b), (beta, b), a dict of Answer's fields, or a path."""
    if problem is None:
        raise TypeError(f"problem is None; {subject!r} is an answer, and needs its problem")
    if isinstance(subject, os.PathLike):
        return ModelFile(subject, problem)
    if isinstance(subject, dict):
        fields = {name: to_lists(value) for name, value in subject.items()}
        return GivenAnswer("the given answer", Answer(**fields))
    numbers, b = to_lists(subject[0]), to_lists(subject[1])
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
    return GivenAnswer(f"the given {name} and b", Answer(**{name: numbers, "b": b}))


def stated_tol(subject: Subject, tol: float) -> float | None:
    """Return the tolerance that a subject is given, or has itself; None if it has none."""
    if isinstance(subject, Estimator):
        if isclass(subject.subject):
            return tol if accepts(subject.accepted, "tol") else None
        return getattr(subject.subject, "tol", None)
    if isinstance(subject, ProblemFunction):
        return tol if "tol" in subject.accepted else None
    return None


def import_subject(word: str) -> Any:
    """Return what module:Name stands for; a word of another form is a command line, and stays.

    >>> import_subject("math:inf"), import_subject("./train")
    (inf, './train')
    """
    if not PYTHON_NAME.fullmatch(word):
        return word
    module, _, name = word.partition(":")
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    try:
        value = import_module(module)
        for part in name.split("."):
            value = getattr(value, part)
    except (ImportError, AttributeError) as error:
        raise ValueError(f"{word} cannot be imported: {error}") from None
    return value


def name_with_version(subject: Any) -> str:
    """Return the name of a subject, with the version of the package it is from."""
    name = as_subject(subject).name
    package = name.partition(":")[0].partition(".")[0]
    version = getattr(sys.modules.get(package), "__version__", None)
    return f"{name}, {package} {version}" if version else name
