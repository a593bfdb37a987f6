"""Functions made of pieces: values by the definition, convexity, and rules that combine them."""

from copy import deepcopy
from fractions import Fraction
from math import inf

import pytest
from convex_draws import (
    convex,
    inner,
    points,
    positives,
    psd_matrices,
    small,
    thirds,
    with_points,
    written_out,
)
from hypothesis import given
from hypothesis import strategies as st
from profiles import draws

from refsvm.kernels.mercer_condition import mercer
from refsvm.theory.convex_functions import (
    Piece,
    absolute_sum,
    largest,
    plus,
    polyhedral,
    quadratic,
    scaled,
    substituted,
)
from refsvm.theory.subgradients import excess, jensen_gap

F = Fraction
floats = st.integers(-64, 64).map(lambda v: v / 7)


@given(with_points(convex, 1))
@draws(2/5)
def test_the_value_is_the_sum_of_the_largest_pieces(given_):
    f, x = given_
    before = deepcopy((f, x))
    assert f(x) == written_out(f, x)
    assert (f, x) == before


@given(with_points(convex, 2), st.integers(0, 4))
@draws(2/5)
def test_no_function_that_can_be_written_is_above_a_chord(given_, quarters):
    f, x, z = given_
    theta = F(quarters, 4)
    assert jensen_gap(f, [x, z], [theta, 1 - theta]) >= 0
    middle = [theta * p + (1 - theta) * q for p, q in zip(x, z)]
    assert f(middle) <= theta * f(x) + (1 - theta) * f(z)


@given(with_points(convex, 1))
@draws(2/5)
def test_the_gradient_of_a_piece_is_its_own_up_to_the_square(given_):
    f, x = given_
    for term in f.terms:
        for piece in term:
            for j in range(len(x)):
                step = [F(k == j) for k in range(len(x))]
                moved = [p + s for p, s in zip(x, step)]
                bend = 0 if piece.Q is None else piece.Q[j][j]
                assert piece(moved) - piece(x) == piece.gradient(x)[j] + bend / F(2)


@given(st.integers(1, 3).flatmap(lambda d: st.tuples(
    st.lists(st.tuples(points(d), small), min_size=1, max_size=4), points(d, thirds)
)))
@draws(2/5)
def test_polyhedral_is_the_largest_of_affine_functions(given_):
    rows, x = given_
    f = polyhedral([a for a, _ in rows], [c for _, c in rows])
    assert f(x) == max(inner(a, x) + c for a, c in rows)
    assert len(f.terms) == 1 and f.dimension() == len(x)


@given(st.integers(1, 3).flatmap(lambda d: st.tuples(
    st.lists(positives, min_size=d, max_size=d), points(d, thirds)
)))
@draws(2/5)
def test_absolute_sum_weighs_the_coordinates(given_):
    weights, x = given_
    assert absolute_sum(weights)(x) == sum(w * abs(v) for w, v in zip(weights, x))


@given(
    st.integers(1, 3).flatmap(lambda d: st.tuples(psd_matrices(d), points(d), points(d))), small
)
@draws(2/5)
def test_a_quadratic_has_its_three_parts(given_, height):
    Q, a, x = given_
    expected = F(1, 2) * inner(x, [inner(row, x) for row in Q]) + inner(a, x) + height
    assert quadratic(Q, a, height)(x) == expected
    assert quadratic(Q)(x) == expected - inner(a, x) - height


@given(st.integers(1, 3).flatmap(lambda d: st.tuples(st.lists(points(d), min_size=d, max_size=d),
                                                     points(d))))
@draws(2/5)
def test_a_quadratic_is_convex_exactly_if_its_matrix_is_positive_semidefinite(given_):
    M, x = given_
    Q = [[M[max(i, j)][min(i, j)] for j in range(len(x))] for i in range(len(x))]
    by_hand = Piece(Q, [F(0)] * len(Q), F(0))
    report = mercer(Q)
    if report.psd:
        assert quadratic(Q)(x) == by_hand(x)
        return
    with pytest.raises(ValueError, match="Q makes no convex function: v'Qv < 0 for v = "):
        quadratic(Q)
    v = report.witness
    ends = [[p + q for p, q in zip(x, v)], [p - q for p, q in zip(x, v)]]
    assert jensen_gap(by_hand, ends, [F(1, 2)] * 2) == inner(v, [inner(r, v) for r in Q]) / 2 < 0


def test_a_second_derivative_that_is_positive_at_one_point_does_not_make_a_function_convex():
    def f(x):
        return x[0] ** 4 - x[0] ** 2

    assert mercer([[12 * 1 - 2]]).psd  # the second derivative at 1
    assert not mercer([[12 * 0 - 2]]).psd  # and at 0
    assert jensen_gap(f, [[F(-1, 2)], [F(1, 2)]], [F(1, 2)] * 2) == F(-3, 16)
    assert excess(f, [0], [0], [F(1, 2)]) < 0


