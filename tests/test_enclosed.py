"""The optimum of problems with exponential kernels: every interval holds the true number.

The judge is tests/exact.py, which tries every pattern of bounds in fractions, on kernel values
that the decimal module computes to 200 digits: next to the intervals here those are exact.
"""

from decimal import Decimal, localcontext
from fractions import Fraction as Q
from math import inf
from unittest.mock import patch

import exact
import minors
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from problems import examples, labellings

from refsvm import (
    Gaussian,
    Linear,
    Polynomial,
    Problem,
    Sigmoid,
    active_set,
    certify,
    solve_exactly,
)
from refsvm.numerics.fixed_point import FixedPointLDL, eigenvalue_lower_bound
from refsvm.numerics.intervals import Interval
from refsvm.proofs import exponential_sums, refinement, starting_points
from refsvm.proofs.enclosed_optimum import enclose_optimum, is_narrow
from refsvm.proofs.enclosed_values import (
    enclose_lam,
    enclose_norm2,
    enclose_residuals,
    enclose_values,
)
from refsvm.proofs.enclosures import kernel_interval
from refsvm.proofs.exponential_sums import ExponentialSum, determinant, kernel_sum
from refsvm.proofs.merged_examples import MergedProblem, find_farkas
from refsvm.proofs.rounded_problem import RoundedProblem
from refsvm.svm.exact_answers import repair_multipliers
from refsvm.svm.problem import best_offsets

TINY = Q(1, 10**60)  # more than the judge is off

GAUSSIAN = Gaussian(0.5)
KERNELS = {
    GAUSSIAN: lambda gaussian, dot: gaussian,
    GAUSSIAN + 0.25 * Linear(): lambda gaussian, dot: gaussian + dot / 4,
    GAUSSIAN * Polynomial(1, coef0=1): lambda gaussian, dot: gaussian * (dot + 1),
    GAUSSIAN * Linear(): lambda gaussian, dot: gaussian * dot,
}
FORMULAS = {**KERNELS, Sigmoid(1.0, 0.0): lambda gaussian, dot: dot}  # for rows of zeros
FIELDS = ("objective", "w_norm2", "sum_alpha", "sum_C_slack", "b_low", "b_high")


def exponential(x):
    with localcontext() as context:
        context.prec = 200
        return Q((Decimal(x.numerator) / x.denominator).exp())


def value(kernel, x, z):
    x, z = list(map(Q, x)), list(map(Q, z))
    square = exact.inner([a - b for a, b in zip(x, z)], [a - b for a, b in zip(x, z)])
    return FORMULAS[kernel](exponential(-square / 2), exact.inner(x, z))


@st.composite
def problems(draw):
    """A small problem with many coincidences, in the order of Problem's arguments."""
    X, y = draw(examples(st.sampled_from([-1.0, 0.0, 1.0, 2.0, 0.5]), (2, 4), (1, 2)))
    n = len(y)
    penalty = st.sampled_from([1.0, 2.0**-30, 0.125, 0.5, 8.0, 2.0**20, inf])
    C = draw(penalty.map(lambda c: [c] * n) | st.lists(penalty, min_size=n, max_size=n))
    kernel = draw(st.sampled_from(list(KERNELS)))
    return X, y, kernel, C, draw(st.booleans()), draw(st.sampled_from(["hinge", "squared"]))


def judged(X, y, kernel, C, bias, slack):
    """(the judge's kernel matrix, its Optimum)."""
    K = [[value(kernel, x, z) for z in X] for x in X]
    C = [c if c == inf else Q(c) for c in C]
    return K, exact.optimum(K, y, C, bias, slack == "squared")


NO_FEATURES = ([[0.5], [1.0], [2.0], [0.5], [0.0]], [1, -1, 1, 1, -1], GAUSSIAN * Linear(),
               [inf] * 5, True, "hinge")
