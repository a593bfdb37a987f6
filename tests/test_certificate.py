"""certify: sound for any numbers at all, and exact where the numbers are optimal."""

import pickle
from copy import copy, deepcopy
from decimal import Decimal, localcontext
from fractions import Fraction as Q
from math import inf, nan
from struct import pack, unpack

import exact as judge
import pytest
from cases_by_hand import CASES
from hypothesis import assume, given
from hypothesis import strategies as st
from problems import Given, arbitrary, feasible, givens, known, of_case, offsets
from profiles import each_pair
from test_validation import exactly, refused

from refsvm import (
    Gaussian,
    Linear,
    Polynomial,
    Precomputed,
    Problem,
    Sigmoid,
    Spectrum,
    certify,
    gram,
    kkt,
    smo,
    solve_exactly,
)
from refsvm.numerics.intervals import root_above
from refsvm.proofs.answers import linear_function
from refsvm.proofs.certificate import certify_linear
from refsvm.svm.exact_answers import repair_multipliers
from refsvm.svm.judgement import promised_gap
from refsvm.svm.support_vectors import gap_shares

any_problem = givens(most=4, hard=True)
PAIR = Problem([[-1], [1]], [-1, 1], C=2)


def answer_of(data, g):
    """(alpha, b) that have nothing to do with the problem."""
    return data.draw(arbitrary(g)), data.draw(offsets) if g.bias else Q(0)


def row_of(g, i):
    """What Certificate.bound takes for example i."""
    return (g.X[i], g.K[i][i]) if isinstance(g.kernel, Precomputed) else (g.X[i],)


def scores(g, alpha):
    return judge.times(g.K, [a * y for a, y in zip(alpha, g.y)])


# Whatever the numbers, nothing that is said of the optimum is false


@given(any_problem, st.data())
def test_the_optimum_is_where_any_certificate_says(g, data):
    best = judge.optimum(*g.for_the_judge)
    alpha, b = answer_of(data, g)
    found = certify(g.problem(), alpha, b)
    assert found.gap == found.primal - found.dual >= 0
    if best is None:
        assert found.primal == inf
        return
    assert found.dual <= best.value <= found.primal
    assert found.b_interval.low <= best.b_low and best.b_high <= found.b_interval.high
    for i, (s, optimal) in enumerate(zip(scores(g, alpha), best.scores)):
        bound = found.bound(*row_of(g, i))
        assert abs(s - optimal) <= bound
        if found.gap < inf and not hard(g):
            assert bound * bound <= 2 * found.gap * g.K[i][i] * (1 + Q(1, 2**50))


def hard(g):
    return inf in g.C


@given(any_problem, st.data())
def test_the_gap_is_made_of_shares_and_of_what_the_repair_moved(g, data):
    alpha, b = answer_of(data, g)
    found = certify(g.problem(), alpha, b)
    assume(found.gap < inf)
    moved = [
        found.factor * a * y - r * y for a, r, y in zip(alpha, found.alpha, g.y)
    ]
    assert min(found.shares) >= 0
    assert found.gap == judge.exact_sum(found.shares) + judge.quadratic(g.K, moved) / 2


@given(givens(slacks=("hinge",)), st.data())
def test_a_feasible_alpha_is_not_touched_and_shares_the_whole_gap(g, data):
    alpha, b = data.draw(feasible(g)), data.draw(offsets) if g.bias else Q(0)
    found = certify(g.problem(), alpha, b)
    assert found.alpha == alpha
    assert found.shares == gap_shares(g.problem(), alpha, b)
    assert exactly(judge.exact_sum(found.shares), found.gap)
    assert found.gap == g.problem().gap(alpha, b)


@given(any_problem, st.data())
def test_repaired_multipliers_are_feasible(g, data):
    problem, alpha = g.problem(), data.draw(arbitrary(g))
    found = repair_multipliers(problem, alpha)
    assert all(0 <= a <= top for a, top in zip(found, problem.upper_bounds()))
    assert not g.bias or judge.exact_sum(a * y for a, y in zip(found, g.y)) == 0
    assert repair_multipliers(problem, found) == found


