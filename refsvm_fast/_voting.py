"""The oracle's OneAgainstOne, whose decisions, votes and scores are compiled."""

import refsvm
from refsvm import Linear
from refsvm.svm.one_vs_one import pair_terms, pair_weights, pairs

from ._answers import machine_of, pair_decisions, scores, weights_in, winners
from ._deciding import Remembering
from ._given import Chosen, as_rows, table_of


class OneAgainstOne(Remembering, refsvm.OneAgainstOne):
    __doc__ = refsvm.OneAgainstOne.__doc__

    def pair_decisions(self, x):
        found = pair_decisions(OneAgainstOne.machine(self), [x])
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
        """voting.scores_of each row; None where the oracle is to answer."""
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
    """voting.pair_weights, as an array if it can be; vectors may be the Table of the model's."""
    table, w = (vectors or table_of(model.vectors)) if terms else None, None
    if table is not None:
        w = weights_in(table, [v for v, _ in terms], [coef for _, coef in terms])
    return pair_weights(model, terms) if w is None else w


def read_model(path, features=None):
    return OneAgainstOne(*refsvm.read_model(path, features))


read_model.__doc__ = refsvm.read_model.__doc__
