"""Bounds of the gap hold of the machine that is kept, and are hardly wider (svm/gap_bounds.py)."""

from fractions import Fraction
from math import inf
from random import Random
from statistics import median

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
from refsvm.proofs.rational_kernels import is_rational
from refsvm.svm.gap_bounds import answer_of
from refsvm.svm.judged_answer import _hinge_share, _roots_of, _square_share, at_least
from refsvm.svm.residual_bounds import EXACT

machines = st.sampled_from(sorted(set(truths.MACHINES)))
seeds = st.integers(0, 2**40)


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


def least_value(problem):
    return truths.least_value(problem) if is_rational(problem.kernel) else None


# ---- between the bounds


@given(seeds, machines)
@draws(4)
def test_the_primal_is_between_the_bounds_above_the_optimum(seed, machine):
    """Of right answers and of spoilt ones, in the exact arithmetic of the machine that is kept."""
    found = answered(seed, machine)
    if found is None:
        return
    problem, solution, random = found
    best = least_value(problem)
    own = [offset.value for offset in solution.offsets]
    answers = [(solution.alpha, own), fuzz_words.spoilt(random, problem, solution)]
    for alpha, offsets in answers:
        assert fuzz_words.false_bounds(problem, alpha, offsets, best) == []


@given(seeds, machines)
@example(122, "squared")
@draws(3)
def test_on_fractions_high_is_the_gap_of_the_certificate(seed, machine):
    """Where the multipliers are feasible; and low is exact, too."""
    found = answered(seed, machine)
    if found is None or not is_rational(found[0].kernel):
        return
    problem, solution, random = found
    problem = problem.to(Fraction)
    alpha, offsets = ([Fraction(v) for v in some if abs(v) < inf]
                      for some in fuzz_words.spoilt(random, problem, solution))
    if len(alpha) < problem.n or len(offsets) < len(solution.offsets) or min(offsets) < 0:
        return
    bounds, certificate = gap_bounds(problem, alpha, *offsets), refsvm.certify(
        problem, alpha, *offsets)
    if fuzz_words.feasible_dual(problem, problem, alpha) is not None:
        if problem.dual_form().hard:  # how far a factor moves w is bounded
            assert bounds.high >= certificate.gap
        else:
            assert bounds.high == certificate.gap
        assert answer_of(problem, alpha, offsets).least() <= certificate.gap
    best = least_value(problem)
    if best is not None and certificate.primal < inf:
        assert bounds.low <= certificate.primal - best <= bounds.high


def test_without_offsets_the_bounds_are_those_of_the_best():
    """The best b is rounded, and another double would gain by that."""
    problem = Problem([[1, 2], [1, 3]], [1, -1], MonomialSum(2) + Linear(), C=10)
    alpha = [0.06896551724137931] * 2
    gap = refsvm.certify(problem, alpha).primal - truths.least_value(problem)
    assert fuzz_words.false_bounds_of_best(problem, alpha, truths.least_value(problem)) == []
    assert 0 < gap < Fraction(1, 2**51)


@given(seeds, machines)
@draws(2)
def test_the_least_gap_is_no_more_than_the_certificate_s(seed, machine):
    found = answered(seed, machine, kernel=Polynomial(2, 1.0, 1.0))
    if found is None:
        return
    problem, solution, random = found
    alpha, offsets = fuzz_words.spoilt(random, problem, solution)
    names = problem.offsets_class._fields
    if any(not abs(v) < inf or v < 0 and name in ("epsilon", "radius2")
           for v, name in zip(offsets, names)):
        return
    if fuzz_words.feasible_dual(problem, truths.exact_twin(problem), alpha) is None:
        alpha = solution.alpha  # another may be made feasible in another way
    least = answer_of(problem, alpha, offsets).least()
    gap = refsvm.certify(problem, alpha, *offsets).gap
    assert gap == inf or least == inf or Fraction(least) <= gap


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
    if offsets is None:
        best = refsvm.solve_exactly(problem)
        alpha, offsets = ([float(v) for v in best.alpha],
                          [float(v.value) for v in best.offsets])
    assert gap_bounds(problem, alpha, *offsets) == (0.0, 0.0)
    worse = gap_bounds(problem, [alpha[0] + 0.25, *alpha[1:]], *offsets)
    assert worse.high > 0
    solution = refsvm.smo(problem, tol=0)
    assert solution.status == "optimal" and solution.gap == 0.0


