"""The command exact: what it prints is what solve_exactly says."""

import re
from fractions import Fraction
from pathlib import Path

import pytest

from refsvm import Linear, Problem, solve_exactly
from refsvm.commands import main
from refsvm.proofs.checker import check
from refsvm.tables.data import write_data
from tests.seven_points import LABELS, POINTS, go_to


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Every test runs in a folder of its own, with some files."""
    go_to(tmp_path, monkeypatch)
    write_data("mixed", [[0], [2], [1]], [1, 1, -1])
    write_data("gram", [[1, 0], [0, 1]], [1, -1], precomputed=True)


def printed(capsys, *argv):
    """{name: value} of the lines of the table."""
    assert main(["exact", *argv]) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    return {words[0]: words[1] for words in lines if len(words) > 1}


def test_every_number_is_that_of_solve_exactly(capsys):
    best = solve_exactly(Problem(POINTS, LABELS, Linear(), 0.1))
    told = printed(capsys, "points", "--kernel", "linear", "--C", "0.1", "--fractions")
    assert Fraction(told["optimum"]) == best.objective
    assert Fraction(told["|w|^2"]) == best.w_norm2
    assert {letter: int(told[letter]) for letter in "LMU"} == {
        letter: best.status.count(letter) for letter in "LMU"
    }
    for i, a in enumerate(best.alpha):
        assert Fraction(told.get(str(i + 1), 0)) == a


def test_decimals_are_the_nearest_doubles(capsys):
    best = solve_exactly(Problem(POINTS, LABELS, Linear(), 0.1))
    told = printed(capsys, "points", "--kernel", "linear", "--C", "0.1")
    assert float(told["optimum"]) == float(best.objective)


def test_classes_are_taken_in_pairs(capsys):
    assert main(["exact", "three", "--kernel", "linear"]) == 0
    out = capsys.readouterr().out
    assert re.findall(r"classes (\d) .* and (\d)", out) == [("0", "1"), ("0", "2"), ("1", "2")]


def test_no_hard_margin_is_proved(capsys):
    told = printed(capsys, "mixed", "--kernel", "linear", "--C", "inf", "--fractions")
    assert Fraction(told["1"]) == Fraction(told["2"]) == Fraction(told["3"]) / 2


def test_an_exponential_is_held_between_fractions(capsys):
    assert main(["exact", "points", "--gamma", "0.5", "--bits", "20", "--fractions"]) == 0
    line = next(v for v in capsys.readouterr().out.splitlines() if v.startswith("  optimum"))
    low, high = (Fraction(v) for v in re.findall(r"\d+/\d+", line))
    assert 0 < high - low <= Fraction(1, 2**20)


def test_kernel_values_in_the_file(capsys):
    assert printed(capsys, "gram", "--kernel", "precomputed")["optimum"] == "1"


def test_an_indefinite_kernel_is_refused(capsys):
    options = ["--kernel", "poly", "--degree", "1", "--gamma", "1", "--coef0", "-9"]
    assert main(["exact", "points", *options]) == 2
    assert "not positive semidefinite" in capsys.readouterr().err


@pytest.mark.parametrize("data, names", [
    ("points", ["proof"]), ("three", ["proof-0-1", "proof-0-2", "proof-1-2"]),
    ("mixed", ["proof"]),
])
def test_certificates_are_written_that_the_checker_believes(data, names):
    options = ["--kernel", "linear", "--C", "inf", "--certificate", "proof"]
    assert main(["exact", data, *options]) == 0
    assert sorted(path.stem for path in Path().glob("proof*.certificate")) == names
    for name in names:
        check(*(Path(f"{name}.{part}").read_text("ascii").rstrip("\n")
                for part in ("problem", "certificate")))


def test_a_kernel_with_an_exponential_has_no_certificate(capsys):
    assert main(["exact", "points", "--kernel", "rbf", "--certificate", "proof"]) == 2
    told = capsys.readouterr().err
    assert "--certificate: the values of Gaussian(gamma=" in told and "are no fractions" in told
    assert not list(Path().glob("proof*"))