@given(givens(biases=(True,)), st.data())
def test_any_multipliers_in_the_box_bound_the_offset(g, data):
    """The inequality of offset_interval.py: b T >= D(a) - P for every optimal b."""
    best = judge.optimum(*g.for_the_judge)
    a = [Q(data.draw(st.integers(0, 6)), 6) * (c if g.slack == "hinge" else 1) for c in g.C]
    beta = [v * y for v, y in zip(a, g.y)]
    T, D = judge.exact_sum(beta), judge.dual(g.K, g.y, g.C, beta, g.slack == "squared")
    for b in (best.b_low, best.b_high):
        assert b * T >= D - best.value


@given(givens(most=5, slacks=("hinge",), biases=(True,)), st.data())
def test_the_interval_is_as_narrow_as_moving_those_who_ask_for_most_makes_it(g, data):
    found = certify(g.problem(), data.draw(feasible(g)), data.draw(offsets))
    assume(gap_of(found) > 0)
    assert_narrow(found, g)


def test_the_interval_is_as_narrow_where_two_examples_move_far():
    """Half the square of their way counts: with a third of it, one example too few is moved."""
    X = [[Q(-1, 4)], [Q(-9, 4)], [Q(1, 2)]]
    g = Given(X, [1, -1, -1], Linear(), [Q(1, 8)] * 3, True, "hinge", judge.linear_gram(X))
    assert_narrow(certify(g.problem(), [Q(1, 48), Q(1, 72), Q(1, 144)], 0), g)


def gap_of(found):
    return min(found.repaired_primal, found.primal) - found.dual


def assert_narrow(found, g):
    """The formula of offset_interval.py, by how many examples move as far as they can."""
    gap = gap_of(found)
    for sign, end in zip((1, -1), found.b_interval):
        movable = sorted(
            ((sign * r, c - a if sign * y > 0 else a, k)
             for r, y, c, a, k in zip(found.residuals, g.y, g.C, found.alpha, diagonal(g.K))),
            key=lambda move: -move[0],
        )
        movable = [move for move in movable if move[1] > 0]
        for count in range(1, len(movable) + 1):
            far = root_above(2 * gap)
            T = asked = reach = Q(0)
            for r, room, k in movable[:count]:
                length = root_above(k) or Q(1)
                t = min(room, (far - reach) / length)
                T, asked, reach = T + t, asked + t * r, reach + t * length
            assert sign * end >= (asked - reach * reach / 2 - gap) / T


def diagonal(K):
    return [row[i] for i, row in enumerate(K)]


def test_many_who_may_move_little_tell_as_much_as_one_who_may_move_far():
    """Forty examples at a tiny C: one at each end would leave b open by 2 gap / C at least."""
    X, y = [[v] for v in range(40)], [1 if v >= 20 or v % 7 == 0 else -1 for v in range(40)]
    problem = Problem(X, y, C=2.0**-20)
    solution = smo(problem, tol=1e-2)
    found = certify(problem, solution.alpha, solution.b)
    assert found.gap > 0
    low, high = found.b_interval
    assert high - low < 2 * found.gap * 2**20


@given(any_problem, st.data())
def test_without_an_offset_it_is_the_best_for_this_w(g, data):
    alpha = data.draw(feasible(g))
    found = certify(g.problem(), alpha)
    assert found.primal == g.problem().primal(alpha)
    assert found[:5] == certify(g.problem(), alpha, found.b)[:5]


# At the optimum everything is exact


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_at_the_optimum_nothing_is_left_open(case):
    g, best = of_case(case), known(case.name)
    found = certify(g.problem(), best.alpha, best.b_low)
    assert found.primal == found.dual == best.value and found.gap == 0
    assert found.b_interval == (best.b_low, best.b_high)
    assert found.bound(*row_of(g, 0)) == 0
    assert found.honours(0)


