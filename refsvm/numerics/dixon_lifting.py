"""Solving equations in fractions exactly, from an inverse that is known modulo a prime only.

Elimination with fractions carries numbers of thousands of digits through all its k^3 steps. But an
answer x can be found digit by digit, in base p, like a decimal expansion from the right:

    d = M^-1 r  modulo p        the lowest digit of x, if M x = r
    r := (r - M d) / p          what is left for the higher digits: whole numbers again

Each digit costs k^2 products of small numbers. When enough digits are known, only one fraction
with a small numerator and a small denominator has these digits, and Euclid's algorithm finds it.
(With floats in the place of numbers modulo p the same two lines are called iterative refinement,
and the digits come from the left.)

    M      the matrix, k by k: its row a is rows[a] / scales[a], in whole numbers
    p      a prime of the form 2^e - 1             modulus    p^t after t digits

Source: Dixon, Numerische Mathematik 40 (1982), pages 137-141.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import count, zip_longest
from math import isqrt

from .exact_sums import integer_dot, scaled_integers
from .types import VectorLike

EXPONENT = 107  # with fewer bits the digits of an answer cost more; with more the inverse does

LEADING = 96  # bits of a number that Euclid's algorithm looks at; few, for they are many steps


def mersenne_primes(least: int = EXPONENT) -> Iterator[int]:
    """The primes of the form 2^e - 1 with e >= least, in order, without end.

    >>> some = mersenne_primes(5)
    >>> [next(some) for _ in range(4)]
    [31, 127, 8191, 131071]
    """
    for e in count(max(least, 3)):
        if _is_mersenne_exponent(e):
            yield 2**e - 1


@cache
def _is_mersenne_exponent(e: int) -> bool:
    """Whether 2^e - 1 is prime, for e > 2, by the test of Lucas and Lehmer.

    It is prime if and only if e is prime and 2^e - 1 divides s, where s begins at 4 and is
    replaced by s^2 - 2 e - 2 times.
    """
    if not all(e % f for f in range(2, isqrt(e) + 1)):
        return False
    p, s = 2**e - 1, 4
    for _ in range(e - 2):
        s = (s * s - 2) % p
    return s == 0


def solve_by_lifting(
    rows: Sequence[Sequence[int]],
    scales: Sequence[int],
    inverse: Sequence[Sequence[int]],
    p: int,
    right: VectorLike,
    guess: int = 1,
) -> tuple[list[Fraction], int]:
    """The x with M x = right, exactly, as Fractions; and how many digits were needed (S6.5).

    `inverse` is that of M modulo p; `guess` is how many digits to expect, and a bad guess costs
    time only. O(k*k) products a digit, and about as many digits as the answer has in base p.
    """
    numbers, denominator = scaled_integers([s * r for s, r in zip(scales, right)])
    unscale = [pow(s, -1, p) for s in scales]
    widest = max(integer_dot(map(abs, row), [1] * len(row)) for row in rows)
    largest = max(map(abs, numbers))
    # With so many digits beyond half of all, the bounds of the test below can be met.
    spare = (widest + largest).bit_length() // p.bit_length() + 2
    matrix, packed_inverse = PackedMatrix(rows, p), PackedMatrix(inverse, p)
    digits: list[list[int]] = []
    rest, next_try = numbers, guess
    while True:
        reduced = [r * u % p for r, u in zip(rest, unscale)]
        digits.append([v % p for v in packed_inverse.times(reduced)])
        rest = [(r - v) // p for r, v in zip(rest, matrix.times(digits[-1]))]
        if len(digits) == next_try:
            numerators, common, modulus = reconstruct_fractions(digits, p, spare)
            # M x = right holds modulo this. Both sides are smaller, so it holds for whole numbers.
            if numerators and widest * max(map(abs, numerators)) + common * largest < modulus:
                return [Fraction(v, common * denominator) for v in numerators], next_try
            next_try += 1 + next_try // 8


class PackedMatrix:
    """A square matrix of whole numbers, to multiply by lists of numbers from 0 to p - 1.

    Each column is packed into one long number, element after element, with room for the sum of
    all products. So a column times a number is one multiplication, in less than half the time of
    one for each element. No packed element may be negative: all are raised by the largest size,
    and what that adds is subtracted from the sums.
    """

    def __init__(self, rows: Sequence[Sequence[int]], p: int) -> None:
        self.raised = max(max(map(abs, row)) for row in rows)
        self.room = (2 * self.raised * p * len(rows)).bit_length() // 8 + 1  # bytes an element
        self.columns = [
            int.from_bytes(
                b"".join((v + self.raised).to_bytes(self.room, "little") for v in column), "little"
            )
            for column in zip(*rows)
        ]

    def times(self, x: Sequence[int]) -> list[int]:
        """The matrix times x. O(k*k)."""
        size = self.room
        packed = integer_dot(self.columns, x).to_bytes(size * len(x), "little")
        extra = self.raised * integer_dot(x, [1] * len(x))
        return [
            int.from_bytes(packed[at : at + size], "little") - extra
            for at in range(0, size * len(x), size)
        ]


def reconstruct_fractions(
    digits: Sequence[Sequence[int]], p: int, spare: int
) -> tuple[list[int] | None, int, int]:
    """The small fractions with these digits: numerators, one denominator, and a modulus.

    digits[t] holds digit t of each fraction. All digits are needed to find a denominator, but a
    numerator has only half as many: the fractions have these digits modulo p to that power, with
    `spare` more. If there is no small denominator, the numerators are None.
    """
    modulus = p ** len(digits)
    few = min(len(digits) // 2 + spare, len(digits))
    common, limit, least = 1, isqrt(modulus // 2), p**few
    numerators: list[int] = []
    for column in zip(*digits):
        v = _smallest_residue(_join_digits(column[:few], p) * common, least)
        if abs(v) > limit:
            d = smallest_denominator(_join_digits(column, p) * common % modulus, modulus, limit)
            common *= d
            if common > limit:
                return None, common, least
            numerators, v = [d * n for n in numerators], _smallest_residue(d * v, least)
        numerators.append(v)
    return numerators, common, least


def _join_digits(digits: Sequence[int], base: int) -> int:
    """The whole number with these digits, the lowest first.

    >>> _join_digits([7, 1, 0, 2], 10)
    2017
    """
    while len(digits) > 1:
        pairs = zip_longest(digits[::2], digits[1::2], fillvalue=0)
        digits, base = [low + base * high for low, high in pairs], base * base
    return digits[0]


def _smallest_residue(v: int, modulus: int) -> int:
    """The number nearest to 0 that equals v modulo `modulus`."""
    v %= modulus
    return v - modulus if 2 * v > modulus else v


def smallest_denominator(v: int, modulus: int, limit: int) -> int:
    """The least d > 0 such that d v is at most `limit` modulo `modulus`, by Euclid's algorithm.

    >>> smallest_denominator(34, 101, 7)  # 34 is 1 / 3 modulo 101
    3
    """
    r, s = (modulus, v), (0, 1)  # s v = r modulo the modulus, for both of the pair
    while r[1] > limit:
        a, b, c, d = _euclid_steps(*r, limit)
        r, s = ((a * x + b * z, c * x + d * z) for x, z in (r, s))
    return abs(s[1])


def _euclid_steps(x: int, z: int, limit: int) -> tuple[int, int, int, int]:
    """a, b, c, d that take (x, z) to (a x + b z, c x + d z): one or more steps of Euclid's.

    As many steps as the LEADING bits of x and z decide; far above the limit all of them are
    needed.

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
