"""On the margin with a multiplier at a bound: an equality that only algebra can prove.

Is c_1 e^q_1 + c_2 e^q_2 + ... zero? For fractions that can be decided, without any rounding. The
theorem of Lindemann and Weierstrass: powers of e with different algebraic exponents are linearly
independent over the algebraic numbers. So if the exponents are different fractions and the
coefficients fractions, the sum is zero only if every coefficient is. And sums and products of such
sums are such sums. Values of a Gaussian kernel are of this kind, and what is made of them and of
kernels whose values are fractions; a hyperbolic tangent is a quotient, and is not.

Measuring (enclosed_optimum.py) leaves "?" where y_i (r_i - b) may be zero and alpha*_i at a
bound. Let these be the ties, and let the free be those on the margin whose alpha* is off its
bounds. Every other example is at a known bound, and so is every tie that is not on the margin.
Suppose all ties are on it. Then beta* is the one beta (as c > 0) that has the ties at their bounds
too and solves

    sum over j of Q_ij beta_j + b = y_i     for i free       and, with an offset, sum beta_j = 0

and besides this equation holds for the ties. That can be tested: it is a determinant of sums of
exponentials. And if it holds, the supposition was right:

    With d = beta* - beta, d'Qd is the sum of d_i (Qd)_i over free and ties. For i free (Qd)_i is
    the difference of the two b; for a tie it is that less y_i times y_i (r_i - b) at the optimum.
    But sum d_i = 0, and d_i = 0 for a tie that is not on the margin. So d'Qd = 0, and since
    v'Qv >= c |v|^2, d = 0. Then with a free example, or without an offset, the two b are one,
    and the ties are on the margin.

Without free examples but with an offset the equation says that all ties have the same r_i. If the
quantile of svm/offsets.py is that number and no other, it is b, and the ties are on the margin.

    free, ties    lists of indices          bounds    beta_j of those at a bound, not 0
    r             residuals, Intervals

Source: Weierstrass, Sitzungsberichte der Berliner Akademie 5 (1885), pages 1067-1085.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

from ..kernels.base import Multiple, Product, Sum
from ..kernels.rational_values import is_rational
from ..kernels.standard import Gaussian
from ..numerics.intervals import Interval
from ..numerics.linalg import squared_distance
from ..numerics.types import Number, VectorLike
from .enclosures import fraction_rows
from .rounded_problem import RoundedProblem

MAX_ROWS = 7  # rows of a determinant; each more takes twice as long, and longer sums


class ExponentialSum:
    """c_1 e^q_1 + ..: `terms` takes each q to its c; none of them is 0. With +, -, *, and bool.

    >>> e = ExponentialSum({Fraction(1): Fraction(1)})
    >>> bool(e * e - e), bool((e + e) * e - e * e - e * e)
    (True, False)
    """

    def __init__(self, terms: Mapping[Fraction, Any]) -> None:
        self.terms = {q: c for q, c in terms.items() if c != 0}

    @classmethod
    def of(cls, number: Number) -> ExponentialSum:
        """The sum that is this Fraction, c e^0."""
        return cls({Fraction(0): number})

    def __bool__(self) -> bool:
        return bool(self.terms)

    def __add__(self, other: ExponentialSum) -> ExponentialSum:
        terms = dict(self.terms)
        for q, c in other.terms.items():
            terms[q] = terms.get(q, 0) + c
        return ExponentialSum(terms)

    def __neg__(self) -> ExponentialSum:
        return ExponentialSum({q: -c for q, c in self.terms.items()})

    def __sub__(self, other: ExponentialSum) -> ExponentialSum:
        return self + -other

    def __mul__(self, other: ExponentialSum) -> ExponentialSum:
        terms: dict[Fraction, Any] = {}
        for q, c in self.terms.items():
            for r, d in other.terms.items():
                terms[q + r] = terms.get(q + r, 0) + c * d
        return ExponentialSum(terms)


def kernel_sum(kernel: Any, x: Any, z: Any) -> ExponentialSum | None:
    """k(x, z) as an ExponentialSum; None if it is no such sum. x and z: Fractions (S17.5).

    >>> kernel_sum(Gaussian(0.5), [Fraction(0)], [Fraction(2)]).terms
    {Fraction(-2, 1): 1}
    """
    if is_rational(kernel):
        value = kernel.to(Fraction)(x, z)
        return ExponentialSum.of(value)
    if type(kernel) is Gaussian:
        exponent: Any = -Fraction(kernel.gamma) * squared_distance(x, z)
        return ExponentialSum({exponent: 1})
    if type(kernel) is Multiple:
        part = kernel_sum(kernel.kernel, x, z)
        return part and ExponentialSum.of(Fraction(kernel.factor)) * part
    if type(kernel) in (Sum, Product):
        p, q = kernel_sum(kernel.left, x, z), kernel_sum(kernel.right, x, z)
        if p is not None and q is not None:
            return p + q if type(kernel) is Sum else p * q
    return None


def determinant(rows: Sequence[Sequence[ExponentialSum]]) -> ExponentialSum:
    """The determinant of a matrix of ExponentialSums, without division (S17.5). O(2^n n) products.

    The minors of the first rows, for each choice of as many columns, from those of a row less.
    """
    n = len(rows)
    minors: dict[tuple[int, ...], ExponentialSum] = {(): ExponentialSum.of(Fraction(1))}
    for m, row in enumerate(rows):
        longer = {}
        for columns in combinations(range(n), m + 1):
            minor = ExponentialSum({})
            for place, j in enumerate(columns):
                part = row[j] * minors[columns[:place] + columns[place + 1 :]]
                minor = minor + part if (m - place) % 2 == 0 else minor - part
            longer[columns] = minor
        minors = longer
    return minors[tuple(range(n))]


def all_on_margin(
    near: RoundedProblem,
    x: VectorLike,
    free: Sequence[int],
    ties: Sequence[int],
    r: Sequence[Interval],
) -> bool:
    """Whether all ties are proved to be on the margin (S17.5). False may mean that it is too long.

    x has each variable that is not free at its bound; r: the residuals.
    """
    equations = MarginEquations(near, x, free)
    if len(free) + len(equations.groups) >= MAX_ROWS or not equations.are_exponential():
        return False
    above = [equations.of_sum(g) for g in equations.groups]
    above += [equations.of_variable(k) for k in free]
    first: dict[int, int] = {}  # the first tie of each group without a free variable
    for k in ties:
        row = equations.of_variable(k)
        if near.group[k] >= 0 and near.group[k] not in equations.groups:
            other = equations.of_variable(first.setdefault(near.group[k], k))
            row = [a - b for a, b in zip(row, other)]
        if determinant([*above, row]):
            return False
    return all(
        not equations.of_sum(g)[-1]
        and _is_lam_of_ties(near, g, [k for k in ties if k in group], r)
        for g, group in enumerate(near.form.groups)
        if g in first
    )


class MarginEquations:
    """The equations for the free variables and the lam of their groups, then the right side.

    groups: those with a free variable
    """

    def __init__(self, near: RoundedProblem, x: VectorLike, free: Sequence[int]) -> None:
        self.near, self.free = near, free
        self.kernel, self.X = near.given.kernel, fraction_rows(near.given.points)
        self.bounds = {l: v for l, v in enumerate(x) if v != 0 and l not in free}
        self.groups = sorted({near.group[k] for k in free} - {-1})

    def are_exponential(self) -> bool:
        """Whether the kernel's values are sums of exponentials."""
        return kernel_sum(self.kernel, self.X[0], self.X[0]) is not None

    def Q(self, k: int, l: int) -> Any:
        """The kernel value of two variables' examples, with the ridge."""
        i, j = self.near.of[k], self.near.of[l]
        value: Any = kernel_sum(self.kernel, self.X[i], self.X[j])
        return value + ExponentialSum.of(self.near.ridge[k]) if k == l else value

    def target(self, k: int) -> ExponentialSum:
        """The target of a variable; that of the ball is half a kernel value."""
        if self.near.problem.has_kernel_values_as_targets:
            value: ExponentialSum = self.Q(k, k)
            return ExponentialSum.of(Fraction(1, 2)) * value
        return ExponentialSum.of(Fraction(self.near.form.target[k]))

    def of_variable(self, k: int) -> list[ExponentialSum]:
        """sum_l Q_kl x_l + lam = target_k."""
        right = self.target(k)
        for l, v in self.bounds.items():
            right -= ExponentialSum.of(v) * self.Q(k, l)
        ones = [ExponentialSum.of(Fraction(self.near.group[k] == g)) for g in self.groups]
        return [*ones, *(self.Q(k, l) for l in self.free), right]

    def of_sum(self, g: int) -> list[ExponentialSum]:
        """The sum of x_l over a group is what it must be."""
        form, right = self.near.form, Fraction(self.near.form.sums[g])
        for l, v in self.bounds.items():
            if l in form.groups[g]:
                right -= v
        ones = [ExponentialSum.of(Fraction(l in form.groups[g])) for l in self.free]
        return [*[ExponentialSum({})] * len(self.groups), *ones, ExponentialSum.of(right)]


def _is_lam_of_ties(
    near: RoundedProblem, g: int, ties: Sequence[int], r: Sequence[Interval]
) -> bool:
    """Whether lam_g is the one number at which the ties have their equal residuals."""
    low, high = min(r[k].low for k in ties), max(r[k].high for k in ties)
    others = [k for k in near.form.groups[g] if k not in ties]
    if any(r[k].low <= high and low <= r[k].high for k in others):
        return False
    lam = (low + high) / 2
    middles = [lam if k in ties else (v.low + v.high) / 2 for k, v in enumerate(r)]
    return near.best_lam(middles)[g] == (lam, lam)
