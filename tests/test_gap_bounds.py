"""Bounds of the gap hold of the machine that is kept, and are hardly wider.

Of svm/gap_bounds.py and svm/machine_in_doubles.py; what is exact of small problems is judged by
bounds in doubles here, too, as large ones are.
"""

from contextlib import nullcontext
from fractions import Fraction
from functools import reduce
from math import inf
from operator import add
from random import Random
from statistics import median
from unittest.mock import patch

import fuzz_words
import pytest
import truths
from equality import compiled, own_problem, tree
from hypothesis import example, given
from hypothesis import strategies as st
from profiles import draws

import refsvm
import refsvm_fast
from refsvm import (
    BallProblem,
    Gaussian,
    Linear,
    MonomialSum,
    NuProblem,
    NuRegressionProblem,
    OneClassProblem,
    Polynomial,
    Problem,
    RegressionProblem,
    gap_bounds,
)
from refsvm.numerics.rounding_bounds import MIN_DOUBLE, U, rounded_up
from refsvm.proofs.rational_kernels import is_rational
from refsvm.svm import gap_bounds as ways
from refsvm.svm.dual_form import infeasible_group
from refsvm.svm.machine_in_doubles import (
    cost_of_moves,
    error_of_half_norm2,
    hinge_share,
    machine_at,
    machine_of_w,
    moves_to_feasible,
    square_share,
    with_offsets,
)

machines = st.sampled_from(sorted(set(truths.MACHINES)))
seeds = st.integers(0, 2**40)


def in_doubles():
    """Within this context no problem is small enough to be judged exactly."""
    return patch.object(ways, "is_small", lambda *given: False)


def answered(seed, machine, **options):
    """(problem, its Solution by smo, the random numbers that follow); None where there is none."""
    random = Random(seed)
    try:
        problem = truths.drawn_problem(random, machine, most=5, **options)
        solution = refsvm.smo(problem, random.choice([1e-3, 1e-6, 0.1]), max_iter=2000)
    except ValueError:  # numbers beyond the doubles
        return None
    if solution.status in ("infeasible", "degenerate", "indefinite"):
        return None
    return problem, solution, random


def answers_of(problem, solution, random):
    """A right answer and a spoilt one, whose offsets belong to a machine."""
    own = [offset.value for offset in solution.offsets]
    names = problem.offsets_class._fields
    some = (solution.alpha, own), fuzz_words.spoilt(random, problem, solution)
    return [(alpha, offsets) for alpha, offsets in some
            if all(abs(v) < inf for v in [*alpha, *offsets])
            and all(v >= 0 or name not in ("epsilon", "radius2")
                    for v, name in zip(offsets, names))]


def in_doubles_at(problem, alpha, *offsets):
    """The MachineInDoubles of an answer."""
    return machine_at(problem.at(alpha, offsets), alpha, list(offsets))


# ---- between the bounds


@given(seeds, machines)
@draws(2)
def test_the_primal_is_between_the_bounds_above_the_optimum(seed, machine):
    """Of right answers and of spoilt ones, in the exact arithmetic of the machine that is kept."""
    found = answered(seed, machine)
    if found is None:
        return
    problem, solution, random = found
    best = truths.least_value(problem) if is_rational(problem.kernel) else None
    for alpha, offsets in answers_of(problem, solution, random):
        for way in nullcontext(), in_doubles():
            with way:
                assert fuzz_words.false_bounds(problem, alpha, offsets, best) == []
        if best is not None and infeasible_group(problem.dual_form()) is None:
            low, high = in_doubles_at(problem, alpha, *offsets).dual()
            assert problem.scale * Fraction(low) <= best if low > -inf else high == inf
            dual = fuzz_words.feasible_dual(problem, problem.to(Fraction), alpha)
            if dual is not None and low > -inf and not problem.linear:
                assert Fraction(low) <= dual / problem.scale <= Fraction(high)


