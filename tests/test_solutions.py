"""What a Solution says holds in exact arithmetic, by any solver; "optimal" of what is so alone.

Of svm/solutions.py: of small problems by exact arithmetic, and by bounds in doubles, as of large
ones. To add 2^-53, or a little less, to 1 changes nothing: so every error that a bound counts has
a case here where without it something false would be proved.
"""

from collections import Counter
from contextlib import ExitStack, contextmanager, nullcontext
from fractions import Fraction
from itertools import product
from math import inf, nextafter
from random import Random
from unittest.mock import patch

import fuzz_words
import pytest
import truths
from equality import compiled, own_problem, same, tree
from hypothesis import given
from hypothesis import strategies as st
from problems import examples
from profiles import draws, one_in
from test_residual_bounds import KERNELS, MANY, TERMS, Judged, U, negative_distance, numbers

import refsvm
import refsvm_fast
from refsvm import (
    BallProblem,
    Gaussian,
    Linear,
    MonomialSum,
    NuProblem,
    NuRegressionProblem,
    OneClassProblem,
    Polynomial,
    Precomputed,
    Problem,
    RegressionProblem,
)
from refsvm.numerics.linalg import total
from refsvm.numerics.rounding_bounds import rounded_up
from refsvm.proofs.rational_kernels import is_rational
from refsvm.solvers.decomposition import decomposition
from refsvm.solvers.dual_program import dual_program, end_with_sums
from refsvm.solvers.pair_ascent import PairAscent
from refsvm.svm import solutions as ways
from refsvm.svm.dual_form import restore_exact_sums, surplus
from refsvm.svm.exact_answers import ExactAnswer, is_short, is_small
from refsvm.svm.residual_bounds import BoundedResiduals
from refsvm.svm.solutions import FinalIterate, _proved_in_doubles, solution_at

seeds = st.integers(0, 2**40)
machines = st.sampled_from(sorted(set(truths.MACHINES)))


@contextmanager
def in_doubles():
    """Within this context nothing is judged exactly: no problem is small, or short."""
    with ExitStack() as stack:
        for name in ("is_small", "is_short"):
            stack.enter_context(patch.object(ways, name, lambda *given: False))
        yield


WAYS = pytest.mark.parametrize("way", [nullcontext, in_doubles])


def least_value(problem):
    return truths.least_value(problem) if is_rational(problem.kernel) else None


@given(seeds, machines, st.sampled_from([nullcontext, in_doubles]))
@draws(1)
def test_every_solver_says_what_is_so(seed, machine, way):
    random = Random(seed)
    try:
        problem = truths.drawn_problem(random, machine, most=5)
        name, solve, options = random.choice(list(fuzz_words.solvers_of(problem)))
        tol = random.choice([1e-3, 1e-6, 0.1, 0.0])
        with way():
            solution = solve(problem, tol=tol, **options)
    except ValueError:  # numbers beyond the doubles
        return
    assert fuzz_words.false_words(problem, solution, tol, least_value(problem)) == []


@compiled
@given(seeds, machines, st.sampled_from([nullcontext, in_doubles]))
@draws(1/2)
def test_compiled_solvers_say_the_same(seed, machine, way):
    random = Random(seed)
    try:
        problem = truths.drawn_problem(random, machine, most=6)
    except ValueError:
        return
    names = [name for name, _, _ in fuzz_words.solvers_of(problem) if hasattr(refsvm_fast, name)]
    chosen = random.choice(names)
    options = next(o for name, _, o in fuzz_words.solvers_of(problem) if name == chosen)
    with way():
        same(chosen, problem, tol=random.choice([1e-3, 1e-6, 0.0]), **options)


def told_of(problem, beta, tol=0, status="optimal", r=None, **options):
    """The Solution at these variables, with residuals by kernel values."""
    judged = Judged(problem, beta)
    answer = FinalIterate(problem, judged.form, beta, r or judged.computed(), **options)
    return solution_at(answer, tol, iterations=0, status=status)


