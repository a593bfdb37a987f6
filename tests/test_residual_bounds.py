"""How far residuals may be off, term by term, against Fractions (svm/residual_bounds.py)."""

from fractions import Fraction
from math import inf, sqrt
from random import Random

import pytest
import truths
from hypothesis import example, given
from hypothesis import strategies as st
from profiles import draws

import refsvm
from refsvm import BallProblem, Linear, OneClassProblem, Polynomial, Precomputed, Problem, Spectrum
from refsvm.kernels.value_errors import (
    grain_of_values,
    roundings_of,
    value_errors,
)
from refsvm.numerics.rounding_bounds import U, adds_exactly, grain
from refsvm.proofs.enclosures import kernel_interval
from refsvm.svm.dual_form import spread
from refsvm.svm.residual_bounds import (
    EXACT,
    LEAST,
    MOST_NUMBERS,
    ErrorBounds,
    ExactResiduals,
    accuracy_of,
    error_of_w,
    exact_residuals,
    grain_of_kernel_values,
    left_by_values,
    residuals_by_w,
    surplus_of,
)

seeds = st.integers(0, 2**40)
LOST = 1.414 * 2.0**-27  # its square is lost beside 1
MANY = 200
TERMS = [1.0] + [LOST] * MANY


class Judged:
    """Residuals of a problem at some variables, in doubles and in Fractions.

    exact   of the multipliers           kept   of the machine that is kept, whose w is rounded
    """

    def __init__(self, problem, beta):
        self.problem, self.form = problem, problem.dual_form()
        self.beta, self.coefs = beta, problem.beta(problem.multipliers_of(beta))
        self.twin = truths.exact_twin(problem)
        if problem.linear and problem.has_kernel_values_as_targets:  # of the shifted rows, too
            rows = [list(map(Fraction, x)) for x in problem.rows]
            self.twin = problem.with_rows(rows, Linear(), Fraction)
        self.slip = truths.doubt(problem, beta)

    def computed(self):
        """Residuals by kernel values, one product after the other."""
        problem, row = self.problem, self.problem.kernel_rows()
        scores = [0.0] * problem.n
        for c, x in zip(self.coefs, problem.rows):
            if c != 0:
                scores = [s + c * k for s, k in zip(scores, row(x))]
        return problem.residuals(self.form, self.beta, spread(self.form, scores))

    def truly(self, scores):
        form, beta = self.twin.dual_form(), list(map(Fraction, self.beta))
        return self.twin.residuals(form, beta, spread(form, scores))

    def exact(self, shifted=False):
        """Of the variables as they are, on the rows that are computed with.

        shifted: of a w made of these rows, too, not of the rows as given; with sums that are not
        exact it is another
        """
        of = self.form.of or range(self.problem.n)
        net = [Fraction(0)] * self.problem.n
        for b, i in zip(self.beta, of):
            net[i] += Fraction(b)
        rows, twin = self.problem.rows, self.twin
        if self.problem.linear:
            given = [list(map(Fraction, x)) for x in (rows if shifted else self.problem.points)]
            rows = [list(map(Fraction, x)) for x in rows]
            w = [truths.total(c * x[k] for c, x in zip(net, given)) for k in range(len(given[0]))]
            w = w if shifted else self.less_the_shift(w)
            return self.truly([truths.total(a * b for a, b in zip(w, x)) for x in rows])
        return self.truly(twin.scores_and_norm2(net)[0])

    def kept(self):
        """Of the w that a Model keeps, on the rows that are computed with."""
        if not self.problem.linear:
            return self.exact()
        w = list(map(Fraction, self.problem.point_weights(self.problem.multipliers_of(self.beta))))
        w = self.less_the_shift(w)
        return self.truly([truths.total(a * Fraction(b) for a, b in zip(w, x))
                           for x in self.problem.rows])

    def less_the_shift(self, w):
        """The centre of a ball among the shifted rows; other machines have the same w there."""
        shift = self.problem.has_kernel_values_as_targets and self.problem.point_shift
        return [a - Fraction(s) for a, s in zip(w, shift)] if shift else w


def assert_within(errors, r, true, slip=0):
    """|r - true| <= errors."""
    for v, t, e in zip(r, true, errors):
        assert e == inf or abs(Fraction(v) - t) <= Fraction(e) + slip