@given(seeds, machines)
@example(122, "squared")
@draws(3/2)
def test_of_fractions_and_of_small_problems_high_is_the_gap_of_the_certificate(seed, machine):
    found = answered(seed, machine)
    if found is None or not is_rational(found[0].kernel):
        return
    problem, solution, random = found
    best, hard = truths.least_value(problem), problem.dual_form().hard
    for alpha, offsets in answers_of(problem, solution, random):
        for given_problem in (problem, problem.to(Fraction)):
            exact = given_problem.kind is Fraction
            numbers = [list(map(Fraction, v)) if exact else v for v in (alpha, offsets)]
            low, high = gap_bounds(given_problem, numbers[0], *numbers[1])
            certificate = refsvm.certify(problem, alpha, *offsets)
            if exact or not problem.linear:  # of a linear one w is rounded
                assert high == (certificate.gap if exact else rounded_up(certificate.gap))
            if best is not None and certificate.primal < inf:
                assert low <= certificate.primal - best <= high
                assert low == 0 or not hard
        if fuzz_words.feasible_dual(problem, problem.to(Fraction), alpha) is not None:
            least = in_doubles_at(problem, alpha, *offsets).least()
            assert certificate.gap == inf or Fraction(least) <= max(certificate.gap, 0)


@pytest.mark.parametrize("way", [nullcontext, in_doubles])
def test_without_offsets_the_bounds_are_those_of_the_best(way):
    """The best b is rounded, and another double would gain by that."""
    problem = Problem([[1, 2], [1, 3]], [1, -1], MonomialSum(2) + Linear(), C=10)
    alpha, best = [0.06896551724137931] * 2, truths.least_value(problem)
    gap = refsvm.certify(problem, alpha).primal - best
    with way():
        assert fuzz_words.false_bounds_of_best(problem, alpha, best) == []
    assert 0 < gap < Fraction(1, 2**51)


@given(seeds, st.sampled_from(["hinge", "squared", "no offset"]))
@draws(2)
def test_the_gap_of_a_w_of_its_own_is_no_less_than_it_is(seed, machine):
    """P(w) - P* of any w, beside any multipliers; and of a w that is off by so much."""
    random = Random(seed)
    try:
        problem = truths.drawn_problem(random, machine, most=5, kernel=Linear())
    except ValueError:
        return
    if problem.bias:
        problem = Problem(problem.X, problem.y, Linear(), problem.C, False, problem.slack)
    alpha = [random.choice([0.0, c, random.uniform(0, c)]) for c in problem.C]
    twin, best = problem.to(Fraction), truths.least_value(problem)
    w = [v * (1 + random.choice([0.0, 1e-12, 0.1])) for v in problem.point_weights(alpha)]
    scores = [truths.total(Fraction(a) * Fraction(v) for a, v in zip(w, x))
              for x in problem.points]
    norm2 = truths.total(Fraction(v) ** 2 for v in w)
    gap = twin.primal_value(twin.dual_form(), scores, norm2, []) - best
    beta = problem.variables_of(alpha)
    assert gap <= Fraction(ways.gap_of_w(problem, alpha, w))
    with in_doubles():
        told = ways.gap_of_w(problem, alpha, w)
    assert told == inf or gap <= Fraction(told)
    off = random.choice([1e-9, 1.0]) * (1 + max(map(abs, w)))
    moved = [v + off / len(w) for v in w]
    told = machine_of_w(problem, beta, moved, 2 * off).most()
    assert told == inf or gap <= Fraction(told)


# ---- whole numbers, and what was false once


