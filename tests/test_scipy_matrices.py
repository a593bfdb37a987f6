"""SciPy's sparse matrices as rows; those with numbers outside of them are refused by all."""

import sys
from types import SimpleNamespace

import pytest
from peers import peer

import refsvm
import refsvm_fast
from refsvm.numerics.conversion import as_lists, fault_of_matrix, refuse_broken_matrix

LAYOUTS = ["csr", "csc", "coo", "bsr", "lil", "dok"]
LABELS = [1, -1] * 4


def matrix(layout="csr", form="matrix"):
    """Eight rows of forty numbers, of which two in a row are not zero."""
    sparse = peer("scipy.sparse")
    rows = [i for i in range(8) for _ in range(2)]
    places = [(7 * i + 3 * k) % 40 for i in range(8) for k in range(2)]
    values = [1.0 + i for i in range(16)]
    coo = getattr(sparse, f"coo_{form}")((values, (rows, places)), shape=(8, 40))
    return coo.asformat(layout)


def spoilt(layout, place, form="matrix"):
    """A matrix with a number in a column, or of csc in a row, that it does not have."""
    X = matrix(layout, form)
    if layout == "coo":
        X.col[5] = place
    elif layout == "lil":
        X.rows[2][1] = place
    elif layout == "dok":
        X._dict[2, place] = 1.0
    else:
        X.indices[5] = place
    return X


ENTRIES = {
    "Problem": lambda lib, X: lib.Problem(X, LABELS, lib.Gaussian(1.0)),
    "RegressionProblem": lambda lib, X: lib.RegressionProblem(X, LABELS),
    "OneClassProblem": lambda lib, X: lib.OneClassProblem(X),
    "BallProblem": lambda lib, X: lib.BallProblem(X),
    "SVC": lambda lib, X: lib.SVC().fit(X, LABELS),
    "NuSVC": lambda lib, X: lib.NuSVC().fit(X, LABELS),
    "LinearSVC": lambda lib, X: lib.LinearSVC().fit(X, LABELS),
    "SVR": lambda lib, X: lib.SVR().fit(X, LABELS),
    "OneClassSVM": lambda lib, X: lib.OneClassSVM().fit(X),
    "SVDD": lambda lib, X: lib.SVDD().fit(X),
    "predict": lambda lib, X: lib.SVC().fit(matrix(), LABELS).predict(X),
    "decisions": lambda lib, X: lib.smo(lib.Problem(matrix(), LABELS)).model().decisions(X),
    "gram": lambda lib, X: lib.gram(lib.Linear(), X),
    "perceptron": lambda lib, X: lib.perceptron(X, LABELS, range(8)),
    "cross_validate": lambda lib, X: lib.cross_validate(lib.SVC(), X, LABELS, folds=2),
    "precomputed": lambda lib, X: lib.cross_validate(lib.SVC("precomputed"), X, LABELS, folds=2),
    "grid": lambda lib, X: lib.grid(lib.SVR(), {"C": [1]}, X, LABELS, folds=2),
    "write_data": lambda lib, X: lib.write_data("never", X, LABELS),
    "Scaling": lambda lib, X: lib.Scaling.fit(X),
}


@pytest.mark.parametrize("entry", ENTRIES)
@pytest.mark.parametrize("place, layout", [
    (250, "csr"), (-1, "csr"), (40, "csr"), (250, "csc"), (-2, "coo"), (8, "csc")])
def test_every_entry_of_both_refuses_a_number_outside(entry, place, layout):
    said = set()
    for library in (refsvm, refsvm_fast):
        X = spoilt(layout, place)
        with pytest.raises(ValueError, match="a sparse matrix has a number in") as refused:
            ENTRIES[entry](library, X)
        said.add((type(refused.value), str(refused.value)))
    assert len(said) == 1


@pytest.mark.parametrize("form", ["matrix", "array"])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_each_layout_says_where_the_number_is(layout, form):
    where = {"csr": "column 60 of row 2; its columns are 0 to 39",
             "csc": "row 60 of column [0-9]+; its rows are 0 to 7", "coo": "column 60; its",
             "bsr": "60 of row", "lil": "column 60 of row 2; its rows are 0 to 7 and its columns",
             "dok": "column 60 of row 2; its rows"}[layout]
    with pytest.raises(ValueError, match=where):
        as_lists(spoilt(layout, 60, form))
    assert as_lists(matrix(layout, form)) == as_lists(matrix().toarray())
    if layout in ("coo", "dok"):
        X = matrix(layout, form)
        if layout == "coo":
            X.row[0] = 8
        else:
            X._dict[8, 0] = 1.0
        with pytest.raises(ValueError, match="row 8; its rows are 0 to 7"):
            as_lists(X)


def test_ends_are_inside():
    for layout in LAYOUTS:
        for place in (0, 39) if layout != "csc" else (0, 7):
            refuse_broken_matrix(spoilt(layout, place))


@pytest.mark.parametrize("change", [
    lambda X: X.indptr.__setitem__(0, 1), lambda X: X.indptr.__setitem__(8, 99),
    lambda X: X.indptr.__setitem__(3, 9), lambda X: setattr(X, "data", X.data[:3]),
    lambda X: setattr(X, "indptr", X.indptr[:4]),
])
def test_rows_that_do_not_part_the_numbers_are_refused(change):
    X = matrix()
    change(X)
    for library in (refsvm, refsvm_fast):
        with pytest.raises(ValueError, match="indptr that does not deal its 16 numbers to 8 rows"):
            library.SVC().fit(X, LABELS)


def test_numbers_that_no_row_has_may_be_anywhere():
    X = matrix()
    X.indptr[8] = 14
    X.indices[15] = 1000
    assert fault_of_matrix(X) is None and as_lists(X)[7] == [0.0] * 40


def test_what_is_no_matrix_of_scipy_is_passed_over():
    for other in (SimpleNamespace(format="csr"), [[1.0]], None, type("csr_matrix", (), {})()):
        refuse_broken_matrix(other)

    class Hostile(type(matrix())):
        @property
        def format(self):
            raise SystemError("no")

    refuse_broken_matrix(Hostile.__new__(Hostile))
    assert "scipy" in sys.modules  # by this test alone: refsvm asks for names
    derived = type("Derived", (type(matrix()),), {})(matrix())
    derived.indices[0] = 77
    with pytest.raises(ValueError, match="column 77"):
        as_lists(derived)


def test_refsvm_sklearn_refuses_it_too():
    peer("sklearn")
    from refsvm import sklearn

    for make in (sklearn.SVC, sklearn.LinearSVC, sklearn.SVR, sklearn.OneClassSVM, sklearn.SVDD):
        with pytest.raises(ValueError, match="a sparse matrix has a number in column 41"):
            make().fit(spoilt("csr", 41), LABELS)
