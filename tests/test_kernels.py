"""Kernels: their values by hand, one at a time and many at once, and the arithmetic of kernels."""

import copy
import pickle
from decimal import Decimal
from fractions import Fraction as Q
from math import inf, nan

import pytest
from cases_by_hand import CASES, NOT_SEPARABLE
from hypothesis import example, given
from hypothesis import strategies as st
from peers import peer
from problems import coordinates, labellings, of_case, penalties
from profiles import draws
from test_validation import exactly, refused

from refsvm.kernels import base as kernel_algebra
from refsvm.kernels.base import KNOWN
from refsvm.kernels.feature_maps import images, ordered_monomials, ordered_pairs
from refsvm.kernels.gram_matrices import gram
from refsvm.kernels.mercer_condition import mercer
from refsvm.kernels.standard import (
    Cauchy,
    Gaussian,
    Kernel,
    Linear,
    MonomialSum,
    Polynomial,
    Precomputed,
    Sigmoid,
)
from refsvm.kernels.strings import Spectrum
from refsvm.numerics.elementary import exp, tanh
from refsvm.numerics.linalg import (
    dot,
    first_asymmetry,
    gram_of_rows,
    quadratic_form,
    squared_distance,
)
from refsvm.numerics.quoting import quote
from refsvm.online.lms import kernel_lms
from refsvm.solvers.smo import smo
from refsvm.svm.model import Model
from refsvm.svm.one_vs_one import OneAgainstOne
from refsvm.svm.problem import Problem


def bits(values):
    return [value.hex() for value in values]


def common(x, z):
    """A kernel of the caller's: how many letters or numbers two rows have in common."""
    return len(set(x) & set(z))


def third(x, z):
    return Q(1, 3)


class Common(Kernel):
    def __call__(self, x, z):
        return common(x, z)


class Shifted(Kernel):
    """A kernel of the caller's with a parameter."""

    def __init__(self, by):
        self.by = by

    def __call__(self, x, z):
        return x[0] * z[0] + self.by


# Values


@pytest.mark.parametrize("kernel, x, z, value", [
    (Linear(), [1, 2], [3, 4], 11.0),
    (Cauchy(0.5), [1, 2], [3, 4], 0.2),
    (Cauchy(Q(1, 3)), [Q(1, 2), 1], [1, 1], Q(12, 13)),
    (Linear(), [0.5], [-4], -2.0),
    (Polynomial(3), [1, 2], [3, 4], 1331.0),
    (Polynomial(2, gamma=0.5, coef0=-1), [1, 2], [3, 4], 20.25),
    (Polynomial(1, 2, 3), [1], [5], 13.0),
    (Polynomial(0), [1, 2], [3, 4], 1.0),
    (Polynomial(0), [0, 0], [0, 0], 1.0),  # 0^0 = 1
    (Polynomial(0, 0, 0), [1], [1], 1.0),
    (Polynomial(2, gamma=-1), [1], [3], 9.0),
    (MonomialSum(3), [1, 2], [3, 4], 1464.0),
    (MonomialSum(3), [1, 1], [1, 1], 15.0),  # and not (1 + 2)^3
    (MonomialSum(1), [0.5], [-4], -1.0),
    (MonomialSum(0), [1, 2], [3, 4], 1.0),
    (MonomialSum(0), [1e200], [1e200], 1.0),
    (Gaussian(2), [1, 2], [1, 2], 1.0),
    (Gaussian(0.25), [1, 2], [3, 2], exp(-1.0)),
    (Gaussian(1), [0], [1e200], 0.0),
    (Sigmoid(1, 0), [0, 0], [3, 4], 0.0),
    (Sigmoid(2, -1), [1], [3], tanh(5.0)),
    (Linear() + Polynomial(2), [1, 2], [3, 4], 132.0),
    (Linear() * Linear(), [1, 2], [3, 4], 121.0),
    (3 * Linear(), [1, 2], [3, 4], 33.0),
    (Linear() * 3, [1, 2], [3, 4], 33.0),
    (0 * Linear(), [1, 2], [3, 4], 0.0),
    (2 * (Linear() + 1 * Linear()) * Linear(), [1], [3], 36.0),
    (Linear() + common, [1, 2], [2, 4], 11.0),
    (common + Linear(), [1, 2], [2, 4], 11.0),
    (common * Linear(), [1, 2], [2, 1], 8.0),
    (Shifted(5) + Linear(), [2], [3], 17.0),
])
def test_value_by_hand(kernel, x, z, value):
    for pair in ((x, z), (z, x), (tuple(x), list(map(float, z)))):
        assert exactly(kernel(*pair), value)


@pytest.mark.parametrize("kernel, x, z, value", [
    (Linear(), [Q(1, 3)], [3], Q(1)),
    (Linear(), [1], [Q(1, 3)], Q(1, 3)),
    (Polynomial(2, Q(1, 3), 1), [1, 2], [3, 5], Q(256, 9)),
    (Polynomial(0), [Q(0)], [Q(0)], Q(1)),
    (MonomialSum(2), [Q(1, 2), 1], [1, 2], Q(39, 4)),
    (MonomialSum(0), [Q(1, 2)], [1], Q(1)),
    (Q(1, 3) * Spectrum(1) + Spectrum(2), "abb", "bab", Q(8, 3)),
    (Polynomial(2, coef0=Q(1, 2)), [1], [0.5], Q(1)),
    (Q(1, 3) * Linear(), [1], [1], Q(1, 3)),
    (0.5 * Linear() + Q(1, 3) * Linear(), [1], [1], Q(5, 6)),
    (Linear() + third, [0.5], [1], Q(5, 6)),
    (Linear() + (lambda x, z: 0.1), [Q(1)], [1], 1 + Q(0.1)),
    (third * kernel_algebra.as_kernel(third), "a", "b", Q(1, 9)),
    (Q(1, 2) * Common(), "ab", "bc", Q(1, 2)),
    (0.5 * kernel_algebra.as_kernel(third), "a", "b", Q(1, 6)),
    (0.5 * kernel_algebra.as_kernel(lambda x, z: 0.1), [Q(1)], [1], Q(0.1) / 2),
])
def test_value_on_fractions_is_exact(kernel, x, z, value):
    assert exactly(kernel(x, z), value)
    assert exactly(kernel(z, x), value)


