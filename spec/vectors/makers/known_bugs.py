"""Known bugs, each as a problem that shows it; found in threads, or by running programs.

Where the reported data are large or private, this is the smallest problem found on which the same
mistake gives a wrong answer. Numbers such as 0.1 are the doubles they are.

CLAIMS are problems at which doubles end: features, penalties and kernel values that are large. A
solver that takes its own rounded sums for exact says there that it converged, and may be off by
as much as the whole objective. Each is asked with a tolerance of 1e-3 (claims.py of checks). That
is more than doubles hold for most of them, so to say that one has stopped is right.
"""

from __future__ import annotations

from fractions import Fraction as Q
from math import inf

from refsvm.conformance.cases.machine_entries import column, rows
from refsvm.conformance.cases.machines import AIM, CUBIC, HEAVY
from refsvm.kernels.standard import MonomialSum, Polynomial, Precomputed
from refsvm.numerics.picks import shuffle, splitmix64

from .core import C25_X, C25_Y, FIVE, UNIT_SQUARE, XOR
from .entries import Entry, entry

# fmt: off


def five(name: str, t: int, comment: str) -> Entry:
    """Return the case of the points 0 to 4, moved by t."""
    return entry(name, column(*(v + t for v in FIVE)), "--+++", 1,
                 "UnscaledFeatures Float32Hostile Offset", comment)


def years(name: str, start: int, comment: str) -> Entry:
    """Return a case of two classes that overlap in time."""
    return entry(name, column(*(start + v for v in (0, 3, 4, 7, 9, 12))), "--+-++", 1,
                 "UnscaledFeatures Offset BoundedSV", comment)


def many() -> tuple[list[list[Q]], list[int]]:
    """Return X, y: C25 eight times, and 72 other points that need no multiplier, shuffled."""
    far = [10 + k if k % 2 else -10 - k for k in range(72)]
    X = C25_X * 8 + column(*far)
    y = C25_Y * 8 + [1 if v > 0 else -1 for v in far]
    order = shuffle(range(len(y)), splitmix64(25))
    return [X[i] for i in order], [y[i] for i in order]


