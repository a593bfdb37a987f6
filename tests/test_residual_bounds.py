"""How far kernel values and residuals may be off, term by term, against Fractions.

Of svm/residual_bounds.py and kernels/value_errors.py. To add 2^-53, or a little less, to 1 changes
nothing. So a sum of m such terms is as wrong as a sum can be, and every term of a bound has a case
here that comes close to it.
"""

from fractions import Fraction
from math import inf, sqrt
from random import Random

import pytest
import truths
from hypothesis import example, given
from hypothesis import strategies as st
from profiles import draws

import refsvm
from refsvm import (
    BallProblem,
    Gaussian,
    Linear,
    MonomialSum,
    Polynomial,
    Precomputed,
    Problem,
    RegressionProblem,
    Sigmoid,
    Spectrum,
)
from refsvm.kernels.value_errors import may_exceed_its_diagonal, roundings_of, value_errors
from refsvm.numerics.elementary import exp
from refsvm.numerics.rounding_bounds import U
from refsvm.proofs.enclosures import kernel_interval
from refsvm.svm.residual_bounds import (
    MIN_BOUND,
    BoundedResiduals,
    bounded_residuals,
    residuals_by_w,
)

seeds = st.integers(0, 2**40)
LOST = 1.414 * 2.0**-27  # its square is lost beside 1
MANY = 200
TERMS = [1.0] + [LOST] * MANY  # <x, x> is 1 in doubles, and 1 + 199.9 U


class Judged:
    """Residuals of a problem at some variables, in doubles and in Fractions."""

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
        return problem.residuals(self.form, self.beta, self.form.per_variable(scores))

    def bounded(self, r="computed", **options):
        """The Residuals of these, of others, or made anew (None)."""
        r = self.computed() if r == "computed" else r
        return bounded_residuals(self.problem, self.form, self.beta, r, **options)

    def by_w(self):
        return residuals_by_w(self.problem, self.form, self.beta)

    def truly(self, scores):
        form, beta = self.twin.dual_form(), list(map(Fraction, self.beta))
        return self.twin.residuals(form, beta, form.per_variable(scores))

    def exact(self, shifted=False):
        """Of the variables as they are, on the rows that are computed with.

        shifted: of a w made of these rows, too, not of the rows as given; with sums that are not
        exact it is another
        """
        of = self.form.of or range(self.problem.n)
        net = [Fraction(0)] * self.problem.n
        for b, i in zip(self.beta, of):
            net[i] += Fraction(b)
        if not self.problem.linear:
            return self.truly(self.twin.scores_and_norm2(net)[0])
        given = self.problem.rows if shifted else self.problem.points
        w = [truths.total(c * Fraction(v) for c, v in zip(net, column)) for column in zip(*given)]
        return self.by_weights(w if shifted else self.less_the_shift(w))

    def kept(self):
        """Of the w that a Model keeps, which is rounded."""
        if not self.problem.linear:
            return self.exact()
        w = self.problem.point_weights(self.problem.multipliers_of(self.beta))
        return self.by_weights(self.less_the_shift(list(map(Fraction, w))))

    def by_weights(self, w):
        return self.truly([truths.total(a * Fraction(b) for a, b in zip(w, x))
                           for x in self.problem.rows])

    def less_the_shift(self, w):
        """The centre of a ball among the shifted rows; other machines have the same w there."""
        shift = self.problem.has_kernel_values_as_targets and self.problem.point_shift
        return [a - Fraction(s) for a, s in zip(w, shift)] if shift else w

    def distance2(self):
        """|w - w'|^2, of the w that a Model keeps, and of sum beta_j x_j of the shifted rows."""
        w = self.problem.point_weights(self.problem.multipliers_of(self.beta))
        far = [truths.total(Fraction(c) * Fraction(v) for c, v in zip(self.coefs, column))
               for column in zip(*self.problem.rows)]
        kept = self.less_the_shift(list(map(Fraction, w)))
        return truths.total((a - b) ** 2 for a, b in zip(kept, far))


