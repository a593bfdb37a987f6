"""Two multipliers: each formula of the notes holds exactly, and smo takes the step it tells."""

from copy import deepcopy
from fractions import Fraction
from math import inf

import exact
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from problems import balance, feasible, givens, tops
from profiles import draws

from refsvm.kernels.standard import Linear, Precomputed
from refsvm.solvers.smo import smo
from refsvm.svm.kkt_conditions import kkt
from refsvm.svm.offsets import estimates
from refsvm.svm.problem import Problem
from refsvm.theory.smo_step import (
    best,
    clip,
    curvature,
    errors,
    implied,
    offset_after,
    pair_step,
    parabola,
    partner,
    segment,
    unclipped,
    zeta,
)

F = Fraction


@st.composite
def pairs(draw, most=4, **options):
    """(Given, its Problem, a feasible alpha, i, j) of a problem with an offset."""
    given = draw(givens(most, biases=(True,), **options))
    i, j = draw(st.permutations(range(len(given.y))))[:2]
    return given, given.problem(), draw(feasible(given)), i, j


def gram_with_ridge(given):
    """K of a Given, the ridge of squared slack on its diagonal."""
    squared = given.slack == "squared"
    return [
        [k + (1 / given.C[a] if a == b and squared and given.C[a] != inf else 0)
         for b, k in enumerate(row)]
        for a, row in enumerate(given.K)
    ]


def dual(given, alpha):
    """The dual, by the judge of the tests."""
    beta = [a * y for a, y in zip(alpha, given.y)]
    return exact.dual(given.K, given.y, given.C, beta, given.slack == "squared")


def moved(alpha, i, j, alpha_i, alpha_j):
    """alpha with two of its numbers replaced."""
    return [alpha_i if k == i else alpha_j if k == j else a for k, a in enumerate(alpha)]


def on_the_line(given, alpha, i, j, alpha_j):
    """alpha moved along the line of i and j, worked out from sum alpha_k y_k = 0 alone."""
    at = moved(alpha, i, j, F(0), alpha_j)
    return moved(at, i, j, -balance(given, at) * given.y[i], alpha_j)


# ---- why one cannot move

@given(pairs(hard=True))
@draws(2/5)
def test_each_multiplier_follows_from_the_others(drawn):
    given, problem, alpha, i, _ = drawn
    assert implied(problem, alpha, i) == alpha[i]


@given(pairs(), st.integers(0, 6))
@draws(2/5)
def test_any_other_value_of_one_multiplier_breaks_the_equation(drawn, sixths):
    given, problem, alpha, i, _ = drawn
    other = (4 if tops(given)[i] == inf else tops(given)[i]) * F(sixths, 6)
    changed = moved(alpha, i, i, other, other)
    assert (balance(given, changed) == 0) == (other == alpha[i])
    assert implied(problem, changed, i) == alpha[i]


# ---- the line and the segment

@given(pairs(hard=True), st.sampled_from([F(0), F(1, 3), F(2)]))
@draws(2/5)
def test_the_partner_keeps_zeta_and_the_equation(drawn, alpha_j):
    given, problem, alpha, i, j = drawn
    alpha_i = partner(problem, alpha, i, j, alpha_j)
    y = given.y
    assert alpha_i * y[i] + alpha_j * y[j] == zeta(problem, alpha, i, j)
    assert balance(given, moved(alpha, i, j, alpha_i, alpha_j)) == 0
    assert zeta(problem, alpha, i, j) == zeta(problem, alpha, j, i)
    assert alpha_i == alpha[i] + y[i] * y[j] * (alpha[j] - alpha_j)


@given(pairs(hard=True), st.integers(-3, 9))
@draws(2/5)
def test_both_are_in_the_box_exactly_when_alpha_j_is_in_the_segment(drawn, sixths):
    given, problem, alpha, i, j = drawn
    low, high = segment(problem, alpha, i, j)
    width = high - low if high < inf else F(6)
    alpha_j = low + width * F(sixths, 6)
    at = on_the_line(given, alpha, i, j, alpha_j)
    top = tops(given)
    inside = 0 <= at[i] <= top[i] and 0 <= at[j] <= top[j]
    assert inside == (low <= alpha_j <= high)
    assert low <= alpha[j] <= high


