"""Cases of regression: S of a tube of given width, V of a tube that leaves a share outside.

S1 to S7 and V1 to V6 were found on paper and by enumeration; a program that people use answers
each of those that matter wrongly. The families are these in other units, orders and weights, and
problems at the ends: all in the tube, all y equal, equal rows, no free support vector.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction as Q
from typing import Any

from ....kernels.standard import Gaussian, Polynomial, Precomputed
from ..machine_entries import (
    MachineEntry,
    column,
    drawn,
    gram_of,
    heights,
    machine,
    moved,
    orders,
    picked,
    powers,
    stretched,
    times,
)

Make = Callable[..., MachineEntry]

# fmt: off
THREE, LINE = column(0, 1, 2), column(0, 1, 2, 3)
SLOPE, BENT = [Q(0), Q(1), Q(4)], [Q(0), Q(1), Q(4), Q(3)]
LONG, LOUD = column(0, 1, 2, 3, 4, 5), [Q(v) for v in (0, 2, 1, 9, 4, 6)]
BENDING = [Q(v) for v in (4, 0, 7, 1, 9, 3)]
LOUD_TOO = [Q(v) for v in (9, 1, 8)]  # of rows 3, 4 and 5 once more
SMALL = Q(1, 10_000)


def tube(
    name: str, X: Any, y: Any, C: Any, epsilon: Any, *words: Any, **more: Any
) -> MachineEntry:
    """Return an entry of regression with a tube of given width."""
    return machine("epsilon_svr", name, X, y, C, epsilon, *words, **more)


def share(name: str, X: Any, y: Any, C: Any, nu: Any, *words: Any, **more: Any) -> MachineEntry:
    """Return an entry of regression with a share outside its tube."""
    return machine("nu_svr", name, X, y, C, nu, *words, **more)


TUBES = [
    tube("S1", THREE, SLOPE, 1, "1/4", "Sane", "three points, one of them inside the tube"),
    tube("S3", THREE, SLOPE, 1, 5, "AllInTube OffsetInterval",
         "a tube so wide that no slope is needed: b from -1 to 5"),
    tube("S5", column(1, 1, 2), [Q(0), Q(2), Q(3)], 1, "1/2", "Duplicate", "one row with two y"),
    tube("S6", THREE, times(SMALL, SLOPE), SMALL, SMALL / 4, "Units",
         "S1 in other units: y, C and epsilon divided by 10 000"),
    tube("S7", LINE, BENT, 10, "1/2", "BoundedSV AlphaNotUnique", "one support vector at C"),
]
SHARES = [
    share("V1", LINE, BENT, 1, "1/2", "OffsetInterval", "b from 0 to 1, and epsilon is b"),
    share("V2", LINE, BENT, 1, 1, "NuAtLimit", "the tube is closed"),
    share("V4", THREE, SLOPE, 1, "1/3", "Sane", "epsilon is 1"),
    share("V6", LINE, BENT, 10, "1/4", "BoxIgnored AlphaNotUnique",
          "V1 with C = 10: a box of 1 gives another slope"),
]


def _tubes_in_other_units() -> Iterator[MachineEntry]:
    """S1, S7 and a longer one with y, C and epsilon in other units: f is in these units."""
    for name, unit in powers(-300, -60, -30, -20, -10, 10, 20, 30, 60, 300):
        yield tube(f"S1 in units of {name}", THREE, times(unit, SLOPE), unit, unit / 4, "Units",
                   "y, C and epsilon times a power of two")
    for name, unit in powers(-40, -20, 20):
        yield tube(f"loud in units of {name}", LONG, times(unit, LOUD), unit, unit / 2, "Units",
                   "y, C and epsilon times a power of two")
    for name, unit in powers(-10, 10):
        yield tube(f"S7, rows times {name}", stretched(unit, LINE), BENT, 10 / unit**2, "1/2",
                   "Scale", "rows times a power of two, C divided by its square")
    yield tube("S7, y + 2^20", LINE, [v + 2**20 for v in BENT], 10, "1/2", "Offset",
               "y far from 0, as years are")
    yield tube("S7, rows + 2^20", moved(2**20, LINE), BENT, 10, "1/2", "Offset Float32Hostile",
               "rows far from 0")


def _tubes_with_other_numbers() -> Iterator[MachineEntry]:
    """A longer one with other C and epsilon."""
    for C in (Q(1, 64), Q(1, 8), Q(1, 2), Q(2), Q(2**12)):
        yield tube(f"loud, C = {C}", LONG, LOUD, C, "1/2", "BoundedSV", "C from tiny to huge")
    for epsilon in (Q(0), Q(1, 8), Q(1), Q(3, 2), Q(3)):
        yield tube(f"loud, epsilon = {epsilon}", LONG, LOUD, 1, epsilon, "Tube",
                   "tubes of other widths")


def _tubes_at_the_ends() -> Iterator[MachineEntry]:
    """Flat, empty, and otherwise degenerate problems."""
    yield tube("all y equal", THREE, [Q(3)] * 3, 1, "1/4", "AllInTube OffsetInterval",
               "nothing to learn: b within epsilon of 3")
    yield tube("all y equal, no tube", THREE, [Q(3)] * 3, 1, 0, "AllInTube", "b is 3")
    yield tube("one row in two places", column(1, 1, 1, 1), [Q(v) for v in (0, 1, 4, 5)], 1, "1/2",
               "ZeroVariance OffsetInterval", "rows without a difference: b is a median")
    yield tube("two rows", column(0, 4), [Q(0), Q(2)], 1, "1/2", "FewExamples", "w = 1/4")
    yield tube("two rows, tiny C", column(0, 4), [Q(0), Q(2)], "1/64", "1/2",
               "NoFreeSV OffsetInterval", "both at C: b in an interval")
    yield tube("just in the tube", column(0, 1, 2, 3), [Q(0), Q(1), Q(0), Q(1)], 4, "1/2",
               "AllInTube", "the spread is two epsilon exactly: b = 1/2")
    yield tube("an outlier", LONG, [Q(v) for v in (0, 1, 2, 30, 4, 5)], 1, "1/4", "BoundedSV",
               "one y far away: b averaged over all support vectors is wrong")


def _shares_in_other_units() -> Iterator[MachineEntry]:
    """V4 and a longer one with y and C in other units."""
    for name, unit in powers(-300, -60, -30, -20, -10, 10, 20, 60, 300):
        yield share(f"V4 in units of {name}", THREE, times(unit, SLOPE), unit, "1/3", "Units",
                    "y and C times a power of two")
    for name, unit in powers(-40, -20, 20):
        yield share(f"V loud in units of {name}", LONG, times(unit, LOUD), unit, "1/2", "Units",
                    "y and C times a power of two")
    yield share("V6, y + 2^20", LINE, [v + 2**20 for v in BENT], 10, "1/4", "Offset",
                "y far from 0, as years are")


def _shares_with_other_numbers() -> Iterator[MachineEntry]:
    """A longer one with other C and nu; and at the ends."""
    for C in (Q(1, 64), Q(1, 4), Q(10), Q(2**12)):
        yield share(f"V loud, C = {C}", LONG, LOUD, C, "2/5", "BoxIgnored", "C from tiny to huge")
    for nu in (Q(1, 1000), Q(1, 10), Q(1, 4), Q(3, 4), Q(9, 10), Q(1)):
        yield share(f"V loud, nu = {nu}", LONG, LOUD, 1, nu, "Nu",
                    "nu from its one end to the other")
    yield share("V all y equal", THREE, [Q(3)] * 3, 1, "1/2", "AllInTube",
                "nothing to learn: b = 3")
    yield share("V one row in two places", column(1, 1, 1, 1), [Q(v) for v in (0, 1, 4, 5)], 1,
                "3/8", "ZeroVariance", "rows without a difference")
    yield share("V an outlier", LONG, [Q(v) for v in (0, 1, 2, 30, 4, 5)], 1, "2/5", "BoundedSV",
                "one y far away")


# ---- of both


def _rearranged(make: Make, letter: str, number: str) -> Iterator[MachineEntry]:
    """A longer one in other orders, with weights; its names begin with the letter, if not S."""
    begin = "" if letter == "S" else f"{letter} "
    for words, order in orders(6):
        yield make(f"{begin}loud, {words}", picked(LONG, order), picked(LOUD, order), 1, number,
                   "Permuted", "in another order")
    yield make(f"{begin}loud turned round", LONG, times(Q(-1), LOUD), 1, number, "Permuted",
               "y negated")
    yield make(f"{begin}loud twice", LONG * 2, LOUD * 2, "1/2", number,
               "Duplicate AlphaNotUnique", "every row twice, at half the C")
    yield make(f"{letter} equal rows, weights", [*LONG, *LONG[3:]], [*LOUD, *LOUD_TOO],
               [1, 2, "1/2", "1/4", 4, 1, "1/2", 3, 2], number, "SampleWeight Duplicate",
               "copies of rows that weigh otherwise")
    yield make(f"{begin}bent, weights", LONG, BENDING, ["1/4", "1/8", "1/4", 2, 2, "1/4"], number,
               "SampleWeight", "weights that the slope and b depend on")
    yield make(f"{begin}loud, weights", LONG, LOUD, [1, 2, "1/2", "1/4", 4, 1], number,
               "SampleWeight", "each row with a weight of its own")


def _of_kernels(
    make: Make, begin: str, number: str, of_matrix: str, of_drawn: str
) -> Iterator[MachineEntry]:
    """Other kernels, and more rows; the numbers are epsilon or nu."""
    for gamma in (Q(1, 8), Q(1), Q(4)):
        yield make(f"{begin}loud, gaussian {gamma}", LONG, LOUD, 4, number, "Kernel",
                   "other kernels", kernel=Gaussian(float(gamma)))
    yield make(f"{begin}loud, degree 2", LONG, LOUD, "1/8", number, "Kernel", "other kernels",
               kernel=Polynomial(2, Q(1, 4), Q(1)))
    yield make(f"{begin}loud, its Gram matrix", gram_of(LONG), LOUD, 1, of_matrix, "Precomputed",
               "the Gram matrix is given", kernel=Precomputed())
    for n, d, C in ((12, 2, Q(1, 2)), (12, 3, Q(4)), (15, 5, Q(1, 16))):
        X = drawn(n, d, n + d)
        yield make(f"{begin}{n} rows of {d}", X, heights(X, d), C, of_drawn, "ManyExamples",
                   "drawn rows")


DRAWN = drawn(14, 2, 3)
TUBE_FAMILIES = [
    *_tubes_in_other_units(), *_tubes_with_other_numbers(), *_rearranged(tube, "S", "1/2"),
    *_tubes_at_the_ends(), *_of_kernels(tube, "", "1/4", "1/2", "1/2"),
    tube("bent, degree 3", LINE, BENT, 1, "1/8", "Kernel", "other kernels",
         kernel=Polynomial(3, Q(1, 2), Q(2))),
    tube("14 rows, gaussian", DRAWN, heights(DRAWN, 5), 2, "1/2", "ManyExamples", "drawn rows",
         kernel=Gaussian(0.125)),
]
SHARE_FAMILIES = [
    *_shares_in_other_units(), *_rearranged(share, "V", "2/5"), *_shares_with_other_numbers(),
    *_of_kernels(share, "V ", "2/5", "2/5", "3/8"),
]
