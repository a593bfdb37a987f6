"""Subgradient descent: what a step does, what it does not, and the notes' claims about steps."""

from copy import deepcopy
from fractions import Fraction
from math import inf

import pytest
from convex_draws import convex, inner, positives, with_points
from hypothesis import given
from hypothesis import strategies as st
from profiles import draws

from refsvm.solvers.step_sizes import constant, exact_search, inverse, inverse_square
from refsvm.solvers.subgradient_descent import DescentStep, subgradient_descent
from refsvm.theory.convex_functions import absolute_sum
from refsvm.theory.subgradients import is_subgradient, subgradient

F = Fraction
ABSOLUTE = absolute_sum([F(1)])
rate_lists = st.lists(positives, max_size=6)


def descend(f, start, rates):
    """The Descent, and the list of its steps."""
    steps = []
    answer = subgradient_descent(f, lambda x: subgradient(f, x), start, rates, steps.append)
    return answer, steps


@draws(2/5)
@given(with_points(convex, 1), rate_lists)
def test_each_step_goes_against_a_subgradient_by_its_rate(given_, rates):
    f, start = given_
    before = deepcopy((f, start, rates))
    answer, steps = descend(f, start, rates)
    x = start
    for t, (step, rate) in enumerate(zip(steps, rates), 1):
        assert step == DescentStep(t, x, f(x), subgradient(f, x), rate)
        assert is_subgradient(f, step.x, step.g)
        x = [v - rate * s for v, s in zip(x, step.g)]
    assert answer.last == x
    assert answer.steps == len(steps) == len(rates)
    assert (f, start, rates) == before


@draws(2/5)
@given(with_points(convex, 1), rate_lists)
def test_the_best_point_and_the_average_are_kept(given_, rates):
    f, start = given_
    answer, steps = descend(f, start, rates)
    left = [step.x for step in steps]
    visited = [*left, answer.last]
    values = [f(x) for x in visited]
    assert answer.best_value == f(answer.best) == min(values)
    assert answer.best == visited[values.index(min(values))]
    averaged = left or visited
    assert answer.average == [inner(c, [F(1, len(averaged))] * len(averaged))
                              for c in zip(*averaged)]


def test_a_hand_computed_descent():
    # |x_1| + 2 |x_2|: at a zero the first piece counts, so the slope there is +1 or +2.
    answer, steps = descend(absolute_sum([1, 2]), [F(3), 0], [1, F(1, 2), F(1, 4)])
    assert [(step.x, step.value, step.g) for step in steps] == [
        ([3, 0], 3, [1, 2]), ([2, -2], 6, [1, -2]), ([F(3, 2), -1], F(7, 2), [1, -2]),
    ]
    assert answer == ([F(5, 4), F(-1, 2)], F(9, 4), [F(5, 4), F(-1, 2)], [F(13, 6), -1], 3)


# Would gradient descent work where the objective is not differentiable?


@draws(2/5)
@given(st.fractions(F(6, 5), 4, max_denominator=5), positives, positives, st.integers(1, 5))
def test_the_best_step_each_time_sticks_at_a_kink_that_is_no_minimum(k, b, more, steps):
    f = absolute_sum([1, k])
    a = b / k + more
    answer, taken = descend(f, [a, b], exact_search(f, steps))
    assert answer.last == [a - b / k, 0]
    assert answer.best_value == more > 0 == f([0, 0])
    assert [step.rate for step in taken] == [b / k] + [0] * (steps - 1)


def test_the_notes_question_from_2_1():
    f = absolute_sum([1, 2])
    stuck, _ = descend(f, [2, 1], exact_search(f, 50))
    assert (stuck.last, stuck.best_value) == ([1.5, 0.0], 1.5)


@draws(2/5)
@given(st.integers(1, 12), positives)
def test_fading_rates_come_nearer_from_where_the_best_steps_stick(steps, c):
    f = absolute_sum([1, 2])
    answer, _ = descend(f, [F(2), 1], inverse(c, steps))
    rates = inverse(c, steps)
    travelled = inner(rates, [1] * steps)
    squares = inner(rates, rates)
    assert answer.best_value <= (5 + 5 * squares) / (2 * travelled)  # R^2 = G^2 = 5


# Must the steps shrink?


@draws(2/5)
@given(st.fractions(-9, 9, max_denominator=6), positives, st.integers(0, 30))
def test_at_a_constant_rate_the_absolute_value_is_never_left_alone(start, rate, steps):
    away = min(start % rate, -start % rate)  # the distance of start from the multiples of rate
    answer, taken = descend(ABSOLUTE, [start], constant(rate, steps))
    visited = [step.x[0] for step in taken] + [answer.last[0]]
    assert all(abs(x) >= away for x in visited)
    assert answer.best_value >= away
    for here, next_, after in zip(visited, visited[1:], visited[2:]):
        if abs(here) < rate and away > 0:  # having arrived: to and fro for ever
            assert after == here != next_
    assert all(abs(step.g[0]) == 1 for step in taken)  # no slope tells that 0 is near


