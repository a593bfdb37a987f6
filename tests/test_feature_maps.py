"""Feature maps: their entries one by one, their number, and the kernels they make."""

from fractions import Fraction as Q
from itertools import product
from math import inf, nan

import pytest
from counting import products_of
from hypothesis import given
from hypothesis import strategies as st
from problems import coordinates, labellings, penalties
from profiles import draws
from refusing import refusals, type_error, value_error
from test_validation import exactly

from refsvm.kernels.base import Kernel
from refsvm.kernels.feature_maps import (
    MapKernel,
    combination_squared_norm,
    count_distinct,
    count_of_degree,
    count_ordered,
    cubic,
    horner,
    images,
    ordered_monomials,
    ordered_pairs,
)
from refsvm.kernels.gram_matrices import gram
from refsvm.kernels.standard import MonomialSum, Polynomial
from refsvm.numerics.factorisations import rank
from refsvm.numerics.linalg import dot, gram_of_rows, quadratic_form
from refsvm.solvers.smo import smo
from refsvm.svm.problem import Problem

fractions = st.fractions(-4, 4, max_denominator=6)


def rows(d, of=fractions):
    return st.lists(of, min_size=d, max_size=d)


@st.composite
def pairs_of_rows(draw, most=4, of=fractions):
    d = draw(st.integers(1, most))
    return draw(rows(d, of)), draw(rows(d, of))


@st.composite
def tables(draw, most=4, columns=3, of=fractions):
    d = draw(st.integers(1, columns))
    return draw(st.lists(rows(d, of), min_size=1, max_size=most))


def long_way(x, indices):
    value = Q(1)
    for i in indices:
        value *= x[i]
    return value


def simplex_points(d, degree):
    """The points of whole numbers >= 0 that add up to `degree` at most.

    A polynomial of this degree that is 0 at all of them is 0, so no monomials depend on others.
    """
    return [[Q(a) for a in x] for x in product(range(degree + 1), repeat=d)
            if sum(x) <= degree]  # exact


# Polynomials are linear in their features


@draws(2/5)
@given(fractions)
def test_cubic_map_lists_the_powers_from_0_to_3(x):
    assert exactly(cubic(x), [Q(1), x, x * x, x * x * x])


def test_cubic_map_of_an_int_is_floats():
    assert exactly(cubic(-3), [1.0, -3.0, 9.0, -27.0])


@draws(2/5)
@given(rows(4), fractions)
def test_a_cubic_polynomial_is_linear_in_the_cubic_features(theta, x):
    given = list(theta)
    assert horner(theta, x) == dot(theta, cubic(x))
    assert theta == given


@draws(2/5)
@given(st.lists(fractions, min_size=1, max_size=6), fractions)
def test_horner_is_the_sum_of_coefficients_times_powers(theta, x):
    total = Q(0)
    for m, coefficient in enumerate(theta):
        total += coefficient * x**m
    assert exactly(horner(theta, x), total)


@draws(2/5)
@given(st.lists(fractions, min_size=1, max_size=5), st.data())
def test_a_map_takes_n_attributes_to_n_rows_of_p_features(numbers, data):
    degree = data.draw(st.integers(0, 3))
    X = [[x, x + 1] for x in numbers]
    before = [list(x) for x in X]

    def phi(x):
        return ordered_monomials(x, degree)

    Phi = images(phi, X)
    assert len(Phi) == len(X) and {len(row) for row in Phi} == {count_ordered(2, degree)}
    assert exactly(Phi, [phi(x) for x in X]) and exactly(Phi, images(phi, X))
    assert exactly(images(cubic, numbers), [cubic(x) for x in numbers])
    assert X == before


def test_images_of_rows_are_of_one_kind():
    assert exactly(images(cubic, [2, Q(1, 2)]),
                   [[Q(1), Q(2), Q(4), Q(8)], [Q(1), Q(1, 2), Q(1, 4), Q(1, 8)]])


test_bad_input_is_refused = refusals(
    type_error("x is '1'; a number is needed", cubic, "1"),
    value_error("x is nan; it must be a finite number", cubic, nan),
    value_error("theta is empty; it must hold at least one number", horner, [], 1),
    value_error("theta[1] is inf; it must be a finite number", horner, [1, inf], 1),
    value_error("phi(X)[1] has length 2; every row must have the length of phi(X)[0], which is"
                " 1", images, lambda x: [1] * x, [1, 2]),
    type_error("X is 3; a sequence is needed", images, cubic, 3),
    type_error("phi(X)[0] is 2; a sequence is needed", images, len, ["ab"]),
    type_error("feature_map is 3; a function is needed", MapKernel, 3),
    value_error("x is empty; it must hold at least one number", ordered_pairs, []),
    value_error("degree is -1; it must be at least 0", ordered_monomials, [1], -1),
    value_error("x[0] is nan; it must be a finite number", ordered_monomials, [nan]),
    value_error("d is 0; it must be at least 1", count_ordered, 0, 1),
    type_error("degree is 1.0; a whole number is needed", count_ordered, 1, 1.0),
    value_error("d is 0; it must be at least 1", count_distinct, 0, 1),
    value_error("degree is -1; it must be at least 0", count_distinct, 2, -1),
    value_error("d is 0; it must be at least 1", count_of_degree, 0, 1),
    value_error("degree is -1; it must be at least 0", count_of_degree, 2, -1),
    value_error("rows has length 1 and v has length 2; the two must be equal",
                combination_squared_norm, [[1]], [1, 2]),
)


