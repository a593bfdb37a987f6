"""Of each machine a small and a wide case have weights that its optimum depends on."""

import pytest
from profiles import slow_cases

import refsvm
import refsvm_fast
from refsvm.conformance.audit import audit
from refsvm.conformance.protocol.forms import bounds_of, changed_problem, form_of_problem

WRONG = {
    "their mean": lambda w: [sum(w) / len(w)] * len(w),
    "ones": lambda w: [1.0] * len(w),
    "their squares": lambda w: [v * v for v in w],
    "those of other examples": lambda w: w[::-1],
}
CASES = {  # a small one, and wide ones
    "c_svc": ("drawn 6", "linear, 16 features, 49 examples, weighted",
              "gaussian, 8 features, 65 examples, weighted"),
    "nu_svc": ("N six, weights", "N 26 rows of 12, weights", "N 30 rows of 6, gaussian, weights"),
    "epsilon_svr": ("bent, weights", "S 26 rows of 12, weights",
                    "S 30 rows of 6, gaussian, weights"),
    "nu_svr": ("V bent, weights", "V 26 rows of 12, weights",
               "V 30 rows of 6, gaussian, weights"),
    "one_class": ("O six, weights", "O 26 rows of 12, weights",
                  "O 30 rows of 6, gaussian, weights"),
    "svdd": ("D six, weights", "D 26 rows of 12, weights", "D 30 rows of 6, gaussian, weights"),
}


def with_weights(problem, weights):
    if form_of_problem(problem) is not None:
        return changed_problem(problem, bounds=weights)
    return refsvm.Problem(problem.X, problem.y, problem.kernel, weights, problem.bias,
                          problem.slack)


def deciding(change=list):
    """A right machine for weights that were changed first; it tells its decisions alone."""
    def solve(problem):
        found = refsvm_fast.smo(with_weights(problem, change(bounds_of(problem))), tol=1e-9)
        model = found.model()
        scale = found.offsets.rho.value if isinstance(problem, refsvm.NuProblem) else 1.0
        return {"decisions": lambda row: model.decisions([row])[0] / scale}

    return solve


WIDE = [(form, name) for form, names in CASES.items() for name in names[1:]]


@pytest.mark.parametrize("form, name", [
    *((form, names[0]) for form, names in CASES.items()),
    *slow_cases("weights that a wide case forgets", *WIDE)])
def test_a_decision_depends_on_the_weights(unnamed, form, name):
    def failures(subject):
        records = audit(subject, isolate=False, names=[name], form=form)
        return {r.check for r in records if r.result == "fail"}

    assert failures(deciding()) == set()
    for words, change in WRONG.items():
        assert failures(deciding(change)) & {"G1", "G3"}, words
