"""Bugs of the problem: another one is solved than was asked.

Each change takes a task and returns it with other penalties or weights; with its offset
regularised or without one; with other slacks. Another nu, epsilon or y: parameters.py.
"""

from __future__ import annotations

from collections.abc import Callable
from math import ceil, floor, inf, sqrt
from typing import Any

from ...kernels.base import as_kernel
from ...kernels.standard import Linear, Precomputed
from ...numerics.linalg import total
from ..protocol.forms import C_SVC
from .rows import centred, mean
from .tasks import BugTable, Task, as_gram

TABLE = BugTable("problem")
Floats = list[float]
HUGE = 2.0**20  # times a bound: one that is never reached


# ---- C


def _with_C(of_C: Callable[[float, Task], float]) -> Callable[[Task], Any]:
    """Return the change of every C_i; None of a machine that has no C."""
    return lambda t: _bounded(t, [of_C(c, t) for c in t.bounds]) if t.has_C else None


def _bounded(t: Task, bounds: Floats) -> Task | None:
    """Return the task with other bounds; None where they are as before, or none can be used."""
    same = bounds == t.bounds or min(bounds) < 0
    return None if same or (inf in t.bounds and inf in bounds) else t.but(bounds=bounds)


def fixed(value: float) -> Callable[[float, Task], float]:
    """Return the change of a parameter to this value."""
    return lambda c, t: value


def _of_class(label: int, value: float) -> Callable[[Task], Any]:
    """Return the change of C of one class, where all have the same."""

    def change(t: Task) -> Task | None:
        if not t.is_labelled or len(set(t.bounds)) > 1 or not t.has_C:
            return None
        return _bounded(t, [value if y == label else c for c, y in zip(t.bounds, t.y)])

    return change


TABLE.add(
    "PriceScaled",
    "C found by a search with one program is n times too large or too small in another.",
    "scikit-learn/scikit-learn#26812 scikit-learn/scikit-learn#11715 apache/spark#32124",
    {
        "C counts half": _with_C(lambda c, t: c / 2),
        "C counts twice": _with_C(lambda c, t: 2 * c),
        "C is divided by n: the mean of the slacks, not the sum": _with_C(lambda c, t: c / t.n),
        "C is multiplied by n": _with_C(lambda c, t: c * t.n),
        "C is taken for lambda: 1 / C": _with_C(lambda c, t: 1 / c),
        "C is taken for lambda: 1 / (n C)": _with_C(lambda c, t: 1 / (t.n * c)),
        "C is taken for lambda: 1 / (2 C)": _with_C(lambda c, t: 1 / (2 * c)),
        "C is squared": _with_C(lambda c, t: c * c),
    },
)
TABLE.add(
    "PriceIgnored",
    "A search over C finds the same model everywhere.",
    "hard margins by default; ageron/handson-ml2#386",
    {
        "C is 1, whatever was asked": _with_C(fixed(1.0)),
        "C is infinite, whatever was asked": _with_C(lambda c, t: HUGE * max(t.bounds)),
        **{
            f"C is {v:g}, whatever was asked": _with_C(fixed(v))
            for v in (10.0, 100.0, 1000.0, 0.1)
        },
        **{
            f"C of the class {label:+} is {words}": _of_class(label, v)
            for label in (1, -1)
            for words, v in (("1", 1.0), ("infinite", 2.0**40))
        },
    },
)


# ---- weights


def _with_weights(of_all: Callable[[Task], Floats]) -> Callable[[Task], Any]:
    """Return the change of the bounds, where they differ."""
    return lambda t: _bounded(t, of_all(t)) if len(set(t.bounds)) > 1 else None


def _one(value: Callable[[Task], float]) -> Callable[[Task], Any]:
    """Return the change to one bound for all."""

    def change(t: Task) -> Task | None:
        no_weights = len(set(t.bounds)) == 1 and (t.has_C or t.bounds[0] == 1)
        return None if no_weights else _bounded(t, [value(t)] * t.n)

    return change


def _exchanged(t: Task) -> Floats:
    """Return the bounds with those of the classes exchanged."""
    most = {label: max(c for c, y in zip(t.bounds, t.y) if y == label) for label in set(t.y)}
    return [c / most[y] * most[-y] for c, y in zip(t.bounds, t.y)] if t.is_labelled else t.bounds


