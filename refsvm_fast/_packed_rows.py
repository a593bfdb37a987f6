"""What the oracle's problems have besides, so that their rows stay packed: they become lists only
where lists are needed.

    packed   the Table of X if that was rows of plain numbers; a Part of a training set whose
             kernel rows several problems share (shared_rows.pxi); ListedRows (listed_rows.pxi);
             else None
    given    the Table of X, which replaces the others as soon as it is asked for; else None
    table    the Table of the rows to compute with: shifted, if the problem is linear and may be
             moved (refsvm/svm/column_shift.py says why); nearly always `given` itself is shifted
             (_table.pyx), so that there is one of them in memory

X and rows are made, as lists, when they are asked for; to set X to a list makes packed None.
Whatever is not plain, the oracle reads, or refuses.
"""

from refsvm import Kernel, Precomputed
from refsvm.kernels.standard import comparable, ignores_empty_columns
from refsvm.numerics.linalg import dot
from refsvm.numerics.validation import number_kind
from refsvm.svm.problem_rows import ProblemRows

from ._inputs import is_whole, rows_at, table_of
from ._kernel_rows import Part
from ._public import is_own, named_as
from ._solution import (
    moved_by_shift,
    nearest_products,
    plain_dual,
    plain_parts,
    plain_residuals,
    products_with,
    scores_of,
    squared_norms_of,
    unshifted_offsets,
    values_at,
    weights_of,
)
from ._table import ListedRows, Table, shift_of, shifted, symmetric


class Packed:
    """X on its way to convert_rows: as it was given, and as a Table."""

    def __init__(self, X, table):
        self.X, self.table = X, table


def comparable_rows(table, kernel):
    """Whether the kernel can compare the rows of the Table, from which columns may be left out."""
    return table.kept is None or ignores_empty_columns(kernel)


def computes_packed(table, kernel, kind):
    """Whether a problem with this kernel can keep the Table."""
    plain = kind is float and kernel.takes_numbers and comparable_rows(table, kernel)
    return plain and (not isinstance(kernel, Precomputed) or symmetric(table))