WITH_OFFSET = [case for case in CASES if case.bias]


@pytest.mark.parametrize("case", WITH_OFFSET, ids=[case.name for case in WITH_OFFSET])
def test_a_wrong_offset_alone_costs_neither_the_interval_nor_the_bound(case):
    g, best = of_case(case), known(case.name)
    found = certify(g.problem(), best.alpha, best.b_high + 5)
    assert found.gap > 0 and found.b_interval == (best.b_low, best.b_high)
    assert found.bound(*row_of(g, 0)) == 0


# Any program's promise


@given(givens(most=4, hard=True), st.data())
def test_no_answer_within_a_tolerance_is_accused(g, data):
    """Feasible alpha with m - M <= tol and b between them: the gap is what was promised."""
    problem, alpha = g.problem(), data.draw(feasible(g))
    m, M = kkt(problem, alpha)[:2]
    b = m + data.draw(st.sampled_from([Q(0), Q(1, 3), Q(1)])) * (M - m) if g.bias else Q(0)
    assume(-inf < m and M < inf)
    assert certify(problem, alpha, b).honours(max(Q(0), m - M))


@pytest.mark.parametrize("slack", ["hinge", "squared"])
def test_the_promise_is_as_tight_as_it_can_be(slack):
    """Two points and alpha = 0: m - M is 2, and both shares are what that allows."""
    problem = Problem([[-1], [1]], [-1, 1], C=2, slack=slack)
    found = certify(problem, [0, 0], 0)
    assert found.gap == promised_gap(problem, found.variables, found.primal, Q(1))
    assert found.honours(1) and not found.honours(Q(99, 100))


def test_a_hard_margin_that_is_missed_breaks_any_promise_below_one():
    hard = Problem([[-1], [1]], [-1, 1], C=inf)
    found = certify(hard, [0, 0], 0)
    assert found.gap == inf and not found.honours(Q(99, 100)) and found.honours(1)
    assert found.shares == [inf, inf]
    near = certify(hard, [0.4995, 0.4995], 0)
    assert near.honours(1e-3) and not near.honours(1e-7)


def test_what_lifting_costs_is_allowed():
    """m - M is 1/2, by an example with alpha = 0: to lift it to its margin w is doubled."""
    hard = Problem([[-1], [1], [Q(1, 2)]], [-1, 1, 1], C=inf)
    found = certify(hard, [Q(1, 2), Q(1, 2), 0], 0)
    assert found.gap == Q(3, 2) and found.honours(Q(1, 2)) and not found.honours(Q(1, 4))


def test_where_some_slack_is_allowed_multipliers_with_w_0_prove_nothing_endless():
    """The first two rows are one, with both labels; only if both C are inf there is no margin."""
    X, y, alpha = [[1], [1], [3], [5]], [1, -1, 1, -1], [1, 1, 0, 0]
    for C, dual in ((1, "2"), (inf, "inf")):
        found = certify(Problem(X, y, C=[C, C, inf, inf]), alpha, 0)
        assert found.document()["dual"] == dual and found.dual == 2


def test_float32_kernel_rows_break_a_tight_promise():
    """What LIBSVM does (oracle.md, finding 4): the gap of its alpha is not what 1e-9 promises."""
    X = [[(7 * i % 10) / 10, (3 * i % 8) / 8] for i in range(24)]
    y = [1 if i % 3 else -1 for i in range(24)]
    K = gram(Polynomial(2, coef0=1), X)
    rounded = [[unpack("f", pack("f", v))[0] for v in row] for row in K]
    alpha = smo(Problem(rounded, y, Precomputed(), C=1000), tol=1e-9).alpha
    true, b = Problem(X, y, Polynomial(2, coef0=1), C=1000), 0
    b = kkt(true, alpha)
    found = certify(true, alpha, (b.m + b.M) / 2)
    assert found.honours(1e-3) and not found.honours(1e-9)
    own = smo(true, tol=1e-9)
    assert certify(true, own.alpha, own.b).honours(1e-9)


