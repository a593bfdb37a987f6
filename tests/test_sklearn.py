"""refsvm.sklearn: the bits of refsvm.SVC in arrays, as scikit-learn's tools ask for them."""

import copy
import pickle
import re
import subprocess
import sys
from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path

import pytest
from peers import peer

peer("sklearn")  # without it there is nothing to test
import numpy as np  # noqa: E402
from scipy import sparse  # noqa: E402
from sklearn import base, calibration, datasets, exceptions, model_selection  # noqa: E402
from sklearn.metrics import pairwise  # noqa: E402
from sklearn.utils.estimator_checks import parametrize_with_checks  # noqa: E402
from sklearn_differences import differences  # noqa: E402

import refsvm  # noqa: E402
from refsvm.sklearn import SVC, LinearSVC  # noqa: E402

ROOT = Path(__file__).parent.parent
WEIGHTS = "a row of weight 2 and two rows reach two answers within tol, as in scikit-learn's SVC"
EXPECTED = {
    "check_sample_weight_equivalence_on_dense_data": WEIGHTS,
    "check_sample_weight_equivalence_on_sparse_data": WEIGHTS,
}
KERNELS = ["linear", "poly", "rbf", "sigmoid", "precomputed", refsvm.Gaussian(0.5),
           refsvm.Linear() + refsvm.Polynomial(2)]
TEXTS = ["abab", "abba", "aab", "xyxy", "xyyx", "yxx"]


def clouds(k, n=30, seed=0):
    draw = np.random.default_rng(seed)
    y = np.arange(n) % k
    X = draw.normal(size=(n, 3)) + np.eye(3)[y % 3] * 2
    X[np.abs(X) < 0.3] = 0
    return X, y


def bits(values):
    """Numbers by their bits, whatever holds them; zeros have no sign."""
    values = values.toarray() if sparse.issparse(values) else np.asarray(values)
    return [float(v).hex() for v in (values + 0.0).ravel()]


def compare(ours, plain, X, Z):
    assert ours.classes_.tolist() == plain.classes_
    for name in ("support_", "n_support_", "class_weight_", "n_iter_", "dual_coef_", "intercept_"):
        assert isinstance(getattr(ours, name), np.ndarray) or sparse.issparse(X), name
        assert bits(getattr(ours, name)) == bits(getattr(plain, name)), name
    assert ours.fit_status_ == plain.fit_status_ and ours.shape_fit_ == plain.shape_fit_
    assert ours.dual_coef_.shape == np.shape(plain.dual_coef_)
    assert hasattr(ours, "coef_") == hasattr(plain, "coef_")
    if hasattr(ours, "coef_"):
        assert ours.coef_.shape == np.shape(plain.coef_) and bits(ours.coef_) == bits(plain.coef_)
    for shape in ("ovr", "ovo"):
        ours.set_params(decision_function_shape=shape)
        plain.set_params(decision_function_shape=shape)
        theirs = plain.decision_function(Z.tolist())
        assert ours.decision_function(Z).shape == np.shape(theirs)
        assert bits(ours.decision_function(Z)) == bits(theirs)
    assert ours.predict(Z).tolist() == plain.predict(Z.tolist())


@parametrize_with_checks([SVC()], expected_failed_checks=lambda estimator: EXPECTED)
def test_scikit_learns_checks_pass_but_for_two_that_its_own_svc_fails(estimator, check):
    check(estimator)


@pytest.mark.filterwarnings("ignore:training the classes:UserWarning")  # of a sigmoid
@pytest.mark.parametrize("kernel", KERNELS, ids=str)
@pytest.mark.parametrize("k", [2, 3])
def test_the_answers_are_refsvms_to_the_last_bit(kernel, k):
    X, y = clouds(k)
    Z = X[::3] + 0.25
    if kernel == "precomputed":
        X, Z = X @ X.T, Z @ X.T
        X = (X + X.T) / 2
    weights = np.arange(len(y)) % 4.0
    given = {"kernel": kernel, "class_weight": {0: 2.0, 1: 0.5, 2: 1.0, 7: 3.0}, "degree": 2}
    known = {label: given["class_weight"][label] for label in range(k)}
    ours = SVC(**given).fit(X, y, weights)
    plain = refsvm.SVC(**{**given, "class_weight": known})
    compare(ours, plain.fit(X.tolist(), y.tolist(), weights.tolist()), X, Z)
    for again in (pickle.loads(pickle.dumps(ours)), copy.deepcopy(ours)):
        assert "_svc" not in vars(again)
        compare(again, plain, X, Z)
    assert pickle.dumps(again) == pickle.dumps(ours)


