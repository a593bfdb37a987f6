"""solve_exactly of the five other machines against trying everything, and answers known before."""

from dataclasses import replace
from fractions import Fraction as Q
from math import inf

import pytest
from exact_programs import exact_sum, inner, residuals
from formulation_cases import CASES
from formulation_draws import nu_limit, nu_svcs, one_classes
from formulations import Ball, NuSVC
from hypothesis import given
from hypothesis import strategies as st
from machine_problems import beta_of, by_machine, ends_of_alpha, machines, problem_of
from profiles import draws

from refsvm import Gaussian, Linear, Problem, smo, solve_exactly
from refsvm.proofs import optimum


def intervals(found):
    return {name: (v.low, v.high) for name, v in found.offsets._asdict().items()}


def agree(found, machine):
    """Whether the answer is what trying everything finds."""
    best = machine.solve()
    if best is None:
        assert found.status == "infeasible" and set(found.farkas) <= {0, 1} and any(found.farkas)
        return
    assert found.objective == best.value
    assert intervals(found) == best.offsets
    assert scores(machine, found.alpha) == best.scores
    assert found.w_norm2 == inner(best.beta, best.scores)
    assert found.alpha_unique == machine.is_unique() == (found.other_alpha is None)
    assert (found.status == "degenerate") == ("rho" in best.offsets and not any(best.scores))
    if found.alpha_unique:
        assert found.alpha == best.alpha
    else:
        assert found.other_alpha != found.alpha
    lows, highs = ends_of_alpha(machine)
    for alpha in (found.alpha, found.other_alpha or found.alpha):
        assert all(low <= a <= high for low, a, high in zip(lows, alpha, highs))
        assert offered(machine, alpha, best) == best.value
    if found.status == "degenerate":
        assert found.farkas == [a / exact_sum(found.alpha) * (2 if hasattr(machine, "y") else 1)
                                for a in found.alpha]
        return
    for i, (letter, a) in enumerate(zip(found.status, found.alpha)):
        assert letter == "M" or (a == 0 if letter == "L" else a in (lows[i], highs[i]) and a != 0)
        if best.offsets.get("epsilon", (1,))[0] > 0:
            assert (letter == "M") == (i in on_the_margin(machine, best))


def on_the_margin(machine, best):
    """The examples one of whose variables has the residual that is the only lam of its group."""
    program = machine.program()
    r = residuals(program, best.variables)
    one = [(g, m) for g, (m, M) in zip(program.groups, best.multipliers) if m == M]
    return {k % machine.n for group, lam in one for k in group if r[k] == lam}


def scores(machine, alpha):
    return [inner(row, beta_of(machine, alpha)) for row in machine.K]


def offered(machine, alpha, best):
    """The primal value of these multipliers at offsets known to be optimal."""
    lams = [next(v for v in ends if abs(v) < inf) for ends in best.multipliers]
    return machine.primal(beta_of(machine, alpha), **machine.offsets_at(best.beta, lams))


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_case(case):
    found = solve_exactly(problem_of(case.X, Linear(), case.machine))
    assert found.w == case.w and intervals(found) == case.offsets
    assert found.alpha_unique == case.unique and case.value in (None, found.objective)
    assert case.alpha in (None, found.alpha) or not case.unique
    assert (found.status == "degenerate") == case.degenerate
    agree(found, case.machine)


@by_machine
@draws(1 / 2)
@given(st.data())
def test_any_small_problem(name, data):
    machine, problem = data.draw(machines(name))
    agree(solve_exactly(problem), machine)


@by_machine
@draws(1 / 4)
@given(st.data())
def test_what_floats_propose_changes_nothing(name, data):
    machine, problem = data.draw(machines(name))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(optimum, "MAX_UNAIDED_EXAMPLES", 0)
        agree(solve_exactly(problem), machine)


@by_machine
@draws(1 / 4)
@given(st.data())
def test_smo_comes_as_near_as_it_is_told(name, data):
    machine, problem = data.draw(machines(name, most=14))
    problem = problem.to(float)
    best, near = solve_exactly(problem), smo(problem, tol=1e-9)
    if best.status == "infeasible":
        assert near.status == "infeasible"
        return
    largest = max(row[i] for i, row in enumerate(machine.K))
    size = exact_sum(map(abs, best.alpha)) ** 2 * largest
    size = max(abs(best.objective), Q(1e-5) * size)
    assert abs(near.objective - best.objective) <= 1e-9 * size


@draws(1 / 4)
@given(st.one_of(nu_svcs(), one_classes()), st.sampled_from([Q(1, 10**9), Q(1, 3)]))
def test_what_the_bounds_do_not_allow_is_refused_with_those_at_fault(drawn, more):
    machine = drawn.machine
    if isinstance(machine, NuSVC):
        machine = replace(machine, nu=nu_limit(machine.y, machine.weights) + more)
        if machine.nu > 1:
            return
    else:
        C = 1 / (machine.W * (1 + more))
        machine = Ball(machine.K, C, machine.weights)
    found = solve_exactly(problem_of(drawn.X, drawn.kernel, machine))
    assert found.status == "infeasible" and found.alpha is None and found.offsets is None
    limits = [q * getattr(machine, "C", 1) * w for q, w in zip(found.farkas, machine.weights)]
    assert exact_sum(limits) < (1 if isinstance(machine, Ball) else machine.nu * machine.W / 2)


@pytest.mark.parametrize("kernel", [Linear(), Gaussian(1)])
@pytest.mark.parametrize("bias", [True, False])
def test_classification_has_offsets_as_the_others_have(kernel, bias):
    """One of each label, and C = 1/8: an interval of b is optimal."""
    found = solve_exactly(Problem([[-1], [1]], [-1, 1], kernel, 0.125, bias))
    (b,) = found.offsets
    assert (b.low, b.high) == (found.b_low, found.b_high)
    assert b.value == (b.low + b.high) * Q(1, 2)
    assert found.b_unique == (not bias)
