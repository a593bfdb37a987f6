"""check: who is right passes, who is wrong FAILs, and both are proved in exact arithmetic."""

from contextlib import ExitStack
from copy import deepcopy
from fractions import Fraction as F
from types import SimpleNamespace
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import refsvm
import refsvm_fast
from refsvm.numerics.sparse_rows import KeptColumns, SparseRow
from refsvm.proofs.certificate import certify
from refsvm.svm import solutions
from refsvm.svm.judgement import FAIL, PASS, UNDECIDED, judge, promised_gap
from refsvm.svm.machine_in_doubles import machine_at
from tests.peers import Peer, peer

X = [[(i % 7) / 4 - 1, (i * i % 11) / 4 - 1, (i % 3) / 4] for i in range(40)]
TWO = [int(x + (i % 5) / 8 > 0.25) for i, (x, _, _) in enumerate(X)]
THREE = [min(2, int(z + 1)) for _, z, _ in X]
VALUES = [x - z / 3 + (i % 4) / 8 for i, (x, z, _) in enumerate(X)]
WEIGHTS = [0.0 if i % 9 == 4 else 1 + (i % 3) / 2 for i in range(40)]
CASES = {
    "linear": ("SVC", {"kernel": "linear"}, TWO),
    "poly": ("SVC", {"kernel": "poly", "coef0": 1.0}, TWO),
    "rbf": ("SVC", {"C": 10.0}, TWO),
    "sigmoid": ("SVC", {"kernel": "sigmoid", "gamma": 0.01}, TWO),
    "weights of classes": ("SVC", {"class_weight": "balanced"}, THREE),
    "nu": ("NuSVC", {"nu": 0.2}, TWO),
    "nu of three": ("NuSVC", {"nu": 0.3, "kernel": "linear"}, THREE),
    "regression": ("SVR", {"epsilon": 0.25, "C": 0.02}, VALUES),
    "linear regression": ("SVR", {"kernel": "linear"}, VALUES),
    "nu regression": ("NuSVR", {"nu": 0.3}, VALUES),
    "closed tube": ("NuSVR", {"nu": 1.0, "kernel": "linear"}, [x[0] for x in X]),
    "one class": ("OneClassSVM", {"nu": 0.2}, None),
    "linear by w": ("LinearSVC", {}, TWO),
    "linear by w, hinge": ("LinearSVC", {"loss": "hinge", "intercept_scaling": 2.0}, THREE),
    "no offset": ("LinearSVC", {"fit_intercept": False}, THREE),
}
NAMES = pytest.mark.parametrize("name", CASES)
sklearn = Peer("sklearn.svm")


def fitted(library, name, weights=None, **more):
    """An estimator of a case, fitted, and its y."""
    estimator, parameters, y = CASES[name]
    machine = getattr(library, estimator)(**{**parameters, **more})
    return machine.fit(X, y, sample_weight=weights), y


# ---- who is right


@NAMES
@pytest.mark.parametrize("library", [refsvm, refsvm_fast], ids=["refsvm", "refsvm_fast"])
def test_estimators_of_refsvm_pass(library, name):
    machine, y = fitted(library, name)
    for check in (refsvm.check, refsvm_fast.check):
        found = check(machine, X, y)
        assert found.passed and found.verdict == PASS
        assert all(m.high <= m.allowed and not m.cure for m in found.machines)
        assert refsvm.check(fitted(library, name, WEIGHTS)[0], X, y, WEIGHTS).passed


@pytest.mark.parametrize("library", [refsvm, refsvm_fast], ids=["refsvm", "refsvm_fast"])
def test_what_newton_promises_is_a_part_of_the_primal(library):
    """C is so small that w = 0 keeps it, where the conditions of the dual are broken by more."""
    for C, scaling in (1e-6, 1), (1e-6, 3), (0.1, 3):
        machine = library.LinearSVC(C=C, intercept_scaling=scaling).fit(X, TWO)
        found = library.check(machine, X, TWO)
        assert found.passed, found
        (one,) = found.machines
        (solution,) = machine.solutions_
        primal = (solution.objective + solution.gap) * (1 + 1e-14)
        assert 0 < one.high <= one.allowed <= 1e-4 * primal
    machine.coef_[0][0] += 0.1
    assert library.check(machine, X, TWO).verdict == FAIL