class PackedRows:
    """What a problem here inherits before the oracle's class of the same name."""

    computed = (
        *ProblemRows.computed,
        *("packed", "_shifted", "_listed", "_listed_rows", "_points", "_kept"),
    )

    def pack(self, X):
        """X as Packed, unless it is the oracle's to read."""
        # A class made from one of these may do anything, and is the oracle's to compute with.
        table = table_of(X) if is_own(type(self)) else None
        return X if table is None else Packed(X, table)

    def __getstate__(self):
        X = rows_at(self.given) if self._listed is None else self._listed
        return {**super().__getstate__(), "X": X}

    def __setstate__(self, state):
        if isinstance(state, dict) and "X" in state:
            state = {**state, "X": self.pack(state["X"])}
        super().__setstate__(state)

    def convert_rows(self, X, kernel, kind):
        if type(X) is not Packed:
            return super().convert_rows(X, kernel, kind)
        if not computes_packed(X.table, kernel, kind):
            return super().convert_rows(X.X, kernel, kind)
        return X.table

    def set_points(self, rows, kernel, shift=None):
        self.packed = rows if type(rows) in (Table, Part, ListedRows) else None
        super().set_points(rows, kernel, shift)

    def set_rows(self, rows):
        if self.packed is None:
            super().set_rows(rows)
        else:
            self.X = rows

    def compute_shifted_rows(self, shift=None):
        self._shifted = None
        if self.packed is None:
            super().compute_shifted_rows(shift)
        elif self.linear and self.may_shift() and shift is None:
            self.point_shift = shift_of(self.packed)
            self._shifted = shifted(self.packed, self.point_shift)
        else:
            self.point_shift = shift  # if one is given, the rows are shifted already

    @property
    def given(self):
        if type(self.packed) in (Part, ListedRows):
            self.packed = self.packed.table()
        return self.packed

    @property
    def table(self):
        return self._shifted or self.given

    def point_weights(self, alpha):
        plain = self.packed is not None and self.linear and number_kind(alpha) is float
        if not plain or not is_whole(self):
            return super().point_weights(alpha)
        return weights_of(self, self.beta(alpha))

    def scores_of_weights(self, w):
        if self.given is None or not self.linear or set(map(type, w)) != {float}:
            return super().scores_of_weights(w)
        return products_with(self.table, w)

    def nearest_scores(self, w):
        is_packed = self.given is not None and self.linear
        found = nearest_products(self.table, w) if is_packed else None
        return super().nearest_scores(w) if found is None else found

    def scores_and_norm2(self, beta):
        plain = type(beta) is list and set(map(type, beta)) == {float} and len(beta) == self.n
        if not plain or self.given is None or not is_whole(self):
            return super().scores_and_norm2(beta)
        if self.linear:
            w = weights_of(self, beta)
            return self.scores_of_weights(w), dot(w, w)
        return scores_of(self, beta) or super().scores_and_norm2(beta)

    def translated_offsets(self, offsets, alpha, sign):
        plain = self.point_shift and sign == -1 and number_kind(alpha, offsets) is float
        back = None
        if plain and is_whole(self):
            back = unshifted_offsets(self, self.beta(alpha), list(offsets))
        return super().translated_offsets(offsets, alpha, sign) if back is None else back

    def moved_by_shift(self, alpha):
        plain = self.point_shift and self.packed is not None and number_kind(alpha) is float
        moved = None
        if plain and "b" in self.offsets_class._fields and is_whole(self):
            moved = moved_by_shift(self, self.beta(alpha))
        return super().moved_by_shift(alpha) if moved is None else moved

    def values_at(self, *given):
        own = is_own(type(self)) and is_whole(self)
        return own and values_at(self, *given) or super().values_at(*given)

    def bounded_residuals(self, *given):
        own = is_own(type(self)) and is_whole(self)
        return own and plain_residuals(self, *given) or super().bounded_residuals(*given)

    def plain_dual(self, *given):
        return plain_dual(self, *given) if is_own(type(self)) and is_whole(self) else None

    def plain_parts(self, *given):
        return plain_parts(self, *given) if is_own(type(self)) and is_whole(self) else None

    vectors_at = staticmethod(rows_at)  # what a model keeps; an estimator's keeps it packed

    def support_rows(self, support):
        points = type(self.kernel).reference_points
        usual = points in (Kernel.reference_points, Precomputed.reference_points)
        if self.packed is None or not usual:
            return super().support_rows(support)
        return self.vectors_at(self.given, support) if self.kernel.has_rows else support

    def rows_at(self, examples):
        return super().rows_at(examples) if self.packed is None else rows_at(self.given, examples)

    def column_count(self):
        rows = self.packed
        return rows.d if type(rows) in (Table, ListedRows) else super().column_count()

    def row_length(self):
        return super().row_length() if self.packed is None else self.packed.row_length()

    def most_terms(self):
        if self.packed is None:
            return super().most_terms()
        return min(self.row_length(), 2 * (self._shifted or self.packed).most_numbers())

    def squared_norms(self):
        if self.packed is None or not is_whole(self):
            return super().squared_norms()
        return squared_norms_of(self)

    @property
    def X(self):
        if self._listed is None:
            self._listed = rows_at(self.given)
        return self._listed

    @X.setter
    def X(self, rows):
        self._listed = None if rows is self.packed else rows
        if self._listed is not None:
            self.packed = None
        self._listed_rows = self._points = None

    @property
    def points(self):
        if self._points is None:
            self.kept, self._points = (
                comparable(self.kernel, self.X)
                if self.packed is None
                else (self.given.kept, self.given.points() if self.given.kept else self.X)
            )
        return self._points

    @points.setter
    def points(self, points):
        self._points = points

    @property
    def kept(self):
        if self.packed is None:
            return self._kept
        return self.packed.kept if type(self.packed) is ListedRows else self.given.kept

    @kept.setter
    def kept(self, kept):
        self._kept = kept

    @property
    def rows(self):
        if self._listed_rows is None:
            self._listed_rows = self.table.stored_rows() if self.point_shift else self.points
        return self._listed_rows

    @rows.setter
    def rows(self, rows):
        self._listed_rows = rows


named_as("Problem", PackedRows)
