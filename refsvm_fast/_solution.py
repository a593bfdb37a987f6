"""The oracle's Solution, whose model() is compiled too."""

import refsvm
from refsvm import Kernel, Linear, Precomputed

from ._model import Model


class Solution(refsvm.Solution):
    __doc__ = refsvm.Solution.__doc__

    def model(self):
        problem = self.problem
        table, points = getattr(problem, "given", None), type(problem.kernel).reference_points
        if table is None or points not in (Kernel.reference_points, Precomputed.reference_points):
            return Model(*super().model())
        beta, kernel = problem.beta(self.alpha), problem.kernel
        support = [i for i, c in enumerate(beta) if c != 0]
        return Model(
            b=self.b,
            coef=[beta[i] for i in support],
            vectors=[table.row_list(i) for i in support] if kernel.has_rows else support,
            kernel=kernel,
            w=problem.weights(self.alpha) if type(kernel) is Linear else None,
        )