TOYS = [
    (Problem([[0], [2], [3]], [-1, 1, 1], C=2), [0.5, 0.5, 0.0], [-1.0]),
    (Problem([[-1], [1]], [-1, 1], C=inf), [0.5, 0.5], [0.0]),
    (Problem([[-1], [1]], [-1, 1], Polynomial(3, 0.5, 0.0), C=inf), [4.0, 4.0], [0.0]),
    (Problem([[-1], [1]], [-1, 1], C=0.5, slack="squared"), [0.25, 0.25], [0.0]),
    (Problem([[1], [2], [-1]], [1, 1, -1], C=1, bias=False), [0.5, 0.0, 0.5], [0.0]),
    (NuProblem([[0], [1], [3], [4]], [-1, -1, 1, 1], nu=0.5), [0.0, 1.0, 1.0, 0.0], [-4.0, 2.0]),
    (RegressionProblem([[0], [1], [2]], [0, 1, 4], C=1, epsilon=0.25), [0.0, -1.0, 1.0], [0.25]),
    (NuRegressionProblem([[0], [1], [2]], [0, 1, 4], C=1, nu=0.5), [-0.75, 0.0, 0.75], None),
    (OneClassProblem([[1], [2], [4]], nu=0.5), [1.0, 0.5, 0.0], [4.0]),
    (BallProblem([[-2], [0], [8]]), [0.5, 0.0, 0.5], [25.0]),
    (BallProblem([[-2], [0], [8]], C=inf), [0.5, 0.0, 0.5], [25.0]),
]


@pytest.mark.parametrize("problem, alpha, offsets", TOYS, ids=lambda v: repr(v)[:40])
def test_of_the_whole_numbers_of_a_lesson_both_bounds_are_0(problem, alpha, offsets):
    best = refsvm.solve_exactly(problem)
    if offsets is None:
        alpha, offsets = ([float(v) for v in best.alpha],
                          [float(v.value) for v in best.offsets])
    assert gap_bounds(problem, alpha, *offsets) == gap_bounds(problem, alpha) == (0.0, 0.0)
    assert gap_bounds(problem, [*alpha[:-1], alpha[-1] + 0.25], *offsets).high > 0
    with in_doubles():
        assert 0 <= gap_bounds(problem, alpha, *offsets).high < 1e-12
    solution = refsvm.smo(problem, tol=0)
    assert solution.status == "optimal" and solution.gap == 0.0
    # What the best offsets gain, exactly: all that these lack.
    far, form = [v + 1.0 for v in offsets], problem.dual_form()
    if form.groups:
        exact, true = gap_bounds(problem, alpha, *far), truths.kept_primal(problem, alpha, far)
        true -= best.objective
        assert exact.low == (0 if form.hard or inf in form.upper and not form.squared else true)
        with in_doubles():
            rough = gap_bounds(problem, alpha, *far)
        assert rough.low <= true <= rough.high and rough.low >= 0.99 * (exact.low - 1e-12)


FAR = Problem([[0], [1e9], [2e9], [3e9]], [-1, 1, -1, 1])
HARD = [
    # A margin is short by less than u: 1 / (1 - short) is 1 in doubles, and others have C = 1000.
    ([[-111.0, -3.0], [6.0, 7.0]], [1, -1], Linear(), [inf, 1000.0],
     [0.00014504315033722533] * 2, -0.888026687939662),
    ([[2170000.0], [6438000.0], [5432000.0], [3067000.0]], [1, -1, -1, -1],
     Polynomial(3, 0.1, 1.0), [2.0, inf, 2.0, inf],
     [5.761552715137018e-36, 0.0, 0.0, 5.761552715137018e-36], 2.0968922531753114),
    # The sum is off, so w is off by that times the shift, and what is rescaled is longer by it.
    ([[0.1, 0.5], [-0.1, -0.4]], [1, -1], Linear(), inf,
     [2.3529379075154124, 2.3529435198734525], -0.09243328946583021),
]
ONCE_FALSE = [
    *((Problem(X, y, kernel, C), alpha, b) for X, y, kernel, C, alpha, b in HARD),
    (FAR, refsvm.smo(FAR).alpha, refsvm.smo(FAR).b),  # one rounding of alpha moves it by 222
    (RegressionProblem([[0.0]], [5e-324], C=0.1, epsilon=0), [0.0], 0.0),
    (RegressionProblem([[1.0]], [5e-324], Polynomial(1), C=0.1, epsilon=0), [0.0], 0.0),
    (RegressionProblem([[1.0], [3.0]], [1e-200, 3e-200], Polynomial(1), C=1e-190, epsilon=0),
     [0.0, 0.0], 1e-200),
    (Problem([[2.0**-530 / 3], [-(2.0**-530) / 7]], [1, -1], C=0.7, bias=False), [0.7, 0.7], 0.0),
    (Problem([[-2.0], [1.0]], [1, -1], C=[1.0, inf]), [0.2, 0.2], 0.0),
]


