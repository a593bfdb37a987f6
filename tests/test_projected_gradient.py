"""Projected gradient ascent: what a step gains, where it stands still, that it ends exactly."""

from fractions import Fraction
from math import inf

import exact
import pytest
from cases_by_hand import CASES
from hypothesis import assume, given
from hypothesis import strategies as st
from problems import feasible, givens, known, of_case
from profiles import draws

from refsvm import Problem, smo
from refsvm.numerics.projections import onto_box, onto_multipliers
from refsvm.solvers import dual_ascent as loop
from refsvm.solvers.projected_gradient import (
    GradientStep,
    projected_gradient,
    textbook_projected_gradient,
)


def plain_points(given, start, steps):
    """alpha after 0, 1, ... steps, without the face, and the rate of the steps."""
    told = []
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(loop, "move_free_multipliers", lambda ascent, tol, budget: 0)
        points = [
            projected_gradient(given.problem(), 0, k, start, told.append).alpha
            for k in range(steps + 1)
        ]
    return points, told


given_and_alpha = givens(most=4).flatmap(lambda g: st.tuples(st.just(g), feasible(g)))


def slope(given, alpha):
    """1 - Q alpha, the gradient of the dual."""
    s = exact.times(given.K, [a * y for a, y in zip(alpha, given.y)])
    ridge = given.problem().ridge()
    return [1 - y * v - c * a for y, v, c, a in zip(given.y, s, ridge, alpha)]


def projected(given, z):
    """The nearest multipliers that the dual allows."""
    upper = given.problem().upper_bounds()
    return onto_multipliers(z, given.y, upper) if given.bias else onto_box(z, [0] * len(z), upper)


@given(given_and_alpha)
@draws(1/2)
def test_a_step_is_the_projection_of_a_step_up_the_slope(given_and_alpha):
    given, start = given_and_alpha
    points, told = plain_points(given, start, 2)
    assume(told)
    rate = told[0].rate
    for before, after in zip(points, points[1:]):
        z = [a + rate * v for a, v in zip(before, slope(given, before))]
        assert after == projected(given, z)


@given(given_and_alpha)
@draws(1/2)
def test_each_step_gains_half_its_squared_length_over_the_rate_at_least(given_and_alpha):
    given, start = given_and_alpha
    problem = given.problem()
    points, told = plain_points(given, start, 3)
    assume(told)
    rate = told[0].rate
    for before, after in zip(points, points[1:]):
        d = [a - b for a, b in zip(after, before)]
        gain = problem.dual(after) - problem.dual(before)
        assert gain >= exact.inner(d, d) / (2 * rate)
    last = [step for step in told if step.iteration == len(told) - 1] or told[-1:]
    assert last[0].objective == problem.dual(points[last[0].iteration])


@given(given_and_alpha)
@draws(1/2)
def test_the_rate_is_at_most_one_over_every_eigenvalue(given_and_alpha):
    given, start = given_and_alpha
    _, told = plain_points(given, start, 1)
    assume(told)
    n, ridge = len(given.y), given.problem().ridge()
    K = [[given.K[i][j] + (ridge[i] if i == j else 0) for j in range(n)] for i in range(n)]
    largest_row = max(exact.exact_sum(map(abs, row)) for row in K)
    assert told[0].rate == (1 / largest_row if largest_row else 1)
    # Rayleigh: v'Kv <= v'v / rate for every v, here for one at random.
    v = [a * y for a, y in zip(start, given.y)]
    assert exact.quadratic(K, v) * told[0].rate <= exact.inner(v, v) or largest_row == 0


@given(given_and_alpha)
@draws(3/5)
def test_a_step_stands_still_at_an_optimum_and_nowhere_else(given_and_alpha):
    given, alpha = given_and_alpha
    truth = exact.optimum(*given.for_the_judge)
    for point in (alpha, truth.alpha):
        moved = [a + v for a, v in zip(point, slope(given, point))]
        stands = projected(given, moved) == point
        assert stands == (given.problem().dual(point) == truth.value)


def test_with_the_right_projection_the_gradient_reaches_the_optimum_of_six_points():
    case = next(case for case in CASES if case.name == "F9")
    solution = projected_gradient(of_case(case).problem(), tol=0)
    assert solution.objective == Fraction(92, 49) == known("F9").value
    assert solution.model().w == [Fraction(-6, 7), Fraction(8, 7)]
    assert solution.b == Fraction(-3, 7)


@given(givens(most=5))
@draws(1/2)
def test_it_ends_where_smo_ends(given):
    problem = given.problem()
    one, other = projected_gradient(problem, tol=0), smo(problem, tol=0)
    assert (one.objective, one.b_low, one.b_high) == (other.objective, other.b_low, other.b_high)


# ---- what it tells, and endings


