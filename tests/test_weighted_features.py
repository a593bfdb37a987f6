"""Features with weights: the polynomial and Gaussian kernels from their features, exactly."""

from fractions import Fraction as Q
from itertools import product
from math import factorial, inf, nan

import pytest
from hypothesis import given
from hypothesis import strategies as st
from minors import has_no_negative_principal_minor
from profiles import draws
from test_feature_maps import pairs_of_rows, rows, simplex_points, tables
from test_validation import exactly, refused

from refsvm.kernels.feature_maps import count_distinct, count_of_degree, ordered_pairs
from refsvm.kernels.gram_matrices import gram
from refsvm.kernels.mercer_condition import mercer
from refsvm.kernels.standard import Gaussian, Polynomial
from refsvm.kernels.weighted_features import (
    Feature,
    coordinates,
    exponential,
    from_gram,
    gaussian,
    gaussian_remainder,
    inner,
    polynomial,
    quadratic,
)
from refsvm.numerics.factorisations import rank
from refsvm.numerics.linalg import dot, gram_of_rows, quadratic_form, squared_norm
from refsvm.numerics.quoting import quote

offsets = st.fractions(0, 4, max_denominator=6)
fractions = st.fractions(-4, 4, max_denominator=6)


def test_without_an_offset_only_the_highest_degree_is_a_feature():
    assert polynomial([Q(2), 3], 1, 0) == [(2, 1), (3, 1)]
    assert polynomial([Q(2)], 2, 0) == [(4, 1)]


@draws(2/5)
@given(pairs_of_rows(4))
def test_inner_product_of_weight_1_is_the_dot_product(pair):
    x, z = pair
    f, g = [[Feature(a, 1) for a in row] for row in pair]
    assert inner(f, g) == dot(x, z)
    assert inner([Feature(a, Q(4)) for a in x], [Feature(a, Q(4)) for a in z]) == 4 * dot(x, z)


@given(st.lists(st.tuples(st.integers(-9, 9), st.integers(0, 9)), max_size=5))
def test_coordinates_take_the_roots(drawn):
    f = [Feature(float(value), float(root * root)) for value, root in drawn]
    assert exactly(coordinates(f), [float(root * value) for value, root in drawn])
    assert inner(f, f) == dot(coordinates(f), coordinates(f))


@pytest.mark.parametrize("call, refusal", [
    (lambda: inner([Feature(1, 1)], [Feature(1, 2)]),
     (ValueError, "g[0] has the weight 2; f[0] has 1")),
    (lambda: inner([Feature(1, 1)], []),
     (ValueError, "f has length 1 and g has length 0; the two must be equal")),
    (lambda: inner([1], [1]), (TypeError, "f[0] is 1; a Feature is needed")),
    (lambda: inner([], [(1, 1)]), (TypeError, "g[0] is (1, 1); a Feature is needed")),
    (lambda: coordinates(3), (TypeError, "f is 3; a sequence is needed")),
    (lambda: coordinates([1]), (TypeError, "f[0] is 1; a Feature is needed")),
    (lambda: coordinates([Feature(Q(1), 1)]),
     (TypeError, "f holds Fractions, and coordinates takes square roots; use inner")),
    (lambda: quadratic([1], -1),
     (ValueError, "c is -1; it must not be negative, as sqrt(c) is part of the features")),
    (lambda: polynomial([1], 2, Q(-1, 2)),
     (ValueError, "c is -1/2; it must not be negative, as sqrt(c) is part of the features")),
    (lambda: polynomial([1], -1, 1), (ValueError, "degree is -1; it must be at least 0")),
    (lambda: polynomial([], 1, 1), (ValueError, "x is empty; it must hold at least one number")),
    (lambda: quadratic([nan], 1), (ValueError, "x[0] is nan; it must be a finite number")),
    (lambda: exponential(1, 0, 1), (ValueError, "rate is 0; it must be positive")),
    (lambda: exponential(inf, 1, 1), (ValueError, "x is inf; it must be a finite number")),
    (lambda: exponential(1, 1, 0), (ValueError, "terms is 0; it must be at least 1")),
    (lambda: gaussian(Q(1), 1, 1),
     (TypeError, "an exponential of a Fraction is not a Fraction; give x as a float")),
    (lambda: gaussian(1, -1, 1), (ValueError, "gamma is -1; it must be positive")),
    (lambda: gaussian_remainder(1, 1, 0, 1), (ValueError, "gamma is 0; it must be positive")),
    (lambda: gaussian_remainder(1, 1, 1, 0), (ValueError, "terms is 0; it must be at least 1")),
    (lambda: from_gram([[1, 2], [3, 4]]),
     (ValueError, "K[0][1] is 2 and K[1][0] is 3; K must be symmetric, so take (K + K.T) / 2")),
    (lambda: from_gram([[0, 1], [1, 0]]),
     (ValueError, "K is not positive semidefinite: v'Kv < 0 for v = [-1.0, 1.0]")),
])
def test_bad_input_is_refused(call, refusal):
    assert refused(call) == refusal


