"""What every estimator promises; SVR, NuSVR, OneClassSVM, SVDD, NuSVC beside scikit-learn's.

Where the solution is unique both programs are close to it: ours to tol, scikit-learn's to what
its single-precision kernel rows and its absolute tolerance allow.
"""

import copy
import pickle
from fractions import Fraction as Q

import pytest
from equality import PACKAGES
from peers import Peer
from refusing import refusals, value_error

import refsvm
from refsvm import (
    SVC,
    SVDD,
    SVR,
    Gaussian,
    LinearSVC,
    NuSVC,
    NuSVR,
    OneClassSVM,
    Precomputed,
    gram,
)
from refsvm.estimators import nu_svc
from refsvm.estimators.svr import r2_score
from refsvm.kernels.standard import WORDS
from refsvm.svm.dual_form import exact_total

sklearn_svm = Peer("sklearn.svm")
np = Peer("numpy")

OF_A_KERNEL = [SVR, NuSVR, OneClassSVM, SVDD, NuSVC, SVC]
ESTIMATORS = [*OF_A_KERNEL, LinearSVC]
KERNELS = [
    {"kernel": "linear"},
    {"kernel": "poly", "degree": 2, "coef0": 1.0},
    {"kernel": "rbf"},
]
X = [[0.0, 1.0], [1.0, 0.5], [2.0, 2.0], [3.0, -1.0], [4.0, 4.0], [5.0, 2.5], [6.5, 0.0]]
VALUES, LABELS = [0.0, 1.0, 4.0, 3.0, 7.0, 5.5, 6.0], [0, 0, 0, 1, 0, 1, 1]


def y_of(cls):
    return {SVR: VALUES, NuSVR: VALUES, OneClassSVM: None, SVDD: None}.get(cls, LABELS)


def fitted(cls, rows=X, sample_weight=None, **parameters):
    return cls(**parameters).fit(rows, y_of(cls), sample_weight)


def answers(machine, rows=X):
    decide = getattr(machine, "decision_function", machine.predict)
    return decide(rows)


def sample(n=60, seed=0):
    draw = np.random.default_rng(seed)
    rows = draw.normal(size=(n, 3))
    return rows, rows @ [1, -2, 0.5] + np.sin(3 * rows[:, 0]) + 0.1 * draw.normal(size=n)


@pytest.mark.parametrize("parameters", KERNELS, ids=lambda p: p["kernel"])
@pytest.mark.parametrize("name", ["SVR", "NuSVR", "OneClassSVM", "NuSVC"])
def test_attributes_are_those_of_scikit_learn(name, parameters):
    rows, y = sample()
    cls = {"SVR": SVR, "NuSVR": NuSVR, "OneClassSVM": OneClassSVM, "NuSVC": NuSVC}[name]
    if name == "NuSVC":
        y = (y > 0).astype(int)
    own = {"nu": 0.3} if name != "SVR" else {"epsilon": 0.3}
    given = {**parameters, **own}
    if name == "OneClassSVM":
        rows = rows + 5  # the origin is outside
    weight = np.random.default_rng(1).integers(1, 3, len(rows)).astype(float)
    ours = cls(tol=1e-7, **given).fit(rows, y, weight)
    theirs = getattr(sklearn_svm, name)(tol=1e-7, **given).fit(rows, y, weight)
    for attribute in ("support_", "n_support_"):
        assert list(getattr(ours, attribute)) == getattr(theirs, attribute).tolist()
    for attribute in ["dual_coef_", "intercept_"] + ["coef_"] * (parameters["kernel"] == "linear"):
        mine, other = getattr(ours, attribute), getattr(theirs, attribute)
        assert np.shape(mine) == other.shape
        assert np.allclose(mine, other, rtol=1e-4, atol=1e-4 * np.abs(other).max())
    assert np.allclose(answers(ours, rows), answers(theirs, rows), atol=1e-4)
    clear = np.abs(answers(ours, rows)) > 1e-4  # a decision of 0 is -1 there, and +1 here
    assert np.allclose(np.array(ours.predict(rows))[clear], theirs.predict(rows)[clear], atol=1e-4)
    if name == "OneClassSVM":
        assert ours.offset_ == pytest.approx(theirs.offset_[0], rel=1e-4)
        assert np.allclose(ours.score_samples(rows), theirs.score_samples(rows), rtol=1e-4)
    else:
        assert ours.score(rows, y, weight) == pytest.approx(theirs.score(rows, y, weight))