@pytest.mark.parametrize("problem, alpha, b", ONCE_FALSE, ids=repr)
def test_what_was_false_is_true(problem, alpha, b):
    true = truths.kept_primal(problem, alpha, [b]) - truths.least_value(problem)
    bound = gap_bounds(problem, alpha, b).high
    assert 0 <= true <= Fraction(bound) and bound > 0
    for own in (problem, own_problem(problem)):
        with in_doubles():
            rough = gap_bounds(own, alpha, b)
        assert Fraction(rough.low) <= true
        assert rough.high == inf or true <= Fraction(rough.high)


def test_one_rounding_of_alpha_moves_the_four_points_by_222():
    solution = refsvm.smo(FAR)
    assert gap_bounds(FAR, solution).high == pytest.approx(222.045, abs=1e-2)
    assert solution.gap == pytest.approx(222.045, abs=1e-2) and solution.status == "precision"


# ---- each term by itself


def test_shares_of_hinges_and_squares():
    assert hinge_share(0.5, 2.0, 1.0) == 1.0 and hinge_share(-0.5, 2.0, 1.0) == 0.5
    assert hinge_share(-0.5, 2.0, 0.0) == 0 == hinge_share(0.5, 0.0, 1.0)
    assert hinge_share(0.5, inf, 1.0) == 0 == hinge_share(0.0, 2.0, 1.0)
    assert hinge_share(0.5, -1.0, 1.0) == 0 == hinge_share(-0.5, 1.0, -1.0)
    assert hinge_share(1e-300, 1e-300, 0.0) == MIN_DOUBLE == hinge_share(-1e-300, 0.0, 1e-300)
    shares = square_share(1e-300, 0.0, 1.0, 1.0), square_share(-1e-300, 1e-300, 1.0, 0.0)
    assert shares == (MIN_DOUBLE, MIN_DOUBLE)
    assert square_share(-1.0, 0.0, 1.0, 1.0) == 0 == square_share(0.0, 1.0, 1.0, 1.0)


@given(st.fractions(-3, 3), st.fractions(0, 3), st.fractions(Fraction(1, 9), 9))
@example(Fraction(-1), Fraction(2), Fraction(2))  # both formulas are a^2 / (2 C)
@draws(3/2)
def test_a_square_share_is_what_the_loss_is_above_the_tangent(d, a, C):
    """loss(e) - a e + a^2 / (2 C), with e = d + a / C; never negative."""
    e = d + a / C
    loss = C * e * e / 2 if e > 0 else 0
    assert square_share(d, a, C, 1 / C) == loss - a * e + a * a / (2 * C) >= 0


TWO = Problem([[0.1], [0.7]], [1, -1], Polynomial(1), C=2)


def sharp(machine, **changed):
    """The machine with residuals and lam that are said to be exact, but for what is given."""
    errors = changed.pop("errors", [0.0] * len(machine.beta))
    known = machine.residuals._replace(errors=errors, w_error=changed.pop("w_error", 0.0))
    of_lam = changed.pop("lam_errors", [0.0] * len(machine.lam))
    return machine._replace(residuals=known, lam_errors=of_lam, **changed)


