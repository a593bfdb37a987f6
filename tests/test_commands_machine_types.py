"""The command line with every type of machine: train, predict, plot and exact."""

import re
from fractions import Fraction as F
from math import log
from pathlib import Path

import pytest
from profiles import slow_cases

import refsvm
from refsvm.commands import machine_options
from refsvm.estimators.linear_svc import LinearSVC
from refsvm.estimators.linear_svr import LinearSVR
from refsvm.estimators.nu_svc import NuSVC
from refsvm.estimators.outliers import SVDD, OneClassSVM
from refsvm.estimators.svr import SVR, NuSVR, r2_score
from refsvm.files.models import read_model, same_width, write_model
from refsvm.files.table_columns import TableColumns
from refsvm.kernels.standard import Gaussian, Linear
from refsvm.numerics.exact_sums import mean_and_deviation
from refsvm.plotting.drawing import plot
from refsvm.plotting.tracing import trace
from refsvm.proofs.canonical_json import canonical, document_of
from refsvm.proofs.checker import check
from refsvm.proofs.optimum import solve_exactly
from refsvm.svm.ball_problem import BallProblem
from refsvm.svm.nu_problem import NuProblem
from refsvm.svm.one_class_problem import OneClassProblem
from refsvm.svm.regression_problem import NuRegressionProblem, RegressionProblem
from refsvm.svm.residual_scale import laplace_scale
from refsvm.tables.data import read_data, write_data
from tests.peers import peer
from tests.seven_points import LABELS, POINTS, done, go_to, run

