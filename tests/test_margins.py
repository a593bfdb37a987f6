"""Functional and geometric margins, and what separates: exactly, on Fractions."""

from copy import deepcopy
from fractions import Fraction
from itertools import product
from math import inf, nan

import pytest
from exact import linear_gram, optimum
from geometry import labelled, normals, offsets, points, positives, times
from hypothesis import assume, given
from hypothesis import strategies as st
from problems import labellings
from profiles import draws

from refsvm.numerics.linalg import add, dot, scale, squared_norm, subtract
from refsvm.numerics.validation import labels
from refsvm.theory.hyperplanes import (
    contains,
    distance,
    foot,
    length,
    logistic,
    normalised,
    predict,
    rescaled,
    score,
    signed_distance,
    squared_distance,
)
from refsvm.theory.margins import (
    canonical,
    functional_margin,
    functional_margins,
    geometric_margin,
    geometric_margins,
    separates,
    squared_geometric_margins,
)

# Separating


@given(labelled())
def test_without_offset_separating_means_positive_scores_for_plus_and_negative_for_minus(drawn):
    w, _, X, y = drawn
    by_case = all(
        dot(w, x) > 0 if label == 1 else dot(w, x) < 0 for x, label in zip(X, y)
    )
    assert separates(w, 0, X, y) == by_case


@given(labelled())
def test_separating_means_every_functional_margin_is_positive(drawn):
    w, b, X, y = drawn
    assert separates(w, b, X, y) == all(s * (dot(w, x) + b) > 0 for x, s in zip(X, y))


@given(labelled(separated=True), positives)
def test_a_separator_keeps_separating_when_scaled_and_loses_it_when_a_point_is_on_it(drawn, c):
    w, b, X, y = drawn
    assert separates(w, b, X, y) and separates(*times(c, w, b), X, y)
    assert not separates(*times(-c, w, b), X, y)
    for label in (1, -1):
        on_it = foot(w, b, X[0])
        assert contains(w, b, on_it) and not separates(w, b, [*X, on_it], [*y, label])


@given(labelled())
def test_other_labels_are_as_good_as_the_other_w_and_b(drawn):
    w, b, X, y = drawn
    opposite = [-s for s in y]
    assert separates(w, b, X, opposite) == separates(*times(-1, w, b), X, y)


@given(st.integers(1, 4), st.sampled_from([1, -1]), offsets)
def test_w_zero_separates_nothing_not_even_one_class_alone(n, label, b):
    X, y = [[Fraction(i), Fraction(1)] for i in range(n)], [label] * n
    assert not separates([0, 0], b, X, y)
    if label * b > 0:
        assert functional_margin([0, 0], b, X, y) == abs(b) > 0  # the bare inequalities hold


@given(labelled(separated=True), st.data())
def test_what_is_close_to_a_separator_separates_too(drawn, data):
    # So there are infinitely many: mu is the smallest margin, R the size of the largest point.
    w, b, X, y = drawn
    mu, R2 = functional_margin(w, b, X, y), max(squared_norm(x) for x in X)
    delta = data.draw(points(len(w)))
    if squared_norm(delta) * R2 < mu * mu:
        near = add(w, delta)
        assert separates(near, b, X, y) or not any(near)
    if any(delta):
        # Small enough, and in every direction: no delta is too large to be made small.
        tiny = mu / (1 + mu + squared_norm(delta) * (1 + R2))
        several = [add(w, scale(tiny / k, delta)) for k in (1, 2, 3)]
        assert all(separates(v, b, X, y) or not any(v) for v in several)


# Functional margins


@given(labelled())
def test_a_functional_margin_is_the_label_times_the_score(drawn):
    w, b, X, y = drawn
    assert functional_margins(w, b, X, y) == [s * (dot(w, x) + b) for x, s in zip(X, y)]


@given(labelled(), st.sampled_from([Fraction(-3), Fraction(0), Fraction(1, 7), Fraction(2)]))
def test_functional_margins_grow_with_w_and_b(drawn, c):
    w, b, X, y = drawn
    scaled = functional_margins(*times(c, w, b), X, y)
    assert scaled == [c * m for m in functional_margins(w, b, X, y)]


@given(labelled(), labelled())
def test_functional_margins_are_linear_in_w_and_b(drawn, other):
    w, b, X, y = drawn
    v, c = (other[0] * 3)[:len(w)], other[1]
    both = functional_margins(add(w, v), b + c, X, y)
    assert both == add(functional_margins(w, b, X, y), functional_margins(v, c, X, y))


