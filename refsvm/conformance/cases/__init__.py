"""The cases of the audit: small problems whose optimum is known exactly.

    >>> first = cases()[0]
    >>> first.name, first.optimum.objective, first.optimum.b_low, first.optimum.b_high
    ('C01', Fraction(1, 2), Fraction(0, 1), Fraction(0, 1))

A case is graded by what every optimum has in common: the objective, w, the differences of decision
values, the interval of optimal offsets. Not by alpha, which may not be unique.

The cases are read from spec/vectors, or from the copies that an installation has; nothing is
solved here. Those of the machines beside C-SVC are in machines.py.
"""

from __future__ import annotations

import gzip
import json
from fractions import Fraction
from functools import cache
from importlib.resources import files
from typing import Any

from ...numerics.intervals import Interval
from ...numerics.validation import one_of
from ...proofs.canonical_json import problem_of
from ...proofs.verification import Optimum
from ...svm.model import OffsetInterval
from ...svm.problem import Problem, ProblemOffsets
from ..protocol.case import Case as Case
from ..protocol.case import Document as Document
from ..protocol.case import Query as Query
from .number_json import exact_numbers, numbers

ARGUMENTS = ("X", "y", "C", "kernel", "bias", "slack")
FILES = (
    "core",
    "lectures",
    "bugs",
    "families",
    "found",
    "gaussians",
    "sizes",
    "claims",
    "rejects",
)


def cases(*files: str) -> list[Case]:
    """Read the cases of these files, in the order of the files.

    Parameters
    ----------
    files : names; none means "core"
        core       C01 to C25, and the extras            families   in other units and orders
        lectures   from lecture notes                    gaussians  whose optimum is intervals
        bugs       known bugs, each as a problem         rejects    what must be refused
        found      failures that a search found
        claims     where doubles end, and a program must say so
        sizes      4 to 65 features, 20 to 130 examples, with every kernel

    Raises
    ------
    ValueError
        for a name that is none of these

    Examples
    --------
    >>> [case.name for case in cases("rejects")][:3]
    ['only plus', 'only minus', 'one class with a weight']
    """
    for file in files:
        one_of(file, FILES, "files")
    return [case_named(file, name) for file in files or ("core",) for name in names_of(file)]


def names_of(file: str) -> tuple[str, ...]:
    """Return the names of the cases of a file, without making a Case of any."""
    return tuple(documents_by_name(file))


@cache
def shipped() -> dict[str, str]:
    """Return {name of a case: its file} of all cases; not to be changed."""
    return {name: file for file in FILES for name in names_of(file)}


@cache
def case_named(file: str, name: str) -> Case:
    """Return the case of this name in a file of the package."""
    return case_from_json(documents_by_name(file)[name])


@cache
def documents_by_name(file: str) -> dict[str, Document]:
    """Return {name: the test} of a file of the package."""
    return {test["name"]: test for test in tests_of(text_of_file(file))}


def text_of_file(name: str) -> str:
    """Return the file of this name: of spec/vectors, or its copy where refsvm is installed."""
    package: Any = files("refsvm")  # a folder, or a place in a zip file: both know their parent
    packed = package / "conformance" / "vectors" / f"{name}.json.gz"
    if packed.exists():
        text = gzip.decompress(packed.read_bytes())
    else:
        text = (package.parent / "spec" / "vectors" / f"{name}.json").read_bytes()
    return text.decode("ascii")


def tests_of(text: str) -> list[Document]:
    """Return the tests in the text of a file."""
    return [test for group in json.loads(text)["testGroups"] for test in group["tests"]]


def case_from_json(test: Document) -> Case:
    """Return the Case that a test of a file describes."""
    problem = optimum = None
    if "optimum" in test:
        problem = problem_of(test["given"]["problem"])
        optimum = _optimum_from_json(test["optimum"], test.get("certificate"))
    return Case(
        test["name"],
        test["comment"],
        tuple(test["flags"]),
        test["result"],
        _given_arguments(test, problem),
        problem,
        optimum,
        list(map(_query_from_json, test.get("queries", ()))),
        exact_numbers(test.get("optimum", {}).get("s_train", [])),
    )


def _given_arguments(test: Document, problem: Problem | None) -> Document:
    """Return the arguments as given: those of the problem, unless the test says otherwise."""
    given = {key: getattr(problem, key, None) for key in ARGUMENTS}
    for key, value in (test.get("asked", {}) if problem else test["given"]).items():
        given[key] = value if key in ("kernel", "bias", "slack") else numbers(value)
    return given


def _optimum_from_json(document: Document, certificate: Document | None) -> Optimum:
    """Return the Optimum that a test describes; without a certificate it has no alpha."""
    alpha: list[Any] | None = None
    if certificate is not None:  # integers over one denominator
        denominator = numbers(certificate["denominator"])
        alpha = [a / denominator for a in numbers(certificate["alpha"])]
    if document["status"] == "infeasible":
        fields: Document = dict.fromkeys(Optimum._fields)
        return Optimum(**{**fields, "status": "infeasible", "farkas": alpha})
    found = {key: exact_numbers(value) for key, value in document.items() if key != "status"}
    objective = found["value"]
    if "within" in found:
        off = found["within"] * max(1, abs(objective))
        objective = Interval(objective - off, objective + off)
    low, high = found["b"]["lo"], found["b"]["hi"]
    return Optimum(
        alpha=alpha,
        b_low=low,
        b_high=high,
        objective=objective,
        w=found.get("w"),
        w_norm2=found["w_norm2"],
        sum_alpha=found["sum_alpha"],
        sum_C_slack=found["sum_C_xi"],
        status=document["status"],
        alpha_unique=document["alpha_unique"],
        b_unique=document["b_unique"],
        other_alpha=found.get("other_alpha"),
        farkas=None,
        offsets=ProblemOffsets(OffsetInterval((low + high) * Fraction(1, 2), low, high)),
    )


def _query_from_json(document: Document) -> Query:
    """Return the Query that a test describes."""
    x = document["x"] if isinstance(document["x"], str) else numbers(document["x"])
    s, low, high = (exact_numbers(document[key]) for key in ("s", "f_lo", "f_hi"))
    label = document["label"]
    return Query(x, s, low, high, None if label == "undetermined" else label)
