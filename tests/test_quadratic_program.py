"""Quadratic programs: every answer comes with multipliers that prove it."""

from fractions import Fraction as Q
from math import inf

import pytest
from exact import inner as dot
from hypothesis import example, given
from hypothesis import strategies as st
from profiles import draws

from refsvm.solvers.quadratic_program import minimise, minimise_inequalities

whole = st.integers(-4, 4).map(Q)


@st.composite
def programs(draw):
    """A small program in Fractions: P = B'B of any rank, equations that may be redundant."""
    n, m, r = draw(st.integers(1, 4)), draw(st.integers(0, 3)), draw(st.integers(0, 3))
    B = [[draw(whole) for _ in range(n)] for _ in range(r)]
    P = [[dot([b[i] for b in B], [b[j] for b in B]) for j in range(n)] for i in range(n)]
    A = [[draw(whole) for _ in range(n)] for _ in range(m)]
    if m > 1 and draw(st.booleans()):
        A[-1] = [2 * v for v in A[0]]
    point = [draw(whole) for _ in range(n)]
    c = [dot(row, point) + draw(st.sampled_from([0, 0, 0, 1])) for row in A]
    ends = [sorted((draw(whole), draw(whole))) for _ in range(n)]
    lower = [draw(st.sampled_from([low, -inf])) for low, _ in ends]
    upper = [draw(st.sampled_from([high, high, inf])) for _, high in ends]
    return P, [draw(whole) for _ in range(n)], A, c, lower, upper


def within(x, lower, upper):
    return all(low <= v <= high for v, low, high in zip(x, lower, upper))


def largest(slopes, lower, upper):
    """The largest value of slopes'x within the bounds."""
    total = Q(0)
    for s, low, high in zip(slopes, lower, upper):
        if s:
            end = high if s > 0 else low
            total = inf if abs(end) == inf else total + s * end
            if total == inf:
                return inf
    return total


def columns(A, n):
    return [[row[j] for row in A] for j in range(n)]


@given(programs())
@draws(3/2)
def test_every_ending_is_proved(program):
    P, q, A, c, lower, upper = program
    found = minimise(P, q, A, c, lower, upper)
    n = len(q)
    if found.status == "infeasible":
        together = [dot(column, found.multipliers) for column in columns(A, n)]
        assert largest(together, lower, upper) < dot(found.multipliers, c)
        assert found.x is None
        return
    assert within(found.x, lower, upper)
    assert [dot(row, found.x) for row in A] == c
    slopes = [dot(row, found.x) + v for row, v in zip(P, q)]
    assert found.value == (dot(found.x, slopes) + dot(found.x, q)) / 2
    if found.status == "unbounded":
        assert [dot(row, found.ray) for row in P] == [0] * n
        assert [dot(row, found.ray) for row in A] == [0] * len(A)
        assert dot(q, found.ray) < 0
        assert all(d <= 0 or high == inf for d, high in zip(found.ray, upper))
        assert all(d >= 0 or low == -inf for d, low in zip(found.ray, lower))
        return
    assert found.status == "optimal"
    columns_of_A = columns(A, n)
    s = [v - dot(column, found.multipliers) for v, column in zip(slopes, columns_of_A)]
    assert s == found.reduced
    for v, x, low, high in zip(s, found.x, lower, upper):
        assert v >= 0 or x == high
        assert v <= 0 or x == low


@given(programs(), st.data())
@draws(1/2)
def test_the_start_changes_no_value(program, data):
    first = minimise(*program)
    if first.status != "optimal":
        return
    P, q, A, c, lower, upper = program
    # Another feasible point: the optimum of another objective on the same set.
    other = minimise([[Q(0)] * len(q) for _ in q], [data.draw(whole) for _ in q], *program[2:])
    again = minimise(*program, start=other.x)
    assert (again.status, again.value) == ("optimal", first.value)
    again = minimise(*program, start=first.x)
    assert (again.status, again.value) == ("optimal", first.value)