@given(seeds, machines, st.sampled_from([nullcontext, in_doubles]))
@draws(2)
def test_of_any_variables_what_is_said_holds(seed, machine, way):
    """Their sums are not exact, and they are far from the optimum."""
    random = Random(seed)
    try:
        problem = truths.drawn_problem(random, machine, most=5)
        beta = truths.drawn_variables(random, problem.dual_form())
        beta = problem.without_common_parts(beta)
        with way():
            solution = told_of(problem, beta, status="max_iter")
            theirs = told_of(own_problem(problem), list(beta), status="max_iter",
                             r=Judged(problem, beta).computed())
    except ValueError:
        return
    assert tree(solution) == tree(theirs)
    best = least_value(problem)
    if best is None and is_rational(problem.kernel):
        return
    assert fuzz_words.false_words(problem, solution, 0, best) == []
    slip, twin = truths.doubt(problem, beta), truths.exact_twin(problem)
    assert fuzz_words.false_conditions(problem, solution, 0, twin, slip, beta) == []


def violation_of(problem, beta):
    """m - M in exact arithmetic."""
    return truths.Conditions.at(problem, problem.multipliers_of(beta), beta=beta).violation


@given(st.data())
def test_of_small_problems_optimal_is_what_is_so_and_all_of_it(data):
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
    if is_rational(kernel):
        assert told_of(problem, beta, below).status == "precision"
        found = told_of(problem, beta, above)
        assert found.status == "optimal" and found.violation >= truth
    with in_doubles():
        assert told_of(problem, beta, below).status == "precision"


# ---- what was false once


FAR = Problem([[0], [1e9], [2e9], [3e9]], [-1, 1, -1, 1])
CUBES = Problem([[3], [8104], [1]], [-1, 1, 1], Polynomial(3, 1, 1))
POINTS = [[0.0], [1e9], [2e9], [3e9]]
FALSE_OF_STATUS = [
    FAR,
    CUBES,
    Problem([[2000], [2000]], [1, -1], Polynomial(3), C=1),
    Problem([[1002, 1000, 1001], [1002, 1001, 1001], [1002, 1001, 1001], [1002, 1000, 1001]],
            [1, 1, 1, -1], Polynomial(2, 1, 1), C=2**20),
    # Values may be larger than all of the diagonal.
    Problem(POINTS, [-1, 1, -1, 1], negative_distance),
    Problem([[negative_distance(x, z) for z in POINTS] for x in POINTS], [-1, 1, -1, 1],
            Precomputed()),
    Problem(POINTS, [-1, 1, -1, 1], 0.5 * refsvm.Kernel.__add__(Linear(), negative_distance)),
    Problem([[3e4], [8104.0], [1e5]], [-1, 1, 1], Polynomial(3, 1, -7)),
]
SOLVERS = [refsvm.smo, decomposition, refsvm.active_set, refsvm.projected_gradient]


def assert_conditions(problem, solution, tol=1e-3):
    twin, slip = truths.exact_twin(problem), truths.doubt(problem, solution.alpha)
    assert fuzz_words.false_conditions(problem, solution, tol, twin, slip) == []


@WAYS
@pytest.mark.parametrize("solver", SOLVERS, ids=lambda solver: solver.__name__)
@pytest.mark.parametrize("problem", FALSE_OF_STATUS, ids=repr)
def test_what_was_false_of_a_status_is_true(problem, solver, way):
    with way():
        solution = solver(problem, max_iter=300)
    assert_conditions(problem, solution)
    assert problem is not FAR or solution.status != "optimal"


@compiled
@pytest.mark.parametrize("problem", FALSE_OF_STATUS, ids=repr)
def test_of_these_compiled_solvers_say_the_same(problem):
    for name in ("smo", "active_set", "projected_gradient"):
        same(name, problem, max_iter=300)


