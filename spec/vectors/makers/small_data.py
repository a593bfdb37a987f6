"""Small data that several files of runs have, and short ways to write rows and labels."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction as Q
from typing import Any

Rows = list[list[Any]]


def column(*values: Any) -> Rows:
    """Return one row an example, of one number each.

    >>> column(1, "1/2")
    [[Fraction(1, 1)], [Fraction(1, 2)]]
    """
    return [[Q(v)] for v in values]


def rows(*given: Iterable[Any]) -> Rows:
    """Return the rows given, as Fractions."""
    return [[Q(v) for v in row] for row in given]


def signs(word: str) -> list[int]:
    """Return the labels that a word of signs stands for.

    >>> signs("-+")
    [-1, 1]
    """
    return [1 if sign == "+" else -1 for sign in word]


C25_X, C25_Y = column(0, 1, 2, 3, 4, 5), signs("--+-++")
XOR = rows((-1, -1), (1, 1), (-1, 1), (1, -1))
