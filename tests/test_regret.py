"""Online descent and its regret: each inequality of the notes on Pegasos, exactly.

Expectations are means over every way the draws can fall. Logarithms lie between two fractions, so
an inequality with a logarithm is asserted from the fraction on the safe side.
"""

from copy import deepcopy
from fractions import Fraction as Q

import pytest
from exact import exact_sum, inner
from hypothesis import given
from hypothesis import strategies as st
from profiles import draws
from refusing import refusals, value_error
from test_regularised_risk import Sample, mean, minimum, points, samples, squared_distance

from refsvm.numerics.linalg import add, squared_norm
from refsvm.numerics.picks import passes
from refsvm.online.pegasos import pegasos
from refsvm.theory.regret import (
    coefficient,
    expectation,
    from_pushes,
    harmonic,
    largest_squared_norm,
    log_bounds,
    mean_regret_bound,
    online_descent,
    pegasos_bound,
    regret,
    regret_bound,
)
from refsvm.theory.regularised_risk import losses, objective


@st.composite
def samples_and_picks(draw, most=8):
    sample = draw(samples())
    return sample, draw(st.lists(st.integers(0, len(sample.X) - 1), min_size=1, max_size=most))


def drawn(sample, picks):
    """The losses of the examples picked."""
    each = losses(*sample)
    return [each[s] for s in picks]


def origin(sample):
    return [Q(0)] * len(sample.X[0])


def rounds(sample, picks):
    """(losses, W, gradients) of Pegasos, written as online descent."""
    these = drawn(sample, picks)
    return (these, *online_descent(these, origin(sample), sample.lam))


def three(most_steps):
    """A Sample of three examples, and a number of steps whose draws can all be tried."""
    return st.tuples(samples(least=3, most=3), st.integers(1, most_steps))


# Online descent


@draws(1/2)
@given(samples_and_picks())
def test_pegasos_is_online_descent_on_the_losses_of_the_picks(case):
    sample, picks = case
    _, W, _ = rounds(sample, picks)
    run = pegasos(*sample, picks)
    assert run.W == W
    assert run.average == [mean(column) for column in zip(*W[:-1])]


@draws(1/2)
@given(samples_and_picks(), st.data())
def test_each_step_goes_against_the_subgradient_by_1_over_lam_t(case, data):
    sample, picks = case
    start = data.draw(points(len(sample.X[0])))
    these = drawn(sample, picks)
    W, gradients = online_descent(these, start, sample.lam)
    assert W[0] == start
    for t, loss in enumerate(these, 1):
        g = loss.subgradient(W[t - 1])
        assert gradients[t - 1] == g
        assert W[t] == [a - v / (sample.lam * t) for a, v in zip(W[t - 1], g)]
        push = loss.push(W[t - 1])
        assert W[t] == [
            (1 - Q(1, t)) * a + v / (sample.lam * t) for a, v in zip(W[t - 1], push)]


@draws(1/2)
@given(samples_and_picks(), st.data())
def test_the_first_step_forgets_where_it_started(case, data):
    sample, picks = case
    these = drawn(sample, picks)
    W, _ = online_descent(these, data.draw(points(len(sample.X[0]))), sample.lam)
    assert W[1] == [v / sample.lam for v in these[0].push(W[0])]
    if these[0].push(W[0]) == these[0].push(origin(sample)):
        assert W[1:] == pegasos(*sample, picks).W[1:]


@draws(1/2)
@given(samples_and_picks(), st.data())
def test_an_iterate_is_the_sum_of_the_pushes_over_lam_t_wherever_it_started(case, data):
    sample, picks = case
    these = drawn(sample, picks)
    W, _ = online_descent(these, data.draw(points(len(sample.X[0]))), sample.lam)
    pushes = [loss.push(w) for loss, w in zip(these, W)]
    for t in range(1, len(picks) + 1):
        assert W[t] == from_pushes(pushes[:t], sample.lam)
        assert W[t] == [
            exact_sum(coefficient(s, t, sample.lam) * pushes[s - 1][k] for s in range(1, t + 1))
            for k in range(len(W[t]))]


@given(st.integers(1, 50), st.data(), st.fractions(Q(1, 100), 100))
def test_every_push_ends_with_the_same_weight(t, data, lam):
    s = data.draw(st.integers(1, t))
    assert coefficient(s, t, lam) == 1 / (lam * t)
    assert coefficient(s, s, lam) == 1 / (lam * s)  # the empty product


# Lengths