def drawn(seed, **options):
    random = Random(seed)
    problem = truths.drawn_problem(random, most=6, **options)
    return problem, truths.drawn_variables(random, problem.dual_form())


@given(seeds)
@draws(8)
def test_residuals_by_kernel_values_are_within_their_bounds(seed):
    problem, beta = drawn(seed)
    judged = Judged(problem, beta)
    try:
        r = judged.computed()
    except ValueError:  # kernel values beyond the doubles
        return
    accuracy = accuracy_of(problem, judged.form, beta, judged.coefs, r)
    errors, _ = accuracy.of_variable(len(beta))
    for true in judged.exact(), judged.exact(shifted=True), judged.kept():
        assert_within(errors, r, true, judged.slip)
    if errors == [0.0] * len(errors):
        assert r == judged.exact()


@given(seeds)
@draws(6)
def test_residuals_by_w_are_within_their_bounds_of_either_machine(seed):
    problem, beta = drawn(seed, kernel=Linear())
    judged = Judged(problem, beta)
    try:
        r, accuracy = residuals_by_w(problem, judged.form, beta, judged.coefs)
    except ValueError:
        return
    for true in judged.exact(), judged.exact(shifted=True), judged.kept():
        assert_within(accuracy.errors, r, true)
    scores, w_norm2 = problem.scores_and_norm2(judged.coefs)
    r = problem.residuals(judged.form, beta, spread(judged.form, scores))
    own = accuracy_of(problem, judged.form, beta, judged.coefs, r, w_norm2=w_norm2)
    assert_within(own.of_variable(len(beta))[0], r, judged.kept())


def farthest_w(problem, beta):
    """|w - w'|^2, of the w that a Model keeps, and of sum beta_j x_j of the shifted rows.

    Of a ball's centre, which is that of the rows as given, less the shift.
    """
    alpha = problem.multipliers_of(beta)
    w = list(map(Fraction, problem.point_weights(alpha)))
    coefs = list(map(Fraction, problem.beta(alpha)))
    shift = [Fraction(0)] * len(w)
    if problem.has_kernel_values_as_targets and problem.point_shift:
        shift = list(map(Fraction, problem.point_shift))
    far = [truths.total(c * Fraction(x[k]) for c, x in zip(coefs, problem.rows))
           for k in range(len(w))]
    return truths.total((a - s - b) ** 2 for a, s, b in zip(w, shift, far))


@given(seeds)
@draws(8)
def test_w_error_is_no_less_than_the_distance_of_the_two_w(seed):
    problem, beta = drawn(seed, kernel=Linear())
    judged = Judged(problem, beta)
    if any(abs(v) == inf for x in problem.rows for v in x):
        return
    try:
        r = judged.computed()
        scores, w_norm2 = problem.scores_and_norm2(judged.coefs)
        true = farthest_w(problem, beta)
    except ValueError:
        return
    for norm2 in (None, w_norm2):
        accuracy = accuracy_of(problem, judged.form, beta, judged.coefs, r, w_norm2=norm2)
        if norm2 is None:
            assert true <= Fraction(accuracy.w_error) ** 2 or accuracy.w_error == inf


SHIFTED = [[1e8], [1e8 + 1], [1e8 + 3]]


def test_residuals_by_w_are_those_of_the_shifted_rows_too_within_their_error():
    """The sum of the multipliers is off by 2^-20, and the rows were moved by 1e8."""
    judged = Judged(Problem(SHIFTED, [1, -1, 1], C=2), [0.5, -1.0, 0.5 + 2.0**-20])
    r, accuracy = residuals_by_w(judged.problem, judged.form, judged.beta, judged.coefs)
    true = judged.exact(shifted=True)
    assert max(abs(Fraction(v) - t) for v, t in zip(r, true)) > 90
    assert_within(accuracy.errors, r, true)


def test_w_error_counts_a_sum_that_is_not_exact_times_the_shift():
    problem = Problem(SHIFTED, [1, -1, 1], C=2)
    form, coefs = problem.dual_form(), [0.5, -1.0, 0.5 + 2.0**-20]
    assert problem.shift == [1e8 + 1] and surplus_of(form, coefs) == Fraction(1, 2**20)
    found = error_of_w(problem, 0.0, 2.0, lambda: surplus_of(form, coefs))
    assert 2.0**-20 * (1e8 + 1) <= found <= 2.0**-20 * (1e8 + 1) * (1 + 1e-12)
    negative = error_of_w(problem, 0.0, 2.0, lambda: Fraction(-1, 2**20))
    assert negative == found
    assert error_of_w(problem, 3.0, 2.0, lambda: Fraction(0)) >= 3 * U
    assert error_of_w(Problem(SHIFTED, [1, -1, 1], Polynomial(1)), 3.0, 2.0, None) == 0


