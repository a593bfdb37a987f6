"""Probabilities of a model's classes: its sigmoids, LIBSVM's lines, and where they come from."""

import random
from fractions import Fraction as F
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from peers import Peer
from refusing import refusals, type_error, value_error
from seven_points import POINTS, done, go_to, run

import refsvm_fast
from refsvm import Linear, OneAgainstOne, calibrate, couple, cross_validate
from refsvm.estimators.linear_svc import LinearSVC
from refsvm.estimators.pair_calibration import calibrate_pairs
from refsvm.estimators.svc import SVC
from refsvm.files.models import read_model, write_model
from refsvm.svm.calibration import Calibration
from refsvm.svm.coupling import class_probabilities, pairwise
from refsvm.tables.data import write_data

svmutil = Peer("libsvm.svmutil")
BARE = OneAgainstOne([3, 1, 2], Linear(), [[1.0, 0.0], [0.0, 2.0], [1.0, 1.0]], [1, 1, 1],
                     [[1.0, -1.0, -0.5], [0.5, 1.0, -1.0]], [0.25, -0.5, 0.0])
SIGMOIDS = [Calibration(-2.0, 0.5), Calibration(-1.0, -0.25), Calibration(-1.5, 0.0)]
MODEL = BARE._replace(calibrations=SIGMOIDS)


def drawn(k, n, seed):
    """n rows of 2 features, of k classes that overlap; labels k, k - 1, .., 1, mixed."""
    draw = random.Random(seed)
    labels = [k - i % k for i in range(n)]
    draw.shuffle(labels)
    return [[draw.gauss(c, 0.8), draw.gauss(c * c / 2, 0.8)] for c in labels], labels


# ---- from decisions to probabilities


@given(st.lists(st.floats(-50, 50), min_size=3, max_size=3))
def test_they_are_the_coupling_of_the_sigmoids_of_the_pairs(f):
    r = [sigmoid.probabilities([v])[0] for sigmoid, v in zip(SIGMOIDS, f)]
    r = [min(max(v, 1e-7), 1 - 1e-7) for v in r]
    R = [[0, r[0], r[1]], [1 - r[0], 0, r[2]], [1 - r[1], 1 - r[2], 0]]
    assert class_probabilities([f], SIGMOIDS, 3) == [couple(R)]


def test_no_pair_is_certain():
    assert pairwise((0.0,), 2) == [[0, 1e-7], [1 - 1e-7, 0]]
    assert class_probabilities([[-1e9], [1e9]], [Calibration(-1.0, 0.0)], 2) == [
        [1e-7, 1 - 1e-7], [1 - 1e-7, 1 - (1 - 1e-7)]]


def test_a_model_has_a_probability_for_each_class_of_each_row_in_the_order_of_its_classes():
    found = MODEL.probabilities([[0.0, 0.0], [9.0, -9.0]])
    assert found == class_probabilities(MODEL.decisions([[0.0, 0.0], [9.0, -9.0]]), SIGMOIDS, 3)
    assert [sum(row) for row in found] == pytest.approx([1, 1], abs=1e-15)
    assert found[1][0] > 0.98  # the class 3, which all pairs are for
    fast = refsvm_fast.OneAgainstOne(*MODEL)
    assert fast.probabilities([[0.0, 0.0], [9.0, -9.0]]) == found


test_what_has_no_probabilities_says_what_is_missing = refusals(
    value_error("the model has no calibrations, which probabilities are made of; those of a"
                " file have them, in lines probA and probB, after svm-train -b 1 or train"
                " --probabilities", BARE.probabilities, [[0, 0]]),
    value_error("calibrations is [Calibration(A=-2.0, B=0.5), Calibration(A=-1.0, B=-0.25)]; it"
                " must be a list of one for each pair of classes, which are 3",
                BARE._replace(calibrations=SIGMOIDS[:2]).probabilities, [[0, 0]]),
    value_error("X[0] has length 1; the support vectors have length 2", MODEL.probabilities,
                [[0]]),
    type_error("decisions holds Fractions, of which no exponential is taken; give floats",
               MODEL.probabilities, [[F(1), 0]]),
)


