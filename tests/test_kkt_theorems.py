"""The conditions at an optimum: what they prove, and when an optimum keeps them."""

import copy
from fractions import Fraction as Q

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from programs import dual_points, few, inner, matrices, quadratics, solved, symmetric, vectors
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
from refsvm.theory.kkt_theorems import fritz_john, kkt_multipliers, kkt_residuals
from refsvm.theory.lagrange_duality import gradient
from refsvm.theory.qp_duality import as_program, dual_function, infimum, optimum

ONLY_ZERO = Program(affine([Q(1)]), [quadratic([[Q(2)]], [0])])  # min x such that x*x <= 0


# The residuals


@given(st.data(), quadratics(symmetric))
def test_each_residual_says_what_its_definition_says(data, qp):
    program, x = as_program(qp), data.draw(vectors(len(qp.q)))
    alpha, beta = data.draw(dual_points(program, few))
    before = copy.deepcopy((x, alpha, beta))
    report, (_, g, h) = kkt_residuals(program, x, alpha, beta), values(program, x)
    assert (x, alpha, beta) == before
    assert exactly(report.stationarity, gradient(program, x, alpha, beta))
    assert exactly(report.equalities, h)
    assert exactly(report.slackness, [a * v for a, v in zip(alpha, g)])
    assert exactly(report.inequalities, [max(v, Q(0)) for v in g])
    assert exactly(report.multipliers, [max(-a, Q(0)) for a in alpha])
    assert exactly(report.worst, max(abs(v) for part in report[:5] for v in [Q(0), *part]))


@given(solved())
def test_the_conditions_hold_at_a_point_built_from_them_and_it_is_optimal(made):
    qp, x, alpha, beta = made
    program = as_program(qp)
    assert kkt_residuals(program, x, alpha, beta).worst == 0
    assert dual_function(qp, alpha, beta) == program.objective.value(x) == optimum(qp).value


@given(st.data(), solved())
def test_no_feasible_point_beats_a_point_that_keeps_the_conditions(data, made):
    qp, x, alpha, beta = made
    program, other = as_program(qp), data.draw(vectors(len(x)))
    assume(is_feasible(program, other) or not qp.A)
    if is_feasible(program, other):
        assert program.objective.value(other) >= program.objective.value(x)
    if kkt_zero(program, other, alpha, beta):
        assert program.objective.value(other) == program.objective.value(x)


def kkt_zero(program, x, alpha, beta):
    return kkt_residuals(program, x, alpha, beta).worst == 0


@given(st.data(), solved())
def test_the_conditions_hold_if_and_only_if_both_points_are_optimal(data, made):
    qp, x, alpha, beta = made
    program = as_program(qp)
    best = program.objective.value(x)
    z = data.draw(st.one_of(st.just(x), vectors(len(x))))
    a, b = data.draw(st.one_of(st.just((alpha, beta)), dual_points(program)))
    both = (
        is_feasible(program, z) and program.objective.value(z) == best
        and dual_function(qp, a, b) == best
    )
    assert kkt_zero(program, z, a, b) == both


@given(solved())
def test_a_multiplier_above_0_means_that_its_constraint_is_active(made):
    """Complementary slackness; and an active constraint may well have the multiplier 0."""
    qp, x, alpha, beta = made
    program = as_program(qp)
    a, b, _ = kkt_multipliers(program, x)
    assert kkt_residuals(program, x, a, b).worst == 0 and len(b) == len(beta)
    for multipliers_found in (alpha, a):
        assert {i for i, v in enumerate(multipliers_found) if v > 0} <= set(active(program, x))


def test_multipliers_in_a_corner_are_the_slopes_that_it_holds_back():
    """min 2 x_1 + 3 x_2 such that x_1 >= 0 and x_2 = 1, where the equality pushes upwards."""
    program = Program(affine([Q(2), 3]), [affine([-1, 0])], [affine([0, 1], -1)])
    assert kkt_multipliers(program, [Q(0), 1]) == ([2], [-3], None)


def test_an_active_constraint_may_have_the_multiplier_zero():
    program = Program(quadratic([[Q(2)]], [0]), [affine([Q(1)])])  # min x*x such that x <= 0
    assert active(program, [0]) == [0]
    assert kkt_multipliers(program, [Q(0)]).alpha == [0]