def test_the_sums_of_a_form_are_taken_off_what_the_coefficients_add_up_to():
    problem = OneClassProblem(SHIFTED, nu=1)
    assert surplus_of(problem.dual_form(), [1.0, 1.0, 1.5]) == Fraction(1, 2)


def test_the_centre_of_a_ball_is_rounded_where_it_is():
    """1/3 of three rows at 1e8: of the shifted rows it is near 1, and 1e8 is rounded in whole."""
    problem = BallProblem(SHIFTED)
    beta = [0.25, 0.25, 0.5]
    assert error_of_w(problem, 0.0, 1.0, lambda: Fraction(0)) >= U * (1e8 + 1)
    r = Judged(problem, beta).computed()
    accuracy = accuracy_of(problem, problem.dual_form(), beta, beta, r)
    assert accuracy.w_error >= U * (1e8 + 1)
    assert farthest_w(problem, beta) <= Fraction(accuracy.w_error) ** 2
    assert min(accuracy.errors) >= accuracy.w_error * min(accuracy.roots)


# ---- what a bound is made of: cases that come near it


def last_accuracy(problem, beta, **options):
    judged = Judged(problem, beta)
    r = judged.computed()
    return r, judged.exact(), accuracy_of(problem, judged.form, beta, judged.coefs, r, **options)


@pytest.mark.parametrize("degree", [1, 2, 5])
def test_roundings_of_values_count(degree):
    problem = Problem([TERMS, [-v for v in TERMS]], [1, -1], Polynomial(degree), C=2)
    r, true, accuracy = last_accuracy(problem, [1.0, 0.0])
    assert abs(Fraction(r[0]) - true[0]) > 0.99 * degree * MANY * U
    assert_within(accuracy.errors, r, true)


def test_each_multiplier_counts_one():
    """1 + 200 times less than U: each is lost."""
    X = [[1.0]] * (MANY + 2)
    problem = Problem(X, [1] * (MANY + 1) + [-1], Polynomial(1), C=2)
    r, true, accuracy = last_accuracy(problem, [1.0] + [0.99 * U] * MANY + [0.0])
    assert abs(Fraction(r[0]) - true[0]) > 0.98 * MANY * U
    assert_within(accuracy.errors, r, true)


def test_the_target_counts_where_scores_are_small():
    problem = Problem([[2.0**-30], [-(2.0**-30)]], [1, -1], Polynomial(1), C=2)
    r, true, accuracy = last_accuracy(problem, [0.3 * 2.0**7, 0.0])
    assert_within(accuracy.errors, r, true)
    assert 0 < abs(Fraction(r[0]) - true[0]) and accuracy.errors[0] >= 5 * U


@pytest.mark.parametrize("X, kernel", [([[0.0], [0.0]], Polynomial(1)),
                                       ([[0.0, 0.0], [0.0, 0.0]], Precomputed())])
def test_the_ridge_and_its_multiplier_count(X, kernel):
    problem = Problem(X, [1, -1], kernel, C=[1 / 3, 1e-9], slack="squared")
    r, true, accuracy = last_accuracy(problem, [0.1, -0.3])
    assert_within(accuracy.errors, r, true)
    assert all(abs(Fraction(v) - t) > 0 for v, t in zip(r, true))
    assert accuracy.errors[1] >= 5 * U * 3e8 and accuracy.roots[1] >= sqrt(1e9)


def test_the_ridge_counts_where_residuals_are_those_of_w():
    problem = Problem([[1e-3], [-1e-3]], [1, -1], C=[1 / 3, 1e-9], slack="squared")
    judged = Judged(problem, [0.1, -0.3])
    r, accuracy = residuals_by_w(problem, judged.form, judged.beta, judged.coefs)
    assert abs(Fraction(r[1]) - judged.exact()[1]) > 1e-9
    assert_within(accuracy.errors, r, judged.exact())


