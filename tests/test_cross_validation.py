"""Cross-validation: each row is decided about by a machine trained on the other folds."""

from array import array
from fractions import Fraction as F
from importlib import import_module

import pytest
from hypothesis import given
from hypothesis import strategies as st
from peers import Peer, peer
from profiles import draws

import refsvm_fast
from refsvm.estimators.cross_validation import cross_validate
from refsvm.estimators.folds import stratified_folds
from refsvm.estimators.svc import SVC
from refsvm.kernels.standard import Polynomial

np = Peer("numpy")
X = [[i, i * i % 7] for i in range(15)]
Y = [0] * 5 + [1] * 5 + [0] * 5


class Constant:
    """A classifier that always says the first label; it has no decision_function."""

    def __init__(self, shift=0, other=0):
        self.shift, self.other = shift, other

    def get_params(self, deep=True):
        return {"shift": self.shift, "other": self.other}

    def set_params(self, **parameters):
        vars(self).update(parameters)
        return self

    def fit(self, X, y):
        self.label = y[0] + self.shift

    def predict(self, X):
        return [self.label] * len(X)


@given(st.lists(st.integers(0, 3), min_size=2, max_size=30), st.integers(2, 9), st.integers(0, 9))
def test_folds_hold_every_row_once_and_every_class_evenly(y, k, seed):
    y = [*y, 0, 1]
    k = min(k, len(y))
    parts = stratified_folds(y, k, seed)
    assert sorted(i for part in parts for i in part) == list(range(len(y)))
    for label in set(y):
        counts = [len([i for i in part if y[i] == label]) for part in parts]
        assert max(counts) - min(counts) <= 1
    sizes = [len(part) for part in parts]
    assert len(parts) == k and max(sizes) - min(sizes) <= 1


@draws(1 / 4)
@given(st.lists(st.sampled_from("abc"), min_size=6, max_size=15), st.integers(2, 5))
def test_a_row_is_decided_about_by_a_machine_trained_on_the_other_folds(y, folds):
    y = ["a", "b"] * 3 + y
    rows = [[i % 5, i * i % 7] for i in range(len(y))]
    svc = SVC(kernel="poly", gamma=1, coef0=1, degree=2)
    found = cross_validate(svc, rows, y, folds=folds, seed=3)
    assert found.folds == stratified_folds(y, folds, 3) and not hasattr(svc, "model_")
    for fold, score in zip(found.folds, found.scores):
        kept = [i for i in range(len(y)) if i not in fold]
        svc.fit([rows[i] for i in kept], [y[i] for i in kept])
        held_out = [rows[i] for i in fold]
        assert [found.predictions[i] for i in fold] == svc.predict(held_out)
        assert [found.decisions[i] for i in fold] == svc.decision_function(held_out)
        assert score == svc.score(held_out, [y[i] for i in fold])
    right = [label == found.predictions[i] for i, label in enumerate(y)]
    assert found.score == right.count(True) / len(y)
    assert cross_validate(refsvm_fast.SVC(**svc.get_params()), rows, y, folds, 3) == found


def test_of_kernel_values_the_columns_are_cut_too():
    kernel, rows = Polynomial(2, 1, 1), [[v * 0.3 for v in x] for x in X]
    K = [[kernel(x, z) for z in rows] for x in rows]
    by_values = cross_validate(SVC(kernel="precomputed"), K, Y, folds=3)
    assert by_values == cross_validate(SVC(kernel=kernel), rows, Y, folds=3)
    assert by_values.score > 1 / 2


def test_one_fraction_makes_every_fold_exact():
    rows = [[F(1, 3)], *([i / 7] for i in range(1, 15))]
    svc = SVC(kernel="poly", C=1, gamma=0.7, coef0=0)
    expected = cross_validate(svc, [[F(v)] for (v,) in rows], Y, folds=3)
    assert cross_validate(svc, rows, Y, folds=3) == expected


def test_a_classifier_of_another_kind_is_copied_and_asked():
    machine = Constant()
    found = cross_validate(machine, X, Y, folds=3)
    assert found.decisions is None and found.predictions == [0] * 15 and found.score == 2 / 3
    assert "label" not in vars(machine)


