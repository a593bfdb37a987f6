"""Intervals of fractions: a number that no fraction is, held between two that are.

    low <= the true number <= high

and everything computed from intervals is an interval that holds whatever the numbers inside can
make. Nothing is rounded but where a function is told to how many bits; then outward.

Throughout this module
    low, high    the ends, Fractions             bits    a grid: the multiples of 2^-bits

Source: Moore, Interval Analysis (1966), chapter 2.
"""

from fractions import Fraction
from math import isqrt
from typing import NamedTuple


class Interval(NamedTuple):
    """All numbers from low to high. With another interval, or with a number: +, - and *.

    It is a pair, and is compared as one: a == b says that the ends are equal.

    >>> third = Interval(Fraction(1, 4), Fraction(1, 2))
    >>> third - 1, -2 * third
    (Interval(low=Fraction(-3, 4), high=Fraction(-1, 2)), Interval(low=Fraction(-1, 1), \
high=Fraction(-1, 2)))
    >>> (third * third).width, third.holds(Fraction(1, 3)), third.magnitude
    (Fraction(3, 16), True, Fraction(1, 2))
    """

    low: Fraction
    high: Fraction

    @property
    def width(self):
        """high - low: 0 where the number is known."""
        return self.high - self.low

    @property
    def magnitude(self):
        """The largest size of a number in it."""
        return max(-self.low, self.high)

    def holds(self, number):
        """Whether the number is in it."""
        return self.low <= number <= self.high

    def __neg__(self):
        return Interval(-self.high, -self.low)

    def __add__(self, other):
        low, high = ends(other)
        return Interval(self.low + low, self.high + high)

    def __sub__(self, other):
        low, high = ends(other)
        return Interval(self.low - high, self.high - low)

    def __rsub__(self, other):
        return -self + other

    def __mul__(self, other):
        if not isinstance(other, Interval):
            a, b = other * self.low, other * self.high
            return Interval(a, b) if other >= 0 else Interval(b, a)
        corners = [a * b for a in self for b in other]
        return Interval(min(corners), max(corners))

    __radd__, __rmul__ = __add__, __mul__


def ends(number):
    """The two ends of an interval; of a number, itself twice."""
    return number if isinstance(number, Interval) else (number, number)


def exactly(number):
    """The interval that holds this number only.

    >>> exactly(0.25)
    Interval(low=Fraction(1, 4), high=Fraction(1, 4))
    """
    return Interval(Fraction(number), Fraction(number))


def cell(floor, bits):
    """The cell of the grid that begins at floor / 2^bits.

    >>> cell(3, 3)
    Interval(low=Fraction(3, 8), high=Fraction(1, 2))
    """
    unit = 1 << bits
    return Interval(Fraction(floor, unit), Fraction(floor + 1, unit))


def square_root(x, bits):
    """The square root of a Fraction x >= 0: itself if it is on the grid, else its cell.

    >>> square_root(Fraction(9, 4), 1), square_root(Fraction(2), 1)
    (Interval(low=Fraction(3, 2), high=Fraction(3, 2)), Interval(low=Fraction(1, 1), \
high=Fraction(3, 2)))
    """
    found = cell(isqrt((x.numerator << 2 * bits) // x.denominator), bits)
    return exactly(found.low) if found.low * found.low == x else found
