"""refsvm_fast has the names of refsvm, all of them and no others, and each compiled one a test."""

import inspect
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
from equality import COVERED, find
from test_spec import NAMES

import refsvm
import refsvm_fast

TESTS = Path(__file__).parent
EXTRAS = {"COMPILED", "ISA", "UNLIKE"}  # what refsvm_fast says of itself, besides

for path in TESTS.glob("test_*.py"):
    if "\n@equality_test(" in path.read_text(encoding="utf-8"):
        import_module(path.stem)  # so that COVERED holds what it covers

EVERY = sorted({*refsvm.__all__, *NAMES})


def plain(function):
    """What lies behind a bound class method."""
    return getattr(function, "__func__", function)


def signature_of(function):
    """The signature without its types, as text: a default that is a kernel reads the same."""
    signature = inspect.signature(function)
    bare = [p.replace(annotation=inspect.Parameter.empty) for p in signature.parameters.values()]
    return str(inspect.Signature(bare))


def seen_in(package, name):
    """What is the same of a public name in both packages; or the error if it is not there."""
    try:
        value = find(package, name)
    except Exception as error:
        return name, repr(error)
    signature, is_class = signature_of(value), isinstance(value, type)
    return name, signature, value.__name__, bool(inspect.getdoc(value)), is_class


def test_every_public_name_is_there_with_the_signature_of_the_oracle():
    pairs = [(seen_in(refsvm, name), seen_in(refsvm_fast, name)) for name in EVERY]
    assert [(ours, theirs) for ours, theirs in pairs if theirs != ours] == []


def test_every_name_that_is_not_the_oracles_own_is_held_equal_by_a_test():
    another = [name for name in EVERY
               if plain(find(refsvm_fast, name)) is not plain(find(refsvm, name))]
    assert set(another) - set(COVERED) == set(), "each needs an @equality_test(name)"


def test_methods_that_no_page_lists_are_the_oracles_too():
    for name in EVERY:
        ours, theirs = find(refsvm, name), find(refsvm_fast, name)
        if isinstance(ours, type):
            assert issubclass(theirs, ours)
            public = {word for word in dir(theirs) if not word.startswith("_")}
            assert public >= {word for word in dir(ours) if not word.startswith("_")}
            assert getattr(theirs, "_fields", None) == getattr(ours, "_fields", None)


def test_nothing_else_is_there():
    assert set(refsvm.__all__) <= set(dir(refsvm_fast))
    assert sorted(refsvm_fast.__all__) == sorted(refsvm.__all__)
    assert set(vars(refsvm_fast)) >= EXTRAS and not EXTRAS & set(dir(refsvm))
    assert refsvm_fast.__version__ == refsvm.__version__
    tables = {"ANSWERS", "COMPILED_NAMES", "refsvm", *refsvm_fast.ANSWERS}  # once asked for
    mine = {name for name in vars(refsvm_fast) if name[0] != "_"} - {*EXTRAS, *tables}
    assert {name for name in mine if not hasattr(refsvm, name)} == set()


def test_a_star_brings_the_same_names():
    ours, theirs = {}, {}
    exec("from refsvm import *", ours)
    exec("from refsvm_fast import *", theirs)
    assert set(theirs) == set(ours) and set(ours) >= set(refsvm.__all__)
    for name in refsvm.__all__:
        assert theirs[name] is getattr(refsvm_fast, name)


def test_an_unknown_name_is_refused():
    with pytest.raises(AttributeError, match="'refsvm_fast' has no attribute 'smoo'"):
        refsvm_fast.smoo  # noqa: B018
    with pytest.raises(ImportError):
        exec("from refsvm_fast import smoo")


def test_shared_classes_are_the_oracles_own():
    for name in ("Linear", "Polynomial", "Gaussian", "Sigmoid", "MonomialSum", "Spectrum",
                 "Precomputed", "Kernel", "Step", "KKT", "Mercer", "Scaling"):
        assert getattr(refsvm_fast, name) is getattr(refsvm, name)


@pytest.mark.parametrize("name", ["projected_gradient", "active_set", "solve_exactly",
                                  "kernels.strings", "numerics.elementary", "svm.offsets"])
def test_what_is_not_compiled_is_the_oracles_own(name):
    assert find(refsvm_fast, name) is find(refsvm, name)


@pytest.mark.slow("a module that is not found by its other name")
def test_a_module_of_the_oracle_can_be_imported_from_refsvm_fast():
    lines = [
        "from refsvm_fast.numerics.picks import below, shuffle",
        "from refsvm_fast.numerics.elementary import exp",
        "from refsvm_fast.theory.margins import canonical",
        "import refsvm_fast.solvers.projected_gradient",
        "import refsvm_fast.svm.offsets as f, refsvm.svm.offsets as g; assert f is g",
        "from refsvm_fast.numerics import picks as p; import refsvm_fast as f; f.numerics.picks",
    ]
    for line in lines:
        subprocess.run([sys.executable, "-c", line], check=True, cwd=TESTS.parent)


def test_the_oracle_does_not_know_of_it():
    code = "import refsvm, refsvm.estimators.svc, sys; assert 'refsvm_fast' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True, cwd=TESTS.parent)
    for path in (TESTS.parent / "refsvm").rglob("*.py"):
        assert "import refsvm_fast" not in path.read_text(encoding="utf-8").replace("\n    ", " ")


def test_what_is_said_to_be_covered_is_a_public_name():
    assert set(COVERED) - set(EVERY) == set() and all(COVERED.values())


def test_an_import_alone_imports_nothing_of_what_is_asked_for_later():
    code = "import sys, refsvm; print(*sorted(name for name in sys.modules if 'refsvm' in name))"
    loaded = subprocess.check_output([sys.executable, "-S", "-c", code], cwd=TESTS.parent).split()
    assert loaded == [b"refsvm", b"refsvm.numerics", b"refsvm.numerics.notebook_hook",
                      b"refsvm.numerics.roundings",
                      b"refsvm.version"]