TINY = [[3e-162], [-3e-162]]  # <x, x> is 9e-324, of which doubles make 9.9e-324
FALSE_OF_BOUNDS = [
    (BallProblem([[1e-170], [3e-170], [2.5e-170]], C=1), 1e-3),
    (Problem(TINY, [1, -1], Polynomial(1, 2.0**400), C=1e300), 1e-3),
    (Problem(TINY, [1, -1], 1e300 * Linear(), C=1e100), 1e-3),
    (Problem(TINY, [1, -1], Linear() * Polynomial(1, 0, 1e300), C=1e100), 1e-3),
    (RegressionProblem([[1, 0, 0.5], [0, 1e300, 0], [0.5, 0, 1]], [1e200, 1e199, -1e200],
                       Precomputed(), C=1e202, epsilon=1e190), 0.0),
    (NuProblem([[2.4e-93], [2.3e-92]], [1, -1], 0.1 * Polynomial(10, 1e181, 1), nu=0.3), 0.0),
    # A model moves its offset outwards, and may be better by that: the gap is of either.
    (OneClassProblem([[-3.0, 8936.0, -70.0], [6.0, 1355.0, 38.0], [78.0, 14.0, -4.0],
                      [-31.0, -1113.0, 6.0]], MonomialSum(3), nu=0.8609479910240977), 1e-3),
    (BallProblem([[4677.0, 34.0], [-11.0, -365.0], [-4.0, 3.0], [4.0, 21.0]],
                 C=0.7969374321746978, weights=[2.0, 0.5, 0.1, 2.0]), 0.0),
    # What alpha lack in 1 counts times the shift: by 1e-17 of 1e17 the centre is another.
    (BallProblem([[9.999999999999898e16], [1.0000000000000187e17], [1.0000000000000082e17]],
                 C=0.9541925438547519, weights=[0.1, 2.0, 2.7]), 1e-3),
    (BallProblem([[1e14], [1e14 + 3], [1e14 + 7]], C=0.7, weights=[0.1, 2.7, 1.0]), 1e-6),
    # Each residual is a double here, and |c|^2 is none.
    (BallProblem([[3592.0, 6799.0, 5496.0], [9623.0, 3938.0, 9322.0]],
                 0.5 * Linear() + Polynomial(2, 0.5, 1.0), C=0.500000001, weights=[2.0, 2.0]),
     0.0),
]


@WAYS
@pytest.mark.parametrize("problem, tol", FALSE_OF_BOUNDS, ids=repr)
def test_what_was_false_of_a_bound_is_true(problem, tol, way):
    with way():
        some = refsvm.smo(problem, tol), refsvm_fast.smo(own_problem(problem), tol)
    assert tree(some[0]) == tree(some[1])
    for solution in some:
        assert fuzz_words.false_words(problem, solution, tol, least_value(problem)) == []


def large_start(n=100, B=1e12):
    """A start whose two large multipliers swallow what is added between them.

    The one step to the optimum leaves that in the residuals, which know 1e12 no more.
    """
    small = 0.4 * 2.0**-13 / 0.25  # a product with 0.25 is 0.4 ulps of B
    signs = [1 - 2 * (i % 2) for i in range(n)]
    X = [[1, 0], *([0.25 * s, 0] for s in signs), [0, 1]]
    C = [2 * B, *[small] * n, 2 * B]
    return Problem(X, [1, *signs, -1], Polynomial(1), C), [B, *[small] * n, B]


@pytest.mark.slow("residuals of other multipliers")
@compiled
def test_residuals_remember_the_multipliers_they_were_made_of():
    problem, start = large_start()
    same("smo", problem, 4e-3, start=start)
    for solver in (refsvm.smo, decomposition, refsvm.projected_gradient):
        assert_conditions(problem, solver(problem, 4e-3, start=start), 4e-3)


@WAYS
@pytest.mark.parametrize("kernel", [Polynomial(1), Linear(), Gaussian(0.5)], ids=repr)
@pytest.mark.parametrize("max_iter", [1, 1000])
def test_residuals_of_no_multipliers_remember_those_of_before(kernel, max_iter, way):
    """All values are the same, so one step leads to 0; the residuals know 1e12 no more."""
    problem = RegressionProblem([[-0.4587760696575573], [1.4055652394393663]],
                                [1.1827802963282785] * 2, kernel, 1e12, 0.0)
    start = [770387242010.9441, -198576319632.09863]
    for package, some in (refsvm, problem), (refsvm_fast, own_problem(problem)):
        with way():
            solution = package.smo(some, 1e-3, start=start, max_iter=max_iter)
        assert not any(solution.alpha)
        best = least_value(problem) or 0
        assert fuzz_words.false_words(problem, solution, 1e-3, best) == []


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


# ---- each error by itself


