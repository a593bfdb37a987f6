"""The oracle's SVC, and what estimators share: arrays are read as they are, all is compiled."""

from array import array
from functools import partial
from itertools import chain
from math import inf

import refsvm
from refsvm import Gaussian, Linear, Polynomial, Precomputed
from refsvm.estimators import kernel_estimator, pairwise_training
from refsvm.estimators.estimator import refuse_other_names
from refsvm.estimators.kernel_estimator import takes_gram, variance
from refsvm.estimators.pairwise_training import PairTraining
from refsvm.kernels.value_errors import has_norms_as_sizes, roundings_of
from refsvm.numerics.validation import not_negative, number_kind
from refsvm.solvers.ascent_loop import window
from refsvm.solvers.conjugate_gradient import selector
from refsvm.solvers.smo import MAX_STEP_ROWS

from ._inputs import Chosen, as_rows, row_length, table_of
from ._kernel_rows import Part, whole_of
from ._models import OneAgainstOne, weights
from ._packed_rows import comparable_rows, computes_packed
from ._problem import Problem
from ._public import named_as, public
from ._smo import TrainedPairs, trained_pairs
from ._solution import (
    decisions,
    ordinary_variance,
    pair_decisions,
    scores,
    sparse_variance,
    winners,
)
from ._solution import gather as gather_packed
from ._solvers import smo
from ._table import Table, shift_of, shifted, symmetric

# Kernels with which many pairs may be trained in one room.
TOGETHER = {Gaussian, Linear, Polynomial}

ON_DEMAND = {  # attributes that are made when they are asked for: of what
    "support_vectors_": "_packed_",
    "model_": "_packed_",
    "solutions_": "_trained_",
}


def packed_rows(X, beside, suits):
    """The rows of X as a Table that suits, and their kind; None where the oracle is to read."""
    kind = number_kind(beside)
    table = table_of(X) if kind is float else None
    return None if table is None or not suits(table) else (table, kind)


def part_of(table, rows, kernel):
    """The Table of these rows; of a Gram matrix, of these columns, too."""
    if len(rows) == len(table):
        return table
    if not isinstance(kernel, Precomputed):
        return table.at(rows)
    return table_of(list(map(selector(rows, len(table)), table.at(rows).rows())))


def attributes_made_of(kept):
    """The attributes that are made of a packed model, or of TrainedPairs."""
    if type(kept) is TrainedPairs:
        return {"solutions_": kept.solutions()}
    return kernel_estimator.model_attributes(kept._replace(vectors=kept.vectors.rows()))


class PackedEstimator:
    """An estimator with a kernel that trains on a Table, and whose model keeps its vectors packed.

    As lists, and the model with them, they are made when they are first asked for: that takes as
    long as many a fit, and four times the room of what is packed.
    """

    def _read(self, X, beside):
        return packed_rows(X, beside, self._suits) or super()._read(X, beside)

    def _suits(self, table):
        """Whether one can train on the Table with this parameter `kernel`."""
        if takes_gram(self.kernel):
            return table.kept is None and symmetric(table)
        return type(self.kernel) is str or comparable_rows(table, self.kernel)

    def _variance(self, data):
        table, present = data.rows, data.present
        if type(table) is not Table:
            return super()._variance(data)
        v = (sparse_variance if table.kept else ordinary_variance)(table, present)
        return variance([table[i] for i in present], float) if v is None else (v, 0)

    def _solve(self, problem, tol, max_iter, **options):
        return smo(problem, tol, max_iter, **options)

    def _model_attributes(self, model):
        if type(model.vectors) is Chosen:
            return {"_packed_": model}
        return super()._model_attributes(model)

    def __getattr__(self, name):
        source = ON_DEMAND.get(name)
        kept = vars(self).get(source)
        if kept is not None:
            for attribute, value in attributes_made_of(kept).items():
                vars(self).setdefault(attribute, value)  # what a caller put there stays
            vars(self).pop(source, None)
        return object.__getattribute__(self, name)

    def __dir__(self):
        to_come = [name for name, source in ON_DEMAND.items() if source in vars(self)]
        return {*super().__dir__(), *to_come}

    def __getstate__(self):
        for name in ON_DEMAND:
            getattr(self, name, None)  # so that the oracle's attributes are all there is
        state = super().__getstate__()
        for source in ON_DEMAND.values():
            state.pop(source, None)
        return state

    def _kept_model(self):
        own = vars(self)
        return own["model_"] if "model_" in own else own.get("_packed_")


class PackedPairs(PackedEstimator):
    """SVC, and NuSVC: a machine for each pair of classes."""

    def _shift(self, data):
        table = data.rows
        return shift_of(table, data.present) if type(table) is Table else super()._shift(data)

    def _gather(self, data, trained):
        if type(data.rows) is not Table or isinstance(data.kernel, Precomputed):
            support, model = super()._gather(data, trained)
            return support, OneAgainstOne(*model)
        if type(trained) is TrainedPairs:
            alphas, offsets = trained.multipliers(), trained.offsets()
        else:
            of_pairs = chain.from_iterable(pair.solution.alpha for pair in trained)
            alphas = array("d", of_pairs).tobytes()
            offsets = [-pair.solution.b for pair in trained]
        support, counts, coefs = gather_packed(data.members, alphas, len(data.rows))
        vectors = Chosen(data.rows, support) if support else []
        return support, OneAgainstOne(data.classes, data.kernel, vectors, counts, coefs, offsets)

    @property
    def coef_(self):
        packed = vars(self).get("_packed_")
        if packed is None or packed is not self._kept_model() or type(packed.kernel) is not Linear:
            return super().coef_
        return kernel_estimator.weights_by_pair(packed, self.n_features_in_, weights)

    def predict(self, X):
        found = found_by_model(self, X, winners) if self.break_ties is False else None
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
            found = found_by_model(self, X, decisions_of_two if two else of_many)
            if two and found is not None:
                return [-f for f in found]
        return super().decision_function(X) if found is None else found


