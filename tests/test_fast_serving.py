"""A fitted machine is packed once, and serves: the same bits each time, and no trace is left."""

import copy
import gc
import pickle
import sys
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction

import pytest
from equality import agree
from hypothesis import given
from hypothesis import strategies as st
from strategies_fast import tried

import refsvm
import refsvm_fast
from refsvm.numerics.sparse_rows import KeptColumns, SparseRow

try:
    import numpy
    from scipy import sparse
except ImportError:  # sparse rows are read without
    sparse = None

pytestmark = pytest.mark.skipif(not refsvm_fast.COMPILED, reason="nothing is compiled")

WIDTH = 5000


def text(i, words):
    """A row with so many numbers, which no sum of squares holds exactly."""
    places = sorted({(k * 37 + i * i * 11 + k * i) % WIDTH for k in range(words)})
    return SparseRow(KeptColumns(places, WIDTH), [1 / (k + i + 3) for k in range(len(places))])


X = [text(i, 6 + i % 5) for i in range(24)]
Y = [1 if i % 3 else -1 for i in range(24)]
# Columns that occur in no row of X, before, between and behind those that do; and none at all.
QUERIES = [text(i, 12) for i in range(100, 140)] + [text(0, 0), X[3]]
DENSE = [[1 / (i + k + 1) for k in range(7)] for i in range(24)]
DENSE_QUERIES = [[1 / (i * k + 2) for k in range(7)] for i in range(40)]

MACHINES = {
    "LinearSVC": (refsvm_fast.LinearSVC, {"tol": 0.1}, Y),
    "LinearSVC of three": (refsvm_fast.LinearSVC, {"tol": 0.1}, [i % 3 for i in range(24)]),
    "SVC": (refsvm_fast.SVC, {"gamma": 0.3}, Y),
    "SVC of three": (refsvm_fast.SVC, {"gamma": 0.3}, [i % 3 for i in range(24)]),
    "SVC, linear": (refsvm_fast.SVC, {"kernel": "linear"}, Y),
    "SVC, cubic": (refsvm_fast.SVC, {"kernel": "poly"}, Y),
    "SVR": (refsvm_fast.SVR, {"gamma": 0.3}, [i / 7 for i in range(24)]),
    "SVR, linear": (refsvm_fast.SVR, {"kernel": "linear"}, [i / 7 for i in range(24)]),
    "OneClassSVM": (refsvm_fast.OneClassSVM, {"gamma": 0.3}, None),
}


def fitted(name, rows=X):
    cls, parameters, y = MACHINES[name]
    return cls(**parameters).fit(rows, y)


def asked(machine, rows):
    return getattr(machine, "decision_function", machine.predict)(rows)


def the_oracles(machine):
    """The same machine in plain Python."""
    state = machine.__getstate__()
    plain = getattr(refsvm, type(machine).__name__)()
    vars(plain).update(state)
    return plain


@pytest.mark.parametrize("rows, queries", [(X, QUERIES), (DENSE, DENSE_QUERIES)])
@pytest.mark.parametrize("name", MACHINES)
def test_every_call_has_the_oracles_bits(name, rows, queries):
    machine = fitted(name, rows)
    expected = repr(asked(the_oracles(fitted(name, rows)), queries))
    assert repr([*asked(machine, queries[:1]), *asked(machine, queries[1:])]) == expected
    assert repr(asked(machine, queries)) == expected


@pytest.mark.parametrize("rows, queries", [(X, QUERIES), (DENSE, DENSE_QUERIES)])
@pytest.mark.parametrize("name", MACHINES)
def test_what_is_packed_is_in_no_pickle_and_no_copy(name, rows, queries):
    machine = fitted(name, rows)
    before = pickle.dumps(machine)
    asked(machine, queries)
    assert pickle.dumps(machine) == before
    for other in (copy.copy(machine), copy.deepcopy(machine), pickle.loads(before)):
        assert set(vars(other)) == set(machine.__getstate__())
        assert repr(asked(other, queries)) == repr(asked(machine, queries))


@pytest.mark.parametrize("name", MACHINES)
def test_a_machine_that_is_fitted_again_drops_what_was_packed(name):
    machine, (cls, parameters, y) = fitted(name), MACHINES[name]
    asked(machine, QUERIES)
    packed = {n: made for n, made in vars(machine).items() if n.startswith("_")}
    machine.fit(X[::-1], y)
    assert packed and not any(vars(machine).get(n) is made for n, made in packed.items())
    assert repr(asked(machine, QUERIES)) == repr(asked(cls(**parameters).fit(X[::-1], y), QUERIES))