def assert_within(found, true, slip=0):
    """|r - true| <= errors, and both ends hold it."""
    for v, t, e, low, high in zip(found.r, true, found.errors, *found.ends()):
        if e < inf:
            assert abs(Fraction(v) - t) <= Fraction(e) + slip
            assert Fraction(low) - slip <= t <= Fraction(high) + slip


def drawn(seed, **options):
    random = Random(seed)
    problem = truths.drawn_problem(random, most=6, **options)
    return Judged(problem, truths.drawn_variables(random, problem.dual_form()))


# ---- residuals


@example(869431012)  # a ball of the linear kernel whose variables do not add up to 1,
@example(499545954327)  # and are 0
@given(seeds)
@draws(4)
def test_residuals_by_kernel_values_are_within_their_bounds(seed):
    judged = drawn(seed)
    try:
        some = judged.bounded(), judged.bounded(None)
    except ValueError:  # kernel values beyond the doubles
        return
    for found in some:
        for true in judged.exact(), judged.exact(shifted=True), judged.kept():
            assert_within(found, true, judged.slip)
        if not any(found.errors):
            assert found.r == judged.exact()


@given(seeds)
@draws(3)
def test_residuals_by_w_are_within_their_bounds_of_either_machine(seed):
    judged = drawn(seed, kernel=Linear())
    try:
        found = judged.by_w()
    except ValueError:
        return
    for true in judged.exact(), judged.exact(shifted=True), judged.kept():
        assert_within(found, true)


@given(seeds)
@draws(4)
def test_residuals_of_another_w_are_within_their_bounds(seed):
    judged = drawn(seed, kernel=Linear())
    random, problem = Random(seed), judged.problem
    if problem.has_kernel_values_as_targets:
        return
    w = [random.gauss(0, 1) * random.choice([1.0, 1e9, 1e-9]) for _ in problem.points[0]]
    try:
        found = residuals_by_w(problem, judged.form, judged.beta, w=w)
    except ValueError:
        return
    assert_within(found, judged.by_weights(list(map(Fraction, w))))
    assert found.w_error == 0


@given(seeds)
@draws(6)
def test_w_error_is_no_less_than_the_distance_of_the_two_w(seed):
    judged = drawn(seed, kernel=Linear())
    try:
        some, true = (judged.bounded(), judged.by_w()), judged.distance2()
    except (ValueError, OverflowError):
        return
    for found in some:
        assert found.w_error == inf or true <= Fraction(found.w_error) ** 2


@example(3)
@given(seeds)
@draws(4)
def test_roots_are_no_less_than_those_of_the_diagonal(seed):
    judged = drawn(seed)
    try:
        found = judged.bounded()
    except ValueError:
        return
    if judged.problem.point_shift is not None:
        K = [truths.total(Fraction(v) ** 2 for v in x) for x in judged.problem.rows]
    else:
        K = judged.twin.squared_norms()
    sizes = [k + c for k, c in zip(K, judged.twin.ridge())]
    for root, k in zip(found.roots, judged.form.per_variable(sizes)):
        assert root == inf or Fraction(root) ** 2 >= k


def test_ends_are_no_nearer_than_the_errors():
    """1 - 2^-60 is 1 in doubles; without an error nothing is added."""
    errors = [2.0**-60, 2.0**-60, 0.0]
    lows, highs = BoundedResiduals([1.0, -1.0, 1.0], errors, [1.0] * 3, 0.0).ends()
    for v, low, high in zip((1, -1), lows, highs):
        assert Fraction(low) <= v - Fraction(1, 2**60) < v + Fraction(1, 2**60) <= Fraction(high)
    assert lows[2] == highs[2] == 1.0


# ---- what the w that is kept may be off


SHIFTED = [[1e8], [1e8 + 1], [1e8 + 3]]


def test_a_sum_that_is_not_exact_counts_times_the_shift():
    """It is off by 2^-20, and the rows were moved by 1e8."""
    judged = Judged(Problem(SHIFTED, [1, -1, 1], C=2), [0.5, -1.0, 0.5 + 2.0**-20])
    found, true = judged.by_w(), judged.exact(shifted=True)
    assert max(abs(Fraction(v) - t) for v, t in zip(found.r, true)) > 90
    assert_within(found, true)
    least = 2.0**-20 * (1e8 + 1)
    assert least <= found.w_error <= least * (1 + 1e-9)


