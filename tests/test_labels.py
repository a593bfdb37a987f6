"""What a classifier takes for labels, and what it refuses in one sentence, in both packages."""

from decimal import Decimal
from fractions import Fraction as F
from math import inf, nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

import refsvm
import refsvm_fast
from refsvm.estimators.labels import classes_of, plain_labels

X = [[0.0], [1.0], [3.0], [4.0]]


class Odd:
    """An object of another library, some of whose methods raise, or answer no truth value."""

    def __init__(self, **methods):
        self.methods = methods

    def answer(self, name, usual):
        found = self.methods.get(name, usual)
        if isinstance(found, Exception):
            raise found
        return found

    def __eq__(self, other):
        return self.answer("eq", self is other)

    def __hash__(self):
        return self.answer("hash", 1)

    def __lt__(self, other):
        return self.answer("lt", id(self) < id(other))

    def __repr__(self):
        return self.answer("repr", "odd")


class OddScalar(Odd):
    """Something that says it has a dtype, like a scalar of NumPy, and then raises."""

    @property
    def dtype(self):
        raise RuntimeError

    def tolist(self):
        raise RuntimeError


class NotAvailable(Odd):
    """Like the NA of pandas: compared with anything it is itself, and it has no truth value."""

    def __init__(self):
        super().__init__(eq=self)

    def __bool__(self):
        raise TypeError("boolean value of NA is ambiguous")


def sentences(y):
    """What the two packages refuse the labels with; a column and odd methods alike."""
    found = []
    for package in (refsvm, refsvm_fast):
        with pytest.raises((ValueError, TypeError)) as refused:
            package.SVC().fit(X, y)
        found.append(f"{refused.type.__name__}: {refused.value}")
    assert found[0] == found[1] and len(found[0]) < 300
    return found[0]


REALS = "classes are whole numbers, strings or bools, other numbers ask for regression"
ROWS = "so leave out the rows that have none"


@pytest.mark.parametrize("label, sentence", [
    (0.37, f"ValueError: y[1] is 0.37; {REALS}"),
    (F(1, 3), f"ValueError: y[1] is 1/3; {REALS}"),
    (Decimal("1.5"), f"ValueError: y[1] is 1.5; {REALS}"),
    (inf, f"ValueError: y[1] is inf; {REALS}"),
    (Decimal("-Infinity"), f"ValueError: y[1] is -Infinity; {REALS}"),
    (nan, f"ValueError: y[1] is nan; a label must equal itself, {ROWS}"),
    (Decimal("NaN"), f"ValueError: y[1] is NaN; a label must equal itself, {ROWS}"),
    (None, f"ValueError: y[1] is None; a label must be there, {ROWS}"),
    (NotAvailable(), f"ValueError: y[1] is odd; a label must equal itself, {ROWS}"),
    (Odd(eq=RuntimeError()), f"ValueError: y[1] is odd; a label must equal itself, {ROWS}"),
    (Odd(hash=RuntimeError(), repr=KeyError()),
     "TypeError: y[1] is <Odd>; a label must be a single value, one that can be hashed"),
    (Odd(), "TypeError: y holds labels of the types Odd, int; labels must be of types that can be"
            " sorted"),
    (OddScalar(hash=RuntimeError()),
     "TypeError: y[1] is odd; a label must be a single value, one that can be hashed"),
    ("a", "TypeError: y holds labels of the types int, str; labels must be of types that can be"
          " sorted"),
    ([0], "TypeError: y[1] is [0]; a label must be a single value, so give y as a list and no"
          " column"),
    ({0: 1}, "TypeError: y[1] is {0: 1}; a label must be a single value, one that can be hashed"),
])
def test_a_label_that_is_no_class_is_refused_by_its_place(label, sentence):
    assert sentences([0, label, 1, 1]) == sentence


@pytest.mark.parametrize("y, what", [
    ([Odd(lt=ValueError()) for _ in X], "Odd; labels must be of types that can be sorted"),
    ([Odd(lt=NotAvailable()) for _ in X], "Odd; labels must be of types that can be sorted"),
    ([frozenset("a"), frozenset("b")] * 2,
     "frozenset; labels must be of types that can be sorted"),
    ([1j, 2j] * 2, "complex; labels must be of types that can be sorted"),
])
def test_labels_without_an_order_are_refused_by_their_types(y, what):
    assert sentences(y) == f"TypeError: y holds labels of the types {what}"


def test_labels_that_cannot_be_told_apart_are_refused():
    class Alike(Odd):
        def __eq__(self, other):
            return self is other or self.answer("eq", RuntimeError())

        __hash__ = Odd.__hash__

    assert sentences([Alike() for _ in X]) == (
        "TypeError: y holds labels of the types Alike; labels must be of types that can be"
        " compared"
    )


@given(st.lists(st.sampled_from([0, 1, 2, -5, 2**60]), min_size=2, max_size=9), st.sampled_from([
    int, float, F, Decimal, str, lambda v: (v, v), lambda v: v > 0]))
def test_classes_are_the_labels_sorted_and_members_their_rows(numbers, form):
    y = plain_labels([form(v) for v in [*numbers, -1, 7]], len(numbers) + 2)
    classes, members = classes_of(y, range(len(y)))
    assert classes == sorted(set(y))
    assert [[y[i] for i in rows] for rows in members] == [[c] * y.count(c) for c in classes]
    assert sorted(i for rows in members for i in rows) == list(range(len(y)))


def test_a_score_counts_labels_that_cannot_be_compared_as_wrong():
    svc = refsvm.SVC().fit(X, [0, 0, 1, 1])
    assert svc.score(X, [0, 0, "1", 1]) == 0.75
    with pytest.raises(ValueError, match=r"y\[0\] is 0.5; classes are whole numbers"):
        svc.score(X, [0.5, 0, 1, 1])


@pytest.mark.parametrize("unit", ["datetime64[ns]", "timedelta64[ns]"])
def test_dates_that_would_become_ints_are_refused(unit):
    numpy = pytest.importorskip("numpy")
    dates = numpy.array([0, 0, 1, 1], unit)
    for y in (dates, list(dates)):
        assert "give dates as text, such as y.astype(str)" in sentences(y)
    assert refsvm.SVC().fit(X, dates.astype(str)).predict(X) == list(dates.astype(str))
    for package in (refsvm, refsvm_fast):
        with pytest.raises(TypeError, match=r"X\[0\]\[0\] is .*; a number is needed"):
            package.SVC().fit(dates[:, None], [0, 0, 1, 1])
