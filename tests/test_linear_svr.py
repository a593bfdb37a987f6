"""LinearSVR: what it solves, what fit leaves, what it refuses, what becomes of it; to the bit."""

import pickle
from fractions import Fraction as F
from math import inf, nan
from random import Random

import pytest
from equality import agree, equality_test
from hypothesis import given
from hypothesis import strategies as st
from profiles import draws
from strategies_fast import tried

import refsvm
import refsvm_fast
from refsvm.estimators.linear_svr import SLACKS, LinearSVR
from refsvm.numerics.sparse_rows import SparseRow, rows_from
from refsvm.svm.constant_feature import with_constant
from refsvm.svm.regression_without_offset import RegressionWithoutOffset

X = [[0.0, 1.0], [1.0, 0.0], [2.0, 2.5], [3.0, 1.5], [4.0, 3.0], [1.5, 4.0]]
Y = [1.0, 2.5, 3.0, 4.5, 7.0, 3.0]


def objective(w, b, scaling, C, epsilon, rows, y, loss):
    """The objective of the page, by the definition."""
    value = (sum(v * v for v in w) + (b / scaling) ** 2) / 2
    for x, target, c in zip(rows, y, C):
        missed = max(0, abs(target - sum(p * q for p, q in zip(w, x)) - b) - epsilon)
        value += c * (missed if loss == "epsilon_insensitive" else missed * missed)
    return value


@pytest.mark.parametrize("loss", SLACKS)
@pytest.mark.parametrize("given_", [
    {}, {"C": 3, "epsilon": 0.5}, {"dual": True}, {"intercept_scaling": 4.0, "epsilon": 0.1},
    {"fit_intercept": False}])
def test_the_machine_is_optimal_for_the_objective_of_the_page(loss, given_):
    weights = [1, 2, 0.5, 1, 0, 1]
    machine = LinearSVR(loss=loss, tol=1e-6, max_iter=20000, **given_).fit(X, Y, weights)
    C = [machine.C * v for v in weights]
    (b,), s = machine.intercept_, machine.intercept_scaling
    value = objective(machine.coef_, b, s, C, machine.epsilon, X, Y, loss)
    rows = with_constant(X, s) if machine.fit_intercept else X
    slack = SLACKS[loss]
    exact = refsvm.solve_exactly(RegressionWithoutOffset(
        [x for x, c in zip(rows, C) if c], [y for y, c in zip(Y, C) if c], slack=slack,
        C=[c * (2 if slack == "squared" else 1) for c in C if c], epsilon=machine.epsilon))
    assert machine.solution_.status == "optimal" and abs(value - exact.objective) < 1e-4
    assert machine.predict(X) == machine.model_.predictions(X)
    assert 0.3 < machine.score(X, Y, weights) <= 1


def test_on_fractions_the_optimum_is_found():
    loss = "squared_epsilon_insensitive"
    machine = LinearSVR(tol=0, loss=loss).fit([[F(1)], [2], [3]], [1, 2, 4])
    assert (machine.coef_, machine.solution_.gap) == ([F(70, 59)], 0)
    assert {type(v) for v in machine.predict([[1], [F(1, 3)]])} == {F}


@pytest.mark.parametrize("package", [refsvm, refsvm_fast])
def test_a_machine_is_put_together_from_weights(package):
    machine = package.LinearSVR()
    machine.coef_, machine.intercept_ = [1.0, 2.0], [0.5]
    assert machine.predict([[1, 1], [0, 2]]) == [3.5, 4.5]


def test_sparse_rows_stay_sparse():
    wide = rows_from([([5], [1.0]), ([10**9], [2.0]), ([5], [-1.0])], 2 * 10**9)
    machine = LinearSVR(loss="squared_epsilon_insensitive").fit(wide, [1, 2, 0])
    assert isinstance(machine.coef_, SparseRow) and len(machine.coef_) == 2 * 10**9
    assert machine.predict(wide) == LinearSVR(loss="squared_epsilon_insensitive").fit(
        [[1, 0], [0, 2], [-1, 0]], [1, 2, 0]).predict([[1, 0], [0, 2], [-1, 0]])


@pytest.mark.parametrize("given_, sentence", [
    ({"loss": "hinge"}, "loss is 'hinge'; the known ones are 'epsilon_insensitive'"),
    ({"dual": False}, "dual is False; with loss='epsilon_insensitive' it must be 'auto' or True"),
    ({"dual": "yes"}, "dual is 'yes'; the known ones are 'auto'"),
    ({"C": inf}, "C is inf; it must be a finite number"), ({"C": 0}, "C is 0"),
    ({"epsilon": -1}, "epsilon is -1"), ({"epsilon": nan}, "epsilon is nan"),
    ({"intercept_scaling": 0}, "intercept_scaling is 0"), ({"tol": -1}, "tol is -1"),
    ({"max_iter": -1}, "max_iter is -1"), ({"random_state": -1}, "random_state is -1"),
])
def test_bad_parameters_are_refused_and_an_earlier_fit_stays(given_, sentence):
    machine = LinearSVR().fit(X, Y)
    state, usual = pickle.dumps(machine), LinearSVR().get_params()
    with pytest.raises(ValueError) as refused:
        machine.set_params(**given_).fit(X, Y)
    assert sentence in str(refused.value)
    assert pickle.dumps(machine.set_params(**usual)) == state


def test_a_penalty_beyond_the_doubles_is_refused_by_its_row():
    sentence = r"^C \* sample_weight of X\[1\] is inf; it must be positive and finite$"
    with pytest.raises(ValueError, match=sentence):
        LinearSVR(C=1e300).fit(X, Y, [0, 1e300, *[1] * (len(X) - 2)])


