"""refsvm grid: a table of points, the best of them and how to train it, with or without jobs."""

import csv
import io
import os
import signal
import subprocess
import sys
import time
from multiprocessing import active_children
from pathlib import Path

import pytest

import refsvm
from refsvm.commands import engine, main
from refsvm.commands.arguments import Refusal
from refsvm.estimators.executor_tasks import answer_tasks
from refsvm.tables.data import write_data
from tests.seven_points import LABELS, POINTS, go_to, run

ROOT = Path(refsvm.__file__).parent.parent
SMALL = ["points", "-v", "3", "--C", "1,100", "--gamma", "0.1,auto", "--kernel", "linear,rbf"]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    return go_to(tmp_path, monkeypatch)


def test_the_table_is_that_of_grid_and_the_line_to_type_trains_the_best(capsys, folder):
    options = "--table", "table.csv", "--class-weight=-1:2", "--seed", "5"
    status, out, err = run(capsys, "grid", *SMALL, *options)
    assert (status, err) == (0, "")
    grids = [{"kernel": ["linear"], "C": [1.0, 100.0]},
             {"kernel": ["rbf"], "C": [1.0, 100.0], "gamma": [0.1, "auto"]}]
    svc = refsvm.SVC(class_weight={-1: 2})
    found = refsvm.grid(svc, grids, POINTS, LABELS, folds=3, seed=5)
    rows = list(csv.reader(io.StringIO((folder / "table.csv").read_text())))
    assert rows[0] == ["kernel", "C", "gamma", "accuracy", "fold 1", "fold 2", "fold 3"]
    assert [list(map(float, row[3:])) for row in rows[1:]] == [
        [point.score, *point.scores] for point in found.table]
    assert [row[:3] for row in rows[1:]] == [
        ["linear", "1", ""], ["linear", "100", ""], ["rbf", "1", "0.1"], ["rbf", "1", "auto"],
        ["rbf", "100", "0.1"], ["rbf", "100", "auto"]]
    shown = [line.split()[:3] for line in out.splitlines() if line.endswith("best")]
    best = found.best
    assert shown[0] == [best["kernel"], f"{best['C']:g}", str(best.get("gamma", "-"))]
    (line,) = [line for line in out.splitlines() if "refsvm train" in line]
    words = line.split()
    assert words[4:6] == ["points", "--class-weight=-1:2"] and words[-2:] == ["-o", "MODEL"]
    assert main(words[3:]) == 0
    assert refsvm.read_model("MODEL").predictions(POINTS) == (
        refsvm.SVC(**{**svc.get_params(), **best}).fit(POINTS, LABELS).predict(POINTS))


@pytest.mark.parametrize("words, machine, own", [
    ("epsilon_svr --C 1,10 --epsilon 0.1,0.5", refsvm.SVR, ["C", "epsilon"]),
    ("nu_svr --C 1,10 --nu 0.25,0.75", refsvm.NuSVR, ["C", "nu"]),
    ("nu_svc --nu 0.25,0.5", refsvm.NuSVC, ["nu"]),
])
def test_other_types_are_searched_by_their_own_parameters(capsys, folder, words, machine, own):
    y = LABELS if machine is refsvm.NuSVC else [0.5, 1, 1.5, 6, 7, 2.5, 2]
    write_data("data", POINTS, y)
    line = ["data", "--type", *words.split(), "--gamma", "0.1,1", "-v", "3"]
    status, out, err = run(capsys, "grid", *line, "--table", "table.csv")
    assert (status, err) == (0, "")
    given = dict(zip(words.split()[1::2], words.split()[2::2]))
    values = {name: [float(v) for v in given[f"--{name}"].split(",")] for name in own}
    found = refsvm.grid(machine(), {"kernel": ["rbf"], **values, "gamma": [0.1, 1.0]}, POINTS, y,
                        folds=3)
    head, *rows = csv.reader(io.StringIO((folder / "table.csv").read_text()))
    score = "accuracy" if machine is refsvm.NuSVC else "R^2"
    assert head == ["kernel", *own, "gamma", score, "fold 1", "fold 2", "fold 3"]
    scores = [list(map(float, row[-4:])) for row in rows]
    assert scores == [[point.score, *point.scores] for point in found.table]
    (train,) = [line for line in out.splitlines() if "refsvm train" in line]
    assert main(train.split()[3:]) == 0
    best = machine(**found.best).fit(POINTS, y)
    assert refsvm.read_model("MODEL").predictions(POINTS) == best.predict(POINTS)
    if score == "R^2":
        f = refsvm.cross_validate(machine(**found.best), POINTS, y, folds=3)
        assert f"best: R^2 {f.score:.4f}, mean squared error {f.mean_squared_error:.6g} (" in out


