"""explain: what a shuffled column costs, by its definition; what it says and draws."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from refsvm import SVC, SVR, write_data, write_model
from refsvm.commands import main
from refsvm.estimators.scores import importances, scoring_named
from refsvm.numerics.picks import shuffle, splitmix64

X = [[i % 5 - 2.0, i % 3 - 1.0, 4.0, (7 * i) % 11 / 2] for i in range(30)]
Y = [1 if x[0] + x[1] / 4 > 0 else -1 for x in X]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_drop_is_that_of_its_definition():
    svc, bits = SVC(kernel="linear").fit(X, Y), splitmix64(3)
    scoring = scoring_named("accuracy", "classes")
    score, found = importances(svc.predict, X, Y, scoring, repeats=4, seed=3)
    assert score == svc.score(X, Y)
    for j, column in enumerate(found):
        drops = []
        for _ in range(4):
            dealt = shuffle([x[j] for x in X], bits)
            rows = [x[:j] + [v] + x[j + 1:] for x, v in zip(X, dealt)]
            drops.append(score - svc.score(rows, Y))
        assert column.drop == pytest.approx(sum(drops) / 4)
        spread = sum((drop - column.drop) ** 2 for drop in drops) / 12
        assert column.error == pytest.approx(spread ** 0.5)
    assert found[2] == (0, 0) and found[0].drop == max(column.drop for column in found)


def test_what_predicts_without_a_column_owes_it_nothing():
    for name, of in ("accuracy", "classes"), ("mean_absolute_error", "values"):
        _, found = importances(lambda rows: [x[0] for x in rows], X, [x[0] for x in X],
                               scoring_named(name, of))
        assert found[0].drop > 0 and found[1:] == [(0, 0)] * 3


def test_features_are_listed_by_what_they_are_worth_and_drawn(capsys):
    names = ["first", "second", "always", "noise"]
    lines = [",".join(map(str, [*x, "no" if y < 0 else "yes"])) for x, y in zip(X, Y)]
    Path("t.csv").write_text("\n".join([",".join([*names, "kind"]), *lines]))
    assert main(["train", "t.csv", "--kernel", "linear", "-o", "m"]) == 0
    capsys.readouterr()
    assert main(["explain", "t.csv", "m", "--repeats", "5", "-o", "bars.svg"]) == 0
    out = capsys.readouterr().out
    listed = re.findall(r"^  (\w+) +(-?[0-9.]+)  \+- [0-9.]+$", out, re.M)
    of_use = {"first", "second", "noise"}  # the model leaves the constant column out
    assert {name for name, _ in listed} == of_use and listed[0][0] == "first"
    assert [float(drop) for _, drop in listed] == sorted(
        (float(drop) for _, drop in listed), reverse=True)
    picture = ElementTree.fromstring(Path("bars.svg").read_text())
    texts = [text.text for text in picture.iter("{http://www.w3.org/2000/svg}text")]
    assert [text for text in texts if text in names] == [name for name, _ in listed]


def test_values_have_r2_and_errors_that_grow(capsys):
    y = [2 * x[0] + x[1] for x in X]
    write_data("d", X, y)
    write_model("m", SVR(kernel="linear", C=10).fit(X, y))
    assert main(["explain", "d", "m"]) == 0
    assert "R^2 0.9" in capsys.readouterr().out
    assert main(["explain", "d", "m", "--score", "mean_absolute_error"]) == 0
    assert "how much it grows" in capsys.readouterr().out


@pytest.mark.parametrize("line, told", [
    ("d m --repeats 1", "--repeats is 1; it must be at least 2"),
    ("d m --score r2", "--score is 'r2'"),
    ("k mk", "mk has kernel values and no features that could be shuffled"),
])
def test_what_cannot_be_explained_is_refused(capsys, line, told):
    write_data("d", X, Y)
    write_model("m", SVC(kernel="linear").fit(X, Y))
    K = [[2.0, 1.0], [1.0, 2.0]]
    write_data("k", K, [1, -1], precomputed=True)
    write_model("mk", SVC(kernel="precomputed").fit(K, [1, -1]))
    assert main(["explain", *line.split()]) == 2
    assert told in capsys.readouterr().err