def test_without_convexity_the_conditions_prove_nothing():
    hill = Program(quadratic([[Q(-2)]], [0]), [affine([Q(1)], -1), affine([Q(-1)], -1)])
    assert kkt_residuals(hill, [0], [0, 0]).worst == 0
    assert hill.objective.value([Q(1)]) == -1 < hill.objective.value([Q(0)]) == 0


def test_without_a_slater_point_an_optimum_may_lack_multipliers():
    assert is_feasible(ONLY_ZERO, [0]) and not is_slater_point(ONLY_ZERO, [0])
    for multiplier in (Q(0), Q(1), Q(1000)):
        assert kkt_residuals(ONLY_ZERO, [0], [multiplier]).stationarity == [1]
    assert kkt_multipliers(ONLY_ZERO, [Q(0)]) == (None, None, [-1])
    for multiplier in (Q(1), Q(7), Q(1000)):  # inf of x + m x^2: the sup over m is 0 = p*
        assert infimum([[2 * multiplier]], [1]).value == -1 / (4 * multiplier) < 0
    assert is_strictly_feasible(Program(affine([1]), [quadratic([[2]], [0], -1)]), [0])


def test_sufficiency_needs_no_slater_point():
    program = Program(quadratic([[Q(2)]], [0]), [quadratic([[Q(2)]], [0])])
    assert not is_slater_point(program, [0])  # 0 is the only feasible point
    assert kkt_residuals(program, [Q(0)], [Q(0)]).worst == 0


# Multipliers of a point


@given(st.data(), quadratics())
def test_a_feasible_point_has_multipliers_exactly_when_it_is_optimal(data, qp):
    program, x = as_program(qp), data.draw(vectors(len(qp.q)))
    if not is_feasible(program, x):
        with pytest.raises(ValueError, match=r"x is not feasible: [gh]\[\d\]\(x\) is "):
            kkt_multipliers(program, x)
        return
    alpha, beta, direction = kkt_multipliers(program, x)
    if direction is None:
        assert kkt_residuals(program, x, alpha, beta).worst == 0
        assert dual_function(qp, alpha, beta) == program.objective.value(x)
    else:  # straight constraints: the direction is allowed for a while, and leads down
        assert inner(program.objective.gradient(x), direction) < 0
        t = shortest_way(qp, x, direction)
        z = [a + t * d for a, d in zip(x, direction)]
        assert is_feasible(program, z)
        assert program.objective.value(z) < program.objective.value(x)


def shortest_way(qp, x, d):
    """A step along d that stays feasible and is too short for the curvature to win."""
    t = Q(1)
    for row, c in zip(qp.G, qp.h):
        if inner(row, d) > 0:
            t = min(t, (c - inner(row, x)) / inner(row, d))
    bend = inner(d, [inner(row, d) for row in qp.P])
    slope = inner(as_program(qp).objective.gradient(x), d)
    return min(t, -slope / bend) if bend > 0 else t


# Fritz John


@given(st.data(), solved(), st.integers(0, 2))
def test_every_optimum_has_fritz_john_multipliers(data, made, balls):
    """Curved constraints that touch the optimum are added: it stays optimal."""
    qp, x, _, _ = made
    assume(not qp.A)
    program = as_program(qp)
    for _ in range(balls):
        centre = data.draw(vectors(len(x)))
        distance = inner([a - c for a, c in zip(x, centre)], [a - c for a, c in zip(x, centre)])
        P = [[Q(2 * (i == j)) for j in range(len(x))] for i in range(len(x))]
        ball = quadratic(P, [-2 * c for c in centre], inner(centre, centre) - distance)
        program = program._replace(inequalities=[*program.inequalities, ball])
    check_fritz_john(program, x)


@given(st.data(), st.integers(1, 2), st.integers(0, 3))
def test_multipliers_or_a_direction_that_improves_strictly(data, d, m):
    """Gordan's alternative, at any point of any program."""
    x = data.draw(vectors(d))
    made = [quadratic(data.draw(symmetric(d)), data.draw(vectors(d))) for _ in range(m + 1)]
    drop = data.draw(vectors(m, st.sampled_from([Q(0), Q(0), Q(1)])))
    walls = [
        quadratic(data.draw(symmetric(d)), q) for q in data.draw(matrices(m, d))
    ]
    levelled = [shifted(wall, -wall.value(x) - s) for wall, s in zip(walls, drop)]
    program = Program(made[0], levelled)
    found = fritz_john(program, x)
    if found.direction is None:
        check_fritz_john(program, x)
        return
    assert inner(program.objective.gradient(x), found.direction) < 0
    for i in active(program, x):
        assert inner(levelled[i].gradient(x), found.direction) < 0


