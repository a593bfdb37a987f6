"""The audit: correct solvers pass, known bugs are found and named, and nothing can hang it."""

import io
import json
import math
import os
import subprocess
import sys
import threading
import time
from fractions import Fraction as F
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from isolated import Exits, FromDecisions, Hangs, Prints, with_short_starts
from profiles import draws, one_in, slow_cases

import refsvm
import refsvm_fast
from refsvm.commands import main
from refsvm.conformance import protocol, subjects
from refsvm.conformance.asking import workers
from refsvm.conformance.audit import Auditor, audit, expectations
from refsvm.conformance.cases import FILES, cases
from refsvm.conformance.cases.flags import BUGS, FLAGS
from refsvm.conformance.checks.relations import transformed_problems
from refsvm.conformance.fingerprint import C_VALUES, Formulation, fingerprint, table
from refsvm.conformance.protocol import Answer, Request, answer_reader
from refsvm.conformance.protocol.forms import changed_problem
from refsvm.conformance.report import AuditReport, html
from refsvm.conformance.truth import truth_of
from refsvm.kernels.standard import Gaussian, Linear, Polynomial

ROOT = Path(__file__).parent.parent
THREE = refsvm.Problem([[0], [1], [3]], [-1, 1, 1], C=8)
SIX = refsvm.Problem([[0], [1], [2], [3], [4], [5]], [-1, -1, 1, -1, 1, 1])


def failures(records):
    return {(r.case, r.check): r for r in records if r.result == "fail"}


def flags(records):
    return {r.flag for r in records if r.result == "fail"}


# ---- correct programs pass


@pytest.mark.slow("a case that is wrong itself")
@pytest.mark.parametrize("first, subject", [(0, refsvm_fast.smo), (1, refsvm_fast.SVC)])
def test_a_correct_solver_passes_every_case(first, subject):  # with the bits of refsvm's
    names = one_in(2, Auditor(subject, isolate=False).names(), first)
    assert failures(audit(subject, isolate=False, names=names)) == {}


@pytest.mark.parametrize("subject, names", [
    (refsvm.smo, "E*"), (refsvm.active_set, "C??"),
    *slow_cases("a first case that is wrong itself", (refsvm.SVC, "E*")),
])
def test_a_correct_solver_passes_the_first_cases(subject, names):
    assert failures(audit(subject, isolate=False, names=[names])) == {}


def test_the_25_cases_take_an_estimator_a_second_or_so():
    audit(refsvm.SVC, isolate=False, names=["C01"])  # what is read once is read
    begun = time.process_time()
    assert failures(audit(refsvm.SVC, isolate=False, names=["C??"])) == {}
    assert time.process_time() - begun < 4  # on a machine that does other work, too


def test_a_black_box_passes_and_is_not_asked_what_it_has_no_words_for():
    records = audit(FromDecisions, isolate=False, names=["C0?", "C14"])
    assert failures(records) == {}
    acceptable = {r.case: r.reason for r in records if r.result == "acceptable"}
    assert acceptable == {
        "C09": "not on offer: the constructor has no kernel",
        "C14": "not on offer: fit takes no sample_weight",
    }


def test_a_linear_black_box_has_its_gap_from_a_few_decisions(unnamed):
    class Wider(FromDecisions):
        def decision_function(self, X):
            return [1.25 * f for f in super().decision_function(X)]

    for subject, names in ((FromDecisions, ["C06", "C15", "C25"]), (Wider, ["C06"])):
        for record in audit(subject, isolate=False, names=names):
            if record.check == "G1":
                w, b = LINES[record.case]
                more = F(1) if subject is FromDecisions else F(5, 4)
                case = next(case for case in cases() if case.name == record.case)
                scores = [sum(more * p * q for p, q in zip(w, x)) for x in case.problem.X]
                form, norm2 = case.problem.dual_form(), sum((more * p)**2 for p in w)
                value = case.problem.primal_value(form, scores, norm2, [more * b])
                assert abs(record.gap - (value - case.optimum.objective)) < F(1, 10**8)


LINES = {"C06": ([1, 0], 0), "C15": ([0, 2, 0], -1), "C25": ([F(2, 3)], F(-5, 3))}


