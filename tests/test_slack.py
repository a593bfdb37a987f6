"""Slack: the hinge as the least that will do, and what the soft margin pays; exactly."""

from fractions import Fraction
from math import nan

from geometry import labelled
from hypothesis import given
from hypothesis import strategies as st
from problems import feasible, givens, offsets
from refusing import refusals, type_error, value_error

from refsvm.numerics.linalg import add_scaled, scale
from refsvm.theory.hyperplanes import contains, distance, foot, length, predict
from refsvm.theory.losses import (
    covers_hinge,
    hinge,
    keeps_constraints,
    margin_errors,
    smallest_slack,
    zero_one,
)
from refsvm.theory.margins import functional_margins, geometric_margins

numbers = st.one_of(
    st.sampled_from([Fraction(v) for v in (-1, 0, 1, 2, 3)]),
    st.fractions(-4, 4, max_denominator=6),
)


# The smallest slack


@given(numbers, st.fractions(0, 3, max_denominator=7).filter(bool))
def test_the_smallest_slack_is_allowed_and_nothing_less(m, less):
    xi = smallest_slack(m)
    assert keeps_constraints(xi, m) and covers_hinge(xi, m)
    assert not keeps_constraints(xi - less, m) and not covers_hinge(xi - less, m)
    assert keeps_constraints(xi + less, m) and covers_hinge(xi + less, m)


@given(numbers)
def test_the_smallest_slack_is_the_hinge_and_by_cases_one_minus_m_or_zero(m):
    assert smallest_slack(m) == hinge(m) == max(1 - m, 0)
    if m >= 1:
        assert smallest_slack(m) == 0  # the constraint is met without any
    else:
        assert m == 1 - smallest_slack(m)  # it is met, and only just


def test_exactly_one_needs_no_slack():
    assert [smallest_slack(m) for m in (-2, 0, 1, 5)] == [3, 1, 0, 0]


@given(numbers, numbers)
def test_one_constraint_with_a_maximum_says_the_same_as_two_without(xi, m):
    assert covers_hinge(xi, m) == keeps_constraints(xi, m)
    assert keeps_constraints(xi, m) == (m >= 1 - xi and xi >= 0)
    assert covers_hinge(xi, m) == (xi >= max(0, 1 - m))


@given(st.floats(-1e9, 1e9), st.floats(-1e9, 1e9))
def test_on_floats_too_the_two_ways_to_write_it_agree(xi, m):
    assert covers_hinge(xi, m) == keeps_constraints(xi, m)
    assert covers_hinge(hinge(m), m) and keeps_constraints(smallest_slack(m), m)


@given(numbers)
def test_the_hinge_keeps_both_constraints_and_one_of_them_with_equality(m):
    xi = hinge(m)
    assert xi >= 0 and m >= 1 - xi
    assert xi == 0 or m == 1 - xi


# What slack measures


@given(labelled(exact_length=True))
def test_slack_is_what_the_signed_distance_lacks_in_units_of_one_over_the_length_of_w(drawn):
    w, b, X, y = drawn
    unit = 1 / length(w)
    for g, m in zip(geometric_margins(w, b, X, y), functional_margins(w, b, X, y)):
        xi = smallest_slack(m)
        assert g >= (1 - xi) * unit
        assert (g == (1 - xi) * unit) == (xi > 0 or m == 1)


@given(labelled(exact_length=True))
def test_without_its_sign_the_distance_says_nothing_about_slack_above_one(drawn):
    w, b, X, y = drawn
    for x, m in zip(X, functional_margins(w, b, X, y)):
        xi = smallest_slack(m)
        # distance >= (1 - xi) / |w| holds, but past the hyperplane with room that means nothing.
        assert distance(w, b, x) >= (1 - xi) / length(w)
        assert (distance(w, b, x) == (1 - xi) / length(w)) == (0 <= m <= 1)


