"""What a Solution says holds in exact arithmetic, by any solver (svm/solutions.py)."""

from fractions import Fraction
from math import inf
from random import Random

import fuzz_words
import pytest
import truths
from equality import compiled, own_problem, same, tree
from hypothesis import given
from hypothesis import strategies as st
from profiles import draws
from test_residual_bounds import Judged

import refsvm
import refsvm_fast
from refsvm import (
    BallProblem,
    Linear,
    NuProblem,
    NuRegressionProblem,
    OneClassProblem,
    Polynomial,
    Problem,
    RegressionProblem,
)
from refsvm.proofs.rational_kernels import is_rational
from refsvm.svm.residual_bounds import ErrorBounds, accuracy_of
from refsvm.svm.solutions import solution_at

seeds = st.integers(0, 2**40)
machines = st.sampled_from(sorted(set(truths.MACHINES)))


def least_value(problem):
    return truths.least_value(problem) if is_rational(problem.kernel) else None


@given(seeds, machines)
@draws(5)
def test_every_solver_says_what_is_so(seed, machine):
    random = Random(seed)
    try:
        problem = truths.drawn_problem(random, machine, most=5)
        name, solve, options = random.choice(list(fuzz_words.solvers_of(problem)))
        tol = random.choice([1e-3, 1e-6, 0.1, 0.0])
        solution = solve(problem, tol=tol, **options)
    except ValueError:  # numbers beyond the doubles
        return
    assert fuzz_words.false_words(problem, solution, tol, least_value(problem)) == []


@compiled
@given(seeds, machines)
@draws(2)
def test_compiled_solvers_say_the_same(seed, machine):
    random = Random(seed)
    try:
        problem = truths.drawn_problem(random, machine, most=6)
    except ValueError:
        return
    names = [name for name, _, _ in fuzz_words.solvers_of(problem) if hasattr(refsvm_fast, name)]
    chosen = random.choice(names)
    options = next(o for name, _, o in fuzz_words.solvers_of(problem) if name == chosen)
    same(chosen, problem, tol=random.choice([1e-3, 1e-6, 0.0]), **options)


FAR = Problem([[0], [1e9], [2e9], [3e9]], [-1, 1, -1, 1])
STOPPED = NuRegressionProblem([[0], [1], [2], [5], [7]], [0, 3, 9, 2, 0], C=1, nu=0.5)


@pytest.mark.parametrize("problem", [FAR, STOPPED], ids=repr)
@pytest.mark.parametrize("name, value", [("gap", -1.0), ("objective", 1e11), ("violation", -1.0),
                                         ("status", "optimal")])
def test_false_words_are_seen(problem, name, value):
    solution, best = refsvm.smo(problem, max_iter=1), truths.least_value(problem)
    assert fuzz_words.false_words(problem, solution, 1e-3, best) == []
    false = solution._replace(**{name: value})
    false.problem, false.offsets, false.least_scores = problem, solution.offsets, ()
    assert fuzz_words.false_words(problem, false, 1e-3, best) != []


def solution_of(problem, beta, status="optimal", **options):
    """The Solution at these variables, with residuals by kernel values; and what is true."""
    judged = Judged(problem, beta)
    r = judged.computed()
    accuracy = accuracy_of(problem, judged.form, beta, judged.coefs, r)
    found = solution_at(problem, judged.form, beta, r, accuracy, iterations=0, status=status,
                        **options)
    return judged, found


@given(seeds, machines)
@draws(5)
def test_of_any_variables_what_is_said_holds(seed, machine):
    """Their sums are not exact, and they are far from the optimum."""
    random = Random(seed)
    try:
        problem = truths.drawn_problem(random, machine, most=5)
        beta = truths.drawn_variables(random, problem.dual_form())
        judged, solution = solution_of(problem, beta, status="max_iter")
    except ValueError:
        return
    best = least_value(problem)
    if best is None and is_rational(problem.kernel):
        return
    assert fuzz_words.false_words(problem, solution, 0, best) == []
    slip, twin = truths.doubt(problem, beta), truths.exact_twin(problem)
    assert fuzz_words.false_conditions(problem, solution, 0, twin, slip, beta) == []
    own = own_problem(problem)
    form = own.dual_form()
    r = judged.computed()
    accuracy = accuracy_of(problem, judged.form, beta, judged.coefs, r)
    theirs = solution_at(own, form, list(beta), r, accuracy, iterations=0, status="max_iter")
    assert tree(solution) == tree(theirs)


# ---- each term by itself


TWO = Problem([[0.1], [0.7]], [1, -1], Polynomial(1), C=2)


def at(problem, beta, r, errors, *, roots=1.0, w_error=0.0, **options):
    return solution_at(problem, problem.dual_form(), beta, r, ErrorBounds(errors, roots, w_error),
                       iterations=0, status="optimal", **options)


