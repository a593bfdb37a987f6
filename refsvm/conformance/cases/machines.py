"""The cases of the machines beside C-SVC, read from spec/vectors; each is solved when asked for.

exact      S, V, O, D, N and a number: found on paper and by enumeration
families   these in other units, orders and weights; the ends of nu, C and epsilon
sizes      more features and examples: widths beside multiples of 4, 8, 16 and 32
claims     where doubles end
rejects    what must be refused

nu is a double, and in the cases of many examples no sum that it asks for is a whole number of
bounds: there a rounding of nu n would decide whether one more example is free, and so whether an
offset has one value or many.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache
from typing import Any

from ...kernels.rational_values import is_rational
from ...kernels.standard import Precomputed
from ...numerics.types import Matrix
from ...proofs.canonical_json import problem_of
from ...svm.problem import Problem
from ...svm.training_problem import TrainingProblem
from ..protocol.forms import FORMS, bounds_of, form_of_problem, labels_of, parameter_of
from ..truth.machine_measures import measure_of
from ..truth.margin_measure import on_fractions
from . import Case, Document, Query, text_of_file
from .number_json import numbers

EXACT, FAMILIES, SIZES, FAR = "exact", "families", "sizes", "claims"
INVALID = "rejects"
FILE = "machine_cases"
Head = tuple[str, str, tuple[str, ...], str]  # name, comment, flags and result of a case


@cache
def _tests_by_machine() -> dict[str, dict[str, tuple[str, Document]]]:
    """Return {machine: {name of a case: its group, its test}}; the file is read once."""
    found: dict[str, dict[str, tuple[str, Document]]] = {form: {} for form in FORMS}
    for group in json.loads(text_of_file(FILE))["testGroups"]:
        found[group["form"]].update({t["name"]: (group["of"], t) for t in group["tests"]})
    return found


@cache
def group_names(form: str) -> dict[str, str]:
    """Return {name of a case: its group} of a machine; not to be changed."""
    return {name: group for name, (group, _) in _tests_by_machine()[form].items()}


@cache
def machine_names() -> dict[str, tuple[str, str]]:
    """Return {name of a case: (its machine, its group)} of all machines; not to be changed."""
    return {name: (form, group) for form in FORMS for name, group in group_names(form).items()}


@cache
def machine_case(form: str, name: str) -> Case:
    """Return the case of this name, solved; the scores are left to be computed."""
    group, test = _tests_by_machine()[form][name]
    head = name, test["comment"], tuple(test["flags"]), test["result"]
    if group == INVALID:
        items = test["given"].items()
        given = {key: value if key == "kernel" else numbers(value) for key, value in items}
        return Case(*head, given, None, None, [], [])
    asked = problem_of(test["given"]["problem"]).to(float)
    return case_of_problem(head, asked, queries_of(asked))


def case_of_problem(head: Head, asked: Problem, rows: Iterable[Any]) -> Case:
    """Return the case of a problem on doubles, and of rows to decide.

    It is solved here unless it is one of C-SVC, which is solved when an answer is judged.
    """
    exact, _ = on_fractions(asked, [])
    given = {"X": asked.X, "y": labels_of(asked), "C": bounds_of(asked), "kernel": asked.kernel}
    is_machine = form_of_problem(asked) is not None
    return Case(
        *head,
        {**given, **parameter_of(asked)},
        exact if is_rational(asked.kernel) else asked,
        measure_of(asked, exact).solve() if is_machine else None,
        [Query(x, None, None, None, None) for x in rows],
        [],
    )


def queries_of(problem: TrainingProblem) -> Matrix:
    """Return rows worth asking about; none of a ball that has only its Gram matrix."""
    if isinstance(problem.kernel, Precomputed) and isinstance(problem, FORMS["svdd"].problem):
        return []
    return probes(problem)


def probes(problem: Any) -> list[Any]:
    """Return rows worth asking about: between neighbours in the list, and as far beyond the last.

    The rows of a Gram matrix are no exception: the middle of two of them holds the kernel values
    of the middle of their images. Strings have no middle.
    """
    X = problem.X
    if isinstance(X[0], str):
        return []
    middles = [[(p + q) / 2 for p, q in zip(x, z)] for x, z in zip(X, X[1:])]
    found = [*middles, [2 * q - p for p, q in zip(X[0], X[-1])]]
    return [x for k, x in enumerate(found) if x not in found[:k]]