def test_a_ball_passes():
    machine = refsvm.SVDD(C=0.1).fit(X)
    assert refsvm.check(machine, X).passed
    machine.radius2_ *= 1.5
    assert refsvm.check(machine, X).verdict == FAIL


@NAMES
@pytest.mark.parametrize("weights", [None, WEIGHTS], ids=["", "weighted"])
def test_estimators_of_scikit_learn_pass(name, weights):
    machine, y = fitted(sklearn, name, weights)
    assert refsvm.check(machine, X, y, weights).passed
    assert refsvm.check(machine, X, y, weights) == refsvm_fast.check(machine, X, y, weights)


@NAMES
def test_estimators_of_refsvm_for_scikit_learn_pass(name):
    peer("sklearn.svm")
    import refsvm.sklearn

    machine, y = fitted(refsvm.sklearn, name)
    assert refsvm.check(machine, X, y).passed


@pytest.mark.parametrize("options, y", [
    ("-s 0 -c 2", TWO), ("-s 0", THREE[::-1]), ("-s 1 -n 0.2", THREE[::-1]),
    ("-s 2 -n 0.2", TWO), ("-s 3 -p 0.2", VALUES), ("-s 4 -t 1 -r 1", VALUES), ("-t 0", THREE),
])
def test_models_of_libsvm_pass_and_fail(options, y):
    svmutil = peer("libsvm.svmutil")
    model = svmutil.svm_train(y, X, options + " -q")
    assert refsvm.check(model, X, y).passed
    model.rho[0] += 100
    assert refsvm.check(model, X, y).verdict == FAIL


def test_weights_that_a_model_of_libsvm_does_not_keep_are_those_of_the_rows():
    model = peer("libsvm.svmutil").svm_train(TWO, X, "-c 2 -w0 3 -q")
    assert_weights_asked_for(model)


def assert_weights_asked_for(model):
    """Of a model with C = 2, and a weight of 3 for the class 0."""
    with pytest.raises(ValueError, match="sample_weight is None, and .* with weights of classes"):
        refsvm.check(model, X, TWO)
    assert refsvm.check(model, X, TWO, [1 if v else 3 for v in TWO]).passed
    assert refsvm.check(model, X, TWO, [3 if v else 1 for v in TWO]).verdict == FAIL


def test_weights_are_those_of_the_rows_also_where_libsvm_is_not_there():
    machine = refsvm.SVC(C=2, gamma=0.5, class_weight={0: 3}).fit(X, TWO)
    rows = [{c + 1: v for c, v in enumerate(x)} for x in machine.support_vectors_]
    assert_weights_asked_for(SimpleNamespace(
        param=SimpleNamespace(svm_type=0, kernel_type=2, degree=3, gamma=0.5, coef0=0.0, eps=1e-3,
                              C=2.0, nu=0.5, p=0.1, nr_weight=1),
        rho=[-machine.intercept_[0]], get_labels=lambda: [1, 0],
        get_sv_indices=lambda: [i + 1 for i in machine.support_], get_SV=lambda: rows,
        get_sv_coef=lambda: [(c,) for c in machine.dual_coef_[0]],
    ))


@NAMES
def test_fractions_say_what_doubles_say(name):
    if name in ("sigmoid", "linear by w", "linear by w, hinge", "no offset"):
        return
    machine, y = fitted(refsvm, name)
    rough, exact = refsvm.check(machine, X, y), refsvm.check(machine, X, y, exact=True)
    assert exact.passed
    for a, b in zip(rough.machines, exact.machines):
        assert a.high == pytest.approx(b.high, rel=1e-3, abs=1e-9)


def test_of_a_kernel_matrix_that_is_indefinite_nothing_is_certified():
    machine = refsvm.SVC(kernel="sigmoid", gamma=0.5, coef0=-1.0).fit(X, TWO)
    assert refsvm.check(machine, X, TWO).passed
    found = refsvm.check(machine, X, TWO, exact=True)
    assert found.verdict == UNDECIDED and found.machines[0].cure == (
        "nothing can be certified: the kernel matrix K is not positive semidefinite")
    found = refsvm.check(changed(machine, intercept_=[9.0]), X, TWO, exact=True)
    assert found.verdict == FAIL and "nothing" not in found.machines[0].cure