@given(labelled())
def test_twice_w_and_b_has_twice_the_margins_and_the_same_predictions(drawn):
    w, b, X, y = drawn
    doubled = times(2, w, b)
    assert functional_margins(*doubled, X, y) == scale(2, functional_margins(w, b, X, y))
    assert [predict(*doubled, x) for x in X] == [predict(w, b, x) for x in X]


floats = st.floats(-1e6, 1e6)


@given(st.lists(floats, min_size=2, max_size=2), floats, st.lists(floats, min_size=2, max_size=2))
def test_on_floats_doubling_changes_no_bit_but_the_exponent(w, b, x):
    # Halves of tiny numbers may round, doubles of tiny numbers do not.
    assume(all(v == 0 or abs(v) > 1e-100 for v in [*w, b, *x]))
    once = functional_margins(w, b, [x], [-1])
    twice = functional_margins(*times(2, w, b), [x], [-1])
    assert [2 * m for m in once] == twice


@given(labelled())
def test_a_positive_functional_margin_means_a_right_prediction(drawn):
    w, b, X, y = drawn
    for m, x, label in zip(functional_margins(w, b, X, y), X, y):
        assert m <= 0 or predict(w, b, x) == label
        # The converse fails at score zero only, where the prediction is +1.
        assert (predict(w, b, x) == label) == (m > 0 or (m == 0 and label == 1))


def test_on_the_hyperplane_plus_one_is_right_and_minus_one_is_wrong_though_both_margins_are_zero():
    assert functional_margins([1], -2, [[2], [2]], [1, -1]) == [0, 0]
    assert predict([1], -2, [2]) == 1


@given(labelled(), st.data())
def test_the_margin_of_a_set_is_its_smallest_and_more_points_never_raise_it(drawn, data):
    w, b, X, y = drawn
    margins, smallest = functional_margins(w, b, X, y), functional_margin(w, b, X, y)
    assert smallest in margins and all(smallest <= m for m in margins)
    k = data.draw(st.integers(1, len(X)))
    assert functional_margin(w, b, X[:k], y[:k]) >= smallest


@given(labelled(separated=True), st.sampled_from([2, 8]))
def test_a_longer_separator_gives_every_right_label_more_probability(drawn, c):
    w, b, X, y = drawn
    w, b = rescaled(w, b, lambda w, b: functional_margin(w, b, X, y), Fraction(1, 4))
    X, y = zip(*[(x, s) for x, s in zip(X, y) if s * score(w, b, x) < 4])  # before all rounds to 1
    short = [logistic(float(m)) for m in functional_margins(w, b, X, y)]
    long = [logistic(float(m)) for m in functional_margins(*times(c, w, b), X, y)]
    assert all(1 / 2 < p < q for p, q in zip(short, long))


# Geometric margins


@given(labelled(exact_length=True))
def test_a_geometric_margin_is_the_label_times_the_signed_distance(drawn):
    w, b, X, y = drawn
    margins = geometric_margins(w, b, X, y)
    assert margins == [s * signed_distance(w, b, x) for x, s in zip(X, y)]
    assert margins == [s * (dot(scale(1 / length(w), w), x) + b / length(w)) for x, s in zip(X, y)]
    assert margins == [m / length(w) for m in functional_margins(w, b, X, y)]
    assert squared_geometric_margins(w, b, X, y) == [g * abs(g) for g in margins]
    wrong = [s != predict(w, b, x) and not contains(w, b, x) for x, s in zip(X, y)]
    assert [g < 0 for g in margins] == wrong  # on the hyperplane itself it is 0


@given(labelled(separated=True, exact_length=True))
def test_of_a_separator_the_geometric_margin_is_the_distance_to_the_closest_point(drawn):
    w, b, X, y = drawn
    assert geometric_margin(w, b, X, y) == min(distance(w, b, x) for x in X) > 0
    assert min(squared_geometric_margins(w, b, X, y)) == min(squared_distance(w, b, x) for x in X)


@given(labelled(exact_length=True))
def test_the_geometric_margin_of_a_set_is_the_functional_one_over_the_length_of_w(drawn):
    w, b, X, y = drawn
    assert geometric_margin(w, b, X, y) == functional_margin(w, b, X, y) / length(w)
    assert geometric_margin(w, b, X, y) == min(geometric_margins(w, b, X, y))
    smallest = min(squared_geometric_margins(w, b, X, y))
    assert smallest == geometric_margin(w, b, X, y) * abs(geometric_margin(w, b, X, y))


@given(labelled(exact_length=True))
def test_normalised_makes_the_functional_margins_geometric(drawn):
    w, b, X, y = drawn
    h = normalised(w, b)
    assert functional_margins(*h, X, y) == geometric_margins(w, b, X, y)
    assert functional_margins(*h, X, y) == geometric_margins(*h, X, y)
    assert functional_margin(*h, X, y) == geometric_margin(w, b, X, y)