def test_it_is_written_exported_searched_and_drawn(tmp_path):
    machine = LinearSVR(epsilon=0.25).fit(X, Y)
    refsvm.write_model(tmp_path / "model", machine)
    assert refsvm.read_model(tmp_path / "model").predictions(X) == machine.predict(X)
    assert refsvm.export(machine) == refsvm.export(machine.model_)
    best = refsvm.grid(LinearSVR(tol=1e-3), {"C": [0.01, 1]}, X * 2, Y * 2, folds=3)
    assert best.best == {"C": 1}
    line = LinearSVR().fit([[v] for v in range(4)], range(4))
    assert "<svg" in refsvm.plot(line, [[v] for v in range(4)], range(4))
    assert "LinearSVR" in machine._repr_html_()
    with pytest.raises(ValueError, match=r"LinearSVR\(\) is not fitted; call fit"):
        LinearSVR().predict(X)


def everything(package, given_, rows, y, weight):
    """All that a LinearSVR says after it was fitted, or was refused."""
    machine = package.LinearSVR(**given_)
    fitted = tried(machine.fit, rows, y, weight)
    return [
        fitted if fitted is machine or isinstance(fitted, Exception) else "not itself", machine,
        tried(machine.predict, rows), tried(machine.score, rows, y, weight),
        tried(getattr, machine, "model_"), machine.get_params(), repr(machine),
        tried(machine.set_params, C=2), tried(machine.set_params, gamma=2),
    ]


@equality_test("LinearSVR", "LinearSVR.fit", "LinearSVR.predict", "LinearSVR.score",
               "LinearSVR.get_params", "LinearSVR.set_params")
@given(st.integers(0, 2**32))
@draws(1/3)
def test_the_compiled_one_learns_and_predicts_the_same(seed):
    random = Random(seed)
    n, d = random.choice([(3, 2), (30, 3), (9, 40), (40, 34)])
    centre, zeros = random.choice([0.0, 30.0]), random.choice([0.0, 0.8])
    rows = [[0.0 if random.random() < zeros else centre + random.gauss(0, 1) for _ in range(d)]
            for _ in range(n)]
    y = [random.choice([3 * x[0] - x[1] + random.gauss(0, 1), round(x[0])]) for x in rows]
    weight = random.choice([None, None, [1.0] * n, ([0, 1, 2.5] * n)[:n]])
    agree(everything, {
        "loss": random.choice([*SLACKS, "l1"]), "epsilon": random.choice([0, 0.1, 1]),
        "C": random.choice([1, 100.0, 1e-3, inf, 1e308]), "tol": random.choice([1e-4, 0.1, 0]),
        "dual": random.choice(["auto", "auto", True, False]),
        "random_state": random.choice([None, 1]),
        "max_iter": random.choice([5, 50, 300]), "fit_intercept": random.random() < 0.8,
        "intercept_scaling": random.choice([1, 3.0, 1e-200]),
    }, rows, y, weight)


@pytest.mark.parametrize("package", [refsvm, refsvm_fast])
@pytest.mark.parametrize("loss", SLACKS)
@pytest.mark.parametrize("given_", [
    {}, {"dual": True}, {"epsilon": 0.5, "intercept_scaling": 3.0}])
def test_check_passes_what_was_trained_and_fails_other_weights(package, loss, given_):
    machine = package.LinearSVR(loss=loss, max_iter=20000, **given_).fit(X, Y, [1, 2, 1, 1, 0, 1])
    assert package.check(machine, X, Y, [1, 2, 1, 1, 0, 1]).passed
    machine.coef_ = [1.5 * v for v in machine.coef_]
    assert package.check(machine, X, Y, [1, 2, 1, 1, 0, 1]).verdict == "FAIL"


def test_check_refuses_a_linear_svr_of_others():
    machine = type("LinearSVR", (), {"get_params": lambda self: LinearSVR().get_params()})()
    machine.coef_, machine.intercept_ = [1.0, 1.0], [0.0]
    with pytest.raises(TypeError, match="a LinearSVR is checked if refsvm trained it"):
        refsvm.check(machine, X, Y)


@pytest.mark.parametrize("package", [refsvm, refsvm_fast])
@pytest.mark.parametrize("C", [1e6, 1e300])
def test_the_gap_of_targets_whose_squares_are_tiny_is_no_less_than_the_true_one(package, C):
    rows, y = [[1.0] * 40, [2.0] * 40], [1.5e-160, 3e-160]
    problem = RegressionWithoutOffset(rows, y, C=2 * C, epsilon=0, slack="squared")
    given_ = {"loss": "squared_epsilon_insensitive", "C": C, "epsilon": 0, "fit_intercept": False}
    with pytest.warns(UserWarning, match="max_iter"):
        machine = package.LinearSVR(**given_, max_iter=0).fit(rows, y)
    primal = sum(F(C) * F(v) ** 2 for v in y)
    assert F(machine.solution_.gap) >= primal - refsvm.solve_exactly(problem).objective
    found = package.dual_coordinate_descent(problem, [], 1e-3)
    assert F(found.gap) >= primal - refsvm.solve_exactly(problem).objective


@pytest.mark.parametrize("package", [refsvm, refsvm_fast])
def test_passes_do_not_depend_on_the_unit_of_the_targets(package):
    random = Random(3)
    rows = [[random.gauss(0, 1) for _ in range(40)] for _ in range(30)]
    y = [sum(row[:3]) + random.gauss(0, 1) for row in rows]
    machines = [package.LinearSVR(loss="squared_epsilon_insensitive", epsilon=0).fit(
        rows, [2.0**k * v for v in y]) for k in (-20, 0, 20)]
    assert len({machine.n_iter_ for machine in machines}) == 1
