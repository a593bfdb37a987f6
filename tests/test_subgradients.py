"""Subgradients: the definition, the rules, optimality and level sets, each decided exactly."""

from copy import deepcopy
from fractions import Fraction
from math import inf

import pytest
from convex_draws import (
    convex,
    halves,
    inner,
    points,
    positives,
    quadratics,
    small,
    thirds,
    with_points,
)
from hypothesis import assume, given
from hypothesis import strategies as st
from profiles import draws

from refsvm.numerics.linalg import add, add_scaled, subtract, transpose
from refsvm.numerics.polyhedra import corners, hull, image, multiple, same_set, set_sum
from refsvm.theory.convex_functions import (
    absolute_sum,
    largest,
    plus,
    polyhedral,
    quadratic,
    scaled,
    substituted,
)
from refsvm.theory.subgradients import (
    active_pieces,
    directional_derivative,
    disproof,
    excess,
    gradient,
    is_differentiable,
    is_minimiser,
    is_subgradient,
    jensen_gap,
    shortest_subgradient,
    slope_interval,
    subdifferential,
    subgradient,
    supports,
)

F = Fraction
HINGE = polyhedral([[-1], [0]], [1, 0])
ABSOLUTE = absolute_sum([1])
TENT = absolute_sum([1, 2])  # |x_1| + 2 |x_2|
wide = st.fractions(-9, 9, max_denominator=9)
shares = st.lists(st.integers(1, 4), min_size=27, max_size=27)


def minus_absolute(x):
    return -abs(x[0])


def cube(x):
    return x[0] * x[0] * x[0]


def some_subgradient(f, x, shares):
    """A weighted mean of the corners of the subdifferential, the weights in these proportions."""
    found = corners(subdifferential(f, x))
    mean = [F(0)] * len(x)
    for c, w in zip(found, halves((shares * 3)[: len(found)])):
        mean = add_scaled(mean, w, c)
    return mean


# First-order condition


@given(with_points(quadratics, 2))
@draws(2/5)
def test_a_smooth_convex_function_is_nowhere_below_its_tangent(given_):
    f, x, z = given_
    above = excess(f, x, gradient(f, x), z)
    apart = subtract(z, x)
    Q = f.terms[0][0].Q
    assert above == F(1, 2) * inner(apart, [inner(row, apart) for row in Q]) >= 0


@given(wide, wide)
@draws(2/5)
def test_the_fourth_power_is_above_its_tangents_and_the_cube_is_not(x, z):
    square = (z - x) * (z - x)
    above = excess(lambda v: v[0] ** 4, [x], [4 * x**3], [z])
    assert above == square * ((z + x) * (z + x) + 2 * x * x) >= 0
    assert excess(cube, [x], [3 * x * x], [z]) == square * (z + 2 * x)
    assert excess(cube, [x], [3 * x * x], [-2 * abs(x) - 1 - abs(x)]) < 0


@given(with_points(quadratics, 2))
@draws(2/5)
def test_where_the_gradient_is_zero_is_a_global_minimum(given_):
    bowl, x, z = given_
    Q = bowl.terms[0][0].Q
    f = quadratic(Q, [-inner(row, x) for row in Q])  # its gradient is Q (z - x)
    assert gradient(f, x) == [0] * len(x)
    assert is_minimiser(f, x)
    assert f(z) >= f(x)
    assert is_minimiser(f, z) == (gradient(f, z) == [0] * len(x)) == (f(z) == f(x))


def test_without_convexity_a_gradient_of_zero_proves_nothing():
    assert excess(cube, [0], [0], [-1]) == -1  # the cube has derivative 0 at 0


# The definition


@given(with_points(convex, 2), shares)
@draws(2/5)
def test_means_of_active_gradients_are_subgradients_and_below_f_everywhere(given_, shares):
    f, x, z = given_
    before = deepcopy((f, x))
    g = some_subgradient(f, x, shares)
    assert is_subgradient(f, x, g) and disproof(f, x, g) is None
    assert excess(f, x, g, z) >= 0
    assert excess(f, x, g, x) == 0
    assert (f, x) == before


