"""The audit names the bugs planted in small codes, and lets programs do what they may."""

from collections import Counter

import planted
import pytest
from planted import CASES, FREEDOM, PLANTED, SVM, changed, failures, flags_in
from planted_bugs import replays
from planted_bugs.changes import subject_of
from planted_codes.svm import Machine
from profiles import one_in

from refsvm.conformance.auditor import Auditor
from refsvm.conformance.cases import names_of

CORE = ["C??", "E*"]  # the first cases, and the extras


def bug(name):
    return next(change for change in PLANTED if change.name == name)


def test_there_are_enough_of_either():
    assert len(PLANTED) >= 400
    assert 3 * sum(change.code != SVM for change in PLANTED) >= len(PLANTED)
    assert len(FREEDOM) >= 20
    assert min(Counter(change.stage for change in PLANTED).values()) >= 10
    assert {change.name for change in PLANTED + FREEDOM} == set(CASES)
    assert len({change.name for change in PLANTED + FREEDOM}) == len(PLANTED + FREEDOM)


UNNAMED = {  # {bug: why no case names it alone}
    "the Gram matrix is kept for all problems of as many examples": "it takes three problems",
    "some decisions are not finite (70, 84)": "b is found of them, and crashes",
    "pairs: the machines of an earlier fit stay": "its code crashes there without the bug, too",
}


def is_found(change):
    return planted.is_shown(change, CASES[change.name])


TOLD_OTHERWISE = {"the first class seen is the first (21)": "as SignFlipped, which answers alike"}
NAMED = [c for c in PLANTED if c.name not in UNNAMED]
QUICK = [c for c in NAMED if CASES[c.name] not in names_of("sizes")][::20]
OTHERS = [c for c in NAMED if c not in QUICK]


@pytest.mark.parametrize("change", QUICK, ids=lambda change: change.name)
def test_a_planted_bug_is_found_and_named(change):
    assert is_found(change), flags_in(change, CASES[change.name])


@pytest.mark.slow("a mistake that the audit does not see any more")
@pytest.mark.parametrize("first", one_in(3, range(0, len(OTHERS), 10)))
def test_planted_bugs_are_found_and_named(first):
    asked = one_in(6, OTHERS[first : first + 10], first // 10 % 6)
    assert [c.name for c in asked if c.name not in TOLD_OTHERWISE and not is_found(c)] == []


def test_the_table_of_stages_is_that_of_the_spec():
    assert planted.stage_table() in planted.SPEC.read_text(encoding="utf-8")


@pytest.mark.parametrize("change", FREEDOM, ids=lambda change: change.name)
def test_what_is_free_is_no_bug(change):
    assert failures(changed(change), [CASES[change.name]]) == []


@pytest.mark.slow("an accusation in one of the other first cases, or in a large one")
@pytest.mark.parametrize("change", one_in(2, FREEDOM), ids=lambda change: change.name)
def test_what_is_free_is_no_bug_in_another_case(change):
    place = FREEDOM.index(change)
    large = names_of("sizes")[place :: len(FREEDOM) + 1][:1]
    first = Auditor(Machine, isolate=False).names(CORE)
    assert failures(changed(change), [*one_in(4, first, place % 4), *large]) == []


def test_the_machine_without_a_bug_passes():
    assert failures(Machine, CORE) == []


@pytest.mark.slow("an accusation in one of the later cases")
def test_the_machine_without_a_bug_passes_in_every_case():
    dear = names_of("sizes")
    names = [name for name in Auditor(Machine, isolate=False).names() if name not in dear]
    assert failures(Machine, [*one_in(3, names), *one_in(18, dear)]) == []


@pytest.mark.slow("a verdict without its witness")
def test_a_verdict_has_cases_causes_and_a_witness(monkeypatch):
    dropped = bug("coef0 is dropped")
    assert planted.verdict_on(dropped, names=["C01"])[::2] == (["C09"], CASES[dropped.name])
    monkeypatch.setattr(planted, "CASES", {})
    assert planted.verdict_on(dropped, search=True, names=["C01", "C09"]).witness == "C09"


@pytest.mark.parametrize(
    "name", ["coef0 is dropped", "b is the class's, so that of the last machine"])
def test_what_is_known_changes_no_verdict(name, monkeypatch):
    change, names = bug(name), ["C0?", "a NaN", "rows to decide"]
    planted.known_failures(SVM, names)
    asked = []
    ask = replays.Judge.ask
    monkeypatch.setattr(replays.Judge, "ask", lambda self, r: asked.append(r) or ask(self, r))
    anew = failures(subject_of(SVM, name, change.old, change.new, "state"), names)
    times = len(asked)
    assert failures(changed(change), names, SVM) == anew != []
    assert len(asked) == 2 * times
    monkeypatch.setattr(replays.Judge, "judge", None)  # nothing is judged twice
    assert failures(subject_of(SVM, "svm"), ["C01"], SVM) == []


def test_what_is_accused_is_told(capsys):
    name = "a cache of two rows"
    assert planted.main(["--free", name, "--names", "C01", "--processes", "1"]) == 0
    assert capsys.readouterr().out == f"0 failures: {name}\n"
    assert planted.accused(bug("coef0 is dropped"), ["C09"])[0].startswith("C09 G2: the margin")


VERDICTS = [
    "equal rows are dropped, whatever their labels", "-tanh (24)",
    "b is counted twice where a kernel decides", "class_weight takes the place of sample_weight",
    "the labels are left out of the dual (50)", "weights are normalised to a mean of 1",
    "quadratic: b is always 0", "pairs: labels are kept in eight bits",
    "the Gram matrix is kept for all problems of as many examples",
]


@pytest.mark.slow("a verdict over a run that says another name than each of its cases")
@pytest.mark.parametrize("name", one_in(3, VERDICTS))
def test_the_verdict_over_a_run_has_the_right_name(name):
    verdict = planted.verdict_on(bug(name), names=["C??"])
    assert planted.is_right(bug(name), verdict), verdict.causes


def test_the_table_counts_by_stage():
    seen, missed = bug("coef0 is dropped"), bug("-tanh (24)")
    verdicts = {seen: planted.Verdict(["C09"], ["KernelParameters"], "C09"),
                missed: planted.Verdict([], [], None)}
    assert [line.split() for line in planted.table_of(verdicts)][1:] == [
        ["kernel", "2", "1", "1", "2"], ["all", "2", "1", "1", "2"]]
