"""Sparse matrices on their way to compiled code, which reads them row by row (input_arrays.pxi).

Their numbers are never all laid out: text has thousands of features, and hardly any in a row. And
columns that occur in no row are left out, as in refsvm/numerics/sparse_rows.py.
"""

from refsvm.numerics.sparse_rows import KeptColumns, mostly_zero

from ._compressed import Compressed
from ._table import numbers_of_rows, occurring


def compressed_rows(rows):
    """Sparse rows as a Compressed; as they are, if they are not of floats and of one length."""
    parts = numbers_of_rows(rows)
    if parts is None:
        return rows
    found = Compressed(*parts, len(rows), len(rows[0]))
    found.thin = True
    return found


def narrowed(X):
    """A Compressed that is thin over the columns that occur; others as they are."""
    if type(X) is not Compressed or not (X.thin or mostly_zero(X.n, X.d, len(X.values))):
        return X
    found = occurring(X)
    if found is None:
        return X
    columns, places = found
    kept = KeptColumns(columns or [0], X.d)
    return Compressed(X.starts, places, X.values, X.n, len(kept.places), kept)
