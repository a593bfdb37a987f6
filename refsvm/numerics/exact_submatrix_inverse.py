"""The inverse of a principal submatrix of Fractions: updated modulo a prime, solved exactly.

The inverse of a matrix of doubles, as fractions, holds numbers of thousands of digits. So the
inverse that is updated is the one modulo a prime p, whose numbers stay small, and each solution
is computed from it by lifting (dixon_lifting.py). If M is regular modulo p, it is regular. The
converse fails for a few unlucky primes; then the next prime is taken.

    M, H, u, eta    as in submatrix_inverse.py, with H modulo p
    prepared row    a row of S as ScaledIntegers: whole numbers over one denominator
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import lcm
from typing import Any, Callable

from .dixon_lifting import mersenne_primes, solve_by_lifting
from .exact_sums import ScaledIntegers, integer_dot, scaled_integers
from .submatrix_inverse import SubmatrixInverse


class ExactInverse(SubmatrixInverse):
    """The inverse of a submatrix of Fractions. row(a) may return ScaledIntegers, too."""

    one = 1

    def __init__(self, row: Callable[[int], Any], width: int) -> None:
        super().__init__(row, width)
        self.primes = mersenne_primes()
        self.p = next(self.primes)
        self.prepared: dict[int, ScaledIntegers] = {}
        self.digits = 1  # how many digits the last solution took

    def prepare(self, a: int) -> ScaledIntegers:
        if a not in self.prepared:
            self.prepared[a] = self.integer_row(a)
        return self.prepared[a]

    def integer_row(self, a: int) -> ScaledIntegers:
        """Row a as ScaledIntegers, not kept for later."""
        row = self.row(a)
        return row if isinstance(row, ScaledIntegers) else scaled_integers(row)

    def update_terms(self, j: int) -> tuple[list[Any], Any]:
        while self.prepare(j).denominator % self.p == 0:
            self.p = next(self.primes)
            self.recompute()
        return super().update_terms(j)

    def entries(self, row: Any, indices: Sequence[int]) -> list[int]:
        numbers, denominator = row
        e = self.reciprocal(denominator)
        return [numbers[b] * e % self.p for b in indices]

    def reduce(self, values: list[Any]) -> list[Any]:
        return [v % self.p for v in values]

    def reciprocal(self, value: Any) -> Any:
        return pow(value, -1, self.p)

    def inner(self, x: Any, z: Any) -> Any:
        return integer_dot(x, z) % self.p

    def times_H(self, r: Any) -> list[Any]:
        return [integer_dot(row, r) % self.p for row in self.H]

    def recompute(self) -> None:
        """Compute H from M; modulo the next prime if M or a denominator is singular modulo p."""
        self.H, self.updates = None, 0
        while self.H is None:
            if all(denominator % self.p for _, denominator in self.rows):
                self.H = self.invert()
            if self.H is None:
                self.p = next(self.primes)

    def solve(self, right: Sequence[Fraction]) -> list[Fraction]:
        """The x with M x = right, exactly."""
        if not self.index:
            return []
        rows = [[numbers[b] for b in self.index] for numbers, _ in self.rows]
        scales = [denominator for _, denominator in self.rows]
        x, self.digits = solve_by_lifting(rows, scales, self.H, self.p, right, self.digits)
        return x

    def response(self, j: int) -> tuple[list[Fraction], Fraction, int]:
        """u, eta, and the sign of eta."""
        numbers, denominator = self.prepare(j)
        m = [Fraction(numbers[a], denominator) for a in self.index]
        u = [-v for v in self.solve(m)]
        eta = Fraction(numbers[j], denominator) + _fraction_dot(m, u)
        return u, eta, (eta > 0) - (eta < 0)

    def add_if_regular(self, j: int) -> bool:
        """Add j if M with j is regular modulo p; whether it was added."""
        terms = self.update_terms(j)
        if terms[1] != 0:
            self.add(j, terms)
        return bool(terms[1] != 0)

    def subtract_index_rows(self, v: Sequence[Fraction], x: Sequence[Fraction]) -> ScaledIntegers:
        """v less the sum of x_a times row a of S over the index. O(k n)."""
        return _subtract_integer_rows(v, x, self.rows)

    def subtract_rows(
        self, v: Sequence[Fraction], weights: Mapping[int, Fraction]
    ) -> list[Fraction]:
        """v less the sum of weights[a] times row a of S, for any rows a. O(n) each."""
        rows = list(map(self.integer_row, weights))
        numbers, denominator = _subtract_integer_rows(v, list(weights.values()), rows)
        return [Fraction(number, denominator) for number in numbers]

    def quadratic_form(self, x: Sequence[Fraction]) -> Fraction:
        """x'M x. O(k*k)."""
        rows = [
            ScaledIntegers([numbers[b] for b in self.index], denominator)
            for numbers, denominator in self.rows
        ]
        image, denominator = _subtract_integer_rows([Fraction(0)] * len(x), x, rows)
        return -_fraction_dot(x, image) / denominator


def _subtract_integer_rows(
    v: Sequence[Fraction], x: Sequence[Fraction], rows: Sequence[ScaledIntegers]
) -> ScaledIntegers:
    """v less the sum of x_a times rows[a], over one denominator."""
    factors, denominator = scaled_integers([c / scale for c, (_, scale) in zip(x, rows)])
    numbers, under = scaled_integers(v)
    common = lcm(denominator, under)
    numbers = [t * (common // under) for t in numbers]
    for c, (row, _) in zip(factors, rows):
        if c != 0:
            c *= common // denominator
            numbers = [t - c * s for t, s in zip(numbers, row)]
    return ScaledIntegers(numbers, common)


def _fraction_dot(x: Sequence[Any], z: Sequence[Any]) -> Fraction:
    """The inner product of Fractions, each vector over one denominator."""
    (x, p), (z, q) = scaled_integers(x), scaled_integers(z)
    return Fraction(integer_dot(x, z), p * q)