FAR = Problem([[0], [1e9], [2e9], [3e9]], [-1, 1, -1, 1])


def test_one_rounding_of_alpha_moves_the_four_points_by_222():
    solution = refsvm.smo(FAR)
    assert gap_bounds(FAR, solution).high == pytest.approx(222.045, abs=1e-2)
    assert solution.gap == pytest.approx(222.045, abs=1e-2) and solution.status == "precision"


HARD = [
    # A margin is short by less than u: 1 / (1 - short) is 1 in doubles, and others have C = 1000.
    ([[-111.0, -3.0], [6.0, 7.0]], [1, -1], Linear(), [inf, 1000.0],
     [0.00014504315033722533] * 2, -0.888026687939662),
    ([[2170000.0], [6438000.0], [5432000.0], [3067000.0]], [1, -1, -1, -1],
     Polynomial(3, 0.1, 1.0), [2.0, inf, 2.0, inf],
     [5.761552715137018e-36, 0.0, 0.0, 5.761552715137018e-36], 2.0968922531753114),
    # The sum is off, so w is off by that times the shift, and what is lifted is longer by it.
    ([[0.1, 0.5], [-0.1, -0.4]], [1, -1], Linear(), inf,
     [2.3529379075154124, 2.3529435198734525], -0.09243328946583021),
]


@pytest.mark.parametrize("X, y, kernel, C, alpha, b", HARD)
def test_what_lifts_a_margin_by_less_than_a_rounding_costs_the_others(X, y, kernel, C, alpha, b):
    problem = Problem(X, y, kernel, C)
    gap = truths.kept_primal(problem, alpha, [b]) - truths.least_value(problem)
    bound = gap_bounds(problem, alpha, b).high
    assert gap > 0 and gap <= Fraction(bound) <= 200 * gap


@pytest.mark.parametrize(
    "problem, alpha, offset",
    [
        (RegressionProblem([[0.0]], [5e-324], C=0.1, epsilon=0), [0.0], 0.0),
        (RegressionProblem([[1.0], [3.0]], [1e-200, 3e-200], Polynomial(1), C=1e-190, epsilon=0),
         [0.0, 0.0], 1e-200),
    ],
)
def test_a_share_below_the_doubles_is_no_zero(problem, alpha, offset):
    for own in (problem, own_problem(problem)):
        bounds = gap_bounds(own, alpha, offset)
        assert 0 < bounds.high < 1e-300
    true = truths.kept_primal(problem, alpha, [offset]) - truths.least_value(problem)
    assert 0 < true <= Fraction(bounds.high)


def test_half_the_square_of_a_distance_below_the_doubles_is_no_zero():
    """All is at its bound and short of its margin; but w was rounded."""
    problem = Problem([[2.0**-530 / 3], [-(2.0**-530) / 7]], [1, -1], C=0.7, bias=False)
    high = gap_bounds(problem, [0.7, 0.7], 0.0).high
    true = truths.kept_primal(problem, [0.7, 0.7], [0.0]) - truths.least_value(problem)
    assert 0 < true <= Fraction(high)


# ---- each term by itself


def test_shares_of_hinges_and_squares():
    assert _hinge_share(0.5, 2.0, 1.0) == 1.0 and _hinge_share(-0.5, 2.0, 1.0) == 0.5
    assert _hinge_share(-0.5, 2.0, 0.0) == 0 == _hinge_share(0.5, 0.0, 1.0)
    assert _hinge_share(0.5, inf, 1.0) == 0 == _hinge_share(0.0, 2.0, 1.0)
    assert _hinge_share(0.5, -1.0, 1.0) == 0 == _hinge_share(-0.5, 1.0, -1.0)
    assert _hinge_share(1e-300, 1e-300, 0.0) == 5e-324 == _hinge_share(-1e-300, 0.0, 1e-300)
    quarter = Fraction(1, 4)
    assert _square_share(quarter, Fraction(2), Fraction(2), Fraction(1, 2)) == Fraction(1, 16)
    # At d = -a / C both formulas are a^2 / (2 C); beyond, the slack is none.
    edge = _square_share(Fraction(-1), Fraction(2), Fraction(2), Fraction(1, 2))
    assert edge == 1 == -Fraction(2) * (Fraction(-1) + Fraction(1, 2) * 2 / 2)
    assert _square_share(Fraction(-2), Fraction(2), Fraction(2), Fraction(1, 2)) == 3


