"""Each term of the bounds behind "optimal" is needed: without it something false would be proved.

To add 2^-53, or a little less, to 1 changes nothing. So a sum of m such terms is as wrong as a sum
can be, and every bound has a case here that comes close to it.
"""

from fractions import Fraction
from math import nextafter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from problems import examples

import refsvm
from refsvm import BallProblem, Linear, MonomialSum, OneClassProblem, Polynomial, Problem, Sigmoid
from refsvm.kernels.value_errors import value_errors
from refsvm.numerics.linalg import total
from refsvm.proofs.rational_kernels import exact
from refsvm.solvers.dual_program import compute_residuals, dual_program, end_with_sums
from refsvm.solvers.pair_ascent import PairAscent
from refsvm.solvers.proved_status import (
    ResidualBounds,
    Sizes,
    Stop,
    error_of_unit,
    is_certain,
    proved_residuals,
)
from refsvm.svm.dual_form import group_extremes, restore_exact_sums, surplus
from refsvm.svm.residual_bounds import ErrorBounds

U = 2.0**-53
LOST = 1.414 * 2.0**-27  # its square is less than U
MANY = 200
TERMS = [1.0] + [LOST] * MANY  # <x, x> is 1 in doubles, and 1 + 199.9 U


def judged(problem, beta, tol):
    """(whether V <= tol is proved, the residuals told) at this beta."""
    r = compute_residuals(dual_program(problem, None, 1), beta)
    form = problem.dual_form()
    ((m, M),) = group_extremes(form, beta, r)
    r, _, proved = proved_residuals(problem, form, beta, r, Stop(m - M, tol))
    return proved, r


def violation_of(problem, beta):
    """V in exact arithmetic."""
    report = refsvm.kkt(exact(problem), [Fraction(b * y) for b, y in zip(beta, problem.y)])
    return report.m - report.M


def two_blocks(degree):
    """A problem whose violation is 0 in doubles, and 400 `degree` U."""
    zeros = [0.0] * len(TERMS)
    return Problem([TERMS + zeros, zeros + TERMS], [-1, 1], Polynomial(degree), C=2)


@pytest.mark.parametrize("degree", [1, 3, 11, 12])
def test_roundings_of_kernel_values_count(degree):
    """Up to degree 10 the values are exact in the end; of others a bound is left on both sides."""
    truth = violation_of(two_blocks(degree), [-1.0, 1.0])
    assert truth > 399 * degree * U
    for share in (0.9, 0.6):
        assert not judged(two_blocks(degree), [-1.0, 1.0], float(truth) * share)[0]


def test_roundings_of_sums_count():
    """A residual of -2 loses what MANY multipliers add to it."""
    X, y = [[1.0]] * (MANY + 2), [1] * (MANY + 1) + [-1]
    problem = Problem(X, y, Polynomial(1), C=2)
    beta = [1.0] + [0.49 * U] * MANY + [0.0]
    assert violation_of(problem, beta) == 2
    assert judged(problem, beta, 2.0)[0] and not judged(problem, beta, nextafter(2.0, 0))[0]


def test_roundings_of_the_target_count():
    """Scores that are far smaller than the target are lost in it."""
    X, y = [[0.0], [0.0]] + [[2.0**-27]] * MANY, [1, -1] + [1] * MANY
    problem = Problem(X, y, Polynomial(1), C=2)
    beta = [0.0, -2.0] + [0.99 * 2.0**-2] * MANY
    truth = violation_of(problem, beta)
    assert truth > 20 * U
    assert not judged(problem, beta, float(truth) / 2)[0]


@pytest.mark.parametrize("beta", [[1.0, -0.5, 0.0], [0.5, -1.0, 0.0], [0.5, -1.0, 0.25]])
@pytest.mark.parametrize("ends", [[0.0, 4.0], [4.0, 0.0]])
def test_a_sum_that_is_not_zero_counts_where_rows_are_shifted(beta, ends):
    problem = Problem([[1e8 + ends[0]], [1e8 + 1], [1e8 + ends[1]]], [1, -1, 1], C=2)
    assert problem.shift == [1e8 + 1]
    assert_no_less_is_proved(problem, beta)


def assert_no_less_is_proved(problem, beta):
    """No violation less than the true one is proved."""
    truth = violation_of(problem, beta)
    assert truth > 0
    assert not judged(problem, beta, nextafter(float(truth), 0) * (1 - U))[0]


def test_what_steps_added_counts_twice_and_so_does_the_unit():
    sizes = Sizes(support=1, mass=1.0, norm=1.0, target=0.0)
    problem, one, ball = (p([[1.0], [2.0]]) for p in (unit_problem, OneClassProblem, BallProblem))

    def certain(form, violation, error):
        return is_certain(form, sizes, error, Stop(violation, 1))

    form = problem.dual_form()
    assert certain(form, 0.5, 0.249) and not certain(form, 0.5, 0.251)
    form = one.dual_form()  # the unit is rho, and wrong by as much as a residual
    assert certain(form, 0.85, 0.049) and not certain(form, 0.9, 0.049)
    form = ball.dual_form()  # 2 lam + |w|^2
    assert error_of_unit(form, 0.02, 0.5) == 0.54
    assert certain(form, 0.89, 0.02) and not certain(form, 0.915, 0.02)


def unit_problem(X):
    return Problem(X, [1, -1], Polynomial(1))


def test_the_least_unit_knows_how_wide_its_ends_are():
    problem = OneClassProblem([[1.0], [2.0]], refsvm.Gaussian(1))
    form = problem.dual_form()
    bounds = ResidualBounds(problem, form, [0.5, 0.5], [-1.0, -1.0], ErrorBounds(1e-15, 1.0, 0.0))
    ends = [((-1.1, -0.9), (-1.1, -0.9))]
    assert bounds.least_unit(ends) <= 0.9