ON_A_BOUND = ([[-1.0], [-1.0], [2.0]], [1, -1, 1], GAUSSIAN, [8.0, 8.0, 1.0], False, "hinge")
BETWEEN_BOUNDS = ([[-1.0]] * 3, [1, -1, 1], GAUSSIAN, [1.0] * 3, False, "hinge")
OPPOSITE = ([[0.0], [1.0], [0.0]], [1, 1, -1], GAUSSIAN, [inf] * 3, True, "squared")
ZERO_KERNEL = ([[0.0], [0.0]], [1, -1], Sigmoid(1.0, 0.0), [2.0, 8.0], True, "hinge")
SMALLEST_PRICE = ([[0.0], [1.0]], [1, -1], GAUSSIAN, [5e-324, 8.0], True, "squared")


@example(NO_FEATURES)
@example(ZERO_KERNEL)
@example(SMALLEST_PRICE)
@example(ON_A_BOUND)
@example(OPPOSITE)
@example(BETWEEN_BOUNDS)
@given(problems())
def test_the_true_optimum_is_held(given_problem):
    X, y, kernel, C, bias, slack = given_problem
    found = solve_exactly(Problem(*given_problem), bits=40)
    K, best = judged(*given_problem)
    assert (best is None) == (found.status == "infeasible")
    if best is None:
        assert_no_hard_margin(K, y, C, bias, found)
        return
    w_norm2 = exact.quadratic(K, [a * s for a, s in zip(best.alpha, y)])
    truth = (best.value, w_norm2, exact.exact_sum(best.alpha), best.value - w_norm2 / 2,
             best.b_low, best.b_high)
    for field, number in zip(FIELDS, truth):
        interval = getattr(found, field)
        assert interval.low - TINY <= number <= interval.high + TINY, field
        assert interval.width <= Q(1, 2**40), field
    for letter, true in zip(found.status, true_statuses(given_problem, best)):
        assert letter in (true, "?")
    if found.b_unique is not None:
        assert found.b_unique == (abs(best.b_high - best.b_low) < TINY)
    assert (found.other_alpha is not None) == (found.alpha_unique is False)
    for alpha in filter(None, (found.alpha, found.other_alpha)):
        tops = [inf] * len(y) if slack == "squared" else C
        assert all(0 <= a <= top for a, top in zip(alpha, tops))
        beta = [a * s for a, s in zip(alpha, y)]
        assert not bias or exact.exact_sum(beta) == 0
        C_exact = [c if c == inf else Q(c) for c in C]
        lost = best.value - exact.dual(K, y, C_exact, beta, slack == "squared")
        assert -TINY <= lost <= Q(1, 2**40)
    if found.alpha_unique:
        assert all(abs(a - c) < Q(1, 2**15) for a, c in zip(found.alpha, best.alpha))
    if found.other_alpha:
        assert found.other_alpha != found.alpha


def assert_no_hard_margin(K, y, C, bias, found):
    beta = [q * s for q, s in zip(found.farkas, y)]
    assert any(beta) and all(q >= 0 and (q == 0 or c == inf) for q, c in zip(found.farkas, C))
    assert exact.quadratic(K, beta) == 0 and (not bias or exact.exact_sum(beta) == 0)


@given(problems())
def test_more_bits_agree_with_fewer(given_problem):
    problem = Problem(*given_problem)
    few, many = (solve_exactly(problem, bits=bits) for bits in (10, 90))
    assert len(few.status) == len(many.status)
    assert all(s in (t, "?") for s, t in zip(few.status, many.status))
    if few.status != "infeasible":
        for field in FIELDS:
            wide, narrow = getattr(few, field), getattr(many, field)
            assert wide.low <= narrow.high and narrow.low <= wide.high
            assert narrow.width <= Q(1, 2**90)


