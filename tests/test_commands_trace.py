"""The command trace: the table of a solver's steps, and the picture that moves."""

from xml.etree import ElementTree

import pytest

import refsvm
from refsvm.commands.trace import SOLVERS
from refsvm.kernels.standard import Gaussian, Linear
from refsvm.plotting.tracing import trace
from refsvm.svm.problem import Problem
from refsvm.tables.data import write_data
from tests.seven_points import LABELS as Y
from tests.seven_points import POINTS, done, go_to, run

LABELS = [2, 2, 2, 7, 7, 7, 7]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Every test runs in a folder of its own, with some files."""
    go_to(tmp_path, monkeypatch, LABELS)
    write_data("wide", [[9, u, 8, v] for u, v in POINTS], LABELS)
    write_data("values", [[1.0, 0.5], [0.5, 1.0]], [1, 2], precomputed=True)
    return tmp_path


@pytest.mark.parametrize("name", SOLVERS)
def test_the_table_is_that_of_trace_where_the_later_class_is_plus_one(capsys, name):
    problem = Problem(POINTS, Y, Linear(), C=3)
    out = done(capsys, "trace", "points", "--kernel", "linear", "--C", "3", "--solver", name)
    text, _, words = out.partition("\n\n")
    assert text == trace(problem, getattr(refsvm, name.replace("-", "_"))).text()
    assert [line.split()[0] for line in words.strip().splitlines()] == [
        f"{column}:" for column in text.split("\n")[0].split()]


def test_features_weights_tol_and_steps_are_those_asked_for(capsys):
    options = "--features 2 4 --gamma 2 --C 4 --tol 0.5 --class-weight 2:0.5,7:1 --steps 3"
    out = done(capsys, "trace", "wide", *options.split())
    problem = Problem(POINTS, Y, Gaussian(2), C=[2] * 3 + [4] * 4)
    assert out.split("\n\n")[0] == trace(problem, tol=0.5, max_iter=3).text()
    assert "max_iter after 3 steps" in out
    for steps, most in (("2", "3"), ("9", "0")):
        out = done(capsys, "trace", "points", "--max-iter", steps, "--steps", most)
        assert out.split("\n\n")[0].count("\n") == min(int(steps), int(most)) + 2


def test_the_picture_moves_and_names_what_is_in_it(capsys, folder):
    options = "--features 4 2 --kernel linear -o steps.svg"
    out = done(capsys, "trace", "wide", *options.split())
    assert out.endswith("written: steps.svg\n")
    text = (folder / "steps.svg").read_text()
    ElementTree.fromstring(text)
    for words in ("feature 4", "feature 2", "class 2", "class 7", "@keyframes", "Linear()",
                  "wide: smo"):
        assert words in text
    swapped = [[v, u] for u, v in POINTS]
    traced = trace(Problem(swapped, Y, Linear()))
    assert traced.svg().split("<style>")[1].split("<rect")[0] in text
    done(capsys, "trace", "points", "-o", "steps.svg", "--title", "My steps")
    assert "<title>My steps</title>" in (folder / "steps.svg").read_text()


def test_kernel_values_have_a_table_too(capsys):
    assert "optimal after 1 step:" in done(capsys, "trace", "values", "--kernel", "precomputed")


@pytest.mark.parametrize("argv, sentence", [
    (["three"], "three has 3 classes; what is watched is one machine, for two"),
    (["wide", "-o", "p.svg"], "wide has 4 features; a picture shows two, see --features"),
    (["wide", "--features", "0", "2"], "--features is 0; it must be from 1 to 4"),
    (["points", "--steps", "-1"], "--steps is -1; it must not be negative"),
    (["values", "--kernel", "precomputed", "-o", "p.svg"],
     "a file of kernel values has no features; --kernel must be another"),
    (["values", "--kernel", "precomputed", "--features", "1", "2"],
     "a file of kernel values has no features; --kernel must be another"),
    (["points", "-o", "nowhere/p.svg"],
     "nowhere/p.svg cannot be written; there is no folder nowhere"),
    (["nothing"], "nothing: there is no such file"),
])
def test_bad_usage_is_refused_in_a_sentence(capsys, folder, argv, sentence):
    assert run(capsys, "trace", *argv) == (2, "", f"refsvm: {sentence}\n")
    assert not (folder / "p.svg").exists()
