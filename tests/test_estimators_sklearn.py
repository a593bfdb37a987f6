"""SVC beside scikit-learn's: the same attributes, signs and answers, and its tools work on ours.

Where the solution is unique both programs are close to it: ours to tol, scikit-learn's to what
its single-precision kernel rows allow. So numbers are compared to 1e-4, everything else exactly.
"""

import subprocess
import sys

import pytest
from peers import Peer, peer

from refsvm.estimators.svc import SVC
from refsvm.kernels.standard import Precomputed
from refsvm.svm.one_vs_one import class_scores, votes_of

sklearn_svm = Peer("sklearn.svm")
np = Peer("numpy")
base = Peer("sklearn.base")
model_selection = Peer("sklearn.model_selection")
preprocessing = Peer("sklearn.preprocessing")
pipeline = Peer("sklearn.pipeline")

KERNELS = [
    {"kernel": "linear"},
    {"kernel": "poly", "degree": 2, "coef0": 1.0},
    {"kernel": "poly", "gamma": "auto"},
    {"kernel": "rbf"},
    {"kernel": "sigmoid", "gamma": 0.05},
]
WEIGHTS = [{}, {"class_weight": "balanced"}, {"class_weight": {0: 2.0, 1: 0.5}}]


def clouds(k, n=36, seed=0):
    """Overlapping clouds in general position: with a linear kernel and others, one solution."""
    draw = np.random.default_rng(seed)
    y = draw.integers(0, k, n)
    X = draw.normal(size=(n, 3))
    X[:, 0] += 1.5 * y
    X[:, 1] -= 1.5 * (y == 1)
    return X, y


def both(X, y, sample_weight=None, **parameters):
    ours = SVC(tol=1e-7, **parameters).fit(X, y, sample_weight)
    theirs = sklearn_svm.SVC(tol=1e-7, **parameters).fit(X, y, sample_weight)
    return ours, theirs


def compare(ours, theirs, X):
    for name in ("support_", "n_support_", "classes_", "class_weight_"):
        assert getattr(ours, name) == getattr(theirs, name).tolist(), name
    for name in ("shape_fit_", "n_features_in_", "fit_status_"):
        assert getattr(ours, name) == getattr(theirs, name), name
    assert np.array_equal(ours.support_vectors_, theirs.support_vectors_)
    assert np.shape(ours.n_iter_) == theirs.n_iter_.shape
    names = ["dual_coef_", "intercept_"] + ["coef_"] * hasattr(theirs, "coef_")
    for name in names:
        mine, other = getattr(ours, name), getattr(theirs, name)
        assert np.shape(mine) == other.shape
        assert np.abs(np.asarray(mine) - other).max() < 1e-4, name
    for shape in ("ovr", "ovo"):
        ours.set_params(decision_function_shape=shape)
        theirs.set_params(decision_function_shape=shape)
        mine, other = ours.decision_function(X), theirs.decision_function(X)
        assert np.shape(mine) == other.shape
        assert np.abs(np.asarray(mine) - other).max() < 1e-4
        assert ours.predict(X) == theirs.predict(X).tolist()


@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("k", [2, 4])
def test_fitted_attributes_and_answers_agree(k, kernel, weights):
    if k == 4 and kernel["kernel"] == "sigmoid":
        kernel = {**kernel, "gamma": 0.01, "C": 20}  # tanh so flat that no curvature is negative
    X, y = clouds(k)
    ours, theirs = both(X, y, **kernel, **weights)
    compare(ours, theirs, X)


@pytest.mark.parametrize("k", [2, 4])
@pytest.mark.parametrize("class_weight", [None, "balanced"])
def test_sample_weights_agree(k, class_weight):
    X, y = clouds(k)
    weight = np.random.default_rng(1).uniform(0.5, 2, len(y))
    ours, theirs = both(X, y, weight, class_weight=class_weight)
    compare(ours, theirs, X)


@pytest.mark.parametrize("k", [2, 4])
def test_precomputed_agrees(k):
    X, y = clouds(k)
    K = X @ X.T
    K = (K + K.T) / 2
    ours, theirs = both(K, y, kernel="precomputed")
    assert ours.support_ == theirs.support_.tolist()
    assert ours.n_support_ == theirs.n_support_.tolist()
    assert len(ours.support_vectors_) == len(theirs.support_vectors_) == 0
    assert np.abs(np.asarray(ours.dual_coef_) - theirs.dual_coef_).max() < 1e-4
    assert ours.predict(K) == theirs.predict(K).tolist()


@pytest.mark.parametrize("labels", [["a", "b"], [1, 2], [True, False], [-1.0, 2.0],
                                    ["low", "mid", "high"]])
