"""What is pickled anywhere opens everywhere, and answers with the same bits; or it is refused.

A configuration is a process in which refsvm_fast is compiled, or is told to be the oracle, or is a
copy without what is compiled. This process is one of them. Each writes what pickled.py has, and
each opens what all have written.
"""

import copy
import json
import multiprocessing
import os
import pickle
import shutil
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import pickled
import pytest
import strategies_fast as draws
from equality import compiled
from hypothesis import given
from hypothesis import strategies as st
from profiles import one_in

import refsvm
import refsvm_fast
from refsvm.commands.engine import processes
from refsvm.numerics import pickles
from refsvm.svm.calibration import Calibration

TESTS = Path(__file__).resolve().parent
PACKAGES = refsvm, refsvm_fast
OBJECTS = {package.__name__: list(pickled.objects_of(package)) for package in PACKAGES}
ALL_OBJECTS = [value for values in OBJECTS.values() for value in values]
packages = pytest.mark.parametrize("package", PACKAGES, ids=OBJECTS)


def name_of(value):
    return type(value).__name__


def configuration(stack, root, **environment):
    """A process that does what pickled.py says, with the packages in this folder."""
    path = os.pathsep.join([str(root), str(TESTS), *sys.path])
    command = [sys.executable, str(TESTS / "pickled.py")]
    return stack.enter_context(subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=root,
        env={**os.environ, "PYTHONPATH": path, **environment},
    ))


def tell(process, *words):
    process.stdin.write(json.dumps(words) + "\n")
    process.stdin.flush()


def open_everywhere(folder, protocols):
    """Let every configuration write, and every one open everything; what differs, by who opens."""
    bare = folder / "bare"
    for package in PACKAGES:
        shutil.copytree(Path(package.__file__).parent, bare / package.__name__,
                        ignore=shutil.ignore_patterns("*.so", "*.pyd", "*.pyx"))
    files = [str(folder / f"{name}.pickles") for name in ("here", "pure", "bare")]
    with ExitStack() as stack:
        others = [configuration(stack, TESTS.parent, REFSVM_PURE_PYTHON="1"),
                  configuration(stack, bare, REFSVM_PURE_PYTHON="0",
                                REFSVM_REQUIRE_EXTENSIONS="0")]
        for process, path in zip(others, files[1:]):
            tell(process, "write", path, protocols)
        written = {pickled.write(files[0], protocols)}
        written |= {json.loads(process.stdout.readline()) for process in others}
        assert len(written) == 1
        for process in others:
            for path in files:
                tell(process, "read", path)
        found = {("here", Path(path).stem): pickled.read(path) for path in files}
        for name, process in zip(("pure", "bare"), others):
            for path in files:
                found[name, Path(path).stem] = json.loads(process.stdout.readline())
            process.stdin.close()
        return found


@pytest.mark.slow("an object of another process that does not open, or answers otherwise")
def test_what_one_writes_every_other_opens_and_it_answers_with_the_same_bits(tmp_path):
    found = open_everywhere(tmp_path, len(one_in(2, pickled.PROTOCOLS)))
    assert len(found) == 9 and {pair: faults for pair, faults in found.items() if faults} == {}


@packages
def test_there_is_an_object_of_every_public_class(package):
    classes = [value for _, value in pickled.names_in(package) if isinstance(value, type)]
    lacking = [cls for cls in classes
               if not any(isinstance(value, cls) for value in OBJECTS[package.__name__])]
    assert len(classes) > 20 and lacking == []


@pytest.mark.parametrize("value", ALL_OBJECTS, ids=name_of)
def test_a_copy_answers_with_the_same_bits(value):
    expected = pickled.seen(value)
    for twin in (copy.copy(value), copy.deepcopy(value)):
        assert type(twin) is type(value) and pickled.seen(twin) == expected


@pytest.mark.slow("what a process that begins anew cannot open")
def test_a_pool_of_spawned_processes_takes_everything():
    values = ALL_OBJECTS + [v for package in PACKAGES for _, v in pickled.names_in(package)]
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        back = list(pool.map(copy.copy, values))
    for value, twin in zip(values, back):
        assert twin is value if callable(value) and not isinstance(value, refsvm.Kernel) else (
            pickled.seen(twin) == pickled.seen(value))


def test_a_pickle_names_nothing_that_is_not_everywhere():
    everything = [v for package in PACKAGES for _, v in pickled.names_in(package)] + ALL_OBJECTS
    for value in everything:
        assert b"refsvm_fast._" not in pickle.dumps(value, 2)


FORMATTED = refsvm.Kernel, refsvm.Problem, refsvm.SVC, *(
    refsvm.Model, refsvm.Solution, refsvm.OneAgainstOne, refsvm.Scaling, refsvm.Certificate,
    Calibration)


@pytest.mark.parametrize("value", {type(v): v for v in ALL_OBJECTS if isinstance(v, FORMATTED)}
                         .values(), ids=name_of)
