"""A case of a machine beside C-SVC, as it is written down, and as it is when solved.

An entry is a problem on Fractions and what it is for. Its numbers need be no doubles: what is
asked, and solved exactly, is the problem of the nearest doubles. Solving takes some milliseconds,
so it is done when a case is asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction as Q
from math import inf
from typing import Any, NamedTuple

from ...kernels.base import Kernel
from ...kernels.rational_values import is_rational
from ...kernels.standard import Linear, Precomputed
from ...numerics.linalg import dot
from ...numerics.picks import splitmix64
from ..protocol.forms import FORMS, bounds_of, labels_of, make_problem, parameter_of
from ..truth.machine_measures import measure_of
from ..truth.margin_measure import on_fractions
from . import Case, Query

Rows = list[list[Any]]


class MachineEntry(NamedTuple):
    """A problem as it is given, on Fractions, and what it is for.

    bounds, parameter    of each multiplier; epsilon or nu
    flags                the kinds of bug it is aimed at
    result               "valid", or "acceptable": a program may refuse, but if it answers, then
                         rightly
    """

    name: str
    form: str
    X: Sequence[Any]
    y: list[Any]
    bounds: list[Any]
    parameter: Any
    kernel: Kernel
    flags: tuple[str, ...]
    comment: str
    result: str = "valid"


def machine(
    form: str,
    name: str,
    X: Sequence[Any],
    y: Sequence[Any] | None,
    C: Any,
    parameter: Any,
    flags: str,
    comment: str,
    kernel: Kernel = Linear(),
    result: str = "valid",
) -> MachineEntry:
    """Return the entry of a problem; C is one bound for all or one an example."""
    bounds = [c if c == inf else Q(c) for c in (C if isinstance(C, list) else [C] * len(X))]
    labels = [1] * len(X) if y is None else list(y)
    number = None if parameter is None else Q(parameter)
    words = tuple(flags.split())
    return MachineEntry(name, form, X, labels, bounds, number, kernel, words, comment, result)


def solve_machine_entry(entry: MachineEntry) -> Case:
    """Return the Case of a MachineEntry, with its optimum; the scores are left to be computed."""
    kernel = entry.kernel.to(float)
    asked = make_problem(
        FORMS[entry.form],
        [list(map(float, x)) for x in entry.X],
        _doubles_of(entry.y),
        kernel,
        _doubles_of(entry.bounds),
        None if entry.parameter is None else float(entry.parameter),
    )
    problem, _ = on_fractions(asked, [])
    optimum = measure_of(asked, problem).solve()
    return Case(
        entry.name,
        entry.comment,
        entry.flags,
        entry.result,
        {
            "X": asked.X,
            "y": labels_of(asked),
            "C": bounds_of(asked),
            "kernel": asked.kernel,
            **parameter_of(asked),
        },
        problem if is_rational(kernel) else asked,
        optimum,
        [Query(x, None, None, None, None) for x in queries_of(asked)],
        [],
    )


def _doubles_of(values: Iterable[Any]) -> list[Any]:
    """Return the doubles nearest to Fractions; labels, which are ints, as they are."""
    return [v if type(v) is int else float(v) for v in values]


def queries_of(problem: Any) -> list[Any]:
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


# ---- data that several groups of cases have


def column(*values: Any) -> Rows:
    """Return one row an example, of one number each.

    >>> column(1, "1/2")
    [[Fraction(1, 1)], [Fraction(1, 2)]]
    """
    return [[Q(v)] for v in values]


def rows(*given: Iterable[Any]) -> Rows:
    """Return the rows given, as Fractions."""
    return [[Q(v) for v in row] for row in given]


def signs(word: str) -> list[int]:
    """Return the labels that a word of signs stands for.

    >>> signs("-+")
    [-1, 1]
    """
    return [1 if sign == "+" else -1 for sign in word]


def powers(*exponents: int) -> Iterator[tuple[str, Q]]:
    """Yield ("2^k", 2^k)."""
    for k in exponents:
        yield f"2^{k}", Q(2) ** k


def orders(n: int) -> Iterator[tuple[str, list[int]]]:
    """Yield three other orders of n examples, in words."""
    yield "backwards", list(range(n - 1, -1, -1))
    yield "from the middle", [(i + n // 2) % n for i in range(n)]
    yield "by odd and even", [*range(1, n, 2), *range(0, n, 2)]


def picked(values: Sequence[Any], order: Sequence[int]) -> list[Any]:
    """Return the values in another order."""
    return [values[i] for i in order]


def times(factor: Q, values: Sequence[Any]) -> list[Any]:
    """Return so many times the values."""
    return [factor * v for v in values]


def stretched(factor: Q, X: Rows) -> Rows:
    """Return so many times the rows."""
    return [times(factor, x) for x in X]


def moved(by: Any, X: Rows) -> Rows:
    """Return the rows with a number added to each feature."""
    return [[v + by for v in x] for x in X]


def gram_of(X: Rows) -> Rows:
    """Return the Gram matrix of rows."""
    return [[dot(x, z) for z in X] for x in X]


def drawn(n: int, d: int, seed: int, most: int = 7) -> Rows:
    """Return n rows of d whole numbers from 0 to `most`, always the same."""
    bits = splitmix64(seed)
    return [[Q(next(bits) % (most + 1)) for _ in range(d)] for _ in range(n)]


def heights(X: Rows, seed: int, noise: int = 3) -> list[Any]:
    """Return y near a plane over the rows: the sum of features by turns, and noise."""
    bits = splitmix64(seed)
    planes = [dot([Q(1) if j % 2 else Q(-1, 2) for j in range(len(x))], x) for x in X]
    return [v + Q(int(next(bits) % (2 * noise + 1)) - noise, 2) for v in planes]
