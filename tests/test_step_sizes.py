"""Rates and their theorems, each as the inequality with its constants, in exact numbers."""

from fractions import Fraction
from math import sqrt

import pytest
from convex_draws import convex, inner, points, positives, psd_matrices
from hypothesis import assume, given
from hypothesis import strategies as st
from profiles import draws
from test_subgradient_descent import descend

from refsvm.kernels.mercer_condition import mercer
from refsvm.numerics.linalg import add_scaled, identity, scale, squared_distance, subtract
from refsvm.solvers.step_sizes import (
    constant,
    exact_search,
    for_accuracy,
    for_horizon,
    guarantee,
    inverse,
    inverse_root,
    inverse_square,
    polyak,
    reach,
    steps_if_smooth,
    steps_with_kinks,
    strong_guarantee,
)
from refsvm.solvers.subgradient_descent import subgradient_descent
from refsvm.theory.convex_functions import absolute_sum, plus, polyhedral, quadratic
from refsvm.theory.subgradients import gradient, is_minimiser, subgradient

F = Fraction


@st.composite
def with_minimiser(draw, curved=False):
    """(f, x*, start): a convex function, one of its minimisers, and another point.

    Taking a subgradient's plane at x* away from a function makes x* a minimiser.
    """
    d = draw(st.integers(1, 2))
    f, best, start = draw(convex(d, curved, most_terms=2)), draw(points(d)), draw(points(d))
    f = plus(f, polyhedral([[-v for v in subgradient(f, best)]], [0]))
    return f, best, start


def longest(f):
    """A bound on the length of every subgradient of a polyhedral f: sums of absolute values."""
    total = F(0)
    for term in f.terms:
        total += max(sum(map(abs, piece.a)) for piece in term)  # exact
    return total


def apart(x, z):
    """A rational bound on the distance: the sum of the absolute differences."""
    return sum(map(abs, subtract(x, z)))  # exact


# One step


@draws(3/10)
@given(with_minimiser(curved=True), positives)
def test_a_step_changes_the_squared_distance_by_an_identity(given_, rate):
    f, best, x = given_
    assert is_minimiser(f, best)
    g = subgradient(f, x)
    after = squared_distance(add_scaled(x, -rate, g), best)
    change = rate * rate * inner(g, g) - 2 * rate * inner(g, subtract(x, best))
    assert after == squared_distance(x, best) + change
    assert inner(g, subtract(x, best)) >= f(x) - f(best)


@draws(3/10)
@given(with_minimiser(curved=True), st.fractions(F(1, 9), F(8, 9), max_denominator=9))
def test_every_rate_below_the_reach_comes_closer_to_a_minimiser(given_, part):
    f, best, x = given_
    g = subgradient(f, x)
    bound = reach(f(x), f(best), g)
    if f(x) == f(best):
        assert bound == 0
        return
    assert bound == 2 * (f(x) - f(best)) / inner(g, g) > 0
    before = squared_distance(x, best)
    assert squared_distance(add_scaled(x, -part * bound, g), best) < before
    assert squared_distance(add_scaled(x, -bound, g), best) <= before


@given(st.lists(positives, min_size=2, max_size=2), points(2).filter(any), positives)
def test_for_a_sum_of_absolute_values_the_reach_is_exactly_how_far_is_closer(weights, x, rate):
    f = absolute_sum(weights)
    g = subgradient(f, x)  # here g.x = f(x): the inequality behind the reach is an equation
    closer = squared_distance(add_scaled(x, -rate, g), [0, 0]) < inner(x, x)
    assert closer == (rate < reach(f(x), 0, g))


def test_the_reach_of_the_notes_example():
    x, g = [3, 0], [1, 2]
    assert reach(F(3), 0, g) == F(6, 5)
    for rate, squares in ((1, 8), (F(6, 5), 9), (F(13, 10), F(193, 20))):
        assert squared_distance(add_scaled(x, -rate, g), [0, 0]) == squares


@given(st.fractions(-1, 1, max_denominator=6).filter(bool), positives)
def test_from_a_minimiser_every_step_leads_away(g, rate):
    assert reach(F(0), 0, [g]) == 0
    with pytest.raises(ValueError, match="value is 1; it must not be below the minimum, 2"):
        reach(F(1), 2, [g])
    assert squared_distance(add_scaled([F(0)], -rate, [g]), [0]) > 0


# Many steps


@draws(3/10)
@given(with_minimiser(curved=True), st.lists(positives, min_size=1, max_size=5))
def test_the_best_value_keeps_the_guarantee_of_any_rates(given_, rates):
    f, best, start = given_
    answer, steps = descend(f, start, rates)
    R2 = squared_distance(start, best) or F(1)
    G2 = max(inner(step.g, step.g) for step in steps) or F(1)
    bound = guarantee(R2, G2, rates)
    assert bound == (R2 + G2 * inner(rates, rates)) / (2 * inner(rates, [1] * len(rates)))
    assert min(step.value for step in steps) - f(best) <= bound
    assert answer.best_value - f(best) <= bound


