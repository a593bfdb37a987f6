"""The conditions: no violation at an exact optimum, each one elsewhere, and every offset."""

import copy
from fractions import Fraction as Q
from math import inf, nan

import exact
import pytest
from cases_by_hand import CASES, Case, column, point, signs
from hypothesis import given
from hypothesis import strategies as st
from problems import arbitrary, feasible, givens, known, of_case, offsets
from test_validation import exactly, refused

from refsvm.kernels.standard import Gaussian, Polynomial
from refsvm.svm.kkt_conditions import KKT, Row, Violation, kkt
from refsvm.svm.nu_problem import NuProblem
from refsvm.svm.problem import Problem

by_name = pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])


# At the optimum


@by_name
def test_nothing_is_violated_at_the_optimum_known_by_hand(case):
    g, found = of_case(case), known(case.name)
    low, high = (found.b_low, found.b_high) if case.b is None else case.b
    for b in (None, low, high):
        report = kkt(g.problem(), found.alpha, b)
        assert exactly(report.worst.amount, Q(0))
        assert (report.b_low, report.b_high) == (low, high)
        assert report.m <= report.M


# Each condition, as the module's text defines it


def expected_rows(g, alpha, b):
    """The rows from their definitions, with nothing but the judge's arithmetic."""
    beta = [a * y for a, y in zip(alpha, g.y)]
    rows = []
    for i, (y, a, C, s) in enumerate(zip(g.y, alpha, g.C, exact.times(g.K, beta))):
        margin = y * (s + b)
        target = 1 - a / C if g.slack == "squared" and C != inf else Q(1)
        top = inf if g.slack == "squared" else C
        rows.append(Row(
            index=i, y=y, alpha=a, margin=margin,
            slack=1 - margin if margin < 1 else 0,
            below=-a if a < 0 else 0,
            above=a - top if a > top else 0,
            short=target - margin if a < top and margin < target else 0,
            long=margin - target if a > 0 and margin > target else 0,
        ))
    return rows


NAMES = {
    "below": "alpha >= 0", "above": "alpha <= C", "short": "margin >= 1 where alpha < C",
    "long": "margin <= 1 where alpha > 0",
}


def expected_worst(g, alpha, rows):
    found = [(abs(exact.inner(alpha, g.y)) if g.bias else Q(0), "sum alpha_i y_i = 0", None)]
    found += [(getattr(row, field), NAMES[field], row.index) for row in rows for field in NAMES]
    return Violation(*max(found, key=lambda v: v[0]))  # the first of several equal ones


@given(st.data(), givens(hard=True))
def test_every_row_says_what_its_definition_says(data, g):
    alpha, b = data.draw(arbitrary(g)), data.draw(offsets) if g.bias else Q(0)
    report = kkt(g.problem(), alpha, b)
    rows = expected_rows(g, alpha, b)
    assert report.rows == rows
    assert all(type(v) is Q for row in report.rows for v in row[2:])
    assert report.worst == expected_worst(g, alpha, rows)
    assert [row.margin for row in rows] == g.problem().margins(alpha, b)
    assert [row.slack for row in rows] == g.problem().slacks(alpha, b)


@given(st.data(), givens(hard=True))
def test_m_and_M_are_the_nearest_offsets_asked_for(data, g):
    """b >= r_i is asked by who may take more of the label +1, b <= r_i by who may take less."""
    alpha = data.draw(st.one_of(arbitrary(g), feasible(g)))
    beta = [a * y for a, y in zip(alpha, g.y)]
    squared = g.slack == "squared"
    asks = [
        y - s - (x / C if squared and C != inf else 0)
        for y, s, x, C in zip(g.y, exact.times(g.K, beta), beta, g.C)
    ]
    tops = [inf if squared else C for C in g.C]
    at_least = [r for r, y, a, C in zip(asks, g.y, alpha, tops) if (a < C if y == 1 else a > 0)]
    at_most = [r for r, y, a, C in zip(asks, g.y, alpha, tops) if (a > 0 if y == 1 else a < C)]
    zero = [] if g.bias else [Q(0)]
    m, M = max(at_least + zero, default=-inf), min(at_most + zero, default=inf)
    report = kkt(g.problem(), alpha)
    assert (report.m, report.M, report.b_low, report.b_high) == (m, M, m, M)


@given(st.data(), givens(biases=(True,)))
def test_the_middle_offset_is_least_violated(data, g):
    """By (m - M) / 2 or not at all; no b is violated less."""
    alpha = data.draw(feasible(g))
    report = kkt(g.problem(), alpha)
    assert report.worst.amount == max(Q(0), (report.m - report.M) / 2)
    assert kkt(g.problem(), alpha, data.draw(offsets)).worst.amount >= report.worst.amount


def test_without_a_bound_the_interval_has_no_end():
    """Every example that could ask for a larger b is at its bound; such an alpha is unbalanced."""
    problem = Problem(column(-1, 1, 2), signs("-++"), C=1)
    report = kkt(problem, [Q(0), Q(1), Q(1)])
    assert report.m == report.b_low == -inf and report.M == report.b_high < inf
    assert report.rows == kkt(problem, [Q(0), Q(1), Q(1)], report.M).rows
    report = kkt(problem, [Q(1), Q(0), Q(0)])
    assert report.M == report.b_high == inf and -inf < report.m == report.b_low
    assert report.rows == kkt(problem, [Q(1), Q(0), Q(0)], report.m).rows
    assert report.worst == (1, "sum alpha_i y_i = 0", None)


