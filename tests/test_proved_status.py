"""A solver says "optimal" only of what is so in exact arithmetic, and its last residuals are those
of its answer. Bounds of kernel values and residuals hold against Fractions."""

from collections import Counter
from fractions import Fraction
from math import inf

import pytest
from equality import compiled, same
from hypothesis import example, given
from hypothesis import strategies as st
from problems import examples

import refsvm
from refsvm import (
    BallProblem,
    Gaussian,
    Linear,
    MonomialSum,
    NuProblem,
    Polynomial,
    Precomputed,
    Problem,
    RegressionProblem,
    Spectrum,
)
from refsvm.kernels.value_errors import bound_by_diagonal, value_errors
from refsvm.numerics.elementary import exp
from refsvm.proofs.rational_kernels import exact
from refsvm.solvers.coordinate_ascent import textbook_coordinate_ascent
from refsvm.solvers.decomposition import decomposition
from refsvm.solvers.dual_program import compute_residuals, dual_program
from refsvm.solvers.proved_status import ResidualBounds
from refsvm.svm.dual_form import restore_exact_sums, surplus
from refsvm.svm.residual_bounds import accuracy_of

SOLVERS = [
    refsvm.smo,
    decomposition,
    refsvm.active_set,
    refsvm.projected_gradient,
    refsvm.textbook_smo,
]
WITHOUT_OFFSET = [refsvm.smo, refsvm.active_set, refsvm.projected_gradient]
WITHOUT_OFFSET += [refsvm.coordinate_ascent, textbook_coordinate_ascent]


def exact_violation(problem, solution):
    """m - M of the answer in exact arithmetic."""
    report = refsvm.kkt(exact(problem), list(map(Fraction, solution.alpha)))
    return report.m - report.M


def holds(problem, solution, tol=1e-3):
    """Whether what is said is true."""
    return solution.status != "optimal" or exact_violation(problem, solution) <= Fraction(tol)


FAR = Problem([[0], [1e9], [2e9], [3e9]], [-1, 1, -1, 1])
CUBES = Problem([[3], [8104], [1]], [-1, 1, 1], Polynomial(3, 1, 1))
SAME = Problem([[2000], [2000]], [1, -1], Polynomial(3), C=1)
LARGE_C = Problem(
    [[1002, 1000, 1001], [1002, 1001, 1001], [1002, 1001, 1001], [1002, 1000, 1001]],
    [1, 1, 1, -1],
    Polynomial(2, 1, 1),
    C=2**20,
)


@pytest.mark.parametrize("solver", SOLVERS, ids=lambda solver: solver.__name__)
@pytest.mark.parametrize("problem", [FAR, CUBES, SAME, LARGE_C], ids=repr)
def test_what_was_false_is_true(problem, solver):
    solution = solver(problem, max_iter=500)
    assert holds(problem, solution)
    if problem is FAR:
        assert solution.status != "optimal"


def negative_distance(x, z):
    """A kernel for multipliers whose sum is 0; its diagonal is 0, and its values are not."""
    return -sum((a - b) * (a - b) for a, b in zip(x, z))  # exact


POINTS = [[0.0], [1e9], [2e9], [3e9]]
BEYOND = [
    Problem(POINTS, [-1, 1, -1, 1], negative_distance),
    Problem([[negative_distance(x, z) for z in POINTS] for x in POINTS], [-1, 1, -1, 1],
            refsvm.Precomputed()),
    Problem(POINTS, [-1, 1, -1, 1], 0.5 * refsvm.Kernel.__add__(Linear(), negative_distance)),
    Problem([[3e4], [8104.0], [1e5]], [-1, 1, 1], Polynomial(3, 1, -7)),
]


@pytest.mark.parametrize("solver", SOLVERS, ids=lambda solver: solver.__name__)
@pytest.mark.parametrize("problem", BEYOND, ids=repr)
def test_values_may_be_larger_than_all_of_the_diagonal(problem, solver):
    assert holds(problem, solver(problem, max_iter=200))


@compiled
@pytest.mark.parametrize("problem", [FAR, CUBES, SAME, LARGE_C, *BEYOND], ids=repr)
def test_compiled_solvers_say_the_same(problem):
    for name in ("smo", "active_set", "projected_gradient"):
        same(name, problem, max_iter=500)


def test_a_multiplier_that_matters_is_not_moved_at_the_end():
    solution = refsvm.smo(CUBES)
    assert solution.status == "optimal"
    assert solution.model().decision([8104]) == pytest.approx(1, abs=1e-3)
    svc = refsvm.SVC(kernel="poly", degree=3, gamma=1, coef0=1)
    assert svc.fit([[3], [8104], [1]], [-1, 1, 1]).predict([[8104], [3]]) == [1, -1]


