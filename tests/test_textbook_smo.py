"""SMO as the notes print it: each step is the notes' step, and it ends where smo ends."""

from fractions import Fraction
from math import inf

import exact
import pytest
from cases_by_hand import CASES
from hypothesis import given
from hypothesis import strategies as st
from problems import examples, givens, of_case
from profiles import draws

from refsvm import Gaussian, Problem, kkt, smo, textbook_smo
from refsvm.solvers.textbook import most_violating_pair
from refsvm.solvers.textbook_smo import ends_of_segment, reoptimise
from refsvm.theory.smo_step import errors, pair_step, partner, segment

tied = givens(most=4, biases=(True,))
SIX = [[Fraction(v)] for v in range(6)]


@given(givens(most=5, biases=(True,), hard=True))
@draws(3/5)
def test_where_it_ends_on_fractions_it_ends_at_the_optimum(given):
    solution = textbook_smo(given.problem(), tol=0, max_iter=10)
    if solution.status == "max_iter":
        assert (solution.iterations, solution.violation > 0) == (10, True)
        return
    truth = exact.optimum(*given.for_the_judge)
    if solution.status == "infeasible":
        assert truth is None
        return
    assert (solution.status, solution.objective) == ("optimal", truth.value)
    assert solution.b == (truth.b_low + truth.b_high) / 2
    assert given.problem().gap(solution.alpha, solution.b) == 0


@pytest.mark.parametrize("C", [Fraction(1, 4), Fraction(1)])
def test_on_six_points_it_ends_at_the_solution_of_record_exactly(C):
    problem = Problem(SIX, [-1, -1, 1, -1, 1, 1], C=C)
    ours, record = textbook_smo(problem, tol=0), smo(problem, tol=0)
    assert ours.iterations > record.iterations
    assert (ours.status, ours.violation) == (record.status, record.violation)
    assert (ours.alpha, ours.b, ours.objective) == (record.alpha, record.b, record.objective)


@given(tied)
@draws(1/2)
def test_each_step_is_that_of_the_formulas_for_the_pair_that_violates_most(given):
    problem = given.problem()
    points = [textbook_smo(problem, 0, k) for k in range(5)]
    assert points[0].alpha == [0] * problem.n
    for before, after in zip(points, points[1:]):
        if before.status == "optimal":
            assert after == before
            continue
        bounds, E = problem.upper_bounds(), errors(problem, before.alpha)
        i, j = most_violating_pair(problem.y, bounds, before.alpha, E)
        assert E[j] - E[i] == before.violation > 0
        assert after.alpha == pair_step(problem, before.alpha, i, j)
        assert after.objective > before.objective


@given(tied, st.data())
def test_the_ends_of_the_segment_are_those_of_the_formulas(given, data):
    problem = given.problem()
    alpha = textbook_smo(problem, 0, data.draw(st.integers(0, 3))).alpha
    i, j = data.draw(st.permutations(range(problem.n)))[:2]
    at_L, at_H = ends_of_segment(problem.y, problem.upper_bounds(), alpha, i, j)
    assert (at_L[1], at_H[1]) == segment(problem, alpha, i, j)
    for alpha_i, alpha_j in (at_L, at_H):
        assert alpha_j == inf or alpha_i == partner(problem, alpha, i, j, alpha_j)


@st.composite
def clouds(draw):
    """A problem on doubles of up to twelve examples."""
    X, y = draw(examples(st.integers(-16, 16).map(lambda v: v / 8), (2, 12), (2, 2)))
    kernel = Gaussian(draw(st.sampled_from([0.5, 2.0])))
    slack = draw(st.sampled_from(["hinge", "squared"]))
    return Problem(X, y, kernel, draw(st.sampled_from([0.5, 1.0, 8.0])), slack=slack)


