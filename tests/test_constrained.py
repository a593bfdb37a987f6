"""Programs made of functions: values, gradients, and what is allowed."""

import copy
from fractions import Fraction as Q

import pytest
from hypothesis import given
from hypothesis import strategies as st
from programs import (
    few,
    inner,
    mixed,
    positives,
    quadratics,
    solved,
    steps,
    symmetric,
    times,
    vectors,
)
from refusing import refusals, type_error, value_error
from test_validation import exactly

from refsvm.theory.constrained import (
    Differentiable,
    Program,
    active,
    affine,
    is_feasible,
    is_slater_point,
    is_strictly_feasible,
    quadratic,
    values,
)
from refsvm.theory.qp_duality import as_program


def quotient(f, x, j, h):
    """The symmetric difference quotient in x_j: of a quadratic function the derivative itself."""
    up, down = list(x), list(x)
    up[j] += h
    down[j] -= h
    return (f(up) - f(down)) / (2 * h)


# Functions


@given(st.data(), st.integers(1, 3))
def test_affine_and_quadratic_are_what_their_formulas_say(data, d):
    P, q, c, x = (data.draw(s) for s in (symmetric(d), vectors(d), few, vectors(d)))
    before = copy.deepcopy((P, q, x))
    assert exactly(affine(q, c).value(x), inner(q, x) + c)
    assert exactly(quadratic(P, q, c).value(x), inner(x, times(P, x)) / 2 + inner(q, x) + c)
    assert (P, q, x) == before
    assert affine(q, c).is_affine and not quadratic(P, q, c).is_affine


@given(st.data(), st.integers(1, 3), steps)
def test_gradients_are_difference_quotients(data, d, h):
    P, q, c, x = (data.draw(s) for s in (symmetric(d), vectors(d), few, vectors(d)))
    for function in (affine(q, c), quadratic(P, q, c)):
        slopes = [quotient(function.value, x, j, h) for j in range(d)]
        assert exactly(function.gradient(x), slopes)


@given(st.data(), st.integers(1, 2))
def test_an_affine_function_is_convex_and_so_is_its_negative(data, d):
    a, c, x, z = (data.draw(s) for s in (vectors(d), few, vectors(d), vectors(d)))
    t = data.draw(st.sampled_from([Q(0), Q(1, 3), Q(1, 2), Q(1)]))
    f, minus_f = affine(a, c).value, affine([-v for v in a], -c).value
    assert f(mixed(t, x, z)) == t * f(x) + (1 - t) * f(z)
    assert minus_f(x) == -f(x)
    assert f([Q(0)] * d) == c  # affine is linear but for c


def test_one_fraction_makes_everything_exact():
    tenth = Q(0.1)  # the fraction that the double is
    assert affine([0.1], 0.2).value([Q(3)]) == 3 * tenth + Q(0.2)
    assert affine([Q(3)]).value([0.1]) == 3 * tenth
    assert quadratic([[Q(1)]], [0]).value([0.1]) == tenth * tenth / 2
    assert type(affine([1]).value([1])) is float
    assert type(affine([1]).gradient([Q(1)])[0]) is Q


test_what_makes_no_program_is_refused = refusals(
    value_error("..P must be symmetric..", quadratic, [[1, 2], [3, 1]], [0, 0]),
    value_error("..P[0] has length 1 and the length of q is 2..", quadratic, [[1]], [0, 0]),
    value_error("..a is empty..", affine, []),
    value_error("..a has length 2 and x has length 1..", affine([1, 2]).gradient, [1]),
    value_error("..f(x) is nan..", values, Program(Differentiable(lambda x: float("nan"), None)),
                [1]),
    type_error("..g[0](x)..", values, Program(affine([1]), [Differentiable(lambda x: None, None)]),
               [1]),
)


# Feasibility


@given(quadratics(symmetric), st.data())
def test_feasible_means_that_every_constraint_holds(qp, data):
    program, x = as_program(qp), data.draw(vectors(len(qp.q)))
    g = [s - c for s, c in zip(times(qp.G, x), qp.h)]
    h = [s - c for s, c in zip(times(qp.A, x), qp.b)]
    at = values(program, x)
    assert exactly(at.inequalities, g) and exactly(at.equalities, h)
    assert at.objective == inner(x, times(qp.P, x)) / 2 + inner(qp.q, x)
    assert is_feasible(program, x) == (all(v <= 0 for v in g) and h == [0] * len(h))
    assert is_strictly_feasible(program, x) == (all(v < 0 for v in g) and h == [0] * len(h))
    assert active(program, x) == [i for i, v in enumerate(g) if v == 0]


@pytest.mark.parametrize("x, feasible, strictly", [
    ([-1, 1], True, True), ([0, 1], True, False), ([1, 1], False, False), ([-1, 2], False, False),
])
def test_inequalities_may_be_strict_and_equalities_hold_either_way(x, feasible, strictly):
    program = Program(affine([1, 1]), [affine([1, 0])], [affine([0, 1], -1)])  # c is 0 by default
    assert (is_feasible(program, x), is_strictly_feasible(program, x)) == (feasible, strictly)


@given(solved())
def test_a_solution_is_feasible_and_a_charged_constraint_is_active(made):
    qp, x, alpha, _ = made
    program = as_program(qp)
    assert is_feasible(program, x)
    assert {i for i, a in enumerate(alpha) if a > 0} <= set(active(program, x))
    assert not set(active(program, x)) or not is_strictly_feasible(program, x)


@given(st.data(), quadratics(), positives)
def test_slater_asks_for_room_where_a_constraint_is_curved_only(data, qp, size):
    program, x = as_program(qp), data.draw(vectors(len(qp.q)))
    assert is_slater_point(program, x) == is_feasible(program, x)
    ball = quadratic([[Q(2 * (i == j)) for j in range(len(x))] for i in range(len(x))],
                     [Q(0)] * len(x), -size)
    curved = program._replace(inequalities=[*program.inequalities, ball])
    assert is_slater_point(curved, x) == (is_feasible(program, x) and inner(x, x) < size)
    bent = program._replace(equalities=[ball])
    assert not is_slater_point(bent, x)


@given(st.fractions(-2, 2, max_denominator=4))
def test_a_constraint_missed_by_little_is_missed(v):
    at_most, exactly = Program(affine([1]), [affine([1])]), Program(affine([1]), (), [affine([1])])
    assert is_feasible(at_most, [v]) == (v <= 0) and is_feasible(exactly, [v]) == (v == 0)
    assert is_strictly_feasible(at_most, [v]) == (v < 0)