# ---- who is wrong


def changed(machine, **attributes):
    """A copy of an estimator with other attributes."""
    machine = deepcopy(machine)
    for name, value in attributes.items():
        setattr(machine, name, value)
    return machine


@pytest.mark.parametrize("library", [refsvm, sklearn], ids=["refsvm", "scikit-learn"])
@pytest.mark.parametrize("name", ["linear", "rbf", "regression"])
def test_other_parameters_than_in_training_fail(library, name):
    machine, y = fitted(library, name)
    C = machine.C
    assert refsvm.check(machine, X, y).passed
    for other in (C / 2, C * 2):
        found = refsvm.check(changed(machine, C=other), X, y)
        assert found.verdict == FAIL and "C" in found.machines[0].cure
    rough, _ = fitted(library, name, tol=0.5)
    found = refsvm.check(rough.set_params(tol=1e-3), X, y)
    assert found.verdict == FAIL and "smaller tol" in found.machines[0].cure


def test_what_a_part_of_the_primal_allows_lies_between_two_ends():
    """Doubles know the primal of such weights no better than from 0 on: that is no FAIL."""
    y, weights = [0, 1, 0], [1, 1, 1e34]
    machine = refsvm.LinearSVC(C=1, tol=0.5, max_iter=3, fit_intercept=False)
    machine.fit([[2.0], [-1.0], [3.0]], y, sample_weight=weights)
    found = refsvm.check(machine, [[2.0], [-1.0], [3.0]], y, weights)
    assert found.verdict == UNDECIDED and found.machines[0].high > 0.02


@NAMES
@pytest.mark.parametrize("library", [refsvm, sklearn], ids=["refsvm", "scikit-learn"])
def test_an_offset_that_is_off_fails(library, name):
    if "by w" in name or name == "no offset":
        return
    machine, y = fitted(library, name, tol=1e-4)
    off = [float(v) for v in machine.intercept_]
    unit = 10 * (max(VALUES) - min(VALUES)) if y is VALUES else 10
    off[0] += 1e-3 * unit
    found = refsvm.check(changed(machine, intercept_=off), X, y)
    assert found.verdict == FAIL and "offset" in found.machines[0].cure


@pytest.mark.parametrize("name", ["linear by w", "linear by w, hinge"])
def test_a_w_that_is_off_fails(name):
    for library in (refsvm, sklearn):
        machine, y = fitted(library, name)
        coef = [[float(v) * 1.25 for v in w] for w in machine.coef_]
        assert refsvm.check(changed(machine, coef_=coef), X, y).verdict == FAIL


@pytest.mark.parametrize("loss", ["hinge", "squared_hinge"])
@pytest.mark.parametrize("is_sparse", [False, True])
@pytest.mark.parametrize("size", [0, 1e-3])
def test_a_weight_that_few_margins_show_fails(loss, is_sparse, size):
    """The scores hardly tell it, or not at all: it is in |w|^2."""
    wide = [[*x, size * (i % 2), *[0.0] * 60] for i, x in enumerate(X)]
    rows = [SparseRow(KeptColumns(range(64), 64), x) for x in wide] if is_sparse else wide
    machine = refsvm.LinearSVC(loss=loss).fit(rows, TWO)
    assert refsvm.check(machine, rows, TWO).passed
    w = list(machine.coef_[0])
    w[3] += 1.0
    assert refsvm.check(changed(machine, coef_=[w]), rows, TWO).verdict == FAIL


@pytest.mark.filterwarnings("ignore:training")
@pytest.mark.parametrize("tol", [1e-15, 1e-4])
def test_columns_without_a_number_take_no_memory(tol):
    """They are two thousand millions, as of hashed words."""
    places = [10**7 * j for j in range(200)]
    rows = [SparseRow(KeptColumns(places[i:i + 5], 2 * 10**9), [1.0 + i, 0.5, i % 7, 2.0, 0.1])
            for i in range(60)]
    y = [i % 2 for i in range(60)]
    assert refsvm.check(refsvm.LinearSVC(tol=tol).fit(rows, y), rows, y).verdict != FAIL


