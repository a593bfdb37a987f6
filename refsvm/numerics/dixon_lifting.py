"""Solving equations in fractions exactly, from an inverse that is known modulo a prime only.

Elimination with fractions drags numbers of thousands of digits through every one of its k^3 steps.
But an answer x can be found digit by digit, in base p, like a decimal expansion from the right:

    d = M^-1 r  modulo p        the lowest digit of x, if M x = r
    r := (r - M d) / p          what is left for the higher digits: whole numbers again

Each digit costs k^2 products of small numbers. When enough of them are known, x is the only
fraction with so small a numerator and denominator that leaves them, and the ratio is found as
Euclid finds a greatest common divisor. (With floats in the place of numbers modulo p the same
two lines are called iterative refinement, and the digits come from the left.)

    M      the matrix, k by k: row a of it is rows[a] / scales[a], in whole numbers
    p      a prime of the form 2^e - 1             modulus    p^t after t digits
    x      the digits known so far, as one whole number an unknown

Source: Dixon, Numerische Mathematik 40 (1982), pages 137-141.
"""

from fractions import Fraction
from functools import cache
from itertools import count, zip_longest
from math import isqrt
from operator import mul

from .exact_sums import whole_numbers

EXPONENT = 107  # with fewer bits the digits of an answer cost more; with more the inverse does

LEADING = 96  # bits of a number that Euclid's algorithm looks at; few, for they are many steps


def primes(least=EXPONENT):
    """The primes of the form 2^e - 1 with e >= least, in order, for ever.

    >>> some = primes(5)
    >>> [next(some) for _ in range(4)]
    [31, 127, 8191, 131071]
    """
    for e in count(max(least, 3)):
        if gives_prime(e):
            yield 2**e - 1


@cache
def gives_prime(e):
    """Whether 2^e - 1 is prime, for e > 2.

    It is if and only if it divides the number s that e - 2 times s := s^2 - 2 makes of 4, and e
    is prime (Lucas and Lehmer).
    """
    if not all(e % f for f in range(2, isqrt(e) + 1)):
        return False
    p, s = 2**e - 1, 4
    for _ in range(e - 2):
        s = (s * s - 2) % p
    return s == 0


def lifted(rows, scales, inverse, p, right, guess=1):
    """The x with M x = right, exactly, as Fractions; and how many digits it took to know it.

    `inverse` is that of M modulo p; `guess` is how many digits to expect, and a bad guess costs
    time only. O(k*k) products a digit, and about as many digits as the answer has in base p.
    """
    whole, below = whole_numbers([s * r for s, r in zip(scales, right)])
    unscale = [pow(s, -1, p) for s in scales]
    widest = max(inner(map(abs, row), [1] * len(row)) for row in rows)
    largest = max(map(abs, whole))
    spare = (widest + largest).bit_length() // p.bit_length() + 2
    matrix, inverse = Packed(rows, p), Packed(inverse, p)
    rest, digits, due = whole, [], guess
    while True:
        reduced = [r * u % p for r, u in zip(rest, unscale)]
        digits.append([v % p for v in inverse.times(reduced)])
        rest = [(r - v) // p for r, v in zip(rest, matrix.times(digits[-1]))]
        if len(digits) == due:
            above, common, modulus = ratios(digits, p, spare)
            # M x = right holds modulo this. With both sides as small as this it simply holds.
            if above and widest * max(map(abs, above)) + common * largest < modulus:
                return [Fraction(v, common * below) for v in above], due
            due += 1 + due // 8


class Packed:
    """A square matrix of whole numbers, to multiply by lists of numbers from 0 to p - 1.

    Each column is one long number, element after element, each with room for the sum of as many
    products as there are. So a product with a number is one multiplication for the whole column:
    less than half the time of one for each element. To keep what is packed from being negative
    all elements are raised by the largest, and what that adds is taken off the sums.
    """

    def __init__(self, rows, p):
        self.raised = max(max(map(abs, row)) for row in rows)
        self.room = (2 * self.raised * p * len(rows)).bit_length() // 8 + 1  # bytes an element
        self.columns = [
            int.from_bytes(
                b"".join((v + self.raised).to_bytes(self.room, "little") for v in column), "little"
            )
            for column in zip(*rows)
        ]

    def times(self, x):
        """The matrix times x. O(k*k)."""
        size = self.room
        packed = inner(self.columns, x).to_bytes(size * len(x), "little")
        extra = self.raised * inner(x, [1] * len(x))
        return [
            int.from_bytes(packed[at : at + size], "little") - extra
            for at in range(0, size * len(x), size)
        ]


def inner(x, z):
    """The inner product of whole numbers, whose order does not matter."""
    return sum(map(mul, x, z))  # exact


def ratios(digits, p, spare):
    """Numerators and one denominator of the small fractions with these digits, and a modulus.

    digits[t] are the t-th of all. To find a denominator takes all of them, but each numerator has
    only half as many: the modulus is p to that power, and `spare` more. If there is no small
    denominator the numerators are None.
    """
    modulus = p ** len(digits)
    few = min(len(digits) // 2 + spare, len(digits))
    common, limit, least = 1, isqrt(modulus // 2), p**few
    above = []
    for column in zip(*digits):
        v = centred(joined(column[:few], p) * common, least)
        if abs(v) > limit:
            d = denominator(joined(column, p) * common % modulus, modulus, limit)
            common *= d
            if common > limit:
                return None, common, least
            above, v = [d * n for n in above], centred(d * v, least)
        above.append(v)
    return above, common, least


def joined(digits, base):
    """The whole number with these digits, the lowest first.

    >>> joined([7, 1, 0, 2], 10)
    2017
    """
    while len(digits) > 1:
        pairs = zip_longest(digits[::2], digits[1::2], fillvalue=0)
        digits, base = [low + base * high for low, high in pairs], base * base
    return digits[0]


def centred(v, modulus):
    """The number nearest to zero that is v modulo this number."""
    v %= modulus
    return v - modulus if 2 * v > modulus else v


def denominator(v, modulus, limit):
    """The least d > 0 such that d v is at most `limit` modulo this number, by Euclid's algorithm.

    >>> denominator(34, 101, 7)  # 34 is 1 / 3 modulo 101
    3
    """
    r, s = (modulus, v), (0, 1)  # s v = r modulo this number, for both of the pair
    while r[1] > limit:
        a, b, c, d = steps(*r, limit)
        r, s = ((a * x + b * z, c * x + d * z) for x, z in (r, s))
    return abs(s[1])


def steps(x, z, limit):
    """a, b, c, d that take (x, z) to (a x + b z, c x + d z), a step of Euclid's or many.

    As many as the LEADING bits decide, whatever follows; far above the limit all of them are due.

    Source: Knuth, The Art of Computer Programming 2, section 4.5.2, algorithm L (Lehmer).
    """
    a, b, c, d = 1, 0, 0, 1
    shift = x.bit_length() - LEADING
    if z.bit_length() > limit.bit_length() + LEADING:
        high, low = x >> shift, z >> shift
        while low + c and low + d:
            q = (high + a) // (low + c)
            if q != (high + b) // (low + d):
                break
            a, b, c, d = c, d, a - q * c, b - q * d
            high, low = low, high - q * low
    return (a, b, c, d) if b else (0, 1, 1, -(x // z))
