"""Finding the optimum: floats propose who is free, fractions decide.

    1  smo on floats comes near the optimum
    2  the active-set method on floats goes on to where its equations hold; now it is known
       which alpha_i are 0, which are C_i and which are free, up to rounding
    3  the active-set method on Fractions begins there. If the proposal is right it solves one
       system and is done; otherwise it goes on, from face to face, to the optimum

Nothing that floats say is believed: they only choose where 3 begins. It may begin anywhere.
"""

from fractions import Fraction
from math import inf
from typing import Any, NamedTuple

from ..solvers.active_set import active_set
from ..solvers.answers import balanced
from ..solvers.pivoting import Form, Walk
from ..solvers.smo import smo

NEAR, NEARER = 1e-6, 1e-9  # violations at which the floats hand over
STEPS = 20_000
FEW = 8  # so few examples need no proposal


class Found(NamedTuple):
    """An optimal alpha, or Farkas multipliers; and the inverse with which the last was solved."""

    alpha: Any
    part: Any
    farkas: Any


def found(problem, rows):
    """Where the search ends: a Found; of a positive semidefinite problem on Fractions.

    rows: WholeRows of the problem.
    """
    walk = Walk(form_of(problem, rows), proposal(problem), Fraction)
    if walk.minimise(Fraction(0), inf) == "unbounded":
        return Found(None, walk.part, list(map(abs, walk.ray)))
    return Found([x * y for x, y in zip(walk.x, problem.y)], walk.part, None)


def form_of(problem, rows):
    """The dual as pivoting.py wants it, in beta."""
    zero, one, n = Fraction(0), Fraction(1), problem.n
    bounds = list(zip(problem.y, problem.upper_bounds()))
    return Form(
        row=rows.row,
        q=[Fraction(y) for y in problem.y],
        A=[[one] * n] if problem.bias else [],
        c=[zero] if problem.bias else [],
        lower=[zero if y > 0 else -c for y, c in bounds],
        upper=[c if y > 0 else zero for y, c in bounds],
    )


def proposal(problem):
    """A feasible beta, near the optimum if floats have found it; zeros if they cannot."""
    if problem.n <= FEW:
        return [Fraction(0)] * problem.n
    try:
        floats = problem.to(float)
        near = smo(floats, NEAR, STEPS)
        alpha = active_set(floats, NEARER, STEPS, near.alpha).alpha
    except (ArithmeticError, ValueError):  # a number or kernel value beyond any double
        return [Fraction(0)] * problem.n
    tops = zip(problem.upper_bounds(), floats.upper_bounds())
    alpha = [c if a == top else min(Fraction(a), c) for a, (c, top) in zip(alpha, tops)]
    return evened(problem, [a * y for a, y in zip(alpha, problem.y)])


def evened(problem, beta):
    """beta with sum exactly zero, moved where it has most room, or else as balanced does it."""
    surplus = Fraction(0)
    for x in beta:
        surplus += x
    if not problem.bias or surplus == 0:
        return beta
    rooms = [min(x * y, c - x * y) for x, y, c in zip(beta, problem.y, problem.upper_bounds())]
    i = max(range(problem.n), key=rooms.__getitem__)
    if rooms[i] <= abs(surplus):
        return balanced(problem, beta)
    beta[i] -= surplus
    return beta
