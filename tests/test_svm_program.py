"""The SVM is one quadratic program among others: the general theory says the same of it."""

import copy
from fractions import Fraction as Q
from math import inf

import exact
import pytest
from cases_by_hand import CASES, NOT_SEPARABLE
from hypothesis import assume, given
from hypothesis import strategies as st
from problems import arbitrary, feasible, givens, known, of_case, offsets
from profiles import draws
from programs import inner, positives, vectors
from test_svm_dual import places
from test_validation import exactly

from refsvm.kernels.standard import Polynomial
from refsvm.svm.kkt_conditions import kkt
from refsvm.svm.problem import Problem
from refsvm.theory import qp_duality as quadratic_duality
from refsvm.theory.constrained import (
    active,
    is_feasible,
    is_slater_point,
    is_strictly_feasible,
    values,
)
from refsvm.theory.kkt_theorems import kkt_multipliers, kkt_residuals
from refsvm.theory.lagrange_duality import gradient, lagrangian, theta_primal
from refsvm.theory.qp_duality import as_program, optimum
from refsvm.theory.svm_dual import dual_function
from refsvm.theory.svm_dual import gradient as svm_gradient
from refsvm.theory.svm_dual import lagrangian as svm_lagrangian
from refsvm.theory.svm_program import (
    multipliers,
    slack_multipliers,
    strictly_inside,
    svm_program,
    unknowns,
)

LINEAR = (("linear",),)
linear = givens(kernels=LINEAR, hard=True)
hard = givens(kernels=LINEAR, slacks=("hinge",)).map(lambda g: g._replace(C=[inf] * len(g.y)))
LINEAR_CASES = [case for case in CASES if case.kernel == ("linear",) and len(case.y) < 7]


def functions_of(g):
    return as_program(svm_program(g.problem()))


# The program


@draws(3/10)
@given(st.data(), linear)
def test_the_constraints_are_the_margins_and_the_slacks(data, g):
    w, b, xi, _, _ = data.draw(places(g))
    before = copy.deepcopy((g.X, w, xi))
    at = values(functions_of(g), unknowns(g.problem(), w, b, xi))
    margins = [y * (inner(w, x) + b) for x, y in zip(g.X, g.y)]
    soft = [i for i, C in enumerate(g.C) if C != inf]
    assert exactly(at.inequalities, [1 - m - v for m, v in zip(margins, xi)]
                   + [-xi[i] for i in soft])
    costs = [g.C[i] * (xi[i] if g.slack == "hinge" else xi[i] * xi[i] / 2) for i in soft]
    assert exactly(at.objective, inner(w, w) / 2 + exact.exact_sum(costs))
    assert (g.X, w, xi) == before
    size = len(g.X[0]) + g.bias + len(soft)
    assert len(svm_program(g.problem()).q) == size
    assert len(svm_program(g.problem()).G) == len(g.y) + len(soft)


@draws(3/10)
@given(st.data(), hard)
def test_a_hard_margin_is_kept_exactly_when_every_margin_is_one(data, g):
    w, b = data.draw(vectors(len(g.X[0]))), data.draw(offsets) if g.bias else Q(0)
    program, z = functions_of(g), unknowns(g.problem(), w, b)
    margins = [y * (inner(w, x) + b) for x, y in zip(g.X, g.y)]
    assert values(program, z).inequalities == [1 - m for m in margins]
    assert is_feasible(program, z) == all(m >= 1 for m in margins)
    assert active(program, z) == [i for i, m in enumerate(margins) if m == 1]


@draws(3/10)
@given(st.data(), linear)
def test_its_lagrangian_is_the_svm_lagrangian(data, g):
    w, b, xi, alpha, lam = data.draw(places(g))
    problem, program = g.problem(), functions_of(g)
    z, point = unknowns(problem, w, b, xi), multipliers(problem, alpha, lam)
    assert lagrangian(program, z, point) == svm_lagrangian(problem, w, b, xi, alpha, lam)
    slope = svm_gradient(problem, w, b, xi, alpha, lam)
    soft = [i for i, C in enumerate(g.C) if C != inf]
    expected = slope.w + ([slope.b] if g.bias else []) + [slope.xi[i] for i in soft]
    assert exactly(gradient(program, z, point), expected)