# The rules, point by point


@given(with_points(convex, 1), positives)
@draws(2/5)
def test_a_scaled_function_is_so_many_times_as_large(given_, c):
    f, x = given_
    assert scaled(c, f)(x) == c * f(x)
    assert scaled(0, f)(x) == 0


@given(st.integers(1, 2).flatmap(lambda d: st.tuples(convex(d), convex(d), points(d))))
@draws(2/5)
def test_sums_and_maxima_are_taken_point_by_point(given_):
    f, g, x = given_
    before = deepcopy((f, g))
    assert plus(f, g)(x) == f(x) + g(x)
    assert largest(f, g)(x) == max(f(x), g(x))
    assert (f, g) == before


@given(with_points(convex, 1), st.integers(1, 3), st.data())
@draws(2/5)
def test_an_affine_substitution_is_made_before_the_function(given_, columns, data):
    f, b = given_
    A = data.draw(st.lists(points(columns), min_size=len(b), max_size=len(b)))
    x = data.draw(points(columns))
    inside = [inner(row, x) + v for row, v in zip(A, b)]
    assert substituted(f, A, b)(x) == f(inside)
    assert substituted(f, A, b).dimension() == columns


# Kinds of numbers


@given(st.lists(st.tuples(floats, floats), min_size=1, max_size=3), floats)
@draws(2/5)
def test_floats_met_with_fractions_are_the_fractions_they_are(rows, x):
    f = polyhedral([[a] for a, _ in rows], [c for _, c in rows])
    assert type(f([x])) is float
    exact = max(F(a) * F(x) + F(c) for a, c in rows)
    assert f([F(x)]) == f.to(Fraction)([x]) == exact
    assert f([x]) == max(a * x + c for a, c in rows)
    bowl = quadratic([[0.1]], [0.7], 0.3).to(Fraction)
    assert bowl([x]) == F(0.1) * F(x) ** 2 / 2 + F(0.7) * F(x) + F(0.3)


def test_one_fraction_makes_everything_fractions():
    ours = [
        scaled(F(1, 3), absolute_sum([0.5])),
        plus(absolute_sum([1]), absolute_sum([F(1)])),
        largest(absolute_sum([F(1)]), absolute_sum([1])),
        substituted(absolute_sum([1]), [[F(1)]], [0]),
        substituted(absolute_sum([F(1)]), [[1]], [0]),
        quadratic([[1]], [F(1, 3)]),
        polyhedral([[1]], [F(1)]),
    ]
    assert all(f.kind is Fraction for f in ours)
    assert all(type(v) is Fraction for f in ours for term in f.terms for p in term for v in p.a)
    assert ours[0]([2]) == F(1, 3)


@pytest.mark.parametrize(
    "make, error, sentence",
    [
        (lambda: absolute_sum([1, 0]), ValueError, r"weights\[1\] is 0.0; it must be positive"),
        (lambda: scaled(-1, absolute_sum([1])), ValueError,
         "c is -1; it must not be negative, or c f need not be convex"),
        (lambda: absolute_sum([1])([1, 2]), ValueError,
         "x has length 2; the function takes 1 numbers"),
        (lambda: plus(absolute_sum([1]), absolute_sum([1, 1])), ValueError,
         "f takes 1 numbers and g takes 2; the two must be equal"),
        (lambda: largest(absolute_sum([1]), abs), TypeError,
         "g is <built-in function abs>; a Convex function is needed"),
        (lambda: plus(abs, absolute_sum([1])), TypeError, "f is .*; a Convex function is needed"),
        (lambda: scaled(1, abs), TypeError, "f is .*; a Convex function is needed"),
        (lambda: substituted(abs, [[1]], [1]), TypeError, "f is .*; a Convex function is needed"),
        (lambda: substituted(absolute_sum([1]), [[1], [1]], [0, 0]), ValueError,
         "b has length 2; the function takes 1 numbers"),
        (lambda: substituted(absolute_sum([1]), [[1], [1]], [0]), ValueError,
         "A has length 2 and b has length 1; the two must be equal"),
        (lambda: polyhedral([[1], [2]], [0]), ValueError,
         "slopes has length 2 and heights has length 1; the two must be equal"),
        (lambda: polyhedral([[inf]], [0]), ValueError, "slopes.* is inf; it must be a finite"),
        (lambda: quadratic([[1, 2], [0, 1]]), ValueError, "Q must be symmetric"),
        (lambda: quadratic([[1]], [1, 2]), ValueError, "Q has length 1 and slope has length 2"),
        (lambda: quadratic([[1]], [1], inf), ValueError, "height is inf; it must be a finite"),
    ],
)
def test_what_makes_no_convex_function_is_refused(make, error, sentence):
    with pytest.raises(error, match=sentence):
        make()
