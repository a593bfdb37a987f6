"""Finding the optimum: floats propose who is free, fractions decide.

1  floats come near the optimum, and say which alpha_i are 0, which are C_i and which are free, up
   to rounding (starting_points.py)
2  the active-set method on Fractions begins there. If the proposal is right it solves one system
   and is done; otherwise it goes on, from face to face, to the optimum

Nothing that floats say is believed: they only choose where 2 begins. It may begin anywhere.
"""

from fractions import Fraction
from math import inf
from typing import Any, NamedTuple

from ..solvers.active_set import form_of
from ..solvers.answers import program_on
from ..solvers.pivoting import Walk
from .starting_points import for_fractions

FEW = 8  # so few examples need no proposal


class Found(NamedTuple):
    """An optimal alpha, or multipliers that prove that there is no hard margin."""

    alpha: Any
    farkas: Any
    part: Any  # the ExactInverse with which the last equations were solved


def found(problem, rows):
    """What the search ends with: Found. rows: the WholeRows of the problem.

    The problem is on Fractions, and positive semidefinite.
    """
    program = program_on(rows, problem, None)
    walk = Walk(form_of(program, Fraction), start(problem), Fraction)
    if walk.minimise(Fraction(0), inf) == "unbounded":
        return Found(None, list(map(abs, walk.ray)), walk.part)
    return Found([x * y for x, y in zip(walk.x, problem.y)], None, walk.part)


def start(problem):
    """A feasible beta to begin at."""
    return [Fraction(0)] * problem.n if problem.n <= FEW else for_fractions(problem)
