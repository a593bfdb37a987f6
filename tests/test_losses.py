"""Losses: their values, their kinks, and that they are convex; exactly, on Fractions."""

from copy import deepcopy
from fractions import Fraction
from math import inf, nan

import pytest
from geometry import labelled, times
from hypothesis import given
from hypothesis import strategies as st

from refsvm.numerics.linalg import add_scaled, dot, scale
from refsvm.theory.hyperplanes import predict
from refsvm.theory.losses import (
    SlopeInterval,
    empirical_risk,
    hinge,
    hinge_derivative,
    hinge_gradient,
    hinge_subdifferential,
    hinge_subgradient,
    perceptron_loss,
    perceptron_subdifferential,
    perceptron_subgradient,
    positive_part,
    squared_error,
    squared_error_derivative,
    squared_hinge,
    squared_hinge_derivative,
    zero_one,
)
from refsvm.theory.margins import functional_margins

margins = st.one_of(
    st.sampled_from([Fraction(v) for v in (-2, -1, 0, 1, 2)]),
    st.fractions(-4, 4, max_denominator=6),
)
positives = st.fractions(0, 3, max_denominator=6).filter(bool)


def square_of_shortfall(m):
    """The squared error as a loss of the margin, of an example with label +1."""
    return squared_error(m, 1)


CONVEX = [perceptron_loss, hinge, squared_hinge, square_of_shortfall, positive_part]


# Values


@given(margins)
def test_the_values_are_as_the_notes_write_them(m):
    assert positive_part(m) == max(m, 0) == (m * (m >= 0))
    assert zero_one(m) == (1 if m <= 0 else 0)
    assert perceptron_loss(m) == max(0, -m) == positive_part(-m)
    assert hinge(m) == max(1 - m, 0) == positive_part(1 - m)
    assert squared_hinge(m) == max(1 - m, 0) * max(1 - m, 0)


@given(margins, st.sampled_from([1, -1]))
def test_with_labels_plus_and_minus_one_the_squared_error_is_that_of_the_margin_to_one(f, y):
    m = y * f
    assert squared_error(f, y) == (1 - m) * (1 - m) == squared_error(m, 1)
    assert squared_error(f, y) - squared_hinge(m) == squared_hinge(2 - m)  # what "too right" costs


@given(margins, margins)
def test_the_hinge_is_the_smallest_number_not_below_zero_and_not_below_one_minus_m(m, xi):
    assert hinge(m) >= 0 and hinge(m) >= 1 - m
    assert (xi >= hinge(m)) == (xi >= 0 and xi >= 1 - m)


def test_values_at_the_margins_that_the_notes_name():
    assert [hinge(m) for m in (-2, 0, 1, 2)] == [3, 1, 0, 0]
    assert [perceptron_loss(m) for m in (-2, 0, 1)] == [2, 0, 0]
    assert [zero_one(m) for m in (-2, 0, 1, 2)] == [1, 1, 0, 0]


def test_no_loss_is_ever_minus_zero():
    zeros = [positive_part(-0.0), perceptron_loss(0.0), hinge(1.0), hinge_subgradient(1.0),
             perceptron_subgradient(2.0), squared_hinge_derivative(3.0), hinge_derivative(2.0)]
    assert [str(v) for v in zeros] == ["0.0"] * len(zeros)


# One loss above the other


@given(margins)
def test_the_hinge_is_never_below_the_zero_one_loss_and_touches_it_at_zero(m):
    assert hinge(m) >= zero_one(m) >= (1 if m < 0 else 0)
    assert (hinge(m) == zero_one(m)) == (m == 0 or m >= 1)
    assert squared_hinge(m) >= zero_one(m) and squared_error(m, 1) >= zero_one(m)
    assert squared_error(m, 1) >= squared_hinge(m)


@given(margins)
def test_the_hinge_lies_above_the_perceptron_loss_by_one_at_most(m):
    assert perceptron_loss(m) <= hinge(m) <= perceptron_loss(m) + 1
    assert (perceptron_loss(m) == 0) == (m >= 0) and perceptron_loss(m) >= 0
    assert perceptron_loss(m) == hinge(m + 1)


@given(labelled(), positives)
def test_the_perceptron_loss_grows_in_proportion_to_w_and_the_hinge_does_not(drawn, c):
    w, b, X, y = drawn
    here, there = functional_margins(w, b, X, y), functional_margins(*times(c, w, b), X, y)
    assert [perceptron_loss(m) for m in there] == [c * perceptron_loss(m) for m in here]
    assert hinge(c * here[0]) != c * hinge(here[0]) or c == 1 or hinge(here[0]) == 0


