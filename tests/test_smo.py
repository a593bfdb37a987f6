"""SMO: on Fractions it ends at the very optimum; on floats as near as it says, and it says so."""

import inspect
from fractions import Fraction
from math import inf

import exact
import pytest
from cases_by_hand import CASES
from hypothesis import assume, example, given
from hypothesis import strategies as st
from peers import peer
from problems import givens, of_case
from profiles import draws

import refsvm
from refsvm import (
    Gaussian,
    Linear,
    Polynomial,
    Precomputed,
    Problem,
    Sigmoid,
    Solution,
    active_set,
    coordinate_ascent,
    kkt,
    projected_gradient,
    smo,
)
from refsvm.kernels.gram_matrices import KernelRows
from refsvm.numerics.picks import uniform
from refsvm.solvers import smo as module
from refsvm.solvers.dual_program import dual_program, solver_arguments
from refsvm.svm.dual_form import restore_sums


def bits(solution):
    """Everything a Solution says, with floats by their bits."""
    return [
        [v.hex() for v in field] if isinstance(field, list) else getattr(field, "hex", str)()
        if isinstance(field, float)
        else field
        for field in solution
    ]


def exact_gap(problem, solution):
    """primal - dual in exact arithmetic, at the solution's alpha made to sum to zero exactly."""
    exactly = problem.to(Fraction)
    beta = exactly.beta(solution.alpha)
    beta = restore_sums(exactly.dual_form(), beta, Fraction) if problem.bias else beta
    return exactly.gap([x * y for x, y in zip(beta, problem.y)], Fraction(solution.b))


def row_of_points(n, seed):
    """n points of two overlapping clouds, and labels; the same on every machine."""
    draws = uniform(2**30, 3 * n, seed)
    y = [1 if i % 2 else -1 for i in range(n)]
    return [[next(draws) / 2**30 + 0.2 * s for _ in range(3)] for s in y], y


# ---- the optimum


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_every_case_by_hand_is_solved_exactly_on_fractions(case):
    problem = of_case(case)
    truth = exact.optimum(*problem.for_the_judge)
    solution = smo(problem.problem(), tol=0)
    if truth is None:
        assert solution.status == "infeasible"
        return
    assert (solution.status, solution.gap) == ("optimal", 0)
    assert solution.objective == truth.value
    if problem.bias:
        assert (solution.b_low, solution.b_high) == (truth.b_low, truth.b_high)


@given(givens(most=5))
@draws(3/2)
def test_on_fractions_the_answer_is_the_optimum_and_the_interval_of_offsets(given):
    truth = exact.optimum(*given.for_the_judge)
    solution = smo(given.problem(), tol=0)
    assert (solution.status, solution.gap, solution.objective) == ("optimal", 0, truth.value)
    if given.bias:
        assert (solution.b_low, solution.b_high) == (truth.b_low, truth.b_high)
        assert solution.b_low <= solution.b <= solution.b_high
    else:
        assert solution.b == 0


@given(givens(most=5, hard=True))
def test_a_hard_margin_is_found_or_disproved(given):
    truth = exact.optimum(*given.for_the_judge)
    problem = given.problem()
    solution = smo(problem, tol=0)
    if truth is not None:
        assert (solution.status, solution.objective) == ("optimal", truth.value)
        assert solution.gap == 0
        return
    assert solution.status == "infeasible"
    q = [a * y for a, y in zip(solution.farkas, given.y)]
    assert min(solution.farkas) >= 0 < max(solution.farkas)
    assert all(c == inf for c, a in zip(given.C, solution.farkas) if a)
    assert exact.quadratic(given.K, q) == 0
    if given.bias:
        assert exact.exact_sum(q) == 0


small = st.integers(-40, 40).map(lambda v: v / 8)
scales = st.sampled_from([2.0**-10, 0.1, 1.0, 64.0, 1e6])
starts = st.sampled_from([0.0, 2000.0, 2.0**20, 1.6e9])