def test_squared_distance_does_not_cancel():
    """<x, x> + <z, z> - 2 <x, z> is 0 here, and the kernel value would be 1."""
    assert Gaussian(1)([2.0**53], [2.0**53 - 1]) == exp(-1.0)


@pytest.mark.parametrize("kernel", [Gaussian(1), Sigmoid(1, 0), Gaussian(1) + Linear(),
                                    Linear() * Sigmoid(1, 0), 2 * Gaussian(1)])
def test_exponentials_refuse_fractions(kernel):
    kind, sentence = refused(kernel, [Q(1)], [1])
    assert kind is TypeError
    assert sentence in (
        "the values of Gaussian on Fractions are not Fractions; give floats",
        "the values of Sigmoid on Fractions are not Fractions; give floats",
    )
    assert refused(kernel.to, Q) == (kind, sentence)


def test_a_parameter_that_is_a_fraction_decides_the_kind():
    assert refused(Gaussian(Q(1, 2)), [1], [2])[0] is TypeError
    assert exactly(Polynomial(1, gamma=Q(1, 3), coef0=0.5)([1], [1]), Q(5, 6))


@pytest.mark.parametrize("kernel", [Linear(), Polynomial(2), Gaussian(1), Sigmoid(1, 0),
                                    MonomialSum(2), Linear() + Linear(), 2 * Linear()])
@pytest.mark.parametrize("x, z, refusal", [
    ([1, 2], [1], (ValueError, "z has length 1; x has length 2")),
    ([1], [1, 2], (ValueError, "z has length 2; x has length 1")),
    ([], [], (ValueError, "x is empty; it must hold at least one number")),
    ([1], [nan], (ValueError, "z[0] is nan; it must be a finite number")),
    ([inf], [1], (ValueError, "x[0] is inf; it must be a finite number")),
    ([1], 1, (TypeError, "z is 1; a sequence is needed")),
    ([1], [[1]], (TypeError, "z[0] is [1]; a number is needed")),
])
def test_rows_are_checked(kernel, x, z, refusal):
    assert refused(kernel, x, z) == refusal


def test_formulas_refuse_strings():
    assert refused(Linear(), "ab", "cd") == (TypeError, "x is 'ab'; a sequence is needed")


def test_rows_are_as_before():
    x, z = [1, 2.0], (3, Q(1, 2))
    (Linear() + 2 * Polynomial(2))(x, z)
    assert exactly(x, [1, 2.0]) and exactly(list(z), [3, Q(1, 2)])


# Parameters


@pytest.mark.parametrize("one_more", [
    lambda k: k + Linear(), lambda k: Linear() * k, lambda k: 2 * k,
])
def test_kernels_in_kernels_end_at_a_hundred(one_more):
    k = Linear()
    for _ in range(100):
        k = one_more(k)
    assert pickle.loads(pickle.dumps(k)) == copy.deepcopy(k) == k
    assert gram(k, [[1.0], [0.0]])[1] == [0.0, 0.0]
    with pytest.raises(ValueError, match="kernel is made of kernels 101 deep; it must be at most"):
        one_more(k)