@given(labelled())
def test_a_zero_score_is_a_mistake_for_the_zero_one_loss_and_right_for_a_label_of_plus_one(drawn):
    w, b, X, y = drawn
    for m, x, label in zip(functional_margins(w, b, X, y), X, y):
        wrong = predict(w, b, x) != label
        assert zero_one(m) == (1 if wrong or m == 0 else 0)
        assert wrong == (m < 0 or (m == 0 and label == -1))


# Convex


def three_slopes(loss, a, b, c):
    """Whether the slope of a chord from a to b <= that from a to c <= that from b to c."""
    left, whole, right = (
        (loss(v) - loss(u)) / (v - u) for u, v in ((a, b), (a, c), (b, c))
    )
    return left <= whole <= right


@pytest.mark.parametrize("loss", CONVEX)
@given(m=margins, left=positives, right=positives)
def test_the_losses_are_convex(loss, m, left, right):
    assert three_slopes(loss, m - left, m, m + right)
    assert three_slopes(loss, -left, Fraction(0), right)  # over the kink of one
    assert three_slopes(loss, 1 - left, Fraction(1), 1 + right)  # and of the other


def test_the_zero_one_loss_is_not_convex():
    assert not three_slopes(zero_one, Fraction(-1), Fraction(0), Fraction(1))


@pytest.mark.parametrize("loss", [perceptron_loss, hinge, squared_hinge, zero_one])
@given(m=margins, step=positives)
def test_a_larger_margin_never_costs_more(loss, m, step):
    assert loss(m + step) <= loss(m)


# Subdifferentials


SUBDIFFERENTIALS = [
    (hinge, hinge_subdifferential, hinge_subgradient, 1),
    (perceptron_loss, perceptron_subdifferential, perceptron_subgradient, 0),
]


@pytest.mark.parametrize("loss, slopes, chosen, kink", SUBDIFFERENTIALS)
@given(m=margins, h=positives)
def test_the_subdifferential_is_the_interval_from_the_left_slope_to_the_right(
    loss, slopes, chosen, kink, m, h
):
    if m != kink:
        h = min(h, abs(m - kink))  # no chord across the kink
    left, right = (loss(m) - loss(m - h)) / h, (loss(m + h) - loss(m)) / h
    assert slopes(m) == (left, right) and left <= right
    assert (left == right) == (m != kink)


@pytest.mark.parametrize("loss, slopes, chosen, kink", SUBDIFFERENTIALS)
@given(m=margins, z=margins, share=st.fractions(0, 1, max_denominator=4), h=positives)
def test_its_numbers_are_the_slopes_of_the_lines_that_touch_the_loss_and_stay_below(
    loss, slopes, chosen, kink, m, z, share, h
):
    low, high = slopes(m)
    for g in (low, high, low + share * (high - low), chosen(m)):
        assert loss(z) >= loss(m) + g * (z - m)
    # Lines less or more steep than these run above the loss next to m.
    near = min(h, abs(m - kink)) if m != kink else h
    assert loss(m - near) < loss(m) + (low - h) * -near
    assert loss(m + near) < loss(m) + (high + h) * near


def test_at_the_kink_every_slope_from_minus_one_to_zero_will_do():
    assert hinge_subdifferential(1) == perceptron_subdifferential(0) == SlopeInterval(-1, 0)


def test_at_the_kink_the_notes_take_zero_for_the_hinge_and_minus_one_for_the_perceptron():
    assert [hinge_subgradient(m) for m in (0, 1, 2)] == [-1, 0, 0]
    assert [perceptron_subgradient(m) for m in (-1, 0, 1)] == [-1, -1, 0]


@given(margins)
def test_the_chosen_subgradients_follow_the_comparisons_of_the_notes(m):
    assert hinge_subgradient(m) == (-1 if m < 1 else 0)
    assert perceptron_subgradient(m) == (-1 if m <= 0 else 0)
    assert (hinge_subgradient(m) != 0) == (hinge(m) > 0)


@given(margins)
def test_the_hinge_has_the_derivative_of_the_notes_and_none_at_one(m):
    if m == 1:
        with pytest.raises(ValueError, match="^m is 1, where the hinge has a kink and no deriv"):
            hinge_derivative(m)
    else:
        assert hinge_derivative(m) == (0 if m > 1 else -1)
        assert hinge_subdifferential(m) == (hinge_derivative(m), hinge_derivative(m))