def test_sums_are_taken_off_the_one_that_costs_least():
    form = Problem([[1], [2], [3]], [1, 1, -1], C=9).dual_form()
    beta = [1e-3, 1.0, -1.0]
    norms = [1e9, 1.0, 1e9]
    assert restore_exact_sums(form, list(beta), float, norms, False) == [1e-3, 0.999, -1.0]
    assert restore_exact_sums(form, list(beta), float, [1.0] * 3, False) == [0.0, 1.0, -1.0]
    # What the first leaves, a linear problem asks of the others; another does not.
    beta, norms = [1e-20, 1.0, -1.0], [4.0, 1.0, 9.0]
    left = restore_exact_sums(form, list(beta), float, norms, False)
    assert surplus(range(3), Fraction(0), left) == Fraction(1e-20)
    assert restore_exact_sums(form, list(beta), float, norms, True) == [0.0, 1.0, -1.0]


def test_small_whole_numbers_are_exact():
    problem = Problem([[0], [1], [3], [4]], [-1, -1, 1, 1], C=10)
    for solver in SOLVERS[:4]:
        solution = solver(problem, tol=0)
        assert (solution.status, solution.gap) == ("optimal", 0.0)


whole = st.integers(-10_000, 10_000)
numbers = st.floats(-10, 10) | whole.map(float) | st.floats(1e7, 1e9)
KERNELS = [Linear(), Polynomial(2), Polynomial(3, 1 / 3, 1), MonomialSum(3)]
KERNELS += [2.5 * Linear() + Polynomial(2, 0.1, 0.7), Linear() * Polynomial(2, -0.3, 1)]


@given(st.data())
def test_solvers_say_optimal_of_what_is_so(data):
    X, y = data.draw(examples(numbers, d=(2, 2)))
    bias = data.draw(st.booleans())
    kernel = data.draw(st.sampled_from(KERNELS[:5]))
    C = data.draw(st.sampled_from([1, 1e-3, 1e6, 1e12]))
    problem = Problem(X, y, kernel, C, bias)
    solver = data.draw(st.sampled_from(SOLVERS if bias else WITHOUT_OFFSET))
    try:
        solution = solver(problem, max_iter=300)
    except ValueError as error:  # an answer beyond the doubles
        assert "doubles" in str(error)
        return
    assert holds(problem, solution)


rows_of_three = st.lists(st.lists(numbers, min_size=3, max_size=3), min_size=2, max_size=4)


@given(st.sampled_from(KERNELS), rows_of_three)
@example(Linear(), [[1e8, 1.0, -1e8], [1e8, 1.0, 1e8]])
@example(Polynomial(3, 1 / 3, 1), [[1e8, 1.0, -1e8], [1e8, 1.0, 1e8]])
def test_kernel_values_are_within_their_bound(kernel, X):
    v, sizes = value_errors(kernel, X)
    row, exactly = kernel.row_function(X, float), kernel.to(Fraction)
    for x, s in zip(X, sizes):
        for z, value, t in zip(X, row(x), sizes):
            true = exactly.of_one_kind(list(map(Fraction, x)), list(map(Fraction, z)))
            square = Fraction(s) * Fraction(t)
            assert (Fraction(value) - true) ** 2 <= Fraction(v * 2.0**-53) ** 2 * square
            assert true**2 <= square * (1 + Fraction(1, 2**40))


def test_bounds_of_kernel_values_are_no_idle_ones():
    """A rounding less for each factor would be too few: these come within a fifth of the bound."""
    third = 1 / 3
    X = [[third] * 40, [third + 2.0**-30] * 40]
    for kernel, share in ((Linear(), 0.1), (Polynomial(3, third, third), 0.05)):
        (v, sizes), exactly = value_errors(kernel, X), kernel.to(Fraction)
        value = kernel.row_function(X, float)(X[0])[1]
        error = abs(Fraction(value) - exactly.value(*([Fraction(u) for u in x] for x in X)))
        assert error > share / 10 * v * 2.0**-53 * (sizes[0] * sizes[1]) ** 0.5
        assert v <= bound_by_diagonal(kernel, 40)


def test_kernels_of_which_the_diagonal_says_too_little():
    assert bound_by_diagonal(Polynomial(2, 1, -1), 3) == inf == bound_by_diagonal(
        refsvm.Sigmoid(1, 0) + Linear(), 3)
    assert bound_by_diagonal(Gaussian(1) * Linear(), 3) < 20


