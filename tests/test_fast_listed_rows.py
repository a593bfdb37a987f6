"""Sparse rows that are listed for descent: the bits of the oracle, and of the usual Table."""

from array import array
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from profiles import draws

import refsvm
import refsvm_fast
from refsvm.numerics.exact_sums import nearest_weights
from refsvm.numerics.sparse_rows import KeptColumns, SparseRow

pytestmark = pytest.mark.skipif(not refsvm_fast.COMPILED, reason="nothing is compiled")

if refsvm_fast.COMPILED:
    from refsvm_fast import _online, _solution, _table
    from refsvm_fast._inputs import as_rows, rows_to_descend, table_of
    from refsvm_fast.numerics.picks import shuffled_passes

NUMBERS = [1.0, 1.0, 1.0, -1.5, 0.1, 1 / 3, 2.0**-40]


def text(seed, n=30, words=5, width=300, columns=60, numbers=NUMBERS):
    """n sparse rows of some words each, which stand in so many of the columns."""
    random = Random(seed)
    places = sorted(random.sample(range(width), columns))
    rows = []
    for _ in range(n):
        kept = KeptColumns(sorted(random.sample(places, random.randint(0, words))), width)
        rows.append(SparseRow(kept, [random.choice(numbers) for _ in kept.places]))
    return rows


def said(svc):
    """What training found."""
    return repr([svc.coef_, svc.intercept_, svc.n_iter_, svc.n_features_in_, *svc.solutions_])


@draws(0.3)
@given(st.integers(0, 10**6), st.sampled_from([True, False]), st.sampled_from([
    {"loss": "hinge"}, {}, {"dual": True}, {"C": float("inf"), "loss": "hinge"}, {"C": 1e308},
    {"intercept_scaling": 1e-200}, {"class_weight": "balanced"}]), st.integers(2, 3))
def test_a_linear_machine_of_few_numbers_is_the_oracles(seed, constant, options, k):
    X = text(seed)
    random = Random(seed)
    y = [random.randrange(k) for _ in range(len(X) - k)] + [*range(k)]
    weights = random.choice([None, [random.choice([0, 1, 2.5]) for _ in y[k:]] + [1] * k])
    given = {"tol": 0.01, "max_iter": 20, "fit_intercept": constant, **options}
    found = []
    for package in (refsvm, refsvm_fast):
        svc = package.LinearSVC(**given)
        try:
            found.append(said(svc.fit(X, y, weights)))
        except ValueError as error:
            found.append(str(error))
    assert found[0] == found[1]


def test_rows_of_few_numbers_are_listed_and_others_become_a_table():
    assert type(rows_to_descend(text(1))) is _table.ListedRows
    assert type(rows_to_descend(text(1, columns=6))) is _table.Table  # full, without empty columns
    assert type(rows_to_descend([[1.0, 0.0], [0.0, 2.0]])) is _table.Table


def test_neither_descent_nor_its_weights_make_a_table():
    rows = rows_to_descend(text(2)).with_constant(1.0)
    y = [1, -1] * 15
    given = float, rows, y, refsvm.Linear(), [1.0] * 30, False, "hinge"
    problem = refsvm_fast.Problem.from_validated(*given)
    solution = refsvm_fast.dual_coordinate_descent(problem, shuffled_passes(30, 99, 1), 0.1)
    assert solution.status == "optimal" and solution.w[-1] != 0
    assert type(problem.packed) is _table.ListedRows
    assert len(problem.X) == 30
    assert type(problem.packed) is _table.Table


@pytest.mark.parametrize("s", [None, 0.25])
def test_listed_rows_make_the_table_that_they_would_be(s):
    for seed in range(9):
        X = text(seed)
        rows, table = _table.listed_rows(as_rows(X)), table_of(X)
        if s is not None:
            rows, table = rows.with_constant(s), _table.with_constant(table, s)
        some = [3, 0, 3, 29]
        assert (len(rows), rows.row_length(), rows.d) == (30, table.row_length(), table.d)
        assert repr(rows.table().rows()) == repr(table.rows())
        assert repr(rows.at(some).table().rows()) == repr(table.at(some).rows())
        assert repr(rows[7]) == repr(table[7])
        assert rows.kept == rows.table().kept == table.kept
        with pytest.raises(IndexError):
            rows.at([30])


def test_rows_are_listed_in_order_however_they_come():
    for seed in range(9):
        listed, mixed, random = as_rows(text(seed)), as_rows(text(seed)), Random(seed)
        mixed.places, mixed.values = mixed.places[:], mixed.values[:]
        for begin, end in zip(mixed.starts, mixed.starts[1:]):
            order = random.sample(range(begin, end), end - begin)
            for part, whole in (mixed.places, listed.places), (mixed.values, listed.values):
                part[begin:end] = array(whole.typecode, [whole[e] for e in order])
        wanted, found = _table.listed_rows(listed), _table.listed_rows(mixed)
        assert repr(found.table().rows()) == repr(wanted.table().rows())
        pairs = zip(mixed.starts, mixed.starts[1:])
        twice = next(begin for begin, end in pairs if end > begin + 1)
        mixed.places[twice + 1] = mixed.places[twice]
        assert _table.listed_rows(mixed) is None


@pytest.mark.parametrize("numbers", [NUMBERS, [1.0], [1e200, 1e-200], [1e120, 1.0]])
def test_weights_of_listed_rows_are_the_nearest(numbers):
    """Of ones half of the sums lie in the middle between two doubles."""
    for seed in range(40):
        X, random = text(seed, numbers=numbers), Random(seed)
        rows = _table.listed_rows(as_rows(X)).with_constant(3.0)
        coefs = [random.choice([0.0, 1.0, random.gauss(0, 1)]) for _ in X]
        w = _solution.weights_in_list(rows, coefs)
        assert (w is None) == (numbers[0] == 1e200)
        if w is not None:
            assert list(w) == list(nearest_weights(coefs, rows.table().points()))


@pytest.mark.parametrize("change", [
    lambda row: SparseRow(KeptColumns([*row.kept.places[::-1]], row.kept.width), row.numbers),
    lambda row: SparseRow(row.kept, [0.0] * len(row.numbers)),
    lambda row: SparseRow(row.kept, [float("inf")] * len(row.numbers)),
    lambda row: SparseRow(KeptColumns([5, 300], 300), [1.0, 1.0]),
])
def test_what_is_not_plain_is_read_otherwise(change):
    X = text(4, words=5)
    X[3] = change(SparseRow(KeptColumns([5, 9], 300), [1.0, 2.0]))
    rows = _table.listed_rows(as_rows(X))
    assert rows is None or repr(rows.table().rows()) == repr(table_of(X).rows())


def test_examples_keep_the_rows_alive():
    X = text(5)
    problem = refsvm_fast.Problem.from_validated(
        float, _table.listed_rows(as_rows(X)), [1, -1] * 15, refsvm.Linear(), [1.0] * 30, False)
    rows = _online.rows_of_problem(problem)
    del problem
    assert _online.CoordinateDescent(rows, refsvm_fast.Problem(X, [1, -1] * 15, bias=False))