# Monomials


@draws(2/5)
@given(pairs_of_rows(3), st.integers(0, 4))
def test_ordered_monomials_are_the_products_over_all_tuples_of_indices(pair, degree):
    x, _ = pair
    given = list(x)
    tuples = [t for m in range(degree + 1) for t in product(range(len(x)), repeat=m)]
    assert exactly(ordered_monomials(x, degree), [long_way(x, t) for t in tuples])
    assert len(tuples) == count_ordered(len(x), degree)
    assert x == given


def test_the_map_of_the_notes_has_degree_3_and_names_each_order():
    """x_1 x_2 x_3 and x_2 x_3 x_1 both; primes tell which monomials are the same."""
    phi = ordered_monomials([2, 3, 5])
    assert len(phi) == 40 and len(set(phi)) == 20
    assert phi.count(30.0) == 6
    assert exactly(ordered_monomials([Q(7)]), cubic(Q(7)))


@draws(2/5)
@given(st.integers(1, 4), st.integers(0, 4))
def test_primes_count_the_distinct_monomials(d, degree):
    values = ordered_monomials([2, 3, 5, 7][:d], degree)
    assert len(set(values)) == count_distinct(d, degree)
    last = values[-(d**degree):]
    assert len(last) == d**degree and len(set(last)) == count_of_degree(d, degree)


def test_a_thousand_attributes_have_a_billion_monomials():
    assert count_ordered(1000, 3) == 1 + 10**3 + 10**6 + 10**9 == 1001001001
    assert count_ordered(1000, 3) - count_ordered(1000, 2) == 10**6 * 1000


@draws(2/5)
@given(rows(3))
def test_the_sum_of_all_products_of_two_is_the_square_of_the_sum(a):
    """sum_ij a_i a_j = (sum_i a_i)^2."""
    assert sum(ordered_pairs(a)) == sum(a) * sum(a)  # exact


# Their kernels


@draws(2/5)
@given(pairs_of_rows(3), st.integers(0, 4))
def test_monomial_sum_is_the_inner_product_of_ordered_monomials(pair, degree):
    x, z = pair
    inner = dot(ordered_monomials(x, degree), ordered_monomials(z, degree))
    assert exactly(MonomialSum(degree)(x, z), inner)


@draws(2/5)
@given(pairs_of_rows(6, st.integers(-3, 3)))
def test_monomial_sum_is_exact_on_small_integers_as_floats(pair):
    x, z = pair
    assert exactly(MonomialSum(3)(x, z), dot(ordered_monomials(x), ordered_monomials(z)))


@draws(2/5)
@given(pairs_of_rows(5))
def test_the_square_of_the_inner_product_is_the_kernel_of_ordered_pairs(pair):
    x, z = pair
    assert exactly(ordered_pairs(x), [a * b for a in x for b in x])
    assert exactly(Polynomial(2)(x, z), dot(ordered_pairs(x), ordered_pairs(z)))


@pytest.mark.parametrize("d", [1, 2, 3, 4])
def test_ordered_pairs_have_the_rank_of_distinct_pairs(d):
    """d d features, but x_i x_j = x_j x_i: half of those off the diagonal say nothing new."""
    points = simplex_points(d, 2)
    assert len(ordered_pairs(points[0])) == d * d
    assert rank(gram(Polynomial(2), points)) == d * (d + 1) // 2
    assert rank(images(ordered_pairs, points)) == count_of_degree(d, 2) == d * (d + 1) // 2


@pytest.mark.parametrize("d, degree", [(1, 4), (2, 3), (3, 1), (3, 2), (3, 3)])
def test_ordered_monomials_have_the_rank_of_distinct_monomials(d, degree):
    assert rank(gram(MonomialSum(degree), simplex_points(d, degree))) == count_distinct(d, degree)


@draws(2/5)
@given(pairs_of_rows(8))
def test_a_kernel_multiplies_once_an_attribute_and_its_features_once_a_feature(pair):
    x, z = pair
    d = len(x)
    assert products_of(MonomialSum(3), x, z) == d + 3
    assert products_of(Polynomial(2), x, z) == d + 3  # gamma, and two in squaring
    assert products_of(ordered_monomials, x) == d + d**2 + d**3
    assert products_of(ordered_pairs, x) == d**2


@draws(2/5)
@given(rows(4), st.integers(1, 200))
def test_a_power_costs_a_logarithm_of_its_degree_besides(x, degree):
    """d for <x, z>, one for gamma, and at most two for each bit of the degree."""
    count = products_of(Polynomial(degree, coef0=1), x, x)
    assert 5 + degree.bit_length() <= count <= 5 + 2 * degree.bit_length()
    assert products_of(MonomialSum(degree), x, x) == 4 + degree


