"""The command line: every command, every exit status, every refusal in one sentence."""

import io
import os
import re
import shutil
import subprocess
import sys
import time
from fractions import Fraction as F
from pathlib import Path
from xml.etree import ElementTree

import pytest

import refsvm.commands
from refsvm.commands import COMMANDS, check, console, main, optimality, training, watching
from refsvm.estimators.folds import stratified_folds
from refsvm.estimators.svc import SVC
from refsvm.files import matching
from refsvm.files.models import read_model, write_model
from refsvm.files.scaling import Scaling
from refsvm.kernels.standard import Linear
from refsvm.plotting.drawing import plot
from refsvm.proofs.certificate import certify
from refsvm.solvers.smo import Step, smo
from refsvm.svm.judgement import promised_gap
from refsvm.svm.kkt_conditions import kkt
from refsvm.svm.one_vs_one import OneAgainstOne
from refsvm.svm.problem import Problem
from refsvm.tables.data import read_data, write_data
from tests.peers import data_folder, peer
from tests.seven_points import LABELS, POINTS, done, go_to, run, without_engine

ROOT = Path(refsvm.__file__).parent.parent
SHIPPED = str(ROOT / "refsvm" / "data" / "wdbc.libsvm")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Every test runs in a folder of its own, with some files."""
    go_to(tmp_path, monkeypatch)
    write_data("halves", POINTS, [0.5, 1, 1, 1, 1, 0.5, 1])
    write_data("one", [[1], [2]], [1, 1])
    (tmp_path / "order").write_text("1 2:1 1:2\n")
    (tmp_path / "empty").write_text("")
    return tmp_path


# ---- help and refusals

@pytest.mark.parametrize("name", COMMANDS)
def test_help_of_every_command_shows_an_example(capsys, name):
    out = done(capsys, name, "--help")
    assert "example:\n" in out and f"python3 -m refsvm {name}" in out.partition("example:")[2]


def test_help_on_training_is_two_screens_with_the_files_in_the_usage(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    lines = done(capsys, "train", "--help").splitlines()
    assert lines[0] == "usage: python3 -m refsvm train DATA [options]" and len(lines) <= 48
    assert max(map(len, lines)) <= 80 and "  -v, --folds FOLDS " in "\n".join(lines)
    usage = done(capsys, "predict", "--help").splitlines()[0]
    assert usage == "usage: python3 -m refsvm predict DATA MODEL [options]"


def test_help_lists_the_commands_and_version_is_that_of_the_package(capsys):
    out = done(capsys, "--help")
    lines = [line for line in out.splitlines() if line.startswith("  ")]
    assert [line.split()[0] for line in lines] == list(COMMANDS)
    version, python, library = done(capsys, "--version").splitlines()
    assert version == f"refsvm {refsvm.__version__}" and python.startswith("Python 3.")
    assert library.startswith(("compiled (", "plain Python"))


KNOWN = ("demo, scale, train, grid, predict, explain, check, exact, audit, plot, trace, export,"
         " exercise, conform, draw, compare, play")
REFUSED = [
    ("", f"no command is given; the known ones are {KNOWN}"),
    ("fly", f"'fly' is no command; the known ones are {KNOWN}"),
    ("train", "the following arguments are required: DATA; see python3 -m refsvm train --help"),
    ("train nofile", "nofile: there is no such file"),
    ("train points --C two", "argument --C: invalid float value: 'two'; see python3 -m refsvm"
     " train --help"),
    ("train points --C 0", "--C is 0.0; it must be positive"),
    ("train points --C nan", "--C is nan; it must be positive"),
    ("train points --gamma -1", "--gamma is -1.0; it must be positive"),
    ("train points --tol -1", "--tol is -1.0; it must not be negative"),
    ("train points --max-iter -2", "--max-iter is -2; it must be at least -1"),
    ("train points --kernel poly --degree -1", "--degree is -1; it must be at least 0"),
    ("train points --class-weight 5:1", "--class-weight has the key 5; the classes are [-1, 1]"),
    ("train points --class-weight 5", "argument --class-weight: '5' is not LABEL:WEIGHT, a"
     " label and a number; see python3 -m refsvm train --help"),
    ("train points -v 1", "--folds is 1; it must be at least 2"),
    ("train points -v 8", "--folds is 8; it must be at most 7, the number of rows"),
    ("train points -v 2 --seed -1", "--seed is -1; it must be at least 0"),
    ("train points -o no/model", "no/model cannot be written; there is no folder no"),
    ("train points -o .", ". cannot be written; it is a folder"),
    ("train halves -o model", "the label of row 1 is 0.5; classes are whole numbers, strings or"
     " bools, other numbers ask for regression"),
    ("train one", "the data hold one class only, 1; two are needed"),
    ("train order", "order, line 1: in '1:2' the index comes after 2; indices must ascend"),
    ("train empty", "empty holds no example; at least one line must begin with a label"),
    ("train points --kernel precomputed", "points, line 1: no item 0:serial after the label; a"
     " precomputed kernel needs it"),
    ("predict points nofile", "nofile: there is no such file"),
    ("predict points model -o no/out", "no/out cannot be written; there is no folder no"),
    ("check points model --tol 0", "--tol is 0.0; it must be positive"),
    ("check points model --C 0", "--C is 0.0; it must be positive"),
    ("check three model", "row 1 has the label 0; the model has -1, 1"),
    ("check moved model", "no row of label -1 is left that equals support vector 1 of the model to"
     " 6 digits; the data must be those it was trained on"),
    ("check few model", "the data have no row of label 1; the model has that label"),
    ("scale points --lower 1 --upper 0", "--lower is 1.0 and --upper is 0.0; lower must be below"
     " upper"),
    ("scale points --restore r --lower 0", "--restore takes the range from its file; leave out"
     " --lower and --upper"),
    ("scale points --save r --restore r", "argument --restore: not allowed with argument --save;"
     " see python3 -m refsvm scale --help"),
    ("scale points --save no/r", "no/r cannot be written; there is no folder no"),
    ("plot points", "the following arguments are required: -o/--output; see python3 -m refsvm plot"
     " --help"),
    ("plot points -o no/p.svg", "no/p.svg cannot be written; there is no folder no"),
    ("plot wide -o p.svg", "wide has 3 features; a picture shows two, see --features"),
    ("plot wide --features 1 4 -o p.svg", "--features is 4; it must be from 1 to 3"),
    ("plot -o p.svg --features 1 2 wide", "the following arguments are required: DATA;"
     " --features takes all words after it, so write DATA before it; see python3 -m refsvm plot"
     " --help"),
    ("plot points model --features 1 2 -o p.svg", "--features is for training; the model of a file"
     " has its own features"),
    ("plot points --kernel precomputed -o p.svg", "a file of kernel values has no features;"
     " --kernel must be another"),
    ("demo -o no/p.svg", "no/p.svg cannot be written; there is no folder no"),
    ("audit ./mine", "subject is './mine'; there is no such program (an estimator or a function is"
     " written module:Name, or file.py:Name)"),
    ("audit mine:SVM -o report.md", "argument -o/--output: report.md ends in '.md'; a report"
     " ends in .html or .json; see python3 -m refsvm audit --help"),
]


@pytest.mark.parametrize("line, sentence", REFUSED, ids=[line for line, _ in REFUSED])
def test_bad_input_ends_with_status_2_and_one_sentence(capsys, folder, line, sentence):
    write_model("model", SVC(kernel="linear").fit(POINTS, LABELS).model_)
    write_data("moved", [[x + 9, y] for x, y in POINTS], LABELS)
    write_data("wide", [[*row, 1] for row in POINTS], LABELS)
    few = [row for row, y in zip(POINTS, LABELS) if y == -1]
    write_data("few", few + [[0, 0]], [-1] * 4)
    before = sorted(os.listdir(folder))
    status, _, err = run(capsys, *line.split())
    assert (status, err) == (2, f"refsvm: {sentence}\n")
    assert sorted(os.listdir(folder)) == before


def test_a_mistake_of_our_own_shows_where_it_is(capsys, monkeypatch):
    monkeypatch.setattr(refsvm.commands, "run", lambda argv: {}["missing"])
    status, out, err = run(capsys, "demo")
    assert (status, out) == (70, "") and 'lambda argv: {}["missing"]' in err


def test_ctrl_c_ends_quietly_with_status_130(capsys, monkeypatch):
    def interrupted(argv):
        raise KeyboardInterrupt

    monkeypatch.setattr(refsvm.commands, "run", interrupted)
    assert run(capsys, "demo") == (130, "", "")


# ---- train, predict, scale

def test_train_writes_the_model_that_svc_trains(capsys, folder):
    for options, svc in (
        ([], SVC(gamma="auto")),
        (["--kernel", "poly", "--degree", "2", "--coef0", "1", "--gamma", "0.5"],
         SVC(kernel="poly", degree=2, coef0=1.0, gamma=0.5)),
        (["--class-weight=-1:2,1:0.5", "--C", "3", "--tol", "1e-9"],
         SVC(gamma="auto", class_weight={-1: 2.0, 1: 0.5}, C=3.0, tol=1e-9)),
    ):
        done(capsys, "train", "three" if not options else "points", "-o", "model", *options)
        y = read_data("three").y if not options else LABELS
        expected = svc.fit(POINTS, y).model_
        write_model("expected", expected)
        assert (folder / "model").read_bytes() == (folder / "expected").read_bytes()


def test_train_tells_of_one_pair_in_words_and_of_several_in_a_table(capsys):
    one = done(capsys, "train", "points", "--kernel", "linear")
    found = smo(Problem(POINTS, LABELS))
    words = dict(re.findall(r"^  (\S+(?: \S+)?)  +(\S+)", one, re.M))
    assert words["status"] == "optimal"
    assert words["dual"] == f"{found.objective:.9g}"
    assert words["vectors"] == str(len([a for a in found.alpha if a > 0]))
    assert words["at C"] == str(found.alpha.count(1.0))
    several = done(capsys, "train", "three").splitlines()
    assert [line.split()[:3] for line in several if "optimal" in line] == [
        ["0,", "1", "optimal"], ["0,", "2", "optimal"], ["1,", "2", "optimal"]]


def test_train_that_runs_out_of_steps_says_so(capsys):
    out = done(capsys, "train", "points", "--max-iter", "1")
    assert re.search("status +max_iter +the last step allowed was taken", out)


def test_cross_validation_counts_what_machines_predict_that_did_not_see_the_rows(capsys):
    X, y = POINTS * 3, LABELS * 3
    write_data("more", X, y)
    out = done(capsys, "train", "more", "-v", "3", "--kernel", "linear", "--seed", "5")
    right = []
    for part in stratified_folds(y, 3, 5):
        kept = [i for i in range(len(X)) if i not in part]
        svc = SVC(kernel="linear").fit([X[i] for i in kept], [y[i] for i in kept])
        right.append(len([i for i in part if svc.predict([X[i]]) == [y[i]]]))
    counts = re.findall(r"(\d+) of (\d+) rows", out)
    assert counts == [(str(r), "7") for r in right] + [(str(right[0] + right[1] + right[2]), "21")]
    assert out == done(capsys, "train", "more", "-v", "3", "--kernel", "linear", "--seed", "5")
    assert not os.path.exists("model")


def test_cross_validation_of_kernel_values_takes_the_columns_of_the_rows_it_keeps(capsys):
    K = [[x[0] * z[0] + x[1] * z[1] for z in POINTS * 3] for x in POINTS * 3]
    write_data("kernel", K, LABELS * 3, precomputed=True)
    write_data("more", POINTS * 3, LABELS * 3)
    precomputed = done(capsys, "train", "kernel", "-v", "3", "--kernel", "precomputed")
    linear = done(capsys, "train", "more", "-v", "3", "--kernel", "linear")
    assert precomputed.splitlines()[1:] == linear.splitlines()[1:]


@pytest.mark.slow("a file of hundreds of rows that one command writes and another refuses")
def test_shipped_data_are_scaled_trained_on_predicted_and_checked(capsys, folder):
    done(capsys, "scale", SHIPPED, "-o", "scaled.gz", "--save", "ranges")
    done(capsys, "scale", SHIPPED, "-o", "again.gz", "--restore", "ranges")
    assert (folder / "scaled.gz").read_bytes() == (folder / "again.gz").read_bytes()
    assert done(capsys, "scale", SHIPPED, "--lower", "0").startswith("0 1:0.5210374")
    write_data("first", read_data(SHIPPED).X[:9], read_data(SHIPPED).y[:9])
    done(capsys, "scale", "first", "-o", "nine", "--restore", "ranges")
    assert read_data("nine").X == read_data("scaled.gz").X[:9]
    done(capsys, "train", "scaled.gz", "-o", "model", "--C", "10")
    told = done(capsys, "predict", "scaled.gz", "model", "-o", "labels")
    X, y = read_data("scaled.gz")
    svc = SVC(C=10, gamma="auto").fit(X, y)
    labels = [int(line) for line in (folder / "labels").read_text().splitlines()]
    assert labels == svc.predict(X)
    right = len([1 for p, q in zip(labels, y) if p == q])
    share = f"{100 * right / 569:.2f} % ({right} of 569 rows)"
    assert told.startswith(f"accuracy {share}; always 1: 62.74 %\n")
    assert done(capsys, "check", "scaled.gz", "model").endswith("every pair passes\n")


def test_predict_writes_decisions_when_asked(capsys):
    done(capsys, "train", "three", "-o", "model")
    status, out, err = run(capsys, "predict", "three", "model", "--decisions", "-o", "-")
    head, *rows = out.splitlines()
    model = read_model("model")
    assert (status, head) == (0, "label 0,1 0,2 1,2")
    assert [[float(word) for word in row.split()] for row in rows] == [
        [label, *f] for label, f in zip(model.predictions(POINTS), model.decisions(POINTS))]
    assert err.startswith("accuracy 100.00 % (7 of 7 rows); always 1: 42.86 %\n\n  class  rows")


def test_predict_says_which_columns_the_model_does_not_have(capsys):
    done(capsys, "train", "points", "-o", "model")
    for more, columns in ([0.0, 1.0], "columns 3 to 4"), ([1.0], "column 3"):
        write_data("wider", [[*x, *more] for x in POINTS], LABELS)
        told = done(capsys, "predict", "wider", "model").splitlines()[0]
        assert told == f"the model has 2 columns, the data have {2 + len(more)}: every support" \
            f" vector counts as 0 in {columns}"


def test_predict_without_known_labels_gives_no_accuracy(capsys):
    done(capsys, "train", "points", "-o", "model")
    write_data("unknown", POINTS, [0] * 7)
    assert done(capsys, "predict", "unknown", "model") == (
        "7 rows; none has a label of the model (-1, 1), so no accuracy\n")


def test_kernel_values_are_trained_on_predicted_and_checked(capsys):
    K = [[x[0] * z[0] + x[1] * z[1] for z in POINTS] for x in POINTS]
    write_data("kernel", K, LABELS, precomputed=True)
    done(capsys, "train", "kernel", "--kernel", "precomputed", "-o", "model")
    assert "7 of 7" in done(capsys, "predict", "kernel", "model")
    assert done(capsys, "check", "kernel", "model").endswith("every pair passes\n")
    assert run(capsys, "plot", "points", "model", "-o", "p.svg")[0] == 2


# ---- check

def changed(**fields):
    """A model of the points that is right but for some fields."""
    return SVC(kernel="linear", tol=1e-9).fit(POINTS, LABELS).model_._replace(**fields)


def test_check_passes_a_right_model_and_says_what_it_took_for_C(capsys):
    write_model("model", changed())
    out = done(capsys, "check", "points", "model", "--tol", "1e-6")
    assert "C = 1, taken from the largest |coefficient|; if training had more, say --C" in out
    assert "C = 1\n" in done(capsys, "check", "points", "model", "--C", "1")


@pytest.mark.parametrize("fault, line", [
    ("offset", "FAIL offset"), ("C", "FAIL offset"), ("small C", "FAIL alpha from 0 to C"),
    ("sign", "FAIL alpha from 0 to C"), ("balance", "FAIL sum alpha_i y_i"),
    ("gap", "FAIL gap"),
])
def test_check_fails_with_status_1_what_is_wrong(capsys, fault, line):
    right, options = changed(), []
    (coefs,), (b,) = right.coefs, right.offsets
    if fault == "offset":
        right = changed(offsets=[b + 0.01])
    if fault == "C":
        options = ["--C", "2"]
    if fault == "small C":
        options = ["--C", "0.5"]
    if fault == "sign":
        right = changed(coefs=[[-coefs[0], *coefs[1:]]])
    if fault == "balance":
        right = changed(coefs=[[coefs[0] * 0.75, *coefs[1:]]])
    if fault == "gap":
        right, options = changed(coefs=[[c / 64 for c in coefs]]), ["--C", "1"]
    write_model("model", right)
    status, out, err = run(capsys, "check", "points", "model", *options)
    assert (status, err) == (1, "")
    assert line in " ".join(out.split()) and out.endswith("the model FAILS the check\n")


def test_what_check_measures_is_exact_on_fractions():
    problem = Problem([[F(0)], [1], [3], [4]], [-1, -1, 1, 1])
    best = optimality.measure(problem, [0, F(1, 2), F(1, 2), 0], (-2,))
    assert (best.primal, best.dual, best.off) == (F(1, 2), F(1, 2), [0])
    assert optimality.judged(best, 0, 0)[0].verdict == "pass"
    alpha = [F(1, 4), F(1, 4), F(1, 3), 0]
    other = optimality.measure(problem, alpha, (-1,))
    assert (other.primal, other.dual) == (problem.primal(alpha, -1), problem.dual(alpha))
    report = kkt(problem, alpha, -1)
    assert other.levels == [(-1, report.b_low, report.b_high)]
    assert other.off == [F(-1, 6)]
    found = optimality.judged(other, 0, 0)[0].promises
    assert [v.verdict for v in found] == ["pass", "FAIL", "FAIL", "FAIL"]
    assert found[2].low == found[2].high == certify(problem, alpha, -1).gap
    room = promised_gap(problem, problem.variables_of(alpha), 0, 1)
    for end, verdict in (("high", "pass"), ("low", "FAIL")):
        tol = getattr(found[2], end) / room - (0 if verdict == "pass" else F(1, 10**9))
        assert optimality.judged(other, tol, 0)[0].promises[2].verdict == verdict
    for rounding, verdict in ((F(1, 5), "pass"), (F(1, 5) - F(1, 10**9), "FAIL")):  # sum alpha 5/6
        assert optimality.judged(other, 0, rounding)[0].promises[1].verdict == verdict
    rows = optimality.worst_rows(other, [10, 20, 30, 40])[1:]
    broken = [max(row.below, row.above, row.short, row.long) for row in report.rows]
    assert broken == [example.violation() for example in other.examples]
    assert float(rows[0][4]) == pytest.approx(float(max(broken)), rel=1e-2)
    assert int(rows[0][0]) == 10 * (broken.index(max(broken)) + 1) + 1
    assert len(rows) == len([amount for amount in broken if amount > 0])


def test_alpha_is_put_onto_C_where_it_differs_by_rounding_only():
    C = [1.0, 2.0, 3.0, float("inf")]
    alpha = [1 - 2.0**-53, 2.000001, 2.99999, 7.0]
    assert check.snap(alpha, C, 5e-15) == [1.0, 2.000001, 2.99999, 7.0]
    assert check.snap(alpha, C, 5e-6) == [1.0, 2.0, 3.0, 7.0]


def test_a_model_is_right_or_wrong_to_the_digits_that_its_file_has(capsys):
    options = ["--C", "0.7", "--class-weight=1:0.3333333333333333"]
    done(capsys, "train", "points", "--tol", "1e-9", "-o", "model", *options)
    right = read_model("model")

    def checked(change):
        write_model("model", right._replace(coefs=[list(map(change, *right.coefs))]))
        return run(capsys, "check", "points", "model", "--tol", "1e-5", *options)[:2]

    assert checked(lambda a: a)[0] == checked(lambda a: float(f"{a:.8g}"))[0] == 0
    status, out = checked(lambda a: a * (1 + 2.0**-20))
    assert status == 1 and "FAIL alpha from 0 to C" in " ".join(out.split())


def test_one_wrong_pair_of_several_fails_the_check(capsys):
    model = SVC(kernel="linear", tol=1e-9).fit(POINTS, [0, 0, 1, 2, 2, 1, 1]).model_
    for pair in range(3):
        offsets = list(model.offsets)
        offsets[pair] += 0.01
        write_model("model", model._replace(offsets=offsets))
        status, out, _ = run(capsys, "check", "three", "model", "--C", "1")
        assert (status, " ".join(out.split()).count("FAIL offset")) == (1, 1)


def test_check_names_the_worst_rows_of_the_data(capsys):
    (b,) = changed().offsets
    write_model("model", changed(offsets=[b + 0.5]))
    status, out, _ = run(capsys, "check", "points", "model")
    worst = out.partition("worst examples:")[2].splitlines()[2].split()
    margins = [y * -f for y, (f,) in zip(LABELS, read_model("model").decisions(POINTS))]
    assert float(worst[3]) == pytest.approx(margins[int(worst[0]) - 1], rel=1e-5)


def test_check_knows_the_weights_of_classes(capsys):
    options = ["--class-weight=-1:0.1,1:0.3"]
    done(capsys, "train", "points", "-o", "model", "--C", "0.7", *options)
    assert "C = 0.7," in done(capsys, "check", "points", "model", *options)
    assert run(capsys, "check", "points", "model")[0] == 1


def model_of(vectors, counts):
    """A model with these vectors, whose coefficients do not matter."""
    return OneAgainstOne([1, 2], Linear(), vectors, counts, [[1.0] * len(vectors)], [0.0])


def test_vectors_are_matched_within_the_digits_of_the_file():
    X = [[1 / 3, 2.0], [1 / 3 + 1e-10, 2.0], [2 / 3, 0.0], [0.1, 7.0]]
    model = model_of([[0.33333333, 2.0], [0.66666667, 0.0]], [1, 1])
    assert matching.match_rows(model, X, [1, 1, 2, 2]) == [0, 2]
    assert matching.digits_of(model.vectors) == 8
    nearest = model_of([[0.3333333334, 2.0], [2 / 3, 0.0]], [1, 1])
    with pytest.raises(ValueError, match="support vector 1"):
        matching.match_rows(nearest, X, [1, 1, 2, 2])


def test_vectors_that_went_through_single_precision_are_matched():
    X = [[1 / 3], [0.7]]
    for form in ("{!r}", "{:.8g}"):
        vectors = [[float(form.format(value))] for value in matching.array("f", [1 / 3, 0.7])]
        assert vectors != X
        assert matching.match_rows(model_of(vectors, [1, 1]), X, [1, 2]) == [0, 1]


def test_equal_rows_are_matched_one_to_one_and_none_twice():
    X = [[1.0], [1.0], [1.0], [5.0]]
    twins = model_of([[1.0], [1.0], [5.0]], [2, 1])
    assert matching.match_rows(twins, X, [1, 1, 1, 2]) == [0, 1, 3]
    with pytest.raises(ValueError, match="support vector 3 of the model to 6 digits"):
        matching.match_rows(model_of([[1.0]] * 3 + [[5.0]], [3, 1]), X, [1, 2, 1, 2])


def test_the_nearest_of_several_rows_that_round_alike_is_taken():
    X = [[0.12345649], [0.12345601], [9.0]]
    assert matching.match_rows(model_of([[0.123456], [9.0]], [1, 1]), X, [1, 1, 2]) == [1, 2]


@pytest.mark.parametrize(
    "options", ["-c 1", "-c 100 -t 0", "-c 10 -t 1 -r 1 -g 0.1", "-c 5 -t 3 -g 0.02 -w1 2"]
)
def test_models_of_libsvm_pass_the_check(capsys, options):
    svmutil = peer("libsvm.svmutil")
    done(capsys, "scale", SHIPPED, "-o", "scaled")
    X, y = read_data("scaled")
    svmutil.svm_save_model("model", svmutil.svm_train(y, X, options + " -q"))
    weights = ["--class-weight", "1:2"] if "-w1" in options else []
    out = done(capsys, "check", "scaled", "model", "--C", options.split()[1], *weights)
    assert "(features to 8 digits)" in out


@pytest.mark.parametrize("name, options", [
    ("heart_scale", "-c 1"), ("iris", "-c 1"), ("fourclass_scale", "-c 10 -g 8"),
])
def test_models_of_libsvm_on_real_data_pass_the_check(capsys, name, options):
    path = str(data_folder() / f"{name}.libsvm")
    svmutil = peer("libsvm.svmutil")
    X, y = read_data(path)
    svmutil.svm_save_model("model", svmutil.svm_train(y, X, options + " -q"))
    assert done(capsys, "check", path, "model").endswith("every pair passes\n")
    status, _, _ = run(capsys, "check", path, "model", "--tol", "1e-12")
    assert status == 1


# ---- plot, demo, progress

def test_plot_draws_a_model_of_a_file_or_trains_one(capsys, folder):
    done(capsys, "train", "points", "-o", "model", "--kernel", "linear")
    for k, line in enumerate((["model"], ["--kernel", "linear"])):
        done(capsys, "plot", "points", *line, "-o", f"{k}.svg", "--title", "same")
    of_file, trained = ((folder / name).read_text() for name in ("0.svg", "1.svg"))
    assert of_file == trained.replace("Linear(), C = 1, ", "Linear(), ")    # no C in a file
    done(capsys, "plot", SHIPPED, "--features", "22", "23", "-o", "two.svg", "--max-iter", "5")
    X, y = read_data(SHIPPED)
    X = [[x[21], x[22]] for x in X]
    svc, names = SVC(gamma="auto", max_iter=5), ["feature 22", "feature 23"]
    svc.model_ = training.train(training.accept(svc, X, y))[0]
    drawn = plot(svc, X, y, title="wdbc.libsvm", names=names)
    assert (folder / "two.svg").read_text() == drawn
    texts = [e.text for e in ElementTree.parse("two.svg").iter("{http://www.w3.org/2000/svg}text")]
    assert "feature 22" in texts and "feature 23" in texts


@pytest.mark.slow("a demo that says or draws something else the second time")
def test_demo_trains_explains_and_draws_the_same_every_time(capsys, folder, monkeypatch):
    scaled_by, fit = [], Scaling.fit
    monkeypatch.setattr(Scaling, "fit", lambda X: scaled_by.append(X) or fit(X))
    first, svg = done(capsys, "demo"), (folder / "refsvm-demo.svg").read_bytes()
    assert first == done(capsys, "demo") and svg == (folder / "refsvm-demo.svg").read_bytes()
    assert list(map(len, scaled_by)) == [426, 426]  # the rows of the training part alone
    for word in ("accuracy", "support vectors", "dual", "gap", "margin >= 1",
                 "CC BY 4.0", str(folder / "refsvm-demo.svg")):
        assert word in first
    assert ElementTree.fromstring(svg) is not None
    assert max(map(len, first.replace(str(folder), "").splitlines())) < 100


@pytest.mark.slow("a demo that ends in a traceback")
def test_demo_in_a_folder_that_cannot_be_written_ends_with_one_sentence(capsys, monkeypatch):
    def denied(path):
        raise PermissionError(13, "Permission denied", path)

    monkeypatch.setattr("refsvm.commands.demo.writing", denied)
    status, out, err = run(capsys, "demo")
    assert (status, err) == (2, "refsvm: refsvm-demo.svg: Permission denied\n")
    assert "accuracy" in out


class Terminal(io.StringIO):
    def isatty(self):
        return True


FakeStep = Step(7, 0, 1, 0.0, 1.0, 0.5, 0.5, violation=0.5, objective=12.0)


def test_progress_is_shown_on_a_terminal_now_and_then_and_erased():
    terminal, lines = Terminal(), []
    with console.progress("training", 0.25, terminal) as on_step:
        assert terminal.getvalue() == "\rtraining"
        on_step(FakeStep)
        while "step" not in terminal.getvalue():
            time.sleep(0.01)
        lines += terminal.getvalue().split("\r")
    assert lines[2] == "training: step 7, violation computed as 0.5"
    assert re.search("\r +\r$", terminal.getvalue())


def test_the_time_left_is_told_by_how_fast_the_violation_fell_lately():
    now = iter([0.0, 0.5, 3.0, 4.0, 8.0, 9.0])
    watch = watching.Watch("training", 2.0**-10, lambda: next(now))
    told = []
    for violation in (2.0, 2.0, 1.0, 2.0**-4, 0.0):  # by half in a second, by 16 in four
        watch(FakeStep._replace(violation=violation))
        told.append(watch.line().partition(f"{violation:.2g}")[2])
    assert told == ["", ", 3 s", ", 4 s, about 10 s left", ", 8 s, about 6 s left", ", 9 s"]


def test_progress_off_a_terminal_is_nothing_at_all():
    stream = io.StringIO()
    with console.progress("training", stream=stream) as on_step:
        assert on_step is None
    assert stream.getvalue() == ""


def test_progress_changes_no_bit_of_the_model(capsys, folder, monkeypatch):
    done(capsys, "train", "points", "-o", "quiet")
    monkeypatch.setattr(sys, "stderr", Terminal())
    assert main(["train", "points", "-o", "seen"]) == 0
    assert "training, -1 against 1" in sys.stderr.getvalue()
    assert (folder / "quiet").read_bytes() == (folder / "seen").read_bytes()


# ---- as a process

def process(*argv, **options):
    return subprocess.run(
        [sys.executable, "-m", "refsvm", *argv], cwd=ROOT, capture_output=True, text=True,
        timeout=60, **options)


def test_as_a_process_it_ends_with_the_status_and_reads_standard_input(folder):
    with open(folder / "points") as text:
        result = process("train", "-", stdin=text)
    assert (result.returncode, without_engine(result.stderr)) == (0, "")
    assert result.stdout.startswith("7 rows, 2 features")
    words = "plot", "-", "--format", "csv", "--features", "a", "b", "-o", "-"
    result = process(*words, input="a,b,c,y\n1,5,2,x\n2,3,2,z\n")  # a pipe is read once
    assert result.returncode == 0 and result.stdout.startswith("<svg")
    wrong = process("train", "nofile")
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert wrong.stderr == "refsvm: nofile: there is no such file\n"


@pytest.mark.skipif(not shutil.which("sh"), reason="needs a shell with pipes")
def test_a_reader_that_has_had_enough_is_no_error():
    command = f"'{sys.executable}' -m refsvm scale '{SHIPPED}' | head -c 10"
    result = subprocess.run(
        ["sh", "-c", command], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert (result.stdout, result.stderr) == ("0 1:0.0420", "")


def test_help_does_not_import_what_only_commands_need():
    code = ("import sys; from refsvm.commands import main; main(['--help']);"
            "print([m for m in ('refsvm.estimators.svc', 'refsvm.plotting.drawing', 'tempfile',"
            " 'gzip') if m in sys.modules], file=sys.stderr)")
    result = subprocess.run(
        [sys.executable, "-S", "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert result.stderr == "[]\n"


@pytest.mark.parametrize("name", ["kernel", "C", "max_iter", "y[0]", "X[1]", "X[1][2]", "folds"])
def test_a_file_is_told_by_its_name_though_it_is_that_of_an_option(capsys, name):
    Path(name).write_text("-1 1:1\n1 1:2\n")
    path = f"./{name}"
    status, _, err = run(capsys, "train", name, "--probabilities", "-o", "model")
    assert status == 2 and f"the rows into 5 folds; {path} has 2 rows, so" in err
    assert f"refsvm: {path} cannot be written" in run(capsys, "train", name, "-o", name)[2]
    assert "training accuracy" in done(capsys, "train", name, "--C", "1")