# Linear machines


@given(givens(kernels=(("linear",),), hard=True), st.data())
def test_any_linear_function_is_measured_against_the_optimum(g, data):
    problem, best = g.problem(), judge.optimum(*g.for_the_judge)
    w = data.draw(st.lists(offsets, min_size=len(g.X[0]), max_size=len(g.X[0])))
    b = data.draw(offsets) if g.bias else Q(0)
    found = certify_linear(problem, (w, b))
    if best is None:
        assert found.primal == inf
        return
    s = [judge.inner(w, x) for x in g.X]
    cost = judge.loss(s, g.y, g.C, b, g.slack == "squared")
    assert found.dual == best.value
    if cost < inf:
        assert found.primal == judge.inner(w, w) / 2 + cost
        assert found.gap == found.primal - best.value
    assert found.b_interval == (best.b_low, best.b_high)
    for x, mine, theirs in zip(g.X, s, best.scores):
        assert found.bound(x) == abs(mine - theirs)


@given(st.lists(st.lists(st.integers(-9, 9), min_size=3, max_size=3), min_size=2, max_size=4),
       st.lists(st.integers(-9, 9), min_size=3, max_size=3), st.integers(-9, 9))
def test_a_linear_function_is_read_off_exactly_from_d_plus_1_calls(X, w, b):
    calls = []

    def decision(x):
        assert set(map(type, x)) == {float}
        calls.append(x)
        return judge.inner(w, map(int, x)) + b

    problem = Problem(X, [1] + [-1] * (len(X) - 1))
    assert linear_function(problem, decision) == (w, b)
    assert len(calls) == len(w) + 1


def test_a_linear_function_is_probed_near_the_data():
    """f of rows near 2^20: from f(0) and f(1) the offset would cost 20 bits of w."""
    X = [[2.0**20 + v] for v in (0, 1, 3, 4, 2)]
    problem = Problem(X, [-1, -1, 1, 1, 1])
    model = smo(problem, tol=1e-9).model()
    assert certify_linear(problem, lambda x: model.w[0] * x[0] + model.b).gap < 2.0**-40


def test_a_linear_machine_of_another_kind_of_objective_is_seen():
    """C / 2 xi^2 is not C xi: data and optima of oracle.md, S5."""
    problem = Problem([[v] for v in range(6)], [-1, 1, -1, -1, 1, 1])
    assert certify_linear(problem, ([Q(2, 5)], Q(-1))).gap == 0
    assert certify_linear(problem, ([Q(10, 37)], Q(-25, 37))).gap > 0


# Kernels whose values are no fractions


ROWS = [[0.0, 1.0], [1.0, 0.5], [3.0, 1.0], [2.0, 2.0], [2.0, 2.0], [0.5, 0.25]]
LABELS = [-1, -1, 1, 1, -1, 1]


@pytest.mark.parametrize("kernel, bias, slack", each_pair(
    [Gaussian(0.5), Gaussian(0.25) * Linear() + Linear(), 0.5 * Gaussian(2) + Gaussian(0.125)],
    [True, False], ["hinge", "squared"]), ids=repr)
def test_a_gaussian_is_rounded_to_the_safe_side(kernel, bias, slack):
    problem = Problem(ROWS, LABELS, kernel, [1, 2, 8, 1, 3, 1], bias, slack)
    best = solve_exactly(problem, bits=64)
    for tol in (1e-2, 1e-9):
        s = smo(problem, tol)
        found = certify(problem, s.alpha, s.b)
        assert found.dual <= best.objective.high and best.objective.low <= found.primal
        assert 0 <= found.gap <= s.gap + Q(1, 2**100) and s.gap - found.gap < 1e-11
        assert judge.exact_sum(found.shares) + Q(1, 2**90) > found.gap
        low, high = found.b_interval
        assert low <= best.b_low.high and best.b_high.low <= high
        model, exactly_ = s.model(), certify(problem, best.alpha, best.b_low.low)
        for x in [*ROWS, [7.0, -3.0]]:
            values, _ = found.known.intervals_at(x)
            score = found.given.score_at(x, values).low
            assert abs(Q(model.decision(x) - model.b) - score) < 1e-12
            apart = abs(score - exactly_.given.score_at(x, values).low)
            assert apart <= found.bound(x) + exactly_.bound(x)