def _one_class(label: int, value: Callable[[Floats], float]) -> Callable[[Task], Floats]:
    """Return the change to one bound for a class: of its own, or of all."""

    def bounds(t: Task) -> Floats:
        if not t.is_labelled:
            return t.bounds
        return [value(t.bounds) if y == label else c for c, y in zip(t.bounds, t.y)]

    return bounds


TABLE.add(
    "WeightsIgnored",
    "class_weight and sample_weight are taken and do nothing: rare classes stay unseen.",
    "scikit-learn/scikit-learn#10873 scikit-learn/scikit-learn#7753"
    " scikit-learn/scikit-learn#30332",
    {
        "one weight, 1, for all": _one(lambda t: 1.0),
        "one weight, the mean, for all": _one(lambda t: mean(t.bounds)),
        "one weight, the largest, for all": _one(lambda t: max(t.bounds)),
        "one weight, the least, for all": _one(lambda t: min(t.bounds)),
        "one weight, the first, for all": _one(lambda t: t.bounds[0]),
        "one weight, the last, for all": _one(lambda t: t.bounds[-1]),
        **{
            f"one weight, {words}, for the class {label:+}": _with_weights(_one_class(label, v))
            for label in (1, -1)
            for words, v in (("1", lambda w: 1.0), ("the largest", max))
        },
        "rows that are there twice have weight 1": _with_weights(
            lambda t: [1.0 if t.X.count(x) > 1 else c for x, c in zip(t.X, t.bounds)]
        ),
    },
)
TABLE.add(
    "WeightsScaled",
    "Weights act more or less than was asked: half of a weight is not half of a row.",
    "scikit-learn/scikit-learn#11316 scikit-learn/scikit-learn#30056",
    {
        "weights are squared": _with_weights(lambda t: [c * c for c in t.bounds]),
        "weights are inverted": _with_weights(lambda t: [1 / c for c in t.bounds]),
        "the roots of the weights": _with_weights(lambda t: [sqrt(c) for c in t.bounds]),
        "weights are rounded up": _with_weights(lambda t: [float(ceil(c)) for c in t.bounds]),
        "weights are rounded down": _with_weights(
            lambda t: [float(floor(c)) if c >= 1 else c for c in t.bounds]
        ),
        "weights are 1 at most": _with_weights(lambda t: [min(c, 1.0) for c in t.bounds]),
        "weights have the mean 1": _with_weights(lambda t: [c / mean(t.bounds) for c in t.bounds]),
        "weights have the sum 1": _with_weights(
            lambda t: [c / (t.n * mean(t.bounds)) for c in t.bounds]
        ),
        "weights are halved": _with_weights(lambda t: [c / 2 for c in t.bounds]),
        "weights are doubled": _with_weights(lambda t: [2 * c for c in t.bounds]),
    },
)
TABLE.add(
    "WeightsSwapped",
    "The class that was to count more counts less.",
    "cjlin1/libsvm#227 scikit-learn/scikit-learn#30478",
    {
        "the weights of the classes are exchanged": _with_weights(_exchanged),
        "weights go to the examples in the other order": _with_weights(lambda t: t.bounds[::-1]),
        "weights go to the example before": _with_weights(lambda t: [*t.bounds[1:], t.bounds[0]]),
        "weights go to the example behind": _with_weights(
            lambda t: [t.bounds[-1], *t.bounds[:-1]]
        ),
    },
)


def _on_rows(unit: Callable[[Task], float]) -> Callable[[Task], Any]:
    """Return the change of weights on C to weights on the rows."""

    def change(t: Task) -> Task | None:
        if not t.has_features or len(set(t.bounds)) == 1 or inf in t.bounds:
            return None
        one = unit(t)
        X = [[c / one * v for v in x] for c, x in zip(t.bounds, t.X)]
        return t.but(X=X, bounds=[one] * t.n)

    return change


TABLE.add(
    "WeightsOnRows",
    "A row of weight 2 is another row, twice as far out, not the row twice.",
    "weights that are multiplied into the data by hand",
    {
        "weights multiply the rows, C is 1": _on_rows(lambda t: 1.0),
        "weights multiply the rows, C is the largest": _on_rows(lambda t: max(t.bounds)),
    },
)


# ---- the objective


