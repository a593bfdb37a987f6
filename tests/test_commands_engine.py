"""Which library a command computes with: the same bytes by both, and a line that says which."""

import importlib
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
from profiles import slow_cases

import refsvm
import refsvm_fast
from refsvm.commands import COMMANDS, engine, main
from refsvm.commands.arguments import Parser
from refsvm.commands.engine import library
from refsvm.commands.watching import Watch
from tests.seven_points import go_to

ROOT = Path(refsvm.__file__).parent.parent
EITHER = SimpleNamespace(pure=False)
LINES = [
    "train points -o out",
    "train three -o -",
    "train three -v 2 --kernel linear",
    "train values --kernel precomputed -o out",
    "predict three many -o out --decisions",
    "predict points model -o -",
    "check points model",
    "check three many --C 0.5",
    "exact three --kernel poly --degree 2",
    "exact points --certificate out --kernel linear",
    "plot points model -o out",
    *slow_cases("a picture of several classes that differs", "plot three -o -"),
    *slow_cases("a demo that differs", "demo -o out"),
    *slow_cases("a trace that differs", "trace points -o out"),
    "trace points --solver active-set",
]
compiled = pytest.mark.skipif(not refsvm_fast.COMPILED, reason="nothing is compiled")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch, capsys):
    go_to(tmp_path, monkeypatch)
    refsvm.write_data("values", [[1.0, 0.5], [0.5, 1.0]], [1, 2], precomputed=True)
    assert main(["train", "points", "-o", "model"]) == 0
    assert main(["train", "three", "-o", "many", "--C", "0.5", "--kernel", "linear"]) == 0
    capsys.readouterr()
    return tmp_path


def told(capsys, *argv):
    """The status, all that is printed, and the files that a command line writes."""
    status = main(list(argv))
    printed = capsys.readouterr()
    files = {name: Path(name).read_bytes() for name in os.listdir() if name.startswith("out")}
    return (status, printed.out, files), printed.err


@compiled
@pytest.mark.parametrize("line", LINES)
def test_both_libraries_give_the_same_bytes_and_say_which_one_runs(capsys, line):
    fast, said = told(capsys, *line.split())
    pure, said_of_pure = told(capsys, *line.split(), "--pure")
    assert fast == pure and fast[0] in (0, 1)
    here = [words for words in said.splitlines() if words.startswith("refsvm: compiled")]
    assert here == [f"refsvm: compiled ({refsvm_fast.ISA})"]
    assert said.replace(here[0], "refsvm: plain Python, as --pure asks") == said_of_pure


WITHOUT_IT = ("audit", "conform", "draw", "exercise", "export", "play", "scale")


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_that_computes_takes_pure_and_no_other_does(name):
    command = importlib.import_module(f"refsvm.commands.{name}")
    parser = Parser(name, COMMANDS[name], command.EXAMPLE)
    command.arguments(parser)
    assert ("--pure" in parser.options()) is (name not in WITHOUT_IT)


@compiled
def test_the_compiled_classes_are_those_that_work(capsys, monkeypatch):
    """Where smo of plain Python fails, a command that is not told --pure never notices."""
    def fails(*anything, **more):
        raise AssertionError

    monkeypatch.setattr("refsvm.solvers.smo.PairAscent", fails)
    assert main(["train", "points", "-o", "out"]) == 0
    assert main(["check", "points", "model"]) == 0
    monkeypatch.setattr(engine, "compiled_package", lambda: None)
    assert main(["train", "points", "-o", "out"]) == 70
    capsys.readouterr()


@pytest.mark.parametrize("line", ["train points --C 0", "predict points points", "plot three"])
def test_what_is_refused_is_one_line(capsys, line):
    (status, out, _), err = told(capsys, *line.split())
    assert (status, out) == (2, "") and len(err.splitlines()) == 1


def test_words_for_what_is_not_compiled(monkeypatch):
    monkeypatch.delenv("REFSVM_PURE_PYTHON", raising=False)
    fast = SimpleNamespace(COMPILED=False, UNLIKE=False, ISA=None, __file__=refsvm_fast.__file__)
    monkeypatch.setattr(engine, "compiled_package", lambda: fast)
    assert library(EITHER) is refsvm
    assert engine.running().endswith(f"pip install -e {ROOT}")
    fast.__file__ = "/usr/lib/python3/dist-packages/refsvm_fast/__init__.py"
    assert engine.running().endswith("install refsvm anew where there is a C compiler")
    monkeypatch.setenv("REFSVM_PURE_PYTHON", "1")
    assert engine.running() == "plain Python, as REFSVM_PURE_PYTHON asks"
    monkeypatch.setattr(engine, "compiled_package", lambda: None)
    assert engine.running() == "plain Python, as refsvm_fast is not installed"
    assert library(EITHER) is refsvm


