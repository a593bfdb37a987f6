"""What known bugs solve: another problem where one was asked.

Other penalties, another objective, fewer examples; other kernels are in wrong_kernels.py, other
features in wrong_features.py.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from fractions import Fraction
from functools import cache, partial
from math import ceil, floor, inf, sqrt
from typing import Any

from ..kernels.standard import Precomputed
from .explanations import Explanation, float_kernel_rows
from .forms import bounds_of, form_of_problem, labels_of
from .metamorphic import with_changes
from .protocol import NumericProblem
from .wrong_features import BLOCKS, cut_features, mean, wrong_features
from .wrong_kernels import Made, WrongProblem, changed, in_single_precision, wrong_kernels

HUGE_C = 2.0**30
FIXED_C = (10.0, 100.0, 0.1, 1000.0)  # besides 1 and infinity
FIRST_EXAMPLES = (8, 10, 12, 16, 20, 24, 32, 50, 64, 100, 128)


def wrong_problems(
    problem: NumericProblem, rows: Any, flags: Collection[str] | None = None
) -> Iterator[WrongProblem]:
    """Yield the problems that known bugs solve in the place of this one: all, or of these flags.

    A group of which no flag is wanted is not made.
    """
    for group, make in GROUPS:
        if flags is None or not group.isdisjoint(flags):
            yield from make(problem, rows)


# ---- penalties


def _other_penalties(problem: NumericProblem, rows: Any) -> Iterator[WrongProblem]:
    """Yield the problem with the penalties that are used by mistake."""
    for flag, why, C, weight in wrong_penalties(problem):
        yield WrongProblem(flag, why, partial(changed, problem, rows, C=C), weight)
    if len(set(problem.C)) > 1 and problem.kernel.has_rows and inf not in problem.C:
        X = [[c * v for v in x] for c, x in zip(problem.C, problem.X)]
        make = partial(changed, problem, rows, X=X, C=[1.0] * problem.n)
        yield WrongProblem("WeightsOnRows", "with weights that multiply the rows", make)


def wrong_penalties(problem: NumericProblem) -> Iterator[tuple[str, str, list[float], float]]:
    """Yield the C that are used by mistake."""
    C, n = problem.C, problem.n
    if inf in C:
        return
    if len(set(C)) > 1:
        for flag, why, wrong in wrong_weights(problem):
            yield flag, why, wrong, 1.0
    for name, factor in (("C / 2", 0.5), ("2 C", 2), ("C / n", 1 / n), ("n C", n)):
        yield "PriceScaled", f"for {name}", [factor * c for c in C], 1.0
    yield "PriceScaled", "for 1 / (n C)", [1 / (n * c) for c in C], 0.8
    yield "PriceScaled", "for 1 / C", [1 / c for c in C], 1.0
    yield "PriceIgnored", "for C = 1", [1.0] * n, 1.0
    yield "PriceIgnored", "for infinite C", [inf] * n, 1.0
    yield "PriceIgnored", "for a C so large that it is no limit", [HUGE_C] * n, 1.0
    for value in FIXED_C:
        yield "PriceIgnored", f"for C = {value:g}", [value] * n, 0.8
    if len(set(C)) == 1:
        for label in (-1, 1):
            for value in (1.0, inf):
                why = f"for C = {value:g} of the class {label:+}"
                wrong = [value if y == label else C[0] for y in problem.y]
                yield "PriceIgnored", why, wrong, 0.6


def wrong_weights(problem: NumericProblem) -> Iterator[tuple[str, str, list[float]]]:
    """Yield what is made by mistake of penalties that differ."""
    C, n = problem.C, problem.n
    average = float(mean(map(Fraction, C)))
    by_class = {y: {c for c, label in zip(C, problem.y) if label == y} for y in (-1, 1)}
    most = {y: max(own) for y, own in by_class.items()}
    exchanged = [c / most[y] * most[-y] for c, y in zip(C, problem.y)]
    yield "WeightsSwapped", "with the penalties of the classes exchanged", exchanged
    for name, one in (
        ("1", 1.0), ("the largest", max(C)), ("the least", min(C)), ("the mean", average),
        ("the first", C[0]),
    ):  # fmt: skip
        yield "WeightsIgnored", f"with one C for all, {name}", [one] * n
    for y, own in by_class.items():
        for name, one in (("1", 1.0), ("the largest", max(C)), ("its largest", max(own))):
            ignored = [one if label == y else c for c, label in zip(C, problem.y)]
            if ignored != C:
                yield "WeightsIgnored", f"with one C for the class {y:+}, {name}", ignored
    yield "WeightsScaled", "with weights squared", [c * c for c in C]
    yield "WeightsScaled", "with weights inverted", [1 / c for c in C]
    yield "WeightsScaled", "with the roots of the weights", [sqrt(c) for c in C]
    yield "WeightsScaled", "with weights rounded up", [float(ceil(c)) for c in C]
    if min(C) >= 1:
        yield "WeightsScaled", "with weights rounded down", [float(floor(c)) for c in C]
    yield "WeightsScaled", "with weights of 1 at most", [min(c, 1.0) for c in C]
    yield "WeightsScaled", "with weights of mean 1", [c / average for c in C]
    yield "WeightsScaled", "with weights of sum 1", [c / (n * average) for c in C]
    yield "WeightsSwapped", "with weights in another order", C[::-1]


# ---- another objective


def _wrong_formulations(problem: NumericProblem, rows: Any) -> Iterator[WrongProblem]:
    """Yield the same data, of which another objective is minimised."""
    C = problem.C
    if problem.bias:
        other = partial(changed, problem, rows, bias=False)
        yield WrongProblem("NoOffset", "without an offset", other)
        yield from _with_other_penalties("NoOffset", "without an offset", problem, other)
        if problem.kernel.has_rows:
            yield from _regularised_offset(problem, rows)
    if problem.slack == "hinge" and inf not in C:
        for name, factor in (("", 1), (", C twice as large", 2)):
            make = partial(changed, problem, rows, C=[factor * c for c in C], slack="squared")
            yield WrongProblem("SquaredLoss", f"of squared slacks{name}", make)
    if problem.slack == "squared":
        make = partial(changed, problem, rows, slack="hinge")
        yield WrongProblem("SquaredLoss", "of the slacks, not squared", make)


def _regularised_offset(problem: NumericProblem, rows: Any) -> Iterator[WrongProblem]:
    """Yield the problem with b^2 / 2 in its objective: 1 is added to each kernel value."""
    other = cache(partial(_with_penalised_offset, problem, rows))
    why = "with the offset regularised"
    yield WrongProblem("RegularisedOffset", why, other)
    yield from _with_other_penalties("RegularisedOffset", why, problem, other)
    if inf not in problem.C and problem.slack == "hinge":
        for name, factor in (("", 2), (", C half as large", 1)):
            C = [factor * c for c in problem.C]
            squared = partial(_made_and_changed, other, C=C, slack="squared")
            second = Explanation("SquaredLoss", f"of squared slacks{name}")
            why = f"of squared slacks with the offset regularised{name}"
            yield WrongProblem("RegularisedOffset", why, squared, second=second)


def _with_penalised_offset(problem: NumericProblem, rows: Any) -> Made:
    """Return the problem with 1 added to each kernel value, and no offset beside it."""
    K, there = (
        [[v + 1 for v in row] for row in float_kernel_rows(problem, some)]
        for some in (problem.X, rows)
    )
    return with_changes(problem, X=K, kernel=Precomputed(), bias=False), there


def _made_and_changed(make: Callable[[], Made], **changes: Any) -> Made:
    """Return a problem that has to be made, with some fields changed."""
    return changed(*make(), **changes)


def with_another_bug(problem: NumericProblem, rows: Any) -> Iterator[WrongProblem]:
    """Yield the problem with the offset regularised, of other features, examples or weights.

    They are many, and are worth their time only where the offset is known to be regularised.
    """
    if not (problem.bias and problem.kernel.has_rows) or isinstance(problem.X[0], str):
        return
    weights = (
        WrongProblem(flag, why, partial(changed, problem, rows, C=C))
        for flag, why, C in (wrong_weights(problem) if len(set(problem.C)) > 1 else ())
    )
    base = "with the offset regularised"
    for other in (*cut_features(problem, rows), *wrong_examples(problem, rows), *weights):
        second = Explanation(other.flag, other.why, variant=other.variant or other.why)
        make = partial(penalised, other)
        why = f"{base} and {other.why}"
        yield WrongProblem("RegularisedOffset", why, make, 0.9 * other.weight, base, second)


def penalised(other: WrongProblem) -> Made | None:
    """Return what another problem is with its offset regularised."""
    made = other.make()
    return None if made is None else _with_penalised_offset(*made)


def _with_other_penalties(
    flag: str, why: str, problem: NumericProblem, make: Callable[[], Made]
) -> Iterator[WrongProblem]:
    """Yield another problem with penalties that are scaled by mistake, too."""
    if inf in problem.C:
        return
    for name, factor in (("C / n", 1 / problem.n), ("C / 2", 0.5), ("2 C", 2)):
        other = partial(_made_and_changed, make, C=[factor * c for c in problem.C])
        second = Explanation("PriceScaled", f"for {name}")
        yield WrongProblem(flag, f"{why} and for {name}", other, 0.9, why, second)


# ---- fewer examples


def wrong_examples(problem: NumericProblem, rows: Any) -> Iterator[WrongProblem]:
    """Yield the problem with some of its examples."""
    n, y, form = problem.n, labels_of(problem), form_of_problem(problem)
    has_classes = form is None or form.answers == "classes"
    chosen = {f"of the first {k} examples": range(k) for k in FIRST_EXAMPLES if k < n}
    chosen["without the last example"] = range(n - 1)
    chosen["without the first example"] = range(1, n)
    firsts: dict[Any, int] = {}
    for i, x in enumerate(problem.X):
        firsts.setdefault(tuple(x), i)
    chosen["without copies of a row"] = sorted(firsts.values())  # type: ignore[assignment]
    for block in BLOCKS:
        if n > block and n % block:
            chosen[f"of the examples up to the last full block of {block}"] = range(n - n % block)
    for why, kept in chosen.items():
        if len(kept) < n and (not has_classes or len({y[i] for i in kept}) == 2):
            block = "block" in why
            flag, weight = ("BlockRemainder", 0.45) if block else ("ExampleIgnored", 1.0)
            make = partial(with_examples, problem, rows, list(kept))
            yield WrongProblem(flag, why, make, weight)


def with_examples(problem: NumericProblem, rows: Any, kept: list[int]) -> Made:
    """Return the problem of these examples; rows of kernel values lose the others, too."""
    X = [problem.X[i] for i in kept]
    if not problem.kernel.has_rows:
        X, rows = ([[x[i] for i in kept] for x in some] for some in (X, rows))
    y, C = ([values[i] for i in kept] for values in (labels_of(problem), bounds_of(problem)))
    return with_changes(problem, X=X, y=y, C=C), rows


GROUPS: list[tuple[frozenset[str], Callable[[NumericProblem, Any], Iterator[WrongProblem]]]] = [
    (
        frozenset(
            [
                "WeightsSwapped",
                "WeightsIgnored",
                "WeightsScaled",
                "WeightsOnRows",
                "PriceScaled",
                "PriceIgnored",
            ]
        ),
        _other_penalties,
    ),
    (frozenset(["NoOffset", "RegularisedOffset", "SquaredLoss"]), _wrong_formulations),
    (
        frozenset(["KernelParameters", "KernelFormula", "Cancellation"]),
        wrong_kernels,
    ),
    (frozenset(["Float32Rows"]), in_single_precision),
    (frozenset(["FeatureIgnored", "BlockRemainder", "HiddenScaling"]), wrong_features),
    (frozenset(["ExampleIgnored", "BlockRemainder"]), wrong_examples),
]
