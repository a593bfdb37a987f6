"""The oracle's Solution, Model and OneAgainstOne, whose decisions are compiled.

What a model packed for one call serves every later one. It is kept with the model, but is no part
of it: a copy or a pickle packs its own. It is used only as long as the lists it was made from hold
the same numbers.
"""

import refsvm
from refsvm import Kernel, Linear, Precomputed
from refsvm.numerics.sparse_rows import SparseRow, widened
from refsvm.svm.one_vs_one import pair_terms, pair_weights, pairs

from ._inputs import Chosen, as_rows, rows_at, table_of
from ._public import public
from ._solution import (
    decisions,
    machine_of,
    pair_decisions,
    scores,
    weights_in,
    winners,
)


def of_lists(values):
    """Whether these are rows in a list, or packed, as training leaves them."""
    if type(values) is Chosen:
        return True
    return type(values) is list and set(map(type, values)) in ({list}, {SparseRow})


def copied(values):
    """These rows in a list, as they are now; what is packed or sparse does not change."""
    if type(values) is Chosen:
        return values
    return [list(row) if type(row) is list else row for row in values]


class Remembering:
    """What a model remembers besides its fields."""

    def vectors_packed(self):
        """The Table of the vectors; None if they are not lists of plain numbers."""
        return self.remembered([self.vectors], lambda: table_of(self.vectors))

    def remembered(self, sources, make):
        """make(), or what it made before of the same lists of lists; None of anything else."""
        if not all(map(of_lists, sources)):
            return None
        known, made = vars(self).get("_packed", ([], None))
        if known != sources:
            known, made = list(map(copied, sources)), make()
            vars(self)["_packed"] = known, made
        return made

    def __setattr__(self, name, value):
        first, *others = type(self).__bases__
        if first is Remembering:  # and not a subclass of the caller's, which may have attributes
            self = others[0](*self)  # the oracle's, which has none, and says so
        object.__setattr__(self, name, value)

    def __getstate__(self):
        return {name: value for name, value in vars(self).items() if name != "_packed"} or None


@public
class Model(Remembering, refsvm.Model):
    __doc__ = refsvm.Model.__doc__

    def decision(self, x):
        found = decisions(Model.machine(self), as_rows([x]), 1)
        return super().decision(x) if found is None else found[0]

    def decisions(self, X, *, threads=1):
        found = decisions(Model.machine(self), as_rows(X), threads)
        if found is None:
            return super().decisions(X, threads=threads)
        return found

    def machine(self):
        """The Machine of this model; None if it is not of plain numbers, or has its own ways."""
        if type(self) is not Model:
            return None
        if self.w is not None:
            rows = type(self.w) in (list, SparseRow) and type(self.vectors) is list
            if type(self.kernel) is not Linear or not rows:
                return None
            if isinstance(next(iter(self.vectors), None), str) or type(self.b) is not float:
                return None  # the oracle looks at the first of them, or converts all fields
            return machine_of(2, Linear(), table_of([self.w]), None, None, [self.b])
        vectors = self.vectors_packed() if type(self.coef) is list else None
        counts = None if vectors is None else [len(vectors), 0]
        return machine_of(2, self.kernel, vectors, counts, [self.coef], [self.b])

    def to(self, kind):
        return Model(*super().to(kind))


@public
class Solution(refsvm.Solution):
    __doc__ = refsvm.Solution.__doc__

    def model(self):
        problem = self.problem
        table, points = getattr(problem, "given", None), type(problem.kernel).reference_points
        if table is None or points not in (Kernel.reference_points, Precomputed.reference_points):
            return Model(*super().model())
        beta, kernel = problem.beta(self.alpha), problem.kernel
        support = [i for i, c in enumerate(beta) if c != 0]
        return Model(
            b=self.b,
            coef=[beta[i] for i in support],
            vectors=rows_at(table, support) if kernel.has_rows else support,
            kernel=kernel,
            w=problem.weights(self.alpha) if type(kernel) is Linear else None,
        )


@public
class OneAgainstOne(Remembering, refsvm.OneAgainstOne):
    __doc__ = refsvm.OneAgainstOne.__doc__

    def pair_decisions(self, x):
        found = pair_decisions(OneAgainstOne.machine(self), as_rows([x]))
        if found is None:
            return super().pair_decisions(x)
        return found[0]

    def decisions(self, X):
        found = pair_decisions(OneAgainstOne.machine(self), as_rows(X))
        if found is None:
            return super().decisions(X)
        return found

    def predictions(self, X):
        found = winners(OneAgainstOne.machine(self), as_rows(X))
        return super().predictions(X) if found is None else [self.classes[c] for c in found]

    def scores(self, X):
        """one_vs_one.scores_of each row; None where the oracle is to answer."""
        return scores(OneAgainstOne.machine(self), as_rows(X))

    def machine(self):
        """The Machine of this model; None if it is not of plain numbers, or has its own ways."""
        if type(self) is not OneAgainstOne or not type(self.counts) is type(self.coefs) is list:
            return None
        kernel, k = self.kernel, len(self.classes)
        if type(kernel) is not Linear:
            vectors = self.vectors_packed()
            return machine_of(k, kernel, vectors, self.counts, self.coefs, self.offsets)
        weights = self.remembered([self.vectors, self.coefs, [self.counts]], self.weights_packed)
        return machine_of(k, kernel, weights, None, None, self.offsets)

    def weights_packed(self):
        """The Table of w of each pair; None where there are none, or some are beyond doubles."""
        k, vectors = len(self.classes), table_of(self.vectors)
        if machine_of(k, self.kernel, vectors, self.counts, self.coefs, self.offsets) is None:
            return None
        model = self if type(self.vectors) is Chosen else self.to(float)
        try:
            terms = [pair_terms(model, p, q) for p, q in pairs(k)]
            return table_of([weights(model, of_pair, vectors) for of_pair in terms])
        except ValueError:
            return None


def weights(model, terms, vectors=None):
    """one_vs_one.pair_weights, as an array if it can be; vectors: the Table, if there is one."""
    table, w = (vectors or table_of(model.vectors)) if terms else None, None
    if table is not None:
        w = weights_in(table, [v for v, _ in terms], [coef for _, coef in terms])
    if w is None:
        return pair_weights(model, terms)
    return w if table.kept is None else widened(table.kept, w.tolist())
