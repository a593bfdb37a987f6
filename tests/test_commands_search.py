"""refsvm grid TABLE: a search that chooses its points, and a model of the one that is taken."""

import csv
import io
import re
import sys
from pathlib import Path

import pytest
from profiles import slow_cases

import refsvm
from refsvm import SVC, SVR, Preparation, grid
from refsvm.commands import main
from refsvm.estimators.folds import PreparedMachine
from refsvm.files.models import read_model
from refsvm.tables.data import write_data
from tests.seven_points import LABELS, POINTS, go_to, run

ROWS = [[i * 7 % 11 / 3, i * 5 % 13, "ab"[i * i % 3 % 2]] for i in range(40)]
KINDS = ["in" if (x - 1.5) ** 2 + (y - 6) ** 2 / 9 < 2.5 else "out" for x, y, _ in ROWS]
VALUES = [round(100 * x + (y - 6) ** 2 + 30 * (t == "a"), 1) for x, y, t in ROWS]
HEAD = "x,y,t,kind\n"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    for name, last in (("kinds.csv", KINDS), ("values.csv", VALUES)):
        lines = [",".join(map(str, [*row, v])) for row, v in zip(ROWS, last)]
        (tmp_path / name).write_text(HEAD + "\n".join(lines) + "\n")
    return go_to(tmp_path, monkeypatch)


def searched(capsys, *words):
    """The report of a search, and the rows of its table."""
    status, out, err = run(capsys, "grid", *words, "--table", "table.csv", "-v", "4")
    assert (status, err) == (0, "")
    return out, list(csv.DictReader(open("table.csv")))


def test_points_are_cross_validated_as_grid_does_and_one_as_good_is_taken(capsys):
    out, rows = searched(capsys, "kinds.csv")
    assert "\n17 to 38 points, 68 to 152 fits\n" in out
    machine = PreparedMachine(SVC(), Preparation.fit(ROWS, ["x", "y", "t"]))
    places = [(float(row["C"]), row["gamma"]) for row in rows]
    for C, gamma in places[::4]:
        found = grid(machine, {"C": [C], "gamma": [gamma]}, ROWS, KINDS, folds=4)
        (row,) = [row for row in rows if (float(row["C"]), row["gamma"]) == (C, gamma)]
        told = float(row["accuracy"]), float(row["fold 2"])
        assert told == (found.score, found.table[0].scores[1])
    parts = "scale/64", "scale/4", "scale/0.25"
    assert {(C, part) for C in (0.25, 4, 64) for part in parts} < {*places}
    best = max(float(row["accuracy"]) for row in rows)
    error = (best * (1 - best) / 40) ** 0.5
    told = re.search(r"^best: (.*) % \(.*\) at C = (.*), gamma = (.*)$", out, re.M)
    assert float(told[1]) == round(100 * best, 2)
    assert f"a standard error ({100 * error:.2f} %)" in " ".join(out.split())
    marked = [line.split() for line in out.splitlines() if "%" in line and line.endswith("taken")]
    assert len(marked) == 1 and float(marked[0][2]) >= 100 * (best - error)
    assert out.count("-o MODEL\n") == 1 and f"--C {marked[0][0]} --gamma {marked[0][1]} -o" in out


@pytest.mark.parametrize("words", [
    ["kinds.csv", "--kernel", "linear,poly", "--C", "1,8", "--degree", "2"],
    ["values.csv", "--type", "nu_svr", "--kernel", "linear"],
    ["kernel", "--kernel", "precomputed", "-v", "2", "--C", "1,2"],
    *slow_cases("a line that trains another model",
                ["kinds.csv"], ["kinds.csv", "--best"], ["values.csv", "--type", "epsilon_svr"],
                ["points", "--C", "1,10", "--gamma", "0.5"]),
])
def test_the_model_is_the_one_that_the_line_to_type_trains(capsys, folder, words):
    K = [[x[0] * z[0] + x[1] * z[1] for z in POINTS] for x in POINTS]
    write_data("kernel", K, LABELS, precomputed=True)
    words = ["-v", "3", *words]
    status, out, err = run(capsys, "grid", *words)
    assert (status, err) == (0, "")
    (line,) = [line for line in out.splitlines() if "refsvm train" in line]
    assert main([*line.split()[3:-1], "typed.model"]) == 0
    typed = capsys.readouterr().out
    status, out, err = run(capsys, "grid", *words, "-o", "found.model")
    assert (status, err) == (0, "") and "Trained on all of them:" in out
    assert (folder / "found.model").read_text() == (folder / "typed.model").read_text()
    facts = out[out.index("Trained on"):].splitlines()[2]
    assert facts in typed and out.endswith("written: found.model\n")