# On floats a curvature of 2^-53 stood in the way of falling for ever: x went to 10^16, and back.
FLAT = (
    [[Q(v) for v in row] for row in ([1, 1, 0, -1], [1, 1, 0, -1], [0, 0, 0, 0], [-1, -1, 0, 1])],
    [Q(0), Q(0), Q(0), Q(1)], [[Q(2), Q(-1), Q(0), Q(0)]], [Q(0)],
    [-inf, -inf, Q(0), -inf], [Q(1), Q(1), Q(0), Q(0)],
)


@given(programs())
@example(FLAT)
@draws(1/2)
def test_floats_end_where_fractions_end(program):
    exactly = minimise(*program)
    P, q, A, c, lower, upper = program
    rounded = [[float(v) for v in row] for row in P]
    found = minimise(
        rounded, [float(v) for v in q], [[float(v) for v in row] for row in A],
        [float(v) for v in c], [float(v) for v in lower], [float(v) for v in upper], tol=1e-9,
    )
    assert found.status == exactly.status
    if exactly.status == "optimal":
        assert abs(found.value - exactly.value) <= 1e-6 * (1 + abs(exactly.value))


@given(programs())
@draws(1/2)
def test_inequalities_have_multipliers_of_one_sign(program):
    P, q, G, h, _, _ = program
    if not G:
        return
    found = minimise_inequalities(P, q, G, h)
    if found.status == "unbounded":
        assert all(dot(row, found.ray) <= 0 for row in G) and dot(q, found.ray) < 0
        return
    assert min(found.multipliers) >= 0
    together = [dot(column, found.multipliers) for column in columns(G, len(q))]
    if found.status == "infeasible":
        assert together == [0] * len(q) and dot(found.multipliers, h) < 0
        return
    room = [b - dot(row, found.x) for row, b in zip(G, h)]
    assert min(room) >= 0 == dot(room, found.multipliers)
    slopes = [dot(row, found.x) + v for row, v in zip(P, q)]
    assert [a + b for a, b in zip(slopes, together)] == [0] * len(q)


def test_an_equation_said_twice_has_one_multiplier_and_contradicted_has_no_point():
    found = minimise([[2]], [0], [[1], [1]], [Q(1), 1])
    assert (found.x, found.multipliers, found.reduced) == ([1], [2, 0], [0])
    found = minimise([[2]], [0], [[1], [1]], [Q(1), 2])
    assert (found.status, found.multipliers, found.iterations) == ("infeasible", [-1, 1], 0)


def test_a_program_with_no_unknown_to_choose():
    assert minimise([[1]], [1], [[2]], [Q(6)], [3], [3]).x == [3]


@pytest.mark.parametrize("start", [None, [2, 1]])
def test_a_linear_program_by_hand(start):
    # As much as possible of x + 2 y with x + y <= 4, y <= 3: the corner (1, 3).
    found = minimise_inequalities(
        [[0, 0], [0, 0]], [-1, -2], [[1, 1], [0, 1], [-1, 0]], [Q(4), 3, 0], start=start
    )
    assert (found.x, found.value, found.multipliers) == ([1, 3], -7, [1, 1, 0])


@pytest.mark.parametrize("start", [None, [Q(1), Q(1)]])
def test_a_hilltop_is_no_minimum(start):
    P = [[Q(-1), 0], [0, -1]]
    found = minimise(P, [0, -1], (), (), [-2, -2], [2, 2], start=start)
    assert found.status == "indefinite"


def test_a_start_inside_is_not_led_to_the_top_of_the_hill():
    found = minimise([[Q(-1)]], [0], (), (), [-2], [2], start=[1])
    assert (found.status, found.x) == ("indefinite", [1])


def test_a_limit_of_moves_is_kept():
    found = minimise([[Q(2), 0], [0, 2]], [-2, -4], max_iter=0, start=[0, 0])
    assert (found.status, found.iterations, found.x) == ("max_iter", 0, [0, 0])


