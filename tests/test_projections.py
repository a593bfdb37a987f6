"""Projections: the nearest point there is, found by trying everything, and nothing else."""

from fractions import Fraction
from itertools import product
from math import inf

import exact
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from problems import labellings
from refusing import refusals, value_error

from refsvm.numerics.projections import onto_box, onto_box_and_plane, onto_multipliers

numbers = st.sampled_from([Fraction(p, q) for q in (1, 2, 3) for p in range(-2 * q, 2 * q + 1)])
lowers = st.sampled_from([-inf, Fraction(-2), Fraction(-1), Fraction(0)])
uppers = st.sampled_from([inf, Fraction(2), Fraction(1, 2), Fraction(0)])


@st.composite
def boxes(draw, most=4):
    """A point, and bounds around 0: so there is a point of the box whose sum is 0."""
    n = draw(st.integers(1, most))
    z, lower, upper = (
        draw(st.lists(part, min_size=n, max_size=n)) for part in (numbers, lowers, uppers)
    )
    return z, lower, upper


def nearest(z, lower, upper, total):
    """The projection by trying every pattern of bounds; those on none are moved alike."""
    candidates = []
    for pattern in product((0, 1, 2), repeat=len(z)):
        x = [(low, v, high)[p] for p, v, low, high in zip(pattern, z, lower, upper)]
        free = [i for i, p in enumerate(pattern) if p == 1]
        if any(abs(x[i]) == inf for i, p in enumerate(pattern) if p != 1):
            continue
        if total is not None:
            surplus = exact.exact_sum(x) - total
            if not free and surplus != 0:
                continue
            for i in free:
                x[i] -= surplus / len(free)
        if all(low <= v <= high for low, v, high in zip(lower, x, upper)):
            candidates.append(x)
    return min(candidates, key=lambda x: squared_distance(x, z))


def squared_distance(x, z):
    return exact.inner(*[[a - b for a, b in zip(x, z)]] * 2)


@given(boxes())
def test_the_nearest_point_of_the_box_is_clipped_coordinate_by_coordinate(box):
    assert onto_box(*box) == nearest(*box, None)


@given(boxes(), st.sampled_from([Fraction(0), Fraction(1, 3), Fraction(-1)]))
def test_the_nearest_point_of_box_and_plane_is_found(box, total):
    z, lower, upper = box
    # inf has no sum with -inf, but bounds of one side all have one sign
    least, most = exact_or_infinite(lower), exact_or_infinite(upper)
    if not least <= total <= most:
        with pytest.raises(ValueError) as caught:
            onto_box_and_plane(*box, total)
        assert str(caught.value) == (
            f"total is {total}; the bounds allow sums from {least} to {most} only"
        )
        return
    x = onto_box_and_plane(*box, total)
    assert x == nearest(*box, total)
    assert exact.exact_sum(x) == total
    assert onto_box_and_plane(x, lower, upper, total) == x


def exact_or_infinite(bounds):
    return next((v for v in bounds if abs(v) == inf), None) or exact.exact_sum(bounds)


@st.composite
def far_boxes(draw):
    """Doubles far behind small bounds, as a long step leaves them; those of z are few."""
    n = draw(st.integers(2, 6))
    few = (-3, -1.1, -1, 0, 1, 1.7)
    far = st.sampled_from([v * 2.0**k for k in (0, 40, 80, 500) for v in few])
    z = draw(st.lists(far, min_size=n, max_size=n))
    C = draw(st.lists(st.sampled_from([inf, 0.3, 1.0, 2.0**40]), min_size=n, max_size=n))
    y = draw(labellings(n))
    lower = [0.0 if s > 0 else -c for s, c in zip(y, C)]
    return z, lower, [c if s > 0 else 0.0 for s, c in zip(y, C)]


@given(far_boxes())
@example(([1e150, -1e150, 1e150], [0.0, -1.0, 0.0], [1.0, 0.0, 1.0]))  # it ended outside the plane
@example(([1e163, -1e163, -1e163], [0.0, -1.0, -1.0], [1.0, 0.0, 0.0]))
@example(([1e155, -1e155], [0.0, -inf], [1.0, 0.0]))
@example(([1e155, -1e155], [0.0, -1.0], [inf, 0.0]))
def test_from_however_far_doubles_are_led_to_where_fractions_are(box):
    z, lower, upper = box
    exactly = [[v if abs(v) == inf else Fraction(v) for v in values] for values in box]
    truth = onto_box_and_plane(*exactly)
    x = onto_box_and_plane(z, lower, upper)
    size = max(map(abs, truth))
    assert all(abs(Fraction(v) - t) <= size * Fraction(1, 2**48) for v, t in zip(x, truth))
    assert abs(exact.exact_sum(x)) <= size * Fraction(1, 2**48)