@draws(1/2)
@given(samples_and_picks())
def test_lengths_of_iterates_and_subgradients_are_bounded(case):
    sample, picks = case
    these, W, gradients = rounds(sample, picks)
    X2 = largest_squared_norm(sample.X)
    assert X2 == sample.X2
    assert largest_squared_norm(W) <= X2 / sample.lam**2
    assert largest_squared_norm(gradients) <= 4 * X2
    assert squared_norm(gradients[0]) <= X2  # because w_1 = 0
    for loss, w, g in zip(these, W, gradients):
        v, shrunk = loss.push(w), [sample.lam * a for a in w]
        assert add(g, v) == shrunk
        # |g| <= |v| + lam |w| without a root: what the squares leave is at most 2 |v| lam |w|.
        excess = squared_norm(g) - squared_norm(v) - squared_norm(shrunk)
        assert excess <= 0 or excess**2 <= 4 * squared_norm(v) * squared_norm(shrunk)
        assert squared_norm(v) <= X2


def test_no_smaller_bound_on_the_subgradients_holds():
    # The point 1, then the same point with the other label: |g_2| = 2 X.
    gradients = online_descent(
        drawn_of([[Q(1)], [Q(1)]], [1, -1], Q(1), [0, 1]), [Q(0)], Q(1)).gradients
    assert gradients == [[-1], [2]]
    assert largest_squared_norm(gradients) == 4


def drawn_of(X, y, lam, picks):
    each = losses(X, y, lam)
    return [each[s] for s in picks]


@draws(1/2)
@given(samples_and_picks())
def test_largest_subgradient_is_one_of_them_and_none_is_larger(case):
    sample, picks = case
    _, _, gradients = rounds(sample, picks)
    lengths = [inner(g, g) for g in gradients]
    assert largest_squared_norm(gradients) in lengths
    assert all(length <= largest_squared_norm(gradients) for length in lengths)


# Regret


@draws(1/2)
@given(samples_and_picks(), st.data())
def test_no_regret_is_larger_than_its_bounds(case, data):
    sample, picks = case
    T, d = len(picks), len(sample.X[0])
    start, u = data.draw(points(d)), data.draw(points(d))
    these = drawn(sample, picks)
    before = deepcopy((these, start, u))
    W, gradients = online_descent(these, start, sample.lam)
    run = deepcopy((W, gradients))
    bound = regret_bound(gradients, sample.lam)
    # What the proof throws away: the distance left to u, and the bend of the hinges.
    rest = sample.lam * T / 2 * squared_distance(W[T], u)
    assert regret(these, W, u) <= bound - rest
    assert (these, start, u) == before and (W, gradients) == run
    G2 = largest_squared_norm(gradients)
    assert bound <= T * mean_regret_bound(G2, sample.lam, T)
    assert mean_regret_bound(G2, sample.lam, T) == G2 * harmonic(T) / (2 * sample.lam * T)
    assert harmonic(T) <= log_bounds(T)[0] + 1


@draws(1/2)
@given(samples_and_picks(), st.data())
def test_regret_is_the_losses_at_the_iterates_less_those_at_the_point(case, data):
    sample, picks = case
    these, W, _ = rounds(sample, picks)
    u = data.draw(points(len(sample.X[0])))
    assert regret(these, W, u) == (
        exact_sum(loss.value(w) for loss, w in zip(these, W))
        - exact_sum(loss.value(u) for loss in these))


@pytest.mark.parametrize("T", range(1, 25))
def test_the_printed_bound_on_regret_fails_for_every_number_of_rounds(T):
    # x_t = 1 + H_{t-1}, and every second one with its sign and label turned: all subgradients
    # have length 1, and the regret is H_T / (2 lam) exactly, which is more than ln(T+1) / (2 lam).
    lam = Q(200)
    signs = [(-1) ** t for t in range(T)]
    X = [[sign * (1 + (harmonic(t) if t else 0))] for t, sign in enumerate(signs)]
    these = [losses([x, [-x[0]]], [s, -s], lam)[0] for x, s in zip(X, signs)]
    W, gradients = online_descent(these, [Q(0)], lam)
    assert [abs(g) for g, in gradients] == [1] * T
    found = regret(these, W, W[-1])
    assert found == regret_bound(gradients, lam) == harmonic(T) / (2 * lam)
    assert found > log_bounds(T + 1)[1] / (2 * lam)


@draws(1/2)
@given(samples_and_picks())
def test_regret_of_pegasos_keeps_the_last_bound_of_the_notes(case):
    # It is stated for the expectation only; it holds for every run.
    sample, picks = case
    T, X2 = len(picks), sample.X2
    these, W, _ = rounds(sample, picks)
    best, _, _ = minimum(sample)
    bound = pegasos_bound(X2, sample.lam, T)
    assert regret(these, W, best) <= T * bound
    assert bound == X2 * (1 + 4 * (harmonic(T) - 1)) / (2 * sample.lam * T)
    assert bound <= 2 * X2 * log_bounds(T + 1)[0] / (sample.lam * T)


