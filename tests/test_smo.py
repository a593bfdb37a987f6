"""SMO: on Fractions it ends at the very optimum; on floats as near as it says, and it says so."""

from fractions import Fraction

import exact
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from peers import peer
from profiles import draws
from test_solvers import clouds

import refsvm
from refsvm import (
    Gaussian,
    Polynomial,
    Problem,
    Solution,
    coordinate_ascent,
    kkt,
    projected_gradient,
    smo,
)
from refsvm.kernels.gram_matrices import KernelRows
from refsvm.solvers import smo as module
from refsvm.solvers.dual_program import dual_program

# ---- the optimum


def test_four_points_and_a_huge_C_take_a_few_steps():
    # Pair steps alone take half of C: each moves two multipliers by one.
    corners = [[0, 0], [1, 1], [0, 1], [1, 0]]
    solution = smo(Problem(corners, [-1, -1, 1, 1], C=2**20))
    assert solution.alpha == [2.0**20] * 4
    assert solution.iterations < 10


def test_points_far_apart_in_a_shifted_column_keep_sum_beta():
    # Once, the mean of nearly equal residuals far from zero was rounded, and sum beta drifted.
    first = [93434.90629806496, 97782.2133581732, 101203.50774936442, 91718.28763990274,
             100576.6185649656, 93041.18418152102, 106228.50927788428, 98671.34411608809,
             102034.2462467495]
    second = [0.69, -0.77, 0.07, -0.5, -0.04, -0.23, -0.52, -0.63, 0.21]
    y = [1, -1, 1, 1, 1, 1, -1, -1, 1]
    C = [100, 0.1, 100, 1, 1, 0.1, 0.1, 1, 0.1]
    problem = Problem([list(x) for x in zip(first, second)], y, C=C)
    solution = smo(problem, tol=1e-8)
    assert sum(Fraction(a) * s for a, s in zip(solution.alpha, y)) == 0
    assert kkt(problem, solution.alpha, solution.b).worst.amount < 1e-6


# ---- what must not matter


def test_room_may_be_given_in_a_type_that_holds_small_numbers_only():
    problem, room = Problem([[1.0], [0.0]], [1, -1]), peer("numpy").int8(3)
    assert smo(problem, cache_mb=room) == smo(problem, cache_mb=3)


# ---- steps


def test_a_step_by_hand():
    # Points 0 and 2: curvature 4, slope 2, so both move by 1/2, to the middle of [0, C].
    steps = []
    smo(Problem([[0], [2]], [-1, 1], C=3), on_step=steps.append)
    assert steps == [(1, 1, 0, 0.0, 3.0, 0.5, 0.5, 0.0, 0.5)]


def test_the_second_of_the_pair_is_the_one_that_gains_most():
    # From alpha = 0 every negative violates alike; the nearest has the least curvature.
    steps = []
    smo(Problem([[0], [5], [4]], [1, -1, -1], C=9), on_step=steps.append)
    assert (steps[0].i, steps[0].j) == (0, 2)


# ---- starting


def test_a_start_that_does_not_balance_loses_its_surplus_in_index_order():
    problem = Problem([[0], [1], [3], [4]], [-1, -1, 1, 1], C=5)
    solution = smo(problem, start=[3, 2, 1, 0], max_iter=0)
    assert solution.alpha == [0.0, 1.0, 1.0, 0.0]


def test_a_start_balances_exactly_where_floats_would_lose_the_smaller_class():
    """Summed in floats, 5e299 - 1.5 is 5e299: all of class 1 would go, and nothing balance."""
    problem = Problem([[0], [1], [3], [4]], [-1, -1, 1, 1], C=1e300)
    solution = smo(problem, start=[1, 0.5, 0.5, 5e299], max_iter=0)
    assert solution.alpha == [1.0, 0.5, 0.0, 1.5]


# ---- endings


def test_what_doubles_cannot_resolve_is_called_so_and_the_gap_tells_the_truth():
    X, y = clouds(30, 4)
    problem = Problem(X, y, Polynomial(3, coef0=1), C=100)
    solution = smo(problem, tol=0)
    assert solution.status == "precision"
    assert 0 < solution.violation < 1e-6
    assert smo(problem, tol=1e-6).status == "optimal"


def test_asked_for_nothing_less_than_zero_the_face_stops_where_nothing_moves():
    # Its residuals once shrank until their squares underflowed, and any way looked unbounded.
    X = [[1, 0.3], [0.2, 1.1], [-0.7, 0.4]]
    problem = Problem(X, [1, -1, 1], Gaussian(0.7), bias=False, slack="squared")
    solution = smo(problem, tol=0)
    assert solution.status in ("precision", "optimal")
    assert solution.violation < 1e-13 and solution.farkas is None


