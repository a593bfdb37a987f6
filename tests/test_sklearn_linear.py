"""refsvm.sklearn.LinearSVC: the bits of refsvm.LinearSVC, with what scikit-learn asks for."""

import copy
import pickle
import warnings

import pytest
from peers import peer

peer("sklearn")  # without it there is nothing to test
import numpy as np  # noqa: E402
from scipy import sparse  # noqa: E402
from sklearn import exceptions, model_selection  # noqa: E402
from sklearn.utils.estimator_checks import parametrize_with_checks  # noqa: E402

import refsvm  # noqa: E402
from refsvm.sklearn import LinearSVC, l1_min_c, matrices  # noqa: E402


def clouds(k, n=30, seed=0):
    draw = np.random.default_rng(seed)
    y = np.arange(n) % k
    return draw.normal(size=(n, 3)) + 2 * np.eye(3)[y % 3], y


@parametrize_with_checks([LinearSVC()])
def test_scikit_learns_checks_pass(estimator, check):
    check(estimator)


CASES = [
    (k, loss, scaling, weights)
    for k in (2, 3, 4, 5) for loss in ("hinge", "squared_hinge") for scaling in (1, 10)
    for weights in (None, "balanced", {0: 2.0, 1: 0.5})
    if k == 2 or (k, loss, scaling) in [(3, "hinge", 1), (3, "squared_hinge", 10), (5, "hinge", 1)]
]


@pytest.mark.parametrize("k, loss, scaling, weights", CASES)
def test_weights_and_offsets_are_scikit_learns(k, loss, scaling, weights):
    theirs = peer("sklearn.svm").LinearSVC
    X, y = clouds(k, 20)
    given = {"loss": loss, "intercept_scaling": scaling, "class_weight": weights, "C": 0.1}
    share = np.random.default_rng(k).uniform(0.5, 2, len(y))
    ours = LinearSVC(tol=1e-7, max_iter=50000, **given).fit(X, y, share)
    other = theirs(tol=1e-9, max_iter=10**6, dual=True, **given).fit(X, y, share)
    assert ours.coef_.shape == other.coef_.shape
    assert np.abs(ours.coef_ - other.coef_).max() < 1e-3
    assert np.abs(ours.intercept_ - other.intercept_).max() < 1e-3
    assert np.abs(ours.decision_function(X) - other.decision_function(X)).max() < 1e-3
    assert ours.predict(X).tolist() == other.predict(X).tolist()


@pytest.mark.parametrize("k", [2, 3])
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix, sparse.csc_array])
def test_the_answers_are_refsvms_to_the_last_bit(k, form):
    X, y = clouds(k)
    weights, names = np.arange(len(y)) % 4.0, np.array(["a", "b", "c"])[y]
    ours = LinearSVC(C=0.5, random_state=3).fit(form(X), names, weights)
    plain = refsvm.LinearSVC(C=0.5, random_state=3).fit(X.tolist(), names.tolist(), weights)
    assert ours.n_iter_ == plain.n_iter_ and ours.classes_.tolist() == plain.classes_
    for svc in (ours, pickle.loads(pickle.dumps(ours)), copy.deepcopy(ours)):
        assert svc.coef_.tolist() == [list(w) for w in plain.coef_]
        assert svc.intercept_.tolist() == plain.intercept_
        assert svc.decision_function(form(X)).tolist() == plain.decision_function(X.tolist())
        assert svc.predict(X).tolist() == plain.predict(X.tolist())
    assert pickle.dumps(pickle.loads(pickle.dumps(ours))) == pickle.dumps(ours)
    assert ours.model_ == plain.model_ and refsvm.export(ours) == refsvm.export(plain)


@pytest.mark.parametrize("k", [2, 3])
def test_without_an_offset_it_is_scikit_learns_number(k):
    X, y = clouds(k)
    ours, theirs = (
        cls(fit_intercept=False, tol=1e-9).fit(X, y)
        for cls in (LinearSVC, peer("sklearn.svm").LinearSVC)
    )
    assert type(ours.intercept_) is type(theirs.intercept_) is float and ours.intercept_ == 0
    assert ours.decision_function(X).shape == theirs.decision_function(X).shape
    assert np.allclose(ours.decision_function(X), theirs.decision_function(X), atol=1e-3)
    again = pickle.loads(pickle.dumps(ours))
    again.coef_ = ours.coef_
    assert (again.predict(X) == theirs.predict(X)).all()


