"""Lines for a shell that show a failure again, with the subject alone.

An estimator is made and fitted, a function is given a Problem, a program reads a line of JSON.
Where a line cannot show what was found (two fits, rows one by one, arrays of other forms), it
audits the one case.
"""

from __future__ import annotations

import glob
import sys
from collections.abc import Mapping
from functools import cached_property
from inspect import isclass
from math import isfinite
from typing import Any

from ...numerics.quoting import shell_words, visible
from ..audit import TOL, Auditor
from ..protocol import KERNEL_CLASSES, Request, to_line
from ..protocol.forms import form_named
from ..protocol.plain_values import Unsupported
from ..protocol.records import Record
from ..subjects import CommandLine, ProblemFunction
from ..subjects.estimator_adapter import Estimator
from .examples import request_of

MAX_LETTERS = 6000  # of a line with the data in it; a longer one audits the case
OF_ONE_FIT = ("G1", "G2", "G3", "G4", "G5", "G7", "G8")  # checks that one fit and its answer show
OF_A_MODEL = ("G1", "G2", "G3", "G4")
PARTS = ("support_", "dual_coef_", "coef_", "intercept_")  # what an estimator may tell of itself
UNSAID: dict[str, Any] = {"extras": None, "pairs": None, "brief": None}  # are for estimators
OF_SEVERAL_FITS = ("StateKept", "WarmStart", "Threads", "InputChanged", "RoundTrip")


class LinesToPaste:
    """Lines to paste for the failures of a subject, which a word names on the command line."""

    def __init__(self, subject: Any, word: str, tol: float = TOL, form: str | None = None) -> None:
        self.subject, self.word, self.tol, self.form = subject, word, tol, form

    @cached_property
    def auditor(self) -> Auditor:
        """An Auditor that is asked for the questions only: it starts no process."""
        return Auditor(self.subject, isolate=False, tol=self.tol, form=self.form)

    def __call__(self, record: Record) -> str:
        """Return the line for a failure."""
        alone = self.line_alone(record)
        if alone is not None and len(alone) <= MAX_LETTERS:
            return alone
        pattern = glob.escape(record.case)
        command = ["python3", "-m", "refsvm", "audit", self.word, "--case", pattern]
        return shell_words([*command, *([] if self.form is None else ["--type", self.form])])

    def line_alone(self, record: Record) -> str | None:
        """Return the line that needs no audit; None if there is none."""
        if record.check not in OF_ONE_FIT or record.flag in OF_SEVERAL_FITS:
            return None
        request = request_of(self.auditor, record)
        if request is None or request.extras or request.arrays is not None:
            return None
        subject = self.auditor.subject
        if request.before or request.after:
            return None
        if isinstance(subject, CommandLine):
            line = to_line(request._replace(**UNSAID))
            return f"printf '%s\\n' {shell_words([line])} | {subject.name}"
        try:
            if isinstance(subject, ProblemFunction):
                return _python_line(_function_statements(subject, self.word, request))
            if isinstance(subject, Estimator):
                return _python_line(_estimator_statements(subject, self.word, request, record))
        except Unsupported:
            pass
        return None


# ---- Python


def literal(value: Any) -> str:
    """Return a value as words of Python, without names that need an import.

    >>> literal([1.0, float("inf"), "a"])
    "[1.0, float('inf'), 'a']"
    """
    if isinstance(value, float) and not isfinite(value):
        return f"float('{value}')"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(literal, value))}]"
    if isinstance(value, dict):
        items = ", ".join(f"{literal(key)}: {literal(item)}" for key, item in value.items())
        return f"{{{items}}}"
    return repr(value)


def keywords(values: Mapping[str, Any]) -> str:
    """Return arguments by their names.

    >>> keywords({"C": 1.0, "kernel": "linear"})
    "C=1.0, kernel='linear'"
    """
    return ", ".join(f"{name}={literal(value)}" for name, value in values.items())


def imported(word: str) -> tuple[str, str]:
    """Return the statement that imports module:Name, and the words for it then.

    >>> imported("sklearn.svm:SVC")
    ('import sklearn.svm', 'sklearn.svm.SVC')
    >>> imported("mine.py:SVM")
    ("from runpy import run_path; S = run_path('mine.py')['SVM']", 'S')
    """
    module, _, name = word.rpartition(":")
    if not module.endswith(".py"):
        return f"import {module}", f"{module}.{name}"
    first, dot, others = name.partition(".")
    return f"from runpy import run_path; S = run_path({module!r})[{first!r}]{dot}{others}", "S"


