"""LMS: each step is the formula, the kernel form is the same algorithm, and when it converges."""

from fractions import Fraction as Q
from math import inf

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from profiles import draws

from refsvm.kernels.feature_maps import MapKernel, cubic, images
from refsvm.kernels.standard import Linear, MonomialSum, Polynomial, Precomputed
from refsvm.kernels.strings import Spectrum
from refsvm.numerics.factorisations import rank, solve
from refsvm.numerics.linalg import (
    add,
    add_scaled,
    dot,
    gram_of_rows,
    matrix_vector,
    quadratic_form,
    scale,
    squared_distance,
    squared_norm,
    subtract,
    transpose,
)
from refsvm.numerics.picks import passes
from refsvm.online.lms import (
    converges,
    kernel_lms,
    largest_rate,
    largest_stochastic_rate,
    lms,
    slope,
    stochastic_kernel_lms,
    stochastic_lms,
)

small = st.integers(-3, 3).map(Q)
rates = st.fractions(Q(1, 60), Q(1, 2), max_denominator=60)


@st.composite
def data(draw, least=1, most=4):
    """n rows of two numbers, and n numbers to be fitted."""
    n = draw(st.integers(least, most))
    X = [draw(st.lists(small, min_size=2, max_size=2)) for _ in range(n)]
    return X, draw(st.lists(small, min_size=n, max_size=n))


def loss(X, y, w):
    return squared_norm(subtract(y, matrix_vector(X, w))) / 2


def combined(rows, coefs):
    total = [Q(0)] * len(rows[0])
    for c, x in zip(coefs, rows):
        total = add_scaled(total, c, x)
    return total


@given(data(), rates, st.integers(0, 4))
def test_a_batch_step_goes_against_the_gradient_of_half_the_squared_errors(d, rate, steps):
    X, y = d
    kept = [list(x) for x in X], list(y)
    w, w_next = lms(X, y, rate, steps).w, lms(X, y, rate, steps + 1).w
    g = slope(X, y, w)
    assert w_next == add_scaled(w, rate, g)
    # the loss is quadratic, so that central differences are its gradient exactly
    for k in range(2):
        up, down = list(w), list(w)
        up[k], down[k] = w[k] + 1, w[k] - 1
        assert (loss(X, y, up) - loss(X, y, down)) / 2 == -g[k]
    assert (X, y) == kept


@given(data(), rates, st.integers(0, 5))
def test_the_losses_are_those_that_the_steps_saw(d, rate, steps):
    X, y = d
    found = lms(X, y, rate, steps)
    assert found.losses == [loss(X, y, lms(X, y, rate, t).w) for t in range(steps)]


@given(data(), rates)
def test_the_loss_falls_at_every_step_whose_rate_settles(d, rate):
    X, y = d
    settled = converges(gram_of_rows(X), rate)
    losses = lms(X, y, rate, 6).losses
    for before, after, t in zip(losses, losses[1:], range(6)):
        g = slope(X, y, lms(X, y, rate, t).w)
        curved = squared_norm(matrix_vector(X, g))
        assert after - before == -rate * squared_norm(g) + rate * rate * curved / 2
        if settled:
            assert after < before or squared_norm(g) == 0


@given(data(), rates)
def test_settles_is_decided_by_the_largest_eigenvalue(d, rate):
    X, _ = d
    a, b, c = (dot(*columns) for columns in (
        (transpose(X)[0],) * 2, transpose(X), (transpose(X)[1],) * 2))
    # the eigenvalues of X'X = [[a, b], [b, c]] are below 2 / rate iff both minors are positive
    bound = 2 / rate
    expected = bound > a and (bound - a) * (bound - c) > b * b
    assert converges(gram_of_rows(X), rate) == expected == converges([[a, b], [b, c]], rate)
    top = largest_rate(gram_of_rows(X))
    if abs(top - float(rate)) > 1e-9:
        assert (rate < top) == expected


