"""Exact optima to state facts about: solved on Fractions, down to a gap of 0."""

from fractions import Fraction as Q

from hypothesis import assume
from hypothesis import strategies as st
from problems import givens

from refsvm.problem import Problem
from refsvm.solvers.smo import smo


def hinges(most=6, **kinds):
    """Problems with hinge slack and finite prices."""
    return givens(most=most, slacks=("hinge",), **kinds)


def solved(problem):
    """An exact Solution of a problem that has one."""
    solution = smo(problem, tol=0)
    assert solution.status == "optimal" and solution.gap == 0
    return solution


def solved_hard(g):
    """The hard-margin problem on the data of a Given, and its Solution; others are passed over."""
    problem = g.problem(C=[float("inf")] * len(g.y))
    solution = smo(problem, tol=0)
    assume(solution.status == "optimal")
    return problem, solution


def squared_length(problem, alpha):
    """|w|^2, in feature space."""
    beta = problem.beta(alpha)
    return problem.image(beta)[1]


def total(values):
    return sum(values, Q(0))  # exact


def bare(problem):
    """Everything a problem was given, to see that it is left as it was."""
    return problem.X, problem.y, problem.C


def over(C, solution, problem):
    """(problem, solution) with one price C for everybody."""
    changed = Problem(problem.X, problem.y, problem.kernel, C, problem.bias, problem.slack)
    return changed, solved(changed)


positive = st.fractions(Q(1, 20), 20, max_denominator=12)
