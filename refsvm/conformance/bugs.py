"""Known bugs, each as a problem that shows it: what a thread, or a program that was run, told.

Where the reported data are large or private, this is the smallest problem found on which the same
mistake gives a wrong answer. Numbers such as 0.1 are the doubles they are.
"""

from fractions import Fraction as Q
from math import inf

from ..kernels import MonomialSum, Polynomial, Precomputed
from ..picks import shuffle, splitmix64
from .core import FIVE, SLOW, XOR
from .entries import Entry, column, rows, signs

SIX = column(0, 1, 2, 3, 4, 5)
MIXED = signs("--+-++")


def five(name, t, comment):
    """The points 0 to 4, moved by t."""
    return Entry(name, column(*(v + t for v in FIVE)), signs("--+++"), 1,
                 ("UnscaledFeatures", "Float32Hostile", "Offset"), comment)


def years(name, start, comment):
    """Two classes that overlap in time."""
    return Entry(name, column(*(start + v for v in (0, 3, 4, 7, 9, 12))), signs("--+-++"), 1,
                 ("UnscaledFeatures", "Offset", "BoundedSV"), comment)


def many():
    """(X, y): C25 eight times, and 72 other points that need no multiplier, shuffled."""
    far = [10 + k if k % 2 else -10 - k for k in range(72)]
    X = column(0, 1, 2, 3, 4, 5) * 8 + column(*far)
    y = MIXED * 8 + [1 if v > 0 else -1 for v in far]
    order = shuffle(range(len(y)), splitmix64(25))
    return [X[i] for i in order], [y[i] for i in order]


