"""One verdict over a whole audit."""

import pytest

from refsvm import smo
from refsvm.conformance.audit import Record, audit
from refsvm.conformance.report.causes import cause_of
from refsvm.conformance.report.contents import verdict


def record(case, flag, check="G1", result="fail"):
    return Record(case, check, result, None, None, flag, "")


def test_nothing_failed():
    assert cause_of([]) is None
    excused = record("b", "Wrong", result="acceptable")
    assert cause_of([record("a", None, result="pass"), excused]) is None


def test_the_cause_of_most_cases_comes_first():
    records = [record(case, "OffsetSign", "G3") for case in "abc"]
    records += [record(case, "SparseRows", "G7") for case in "ade"]
    records += [record("f", "RejectLabel", "G7")]
    first = cause_of(records + [record("a", "OffsetSign", "G4")])
    assert (first.flag, first.explained, first.failing) == ("OffsetSign", 3, 6)
    assert first.sentence == "b has the wrong sign"
    assert [(c.flag, c.explained, c.failing, c.others) for c in first.others] == [
        ("SparseRows", 3, 6, []), ("RejectLabel", 1, 6, []),
    ]
    taken = "it takes what it must refuse: A label that is neither of the two"
    assert first.others[1].sentence == taken


def test_of_as_many_cases_the_vague_ones_come_last():
    records = [record("a", "Wrong"), record("b", "StoppedEarly"), record("c", "Offset", "G3")]
    assert [cause_of(records).flag, *(c.flag for c in cause_of(records).others)] == [
        "StoppedEarly", "Offset", "Wrong",
    ]


def test_what_has_no_name_stands_behind_what_has_one():
    """Three cases are enough."""
    left = [record(f"w{k}", "Wrong") for k in range(20)]
    named = [record(case, "OffsetSign", "G3") for case in "abcde"]
    assert cause_of(left + named).flag == "OffsetSign"
    assert cause_of(left + named[:2]).flag == "Wrong"


def test_what_was_seen_by_asking_twice_comes_first():
    early = [record(case, "StoppedEarly") for case in "klmnopqrs"]
    swapped = [record(case, "OffsetSign", "G3") for case in "abcde"]
    assert cause_of([*early, *swapped, record("k", "InputChanged", "G6")]).flag == "InputChanged"
    assert cause_of([*early, record("k", "StateKept", "G1")]).flag == "StoppedEarly"  # a guess


def test_a_symptom_comes_behind_a_cause():
    records = [record(case, "ExampleOrder", "G5") for case in "abcd"]
    assert cause_of(records).flag == "ExampleOrder"
    assert cause_of([*records, record("e", "ToleranceBroken", "G8")]).flag == "ToleranceBroken"
    assert cause_of([*records, record("e", "Wrong")]).flag == "Wrong"


@pytest.mark.slow("a cause that many cases share and none shows alone")
def test_one_b_in_all_answers_is_told():
    def same_b(problem):
        return {"alpha": smo(problem, tol=1e-9).alpha, "b": 0.34375}

    cause = cause_of(audit(same_b, isolate=False, names=["C0?", "C1?"]))
    assert cause.flag == "Offset" and 2 * cause.explained > cause.failing


def test_a_verdict_says_that_most_cases_show_something_else():
    few, left = [record(case, "OffsetSign", "G3") for case in "abcd"], [
        record(f"w{k}", "Wrong") for k in range(5)]
    said = "4 of 9 failing cases; most show something else."
    assert verdict(cause_of(few + left)).endswith(said)
    assert verdict(cause_of(few + left[1:])).endswith("4 of 8 failing cases.")


def test_what_later_checks_find_follows_from_the_first():
    records = [record(case, "HiddenScaling") for case in "abc"]
    records += [record(case, "SupportIndices", "G6") for case in "abcd"]
    assert [cause_of(records).flag, *(c.flag for c in cause_of(records).others)] == [
        "HiddenScaling", "SupportIndices",
    ]
