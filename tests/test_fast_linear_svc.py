"""LinearSVC answers as refsvm's does: to the last bit, in the same words."""

from array import array
from random import Random

import profiles
import pytest
import strategies_fast as draws
from equality import agree, compiled, equality_test
from hypothesis import given
from hypothesis import strategies as st
from strategies_fast import tried

import refsvm
import refsvm_fast
from refsvm.estimators.linear_machines import signs_of
from refsvm.estimators.training_data import labelled_rows

if refsvm_fast.COMPILED:
    from refsvm_fast import _linear_svc, _table


@st.composite
def parameters(draw):
    """Parameters of LinearSVC by name, usual ones, and few passes."""
    given = {"max_iter": draw(st.sampled_from([1, 5, 40]))}
    choices = {
        "C": st.sampled_from([1.0, 1, 10, 0.1, float("inf"), 1e-3, 1e308]),
        "loss": st.sampled_from(["hinge", "squared_hinge", "hinge", "l1"]),
        "tol": st.sampled_from([1e-4, 1e-1, 0]), "fit_intercept": st.booleans(),
        "intercept_scaling": st.sampled_from([1, 0.5, 10, 3e-200, 1e200, 1 / 3]),
        "class_weight": st.sampled_from([None, "balanced", {0: 2.0}, {1: 0.5, -1: 2}]),
        "random_state": st.sampled_from([None, 0, 1, 2**64 - 1]),
        "dual": st.sampled_from(["auto", True, False]),
    }
    for name in draw(st.lists(st.sampled_from(sorted(choices)), max_size=4, unique=True)):
        given[name] = draw(choices[name])
    return given


def everything(package, given, X, y, weight, Z):
    """All that a LinearSVC says after it was fitted, or was refused."""
    svc = package.LinearSVC(**given)
    fitted = tried(svc.fit, X, y, weight)
    return [
        fitted if fitted is svc or isinstance(fitted, Exception) else "not itself", svc,
        *(tried(method, rows) for rows in (X, Z) for method in (
            svc.predict, svc.decision_function)),
        tried(svc.score, X, y, weight), tried(getattr, svc, "model_"), svc.get_params(), repr(svc),
        tried(svc.set_params, C=2), tried(svc.set_params, gamma=2),
        sorted(name for name in dir(svc) if not name.startswith("_")),
    ]


@equality_test("LinearSVC", "LinearSVC.fit", "LinearSVC.predict", "LinearSVC.decision_function",
               "LinearSVC.score", "LinearSVC.get_params", "LinearSVC.set_params")
@given(st.data())
@profiles.draws(1/2)
def test_a_linear_svc_learns_and_decides_the_same(data):
    n, d = data.draw(draws.sizes(most=41)), data.draw(draws.widths)
    table = draws.gentle_tables if data.draw(st.integers(0, 3)) else draws.tables
    X, y = data.draw(table(n, d)), data.draw(draws.class_labels(n))
    Z = data.draw(table(data.draw(st.integers(1, 9)), d))
    weight = data.draw(st.sampled_from([None, None, [1.0] * n, ([0, 1, 2.5] * n)[:n], [0.0] * n]))
    X = draws.dress(X, data.draw(draws.dresses))
    agree(everything, data.draw(parameters()), X, y, weight,
          draws.dress(Z, data.draw(draws.dresses)))


@equality_test("LinearSVC.fit")
@given(st.integers(0, 2**32))
@profiles.draws(1/2)
def test_turns_at_many_columns_are_the_same(seed):
    random = Random(seed)
    n, d = random.choice([(9, 40), (40, 34), (70, 40)])
    centre, zeros = random.choice([0.0, 30.0]), random.choice([0.0, 0.8])
    X = [[0.0 if random.random() < zeros else centre + random.gauss(0, 1) for _ in range(d)]
         for _ in range(n)]
    y = [0, 1, *(random.randrange(random.choice([2, 3])) for _ in range(n - 2))]
    given = {"C": random.choice([1.0, 1e3]), "max_iter": random.choice([5, 20, 50, 1000])}
    agree(everything, given, X, y, None, X)


@compiled
@pytest.mark.parametrize("n, d, zeros", [(300, 3, 0.5), (7, 9, 0.95), (513, 2, 0)])
def test_a_table_with_a_constant_is_that_of_longer_rows(n, d, zeros):
    from refsvm_fast._table import packed, with_constant

    random = Random(n)
    X = [[0.0 if random.random() < zeros else random.gauss(0, 1) for _ in range(d)]
         for _ in range(n)]
    for rows, s in ((X, 0.3), ([[round(v) for v in x] for x in X], 2.0)):
        longer = with_constant(packed(rows), s)
        whole = packed([[*x, s] for x in rows])
        assert longer.rows() == whole.rows() and (longer.n, longer.d) == (n, d + 1)
        kernel, y = refsvm.Gaussian(0.5), [1] + [-1] * (n - 1)
        found = [refsvm_fast.smo(refsvm_fast.Problem.from_validated(
            float, table, y, kernel, [1.0] * n), max_iter=30) for table in (longer, whole)]
        assert found[0] == found[1]


FORMS = [
    list, tuple, lambda y: list(map(float, y)), lambda y: list(map(str, y)),
    lambda y: [v > 0 for v in y], lambda y: [True, *y[1:]], lambda y: [-0.0, *y[1:]],
    lambda y: [2**60, *y[1:]], lambda y: [0.5, *map(float, y[1:])], lambda y: [y],
    lambda y: [*map(float, y[1:]), float("nan")], lambda y: [*map(float, y[1:]), float("inf")],
    *(lambda y, letter=letter: array(letter, y) for letter in "bhilqdf"),
    lambda y: memoryview(array("i", y)), lambda y: array("i", [*y, 1]),
]


@compiled
@given(st.lists(st.integers(-9, 9), min_size=2, max_size=60), st.sampled_from(FORMS))
def test_the_members_of_classes_are_the_same(y, form):
    n = len(y)
    ours, theirs = (
        tried(read, [[0.0]] * n, float, form(y), None)
        for read in (_linear_svc.labelled_rows, labelled_rows)
    )
    if isinstance(theirs, Exception):
        assert (type(ours), str(ours)) == (type(theirs), str(theirs))
        return
    assert list(map(repr, ours.classes)) == list(map(repr, theirs.classes))
    assert list(map(list, ours.members)) == theirs.members
    assert list(ours.present) == theirs.present
    assert ours.weights == theirs.weights
    for rows in ours.members:
        assert _table.signs_of(rows, n) == signs_of(rows, n) == _table.signs_of([*rows], n)


@compiled
def test_labels_of_few_classes_become_no_lists():
    y = array("i", [1, 0, 2] * 3)
    found = _linear_svc.labelled_rows([[0.0]] * 9, float, y, None)
    assert {type(rows) for rows in found.members} == {array}
    many = _linear_svc.labelled_rows([[0.0]] * 20, float, list(range(20)), None)
    assert {type(rows) for rows in many.members} == {list}
