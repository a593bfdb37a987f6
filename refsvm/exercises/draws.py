"""Small numbers, rows and labels for the checks.

    bits    an iterator of 64-bit integers       size    1, 2, ...: numbers lie from -size to size

They are drawn by numerics.picks, so that they are the same on every machine.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TypeVar

from ..numerics.linalg import dot
from ..numerics.picks import below

T = TypeVar("T")
Bits = Iterator[int]
Numbers = list[Fraction]


def number(bits: Bits, size: int) -> Fraction:
    """Draw a number from -size to size, from size 3 on also halves and thirds."""
    parts = 1 if size < 3 else 1 + below(3, bits)
    return Fraction(below(2 * size * parts + 1, bits) - size * parts, parts)


def positive(bits: Bits, size: int) -> Fraction:
    """Draw a number above 0 and at most size."""
    parts = 1 if size < 3 else 1 + below(3, bits)
    return Fraction(1 + below(size * parts, bits), parts)


def one_of(bits: Bits, values: list[T]) -> T:
    """Draw one of the values."""
    return values[below(len(values), bits)]


def vector(bits: Bits, size: int, d: int) -> Numbers:
    """Draw d numbers."""
    return [number(bits, size) for _ in range(d)]


def normal(bits: Bits, size: int, d: int) -> Numbers:
    """Draw d numbers that are not all 0."""
    while True:
        w = vector(bits, size, d)
        if any(w):
            return w


def dimension(bits: Bits, size: int) -> int:
    """Draw a number of features: 1 or 2 for small sizes, else up to 3."""
    return 1 + below(2 if size < 4 else 3, bits)


def rows(bits: Bits, size: int, d: int, least: int = 1) -> list[Numbers]:
    """Draw some rows of d numbers, at least so many."""
    return [vector(bits, size, d) for _ in range(least + below(size + 1, bits))]


def draw_labels(bits: Bits, n: int) -> list[int]:
    """Draw n labels; of two or more, each label is there."""
    while True:
        y = [1 - 2 * below(2, bits) for _ in range(n)]
        if n < 2 or len(set(y)) == 2:
            return y


def separated(bits: Bits, size: int) -> tuple[Numbers, Fraction, list[Numbers], list[int]]:
    """Draw w, b, rows and labels, both there, such that (w, b) decides every row rightly."""
    while True:
        d = dimension(bits, size)
        w, b = normal(bits, size, d), number(bits, size)
        X = [x for x in rows(bits, size, d, 3) if dot(w, x) + b != 0]
        y = [1 if dot(w, x) + b > 0 else -1 for x in X]
        if len(set(y)) == 2:
            return w, b, X, y
