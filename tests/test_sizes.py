"""The cases of many features and many examples: the truth that they state."""

from fractions import Fraction as Q

import pytest

from refsvm.conformance.cases import cases
from refsvm.conformance.cases.rounded import Rounding, interval_around
from refsvm.numerics.intervals import Interval

CASES = {case.name: case for case in cases("sizes")}


def within(case):
    """How far a number of this size may be off."""
    value = case.optimum.objective
    middle = (value.low + value.high) / 2
    unit = (value.high - middle) / max(1, middle)
    return lambda v: unit * max(1, abs(v))


def test_a_rounding_knows_how_far_its_worst_number_is_off():
    rounding = Rounding(Q(0))
    assert [rounding(v) for v in (Q(1, 3), Interval(Q(1), Q(3)))] == [Q(1 / 3), 2]
    assert rounding.worst == Q(1, 2) and rounding.within == Q(1, 2)
    assert interval_around(Q(6), Q(1, 2)) == Interval(Q(3), Q(9))


@pytest.mark.parametrize("name", CASES)
def test_the_numbers_of_a_case_belong_together(name):
    case = CASES[name]
    problem, best, off = case.problem, case.optimum, within(case)
    terms = best.w_norm2 / 2 + best.sum_C_slack
    dual = best.sum_alpha - best.w_norm2 / 2
    if problem.slack == "squared":
        dual -= best.sum_C_slack
    for value in (terms, dual):
        assert abs(value - (best.objective.low + best.objective.high) / 2) < 4 * off(value)
    slacks = [max(0, 1 - y * (s + best.b_low)) for y, s in zip(problem.y, case.scores)]
    if problem.slack == "hinge":
        penalty = sum(Q(c) * v for c, v in zip(problem.C, slacks))
        assert abs(penalty - best.sum_C_slack) < 4 * problem.n * max(problem.C) * off(penalty)
    for query in case.queries:
        assert abs(query.s + best.b_low - query.f_low) < 4 * off(query.s)
        assert query.label in (None, 1 if query.f_low > 0 else -1)


@pytest.mark.parametrize("name", CASES)
def test_statuses_say_on_which_side_of_the_margin_an_example_is(name):
    case = CASES[name]
    b, off = (case.optimum.b_low + case.optimum.b_high) / 2, within(case)
    if case.problem.slack == "hinge":
        for y, s, told in zip(case.problem.y, case.scores, case.optimum.status):
            over = y * (s + b) - 1
            assert told == ("M" if abs(over) < 4 * off(s) else "L" if over > 0 else "U")
