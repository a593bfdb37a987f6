"""Every interval holds the true number, is as narrow as asked, and shrinks into itself.

The judge of e^-t and tanh u is the decimal module, whose exp is correctly rounded: it shares
nothing with the series and squarings of refsvm.
"""

from decimal import Decimal, localcontext
from fractions import Fraction as Q
from unittest.mock import patch

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from refsvm import Gaussian, Linear, Polynomial, Precomputed, Problem, Sigmoid, Spectrum
from refsvm.numerics import intervals as module
from refsvm.numerics.intervals import (
    Interval,
    approximate_exp,
    certified_floor,
    floor_exp,
    floor_exps,
    floor_tanh,
    grid_cell,
    point_interval,
    square_root,
)
from refsvm.proofs.enclosures import IntegerTable, gram_intervals, kernel_interval

numbers = st.fractions(-9, 9, max_denominator=40)
intervals = st.tuples(numbers, numbers).map(lambda ends: Interval(min(ends), max(ends)))
shares = st.fractions(0, 1, max_denominator=7)
some_bits = st.sampled_from([0, 1, 2, 7, 31, 64, 65, 200, 700])
doubles = st.floats(-4, 4) | st.sampled_from([0.0, 1.0, -2.0, 0.1, 1e-160, 3e5])
arguments = st.builds(
    lambda m, e: Q(m) * Q(2) ** e, st.integers(1, 2**60), st.integers(-150, -40)
) | st.fractions(Q(1, 1000), 60)


def within(interval, share):
    return interval.low + share * interval.width


@given(intervals, intervals, numbers, shares, shares)
def test_what_numbers_make_lies_in_what_their_intervals_make(x, z, c, s, t):
    p, q = within(x, s), within(z, t)
    for made, number in (
        (x + z, p + q), (x - z, p - q), (x * z, p * q), (-x, -p),
        (x + c, p + c), (c - x, c - p), (x - c, p - c), (c * x, c * p), (x * c, p * c),
    ):
        assert made.low <= number <= made.high and made.holds(number)
    assert abs(p) <= x.magnitude and x.magnitude in map(abs, x)
    assert (x * z).width <= x.magnitude * z.width + z.magnitude * x.width
    assert (x + z).width == x.width + z.width and (c * x).width == abs(c) * x.width


@given(st.fractions(0, 10**6), some_bits)
def test_a_square_root_is_held_on_the_grid(x, bits):
    root = square_root(x, bits)
    assert root.low**2 <= x <= root.high**2 and root.low >= 0
    assert root.width in (0, Q(1, 2**bits)) and (root.low * 2**bits).denominator == 1
    assert square_root(root.low**2, bits) == point_interval(root.low)


def by_decimal(t, bits):
    """2^bits e^-t as a Decimal that is right to 40 digits behind the point and more."""
    with localcontext() as context:
        context.prec, context.Emin = bits // 3 + 80, -(10**12)
        return (-Decimal(t.numerator) / t.denominator).exp() * 2**bits


@example(Q(1), 0)
@example(Q(10**12), 64)
@example(Q(1, 10**30), 64)
@example(Q(64), 64)
@given(arguments, some_bits)
def test_decay_is_the_floor_of_the_exponential(t, bits):
    value = floor_exp(t, bits)
    assert value == int(by_decimal(t, bits))
    assert value == floor_exp(t, bits + 40) >> 40
    p = max(bits, 32)
    assert abs(approximate_exp(t, p) - by_decimal(t, p)) < 2


@given(arguments, st.sampled_from([28, 31, 64, 200]))
def test_few_guard_bits_cost_time_and_no_floor(x, bits):
    with patch.object(module, "GUARD_BITS", 4):
        few = floor_exp(x, bits), floor_tanh(x, bits)
    assert few == (floor_exp(x, bits), floor_tanh(x, bits))


@example(Q(1), [1], 2001)
@given(arguments, st.lists(st.integers(0, 10**6) | st.integers(0, 2**200), max_size=4), some_bits)
def test_many_exponentials_have_the_floors_of_each(unit, sums, bits):
    each = [floor_exp(unit * s, bits) if s else 1 << bits for s in sums]
    assert floor_exps(unit, sums, bits) == each


@given(st.fractions(Q(1, 10**6), 90, max_denominator=10**9), st.sampled_from([32, 128, 2000]))
def test_the_error_that_is_allowed_for_many_exponentials_is_never_reached(t, bits):
    """Without bits to spare each floor must be decided by 2 units, or be asked for anew."""
    with patch.object(module, "GUARD_BITS", 3):
        assert floor_exps(t, [1], bits) == [floor_exp(t, bits)]


@given(st.data(), st.integers(1, 20), st.integers(21, 200), st.sampled_from([-1, 1]))
def test_a_floor_is_settled_however_near_the_grid_the_number_is(data, bits, near, side):
    number = Q(data.draw(st.integers(1, 2**bits - 1)), 2**bits) + Q(side, 2**near)
    off = data.draw(st.integers(-5, 5))
    found = certified_floor(lambda p: (int(number * 2**p) + off, 6), bits)
    assert found == int(number * 2**bits)


@example(Q(10**12), 64)
@example(Q(1, 10**30), 64)
@given(arguments, some_bits)
def test_rise_is_the_floor_of_the_hyperbolic_tangent(u, bits):
    e = Q(floor_exp(2 * u, 4 * bits + 200), 2 ** (4 * bits + 200))
    value = floor_tanh(u, bits)
    if u < 30:
        assert value == int((1 - e) / (1 + e) * 2**bits)
    assert 0 <= value < 2**bits and value == floor_tanh(u, bits + 40) >> 40


