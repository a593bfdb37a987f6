"""Polytopes: corners, nearest points with both halves of their proof, and equality of sets.

Cones: coefficients or a separating direction, one of the two, and always with its proof.
"""

from copy import deepcopy
from fractions import Fraction
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st
from profiles import draws
from programs import few, inner, matrices, positives, vectors
from refusing import refusals, value_error
from test_validation import exactly

from refsvm.numerics.linalg import add, dot, subtract
from refsvm.numerics.polyhedra import (
    contains,
    corner,
    corners,
    hull,
    image,
    move_to_nearest_mean,
    multiple,
    nearest_point,
    nonnegative_combination,
    same_set,
    set_sum,
    sum_of_points,
    weighted_mean,
    weights_nearest_to_zero,
)

coordinates = st.one_of(st.integers(-3, 3), st.fractions(-3, 3, max_denominator=3)).map(Fraction)
shares = st.lists(st.integers(0, 4), min_size=12, max_size=12).filter(any)


def points(d):
    return st.lists(coordinates, min_size=d, max_size=d)


def polytopes_in(d, most_points=3, most_parts=3):
    part = st.lists(points(d), min_size=1, max_size=most_points)
    return st.lists(part, min_size=1, max_size=most_parts)


@st.composite
def polytope_and(draw, *others, d=None):
    """A polytope, and points of as many dimensions."""
    d = d or draw(st.integers(1, 3))
    return (draw(polytopes_in(d)), *(draw(other(d)) for other in others))


def some_point(P, shares):
    """A point of P: of each part a mean with these weights."""
    chosen = []
    for part in P:
        weights = shares[: len(part)]
        weights = weights if any(weights) else [1] * len(part)
        whole = sum(weights)
        chosen.append(weighted_mean(part, [Fraction(w, whole) for w in weights]))
    return sum_of_points(chosen)


@given(polytope_and(points))
@draws(2/5)
def test_the_corner_is_the_first_of_the_farthest_of_all_corners(given_):
    P, direction = given_
    every = [list(c) for c in corners(P)]
    farthest = corner(P, direction)
    assert farthest in every
    assert dot(farthest, direction) == max(dot(c, direction) for c in every)
    for part in P:  # a part moved to the front by itself: ties go to the first point
        reach = [dot(point, direction) for point in part]
        assert corner([part], direction) == part[reach.index(max(reach))]


@given(polytope_and())
@draws(2/5)
def test_the_corners_are_all_sums_of_one_point_of_each_part_none_twice(given_):
    (P,) = given_
    sums = P[0]
    for part in P[1:]:
        sums = [add(c, point) for c in sums for point in part]
    found = corners(P)
    assert all(c in sums for c in found) and all(c in found for c in sums)
    assert all(c not in found[:k] for k, c in enumerate(found))


@given(polytope_and(points))
@draws(2/5)
def test_the_nearest_point_is_a_mean_of_corners_and_no_corner_lies_beyond_its_plane(given_):
    P, target = given_
    before = deepcopy(P)
    point, used, weights = nearest_point(P, target)
    assert all(c in corners(P) for c in used)
    assert min(weights) > 0 and sum(weights) == 1
    assert weighted_mean(used, weights) == point
    away = subtract(target, point)
    assert all(dot(away, subtract(c, point)) <= 0 for c in corners(P))
    assert before == P


@given(polytope_and(), shares)
@draws(2/5)
def test_a_polytope_contains_its_points(given_, shares):
    (P,) = given_
    assert contains(P, some_point(P, shares))


@given(polytope_and(points), st.fractions(Fraction(1, 50), 3))
@draws(2/5)
def test_a_polytope_contains_nothing_beyond_a_corner(given_, far):
    P, direction = given_
    if not any(direction):
        return
    outside = [c + far * v for c, v in zip(corner(P, direction), direction)]
    assert not contains(P, outside)


@given(polytope_and(points, lambda d: st.lists(points(d), min_size=2, max_size=2)), coordinates)
@draws(2/5)
def test_rules_of_sets_hold_point_by_point(given_, c):
    P, shift, A = given_
    Q = [[shift, [0 * v for v in shift]]]
    for p in corners(P):
        assert contains(multiple(c, P), [c * v for v in p])
        assert contains(image(A, P), [dot(row, p) for row in A])
        assert contains(hull(P, Q), p)
        for q in corners(Q):
            assert contains(set_sum(P, Q), add(p, q))
    for q in corners(Q):
        assert contains(hull(P, Q), q)
    assert len(corners(multiple(c, P))) == (len(corners(P)) if c else 1)
    assert len(hull(P, Q)[0]) == len(corners(P)) + len(corners(Q))


@given(polytope_and(points))
@draws(2/5)
def test_sets_are_equal_however_they_are_written_and_only_then(given_):
    P, point = given_
    assert same_set(P, [corners(P)])
    assert same_set([corners(P)], P)
    larger = [corners(P) + [point]]
    assert same_set(P, larger) == same_set(larger, P) == contains(P, point)


def test_doubles_are_decided_about_as_the_fractions_they_are():
    segment = [[[0.1], [0.3]]]
    assert contains(segment, [0.3]) and not contains(segment, [Fraction(3, 10)])
    assert nearest_point(segment, [0.5]).point == [Fraction(0.3)]


