"""The exact scores of any multipliers or weights, at the rows of a problem on Fractions."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from .kernel_tables import KernelTable, kernel_table, whole_numbers
from .protocol import NumericProblem

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