class OnlyLabels(FromDecisions):
    decision_function = property()

    def predict(self, X):
        return self.model.predictions(X)


def test_who_only_predicts_is_judged_by_the_labels_that_are_determined():
    records = audit(OnlyLabels, isolate=False, names=["C01", "C02", "C03"])
    assert failures(records) == {}

    class Turned(OnlyLabels):
        def predict(self, X):
            return [-label for label in super().predict(X)]

    assert ("C01", "G1") in failures(audit(Turned, isolate=False, names=["C01"]))


# ---- answers that are there already, right and wrong


def test_weights_and_offset(unnamed):
    assert failures(audit(([2.0], -1.0), THREE)) == {}
    assert flags(audit(([2.0], 1.0), THREE)) == {"Offset"}
    assert ("given", "G1") in failures(audit(([1.5], -1.0), THREE))


def test_multipliers_and_offset_with_their_exact_gap():
    records = {r.check: r for r in audit(([-2.0, 2.0, 0.0], -1.0), THREE)}
    assert records["G1"].gap == 0 and records["G1"].reason == "exact"
    records = {r.check: r for r in audit(([-1.0, 1.0, 0.0], -1.0), THREE)}
    assert records["G1"].gap == THREE.to(F).primal([F(1), F(1), F(0)], F(-1)) - 2
    assert records["G1"].result == "fail" and records["G1"].worst_x is not None


def test_another_optimal_alpha_is_as_good():
    square = refsvm.Problem([[1, 1], [1, -1], [-1, 1], [-1, -1]], [1, 1, -1, -1])
    for alpha in ([0.5, 0, 0.5, 0], [0.25] * 4, [0, 0.5, 0, 0.5], [0.5, 0, 0, 0.5]):
        beta = [a * y for a, y in zip(alpha, square.y)]
        records = audit({"beta": beta, "b": 0.0}, square)
        right = alpha != [0.5, 0, 0, 0.5]  # that one has w = (1, 1)
        assert (failures(records) == {}) == right


@draws(1/4)
@given(st.fractions(F(-9, 4), F(-3, 8)))
def test_every_offset_of_the_interval_is_right(b):
    problem = refsvm.Problem([[10], [11]], [-1, 1], C=0.125)
    assert failures(audit(([0.125], b), problem)) == {}


@pytest.mark.parametrize("b", [-2.26, -0.37, 0.0, 1.3125])
def test_no_other_offset_is_right(b):
    problem = refsvm.Problem([[10], [11]], [-1, 1], C=0.125)
    assert set(failures(audit(([0.125], b), problem))) == {("given", "G3")}


def test_an_answer_needs_its_problem_and_its_length():
    with pytest.raises(TypeError, match="is an answer, and needs its problem"):
        audit(([1.0], 0.0))
    with pytest.raises(ValueError, match=r"subject\[0\] has length 2; 1 weights or 3 multipl"):
        audit(([1.0, 2.0], 0.0), THREE)
    with pytest.raises(ValueError, match="both the number of features and of examples"):
        audit(([1.0, 2.0], 0.0), refsvm.Problem([[0, 1], [1, 0]], [-1, 1]))
    with pytest.raises(TypeError, match="subject is 7; an estimator"):
        audit(7)
    with pytest.raises(ValueError, match="not positive semidefinite|negative"):
        saddle = refsvm.Problem([[0, 2], [2, 0]], [-1, 1], refsvm.Precomputed())
        audit(refsvm.smo, saddle, isolate=False)


def test_a_model_file_is_matched_with_its_problem(tmp_path):
    path = tmp_path / "six.model"
    svc = refsvm.SVC(kernel="linear", tol=1e-9).fit(SIX.X, SIX.y)
    refsvm.write_model(path, svc.model_)
    assert failures(audit(path, SIX)) == {}
    path.write_text(path.read_text().replace("rho -", "rho "))
    assert flags(audit(path, SIX)) == {"Offset"}
    assert ("given", "G3") in failures(audit(path, SIX))


def test_a_hard_margin_that_is_none():
    xor = refsvm.Problem([[1, 1], [-1, -1], [1, -1], [-1, 1]], [1, 1, -1, -1], C=math.inf)
    assert {r.result for r in audit(refsvm.smo, xor, isolate=False)} == {"pass"}
    liar = {"decisions": [1.0] * 4, "status": "optimal"}
    assert flags(audit(liar, xor)) == {"NotSaid"}


