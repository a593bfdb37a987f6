"""refsvm.sklearn beside tables: the pipeline of its page, and what a terminal is told."""

import csv
import io
import sys
from pathlib import Path

import pytest
from peers import peer
from test_commands import Terminal

peer("sklearn")
import numpy as np  # noqa: E402
from sklearn import compose, feature_extraction, impute, pipeline, preprocessing  # noqa: E402

import refsvm  # noqa: E402
from refsvm import Preparation  # noqa: E402
from refsvm.sklearn import SVC, SVR, LinearSVC  # noqa: E402

X, Y = [[0.0], [1.0], [2.5], [3.0], [4.0], [6.0]], ["no", "no", "yes", "no", "yes", "yes"]


def test_the_pipeline_of_the_page_is_what_a_preparation_makes():
    pandas = peer("pandas")
    path = Path(refsvm.__file__).parent / "data" / "penguins.csv"
    with open(path, encoding="utf-8") as text:
        (_, *names), *rows = csv.reader(text)
    y, cells = [row[0] for row in rows], [row[1:] for row in rows]
    page = sys.modules["refsvm.sklearn"].__doc__
    lines = page[page.index("    def known"):page.index("What is other than")].splitlines()
    parts = {"SVC": SVC}
    for module in (compose, feature_extraction, impute, pipeline, preprocessing):
        parts.update(vars(module))
    exec("\n".join(line[4:] for line in lines), parts)
    frame = pandas.read_csv(path).drop(columns="species")
    found = parts["machine"].fit(frame, y).decision_function(frame)
    prepared = Preparation.fit(cells, names).rows(cells)
    plain = refsvm.SVC(C=4, gamma="scale/4").fit(prepared, y)
    assert np.allclose(found, plain.decision_function(prepared), rtol=0, atol=2e-3)
    new = frame.head(2).assign(island=["Nowhere", None])
    assert (parts["prepared"].transform(new)[:, -5:-2] == 0).all()


@pytest.mark.parametrize("kind, y, told", [
    (SVC, Y, "training, no against yes"), (SVR, [0, 1, 2, 3, 5, 6], "training"),
    (LinearSVC, Y, "training"),
])
def test_verbose_tells_on_a_terminal_what_the_command_tells(kind, y, told, monkeypatch):
    monkeypatch.setattr(sys, "stderr", Terminal())
    silent = kind().fit(X, y)
    assert sys.stderr.getvalue() == ""
    machine = kind(verbose=True).fit(X, y)
    assert sys.stderr.getvalue().startswith(f"\r{told}")
    assert (machine.predict(X) == silent.predict(X)).all()
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    kind(verbose=1).fit(X, y)
    assert sys.stderr.getvalue() == ""
