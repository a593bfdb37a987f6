"""The five machines' definitions: strong duality, exactly, and answers that were known before."""

from dataclasses import replace
from fractions import Fraction as Q
from math import inf

import exact
import pytest
from exact_programs import inner
from formulation_cases import CASES
from formulation_draws import (
    ALL,
    balls,
    feasible,
    nu_limit,
    nu_regressions,
    nu_svcs,
    one_classes,
)
from formulations import Ball, NuSVC, OneClass, Regression, corners_of
from hypothesis import assume, given
from hypothesis import strategies as st
from machine_problems import by_machine
from profiles import draws


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_case_has_the_answer_known_for_it(case):
    found = case.machine.solve()
    assert weights(found.beta, case.X) == case.w
    assert found.offsets == case.offsets
    assert case.machine.is_unique() == case.unique
    assert case.lams in (None, found.multipliers)
    assert case.value in (None, found.value)
    assert case.degenerate == (found.offsets.get("rho", (inf,))[0] == 0)
    if case.alpha is not None:
        assert is_optimal(case.machine, case.alpha, found)
        assert not case.unique or found.alpha == case.alpha
    if case.scaled is not None:
        rho = found.offsets["rho"][0]
        b = case.machine.offsets_at(found.beta, nearest_to_each_other(found.multipliers))["b"]
        assert case.scaled == ([v / rho for v in case.w], b / rho, [v / rho for v in found.beta])


def weights(beta, X):
    return [inner(beta, column) for column in zip(*X)]


def nearest_to_each_other(intervals):
    """The multipliers of the least rho: the upper end for class +1, the lower for class -1."""
    return intervals[0][1], intervals[1][0]


def is_optimal(machine, alpha, found):
    """Whether net multipliers have the optimal primal value at the offsets that were found."""
    beta = [a * y for a, y in zip(alpha, machine.y)] if isinstance(machine, NuSVC) else alpha
    offsets = machine.offsets_at(found.beta, corners_of(found.multipliers)[0])
    return machine.primal(beta, **offsets) == found.value


@by_machine
@given(st.data())
def test_primal_is_dual_at_every_pair_of_optimal_multipliers(name, data):
    machine = data.draw(ALL[name]()).machine
    found = machine.solve()
    beyond = [tuple(v if abs(v) < inf else finite(ends) + (1 if v > 0 else -1) for v in ends)
              for ends in found.multipliers]
    for lams in corners_of(beyond):
        assert machine.primal(found.beta, **machine.offsets_at(found.beta, lams)) == found.value


def finite(ends):
    return next((v for v in ends if abs(v) < inf), Q(0))


@by_machine
@given(st.data())
def test_multipliers_beyond_an_end_cost_something(name, data):
    machine = data.draw(ALL[name]()).machine
    found = machine.solve()
    lams = list(map(finite, found.multipliers))
    for g, ends in enumerate(found.multipliers):
        for end, step in zip(ends, (-1, 1)):
            if abs(end) < inf:
                there = [*lams[:g], end + step, *lams[g + 1 :]]
                offsets = machine.offsets_at(found.beta, there)
                assert machine.primal(found.beta, **offsets) > found.value


@by_machine
@draws(1 / 2)
@given(st.data())
def test_no_point_beats_the_optimum(name, data):
    """Both objectives, looked at from their definitions only."""
    machine = data.draw(ALL[name]()).machine
    value, unit = machine.solve().value, getattr(machine, "C", 1)
    some = st.sampled_from([Q(v, 3) * unit for v in range(-6, 7)])
    beta = [data.draw(some) for _ in range(machine.n)]
    offsets = {name: data.draw(some) for name in machine.SHARES}
    assert machine.primal(beta, **offsets) >= value
    assert machine.dual(data.draw(feasible(machine))) <= value


@by_machine
@draws(1 / 2)
@given(st.data())
def test_offsets_have_the_sign_that_the_primal_would_demand(name, data):
    found = data.draw(ALL[name]()).machine.solve()
    for offset in ("rho", "epsilon", "radius2"):
        low, high = found.offsets.get(offset, (0, 0))
        assert 0 <= low <= high


@by_machine
@draws(1 / 2)
@given(st.data())
def test_whole_weight_is_the_row_so_many_times(name, data):
    machine = data.draw(ALL[name](most=2)).machine
    many = [data.draw(st.integers(1, 2)) for _ in range(machine.n)]
    weighted = replace(machine, weights=[w * m for w, m in zip(machine.weights, many)])
    repeated = of_rows(machine, [i for i, m in enumerate(many) for _ in range(m)])
    found, other = weighted.solve(), repeated.solve()  # weights may leave nu above its limit
    assert (found and (found.value, found.offsets)) == (other and (other.value, other.offsets))