# ---- bugs by their names


def smo_with(change):
    """A function of a problem: alpha and b of the optimum, changed."""
    def solve(problem):
        solution = refsvm.smo(problem, 1e-10)
        return {"alpha": solution.alpha, "b": solution.b, **change(problem, solution)}

    return solve


def solving(other):
    """A function of a problem that solves another one, and is asked for decisions only."""
    def solve(problem):
        return refsvm.smo(other(problem), 1e-10).model().decision

    return solve


@pytest.mark.parametrize("flag, bug", [
    ("AlphaOutside", smo_with(lambda p, s: {"alpha": [2 * a for a in s.alpha]})),
    ("AlphaUnbalanced", smo_with(lambda p, s: {"alpha": [*s.alpha[:-1], 0.3]})),
    ("NotConverged", smo_with(lambda p, s: {"alpha": [0.0] * p.n, "status": "unsure"})),
    ("Crash", lambda p: 1 / 0),
    ("Crash", lambda p: float("x")),
    ("NotFinite", lambda p: lambda x: math.nan),
    ("NoAnswer", lambda p: {"decisions": [1.0]}),
    ("DecisionArithmetic", smo_with(lambda p, s: {"decisions": [
        -f for f in s.model().decisions([*p.X, *[[v + 0.5] for v in range(5)], [10.0]])]})),
])
def test_an_answer_shows_its_bug_by_itself(unnamed, flag, bug):
    assert flag in flags(audit(bug, isolate=False, names=["C25"]))


@pytest.mark.parametrize("name, flag, bug", [
    ("C02", "OffsetSign", smo_with(lambda p, s: {"b": -s.b})),
    ("C25", "OffsetMissing", smo_with(lambda p, s: {"b": 0.0})),
    ("C25", "OffsetScaled", smo_with(lambda p, s: {"b": 2 * s.b})),
    ("C25", "PriceScaled", solving(lambda p: changed_problem(p, bounds=p.C[0] / 6))),
    ("C25", "SquaredLoss", solving(lambda p: changed_problem(p, slack="squared"))),
    ("C25", "NoOffset", solving(lambda p: changed_problem(p, bias=False))),
    ("C25", "SignFlipped", solving(lambda p: changed_problem(p, y=[-y for y in p.y]))),
    ("weights 1211", "WeightsSwapped", solving(lambda p: changed_problem(p, bounds=p.C[::-1]))),
    ("weights 1211", "WeightsIgnored", solving(lambda p: changed_problem(p, bounds=1))),
    ("E2-5", "KernelParameters", solving(lambda p: changed_problem(p, kernel=Gaussian(1.0)))),
    *slow_cases("a name for what has none", (
        "C25", "Wrong", smo_with(lambda p, s: {"alpha": [0, 0.25, 0.25, 0.25, 0.25, 0]})), (
        "C25", "NothingLearnt", lambda p: lambda x: -0.5)),
])
def test_a_bug_has_its_name(name, flag, bug):
    assert flag in flags(audit(bug, isolate=False, names=[name]))


@pytest.mark.parametrize("kernel", [
    Polynomial(3, 2, 1), Polynomial(2, 2), Polynomial(2, 2, -1), Polynomial(1, 2, 1),
])
def test_another_polynomial(kernel):
    X, y = [[0], [1], [2], [4]], [-1, 1, -1, 1]
    problem = refsvm.Problem(X, y, Polynomial(2, gamma=2, coef0=1), C=4)
    bug = solving(lambda p: changed_problem(p, kernel=kernel))
    assert "KernelParameters" in flags(audit(bug, problem, isolate=False))


def test_kernel_values_in_single_precision_are_proved_by_the_multipliers(unnamed):
    def single(problem):
        K = refsvm.gram(problem.kernel, problem.X)
        K = [[float(json.dumps(v)) for v in row] for row in K]
        K = [[as_single(v) for v in row] for row in K]
        left = refsvm.smo(refsvm.Problem(K, problem.y, refsvm.Precomputed(), problem.C), 1e-6)
        return {"alpha": left.alpha, "b": left.b}

    def as_single(value):
        from array import array

        return array("f", [value])[0]

    records = audit(single, isolate=False, names=["C17", "C18", "C25"])
    assert {(r.case, r.flag) for r in failures(records).values() if r.check == "G2"} == {
        ("C17", "Float32Rows"), ("C18", "Float32Rows"),
    }