@given(clouds())
@draws(1/2)
def test_on_doubles_it_comes_within_tol_of_the_solution_of_record(problem):
    tol = 2.0**-10
    solution, record = textbook_smo(problem, tol), smo(problem, tol)
    assert (solution.status, solution.violation <= tol) == ("optimal", True)
    assert all(0 <= a <= c for a, c in zip(solution.alpha, problem.upper_bounds()))
    assert kkt(problem, solution.alpha).worst.amount <= tol
    if problem.slack == "hinge":
        room = sum(max(a, c - a) for a, c in zip(solution.alpha, problem.C))
        assert problem.gap(solution.alpha, solution.b) <= tol / 2 * room + 1e-12
    near = abs(solution.objective - record.objective)
    assert near <= max(problem.gap(solution.alpha, solution.b), record.gap) + 1e-12


parts = st.integers(0, 3).map(lambda v: v / 3)
bounds = st.lists(st.floats(0.1, 10), min_size=2, max_size=2)


@given(bounds, parts, parts, st.sampled_from([1, -1]))
def test_rounding_carries_no_multiplier_out_of_the_box(C, p, q, y_j):
    for alpha in ([p * C[0], q * C[1]], C):
        for E in ([0.0, 1.0], [0.0, 1e-3]):
            pair = reoptimise([[1.0, 0.5], [0.5, 1.0]], [1, y_j], C, alpha, E, 0, 1)
            assert all(0 <= a <= c for a, c in zip(pair, C))


def test_once_a_sum_of_two_bounds_was_rounded_up():
    C = [0.4263042773944864, 0.6763625080745941]
    assert ends_of_segment([1, 1], C, C, 0, 1)[0] == (C[0], 0.6763625080745942)
    assert reoptimise([[1.0, 0.0], [0.0, 1.0]], [1, 1], C, C, [0.0, 9.0], 0, 1) == (C[0], C[1])


@given(tied)
@draws(1/4)
def test_the_fields_are_what_the_problem_says_of_alpha_and_b(given):
    problem = given.problem()
    solution = textbook_smo(problem, tol=0, max_iter=3)
    report = kkt(problem, solution.alpha)
    assert solution.b == (report.b_low + report.b_high) / 2
    assert solution.violation == report.m - report.M
    assert solution.objective == problem.dual(solution.alpha)


ENDLESS, FAR = "C08", "C18"  # these need the face, and the shifted rows


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_every_case_by_hand_but_two_is_solved_within_a_small_tol(case):
    given = of_case(case)._replace(bias=True)
    truth = exact.optimum(*given.for_the_judge)
    solution = textbook_smo(given.problem().to(float), tol=1e-9, max_iter=2000)
    ends = truth is not None and case.name != ENDLESS
    assert solution.status == ("optimal" if ends else "max_iter")
    if ends:
        within = 1e-4 if case.name == FAR else 1e-6
        assert solution.objective == pytest.approx(float(truth.value), rel=within)


def test_a_problem_without_an_offset_is_refused():
    with pytest.raises(ValueError, match="problem has no offset"):
        textbook_smo(Problem([[0], [2]], [-1, 1], bias=False))


def test_no_hard_margin_ends_at_max_iter_or_with_the_two_examples_at_one_place():
    between = Problem([[Fraction(v)] for v in (0, 3, 1)], [-1, -1, 1], C=inf)
    assert textbook_smo(between, 0, 20).status == "max_iter"
    twins = textbook_smo(Problem([[1], [5], [1]], [1, 1, -1], C=inf))
    assert twins.status == "infeasible"
    near = textbook_smo(Problem([[1e-200], [5.0], [0.0]], [1, 1, -1], C=inf), max_iter=9)
    assert near.status == "precision"  # <x, x> is 0 in doubles alone


def test_a_step_that_moves_nothing_is_the_last():
    # Two residuals differ by a rounding that no alpha can mend, and tol=0 asks for none.
    problem = Problem([[0.2], [0.3], [1.3], [0.2]], [1, -1, 1, 1], Gaussian(1.0), C=3.0)
    solution = textbook_smo(problem, tol=0, max_iter=300)
    assert (solution.status, solution.iterations) == ("precision", 2)
    assert 0 < solution.violation < 1e-13