@pytest.mark.parametrize("kind", ["csr_matrix", "csr_array", "csc_matrix", "coo_array"])
@pytest.mark.parametrize("kernel", ["linear", "rbf"])
def test_sparse_rows_have_the_answers_of_dense_ones(kernel, kind):
    X, y = clouds(3)
    dense, packed = SVC(kernel=kernel).fit(X, y), getattr(sparse, kind)(X)
    ours = SVC(kernel=kernel).fit(packed, y)
    names = ["support_vectors_", "dual_coef_"] + ["coef_"] * (kernel == "linear")
    for svc in (ours, pickle.loads(pickle.dumps(ours))):
        assert all(sparse.issparse(getattr(svc, name)) for name in names)
        assert all(bits(getattr(svc, name)) == bits(getattr(dense, name)) for name in names)
        assert bits(svc.decision_function(X)) == bits(dense.decision_function(packed))


def test_wide_sparse_rows_are_not_laid_out():
    wide = sparse.csr_matrix(([1.0, 2.0, -1.0, -2.0], ([0, 1, 2, 3], [5, 10**9, 5, 7])),
                             shape=(4, 2 * 10**9))
    svc = pickle.loads(pickle.dumps(SVC(kernel="linear").fit(wide, [1, 1, 0, 0])))
    assert svc.coef_.shape == (1, 2 * 10**9) and svc.coef_.nnz <= 3
    assert svc.predict(wide).tolist() == [1, 1, 0, 0]


@pytest.mark.parametrize("labels, dtype", [
    (["a", "b"], None), (["a", "b"], object), ([True, False], None), ([-1.0, 2.0], None),
    (["x", "yy", "z"], "U9"), ([3, 7, 9], np.int8),
])
def test_labels_come_back_as_they_were_given(labels, dtype):
    X, y = clouds(len(labels))
    y = np.array(labels, dtype)[y]
    svc = SVC().fit(X, y)
    assert svc.classes_.dtype == y.dtype and svc.classes_.tolist() == sorted(labels)
    assert svc.predict(X).dtype == y.dtype and svc.score(X, y) > 0.7


def test_rows_of_weight_zero_are_as_if_absent():
    X, y = clouds(3)
    weights = (y != 1) * 1.0
    ours, without = SVC().fit(X, y, weights), SVC().fit(X[y != 1], y[y != 1])
    assert ours.classes_.tolist() == [0, 2]
    assert bits(ours.decision_function(X)) == bits(without.decision_function(X))
    assert ours.support_.tolist() == np.flatnonzero(y != 1)[without.support_].tolist()


def test_rows_that_are_strings_go_with_a_kernel_of_strings():
    y = ["ab"] * 3 + ["xy"] * 3
    plain = refsvm.SVC(kernel=refsvm.Spectrum(2)).fit(TEXTS, y)
    for X in (TEXTS, np.array(TEXTS), np.array(TEXTS, object)):
        svc = SVC(kernel=refsvm.Spectrum(2)).fit(X, y)
        assert bits(svc.decision_function(X)) == bits(plain.decision_function(TEXTS))
        assert not hasattr(svc, "n_features_in_") and svc.shape_fit_ == (6,)
        assert pickle.loads(pickle.dumps(svc)).predict(X).tolist() == y
    assert model_selection.cross_val_score(svc, TEXTS, y, cv=3).tolist() == [1.0] * 3


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_a_frame_goes_with_a_kernel_of_refsvm_and_its_columns_are_checked(library):
    X, y = clouds(2)
    frame = peer(library).DataFrame({name: X[:, k] for k, name in enumerate("abc")})
    svc = SVC(kernel=refsvm.Gaussian(0.5)).fit(frame, y)
    assert svc.feature_names_in_.tolist() == ["a", "b", "c"]
    assert bits(svc.decision_function(frame)) == bits(
        SVC(kernel=refsvm.Gaussian(0.5)).fit(X, y).decision_function(X))
    with pytest.raises(ValueError, match="feature names"):
        svc.predict(frame[["b", "a", "c"]])


# Kernels that are functions, and matrices


@pytest.mark.parametrize("kernel", [pairwise.rbf_kernel, pairwise.laplacian_kernel,
                                    pairwise.polynomial_kernel, pairwise.cosine_similarity,
                                    partial(refsvm.gram, refsvm.Gaussian(0.25))])