# (<x, z> + c)^2


@draws(2/5)
@given(pairs_of_rows(5), offsets)
def test_quadratic_features_have_the_kernel_of_the_notes(pair, c):
    x, z = pair
    f, g = quadratic(x, c), quadratic(z, c)
    assert exactly(inner(f, g), Polynomial(2, coef0=c)(x, z))
    assert len(f) == len(x) * len(x) + len(x) + 1


def test_three_attributes_have_thirteen_quadratic_features():
    """Pairs, sqrt(2 c) x_i, c. c = 2 has whole roots."""
    phi = coordinates(quadratic([2, 3, 5], 2))
    assert phi == [4, 6, 10, 6, 9, 15, 10, 15, 25, 4, 6, 10, 2] and len(phi) == 13


@draws(2/5)
@given(pairs_of_rows(4, st.integers(-5, 5)), st.sampled_from([0, 2, 8, 18]))
def test_where_2c_is_a_square_the_coordinates_have_the_kernel_exactly(pair, c):
    x, z = pair
    phi_x, phi_z = coordinates(quadratic(x, c)), coordinates(quadratic(z, c))
    assert exactly(dot(phi_x, phi_z), Polynomial(2, coef0=c)(x, z))


@draws(2/5)
@given(rows(3), offsets, offsets)
def test_c_weighs_the_first_order_against_the_second(x, c, more):
    """The squared length of the linear block is 2 c |x|^2, of the quadratic one |x|^4."""
    f, d = quadratic(x, c), len(x)
    second, first, last = f[: d * d], f[d * d : -1], f[-1:]
    assert inner(second, second) == squared_norm(x) ** 2 == squared_norm(ordered_pairs(x))
    assert inner(first, first) == 2 * c * squared_norm(x)
    assert inner(last, last) == c * c
    heavier = quadratic(x, c + more + 1)
    if any(x):
        assert inner(heavier[d * d : -1], heavier[d * d : -1]) > inner(first, first)
        assert inner(heavier[: d * d], heavier[: d * d]) == inner(second, second)


# (<x, z> + c)^degree


@draws(2/5)
@given(pairs_of_rows(3), st.integers(0, 4), offsets)
def test_distinct_monomials_with_weights_have_the_polynomial_kernel(pair, degree, c):
    x, z = pair
    f, g = polynomial(x, degree, c), polynomial(z, degree, c)
    assert exactly(Q(inner(f, g)), Polynomial(degree, coef0=c)(x, z))
    dimension = count_distinct if c > 0 else count_of_degree
    assert len(f) == dimension(len(x), degree)
    assert all(feature.weight > 0 for feature in f)


@pytest.mark.parametrize("d, degree", [(1, 5), (2, 2), (2, 4), (3, 1), (3, 2), (3, 3), (3, 4)])
def test_the_rank_of_a_gram_matrix_is_the_number_of_distinct_monomials(d, degree):
    points = simplex_points(d, degree)
    assert rank(gram(Polynomial(degree, coef0=1), points)) == count_distinct(d, degree)
    assert rank(gram(Polynomial(degree, coef0=0), points)) == count_of_degree(d, degree)


def test_the_numbers_of_features_of_the_notes():
    """d = 3, k = 1 .. 4; and the maps with repetitions that the notes show are longer."""
    assert [count_distinct(3, k) for k in range(1, 5)] == [4, 10, 20, 35]
    assert [count_of_degree(3, k) for k in range(1, 5)] == [3, 6, 10, 15]
    assert len(polynomial([1, 1, 1], 2, 1)) == 10 < len(quadratic([1, 1, 1], 1)) == 13


@draws(2/5)
@given(rows(2), st.integers(0, 4), offsets)
def test_the_repeated_features_of_the_quadratic_map_add_up_to_the_weights(x, degree, c):
    """Each ordered choice of factors from the brackets is a feature that the weight counts."""
    of_monomial = {}
    for factors in product([None, 0, 1], repeat=degree):
        chosen = tuple(sorted(i for i in factors if i is not None))
        of_monomial[chosen] = of_monomial.get(chosen, 0) + c ** (degree - len(chosen))
    weights = [weight for _, weight in sorted(of_monomial.items(), key=lambda item: (
        len(item[0]), item[0])) if weight != 0]
    assert [Q(feature.weight) for feature in polynomial(x, degree, c)] == weights