kernels = st.one_of(
    st.builds(Gaussian, st.sampled_from([0.5, 0.1, 1e-9, 1e6])),
    st.builds(Sigmoid, st.sampled_from([0.5, -0.25, 3.0]), st.sampled_from([0.0, -1.0, 0.125])),
    st.just(Polynomial(2, coef0=1)),
)
kernels = st.recursive(
    kernels,
    lambda parts: st.one_of(
        st.builds(lambda p, q: p + q, parts, parts),
        st.builds(lambda p, q: p * q, parts, parts),
        st.builds(lambda c, p: c * p, st.sampled_from([0.0, 0.25, 7.5, 1e9]), parts),
    ),
    max_leaves=4,
)
rows = st.lists(doubles, min_size=2, max_size=2)


@given(kernels, rows, rows, some_bits, st.integers(1, 130))
def test_a_kernel_value_is_held_as_narrowly_as_asked_and_more_bits_lie_within(k, x, z, bits, more):
    wide, narrow = kernel_interval(k, x, z, bits), kernel_interval(k, x, z, bits + more)
    assert 0 <= wide.width <= Q(1, 2**bits)
    assert wide.low <= narrow.low <= narrow.high <= wide.high
    assert wide == kernel_interval(k, z, x, bits)
    closest = kernel_interval(k, x, z, 4 * bits + 80)
    assert wide.low <= closest.low and closest.high <= wide.high
    size = max(1, closest.magnitude)
    assert abs(Q(k(x, z)) - closest.low) <= size * Q(1, 2**30) + closest.width


@given(st.lists(rows, min_size=2, max_size=4), kernels, some_bits)
def test_the_gram_matrix_holds_the_values_and_is_symmetric(X, kernel, bits):
    problem = Problem(X, [1, *[-1] * (len(X) - 1)], kernel)
    K = gram_intervals(problem, bits)
    for i, x in enumerate(X):
        for j, z in enumerate(X):
            one = kernel_interval(kernel, x, z, bits + 300)
            assert K[i][j] == K[j][i] and K[i][j].width <= Q(1, 2**bits)
            assert K[i][j].low <= one.low and one.high <= K[i][j].high


@given(st.data(), st.integers(1, 4), st.integers(1, 6))
def test_distances_of_all_rows_at_once_are_those_of_each(data, d, n):
    """Whatever the signs and sizes are, and where rows are equal."""
    whole = st.sampled_from([0, 1, -1, 2**40, -(2**61)]) | st.integers(-(2**70), 2**70)
    some = data.draw(st.lists(st.tuples(*[whole] * d), min_size=1, max_size=3))
    points = [[Q(v, 8) for v in data.draw(st.sampled_from(some))] for _ in range(n)]
    table = IntegerTable(points)
    for x in points:
        exactly = [sum((a - b) ** 2 for a, b in zip(x, z)) * table.denominator**2 for z in points]
        for count in (n, n // 2):
            found = table.long_columns.squared_distances(table.rows[tuple(x)], count)
            assert found == exactly[:count] == table.squared_distances(
                table.rows[tuple(x)], count)


def test_fractions_are_exact_and_so_are_the_exponentials_of_nothing():
    assert kernel_interval(Gaussian(0.1), [3, 1], [3, 1], 5) == point_interval(1)
    assert kernel_interval(Sigmoid(0.1, 0), [3, 1], [0, 0], 5) == point_interval(0)
    assert kernel_interval(0.5 * Linear(), [0.1], [3], 0) == point_interval(Q(0.1) * 3 / 2)
    assert kernel_interval(Spectrum(2), "banana", "ananas", 0) == point_interval(8)
    assert kernel_interval(lambda x, z: x[0] / 3 * z[0], [1], [2], 0) == point_interval(Q(2, 3))
    assert kernel_interval(0.0 * Gaussian(1), [0], [1], 9) == point_interval(0)
    K = gram_intervals(Problem([[2, 1], [1, 1]], [-1, 1], Precomputed()), 3)
    one, two = point_interval(1), point_interval(2)
    assert K[0] == [two, one] and K[1] == [one, one]


def test_what_is_not_on_the_grid_is_in_its_cell():
    assert kernel_interval(Gaussian(1.0), [0], [1], 3) == grid_cell(2, 3)
    assert kernel_interval(Sigmoid(1.0, 0), [-1], [1], 3) == -grid_cell(6, 3)
    assert kernel_interval(Gaussian(Q(1, 3)), [0], [Q(1)], 4) == grid_cell(11, 4)


@pytest.mark.parametrize("kernel, x, z, bits, error, words", [
    (Gaussian(1), [0], [1], -1, ValueError, "bits is -1; it must be at least 0"),
    (Gaussian(1), [0], [1], 1.5, TypeError, "bits is 1.5; a whole number is needed"),
    (Gaussian(1), [0], [1, 2], 5, ValueError, "Z has rows of length 2; those of X have 1"),
    (Gaussian(1), "a", [1, 2], 5, TypeError, "x[0] is 'a'; Gaussian(gamma=1.0) needs"),
    (Precomputed(), [1], [1], 5, TypeError, "Precomputed has no formula; its values"),
    (Gaussian(1), [float("nan")], [1], 5, ValueError, "x[0][0] is nan; it must"),
    (lambda x, z: float("inf"), [1], [2], 5, ValueError, "the kernel value of examples 0 and 0"),
])
def test_refusals(kernel, x, z, bits, error, words):
    with pytest.raises(error) as caught:
        kernel_interval(kernel, x, z, bits)
    assert words in str(caught.value)
