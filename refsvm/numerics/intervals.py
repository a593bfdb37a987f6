"""Intervals of fractions: numbers that are no fractions, held between two that are.

    low <= the true number <= high

Arithmetic with intervals gives an interval that holds every number that the operands can make.
Nothing is rounded, except by the functions that are given a number of bits; they round outward, to
the multiples of 2^-bits (the grid).

Three functions that lead out of the fractions are enclosed here: the square root, e^-t and tanh u.
floor_exp and floor_tanh return the value rounded down to the grid, as a whole number of units.
That definition leaves no freedom, so two programs can be compared, and an answer with more bits
lies in the cell of the one with fewer.

    low, high    the ends, Fractions             bits    the grid: multiples of 2^-bits
    t, u         positive Fractions              p       bits of an approximation

The kernel matrix of a Gaussian is made of e^-t, and a proof takes 128 bits or more of each. What
floor_exp does for one t floor_exps shortens by tables, which many t share:

    t = a + b / 2^8 + c / 2^16 + d / 2^24 + u         a whole; b, c, d of 8 bits; 0 <= u < 2^-24
    e^-t = e^-a  e^(-b / 2^8)  e^(-c / 2^16)  e^(-d / 2^24)  (1 - u + u^2 / 2 - u^3 / 6 + ..)

All is done on whole numbers that count units of 2^-w. The error of the product, in units:

    t is rounded down                 1, as e^-t falls no faster than t rises
    each of four numbers of tables    less than 2, see approximate_exp
    the series                        at most 2 N + 3 with N terms, see there
    each product, rounded down        the errors of both factors, which are at most 1, and 1 more

With N <= 100 that is below 2^8, and w = p + 8: so it is off by less than 2 units of 2^-p, once it
is rounded down to these. For p up to 2400 the terms end before N = 100, as u < 2^-24.

Sources: Moore, Interval Analysis (1966), chapter 2; Brent, Journal of the ACM 23 (1976), pages
242-251 (e^-t); Ziv, ACM Transactions on Mathematical Software 17 (1991), pages 410-423 (rounding);
Tang, ACM Transactions on Mathematical Software 15 (1989), pages 144-157 (tables).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import cache
from math import isqrt
from typing import NamedTuple, Union

from .display import displayed

ExactNumber = Union[int, Fraction]
GUARD_BITS = 32  # bits beyond those asked for; one argument in 2^29 needs more
DIGIT, CHUNKS = 8, 3  # bits of a number that is looked up, and how many behind the point
MAX_TABLE_BITS = 2000


@displayed
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
    def width(self) -> Fraction:
        """high - low: 0 where the number is known."""
        return self.high - self.low

    @property
    def magnitude(self) -> Fraction:
        """The largest size of a number in it."""
        return max(-self.low, self.high)

    def holds(self, number: ExactNumber) -> bool:
        """Whether the number is in it."""
        return self.low <= number <= self.high

    def __neg__(self) -> Interval:
        return Interval(-self.high, -self.low)

    def __add__(self, other: Interval | ExactNumber) -> Interval:  # type: ignore[override]
        low, high = ends(other)
        return Interval(self.low + low, self.high + high)

    def __sub__(self, other: Interval | ExactNumber) -> Interval:
        low, high = ends(other)
        return Interval(self.low - high, self.high - low)

    def __rsub__(self, other: Interval | ExactNumber) -> Interval:
        return -self + other

    def __mul__(self, other: Interval | ExactNumber) -> Interval:  # type: ignore[override]
        if not isinstance(other, Interval):
            a, b = other * self.low, other * self.high
            return Interval(a, b) if other >= 0 else Interval(b, a)
        corners = [a * b for a in self for b in other]
        return Interval(min(corners), max(corners))

    def __radd__(self, other: ExactNumber) -> Interval:
        return self + other

    def __rmul__(self, other: ExactNumber) -> Interval:  # type: ignore[override]
        return self * other


def ends(number: Interval | ExactNumber) -> tuple[ExactNumber, ExactNumber]:
    """The two ends of an interval; of a number, itself twice."""
    return number if isinstance(number, Interval) else (number, number)


def point_interval(number: ExactNumber | float) -> Interval:
    """The interval that holds this number only.

    >>> point_interval(0.25)
    Interval(low=Fraction(1, 4), high=Fraction(1, 4))
    """
    return Interval(Fraction(number), Fraction(number))


def grid_cell(floor: int, bits: int) -> Interval:
    """The interval from floor / 2^bits to the next multiple of 2^-bits.

    >>> grid_cell(3, 3)
    Interval(low=Fraction(3, 8), high=Fraction(1, 2))
    """
    unit = 1 << bits
    return Interval(Fraction(floor, unit), Fraction(floor + 1, unit))


def square_root(x: Fraction, bits: int) -> Interval:
    """The square root of a Fraction x >= 0: a point if it is on the grid, else its grid cell.

    >>> square_root(Fraction(9, 4), 1), square_root(Fraction(2), 1)
    (Interval(low=Fraction(3, 2), high=Fraction(3, 2)), Interval(low=Fraction(1, 1), \
high=Fraction(3, 2)))
    """
    cell = grid_cell(isqrt((x.numerator << 2 * bits) // x.denominator), bits)
    return point_interval(cell.low) if cell.low * cell.low == x else cell


def root_above(x: Fraction) -> Fraction:
    """A Fraction that is the root of x >= 0, or above it by one part in 2^60 at most.

    >>> root_above(Fraction(9, 4))
    Fraction(3, 2)
    """
    # x is at least 2^-k, for the k that is halved here: 60 bits of its root are left.
    bits = 62 + max(0, x.denominator.bit_length() - x.numerator.bit_length() + 1) // 2
    return square_root(x, bits).high


def floor_exp(t: Fraction, bits: int) -> int:
    """floor(2^bits e^-t) for a Fraction t > 0 (S17.1). 20 microseconds for 128 bits.

    >>> floor_exp(Fraction(1), 20), floor_exp(Fraction(10**9), 20)
    (385749, 0)
    """
    return certified_floor(lambda p: (approximate_exp(t, p), 2), bits)


def floor_tanh(u: Fraction, bits: int) -> int:
    """floor(2^bits tanh u) for a Fraction u > 0, from tanh u = (1 - e^-2u) / (1 + e^-2u) (S17.1).

    If e^-2u is off by 2 units, this is off by 4, and by one more for the division.

    >>> floor_tanh(Fraction(1, 2), 20), floor_tanh(Fraction(10**9), 20)
    (484564, 1048575)
    """

    def approximate(p: int) -> tuple[int, int]:
        v, one = approximate_exp(2 * u, p), 1 << p
        return ((one - v) << p) // (one + v), 5

    return certified_floor(approximate, bits)


def certified_floor(approximate: Callable[[int], tuple[int, int]], bits: int) -> int:
    """floor(2^bits v) for a number v, 0 < v < 1, that can be approximated as closely as wanted.

    approximate(p) returns a whole number near 2^p v, and how far from it this may be. The floor is
    known when both ends of that error have it. If they have not, p is made larger. That ends for
    e^-t and tanh u: they are irrational for every fraction but 0 (Lambert, 1768), so on no grid.
    """
    guard = GUARD_BITS
    while True:
        middle, error = approximate(bits + guard)
        low = max(middle - error, 0) >> guard
        high = min(middle + error, (1 << bits + guard) - 1) >> guard
        if low == high:
            return low
        guard *= 2


def approximate_exp(t: Fraction, p: int) -> int:
    """A whole number less than 2 from 2^p e^-t, for p >= 32 (S17.1).

        u = t / 2^k < 2^-r              an argument so small that Taylor's series is short
        1 - u + u^2/2 - u^3/6 + ...     the terms fall, their signs alternate: the error is below
                                        the first that is left out
        (e^-u)^2, k times               each squaring doubles u

    All is done on whole numbers that count units of 2^-w. The error of the sum m, in units:

        u is rounded down               1, as e^-u falls no faster than u rises
        each term is rounded down       the error of term n is at most that of the one before
                                        times u / n, and 1 more for its own rounding: less than 2
        the series ends                 at a term of 0 units, whose true value is less than 2
        so with N terms the error is at most 2 N + 3
        m' = floor(m m / 2^w)           with |m - a| <= e and a <= 2^w: at most
                                        e (2 a + e) / 2^w + 1, which is at most 2 e + 2 as long
                                        as e e <= 2^w
        so after k squarings            less than 2^k (2 N + 5)

    and w = p + k + 8 + (bits of r) makes that less than 2^(w - p): with r = isqrt(p) there are at
    most r + 10 terms for p >= 32, and 2 (r + 10) + 5 < 2^8 r. The answer m / 2^(w - p), rounded
    down, is off by less than 2 units of 2^-p.
    """
    if t.numerator >= p * t.denominator:
        return 0  # as e > 2
    r = isqrt(p)
    k = max(0, r + 1 + t.numerator.bit_length() - t.denominator.bit_length())
    w = p + k + r.bit_length() + 8
    m = _exp_by_series((t.numerator << w - k) // t.denominator, w)
    for _ in range(k):
        m = m * m >> w
    return m >> w - p


def _exp_by_series(u: int, w: int) -> int:
    """Return 2^w e^(-u / 2^w) by Taylor's series, in units as approximate_exp counts them."""
    m = term = 1 << w
    n = 0
    while term:
        n += 1
        term = (term * u >> w) // n
        m += -term if n % 2 else term
    return m


