"""Vectors as text: every number a string that says exactly which number it is.

    rational      "p" or "p/q" in lowest terms, "inf", "-inf" or "nan"       (canonical.py)
    hexadecimal   the nearest double as C, Java and Python write it: "-0x1.8000000000000p+1"

What is written is a tree of dicts and lists. Its Fractions and floats become strings, in one way
or the other; ints (labels, degrees, indices), bools and words stay as they are.
"""

import json
from fractions import Fraction
from math import isfinite

from ..proofs.canonical import numeral, value_of

WIDTH = 99
NOT_FINITE = ("inf", "-inf", "nan")


def rational(tree):
    """The tree with its numbers as fractions.

    >>> rational({"X": [[Fraction(1, 3)], [0.25]], "degree": 2})
    {'X': [['1/3'], ['1/4']], 'degree': 2}
    """
    return mapped(tree, lambda v: numeral(v) if isinstance(v, Fraction) or isfinite(v) else str(v))


def hexadecimal(tree):
    """The tree with its numbers as doubles, a fraction as the nearest.

    >>> hexadecimal([Fraction(3), -0.0])
    ['0x1.8000000000000p+1', '-0x0.0p+0']
    """
    return mapped(tree, lambda v: float(v).hex())


def mapped(tree, number):
    """The tree with every Fraction and float replaced by number(it)."""
    if isinstance(tree, dict):
        return {key: mapped(value, number) for key, value in tree.items()}
    if isinstance(tree, (list, tuple)):
        return [mapped(value, number) for value in tree]
    return number(tree) if isinstance(tree, (Fraction, float)) else tree


def number_of(text, place="a number"):
    """The number that a string of either kind is: a Fraction, or a float.

    >>> number_of("1/3"), number_of("0x1.8p+1"), number_of("inf")
    (Fraction(1, 3), 3.0, inf)
    """
    if "x" in text or text in NOT_FINITE:
        return float.fromhex(text)
    return value_of(text, place)


def text_of(tree, indent=0):
    """The tree as JSON, one value a line, but a whole dict or list where a line can hold it.

    >>> print(text_of({"a": [1, 2], "b": "x"}))
    {"a": [1, 2], "b": "x"}
    """
    line = json.dumps(tree, ensure_ascii=True)
    if not isinstance(tree, (dict, list)) or len(line) + indent <= WIDTH:
        return line
    inside = " " * (indent + 1)
    if isinstance(tree, dict):
        parts = [f"{json.dumps(key)}: {text_of(v, indent + 1)}" for key, v in tree.items()]
    else:
        parts = [text_of(value, indent + 1) for value in tree]
    return tree_end(tree, f",\n{inside}".join(parts))


def tree_end(tree, inside):
    """What is inside, in the brackets of the tree."""
    opening, closing = "{}" if isinstance(tree, dict) else "[]"
    return f"{opening}{inside}{closing}"