def _data_statements(request: Request) -> list[str]:
    """Return what sets X and rows."""
    own, more = request.rows[: len(request.X)] == request.X, request.rows[len(request.X) :]
    rows = literal(request.rows) if not own else f"X + {literal(more)}" if more else "X"
    return [f"X = {literal(request.X)}", f"rows = {rows}"]


def _estimator_statements(
    estimator: Estimator, word: str, request: Request, record: Record
) -> list[str]:
    """Return what makes an estimator, fits it and prints its decisions."""
    begin, name = imported(word)
    given = estimator.parameters(request)
    if isclass(estimator.subject):
        make = f"{name}({keywords(given)})"
    elif hasattr(estimator.subject, "get_params"):
        make = f"type({name})(**{{**{name}.get_params(deep=False), **{literal(given)}}})"
    else:
        make = f"{name}; vars(m).update({keywords(given)})"
    has_arrays = "numpy" in sys.modules
    array = "np.array({})".format if has_arrays else str
    form = form_named(request.form)
    examples = [array("X")]
    if form is None or form.is_labelled:
        examples.append(array(literal(request.y)))
    weights = estimator.weights(request)
    examples += [f"{key}={array(literal(value))}" for key, value in weights.items()]
    of_values = form is not None and form.answers == "values"
    has_decisions = hasattr(estimator.subject, "decision_function") and not of_values
    shown = f"m.{'decision_function' if has_decisions else 'predict'}({array('rows')})"
    if record.check in OF_A_MODEL:
        shown += f", *(getattr(m, a) for a in {PARTS!r} if hasattr(m, a))"
    return [
        begin,
        *(["import numpy as np"] if has_arrays else []),
        *_data_statements(request),
        f"m = {make}",
        f"m.fit({', '.join(examples)})",
        f"print({shown})",
    ]


def _function_statements(function: ProblemFunction, word: str, request: Request) -> list[str]:
    """Return what gives a function its Problem, and prints what it returns, or its decisions."""
    begin, name = imported(word)
    told = {"tol": request.tol, "max_iter": request.max_iter}
    given = {key: v for key, v in told.items() if v is not None and key in function.accepted}
    arguments = f", {keywords(given)}" if given else ""
    return [
        "import refsvm",
        begin,
        *_data_statements(request),
        f"r = {name}({_problem_made(request)}{arguments})",
        "f = getattr(r, 'decisions', getattr(r, 'decision_function', None))",
        "print(r if not callable(r) else [r(x) for x in rows], f(rows) if callable(f) else '')",
    ]


def _problem_made(request: Request) -> str:
    """Return the words that make the problem of a request."""
    parameters = {key: value for key, value in request.kernel.items() if key != "name"}
    kernel = f"refsvm.{KERNEL_CLASSES[request.kernel['name']].__name__}({keywords(parameters)})"
    form, y, alike = form_named(request.form), literal(request.y), len(set(request.C)) == 1
    C = literal(request.C[0] if alike else request.C)
    if form is None:
        bias = ", bias=False" if request.bias is False else ""
        slack = ", slack='squared'" if request.slack == "squared" else ""
        return f"refsvm.Problem(X, {y}, {kernel}, {C}{bias}{slack})"
    words = ["X", *([y] if form.is_labelled else []), kernel]
    if form.has_C:
        words.append(f"C={C if alike else '1'}")
    if form.parameter is not None:
        words.append(f"{form.parameter}={literal(getattr(request, form.parameter))}")
    if not alike or not (form.has_C or request.C[0] == 1):
        words.append(f"weights={literal(request.C)}")
    return f"refsvm.{form.problem.__name__}({', '.join(words)})"


def _python_line(statements: list[str]) -> str:
    """Return the line that runs statements of Python; it reads alike in sh and in cmd."""
    source = "; ".join(statements)
    if set('"$`\\!%') & set(source) or visible(source) != source:
        return shell_words(["python3", "-c", source])
    return f'python3 -c "{source}"'