KNOWN_BUGS = [
    entry("sign of the midpoint", column(10, 11), "-+", Q(0.1), "NoFreeSV OffsetInterval Offset",
          "rho of the wrong sign where no support vector is free: everything is one class"),
    entry("sign of the midpoint, below zero", column(-11, -10), "-+", Q(0.1),
          "NoFreeSV OffsetInterval Offset", "the same on the other side of zero"),
    entry("sign of the midpoint, two features", rows((10, 4), (11, 4), (12, 4)), "-++", Q(1, 16),
          "NoFreeSV OffsetInterval ThreePoints", "the same in the plane"),
    entry("mean over all support vectors", column(0, 1, 2, 3, 4, 6), "--+-++", 1, "BoundedSV",
          "b averaged over those at C too is biased"),
    entry("y minus sign of f", column(-3, -1, 0, 2, 5), "--+-+", Q(1, 2), "BoundedSV",
          "b averaged as y - sign(f) instead of y - f"),
    entry("one C for every problem", C25_X, C25_Y, 4, "BoundedSV",
          "C25 with another C: a global C left over from the problem before"),
    entry("no offset at all", column(5, 6), "-+", 8, "Offset FewExamples",
          "separable, but not through the origin"),
    entry("offset lost in a wrapper", column(-8, -6, -5, -3), "--++", 1, "Offset",
          "decision values without b are all negative"),
    entry("first label is minus", column(0, 2), "-+", 1, "LabelOrder FewExamples",
          "the positive side must be the label +1, whichever comes first"),
    entry("first label is plus", column(2, 0), "+-", 1, "LabelOrder FewExamples",
          "the positive side must be the label +1, whichever comes first"),
    entry("single precision rows", column(1, 1 + Q(1, 2**22), 3, 3 + Q(1, 2**22)), "+-+-", 16,
          "Float32Hostile SlowSMO",
          "a matrix in single precision and a diagonal in double: the pair never settles"),
    entry("exclusive or, a million", UNIT_SQUARE, "--++", 10**6, "SlowSMO HugeC",
          "half a million steps of two multipliers each"),
    entry("exclusive or, ten thousand", UNIT_SQUARE, "--++", 10**4, "SlowSMO HugeC",
          "from this C on a library stops at 6400 without a word"),
    entry("degree seven", column(0, 1, 2, 3), "-+-+", 1, "Kernel HugeC",
          "kernel values up to 10^21", Polynomial(7, gamma=128)),
    entry("degree ten", column(-1, 0, 1, 2), "+-++", 1, "Kernel",
          "a high degree: kernel values from 1 to 5^10", Polynomial(10, coef0=1)),
    entry("degree five", rows((1, 0), (0, 1), (1, 1), (0, 0)), "+-+-", 1, "Kernel", "crashed",
          Polynomial(5, gamma=Q(1, 2))),
    entry("linear, C of 25", column(-2, -1, 0, 1, 2, 3), "-+-+-+", 25, "SlowSMO BoundedSV",
          "oscillates where blocks of multipliers move at once"),
    entry("raw features", rows((50, 120000), (30, 90000), (40, 60000), (20, 30000)), "++--", 10**5,
          "UnscaledFeatures HugeC",
          "income beside age, and C = 1e5: stopped when progress stalled"),
    entry("threshold on alpha", column(0, 1, 2, 3), "-+-+", Q(1, 2**27), "TinyC NoFreeSV",
          "no alpha is above 1e-7, so nobody is a support vector"),
    entry("step below 1e-5", column(0, 1, 2, 3), "--++", Q(1, 2**18),
          "TinyC NoFreeSV OffsetInterval", "simplified SMO drops every step"),
    entry("step below 1e-5, large rows", column(0, 2**12, 3 * 2**12), "-++", 1,
          "Scale ThreePoints", "simplified SMO drops every step, for the other reason"),
    entry("curvature zero", rows((1, 2), (1, 2), (3, 1), (3, 1)), "+-+-", 1,
          "EtaZero DuplicateOppositeLabel TiedPrediction",
          "every pair of opposite labels at one place: w is 0"),
    entry("start that breaks the equation", column(0, 1, 5, 6), "-+++", 1, "SampleWeight Sane",
          "all alpha 1 at the start: sum alpha y is 2 and stays so"),
    entry("stops with quiet passes", rows((0, 0), (1, 0), (0, 1), (3, 3), (2, 4)), "--++-", 2,
          "DegenerateMargin", "a few passes without a change are taken for the end"),
    entry("weights ignored", C25_X, C25_Y, [4, 4, 4, 1, 1, 1], "SampleWeight",
          "sample weights were not passed on"),
    entry("weights ignored, reversed", C25_X, C25_Y, [1, 1, 1, 4, 4, 4], "SampleWeight",
          "sample weights were not passed on"),
    entry("class weights exchanged", C25_X, C25_Y, [1, 1, 8, 1, 8, 8], "ClassWeight",
          "the weight of one class given to the other"),
    entry("balanced", column(0, 1, 2, 3, 5), "----+", [Q(5, 8)] * 4 + [Q(5, 2)], "ClassWeight",
          "C divided by the share of the class: n / (2 n_class)"),
    entry("weight zero in front", C25_X, C25_Y, [0, 1, 1, 1, 1, 1], "ZeroWeight",
          "indices of support vectors count the rows as given"),
    entry("weight zero, sparse rows", rows((0, 0, 3), (0, 0, 0), (2, 0, 0), (0, 1, 0)), "-+-+",
          [1, 1, 0, 1], "ZeroWeight", "a sparse matrix and a zero weight"),
    entry("a class loses an example", column(-1, 0, 1, 2), "-++-", [1, 1, 0, 0], "ZeroWeight",
          "weights of zero in both classes"),
    entry("rows times ten", column(0, 10, 30, 40, 20), "--+++", Q(1, 128), "Scale OffsetInterval",
          "ten times the data with C to match"),
    entry("constant rows", rows((7, 7), (7, 7), (7, 7)), "+-+", 1,
          "ZeroVariance EtaZero ThreePoints", "variance 0: a division by it fails"),
    entry("constant column", rows((0, 5), (1, 5), (2, 5), (3, 5)), "-++-", 2, "ZeroVariance",
          "one column is constant"),
    entry("constant column, a kernel", rows((0, 5), (1, 5), (2, 5), (3, 5)), "-++-", 2,
          "ZeroVariance Kernel", "who drops a constant column changes a polynomial kernel",
          Polynomial(2, coef0=1), queries=((1, 6), (2, 4))),
    entry("weights that are no whole numbers", C25_X, C25_Y,
          [Q(3, 2), Q(5, 2), 1, Q(7, 4), 2, Q(5, 4)], "SampleWeight",
          "weights that were taken for counts lose what is behind the point"),
    entry("many examples", *many(), Q(1, 8), "ManyExamples Duplicate",
          "C25 eight times among points far beyond the margin"),
    entry("coef0 is no offset", column(0, 1, 3), "-++", 2, "Kernel ThreePoints",
          "coef0 of the kernel taken for b", Polynomial(1, coef0=4)),
    entry("gamma left out", column(0, 1, 3), "-++", 2, "Kernel ThreePoints",
          "gamma multiplies the inner product of a polynomial kernel too", Polynomial(2, Q(1, 4))),
    entry("gamma on the power", column(0, 1, 3), "-++", 2, "Kernel ThreePoints",
          "gamma is inside the power", Polynomial(3, Q(1, 2), Q(1, 2))),
    entry("every monomial once", rows((1, 0), (0, 1), (1, 1), (2, 1)), "+-+-", 1, "Kernel",
          "1 + s + s^2 is another kernel than (1 + s)^2", MonomialSum(2)),
    entry("precomputed, test of another size", rows((2, 1, 0), (1, 2, 1), (0, 1, 2)), "+-+", 1,
          "Precomputed ThreePoints", "b computed from the kernel between training and test rows",
          Precomputed()),
    entry("precomputed, all zero", rows((0, 0), (0, 0)), "+-", 1,
          "Precomputed EtaZero TiedPrediction", "K is 0: w is 0", Precomputed()),
    entry("C is huge", column(0, 1, 2, 3), "--++", Q(1e300), "HugeC",
          "a C near the largest double is the hard margin where there is one"),
    entry("C is infinite", column(0, 1, 2, 3), "--++", inf, "HardMargin", "the hard margin"),
    entry("C is infinite, not separable", column(0, 1, 2), "-+-", inf,
          "HardMargin Infeasible ThreePoints", "must be told, not answered"),
    five("moved by 2^12", 2**12, "single precision is just enough"),
    five("moved by 2^13", 2**13, "w = 1.6 in single precision"),
    five("moved by 2^14", 2**14, "w = 4 in single precision"),
    five("moved by 2^24", 2**24, "w = 5 in single precision"),
    years("years", 2000, "decision values off by 0.41 in single precision"),
    years("years since the flood", 20000, "w is ten times too large in single precision"),
    years("unix time", 1700000000, "w is a hundred times too large in single precision"),
    entry("far on both sides", column(-9000, 4096, 4099), "--+", 1024,
          "Float32Hostile UnscaledFeatures ThreePoints",
          "rows that are centred first are far from 0, too, in single precision"),
    entry("eight digits", column(Q(0.123456789012), Q(0.123456789034), Q(0.123456789078)), "-++",
          2**70, "Float32Hostile UnscaledFeatures ThreePoints",
          "a model file with eight digits a number makes these three points one"),
    entry("tie at the border", column(-1, 1, 0, 0), "-+-+", Q(1, 4),
          "TiedPrediction NoFreeSV OffsetInterval",
          "f is 0 or not at a training point, as b is chosen"),
    entry("exclusive or, moved", [[v + 100 for v in x] for x in XOR], "--++", 2,
          "Offset TiedPrediction", "exclusive or far from zero: w is 0 all the same"),
    entry("two starts of a block method", column(-2, -1, 1, 2), "+-+-", 1,
          "BoundedSV TiedPrediction",
          "w = 0 is stationary in w alone and in b alone, and not optimal"),
]


