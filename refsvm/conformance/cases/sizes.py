"""Problems of many features and many examples, where real code has its blocks and its caches.

    features   4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 65     one before, at and after a block's end
    examples   20 to 130, most of them beside 32, 50, 64, 100 and 128

Rows are whole numbers, all distinct. Labels follow a random plane that every feature has a part
in, with some noise. The seeds were searched for: tests/size_faults.py says which faults each case
must show, and test_sizes.py that it does.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction as Q
from typing import Any

from ...kernels.base import Kernel
from ...kernels.standard import Gaussian, Linear, Polynomial
from ...numerics.exact_sums import integer_dot
from ...numerics.picks import below, splitmix64
from .entries import Entry, entry

Words = Iterator[int]


def whole(words: Words, size: int) -> int:
    """Return a whole number from -size to size."""
    return below(2 * size + 1, words) - size


def distinct_rows(words: Words, n: int, d: int, size: int) -> list[list[Q]]:
    """Return n rows of d whole numbers from -size to size, no two alike."""
    found: dict[tuple[int, ...], None] = {}
    while len(found) < n:
        found[tuple(whole(words, size) for _ in range(d))] = None
    return [list(map(Q, x)) for x in found]


def labels_of(words: Words, X: list[list[Q]], noise: int) -> list[int]:
    """Return labels that a plane gives whose weights are not 0, with noise."""
    plane = [(1 + below(2, words)) * (1 - 2 * below(2, words)) for _ in X[0]]
    heights = [integer_dot(plane, map(int, x)) + whole(words, noise) for x in X]
    return [1 if height > 0 else -1 for height in heights]


def queries_for(words: Words, X: list[list[Q]], size: int, count: int) -> tuple[Any, ...]:
    """Return rows to decide: far ones, an example three times, and others of whole numbers."""
    far = [tuple(factor * v for v in X[-1]) for factor in (16, -1024)]
    drawn = [tuple(Q(whole(words, size + 1)) for _ in X[0]) for _ in range(count)]
    return (*far, *[tuple(X[1])] * 3, *drawn)


def sized(
    name: str,
    kernel: Kernel,
    d: int,
    n: int,
    C: Any,
    seed: int,
    comment: str = "",
    *,
    flags: str = "",
    size: int = 2,
    noise: int = 4,
    queries: int = 3,
    **changed: Any,
) -> Entry:
    """Return an Entry of n rows of d whole numbers from -size to size."""
    words = splitmix64(seed)
    X = distinct_rows(words, n, d, size)
    y = labels_of(words, X, noise)
    title = f"{name}, {d} features, {n} examples"
    if isinstance(C, tuple):
        C = [C[below(len(C), words)] for _ in range(n)]
    asked = queries_for(words, X, size, queries)
    text = comment or f"{d} whole numbers a row"
    flags = f"ManyFeatures ManyExamples {flags}".strip()
    return entry(title, X, y, C, flags, text, kernel, queries=asked, **changed)


def linear() -> Iterator[Entry]:
    """Each number of features with the linear kernel."""
    for d, n, C, seed in LINEAR:
        yield sized("linear", Linear(), d, n, C, seed)


def gaussian() -> Iterator[Entry]:
    """Each number of features with a Gaussian kernel."""
    for d, n, C, seed in GAUSSIAN:
        kernel = Gaussian(1.0 / (4 << (d - 1).bit_length()))
        yield sized("Gaussian", kernel, d, n, C, seed, flags="Kernel")


def polynomial() -> Iterator[Entry]:
    """Each number of features with polynomial kernels."""
    for degree, d, n, C, seed in POLYNOMIAL:
        kernel = Polynomial(degree, Q(1, 1 << (d - 1).bit_length()), 1)
        yield sized("polynomial", kernel, d, n, C, seed, flags="Kernel")


LINEAR = [
    (4, 50, 1, 1),
    (5, 65, Q(1, 4), 1),
    (7, 101, Q(1, 8), 1),
    (8, 33, 2, 1),
    (9, 130, Q(1, 16), 1),
    (15, 97, 1, 1),
    (16, 64, 1, 1),
    (17, 128, Q(1, 8), 1),
    (31, 51, 1, 1),
    (32, 99, Q(1, 4), 1),
    (33, 49, 1, 1),
    (65, 31, 1, 1),
]
GAUSSIAN = [
    (4, 51, 4, 1),
    (5, 128, 1, 1),
    (7, 64, 8, 1),
    (8, 129, 2, 1),
    (9, 49, 4, 1),
    (15, 100, 4, 1),
    (16, 33, 8, 1),
    (17, 65, 4, 1),
    (31, 63, 2, 1),
    (32, 50, 8, 1),
    (33, 97, 4, 1),
    (65, 20, 8, 1),
]
POLYNOMIAL = [
    (2, 4, 101, Q(1, 4), 1),
    (3, 5, 33, 1, 1),
    (2, 7, 130, Q(1, 8), 1),
    (3, 8, 65, Q(1, 2), 1),
    (2, 9, 63, 1, 1),
    (3, 15, 49, 1, 1),
    (2, 16, 127, Q(1, 4), 1),
    (3, 17, 50, 1, 1),
    (2, 31, 65, 1, 1),
    (3, 32, 31, 1, 1),
    (2, 33, 99, Q(1, 2), 1),
    (3, 65, 33, 1, 1),
]
SIZES = [*linear(), *gaussian(), *polynomial()]
