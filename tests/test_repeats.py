"""What repeats is told once: the same exception, the same wrong answer to several questions."""

import pytest
from test_audit import failures

import refsvm
from refsvm.conformance.audit import audit
from refsvm.conformance.checks import failure
from refsvm.conformance.checks.repeats import questions_told_once, tell_once, words_of
from refsvm.conformance.protocol.records import Record


def failing(*reasons, flag="Refused"):
    return [Record(f"C{i}", "G7", "fail", None, None, flag, r) for i, r in enumerate(reasons)]


def test_an_exception_that_repeats_is_one_failure_and_says_how_often():
    class TakesData(refsvm.SVC):
        def __init__(self, X, C=1.0):
            raise TypeError(f"X of {C} is missing")

    records = audit(TakesData, isolate=False, names=["C0?"])
    (one,) = failures(records).values()
    assert one.case == "C01" and "TypeError" in one.reason and "times more" in one.reason
    others = [record for record in records if record.result == "acceptable"]
    assert all(r.reason.startswith("not judged, as in C01: TypeError") for r in others[:-1])


@pytest.mark.parametrize("one, other, same", [
    ("TypeError: 3 rows", "TypeError: 17 rows", True),
    ("TypeError: [1.0, 2.0] at 0x7f", "TypeError: [1.5] at 0x8a", True),
    ("TypeError: x", "ValueError: x", False),
    ("doubled: ValueError: C = 2", "ValueError: C = inf", True),
    ("x of y", "x of z", False),
])
def test_sentences_are_the_same_up_to_their_numbers(one, other, same):
    found = [record.result for record in tell_once(failing(one, other))]
    assert found == ["fail", "not judged" if same else "fail"]


def test_a_wrong_answer_is_told_each_time():
    wrong = failing("f is 1", "f is 2", flag="StoppedEarly")
    assert tell_once(wrong) == wrong


def test_what_is_expected_hides_nothing():
    def raises(problem):
        raise KeyError(problem.n)

    records = audit(raises, isolate=False, names=["C0?"], expected={"C01": "known"})
    assert [r.case for r in records if r.result == "fail"] == ["C02"]


def test_one_wrong_answer_to_many_questions_of_a_case_is_told_three_times():
    asked = [("G7", failure(f"f is {k}", "ClassWeight")._replace(question=f"q{k}"))
             for k in range(5)]
    told = [finding for _, finding in questions_told_once(asked)]
    assert [finding.result for finding in told] == ["fail"] * 3 + ["not judged"] * 2
    assert told[-1].reason == "not judged, as in q0: f is 4"


def test_words_without_numbers():
    assert words_of("n = 3, inf or nan") == words_of("n = -1e-7, -inf or 12.5")
    assert words_of("infinite") == "infinite"
