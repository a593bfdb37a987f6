"""exp, tanh and power: their bounds hold, and their bits are the same everywhere."""

import hashlib
import math
import struct
from decimal import Decimal, localcontext
from fractions import Fraction

import exp_bound
import pytest
from exp_bound import exp_bounds, exp_error, near_exp, two_to
from hypothesis import example, given
from hypothesis import strategies as st
from profiles import one_in, slow_cases
from refusing import refusals, type_error, value_error

from refsvm.numerics.elementary import exp, exps, power, tanh
from refsvm.numerics.picks import splitmix64

INF = math.inf
ANY_FLOAT = st.floats(allow_nan=False, allow_infinity=False)
SPECIAL = [0.0, -0.0, 5e-324, -5e-324, 1e-300, -1e-300, 1e300, -1e300, 1.7976931348623157e308,
           -1.7976931348623157e308, INF, -INF, math.nan, 709.0, 709.5, 709.782712893384,
           709.7827128933841, 710.0, 710.5, -708.5, -744.0, -744.5, -745.0, -745.1332191019411,
           -745.1332191019412, -745.5, -746.0, -746.5, 2.0**51, -2.0**51, 2.0**52, -2.0**53]


def draws(seed, n, low, high):
    """n doubles from [low, high]: low + (high - low) times the top 53 bits of a word / 2^53."""
    bits = splitmix64(seed)
    return [low + (high - low) * ((next(bits) >> 11) * 2.0**-53) for _ in range(n)]


def neighbours(x, n=3):
    """x, the n doubles before it and the n after it."""
    around = [x]
    for target in (-INF, INF):
        z = x
        for _ in range(n):
            z = math.nextafter(z, target)
            around.append(z)
    return around


def packed(values):
    return struct.pack(f"<{len(values)}d", *values)


def assert_within(xs, bound):
    """Every exp is off by at most `bound` (a Fraction) ulps. Returns the largest error met."""
    limit = (bound * (1 << 30)).__floor__()
    worst = 0.0
    for x, y in zip(xs, exps(xs)):
        error, unit = exp_error(x, y)
        assert error << 30 <= limit * unit, (x.hex(), y.hex(), error / unit)
        worst = max(worst, error / unit)
    return worst


# ---- the proof, and the references it gives ----------------------------------------------------

@pytest.mark.slow("an exponential that is off by an ulp where no draw falls")
def test_exp_is_proved_to_be_off_by_less_than_one_ulp():
    assert exp_bound.normal_bound() < Fraction(81, 100)
    assert exp_bound.subnormal_bound() < Fraction(91, 100)
    assert exp_bound.at_most_one()
    assert exp_bound.overflow_is_right()


@pytest.mark.slow("a polynomial whose bound is not proved any more")
def test_tanh_is_proved_to_be_off_by_less_than_four_ulps():
    assert max(exp_bound.tanh_bound()) < 4


def test_coefficients_are_what_the_exchange_gives():
    from refsvm.numerics import elementary as e
    assert exp_bound.coefficients() == [e.P1, e.P2, e.P3, e.P4, e.P5]


def test_constants_of_ln2_are_the_nearest_to_it():
    from refsvm.numerics import elementary as e
    low, high = exp_bound.LN2
    assert e.LN2_HIGH == float(Fraction(round(low * two_to(42))) / two_to(42))
    assert e.LN2_LOW == float(low - Fraction(e.LN2_HIGH)) == float(high - Fraction(e.LN2_HIGH))
    assert e.INV_LN2 == float(1 / low) == float(1 / high)


def test_reference_agrees_with_the_correctly_rounded_exp_of_decimal():
    for x in draws(1, 300, -745.0, 709.0) + draws(2, 300, -1.0, 1.0) + SPECIAL[:6]:
        low, high = exp_bounds(Fraction(x))
        with localcontext() as context:
            context.prec = 60
            theirs = Fraction(Decimal(x).exp())
        off = theirs / 10**58
        assert low < theirs + off and theirs - off < high
        assert high - low < high * two_to(-150)


def test_quick_reference_agrees_with_the_enclosure():
    for x in draws(3, 1000, -746.0, 710.0) + draws(4, 500, -1.0, 1.0) + SPECIAL[:6]:
        k, E = near_exp(x)
        low, high = (bound / two_to(k) for bound in exp_bounds(Fraction(x)))
        assert max(abs(E / two_to(100) - low), abs(E / two_to(100) - high)) < two_to(-90)


# ---- exp ---------------------------------------------------------------------------------------

