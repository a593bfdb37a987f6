"""refsvm_fast.numerics.elementary: every bit of exp, tanh and power."""

from fractions import Fraction
from math import inf, nan

import pytest
import strategies_fast as draws
from equality import outcome
from hypothesis import given
from hypothesis import strategies as st

import refsvm_fast
from refsvm.numerics import elementary as oracle
from refsvm_fast.numerics import elementary as fast

floats = st.one_of(
    st.floats(), st.floats(-750, 712), st.floats(-1, 1),
    st.sampled_from([0.0, -0.0, inf, -inf, nan, 709.0, 709.78, 709.79, 710.0, 710.1, -744.0,
                     -744.5, -745.2, -746.0, -746.1, 5e-324, 22.0, 22.1, 0.34657359027997264]),
)


class Number(float):
    """A float with a class of its own."""


def same(name, *args):
    """The function of this name shows the same, whichever of the two modules it is from."""
    assert outcome(getattr(oracle, name), *args) == outcome(getattr(fast, name), *args)


@given(floats)
def test_exp_and_tanh_have_the_same_bits(x):
    same("exp", x)
    same("tanh", x)


@given(st.lists(floats, max_size=40))
def test_exps_have_the_same_bits(xs):
    same("exps", xs)


def test_exp_has_the_same_bits_from_one_end_to_the_other():
    xs = [k * 0.0625 + k * 1e-7 for k in range(-12000, 11400)]
    assert list(map(float.hex, oracle.exps(xs))) == list(map(float.hex, fast.exps(xs)))
    for x in xs[::37]:
        assert oracle.exp(x).hex() == fast.exp(x).hex()
        assert oracle.tanh(x / 32).hex() == fast.tanh(x / 32).hex()


@given(floats, st.one_of(st.integers(0, 70), st.sampled_from([2**31 - 1, 2**31, 10**20])))
def test_powers_have_the_same_bits(b, n):
    same("power", b, n)


@given(st.fractions(), st.integers(0, 9))
def test_powers_of_fractions_and_ints_are_exact(b, n):
    same("power", b, n)
    same("power", int(b), n)


@given(st.data())
def test_anything_else_is_the_oracles(data):
    value = data.draw(st.one_of(draws.nonsense, st.sampled_from([Number(1.5), 3, -2, True])))
    same("exp", value)
    same("tanh", value)
    same("exps", value)
    same("exps", [1.0, value])
    same("exps", (1.0, 2.0))
    same("power", 1.5, value)
    same("power", Number(1.5), 2)
    if not isinstance(value, int) or value < 100:
        same("power", Fraction(3, 2), value)


@pytest.mark.skipif(not refsvm_fast.COMPILED, reason="nothing is compiled here")
def test_they_are_compiled():
    for name in ("exp", "exps", "tanh", "power"):
        assert getattr(fast, name) is not getattr(oracle, name)
