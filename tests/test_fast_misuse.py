"""No call of what is compiled, with whatever arguments, ends the process: it answers or raises."""

import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from equality import compiled

import refsvm_fast
from refsvm import Linear, Precomputed

ROOT = Path(__file__).resolve().parent.parent

# Each step is told before it is taken, so that the last one told is the one that crashed.
PROGRAM = """
import sys
from importlib import import_module
from itertools import product

VALUES = [None, 0, -1, 5, [], [0], [10**6], 1.5, "x", (1.0,), {}]
GIVEN = [(), *product(VALUES), *product(VALUES, VALUES), *product(VALUES[:4], repeat=3)]
SPECIAL = ["__len__", "__getitem__", "__iter__", "__next__", "__reduce__", "__repr__"]

def tell(*words):
    print(*words, file=sys.stderr, flush=True)

def call(what, name):
    tell(name)
    for given in GIVEN:
        try:
            what(*given)
        except Exception:
            pass

for module in map(import_module, sys.argv[1:]):
    for name, value in vars(module).items():
        owner = getattr(value, "__module__", None)
        if owner != module.__name__ and (owner != "refsvm_fast" or isinstance(value, type)):
            continue
        if callable(value):
            call(value, name)
        if isinstance(value, type):
            try:
                bare = value.__new__(value)
            except TypeError:
                continue
            for method in dir(bare):
                if method in SPECIAL or not method.startswith("__"):
                    call(getattr(bare, method), f"{name}.{method}")
tell("done")
"""


@compiled
def test_rubbish_crashes_nothing_compiled():
    here = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}
    modules = [f"refsvm_fast.{path.stem}" for path in (ROOT / "refsvm_fast").glob("*.pyx")]
    command = [sys.executable, "-c", PROGRAM, *modules]
    run = subprocess.run(command, env=here, capture_output=True, text=True)
    assert len(modules) > 3
    assert run.stderr.split("\n")[-2] == "done" and run.returncode == 0


@compiled
@pytest.mark.parametrize("name, value", [
    ("kernel", Precomputed()), ("n", 10**6), ("y", [1]), ("C", []), ("X", [[1.0]]),
    ("packed", refsvm_fast.Problem([[1.0], [2.0]], [1, -1]).packed),
])
def test_a_problem_that_was_changed_crashes_no_solver(name, value):
    problem = refsvm_fast.Problem([[0.0, 5.0], [1.0, 2.0], [3.0, 2.5]], [-1, 1, 1], Linear())
    setattr(problem, name, value)
    asked = (refsvm_fast.smo,), (refsvm_fast.kkt, [1] * 3), (refsvm_fast.Problem.gap, [1] * 3, 0)
    for call, *given in asked:
        with suppress(ValueError, TypeError, IndexError, AttributeError):
            call(problem, *given)
