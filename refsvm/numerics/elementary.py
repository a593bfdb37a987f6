"""exp, tanh and the integer power, with the same bits on every machine.

`math.exp` comes from the C library of the machine: two machines may differ in the last bit, and a
solver carries that bit into every later step. So the functions are written out here in +, -, * and
/, which IEEE 754 rounds in one way only, in an order that never changes. That they are right is
proved in rational numbers: exp is off by at most 0.81 units in the last place, 0.91 where the
result is subnormal (tests/exp_bound.py).

How exp works. Write x = k ln 2 + r with an integer k, so that |r| is at most half of ln 2 and
e^x = 2^k e^r. The product by 2^k is exact, and e^r comes from an even function that is nearly
constant and so needs a short polynomial only:

    r coth(r/2) = 2 + z P(z)  with z = r r;    let c = r - z P(z);    e^r = 1 + r + r c / (2 - c)

Letters, in the order of the steps:

    k       x / ln 2 rounded to an integer, ties to even
    a, b    k ln 2 is taken from x in two parts, r = a - b: a = x - k LN2_HIGH is exact,
            b = k LN2_LOW is below 2^-34 in size
    z       r r
    P       a polynomial of degree 4: P1 + z (P2 + z (P3 + z (P4 + z P5)))
    c       the correction, of about the size of r
    s       1 + a, rounded; what the rounding lost, (1 - s) + a, is exact and is added back

Sources: two-part ln 2: Cody and Waite, Software Manual for the Elementary Functions (1980). The
fraction r c / (2 - c): exp of FDLIBM (Sun Microsystems, 1993). The exact rest of a sum: Dekker,
Numerische Mathematik 18 (1971). The coefficients are refsvm's own: tests/exp_bound.py derives
them.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import accumulate, repeat
from math import inf
from operator import mul

from .types import Number
from .validation import whole_number

_number = float.fromhex

# Adding this to a number below 2^51 in size leaves no bits for a fraction: the addition itself
# rounds to an integer, without a branch, and the subtraction that follows is exact.
ROUNDER = _number("0x1.8p+52")

INV_LN2 = _number("0x1.71547652b82fep+0")
LN2_HIGH = _number("0x1.62e42fefa3800p-1")  # 42 bits: times a k of 11 bits it still fits into 53
LN2_LOW = _number("0x1.ef35793c76730p-45")

P1 = _number("0x1.5555555555530p-3")
P2 = _number("-0x1.6c16c16bdd563p-9")
P3 = _number("0x1.1566aac9be885p-14")
P4 = _number("-0x1.bbd3bf9244eaep-20")
P5 = _number("0x1.6351493e5c54fp-25")

# 2^k for each k for which it is a double (below -1022 a subnormal one): p * 2^k rounds at most
# once. In a dictionary, a float that is no such k (NaN and the infinities too) is not found; and
# it is quicker than int(k) and a list.
_DOUBLED = accumulate(repeat(2.0), mul, initial=_number("0x1p-1074"))
POWERS = dict(zip(map(float, range(-1074, 1024)), _DOUBLED))

# At either end there are k that the dictionary lacks. There the power is applied as two factors,
# the first of them exact: it stands here, the other is 2^-1000 or 2^1000.
EDGE_POWERS = {k: POWERS[k + 1000.0] for k in (-1076.0, -1075.0, -1074.0, -1073.0)}
EDGE_POWERS.update({k: POWERS[k - 1000.0] for k in (1023.0, 1024.0)})

TANH_SMALL = _number("0x1.62e42fefa39efp-2")  # ln 2 / 2: as far as the polynomial serves


def exp(x: float) -> float:
    """Compute e^x, less than one unit in the last place off; the same bits everywhere (S1.3).

    Parameters
    ----------
    x : float

    Returns
    -------
    float
        NaN for NaN, infinity if the value is too large, 0.0 if it is too small. At most 1 for
        x <= 0, and 1 for both zeros.

    Notes
    -----
    Never raises. O(1). Source: the module's docstring, spec/standard/arithmetic.md; the bound:
    tests/exp_bound.py.

    Examples
    --------
    >>> exp(0.0), exp(1.0), exp(-1000.0), exp(1000.0)
    (1.0, 2.718281828459045, 0.0, inf)
    """
    if -744 <= x <= 709:  # so k is from -1073 to 1023
        return _scaled_exps((x,), POWERS)[0]
    if x < -746:
        return 0.0
    if x > 710:
        return _number("inf")
    if x != x:
        return x
    return _scaled_exps((x,), EDGE_POWERS)[0] * POWERS[-1000.0 if x < 0 else 1000.0]


def exps(xs: list[float]) -> list[float]:
    """Compute [exp(x) for x in xs], the same bits in half the time (S1.3). O(n).

    Examples
    --------
    >>> exps([-1.0, 0.0, float("-inf")])
    [0.36787944117144233, 1.0, 0.0]
    """
    try:
        return _scaled_exps(xs, POWERS)
    except KeyError:
        return [exp(x) for x in xs]


def _scaled_exps(xs: Iterable[float], powers: dict[float, float]) -> list[float]:
    """[e^r * powers[k] for x in xs]; KeyError at the first k that is not in `powers`.

    Constants have local names, and are floats (1.0, 2.0), for speed only. A comprehension is no
    quicker than this loop. The plain polynomial of degree 12 takes 375 ns a value, this 310
    (CPython 3.11), and is less accurate; tables are quicker, but do not suit SIMD lanes.
    """
    inv, rounder, high, low = INV_LN2, ROUNDER, LN2_HIGH, LN2_LOW
    p1, p2, p3, p4, p5 = P1, P2, P3, P4, P5
    found: list[float] = []
    append = found.append
    for x in xs:
        k = x * inv + rounder - rounder
        scale = powers[k]
        a = x - k * high
        b = k * low
        r = a - b
        z = r * r
        c = r - z * (p1 + z * (p2 + z * (p3 + z * (p4 + z * p5))))
        s = 1.0 + a
        append((s + ((1.0 - s) + a - (b - r * c / (2.0 - c)))) * scale)
    return found


def tanh(x: float) -> float:
    """Compute the hyperbolic tangent, less than 4 units in the last place off (S1.4).

    Parameters
    ----------
    x : float

    Returns
    -------
    float
        in [-1, 1]; odd, and -0.0 stays -0.0; NaN for NaN

    Notes
    -----
    Never raises. O(1). With r = 2 x it is r / (2 + z P(z)) while the polynomial serves (nothing
    cancels), beyond that (e - 1) / (e + 1) with e = e^r. Bound: tests/exp_bound.py.

    Examples
    --------
    >>> tanh(0.5), tanh(-0.0), tanh(-1000.0)
    (0.46211715726000974, -0.0, -1.0)
    """
    if x < 0:
        return -tanh(-x)
    if x > 22:  # 1 - tanh(22) < 2^-62
        return 1.0
    r = x + x
    if r > TANH_SMALL:
        e = exp(r)
        return (e - 1.0) / (e + 1.0)
    z = r * r
    return r / (2.0 + z * (P1 + z * (P2 + z * (P3 + z * (P4 + z * P5)))))


def power(b: Number, n: int) -> Number:
    """Compute b^n by repeated squaring, from the lowest bit of n; 0^0 = 1 (S1.4).

    Parameters
    ----------
    b : float or Fraction
    n : int
        0 or more

    Returns
    -------
    a number of b's type

    Notes
    -----
    O(log n) products. Source: Knuth, The Art of Computer Programming 2, section 4.6.3.

    Examples
    --------
    >>> from fractions import Fraction
    >>> power(1.5, 3), power(Fraction(-2, 3), 5), power(0.0, 0)
    (3.375, Fraction(-32, 243), 1.0)
    """
    if type(n) is not int or n < 0:
        n = whole_number(n, "n", 0, most=inf)
    r: Number = b**0
    while n:
        if n % 2:
            r = r * b  # never in place: b may be a number that can change
        n //= 2
        if n:
            b = b * b
    return r
