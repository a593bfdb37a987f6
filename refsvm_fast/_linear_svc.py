"""The oracle's LinearSVC and LinearSVR, which read arrays without making lists of them, and train
compiled."""

from functools import partial

import refsvm
from refsvm import Linear
from refsvm.estimators import linear_machines, training_data
from refsvm.estimators.estimator import as_it_is, refuse_other_names
from refsvm.estimators.training_data import TrainingSet
from refsvm.numerics.exact_sums import nearest_offset
from refsvm.numerics.sparse_rows import SparseRow, widened
from refsvm.numerics.validation import number_kind

from ._estimators import decisions_of_two
from ._grouped_problems import RegressionModel, RegressionWithoutOffset
from ._inputs import as_it_lies, as_rows, rows_to_descend, table_of
from ._models import OneAgainstOne, remembered
from ._online_learners import dual_coordinate_descent, newton, proximal_point
from ._problem import Problem
from ._public import named_as, public
from ._solution import labels_of, machine_of, pair_decisions, weights_in_list
from ._solvers import smo
from ._table import ListedRows, Table, members_of, signs_of, with_constant
from .numerics.picks import shuffled_passes


def labelled_rows(rows, kind, y, sample_weight):
    """training_data.labelled_rows, without an object for each label and each index."""
    found = members_of(y, len(rows)) if sample_weight is None else None
    if found is None or len(found[0]) < 2:
        return training_data.labelled_rows(rows, kind, y, sample_weight)
    weights, present = training_data.row_weights(kind, None, len(rows)), range(len(rows))
    return TrainingSet(rows, kind, weights, present, classes=found[0], members=found[1])


def weights_and_offset(solution, constant):
    """linear_machines.weights_and_offset, without lists of all columns besides w."""
    rows, w = solution.problem.packed, None
    if type(rows) is ListedRows and constant is not None and not solution.keeps_w:
        w = weights_in_list(rows, solution.problem.variables_of(solution.alpha))
    if w is None:
        return linear_machines.weights_and_offset(solution, constant)
    b = nearest_offset(0.0, [w[-1]], [constant], 1)
    return widened(rows.columns, w[:-1].tolist()), b


class PackedLinear:
    """What both inherit before the oracle's class."""

    _solvers = newton, proximal_point, smo, dual_coordinate_descent, shuffled_passes
    _apart = staticmethod(weights_and_offset)

    def _read(self, X, beside):
        kind = number_kind(beside)
        rows = rows_to_descend(X) if kind is float else None
        return super()._read(X, beside) if rows is None else (rows, kind)

    def _rows_to_train(self, data, constant):
        if type(data.rows) not in (Table, ListedRows):
            return super()._rows_to_train(data, constant)
        rows = data.rows if len(data.present) == len(data.rows) else data.rows.at(data.present)
        if constant is None:
            return rows
        lengthened = with_constant if type(rows) is Table else ListedRows.with_constant
        return lengthened(rows, constant)

    def __getstate__(self):
        state = super().__getstate__()
        state.pop("_weights_", None)
        return state


named_as("LinearSVC", PackedLinear)


@public
class LinearSVC(PackedLinear, refsvm.LinearSVC):
    __doc__ = refsvm.LinearSVC.__doc__

    _problem_class = Problem
    _model_class = OneAgainstOne
    _labelled = staticmethod(labelled_rows)
    _signs = staticmethod(signs_of)

    def predict(self, X):
        machine = as_it_is(self)
        labels = list(vars(machine).get("classes_", ()))
        found = linear_decisions(machine, X, partial(labels_of, labels=labels), _machines(labels))
        return super(LinearSVC, machine).predict(X) if found is None else found

    def _decisions(self, X):
        count = _machines(vars(self).get("classes_", ()))
        answers = decisions_of_two if count == 1 else pair_decisions
        found = linear_decisions(self, X, answers, count)
        return super()._decisions(X) if found is None else found


def _machines(labels):
    """How many machines tell these classes apart."""
    return 1 if len(labels) == 2 else len(labels)


@public
class LinearSVR(PackedLinear, refsvm.LinearSVR):
    __doc__ = refsvm.LinearSVR.__doc__

    _problem_class = RegressionWithoutOffset
    _model_class = RegressionModel

    def _decisions(self, X):
        found = linear_decisions(self, X, decisions_of_two, 1)
        return super()._decisions(X) if found is None else found


def linear_decisions(machine, X, answers, count):
    """answers(Machine, X) of a LinearSVC or LinearSVR of `count` w; None where the oracle is to
    answer."""
    own = vars(machine)
    W, width = own.get("coef_"), own.get("n_features_in_")
    if isinstance(machine, LinearSVR):
        W = [W] if type(W) in (list, SparseRow) else None
    if type(W) is not list or not W or len(W) != count or len(W[0]) != width:
        return None
    table = remembered(own, "_weights_", [W], lambda: table_of(W))
    machine = machine_of(2, Linear(), table, None, None, own.get("intercept_"))
    if machine is None:
        return None
    refuse_other_names(X, own.get("feature_names_in_"))
    rows = as_it_lies(X, width)
    found = None if rows is None else answers(machine, rows)
    return answers(machine, as_rows(X)) if found is None else found
