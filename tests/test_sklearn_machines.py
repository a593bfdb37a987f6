"""refsvm.sklearn's NuSVC, SVR, NuSVR, OneClassSVM, SVDD: bits, arrays, scikit-learn's checks."""

import pickle
from functools import partial

import pytest
from peers import peer

peer("sklearn")  # without it there is nothing to test
import numpy as np  # noqa: E402
from scipy import sparse  # noqa: E402
from sklearn import exceptions, model_selection, pipeline, preprocessing  # noqa: E402
from sklearn.metrics import pairwise  # noqa: E402
from sklearn.utils.estimator_checks import parametrize_with_checks  # noqa: E402

import refsvm  # noqa: E402
from refsvm.sklearn import SVC, SVDD, SVR, LinearSVC, NuSVC, NuSVR, OneClassSVM  # noqa: E402

MACHINES = [NuSVC, SVR, NuSVR, OneClassSVM, SVDD]
WEIGHTS = "a row of weight 2 and two rows reach two answers within tol, as in scikit-learn's"
EXPECTED = {
    "check_sample_weight_equivalence_on_dense_data": WEIGHTS,
    "check_sample_weight_equivalence_on_sparse_data": WEIGHTS,
}
OWN = {
    "check_class_weight_classifiers": "class_weight weighs multipliers, and a class of weight 1e-4"
    " beside one of 1000 allows no nu of 0.5; scikit-learn's does not look at it",
}
KERNELS = ["linear", "poly", "rbf", refsvm.Gaussian(0.5)]


def sample(cls, n=30):
    draw = np.random.default_rng(0)
    X = draw.normal(size=(n, 3)) + 3
    values = X @ [1, -2, 0.5] + 0.1 * draw.normal(size=n)
    return X, (values > np.median(values)).astype(int) if cls is NuSVC else values


def answers(machine, X):
    return np.asarray(getattr(machine, "decision_function", machine.predict)(X)).tolist()


def plain_of(cls, **parameters):
    return getattr(refsvm, cls.__name__)(**parameters)


INSIDE = dict.fromkeys(
    ["check_outliers_fit_predict", "check_outliers_train"],
    "with C = 1 the ball holds every training row, and the check wants outliers",
)


def expected(estimator):
    own = {NuSVC: OWN, SVDD: INSIDE}.get(type(estimator), {})
    return {**EXPECTED, **own}


@pytest.mark.parametrize("cls", [SVC, LinearSVC, *MACHINES])
def test_a_parameter_of_the_plain_estimator_is_there_with_its_default(cls):
    plain, ours = plain_of(cls).get_params(), cls().get_params()
    assert {name: ours[name] for name in plain} == plain


@pytest.mark.parametrize("cls", [SVC, LinearSVC, *MACHINES])
def test_a_class_made_from_one_of_these_may_have_another_name(cls):
    X, y = sample(SVR if cls in (SVR, NuSVR) else NuSVC)
    own = type("Own", (cls,), {})().fit(X, y)
    assert own.predict(X).tolist() == cls().fit(X, y).predict(X).tolist()


@pytest.mark.slow("a rule of scikit-learn for estimators that one of these breaks")
@parametrize_with_checks([cls() for cls in MACHINES], expected_failed_checks=expected)
def test_scikit_learns_checks_pass(estimator, check):
    check(estimator)


@pytest.mark.parametrize("kernel", KERNELS, ids=str)
@pytest.mark.parametrize("cls", MACHINES)
def test_the_answers_are_refsvms_to_the_last_bit(cls, kernel):
    X, y = sample(cls)
    ours, plain = cls(kernel=kernel), plain_of(cls, kernel=kernel)
    weight = np.arange(len(X)) % 3 + 0.0  # a third of the rows is absent
    ours.fit(X, y, weight)
    plain.fit(X.tolist(), y.tolist(), weight.tolist())
    Z = X[::3] + 0.25
    assert answers(ours, Z) == answers(plain, Z.tolist())
    for name in ("support_", "n_support_", "dual_coef_"):
        found = getattr(ours, name)
        assert isinstance(found, np.ndarray) and found.tolist() == getattr(plain, name)
    assert ours.predict(Z).tolist() == plain.predict(Z.tolist())
    assert hasattr(ours, "coef_") == hasattr(plain, "coef_") == (kernel == "linear")
    again = pickle.loads(pickle.dumps(ours))
    assert answers(again, Z) == answers(ours, Z)
    assert again.model_.decisions(Z.tolist()) == ours.model_.decisions(Z.tolist())


@pytest.mark.parametrize("cls", MACHINES)
def test_sparse_rows_and_matrices_of_a_function(cls):
    X, y = sample(cls)
    X[np.abs(X) < 2] = 0
    dense, thin = cls(gamma=0.1).fit(X, y), cls(gamma=0.1).fit(sparse.csr_matrix(X), y)
    assert answers(dense, X) == answers(thin, sparse.csr_matrix(X)) == answers(thin, X)
    assert sparse.issparse(thin.support_vectors_) and sparse.issparse(thin.dual_coef_)
    if cls is not SVDD:
        # NumPy rounds in ways of its own, so steps differ, and with them what tol leaves open.
        close, function = {"tol": 1e-9}, partial(pairwise.rbf_kernel, gamma=0.1)
        by_name, of_function = cls(gamma=0.1, **close), cls(kernel=function, **close)
        assert answers(of_function.fit(X, y), X) == pytest.approx(
            answers(by_name.fit(X, y), X), abs=1e-6)


@pytest.mark.parametrize("cls", MACHINES)
def test_a_refused_fit_changes_nothing(cls):
    X, y = sample(cls)
    machine = cls().fit(X, y)
    before = answers(machine, X)
    with pytest.raises(ValueError):
        machine.fit(np.full_like(X, np.nan), y)
    assert answers(machine, X) == before
    with pytest.warns(exceptions.ConvergenceWarning, match="ended with status 'max_iter'"):
        cls(max_iter=1, tol=1e-9).fit(X, y)


def test_tools_take_them():
    X, y = sample(SVR)
    search = model_selection.GridSearchCV(
        pipeline.make_pipeline(preprocessing.StandardScaler(), SVR()), {"svr__C": [1, 100]}
    )
    assert search.fit(X, y).best_score_ > 0.5
    assert model_selection.cross_val_score(NuSVR(C=100), X, y).shape == (5,)
    assert set(OneClassSVM().fit_predict(X)) == {-1, 1}
    one = OneClassSVM(nu=0.3).fit(X)
    assert one.score_samples(X) == pytest.approx(one.decision_function(X) + one.offset_)
    with pytest.raises(ValueError, match=r"take CalibratedClassifierCV\(NuSVC\(\)"):
        NuSVC(probability=True).fit(X, y > 0)
