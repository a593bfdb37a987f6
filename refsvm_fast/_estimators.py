"""The oracle's classifiers, which read arrays without making lists of them, and train compiled."""

from functools import partial

import refsvm
from refsvm import Linear, Precomputed
from refsvm.estimators import (
    kernel_choice,
    one_vs_rest_training,
    pairwise_training,
    training_data,
)
from refsvm.estimators.feature_names import refuse_other_names
from refsvm.estimators.fitted_attributes import model_attributes, weights_by_pair
from refsvm.numerics.validation import number_kind
from refsvm.solvers.conjugate_gradient import selector

from ._inputs import Chosen, as_rows, table_of
from ._kernel_rows import Part, whole_of
from ._models import OneAgainstOne, weights
from ._online_learners import dual_coordinate_descent
from ._packed_rows import comparable_rows, computes_packed
from ._problem import Problem
from ._public import named_as, public
from ._solution import (
    decisions,
    machine_of,
    ordinary_variance,
    pair_decisions,
    scores,
    sparse_variance,
    winners,
)
from ._solution import gather as gather_packed
from ._solvers import smo
from ._table import Table, shift_of, shifted, symmetric, with_constant
from .numerics.picks import shuffled_passes

ON_DEMAND = ("support_vectors_", "model_")


def training_set(svc, X, y, sample_weight):
    """training_data.training_set; its rows are a Table where they can be."""
    kind = number_kind(training_data.numbers_beside(svc, sample_weight))
    table = table_of(X) if kind is float else None
    if table is None or not suits(table, svc.kernel):
        return training_data.training_set(svc, X, y, sample_weight)
    return training_data.training_set_of(svc, table, y, sample_weight, kind, variance_at, shift_at)


def suits(table, kernel):
    """Whether an SVC with this parameter can be trained on the Table."""
    if training_data.takes_gram(kernel):
        return table.kept is None and symmetric(table)
    return type(kernel) is str or comparable_rows(table, kernel)


def variance_at(table, present, kind):
    """kernel_choice.variance_of, of a Table."""
    v = (sparse_variance if table.kept else ordinary_variance)(table, present)
    if v is None:
        return kernel_choice.variance([table[i] for i in present], float)
    return v, 0


def shift_at(table, present, kind):
    """training_data.common_shift, of a Table."""
    return shift_of(table, present)


def train_pairs(data, tol, max_iter, cache_mb, watch=pairwise_training.unwatched):
    """pairwise_training.train_pairs."""
    problem_of = pair_problem
    if type(data.rows) is Table:
        table = table_to_train(data)
        whole = shared_by_pairs(table, data, float(cache_mb))
        problem_of = partial(packed_problem, table, whole)
    return pairwise_training.train_pairs(data, tol, max_iter, cache_mb, problem_of, smo, watch)


def table_to_train(data):
    """The Table of the rows of a TrainingSet, shifted if they have a shift."""
    return data.rows if data.shift is None else shifted(data.rows, data.shift)


def shared_by_pairs(table, data, cache_mb):
    """The Whole of which each pair sees a Part; None if every pair is for itself."""
    *_, second, first = sorted(map(len, data.members))
    return whole_of(table, data.kernel, cache_mb, len(data.members), first + second)


def pair_problem(data, p, q):
    """pairwise_training.pair_problem; its rows are a Table where they can be."""
    if type(data.rows) is Table:
        return packed_problem(table_to_train(data), None, data, p, q)
    rows, theirs = pairwise_training.pair_problem(data, p, q)
    if data.shift is not None:  # what is to be shifted is the oracle's, if it is no Table yet
        return rows, theirs
    table = table_of(theirs.X)
    X = theirs.X if table is None or not computes_packed(table, data.kernel, data.kind) else table
    return rows, Problem.from_validated(data.kind, X, theirs.y, data.kernel, theirs.C)


def packed_problem(table, whole, data, p, q):
    """pair_problem of a Table, which may be a Part of the Whole."""
    rows, y, C = pairwise_training.pair_rows(data, p, q)
    X = part_of(table, rows, data.kernel) if whole is None else Part(whole, rows)
    return rows, Problem.from_validated(data.kind, X, y, data.kernel, C, shift=data.shift)


def part_of(table, rows, kernel):
    """The Table of these rows; of a Gram matrix, of these columns, too."""
    if len(rows) == len(table):
        return table
    if not isinstance(kernel, Precomputed):
        return table.at(rows)
    return table_of(list(map(selector(rows, len(table)), table.at(rows).rows())))


def gather(data, trained):
    """pairwise_training.gather, with a compiled model."""
    if type(data.rows) is not Table or isinstance(data.kernel, Precomputed):
        support, model = pairwise_training.gather(data, trained)
        return support, OneAgainstOne(*model)
    support, counts, coefs = gather_packed(data.members, trained, len(data.rows))
    vectors = Chosen(data.rows, support) if support else []
    offsets = [-pair.solution.b for pair in trained]
    return support, OneAgainstOne(data.classes, data.kernel, vectors, counts, coefs, offsets)


