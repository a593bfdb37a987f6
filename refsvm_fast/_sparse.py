"""Sparse matrices on their way to compiled code, which reads them row by row (input_arrays.pxi).

Their numbers are never all laid out: text has thousands of features, and hardly any in a row. And
columns that occur in no row are left out, as in refsvm/numerics/sparse_rows.py.
"""

from array import array

from refsvm.numerics.sparse_rows import KeptColumns, SparseRow, mostly_zero, rows_of_matrix

SCIPYS = ("csr_matrix", "csr_array", "csc_matrix", "csc_array")


class Compressed:
    """Rows compressed (CSR): those of `values`, none of them zero, each in its column of `places`,
    that stand between two of the `starts`. `kept`: which columns of the rows given these are; None
    if all. `thin`: whether those that occur in no row are left out, even if most of the others
    occur in most."""

    thin = False

    def __init__(self, starts, places, values, n, d, kept=None):
        self.starts, self.places, self.values = starts, places, values
        self.n, self.d, self.kept = n, d, kept

    def __len__(self):
        return self.n

    def columns(self):
        """The places that occur, as a set; None if some are no columns at all."""
        found = set(self.places.tolist()) if hasattr(self.places, "tolist") else {-1}
        return None if found and not (0 <= min(found) and max(found) < self.d) else found

    def over(self, kept):
        """The same rows over columns among which are all that occur."""
        index = {place: k for k, place in enumerate(kept.places)}
        places = array("q", map(index.__getitem__, self.places.tolist()))
        return Compressed(self.starts, places, self.values, self.n, len(index), kept)


def compressed(X):
    """A sparse matrix of SciPy, or a list of sparse rows, as a Compressed; others as they are.

    The type is asked by name, so that SciPy is not imported; a subclass may mean other numbers.
    Of other layouts, toarray() may add numbers of one place in another order than tocsr().
    """
    cls = type(X)
    if cls is list and X and all(type(row) is SparseRow for row in X):
        return compressed_rows(X)
    if (
        cls.__name__ in SCIPYS
        and cls.__module__.partition(".")[0] == "scipy"
        and len(X.shape) == 2
    ):
        X = X.tocsr()
        if not X.data.all():  # zeros that are stored are no numbers of a row
            X = X.copy()
            X.eliminate_zeros()
        return Compressed(X.indptr, X.indices, X.data, *X.shape)
    rows = rows_of_matrix(X)
    return X if rows is None else compressed(rows)


def compressed_rows(rows):
    """Sparse rows as a Compressed; as they are, if they are not of floats and of one length."""
    items = [list(row.items()) for row in rows]
    values = [v for of_row in items for _, v in of_row]
    if set(map(type, values)) - {float} or len(set(map(len, rows))) > 1:
        return rows
    starts = array("q", [0])
    for of_row in items:
        starts.append(starts[-1] + len(of_row))
    places = array("q", [k for of_row in items for k, _ in of_row])
    found = Compressed(starts, places, array("d", values), len(rows), len(rows[0]))
    found.thin = True
    return found


def narrowed(X):
    """A Compressed that is thin over the columns that occur; others as they are."""
    if type(X) is not Compressed or not (X.thin or mostly_zero(X.n, X.d, len(X.values))):
        return X
    found = X.columns()
    return X if found is None else X.over(KeptColumns(sorted(found) or [0], X.d))


def in_common(X, kept):
    """(the columns that occur in X or are kept, for each of them whether it was kept, as bytes);
    None if X has another number of columns in all."""
    found = X.columns() if X.d == kept.width else None
    if found is None:
        return None
    own = set(kept.places)
    places = kept.places if found <= own else sorted(found | own)
    return KeptColumns(places, X.d), bytes(map(own.__contains__, places))