@pytest.mark.parametrize("errors", [[0.0, 0.25], [0.25, 0.0]])
def test_the_unit_of_the_residuals_told_is_off_by_as_much_as_any_of_them(errors):
    for machine, off in (OneClassProblem, 0.25), (BallProblem, 2 * 0.25 + 0.25):  # 2 lam + |w|^2
        problem = machine([[1.0], [2.0]], refsvm.Gaussian(1))
        given = problem, problem.dual_form(), [0.5, 0.5], [-1.0, -1.0]
        bounds = ResidualBounds(*given, ErrorBounds(errors, 1.0, 0.0, 2.0))
        assert 1 - off - 2.0**-40 < bounds.least_unit_given(1.0) < 1 - off


def test_zero_is_an_offset_too_where_there_is_none():
    problem = Problem([[1.0], [0.0]], [1, -1], C=1, bias=False)
    given = problem, problem.dual_form(), [0.5, -1.0], [0.5, -1.0]
    bounds = ResidualBounds(*given, ErrorBounds(1e-15, 1.0, 0.0))
    assert bounds.prove(0.6) and not bounds.prove(0.4)


numbers = st.integers(-1000, 1000).map(float) | st.floats(-10, 10) | st.floats(1e7, 1e9)
KERNELS = [Linear(), Polynomial(1, 1, 0.3), Polynomial(3, 1 / 3, 1), Polynomial(2, 1, -1)]
KERNELS += [MonomialSum(2), 0.1 * Linear() * Polynomial(1, 1, 1)]


@given(st.data())
def test_proved_is_what_is_so_and_all_of_it(data):
    """Of polynomials of low degree the status says neither too much nor too little."""
    X, y = data.draw(examples(numbers, (2, 5), (2, 2)))
    kernel, C = data.draw(st.sampled_from(KERNELS)), data.draw(st.sampled_from([8, 1e-9 / 3]))
    slack = "squared" if C < 1 else data.draw(st.sampled_from(["hinge", "squared"]))
    problem = Problem(X, y, kernel, C, data.draw(st.booleans()), slack)
    beta = [data.draw(st.sampled_from([0.0, 8.0]) | st.floats(0, 8)) * s for s in y]
    truth = violation_of(problem, beta)
    if not 0 < truth < 1e300:
        return
    nearest = float(truth)
    below = nearest if nearest < truth else nextafter(nearest, 0)
    above = nearest if nearest >= truth else nextafter(nearest, 2 * nearest)
    assert not judged(problem, beta, below)[0]
    proved, r = judged(problem, beta, above)
    ((m, M),) = group_extremes(problem.dual_form(), beta, r)
    assert proved
    assert abs(Fraction(m) - Fraction(M) - truth) <= Fraction(2 * U) * (abs(m) + abs(M))


@pytest.mark.parametrize(
    "kernel",
    [
        Linear(),
        Polynomial(3),
        Polynomial(1, 1, -1),
        Polynomial(2, -0.5, 1),
        MonomialSum(4),
        Linear() * Linear(),
        Linear() * Polynomial(2),
        0.5 * Linear() + 3 * Polynomial(2, 1, -1),
    ],
)
def test_values_that_lose_most_are_within_their_bound(kernel):
    (v, (s,)), exactly = value_errors(kernel, [TERMS]), kernel.to(Fraction)
    value = kernel.row_function([TERMS], float)(TERMS)[0]
    x = list(map(Fraction, TERMS))
    assert 0 < abs(Fraction(value) - exactly.value(x, x)) <= Fraction(v * U) * Fraction(s)


def test_sigmoids_count_the_rounding_of_what_they_are_taken_of():
    """16 - 16 is 0, and 3198 U in truth; so is its tanh, but for the cube."""
    x = [4 * v for v in TERMS]
    kernel = Sigmoid(1, -16)
    (v, (s,)), value = value_errors(kernel, [x]), kernel.row_function([x], float)(x)[0]
    truth = sum(Fraction(a) ** 2 for a in x) - 16
    assert value == 0 and 3000 * U < truth <= Fraction(v * U) * Fraction(s)


def far_ascent(beta):
    problem = Problem([[2.0**20], [2.0**21], [2.0**20]], [1, -1, -1], Polynomial(1), C=1)
    ascent = PairAscent(dual_program(problem, None, 1), float)
    ascent.beta = beta
    ascent.recompute_residuals()
    return problem, ascent


def test_residuals_follow_what_makes_the_sum_exact():
    problem, ascent = far_ascent([0.5, -0.25, -0.25 + 2.0**-50])
    end_with_sums(problem, ascent, "optimal")
    assert total(ascent.beta) == 0
    assert ascent.residuals() == ascent.compute_residuals()


def test_bounds_give_way_where_a_sum_was_lost():
    problem, ascent = far_ascent([1.0, 0.0, 0.0])
    end_with_sums(problem, ascent, "optimal")
    assert ascent.beta == [0, 0, 0]
    assert ascent.residuals() == [1, -1, -1]


def test_no_bound_is_passed_to_make_a_sum_exact():
    form = Problem([[1], [2], [3]], [1, 1, -1], C=9).dual_form()
    beta = [1e-20, 1.0, nextafter(-1.0, 0)]
    left = restore_exact_sums(form, list(beta), float, [1.0, 4.0, 4.0], False)
    assert left == beta and surplus(range(3), Fraction(0), left) > 0
