"""The bits of exp, tanh and powers in compiled kernels, over the whole range of doubles."""

from math import inf

import pytest
from equality import same
from hypothesis import given
from hypothesis import strategies as st
from profiles import one_in

from refsvm import Gaussian, MonomialSum, Polynomial, Sigmoid

ENDS = [
    709.0, 709.78, 709.79, 710.0, 744.0, 744.5, 745.2, 746.0, 746.1, 700.0, 699.9999999999999,
    750.0, 22.0, 22.1, 0.34657359027997264, 5e-324, 1e-300, 1e300,
]
sizes = st.one_of(st.floats(5e-324, 1e308), st.floats(1e-3, 760), st.floats(1e-3, 1),
                  st.sampled_from(ENDS))
# One at a time, two at a time, .. : loops take several vectors together, and what is left.
counts = st.integers(1, 40)


@given(sizes, counts)
def test_exponentials_have_the_same_bits(x, n):
    X = [[1.0]] + [[0.0], [2.0], [1.0], [1.5]] * n  # exp(-x), exp(-x), 1, exp(-x / 4)
    same("gram", Gaussian(x), X[:1], X[:n])


@given(sizes, st.sampled_from([1.0, -1.0, 0.0, -0.0]), counts)
def test_hyperbolic_tangents_have_the_same_bits(x, sign, n):
    same("gram", Sigmoid(x, 0), [[sign]], [[1.0], [0.5], [-1.0], [0.0], [-0.0]] * n)
    same("gram", Sigmoid(1, x * sign), [[0.0]], [[1.0]] * n)


@given(st.floats(-1e160, 1e160), st.integers(0, 70) | st.sampled_from([2**31, 2**63 - 1]))
def test_powers_have_the_same_bits(b, n):
    for kernel in (Polynomial(n), Polynomial(n, 1, b), MonomialSum(min(n, 99))):
        same("gram", kernel, [[b], [1.0], [-1.0]], [[1.0], [-0.5]])


@pytest.mark.parametrize("part", one_in(4, range(8)))
def test_from_one_end_to_the_other(part):
    xs = [k * 0.125 + k * 1e-7 for k in range(1 + part, 6100, 8)]
    roots = [[x**0.5] for x in xs]
    same("gram", Gaussian(1), [[0.0]], roots)
    same("gram", Sigmoid(1 / 32, 0), [[1.0]], [[x] for x in xs] + [[-x] for x in xs])


@pytest.mark.parametrize("x", [*ENDS, inf, 1e308])
def test_the_ends_of_the_doubles(x):
    for d in (1.0, 1e-200, 1e200):
        same("gram", Gaussian(min(x, 1e308)), [[0.0]], [[d], [-d]])
        same("gram", Sigmoid(min(x, 1e308), -0.0), [[d]], [[1.0], [-1.0]])