@draws(3/10)
@given(with_minimiser(), st.integers(1, 4))
def test_with_rates_for_a_horizon_the_error_is_at_most_RG_over_root_T(given_, root):
    f, best, start = given_
    steps, R, G = root * root, apart(start, best) or F(1), longest(f) or F(1)
    rates = for_horizon(R, G, steps)
    assert rates == [R / (G * root)] * steps
    answer, _ = descend(f, start, rates)
    error = answer.best_value - f(best)
    assert error * error * steps <= R * R * G * G
    assert guarantee(R * R, G * G, rates) == R * G / root
    nearby = [rate * F(9, 8) for rate in rates]
    assert guarantee(R * R, G * G, rates) < guarantee(R * R, G * G, nearby)


@draws(3/10)
@given(with_minimiser(), st.fractions(F(2), 9, max_denominator=2))
def test_enough_steps_for_an_accuracy_are_enough(given_, accuracy):
    f, best, start = given_
    R, G = apart(start, best) or F(1), longest(f) or F(1)
    accuracy = R * G / accuracy  # up to 81 steps
    steps = steps_with_kinks(R, G, accuracy)
    assert accuracy * accuracy * steps >= R * R * G * G
    assert accuracy * accuracy * (steps - 1) < R * R * G * G
    rates = for_accuracy(R, G, accuracy)
    assert rates == [accuracy / (G * G)] * steps
    answer, _ = descend(f, start, rates)
    assert answer.best_value - f(best) <= accuracy


@draws(3/10)
@given(positives, positives, st.integers(1, 30))
def test_rates_over_t_or_its_root_add_up_beyond_every_bound_and_over_its_square_do_not(c, R, T):
    harmonic = [F(1, t) for t in range(1, T + 1)]
    assert inverse(c, T) == scale(c, harmonic)
    assert inverse_square(c, T) == [c * v * v for v in harmonic]
    assert total(inverse_square(c, T)) < 2 * c
    whole = total(harmonic)
    assert whole >= F(T.bit_length() + 1, 2)  # 1 + 1/2 + (1/3 + 1/4) + ...: the halves add up
    assert guarantee(R, 1, inverse(c, T)) <= (R + 2 * c * c) / (2 * c * whole)
    roots = inverse_root(float(c), T)
    assert roots == [float(c) / sqrt(t) for t in range(1, T + 1)]
    exactly = list(map(F, roots))
    assert total(exactly) >= T * exactly[-1]
    for f in (absolute_sum([1]), absolute_sum([F(1)])):  # floats, and what they are exactly
        rates = roots if f.kind is float else exactly
        answer, _ = descend(f, [f.kind(2)], rates)
        assert answer.best_value <= guarantee(4, 1, rates)


def total(values):
    return sum(values)  # exact


@draws(3/10)
@given(st.integers(1, 4), positives)
def test_four_times_as_many_steps_halve_the_guarantee_of_a_horizon_and_no_other_does_better(k, c):
    here, after = (guarantee(1, 1, for_horizon(F(1), 1, 4**j)) for j in (k, k + 1))
    assert here == 2 * after == F(1, 2**k)
    assert guarantee(1, 1, constant(c, 4**k)) >= here
    assert guarantee(1, 1, inverse(c, 4**k)) >= here


@draws(3/10)
@given(with_minimiser(), positives, st.integers(1, 6))
def test_under_strong_convexity_the_average_keeps_its_guarantee(given_, mu, steps):
    f, best, start = given_
    bowl = quadratic(scale_rows(mu, len(best)), scale(-mu, best))  # smallest at best, too
    f = plus(f, bowl)
    assert is_minimiser(f, best)
    answer, taken = descend(f, start, inverse(1 / mu, steps))
    G2 = max(inner(step.g, step.g) for step in taken) or F(1)
    harmonic = total(F(1, t) for t in range(1, steps + 1))
    bound = strong_guarantee(mu, G2, steps)
    assert bound == G2 * harmonic / (2 * mu * steps)
    assert f(answer.average) - f(best) <= bound
    assert answer.best_value - f(best) <= bound


def scale_rows(mu, d):
    return [scale(mu, row) for row in identity(d, Fraction)]


@draws(3/10)
@given(with_minimiser(curved=True), st.integers(1, 4))
def test_polyaks_rates_come_closer_by_the_square_of_what_is_missing(given_, steps):
    f, best, start = given_
    answer, taken = descend(f, start, polyak(f(best), steps))
    visited = [step.x for step in taken] + [answer.last]
    for step, after in zip(taken, visited[1:]):
        missing = step.value - f(best)
        before = squared_distance(step.x, best)
        if missing == 0:
            assert step.rate == 0
        else:
            size = inner(step.g, step.g)
            assert step.rate == missing / size
            assert squared_distance(after, best) <= before - missing * missing / size < before


# Smooth functions are faster