def test_every_flag_has_a_description():
    text = "".join(
        path.read_text(encoding="utf-8") for path in (ROOT / "refsvm/conformance").rglob("*.py")
    )
    for flag in BUGS:
        assert f'"{flag}"' in text and BUGS[flag], flag
    assert not set(BUGS) & {flag for flag in FLAGS if flag.startswith("Reject")}


# ---- metamorphic relations


@pytest.mark.parametrize("name", [
    "C14", *slow_cases("a kernel that a change of its rows does not leave alone",
                       "C09", "C20", "C25", "E2-5"),
])
def test_a_transformed_problem_has_the_same_decisions(name):
    case = next(case for case in cases(*FILES) if case.name == name)
    problem, rows = protocol.as_doubles(case.problem, [query.x for query in case.queries])
    plain = truth_of(problem, rows)
    for other in transformed_problems(problem, rows, weights=False):
        there = truth_of(other.problem, other.rows)
        b, c = (t.optimum.b_low + t.optimum.b_high for t in (plain, there))
        for s, t in zip(plain.scores, there.scores):
            assert abs(s + b / 2 - other.sign * (t + c / 2)) < F(1, 2**100)


# ---- who hangs, who dies, who prints


def test_who_hangs_is_stopped_and_the_next_case_is_asked(monkeypatch):
    with_short_starts(monkeypatch.setattr)
    records = audit(Hangs, names=["C01", "C04"], deadline=0.5)
    assert failures(records)["C01", "G8"].flag == "Hang"
    assert not [key for key in failures(records) if key[0] == "C04"]


def test_who_ends_the_process_is_started_again():
    records = audit(Exits, names=["C01", "C04"])
    record = failures(records)["C01", "G8"]
    assert record.flag == "Exit" and record.reason.endswith("status 3: out of memory")
    assert not [key for key in failures(records) if key[0] == "C04"]


def test_what_is_printed_disturbs_nothing(capfd):
    assert failures(audit(Prints, names=["C01"])) == {}
    assert capfd.readouterr().out == ""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no forks here")
def test_what_cannot_be_pickled_is_asked_in_a_fork():
    pid = os.getpid()

    def solve(problem):
        assert os.getpid() != pid
        return refsvm.smo(problem, 1e-9)

    assert failures(audit(solve, names=["C01", "C02"])) == {}


def test_an_exception_of_the_caller_ends_the_audit():
    class Enough(Exception):
        pass

    def stop(records):
        raise Enough

    with pytest.raises(Enough):
        audit(FromDecisions, names=["C0?"], on_case=stop)


def test_a_worker_that_cannot_start_says_why(monkeypatch):
    monkeypatch.setattr(workers, "STARTUP", 20.0)
    isolated = workers.Isolated(subjects.as_subject(FromDecisions), 5)
    monkeypatch.setattr(workers, "pickle_subject", lambda subject: b"no pickle")
    with pytest.raises(ValueError, match="FromDecisions cannot be asked: .*UnpicklingError"):
        isolated.ask(a_request())


# ---- programs