@pytest.mark.parametrize("library", [refsvm, sklearn], ids=["refsvm", "scikit-learn"])
@pytest.mark.parametrize("name", ["linear", "rbf", "nu", "regression", "one class"])
def test_one_multiplier_that_was_changed_fails(library, name):
    machine, y = fitted(library, name)
    coefs = [[float(c) for c in row] for row in machine.dual_coef_]
    coefs[0][1] *= 0.75
    assert refsvm.check(changed(machine, dual_coef_=coefs), X, y).verdict == FAIL


def test_another_gamma_fails():
    machine, y = fitted(sklearn, "rbf")
    assert refsvm.check(changed(machine, _gamma=2 * machine._gamma), X, y).verdict == FAIL


def test_rounding_is_no_mistake():
    machine, y = fitted(refsvm, "rbf")
    coefs = [[c * (1 + 2.0**-44) for c in machine.dual_coef_[0]]]
    found = refsvm.check(changed(machine, dual_coef_=coefs), X, y)
    assert found.passed and max(map(abs, coefs[0])) > machine.C


def test_nothing_is_accused_that_keeps_its_promise():
    """LIBSVM's own tol is in residuals, and its kernel values are in single precision."""
    for C in (0.01, 1.0, 100.0):
        for name in ("linear", "poly", "rbf", "regression", "nu regression"):
            more = {} if name == "nu" else {"C": C}
            machine, y = fitted(sklearn, name, **more)
            assert refsvm.check(machine, X, y).passed, (name, C)


def test_rounding_of_refsvm_is_blamed_on_no_other_program():
    """At 2^25 the squares that a ball is computed from lose the half that its radius is."""
    far = [[2**25, 2**25, 0], [2**25, 2**25, 1]]
    ball = refsvm.SVDD(kernel="poly", degree=1, gamma=1.0, coef0=0.0, C=1.0)
    with ExitStack() as stack:  # a problem so small is judged in exact arithmetic
        for name in ("is_small", "is_short"):
            stack.enter_context(patch.object(solutions, name, lambda *given: False))
        stack.enter_context(pytest.warns(UserWarning, match="precision"))
        ball.fit(far)
    (found,) = refsvm.check(ball, far, exact=True).machines
    assert found.verdict == FAIL and "LIBSVM" not in found.cure
    assert refsvm.check(ball.fit(far), far, exact=True).passed
    assert found.cure.startswith("no more than rounding in double precision explains: centre")
    centred = [[0, 0, -0.5], [0, 0, 0.5]]
    assert refsvm.check(ball.fit(centred), centred, exact=True).passed


class OfOthers(refsvm.SVC):
    """The machine of a program that may keep kernel values in single precision."""


def test_single_precision_explains_no_mistake_of_refsvm():
    cures, labels = [], [0, 1] * 4
    for kind in (OfOthers, refsvm.SVC):
        machine = kind(kernel="linear", C=1e4).fit(X[:8], labels)
        off = changed(machine, intercept_=[machine.intercept_[0] + 0.003])
        cures.append(refsvm.check(off, X[:8], labels).machines[0].cure)
    assert "single precision, as LIBSVM does" in cures[0]
    assert cures[1].startswith("an offset is off: it is 0.203,")


numbers = st.integers(-4, 4).map(float)


@settings(deadline=None)
@given(st.data())
def test_a_verdict_holds_in_exact_arithmetic(data):
    n = data.draw(st.integers(3, 6))
    rows = data.draw(st.lists(st.tuples(numbers, numbers), min_size=n, max_size=n))
    y = [1, -1, *data.draw(st.lists(st.sampled_from([1, -1]), min_size=n - 2, max_size=n - 2))]
    C = data.draw(st.sampled_from([0.25, 1.0, 30.0]))
    kernel = data.draw(st.sampled_from([refsvm.Linear(), refsvm.Polynomial(2, 0.5, 1.0)]))
    problem = refsvm.Problem(list(map(list, rows)), y, kernel, C)
    tol = data.draw(st.sampled_from([1e-1, 1e-3, 1e-6]))
    solution = refsvm.smo(problem, tol * data.draw(st.sampled_from([0.5, 1.0, 4.0, 100.0])))
    alpha = [a * (1 + data.draw(st.integers(-2, 2)) * 2.0**-50) for a in solution.alpha]
    b = solution.b + data.draw(st.sampled_from([0.0, tol / 4, 3 * tol]))
    found = judge(machine_at(problem.at(alpha, (b,)), alpha, (b,)), tol)
    exact = certify(problem, alpha, b)
    allowed = promised_gap(exact.problem, exact.variables, exact.primal, F(tol))
    gap = found.promise("gap")
    if gap.verdict == PASS:
        assert exact.primal - refsvm.solve_exactly(problem).objective <= gap.allowed
    if gap.verdict == FAIL:
        assert exact.gap > allowed
    if solution.status == "optimal" and solution.violation <= tol and b == solution.b:
        assert found.verdict in (PASS, UNDECIDED)


