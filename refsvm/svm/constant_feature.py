"""A constant feature in the place of an offset: every row is one number longer, the same for all.

    x'  =  (x, s)        w'  =  (w, v)        <w', x'>  =  <w, x> + s v

So s v does what an offset b does, in a problem that has none. But |w'|^2 holds v^2: such an offset
is penalised, and the less, the larger s is. It is another problem with another answer, unless the
offset is 0; LIBLINEAR solves it, where an offset that moves by itself costs more.

    s    the constant, above zero        v    its weight

Source: Hsieh, Chang, Lin, Keerthi and Sundararajan, A dual coordinate descent method for
large-scale linear SVM, ICML 2008, section 1.
"""

from __future__ import annotations

from typing import Any

from ..numerics.exact_sums import nearest_offset
from ..numerics.sparse_rows import KeptColumns, SparseRow
from ..numerics.types import Number, Row, Vector, VectorLike


def with_constant(rows: list[Row], s: Number) -> list[Any]:
    """Return the rows with s behind their numbers; sparse rows stay so, and share their columns.

    >>> with_constant([[1.0, 2.0], [3.0, 4.0]], 10.0)
    [[1.0, 2.0, 10.0], [3.0, 4.0, 10.0]]
    >>> with_constant([SparseRow(KeptColumns([4], 9), [0.5])], 1.0)
    [SparseRow({4: 0.5, 9: 1.0}, width=10)]
    """
    known: dict[int, KeptColumns] = {}  # by identity of the columns before

    def lengthened(row: Any) -> Any:
        if not isinstance(row, SparseRow):
            return [*row, s]
        places, width = row.kept
        if id(row.kept) not in known:
            known[id(row.kept)] = KeptColumns([*places, width], width + 1)
        return SparseRow(known[id(row.kept)], lengthened(row.numbers), row.zero)

    return [lengthened(row) for row in rows]


def offset_apart(w: VectorLike, s: Number) -> tuple[Vector, Number]:
    """Return (the weights but for the last, s times the last): a weight vector and its offset.

    ValueError if the offset is beyond the doubles.


    >>> offset_apart([1.0, 2.0, 3.0], 10.0)
    ([1.0, 2.0], 30.0)
    >>> offset_apart(SparseRow(KeptColumns([4, 9], 10), [0.5, 2.0]), 1.0)
    (SparseRow({4: 0.5}, width=9), 2.0)
    """
    return _without_last(w), nearest_offset(0 * s, [w[-1]], [s], 1)


def _without_last(row: Any) -> Any:
    """Return the row but for its last number."""
    if not isinstance(row, SparseRow):
        return row[:-1] if type(row) is list else list(row[:-1])
    places, width = row.kept
    return SparseRow(KeptColumns(places[:-1], width - 1), _without_last(row.numbers), row.zero)