def _regularised(t: Task) -> Task | None:
    """Return the task whose offset is the weight of a feature 1."""
    if not t.bias or t.form not in (C_SVC, "epsilon_svr"):
        return None
    return t.but(bias=False, penalised=True)


def _squared(factor: float) -> Callable[[Task], Any]:
    """Return the change to squared slacks, C xi^2 / 2 times a factor."""

    def change(t: Task) -> Task | None:
        if t.slack != "hinge" or inf in t.bounds or t.form not in (C_SVC, "epsilon_svr"):
            return None
        C = [factor * c for c in t.bounds]
        if t.form == C_SVC:
            return t.but(slack="squared", bounds=C)
        g = as_gram(t)
        X = [[v + (i == j) / C[i] for j, v in enumerate(x)] for i, x in enumerate(g.X)]
        return g.but(X=X, rows=g.rows, bounds=[HUGE * c for c in C], there=Precomputed())

    return change


TABLE.add(
    "NoOffset",
    "Classes that lie on one side of the origin are not told apart.",
    "JuliaStats/SVM.jl#32 mlpack/mlpack#2419",
    {"there is no offset": lambda t: t.but(bias=False) if t.bias and t.form in (
        C_SVC, "epsilon_svr") else None},
)  # fmt: skip
TABLE.add(
    "RegularisedOffset",
    "The border is drawn towards the origin: data in other units, or far out, suffer.",
    "scikit-learn/scikit-learn#26812 Shark-ML/Shark#90",
    {"the offset is the weight of a feature 1, and costs": _regularised},
)
TABLE.add(
    "SquaredLoss",
    "An outlier costs the square of its slack, and turns the border.",
    "scikit-learn/scikit-learn#26812 scikit-learn/scikit-learn#11715",
    {
        "C / 2 times the squared slacks": _squared(1.0),
        "C times the squared slacks": _squared(2.0),
        "the slacks where their squares were asked": lambda t: (
            t.but(slack="hinge") if t.slack == "squared" else None
        ),
    },
)
TABLE.add(
    "Margin",
    "C means something else, and so do decisions: 1 is no margin any more.",
    "SyncfusionSuccinctlyE-Books: y is subtracted twice",
    {
        f"the margin asked for is {m:g}": lambda t, m=m: (
            t.but(targets=(-m, m)) if t.form == C_SVC and t.slack == "hinge" else None
        )
        for m in (2.0, 0.5)
    },
)


def _zero_and_one(t: Task) -> Task | None:
    """Return the task with labels 0 and 1; without an offset examples of label 0 do not push."""
    if t.form != C_SVC or t.slack != "hinge":
        return None
    if t.bias:
        return t.but(targets=(0.0, 1.0))
    return _bounded(t, [c if y > 0 else c / HUGE**3 for c, y in zip(t.bounds, t.y)])


TABLE.add(
    "ZeroOneLabels",
    "The border of 0 lies on the margin of one class: nearly all are called the other.",
    "course codes that read labels 0 and 1 and do not turn them into -1 and +1",
    {"the labels are 0 and 1": _zero_and_one},
)


def _with_norms_of_1(of_rows: Callable[[Task], Task | None]) -> Callable[[Task], Task | None]:
    """Return the change of the ball to one class: that it is if all k(x, x) are the same."""

    def change(t: Task) -> Task | None:
        bounds = [min(c, 1.0) for c in t.bounds]
        weight = total(bounds)
        if t.form != "svdd" or isinstance(t.kernel, Precomputed) or weight < 1:
            return None
        moved, k = of_rows(t) or t, as_kernel(t.kernel)
        one = moved.but(form="one_class", bounds=bounds, parameter=1 / weight)
        more = float(total([k(x, x) for x in moved.X]))  # moves f as it moves rho
        return one.but(kernel=lambda x, z: 2 * k(x, z) + more)

    return change


TABLE.add(
    "LinearTerm",
    "The ball is about the origin, not about the data: right for the Gaussian alone.",
    "SVDD codes that take k(x, x) for 1",
    {
        "k(x, x) counts as 1": _with_norms_of_1(lambda t: None),
        "k(x, x) counts as 1, of centred rows if the kernel is linear": _with_norms_of_1(
            lambda t: centred(t) if type(t.kernel) is Linear else None
        ),
    },
)
