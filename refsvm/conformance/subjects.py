"""What can be put under audit: each subject takes a Request and gives an Answer.

Estimator   a class or an instance with scikit-learn's constructor, fit, decision_function
Function    problem -> decision function, or Solution, or Model, or a dict of Answer's fields
Fixed       (w, b) or (beta, b): an answer that is there already
ModelFile   the path of a LIBSVM model file: the same
CommandLine a command line: reads a line of JSON for each problem, writes a line
"""

import os
import re
import shlex
import sys
import warnings
from functools import cached_property
from importlib import import_module
from inspect import isclass

from ..files.matching import match_rows
from ..files.models import read_model, same_width
from ..kernels.standard import Linear
from .estimator_adapter import (
    Estimator,
    accepts,
    answered,
    flat,
    listed,
    name_of,
    parameters_of,
    threads_for,
)
from .estimator_adapter import Unsupported as Unsupported  # for a function to raise, too
from .protocol import Answer, problem_of
from .thread_safety import with_threads

PYTHON_NAME = re.compile(r"\w+(\.\w+)*:\w+(\.\w+)*")


def as_subject(subject, problem=None):
    """The subject that was meant; TypeError if it is none.

    >>> as_subject("./train --json").command
    ['./train', '--json']
    """
    if isinstance(subject, (Estimator, Function, Fixed, ModelFile, CommandLine)):
        return subject
    if isinstance(subject, os.PathLike) or is_pair(subject) or isinstance(subject, dict):
        return fixed(subject, problem)
    if isinstance(subject, str):
        return CommandLine(shlex.split(subject))
    if isinstance(subject, list) and subject and all(isinstance(s, str) for s in subject):
        return CommandLine(subject)
    if hasattr(subject, "fit"):
        return Estimator(subject)
    if callable(subject):
        return Function(subject)
    raise TypeError(
        f"subject is {subject!r}; an estimator, a function of a problem, (w, b), (beta, b), the"
        " path of a model file or a command line is needed"
    )


def is_pair(subject):
    """Whether it is (numbers, number)."""
    return isinstance(subject, tuple) and len(subject) == 2


class Function:
    """A function of a Problem; one with the parameter tol is given it."""

    def __init__(self, function):
        self.function = function
        self.name = name_of(function)

    @cached_property
    def accepted(self):
        """The names of the function's parameters."""
        return parameters_of(self.function)

    def answer(self, request):
        """Call it, and ask what it returned about the rows."""
        return answered(lambda: with_threads(self.trained, request))

    def trained(self, request):
        problem, accepted = problem_of(request), self.accepted
        options = threads_for(request, accepted)
        for name in ("tol", "max_iter"):
            value = getattr(request, name)
            if value is not None and name in accepted:
                options[name] = value
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            left = self.function(problem, **options)
        answer = Answer(**left) if isinstance(left, dict) else asked_of(left, problem, request)
        same = (problem.X, problem.y, problem.C) == (request.X, request.y, request.C)
        return answer._replace(
            warnings=[str(w.message) for w in caught], changed=None if same else "problem"
        )


def asked_of(left, problem, request):
    """The Answer of what a function left: a Solution, a model, or a function of a row."""
    said = {}
    if hasattr(left, "alpha") and hasattr(left, "b"):
        said = {"alpha": flat(left.alpha), "b": float(left.b)}
        said["status"] = getattr(left, "status", None)
        left = left.model() if hasattr(left, "problem") else None
    for name in ("decision_function", "decisions"):
        if hasattr(left, name):
            return Answer(decisions=flat(getattr(left, name)(request.rows)), **said)
    if callable(left):
        return Answer(decisions=flat([left(row) for row in request.rows]), **said)
    if not said:
        raise TypeError(f"the function returned {left!r}; a decision function is needed")
    return Answer(**said)


class Fixed:
    """An answer that is there already."""

    def __init__(self, name, said):
        self.name, self.said = name, said

    def answer(self, request):
        """The answer, whatever was asked."""
        return self.said


class ModelFile:
    """A LIBSVM model file of two classes; y = +1 is the larger label, as in SVC."""

    def __init__(self, path, problem):
        self.name, self.y = os.fspath(path), problem.y
        self.model, self.X = same_width(read_model(path), problem.X)
        if len(self.model.classes) != 2:
            raise ValueError(f"{path} has {len(self.model.classes)} classes; two are needed")

    def answer(self, request):
        """beta by finding the vectors among the rows, and the decisions of the file's numbers."""
        return answered(lambda: self.read(request))

    def read(self, request):
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


def fixed(subject, problem):
    """The Fixed of (w, b), (beta, b) or a dict of Answer's fields; the ModelFile of a path."""
    if problem is None:
        raise TypeError(f"problem is None; {subject!r} is an answer, and needs its problem")
    if isinstance(subject, os.PathLike):
        return ModelFile(subject, problem)
    if isinstance(subject, dict):
        return Fixed("the given answer", Answer(**{k: listed(v) for k, v in subject.items()}))
    numbers, b = listed(subject[0]), listed(subject[1])
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
    return Fixed(f"the given {name} and b", Answer(**{name: numbers, "b": b}))


class CommandLine:
    """A command line; what it says is read by workers.py."""

    def __init__(self, command):
        self.command = command
        self.name = shlex.join(command)


def knows_tol(subject, tol):
    """The tolerance that a subject was told, or has itself; None for one that has none."""
    if isinstance(subject, Estimator):
        if isclass(subject.subject):
            return tol if accepts(subject.accepted, "tol") else None
        return getattr(subject.subject, "tol", None)
    if isinstance(subject, Function):
        return tol if "tol" in subject.accepted else None
    return None


def imported(word):
    """What module:Name stands for; a word of another form is left as it is, a command line.

    >>> imported("math:inf"), imported("./train")
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


def versioned(subject):
    """The name of a subject, with the version of the package it is from."""
    name = as_subject(subject).name
    package = sys.modules.get(name.partition(":")[0].partition(".")[0])
    version = getattr(package, "__version__", None)
    return f"{name}, {package.__name__} {version}" if version else name
