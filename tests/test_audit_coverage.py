"""An audit that could ask next to nothing is no success: what stood in the way, and the cure."""

import sys
from pathlib import Path

import pytest
from isolated import LearningRate
from test_audit import plugin

import refsvm
from refsvm.commands import main
from refsvm.conformance.audit import audit
from refsvm.conformance.protocol import LIMITS, Answer, stopped_at
from refsvm.conformance.protocol.records import Record
from refsvm.conformance.report.coverage import (
    complain_of_coverage,
    coverage_of,
    hint_of_repeats,
    sort_of,
)
from refsvm.conformance.subjects import Unsupported, as_subject

EIGHT_LINES = "audit a function of about eight lines that calls it, as in spec/standard/"


def test_the_command_names_what_stood_in_the_way_and_the_cure(capsys):
    assert main(["audit", "isolated:LearningRate", "--case", "C??", "--in-process"]) == 2
    said = capsys.readouterr().err
    assert said.startswith("refsvm: 25 of 25 cases could not be asked: the constructor has no C (")
    assert EIGHT_LINES in said
    assert len(said) < 300 and said.count("\n") == 1


def not_asked(*reasons, names="123456789"):
    return [Record(case, "G7", "acceptable", None, None, None, reason)
            for case, reason in zip(names, reasons)]


@pytest.mark.parametrize("subject, reason, cure", [
    (LearningRate, "not on offer: the constructor has no C", EIGHT_LINES),
    (lambda problem: None, "not on offer: today", "What can be audited"),
    ("true", "not on offer: kernel gaussian", "Programs in other languages"),
    ("true", "not asked: 8 others of this sort (soft margin) came too late", "a longer deadline"),
])
def test_each_obstacle_has_its_cure(subject, reason, cure):
    subject, linear = as_subject(subject), ["C01", "C02", "C04"]
    said = complain_of_coverage(subject, not_asked(reason, reason, "pass", names=linear))
    assert said.startswith("2 of 3 cases could not be asked: ") and cure in said.split(";")[1]
    assert complain_of_coverage(subject, not_asked(reason, "pass", names=linear)) is None


def test_the_standard_lists_the_words_of_a_limit():
    text = (Path(__file__).parent.parent / "spec" / "standard" / "audit.md").read_text("utf-8")
    listed = text.partition("a status with the word limit:")[2].split("\n\n")[1]
    assert " ".join(listed.split()) == LIMITS


@pytest.mark.parametrize("said, is_limit", [
    ({"warnings": ["ConvergenceWarning: Solver terminated early (max_iter=10)."]}, True),
    ({"warnings": ["Liblinear failed to converge, increase the number of iterations."]}, True),
    ({"warnings": ["WARNING: reaching max number of iterations"]}, True),
    ({"status": "maximum iterations reached"}, True), ({"status": "user_limit"}, True),
    ({"status": "it didn't converge"}, True), ({"status": "ITERATION_LIMIT"}, True),
    ({"status": "converged"}, False), ({"status": "infeasible"}, False), ({}, False),
    ({"warnings": ["converged after 7 iterations"]}, False),
    ({"warnings": ["the limit of the cache is 200 MB"]}, False),
    ({"status": "optimal", "warnings": ["max_iter reached"]}, False),
])
def test_what_says_that_it_stopped_is_told_from_what_says_that_it_converged(said, is_limit):
    assert (stopped_at(Answer(**said)) is not None) == is_limit


def test_other_sorts_than_those_on_offer_do_not_count():
    names = ["C01", "C09", "C10", "E2-5", "labels"]  # one linear, with one penalty and an offset
    assert len({sort_of(name) for name in names}) == 5
    right, *others = not_asked("exact", *["not on offer: it"] * 4, names=names)
    records = [right._replace(result="pass"), *others]
    assert coverage_of(records).offered == 1
    assert hint_of_repeats(as_subject("true"), records) is None
    assert complain_of_coverage(as_subject("true"), records) is None
    assert complain_of_coverage(as_subject("true"), records[1:]).startswith("4 of 4 cases could")


@pytest.mark.parametrize("status, fails", [("max_iter", 0), ("optimal", 2), ("wandering", 2)])
def test_what_says_that_it_stopped_at_its_limit_is_counted_and_no_failure(status, fails, capsys):
    def solve(problem):
        found = refsvm.smo(problem, tol=1e-9, max_iter=2)
        return {"alpha": found.alpha, "b": found.b, "status": status}

    records = audit(solve, isolate=False, names=["C01", "C02", "C25"])
    assert len({r.check for r in records if r.case == "C25" and r.result == "fail"}) == fails
    found = coverage_of(records)
    assert (found.asked, found.stopped) == ((3, {}) if fails else (2, {"max_iter": ["C25"]}))
    assert complain_of_coverage(as_subject(solve), records) is None
    only = [r for r in records if r.case == "C25"]
    said = complain_of_coverage(as_subject(solve), only)
    assert (said is None) == bool(fails)
    assert said is None or said.endswith("max_iter (1); allow it more steps")


def test_a_right_program_is_asked_enough():
    def linear(problem):
        if type(problem.kernel) is not refsvm.Linear:
            raise Unsupported("a kernel")
        return refsvm.smo(problem, 1e-9)

    records = audit(linear, isolate=False, names=["C??"])
    assert complain_of_coverage(as_subject(linear), records) is None


def test_reasons_are_told_apart_with_their_cases():
    found = coverage_of(not_asked("", "not on offer: a", "not asked: late", "not on offer: a"))
    assert found == (4, 1, {"a": ["2", "4"]}, {"late": ["3"]}, {}, 2)
    assert found.left() == [
        ("not on offer", 2, found.not_offered), ("not asked", 1, found.not_asked)]
    twice = not_asked("not on offer: a")[0]
    assert coverage_of([twice, twice._replace(reason="passes")]) == (1, 1, {}, {}, {}, 1)


@pytest.mark.slow("a process that is not asked again")
def test_a_process_that_ends_in_vain_is_not_asked_but_offers_all(capsys):
    assert main(["audit", f"{sys.executable} -c 1/0", "--case", "C??"]) == 2
    assert "the process ended 8 times, and has not answered once (17)" in capsys.readouterr().out


@pytest.mark.slow("a session that skips all, and passes")
def test_the_plugin_is_not_green_where_nothing_was_asked(tmp_path):
    done = plugin(tmp_path, "isolated:LearningRate")
    assert done.returncode == 2 and "10 skipped" in done.stdout
    assert "--svm-audit: 10 of 10 cases could not be asked" in done.stdout


class Cost:
    def __init__(self, cost=1.0):
        self.cost = cost

    def train(self, samples, targets):
        pass


class DataInConstructor:
    def __init__(self, X, y, C):
        self.X, self.y, self.C = X, y, C

    def fit(self):
        pass


class FunctionOfRows:
    def __init__(self, C=1.0, kernel=max):
        self.C, self.kernel = C, kernel

    def fit(self, X, y):
        self.K = [[self.kernel(x, z) for z in X] for x in X]


@pytest.mark.parametrize("cls", [Cost, DataInConstructor, FunctionOfRows])
def test_a_class_that_cannot_be_called_is_sent_to_the_chapter(cls):
    subject, records = as_subject(cls), audit(cls, isolate=False, names=["C??"])
    said = complain_of_coverage(subject, records) or hint_of_repeats(subject, records)
    assert EIGHT_LINES in said