@given(with_points(convex, 2), st.data())
@draws(2/5)
def test_whatever_is_no_subgradient_is_refuted_by_a_point(given_, data):
    f, x, z = given_
    g = data.draw(points(len(x), thirds))
    witness = disproof(f, x, g)
    assert is_subgradient(f, x, g) == (witness is None)
    if witness is None:
        assert excess(f, x, g, z) >= 0
    else:
        assert f(witness) < f(x) + inner(g, [p - q for p, q in zip(witness, x)])


@given(with_points(convex, 1, st.just(1)), positives)
@draws(2/5)
def test_the_subdifferential_in_one_dimension_is_an_interval_with_both_ends(given_, little):
    f, x = given_
    low, high = slope_interval(f, x)
    assert low <= high
    for g in (low, (low + high) / 2, high):
        assert is_subgradient(f, x, [g])
    assert not is_subgradient(f, x, [low - little])
    assert not is_subgradient(f, x, [high + little])
    found = sorted(corners(subdifferential(f, x)))
    assert ([low], [high]) == (found[0], found[-1])


@given(with_points(convex, 2))
@draws(2/5)
def test_a_convex_function_has_a_subgradient_everywhere(given_):
    f, x, z = given_
    g = subgradient(f, x)
    assert g in corners(subdifferential(f, x))
    assert is_subgradient(f, x, g)
    assert excess(f, x, g, z) >= 0


@given(with_points(convex, 2))
@draws(2/5)
def test_the_graph_of_the_subdifferential_is_monotone(given_):
    f, x, z = given_
    apart = subtract(x, z)
    for g in corners(subdifferential(f, x)):
        for h in corners(subdifferential(f, z)):
            assert inner(subtract(g, h), apart) >= 0


@given(with_points(convex, 1))
@draws(2/5)
def test_the_active_pieces_are_those_as_large_as_their_term(given_):
    f, x = given_
    for term, largest_ones in zip(f.terms, active_pieces(f, x)):
        values = [piece(x) for piece in term]
        assert largest_ones == [k for k, v in enumerate(values) if v == max(values)]


# SlopeInterval


@given(with_points(convex, 2))
@draws(2/5)
def test_the_directional_derivative_is_the_limit_of_difference_quotients(given_):
    f, x, direction = given_
    slope = directional_derivative(f, x, direction)
    quotients = []
    for k in range(40):
        t = F(1, 2**k)
        quotients.append((f(add_scaled(x, t, direction)) - f(x)) / t)
    assert all(p >= q >= slope for p, q in zip(quotients, quotients[1:]))
    # In the end f is one parabola along the line: halving t halves what is above the slope.
    assert quotients[-1] - slope == (quotients[-2] - slope) / 2


@given(with_points(convex, 2), shares)
@draws(2/5)
def test_the_directional_derivative_is_the_largest_product_with_a_subgradient(given_, shares):
    f, x, direction = given_
    slope = directional_derivative(f, x, direction)
    assert slope >= inner(some_subgradient(f, x, shares), direction)
    assert slope in [inner(g, direction) for g in corners(subdifferential(f, x))]


@given(with_points(convex, 1))
@draws(2/5)
def test_differentiable_means_one_subgradient_which_is_the_gradient(given_):
    f, x = given_
    axes = [[F(k == j) for k in range(len(x))] for j in range(len(x))]
    right = [directional_derivative(f, x, e) for e in axes]
    left = [-directional_derivative(f, x, [-v for v in e]) for e in axes]
    assert all(p <= q for p, q in zip(left, right))
    assert is_differentiable(f, x) == (left == right) == (len(corners(subdifferential(f, x))) == 1)
    if left == right:
        assert gradient(f, x) == right
        assert same_set(subdifferential(f, x), [[right]])
    else:
        with pytest.raises(ValueError, match="f has a kink at x = .*; it has no gradient there"):
            gradient(f, x)


@given(wide)
@draws(2/5)
def test_the_hinge_has_its_only_kink_at_one(m):
    low, high = slope_interval(HINGE, [m])
    assert (low, high) == ((-1, -1) if m < 1 else (0, 0) if m > 1 else (-1, 0))
    assert is_differentiable(HINGE, [m]) == (m != 1)


# Examples of the notes