def test_a_nu_without_a_machine_predicts_no_row_rightly_and_the_search_goes_on(capsys):
    status, out, _ = run(capsys, "grid", "points", "--type", "nu_svc", "-v", "3", "--nu", "1,0.25",
                         "--kernel", "linear")
    assert status == 0 and "ended with status degenerate, infeasible; the others" in out or (
        "ended with status infeasible; the others" in out)
    rows = {row[0]: row[1] for row in map(str.split, out.splitlines()) if len(row) > 4}
    assert float(rows["1"]) < float(rows["0.25"])
    for words in ("--nu 1", "--nu 0.9"):
        assert main(["train", "points", "--type", "nu_svc", *words.split(), "-v", "3"]) == 2


def test_fits_that_do_not_end_optimal_are_counted(capsys):
    options = ["points", "-v", "3", "--max-iter", "1", "--C", "1", "--gamma", "1,2"]
    out = run(capsys, "grid", *options)[1]
    assert "of the fits 6 ended with status max_iter; the others are optimal" in out


def test_points_that_are_equally_good_are_counted(capsys):
    out = run(capsys, "grid", "points", "-v", "3", "--C", "1,1", "--gamma", "0.5")[1]
    told = " ".join(out.split())  # a line is no longer than a terminal is wide
    assert ", the first of 2 points that have it " in told and "  kernel" not in out


def test_kernel_values_are_searched_too(capsys):
    K = [[x[0] * z[0] + x[1] * z[1] for z in POINTS] for x in POINTS]
    write_data("kernel", K, LABELS, precomputed=True)
    options = ["kernel", "--kernel", "precomputed", "-v", "2", "--C", "1,2"]
    assert run(capsys, "grid", *options)[0] == 0


def test_progress_tells_how_many_fits_are_done(capsys, monkeypatch):
    terminal = io.StringIO()
    terminal.isatty = lambda: True
    monkeypatch.setattr(sys, "stderr", terminal)
    assert main(["grid", "points", "-v", "2", "--C", "1", "--gamma", "1,2"]) == 0
    assert "\r0 of 4 fits, 0 s\r1 of 4 fits, 0 s, about 0 s left" in terminal.getvalue()
    assert terminal.getvalue().endswith("\r")


REFUSED = [
    ("--C 1,x", "argument --C: 'x' is no number; see python3 -m refsvm grid --help"),
    ("--C 1,", "argument --C: '' is no number; see python3 -m refsvm grid --help"),
    ("--C 1,-2", "--C is -2.0; it must be positive"),
    ("--gamma 1,nan", "--gamma is nan; it must be a finite number"),
    ("--degree 2,2.5", "argument --degree: '2.5' is no whole number; see python3 -m refsvm grid"
     " --help"),
    ("--kernel poly --degree 2,-1", "--degree is -1; it must be at least 0"),
    ("--kernel rbf,gauss", "argument --kernel: 'gauss' is no kernel; the known ones are linear,"
     " poly, rbf, sigmoid, cauchy, precomputed; see python3 -m refsvm grid --help"),
    ("--kernel rbf,precomputed", "--kernel is precomputed, for a file of kernel values; it must"
     " stand alone"),
    ("--jobs 0", "--jobs is 0; it must be at least 1"),
    ("-v 8", "--folds is 8; it must be at most 7, the number of rows"),
    ("-v 2 --tol -1", "--tol is -1.0; it must not be negative"),
]