@given(problems(), st.integers(1, 14), st.lists(st.integers(0, 64), min_size=5, max_size=5))
def test_what_is_measured_holds_with_few_bits_and_a_poor_alpha(given_problem, p, shares):
    """Where rounding and the gap are large no term of a bound can be absent and not be missed."""
    X, y, kernel, C, bias, slack = given_problem
    K, best = judged(*given_problem)
    near = RoundedProblem(MergedProblem(Problem(*given_problem)), p)
    if best is None or near.n < len(y):
        return
    tops = [Q(1 if c == inf or slack == "squared" else c) for c in C]
    good, *shares = (Q(share, 64) for share in shares)
    alpha = [good * a + (1 - good) * share * top
             for a, share, top in zip(best.alpha, shares, tops)]
    repaired = repair_multipliers(near.problem, alpha)
    seen = enclose_values(near, [a * s for a, s in zip(repaired, y)])
    assert seen.value.low - TINY <= best.value <= seen.value.high + TINY
    if seen.value.high == inf:
        return
    w_norm2 = exact.quadratic(K, [a * s for a, s in zip(best.alpha, y)])
    weights, r = enclose_norm2(near, seen), enclose_residuals(near, seen)
    assert weights.low - TINY <= w_norm2 <= weights.high + TINY
    for interval, s, label in zip(r, best.scores, y):
        assert interval.low - TINY <= label - s <= interval.high + TINY
    for ends in enclose_lam(near.best_lam, r):
        for interval, b in zip(ends, (best.b_low, best.b_high)):
            assert interval.low - TINY <= b <= interval.high + TINY
    found = enclose_optimum(near, seen)
    for letter, true in zip(found.status, true_statuses(given_problem, best)):
        assert letter in (true, "?") or (letter, true) == ("T", "M")


@given(problems(), st.sets(st.integers(0, 3)), st.sampled_from([0, 20]))
def test_refinement_ends_at_the_optimum_wherever_it_begins(given_problem, free, patience):
    X, y, kernel, C, bias, slack = given_problem
    merged = MergedProblem(Problem(*given_problem))
    if find_farkas(merged):
        return
    near = RoundedProblem(merged, 80)
    tops = near.problem.upper_bounds()
    start = [s * top if i % 2 and top < inf else Q(0)
             for i, (s, top) in enumerate(zip(near.problem.y, tops))]
    with patch.object(refinement, "MAX_IDLE_ROUNDS", patience):
        beta, _ = refinement.refine(near, start, {i for i in free if i < near.n})
    alpha = [b * s for b, s in zip(beta, near.problem.y)]
    assert all(0 <= a <= top for a, top in zip(alpha, tops))
    assert not bias or exact.exact_sum(beta) == 0
    best = active_set(near.problem, tol=0)
    lost = best.objective - near.problem.dual(alpha)
    assert 0 <= lost <= Q(1, 2**30) * (1 + best.objective)


def true_statuses(given_problem, best):
    """L, M or U of each example, from the judge's Optimum."""
    _, y, _, C, _, slack = given_problem
    b, letters = (best.b_low + best.b_high) / 2, ""
    for s, label, c, a in zip(best.scores, y, C, best.alpha):
        ridge = 1 / Q(c) if slack == "squared" and c < inf else 0
        wants = label * (label - s - b) - ridge * a
        letters += "L" if wants < -TINY else "U" if wants > TINY else "M"
    return letters


# ---- closed forms -------------------------------------------------------------------------------

@pytest.mark.parametrize("bits", [1, 64, 300])
@pytest.mark.parametrize("c", [0.5, 3.0, inf])
def test_two_points_have_a_closed_form(bits, c):
    found = solve_exactly(Problem([[0.25], [1]], [-1, 1], Gaussian(1.5), C=c), bits=bits)
    k = kernel_interval(Gaussian(1.5), [0.25], [1], 2000).low
    a = min(1 / (1 - k), Q(c)) if c < inf else 1 / (1 - k)
    assert found.objective.holds(2 * a - a * a * (1 - k))
    assert found.sum_alpha.holds(2 * a) and found.w_norm2.holds(2 * a * a * (1 - k))
    assert found.b_low.holds(a * (1 - k) - 1) and found.b_high.holds(1 - a * (1 - k))
    assert found.status == ("UU" if c == 0.5 else "MM")
    assert found.b_unique == (c > 1)


@pytest.mark.parametrize("distance", [2.0**-30, 2.0**-400, 2.0**-700])
@pytest.mark.parametrize("slack", ["hinge", "squared"])
def test_close_opposites_have_a_hard_margin_though_alpha_is_beyond_any_double(distance, slack):
    found = solve_exactly(Problem([[0], [distance]], [1, -1], GAUSSIAN, C=inf, slack=slack))
    k = kernel_interval(GAUSSIAN, [0], [distance], 4000)
    assert 1 / (1 - k.low) <= found.objective.high and found.objective.low <= 1 / (1 - k.high)
    assert found.status == "MM" and found.alpha_unique and found.objective.width <= Q(1, 2**64)