@given(wide, wide)
@draws(2/5)
def test_the_absolute_value_has_slopes_minus_one_to_one_at_zero(x, g):
    sign = (x > 0) - (x < 0)
    assert slope_interval(ABSOLUTE, [x]) == ((sign, sign) if x else (-1, 1))
    assert is_subgradient(ABSOLUTE, [x], [g]) == (g == sign if x else -1 <= g <= 1)


@given(st.sampled_from([F(1), F(9, 10), F(11, 10), F(-1)]), wide)
@draws(2/5)
def test_the_subgradients_of_the_tent_are_one_and_anything_up_to_two(g1, g2):
    assert is_subgradient(TENT, [3, 0], [g1, g2]) == (g1 == 1 and abs(g2) <= 2)
    assert same_set(subdifferential(TENT, [3, 0]), [[[1, -2], [1, 2]]])


def test_what_is_no_subgradient_of_the_tent_has_a_witness():
    for g in ([F(9, 10), 0], [1, F(21, 10)], [1, -3]):
        witness = disproof(TENT, [3, 0], g)
        assert excess(TENT, [3, 0], g, witness) < 0


def test_the_witness_is_the_first_of_1_a_half_a_quarter_that_will_do():
    assert disproof(quadratic([[F(1, 2)]]), [0], [1]) == [1]
    assert disproof(quadratic([[F(2)]]), [0], [1]) == [F(1, 2)]


@given(st.integers(-20, 20).map(lambda v: F(v, 10)), points(2, wide))
@draws(2/5)
def test_the_side_a_subgradient_of_the_tent_points_to_is_higher(g2, z):
    g = [1, g2]
    assert is_subgradient(TENT, [3, 0], g)
    side = inner(g, [z[0] - 3, z[1]])
    assert TENT(z) >= 3 + side
    if side > 0:
        assert TENT(z) > TENT([3, 0])


def test_the_subgradients_at_a_kink_are_the_hull_of_its_slopes_not_their_box():
    f = polyhedral([[F(0), 0], [1, 1]], [0, 0])  # the slopes are (0, 0) and (1, 1)
    assert is_subgradient(f, [0, 0], [F(1, 2), F(1, 2)])
    assert not is_subgradient(f, [0, 0], [1, 0])


@given(positives.filter(lambda rate: rate <= 3), wide)
@draws(2/5)
def test_against_a_subgradient_the_tent_may_rise(rate, g2):
    assert TENT([3 - rate, -2 * rate]) == TENT([3, 0]) + 3 * rate
    assert is_subgradient(TENT, [3, 0], [1, 2])
    slope = directional_derivative(TENT, [3, 0], [-1, -g2])
    assert (slope < 0) == (abs(g2) < F(1, 2))
    assert slope == -1 + 2 * abs(g2)


def test_at_a_kink_there_is_no_gradient():
    with pytest.raises(ValueError, match="f has a kink at x = "):
        gradient(ABSOLUTE, [0])


# Functions that are not convex


@given(wide)
@draws(2/5)
def test_minus_the_absolute_value_has_no_subgradient_at_zero(g):
    assert jensen_gap(minus_absolute, [[-1], [1]], [F(1, 2), F(1, 2)]) == -1
    assert min(excess(minus_absolute, [0], [g], [-1]), excess(minus_absolute, [0], [g], [1])) < 0


@given(wide, wide)
@draws(2/5)
def test_the_cube_has_no_subgradient_anywhere(x, g):
    far = 3 * abs(x) + 4
    weights = [1 / (far + 1), far / (far + 1)]
    assert jensen_gap(cube, [[x - far], [x + 1]], weights) < 0
    low = min(excess(cube, [x], [g], [x - far]), excess(cube, [x], [g], [x + 1]))
    assert low < 0


@given(with_points(convex, 3), st.integers(0, 6), st.integers(0, 6))
@draws(2/5)
def test_a_jensen_gap_is_what_the_planes_at_the_mean_leave(given_, p, q):
    assume(p + q <= 6)
    f, *ends = given_
    weights = [F(p, 6), F(q, 6), F(6 - p - q, 6)]
    mean = [inner(weights, column) for column in zip(*ends)]
    gap = jensen_gap(f, ends, weights)
    assert gap == inner(weights, [f(z) for z in ends]) - f(mean)
    for g in corners(subdifferential(f, mean)):
        assert gap == inner(weights, [excess(f, mean, g, z) for z in ends]) >= 0


