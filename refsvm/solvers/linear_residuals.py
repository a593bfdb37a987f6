"""Residuals of the linear kernel, by way of w: no kernel value is needed.

    w    sum beta_j x_j, of the shifted rows; r_k = target_k - <w, x_k> - ridge_k beta_k

Where many beta move before residuals are asked for, this is the way: all n residuals cost O(n d),
as much as one row of the kernel matrix.
"""

from __future__ import annotations

from typing import Any

from ..numerics.sparse_rows import inner, row_items
from ..svm.problem import Problem
from .dual_program import DualProgram, Numbers


class LinearResiduals:
    """w of a beta that moves, and the residuals that follow from it.

    mass        N times (sum |beta_j| when w was new, and all distance since), for N the largest
                K_jj with its ridge: no score, and no ridge_k beta_k, is larger in size
    additions   to w since it was new
    """

    def __init__(self, problem: Problem, program: DualProgram) -> None:
        of, ridge = range(problem.n) if program.of is None else program.of, problem.ridge()
        self.rows, self.target = [problem.rows[i] for i in of], program.target
        self.zero, self.ridge = problem.kind(0), [ridge[i] for i in of]
        self.largest_norm = max(program.rows.diagonal)

    def renew(self, beta: Numbers) -> Numbers:
        """Make w anew, over beta_j != 0 in index order; r of all examples."""
        self.w = [self.zero] * len(self.rows[0])
        self.mass, self.additions = self.zero, 0
        self.add({j: b for j, b in enumerate(beta) if b != 0})
        self.additions = 0
        return self.residuals(beta)

    def add(self, moved: dict[int, Any]) -> None:
        """Let w follow after beta_j rose by moved[j]: w += d x_j."""
        for j, d in moved.items():
            for c, x in row_items(self.rows[j]):
                self.w[c] += d * x
            self.mass += abs(d) * self.largest_norm
        self.additions += len(moved)

    def residuals(self, beta: Numbers) -> Numbers:
        """r of all examples. O(n d)."""
        scores = [inner(self.w, x) for x in self.rows]
        parts = zip(self.target, scores, self.ridge, beta)
        return [t - s - c * b for t, s, c, b in parts]

    def roundings(self) -> int:
        """How many roundings, each at most u (R + mass), are in a residual since w was new.

        R is the largest residual then. Each addition rounds w, by u |w|; and d and d x_j, by u |d|
        N each, which is twice the mass for all of them. A score of d terms is rounded d times, and
        three times more on its way to a residual.
        """
        return self.additions + len(self.w) + 5
