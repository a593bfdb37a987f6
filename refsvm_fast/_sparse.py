"""Sparse matrices on their way to compiled code, which reads them row by row (input_arrays.pxi).

Their numbers are never all laid out: text has thousands of features, and hardly any in a row. And
columns that occur in no row are left out, as in refsvm/numerics/sparse_rows.py.
"""

from array import array
from itertools import accumulate, chain

from refsvm.numerics.sparse_rows import KeptColumns, mostly_zero

from ._compressed import Compressed
from ._table import occurring


def compressed_rows(rows):
    """Sparse rows as a Compressed; as they are, if they are not of floats and of one length."""
    if len(set(map(len, rows))) > 1:
        return rows
    parts = list(map(listed, rows))
    values = list(chain.from_iterable(numbers for _, numbers in parts))
    lengths = [len(numbers) for _, numbers in parts]
    if set(map(type, values)) - {float}:
        return rows
    starts = array("q", accumulate(lengths, initial=0))
    places = array("q", chain.from_iterable(columns for columns, _ in parts))
    found = Compressed(starts, places, array("d", values), len(rows), len(rows[0]))
    found.thin = True
    return found


def listed(row):
    """(columns, numbers) of a sparse row, without zeros."""
    columns, numbers = row.kept.places, row.numbers
    if type(numbers) is list and len(columns) == len(numbers) and all(numbers):
        return columns, numbers
    items = list(row.items())
    return [k for k, _ in items], [v for _, v in items]


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
