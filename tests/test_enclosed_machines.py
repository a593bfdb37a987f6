"""The enclosed optimum of the five other machines: every interval holds the true number.

The judge tries every pattern of bounds (formulations.py), on kernel values of 1400 bits: next to
the intervals here those are exact.
"""

from dataclasses import replace
from fractions import Fraction as Q
from math import inf

import pytest
from exact_programs import inner, residuals
from formulation_draws import ALL, feasible
from formulations import NuSVC
from hypothesis import given
from hypothesis import strategies as st
from machine_problems import beta_of, by_machine, ends_of_alpha, problem_of
from profiles import draws
from test_certificate_machines import converted

from refsvm import (
    BallProblem,
    Gaussian,
    Linear,
    NuProblem,
    NuRegressionProblem,
    OneClassProblem,
    Polynomial,
    RegressionProblem,
    certify,
    solve_exactly,
)
from refsvm.numerics.intervals import Interval
from refsvm.proofs import enclosed_optimum, exponential_sums
from refsvm.proofs.enclosed_optimum import enclose_optimum
from refsvm.proofs.enclosed_values import (
    enclose_lam,
    enclose_norm2,
    enclose_residuals,
    enclose_values,
    is_surely_closed,
)
from refsvm.proofs.enclosures import kernel_interval
from refsvm.proofs.merged_examples import MergedProblem
from refsvm.proofs.refinement import refine, solve_free
from refsvm.proofs.rounded_problem import RoundedProblem, is_closed

TINY = Q(1, 2**400)
BITS = 40
GAUSSIAN = Gaussian(0.5)
KERNELS = [GAUSSIAN, GAUSSIAN + 0.25 * Linear(), GAUSSIAN * Polynomial(1, coef0=1),
           GAUSSIAN * Linear()]

eighths = st.integers(0, 8).map(lambda v: Q(v, 8))


def on_kernel(drawn, kernel):
    """(the problem on floats, the judge's machine), with this kernel."""
    X = [list(map(float, x)) for x in drawn.X]
    K = [[kernel_interval(kernel, x, z, 1400).low for z in X] for x in X]
    machine = converted(replace(drawn.machine, K=K), float)
    return problem_of(X, kernel, machine), converted(machine, Q)


def holds(interval, number):
    if abs(number) == inf:
        return interval == number
    return interval.low - TINY <= number <= interval.high + TINY


def true_letters(machine, best):
    """L, M or U of each example; None where the tube is closed."""
    if best.offsets.get("epsilon", (1, 1))[1] < TINY or getattr(machine, "epsilon", 1) == 0:
        return None
    program = machine.program()
    r, letters = residuals(program, best.variables), ["L"] * machine.n
    for group, (m, M) in zip(program.groups, best.multipliers):
        lam = M - 1 if m == -inf else m + 1 if M == inf else (m + M) / 2
        for k in group:
            pull, i = r[k] - lam, k % machine.n
            end = program.upper[k] if pull > 0 else program.lower[k]
            letter = "M" if abs(pull) < TINY else "U" if end else "L"
            letters[i] = min(letter, letters[i], key="MUL".index)
    return letters


