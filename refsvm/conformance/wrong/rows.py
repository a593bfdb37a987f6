"""Bugs of the rows: what a program reads is not what it was given.

Each change takes a task and returns it with other rows: in training and when it decides, in
training only, or when it decides only.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf, sqrt
from struct import pack, unpack
from typing import Any

from ...numerics.linalg import dot, total
from .tasks import BugTable, Task, keep

TABLE = BugTable("rows")
Row = list[float]
Rows = list[Row]
OfTask = Callable[[Task], Any]
BLOCKS = (4, 8, 16)
FIRST_FEATURES = (1, 2, 3, 4, 8, 16, 32, 64)  # features that are read
FIRST_EXAMPLES = (8, 10, 12, 16, 20, 32, 50, 64, 100, 128)  # examples that are read


def both(of_row: Callable[[Row], Row]) -> OfTask:
    """Return the change of every row, in training and when it decides."""
    return lambda t: _with_rows(t, [of_row(x) for x in t.X], [of_row(x) for x in t.rows])


def _in_fit(of_row: Callable[[Row], Row]) -> OfTask:
    """Return the change of the examples only."""
    return lambda t: _with_rows(t, [of_row(x) for x in t.X], t.rows)


def deciding(of_row: Callable[[Row], Row]) -> OfTask:
    """Return the change of the rows to decide about only."""
    return lambda t: _with_rows(t, t.X, [of_row(x) for x in t.rows])


def _with_rows(task: Task, X: Rows, rows: Rows) -> Task | None:
    """Return the task with other rows of features; None of strings and Gram matrices."""
    if not task.has_features or max(abs(v) for x in [*X, *rows] for v in x) == inf:
        return None
    return task.but(X=X, rows=rows)


def each(of_value: Callable[[float], float]) -> Callable[[Row], Row]:
    """Return the change of a row that changes each value."""
    return lambda x: [of_value(v) for v in x]


def single(v: float) -> float:
    """Return the nearest number of single precision; infinity beyond them."""
    return float(unpack("f", pack("f", v))[0]) if abs(v) < 3.4e38 else inf


def _half(v: float) -> float:
    return float(unpack("e", pack("e", max(-65504.0, min(65504.0, v))))[0])


def _whole(v: float) -> float:
    return float(int(v))


TABLE.add(
    "Float32Rows",
    "Features that differ after the seventh digit are the same: years, prices, times in seconds.",
    "cjlin1/libsvm#225 scikit-learn/scikit-learn#30353",
    {
        "rows are kept in single precision": both(each(single)),
        "rows are kept in half precision": both(each(_half)),
        "rows are in single precision when it trains only": _in_fit(each(single)),
        "rows are in single precision when it decides only": deciding(each(single)),
        "rows are in half precision when it trains only": _in_fit(each(_half)),
    },
)
TABLE.add(
    "RowsRounded",
    "Shares and rates, which are below 1, are all 0: nothing is learnt from them.",
    "numpy arrays of integers that take floats; CSV readers that guess a type",
    {
        "rows are cut to whole numbers": both(each(_whole)),
        "rows are rounded to whole numbers": both(each(lambda v: float(round(v)))),
        "rows are rounded to two digits": both(each(lambda v: round(v, 2))),
        "rows are cut to whole numbers when it trains only": _in_fit(each(_whole)),
        "rows are cut to whole numbers when it decides only": deciding(each(_whole)),
    },
)


# ---- scaled in silence


def _scaled(
    origin: Callable[[Row], float], size: Callable[[Row], float], where: str = "both"
) -> OfTask:
    """Return the change to (x - origin) / size of each column.

    where: "both", by the examples; "apart", the rows to decide about by themselves; "there", these
    alone; "here", the examples alone
    """

    def change(t: Task) -> Task | None:
        if not t.has_features:
            return None
        there = t.rows if where == "apart" else t.X
        X = _columns_moved(t.X, t.X, origin, size) if where in ("both", "here") else t.X
        rows = t.rows if where == "here" else _columns_moved(t.rows, there, origin, size)
        return _with_rows(t, X, rows)

    return change


def _columns_moved(
    rows: Rows, by: Rows, origin: Callable[[Row], float], size: Callable[[Row], float]
) -> Rows:
    """Return the rows with each column moved and stretched as the columns of others say."""
    places = [(origin(list(c)), size(list(c)) or 1.0) for c in zip(*by)]
    return [[(v - o) / s for v, (o, s) in zip(x, places)] for x in rows]


def mean(c: Sequence[float]) -> float:
    """Return the mean."""
    return float(total(list(c))) / len(c)


def deviation(c: Sequence[float], less: int = 0) -> float:
    """Return the root of the mean squared distance from the mean; over n - less."""
    m = mean(c)
    return sqrt(float(total([(v - m) * (v - m) for v in c])) / max(1, len(c) - less))


def _one(c: Row) -> float:
    return 1.0


def _length_one(x: Row) -> Row:
    size = sqrt(float(dot(x, x)))
    return [v / size for v in x] if size else x


def _largest_one(x: Row) -> Row:
    size = max(map(abs, x), default=0.0)
    return [v / size for v in x] if size else x


TABLE.add(
    "HiddenScaling",
    "C and gamma are those of other features than the ones given, without a word.",
    "programs that standardise as a kindness; scikit-learn/scikit-learn#12741",
    {
        "columns are standardised": _scaled(mean, deviation),
        "columns are standardised, over n - 1": _scaled(mean, lambda c: deviation(c, 1)),
        "columns are divided by their deviation": _scaled(lambda c: 0.0, deviation),
        "columns are scaled to 0 .. 1": _scaled(min, lambda c: max(c) - min(c)),
        "columns are scaled to -1 .. 1": _scaled(
            lambda c: (min(c) + max(c)) / 2, lambda c: (max(c) - min(c)) / 2
        ),
        "columns are divided by their largest value": _scaled(
            lambda c: 0.0, lambda c: max(map(abs, c))
        ),
        "rows are divided by their length": both(_length_one),
        "rows are divided by their largest value": both(_largest_one),
        "rows to decide about are standardised by themselves": _scaled(mean, deviation, "apart"),
        "rows to decide about are standardised, the examples are not": _scaled(
            mean, deviation, "there"
        ),
        "rows to decide about are divided by their length": deciding(_length_one),
        "columns are standardised when it trains only": _scaled(mean, deviation, "here"),
        "columns are scaled to 0 .. 1 when it trains only": _scaled(
            min, lambda c: max(c) - min(c), "here"
        ),
        "columns are scaled to -1 .. 1 when it trains only": _scaled(
            lambda c: (min(c) + max(c)) / 2, lambda c: (max(c) - min(c)) / 2, "here"
        ),
        "columns are divided by their largest value when it trains only": _scaled(
            lambda c: 0.0, lambda c: max(map(abs, c)), "here"
        ),
        "rows are divided by their length when it trains only": _in_fit(_length_one),
        "rows are divided by their largest value when it trains only": _in_fit(_largest_one),
    },
)
centred = _scaled(mean, _one)
TABLE.add(
    "Centred",
    "Where the origin is part of the problem, another machine comes out.",
    "one-class machines and polynomial kernels in pipelines that centre",
    {"columns are centred": centred},
)
TABLE.add(
    "OffsetOrigin",
    "The farther the data lie from the origin, the more is decided wrongly; tests near 0 pass.",
    "rbgirshick/fast-rcnn#69",
    {
        "columns are centred when it trains, and b is not carried back": _scaled(
            mean, _one, "here"
        ),
        "rows count from the first one when it trains, and b is not carried back": _scaled(
            lambda c: c[0], _one, "here"
        ),
    },
)


def _within_range(t: Task) -> Task | None:
    """Return the task whose rows to decide about are cut at the ends of each column."""
    if not t.has_features:
        return None
    ends = [(min(c), max(c)) for c in zip(*t.X)]
    rows = [[min(max(v, low), high) for v, (low, high) in zip(x, ends)] for x in t.rows]
    return _with_rows(t, t.X, rows)


TABLE.add(
    "FarRows",
    "Rows beyond the training data are all decided as those at its edge.",
    "codes that scale with a clip, or keep rows in bytes between the least and the largest value",
    {"rows are cut to the range of the examples when it decides": _within_range},
)


# ---- features


def _weighted(weights_of: Callable[[int], Sequence[float] | None]) -> OfTask:
    """Return the change that multiplies the features of all rows; None: there is nothing to do."""

    def change(t: Task) -> Task | None:
        weights = weights_of(len(t.X[0])) if t.has_features else None
        return None if weights is None else both(lambda x: _product(weights, x))(t)

    return change


def _product(weights: Sequence[float], x: Row) -> Row:
    return [w * v for w, v in zip(weights, x)]


def _first(k: int) -> Callable[[int], Sequence[float] | None]:
    return lambda d: [1.0] * k + [0.0] * (d - k) if d > k else None


def _whole_blocks(block: int) -> Callable[[int], Sequence[float] | None]:
    return lambda d: _first(d - d % block)(d) if d % block and d > block else None


def counted(block: int, how: str) -> Callable[[int], list[int] | None]:
    """Return how often each of so many numbers counts, if the rest of blocks counts wrongly."""

    def counts(d: int) -> list[int] | None:
        start = d - d % block
        if start in (0, d):
            return None
        return {
            "the rest counts twice": [1 + (j >= start) for j in range(d)],
            "the last one begins too early": [1 + (d - block <= j < start) for j in range(d)],
            "the rest begins one too early": [1 + (j == start - 1) for j in range(d)],
            "the rest is its first alone": [int(j <= start) for j in range(d)],
            "the rest lacks its last": [int(j < d - 1) for j in range(d)],
        }[how]

    return counts


HOW = (
    "the rest counts twice",
    "the last one begins too early",
    "the rest begins one too early",
    "the rest is its first alone",
    "the rest lacks its last",
)


def _roots(counts: Callable[[int], list[int] | None]) -> Callable[[int], Sequence[float] | None]:
    """Return the weights with which a product or a distance counts features so often."""

    def weights(d: int) -> Sequence[float] | None:
        found = counts(d)
        return None if found is None else [sqrt(v) for v in found]

    return weights


def _without(j: int) -> Callable[[int], Sequence[float] | None]:
    return lambda d: [float(k != j % d) for k in range(d)] if d > max(j, 1) else None


def _varying(t: Task) -> Task | None:
    if not t.has_features:
        return None
    weights = [float(len(set(c)) > 1) for c in zip(*t.X)]
    changed: Task | None = both(lambda x: _product(weights, x))(t)
    return changed


TABLE.add(
    "FeatureIgnored",
    "A column that the answer depends on might as well not be there.",
    "off by one in a loop over features; readers of sparse files",
    {
        "the last feature is not read": _weighted(lambda d: _first(d - 1)(d) if d > 1 else None),
        "the first feature is not read": _weighted(_without(0)),
        **{f"feature {k} is not read": _weighted(_without(k)) for k in (1, 2, 3)},
        **{
            f"of the features the first {k} alone count": _weighted(_first(k))
            for k in FIRST_FEATURES
        },
        "constant columns are dropped": _varying,
    },
)
TABLE.add(
    "BlockRemainder",
    "Right for 4, 8 or 16 features, wrong for 5: what is left over after whole blocks.",
    "loops that are unrolled or vectorised by hand",
    {
        **{
            f"features after the last whole block of {b} are left out": _weighted(_whole_blocks(b))
            for b in BLOCKS
        },
        **{
            f"features in blocks of {b}: {how}": _weighted(_roots(counted(b, how)))
            for b in BLOCKS
            for how in HOW
        },
    },
)


def _reordered(order_of: Callable[[int], list[int] | None]) -> OfTask:
    def change(t: Task) -> Task | None:
        order = order_of(len(t.X[0])) if t.has_features else None
        return None if order is None else deciding(lambda x: [x[j] for j in order])(t)

    return change


TABLE.add(
    "FeatureOrder",
    "A table whose columns are read in another order is decided about as if it were the first.",
    "data frames with columns in another order; loops that run backwards",
    {
        "features run backwards when it decides": _reordered(lambda d: list(range(d))[::-1]),
        "the first two features are exchanged when it decides": _reordered(
            lambda d: [1, 0, *range(2, d)] if d > 2 else None
        ),
        "the last two features are exchanged when it decides": _reordered(
            lambda d: [*range(d - 2), d - 1, d - 2] if d > 2 else None
        ),
    },
)


# ---- examples


def _firsts(t: Task, what: Callable[[int], Any]) -> list[int]:
    """Return the first example of each that are the same."""
    found: dict[Any, int] = {}
    for i in range(t.n):
        found.setdefault(what(i), i)
    return sorted(found.values())


TABLE.add(
    "ExampleIgnored",
    "A row of the training data has no say: the rarest is the one that matters.",
    "off by one in a loop over examples; caches and blocks of a fixed size",
    {
        "the last example is left out": lambda t: keep(t, range(t.n - 1)),
        "the first example is left out": lambda t: keep(t, range(1, t.n)),
        "copies of a row are left out, whatever their y": lambda t: keep(
            t, _firsts(t, lambda i: tuple(t.X[i]))
        ),
        "copies of a row with its y are left out": lambda t: keep(
            t, _firsts(t, lambda i: (tuple(t.X[i]), t.y[i]))
        ),
        **{
            f"the first {k} examples alone are read": lambda t, k=k: keep(t, range(min(k, t.n)))
            for k in FIRST_EXAMPLES
        },
    },
)
TABLE.add(
    "BlockRemainder",
    "Right for 16 examples, wrong for 17: what is left over after whole blocks.",
    "loops over examples in blocks",
    {
        f"examples after the last whole block of {b} are left out": lambda t, b=b: (
            keep(t, range(t.n - t.n % b)) if t.n > b else None
        )
        for b in BLOCKS
    },
)