@st.composite
def bowls(draw):
    """A quadratic with a minimiser, an L, and a start."""
    d = draw(st.integers(1, 2))
    Q, best, start = draw(psd_matrices(d)), draw(points(d)), draw(points(d))
    f = quadratic(Q, [-inner(row, best) for row in Q])
    L = max(sum(map(abs, row)) for row in Q)  # exact; no eigenvalue is larger
    assume(L > 0)
    return f, best, start, L


@draws(3/10)
@given(bowls(), st.integers(1, 6))
def test_gradient_descent_at_one_over_L_is_as_near_as_L_R_squared_over_2T(given_, steps):
    f, best, start, L = given_
    Q = f.terms[0][0].Q
    assert mercer([[L * (i == j) - q for j, q in enumerate(row)] for i, row in enumerate(Q)]).psd
    answer = subgradient_descent(f, lambda x: gradient(f, x), start, constant(1 / L, steps))
    R2 = squared_distance(start, best)
    assert f(answer.last) - f(best) <= L * R2 / (2 * steps)


@draws(3/10)
@given(bowls(), st.fractions(F(1, 2), 6, max_denominator=3))
def test_enough_steps_for_a_smooth_function_are_enough(given_, part):
    f, best, start, L = given_
    R = apart(start, best) or F(1)
    accuracy = L * R * R / (2 * part)  # at most 6 steps
    steps = steps_if_smooth(R, L, accuracy)
    assert steps - 1 < part <= steps
    answer, taken = descend(f, start, constant(1 / L, steps))
    assert f(answer.last) - f(best) <= accuracy
    values = [step.value for step in taken] + [f(answer.last)]
    assert values == sorted(values, reverse=True)  # and every step goes down


@given(positives, st.integers(1, 12))
def test_ten_times_the_accuracy_costs_ten_or_a_hundred_times_the_steps(R, k):
    eps = R / k
    assert steps_if_smooth(R, 2 / R, eps / 10) == 10 * steps_if_smooth(R, 2 / R, eps)
    assert steps_with_kinks(R, 1, eps / 10) == 100 * steps_with_kinks(R, 1, eps)


@draws(3/10)
@given(st.lists(positives, min_size=1, max_size=7))
def test_no_rates_are_faster_on_a_function_with_a_kink_in_every_coordinate(rates):
    # max x_i + |x|^2 / 2 from 0: a step moves at most one coordinate that was 0 before, so until
    # all have moved the largest is at least 0. The minimum is -1/(2n), at -1/n each, R^2 = 1/n.
    n = len(rates) + 1
    f = plus(polyhedral(identity(n, Fraction), [0] * n), quadratic(identity(n, Fraction)))
    best = [F(-1, n)] * n
    assert is_minimiser(f, best) and f(best) == F(-1, 2 * n)
    answer, _ = descend(f, [F(0)] * n, rates)
    assert answer.best_value >= 0 == f(best) + F(1, 2 * n)
    assert squared_distance([F(0)] * n, best) == F(1, n)


# Refusals


@pytest.mark.parametrize(
    "call, error, sentence",
    [
        (lambda: constant(0, 3), ValueError, "rate is 0; it must be positive"),
        (lambda: constant(1, 2.0), TypeError, "steps is 2.0; a whole number is needed"),
        (lambda: for_horizon(F(1), 1, 3), ValueError,
         "steps is 3; on Fractions it must be a square number"),
        (lambda: for_horizon(1, 1, 0), ValueError, "steps is 0; it must be at least 1"),
        (lambda: for_horizon(1, -1, 1), ValueError, "G is -1; it must be positive"),
        (lambda: inverse_root(F(1), 3), TypeError, "c is .*; c / sqrt.t. is seldom a Fraction"),
        (lambda: inverse(-1, 3), ValueError, "c is -1; it must be positive"),
        (lambda: inverse_square(1, -3), ValueError, "steps is -3; it must be at least 0"),
        (lambda: polyak(0, 1)[0]([0], -1, [1]), ValueError,
         "value is -1.0; it must not be below the minimum, 0.0"),
        (lambda: polyak("0", 1), TypeError, "minimum is '0'; a number is needed"),
        (lambda: exact_search(absolute_sum([1]), None), TypeError, "steps is None"),
        (lambda: guarantee(1, 0, [1]), ValueError, "G2 is 0; it must be positive"),
        (lambda: guarantee(1, 1, []), ValueError, "rates is empty"),
        (lambda: guarantee(1, 1, [1, 0]), ValueError, r"rates\[1\] is 0.0; it must be positive"),
        (lambda: strong_guarantee(0, 1, 1), ValueError, "mu is 0; it must be positive"),
        (lambda: steps_with_kinks(1, 1, 0), ValueError, "accuracy is 0; it must be positive"),
        (lambda: steps_if_smooth(0, 1, 1), ValueError, "R is 0; it must be positive"),
    ],
)
def test_rates_without_sense_are_refused(call, error, sentence):
    with pytest.raises(error, match=sentence):
        call()


def test_no_step_has_no_rate():
    assert polyak(0, 0) == [] == inverse(1, 0)
