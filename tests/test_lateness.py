"""Late answers: which cases are given up, in which order cases are asked, which are named."""


import pytest
from isolated import FromDecisions, Slow
from profiles import one_in

import refsvm
import refsvm_fast
from refsvm.conformance.asking.lateness import LateAnswers, Traits, asking_order, traits_of
from refsvm.conformance.audit import Auditor, audit
from refsvm.conformance.cases import FILES, cases
from refsvm.conformance.protocol import Answer
from refsvm.conformance.report.coverage import coverage_of, late_sentence
from refsvm.conformance.subjects.estimator_adapter import Estimator

HARD = Traits("hard margin", "Linear", 3, 0.0, 1.0)


def audited(is_late, names=None):
    """The records and the Auditor of a subject that is late where is_late(request) says so."""
    auditor, asked = Auditor(refsvm_fast.smo, isolate=False), []
    answer = auditor.asker.ask

    def ask(request):
        asked.append(request)
        return Answer(late="late") if is_late(request) else answer(request)

    auditor.asker.ask = ask
    records = [r for of_case in auditor.every(auditor.names(names)) for r in of_case]
    late = {r.case for r in records if r.flag == "Hang"}
    unasked = {name for cases in coverage_of(records).not_asked.values() for name in cases}
    return late, unasked, asked


def late_of(subject, executor):
    """The cases of a subject that came late, and those that were not asked."""
    records = audit(subject, names=["C??"], deadline=0.5, executor=executor)
    return {r.case for r in records if r.flag == "Hang"}, coverage_of(records).not_asked


@pytest.mark.slow("a slow program that is called one that hangs, or a hang that is waited for")
def test_slow_is_no_hang():
    records = audit(Slow, names=["C02", "C04", "C07"], deadline=0.1)
    (hang,) = [r for r in records if r.result == "fail"]
    assert (hang.case, hang.flag) == ("C07", "Hang")
    assert hang.reason.startswith("no answer within 1 s; others took 0.")


def given_up(unasked):
    return [traits_of(case) for case in cases(*FILES) if case.name in unasked]


def test_what_never_answers_is_asked_eight_problems():
    late, unasked, asked = audited(lambda request: True, ["C??", "F*"])
    assert len(late) == len(asked) == 8 and len(unasked) > 40


@pytest.mark.slow("cases given up for others that have nothing to do with them")
@pytest.mark.parametrize("is_late, has_it", one_in(2, [
    (lambda r: len(r.y) >= 7, lambda t: t.examples >= 7),
    (lambda r: max(r.C) >= 2**20, lambda t: t.penalty >= 2**20 or t.sort != "soft margin"),
]))
def test_only_what_is_like_the_late_ones_is_given_up(is_late, has_it):
    late, unasked, _ = audited(is_late)
    assert len(late) <= 60 and len(unasked) >= 4
    stray = [traits for traits in given_up(unasked) if not has_it(traits)]
    assert len(stray) <= 4, stray


def test_answers_that_are_late_at_random_do_not_take_for_ever():
    names = ["C??", "E*", "F*"]
    late, _, _ = audited(lambda r: hash(r.X[-1][-1] + r.y[0]) % 3 == 0, names)
    assert len(late) <= 32


@pytest.mark.slow("an audit that gives up cases of other sizes")
def test_a_hang_on_two_examples_does_not_end_the_audit():
    late, unasked, _ = audited(lambda request: len(request.y) == 2, ["C??", "F*", "E*"])
    assert late and {traits.examples for traits in given_up(unasked)} <= {2}


def test_the_easiest_of_each_kind_come_first_and_records_keep_their_order():
    auditor = Auditor(Estimator(refsvm.SVC), isolate=False)
    names = auditor.names()
    order = asking_order(names, list(map(auditor.traits, names)))
    assert sorted(order) == sorted(names) and order != names
    kinds = {auditor.traits(name).kind for name in names if name not in auditor.policies}
    first = {auditor.traits(name).kind for name in order[:50]}
    assert {kind for kind in kinds if kind[1]} <= first
    found = [record.case for record in audit(refsvm.smo, isolate=False, names=["C0?", "E*"])]
    assert found == sorted(found, key=names.index)


def test_who_is_late_eight_times_is_asked_no_more():
    auditor = Auditor(FromDecisions, deadline=1)
    asked = []
    auditor.asker.ask = lambda request: asked.append(request) or Answer(late="late")
    found = [auditor.records(name) for name in auditor.names(["C??"])]
    assert len(asked) < 12 and all(r.flag == "Hang" for records in found for r in records
                                   if r.result == "fail")


def test_the_cases_that_came_late_are_named():
    auditor = Auditor(refsvm_fast.smo, isolate=False)
    answer = auditor.asker.ask
    auditor.asker.ask = lambda r: Answer(late="late") if len(r.y) == 2 else answer(r)
    said = late_sentence([r for found in auditor.every(["C01", "C02", "C04"]) for r in found], 4)
    assert said.endswith(": 2 cases: C01; C02.")
    assert said.startswith("Late (after 4 s, the default of --deadline, or")


def test_nothing_is_said_where_nothing_is_late():
    assert late_sentence(audit(refsvm.smo, isolate=False, names=["C0?"]), 4) is None


@pytest.mark.parametrize("count, is_given_up", [(1, False), (11, False), (12, True)])
def test_after_a_dozen_late_answers_one_of_the_kind_is_enough(count, is_given_up):
    late = LateAnswers()
    assert late.reason_to_give_up(HARD) is None  # none was late
    late.note(HARD, True)
    for k in range(count - 1):
        late.note(Traits(f"sort {k}"), True)
    assert (late.reason_to_give_up(HARD) is not None) == is_given_up