def test_each_error_widens_the_bound_by_what_the_multiplier_may_move():
    """errors and lam_errors count alike, on the side on which there is room."""
    at = in_doubles_at(TWO, [0.5, 0.5], 0.25)
    base, true = sharp(at).most(), 0.0
    for x, beta, low, high in zip(at.residuals.r, at.beta, at.form.lower, at.form.upper):
        shares = [(high - beta) * max(v, 0) + (beta - low) * max(-v, 0)
                  for v in (x - 0.25, x - 0.375, x - 0.125)]
        true += max(shares) - shares[0]
    for wide in (sharp(at, lam_errors=[0.125]), sharp(at, errors=[0.125] * 2)):
        more = wide.most() - base
        assert true <= more + 1e-15 and more <= true * (1 + 1e-9)
    assert sharp(at, w_error=0.5).most() >= base + 0.125
    both = sharp(at, errors=[0.25, 0.25], lam_errors=[0.125]).excess()
    for (low, high), x in zip(both, at.residuals.r):
        assert Fraction(low) <= Fraction(x) - Fraction(1, 4) - Fraction(3, 8)
        assert Fraction(high) >= Fraction(x) - Fraction(1, 4) + Fraction(3, 8)
        assert high - low <= 0.75 * (1 + 1e-12)


@pytest.mark.parametrize("error", [2.0**-100, 1 - 2.0**-53])
def test_the_difference_of_residual_and_lam_is_rounded(error):
    """1 + 2^-54 is 1 in doubles; and so is what it is less nearly 1."""
    at = in_doubles_at(TWO, [0.5, 0.5], 0.25)
    near = sharp(at, errors=[error] * 2, lam=[-(2.0**-54)])
    near = near._replace(residuals=near.residuals._replace(r=[1.0, -1.0]))
    for (low, high), e in zip(near.excess(), (1 + Fraction(1, 2**54), Fraction(1, 2**54) - 1)):
        assert Fraction(low) <= e - Fraction(error) and Fraction(high) >= e + Fraction(error)


def test_what_is_beyond_the_doubles_is_not_lost():
    at = in_doubles_at(TWO, [0.5, 0.5], 0.25)
    far = at._replace(residuals=at.residuals._replace(r=[1.5e308, -1.5e308]), lam=[-1e308])
    (low, high), _ = far.excess()
    assert 1.7e308 < low < high == inf and far.most() == inf
    other = far._replace(lam=[1e308]).excess()[1]
    assert -inf == other[0] < other[1] < -1.7e308


def test_what_sums_and_bounds_ask_for_costs_what_the_multipliers_move():
    """Each to its interval; then what the sum lacks, at the worst slope and root of the group."""
    problem = Problem([[1.0], [-1.0], [3.0]], [1, -1, 1], Polynomial(1), C=2)
    exact = in_doubles_at(problem, [0.5, 0.5, 0.0], 0.0)
    assert moves_to_feasible(exact.form, exact.beta) == [] and sharp(exact).most() == 0
    for alpha in ([0.75, 0.5, 0.0], [0.25, 0.5, 0.0]):
        spoilt = in_doubles_at(problem, alpha, 0.0)
        assert moves_to_feasible(spoilt.form, spoilt.beta) == [(range(3), 0.25)]
        (shares, cost, distance), found = spoilt.parts(), spoilt.excess()
        assert cost == 0.25 * max(max(map(abs, ends)) for ends in found)
        least = Fraction(shares) + Fraction(cost) + Fraction(distance) ** 2 / 2
        assert distance >= 0.25 * 3 and least <= Fraction(spoilt.most()) <= least * (1 + 99 * U)
    pair = in_doubles_at(Problem([[1.0], [-2.0]], [1, -1], Polynomial(1), C=1), [1.5, -0.5], -4.0)
    moves = moves_to_feasible(pair.form, pair.beta)  # each by a half; then 1 is too much
    assert [list(some) for some, _ in moves] == [[0], [1], [0, 1]]
    assert all(0 <= size - least <= 1e-15 for (_, size), least in zip(moves, [0.5, 0.5, 1]))
    assert cost_of_moves([([0], 0.5), ([0, 1], 1.0)], [1.0, 4.0], [3.0, 2.0]) == (4.5, 4.5)
    low, high = sharp(pair).dual()
    assert low <= -0.5 * max(map(abs, pair.residuals.r)) and high > low


