"""certify: sound for any numbers at all, and exact where the numbers are optimal."""

import doctest
from fractions import Fraction as Q
from math import inf

import exact as judge
import pytest
from cases_by_hand import CASES
from hypothesis import assume, given
from hypothesis import strategies as st
from problems import arbitrary, feasible, givens, known, of_case, offsets
from test_door import exactly

from refsvm import Precomputed, Problem, certify
from refsvm.proofs import certificate, images, offset_ends, repair
from refsvm.proofs.repair import repaired
from refsvm.support import gap_shares

any_problem = givens(most=4, hard=True)
PAIR = Problem([[-1], [1]], [-1, 1], C=2)


@pytest.mark.parametrize("module", [certificate, images, offset_ends, repair])
def test_docstrings_are_true(module):
    assert doctest.testmod(module).failed == 0


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
    found = repaired(problem, alpha)
    assert all(0 <= a <= top for a, top in zip(found, problem.upper_bounds()))
    assert not g.bias or judge.exact_sum(a * y for a, y in zip(found, g.y)) == 0
    assert repaired(problem, found) == found


@given(givens(biases=(True,)), st.data())
def test_any_multipliers_in_the_box_bound_the_offset(g, data):
    """The inequality of offset_ends.py: b T >= D(a) - P for every optimal b."""
    best = judge.optimum(*g.for_the_judge)
    a = [Q(data.draw(st.integers(0, 6)), 6) * (c if g.slack == "hinge" else 1) for c in g.C]
    beta = [v * y for v, y in zip(a, g.y)]
    T, D = judge.exact_sum(beta), judge.dual(g.K, g.y, g.C, beta, g.slack == "squared")
    for b in (best.b_low, best.b_high):
        assert b * T >= D - best.value


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
