"""What tests/budget.py counts, and what it says of a folder that is not as its budget has it."""

from collections import Counter

import pytest

from tests import budget

PYTHON = '''\
"""Two lines

of a module."""

# a comment
def one():
    """One line."""
    return """
# no comment, but a text
"""  # behind code
'''
CYTHON = '''\
# a comment
cdef int one():
    """Two lines
    of a function."""
    return 1  # behind code
'''
C = '''\
/* two lines
   of a comment */
// a third

int one = 1; /* behind code */
'''


@pytest.mark.parametrize("text, suffix, lines", [
    (PYTHON, ".py", {"code": 4, "docstring": 3, "comment": 1}),
    (CYTHON, ".pyx", {"code": 2, "docstring": 2, "comment": 1}),
    (C, ".c", {"code": 1, "comment": 3}),
    ("# A page\n\nof two lines\n", ".md", {"lines": 2}),
])
def test_lines_are_counted_by_their_kind(text, suffix, lines):
    assert budget.counted(text, suffix) == lines


def test_a_folder_is_over_its_budget_or_below_it():
    found = {"docs": Counter(files=3, code=7), "spec": Counter(files=1)}
    over, below, new = budget.complaints(found, {"docs": Counter(files=2, code=9)})
    assert over.startswith("docs has 3 files, and 2 are allowed: make room, or raise it in")
    assert below.startswith("docs has 7 lines of code, and its budget is 9; lower it:")
    assert new.startswith("spec has 1 files, and 0 are allowed")


def test_the_file_is_read_as_it_is_written(tmp_path, monkeypatch):
    """Numbers of 0, and folders that are empty, are left out; folders have a budget of their own
    where the reader meets them one by one."""
    monkeypatch.setattr(budget, "BUDGET", tmp_path / "budget.toml")
    numbers = {"refsvm/play": Counter(files=2, code=5), "spec": Counter(files=0)}
    budget.BUDGET.write_text(budget.toml(numbers))
    assert budget.allowed() == {"refsvm/play": Counter(files=2, code=5)}
    paths = "refsvm/play/assets/page.js", "refsvm/version.py", "tests/bench/run.py"
    assert list(map(budget.folder_of, paths)) == ["refsvm/play", "refsvm", "tests"]
