"""Rows as they are given, on their way to compiled code (input_arrays.pxi says what that reads).

Many of them are worked on some at a time, maybe in several threads.
"""

from refsvm.numerics.conversion import arrow_lists, is_date, refuse_broken_matrix, rows_of_matrix
from refsvm.numerics.sparse_rows import (
    KeptColumns,
    SparseRow,
    mostly_zero,
    rows_from,
    widened,
)

from ._compressed import Compressed
from ._sparse import compressed_rows, narrowed
from ._table import Table, listed_rows, packed, readable

PART = 256  # rows for one thread at a time
# Cycles, by Table.cost, of a sweep or another job: one thread does what takes less, since two on
# idle cores would hardly be 1.3 times as fast. Where threads must begin first, PART times as many.
WORTH_SHARING = 200_000
SCIPYS = ("csr_matrix", "csr_array", "csc_matrix", "csc_array")


def as_rows(X):
    """X as something that can be packed, if its own methods can make it that: see validation."""
    rows = compressed(X)
    try:
        if hasattr(X, "to_pylist"):
            rows = arrow_lists(X)
        for method in ("toarray", "to_numpy", "tolist"):
            if not readable(rows) and hasattr(rows, method) and not is_date(rows):
                rows = getattr(rows, method)()
    except MemoryError:
        raise
    except Exception:
        return X  # which the oracle's own check refuses
    return rows


def compressed(X):
    """A sparse matrix of SciPy, or a list of sparse rows, as a Compressed; others as they are.

    The type is asked by name, so that SciPy is not imported; a subclass may mean other numbers.
    Of other layouts, toarray() may add numbers of one place in another order than tocsr().
    """
    refuse_broken_matrix(X)
    if type(X) is list and X and all(type(row) is SparseRow for row in X):
        return compressed_rows(X)
    try:
        return _compressed_matrix(X)
    except MemoryError:
        raise
    except Exception:  # a caller can set any part: the oracle then says what is no sequence
        return X


def as_it_lies(X, width):
    """A CSR matrix of SciPy of this width as a Compressed that is not checked; None of others."""
    if not _is_scipys(type(X), SCIPYS[:2]):
        return None
    try:
        starts, n = X.indptr, len(X.indptr) - 1
        if starts[0] or X.shape != (n, width):
            return None
        found = Compressed(starts, X.indices, X.data, n, width)
    except Exception:  # a caller can set any part
        return None
    found.checked = False
    return found


def _is_scipys(cls, names):
    return cls.__name__ in names and cls.__module__.partition(".")[0] == "scipy"


def _compressed_matrix(X):
    if _is_scipys(type(X), SCIPYS) and len(X.shape) == 2:
        csr = X.tocsr()
        if not csr.data.all():
            csr = csr.copy()
            csr.eliminate_zeros()
        return Compressed(csr.indptr, csr.indices, csr.data, *csr.shape)
    rows = rows_of_matrix(X)
    return X if rows is None else compressed(rows)


def table_of(X):
    """The Table of X, which may be one already; None unless it is rows of plain numbers.

    Columns that occur in no row are left out of it, if X is sparse and nearly all zero.
    """
    if type(X) is Chosen:
        return X.table()
    if type(X) is Table:
        return X
    X = narrowed(as_rows(X))
    table = packed(X)
    if table is not None:
        table.kept = getattr(X, "kept", None)
    return table


def rows_to_descend(X):
    """What a linear machine without an offset trains on: the ListedRows of X where these can be
    made, else the Table; None unless X is rows of plain numbers."""
    X = as_rows(X)
    return (listed_rows(X) if type(X) is Compressed else None) or table_of(X)


def rows_at(table, wanted=None):
    """The rows of a Table with these indices, which differ, as table[i] has them; or all."""
    wanted = list(range(len(table))) if wanted is None else wanted
    entries = table.entries_at(wanted)
    if entries is None:
        return [table[i] for i in wanted]
    return [
        widened(table.kept, rows_from([found], table.d)[0])
        if mostly_zero(1, table.d, len(found[0]))
        else table[i]
        for i, *found in zip(wanted, *entries)
    ]


def without_zeros(X):
    """Rows of plain numbers as a Compressed; None if they are not such."""
    table = packed(X)
    if table is None:
        return None
    every = KeptColumns(range(table.d), table.d)
    return compressed_rows([SparseRow(every, point) for point in table.points()])


def is_whole(problem):
    """Whether lists that have a number for each example are lists, as long as there are rows.
    Compiled code reads them unchecked, and a caller may have put others into the problem since it
    was checked."""
    rows = getattr(problem, "packed", None)
    if problem.n != len(problem.rows if rows is None else rows):
        return False
    lists = ("y", "C") if hasattr(problem, "slack") else ("y", "example_weights")
    found = [getattr(problem, name) for name in lists if hasattr(problem, name)]
    return all(type(values) is list and len(values) == problem.n for values in found)


class Chosen:
    """Some rows of a Table, which become one of their own when they are computed with.

    Until then they need no room but the Table's, which is less than their lists would take if a
    quarter of the rows are chosen (a float in a list: 32 bytes); of fewer it is made at once.
    """

    def __init__(self, table, places):
        self.source = table, places
        if 4 * len(places) < len(table):
            self.table()

    def table(self):
        """The Table of these rows; the others are forgotten."""
        table, places = self.source
        if places is not None:
            table = table.at(places)
            self.source = table, None
        return table

    def __len__(self):
        table, places = self.source
        return len(table if places is None else places)

    def __getitem__(self, v):
        table = self.table()
        return [table[i] for i in range(len(table))[v]] if isinstance(v, slice) else table[v]

    def rows(self):
        """The rows as lists of floats, as they were given."""
        table, places = self.source
        return rows_at(table, places)


def row_length(rows):
    """How many numbers the first of these rows has; one that is packed is not laid out for it."""
    return rows.table().row_length() if type(rows) is Chosen else len(rows[0])


def in_parts(work, n, threads, cycles):
    """The lists work(0), work(PART), work(2 PART) .. below n as one; None if one of them is.

    cycles: about so many of a row can be shared.
    """
    begins = range(0, n, PART)
    if threads > 1 and n * cycles >= PART * WORTH_SHARING:
        from concurrent.futures import ThreadPoolExecutor  # which takes long to import

        with ThreadPoolExecutor(min(threads, len(begins))) as pool:
            return joined(pool.map(work, begins))
    return joined(map(work, begins))


def joined(parts):
    """All lists as one; None as soon as one of them is."""
    answers = []
    for part in parts:
        if part is None:
            return None
        answers += part
    return answers
