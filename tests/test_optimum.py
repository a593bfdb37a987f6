"""solve_exactly against the exhaustive judge of exact.py, which shares no formula with it."""

from fractions import Fraction
from math import inf

import exact as judge
import pytest
from cases_by_hand import CASES, NOT_SEPARABLE
from hypothesis import given
from problems import givens, known, of_case

from refsvm import Precomputed, Problem, solve_exactly


def by_name(cases):
    return pytest.mark.parametrize("case", cases, ids=[case.name for case in cases])


def agree(found, expected):
    """Whether an Optimum is what the judge found."""
    assert found.objective == expected.value
    assert (found.b_low, found.b_high) == (expected.b_low, expected.b_high)
    assert found.b_unique == (expected.b_low == expected.b_high)
    if found.alpha_unique:
        assert found.alpha == expected.alpha


@by_name(CASES)
def test_case_by_hand(case):
    agree(solve_exactly(of_case(case).problem()), known(case.name))


@by_name(NOT_SEPARABLE)
def test_a_hard_margin_that_does_not_exist_is_refuted(case):
    problem = of_case(case).problem()
    found = solve_exactly(problem)
    assert found.status == "infeasible"
    assert judge.exact_sum(found.farkas) > 0 <= min(found.farkas)


@given(givens(most=5, hard=True))
def test_any_small_problem(drawn):
    found, expected = solve_exactly(drawn.problem()), judge.optimum(*drawn.for_the_judge)
    if expected is None:
        assert found.status == "infeasible"
    else:
        agree(found, expected)


def test_an_indefinite_matrix_is_refused_with_its_witness():
    with pytest.raises(ValueError, match="K is not positive semidefinite.* v = -1, 1$"):
        solve_exactly(Problem([[Fraction(0), 1], [1, 0]], [-1, 1], Precomputed(), C=inf))
