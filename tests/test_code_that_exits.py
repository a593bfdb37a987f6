"""Code of others that calls sys.exit: the status 0 that it asks for is never that of a verdict."""

import sys

import pytest

from refsvm.commands import main

SUBJECTS = """
import sys

class AtOnce:
    def __init__(self, **given): sys.exit(0)
    def fit(self, X, y): return self

class WhenFitted:
    def __init__(self, C=1.0, kernel="linear"): pass
    def fit(self, X, y): sys.exit(0)

class WhenAsked(WhenFitted):
    def fit(self, X, y): return self
    def predict(self, X): sys.exit(0)
    def decision_function(self, X): sys.exit(0)

class WhenItsParametersAreRead(WhenAsked):
    def get_params(self, deep=True): sys.exit(0)

class WhenItsWordsAreRead(WhenFitted):
    class Error(Exception):
        def __str__(self): sys.exit(0)
    def fit(self, X, y): raise self.Error

class Hiding:
    def __getattr__(self, name): sys.exit(0)

def solver(problem): sys.exit(0)

hiding = Hiding()
"""
NAMES = ["AtOnce", "WhenFitted", "WhenAsked", "WhenItsParametersAreRead", "WhenItsWordsAreRead",
         "solver", "hiding"]  # fmt: skip


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "exiting.py").write_text(SUBJECTS)
    (tmp_path / "at_import.py").write_text("import sys\nsys.exit(0)\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", sys.path[:])
    yield
    for name in ("exiting", "at_import"):
        sys.modules.pop(name, None)


@pytest.mark.parametrize("name", NAMES)
def test_a_subject_that_exits_has_no_verdict_of_0(folder, capfd, name):
    assert main(["audit", f"exiting.py:{name}", "--case", "C01", "--in-process"]) in (1, 2)
    out, err = capfd.readouterr()
    assert out or err


def test_a_module_that_exits_when_it_is_imported_is_told(folder, capfd):
    assert main(["audit", "at_import.py:SVM"]) == 2
    assert "at_import.py:SVM cannot be imported: SystemExit: 0" in capfd.readouterr().err


def test_a_signal_still_ends_a_command_with_its_status(folder, monkeypatch):
    def ended(number, frame=None):
        sys.exit(128 + number)

    monkeypatch.setattr("refsvm.commands.run", lambda argv: ended(15))
    with pytest.raises(SystemExit, match="143"):
        main(["audit", "exiting.py:solver"])