# Rules


@given(with_points(convex, 1), positives)
@draws(2/5)
def test_subgradients_of_a_multiple_are_multiples_of_subgradients(given_, c):
    f, x = given_
    assert same_set(subdifferential(scaled(c, f), x), multiple(c, subdifferential(f, x)))
    assert same_set(subdifferential(scaled(0, f), x), [[[0] * len(x)]])


@given(wide)
@draws(2/5)
def test_a_negative_multiple_is_refused_for_it_would_have_no_subgradient(g):
    with pytest.raises(ValueError, match="c is -1; it must not be negative"):
        scaled(-1, ABSOLUTE)
    assert min(excess(minus_absolute, [0], [g], [z]) for z in (-1, 1)) < 0


pairs = st.integers(1, 2).flatmap(
    lambda d: st.tuples(convex(d, most_terms=2), convex(d, most_terms=2), points(d))
)


@given(pairs, shares)
@draws(2/5)
def test_subgradients_of_a_sum_are_the_sums_of_subgradients(given_, shares):
    f, g, x = given_
    summed = add(some_subgradient(f, x, shares), some_subgradient(g, x, shares[::-1]))
    assert is_subgradient(plus(f, g), x, summed)
    assert same_set(
        subdifferential(plus(f, g), x), set_sum(subdifferential(f, x), subdifferential(g, x))
    )


@given(wide)
@draws(2/5)
def test_the_sum_rule_needs_both_functions_convex(g):
    def nothing(x):
        return abs(x[0]) + minus_absolute(x)  # zero everywhere: 0 is its subgradient

    assert excess(nothing, [0], [0], [g]) == 0
    assert jensen_gap(minus_absolute, [[-1], [1]], [F(1, 2)] * 2) < 0  # and this has none


@given(st.integers(1, 2).flatmap(lambda d: with_points(
    lambda _: convex(d, most_terms=2), 0).flatmap(lambda f: st.tuples(
        st.just(f[0]), st.integers(1, 3).flatmap(lambda k: st.tuples(
            st.lists(points(k), min_size=d, max_size=d), points(d), points(k)))))))
@draws(2/5)
def test_subgradients_of_an_affine_substitution_are_those_of_f_times_the_transpose(given_):
    f, (A, b, x) = given_
    z = [inner(row, x) + v for row, v in zip(A, b)]
    assert same_set(
        subdifferential(substituted(f, A, b), x), image(transpose(A), subdifferential(f, z))
    )


@given(points(3), small, st.sampled_from([1, -1]), points(3))
@draws(2/5)
def test_the_hinge_of_a_margin_has_the_subgradients_of_the_chain_rule(x, b, y, w):
    loss = substituted(HINGE, [[y * v for v in x]], [y * b])  # max(0, 1 - y (w.x + b))
    m = y * (inner(w, x) + b)
    full = [-y * v for v in x]
    expected = [[full]] if m < 1 else [[[0] * 3]] if m > 1 else [[full, [0] * 3]]
    assert same_set(subdifferential(loss, w), expected)


@given(pairs)
@draws(2/5)
def test_subgradients_of_a_maximum_come_from_what_attains_it(given_):
    f, g, x = given_
    ours = subdifferential(largest(f, g), x)
    if f(x) > g(x):
        assert same_set(ours, subdifferential(f, x))
    elif f(x) < g(x):
        assert same_set(ours, subdifferential(g, x))
    else:
        assert same_set(ours, hull(subdifferential(f, x), subdifferential(g, x)))


@given(st.integers(1, 2).flatmap(lambda d: st.tuples(quadratics(d), quadratics(d), points(d))),
       st.fractions(-1, 2, max_denominator=4))
@draws(2/5)
def test_at_a_tie_of_smooth_functions_theta_from_0_to_1_mixes_the_gradients(given_, theta):
    f, g, x = given_
    g = plus(g, polyhedral([[0] * len(x)], [f(x) - g(x)]))  # now the two tie at x
    assert f(x) == g(x)
    mixed = [theta * p + (1 - theta) * q for p, q in zip(gradient(f, x), gradient(g, x))]
    inside = 0 <= theta <= 1 or gradient(f, x) == gradient(g, x)
    assert is_subgradient(largest(f, g), x, mixed) == inside


