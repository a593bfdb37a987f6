"""Exact scores of the smallest ball: minus the squared distance from its centre.

s(x) = 2 <c, phi(x)> - K(x, x) - |c|^2        f(x) = s(x) + R^2        c = sum alpha_i phi(x_i)
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from ..kernels.standard import Precomputed
from ..numerics.linalg import dot
from .exact_scores import ExactOptimum, ExactScores, Fractions
from .kernel_tables import kernel_table
from .protocol import NumericProblem


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

    def of_centre(self, products: Fractions, w_norm2: Any) -> Fractions:
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


def squared_norms(problem: NumericProblem, rows: list[Any]) -> Fractions:
    """Return K(x, x) of rows as they are asked; of a Gram matrix of the examples only."""
    if isinstance(problem.kernel, Precomputed):
        return [Fraction(row[i]) for i, row in enumerate(rows)]
    return [kernel_table(problem.kernel, [x], [x]).fractions()[0][0] for x in rows]
