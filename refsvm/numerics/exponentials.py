"""e^-t and tanh u for fractions, to any number of bits, with certainty: whole numbers only.

Both are given rounded down: floor(2^bits e^-t). That is a definition which leaves no freedom, so
that two programs can be compared, and the answers to more bits lie within those to fewer. How
e^-t is found (Brent, Journal of the ACM 23 (1976), pages 242-251):

    u = t / 2^k < 2^-r              an argument so small that Taylor's series is short
    1 - u + u^2/2 - u^3/6 + ...     the terms fall, their signs alternate: the error is below the
                                    first that is left out
    (e^-u)^2, k times               each squaring doubles u

All on whole numbers that stand for that many units of 2^-w. The error of the sum m, in units:

    u is rounded down               1, as e^-u falls no faster than u rises
    each term is rounded down       the error of term n is at most that of the one before times
                                    u / n, and 1 more for its own rounding: less than 2
    the series ends                 at a term of 0 units, whose true value is less than 2
    so with N terms the error is at most 2 N + 3
    m' = floor(m m / 2^w)           with |m - a| <= e and a <= 2^w: at most e (2 a + e) / 2^w + 1,
                                    which is at most 2 e + 2 as long as e e <= 2^w
    so after k squarings            less than 2^k (2 N + 5)

and w = p + k + 8 + (bits of r) makes that less than 2^(w - p): with r = isqrt(p) there are at
most r + 10 terms for p >= 32, and 2 (r + 10) + 5 < 2^8 r. The answer m / 2^(w - p), rounded down,
is off by less than 2 units of 2^-p.

The floor to `bits` is known when both ends of that error have it; if they do not, p is made larger
(Ziv, ACM Transactions on Mathematical Software 17 (1991), pages 410-423). That ends, because e^-t
and tanh u are on no grid: they are irrational for every fraction but 0 (Lambert, 1768).

    t, u    positive Fractions              p     bits of an approximation
    m       units of 2^-w                   r, k  see above
"""

from math import isqrt

GUARD = 32  # bits beyond those asked for; one argument in 2^29 needs more


def decay(t, bits):
    """floor(2^bits e^-t) for a Fraction t > 0, an int. 20 microseconds for 128 bits.

    >>> from fractions import Fraction
    >>> decay(Fraction(1), 20), decay(Fraction(10**9), 20)
    (385749, 0)
    """
    return settled(lambda p: (near_decay(t, p), 2), bits)


def rise(u, bits):
    """floor(2^bits tanh u) for a Fraction u > 0, an int: tanh u = (1 - e^-2u) / (1 + e^-2u).

    Where e^-2u is off by 2 units this is by 4, and one more for the division.

    >>> from fractions import Fraction
    >>> rise(Fraction(1, 2), 20), rise(Fraction(10**9), 20)
    (484564, 1048575)
    """

    def near(p):
        v, one = near_decay(2 * u, p), 1 << p
        return ((one - v) << p) // (one + v), 5

    return settled(near, bits)


def settled(near, bits):
    """The floor to so many bits of a number v, 0 < v < 1, near which near(p) comes.

    near(p) returns (a whole number, its distance from 2^p v at most).
    """
    guard = GUARD
    while True:
        middle, error = near(bits + guard)
        low = max(middle - error, 0) >> guard
        high = min(middle + error, (1 << bits + guard) - 1) >> guard
        if low == high:
            return low
        guard *= 2


def near_decay(t, p):
    """A whole number less than 2 from 2^p e^-t, for p >= 32; the proof is at the module's head."""
    if t.numerator >= p * t.denominator:
        return 0  # as e > 2
    r = isqrt(p)
    k = max(0, r + 1 + t.numerator.bit_length() - t.denominator.bit_length())
    w = p + k + r.bit_length() + 8
    u = (t.numerator << w - k) // t.denominator
    m = term = 1 << w
    n = 0
    while term:
        n += 1
        term = (term * u >> w) // n
        m += -term if n % 2 else term
    for _ in range(k):
        m = m * m >> w
    return m >> w - p
