"""All that is said of one answer agrees with exact arithmetic, on the edges of arithmetic.

Problems are drawn where an exact sum stands next to a rounded one, and where the kernel matrix is
one of inner products next to where it is none (truths.edge_problem). What a Solution, gap_bounds
and check say is held against certify and solve_exactly.
"""

import warnings
from fractions import Fraction
from inspect import isfunction
from math import fsum, inf
from random import Random

import fuzz_words
import pytest
import truths
from equality import own_problem
from hypothesis import example, given
from hypothesis import strategies as st
from profiles import draws

import refsvm
import refsvm_fast
from refsvm import (
    BallProblem,
    Gaussian,
    Linear,
    NuProblem,
    Polynomial,
    Precomputed,
    Problem,
    Sigmoid,
)
from refsvm.solvers.degeneracy import is_proved_degenerate
from refsvm.solvers.semidefiniteness import has_negative_curvature

machines = st.sampled_from(sorted(set(truths.MACHINES)))
seeds = st.integers(0, 2**40)
tolerances = st.sampled_from([1e-3, 1e-6, 0.0])


@given(seeds, machines, tolerances)
@draws(1)
def test_what_is_said_of_an_answer_on_an_edge_is_so(seed, machine, tol):
    random = Random(seed)
    try:
        problem = truths.edge_problem(random, machine, most=5)
        name, solve, options = random.choice(list(fuzz_words.solvers_of(problem)))
        solution = solve(problem, tol=tol, **options)
    except ValueError:  # what no machine has
        return
    assert fuzz_words.false_of(random, problem, solution, tol) == []


# ---- a ball: |c|^2 has twice the digits of the scores


FAR = [[2.0**25, 2.0**25, 0.0], [2.0**25, 2.0**25, 1.0]]
AXES = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
BALLS = [
    BallProblem(FAR, Polynomial(1)),
    BallProblem(AXES, Linear(), 1, weights=[107374183 / 2**30, 1, 1]),
    BallProblem(AXES, Precomputed(), 1),
    BallProblem([[2.0**52, 1.0], [1.0, 2.0]], Precomputed()),
    BallProblem([[x * 2.0**-300 for x in row] for row in AXES], Linear(), 0.4),
]


@pytest.mark.parametrize("problem", BALLS, ids=repr)
@pytest.mark.parametrize("tol", [1e-3, 0.0])
def test_the_gap_of_a_ball_with_exact_scores_is_an_upper_bound(problem, tol):
    for package, own in (refsvm, problem), (refsvm_fast, own_problem(problem)):
        solution = package.smo(own, tol)
        assert fuzz_words.false_of(Random(1), own, solution, tol) == []
        certificate = refsvm.certify(problem, solution)
        assert solution.gap >= certificate.gap
        assert refsvm.gap_bounds(own, solution).high >= certificate.gap


@given(st.integers(1, 2**53), st.sampled_from([2.0**-26, 2.0**-40, 1e-9]),
       st.sampled_from([1, 2, inf]), st.sampled_from([None, 0.0, 0.5, 1.0]))
@example(2**30, 2.0**-40, 2, 0.0)
@draws(5)
def test_the_gap_of_one_multiplier_that_lacks_a_little(k, short, C, share):
    """The dual of what certify repairs may be less than the optimum, which gap_bounds is about."""
    problem = BallProblem([[float(k)]], Precomputed(), C)
    alpha, offset = [1 - short], [] if share is None else [share * k]
    best = refsvm.solve_exactly(problem).objective
    gap = refsvm.certify(problem, alpha, *offset).primal - best
    assert refsvm.gap_bounds(problem, alpha, *offset).high >= gap


# ---- words that are proofs


NO_INNER_PRODUCTS = [[1, 1, 0], [1, 1, 1], [0, 1, 1]]
BIG = [  # rows, and labels
    ([[1e8 + 0.5, 1e8], [1e8, 1.0], [1e8, 0.0], [1e8, 1e8 + 1.5]], [1, -1, 1, 1]),
    ([[1e8 + 0.5, 0.5], [1e8 + 0.5, 0.0], [1e8 + 0.5, 1e8], [1e8 + 1.5, 1e8]], [1, -1, 1, 1]),
    ([[1e8 + 0.5, 1e8], [1e8 + 0.5, 1e8], [1e8 + 0.5, 1e8 + 0.5]], [1, -1, -1]),
]


def summed(x, z):
    """<x, z>, rounded once: of rows as large as BIG no matrix of inner products."""
    return fsum(a * b for a, b in zip(x, z))


@pytest.mark.parametrize("kind", [float, Fraction])
def test_a_hard_margin_of_no_inner_products_is_not_denied(kind):
    """c = (-4, 1, -4) and b = 4 have the margins 1, 3 and 1."""
    K = [list(map(kind, row)) for row in NO_INNER_PRODUCTS]
    problem = Problem(K, [1, -1, 1], Precomputed(), inf)
    for name, solve, options in fuzz_words.solvers_of(problem):
        solution = solve(problem, **options)
        assert (name, solution.status) != (name, "infeasible")
        assert solution.farkas is None