def test_where_nothing_is_feasible_there_is_no_bound():
    problem = NuProblem([[0.0], [1.0], [2.0]], [1, -1, -1], nu=0.9)
    for way in nullcontext(), in_doubles():
        with way:
            assert gap_bounds(problem, [1.0, 0.5, 0.5], 0.0, 1.0).high == inf
    machine = in_doubles_at(problem, [1.0, 0.5, 0.5], 0.0, 1.0)
    assert machine.dual() == (-inf, inf) and machine.least() == inf == machine.most()


def test_offsets_are_made_lam_with_what_that_rounds():
    problem = NuProblem([[0.0], [1.0], [3.0], [4.0]], [-1, -1, 1, 1], Polynomial(1), nu=0.5)
    alpha = [0.0, 1.0, 1.0, 0.0]
    at = in_doubles_at(problem, alpha, 1.0, 2.0**-60)  # b - rho and b + rho are both 1
    assert at.lam == [1.0, 1.0] and min(at.lam_errors) >= 2.0**-60
    whole = in_doubles_at(problem, alpha, -4.0, 2.0)
    assert whole.lam_errors == [0.0, 0.0]
    assert with_offsets(whole, [inf, 2.0], 4.0, Fraction(0)).lam_errors == [inf, inf]
    assert min(with_offsets(whole, [-4.0, 2.0], 4.0, Fraction(0), 0.5).lam_errors) >= 0.5


def test_the_shift_of_the_rows_moves_b_exactly():
    problem = Problem([[1e8], [1e8 + 1]], [1, -1], C=4)
    at = in_doubles_at(problem, [2.0, 2.0], 2e8 + 1.0)
    assert problem.moved_by_shift([2.0, 2.0]) == -2 * 10**8
    assert at.lam == [1.0] and at.lam_errors == [0.0]


def test_the_norm_of_a_ball_counts_in_its_radius():
    problem = BallProblem([[0.1], [0.7], [1.1]], Polynomial(1))
    at = in_doubles_at(problem, [0.5, 0.0, 0.5], 0.3)
    mass = truths.total(Fraction(b) * Fraction(s) for b, s in zip(at.beta, at.residuals.roots))
    lost = (len(at.beta) + 4) * mass**2 / 2**53
    assert Fraction(error_of_half_norm2(at)) >= lost
    assert at.lam_errors[0] >= error_of_half_norm2(at)
    assert lost <= Fraction(error_of_half_norm2(sharp(at))) <= 1.1 * lost
    wide = sharp(at, w_error=0.5, errors=[0.25] * 3)
    assert error_of_half_norm2(wide) >= 0.25 + 0.5 * (float(mass) + 0.5)
    assert error_of_half_norm2(in_doubles_at(TWO, [0.5, 0.5], 0.25)) == 0


def test_a_ball_that_must_hold_all_grows_by_what_it_lacks():
    problem, alpha = BallProblem([[-2.0], [0.0], [8.0]], C=inf), [0.5, 0.0, 0.5]
    assert gap_bounds(problem, alpha, 16.0) == (0, 0)
    assert gap_bounds(problem, alpha, 36.0).high == 11
    finite = BallProblem([[-2.0], [0.0], [8.0]], C=1)
    assert gap_bounds(finite, alpha, 16.0).high == 9.0  # 2 lack 9 each, and the ball is 9 smaller
    with in_doubles():
        for radius2, high in (16.0, 9.0), (36.0, 11.0):  # the ball grows from either end
            assert high <= gap_bounds(finite, alpha, radius2).high + 1e-12 < high + 3
        assert 0 <= gap_bounds(problem, alpha, 36.0).high - 11 < 1e-12
        assert 0 <= gap_bounds(problem, alpha, 25.0).high < 1e-12