def test_targets_of_a_ball_are_kernel_values():
    """K_kk / 2 is as wrong as K_kk; also where positive and negative parts cancel in it."""
    for kernel in (Polynomial(1), Polynomial(1, 1, -1)):
        problem = BallProblem([TERMS, [0.0] * len(TERMS)], kernel)
        r, true, accuracy = last_accuracy(problem, [0.0, 1e-6])
        assert abs(Fraction(r[0]) - true[0]) > 0.49 * MANY * U
        assert_within(accuracy.errors, r, true)


def test_what_is_carried_is_added():
    problem = Problem([[0.1], [0.7]], [1, -1], Polynomial(1), C=2)
    _, _, without = last_accuracy(problem, [0.3, -0.3])
    _, _, carried = last_accuracy(problem, [0.3, -0.3], carried=1000.0)
    for a, b in zip(without.errors, carried.errors):
        assert Fraction(a) + 1000 <= Fraction(b) and b <= (a + 1000) * (1 + 1e-12)
    exact = Problem([[1.0], [-1.0]], [1, -1], Polynomial(1), C=2)
    assert last_accuracy(exact, [0.5, -0.5])[2].errors == 0
    assert min(last_accuracy(exact, [0.5, -0.5], carried=1.0)[2].errors) >= 1


def test_bounds_below_what_products_lose_or_beyond_the_doubles_are_infinite():
    tiny = refsvm.RegressionProblem([[1e-170], [2e-170]], [1e-310, 2e-310], Polynomial(1), 1, 0)
    _, _, accuracy = last_accuracy(tiny, [3e-12, 0.0, 0.0, -7e-12])
    assert accuracy.errors == [inf] * 4
    assert LEAST == 2.0**-1013
    large = Problem([[1e150], [2e150]], [1, -1], Polynomial(1), C=1e10)
    assert last_accuracy(large, [1e10, -1e10])[2].errors == [inf] * 2


# ---- kernel values that are given: Gram matrices and functions


def overlap(x, z):
    """A function of the caller's, whose values are what they are."""
    return 1 / 3 + min(x[0], z[0]) / 7


def negative_distance(x, z):
    return -sum((a - b) * (a - b) for a, b in zip(x, z))  # exact


@given(seeds, st.sampled_from([overlap, negative_distance, Precomputed()]))
@draws(3)
def test_values_of_others_are_added_up(seed, kernel):
    random = Random(seed)
    n = random.randrange(2, 6)
    X = [[random.choice([1.0, 1e4, 1e8]) * random.random()] for _ in range(n)]
    if isinstance(kernel, Precomputed):
        X = [[negative_distance(x, z) + random.choice([0.0, 1.0]) * (x == z) for z in X]
             for x in X]
    y = [1, -1, *(random.choice([1, -1]) for _ in range(n - 2))]
    problem = Problem(X, y, kernel, C=4, slack=random.choice(["hinge", "squared"]))
    beta = truths.drawn_variables(random, problem.dual_form())
    r, true, accuracy = last_accuracy(problem, beta)
    errors = accuracy.of_variable(n)[0]
    assert_within(errors, r, true)
    # Residuals that are carried are compared with those made anew, and may be off by anything.
    k, far = random.randrange(n), random.choice([1e-9, 1.0, -1e5])
    spoilt = [v + (far if i == k else 0) for i, v in enumerate(r)]
    form, coefs = problem.dual_form(), problem.beta(problem.multipliers_of(beta))
    again = accuracy_of(problem, form, beta, coefs, spoilt, carried=1e300)
    assert_within(again.of_variable(n)[0], spoilt, true, 0)
    assert max(again.of_variable(n)[0]) < 1e299
    left = left_by_values(problem, form, coefs)
    assert left == [0.0] * n


@pytest.mark.parametrize("degree", [1, 2, 3])
def test_the_bracket_of_a_polynomial_has_roundings_of_its_own(degree):
    """Of one number: the product, times gamma, and coef0 added; then the power."""
    random, worst = Random(degree), Fraction(0)
    kernel = Polynomial(degree, 1 / 3, 1 / 7)
    for _ in range(400):
        x = [random.uniform(0.3, 1.5)]
        true = kernel.to(Fraction).value(*[list(map(Fraction, x))] * 2)
        off = abs(Fraction(kernel.row_function([x], float)(x)[0]) - true)
        roundings, sizes = value_errors(kernel, [x])
        assert off <= Fraction(roundings * U) * Fraction(sizes[0])
        worst = max(worst, off / true / Fraction(U))
    assert worst > 1.1 * degree  # so the number of products alone would be too few