def test_wide_sparse_rows_are_not_laid_out():
    wide = sparse.csr_matrix(([1.0, 2.0, -1.0, -2.0], ([0, 1, 2, 3], [5, 10**9, 5, 7])),
                             shape=(4, 2 * 10**9))
    svc = pickle.loads(pickle.dumps(LinearSVC().fit(wide, [1, 1, 0, 0])))
    assert svc.predict(wide).tolist() == [1, 1, 0, 0] and len(pickle.dumps(svc)) < 5000


def test_its_parameters_are_scikit_learns():
    theirs = peer("sklearn.svm").LinearSVC
    assert LinearSVC().get_params() == theirs().get_params()
    assert refsvm.LinearSVC().get_params() == theirs().get_params()
    assert repr(LinearSVC("l2", "hinge", C=2)) == repr(theirs("l2", "hinge", C=2))


def test_random_states_are_seeds():
    X, y = clouds(2)
    fits = [LinearSVC(dual=True, random_state=state).fit(X, y).coef_.tolist() for state in (
        None, 0, np.int64(0), 1, np.random.RandomState(5), np.random.RandomState(5))]
    assert fits[0] == fits[1] == fits[2] != fits[3] and fits[4] == fits[5] != fits[3]
    svc = LinearSVC(dual=True, random_state=np.random.RandomState(5))
    assert svc.fit(X, y).coef_.tolist() == fits[4] != svc.fit(X, y).coef_.tolist()
    with pytest.raises(TypeError, match="random_state is Generator"):
        LinearSVC(dual=True, random_state=np.random.default_rng(0)).fit(X, y)


def test_what_is_refused_leaves_an_earlier_fit():
    X, y = clouds(2)
    svc = LinearSVC().fit(X, y)
    before = pickle.dumps(svc)
    for given in ({"penalty": "l1"}, {"dual": False, "loss": "hinge"},
                  {"multi_class": "crammer_singer"}):
        usual = {name: svc.get_params()[name] for name in given}
        with pytest.raises(ValueError, match="it must be"):
            svc.set_params(**given).fit(X, y)
        assert pickle.dumps(svc.set_params(**usual)) == before
    with pytest.raises(ValueError):
        svc.coef_[0] = 1
    assert not hasattr(LinearSVC(), "coef_") and not hasattr(LinearSVC(), "model_")
    with pytest.raises(exceptions.NotFittedError):
        LinearSVC().predict(X)


def test_weights_and_offsets_may_be_set():
    X, y = clouds(2)
    svc = LinearSVC().fit(X, y)
    before = svc.decision_function(X)
    svc.intercept_ += 0.5
    assert np.allclose(svc.decision_function(X), before + 0.5)
    svc.coef_, svc.intercept_ = [[0, 0, 1]], [0]
    assert svc.decision_function(X).tolist() == X[:, 2].tolist()
    assert pickle.loads(pickle.dumps(svc)).predict(X).tolist() == (X[:, 2] >= 0).tolist()


def test_training_that_ends_early_warns_where_fit_is_called():
    with pytest.warns(exceptions.ConvergenceWarning, match="class 0 against the rest") as seen:
        LinearSVC(max_iter=1).fit(*clouds(3))
    assert seen[0].filename == __file__


def test_pipelines_searches_and_frames_take_it():
    X, y = clouds(3)
    frame = peer("pandas").DataFrame(X, columns=list("abc"))
    found = model_selection.GridSearchCV(LinearSVC(), {"C": [0.01, 1]}, cv=3).fit(frame, y)
    assert found.best_estimator_.feature_names_in_.tolist() == ["a", "b", "c"]
    select = peer("sklearn.feature_selection").SelectFromModel
    ours, theirs = (
        peer("sklearn.pipeline").make_pipeline(select(machine()), machine()).fit(X, y)
        for machine in (LinearSVC, peer("sklearn.svm").LinearSVC)
    )
    assert ours.predict(X).tolist() == theirs.predict(X).tolist()