class _Powers(dict[int, int]):
    """{j: e^(-j / 2^shift) in units of 2^-w}, each computed when it is asked for."""

    def __init__(self, shift: int, w: int) -> None:
        self.shift, self.w = shift, w
        self[0] = 1 << w

    def __missing__(self, j: int) -> int:
        self[j] = approximate_exp(Fraction(j, 1 << self.shift), self.w)
        return self[j]


@cache
def _tables(w: int) -> list[_Powers]:
    """The tables of whole numbers and of each digit, for units of 2^-w."""
    return [_Powers(DIGIT * k, w) for k in range(CHUNKS + 1)]


def floor_exps(unit: Fraction, sums: Iterable[int], bits: int) -> list[int]:
    """[floor(2^bits e^(-unit s)) for s in sums], whole numbers s >= 0; unit > 0.

    >>> floor_exps(Fraction(1, 2), [0, 2, 10**9], 20)
    [1048576, 385749, 0]
    """
    if bits > MAX_TABLE_BITS:
        return [floor_exp(unit * s, bits) if s else 1 << bits for s in sums]
    p = bits + GUARD_BITS
    w = p + 8
    numerator, denominator = unit.numerator << w, unit.denominator
    wholes, *tables = _tables(w)
    first, second, third = tables
    at_first, at_second, at_third = (w - DIGIT * k for k in range(1, CHUNKS + 1))
    digit, rest, far = (1 << DIGIT) - 1, (1 << at_third) - 1, p << w
    found = []
    for s in sums:
        t = numerator * s // denominator
        if s == 0 or t >= far:  # as e > 2
            found.append(0 if s else 1 << bits)
            continue
        m = _exp_by_series(t & rest, w)
        m = m * third[t >> at_third & digit] >> w
        m = m * second[t >> at_second & digit] >> w
        m = m * first[t >> at_first & digit] >> w
        m = m * wholes[t >> w] >> w + 8
        # As in certified_floor: known when both ends of the error have it.
        low = max(m - 2, 0) >> GUARD_BITS
        high = min(m + 2, (1 << p) - 1) >> GUARD_BITS
        found.append(low if low == high else floor_exp(unit * s, bits))
    return found
