"""Quadratic programs: infimum, dual function, optimum and multipliers, all without rounding."""

import copy
from fractions import Fraction as Q
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st
from minors import has_no_negative_principal_minor
from profiles import draws
from programs import (
    dual_points,
    few,
    grid,
    inner,
    matrices,
    mixed,
    quadratics,
    semidefinite,
    solved,
    symmetric,
    times,
    vectors,
)
from refusing import refusals, value_error
from test_validation import exactly

from refsvm.theory.constrained import is_feasible, is_slater_point, quadratic, values
from refsvm.theory.kkt_theorems import kkt_residuals
from refsvm.theory.lagrange_duality import certificate, lagrangian, theta_primal
from refsvm.theory.qp_duality import (
    as_program,
    dual_function,
    infimum,
    is_convex,
    kkt_point,
    optimum,
    quadratic_program,
    relaxed,
)

# Convexity


@given(st.data(), st.integers(1, 3))
def test_convex_means_that_no_chord_runs_below(data, d):
    P, q = data.draw(st.one_of(semidefinite(d), symmetric(d))), data.draw(vectors(d))
    x, z = data.draw(vectors(d)), data.draw(vectors(d))
    t = data.draw(st.sampled_from([Q(1, 2), Q(1, 5)]))
    f, convex = quadratic(P, q).value, is_convex(P)
    assert convex == has_no_negative_principal_minor(P)
    chord = t * f(x) + (1 - t) * f(z) - f(mixed(t, x, z))
    if convex:
        assert chord >= 0
    away = [a - b for a, b in zip(x, z)]
    assert chord == t * (1 - t) / 2 * inner(away, times(P, away))


@given(st.integers(1, 3))
def test_the_squared_norm_is_convex(d):
    assert is_convex([[Q(2 * (i == j)) for j in range(d)] for i in range(d)])
    assert not is_convex([[Q(-2 * (i == j == 0)) for j in range(d)] for i in range(d)])


# The infimum


@given(st.data(), st.integers(1, 3))
def test_an_infimum_is_taken_or_escaped_and_each_proves_itself(data, d):
    P, q = data.draw(st.one_of(semidefinite(d), symmetric(d))), data.draw(vectors(d))
    before = copy.deepcopy((P, q))
    f, found = quadratic(P, q), infimum(P, q)
    assert (P, q) == before
    if found.direction is None:
        assert f.gradient(found.minimiser) == [0] * d and is_convex(P)
        assert exactly(found.value, f.value(found.minimiser))
        assert all(f.value(x) >= found.value for x in grid(d, 1))
    else:
        assert found.value == -inf and found.minimiser is None
        bend, slope = inner(found.direction, times(P, found.direction)), inner(q, found.direction)
        assert bend <= 0 and slope <= 0 and bend + slope < 0  # falls at an increasing rate


def test_where_nothing_bends_it_falls_against_the_slope():
    assert infimum([[Q(0)]], [1]) == (-inf, None, [-1])
    assert infimum([[Q(0), 0], [0, 0]], [0, 2]) == (-inf, None, [0, -2])


@given(st.data(), quadratics(symmetric))
def test_the_dual_function_is_the_infimum_of_the_lagrangian(data, qp):
    program, x = as_program(qp), data.draw(vectors(len(qp.q)))
    alpha, beta = data.draw(dual_points(program, few))
    value = dual_function(qp, alpha, beta)
    assert value <= lagrangian(program, x, alpha, beta)
    pulled = list(qp.q)
    for a, row in zip(alpha + beta, qp.G + qp.A):
        pulled = [s + a * t for s, t in zip(pulled, row)]
    found = infimum(qp.P, pulled)
    if found.direction is None:
        assert exactly(value, lagrangian(program, found.minimiser, alpha, beta))
    else:
        assert value == -inf
        start = lagrangian(program, [Q(0)] * len(x), alpha, beta)
        far = [1000 * v for v in found.direction]
        assert lagrangian(program, far, alpha, beta) < start


@given(st.data(), quadratics(symmetric))
def test_the_dual_function_of_any_quadratic_program_is_concave_and_a_lower_bound(data, qp):
    program, x = as_program(qp), data.draw(vectors(len(qp.q)))
    (a, b), (c, d) = data.draw(dual_points(program)), data.draw(dual_points(program))
    ends = dual_function(qp, a, b), dual_function(qp, c, d)
    if -inf not in ends:
        middle = dual_function(qp, mixed(Q(1, 3), a, c), mixed(Q(1, 3), b, d))
        assert middle >= (ends[0] + 2 * ends[1]) / 3
    assert max(ends) <= theta_primal(program, x)


# Equality constraints


@given(st.data(), st.integers(1, 3), st.integers(0, 2))
def test_lagrange_multipliers_find_the_least_point_of_a_plane(data, d, k):
    P, q = data.draw(semidefinite(d)), data.draw(vectors(d))
    A, inside = data.draw(matrices(k, d)), data.draw(vectors(d))
    before = copy.deepcopy((P, q, A))
    found = kkt_point(P, q, A, times(A, inside))
    assert (P, q, A) == before
    if found is None:  # some direction stays in the plane and leads down for ever
        zero = [Q(0)] * k
        assert optimum(quadratic_program(P, q, A=A, b=zero)) is None
        return
    x, beta = found
    f = quadratic(P, q)
    assert times(A, x) == times(A, inside)
    pull = [inner(beta, [row[j] for row in A]) for j in range(d)]
    assert f.gradient(x) == [-v for v in pull]
    assert f.value(x) <= f.value(inside)


