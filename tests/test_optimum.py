"""solve_exactly against the exhaustive judge of exact.py, which shares no formula with it."""

from fractions import Fraction
from math import inf

import degenerate
import exact as judge
import pytest
from cases_by_hand import CASES, NOT_SEPARABLE
from hypothesis import given
from hypothesis import strategies as st
from problems import arbitrary, feasible, givens, known, of_case

from refsvm import (
    Gaussian,
    Linear,
    MonomialSum,
    Polynomial,
    Precomputed,
    Problem,
    Spectrum,
    certify,
    gram,
    solve_exactly,
)
from refsvm.kernels.rational_values import polynomial_coefficients
from refsvm.numerics.factorisations import ldl
from refsvm.proofs import optimum, verification
from refsvm.proofs.definiteness import is_surely_definite
from refsvm.proofs.rational_kernels import IntegerRows
from refsvm.proofs.verification import Unproved, verify, verify_farkas


def by_name(cases):
    return pytest.mark.parametrize("case", cases, ids=[case.name for case in cases])


def agree(found, expected):
    """Whether an Optimum is what the judge found."""
    assert found.objective == expected.value
    assert (found.b_low, found.b_high) == (expected.b_low, expected.b_high)
    assert found.b_unique == (expected.b_low == expected.b_high)
    if found.alpha_unique:
        assert found.alpha == expected.alpha


@by_name(CASES)
def test_case_by_hand(case):
    agree(solve_exactly(of_case(case).problem()), known(case.name))


@by_name(NOT_SEPARABLE)
def test_a_hard_margin_that_does_not_exist_is_refuted(case):
    problem = of_case(case).problem()
    found = solve_exactly(problem)
    assert found.status == "infeasible"
    assert judge.exact_sum(found.farkas) > 0 <= min(found.farkas)


@given(givens(most=5, hard=True))
def test_any_small_problem(drawn):
    found, expected = solve_exactly(drawn.problem()), judge.optimum(*drawn.for_the_judge)
    if expected is None:
        assert found.status == "infeasible"
    else:
        agree(found, expected)


def test_an_indefinite_matrix_is_refused_with_its_witness():
    with pytest.raises(ValueError, match="K is not positive semidefinite.* v = -1, 1$"):
        solve_exactly(Problem([[Fraction(0), 1], [1, 0]], [-1, 1], Precomputed(), C=inf))


@pytest.mark.parametrize("kernel", [
    Polynomial(99999), MonomialSum(99999), Polynomial(99) * Polynomial(999), 2 * Polynomial(99999)
    + Linear(), Gaussian(1) * Polynomial(9999),
])
def test_a_degree_whose_values_have_too_many_digits_is_refused_at_once(kernel):
    problem = Problem([[0.1], [1.7], [3.1]], [1, -1, 1], kernel)
    for compute in (solve_exactly, lambda problem: certify(problem, [0] * 3, 0)):
        with pytest.raises(ValueError, match="digits, and at most 20000 are computed, so take a"):
            compute(problem)
    assert solve_exactly(Problem([[1], [2]], [1, -1], Polynomial(999))).status == "MM"



@given(st.randoms(use_true_random=False), st.sampled_from([0, optimum.MAX_UNAIDED_EXAMPLES]))
def test_degenerate_problems(random, few):
    """With few = 0 floats propose for the smallest problems, too."""
    problem = degenerate.drawn(random)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(optimum, "MAX_UNAIDED_EXAMPLES", few)
        found = solve_exactly(problem)
    if problem.n <= 5:
        degenerate.judged(problem, found)