@given(st.data())
def test_residuals_are_within_their_bounds(data):
    n = data.draw(st.integers(2, 5))
    X = data.draw(st.lists(st.lists(numbers, min_size=2, max_size=2), min_size=n, max_size=n))
    kernel = data.draw(st.sampled_from(KERNELS[:5]))
    slack = data.draw(st.sampled_from(["hinge", "squared"]))
    problem = Problem(X, [1, -1] * (n // 2) + [1] * (n % 2), kernel, 8, slack=slack)
    beta = [y * data.draw(st.floats(0, 8)) for y in problem.y]
    form, program = problem.dual_form(), dual_program(problem, None, 1)
    r = compute_residuals(program, beta)
    accuracy = accuracy_of(problem, form, beta, beta, r)
    bounds = ResidualBounds(problem, form, beta, r, accuracy)
    exactly = exact(problem)
    report_beta = list(map(Fraction, beta))
    scores, _ = exactly.scores_and_norm2(report_beta)
    true = [t - s - c * b for t, s, c, b in zip(problem.y, scores, exactly.ridge(), report_beta)]
    # With the offset of shifted rows, which is the same for all.
    constant = bounds.exact.residual(0) - true[0]
    for k in range(n):
        assert bounds.low[k] <= true[k] + constant <= bounds.high[k]
        assert bounds.exact.residual(k) == true[k] + constant


# ---- where the numbers are far from 1, or from the multipliers of before

TINY = [[3e-162], [-3e-162]]
UNDERFLOWN = [
    BallProblem([[1e-170], [3e-170], [2.5e-170]], C=1),
    Problem(TINY, [1, -1], Polynomial(1, 2.0**400), C=1e300),
    Problem(TINY, [1, -1], 1e300 * Linear(), C=1e100),
    Problem(TINY, [1, -1], Linear() * Polynomial(1, 0, 1e300), C=1e100),
]


@compiled
@pytest.mark.parametrize("problem", UNDERFLOWN, ids=repr)
def test_products_below_the_doubles_prove_nothing(problem):
    """<x, x> is 9e-324, of which doubles make 9.9e-324."""
    same("smo", problem)
    assert refsvm.smo(problem).status == "precision"


BEYOND = [
    RegressionProblem(
        [[1, 0, 0.5], [0, 1e300, 0], [0.5, 0, 1]],
        [1e200, 1e199, -1e200],
        Precomputed(),
        C=1e202,
        epsilon=1e190,
    ),
    NuProblem([[2.4e-93], [2.3e-92]], [1, -1], 0.1 * Polynomial(10, 1e181, 1), nu=0.3),
]


@pytest.mark.parametrize("problem", BEYOND, ids=repr)
def test_bounds_beyond_the_doubles_are_no_error(problem):
    assert refsvm.smo(problem, tol=0).status in ("precision", "optimal")


def large_start(n=100, B=1e12):
    """A start whose two large multipliers swallow what is added between them.

    The one step to the optimum leaves that in the residuals, which know 1e12 no more.
    """
    small = 0.4 * 2.0**-13 / 0.25  # a product with 0.25 is 0.4 ulps of B
    signs = [1 - 2 * (i % 2) for i in range(n)]
    X = [[1, 0], *([0.25 * s, 0] for s in signs), [0, 1]]
    C = [2 * B, *[small] * n, 2 * B]
    return Problem(X, [1, *signs, -1], Polynomial(1), C), [B, *[small] * n, B]


@compiled
def test_residuals_remember_the_multipliers_they_were_made_of():
    problem, start = large_start()
    same("smo", problem, 4e-3, start=start)
    for solver in (refsvm.smo, decomposition, refsvm.projected_gradient):
        assert holds(problem, solver(problem, 4e-3, start=start), 4e-3)


def test_differences_of_sparse_rows_have_the_numbers_of_both():
    """1 + t t = 1, each time; so the distance is too small by 399 t t, and e^-1 too large."""
    t = 2.0**-27 * 1.414
    X = [[1.0] + [t] * 199 + [0.0] * 200, [0.0] * 200 + [t] * 200]
    assert Gaussian(1).row_function(X, float)(X[0])[1] == exp(-1.0)
    assert 0.3678 * 399 * t * t < value_errors(Gaussian(1), X).roundings * 2.0**-53


@pytest.mark.parametrize("kernel", [0.1 * Spectrum(1), 0.1 * Spectrum(1) + 0.7 * Spectrum(2)])
def test_multiples_of_string_kernels_are_rounded(kernel):
    X = ["abbaabbba", "abaabb", "bb"]
    v, sizes = value_errors(kernel, X)
    row, exactly = kernel.row_function(X, float), kernel.to(Fraction)
    for x, s in zip(X, sizes):
        for z, value, t in zip(X, row(x), sizes):
            error = Fraction(value) - exactly.value(x, z)
            assert error**2 <= Fraction(v * 2.0**-53) ** 2 * Fraction(s) * Fraction(t)


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
