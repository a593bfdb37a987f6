"""The oracle's Model and OneAgainstOne, whose decisions are compiled.

What a model packed for one call serves every later one, in every thread. It is kept with the
model, but is no part of it: a copy or a pickle packs its own. It is used only as long as the lists
it was made from hold the same objects, which are numbers: a number never changes.
"""

from itertools import compress

import refsvm
from refsvm import Gaussian, Linear, Polynomial, Precomputed, Sigmoid
from refsvm.numerics.sparse_rows import SparseRow, rows_from, widened
from refsvm.svm.coupling import checked_calibrations, probabilities_of_pairs
from refsvm.svm.one_vs_one import pair_terms, pair_weights, pairs

from ._inputs import Chosen, as_rows, table_of
from ._public import is_own, named_as, namesake, public
from ._solution import (
    coupled_rows,
    decisions,
    machine_of,
    pair_decisions,
    scores,
    weights_in,
    winners,
)
from ._solution import gram as gram_of_plain
from ._table import are_same

SIMPLE = Gaussian, Linear, Polynomial, Precomputed, Sigmoid  # kernels that have numbers only


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


def remembered(attributes, name, sources, make):
    """make(), or what it made before of the same lists of lists, which is kept, and these with it,
    among the attributes under this name; None of anything but lists of lists."""
    if not all(map(of_lists, sources)):
        return None
    known, made = attributes.get(name, (None, None))
    if not are_same(known, sources):
        known, made = list(map(copied, sources)), make()
        attributes[name] = known, made
    return made


class Remembering:
    """What a model remembers besides its fields."""

    def vectors_packed(self):
        """The Table of the vectors; None if they are not lists of plain numbers."""
        return self.remembered([self.vectors], lambda: table_of(self.vectors))

    def remembered(self, sources, make):
        """make(), or what it made before of the same lists of lists; None of anything else."""
        return remembered(vars(self), "_packed", sources, make)

    def __setattr__(self, name, value):
        first, *others = type(self).__bases__
        if not issubclass(first, tuple):  # and no subclass of the caller's, which has attributes
            theirs = others[0](*self)  # the oracle's: if it has none, it says so
            self = self if hasattr(theirs, "__dict__") else theirs
        object.__setattr__(self, name, value)

    def __getstate__(self):
        return {name: value for name, value in vars(self).items() if name != "_packed"} or None


class Deciding(Remembering):
    """What a model that decides by one number has compiled."""

    def decision(self, x):
        found = self._found([x], 1) if is_own(type(self)) else None
        return super().decision(x) if found is None else found[0]

    def decisions(self, X, *, threads=1):
        found = self._found(X, threads) if is_own(type(self)) else None
        return super().decisions(X, threads=threads) if found is None else found

    def _found(self, X, threads):
        """f of each row of X; None where the oracle is to answer."""
        return decisions(self.machine(), as_rows(X), threads)

    def machine(self):
        """The Machine of this model; None if it is not of plain numbers."""
        if self.w is not None:
            rows = type(self.w) in (list, SparseRow) and type(self.vectors) in (list, Chosen)
            if type(self.kernel) is not Linear or not rows:
                return None
            if type(self.b) is not float or of_strings(self.vectors):
                return None  # the oracle looks at the first of them, or converts all fields
            w = self.remembered([[self.w]], lambda: table_of([self.w]))
            return machine_of(2, Linear(), w, None, None, [self.b])
        vectors = self.vectors_packed() if type(self.coef) is list else None
        counts = None if vectors is None else [len(vectors), 0]
        return machine_of(2, self.kernel, vectors, counts, [self.coef], [self.b])


named_as("Model", Deciding)


def of_strings(vectors):
    """Whether rows in a list are strings; those that are packed are none."""
    return type(vectors) is list and isinstance(next(iter(vectors), None), str)


@public
class Model(Deciding, refsvm.Model):
    __doc__ = refsvm.Model.__doc__


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

    def probabilities_from(self, decisions):
        k = len(self.classes)
        sigmoids = checked_calibrations(self.calibrations, k)
        found = coupled_rows(probabilities_of_pairs(decisions, sigmoids), k)
        return super().probabilities_from(decisions) if found is None else found

    def scores(self, X):
        """one_vs_one.class_scores each row; None where the oracle is to answer."""
        return scores(OneAgainstOne.machine(self), as_rows(X))

    def machine(self):
        """The Machine of this model; None if it is not of plain numbers, or has its own ways."""
        if type(self) is not OneAgainstOne or not type(self.counts) is type(self.coefs) is list:
            return None
        linear = type(self.kernel) is Linear
        sources = [self.vectors, self.coefs, [self.counts]]
        if linear and not all(map(of_lists, sources)):
            return None
        make = self.machine_of_weights if linear else self.machine_of_vectors
        if type(self.vectors) is Chosen:  # a fitted estimator's own: nobody else has its lists
            sources = [self.vectors]
        else:
            sources.append([self.offsets])
        sources += [[self.classes], [[self.kernel]]]
        if type(self.kernel) not in SIMPLE or not all(map(of_lists, sources)):
            return make()
        sources.append([self.kernel.parameters()])  # a caller may set one
        return self.remembered(sources, make)

    def machine_of_vectors(self):
        """The Machine, made anew."""
        vectors = table_of(self.vectors) if of_lists(self.vectors) else None
        given = self.counts, self.coefs, self.offsets
        return machine_of(len(self.classes), self.kernel, vectors, *given)

    def machine_of_weights(self):
        """The same of a linear model, by the w of each pair."""
        given = self.weights_packed(), None, None, self.offsets
        return machine_of(len(self.classes), self.kernel, *given)

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
    if table.kept is None:
        return w
    places = list(compress(range(len(w)), w))
    return widened(table.kept, rows_from([(places, [w[k] for k in places])], len(w))[0])


@namesake(refsvm.gram)
def gram(kernel, X, Z=None, *, threads=1):
    found = gram_of_plain(kernel, X, Z, threads)
    return refsvm.gram(kernel, X, Z, threads=threads) if found is None else found
