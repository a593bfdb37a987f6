"""Dual coordinate descent: each visit is the formula, the question after a pass, and the ends."""

from fractions import Fraction
from itertools import count, cycle
from math import inf
from random import Random
from sys import float_info

import exact
import pytest
from hypothesis import given
from hypothesis import strategies as st
from problems import feasible, givens
from profiles import draws
from test_coordinate_ascent import Q_of

from refsvm import Gaussian, Precomputed, Problem, dual_coordinate_descent, kkt, smo
from refsvm.numerics.picks import passes, shuffled_passes, splitmix64
from refsvm.numerics.sparse_rows import KeptColumns, SparseRow
from refsvm.solvers.coordinate_ascent import climb, dual_along
from refsvm.solvers.dual_coordinate_descent import CoordinateDescent

linear = givens(biases=(False,), kernels=(("linear",),))
TWO = Problem([[Fraction(1)], [Fraction(-1, 2)]], [1, -1], bias=False)


def with_picks(givens, passes=2):
    """Problems, an alpha to start from, and picks. In two passes none is shrunk."""
    def draw(g):
        n = len(g.y)
        picks = st.lists(st.integers(0, n - 1), min_size=1, max_size=passes * n)
        return st.tuples(st.just(g), feasible(g), picks)

    return givens.flatmap(draw)


# ---- a visit


@given(with_picks(linear))
def test_a_visit_takes_alpha_where_the_dual_is_largest_along_it(drawn):
    given, start, picks = drawn
    problem, steps = given.problem(), []
    points = climb(dual_along(Q_of(given), problem.upper_bounds()), start, picks)
    solution = dual_coordinate_descent(problem, picks, 0, start, steps.append)
    assert solution.alpha == points[solution.iterations]
    moved = [t for t in range(1, solution.iterations + 1) if points[t] != points[t - 1]]
    assert [step.iteration for step in steps] == moved
    for t, step in zip(moved, steps):
        i = picks[t - 1]
        assert (step.i, step.j, step.clipped) == (i, i, points[t][i])
        assert (step.low, step.high) == (0, problem.upper_bounds()[i])
        assert step.objective == problem.dual(points[t])
        assert step.clipped == min(max(step.unclipped, step.low), step.high)


@given(with_picks(linear))
def test_a_step_tells_the_slope_that_its_multiplier_saw(drawn):
    given, start, picks = drawn
    problem, alphas, steps = given.problem(), [start], []
    dual_coordinate_descent(problem, picks, 0, start, steps.append)
    for step in steps:
        row = kkt(problem, alphas[-1], 0).rows[step.i]
        assert step.violation == max(row.short, row.long)
        alphas.append(alphas[-1][:step.i] + [step.clipped] + alphas[-1][step.i + 1:])


@given(with_picks(linear))
def test_w_follows_every_move(drawn):
    given, start, picks = drawn
    descent = CoordinateDescent(given.problem(), start)
    descent.make_pass(picks, None)
    kept = list(descent.w)
    descent.make_weights()
    assert descent.w == kept == given.problem().weights(descent.alpha)


# ---- when it ends


@given(givens(most=5, biases=(False,), kernels=(("linear",),), hard=True),
       st.sampled_from([0, Fraction(1, 10), Fraction(1, 2)]))
def test_optimal_says_that_the_conditions_hold_and_max_iter_that_they_do_not(given, tol):
    problem = given.problem()
    solution = dual_coordinate_descent(problem, shuffled_passes(problem.n, 4, seed=1), tol)
    truth = exact.optimum(*given.for_the_judge)
    if solution.status == "infeasible":
        q = [a * y for a, y in zip(solution.farkas, given.y)]
        assert truth is None and exact.quadratic(given.K, q) == 0 < max(solution.farkas)
        return
    report = kkt(problem, solution.alpha, 0)
    assert solution.violation == report.m - report.M
    assert solution.status == ("optimal" if solution.violation <= tol else "max_iter")
    assert (solution.b, solution.b_low, solution.b_high) == (0, report.m, report.M)
    if truth is not None:
        assert solution.objective <= truth.value <= solution.objective + solution.gap
        assert tol > 0 or solution.status != "optimal" or solution.gap == 0


@given(givens(most=5, biases=(False,), kernels=(("linear",),)))
@draws(1/2)
def test_on_doubles_it_comes_to_the_optimum(given):
    problem = given.problem(C=[min(c, 2) for c in given.C]).to(float)
    solution = dual_coordinate_descent(problem, shuffled_passes(problem.n, 3000, 1), 1e-6)
    best = smo(problem, 1e-9)
    assert solution.status == "optimal"
    assert abs(solution.objective - best.objective) <= solution.gap + best.gap + 1e-12


