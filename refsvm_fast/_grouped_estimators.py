"""The oracle's estimators of grouped problems, which read arrays, train and predict compiled."""

import refsvm
from refsvm.estimators.estimator import refuse_other_names
from refsvm.estimators.pairwise_training import PairData, pair_rows

from ._estimators import PackedEstimator, PackedPairs, part_of
from ._grouped_problems import (
    BallProblem,
    NuProblem,
    NuRegressionProblem,
    OneClassProblem,
    RegressionProblem,
)
from ._inputs import Chosen, row_length
from ._models import Deciding
from ._public import is_own, named_as, public
from ._table import Table


@public
class NuSVC(PackedPairs, refsvm.NuSVC):
    __doc__ = refsvm.NuSVC.__doc__

    _problem_class = NuProblem

    def _pair_data(self, data, p, q):
        if type(data.rows) is not Table:
            return super()._pair_data(data, p, q)
        rows, y, C = pair_rows(data, p, q)
        return PairData(rows, part_of(data.rows, rows, data.kernel), y, C)


# ---- one machine


class PackedMachine(PackedEstimator):
    """An estimator that trains one machine on all rows."""

    def _rows_to_train(self, data):
        if type(data.rows) is not Table:
            return super()._rows_to_train(data)
        return part_of(data.rows, data.present, data.kernel)

    def _model(self, data, solution):
        if type(data.rows) is Table:
            solution.problem.vectors_at = chosen
        return super()._model(data, solution)

    def _decisions(self, X):
        model = self._kept_model()
        packed = isinstance(model, Deciding) and is_own(type(model))
        if packed and getattr(self, "n_features_in_", None) == width_of(model):
            refuse_other_names(X, getattr(self, "feature_names_in_", None))
            found = model._found(X, 1)
            if found is not None:
                return found
        return super()._decisions(X)


named_as("SVR", PackedMachine)


def chosen(table, places):
    """Some rows of a Table, as a model keeps them."""
    return Chosen(table, places) if places else []


def width_of(model):
    """How many features the rows of a model have; None where there are none to tell."""
    if model.w is not None:
        return len(model.w)
    return row_length(model.vectors) if model.vectors and model.kernel.has_rows else None


@public
class SVR(PackedMachine, refsvm.SVR):
    __doc__ = refsvm.SVR.__doc__
    _problem_class = RegressionProblem


@public
class NuSVR(PackedMachine, refsvm.NuSVR):
    __doc__ = refsvm.NuSVR.__doc__
    _problem_class = NuRegressionProblem


@public
class OneClassSVM(PackedMachine, refsvm.OneClassSVM):
    __doc__ = refsvm.OneClassSVM.__doc__
    _problem_class = OneClassProblem


@public
class SVDD(PackedMachine, refsvm.SVDD):
    __doc__ = refsvm.SVDD.__doc__
    _problem_class = BallProblem