@pytest.mark.parametrize("make, refusal", [
    (lambda: Polynomial(-1), (ValueError, "degree is -1; it must be at least 0")),
    (lambda: Polynomial(2.0), (TypeError, "degree is 2.0; a whole number is needed")),
    (lambda: Polynomial(True), (TypeError, "degree is True; a whole number is needed")),
    (lambda: Polynomial(2, nan), (ValueError, "gamma is nan; it must be a finite number")),
    (lambda: Polynomial(2, 1, inf), (ValueError, "coef0 is inf; it must be a finite number")),
    (lambda: Polynomial(2, "1"), (TypeError, "gamma is '1'; a number is needed")),
    (lambda: MonomialSum(-1), (ValueError, "degree is -1; it must be at least 0")),
    (lambda: MonomialSum(3.0), (TypeError, "degree is 3.0; a whole number is needed")),
    (lambda: Gaussian(0), (ValueError, "gamma is 0; it must be positive")),
    (lambda: Gaussian(-1), (ValueError, "gamma is -1; it must be positive")),
    (lambda: Gaussian(inf), (ValueError, "gamma is inf; it must be a finite number")),
    (lambda: Gaussian(None), (TypeError, "gamma is None; a number is needed")),
    (lambda: Gaussian("scale"), (TypeError, "gamma is 'scale'; a number is needed")),
    (lambda: Gaussian.from_sigma(0), (ValueError, "sigma is 0; it must be positive")),
    (lambda: Gaussian.from_sigma(nan), (ValueError, "sigma is nan; it must be a finite number")),
    (lambda: Gaussian.from_sigma(1e-200),
     (ValueError, "sigma is 1e-200; 1 / (2 sigma^2) must be a number a double holds")),
    (lambda: Gaussian.from_sigma(1e-155),
     (ValueError, "sigma is 1e-155; 1 / (2 sigma^2) must be a number a double holds")),
    (lambda: Gaussian.from_sigma(1e200),
     (ValueError, "sigma is 1e+200; 1 / (2 sigma^2) must be a number a double holds")),
    (lambda: Sigmoid(nan, 0), (ValueError, "gamma is nan; it must be a finite number")),
    (lambda: Sigmoid(1, [2]), (TypeError, "coef0 is [2]; a number is needed")),
    (lambda: -1 * Linear(), (ValueError, "the factor of a kernel is -1; it must not be negative")),
    (lambda: inf * Linear(),
     (ValueError, "the factor of a kernel is inf; it must be a finite number")),
    (lambda: "2" * Linear(), (TypeError, "the factor of a kernel is '2'; a number is needed")),
    (lambda: Linear() + 2, (TypeError, "kernel is 2; a kernel or a function k(x, z) is needed")),
    (lambda: Linear() + Linear,
     (TypeError, f"kernel is {Linear!r}; a kernel or a function k(x, z) is needed")),
    (lambda: kernel_algebra.as_kernel("rbf"),
     (ValueError, f"kernel is 'rbf'; the known ones are {', '.join(KNOWN)},"
                  " or a function k(x, z)")),
    (lambda: Kernel()([1], [1]), (NotImplementedError, "a kernel defines __call__(x, z)")),
])
def test_bad_parameters_are_refused(make, refusal):
    with pytest.raises((ValueError, TypeError, NotImplementedError)) as caught:
        make()
    assert (caught.type, str(caught.value)) == refusal


@pytest.mark.parametrize("sigma, gamma", [(1, 0.5), (2, 0.125), (0.5, 2.0), (Q(1, 3), Q(9, 2))])
def test_gaussian_of_a_width(sigma, gamma):
    assert exactly(Gaussian.from_sigma(sigma).gamma, gamma)


@given(st.floats(1e-153, 1e153), st.integers(-509, 509))
def test_width_becomes_gamma_in_three_operations(sigma, k):
    assert Gaussian.from_sigma(sigma).gamma.hex() == (1 / (2 * (sigma * sigma))).hex()
    mantissa = 1 + sigma % 1
    far = Q(Gaussian.from_sigma(mantissa).gamma) / Q(4) ** k
    assert Gaussian.from_sigma(mantissa * 2.0**k).gamma == float(far)


@given(st.integers(-511, 507), st.tuples(*[st.integers(-9, 9)] * 4), st.floats(1, 2))
@example(-511, (0, 1, 1, 2), 1.5)
@example(510, (1, 9, -9, 4), 1.0)
def test_rows_and_gamma_in_other_units_have_the_same_kernel_values(k, numbers, gamma):
    X = [[v / 3 for v in numbers[:2]], [v / 3 for v in numbers[2:]]]
    far = [[v * 2.0**k for v in x] for x in X]
    there = float(Q(gamma) / Q(4) ** k)
    for make in (Gaussian, lambda g: Polynomial(3, g, 1.0), lambda g: Sigmoid(g / 64, 0.5)):
        near = gram(make(gamma), X)
        assert gram(make(there), far) == near
        assert make(there)(*far) == near[0][1]


anything = st.one_of(st.floats(allow_nan=False, allow_infinity=False), st.just(0.0))
extremes = st.one_of(st.floats(5e-324, 1e-160), st.floats(1e160, 1e308))


@given(st.lists(st.tuples(anything, anything).map(list), min_size=1, max_size=4), extremes)
@example([[2.0**-600, 3e-162], [1e-162, 0.0]], 1e308)
def test_a_row_of_values_is_that_of_the_pairs_for_any_gamma(X, gamma):
    for kernel in (Gaussian(gamma), Polynomial(2, gamma, 0.5), Sigmoid(-gamma, 0.1)):
        for x in X:
            expected = [kernel.value(x, z) for z in X]
            assert bits(kernel.row_function(X, float)(x)) == bits(expected)


def test_a_square_beyond_the_doubles_is_infinite_beside_an_ordinary_gamma():
    assert Gaussian(1e-150)([1e200], [0]) == 0 and Gaussian(1e150)([1e-200], [0]) == 1
    assert Gaussian(5e-324)([1.7e308], [-1.7e308]) == 0 == Gaussian(1e300)([1e300], [0])


PRECOMPUTED = "Precomputed cannot be part of a sum, product or multiple of kernels"


@pytest.mark.parametrize("make", [
    lambda k: k + Linear(), lambda k: Linear() + k, lambda k: k * Linear(), lambda k: Linear() * k,
    lambda k: 2 * k, lambda k: k * 2, lambda k: k + k, lambda k: common + k, lambda k: k * common,
    lambda k: Linear() + Linear() * (Linear() + k),
])
def test_a_given_matrix_takes_no_part_in_arithmetic(make):
    assert refused(make, Precomputed()) == (TypeError, PRECOMPUTED)


def test_a_given_matrix_has_no_formula():
    assert refused(Precomputed(), [1], [1]) == (
        TypeError, "Precomputed has no formula; its values are the entries of X"
    )
    assert refused(gram, Precomputed(), [[1]]) == (
        TypeError, "gram of Precomputed: X already is the Gram matrix"
    )


# One row against many


