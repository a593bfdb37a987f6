"""What all solvers of the dual promise alike. What one of them promises alone is in its own file.

On Fractions a solver ends at the very optimum, or proves that there is none. On doubles it says
"optimal" only of what is so to tol; units, room, threads and the order of the rows change nothing.
"""

import inspect
from fractions import Fraction as Q
from functools import partial
from math import inf
from typing import Any, NamedTuple

import exact
import pytest
from cases_by_hand import CASES, NOT_SEPARABLE
from hypothesis import assume, example, given
from hypothesis import strategies as st
from problems import examples, feasible, givens, of_case
from profiles import draws, each_pair

import refsvm
from refsvm import (
    Gaussian,
    Kernel,
    Linear,
    Polynomial,
    Precomputed,
    Problem,
    Sigmoid,
    Spectrum,
    kkt,
)
from refsvm.numerics.picks import uniform
from refsvm.solvers.coordinate_ascent import textbook_coordinate_ascent
from refsvm.solvers.decomposition import decomposition
from refsvm.solvers.dual_program import solver_arguments
from refsvm.svm.dual_form import restore_sums


class Solver(NamedTuple):
    """A solver and what it takes: problems with an offset, without one, or both."""

    solve: Any
    biases: tuple = (True, False)


EXACT = {
    "smo": Solver(refsvm.smo),
    "decomposition": Solver(partial(decomposition, members=3)),
    "pairs in turn": Solver(partial(decomposition, members=2)),
    "active_set": Solver(refsvm.active_set),
    "projected_gradient": Solver(refsvm.projected_gradient),
    "coordinate_ascent": Solver(refsvm.coordinate_ascent, (False,)),
}
TEXTBOOK = {
    "textbook_smo": Solver(refsvm.textbook_smo, (True,)),
    "textbook_projected_gradient": Solver(refsvm.textbook_projected_gradient),
    "textbook_coordinate_ascent": Solver(textbook_coordinate_ascent, (False,)),
}
each_exact = pytest.mark.parametrize("name", EXACT)
each = pytest.mark.parametrize("name", [*EXACT, *TEXTBOOK])
with_offset = pytest.mark.parametrize("name", [k for k, s in EXACT.items() if True in s.biases])


def solvers(bias, of=None):
    """(name, function) of those that solve problems with an offset, or without."""
    return [(k, s.solve) for k, s in (of or EXACT).items() if bias in s.biases]


def of_name(name):
    """The function, and whether problems for it have an offset."""
    solver = {**EXACT, **TEXTBOOK}[name]
    return solver.solve, solver.biases[0]


def clouds(n, seed, apart=0.2, d=3):
    """n points of two clouds, and labels; the same on every machine."""
    draws = uniform(2**30, d * n, seed)
    y = [1 if i % 2 else -1 for i in range(n)]
    return [[next(draws) / 2**30 + apart * s for _ in range(d)] for s in y], y


def require_right(given, truth, solution, name):
    """Assert that an answer in Fractions is the optimum, or disproves a hard margin."""
    if truth is None:
        assert (name, solution.status) == (name, "infeasible")
        require_disproof(given, solution.farkas)
        return
    found = solution.status, solution.gap, solution.objective
    assert (name, *found) == (name, "optimal", 0, truth.value)
    assert solution.violation <= 0
    beta = [a * s for a, s in zip(solution.alpha, given.y)]
    squared = given.slack == "squared"
    assert exact.dual(given.K, given.y, given.C, beta, squared) == truth.value
    assert all(0 <= a and (squared or a <= c) for a, c in zip(solution.alpha, given.C))
    assert not given.bias or exact.exact_sum(beta) == 0
    assert not squared or inf in given.C or solution.alpha == truth.alpha  # which is unique
    assert (name, solution.b_low, solution.b_high) == (name, truth.b_low, truth.b_high)
    assert solution.b_low <= solution.b <= solution.b_high


def require_disproof(given, farkas):
    """Assert that these multipliers prove that there is no hard margin."""
    beta = [a * s for a, s in zip(farkas, given.y)]
    assert min(farkas) >= 0 < max(farkas)
    assert all(c == inf for c, a in zip(given.C, farkas) if a)
    assert exact.quadratic(given.K, beta) == 0
    assert not given.bias or exact.exact_sum(beta) == 0