def test_4_harmonic_less_3_is_below_4_log_for_every_number_of_rounds():
    # H_T - ln(T+1) rises with T, as 1/T > ln(1 + 1/T) > 1/T - 1/(2 T^2); the rises after T add up
    # to less than 1/(2 T) in all. So one T settles all that follow.
    def distance(T):
        return harmonic(T) - log_bounds(T + 1)[0]

    for T in range(1, 11):
        low, high = log_bounds(1 + Q(1, T))
        assert Q(1, T) - Q(1, 2 * T * T) < low <= high < Q(1, T)
        assert 4 * harmonic(T) - 3 < 4 * log_bounds(T + 1)[0]
    assert distance(10) + Q(1, 2 * 10) < Q(3, 4)


# Expectations


@draws(1/8)
@given(three(3), st.data())
def test_expected_loss_of_the_next_draw_is_F(case, data):
    sample, t = case
    prefix = data.draw(st.lists(st.integers(0, 2), min_size=t - 1, max_size=t - 1))

    def loss_of_round_t(picks):
        these, W, _ = rounds(sample, picks)
        return these[-1].value(W[t - 1])

    now = pegasos(*sample, prefix).w if prefix else origin(sample)
    assert expectation(3, t, loss_of_round_t, given=prefix) == objective(now, *sample)
    assert expectation(3, t, lambda picks: drawn(sample, picks)[-1].value(now)) == objective(
        now, *sample)


def test_in_cyclic_order_the_next_loss_is_known_and_is_not_F():
    sample = [[Q(1)], [Q(2)], [Q(0)]], [1, -1, 1], Q(1)
    w = pegasos(*sample, passes(3, 1)).W[1]
    first, second, third = (loss.value(w) for loss in losses(*sample))
    assert (first, second, third) == (Q(1, 2), Q(7, 2), Q(3, 2))
    assert objective(w, *sample) == Q(11, 6)  # the round to come loses 7/2


@draws(1/2)
@given(st.integers(1, 3), st.integers(1, 4), st.data())
def test_expectation_is_the_expectation_of_the_conditional_expectation(n, T, data):
    table = data.draw(st.lists(st.integers(-9, 9), min_size=n**T, max_size=n**T))
    known = data.draw(st.integers(0, T))

    def value(draws):
        place = 0
        for s in draws:
            place = place * n + s
        return table[place]

    def conditional(prefix):
        return expectation(n, T, value, given=prefix)

    assert expectation(n, T, value) == mean(map(Q, table))
    assert expectation(n, known, conditional) == expectation(n, T, value)


@draws(1/2)
@given(samples_and_picks())
def test_F_at_the_average_is_at_most_the_average_of_F(case):
    sample, picks = case
    run = pegasos(*sample, picks)
    assert objective(run.average, *sample) <= mean(objective(w, *sample) for w in run.W[:-1])


@draws(1/8)
@given(three(4))
def test_chain_from_F_at_the_average_to_the_least_F(case):
    sample, T = case
    lam, (best, value, _) = sample.lam, minimum(sample)

    def over_draws(what):
        return expectation(3, T, lambda picks: what(*rounds(sample, picks)))

    def mean_of_conditional(loss_at):
        """(1/T) sum over t of E[E[loss of round t | the draws before]]."""
        def of_round(t):
            return expectation(3, t - 1, lambda before: expectation(
                3, t, lambda picks: loss_at(*rounds(sample, picks)), given=before))
        return mean(of_round(t) for t in range(1, T + 1))

    line_1 = expectation(3, T, lambda picks: objective(pegasos(*sample, picks).average, *sample))
    line_2 = over_draws(lambda _, W, g: mean(objective(w, *sample) for w in W[:T]))
    line_3 = mean_of_conditional(lambda these, W, g: these[-1].value(W[-2]))
    line_4 = over_draws(lambda these, W, g: mean(l.value(w) for l, w in zip(these, W)))
    here = over_draws(lambda these, W, g: mean(l.value(best) for l in these))
    G2 = over_draws(lambda these, W, g: largest_squared_norm(g))
    line_5 = here + mean_regret_bound(G2, lam, T)
    line_6 = mean_of_conditional(lambda these, W, g: these[-1].value(best))
    assert line_1 <= line_2 == line_3 == line_4 <= line_5
    assert here == line_6 == value
    assert line_5 == value + mean_regret_bound(G2, lam, T)
    logarithm = log_bounds(T)[0] + 1
    assert mean_regret_bound(G2, lam, T) <= G2 * logarithm / (2 * lam * T)