numbers = st.one_of(
    st.integers(-3, 3).map(float), st.floats(-1e3, 1e3), st.just(0.0), st.just(-0.0)
)
parameters = st.floats(0, 4)
simple = st.one_of(
    st.just(Linear()),
    st.builds(Polynomial, st.integers(0, 5), parameters, st.floats(-2, 2)),
    st.builds(MonomialSum, st.integers(0, 5)),
    st.builds(Gaussian, st.floats(1e-3, 4)),
    st.builds(Sigmoid, st.floats(-2, 2), st.floats(-2, 2)),
    st.sampled_from([Common(), Shifted(0.1), kernel_algebra.as_kernel(common)]),
)
combined = st.recursive(
    simple,
    lambda part: st.one_of(
        st.builds(lambda p, q: p + q, part, part),
        st.builds(lambda p, q: p * q, part, part),
        st.builds(lambda c, p: c * p, parameters, part),
    ),
    max_leaves=4,
)


@st.composite
def tables(draw, of=numbers, most=6):
    d = draw(st.integers(1, 6))
    rows = st.lists(of, min_size=d, max_size=d)
    return draw(rows), draw(st.lists(rows, min_size=1, max_size=most))


@given(combined, tables(most=12))
def test_many_at_once_have_the_bits_of_one_at_a_time(kernel, table):
    x, rows = table
    values = kernel.row_function(rows, float)(x)
    assert bits(values) == bits([float(kernel(x, z)) for z in rows])
    assert bits(values) == bits([float(kernel(z, x)) for z in rows])
    assert bits(kernel.squared_norms(rows, float)) == bits([float(kernel(z, z)) for z in rows])


exact_kernels = st.sampled_from([
    Linear(), Polynomial(3, Q(1, 2), -1), MonomialSum(3), Linear() + Polynomial(2),
    Q(1, 3) * Linear() * Linear(), Linear() + third, 0.1 * Common(), Linear() * (lambda x, z: 0.1),
])


@given(exact_kernels, tables(st.fractions(-3, 3, max_denominator=5)))
def test_many_at_once_are_exact_on_fractions(kernel, table):
    x, rows = table
    ready = kernel.to(Q)
    assert exactly(ready.row_function(rows, Q)(x), [Q(kernel(x, z)) for z in rows])
    assert exactly(ready.squared_norms(rows, Q), [Q(kernel(z, z)) for z in rows])


@pytest.mark.parametrize("kernel", [
    Linear(), Polynomial(2, 1, 1), Gaussian(1), Sigmoid(1, 0), Linear() + Gaussian(1),
])
def test_against_nothing_is_nothing(kernel):
    assert kernel.row_function([], float)([1.0, 2.0]) == []


def test_precomputed_compares_with_examples_by_index():
    kernel = Precomputed()
    assert kernel.reference_points([[4.0, 5.0], [5.0, 9.0]]) == [0, 1]
    assert kernel.row_function([1], float)([4.0, 5.0]) == [5.0]
    assert kernel.squared_norms([[4.0, 5.0], [5.0, 9.0]], float) == [4.0, 9.0]


# Gram matrices


@given(combined, tables())
def test_gram_matrix_is_symmetric_in_every_bit(kernel, table):
    _, rows = table
    K = gram(kernel, rows)
    assert [bits(row) for row in K] == [bits(column) for column in zip(*K)]


@given(combined, tables())
def test_gram_matrix_of_two_lists_is_a_corner_of_the_whole(kernel, table):
    x, rows = table
    K, corner = gram(kernel, [x] + rows), gram(kernel, [x], rows, threads=3)
    assert bits(corner[0]) == bits(K[0][1:])


def test_gram_matrix_by_hand():
    X = [[0, 1], [2, 3]]
    assert exactly(gram(Linear(), X), [[1.0, 3.0], [3.0, 13.0]])
    assert exactly(gram(Linear(), X, [[Q(1, 2), 1]]), [[Q(1)], [Q(4)]])
    assert exactly(gram(Polynomial(2, coef0=Q(1, 2)), [[1]]), [[Q(9, 4)]])
    assert X == [[0, 1], [2, 3]]


def test_strings_are_rows_for_a_kernel_that_takes_them():
    assert exactly(gram(common, ["ab", "bc"]), [[2.0, 1.0], [1.0, 2.0]])
    assert exactly(gram(Common() + 2 * Common(), ["ab", "bc"], ["abc"]), [[6.0], [6.0]])
    assert exactly(gram(Q(1, 2) * Common(), ["ab", "bc"]), [[Q(1), Q(1, 2)], [Q(1, 2), Q(1)]])
    assert exactly(gram(third, ["a", "b"]), [[1 / 3, 1 / 3], [1 / 3, 1 / 3]])