def test_roundings_besides_multipliers_and_values_are_needed():
    """A target that is a difference is rounded, with no multiplier at all."""
    K, values = [[1.0, 0.0], [0.0, 1.0]], [1.0, 1e-17]
    problem = refsvm.RegressionProblem(K, values, Precomputed(), C=2, epsilon=0.1)
    r, true, accuracy = last_accuracy(problem, [0.0] * 4)
    assert r[0] != true[0] and r[3] != true[3]
    assert_within(accuracy.of_variable(4)[0], r, true)


def test_bounds_have_room_for_squares_of_roundings():
    """m products lose m u / (1 - m u)."""
    m = len(TERMS)
    found = roundings_of(Linear(), [TERMS])
    assert m / (1 - m * Fraction(U)) < Fraction(found) < 1.1 * m


coordinate = st.floats(-4, 4) | st.integers(-3, 3).map(float) | st.floats(1e7, 1e9)
pairs_of_rows = st.integers(1, 4).flatmap(
    lambda d: st.tuples(*[st.lists(coordinate, min_size=d, max_size=d)] * 2))


@given(st.sampled_from([refsvm.Gaussian(1.0), refsvm.Gaussian(0.01), refsvm.Sigmoid(0.3, -0.7),
                        0.1 * refsvm.Gaussian(0.5) + refsvm.Gaussian(1.0) * Linear()]),
       pairs_of_rows)
@example(refsvm.Gaussian(1.0), ([0.1, 0.7], [0.9, -0.4]))
@example(refsvm.Gaussian(1.0), ([1.0], [1.0]))
@draws(5)
def test_values_of_exponentials_are_within_their_bound(kernel, rows):
    """Against enclosures."""
    roundings, sizes = value_errors(kernel, rows)
    row = kernel.row_function(list(rows), float)
    for x, s in zip(rows, sizes):
        for z, value, t in zip(rows, row(x), sizes):
            true = kernel_interval(kernel, x, z, 200)
            off = max(abs(Fraction(value) - true.low), abs(Fraction(value) - true.high))
            square = Fraction(s) * Fraction(t)
            assert (off - Fraction(1, 2**199)) ** 2 <= Fraction(roundings * U) ** 2 * square
            assert true.low**2 <= square * (1 + Fraction(1, 2**40))


# ---- nothing rounded


def rows_of_whole_numbers(random, n, d, unit, most):
    return [[unit * random.randrange(-most, most + 1) for _ in range(d)] for _ in range(n)]


EXACT_KERNELS = [Linear(), Polynomial(1), Polynomial(2, 1.0, 1.0), Polynomial(3, 0.5, -3.0),
                 Polynomial(2, -2.0, 0.0)]


@given(seeds, st.sampled_from(EXACT_KERNELS))
@draws(6)
def test_where_nothing_is_said_to_be_rounded_nothing_is(seed, kernel):
    """Whole numbers of any size in any unit: as far as said, values and residuals are exact."""
    random = Random(seed)
    unit, most = 2.0 ** random.choice([0, 0, -3, 20]), random.choice([1, 5, 3000, 10**7])
    X = rows_of_whole_numbers(random, random.randrange(2, 5), random.randrange(1, 4), unit, most)
    y = [1, -1, *(random.choice([1, -1]) for _ in X[2:])]
    slack = random.choice(["hinge", "squared"])
    problem = Problem(X, y, kernel, random.choice([4.0, 0.5, 3.0]), slack=slack)
    scale = random.choice([1.0, 0.25, 1 / 3])
    beta = [label * scale * random.randrange(0, 3) for label in y]
    g = grain_of_values(kernel, grain([v for x in X for v in x]))
    K = [kernel.to(Fraction).value(list(map(Fraction, x)), list(map(Fraction, z)))
         for x in X for z in X]
    assert not any(K) if g == inf else all((v / Fraction(g)).denominator == 1 for v in K)
    judged = Judged(problem, beta)
    found = exact_residuals(problem, judged.form, beta)
    if found is not None:
        r, accuracy = found
        assert r == judged.exact() and accuracy.errors == 0 == accuracy.w_error
        assert judged.kept() == judged.exact() or judged.twin.linear
    elif scale != 1 / 3 and most == 1 and kernel != EXACT_KERNELS[3] and slack == "hinge":
        assert problem.linear and surplus_of(judged.form, judged.coefs) != 0