@given(st.fractions(0, 1, max_denominator=5), wide)
@draws(2/5)
def test_the_misprint_of_the_max_rule_is_no_subgradient(theta, x):
    both = largest(polyhedral([[1]], [0]), polyhedral([[1]], [0]))
    assert is_subgradient(both, [x], [theta * 1 + (1 - theta) * 1])
    assert is_subgradient(both, [x], [1 + (1 - theta) * 1]) == (theta == 1)


# Minima


@given(with_points(convex, 2))
@draws(2/5)
def test_a_point_is_a_minimiser_exactly_if_zero_is_a_subgradient(given_):
    f, x, z = given_
    zero = [0] * len(x)
    assert is_minimiser(f, x) == is_subgradient(f, x, zero)
    if is_minimiser(f, x):
        assert f(z) >= f(x)
    else:
        assert f(disproof(f, x, zero)) < f(x)
    if f(z) < f(x):
        assert not is_minimiser(f, x)


@given(wide, positives)
@draws(2/5)
def test_the_minimiser_of_a_hinge_and_a_square_has_zero_in_its_interval(w, lam):
    f = plus(HINGE, quadratic([[lam]]))
    best = min(1, 1 / lam)  # where lam w = 1, or at the kink
    assert is_minimiser(f, [best])
    low, high = slope_interval(f, [best])
    assert low <= 0 <= high
    assert is_minimiser(f, [w]) == (w == best)
    assert is_minimiser(ABSOLUTE, [w]) == (w == 0)


@given(with_points(convex, 1))
@draws(2/5)
def test_against_the_shortest_subgradient_every_function_falls(given_):
    f, x = given_
    g = shortest_subgradient(f, x)
    assert is_subgradient(f, x, g)
    assert directional_derivative(f, x, [-v for v in g]) == -inner(g, g)
    assert all(inner(h, h) >= inner(g, g) for h in corners(subdifferential(f, x)))
    assert any(g) != is_minimiser(f, x)


# Level sets


@given(with_points(quadratics, 2))
@draws(2/5)
def test_no_direction_of_its_length_is_as_steep_as_the_gradient(given_):
    f, x, direction = given_
    g = gradient(f, x)
    slope = directional_derivative(f, x, direction)
    assert slope * slope <= inner(g, g) * inner(direction, direction)
    assert directional_derivative(f, x, g) == inner(g, g)
    parallel = all(p * s == q * r for p, q in zip(g, direction) for r, s in zip(g, direction))
    assert parallel == (slope * slope == inner(g, g) * inner(direction, direction))


@given(with_points(quadratics, 2))
@draws(2/5)
def test_the_gradient_is_orthogonal_to_the_level_set(given_):
    # A line through x meets the level set of a quadratic at x and once more, at x + t direction.
    # It is tangent, t = 0, exactly if the direction is orthogonal to the gradient.
    f, x, direction = given_
    slope = directional_derivative(f, x, direction)
    bend = f(add(x, direction)) - f(x) - slope  # half the second derivative
    assume(bend > 0)
    t = -slope / bend
    again = add_scaled(x, t, direction)
    assert f(again) == f(x)
    assert (again == x) == (inner(gradient(f, x), direction) == 0)
    # Two points of a level set: the chord is orthogonal to the mean of their gradients.
    assert inner(add(gradient(f, x), gradient(f, again)), subtract(again, x)) == 0


@given(st.lists(points(2), min_size=1, max_size=6), points(2).filter(any), points(2), shares)
@draws(2/5)
def test_a_hyperplane_supports_what_it_meets_and_does_not_cut(corners_of, g, x, shares):
    sides = [inner(g, subtract(p, x)) for p in corners_of]
    meets = min(sides) <= 0 <= max(sides)
    cuts = min(sides) < 0 < max(sides)
    before = deepcopy(corners_of)
    assert supports(g, x, corners_of) == (meets and not cuts)
    assert supports([-v for v in g], x, corners_of) == supports(g, x, corners_of)
    weights = halves(shares[: len(corners_of)])
    middle = [inner(weights, column) for column in zip(*corners_of)]
    if not cuts:  # then more points of the hull change nothing
        assert supports(g, x, [*corners_of, middle]) == supports(g, x, corners_of)
    assert corners_of == before