@given(boxes(), st.data())
def test_every_point_of_the_set_lies_behind_the_projection(box, data):
    # (z - x)'(v - x) <= 0 for every v of the set, which says that x is nearest.
    z, lower, upper = box
    x = onto_box_and_plane(*box)
    v = onto_box_and_plane(data.draw(st.lists(numbers, min_size=len(z), max_size=len(z))),
                           lower, upper)
    assert exact.inner([a - b for a, b in zip(z, x)], [a - b for a, b in zip(v, x)]) <= 0


@st.composite
def labelled(draw):
    n = draw(st.integers(2, 4))
    z = draw(st.lists(numbers, min_size=n, max_size=n))
    y = draw(labellings(n))
    upper = draw(st.lists(uppers.filter(bool), min_size=n, max_size=n))
    return z, y, upper


@given(labelled())
def test_multipliers_are_projected_onto_their_bounds_and_the_equation(given):
    z, y, upper = given
    alpha = onto_multipliers(z, y, upper)
    assert exact.inner(alpha, y) == 0
    # alpha_i is clip(z_i - nu y_i), and beta that of alpha
    lower = [Fraction(0) if s > 0 else -u for s, u in zip(y, upper)]
    higher = [u if s > 0 else Fraction(0) for s, u in zip(y, upper)]
    beta = nearest([v * s for v, s in zip(z, y)], lower, higher, Fraction(0))
    assert alpha == [v * s for v, s in zip(beta, y)]


@pytest.mark.parametrize("total, corner", [(1, [0, 1]), (5, [2, 3])])
def test_the_least_sum_and_the_most_are_met_by_one_corner_each(total, corner):
    assert onto_box_and_plane([Fraction(7), -7], [0, 1], [2, 3], total) == corner


def test_clamping_is_not_the_projection_and_plane_then_clamp_is_not_either():
    z, y = [Fraction(4, 5), Fraction(1, 5)], [1, -1]
    clamped = onto_box(z, [0, 0], [1, 1])
    assert clamped == z and exact.inner(clamped, y) == Fraction(3, 5)
    assert onto_multipliers(z, y, 1) == [Fraction(1, 2)] * 2
    z, y = [Fraction(1, 2), Fraction(0), Fraction(0)], [1, -1, 1]
    share = exact.inner(z, y) / 3
    once = onto_box([v - share * s for v, s in zip(z, y)], [0] * 3, [1] * 3)
    assert once == [Fraction(1, 3), Fraction(1, 6), 0] and exact.inner(once, y) == Fraction(1, 6)
    assert onto_multipliers(z, y, 1) == [Fraction(1, 4), Fraction(1, 4), 0]


def test_floats_land_on_their_bounds_exactly_and_nothing_is_minus_zero():
    assert onto_multipliers([0.75, 0.5, 0.25], [1, -1, -1], 0.5) == [0.5, 0.375, 0.125]
    assert list(map(str, onto_multipliers([0, 0], [1, -1], inf))) == ["0.0", "0.0"]
    assert list(map(str, onto_multipliers([-1, -1], [1, -1], 1))) == ["0.0", "0.0"]
    assert onto_multipliers([3, 5], [1, -1], 1) == [1.0, 1.0]


test_a_bad_argument_is_named = refusals(
    value_error("lower has length 1 and z has length 2", onto_box, [1, 2], [0], [1, 1]),
    value_error("lower[0] is 1.0 and upper[0] is 0.0; no number is between", onto_box, [1], [1],
                [0]),
    value_error("lower[0] is inf; it must be a finite number", onto_box, [1], [inf], [inf]),
    value_error("upper[0] is nan; it must be a finite number", onto_box, [1], [0], [float("nan")]),
    value_error("total is 3.0; the bounds allow sums from 0.0 to 2.0 only", onto_box_and_plane,
                [1, 1], [0, 0], [1, 1], 3),
    value_error("y holds the label +1 only; both classes are needed", onto_multipliers, [1, 2],
                [1, 1], 1),
    value_error("C is 0; it must be positive", onto_multipliers, [1, 2], [1, -1], 0),
)


def test_inputs_are_left_alone():
    z, lower, upper, y = [3, -1], [0, -1], [1, 0], [1, -1]
    onto_box(z, lower, upper)
    onto_box_and_plane(z, lower, upper)
    onto_multipliers(z, y, upper=[1, 2])
    assert (z, lower, upper, y) == ([3, -1], [0, -1], [1, 0], [1, -1])
