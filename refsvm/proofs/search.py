"""Finding the optimum: floats propose who is free, fractions decide.

    1  smo on floats comes near the optimum, if it does so in a few thousand steps. If not, or if
       it leaves more free than have independent equations, a way through the inside of the box
       does (interior.py), which takes few steps, but long ones
    2  the active-set method on floats goes on to where its equations hold; now it is known
       which alpha_i are 0, which are C_i and which are free, up to rounding
    3  the active-set method on Fractions begins there. If the proposal is right it solves one
       system and is done; otherwise it goes on, from face to face, to the optimum

Nothing that floats say is believed: they only choose where 3 begins. It may begin anywhere.
"""

from fractions import Fraction
from math import inf
from typing import Any, NamedTuple

from ..kernels import Precomputed
from ..problem import Problem
from ..solvers.active_set import form_of
from ..solvers.answers import balanced, dual_program, program_on
from ..solvers.pivoting import Walk
from ..solvers.smo import smo
from .interior import inside
from .whole_rows import in_products

FEW = 8  # so few examples need no proposal
NEAR, NEARER = 1e-6, 1e-9  # the violations at which 1 and 2 hand over
STEPS = 5000  # of smo, at most
FAR = 2.0**-4  # the violation above which the way on from where smo ends is too long
CACHE_MB = 2000


class Found(NamedTuple):
    """An optimal alpha, or multipliers that prove that there is no hard margin."""

    alpha: Any
    farkas: Any
    part: Any  # the inverse (principal_exact.py) with which the last equations were solved


def found(problem, rows):
    """What the search ends with: Found. rows: the WholeRows of the problem.

    The problem is on Fractions, and positive semidefinite.
    """
    program = program_on(rows, problem, None)
    walk = Walk(form_of(program, Fraction), proposal(problem), Fraction)
    if walk.minimise(Fraction(0), inf) == "unbounded":
        return Found(None, list(map(abs, walk.ray)), walk.part)
    return Found([x * y for x, y in zip(walk.x, problem.y)], None, walk.part)


def proposal(problem):
    """A feasible beta, near the optimum if floats have found it; zeros if they cannot."""
    if problem.n <= FEW:
        return [Fraction(0)] * problem.n
    try:
        floats = on_floats(problem)
        beta = nearer(floats, smo(floats, NEAR, STEPS))
        bounds = zip(problem.upper_bounds(), floats.upper_bounds())
        return evened(problem, [snapped(x, *both) for x, both in zip(beta, bounds)])
    except (ArithmeticError, ValueError):  # a number beyond any double, given or on the way
        return [Fraction(0)] * problem.n


def on_floats(problem):
    """The problem on floats; a kernel without a formula here is asked for Fractions all the same.

    OverflowError or ValueError if a number is beyond any double.
    """
    if in_products(problem.kernel) is not None:
        return problem.to(float)
    row = problem.kernel_rows()
    K = [list(map(float, row(x))) for x in problem.rows]
    C = [float(c) for c in problem.C]
    return Problem(K, problem.y, Precomputed(), C, problem.bias, problem.slack)


def nearer(problem, near):
    """beta of a problem on floats, nearer to the optimum than the Solution of smo."""
    walk = None
    if near.violation <= FAR or near.status == "infeasible":
        walk = begun(problem, near.alpha)
        if near.status != "optimal" and len(walk.strictly_inside()) > len(walk.free()):
            walk = None
    walk = walk or begun(problem, through_inside(problem))
    walk.minimise(NEARER / 2, max(100_000, 100 * problem.n))
    return walk.x


def through_inside(problem):
    """alpha near the optimum; None if the way through the inside does not come near it."""
    try:
        beta = inside(problem)
    except (ArithmeticError, ValueError):  # rounding has made its equations singular
        return None
    return beta and [abs(v) for v in evened(problem, beta)]


def begun(problem, alpha):
    """The active-set method on floats, at this alpha; None stands for zeros."""
    program = dual_program(problem, alpha, CACHE_MB)
    return Walk(form_of(program, float), program.start, float)


def snapped(x, top, rounded):
    """The float x as a Fraction; at most `top` in size, and just that where x is at `rounded`."""
    if abs(x) >= min(rounded, top):
        return top if x > 0 else -top
    return Fraction(x)


def evened(problem, beta):
    """beta with sum exactly zero, moved where it has most room, or else as balanced does it."""
    surplus = Fraction(0)
    for x in beta:
        surplus += x
    if not problem.bias or surplus == 0:
        return beta
    tops = problem.upper_bounds()
    rooms = [abs(x) if c == inf else min(abs(x), c - abs(x)) for x, c in zip(beta, tops)]
    i = max(range(problem.n), key=rooms.__getitem__)
    if rooms[i] <= abs(surplus):
        return balanced(problem, beta)
    beta[i] -= surplus
    return beta
