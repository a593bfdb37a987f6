"""What the runs of probabilities are given: sigmoids, couplings and residuals, at their corners.

Labels that decisions separate, overlap or contradict; equal decisions; an outlier; units of every
size; one example of a class among many. Pairs that agree, that form a cycle, that are certain.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction as Q
from itertools import combinations
from typing import Any

from ...numerics.picks import splitmix64
from .function_runs import Run

# fmt: off
SEVEN = [-2.5, -1.0, -0.25, 0.5, 0.75, 1.5, 3.0]
MIXED = [-1, -1, 1, -1, 1, 1, 1]
APART = [-1.0, -1e-6, 1e-6, 1.0]
SAMPLES: list[tuple[str, list[float], list[int]]] = [
    ("labels overlap", SEVEN, MIXED),
    ("the labels and signs of all are the other ones", [-v for v in SEVEN], [-v for v in MIXED]),
    ("decisions times 2^-900", [v * 2.0**-900 for v in SEVEN], MIXED),
    ("decisions times 2^900", [v * 2.0**900 for v in SEVEN], MIXED),
    ("decisions speak for the other label", SEVEN, [-v for v in MIXED]),
    ("a threshold separates the labels", APART, [-1, -1, 1, 1]),
    ("two decisions", [3.0, 5.0], [-1, 1]),
    ("equal decisions: A is 0", [0.1] * 5, [1, 1, 1, -1, 1]),
    ("an outlier on the wrong side", [*SEVEN, 1e9], [*MIXED, -1]),
    ("an outlier that squares to infinity", [*SEVEN, -1e300], [*MIXED, 1]),
    ("far from zero", [v + 2.0**30 for v in SEVEN], MIXED),
    ("one among many", [0.0] * 30 + [1.0], [-1] * 30 + [1]),
]
SIGMOIDS = [(-2.0, 0.5), (1.5, -0.25), (0.0, 1.0), (-1e300, 1e300)]
ARGUMENTS = [0.0, 1.0, -1.0, 20.0, -20.0, 400.0, -400.0, 1e300]
TRIPLES: list[tuple[str, Any]] = [
    ("no two pairs agree", ("3/4", "2/3", "1/2")),
    ("all pairs agree", ("3/5", "3/4", "2/3")),
    ("a cycle", ("3/4", "1/4", "3/4")),
    ("a cycle of certainties", (1, 0, 1)),
    ("one class is certain", (1, 1, "1/2")),
    ("rounding would be below zero", (1, "4/5", 0)),
    ("as LIBSVM bounds a pair", (Q(1e-7), 1 - Q(1e-7), "1/2")),
]
RESIDUALS: list[tuple[str, list[Any]]] = [
    ("a mean of sizes", [1, -3, 2]),
    ("the eighth is an outlier", [1, -1, 1, 1, -1, 1, 1, 1000]),
    ("the seventh is none", [1, -1, 1, 1, -1, 1, 1000]),
    ("all are zero", [0, 0, 0]),
    ("squares beyond the doubles", [Q(2)**1000, -Q(2)**1001]),
]
# fmt: on


def drawn(n: int, seed: int) -> tuple[list[float], list[int]]:
    """Return n decisions between -2 and 2, and labels that they speak for most of the time."""
    bits = splitmix64(seed)
    units = [(next(bits) >> 11) * 2.0**-53 for _ in range(2 * n)]
    f = [4 * u - 2 for u in units[:n]]
    return f, [1 if v + 2 * u > 1 else -1 for v, u in zip(f, units[n:])]


def matrix_of(k: int, upper: Any) -> list[list[Q]]:
    """Return R with these numbers above its diagonal, row by row."""
    R = [[Q(0)] * k for _ in range(k)]
    for value, (i, j) in zip(map(Q, upper), combinations(range(k), 2)):
        R[i][j], R[j][i] = value, 1 - value
    return R


def _probability_runs() -> Iterator[Run]:
    """Yield the runs of every function in turn."""
    samples = [*SAMPLES, *((f"{n} drawn", *drawn(n, seed=n)) for n in (20, 50))]
    for k, (comment, f, y) in enumerate(samples, 1):
        yield Run(f"calibration {k}", "calibrate", comment, {"decisions": f, "y": y})
    for k, (A, B) in enumerate(SIGMOIDS, 1):
        yield Run(f"sigmoid {k}", "sigmoid", f"1 / (1 + e^({A} f + {B}))",
                  {"A": A, "B": B, "decisions": ARGUMENTS})  # fmt: skip
    yield Run("two classes", "couple", "R itself", {"R": matrix_of(2, ["3/8"])})
    for k, (comment, upper) in enumerate(TRIPLES, 1):
        yield Run(f"three classes {k}", "couple", comment, {"R": matrix_of(3, upper)})
    for k in (4, 6):
        bits = splitmix64(k)
        upper = [Q(next(bits) >> 58, 64) for _ in range(k * (k - 1) // 2)]
        yield Run(f"{k} classes", "couple", "drawn", {"R": matrix_of(k, upper)})
    for k, f in enumerate(([0.0] * 3, [1.5, -0.25, 2.0], [900.0, 900.0, -900.0]), 1):
        sigmoids = {"A": [-2.0, -1.0, -1.5], "B": [0.5, -0.25, 0.0]}
        yield Run(f"classes {k}", "class_probabilities", "each pair from 1e-7 to 1 - 1e-7",
                  {"decisions": f, **sigmoids, "k": 3})  # fmt: skip
    for k, (comment, r) in enumerate(RESIDUALS, 1):
        yield Run(f"residuals {k}", "laplace_scale", comment, {"residuals": list(map(Q, r))})


PROBABILITY_RUNS = list(_probability_runs())
