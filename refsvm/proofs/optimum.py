"""The optimum of a support vector machine, as fractions: found, then proved.

    1  exact       each number given is the fraction that it is               rational_kernels.py
    2  definite?   a kernel matrix that is not positive semidefinite is refused  definiteness.py
    3  search      floats propose a start, active sets on Fractions decide     starting_points.py
    4  verify      from the problem and alpha alone, never skipped                verification.py
    5  unique?     statuses L, M, U; another optimum if there is one                uniqueness.py

Floats come near the optimum, and propose which alpha_i are 0, which are C_i and which are free.
The active-set method on Fractions begins there. If the proposal is right it solves one system and
is done; otherwise it goes on, from face to face, to the optimum. So nothing that floats propose is
believed: they only choose where the exact method begins, and it may begin anywhere.

Where kernel values are no fractions, enclosed_optimum.py takes over.
"""

from fractions import Fraction
from math import inf
from typing import Any, NamedTuple

from ..solvers.active_set import form_of
from ..solvers.answers import program_on
from ..solvers.pivoting import Walk
from ..svm.problem import require_problem
from .definiteness import refuse_indefinite
from .enclosed_optimum import enclosed_optimum
from .rational_kernels import WholeRows, exact, rational
from .starting_points import for_fractions
from .uniqueness import other_optimum, statuses
from .verification import Optimum, verified, verified_farkas


def solve_exactly(problem, *, bits=None):
    """The Optimum of the problem, proved.

    For a kernel whose values are rational every number is a Fraction and bits is not used. For
    others (Gaussian, Sigmoid, and what is made of them) the numbers are intervals, and the
    objective is no wider than 2^-bits; None stands for 64.

    ValueError if the kernel matrix is not positive semidefinite, with its witness.

    >>> from refsvm.svm.problem import Problem
    >>> best = solve_exactly(Problem([[0], [1], [3]], [-1, 1, 1], C=8))
    >>> best.objective, best.w, best.b_low, best.status
    (Fraction(2, 1), [Fraction(2, 1)], Fraction(-1, 1), 'MML')
    """
    if not rational(require_problem(problem).kernel):
        return enclosed_optimum(problem, 64 if bits is None else bits)
    problem = exact(problem)
    refuse_indefinite(problem)
    return proved(problem)


def proved(problem):
    """The Optimum of a problem on Fractions."""
    alpha, farkas, part = found(problem, WholeRows(problem))
    if farkas is not None:
        return infeasible(verified_farkas(problem, farkas))
    return optimum_at(problem, alpha, part)


def infeasible(farkas):
    """The Optimum that is none."""
    return Optimum(*[None] * 8, "infeasible", *[None] * 3, farkas)


def optimum_at(problem, alpha, part):
    """The Optimum at an alpha that must be optimal; part: see Found."""
    facts = verified(problem, alpha)
    b = (facts.m + facts.M) / 2 if problem.bias else problem.kind(0)
    status = statuses(problem, facts.residuals, b)
    other = other_optimum(problem, alpha, status, part)
    if other is not None:
        verified(problem, other)
    return Optimum(
        alpha=alpha,
        b_low=facts.m if problem.bias else b,
        b_high=facts.M if problem.bias else b,
        objective=facts.objective,
        w=problem.weights(alpha) if problem.linear else None,
        w_norm2=facts.w_norm2,
        sum_alpha=facts.sum_alpha,
        sum_C_slack=facts.objective - facts.w_norm2 / 2,
        status=status,
        alpha_unique=other is None,
        b_unique=not problem.bias or facts.m == facts.M,
        other_alpha=other,
        farkas=None,
    )


FEW = 8  # so few examples need no proposal


class Found(NamedTuple):
    """An optimal alpha, or multipliers that prove that there is no hard margin."""

    alpha: Any
    farkas: Any
    part: Any  # the inverse (ExactInverse) with which the last equations were solved


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