@pytest.mark.parametrize("kernel, X, Z, refusal", [
    (Linear(), ["ab"], None, (TypeError, "X[0] is 'ab'; Linear() needs rows of numbers")),
    (Gaussian(1), [[1]], ["ab"],
     (TypeError, "Z[0] is 'ab'; Gaussian(gamma=1.0) needs rows of numbers")),
    (common + Linear(), ["ab"], None,
     (TypeError, "X[0] is 'ab'; (common + Linear()) needs rows of numbers")),
    (2 * Linear(), ["ab"], None,
     (TypeError, "X[0] is 'ab'; 2.0 * Linear() needs rows of numbers")),
    (common, ["ab"], [[1]],
     (TypeError, "X[0] is 'ab' and Z[0] is [1.0]; both must be strings, or neither")),
    (common, ["ab", [1]], None, (TypeError, "X[0] is 'ab'; a sequence is needed")),
    (Linear(), [], None, (ValueError, "X is empty; it must have at least one row")),
    (Linear(), [[1]], [], (ValueError, "Z is empty; it must have at least one row")),
    (Linear(), [[1]], [[1, 2]], (ValueError, "Z has rows of length 2; those of X have 1")),
    (Linear(), [[1], [2, 3]], None,
     (ValueError, "X[1] has length 2; every row must have the length of X[0], which is 1")),
    (Linear(), [[1e200, 1], [1, 1]], None,
     (ValueError, "the kernel value of examples 0 and 0 is inf; it must be finite")),
    (Linear(), [[1, 1], [2, 2]], [[1, 1], [1e308, 1e308]],
     (ValueError, "the kernel value of examples 0 and 1 is inf; it must be finite")),
    (lambda x, z: nan if x[0] > z[0] else 1.0, [[1], [2]], None,
     (ValueError, "the kernel value of examples 1 and 0 is nan; it must be finite")),
    (lambda x, z: -(10**400), [[1]], None,
     (ValueError, "the kernel value of examples 0 and 0 is -inf; it must be finite")),
    (lambda x, z: None, [[1]], None, (TypeError, "a kernel returned None; a number is needed")),
    (lambda x, z: "1", [[1]], None, (TypeError, "a kernel returned '1'; a number is needed")),
    (lambda x, z: inf, [[Q(1)]], None,
     (ValueError, "the kernel value of examples 0 and 0 is inf; it must be finite")),
])
def test_what_has_no_gram_matrix_is_refused(kernel, X, Z, refusal):
    assert refused(gram, kernel, X, Z) == refusal


def test_the_number_of_threads_is_checked():
    assert refused(gram, Linear(), [[1]], threads=0) == (
        ValueError, "threads is 0; it must be at least 1"
    )


@pytest.mark.parametrize("value", [10**400, Q(1, 3), 7, 0.1, True])
def test_what_a_kernel_returns_is_exact_on_fractions(value):
    assert exactly(gram(lambda x, z: value, [[Q(1)]]), [[Q(value)]])


def test_what_a_kernel_returns_may_be_a_number_of_numpy():
    np = peer("numpy")
    large = np.int64(2**62)
    K = gram(lambda x, z: large, [[Q(1)]])
    assert exactly(K, [[Q(2**62)]]) and type(K[0][0].numerator) is int
    assert exactly(gram(lambda x, z: np.float32(0.5), [[1]]), [[0.5]])
    assert exactly(gram(lambda x, z: np.float64(0.5), [[Q(1)]]), [[Q(1, 2)]])
    assert exactly((np.float64(2) * Linear())([1], [3]), 6.0)


def test_what_a_kernel_returns_must_be_a_number_in_all_that_is_done_with_it():
    array = peer("numpy").array([1.0])
    for value in (array, Decimal("sNaN"), float, None):
        told = "[1.0]" if value is array else quote(value)
        for x in (1, Q(1)):
            assert refused(gram, lambda x, z, value=value: value, [[x]]) == (
                TypeError, f"a kernel returned {told}; a number is needed"
            )


class AtOnce(Kernel):
    """Its rows are what `of` makes of those of Linear."""

    def __init__(self, of):
        self.of = of

    def __call__(self, x, z):
        return x[0] * z[0]

    def row_function(self, points, kind):
        row = Linear().row_function(points, kind)
        return lambda x: self.of(row(x))

    def squared_norms(self, X, kind):
        return self.of([self(x, x) for x in X])

    def __repr__(self):
        return "AtOnce()"


def uses(kernel):
    """The calls that take rows of the kernel's, of one problem."""
    X, y = [[1.0], [2.0], [-1.0]], [1, 1, -1]
    model = Model(0.5, [1.0, 2.0, 1.0], X, kernel, None)
    several = OneAgainstOne([0, 1], kernel, X, [1, 2], [[1.0, 2.0, 1.0]], [0.0])
    return [
        lambda: gram(kernel, X),
        lambda: smo(Problem(X, y, kernel)),
        lambda: smo(Problem(X, y, kernel, slack="squared")),
        lambda: model.decisions(X),
        lambda: several.decisions(X),
        lambda: kernel_lms(kernel, X, y, 0.1, 2),
    ]


@pytest.mark.parametrize("of", [tuple, lambda row: peer("numpy").array(row)])
def test_a_kernel_may_give_its_rows_in_any_form(of):
    for found, plain in zip(uses(AtOnce(of)), uses(AtOnce(list))):
        assert str(found()) == str(plain())


@pytest.mark.parametrize("of, told", [
    (lambda row: None, "is None; a sequence is needed"),
    (lambda row: row[1:], "has length 2; there are 3 examples"),
    (lambda row: [*row, 1.0], "has length 4; there are 3 examples"),
])
def test_a_row_of_kernel_values_that_is_none_is_refused(of, told):
    for use in uses(AtOnce(of)):
        _, sentence = refused(use)
        assert sentence in (f"a row of kernel values {told}",
                            f"squared_norms(X) of the kernel {told}")


def test_a_row_of_kernel_values_stays_the_callers():
    rows = {}
    kernel = AtOnce(lambda row: rows.setdefault(str(row), row))
    smo(Problem([[1], [2], [-1]], [1, 1, -1], kernel, slack="squared"))
    assert all(str(row) == key for key, row in rows.items())


# Kernels as values


