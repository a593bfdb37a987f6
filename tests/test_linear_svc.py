"""LinearSVC: what it solves, what fit leaves, what it refuses, and what becomes of it."""

import pickle
from fractions import Fraction as F
from math import inf, nan, sqrt
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from profiles import draws

import refsvm
import refsvm_fast
from refsvm.estimators import linear_machines, linear_svc
from refsvm.estimators.linear_machines import FIRST_PASSES, FIRST_STEPS, MOST_PASSES
from refsvm.estimators.linear_svc import LinearSVC
from refsvm.numerics.sparse_rows import SparseRow, rows_from
from refsvm.svm.constant_feature import with_constant

X = [[0.0, 1.0], [1.0, 0.0], [2.0, 2.5], [3.0, 1.5], [4.0, 3.0], [1.5, 4.0]]
TWO = ["no", "no", "yes", "no", "yes", "yes"]
THREE = [3, 3, 1, 1, 2, 2]
EXACT = [[F(v) for v in x] for x in X]


def fitted(y=TWO, **given):
    return LinearSVC(**given).fit(X, y)


# ---- what is solved


def objective(w, b, scaling, C, signs, rows, loss):
    """1/2 |w|^2 + 1/2 (b / scaling)^2 + sum C_i loss_i, by the definition."""
    value = (sum(v * v for v in w) + (b / scaling) ** 2) / 2
    for x, y, c in zip(rows, signs, C):
        slack = max(0, 1 - y * (sum(p * q for p, q in zip(w, x)) + b))
        value += c * (slack * slack if loss == "squared_hinge" else slack)
    return value


@st.composite
def trainings(draw):
    """Labels of two to four classes, weights, parameters."""
    random = Random(draw(st.integers(0, 2**32)))
    k, n = random.choice([2, 2, 3, 4]), random.randint(8, 12)
    y = [i % k for i in range(n)]
    rows = [[round(4 * random.gauss(m, 1)) / 4 for m in (c, c == 1)] for c in y]
    weights = random.choice([None, [random.choice([0.5, 1, 2]) for _ in y]])
    class_weight = random.choice([None, {0: 2.0, 1: 0.5}, "balanced"])
    return rows, y, weights, {
        "loss": random.choice([*linear_svc.SLACKS]), "C": random.choice([0.1, 1, 3]),
        "intercept_scaling": random.choice([1, 0.5, 4]), "class_weight": class_weight,
        "random_state": random.choice([None, 7]),
    }


def penalties(c, y, weights, given):
    """C of every example for the machine of class c, by scikit-learn's meaning."""
    k, weights = max(y) + 1, weights or [1] * len(y)
    shares = [sum(v for v, label in zip(weights, y) if label == j) for j in range(k)]
    of_class = given["class_weight"] or {}
    if of_class == "balanced":
        of_class = {j: sum(shares) / (k * share) for j, share in enumerate(shares)}
    return [given["C"] * v * (of_class.get(label, 1) if k == 2 or label == c else 1)
            for v, label in zip(weights, y)]


@draws(1/3)
@given(trainings())
def test_each_machine_is_optimal_for_the_objective_of_the_page(training):
    rows, y, weights, given_ = training
    svc = LinearSVC(tol=1e-5, max_iter=3000, **given_).fit(rows, y, weights)
    machines = [1] if max(y) == 1 else range(max(y) + 1)
    assert len(svc.coef_) == len(svc.intercept_) == len(svc.solutions_) == len(machines)
    for c, w, b, solution in zip(machines, svc.coef_, svc.intercept_, svc.solutions_):
        signs, C = [1 if label == c else -1 for label in y], penalties(c, y, weights, given_)
        s = given_["intercept_scaling"]
        primal = objective(w, b, s, C, signs, rows, given_["loss"])
        assert solution.status == "optimal" and primal - solution.objective < 1e-4
        slack = "squared" if given_["loss"] == "squared_hinge" else "hinge"
        problem = refsvm.Problem(with_constant(rows, s), signs, bias=False, slack=slack,
                                 C=[2 * v for v in C] if slack == "squared" else C)
        exact = refsvm.solve_exactly(problem)
        far = sum((v - u) ** 2 for v, u in zip([*w, b / s], exact.w))
        assert abs(exact.objective - primal) < 1e-4 and sqrt(far) <= sqrt(2e-4)


