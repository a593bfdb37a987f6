"""Multipliers instead of prohibitions: the Lagrangian, the two games, and what a gap proves."""

import copy
from fractions import Fraction as Q
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st
from programs import (
    dual_points,
    few,
    finite,
    inner,
    matrices,
    mixed,
    positives,
    quadratics,
    solved,
    steps,
    symmetric,
    vectors,
)
from test_constrained import quotient
from test_validation import exactly

from refsvm.theory.constrained import Differentiable, Program, affine, is_feasible, values
from refsvm.theory.lagrange_duality import (
    certificate,
    explosion,
    finite_dual,
    finite_primal,
    gradient,
    lagrangian,
    maxmin,
    minmax,
    theta_primal,
)
from refsvm.theory.qp_duality import as_program, dual_function

# The Lagrangian


@given(st.data(), quadratics(symmetric))
def test_the_lagrangian_is_the_objective_plus_the_charged_constraints(data, qp):
    program, x = as_program(qp), data.draw(vectors(len(qp.q)))
    alpha, beta = data.draw(dual_points(program, few))
    before = copy.deepcopy((x, alpha, beta))
    f, g, h = values(program, x)
    assert exactly(lagrangian(program, x, alpha, beta), f + inner(alpha, g) + inner(beta, h))
    assert (x, alpha, beta) == before


@given(st.data(), quadratics(symmetric))
def test_the_lagrangian_is_affine_in_the_multipliers(data, qp):
    program, x = as_program(qp), data.draw(vectors(len(qp.q)))
    (a, b), (c, d) = data.draw(dual_points(program, few)), data.draw(dual_points(program, few))
    t = data.draw(few)
    between = lagrangian(program, x, mixed(t, a, c), mixed(t, b, d))
    ends = lagrangian(program, x, a, b), lagrangian(program, x, c, d)
    assert between == t * ends[0] + (1 - t) * ends[1]


@given(st.data(), quadratics(symmetric), steps)
def test_the_gradient_of_the_lagrangian_is_its_difference_quotient(data, qp, step):
    program, x = as_program(qp), data.draw(vectors(len(qp.q)))
    alpha, beta = data.draw(dual_points(program, few))
    slopes = [
        quotient(lambda z: lagrangian(program, z, alpha, beta), x, j, step) for j in range(len(x))
    ]
    assert exactly(gradient(program, x, alpha, beta), slopes)
    for j, h in enumerate(values(program, x).equalities):  # and in beta_j it is h_j
        assert quotient(lambda b: lagrangian(program, x, alpha, b), beta, j, step) == h


@given(st.data(), quadratics(symmetric))
def test_multipliers_never_cost_a_feasible_point_anything(data, qp):
    program, x = as_program(qp), data.draw(vectors(len(qp.q)))
    alpha, beta = data.draw(dual_points(program))
    value = lagrangian(program, x, alpha, beta)
    assert value <= theta_primal(program, x)
    if is_feasible(program, x):
        assert value <= values(program, x).objective


# theta_P


@given(st.data(), quadratics(symmetric))
def test_theta_primal_is_the_objective_where_feasible_and_inf_elsewhere(data, qp):
    program, x = as_program(qp), data.draw(vectors(len(qp.q)))
    f, g, h = values(program, x)
    if is_feasible(program, x):
        assert theta_primal(program, x) == f == lagrangian(program, x, [0] * len(g), [0] * len(h))
    else:
        assert theta_primal(program, x) == inf


@given(st.data(), quadratics(symmetric), st.integers(1, 10**6))
def test_where_a_constraint_is_broken_the_lagrangian_explodes(data, qp, t):
    program, x = as_program(qp), data.draw(vectors(len(qp.q)))
    found = explosion(program, x)
    assert (found is None) == is_feasible(program, x)
    if found:
        assert found.slope > 0 and all(a >= 0 for a in found.alpha)
        alpha, beta = [t * a for a in found.alpha], [t * b for b in found.beta]
        grown = values(program, x).objective + t * found.slope
        assert lagrangian(program, x, alpha, beta) == grown