ZEROS = [0.0] * len(TERMS)
LOSSES = {  # (problem, variables)
    **{f"kernel values of degree {d}": (
        Problem([TERMS + ZEROS, ZEROS + TERMS], [-1, 1], Polynomial(d), C=2), [-1.0, 1.0])
       for d in (1, 3, 11, 12)},
    "a residual of -2 loses what multipliers add": (
        Problem([[1.0]] * (MANY + 2), [1] * (MANY + 1) + [-1], Polynomial(1), C=2),
        [1.0] + [0.49 * U] * MANY + [0.0]),
    "small scores are lost in the target": (
        Problem([[0.0], [0.0]] + [[2.0**-27]] * MANY, [1, -1] + [1] * MANY, Polynomial(1), C=2),
        [0.0, -2.0] + [0.99 * 2.0**-2] * MANY),
    **{f"rows are shifted, the sum of {beta} is not 0, first is {first}": (
        Problem([[1e8 + first], [1e8 + 1], [1e8 + 4 - first]], [1, -1, 1], C=2), beta)
       for beta in ([1.0, -0.5, 0.0], [0.5, -1.0, 0.0], [0.5, -1.0, 0.25]) for first in (0, 4)},
}


@pytest.mark.parametrize("name, way", one_in(3, [*product(LOSSES, [nullcontext, in_doubles])]))
def test_no_less_than_the_true_violation_is_proved(name, way):
    problem, beta = LOSSES[name]
    truth = violation_of(problem, beta)
    assert truth > 0
    with way():
        for tol in (nextafter(float(truth), 0) * (1 - U), float(truth) * 0.6):
            assert told_of(problem, beta, tol).status == "precision"
    if is_small(problem, beta):
        assert told_of(problem, beta, float(truth) * (1 + 4 * U)).status == "optimal"


TWO = Problem([[0.1], [0.7]], [1, -1], Polynomial(1), C=2)


def proved(problem, beta, r, errors, *, roots=1.0, w_error=0.0, **options):
    """What residuals prove that are off by no more than these errors."""
    roots = [roots] * len(r)
    errors = errors if isinstance(errors, list) else [errors] * len(r)
    return _proved_in_doubles(FinalIterate(problem, problem.dual_form(), beta, r, **options),
                              BoundedResiduals(r, errors, roots, w_error))


def ends_of(found, name="b"):
    offset = getattr(found.offsets, name)
    return offset.low, offset.high


def test_violation_and_offsets_are_widened_by_the_errors():
    """m is among the residuals that may rise, less or more their error; M likewise."""
    found = proved(TWO, [0.5, -0.5], [0.75, -0.5], [0.25, 0.125])
    assert 1.625 <= found.violation <= 1.625 * (1 + 1e-12)
    low, high = ends_of(found)
    assert 0.5 - 1e-12 < low <= 0.5 and -0.375 <= high < -0.375 + 1e-12
    wide = proved(TWO, [0.0, 0.0], [0.75, -0.5], [0.25, 0.125])
    # the first may rise, and the second may fall
    assert 1.625 <= wide.violation <= 1.625 * (1 + 1e-12)
    assert ends_of(wide)[0] <= 0.5 and ends_of(wide)[1] >= -0.375
    without = Problem([[1.0], [0.0]], [1, -1], C=1, bias=False)  # 0 is an offset, too
    found = proved(without, [0.5, -1.0], [0.5, -1.0], 1e-15)
    assert 0.5 < found.violation < 0.5 + 1e-14


def test_violation_is_rounded_up():
    """1 + 2^-60 is no double."""
    found = proved(TWO, [0.0, 0.0], [1.0, -(2.0**-60)], 0.0)
    assert 1 < found.violation < 1 + 1e-15 and ends_of(found) == (1.0, -(2.0**-60))
    assert proved(TWO, [2.0, -2.0], [1.0, -1.0], 0.0).violation == -2.0
    assert proved(TWO, [2.0, 0.0], [1.0, -1.0], 0.0).violation == -inf  # none may rise
    groups = NuProblem([[0.0], [1.0], [3.0], [4.0]], [-1, -1, 1, 1], nu=0.5)
    assert proved(groups, [0.5, 0.5, -1.0, 0.0], [2.0, 1.5, 1.0, 3.0], 0.0).violation == 0.5


def test_the_objective_is_less_by_what_residuals_are_off():
    """The dual is sum beta_k (target_k + r_k) / 2, so half of sum |beta_k| E_k is lost."""
    def objective(errors):
        return proved(TWO, [0.5, -0.5], [0.75, -0.5], errors).objective

    assert objective(1e-300) <= (0.5 * 1.75 + 0.5 * 1.5) / 2
    assert 0.25 <= objective(1e-300) - objective(0.5) <= 0.5 * (1 + 1e-12)
    assert objective(1e-300) - objective([0.5, 0.25]) >= 0.375 / 2
    third = proved(TWO, [2.0**-30, -(2.0**-30)], [1.0 - 2.0**-53, -1.0], 0.0)
    exact = 2 * Fraction(2.0**-30) - Fraction(2.0**-30) * Fraction(2.0**-53) / 2
    told = Fraction(third.objective)
    assert told <= exact < told * (1 + Fraction(1, 2**40))


