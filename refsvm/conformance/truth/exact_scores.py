"""The exact scores of any multipliers or weights, at the rows of a problem on Fractions.

s(x) = <w, phi(x)>. Of the smallest ball it is minus the squared distance from its centre:

    s(x) = 2 <c, phi(x)> - K(x, x) - |c|^2      f(x) = s(x) + R^2      c = sum alpha_i phi(x_i)
"""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from typing import Any

from ...kernels.standard import Precomputed
from ...numerics.linalg import dot
from ...numerics.types import Number, VectorLike
from ..protocol import NumericProblem
from ..protocol.kernel_tables import KernelTable, kernel_table, whole_numbers

Fractions = list[Any]  # Fractions, where annotations of arithmetic say Number
ExactOptimum = Any  # an Optimum that exists, with Fractions for its numbers


class ExactScores:
    """The exact kernel of a problem at rows, found when it is first asked for."""

    def __init__(self, problem: NumericProblem, rows: list[Fractions]) -> None:
        self.problem, self.rows = problem, rows

    @cached_property
    def table(self) -> KernelTable:
        """The kernel values of the rows with the examples."""
        return kernel_table(self.problem.kernel, self.problem.X, self.rows)

    @cached_property
    def numbers(self) -> KernelTable:
        """The rows themselves, as whole numbers over one denominator."""
        return whole_numbers(self.rows)

    @property
    def of_examples(self) -> ExactScores:
        """Itself, if its first rows are the examples; else the same at the examples."""
        X = self.problem.X
        return self if self.rows[: len(X)] == X else ExactScores(self.problem, X)

    def of_beta(self, beta: Fractions) -> Fractions:
        """Return sum beta_i K(x_i, x) of each row."""
        if self.problem.linear:
            return self.of_w(_exact_weights(self.problem, beta))
        return self.table.scores(beta)

    def sizes_of_beta(self, beta: Fractions) -> Fractions:
        """Return the sum of the sizes of the terms of each of those sums."""
        sizes = list(map(abs, beta))
        if not self.problem.linear:
            return self.table.absolute().scores(sizes)
        columns, denominator = transposed(self.problem.X)
        return self.sizes_of_w(KernelTable(columns, denominator).absolute().scores(sizes))

    def sizes_of_w(self, w: Fractions) -> Fractions:
        """Return the sum of the sizes of the terms of each <w, x>."""
        return self.numbers.absolute().scores(map(abs, w))

    def of_optimum(self, optimum: ExactOptimum) -> Fractions:
        """Return the scores of an optimum."""
        if self.problem.linear:
            return self.of_w(optimum.w)
        return self.of_beta(self.problem.beta(optimum.alpha))

    def of_w(self, w: Fractions) -> Fractions:
        """Return <w, x> of each row."""
        return self.numbers.scores(w)


def _exact_weights(problem: NumericProblem, beta: Fractions) -> Fractions:
    """Return w = sum beta_i x_i. O(n d)."""
    return KernelTable(*transposed(problem.X)).scores(beta)


def transposed(rows: list[Fractions]) -> tuple[list[list[int]], int]:
    """Return the columns of rows, as whole numbers over one denominator."""
    values, denominator = whole_numbers(rows)
    return list(map(list, zip(*values))), denominator


class BallScores(ExactScores):
    """The same as ExactScores, for the ball; norms2 are K(x, x) of the rows."""

    def __init__(self, problem: NumericProblem, rows: list[Fractions], norms2: Fractions) -> None:
        super().__init__(problem, rows)
        self.norms2, self.inner = norms2, ExactScores(problem, rows)

    @property
    def of_examples(self) -> BallScores:
        """Itself, if its first rows are the examples; else the same at the examples."""
        X = self.problem.X
        if self.rows[: len(X)] == X:
            return self
        return BallScores(self.problem, X, self.problem.squared_norms())

    def of_beta(self, beta: Fractions) -> Fractions:
        """Return s of each row, of the centre that these multipliers make."""
        at_examples = self.of_examples.inner.of_beta(beta)[: self.problem.n]
        return self.of_centre(self.inner.of_beta(beta), dot(beta, at_examples))

    def of_w(self, w: Fractions) -> Fractions:
        """Return s of each row, of this centre."""
        return self.of_centre(self.inner.of_w(w), dot(w, w))

    def of_centre(self, products: Fractions, w_norm2: Number) -> Fractions:
        """Return s of each row from <c, phi(x)> and |c|^2."""
        return [2 * s - k - w_norm2 for s, k in zip(products, self.norms2)]

    def of_optimum(self, optimum: ExactOptimum) -> Fractions:
        """Return the scores of an optimum."""
        return self.of_w(optimum.w) if self.problem.linear else self.of_beta(optimum.alpha)

    def sizes_of_beta(self, beta: Fractions) -> Fractions:
        """Return the sum of the sizes of the terms of each s."""
        at_examples = self.of_examples.inner.sizes_of_beta(beta)[: self.problem.n]
        w_norm2 = dot(list(map(abs, beta)), at_examples)
        sizes = zip(self.inner.sizes_of_beta(beta), self.norms2)
        return [2 * s + abs(k) + w_norm2 for s, k in sizes]

    def sizes_of_w(self, w: Fractions) -> Fractions:
        """Return the same of the terms of <w, x>."""
        sizes = zip(self.inner.sizes_of_w(w), self.norms2)
        return [2 * s + abs(k) + dot(w, w) for s, k in sizes]


def squared_norms(problem: NumericProblem, rows: list[VectorLike]) -> Fractions:
    """Return K(x, x) of rows as they are asked; of a Gram matrix of the examples only."""
    if isinstance(problem.kernel, Precomputed):
        return [Fraction(row[i]) for i, row in enumerate(rows)]
    return [kernel_table(problem.kernel, [x], [x]).fractions()[0][0] for x in rows]