@pytest.mark.slow("a hard margin that no number of bits decides")
def test_a_hard_margin_that_is_neither_found_nor_refuted_is_said_to_be():
    problem = Problem([[1], [2], [3]], [1, -1, 1], 0 * GAUSSIAN + Linear(), C=inf)
    with pytest.raises(ArithmeticError, match="bits of the kernel values do not tell whether"):
        solve_exactly(problem, bits=1)


def test_xor_has_a_closed_form():
    X, y = [[1, 1], [-1, -1], [1, -1], [-1, 1]], [1, 1, -1, -1]
    found = solve_exactly(Problem(X, y, Gaussian(1), C=10), bits=150)
    digits = Q("1.03766281782329182275224813551446592660258324")
    for a in found.sum_alpha:
        assert abs(a / 4 - digits) < Q(1, 10**44)
    e = kernel_interval(Gaussian(4), [0], [1], 700).low
    assert found.objective.holds(2 / (1 - e) ** 2)
    assert found.status == "MMMM" and found.alpha_unique and found.b_low.holds(0)


def test_where_smo_does_not_end_the_active_set_method_proposes():
    X = [[k / 8, k * k % 7] for k in range(24)]
    problem = Problem(X, [1 if k * k % 5 < 2 else -1 for k in range(24)], Gaussian(0.25), C=1e4)
    free = free_at_start(problem)
    with patch.object(starting_points, "ENCLOSED_SMO_STEPS", 5):
        assert free_at_start(problem) == free
    assert len(free) == solve_exactly(problem).status.count("M")


def free_at_start(problem):
    merged = MergedProblem(problem)
    exact_one = merged.exact(Linear())
    x = starting_points.start_for_exponentials(merged, exact_one)
    return refinement.strictly_inside(exact_one.dual_form(), x)


@pytest.mark.parametrize("field", FIELDS)
def test_an_optimum_is_narrow_only_if_every_interval_of_it_is(field):
    found = solve_exactly(Problem([[0], [1]], [1, -1], GAUSSIAN), bits=8)
    wide = found._replace(**{field: getattr(found, field) + Interval(Q(0), Q(1, 2**7))})
    assert is_narrow(found, 8) and not is_narrow(wide, 8)


def test_equal_examples_are_one_and_may_share_otherwise():
    X, y = [[0.0], [1.0], [1.0], [3.0]], [1, -1, -1, 1]
    found = solve_exactly(Problem(X, y, Gaussian(1), C=[5, 3, 1, 2]))
    assert found.alpha_unique is False and found.status == "MMMM" and found.b_unique
    assert found.alpha[1] == 3 * found.alpha[2]
    assert found.alpha[1] + found.alpha[2] == found.other_alpha[1] + found.other_alpha[2]
    assert solve_exactly(Problem(X, y, Gaussian(1), C=[5, 3, 1, 2], slack="squared")).alpha_unique


# ---- on the margin and at a bound ---------------------------------------------------------------

@given(problems())
def test_gaussian_statuses_of_few_examples_are_all_decided(given_problem):
    X, y, _, C, bias, slack = given_problem
    assert "?" not in solve_exactly(Problem(X, y, GAUSSIAN, C, bias, slack), bits=20).status


def nearly_a_tie(surplus):
    """Two opposite examples cancel but for the surplus; the third has f = 1 at alpha = C = 1."""
    X, C = [[-1.0], [-1.0], [2.0]], [8.0 + max(surplus, 0), 8.0 + max(-surplus, 0), 1.0]
    return Problem(X, [1, -1, 1], GAUSSIAN, C, bias=False)


@pytest.mark.parametrize("surplus, status", [(0, "UUM"), (2.0**-49, "UUM"), (-(2.0**-49), "UUU")])
def test_a_tie_is_told_from_what_is_nearly_one(surplus, status):
    found = solve_exactly(nearly_a_tie(surplus), bits=4)
    assert found.status == status
    assert (found.alpha[2] == 1) == (surplus <= 0)


