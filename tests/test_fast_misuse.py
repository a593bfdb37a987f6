"""No call of what is compiled, with any arguments, ends the process: it answers or raises, and
what it raises are refsvm's own sentences: one table of functions and of their arguments."""

import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
import strategies_fast as draws
from equality import compiled, equality_test, same
from hypothesis import given
from hypothesis import strategies as st
from test_fast_kernels import rows_and_kernels
from test_fast_online import KERNEL_LEARNERS, LEARNERS, arguments

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
    ("packed", getattr(refsvm_fast.Problem([[1.0], [2.0]], [1, -1]), "packed", None)),
])
def test_a_problem_that_was_changed_crashes_no_solver(name, value):
    problem = refsvm_fast.Problem([[0.0, 5.0], [1.0, 2.0], [3.0, 2.5]], [-1, 1, 1], Linear())
    setattr(problem, name, value)
    asked = (refsvm_fast.smo,), (refsvm_fast.kkt, [1] * 3), (refsvm_fast.Problem.gap, [1] * 3, 0)
    for call, *more in asked:
        with suppress(ValueError, TypeError, IndexError, AttributeError):
            call(problem, *more)


# ---- what is refused is refused in the same words


@st.composite
def few_rows(draw, **options):
    """A problem, and numbers as many as its examples in the place of n."""
    problem = draws.possible(draw(draws.given_problems(most=9)))
    zeros = [0.0] * problem.n
    return {"problem": problem, **{k: zeros if v == "n" else v for k, v in options.items()}}


GOOD = {
    "Problem": draws.given_problems(most=9, sorts=False),
    "kkt": few_rows(alpha="n", b=0.0),
    "dual_coordinate_descent": few_rows(picks=[0] * 5, tol=0.1, start="n", on_step=None),
    **{name: few_rows(tol=0.1, max_iter=3, start="n", on_step=None, cache_mb=1, threads=1)
       for name in ("smo", "coordinate_ascent")},
    "gram": rows_and_kernels(most=9).map(
        lambda one: {"kernel": one[2], "X": one[0], "Z": one[1], "threads": 1}),
    **{name: arguments(name, sorts=False, most=9) for name in LEARNERS + KERNEL_LEARNERS},
    "numerics.picks.passes": st.just({"n": 3, "times": 2}),
    "numerics.picks.shuffled_passes": st.just({"n": 3, "times": 2, "seed": 7}),
    "numerics.picks.uniform": st.just({"n": 3, "steps": 5, "seed": 7}),
}


@equality_test(*(name for name in GOOD if "picks" not in name))
@pytest.mark.parametrize("name", GOOD)
@given(st.data())
def test_arguments_that_are_no_good_meet_the_same_sentence(name, data):
    given = data.draw(GOOD[name])
    for _ in range(data.draw(st.sampled_from([1, 1, 1, 2]))):
        given = data.draw(draws.spoiled_arguments(given))
    if isinstance(given.get("X"), list):
        given["X"] = draws.dress(given["X"], data.draw(draws.dresses))
    same(name, **given)