def test_at_the_largest_rate_itself_the_error_only_changes_its_sign():
    X, y = [[Q(2)]], [Q(4)]
    assert [largest_rate([[4]]), largest_stochastic_rate([[4]])] == [0.5, 0.5]
    assert [largest_rate([[0.25]]), largest_stochastic_rate([[0.25]])] == [8, 8]
    assert not converges([[4]], Q(1, 2)) and converges([[4]], Q(49, 100))
    assert [w for t in range(4) for w in lms(X, y, Q(1, 2), t).w] == [0, 4, 0, 4]
    assert [w for t in range(4) for w in lms(X, y, Q(3, 4), t).w] == [0, 6, -6, 18]
    assert largest_rate([[0, 0], [0, 0]]) == inf == largest_stochastic_rate([[0]])


@given(data(least=2), rates)
def test_the_distance_to_the_solution_of_least_norm_shrinks(d, rate):
    X, y = d
    assume(rank(X) == 2 and converges(gram_of_rows(X), rate))
    A = [[dot(p, q) for q in transpose(X)] for p in transpose(X)]
    best = solve(A, matrix_vector(transpose(X), y))
    assert slope(X, y, best) == [0, 0]
    w, after = lms(X, y, rate, 3).w, lms(X, y, rate, 4).w
    before, behind = squared_distance(w, best), squared_distance(after, best)
    assert behind < before or before == 0


@given(data(), rates, st.integers(0, 4))
def test_the_weights_stay_in_the_span_of_the_rows(d, rate, steps):
    X, y = d
    X = [[*x, x[0] + x[1], Q(0)] for x in X]  # four features of which two are free
    w = lms(X, y, rate, steps).w
    assert rank([*X, w]) == rank(X)
    beta = kernel_lms(Linear(), X, y, rate, steps).beta
    assert combined(X, beta) == w


@given(st.lists(small, min_size=2, max_size=4), st.data(), rates, st.integers(0, 3))
def test_on_features_it_is_lms_on_their_images(points, draw, rate, steps):
    y = draw.draw(st.lists(small, min_size=len(points), max_size=len(points)))
    features = images(cubic, points)
    explicit = lms(features, y, rate, steps)
    kernel = kernel_lms(MonomialSum(3), [[x] for x in points], y, rate, steps)
    assert kernel.losses == explicit.losses
    new = Q(5, 2)
    assert kernel.model().decision([new]) == dot(explicit.w, cubic(new))
    assert kernel.model().decision([new]) == dot(kernel.beta, [
        1 + x * new + (x * new) ** 2 + (x * new) ** 3 for x in points])


def test_a_cubic_is_found_from_its_values():
    theta = [Q(1), Q(-2), Q(0), Q(3)]
    points = [Q(v, 2) for v in (-2, -1, 1, 2)]
    Phi = images(cubic, points)
    y = [dot(theta, phi) for phi in Phi]
    assert slope(Phi, y, theta) == [0] * 4
    assert rank(Phi) == 4  # so nothing else has slope zero
    run = lms(Phi, y, Q(1, 8), 30)
    assert converges(gram_of_rows(Phi), Q(1, 8))
    assert squared_distance(run.w, theta) < squared_norm(theta)
    assert all(after < before for before, after in zip(run.losses, run.losses[1:]))


# --- stochastic -------------------------------------------------------------------------------


@given(data(), rates, st.data())
def test_a_pick_multiplies_its_own_error_by_a_factor(d, rate, draw):
    X, y = d
    picks = draw.draw(st.lists(st.integers(0, len(X) - 1), min_size=1, max_size=6))
    before = stochastic_lms(X, y, rate, picks[:-1]).w if picks[1:] else [Q(0), Q(0)]
    found, s = stochastic_lms(X, y, rate, picks), picks[-1]
    error = y[s] - dot(before, X[s])
    assert y[s] - dot(found.w, X[s]) == (1 - rate * squared_norm(X[s])) * error
    assert found.w == add(before, scale(rate * error, X[s]))
    assert found.losses[-1] == error * error / 2
    assert len(found.losses) == len(picks)


@given(st.lists(st.lists(small, min_size=2, max_size=2), min_size=1, max_size=4),
       st.lists(small, min_size=2, max_size=2), rates, st.data())
