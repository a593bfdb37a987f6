"""The best step along a line: no other is better, no shorter one as good, to the last digit."""

from copy import deepcopy
from fractions import Fraction

import pytest
from convex_draws import convex, points, psd_matrices, thirds
from hypothesis import assume, given
from hypothesis import strategies as st
from profiles import draws

from refsvm.numerics.linalg import add_scaled
from refsvm.solvers.step_sizes import best_step, kinks, second_derivative
from refsvm.theory.convex_functions import (
    absolute_sum,
    largest,
    plus,
    polyhedral,
    quadratic,
    substituted,
)
from refsvm.theory.subgradients import directional_derivative

F = Fraction


@st.composite
def searches(draw):
    """f, x, direction: f with or without a quadratic term."""
    d = draw(st.integers(1, 2))
    f = draw(convex(d, curved=False))
    if draw(st.booleans()):
        f = plus(f, quadratic(draw(psd_matrices(d))))
    return f, draw(points(d, thirds)), draw(points(d))


@draws(3/5)
@given(searches(), st.fractions(0, 20, max_denominator=4))
def test_no_step_is_better_than_the_best_and_no_shorter_one_as_good(given_, other):
    f, x, direction = given_
    before = deepcopy(given_)
    try:
        t = best_step(f, x, direction)
    except ValueError:
        assert f(add_scaled(x, other, direction)) > f(add_scaled(x, other + 1, direction))
        assert f(add_scaled(x, F(10**6), direction)) > f(add_scaled(x, F(10**7), direction))
        return
    assert t >= 0
    best = f(add_scaled(x, t, direction))
    assert best <= f(add_scaled(x, other, direction))
    assert directional_derivative(f, add_scaled(x, t, direction), direction) >= 0
    for part in (0, F(1, 2), F(99, 100)):
        assert t == 0 or best < f(add_scaled(x, part * t, direction))
    assert given_ == before


@given(searches())
@draws(2/5)
def test_between_two_kinks_a_line_is_one_parabola(given_):
    f, x, direction = given_
    line = substituted(f, [[v] for v in direction], x)
    found = kinks(line)
    assert found == sorted(set(found)) and all(t > 0 for t in found)
    ends = [F(0), *found, (found or [F(0)])[-1] + 2]
    for low, high in zip(ends, ends[1:]):
        middle = (low + high) / 2
        sag = (line([low]) + line([high])) / 2 - line([middle])
        assert sag == second_derivative(line) * (high - low) * (high - low) / 8


@given(st.fractions(-5, 5, max_denominator=4), st.fractions(1, 9, max_denominator=4))
def test_the_best_step_on_a_parabola_is_its_vertex(x, bend):
    assert best_step(quadratic([[bend]]), [x], [-1]) == max(x, 0)
    assert best_step(quadratic([[bend]], [bend]), [x], [-1]) == max(x + 1, 0)


@pytest.mark.parametrize("centre, bends, best", [
    (1, [5], F(3, 2)),  # the vertex lies before the kink
    (1, [F(7, 4)], F(3, 2)),  # and close to it
    (3, [1], F(5, 2)),  # behind it
    (6, [3, 4], 5),  # behind both
])
def test_the_best_step_on_a_parabola_with_kinks_by_hand(centre, bends, best):
    f = quadratic([[F(2)]], [-2 * centre])  # (x - centre)^2, and |x - k| for each kink
    for k in bends:
        f = plus(f, polyhedral([[1], [-1]], [-k, k]))
    assert best_step(f, [0], [1]) == best


def test_floats_are_searched_exactly_and_rounded_once():
    f = absolute_sum([1.0, 2.0])
    t = best_step(f, [0.1, 0.3], [-1.0, -7.0])
    assert type(t) is float
    assert t == float(F(0.3) / 7)


def test_where_nothing_stops_the_fall_there_is_no_best_step():
    with pytest.raises(ValueError, match="f falls for ever from x in this direction"):
        best_step(polyhedral([[-1], [-2]], [0, 1]), [0], [1])
    assert best_step(polyhedral([[1], [0]], [0, -3]), [0], [-1]) == 3


def test_kinks_that_need_not_be_rational_are_refused():
    f = largest(quadratic([[1]]), polyhedral([[0]], [1]))  # x^2 / 2 = 1 at the root of 2
    with pytest.raises(ValueError, match="its kinks need not be rational"):
        best_step(f, [2], [-1])


@given(searches())
@draws(1/5)
def test_a_direction_of_another_length_is_refused(given_):
    f, x, direction = given_
    assume(len(x) == 2)
    with pytest.raises(ValueError, match="b has length 2|A has length 1|the two must be equal"):
        best_step(f, x, direction[:1])