def test_the_segment_of_the_notes_figure_begins_at_zero():
    problem = Problem([[F(0)], [F(1)], [F(2)]], [1, 1, -1], C=F(4))
    assert segment(problem, [F(1), F(2), F(3)], 0, 1) == (0, 3)     # alpha_0 + alpha_1 = 3
    assert segment(problem, [F(3), F(2), F(0)], 0, 1) == (1, 4)     # = 5


# ---- the parabola

@given(pairs(hard=True), st.sampled_from([F(-2), F(0), F(1, 3), F(1), F(5, 2)]))
@draws(2/5)
def test_the_dual_on_the_line_is_the_parabola(drawn, alpha_j):
    given, problem, alpha, i, j = drawn
    at = on_the_line(given, alpha, i, j, alpha_j)
    assert parabola(problem, alpha, i, j).at(alpha_j) == dual(given, at)


@given(pairs())
@draws(2/5)
def test_the_second_derivative_is_minus_eta_the_squared_distance_in_feature_space(drawn):
    given, problem, alpha, i, j = drawn
    K = gram_with_ridge(given)
    eta = curvature(problem, i, j)
    assert eta == K[i][i] + K[j][j] - 2 * K[i][j] >= 0
    assert parabola(problem, alpha, i, j).a == -eta / 2


@given(givens(biases=(True,), kernels=(("linear",),), slacks=("hinge",)))
@draws(2/5)
def test_for_the_linear_kernel_eta_is_the_squared_distance_of_the_rows(given):
    for j in range(1, len(given.y)):
        distance2 = exact.exact_sum((a - b) * (a - b) for a, b in zip(given.X[0], given.X[j]))
        assert curvature(given.problem(), 0, j) == distance2


@given(pairs(hard=True))
@draws(2/5)
def test_errors_are_f_less_y_whose_difference_no_offset_changes(drawn):
    given, problem, alpha, i, j = drawn
    beta = [a * y for a, y in zip(alpha, given.y)]
    E = errors(problem, alpha)
    assert E == [s - y for s, y in zip(exact.times(gram_with_ridge(given), beta), given.y)]
    if given.slack == "hinge":
        for b in (F(0), F(-7, 3)):
            f = [y * m for y, m in zip(given.y, problem.margins(alpha, b))]
            assert (f[i] - given.y[i]) - (f[j] - given.y[j]) == E[i] - E[j]


@given(pairs())
@draws(2/5)
def test_at_the_unclipped_maximum_the_slope_is_zero(drawn):
    given, problem, alpha, i, j = drawn
    assume(curvature(problem, i, j) > 0)
    top, W = unclipped(problem, alpha, i, j), parabola(problem, alpha, i, j)
    assert 2 * W.a * top + W.b == 0
    for step in (F(-1), F(1, 9), F(2)):
        aside = on_the_line(given, alpha, i, j, top + step)
        assert dual(given, aside) < dual(given, on_the_line(given, alpha, i, j, top))


def test_without_curvature_there_is_no_unclipped_maximum():
    problem = Problem([[F(5)], [F(5)]], [-1, 1])
    with pytest.raises(ValueError) as refusal:
        unclipped(problem, [0, 0], 0, 1)
    assert str(refusal.value) == (
        "K[0][0] + K[1][1] - 2 K[0][1] is 0; the dual has no highest point on the line, only a"
        " better end of the segment"
    )


# ---- clipping

@given(st.fractions(-4, 4), st.fractions(-2, 2), st.fractions(0, 2), st.integers(0, 7))
@draws(2/5)
def test_clip_is_the_nearest_point_of_the_segment(value, low, width, sevenths):
    high = low + width
    clipped = clip(value, low, high)
    assert low <= clipped <= high
    assert abs(clipped - value) <= abs(low + width * F(sevenths, 7) - value)


@given(pairs())
@draws(2/5)
def test_clipping_is_best_on_the_segment_where_eta_is_positive(drawn):
    given, problem, alpha, i, j = drawn
    assume(curvature(problem, i, j) > 0)
    low, high = segment(problem, alpha, i, j)
    clipped = clip(unclipped(problem, alpha, i, j), low, high)
    assert clipped == best(problem, alpha, i, j)
    W = parabola(problem, alpha, i, j)
    grid = [low + (min(high, clipped + 5) - low) * F(k, 12) for k in range(13)]
    assert all(W.at(x) < W.at(clipped) for x in grid if x != clipped)


