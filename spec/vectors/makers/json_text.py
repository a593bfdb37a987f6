"""How a tree of numbers is told in a file: its fractions as strings, its lines of 99 letters."""

from __future__ import annotations

import json
from fractions import Fraction
from math import isfinite
from typing import Any

from refsvm.conformance.cases.number_json import mapped
from refsvm.numerics.numerals import numeral

WIDTH = 99


def rational(tree: Any) -> Any:
    """Return the tree with its numbers as fractions.

    >>> rational({"X": [[Fraction(1, 3)], [0.25]], "degree": 2})
    {'X': [['1/3'], ['1/4']], 'degree': 2}
    """
    return mapped(tree, (Fraction, float), lambda v: numeral(v) if isfinite(v) else str(v))


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
