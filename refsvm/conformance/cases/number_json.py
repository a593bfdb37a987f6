"""Vectors as text: every number a string that says exactly which number it is.

    rational      "p" or "p/q" in lowest terms, "inf", "-inf" or "nan"       (canonical_json.py)
    hexadecimal   the nearest double as C, Java and Python write it: "-0x1.8000000000000p+1"

What is written is a tree of dicts and lists. Its Fractions and floats become strings, an Interval
a dict of low and high; ints (labels, degrees, indices), bools and words stay as they are.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from ...numerics.intervals import Interval
from ...numerics.numerals import RATIONAL_NUMBER, parse_number

NOT_FINITE_NAMES = ("inf", "-inf", "nan")


def hexadecimal(tree: Any) -> Any:
    """Return the tree with its numbers as doubles, a fraction as the nearest.

    >>> hexadecimal([Fraction(3), -0.0])
    ['0x1.8000000000000p+1', '-0x0.0p+0']
    """
    return mapped(tree, (Fraction, float), lambda v: float(v).hex())


def doubles(tree: Any) -> Any:
    """Return the tree of a file, with doubles in the place of its fractions.

    >>> doubles({"X": [["1/4"], ["ab"]], "C": ["inf"]})
    {'X': [['0x1.0000000000000p-2'], ['ab']], 'C': ['inf']}
    """
    return mapped(
        tree, str, lambda v: float(parse_number(v, v)).hex() if RATIONAL_NUMBER.fullmatch(v) else v
    )


def mapped(tree: Any, kinds: Any, change: Callable[[Any], Any]) -> Any:
    """Return the tree with everything of these kinds changed."""
    if isinstance(tree, Interval):
        tree = tree._asdict()
    if isinstance(tree, dict):
        return {key: mapped(value, kinds, change) for key, value in tree.items()}
    if isinstance(tree, (list, tuple)):
        return [mapped(value, kinds, change) for value in tree]
    return change(tree) if isinstance(tree, kinds) else tree


def numbers(tree: Any) -> Any:
    """Return the tree with numbers for its strings; a dict of low and high is an Interval.

    >>> numbers(["1/3", "0x1.8p+1", {"low": "0", "high": "1"}, "inf", 2])
    [Fraction(1, 3), 3.0, Interval(low=Fraction(0, 1), high=Fraction(1, 1)), inf, 2]
    """
    if isinstance(tree, dict):
        return Interval(numbers(tree["low"]), numbers(tree["high"]))
    if isinstance(tree, list):
        return list(map(numbers, tree))
    if not isinstance(tree, str):
        return tree
    if tree in NOT_FINITE_NAMES or "x" in tree:
        return float.fromhex(tree)
    return parse_number(tree, "a number")


def exact_numbers(tree: Any) -> Any:
    """Return the tree with fractions for its strings, of doubles too; see numbers.

    >>> exact_numbers({"lo": "1/3", "hi": "0x1.8p+1"})
    {'lo': Fraction(1, 3), 'hi': Fraction(3, 1)}
    """
    if isinstance(tree, dict) and "low" not in tree:
        return {key: exact_numbers(value) for key, value in tree.items()}
    if isinstance(tree, dict):
        return Interval(*map(exact_numbers, (tree["low"], tree["high"])))
    if isinstance(tree, list):
        return list(map(exact_numbers, tree))
    return Fraction(numbers(tree)) if isinstance(tree, str) else tree