@st.composite
def any_symmetric(draw):
    """(problem, alpha, i, j) on a symmetric matrix of any sign, so that eta may be negative."""
    n = draw(st.integers(2, 4))
    K = [[F(0)] * n for _ in range(n)]
    for a in range(n):
        for b in range(a + 1):
            K[a][b] = K[b][a] = F(draw(st.integers(-3, 3)))
    drawn = draw(givens(most=4, slacks=("hinge",), biases=(True,), kernels=(("linear",),)).filter(
        lambda given: len(given.y) == n))
    given = drawn._replace(X=K, kernel=Precomputed(), K=K)
    i, j = draw(st.permutations(range(n)))[:2]
    return given, given.problem(), draw(feasible(given)), i, j


@given(any_symmetric())
@draws(2/5)
def test_best_is_best_on_the_segment_for_every_sign_of_eta(drawn):
    given, problem, alpha, i, j = drawn
    low, high = segment(problem, alpha, i, j)
    chosen = best(problem, alpha, i, j)
    assert low <= chosen <= high
    most = dual(given, on_the_line(given, alpha, i, j, chosen))
    for x in [alpha[j], *(low + (high - low) * F(k, 8) for k in range(9))]:
        assert dual(given, on_the_line(given, alpha, i, j, x)) <= most
    if curvature(problem, i, j) <= 0:
        assert chosen in (alpha[j], low, high)


def test_setting_the_slope_to_zero_and_clipping_finds_the_worst_place_where_eta_is_negative():
    K, C = [[F(1), F(3)], [F(3), F(1)]], F(2)
    problem = Problem(K, [1, -1], Precomputed(), C=C)
    W, (low, high) = parabola(problem, [0, 0], 0, 1), segment(problem, [0, 0], 0, 1)
    assert (W.a, W.b, W.c, low, high) == (2, 2, 0, 0, 2)
    flat = -W.b / (2 * W.a)
    assert clip(flat, low, high) == 0
    assert all(W.at(0) < W.at(F(k, 4)) for k in range(1, 9))
    assert best(problem, [0, 0], 0, 1) == C


@given(st.integers(-3, 3).map(F), st.sampled_from([F(1, 2), F(3)]))
@draws(2/5)
def test_two_examples_at_one_place_go_to_the_end_that_the_slope_says(place, C):
    problem = Problem([[place], [place], [place + 1]], [1, -1, 1], C=C)
    assert curvature(problem, 0, 1) == 0
    assert parabola(problem, [0, 0, 0], 0, 1) == (0, 2, 0)
    assert best(problem, [0, 0, 0], 0, 1) == C
    assert best(problem, [C, C, 0], 0, 1) == C
    assert best(problem, [0, 0, 0], 0, 2) == 0      # the same label, and both slopes are 1


def test_two_examples_of_one_class_at_one_place_stay_because_nothing_is_gained():
    problem = Problem([[F(1)], [F(1)], [F(-1)]], [1, 1, -1], C=F(1))
    alpha = [F(1, 3), F(1, 2), F(5, 6)]
    assert parabola(problem, alpha, 0, 1)[:2] == (0, 0)
    assert pair_step(problem, alpha, 0, 1) == alpha


def test_a_dual_that_rises_for_ever_is_refused():
    problem = Problem([[F(5)], [F(5)]], [-1, 1], C=inf)
    with pytest.raises(ValueError, match="rises for ever as alpha.0. and alpha.1. grow together"):
        best(problem, [0, 0], 0, 1)


def without_bound(corner):
    """Two examples of one kernel value `corner`, and a third that tilts the dual on their line."""
    K = [[F(corner), F(0), F(1)], [F(0), F(corner), F(-1)], [F(1), F(-1), F(0)]]
    return Problem(K, [1, -1, 1], Precomputed(), C=inf)