@given(st.fractions(-3, 3), st.fractions(0, 3), st.fractions(Fraction(1, 9), 9))
@draws(3)
def test_a_square_share_is_what_the_loss_is_above_the_tangent(d, a, C):
    """loss(e) - a e + a^2 / (2 C), with e = d + a / C; never negative."""
    e = d + a / C
    loss = C * e * e / 2 if e > 0 else 0
    share = _square_share(d, a, C, 1 / C)
    assert share == loss - a * e + a * a / (2 * C) >= 0


def test_numbers_that_are_no_less():
    third = Fraction(1, 3)
    assert at_least(third, Fraction) == third
    assert third < Fraction(at_least(third, float)) <= third * (1 + Fraction(1, 2**49))
    assert at_least(Fraction(10) ** 400, float) == inf
    assert at_least(Fraction(0), float) == 0


def answer(problem, alpha, *offsets):
    return answer_of(problem, alpha, list(offsets))


TWO = Problem([[0.1], [0.7]], [1, -1], Polynomial(1), C=2)


def test_each_error_widens_the_bound_by_what_the_multiplier_may_move():
    """errors and lam_errors count alike, on the side on which there is room."""
    at = answer(TWO, [0.5, 0.5], 0.25)
    sharp = at._replace(accuracy=at.accuracy._replace(errors=[0.0, 0.0], w_error=0.0),
                        lam_errors=[0.0])
    base = sharp.most()
    for wide in (sharp._replace(lam_errors=[0.125]),
                 sharp._replace(accuracy=sharp.accuracy._replace(errors=[0.125] * 2))):
        more = wide.most() - base
        # 1.5 on one side, 0.5 on the other
        e = [x - 0.25 for x in sharp.r]
        true = 0.0
        for x, beta, low, high in zip(e, sharp.beta, at.form.lower, at.form.upper):
            share = max((high - beta) * max(v, 0) + (beta - low) * max(-v, 0)
                        for v in (x - 0.125, x + 0.125))
            true += share - ((high - beta) * max(x, 0) + (beta - low) * max(-x, 0))
        assert true <= more + 1e-15 and more <= true * (1 + 1e-9)
    assert sharp._replace(accuracy=sharp.accuracy._replace(w_error=0.5)).most() >= base + 0.125


def test_both_errors_are_added():
    at = answer(TWO, [0.5, 0.5], 0.25)
    both = at._replace(accuracy=at.accuracy._replace(errors=[0.25, 0.25]), lam_errors=[0.125])
    for (low, high), x in zip(both.excess(), at.r):
        assert Fraction(low) <= Fraction(x) - Fraction(1, 4) - Fraction(3, 8)
        assert Fraction(high) >= Fraction(x) - Fraction(1, 4) + Fraction(3, 8)
        assert high - low <= 0.75 * (1 + 1e-12)


def test_the_difference_of_residual_and_lam_is_rounded():
    """1 + 2^-54 is 1 in doubles; and so is what it is less nearly 1."""
    at = answer(TWO, [0.5, 0.5], 0.25)
    for error in (2.0**-100, 1 - 2.0**-53):
        near = at._replace(r=[1.0, -1.0], lam=[-(2.0**-54)], lam_errors=[0.0],
                           accuracy=at.accuracy._replace(errors=[error] * 2))
        (low, high), (other_low, other_high) = near.excess()
        e, other = 1 + Fraction(1, 2**54), Fraction(1, 2**54) - 1
        assert Fraction(low) <= e - Fraction(error) and Fraction(high) >= e + Fraction(error)
        assert Fraction(other_low) <= other - Fraction(error)
        assert Fraction(other_high) >= other + Fraction(error)


def test_sums_that_are_not_exact_cost_what_one_multiplier_moves():
    """0.25 too much: off the one where it costs least, |e| and sqrt(K) for each unit."""
    problem = Problem([[1.0], [-1.0], [3.0]], [1, -1, 1], Polynomial(1), C=2)
    exact = answer(problem, [0.5, 0.5, 0.0], 0.0)
    spoilt = answer(problem, [0.75, 0.5, 0.0], 0.0)
    assert exact.most() == 0
    beta, (_, cost, moved, of_lam) = spoilt.feasible(spoilt.excess())
    assert of_lam == 0
    assert beta == spoilt.beta
    sizes = [max(map(abs, v)) for v in spoilt.excess()]
    assert cost >= 0.25 * min(sizes[:2]) and moved >= 0.25
    assert spoilt.most() >= moved * moved / 2
    low = answer(problem, [0.25, 0.5, 0.0], 0.0)
    assert low.feasible(low.excess())[1].moved >= 0.25
    away = answer(problem, [0.75, 0.5, 0.0], 3.0)
    assert away.feasible(away.excess())[1].of_lam >= 0.75