@pytest.mark.parametrize("form", [sparse.csr_matrix, sparse.csr_array, sparse.csc_matrix])
@pytest.mark.parametrize("names", [False, True])
@pytest.mark.parametrize("value", [1.0, 1e308, np.inf, -np.inf, np.nan])
@pytest.mark.parametrize("shape, kind", [
    ((3, 4), "float64"), ((3, 4), "float32"), ((0, 4), "float64"), ((3, 5), "float64"),
])
def test_sparse_rows_are_checked_as_scikit_learn_checks_them(form, names, value, shape, kind):
    """Which it would give back as they are is known sooner."""
    fitted, X = LinearSVC(), np.zeros(shape)
    fitted.n_features_in_, X[:, 1:3] = 4, value
    with np.errstate(over="ignore"):
        X = form(X.astype(kind))
    if names:
        fitted.feature_names_in_ = np.array(list("abcd"), object)
    told = []
    for check in (matrices.validated, lambda *given, **rules: matrices.validate_data(
            *given, dtype=np.float64, accept_sparse="csr", **rules)):
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            try:
                found = check(fitted, X, reset=False)
                found = found is X, type(found), found.dtype, found.toarray().tolist()
            except ValueError as error:
                found = str(error)
        told.append((found, [str(w.message) for w in warned]))
    assert repr(told[0]) == repr(told[1])


# ---- coef_, intercept_ and classes_ are the machine


@pytest.mark.parametrize("offset", [-2.0, [-2.0], [[-2.0]], np.array(-2)])
@pytest.mark.parametrize("coef", [[1.0, 0.0], [[1.0, 0.0]], sparse.csr_matrix([[1.0, 0.0]])])
def test_a_machine_is_put_together_from_weights(coef, offset):
    machine = LinearSVC()
    machine.coef_, machine.intercept_, machine.classes_ = coef, offset, ["no", "yes"]
    rows = [[0.0, 3.0], [5.0, -1.0]]
    assert machine.predict(rows).tolist() == ["no", "yes"]
    assert machine.decision_function(rows).tolist() == [-2.0, 3.0]
    with pytest.raises(ValueError, match="X\\[0\\] has length 3"):
        machine.predict([[1.0, 2.0, 3.0]])
    assert LinearSVC().fit(*clouds(2)).set_params(C=2).predict(clouds(2)[0]).shape == (30,)


def test_several_machines_are_put_together():
    machine = LinearSVC()
    machine.coef_, machine.intercept_ = np.eye(3), [0.0, 0.0, 0.5]
    machine.classes_ = np.array([7, 8, 9])
    assert machine.predict([[1.0, 0, 0], [0, 1, 0], [0, 0, 0]]).tolist() == [7, 8, 9]


@pytest.mark.parametrize("k", [2, 3])
def test_sparsify_and_densify_change_the_form_only(k):
    X, y = clouds(k)
    machine = LinearSVC().fit(X, y)
    dense, answers = machine.coef_, machine.decision_function(X)
    assert machine.sparsify() is machine and sparse.issparse(machine.coef_)
    for other in (machine, pickle.loads(pickle.dumps(machine)), copy.deepcopy(machine)):
        assert np.array_equal(other.coef_.toarray(), dense)
        assert np.array_equal(other.decision_function(X), answers)
    assert np.array_equal(machine.densify().coef_, dense)
    assert machine.sparsify().fit(X, y).coef_.tolist() == dense.tolist()
    for method in (LinearSVC().sparsify, LinearSVC().densify):
        with pytest.raises(exceptions.NotFittedError):
            method()


@pytest.mark.parametrize("loss", ["squared_hinge", "log"])
@pytest.mark.parametrize("k", [2, 3])
def test_l1_min_c_is_scikit_learns(k, loss):
    theirs, (X, y) = peer("sklearn.svm").l1_min_c, clouds(k)
    for given in ({}, {"fit_intercept": False}, {"intercept_scaling": 7.0}):
        for form in (np.asarray, sparse.csr_matrix):
            asked = {"X": form(X), "y": y, "loss": loss, **given}
            assert l1_min_c(**asked) == theirs(**asked)
    with pytest.raises(ValueError, match="they are 0 for every C"):
        l1_min_c([[0.0], [0.0]], [0, 1], loss=loss)