def test_where_a_tie_is_not_decided_nothing_is_said_of_how_equal_examples_share():
    tie = Problem([[-1.0], [-1.0], [2.0], [2.0]], [1, -1, 1, 1], GAUSSIAN, [8, 8, 0.5, 0.5], False)
    assert solve_exactly(tie, bits=4).status == "UUMM"
    with patch.object(exponential_sums, "MAX_ROWS", 0):
        found = solve_exactly(tie, bits=4)
    assert found.status == "UU??" and found.alpha_unique is None and found.other_alpha is None


def test_with_an_offset_and_no_example_free_equal_residuals_are_ties():
    X, y, C = [[1.0], [-1.0], [-1.0]], [1, -1, 1], [2.0**-30] * 3
    found = solve_exactly(Problem(X, y, GAUSSIAN, C), bits=4)
    assert found.status == "MUM" and found.b_unique and found.b_low.holds(1)
    found = solve_exactly(Problem([*X, [1.0]], [*y, -1], GAUSSIAN, [2.0**-30] * 4), bits=4)
    assert found.status == "UUUU" and found.b_unique is False and found.b_high.holds(1)


powers = st.builds(
    lambda q, c: ExponentialSum({q: c}), st.fractions(-2, 2, max_denominator=3), st.integers(-3, 3)
)
sums = st.lists(powers, max_size=3).map(lambda ps: sum_of(ps))


def sum_of(parts):
    total = ExponentialSum({})
    for part in parts:
        total += part
    return total


def as_number(s):
    return exact.exact_sum(c * exponential(Q(q)) for q, c in s.terms.items())


@given(sums, sums)
def test_sums_of_exponentials_are_what_they_stand_for(s, t):
    p, q = as_number(s), as_number(t)
    for made, number in ((s + t, p + q), (s - t, p - q), (s * t, p * q), (-s, -p)):
        assert abs(as_number(made) - number) < TINY
        assert bool(made) == (abs(number) > TINY)


@given(st.integers(1, 4).flatmap(lambda n: st.lists(st.lists(sums, min_size=n, max_size=n),
                                                    min_size=n, max_size=n)))
def test_determinants_of_them_are_determinants(rows):
    found = as_number(determinant(rows))
    assert abs(found - minors.determinant([list(map(as_number, row)) for row in rows])) < TINY


@given(st.sampled_from(list(KERNELS)), st.lists(st.floats(-2, 2), min_size=2, max_size=2))
def test_kernel_values_are_sums_of_exponentials(kernel, x):
    x, z = list(map(Q, x)), [Q(1), Q(-1, 2)]
    assert abs(as_number(kernel_sum(kernel, x, z)) - value(kernel, x, z)) < TINY
    assert kernel_sum(kernel + Sigmoid(1, 0), x, z) is None


# ---- kernels that are none, and refusals --------------------------------------------------------

def test_an_indefinite_kernel_is_refused_with_a_witness():
    kernel, X = Sigmoid(1, 0), [[0.5], [0.5], [1.0]]
    with pytest.raises(ValueError, match="not positive semidefinite: v'Kv < 0 for v = ") as caught:
        solve_exactly(Problem(X, [1, -1, 1], kernel))
    with pytest.raises(ValueError, match="not positive semidefinite: v'Kv < 0 for v = "):
        certify(Problem(X, [1, -1, 1], kernel), [0, 0, 0], 0)
    v = [int(c) for c in str(caught.value).split("v = ")[1].split(", ")]
    total = Interval(Q(0), Q(0))
    for p, x in zip(v, X):
        for q, z in zip(v, X):
            total += p * q * kernel_interval(kernel, x, z, 200)
    assert total.high < 0


def test_a_sigmoid_that_is_a_kernel_on_these_examples_is_solved():
    kernel, X, y = Sigmoid(1, 0), [[1, 0], [0, 1]], [1, -1]
    found = solve_exactly(Problem(X, y, kernel, C=8))
    K = [[kernel_interval(kernel, x, z, 600).low for z in X] for x in X]
    best = exact.optimum(K, y, [Q(8)] * 2)
    assert found.objective.low - TINY <= best.value <= found.objective.high + TINY
    assert found.status == "MM"