# exp(-gamma (x - z)^2)


@draws(2/5)
@given(fractions, fractions, st.fractions("1/9", 4, max_denominator=9), st.integers(1, 8))
def test_features_of_the_exponential_are_the_terms_of_its_series(x, z, rate, terms):
    f, g = exponential(x, rate, terms), exponential(z, rate, terms)
    total = Q(0)
    for m in range(terms):
        total += (rate * x * z) ** m / factorial(m)
    assert exactly(Q(inner(f, g)), total)
    assert f == exponential(x, rate, terms + 1)[:-1]


small = st.integers(-16, 16).map(lambda v: v / 8)


@draws(2/5)
@given(small, small, st.sampled_from([0.125, 0.5, 1.0]), st.integers(1, 40))
def test_truncated_features_are_as_near_as_the_theorem_says(x, z, gamma, terms):
    """At most |2 gamma x z|^terms / terms! from the kernel; 2^-44 is for the rounding of sums."""
    got = Q(dot(gaussian(x, gamma, terms), gaussian(z, gamma, terms)))
    remainder = gaussian_remainder(Q(x), Q(z), Q(gamma), terms)
    assert remainder == abs(2 * Q(gamma) * Q(x) * Q(z)) ** terms / factorial(terms)
    assert abs(got - Q(Gaussian(gamma)([x], [z]))) <= remainder + Q(1, 2**44)


def test_twenty_features_are_enough_within_one_width():
    """sigma = 1 is gamma = 1/2; |x|, |z| <= 1."""
    assert gaussian_remainder(Q(1), Q(1), Q(1, 2), 20) < Q(1, 10**12)


@draws(2/5)
@given(st.lists(fractions, min_size=1, max_size=6, unique=True), st.integers(1, 8))
def test_n_distinct_points_need_n_features_of_the_exponential(points, terms):
    """So no number is enough for every n; the factor exp(-gamma x^2) changes no rank."""
    f = [exponential(x, 1, terms) for x in points]
    K = [[Q(inner(a, b)) for b in f] for a in f]
    assert rank(K) == min(len(points), terms)


@pytest.mark.parametrize("n", [1, 2, 5, 9])
def test_the_gram_matrix_of_a_gaussian_has_full_rank_however_many_the_points(n):
    """The off-diagonal entries of a row add up to less than 1: no rounding can undo it."""
    K = gram(Gaussian(2), [[i] for i in range(n)])
    assert all(sum(Q(k) for k in row) - 1 < Q(1, 3) for row in K)  # exact
    assert rank([[Q(k) for k in row] for row in K]) == n
    assert mercer(K).psd


# From a matrix


@draws(2/5)
@given(tables(4, 3))
def test_a_positive_semidefinite_matrix_is_a_gram_matrix(X):
    """Features of K, as many as its rank, whose inner products are K exactly."""
    K = gram_of_rows(X)
    before = [list(row) for row in K]
    features = from_gram(K)
    assert [[Q(inner(f, g)) for g in features] for f in features] == K
    assert {len(f) for f in features} == {rank(K)}
    assert K == before


@given(st.integers(1, 4).flatmap(lambda n: rows(n * n, st.integers(-2, 2))), st.data())
def test_what_is_not_positive_semidefinite_is_refused_and_nothing_else_is(entries, data):
    n = next(n for n in range(1, 5) if n * n == len(entries))
    K = [[Q(entries[n * min(i, j) + max(i, j)]) for j in range(n)] for i in range(n)]
    if has_no_negative_principal_minor(K):
        features = from_gram(K)
        assert [[Q(inner(f, g)) for g in features] for f in features] == K
    else:
        witness = mercer(K).witness
        assert refused(from_gram, K) == (
            ValueError, f"K is not positive semidefinite: v'Kv < 0 for v = {quote(witness)}"
        )
        assert quadratic_form(K, witness) < 0


def test_a_negative_offset_leaves_no_features_and_a_witness_says_so():
    """c < 0 and x^2 = -c: the determinant for the points 0 and x is -c^4."""
    for root in (Q(1), Q(1, 3), Q(5)):
        c = -root * root
        K = gram(Polynomial(2, coef0=c), [[0], [root]])
        assert K[0][0] * K[1][1] - K[0][1] * K[1][0] == -(c**4)
        assert quadratic_form(K, mercer(K).witness) < 0
        assert refused(from_gram, K)[0] is refused(quadratic, [root], c)[0] is ValueError
