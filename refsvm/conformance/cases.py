"""The cases of the audit: small problems whose optimum is known exactly.

    >>> first = cases()[0]
    >>> first.name, first.optimum.objective, first.optimum.b_low, first.optimum.b_high
    ('C01', Fraction(1, 2), Fraction(0, 1), Fraction(0, 1))

A case is graded by what every optimum has in common: the objective, w, the differences of decision
values, the interval of optimal offsets. Not by alpha, which may not be unique.
"""

from functools import cache
from typing import Any, NamedTuple

from ..kernels import Gaussian
from ..linalg import dot
from ..problem import Problem
from ..proofs.optimum import solve_exactly
from .core import EXTRAS, TWENTY_FIVE
from .entries import rows


class Query(NamedTuple):
    """A row to decide: its score s without offset, and where its decision value may lie.

    label is +1 or -1, or None where 0 lies from f_low to f_high: then either is right.
    """

    x: list
    s: Any
    f_low: Any
    f_high: Any
    label: Any


class Case(NamedTuple):
    """A problem, what it is for, and the truth about it.

    flags      the kinds of bug it is aimed at: keys of flags.FLAGS
    result     "valid", "reject" (then problem and optimum are None) or "acceptable" (a program
               may refuse, but if it answers, then rightly)
    given      the arguments as given: X, y, C, kernel, bias, slack; of a Problem, but that C may
               be 0 for an example that does not count, or anything at all to be rejected
    problem    the Problem on Fractions that is to be solved, without the examples of weight 0
    optimum    its Optimum
    queries    a list of Query
    """

    name: str
    comment: str
    flags: tuple
    result: str
    given: dict
    problem: Any
    optimum: Any
    queries: list


@cache
def cases():
    """Every case, as a list of Case: C01 to C25, then the extras."""
    entries = TWENTY_FIVE + EXTRAS
    return [case_of(entry) for entry in entries if not isinstance(entry.kernel, Gaussian)]


def case_of(entry):
    """The Case of an Entry, solved."""
    given = {"X": entry.X, "y": entry.y, "C": entry.C, "kernel": entry.kernel,
             "bias": entry.bias, "slack": entry.slack}
    problem = problem_of(given)
    optimum = solve_exactly(problem)
    queries = [query(problem, optimum, x) for x in probes(problem) + rows(*entry.asked)]
    return Case(entry.name, entry.comment, entry.flags, entry.result, given, problem, optimum,
                queries)


def problem_of(given):
    """The Problem of arguments among whose C there may be zeros: those examples are left out."""
    C = given["C"] if isinstance(given["C"], list) else [given["C"]] * len(given["y"])
    kept = [i for i, c in enumerate(C) if c != 0]
    return Problem(
        [given["X"][i] for i in kept], [given["y"][i] for i in kept], given["kernel"],
        [C[i] for i in kept], given["bias"], given["slack"],
    )


def probes(problem):
    """Rows worth asking about: between two neighbours of the list, and beyond the last.

    A row of a Gram matrix can be treated like any other: the middle of two rows holds the kernel
    values of the middle of their images.
    """
    first, last = problem.X[0], problem.X[-1]
    found = []
    for x, z in zip(problem.X, problem.X[1:]):
        found.append([(p + q) / 2 for p, q in zip(x, z)])
    found.append([2 * q - p for p, q in zip(first, last)])
    return found


def query(problem, optimum, x):
    """The Query of the row x."""
    values = x if not problem.kernel.has_rows else [problem.kernel(z, x) for z in problem.X]
    s = dot(problem.beta(optimum.alpha), values)
    low, high = s + optimum.b_low, s + optimum.b_high
    label = 1 if low > 0 else -1 if high < 0 else None
    return Query(x, s, low, high, label)
