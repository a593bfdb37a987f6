"""Compiled code for rows nearly all zero: bits, whatever the columns are and however they come."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from profiles import draws

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
