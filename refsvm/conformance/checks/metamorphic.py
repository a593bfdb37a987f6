"""Metamorphic relations: transformed problems whose optimum follows from the original's.

The exact relations, an Image each, are for search (strategies.py): with them a program is tested
against itself, and no reference is needed. All numbers are Fractions; the proofs are in the
docstrings. f is what an optimal machine says of a row: any number of s(x) + [b_low, b_high].

Source: Murphy, Kaiser, Hu, Wu, SEKE 2008, pages 867-872, for the list of relations.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple

from ...kernels.standard import Precomputed
from ...numerics.display import displayed
from ...numerics.linalg import add, dot, scale, subtract
from ...numerics.types import Number
from ...proofs.optimum import solve_exactly
from ..protocol import NumericProblem
from ..protocol.forms import changed_problem


@displayed
class Image(NamedTuple):
    """A problem made from another, and its optimum in terms of the other's.

    Parameters
    ----------
    name : str
        of the change
    problem : Problem
        the new one
    query : function
        takes a row x to the row x' that the new machine is to be asked about
    sign : int
        f'(x') = sign f(x)
    factor, added : numbers
        the optimal value becomes factor value + added
    whole : bool
        whether every optimal offset has an image; if not, f' has part of the freedom that f had

    Examples
    --------
    >>> from refsvm.svm.problem import Problem
    >>> image = mirrored(Problem([[0], [2]], [-1, 1]))
    >>> image.sign, image.problem.y
    (-1, [1, -1])
    """

    name: str
    problem: NumericProblem
    query: Callable[[Any], Any]
    sign: int = 1
    factor: Number = 1
    added: Number = 0
    whole: bool = True


def permuted(problem: NumericProblem, order: Sequence[int]) -> Image:
    """Put the examples in another order. A row of kernel values is permuted with them."""

    def pick(values: Any) -> Any:
        return [values[i] for i in order]

    given = isinstance(problem.kernel, Precomputed)
    rows = pick(problem.X)
    X = [pick(row) for row in rows] if given else rows
    new = changed_problem(problem, X=X, y=pick(problem.y), bounds=pick(problem.C))
    return Image("permuted", new, pick if given else _same_row)


def _same_row(x: Any) -> Any:
    """Return the row."""
    return x


def mirrored(problem: NumericProblem) -> Image:
    """Turn all labels round: beta becomes -beta."""
    return Image(
        "mirrored", changed_problem(problem, y=[-s for s in problem.y]), _same_row, sign=-1
    )


def split(problem: NumericProblem, i: int) -> Image:
    """Put example i there twice, at half its penalty: the two equal slacks cost what one did."""

    def twice(values: Any) -> Any:
        return [*values, values[i]]

    given = isinstance(problem.kernel, Precomputed)
    X = [twice(row) for row in twice(problem.X)] if given else twice(problem.X)
    C = twice(problem.C)
    C[i] = C[-1] = C[i] / 2
    new = changed_problem(problem, X=X, y=twice(problem.y), bounds=C)
    return Image("split", new, twice if given else _same_row)


def translated(problem: NumericProblem, shift: Sequence[Any]) -> Image:
    """Move every row by the same vector: the offset takes up what <w, shift> adds."""
    new = changed_problem(problem, X=[add(x, shift) for x in problem.X])
    return Image("translated", new, lambda x: add(x, shift))


def scaled(problem: NumericProblem, k: int) -> Image:
    """Multiply rows by 2^k, divide C by 4^k: w is divided by 2^k, and no slack changes."""
    c = Fraction(2) ** k
    X = [scale(c, x) for x in problem.X]
    new = changed_problem(problem, X=X, bounds=[v / c**2 for v in problem.C])
    return Image("scaled", new, partial(scale, c), factor=1 / c**2)


def rotated(problem: NumericProblem, i: int, j: int) -> Image:
    """Turn coordinates i and j by the angle whose cosine is 3/5: no inner product changes."""

    def turn(x: Any) -> Any:
        x = list(x)
        x[i], x[j] = (3 * x[i] - 4 * x[j]) / 5, (4 * x[i] + 3 * x[j]) / 5
        return x

    return Image("turned", changed_problem(problem, X=[turn(x) for x in problem.X]), turn)


def widened(problem: NumericProblem) -> Image:
    """Add a column of zeros at the end: no inner product and no distance changes."""

    def widen(x: Any) -> Any:
        return [*x, Fraction(0)]

    return Image("widened", changed_problem(problem, X=[widen(x) for x in problem.X]), widen)


def with_margin_point(problem: NumericProblem, choice: int) -> Image:
    """Add an example of weight 8, on the margin of a machine that is optimal: it stays optimal.

    It costs that machine nothing, and other machines not less than nothing. Where the optimal
    offset is free it may cut the interval. Linear kernel only; `choice` picks among the places.
    """
    best: Any = solve_exactly(problem)
    w, b = best.w, best.b_low
    corners = [(x, s) for x, s in zip(problem.X, problem.y) if s * (dot(w, x) + b) == 1]
    x, s = corners[choice % len(corners)]
    level = [subtract(z, x) for z in problem.X if z != x and dot(w, z) == dot(w, x)]
    level += _level_directions(w)
    point = add(x, level[choice % len(level)]) if level else x
    new = changed_problem(
        problem, X=[*problem.X, point], y=[*problem.y, s], bounds=[*problem.C, 8]
    )
    return Image("margin point", new, _same_row, whole=False)


def _level_directions(w: Sequence[Any]) -> list[Any]:
    """Return directions in whole numbers along which <w, x> stays: one for each j > 0."""
    directions = []
    for j in range(1, len(w)):
        p, q = (w[j] / w[0]).as_integer_ratio() if w[0] else (1, 0)
        directions.append([Fraction(-p), *[Fraction(0)] * (len(w) - 1)])
        directions[-1][j] = Fraction(q)
    return directions


def with_opposite_pair(problem: NumericProblem, penalty: Fraction) -> Image:
    """Add a row twice, once with either label: where -1 <= f <= 1 the two cost 2 penalty together.

    That is the least they can cost, so a machine that was optimal remains so. The row is the
    first whose f is between. There is one: over the support vectors, the mean of f of the
    positive ones, where f <= 1, is at least that of the negative ones, where f >= -1, since the
    difference is |w|^2 / sum of the positive alpha.
    """
    best: Any = solve_exactly(problem)
    margins = problem.margins(best.alpha, best.b_low)
    i = next(i for i, margin in enumerate(margins) if -1 <= margin <= 1)
    given = isinstance(problem.kernel, Precomputed)

    def twice_more(values: Any) -> Any:
        return [*values, values[i], values[i]]

    X = twice_more(problem.X)
    if given:
        X = [twice_more(row) for row in X]
    new = changed_problem(
        problem, X=X, y=[*problem.y, 1, -1], bounds=[*problem.C, penalty, penalty]
    )
    query = twice_more if given else _same_row
    return Image("opposite pair", new, query, added=2 * penalty, whole=False)
