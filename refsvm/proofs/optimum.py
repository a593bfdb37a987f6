"""The optimum of a support vector machine, as fractions: found, then proved.

    1  exact         the numbers given are the fractions they are   rational_kernels.py
    2  indefinite?   a kernel matrix that is none is refused, with its witness   definiteness.py
    3  found         floats propose, active sets on Fractions decide   search.py
    4  verified      from the problem and alpha alone, never skipped   verification.py
    5  unique?       statuses L, M, U; another optimum if there is one   uniqueness.py

Where kernel values are no fractions, enclosed_optimum.py takes over.
"""

from ..svm.problem import require_problem
from .answer import Optimum
from .definiteness import refuse_indefinite
from .enclosed_optimum import enclosed_optimum
from .rational_kernels import exact, rational
from .search import found
from .uniqueness import other_optimum, statuses
from .verification import verified, verified_farkas
from .whole_rows import WholeRows


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
    """The Optimum at an alpha that must be optimal; part: see search.py."""
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