def agree(found, machine):
    """Whether the answer holds what trying everything finds."""
    best = machine.solve()
    assert (best is None) == (found.status == "infeasible")
    if best is None:
        return
    assert (found.status == "degenerate") == ("rho" in best.offsets and not any(best.scores))
    assert holds(found.objective, best.value) and found.objective.width <= Q(1, 2**BITS)
    assert holds(found.w_norm2, inner(best.beta, best.scores))
    for name, offset in found.offsets._asdict().items():
        for ends in zip(offset[1:], best.offsets[name]):
            assert holds(*ends)
        assert all(v.width <= Q(1, 2**BITS) for v in offset if isinstance(v, Interval))
    assert (found.other_alpha is not None) == (found.alpha_unique is False)
    lows, highs = ends_of_alpha(machine)
    for alpha in filter(None, (found.alpha, found.other_alpha)):
        assert all(low <= a <= high for low, a, high in zip(lows, alpha, highs))
        beta = beta_of(machine, alpha)
        lams = [next(v for v in ends if abs(v) < inf) for ends in best.multipliers]
        primal = machine.primal(beta, **machine.offsets_at(best.beta, lams))
        assert -TINY <= primal - best.value <= Q(1, 2**(BITS // 3))
    if found.alpha_unique:
        assert all(abs(a - b) < Q(1, 2**15) for a, b in zip(found.alpha, best.alpha))
    if found.status == "degenerate":
        return
    if found.b_unique is not None and "b" in best.offsets:
        low, high = best.offsets["b"]
        assert found.b_unique == (abs(high - low) < TINY)
    letters = true_letters(machine, best)
    assert letters is None or all(
        letter in (true, "?") for letter, true in zip(found.status, letters)
    )


@by_machine
@draws(1 / 2)
@given(st.data())
def test_the_true_optimum_is_held(name, data):
    drawn = data.draw(ALL[name]())
    problem, machine = on_kernel(drawn, data.draw(st.sampled_from(KERNELS)))
    agree(solve_exactly(problem, bits=BITS), machine)


@by_machine
@draws(1 / 2)
@given(st.data(), st.integers(1, 14))
def test_what_is_measured_holds_with_few_bits_and_poor_variables(name, data, p):
    """Where rounding and the gap are large no term of a bound can be absent and not be missed."""
    drawn = data.draw(ALL[name]())
    problem, machine = on_kernel(drawn, data.draw(st.sampled_from(KERNELS)))
    merged = MergedProblem(problem)
    best = machine.solve()
    if best is None or len(merged.groups) < machine.n:
        return
    drawn_alpha, share = machine.alpha(data.draw(feasible(machine))), data.draw(eighths)
    alpha = [share * a + (1 - share) * z for a, z in zip(drawn_alpha, best.alpha)]
    near = RoundedProblem(merged, p, is_closed(merged.exact(Linear()), alpha))
    seen = enclose_values(near, alpha if near.closed else near.problem.variables_of(alpha))
    scale = near.problem.scale
    assert holds(scale * seen.value, best.value)
    assert holds(enclose_norm2(near, seen), inner(best.beta, best.scores))
    r, known = enclose_residuals(near, seen), residuals(machine.program(), best.variables)
    places = near.of if near.closed else list(range(len(r)))
    if isinstance(machine, NuSVC):
        places = near.of
    assert all(holds(v, known[k]) for v, k in zip(r, places))
    if not near.closed:
        for ends, pair in zip(enclose_lam(near.best_lam, r), best.multipliers):
            assert all(map(holds, ends, pair))
    found, letters = enclose_optimum(near, seen), true_letters(machine, best)
    for name, offset in found.offsets._asdict().items():
        assert all(map(holds, offset[1:], best.offsets[name]))
    assert letters is None or all(
        letter in (true, "?") or (letter, true) == ("T", "M")
        for letter, true in zip(found.status, letters)
    )


# ---- closed forms -------------------------------------------------------------------------------

LINE = [[0.0], [1.0], [3.0]]
k = [kernel_interval(GAUSSIAN, [0.0], [v], 2500).low for v in (1.0, 2.0, 3.0)]


@pytest.mark.parametrize("bits", [1, 64, 300])
def test_two_points_have_closed_forms(bits):
    X, (a, *_) = [[0.0], [1.0]], k
    one = solve_exactly(OneClassProblem(X, GAUSSIAN, 0.5), bits=bits)
    assert one.offsets.rho.value.holds((1 + a) / 2) and one.status == "MM" and one.b_unique
    assert one.objective.holds(-(1 + a) / 4) and one.b_low.holds(-(1 + a) / 2)
    ball = solve_exactly(BallProblem(X, GAUSSIAN, inf), bits=bits)
    assert ball.offsets.radius2.low.holds((1 - a) / 2) and ball.objective.holds((1 - a) / 2)
    nu = solve_exactly(NuProblem(X, [1, -1], GAUSSIAN, 0.5), bits=bits)
    assert nu.offsets.rho.high.holds((1 - a) / 2) and nu.offsets.b.low.holds(0)
    near = solve_exactly(RegressionProblem(X, [0, 4], GAUSSIAN, 100, 0.5), bits=bits)
    assert near.w_norm2.holds(9 / (2 - 2 * a)) and near.offsets.b.value.holds(2)
    tube = solve_exactly(NuRegressionProblem(X, [0, 4], GAUSSIAN, 1, 0.25), bits=bits)
    assert tube.offsets.epsilon.value.holds(2 - (1 - a) / 4) and tube.offsets.b.value.holds(2)
    for found in (one, ball, nu, near, tube):
        assert found.alpha_unique and enclosed_optimum.is_narrow(found, bits)


def test_ends_that_are_infinite_are_said_to_be():
    all_in = solve_exactly(OneClassProblem(LINE, GAUSSIAN, 1))
    assert all_in.offsets.rho.high == inf and all_in.b_low == -inf and all_in.status == "UUU"
    assert all_in.offsets.rho.low.holds(1 + k[0] + k[1]) and all_in.b_unique is False
    smallest = solve_exactly(BallProblem(LINE[:2], GAUSSIAN, 0.5)).offsets.radius2
    assert smallest.low == Interval(0, 0) and smallest.high.holds((1 - k[0]) / 2)
    apart = solve_exactly(NuProblem(LINE[:2], [1, -1], GAUSSIAN, 1))
    assert apart.offsets.b.low == -inf and apart.offsets.b.high == inf == apart.offsets.rho.high


def test_a_tube_that_closes_has_no_width_and_one_alpha():
    for problem in (RegressionProblem(LINE, [0, 1, 5], GAUSSIAN, 100, 0),
                    NuRegressionProblem(LINE, [0, 1, 5], GAUSSIAN, 100, 0.75)):
        found = solve_exactly(problem)
        assert found.status == "MMM" and found.alpha_unique and found.b_unique
        assert getattr(found.offsets, "epsilon", found.offsets.b).low.width <= Q(1, 2**64)
    assert found.offsets.epsilon.low.holds(0)


def test_what_the_bounds_do_not_allow_and_hulls_that_meet_are_told_by_equal_rows():
    found = solve_exactly(NuProblem([*LINE, [0.0]], [1, 1, 1, -1], GAUSSIAN, 0.75))
    assert found.status == "infeasible" and found.farkas == [0, 0, 0, 1]
    found = solve_exactly(NuProblem([*LINE, [0.0]], [1, 1, 1, -1], GAUSSIAN, 0.5))
    assert found.status == "degenerate" and found.farkas == found.alpha == [1, 0, 0, 1]
    assert found.offsets.rho.value == found.objective == Interval(0, 0)
    kernel = GAUSSIAN * Linear()
    found = solve_exactly(OneClassProblem([[0.0], [1.0], [0.0]], kernel, 0.5))
    assert found.status == "degenerate" and found.farkas == [Q(1, 2), 0, Q(1, 2)]
    assert solve_exactly(OneClassProblem([[0.0], [1.0]], kernel, 0.75)).status == "UM"


def test_equal_examples_are_one_and_may_share_otherwise():
    found = solve_exactly(OneClassProblem([*LINE, [3.0]], GAUSSIAN, 0.5, [1, 1, 3, 1]))
    assert found.alpha_unique is False and found.alpha[2] == 3 * found.alpha[3]
    assert found.alpha[2] + found.alpha[3] == found.other_alpha[2] + found.other_alpha[3]
    found = solve_exactly(RegressionProblem([*LINE, [3.0]], [0, 2, 1, 1], GAUSSIAN, 4, 0))
    assert found.alpha_unique is False and found.other_alpha[2] != found.alpha[2]


def test_a_tie_is_proved_by_algebra():
    """The middle one of three lies on the tube's edge, by symmetry, with its multiplier at 0."""
    problem = RegressionProblem([[-1.0], [0.0], [1.0]], [-4, 1, 4], GAUSSIAN, 100, 1)
    assert solve_exactly(problem).status == "MMM"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(exponential_sums, "MAX_ROWS", 0)
        assert solve_exactly(problem, bits=4).status == "M?M"


def test_a_tie_on_the_sphere_is_proved_by_algebra():
    """Four corners of a square: each alpha is 1/4, and that is all that the last may have."""
    corners = [[6.0, 2.0], [4.0, 2.0], [5.0, 3.0], [5.0, 1.0]]
    found = solve_exactly(BallProblem(corners, GAUSSIAN + Linear(), 1, [1, 1, 1, 0.25]))
    assert found.status == "MMMM" and found.alpha_unique and found.b_unique


def test_a_tube_is_closed_where_that_is_proved():
    problem = NuRegressionProblem(LINE, [0, 1, 5], GAUSSIAN, 100, 0.75)
    near = RoundedProblem(MergedProblem(problem), 200, closed=True)
    for alpha, closed in (solve_exactly(problem).alpha, True), ([0, 0, 0], False):
        assert is_surely_closed(near, enclose_values(near, list(map(Q, alpha)))) == closed


def test_the_free_variables_of_each_group_are_where_its_lam_is():
    problem = NuProblem([*LINE, [4.0], [6.0]], [1, -1, 1, -1, 1], GAUSSIAN, 0.6)
    near = RoundedProblem(MergedProblem(problem), 100)
    x, free = refine(near, near.problem.variables_of([Q(1, 2)] * 5), set(range(5)))
    r, (_, lam, _) = near.residuals(x), solve_free(near, x, free)
    assert {near.group[k] for k in free} == {0, 1}
    assert all(abs(r[k] - lam[near.group[k]]) < Q(1, 2**80) for k in free)


def test_more_examples_are_what_certify_says_they_are():
    rows = [[(i * i % 17) / 4, (i * i * i % 23) / 5] for i in range(16)]
    y = [x[0] - x[1] for x in rows]
    for problem in (NuProblem(rows, [1 if v > 0 else -1 for v in y], GAUSSIAN, 0.4),
                    RegressionProblem(rows, y, GAUSSIAN, 10, 0.25),
                    NuRegressionProblem(rows, y, GAUSSIAN, 10, 0.4),
                    OneClassProblem(rows, GAUSSIAN, 0.3), BallProblem(rows, GAUSSIAN, 0.2)):
        found = solve_exactly(problem)
        proof = certify(problem, found.alpha, *(v.value.low for v in found.offsets))
        assert proof.gap < Q(1, 2**60) and "?" not in found.status
        assert proof.dual <= found.objective.high and found.objective.low <= proof.primal