@st.composite
def float_problems(draw):
    n, d = draw(st.integers(2, 8)), draw(st.integers(1, 3))
    X = [[draw(small) for _ in range(d)] for _ in range(n)]
    far = draw(starts)
    X = [[far + x[0], *x[1:]] for x in X]
    y = [1, -1] + [draw(st.sampled_from([1, -1])) for _ in range(n - 2)]
    kernel = Linear() if far else draw(st.sampled_from([Linear(), Polynomial(2, coef0=1)]))
    return Problem(X, y, kernel, draw(scales))


@given(float_problems(), st.sampled_from([1e-3, 1e-6]))
@example(Problem([[1.6e9 + v] for v in (1.375, 3.75, 3.75, -3.75, -3.75, 2.375)],
                 [1, -1, 1, -1, 1, 1], C=1e6), 1e-6)  # where the sum must be even to the last bit
@draws(3)
def test_what_is_called_optimal_is_optimal_to_tol_in_exact_arithmetic(problem, tol):
    solution = smo(problem, tol)
    assume(solution.status == "optimal")
    # Residuals carry the rounding of their own sums, and b is a double.
    largest = max(max(map(abs, x)) for x in problem.rows)
    rounding = 2.0**-48 * max(problem.C) * problem.n * (1 + largest) ** 4
    rounding += 2.0**-52 * abs(solution.b)
    assert exact_gap(problem, solution) <= (tol + rounding) * problem.n * max(problem.C)


@given(float_problems())
def test_linear_problems_of_every_scale_and_distance_end_optimal(problem):
    assume(problem.linear)
    assert smo(problem).status == "optimal"


def test_four_points_and_a_huge_C_take_a_few_steps():
    # Pair steps alone take half of C: each moves two multipliers by one.
    corners = [[0, 0], [1, 1], [0, 1], [1, 0]]
    solution = smo(Problem(corners, [-1, -1, 1, 1], C=2**20))
    assert solution.alpha == [2.0**20] * 4
    assert solution.iterations < 10


def test_the_answer_is_the_same_for_any_distance_from_the_origin():
    for k in range(41):
        t = 2.0**k
        points = [[v + t] for v in (0, 1, 3, 4, 2)]
        solution = smo(Problem(points, [-1, -1, 1, 1, 1]))
        assert solution.model().w == [1.0]
        assert (solution.b_low, solution.b_high) == (-t - 2, -t - 1)
        assert solution.gap == 0


def test_scaled_data_give_the_scaled_answer_to_the_bit():
    X, y = row_of_points(30, 7)
    plain = smo(Problem(X, y, C=2))
    for k in range(-60, 61, 20):
        c = 2.0**k
        scaled = smo(Problem([[v * c for v in x] for x in X], y, C=2 / (c * c)))
        assert [a * c * c for a in scaled.alpha] == plain.alpha
        assert (scaled.b, scaled.iterations) == (plain.b, plain.iterations)
        assert scaled.objective * c * c == plain.objective


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


def test_the_cache_and_the_threads_change_no_bit():
    X, y = row_of_points(60, 3)
    problem = Problem(X, y, Gaussian(2), C=50)
    plain = bits(smo(problem, tol=1e-6))
    assert bits(smo(problem, tol=1e-6, cache_mb=1e-6)) == plain
    assert bits(smo(problem, tol=1e-6, threads=3)) == plain
    assert bits(smo(problem, tol=1e-6)) == plain


def test_inputs_are_left_alone():
    X, y, C, start = [[0], [1], [3]], [-1, -1, 1], [1, 2, 3], [0, 1, 1]
    smo(Problem(X, y, C=C), start=start)
    assert (X, y, C, start) == ([[0], [1], [3]], [-1, -1, 1], [1, 2, 3], [0, 1, 1])


@given(givens(most=5))
def test_the_order_of_the_examples_changes_no_exact_value(given):
    turned = given._replace(X=given.X[::-1], y=given.y[::-1], C=given.C[::-1])
    assume(not isinstance(given.kernel, Precomputed))
    one, other = smo(given.problem(), tol=0), smo(turned.problem(), tol=0)
    assert (one.objective, one.b_low, one.b_high) == (other.objective, other.b_low, other.b_high)


# ---- steps


@given(givens(most=5))
def test_each_step_gains_and_stays_on_its_segment(given):
    steps = []
    solution = smo(given.problem(), tol=0, on_step=steps.append)
    require_gains(steps, solution, given.bias)