@given(labelled(exact_length=True), positives)
def test_geometric_margins_do_not_see_a_positive_scale_and_change_sign_with_a_negative(drawn, c):
    w, b, X, y = drawn
    margins, squares = geometric_margins(w, b, X, y), squared_geometric_margins(w, b, X, y)
    assert geometric_margins(*times(c, w, b), X, y) == margins
    assert geometric_margins(*times(-c, w, b), X, y) == [-g for g in margins]
    assert squared_geometric_margins(*times(c, w, b), X, y) == squares
    assert squared_geometric_margins(*times(-c, w, b), X, y) == [-g for g in squares]


def turned(t, x):
    """x, in the plane, turned by the angle whose half has the tangent t: an exact rotation."""
    c, s = (1 - t * t) / (1 + t * t), 2 * t / (1 + t * t)
    return [c * x[0] - s * x[1], s * x[0] + c * x[1]]


@given(st.data(), st.fractions(-3, 3, max_denominator=5), points(2), positives)
def test_geometric_margins_move_with_the_data_and_grow_with_them(data, t, step, c):
    w, b, y = data.draw(normals(2)), data.draw(offsets), [1, -1, 1]
    X = data.draw(st.lists(points(2), min_size=3, max_size=3))
    margins = squared_geometric_margins(w, b, X, y)
    assert squared_geometric_margins(turned(t, w), b, [turned(t, x) for x in X], y) == margins
    assert squared_geometric_margins(w, b - dot(w, step), [add(x, step) for x in X], y) == margins
    larger = squared_geometric_margins(w, c * b, [scale(c, x) for x in X], y)
    assert larger == [c * c * g for g in margins]


# The largest geometric margin


@given(labelled(separated=True, exact_length=True), st.fractions(-1, 2, max_denominator=6))
def test_the_largest_M_that_every_example_keeps_is_the_geometric_margin(drawn, share):
    w, b, X, y = drawn
    g = geometric_margin(w, b, X, y)
    for M in (g, share * g, g + share, share):
        kept = all(s * (dot(w, x) + b) >= M * length(w) for x, s in zip(X, y))
        assert kept == (g >= M)


def hard_margin(X, y):
    """(w, b) of the hard margin, from the exact optimum of the dual."""
    best = optimum(linear_gram(X), y, [inf] * len(y))
    if best is None:
        return None
    w = [Fraction(0)] * len(X[0])
    for a, s, x in zip(best.alpha, y, X):
        w = add(w, scale(a * s, x))
    assert best.b_low == best.b_high
    return w, best.b_low


@draws(2/5)
@given(labelled(separated=True), st.data(), positives)
def test_no_hyperplane_has_a_larger_geometric_margin_than_the_shortest_canonical_one(
    drawn, data, c
):
    w, b, X, y = drawn
    mirrored = add(foot(w, b, X[0]), subtract(foot(w, b, X[0]), X[0]))
    X, y = [*X[:3], mirrored], [*y[:3], -y[0]]  # now both classes are there
    best_w, best_b = hard_margin(X, y)
    best = 1 / squared_norm(best_w)
    assert functional_margin(best_w, best_b, X, y) == 1
    assert min(squared_geometric_margins(best_w, best_b, X, y)) == best
    others = [(w, b), (data.draw(normals(len(w))), data.draw(offsets)), times(c, best_w, best_b)]
    for other in others:
        assert min(squared_geometric_margins(*other, X, y)) <= best
        if separates(*other, X, y):
            assert squared_norm(canonical(*other, X, y).w) >= squared_norm(best_w)


@pytest.mark.parametrize("X, y", [
    ([[1, 0], [1, 1], [-1, 0]], [1, 1, -1]),
    ([[1, 1], [1, -1], [-1, 1], [-1, -1]], [1, 1, -1, -1]),
    ([[0, 0], [0, 2]], [1, -1]),
    ([[0], [1], [3], [4]], [-1, -1, 1, 1]),
])
def test_the_best_w_and_b_are_many_but_all_of_them_are_one_hyperplane(X, y):
    X = [[Fraction(v) for v in x] for x in X]
    w, b = hard_margin(X, y)
    best = min(squared_geometric_margins(w, b, X, y))
    grid = [Fraction(v, 2) for v in range(-8, 9)] if len(w) == 1 else range(-5, 6)
    found = [
        (list(v), c)
        for *v, c in product(grid, repeat=len(w) + 1)
        if any(v) and min(squared_geometric_margins(v, c, X, y)) == best
    ]
    assert len(found) > 1
    assert all(canonical(v, c, X, y) == (w, b) for v, c in found)