@given(margins, positives)
def test_the_squares_have_a_derivative_everywhere(m, h):
    # The slopes of chords on both sides differ from the derivative by h at most.
    for loss, derivative in (
        (squared_hinge, squared_hinge_derivative),
        (lambda f: squared_error(f, -1), lambda f: squared_error_derivative(f, -1)),
    ):
        for step in (h, -h):
            assert abs((loss(m + step) - loss(m)) / step - derivative(m)) <= h
    assert squared_hinge_derivative(m) == 2 * hinge(m) * hinge_subgradient(m)


# In w


@given(labelled())
def test_the_gradient_in_w_is_the_slope_times_y_times_x_and_undefined_at_margin_one(drawn):
    w, _, X, y = drawn
    for x, label in zip(X, y):
        m = label * dot(w, x)
        if m == 1:
            with pytest.raises(ValueError, match="^m is 1, where the hinge has a kink"):
                hinge_gradient(w, x, label)
        else:
            expected = [0] * len(w) if m > 1 else scale(-label, x)
            assert hinge_gradient(w, x, label) == expected


@given(labelled(), st.data())
def test_the_gradient_in_w_tells_the_change_of_the_hinge_for_every_small_step(drawn, data):
    w, _, X, y = drawn
    x, label = X[0], y[0]
    m = label * dot(w, x)
    step = data.draw(st.lists(margins, min_size=len(w), max_size=len(w)))
    change = label * dot(step, x)
    if m != 1:
        t = abs(1 - m) / (1 + abs(change))  # so short that the kink is not crossed
        after = hinge(label * dot(add_scaled(w, t, step), x))
        assert after - hinge(m) == t * dot(hinge_gradient(w, x, label), step)


def test_a_margin_of_exactly_one_is_the_kink_in_w_too():
    with pytest.raises(ValueError, match="^m is 1.0, where the hinge has a kink"):
        hinge_gradient([0.5, 0.5], [1, 1], 1)
    with pytest.raises(ValueError, match="^y is 0; a label must be"):
        hinge_gradient([0.5, 0.5], [1, 1], 0)
    with pytest.raises(ValueError, match="^x has length 1 and w has length 2; the two must be"):
        hinge_gradient([0.5, 0.5], [1], 1)


# The mean over the data


@given(labelled())
def test_w_zero_has_the_smallest_possible_perceptron_loss_on_any_data(drawn):
    w, b, X, y = drawn
    at_zero = empirical_risk(perceptron_loss, functional_margins([0] * len(w), 0, X, y))
    assert at_zero == 0 <= empirical_risk(perceptron_loss, functional_margins(w, b, X, y))
    # The hinge is not taken in by it: a zero score costs 1.
    assert empirical_risk(hinge, functional_margins([0] * len(w), 0, X, y)) == 1


@given(st.lists(margins, min_size=1, max_size=6))
def test_the_empirical_risk_is_the_mean_of_the_losses(ms):
    total = Fraction(0)
    for m in ms:
        total += hinge(m)
    assert len(ms) * empirical_risk(hinge, ms) == total
    assert empirical_risk(lambda m: 1, ms) == 1
    assert empirical_risk(hinge, ms) >= empirical_risk(zero_one, ms)


# Kinds and refusals


ONE_NUMBER = [
    positive_part, zero_one, perceptron_loss, hinge, squared_hinge, hinge_subgradient,
    hinge_derivative, perceptron_subgradient, squared_hinge_derivative,
]


@pytest.mark.parametrize("loss", ONE_NUMBER)
def test_floats_stay_floats_and_fractions_fractions(loss):
    for m in (-3, 0, 2):
        assert type(loss(m)) is type(loss(float(m))) is float
        assert type(loss(Fraction(m))) is Fraction
        assert loss(m) == loss(Fraction(m))


@pytest.mark.parametrize("loss", [*ONE_NUMBER, hinge_subdifferential, perceptron_subdifferential])
@pytest.mark.parametrize("bad, error", [(nan, ValueError), (inf, ValueError), ("1", TypeError)])
def test_what_is_no_finite_number_is_refused(loss, bad, error):
    with pytest.raises(error, match="^[mx] is "):
        loss(bad)


def test_a_score_and_a_label_are_brought_to_one_kind():
    assert squared_error(Fraction(1, 3), 1) == Fraction(4, 9)
    assert squared_error_derivative(1, Fraction(1, 3)) == Fraction(4, 3)
    assert type(squared_error(1, 0)) is float


def test_nothing_that_was_handed_in_is_changed():
    w, x, ms = [1, 2], [3, 4], [1, 0, -1]
    before = deepcopy((w, x, ms))
    hinge_gradient(w, x, 1)
    empirical_risk(hinge, ms)
    assert (w, x, ms) == before
