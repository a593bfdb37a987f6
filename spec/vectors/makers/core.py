"""The cases C01 to C25, the extras E1 to E8, and problems from lecture notes.

C01 to C25 have two to six points. Every one of them is answered wrongly, without a warning, by
some program that people use; all together they run in less than a second. The names are for life:
a report that says C07 means the same problem for ever. The extras with a Gaussian kernel are in
families.py.

The answers to the problems from lecture notes, F1 to F15, were worked out there or on paper.
"""

from __future__ import annotations

from fractions import Fraction as Q
from math import inf
from typing import Any

from refsvm.conformance.cases.machine_entries import column, rows, signs
from refsvm.kernels.standard import Polynomial, Precomputed

from .entries import Entry, entry

# fmt: off
C25_X, C25_Y = column(0, 1, 2, 3, 4, 5), signs("--+-++")
FIVE = (0, 1, 3, 4, 2)
E20 = 2**20
XOR = rows((-1, -1), (1, 1), (-1, 1), (1, -1))
SQUARE = rows((1, 1), (1, -1), (-1, 1), (-1, -1))
UNIT_SQUARE = rows((0, 0), (1, 1), (0, 1), (1, 0))

TWENTY_FIVE = [
    entry("C01", column(-1, 1), "-+", 1, "Sane FewExamples", "two points, one on each side"),
    entry("C02", column(10, 11), "-+", Q(1, 8), "NoFreeSV OffsetInterval Offset",
          "no free support vector, far from zero: b is negative"),
    entry("C03", column(0, 0), "-+", 1,
          "DuplicateOppositeLabel TiedPrediction EtaZero OffsetInterval",
          "one point in both classes"),
    entry("C04", column(3, 3, 3, 3), "+++-", 2,
          "ZeroVariance EtaZero AlphaNotUnique DuplicateOppositeLabel",
          "one point, three to one: the majority wins, b = 1"),
    entry("C05", column(-1, -1, 1, 1), "--++", 1, "AlphaNotUnique Duplicate", "every point twice"),
    entry("C06", SQUARE, "++--", 1, "AlphaNotUnique",
          "a square: alpha is not unique, though no point is there twice"),
    entry("C07", rows((-1, 0), (1, 0), (1, 5)), "-++", 1, "DegenerateMargin ThreePoints",
          "the third point lies on the margin, and its alpha is 0"),
    entry("C08", UNIT_SQUARE, "--++", E20, "SlowSMO HugeC TiedPrediction",
          "exclusive or without a kernel: every alpha is C, and pair steps take about C of them"),
    entry("C09", XOR, "--++", 8, "Kernel", "exclusive or with the kernel that solves it",
          Polynomial(2, coef0=1)),
    entry("C10", column(1, 2, 3, 4, 5), "+++--", 1, "ConstantKernel EtaZero Kernel",
          "degree 0: every kernel value is 1, that of 0 and 0 too", Polynomial(0),
          result="acceptable"),
    entry("C11", rows((0, 0), (2, 2), (2, 0), (3, 0)), "--++", 2**30, "HugeC",
          "separable: the same answer for every C from 1 on"),
    entry("C12", column(10, 12, 11, 13), "--++", Q(1, 2**30), "TinyC NoFreeSV OffsetInterval",
          "C so small that b is nearly free"),
    entry("C13", column(0, 1, 2, 3, 4), "-++++", Q(1, E20), "TinyC NoFreeSV OffsetInterval",
          "four to one and C tiny: b is about 1, not 0"),
    entry("C14", column(0, 2, 1, 3), "--++", [Q(1, 4), Q(1, 4), 1, 1], "ClassWeight",
          "each class has its own C; exchanged, b is -1 instead of 1"),
    entry("C15", rows((0, 0, 0), (0, 1, 0), (0, -1, 0), (0, 2, 0)), "-+-+", 3, "ZeroVariance",
          "a row of zeros, two constant columns"),
    entry("C16", column(*(v * E20 for v in FIVE)), "--+++", Q(1, E20**2),
          "Scale NoFreeSV OffsetInterval",
          "the points 0 to 4 times 2^20: absolute thresholds fail"),
    entry("C17", column(*(v + E20 for v in FIVE)), "--+++", 1,
          "Float32Hostile UnscaledFeatures OffsetInterval Offset",
          "the points 0 to 4 moved by 2^20, as a year or a timestamp is"),
    entry("C18", [[Q(E20 + u), Q(v, 1024)] for u, v in zip(FIVE, (1, 2, 1, 3, 2))], "--+++", 8,
          "Float32Hostile UnscaledFeatures", "a feature near 2^20 beside one near 2^-10"),
    entry("C19", column(1, 1 + Q(1, E20), 0, 2), "+--+", 1, "Float32Hostile",
          "two points 2^-20 apart, one in each class"),
    entry("C20", rows((1, 1), (1, 1), (0, 0), (2, 3)), "+--+", 5, "EtaZero DuplicateOppositeLabel",
          "a pair without curvature among good points"),
    entry("C21", column(-1, 1), "-+", Q(1, 2), "AlphaAtBoundExactly FewExamples",
          "alpha is C exactly; b is unique, although no alpha is strictly free"),
    entry("C22", column(3, 1, 0, 2), "+--+", 1, "LabelOrder NoFreeSV OffsetInterval",
          "the first example has the label +1"),
    entry("C23", rows((1, 0, 0), (0, 1, 1), (0, 1, 1)), "-++", 1,
          "Precomputed AlphaNotUnique ThreePoints", "a singular Gram matrix", Precomputed()),
    entry("C24", column(0, 1, 2), "-++", [3, 1, 2], "SampleWeight ThreePoints",
          "each example has its own C: the same as so many copies of it"),
    entry("C25", C25_X, C25_Y, 1, "BoundedSV Formulation",
          "free and bounded support vectors: b averaged over all of them is wrong"),
]