@given(finite())
def test_minimising_theta_primal_is_the_constrained_problem(drawn):
    program, points = drawn
    allowed = [x for x in points if is_feasible(program, x)]
    expected = min((program.objective.value(x) for x in allowed), default=inf)
    assert finite_primal(program, points) == expected
    thetas = [theta_primal(program, x) for x in points]
    if allowed:
        best = [x for x, theta in zip(points, thetas) if theta == min(thetas)]
        assert best == [x for x in allowed if program.objective.value(x) == expected]


# theta_D


@given(st.data(), finite())
def test_no_multipliers_make_the_dual_larger_than_the_primal(data, drawn):
    """Weak duality, for any functions whatever."""
    program, points = drawn
    alpha, beta = data.draw(dual_points(program))
    value = finite_dual(program, points, alpha, beta)
    assert value <= finite_primal(program, points)
    assert value == min(lagrangian(program, x, alpha, beta) for x in points)


@given(st.data(), finite(), st.sampled_from([Q(1, 2), Q(1, 7)]))
def test_a_dual_function_is_concave_whatever_the_objective(data, drawn, t):
    program, points = drawn
    (a, b), (c, d) = data.draw(dual_points(program)), data.draw(dual_points(program))
    between = finite_dual(program, points, mixed(t, a, c), mixed(t, b, d))
    ends = finite_dual(program, points, a, b), finite_dual(program, points, c, d)
    assert between >= t * ends[0] + (1 - t) * ends[1]


@given(few, positives, positives)
def test_the_dual_of_a_double_well_is_concave(edge, a, c):
    """x^4 - 2 x^2, which is not convex, such that x <= edge, on a grid of quarters."""
    well = Differentiable(lambda x: x[0] * x[0] * (x[0] * x[0] - 2), None)
    program, points = Program(well, [affine([1], -edge)]), [[Q(v, 4)] for v in range(-8, 9)]
    assert well.value([0]) > (well.value([-1]) + well.value([1])) / 2
    between = finite_dual(program, points, [(a + c) / 2])
    assert between >= (finite_dual(program, points, [a]) + finite_dual(program, points, [c])) / 2


def test_a_negative_multiplier_bounds_nothing():
    program = Program(affine([Q(1)]), [affine([Q(-1)], -1)])  # min x such that x >= -1
    points = [[0], [1]]
    assert finite_dual(program, points, [-1]) == 1 > finite_primal(program, points) == 0
    with pytest.raises(ValueError, match=r"alpha\[0\] is -1; with a negative multiplier"):
        certificate(program, lambda alpha, beta: 0, [0], [Q(-1)])


@given(st.sampled_from([Q(v, 8) for v in range(0, 80)]))
def test_the_duality_gap_of_a_choice_between_0_and_1_is_a_half(multiplier):
    """min -x such that x <= 1/2: p* = 0, and by the mean of the two points d* <= -1/2."""
    program, points = Program(affine([-1]), [affine([1], -Q(1, 2))]), [[0], [1]]
    assert finite_primal(program, points) == 0
    halves = [lagrangian(program, x, [multiplier]) / 2 for x in points]
    assert finite_dual(program, points, [multiplier]) <= halves[0] + halves[1] == -Q(1, 2)
    assert finite_dual(program, points, [Q(1)]) == -Q(1, 2)


# Who moves first


@given(st.data(), st.integers(1, 4), st.integers(1, 4))
def test_who_moves_first_is_never_better_off(data, rows, columns):
    M = data.draw(matrices(rows, columns))
    first, last = maxmin(M), minmax(M)
    assert first == max(min(row) for row in M)
    assert last == min(max(row[j] for row in M) for j in range(columns))
    assert first <= last
    saddles = [
        v for row in M for j, v in enumerate(row)
        if v == min(row) and v == max(other[j] for other in M)
    ]
    assert (first == last) == bool(saddles)
    assert set(saddles) <= {first}