ALL = [
    Linear(), Polynomial(2), Polynomial(3, 0.5, 1), Polynomial(2, Q(1, 3)), Gaussian(0.1),
    Sigmoid(1, -1), Precomputed(), Linear() + Gaussian(1), Linear() * Gaussian(1), 2 * Linear(),
    Q(1, 2) * Linear(), 2 * (3 * Linear()), (2 * Linear()) * Linear(), 2 * (Linear() * Linear()),
    Linear() * (Linear() * Polynomial(2)), (Linear() + Linear()) * Linear(),
    Linear() + (Linear() + Gaussian(1)), Linear() + Linear() + Gaussian(1), Shifted(2),
    Linear() * (2 * Gaussian(1)), MonomialSum(2), MonomialSum(3), Spectrum(2),
    Spectrum(2) + Spectrum(3), 2 * Spectrum(2),
]


@pytest.mark.parametrize("kernel", ALL, ids=repr)
def test_a_kernel_is_read_back_from_its_repr_and_its_pickle(kernel):
    makes = (Linear, Polynomial, MonomialSum, Gaussian, Sigmoid, Precomputed, Shifted, Spectrum)
    names = dict({make.__name__: make for make in makes}, Fraction=Q)
    twins = [eval(repr(kernel), names), copy.deepcopy(kernel)]
    twins += [pickle.loads(pickle.dumps(kernel, version)) for version in range(2, 6)]
    for twin in twins:
        assert twin == kernel and hash(twin) == hash(kernel) and repr(twin) == repr(kernel)


def test_kernels_are_equal_only_to_kernels_of_the_same_make():
    for i, p in enumerate(ALL):
        assert [p == q for q in ALL] == [i == j for j in range(len(ALL))]
        assert p != 1 and p != "Linear()" and p is not None
    assert Polynomial(2) == Polynomial(2, Q(1), 0)
    assert len({Polynomial(2), Polynomial(2, Q(1))}) == 1
    as_kernel = kernel_algebra.as_kernel
    assert as_kernel(common) == as_kernel(common) != as_kernel(third)


def test_reprs():
    some = (Linear(), Polynomial(2), Gaussian(0.1), Linear() + Sigmoid(1, 0))
    assert [repr(kernel) for kernel in some] == [
        "Linear()", "Polynomial(degree=2, gamma=1.0, coef0=0.0)", "Gaussian(gamma=0.1)",
        "(Linear() + Sigmoid(gamma=1.0, coef0=0.0))",
    ]
    assert repr(2 * Linear() * (Linear() * Linear())) == "2.0 * Linear() * (Linear() * Linear())"
    assert repr(Linear() + common) == "(Linear() + common)"


def test_a_kernel_says_whether_its_values_may_be_infinite():
    assert Gaussian(1).bounded and (Gaussian(1) * Gaussian(2)).bounded
    assert (0.5 * Gaussian(1)).bounded and (Gaussian(1) + Gaussian(1)).bounded
    for kernel in (Linear(), Polynomial(2), Common(), Precomputed(), 1e300 * Gaussian(1),
                   Gaussian(1) + Linear(), kernel_algebra.as_kernel(common)):
        assert not kernel.bounded


# What is a kernel, and what is not


points = st.lists(st.lists(coordinates, min_size=2, max_size=2), min_size=1, max_size=4)


def reweighted(kernel, f):
    """f(x) k(x, z) f(z): every image made f(x) times as long."""
    return kernel_algebra.as_kernel(lambda x, z: f(x) * kernel(x, z) * f(z))


def geometric(x, z):
    """1 / (1 - s), which MonomialSum(degree) goes to as degree grows, where |s| < 1."""
    return 1 / (1 - dot(x, z))


valid = st.recursive(
    st.sampled_from([Linear(), Polynomial(2), Polynomial(3, 2, Q(1, 2)), MonomialSum(2),
                     MonomialSum(3), kernel_algebra.as_kernel(third)]),
    lambda part: st.one_of(
        st.builds(lambda p, q: p + q, part, part),
        st.builds(lambda p, q: p * q, part, part),
        st.builds(lambda c, p: c * p, st.sampled_from([0, Q(1, 3), 2]), part),
        st.builds(lambda p: reweighted(p, lambda x: x[0] - 1), part),
    ),
    max_leaves=3,
)


@draws(2/5)
@given(valid, points)
def test_what_is_made_of_kernels_by_the_rules_is_a_kernel(kernel, X):
    """Sums, products, multiples, f(x) k f(z), polynomials with no negative coefficient."""
    K = gram(kernel, X)
    assert first_asymmetry(K) is None
    assert mercer(K).symmetric and mercer(K).psd and mercer(K).witness is None


@draws(2/5)
@given(points, st.integers(0, 6))
def test_limits_of_kernels_are_kernels(X, degree):
    """And MonomialSum(degree) is as far from its limit as the rest of the series says."""
    small = [[a / 8 for a in x] for x in X]
    assert mercer(gram(geometric, small)).psd
    x, z = small[0], small[-1]
    s = dot(x, z)
    assert geometric(x, z) - MonomialSum(degree)(x, z) == s ** (degree + 1) / (1 - s)


def test_the_rules_need_their_conditions():
    """A difference of kernels, and the polynomial s - s^2, are none."""
    assert not mercer(gram(lambda x, z: dot(x, z) - 2 * dot(x, z), [[Q(1)]])).psd
    assert not mercer(gram(lambda x, z: dot(x, z) - dot(x, z) ** 2, [[Q(2)]])).psd