def of_rows(machine, rows):
    """The machine of these rows, some of them more than once."""
    K = [[machine.K[i][j] for j in rows] for i in rows]
    lists = {name: [getattr(machine, name)[i] for i in rows]
             for name in ("y", "weights") if hasattr(machine, name)}
    return replace(machine, K=K, **lists)


@draws(1 / 2)
@given(st.one_of(nu_svcs(), one_classes()))
def test_w_is_0_exactly_where_rho_may_be_0(g):
    found = g.machine.solve()
    assert (found.offsets["rho"][0] == 0) == (not any(found.scores))


@draws(1 / 2)
@given(nu_svcs(most=4))
def test_nu_svc_divided_by_rho_is_the_svc_with_penalty_1_over_rho(g):
    found = g.machine.solve()
    rho = found.offsets["rho"][0]
    assume(rho > 0)
    K, y, _, weights = g.machine.K, g.machine.y, g.machine.nu, g.machine.weights
    C = [w / rho for w in weights]
    alpha, b = [a / rho for a in found.alpha], middle_b(g.machine, found) / rho
    beta = [a * s for a, s in zip(alpha, y)]
    value = exact.optimum(K, y, C).value
    assert exact.dual(K, y, C, beta) == value == exact.primal(K, y, C, beta, b)


def middle_b(machine, found):
    return machine.offsets_at(found.beta, nearest_to_each_other(found.multipliers))["b"]


@draws(1 / 2)
@given(nu_regressions(most=3))
def test_nu_regression_is_regression_with_the_epsilon_it_finds(g):
    machine, found = g.machine, g.machine.solve()
    for epsilon in {v for v in found.offsets["epsilon"] if v < inf}:
        same = Regression(machine.K, machine.y, machine.C, epsilon, machine.weights)
        tube = machine.C * machine.nu * machine.W * epsilon
        assert same.solve().value + tube == found.value


@draws(1 / 2)
@given(balls(kernels=(("precomputed",),)))
def test_ball_of_rows_of_one_length_is_the_one_class_machine(g):
    K = [[v if i != j else Q(100) for j, v in enumerate(row)] for i, row in enumerate(g.machine.K)]
    ball, W = Ball(K, g.machine.C, g.machine.weights), g.machine.W
    nu = 1 / (ball.C * W)
    found, other = ball.solve(), OneClass(K, nu, ball.weights).solve()
    assert [a * nu * W for a in found.alpha] == other.alpha
    assert found.value == 100 + 2 * other.value / (nu * W) ** 2


@given(nu_svcs())
def test_nu_bounds_margin_errors_and_support_vectors_in_each_class(g):
    machine, found = g.machine, g.machine.solve()
    lams = nearest_to_each_other(found.multipliers)
    offsets = machine.offsets_at(found.beta, lams)
    for sign in (1, -1):
        rows = [i for i in range(machine.n) if machine.y[i] == sign]
        errors = [i for i in rows
                  if sign * (found.scores[i] + offsets["b"]) < offsets["rho"]]
        supporting = [i for i in rows if found.alpha[i] != 0]
        share = machine.nu * machine.W / 2
        assert sum(machine.weights[i] for i in errors) <= share  # exact
        assert sum(machine.weights[i] for i in supporting) >= share  # exact


@given(one_classes())
def test_nu_bounds_outliers_and_support_vectors(g):
    machine, found = g.machine, g.machine.solve()
    low, high = found.offsets["rho"]
    for rho in {low, min(high, low + 1)}:
        outliers = [w for w, s in zip(machine.weights, found.scores) if s < rho]
        supporting = [w for w, a in zip(machine.weights, found.alpha) if a != 0]
        assert sum(outliers) <= machine.nu * machine.W <= sum(supporting)  # exact


@given(nu_regressions())
def test_nu_bounds_what_lies_outside_the_tube_and_what_does_not_lie_inside(g):
    machine, found = g.machine, g.machine.solve()
    for lams in corners_of(found.multipliers):
        b, epsilon = machine.offsets_at(found.beta, lams).values()
        errors = [abs(y - s - b) for y, s in zip(machine.y, found.scores)]
        outside = [w for w, e in zip(machine.weights, errors) if e > epsilon]
        not_inside = [w for w, e in zip(machine.weights, errors) if e >= epsilon]
        share = machine.nu * machine.W
        assert epsilon < 0 or sum(outside) <= share <= sum(not_inside)  # exact


@draws(1 / 4)
@given(nu_svcs(), st.sampled_from([Q(1, 10**9), Q(1, 3)]))
def test_nu_beyond_its_limit_has_no_answer(g, more):
    machine = g.machine
    beyond = nu_limit(machine.y, machine.weights) + more
    assert NuSVC(machine.K, machine.y, beyond, machine.weights).solve() is None
    assert OneClass(machine.K, 1 + more, machine.weights).solve() is None
    assert Ball(machine.K, 1 / (machine.W * (1 + more)), machine.weights).solve() is None