def test_where_none_has_the_room_the_worst_is_counted():
    """A surplus of 1.5 that no single multiplier can take."""
    problem = Problem([[1.0], [-1.0], [3.0]], [1, -1, 1], Polynomial(1), C=1)
    at = answer(problem, [1.0, 0.0, 0.5], 0.0)
    _, (_, cost, moved, _) = at.feasible(at.excess())
    assert cost >= 1.5 * max(max(map(abs, v)) for v in at.excess())
    assert moved >= 1.5 * 3


def test_multipliers_beyond_their_bounds_are_moved_to_them():
    problem = Problem([[1.0], [-2.0]], [1, -1], Polynomial(1), C=1)
    at = answer(problem, [1.5, -0.5], -4.0)
    beta, (_, cost, moved, _) = at.feasible(at.excess())
    sizes = [max(map(abs, v)) for v in at.excess()]
    assert beta == [1.0, 0.0]
    # each by a half; and then a sum of 1 is too much
    assert cost >= 0.5 * sum(sizes) + min(sizes) and moved >= 0.5 * 3 + 1


def test_where_nothing_is_feasible_there_is_no_bound():
    problem = NuProblem([[0.0], [1.0], [2.0]], [1, -1, -1], nu=0.9)
    assert gap_bounds(problem, [1.0, 0.5, 0.5], 0.0, 1.0).high == inf


def test_two_variables_of_an_example_are_rounded_into_one():
    problem = RegressionProblem([[1.0], [-1.0]], [0.0, 0.0], Polynomial(1), C=2, epsilon=0)
    at = answer(problem, [0.25, -0.25], 0.0)
    assert at._rounded_off() == 0
    split = at._replace(beta=[1.0, 0.0, -(2.0**-60), -0.25])  # 1 - 2^-60 is 1 in doubles
    wide = split._replace(alpha=[1.0, -0.25])
    assert 2.0**-60 <= wide._rounded_off()
    other = split._replace(alpha=[0.5, -0.25])  # the coefficient that is kept is another
    assert other._rounded_off() >= 0.5
    assert answer(TWO, [0.5, 0.5], 0.0)._rounded_off() == 0


def test_offsets_are_made_lam_with_what_that_rounds():
    problem = NuProblem([[0.0], [1.0], [3.0], [4.0]], [-1, -1, 1, 1], Polynomial(1), nu=0.5)
    at = answer(problem, [0.0, 1.0, 1.0, 0.0], 1.0, 2.0**-60)  # b - rho and b + rho are both 1
    assert at.lam == [1.0, 1.0] and min(at.lam_errors) >= 2.0**-60
    whole = answer(problem, [0.0, 1.0, 1.0, 0.0], -4.0, 2.0)
    assert whole.lam_errors == [0.0, 0.0]
    beyond = whole.with_offsets([inf, 2.0], 4.0, Fraction(0))
    assert beyond.lam_errors == [inf, inf]
    moved = whole.with_offsets([-4.0, 2.0], 4.0, Fraction(0), 0.5)
    assert min(moved.lam_errors) >= 0.5


def test_the_shift_of_the_rows_moves_b_exactly():
    problem = Problem([[1e8], [1e8 + 1]], [1, -1], C=4)
    at = answer(problem, [2.0, 2.0], 2e8 + 1.0)
    assert problem.moved_by_shift([2.0, 2.0]) == -2 * 10**8
    assert at.lam == [1.0] and at.lam_errors == [0.0]