def test_arrays_of_any_labels_come_back_as_python_objects(labels):
    X, y = clouds(len(labels))
    y = np.array(labels)[y]
    ours, theirs = both(X, y)
    assert ours.classes_ == theirs.classes_.tolist()
    assert ours.predict(X) == theirs.predict(X).tolist()
    assert {type(label) for label in ours.predict(X)} == {type(labels[0])}
    assert SVC(tol=1e-7).fit(X, list(y)).predict(X) == ours.predict(X)
    assert {type(c) for c in SVC().fit(X, list(y)).classes_} == {type(labels[0])}


def test_break_ties_agrees_on_the_vote_cycle():
    X, y = [[0, 0], [4, 0], [2, 4], [1, 0], [4, 1], [2, 1]], [0, 0, 1, 1, 2, 2]
    for break_ties, label in ((False, 0), (True, 1)):
        ours, theirs = both(X, y, kernel="linear", break_ties=break_ties)
        assert ours.predict([[0, 1]]) == theirs.predict([[0, 1]]).tolist() == [label]


def test_scores_are_scikit_learns_where_no_decision_is_zero():
    multiclass = peer("sklearn.utils.multiclass")
    draw = np.random.default_rng(0)
    for k in (3, 4, 5):
        decisions = draw.normal(size=(20, k * (k - 1) // 2))
        theirs = multiclass._ovr_decision_function(decisions < 0, -decisions, k)
        assert [class_scores(row, k) for row in decisions.tolist()] == theirs.tolist()


def test_at_a_decision_of_zero_scores_follow_the_votes_that_predict_counts():
    # scikit-learn counts a zero for the earlier class in its scores, for the later one in predict.
    assert votes_of([0.0, 1.0, 1.0], 3) == [1, 2, 0]
    assert class_scores([0.0, 1.0, 1.0], 3) == [1 + 1 / 6.0, 2 + 1 / 6.0, -2 / 9.0]


def test_repr_and_parameters_agree():
    for parameters in ({}, {"kernel": "linear", "C": 2}, {"class_weight": {0: 1}, "gamma": 0.5}):
        assert repr(SVC(**parameters)) == repr(sklearn_svm.SVC(**parameters))
        theirs = sklearn_svm.SVC(**parameters).get_params()
        ours = SVC(**parameters).get_params()
        assert list(ours) == [name for name in theirs if name in ours]
        assert all(theirs[name] == value for name, value in ours.items())


# scikit-learn's tools


def test_clone_gives_an_unfitted_estimator_of_the_same_parameters():
    svc = SVC(C=3, class_weight={0: 2}, kernel="poly").fit(*clouds(2))
    again = base.clone(svc)
    assert type(again) is SVC and again.get_params() == svc.get_params()
    assert not hasattr(again, "classes_")
    assert base.clone(SVC(kernel=Precomputed())).kernel == Precomputed()


def test_it_is_known_as_a_classifier():
    assert base.is_classifier(SVC())
    peer("sklearn.utils.validation").check_is_fitted(SVC().fit(*clouds(2)))
    with pytest.raises(peer("sklearn.exceptions").NotFittedError):
        peer("sklearn.utils.validation").check_is_fitted(SVC())


def test_a_precomputed_matrix_is_cut_on_both_sides():
    X, y = clouds(3)
    K = X @ X.T
    K = (K + K.T) / 2
    for kernel in ("precomputed", Precomputed()):
        scores = model_selection.cross_val_score(SVC(kernel=kernel, tol=1e-7), K, y, cv=3)
        plain = model_selection.cross_val_score(SVC(kernel="linear", tol=1e-7), X, y, cv=3)
        assert scores.tolist() == plain.tolist()
    assert SVC(kernel="precomputed")._more_tags() == {"pairwise": True}
    assert SVC()._more_tags() == {"pairwise": False}
    assert SVC(kernel=np.array([]))._more_tags() == {"pairwise": False}


def test_a_grid_search_finds_what_scikit_learns_finds():
    X, y = clouds(3)
    grid = {"C": [0.01, 1, 100], "kernel": ["linear", "rbf"]}
    found = [
        model_selection.GridSearchCV(svc, grid, cv=3, n_jobs=1, error_score="raise").fit(X, y)
        for svc in (SVC(tol=1e-5), sklearn_svm.SVC(tol=1e-5))
    ]
    assert found[0].best_params_ == found[1].best_params_
    assert found[0].best_score_ == found[1].best_score_
    assert list(found[0].predict(X)) == found[1].predict(X).tolist()


def test_neither_numpy_nor_scikit_learn_is_imported():
    program = (
        "import sys; from refsvm.estimators.svc import SVC; SVC().fit([[0], [1]], [0, 1]);"
        "print(sorted({'numpy', 'sklearn', 'scipy'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == "[]\n", done.stderr