def test_the_closed_form_of_two_points_lies_where_the_certificate_says():
    """alpha = 1 / (1 - k) with k = exp(-1), and p* = alpha: known to 30 digits by Decimal."""
    problem = Problem([[0], [1]], [-1, 1], Gaussian(1), C=8)
    with localcontext() as context:
        context.prec = 60
        alpha = Q(1 / (1 - Decimal(-1).exp()))
    found = certify(problem, [alpha, alpha], 0)
    assert found.dual < alpha < found.primal and found.gap < Q(1, 2**120)


def test_an_indefinite_kernel_is_refused():
    with pytest.raises(ValueError, match="not positive semidefinite"):
        certify(Problem([[0, 1], [1, 0]], [-1, 1], Precomputed()), [0, 0], 0)
    with pytest.raises(ValueError, match="not positive semidefinite"):
        certify(Problem([[0.0], [1.0]], [-1, 1], Sigmoid(1, -1)), [0, 0], 0)


# What comes in


def test_rows_as_they_are_given_to_bound():
    K = Problem([[2, 1], [1, 2]], [1, -1], Precomputed())
    found = certify(K, [0.25, 0.5], 0)
    assert found.bound([2, 1], norm2=2) == found.bound((2.0, 1.0), 2) > 0
    words = certify(Problem(["ab", "ba"], [1, -1], Spectrum(1)), [1, 0.5], 0)
    assert words.bound("aab") >= Q(3, 2) and words.bound("") == 0
    own = certify(Problem(["ab", "bc"], [1, -1], lambda x, z: len(set(x) & set(z))), [1, 0.5], 0)
    assert own.bound("b") > 0


def test_the_compiled_problem_is_as_good():
    fast = pytest.importorskip("refsvm_fast")
    for kernel in (Linear(), Polynomial(2, coef0=1), Gaussian(1)):
        alpha = [0.5, 0.25, 1, 0.125, 0.5, 0.25]
        ours, theirs = (certify(made(ROWS, LABELS, kernel), alpha, 1)
                        for made in (Problem, fast.Problem))
        assert ours[:-1] == theirs[:-1] and ours.bound([1, 2]) == theirs.bound([1, 2])