def test_no_pick_leads_away_from_a_w_that_fits_everything(X, truth, rate, draw):
    y = matrix_vector(X, truth)
    assume(rate <= largest_stochastic_rate(gram_of_rows(X)))
    picks = draw.draw(st.lists(st.integers(0, len(X) - 1), min_size=1, max_size=6))
    distances = [squared_norm(truth)] + [
        squared_distance(stochastic_lms(X, y, rate, picks[: t + 1]).w, truth)
        for t in range(len(picks))
    ]
    assert all(after <= before for before, after in zip(distances, distances[1:]))


def test_a_rate_of_one_over_the_squared_length_removes_the_error_of_the_pick():
    X, y = [[Q(3), Q(4)], [Q(1), Q(0)]], [Q(7), Q(2)]
    assert dot(stochastic_lms(X, y, Q(1, 25), [0]).w, X[0]) == 7
    assert largest_stochastic_rate(gram_of_rows(X)) == Q(2, 25)


@given(data(), rates, st.data())
def test_the_stochastic_kernel_form_is_the_stochastic_form_on_features(d, rate, draw):
    X, y = d
    picks = draw.draw(st.lists(st.integers(0, len(X) - 1), min_size=1, max_size=5))

    def features(x):
        return [x[0] * x[0], x[0] * x[1], x[1] * x[0], x[1] * x[1]]

    explicit = stochastic_lms([features(x) for x in X], y, rate, picks)
    kernel = stochastic_kernel_lms(Polynomial(2), X, y, rate, picks)
    assert kernel.losses == explicit.losses
    assert combined([features(x) for x in X], kernel.beta) == explicit.w
    new = [Q(2), Q(-1, 3)]
    assert kernel.model().decision(new) == dot(explicit.w, features(new))
    assert {i for i, b in enumerate(kernel.beta) if b != 0} <= set(picks)


# --- with a kernel ----------------------------------------------------------------------------


@given(data(), rates, st.integers(0, 4))
def test_the_kernel_form_takes_the_steps_of_the_plain_form(d, rate, steps):
    X, y = d
    plain, kernel = lms(X, y, rate, steps), kernel_lms(Linear(), X, y, rate, steps)
    assert kernel.losses == plain.losses
    assert kernel.model().w == plain.w
    K = gram_of_rows(X)
    assert kernel_lms(Precomputed(), K, y, rate, steps) == kernel
    # one more step: beta + rate (y - K beta), every error from the old beta
    expected = add_scaled(kernel.beta, rate, subtract(y, matrix_vector(K, kernel.beta)))
    assert kernel_lms(Linear(), X, y, rate, steps + 1).beta == expected


@given(data(least=2), rates, st.integers(1, 4))
def test_another_feature_map_of_the_same_kernel_gives_the_same(d, rate, steps):
    X, y = d

    def pairs(x):
        return [x[0] * x[0], x[0] * x[1], x[1] * x[0], x[1] * x[1]]

    def turned(x):  # the same inner products: the two middle features by 3/5, 4/5
        p, q, r, s = pairs(x)
        return [p, (3 * q + 4 * r) / 5, (4 * q - 3 * r) / 5, s]

    one = kernel_lms(MapKernel(pairs), X, y, rate, steps)
    other = kernel_lms(MapKernel(turned), X, y, rate, steps)
    assert one == other == kernel_lms(Polynomial(2), X, y, rate, steps)
    assert one.model().decisions(X) == other.model().decisions(X)


def test_a_step_makes_n_products_for_each_coefficient(monkeypatch):
    lengths = []

    def counted(p, q):
        lengths.append(len(p))
        return dot(p, q)

    def products_of_a_step(n, features):
        X = [[Q(i + k) for k in range(features)] for i in range(n)]
        monkeypatch.setattr("refsvm.online.lms.dot", counted)
        totals = []
        for steps in (1, 2):
            lengths.clear()
            kernel_lms(Linear(), X, [Q(1)] * n, Q(1, 1000), steps)
            totals.append(sum(lengths))
        return totals[1] - totals[0]

    for n in (1, 3, 7):  # n for each of n coefficients, and n for the loss
        assert products_of_a_step(n, 2) == products_of_a_step(n, 50) == n * n + n