def test_violation_and_offsets_are_widened_by_the_errors():
    """m is among the residuals that may rise, less or more their error; M likewise."""
    found = at(TWO, [0.5, -0.5], [0.75, -0.5], [0.25, 0.125])
    assert 1.625 <= found.violation <= 1.625 * (1 + 1e-12)
    assert 0.5 - 1e-12 < found.b_low <= 0.5 and -0.375 <= found.b_high < -0.375 + 1e-12
    wide = at(TWO, [0.0, 0.0], [0.75, -0.5], [0.25, 0.125])
    # the first may rise, and the second may fall
    assert wide.violation >= 1.25 + 0.375 and wide.violation <= 1.625 * (1 + 1e-12)
    assert (wide.b_low, wide.b_high) == (pytest.approx(0.5), pytest.approx(-0.375))
    assert wide.b_low <= 0.5 and wide.b_high >= -0.375
    for errors in (0.25, [0.25, 0.25]):
        one = at(TWO, [0.0, 0.0], [0.75, -0.5], errors)
        assert one.violation == pytest.approx(1.75) and one.violation >= 1.75


def test_where_nothing_was_rounded_violation_is_rounded_up():
    """1 + 2^-60 is no double."""
    found = at(TWO, [0.0, 0.0], [1.0, -(2.0**-60)], 0.0)
    assert 1 < found.violation < 1 + 1e-15 and (found.b_low, found.b_high) == (1.0, -(2.0**-60))
    assert at(TWO, [2.0, -2.0], [1.0, -1.0], 0.0).violation == -2.0
    none = at(TWO, [2.0, 0.0], [1.0, -1.0], 0.0)  # none may rise
    assert none.violation == -inf
    groups = NuProblem([[0.0], [1.0], [3.0], [4.0]], [-1, -1, 1, 1], nu=0.5)
    both = at(groups, [0.5, 0.5, -1.0, 0.0], [2.0, 1.5, 1.0, 3.0], 0.0)
    assert both.violation == 0.5


def objective_of(beta, errors, **options):
    return at(TWO, beta, [0.75, -0.5], errors, **options).objective


def test_the_objective_is_less_by_what_scores_are_off():
    """1/2 |w|^2 has half of sum |beta_k| E_k; the bound takes all, and what sums may have lost."""
    sharp, wide = objective_of([0.5, -0.5], 1e-300), objective_of([0.5, -0.5], 0.5)
    assert 0.25 <= sharp - wide <= 0.5 * (1 + 1e-12)
    each = objective_of([0.5, -0.5], [0.5, 0.25])
    assert sharp - each >= 0.375 / 2


def test_the_scores_of_a_tube_are_off_by_the_error_of_the_first_variables():
    """|w|^2 has the score of an example from its first variable, not its second."""
    tube = RegressionProblem([[0.1], [0.7]], [0.0, 1.0], Polynomial(1), C=2, epsilon=0.0)
    beta = [0.0, 0.5, -0.5, 0.0]
    told = [at(tube, beta, [0.25, 0.5, 0.25, 0.5], errors).objective
            for errors in ([1e-300] * 4, [0.5, 0.5, 1e-300, 1e-300])]
    assert 0.25 <= told[0] - told[1] <= 0.5 * (1 + 1e-12)


def test_the_objective_of_exact_residuals_is_exact_and_rounded_down():
    problem = Problem([[1.0], [-1.0], [3.0]], [1, -1, 1], Polynomial(1), C=2)
    _, found = solution_of(problem, [0.5, -0.5, 0.0])
    assert (found.objective, found.gap, found.violation) == (0.5, 0.0, 0.0)
    third = at(TWO, [2.0**-30, -(2.0**-30)], [1.0 - 2.0**-53, -1.0], 0.0)
    exact = 2 * Fraction(2.0**-30) - Fraction(2.0**-30) * Fraction(2.0**-53) / 2
    told = Fraction(third.objective)
    assert told <= exact < told * (1 + Fraction(1, 2**51))
    ball = BallProblem([[-2.0], [0.0], [8.0]])
    _, found = solution_of(ball, [0.5, 0.0, 0.5])
    assert found.objective == 25.0 and found.gap == 0.0


def test_the_objective_of_sums_that_are_not_exact_is_less():
    """0.25 too much: the optimum is not as high as these multipliers say."""
    for beta in ([0.75, -0.5], [0.5, -0.75], [0.5, -0.25]):
        _, found = solution_of(TWO, beta)
        assert Fraction(found.objective) <= truths.least_value(TWO)
    one = OneClassProblem([[0.3], [0.7]], Polynomial(1), nu=0.5)
    for beta in ([1.0, 0.5], [0.5, 0.25], [0.5, 0.5]):
        _, found = solution_of(one, beta)
        assert Fraction(found.objective) <= truths.least_value(one)