def test_a_singular_kernel_that_no_formula_vouches_for_is_refused():
    with pytest.raises(ValueError, match="neither proved nor refuted .* with 512 bits"):
        solve_exactly(Problem([[0.5], [-0.5]], [1, -1], Sigmoid(1, 0)))


def test_a_function_that_is_not_symmetric_is_refused():
    with pytest.raises(ValueError, match="examples 0 and 1 .* a kernel is symmetric"):
        solve_exactly(Problem([[1], [2]], [1, -1], GAUSSIAN + (lambda x, z: x[0])))


@pytest.mark.parametrize("bits, error", [(0, ValueError), (2.0, TypeError)])
def test_bits_are_a_whole_number_from_1(bits, error):
    with pytest.raises(error, match="bits is"):
        solve_exactly(Problem([[0], [1]], [1, -1], Gaussian(1)), bits=bits)


# ---- the parts ----------------------------------------------------------------------------------

small = st.integers(-4, 4).map(Q)


@given(st.data())
def test_the_best_offsets_cost_least_and_no_others_do(data):
    n = data.draw(st.integers(2, 5))
    y = data.draw(labellings(n))
    C = data.draw(st.lists(st.sampled_from([Q(1), Q(2), Q(1, 2), inf]), min_size=n, max_size=n))
    r = data.draw(st.lists(small, min_size=n, max_size=n))
    squared = data.draw(st.booleans())
    problem = Problem([[Q(i)] for i in range(n)], y, C=C, slack="squared" if squared else "hinge")
    low, high = best_offsets(y, problem.C, problem.slack, r)
    ends = [b for b in (low, high) if -inf < b < inf]
    scores = [s - v for s, v in zip(y, r)]
    grid = [Q(k, 8) for k in range(-40, 41)] + [b + e for b in ends for e in (-TINY, TINY)]
    costs = {b: exact.loss(scores, y, C, b, squared) for b in [*grid, *ends]}
    least = min(costs.values())
    if least < inf:
        assert all((cost == least) == (low <= b <= high) for b, cost in costs.items())
    risen = [v + data.draw(st.sampled_from([0, 1, Q(1, 3)])) for v in r]
    above = best_offsets(y, problem.C, problem.slack, risen)
    assert all(a <= b for a, b in zip((low, high), above))


@given(st.data())
def test_factors_are_as_near_as_promised_and_prove_definiteness(data):
    n, p = data.draw(st.integers(1, 4)), data.draw(st.sampled_from([20, 70]))
    rows = data.draw(st.lists(st.lists(small, min_size=3, max_size=3), min_size=n, max_size=n))
    shift = data.draw(st.sampled_from([Q(0), Q(1, 100), Q(3)]))
    A = [[int((exact.inner(x, z) + (i == j) * shift) * 2**p / 7) for j, z in enumerate(rows)]
         for i, x in enumerate(rows)]
    factor = FixedPointLDL(A, p)
    L = [[*row, 2**p, *[0] * (len(factor.D) - k - 1)] for k, row in enumerate(factor.L)]
    for a, i in enumerate(factor.kept):
        for b, j in enumerate(factor.kept):
            product = exact.exact_sum(
                Q(x * d * z, 4**p) for x, d, z in zip(L[a], factor.D, L[b])
            )
            assert len(factor.D) * abs(A[i][j] - product) <= factor.error_bound()
    c = eigenvalue_lower_bound(A, p)
    lowered = [[Q(v, 2**p) - (c if i == j else 0) for j, v in enumerate(row)]
               for i, row in enumerate(A)]
    assert c == 0 or minors.has_no_negative_principal_minor(lowered)
    assert c > 0 or shift < 1


@pytest.mark.parametrize("other", [1.0, 2.0, -3.0])
def test_an_example_whose_own_kernel_value_is_0_may_make_the_matrix_indefinite(other):
    """tanh(1 - 1) is 0, and that of both is not: no inner product is so."""
    problem = Problem([[1.0, 0.0], [0.0, other]], [1, -1], Sigmoid(1.0, -1.0))
    with pytest.raises(ValueError, match="not positive semidefinite.* v = 1, 1$"):
        solve_exactly(problem)