def test_the_centre_of_a_ball_is_rounded_where_it_is():
    """1/3 of three rows at 1e8: of the shifted rows it is near 1, and 1e8 is rounded in whole."""
    judged = Judged(BallProblem(SHIFTED), [0.25, 0.25, 0.5])
    found = judged.bounded()
    assert found.w_error >= U * (1e8 + 1) and judged.distance2() <= Fraction(found.w_error) ** 2
    assert min(found.errors) >= found.w_error * min(found.roots)


def test_two_variables_of_an_example_are_rounded_into_one():
    problem = RegressionProblem([[3.0], [-1.0]], [0.0, 0.0], Polynomial(1), C=2, epsilon=0)
    assert Judged(problem, [0.25, 0.0, 0.0, -0.25]).bounded().w_error == 0
    judged = Judged(problem, [1.0, 0.0, -(2.0**-60), -0.25])  # 1 - 2^-60 is 1 in doubles
    assert 3 * 2.0**-60 <= judged.bounded().w_error <= 3.1 * 2.0**-60
    other = judged.bounded(coefs=[0.5, -0.25])  # the coefficient that is kept is another
    assert 1.5 <= other.w_error < 1.51


def test_the_w_of_a_linear_model_is_rounded():
    problem = Problem([[3.3e6, -1.1e6], [0.1, 0.3]], [1, -1], C=1, bias=False)
    judged = Judged(problem, [0.0, -0.7])  # 3 times 0.1 less 0.3, a million times, leaves little
    found = judged.by_w()
    assert abs(judged.exact()[0] - judged.kept()[0]) > 1e-13
    assert found.w_error > 0 and judged.distance2() <= Fraction(found.w_error) ** 2
    assert Judged(Problem(SHIFTED, [1, -1, 1], Polynomial(1)), [1.0, -1.0, 0.0]
                  ).bounded().w_error == 0


# ---- what a bound is made of: cases that come near it


PAIR = [TERMS, [-v for v in TERMS]]
NEAR = {  # (problem, variables, what is lost of the first residual)
    **{f"values of degree {d}": (Problem(PAIR, [1, -1], Polynomial(d), C=2), [1.0, 0.0],
                                 0.99 * d * MANY * U) for d in (1, 2, 5)},
    "scores by w": (Problem(PAIR, [1, -1], C=2, bias=False), [1.0, 0.0], 0.99 * MANY * U),
    "multipliers: 1 and 200 times less than U": (
        Problem([[1.0]] * (MANY + 2), [1] * (MANY + 1) + [-1], Polynomial(1), C=2),
        [1.0] + [0.99 * U] * MANY + [0.0], 0.98 * MANY * U),
    "a target beside small scores": (
        Problem([[2.0**-30], [-(2.0**-30)]], [1, -1], Polynomial(1), C=2),
        [0.3 * 2.0**7, 0.0], 0.0),
    **{f"the target of a ball, {kernel!r}": (
        BallProblem([TERMS, [0.0] * len(TERMS)], kernel), [0.0, 1e-6], 0.49 * MANY * U)
       for kernel in (Polynomial(1), Polynomial(1, 1, -1))},  # where parts cancel, too
}


@pytest.mark.parametrize("name", NEAR)
def test_residuals_that_lose_most_are_within_their_bounds(name):
    problem, beta, lost = NEAR[name]
    judged = Judged(problem, beta)
    true = judged.exact()
    for found in judged.bounded(), judged.by_w() if problem.linear else judged.bounded(None):
        assert abs(Fraction(found.r[0]) - true[0]) > lost and found.errors[0] >= 5 * U
        assert_within(found, true)


@pytest.mark.parametrize("X, kernel", [([[0.0], [0.0]], Polynomial(1)),
                                       ([[0.0, 0.0], [0.0, 0.0]], Precomputed())])