# A kernel from any map


@draws(2/5)
@given(tables(), st.integers(0, 3))
def test_the_kernel_of_a_map_is_symmetric_and_keeps_the_inequality_of_cauchy_schwarz(X, degree):
    def phi(x):
        return [a - 1 for a in ordered_monomials(x, degree)]

    k = MapKernel(phi)
    for x in X:
        assert k(x, x) >= 0
        for z in X:
            assert exactly(k(x, z), dot(phi(x), phi(z)))
            assert k(x, z) == k(z, x)
            assert k(x, z) * k(x, z) <= k(x, x) * k(z, z)


def vowels_and_length(word):
    return [len([letter for letter in word if letter in "aeiou"]), len(word), 1]


@draws(2/5)
@given(st.lists(st.text("abe", max_size=4), min_size=1, max_size=4))
def test_a_map_may_take_strings(words):
    k = MapKernel(vowels_and_length)
    assert exactly(gram(k, words), gram_of_rows(images(vowels_and_length, words)))
    assert exactly(gram(Q(1) * k, words), gram_of_rows(
        [list(map(Q, vowels_and_length(word))) for word in words]))


@draws(2/5)
@given(tables())
def test_many_at_once_are_as_one_at_a_time(X):
    k = MapKernel(ordered_pairs)
    assert isinstance(k, Kernel) and k == MapKernel(ordered_pairs) != MapKernel(cubic)
    row = k.row_function(X, Q)
    assert exactly([row(x) for x in X], [[k(x, z) for z in X] for x in X])
    assert exactly(k.squared_norms(X, Q), [k(x, x) for x in X])


def test_each_point_is_mapped_once():
    mapped = []

    def phi(x):
        mapped.append(x)
        return x

    row = MapKernel(phi).row_function([[1.0], [2.0]], float)
    assert exactly([row([3.0]), row([4.0])], [[3.0, 6.0], [4.0, 8.0]])
    assert mapped == [[1.0], [2.0], [3.0], [4.0]]


def test_an_exact_map_on_floats_is_rounded_at_the_end():
    k = MapKernel(lambda x: [Q(1, 3)])
    assert exactly(k([1], [1]), Q(1, 9))
    assert exactly(gram(k, [[1]]), [[1 / 9]]) and k.squared_norms([[1.0]], float) == [1 / 9]


def distinct_pairs(x):
    """The kernel of ordered_pairs from features of other values: (7/5)^2 + (1/5)^2 = 1 + 1."""
    both = x[0] * x[1]
    return [x[0] * x[0], Q(7, 5) * both, Q(1, 5) * both, x[1] * x[1]]


@draws(2/5)
@given(st.data())
def test_training_and_prediction_ask_for_the_kernel_and_not_for_the_map(data):
    """Two maps, other features, one kernel: the same alpha, b and decisions, exactly."""
    X = data.draw(st.lists(rows(2, coordinates), min_size=2, max_size=5))
    y, C = data.draw(labellings(len(X))), data.draw(penalties)
    news = data.draw(rows(2, coordinates))
    kernels = [MapKernel(ordered_pairs), MapKernel(distinct_pairs), Polynomial(2)]
    solutions = [smo(Problem(X, y, k, C=C), tol=0) for k in kernels]
    assert solutions[0] == solutions[1] == solutions[2]
    decisions = [s.model().decision(news) for s in solutions]
    assert decisions[0] == decisions[1] == decisions[2]


# v'Kv is a squared length


@draws(2/5)
@given(tables(4, 3), st.data())
def test_a_quadratic_form_of_a_gram_matrix_is_a_sum_of_squares(X, data):
    """The chain of the notes line by line; each line is the next one, and the last is >= 0."""
    v = data.draw(rows(len(X)))
    Phi = images(ordered_pairs, X)
    n, p = range(len(X)), range(len(Phi[0]))
    K = gram(MapKernel(ordered_pairs), X)
    lines = [
        quadratic_form(K, v),
        sum(v[i] * K[i][j] * v[j] for i in n for j in n),  # exact
        sum(v[i] * dot(Phi[i], Phi[j]) * v[j] for i in n for j in n),  # exact
        sum(v[i] * Phi[i][k] * Phi[j][k] * v[j] for k in p for i in n for j in n),  # exact
        sum(sum(v[i] * Phi[i][k] for i in n) ** 2 for k in p),  # exact
        combination_squared_norm(Phi, v),
    ]
    assert len(set(lines)) == 1
    assert lines[0] >= 0


def test_a_squared_length_may_be_zero_for_a_vector_that_is_not():
    """The notes print > 0; two equal points are enough."""
    assert combination_squared_norm([[Q(1), Q(2)], [Q(1), Q(2)]], [1, -1]) == 0
    assert quadratic_form([[1, 2], [2, 4]], [2, -1]) == 0