@WAYS
def test_the_objective_of_sums_that_are_not_exact_is_less(way):
    """0.25 too much: the optimum is not as high as these multipliers say."""
    one = OneClassProblem([[0.3], [0.7]], Polynomial(1), nu=0.5)
    for problem, *some in ((TWO, [0.75, -0.5], [0.5, -0.75], [0.5, -0.25]),
                           (one, [1.0, 0.5], [0.5, 0.25], [0.5, 0.5])):
        for beta in some:
            with way():
                found = told_of(problem, beta, status="max_iter")
            assert Fraction(found.objective) <= truths.least_value(problem)


def test_what_cannot_be_judged_is_no_optimum():
    with in_doubles():
        infinite = told_of(TWO, [0.5, -0.5], tol=1, carried=1e308 * 10)
    assert infinite.status != "optimal" or infinite.gap < inf
    found = proved(TWO, [0.5, -0.5], [0.75, -0.5], inf)
    assert (found.gap, found.objective, found.violation) == (inf, -inf, inf)
    assert ends_of(found) == (-inf, inf) and found.primal == inf


def test_of_infeasible_sums_nothing_is_bounded():
    problem = NuProblem([[0.0], [1.0], [2.0]], [1, -1, -1], nu=0.9)
    found = told_of(problem, [1.0, -0.5, -0.5], status="infeasible", r=[0.0] * 3)
    assert (found.objective, found.gap) == (-inf, inf) and found.farkas == [1.0, 0.0, 0.0]


@pytest.mark.parametrize("errors", [[0.0, 0.25], [0.25, 0.0]])
def test_the_unit_of_tol_is_the_least_that_it_may_be(errors):
    """rho is off by an error; and R^2 by twice that, and by what |w|^2 may be off."""
    machines = OneClassProblem, BallProblem
    one, ball = (machine([[1.0], [2.0]], Gaussian(1)) for machine in machines)
    off = 0.125  # of the middle of m and M, where one residual is off by 0.25
    assert 1 - off - 1e-9 < proved(one, [0.5, 0.5], [-1.0, -1.0], errors).unit <= 1 - off
    sharp = proved(ball, [0.5, 0.5], [-1.0, -1.0], 0.0).unit
    found = proved(ball, [0.5, 0.5], [-1.0, -1.0], errors).unit
    assert sharp - found >= 2 * off + 2 * 0.5 * 0.25  # 2 lam + |w|^2, which has 2 beta_k E_k / 2
    assert proved(ball, [0.5, 0.5], [-1.0, -1.0], 0.0, w_error=0.5).unit <= sharp - 2 * 0.5
    low, high = ends_of(proved(ball, [0.5, 0.5], [2.0, 2.0], 0.0, w_error=0.5), "radius2")
    assert low <= 2.5 - 2 * 0.5 and high >= 2.5 + 2 * 0.5


def test_offsets_of_shifted_rows_are_those_of_the_rows_as_given():
    """The interval knows how far w is off, times the shift."""
    problem, beta = Problem([[1e8], [1e8 + 1], [1e8 + 3]], [-1, 1, 1], C=8), [-2.0, 2.0, 0.0]
    exact = ends_of(proved(problem, beta, [1.0, 1.0, -3.0], 0.0))
    assert problem.moved_by_shift([2.0, 2.0, 0.0]) == 2 * (10**8 + 1)
    assert exact[0] == exact[1] == 1.0 - 2 * (1e8 + 1)
    low, high = ends_of(proved(problem, beta, [1.0, 1.0, -3.0], 0.0, w_error=1e-6))
    assert low <= exact[0] - 100 and high >= exact[1] + 100
    assert high - low <= 2 * (1e-6 * (1e8 + 1)) * (1 + 1e-9) + 1e-6
    low, high = ends_of(proved(problem, [0.0] * 3, [-1.0, 1.0, 1.0], 0.0, w_error=1e-6))
    assert low <= 1 - 100 and high >= -1 + 100  # also where w, as rounded, has no part along it
    assert proved(problem, beta, [1.0, 1.0, -3.0], 0.0, b=0.5).offsets.b.value == 0.5


