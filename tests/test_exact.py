"""The judge is judged: exact.py against answers that were known before it."""

from fractions import Fraction
from math import inf

import exact
import pytest
from cases_by_hand import CASES, F13, F14, NOT_SEPARABLE
from hypothesis import given
from hypothesis import strategies as st
from problems import arbitrary, feasible, givens, known, of_case, offsets


def by_name(cases):
    return pytest.mark.parametrize("case", cases, ids=[case.name for case in cases])


@by_name(CASES)
def test_case_has_the_answer_known_for_it(case):
    found = known(case.name)
    if case.value is not None:
        assert found.value == case.value
    if case.b is not None:
        assert (found.b_low, found.b_high) == case.b
    if case.alpha is not None:
        assert found.alpha == case.alpha
    if case.sum_alpha is not None:
        assert exact.exact_sum(found.alpha) == case.sum_alpha
    if case.w is not None:
        assert weights(found, case.X, case.y) == case.w
        assert found.scores == [exact.inner(case.w, x) for x in case.X]


def weights(found, X, y):
    beta = [a * label for a, label in zip(found.alpha, y)]
    return [exact.inner(beta, column) for column in zip(*X)]


@by_name(NOT_SEPARABLE)
def test_hard_margin_that_does_not_exist_has_no_optimum(case):
    assert exact.optimum(*of_case(case).for_the_judge) is None


def test_the_penalised_offset_of_a_constant_feature_costs_margin():
    X, y = F13
    margins = []
    for extra in (None, 1, 100):
        K = [[v + (extra or 0) ** 2 for v in row] for row in exact.linear_gram(X)]
        found = exact.optimum(K, y, [inf] * 5, bias=extra is None)
        w = weights(found, X, y)
        margins.append(round(float(1 / exact.inner(w, w)) ** 0.5, 3))
        if extra == 1:
            assert [round(float(v), 3) for v in w] == [0.727, -0.618]
    assert margins == [3.808, 1.048, 3.808]


@pytest.mark.parametrize("lam, errors", [(3, 2), (5, 1)])
def test_training_errors_of_F14(lam, errors):
    X, y = F14
    found = exact.optimum(exact.linear_gram(X), y, [Fraction(1, lam)] * 5)
    for b in (found.b_low, found.b_high, (found.b_low + found.b_high) / 2):
        wrong = [s * label + b * label < 0 for s, label in zip(found.scores, y)]
        assert wrong.count(True) == errors


@given(st.data(), givens(most=3))
def test_no_point_beats_the_optimum(data, g):
    """Both objectives, looked at from their definitions only."""
    K, y, C, bias, squared = g.for_the_judge
    found = exact.optimum(*g.for_the_judge)
    b = data.draw(offsets) if bias else 0
    beta = data.draw(arbitrary(g))
    assert exact.primal(K, y, C, beta, b, squared) >= found.value
    beta = [a * s for a, s in zip(data.draw(feasible(g)), y)]
    assert exact.dual(K, y, C, beta, squared) <= found.value


@given(givens(most=3, biases=(True,)))
def test_offsets_are_the_whole_interval(g):
    K, y, C, _, squared = g.for_the_judge
    found = exact.optimum(*g.for_the_judge)
    beta = [a * s for a, s in zip(found.alpha, y)]
    low, high = found.b_low, found.b_high
    for b in (low, high, (low + high) / 2, (low + 2 * high) / 3):
        assert exact.primal(K, y, C, beta, b, squared) == found.value
    for b in (low - Fraction(1, 1000), high + Fraction(1, 1000)):
        assert exact.primal(K, y, C, beta, b, squared) > found.value

