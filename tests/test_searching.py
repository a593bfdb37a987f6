"""Which wrong answers are looked at closely, and which bugs are dropped for a run."""

import pytest

import refsvm_fast
from refsvm.conformance import explanations, searching
from refsvm.conformance.agreement import agree
from refsvm.conformance.audit import Auditor, audit
from refsvm.conformance.causes import cause_of
from refsvm.conformance.explanations import Diagnosis, Explanation
from refsvm.conformance.searching import Tally
from refsvm.solvers.smo import smo
from refsvm.svm.problem import Problem


def test_the_order_of_failures_does_not_decide_what_is_looked_at(monkeypatch):
    kinds = {"a": (1, "x"), "b": (2, "x"), "c": (3, "x"), "d": (2, "y"), "e": (90, "x")}
    monkeypatch.setattr(searching, "place_of", lambda name: (kinds[name][0], 1, name))
    monkeypatch.setattr(searching, "kind_of", lambda name: kinds[name][1])
    monkeypatch.setattr(searching, "is_postponed", lambda name: True)
    monkeypatch.setattr(searching, "decides_otherwise", lambda name: False)
    orders = [searching.in_turns({k: k for k in some}) for some in ("abcde", "edcba")]
    assert [sorted(order[:2]) for order in orders] == [["a", "d"]] * 2
    assert [order[-1] for order in orders] == ["e", "e"]


def counted(times, fits=(), missed=()):
    tally = Tally()
    for _ in range(times):
        tally.add(Diagnosis(tuple(Explanation(flag, "why") for flag in fits), frozenset(missed)))
    return tally


def test_a_bug_that_cases_do_not_have_is_dropped():
    a = Explanation("A", "why")
    assert counted(5, missed=["A: why"]).wanted().has(a)
    assert not counted(6, missed=["A: why"]).wanted().has(a)
    often = counted(6, missed=["A: why"])
    often.add(Diagnosis((a,)))
    assert often.wanted().has(a) and often.wanted().has(Explanation("B", "why"))


def test_a_large_case_counts_as_three(monkeypatch):
    monkeypatch.setattr(searching, "place_of", lambda diagnosis: (25, 1, ""))
    assert not counted(2, missed=["A: why"]).wanted().has(Explanation("A", "why"))


def diagnosed(machine, names):
    auditor = Auditor(machine, isolate=False)
    records = [r for name in names for r in auditor.records(name)]
    return {id(r.diagnosis): r.diagnosis for r in records if hasattr(r, "diagnosis")}


def test_answers_that_are_flat_are_looked_at_closely_after_all_others():
    flat = diagnosed(lambda problem: lambda x: 0.25, ["C02", "C07", "C25"])
    other = diagnosed(lambda problem: lambda x: x[0] ** 2, ["C25", "C02"])
    both = {**flat, **other}
    assert searching.next_close(both, list(both)) == list(other)
    assert searching.next_close(flat, list(flat)) == list(flat)[:2]


def test_the_order_of_answers_does_not_change_their_names():
    def halved(problem):
        decision = smo(problem, tol=1e-9).model().decision
        return lambda x: decision(x) / 2

    found = diagnosed(halved, ["C02", "C05", "C25", "E2-5"])
    right = searching.RightAnswers([], {})
    one = agree(searching.complete(found, right))
    other = agree(searching.complete(dict(reversed(found.items())), right))
    assert one == other and {x.flag for x in one.values()} == {"Length"}


WIDE = [f"linear, {d} features, {n} examples" for d, n in ((5, 65), (31, 51), (33, 49))]


@pytest.fixture
def quick_guesses(monkeypatch):
    monkeypatch.setattr(explanations, "smo", refsvm_fast.smo)


@pytest.mark.slow("wide cases alone show that features are lost beside another fault")
def test_what_is_lost_besides_a_regularised_offset_has_its_name(quick_guesses):
    def penalised(problem):
        X = [[*x[:3], 1] for x in problem.X]
        other = Problem(X, problem.y, problem.kernel, problem.C, bias=False)
        decision = refsvm_fast.smo(other, tol=1e-9).model().decision
        return lambda x: decision([*x[:3], 1])

    names = [*(f"drawn {k}" for k in range(1, 7)), *WIDE]
    cause = cause_of(audit(penalised, isolate=False, names=names))
    assert cause.flag == "RegularisedOffset"
    assert ("FeatureIgnored", 3) in [(other.flag, other.explained) for other in cause.others]


class EarlyAndCut:
    """Stops after three steps, and forgets what is left of a row after blocks of four."""

    def __init__(self, problem):
        solution = refsvm_fast.smo(problem, max_iter=3)
        self.alpha, self.b, self.model = solution.alpha, solution.b, solution.model()

    def decisions(self, rows):
        return self.model.decisions([[*x[: len(x) // 4 * 4], *[0] * (len(x) % 4)] for x in rows])


@pytest.mark.slow("wide cases alone show that features are lost beside another fault")
def test_rows_that_are_cut_are_named_where_the_model_is_wrong_itself(quick_guesses):
    records = audit(EarlyAndCut, isolate=False, names=WIDE)
    flags = {r.flag for r in records if r.check == "G4" and r.result == "fail"}
    assert flags == {"BlockRemainder"}
