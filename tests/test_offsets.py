"""The offset: every way to read it off a dual solution, right where its text says so."""

import copy
from fractions import Fraction as Q
from math import inf

import exact
import pytest
from cases_by_hand import CASES
from hypothesis import assume, given
from hypothesis import strategies as st
from problems import (
    arbitrary,
    coordinates,
    examples,
    feasible,
    givens,
    known,
    of_case,
    small,
)
from profiles import draws
from soft_optima import hinges, separable, solved, total
from test_validation import exactly, refused

from refsvm.svm import offsets as module
from refsvm.svm.offsets import cheapest, estimates, interval, median, midpoint, reconstruct
from refsvm.svm.problem import Problem
from refsvm.svm.support_vectors import shares, support_vectors

F1 = Problem([[Q(1)], [-1]], [1, -1], C=Q(1, 10))
F6 = Problem([[Q(2)], [1], [-1], [-2], [Q(3, 2)]], [1, 1, -1, -1, -1], C=Q(1, 2))
F7 = Problem([[Q(1)], [-1], [2]], [1, -1, 1], C=Q(1, 10))


def equal_penalties(g):
    return g._replace(C=[g.C[0]] * len(g.C))


with_offset = givens(most=6, biases=(True,))
soft = hinges(biases=(True,))
equal_soft = soft.map(equal_penalties)


def told(problem, alpha):
    """The estimates of the support vectors."""
    every = estimates(problem, alpha)
    return [every[i] for i in support_vectors(alpha)]


def mean(values):
    return total(values) / len(values)


# Equation (23): the midpoint


@st.composite
def rows_and_weights(draw):
    X, y = draw(examples(coordinates))
    return [draw(coordinates) for _ in X[0]], X, y


@given(rows_and_weights())
def test_the_midpoint_makes_the_nearest_rows_of_both_classes_equally_near(given_):
    w, X, y = given_
    before = copy.deepcopy(given_)
    f = [exact.inner(w, x) + midpoint(w, X, y) for x in X]
    lowest = min(v for v, label in zip(f, y) if label > 0)
    assert exactly(lowest, -max(v for v, label in zip(f, y) if label < 0))
    assert given_ == before


@draws(2/5)
@given(separable(kernels=(("linear",),)))
def test_the_midpoint_is_the_offset_of_a_hard_margin(g):
    problem, found = g.problem(), solved(g.problem())
    b = midpoint(problem.weights(found.alpha), g.X, g.y)
    assert b == found.b_low == found.b_high
    assert set(told(problem, found.alpha)) == {b}


def test_the_midpoint_is_wrong_for_a_soft_margin():
    """F6: the best offset is -1/3 and costs 25/18; equation (23) says -5/6, at 59/36."""
    alpha = solved(F6).alpha
    assert midpoint(F6.weights(alpha), F6.X, F6.y) == Q(-5, 6)
    assert F6.primal(alpha, Q(-5, 6)) == Q(59, 36)
    assert interval(F6, alpha) == (Q(-1, 3), Q(-1, 3))
    assert F6.primal(alpha, Q(-1, 3)) == F6.dual(alpha) == Q(25, 18)


def test_the_midpoint_needs_both_classes():
    assert refused(midpoint, [1], [[1], [2]], [1, 1]) == (
        ValueError, "y holds the label +1 only; both classes are needed"
    )


# Equation (4): one estimate an example


@draws(2/5)
@given(st.data(), with_offset)
def test_an_estimate_puts_its_example_exactly_on_its_margin(data, g):
    alpha = data.draw(arbitrary(g))
    problem, before = g.problem(), list(alpha)
    for i, v in enumerate(estimates(problem, alpha)):
        lacks = alpha[i] / g.C[i] if g.slack == "squared" else 0
        assert exactly(problem.margins(alpha, v)[i], 1 - Q(lacks))
    assert alpha == before and problem.X == g.problem().X


@draws(2/5)
@given(separable())
def test_with_a_hard_margin_all_support_vectors_agree(g):
    problem, found = g.problem(), solved(g.problem())
    assert set(told(problem, found.alpha)) == {found.b}
    assert median(problem, found.alpha) == found.b
    assert reconstruct(problem, found.alpha) == (found.b, support_vectors(found.alpha))


@draws(2/5)
@given(st.lists(st.integers(-40, 40), min_size=2, max_size=5), st.integers(0, 40))
def test_estimates_are_for_the_rows_as_given_though_others_are_solved_on(values, years):
    """On floats a linear problem is shifted; here everything is dyadic, so nothing is rounded."""
    X, y = [[2000.0 + years + v / 4, 0.0] for v in values], [-1, *[1] * (len(values) - 1)]
    alpha = [len(values) / 4 - 1 / 4, *[1 / 4] * (len(values) - 1)]
    floats, exactly_ = Problem(X, y), Problem([[Q(v) for v in x] for x in X], y)
    assert estimates(floats, alpha) == estimates(exactly_, alpha)
    assert median(floats, alpha) == median(exactly_, alpha)
    assert cheapest(floats, alpha) == cheapest(exactly_, alpha)
    if len(values) != 3:  # then the mean is over a power of two, and not rounded either
        assert reconstruct(floats, alpha) == reconstruct(exactly_, alpha)
    assert {type(v) for v in estimates(floats, alpha)} == {float}
    assert {type(v) for v in cheapest(floats, alpha)} == {float}
    assert type(median(floats, alpha)) is type(reconstruct(floats, alpha).b) is float