def test_the_ridge_and_its_multiplier_count(X, kernel):
    problem = Problem(X, [1, -1], kernel, C=[1 / 3, 1e-9], slack="squared")
    judged = Judged(problem, [0.1, -0.3])
    found, true = judged.bounded(), judged.exact()
    assert_within(found, true)
    assert all(abs(Fraction(v) - t) > 0 for v, t in zip(found.r, true))
    assert found.errors[1] >= 5 * U * 3e8 and found.roots[1] >= sqrt(1e9)
    linear = Judged(Problem([[1e-3], [-1e-3]], [1, -1], C=problem.C, slack="squared"), judged.beta)
    found = linear.by_w()
    assert abs(Fraction(found.r[1]) - linear.exact()[1]) > 1e-9
    assert_within(found, linear.exact())


def test_without_multipliers_residuals_are_targets():
    """One that is a difference is rounded, and so is one that is a kernel value."""
    assert Judged(Problem([[0.1], [0.7]], [1, -1], Polynomial(1)), [0.0] * 2
                  ).bounded().errors == [0.0] * 2
    K = [[1.0, 0.0], [0.0, 1.0]]
    for epsilon, rounded in ((0.0, False), (0.1, True)):
        judged = Judged(RegressionProblem(K, [1.0, 1e-17], Precomputed(), 2, epsilon), [0.0] * 4)
        found, true = judged.bounded(), judged.exact()
        assert_within(found, true)
        assert (found.r != true) == rounded == (0.0 not in found.errors)
    ball = Judged(BallProblem([TERMS, TERMS], Polynomial(1)), [0.0] * 2)
    assert_within(ball.bounded(), ball.exact())


def test_what_is_carried_is_added():
    judged = Judged(Problem([[0.1], [0.7]], [1, -1], Polynomial(1), C=2), [0.3, -0.3])
    for a, b in zip(judged.bounded().errors, judged.bounded(carried=1000.0).errors):
        assert Fraction(a) + 1000 <= Fraction(b) and b <= (a + 1000) * (1 + 1e-12)
    assert judged.bounded(None, carried=1000.0).errors[0] >= 1000


def test_bounds_below_what_products_lose_or_beyond_the_doubles_are_infinite():
    tiny = RegressionProblem([[1e-170], [2e-170]], [1e-310, 2e-310], Polynomial(1), 1, 0)
    assert Judged(tiny, [3e-12, 0.0, 0.0, -7e-12]).bounded().errors == [inf] * 4
    assert MIN_BOUND == 2.0**-1013
    large = Problem([[1e150], [2e150]], [1, -1], Polynomial(1), C=1e10)
    assert Judged(large, [1e10, -1e10]).bounded().errors == [inf] * 2
    assert Judged(Problem([[1e150], [2e150]], [1, -1], C=1e10), [1e10, -1e10]
                  ).by_w().errors == [inf] * 2


# ---- kernel values that are given: Gram matrices and functions


def overlap(x, z):
    """A function of the caller's, whose values are what they are."""
    return 1 / 3 + min(x[0], z[0]) / 7


def negative_distance(x, z):
    """A kernel for multipliers whose sum is 0; its diagonal is 0, and its values are not."""
    return -sum((a - b) * (a - b) for a, b in zip(x, z))  # exact


@given(seeds, st.sampled_from([overlap, negative_distance, Precomputed()]))
@draws(3/2)
def test_values_of_others_are_added_up(seed, kernel):
    random = Random(seed)
    n = random.randrange(2, 6)
    X = [[random.choice([1.0, 1e4, 1e8]) * random.random()] for _ in range(n)]
    if isinstance(kernel, Precomputed):
        X = [[negative_distance(x, z) + random.choice([0.0, 1.0]) * (x == z) for z in X]
             for x in X]
    y = [1, -1, *(random.choice([1, -1]) for _ in range(n - 2))]
    problem = Problem(X, y, kernel, C=4, slack=random.choice(["hinge", "squared"]))
    judged = Judged(problem, truths.drawn_variables(random, problem.dual_form()))
    assert_within(judged.bounded(), judged.exact())
    # Residuals that are carried are compared with those made anew, and may be off by anything.
    r, k = judged.computed(), random.randrange(n)
    r[k] += random.choice([1e-9, 1.0, -1e5])
    again = judged.bounded(r, carried=1e300)
    assert_within(again, judged.exact())
    assert again.r == (r if any(judged.beta) else problem.dual_form().target)
    assert max(again.errors) < 1e299