# ---- calibrations of a machine


def test_two_classes_are_calibrated_by_the_decisions_of_cross_validation():
    X, y = drawn(2, 40, seed=3)
    machine = SVC(kernel="linear", break_ties=True)
    out_of_fold = cross_validate(machine, X, y, folds=4, seed=2).decisions
    A, B = calibrate(out_of_fold, [1 if label == 2 else -1 for label in y])
    # decision_function speaks for the later class, a pair's decision for the earlier
    assert calibrate_pairs(machine, X, y, folds=4, seed=2) == [(A, -B)]
    model = machine.fit(X, y).model_._replace(calibrations=[Calibration(A, -B)])
    of_later = Calibration(A, B).probabilities(machine.decision_function(X))
    assert [row[1] for row in model.probabilities(X)] == pytest.approx(of_later, abs=1e-15)
    assert A < 0


def test_each_pair_of_several_classes_is_calibrated_on_its_own_rows():
    X, y = drawn(3, 45, seed=5)
    found = calibrate_pairs(SVC(), X, y, folds=3)
    out_of_fold = cross_validate(SVC(decision_function_shape="ovo"), X, y, folds=3).decisions
    for place, (p, q) in enumerate([(1, 2), (1, 3), (2, 3)]):
        rows = [i for i, label in enumerate(y) if label in (p, q)]
        labels = [1 if y[i] == p else -1 for i in rows]
        assert found[place] == calibrate([out_of_fold[i][place] for i in rows], labels)
        assert found[place].A < 0
    assert calibrate_pairs(refsvm_fast.SVC(break_ties=True), X, y, folds=3) == found
    model = SVC().fit(X, y).model_._replace(calibrations=found)
    likely = [1 + row.index(max(row)) for row in model.probabilities(X)]
    assert sum(a == b for a, b in zip(likely, y)) > 33


def test_two_classes_of_any_estimator_with_decisions_can_be_calibrated():
    X, y = drawn(2, 30, seed=1)
    assert calibrate_pairs(LinearSVC(), X, y)[0].A < 0


test_what_has_no_pairs_to_calibrate_is_refused = refusals(
    value_error("y[4] is 3, the only row of its class; there must be at least two of each",
                calibrate_pairs, SVC(), [[0], [1], [2], [3], [4]], [1, 1, 2, 2, 3], folds=2),
    value_error("estimator is LinearSVC(); it must decide one against one, as SVC does",
                calibrate_pairs, LinearSVC(), [[0], [1]] * 3, [1, 1, 2, 2, 3, 3], folds=2),
    type_error("estimator is the class SVC; an instance is needed, such as SVC()", calibrate_pairs,
               SVC, [[0], [1]], [1, 2], folds=2),
)


# ---- LIBSVM's files, and its predictions


@pytest.mark.parametrize("k, options", [(2, "-t 2 -g 0.5"), (2, "-t 0"), (4, "-t 2 -g 0.5")])
def test_LIBSVM_and_refsvm_predict_the_same_from_each_others_files(k, options, tmp_path):
    X, y = drawn(k, 80, seed=k)
    path, again = str(tmp_path / "theirs"), str(tmp_path / "ours")
    svmutil.svm_save_model(path, svmutil.svm_train(y, X, options + " -b 1 -q"))
    model = read_model(path)
    write_model(again, model)
    assert read_model(again) == model and len(model.calibrations) == k * (k - 1) // 2
    for file in path, again:
        theirs = svmutil.svm_load_model(file)
        assert theirs.get_labels() == model.classes
        _, _, found = svmutil.svm_predict([0] * len(X), X, theirs, "-b 1 -q")
        # of several classes it iterates until its equations hold to 0.005 / k
        near = 1e-12 if k == 2 else 0.01
        for row, of_theirs in zip(model.probabilities(X), found):
            assert row == pytest.approx(of_theirs, abs=near)


