"""Cases of nu-classification, N: its answers are on the scale of LIBSVM, divided by rho.

N1 to N9 were found on paper and by enumeration. The families are these in other units, orders and
weights, nu from next to 0 to its limit, and problems whose reduced hulls meet.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction as Q
from typing import Any

from ....kernels.standard import Gaussian, Polynomial, Precomputed
from ..entries import column, rows, signs
from ..machine_entries import (
    MachineEntry,
    drawn,
    gram_of,
    machine,
    moved,
    orders,
    picked,
    powers,
    stretched,
)

# fmt: off
FOUR, FAR = column(0, 1, 3, 4), column(0, 3, 2, 5)
PLANE = rows((0, 0), (1, 0), (0, 2), (3, 1), (2, 2))
SIX = rows((0, 0), (1, 2), (3, 1), (2, 3), (5, 3), (4, 5))
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
        yield nu_svc(f"N six, gaussian, nu = {nu}", SIX, SIDES, nu, "Nu NuTiny Kernel",
                     "nu from next to 0 on", kernel=Gaussian(0.125))
    for nu in (Q(7, 10), Q(4, 5), Q(9, 10)):
        yield nu_svc(f"N six, nu = {nu}", SIX, SIDES, nu, "Nu", "classes that overlap")
    for name, unit in powers(-60, -20, -10, 10, 20, 60):
        yield nu_svc(f"N7, rows times {name}", stretched(unit, PLANE), "--+++", "3/5", "Units",
                     "rows in other units: the scaled answer divides by these")
    for words, order in orders(6):
        yield nu_svc(f"N six, {words}", picked(SIX, order), "".join(picked(list(SIDES), order)),
                     "4/5", "Permuted", "in another order")
    yield nu_svc("N six, classes exchanged", SIX, "++-+--", "4/5", "LabelOrder",
                 "labels exchanged")
    yield nu_svc("N six, moved", moved(-7, SIX), SIDES, "4/5", "Offset", "another origin")
    yield nu_svc("N six, rows + 2^20", moved(2**20, SIX), SIDES, "4/5", "Offset Float32Hostile",
                 "far from the origin")
    yield nu_svc("N six, weights", SIX, SIDES, "3/4", "SampleWeight",
                 "each row with its own weight", C=[1, 2, "1/2", 1, 2, 1])
    yield nu_svc("N equal rows, weights", [*SIX, *SIX[:3]], SIDES + SIDES[:3], "1/2",
                 "SampleWeight Duplicate", "copies of rows that weigh otherwise",
                 C=[1, 2, "1/2", 1, 2, 1, "1/2", 3, "1/4"])
    yield nu_svc("N six twice", SIX * 2, SIDES * 2, "4/5", "Duplicate", "every row twice",
                 C=["1/2"] * 12)


def _nu_at_the_ends() -> Iterator[MachineEntry]:
    """Problems without a machine, other kernels, more rows."""
    yield nu_svc("N too large a nu", column(0, 1, 3), "--+", "9/10", "SumTooLarge",
                 "one class weighs less than nu n / 2")
    yield nu_svc("N two rows", column(0, 4), "-+", "1/2", "FewExamples", "the border is at 2")
    yield nu_svc("N three to one", column(0, 1, 2, 5), "---+", "2/5", "OneSmallClass",
                 "classes of different sizes")
    yield nu_svc("N six, degree 2", SIX, SIDES, "1/2", "Kernel", "other kernels",
                 kernel=Polynomial(2, Q(1, 4), Q(1)))
    yield nu_svc("N six, its Gram matrix", gram_of(SIX), SIDES, "4/5", "Precomputed",
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