@pytest.mark.parametrize("options, sentence", REFUSED)
def test_bad_input_is_refused_in_one_sentence(capsys, options, sentence):
    given = "grid", "points", "-v", "2", *options.split()
    assert run(capsys, *given) == (2, "", f"refsvm: {sentence}\n")


@pytest.mark.slow("processes that change the result, or are left")
def test_jobs_change_nothing_and_leave_no_process(capsys):
    alone = run(capsys, "grid", *SMALL)
    assert alone == run(capsys, "grid", *SMALL, "--jobs", "2") and active_children() == []
    with pytest.raises(KeyboardInterrupt), engine.processes(2, 9) as executor:
        executor.submit(time.sleep, 60)
        executor.submit(time.sleep, 60)
        time.sleep(1)
        raise KeyboardInterrupt
    assert active_children() == []
    with pytest.raises(Refusal, match="fewer --jobs$"), engine.processes(2, 9) as executor:
        answer_tasks(ended, None, [()], executor, str)
    assert active_children() == []


def ended(nothing):
    """A task whose process is ended."""
    os._exit(1)


@pytest.mark.slow("processes that go on after the command was killed")
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="nothing is killed here")
@pytest.mark.parametrize("number, status", [("SIGINT", 130), ("SIGTERM", 143), ("SIGKILL", -9)])
def test_a_search_that_is_ended_ends_its_processes(folder, number, status):
    write_data("many", [[i % 97, i % 89, i % 83] for i in range(3000)], [-1, 1] * 1500)
    words = ["-m", "refsvm", "grid", str(folder / "many"), "--pure", "--jobs", "2"]
    search = subprocess.Popen(
        [sys.executable, *words], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        env={**os.environ, "TMPDIR": str(folder)})  # a killed one leaves the file of the rows
    assert search.stderr.readline() == "refsvm: plain Python, as --pure asks\n"
    time.sleep(3)
    os.kill(search.pid, getattr(signal, number))
    search.communicate(timeout=30)  # what a process holds open, this waits for
    assert search.returncode == status


def test_a_rare_class_is_compared_by_the_balanced_accuracy_and_ends_are_told(capsys, folder):
    X = [[i % 10 / 4, i // 10 / 4] for i in range(100)]
    y = ["yes" if row in ([2.25, 2.25], [2.0, 2.25], [2.25, 2.0]) else "no" for row in X]
    write_data("rare.csv", X, y)
    words = "grid", "rare.csv", "--as-is", "-v", "3", "--C", "0.1,1,10", "--gamma", "0.5"
    status, out, _ = run(capsys, *words, "--table", "table.csv")
    points = {"kernel": ["rbf"], "C": [0.1, 1.0, 10.0], "gamma": [0.5]}
    found = refsvm.grid(refsvm.SVC(), points, X, y, folds=3, score="balanced_accuracy")
    assert status == 0 and f"best: balanced accuracy {100 * found.score:.2f} %" in out
    assert found.best["C"] == 10 and "C = 10 is the largest that was tried; the best" in out
    assert "gamma =" not in out.split("best: ")[1]
    rows = list(csv.reader(io.StringIO((folder / "table.csv").read_text())))
    assert rows[0][3] == "balanced" and [float(row[3]) for row in rows[1:]] == [
        point.score for point in found.table]
    plain = run(capsys, *words, "--score", "accuracy")[1]
    assert "\naccuracy on rows not trained on" in plain and "always no: 97.00 %" in plain


@pytest.mark.parametrize("type, score, told", [
    ("c_svc", "f1_macro", "best: mean F1 "),
    ("epsilon_svr", "mean_absolute_error", "best: mean absolute error "),
])
def test_a_score_is_chosen_by_its_name(capsys, type, score, told):
    words = "grid", "points", "-v", "3", "--C", "1,100", "--gamma", "1"
    assert told in run(capsys, *words, "--type", type, "--score", score)[1]
    status, _, err = run(capsys, *words, "--type", type, "--score",
                         "r2" if type == "c_svc" else "accuracy")
    assert status == 2 and "score is" in err
