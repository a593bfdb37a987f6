"""Exact numbers as strings: "p" or "p/q" in lowest terms, or "inf".

Each number has one spelling. A float is written as the fraction it is, so nothing is rounded on
the way out or in; and the digits may be as many as they are, where Python refuses more than 4300.
"""

from __future__ import annotations

import re
from fractions import Fraction
from math import inf
from typing import Any

from .types import Number

DIGITS = 4000  # Python refuses to turn more than 4300 into an int at once, or back
NUMBER = re.compile(r"(0|-?[1-9][0-9]*)(/[1-9][0-9]*)?")


def numeral(value: Number) -> str:
    """Write a number as a string: "p", "p/q" or "inf".

    >>> numeral(0.75), numeral(-2), numeral(inf)
    ('3/4', '-2', 'inf')
    """
    if value == inf:
        return "inf"
    p, q = value.as_integer_ratio()
    return digits_of(p) if q == 1 else f"{digits_of(p)}/{digits_of(q)}"


def value_of(text: Any, place: str) -> Fraction:
    """The Fraction that a string "p" or "p/q" is; refused unless it is in lowest terms.

    >>> value_of("-3/4", "b")
    Fraction(-3, 4)
    >>> value_of("0.75", "b")
    Traceback (most recent call last):
      ...
    ValueError: b is '0.75'; a number is "p" or "p/q" in lowest terms
    """
    if isinstance(text, str) and NUMBER.fullmatch(text):
        p, *q = text.split("/")
        value = Fraction(int_of(p), *map(int_of, q))
        if value.denominator == int_of(q[0] if q else "1") and q != ["1"]:
            return value
    raise ValueError(f'{place} is {text!r}; a number is "p" or "p/q" in lowest terms')


def double_of(text: Any, place: str) -> float:
    """The float that a string "p/q" is exactly."""
    value = value_of(text, place)
    if abs(value) >= 2**1024 or Fraction(float(value)) != value:
        raise ValueError(f"{place} is {text!r}, which is no double; the kernel needs doubles")
    return float(value)


def digits_of(n: int) -> str:
    """str(n) of an int, however long."""
    if n < 0:
        return "-" + digits_of(-n)
    half = n.bit_length() * 3 // 20  # about half as many as there are decimal digits
    if 2 * half < DIGITS:
        return str(n)
    high, low = divmod(n, 10**half)
    return digits_of(high) + digits_of(low).zfill(half)


def int_of(digits: str) -> int:
    """int(digits), however many."""
    if digits[0] == "-":
        return -int_of(digits[1:])
    half = len(digits) // 2
    if 2 * half < DIGITS:
        return int(digits)
    return int_of(digits[:-half]) * 10**half + int_of(digits[-half:])