@given(givens(most=4))
@draws(1/2)
def test_each_step_is_told_with_its_rate_and_rises(given):
    steps = []
    solution = projected_gradient(given.problem(), tol=0, on_step=steps.append)
    assert [step.iteration for step in steps] == list(range(1, solution.iterations + 1))
    assert all(isinstance(step, GradientStep) and step.moved >= 1 + given.bias for step in steps)
    heights = [0] + [step.objective for step in steps]
    assert all(before < after for before, after in zip(heights, heights[1:]))
    assert not steps or (steps[-1].objective, steps[-1].violation) == (
        solution.objective, solution.violation
    )


def test_a_step_by_hand():
    # K is 4 at one corner, so the rate is 1/4, and z = (-1/4, 1/4) has the sum 0 already.
    steps = []
    one = projected_gradient(Problem([[0], [2]], [-1, 1], C=3), max_iter=1, on_step=steps.append)
    assert one.alpha == [0.25, 0.25] and one.status == "max_iter"
    assert steps == [(1, 0.25, 2, 1.0, 0.375)]


def test_kernel_values_of_zero_leave_any_rate():
    solution = projected_gradient(Problem([[0], [0]], [1, -1], C=4))
    assert (solution.status, solution.alpha) == ("optimal", [4.0, 4.0])
    tiny = projected_gradient(Problem([[1e-160], [2e-160]], [1, -1], C=4))
    assert (tiny.status, tiny.alpha) == ("optimal", [4.0, 4.0])


@pytest.mark.parametrize("C", [0.001, 1, 1e10, [1, 1e-3, 1, 5]])
@pytest.mark.parametrize("scale", [1e-8, 1e-40, 1e-78])
def test_steps_that_lead_far_beyond_the_bounds_end_on_the_plane(scale, C):
    # The answer was "optimal" with one class at C and the other at 0, or a bare OverflowError.
    for y in ([1, -1, 1, 1], [-1, 1, -1, 1], [1, -1, -1, -1]):
        problem = Problem([[-0.75 * scale], [scale], [0.25 * scale], [0.5 * scale]], y, C=C)
        solution = projected_gradient(problem)
        assert solution.status == "optimal"
        surplus = sum(Fraction(a) * s for a, s in zip(solution.alpha, y))
        assert abs(surplus) <= max(solution.alpha) * Fraction(1, 2**50)
        assert abs(solution.gap) <= 1e-3 * solution.objective


def test_a_way_without_end_may_pass_by_those_whose_slack_can_be_bought():
    # The face finds a direction in which only rows of infinite C move, but names the others too.
    X, y = [[Fraction(-3)]] * 6, [1, 1, 1, 1, -1, 1]
    C = [Fraction(1, 8), inf, inf, inf, inf, Fraction(1, 8)]
    solution = projected_gradient(Problem(X, y, C=C, slack="squared"), tol=0)
    assert solution.status == "infeasible"
    assert solution.farkas[0] == solution.farkas[5] == 0 < solution.farkas[4]


# ---- the three lines of the textbook


@given(givens(most=4))
@draws(1/2)
def test_the_textbooks_steps_are_those_of_record_without_the_face(given):
    points, _ = plain_points(given, None, 3)
    for k, point in enumerate(points):
        solution = textbook_projected_gradient(given.problem(), tol=0, max_iter=k)
        if solution.iterations == k:
            assert solution.alpha == point


@given(givens(most=4))
@draws(1/2)
def test_where_the_textbooks_steps_end_on_fractions_they_end_at_the_optimum(given):
    given = given._replace(C=[c / 16 for c in given.C])  # most multipliers end at C
    solution = textbook_projected_gradient(given.problem(), tol=0, max_iter=4)
    if solution.status == "max_iter":
        assert (solution.iterations, solution.violation > 0) == (4, True)
        return
    record = projected_gradient(given.problem(), tol=0)
    assert (solution.status, solution.objective) == ("optimal", record.objective)
    assert given.problem().gap(solution.alpha, solution.b) == 0


@given(givens(most=5))
@draws(1/2)
def test_on_doubles_the_textbook_comes_to_the_optimum_of_record(given):
    problem = given.problem().to(float)
    solution = textbook_projected_gradient(problem, tol=1e-4, max_iter=500)
    record = projected_gradient(problem, tol=1e-4)
    near = abs(solution.objective - record.objective)
    gap = problem.gap(solution.alpha, solution.b)
    assert near <= max(gap, record.gap) + 1e-9 * max(1, abs(record.objective))


def test_the_textbook_keeps_the_equation_that_clamping_loses():
    problem = Problem([[Fraction(1)], [2]], [1, -1], C=1)
    solution = textbook_projected_gradient(problem, tol=0)
    assert (solution.alpha, solution.objective) == ([1, 1], Fraction(3, 2))
    assert solution.objective == smo(problem, tol=0).objective


def test_the_textbook_steps_end_with_the_first_that_violates_no_more_than_tol():
    problem = Problem([[Fraction(0)], [3], [1]], [1, -1, 1])
    third = textbook_projected_gradient(problem, tol=0, max_iter=3)
    again = textbook_projected_gradient(problem, tol=third.violation)
    assert again == third._replace(status="optimal")
