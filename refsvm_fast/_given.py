"""Rows as a caller gave them, on their way to compiled code (reading.pxi says what that reads)."""

from ._table import Table, packed, readable


def as_rows(X):
    """X as something that can be packed, if its own methods can make it that (see door.py)."""
    for method in ("toarray", "to_numpy", "tolist"):
        if not readable(X) and hasattr(X, method):
            X = getattr(X, method)()
    return X


def table_of(X):
    """The Table of X, which may be one already; None unless it is rows of plain numbers."""
    return X if type(X) is Table else packed(as_rows(X))
