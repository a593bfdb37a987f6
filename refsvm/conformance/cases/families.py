"""Families of small problems: the same idea with everything varied that a bug may depend on.

Every family is a loop over few values, so that points coincide, lie on each other's margin, and
multipliers meet their bounds exactly. That is where programs differ.
"""

from fractions import Fraction as Q
from math import inf

from ...kernels.standard import Linear, MonomialSum, Polynomial, Precomputed
from ...kernels.strings import Spectrum
from ...numerics.picks import below, shuffle, splitmix64
from .core import TWENTY_FIVE
from .entry import Entry, column, rows, signs

CORE = {entry.name: entry for entry in TWENTY_FIVE}
SIX, MIXED = column(0, 1, 2, 3, 4, 5), signs("--+-++")
PRICES = Q(1, 8), 1, 8


def three_points():
    """-1 at 0, +1 at a and at b: all such problems on the line, but for mirror images."""
    places = [(a, b) for a in range(-3, 4) for b in range(max(a, -a), 4)]
    for a, b in places:
        for C in PRICES:
            yield Entry(
                f"three points 0 {a} {b}, C = {C}",
                column(0, a, b),
                signs("-++"),
                C,
                ("ThreePoints",),
                "-1 at 0, +1 at the two others",
            )


def two_points():
    """-1 at 0, +1 at d: alpha = min(C, 2 / d^2)."""
    for d in (Q(1, 2), 1, 4):
        for C in (*PRICES, 2**20):
            yield Entry(
                f"two points {d} apart, C = {C}",
                column(0, d),
                signs("-+"),
                C,
                ("FewExamples",),
                "alpha = min(C, 2 / d^2)",
            )


def scaled():
    """C25 with the rows times 2^k and C divided by 4^k: the same decision values."""
    for k in (-30, -10, 10, 30):
        yield Entry(
            f"C25 times 2^{k}",
            [[x[0] * Q(2) ** k] for x in SIX],
            MIXED,
            Q(4) ** -k,
            ("Scale", "BoundedSV"),
            "rows times 2^k, C divided by 4^k",
        )


def priced():
    """C25 at many prices: its multipliers meet their bounds one by one."""
    for k in range(-24, 25, 6):
        flag = "TinyC" if k < 0 else "HugeC" if k > 0 else "BoundedSV"
        yield Entry(f"C25 with C = 2^{k}", SIX, MIXED, Q(2) ** k, (flag,), "C25 at another price")


def rearranged():
    """C25 as it may be given otherwise, with the same machine as its answer."""
    bits = splitmix64(25)
    for _ in range(4):
        order = shuffle(range(6), bits)
        yield Entry(
            f"C25 in order {''.join(map(str, order))}",
            [SIX[i] for i in order],
            [MIXED[i] for i in order],
            1,
            ("Permuted", "BoundedSV"),
            "in another order",
        )
    yield Entry(
        "C25 with labels exchanged",
        SIX,
        [-s for s in MIXED],
        1,
        ("LabelOrder",),
        "f changes its sign",
    )
    yield Entry(
        "C25 mirrored",
        [[-x[0]] for x in SIX],
        MIXED,
        1,
        ("Permuted",),
        "w changes its sign, b does not",
    )
    yield Entry(
        "C25 moved by -7", [[x[0] - 7] for x in SIX], MIXED, 1, ("Offset",), "b is 7 w more"
    )
    yield Entry(
        "C25 with every point twice",
        SIX * 2,
        MIXED * 2,
        Q(1, 2),
        ("Duplicate", "AlphaNotUnique"),
        "twice the examples, half the C",
    )
    yield Entry(
        "C25 with a column of zeros",
        [[*x, Q(0)] for x in SIX],
        MIXED,
        1,
        ("ZeroVariance",),
        "a weight that does nothing",
    )
    yield Entry(
        "C25 turned",
        [[3 * x[0], 4 * x[0]] for x in SIX],
        MIXED,
        Q(1, 25),
        ("BoundedSV", "NotDyadic"),
        "along (3, 4), five times as long, C to match",
    )
    yield Entry(
        "C25 on a diagonal",
        [[x[0], x[0]] for x in SIX],
        MIXED,
        Q(1, 2),
        ("BoundedSV",),
        "along (1, 1), C to match",
    )


def weighted():
    """Whole weights, and the same examples repeated."""
    X, y = column(0, 1, 2, 4), signs("-+-+")
    for weights in ([1, 2, 1, 1], [3, 1, 1, 3], [1, 1, 4, 1], [2, 2, 2, 1]):
        word = "".join(map(str, weights))
        yield Entry(f"weights {word}", X, y, weights, ("SampleWeight",), "each with its own C")
        copies = [i for i, weight in enumerate(weights) for _ in range(weight)]
        yield Entry(
            f"copies {word}",
            [X[i] for i in copies],
            [y[i] for i in copies],
            1,
            ("SampleWeight", "Duplicate"),
            "the same as so many copies of each",
        )
    for share in (Q(1, 8), 8):
        C = [share if s > 0 else 1 for s in MIXED]
        yield Entry(f"class weight {share}", SIX, MIXED, C, ("ClassWeight",), "of the class +1")


def of_core(names, suffix, flags, comment, **changed):
    """Some of the twenty-five with another setting."""
    for name in names:
        entry = CORE[name]
        yield entry._replace(name=f"{name} {suffix}", flags=flags, comment=comment, **changed)