def test_the_norm_of_a_ball_counts_in_its_radius():
    problem = BallProblem([[0.1], [0.7], [1.1]], Polynomial(1))
    at = answer(problem, [0.5, 0.0, 0.5], 0.3)
    mass = sum(Fraction(b) * Fraction(s) for b, s in zip(at.beta, at.roots))  # exact
    w_norm2 = problem.at(at.alpha, ()).w_norm2
    assert Fraction(at.error_of_half_norm2(w_norm2)) >= (len(at.beta) + 4) * mass**2 / 2**53
    assert at.lam_errors[0] >= at.error_of_half_norm2(w_norm2)
    sharp = at._replace(accuracy=at.accuracy._replace(errors=[0.0] * 3, w_error=0.0))
    parts = zip(sharp.beta, sharp.form.target, sharp.r)
    exact = sum(Fraction(b) * (Fraction(t) - Fraction(r)) for b, t, r in parts)  # exact
    off = abs(exact - Fraction(w_norm2)) / 2
    assert 0 < off <= Fraction(sharp.error_of_half_norm2(w_norm2)) <= 1.001 * off
    wide = at._replace(accuracy=at.accuracy._replace(w_error=0.5, errors=[0.25] * 3))
    assert wide.error_of_half_norm2(w_norm2) >= 0.25 + 0.25
    tiny = at._replace(accuracy=at.accuracy._replace(errors=[2.0**-200] * 3, w_error=0.0))
    assert Fraction(tiny.error_of_half_norm2(w_norm2)) >= (len(at.beta) + 4) * mass**2 / 2**53
    assert answer(TWO, [0.5, 0.5], 0.25).error_of_half_norm2(w_norm2) == 0


def test_residuals_that_leave_the_bound_wide_are_made_without_rounding():
    problem = Problem([[1e4], [1.0], [8104.0]], [1, -1, -1], Polynomial(3, 1.0, 1.0), C=1)
    solution = refsvm.smo(problem)
    at = answer(problem, solution.alpha, solution.b)
    sharp = at.narrowed()
    assert sharp.most() < at.most()
    true = truths.Conditions.at(problem, solution.alpha).r
    for x, e, t in zip(sharp.r, sharp.errors, true):
        assert abs(Fraction(x) - t) <= Fraction(e)
    assert Fraction(sharp.most()) >= refsvm.certify(problem, solution).gap
    exact = answer(*TOYS[0][:2], *TOYS[0][2])
    assert exact.narrowed() is exact


def test_what_other_offsets_would_gain_is_a_lower_bound():
    """The gain of the best b, less what rounding may have added; 0 where nothing is known."""
    for problem, alpha, offsets in TOYS[:10]:
        if offsets is None or problem.dual_form().hard or not problem.dual_form().groups:
            continue
        far = [v + 1.0 for v in offsets]
        low, high = gap_bounds(problem, alpha, *far)
        true = truths.kept_primal(problem, alpha, far) - truths.least_value(problem)
        assert 0 < low <= true <= high and low >= 0.99 * (true - 1e-12) or low == 0
    problem, alpha, _ = TOYS[0]
    assert gap_bounds(problem, alpha, 0.5).low == pytest.approx(
        float(truths.kept_primal(problem, alpha, [0.5])) - 0.5)
    hard = Problem([[-1.0], [1.0]], [-1, 1], C=inf)
    assert gap_bounds(hard, [0.5, 0.5], 0.25).low == 0
    without = Problem([[1.0], [-1.0]], [1, -1], C=1, bias=False)
    assert gap_bounds(without, [0.25, 0.5]).low == 0


def test_a_ball_that_must_hold_all_grows_by_what_it_lacks():
    problem = BallProblem([[-2.0], [0.0], [8.0]], C=inf)
    assert 0 <= gap_bounds(problem, [0.5, 0.0, 0.5], 16.0).high < 1e-12
    exact = gap_bounds(problem.to(Fraction), [Fraction(1, 2), 0, Fraction(1, 2)], 16)
    assert exact == (0, 0)
    bound = gap_bounds(problem, [0.5, 0.0, 0.5], 36.0).high
    assert bound == pytest.approx(11.0)
    finite = gap_bounds(BallProblem([[-2.0], [0.0], [8.0]], C=1), [0.5, 0.0, 0.5], 16.0)
    assert finite.high == pytest.approx(9.0)  # 2 examples lack 9 each, and the ball is 9 smaller


@given(st.lists(st.tuples(st.floats(-0.7, 0.7), st.floats(0, 0.2)), min_size=3, max_size=3),
       st.lists(st.floats(0, 3), min_size=3, max_size=3), st.sampled_from(["hinge", "squared"]))