# ---- the optimum, in Fractions


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("case", CASES + NOT_SEPARABLE, ids=lambda case: case.name)
def test_every_case_by_hand_is_solved_exactly(case, bias):
    given = of_case(case)._replace(bias=bias)
    truth = exact.optimum(*given.for_the_judge)
    for name, solve in solvers(bias):
        solution = solve(given.problem(), tol=0)
        require_right(given, truth, solution, name)
        assert bias != case.bias or case.alpha in (None, solution.alpha)


@given(givens(most=5, hard=True), st.data())
@draws(1)
def test_from_any_start_the_end_is_the_optimum_or_a_proof_that_there_is_none(given, data):
    truth = exact.optimum(*given.for_the_judge)
    for name, solve in solvers(given.bias):
        start = data.draw(st.one_of(st.none(), feasible(given)))
        copy, steps = start and list(start), []
        solution = solve(given.problem(), tol=0, start=start, on_step=steps.append)
        require_right(given, truth, solution, name)
        assert start == copy
        assert [step.iteration for step in steps] == list(range(1, solution.iterations + 1))


@given(givens(most=5))
@draws(1/2)
def test_each_step_gains_and_at_the_optimum_there_is_none(given):
    problem = given.problem()
    for name, solve in solvers(given.bias):
        steps = []
        solution = solve(problem, tol=0, on_step=steps.append)
        heights = [0, *(step.objective for step in steps)]
        assert (name, heights) == (name, sorted(heights)) and heights[-1] <= solution.objective
        assert name == "active_set" or len(set(heights)) == len(heights)
        for step in steps if hasattr(steps and steps[0], "clipped") else ():
            assert step.low <= step.clipped <= step.high
            assert step.clipped == min(max(step.unclipped, step.low), step.high)
            assert (step.i == step.j) == (not given.bias)
        again = solve(problem, tol=0, start=solution.alpha)
        assert (name, again.objective) == (name, solution.objective)
        assert name == "active_set" or again.iterations == 0  # which may first add to its set


@given(givens(most=7))
@draws(1/2)
def test_the_order_of_the_examples_changes_no_exact_value_nor_does_the_solver(given):
    assume(not isinstance(given.kernel, Precomputed))
    turned = given._replace(X=given.X[::-1], y=given.y[::-1], C=given.C[::-1])
    answers = [
        (found.objective, found.b_low, found.b_high)
        for g in (given, turned) for _, solve in solvers(given.bias)
        for found in [solve(g.problem(), tol=0)]
    ]
    assert answers == answers[:1] * len(answers)


@given(givens(most=5, hard=True))
@draws(3/4)
def test_where_the_textbooks_steps_end_they_end_at_the_optimum(given):
    truth = exact.optimum(*given.for_the_judge)
    for _, solve in solvers(given.bias, TEXTBOOK):
        solution = solve(given.problem(), tol=0, max_iter=8)
        if solution.status == "max_iter":
            assert (solution.iterations, solution.violation > 0) == (8, True)
        else:
            right = ("infeasible",) if truth is None else ("optimal", truth.value)
            assert (solution.status, solution.objective)[: len(right)] == right


@each_exact
def test_strings_and_a_matrix_of_their_values_are_solved_exactly(name):
    class Common(Kernel):
        bounded = True

        def __call__(self, x, z):
            return sum(a in z for a in set(x))

    solve, bias = of_name(name)
    words, y = ["ab", "abc", "cd", "d", "abba", "a"], [1, 1, -1, -1, -1, 1]
    for kernel in (Common(), Spectrum(1)):
        K = refsvm.gram(kernel, words)
        one, other = (solve(Problem(X, y, k, C=Q(2), bias=bias), tol=0)
                      for X, k in ((words, kernel), (K, Precomputed())))
        best = exact.optimum([list(map(Q, row)) for row in K], y, [Q(2)] * 6, bias)
        assert one.objective == other.objective == best.value and one.gap == 0


# ---- doubles


small = st.integers(-40, 40).map(lambda v: v / 8)
scales = st.sampled_from([2.0**-10, 0.1, 1.0, 64.0, 1e6])
places = st.sampled_from([0.0, 0.0, 2000.0, 2.0**20, 1.6e9])


@st.composite
def float_problems(draw):
    (X, y), far = draw(examples(small, (2, 8))), draw(places)
    X = [[far + x[0], *x[1:]] for x in X]
    kernel = Linear() if far else draw(st.sampled_from([Linear(), Polynomial(2, coef0=1)]))
    return Problem(X, y, kernel, draw(scales), bool(far) or draw(st.booleans()))


