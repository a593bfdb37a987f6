"""Vectors as text: every number a string that says exactly which number it is.

    rational      "p" or "p/q" in lowest terms, "inf", "-inf" or "nan"       (canonical_json.py)
    hexadecimal   the nearest double as C, Java and Python write it: "-0x1.8000000000000p+1"

What is written is a tree of dicts and lists. Its Fractions and floats become strings, an Interval
a dict of low and high; ints (labels, degrees, indices), bools and words stay as they are.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from math import isfinite
from typing import Any

from ...numerics.intervals import Interval
from ...numerics.numerals import NUMBER, numeral, parse_number

WIDTH = 99
NOT_FINITE_NAMES = ("inf", "-inf", "nan")


def rational(tree: Any) -> Any:
    """Return the tree with its numbers as fractions.

    >>> rational({"X": [[Fraction(1, 3)], [0.25]], "degree": 2})
    {'X': [['1/3'], ['1/4']], 'degree': 2}
    """
    return mapped(tree, (Fraction, float), lambda v: numeral(v) if isfinite(v) else str(v))


def hexadecimal(tree: Any) -> Any:
    """Return the tree with its numbers as doubles, a fraction as the nearest.

    >>> hexadecimal([Fraction(3), -0.0])
    ['0x1.8000000000000p+1', '-0x0.0p+0']
    """
    return mapped(tree, (Fraction, float), lambda v: float(v).hex())


def doubles(tree: Any) -> Any:
    """Return the tree that `rational` returned, with doubles in the place of fractions.

    >>> doubles({"X": [["1/4"], ["ab"]], "C": ["inf"]})
    {'X': [['0x1.0000000000000p-2'], ['ab']], 'C': ['inf']}
    """
    return mapped(
        tree, str, lambda v: float(parse_number(v, v)).hex() if NUMBER.fullmatch(v) else v
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


def text_of(tree: Any, indent: int = 0) -> str:
    """Return the tree as JSON, each value of a dict in lines of its own; lists fill their lines.

    A dict or list that fits in a line is one line.

    >>> print(text_of({"a": [1, 2], "b": "x"}))
    {"a": [1, 2], "b": "x"}
    >>> print(text_of({"a": list(range(1000, 1024)), "b": "x"}))
    {"a": [1000, 1001, 1002, 1003, 1004, 1005, 1006, 1007, 1008, 1009, 1010, 1011, 1012, 1013,
      1014, 1015, 1016, 1017, 1018, 1019, 1020, 1021, 1022, 1023],
     "b": "x"}
    """
    line = json.dumps(tree)
    if not isinstance(tree, (dict, list)) or len(line) + indent <= WIDTH:
        return line
    inside = indent + 1
    if isinstance(tree, dict):
        parts = [f"{json.dumps(key)}: {text_of(value, inside)}" for key, value in tree.items()]
        opening, closing = "{}"
    else:
        parts = _filled([text_of(value, inside) for value in tree], WIDTH - inside - 12)
        opening, closing = "[]"
    return opening + f",\n{' ' * inside}".join(parts) + closing


def _filled(parts: list[str], width: int) -> list[str]:
    """Return the parts with those joined that fit beside each other in a line."""
    lines: list[str] = []
    for part in parts:
        fits = lines and len(lines[-1]) + len(part) + 3 <= width
        if fits and "\n" not in lines[-1] + part:
            lines[-1] += ", " + part
        else:
            lines.append(part)
    return lines