@pytest.mark.parametrize("value", [2.5, Fraction(5, 2), 7])
def test_weights_that_are_changed_in_place_are_seen(value):
    """Also where the new number equals the old one, but is of another kind."""
    machine = fitted("LinearSVC", DENSE)
    machine.coef_[0][2] = 2.5
    asked(machine, DENSE_QUERIES)
    machine.coef_[0][2] = value
    expected = asked(the_oracles(machine), DENSE_QUERIES)
    assert repr(asked(machine, DENSE_QUERIES)) == repr(expected)


def test_vectors_that_are_changed_in_place_are_seen():
    model = refsvm_fast.smo(refsvm_fast.Problem(DENSE, Y, refsvm.Polynomial(2))).model()
    model.vectors[0][1] = 0.5
    model.decisions(DENSE_QUERIES)
    model.vectors[0][1] = Fraction(1, 2)
    theirs = refsvm.Model(*model).decisions(DENSE_QUERIES)
    assert repr(model.decisions(DENSE_QUERIES)) == repr(theirs)


@pytest.mark.parametrize("name", MACHINES)
def test_threads_share_a_machine(name):
    """Each finds it not yet packed, or packed by another."""
    interval, expected = sys.getswitchinterval(), [repr(asked(fitted(name), [q])) for q in QUERIES]
    sys.setswitchinterval(1e-6)
    try:
        for _ in range(2):
            machine = fitted(name)
            with ThreadPoolExecutor(4) as pool:
                found = pool.map(lambda q: repr(asked(machine, [q])), QUERIES)  # noqa: B023
                assert list(found) == expected
    finally:
        sys.setswitchinterval(interval)


@pytest.mark.parametrize("kernel", [refsvm.Gaussian(0.3), refsvm.Polynomial(2), refsvm.Linear()])
@pytest.mark.parametrize("exact", [False, True])
def test_numbers_in_columns_without_vectors_count_in_their_order(kernel, exact):
    """exact: no sum rounds, and distances are made of products."""
    rows, queries = X, QUERIES
    if exact:
        rows = [row.convert(lambda v: float(v < 0.2)) for row in X]
        queries = [row.convert(lambda v: float(v < 0.2)) for row in QUERIES]
    answers = []
    for package in (refsvm, refsvm_fast):
        model = package.smo(package.Problem(rows, Y, kernel)).model()
        answers.append((package.gram(kernel, queries, rows), model.decisions(queries)))
    assert repr(answers[0]) == repr(answers[1])


@pytest.mark.parametrize("numbers", [[0.1, 0.2, 0.4, 1e-9], [1.0, 2.0, float("inf"), 1.0]])
@pytest.mark.parametrize("whole", [False, True])
@pytest.mark.parametrize("name", ["LinearSVC", "SVC", "SVR"])
def test_places_come_in_any_order_and_more_than_once(name, numbers, whole):
    sparse, numpy = pytest.importorskip("scipy.sparse"), pytest.importorskip("numpy")
    matrix = sparse.csr_matrix([list(row) for row in X])
    query = sparse.csr_matrix((1, WIDTH))
    places = [matrix.indices[3], 17, matrix.indices[3], 17]
    kind = "int64" if whole and numbers[2] < 1 else "float64"
    query.indptr, query.indices = numpy.array([0, 4]), numpy.array(places)
    query.data = numpy.array([9, 8, 7, 5] if kind == "int64" else numbers, kind)
    cls, parameters, y = MACHINES[name]
    machine = cls(**parameters).fit(matrix, y)
    answers = []
    for who in (the_oracles(machine), machine):
        try:
            answers.append(repr(asked(who, query)))
        except ValueError as error:
            answers.append(str(error))
    assert answers[0] == answers[1]


KINDS = "csr", "csc", "long", "single", "unordered", "gaps", "falling", "falling gaps"
FORMS = ["rows", *(KINDS if sparse else [])]