def test_matching_pennies_have_no_saddle_point():
    pennies = [[Q(1), Q(-1)], [Q(-1), Q(1)]]
    assert exactly(maxmin(pennies), Q(-1)) and exactly(minmax(pennies), Q(1))


@given(st.data(), finite())
def test_weak_duality_is_maxmin_below_minmax(data, drawn):
    """With finitely many multipliers on offer, too, both games are games on a matrix."""
    program, points = drawn
    offers = data.draw(st.lists(dual_points(program), min_size=1, max_size=3))
    M = [[lagrangian(program, x, alpha, beta) for x in points] for alpha, beta in offers]
    assert maxmin(M) == max(finite_dual(program, points, *offer) for offer in offers)
    assert maxmin(M) <= minmax(M) <= finite_primal(program, points)


# Certificates


@given(st.data(), quadratics())
def test_a_certificate_orders_dual_lagrangian_and_primal(data, qp):
    program, x = as_program(qp), data.draw(vectors(len(qp.q)))
    alpha, beta = data.draw(dual_points(program))
    proof = certificate(program, lambda a, b: dual_function(qp, a, b), x, alpha, beta)
    assert proof.dual == dual_function(qp, alpha, beta) <= proof.lagrangian <= proof.primal
    assert proof.lagrangian == lagrangian(program, x, alpha, beta)
    assert proof.primal == theta_primal(program, x)
    assert proof.gap == proof.primal - proof.dual >= 0


def test_the_gap_of_a_point_that_is_not_feasible_is_infinite_however_low_the_dual():
    above_one = Program(affine([1], 0), [affine([-1], 1)])
    proof = certificate(above_one, lambda a, b: -Q(10) ** 400, [Q(0)], [1])
    assert proof.primal == proof.gap == inf


@given(st.data(), solved())
def test_the_gap_is_zero_exactly_when_both_points_are_optimal(data, made):
    qp, x, alpha, beta = made
    program = as_program(qp)

    def theta(alpha, beta):
        return dual_function(qp, alpha, beta)

    best = certificate(program, theta, x, alpha, beta)
    assert best.dual == best.lagrangian == best.primal and exactly(best.gap, Q(0))
    other = data.draw(st.one_of(st.just(x), vectors(len(x))))
    a, b = data.draw(st.one_of(st.just((alpha, beta)), dual_points(program)))
    proof = certificate(program, theta, other, a, b)
    optimal = theta_primal(program, other) == best.primal and theta(a, b) == best.dual
    assert (proof.gap == 0) == optimal
    if optimal:  # complementary slackness, for whichever optimal pair
        assert [p * v for p, v in zip(a, values(program, other).inequalities)] == [0] * len(a)


@pytest.mark.parametrize("call, message", [
    (lambda p: lagrangian(p, [1], [1, 2]), "alpha has length 2; there are 1 inequalities"),
    (lambda p: lagrangian(p, [1], [1], [1]), "beta has length 1; there are 0 equalities"),
    (lambda p: lagrangian(p, [1], 1), "alpha is 1; a sequence is needed"),
    (lambda p: lagrangian(p, [1], ["1"]), "alpha[0] is '1'; a number is needed"),
    (lambda p: finite_dual(p, [], [1]), "points is empty"),
    (lambda p: finite_primal(p, []), "points is empty"),
    (lambda p: maxmin([]), "M is empty"),
    (lambda p: minmax([[1], [1, 2]]), "M[1] has length 2"),
])
def test_bad_input_is_refused_in_one_sentence(call, message):
    with pytest.raises((ValueError, TypeError)) as caught:
        call(Program(affine([1]), [affine([-1])]))
    assert message in str(caught.value)