def exact_gap(problem, solution):
    """primal - dual in exact arithmetic, at the solution's alpha made to sum to zero exactly."""
    exactly = problem.to(Q)
    beta = exactly.beta(solution.alpha)
    beta = restore_sums(exactly.dual_form(), beta, Q) if problem.bias else beta
    return exactly.gap([x * y for x, y in zip(beta, problem.y)], Q(solution.b))


@given(float_problems(), st.sampled_from([1e-3, 1e-6]))
@example(Problem([[1.6e9 + v] for v in (1.375, 3.75, 3.75, -3.75, -3.75, 2.375)],
                 [1, -1, 1, -1, 1, 1], C=1e6), 1e-6)  # where the sum must be even to the last bit
@draws(1)
def test_what_is_called_optimal_is_optimal_to_tol_in_exact_arithmetic(problem, tol):
    for name, solve in solvers(problem.bias):
        solution = solve(problem, tol=tol, max_iter=100)
        if solution.status == "optimal":
            report = kkt(problem.to(Q), list(map(Q, solution.alpha)))
            assert (name, report.m - report.M <= Q(tol)) == (name, True)
    solution = refsvm.smo(problem, tol)
    assert not problem.linear or refsvm.smo(problem).status == "optimal"  # however far away
    if solution.status == "optimal":
        # Residuals carry the rounding of their own sums, and b is a double.
        largest = max(max(map(abs, x)) for x in problem.rows)
        rounding = 2.0**-48 * max(problem.C) * problem.n * (1 + largest) ** 4
        rounding += 2.0**-52 * abs(solution.b)
        assert exact_gap(problem, solution) <= (tol + rounding) * problem.n * max(problem.C)


@pytest.mark.parametrize("kernel, slack, bias", each_pair([
    Linear(), Polynomial(2, coef0=1), Gaussian(1), Gaussian(0.01), Gaussian(1) + Linear(),
    lambda x, z: 1 + x[0] * z[0] + x[1] * z[1] * x[1] * z[1],
], ["hinge", "squared"], [True, False]))
def test_on_doubles_all_come_to_one_value_within_their_gaps(kernel, slack, bias):
    X, y = clouds(30, 3)
    C = [0.5 + 3 * (i % 3) for i in range(33)]
    problem, tol = Problem(X + X[:3], y + y[:3], kernel, C, bias, slack), 1e-4
    best = refsvm.smo(problem, tol=1e-10)
    rounding = 2.0**-44 * abs(best.objective)
    for name, solve in [*solvers(bias), ("rounds", partial(decomposition, members=16))]:
        if name == "projected_gradient":  # which takes thousands of steps on these
            continue
        solution = solve(problem, tol)
        assert (name, solution.status) == (name, "optimal") and solution.violation <= tol
        assert best.objective - solution.objective <= tol / 2 * sum(C) + rounding
        within = solution.gap + best.gap + rounding + tol / 64 * sum(C)
        assert abs(best.objective - solution.objective) <= within
        report = kkt(problem, solution.alpha)
        assert 0 <= solution.violation - (report.m - report.M) + 1e-15 < tol / 64
    truest = refsvm.active_set(problem, tol=1e-10)
    assert (best.status, truest.status) == ("optimal", "optimal")
    assert truest.violation <= 1e-10 and truest.gap <= 1e-10 * sum(C) + rounding
    within = truest.gap + best.gap + rounding + 1e-10 * sum(C)
    assert abs(best.objective - truest.objective) <= within


@each_exact
def test_the_last_step_allowed_gives_an_honest_answer(name):
    solve, bias = of_name(name)
    X, y = clouds(40, 5)
    problem, steps = Problem(X, y, Gaussian(1), C=10, bias=bias), []
    for most in (0, 1, 4):
        steps.clear()
        solution = solve(problem, max_iter=most, on_step=steps.append)
        assert (solution.status, solution.iterations, len(steps)) == ("max_iter", most, most)
        report = kkt(problem, solution.alpha, solution.b)
        assert -1e-13 < solution.violation - (report.m - report.M) < solution.violation / 64
        assert solution.gap > 0
        assert most or (solution.alpha, solution.objective) == ([0.0] * 40, 0)


@each_exact
def test_the_callback_may_stop_the_solver_by_raising(name):
    solve, bias = of_name(name)

    def stop(step):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solve(Problem([[0], [2]], [-1, 1], bias=bias), on_step=stop)