PRE = Problem([[2, 1], [1, 2]], [1, -1], Precomputed())
REFUSALS = [
    (lambda: certify(1, [0, 0], 0), TypeError, "problem is 1; a Problem is needed"),
    (lambda: certify(PAIR, [0], 0), ValueError, "alpha has length 1; there are 2 examples"),
    (lambda: certify(PAIR, [0, nan], 0), ValueError,
     "alpha[1] is nan; it must be a finite number"),
    (lambda: certify(PAIR, [0, 0], inf), ValueError, "b is inf; it must be a finite number"),
    (lambda: certify(PAIR, [0, 0], 1, 2), TypeError, "offsets are (1, 2); give b, or none"),
    (lambda: certify(PAIR, smo(PAIR), 0), TypeError,
     "the offsets are (0,); a Solution has its own: give none"),
    (lambda: certify(Problem([[-1], [1]], [-1, 1], bias=False), [0, 0], 1), ValueError,
     "b is 1; a problem without offset has b = 0"),
    (lambda: certify(PAIR, [0, 0], 0).honours(-1), ValueError,
     "tol is -1; it must not be negative"),
    (lambda: certify(PAIR, [0, 0], 0).bound([1, 2]), ValueError,
     "x has length 2; the rows of X have length 1"),
    (lambda: certify(PAIR, [0, 0], 0).bound("ab"), TypeError,
     "x is 'ab'; Linear() needs rows of numbers"),
    (lambda: certify(PAIR, [0, 0], 0).bound([nan]), ValueError,
     "x[0] is nan; it must be a finite number"),
    (lambda: certify(PAIR, [0, 0], 0).bound([1], 2), TypeError,
     "norm2 is 2; Linear() computes it itself"),
    (lambda: certify(PRE, [0, 0], 0).bound([2, 1]), TypeError,
     "norm2 is None; with Precomputed it must be the kernel value of x and x"),
    (lambda: certify(PRE, [0, 0], 0).bound([2], 2), ValueError,
     "x has length 1; there are 2 examples"),
    (lambda: certify_linear(PRE, ([1], 0)), TypeError,
     "problem has the kernel Precomputed(); Linear() is needed"),
    (lambda: certify_linear(PAIR, ([1, 2], 0)), ValueError,
     "w has length 2; the rows of X have length 1"),
    (lambda: certify_linear(PAIR, ([1], 0, 0)), TypeError,
     "decision is ([1], 0, 0); a pair (w, b) or a function is needed"),
    (lambda: certify_linear(PAIR, None), TypeError,
     "decision is None; a pair (w, b) or a function is needed"),
    (lambda: certify_linear(PAIR, ([1], "0")), TypeError, "b is '0'; a number is needed"),
    (lambda: certify_linear(PAIR, lambda x: [1.0]), TypeError,
     "decision([-1.0]) is [1.0]; a number is needed"),
    (lambda: certify(Problem([[0], [1]], [1, -1], Gaussian(1)), [0, 0], 0).document(), TypeError,
     "problem has the kernel Gaussian(gamma=1.0), whose values are no Fractions; no certificate"
     " of it can be checked by fractions alone"),
]


@pytest.mark.parametrize("call, kind, sentence", REFUSALS)
def test_what_is_refused(call, kind, sentence):
    assert refused(call) == (kind, sentence)


def test_of_a_broken_hard_margin_the_gap_is_infinite_however_large_the_multipliers():
    """inf is a float, from which no Fraction beyond those can be taken."""
    problem, many = Problem([[0], [1]], [-1, 1], C=inf), Q(10) ** 400
    found = certify(problem, [many, many], 5)
    assert found.primal == found.gap == inf and found.dual < -many


def test_offsets_are_bounded_by_multipliers_beyond_the_doubles_where_penalties_are_infinite():
    problem, many = Problem([[0], [1]], [-1, 1], Gaussian(1), C=inf), Q(10) ** 400
    low, high = certify(problem, [many, many], 0).b_interval
    assert low <= 0 <= high  # the optimum's, as the two examples may be exchanged


COPIES = [copy, deepcopy, lambda found: pickle.loads(pickle.dumps(found))]


def says_the_same(again, found):
    assert repr(again) == repr(found)
    assert (again.repaired_primal, again.b_interval, again.balls) == (
        found.repaired_primal, found.b_interval, found.balls)


@given(any_problem, st.data())
def test_a_copied_or_pickled_certificate_says_the_same(g, data):
    b = data.draw(offsets) if g.bias else 0
    found = certify(g.problem(), data.draw(feasible(g)), b)
    for copied in COPIES:
        says_the_same(copied(found), found)


@pytest.mark.parametrize("copied", COPIES)
def test_that_of_kernel_values_that_are_enclosed_and_of_strings(copied):
    for X, kernel in (([[0], [1], [3]], Gaussian(1)), (["ab", "ba", "abb"], Spectrum(1))):
        found = certify(Problem(X, [-1, 1, 1], kernel, C=2), [0.5, 0.25, 0.25], 0)
        says_the_same(copied(found), found)
        assert copied(found).bound(X[1]) == found.bound(X[1])
