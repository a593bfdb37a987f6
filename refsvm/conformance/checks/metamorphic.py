"""Metamorphic relations: transformed problems whose optimum follows from the original's.

The exact relations, an Image each, are for search (strategies.py): with them a program is tested
against itself, and no reference is needed. All numbers are Fractions; the proofs are in the
docstrings. f is what an optimal machine says of a row: any number of s(x) + [b_low, b_high].

The relations of check G5, a Transformed each, are for the audit: the same problem, on doubles, and
none is tried where doubles would have to round. Of many examples the order alone is changed, to
one drawn at random, which is cheap.

    order     the examples the other way round         sign       the classes exchanged
    twice     every example twice, at half the penalty stretched  the features times 4
    column    a feature more, which is always zero     moved      3 added to each feature
    turned    by 45 degrees, and stretched by sqrt 2   absent     an example more, of weight 0

Source: Murphy, Kaiser, Hu, Wu, SEKE 2008, pages 867-872, for the list of relations.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from math import isfinite
from typing import Any, NamedTuple

from ...kernels.base import Kernel
from ...kernels.standard import Gaussian, Linear, Polynomial, Precomputed, Sigmoid
from ...numerics.display import displayed
from ...numerics.linalg import add, dot, scale, subtract
from ...numerics.picks import shuffle, splitmix64
from ...numerics.types import Number
from ...proofs.optimum import solve_exactly
from ...svm.problem import Problem
from ..protocol import NumericProblem
from ..protocol.forms import changed_problem, form_of_problem


def with_changes(problem: NumericProblem, **changes: Any) -> NumericProblem:
    """Return the problem with some of its arguments changed; C of any machine are its bounds."""
    if form_of_problem(problem) is not None:
        bounds = {"bounds": changes.pop("C")} if "C" in changes else {}
        return changed_problem(problem, **changes, **bounds)
    kept = {name: getattr(problem, name) for name in ("X", "y", "kernel", "C", "bias", "slack")}
    return Problem(**{**kept, **changes})


# ---- exact relations


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
    new = with_changes(problem, X=X, y=pick(problem.y), C=pick(problem.C))
    return Image("permuted", new, pick if given else _same_row)


def _same_row(x: Any) -> Any:
    """Return the row."""
    return x


def mirrored(problem: NumericProblem) -> Image:
    """Turn all labels round: beta becomes -beta."""
    return Image("mirrored", with_changes(problem, y=[-s for s in problem.y]), _same_row, sign=-1)


def split(problem: NumericProblem, i: int) -> Image:
    """Put example i there twice, at half its penalty: the two equal slacks cost what one did."""

    def twice(values: Any) -> Any:
        return [*values, values[i]]

    given = isinstance(problem.kernel, Precomputed)
    X = [twice(row) for row in twice(problem.X)] if given else twice(problem.X)
    C = twice(problem.C)
    C[i] = C[-1] = C[i] / 2
    new = with_changes(problem, X=X, y=twice(problem.y), C=C)
    return Image("split", new, twice if given else _same_row)


def translated(problem: NumericProblem, shift: Sequence[Any]) -> Image:
    """Move every row by the same vector: the offset takes up what <w, shift> adds."""
    new = with_changes(problem, X=[add(x, shift) for x in problem.X])
    return Image("translated", new, lambda x: add(x, shift))


def scaled(problem: NumericProblem, k: int) -> Image:
    """Multiply rows by 2^k, divide C by 4^k: w is divided by 2^k, and no slack changes."""
    c = Fraction(2) ** k
    X = [scale(c, x) for x in problem.X]
    new = with_changes(problem, X=X, C=[v / c**2 for v in problem.C])
    return Image("scaled", new, partial(scale, c), factor=1 / c**2)


def rotated(problem: NumericProblem, i: int, j: int) -> Image:
    """Turn coordinates i and j by the angle whose cosine is 3/5: no inner product changes."""

    def turn(x: Any) -> Any:
        x = list(x)
        x[i], x[j] = (3 * x[i] - 4 * x[j]) / 5, (4 * x[i] + 3 * x[j]) / 5
        return x

    return Image("turned", with_changes(problem, X=[turn(x) for x in problem.X]), turn)


def widened(problem: NumericProblem) -> Image:
    """Add a column of zeros at the end: no inner product and no distance changes."""

    def widen(x: Any) -> Any:
        return [*x, Fraction(0)]

    return Image("widened", with_changes(problem, X=[widen(x) for x in problem.X]), widen)


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
    new = with_changes(problem, X=[*problem.X, point], y=[*problem.y, s], C=[*problem.C, 8])
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
    new = with_changes(problem, X=X, y=[*problem.y, 1, -1], C=[*problem.C, penalty, penalty])
    query = twice_more if given else _same_row
    return Image("opposite pair", new, query, added=2 * penalty, whole=False)


# ---- relations on doubles, for check G5


class Transformed(NamedTuple):
    """A problem made from another: its decisions are those of the other, times sign, plus added.

    The sign is a factor, for the machines whose decisions have a unit. The order is that of the
    examples, if nothing else is changed: then the optimum is known.
    """

    name: str
    flag: str
    problem: NumericProblem
    rows: list[Any]
    sign: Any = 1
    weightless: bool = False  # whether an example of weight 0 is to be put after the last
    added: Any = 0
    order: Sequence[int] | None = None


def transformed_problems(
    problem: NumericProblem, rows: list[Any], weights: bool
) -> list[Transformed]:
    """Return every Transformed of a problem on floats; weights: whether fit takes them."""
    order = range(problem.n - 1, -1, -1)
    made = [reordered(problem, rows, order), relabelled(problem, rows), doubled(problem, rows)]
    if isinstance(problem.kernel, (Linear, Gaussian, Polynomial, Sigmoid)):
        made += [_zero_column(problem, rows), stretched(problem, rows)]
    if isinstance(problem.kernel, (Linear, Gaussian)):
        made += [moved(problem, rows), turned(problem, rows)]
    if weights and problem.kernel.has_rows:
        name = "an example of weight 0 added"
        made.append(Transformed(name, "ZeroWeight", problem, rows, weightless=True))
    return [transformed for transformed in made if transformed is not None]


def shuffled(problem: NumericProblem, rows: list[Any]) -> Transformed:
    """Put the examples in an order drawn at random."""
    return reordered(problem, rows, shuffle(range(problem.n), splitmix64(problem.n)))


def reordered(problem: NumericProblem, rows: list[Any], order: Sequence[int]) -> Transformed:
    """Put the examples in another order; so are the entries of rows of kernel values."""

    def pick(values: Any) -> Any:
        return [values[i] for i in order]

    X = pick(problem.X)
    if isinstance(problem.kernel, Precomputed):
        X, rows = list(map(pick, X)), list(map(pick, rows))
    other = with_changes(problem, X=X, C=pick(problem.C), y=pick(problem.y))
    return Transformed("the examples in another order", "ExampleOrder", other, rows, order=order)


def relabelled(problem: NumericProblem, rows: list[Any]) -> Transformed:
    """Exchange the classes."""
    other = with_changes(problem, y=[-label for label in problem.y])
    return Transformed("the classes exchanged", "LabelOrder", other, rows, sign=-1)


def doubled(problem: NumericProblem, rows: list[Any]) -> Transformed | None:
    """Put every example there twice, each copy at half the penalty."""
    X = [*problem.X, *problem.X]
    if isinstance(problem.kernel, Precomputed):
        X, rows = [row + row for row in X], [row + row for row in rows]
    half = [c / 2 for c in problem.C] * 2
    if not all(2 * h == c for h, c in zip(half, problem.C)):
        return None
    other = with_changes(problem, X=X, C=half, y=[*problem.y, *problem.y])
    return Transformed("every example twice at half the penalty", "Duplicates", other, rows)


def _zero_column(problem: NumericProblem, rows: list[Any]) -> Transformed:
    """Add a feature, which is always zero."""
    other = with_changes(problem, X=[[*x, 0.0] for x in problem.X])
    there = [[*x, 0.0] for x in rows]
    return Transformed("a feature more, always zero", "ZeroColumn", other, there)


def stretched(problem: NumericProblem, rows: list[Any]) -> Transformed | None:
    """Multiply the features by 4, which the kernel's own gamma or C makes good again."""

    def stretch(X: list[Any]) -> list[Any]:
        return [[4 * v for v in x] for x in X]

    there = stretch(rows)
    if not all(isfinite(v) for x in there for v in x):
        return None
    kernel, C = _counteract(problem.kernel, problem.C, 16)
    other = with_changes(problem, X=stretch(problem.X), C=C, kernel=kernel)
    return Transformed("the features times 4", "Scale", other, there)