def require_gains(steps, solution, bias):
    """Assert that on_step heard of all steps in turn, each of which gained on its segment."""
    assert [step.iteration for step in steps] == list(range(1, solution.iterations + 1))
    objective = 0
    for step in steps:
        assert step.low <= step.clipped <= step.high
        assert step.clipped == min(max(step.unclipped, step.low), step.high)
        assert step.objective > objective
        objective = step.objective
        assert (step.i == step.j) == (not bias)
    assert objective <= solution.objective


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


def test_the_callback_may_stop_the_solver_by_raising():
    def stop(step):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        smo(Problem([[0], [2]], [-1, 1]), on_step=stop)


# ---- starting


@given(givens(most=5))
def test_starting_at_the_optimum_takes_no_step(given):
    problem = given.problem()
    first = smo(problem, tol=0)
    again = smo(problem, tol=0, start=first.alpha)
    assert (again.iterations, again.objective) == (0, first.objective)


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


@pytest.mark.parametrize("C", [1e200, 1e300])
def test_penalties_whose_squares_overflow_are_not_called_optimal(C):
    problem = Problem([[0.5], [1.25], [-3], [2]], [-1, 1, 1, -1], C=C)
    solution = smo(problem, max_iter=200)
    assert solution.status == "precision" and solution.gap != solution.gap
    assert all(0 <= a <= C for a in solution.alpha)


BEYOND = [[0.0], [1.0], [2.0]], [1, -1, 1], Linear(), 1.7e308, False


@pytest.mark.parametrize("solver, what", [
    (smo, "residual"), (coordinate_ascent, "residual"), (projected_gradient, "residual"),
    (active_set, "multiplier"),
])
def test_numbers_that_go_beyond_the_doubles_are_refused(solver, what):
    """No separator without offset: alpha goes to C, and C times K to infinity."""
    with pytest.raises(ValueError) as refusal:
        solver(Problem(*BEYOND), max_iter=100)
    assert str(refusal.value) == (
        f"the {what} of example 2 went beyond the doubles; scale X, lower C or give Fractions"
    )


@pytest.mark.parametrize("solver", [smo, coordinate_ascent, active_set, projected_gradient])
def test_on_fractions_a_dual_beyond_the_doubles_leaves_the_gap_of_a_broken_hard_margin(solver):
    near = Fraction(1, 10**200)
    problem = Problem([[near], [2 * near], [3 * near]], [1, -1, 1], C=inf, bias=False)
    solution = solver(problem, max_iter=1)
    assert solution.objective > 10**398 and solution.gap == inf


def test_the_last_step_allowed_gives_an_honest_answer():
    X, y = row_of_points(40, 5)
    problem = Problem(X, y, C=10)
    solution = smo(problem, max_iter=3)
    assert (solution.status, solution.iterations) == ("max_iter", 3)
    assert solution.violation > 1e-3
    report = kkt(problem, solution.alpha, solution.b)
    assert abs((report.m - report.M) - solution.violation) < 1e-12
    assert solution.gap > 0
    assert smo(problem, max_iter=0).alpha == [0.0] * 40


def test_opposite_labels_on_one_point_have_no_hard_margin():
    solution = smo(Problem([[1], [1], [5]], [1, -1, 1], C=inf))
    assert (solution.status, solution.farkas) == ("infeasible", [1.0, 1.0, 0.0])


def test_a_point_at_the_origin_has_no_hard_margin_without_offset():
    solution = smo(Problem([[0, 0], [1, 1], [-1, -1]], [1, 1, -1], C=inf, bias=False))
    assert (solution.status, solution.farkas) == ("infeasible", [1.0, 0.0, 0.0])


def test_collinear_points_that_alternate_have_no_hard_margin():
    solution = smo(Problem([[0], [1], [2]], [1, -1, 1], C=inf))
    assert solution.status == "infeasible"
    a, b, c = map(Fraction, solution.farkas)
    assert abs(b - (a + c)) <= b * Fraction(1, 2**50) and abs(a - c) <= a * Fraction(1, 2**50)