@draws(3/10)
@given(st.data(), givens(kernels=LINEAR, hard=True, most=3))
def test_its_dual_function_is_the_svm_dual_function(data, g):
    _, _, _, alpha, lam = data.draw(places(g))
    problem = g.problem()
    if data.draw(st.booleans()):
        alpha = data.draw(feasible(g))
        lam = slack_multipliers(problem, alpha)
    value = dual_function(problem, alpha, lam)
    qp = svm_program(problem)
    assert quadratic_duality.dual_function(qp, multipliers(problem, alpha, lam)) == value


@draws(3/10)
@given(st.data(), givens(kernels=LINEAR))
def test_without_slacks_given_the_least_are_taken_and_cost_what_the_primal_says(data, g):
    alpha, b = data.draw(arbitrary(g)), data.draw(offsets) if g.bias else Q(0)
    problem = g.problem()
    z = unknowns(problem, problem.weights(alpha), b)
    assert z[-len(g.y) :] == problem.slacks(alpha, b)
    assert exactly(theta_primal(functions_of(g), z), problem.primal(alpha, b))


# Slater


@draws(3/10)
@given(st.data(), linear)
def test_there_is_always_room_if_slack_can_be_bought_or_a_plane_separates(data, g):
    w, b = data.draw(vectors(len(g.X[0]))), data.draw(offsets) if g.bias else Q(0)
    program, problem = functions_of(g), g.problem()
    narrow = [
        y * (inner(w, x) + b) for x, y, C in zip(g.X, g.y, g.C) if C == inf
    ]
    if any(m <= 0 for m in narrow):
        with pytest.raises(ValueError, match=r"the margin of example \d is .*; \(w, b\) must sep"):
            strictly_inside(problem, w, b)
        return
    z = strictly_inside(problem, w, b)
    assert is_strictly_feasible(program, z) and is_slater_point(program, z)
    assert all(type(v) is Q for v in z)
    if narrow and len(narrow) == len(g.y):
        scaled = [2 / min(narrow) * v for v in w]
        assert z[: len(w)] == scaled


def test_a_separating_hyperplane_is_scaled_to_a_least_margin_of_2_and_slack_goes_beyond():
    mixed = Problem([[Q(0)], [2], [1]], [-1, 1, -1], C=[inf, inf, 1])
    assert strictly_inside(mixed, [1], Q(-1, 2)) == [4, -2, 4]  # margins 1/2, 3/2; the slack is 3
    with pytest.raises(ValueError, match="the margin of example 0 is 0;"):
        strictly_inside(mixed, [1], 0)
    soft = Problem([[Q(0)], [2]], [-1, 1], C=3)
    assert strictly_inside(soft, [1], 0) == [1, 0, 2, 1]  # w stays as it is


@given(givens(kernels=LINEAR))
def test_a_soft_margin_is_feasible_with_all_weights_zero(g):
    d = len(g.X[0])
    z = strictly_inside(g.problem())
    assert z == [0] * (d + g.bias) + [2] * len(g.y)
    edge = unknowns(g.problem(), [0] * d, 0)
    assert edge == [0] * (d + g.bias) + [1] * len(g.y)
    assert is_slater_point(functions_of(g), edge) and is_strictly_feasible(functions_of(g), z)


@pytest.mark.parametrize("case", NOT_SEPARABLE, ids=[case.name for case in NOT_SEPARABLE])
def test_no_gap_does_not_mean_feasible(case):
    """Neither primal nor dual is finite: p* = d* = inf, and no point is feasible."""
    g = of_case(case)
    assert optimum(svm_program(g.problem())) is None
    assert exact.optimum(*g.for_the_judge) is None


def test_the_dual_of_two_equal_points_with_different_labels_has_no_bound():
    problem = Problem([[Q(1)], [Q(1)]], [1, -1], C=inf)
    for t in (Q(1), Q(10), Q(1000)):
        assert dual_function(problem, [t, t], [0, 0]) == 2 * t