def test_a_format_that_is_not_known_is_refused_with_both_versions_named(monkeypatch, value):
    with monkeypatch.context() as future:
        future.setattr(pickles, "PICKLE_FORMAT", 77)
        future.setattr(pickles, "__version__", "9.8.7")
        text = pickle.dumps(value)
    with pytest.raises(ValueError, match=(
        f"pickled in format 77 by refsvm '9.8.7'; refsvm {refsvm.__version__} reads"
        f" format {pickles.PICKLE_FORMAT}"
    )):
        pickle.loads(text)


def damaged(draw, state):
    """A state in which some attributes are missing, or are anything."""
    names = draw(st.lists(st.sampled_from(sorted(state)), min_size=1, max_size=3, unique=True))
    changed = {name: draw(draws.nonsense) for name in names if draw(st.booleans())}
    return {**{name: value for name, value in state.items() if name not in names}, **changed}


STATES = [value for value in ALL_OBJECTS
          if isinstance(value, (refsvm.Problem, refsvm.SVC, refsvm.Kernel)) and vars(value)]


@given(st.data())
def test_a_damaged_state_is_refused_in_a_sentence_or_harmless(data):
    value = data.draw(st.sampled_from(STATES))
    state = value.__reduce_ex__(2)[2]
    state = data.draw(draws.nonsense) if data.draw(st.integers(0, 9)) == 0 else (
        damaged(data.draw, state))
    twin = type(value).__new__(type(value))
    try:
        twin.__setstate__(state)
    except (ValueError, TypeError) as error:
        assert len(str(error)) < 300 and str(error)
        return
    pickled.seen(twin)  # whatever that is, it does not crash
    if isinstance(twin, refsvm.Kernel):
        pickled.told(lambda: refsvm_fast.smo(refsvm_fast.Problem(pickled.X, pickled.Y, twin)))


@pytest.mark.parametrize("kernel, state, sentence", [
    (refsvm.Gaussian(1), {"gamma": -1.0}, "gamma is -1.0; it must be positive"),
    (refsvm.Polynomial(2), {"degree": -5}, "degree is -5"),
    (2 * refsvm.Linear(), {"factor": "x"}, "the factor of a kernel is 'x'; a number is needed"),
    (refsvm.Linear() + refsvm.Linear(), {"left": 5}, "kernel is 5; a kernel or a function"),
])
def test_a_kernel_refuses_a_state_that_it_could_not_have(kernel, state, sentence):
    text = kernel.__reduce_ex__(2)
    with pytest.raises((ValueError, TypeError), match=sentence):
        copy.copy(kernel).__setstate__({**text[2], **state})


@packages
@pytest.mark.parametrize("state, sentence", [
    ("rubbish", "the state of a pickled {} is no dict of attributes but a str"),
    ({1: 2}, "the state of a pickled {} is no dict of attributes but a dict"),
    ({}, "the state of a pickled {} lacks '"),
])
def test_what_is_no_state_is_refused(package, state, sentence):
    for cls in (package.SVC, package.Problem):
        with pytest.raises((ValueError, TypeError), match=sentence.format(cls.__name__)):
            cls.__new__(cls).__setstate__(state)


@packages
def test_what_is_made_without_being_initialised_raises_and_does_not_crash(package):
    for cls in [value for _, value in pickled.names_in(package)]:
        if isinstance(cls, type):
            try:
                bare = cls.__new__(cls)
            except TypeError:  # a tuple needs its fields
                bare = cls.__new__(cls, *[None] * len(cls._fields))
            pickled.told(lambda: pickled.seen(bare))  # noqa: B023
            pickled.told(lambda: pickle.dumps(bare))  # noqa: B023
            for method in dir(cls):
                if not method.startswith("_"):
                    pickled.told(lambda: getattr(bare, method)(pickled.X))  # noqa: B023


@compiled
@pytest.mark.parametrize("module", ["_estimators", "_online_learners"])
def test_a_compiled_module_imported_before_any_choice_of_loops_computes(module):
    program = f"""
import os, sys
os.environ["REFSVM_PURE_PYTHON"] = "1"
import refsvm_fast, refsvm_fast.{module}, refsvm_fast._solution
from refsvm import Gaussian
assert not refsvm_fast.COMPILED
print(refsvm_fast._solution.gram(Gaussian(1), [[0.0], [1.0]], None, 1))
"""
    here = {**os.environ, "PYTHONPATH": os.pathsep.join([str(TESTS.parent), *sys.path])}
    said = subprocess.check_output([sys.executable, "-c", program], env=here, text=True)
    assert said.strip() == repr(refsvm.gram(refsvm.Gaussian(1), [[0.0], [1.0]]))


class Quiet:
    """An __init__ that names no module, as PyPy's own has."""

    __module__ = None

    def __call__(self):
        pass


def test_a_class_whose_init_names_no_module_is_copied():
    quiet = type("Silent", (pickles.Pickled,), {"__init__": Quiet()})()
    quiet.told = 1
    assert copy.copy(quiet).told == 1


def test_jobs_are_done_where_an_executor_lacks_what_it_calls(monkeypatch):
    """As that of PyPy 7.3.11 does."""
    monkeypatch.delattr(ProcessPoolExecutor, "_adjust_process_count", raising=False)
    with processes(2, 2) as executor:
        assert list(executor.map(abs, [-1, 2])) == [1, 2]