def test_inputs_are_left_alone():
    P, q, A, c, lower, upper, start = [[2]], [1], [[1]], [0], [-1], [inf], [0]
    minimise(P, q, A, c, lower, upper, start=start)
    assert (P, q, A, c, lower, upper, start) == ([[2]], [1], [[1]], [0], [-1], [inf], [0])


@pytest.mark.parametrize(
    "arguments, named, sentence",
    [
        ([[[1, 2], [3, 1]], [0, 0]], {}, "P[0][1] is 2.0 and P[1][0] is 3.0; P must be symmetric,"
         " so take (P + P.T) / 2"),
        ([[[1]], [0, 0]], {}, "q has length 2; the number of unknowns is 1"),
        ([[[1]], [0], [[1, 2]], [0]], {}, "A[0] has length 2; the number of unknowns is 1"),
        ([[[1]], [0], [[1]], []], {}, "c has length 0; the number of rows of A is 1"),
        ([[[1]], [0], (), (), [1], [0]], {},
         "lower[0] is 1.0 and upper[0] is 0.0; it must not be above"),
        ([[[1]], [0], (), (), [inf]], {}, "lower[0] is inf; it must be a finite number"),
        ([[[1]], [0], (), (), [1, 2]], {}, "lower has length 2; the number of unknowns is 1"),
        ([[[1]], [0], (), (), [1]], {"start": [0]}, "start[0] is 0.0; it must be from 1.0 to inf"),
        ([[[1]], [0], [[2]], [3]], {"start": [1]},
         "start gives equation 0 the value 2.0; it must be 3.0"),
        ([[[1]], [0]], {"tol": -1}, "tol is -1.0; it must not be negative"),
        ([[[1]], [0]], {"max_iter": -1}, "max_iter is -1; it must be at least 0"),
    ],
)
def test_a_bad_argument_is_named(arguments, named, sentence):
    with pytest.raises(ValueError) as caught:
        minimise(*arguments, **named)
    assert str(caught.value) == sentence


def test_a_start_need_keep_equations_to_rounding_on_floats_and_exactly_on_fractions():
    P, q = [[1, 0], [0, 1]], [0, 0]
    assert 0.1 + 0.2 != 0.3
    assert minimise(P, q, [[0.1, 0.2]], [0.3], start=[1, 1]).status == "optimal"
    with pytest.raises(ValueError, match="^start gives equation 0 the value"):
        minimise(P, q, [[0.1, 0.2]], [0.3 + 2.0**-30], start=[1, 1])
    nearly = Q(3) + Q(1, 2**80)
    with pytest.raises(ValueError, match="^start gives equation 0 the value 3; it must be"):
        minimise(P, q, [[1, 2]], [nearly], start=[1, 1])


@pytest.mark.parametrize("change, name", [
    ({"h": [1, 2]}, "h"), ({"G": [[1, 2]]}, r"G\[0\]"), ({"start": [0, 0]}, "start"),
])
def test_inequalities_of_another_shape_are_refused(change, name):
    given = {"P": [[1]], "q": [0], "G": [[1]], "h": [1], **change}
    with pytest.raises(ValueError, match=f"^{name} has length 2"):
        minimise_inequalities(**given)


@pytest.mark.parametrize("one", [1.0, Q(1)])
def test_where_the_function_curves_down_without_a_bound_x_stays_a_number(one):
    found = minimise([[-one]], [one])
    assert (found.status, found.x) == ("indefinite", [0])


def test_on_fractions_a_variable_blocks_however_little_it_moves():
    little = Q(1, 2**50)  # x_1 = little x_0, x_1 at most 1
    found = minimise([[0, 0], [0, 0]], [-1, 0], [[-little, 1]], [0], [0, 0], [2**60, 1])
    assert (found.status, found.x) == ("optimal", [2**50, 1])
