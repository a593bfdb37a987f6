"""Which quick tests --rest runs again."""

import pytest
from again import WHOLE, names_that_differ, reaching

TEXT = '''
"""A head that names refsvm_fast."""
import refsvm_fast as fast
from numpy import array
from helpers import both, plain

def helper(x):
    return fast.smo(x)

def test_by_a_helper(): helper(1)
def test_by_a_fixture(solved): pass
def test_by_itself(): pytest.importorskip("yaml")
def test_by_an_import(): both()
def test_of_neither(other): plain()

@pytest.fixture
def solved(): return array([1])

@pytest.mark.parametrize("solver", [refsvm.smo, helper])
def test_by_its_cases(solver): pass
'''


def test_what_leads_to_a_word_runs_again():
    found = reaching(TEXT, lambda module: {"both"} if module == "helpers" else set())
    assert found == {"fast", "array", "both", "helper", "solved", "test_by_a_helper",
                     "test_by_a_fixture", "test_by_itself", "test_by_an_import",
                     "test_by_its_cases"}


@pytest.mark.parametrize("text, whole", [
    ("pytestmark = compiled\ncompiled = pytest.mark.skipif(1)", True),
    ("pytest.importorskip('x')", True),
    ("@pytest.fixture(autouse=True)\ndef set_up():\n    import sklearn", True),
    ("if True:\n    import sklearn", False),
    ("'''refsvm_fast'''", False),
])
def test_what_acts_on_all_tests_of_a_file_takes_all_again(text, whole):
    assert (WHOLE in reaching(text)) is whole


def test_names_are_followed_into_other_files_of_tests(request):
    found = names_that_differ(request.path.with_name("test_sparse_rows.py"))
    assert "agree" in found and "given" not in found  # the first is of equality.py
