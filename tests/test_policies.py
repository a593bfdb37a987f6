"""A policy tells of every question that it asks, so that a failure hides no other."""

import refsvm
from refsvm.conformance.answer_reader import Answer
from refsvm.conformance.audit import Auditor, audit
from refsvm.conformance.estimator_checks import POLICIES
from refsvm.conformance.report.tables import case_grid


class Weighs(refsvm.SVC):
    """Swaps the weights of the classes."""

    def fit(self, X, y, sample_weight=None):
        given = self.class_weight
        if isinstance(given, dict) and len(given) == 2:
            self.class_weight = dict(zip(given, list(given.values())[::-1]))
        return super().fit(X, y, sample_weight)


def test_every_question_is_told_and_an_expected_failure_hides_no_other():
    records = audit(Weighs, isolate=False, names=["class weights"])
    assert [(r.reason.split(":")[0], r.result) for r in records] == [
        ("class_weight of -1", "fail"), ("class_weight of 1", "fail"), ("balanced", "pass"),
        ("class_weight and sample_weight", "pass"), ("balanced beside a row of weight 0", "pass"),
    ]
    expected = {"class weights/class_weight of -1": "known"}
    records = audit(Weighs, isolate=False, names=["class weights"], expected=expected)
    assert [r.result for r in records] == ["acceptable", "fail", "pass", "pass", "pass"]
    assert records[0].reason == "expected: known"
    assert "FAIL" in case_grid(records).rows[0] and "ok" not in case_grid(records).rows[0]


def test_a_right_machine_passes_each_question():
    records = audit(refsvm.SVC, isolate=False, names=list(POLICIES))
    told = [(r.case, r.reason) for r in records if r.reason]
    assert len(told) == len(set(told))
    assert {r.result for r in records} <= {"pass", "acceptable"}
    assert len({r.reason for r in records}) > 30


def test_a_late_answer_ends_the_questions():
    auditor = Auditor(refsvm.SVC, isolate=False)
    asked = []
    auditor.asker.ask = lambda request: asked.append(request) or Answer(late="so")
    for number, name in enumerate(POLICIES):
        assert all(r.result != "pass" for r in auditor.records(name)) and len(asked) <= number + 1


def test_what_cannot_be_asked_is_told_once():
    class Bare:
        def __init__(self, kernel="linear"):
            pass

        def fit(self, X, y):
            return self

    records = audit(Bare, isolate=False, names=["arrays", "labels", "integers"])
    assert len(records) <= 6 and {r.result for r in records} == {"acceptable"}