def as_matrix(rows, form):
    """Rows of one width as SciPy has them: whatever its arrays are, they are read in place."""
    if form == "rows":
        return rows
    items = [list(row.items())[:: -1 if "falling" in form else 1] for row in rows]
    places = numpy.array([k for row in items for k, _ in row], "int32")
    numbers = numpy.array([v for row in items for _, v in row], float)
    starts = numpy.cumsum([0, *map(len, items)])
    X = sparse.csr_matrix((numbers, places, starts), shape=(len(rows), len(rows[0])))
    if form == "csc":
        return X.tocsc()
    if form == "single":
        with numpy.errstate(over="ignore"):
            return X.astype("float32")
    if form == "long":
        X.indices, X.indptr = X.indices.astype("int64"), X.indptr.astype("int64")
    if "gaps" in form:
        X.indices, X.data = X.indices.repeat(2)[::2], X.data.repeat(2)[::2]
    if form == "unordered":  # and some in the place of another
        X.indices = (X.indices[::-1] // 2).astype("int32")
    return X


@st.composite
def sparse_rows(draw, count, width):
    numbers = st.sampled_from([0.1, -1 / 3, 1.0, 2.5, -1e-9, 1e200, -1e200, 5e-324, 1e308])
    rows = []
    for _ in range(count):
        most = min(width, draw(st.sampled_from([3, 9, 150])))
        places = draw(st.sets(st.integers(0, width - 1), max_size=most))
        if draw(st.booleans()):  # more than are read together
            places |= set(range(0, width, 1 + width // 140))
        scale, shift = draw(numbers), draw(st.integers(1, 9))
        values = [scale / (k % 7 + shift) * (-1) ** (k % 3) for k in sorted(places)]
        rows.append(SparseRow(KeptColumns(sorted(places), width), values))
    return rows


def answers(package, k, W, offsets, X):
    """What k machines set by hand say of X, one row and all."""
    svc = package.LinearSVC()
    svc.classes_, svc.coef_, svc.intercept_ = list(range(k)), W, offsets
    svc.n_features_in_ = len(W[0])
    first = X[:1]
    return [tried(ask, rows) for ask in (svc.decision_function, svc.predict)
            for rows in (first, X)]


@given(st.data())
def test_machines_of_all_numbers_of_classes_decide_sparse_rows_the_same(data):
    width = data.draw(st.sampled_from([1, 5, 40, 900, 20_000]))
    k = data.draw(st.sampled_from([2, 2, 3, 4, 8, 9, 17, 34]))
    W = data.draw(sparse_rows(1 if k == 2 else k, width))
    if data.draw(st.booleans()):
        W = list(map(list, W))
    form, count = data.draw(st.sampled_from(FORMS)), data.draw(st.sampled_from([1, 2, 5, 258]))
    X = as_matrix((data.draw(sparse_rows(min(count, 5), width)) * 60)[:count], form)
    agree(answers, k, W, [0.5 - c for c in range(len(W))], X)


@pytest.mark.parametrize("name", ["LinearSVC of three", "SVC of three"])
def test_the_collector_of_garbage_knows_each_list_of_decisions(name):
    assert all(map(gc.is_tracked, fitted(name).decision_function(QUERIES)))


BROKEN = {
    "a start that is not 0": ("indptr", 0, 1), "a row that falls": ("indptr", 2, 1),
    "a row that ends beyond": ("indptr", 3, 9), "a column beyond": ("indices", 1, 40),
    "a first column beyond": ("indices", 0, 40),
    "a column before": ("indices", 1, -1), "another width": ("_shape", 1, 41),
    "another height": ("_shape", 0, 2),
}


@pytest.mark.skipif(sparse is None, reason="SciPy is not installed")
@pytest.mark.parametrize("k", [2, 9])
@pytest.mark.parametrize("fault", BROKEN)
def test_a_broken_matrix_is_refused_as_by_the_oracle(fault, k):
    rows = [SparseRow(KeptColumns([i, i + 3], 40), [1.0, 2.0]) for i in range(3)]
    X, (part, place, value) = as_matrix(rows, "csr"), BROKEN[fault]
    values = list(getattr(X, part))
    values[place] = value
    kind = getattr(getattr(X, part), "dtype", None)
    setattr(X, part, tuple(values) if kind is None else numpy.array(values, kind))
    for package in (refsvm, refsvm_fast):
        svc = package.LinearSVC()
        svc.classes_, svc.coef_ = list(range(k)), [[0.5] * 40] * (1 if k == 2 else k)
        svc.intercept_, svc.n_features_in_ = [0.25] * len(svc.coef_), 40
        for ask in (svc.predict, svc.decision_function):
            with pytest.raises(ValueError, match=r"a sparse matrix|had length 40"):
                ask(X)


@pytest.mark.parametrize("value, k", [
    (0.0, 9), (-0.0, 2), (float("inf"), 3), (float("-inf"), 2), (float("nan"), 9), (1e308, 2),
    (float("nan"), 2), (1e308, 3)])
def test_numbers_that_are_stored_whatever_they_are(value, k):
    """Infinite ones are refused, in the same words; also where there is no weight."""
    W = [SparseRow(KeptColumns([1, 4, 900], 3000), [1e308, -0.5, c + 1.0]) for c in range(k)]
    for place in (1, 2, 900):
        rows = [SparseRow(KeptColumns([1, 4], 3000), [1.0, 2.0])] * 2
        rows.append(SparseRow(KeptColumns([place], 3000), [value]))
        for form in FORMS:
            if form != "rows" or value:
                m = 1 if k == 2 else k
                agree(answers, k, W[:m], [0.5] * m, as_matrix(rows, form))
