"""What a function may return, and how it says that it does not offer a sort of problem."""

from types import SimpleNamespace

import pytest
from test_audit import failures

import refsvm
from refsvm.conformance.audit import audit
from refsvm.conformance.report import AuditReport, html
from refsvm.conformance.report.coverage import coverage_of
from refsvm.conformance.subjects import Unsupported


def solved(problem):
    solution = refsvm.smo(problem, 1e-10)
    return solution, solution.model()


def as_object(problem, decide=lambda model, rows: model.decisions(rows), name="decisions"):
    solution, model = solved(problem)
    found = SimpleNamespace(alpha=solution.alpha, b=solution.b)
    setattr(found, name, lambda rows: decide(model, rows))
    return found


def as_dict(problem, factor=1):
    solution, model = solved(problem)
    decide = lambda row: factor * model.decision(row)  # noqa: E731
    return {"alpha": solution.alpha, "b": solution.b, "decisions": decide}


def as_predictor(problem):
    return SimpleNamespace(predict=solved(problem)[1].predictions)


@pytest.mark.parametrize("subject", [as_object, as_dict, as_predictor])
def test_right_answers_of_every_form_pass(subject):
    records = audit(subject, isolate=False, names=["C0?"])
    assert failures(records) == {} and coverage_of(records).asked == 9


@pytest.mark.parametrize("name", ["decisions", "decision_function"])
def test_decisions_beside_multipliers_are_judged(unnamed, name):
    def zeros(problem):
        return as_object(problem, lambda model, rows: [0.0] * len(rows), name)

    records = audit(zeros, isolate=False, names=["C0[12]"])
    assert "DecisionArithmetic" in {r.flag for r in failures(records).values()}
    records = audit(lambda problem: as_dict(problem, -1), isolate=False, names=["C02"])
    assert ("C02", "G4") in failures(records)


@pytest.mark.parametrize("say", [
    Unsupported("no"), NotImplementedError("kernel: no"), {"unsupported": "no"},
], ids=lambda say: type(say).__name__)
def test_a_function_says_unsupported_in_three_ways(say):
    def solve(problem):
        if isinstance(say, Exception):
            raise say
        return say

    found = coverage_of(audit(solve, isolate=False, names=["C0?"]))
    assert found.asked == 0 and [reason[-2:] for reason in found.not_offered] == ["no"]


@pytest.mark.parametrize("answer", [
    lambda decide, X: {"predictions": [1 if decide(x) >= 0 else -1 for x in X]},
    lambda decide, X: {"predictions": lambda x: 1 if decide(x) >= 0 else -1},
])
@pytest.mark.parametrize("b, flag", [(0.0, None), (-9.0, "Wrong")])
def test_a_function_may_say_predictions_alone(unnamed, answer, b, flag):
    def solve(problem):
        model = refsvm.smo(problem, tol=1e-9).model()
        return answer(lambda x: model.decision(x) + b, problem.X)

    records = refsvm.audit(solve, isolate=False, names=["C02", "C04", "C25"])
    assert {r.flag for r in records if r.result == "fail"} == ({flag} if flag else set())
    assert {r.case for r in records if r.check == "G1" and r.result == "pass"} >= {"C02"}
    report = html(AuditReport("it", records))
    assert "its labels alone were compared" in report
    if flag:
        reasons = [r.reason for r in records if r.result == "fail"]
        assert reasons[0].startswith("it predicts -1; it must be +1, for f is 1; labels")