def test_one_number_that_is_rounded_is_enough():
    """The rows, the multipliers, the ridge, a target, what was carried: none may be."""
    toy = Problem([[1.0], [-1.0]], [1, -1], C=4)
    assert exact_residuals(toy, toy.dual_form(), [0.5, -0.5]) is not None
    for problem, beta in [
        (Problem([[1.0], [-1.0]], [1, -1], C=3, slack="squared"), [0.5, -0.5]),  # 1 / 3
        (Problem([[1.0 + 2.0**-40], [-1.0]], [1, -1], C=4), [0.5, -0.5]),
        (toy, [1 / 3, -0.5]),
        (Problem([[1.0], [-1.0]], [1, -1], Polynomial(2, 0.1, 0.0), C=4), [0.5, -0.5]),
        (Problem([[1.0], [-1.0]], [1, -1], Polynomial(2, 1.0, 0.1), C=4), [0.5, -0.5]),
        (Problem([[1.0], [-1.0]], [1, -1], refsvm.Gaussian(1.0), C=4), [0.5, -0.5]),
        (refsvm.RegressionProblem([[1.0], [3.0]], [2.0**60, 3.0], C=4), [0.5, 0.0, 0.0, -0.5]),
        # These have few bits once they were rounded: 1 / C, and a value less epsilon.
        (Problem([[0.0], [0.0]], [1, -1], C=1 + 2.0**-52, slack="squared"), [4.0, -4.0]),
        (refsvm.RegressionProblem([[0.0]], [2.0**60], C=4, epsilon=1), [0.0, 0.0]),
        # 1 - 2^40 - 2^-30
        (Problem([[2.0**20], [-(2.0**20)]], [1, -1], C=2.0**30, slack="squared"), [1.0, -1.0]),
    ]:
        assert exact_residuals(problem, problem.dual_form(), beta) is None
    odd = BallProblem([[3.0], [5.0]], Polynomial(1, 2.0**-1074, 0.0))
    assert exact_residuals(odd, odd.dual_form(), [0.5, 0.5]) is None


def test_a_target_that_is_rounded_is_seen():
    """K_kk / 2 of a ball, where K_kk is more than 2^53."""
    problem = BallProblem([[2.0**27 + 1], [0.0]], Polynomial(1), C=1)
    assert exact_residuals(problem, problem.dual_form(), [0.0, 1.0]) is None


def test_grains_of_values():
    assert grain_of_values(Linear(), inf) == inf  # all is 0
    assert grain_of_values(Polynomial(2, 1.0, 1.0), inf) == 1.0
    assert grain_of_values(Polynomial(2, 1.0, 0.0), inf) == 1.0
    assert grain_of_values(Linear(), 0.5) == 0.25
    assert grain_of_values(Polynomial(3, 0.5, 0.25), 2.0) == 2.0**-6
    assert grain_of_values(Polynomial(2, 4.0, 64.0), 2.0) == 2.0**8
    assert grain_of_values(Precomputed(), 0.5) == 0.5
    assert grain_of_values(Spectrum(2), 1.0) == 1.0
    for kernel in (refsvm.Gaussian(1.0), 2 * Linear(), refsvm.Sigmoid(1, 0)):
        assert grain_of_values(kernel, 1.0) == 0.0
    # Squares beyond the doubles are no zeros: (2^-46 + 1)^3 is no multiple of 1.
    assert grain_of_values(Polynomial(3, 2.0**-1070, 1.0), 2.0**512) == 0.0
    assert grain_of_values(Linear(), 2.0**-600) == 0.0


def test_products_beyond_the_doubles_are_not_taken_for_zeros():
    problem = Problem([[2.0**512], [-(2.0**512)]], [1, -1], Polynomial(3, 2.0**-1070, 1.0))
    assert exact_residuals(problem, problem.dual_form(), [1.0, -1.0]) is None


def test_a_sum_beyond_two_to_the_53_units_is_not_exact():
    most = 2.0**51
    for size, exact in ((most, True), (4 * most, False)):
        problem = Problem([[size], [1.0]], [1, -1], Polynomial(1), C=2)
        beta = [1.0, -1.0] if exact else [1.0, -0.5]
        found = exact_residuals(problem, problem.dual_form(), beta)
        if found is not None:
            assert found[0] == Judged(problem, beta).exact()
        assert adds_exactly(size * size, 1.0) is False


