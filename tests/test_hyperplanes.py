"""Sides, distances, feet and rescaling of a hyperplane: exactly, on Fractions."""

from copy import deepcopy
from fractions import Fraction
from math import inf, nan

import pytest
from cases_by_hand import CASES
from geometry import (
    WHOLE_LENGTHS,
    normals,
    offsets,
    planes,
    planes_and_points,
    points,
    positives,
    times,
)
from hypothesis import given
from hypothesis import strategies as st
from problems import known, of_case

from refsvm.numerics.elementary import exp
from refsvm.numerics.linalg import add_scaled, dot, scale, squared_norm, subtract
from refsvm.numerics.linalg import squared_distance as between
from refsvm.theory.hyperplanes import (
    Hyperplane,
    contains,
    distance,
    foot,
    length,
    logistic,
    margin_lines,
    normalised,
    predict,
    rescaled,
    scalar_projection,
    score,
    sign,
    signed_distance,
    squared_distance,
)

# Sides


@given(planes_and_points(1))
def test_the_score_is_the_inner_product_plus_the_offset(drawn):
    w, b, x = drawn
    assert score(w, b, x) == dot(w, x) + b
    assert score(w, b, [0] * len(w)) == b


@given(planes_and_points(1))
def test_a_prediction_is_plus_one_where_the_score_is_not_negative_and_else_minus_one(drawn):
    w, b, x = drawn
    assert predict(w, b, x) == (1 if dot(w, x) + b >= 0 else -1)
    assert predict(w, b, foot(w, b, x)) == 1


@given(planes_and_points(1))
def test_an_offset_is_the_weight_of_a_further_coordinate_that_is_always_one(drawn):
    w, b, x = drawn
    assert score(w, b, x) == score([b, *w], 0, [1, *x])
    assert predict(w, b, x) == predict([b, *w], 0, [1, *x])


def test_the_sign_of_both_zeros_is_plus_one():
    assert [sign(z) for z in (0, 0.0, -0.0, Fraction(0), 5e-324, -5e-324)] == [1, 1, 1, 1, 1, -1]


@pytest.mark.parametrize("z", [nan, inf, -inf])
def test_what_is_no_number_has_no_sign(z):
    with pytest.raises(ValueError, match=r"^z is -?(nan|inf); it must be a finite number$"):
        sign(z)


@given(planes_and_points(1), positives)
def test_a_positive_multiple_decides_the_same_and_minus_one_decides_the_opposite(drawn, c):
    w, b, x = drawn
    assert predict(*times(c, w, b), x) == predict(w, b, x)
    if not contains(w, b, x):
        assert predict(*times(-c, w, b), x) == -predict(w, b, x)


@given(planes_and_points(1))
def test_a_point_is_contained_exactly_when_its_score_and_its_distance_are_zero(drawn):
    w, b, x = drawn
    assert contains(w, b, x) == (dot(w, x) + b == 0) == (squared_distance(w, b, x) == 0)
    assert contains(w, -dot(w, x), x)


# The logistic reading of a score


def test_the_logistic_function_rises_from_zero_to_one_through_a_half():
    values = [logistic(k / 8) for k in range(-240, 241)]
    assert values == sorted(set(values)) and values[0] > 0 and values[-1] < 1
    assert logistic(0) == logistic(-0.0) == 1 / 2
    assert logistic(-1000) == 0 and logistic(1000) == 1


@given(st.one_of(st.floats(-800, 800), st.integers(-40, 40)))
def test_the_logistic_function_is_at_least_a_half_where_the_prediction_is_plus_one(z):
    assert (logistic(z) >= 1 / 2) or sign(z) == -1
    # Below zero by less than half a unit in the last place of 1/2, it is rounded to 1/2.
    assert (logistic(z) < 1 / 2) or sign(z) == 1 or z > -(2**-52)
    assert logistic(-1e-20) == 1 / 2 and sign(-1e-20) == -1


@given(st.floats(-800, 800))
def test_the_probabilities_of_the_two_labels_add_up_to_one(z):
    # e^-|z| is the same in both, so only two divisions and one sum are rounded.
    both = Fraction(logistic(z)) + Fraction(logistic(-z))
    assert abs(both - 1) <= Fraction(1, 2**52)


@given(st.floats(-700, 700))
def test_the_odds_are_the_exponential_of_the_score(z):
    unlikely = min(logistic(z), logistic(-z))
    likely = max(logistic(z), logistic(-z))
    odds = Fraction(unlikely) / Fraction(likely)
    assert abs(odds / Fraction(exp(-abs(z))) - 1) <= Fraction(1, 2**51)
    assert logistic(abs(z)) == likely


