"""The oracle's Model, whose decisions are compiled."""

import refsvm
from refsvm import Linear

from ._answers import decisions, machine_of
from ._deciding import Remembering
from ._given import as_rows, table_of


class Model(Remembering, refsvm.Model):
    __doc__ = refsvm.Model.__doc__

    def decision(self, x):
        found = decisions(Model.machine(self), [x], 1)
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
            if type(self.kernel) is not Linear or not type(self.w) is type(self.vectors) is list:
                return None
            if isinstance(next(iter(self.vectors), None), str) or type(self.b) is not float:
                return None  # the oracle looks at the first of them, or converts all fields
            return machine_of(2, Linear(), table_of([self.w]), None, None, [self.b])
        vectors = self.vectors_packed() if type(self.coef) is list else None
        counts = None if vectors is None else [len(vectors), 0]
        return machine_of(2, self.kernel, vectors, counts, [self.coef], [self.b])

    def to(self, kind):
        return Model(*super().to(kind))
