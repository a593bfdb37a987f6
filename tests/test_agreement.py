"""Four ways up the same dual: they must end at the same height, and the primal proves it.

A thousand problems are drawn, the same on every machine, and solved on floats; the answers are
then judged in exact arithmetic.
"""

from fractions import Fraction
from typing import NamedTuple

import pytest
from profiles import slow_cases

from refsvm import Gaussian, Linear, Polynomial, Precomputed, Problem, gram, smo
from refsvm.numerics.picks import below, splitmix64
from refsvm.solvers.active_set import active_set
from refsvm.solvers.coordinate_ascent import coordinate_ascent
from refsvm.solvers.projected_gradient import projected_gradient
from refsvm.svm.dual_form import restore_sums

KERNELS = [
    Linear(), Polynomial(2, coef0=1), Polynomial(3, gamma=0.5, coef0=1),
    Gaussian(0.5), Gaussian(4),
]
PENALTIES = [0.01, 0.1, 1, 10, 100]
RELATIVE = Fraction(1, 10**9)


TOL = 1e-11  # of the violation: above the rounding of the largest scores, 10^4; the gap is judged


def solvers_for(problem):
    """Those that can solve it: one multiplier alone cannot move where there is an offset."""
    return [smo, active_set, projected_gradient] + [coordinate_ascent] * (not problem.bias)


def drawn(seed):
    """A Problem of 2 to 10 examples, all of it drawn; about every fourth row repeats another."""
    bits = splitmix64(seed)
    n, d = 2 + below(9, bits), 1 + below(3, bits)
    X = []
    for i in range(n):
        if i > 0 and below(4, bits) == 0:
            X.append(X[below(i, bits)])
        else:
            X.append([below(2**20, bits) / 2**18 - 2 for _ in range(d)])
    y = [1, -1] + [1 - 2 * below(2, bits) for _ in range(n - 2)]
    several = below(3, bits) == 0
    C = [PENALTIES[below(5, bits)] for _ in range(n)] if several else PENALTIES[below(5, bits)]
    kernel = KERNELS[below(5, bits)]
    return Problem(X, y, kernel, C, below(2, bits) == 0, ("hinge", "squared")[below(2, bits)])


def exactly(problem):
    """The same problem in Fractions, of the kernel as it is or, if Gaussian, of its floats."""
    if problem.linear:
        return problem.to(Fraction)
    rational = problem if isinstance(problem.kernel, Gaussian) else problem.to(Fraction)
    K = [[Fraction(v) for v in row] for row in gram(rational.kernel, rational.X)]
    return Problem(K, problem.y, Precomputed(), problem.C, problem.bias, problem.slack)


class Judged(NamedTuple):
    """What a solver's answer is worth, in exact arithmetic."""

    solver: str
    status: str
    dual: Fraction  # of alpha, made to sum to zero exactly: a point that the dual allows
    primal: Fraction  # of the same alpha and b


def judged(problem, truth, solver):
    """Solve on floats to TOL, and judge by the truth."""
    solution = solver(problem, TOL)
    beta = truth.beta(solution.alpha)
    if truth.bias:
        beta = restore_sums(truth.dual_form(), beta, truth.kind)
    assert all(0 <= x * y <= c for x, y, c in zip(beta, truth.y, truth.upper_bounds()))
    evaluation = truth.at(truth.multipliers_of(beta), (Fraction(solution.b),))
    return Judged(solver.__name__, solution.status, evaluation.dual(), evaluation.primal())


@pytest.mark.parametrize("hundred", [
    0, *slow_cases("two solvers that differ on one problem in a thousand", *range(1, 10))
])
def test_a_thousand_drawn_problems_have_one_optimum_by_every_solver(hundred):
    for seed in range(100 * hundred, 100 * hundred + 100):
        problem = drawn(seed)
        truth = exactly(problem)
        answers = [judged(problem, truth, solver) for solver in solvers_for(problem)]
        assert all(answer.status == "optimal" for answer in answers), (seed, answers)
        duals = [answer.dual for answer in answers]
        primals = [answer.primal for answer in answers]
        allowed = RELATIVE * (1 + abs(max(duals)))
        assert max(duals) <= min(primals), seed  # weak duality: the optimum is in between
        assert max(primals) - min(duals) <= allowed, (seed, answers)  # so all are this near to it
