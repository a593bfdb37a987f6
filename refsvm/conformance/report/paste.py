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
from typing import Any, NamedTuple

from ...numerics.quoting import shell_words, visible
from ..audit import TOL, Auditor
from ..cases import shipped
from ..protocol import KERNEL_CLASSES, Request, to_line
from ..protocol.forms import form_named
from ..protocol.plain_values import Unsupported
from ..protocol.records import Record
from ..subjects import CommandLine, ProblemFunction
from ..subjects.estimator_adapter import Estimator
from .stored import request_of

MAX_DATA_LETTERS = 4000  # letters of data in a line; longer data are read from the cases of refsvm
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
        pattern = glob.escape(record.case)
        command = ["python3", "-m", "refsvm", "audit", self.word, "--case", pattern]
        audit = [*command, *([] if self.form is None else ["--type", self.form])]
        return self.line_alone(record) or shell_words(audit)

    def line_alone(self, record: Record) -> str | None:
        """Return the line that needs no audit; None if there is none."""
        if record.check not in OF_ONE_FIT or record.flag in OF_SEVERAL_FITS:
            return None
        request = request_of(self.auditor, record)
        if request is None or request.extras:
            return None
        if request.arrays is not None or request.before or request.after:
            return None
        subject = self.auditor.subject
        if isinstance(subject, CommandLine):
            line = to_line(request._replace(**UNSAID))
            asked = f"printf '%s\\n' {shell_words([line])} | {subject.name}"
            return None if len(line) > 2 * MAX_DATA_LETTERS else asked
        data = _data_of(request, record)
        if data is None or not isinstance(subject, (Estimator, ProblemFunction)):
            return None
        try:
            if isinstance(subject, ProblemFunction):
                return _python_line(_function_statements(subject, self.word, request, data))
            return _python_line(_estimator_statements(subject, self.word, request, data, record))
        except Unsupported:
            return None


# ---- Python


class ProblemWords(NamedTuple):
    """The data of a problem, as words of Python; begin is what must come before."""

    begin: list[str]
    X: str
    y: str
    C: str
    rows: str


def _data_of(request: Request, record: Record) -> ProblemWords | None:
    """Return the data of a request; None if they are long and no case holds them."""
    X, y, C = literal(request.X), literal(request.y), literal(common(request.C))
    more = request.rows[len(request.X) :]
    own = request.rows[: len(request.X)] == request.X
    rows = (f"X + {literal(more)}" if more else "X") if own else literal(request.rows)
    if len(X + y + C + rows) <= MAX_DATA_LETTERS:
        return ProblemWords([], X, y, C, rows)
    file = shipped().get(record.case)
    if file is None or record.check == "G5" or not own:
        return None
    case = f"case_named({file!r}, {record.case!r}).problem"
    begin = [
        "from refsvm.conformance.cases import case_named",
        "from refsvm.conformance.protocol import as_doubles",
        f"p, _ = as_doubles({case}, [])",
    ]
    return ProblemWords(begin, "p.X", "p.y", C if len(C) < MAX_DATA_LETTERS // 4 else "p.C", rows)


def common(values: Any) -> Any:
    """Return the value that all have, or else all of them."""
    return values[0] if len(set(map(repr, values))) == 1 else values


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


def _estimator_statements(
    estimator: Estimator, word: str, request: Request, data: ProblemWords, record: Record
) -> list[str]:
    """Return what makes an estimator, fits it and prints its decisions."""
    begin, name = imported(word)
    given, weights = estimator.parameters(request), estimator.weights(request)
    has_arrays = "numpy" in sys.modules
    X, y, rows = data.X, data.y, data.rows
    if isclass(estimator.subject):
        make = f"{name}({keywords(given)})"
    elif hasattr(estimator.subject, "get_params"):
        changes = literal(given)
        make = f"type({name})(**{{**{name}.get_params(deep=False), **{changes}}})"
    else:
        make = f"{name}; vars(m).update({keywords(given)})"
    form = form_named(request.form)
    fit = {
        key: f"np.array({literal(value)})" if has_arrays else literal(value)
        for key, value in weights.items()
    }
    shares = "".join(f", {key}={value}" for key, value in fit.items())
    as_array = "np.array({})" if has_arrays else "{}"
    has_decisions = hasattr(estimator.subject, "decision_function") and (
        form is None or form.answers != "values"
    )
    decide = "decision_function" if has_decisions else "predict"
    labels = f", {as_array.format(y)}" if form is None or form.is_labelled else ""
    shown = f"m.{decide}({as_array.format('rows')})"
    if record.check in OF_A_MODEL:
        shown += f", *(getattr(m, a) for a in {PARTS!r} if hasattr(m, a))"
    return [
        begin + (", numpy as np" if has_arrays and begin.startswith("import") else ""),
        *(["import numpy as np"] if has_arrays and not begin.startswith("import") else []),
        *data.begin,
        f"X = {X}",
        f"rows = {rows}",
        f"m = {make}",
        f"m.fit({as_array.format('X')}{labels}{shares})",
        f"print({shown})",
    ]


def _function_statements(
    function: ProblemFunction, word: str, request: Request, data: ProblemWords
) -> list[str]:
    """Return what gives a function its Problem, and prints what it returns, or its decisions."""
    begin, name = imported(word)
    parameters = {key: value for key, value in request.kernel.items() if key != "name"}
    kernel = f"refsvm.{KERNEL_CLASSES[request.kernel['name']].__name__}({keywords(parameters)})"
    told = {"tol": request.tol, "max_iter": request.max_iter}
    given = {key: v for key, v in told.items() if v is not None and key in function.accepted}
    arguments = f", {keywords(given)}" if given else ""
    problem = problem_words(request, data, kernel)
    return [
        "import refsvm",
        begin,
        *data.begin,
        f"X = {data.X}",
        f"rows = {data.rows}",
        f"r = {name}({problem}{arguments})",
        "f = getattr(r, 'decisions', getattr(r, 'decision_function', None))",
        "print(r if not callable(r) else [r(x) for x in rows], f(rows) if callable(f) else '')",
    ]


def problem_words(request: Request, data: ProblemWords, kernel: str) -> str:
    """Return the words that make the problem of a request."""
    form = form_named(request.form)
    if form is None:
        more = {"bias": request.bias, "slack": request.slack}
        default = {"bias": True, "slack": "hinge"}
        others = {key: v for key, v in more.items() if v not in (None, default[key])}
        options = "".join(f", {key}={literal(v)}" for key, v in others.items())
        return f"refsvm.Problem(X, {data.y}, {kernel}, {data.C}{options})"
    words = ["X", *([data.y] if form.is_labelled else []), kernel]
    alike = len(set(request.C)) == 1
    if form.has_C:
        words.append(f"C={literal(request.C[0]) if alike else '1'}")
    if form.parameter is not None:
        words.append(f"{form.parameter}={literal(getattr(request, form.parameter))}")
    if not alike or not (form.has_C or request.C[0] == 1):
        words.append(f"weights={data.C if not alike else literal(request.C)}")
    return f"refsvm.{form.problem.__name__}({', '.join(words)})"


def _python_line(statements: list[str]) -> str:
    """Return the line that runs statements of Python; it reads alike in sh and in cmd."""
    source = "; ".join(statements)
    if set('"$`\\!%') & set(source) or visible(source) != source:
        return shell_words(["python3", "-c", source])
    return f'python3 -c "{source}"'
