"""The models of the other machines, and their problems, whose rows stay packed."""

import refsvm
from refsvm import Linear, Precomputed
from refsvm.kernels.base import as_kernel
from refsvm.svm import (
    ball_problem,
    one_class_problem,
    regression_problem,
    regression_without_offset,
)

from ._inputs import as_rows, table_of
from ._models import Deciding, Model, of_strings
from ._packed_rows import PackedRows
from ._public import public
from ._solution import decisions, distances_from, kernel_norms, machine_of


@public
class RegressionModel(Deciding, regression_problem.RegressionModel):
    __doc__ = regression_problem.RegressionModel.__doc__


@public
class OneClassModel(Deciding, one_class_problem.OneClassModel):
    __doc__ = one_class_problem.OneClassModel.__doc__


@public
class BallModel(Deciding, ball_problem.BallModel):
    __doc__ = ball_problem.BallModel.__doc__

    def _found(self, X, threads):
        plain = set(map(type, (self.radius2, self.w_norm2))) == {float} and type(threads) is int
        if not plain or threads < 1 or isinstance(self.kernel, Precomputed):
            return None
        X = as_rows(X)
        rows = None if of_strings(self.vectors) else table_of(X)
        if rows is None:
            return None
        if self.w is not None:
            found = distances_from(rows, self.w)
            return found and [self.radius2 - v for v in found]
        scores, norms = decisions(self.machine(), X, threads), kernel_norms(self.kernel, rows)
        if scores is None or norms is None:
            return None
        return [self.radius2 - ((k - 2 * s) + self.w_norm2) for k, s in zip(norms, scores)]

    def machine(self):
        """The Machine of the scores, without offset; None if they are not of plain numbers."""
        vectors = self.vectors_packed() if type(self.coef) is list else None
        counts = None if vectors is None else [len(vectors), 0]
        return machine_of(2, self.kernel, vectors, counts, [self.coef], [0.0])


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
class RegressionWithoutOffset(PackedRows, regression_without_offset.RegressionWithoutOffset):
    __doc__ = regression_without_offset.RegressionWithoutOffset.__doc__
    model_class = RegressionModel

    def __init__(self, X, y, kernel=Linear(), C=1, epsilon=0.1, slack="linear"):
        kernel = as_kernel(kernel)
        super().__init__(self.pack(X), y, kernel, C, epsilon, slack)


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
