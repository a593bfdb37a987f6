"""No call of what is compiled, with whatever arguments, ends the process: it answers or raises."""

import os
import subprocess
import sys
from pathlib import Path

from equality import compiled

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
