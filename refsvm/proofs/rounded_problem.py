"""A problem on Fractions next to one whose kernel values are none, and how far off it is.

Two steps lead there. First, examples with the same features and the same label are made one whose
C is the sum of theirs: they have one slack at any w and b, so the penalty is the same. Then each
kernel value is rounded to a multiple of 2^-p. The rounded matrix differs from the true one by at
most one unit in each element, so v'Kv by at most n units |v|^2: n units more on the diagonal make
it positive semidefinite again, and all of exact arithmetic can be used on it.

    n        the number of examples left           unit    2^-p
    values   the rounded kernel matrix, whole numbers of units, n more on the diagonal
    error    the true value of an element is within this of the rounded one: n + 1 units
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from math import inf
from sys import float_info
from typing import Any

from ..kernels.base import Kernel
from ..numerics.exact_sums import integer_dot, scaled_integers
from ..numerics.fixed_point import eigenvalue_lower_bound
from ..numerics.intervals import point_interval
from ..numerics.linalg import total
from ..numerics.types import Kind
from ..svm.problem import Problem
from ..svm.training_problem import TrainingProblem
from .enclosures import kernel_interval, lower_triangle, mirror


def rounded(c: Any) -> float:
    """The double nearest to a positive number; the largest of all if it is beyond them."""
    return float(min(c, Fraction(float_info.max))) if c < inf else inf


class MergedProblem:
    """The problem with equal examples made one.

    groups      for each example left, the indices it stands for
    features    and its features and label
    C           and the exact sum of their C
    problem     on floats, where these sums may be rounded
    given       the problem before
    """

    def __init__(self, problem: Problem) -> None:
        places: dict[Any, list[int]] = {}
        for i, (x, y) in enumerate(zip(problem.points, problem.y)):
            places.setdefault((feature_key(problem.kernel, x), y), []).append(i)
        self.given, self.groups, self.features = problem, list(places.values()), list(places)
        first = [group[0] for group in self.groups]
        self.C = [exact_total([problem.C[i] for i in group]) for group in self.groups]
        self.problem = Problem(
            [problem.points[i] for i in first],
            [problem.y[i] for i in first],
            problem.kernel,
            [rounded(c) for c in self.C],
            problem.bias,
            problem.slack,
        )

    def divide(self, alpha: Any) -> list[Any]:
        """The alpha of the examples as given: each group's is divided in proportion to C.

        If a C is infinite, the first of those takes all: then no slack is allowed, and with
        squared slack a finite C counts for slack only.
        """
        parts = [Fraction(0)] * self.given.n
        for group, a, c in zip(self.groups, alpha, self.C):
            if c == inf:
                parts[self.first_unlimited(group)] = a
            else:
                for i in group:
                    parts[i] = a * Fraction(self.given.C[i]) / c
        return parts

    def divide_otherwise(self, alpha: Any, movable: Sequence[bool]) -> list[Any] | None:
        """Another alpha, as good as divide(alpha); None if no group in `movable` has one.

        movable: whether the alpha of a group is off its bounds.
        """
        parts, C = self.divide(alpha), self.given.C
        squared = self.given.slack == "squared"
        for group, may in zip(self.groups, movable):
            takers = [i for i in group if C[i] == inf] if squared else group
            if may and len(takers) > 1:
                i = max(takers, key=lambda i: parts[i])
                j = next(j for j in takers if j != i)
                part = min(parts[i], Fraction(C[j]) - parts[j] if C[j] < inf else parts[i]) / 2
                parts[i], parts[j] = parts[i] - part, parts[j] + part
                return parts
        return None

    def spread(self, values: Iterable[Any]) -> list[Any]:
        """One of these values an example, from one a group."""
        parts = [None] * self.given.n
        for group, value in zip(self.groups, values):
            for i in group:
                parts[i] = value
        return parts

    def find_farkas(self) -> list[Fraction] | None:
        """Multipliers that prove that there is no hard margin, if equal rows show it; else None.

        Two examples with the same features, other labels, and no slack allowed: the sum of their
        y phi(x) is zero. Without an offset one example without features is enough, as its f is 0.
        """
        strict = {
            key: self.first_unlimited(group)
            for key, group, c in zip(self.features, self.groups, self.C)
            if c == inf
        }
        for (x, y), i in strict.items():
            both = (x, -y) in strict
            if both or x is None and not self.given.bias:
                q = [Fraction(0)] * self.given.n
                q[i] = Fraction(1)
                if both:
                    q[strict[x, -y]] = Fraction(1)
                return q
        return None

    def first_unlimited(self, group: list[int]) -> int:
        """The first of a group whose C is infinite."""
        return next(i for i in group if self.given.C[i] == inf)


def feature_key(kernel: Any, x: Any) -> Any:
    """What stands for the features of x: x itself, but one thing for all that have none."""
    return tuple(x) if kernel_interval(kernel, x, x, 0) != point_interval(0) else None


def exact_total(C: Sequence[Any]) -> Any:
    """The exact sum of some penalties; inf if one of them is."""
    return inf if inf in C else total(map(Fraction, C))


class RoundedKernel(Kernel):
    """Kernel values by the indices of the examples: k([i], [j]) is values[i][j] units."""

    def __init__(self, values: list[list[int]], p: int) -> None:
        self.values, self.p, self.unit = values, p, Fraction(1, 1 << p)

    def __call__(self, x: Any, z: Any) -> Fraction:
        """The value of two rows, each the index of an example."""
        return self.values[int(x[0])][int(z[0])] * self.unit

    def row_function(self, points: Sequence[Any], kind: Kind) -> Callable[[Any], list[Any]]:
        """The function that takes x to the values of x and these rows."""
        columns = [int(z[0]) for z in points]
        return lambda x: [self.values[int(x[0])][j] * self.unit for j in columns]

    def __repr__(self) -> str:
        return f"<kernel values rounded to multiples of {self.unit}>"


def rounded_gram(problem: TrainingProblem, p: int) -> list[list[int]]:
    """The kernel matrix in units of 2^-p: whole numbers, each less than 1 off."""
    return mirror(
        [(v.low.numerator << p) // v.low.denominator + 1 for v in row]
        for row in lower_triangle(problem, p)
    )


class RoundedProblem:
    """The rounded problem: `problem`, on Fractions; `given` is the merged one on floats."""

    def __init__(self, merged: MergedProblem, p: int) -> None:
        of = merged.problem
        self.given, self.n, self.p = of, of.n, p
        self.error = Fraction(of.n + 1, 1 << p)
        self.values = rounded_gram(of, p)
        for i, row in enumerate(self.values):
            row[i] += self.n
        indices = [[Fraction(i)] for i in range(self.n)]
        kernel = RoundedKernel(self.values, p)
        self.problem = Problem(indices, of.y, kernel, merged.C, of.bias, of.slack)

    def scores_and_norm2(self, beta: Sequence[Any]) -> tuple[list[Fraction], Fraction]:
        """(the scores s_i, |w|^2) of the rounded problem, computed in whole numbers."""
        support = [j for j, v in enumerate(beta) if v != 0]
        whole, denominator = scaled_integers([beta[j] for j in support])
        denominator <<= self.p
        products = (integer_dot([row[j] for j in support], whole) for row in self.values)
        scores = [Fraction(product, denominator) for product in products]
        w_norm2 = Fraction(0)
        for j in support:
            w_norm2 += beta[j] * scores[j]
        return scores, w_norm2

    def submatrix(self, indices: Sequence[int]) -> list[list[int]]:
        """The rows and columns of these, with the ridge, in units; with an offset, 1 more in each.

        On vectors whose sum is fixed that 1 changes nothing but the offset, and it makes regular
        what the equation for the sum makes so.
        """
        one, ridge = 1 << self.p, self.problem.ridge()
        more = one if self.problem.bias else 0
        rows = [[self.values[i][j] + more for j in indices] for i in indices]
        for k, i in enumerate(indices):
            rows[k][k] += int(ridge[i] * one)
        return rows

    def curvature(self, indices: Sequence[int]) -> Fraction:
        """A Fraction c with v'Qv >= c |v|^2 for the v on these with sum zero; 0 if none is proved.

        Q is the true kernel matrix with the ridge (of which the part below a unit is left out). It
        is at least the rounded one less 2 n units on the diagonal.
        """
        proved = eigenvalue_lower_bound(self.submatrix(indices), self.p)
        return max(proved - Fraction(2 * self.n, 1 << self.p), Fraction(0))