@pytest.mark.parametrize("load", ["load_iris", "load_breast_cancer"])
def test_a_function_of_two_matrices_is_a_kernel(kernel, load):
    X, y = getattr(datasets, load)(return_X_y=True)
    X, y = X[::4], y[::4]
    K = np.array(kernel(X, X))
    svc = SVC(kernel=kernel).fit(X, y)
    given = SVC(kernel="precomputed").fit(K / 2 + K.T / 2, y)
    assert bits(svc.dual_coef_) == bits(given.dual_coef_)
    assert bits(svc.decision_function(X)) == bits(given.decision_function(K))
    assert svc.support_vectors_.shape == (0, 0)
    assert pickle.loads(pickle.dumps(svc)).score(X, y) == svc.score(X, y)


@pytest.mark.parametrize("kernel", [pairwise.rbf_kernel, "rbf", "precomputed"])
@pytest.mark.parametrize("later", [pairwise.linear_kernel, "linear", "precomputed"])
def test_a_model_keeps_the_kernel_that_it_was_trained_with(kernel, later):
    X, y = clouds(3)
    X = X @ X.T if kernel == "precomputed" else X
    svc, Z = SVC(kernel=kernel).fit(X, y), X.copy()  # rbf_kernel has other bits if X is Z
    before = bits(svc.decision_function(Z))
    svc.set_params(kernel=later)
    for again in (svc, pickle.loads(pickle.dumps(svc))):
        assert bits(again.decision_function(Z)) == before


def test_a_function_may_take_and_return_sparse_matrices():
    X, y = clouds(2)
    packed = sparse.csr_matrix(X)
    svc = SVC(kernel=lambda X, Z: X @ Z.T).fit(packed, y)
    assert svc.predict(packed).tolist() == SVC(kernel=lambda X, Z: X @ Z.T).fit(X, y).predict(
        X).tolist()


@pytest.mark.parametrize("dtype", [float, np.float32])
@pytest.mark.parametrize("units", [1, 4, 5])
def test_rounding_of_a_precomputed_matrix_is_mended_up_to_4_units(units, dtype):
    K = np.array([[4, 0.5, 1], [0.5, 16, 0], [1, 0, 4]], dtype)
    K[0, 1] += units * np.spacing(dtype(8))  # 8 is the root of 4 * 16
    assert K.dtype == dtype and K[0, 1] != K[1, 0]
    if units > 4:
        with pytest.raises(ValueError, match=r"X\[1\]\[0\] is .* take \(K \+ K.T\) / 2"):
            SVC(kernel="precomputed").fit(K, [0, 1, 1])
    else:
        mean = K.astype(float) / 2 + K.T.astype(float) / 2
        ours = SVC(kernel="precomputed").fit(K, [0, 1, 1])
        assert bits(ours.dual_coef_) == bits(
            SVC(kernel="precomputed").fit(mean, [0, 1, 1]).dual_coef_)


# What is refused, and what is warned of


def scrambled(X, Z):
    return X @ np.arange(9.0).reshape(3, 3) @ Z.T


@pytest.mark.parametrize("given, error, message", [
    ({"probability": True}, ValueError,
     r"probability is True; .* take CalibratedClassifierCV\(SVC\(\), ensemble=False\)"),
    ({"kernel": lambda x, z: 1.0}, ValueError,
     r"kernel returned values of shape \(\) .* partial\(refsvm.gram, k\)"),
    ({"kernel": scrambled}, ValueError, r"kernel\(X, X\) holds .* symmetric"),
    ({"kernel": lambda X, Z: np.full((len(X), len(Z)), np.nan)}, ValueError,
     r"kernel\(X, Z\) contains NaN"),
    ({"kernel": refsvm.Gaussian}, TypeError, "a kernel or a function"),
    ({"kernel": "gaussian"}, ValueError, "kernel is 'gaussian'; the known ones are 'linear'"),
    ({"C": 0}, ValueError, "C is 0"),
    ({"class_weight": {0: 1.0, 5: 2.0}}, ValueError, "class_weight has the key 5"),
])
def test_bad_parameters_are_refused_and_an_earlier_fit_stays(given, error, message):
    X, y = clouds(2)
    svc = SVC().fit(X, y)
    before, state = svc.decision_function(X), pickle.dumps(svc)
    svc.set_params(**given)
    with pytest.raises(error, match=message) as caught:
        svc.fit(X[:, ::-1].copy(), y)
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 300
    svc.set_params(**{name: base.clone(SVC()).get_params()[name] for name in given})
    assert bits(svc.decision_function(X)) == bits(before) and pickle.dumps(svc) == state


def test_input_that_is_refused_leaves_the_earlier_columns():
    X, y = clouds(2)
    svc = SVC().fit(X, y)
    with pytest.raises(ValueError, match="y holds one class only, 1; two are needed"):
        svc.fit(X[:, :2], np.ones(len(y), int))
    with pytest.raises(ValueError, match="weight"):
        svc.fit(X[:, :2], y, -np.ones(len(y)))
    assert svc.n_features_in_ == 3 and svc.score(X, y) > 0.7