def test_overlapping_clouds_have_no_hard_margin():
    X, y = row_of_points(60, 9)
    problem = Problem(X, y, C=inf)
    solution = smo(problem)
    assert solution.status == "infeasible"
    q = [Fraction(a) * s for a, s in zip(solution.farkas, y)]
    total = sum(map(abs, q))
    assert abs(sum(q)) <= total * Fraction(1, 2**40)
    for column in zip(*X):
        moment = sum(v * Fraction(x) for v, x in zip(q, column))
        assert abs(moment) <= total * Fraction(1, 2**20)


def test_squared_slack_always_has_an_answer():
    solution = smo(Problem([[1], [1]], [1, -1], slack="squared"), tol=0)
    assert (solution.status, solution.alpha) == ("optimal", [1.0, 1.0])


@pytest.mark.parametrize("K", [[[0, 1], [1, 0]], [[-1, 0], [0, -1]], [[1, 2], [2, 1]]])
def test_negative_curvature_is_met_and_named(K):
    solution = smo(Problem(K, [1, -1], Precomputed(), C=4))
    assert solution.status == ("indefinite" if K[0][0] + K[1][1] < 2 * K[0][1] else "optimal")
    assert solution.alpha == [4.0, 4.0]


def test_an_indefinite_kernel_still_climbs():
    X, y = row_of_points(30, 2)
    steps = []
    solution = smo(Problem(X, y, Sigmoid(3, -2), C=5), on_step=steps.append)
    assert solution.status in ("indefinite", "optimal")
    assert all(b.objective >= a.objective for a, b in zip(steps, steps[1:]))


def test_an_unbounded_dual_of_an_indefinite_kernel_ends():
    solution = smo(Problem([[-1, 0], [0, -1]], [1, -1], Precomputed(), C=inf))
    assert (solution.status, solution.farkas) == ("indefinite", None)


def test_what_doubles_cannot_resolve_is_called_so_and_the_gap_tells_the_truth():
    X, y = row_of_points(30, 4)
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
    assert solution.violation < 1e-15 and solution.farkas is None


def test_a_direction_that_cancels_to_nothing_is_no_way_without_end():
    # the face's conjugate direction comes out as zeros: a disproof of zeros would prove nothing
    X = [[1, -1], [1, -0.5], [0.5, 0.5]]
    problem = Problem(X, [-1, 1, 1], Polynomial(3, 0.5), slack="squared")
    solution = smo(problem, tol=0)
    assert (solution.status, solution.farkas) == ("precision", None)


def test_slack_that_can_be_bought_is_never_called_infeasible():
    # 1 / C is lost beside a kernel value of 10^40, so the dual looks unbounded.
    problem = Problem([[1e5], [1e5]], [-1, 1], Polynomial(4), C=1, slack="squared")
    solution = smo(problem)
    assert (solution.status, solution.farkas) == ("precision", None)


@pytest.mark.parametrize("old, high", [(0.1556134615611489, 0.9184820619953314)])
def test_a_step_to_a_bound_ends_on_it_exactly(old, high):
    assert old + (high - old) < high  # so adding is not enough
    program = dual_program(Problem([[0], [2]], [-1, 1]), None, 1)
    program = program._replace(lower=[old] * 2, upper=[high] * 2, start=[old] * 2)
    ascent = module.PairAscent(program, float)
    ascent.add_clipped(0, high - old)
    assert ascent.beta[0] == high
    ascent.add_clipped(0, old - high)
    assert ascent.beta[0] == old


# ---- refusals


@pytest.mark.parametrize(
    "arguments, error, sentence",
    [
        ({"tol": -1}, ValueError, "tol is -1.0; it must not be negative"),
        ({"tol": float("nan")}, ValueError, "tol is nan; it must be a finite number"),
        ({"tol": "small"}, TypeError, "tol is 'small'; a number is needed"),
        ({"max_iter": -1}, ValueError, "max_iter is -1; it must be at least 0"),
        ({"max_iter": 1.5}, TypeError, "max_iter is 1.5; a whole number is needed"),
        ({"cache_mb": 0}, ValueError, "cache_mb is 0; it must be positive"),
        ({"threads": 0}, ValueError, "threads is 0; it must be at least 1"),
        ({"on_step": 3}, TypeError, "on_step is 3; a function of a Step is needed"),
        ({"start": [0]}, ValueError, "start has length 1; there are 2 examples"),
        ({"start": [2, 0]}, ValueError, "start[0] is 2.0; it must be from 0 to C, which is 1.0"),
        ({"start": [-1, 0]}, ValueError, "start[0] is -1.0; it must be from 0 to C, which is 1.0"),
    ],
)
def test_a_bad_argument_is_named(arguments, error, sentence):
    with pytest.raises(error) as caught:
        smo(Problem([[0], [2]], [-1, 1]), **arguments)
    assert str(caught.value) == sentence