def test_the_best_is_taken_where_it_is_asked_for(capsys):
    out, rows = searched(capsys, "kinds.csv", "--best")
    assert "\ntaken: the best, as --best asks\n" in out
    (marked,) = [line.split() for line in out.splitlines() if line.endswith("taken")]
    assert marked[-2] == "best,"
    best = max(float(row["accuracy"]) for row in rows)
    assert float(marked[2]) == round(100 * best, 2)


def test_of_values_C_and_epsilon_are_in_their_deviations(capsys):
    out, rows = searched(capsys, "values.csv", "--type", "epsilon_svr")
    mean = sum(VALUES) / 40
    unit = (sum((v - mean) ** 2 for v in VALUES) / 40) ** 0.5
    powers = {float(row["C"]) / unit for row in rows}
    assert {0.25, 4, 64} <= {round(power, 9) for power in powers}
    assert {round(float(row["epsilon"]) / unit, 9) for row in rows} == {0.1}
    machine = PreparedMachine(SVR(), Preparation.fit(ROWS, ["x", "y", "t"]))
    for row in rows[::5]:
        point = {name: [float(row[name])] for name in ("C", "epsilon")}
        point["gamma"] = [row["gamma"]]
        assert grid(machine, point, ROWS, VALUES, folds=4).score == float(row["R^2"])
    assert "best: R^2 " in out and "taken: " in out
    status, out, _ = run(capsys, "grid", "values.csv", "--type", "epsilon_svr", "--epsilon", "7",
                         "--score", "mean_absolute_error", "-v", "4")
    assert status == 0 and "best: mean absolute error " in out and "--epsilon 7 " in out


@pytest.mark.parametrize("words, count", [
    (["--C", "1,2"], "6 points, 24 fits"), (["--gamma", "1"], "3 points, 12 fits"),
    (["--kernel", "linear"], "3 points, 12 fits"), (["--type", "nu_svc"], "9 points, 36 fits"),
    (["--kernel", "linear,rbf"], "12 points, 48 fits"),
    (["--as-is", "--drop", "t"], "16 points, 64 fits"),
])
def test_values_that_are_given_are_all_tried_and_no_others(capsys, words, count):
    out, rows = searched(capsys, "kinds.csv", *words)
    assert f"\n{count}\n" in out and "taken" not in out and len(rows) == int(count.split()[0])


def test_the_end_of_a_list_is_told_also_of_parts_of_the_scale(capsys):
    for gamma, end in (("scale/1024,scale/64,scale/16", "largest"), ("0.1,1,scale/64", None)):
        out, _ = searched(capsys, "kinds.csv", "--C", "1", "--gamma", gamma)
        told = f"gamma = scale/16 is the {end} that was tried; the best may"
        assert (told in out) == (end is not None)


def test_progress_tells_how_many_fits_there_are_at_most(capsys, monkeypatch):
    terminal = io.StringIO()
    terminal.isatty = lambda: True
    monkeypatch.setattr(sys, "stderr", terminal)
    assert main(["grid", "kinds.csv", "-v", "2"]) == 0
    shown = [line.strip() for line in terminal.getvalue().split("\r") if " fits, " in line]
    assert shown[0] == "0 of at most 76 fits, 0 s"
    assert shown[1].startswith("1 of at most 76 fits, 0 s, at most ")
    last = re.fullmatch(r"(\d+) of (\d+) fits, .* left", shown[-1])
    assert last and last[1] == last[2]