def squared():
    """C/2 times the squared slacks: the multipliers have no upper bound."""
    names = [f"C{k:02}" for k in (*range(1, 10), 11, 14, 15, 16, 20, 22, 23, 24, 25)]
    yield from of_core(names, "squared", ("SquaredSlack",), "with squared slack", slack="squared")
    yield from of_core(
        ("C01", "C20", "C25"),
        "squared, no offset",
        ("SquaredSlack", "NoOffset"),
        "with squared slack and no offset",
        slack="squared",
        bias=False,
    )


def without_offset():
    """b is 0: the border goes through the origin, the multipliers need not balance."""
    names = [f"C{k:02}" for k in (1, 2, 3, 5, 6, 7, 8, 9, 12, 14, 15, 19, 20, 22, 23, 24, 25)]
    yield from of_core(names, "no offset", ("NoOffset",), "without an offset", bias=False)


def hard():
    """Infinite C: separable or not, with and without an offset."""
    names = [f"C{k:02}" for k in (1, 2, 5, 6, 7, 9, 11, 15, 17, 18, 22, 24)]
    yield from of_core(names, "hard", ("HardMargin",), "with infinite C", C=inf)
    names = [f"C{k:02}" for k in (3, 4, 8, 10, 14, 19, 20, 25)]
    flags = ("HardMargin", "Infeasible")
    yield from of_core(names, "hard", flags, "with infinite C: there is no such margin", C=inf)
    yield from of_core(
        ("C02", "C22"),
        "hard, no offset",
        flags,
        "through the origin nothing separates them",
        C=inf,
        bias=False,
    )
    yield Entry(
        "some C infinite",
        SIX,
        MIXED,
        [inf, 1, 1, 1, 1, inf],
        ("HardMargin",),
        "two examples that allow no slack among four that do",
    )
    yield Entry(
        "some C infinite, impossible",
        SIX,
        MIXED,
        [1, 1, inf, inf, inf, 1],
        flags,
        "three examples that allow no slack and cannot be separated",
    )
    yield Entry(
        "some C infinite, squared",
        SIX,
        MIXED,
        [inf, 1, 1, 1, 1, inf],
        ("HardMargin", "SquaredSlack"),
        "the same under squared slack",
        slack="squared",
    )


GRID = rows((0, 0), (1, 0), (0, 2), (2, 1), (1, 1))
WORDS = ["banana", "ananas", "bandana", "cabana", "nabob"]
SINGULAR = [[Q(a * b) for b in (1, -1, 2, 0)] for a in (1, -1, 2, 0)]
KERNELS = [
    *(Polynomial(degree, 1, coef0) for degree in (1, 2, 3, 4) for coef0 in (0, 1)),
    Polynomial(2, Q(1, 2), 2),
    MonomialSum(0),
    MonomialSum(1),
    MonomialSum(3),
    Linear() + Polynomial(2),
    Linear() * Linear(),
    Q(1, 2) * Linear() + 3 * Polynomial(0),
]


def kernels():
    """Five points of the plane with many kernels; strings; Gram matrices."""
    for k, kernel in enumerate(KERNELS, 1):
        yield Entry(f"kernel {k}", GRID, signs("-+-++"), 2, ("Kernel",), repr(kernel), kernel)
    for length in (1, 2, 3):
        yield Entry(
            f"strings of {length}",
            WORDS,
            signs("++-+-"),
            1,
            ("Strings", "Kernel"),
            f"words compared by their substrings of {length} letters",
            Spectrum(length),
            asked=("bananas", "nab", "b"),
        )
    for C in PRICES:
        yield Entry(
            f"singular matrix, C = {C}",
            SINGULAR,
            signs("+-+-"),
            C,
            ("Precomputed",),
            "a Gram matrix of rank 1",
            Precomputed(),
        )
        yield Entry(
            f"identity matrix, C = {C}",
            rows((1, 0, 0), (0, 1, 0), (0, 0, 1)),
            signs("+--"),
            C,
            ("Precomputed", "ThreePoints"),
            "every example on its own axis",
            Precomputed(),
        )


def drawn(words, count):
    """`count` problems with few distinct values, drawn from an iterator of 64-bit words."""
    for k in range(1, count + 1):
        n, d = 4 + below(5, words), 1 + below(2, words)
        X = [[Q(below(5, words) - 2) for _ in range(d)] for _ in range(n)]
        y = [-1, 1] + [1 - 2 * below(2, words) for _ in range(n - 2)]
        C = [Q(2) ** (below(7, words) - 3) for _ in range(n)] if k % 3 == 0 else PRICES[k % 4 - 1]
        kernel = Polynomial(2, coef0=1) if k % 5 == 0 else Linear()
        bias, slack = k % 4 != 0, "squared" if k % 6 == 0 else "hinge"
        yield Entry(
            f"drawn {k}", X, y, C, ("Random",), "drawn from few values", kernel, bias, slack
        )


FAMILIES = [
    *three_points(),
    *two_points(),
    *scaled(),
    *priced(),
    *rearranged(),
    *weighted(),
    *squared(),
    *without_offset(),
    *hard(),
    *kernels(),
    *drawn(splitmix64(5), 40),
]