def test_a_fraction_has_no_exact_logistic():
    with pytest.raises(TypeError, match="^z is 1/2; "):
        logistic(Fraction(1, 2))


# Distances


@given(planes_and_points(2))
def test_the_foot_is_the_point_of_the_hyperplane_nearest_to_x(drawn):
    w, b, x, u = drawn
    v = foot(w, b, u)  # any point of the hyperplane
    nearest = foot(w, b, x)
    assert contains(w, b, nearest) and contains(w, b, v)
    assert between(x, nearest) == squared_distance(w, b, x) <= between(x, v)
    assert between(x, v) == between(x, nearest) + between(nearest, v)  # Pythagoras
    assert foot(w, b, nearest) == nearest


@given(planes_and_points(2))
def test_w_is_at_right_angles_to_the_hyperplane(drawn):
    w, b, u, v = drawn
    assert dot(w, subtract(foot(w, b, u), foot(w, b, v))) == 0


@given(planes_and_points(1, exact_length=True))
def test_x_less_its_signed_distance_along_the_unit_normal_is_the_foot(drawn):
    w, b, x = drawn
    unit = scale(1 / length(w), w)
    assert add_scaled(x, -signed_distance(w, b, x), unit) == foot(w, b, x)
    assert signed_distance(w, b, x) == dot(unit, x) + b / length(w)
    assert distance(w, b, x) == abs(signed_distance(w, b, x))
    assert distance(w, b, x) * distance(w, b, x) == squared_distance(w, b, x)


@given(planes_and_points(1, exact_length=True), positives)
def test_a_distance_belongs_to_the_hyperplane_and_not_to_the_scale_of_w_and_b(drawn, c):
    w, b, x = drawn
    assert signed_distance(*times(c, w, b), x) == signed_distance(w, b, x)
    assert signed_distance(*times(-c, w, b), x) == -signed_distance(w, b, x)
    assert distance(*times(-c, w, b), x) == distance(w, b, x)
    assert squared_distance(*times(-c, w, b), x) == squared_distance(w, b, x)
    assert foot(*times(-c, w, b), x) == foot(w, b, x)


@given(planes_and_points(1, exact_length=True), st.sampled_from([1, -1]))
def test_the_label_times_the_signed_distance_is_the_distance_only_if_x_is_on_its_side(drawn, y):
    w, b, x = drawn
    assert (distance(w, b, x) == y * signed_distance(w, b, x)) == (y * score(w, b, x) >= 0)


def test_a_point_on_the_wrong_side_has_a_positive_distance_and_a_negative_margin():
    assert score([1], 0, [-2]) == -2 and distance([1], 0, [-2]) == 2  # y = +1: y f / |w| = -2


@given(planes_and_points(1, exact_length=True))
def test_what_is_left_of_v_after_its_projection_is_at_right_angles_to_w(drawn):
    w, _, v = drawn
    along = scalar_projection(v, w)
    rest = add_scaled(v, -along / length(w), w)
    assert dot(rest, w) == 0
    assert squared_norm(v) == along * along + squared_norm(rest)
    assert scalar_projection(scale(-1, v), w) == -along
    assert scalar_projection(w, w) == length(w)


whole = st.integers(-9, 9)


@given(st.sampled_from(WHOLE_LENGTHS), whole, st.lists(whole, min_size=3, max_size=3))
def test_floats_give_the_rounded_fractions_where_only_the_division_rounds(w, b, x):
    x = x[:len(w)]
    exactly = [Fraction(v) for v in w], b, x
    assert signed_distance(w, b, x) == float(signed_distance(*exactly))
    assert distance(w, b, x) == float(distance(*exactly))
    assert squared_distance(w, b, x) == float(squared_distance(*exactly))


# How near is near: points A, B and C of the notes


@given(planes_and_points(2, exact_length=True), st.fractions(0, 6, max_denominator=4))
def test_a_shift_of_the_boundary_flips_exactly_the_points_nearer_than_the_shift(drawn, shift):
    w, b, x, z = drawn
    h = normalised(w, b)
    for point in (x, z):
        if signed_distance(w, b, point) >= 0:
            flips = predict(h.w, h.b - shift, point) == -1
            assert flips == (distance(w, b, point) < shift)


