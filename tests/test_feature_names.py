"""Columns of a data frame: the same names in the same order, in fit and wherever it decides."""

from itertools import count

import pytest

import refsvm
import refsvm_fast

ROWS, Y = [[0.0, 1.0], [1.0, 0.0], [3.0, 1.0], [4.0, 0.0]], [0, 0, 1, 1]


class Frame:
    """Like a frame of pandas or polars: named columns, and rows on demand."""

    def __init__(self, names, rows=ROWS):
        self.columns, self.rows = names, rows

    def to_numpy(self):
        return self.rows

    def __len__(self):
        return len(self.rows)


class Column(list):
    to_pylist = list.copy


class ArrowTable:
    """Like a table of Arrow: `columns` are the values, and have no names."""

    def __init__(self, names):
        self.column_names = names
        self.columns = [Column(values) for values in zip(*ROWS)]

    def to_pylist(self):
        return [dict(zip(self.column_names, row)) for row in ROWS]

    def __len__(self):
        return len(ROWS)

    def __getitem__(self, k):
        return self.columns[k]


@pytest.fixture(params=[refsvm, refsvm_fast], ids=lambda package: package.__name__)
def SVC(request):
    return request.param.SVC


METHODS = ["predict", "decision_function", "score"]
ORDER = "; give the columns of fit in their order"


@pytest.mark.parametrize("table", [Frame, ArrowTable])
def test_names_are_kept_and_the_same_ones_are_taken(SVC, table):
    svc = SVC().fit(table(["a", "b"]), Y)
    assert svc.feature_names_in_ == ["a", "b"] and svc.n_features_in_ == 2
    plain = SVC().fit(ROWS, Y)
    for given in (table(["a", "b"]), ROWS, [tuple(row) for row in ROWS]):
        assert svc.decision_function(given) == plain.decision_function(ROWS)
    assert plain.predict(table(["x", "y"])) == Y and not hasattr(plain, "feature_names_in_")


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("names, sentence", [
    (["b", "a"], "X has column 0 named 'b' where fit had 'a'"),
    (["a", "c"], "X has column 1 named 'c' where fit had 'b'"),
    (["a"], "X has no column 'b', which fit had at place 1"),
    (["a", "b", "c"], "X has column 2 named 'c', which fit had not"),
])
def test_other_names_are_refused_by_the_first_that_differs(SVC, method, names, sentence):
    svc = SVC().fit(Frame(["a", "b"]), Y)
    rows = [[*row, 0.0][:len(names)] for row in ROWS]
    more = [Y] if method == "score" else []
    with pytest.raises(ValueError) as refused:
        getattr(svc, method)(Frame(names, rows), *more)
    assert str(refused.value) == sentence + ORDER


class Raising:
    def __len__(self):
        return 2

    def __getitem__(self, k):
        raise RuntimeError("no name")


@pytest.mark.parametrize("names", [
    [0, 1], [("a", 1), ("b", 2)], [], None, "ab", len, count(), Raising(),
])
def test_names_that_are_no_strings_do_not_count(SVC, names):
    svc = SVC().fit(Frame(names), Y)
    assert not hasattr(svc, "feature_names_in_")
    assert svc.predict(Frame(["a", "b"])) == Y


def test_some_names_that_are_no_strings_are_refused_in_fit_and_after(SVC):
    sentence = "X has columns named 'a' and 1; all names must be strings, or none"
    with pytest.raises(ValueError, match="is not fitted"):
        SVC().predict(Frame(["a", 1]))
    svc = SVC().fit(Frame(["a", "b"]), Y)
    for call in (lambda X: SVC().fit(X, Y), svc.predict):
        with pytest.raises(TypeError) as refused:
            call(Frame(["a", 1]))
        assert str(refused.value) == sentence


def test_a_fit_on_rows_forgets_the_names_of_the_one_before(SVC):
    svc = SVC().fit(Frame(["a", "b"]), Y).fit(ROWS, Y)
    assert not hasattr(svc, "feature_names_in_")


@pytest.mark.parametrize("library, make", [
    ("pandas", "DataFrame"), ("polars", "DataFrame"), ("pyarrow", "table"),
])
def test_frames_of_the_libraries_themselves(SVC, library, make):
    frame = getattr(pytest.importorskip(library), make)
    a, b = map(list, zip(*ROWS))
    svc = SVC().fit(frame({"a": a, "b": b}), Y)
    assert svc.feature_names_in_ == ["a", "b"] and svc.predict(frame({"a": a, "b": b})) == Y
    with pytest.raises(ValueError, match="column 0 named 'b' where fit had 'a'"):
        svc.predict(frame({"b": b, "a": a}))