CLASSES = rows((0, 0), (4, 0)), rows((2, 4), (1, 0)), rows((4, 1), (2, 1))


def vote(p: int, q: int) -> Entry:
    """Return the problem of class p against class q of the three whose votes go in a circle."""
    return entry(f"E1-{p}{q}", CLASSES[p] + CLASSES[q], "++--", 1, "VoteCycle",
                 f"class {p} against class {q} of three: at (0, 1) each class has one vote",
                 queries=((0, 1),))


def _three_points(name: str, x: tuple[int, ...], labels: str, C: Any) -> Entry:
    """Return a problem of three points on the line."""
    return entry(name, column(*x), labels, C, "ThreePoints",
                 "three points: a library is wrong on most of them, and right with more")


EXTRAS = [
    vote(0, 1),
    vote(1, 2),
    vote(2, 0),
    _three_points("E2-1", (1, 3, -2), "++-", 8),
    _three_points("E2-2", (0, 1, 3), "-+-", 1),
    _three_points("E2-3", (-3, 0, 2), "+-+", 1),
    _three_points("E2-4", (1, 1, -1), "++-", Q(1, 8)),
    entry("E3", column(0, 2, 1, 3), "--++", [1, 0, 1, 1], "ZeroWeight OffsetInterval",
          "the second example weighs nothing; the support vectors are the rows 0 and 2"),
    entry("E7", UNIT_SQUARE, "--++", E20, "MaxIter",
          "C08 with one step allowed: a program must say that it has not converged"),
    entry("E8", C25_X, C25_Y, 1, "Repeatable",
          "C25 twice, and in two threads: the same answer each time"),
]

SIX_IN_THE_PLANE = rows((1, 2), (2, 3), (3, 3), (2, 1), (3, 2), (4, "5/2"))
CLOUDS = rows((2, 2), (3, 3), (2, 3), (-2, -2), (-3, -2))
FAR = rows((10, 8), (10, 6), (1, 3), (3, 3), (0, 10))

