"""An audit that could ask next to nothing is no success: what stood in the way, and the cure."""

import sys
from pathlib import Path

import pytest
from isolated import LearningRate
from test_audit import plugin

import refsvm
from refsvm.commands import main
from refsvm.conformance.audit import audit
from refsvm.conformance.coverage import complain_of_coverage, coverage_of
from refsvm.conformance.records import Record
from refsvm.conformance.subjects import Unsupported, as_subject


def test_the_command_names_what_stood_in_the_way_and_the_cure(capsys):
    assert main(["audit", "isolated:LearningRate", "--case", "C??", "--in-process"]) == 2
    said = capsys.readouterr().err
    assert said.startswith("refsvm: 25 of 25 cases could not be asked: the constructor has no C (")
    assert "refsvm audit --adapter isolated:LearningRate prints" in said
    assert len(said) < 300 and said.count("\n") == 1


def not_asked(*reasons):
    return [Record(str(i), "G7", "acceptable", None, None, None, r) for i, r in enumerate(reasons)]


@pytest.mark.parametrize("subject, reason, cure", [
    (LearningRate, "not on offer: the constructor has no C", "--adapter isolated:LearningRate"),
    (lambda problem: None, "not on offer: today", "What can be audited"),
    ("true", "not on offer: kernel gaussian", "Programs in other languages"),
    ("true", "not asked: 8 others of this sort (soft margin) came too late", "a longer deadline"),
])
def test_each_obstacle_has_its_cure(subject, reason, cure):
    subject = as_subject(subject)
    said = complain_of_coverage(subject, not_asked(reason, reason, "pass"))
    assert said.startswith("2 of 3 cases could not be asked: ") and cure in said.split(";")[1]
    assert complain_of_coverage(subject, not_asked(reason, "pass")) is None


def test_a_right_program_is_asked_enough():
    def linear(problem):
        if type(problem.kernel) is not refsvm.Linear:
            raise Unsupported("a kernel")
        return refsvm.smo(problem, 1e-9)

    records = audit(linear, isolate=False, names=["C??"])
    assert complain_of_coverage(as_subject(linear), records) is None


def test_reasons_are_told_apart_with_their_cases():
    found = coverage_of(not_asked("", "not on offer: a", "not asked: late", "not on offer: a"))
    assert found == (4, 1, {"a": ["1", "3"]}, {"late": ["2"]})
    assert found.left() == [
        ("not on offer", 2, found.not_offered), ("not asked", 1, found.not_asked)]
    twice = not_asked("not on offer: a")[0]
    assert coverage_of([twice, twice._replace(reason="passes")]) == (1, 1, {}, {})


@pytest.mark.slow("a process that is not asked again")
def test_a_process_that_ends_in_vain_is_not_asked_but_offers_all(capsys):
    assert main(["audit", f"{sys.executable} -c 1/0", "--case", "C??"]) == 2
    assert "the process ended 8 times, and has not answered once (17)" in capsys.readouterr().err


@pytest.mark.slow("a session that skips all, and passes")
def test_the_plugin_is_not_green_where_nothing_was_asked(tmp_path):
    done = plugin(tmp_path, "isolated:LearningRate")
    assert done.returncode == 2 and "14 skipped" in done.stdout
    assert "--svm-audit: 14 of 14 cases could not be asked" in done.stdout


@pytest.mark.parametrize("name", ["DataInConstructor", "FunctionOfRows", "Cost"])
def test_a_class_that_cannot_be_called_is_sent_to_its_adapter(capsys, name):
    word = f"{Path(__file__).parent / 'machines_of_others.py'}:{name}"
    assert main(["audit", word, "--case", "C??", "--in-process"]) > 0
    told = "".join(capsys.readouterr())
    assert f"refsvm audit --adapter machines_of_others:{name} prints" in told