@given(polytope_and(points, d=3))
@draws(2/5)
def test_the_shortest_mean_has_one_product_with_every_point(given_):
    P, target = given_
    held = nearest_point(P, target).corners
    shifted = [subtract(c, target) for c in held]
    weights = weights_nearest_to_zero(shifted)
    here = weighted_mean(shifted, weights)
    assert sum(weights) == 1
    assert {dot(here, point) for point in shifted} == {dot(here, here)}
    equal = [Fraction(1, len(held))] * len(held)
    assert move_to_nearest_mean(shifted, equal) == (shifted, weights)


def test_a_point_that_only_stood_in_the_way_is_let_go():
    triangle = [[[5, 1], [1, -1], [1, 3]]]
    near = nearest_point(triangle, [0, 0])
    assert near.point == [1, 0]
    assert sorted(near.corners) == [[1, -1], [1, 3]]
    assert dict(zip(map(tuple, near.corners), near.weights)) == {
        (1, -1): Fraction(3, 4), (1, 3): Fraction(1, 4)
    }


test_what_is_no_polytope_or_no_point_is_refused = refusals(
    value_error("..P is empty; it must have at least one part..", nearest_point, [], [0]),
    value_error("..P[0] is empty; it must have at least one row..", nearest_point, [[]], [0]),
    value_error("..P[0][1] has length 2; every row must have the length of P..", nearest_point,
                [[[0], [1, 2]]], [0]),
    value_error("..x has length 2 and z has length 1; the two must be equal..", nearest_point,
                [[[0, 1]]], [0]),
    value_error("..target[0] is inf; it must be a finite number..", nearest_point, [[[0]]], [inf]),
)


# ---- cones


def combined(coefs, vectors, d):
    zero = Fraction(0)
    return [sum((c * v[j] for c, v in zip(coefs, vectors)), zero) for j in range(d)]  # exact


@given(st.data(), st.integers(1, 3), st.integers(0, 5))
def test_either_coefficients_or_a_direction_and_each_proves_itself(data, d, m):
    given_vectors, target = data.draw(matrices(m, d)), data.draw(vectors(d))
    before = deepcopy((given_vectors, target))
    coefs, direction = nonnegative_combination(given_vectors, target)
    assert (given_vectors, target) == before
    assert (coefs is None) != (direction is None)
    if direction is None:
        assert exactly(combined(coefs, given_vectors, d), target)
        assert len(coefs) == m and all(c >= 0 for c in coefs)
        assert len([c for c in coefs if c != 0]) <= d
    else:
        assert all(type(v) is Fraction for v in direction) and len(direction) == d
        assert all(inner(v, direction) <= 0 for v in given_vectors)
        assert inner(target, direction) > 0


@given(st.data(), st.integers(1, 3), st.integers(1, 6))
def test_what_was_combined_is_found_to_be_a_combination(data, d, m):
    given_vectors, chosen = data.draw(matrices(m, d)), data.draw(vectors(m, positives))
    target = combined(chosen, given_vectors, d)
    assert nonnegative_combination(given_vectors, target).direction is None


def test_a_degenerate_system_is_decided_to_the_point():
    """Beale's example, which made the simplex method famous for cycling: its optimum is 1/20."""
    rows = [
        [Fraction(1, 4), -60, -Fraction(1, 25), 9, 1, 0, 0],
        [Fraction(1, 2), -90, -Fraction(1, 50), 3, 0, 1, 0],
        [0, 0, 1, 0, 0, 0, 1],
        [Fraction(3, 4), -150, Fraction(1, 50), -6, 0, 0, 0],
    ]
    columns = [list(column) for column in zip(*rows)]
    found = nonnegative_combination(columns, [0, 0, 1, Fraction(1, 20)])
    assert combined(found.coefs, columns, 4) == [0, 0, 1, Fraction(1, 20)]
    above = nonnegative_combination(columns, [0, 0, 1, Fraction(51, 1000)])
    assert above.coefs is None


@given(st.data(), st.integers(1, 3), st.integers(1, 4))
def test_floats_are_decided_as_the_fractions_they_are(data, d, m):
    tenths = few.map(lambda v: float(v) / 10)
    rows, target = data.draw(matrices(m, d)), data.draw(vectors(d, tenths))
    rows = [[float(v) for v in row] for row in rows]
    found = nonnegative_combination(rows, target)
    fractions = [list(map(Fraction, row)) for row in rows]
    exact = nonnegative_combination(fractions, list(map(Fraction, target)))
    for got, expected in zip(found, exact):
        assert got == (None if expected is None else list(map(float, expected)))


@pytest.mark.parametrize("rows, target, message", [
    ([[1, 2], [3]], [1, 2], "vectors[1] has length 1"),
    ([[1, 2]], [1], "vectors[0] has length 2 and the length of target is 1"),
    ([], [], "target is empty"),
    ([[float("inf")]], [1], "vectors[0][0] is inf"),
])
def test_vectors_and_targets_that_do_not_fit_are_refused(rows, target, message):
    with pytest.raises(ValueError) as caught:
        nonnegative_combination(rows, target)
    assert message in str(caught.value)