# ---- what must not matter


@each
def test_what_was_given_is_as_before(name):
    solve, bias = of_name(name)
    X, y, C, start = [[1], [2], [-1]], [1, 1, -1], [1, 2, 3], [0, 1, 1]
    solve(Problem(X, y, C=C, bias=bias), **{"start": start} if name in EXACT else {})
    assert (X, y, C, start) == ([[1], [2], [-1]], [1, 1, -1], [1, 2, 3], [0, 1, 1])


@each_exact
def test_the_cache_and_the_threads_change_no_bit(name):
    solve, bias = of_name(name)
    X, y = clouds(24, 3)
    for C, tol in ((50, 1e-3), (1, 1e-9)):
        problem = Problem(X, y, Gaussian(2), C=C, bias=bias)
        plain = solve(problem, tol)
        assert plain.status == "optimal"
        for room in ({}, {"cache_mb": 1e-6}, {"threads": 3}):
            other = solve(problem, tol, **room)
            assert repr(other.alpha) == repr(plain.alpha)  # repr: which tells zeros apart
            assert repr(tuple(other)) == repr(tuple(plain)) and other == plain


@with_offset
def test_the_answer_is_the_same_for_any_distance_from_the_origin(name):
    for k in range(0, 41, 4):
        t = 2.0**k
        X, y = [[v + t] for v in (0, 1, 3, 4, 2)], [-1, -1, 1, 1, 1]
        solution = EXACT[name].solve(Problem(X, y))
        assert (solution.model().w, solution.status) == ([1.0], "optimal")
        assert solution.gap < 1e-30 and solution.b_low <= -t - 2 and solution.b_high >= -t - 1


# ---- endings


@with_offset
@pytest.mark.parametrize("C", [1e200, 1e300])
def test_penalties_whose_squares_overflow_are_not_called_optimal(name, C):
    problem = Problem([[0.5], [1.25], [-3], [2]], [-1, 1, 1, -1], C=C)
    solution = EXACT[name].solve(problem, max_iter=200)
    assert solution.status == "precision" and not solution.gap < C / 2
    assert all(0 <= a <= C for a in solution.alpha)


@pytest.mark.parametrize("name", ["smo", "coordinate_ascent", "projected_gradient", "active_set"])
def test_numbers_that_go_beyond_the_doubles_are_refused(name):
    """No separator without offset: alpha goes to C, and C times K to infinity."""
    what = "multiplier" if name == "active_set" else "residual"
    with pytest.raises(ValueError) as refusal:
        EXACT[name].solve(Problem([[0.0], [1.0], [2.0]], [1, -1, 1], C=1.7e308, bias=False),
                          max_iter=100)
    assert str(refusal.value) == (
        f"the {what} of example 2 went beyond the doubles; scale X, lower C or give Fractions"
    )


@each_exact
def test_on_fractions_a_dual_beyond_the_doubles_leaves_the_gap_of_a_broken_hard_margin(name):
    near = Q(1, 10**200)
    problem = Problem([[near], [2 * near], [3 * near]], [1, -1, 1], C=inf, bias=False)
    solution = EXACT[name].solve(problem, max_iter=1)
    assert solution.objective > 10**398 and solution.gap == inf


@each_exact
def test_what_no_plane_separates_has_no_hard_margin(name):
    solve, bias = of_name(name)
    one = solve(Problem([[1], [1], [5]], [1, -1, 1], C=inf, bias=bias))
    assert one.status == "infeasible" and one.farkas[0] == one.farkas[1] > one.farkas[2] == 0
    origin = EXACT[name].solve(Problem([[0, 0], [1, 1], [-1, -1]], [1, 1, -1], C=inf, bias=False))
    assert (origin.status, origin.farkas) == ("infeasible", [1.0, 0.0, 0.0])
    line, crowd = ([[0], [1], [2]], [1, -1, 1]), clouds(40, 9)
    for (X, y), most in ((line, Q(1, 2**49)), (crowd, Q(1, 2**20))):
        solution = solve(Problem(X, y, C=inf, bias=bias))
        assert solution.status == "infeasible"
        q = [Q(a) * s for a, s in zip(solution.farkas, y)]
        size = exact.exact_sum(map(abs, q))
        for column in ([bias] * len(y), *zip(*X)):
            assert abs(exact.exact_sum(v * Q(x) for v, x in zip(q, column))) <= size * most


