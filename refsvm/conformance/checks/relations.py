"""G5, the metamorphic relations: the same problem on doubles, asked in another way.

    order     the examples the other way round          sign       the classes exchanged
    twice     every example twice, at half the bound    stretched  the features times 4
    column    a feature more, which is always zero      moved      3 added to each feature
    turned    by 45 degrees, and stretched by sqrt 2    absent     an example more, of weight 0
    values    y with the other sign, at another height, in other units

None is tried where doubles would have to round. Of many examples the order alone is changed, to
one drawn at random, which is cheap.

Source: Murphy, Kaiser, Hu, Wu, SEKE 2008, pages 867-872, for the list of relations.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import frexp, isfinite
from typing import Any, NamedTuple

from ...kernels.standard import Gaussian, Linear, Polynomial, Precomputed, Sigmoid
from ...numerics.picks import shuffle, splitmix64
from ..protocol import NumericProblem
from ..protocol.forms import bounds_of, changed_problem, form_of_problem, labels_of

UNIT = 4  # of the units that are changed: a power of two, so that nothing is rounded


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
) -> Iterator[Transformed]:
    """Yield every Transformed of a problem on floats; weights: whether fit takes them."""
    form, kernel = form_of_problem(problem), problem.kernel
    yield _reordered(problem, rows, range(problem.n - 1, -1, -1))
    if form is None or form.answers == "classes":
        other = changed_problem(problem, y=[-label for label in problem.y])
        yield Transformed("the classes exchanged", "LabelOrder", other, rows, sign=-1)
    elif form.answers == "values":
        yield from _with_other_values(problem, rows)
    if all(c / 2 * 2 == c for c in bounds_of(problem)):
        yield _doubled(problem, rows)
    if isinstance(kernel, (Linear, Gaussian, Polynomial, Sigmoid)):
        yield from _with_other_features(problem, rows)
    if isinstance(kernel, (Linear, Gaussian)):
        yield from _from_another_place(problem, rows)
    if weights and kernel.has_rows:
        name = "an example of weight 0 added"
        yield Transformed(name, "ZeroWeight", problem, rows, weightless=True)


def shuffled(problem: NumericProblem, rows: list[Any]) -> Transformed:
    """Return the problem with its examples in an order drawn at random."""
    return _reordered(problem, rows, shuffle(range(problem.n), splitmix64(problem.n)))


def _reordered(problem: NumericProblem, rows: list[Any], order: Sequence[int]) -> Transformed:
    """Return the problem with its examples in another order, and their kernel values."""

    def pick(values: Any) -> Any:
        return [values[i] for i in order]

    X = pick(problem.X)
    if isinstance(problem.kernel, Precomputed):
        X, rows = list(map(pick, X)), list(map(pick, rows))
    changes = {"y": pick(labels_of(problem)), "bounds": pick(bounds_of(problem))}
    other = changed_problem(problem, X=X, **changes)
    return Transformed("the examples in another order", "ExampleOrder", other, rows, order=order)


def _doubled(problem: NumericProblem, rows: list[Any]) -> Transformed:
    """Return the problem with every example twice, each copy at half the bound."""
    X = [*problem.X, *problem.X]
    if isinstance(problem.kernel, Precomputed):
        X, rows = [row + row for row in X], [row + row for row in rows]
    half = [c / 2 for c in bounds_of(problem)] * 2
    other = changed_problem(problem, X=X, y=labels_of(problem) * 2, bounds=half)
    return Transformed("every example twice at half the weight", "Duplicates", other, rows)


def _with_other_values(problem: NumericProblem, rows: list[Any]) -> Iterator[Transformed]:
    """Yield regression of -y, of y and a constant, and of y in other units."""
    y = problem.y
    turned = changed_problem(problem, y=[-v for v in y])
    yield Transformed("y with the other sign", "TargetSign", turned, rows, sign=-1)
    step = 2.0 ** frexp(max(y) - min(y))[1]
    if all(v + step - step == v for v in y):
        higher = changed_problem(problem, y=[v + step for v in y])
        yield Transformed(f"y + {step:g}", "TargetShift", higher, rows, added=step)
    bounds = [UNIT * c for c in bounds_of(problem)]
    changes = {"epsilon": UNIT * problem.epsilon} if hasattr(problem, "epsilon") else {}
    larger = changed_problem(problem, y=[UNIT * v for v in y], bounds=bounds, **changes)
    yield Transformed("y, C and epsilon in other units", "TargetScale", larger, rows, sign=UNIT)


def _with_other_features(problem: NumericProblem, rows: list[Any]) -> Iterator[Transformed]:
    """Yield a feature more, and features in other units."""
    other = changed_problem(problem, X=[[*x, 0.0] for x in problem.X])
    yield Transformed(
        "a feature more, always zero", "ZeroColumn", other, [[*x, 0.0] for x in rows]
    )
    larger = [[UNIT * v for v in x] for x in rows]
    if all(isfinite(v) for x in larger for v in x):
        yield _remade(problem, larger, "the features times 4", "Scale", UNIT * UNIT)


def _from_another_place(problem: NumericProblem, rows: list[Any]) -> Iterator[Transformed]:
    """Yield features from another origin, where it does not count, and two of them turned."""
    form, is_linear = form_of_problem(problem), isinstance(problem.kernel, Linear)
    is_fixed = not problem.bias if form is None else form.name == "one_class"
    there = [[v + 3 for v in x] for x in rows]
    is_exact = all(u - 3 == v for x, z in zip(rows, there) for v, u in zip(x, z))
    if is_exact and not (is_linear and is_fixed):
        other = changed_problem(problem, X=there[: problem.n])
        yield Transformed("3 added to every feature", "Translation", other, there)
    if len(rows[0]) == 2:
        turned = [[p + q, p - q] for p, q in rows]
        if all([(p + q) / 2, (p - q) / 2] == row for row, (p, q) in zip(rows, turned)):
            yield _remade(problem, turned, "turned by 45 degrees", "Rotation", 2)


def _remade(
    problem: NumericProblem, rows: list[Any], name: str, flag: str, factor: int
) -> Transformed:
    """Return the problem on rows whose inner products are `factor` times the others'.

    gamma makes that good again; of the linear kernel C does. Where there is no C that could,
    decisions have the factor; those of nu-classification are divided by it.
    """
    kernel, form = problem.kernel, form_of_problem(problem)
    changes: dict[str, Any] = {"X": rows[: problem.n]}
    sign = 1
    if isinstance(kernel, Gaussian):
        changes["kernel"] = Gaussian(kernel.gamma / factor)
    elif isinstance(kernel, Polynomial):
        changes["kernel"] = Polynomial(kernel.degree, kernel.gamma / factor, kernel.coef0)
    elif isinstance(kernel, Sigmoid):
        changes["kernel"] = Sigmoid(kernel.gamma / factor, kernel.coef0)
    elif form is None or form.answers == "values":
        changes["bounds"] = [c / factor for c in bounds_of(problem)]
    elif form.answers == "outliers":
        sign = factor
    return Transformed(name, flag, changed_problem(problem, **changes), rows, sign=sign)