def test_without_an_offset_there_is_no_constant():
    svc = fitted(fit_intercept=False, tol=1e-9, loss="hinge")
    signs = [1 if label == "yes" else -1 for label in TWO]
    exact = refsvm.solve_exactly(refsvm.Problem(X, signs, bias=False))
    assert svc.intercept_ == [0.0] and svc.coef_[0] == pytest.approx(list(map(float, exact.w)))


def test_rows_that_are_moved_change_the_weights_as_they_do_not_with_a_free_offset():
    moved = [[v + 8 for v in x] for x in X]
    free, penalised = ([make().fit(rows, TWO).coef_[0] for rows in (X, moved)] for make in (
        lambda: refsvm.SVC(kernel="linear"), lambda: LinearSVC(loss="hinge")))
    assert free[0] == free[1]
    assert max(abs(v - u) for v, u in zip(*penalised)) > 0.1


def test_fractions_stay_fractions():
    svc = LinearSVC(C=F(1, 2), tol=F(1, 100), loss="hinge").fit(EXACT, TWO)
    assert {type(v) for v in [*svc.coef_[0], *svc.intercept_]} == {F}
    assert {type(f) for f in svc.decision_function(X)} == {F}
    assert {type(f) for f in fitted().decision_function([[F(1), 2]])} == {F}


def test_c_may_be_infinite_and_is_a_hard_margin_then():
    for loss in linear_svc.SLACKS:
        svc = LinearSVC(C=inf, loss=loss, tol=1e-6, max_iter=5000).fit([[0.0], [2.0]], [0, 1])
        assert svc.decision_function([[0.0], [2.0]]) == pytest.approx([-1, 1], abs=1e-4)


# ---- what fit leaves


def test_two_classes_have_one_machine_that_speaks_for_the_later():
    svc = fitted()
    assert svc.classes_ == ["no", "yes"] and svc.n_features_in_ == 2
    assert len(svc.coef_) == len(svc.intercept_) == 1
    (w,), (b,) = svc.coef_, svc.intercept_
    decisions = [w[0] * x[0] + w[1] * x[1] + b for x in X]
    assert svc.decision_function(X) == decisions
    assert svc.predict(X) == [svc.classes_[f >= 0] for f in decisions]
    zero = LinearSVC(fit_intercept=False).fit([[-1], [1]], [0, 1])
    assert zero.predict([[0]]) == [1] and zero.decision_function([[0]]) == [0.0]


def test_several_classes_have_a_machine_each_and_ties_go_to_the_first():
    svc = fitted(THREE)
    assert svc.classes_ == [1, 2, 3] and len(svc.coef_) == 3
    for row, label in zip(svc.decision_function(X), svc.predict(X)):
        assert len(row) == 3 and label == svc.classes_[row.index(max(row))]
    svc.coef_, svc.intercept_ = [[0.0, 0.0]] * 3, [0.0, 1.0, 1.0]
    assert svc.predict(X[:1]) == [2]


def test_passes_are_counted_and_their_order_is_that_of_the_seed():
    svc, three = fitted(dual=True), fitted(THREE, dual=True)
    passes = svc.solutions_[0].iterations / len(X)
    assert svc.n_iter_ == passes
    assert three.n_iter_ == max(s.iterations for s in three.solutions_) / len(X)
    assert fitted(random_state=0, dual=True).solutions_ == svc.solutions_
    assert fitted(random_state=1, dual=True).solutions_ != svc.solutions_
    with pytest.warns(UserWarning, match="training the classes 'no' and 'yes' ended with status"
                                         " 'max_iter' and gap") as seen:
        assert fitted(max_iter=2, tol=0, dual=True).n_iter_ == 2
    assert seen[0].filename == linear_svc.__file__ or seen[0].filename == __file__
    with pytest.warns(UserWarning, match=r"class 1 against the rest .* \(and 2 more classes\)"):
        fitted(THREE, max_iter=1, tol=0)


