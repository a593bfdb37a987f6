"""The active-set method: on Fractions it ends at the very optimum, from any start."""

from fractions import Fraction as Q
from math import inf

import exact
import pytest
from cases_by_hand import CASES, NOT_SEPARABLE
from hypothesis import assume, given
from hypothesis import strategies as st
from problems import feasible, givens, known, of_case
from profiles import draws, each_pair
from test_solvers import clouds, require_disproof

from refsvm import Gaussian, Linear, Polynomial, Precomputed, Problem, kkt, smo
from refsvm.solvers.active_set import active_set
from refsvm.solvers.qp_active_set import Pivot

F8 = next(case for case in CASES if case.name == "F8")


# ---- the optimum


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_every_case_by_hand_is_solved_exactly_on_fractions(case):
    truth = known(case.name)
    solution = active_set(of_case(case).problem(), tol=0)
    assert (solution.status, solution.gap) == ("optimal", 0)
    assert solution.objective == truth.value
    if case.bias:
        assert (solution.b_low, solution.b_high) == (truth.b_low, truth.b_high)
    if case.alpha is not None:
        assert solution.alpha == case.alpha


@pytest.mark.parametrize("case", NOT_SEPARABLE, ids=[case.name for case in NOT_SEPARABLE])
def test_a_missing_hard_margin_is_disproved(case):
    one = of_case(case)
    solution = active_set(one.problem(), tol=0)
    assert solution.status == "infeasible"
    require_disproof(one, solution.farkas)


@given(givens(most=5, hard=True), st.data())
@draws(2/5)
def test_from_any_feasible_start_the_end_is_the_optimum(given, data):
    start = data.draw(st.one_of(st.none(), feasible(given)))
    if start and inf in given.C:
        start = [a * (a < inf) for a in start]
    copy = start and list(start)
    truth = exact.optimum(*given.for_the_judge)
    solution = active_set(given.problem(), tol=0, start=start)
    assert start == copy
    if truth is None:
        assert solution.status == "infeasible"
        require_disproof(given, solution.farkas)
        return
    assert (solution.status, solution.gap, solution.objective) == ("optimal", 0, truth.value)
    if given.bias:
        assert (solution.b_low, solution.b_high) == (truth.b_low, truth.b_high)


@given(givens(most=6, biases=(True,), slacks=("hinge",), kernels=(("linear",),)))
@draws(2/5)
def test_the_dual_is_that_of_the_slides_and_turning_the_data_leaves_it_alone(given):
    # sup over 0 <= alpha_i <= c / n with sum alpha_i y_i = 0; a rotation by the angle of 3, 4, 5.
    n, c = len(given.y), given.C[0]
    given = given._replace(X=[[*x, Q(0)][:2] for x in given.X], C=[c / n] * n)
    turned = [[(3 * u - 4 * v) / 5, (4 * u + 3 * v) / 5] for u, v in given.X]
    solution = active_set(given.problem(), tol=0)
    alpha = solution.alpha
    assert all(0 <= a <= c / n for a in alpha)
    assert exact.exact_sum(a * s for a, s in zip(alpha, given.y)) == 0
    beta = [a * s for a, s in zip(alpha, given.y)]
    assert solution.objective == exact.exact_sum(alpha) - exact.quadratic(given.K, beta) / 2
    if n <= 5:
        assert solution.objective == exact.optimum(*given.for_the_judge).value
    assert active_set(given.problem(X=turned), tol=0).objective == solution.objective


@pytest.mark.parametrize("X", [[[0], [0], [0], [0]], [[2], [2], [2], [-1]]])
@pytest.mark.parametrize("bias", [True, False])
def test_points_on_top_of_each_other_and_at_the_origin_do_no_harm(X, bias):
    problem = Problem([[Q(v) for v in x] for x in X], [1, -1, 1, -1], C=3, bias=bias)
    solution = active_set(problem, tol=0, start=[Q(1)] * 4)
    assert (solution.status, solution.gap) == ("optimal", 0)


# ---- squared slack


@given(givens(most=5, slacks=("squared",), biases=(True,)))
@draws(2/5)
def test_the_dual_of_squared_slack_has_no_upper_bound_and_no_gap(given):
    # The notes print C >= alpha_i, too. Opposite labels on one point do no harm.
    given = given._replace(X=[*given.X[:-1], given.X[0]] if given.K is not given.X else given.X)
    given = given._replace(K=exact.linear_gram(given.X), kernel=Linear())
    truth = exact.optimum(*given.for_the_judge)
    solution = active_set(given.problem(), tol=0)
    beta = [a * s for a, s in zip(solution.alpha, given.y)]
    assert (solution.status, solution.objective) == ("optimal", truth.value)
    assert exact.dual(given.K, given.y, given.C, beta, True) == truth.value


@given(givens(most=5, slacks=("squared",), biases=(True,)))
@draws(2/5)
def test_every_support_vector_of_squared_slack_tells_the_same_offset(given):
    # y_i f_i = 1 - alpha_i / C_i, so b = y_i (1 - alpha_i / C_i) - s_i; not 1: E-lp-14.
    solution = active_set(given.problem(), tol=0)
    beta = [a * s for a, s in zip(solution.alpha, given.y)]
    scores = exact.times(given.K, beta)
    told = {
        s * (1 - a / c) - v
        for a, s, v, c in zip(solution.alpha, given.y, scores, given.C) if a > 0
    }
    assert told == {solution.b} if told else solution.alpha == [0] * len(given.y)


