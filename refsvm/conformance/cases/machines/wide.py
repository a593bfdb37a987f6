"""Cases of regression, nu and outliers of many features and examples: where blocks end.

The design is that of sizes.py: widths beside multiples of 4, 8, 16 and 32, and more examples than
16, 32 and 64. Rows are whole numbers; y follows a plane that every feature has a part in.

nu is a double, and no sum that it asks for is a whole number of bounds: there a rounding of nu n
would decide whether one more example is free, and so whether an offset has one value or many.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction as Q
from typing import Any

from ....kernels.base import Kernel
from ....kernels.standard import Gaussian, Linear, Polynomial
from ....numerics.picks import splitmix64
from ..machine_entries import MachineEntry, Rows, drawn, heights, machine, moved

SIZES = ((24, 9), (35, 65), (20, 33), (34, 17), (40, 8), (70, 5))  # examples, features
WEIGHTED = (26, 12), (30, 6)  # linear and gaussian
WEIGHTS = Q(1, 4), Q(1, 2), Q(1), Q(2)
SHARE = Q(5, 16)  # nu of the machines that have one; the ball has 1 / (nu n) for C


def kernel_of(place: int, d: int) -> tuple[str, Kernel]:
    """Return the kernel of one of the sizes, in words and as it is."""
    if place < 3:
        return "", Linear()
    if place == 4:
        return ", degree 2", Polynomial(2, Q(1, 4 * d), Q(1))
    return ", gaussian", Gaussian(1.0 / (4 << d.bit_length()))


def numbers_of(form: str, n: int, d: int, kernel: Kernel) -> tuple[Any, Any]:
    """Return the bound of all multipliers, and epsilon or nu."""
    penalty = Q(1, 2 * d) if isinstance(kernel, Linear) else Q(2)
    return {
        "nu_svc": (1, SHARE),
        "epsilon_svr": (penalty, Q(1, 2)),
        "nu_svr": (penalty, SHARE),
        "one_class": (1, SHARE),
        "svdd": (1 / (SHARE * n), None),
    }[form]


def values_of(form: str, X: Rows, seed: int) -> list[Any] | None:
    """Return y: values, the sides of their median, or none."""
    y = heights(X, seed, len(X[0]) // 2 + 2)
    if form == "nu_svc":
        middle = sorted(y)[len(y) // 2]
        return [1 if v >= middle else -1 for v in y]
    return None if form in ("one_class", "svdd") else y


def wide(form: str, letter: str) -> Iterator[MachineEntry]:
    """Yield the cases of one machine, whose names begin with its letter."""
    for place, (n, d) in enumerate(SIZES):
        words, kernel = kernel_of(place, d)
        X = moved(1, drawn(n, d, n + d, 3))
        name = f"{letter} {n} rows of {d}{words}"
        yield machine(form, name, X, values_of(form, X, d), *numbers_of(form, n, d, kernel),
                      "ManyFeatures ManyExamples", "many features and rows: where blocks end",
                      kernel=kernel)  # fmt: skip
    for place, (n, d) in zip((0, 5), WEIGHTED):
        words, kernel = kernel_of(place, d)
        X = moved(1, drawn(n, d, n + d, 3))
        bound, parameter = numbers_of(form, n, d, kernel)
        bits = splitmix64(n)
        weights = [bound * WEIGHTS[next(bits) >> 62] for _ in X]
        yield machine(form, f"{letter} {n} rows of {d}{words}, weights", X, values_of(form, X, d),
                      weights, parameter, "ManyFeatures ManyExamples SampleWeight",
                      "many rows, each with its own weight", kernel=kernel)  # fmt: skip
