"""The way through the inside of the box: it ends at the optimum's bounds and nowhere else."""

from fractions import Fraction
from math import inf

import degenerate
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from problems import givens

from refsvm import Linear, Polynomial, Problem, gram, solve_exactly
from refsvm.proofs import interior_point, optimum, starting_points
from refsvm.proofs.interior_point import LowRankPlusDiagonal, interior_point_beta, low_rank

ROWS = [[0.0, 1.0], [1.0, 1.0], [2.0, -1.0], [3.0, 0.5], [4.0, 2.0], [5.0, -2.0]]
LABELS = [-1, -1, 1, -1, 1, 1]


def sides(alpha, C):
    """For each example 0 or 1 if its alpha is at that end of the box, else None."""
    return [0 if a == 0 else 1 if a == c else None for a, c in zip(alpha, C)]


@given(givens(most=6))
def test_it_tells_who_is_on_a_bound(drawn):
    """Where no example is on the margin and on a bound as well, and alpha is unique."""
    problem = drawn.problem().to(float)
    assume((problem.to(Fraction).X, problem.to(Fraction).C) == (drawn.X, drawn.C))
    best = solve_exactly(problem)
    ends = sides(best.alpha, [inf] * problem.n if drawn.slack == "squared" else problem.C)
    assume(best.alpha_unique and best.b_unique)
    assume(all((letter == "M") == (end is None) for letter, end in zip(best.status, ends)))
    beta = interior_point_beta(problem)
    assert sides(map(abs, beta), problem.upper_bounds()) == ends
    assert all(b * y >= 0 for b, y in zip(beta, problem.y))


@pytest.mark.parametrize("slack", ["hinge", "squared"])
@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("kernel", [Linear(), Polynomial(2, coef0=1)])
def test_few_steps_are_enough(monkeypatch, kernel, bias, slack):
    monkeypatch.setattr(interior_point, "MAX_INTERIOR_STEPS", 25)
    for C in (2.0**-10, 1.0, 2.0**10):
        assert interior_point_beta(Problem(ROWS, LABELS, kernel, C, bias, slack)) is not None


@given(st.randoms(use_true_random=False))
def test_exact_answers_from_there_are_the_same(random):
    problem = degenerate.drawn(random)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(optimum, "MAX_UNAIDED_EXAMPLES", 0)
        patch.setattr(
            starting_points, "approach_optimum",
            lambda floats, near: interior_point_beta(floats) or [0.0] * floats.n
        )
        found = solve_exactly(problem)
    expected = solve_exactly(problem)
    assert found.status == expected.status
    assert (found.objective, found.b_low, found.b_high) == (
        expected.objective, expected.b_low, expected.b_high
    )


def test_a_bound_that_is_not_reached_in_time_is_said_to_be_none(monkeypatch):
    monkeypatch.setattr(interior_point, "MAX_INTERIOR_STEPS", 2)
    assert interior_point_beta(Problem(ROWS, LABELS, C=1000.0)) is None


def test_columns_are_as_many_as_the_rank():
    K = gram(Linear(), ROWS)
    G = low_rank(K.__getitem__, [row[i] for i, row in enumerate(K)])
    assert len(G) == 2
    for i, row in enumerate(K):
        for j, v in enumerate(row):
            product = Fraction(0)
            for g in G:
                product += Fraction(g[i]) * Fraction(g[j])
            assert abs(product - Fraction(v)) < Fraction(1, 2**45)


@pytest.mark.parametrize("E", [[2.0**-20, 1.0, 2.0**40, 0.5], [8.0, 16.0, 4.0, 8.0]])
def test_equations_with_a_diagonal_of_any_sizes_are_solved(E):
    G = [[2.0, 1.0, 2.0, 1.0], [0.0, 1.0, 0.0, -1.0]]
    x = [1.0, -2.0, 0.5, 3.0]
    right = [e * v for e, v in zip(E, x)]
    for g in G:
        along = 0.0
        for c, v in zip(g, x):
            along += c * v
        right = [r + along * c for r, c in zip(right, g)]
    found = LowRankPlusDiagonal(G, E).solve(right)
    assert all(abs(a - b) < 2.0**-25 for a, b in zip(found, x))