def test_a_model_that_cannot_be_written_is_refused_before_the_search(capsys, folder):
    write_data("large.csv", [[i * i % 7] for i in range(12)], [2**40, 1] * 6)
    status, out, err = run(capsys, "grid", "large.csv", "-o", "MODEL", "-v", "2")
    assert status == 2 and out == "" and "32 bits" in err and not (folder / "MODEL").exists()
    status, out, err = run(capsys, "grid", "kinds.csv", "-o", "kinds.csv")
    assert status == 2 and out == "" and "kinds.csv" in err


@pytest.mark.parametrize("words", [[], ["--best"], ["--C", "1,9", "--gamma", "0.5"]])
def test_where_a_class_is_rare_what_is_confused_is_told_of_the_point_taken(capsys, words):
    y = ["yes" if k in (3, 14, 25, 36, 43, 54, 8) else "no" for k in range(120)]
    lines = [",".join(map(str, [*row, v])) for row, v in zip(ROWS * 3, y)]
    Path("rare.csv").write_text(HEAD + "\n".join(lines) + "\n")
    status, out, _ = run(capsys, "grid", "rare.csv", "-v", "3", *words)
    head, told = out.split("\nWith what is taken, of rows not trained on:\n")
    recalls = [float(line.split()[4]) for line in told.splitlines()
               if re.match("  (no|yes) .*[.]", line)]
    taken = re.search(r"^taken: ([0-9.]+) %", head, re.M)
    taken = taken or re.search(r"accuracy ([0-9.]+) % \(always one", head)
    assert status == 0 and f"balanced accuracy {taken[1]} % (always one" in told
    assert len(recalls) == 2 and abs(sum(recalls) / 2 - float(taken[1]) / 100) < 6e-4
    assert "With what is" not in run(capsys, "grid", "kinds.csv", "--C", "1", "--gamma", "1")[1]


@pytest.mark.parametrize("words, sentence", [
    ("--tol -1", "--tol is -1.0; it must not be negative"),
    ("--C 1,0", "--C is 0.0; it must be positive"),
    ("--class-weight in:-2", "--class-weight['in'] is -2.0; it must be positive"),
    ("--class-weight inn:2", "--class-weight has the key 'inn'; the classes are ['in', 'out']"),
    ("--gamma scale/0", "argument --gamma: 'scale/0' is neither auto, scale, scale/4 and the like"
     " nor a number; see python3 -m refsvm grid --help"),
])
def test_bad_parameters_are_refused_before_the_search(capsys, words, sentence):
    given = "grid", "kinds.csv", *words.split()
    assert run(capsys, *given) == (2, "", f"refsvm: {sentence}\n")


@pytest.mark.parametrize("words, told", [
    ([], "accuracy no better than always "),
    (["--score", "balanced_accuracy"], "no better than always one class, within a standard err"),
    (["--type", "epsilon_svr"], "no better than always the mean"),
])
def test_a_search_that_finds_no_more_than_guessing_says_so(capsys, words, told):
    X = [[k * k % 31, 7 * k % 23] for k in range(30)]
    write_data("noise.csv", X, [k * (k + 1) // 2 % 5 // 3 for k in range(30)])
    words = ["-v", "3", "--C", "0.01", "--gamma", "scale", *words]
    assert told in run(capsys, "grid", "noise.csv", *words)[1]
    y = [v if "epsilon_svr" in words else int(v > 10) for v, _ in X]
    write_data("told.csv", X, y)
    words[words.index("0.01")] = "100"
    assert "no better" not in run(capsys, "grid", "told.csv", *words)[1]


@pytest.mark.slow("a search whose answer depends on its processes")
def test_jobs_change_nothing(capsys):
    alone = run(capsys, "grid", "kinds.csv", "-v", "3", "-o", "alone.model")
    both = run(capsys, "grid", "kinds.csv", "-v", "3", "-o", "alone.model", "--jobs", "2")
    assert alone == both and read_model("alone.model").classes == ["in", "out"]


def test_the_model_decides_about_rows_of_the_table_as_they_are(capsys):
    assert run(capsys, "grid", "kinds.csv", "-o", "MODEL", "-v", "3")[0] == 0
    status, out, _ = run(capsys, "predict", "kinds.csv", "MODEL", "-o", "-")
    assert status == 0 and set(out.split()) == {"in", "out"}
    assert refsvm.read_model("MODEL").classes == ["in", "out"]