@WAYS
def test_the_radius_of_a_ball_is_as_wide_as_the_norm_of_its_centre(way):
    problem = BallProblem([[0.1], [0.7], [1.1]], Polynomial(1))
    with way():
        found = told_of(problem, [0.5, 0.0, 0.5], status="max_iter")
    radius2 = found.offsets.radius2
    (low,), (high,) = truths.Conditions.at(problem, found.alpha).offsets()
    assert radius2.low <= low and high <= radius2.high and radius2.low < radius2.high


def test_a_model_that_moves_its_offset_has_a_larger_gap():
    """The ball's radius is moved outwards by rounding: lam may be another by that."""
    problem = BallProblem([[0.1], [0.7], [1.1]], Polynomial(1), C=0.4)
    with in_doubles():
        still, moved = (told_of(problem, [0.4, 0.2, 0.4], residual_error=e) for e in (0.0, 0.5))
    assert moved.gap > still.gap + 0.5


def test_on_fractions_all_is_exact():
    problem = OneClassProblem([[Fraction(1)], [Fraction(2)]], nu=Fraction(1, 2))
    found = refsvm.smo(problem, tol=0)
    assert (found.gap, found.objective, found.violation) == (0, Fraction(-1, 2), -1)
    assert found.offsets.rho == (Fraction(3, 2), 1, 2)


@pytest.mark.parametrize("solver", SOLVERS[:4], ids=lambda solver: solver.__name__)
def test_small_whole_numbers_are_exact(solver):
    solution = solver(Problem([[0], [1], [3], [4]], [-1, -1, 1, 1], C=10), tol=0)
    assert (solution.status, solution.gap) == ("optimal", 0.0)
    assert told_of(BallProblem([[-2.0], [0.0], [8.0]]), [0.5, 0.0, 0.5]).objective == 25.0


# ---- which way proves it


@pytest.mark.parametrize("problem", [
    OneClassProblem, lambda K, kernel: NuProblem(K, [1, -1] * 23, kernel)])
def test_a_row_of_zeros_has_an_error_that_doubles_can_tell(problem):
    """Of a Gram matrix too large to be judged exactly, with a target of 0."""
    K = [[float(i == j > 0) for j in range(46)] for i in range(46)]
    assert refsvm.smo(problem(K, Precomputed())).status == "optimal"


def test_a_small_problem_whose_bounds_are_wide_is_judged_exactly():
    """The error of a residual, 1e-15, is more than a 256th of tol."""
    problem = Problem([[0.1], [0.7], [0.45]], [1, -1, 1], Polynomial(1), C=80)
    solution = refsvm.smo(problem, 1e-13)
    certificate = refsvm.certify(problem, solution)
    assert solution.status == "optimal" and solution.gap == rounded_up(certificate.gap)
    with in_doubles():
        assert refsvm.smo(problem, 1e-13).gap > solution.gap


def test_the_machine_that_is_kept_has_the_rounded_sum_of_two_variables():
    problem = RegressionProblem([[3.0], [-1.0]], [0.0, 0.0], Polynomial(1), C=2, epsilon=0)
    beta, coefs = [1.0, 0.0, -(2.0**-60), -0.25], [1.0, -0.25]  # 1 - 2^-60 is 1 in doubles
    exact = ExactAnswer(problem, beta, coefs)
    assert exact.kept_scores == [Fraction(39, 4), Fraction(-13, 4)]
    off = Fraction(1, 2**60)
    assert exact.scores == [Fraction(39, 4) - 9 * off, Fraction(-13, 4) + 3 * off]


def test_doubles_are_told_where_their_gap_is_less():
    """Variables of an example add up to 1e-16 too much, and rows are 1e12 away."""
    X = [[1000000004.0, 1099511627773.0], [1e9, 1099511627767.0], [1e9, 1099511627776.0],
         [1000000011.0, 1099511627771.0], [1000000001.0, 1099511627784.0]]
    problem = NuRegressionProblem(X, [1.1, 1.3, 0.3, 1.0, 1.6], C=10.0, nu=0.8426343911311499)
    assert refsvm.smo(problem, 0.0).gap < 1e-4


