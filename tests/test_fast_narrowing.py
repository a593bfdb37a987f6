"""Compiled code for rows nearly all zero: bits, whatever the columns are and however they come."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from profiles import draws, one_in

import refsvm
import refsvm_fast
from refsvm.numerics.sparse_rows import KeptColumns, SparseRow

pytestmark = pytest.mark.skipif(not refsvm_fast.COMPILED, reason="nothing is compiled")

# A table with a slot for every column, one by hash, and places that no double holds.
WIDTHS = [400, 10**6, 2**60]


@st.composite
def texts(draw, rows):
    """(sparse rows, some of which may have no number; their width)."""
    width = draw(st.sampled_from(WIDTHS))
    near = st.sampled_from([0, 1, 2, width // 2, width - 2, width - 1])
    words = st.dictionaries(near, st.sampled_from([-1.5, 0.1, 0.3, 2.0, 1e-300]), max_size=5)
    items = draw(st.lists(words, min_size=rows, max_size=rows + 5))
    kept = [KeptColumns(sorted(row), width) for row in items]
    return [SparseRow(k, [row[p] for p in k.places]) for k, row in zip(kept, items)], width


def alike(left, right):
    assert repr(left) == repr(right)


def signs(rows):
    return [1 if i % 2 else -1 for i in range(len(rows))]


@draws(0.3)
@given(texts(4), texts(1), st.integers(2, 3))
def test_decisions_are_the_oracles(some, others, k):
    (X, width), (Q, other) = some, others
    labels, answers = [i % k for i in range(len(X))], []
    for package in (refsvm, refsvm_fast):
        svc = package.LinearSVC(tol=10).fit(X, labels)
        model = package.smo(package.Problem(X, signs(X)), max_iter=9).model()
        answers.append((svc.coef_, svc.decision_function(X), model, model.decisions(X)))
        if width == other:
            answers[-1] += (svc.decision_function(Q), model.decisions(Q), model.decision(Q[0]))
    alike(*answers)


def test_many_vectors_are_written_out_at_once():
    """More of them than there are blocks; one is full, and one is empty."""
    width = 10**6
    kept = [KeptColumns([i, 7 * i + 1, width - 1], width) for i in range(40)]
    X = [SparseRow(columns, [1.0, 0.5, i]) for i, columns in enumerate(kept)]
    X[3] = SparseRow(KeptColumns([], width), [])
    X[5] = SparseRow(KeptColumns(list(range(200)), width), [0.25] * 200)
    X = [row.convert(float) for row in X]
    alike(*(p.smo(p.Problem(X, signs(X), C=3)).model() for p in (refsvm, refsvm_fast)))


@pytest.mark.parametrize("places", [[7, 2, 5], [2, 7, 7]])
def test_places_in_any_order_are_read_as_the_oracle_reads_them(places):
    """Those that come twice are added up."""
    sparse, numpy = pytest.importorskip("scipy.sparse"), pytest.importorskip("numpy")
    X = sparse.csr_matrix([[float(i == k or k == 2) for k in range(1000)] for i in range(6)])
    Q = sparse.csr_matrix((1, 1000))
    Q.indptr, Q.indices, Q.data = map(numpy.array, ([0, 3], places, [0.1, 0.2, 0.4]))
    packages = refsvm, refsvm_fast
    alike(*(p.LinearSVC().fit(X, [0, 1, 0, 1, 1, 0]).decision_function(Q) for p in packages))


@pytest.mark.parametrize("d, kind", one_in(3, [
    (40, "float64"), (40, "float32"), (700, "float32"), (700, "int64"), (40, "int64"),
    (700, "float64")]))
def test_rows_in_any_order_are_packed_alike(d, kind):
    """With places that come twice, also such that nothing is left of them; some columns full."""
    sparse, numpy = pytest.importorskip("scipy.sparse"), pytest.importorskip("numpy")
    rows = []
    for i in range(150):
        places = [(i * 7 + k * k * 13) % d for k in range(9)] + [5, d - 2]
        rows.append((places if i % 3 else sorted(set(places))) + ([9, 9] if i % 50 == 7 else []))
    X = sparse.csr_matrix((len(rows), d))
    X.indptr = numpy.cumsum([0, *map(len, rows)])
    X.indices = numpy.array([k for row in rows for k in row])
    X.data = numpy.array([(3 * i) % 17 - 8 or 4 for i in range(len(X.indices))], kind)
    twice = [s for s, (k, nxt) in enumerate(zip(X.indices, X.indices[1:])) if k == nxt == 9]
    X.data[[s + 1 for s in twice]] = -X.data[twice]
    y, packages = [1 if i % 7 < 3 else -1 for i in range(len(rows))], (refsvm, refsvm_fast)
    alike(*(p.LinearSVC(tol=0.5, max_iter=2).fit(X, y).coef_ for p in packages))
    alike(*([list(x) for x in p.Problem(X, y).X] for p in packages))
    kernel = refsvm.Gaussian(0.01)
    alike(*(p.smo(p.Problem(X, y, kernel), max_iter=5).alpha for p in packages))


def test_lists_that_two_tables_share_are_not_shifted():
    """With the constant feature a table has the lists of the one without. Shifted in place, its
    last column would become a list, and all lists would move."""
    from refsvm_fast import _table
    from refsvm_fast._inputs import table_of

    X = [[float(k == i % 40) * (i + 1) for k in range(40)] for i in range(600)]
    X = [[*row, 2.0 if i % 50 else 0.5] for i, row in enumerate(X)]
    table = table_of(X)
    longer = _table.with_constant(table, 2.0)
    before = longer.rows()
    for each in (table, longer):
        moved = _table.shifted(each, [0.0] * 40 + [2.0] * (each.d - 40))
        assert moved is not each and moved.rows() == each.rows()
        assert all(row[40] == (0 if i % 50 else -1.5) for i, row in enumerate(moved.stored_rows()))
    del table, moved, each
    assert longer.rows() == before == [[*row, 2.0] for row in X]