def test_what_cannot_be_judged_is_no_optimum():
    found = at(TWO, [0.5, -0.5], [0.75, -0.5], float("nan"))
    assert found.status == "precision" or found.gap == found.gap
    infinite = at(TWO, [0.5, -0.5], [0.75, -0.5], inf)
    assert infinite.gap == inf and infinite.objective == -inf and infinite.violation == inf
    assert (infinite.b_low, infinite.b_high) == (-inf, inf)


def test_of_infeasible_sums_nothing_is_bounded():
    problem = NuProblem([[0.0], [1.0], [2.0]], [1, -1, -1], nu=0.9)
    form = problem.dual_form()
    found = solution_at(problem, form, [1.0, -0.5, -0.5], [0.0] * 3, ErrorBounds(0.0, 1.0, 0.0),
                        iterations=0, status="infeasible")
    assert (found.objective, found.gap) == (-inf, inf) and found.farkas == [1.0, 0.0, 0.0]


def test_offsets_of_shifted_rows_are_those_of_the_rows_as_given():
    """The interval knows how far w is off, times the shift."""
    problem = Problem([[1e8], [1e8 + 1], [1e8 + 3]], [-1, 1, 1], C=8)
    beta = [-2.0, 2.0, 0.0]
    exact = at(problem, beta, [1.0, 1.0, -3.0], 0.0)
    moved = problem.moved_by_shift([2.0, 2.0, 0.0])
    assert moved == 2 * (10**8 + 1) and exact.b_low == exact.b_high == 1.0 - 2 * (1e8 + 1)
    wide = at(problem, beta, [1.0, 1.0, -3.0], 0.0, w_error=1e-6)
    assert wide.b_low <= exact.b_low - 100 and wide.b_high >= exact.b_high + 100
    assert wide.b_high - wide.b_low <= 2 * (1e-6 * (1e8 + 1)) * (1 + 1e-9) + 1e-6


def test_the_radius_of_a_ball_is_as_wide_as_the_norm_of_its_centre():
    problem = BallProblem([[0.1], [0.7], [1.1]], Polynomial(1))
    _, found = solution_of(problem, [0.5, 0.0, 0.5])
    radius2 = found.offsets.radius2
    assert radius2.low < radius2.value < radius2.high
    exact = truths.Conditions.at(problem, found.alpha)
    (low,), (high,) = exact.offsets()
    assert radius2.low <= low and high <= radius2.high


def test_an_offset_that_is_given_stays():
    found = at(TWO, [0.5, -0.5], [0.75, -0.5], 0.0, b=0.375)
    assert found.b == 0.375 and found.offsets.b.value == 0.375
    shifted = Problem([[1e8], [1e8 + 1]], [-1, 1], Linear(), C=8)
    assert at(shifted, [-2.0, 2.0], [1.0, 1.0], 0.0, b=0.5).b == 0.5


def test_a_model_that_moves_its_offset_has_a_larger_gap():
    """The ball's radius is moved outwards by rounding: lam may be another by that."""
    problem = BallProblem([[0.1], [0.7], [1.1]], Polynomial(1), C=0.4)
    _, still = solution_of(problem, [0.4, 0.2, 0.4])
    _, moved = solution_of(problem, [0.4, 0.2, 0.4], residual_error=0.5)
    assert moved.gap > still.gap + 0.5


def test_on_fractions_all_is_exact():
    problem = OneClassProblem([[Fraction(1)], [Fraction(2)]], nu=Fraction(1, 2))
    found = refsvm.smo(problem, tol=0)
    assert (found.gap, found.objective, found.violation) == (0, Fraction(-1, 2), -1)
    assert found.offsets.rho == (Fraction(3, 2), 1, 2)


@pytest.mark.parametrize("X, C, weights, tol", [
    ([[9.999999999999898e16], [1.0000000000000187e17], [1.0000000000000082e17]],
     0.9541925438547519, [0.1, 2.0, 2.7], 1e-3),
    ([[1e14], [1e14 + 3], [1e14 + 7]], 0.7, [0.1, 2.7, 1.0], 1e-6),
])
def test_a_ball_whose_alpha_do_not_add_up_to_1_is_that_of_the_rows_as_given(X, C, weights, tol):
    """What they lack counts times the shift: by 1e-17 of 1e17 the centre is another."""
    problem = refsvm.BallProblem(X, C=C, weights=weights)
    for solution in refsvm.smo(problem, tol), refsvm_fast.smo(own_problem(problem), tol):
        assert fuzz_words.false_words(problem, solution, tol) == []


def test_what_is_made_of_exact_residuals_is_rounded():
    """Each residual is a double here, and |c|^2 is none."""
    problem = refsvm.BallProblem([[3592.0, 6799.0, 5496.0], [9623.0, 3938.0, 9322.0]],
                                 0.5 * Linear() + Polynomial(2, 0.5, 1.0), C=0.500000001,
                                 weights=[2.0, 2.0])
    for solution in refsvm.smo(problem, 0.0), refsvm_fast.smo(own_problem(problem), 0.0):
        assert fuzz_words.false_words(problem, solution, 0.0, truths.least_value(problem)) == []