VALUES = [0.5, 1, 1.5, 6, 7, 2.5, 2]
HALF = ("--nu", "0.5", "--gamma", "0.25")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Every test runs in a folder of its own, with the seven points as tables."""
    go_to(tmp_path, monkeypatch)
    write_data("rents.csv", POINTS, VALUES, columns=TableColumns(["x", "y"], 2, "rent", 3))
    write_data("values", POINTS, VALUES)
    write_data("rows.csv", POINTS, [], columns=TableColumns(["x", "y"], 2))
    return tmp_path


def facts(out):
    """{name: value} of the table in a report."""
    rows = [line.split() for line in out.splitlines() if line.startswith("  ")]
    return {row[0]: row[1] for row in rows if len(row) > 1}


@pytest.mark.parametrize("words, expected", [
    (("--type", "nu_svc", *HALF), NuSVC(0.5, gamma=0.25)),
    (("--type", "epsilon_svr", "--gamma", "0.25", "--epsilon", "0.5", "--C", "3"),
     SVR(gamma=0.25, epsilon=0.5, C=3)),
    (("--type", "nu_svr", *HALF, "--C", "3"), NuSVR(0.5, 3, gamma=0.25)),
    (("--type", "one_class", *HALF), OneClassSVM(nu=0.5, gamma=0.25)),
    (("--type", "linear_svc", "--loss", "hinge", "--C", "3", "--class-weight", "1:2"),
     LinearSVC(loss="hinge", C=3, class_weight={1: 2})),
    (("--type", "linear_svr", "--max-iter", "9", "--epsilon", "0.5", "--tol", "1e-9"),
     LinearSVR(epsilon=0.5, max_iter=9, tol=1e-9)),
], ids=["nu_svc", "epsilon_svr", "nu_svr", "one_class", "linear_svc", "linear_svr"])
def test_train_writes_the_model_of_the_estimator_with_its_type(capsys, folder, words, expected):
    y = LABELS if words[1].endswith("svc") else VALUES
    write_data("data", POINTS, y)
    done(capsys, "train", "data", *words, "-o", "model")
    write_model("expected", expected.fit(POINTS, y))
    assert (folder / "model").read_bytes() == (folder / "expected").read_bytes()
    of_header = {"linear_svc": "c_svc", "linear_svr": "epsilon_svr"}.get(words[1], words[1])
    assert (folder / "model").read_text().startswith(f"svm_type {of_header}\n")
    model = read_model("model")
    write_model("again", model)
    assert (folder / "again").read_bytes() == (folder / "model").read_bytes()


@pytest.mark.parametrize("kind, data, machine", [
    ("linear_svc", "three", LinearSVC()), ("linear_svr", "values", LinearSVR(epsilon=0.1))])
def test_linear_types_are_folded_searched_predicted_and_drawn(capsys, folder, kind, data, machine):
    y = [0, 0, 1, 2, 2, 1, 1] if data == "three" else VALUES
    folds = refsvm.cross_validate(machine, POINTS, y, folds=2)
    told = f"{100 * folds.score:.2f} %" if data == "three" else f"{folds.score:.4f}"
    out = done(capsys, "train", data, "--type", kind, "-v", "2", "-o", "model")
    assert re.search(rf"  all +{told} ", out) and "weights, and an offset" in out
    out = done(capsys, "grid", data, "--type", kind, "-v", "2", "--C", "1,8", "-o", "best")
    found = refsvm.grid(machine, {"C": [1.0, 8.0]}, POINTS, y, folds=2)
    write_model("expected", machine.set_params(**found.best).fit(POINTS, y))
    assert Path("best").read_bytes() == Path("expected").read_bytes() and "gamma" not in out
    done(capsys, "predict", data, "best", "-o", "found")
    assert list(map(float, Path("found").read_text().split())) == machine.predict(POINTS)
    assert "hint" not in done(capsys, "predict", data, "best")
    assert "feature 1" in done(capsys, "explain", data, "best")
    assert "svm_predict" in done(capsys, "export", "best")


def test_a_linear_model_is_drawn_without_vectors(capsys):
    done(capsys, "train", "points", "--type", "linear_svc", "-o", "model")
    assert "Linear()\n" in done(capsys, "plot", "points", "model", "-o", "one.svg")
    assert "Linear(), C = 1\n" in done(
        capsys, "plot", "points", "--type", "linear_svc", "-o", "two.svg")


def test_of_a_table_the_unit_of_C_is_that_of_the_values_unless_slack_is_squared(capsys):
    deviation = mean_and_deviation(VALUES)[1]
    words = ("train", "rents.csv", "--type", "linear_svr")
    assert f"C = {deviation:.6g}, epsilon = {deviation / 10:.6g}, as" in done(capsys, *words)
    squared = done(capsys, *words, "--loss", "squared_epsilon_insensitive")
    assert f"C = 1, epsilon = {deviation / 10:.6g}, as" in squared
    out = done(capsys, "grid", *words[1:], "--loss", "squared_epsilon_insensitive", "-v", "2")
    assert " 0.25 " in out and " 64 " in out


def test_a_check_of_weights_is_that_of_the_estimator(capsys):
    done(capsys, "train", "points", "--type", "linear_svc", "--loss", "hinge", "-o", "model")
    machine = LinearSVC(loss="hinge").fit(POINTS, LABELS)
    told = done(capsys, "check", "points", "model", "--C", "1", "--loss", "hinge")
    assert str(refsvm.check(machine, POINTS, LABELS)).partition("\n")[0] in told
    status, out, _ = run(capsys, "check", "points", "model", "--C", "3", "--loss", "hinge")
    assert status == 1 and "FAIL, by tol = 0.0001" in out
    done(capsys, "train", "three", "--type", "linear_svc", "-o", "many")
    assert "and not the offset of each" in run(capsys, "check", "three", "many", "--C", "1")[2]


@pytest.mark.parametrize("old, new, told", [
    ("linear_svc", "linear", '"type" is .linear.; the known ones are'),
    ("linear_svc", "linear_svr", "its header must have the svm_type epsilon_svr"),
    ("kernel_type linear", "kernel_type precomputed", "and the kernel_type linear"),
])
def test_a_linear_model_whose_lines_contradict_is_refused(old, new, told):
    write_model("model", LinearSVC().fit(POINTS, LABELS))
    text = Path("model").read_text().replace(old, new)
    Path("model").write_text(re.sub("(?m)^-1 1.*", "-1 0:1 ", text) if "kernel" in old else text)
    with pytest.raises(ValueError, match=told):
        read_model("model")


def test_of_a_regression_the_fit_and_both_offsets_are_told(capsys, folder):
    machine = NuSVR(kernel="linear").fit(POINTS, VALUES)
    out = done(capsys, "train", "rents.csv", "--as-is", "--type", "nu_svr", "--kernel", "linear")
    assert "value rent: from 0.5 to 7\n" in out
    f = machine.predict(POINTS)
    squares = sum((v - p) ** 2 for v, p in zip(VALUES, f)) / 7
    assert f"training R^2 {r2_score(VALUES, f):.4f}, mean squared error {squares:.6g} (" in out
    assert facts(out)["epsilon"] == f"{machine.epsilon_:.8g}"
    assert facts(out)["b"] == f"{machine.intercept_[0]:.8g}"


def test_rows_kept_to_test_a_regression_are_not_trained_on(capsys):
    out = done(capsys, "train", "values", "--type", "epsilon_svr", "--test-size", "0.3")
    assert "5 rows to train on, 2 to test with (seed 1)" in out
    assert "test R^2 " in out and "(2 rows)" in out and "others see" not in out


def test_predict_writes_the_values_and_tells_how_near_they_are(capsys, folder):
    words = ("--type", "epsilon_svr", "--kernel", "linear", "-o", "model")
    done(capsys, "train", "rents.csv", "--as-is", *words)
    f = SVR(kernel="linear").fit(POINTS, VALUES).predict(POINTS)
    out = done(capsys, "predict", "rents.csv", "model", "-o", "found")
    assert out.startswith(f"R^2 {r2_score(VALUES, f):.4f}, mean squared error ")
    assert list(map(float, (folder / "found").read_text().split())) == f
    assert f"7 rows: values from {min(f):.6g} to {max(f):.6g}\n" in done(
        capsys, "predict", "rows.csv", "model", "-o", "found.csv")
    assert (folder / "found.csv").read_text().startswith("value\n")


def test_the_scale_of_what_a_model_misses_is_told_and_kept_when_widened(capsys):
    model = SVR(kernel="linear").fit([[1.0], [2.0], [4.0]], [1, 2, 3]).model_
    model.scale = 0.25
    write_model("model", model)
    assert "Laplace distribution of scale 0.25: " in done(capsys, "predict", "values", "model")
    assert same_width(read_model("model"), POINTS)[0].scale == 0.25


@pytest.mark.parametrize("kind, machine", [
    ("nu_svr --nu 0.75", NuSVR(0.75, gamma=0.5)), ("epsilon_svr --C 3", SVR(C=3, gamma=0.5)),
    ("epsilon_svr --kernel linear", SVR("linear")),
])
def test_train_v_tells_the_folds_of_a_regression(capsys, kind, machine):
    words = ("train", "rents.csv", "--as-is", "--type", *kind.split(), "-v", "3", "--seed", "2")
    out = done(capsys, *words)
    found = refsvm.cross_validate(machine, POINTS, VALUES, folds=3, seed=2)
    rows = [line.split() for line in out.splitlines() if line.startswith("  ")]
    assert rows[0] == ["R^2", "mean", "squared", "error", "rows"]
    for j, (fold, r2) in enumerate(zip(found.folds, found.scores)):
        missed = sum((VALUES[i] - found.predictions[i]) ** 2 for i in fold) / len(fold)
        assert rows[j + 1][:5] == ["fold", str(j + 1), f"{r2:.4f}", f"{missed:.6g}",
                                   str(len(fold))]
    assert rows[4] == ["all", f"{found.score:.4f}", f"{found.mean_squared_error:.6g}", "7"]
    assert "status" not in out and "support vector" not in out
    assert "support vector" in done(capsys, *words, "-o", "model")
    assert "status max_iter" in done(capsys, *words, "--max-iter", "0")


def test_train_v_tells_the_folds_of_nu_svc(capsys):
    out = done(capsys, "train", "points", "--type", "nu_svc", "--nu", "0.25", "-v", "3")
    found = refsvm.cross_validate(NuSVC(0.25, gamma=0.5), POINTS, LABELS, folds=3)
    shares = [f"{100 * share:.2f}" for share in found.scores]
    assert [line.split()[2] for line in out.splitlines() if "  fold" in line] == shares


@pytest.mark.parametrize("kind", ["epsilon_svr", "nu_svr"])
def test_train_writes_the_scale_of_what_folds_miss_and_predict_tells_it(capsys, folder, kind):
    out = done(capsys, "train", "rents.csv", "--as-is", "--type", kind, "--probabilities",
               "-o", "model", "--seed", "3")
    machine = SVR(gamma=0.5) if kind == "epsilon_svr" else NuSVR(gamma=0.5)
    found = refsvm.cross_validate(machine, POINTS, VALUES, folds=5, seed=3)
    scale = laplace_scale([v - f for v, f in zip(VALUES, found.predictions)])
    model = read_model("model")
    assert model.scale == scale and f"\nprobA {scale!r}\n" in Path("model").read_text()
    assert f"scale {scale:.6g}: half are below {scale * log(2):.2g}, nine" in out
    told = done(capsys, "predict", "rents.csv", "model", "--probabilities", "-o", "out")
    assert f"nine of ten below {scale * log(10):.2g}\n" in told
    assert list(map(float, Path("out").read_text().split())) == model.decisions(POINTS)
    svmutil = peer("libsvm.svmutil")
    assert svmutil.svm_load_model("model").get_svr_probability() == scale


@pytest.mark.parametrize("kind, problem", [
    ("epsilon_svr", RegressionProblem(POINTS, VALUES, Gaussian(0.5), 1, 0.1)),
    ("nu_svr", NuRegressionProblem(POINTS, VALUES, Gaussian(0.5), 1, 0.5)),
    ("nu_svc", NuProblem(POINTS, LABELS, Gaussian(0.5), 0.5)),
    ("one_class", OneClassProblem(POINTS, Gaussian(0.5), 0.5)),
    ("svdd", BallProblem(POINTS, Gaussian(0.5), 1)),
])
def test_trace_tells_the_steps_of_every_type(capsys, kind, problem):
    data = {"nu_svc": "points", "one_class": "rows.csv", "svdd": "rows.csv"}.get(kind, "values")
    as_is = ["--as-is"] if data == "rows.csv" else []
    out = done(capsys, "trace", data, *as_is, "--type", kind)
    tol = SVR().tol if kind.endswith("svr") else 1e-3
    assert out.startswith(trace(problem, tol=tol).text() + "\n")
    assert "so that sums stay what they must be" in out
    assert " after 1 step: " in done(capsys, "trace", data, *as_is, "--type", kind, "--steps", "1")


@pytest.mark.parametrize("kind", ["one_class", "svdd"])
def test_of_one_class_every_column_is_a_feature_unless_label_names_one(capsys, kind):
    machine = OneClassSVM(gamma="auto") if kind == "one_class" else SVDD(gamma="auto")
    outside = machine.fit_predict(POINTS).count(-1)
    tables = ("rows.csv", "--as-is"), ("rents.csv", "--as-is", "--label", "rent")
    for line in (*tables, ("values",)):
        out = done(capsys, "train", *line, "--type", kind)
        assert "7 rows, 2 features\n" in out and f"({outside} of 7 rows)" in out
    assert facts(out)["rho" if kind == "one_class" else "R^2"]
    assert "7 rows, 3 features\n" in done(capsys, "train", "rents.csv", "--as-is", "--type", kind)


def test_predict_with_a_model_of_one_class_tells_inside_from_outside(capsys, folder):
    done(capsys, "train", "rows.csv", "--as-is", "--type", "one_class", *HALF, "-o", "model")
    machine = OneClassSVM(gamma=0.25).fit(POINTS)
    far = [*POINTS, [40.0, 40.0]]
    write_data("far", far, [1] * 7 + [-1])
    out = done(capsys, "predict", "far", "model", "-o", "signs")
    signs = machine.predict(far)
    assert list(map(int, (folder / "signs").read_text().split())) == signs
    assert f"({signs.count(-1)} of 8 rows)" in out and "accuracy" in out and "precision" in out
    assert "accuracy" not in done(capsys, "predict", "values", "model")
    done(capsys, "predict", "rows.csv", "model", "--decisions", "-o", "d.csv")
    head, *lines = (folder / "d.csv").read_text().split()
    assert head == "label,decision"
    found = [float(line.partition(",")[2]) for line in lines]
    assert found == machine.decision_function(POINTS)


def test_scale_brings_rows_with_real_values_to_one_range(capsys):
    done(capsys, "scale", "rents.csv", "-o", "scaled.csv")
    assert read_data("scaled.csv").y == VALUES


@pytest.mark.parametrize("kind, own", [(k, t.options) for k, t in machine_options.TYPES.items()])
def test_an_option_that_a_type_lacks_is_refused(capsys, kind, own):
    written = {"C": "--C=2", "nu": "--nu=0.5", "epsilon": "--epsilon=1",
               "class_weight": "--class-weight=balanced"}
    for name, word in written.items():
        if name not in own:
            status, _, err = run(capsys, "train", "points", "--type", kind, word)
            assert status == 2 and f"--type {kind} has no {word.partition('=')[0]}; " in err


@pytest.mark.parametrize("line, sentence", [
    ("train values --type svdd -o model", "have no type svdd; leave out -o, or take --type"),
    ("train values --type svdd --kernel precomputed", "lacks k(x, x); --type one_class can"),
    ("train values --type svdd --C 0.1", "C times the sum of the weights must be at least 1"),
    ("train values --type one_class -v 3", "-v needs labels or values to compare predictions with;"
     " one_class, one of the types that tell outliers, has none"),
    ("train values --type svdd --probabilities -o m", "--probabilities needs labels or values"),
    ("train values --type nu_svr --probabilities", "--probabilities is for a model of all rows"),
    ("train four --type nu_svr --probabilities -o m", "--probabilities deals the rows into 5"
     " folds; four has 4 rows, so give at least 5"),
    ("train four --probabilities -o m", "four has 4 rows, so give at least 5"),
    ("train values --type nu_svr -v 8", "--folds is 8; it must be at most 7, the number of rows"),
    ("grid values --type one_class", "grid needs labels or values to compare predictions with"),
    ("grid values --type nu_svr -v 2 --epsilon 1", "--type nu_svr has no --epsilon; beside"),
    ("grid values --type nu_svr -v 2 --nu 0.5,2", "--nu is 2.0; it must be above 0 and at most 1"),
    ("grid points --type nu_svc -v 2 --nu 0", "--nu is 0.0; it must be positive"),
    ("grid values --type epsilon_svr -v 2 --epsilon 1,-1", "--epsilon is -1.0; it must not be"),
    ("grid named.csv --type nu_svr", "the value of row 1 is 'low', which is no number"),
    ("trace values --type svdd -o p.svg", "-o is for --type c_svc, not svdd"),
    ("trace values --type nu_svr --solver active-set", "--solver is for --type c_svc, not nu_svr"),
    ("trace three --type nu_svc", "three has 3 classes; what is watched is one machine"),
    ("trace named.csv --type nu_svr", "the value of row 1 is 'low', which is no number"),
    ("train values --type one_class --nu 2", "--nu is 2.0; it must be above 0 and at most 1"),
    ("train values --type epsilon_svr --epsilon -1", "--epsilon is -1.0; it must not be negative"),
    ("train values --type epsilon_svr --test-size 0.01", "of 7 rows that leaves none"),
    ("train named.csv --type nu_svr", "the value of row 1 is 'low', which is no number; if another"
     " column than column 3 holds the values, say --label"),
    ("train values -s 3", "-s 3 is of LIBSVM; here it is --type epsilon_svr"),
    ("train values --type nu_svr -n 0.3", "-n 0.3 is of LIBSVM; here it is --nu 0.3"),
    ("exact values --type nu_svr --certificate p", "--certificate: the values of Gaussian("),
    ("predict values model --decisions", "--decisions is not for models that predict values"),
    ("predict values model --probabilities", "model has no line probA, the scale of what it"),
    ("predict values outliers --probabilities", "is not for models that tell outliers"),
    ("plot values model -o p.svg", "values has 2 features; a picture of a regression shows one"),
    ("plot values --type nu_svr -o p.svg", "values has 2 features; a picture of a regression shows"
     " one, see --features"),
    ("plot values --type nu_svr --features 1 2 -o p.svg", "--features names 2 features; a"
     " picture"),
    ("plot values --type svdd --features 2 -o p.svg", "--features names 1 feature; a picture"),
    ("plot values --type nu_svr --features 3 -o p.svg", "--features is 3; it must be from 1 to 2"),
    ("plot values --type one_class --epsilon 1 -o p.svg", "--type one_class has no --epsilon"),
])
def test_what_a_type_cannot_do_is_refused_in_one_sentence(capsys, line, sentence):
    write_model("model", SVR().fit(POINTS, VALUES))
    write_model("outliers", OneClassSVM().fit(POINTS))
    write_data("named.csv", POINTS, ["low"] * 7, columns=TableColumns(None, 2, None, 3))
    write_data("four", POINTS[:4], [1, 2, 1, 2])
    status, out, err = run(capsys, *line.split())
    assert status == 2 and sentence in err and "support vector" not in out
    assert err.count("\n") == 1 and len(err) < 300


@pytest.mark.parametrize("words, machine, data", [
    (("epsilon_svr", "--epsilon", "0.5"), SVR(epsilon=0.5, gamma=0.25), "line.csv"),
    (("nu_svr", "--nu", "0.5"), NuSVR(0.5, gamma=0.25), "line.csv"),
    *slow_cases("pictures of the other machines",
                (("one_class", "--nu", "0.5"), OneClassSVM(nu=0.5, gamma=0.25), "rows.csv"),
                (("svdd", "--C", "0.5"), SVDD(0.5, gamma=0.25), "rows.csv"),
                (("nu_svc", "--nu", "0.5"), NuSVC(0.5, gamma=0.25), "points")),
], ids=lambda value: value[0] if isinstance(value, tuple) else "")
def test_plot_draws_what_plot_does(capsys, folder, words, machine, data):
    line, names = [[x] for x, _ in POINTS], ["x", "y"]
    write_data("line.csv", line, VALUES, columns=TableColumns(["x"], 1, "rent", 2))
    as_is = ["--as-is"] if data.endswith(".csv") else []
    out = done(capsys, "plot", data, *as_is, "--type", *words, "--gamma", "0.25", "-o", "p.svg")
    X, y = (line, VALUES) if data == "line.csv" else (POINTS, LABELS if data == "points" else None)
    if data != "rows.csv":
        names = ["x", "value"] if data == "line.csv" else ["feature 1", "feature 2"]
    drawn = plot(machine.fit(X, y), X, y, title=data, names=names)
    assert (folder / "p.svg").read_text() == drawn and "written: p.svg" in out
    if words[0] != "svdd":
        write_model("model", machine)
        done(capsys, "plot", data, "model", "-o", "q.svg")
        drawn = plot(machine.model_, X, y, title=data, names=names)
        assert (folder / "q.svg").read_text() == drawn


@pytest.mark.slow("features that are taken in another order")
def test_plot_draws_the_features_that_are_named_of_every_type(capsys, folder):
    done(capsys, "plot", "rents.csv", "--as-is", "--type", "nu_svr", "--features", "y",
         "-o", "p.svg")
    rows = [[y] for _, y in POINTS]
    machine = NuSVR(gamma="auto").fit(rows, VALUES)
    drawn = plot(machine, rows, VALUES, title="rents.csv", names=["y", "value"])
    assert (folder / "p.svg").read_text() == drawn
    wide = [[9 * i % 4, x, y] for i, (x, y) in enumerate(POINTS)]
    write_data("wide.csv", wide, [], columns=TableColumns(["a", "b", "c"], 3))
    done(capsys, "plot", "wide.csv", "--as-is", "--type", "svdd", "--features", "3", "b",
         "-o", "p.svg")
    turned = [[y, x] for x, y in POINTS]
    drawn = plot(SVDD(gamma="auto").fit(turned), turned, title="wide.csv", names=["c", "b"])
    assert (folder / "p.svg").read_text() == drawn


@pytest.mark.parametrize("kind, problem", [
    ("epsilon_svr", RegressionProblem(POINTS, VALUES, Linear(), 1, 0.1)),
    ("epsilon_svr --epsilon 10", RegressionProblem(POINTS, VALUES, Linear(), 1, 10)),
    ("nu_svr", NuRegressionProblem(POINTS, VALUES, Linear(), 1, 0.5)),
    ("one_class", OneClassProblem(POINTS, Linear(), 0.5)),
    ("svdd", BallProblem(POINTS, Linear(), 1)),
    ("nu_svc", NuProblem(POINTS, LABELS, Linear(), 0.5)),
], ids=lambda value: value if isinstance(value, str) else "")
def test_exact_proves_the_optimum_of_every_type(capsys, kind, problem):
    data = "points" if kind == "nu_svc" else "values"
    out = done(capsys, "exact", data, "--type", *kind.split(), "--kernel", "linear", "--fractions")
    best = solve_exactly(problem)
    assert F(facts(out)["optimum"]) == best.objective
    for name, offset in zip(best.offsets._fields, best.offsets):
        called = {"radius2": "R^2"}.get(name, name)
        for end in ("from", "to"):
            words = re.search(rf"^  {re.escape(called)} {end} +(\S+)", out, re.M)
            assert F(words[1]) == (offset.low if end == "from" else offset.high)
    multipliers = [facts(out).get(str(i + 1), "0") for i in range(7)]
    assert list(map(F, multipliers)) == best.alpha
    words = data, "--type", *kind.split(), "--kernel", "linear", "--certificate", "p"
    done(capsys, "exact", *words)
    documents = [Path(f"p.{end}").read_text().rstrip() for end in ("problem", "certificate")]
    check(*documents)
    assert documents[0] == canonical(document_of(problem))


def test_exact_encloses_the_optimum_where_values_are_no_fractions(capsys):
    words = "exact", "values", "--type", "epsilon_svr", "--gamma", "0.5", "--bits", "20"
    best = solve_exactly(RegressionProblem(POINTS, VALUES, Gaussian(0.5), 1, 0.1), bits=20)
    out = done(capsys, *words, "--fractions")
    assert f"{best.offsets.b.low.low} to {best.offsets.b.low.high}" in out


def test_exact_tells_where_there_is_no_machine(capsys):
    write_data("mixed", [[1], [2], [1.5], [4]], [-1, -1, 1, 1])
    words = ("--type", "nu_svc", "--kernel", "linear")
    assert "the reduced hulls meet" in done(capsys, "exact", "mixed", *words)
    write_data("uneven", [[1], [2], [3]], [-1, 1, 1])
    out = done(capsys, "exact", "uneven", *words, "--nu", "1")
    assert "must add up to 1.5 and can to 1.0 at most, which is 0.5 less\n\n  1\n" in out
    done(capsys, "exact", "uneven", *words, "--nu", "1", "--certificate", "none")
    check(*[Path(f"none.{end}").read_text().rstrip() for end in ("problem", "certificate")])


@pytest.mark.parametrize("words, same", [
    (["--kernel", "gaussian"], ["--kernel", "rbf"]), (["--kernel=RBF"], ["--kernel", "rbf"]),
    (["--kernel", "polynomial"], ["--kernel", "poly"]), (["--type", "svm"], ["--type", "c_svc"]),
    (["--type", "nu-svc"], ["--type", "nu_svc"]), (["--type", "SVR"], ["--type", "epsilon_svr"]),
    (["--type", "eps-regression"], ["--type", "epsilon_svr"]),
    (["--type", "nuSVR"], ["--type", "nu_svr"]),
    (["--type", "OneClassSVM"], ["--type", "one_class"]),
])
def test_kernels_and_machines_may_be_called_as_elsewhere(capsys, folder, words, same):
    write_data("points", POINTS, LABELS)
    assert done(capsys, "train", "points", *words) == done(capsys, "train", "points", *same)


def test_a_search_takes_the_names_of_elsewhere_too(capsys, folder):
    told = [done(capsys, "grid", "values", "--type", kind, "--kernel", kernels, "--C", "1", "-v",
                 "2", "--gamma", "1").replace(kernels, "").replace(kind, "")
            for kind, kernels in (("svr", "Gaussian,linear"), ("epsilon_svr", "rbf,linear"))]
    assert told[0] == told[1]


@pytest.mark.parametrize("words", [("--kernel", "cosine"), ("--type", "linear")])
def test_other_names_are_refused_with_those_that_are_known(capsys, folder, words):
    status, _, err = run(capsys, "train", "values", *words)
    assert status == 2 and "invalid choice" in err and ("rbf" in err or "epsilon_svr" in err)