def test_training_that_ends_early_warns_where_fit_is_called():
    X, y = clouds(2)
    with pytest.warns(exceptions.ConvergenceWarning, match="classes 0 and 1 .*'max_iter'") as seen:
        svc = SVC(max_iter=1).fit(X, y)
    assert svc.fit_status_ == 1 and seen[0].filename == __file__


def test_nothing_is_there_before_fit():
    svc = SVC(kernel="linear")
    assert not any(hasattr(svc, name) for name in ("coef_", "model_", "classes_", "predict_proba"))
    for ask in (svc.predict, svc.decision_function):
        with pytest.raises(exceptions.NotFittedError):
            ask([[0.0]])


def test_coef_cannot_be_changed():
    svc = SVC(kernel="linear").fit(*clouds(2))
    with pytest.raises(ValueError):
        svc.coef_[0] = 1
    with pytest.raises(AttributeError):
        svc.coef_ = [[1.0]]


# Where it computes


def test_its_parameters_are_scikit_learns():
    theirs = peer("sklearn.svm").SVC().get_params()
    assert {**SVC().get_params(), "probability": theirs["probability"]} == theirs
    assert SVC(**theirs).fit(*clouds(2)).fit_status_ == 0


def test_a_model_is_written_and_read(tmp_path):
    X, y = clouds(3)
    svc = SVC().fit(X, y)
    refsvm.write_model(tmp_path / "model", svc)
    assert refsvm.read_model(tmp_path / "model").predictions(X.tolist()) == svc.predict(X).tolist()


def test_without_refsvm_fast_the_bits_are_the_same(monkeypatch):
    X, y = clouds(3)
    there = SVC().fit(X, y)
    monkeypatch.setitem(sys.modules, "refsvm_fast", None)
    ours = SVC().fit(X, y)
    assert type(ours._svc) is refsvm.SVC
    assert bits(ours.decision_function(X)) == bits(there.decision_function(X))
    assert pickle.dumps(ours) == pickle.dumps(there)


def test_sklearn_svm_is_not_imported():
    program = ("import sys; from refsvm.sklearn import SVC; SVC().fit([[0], [1]], [0, 1]);"
               "print([name for name in sys.modules if name.startswith('sklearn.svm')])")
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == "[]\n", done.stderr


@pytest.mark.parametrize("state, why", [
    ("None", "import of sklearn halted; None in sys.modules"),
    ("types.SimpleNamespace(__version__='1.1.3')", "this is 1.1.3"),
])
def test_without_scikit_learn_one_sentence_says_what_to_install(state, why):
    program = (f"import sys, types; sys.modules['sklearn'] = {state}\n"
               "try: import refsvm.sklearn\nexcept ImportError as error: print(error)")
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == ("refsvm.sklearn needs scikit-learn 1.2 or later, so"
                           f" pip install -U scikit-learn ({why})\n"), done.stderr


@pytest.mark.slow("what scikit-learn's own tests ask and ours do not")
def test_scikit_learns_own_tests_fail_for_reasons_of_the_page_only():
    program = [sys.executable, ROOT / "tests" / "sklearn_own_tests.py"]
    done = subprocess.run(program, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("machine", [SVC(), LinearSVC()])
def test_CalibratedClassifierCV_fits_the_sigmoid_that_calibrate_fits(machine):
    """But for its tolerance; scikit-learn's p is of classes_[1], as decisions are."""
    X, y = clouds(2, 40)
    folds = model_selection.StratifiedKFold(4)
    theirs = calibration.CalibratedClassifierCV(machine, ensemble=False, cv=folds).fit(X, y)
    decisions = model_selection.cross_val_predict(machine, X, y, cv=folds,
                                                  method="decision_function")
    sigmoid = refsvm.calibrate(decisions, 2 * y - 1)
    found = sigmoid.probabilities(machine.fit(X, y).decision_function(X))
    assert theirs.predict_proba(X)[:, 1] == pytest.approx(found, abs=1e-4)


@pytest.mark.slow("a class, parameter or value that scikit-learn has and refsvm.sklearn has not")
def test_the_page_names_each_difference():
    page = (ROOT / "spec" / "use" / "scikit-learn.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (`.*?`) \| ", page.partition("## What is there")[2], re.MULTILINE)
    patterns = [pattern for row in rows for pattern in re.findall("`(.*?)`", row)]
    found = list(differences())
    assert [key for key in found if not any(fnmatchcase(key, p) for p in patterns)] == []
    assert [p for p in patterns if not any(fnmatchcase(key, p) for key in found)] == []
