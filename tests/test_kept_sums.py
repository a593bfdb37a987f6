"""Sums that steps lost are restored, and the Solution says what is true of the multipliers."""

from fractions import Fraction

import pytest

import refsvm
from refsvm.solvers.ascent_loop import maximise
from refsvm.solvers.dual_program import adds_up_to, dual_program
from refsvm.solvers.pair_ascent import PairAscent
from refsvm.svm.dual_form import exact_total

ROWS = [[0.0, 1.0], [1.0, 0.5], [3.0, 2.0], [4.0, 1.0], [2.5, 3.0]]
Y = [-1, -1, 1, 1, 1]
PROBLEMS = [
    refsvm.Problem(ROWS, Y),
    refsvm.NuProblem(ROWS, Y, nu=0.5),
    refsvm.RegressionProblem(ROWS, [1.0, 0.0, 3.0, 2.0, 5.0], epsilon=0.25),
    refsvm.OneClassProblem(ROWS, nu=0.5),
    refsvm.BallProblem(ROWS, C=0.5),
]


class LosingAscent(PairAscent):
    """A PairAscent that loses a little of each step."""

    lost = 2.0**-20

    def add_clipped(self, i, t):
        moved = super().add_clipped(i, t)
        inner = self.form.lower[i] < self.beta[i] < self.form.upper[i]
        self.beta[i] -= self.lost if inner and self.beta[i] > self.lost else 0
        return moved


def solved(problem, cls):
    """The Solution that an ascent of this class comes to."""
    return maximise(problem, cls(dual_program(problem, None, 1), problem.kind), 1e-9, 1000)


@pytest.mark.parametrize("problem", PROBLEMS, ids=repr)
def test_lost_sums_are_restored_with_their_residuals(problem):
    found, right = solved(problem, LosingAscent), solved(problem, PairAscent)
    form = problem.dual_form()
    if problem is not PROBLEMS[2]:  # whose variables are not told
        variables = problem.beta(found.alpha)
        if isinstance(problem, refsvm.NuProblem):
            variables = problem.variables_of(found.alpha)
        for group, s in zip(form.groups, form.sums):
            assert abs(exact_total(variables[group.start : group.stop]) - s) <= 2.0**-50
    assert right.status == "optimal"
    assert found.status in ("precision", "optimal")
    # The gap is that of the multipliers told, so the optimum lies within it.
    assert found.objective <= right.objective + 1e-9 <= found.objective + found.gap + 2e-9
    assert found.violation <= 1e-9 * 10 or found.status == "precision"


def test_no_sum_is_lost_by_rounding():
    assert adds_up_to([Fraction(1, 3)] * 3, Fraction(1), 0)
    assert not adds_up_to([Fraction(1, 3)] * 3, Fraction(1) + Fraction(1, 10**30), 0)
    numbers = [0.1] * 1000
    assert adds_up_to(numbers, float(exact_total(numbers)), 2.0**-53)
    assert not adds_up_to(numbers, 100.0 + 2.0**-30, 2.0**-53)