def test_equations_that_contradict_each_other_have_no_point():
    assert kkt_point([[Q(1)]], [0], [[1], [1]], [0, 1]) is None
    assert kkt_point([[Q(0)]], [1], [], []) is None
    assert kkt_point([[Q(1)]], [0], [[1], [2]], [1, 2])[0] == [1]  # said twice, but no harm


# The optimum


@given(solved())
def test_the_optimum_has_no_gap_and_keeps_the_conditions(made):
    qp, x, alpha, beta = made
    before = copy.deepcopy(qp)
    found, program = optimum(qp), as_program(qp)
    assert qp == before
    assert exactly(found.value, program.objective.value(x))
    assert kkt_residuals(program, found.x, found.alpha, found.beta).worst == 0

    def theta(alpha, beta):
        return dual_function(qp, alpha, beta)

    assert certificate(program, theta, found.x, found.alpha, found.beta).gap == 0
    assert certificate(program, theta, found.x, alpha, beta).gap == 0
    assert certificate(program, theta, x, found.alpha, found.beta).gap == 0


@given(st.data(), quadratics(most=2))
def test_without_an_optimum_there_is_no_point_or_no_bound(data, qp):
    """A convex program with a feasible point, hence Slater's condition, has no gap at all."""
    found, program = optimum(qp), as_program(qp)
    allowed = [x for x in grid(len(qp.q), 2) if is_feasible(program, x)]
    if found:
        assert is_slater_point(program, found.x)
        assert dual_function(qp, found.alpha, found.beta) == found.value
        assert all(program.objective.value(x) >= found.value for x in allowed)
    elif allowed:
        alpha, beta = data.draw(dual_points(program))
        assert dual_function(qp, alpha, beta) == -inf


def test_a_program_without_a_point_and_one_without_a_bound():
    assert optimum(quadratic_program([[Q(1)]], [0], [[1], [-1]], [0, -1])) is None
    assert optimum(quadratic_program([[Q(0)]], [1], [[1]], [0])) is None
    with pytest.raises(ValueError, match="P is not positive semidefinite"):
        optimum(quadratic_program([[Q(-1)]], [0], [[1], [-1]], [1, 1]))


# Sensitivity


@given(st.data(), solved())
def test_multipliers_bound_what_it_is_worth_to_relax_a_constraint(data, made):
    qp, x, alpha, beta = made
    u, v = data.draw(vectors(len(alpha))), data.draw(vectors(len(beta)))
    let_out = relaxed(qp, u, v)
    assert values(as_program(let_out), x).inequalities == [
        g - s for g, s in zip(values(as_program(qp), x).inequalities, u)
    ]
    found = optimum(let_out)
    if found:
        assert found.value >= optimum(qp).value - inner(alpha, u) - inner(beta, v)


@draws(2/5)
@given(st.data(), st.integers(1, 2))
def test_a_multiplier_is_minus_the_derivative_of_the_optimal_value(data, m):
    """Where the active constraints stay the same, p* is quadratic: the quotient is exact."""
    alpha = data.draw(vectors(m, st.sampled_from([Q(0), Q(1), Q(3, 2), Q(3)])))
    room = [Q(0) if a else Q(1) for a in alpha]
    G = [[Q(i == j) for j in range(m)] for i in range(m)]
    P = [[Q(2 * (i == j)) for j in range(m)] for i in range(m)]
    qp = quadratic_program(P, [-a for a in alpha], G, room)  # optimal at 0 with these multipliers
    assert optimum(qp).alpha == alpha and optimum(qp).x == [0] * m
    i = data.draw(st.integers(0, m - 1))
    step = [Q(i == j) / 4 for j in range(m)]
    up, down = optimum(relaxed(qp, step)), optimum(relaxed(qp, [-s for s in step]))
    assert (up.value - down.value) / Q(1, 2) == -alpha[i]


# Numbers


def test_floats_are_decided_exactly_and_rounded_at_the_end():
    tenth = Q(0.1)
    assert infimum([[0.0]], [0.1 + 0.2 - 0.3]).value == -inf  # 2^-54 is not zero
    assert infimum([[0.1]], [0.3]).value == float(-Q(0.3) * Q(0.3) / (2 * tenth))
    qp = quadratic_program([[0.1]], [0.0], [[-1.0]], [-3.0])
    assert optimum(qp) == (float(tenth * 9 / 2), [3.0], [float(3 * tenth)], [])
    assert dual_function(qp, [Q(0)]) == 0 and type(dual_function(qp, [Q(0)])) is Q
    assert type(relaxed(qp, [Q(1)]).h[0]) is Q
    with pytest.raises(ValueError, match="the answer is beyond any double; give Fractions"):
        infimum([[5e-324]], [1e300])


test_bad_input_is_refused = refusals(
    value_error("..P must be symmetric..", quadratic_program, [[1, 2], [0, 1]], [0, 0]),
    value_error("..P[0] has length 1 and the length of q is 2..", quadratic_program, [[1]],
                [0, 1]),
    value_error("..G has 1 rows and h has length 0..", quadratic_program, [[1]], [0], [[1]]),
    value_error("..A[0] has length 2..", quadratic_program, [[1]], [0], A=[[1, 2]], b=[1]),
    value_error("..alpha has length 1..", dual_function, quadratic_program([[1]], [0]), [1]),
    value_error("..P must be symmetric..", is_convex, [[1, 2], [3, 4]]),
    value_error("..q[0] is nan..", infimum, [[1]], [float("nan")]),
)


def test_down_a_ridge_the_way_is_the_witness_or_its_opposite():
    ways = [infimum([[-1]], [slope]).direction for slope in (-1, 0, 1)]
    assert ways == [[1], [1], [-1]]