@given(with_points(lambda d: convex(d, curved=False), 2), shares)
@draws(2/5)
def test_a_subgradient_supports_all_that_is_on_its_level_or_lower(given_, shares):
    f, *both = given_
    z, x = sorted(both, key=f)
    g = some_subgradient(f, x, shares)
    assume(any(g))
    assert supports(g, x, [x, z])
    assert inner(g, subtract(z, x)) <= 0


@given(st.lists(positives, min_size=2, max_size=3), st.data())
@draws(2/5)
def test_every_point_of_a_level_set_lies_on_one_side_of_the_plane(weights, data):
    d = len(weights)
    f = absolute_sum(weights)
    x = data.draw(points(d, thirds).filter(any))
    level = []
    for z in data.draw(st.lists(points(d, thirds).filter(any), min_size=1, max_size=6)):
        stretch = f(x) / f(z)  # f(c z) = c f(z): this brings z onto the level of x
        level.append([stretch * v for v in z])
    assert all(f(z) == f(x) for z in level)
    for g in corners(subdifferential(f, x)):
        assert supports(g, x, [x, *level])
        for z in level:
            beyond = add(z, g)  # on the side that g points to nothing of the level is left
            if inner(g, subtract(beyond, x)) > 0:
                assert f(beyond) > f(x)


def test_zero_is_a_subgradient_that_supports_nothing():
    assert is_subgradient(ABSOLUTE, [0], [0])
    with pytest.raises(ValueError, match="g is 0; the normal of a hyperplane must not be 0"):
        supports([0], [0], [[0]])


# Kinds of numbers, and refusals


def test_doubles_are_judged_as_the_fractions_they_are():
    f = absolute_sum([0.1])
    assert is_subgradient(f, [0.0], [0.1])
    assert not is_subgradient(f, [0.0], [F(1, 10) + F(1, 10**16)])
    assert is_subgradient(f, [0.0], [F(1, 10)])  # the double 0.1 is a little more than 1/10
    assert type(directional_derivative(f, [1.0], [2.0])) is float
    assert subdifferential(f, [3.0]) == [[[0.1]]]


def test_a_tie_that_rounding_hides_is_still_a_kink():
    x = F(1, 3)
    f = polyhedral([[F(3)], [F(0)]], [0, 1])
    assert not is_differentiable(f, [x]) and is_differentiable(f, [float(x)])


@pytest.mark.parametrize(
    "call, error, sentence",
    [
        (lambda: subdifferential(abs, [1]), TypeError, "f is .*; a Convex function is needed"),
        (lambda: slope_interval(TENT, [0]), ValueError,
         "x has length 1; the function takes 2 numbers"),
        (lambda: slope_interval(TENT, [0, 1]), ValueError,
         "f takes 2 numbers; an interval is for functions of one"),
        (lambda: directional_derivative(TENT, [0, 1], [1]), ValueError,
         "direction has length 1; the function takes 2 numbers"),
        (lambda: disproof(TENT, [0, 0], [1]), ValueError,
         "g has length 1; the function takes 2 numbers"),
        (lambda: disproof(TENT, [0], [1, 1]), ValueError,
         "x has length 1; the function takes 2 numbers"),
        (lambda: is_minimiser(TENT, [inf, 0]), ValueError, r"x\[0\] is inf; it must be a finite"),
        (lambda: excess(cube, [0], [1, 2], [0]), ValueError,
         "x has length 1 and g has length 2; the two must be equal"),
        (lambda: jensen_gap(cube, [[0], [1]], [1, 1]), ValueError,
         "they must be at least 0 and sum to exactly 1"),
        (lambda: jensen_gap(cube, [[0], [1]], [2, -1]), ValueError, "they must be at least 0"),
        (lambda: jensen_gap(cube, [[0], [1]], [1]), ValueError,
         "points has length 2 and weights has length 1; the two must be equal"),
        (lambda: supports([1], [0, 1], [[0]]), ValueError, "x has length 1 and z has length 2"),
    ],
)
def test_what_cannot_be_asked_is_refused(call, error, sentence):
    with pytest.raises(error, match=sentence):
        call()