@pytest.mark.parametrize("way", [nullcontext, in_doubles])
def test_a_hard_margin_is_multiplied(way):
    """f = x / 2: rescaled by 2, the primal is 1/2; that of the multipliers 1/8 is 3/8 less."""
    problem = Problem([[-1.0], [1.0]], [-1, 1], C=inf)
    with way():
        assert 0.125 <= gap_bounds(problem, [0.25, 0.25], 0.0).high < 1.13
        assert gap_bounds(problem, [0.0, 0.0], 0.0).high == inf
        assert gap_bounds(problem, [0.25, 0.25], 2.0).high == inf
        assert gap_bounds(problem, [0.5, 0.5], 0.5).high >= 0.5
        assert gap_bounds(problem, [0.5, 0.5], 0.25).low == 0
        far = Problem([[1, 0], [0, 1], [0, 1]], [1, 1, -1], Linear(), [inf, 10, 1000], False)
        true = truths.kept_primal(far, [0.5, 5.0, 0.0], [0.0]) - truths.least_value(far)
        high = gap_bounds(far, [0.5, 5.0, 0.0], 0.0).high  # the third has 6 of slack, then 11
        assert 10_000 < true <= Fraction(high)
    assert problem.cost_of_mending(0.5, 1.0) == 3.0 and problem.cost_of_mending(1.0, 1.0) == inf


def test_what_the_dual_is_off_has_the_error_of_what_moves():
    """2 too much, in doubles half of 2 times an error, and half the square of how far v moves."""
    at = sharp(in_doubles_at(TWO, [2.0, 0.0], 0.0), errors=[0.5, 0.5])
    low, high = at.dual()
    moved = 2 * (max(map(abs, at.residuals.r)) + 0.5) + (2 * 0.7) ** 2
    assert low <= 1 + at.residuals.r[0] - 0.5 - moved < 1 + at.residuals.r[0] + 0.5 + moved <= high


LEAST = [
    (Problem([[1.0], [-1.0], [3.0]], [1, -1, 1], Polynomial(1), C=4), [1.0, 0.5, 0.0], [4.0]),
    # Margins are short that allow no slack: the machine is mended, and others need less slack.
    (Problem([[1.0], [-1.0], [0.5]], [1, -1, 1], Polynomial(1), [inf, inf, 9.0], False),
     [0.25, 0.25, 0.0], []),
    (Problem([[-3.0], [-1.0], [-2.0], [0.0]], [1, -1, 1, 1], C=[inf, 1, 2, 1], bias=False,
             slack="squared"), [0, 0.1, 0.1, 0.5], []),
]


@pytest.mark.parametrize("problem, alpha, offsets", LEAST, ids=repr)
def test_the_least_gap_is_no_more_than_that_of_feasible_multipliers(problem, alpha, offsets):
    given = offsets or [0.0]
    least = in_doubles_at(problem, alpha, *given).least()
    assert 0 <= Fraction(least) <= refsvm.certify(problem, alpha, *given).gap


def test_b_of_far_rows_is_of_w_exact_and_rounded():
    """They differ by 1e-17, and rows are 2^40: which of them has this b is another machine."""
    far = 2.0**40
    problem = Problem([[far + 3], [far]] * 2049, [1, -1] * 2049, C=1)
    alpha, b = [0.3, 0.3] + [0.0] * 4096, -0.9 * far
    bounds, exact = refsvm.gap_bounds(problem, alpha, b), refsvm.certify(problem, alpha, b)
    assert bounds.low <= exact.primal - Fraction(2, 9) <= exact.gap <= bounds.high


def test_sums_of_shares_are_rounded():
    """1 and 200 times a little more than half of what is lost: each is rounded up."""
    n, small = 200, 0.51 * 2.0**-52
    problem = Problem([[0.0]] * (n + 2), [1] * (n + 1) + [-1], Polynomial(1), C=1)
    at = sharp(in_doubles_at(problem, [0.0] * (n + 2), 0.0))
    some = at._replace(residuals=at.residuals._replace(r=[1.0] + [small] * n + [0.0]))
    true = 1 + n * Fraction(small)
    assert Fraction(some.least()) <= true <= Fraction(some.most())
    added = reduce(add, some.shares(some.excess(), min))  # in doubles; sum() compensates, of late
    assert added > true