@given(data(), st.integers(0, 4))
def test_each_kernel_value_is_computed_once_however_many_steps_follow(d, steps):
    X, y = d
    asked = []

    def kernel(x, z):
        asked.append((tuple(x), tuple(z)))
        return dot(x, z)

    assert kernel_lms(kernel, X, y, Q(1, 9), steps) == kernel_lms(Linear(), X, y, Q(1, 9), steps)
    assert len(asked) == len(X) ** 2


def test_using_each_new_coefficient_at_once_is_another_algorithm():
    K, y, rate = [[Q(2), Q(1)], [Q(1), Q(2)]], [Q(1), Q(2)], Q(3, 10)
    at_once = kernel_lms(Precomputed(), K, y, rate, 2).beta
    one_by_one = stochastic_kernel_lms(Precomputed(), K, y, rate, passes(2, 2)).beta
    assert at_once == [Q(24, 100), Q(75, 100)]
    assert one_by_one == [Q(267, 1000), Q(7239, 10000)]


def test_what_no_weights_can_reach_is_added_to_beta_for_ever():
    K, y = [[Q(1), Q(1)], [Q(1), Q(1)]], [Q(1), Q(-1)]
    found = kernel_lms(Precomputed(), K, y, Q(1, 2), 100)
    assert found.beta == [50, -50]
    assert matrix_vector(K, found.beta) == [0, 0] == slope(K, y, found.beta)


@given(data(), rates)
@draws(1/5)
def test_the_slope_of_coefficients_is_zero_where_that_of_the_weights_is(d, rate):
    X, y = d
    K = gram_of_rows(X)
    run = kernel_lms(Linear(), X, y, rate, 3)
    residual = subtract(y, matrix_vector(K, run.beta))
    assert slope(K, y, run.beta) == matrix_vector(K, residual)
    assert quadratic_form(K, residual) == squared_norm(slope(X, y, run.model().w))


def test_strings_are_fitted():
    words, y = ["aab", "abb", "bba"], [2, 0, -1]
    found = kernel_lms(Spectrum(2), words, y, Q(1, 4), 40)
    assert converges([[Spectrum(2)(u, v) for v in words] for u in words], Q(1, 4))
    assert found.losses == sorted(found.losses, reverse=True)
    assert found.model().decision("zz") == 0


@pytest.mark.parametrize("call, message", [
    (lambda: lms([[1], [2]], [1], 0.1, 3), "y has length 1; there are 2 examples"),
    (lambda: lms([[1]], [1], 0, 3), "rate is 0; it must be positive"),
    (lambda: lms([[1]], [1], 0.1, -1), "steps is -1"),
    (lambda: lms([[1e200]], [1], 1e200, 3), "rate is 1e+200; step 0 leaves the range of doubles"),
    (lambda: stochastic_lms([[1e200]], [1], 1e200, [0]), "rate is 1e+200; step 0 leaves"),
    (lambda: kernel_lms(Linear(), [[1e9]], [1], 1e300, 3), "rate is 1e+300; step 1 leaves"),
    (lambda: stochastic_kernel_lms(Linear(), [[1e9]], [1], 1e300, [0, 0]),
     "rate is 1e+300; step 1"),
    (lambda: stochastic_lms([[1]], [1], 1, [1]), "picks[0] is 1; there are 1 examples"),
    (lambda: kernel_lms(Precomputed(), [[1, 2], [3, 1]], [1, 2], 1, 1),
     "X[1][0] is 3.0 and X[0][1]"),
    (lambda: kernel_lms(lambda x, z: inf, [[1]], [1], 1, 1),
     "the kernel value of examples 0 and 0"),
    (lambda: slope([[1], [2]], [1, 2], [1, 2]), "w has length 2; the rows of X have 1"),
    (lambda: slope([[1], [2]], [1], [1]), "y has length 1; there are 2 examples"),
    (lambda: converges([[1, 2], [3, 4]], 1), "K[0][1] is"),
    (lambda: largest_stochastic_rate([[1, 2], [3, 4]]), "K[0][1] is"),
])
def test_a_refusal_names_argument_place_value_and_rule(call, message):
    with pytest.raises(ValueError) as caught:
        call()
    assert str(caught.value).startswith(message)
