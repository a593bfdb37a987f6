"""Each inequality of rounding_bounds.py against Fractions, and what whole numbers promise."""

from fractions import Fraction
from itertools import accumulate
from math import inf, nextafter

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from profiles import draws

from refsvm.numerics.rounding_bounds import (
    SPARE,
    TINY,
    U,
    above,
    adds_exactly,
    grain,
    of_difference,
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
    assert (Fraction(U), Fraction(TINY)) == (u, tiny)
    assert 1 + U == 1 < 1 + 1.001 * U and TINY / 2 == 0 < TINY


@given(st.lists(st.tuples(scaled, scaled), min_size=1, max_size=40))
@example([(1.0, 1.0)] + [(0.999 * 2.0**-27, 0.999 * 2.0**-26)] * 40)
@example([(1.0, 1.0), (-1.0, 1.0), (TINY, 0.5)])
@draws(5)
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


@given(doubles, doubles)
@example(1.0, 1.0 - U)
@example(1.0, 2.0**-60)
@example(2.0**-60, 1.0)
@example(1.0, -U)
@example(-U, 1.0)
@example(3 * TINY, TINY)
@draws(20)
def test_a_difference_is_off_by_no_more_and_where_it_is_exact_by_nothing(a, b):
    off = of_difference(a, b)
    if abs(a - b) == inf:
        assert off == inf
        return
    true = abs(Fraction(a - b) - (Fraction(a) - Fraction(b)))
    assert true <= Fraction(off) and (off == 0) == (true == 0)


@given(scaled, scaled)
@example(1.0, 1.25 * U)
@example(-1.0, 1.25 * U)
def test_differences_that_are_not_exact_are_seen_from_either_side(a, b):
    assert of_difference(a, b) == of_difference(b, a) == of_difference(-a, -b)


@given(st.floats(0, 1e300), st.integers(0, 10**6))
@example(1.0, 0)
@example(1.0, 1)
@example(2.0, 8)
@example(nextafter(2.0, 0), 8)
@example(2.0, 10**6)
@example(nextafter(2.0, 0), 10**6)
@example(TINY, 0)
@example(TINY, 20)
@example(3 * TINY, 10**6)
@example(1e-300, 10**6)
@draws(10)
def test_nothing_that_was_rounded_so_often_is_above(value, roundings):
    """Each rounding may have taken u of it off, or half of 2^-1074."""
    found, many = Fraction(above(value, roundings)), roundings
    if value == 0:
        assert found == 0
        return
    assert found >= Fraction(value) / (1 - many * u) + many * tiny
    assert found > Fraction(value)
    assert found <= (Fraction(value) * (1 + (many + 8) * u * 2)) + 2 * (many + 2) * tiny


@given(st.lists(doubles, max_size=9))
@example([12.0, 8.0])
@example([0.0, 0.5, -3.0])
@example([TINY, 1e300])
@example([1e300, 0.0])
@example([-2.0**1023])
@draws(10)
def test_a_grain_is_the_largest_power_of_two_of_which_all_are_multiples(numbers):
    g = grain(numbers)
    if not any(numbers):
        assert g == inf
        return
    quotients = [Fraction(v) / Fraction(g) for v in numbers]
    assert all(q.denominator == 1 for q in quotients)
    assert any(q.numerator % 2 for q in quotients)
    assert all(v & (v - 1) == 0 for v in g.as_integer_ratio())


whole = st.integers(-(2**53), 2**53)


@given(st.lists(whole, min_size=1, max_size=9), st.integers(-1074, 960))
@example([2**53, -1, 1], 0)
@example([2**52, 2**52 - 1, -(2**52)], 0)
@example([2**53 - 2**47, 1, 1], -1074)
@draws(20)
def test_what_adds_exactly_does(numbers, exponent):
    """From left to right, and so in any order."""
    unit = 2.0**exponent
    values = [float(v) * unit for v in numbers]
    size = float(exact_total(map(abs, values)))
    if adds_exactly(size, unit):
        *_, s = accumulate(values)
        assert Fraction(s) == exact_total(values)
        assert sum(map(abs, numbers)) < 2**53  # exact


def test_whole_numbers_are_exact_up_to_two_to_the_53_and_not_beyond():
    most = 2.0**53
    assert most - 1 + 1 == most and most + 1 == most  # so the number 2^53 + 1 is lost
    assert adds_exactly(most * (1 - 2.0**-6), 1.0)
    assert not adds_exactly(most, 1.0) and not adds_exactly(nextafter(most, 0), 1.0)
    for size, unit in (0.0, 0.0), (0.0, inf), (1.0, inf), (inf, inf), (1.0, 0.0):
        assert adds_exactly(size, unit) == (unit > 0 and size < inf)
    assert SPARE > 1


@given(doubles, doubles, st.integers(1, 10**9))
@example(1.0, 3.0, 3)
@example(TINY, 0.0, 2)
@example(-TINY, 0.0, 2)
@example(1.7976931348623157e308, 1e292, 1)
@example(-1.7976931348623157e308, -1e300, 1)
@draws(10)
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