@pytest.mark.parametrize("y", [TWO, THREE], ids=["two", "three"])
def test_the_primal_is_solved_where_columns_are_few(y):
    """As it is with dual=False; and the dual is where that is asked for."""
    auto, primal, dual = fitted(y), fitted(y, dual=False), fitted(y, dual=True)
    assert auto.solutions_ == primal.solutions_ != dual.solutions_
    assert auto.n_iter_ == max(s.iterations for s in auto.solutions_) <= 10
    for s, w, v in zip(auto.solutions_, auto.coef_, dual.coef_):
        assert s.status == "optimal" and s.gap <= 1e-4 * s.objective
        assert w == pytest.approx(v, abs=1e-3)


@pytest.mark.parametrize("package", [refsvm, refsvm_fast])
def test_linear_slack_is_solved_by_the_proximal_point_method(package):
    svc = package.LinearSVC(loss="hinge", tol=1e-6).fit(X, TWO)
    problem = package.Problem(with_constant(X, 1.0), [1 if v == "yes" else -1 for v in TWO],
                              bias=False)
    solution = package.proximal_point(problem, 1e-6 / 100)
    assert svc.solutions_ == [solution] and solution.status == "optimal"
    assert [*svc.coef_[0], svc.intercept_[0]] == solution.w and solution.gap > 0
    assert svc.n_iter_ == solution.iterations and package.check(svc, X, TWO).passed
    weights_alone = package.LinearSVC(loss="hinge", tol=1e-6).fit(X, TWO)
    del weights_alone.solutions_
    assert package.check(weights_alone, X, TWO).passed
    weights_alone.coef_[0][0] += 0.01
    assert package.check(weights_alone, X, TWO).verdict == "FAIL"