def test_the_first_of_several_equal_violations_is_the_worst():
    problem = Problem(column(0, 0, 0), signs("+-+"), C=1)
    alpha = [Q(0), Q(0), Q(0)]
    assert kkt(problem, alpha).worst == Violation(1, NAMES["short"], 0)
    assert kkt(problem, [Q(-1), Q(0), Q(1)]).worst == Violation(1, NAMES["below"], 0)
    assert kkt(problem, [Q(-1), Q(-2), Q(-1)]).worst == Violation(2, NAMES["below"], 1)
    assert kkt(problem, [Q(5), Q(5), Q(0)]).worst == Violation(4, NAMES["above"], 0)
    assert kkt(problem, [Q(1), Q(0), Q(0)]).worst == Violation(1, "sum alpha_i y_i = 0", None)
    alpha = [Q(1), Q(1), Q(0)]
    assert kkt(problem, alpha, 3).worst == Violation(2, NAMES["long"], 0)
    assert kkt(problem, alpha, Q(-3)).worst == Violation(4, NAMES["short"], 2)
    free = [Q(1, 2), Q(1, 2), Q(0)]
    assert kkt(problem, free, 4).worst == Violation(5, NAMES["short"], 1)


# On floats


@given(givens(), st.data())
def test_no_violation_is_minus_zero_on_floats(g, data):
    alpha, b = [float(a) for a in data.draw(feasible(g))], data.draw(offsets) if g.bias else Q(0)
    X = [list(map(float, x)) for x in g.X]
    kernel = Gaussian(1.0) if isinstance(g.kernel, Polynomial) else g.kernel
    problem = Problem(X, g.y, kernel, [float(c) for c in g.C], g.bias, g.slack)
    report = kkt(problem, alpha, float(b))
    for row in report.rows:
        assert all(v >= 0 and v.hex()[0] != "-" for v in row[4:])
    assert report.worst.amount.hex()[0] != "-"


def test_a_shift_is_taken_back_from_the_offsets():
    """Case C17: the data around 2^20, the interval around -2^20, all of it exact on floats."""
    case = next(case for case in CASES if case.name == "C17")
    floats = Problem([list(map(float, x)) for x in case.X], case.y)
    alpha = list(map(float, known("C17").alpha))
    report = kkt(floats, alpha)
    assert exactly([report.b_low, report.b_high], [-1048578.0, -1048577.0])
    shift = 1048578.0
    assert floats.shift == [shift]
    assert exactly([report.m, report.M], [-1048578 + shift, -1048577 + shift])
    assert exactly(report.worst.amount, 0.0)
    assert [row.margin for row in report.rows] == floats.margins(alpha, -1048577.5)


def test_floats_and_fractions_meet_as_fractions():
    problem = Problem([[0], [1], [3]], [-1, 1, 1])
    for alpha, b in (([Q(1, 3)] * 3, None), ([1, 1, 0], Q(1, 3)), ([Q(1), 0.5, 0.5], 1)):
        report = kkt(problem, alpha, b)
        assert report == kkt(problem.to(Q), list(map(Q, alpha)), b)
        assert {type(v) for row in report.rows for v in row[2:]} == {Q}


def test_results_are_named():
    report = kkt(Problem([[-1], [1]], [-1, 1]), [0.5, 0.5], 0)
    assert isinstance(report, KKT) and isinstance(report.worst, Violation)
    assert report.rows[1] == Row(1, 1, 0.5, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    assert report.rows[1]._fields == (
        "index", "y", "alpha", "margin", "slack", "below", "above", "short", "long"
    )


def test_known_by_hand_without_offset():
    """One point on each side and no offset: w = 1, and either multiplier may carry it."""
    case = Case("", column(1, -1), signs("+-"), 1, b=point(0), bias=False)
    for alpha in ([1, 0], [0, 1], [Q(1, 2), Q(1, 2)]):
        report = kkt(of_case(case).problem(), alpha)
        assert report.worst.amount == 0 and (report.b_low, report.b_high) == (0, 0)
    report = kkt(of_case(case).problem(), [1, Q(1, 2)])
    assert (report.b_low, report.b_high) == (Q(1, 2), Q(-1, 2))
    assert report.worst == Violation(Q(1, 2), NAMES["long"], 0)


@pytest.mark.parametrize("alpha, b, refusal", [
    ([1], None, (ValueError, "alpha has length 1; there are 2 examples")),
    ([1, nan], None, (ValueError, "alpha[1] is nan; it must be a finite number")),
    ("ab", None, (TypeError, "alpha is 'ab'; a sequence is needed")),
    ([1, 1], inf, (ValueError, "b is inf; it must be a finite number")),
    ([1, 1], "0", (TypeError, "b is '0'; a number is needed")),
])
def test_bad_arguments_are_refused(alpha, b, refusal):
    assert refused(kkt, Problem([[0], [1]], [1, -1]), alpha, b) == refusal


def test_an_offset_is_refused_by_a_problem_without():
    assert refused(kkt, Problem([[0], [1]], [1, -1], bias=False), [1, 1], 2) == (
        ValueError, "b is 2.0; a problem without offset has b = 0"
    )


def test_what_was_given_is_as_before():
    problem, alpha = Problem([[0], [1]], [1, -1]), [1, Q(1, 2)]
    before = copy.deepcopy((vars(problem), alpha))
    kkt(problem, alpha, 1)
    assert (vars(problem), alpha) == before


def test_the_order_of_the_classes_is_not_made_for_every_variable(monkeypatch):
    order, made = NuProblem.order, []
    monkeypatch.setattr(NuProblem, "order", lambda self: made.append(self) or order(self))
    kkt(NuProblem([[i] for i in range(40)], [1, -1] * 20), [0.5] * 40)
    assert 0 < len(made) < 10