def test_without_a_bound_a_dual_that_falls_is_left_at_the_low_end_and_a_level_one_as_it_is():
    assert parabola(without_bound(0), [1, 3, 2], 0, 1)[:2] == (0, -2)
    assert best(without_bound(0), [1, 3, 2], 0, 1) == 2
    assert parabola(without_bound(0), [1, 2, 1], 0, 1)[:2] == (0, 0)
    assert best(without_bound(0), [1, 2, 1], 0, 1) == 2


def test_without_a_bound_a_dual_that_rises_in_the_end_is_refused_however_slowly():
    for corner, alpha, a, b in [(0, [0, F(1, 2), F(1, 2)], 0, 1), (-1, [0, F(2), F(2)], 1, -4)]:
        assert parabola(without_bound(corner), alpha, 0, 1)[:2] == (a, b)
        with pytest.raises(ValueError, match="rises for ever"):
            best(without_bound(corner), alpha, 0, 1)


# ---- the step

@given(pairs(hard=True))
@draws(2/5)
def test_a_step_keeps_everything_and_never_loses(drawn):
    given, problem, alpha, i, j = drawn
    before = deepcopy(alpha)
    try:
        after = pair_step(problem, alpha, i, j)
    except ValueError as refusal:
        assert "rises for ever" in str(refusal)
        assert curvature(problem, i, j) == 0 and segment(problem, alpha, i, j).high == inf
        return
    assert alpha == before
    assert balance(given, after) == 0
    assert all(0 <= a <= c for a, c in zip(after, tops(given)))
    assert all(a == b for k, (a, b) in enumerate(zip(after, alpha)) if k not in (i, j))
    assert zeta(problem, after, i, j) == zeta(problem, alpha, i, j)
    assert after[i] == partner(problem, alpha, i, j, after[j])
    assert dual(given, after) >= dual(given, alpha)
    assert pair_step(problem, after, i, j) == after


@given(pairs())
@draws(2/5)
def test_a_violating_pair_gains_strictly_and_any_other_nothing(drawn):
    given, problem, alpha, i, j = drawn
    E, top, y = errors(problem, alpha), tops(given), given.y

    def may(k, rise):
        return alpha[k] < top[k] if (y[k] > 0) == rise else alpha[k] > 0

    violating = (
        E[i] < E[j] and may(i, True) and may(j, False)
        or E[j] < E[i] and may(j, True) and may(i, False)
    )
    assert (dual(given, pair_step(problem, alpha, i, j)) > dual(given, alpha)) == violating


@given(givens(most=4, biases=(True,)))
@draws(1/5)
def test_alpha_is_optimal_exactly_when_no_pair_gains(given):
    problem = given.problem()
    alpha = [F(0)] * len(given.y)
    for _ in range(4):
        pairs_of = [(i, j) for i in range(len(alpha)) for j in range(i)]
        after = [pair_step(problem, alpha, i, j) for i, j in pairs_of]
        gains = [dual(given, a) - dual(given, alpha) for a in after]
        report = kkt(problem, alpha)
        assert (max(gains) == 0) == (report.m <= report.M)
        alpha = after[gains.index(max(gains))]


@given(givens(most=4, biases=(True,)))
@draws(2/5)
def test_smo_takes_the_step_that_the_formulas_tell(given):
    problem, told = given.problem(), []
    total = smo(problem, tol=0, on_step=told.append).iterations
    for step in told[:8]:
        alpha = smo(problem, tol=0, max_iter=step.iteration - 1).alpha
        i, j = step.i, step.j
        assert (step.low, step.high) == segment(problem, alpha, i, j)
        assert step.clipped == best(problem, alpha, i, j)
        if curvature(problem, i, j) > 0:
            assert step.unclipped == unclipped(problem, alpha, i, j)
        else:
            assert step.unclipped == step.clipped
    assert total == len(told)


# ---- the offset

@given(pairs())
@draws(2/5)
def test_platts_update_of_b_is_the_estimate_of_i_or_of_j(drawn):
    given, problem, alpha, i, j = drawn
    after = pair_step(problem, alpha, i, j)
    K, y, b = gram_with_ridge(given), given.y, F(-7, 5)
    E = [v + b for v in errors(problem, alpha)]
    d_i, d_j = y[i] * (after[i] - alpha[i]), y[j] * (after[j] - alpha[j])
    b_i = b - E[i] - d_i * K[i][i] - d_j * K[i][j]
    b_j = b - E[j] - d_i * K[i][j] - d_j * K[j][j]
    assert [b_i, b_j] == [estimates(problem, after)[k] for k in (i, j)]
    free = [0 < after[k] < tops(given)[k] for k in (i, j)]
    expected = b_i if free[0] else b_j if free[1] else (b_i + b_j) / 2
    assert offset_after(problem, after, i, j) == expected
    if all(free) and after != alpha:
        assert b_i == b_j