@pytest.mark.parametrize("loss, kind", [("hinge", F), ("hinge", inf), ("squared_hinge", inf)])
def test_smo_solves_few_columns_without_a_primal_to_go_down(loss, kind):
    rows, C = (EXACT, 1) if kind is F else (X, inf)
    svc = LinearSVC(loss=loss, C=C).fit(rows, TWO)
    signs, slack = [1 if label == "yes" else -1 for label in TWO], linear_svc.SLACKS[loss]
    constant = F(1) if kind is F else 1.0
    problem = refsvm.Problem(with_constant(rows, constant), signs, C=C, bias=False, slack=slack)
    (solution,) = svc.solutions_
    assert solution == refsvm.smo(problem, svc.tol) and solution.status == "optimal"
    assert [*svc.coef_[0], svc.intercept_[0]] == problem.weights(solution.alpha)
    assert svc.n_iter_ == -(-solution.iterations // len(X))
    assert LinearSVC(loss=loss, C=C, dual=True).fit(rows, TWO).solutions_ != svc.solutions_


def test_columns_of_any_scale_end_optimal():
    """Where passes of coordinate descent do not: as many as scikit-learn's default allows."""
    random = Random(2)
    rows = [[random.gauss(1000, 300), random.gauss(0, 1), random.gauss(0, 0.01)]
            for _ in range(60)]
    y = [int(x[0] / 300 + x[1] + 100 * x[2] > 10 / 3) for x in rows]
    assert LinearSVC(loss="hinge").fit(rows, y).solutions_[0].status == "optimal"
    with pytest.warns(UserWarning, match="max_iter"):
        LinearSVC(loss="hinge", dual=True).fit(rows, y)


def drawn(n, d, centre):
    """Rows around a centre, and labels that follow the first columns, or nothing."""
    random = Random(n + d)
    rows = [[centre + random.gauss(0, 1) for _ in range(d)] for _ in range(n)]
    return rows, [int(sum(x[:3]) - 3 * centre + random.gauss(0, 1) > 0) for x in rows]


def noting_turns(package, turns):
    """LinearSVC of the package, which adds to turns the names of the solvers that it calls."""
    def noting(solver):
        def solve(*given, **named):
            turns.append(solver.__name__)
            return solver(*given, **named)
        return solve

    class Noting(package.LinearSVC):
        _solvers = (*map(noting, package.LinearSVC._solvers[:-1]), package.LinearSVC._solvers[-1])

    return Noting


@pytest.mark.parametrize("package", [refsvm, refsvm_fast])
@pytest.mark.parametrize("loss, n, d, centre, C, turns", [
    ("squared_hinge", 120, 40, 0.0, 1.0, "n"), ("squared_hinge", 120, 31, 0.0, 1e6, "n"),
    ("squared_hinge", 32, 40, 0.0, 10.0, "ddd"), ("squared_hinge", 32, 40, 0.0, 1e4, "ddd"),
    ("squared_hinge", 44, 40, 0.0, 1e6, "nddn"), ("squared_hinge", 30, 40, 30.0, 1.0, "ddn"),
    ("squared_hinge", 60, 40, 30.0, 1e4, "nddn"),
    ("hinge", 120, 31, 0.0, 1e6, "p"), ("hinge", 120, 40, 0.0, 1.0, "ddp"),
    ("hinge", 32, 40, 0.0, 0.1, "ddd"), ("hinge", 60, 40, 30.0, 1e4, "ddp"),
    ("hinge", 30, 40, 30.0, 1.0, "ddp"), ("hinge", 50, 100, 0.0, 1e5, "dddd")])
def test_passes_and_steps_take_turns_at_many_columns(
    package, loss, n, d, centre, C, turns, monkeypatch
):
    """Rows and columns on either side of each other; passes that end, at last by exact sums, and
    that do not."""
    monkeypatch.setattr(linear_machines, "MOST_COLUMNS", 32)
    rows, y = drawn(n, d, centre)
    called = []
    noted = noting_turns(package, called)(loss=loss, C=C).fit(rows, y)
    assert "".join(name[0] for name in called) == turns
    svc = package.LinearSVC(loss=loss, C=C).fit(rows, y)
    (solution,) = svc.solutions_
    assert solution.status == "optimal" and 0 <= solution.gap <= 1e-4 * solution.objective
    assert svc.n_iter_ == noted.n_iter_ <= FIRST_STEPS + MOST_PASSES + 100
    assert package.check(svc, rows, y).passed


def test_turns_end_with_max_iter():
    rows, y = drawn(44, 60, 30.0)
    for most in (0, 3, FIRST_PASSES, FIRST_PASSES + 1):
        with pytest.warns(UserWarning, match="ended with status 'max_iter'"):
            svc = LinearSVC(C=1e4, max_iter=most).fit(rows, y)
        assert 2 * most - 1 <= svc.n_iter_ <= 2 * most  # a pass alone shows no rate


@pytest.mark.parametrize("centre", [3, 4])
def test_what_no_turn_solves_is_not_called_optimal(centre):
    """Passes leave the least gap here, and their own conditions hold."""
    random = Random(2)
    rows = [[(centre + random.gauss(0, 1)) * 10 ** (j / 5.5) for j in range(33)] for _ in range(3)]
    with pytest.warns(UserWarning, match="ended with status 'precision'"):
        (solution,) = LinearSVC(C=100, tol=1e-7).fit(rows, [0, 1, 0]).solutions_
    assert 1e-7 * solution.objective < solution.gap < 2e-2 * solution.objective


def test_on_fractions_the_optimum_is_found():
    svc = LinearSVC(tol=0).fit(EXACT, TWO)
    assert [(s.status, s.gap) for s in svc.solutions_] == [("optimal", 0)]


def test_without_a_pass_w_and_b_are_zero():
    with pytest.warns(UserWarning, match="ended with status 'max_iter'"):
        svc = fitted(max_iter=0)
    assert (svc.n_iter_, svc.coef_, svc.intercept_) == (0, [[0.0] * len(X[0])], [0.0])


def test_sparse_rows_stay_sparse():
    wide = rows_from([([5], [1.0]), ([10**9], [2.0]), ([5], [-1.0]), ([7], [-2.0])], 2 * 10**9)
    svc = LinearSVC().fit(wide, [1, 1, 0, 0])
    assert isinstance(svc.coef_[0], SparseRow) and len(svc.coef_[0]) == 2 * 10**9
    assert svc.predict(wide) == [1, 1, 0, 0]
    few = rows_from([(row.kept.places, row.numbers) for row in wide], 2 * 10**9)
    dense = LinearSVC().fit([[1, 0, 0], [0, 0, 2], [-1, 0, 0], [0, -2, 0]], [1, 1, 0, 0])
    assert [svc.coef_[0][k] for k in (5, 7, 10**9)] == dense.coef_[0]
    assert svc.decision_function(few) == dense.decision_function(
        [[1, 0, 0], [0, 0, 2], [-1, 0, 0], [0, -2, 0]])


def test_numbers_of_any_size_give_the_scaled_answer():
    for k in (-300, 300):
        scaled = LinearSVC(C=4.0**-k, intercept_scaling=2.0**k).fit(
            [[v * 2.0**k for v in x] for x in X], TWO)
        assert [v * 2.0**k for v in scaled.coef_[0]] == fitted().coef_[0]
        assert scaled.intercept_ == fitted().intercept_


# ---- what is refused


BAD = [
    ({"penalty": "l1"}, "penalty is 'l1'; it must be 'l2'"),
    ({"penalty": "none"}, "penalty is 'none'; the known ones are 'l2'"),
    ({"loss": "logistic"}, "loss is 'logistic'; the known ones are 'hinge', 'squared_hinge'"),
    ({"dual": False, "loss": "hinge"}, "dual is False; with loss='hinge' it must be 'auto' or"),
    ({"dual": False, "C": inf}, "dual is False; with C=inf it must be 'auto' or True"),
    ({"dual": "yes"}, "dual is 'yes'; the known ones are 'auto'"),
    ({"dual": None}, "dual is None; it must be True or False"),
    ({"multi_class": "crammer_singer"}, "multi_class is 'crammer_singer'; it must be 'ovr'"),
    ({"multi_class": "ovo"}, "multi_class is 'ovo'; the known ones are 'ovr'"),
    ({"fit_intercept": "no"}, "fit_intercept is 'no'; it must be True or False"),
    ({"intercept_scaling": 0}, "intercept_scaling is 0; it must be positive"),
    ({"intercept_scaling": inf}, "intercept_scaling is inf; it must be a finite number"),
    ({"C": 0}, "C is 0; it must be positive"),
    ({"C": nan}, "C is nan; it must be positive"),
    ({"C": 1e308}, "C is 1e+308; what it stands for is beyond the doubles"),
    ({"tol": -1}, "tol is -1.0; it must not be negative"),
    ({"max_iter": -1}, "max_iter is -1; it must be at least 0"),
    ({"max_iter": 1.5}, "max_iter is 1.5; a whole number is needed"),
    ({"random_state": -1}, "random_state is -1; it must be at least 0"),
    ({"random_state": 2**64}, "random_state is 18446744073709551616; it must be at most"),
    ({"random_state": Random(1)}, "random_state is <random.Random"),
    ({"class_weight": {"maybe": 2}}, "class_weight has the key 'maybe'"),
    ({"class_weight": {"no": 0}}, "class_weight['no'] is 0; it must be positive"),
]


@pytest.mark.parametrize("given_, sentence", BAD, ids=lambda value: str(value)[:30])
def test_bad_parameters_are_refused_and_an_earlier_fit_stays(given_, sentence):
    svc = fitted()
    state = pickle.dumps(svc)
    usual = {name: svc.get_params()[name] for name in given_}
    svc.set_params(**given_)
    with pytest.raises((ValueError, TypeError)) as refused:
        svc.fit(X[::-1], TWO)
    assert sentence in str(refused.value) and len(str(refused.value)) < 300
    with pytest.raises((ValueError, TypeError)):
        refsvm.cross_validate(svc, X, TWO, 2)
    assert pickle.dumps(svc.set_params(**usual)) == state


@pytest.mark.parametrize("rows, y, sentence", [
    (["ab", "ba"], [0, 1], "X[0] is 'ab'; Linear() needs rows of numbers"),
    ([[1, 2], [3]], [0, 1], "X[1] has length 1"),
    ([[1], [nan]], [0, 1], "X[1][0] is nan"),
    ([[1], [2]], [0, 0], "y holds one class only"),
    ([[1], [2]], [0.5, 1], "y[0] is 0.5; classes are whole numbers"),
    ([[1], [2]], [0], "y has length 1; there are 2 examples"),
    ([[1e200], [2]], [0, 1], "training the classes 0 and 1: the kernel value of examples 0 and 0"),
])
def test_bad_data_are_refused(rows, y, sentence):
    with pytest.raises((ValueError, TypeError)) as refused:
        LinearSVC().fit(rows, y)
    assert sentence in str(refused.value)


def test_what_is_asked_must_be_as_in_fit():
    for ask, sentence in (
        (lambda: LinearSVC(C=2).predict(X), "LinearSVC(C=2) is not fitted; call fit(X, y) first"),
        (lambda: fitted().predict([[1]]), "X[0] has length 1; the rows given to fit had length 2"),
        (lambda: fitted().predict(["ab"]), "X[0] is 'ab'; the model was trained on rows of"),
    ):
        with pytest.raises((ValueError, TypeError)) as refused:
            ask()
        assert sentence in str(refused.value)
    assert not hasattr(LinearSVC(), "model_") and not hasattr(LinearSVC(), "coef_")


# ---- what becomes of it


def test_a_copy_has_the_parameters():
    svc = fitted(C=2, random_state=5)
    assert repr(svc) == "LinearSVC(C=2, random_state=5)"
    assert LinearSVC(**svc.get_params()).get_params() == svc.get_params()


def test_it_is_cross_validated_and_searched():
    rows, y = [[v / 4 + 1, v % 5] for v in range(12)], [v // 6 for v in range(12)]
    found = refsvm.cross_validate(LinearSVC(tol=1e-3), rows, y, folds=3)
    assert found.score > 0.9 and [f >= 0 for f in found.decisions] == found.predictions
    best = refsvm.grid(LinearSVC(tol=1e-3), {"fit_intercept": [False, True]}, rows, y, folds=3)
    assert best.best == {"fit_intercept": True} and best.table[0].score < best.score
    three = refsvm.cross_validate(LinearSVC(), rows, [v // 4 for v in range(12)], folds=2)
    assert len(three.decisions[0]) == 3
    of_both = refsvm.cross_validate(LinearSVC(tol=0.1), EXACT + X, TWO * 2, 2).decisions
    assert {type(f) for f in of_both} == {F}


def test_the_model_of_two_classes_has_its_bits_when_written_exported_and_drawn(tmp_path):
    svc = fitted()
    model, path = svc.model_, tmp_path / "model"
    assert model.predictions(X) == svc.predict(X)
    assert [-f for (f,) in model.decisions(X)] == svc.decision_function(X)
    refsvm.write_model(path, svc)
    again = refsvm.read_model(path)
    assert again.classes == ["no", "yes"] and again.decisions(X) == model.decisions(X)
    text = refsvm.export(svc)
    assert text == refsvm.export(model) and "svm_predict" in text
    picture = refsvm.plot(svc, X, TWO, title="drawn")
    assert "Linear(), C = 1" in picture and "support vector" not in picture
    html = svc._repr_html_()
    assert "passes" in html and "two classes" in html and "1 optimal" in html


def test_the_model_of_several_classes_decides_by_the_difference_of_two(tmp_path):
    svc, path = fitted(THREE), tmp_path / "model"
    model = svc.model_
    assert model.predictions(X) == svc.predict(X)
    for of_pairs, f in zip(model.decisions(X), svc.decision_function(X)):
        differences = [f[0] - f[1], f[0] - f[2], f[1] - f[2]]
        assert of_pairs == pytest.approx(differences, abs=1e-12)
    refsvm.write_model(path, svc)
    again = refsvm.read_model(path)
    assert again.svm_type == "linear_svc" and again == model
    assert path.read_text().startswith("svm_type c_svc\n")
    assert "svm_predict" in refsvm.export(svc)
    assert "support vector" not in refsvm.plot(svc, X, THREE)
    assert "3 classes, each against the rest" in svc._repr_html_()
    with pytest.raises(ValueError, match=r"LinearSVC\(\) is not fitted; call fit"):
        refsvm.export(LinearSVC())
    assert ">no<" in LinearSVC()._repr_html_()