def test_LIBSVM_takes_probabilities_that_refsvm_trained(tmp_path):
    X, y = drawn(2, 60, seed=4)
    machine = SVC(kernel="linear").fit(X, y)
    model = machine.model_._replace(calibrations=calibrate_pairs(machine, X, y))
    write_model(tmp_path / "ours", model)
    theirs = svmutil.svm_load_model(str(tmp_path / "ours"))
    _, _, found = svmutil.svm_predict([0] * len(X), X, theirs, "-b 1 -q")
    for row, of_theirs in zip(model.probabilities(X), found):
        assert row == pytest.approx(of_theirs, abs=1e-12)


# ---- on the command line


@pytest.fixture
def folder(tmp_path, monkeypatch):
    go_to(tmp_path, monkeypatch)
    write_model("sigmoids", MODEL)
    write_model("bare", BARE)
    write_data("rows", POINTS, [3, 1, 2, 3, 1, 2, 3])
    return tmp_path


def test_predict_writes_probabilities_as_svm_predict_does(folder, capsys):
    done(capsys, "predict", "rows", "sigmoids", "--probabilities", "-o", "out")
    head, *lines = Path("out").read_text().splitlines()
    expected = MODEL.probabilities(POINTS)
    likely = [MODEL.classes[row.index(max(row))] for row in expected]
    assert head == "labels 3 1 2"
    assert [[float(word) for word in line.split()] for line in lines] == [
        [label, *row] for label, row in zip(likely, expected)]
    done(capsys, "predict", "rows", "sigmoids", "--probabilities", "-o", "out.csv")
    table = Path("out.csv").read_text().splitlines()
    assert table[0] == "label,3,1,2" and table[1:] == [line.replace(" ", ",") for line in lines]


def test_train_writes_the_sigmoids_that_calibrate_pairs_fits(folder, capsys):
    X, y = drawn(3, 30, seed=2)
    write_data("drawn", X, y)
    told = done(capsys, "train", "drawn", "-o", "sure", "--probabilities", "--seed", "7")
    assert "probabilities from decisions of cross-validation, 5 folds (seed 7)\n" in told
    machine = SVC(gamma="auto")
    model = machine.fit(X, y).model_._replace(calibrations=calibrate_pairs(machine, X, y, seed=7))
    assert read_model("sure") == model
    done(capsys, "predict", "drawn", "sure", "--probabilities", "-o", "out")
    assert len(Path("out").read_text().splitlines()) == 31


@pytest.mark.parametrize("words, sentence", [
    ("drawn --probabilities", "give -o, and leave out --test-size"),
    ("drawn --probabilities --test-size 0.5 -o m", "give -o, and leave out --test-size"),
    ("few --probabilities -o m", "the label of row 3 is 3, the only row of its class"),
    ("drawn -b 1", "-b 1 is of LIBSVM; here it is --probabilities"),
])
def test_train_refuses_probabilities_that_it_cannot_write(folder, capsys, words, sentence):
    write_data("drawn", [[0], [1], [2], [3]], [1, 2, 1, 2])
    write_data("few", [[0], [1], [2], [3], [4]], [1, 1, 3, 2, 2])
    status, _, err = run(capsys, "train", *words.split())
    assert status == 2 and sentence in err and not Path("m").exists()


def test_predict_refuses_what_has_no_probabilities(folder, capsys):
    for words, sentence in [
        ("bare --probabilities -o out", "the model has no calibrations"),
        ("sigmoids --probabilities --decisions -o out", "not allowed with argument"),
        ("sigmoids -b 1", "-b 1 is of LIBSVM; here it is --probabilities"),
    ]:
        status, _, err = run(capsys, "predict", "rows", *words.split())
        assert status == 2 and sentence in err and not Path("out").exists()
