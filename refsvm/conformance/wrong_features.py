"""Features that known bugs scale, cut or count twice before they train."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import partial
from math import sqrt
from typing import Any

from ..numerics.linalg import dot, total
from .metamorphic import with_changes
from .protocol import NumericProblem
from .wrong_kernels import Made, WrongProblem

BLOCKS = (4, 8, 16)
NO_FEATURES = 0.2  # the weight where none is left: then every decision is the same
CUTS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 16, 17, 20, 24, 31, 32, 33, 48, 64)


def wrong_features(problem: NumericProblem, rows: Any) -> Iterator[WrongProblem]:
    """Yield the problem with the features that known bugs make of it."""
    if not problem.kernel.has_rows or isinstance(problem.X[0], str):
        return
    yield from cut_features(problem, rows)
    yield from _scaled_features(problem, rows)


# ---- features that are lost, or counted twice


def cut_features(problem: NumericProblem, rows: Any) -> Iterator[WrongProblem]:
    """Yield features that are lost in training and deciding, and blocks that are counted twice."""
    width = len(problem.X[0])
    for k, why, variant in cuts(width):
        flag = "BlockRemainder" if "block" in why else "FeatureIgnored"
        weights = [1.0 if j < k else 0.0 for j in range(width)]
        weight = (
            (0.7 if k else NO_FEATURES)
            if "block" in why
            else 1.0
            if k > 1 or "last" in why
            else 0.8
        )
        yield weighted(flag, f"with {why}", problem, rows, weights, weight, variant)
    weights = [0.0, *[1.0] * (width - 1)]
    weight = 1.0 if width > 1 else NO_FEATURES
    yield weighted("FeatureIgnored", "without the first feature", problem, rows, weights, weight)
    for k in range(1, min(width - 1, 9)):
        weights = [float(j != k) for j in range(width)]
        why = f"without feature {k}"
        yield weighted("FeatureIgnored", why, problem, rows, weights, 0.6)
    for block in BLOCKS:
        for why, counts in wrong_remainders(width, block):
            weights = [sqrt(count) for count in counts]
            words = f"with features in blocks of {block}, {why}"
            yield weighted("BlockRemainder", words, problem, rows, weights, 0.7)


def wrong_remainders(length: int, block: int) -> Iterator[tuple[str, list[int]]]:
    """Yield how often each of some numbers counts, if what is left of blocks counts wrongly."""
    start = length - length % block
    if start == length:
        return
    left = range(start, length)
    yield "and the rest counted twice", [1 + (j in left) for j in range(length)]
    if start == 0:
        return
    again = range(length - block, start)
    yield "the last one of which begins too early", [1 + (j in again) for j in range(length)]
    yield "and the rest begun one too early", [1 + (j == start - 1) for j in range(length)]
    if len(left) > 1:
        yield "and the first of the rest alone", [int(j <= start) for j in range(length)]
        yield "and the rest without its last", [int(j < length - 1) for j in range(length)]


def weighted(
    flag: str,
    why: str,
    problem: NumericProblem,
    rows: Any,
    weights: list[float],
    weight: float = 1.0,
    variant: str = "",
) -> WrongProblem:
    """Return the problem with each feature multiplied by a number."""
    make = partial(with_weights, problem, rows, weights)
    return WrongProblem(flag, why, make, weight, variant)


def with_weights(problem: NumericProblem, rows: Any, weights: list[float]) -> Made:
    """Return problem and rows with each feature multiplied by a number."""
    X, there = ([[w * v for w, v in zip(weights, x)] for x in some] for some in (problem.X, rows))
    return with_changes(problem, X=X), there


def cuts(width: int) -> Iterator[tuple[int, str, str]]:
    """Yield how many features are left, in words, and what is the same in all cases."""
    if width > 1:
        words = "all features but the last"
        yield width - 1, words, words
    for k in CUTS:
        if k < width:
            yield k, f"the first {k} of {width} features", f"the first {k} features"
    for block in BLOCKS:
        if width % block:
            words = f"features up to the last full block of {block}"
            yield width - width % block, words, words


# ---- scaling


def _scaled_features(problem: NumericProblem, rows: Any) -> Iterator[WrongProblem]:
    """Yield features that are scaled first: those of the rows to decide about, too, or not."""
    columns = list(zip(*problem.X))
    means = [float(mean(map(Fraction, column))) for column in columns]
    for ddof in (0, 1):
        spans = [deviation(column, ddof) or 1.0 for column in columns]
        yield from rescaled(problem, rows, "standardised", means, spans)
    low = [min(column) for column in columns]
    spans = [max(column) - min(column) or 1.0 for column in columns]
    yield from rescaled(problem, rows, "from 0 to 1", low, spans)
    middles = [(max(column) + min(column)) / 2 for column in columns]
    halves = [span / 2 for span in spans]
    yield from rescaled(problem, rows, "from -1 to 1", middles, halves)
    largest = [max(map(abs, column)) or 1.0 for column in columns]
    yield from rescaled(problem, rows, "of largest 1", [0.0] * len(columns), largest)
    for why, length in (("of length 1", norm), ("of largest 1", _largest_of)):
        for what, only in (("rows", False), ("examples", True)):
            make = partial(_with_unit_rows, problem, rows, length, only)
            yield WrongProblem("HiddenScaling", f"with {what} {why}", make)


def norm(x: list[float]) -> float:
    """Return the Euclidean norm."""
    return sqrt(dot(x, x))


def _largest_of(x: list[float]) -> float:
    """Return the largest size of a coordinate."""
    return max(map(abs, x))


def _with_unit_rows(
    problem: NumericProblem, rows: Any, length: Callable[[list[float]], float], only: bool
) -> Made:
    """Return problem and rows, or the examples only, divided each by its length."""
    X, there = ([[v / (length(x) or 1.0) for v in x] for x in some] for some in (problem.X, rows))
    return with_changes(problem, X=X), rows if only else there


def rescaled(
    problem: NumericProblem, rows: Any, why: str, origin: list[float], span: list[float]
) -> Iterator[WrongProblem]:
    """Yield the problem with features (v - origin) / span."""
    for only, words in ((False, why), (True, f"{why} in fit only")):
        make = partial(_with_scale, problem, rows, origin, span, only)
        yield WrongProblem("HiddenScaling", f"with features {words}", make)


def _with_scale(
    problem: NumericProblem, rows: Any, origin: list[float], span: list[float], only: bool
) -> Made:
    """Return problem and rows, or the examples only, with features (v - origin) / span."""
    X, there = (
        [[(v - o) / s for v, o, s in zip(x, origin, span)] for x in some]
        for some in (problem.X, rows)
    )
    return with_changes(problem, X=X), rows if only else there


def deviation(column: Iterable[float], ddof: int) -> float:
    """Return the standard deviation, over n - ddof; 0 where no double holds its square.

    Also 0 of so few values that there is none.
    """
    values = list(map(Fraction, column))
    if len(values) <= ddof:
        return 0.0
    middle = mean(values)
    variance = total((v - middle) ** 2 for v in values) / (len(values) - ddof)
    return sqrt(variance) if variance < 2**1023 else 0.0


def mean(values: Iterable[Fraction]) -> Any:
    """Return the mean of some fractions."""
    values = list(values)
    return total(values) / len(values)