def test_a_kernel_value_that_is_not_finite_is_named_by_its_examples():
    problem = Problem([[1e200], [1], [2]], [1, -1, 1], Polynomial(2))
    with pytest.raises(ValueError) as caught:
        smo(problem)
    sentence = "the kernel value of examples 0 and 0 is inf; it must be finite"
    assert str(caught.value) == sentence


def test_a_solution_has_the_fields_of_the_design_and_knows_its_problem():
    problem = Problem([[0], [2]], [-1, 1])
    solution = smo(problem)
    assert isinstance(solution, Solution) and solution.problem is problem
    assert solution._fields == (
        "alpha", "b", "b_low", "b_high", "objective", "gap", "violation", "iterations",
        "status", "farkas",
    )


def test_the_default_number_of_steps_is_finite():
    assert module.smo.__defaults__[1] is None


def test_the_interval_of_offsets_is_that_of_the_returned_alpha():
    # evening out sum alpha_i y_i moves the free multiplier onto its bound, by one rounding
    problem = Problem([[7 / 3], [-2 / 3], [-4 / 3], [2]], [1, 1, -1, 1], C=0.5)
    solution = smo(problem)
    report = kkt(problem, solution.alpha)
    assert solution.alpha == [0, 0.5, 0.5, 0] and solution.b_low < 0.34 < 1.2 < solution.b_high
    assert abs(solution.b_low - report.b_low) + abs(solution.b_high - report.b_high) < 2.0**-50


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


def without_annotations(function):
    """The signature of a function without its types."""
    parameters = inspect.signature(function).parameters.values()
    return inspect.Signature([p.replace(annotation=inspect.Parameter.empty) for p in parameters])


def test_every_solver_takes_the_same_arguments_with_the_same_defaults():
    signature = without_annotations(smo)
    assert str(signature) == (
        "(problem, tol=0.001, max_iter=None, start=None, on_step=None, *, cache_mb=200, threads=1)"
    )
    for solver in (refsvm.active_set, refsvm.coordinate_ascent, refsvm.projected_gradient):
        assert without_annotations(solver) == signature


THREE = Problem([[Fraction(0)], [3], [1]], [1, -1, 1])
TWO = Problem([[Fraction(1)], [Fraction(-1, 2)]], [1, -1], bias=False)


@pytest.mark.parametrize("solver, problem", [
    (smo, THREE), (projected_gradient, THREE), (coordinate_ascent, TWO),
    (refsvm.textbook_smo, THREE), (refsvm.textbook_projected_gradient, THREE),
    (refsvm.textbook_coordinate_ascent, TWO),
])
def test_without_a_tol_the_margins_are_kept_to_a_thousandth(solver, problem):
    assert solver(problem).violation <= Fraction(1, 1000) < solver(problem, 1).violation


def test_without_a_limit_there_are_100_000_steps_or_100_for_each_example():
    few, many = Problem([[0], [1]], [1, -1]), Problem([[0], [1]] * 600, [1, -1] * 600)
    limits = [solver_arguments(p, 0.1, None, None, None, 200, 1)[2] for p in (few, many)]
    assert limits == [100_000, 120_000]


def test_as_many_kernel_rows_are_kept_as_there_are_or_fit_into_the_cache_and_two_at_least():
    problem = Problem([[0], [1], [2]], [1, -1, 1])  # a row of 3 numbers takes 96 bytes
    rooms = [KernelRows(problem, megabytes).capacity for megabytes in (1e308, 0.0002, 1e-9)]
    assert rooms == [3, 2, 2]
    rows = KernelRows(problem, 1e-9)
    for i in (0, 1, 0, 2):
        rows.row(i)
    assert list(rows.kept) == [0, 2]  # the one asked for longest ago went
