"""The problems of the other machines, whose rows stay packed (_packed_rows.py)."""

import refsvm
from refsvm import Linear
from refsvm.kernels.base import as_kernel

from ._models import BallModel, Model, OneClassModel, RegressionModel
from ._packed_rows import PackedRows
from ._public import public


@public
class NuProblem(PackedRows, refsvm.NuProblem):
    __doc__ = refsvm.NuProblem.__doc__
    model_class = Model

    def __init__(self, X, y, kernel=Linear(), nu=0.5, weights=None):
        kernel = as_kernel(kernel)
        super().__init__(self.pack(X), y, kernel, nu, weights)


@public
class RegressionProblem(PackedRows, refsvm.RegressionProblem):
    __doc__ = refsvm.RegressionProblem.__doc__
    model_class = RegressionModel

    def __init__(self, X, y, kernel=Linear(), C=1, epsilon=0.1, weights=None):
        kernel = as_kernel(kernel)
        super().__init__(self.pack(X), y, kernel, C, epsilon, weights)


@public
class NuRegressionProblem(PackedRows, refsvm.NuRegressionProblem):
    __doc__ = refsvm.NuRegressionProblem.__doc__
    model_class = RegressionModel

    def __init__(self, X, y, kernel=Linear(), C=1, nu=0.5, weights=None):
        kernel = as_kernel(kernel)
        super().__init__(self.pack(X), y, kernel, C, nu, weights)


@public
class OneClassProblem(PackedRows, refsvm.OneClassProblem):
    __doc__ = refsvm.OneClassProblem.__doc__
    model_class = OneClassModel

    def __init__(self, X, kernel=Linear(), nu=0.5, weights=None):
        kernel = as_kernel(kernel)
        super().__init__(self.pack(X), kernel, nu, weights)


@public
class BallProblem(PackedRows, refsvm.BallProblem):
    __doc__ = refsvm.BallProblem.__doc__
    model_class = BallModel

    def __init__(self, X, kernel=Linear(), C=1, weights=None):
        kernel = as_kernel(kernel)
        super().__init__(self.pack(X), kernel, C, weights)

    def scores_and_norm2(self, beta):
        if self.linear:  # of the shifted rows, where the centre is
            return refsvm.BallProblem.scores_and_norm2(self, beta)
        return super().scores_and_norm2(beta)
