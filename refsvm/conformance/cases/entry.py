"""How a case is written down, before anybody has solved it: the problem, and why it is asked.

The lists of entries are in core.py (the first twenty-five, and the extras), corpus.py (lecture
notes, known bugs) and families.py (whole families of degenerate problems). Numbers are Fractions,
and every one of them is a double too unless the entry says otherwise.

    X, y, C    as in a Problem; C a number or one an example, 0 where an example does not count
    flags      the kinds of bug an entry is aimed at: keys of flags.FLAGS
    result     "valid": there is one right answer. "reject": the input must be refused.
               "acceptable": a program may refuse, but if it answers, then rightly
    asked      rows to decide, besides the midpoints that are always asked
"""

from fractions import Fraction
from typing import Any, NamedTuple

from ...kernels.standard import Linear


class Entry(NamedTuple):
    """A problem as it is given, and what it is for."""

    name: str
    X: list
    y: list
    C: Any
    flags: tuple
    comment: str
    kernel: Any = Linear()
    bias: bool = True
    slack: str = "hinge"
    result: str = "valid"
    asked: tuple = ()


def column(*values):
    """One row an example, of one number each.

    >>> column(1, "1/2")
    [[Fraction(1, 1)], [Fraction(1, 2)]]
    """
    return [[Fraction(v)] for v in values]


def rows(*given):
    """The rows given, as Fractions."""
    return [[Fraction(v) for v in row] for row in given]


def signs(word):
    """The labels that a word of signs stands for.

    >>> signs("-+")
    [-1, 1]
    """
    return [1 if sign == "+" else -1 for sign in word]
