"""The twenty-five cases C01 to C25, and the extras E1 to E8: two to six points each.

Every one of them is answered wrongly, without a warning, by some program that people use; all
together they run in less than a second. The names are for life: a report that says C07 means the
same problem for ever. The extras with a Gaussian kernel are in gaussians.py.
"""

from fractions import Fraction as Q

from ...kernels.standard import Polynomial, Precomputed
from .entry import Entry, column, rows, signs

FIVE = (0, 1, 3, 4, 2)
E20 = 2**20
XOR = rows((-1, -1), (1, 1), (-1, 1), (1, -1))
SLOW = rows((0, 0), (1, 1), (0, 1), (1, 0))

TWENTY_FIVE = [
    Entry(
        "C01",
        column(-1, 1),
        signs("-+"),
        1,
        ("Sane", "FewExamples"),
        "two points, one on each side",
    ),
    Entry(
        "C02",
        column(10, 11),
        signs("-+"),
        Q(1, 8),
        ("NoFreeSV", "OffsetInterval", "Offset"),
        "no free support vector, far from zero: b is negative",
    ),
    Entry(
        "C03",
        column(0, 0),
        signs("-+"),
        1,
        ("DuplicateOppositeLabel", "TiedPrediction", "EtaZero", "OffsetInterval"),
        "one point in both classes",
    ),
    Entry(
        "C04",
        column(3, 3, 3, 3),
        signs("+++-"),
        2,
        ("ZeroVariance", "EtaZero", "AlphaNotUnique", "DuplicateOppositeLabel"),
        "one point, three to one: the majority wins, b = 1",
    ),
    Entry(
        "C05",
        column(-1, -1, 1, 1),
        signs("--++"),
        1,
        ("AlphaNotUnique", "Duplicate"),
        "every point twice",
    ),
    Entry(
        "C06",
        rows((1, 1), (1, -1), (-1, 1), (-1, -1)),
        signs("++--"),
        1,
        ("AlphaNotUnique",),
        "a square: alpha is not unique, though no point is there twice",
    ),
    Entry(
        "C07",
        rows((-1, 0), (1, 0), (1, 5)),
        signs("-++"),
        1,
        ("DegenerateMargin", "ThreePoints"),
        "the third point lies on the margin, and its alpha is 0",
    ),
    Entry(
        "C08",
        SLOW,
        signs("--++"),
        E20,
        ("SlowSMO", "HugeC", "TiedPrediction"),
        "exclusive or without a kernel: every alpha is C, and pair steps take about C of them",
    ),
    Entry(
        "C09",
        XOR,
        signs("--++"),
        8,
        ("Kernel",),
        "exclusive or with the kernel that solves it",
        Polynomial(2, coef0=1),
    ),
    Entry(
        "C10",
        column(1, 2, 3, 4, 5),
        signs("+++--"),
        1,
        ("ConstantKernel", "EtaZero", "Kernel"),
        "degree 0: every kernel value is 1, that of 0 and 0 too",
        Polynomial(0),
        result="acceptable",
    ),
    Entry(
        "C11",
        rows((0, 0), (2, 2), (2, 0), (3, 0)),
        signs("--++"),
        2**30,
        ("HugeC",),
        "separable: the same answer for every C from 1 on",
    ),
    Entry(
        "C12",
        column(10, 12, 11, 13),
        signs("--++"),
        Q(1, 2**30),
        ("TinyC", "NoFreeSV", "OffsetInterval"),
        "C so small that b is nearly free",
    ),
    Entry(
        "C13",
        column(0, 1, 2, 3, 4),
        signs("-++++"),
        Q(1, E20),
        ("TinyC", "NoFreeSV", "OffsetInterval"),
        "four to one and C tiny: b is about 1, not 0",
    ),
    Entry(
        "C14",
        column(0, 2, 1, 3),
        signs("--++"),
        [Q(1, 4), Q(1, 4), 1, 1],
        ("ClassWeight",),
        "each class has its own C; exchanged, b is -1 instead of 1",
    ),
    Entry(
        "C15",
        rows((0, 0, 0), (0, 1, 0), (0, -1, 0), (0, 2, 0)),
        signs("-+-+"),
        3,
        ("ZeroVariance",),
        "a row of zeros, two constant columns",
    ),
    Entry(
        "C16",
        column(*(v * E20 for v in FIVE)),
        signs("--+++"),
        Q(1, E20**2),
        ("Scale", "NoFreeSV", "OffsetInterval"),
        "the points 0 to 4 times 2^20: absolute thresholds fail",
    ),
    Entry(
        "C17",
        column(*(v + E20 for v in FIVE)),
        signs("--+++"),
        1,
        ("Float32Hostile", "UnscaledFeatures", "OffsetInterval", "Offset"),
        "the points 0 to 4 moved by 2^20, as a year or a timestamp is",
    ),
    Entry(
        "C18",
        [[Q(E20 + u), Q(v, 1024)] for u, v in zip(FIVE, (1, 2, 1, 3, 2))],
        signs("--+++"),
        8,
        ("Float32Hostile", "UnscaledFeatures"),
        "a feature near 2^20 beside one near 2^-10",
    ),
    Entry(
        "C19",
        column(1, 1 + Q(1, E20), 0, 2),
        signs("+--+"),
        1,
        ("Float32Hostile",),
        "two points 2^-20 apart, one in each class",
    ),
    Entry(
        "C20",
        rows((1, 1), (1, 1), (0, 0), (2, 3)),
        signs("+--+"),
        5,
        ("EtaZero", "DuplicateOppositeLabel"),
        "a pair without curvature among good points",
    ),
    Entry(
        "C21",
        column(-1, 1),
        signs("-+"),
        Q(1, 2),
        ("AlphaAtBoundExactly", "FewExamples"),
        "alpha is C exactly; b is unique, although no alpha is strictly free",
    ),
    Entry(
        "C22",
        column(3, 1, 0, 2),
        signs("+--+"),
        1,
        ("LabelOrder", "NoFreeSV", "OffsetInterval"),
        "the first example has the label +1",
    ),
    Entry(
        "C23",
        rows((1, 0, 0), (0, 1, 1), (0, 1, 1)),
        signs("-++"),
        1,
        ("Precomputed", "AlphaNotUnique", "ThreePoints"),
        "a singular Gram matrix",
        Precomputed(),
    ),
    Entry(
        "C24",
        column(0, 1, 2),
        signs("-++"),
        [3, 1, 2],
        ("SampleWeight", "ThreePoints"),
        "each example has its own C: the same as so many copies of it",
    ),
    Entry(
        "C25",
        column(0, 1, 2, 3, 4, 5),
        signs("--+-++"),
        1,
        ("BoundedSV", "Formulation"),
        "free and bounded support vectors: b averaged over all of them is wrong",
    ),
]

