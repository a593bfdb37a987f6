"""Each inequality of rounding_bounds.py against Fractions."""

from fractions import Fraction
from itertools import accumulate
from math import inf, nextafter

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from profiles import draws

from refsvm.numerics.rounding_bounds import (
    MIN_DOUBLE,
    U,
    above,
    norm_above,
    norm_below,
    of_sum,
    rounded_down,
    rounded_up,
)

u, tiny = Fraction(1, 2**53), Fraction(1, 2**1074)
doubles = st.floats(allow_nan=False, allow_infinity=False)
mild = st.floats(-1e100, 1e100)
scaled = st.builds(lambda v, e: v * 2.0**e, st.floats(-1, 1), st.integers(-60, 60))
MOST = 2**40  # numbers that are added, for which SPARE has room


def exact_total(values):
    return sum(map(Fraction, values), Fraction(0))  # exact


def test_the_constants_are_those_of_doubles():
    assert (Fraction(U), Fraction(MIN_DOUBLE)) == (u, tiny)
    assert 1 + U == 1 < 1 + 1.001 * U and MIN_DOUBLE / 2 == 0 < MIN_DOUBLE


@given(st.lists(st.tuples(scaled, scaled), min_size=1, max_size=40))
@example([(1.0, 1.0)] + [(0.999 * 2.0**-27, 0.999 * 2.0**-26)] * 40)
@example([(1.0, 1.0), (-1.0, 1.0), (MIN_DOUBLE, 0.5)])
@draws(5/2)
def test_a_sum_of_products_is_within_its_bound(pairs):
    products = [a * b for a, b in pairs]
    *_, s = accumulate(products)
    true = [Fraction(a) * Fraction(b) for a, b in pairs]
    size = float(exact_total(map(abs, products)))
    bound = Fraction(of_sum(len(pairs), size)) + len(pairs) * tiny
    assert abs(Fraction(s) - exact_total(true)) <= bound


@given(st.integers(1, MOST), st.floats(2.0**-900, 2.0**900))
@example(1, 1.0)
@example(3, 1.0)
@example(MOST, 1.0)
def test_bounds_of_sums_have_room_for_what_is_smaller(roundings, size):
    """m roundings make m u / (1 - m u) at most; and the size was itself added in doubles."""
    product = roundings * u
    found = Fraction(of_sum(roundings, size))
    assert found >= product / (1 - product) * Fraction(size) / (1 - product)
    assert found <= product * Fraction(size) * (1 + Fraction(1, 2**5))


@given(st.floats(0, 1e300), st.integers(0, 10**6))
@example(1.0, 0)
@example(1.0, 1)
@example(2.0, 8)
@example(nextafter(2.0, 0), 8)
@example(2.0, 10**6)
@example(nextafter(2.0, 0), 10**6)
@example(MIN_DOUBLE, 0)
@example(MIN_DOUBLE, 20)
@example(3 * MIN_DOUBLE, 10**6)
@example(1e-300, 10**6)
@draws(5)
def test_nothing_that_was_rounded_so_often_is_above(value, roundings):
    """Each rounding may have taken u of it off, or half of 2^-1074."""
    found, many = Fraction(above(value, roundings)), roundings
    if value == 0:
        assert found == 0
        return
    assert found >= Fraction(value) / (1 - many * u) + many * tiny
    assert found > Fraction(value)
    assert found <= (Fraction(value) * (1 + (many + 8) * u * 2)) + 2 * (many + 2) * tiny


@given(st.lists(scaled | st.floats(-1e-150, 1e-150) | mild, max_size=9))
@example([MIN_DOUBLE] * 9)
@example([1.0] + [0.999 * 2.0**-27] * 40)
@example([1e200])
@draws(5)
def test_a_norm_lies_between_its_bounds(v):
    found, true = norm_above(v), exact_total(Fraction(x) ** 2 for x in v)
    assert Fraction(norm_below(v)) ** 2 <= true
    if Fraction(1, 10**280) < true < 10**300:
        assert Fraction(norm_below(v)) ** 2 >= true * (1 - (len(v) + 20) * 4 * u)
    assert found == inf or found**2 == 0 == true or true <= Fraction(found) ** 2
    if true > Fraction(1, 10**280) and found < inf:
        assert Fraction(found) ** 2 <= true * (1 + (len(v) + 20) * 4 * u)


@given(doubles, doubles, st.integers(1, 10**9))
@example(1.0, 3.0, 3)
@example(MIN_DOUBLE, 0.0, 2)
@example(-MIN_DOUBLE, 0.0, 2)
@example(1.7976931348623157e308, 1e292, 1)
@example(-1.7976931348623157e308, -1e300, 1)
@draws(5)
def test_the_doubles_next_to_a_number(a, b, n):
    value = Fraction(a) + Fraction(b) / n
    low, high = rounded_down(value), rounded_up(value)
    assert (low == -inf or Fraction(low) <= value) and (high == inf or Fraction(high) >= value)
    if low != high:
        assert nextafter(low, inf) == high
    else:
        assert Fraction(low) == value


@pytest.mark.parametrize("infinity", [inf, -inf])
def test_infinities_stay(infinity):
    assert rounded_down(infinity) == rounded_up(infinity) == infinity


def test_beyond_the_doubles_one_side_is_the_largest_of_them():
    huge, most = Fraction(10) ** 400, 1.7976931348623157e308
    assert (rounded_down(huge), rounded_up(huge)) == (most, inf)
    assert (rounded_down(-huge), rounded_up(-huge)) == (-inf, -most)
