"""The cases of the audit: small problems whose optimum is known exactly.

    >>> first = cases()[0]
    >>> first.name, first.optimum.objective, first.optimum.b_low, first.optimum.b_high
    ('C01', Fraction(1, 2), Fraction(0, 1), Fraction(0, 1))

A case is graded by what every optimum has in common: the objective, w, the differences of decision
values, the interval of optimal offsets. Not by alpha, which may not be unique.

The cases are read from data/, where documents.py has written them; nothing is solved here.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from ...numerics.validation import one_of
from ...proofs.answer import Optimum
from ...proofs.canonical_json import problem_of
from .number_json import numbers

ARGUMENTS = ("X", "y", "C", "kernel", "bias", "slack")
FILES = ("core", "lectures", "bugs", "families", "found", "gaussians", "rejects")


class Query(NamedTuple):
    """A row to decide: its score s without offset, and where its decision value may lie.

    label is +1 or -1, or None where 0 lies from f_low to f_high: then either is right.
    """

    x: Any
    s: Any
    f_low: Any
    f_high: Any
    label: Any


class Case(NamedTuple):
    """A problem, what it is for, and the truth about it.

    flags      the kinds of bug it is aimed at, and those it can show: keys of flags.FLAGS
    result     "valid", "reject" (there is no right answer) or "acceptable" (a program may refuse,
               but if it answers, then rightly)
    given      the arguments as they are given to a program: X, y, C, kernel, bias, slack. Those of
               the problem, but that C is 0 for an example that does not count; to be rejected,
               whatever it is, and then the kernel is a document
    problem    the Problem to be solved, without the examples of weight 0; on Fractions, or on
               floats if its kernel has no exact values
    optimum    its Optimum (its farkas says why there is none, if there is none)
    queries    a list of Query

    Where there is no right answer problem and optimum are None.
    """

    name: str
    comment: str
    flags: tuple
    result: str
    given: dict
    problem: Any
    optimum: Any
    queries: list


def cases(*files):
    """A list of Case, in the order of the files, which are "core" unless named.

    core       C01 to C25, and the extras            families   whole families, degenerate ones
    lectures   from lecture notes                    gaussians  whose optimum is intervals
    bugs       known bugs, each as a problem         rejects    what must be refused
    found      failures that a search found: vectors.write() adds one

    >>> [case.name for case in cases("rejects")][:3]
    ['only plus', 'only minus', 'one class with a weight']
    """
    for file in files:
        one_of(file, FILES, "files")
    return [case_named(file, name) for file in files or ("core",) for name in names_of(file)]


def names_of(file):
    """The names of the cases of a file; none is read that nobody asks for."""
    return tuple(documents_of(file))


@cache
def case_named(file, name):
    """The case of this name in a file of the package."""
    return case_of(documents_of(file)[name])


@cache
def documents_of(file):
    """{name: the test} of a file of the package."""
    return {test["name"]: test for test in documents_in(path_of(file))}


def path_of(name):
    """Where the file of this name is, in the package."""
    return Path(__file__).parent / "data" / f"{name}.json"


def read(path):
    """The cases of one file, as a tuple."""
    return tuple(map(case_of, documents_in(path)))


def documents_in(path):
    """The tests of one file, a list of dicts."""
    document = json.loads(Path(path).read_text(encoding="ascii"))
    return [test for group in document["testGroups"] for test in group["tests"]]


def case_of(test):
    """The Case that a test of a file describes."""
    problem = optimum = None
    if "problem" in test:
        problem = problem_of(test["problem"])
        optimum = optimum_of(test["optimum"], test["certificate"])
    return Case(
        test["name"],
        test["comment"],
        tuple(test["flags"]),
        test["result"],
        given_of(test, problem),
        problem,
        optimum,
        list(map(query_of, test.get("queries", ()))),
    )


def given_of(test, problem):
    """The arguments as given: those of the problem, unless the test says otherwise."""
    given = {key: getattr(problem, key, None) for key in ARGUMENTS}
    for key, value in test.get("given", {}).items():
        given[key] = value if key in ("kernel", "bias", "slack") else numbers(value)
    return given


def optimum_of(told, certificate):
    """The Optimum that a test tells of."""
    if told["status"] == "infeasible":
        return Optimum(*[None] * 8, "infeasible", *[None] * 3, multipliers_of(certificate))
    low, high = numbers(told["b"]["lo"]), numbers(told["b"]["hi"])
    return Optimum(
        alpha=multipliers_of(certificate),
        b_low=low,
        b_high=high,
        objective=numbers(told["value"]),
        w=numbers(told["w"]) if "w" in told else None,
        w_norm2=numbers(told["w_norm2"]),
        sum_alpha=numbers(told["sum_alpha"]),
        sum_C_slack=numbers(told["sum_C_xi"]),
        status=told["status"],
        alpha_unique=told["alpha_unique"],
        b_unique=told["b_unique"],
        other_alpha=numbers(told["other_alpha"]) if "other_alpha" in told else None,
        farkas=None,
    )


def multipliers_of(certificate):
    """The multipliers, which are integers over one denominator."""
    return [a / numbers(certificate["denominator"]) for a in numbers(certificate["alpha"])]


def query_of(told):
    """The Query that a test tells of."""
    x = told["x"] if isinstance(told["x"], str) else numbers(told["x"])
    s, low, high = (numbers(told[key]) for key in ("s", "f_lo", "f_hi"))
    return Query(x, s, low, high, None if told["label"] == "undetermined" else told["label"])
