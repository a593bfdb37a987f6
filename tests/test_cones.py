"""Farkas: coefficients or a separating direction, one of the two, and always with its proof."""

import copy
import doctest
from fractions import Fraction as Q

import pytest
from hypothesis import given
from hypothesis import strategies as st
from programs import few, inner, matrices, positives, vectors
from test_validation import exactly

from refsvm.numerics import cones as module
from refsvm.numerics.cones import nonnegative_combination


def test_docstrings_are_true():
    assert doctest.testmod(module).failed == 0


def combined(coefs, vectors, d):
    return [sum((c * v[j] for c, v in zip(coefs, vectors)), Q(0)) for j in range(d)]  # exact


@given(st.data(), st.integers(1, 3), st.integers(0, 5))
def test_either_coefficients_or_a_direction_and_each_proves_itself(data, d, m):
    given_vectors, target = data.draw(matrices(m, d)), data.draw(vectors(d))
    before = copy.deepcopy((given_vectors, target))
    coefs, direction = nonnegative_combination(given_vectors, target)
    assert (given_vectors, target) == before
    assert (coefs is None) != (direction is None)
    if direction is None:
        assert exactly(combined(coefs, given_vectors, d), target)
        assert len(coefs) == m and all(c >= 0 for c in coefs)
        assert len([c for c in coefs if c != 0]) <= d
    else:
        assert all(type(v) is Q for v in direction) and len(direction) == d
        assert all(inner(v, direction) <= 0 for v in given_vectors)
        assert inner(target, direction) > 0


@given(st.data(), st.integers(1, 3), st.integers(1, 6))
def test_what_was_combined_is_found_to_be_a_combination(data, d, m):
    given_vectors, chosen = data.draw(matrices(m, d)), data.draw(vectors(m, positives))
    target = combined(chosen, given_vectors, d)
    assert nonnegative_combination(given_vectors, target).direction is None


def test_a_degenerate_system_is_decided_to_the_point():
    """Beale's example, which made the simplex method famous for cycling: its optimum is 1/20."""
    rows = [
        [Q(1, 4), -60, -Q(1, 25), 9, 1, 0, 0],
        [Q(1, 2), -90, -Q(1, 50), 3, 0, 1, 0],
        [0, 0, 1, 0, 0, 0, 1],
        [Q(3, 4), -150, Q(1, 50), -6, 0, 0, 0],
    ]
    columns = [list(column) for column in zip(*rows)]
    found = nonnegative_combination(columns, [0, 0, 1, Q(1, 20)])
    assert combined(found.coefs, columns, 4) == [0, 0, 1, Q(1, 20)]
    above = nonnegative_combination(columns, [0, 0, 1, Q(51, 1000)])
    assert above.coefs is None


@given(st.data(), st.integers(1, 3), st.integers(1, 4))
def test_floats_are_decided_as_the_fractions_they_are(data, d, m):
    tenths = few.map(lambda v: float(v) / 10)
    rows, target = data.draw(matrices(m, d)), data.draw(vectors(d, tenths))
    rows = [[float(v) for v in row] for row in rows]
    found = nonnegative_combination(rows, target)
    exact = nonnegative_combination([list(map(Q, row)) for row in rows], list(map(Q, target)))
    for got, expected in zip(found, exact):
        assert got == (None if expected is None else list(map(float, expected)))


@pytest.mark.parametrize("rows, target, message", [
    ([[1, 2], [3]], [1, 2], "vectors[1] has length 1"),
    ([[1, 2]], [1], "vectors[0] has length 2 and the length of target is 1"),
    ([], [], "target is empty"),
    ([[float("inf")]], [1], "vectors[0][0] is inf"),
])
def test_bad_input_is_refused(rows, target, message):
    with pytest.raises(ValueError) as caught:
        nonnegative_combination(rows, target)
    assert message in str(caught.value)