@public
class SVC(PackedPairs, refsvm.SVC):
    __doc__ = refsvm.SVC.__doc__

    def _pair_problem(self, data, p, q):
        if type(data.rows) is Table:
            return packed_problem(table_to_train(data), None, data, p, q)
        rows, theirs = super()._pair_problem(data, p, q)
        if data.shift is not None:  # what is to be shifted is the oracle's, if it is no Table yet
            return rows, theirs
        kernel, kind = data.kernel, data.kind
        table = table_of(theirs.X)
        X = theirs.X if table is None or not computes_packed(table, kernel, kind) else table
        return rows, Problem.from_validated(kind, X, theirs.y, kernel, theirs.C)

    def _trained(self, data, steps, cache_mb, watch=pairwise_training.unwatched):
        if type(data.rows) is not Table:
            return super()._trained(data, steps, cache_mb, watch)
        table = table_to_train(data)
        whole = shared_by_pairs(table, data, float(cache_mb))  # the rows of the kernel
        problem_of = partial(packed_problem, table, whole)
        training = PairTraining(self.tol, steps, cache_mb, problem_of, self._solve, watch)
        found = None
        if watch is pairwise_training.unwatched:
            found = trained_together(data, training, table, whole)
        return pairwise_training.train_pairs(data, training) if found is None else found

    def _attributes_of_endings(self, trained):
        if type(trained) is not TrainedPairs:
            return super()._attributes_of_endings(trained)
        return {
            "n_iter_": trained.iterations(),
            "fit_status_": 0 if trained.all_optimal() else 1,
            "_trained_": trained,
        }


named_as("SVC", PackedEstimator)
named_as("SVC", PackedPairs)


def table_to_train(data):
    """The Table of the rows of a TrainingSet, shifted if they have a shift."""
    return data.rows if data.shift is None else shifted(data.rows, data.shift)


def shared_by_pairs(table, data, cache_mb):
    """The Whole of which each pair sees a Part; None if every pair is for itself."""
    *_, second, first = sorted(map(len, data.members))
    return whole_of(table, data.kernel, cache_mb, len(data.members), first + second)


def trained_together(data, training, table, whole):
    """train_pairs without objects for each pair (many_pairs.pxi); None where each is to be trained
    by itself. whole: what pairs share; None: nothing."""
    largest = sorted(sorted(range(len(data.members)), key=lambda c: len(data.members[c]))[-2:])
    plain = type(data.kernel) in TOGETHER and inf not in data.C and len(data.members) > 2
    plain = plain and not (data.shift and any(data.shift))
    if not plain or sum(len(data.members[c]) for c in largest) > MAX_STEP_ROWS:
        return None
    if not has_norms_as_sizes(data.kernel):
        return None
    training = training._replace(tol=not_negative(data.kind, training.tol, "tol"))
    steps = training.max_iter
    most = window(1) if steps is None else min(steps, window(1))  # none ends before

    def alone(p, q):
        return pairwise_training.train_pair(data, training, p, q).solution

    try:
        problem = training.problem_of(data, *largest)[1]
        numbers, columns = [table.at(c).most_numbers() for c in data.members], table.row_length()
        roundings = [roundings_of(problem.kernel, min(columns, 2 * m)) for m in numbers]
        apart = table if whole is None else None
        given = data.members, data.C, apart, problem, training.tol, most, float(training.cache_mb)
        return trained_pairs(*given, roundings, alone)
    except ValueError:  # values beyond the doubles: one by one they say which pair's
        if type(data.kernel) is Gaussian:
            raise
        return None


def packed_problem(table, whole, data, p, q):
    """SVC._pair_problem of a Table, which may be a Part of the Whole."""
    rows, y, C = pairwise_training.pair_rows(data, p, q)
    X = part_of(table, rows, data.kernel) if whole is None else Part(whole, rows)
    return rows, Problem.from_validated(data.kind, X, y, data.kernel, C, shift=data.shift)


def found_by_model(svc, X, ask):
    """What the fitted model says of the rows X: ask(its Machine, X). None where the oracle is to
    answer."""
    model, width = svc._kept_model(), getattr(svc, "n_features_in_", None)
    machine = model.machine() if type(model) is OneAgainstOne else None
    if machine is None or row_length(model.vectors) != width:
        return None
    refuse_other_names(X, getattr(svc, "feature_names_in_", None))
    return ask(machine, as_rows(X))


def decisions_of_two(machine, X):
    """The only pair's decisions."""
    return decisions(machine, X, 1)