def test_a_direction_that_cancels_to_nothing_is_no_way_without_end():
    # the face's conjugate direction comes out as zeros: a disproof of zeros would prove nothing
    X = [[1, -1], [1, -0.5], [0.5, 0.5]]
    problem = Problem(X, [-1, 1, 1], Polynomial(3, 0.5), slack="squared")
    solution = smo(problem, tol=0)
    assert (solution.status, solution.farkas) == ("precision", None)


@pytest.mark.parametrize("old, high", [(0.1556134615611489, 0.9184820619953314)])
def test_a_step_to_a_bound_ends_on_it_exactly(old, high):
    assert old + (high - old) < high  # so adding is not enough
    program = dual_program(Problem([[0], [2]], [-1, 1]), None, 1)
    form = program.form._replace(lower=[old] * 2, upper=[high] * 2)
    ascent = module.PairAscent(program._replace(form=form, start=[old] * 2), float)
    ascent.add_clipped(0, high - old)
    assert ascent.beta[0] == high
    ascent.add_clipped(0, old - high)
    assert ascent.beta[0] == old


# ---- refusals


def test_a_solution_has_the_fields_of_the_design_and_knows_its_problem():
    problem = Problem([[0], [2]], [-1, 1])
    solution = smo(problem)
    assert isinstance(solution, Solution) and solution.problem is problem
    assert solution._fields == (
        "alpha", "b", "b_low", "b_high", "objective", "gap", "violation", "iterations",
        "status", "farkas",
    )


def test_the_interval_of_offsets_is_that_of_the_returned_alpha():
    # evening out sum alpha_i y_i moves the free multiplier onto its bound, by one rounding
    problem = Problem([[7 / 3], [-2 / 3], [-4 / 3], [2]], [1, 1, -1, 1], C=0.5)
    solution = smo(problem)
    report = kkt(problem, solution.alpha)
    assert solution.alpha == [0, 0.5, 0.5, 0] and solution.b_low < 0.34 < 1.2 < solution.b_high
    assert abs(solution.b_low - report.b_low) + abs(solution.b_high - report.b_high) < 2.0**-43


@given(
    st.lists(st.tuples(st.integers(-9, 9), st.sampled_from([1, -1])), min_size=4, max_size=7),
    st.sampled_from([1.0, 1e3, 1e7]), st.booleans(),
)
@example([(-1, -1), (1, 1), (-1, 1), (1, -1), (2, 1)], 1e7, True)
@draws(3/5)
def test_residual_error_is_no_less_than_what_rounding_did_to_the_residuals(points, C, bias):
    # In tenths, so that sums of kernel values round; large C lets the steps be long.
    y = [1, -1] + [label for _, label in points[2:]]
    X = [[v / 10] for v, _ in points]
    problem = Problem(X, y, Polynomial(1, coef0=0.3), C, bias)
    ascent = module.PairAscent(dual_program(problem, None, 1), float)
    K = [[Fraction(v) for v in ascent.row(i)] for i in range(problem.n)]
    for _ in range(40):
        if ascent.step() is None:
            break
        beta = [Fraction(b) for b in ascent.beta]
        exactly = [label - exact.exact_sum(b * k for b, k in zip(beta, row))
                   for label, row in zip(y, K)]
        errors = [abs(Fraction(r) - e) for r, e in zip(ascent.residuals(), exactly)]
        assert max(errors) <= ascent.residual_error


THREE = Problem([[Fraction(0)], [3], [1]], [1, -1, 1])
TWO = Problem([[Fraction(1)], [Fraction(-1, 2)]], [1, -1], bias=False)


@pytest.mark.parametrize("solver, problem", [
    (smo, THREE), (projected_gradient, THREE), (coordinate_ascent, TWO),
    (refsvm.textbook_smo, THREE), (refsvm.textbook_projected_gradient, THREE),
    (refsvm.textbook_coordinate_ascent, TWO),
])
def test_without_a_tol_the_margins_are_kept_to_a_thousandth(solver, problem):
    assert solver(problem).violation <= Fraction(1, 1000) < solver(problem, 1).violation


def test_as_many_kernel_rows_are_kept_as_there_are_or_fit_into_the_cache_and_two_at_least():
    problem = Problem([[0], [1], [2]], [1, -1, 1])  # a row of 3 numbers takes 96 bytes
    rooms = [KernelRows(problem, megabytes).capacity for megabytes in (1e308, 0.0002, 1e-9)]
    assert rooms == [3, 2, 2]
    rows = KernelRows(problem, 1e-9)
    for i in (0, 1, 0, 2):
        rows.row(i)
    assert list(rows.kept) == [0, 2]  # the one asked for longest ago went