def _counteract(kernel: Any, C: list[Any], factor: int) -> tuple[Kernel, list[Any]]:
    """Return the kernel and C that undo a factor (a power of 2) of inner products."""
    if type(kernel) is Linear:
        return kernel, [c / factor for c in C]
    if type(kernel) is Gaussian:
        return Gaussian(kernel.gamma / factor), C
    if type(kernel) is Polynomial:
        return Polynomial(kernel.degree, kernel.gamma / factor, kernel.coef0), C
    return Sigmoid(kernel.gamma / factor, kernel.coef0), C


def moved(problem: NumericProblem, rows: list[Any]) -> Transformed | None:
    """Add 3 to every feature."""
    if type(problem.kernel) is Linear and not problem.bias:
        return None
    there = [[v + 3 for v in x] for x in rows]
    if any(u - 3 != v for x, z in zip(rows, there) for v, u in zip(x, z)):
        return None
    other = with_changes(problem, X=[[v + 3 for v in x] for x in problem.X])
    return Transformed("3 added to every feature", "Translation", other, there)


def turned(problem: NumericProblem, rows: list[Any]) -> Transformed | None:
    """Turn two features by 45 degrees and stretch them by sqrt 2: x + z, x - z."""
    if len(problem.X[0]) != 2:
        return None
    there = [[p + q, p - q] for p, q in rows]
    if any([(p + q) / 2, (p - q) / 2] != row for row, (p, q) in zip(rows, there)):
        return None
    kernel, C = _counteract(problem.kernel, problem.C, 2)
    other = with_changes(problem, X=there[: problem.n], C=C, kernel=kernel)
    return Transformed("turned by 45 degrees", "Rotation", other, there)
