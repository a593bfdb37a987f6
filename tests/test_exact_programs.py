"""The judge of every machine is judged: programs whose optima are seen at once, and any others."""

from fractions import Fraction as Q
from itertools import product
from math import inf

import pytest
from exact_programs import (
    Program,
    corners,
    inner,
    inverted,
    is_feasible,
    is_unique,
    objective,
    optimum,
    solved,
    times,
)
from hypothesis import given
from hypothesis import strategies as st
from profiles import draws

ONE = [[Q(1)]]
EQUAL = [[Q(1), Q(1)], [Q(1), Q(1)]]
NONE = [[Q(0), Q(0)], [Q(0), Q(0)]]


def test_free_variable_goes_where_its_slope_is_0():
    found = optimum(Program(ONE, [Q(2)], [-inf], [inf]))
    assert (found.value, found.b, found.r) == (-2, [2], [0])


@pytest.mark.parametrize("lower, upper, b", [(3, 5, 3), (-1, 1, 1), (0, 2, 2), (-inf, 1, 1)])
def test_variable_without_a_group_stops_at_its_bound(lower, upper, b):
    assert optimum(Program(ONE, [Q(2)], [lower], [upper])).b == [b]


def test_numbers_may_be_beyond_any_double():
    far = Q(10) ** 400
    assert optimum(Program(ONE, [far], [0], [inf])).b == [far]
    assert optimum(Program([[1 / far]], [Q(1)], [0], [inf])).b == [far]


def test_two_groups_have_a_multiplier_each():
    K = [[Q(int(i == j)) for j in range(4)] for i in range(4)]
    program = Program(K, [0, 4, 0, 0], [0] * 4, [1, 3, 1, 1], [[0, 1], [2, 3]], [2, 2])
    found = optimum(program)
    assert found.b == [0, 2, 1, 1]
    assert found.multipliers == [(2, 2), (-inf, -1)]
    assert is_unique(program)


def test_sum_that_no_variables_reach_has_no_optimum():
    for s in (-1, 5):
        program = Program(EQUAL, [0, 0], [0, 0], [2, 2], [[0, 1]], [s])
        assert not is_feasible(program) and optimum(program) is None
    assert is_feasible(program._replace(sums=[4]))


def test_objective_that_falls_for_ever_has_no_optimum():
    program = Program(NONE, [Q(1), Q(-1)], [0, 0], [inf, inf])
    assert is_feasible(program) and optimum(program) is None


@pytest.mark.parametrize("program, unique, count", [
    (Program(EQUAL, [1, 1], [0, 0], [1, 1]), False, 2),
    (Program(EQUAL, [2, 2], [0, 0], [1, 1]), True, 1),
    (Program(EQUAL, [0, 0], [0, -inf], [inf, 0]), False, 1),  # a ray: (1, -1) for ever
    (Program(EQUAL, [0, -1], [0, -inf], [inf, 0], [[0, 1]], [0]), None, 0),
    (Program(EQUAL, [0, 1], [0, -inf], [inf, 0], [[0, 1]], [0]), True, 1),
    (Program(NONE, [1, 1], [0, 0], [1, 1], [[0, 1]], [1]), False, 2),
    (Program(NONE, [1, 0], [0, 0], [1, 1], [[0, 1]], [1]), True, 1),
])
def test_corners_tell_whether_an_optimum_is_the_only_one(program, unique, count):
    assert len(list(corners(program))) == count
    if unique is not None:
        assert is_unique(program) == unique


few = st.sampled_from([Q(v, 2) for v in range(-4, 5)])


def lists(n, numbers=few):
    return st.lists(numbers, min_size=n, max_size=n)


@st.composite
def programs(draw, most=4):
    """(program, b): any program within finite bounds, and a b that fulfils its constraints."""
    n = draw(st.integers(1, most))
    M = draw(st.lists(lists(n), min_size=1, max_size=2))
    K = [[inner([row[i] for row in M], [row[j] for row in M]) for j in range(n)] for i in range(n)]
    lower, b, room = draw(lists(n)), draw(lists(n)), draw(lists(n))
    lower = [min(low, v) for low, v in zip(lower, b)]
    upper = [v + abs(more) for v, more in zip(b, room)]
    of = draw(st.lists(st.sampled_from([0, 1, None]), min_size=n, max_size=n))
    groups = [[k for k in range(n) if of[k] == g] for g in (0, 1)]
    groups = [g for g in groups if g]
    sums = [inner([1] * len(g), [b[k] for k in g]) for g in groups]
    return Program(K, draw(lists(n)), lower, upper, groups, sums), b


@given(programs())
def test_no_feasible_point_beats_the_optimum(given_):
    program, b = given_
    found = optimum(program)
    assert objective(program, b) >= found.value == objective(program, found.b)
    assert all(low <= v <= high for low, v, high in zip(program.lower, found.b, program.upper))
    for group, s in zip(program.groups, program.sums):
        assert inner([1] * len(group), [found.b[k] for k in group]) == s


@given(programs())
def test_multipliers_of_an_interval_prove_the_optimum_and_no_others_do(given_):
    program, _ = given_
    found = optimum(program)
    ends = [[v for v in interval if abs(v) < inf] or [Q(7)] for interval in found.multipliers]
    for lams in product(*ends):
        assert lower_bound(program, found, lams) == found.value
    for g, interval in enumerate(found.multipliers):
        for end, step in zip(interval, (-1, 1)):
            if abs(end) < inf:
                lams = [v[0] for v in ends]
                lams[g] = end + step
                assert lower_bound(program, found, lams) < found.value


def lower_bound(program, found, lams):
    """The Lagrange dual function at lams, from the tangent plane of the objective at found.b."""
    of = {k: lam for g, lam in zip(program.groups, lams) for k in g}
    bound = -inner(found.b, times(program.K, found.b)) / 2 - inner(lams, program.sums)
    for k, (r, low, high) in enumerate(zip(found.r, program.lower, program.upper)):
        slope = r - of.get(k, 0)
        bound -= slope * (high if slope > 0 else low)
    return bound


@draws(1 / 2)
@given(programs(), st.data())
def test_mixtures_of_corners_are_optimal_and_have_the_same_residuals(given_, data):
    program, _ = given_
    found, all_of_them = optimum(program), list(corners(program))
    share = data.draw(st.sampled_from([Q(1, 3), Q(1, 2)]))
    one, other = (data.draw(st.sampled_from(all_of_them)) for _ in range(2))
    mixed = [share * p + (1 - share) * q for p, q in zip(one, other)]
    assert objective(program, mixed) == found.value
    assert (len(all_of_them) == 1) == is_unique(program)


@pytest.mark.parametrize("A, inverse", [
    ([[2, 1], [1, 3]], [[Q(3, 5), Q(-1, 5)], [Q(-1, 5), Q(2, 5)]]),
    ([[0, 1], [1, 0]], [[0, 1], [1, 0]]),
    ([[1, 2], [2, 4]], None),
    ([], []),
])
def test_inverse_of_a_matrix(A, inverse):
    assert inverted(A) == inverse
    if A:
        right = [Q(3), Q(-1)]
        assert solved(A, right) == (inverse and [inner(row, right) for row in inverse])
