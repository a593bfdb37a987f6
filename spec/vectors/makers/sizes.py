"""Problems of many features and many examples, where real code has its blocks and its caches.

    features   4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 65     beside the ends of blocks
    examples   20 to 130, most of them beside 32, 50, 64, 100 and 128

Rows are whole numbers. Labels follow a plane that every feature has a part in, with some noise.
Rows to decide: an example three times, two rows far away, and others nearby, up to 130 of them.
The seeds were searched for: tests/size_faults.py says which faults each case must show, and that
plain pair steps which stop at 1e-3 must pass; test_sizes.py holds it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction as Q
from math import inf
from typing import Any

from refsvm.kernels.base import Kernel
from refsvm.kernels.standard import Gaussian, Linear, Polynomial, Precomputed, Sigmoid
from refsvm.kernels.strings import Spectrum
from refsvm.numerics.exact_sums import integer_dot
from refsvm.numerics.picks import below, splitmix64

from .entries import Entry, entry

# fmt: off
Words = Iterator[int]
Whole = list[list[int]]
FAR = 16, -1024  # times an example


# ---- drawn rows and labels


def whole(words: Words, size: int) -> int:
    """Return a whole number from -size to size."""
    return below(2 * size + 1, words) - size


def _distinct_rows(words: Words, n: int, d: int, size: int) -> Whole:
    """Return n rows of d whole numbers from -size to size, no two alike."""
    found: dict[tuple[int, ...], None] = {}
    while len(found) < n:
        found[tuple(whole(words, size) for _ in range(d))] = None
    return list(map(list, found))


def _repeated_rows(words: Words, n: int, d: int, size: int) -> Whole:
    """Return n rows of 1 and -1: fewer are distinct than there are features, if these are few.

    A Sigmoid kernel is positive definite where rows are nearly orthogonal, and no more than d are.
    """
    few = [[1 - 2 * below(2, words) for _ in range(d)] for _ in range(min(n, max(2, d // 2)))]
    return few + [few[below(len(few), words)] for _ in range(n - len(few))]


def _heights_of(words: Words, X: Whole, noise: int) -> list[int]:
    """Return what labels are the signs of: where rows are above a plane, with noise."""
    plane = [(1 + below(2, words)) * (1 - 2 * below(2, words)) for _ in X[0]]
    return [integer_dot(plane, x) + whole(words, noise) for x in X]


def balanced(heights: list[int]) -> list[int]:
    """Return labels of two classes of equal size, or nearly."""
    order = sorted(range(len(heights)), key=heights.__getitem__)
    upper = set(order[len(order) // 2 :])
    return [1 if i in upper else -1 for i in range(len(heights))]


def _signs_of(heights: list[int]) -> list[int]:
    """Return the signs; that of 0 is -1."""
    return [1 if height > 0 else -1 for height in heights]


def queries_for(
    words: Words, X: Whole, heights: list[int], size: int, count: int
) -> tuple[Any, ...]:
    """Return rows to decide: far ones, an example three times, and `count` others.

    Far is where decisions are large: elsewhere a small error of w would be a large one of f.
    """
    extreme = max(range(len(X)), key=lambda i: abs(heights[i]))
    far = [[factor * v for v in X[extreme]] for factor in FAR]
    near = [[whole(words, size + 1) for _ in X[0]] for _ in range(count)]
    return tuple(tuple(map(Q, x)) for x in [*far, *[X[1]] * 3, *near])


def _sized(
    kernel: Kernel, d: int, n: int, C: Any, seed: int, comment: str, flags: str = "",
    *, size: int = 2, noise: int = 4, queries: int = 3, title: str = "",
    rows: Callable[[Words, int, int, int], Whole] = _distinct_rows,
    label: Callable[[list[int]], list[int]] = _signs_of, **changed: Any,
) -> Entry:
    """Return an Entry of n rows of d whole numbers; C: one, or some of which each draws one."""
    words = splitmix64(seed)
    X = rows(words, n, d, size)
    heights = _heights_of(words, X, noise)
    y = label(heights)
    if isinstance(C, tuple):
        C = [C[below(len(C), words)] for _ in range(n)]
    name = f"{title or type(kernel).__name__.lower()}, {d} features, {n} examples"
    more = [] if isinstance(kernel, Linear) else ["Kernel"]
    words_of_flags = " ".join(["ManyFeatures ManyExamples", *more, flags]).strip()
    asked = queries_for(words, X, heights, size, queries)
    return entry(name, [list(map(Q, x)) for x in X], y, C, words_of_flags, comment, kernel,
                 queries=asked, **changed)


# ---- each number of features with each kernel


def narrow(d: int) -> Gaussian:
    """Return a Gaussian kernel for d features: near rows have values about 1/2."""
    return Gaussian(1.0 / (4 << (d - 1).bit_length()))


def power(degree: int, d: int) -> Polynomial:
    """Return a polynomial kernel for d features."""
    return Polynomial(degree, 1.0 / (1 << (d - 1).bit_length()), 1)


BLOCKS = "sums of products in blocks, and what is left after the last one"
DISTANCES = "sums of squares in blocks, and what is left after the last one"
LINEAR = [
    (4, 50, 1, 2), (5, 65, Q(1, 4), 2), (7, 101, Q(1, 8), 1), (8, 33, Q(1, 4), 2),
    (9, 130, Q(1, 16), 20), (15, 97, Q(1, 4), 22), (16, 64, Q(1, 8), 4), (17, 128, Q(1, 8), 4),
    (31, 51, Q(1, 8), 3), (32, 99, Q(1, 8), 1), (33, 49, Q(1, 16), 1), (65, 31, Q(1, 32), 20),
    (6, 80, Q(1, 8), 12), (12, 40, Q(1, 8), 1), (24, 72, Q(1, 8), 7), (64, 40, Q(1, 32), 5),
]
GAUSSIAN = [
    (4, 51, 4, 1), (5, 128, 1, 1), (7, 64, 8, 1), (8, 129, 2, 2), (9, 49, 4, 3), (15, 100, 4, 1),
    (16, 33, 8, 1), (17, 65, 4, 2), (31, 63, 2, 2), (32, 50, 8, 1), (33, 97, 4, 2), (65, 20, 8, 1),
    (6, 25, 4, 2), (12, 110, 2, 2), (24, 36, 4, 3), (64, 48, 4, 1),
]
POLYNOMIAL = [
    (2, 4, 101, Q(1, 4), 14), (3, 5, 33, 1, 2), (2, 7, 130, Q(1, 8), 2), (3, 8, 65, Q(1, 2), 1),
    (2, 9, 63, 1, 8), (3, 15, 49, 1, 1), (2, 16, 127, Q(1, 4), 1), (3, 17, 50, 1, 1),
    (2, 31, 65, 1, 3), (3, 32, 31, 1, 1), (2, 33, 99, Q(1, 2), 1), (3, 65, 33, 1, 1),
    (2, 6, 96, Q(1, 4), 7), (3, 12, 48, 1, 2), (2, 24, 57, 1, 1), (2, 64, 34, 1, 1),
]
SIGMOID = [
    (4, 20, 1, 18), (5, 21, 1, 3), (7, 24, 1, 1), (8, 31, 1, 14), (9, 33, 1, 8), (15, 33, 2, 3),
    (16, 49, 2, 1), (17, 50, 2, 1), (31, 64, 4, 3), (32, 65, 4, 3), (33, 31, 4, 2), (65, 33, 4, 1),
]
BY_FEATURES = [
    *(_sized(Linear(), d, n, C, seed, BLOCKS) for d, n, C, seed in LINEAR),
    *(_sized(narrow(d), d, n, C, seed, DISTANCES) for d, n, C, seed in GAUSSIAN),
    *(_sized(power(k, d), d, n, C, seed, BLOCKS) for k, d, n, C, seed in POLYNOMIAL),
    *(
        _sized(Sigmoid(1.0 / (2 << (d - 1).bit_length()), 0.125), d, n, C, seed,
              "a Sigmoid kernel that is positive definite on these rows", rows=_repeated_rows)
        for d, n, C, seed in SIGMOID
    ),
]


# ---- each form of the problem


EACH = Q(1, 4), Q(1, 2), 1, 2
FORMS: list[tuple[str, dict[str, Any], str, str, list[tuple[Any, ...]]]] = [
    ("squared", {"slack": "squared"}, "SquaredSlack", "with squared slack", [
        (Linear(), 5, 33, Q(1, 4), 1), (Linear(), 17, 65, Q(1, 8), 2), (narrow(9), 9, 51, 4, 2),
        (narrow(16), 16, 101, 2, 2), (power(2, 7), 7, 50, 1, 1), (power(3, 31), 31, 49, 1, 1),
    ]),
    ("no offset", {"bias": False}, "NoOffset", "without an offset", [
        (Linear(), 8, 64, Q(1, 4), 2), (Linear(), 33, 50, Q(1, 8), 4), (narrow(4), 4, 100, 1, 1),
        (narrow(15), 15, 33, 4, 2), (power(2, 9), 9, 65, Q(1, 2), 15),
        (power(3, 32), 32, 49, 1, 2),
    ]),
    ("squared, no offset", {"slack": "squared", "bias": False}, "SquaredSlack NoOffset",
     "with squared slack and without an offset", [
        (Linear(), 7, 51, Q(1, 4), 2), (narrow(5), 5, 31, 2, 1), (power(2, 8), 8, 66, 1, 3),
    ]),
    ("weighted", {}, "SampleWeight", "each example with its own C", [
        (Linear(), 16, 49, EACH, 7), (Linear(), 5, 129, EACH, 3), (narrow(8), 8, 65, EACH, 3),
        (narrow(31), 31, 50, EACH, 1), (power(2, 4), 4, 99, EACH, 15),
        (power(3, 15), 15, 33, EACH, 2),
    ]),
    ("hard", {"noise": 0}, "HardMargin", "the hard margin of many examples", [
        (Linear(), 17, 33, inf, 5), (narrow(9), 9, 51, inf, 2),
        (power(2, 33), 33, 64, inf, 1),
    ]),
    ("all at C", {"label": balanced}, "NoFreeSV OffsetInterval",
     "no support vector is free, and an interval of offsets is optimal", [
        (Linear(), 9, 100, Q(1, 1024), 1), (narrow(17), 17, 50, Q(1, 16), 1),
        (power(2, 8), 8, 130, Q(1, 256), 1),
    ]),
    ("many steps", {"noise": 8}, "SlowSMO", "plain pair steps take hundreds or thousands", [
        (Linear(), 4, 101, 4, 1), (Linear(), 9, 129, 1, 2),
        (Linear(), 5, 99, (Q(1, 2), 4, 32), 1), (Gaussian(1 / 64), 5, 99, 64, 2),
        (Polynomial(2, 0.125, 1), 7, 128, 1, 6), (Polynomial(3, 0.25, 1), 4, 100, Q(1, 2), 4),
    ]),
    ("many rows to decide", {"queries": 130}, "ManyExamples", "more to decide than examples", [
        (Linear(), 8, 31, Q(1, 4), 9), (narrow(7), 7, 33, 4, 10),
        (power(3, 4), 4, 49, Q(1, 2), 1),
    ]),
]
BY_FORM = [
    made._replace(name=f"{made.name}, {word}")
    for word, options, flags, comment, sizes in FORMS
    for kernel, d, n, C, seed in sizes
    for made in [_sized(kernel, d, n, C, seed, comment, flags, **options)]
]


# ---- kernels that are sent as a Gram matrix


def text(words: Words, length: int) -> str:
    """Return a string of a, b and c."""
    return "".join("abc"[below(3, words)] for _ in range(length))


def strings(n: int, length: int, C: Any, seed: int) -> Entry:
    """Return an Entry of n strings of different lengths; the longer ones tend to be positive."""
    words = splitmix64(seed)
    found: dict[str, None] = {}
    while len(found) < n:
        found[text(words, 4 + below(8, words))] = None
    X = list(found)
    y = _signs_of([len(x) + x.count("a") - 9 + whole(words, 2) for x in X])
    return entry(f"strings of {length}, {n} examples", X, y, C, "ManyExamples Strings Kernel",
                 f"substrings of {length} letters of many strings", Spectrum(length),
                 queries=(X[1], X[1], "abcabcabcabc", "b", *(text(words, 9) for _ in range(5))))


def matrix(n: int, C: Any, seed: int, **changed: Any) -> Entry:
    """Return an Entry of a Gram matrix of whole numbers, with a part of its own for each example.

    A row to decide is that of an example, or the kernel values of a point between some of them.
    """
    words = splitmix64(seed)
    X = _distinct_rows(words, n, 6, 2)
    heights = _heights_of(words, X, 4)
    K = [[integer_dot(x, z) ** 2 + 8 * (x is z) for x in X] for z in X]
    between = [[p + q - r for p, q, r in zip(K[i], K[-1 - i], K[2 * i + 1])] for i in range(6)]
    rows = [*[K[1]] * 2, *between, [64 * v for v in K[-1]]]
    return entry(f"matrix of {n} examples", [list(map(Q, row)) for row in K], _signs_of(heights),
                 C, "ManyExamples Precomputed", "a large Gram matrix", Precomputed(),
                 queries=tuple(tuple(map(Q, row)) for row in rows), **changed)


GRAM = "a kernel without a name in messages: its Gram matrix is sent"
BY_MATRIX = [
    _sized(Linear() + power(2, 7), 7, 33, Q(1, 4), 13, GRAM, title="linear + polynomial"),
    _sized(Linear() * Linear(), 16, 51, Q(1, 1024), 1, GRAM, title="linear * linear"),
    _sized(narrow(9) + Linear(), 9, 50, Q(1, 4), 4, GRAM, title="gaussian + linear"),
    _sized(narrow(5) * power(2, 5), 5, 65, 1, 2, GRAM, title="gaussian * polynomial"),
    _sized(0.25 * narrow(17), 17, 64, 8, 1, GRAM, title="a quarter of a gaussian"),
    *(strings(n, length, C, seed) for n, length, C, seed in [
        (20, 1, Q(1, 16), 2), (51, 2, Q(1, 16), 1), (65, 3, Q(1, 4), 1)]),
    *(matrix(n, C, seed) for n, C, seed in [
        (20, 1, 1), (33, Q(1, 8), 2), (64, Q(1, 16), 5), (101, Q(1, 32), 1)]),
]
SIZES = [*BY_FEATURES, *BY_FORM, *BY_MATRIX]