@given(labelled(separated=True), positives)
def test_canonical_has_functional_margin_one_and_geometric_margin_one_over_its_length(drawn, c):
    w, b, X, y = drawn
    h = canonical(w, b, X, y)
    assert functional_margin(*h, X, y) == 1
    assert min(squared_geometric_margins(*h, X, y)) == 1 / squared_norm(h.w)
    assert min(squared_geometric_margins(w, b, X, y)) == 1 / squared_norm(h.w)
    assert canonical(*times(c, w, b), X, y) == h == canonical(*h, X, y)
    assert [predict(*h, x) for x in X] == y


@given(labelled())
def test_only_what_separates_has_a_canonical_form(drawn):
    w, b, X, y = drawn
    if separates(w, b, X, y):
        assert all(m >= 1 for m in functional_margins(*canonical(w, b, X, y), X, y))
    else:
        with pytest.raises(ValueError, match="^the functional margin is .*; only where it is pos"):
            canonical(w, b, X, y)


def test_one_class_alone_has_no_largest_margin():
    # (0, 1) keeps y (w.x + b) >= 1 with the shortest w of all, and names no hyperplane.
    X, y = [[1, 2], [3, 4]], [1, 1]
    assert functional_margins([0, 0], 1, X, y) == [1, 1]
    for call in (canonical, geometric_margin, geometric_margins, squared_geometric_margins):
        with pytest.raises(ValueError, match="^w is zero; a hyperplane needs a w that is not$"):
            call([0, 0], 1, X, y)
    far = [geometric_margin([1, 0], b, X, y) for b in (0, 10, 100)]
    assert far == [1, 11, 101]  # a separator can be moved further away


# Labels, refusals


@given(st.integers(2, 5).flatmap(labellings), st.data())
def test_labels_are_plus_and_minus_one_and_others_are_named_and_refused(y, data):
    assert labels(y, len(y)) == y == labels([float(s) for s in y], len(y))
    k = data.draw(st.integers(0, len(y) - 1))
    bad = data.draw(st.sampled_from([0, 2, -2, 0.5, nan, "1", None]))
    with pytest.raises(ValueError, match=rf"^y\[{k}\] is .*; a label must be \+1 or -1$"):
        labels([*y[:k], bad, *y[k + 1:]], len(y))


MARGINS = [functional_margins, functional_margin, separates, geometric_margins, geometric_margin,
           squared_geometric_margins, canonical]


@pytest.mark.parametrize("call", MARGINS)
@pytest.mark.parametrize("bad", [0, 2, nan, "1", None, False])
def test_a_margin_needs_labels_plus_one_or_minus_one(call, bad):
    with pytest.raises(ValueError, match=r"^y\[1\] is .*; a label must be \+1 or -1$"):
        call([1], 0, [[1], [2]], [1, bad])


@pytest.mark.parametrize("call", MARGINS)
def test_what_does_not_fit_is_refused(call):
    with pytest.raises(ValueError, match=r"^X\[0\] has length 2 and w has length 1; the two must"):
        call([1], 0, [[1, 2]], [1])
    with pytest.raises(ValueError, match="^y has length 1; there are 2 examples$"):
        call([1], 0, [[1], [2]], [1])
    with pytest.raises(ValueError, match="^X is empty"):
        call([1], 0, [], [])
    with pytest.raises(ValueError, match=r"^w\[0\] is inf; it must be a finite number$"):
        call([inf], 0, [[1]], [1])


def test_floats_and_fractions_agree_where_nothing_rounds():
    X, y = [[3, 4], [0, 0], [-2, 0.25]], [1.0, -1, -1]
    exactly = [[Fraction(v) for v in x] for x in X]
    assert geometric_margins([3, 4], -5, exactly, y) == [4, 1, 2]
    for call in MARGINS[:-1]:
        assert call([3, 4], -5, X, y) == call([3, 4], -5, exactly, y)
    twice = [canonical([8], -16, [[zero], [4]], [-1, 1]) for zero in (0, Fraction(0))]
    assert twice[0] == twice[1] == ([0.5], -1)
    with pytest.raises(ValueError, match="^w.w is 2, whose square root is no fraction"):
        geometric_margins([1, 1], 0, [[Fraction(1), 1]], [1])


def test_nothing_that_was_handed_in_is_changed():
    w, b, X, y = [3, 4], -5, [[3, 4], [0, 0]], [1, -1]
    before = deepcopy((w, b, X, y))
    for call in MARGINS:
        call(w, b, X, y)
    assert (w, b, X, y) == before


def test_a_margin_of_zero_cannot_be_made_one():
    with pytest.raises(ValueError, match="^the functional margin is 0.0; only where"):
        canonical([1], 0, [[0], [1]], [1, 1])