@pytest.mark.parametrize("kernel, X", [
    (lambda x, z: -abs(x[0] - z[0]), [[Q(0)], [Q(1)]]),
    (lambda x, z: -squared_distance(x, z), [[Q(0), Q(0)], [Q(3), Q(4)], [Q(1), Q(1)]]),
    (Sigmoid(1, -1), [[0]]),
    (Sigmoid(1, -1), [[1], [2], [3]]),
    (Polynomial(2, coef0=-1), [[0], [Q(1)]]),
    (Polynomial(2, coef0=Q(-1, 10)), [[0], [Q(1, 3)]]),
    (lambda x, z: max(x[0], z[0]), [[Q(1)], [Q(2)]]),
])
def test_a_witness_shows_that_a_function_is_no_kernel(kernel, X):
    """v'Kv < 0, in exact arithmetic: a squared length could not be."""
    K = gram(kernel, X)
    found = mercer(K)
    assert found.symmetric and not found.psd
    exact = [[Q(a) for a in row] for row in K]
    assert quadratic_form(exact, [Q(a) for a in found.witness]) < 0


def test_a_function_that_is_not_symmetric_is_no_kernel_though_vKv_is_positive():
    """[[1, 1], [-1, 1]]: v'Kv = v'v, so symmetry has to be asked for, too."""
    K = gram(lambda x, z: 1 if x[0] <= z[0] else -1, [[Q(0)], [Q(1)]])
    assert K == [[1, 1], [-1, 1]] and first_asymmetry(K) == (0, 1)
    assert (mercer(K).symmetric, mercer(K).psd, mercer(K).witness) == (False, False, (0, 1))
    for v in ([1, 0], [1, 1], [2, -3], [Q(1, 2), 5]):
        assert quadratic_form(K, v) == dot(v, v) > 0


def test_points_that_pass_prove_nothing_about_other_points():
    """(x z - 1)^2 passes at 0 and 3, and fails at 0 and 1."""
    k = Polynomial(2, coef0=-1)
    assert mercer(gram(k, [[0], [Q(3)]])).psd and not mercer(gram(k, [[0], [Q(1)]])).psd


@pytest.mark.parametrize("n, psd", [(2, True), (9, False), (29, False)])
def test_rounding_may_leave_a_gram_matrix_that_is_none(n, psd):
    """Gaussian values of n + 1 points on [0, 1]: mercer speaks of the numbers as they stand."""
    K = gram(Gaussian(0.5), [[i / n] for i in range(n + 1)])
    found = mercer(K)
    assert found.symmetric and found.psd is psd
    if not psd:
        exact = [[Q(a) for a in row] for row in K]
        assert quadratic_form(exact, [Q(a) for a in found.witness]) < 0


@draws(2/5)
@given(valid, points, st.randoms(use_true_random=False))
def test_reordering_the_points_reorders_rows_and_columns(kernel, X, random):
    X = X + X[:1]
    order = list(range(len(X)))
    random.shuffle(order)
    K, moved = gram(kernel, X), gram(kernel, [X[i] for i in order])
    assert moved == [[K[i][j] for j in order] for i in order]
    assert K[0] == K[-1] and [row[0] for row in K] == [row[-1] for row in K]
    assert exactly([[Q(kernel(x, z)) for z in X] for x in X], K)


# The Gaussian


whole = st.lists(st.integers(-20, 20).map(float), min_size=2, max_size=2)


@given(whole, whole, whole, st.sampled_from([0.25, 0.5, 1.0, 2.0]))
def test_gaussian_falls_with_the_distance_and_knows_nothing_else(x, z, c, sigma):
    k = Gaussian.from_sigma(sigma)
    assert exactly(k(x, x), 1.0)
    assert 0 <= k(x, z) <= 1 and k(x, z) == k(z, x)
    assert exactly(k(x, z), exp(-squared_distance(x, z) / (2 * sigma * sigma)))
    assert squared_distance(x, z) > squared_distance(x, c) or k(x, z) >= k(x, c)
    moved = [[a + s for a, s in zip(row, c)] for row in (x, z)]
    turned = [[3 * a - 4 * b, 4 * a + 3 * b] for a, b in (x, z)]
    longer = [[5 * a, 5 * b] for a, b in (x, z)]
    assert k(*moved) == k(x, z) and k(*turned) == k(*longer)


def test_gaussian_is_strictly_smaller_farther_away():
    values = [Gaussian(0.25)([0], [i]) for i in range(50)]
    assert all(a > b > 0 for a, b in zip(values, values[1:]))


@draws(2/5)
@given(st.lists(whole, min_size=1, max_size=4, unique_by=tuple))
def test_a_wide_gaussian_sees_no_difference_and_a_narrow_one_no_likeness(X):
    n = len(X)
    assert exactly(gram(Gaussian.from_sigma(2.0**40), X), [[1.0] * n for _ in X])
    assert exactly(gram(Gaussian.from_sigma(2.0**-10), X),
                   [[float(i == j) for j in range(n)] for i in range(n)])


def test_a_width_must_be_positive():
    for sigma in (0, -1):
        assert refused(Gaussian.from_sigma, sigma) == (
            ValueError, f"sigma is {sigma}; it must be positive"
        )


# Machines