@given(labelled(exact_length=True), st.sampled_from([1, -1]))
def test_slack_one_lies_on_the_hyperplane_and_slack_three_two_margin_widths_past_it(drawn, label):
    w, b, X, _ = drawn
    on_it, unit = foot(w, b, X[0]), scale(1 / length(w), w)
    past = add_scaled(on_it, -2 * label / length(w), unit)  # two widths to the wrong side
    for x, xi in ((on_it, 1), (past, 3)):
        m, = functional_margins(w, b, [x], [label])
        assert smallest_slack(m) == xi
        assert contains(w, b, x) == (xi == 1)
        assert geometric_margins(w, b, [x], [label]) == [(1 - xi) / length(w)]


@given(labelled())
def test_slack_above_one_is_a_mistake_and_below_one_is_none(drawn):
    w, b, X, y = drawn
    for x, label, m in zip(X, y, functional_margins(w, b, X, y)):
        if smallest_slack(m) != 1:
            assert (smallest_slack(m) > 1) == (predict(w, b, x) != label)


# Margin errors


@given(st.lists(numbers, min_size=1, max_size=8))
def test_margin_errors_are_the_margins_below_one_that_is_those_with_a_positive_hinge(ms):
    errors = margin_errors(ms)
    assert errors == [i for i, m in enumerate(ms) if m < 1]
    assert errors == [i for i, m in enumerate(ms) if hinge(m) > 0]
    mistakes = [i for i, m in enumerate(ms) if zero_one(m) == 1]
    assert set(mistakes) <= set(errors)


def test_a_margin_of_exactly_one_is_no_margin_error():
    assert margin_errors([1, 1.0, Fraction(1)]) == []
    assert margin_errors([1 - 2**-53, 1 + 2**-52]) == [0]


# The soft margin, written in three ways


@given(givens(slacks=("hinge",), kernels=(("linear",),)), st.data())
def test_the_primal_is_half_w_squared_plus_the_cheapest_slacks_that_are_allowed(drawn, data):
    problem = drawn.problem()
    alpha = data.draw(feasible(drawn))
    b = data.draw(offsets) if problem.bias else 0
    w = problem.weights(alpha)
    ms = functional_margins(w, b, drawn.X, drawn.y)
    extra = data.draw(st.lists(numbers, min_size=len(ms), max_size=len(ms)))
    costs = [objective(w, problem.C, xis) for xis in (
        [hinge(m) for m in ms],  # as a sum of hinges, without constraints
        [smallest_slack(m) for m in ms],
    )]
    assert costs[0] == costs[1] == problem.primal(alpha, b)
    other = [smallest_slack(m) + e for m, e in zip(ms, extra)]
    if all(keeps_constraints(xi, m) for xi, m in zip(other, ms)):
        assert all(covers_hinge(xi, m) for xi, m in zip(other, ms))
        assert objective(w, problem.C, other) >= problem.primal(alpha, b)
    else:
        assert not all(covers_hinge(xi, m) for xi, m in zip(other, ms))


def objective(w, C, xis):
    total = Fraction(0)
    for v in w:
        total += v * v / 2
    for c, xi in zip(C, xis):
        total += c * xi
    return total


# Kinds and refusals


def test_one_fraction_makes_both_exact():
    tiny = Fraction(1, 2**60)
    assert not keeps_constraints(1, -tiny) and not covers_hinge(1, -tiny)
    assert not keeps_constraints(Fraction(1), -(2.0**-60))  # as doubles 1 - m is 1
    assert keeps_constraints(1.0, -(2.0**-60)) and covers_hinge(1.0, -(2.0**-60))
    assert type(smallest_slack(tiny)) is Fraction and type(smallest_slack(5)) is float


test_what_is_no_finite_number_is_refused = refusals(
    value_error("m is nan; it must be a finite number", smallest_slack, nan),
    type_error("xi is '1'; a number is needed", keeps_constraints, "1", 0),
    type_error("m is None; a number is needed", covers_hinge, 1, None),
    value_error("margins is empty..", margin_errors, []),
    value_error("margins[1] is nan; it must be..", margin_errors, [1, nan]),
)


def test_nothing_that_was_handed_in_is_changed():
    ms = [1, 0, -1]
    margin_errors(ms)
    assert ms == [1, 0, -1]