LECTURES = [
    entry("F1 hard", column(1, -1), "+-", inf, "HardMargin", "two points"),
    entry("F1 soft", column(1, -1), "+-", Q(1, 4), "NoFreeSV OffsetInterval",
          "two points, too little C: separable data, but slack is used"),
    entry("F2", SQUARE, "++--", inf, "HardMargin AlphaNotUnique", "a square"),
    entry("F3", rows((1, 0), (1, 1), (-1, 0)), "++-", inf, "HardMargin DegenerateMargin",
          "all three points lie on the margin, one with alpha 0"),
    entry("F4", column(1, 2), "+-", inf, "HardMargin", "separable with an offset only"),
    entry("F4 without offset", column(1, 2), "+-", inf, "HardMargin Infeasible NoOffset",
          "not separable through the origin", bias=False),
    entry("F5 soft", column(1, 1), "+-", Q(3, 4), "DuplicateOppositeLabel EtaZero",
          "one point in both classes"),
    entry("F5 hard", column(1, 1), "+-", inf, "HardMargin Infeasible",
          "one point in both classes cannot be separated"),
    entry("F6", column(2, 1, -1, -2, "3/2"), "++---", Q(1, 2), "BoundedSV",
          "an outlier; the textbook formula for b is right for hard margins only"),
    entry("F7", column(1, -1, 2), "+-+", Q(1, 10), "NoFreeSV NotDyadic",
          "the median over the support vectors is no optimal b"),
    entry("F8", column(1, -1, 2, -2, 3), "+-+--", 1, "SquaredSlack", "a multiplier above C",
          slack="squared"),
    entry("F9", SIX_IN_THE_PLANE, "+++---", 1, "BoundedSV", "six points"),
    entry("F9 without offset", SIX_IN_THE_PLANE, "+++---", 1, "NoOffset", "six points",
          bias=False),
    entry("F10", CLOUDS, "+++--", inf, "HardMargin", "two clouds"),
    entry("F10 outlier", CLOUDS + rows(("-3/2", -1)), "+++--+", inf, "HardMargin",
          "one point more, and the margin is a fifth"),
    *(
        entry(f"F11 lambda {Q(1) / C}", column(1, -1, "1/2", -2), "+---", C, "Formulation",
              "lambda/2 |w|^2 and the sum of the hinges: C is 1/lambda")
        for C in (4, 1, Q(1, 4))
    ),
    *(
        entry(f"F12 lambda {Q(1) / C}", column(1, -1, 2, -2), "+-+-", C, "Formulation",
              "the same, for other data")
        for C in (Q(1, 4), Q(1, 8))
    ),
    entry("F13", FAR, "++---", inf, "HardMargin", "five points, hard margin"),
    entry("F13 constant feature", [[*x, Q(1)] for x in FAR], "++---", inf,
          "HardMargin NoOffset Formulation",
          "a feature that is always 1 in the place of the offset: it is priced, and b differs",
          bias=False),
    entry("F13 constant hundred", [[*x, Q(100)] for x in FAR], "++---", inf,
          "HardMargin NoOffset Formulation",
          "a feature that is always 100 costs less: nearly the offset again", bias=False),
    *(
        entry(f"F14 lambda {lam}", column(2, 2, -5, -2, 4), "++-+-", Q(1, lam),
              "Formulation Duplicate NotDyadic", "training errors depend on lambda")
        for lam in (3, 5)
    ),
    entry("F15", SQUARE, "+--+", inf, "HardMargin Kernel",
          "exclusive or with the kernel that solves it", Polynomial(2, coef0=1)),
    entry("F15 linear", SQUARE, "+--+", inf, "HardMargin Infeasible",
          "exclusive or without a kernel has no hard margin"),
]