BUGS = [
    Entry("sign of the midpoint", column(10, 11), signs("-+"), Q(0.1),
          ("NoFreeSV", "OffsetInterval", "Offset"),
          "rho of the wrong sign where no support vector is free: everything is one class"),
    Entry("sign of the midpoint, below zero", column(-11, -10), signs("-+"), Q(0.1),
          ("NoFreeSV", "OffsetInterval", "Offset"), "the same on the other side of zero"),
    Entry("sign of the midpoint, two features", rows((10, 4), (11, 4), (12, 4)), signs("-++"),
          Q(1, 16), ("NoFreeSV", "OffsetInterval", "ThreePoints"), "the same in the plane"),
    Entry("mean over all support vectors", column(0, 1, 2, 3, 4, 6), signs("--+-++"), 1,
          ("BoundedSV",), "b averaged over those at C too is biased"),
    Entry("y minus sign of f", column(-3, -1, 0, 2, 5), signs("--+-+"), Q(1, 2),
          ("BoundedSV",), "b averaged as y - sign(f) instead of y - f"),
    Entry("one C for every problem", SIX, MIXED, 4, ("BoundedSV",),
          "C25 with another C: a global C left over from the problem before"),
    Entry("no offset at all", column(5, 6), signs("-+"), 8, ("Offset", "FewExamples"),
          "separable, but not through the origin"),
    Entry("offset lost in a wrapper", column(-8, -6, -5, -3), signs("--++"), 1, ("Offset",),
          "decision values without b are all negative"),
    Entry("first label is minus", column(0, 2), signs("-+"), 1, ("LabelOrder", "FewExamples"),
          "the positive side must be the label +1, whichever comes first"),
    Entry("first label is plus", column(2, 0), signs("+-"), 1, ("LabelOrder", "FewExamples"),
          "the positive side must be the label +1, whichever comes first"),
    Entry("single precision rows", column(1, 1 + Q(1, 2**22), 3, 3 + Q(1, 2**22)), signs("+-+-"),
          16, ("Float32Hostile", "SlowSMO"),
          "a matrix in single precision and a diagonal in double: the pair never settles"),
    Entry("exclusive or, a million", SLOW, signs("--++"), 10**6, ("SlowSMO", "HugeC"),
          "half a million steps of two multipliers each"),
    Entry("exclusive or, ten thousand", SLOW, signs("--++"), 10**4, ("SlowSMO", "HugeC"),
          "from this C on a library stops at 6400 without a word"),
    Entry("degree seven", column(0, 1, 2, 3), signs("-+-+"), 1, ("Kernel", "HugeC"),
          "kernel values up to 10^21", Polynomial(7, gamma=128)),
    Entry("degree ten", column(-1, 0, 1, 2), signs("+-++"), 1, ("Kernel",),
          "a high degree: kernel values from 1 to 5^10", Polynomial(10, coef0=1)),
    Entry("degree five", rows((1, 0), (0, 1), (1, 1), (0, 0)), signs("+-+-"), 1, ("Kernel",),
          "crashed", Polynomial(5, gamma=Q(1, 2))),
    Entry("linear, C of 25", column(-2, -1, 0, 1, 2, 3), signs("-+-+-+"), 25,
          ("SlowSMO", "BoundedSV"), "oscillates where blocks of multipliers move at once"),
    Entry("raw features", rows((50, 120000), (30, 90000), (40, 60000), (20, 30000)),
          signs("++--"), 10**5, ("UnscaledFeatures", "HugeC"),
          "income beside age, and C = 1e5: stopped when progress stalled"),
    Entry("threshold on alpha", column(0, 1, 2, 3), signs("-+-+"), Q(1, 2**27),
          ("TinyC", "NoFreeSV"), "no alpha is above 1e-7, so nobody is a support vector"),
    Entry("step below 1e-5", column(0, 1, 2, 3), signs("--++"), Q(1, 2**18),
          ("TinyC", "NoFreeSV", "OffsetInterval"), "simplified SMO drops every step"),
    Entry("step below 1e-5, large rows", column(0, 2**12, 3 * 2**12), signs("-++"), 1,
          ("Scale", "ThreePoints"), "simplified SMO drops every step, for the other reason"),
    Entry("curvature zero", rows((1, 2), (1, 2), (3, 1), (3, 1)), signs("+-+-"), 1,
          ("EtaZero", "DuplicateOppositeLabel", "TiedPrediction"),
          "every pair of opposite labels at one place: w is 0"),
    Entry("start that breaks the equation", column(0, 1, 5, 6), signs("-+++"), 1,
          ("SampleWeight", "Sane"), "all alpha 1 at the start: sum alpha y is 2 and stays so"),
    Entry("stops with quiet passes", rows((0, 0), (1, 0), (0, 1), (3, 3), (2, 4)), signs("--++-"),
          2, ("DegenerateMargin",), "a few passes without a change are taken for the end"),
    Entry("weights ignored", SIX, MIXED, [4, 4, 4, 1, 1, 1], ("SampleWeight",),
          "sample weights were not passed on"),
    Entry("weights ignored, reversed", SIX, MIXED, [1, 1, 1, 4, 4, 4], ("SampleWeight",),
          "sample weights were not passed on"),
    Entry("class weights exchanged", SIX, MIXED, [1, 1, 8, 1, 8, 8], ("ClassWeight",),
          "the weight of one class given to the other"),
    Entry("balanced", column(0, 1, 2, 3, 5), signs("----+"), [Q(5, 8)] * 4 + [Q(5, 2)],
          ("ClassWeight",), "C divided by the share of the class: n / (2 n_class)"),
    Entry("weight zero in front", SIX, MIXED, [0, 1, 1, 1, 1, 1], ("ZeroWeight",),
          "indices of support vectors count the rows as given"),
    Entry("weight zero, sparse rows", rows((0, 0, 3), (0, 0, 0), (2, 0, 0), (0, 1, 0)),
          signs("-+-+"), [1, 1, 0, 1], ("ZeroWeight",), "a sparse matrix and a zero weight"),
    Entry("a class loses an example", column(-1, 0, 1, 2), signs("-++-"), [1, 1, 0, 0],
          ("ZeroWeight",), "weights of zero in both classes"),
    Entry("rows times ten", column(0, 10, 30, 40, 20), signs("--+++"), Q(1, 128),
          ("Scale", "OffsetInterval"), "ten times the data with C to match"),
    Entry("constant rows", rows((7, 7), (7, 7), (7, 7)), signs("+-+"), 1,
          ("ZeroVariance", "EtaZero", "ThreePoints"), "variance 0: a division by it fails"),
    Entry("constant column", rows((0, 5), (1, 5), (2, 5), (3, 5)), signs("-++-"), 2,
          ("ZeroVariance",), "one column is constant"),
    Entry("constant column, a kernel", rows((0, 5), (1, 5), (2, 5), (3, 5)), signs("-++-"), 2,
          ("ZeroVariance", "Kernel"), "who drops a constant column changes a polynomial kernel",
          Polynomial(2, coef0=1), asked=((1, 6), (2, 4))),
    Entry("weights that are no whole numbers", SIX, MIXED,
          [Q(3, 2), Q(5, 2), 1, Q(7, 4), 2, Q(5, 4)], ("SampleWeight",),
          "weights that were taken for counts lose what is behind the point"),
    Entry("many examples", *many(), Q(1, 8), ("ManyExamples", "Duplicate"),
          "C25 eight times among points far beyond the margin"),
    Entry("coef0 is no offset", column(0, 1, 3), signs("-++"), 2, ("Kernel", "ThreePoints"),
          "coef0 of the kernel taken for b", Polynomial(1, coef0=4)),
    Entry("gamma left out", column(0, 1, 3), signs("-++"), 2, ("Kernel", "ThreePoints"),
          "gamma multiplies the inner product of a polynomial kernel too", Polynomial(2, Q(1, 4))),
    Entry("gamma on the power", column(0, 1, 3), signs("-++"), 2, ("Kernel", "ThreePoints"),
          "gamma is inside the power", Polynomial(3, Q(1, 2), Q(1, 2))),
    Entry("every monomial once", rows((1, 0), (0, 1), (1, 1), (2, 1)), signs("+-+-"), 1,
          ("Kernel",), "1 + s + s^2 is another kernel than (1 + s)^2", MonomialSum(2)),
    Entry("precomputed, test of another size", rows((2, 1, 0), (1, 2, 1), (0, 1, 2)),
          signs("+-+"), 1, ("Precomputed", "ThreePoints"),
          "b computed from the kernel between training and test rows", Precomputed()),
    Entry("precomputed, all zero", rows((0, 0), (0, 0)), signs("+-"), 1,
          ("Precomputed", "EtaZero", "TiedPrediction"), "K is 0: w is 0", Precomputed()),
    Entry("C is huge", column(0, 1, 2, 3), signs("--++"), Q(1e300), ("HugeC",),
          "a C near the largest double is the hard margin where there is one"),
    Entry("C is infinite", column(0, 1, 2, 3), signs("--++"), inf, ("HardMargin",),
          "the hard margin"),
    Entry("C is infinite, not separable", column(0, 1, 2), signs("-+-"), inf,
          ("HardMargin", "Infeasible", "ThreePoints"), "must be told, not answered"),
    five("moved by 2^12", 2**12, "single precision is just enough"),
    five("moved by 2^13", 2**13, "w = 1.6 in single precision"),
    five("moved by 2^14", 2**14, "w = 4 in single precision"),
    five("moved by 2^24", 2**24, "w = 5 in single precision"),
    years("years", 2000, "decision values off by 0.41 in single precision"),
    years("years since the flood", 20000, "w is ten times too large in single precision"),
    years("unix time", 1700000000, "w is a hundred times too large in single precision"),
    Entry("eight digits", column(Q(0.123456789012), Q(0.123456789034), Q(0.123456789078)),
          signs("-++"), 2**70, ("Float32Hostile", "UnscaledFeatures", "ThreePoints"),
          "a model file with eight digits a number makes these three points one"),
    Entry("tie at the border", column(-1, 1, 0, 0), signs("-+-+"), Q(1, 4),
          ("TiedPrediction", "NoFreeSV", "OffsetInterval"),
          "f is 0 or not at a training point, as b is chosen"),
    Entry("exclusive or, moved", [[v + 100 for v in x] for x in XOR], signs("--++"), 2,
          ("Offset", "TiedPrediction"),
          "exclusive or far from zero: w is 0 all the same"),
    Entry("two starts of a block method", column(-2, -1, 1, 2), signs("+-+-"), 1,
          ("BoundedSV", "TiedPrediction"),
          "w = 0 is stationary in w alone and in b alone, and not optimal"),
]
