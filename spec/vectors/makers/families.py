"""Families of small problems: the same idea with everything varied that a bug may depend on.

Every family is a loop over few values, so that points coincide, lie on each other's margin, and
multipliers meet their bounds exactly. That is where programs differ.

GAUSSIANS have a Gaussian kernel: their optimum is known between two fractions. Two of them have
closed forms. Two points at distance d have alpha = min(C, 1 / (1 - k)) each, with
k = exp(-gamma d^2); exclusive or on the corners (+-1, +-1) has 1 / (1 - exp(-4 gamma))^2 each, if
C is not less, p* = twice that, b = 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction as Q
from math import inf
from typing import Any

from refsvm.conformance.cases.machine_entries import column, rows, signs
from refsvm.kernels.base import Kernel
from refsvm.kernels.standard import Gaussian, Linear, MonomialSum, Polynomial, Precomputed
from refsvm.kernels.strings import Spectrum
from refsvm.numerics.picks import below, shuffle, splitmix64

from .core import C25_X, C25_Y, FIVE, TWENTY_FIVE, XOR
from .entries import Entry, entry

# fmt: off
BY_NAME = {known.name: known for known in TWENTY_FIVE}
THREE_C = Q(1, 8), 1, 8


def _triples() -> Iterator[Entry]:
    """-1 at 0, +1 at a and at b: all such problems on the line, but for mirror images."""
    places = [(a, b) for a in range(-3, 4) for b in range(max(a, -a), 4)]
    for a, b in places:
        for C in THREE_C:
            yield entry(f"three points 0 {a} {b}, C = {C}", column(0, a, b), "-++", C,
                        "ThreePoints", "-1 at 0, +1 at the two others")


def pairs() -> Iterator[Entry]:
    """-1 at 0, +1 at d: alpha = min(C, 2 / d^2)."""
    for d in (Q(1, 2), 1, 4):
        for C in (*THREE_C, 2**20):
            yield entry(f"two points {d} apart, C = {C}", column(0, d), "-+", C, "FewExamples",
                        "alpha = min(C, 2 / d^2)")


def _c25_scaled() -> Iterator[Entry]:
    """C25 with the rows times 2^k and C divided by 4^k: the same decision values."""
    for k in (-30, -10, 10, 30):
        yield entry(f"C25 times 2^{k}", [[x[0] * Q(2) ** k] for x in C25_X], C25_Y, Q(4) ** -k,
                    "Scale BoundedSV", "rows times 2^k, C divided by 4^k")


def _c25_with_many_C() -> Iterator[Entry]:
    """C25 with many penalties: its multipliers meet their bounds one by one."""
    for k in range(-24, 25, 6):
        flag = "TinyC" if k < 0 else "HugeC" if k > 0 else "BoundedSV"
        yield entry(f"C25 with C = 2^{k}", C25_X, C25_Y, Q(2) ** k, flag, "C25 at another price")


def _c25_rearranged() -> Iterator[Entry]:
    """C25 as it may be given otherwise, with the same machine as its answer."""
    bits = splitmix64(25)
    for _ in range(4):
        order = shuffle(range(6), bits)
        yield entry(f"C25 in order {''.join(map(str, order))}", [C25_X[i] for i in order],
                    [C25_Y[i] for i in order], 1, "Permuted BoundedSV", "in another order")
    yield entry("C25 with labels exchanged", C25_X, [-s for s in C25_Y], 1, "LabelOrder",
                "f changes its sign")
    yield entry("C25 mirrored", [[-x[0]] for x in C25_X], C25_Y, 1, "Permuted",
                "w changes its sign, b does not")
    yield entry("C25 moved by -7", [[x[0] - 7] for x in C25_X], C25_Y, 1, "Offset",
                "b is 7 w more")
    yield entry("C25 with every point twice", C25_X * 2, C25_Y * 2, Q(1, 2),
                "Duplicate AlphaNotUnique", "twice the examples, half the C")
    yield entry("C25 with a column of zeros", [[*x, Q(0)] for x in C25_X], C25_Y, 1,
                "ZeroVariance", "a weight that does nothing")
    yield entry("C25 turned", [[3 * x[0], 4 * x[0]] for x in C25_X], C25_Y, Q(1, 25),
                "BoundedSV NotDyadic", "along (3, 4), five times as long, C to match")
    yield entry("C25 on a diagonal", [[x[0], x[0]] for x in C25_X], C25_Y, Q(1, 2), "BoundedSV",
                "along (1, 1), C to match")


def weighted() -> Iterator[Entry]:
    """Whole weights, and the same examples repeated."""
    X, y = column(0, 1, 2, 4), signs("-+-+")
    for weights in ([1, 2, 1, 1], [3, 1, 1, 3], [1, 1, 4, 1], [2, 2, 2, 1]):
        word = "".join(map(str, weights))
        yield entry(f"weights {word}", X, y, weights, "SampleWeight", "each with its own C")
        copies = [i for i, weight in enumerate(weights) for _ in range(weight)]
        yield entry(f"copies {word}", [X[i] for i in copies], [y[i] for i in copies], 1,
                    "SampleWeight Duplicate", "the same as so many copies of each")
    for share in (Q(1, 8), 8):
        C = [share if s > 0 else 1 for s in C25_Y]
        yield entry(f"class weight {share}", C25_X, C25_Y, C, "ClassWeight", "of the class +1")


def _of_core(
    names: Iterable[str], suffix: str, flags: str, comment: str, **changed: Any
) -> Iterator[Entry]:
    """Some of the twenty-five with another setting."""
    for name in names:
        yield BY_NAME[name]._replace(
            name=f"{name} {suffix}", flags=tuple(flags.split()), comment=comment, **changed
        )


def squared() -> Iterator[Entry]:
    """C/2 times the squared slacks: the multipliers have no upper bound."""
    names = [f"C{k:02}" for k in (*range(1, 10), 11, 14, 15, 16, 20, 22, 23, 24, 25)]
    yield from _of_core(names, "squared", "SquaredSlack", "with squared slack", slack="squared")
    yield from _of_core(("C01", "C20", "C25"), "squared, no offset", "SquaredSlack NoOffset",
                       "with squared slack and no offset", slack="squared", bias=False)


def without_offset() -> Iterator[Entry]:
    """b is 0: the border goes through the origin, the multipliers need not balance."""
    names = [f"C{k:02}" for k in (1, 2, 3, 5, 6, 7, 8, 9, 12, 14, 15, 19, 20, 22, 23, 24, 25)]
    yield from _of_core(names, "no offset", "NoOffset", "without an offset", bias=False)


def hard() -> Iterator[Entry]:
    """Infinite C: separable or not, with and without an offset."""
    names = [f"C{k:02}" for k in (1, 2, 5, 6, 7, 9, 11, 15, 17, 18, 22, 24)]
    yield from _of_core(names, "hard", "HardMargin", "with infinite C", C=inf)
    names = [f"C{k:02}" for k in (3, 4, 8, 10, 14, 19, 20, 25)]
    flags = "HardMargin Infeasible"
    yield from _of_core(names, "hard", flags, "with infinite C: there is no such margin", C=inf)
    yield from _of_core(("C02", "C22"), "hard, no offset", flags,
                       "through the origin nothing separates them", C=inf, bias=False)
    yield entry("some C infinite", C25_X, C25_Y, [inf, 1, 1, 1, 1, inf], "HardMargin",
                "two examples that allow no slack among four that do")
    yield entry("some C infinite, impossible", C25_X, C25_Y, [1, 1, inf, inf, inf, 1], flags,
                "three examples that allow no slack and cannot be separated")
    yield entry("some C infinite, squared", C25_X, C25_Y, [inf, 1, 1, 1, 1, inf],
                "HardMargin SquaredSlack", "the same under squared slack", slack="squared")


FIVE_IN_THE_PLANE = rows((0, 0), (1, 0), (0, 2), (2, 1), (1, 1))
STRINGS = ["banana", "ananas", "bandana", "cabana", "nabob"]
SINGULAR = [[Q(a * b) for b in (1, -1, 2, 0)] for a in (1, -1, 2, 0)]
MANY_KERNELS = [
    *(Polynomial(degree, 1, coef0) for degree in (1, 2, 3, 4) for coef0 in (0, 1)),
    Polynomial(2, Q(1, 2), 2),
    MonomialSum(0),
    MonomialSum(1),
    MonomialSum(3),
    Linear() + Polynomial(2),
    Linear() * Linear(),
    Q(1, 2) * Linear() + 3 * Polynomial(0),
]


def kernels() -> Iterator[Entry]:
    """Five points of the plane with many kernels; strings; Gram matrices."""
    for k, kernel in enumerate(MANY_KERNELS, 1):
        yield entry(f"kernel {k}", FIVE_IN_THE_PLANE, "-+-++", 2, "Kernel", repr(kernel), kernel)
    for length in (1, 2, 3):
        yield entry(f"strings of {length}", STRINGS, "++-+-", 1, "Strings Kernel",
                    f"words compared by their substrings of {length} letters", Spectrum(length),
                    queries=("bananas", "nab", "b"))
    for C in THREE_C:
        yield entry(f"singular matrix, C = {C}", SINGULAR, "+-+-", C, "Precomputed",
                    "a Gram matrix of rank 1", Precomputed())
        yield entry(f"identity matrix, C = {C}", rows((1, 0, 0), (0, 1, 0), (0, 0, 1)), "+--", C,
                    "Precomputed ThreePoints", "every example on its own axis", Precomputed())


def drawn(words: Iterator[int], count: int) -> Iterator[Entry]:
    """`count` problems with few distinct values, drawn from an iterator of 64-bit words."""
    for k in range(1, count + 1):
        n, d = 4 + below(5, words), 1 + below(2, words)
        X = [[Q(below(5, words) - 2) for _ in range(d)] for _ in range(n)]
        y = [-1, 1] + [1 - 2 * below(2, words) for _ in range(n - 2)]
        C = THREE_C[k % 4 - 1]
        if k % 3 == 0:
            C = [Q(2) ** (below(7, words) - 3) for _ in range(n)]
        kernel = Polynomial(2, coef0=1) if k % 5 == 0 else Linear()
        bias, slack = k % 4 != 0, "squared" if k % 6 == 0 else "hinge"
        yield entry(f"drawn {k}", X, y, C, "Random", "drawn from few values", kernel, bias, slack)


FAMILIES = [
    *_triples(),
    *pairs(),
    *_c25_scaled(),
    *_c25_with_many_C(),
    *_c25_rearranged(),
    *weighted(),
    *squared(),
    *without_offset(),
    *hard(),
    *kernels(),
    *drawn(splitmix64(5), 40),
]


def _moved_gaussian(t: int) -> Entry:
    """Five points of the line, moved by t."""
    return entry(f"E5-{t}", column(*(v + t for v in FIVE)), "--+++", 1, "Cancellation Offset",
                 f"the points 0 to 4 moved by {t}: nothing changes", Gaussian(0.5))


def _of_six(
    name: str,
    comment: str,
    kernel: Kernel = Gaussian(0.5),  # noqa: B008
    C: Any = 1,
    flags: str = "Kernel",
    **changed: Any,
) -> Entry:
    """The six points of C25 with a Gaussian kernel."""
    return entry(name, C25_X, C25_Y, C, flags, comment, kernel, **changed)


GAUSSIANS = [
    entry("E2-5", column(1, 3, -2), "++-", 8, "ThreePoints Kernel",
          "f is 1, 1, -1: a library said 1.32, 0.84, -1.16", Gaussian(0.5)),
    entry("E4-two", column(0, 1), "-+", 8, "Kernel FewExamples", "two points: alpha = 1 / (1 - k)",
          Gaussian(1)),
    entry("E4-two-bounded", column(0, 1), "-+", 1, "Kernel FewExamples",
          "two points: alpha = C < 1 / (1 - k)", Gaussian(1)),
    entry("E4-xor", XOR, "--++", 8, "Kernel",
          "exclusive or: alpha = 1 / (1 - exp(-4 gamma))^2, b = 0", Gaussian(1)),
    *map(_moved_gaussian, (0, 10**4, 10**7, 10**8)),
    *(
        entry(f"exclusive or, gamma {gamma}", XOR, "--++", 2**20, "Kernel HugeC",
              "alpha = 1 / (1 - exp(-4 gamma))^2, b = 0", Gaussian(float(gamma)))
        for gamma in (Q(1, 64), Q(1, 4), 4)
    ),
    _of_six("Gaussian on six", "free and bounded support vectors"),
    _of_six("Gaussian on six, C of 1/8", "too little C: no free support vector", C=Q(1, 8)),
    _of_six("Gaussian on six, C of 1024", "much C: every point on its margin", C=1024),
    _of_six("Gaussian on six, narrow", "every point for itself", Gaussian(16)),
    _of_six("Gaussian on six, wide", "nearly linear: kernel values near 1", Gaussian(2.0**-12)),
    _of_six("Gaussian on six, no offset", "b is 0", flags="Kernel NoOffset", bias=False),
    _of_six("Gaussian on six, squared", "squared slack", flags="Kernel SquaredSlack",
           slack="squared"),
    _of_six("Gaussian on six, weighted", "each with its own C", C=[1, 2, Q(1, 2), 4, 1, 1],
           flags="Kernel SampleWeight"),
    _of_six("Gaussian and linear", "a sum of kernels", Gaussian(0.5) + Linear()),
    _of_six("Gaussian times polynomial", "a product", Gaussian(0.5) * Polynomial(2, coef0=1)),
    _of_six("a quarter of a Gaussian", "a multiple: as with a quarter of C", 0.25 * Gaussian(0.5)),
    entry("Gaussian on opposite twins", rows((1, 1), (1, 1), (0, 0), (2, 3)), "+--+", 5,
          "Kernel DuplicateOppositeLabel EtaZero", "one point in both classes", Gaussian(0.25)),
    entry("Gaussian beside a constant column", rows((0, 5), (1, 5), (2, 5), (3, 5)), "-++-", 2,
          "Kernel ZeroVariance", "a column, constant in training only", Gaussian(0.25),
          queries=((1, 6), (2, 4))),
    entry("Gaussian on six, tiny rows", column(*(Q(v, 4096) for v in range(6))), C25_Y, 1,
          "Kernel Scale", "rows times 2^-12, gamma times 2^24: the same kernel values",
          Gaussian(0.5 * 2**24)),
    entry("Gaussian, rows at 2^600", column(0, 1, Q(2) ** 600, -(Q(2) ** 600)), "-++-", 2,
          "Kernel UnscaledFeatures", "squared distances overflow, kernel values are 0",
          Gaussian(0.5)),
    entry("Gaussian on the plane", FIVE_IN_THE_PLANE, "-+-++", 2, "Kernel", "five points",
          Gaussian(0.5)),
]
