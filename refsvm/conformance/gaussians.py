"""Problems with a Gaussian kernel: their optimum is known between two fractions.

Two of them have closed forms. Two points at distance d have alpha = min(C, 1 / (1 - k)) each, with
k = exp(-gamma d^2); exclusive or on the corners (+-1, +-1) has 1 / (1 - exp(-4 gamma))^2 each, if
C is not less, p* = twice that, b = 0.
"""

from fractions import Fraction as Q

from ..kernels.standard import Gaussian, Linear, Polynomial
from .cases.core import FIVE, XOR
from .cases.entry import Entry, column, rows, signs

SIX, MIXED = column(0, 1, 2, 3, 4, 5), signs("--+-++")
PLANE = rows((0, 0), (1, 0), (0, 2), (2, 1), (1, 1))


def moved(t):
    """Five points of the line, moved by t."""
    return Entry(
        f"E5-{t}",
        column(*(v + t for v in FIVE)),
        signs("--+++"),
        1,
        ("Cancellation", "Offset"),
        f"the points 0 to 4 moved by {t}: nothing changes",
        Gaussian(0.5),
    )


def of_six(name, comment, kernel=Gaussian(0.5), C=1, flags=("Kernel",), **changed):  # noqa: B008
    """The six points of C25 with a Gaussian kernel."""
    return Entry(name, SIX, MIXED, C, flags, comment, kernel, **changed)


GAUSSIANS = [
    Entry(
        "E2-5",
        column(1, 3, -2),
        signs("++-"),
        8,
        ("ThreePoints", "Kernel"),
        "f is 1, 1, -1: a library said 1.32, 0.84, -1.16",
        Gaussian(0.5),
    ),
    Entry(
        "E4-two",
        column(0, 1),
        signs("-+"),
        8,
        ("Kernel", "FewExamples"),
        "two points: alpha = 1 / (1 - k)",
        Gaussian(1),
    ),
    Entry(
        "E4-two-bounded",
        column(0, 1),
        signs("-+"),
        1,
        ("Kernel", "FewExamples"),
        "two points: alpha = C < 1 / (1 - k)",
        Gaussian(1),
    ),
    Entry(
        "E4-xor",
        XOR,
        signs("--++"),
        8,
        ("Kernel",),
        "exclusive or: alpha = 1 / (1 - exp(-4 gamma))^2, b = 0",
        Gaussian(1),
    ),
    *map(moved, (0, 10**4, 10**7, 10**8)),
    *(
        Entry(
            f"exclusive or, gamma {gamma}",
            XOR,
            signs("--++"),
            2**20,
            ("Kernel", "HugeC"),
            "alpha = 1 / (1 - exp(-4 gamma))^2, b = 0",
            Gaussian(float(gamma)),
        )
        for gamma in (Q(1, 64), Q(1, 4), 4)
    ),
    of_six("Gaussian on six", "free and bounded support vectors"),
    of_six("Gaussian on six, C of 1/8", "too little C: no free support vector", C=Q(1, 8)),
    of_six("Gaussian on six, C of 1024", "much C: every point on its margin", C=1024),
    of_six("Gaussian on six, narrow", "every point for itself", Gaussian(16)),
    of_six("Gaussian on six, wide", "nearly linear: kernel values near 1", Gaussian(2.0**-12)),
    of_six("Gaussian on six, no offset", "b is 0", flags=("Kernel", "NoOffset"), bias=False),
    of_six(
        "Gaussian on six, squared",
        "squared slack",
        flags=("Kernel", "SquaredSlack"),
        slack="squared",
    ),
    of_six(
        "Gaussian on six, weighted",
        "each with its own C",
        C=[1, 2, Q(1, 2), 4, 1, 1],
        flags=("Kernel", "SampleWeight"),
    ),
    of_six("Gaussian and linear", "a sum of kernels", Gaussian(0.5) + Linear()),
    of_six("Gaussian times polynomial", "a product", Gaussian(0.5) * Polynomial(2, coef0=1)),
    of_six("a quarter of a Gaussian", "a multiple: as with a quarter of C", 0.25 * Gaussian(0.5)),
    Entry(
        "Gaussian on opposite twins",
        rows((1, 1), (1, 1), (0, 0), (2, 3)),
        signs("+--+"),
        5,
        ("Kernel", "DuplicateOppositeLabel", "EtaZero"),
        "one point in both classes",
        Gaussian(0.25),
    ),
    Entry(
        "Gaussian beside a constant column",
        rows((0, 5), (1, 5), (2, 5), (3, 5)),
        signs("-++-"),
        2,
        ("Kernel", "ZeroVariance"),
        "a column, constant in training only",
        Gaussian(0.25),
        asked=((1, 6), (2, 4)),
    ),
    Entry(
        "Gaussian on six, tiny rows",
        column(*(Q(v, 4096) for v in range(6))),
        MIXED,
        1,
        ("Kernel", "Scale"),
        "rows times 2^-12, gamma times 2^24: the same kernel values",
        Gaussian(0.5 * 2**24),
    ),
    Entry(
        "Gaussian, rows at 2^600",
        column(0, 1, Q(2) ** 600, -(Q(2) ** 600)),
        signs("-++-"),
        2,
        ("Kernel", "UnscaledFeatures"),
        "squared distances overflow, kernel values are 0",
        Gaussian(0.5),
    ),
    Entry(
        "Gaussian on the plane",
        PLANE,
        signs("-+-++"),
        2,
        ("Kernel",),
        "five points",
        Gaussian(0.5),
    ),
]
