"""Environment variables are read alike by all: empty is unset, yes and no have four words each."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import refsvm_fast
from refsvm.commands import main
from refsvm.commands.engine import running
from refsvm.numerics.environment import env_flag, env_text
from refsvm_fast._loading import load

ROOT = Path(__file__).parent.parent
BOOLEAN = ["PURE_PYTHON", "REQUIRE_EXTENSIONS", "ABI3", "CHECKED"]
NO = [None, "", " ", "0", "false", "FALSE", "No", "off", " 0\n"]
YES = ["1", "true", "True", "yes", "ON", " 1"]
NEITHER = ["2", "maybe", "-1", "y", "n", "none", "nein", "1.0", "\x1b[31m", "x" * 10**5, "0 1"]


def told(monkeypatch, name, value):
    """Set a variable, or leave it unset."""
    (monkeypatch.delenv if value is None else monkeypatch.setenv)(
        name, *([False] if value is None else [value]))


@pytest.mark.parametrize("values, meant", [(NO, False), (YES, True)])
def test_yes_and_no_have_four_words_each(monkeypatch, values, meant):
    for value in values:
        told(monkeypatch, "REFSVM_PURE_PYTHON", value)
        assert env_flag("REFSVM_PURE_PYTHON") is meant
        assert load()[0] is (refsvm_fast.COMPILED and not meant)
        assert ("as REFSVM_PURE_PYTHON asks" in running()) is (meant and not refsvm_fast.COMPILED)


@pytest.mark.parametrize("value", NEITHER)
def test_anything_else_is_refused_in_one_sentence(monkeypatch, value):
    for name in BOOLEAN[:2]:
        with monkeypatch.context() as context:
            context.setenv(f"REFSVM_{name}", value)
            with pytest.raises(ValueError, match="for no") as refusal:
                load()
        sentence = str(refusal.value)
        assert sentence.startswith(f"the environment variable REFSVM_{name} is {value[:9]!a}"[:-1])
        assert "must be 1, true, yes, on for yes" in sentence and len(sentence) < 200
        assert sentence.isprintable()


def test_an_empty_isa_is_unset_and_another_is_refused(monkeypatch):
    if not refsvm_fast.COMPILED:
        pytest.skip("inner loops are compiled")
    monkeypatch.delenv("REFSVM_ISA", raising=False)
    best = load()
    monkeypatch.setenv("REFSVM_ISA", "")
    assert load() == best and env_text("REFSVM_ISA") is None
    monkeypatch.setenv("REFSVM_ISA", "AVX\x1b")
    with pytest.raises(ValueError, match=r"variable REFSVM_ISA is 'AVX\\x1b'; this build and"):
        load()


def test_a_command_refuses_in_one_sentence(monkeypatch, capsys):
    monkeypatch.delitem(sys.modules, "refsvm_fast")
    monkeypatch.setenv("REFSVM_PURE_PYTHON", "maybe")
    assert main(["--version"]) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.startswith("refsvm: the environment variable REFSVM_PURE_PYTHON is")


@pytest.mark.parametrize("name", BOOLEAN[2:3])
def test_setup_refuses_before_it_builds(monkeypatch, name):
    monkeypatch.setenv(f"REFSVM_{name}", "maybe")
    done = subprocess.run([sys.executable, "setup.py", "--version"], cwd=ROOT,
                          capture_output=True, text=True)
    assert done.returncode == 1 and done.stdout == ""
    assert done.stderr.startswith(f"the environment variable REFSVM_{name} is 'maybe'; it must be")
    assert done.stderr.count("\n") == 1


def test_the_table_has_every_variable_that_is_read():
    page = (ROOT / "spec/use/command-line.md").read_text(encoding="utf-8")
    table = set(re.findall(r"^\| `(REFSVM_\w+)` \|", page, re.M))
    read = set()
    for folder in ("refsvm", "refsvm_fast", "tests", "docs", "."):
        pattern = "*.py" if folder == "." else "**/*.py"
        for path in (ROOT / folder).glob(pattern):
            source = path.read_text(encoding="utf-8")
            found = re.findall(r'(?:env_text|env_flag|environ|get)[(\[]"(REFSVM_\w+)"', source)
            read.update(found)
            assert not re.search(r'environ.get\("REFSVM_\w+", ', source)  # a default of its own
    assert read | {f"REFSVM_{name}" for name in BOOLEAN} == table
