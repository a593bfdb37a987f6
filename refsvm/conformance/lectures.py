"""Problems from lecture notes, whose answers were worked out there or on paper."""

from fractions import Fraction as Q
from math import inf

from ..kernels.standard import Polynomial
from .cases.entry import Entry, column, rows, signs

CORNERS = rows((1, 1), (1, -1), (-1, 1), (-1, -1))
SIX = rows((1, 2), (2, 3), (3, 3), (2, 1), (3, 2), (4, "5/2"))
CLOUDS = rows((2, 2), (3, 3), (2, 3), (-2, -2), (-3, -2))
FAR = rows((10, 8), (10, 6), (1, 3), (3, 3), (0, 10))
HARD = ("HardMargin",)

LECTURES = [
    Entry("F1 hard", column(1, -1), signs("+-"), inf, HARD, "two points"),
    Entry(
        "F1 soft",
        column(1, -1),
        signs("+-"),
        Q(1, 4),
        ("NoFreeSV", "OffsetInterval"),
        "two points, too little C: separable data, but slack is used",
    ),
    Entry("F2", CORNERS, signs("++--"), inf, (*HARD, "AlphaNotUnique"), "a square"),
    Entry(
        "F3",
        rows((1, 0), (1, 1), (-1, 0)),
        signs("++-"),
        inf,
        (*HARD, "DegenerateMargin"),
        "all three points lie on the margin, one with alpha 0",
    ),
    Entry("F4", column(1, 2), signs("+-"), inf, HARD, "separable with an offset only"),
    Entry(
        "F4 without offset",
        column(1, 2),
        signs("+-"),
        inf,
        (*HARD, "Infeasible", "NoOffset"),
        "not separable through the origin",
        bias=False,
    ),
    Entry(
        "F5 soft",
        column(1, 1),
        signs("+-"),
        Q(3, 4),
        ("DuplicateOppositeLabel", "EtaZero"),
        "one point in both classes",
    ),
    Entry(
        "F5 hard",
        column(1, 1),
        signs("+-"),
        inf,
        (*HARD, "Infeasible"),
        "one point in both classes cannot be separated",
    ),
    Entry(
        "F6",
        column(2, 1, -1, -2, "3/2"),
        signs("++---"),
        Q(1, 2),
        ("BoundedSV",),
        "an outlier; the textbook formula for b is right for hard margins only",
    ),
    Entry(
        "F7",
        column(1, -1, 2),
        signs("+-+"),
        Q(1, 10),
        ("NoFreeSV", "NotDyadic"),
        "the median over the support vectors is no optimal b",
    ),
    Entry(
        "F8",
        column(1, -1, 2, -2, 3),
        signs("+-+--"),
        1,
        ("SquaredSlack",),
        "a multiplier above C",
        slack="squared",
    ),
    Entry("F9", SIX, signs("+++---"), 1, ("BoundedSV",), "six points"),
    Entry("F9 without offset", SIX, signs("+++---"), 1, ("NoOffset",), "six points", bias=False),
    Entry("F10", CLOUDS, signs("+++--"), inf, HARD, "two clouds"),
    Entry(
        "F10 outlier",
        CLOUDS + rows(("-3/2", -1)),
        signs("+++--+"),
        inf,
        HARD,
        "one point more, and the margin is a fifth",
    ),
    *(
        Entry(
            f"F11 lambda {Q(1) / C}",
            column(1, -1, "1/2", -2),
            signs("+---"),
            C,
            ("Formulation",),
            "lambda/2 |w|^2 and the sum of the hinges: C is 1/lambda",
        )
        for C in (4, 1, Q(1, 4))
    ),
    *(
        Entry(
            f"F12 lambda {Q(1) / C}",
            column(1, -1, 2, -2),
            signs("+-+-"),
            C,
            ("Formulation",),
            "the same, for other data",
        )
        for C in (Q(1, 4), Q(1, 8))
    ),
    Entry("F13", FAR, signs("++---"), inf, HARD, "five points, hard margin"),
    Entry(
        "F13 constant feature",
        [[*x, Q(1)] for x in FAR],
        signs("++---"),
        inf,
        (*HARD, "NoOffset", "Formulation"),
        "a feature that is always 1 in the place of the offset: it is priced, and b differs",
        bias=False,
    ),
    Entry(
        "F13 constant hundred",
        [[*x, Q(100)] for x in FAR],
        signs("++---"),
        inf,
        (*HARD, "NoOffset", "Formulation"),
        "a feature that is always 100 costs less: nearly the offset again",
        bias=False,
    ),
    *(
        Entry(
            f"F14 lambda {lam}",
            column(2, 2, -5, -2, 4),
            signs("++-+-"),
            Q(1, lam),
            ("Formulation", "Duplicate", "NotDyadic"),
            "training errors depend on lambda",
        )
        for lam in (3, 5)
    ),
    Entry(
        "F15",
        CORNERS,
        signs("+--+"),
        inf,
        (*HARD, "Kernel"),
        "exclusive or with the kernel that solves it",
        Polynomial(2, coef0=1),
    ),
    Entry(
        "F15 linear",
        CORNERS,
        signs("+--+"),
        inf,
        (*HARD, "Infeasible"),
        "exclusive or without a kernel has no hard margin",
    ),
]