def shifted(function, c):
    return function._replace(value=lambda x: function.value(x) + c)


def check_fritz_john(program, x):
    alpha_0, alpha, direction = fritz_john(program, x)
    assert direction is None and alpha_0 >= 0 and all(a >= 0 for a in alpha)
    assert alpha_0 > 0 or any(a > 0 for a in alpha)
    touched = active(program, x)
    assert all(a == 0 for i, a in enumerate(alpha) if i not in touched)
    slopes = [program.objective.gradient(x)] + [f.gradient(x) for f in program.inequalities]
    for j in range(len(x)):
        assert inner([alpha_0, *alpha], [slope[j] for slope in slopes]) == 0
    usual = kkt_multipliers(program, x)
    assert alpha_0 == (1 if usual.direction is None else 0)
    if alpha_0 == 1:
        assert alpha == usual.alpha


@given(solved())
def test_straight_constraints_let_the_objective_keep_its_multiplier(made):
    """The case that Lemma 2 of Cesa-Bianchi is used in, where it holds as printed."""
    qp, x, _, _ = made
    assume(not qp.A)
    assert exactly(fritz_john(as_program(qp), x).alpha_0, Q(1))


def test_the_multiplier_of_the_objective_may_have_to_be_zero():
    """f = w, g = w^2: the lemma as printed, without alpha_0, is false."""
    assert fritz_john(ONLY_ZERO, [Q(0)]) == (0, [1], None)
    assert kkt_multipliers(ONLY_ZERO, [Q(0)]).alpha is None


def test_a_direction_that_improves_has_a_number_for_each_unknown():
    program = Program(affine([Q(1), 2]), [affine([-1, 0])])  # x_1 >= 0 has room at (1, 1)
    alpha_0, alpha, direction = fritz_john(program, [Q(1), 1])
    assert (alpha_0, alpha, len(direction)) == (None, None, 2)


def test_what_fritz_john_is_not_for_is_refused():
    line = Program(affine([1, 0]), [], [affine([1, 1])])
    with pytest.raises(ValueError, match="the program has equalities"):
        fritz_john(line, [0, 0])
    with pytest.raises(ValueError, match=r"x is not feasible: h\[0\]\(x\) is 1.0"):
        kkt_multipliers(line, [1, 0])
    with pytest.raises(ValueError, match=r"x is not feasible: g\[0\]\(x\) is 2.0"):
        fritz_john(Program(affine([1]), [affine([1])]), [2])
    with pytest.raises(ValueError, match="alpha has length 0; there are 1 inequalities"):
        kkt_residuals(Program(affine([1]), [affine([1])]), [2], [])


def test_a_free_minimum_needs_no_multipliers():
    program = Program(quadratic([[Q(2)]], [0]), [affine([Q(1)], -1)])
    assert exactly(list(fritz_john(program, [0])[:2]), [Q(1), [Q(0)]])
    assert kkt_multipliers(Program(quadratic([[2]], [0])), [0]) == ([], [], None)


def test_a_slater_point_does_not_make_the_minimum_a_point():
    """f falls towards 0 for ever: no gap, a dual optimum alpha = 0, and no primal one."""

    def value(w):
        return 1 / w[0] if w[0] > 1 else 2 - w[0]

    def slope(w):
        return [-1 / (w[0] * w[0]) if w[0] > 1 else Q(-1)]

    program = Program(Differentiable(value, slope), [affine([Q(-1)])])
    for w in (Q(1, 2), Q(1), Q(7), Q(10**9)):
        assert is_strictly_feasible(program, [w]) and is_slater_point(program, [w])
        assert 0 < program.objective.value([2 * w]) < program.objective.value([w])
        assert kkt_multipliers(program, [w]).alpha is None
    assert value([Q(10**9)]) == Q(1, 10**9)  # so inf f = 0 = theta_D(0), and p* = d* = 0