@draws(2/5)
@given(st.data(), st.booleans())
def test_the_dual_knows_the_rows_by_their_inner_products_only(data, bias):
    """Turned rows, the Gram matrix, and features written down: the same solution, exactly."""
    X = data.draw(st.lists(st.lists(coordinates, min_size=2, max_size=2), min_size=2, max_size=4))
    y, C = data.draw(labellings(len(X))), data.draw(penalties)

    def solved(X, kernel):
        return smo(Problem(X, y, kernel, C=C, bias=bias), tol=0)

    turned = [[Q(3, 5) * a - Q(4, 5) * b, Q(4, 5) * a + Q(3, 5) * b] for a, b in X]
    assert solved(X, Linear()) == solved(turned, Linear()) == solved(
        gram_of_rows(X), Precomputed())
    for kernel, phi in ((Polynomial(2), ordered_pairs),
                        (MonomialSum(2), lambda x: ordered_monomials(x, 2))):
        by_kernel = solved(X, kernel)
        assert by_kernel == solved(turned, kernel)
        assert by_kernel == solved(gram_of_rows(images(phi, X)), Precomputed())


CORNERS = next(case for case in CASES if case.name == "F15")


def test_a_polynomial_separates_what_no_line_does():
    """XOR: alpha = 1/8 each, b = 0, every margin 1; and a proof that no line separates it."""
    problem = of_case(CORNERS).problem()
    solution = smo(problem, tol=0)
    assert solution.alpha == [Q(1, 8)] * 4 and solution.b == 0 and solution.gap == 0
    assert problem.margins(solution.alpha, 0) == [1] * 4
    linear = of_case(next(case for case in NOT_SEPARABLE if case.name == "F15 linear"))
    disproof = smo(linear.problem(), tol=0)
    assert disproof.status == "infeasible"
    beta = [a * s for a, s in zip(disproof.farkas, linear.y)]
    assert all(a >= 0 for a in disproof.farkas) and any(disproof.farkas)
    assert dot(beta, [1] * 4) == 0 and [dot(beta, c) for c in zip(*linear.X)] == [0, 0]


@draws(2/5)
@given(st.lists(whole, min_size=2, max_size=6, unique_by=tuple), st.data())
def test_distinct_points_are_separable_in_the_space_of_a_gaussian_however_labelled(X, data):
    y = data.draw(labellings(len(X)))
    solution = smo(Problem(X, y, Gaussian(1), C=inf))
    assert solution.status == "optimal"
    assert solution.model().predictions(X) == y
    assert mercer(gram(Gaussian(1), X)).psd


INNER = [[1, 0], [0, 1], [-1, 0], [0, -1]]
RINGS = INNER + [[2 * a, 2 * b] for a, b in INNER]


@pytest.mark.parametrize("kernel", [Polynomial(2), Polynomial(2, coef0=1), MonomialSum(2),
                                    Gaussian(1)])
def test_a_ring_in_a_ring_is_separated_by_a_curve_and_by_no_line(kernel):
    y, exact = [1] * 4 + [-1] * 4, not isinstance(kernel, Gaussian)
    X = [[Q(a) for a in x] for x in RINGS] if exact else RINGS
    assert smo(Problem(X, y, C=inf), tol=0 if exact else 1e-3).status == "infeasible"
    solution = smo(Problem(X, y, kernel, C=inf), tol=0 if exact else 1e-3)
    assert solution.status == "optimal" and solution.model().predictions(X) == y
    assert not exact or solution.gap == 0


def bitmap(*rows):
    return [1 if pixel == "#" else 0 for row in rows for pixel in row]


# One bar is one class, no bar or both the other: XOR of two bars.
BITMAPS = [bitmap("....", "....", "...."), bitmap("####", "....", "####"),
           bitmap("####", "....", "...."), bitmap("....", "....", "####")]


@pytest.mark.parametrize("kernel", [Polynomial(2, coef0=1), Polynomial(4), Gaussian(0.125)])
def test_bitmaps_may_have_their_pixels_shuffled(kernel):
    """No kernel here knows which pixels are neighbours: Gram matrix and machine are unchanged."""
    y = [-1, -1, 1, 1]
    order = [7, 2, 11, 0, 5, 9, 4, 1, 10, 3, 8, 6]
    shuffled = [[image[p] for p in order] for image in BITMAPS]
    K = gram(kernel, BITMAPS)
    assert [bits(row) for row in K] == [bits(row) for row in gram(kernel, shuffled)]
    machines = [smo(Problem(X, y, kernel, C=10)).model() for X in (BITMAPS, shuffled)]
    assert machines[0].coef == machines[1].coef and machines[0].b == machines[1].b
    news = [bitmap("##..", "....", "...."), bitmap("####", "#..#", "####")]
    new_shuffled = [[image[p] for p in order] for image in news]
    assert bits(machines[0].decisions(news)) == bits(machines[1].decisions(new_shuffled))


@pytest.mark.parametrize("kernel", [Polynomial(2, coef0=1), Gaussian(0.125)])
def test_bars_in_bitmaps_are_separated_by_a_kernel_and_by_no_line(kernel):
    y = [-1, -1, 1, 1]
    assert smo(Problem(BITMAPS, y, C=inf)).status == "infeasible"
    solution = smo(Problem(BITMAPS, y, kernel, C=inf))
    assert solution.status == "optimal" and solution.model().predictions(BITMAPS) == y


def test_without_a_kernel_a_gap_of_zero_proves_nothing():
    """E-x-09: the dual is not concave, SMO ends at an end of the box that is only locally best,
    and weak duality is gone: another alpha's dual value is above this primal value."""
    K = [[Q(-2)] * 3 for _ in range(3)]
    problem = Problem(K, [-1, 1, 1], Precomputed(), C=1, bias=False)
    solution = smo(problem, tol=0)
    assert solution.status == "indefinite" and solution.gap == 0
    assert problem.primal(solution.alpha, 0) == solution.objective == 2
    assert problem.dual([0, 1, 1]) == 6
    assert not mercer(K).psd and quadratic_form(K, mercer(K).witness) < 0