@pytest.mark.parametrize("form", [
    tuple, lambda rows: np.array(rows, float), lambda rows: np.asfortranarray(rows),
    lambda rows: memoryview(array("d", sum(rows, []))).cast("B").cast("d", (15, 2)),
    lambda rows: peer("scipy.sparse").csr_array(rows),
    lambda rows: peer("scipy.sparse").coo_matrix(rows), "pandas", "polars",
], ids=["tuple", "array", "Fortran", "buffer", "csr", "coo", "pandas", "polars"])
@pytest.mark.parametrize("package", [SVC, refsvm_fast.SVC])
def test_rows_may_be_arrays_frames_and_sparse_matrices(form, package):
    if isinstance(form, str):
        frames = pytest.importorskip(form)
        rows = frames.DataFrame({"a": [x[0] for x in X], "b": [x[1] for x in X]})
    else:
        rows = form(X)
    expected = cross_validate(SVC(), X, Y, folds=3)
    assert cross_validate(package(), rows, Y, folds=3) == expected


def test_columns_of_kernel_values_are_cut_from_arrays_and_frames():
    K = np.array(X, float) @ np.array(X, float).T
    expected = cross_validate(SVC(kernel="precomputed"), K.tolist(), Y, folds=3)
    frame = pytest.importorskip("pandas").DataFrame(K)
    for values in (K, frame):
        assert cross_validate(SVC(kernel="precomputed"), values, Y, folds=3) == expected


def test_estimators_of_scikit_learn_are_cloned_and_cut_as_their_tags_say():
    svm, pipeline, preprocessing, base = map(
        peer, ["sklearn.svm", "sklearn.pipeline", "sklearn.preprocessing", "sklearn.base"])
    K = (np.array(X, float) @ np.array(X, float).T).tolist()
    for svc in (svm.SVC(kernel="precomputed"),
                import_module("refsvm.sklearn").SVC(kernel="precomputed"),
                pipeline.make_pipeline(preprocessing.KernelCenterer(), SVC(kernel="precomputed"))):
        found = cross_validate(svc, K, Y, folds=3)
        fold, kept = found.folds[0], sorted(found.folds[1] + found.folds[2])
        among = [[K[i][j] for j in kept] for i in kept]
        machine = base.clone(svc).fit(among, [Y[i] for i in kept])
        asked = machine.decision_function([[K[i][j] for j in kept] for i in fold])
        assert [found.decisions[i] for i in fold] == list(asked)
        assert not hasattr(svc, "classes_")


NO_NUMBER = [[0.0, 1.0]] * 14 + [[0.0, "one"]]
REFUSED = [
    (dict(folds=1), ValueError, "folds is 1; it must be at least 2"),
    (dict(folds=16), ValueError, "folds is 16; it must be at most 15, the number of rows"),
    (dict(folds=2.5), TypeError, "folds is 2.5; a whole number is needed"),
    (dict(seed=-1), ValueError, "seed is -1; it must be at least 0"),
    (dict(y=Y[1:]), ValueError, "y has length 14; there are 15 examples"),
    (dict(y=[1] * 15), ValueError, "y holds one class only, 1; two are needed"),
    (dict(y=[0.5] * 15), ValueError, "y[0] is 0.5; classes are whole numbers, strings or bools,"
     " other numbers ask for regression"),
    (dict(y=[1] + [0] * 14), ValueError, "fold 5 of 5 leaves the label 0 only to train on; there"
     " must be at least two rows of each of two classes"),
    (dict(X=[]), ValueError, "X is empty; it must have at least one row"),
    (dict(X=3), TypeError, "X is 3; a sequence is needed"),
    (dict(X=NO_NUMBER), TypeError, "X[14][1] is 'one'; a number is needed"),
    (dict(estimator=SVC), TypeError, "estimator is the class SVC; an instance is needed, such as"
     " SVC()"),
    (dict(estimator=3), TypeError, "estimator is 3; it must have the method fit"),
    (dict(estimator=SVC(C=-1)), ValueError, "C is -1; it must be positive"),
    (dict(estimator=SVC(tol=-1)), ValueError, "tol is -1.0; it must not be negative"),
    (dict(executor=2), TypeError, "executor is 2; a concurrent.futures.Executor, such as"
     " ProcessPoolExecutor(), is needed"),
]


@pytest.mark.parametrize("changed, error, sentence", REFUSED)
def test_bad_input_is_refused_before_the_work(changed, error, sentence, monkeypatch):
    monkeypatch.setattr(SVC, "fit", lambda *given: pytest.fail("work began"))
    given = {"estimator": SVC(), "X": X, "y": Y, **changed}
    with pytest.raises(error) as refused:
        cross_validate(**given)
    assert str(refused.value) == sentence