def test_exp_is_within_its_bound_at_every_breakpoint_of_the_reduction():
    xs = []
    for k in one_in(3, range(-1075, 1024)):
        xs += neighbours(float((k + Fraction(1, 2)) * exp_bound.LN2[0]))
    normal = [x for x in xs if x > -708.39]
    assert_within(normal, exp_bound.normal_bound())
    assert_within([x for x in xs if x <= -708.39], exp_bound.subnormal_bound())


def test_exp_is_within_its_bound_at_the_multiples_of_ln2():
    xs = []
    for k in range(-1022, 1024):
        xs += neighbours(float(k * exp_bound.LN2[0]), 2)
    assert_within([x for x in xs if x > -708.39], exp_bound.normal_bound())


def test_exp_is_within_its_bound_in_every_binade_of_subnormal_results():
    xs = []
    for e in range(-1076, -1021):
        top = float(e * exp_bound.LN2[0])
        xs += draws(e + 2000, 60, top, top + 0.69) + neighbours(top)
    assert_within([x for x in xs if x <= -708.4], exp_bound.subnormal_bound())


def test_exp_is_within_its_bound_at_the_edges():
    least_normal, least = -708.3964185322641, -745.1332191019411
    assert_within(neighbours(709.782712893384, 20)[:21], exp_bound.normal_bound())
    assert_within(neighbours(least_normal, 50), exp_bound.subnormal_bound())
    assert_within(neighbours(least, 50), exp_bound.subnormal_bound())
    assert_within([-746.0, -745.9999, -745.5, -745.48, -745.2, -744.0, -744.0000001],
                  exp_bound.subnormal_bound())


@pytest.mark.parametrize("seed, n, low, high", [
    (11, 30_000, -8.0, 0.0), (12, 25_000, -708.0, 709.0), (13, 15_000, -40.0, 0.0),
    (14, 15_000, -0.36, 0.36), (15, 5_000, -0.36, -0.33), (16, 5_000, -1e-9, 1e-9),
    *slow_cases("one argument in a hundred thousand", *(
        (11, 300_000, -8.0, 0.0), (12, 250_000, -708.0, 709.0), (13, 150_000, -40.0, 0.0),
        (14, 150_000, -0.36, 0.36), (15, 50_000, -0.36, -0.33), (16, 50_000, -1e-9, 1e-9)))])
def test_exp_is_within_its_bound_at_random_arguments(seed, n, low, high):
    worst = assert_within(draws(seed, n, low, high), exp_bound.normal_bound())
    assert worst > 0.49  # the reference does see errors


def test_exp_is_within_its_bound_at_random_arguments_with_subnormal_results():
    assert_within(draws(17, 50_000, -746.0, -708.4), exp_bound.subnormal_bound())


@given(st.floats(min_value=-745, max_value=709))
def test_exp_is_within_its_bound_at_any_float(x):
    bound = exp_bound.normal_bound() if x > -708.39 else exp_bound.subnormal_bound()
    assert_within([x], bound)


def test_exp_of_both_zeros_is_one():
    assert exp(0.0) == exp(-0.0) == 1
    assert exps([0.0, -0.0]) == [1.0, 1.0]


@given(st.floats())
@example(INF)
@example(-INF)
@example(math.nan)
@example(1e17)
def test_exp_never_raises_and_is_not_negative(x):
    y = exp(x)
    assert (y != y) == (x != x)
    if x == x:
        assert y >= 0 and math.copysign(1, y) == 1
        assert x > 0 or y <= 1
        assert x < 0 or y >= 1
        assert x <= 709.782712893384 or y == INF
        assert x >= -745.1332191019412 or y == 0


def test_exp_is_at_most_one_just_below_zero():
    xs = [-m * 2.0**-e for e in range(20, 70) for m in (1.0, 1.25, 1.5, 1.75, 1.9999999999999998)]
    assert max(exps(xs)) <= 1 and min(exps([-x for x in xs])) >= 1


def test_exps_is_exp_of_each_in_bits():
    xs = draws(21, 3000, -746.5, 711.0) + draws(22, 3000, -8.0, 0.0)
    inside = [x for x in xs if -744 < x < 709]
    for values in (xs, inside, SPECIAL, []):
        given_values = packed(values)
        assert packed(exps(values)) == packed([exp(x) for x in values])
        assert packed(values) == given_values


@given(st.lists(st.floats(), max_size=5))
def test_exps_is_exp_of_each_for_any_floats(xs):
    assert packed(exps(xs)) == packed([exp(x) for x in xs])


# ---- tanh --------------------------------------------------------------------------------------