@draws(2/5)
@given(positives, positives, st.integers(0, 25))
def test_rates_that_fade_too_fast_stall_far_from_the_minimum(c, beyond, steps):
    start = 2 * c + beyond
    answer, _ = descend(ABSOLUTE, [start], inverse_square(c, steps))
    assert answer.best_value >= beyond  # 1 + 1/4 + 1/9 + ... stays below 2
    gone = [F(1, t * t) for t in range(1, steps + 1)]
    assert answer.last[0] == start - c * inner(gone, [1] * steps)


# Numbers of either kind, and refusals


@given(st.lists(st.integers(-64, 64).map(lambda v: v / 8), min_size=2, max_size=2))
def test_floats_take_each_operation_as_written(start):
    rates = [0.1, 0.7, 0.3]
    f = absolute_sum([0.3, 0.9])
    answer, steps = descend(f, start, rates)
    x, total = list(start), [0.0, 0.0]
    for rate, step in zip(rates, steps):
        g = [s if v >= 0 else -s for s, v in zip((0.3, 0.9), x)]
        assert step.g == g
        total = [p + v for p, v in zip(total, x)]
        x = [v + -rate * s for v, s in zip(x, g)]
    assert answer.last == x and answer.average == [v / 3 for v in total]
    assert all(type(v) is float for v in answer.last + answer.average + [answer.best_value])


def test_one_fraction_makes_all_fractions():
    f = absolute_sum([1])
    for start, rates, g in (
        ([F(1, 3)], [0.5], f), ([1.0], [0.5, F(1, 3)], f), ([1.0], [0.5], absolute_sum([F(1)])),
    ):
        answer, _ = descend(g, start, rates)
        assert {type(v) for v in [*answer.last, *answer.average, answer.best_value]} == {Fraction}


def test_a_rate_may_be_a_function_of_the_point_its_value_and_the_subgradient():
    seen = []

    def halved(x, value, g):
        seen.append((x, value, g))
        x[0] = 99.0  # a copy: nothing of the descent changes
        return value / 2

    answer = subgradient_descent(ABSOLUTE.to(float), lambda x: [1.0], [8], [halved, 1, halved])
    assert answer.last == [1.5] and seen[0][1:] == (8.0, [1.0])
    assert seen[1][1] == 3.0


def test_no_rate_means_no_step():
    answer = subgradient_descent(ABSOLUTE, lambda x: [F(1)], [3], iter([]))
    assert answer == ([3], 3, [3], [3], 0)


def test_nothing_the_caller_gets_is_shared_with_the_descent():
    def value(x):
        size = abs(x[0])
        x[0] = inf
        return size

    def slope(x):
        x[0] = inf
        return [1.0]

    def spoil(step):
        step.x[0] = inf

    assert subgradient_descent(value, slope, [4], [1, 1], spoil).last == [2.0]


@pytest.mark.parametrize(
    "start, rates, slope, error, sentence",
    [
        ([inf], [1], [1], ValueError, r"start\[0\] is inf; it must be a finite number"),
        ([], [1], [1], ValueError, "start is empty; it must hold at least one number"),
        ([1], 0.5, [1], TypeError, "rates is 0.5; an iterable of numbers or functions is needed"),
        ([1], list, [1], TypeError, "rates is <class .list.>; an iterable"),
        ([1], [1, 0], [1], ValueError, r"rates\[1\] is 0; it must be positive"),
        ([1], [1, "a"], [1], TypeError, r"rates\[1\] is 'a'; a number is needed"),
        ([1], [lambda x, value, g: -1], [1], ValueError,
         r"rates\[0\]\(x, value, g\) is -1.0; it must not be negative"),
        ([1], [1], [1, 2], ValueError, "x has length 1 and z has length 2; the two must be equal"),
        ([1], [1], [inf], ValueError, r"subgradient\(x\)\[0\] is inf; it must be a finite number"),
    ],
)
def test_what_cannot_be_descended_is_refused(start, rates, slope, error, sentence):
    with pytest.raises(error, match=sentence):
        subgradient_descent(lambda x: abs(x[0]), lambda x: slope, start, rates)


def test_bad_rates_are_refused_before_the_first_step():
    with pytest.raises(ValueError, match=r"rates\[2\] is -1; it must be positive"):
        subgradient_descent(ABSOLUTE, lambda x: pytest.fail("a step"), [1], [1, 1, -1])


def test_a_value_that_is_no_number_is_refused_with_its_place():
    values = iter([1.0, 1.0, inf])
    with pytest.raises(ValueError, match=r"value\(x\) after step 1 is inf; it must be a finite"):
        subgradient_descent(lambda x: next(values), lambda x: [1.0], [1], [1])