def test_a_w_of_its_own_is_as_far_as_it_is_from_that_of_the_multipliers():
    """All is short of its margin and at its bound, so no share is left."""
    for x, w, off, distance in (
        (1.0, 0.5, 0.0, Fraction(1, 2)),  # v is 1
        (0.1, 0.7 * 0.1, 0.0, Fraction(0.7 * 0.1) - Fraction(0.7) * Fraction(0.1)),  # v, rounded
        (0.125, 0.0875, 0.5, Fraction(1, 2)),  # w may be another by 1/2
    ):
        C = (1.0 if x == 1 else 0.7) / 2
        problem = Problem([[x], [-x]], [1, -1], C=C, bias=False)
        found = machine_of_w(problem, [C, -C], [w], off)
        assert distance != 0 and Fraction(found.most()) >= distance**2 / 2
        assert found.parts()[0] == 0


def test_what_cancels_in_the_dual_is_rounded_below_the_doubles():
    at = sharp(in_doubles_at(TWO, [0.5, 0.5], 0.25))
    tiny = at._replace(beta=[1e-200, -1e-200], form=at.form._replace(target=[1e-200, -1e-200]),
                       residuals=at.residuals._replace(r=[1e-200, -1e-200]))
    low, high = tiny.dual()
    assert low < 0 < Fraction(1, 10**401) < Fraction(high)


def test_the_least_is_a_number_where_all_is_beyond_the_doubles():
    problem = Problem([[1e150], [-1e150]], [1, -1], Polynomial(1), C=1e10)
    assert in_doubles_at(problem, [1e10, 1e9], 0.0).least() >= 0


def test_refusals():
    problem, alpha, offsets = TOYS[0]
    with pytest.raises(TypeError, match="a Solution has its own"):
        gap_bounds(problem, refsvm.smo(problem), 0.0)
    with pytest.raises(TypeError, match="a Problem is needed"):
        gap_bounds(None, alpha, *offsets)


# ---- how wide


@pytest.mark.parametrize("kernel", [Linear(), Gaussian(0.5), Polynomial(2, 1.0, 1.0)], ids=repr)
def test_bounds_are_hardly_wider_than_the_gap(kernel):
    """At most 1.01 of it, in the middle of a family, where it is above 1e-6 tol sum C."""
    ratios = []
    for seed in range(12):
        random = Random(seed)
        X = [[random.gauss(0, 1) for _ in range(3)] for _ in range(16)]
        y = [1 if x[0] + random.gauss(0, 0.5) > 0 else -1 for x in X]
        if len(set(y)) < 2:
            continue
        problem = Problem(X, y, kernel, C=random.choice([0.5, 10.0]))
        solution = refsvm.smo(problem, tol=0.1)
        gap = refsvm.certify(problem, solution).gap
        if gap > 1e-6 * 0.1 * sum(problem.C):  # exact
            with in_doubles():
                ratios.append(float(Fraction(gap_bounds(problem, solution).high) / gap))
            assert ratios[-1] >= 1 and Fraction(solution.gap) >= gap
    assert len(ratios) >= 5 and median(ratios) <= 1.01


# ---- the compiled twin


@compiled
@given(seeds, machines)
@example(3, "hard")
@draws(2)
def test_compiled_bounds_are_the_same_to_the_last_bit(seed, machine):
    found = answered(seed, machine)
    if found is None:
        return
    problem, solution, random = found
    own = own_problem(problem)
    for alpha, offsets in answers_of(problem, solution, random):
        for way in nullcontext(), in_doubles():
            with way:
                seen = [tree(package.gap_bounds(some, alpha, *offsets))
                        for package, some in ((refsvm, problem), (refsvm_fast, own))]
            assert seen[0] == seen[1]