ECHO = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    {}
"""


@pytest.mark.parametrize("body, flag, reason", [
    ("print('hello', flush=True)", "NoAnswer", "a line of JSON is needed"),
    ("print('[1]', flush=True)", "NoAnswer", "an object of JSON is needed"),
    ("print(json.dumps({'decisions': 3}), flush=True)", "NoAnswer", "decisions"),
    ("print(json.dumps({'decisions': ['a'] * len(asked['rows'])}), flush=True)", "NoAnswer",
     "decisions"),
    ("sys.exit('no licence')", "Exit", "no licence"),
    ("print(json.dumps({'refused': 'two points are too few'}), flush=True)", "Refused", "few"),
])
def test_a_program_that_answers_badly(body, flag, reason):
    records = audit([sys.executable, "-c", ECHO.format(body)], names=["C01"])
    assert [(r.flag, reason in r.reason) for r in records] == [(flag, True)]


def test_a_program_that_is_not_there(tmp_path):
    for subject in ("./no-such-program --json", "sklearn.svm.SVC", ["two words"]):
        with pytest.raises(ValueError, match="^subject is '.*'; there is no such program"):
            audit(subject, names=["C01"])
    (tmp_path / "text").write_text("print(1)")
    with pytest.raises(ValueError, match="a file that may not be run"):
        audit([str(tmp_path / "text")])


def test_an_object_may_hold_more_than_is_asked_for():
    line = b'{"b": 1, "speed": "fast"}'
    assert answer_reader.answer_from_line(line, a_request()) == Answer(b=1)


def a_request():
    return Request("a", [[0.0], [1.0]], [-1, 1], [1.0, math.inf], {"name": "linear"}, [[0.0]],
                   slack="hinge", tol=1e-6)


@given(st.lists(st.floats()))
def test_every_double_goes_through_a_line(values):
    line = protocol.to_line(Answer(decisions=values))
    request = a_request()._replace(rows=[[0.0]] * len(values))
    back = answer_reader.answer_from_line(line.encode(), request).decisions
    assert list(map(float.hex, back)) == list(map(float.hex, values))
    assert "NaN" not in line and "Infinity" not in line
    json.loads(line, parse_constant=pytest.fail)


def test_a_request_goes_through_a_line():
    assert protocol.request_from_line(protocol.to_line(a_request())) == a_request()


def test_the_spec_tells_every_field():
    text = (ROOT / "spec" / "standard" / "audit.md").read_text(encoding="utf-8")
    text = text.split(" Programs in other languages\n")[1].split("\n## ")[0]
    of_estimators = {"attributes", "refitted", "repeated", "after_other_fit", "exchanged",
                     "changed", "one_by_one", "threaded", "scores", "reloaded", "crashed", "died",
                     "late", "malformed"}
    for field in {*Request._fields, *Answer._fields} - of_estimators:
        assert f"`{field}`" in text, field


# ---- estimators


def test_input_that_is_no_problem_must_be_refused():
    class Lenient(refsvm.SVC):
        def fit(self, X, y, sample_weight=None):
            self.C = abs(self.C)
            return super().fit(X, y, sample_weight)

    records = audit(Lenient, isolate=False, names=["C is negative", "C is NaN"])
    assert {(r.case, r.result, r.flag) for r in records} == {
        ("C is negative", "fail", "RejectPenalty"), ("C is NaN", "pass", None),
    }


def test_attributes_that_contradict_each_other():
    class Renumbered(refsvm.SVC):
        def fit(self, X, y, sample_weight=None):
            super().fit(X, y, sample_weight)
            self.support_ = list(range(len(self.support_)))
            return self

    assert "SupportIndices" in flags(audit(Renumbered, isolate=False, names=["E3"]))

    class Batch(refsvm.SVC):
        def decision_function(self, X):
            f = super().decision_function(X)
            return [v / max(1, *map(abs, f)) for v in f]

    assert "BatchDependence" in flags(audit(Batch, isolate=False, names=["C01"]))


class OneForAll(refsvm.SVC):
    """What is to be solved lies where every machine can see it."""

    def fit(self, X, y, sample_weight=None):
        OneForAll.given = X, y
        time.sleep(0.01)
        return super().fit(*OneForAll.given, sample_weight)


def test_two_threads_at_once():
    assert flags(audit(OneForAll, isolate=False, names=["E8"])) == {"Threads"}

    def bold(problem, threads=1):
        return refsvm.smo(changed_problem(problem, bias=threads == 1), 1e-9)

    assert flags(audit(bold, isolate=False, names=["E8"])) == {"Threads"}

    def shared(problem):
        bold.problem = problem
        time.sleep(0.01)
        return refsvm.smo(bold.problem, 1e-9).model().decision

    assert flags(audit(shared, isolate=False, names=["E8"])) == {"Threads"}

    def alone(problem):
        assert threading.current_thread() is threading.main_thread(), "in the main thread only"
        return refsvm.smo(problem, 1e-9)

    record, = failures(audit(alone, isolate=False, names=["E8"])).values()
    assert record.flag == "Threads" and "in the main thread only" in record.reason


@pytest.mark.slow("a name for what has none")
def test_a_loose_function_is_not_named():
    def solve(problem, tol):
        return refsvm.smo(problem, 0.5)

    assert flags(audit(solve, isolate=False, names=["C25"])) <= {"Wrong"}


# ---- what is expected


def test_an_expected_failure_is_acceptable(unnamed):
    bug = smo_with(lambda p, s: {"b": 0.0})
    for key in ("C02", "C02/G3"):
        records = audit(bug, isolate=False, names=["C02"], expected={key: "no offset"})
        assert ("expected: no offset" in {r.reason for r in records}) is True
        assert ("C02", "G3") not in failures(records)


def test_expectations_are_words():
    assert expectations(["C17/G1: single", "E3:indices"]) == {"C17/G1": "single", "E3": "indices"}
    with pytest.raises(ValueError, match="'C17' expects nothing"):
        expectations(["C17"])


# ---- fingerprints


@pytest.mark.slow("an optimum of the table that is not exact")
def test_the_table_is_the_exact_one():
    def at(*formulation):
        return [(w, low, high) for w, low, high in table()[Formulation(*formulation)]]

    assert at("hinge", "free", "C")[:2] == [(F(2, 5), -1, -1)] * 2
    assert at("hinge", "regularised", "C")[1] == (F(35, 156), F(-19, 156), F(-19, 156))
    assert at("squared", "regularised", "2 C")[0] == (F(130, 543), F(-100, 181), F(-100, 181))
    assert len({tuple(value) for value in table().values()}) > 60
    assert len(C_VALUES) == 3


def test_a_fingerprint_is_taken_in_another_process_too():
    found = fingerprint(refsvm.SVC)
    assert found.formulation == Formulation("hinge", "free", "C") and found.others == []


@pytest.mark.parametrize("formulation, other", [
    (("hinge", "none", "C"), lambda p: changed_problem(p, bias=False)),
    (("hinge", "free", "C / n"), lambda p: changed_problem(p, bounds=p.C[0] / p.n)),
    (("squared", "free", "2 C"), lambda p: changed_problem(p, bounds=2 * p.C[0], slack="squared")),
    (("squared", "none", "1 / (n C)"), lambda p: changed_problem(
        p, bounds=1 / (p.n * p.C[0]), slack="squared", bias=False)),
    *slow_cases("a C that does not count",
                (("hinge", "free", "1, whatever C is,"), lambda p: changed_problem(p, bounds=1))),
])
def test_a_fingerprint_names_the_problem(formulation, other):
    assert fingerprint(solving(other), isolate=False).formulation == Formulation(*formulation)


@pytest.mark.parametrize("given, formulation", [
    ({}, Formulation("squared", "regularised", "2 C")),
    ({"loss": "hinge"}, Formulation("hinge", "regularised", "C")),
    ({"fit_intercept": False}, Formulation("squared", "none", "2 C")),
])
def test_a_fingerprint_is_not_taken_of_answers_that_say_they_are_unfinished(given, formulation):
    found = fingerprint(refsvm_fast.LinearSVC(**given), isolate=False)
    assert found.formulation == formulation and len(found.answers) == 6


def test_of_a_linear_svc_the_penalised_offset_is_named_and_nothing_else():
    records = audit(refsvm_fast.LinearSVC, isolate=False, names=["C0[1257]"])
    failed = {(record.case, record.flag) for record in records if record.result == "fail"}
    assert failed == {(case, "RegularisedOffset") for case in ("C01", "C02", "C05", "C07")}


def test_a_fingerprint_of_multipliers_alone():
    def machine(problem):
        solution = refsvm.smo(problem, tol=1e-9)
        return {"alpha": solution.alpha, "b": solution.b}

    assert fingerprint(machine, isolate=False).formulation == Formulation("hinge", "free", "C")


@pytest.mark.slow("a formulation that only some answers fit")
def test_a_fingerprint_says_which_answers_are_apart():
    def unfinished_from(C):
        def subject(problem):
            f = refsvm.smo(problem, tol=1e-10).model().decision
            return lambda x: f(x) * (1.2 if problem.C[0] >= C else 1.0)

        return fingerprint(subject, isolate=False)

    found = unfinished_from(C=3)
    assert found.formulation == Formulation("hinge", "free", "C")
    assert [C for C, *_ in found.apart] == [3, 1024]
    assert str(found).endswith("offset, but for C = 3 and C = 1024, where the answer is another")
    assert unfinished_from(C=math.inf).apart == []
    assert str(unfinished_from(C=1)) == "none of the formulations known"


@pytest.mark.slow("a guess where no formulation fits")
def test_a_fingerprint_of_nothing_known():
    assert str(fingerprint(lambda p: lambda x: 7.0, isolate=False)) == (
        "none of the formulations known"
    )
    with pytest.raises(ValueError, match="subject cannot be asked: ZeroDivisionError"):
        fingerprint(lambda p: 1 / 0, isolate=False)


# ---- reports, the command line, the plugin

SUBJECT = "isolated:Exits"


def run(*argv):
    out = io.StringIO()
    stdout, sys.stdout = sys.stdout, out
    try:
        return main(["audit", *argv]), out.getvalue()
    finally:
        sys.stdout = stdout


def test_the_command_line(tmp_path):
    status, text = run("refsvm:SVC", "--case", "C0?", "--in-process")
    assert status == 0 and "failed" in text and "0 failed" in text
    report = tmp_path / "report.html"
    status, text = run("isolated:Exits", "--case", "C01", "--case", "C04", "-o", str(report))
    assert status == 1 and "Wrong: the whole process ended (Exit)" in text
    assert "<h1>Audit of isolated:Exits" in report.read_text(encoding="utf-8")
    status, text = run("isolated:Exits", "--case", "C01", "--expect", "C01: it is so")
    assert status == 0
    status, text = run("operator:neg", "--case", "C0?", "--in-process")
    assert status == 2 and text.endswith("0 acceptable, 1 failed, 8 not judged\n")


@pytest.mark.parametrize("argv", [
    ["no.such:Thing"], ["./no-such-program"], ["refsvm:Nothing"],
    ["refsvm:SVC", "--case", "nothing"], ["refsvm:SVC", "-o", "report.md"],
    ["refsvm:SVC", "--expect", "C01"], ["refsvm:SVC", "--tol", "0"], [],
])
def test_bad_usage(argv, capsys):
    assert main(["audit", *argv]) == 2
    assert capsys.readouterr().err.startswith("refsvm: ")


def test_a_report_holds_the_words_of_a_bug():
    records = audit(smo_with(lambda p, s: {"b": 0.0}), isolate=False, names=["C0?", "C11"])
    report = AuditReport("a <b> | c", records)
    page = html(report)
    assert "a &lt;b&gt; | c" in page and "<b>" not in page
    for word in ("OffsetMissing", "C02", BUGS["OffsetMissing"]):
        assert word in page


@pytest.mark.slow("a plugin that says less than the audit")
def test_the_plugin_makes_each_case_a_test(tmp_path):
    (tmp_path / "pytest.ini").write_text(
        "[pytest]\nsvm_audit_expected =\n    C01/G8: it exits\n", encoding="utf-8"
    )
    done = plugin(tmp_path, SUBJECT)
    assert "FAILED svm-audit::isolated:Exits::C02" in done.stdout
    assert "G8 Exit: the process ended" in done.stdout
    assert "1 xfailed" in done.stdout and done.returncode == 1


def plugin(folder, subject):
    command = [
        sys.executable, "-m", "pytest", "-p", "pytest_refsvm",
        "--svm-audit", subject,
        "-k", "C01 or C05 or C02", "-q", str(folder), "-p", "no:cacheprovider",
    ]
    path = os.pathsep.join([str(ROOT), str(ROOT / "tests"), os.environ.get("PYTHONPATH", "")])
    alone = {"PYTHONPATH": path, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}  # not as installed, too
    return subprocess.run(
        command, cwd=folder, env={**os.environ, **alone}, capture_output=True, text=True,
    )


@pytest.mark.slow("a traceback of pytest for a name that is wrong")
def test_the_plugin_refuses_what_is_not_there(tmp_path):
    done = plugin(tmp_path, "nosuch:Foo")
    assert "nosuch:Foo cannot be imported: No module named 'nosuch'" in done.stderr + done.stdout
    assert done.returncode == 2 and "INTERNAL" not in done.stderr + done.stdout


# ---- a library, where it is installed


@pytest.mark.slow("what is said to be wrong in scikit-learn: C17 takes it seconds")
def test_scikit_learn_has_the_known_defects():
    svm = pytest.importorskip("sklearn.svm")
    records = audit(svm.SVC, isolate=False, names=["C10", "C17", "E3", "tolerance"])
    found = {(r.case, r.flag) for r in failures(records).values()}
    assert found == {
        ("C17", "Float32Rows"), ("E3", "SupportIndices"), ("tolerance", "Float32Rows"),
    }


def test_scikit_learn_by_its_fingerprints():
    svm = pytest.importorskip("sklearn.svm")
    assert fingerprint(svm.SVC, isolate=False).formulation == Formulation("hinge", "free", "C")
    assert fingerprint(svm.LinearSVC, isolate=False).formulation == (
        Formulation("squared", "regularised", "2 C")
    )


def test_linear_is_a_kernel_of_the_messages():
    assert protocol.kernel_document(Linear()) == {"name": "linear"}


# ---- arrays of every sort


def as_lists_of(read):
    """A SVC that reads arrays by a function of its own, which may be wrong."""
    class Reader(pytest.importorskip("refsvm_fast").SVC):
        def fit(self, X, y, sample_weight=None):
            return super().fit(read(X), [int(label) for label in y], sample_weight)

        def decision_function(self, X):
            return super().decision_function(read(X))

        def predict(self, X):
            return super().predict(read(X))

    return Reader


def dense(X):
    return X.toarray().tolist() if hasattr(X, "toarray") else X.tolist()


def last_entry_counts(X):
    if not hasattr(X, "tocsr"):
        return X.tolist()
    rows, X = [[0.0] * X.shape[1] for _ in range(X.shape[0])], X.tocsr()
    for i, row in enumerate(rows):
        for k in range(X.indptr[i], X.indptr[i + 1]):
            row[X.indices[k]] = float(X.data[k])
    return rows


def in_order_of_memory(X):
    return X.ravel(order="K").reshape(X.shape).tolist() if hasattr(X, "ravel") else dense(X)


def without_strides(X):
    base = getattr(X, "base", None)
    return dense(X) if base is None or base.ndim < 2 else base[: len(X)].tolist()


def in_a_byte(X):
    is_whole = getattr(getattr(X, "dtype", None), "kind", "") in ("i", "u")
    return X.astype("uint8").tolist() if is_whole and hasattr(X, "ravel") else dense(X)


@pytest.mark.parametrize("read, case, flag", [
    (last_entry_counts, "sparse rows", "SparseRows"),
    *slow_cases("arrays that lie otherwise in memory",
                (dense, None, None),
                (in_a_byte, "arrays", "NotAccepted"),
                (in_order_of_memory, "arrays", "NotAccepted"),
                (without_strides, "arrays", "NotAccepted")),
], ids=lambda value: getattr(value, "__name__", value))
def test_arrays_that_are_read_wrongly(read, case, flag):
    pytest.importorskip("numpy")
    pytest.importorskip("scipy.sparse")
    names = ["arrays", "sparse rows"] if case is None else [case]
    records = audit(as_lists_of(read), isolate=False, names=names)
    found = {(r.case, r.flag) for r in records if r.result == "fail"}
    assert found == set() if flag is None else (case, flag) in found


def test_a_wrong_decision_stands_beside_the_right_one():
    from planted_codes.column import train

    records = audit(train, isolate=False, names=["C04", "F9"])  # where f is right at other rows
    reasons = [r.reason for r in records if r.result == "fail"]
    assert reasons[0].startswith("f is 0.1; it must be 1;")
    assert reasons[1].startswith("f is -3.36364; it must be -3;")


def test_numbers_that_differ_are_told_with_digits_that_differ():
    from refsvm.conformance.checks import different_texts

    assert different_texts(25499999232.0, 25500000000.0) == ["2.5499999e+10", "2.55e+10"]
    assert different_texts(1.5, 1.5) == ["1.5", "1.5"]
    assert different_texts(2, 1, 3) == ["2", "1", "3"]