# ---- kernel values


numbers = st.floats(-10, 10) | st.integers(-10_000, 10_000).map(float) | st.floats(1e7, 1e9)
KERNELS = [Linear(), Polynomial(2), Polynomial(3, 1 / 3, 1), MonomialSum(3)]
KERNELS += [2.5 * Linear() + Polynomial(2, 0.1, 0.7), Linear() * Polynomial(2, -0.3, 1)]
LOSE_MOST = [Linear(), Polynomial(3), Polynomial(1, 1, -1), Polynomial(2, -0.5, 1), MonomialSum(4),
             Linear() * Linear(), Linear() * Polynomial(2),
             0.5 * Linear() + 3 * Polynomial(2, 1, -1), 0.1 * Spectrum(1),
             0.1 * Spectrum(1) + 0.7 * Spectrum(2)]
EXPONENTIALS = [Gaussian(1.0), Gaussian(0.01), Sigmoid(0.3, -0.7),
                0.1 * Gaussian(0.5) + Gaussian(1.0) * Linear()]


def assert_values_within(kernel, X, true_of):
    """Each value is within its bound of one that true_of encloses."""
    v, sizes = value_errors(kernel, X, len(X[0]))
    row = kernel.row_function(list(X), float)
    for x, s in zip(X, sizes):
        for z, value, t in zip(X, row(x), sizes):
            low, high = true_of(x, z)
            off = max(abs(Fraction(value) - low), abs(Fraction(value) - high)) - (high - low)
            square = Fraction(s) * Fraction(t)
            assert off**2 <= Fraction(v * U) ** 2 * square
            assert low**2 <= square * (1 + Fraction(1, 2**40))


def exactly(kernel):
    twin = kernel.to(Fraction)
    return lambda x, z: [twin.of_one_kind(*(x if isinstance(x, str) else list(map(Fraction, x))
                                            for x in (x, z)))] * 2


@given(st.sampled_from(KERNELS),
       st.lists(st.lists(numbers, min_size=3, max_size=3), min_size=2, max_size=4))
@example(Linear(), [[1e8, 1.0, -1e8], [1e8, 1.0, 1e8]])
@example(Polynomial(3, 1 / 3, 1), [[1e8, 1.0, -1e8], [1e8, 1.0, 1e8]])
def test_values_are_within_their_bound(kernel, X):
    assert_values_within(kernel, X, exactly(kernel))


@given(st.sampled_from(EXPONENTIALS), st.integers(1, 4).flatmap(
    lambda d: st.tuples(*[st.lists(numbers, min_size=d, max_size=d)] * 2)))
@example(Gaussian(1.0), ([0.1, 0.7], [0.9, -0.4]))
@example(Gaussian(1.0), ([1.0], [1.0]))
@draws(5/2)
def test_values_of_exponentials_are_within_their_bound(kernel, rows):
    """Against enclosures."""
    def enclosed(x, z):
        found = kernel_interval(kernel, x, z, 200)
        return found.low, found.high

    assert_values_within(kernel, rows, enclosed)


@pytest.mark.parametrize("kernel", LOSE_MOST, ids=repr)
def test_values_that_lose_most_are_within_their_bound(kernel):
    rows = ["abbaabbba", "abaabb", "bb"] if "Spectrum" in repr(kernel) else [TERMS]
    assert_values_within(kernel, rows, exactly(kernel))
    values = [v for x in rows for v in kernel.row_function(rows, float)(x)]
    assert values != [exactly(kernel)(x, z)[0] for x in rows for z in rows]


