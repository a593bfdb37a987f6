"""Differences of numbers of which some may be infinite, as a bound is that is no bound.

Infinity is the float inf, beside Fractions too. Python makes floats of both before it subtracts
one from the other, and fails where no double holds the Fraction. Here infinity stays infinity.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import isfinite
from operator import sub
from typing import Any

from .types import Kind


def subtraction(kind: Kind) -> Callable[[Any, Any], Any]:
    """a - b as a function, for numbers of this kind and infinities."""
    return sub if kind is float else difference


def difference(a: Any, b: Any) -> Any:
    """a - b; exact if one is a Fraction, infinite if one is infinite.

    >>> difference(float("inf"), Fraction(10**400)), difference(Fraction(1, 3), float("inf"))
    (inf, -inf)
    """
    if isinstance(a, Fraction) and isinstance(b, float):
        return a - Fraction(b) if isfinite(b) else -b
    if isinstance(a, float) and isinstance(b, Fraction):
        return Fraction(a) - b if isfinite(a) else a
    return a - b