@draws(1/8)
@given(three(4))
def test_expected_F_at_the_average_keeps_every_bound_of_the_notes(case):
    sample, T = case
    lam, (best, value, _) = sample.lam, minimum(sample)

    def excess(picks):
        return objective(pegasos(*sample, picks).average, *sample) - value

    def distance2(picks):
        return squared_distance(pegasos(*sample, picks).average, best)

    def G2(picks):
        return largest_squared_norm(rounds(sample, picks)[2])

    expected = expectation(3, T, excess)
    assert expected <= mean_regret_bound(expectation(3, T, G2), lam, T)
    assert expected <= mean_regret_bound(4 * sample.X2, lam, T)
    assert expected <= pegasos_bound(sample.X2, lam, T)
    assert expectation(3, T, distance2) <= 2 / lam * expected


@draws(1/8)
@given(three(4), st.sampled_from([Q(1, 100), Q(1, 10), Q(1, 2), Q(1)]))
def test_a_large_excess_is_seldom(case, eps):
    # Markov: the excess is never negative, so its expectation bounds how often it is large.
    sample, T = case
    _, value, _ = minimum(sample)

    def excess(picks):
        return objective(pegasos(*sample, picks).average, *sample) - value

    often = expectation(3, T, lambda picks: int(excess(picks) >= eps))
    assert expectation(3, T, lambda picks: int(excess(picks) < 0)) == 0
    assert often <= expectation(3, T, excess) / eps
    assert often <= pegasos_bound(sample.X2, sample.lam, T) / eps


def test_last_line_of_the_printed_chain_is_false_for_one_round():
    X, y, lam = [[Q(1)], [Q(-1)]], [1, -1], Q(2)
    expected = expectation(2, 1, lambda picks: objective(pegasos(X, y, lam, picks).average,
                                                         X, y, lam))
    least = minimum(Sample(X, y, lam))[1]
    assert (expected, least) == (1, Q(3, 4))
    assert expected > least + log_bounds(2)[1] / (2 * lam)  # G = 1, T = 1: ln(T + 1) is too small
    assert expected == least + mean_regret_bound(1, lam, 1)  # and ln T + 1 = 1 is just enough


def test_expected_F_at_the_average_may_grow_with_the_number_of_rounds():
    X, y, lam = [[Q(1)], [Q(1)], [Q(-1)]], [1, -1, 1], Q(1, 4)
    expected = [expectation(3, T, lambda picks: objective(
        pegasos(X, y, lam, picks).average, X, y, lam)) for T in (1, 2)]
    assert expected[0] == 1 < expected[1]


# Harmonic numbers and logarithms


@draws(1/2)
@given(st.integers(1, 200))
def test_harmonic_numbers_differ_by_1_over_T(T):
    assert harmonic(T) - (harmonic(T - 1) if T > 1 else 0) == Q(1, T)
    assert log_bounds(T + 1)[1] < harmonic(T) <= log_bounds(T)[0] + 1


@draws(1/2)
@given(st.fractions(Q(1, 1000), 1000), st.fractions(Q(1, 1000), 1000))
def test_logarithm_of_a_product_is_the_sum_within_the_bounds(x, z):
    (a, b), (c, d), (low, high) = log_bounds(x), log_bounds(z), log_bounds(x * z)
    assert low <= b + d and a + c <= high
    assert 0 <= b - a < Q(1, 10**20)


def test_logarithm_of_one_is_zero_exactly():
    assert log_bounds(1) == (0, 0)


# The door


test_bad_arguments_are_refused_with_a_sentence = refusals(
    value_error("lam is 0; it must be positive", online_descent, [], [0], 0),
    value_error("W has length 1; there are 2 losses", regret, losses([[1], [2]], [1, -1], 1),
                [[0]], [0]),
    value_error("gradients is empty; it must have at least one row", regret_bound, [], 1),
    value_error("lam is 0; it must be positive", regret_bound, [[1]], 0),
    value_error("T is 0; it must be at least 1", mean_regret_bound, 1, 1, 0),
    value_error("lam is 0; it must be positive", mean_regret_bound, 1, 0, 1),
    value_error("T is 0; it must be at least 1", pegasos_bound, 1, 1, 0),
    value_error("lam is -1; it must be positive", pegasos_bound, 1, -1, 1),
    value_error("t is 2; it must be at least 3", coefficient, 3, 2, 1),
    value_error("s is 0; it must be at least 1", coefficient, 0, 2, 1),
    value_error("lam is 0; it must be positive", coefficient, 1, 2, 0),
    value_error("lam is 0; it must be positive", from_pushes, [[1]], 0),
    value_error("n is 0; it must be at least 1", expectation, 0, 1, len),
    value_error("T is 1; it must be at least 2", expectation, 2, 1, len, given=(0, 0)),
    value_error("T is 0; it must be at least 1", harmonic, 0),
    value_error("x is 0; it must be positive", log_bounds, 0),
)