# ---- where doubles end

FAR = column(0, 10**9, 2 * 10**9, 3 * 10**9)

CLAIMS = [
    entry("three rows, cubic", column(3, 8104, 1), "-++", 1, AIM,
          "kernel values from 8 to 3e23: a multiplier moved by its last bit moves f by thousands",
          CUBIC),
    entry("two equal rows, cubic", column(2000, 2000), "+-", 1, AIM,
          "both multipliers are C, though their kernel values are 6e19", Polynomial(3)),
    entry("four points to 3e9", FAR, "-+-+", 1, AIM,
          "one rounding of alpha moves f by hundreds"),
    entry("rows near a thousand, squared", rows(
              (1002, 1000, 1001), (1002, 1001, 1001), (1002, 1001, 1001), (1002, 1000, 1001)),
          "+++-", 2**20, AIM, "equal rows of both classes at a large C: b is 1",
          Polynomial(2, coef0=1)),
    entry("four points, C = 1e17", column(0, 1, 2, 3), "-+-+", 10**17, AIM,
          "C so large that 1 is lost beside the scores"),
    entry("heavy tails, cubic", HEAVY, "-+-+-+", 1000, AIM,
          "whole numbers to 8104 under a cubic kernel", CUBIC),
    entry("heavy tails, linear", HEAVY, "-+-++-", 2**20, AIM,
          "classes that overlap at a large C"),
    entry("heavy tails, squared", HEAVY, "-+-++-", 2**20, AIM,
          "the same under the square", Polynomial(2, coef0=1)),
]
