"""The oracle's Problem, whose rows stay packed (_packed_rows.py)."""

import refsvm
from refsvm import Linear
from refsvm.kernels.base import as_kernel

from ._models import Model
from ._packed_rows import PackedRows
from ._public import public
from ._solution import residuals_of, with_signs


@public
class Problem(PackedRows, refsvm.Problem):
    __doc__ = refsvm.Problem.__doc__
    model_class = Model

    def __init__(self, X, y, kernel=Linear(), C=1, bias=True, slack="hinge"):
        kernel = as_kernel(kernel)  # refused before X is read
        super().__init__(self.pack(X), y, kernel, C, bias, slack)

    def variables_of(self, alpha):
        return with_signs(alpha, self.y, False) or super().variables_of(alpha)

    def multipliers_of(self, variables):
        return with_signs(variables, self.y, True) or super().multipliers_of(variables)

    def residuals(self, form, beta, scores):
        given = form.target, scores, self.ridge(), beta
        return residuals_of(*given) or super().residuals(form, beta, scores)
