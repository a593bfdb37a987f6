"""The inverse of a principal submatrix, updated as indices are added, removed and replaced.

Given is a symmetric matrix S, one row at a time. A list of indices chooses the submatrix M: the
rows and the columns with these indices. H is the inverse of M. When an index is added, removed or
replaced by another, H is updated in k^2 products; a fresh inverse would take k^3.

For an index j outside the list, with m the entries S_aj of its row at the indices a of M:

    u      -H m, the response: how the solution of M x = r changes for each unit of x_j
    eta    S_jj + m'u, the Schur complement: M with j is regular if and only if it is not zero
    h      for an index inside: its diagonal entry of H

Two kinds of arithmetic share the update formulas. FloatInverse is for floats: H is only nearly the
inverse, and each solution is refined with M itself.

ExactInverse is for Fractions. The inverse of a matrix of doubles, as fractions, holds numbers of
thousands of digits. So its H is the inverse modulo a prime p, whose numbers stay small, and each
solution is computed from it by lifting (dixon_lifting.py). If M is regular modulo p, then M is
regular. The converse fails for a few unlucky primes; then the next prime is taken.

    prepared row    a row of S as the arithmetic needs it: as it is, or in whole numbers over one
                    denominator (ScaledIntegers)

Source: Golub and Van Loan, Matrix Computations, section 2.1.4 (Sherman, Morrison, Woodbury).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import lcm
from typing import Any, Callable

from .dixon_lifting import mersenne_primes, solve_by_lifting
from .exact_sums import ScaledIntegers, integer_dot, scaled_integers
from .linalg import dot
from .types import Matrix, Number, Vector, VectorLike

ETA_NOISE = 2.0**-40  # an eta smaller than this share of its terms may be nothing but rounding
REFINEMENTS = 2


class Singular(ArithmeticError):
    """M has no inverse, as far as floats can tell."""


class SubmatrixInverse:
    """What both kinds of arithmetic share: the update formulas.

    row(a) is row a of S, `width` numbers. `index` lists the indices of M, in the order of its
    rows; `rows` holds these rows of S, whole; `updates` counts the updates of H since H was last
    computed from M.

    The arithmetic here is the plain one; that modulo a prime overrides it.
    """

    one: Any = 1.0

    def __init__(self, row: Callable[[int], Any], width: int) -> None:
        self.row, self.width = row, width
        self.index: list[int] = []
        self.rows: list[Any] = []
        self.H: Any = []
        self.updates = 0

    # ---- the arithmetic

    def prepare(self, a: int) -> Any:
        """Row a of S, in the form that the arithmetic works with."""
        return self.row(a)

    def entries(self, row: Any, indices: Sequence[int]) -> list[Any]:
        """The entries of a prepared row at these indices, as numbers like those of H."""
        return [row[b] for b in indices]

    def reduce(self, values: Vector) -> Vector:
        """The same numbers in the form of H: modulo the prime, or as they are."""
        return values

    def reciprocal(self, value: Number) -> Number:
        """1 / value."""
        return 1 / value

    def inner(self, x: Vector, z: VectorLike) -> Number:
        """The inner product of x and z."""
        return dot(x, z)

    def times_H(self, r: VectorLike) -> Vector:
        """H r."""
        return [self.inner(row, r) for row in self.H]

    def recompute(self) -> None:
        """Compute H from M."""
        raise NotImplementedError

    # ---- the updates

    def set_index(self, indices: Iterable[int]) -> None:
        """Choose the submatrix with these indices, and compute its inverse."""
        self.index = list(indices)
        self.rows = [self.prepare(a) for a in self.index]
        self.recompute()

    def update_terms(self, j: int) -> tuple[Vector, Number]:
        """u and eta of an index j outside, in the arithmetic of H."""
        row = self.prepare(j)
        m = self.entries(row, self.index)
        u = self.reduce([-v for v in self.times_H(m)])
        return u, self.reduce([self.entries(row, [j])[0] + self.inner(m, u)])[0]

    def add(self, j: int, terms: tuple[Vector, Number] | None = None) -> None:
        """Add j as the last index. M with j must be regular.

        `terms` is update_terms(j), where that was computed before.
        """
        u, eta = terms or self.update_terms(j)
        self.index.append(j)
        self.rows.append(self.prepare(j))
        if self.can_divide_by(eta):
            e = self.reciprocal(eta)
            last = self.reduce([e * v for v in u])
            self.H = [
                [*self.reduce([h + v * b for h, b in zip(row, u)]), v]
                for row, v in zip(self.H, last)
            ]
            self.H.append([*last, e])

    def remove(self, i: int) -> None:
        """Remove i. M without i must be regular."""
        a = self.index.index(i)
        del self.index[a], self.rows[a]
        if self.can_divide_by(self.H[a][a]):
            gone = self.H.pop(a)
            e = self.reciprocal(gone.pop(a))
            column = [row.pop(a) for row in self.H]
            share = self.reduce([e * v for v in gone])
            self.H = [
                self.reduce([h - v * b for h, b in zip(row, share)])
                for row, v in zip(self.H, column)
            ]

    def replace(self, i: int, j: int) -> None:
        """Put j in the place of i. M with j in the place of i must be regular.

        M without i, and M with both, may be singular: so adding and removing are one update.
        H_ab + u_a (h u_b - u_i H_ib) / D - H_ia (eta H_ib + u_i u_b) / D,   D = h eta + u_i^2.
        """
        u, eta = self.update_terms(j)
        a = self.index.index(i)
        self.index[a], self.rows[a] = j, self.prepare(j)
        old, h, u_i = self.H[a], self.H[a][a], u[a]
        D = self.reduce([h * eta + u_i * u_i])[0]
        if self.can_divide_by(D):
            e = self.reciprocal(D)
            v = self.reduce([e * (h * b - u_i * c) for b, c in zip(u, old)])
            w = self.reduce([e * (eta * c + u_i * b) for b, c in zip(u, old)])
            self.H = [
                self.reduce([c + p * q - r * s for c, q, s in zip(row, v, w)])
                for row, p, r in zip(self.H, u, old)
            ]
            v[a] = self.reduce([e * h])[0]
            self.H[a] = v
            for row, c in zip(self.H, v):
                row[a] = c

    def can_divide_by(self, value: Number) -> bool:
        """Whether H can be updated by dividing by this; if not, compute H from M instead."""
        self.updates += 1
        if value == 0:
            self.recompute()
        return bool(value != 0)

    def invert(self) -> Matrix | None:
        """The inverse of M by Gauss-Jordan elimination; None if a pivot is missing.

        The pivot is the largest entry left in the column; modulo a prime any entry that is not 0
        would do. The inverse is built in place: where a column of M has become a unit vector, a
        column of the inverse is stored, that of the row which the pivot came from.
        """
        k = len(self.index)
        rows = [self.entries(row, self.index) for row in self.rows]
        order = list(range(k))
        for c in range(k):
            best = max(range(c, k), key=lambda a: abs(rows[a][c]))
            rows[c], rows[best] = rows[best], rows[c]
            order[c], order[best] = order[best], order[c]
            if rows[c][c] == 0:
                return None
            e, rows[c][c] = self.reciprocal(rows[c][c]), self.one
            top = rows[c] = self.reduce([e * v for v in rows[c]])
            for a, row in enumerate(rows):
                if a != c and row[c] != 0:
                    f, row[c] = row[c], 0 * self.one
                    rows[a] = self.reduce([v - f * t for v, t in zip(row, top)])
        back = sorted(range(k), key=order.__getitem__)
        return [[row[c] for c in back] for row in rows]


class FloatInverse(SubmatrixInverse):
    """The inverse of a submatrix of floats (S6.5)."""

    def __init__(self, row: Callable[[int], list[float]], width: int) -> None:
        super().__init__(row, width)
        self.M: tuple[list[int], list[list[float]]] = [], []  # an index and its M
        self.latest: tuple[Any, Any] = None, None  # (j, updates, index) of response, its u and eta

    def submatrix(self) -> list[list[float]]:
        """M, row by row."""
        if self.M[0] != self.index:
            rows = [self.entries(row, self.index) for row in self.rows]
            self.M = list(self.index), rows
        return self.M[1]

    def recompute(self) -> None:
        """Compute H from M. Singular if M has no inverse."""
        self.H, self.updates = self.invert(), 0
        if self.H is None:
            raise Singular

    def solve(self, right: Sequence[float]) -> list[Any]:
        """The x with M x = right, refined. O(k*k)."""
        # k updates cost as much as a fresh inverse, which has none of their rounding.
        if self.updates > len(self.index):
            self.recompute()
        x = self.times_H(right)
        for _ in range(REFINEMENTS):
            rest = [r - dot(row, x) for r, row in zip(right, self.submatrix())]
            x = [v + c for v, c in zip(x, self.times_H(rest))]
        return x

    def response(self, j: int) -> tuple[list[Any], Any, int]:
        """u, eta, and the sign of eta: 0 where eta may be nothing but rounding (S6.7).

        With v = [u; 1], eta is v'(M with j)v. Computed so, an error of u counts by its square.
        """
        row = self.row(j)
        m = self.entries(row, self.index)
        u = [-v for v in self.solve(m)]
        eta, size, sizes = row[j], abs(row[j]), list(map(abs, u))
        for c, v, M_row in zip(m, u, self.submatrix()):
            eta += v * (c + (c + dot(M_row, u)))
            size += abs(v) * (2 * abs(c) + dot(list(map(abs, M_row)), sizes))
        self.latest = (j, self.updates, list(self.index)), (u, eta)
        return u, eta, (eta > ETA_NOISE * size) - (eta < -ETA_NOISE * size)

    def update_terms(self, j: int) -> tuple[Vector, Number]:
        if self.latest[0] != (j, self.updates, self.index):
            self.response(j)
        u, eta = self.latest[1]
        return u, eta

    def add_if_regular(self, j: int) -> bool:
        """Add j if its eta is positive beyond doubt; whether it was added."""
        u, eta, sign = self.response(j)
        if sign > 0:
            self.add(j, (u, eta))
        return sign > 0

    def subtract_index_rows(self, v: Sequence[float], x: Sequence[float]) -> tuple[Any, int]:
        """(v less the sum of x_a times row a of S over the index, 1). O(k n).

        The second number is the denominator of all the others, as in ExactInverse.
        """
        for c, row in zip(x, self.rows):
            if c != 0:
                v = [t - c * s for t, s in zip(v, row)]
        return v, 1

    def subtract_rows(self, v: Sequence[float], weights: Mapping[int, float]) -> Any:
        """v less the sum of weights[a] times row a of S, for any rows a. O(n) each."""
        for a, c in weights.items():
            v = [t - c * s for t, s in zip(v, self.row(a))]
        return v

    def quadratic_form(self, x: Sequence[float]) -> Number:
        """x'M x. O(k*k)."""
        image = [0.0] * len(x)
        for c, row in zip(x, self.submatrix()):
            if c != 0:
                image = [t - c * v for t, v in zip(image, row)]
        return -dot(x, image)


class ExactInverse(SubmatrixInverse):
    """The inverse of a submatrix of Fractions. row(a) may return ScaledIntegers, too (S6.5)."""

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

    def update_terms(self, j: int) -> tuple[Vector, Number]:
        while self.prepare(j).denominator % self.p == 0:
            self.p = next(self.primes)
            self.recompute()
        return super().update_terms(j)

    def entries(self, row: ScaledIntegers, indices: Sequence[int]) -> list[int]:
        numbers, denominator = row
        e = self.reciprocal(denominator)
        return [numbers[b] * e % self.p for b in indices]

    def reduce(self, values: Vector) -> Vector:
        return [v % self.p for v in values]

    def reciprocal(self, value: Any) -> Any:
        return pow(value, -1, self.p)

    def inner(self, x: Any, z: Any) -> Any:
        return integer_dot(x, z) % self.p

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


def _fraction_dot(x: VectorLike, z: VectorLike) -> Fraction:
    """The inner product of Fractions, each vector over one denominator."""
    (x, p), (z, q) = scaled_integers(x), scaled_integers(z)
    return Fraction(integer_dot(x, z), p * q)
