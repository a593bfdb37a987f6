"""A constant feature: the problem with it, and its weight as an offset."""

from fractions import Fraction as F

import pytest
from hypothesis import given
from hypothesis import strategies as st

import refsvm
from refsvm.numerics.sparse_rows import SparseRow, rows_from
from refsvm.svm.constant_feature import offset_apart, with_constant

ROW = st.dictionaries(st.integers(0, 999), st.integers(-3, 3).map(float), max_size=3)


@given(st.lists(ROW, min_size=1, max_size=4), st.sampled_from([0.5, 1.0, 10.0]))
def test_sparse_rows_are_lengthened_as_lists_are(items, s):
    rows = rows_from([(sorted(row), [row[k] for k in sorted(row)]) for row in items], 1000)
    longer = with_constant(rows, s)
    assert [list(row) for row in longer] == [[*row, s] for row in rows]
    for row, before in zip(longer, rows):
        assert isinstance(row, SparseRow) and len(row.kept.places) == len(before.kept.places) + 1
        w, b = offset_apart(row, s)
        assert isinstance(w, SparseRow) and list(w) == list(before) and b == s * s


def test_rows_that_share_their_columns_still_do():
    first, second = with_constant(rows_from([([7], [1.0])], 99) * 2, 1.0)
    assert first.kept is second.kept


def test_the_larger_the_constant_the_less_the_offset_is_penalised():
    offsets = []
    for s in (F(1, 4), F(1), F(4), F(16)):
        rows = with_constant([[F(5)], [F(6)], [F(9)]], s)
        optimum = refsvm.solve_exactly(refsvm.Problem(rows, [-1, 1, 1], C=F(1, 10), bias=False))
        w, b = offset_apart(optimum.w, s)
        assert optimum.w_norm2 == w[0] ** 2 + (b / s) ** 2
        offsets.append(abs(b))
    assert offsets == sorted(offsets) and offsets[0] < offsets[-1]


def test_an_offset_beyond_the_doubles_is_refused():
    with pytest.raises(ValueError, match="offset of the linear machine is beyond any double"):
        offset_apart([1.0, 1e200], 1e200)
