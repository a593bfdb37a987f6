"""What spec/README.md asks of any SVM, test by test, refsvm itself passes: its steps 5 to 8."""

import pytest
from profiles import one_in

from refsvm import Precomputed, smo
from refsvm.conformance.cases import case_named, names_of
from refsvm.kernels.base import as_kernel

TOL = 1e-9
VALID = [(file, name) for file in ("core", "lectures", "bugs", "families", "found")
         for name in names_of(file)]
HARDEST = ("bugs", "degree seven")  # whose kernel values reach 10^21


def of_rounding(problem, alpha, rows):
    """What rounding the multipliers does to the decision of each row."""
    kernel, found = as_kernel(problem.kernel), []
    for x in rows:
        values = x if isinstance(kernel, Precomputed) else [kernel(x, z) for z in problem.X]
        found.append(2.0**-50 * float(sum(a * abs(k) for a, k in zip(alpha, values))))
    return found


@pytest.mark.parametrize("file, name", [HARDEST, *one_in(4, VALID)])
def test_decisions_and_labels_are_those_of_the_vectors(file, name):
    case = case_named(file, name)
    if case.result != "valid" or case.optimum.status == "infeasible":
        return
    optimum, exact = case.optimum, case.problem
    rows = [*exact.X, *(query.x for query in case.queries)]
    model = smo(exact.to(float), TOL).model()
    decisions = [float(f) for f in model.decisions(rows)]
    scores = [float(s) for s in [*case.scores, *(query.s for query in case.queries)]]
    lost = of_rounding(exact, optimum.alpha, rows)
    at_examples = max(lost[:exact.n])
    allowed = [1e-3 * max(1, abs(f)) + at_examples + off for f, off in zip(decisions, lost)]
    for f, s, off in zip(decisions, scores, allowed):
        assert optimum.b_low - off <= f - s <= optimum.b_high + off
    for f, query, off in zip(decisions[exact.n:], case.queries, allowed[exact.n:]):
        if query.label is not None and abs(f) > off:
            assert (1 if f >= 0 else -1) == query.label