# The median


@given(equal_soft)
def test_with_equal_penalties_and_a_free_support_vector_the_median_is_exact(g):
    problem, found = g.problem(), solved(g.problem())
    assume("free" in shares(problem, found.alpha))
    assert exactly(median(problem, found.alpha), found.b)
    assert found.b_low == found.b_high


def test_with_unequal_penalties_the_median_may_be_wrong():
    problem = Problem([[Q(0)], [1], [1]], [-1, 1, 1], C=[1, Q(1, 4), Q(1, 4)])
    found = solved(problem)
    assert shares(problem, found.alpha) == ["free", "full", "full"]
    assert reconstruct(problem, found.alpha) == (-1, [0])
    assert median(problem, found.alpha) == Q(1, 2)
    assert problem.gap(found.alpha, -1) == 0 < problem.gap(found.alpha, Q(1, 2))


def test_without_a_free_support_vector_the_median_may_be_wrong():
    """F7: the median is 0, the offsets are from 3/5 to 4/5; 6/25 instead of 9/50."""
    alpha = solved(F7).alpha
    assert alpha == [Q(1, 10), Q(1, 10), 0]
    assert median(F7, alpha) == 0
    assert interval(F7, alpha) == (Q(3, 5), Q(4, 5))
    assert (F7.primal(alpha, 0), F7.primal(alpha, Q(7, 10))) == (Q(6, 25), Q(9, 50))
    assert reconstruct(F7, alpha) == (Q(7, 10), [])


@draws(2/5)
@given(st.lists(st.fractions(-5, 5), min_size=1, max_size=9))
def test_as_many_values_lie_below_the_middle_one_as_above(values):
    before = list(values)
    m = module.middle_of(values)
    assert 2 * len([v for v in values if v <= m]) >= len(values)
    assert 2 * len([v for v in values if v >= m]) >= len(values)
    assert module.middle_of([-v for v in values]) == -m
    assert values == before