def test_sigmoids_count_the_rounding_of_what_they_are_taken_of():
    """16 - 16 is 0, and 3198 U in truth; so is its tanh, but for the cube."""
    x, kernel = [4 * v for v in TERMS], Sigmoid(1, -16)
    (v, (s,)), value = value_errors(kernel, [x], len(x)), kernel.row_function([x], float)(x)[0]
    truth = sum(Fraction(a) ** 2 for a in x) - 16
    assert value == 0 and 3000 * U < truth <= Fraction(v * U) * Fraction(s)


def test_differences_of_sparse_rows_have_the_numbers_of_both():
    """1 + t t = 1, each time; so the distance is too small by 399 t t, and e^-1 too large."""
    t = 2.0**-27 * 1.414
    X = [[1.0] + [t] * 199 + [0.0] * 200, [0.0] * 200 + [t] * 200]
    wide = [x + [0.0] * 9 for x in X]
    assert Gaussian(1).row_function(X, float)(X[0])[1] == exp(-1.0)
    errors, of_wide = (Problem(rows, [1, -1], Gaussian(1)).value_errors() for rows in (X, wide))
    assert errors == of_wide and 0.3678 * 399 * t * t < errors.roundings * U


@pytest.mark.parametrize("kernel, tiny", [
    (1e-150 * Linear(), 1e-100), (Linear() * Linear(), 1e-90), (1e300 * Linear(), 3e-162)],
    ids=repr)
def test_values_below_the_doubles_are_within_their_bound(kernel, tiny):
    assert_values_within(kernel, [[tiny], [-tiny]], exactly(kernel))


def test_sums_of_kernels_are_rounded_once_more():
    """Whole numbers times f and g: one rounding each, and one of the sum."""
    random, worst = Random(5), Fraction(0)
    for _ in range(200):
        kernel = random.random() * Spectrum(1) + random.random() / 16 * Spectrum(2)
        v, (size,) = value_errors(kernel, ["aaa"], 3)
        true = exactly(kernel)("aaa", "aaa")[0]
        off = abs(Fraction(kernel.row_function(["aaa"], float)("aaa")[0]) - true)
        assert off <= Fraction(v * U) * Fraction(size)
        worst = max(worst, off / true / Fraction(U))
    assert worst > 1.1


@pytest.mark.parametrize("degree", [1, 2, 3])
def test_the_bracket_of_a_polynomial_has_roundings_of_its_own(degree):
    """Of one number: the product, times gamma, and coef0 added; then the power."""
    random, worst = Random(degree), Fraction(0)
    kernel = Polynomial(degree, 1 / 3, 1 / 7)
    for _ in range(400):
        x = [random.uniform(0.3, 1.5)]
        true = exactly(kernel)(x, x)[0]
        off = abs(Fraction(kernel.row_function([x], float)(x)[0]) - true)
        roundings, (size,) = value_errors(kernel, [x], 1)
        assert off <= Fraction(roundings * U) * Fraction(size)
        worst = max(worst, off / true / Fraction(U))
    assert worst > 1.1 * degree  # so the number of products alone would be too few


def test_bounds_have_room_for_squares_of_roundings_and_are_no_idle_ones():
    """m products lose m u / (1 - m u); and a rounding less for each factor would be too few."""
    m, third = len(TERMS), 1 / 3
    assert m / (1 - m * Fraction(U)) < Fraction(roundings_of(Linear(), m)) < 1.1 * m
    X = [[third] * 40, [third + 2.0**-30] * 40]
    for kernel, share in ((Linear(), 0.01), (Polynomial(3, third, third), 0.005)):
        v, sizes = value_errors(kernel, X, 40)
        value = kernel.row_function(X, float)(X[0])[1]
        error = abs(Fraction(value) - exactly(kernel)(*X)[0])
        assert error > share * v * U * (sizes[0] * sizes[1]) ** 0.5


def test_of_values_of_others_the_diagonal_says_too_little():
    function = refsvm.Kernel.__add__(Linear(), negative_distance)
    for kernel in (Precomputed(), function, 2 * function, Gaussian(1) * function):
        assert may_exceed_its_diagonal(kernel)
    for kernel in (*KERNELS, *EXPONENTIALS, Spectrum(1)):
        assert not may_exceed_its_diagonal(kernel)