@given(planes_and_points(1), st.data())
def test_no_change_of_w_smaller_than_the_distance_over_the_size_of_x_flips_x(drawn, data):
    w, b, x = drawn
    change = data.draw(points(len(w)))
    if squared_norm(change) * squared_norm(x) < squared_distance(w, b, x) * squared_norm(w):
        assert predict([v + c for v, c in zip(w, change)], b, x) == predict(w, b, x)


def test_turning_the_boundary_flips_the_near_point_before_the_far_ones():
    A, B, C = [4, 4], [4, 2], [4, Fraction(1, 2)]  # above the line w = (0, 1) through the origin
    assert distance([0, 1], 0, A) > distance([0, 1], 0, B) > distance([0, 1], 0, C) > 0
    steps = [[-Fraction(k, 4), Fraction(1)] for k in range(1, 5)]  # turned further and further
    seen = [[predict(w, 0, point) for point in (A, B, C)] for w in steps]
    assert seen == [[1, 1, -1], [1, 1, -1], [1, -1, -1], [1, -1, -1]]


# Rescaling


@given(planes_and_points(1, exact_length=True))
def test_normalised_has_length_one_and_scores_that_are_distances(drawn):
    w, b, x = drawn
    h = normalised(w, b)
    assert length(h.w) == 1 and normalised(*h) == h
    assert score(*h, x) == signed_distance(w, b, x)
    assert predict(*h, x) == predict(w, b, x)
    assert contains(*h, foot(w, b, x))


QUANTITIES = [
    lambda w, b: abs(w[0]),
    lambda w, b: abs(w[0] + b) + abs(w[-1]),
    lambda w, b: b,
    lambda w, b: max(w) - min(w) + w[0],
]


@given(planes_and_points(1), st.sampled_from(QUANTITIES), st.sampled_from([-2, 1, 5]))
def test_rescaled_meets_the_constraint_or_says_why_not(drawn, quantity, target):
    w, b, x = drawn
    now = quantity(w, b)
    if now * target > 0:
        h = rescaled(w, b, quantity, target)
        assert quantity(*h) == target
        assert h == times(target / now, w, b)
        assert predict(*h, x) == predict(w, b, x)
    else:
        with pytest.raises(ValueError, match="no positive multiple"):
            rescaled(w, b, quantity, target)


@given(st.lists(normals(1), min_size=1, max_size=2), offsets, positives)
def test_no_scaling_makes_a_first_weight_of_zero_five(rest, b, c):
    w = [Fraction(0), *(v[0] for v in rest)]
    assert abs(c * w[0]) != 5
    with pytest.raises(ValueError, match=r"^quantity\(w, b\) is 0; no positive multiple"):
        rescaled(w, b, lambda w, b: abs(w[0]), 5)


def test_no_scaling_gives_the_third_constraint_of_the_notes_where_it_is_zero():
    with pytest.raises(ValueError, match=r"^quantity\(w, b\) is 0\.0; no positive multiple"):
        rescaled([1, 0], -1, lambda w, b: abs(w[0] + b) + abs(w[1]), 2)


def test_a_quantity_that_does_not_scale_with_w_and_b_is_refused():
    with pytest.raises(ValueError, match=r"quantity\(2 w, 2 b\) is 36.0; it must double, too$"):
        rescaled([3], 0, lambda w, b: w[0] * w[0], 1)


def test_a_quantity_that_doubles_cannot_hold_is_refused():
    with pytest.raises(ValueError, match=r"^quantity\(w, b\) is inf; no positive multiple"):
        rescaled([1e200], 0, lambda w, b: w[0] * 1e200, 1)


# The lines where the score is 1 and -1


@given(planes_and_points(1))
def test_the_margin_lines_hold_the_points_of_score_one_and_minus_one(drawn):
    w, b, x = drawn
    above, below = margin_lines(w, b)
    assert contains(*above, x) == (score(w, b, x) == 1)
    assert contains(*below, x) == (score(w, b, x) == -1)
    for line, z in ((above, 1), (below, -1)):
        on_it = foot(*line, x)
        assert score(w, b, on_it) == z


@given(planes_and_points(1))
def test_the_margin_lines_are_two_over_the_length_of_w_apart_with_the_hyperplane_halfway(drawn):
    w, b, x = drawn
    above, below = margin_lines(w, b)
    on_it = foot(*above, x)
    assert squared_distance(*below, on_it) == 4 / squared_norm(w)
    assert squared_distance(w, b, on_it) == 1 / squared_norm(w)
    assert squared_distance(w, b, foot(*below, x)) == 1 / squared_norm(w)


