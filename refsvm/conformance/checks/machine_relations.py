"""Metamorphic relations of check G5 for the machines beside C-SVC: problems on doubles.

    regression     y with the other sign, at another height, in other units     f follows it
    classes        exchanged                                                    f turns its sign
    outliers       features in other units                                      f in their square

and those of every machine: another order, every example twice at half the bound, a feature more,
features from another origin (but of one class with the linear kernel, whose origin counts), an
example of weight 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import frexp
from typing import Any

from ...kernels.standard import Gaussian, Linear, Polynomial, Precomputed
from ..protocol import NumericProblem
from ..protocol.forms import FORMS, bounds_of, changed_problem, form_of_problem, labels_of
from .metamorphic import Transformed

UNIT = 4  # of the units that are changed: a power of two, so that nothing is rounded


def machine_relations(
    problem: NumericProblem, rows: list[Any], weights: bool
) -> Iterator[Transformed]:
    """Yield every Transformed of a problem on floats; weights: whether fit takes them."""
    yield reordered(problem, rows, range(problem.n - 1, -1, -1))
    form: Any = form_of_problem(problem)
    if form.answers == "values":
        yield from _with_other_values(problem, rows)
    if form.answers == "classes":
        y = [-label for label in problem.y]
        other = changed_problem(problem, y=y)
        yield Transformed("the classes exchanged", "LabelOrder", other, rows, sign=-1)
    if all(c / 2 * 2 == c for c in bounds_of(problem)):
        yield doubled(problem, rows)
    if not isinstance(problem.kernel, Precomputed):
        yield from _with_other_features(problem, rows)
    if weights and problem.kernel.has_rows:
        name = "an example of weight 0 added"
        yield Transformed(name, "ZeroWeight", problem, rows, weightless=True)


def reordered(problem: NumericProblem, rows: list[Any], order: Sequence[int]) -> Transformed:
    """Return the problem with its examples in another order, and their kernel values."""

    def pick(values: Any) -> Any:
        return [values[i] for i in order]

    X = pick(problem.X)
    if isinstance(problem.kernel, Precomputed):
        X, rows = list(map(pick, X)), list(map(pick, rows))
    other = changed_problem(
        problem, X=X, y=pick(labels_of(problem)), bounds=pick(bounds_of(problem))
    )
    return Transformed("the examples in another order", "ExampleOrder", other, rows)


def doubled(problem: NumericProblem, rows: list[Any]) -> Transformed:
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
    name = "y, C and epsilon in other units"
    yield Transformed(name, "TargetScale", larger, rows, sign=UNIT)


def _with_other_features(problem: NumericProblem, rows: list[Any]) -> Iterator[Transformed]:
    """Yield a feature more, features in other units, from another origin, and turned."""
    n, kernel = problem.n, problem.kernel
    wider = [[*x, 0.0] for x in rows]
    other = changed_problem(problem, X=[[*x, 0.0] for x in problem.X])
    yield Transformed("a feature more, always zero", "ZeroColumn", other, wider)
    if isinstance(kernel, (Linear, Gaussian, Polynomial)):
        larger = [[UNIT * v for v in x] for x in rows]
        yield _remade(problem, larger, "the features times 4", "Scale", UNIT * UNIT)
    is_free = not (isinstance(kernel, Linear) and form_of_problem(problem) is FORMS["one_class"])
    there = [[v + 3 for v in x] for x in rows]
    exact = all(u - 3 == v for x, z in zip(rows, there) for v, u in zip(x, z))
    if isinstance(kernel, (Linear, Gaussian)) and is_free and exact:
        other = changed_problem(problem, X=there[:n])
        yield Transformed("3 added to every feature", "Translation", other, there)
    if isinstance(kernel, (Linear, Gaussian)) and len(rows[0]) == 2:
        turned = [[p + q, p - q] for p, q in rows]
        if all([(p + q) / 2, (p - q) / 2] == row for row, (p, q) in zip(rows, turned)):
            yield _remade(problem, turned, "turned by 45 degrees", "Rotation", 2)


def _remade(
    problem: NumericProblem, rows: list[Any], name: str, flag: str, factor: int
) -> Transformed:
    """Return the problem on rows whose inner products are `factor` times the others'.

    gamma makes that good again; of the linear kernel C does in regression. Where there is no C
    that could, decisions have the factor; those of nu-classification are divided by it.
    """
    n, kernel, form = problem.n, problem.kernel, form_of_problem(problem)
    changes: dict[str, Any] = {"X": rows[:n]}
    sign = 1
    if isinstance(kernel, Gaussian):
        changes["kernel"] = Gaussian(kernel.gamma / factor)
    elif isinstance(kernel, Polynomial):
        changes["kernel"] = Polynomial(kernel.degree, kernel.gamma / factor, kernel.coef0)
    elif form is not None and form.answers == "values":
        changes["bounds"] = [c / factor for c in bounds_of(problem)]
    elif form is not None and form.answers == "outliers":
        sign = factor
    return Transformed(name, flag, changed_problem(problem, **changes), rows, sign=sign)
