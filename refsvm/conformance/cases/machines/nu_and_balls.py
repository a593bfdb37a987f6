"""Cases of nu-classification, N, whose answers are on the scale of LIBSVM, divided by rho; and of
outliers: O of one class, D of the smallest ball.

N1 to N9, O1 to O6 and D1 to D4 were found on paper and by enumeration. The families are these in
other units, orders and weights, nu from next to 0 to its limit, C from 1 / n to infinity, and
problems that have no machine.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction as Q
from math import inf
from typing import Any

from ....kernels.standard import Gaussian, Polynomial, Precomputed
from ..machine_entries import (
    MachineEntry,
    column,
    drawn,
    gram_of,
    machine,
    moved,
    orders,
    picked,
    powers,
    rows,
    signs,
    stretched,
)

# fmt: off
FOUR, FAR = column(0, 1, 3, 4), column(0, 3, 2, 5)
PLANE = rows((0, 0), (1, 0), (0, 2), (3, 1), (2, 2))
MIXED = rows((0, 0), (1, 2), (3, 1), (2, 3), (5, 3), (4, 5))
SIDES = "--+-++"


def nu_svc(
    name: str, X: Any, labels: str, nu: Any, *words: Any, C: Any = 1, **more: Any
) -> MachineEntry:
    """Return an entry of nu-classification."""
    return machine("nu_svc", name, X, signs(labels), C, nu, *words, **more)


NU_CLASSES = [
    nu_svc("N1", FOUR, "--++", "1/2", "OffsetInterval", "rho from 2 to 4, b from -5 to -3"),
    nu_svc("N2", FOUR, "--++", "3/4", "Sane", "w / rho = 1/2, b / rho = -1"),
    nu_svc("N3", FOUR, "--++", 1, "NuAtLimit", "every multiplier at its bound: rho from 12 on",
           result="acceptable"),
    nu_svc("N4", column(0, 1, 3), "--+", "2/3", "NuAtLimit", "one class at its bound",
           result="acceptable"),
    nu_svc("N5", column(0, 2, 0, 2), "--++", "1/2", "Degenerate",
           "two classes in the same places"),
    nu_svc("N6", FOUR, "--++", "1/10000", "NuTiny", "nearly no margin error: the border is at 2"),
    nu_svc("N7", PLANE, "--+++", "3/5", "Sane", "w / rho = (1/3, 1), b / rho = -1"),
    nu_svc("N8", FAR, "--++", "3/4", "Sane", "w / rho = 2/5, b / rho = -1"),
    nu_svc("N9", FAR, "--++", "1/4", "Degenerate", "the reduced hulls meet"),
]


def _nu_with_other_numbers() -> Iterator[MachineEntry]:
    """nu from next to 0 on, rows in other units, places and orders, with weights."""
    for nu in (Q(1, 10**9), Q(1, 10**6), Q(1, 1000), Q(1, 10), Q(1, 3), Q(9, 10)):
        yield nu_svc(f"N2, nu = {nu}", FOUR, "--++", nu, "Nu NuTiny", "nu from next to 0 on")
        yield nu_svc(f"N six, gaussian, nu = {nu}", MIXED, SIDES, nu, "Nu NuTiny Kernel",
                     "nu from next to 0 on", kernel=Gaussian(0.125))
    for nu in (Q(7, 10), Q(4, 5), Q(9, 10)):
        yield nu_svc(f"N six, nu = {nu}", MIXED, SIDES, nu, "Nu", "classes that overlap")
    for name, unit in powers(-60, -20, -10, 10, 20, 60):
        yield nu_svc(f"N7, rows times {name}", stretched(unit, PLANE), "--+++", "3/5", "Units",
                     "rows in other units: the scaled answer divides by these")
    for words, order in orders(6):
        yield nu_svc(f"N six, {words}", picked(MIXED, order), "".join(picked(list(SIDES), order)),
                     "4/5", "Permuted", "in another order")
    yield nu_svc("N six, classes exchanged", MIXED, "++-+--", "4/5", "LabelOrder",
                 "labels exchanged")
    yield nu_svc("N six, moved", moved(-7, MIXED), SIDES, "4/5", "Offset", "another origin")
    yield nu_svc("N six, rows + 2^20", moved(2**20, MIXED), SIDES, "4/5", "Offset Float32Hostile",
                 "far from the origin")
    yield nu_svc("N six, weights", MIXED, SIDES, "3/4", "SampleWeight",
                 "each row with its own weight", C=[1, 2, "1/2", 1, 2, 1])
    yield nu_svc("N equal rows, weights", [*MIXED, *MIXED[:3]], SIDES + SIDES[:3], "1/2",
                 "SampleWeight Duplicate", "copies of rows that weigh otherwise",
                 C=[1, 2, "1/2", 1, 2, 1, "1/2", 3, "1/4"])
    yield nu_svc("N six twice", MIXED * 2, SIDES * 2, "4/5", "Duplicate", "every row twice",
                 C=["1/2"] * 12)


def _nu_at_the_ends() -> Iterator[MachineEntry]:
    """Problems without a machine, other kernels, more rows."""
    yield nu_svc("N too large a nu", column(0, 1, 3), "--+", "9/10", "SumTooLarge",
                 "one class weighs less than nu n / 2")
    yield nu_svc("N two rows", column(0, 4), "-+", "1/2", "FewExamples", "the border is at 2")
    yield nu_svc("N three to one", column(0, 1, 2, 5), "---+", "2/5", "OneSmallClass",
                 "classes of different sizes")
    yield nu_svc("N six, degree 2", MIXED, SIDES, "1/2", "Kernel", "other kernels",
                 kernel=Polynomial(2, Q(1, 4), Q(1)))
    yield nu_svc("N six, its Gram matrix", gram_of(MIXED), SIDES, "4/5", "Precomputed",
                 "the Gram matrix is given", kernel=Precomputed())
    for n, d, nu in ((12, 2, Q(3, 4)), (14, 3, Q(3, 5)), (16, 4, Q(1, 2))):
        X = drawn(n, d, n)
        labels = "".join("+" if x[0] + x[-1] + i % 3 > 7 else "-" for i, x in enumerate(X))
        yield nu_svc(f"N {n} rows of {d}", X, labels, nu, "ManyExamples", "drawn rows")
    X = drawn(14, 2, 21)
    labels = "".join("+" if x[0] > x[1] - i % 2 else "-" for i, x in enumerate(X))
    for nu in (Q(1, 10), Q(3, 5)):
        yield nu_svc(f"N 14 rows, gaussian, nu = {nu}", X, labels, nu, "ManyExamples Nu",
                     "drawn rows", kernel=Gaussian(0.125))


NU_FAMILIES = [*_nu_with_other_numbers(), *_nu_at_the_ends()]


# ---- outliers

THREE, SPREAD = column(1, 2, 4), column(0, 2, 10)
CORNER = rows((1, 0), (0, 1), (1, 1), (3, 1))
SIX = rows((1, 2), (2, 1), (3, 3), (5, 2), (2, 6), (4, 4))
NUS = Q(1, 10**9), Q(1, 10**6), Q(1, 10_000), Q(1, 100), Q(1, 5), Q(2, 5), Q(3, 5), Q(9, 10)


def one_class(name: str, X: Any, nu: Any, *words: Any, C: Any = 1, **more: Any) -> MachineEntry:
    """Return an entry of one class."""
    return machine("one_class", name, X, None, C, nu, *words, **more)


def ball(name: str, X: Any, C: Any, *words: Any, **more: Any) -> MachineEntry:
    """Return an entry of the smallest ball."""
    return machine("svdd", name, X, None, C, None, *words, **more)


ONE_CLASS = [
    one_class("O1", THREE, "2/3", "OffsetInterval", "rho from 6 to 12"),
    one_class("O2", THREE, "1/2", "Remainder", "the second row is on the boundary, no outlier"),
    one_class("O3", THREE, 1, "NuAtLimit", "every multiplier at its bound: rho from 28 on",
              result="acceptable"),
    one_class("O4", column(4, 1, 2), Q(1, 10**6), "NuTiny", "nearly no outlier: w is 3e-6"),
    one_class("O5", column(1, -1, 2), "2/3", "Degenerate", "the origin lies among the rows"),
    one_class("O6", CORNER, "3/4", "OffsetInterval", "rho from 4 to 8, w = (2, 2)"),
]
BALLS = [
    ball("D1", SPREAD, 1, "Sane", "the ball around all: centre 5, R^2 = 25"),
    ball("D2", SPREAD, "2/5", "BoundedSV", "R^2 = 144/25: the ends lie outside"),
    ball("D3", SPREAD, Q(1, 3) + Q(1, 2**54), "NuAtLimit",
         "the centre is the mean, R^2 from 0 to 4",
         result="acceptable"),
    ball("D4", rows((0, 0), (4, 0), (0, 2), (1, 1)), 1, "Sane", "centre (2, 1), R^2 = 5"),
]


def _one_class_with_other_numbers() -> Iterator[MachineEntry]:
    """nu from next to 0 on, rows in other units and orders, with weights."""
    for nu in NUS:
        yield one_class(f"O six, nu = {nu}", SIX, nu, "Nu NuTiny",
                        "nu from next to 0 to its limit")
        yield one_class(f"O six, gaussian, nu = {nu}", SIX, nu, "Nu NuTiny Kernel",
                        "the same with a Gaussian kernel", kernel=Gaussian(0.125))
    for name, unit in powers(-60, -20, -10, 10, 20, 60):
        yield one_class(f"O2, rows times {name}", stretched(unit, THREE), "1/2", "Units",
                        "rows in other units: rho in the square of these")
        yield one_class(f"O six, rows times {name}", stretched(unit, SIX), "2/5", "Units",
                        "rows in other units")
    for words, order in orders(3):
        yield one_class(f"O2, {words}", picked(THREE, order), "1/2", "Permuted",
                        "in another order")
    for words, order in orders(6):
        yield one_class(f"O six, {words}", picked(SIX, order), "2/5", "Permuted",
                        "in another order")
    yield one_class("O six, weights", SIX, "2/5", "SampleWeight", "each row with its own weight",
                    C=[1, 2, "1/2", "1/4", 4, 1])
    yield one_class("O equal rows, weights", [*SIX, *SIX[:3]], "2/5", "SampleWeight Duplicate",
                    "copies of rows that weigh otherwise",
                    C=[1, 2, "1/2", "1/4", 4, 1, 2, "1/2", "1/4"])
    yield one_class("O six twice", SIX * 2, "2/5", "Duplicate", "every row twice, at weight 1/2",
                    C=["1/2"] * 12)
    yield one_class("O six, moved", moved(3, SIX), "2/5", "Origin",
                    "another origin is another problem")


def _one_class_at_the_ends() -> Iterator[MachineEntry]:
    """Degenerate problems, other kernels, more rows."""
    yield one_class("O around the origin", rows((1, 0), (-1, 1), (0, -1), (5, 5)), "3/4",
                    "Degenerate", "the origin lies among the rows")
    yield one_class("O equal rows", column(2, 2, 2), "1/2", "Duplicate", "three rows in one place")
    yield one_class("O one row", column(3), "1/2", "FewExamples", "w = 3/2")
    yield one_class("O six, degree 2", SIX, "2/5", "Kernel", "other kernels",
                    kernel=Polynomial(2, Q(1, 4), Q(1)))
    yield one_class("O six, its Gram matrix", gram_of(SIX), "2/5", "Precomputed",
                    "the Gram matrix is given", kernel=Precomputed())
    for n, d, nu in ((12, 2, Q(1, 5)), (15, 3, Q(1, 2))):
        yield one_class(f"O {n} rows of {d}", moved(1, drawn(n, d, n)), nu, "ManyExamples",
                        "drawn rows")
    for nu in (Q(1, 100), Q(1, 10), Q(3, 10), Q(7, 10)):
        yield one_class(f"O 16 rows, gaussian, nu = {nu}", drawn(16, 2, 9), nu, "ManyExamples Nu",
                        "drawn rows", kernel=Gaussian(0.0625))


def _balls_with_other_numbers() -> Iterator[MachineEntry]:
    """C from its limit to infinity, rows in other units, places and orders, with weights."""
    for C in (Q(1, 5), Q(1, 4), Q(3, 10), Q(1, 2), Q(1), Q(8), inf):
        yield ball(f"D six, C = {C}", SIX, C, "BoundedSV" if C < 1 else "HardBall",
                   "C from next to its limit to infinity",
                   result="acceptable" if C == inf else "valid")
    for name, unit in powers(-60, -20, -10, 10, 20, 60):
        yield ball(f"D2, rows times {name}", stretched(unit, SPREAD), "2/5", "Units",
                   "rows in other units: R^2 in the square of these")
    for words, order in orders(6):
        yield ball(f"D six, {words}", picked(SIX, order), "3/10", "Permuted", "in another order")
    yield ball("D six, rows + 2^20", moved(2**20, SIX), "3/10", "Offset Float32Hostile",
               "far from the origin")
    yield ball("D six, moved", moved(-3, SIX), "3/10", "Origin", "another origin, the same ball")
    yield ball("D six, weights", SIX, ["3/10", "3/5", "3/20", "3/40", "6/5", "3/10"],
               "SampleWeight", "each row with its own weight")
    yield ball("D equal rows, weights", [*SIX, *SIX[:3]],
               ["1/10", "3/20", "1/5", "1/10", "3/20", "1/10", "1/5", "1/20", "3/10"],
               "SampleWeight Duplicate", "copies of rows that weigh otherwise")
    yield ball("D six twice", SIX * 2, "3/20", "Duplicate", "every row twice, at half the C")


def _balls_at_the_ends() -> Iterator[MachineEntry]:
    """Problems without a ball, other kernels, more rows."""
    yield ball("D too small a C", SPREAD, "1/4", "SumTooLarge",
               "C < 1 / n: the sum 1 is not reached")
    yield ball("D four rows, C = 1/4", column(0, 2, 10, 4), "1/4", "NuAtLimit",
               "the centre is the mean", result="acceptable")
    yield ball("D equal rows", column(2, 2, 2), 1, "Duplicate", "three rows in one place: R = 0")
    yield ball("D two rows", column(0, 4), 1, "FewExamples", "the middle, R^2 = 4")
    for C in (Q(1, 4), Q(1)):
        yield ball(f"D six, gaussian, C = {C}", SIX, C, "Kernel", "other kernels",
                   kernel=Gaussian(0.125))
    yield ball("D six, degree 2", SIX, "3/10", "Kernel", "other kernels",
               kernel=Polynomial(2, Q(1, 4), Q(1)))
    for n, d, C in ((12, 2, Q(1, 4)), (15, 3, Q(1, 8)), (14, 3, Q(2))):
        yield ball(f"D {n} rows of {d}", drawn(n, d, n), C, "ManyExamples", "drawn rows")


ONE_CLASS_FAMILIES = [*_one_class_with_other_numbers(), *_one_class_at_the_ends()]
BALL_FAMILIES = [*_balls_with_other_numbers(), *_balls_at_the_ends()]