@pytest.mark.parametrize("X, y", BIG)
def test_of_values_that_a_function_rounds_a_proof_is_one_of_the_matrix(X, y):
    assert not refsvm.mercer([[summed(x, z) for z in X] for x in X]).psd
    for package in (refsvm, refsvm_fast):
        assert package.smo(Problem(X, y, summed, inf), max_iter=2000).status != "infeasible"


def test_reduced_hulls_of_no_inner_products_are_not_said_to_meet():
    """Of those with a multiplier the matrix is one of inner products: of all it is none."""
    K = [[1.0, 1.0, 0.0], [1.0, 1.0, 4.0], [0.0, 4.0, 1.0]]
    for n in (3, 70):  # of 60 or fewer variables all are taken
        rows = [[K[min(i, 2)][min(j, 2)] for j in range(n)] for i in range(n)]
        for kind in (float, Fraction):
            X = [list(map(kind, row)) for row in rows]
            problem = NuProblem(X, [1, -1] + [1] * (n - 2), Precomputed(), kind(1) / n)
            form, alpha = problem.dual_form(), [kind(1)] * 2 + [kind(0)] * (n - 2)
            assert not is_proved_degenerate(problem, form, problem.variables_of(alpha))


BENT = [
    Problem([[-0.00016], [-0.00022], [0.0], [-0.0002], [-0.00028]], [1, -1, 1, -1, 1],
            Polynomial(2)),
    Problem([[0.0002], [-0.0002], [2e-05], [8e-05], [0.00018]], [1, -1, 1, -1, 1],
            Polynomial(2), 10),
    Problem([[0.1 * i] for i in range(5)], [1, -1, 1, -1, 1], 1e-8 * Gaussian(1)),
    Problem([[0.1 * i] for i in range(5)], [1, -1, 1, -1, 1], 1e-8 * Gaussian(1), 1e8),
]


@pytest.mark.parametrize("problem", BENT, ids=repr)
def test_no_inner_product_is_called_indefinite(problem):
    for tol in (1e-3, 1e-9):
        for name, solve, options in fuzz_words.solvers_of(problem):
            assert solve(problem, tol, **options).status != "indefinite", name


def test_a_sigmoid_is_called_indefinite_where_its_errors_leave_no_doubt():
    problem = Problem([[0.0], [1.0], [2.0]], [1, -1, 1], Sigmoid(1, -1), bias=False)
    for package in (refsvm, refsvm_fast):
        assert package.smo(problem).status == "indefinite"
    assert has_negative_curvature(problem, {0: 1})
    near = Problem([[1.0], [1.0 + 2.0**-52]], [1, -1], Sigmoid(1e6, 0))
    assert not has_negative_curvature(near, {0: 1, 1: -1})


# ---- check


ESTIMATORS = [
    refsvm.SVC, refsvm.NuSVC, refsvm.SVR, refsvm.NuSVR, refsvm.OneClassSVM, refsvm.SVDD,
]


JUDGED = [
    (refsvm.SVR(kernel="linear", C=1, epsilon=0.1, tol=1e-6),
     [[2.0**40 - 1.5], [2.0**40 + 0.25]], [0, -3]),
    (refsvm.SVC(kernel="linear"), [[0], [1], [3]], [0, 1, 1]),
]


@pytest.mark.parametrize("machine, X, y", JUDGED, ids=["far", "near"])
def test_both_ways_of_check_judge_the_machine_that_is_kept(machine, X, y):
    """Its w is rounded."""
    machine.fit(X, y)
    rough, exact = (refsvm.check(machine, X, y, exact=way) for way in (False, True))
    assert rough.verdict == exact.verdict == "pass"
    (a,), (b,) = rough.machines, exact.machines
    assert a.low <= b.high and b.low <= a.high


def test_multipliers_that_do_not_add_up_are_told_in_fractions():
    machine = refsvm.NuSVR(kernel="linear", C=10, nu=0.3).fit([[0], [1]], [-1, 2])
    machine.dual_coef_ = [[1.1 * machine.dual_coef_[0][0], *machine.dual_coef_[0][1:]]]
    for exact in (False, True):
        (found,) = refsvm.check(machine, [[0], [1]], [-1, 2], exact=exact).machines
        assert found.verdict == "FAIL" and "the multipliers add up to" in found.cure


@given(seeds, st.sampled_from(ESTIMATORS), st.sampled_from([1e-3, 1e-9]))
@draws(2)
def test_check_by_fractions_never_says_the_opposite(seed, estimator, tol):
    """What doubles cannot tell, fractions may.

    Not of a function of the caller's: its values on fractions are others than on doubles.
    """
    random = Random(seed)
    rows, kernel = truths.edge_kernel_and_rows(random, 6)
    if isfunction(kernel):
        return
    values = [random.choice([0.0, 1.0]) if estimator in ESTIMATORS[:2] else random.gauss(0, 1)
              for _ in rows]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            machine = estimator(kernel=kernel, tol=tol, max_iter=2000).fit(rows, values)
        verdicts = [refsvm.check(machine, rows, values, exact=exact).verdict
                    for exact in (False, True)]
    except (ValueError, TypeError):  # no machine, one class, or numbers beyond the doubles
        return
    assert sorted(verdicts) != ["FAIL", "pass"]