def test_a_compilation_older_than_its_sources_is_told(tmp_path):
    (tmp_path / "fast" / "simd").mkdir(parents=True)
    paths = [tmp_path / "fast" / name for name in ("_smo.pyx", "simd/loops.h", "_smo.abi3.so")]
    for path in (*paths, tmp_path / "setup.py"):
        path.touch()
    fast = SimpleNamespace(__file__=str(tmp_path / "fast" / "__init__.py"))
    for newest in paths:
        for path in paths:
            os.utime(path, (0, 2 if path == newest else 1))
        assert engine.is_outdated(fast) is (newest.suffix != ".so")
    (tmp_path / "setup.py").unlink()
    assert not engine.is_outdated(fast)


def test_what_cannot_be_imported_is_told_in_one_line(capsys, monkeypatch):
    def fails(name):
        raise ImportError("refsvm_fast._smo: no such symbol", name="refsvm_fast")

    monkeypatch.setattr(engine, "import_module", fails)
    (status, out, _), err = told(capsys, "train", "points")
    sentence = "refsvm_fast cannot be imported: refsvm_fast._smo: no such symbol"
    assert (status, out, err) == (2, "", f"refsvm: {sentence}\n")
    assert told(capsys, "train", "points", "--pure")[0][0] == 0


def test_the_environment_says_no_to_what_is_compiled(folder):
    result = subprocess.run(
        [sys.executable, "-m", "refsvm", "train", "points"], capture_output=True, text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT), "REFSVM_PURE_PYTHON": "1"}, timeout=60)
    assert result.returncode == 0 and result.stdout.startswith("7 rows")
    assert result.stderr == "refsvm: plain Python, as REFSVM_PURE_PYTHON asks\n"


def test_only_the_engine_looks_for_what_is_compiled_and_only_when_asked():
    named = {path.name for path in (ROOT / "refsvm" / "commands").rglob("*.py")
             if re.search(r"import.*refsvm_fast|\"refsvm_fast", path.read_text("utf-8"))}
    assert named == {"engine.py"}
    code = "import sys, refsvm.commands.train; print('refsvm_fast' in sys.modules)"
    result = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert result.stdout == "False\n"


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.slow("a Ctrl-C that shows a traceback, or leaves half a file, in either library")
@pytest.mark.parametrize("pure", [(), ("--pure",)])
def test_ctrl_c_ends_a_process_quietly(folder, pure):
    words = ["train", "large", "-o", "out", "--C", "1e9", "--tol", "1e-9", *pure]  # a minute
    X = [[float(37 * i % 101), float(i * i % 89)] for i in range(3000)]
    refsvm.write_data("large", X, [1 if i * i % 7 < 3 else -1 for i in range(3000)])
    for seconds in (0.1, 2.0):  # while modules are loaded, if Python itself has begun; at work
        process = subprocess.Popen(
            [sys.executable, "-m", "refsvm", *words],
            env={**os.environ, "PYTHONPATH": str(ROOT)}, stderr=subprocess.PIPE, text=True,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))  # not as a job's
        time.sleep(seconds)
        process.send_signal(signal.SIGINT)
        err = process.communicate(timeout=60)[1]
        if seconds > 1:
            assert process.returncode == 130 and "Traceback" not in err
        assert not os.path.exists("out") and "in start" not in err  # what runs before is Python's


@pytest.mark.slow("a compiled solver that tells another step, or goes another way, when sampled")
@compiled
def test_a_sampled_solver_gives_the_same_bits_and_tells_some_of_its_steps():
    X = [[float(37 * i % 101), float(i * i % 89)] for i in range(1000)]
    problem = refsvm_fast.Problem(X, [1 if i * i % 7 < 3 else -1 for i in range(1000)],
                                  refsvm.Gaussian(0.001), C=1e5)
    every, some = [], Watch("training", 1e-3, lambda: 0.0)
    told = refsvm_fast.smo(problem, on_step=lambda step: every.append(step.iteration))
    assert refsvm_fast.smo(problem, on_step=some) == told == refsvm_fast.smo(problem)
    assert some.step is not None and 1 <= some.step.iteration <= told.iterations == len(every)