def test_a_pass_that_saw_much_is_not_asked_and_one_that_missed_an_example_does_not_end():
    problem = Problem([[2.0], [1.0]], [1, -1], C=1, bias=False)
    # After 0, 1, 0, 1, ... the optimum is reached exactly, and the pass after it sees that.
    solution = dual_coordinate_descent(problem, cycle([0, 1]), 0)
    assert (solution.status, solution.gap, solution.violation) == ("optimal", 0, 0)
    before = dual_coordinate_descent(problem, passes(2, solution.iterations // 2 - 1), 0)
    assert (before.alpha, before.status) == (solution.alpha, "optimal")
    # A single example is always at its best, which LIBLINEAR takes for the end.
    alone = dual_coordinate_descent(problem, [0] * 10, 0)
    assert (alone.status, alone.iterations) == ("max_iter", 10) and alone.violation > 0


def test_a_violation_that_is_rounding_only_ends_it_however_many_picks_there_are():
    random = Random(3)
    for n in (5, 12, 30):
        X = [[random.gauss(0, 1) + s, random.gauss(0, 1)] for s in [1, -1] * n]
        problem = Problem(X, [1, -1] * n, C=0.3, bias=False)
        picks = shuffled_passes(2 * n, 10**6, seed=n)
        solution = dual_coordinate_descent(problem, picks, 0)
        known = "optimal" if solution.violation == 0 else "precision"
        assert (solution.status, solution.iterations < 10**5 * n) == (known, True)
        assert solution.violation < 1e-11 and solution.gap < 1e-10
        # What rounding explains is within a tolerance that is no smaller.
        assert dual_coordinate_descent(problem, picks, 1e-10).status == "optimal"


def test_it_is_asked_at_twice_the_rounding_and_ends_there_once_nothing_improves():
    descent = descent_after([0, 1], (3.4, -0.4))
    answers = iter([3.0, 3.0, 1.5, 1.5, 1.4, 1.4])
    descent.rounding, descent.violation = (lambda: 1.0), (lambda r: next(answers))
    for met, objective, reason in [
        (2.1, 0, None),  # it is not asked
        (2, 1, None),  # 3.0, which rounding does not explain
        (2, 1, None),
        (2, 1, None),  # 1.5, which is less than before
        (2, 2, None),  # the dual rose
        (2, 2, None),  # 1.4
        (2, 2, "precision"),
    ]:
        descent.known = 10.0
        descent.m, descent.M, descent.objective = met, 0.0, objective
        assert descent.reason_to_stop(0.1) == reason
    assert next(answers, None) is None


def test_rounding_is_bounded_by_the_support_the_columns_and_the_mass():
    problem = Problem([[2.0, 0.0], [1.0, 1.0], [0.0, 1.0]], [1, -1, 1], bias=False)
    descent = CoordinateDescent(problem, [0.5, 0.0, 0.25])
    assert descent.rounding() == 2.0**-53 * (2 + 2 + 8) * (1 + 0.75 * 4)
    assert CoordinateDescent(problem.to(Fraction), None).rounding() == 0


def test_picks_that_miss_what_violates_are_not_taken_for_a_want_of_precision():
    problem = Problem([[2.0], [1.0]], [1, -1], C=1, bias=False)
    solution = dual_coordinate_descent(problem, [0] * 100, 0)
    assert (solution.status, solution.violation) == ("max_iter", 1.5)
    exact = problem.to(Fraction)
    assert dual_coordinate_descent(exact, [0] * 100, 0).status == "max_iter"


def test_no_picks_leave_it_where_it_starts():
    solution = dual_coordinate_descent(TWO, [], start=[0, 1])
    assert (solution.alpha, solution.iterations, solution.status) == ([0, 1], 0, "max_iter")


def test_starting_at_the_optimum_takes_one_pass_and_moves_nothing():
    problem = Problem([[Fraction(2), 0], [1, 1], [0, -1]], [1, 1, -1], bias=False)
    best, steps = smo(problem, 0), []
    again = dual_coordinate_descent(problem, count(), 0, best.alpha, steps.append)
    assert (again.alpha, again.status, again.iterations, steps) == (best.alpha, "optimal", 3, [])


def test_no_more_picks_are_read_than_are_visited():
    picks = cycle([1, 0])
    assert dual_coordinate_descent(TWO, picks).status == "optimal"
    assert next(picks) == 1
    short = iter([0, 1, 0])
    assert dual_coordinate_descent(TWO, short, 0, [1, 0]).iterations in (2, 3)


# ---- examples that are passed over


def descent_after(picks, before=(inf, -inf)):
    """Two examples far on the right sides and one between, after a pass of these picks."""
    descent = CoordinateDescent(Problem([[3.0], [-9.0], [0.5]], [1, -1, 1], bias=False), None)
    descent.make_pass([2, 2], None)
    descent.m, descent.M = before
    descent.make_pass(picks, None)
    return descent


def test_an_example_is_shrunk_at_its_bound_beyond_the_residuals_of_the_pass_before():
    # alpha = (0, 0, 1), w = 1/2: the residuals are 1 - 3/2 = -1/2, -1 + 9/2 = 7/2, 3/4 at C.
    assert descent_after([0, 1, 2]).shrunk == [False] * 3
    assert descent_after([0, 1], (3.5, -0.5)).shrunk == [False] * 3
    assert descent_after([0, 1], (3.4, -0.4)).shrunk == [True, True, False]
    assert descent_after([2], (0.75, 0.0)).shrunk == [False] * 3
    assert descent_after([2], (0.7, 0.0)).shrunk == [False, False, True]


def test_a_sleeper_is_not_visited_until_the_question_is_asked():
    descent = descent_after([0, 1], (3.4, -0.4))
    descent.alpha[0] = 1.0  # its slope is not 0 there
    descent.make_pass([0], None)
    assert (descent.m, descent.M, descent.alpha[0]) == (0, 0, 1)
    assert descent.reason_to_stop(0.1) is None and descent.shrunk == [False] * 3
    descent.make_pass([0], None)
    assert descent.alpha[0] == 0
    assert (descent.m_before, descent.M_before) == (inf, -inf)


def test_the_question_is_asked_at_a_tenth_of_the_answer_before_and_at_tol():
    descent = descent_after([0, 1], (3.4, -0.4))
    for met, known, tol, asked in [
        (9, inf, 1, True), (0.4, 4, 0.1, True), (0.41, 4, 0.1, False), (1, 4, 1, True),
    ]:
        descent.shrunk, descent.m, descent.M, descent.known = [True] * 3, met, 0.0, known
        reason = "optimal" if asked else None  # at the optimum, where the answer is yes
        assert descent.reason_to_stop(tol) == reason
        assert descent.shrunk == [not asked] * 3
        assert descent.known == (0 if asked else known)


def test_with_sleepers_the_optimum_is_the_same():
    words = splitmix64(3)
    X = [[(next(words) >> 11) * 2.0**-51 - 2 for _ in range(3)] for _ in range(60)]
    y = [1 if x[0] + x[1] * x[2] > (next(words) >> 11) * 2.0**-52 - 1 else -1 for x in X]
    problem, steps = Problem(X, y, C=2, bias=False), []
    ours = dual_coordinate_descent(problem, passes(60, 2000), 1e-7, on_step=steps.append)
    best = smo(problem, 1e-9)
    assert ours.status == "optimal" and len(steps) < ours.iterations / 4
    assert abs(ours.objective - best.objective) <= ours.gap + best.gap + 1e-12


# ---- ends that are not the optimum


@pytest.mark.parametrize("slack", ["hinge", "squared"])
def test_an_example_in_the_origin_rises_to_its_bound_or_proves_that_there_is_no_margin(slack):
    X = [[Fraction(1)], [Fraction(0)]]
    soft = dual_coordinate_descent(Problem(X, [1, -1], C=3, bias=False, slack=slack), passes(2, 9))
    assert (soft.alpha[1], soft.status) == (3, "optimal")
    hard = Problem(X, [1, -1], C=[3, inf], bias=False, slack=slack)
    solution = dual_coordinate_descent(hard, passes(2, 9))
    assert (solution.status, solution.farkas, solution.iterations) == ("infeasible", [0, 1], 2)


def test_a_hard_margin_that_exists_is_found_and_one_that_does_not_uses_up_the_picks():
    X = [[1.0, 0.0], [1.0, 1.0], [-1.0, 0.5]]
    found = dual_coordinate_descent(Problem(X, [1, 1, -1], C=inf, bias=False), passes(3, 99), 1e-9)
    assert found.status == "optimal" and found.gap < 1e-8
    none = Problem([[1.0], [2.0]], [1, -1], C=inf, bias=False)
    solution = dual_coordinate_descent(none, passes(2, 50))
    assert (solution.status, solution.iterations, solution.gap) == ("max_iter", 100, inf)


HUGE = 1.7e308


@pytest.mark.parametrize("X, C, slack, start, what, i", [
    ([[0.0], [2.0]], HUGE, "hinge", [0, HUGE], "residual", 1),
    ([[2.0], [1.0]], HUGE, "hinge", [0, HUGE], "residual", 0),
    ([[1e-200], [1.0]], inf, "hinge", None, "multiplier", 0),
    ([[1.0], [1e-160]], inf, "squared", None, "multiplier", 1),
    ([[0.0], [1.0]], float_info.max, "squared", None, "multiplier", 0),
])
def test_numbers_beyond_the_doubles_are_refused(X, C, slack, start, what, i):
    problem = Problem(X, [1, -1], C=C, bias=False, slack=slack)
    with pytest.raises(ValueError) as refusal:
        dual_coordinate_descent(problem, passes(2, 3), start=start)
    assert str(refusal.value) == (
        f"the {what} of example {i} went beyond the doubles; scale X, lower C or give Fractions"
    )


# ---- what it is given


def test_sparse_rows_are_the_same_problem():
    rows = [[0.0] * 40 for _ in range(6)]
    for i, row in enumerate(rows):
        row[3 * i], row[(7 * i) % 40 + 1], row[39] = i - 2.5, 0.75 * i, -0.0
    sparse = [SparseRow(KeptColumns([k for k, v in enumerate(x) if v], 40), [v for v in x if v])
              for x in rows]
    told = [], []
    ours, theirs = (
        dual_coordinate_descent(Problem(X, [1, -1] * 3, C=9, bias=False), passes(6, 30), 1e-6,
                                on_step=steps.append)
        for X, steps in zip((rows, sparse), told)
    )
    assert ours == theirs and told[0] == told[1]


@pytest.mark.parametrize("problem, picks, options, error, sentence", [
    (Problem([[0], [2]], [-1, 1]), [0], {}, ValueError,
     "problem has an offset, so that no multiplier can move alone; dual_coordinate_descent needs"
     " bias=False, and smo solves problems with an offset"),
    (Problem([[0], [2]], [-1, 1], Gaussian(1), bias=False), [0], {}, ValueError,
     "problem has the kernel Gaussian(gamma=1.0); dual_coordinate_descent keeps w, which needs"
     " Linear(); smo takes every kernel"),
    (Problem([[1, 0], [0, 1]], [-1, 1], Precomputed(), bias=False), [0], {}, ValueError,
     "problem has the kernel Precomputed(); dual_coordinate_descent keeps w, which needs Linear();"
     " smo takes every kernel"),
    (5, [0], {}, TypeError, "problem is 5; a Problem is needed"),
    (TWO, 7, {}, TypeError, "picks is 7; an iterable of indices is needed"),
    (TWO, [0, 2], {}, ValueError, "picks[1] is 2; there are 2 examples"),
    (TWO, [0, 0, 0, -1], {"tol": 0}, ValueError, "picks[3] is -1; it must be at least 0"),
    (TWO, [0, 0.5], {}, TypeError, "picks[1] is 0.5; a whole number is needed"),
    (TWO, [0], {"tol": -1}, ValueError, "tol is -1; it must not be negative"),
    (TWO, [0], {"start": [0, 2]}, ValueError,
     "start[1] is 2; it must be from 0 to C, which is 1"),
    (TWO, [0], {"on_step": 3}, TypeError, "on_step is 3; a function of a Step is needed"),
    (Problem([[1e200], [1.0]], [1, -1], bias=False), [0], {}, ValueError,
     "the kernel value of examples 0 and 0 is inf; it must be finite"),
])
def test_a_bad_argument_is_named(problem, picks, options, error, sentence):
    with pytest.raises(error) as caught:
        dual_coordinate_descent(problem, picks, **options)
    assert str(caught.value) == sentence


def test_inputs_are_left_alone():
    X, y, start, picks = [[1.0], [2.0], [-1.0]], [1, 1, -1], [0.0, 1.0, 1.0], [2, 1, 0]
    dual_coordinate_descent(Problem(X, y, bias=False), picks, start=start)
    assert (X, y) == ([[1.0], [2.0], [-1.0]], [1, 1, -1])
    assert (start, picks) == ([0.0, 1.0, 1.0], [2, 1, 0])


def test_a_fraction_in_the_arguments_makes_the_problem_one_of_fractions():
    problem = Problem([[1.0], [-0.5]], [1, -1], bias=False)
    solution = dual_coordinate_descent(problem, passes(2, 3), start=[Fraction(1, 3), 0])
    assert all(type(a) is Fraction for a in solution.alpha)