@pytest.mark.parametrize("cls", ESTIMATORS)
def test_a_row_of_weight_0_is_as_if_absent_and_keeps_its_index(cls):
    weight, y = [1, 2, 1, 0, 1, 2, 1], y_of(cls)
    rest = [i for i, w in enumerate(weight) if w]
    kernels = [{"kernel": k, "gamma": 0.5} for k in ("rbf", "linear")]
    for kernel in [{}] if cls is LinearSVC else kernels:
        with_it = cls(**kernel).fit(X, y, weight)
        without = cls(**kernel).fit(
            [X[i] for i in rest], y and [y[i] for i in rest], [weight[i] for i in rest]
        )
        if kernel:
            assert with_it.support_ == [rest[i] for i in without.support_]
            assert with_it.shape_fit_ == (7, 2)
            assert with_it.support_vectors_ == without.support_vectors_
        assert answers(with_it) == answers(without) and with_it.n_iter_ == without.n_iter_


@pytest.mark.parametrize("cls", [SVC, NuSVC, LinearSVC])
def test_a_class_of_weight_0_is_none(cls):
    machine = cls().fit(X, [3, 3, 1, 1, 2, 2, 2], [0, 0, 1, 1, 1, 1, 1])
    assert machine.classes_ == [1, 2]


@pytest.mark.parametrize("cls", [SVR, NuSVR, OneClassSVM, NuSVC, SVC])
def test_a_gram_matrix_has_the_answer_of_its_kernel(cls):
    K = gram(Gaussian(0.5), X)
    weight = [1, 2, 1, 0, 1, 2, 1]
    mine = cls(kernel="precomputed").fit(K, y_of(cls), weight)
    assert answers(mine, K) == answers(fitted(cls, sample_weight=weight, gamma=0.5))
    assert mine.support_vectors_ == []


@pytest.mark.parametrize("cls", ESTIMATORS)
def test_a_pickle_and_a_copy_answer_the_same(cls):
    machine = fitted(cls)
    for again in (pickle.loads(pickle.dumps(machine)), copy.deepcopy(machine)):
        assert answers(again) == answers(machine) and repr(again) == repr(machine)
        assert repr(vars(again)) == repr(vars(machine))
    fresh = cls(**machine.get_params())
    assert answers(fresh.fit(X, y_of(cls))) == answers(machine)


@pytest.mark.parametrize("cls", OF_A_KERNEL)
def test_fractions_are_exact(cls):
    rows = [[Q(v) for v in x] for x in X]
    machine = fitted(cls, rows, kernel="linear", tol=0)
    assert {type(v) for v in machine.dual_coef_[0]} == {Q}
    solutions = getattr(machine, "solutions_", None) or [machine.solution_]
    assert [(s.gap, s.status) for s in solutions] == [(0, "optimal")]


@pytest.mark.parametrize("cls", ESTIMATORS)
def test_a_refused_fit_changes_nothing(cls):
    machine = fitted(cls)
    before, state = answers(machine), repr(vars(machine))
    y = y_of(cls)
    for rows, labels in (([[1.0], [float("nan")]], y and y[1:3]), (X, y[:3] if y else [1])):
        with pytest.raises(ValueError):
            machine.fit(rows, labels, None if y else [1.0])
        assert answers(machine) == before and repr(vars(machine)) == state
    with pytest.raises(ValueError, match="the rows given to fit had length 2"):
        machine.predict([[1.0]])
    with pytest.raises(ValueError, match="is not fitted"):
        cls().predict(X)


class Meanwhile:
    """Rows that train a machine anew when they are read, as another thread may do."""

    def __init__(self, machine, rows, labels):
        self.machine, self.given = machine, (rows, labels)

    def __len__(self):
        return len(X)

    def __getitem__(self, i):
        if self.given:
            (rows, labels), self.given = self.given, None
            self.machine.fit(rows, labels)
        return X[i]


@pytest.mark.parametrize("method", ["predict", "decision_function", "score_samples"])
@pytest.mark.parametrize("name", [cls.__name__ for cls in ESTIMATORS])
@pytest.mark.parametrize("package", PACKAGES.values(), ids=PACKAGES)
def test_an_answer_is_of_one_fit(package, name, method):
    cls = getattr(package, name)
    y = y_of(getattr(refsvm, name))
    other = [[2 * a - 1, b + a] for a, b in X[::-1]], y and [*y[1:], y[0]]
    machine = cls().fit(X, y)
    if hasattr(machine, method):
        before = getattr(machine, method)(X)
        found = getattr(machine, method)(Meanwhile(machine, *other))
        assert found in (before, getattr(cls().fit(*other), method)(X))
        assert getattr(machine, method)(X) == getattr(cls().fit(*other), method)(X)