@pytest.mark.parametrize("n", range(1, 8))
def test_the_middle_of_the_first_squares(n):
    squares = [Q(k * k) for k in range(n)]
    assert module.middle_of(squares[::-1]) == (squares[(n - 1) // 2] + squares[n // 2]) / 2


@draws(2/5)
@given(st.fractions(-5, 5), st.integers(2, 8), st.fractions(-100, 100), st.data())
def test_one_spoilt_estimate_moves_the_mean_but_not_the_median(b, others, error, data):
    place = data.draw(st.integers(0, others))
    values = [b] * (others + 1)
    values[place] += error
    assert module.middle_of(values) == b
    assert mean(values) - b == error / (others + 1)


@draws(2/5)
@given(st.lists(st.fractions(-5, 5), min_size=2, max_size=8), st.fractions(-100, 100), st.data())
def test_with_one_spoilt_estimate_the_median_stays_among_the_others(good, bad, data):
    values = list(good)
    values.insert(data.draw(st.integers(0, len(good))), bad)
    assert min(good) <= module.middle_of(values) <= max(good)


# The free support vectors


@draws(2/5)
@given(with_offset)
def test_the_free_support_vectors_tell_the_offset(g):
    problem, found = g.problem(), solved(g.problem())
    b, free = reconstruct(problem, found.alpha)
    top = problem.upper_bounds()
    assert free == [i for i, (a, c) in enumerate(zip(found.alpha, top)) if 0 < a < c]
    if free:
        assert {estimates(problem, found.alpha)[i] for i in free} == {b}
        assert found.b_low == b == found.b_high
    else:
        assert 2 * b == found.b_low + found.b_high
    assert problem.gap(found.alpha, b) == 0
    assert exactly(b, found.b)


def test_reconstruction_says_when_there_is_no_free_support_vector():
    alpha = [Q(1, 10), Q(1, 10)]
    assert reconstruct(F1, alpha) == (0, [])
    assert interval(F1, alpha) == (Q(-4, 5), Q(4, 5))


# The interval


@draws(2/5)
@given(givens(most=4, biases=(True,), hard=True))
def test_the_interval_holds_exactly_the_best_offsets(g):
    found = exact.optimum(*g.for_the_judge)
    assume(found)
    assert interval(g.problem(), found.alpha) == (found.b_low, found.b_high)


def test_an_alpha_that_is_not_balanced_may_leave_one_end_open():
    tenth = Q(1, 10)
    assert interval(F1, [tenth, 0]) == (-inf, Q(-9, 10))
    assert reconstruct(F1, [tenth, 0]) == (Q(-9, 10), [])
    assert interval(F1, [0, tenth]) == (Q(9, 10), inf)
    assert reconstruct(F1, [0, tenth]) == (Q(9, 10), [])


def test_the_interval_of_f1():
    alpha = [Q(1, 10), Q(1, 10)]
    values = [F1.primal(alpha, b) for b in (Q(-9, 10), Q(-4, 5), 0, Q(4, 5), Q(9, 10))]
    assert values == [Q(19, 100), Q(18, 100), Q(18, 100), Q(18, 100), Q(19, 100)]


@draws(2/5)
@given(st.data(), soft)
def test_the_interval_is_empty_if_and_only_if_alpha_is_not_optimal(data, g):
    problem = g.problem()
    alpha = data.draw(st.one_of(feasible(g), st.just(solved(problem).alpha)))
    low, high = interval(problem, alpha)
    assert (low <= high) == (problem.dual(alpha) == solved(problem).objective)


# The cheapest offset for any weights


@draws(2/5)
@given(st.data(), soft, st.fractions(0, 1), st.fractions(Q(1, 100), 5))
def test_no_offset_costs_less_than_the_cheapest(data, g, part, step):
    problem, alpha = g.problem(), data.draw(arbitrary(g))
    low, high = cheapest(problem, alpha)
    least = problem.primal(alpha, low)
    assert low <= high
    assert problem.primal(alpha, low + part * (high - low)) == least
    assert problem.primal(alpha, high) == least
    assert problem.primal(alpha, low - step) > least < problem.primal(alpha, high + step)


@draws(2/5)
@given(soft)
def test_at_an_optimum_the_cheapest_offsets_are_the_interval(g):
    problem, found = g.problem(), solved(g.problem())
    assert cheapest(problem, found.alpha) == interval(problem, found.alpha)


@draws(2/5)
@given(st.data(), equal_soft)
def test_with_equal_penalties_the_cheapest_lie_between_two_estimates_in_order(data, g):
    """The p-th and the next of all, for p positive examples."""
    problem, alpha = g.problem(), data.draw(arbitrary(g))
    in_order, p = sorted(estimates(problem, alpha)), g.y.count(1)
    assert cheapest(problem, alpha) == (in_order[p - 1], in_order[p])


def test_a_slope_of_zero_is_found_though_floats_would_miss_it():
    """-(0.1 + 0.1 + 0.1) + 0.1 + 0.1 + 0.1 is not 0 in doubles."""
    problem = Problem([[v] for v in (1, 2, 3, -1, -2, -3)], [1, 1, 1, -1, -1, -1], C=0.1)
    alpha = [0.0] * 6
    assert cheapest(problem, alpha) == (-1, 1)


@draws(3/10)
@given(st.lists(st.sampled_from(small), min_size=2, max_size=2))
def test_answers_are_fractions_where_a_fraction_was_given(alpha):
    floats = Problem([[-1], [1]], [-1, 1])
    for v in (*estimates(floats, alpha), *cheapest(floats, alpha)):
        assert type(v) is Q
    if max(alpha) > 0:
        assert type(median(floats, alpha)) is Q


PAIR = Problem([[-1], [1]], [-1, 1])
NO_OFFSET = Problem([[-1], [1]], [-1, 1], bias=False)


@pytest.mark.parametrize("call, refusal", [
    (lambda: midpoint([1, 2], [[1], [2]], [1, -1]),
     (ValueError, "w has length 2; the rows of X have length 1")),
    (lambda: midpoint([1], [[1], [2]], [1, 0]),
     (ValueError, "y[1] is 0; a label must be +1 or -1")),
    (lambda: estimates(NO_OFFSET, [1, 1]), (ValueError, "problem has no offset; its b is 0")),
    (lambda: median(NO_OFFSET, [1, 1]), (ValueError, "problem has no offset; its b is 0")),
    (lambda: reconstruct(NO_OFFSET, [1, 1]), (ValueError, "problem has no offset; its b is 0")),
    (lambda: interval(NO_OFFSET, [1, 1]), (ValueError, "problem has no offset; its b is 0")),
    (lambda: cheapest(NO_OFFSET, [1, 1]), (ValueError, "problem has no offset; its b is 0")),
    (lambda: median(PAIR, [0, 0]),
     (ValueError, "alpha is 0 everywhere; without a support vector nothing tells b")),
    (lambda: estimates(PAIR, [1]), (ValueError, "alpha has length 1; there are 2 examples")),
    (lambda: interval(7, [1]), (TypeError, "problem is 7; a Problem is needed")),
    (lambda: cheapest(Problem([[-1], [1]], [-1, 1], C=[1, inf]), [1, 1]),
     (ValueError, "C[1] is inf; with an infinite penalty no offset is best")),
    (lambda: cheapest(Problem([[-1], [1]], [-1, 1], slack="squared"), [1, 1]),
     (ValueError, "problem has squared slack; this is said of hinge slack only")),
])
def test_bad_input_is_refused(call, refusal):
    assert refused(call) == refusal


def test_every_case_known_by_hand_gives_back_its_offset():
    for case in CASES:
        g = of_case(case)
        if g.bias:
            problem, found = g.problem(), known(case.name)
            low, high = found.b_low, found.b_high
            assert interval(problem, found.alpha) == (low, high)
            assert low <= reconstruct(problem, found.alpha).b <= high
