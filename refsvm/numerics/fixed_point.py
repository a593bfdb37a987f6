"""Factorising a symmetric matrix in fixed point: whole numbers that count units of 2^-p.

A matrix A of numbers known to p bits is factored into L D L' with rounding, as with floats, but to
as many bits as asked. The effect of the rounding is bounded, so that the factors can prove that A
is positive definite, and by how much.

    c_k = A_ik - floor(sum over m < k of L_km c_m / 2^p)        k < i
    L_ik = floor(2^p c_k / D_k)
    D_i = A_ii - floor(sum over k < i of L_ik c_k / 2^p)

Each floor takes off less than 1, and so c_k - L_ik D_k / 2^p lies from 0 to D_k / 2^p. Put
together, A and L D L' / 4^p differ by at most e = 1 + n l d in every element, where l is the
largest |L_ik| / 2^p (1 is the diagonal's) and d the largest D_k / 2^p. If every D_k is positive,
L D L' is positive definite, and a symmetric matrix with elements of size e at most cannot lower
v'Av by more than n e |v|^2. So

    A - c I was factored with positive D        proves that        v'Av >= (c - n e) |v|^2.

Source: Golub and Van Loan, Matrix Computations, section 4.1; proving definiteness by a shifted
factorisation: Rump, BIT 46 (2006), pages 433-452.

    A    whole numbers, units of 2^-p       kept    the rows factored; others depend on them
    n    how many rows                      c       how far the diagonal is lowered
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from .exact_sums import integer_dot


class FixedPointLDL:
    """The factors L D L' of A, row by row. O(n^3).

    Rows whose D_i would be at most `least` are left out. `kept` lists the indices of the others.
    """

    def __init__(self, A: Sequence[Sequence[int]], p: int, least: int = 0) -> None:
        self.p = p
        self.kept: list[int] = []
        self.L: list[list[int]] = []
        self.D: list[int] = []
        for i, row in enumerate(A):
            c: list[int] = []
            for k, L_k in zip(self.kept, self.L):
                c.append(row[k] - (integer_dot(L_k, c) >> p))
            L_i = [(v << p) // d for v, d in zip(c, self.D)]
            D_i = row[i] - (integer_dot(L_i, c) >> p)
            if D_i > least:
                self.kept.append(i)
                self.L.append(L_i)
                self.D.append(D_i)

    def error_bound(self) -> int:
        """n e: by how much v'Av / |v|^2 may be below v'L D L'v / |v|^2, in units, rounded up."""
        n, one = len(self.D), 1 << self.p
        largest = max((abs(v) for row in self.L for v in row), default=one)
        return n + n * n * (max(largest, one) * max(self.D, default=0) // (one * one) + 1)

    def solve(self, right: Sequence[int]) -> list[int]:
        """x with L D L' x = right, nearly; both hold one number for each row kept. O(n^2)."""
        x: list[int] = []
        for L_i, v in zip(self.L, right):
            x.append(v - (integer_dot(L_i, x) >> self.p))
        x = [(v << self.p) // d for v, d in zip(x, self.D)]
        for i in range(len(x) - 1, -1, -1):
            v = x[i]
            for k, l in enumerate(self.L[i]):
                x[k] -= l * v >> self.p
        return x


def eigenvalue_lower_bound(A: Sequence[Sequence[int]], p: int) -> Fraction:
    """A Fraction c > 0 with v'Av >= c |v|^2 for all v, proved; 0 if no such c was found. O(n^3).

    It is a lower bound on the smallest eigenvalue. Tried are 2^-8, 2^-16, 2^-32 ... as long as p
    bits can tell them from rounding. Standard: S17.3.

    >>> eigenvalue_lower_bound([[5 << 40, 4 << 40], [4 << 40, 5 << 40]], 40)  # they are 1 and 9
    Fraction(2147483637, 549755813888)
    """
    step = 8
    while step < p:
        c = 1 << p - step
        factors = FixedPointLDL([[*row[:i], row[i] - c] for i, row in enumerate(A)], p)
        if len(factors.kept) == len(A):
            return max(Fraction(c - factors.error_bound(), 1 << p), Fraction(0))
        step *= 2
    return Fraction(0)