def test_no_pair_of_several_classes_is_a_lesson(monkeypatch):
    asked, X = [], [[0.0], [1.0], [3.0], [6.0]]
    monkeypatch.setattr(ways, "is_short", lambda problem: asked.append(is_short(problem)))
    for y in ([0, 1, 1, 2], [0, 1, 1, 1]):
        refsvm.SVC(kernel="linear").fit(X, y)
    assert asked == [False] * 3 + [True]


@pytest.mark.parametrize("kernel, way", [(Linear(), "residuals_by_w"),
                                         (Gaussian(1.0), "bounded_residuals")], ids=repr)
def test_residuals_that_are_far_off_are_made_anew(kernel, way):
    """Those that a solver carried say nothing within 1000; those made anew are "optimal"."""
    random = Random(3)
    X = [[random.gauss(0, 1) for _ in range(2)] for _ in range(12)]
    problem = Problem(X, [1 if x[0] > 0 else -1 for x in X], kernel)
    beta = problem.variables_of(refsvm.smo(problem, 1e-6).alpha)
    with in_doubles():
        plain, found = (told_of(problem, beta, 1e-3, carried=carried) for carried in (0.0, 1000.0))
        assert found.status == plain.status == "optimal"
        assert found.gap < plain.gap * (1 + 1e-9) + 1e-9 and found.violation < 1e-3
        owner = ways if way == "residuals_by_w" else Problem
        with patch.object(owner, way, side_effect=AssertionError), pytest.raises(AssertionError):
            told_of(problem, beta, 1e-3, carried=1000.0)


def test_a_kernel_of_the_callers_is_not_asked_again_for_the_rows_that_are_kept():
    asked = Counter()

    def overlap(x, z):
        asked[x[0], z[0]] += x != z
        return min(x[0], z[0]) + 1

    X, y = [[float(v)] for v in range(12)], [-1, 1, 1, -1] * 3
    for problem in (Problem(X, y, overlap), RegressionProblem(X, y, overlap)):
        asked.clear()
        assert refsvm.smo(problem).status == "optimal"
        apart = [times for (a, b), times in asked.items() if abs(a - b) > 1]
        assert max(apart) == 1  # neighbours are asked again: is the kernel symmetric?


# ---- sums, at the end


def test_a_multiplier_that_matters_is_not_moved_at_the_end():
    solution = refsvm.smo(CUBES)
    assert solution.status == "optimal"
    assert solution.model().decision([8104]) == pytest.approx(1, abs=1e-3)
    svc = refsvm.SVC(kernel="poly", degree=3, gamma=1, coef0=1)
    assert svc.fit([[3], [8104], [1]], [-1, 1, 1]).predict([[8104], [3]]) == [1, -1]


def test_sums_are_taken_off_the_one_that_costs_least():
    """What it leaves, a linear problem asks of the others; another does not."""
    form = Problem([[1], [2], [3]], [1, 1, -1], C=9).dual_form()

    def restored(beta, norms, linear=False):
        return restore_exact_sums(form, list(beta), float, norms, linear)

    beta = [1e-3, 1.0, -1.0]
    assert restored(beta, [1e9, 1.0, 1e9]) == [1e-3, 0.999, -1.0]
    assert restored(beta, [1.0] * 3) == [0.0, 1.0, -1.0]
    beta, norms = [1e-20, 1.0, -1.0], [4.0, 1.0, 9.0]
    assert surplus(range(3), Fraction(0), restored(beta, norms)) == Fraction(1e-20)
    assert restored(beta, norms, True) == [0.0, 1.0, -1.0]
    beta = [1e-20, 1.0, nextafter(-1.0, 0)]  # no bound is passed
    assert restored(beta, [1.0, 4.0, 4.0]) == beta and surplus(range(3), Fraction(0), beta) > 0


@pytest.mark.parametrize("beta, ended", [
    ([0.5, -0.25, -0.25 + 2.0**-50], None),
    ([1.0, 0.0, 0.0], [0, 0, 0]),  # bounds give way where a sum was lost
])
def test_residuals_follow_what_makes_the_sum_exact(beta, ended):
    problem = Problem([[2.0**20], [2.0**21], [2.0**20]], [1, -1, -1], Polynomial(1), C=1)
    ascent = PairAscent(dual_program(problem, None, 1), float)
    ascent.beta = beta
    ascent.recompute_residuals()
    end_with_sums(problem, ascent, "optimal")
    assert total(ascent.beta) == 0 and ascent.beta == (ended or ascent.beta)
    assert ascent.residuals() == ascent.compute_residuals()