CLASSES = rows((0, 0), (4, 0)), rows((2, 4), (1, 0)), rows((4, 1), (2, 1))


def vote(p, q):
    """The problem of class p against class q of the vote that goes round in a circle."""
    return Entry(
        f"E1-{p}{q}",
        CLASSES[p] + CLASSES[q],
        signs("++--"),
        1,
        ("VoteCycle",),
        f"class {p} against class {q} of three: at (0, 1) each class has one vote",
        asked=((0, 1),),
    )


def three_points(name, x, y, C):
    """A problem of three points on the line."""
    return Entry(
        name,
        column(*x),
        signs(y),
        C,
        ("ThreePoints",),
        "three points: a library is wrong on most of them, and right with more",
    )


EXTRAS = [
    vote(0, 1),
    vote(1, 2),
    vote(2, 0),
    three_points("E2-1", (1, 3, -2), "++-", 8),
    three_points("E2-2", (0, 1, 3), "-+-", 1),
    three_points("E2-3", (-3, 0, 2), "+-+", 1),
    three_points("E2-4", (1, 1, -1), "++-", Q(1, 8)),
    Entry(
        "E3",
        column(0, 2, 1, 3),
        signs("--++"),
        [1, 0, 1, 1],
        ("ZeroWeight", "OffsetInterval"),
        "the second example weighs nothing; the support vectors are the rows 0 and 2",
    ),
    Entry(
        "E7",
        SLOW,
        signs("--++"),
        E20,
        ("MaxIter",),
        "C08 with one step allowed: a program must say that it has not converged",
    ),
    Entry(
        "E8",
        column(0, 1, 2, 3, 4, 5),
        signs("--+-++"),
        1,
        ("Repeatable",),
        "C25 twice, and in two threads: the same answer each time",
    ),
]
