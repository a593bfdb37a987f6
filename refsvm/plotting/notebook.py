"""What a notebook shows of a result: its numbers in a table, its examples in another, a picture.

    fact       a number or a short list: its name, its value, and what it means
    column     a list with an entry for each example or support vector; its ends are shown
    meaning    what the docstring of the class says of an attribute

HTML without a script and without anything from outside. Colours are those of the page, light or
dark; the rules of style are for this table only, and all text is escaped. Where the rows are
points of the plane, and a picture takes no time to speak of, there is a picture, too.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from decimal import Context, Decimal
from fractions import Fraction
from functools import cache
from inspect import getsource
from typing import Any

from ..estimators.estimator import BaseEstimator, Classifier, defaults
from ..estimators.kernel_estimator import SingleMachine
from ..estimators.linear_svr import LinearSVR
from ..estimators.svc import SVC
from ..numerics.display import plural, value_text
from ..numerics.quoting import markup, quote, shorten
from ..svm.nu_problem import NuProblem
from ..svm.problem import Problem
from ..svm.training_problem import TrainingProblem
from .notebook_pictures import picture_html
from .svg import decimal_text

Fact = tuple[str, Any]
Columns = dict[str, Sequence[Any]]

HEAD_N, TAIL_N = 8, 3  # rows of a table of examples that are shown at its ends
VALUE_MAX, MEANING_MAX = 60, 110  # characters of a value, and of a meaning
HEADINGS = {"example_weights": "weight", "y": "y"}  # lists of a problem, and their headings
STATUS_LETTERS = set("LMU?")  # of the status of an Optimum
TABLE_STYLE = (
    "<style>.refsvm-result table{border-collapse:collapse;margin:.3em 0 .8em}"
    ".refsvm-result th,.refsvm-result td{text-align:left;vertical-align:top;padding:.15em .7em;"
    "border-bottom:1px solid rgba(128,128,128,.35);background:none}"
    ".refsvm-result th+th{text-align:right}"
    ".refsvm-result td.number{text-align:right;font-variant-numeric:tabular-nums}"
    ".refsvm-result td.meaning{opacity:.75}"
    ".refsvm-result svg,.refsvm-result img{max-width:100%;height:auto}</style>"
)


def result_html(thing: object) -> str:
    """Return the HTML of a result, a problem or an estimator."""
    facts, columns = _facts_and_columns(thing)
    told = {} if isinstance(thing, TrainingProblem) else _docstring_meanings(type(thing))
    tables = [
        _html_table(
            [], [[name, _value_in_short(v), _meaning_of(told, name, v)] for name, v in facts]
        ),
        *(_example_table(group) for group in _by_length(columns)),
    ]
    return (
        f'<div class="refsvm-result">{TABLE_STYLE}<strong>{markup(heading(thing))}</strong>'
        f"{''.join(filter(None, tables))}{picture_html(thing)}</div>"
    )


def heading(thing: object) -> str:
    """Return what stands above the tables."""
    is_call = isinstance(thing, (BaseEstimator, TrainingProblem))
    return value_text(thing, 2) if is_call else type(thing).__name__


def _facts_and_columns(thing: Any) -> tuple[list[Fact], Columns]:
    """Return the facts, and the columns."""
    if isinstance(thing, Problem):
        return _problem_facts(thing), {"C": thing.C, "y": thing.y, "X": thing.X}
    if isinstance(thing, TrainingProblem):
        return _facts_of_grouped(thing), _columns_of_grouped(thing)
    if isinstance(thing, Classifier):
        return _classifier_facts(thing), {}
    if isinstance(thing, (SingleMachine, LinearSVR)):
        return _single_facts(thing), {}
    facts, columns = [], {}
    for name, value in zip(thing._fields, thing):
        if is_column(value):
            columns.update(_columns_of_list(name, value))
        elif isinstance(value, TrainingProblem):
            facts.append((name, repr(value)))
        else:
            facts.append((name, value))
    return [*facts, *_more_facts(thing)], columns


def is_column(value: object) -> bool:
    """Tell whether a value is a list too long for one line, or has a letter for each example."""
    if isinstance(value, str):
        return bool(value) and set(value) <= STATUS_LETTERS
    return isinstance(value, list) and len(value) > 1 and len(value_text(value, 3)) > VALUE_MAX


def _columns_of_list(name: str, values: Sequence[Any]) -> Columns:
    """Return the columns of a list: of NamedTuples one for each of their fields."""
    first = values[0]
    if not hasattr(first, "_fields") or any(type(v) is not type(first) for v in values):
        return {name: values}
    return {f: [v[k] for v in values] for k, f in enumerate(first._fields)}


def _more_facts(thing: object) -> list[Fact]:
    """Return what a result says besides its fields: bounds on b, letters counted."""
    status = getattr(thing, "status", None)
    more: list[Fact] = []
    if isinstance(status, str) and is_column(status):
        counts = ", ".join(f"{status.count(v)} {v}" for v in sorted(set(status)))
        more.append(("status", counts))
    if hasattr(thing, "b_interval"):
        more.append(("b_interval", thing.b_interval))
    return more


def _problem_facts(problem: Problem) -> list[Fact]:
    """Return what a Problem is made of."""
    return [
        *_rows_and_kernel(problem, _classes_text(problem)),
        ("slack", problem.slack),
        ("offset", "yes" if problem.bias else "no"),
        ("numbers", problem.kind.__name__),
    ]


def _rows_and_kernel(problem: TrainingProblem, classes: str = "") -> list[Fact]:
    """Return what the problems of all machines have in common."""
    first = problem.X[0]
    width = "strings" if isinstance(first, str) else f"{len(first)} numbers each"
    examples = f"{problem.n:,}{classes}"
    return [("examples", examples), ("rows", width), ("kernel", problem.kernel)]


def _classes_text(problem: Any) -> str:
    """Return how many examples of each of two classes there are."""
    plus = problem.y.count(1)
    return f": {plus:,} of class +1, {problem.n - plus:,} of class -1"


def _facts_of_grouped(problem: TrainingProblem) -> list[Fact]:
    """Return what a problem of the other machines is made of."""
    classes = _classes_text(problem) if isinstance(problem, NuProblem) else ""
    numbers = [(name, getattr(problem, name)) for name in problem.numbers if name not in HEADINGS]
    kind = ("numbers", problem.kind.__name__)
    return [*_rows_and_kernel(problem, classes), *numbers, kind]


def _columns_of_grouped(problem: TrainingProblem) -> Columns:
    """Return the weight, the label or value, and the row of each example."""
    named = {**HEADINGS, "X": "X"}
    return {
        called: getattr(problem, name) for name, called in named.items() if hasattr(problem, name)
    }


def _single_facts(machine: Any) -> list[Fact]:
    """Return the parameters of an estimator of one machine, and what fit found."""
    facts: list[Fact] = [(name, getattr(machine, name)) for name in defaults(type(machine))]
    solution = getattr(machine, "solution_", None)
    if solution is None:
        return [*facts, ("fitted", "no")]
    if isinstance(machine, LinearSVR):
        return [*facts, ("ended", solution.status), ("passes", machine.n_iter_)]
    count = f"{len(machine.support_):,}"
    return [
        *facts,
        ("fitted", f"with {quote(machine.model_.kernel)}"),
        ("ended", solution.status),
        ("steps", machine.n_iter_),
        ("support vectors", count),
        *zip(solution.offsets._fields, solution.offsets),
    ]


def _classifier_facts(classifier: Classifier) -> list[Fact]:
    """Return the parameters of a classifier, and what fit found."""
    facts: list[Fact] = [(name, getattr(classifier, name)) for name in defaults(type(classifier))]
    solutions = getattr(classifier, "solutions_", None)
    if solutions is None:
        return [*facts, ("fitted", "no")]
    is_svc = isinstance(classifier, SVC)
    fitted, *others = _svc_facts(classifier) if is_svc else _linear_svc_facts(classifier)
    ends = [solution.status for solution in solutions]
    ended = ", ".join(f"{ends.count(v)} {v}" for v in dict.fromkeys(ends))
    return [*facts, fitted, ("ended", ended), *others]


def _svc_facts(svc: Any) -> list[Fact]:
    """Return what fit found for the pairs of classes."""
    model, k = svc.model_, len(svc.solutions_)
    counts = [f"{count:,} of class {c}" for c, count in zip(model.classes, model.counts)]
    return [
        ("fitted", f"with {quote(model.kernel)}, {plural(k, 'pair')}"),
        ("steps", _total_steps(svc)),
        ("support vectors", shorten(f"{len(model.vectors):,}: {', '.join(counts)}", MEANING_MAX)),
    ]


def _linear_svc_facts(svc: Any) -> list[Fact]:
    """Return what fit found for one machine, or for each class against the rest."""
    k = len(svc.classes_)
    rest = "two classes" if k == 2 else f"{k} classes, each against the rest"
    return [("fitted", rest), ("passes", svc.n_iter_)]


def _total_steps(svc: Any) -> int:
    """Return the steps of all pairs."""
    return sum(svc.n_iter_)  # exact


# ---- tables


def _by_length(columns: Columns) -> Iterable[Columns]:
    """Yield the columns that are equally long, together."""
    for n in dict.fromkeys(map(len, columns.values())):
        yield {name: values for name, values in columns.items() if len(values) == n}


def _example_table(columns: Columns) -> str:
    """Return a table with a row for each example, or for those at the ends of many."""
    n = len(next(iter(columns.values())))
    shown = list(range(n)) if n <= HEAD_N + TAIL_N + 1 else [*range(HEAD_N), *range(n - TAIL_N, n)]
    names = [name for name in columns if name != "index"]
    rows = [[str(i), *(_cell_of(columns[name][i]) for name in names)] for i in shown]
    if len(shown) < n:
        rows.insert(HEAD_N, [f"... {n - len(shown):,} more ...", *[""] * len(names)])
    return _html_table(["", *names], rows)


def _html_table(head: list[str], rows: list[list[str]]) -> str:
    """Return the HTML of a table; nothing if there are no rows."""
    if not rows:
        return ""
    kinds = ["name", "number" if head else "value", "number" if head else "meaning"]
    lines = [f"<tr>{''.join(f'<th>{markup(word)}</th>' for word in head)}</tr>"] if head else []
    for row in rows:
        cells = [
            f'<td class="{kinds[min(k, 2)]}">{markup(word)}</td>' for k, word in enumerate(row)
        ]
        lines.append(f"<tr>{''.join(cells)}</tr>")
    return f"<table>{''.join(lines)}</table>"


def _value_in_short(value: Any) -> str:
    """Return a value in short: a fraction with about how much it is.

    >>> _value_in_short(Fraction(1, 3)), _value_in_short("optimal"), _value_in_short([0.5, 1.0])
    ('1/3 (0.333333)', 'optimal', '[0.5, 1.0]')
    """
    if isinstance(value, Fraction):
        exact = quote(value, 40)
        if value.denominator == 1 and not exact.startswith("about"):
            return exact
        about = _six_digits(value)
        return f"about {about}" if exact.startswith("about") else f"{exact} ({about})"
    if getattr(value, "_fields", None) == ("value", "low", "high"):
        ends = f", from {_value_in_short(value.low)} to {_value_in_short(value.high)}"
        return _value_in_short(value.value) + (ends if value.low < value.high else "")
    if getattr(value, "_fields", None) == ("low", "high"):
        return " to ".join(map(_value_in_short, value))
    if isinstance(value, str):
        return value if len(value) <= VALUE_MAX else value_text(value, 3)[1:-1]
    return shorten(value_text(value, 2), 2 * VALUE_MAX)


def _cell_of(value: object) -> str:
    """Return a value as a table of many shows it: six digits of a float."""
    if isinstance(value, list) and all(type(v) is float for v in value):
        return shorten(value_text([float(f"{v:.6g}") for v in value], 2), VALUE_MAX)
    if isinstance(value, Fraction):
        exact = quote(value)
        return exact if len(exact) <= 12 else f"about {_six_digits(value)}"
    return f"{value:.6g}" if isinstance(value, float) else _value_in_short(value)


def _six_digits(value: Fraction) -> str:
    """Return six digits of a fraction, whatever its size.

    >>> _six_digits(Fraction(2, 3)), _six_digits(Fraction(10**400, 3))
    ('0.666667', '3.33333e+399')
    """
    parts = map(Decimal, (value.numerator, value.denominator))
    return decimal_text(Context(prec=6).divide(*parts))


# ---- meanings


@cache
def _docstring_of(cls: type[Any]) -> str:
    """Return the docstring of a class or of its parent from the source: Python -OO has none.

    A parent that lends methods only says nothing of attributes.
    """
    for parent in cls.__mro__[:-1]:
        with suppress(OSError, TypeError):  # there is no source
            node = ast.parse(getsource(parent)).body[0]
            found = ast.get_docstring(node) if isinstance(node, ast.ClassDef) else None
            if found and "\n---" in found:
                return found
    return ""


def _docstring_meanings(cls: type[Any]) -> dict[str, list[str]]:
    """Return {name: the lines that the docstring has on this parameter or attribute}."""
    text = _docstring_of(cls)  # type: ignore[arg-type]  # a class has a hash
    # re.split gives names and texts of the sections in turns: the same iterator twice pairs them.
    parts = dict(zip(*[iter(re.split(r"\n\n(\w+)\n---+\n", text)[1:])] * 2))
    section = "\n".join(parts.get(name, "") for name in ("Parameters", "Attributes"))
    found: dict[str, list[str]] = {}
    names: list[str] = []
    for line in section.split("\n"):
        if line.startswith(" "):
            for name in names:
                found[name].append(line.strip())
        else:
            names = line.partition(" : ")[0].split(", ")
            found.update({name: [] for name in names})
    return found


def _meaning_of(told: dict[str, list[str]], name: str, value: object) -> str:
    """Return what an attribute means; of one of several words, what this one means."""
    lines = told.get(name, [])
    for line in lines:
        if isinstance(value, str) and line.startswith(f'"{value}" '):
            return line[len(value) + 2 :].strip()
    text = " ".join(line for line in lines if not line.startswith('"'))
    return text if len(text) <= MEANING_MAX else text[:MEANING_MAX].rpartition(" ")[0] + " ..."
