"""Exact numbers as strings: "p" or "p/q" in lowest terms, or "inf" and "-inf".

Each number has one spelling. A float is written as the fraction that it is, so nothing is rounded
in either direction. There may be 250,000 digits in a text that is read, which takes a third of a
second; Python's own int() and str() refuse more than 4300.
"""

from __future__ import annotations

import re
from fractions import Fraction
from math import inf

from .quoting import quote
from .types import Number

DIGITS_AT_ONCE = 4000  # as many are converted at once
MAX_NUMERAL = 250_000  # letters of a number that is read
RATIONAL_NUMBER = re.compile(r"(0|-?[1-9][0-9]*)(/[1-9][0-9]*)?")


def numeral(value: Number) -> str:
    """Write a number as a string: "p", "p/q", "inf" or "-inf" (S16.7, S18.2).

    >>> numeral(0.75), numeral(-2), numeral(inf)
    ('3/4', '-2', 'inf')
    """
    if abs(value) == inf:
        return str(float(value))
    p, q = value.as_integer_ratio()
    return int_to_digits(p) if q == 1 else f"{int_to_digits(p)}/{int_to_digits(q)}"


def parse_number(text: object, place: str) -> Fraction:
    """Read a Fraction from a string "p" or "p/q"; ValueError unless it is in lowest terms (S16.7).

    >>> parse_number("-3/4", "b")
    Fraction(-3, 4)
    >>> parse_number("0.75", "b")
    Traceback (most recent call last):
      ...
    ValueError: b is '0.75'; a number is "p" or "p/q" in lowest terms
    """
    if isinstance(text, str) and len(text) > MAX_NUMERAL:
        raise ValueError(f"{place} has {len(text)} letters; a number has at most {MAX_NUMERAL}")
    if isinstance(text, str) and RATIONAL_NUMBER.fullmatch(text):
        p, *q = text.split("/")
        value = Fraction(digits_to_int(p), *map(digits_to_int, q))
        if value.denominator == digits_to_int(q[0] if q else "1") and q != ["1"]:
            return value
    raise ValueError(f'{place} is {quote(text)}; a number is "p" or "p/q" in lowest terms')


def parse_double(text: str, place: str) -> float:
    """Read a float from a string; ValueError unless its value is exactly a double."""
    value = parse_number(text, place)
    if abs(value) >= 2**1024 or Fraction(float(value)) != value:
        raise ValueError(f"{place} is {quote(text)}, which is no double; the kernel needs doubles")
    return float(value)


def int_to_digits(n: int) -> str:
    """str(n), for an int of any length."""
    if n < 0:
        return "-" + int_to_digits(-n)
    half = n.bit_length() * 3 // 20  # about half as many as there are decimal digits
    if 2 * half < DIGITS_AT_ONCE:
        return str(n)
    high, low = divmod(n, 10**half)
    return int_to_digits(high) + int_to_digits(low).zfill(half)


def is_short_number(text: str) -> bool:
    """Tell whether a text is a whole number of a few plain digits, which int() takes.

    str.isdigit is true of other signs, too, and of any number of digits.

    >>> is_short_number("12"), is_short_number("\\u00b2"), is_short_number("1" * 5000)
    (True, False, False)
    """
    return text.isascii() and text.isdigit() and len(text) < 10


def digits_to_int(digits: str) -> int:
    """int(digits), for any number of digits."""
    if digits[0] == "-":
        return -digits_to_int(digits[1:])
    half = len(digits) // 2
    if 2 * half < DIGITS_AT_ONCE:
        return int(digits)
    high, low = digits_to_int(digits[:-half]), digits_to_int(digits[-half:])
    number: int = high * 10**half + low
    return number