@example([(1e-17, 0.0), (0.1, 1e-30), (-0.3, 0.0)], [0.1, 1.7, 0.3], "hinge")
@example([(0.25, 0.125), (0.1, 0.0), (-0.3, 0.1)], [0.1, 1.7, 0.3], "squared")
@draws(5)
def test_what_is_left_of_each_excess_is_between_its_ends(middles, alpha, slack):
    """Whatever the excess is that the worst margin lacks: (1 + g) e + g (ridge beta - target)."""
    problem = Problem([[1.0], [-1.0], [2.0]], [1, -1, 1], Polynomial(1), [inf, 0.3, 7.0],
                      slack=slack)
    at = answer(problem, alpha, 0.0)
    excess = [(e - error, e + error) for e, error in middles]
    grows, found = at.lifted(excess)
    for short in excess[0]:
        g = Fraction(max(short, 0.0)) / (1 - Fraction(max(short, 0.0)))
        assert grows >= g
        for (low, high), ends, t, c, x in zip(found, excess, problem.y, problem.ridge(), at.beta):
            for e in map(Fraction, ends):
                left = e + g * (e + Fraction(c) * Fraction(x) - t)
                assert Fraction(low) <= left <= Fraction(high)
    width = max(high - low for low, high in excess)
    assert max(high - low for low, high in found) <= 1e3 * width + 1e-10


def test_exact_residuals_are_not_those_of_the_w_that_is_kept():
    """w is rounded; and 3 times 0.1 less 0.3, both times a million, leaves little."""
    problem = Problem([[3.3e6, -1.1e6], [0.1, 0.3]], [1, -1], C=1, bias=False)
    at = answer(problem, [0.0, 0.7], 0.0)._without_rounding([0, 1])
    w = list(map(Fraction, problem.weights([0.0, 0.7])))
    kept = 1 - w[0] * Fraction(3.3e6) + w[1] * Fraction(1.1e6)
    assert abs(Fraction(at.r[0]) - kept) > 1e-13
    assert abs(Fraction(at.r[0]) - kept) <= Fraction(at.errors[0])


def test_a_hard_margin_is_multiplied():
    """f = x / 2: lifted by 2, the primal is 1/2; that of the multipliers 1/8 is 3/8 less."""
    problem = Problem([[-1.0], [1.0]], [-1, 1], C=inf)
    bound = gap_bounds(problem, [0.25, 0.25], 0.0)
    assert 0.125 <= bound.high <= 0.5 + 1e-9
    exact = gap_bounds(problem.to(Fraction), [Fraction(1, 4)] * 2, 0).high
    assert exact >= Fraction(1, 8) and bound.high >= exact
    assert gap_bounds(problem, [0.0, 0.0], 0.0).high == inf
    assert gap_bounds(problem, [0.25, 0.25], 2.0).high == inf
    assert gap_bounds(problem, [0.5, 0.5], 0.5).high >= 0.5
    negative = Problem([[-2.0], [1.0]], [1, -1], C=[1.0, inf])
    true = truths.kept_primal(negative, [0.2, 0.2], [0.0]) - truths.least_value(negative)
    assert Fraction(gap_bounds(negative, [0.2, 0.2], 0.0).high) >= true > 0


def test_refusals():
    problem, alpha, offsets = TOYS[0]
    with pytest.raises(TypeError, match="a Solution has its own"):
        gap_bounds(problem, refsvm.smo(problem), 0.0)
    with pytest.raises(TypeError, match="a Problem is needed"):
        gap_bounds(None, alpha, *offsets)
    best = gap_bounds(problem, alpha)
    assert best == (0.0, 0.0)


def test_roots_on_fractions():
    problem = Problem([[1], [Fraction(3, 2)]], [1, -1], Polynomial(1), C=Fraction(2))
    roots = _roots_of(problem, problem.dual_form())
    assert all(r * r >= k for r, k in zip(roots, problem.squared_norms()))
    assert EXACT.errors == 0


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
            ratios.append(float(Fraction(solution.gap) / gap))
            assert ratios[-1] >= 1
    assert len(ratios) >= 5 and median(ratios) <= 1.01


# ---- the compiled twin


@compiled
@given(seeds, machines)
@example(3, "hard")
@draws(4)
def test_compiled_bounds_are_the_same_to_the_last_bit(seed, machine):
    found = answered(seed, machine)
    if found is None:
        return
    problem, solution, random = found
    own = own_problem(problem)
    for alpha, offsets in [(solution.alpha, [v.value for v in solution.offsets]),
                           fuzz_words.spoilt(random, problem, solution)]:
        seen = []
        for package, given_problem in ((refsvm, problem), (refsvm_fast, own)):
            try:
                seen.append(tree(package.gap_bounds(given_problem, alpha, *offsets)))
            except ValueError as error:
                seen.append(str(error))
        assert seen[0] == seen[1]
