"""Under `python -OO` every verdict and every text is there, and lint finds what would not be."""

import subprocess
import sys
from pathlib import Path

import pytest
from profiles import slow_cases

from tests.dropped_texts import found_in

ROOT = Path(__file__).parent.parent
PROGRAM = """
import sys
assert False, "this Python drops nothing"
from tests import optimised
optimised.{}()
print("all")
"""


@pytest.mark.parametrize("name", [
    *slow_cases("a verdict that is an assert", "every_verdict", "state_machine")])
def test_verdicts_and_texts_are_there_without_assert_and_docstrings(name):
    words = [sys.executable, "-OO", "-c", PROGRAM.format(name)]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert (done.returncode, done.stdout.strip()) == (0, "all"), done.stderr


@pytest.mark.parametrize("text, lines", [
    ("def f(x):\n    assert x\n", [2]),
    ("print(__doc__)", [1]),
    ("import inspect\nt = inspect.getdoc(f) or ''", [2]),
    ("t = getattr(f, '__doc__')", [1]),
    ("if __debug__: check()", [1]),
    ("class A:\n    __doc__ = B.__doc__\n", []),
    ("class A:\n    'Text.'\n", []),
])
def test_what_python_drops_is_found(text, lines):
    assert found_in(text) == lines


def test_what_python_drops_is_found_in_cython():
    assert found_in("cdef f():\n    assert x\n    y = g.__doc__\n    # asserted", ".pyx") == [2, 3]