test_bad_input_is_refused = refusals(
    value_error("nu is 0.9; the classes 1 and 2 allow at most 0.5714285714285714, twice the"
                " share of the lighter one: take a smaller nu, such as 0.5714285714285714, or"
                " another kernel",
                NuSVC(nu=0.9).fit, X, [1, 1, 1, 1, 1, 2, 2]),
    value_error("C is 0.1; C times the sum of the weights must be at least 1, or the best ball"
                " is the point in the middle: give at least 0.14285714285714288", SVDD(C=0.1).fit,
                X, None),
    value_error("epsilon is -1.0; it must not be negative", SVR(epsilon=-1).fit, X, VALUES),
    value_error("y has length 3; there are 7 examples", SVR().fit, X, VALUES[:3]),
    value_error("nu is 2.0; it must be above 0 and at most 1", OneClassSVM(nu=2).fit, X, None),
    value_error(f"kernel is 'cubic'; the known ones are {', '.join(map(repr, WORDS))}",
                NuSVR(kernel="cubic").fit, X, VALUES),
)


@pytest.mark.parametrize("package", PACKAGES.values(), ids=PACKAGES)
def test_the_share_of_the_lighter_class_is_a_nu_though_a_double_is_above_it(package):
    rows, y = [[float(i % 7), float(i)] for i in range(100)], [2] * 5 + [1] * 95
    machine = package.NuSVC(nu=0.1, kernel="linear").fit(rows, y)  # 0.1 is 5e-18 above 10 / 100
    assert machine.predict(rows[:5]) == [2] * 5
    with pytest.raises(ValueError, match="allow at most 0.09999999999999999, twice"):
        package.NuSVC(nu=0.1 + 2.0**-56, kernel="linear").fit(rows, y)


def test_classes_whose_hulls_meet_are_refused():
    rows = [[0.0], [2.0], [0.0], [2.0]]
    with pytest.raises(ValueError, match="the reduced hulls of the classes 1 and 2 meet"):
        NuSVC(kernel="linear").fit(rows, [1, 1, 2, 2])
    with pytest.raises(ValueError, match="the origin lies in the reduced hull"):
        OneClassSVM(kernel="linear", nu=1).fit([[1.0], [-1.0]])


def test_nu_and_C_name_the_same_machine():
    nu = NuSVC(nu=0.4, tol=1e-9).fit(X, LABELS)
    same = SVC(C=1 / nu.rho_[0], tol=1e-9).fit(X, LABELS)
    assert answers(nu) == pytest.approx(answers(same), abs=1e-7)
    assert nu.dual_coef_[0] == pytest.approx(same.dual_coef_[0], abs=1e-7)


def test_several_classes_vote():
    y = [0, 0, 1, 1, 2, 2, 2]
    machine = NuSVC(nu=0.5).fit(X, y)
    assert machine.predict(X) == y and len(machine.rho_) == 3
    assert [len(row) for row in machine.dual_coef_] == [len(machine.support_)] * 2


def test_no_support_vector_is_an_answer():
    machine = SVR(kernel="linear", epsilon=5).fit([[0], [1], [2]], [0, 1, 4])
    assert (machine.support_, machine.dual_coef_, machine.intercept_) == ([], [[]], [2.0])
    assert machine.predict([[7]]) == [2.0] and machine.coef_ == [[0.0]]


def test_r2_of_equal_values():
    assert r2_score([2, 2], [2.0, 2.0]) == 1 and r2_score([2, 2], [2.0, 3.0]) == 0
    assert r2_score([0, 2, 9], [1, 1, 5], [1, 1, 0]) == 0


def test_a_ball_of_a_gram_matrix_decides_nothing():
    ball = SVDD(kernel="precomputed").fit(gram(Gaussian(0.5), X))
    of_rows = SVDD(gamma=0.5).fit(X)
    assert ball.radius2_ == of_rows.solution_.offsets.radius2.value  # moved by no rounding
    with pytest.raises(TypeError, match="give the kernel as a function"):
        ball.predict(gram(Gaussian(0.5), X))
    assert isinstance(ball.model_.kernel, Precomputed)


@pytest.mark.parametrize("cls", [SVR, NuSVR, OneClassSVM, SVDD])
def test_scikit_learn_is_told_what_they_are(cls):
    base, regressor = Peer("sklearn.base"), cls in (SVR, NuSVR)
    assert base.is_regressor(cls()) is regressor
    assert base.is_outlier_detector(cls()) is not regressor
    for kernel, pairwise in (("rbf", False), ("precomputed", True), (Precomputed(), True)):
        tags = cls(kernel=kernel).__sklearn_tags__()
        assert tags.input_tags.pairwise is pairwise and tags.input_tags.sparse is True
        assert tags.target_tags.required is regressor
        assert (tags.regressor_tags is not None) is regressor
        assert cls(kernel=kernel)._more_tags() == {"pairwise": pairwise}


def test_the_weights_of_a_class_are_added_once_however_many_pairs_it_has(monkeypatch):
    added = []
    monkeypatch.setattr(nu_svc, "exact_total", lambda c: added.append(c) or exact_total(c))
    NuSVC(0.5).fit([[v] for v in range(12)], [v // 2 for v in range(12)])
    assert len(added) == 6