@given(pairs(slacks=("hinge",)))
@draws(2/5)
def test_after_a_step_its_b_keeps_the_conditions_of_both(drawn):
    given, problem, alpha, i, j = drawn
    low, high = segment(problem, alpha, i, j)
    assume(low < high)  # without room no step is taken, and both may ask for b on the same side
    after = pair_step(problem, alpha, i, j)
    rows = kkt(problem, after, offset_after(problem, after, i, j)).rows
    for k in (i, j):
        assert (rows[k].short, rows[k].long) == (0, 0)
        if 0 < after[k] < given.C[k]:
            assert rows[k].margin == 1


@given(pairs())
@draws(2/5)
def test_with_minus_b_in_the_decision_the_offset_turns_its_sign_and_no_step_changes(drawn):
    """Platt has f = sum - b. A machine in his sign, made from ours, decides the same."""
    given, problem, alpha, i, j = drawn
    after = pair_step(problem, alpha, i, j)
    b = offset_after(problem, after, i, j)
    beta = [a * y for a, y in zip(after, given.y)]
    s = exact.times(given.K, beta)
    rho = -b
    assert [y * (v - rho) for y, v in zip(given.y, s)] == problem.margins(after, b)
    E = errors(problem, alpha)
    shifted = [v - rho for v in E]
    assert shifted[i] - shifted[j] == E[i] - E[j]


# ---- refusals

def test_bad_arguments_are_refused_in_a_sentence():
    problem = Problem([[0], [1]], [-1, 1], C=2)
    cases = [
        ((problem, [0, 0], 0, 0), "i and j are both 0; two multipliers are needed"),
        ((problem, [0, 0], 0, 2), "j is 2; there are 2 examples, counted from 0"),
        ((problem, [0, 0], -1, 0), "i is -1; it must be at least 0"),
        ((problem, [0, 3], 0, 1), "alpha[1] is 3.0; it must be from 0 to C, which is 2.0"),
        ((problem, [0], 0, 1), "alpha has length 1; there are 2 examples"),
        ((Problem([[0], [1]], [-1, 1], bias=False), [0, 0], 0, 1),
         "problem has no offset, so nothing ties two multipliers; bias is False"),
    ]
    for function in (zeta, segment, parabola, unclipped, best, pair_step, offset_after):
        for arguments, sentence in cases:
            with pytest.raises(ValueError) as refusal:
                function(*arguments)
            assert str(refusal.value) == sentence
    for function in (curvature, implied):
        with pytest.raises((ValueError, TypeError)):
            function("no problem", [0, 0], 0)
    with pytest.raises(TypeError, match="problem is 3; a Problem is needed"):
        curvature(3, 0, 1)
    with pytest.raises(TypeError, match="i is 0.0; a whole number is needed"):
        zeta(problem, [0, 0], 0.0, 1)


def test_platts_b_is_the_middle_only_if_both_are_on_a_bound():
    rows, y = [[F(0)], [1], [3]], [-1, 1, 1]
    assert offset_after(Problem(rows, y, C=1), [1, 1, 0], 0, 1) == F(-1, 2)  # of -1 and 0
    assert offset_after(Problem(rows, y, C=2), [2, 1, 1], 0, 1) == -3  # not -2, of -1 and -3


def test_floats_and_fractions_meet():
    problem = Problem([[0], [1]], [-1, 1], Linear(), C=2)
    assert partner(problem, [0, 0], 0, 1, F(1, 3)) == F(1, 3)
    assert str(partner(problem, [0, 0], 0, 1, 0)) == "0.0"  # not -0.0
    assert type(zeta(problem, [F(1, 3), 0], 0, 1)) is Fraction
    assert type(zeta(problem, [1, 0], 0, 1)) is float