# The conditions


@draws(3/10)
@given(st.data(), linear)
def test_the_general_conditions_hold_exactly_when_those_of_the_svm_do(data, g):
    found = exact.optimum(*g.for_the_judge)
    problem = g.problem()
    alpha = data.draw(st.one_of(arbitrary(g), feasible(g)))
    b = data.draw(offsets) if g.bias else Q(0)
    if found and data.draw(st.booleans()):
        alpha, b = found.alpha, data.draw(st.sampled_from([b, found.b_low, found.b_high]))
    z = unknowns(problem, problem.weights(alpha), b)
    report = kkt_residuals(functions_of(g), z, multipliers(problem, alpha))
    assert (report.worst == 0) == (kkt(problem, alpha, b).worst.amount == 0)


@draws(3/10)
@given(st.data(), linear)
def test_each_general_residual_is_one_of_the_svm(data, g):
    alpha, b = data.draw(arbitrary(g)), data.draw(offsets) if g.bias else Q(0)
    problem = g.problem()
    z = unknowns(problem, problem.weights(alpha), b)
    report = kkt_residuals(functions_of(g), z, multipliers(problem, alpha))
    rows = kkt(problem, alpha, b).rows
    d, n, soft = len(g.X[0]), len(g.y), [i for i, C in enumerate(g.C) if C != inf]
    xi = [row.slack if C != inf else 0 for row, C in zip(rows, g.C)]
    assert report.stationarity[:d] == [0] * d  # w is made of alpha
    if g.bias:
        assert report.stationarity[d] == -inner(alpha, g.y)
    hinge = g.slack == "hinge"
    assert report.stationarity[d + g.bias :] == [
        0 if hinge else g.C[i] * xi[i] - alpha[i] for i in soft
    ]
    lam = [g.C[i] - alpha[i] if hinge else 0 for i in soft]
    broken = [1 - row.margin - v for row, v in zip(rows, xi)]
    assert report.slackness[:n] == [a * v for a, v in zip(alpha, broken)]
    assert report.slackness[n:] == [-r * xi[i] for r, i in zip(lam, soft)]
    assert report.inequalities[:n] == [max(v, 0) for v in broken]
    assert report.multipliers[:n] == [row.below for row in rows]
    if hinge:
        assert report.multipliers[n:] == [rows[i].above for i in soft]


@pytest.mark.parametrize("case", LINEAR_CASES, ids=[case.name for case in LINEAR_CASES])
def test_the_optimum_known_by_hand_keeps_the_general_conditions(case):
    g, found = of_case(case), known(case.name)
    problem = g.problem()
    low, high = (found.b_low, found.b_high) if case.b is None else case.b
    for b in (low, high):
        z = unknowns(problem, problem.weights(found.alpha), b)
        report = kkt_residuals(functions_of(g), z, multipliers(problem, found.alpha))
        assert exactly(report.worst, Q(0))


@draws(1/4)
@given(givens(kernels=LINEAR, hard=True, most=3))
def test_solving_the_program_by_trying_active_sets_solves_the_svm(g):
    found, problem = exact.optimum(*g.for_the_judge), g.problem()
    solved = optimum(svm_program(problem))
    assert (solved is None) == (found is None)
    if found:
        d, n = len(g.X[0]), len(g.y)
        alpha = solved.alpha[:n]
        assert solved.value == found.value == problem.dual(alpha)
        assert solved.x[:d] == problem.weights(alpha) == problem.weights(found.alpha)
        assert multipliers(problem, alpha) == solved.alpha
        b = solved.x[d] if g.bias else Q(0)
        assert kkt(problem, alpha, b).worst.amount == 0


