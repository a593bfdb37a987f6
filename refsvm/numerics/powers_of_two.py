"""Powers of two, which change no digit of a double: how large a number is, and other units for it.

Squares of numbers near the ends of the doubles are infinite or zero. In a unit that is a power of
two the same numbers are of ordinary size, with the same digits; so is what is computed of them,
and a power of two brings it back at the end.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import accumulate
from math import inf
from operator import mul
from typing import Any

from .rounding_bounds import nearest_double
from .sparse_rows import converted, row_numbers
from .types import Number, Vector

LEAST_NORMAL = float(Fraction(2) ** -1022)  # a double below has fewer than 53 digits


def binary_exponent(A: Iterable[Iterable[Any]]) -> int:
    """An int e with the largest |entry| of A between 2^(e-1) and 2^(e+1), 0 if A is zero.

    For floats it is at least 2^e: their denominators are powers of two.
    """
    largest = max((abs(a) for row in A for a in row), default=0)
    p, q = Fraction(largest).as_integer_ratio()
    return p.bit_length() - q.bit_length() if p else 0


def times_power_of_two(x: Number, e: int) -> float:
    """x 2^e as a float, rounded once at most; infinite when no float is as large."""
    return nearest_double(Fraction(x) * Fraction(2) ** e)


def in_ordinary_unit(rows: list[Vector]) -> tuple[list[Vector], int]:
    """(rows / 2^e, e) for rows of floats: the largest number is near 1, and digits stay.

    Only those are lost of a number that is 2^-1000 times the largest.

    >>> in_ordinary_unit([[0.0, 3 * 2.0**900]])
    ([[0.0, 1.5]], 901)
    """
    largest = binary_exponent(map(row_numbers, rows))
    e = max(-1000, min(largest, 1000))  # so that 2^-e is an ordinary double
    unit = times_power_of_two(1, -e)
    return [converted(row, lambda v: unit * v) for row in rows], e


def product(*factors: Number) -> Number:
    """The product of some numbers, from the left, each time rounded to 53 digits.

    It is 0 or infinite only where the whole product is beyond the doubles, not a part of it.

    >>> product(1e200, 1e200, 1e-300), 1e200 * 1e200 * 1e-300
    (1e+100, inf)
    """
    parts: Vector = list(accumulate(factors, mul))
    if all(LEAST_NORMAL <= part < inf for part in parts):
        return parts[-1]
    if not all(map(_is_positive_double, factors)):
        return parts[-1]
    exponents = [binary_exponent([[factor]]) for factor in factors]
    digits: Vector = [times_power_of_two(factor, -e) for factor, e in zip(factors, exponents)]
    return times_power_of_two(list(accumulate(digits, mul))[-1], sum(exponents))  # exact


def _is_positive_double(factor: Number) -> bool:
    """Whether the number is a positive float, and not infinite."""
    return isinstance(factor, float) and 0 < factor < inf