def attributes_of(model):
    """What fit keeps of the model: if its vectors are packed, no more than that."""
    return {"_packed_": model} if type(model.vectors) is Chosen else model_attributes(model)


class Packed:
    """An estimator whose model keeps its vectors packed.

    As lists, and the model with them, they are made when they are first asked for: that takes as
    long as many a fit, and four times the room of what is packed.
    """

    _model_attributes = staticmethod(attributes_of)

    def __getattr__(self, name):
        packed = vars(self).get("_packed_") if name in ON_DEMAND else None
        if packed is not None:
            model = packed._replace(vectors=packed.vectors.rows())
            for attribute, value in model_attributes(model).items():
                vars(self).setdefault(attribute, value)  # what a caller put there stays
            vars(self).pop("_packed_", None)
        return object.__getattribute__(self, name)

    def __dir__(self):
        return {*super().__dir__(), *(ON_DEMAND if "_packed_" in vars(self) else ())}

    def __getstate__(self):
        for name in ON_DEMAND:
            getattr(self, name, None)  # so that the oracle's attributes are all there is
        state = super().__getstate__()
        state.pop("_packed_", None)
        return state

    def _kept_model(self):
        own = vars(self)
        return own["model_"] if "model_" in own else own.get("_packed_")


class PackedPairs(Packed):
    """SVC, and NuSVC: a machine for each pair of classes."""

    _training_set = staticmethod(training_set)
    _gather = staticmethod(gather)

    @property
    def coef_(self):
        packed = vars(self).get("_packed_")
        if packed is None or packed is not self._kept_model() or type(packed.kernel) is not Linear:
            return super().coef_
        return weights_by_pair(packed, self.n_features_in_, weights)

    def predict(self, X):
        found = answers(self, X, winners) if self.break_ties is False else None
        if found is None:
            return super().predict(X)
        classes = self._kept_model().classes
        return [classes[c] for c in found]

    def decision_function(self, X):
        found, shape = None, self.decision_function_shape
        model = self._kept_model()
        if type(shape) is str and shape in ("ovr", "ovo") and type(model) is OneAgainstOne:
            two = len(model.classes) == 2
            of_many = pair_decisions if shape == "ovo" else scores
            found = answers(self, X, numbers if two else of_many)
            if two and found is not None:
                return [-f for f in found]
        return super().decision_function(X) if found is None else found


@public
class SVC(PackedPairs, refsvm.SVC):
    __doc__ = refsvm.SVC.__doc__

    _pair_problem = staticmethod(pair_problem)
    _train_pairs = staticmethod(train_pairs)


named_as("SVC", Packed)
named_as("SVC", PackedPairs)


def answers(svc, X, ask):
    """What the fitted model says of the rows X: ask(its Machine, X). None where the oracle is to
    answer."""
    model, width = svc._kept_model(), getattr(svc, "n_features_in_", None)
    machine = model.machine() if type(model) is OneAgainstOne else None
    if machine is None or width_of(model.vectors) != width:
        return None
    refuse_other_names(X, getattr(svc, "feature_names_in_", None))
    return ask(machine, as_rows(X))


def width_of(vectors):
    return len(vectors[0])


def numbers(machine, X):
    """The only pair's decisions."""
    return decisions(machine, X, 1)


# ---- LinearSVC


def linear_training_set(svc, X, y, sample_weight):
    """one_vs_rest_training.training_set; its rows are a Table where they can be."""
    kind = number_kind(one_vs_rest_training.numbers_beside(svc, sample_weight))
    table = table_of(X) if kind is float else None
    if table is None:
        return one_vs_rest_training.training_set(svc, X, y, sample_weight)
    return one_vs_rest_training.training_set_of(svc, table, y, sample_weight, kind)


def rows_to_train(data):
    """one_vs_rest_training.rows_to_train, of a Table if the rows are one."""
    if type(data.rows) is not Table:
        return one_vs_rest_training.rows_to_train(data)
    rows = data.rows if len(data.present) == len(data.rows) else data.rows.at(data.present)
    return rows if data.constant is None else with_constant(rows, data.constant)


@public
class LinearSVC(refsvm.LinearSVC):
    __doc__ = refsvm.LinearSVC.__doc__

    _training_set = staticmethod(linear_training_set)
    _train_machines = staticmethod(
        partial(
            one_vs_rest_training.train_machines,
            rows_of=rows_to_train,
            problem_of=Problem.from_validated,
            passes_of=shuffled_passes,
            solve=dual_coordinate_descent,
        )
    )
    _model_class = OneAgainstOne

    def _decisions(self, X):
        found = linear_decisions(self, X)
        return super()._decisions(X) if found is None else found


def linear_decisions(svc, X):
    """LinearSVC._decisions; None where the oracle is to answer."""
    own = vars(svc)
    W, width = own.get("coef_"), own.get("n_features_in_")
    if type(W) is not list or not W or len(W[0]) != width:
        return None
    machine = machine_of(2, Linear(), table_of(W), None, None, own.get("intercept_"))
    if machine is None:
        return None
    refuse_other_names(X, own.get("feature_names_in_"))
    return pair_decisions(machine, as_rows(X))
