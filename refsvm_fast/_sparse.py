"""Sparse matrices on their way to compiled code, which reads them row by row (input_arrays.pxi).

Their numbers are never all laid out: text has thousands of features, and hardly any in a row.
"""

SCIPYS = ("csr_matrix", "csr_array", "csc_matrix", "csc_array")


class Compressed:
    """Rows compressed (CSR): those of `values`, each in its column of `places`, that stand between
    two of the `starts`."""

    def __init__(self, X):
        X = X.tocsr()
        self.starts, self.places, self.values = X.indptr, X.indices, X.data
        self.n, self.d = X.shape

    def __len__(self):
        return self.n


def compressed(X):
    """A sparse matrix of SciPy as a Compressed; anything else as it is.

    The type is asked by name, so that SciPy is not imported; a subclass may mean other numbers.
    Of other layouts, toarray() may add numbers of one place in another order than tocsr().
    """
    cls = type(X)
    scipys = cls.__name__ in SCIPYS and cls.__module__.partition(".")[0] == "scipy"
    return Compressed(X) if scipys and len(X.shape) == 2 else X