@pytest.mark.parametrize("name", ["C01", "F3", "F4", "F6", "F9", "C25"])
def test_support_vectors_below_their_penalty_lie_on_the_margin_lines(name):
    case = next(case for case in CASES if case.name == name)
    problem, best = of_case(case), known(name)
    w = [exact(a * y * x[k] for a, y, x in zip(best.alpha, case.y, case.X))
         for k in range(len(case.X[0]))]
    lines = dict(zip((1, -1), margin_lines(w, best.b_low)))
    free = [i for i, (a, c) in enumerate(zip(best.alpha, problem.C)) if 0 < a < c]
    assert free
    assert all(contains(*lines[case.y[i]], case.X[i]) for i in free)


def exact(numbers):
    total = Fraction(0)
    for number in numbers:
        total += number
    return total


# Lengths, kinds, refusals


@given(planes(exact_length=True))
def test_a_length_that_is_a_fraction_is_found_exactly(plane):
    w, _ = plane
    assert length(w) > 0 and length(w) * length(w) == squared_norm(w)
    assert type(length(w)) is Fraction


@pytest.mark.parametrize("w", [[1, 1], [2, 3], [1, 1, 1]])
def test_a_length_that_is_no_fraction_is_refused_on_fractions_only(w):
    assert length(w) == squared_norm(w) ** 0.5
    with pytest.raises(ValueError, match="whose square root is no fraction; give w as floats"):
        signed_distance([Fraction(v) for v in w], 0, w)


@pytest.mark.parametrize("w, told", [([1e-200, 0], "0.0"), ([1e200, 0], "inf")])
def test_a_length_that_doubles_cannot_hold_is_refused(w, told):
    for call in (signed_distance, distance, squared_distance, foot):
        with pytest.raises(ValueError, match=f"^w.w is {told} in doubles; scale w and b"):
            call(w, 0, [1, 1])
    assert squared_distance([Fraction(v) for v in w], 0, [1, 1]) == 1


CALLS = [contains, signed_distance, distance, squared_distance, foot]


@pytest.mark.parametrize("call", CALLS)
def test_a_zero_w_is_no_hyperplane(call):
    with pytest.raises(ValueError, match="^w is zero; a hyperplane needs a w that is not$"):
        call([0, 0], 1, [2, 3])


def test_a_zero_w_has_no_direction_no_lines_and_no_scale():
    for refused in (
        lambda: scalar_projection([1, 2], [0, 0]),
        lambda: margin_lines([0], 1),
        lambda: normalised([0], 1),
        lambda: rescaled([0], 1, lambda w, b: b, 1),
        lambda: length([Fraction(0)]),
    ):
        with pytest.raises(ValueError, match="^w is zero"):
            refused()
    assert score([0], 1, [5]) == 1  # a score it has


@pytest.mark.parametrize("call", [score, predict, *CALLS])
def test_a_point_of_another_length_is_refused_and_so_is_what_is_no_number(call):
    with pytest.raises(ValueError, match="^x has length 1 and w has length 2; the two must be"):
        call([1, 2], 3, [1])
    with pytest.raises(ValueError, match=r"^x\[1\] is nan; it must be a finite number$"):
        call([1, 2], 3, [1, nan])
    with pytest.raises(TypeError, match="^b is '3'; a number is needed$"):
        call([1, 2], "3", [1, 2])


def test_one_fraction_makes_all_of_it_exact():
    third = Fraction(1, 3)
    for args in (([third, 0], 1, [1, 2]), ([1, 0], third, [1, 2]), ([1, 0], 1, [third, 2])):
        assert type(score(*args)) is type(signed_distance(*args)) is Fraction
        assert set(map(type, foot(*args))) == {Fraction}
    assert rescaled([1, 2], 3, lambda w, b: w[0], third) == Hyperplane([third, 2 * third], 1)


def test_nothing_that_was_handed_in_is_changed():
    w, b, x = [3, 4], -5, [1, 2]
    before = deepcopy((w, b, x))
    for call in (score, predict, *CALLS):
        call(w, b, x)
    lines = margin_lines(w, b)
    normalised(w, b)
    scalar_projection(x, w)
    length(w)
    rescaled(w, b, lambda w, b: w[0], 1)
    assert (w, b, x) == before
    assert lines[0].w is not lines[1].w and lines[0].w is not w