def test_between_its_bounds_nothing_is_said():
    problem = refsvm.Problem(X, [2 * label - 1 for label in TWO], refsvm.Gaussian(0.3))
    solution = refsvm.smo(problem, 1e-12)
    for tol, verdict in ((1e-3, PASS), (1e-16, UNDECIDED)):
        given = solution.alpha, (solution.b,)
        found = judge(machine_at(problem.at(*given), *given), tol)
        assert found.verdict == found.promise("gap").verdict == verdict
    _, _, low, high, allowed = found.promise("gap")
    assert low <= allowed < high


# ---- what cannot be checked, and what is told


@pytest.mark.parametrize("estimator, sentence", [
    (refsvm.SVC(), r"SVC\(\) is not fitted; call fit\(X, y\) first"),
    (refsvm.LinearSVC(), r"LinearSVC\(\) is not fitted"),
    (7, "estimator is 7; a fitted SVC"),
    (refsvm.SVC, "estimator is .*SVC.*; a fitted SVC"),
    (SimpleNamespace(get_params=dict), "its parameters are of no machine here"),
])
def test_what_is_no_fitted_estimator_is_refused(estimator, sentence):
    with pytest.raises((TypeError, ValueError), match=sentence):
        refsvm.check(estimator, X, TWO)


def test_other_rows_and_labels_are_refused():
    machine, y = fitted(refsvm, "rbf")
    scaled = [[v / 2 for v in row] for row in X]
    with pytest.raises(ValueError, match="support vector 0 is not row .* scaled as they were"):
        refsvm.check(machine, scaled, y)
    with pytest.raises(ValueError, match="X has 6 rows; support_ has row"):
        refsvm.check(machine, X[34:], y[34:])
    with pytest.raises(ValueError, match=r"y has the labels \[0, 1, 2\]; those of fit"):
        refsvm.check(machine, X, THREE)
    with pytest.raises(ValueError, match="a row of dual_coef_ has length 1"):
        refsvm.check(changed(machine, dual_coef_=[[1.0]]), X, y)


def test_a_kernel_that_has_no_name_is_refused():
    rows = peer("numpy").array(X)
    machine = sklearn.SVC(kernel=lambda A, B: A @ B.T).fit(rows, TWO)
    with pytest.raises(TypeError, match="a function of matrices; fit with kernel='precomputed'"):
        refsvm.check(machine, X, TWO)


def test_precomputed_values_are_checked():
    K = refsvm.gram(refsvm.Linear(), X)
    machine = sklearn.SVC(kernel="precomputed").fit(K, TWO)
    assert refsvm.check(machine, K, TWO).passed
    assert refsvm.check(refsvm.SVC(kernel="precomputed").fit(K, TWO), K, TWO).passed


def test_a_check_prints_in_few_lines_and_as_a_table():
    machine, y = fitted(refsvm, "weights of classes")
    found = refsvm.check(machine, X, y)
    assert str(found).startswith("pass: 3 of 3 machines pass, by tol = 0.001\n")
    assert len(str(found).splitlines()) <= 5
    wrong = refsvm.check(changed(machine, intercept_=[2.0, 0.0, 0.0]), X, y)
    lines = str(wrong).splitlines()
    assert lines[0].startswith("FAIL: ") and len(lines) <= 25 and "broken by" in lines[-6]
    assert "the classes 0 and 1" in lines[1]
    assert "<table>" in found._repr_html_() and "FAIL" in wrong._repr_html_()