@draws(3/10)
@given(st.data(), hard)
def test_only_examples_on_the_margin_hold_up_the_weights(data, g):
    """w* = sum alpha_t y_t x_t over the active ones; without offset nothing else is asked."""
    g = g._replace(bias=data.draw(st.sampled_from([False, False, True])))
    found, problem, program = exact.optimum(*g.for_the_judge), g.problem(), functions_of(g)
    assume(found)
    w, b = problem.weights(found.alpha), found.b_low
    z = unknowns(problem, w, b)
    touched = active(program, z)
    assert touched == [t for t, (x, y) in enumerate(zip(g.X, g.y)) if y * (inner(w, x) + b) == 1]
    alpha = kkt_multipliers(program, z).alpha
    assert {t for t, a in enumerate(alpha) if a != 0} <= set(touched)
    columns = list(zip(*g.X))
    assert w == [inner([a * y for a, y in zip(alpha, g.y)], column) for column in columns]
    assert problem.weights(alpha) == w
    if g.bias:
        assert inner(alpha, g.y) == 0


def test_without_offset_the_multipliers_need_not_balance():
    problem = Problem([[Q(1)], [Q(-2)]], [1, -1], C=inf, bias=False)
    z = unknowns(problem, [1], 0)
    assert kkt_multipliers(as_program(svm_program(problem)), z).alpha == [1, 0]
    with_offset = Problem([[Q(1)], [Q(-2)]], [1, -1], C=inf)
    z = unknowns(with_offset, [Q(2, 3)], Q(1, 3))
    assert kkt_multipliers(as_program(svm_program(with_offset)), z).alpha == [Q(2, 9), Q(2, 9)]


@draws(3/10)
@given(st.data(), linear)
def test_multipliers_of_slack_are_what_is_left_of_C(data, g):
    alpha = data.draw(arbitrary(g))
    hinge = g.slack == "hinge"
    expected = [C - a if hinge and C != inf else Q(0) for C, a in zip(g.C, alpha)]
    assert exactly(slack_multipliers(g.problem(), alpha), expected)
    soft = [i for i, C in enumerate(g.C) if C != inf]
    assert exactly(multipliers(g.problem(), alpha), alpha + [expected[i] for i in soft])


@draws(3/10)
@given(st.data(), givens(kernels=LINEAR, slacks=("squared",)))
def test_under_squared_slack_the_multiplier_of_slack_is_zero(data, g):
    """xi >= 0 need not be asked for: at an optimum its multiplier is 0.

    lycpaul concludes lam_i = 0 for xi_i > 0 only; where xi_i = 0, alpha_i + lam_i = C xi_i = 0.
    """
    problem, found = g.problem(), exact.optimum(*g.for_the_judge)
    assume(found)
    z = unknowns(problem, problem.weights(found.alpha), found.b_low)
    point = kkt_multipliers(functions_of(g), z).alpha
    assert point[len(g.y) :] == [0] * len(g.y)
    lam = data.draw(vectors(len(g.y), positives))
    report = kkt_residuals(functions_of(g), z, multipliers(problem, found.alpha, lam))
    assert (report.worst == 0) == (not any(lam))


# Numbers


def test_what_it_cannot_say_is_refused():
    curved = Problem([[0], [1]], [-1, 1], Polynomial(2))
    for call in (svm_program, strictly_inside, lambda p: unknowns(p, [1], 0),
                 lambda p: multipliers(p, [0, 0])):
        with pytest.raises(TypeError, match=r"w is a list of numbers for Linear\(\) only"):
            call(curved)
        with pytest.raises(TypeError, match="problem is 5; a Problem is needed"):
            call(5)
    with pytest.raises(ValueError, match="w has length 2; it must have length 1"):
        unknowns(Problem([[0], [1]], [-1, 1]), [1, 2], 0)
    with pytest.raises(ValueError, match="alpha has length 1; it must have length 2"):
        multipliers(Problem([[0], [1]], [-1, 1]), [1])


def test_floats_stay_floats_and_one_fraction_makes_all_exact():
    problem = Problem([[0.1], [0.7]], [-1, 1], C=2.0)
    assert all(type(v) is float for v in strictly_inside(problem) + multipliers(problem, [0, 1]))
    assert type(svm_program(problem).G[0][0]) is float
    z = unknowns(problem, [Q(1)], 0)
    assert z == [1, 0, 1 + Q(0.1), 1 - Q(0.7)] and all(type(v) is Q for v in z)
