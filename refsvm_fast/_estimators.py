"""The oracle's SVC, which reads arrays without turning them into lists, and trains compiled."""

from functools import partial

import refsvm
from refsvm import pairwise, training_sets
from refsvm.door import number_kind

from ._descent import smo
from ._given import as_rows, table_of
from ._problem import Problem
from ._table import Table
from ._values import decisions, pair_decisions, scores, variance_at, winners
from ._voting import OneAgainstOne


def training_set(svc, X, y, sample_weight):
    """training_sets.training_set; its rows are a Table where they can be."""
    kind = number_kind(training_sets.numbers_beside(svc, sample_weight))
    plain = kind is float and not training_sets.takes_gram(svc.kernel)
    table = table_of(X) if plain else None
    if table is None:
        return training_sets.training_set(svc, X, y, sample_weight)
    return training_sets.data_of(svc, table, y, sample_weight, kind, variance_at)


def train_pairs(data, tol, max_iter, cache_mb):
    """pairwise.train_pairs."""
    problem_of = partial(pair_problem, prices=set(data.C))
    return pairwise.train_pairs(data, tol, max_iter, cache_mb, problem_of, smo)


def pair_problem(data, p, q, prices):
    """pairwise.pair_problem; its rows are a part of the Table. prices: all that data.C has."""
    if type(data.rows) is not Table:
        return pairwise.pair_problem(data, p, q)
    later = set(data.members[q])
    rows = sorted(data.members[p] + data.members[q])
    X = data.rows if len(rows) == len(data.rows) else data.rows.at(rows)
    y = [1 if i in later else -1 for i in rows]
    C = data.C[rows[0]] if len(prices) == 1 else [data.C[i] for i in rows]
    return rows, Problem(X, y, data.kernel, C)


def gathered(data, trained):
    """pairwise.gathered, with a compiled model."""
    support, model = pairwise.gathered(data, trained)
    return support, OneAgainstOne(*model)


class SVC(refsvm.SVC):
    __doc__ = refsvm.SVC.__doc__

    _training_set = staticmethod(training_set)
    _train_pairs = staticmethod(train_pairs)
    _gathered = staticmethod(gathered)

    def predict(self, X):
        found = answers(self, X, winners) if self.break_ties is False else None
        return super().predict(X) if found is None else [self.model_.classes[c] for c in found]

    def decision_function(self, X):
        found, shape = None, self.decision_function_shape
        if type(shape) is str and shape in ("ovr", "ovo") and hasattr(self, "model_"):
            two = len(self.model_.classes) == 2
            of_many = pair_decisions if shape == "ovo" else scores
            found = answers(self, X, numbers if two else of_many)
            if two and found is not None:
                return [-f for f in found]
        return super().decision_function(X) if found is None else found


def answers(svc, X, ask):
    """What the model says of the rows X; None where it is for the oracle to say."""
    model, width = getattr(svc, "model_", None), getattr(svc, "n_features_in_", None)
    machine = model.machine() if type(model) is OneAgainstOne else None
    if machine is None or len(model.vectors[0]) != width:
        return None
    return ask(machine, as_rows(X))


def numbers(machine, X):
    """The only pair's decisions."""
    return decisions(machine, X, 1)
