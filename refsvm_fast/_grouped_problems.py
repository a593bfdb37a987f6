"""The problems of the other machines, whose rows stay packed (_packed_rows.py)."""

import refsvm
from refsvm import Linear
from refsvm.kernels.base import as_kernel

from ._models import BallModel, Model, OneClassModel, RegressionModel
from ._packed_rows import PackedRows
from ._public import named_as, public
from ._solution import (
    dot,
    group_extremes,
    largest_below_bound,
    total,
    unscaled_primal,
)


class PackedGroups(PackedRows):
    """What these problems have compiled besides: the loops over all variables."""

    _dot = staticmethod(dot)
    _group_extremes = staticmethod(group_extremes)
    _total = staticmethod(total)
    _largest_below_bound = staticmethod(largest_below_bound)

    def primal_value(self, form, r, w_norm2, lam):
        plain = type(w_norm2) is float
        value = unscaled_primal(form, r, w_norm2 / 2, lam) if plain else None
        return super().primal_value(form, r, w_norm2, lam) if value is None else self.scale * value


named_as("NuProblem", PackedGroups)


@public
class NuProblem(PackedGroups, refsvm.NuProblem):
    __doc__ = refsvm.NuProblem.__doc__
    model_class = Model

    def __init__(self, X, y, kernel=Linear(), nu=0.5, weights=None):
        kernel = as_kernel(kernel)
        super().__init__(self.pack(X), y, kernel, nu, weights)


@public
class RegressionProblem(PackedGroups, refsvm.RegressionProblem):
    __doc__ = refsvm.RegressionProblem.__doc__
    model_class = RegressionModel

    def __init__(self, X, y, kernel=Linear(), C=1, epsilon=0.1, weights=None):
        kernel = as_kernel(kernel)
        super().__init__(self.pack(X), y, kernel, C, epsilon, weights)


@public
class NuRegressionProblem(PackedGroups, refsvm.NuRegressionProblem):
    __doc__ = refsvm.NuRegressionProblem.__doc__
    model_class = RegressionModel

    def __init__(self, X, y, kernel=Linear(), C=1, nu=0.5, weights=None):
        kernel = as_kernel(kernel)
        super().__init__(self.pack(X), y, kernel, C, nu, weights)


@public
class OneClassProblem(PackedGroups, refsvm.OneClassProblem):
    __doc__ = refsvm.OneClassProblem.__doc__
    model_class = OneClassModel

    def __init__(self, X, kernel=Linear(), nu=0.5, weights=None):
        kernel = as_kernel(kernel)
        super().__init__(self.pack(X), kernel, nu, weights)


@public
class BallProblem(PackedGroups, refsvm.BallProblem):
    __doc__ = refsvm.BallProblem.__doc__
    model_class = BallModel

    def __init__(self, X, kernel=Linear(), C=1, weights=None):
        kernel = as_kernel(kernel)
        super().__init__(self.pack(X), kernel, C, weights)

    def scores_and_norm2(self, beta):
        if self.linear:  # of the shifted rows, where the centre is
            return refsvm.BallProblem.scores_and_norm2(self, beta)
        return super().scores_and_norm2(beta)