@each_exact
def test_a_hard_margin_is_found_on_doubles(name):
    solve, bias = of_name(name)
    X, y = clouds(20, 9, apart=0.8)
    problem = Problem(X, y, C=inf, bias=bias)
    solution, best = solve(problem), refsvm.solve_exactly(problem)
    assert (solution.status, solution.farkas) == ("optimal", None)
    assert abs(solution.objective - best.objective) <= 1e-3 * best.objective


@each_exact
def test_squared_slack_always_has_an_answer(name):
    solve, bias = of_name(name)
    solution = solve(Problem([[1], [1]], [1, -1], bias=bias, slack="squared"), tol=0)
    assert (solution.status, solution.alpha) == ("optimal", [1.0, 1.0])


@pytest.mark.parametrize("kind", [float, Q])
@pytest.mark.parametrize("K", [[[0, 1], [1, 0]], [[-1, 0], [0, -1]], [[1, 2], [2, 1]]])
def test_negative_curvature_is_met_and_named(K, kind):
    K = [[kind(v) for v in row] for row in K]
    for name, solve in solvers(True):
        solution = solve(Problem(K, [1, -1], Precomputed(), C=4), 0)
        assert (name, solution.status, solution.alpha) == (name, "indefinite", [4, 4])
        solution = solve(Problem(K, [1, -1], Precomputed(), C=inf), 0)
        assert (name, solution.status, solution.farkas) == (name, "indefinite", None)
    for name, solve in solvers(False):
        solution = solve(Problem([[kind(-1), 0], [0, 1]], [1, -1], Precomputed(), 4, False))
        assert (name, solution.status) == (name, "indefinite") and solution.alpha[0] == 4


@each_exact
def test_an_indefinite_kernel_still_climbs(name):
    solve, bias = of_name(name)
    X, y = clouds(20, 2)
    steps = []
    solution = solve(Problem(X, y, Sigmoid(3, -2), C=5, bias=bias), on_step=steps.append)
    assert solution.status in ("indefinite", "optimal")
    assert all(b.objective >= a.objective for a, b in zip(steps, steps[1:]))


@each_exact
def test_slack_that_can_be_bought_is_never_called_infeasible(name):
    # 1 / C is lost beside a kernel value of 10^40, so the dual looks unbounded.
    solve, bias = of_name(name)
    problem = Problem([[1e5], [1e5]], [-1, 1], Polynomial(4), C=1, bias=bias, slack="squared")
    solution = solve(problem)
    assert solution.status in ("precision", "optimal") and solution.farkas is None


# ---- arguments


@each_exact
@pytest.mark.parametrize("arguments, error, sentence", [
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
    ({"problem": 5}, TypeError, "problem is 5; a Problem is needed"),
])
def test_a_bad_argument_is_named(name, arguments, error, sentence):
    solve, bias = of_name(name)
    with pytest.raises(error) as caught:
        solve(**{"problem": Problem([[0], [2]], [-1, 1], bias=bias), **arguments})
    assert str(caught.value) == sentence


@each
def test_a_kernel_value_that_is_not_finite_is_named_by_its_examples(name):
    solve, bias = of_name(name)
    with pytest.raises(ValueError) as caught:
        solve(Problem([[1e200], [1], [2]], [1, -1, 1], Polynomial(2), bias=bias))
    sentence = "the kernel value of examples 0 and 0 is inf; it must be finite"
    assert str(caught.value) == sentence


def without_annotations(function):
    """The signature of a function without its types."""
    parameters = inspect.signature(function).parameters.values()
    return inspect.Signature([p.replace(annotation=inspect.Parameter.empty) for p in parameters])


def test_every_solver_takes_the_same_arguments_with_the_same_defaults():
    signature = without_annotations(refsvm.smo)
    assert str(signature) == (
        "(problem, tol=0.001, max_iter=None, start=None, on_step=None, *, cache_mb=200, threads=1)"
    )
    for solver in (refsvm.active_set, refsvm.coordinate_ascent, refsvm.projected_gradient):
        assert without_annotations(solver) == signature


def test_without_a_limit_there_is_none_but_where_a_solver_has_its_own():
    few, many = Problem([[0], [1]], [1, -1]), Problem([[0], [1]] * 600, [1, -1] * 600)
    assert solver_arguments(few, 0.1, None)[2] == solver_arguments(many, 0.1, None)[2] == inf
    limits = [solver_arguments(p, 0.1, None, steps=100)[2] for p in (few, many)]
    assert limits == [100_000, 120_000]