def test_numbers_of_a_lesson_may_be_exact_and_large_sets_are_not_asked():
    assert grain_of_kernel_values(Problem([[1.0], [3.0]], [1, -1])) == 1.0
    assert grain_of_kernel_values(Problem([[1.0], [0.5]], [1, -1], Polynomial(1))) == 0.25
    assert grain_of_kernel_values(Problem([[1.0], [2.0]], [1, -1], refsvm.Gaussian(1))) == 0
    large = Problem([[2.0**26 + 1], [2.0**27 + 1]], [1, -1], Polynomial(1))
    assert grain_of_kernel_values(large) == 0
    n = MOST_NUMBERS // 2
    for rows in (n, n + 1):
        problem = Problem([[1.0, 2.0]] * rows, [1, *[-1] * (rows - 1)])
        assert (grain_of_kernel_values(problem) > 0) == (rows == n)
    strings = Problem(["a"] * (MOST_NUMBERS + 1), [1, *[-1] * MOST_NUMBERS], Spectrum(1))
    assert grain_of_kernel_values(strings) == 0
    assert grain_of_kernel_values(Problem(["ab", "b"], [1, -1], Spectrum(1))) == 1.0


# ---- without rounding


@given(seeds)
@draws(6)
@example(869431012)  # a ball of the linear kernel whose variables do not add up to 1,
@example(499545954327)  # and are 0
def test_residuals_without_rounding_are_off_by_their_values_alone(seed):
    problem, beta = drawn(seed)
    judged = Judged(problem, beta)
    of = range(problem.n) if judged.form.of is None else judged.form.of
    exact = ExactResiduals(problem, judged.form, of, beta, judged.coefs)
    try:
        left = left_by_values(problem, judged.form, judged.coefs)
        r = [exact.residual(k) for k in range(len(beta))]
    except ValueError:
        return
    net = [Fraction(0)] * problem.n
    for b, i in zip(beta, of):
        net[i] += Fraction(b)
    if net == list(map(Fraction, judged.coefs)):
        assert_within(left, r, judged.exact(), judged.slip)
        if truths.is_rational(problem.kernel):
            assert r == judged.exact() and not any(left)


@pytest.mark.parametrize("kernel", [refsvm.Gaussian(1.0), refsvm.Sigmoid(0.1, -0.3),
                                    0.1 * Spectrum(1)])
def test_what_values_leave_is_no_less_than_their_roundings(kernel):
    strings = kernel.__class__.__name__ == "Multiple"
    X = ["ab", "bba", "a"] if strings else [[0.1, 0.7], [0.3, -0.2], [0.9, 0.4]]
    problem = Problem(X, [1, -1, 1], kernel, C=2)
    coefs = [1.0, -1.5, 0.5]
    left = left_by_values(problem, problem.dual_form(), coefs)
    assert all(e > U * 0.01 for e in left)
    assert left_by_values(problem, problem.dual_form(), [0.0] * 3) == [0.0] * 3


def test_what_values_leave_of_the_target_of_a_ball_is_half_of_one():
    problem = BallProblem([[0.1], [0.3]], refsvm.Sigmoid(0.1, -0.3))
    assert min(left_by_values(problem, problem.dual_form(), [1e-12, 0.0])) >= 4 * U


def test_the_kinds_of_accuracy():
    assert ErrorBounds(1.0, [2.0, 3.0], 0.0).of_variable(2) == ([1.0, 1.0], [2.0, 3.0])
    assert EXACT.errors == EXACT.w_error == 0 and EXACT.of_variable(2)[1] == [None, None]


@example(3)
@given(seeds)
@draws(4)
def test_roots_are_no_less_than_those_of_the_diagonal(seed):
    problem, beta = drawn(seed)
    judged = Judged(problem, beta)
    try:
        accuracy = accuracy_of(problem, judged.form, beta, judged.coefs, judged.computed())
    except ValueError:
        return
    if problem.point_shift is not None:
        K = [truths.total(Fraction(v) ** 2 for v in x) for x in problem.rows]
    else:
        K = judged.twin.squared_norms()
    ridge = [problem.exact_ridge(i) for i in range(problem.n)]
    sizes = spread(judged.form, [k + c for k, c in zip(K, ridge)])
    for root, k in zip(accuracy.roots, sizes):
        assert root == inf or Fraction(root) ** 2 >= k
