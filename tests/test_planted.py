"""The audit names the bugs planted in a correct SVM, and lets programs do what they may."""

import pytest
from planted import FREEDOM, PLANTED, changed, failures, first_shown, flags_in, shown, write
from planted_svm import Machine

CORE = ["C??", "E*"]  # the first cases, and the extras
MANY = pytest.mark.slow("a mistake that the audit does not see any more")


def test_there_are_enough_of_either():
    assert len(PLANTED) >= 60
    assert len(FREEDOM) >= 8
    assert len({change.name for change in PLANTED + FREEDOM}) == len(PLANTED + FREEDOM)


@pytest.mark.parametrize("change", [  # every third is quick
    pytest.param(change, id=change.name, marks=[MANY] if k % 3 else [])
    for k, change in enumerate(PLANTED)
])
def test_a_planted_bug_is_found_and_named(change):
    assert change.case is not None, "python tests/planted.py --write looks for its case"
    found = flags_in(change, change.case)
    assert found & set(change.flags), found


def test_the_case_that_shows_a_bug_is_looked_for():
    dropped = next(change for change in PLANTED if change.name == "coef0 is dropped")
    assert shown(dropped, ["C01", "C09", "C02"]) == ["C09"]
    assert first_shown(dropped._replace(case="kernel 9")) == "kernel 9"
    assert first_shown(dropped._replace(case="C01")) == first_shown(dropped) == "C09"


def test_the_case_is_written_into_the_call(tmp_path):
    path = tmp_path / "planted.py"
    path.write_text('bug("a", "F", "b", "c")\nbug("d", "F", "e",\n    "f",\n    case="old")\n')
    write({"a": "new", "d": "other"}, path)
    assert path.read_text() == (
        'bug("a", "F", "b", "c", case="new")\nbug("d", "F", "e",\n    "f", case="other")\n'
    )


@pytest.mark.parametrize("change", FREEDOM, ids=lambda change: change.name)
def test_what_is_free_is_no_bug(change):
    assert failures(changed(change), [change.case]) == []


@pytest.mark.slow("an accusation in one of the other first cases")
@pytest.mark.parametrize("change", FREEDOM, ids=lambda change: change.name)
def test_what_is_free_is_no_bug_in_any_of_the_first_cases(change):
    assert failures(changed(change), CORE) == []


def test_the_machine_without_a_bug_passes():
    assert failures(Machine, CORE) == []


@pytest.mark.slow("an accusation in one of the later cases")
def test_the_machine_without_a_bug_passes_in_every_case():
    assert failures(Machine) == []
