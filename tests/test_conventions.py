"""Each convention for C: the text's own objective, written out, is `scale` times ours everywhere.

Two convex functions that agree up to a factor at every (w, b) have the same minimisers, so this is
the whole of what a conversion promises. All on Fractions.
"""

from fractions import Fraction as Q
from math import inf, nan

import pytest
from exact import exact_sum, inner
from hypothesis import given
from hypothesis import strategies as st
from problems import coordinates, examples
from refusing import refusals, type_error, value_error
from test_validation import exactly

from refsvm.svm import conventions
from refsvm.svm.problem import Problem

# What each text minimises, in its own letters: lam is lambda, v its constant, h the hinge losses.


def squares(w):
    return inner(w, w)


def total(values):
    return exact_sum(values)


def nyu_soft(v, w, h):
    """1/2 ||w||^2 + C/n sum xi_i"""
    return squares(w) / 2 + v / len(h) * total(h)


def nyu_J(v, w, h):
    """J(w) = 1/n sum max(0, 1 - y w.x) + lambda ||w||^2"""
    return total(h) / len(h) + v * squares(w)


def cesa_bianchi_F(v, w, h):
    """F(w) = 1/m sum h + lambda/2 ||w||^2"""
    return total(h) / len(h) + v / 2 * squares(w)


def cs229(v, w, h):
    """1/2 ||w||^2 + C sum xi_i"""
    return squares(w) / 2 + v * total(h)


def sutd(v, w, h):
    """lambda/2 ||theta||^2 + sum of losses"""
    return v / 2 * squares(w) + total(h)


def lycpaul_L2(v, w, h):
    """1/2 ||w||^2 + C/2 sum xi_i^2"""
    return squares(w) / 2 + v / 2 * total(x * x for x in h)


def liblinear_squared(v, w, h):
    """1/2 ||w||^2 + C sum xi_i^2"""
    return squares(w) / 2 + v * total(x * x for x in h)


TABLE = [
    (nyu_soft, lambda v, n: conventions.from_average_slack(v, n), "hinge"),
    (nyu_J, lambda v, n: conventions.from_mean_hinge(v, n), "hinge"),
    (cesa_bianchi_F, lambda v, n: conventions.from_mean_hinge_halved(v, n), "hinge"),
    (cs229, lambda v, n: conventions.from_sum_of_slacks(v), "hinge"),
    (sutd, lambda v, n: conventions.from_sum_hinge_halved(v), "hinge"),
    (lycpaul_L2, lambda v, n: conventions.from_halved_squares(v), "squared"),
    (liblinear_squared, lambda v, n: conventions.from_squares(v), "squared"),
]

constants = st.fractions(Q(1, 10), 10, max_denominator=12)


@st.composite
def points(draw):
    """Examples, and somewhere (w, b) to evaluate: w = sum alpha_i y_i x_i for any alpha."""
    X, y = draw(examples(coordinates, (2, 5)))
    alpha = [draw(coordinates) for _ in y]
    return X, y, alpha, draw(coordinates)


@pytest.mark.parametrize("theirs, convert, slack", TABLE, ids=[row[0].__name__ for row in TABLE])
@given(points(), constants, st.booleans())
def test_their_objective_is_scale_times_ours(theirs, convert, slack, point, v, bias):
    X, y, alpha, b = point
    b = b if bias else Q(0)
    C, scale = convert(v, len(y))
    w = [inner([a * s for a, s in zip(alpha, y)], column) for column in zip(*X)]
    h = [max(Q(0), 1 - s * (inner(w, x) + b)) for x, s in zip(X, y)]
    ours = Problem(X, y, C=C, bias=bias, slack=slack).primal(alpha, b)
    assert theirs(v, w, h) == scale * ours


@given(constants, st.integers(1, 50))
def test_the_constants_of_the_texts_for_one_machine(C, n):
    """c = 1/(2 lambda_J); lambda_F = 2 lambda_J; C = c/n = 1/(lambda_F m) = 1/lambda."""
    same = [
        conventions.from_sum_of_slacks(C).C,
        conventions.from_average_slack(C * n, n).C,
        conventions.from_mean_hinge(1 / (2 * C * n), n).C,
        conventions.from_mean_hinge_halved(1 / (C * n), n).C,
        conventions.from_sum_hinge_halved(1 / C).C,
    ]
    assert same == [C] * 5


@given(constants, st.integers(1, 20), st.integers(1, 5))
def test_repeating_the_data_changes_sums_but_not_means(v, n, times):
    """Each example repeated r times counts r times in a sum; a mean undoes that."""
    for _, convert, _ in TABLE[:3]:
        assert convert(v, n * times).C * times == convert(v, n).C
    for _, convert, _ in TABLE[3:]:
        assert convert(v, n * times).C == convert(v, n).C


def test_the_kind_of_number_is_kept():
    assert exactly(list(conventions.from_mean_hinge(Q(1, 3), 2)), [Q(3, 4), Q(2, 3)])
    for _, convert, _ in TABLE:
        assert [type(v) for v in convert(2, 3)] == [float, float]
        assert [type(v) for v in convert(Q(2), 3)] == [Q, Q]


BEYOND = "what it stands for is beyond the doubles; give it as a Fraction"


test_bad_constants_are_refused = refusals(
    value_error(f"C is 5e-324; {BEYOND}", conventions.from_average_slack, 5e-324, 3),
    value_error(f"C is 1e-310; {BEYOND}", conventions.from_average_slack, 1e-310, 10**18),
    value_error(f"lam is 1e-320; {BEYOND}", conventions.from_mean_hinge, 1e-320, 5),
    value_error(f"C is 1e+308; {BEYOND}", conventions.from_squares, 1e308),
    value_error("n is 0; it must be at least 1", conventions.from_average_slack, 1, 0),
    type_error("n is 2.0; a whole number is needed", conventions.from_mean_hinge, 1, 2.0),
    value_error("lam is 0; it must be positive", conventions.from_mean_hinge_halved, 0, 2),
    value_error("lam is -1; it must be positive", conventions.from_mean_hinge, -1, 2),
    value_error("lam is nan; it must be a finite number", conventions.from_sum_hinge_halved, nan),
    value_error("C is inf; it must be a finite number", conventions.from_sum_of_slacks, inf),
    type_error("C is '1'; a number is needed", conventions.from_squares, "1"),
    type_error("C is None; a number is needed", conventions.from_halved_squares, None),
)