def tanh_error(x):
    """|tanh(x) computed - true| in ulps of the true value, at most; for 2^-60 < x < 22.

    The interval is narrow: its own width adds less than 2^-60 ulps."""
    low, high = exp_bounds(2 * Fraction(x), bits=300)
    low, high = (low - 1) / (low + 1), (high - 1) / (high + 1)
    y = Fraction(tanh(x))
    return max(abs(y - low), abs(y - high)) / exp_bound.ulp(low)


@pytest.mark.slow("an argument of tanh in a thousand beyond the bound")
def test_tanh_is_within_its_bound_at_random_arguments():
    near, far = exp_bound.tanh_bound()
    small = 0.17328679513998632
    xs = draws(31, 600, 2.0**-20, small) + [2.0**-e * 1.37 for e in range(5, 60)]
    assert max(map(tanh_error, xs)) <= near
    xs = draws(32, 900, small, 1.0) + draws(33, 300, 1.0, 22.0) + neighbours(small, 20)
    assert max(map(tanh_error, xs)) <= max(near, far) < 4


@given(st.floats(allow_nan=False))
def test_tanh_is_odd_and_at_most_one(x):
    assert packed([tanh(-x)]) == packed([-tanh(x)])
    assert -1 <= tanh(x) <= 1


@given(st.floats(min_value=-2.0**-28, max_value=2.0**-28))
def test_tanh_of_a_tiny_number_is_that_number(x):
    assert packed([tanh(x)]) == packed([x]) or abs(x) > 2.0**-31


def test_tanh_of_special_values():
    assert packed([tanh(-0.0), tanh(0.0), tanh(INF), tanh(-INF), tanh(1e300), tanh(5e-324)]) == (
        packed([-0.0, 0.0, 1.0, -1.0, 1.0, 5e-324]))
    assert math.isnan(tanh(math.nan))


# ---- the same bits everywhere -------------------------------------------------------------------

EXP_DIGEST = "d704dd06b89cfc8d7390fdce0b647e86d7095d9c69d0f637ad7d89ed52c92c7d"
TANH_DIGEST = "035d43b4ac9f29dc1e3a6de66879cca5270b770bf2f7b4014133927a0b334a61"


def digest(values):
    return hashlib.sha256(packed(values)).hexdigest()


@pytest.mark.slow("a bit of exp that no vector holds")
def test_bits_of_200000_results_of_exp_are_pinned():
    xs = draws(1, 100_000, -8.0, 0.0) + draws(2, 100_000, -746.0, 710.0)
    assert digest(exps(xs)) == EXP_DIGEST


def test_bits_of_20000_results_of_tanh_are_pinned():
    xs = draws(3, 10_000, -1.0, 1.0) + draws(4, 10_000, -23.0, 23.0)
    assert digest([tanh(x) for x in xs]) == TANH_DIGEST


# ---- power -------------------------------------------------------------------------------------

@given(st.fractions(max_denominator=50), st.integers(0, 40))
def test_power_of_a_fraction_is_exact(b, n):
    assert power(b, n) == b**n
    assert type(power(b, n)) is Fraction


@given(ANY_FLOAT)
def test_power_of_a_float_multiplies_in_the_stated_order(b):
    b2 = b * b
    b4 = b2 * b2
    got = [power(b, n) for n in (0, 1, 2, 3, 4, 5, 6, 7, 8)]
    want = [1.0, b, b2, b * b2, b4, b * b4, b2 * b4, (b * b2) * b4, b4 * b4]
    assert packed(got) == packed(want)


def test_power_zero_is_one_of_the_same_kind():
    for b in (0.0, -0.0, 3.5, Fraction(0), Fraction(2, 3)):
        assert power(b, 0) == 1 and type(power(b, 0)) is type(b)


def test_power_leaves_a_number_that_can_change_as_it_was():
    class Changing(Fraction):
        def __imul__(self, other):
            raise AssertionError("multiplied in its place")

    assert power(Changing(3), 5) == 243


def test_power_makes_no_square_it_does_not_need():
    squares = []

    class Counted(Fraction):
        def __mul__(self, other):
            squares.append(self is other)
            return Counted(Fraction(self) * Fraction(other))

    power(Counted(3), 8)
    assert squares == [True, True, True]


test_power_refuses_what_is_no_whole_number = refusals(
    value_error("n is -1; it must be at least 0", power, 2.0, -1),
    type_error("n is 2.0; a whole number is needed", power, 2.0, 2.0),
    type_error("n is True; a whole number is needed", power, 2.0, True),
)
