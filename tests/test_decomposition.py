"""Decomposition: the same optimum as smo, by rounds of steps among a few members."""

from fractions import Fraction as F

import pytest

from refsvm import Gaussian, Linear, Polynomial, Problem, decomposition, smo
from refsvm.solvers.decomposition import choose_members

X = [[F(p), F(q)] for p, q in [(0, 0), (1, 2), (3, 1), (2, 0), (0, 3), (4, 4)]]
Y = [-1, -1, 1, 1, -1, 1]


@pytest.mark.parametrize("kernel", [Linear(), Polynomial(2, coef0=1)])
@pytest.mark.parametrize("slack", ["hinge", "squared"])
@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("members", [2, 3, 5, 1024])
def test_on_fractions_it_comes_to_the_optimum_that_smo_finds(kernel, slack, bias, members):
    problem = Problem(X, Y, kernel, C=F(2), bias=bias, slack=slack)
    found, right = decomposition(problem, tol=0, members=members), smo(problem, tol=0)
    assert found.status == right.status == "optimal"
    assert (found.objective, found.gap) == (right.objective, 0)


def test_half_of_the_members_are_new_and_the_free_ones_of_the_last_round_come_first():
    inf = float("inf")
    up, low = [5, 4, -inf, 3, 2, -inf], [inf, 4, 0, 3, inf, 1]
    assert choose_members(up, low, 5, 0, 4, [5, 4, 3, 1]) == [0, 2, 3, 1]


def test_a_round_ends_when_the_steps_allowed_are_taken():
    problem = Problem([[float(i % 7), float(i % 5)] for i in range(40)], [1, -1] * 20, Gaussian(1))
    assert decomposition(problem, max_iter=7, members=8).iterations == 7
    assert decomposition(problem, max_iter=7, members=8).status == "max_iter"
