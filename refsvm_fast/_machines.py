"""The oracle's estimators of the other machines: they read arrays, train and predict compiled."""

import refsvm
from refsvm.estimators import pairwise_training, single_training
from refsvm.estimators.feature_names import refuse_other_names
from refsvm.numerics.validation import number_kind

from ._estimators import Packed, PackedPairs, part_of, suits, variance_at
from ._grouped_problems import (
    BallProblem,
    NuProblem,
    NuRegressionProblem,
    OneClassProblem,
    RegressionProblem,
)
from ._inputs import Chosen, table_of
from ._models import Deciding
from ._public import is_own, named_as, public
from ._solvers import smo
from ._table import Table


def pair_data(data, p, q):
    """pairwise_training.pair_data; its rows are a Table where they can be."""
    if type(data.rows) is not Table:
        return pairwise_training.pair_data(data, p, q)
    rows, y, C = pairwise_training.pair_rows(data, p, q)
    return pairwise_training.PairData(rows, part_of(data.rows, rows, data.kernel), y, C)


@public
class NuSVC(PackedPairs, refsvm.NuSVC):
    __doc__ = refsvm.NuSVC.__doc__

    _pair_data = staticmethod(pair_data)
    _problem_class = NuProblem
    _solve = staticmethod(smo)


# ---- one machine


def training_set(machine, X, y, sample_weight, beside):
    """single_training.single_training_set; its rows are a Table where they can be."""
    kind = number_kind(single_training.numbers_beside(machine, y, sample_weight, beside))
    table = table_of(X) if kind is float else None
    if table is None or not suits(table, machine.kernel):
        return single_training.single_training_set(machine, X, y, sample_weight, beside)
    return single_training.single_training_set_of(
        machine, table, y, sample_weight, kind, variance_at
    )


def rows_to_train(data):
    """single_training.present_rows, of a Table if the rows are one."""
    if type(data.rows) is not Table:
        return single_training.present_rows(data)
    return part_of(data.rows, data.present, data.kernel)


def single_model(data, solution):
    """single_training.single_model, whose vectors are packed where they can be."""
    if type(data.rows) is Table:
        solution.problem.vectors_at = chosen
    return single_training.single_model(data, solution)


def chosen(table, places):
    """Some rows of a Table, as a model keeps them."""
    return Chosen(table, places) if places else []


class PackedMachine(Packed):
    """An estimator that trains one machine on all rows."""

    _training_set = staticmethod(training_set)
    _rows_to_train = staticmethod(rows_to_train)
    _solve = staticmethod(smo)
    _model = staticmethod(single_model)

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


def width_of(model):
    """How many features the rows of a model have; None where there are none to tell."""
    if model.w is not None:
        return len(model.w)
    return len(model.vectors[0]) if model.vectors and model.kernel.has_rows else None


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