def test_capped_at_C_the_dual_of_squared_slack_misses_its_optimum():
    problem = of_case(F8).problem()
    solution = active_set(problem, tol=0)
    assert solution.objective == Q(186, 91)
    assert solution.alpha == [Q(v, 91) for v in (102, 44, 84, 26, 116)]
    assert solution.alpha[4] > 1 == problem.C[4]
    ridged = [[v + (i == j) for j, v in enumerate(row)] for i, row in enumerate(of_case(F8).K)]
    capped = active_set(Problem(ridged, F8.y, Precomputed(), C=1), tol=0)
    assert max(capped.alpha) == 1
    assert problem.dual(capped.alpha) == capped.objective < Q(186, 91)
    assert problem.primal(capped.alpha, capped.b) > Q(186, 91)


# ---- floats


@pytest.mark.parametrize("kernel, C, bias, seed", each_pair(
    [Linear(), Gaussian(0.01), Polynomial(4, coef0=1)], [0.1, 1, 100], [True, False], [1, 8, 9]))
def test_points_on_a_line_that_floats_cannot_tell_apart_are_solved(kernel, C, bias, seed):
    # Far more multipliers start inside their bounds than the kernel matrix has rank in floats.
    X, y = clouds(37, seed, d=1)
    X = [[6 * x[0]] if i % 3 else [round(6 * x[0])] for i, x in enumerate(X)]
    start = [min(C, 1) * (0.01 + i % 7 / 80) for i in range(37)]
    problem = Problem(X, y, kernel, C, bias)
    solution, other = active_set(problem, 1e-6, start=start), smo(problem, tol=1e-6)
    assert solution.status == "optimal" and solution.iterations < 400
    slackness = 2.0**-40 * abs(other.objective)
    apart = abs(problem.dual(solution.alpha) - problem.dual(other.alpha))
    assert apart <= solution.gap + other.gap + slackness


@given(givens(most=6, hard=True), st.data())
@draws(2/5)
def test_floats_are_solved_from_any_start(given, data):
    problem = given.problem().to(float)
    start = [float(a) for a in data.draw(feasible(given))] if inf not in given.C else None
    assume(start is None or all(a <= c for a, c in zip(start, problem.upper_bounds())))
    truth = exact.optimum(*given.for_the_judge)
    solution = active_set(problem, start=start)
    if truth is None:
        assert solution.status == "infeasible" and min(solution.farkas) >= 0
    else:
        assert solution.status == "optimal" and solution.violation <= 1e-3


def test_it_finishes_exactly_what_smo_began_in_a_few_steps():
    X, y = clouds(40, 8)
    problem = Problem(X, y, Polynomial(2, coef0=1), C=2)
    begun = smo(problem, tol=1e-6)
    steps = []
    solution = active_set(problem.to(Q), 0, None, list(map(Q, begun.alpha)), steps.append)
    assert (solution.status, solution.gap) == ("optimal", 0)
    assert len(steps) < 5
    assert kkt(problem.to(Q), solution.alpha, solution.b).worst.amount == 0


# ---- steps and endings


@given(givens(most=5))
@draws(2/5)
def test_every_move_lowers_no_dual_and_the_last_is_the_optimum(given):
    pivots = []
    solution = active_set(given.problem(), tol=0, on_step=pivots.append)
    assert [p.iteration for p in pivots] == list(range(1, solution.iterations + 1))
    values = [0] + [p.objective for p in pivots]
    assert values == sorted(values) and values[-1] == solution.objective
    for p in pivots:
        assert isinstance(p, Pivot) and p.step >= 0
        assert p.entering is not None or p.step <= 1
        if p.step == 0:
            assert p.blocking is not None


def test_a_move_by_hand():
    # Points 0 and 2: the second enters, the first, which the equation ties to it, responds.
    pivots = []
    active_set(Problem([[Q(0)], [Q(2)]], [-1, 1], C=3), 0, on_step=pivots.append)
    assert pivots == [(1, 1, Q(1, 2), None, Q(1, 2))]


def test_it_ends_where_no_multiplier_gains_more_than_half_of_tol():
    problem = Problem([[Q(2)], [1], [-3], [1]], [-1, -1, 1, -1])
    solution = active_set(problem, tol=1)  # the move before leaves 2, the next one nothing
    assert (solution.alpha, solution.violation) == ([Q(2, 25), 0, Q(2, 25), 0], Q(2, 5))


def test_the_last_move_allowed_gives_an_honest_answer():
    X, y = clouds(40, 5)
    problem = Problem(X, y, C=10)
    solution = active_set(problem, max_iter=3)
    assert (solution.status, solution.iterations) == ("max_iter", 3)
    report = kkt(problem, solution.alpha, solution.b)
    assert abs((report.m - report.M) - solution.violation) < 1e-12 and solution.gap > 0
    assert active_set(problem, max_iter=0).alpha == [0.0] * 40


def test_a_start_inside_shows_negative_curvature_too():
    K = [[Q(v) for v in row] for row in [[0, 1], [1, 0]]]
    solution = active_set(Problem(K, [1, -1], Precomputed(), C=4), 0, start=[1, 1])
    assert solution.status == "indefinite"