@given(st.data(), givens(most=6))
def test_a_wrong_proposal_costs_time_only(data, drawn):
    problem = drawn.problem()
    alpha = data.draw(feasible(drawn))
    beta = [a * y for a, y in zip(alpha, problem.y)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(optimum, "starting_variables", lambda problem: beta)
        found = solve_exactly(problem)
    assert found.objective == solve_exactly(problem).objective


@given(st.data(), givens(most=5))
def test_what_is_not_optimal_is_never_verified(data, drawn):
    problem, best = drawn.problem(), judge.optimum(*drawn.for_the_judge)
    alpha = data.draw(st.one_of(feasible(drawn), arbitrary(drawn)))
    beta = [a * y for a, y in zip(alpha, drawn.y)]
    in_box = all(0 <= a <= c for a, c in zip(alpha, problem.upper_bounds()))
    balanced = not drawn.bias or judge.exact_sum(beta) == 0
    value = judge.dual(drawn.K, drawn.y, drawn.C, beta, drawn.slack == "squared")
    if in_box and balanced and value == best.value:
        assert verify(problem, alpha).objective == value
    else:
        with pytest.raises(Unproved):
            verify(problem, alpha)


@pytest.mark.parametrize("name", ["penalty_of_slack", "ridge_term"])
def test_a_gap_alone_refutes(monkeypatch, name):
    """The conditions imply that there is no gap; it is looked at all the same."""
    right = getattr(verification, name)
    monkeypatch.setattr(verification, name, lambda *given: right(*given) + 1)
    with pytest.raises(Unproved, match="the primal is"):
        solve_exactly(Problem([[0], [1], [3]], [-1, 1, 1]))


@pytest.mark.parametrize("change", [
    lambda q: [0 * v for v in q],
    lambda q: [-v for v in q],
    lambda q: [q[0] + 1, *q[1:]],
    lambda q: [q[0] + 1, q[1] + 1, *q[2:]],
])
def test_a_false_farkas_proof_is_refused(change):
    problem = Problem([[Fraction(0)], [2], [1]], [-1, -1, 1], C=inf)
    q = solve_exactly(problem).farkas
    assert verify_farkas(problem, q) == q
    with pytest.raises(Unproved):
        verify_farkas(problem, change(q))


def test_farkas_multipliers_stay_away_from_finite_penalties():
    problem = Problem([[Fraction(0)], [0]], [-1, 1], C=[inf, 1])
    with pytest.raises(Unproved):
        verify_farkas(problem, [Fraction(1), Fraction(1)])


@given(givens(most=4, kernels=[("linear",)]), st.lists(st.sampled_from([
    Linear(), Polynomial(3, Fraction(1, 3), Fraction(1, 2)), Polynomial(0), MonomialSum(2), 2.5,
]), min_size=1, max_size=4), st.randoms(use_true_random=False))
def test_rows_in_whole_numbers_are_the_rows(drawn, parts, random):
    kernel = Linear()
    for part in parts:
        kernel = kernel * part if random.random() < 0.5 or part == 2.5 else kernel + part
    problem = drawn.problem(kernel=kernel)
    K, ridge, rows = gram(kernel, problem.X), problem.ridge(), IntegerRows(problem)
    assert polynomial_coefficients(kernel) is not None
    for i in range(problem.n):
        numbers, below = rows.row(i)
        K[i][i] += ridge[i]
        assert [Fraction(v, below) for v in numbers] == K[i]


def test_a_kernel_that_is_no_polynomial_is_asked_for_its_values():
    problem = Problem(["ab", "abb"], [-1, 1], Spectrum(1), C=Fraction(1, 3))
    assert polynomial_coefficients(problem.kernel) is None
    assert IntegerRows(problem, ridge=False).row(1) == ([3, 5], 1)
    assert solve_exactly(problem).objective == Fraction(11, 18)
    common = Problem(["ab", "abb", "c"], [-1, 1, 1], lambda x, z: len(set(x) & set(z)))
    assert solve_exactly(common).objective == 2


def test_a_kernel_of_the_callers_own_is_called_with_fractions_only():
    def smaller(x, z):
        return min(x[0].numerator, z[0].numerator)

    rows = [[Fraction(v)] for v in range(1, optimum.MAX_UNAIDED_EXAMPLES + 4)]
    y = [1 if v % 3 else -1 for v in range(len(rows))]
    best = solve_exactly(Problem(rows, y, smaller, C=Fraction(1, 3)))
    minima = [[min(a, b) for [b] in rows] for [a] in rows]
    same = solve_exactly(Problem(minima, y, Precomputed(), C=Fraction(1, 3)))
    assert best.objective == same.objective and best.b_low == same.b_low


def test_numbers_beyond_any_double():
    huge = Fraction(10) ** 400
    X = [[v * huge] for v in (0, 1, 3, 4, 5, 6, 7, 8, 9)]
    found = solve_exactly(Problem(X, [-1, -1, *[1] * 7], C=1 / huge))
    assert found.w == [1 / huge] and found.b_low == -2
    tiny = solve_exactly(Problem([x[:] for x in X], [-1, -1, *[1] * 7], C=1 / huge**3))
    assert tiny.w == [6 / huge**2]


def test_a_second_optimum_where_no_example_is_free_and_nothing_is_dyadic():
    """Three on a line, all on the margin and on bounds: floats would not see that they depend."""
    X = [[Fraction(1, 2), Fraction(1, 2)], [Fraction(-1, 5), Fraction(-4, 5)],
         [Fraction(-11, 10), Fraction(1, 10)]]
    C = [Fraction(2), Fraction(4, 3), Fraction(2, 9)]
    problem = Problem(X, [1, -1, -1], C=C, bias=False)
    found = solve_exactly(problem)
    assert found.status == "MMM" and not found.alpha_unique
    degenerate.judged(problem, found)


def test_numbers_beyond_any_double_on_the_way(monkeypatch):
    """1 / C is, and floats propose what is no number."""
    problem = Problem([[0], [1], [3]], [-1, 1, 1], C=5e-324, slack="squared").to(Fraction)
    monkeypatch.setattr(optimum, "MAX_UNAIDED_EXAMPLES", 0)
    degenerate.judged(problem, solve_exactly(problem))


def test_a_function_that_is_not_symmetric_is_refused():
    with pytest.raises(ValueError, match="examples 0 and 1 is 1, and that of 1 and 0 is 2"):
        solve_exactly(Problem([[Fraction(1)], [2]], [-1, 1], lambda x, z: x[0]))


@given(st.lists(st.lists(st.integers(-3, 3), min_size=4, max_size=4), min_size=1, max_size=5),
       st.integers(-2, 2))
def test_what_fixed_point_proves_definite_is_definite(X, lowered):
    K = [[sum(a * b for a, b in zip(x, z)) for z in X] for x in X]
    for i, row in enumerate(K):
        row[i] -= lowered
    if is_surely_definite([list(map(Fraction, row)) for row in K]):
        assert ldl(K).rank == len(X)
