"""Who says that it converged where doubles end is told what is true; who stopped is not blamed."""

import pytest

import refsvm
import refsvm_fast
from refsvm.conformance.audit import audit
from refsvm.conformance.cases import cases
from refsvm.conformance.cases.machines import FAR, group_names
from refsvm.conformance.checks.claims import AIM

MACHINES = {"c_svc": "SVC", "nu_svc": "NuSVC", "epsilon_svr": "SVR", "nu_svr": "NuSVR",
            "one_class": "OneClassSVM", "svdd": "SVDD"}


def names_of(form):
    if form == "c_svc":
        return [case.name for case in cases("claims")]
    return [name for name, group in group_names(form).items() if group == FAR]


def records_of(subject, form, names=None):
    return audit(subject, isolate=False, names=names or names_of(form), form=form)


@pytest.mark.parametrize("package", [refsvm, refsvm_fast])
@pytest.mark.parametrize("form", MACHINES)
def test_what_is_said_is_true(package, form):
    for subject in (getattr(package, MACHINES[form]), package.smo):
        records = records_of(subject, form)
        assert {r.result for r in records} == {"pass"}, records
        assert len(records) == len(names_of(form))
        assert any("it has converged" in r.reason for r in records)


def saying(status, alpha=0.0):
    """Multipliers that are all the same, which some status is said of."""
    def solve(problem):
        return {"beta": [alpha] * problem.n, "b": 0.0, "status": status}

    return solve


@pytest.mark.parametrize("form", ["c_svc", "epsilon_svr"])
def test_only_who_says_that_it_converged_is_blamed(form):
    wrong = [name for name in names_of(form) if name != "two equal rows, cubic"]  # there w is 0
    for status, said in ("optimal", "it says that it "), (None, "it does not say that it "):
        records = records_of(saying(status), form, wrong)
        assert all(r.reason.startswith(said) for r in records)
        assert {(r.check, r.flag) for r in records} == {("G8", "FalseConvergence")}
    for status in ("precision", "max_iter", "indefinite"):
        assert {r.result for r in records_of(saying(status), form)} == {"pass"}


def test_the_gap_and_the_right_number_are_told():
    def solve(problem, tol=1e-6, moved=1e-15):
        """A surplus is put onto the least multiplier, and nothing is looked at again."""
        solution = refsvm.smo(problem, tol)
        alpha = list(solution.alpha)
        alpha[1] += moved
        return {"alpha": alpha, "b": solution.b, "status": "optimal"}

    (record,) = records_of(solve, "c_svc", ["three rows, cubic"])
    assert record.flag == "FalseConvergence" and "; it must be 1; the gap is " in record.reason

    def nothing(problem, tol=1e-6):
        return {"alpha": [0.0] * problem.n, "b": 0.0}

    (record,) = records_of(nothing, "c_svc", ["four points to 3e9"])
    assert record.reason.endswith("; the gap is 1.33333, and tol = 0.001 allows 0.004")
    assert float(record.gap) == pytest.approx(4 / 3)


def test_a_warning_is_enough():
    class Warns(refsvm.SVC):
        def fit(self, X, y, sample_weight=None):
            super().fit(X, y, sample_weight)
            self.dual_coef_ = [[0.0 for _ in self.dual_coef_[0]]]
            return self

        def decision_function(self, X):
            return [0.0] * len(X)

    name = "two equal rows, cubic"  # at which refsvm is optimal, and says nothing
    assert records_of(Warns, "c_svc", ["three rows, cubic"])[0].flag == "FalseConvergence"
    assert records_of(refsvm.SVC, "c_svc", [name])[0].result == "pass"


def test_it_is_asked_with_a_tolerance_of_its_own():
    asked = []

    def solve(problem, tol):
        asked.append(tol)
        return refsvm_fast.smo(problem, tol)

    claims = cases("claims")
    records_of(solve, "c_svc", ["C01", *names_of("c_svc")])
    assert asked[0] == 1e-6 and set(asked[-len(claims):]) == {1e-3}
    assert all(AIM in case.flags for case in claims)
