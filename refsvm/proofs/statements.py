"""Certificates as documents: what checker.py checks, and nothing else is needed to believe it.

    claim         states of the problem whose SHA-256 it bears
    optimum       value is the optimum's; the optimal offsets are those from b_low to b_high
    gap           primal is the primal value at w = sum alpha_i y_i phi(x_i) and b, where the
                  optimum's is between dual and primal
    infeasible    there is no hard margin

The proof is always the multipliers: integers, alpha, over one denominator. Chapter 19 says why
they prove it. Only kernels whose values are fractions are spoken of; and of these the checker
knows three. A problem with another kernel is certified as that of its Gram matrix.
"""

from math import lcm

from ..kernels import Linear, Polynomial
from ..problem import a_problem
from .canonical import digest, document_of, gram_document, numeral
from .exactly import exact
from .semidefinite import inner_product

HIGHEST = 999  # the degree up to which the checker computes powers


def problem_document(problem):
    """The document that every certificate of the problem is bound to. O(n d), or O(n n d).

    document_of(problem), if the checker can see at once that the kernel is an inner product: if it
    is Linear, or Polynomial without a negative number, or Precomputed. Otherwise that of the exact
    Gram matrix. So a certificate is one of this problem, whatever its kernel, if
    digest(problem_document(problem)) is its problem_sha256. TypeError unless kernel values are
    fractions.

    >>> from refsvm.kernels import MonomialSum
    >>> from refsvm.problem import Problem
    >>> problem_document(Problem([[0], [2]], [-1, 1], MonomialSum(2)))["X"]
    [['1', '1'], ['1', '21']]
    """
    kernel = a_problem(problem).kernel
    known = type(kernel) in (Linear, Polynomial) and inner_product(kernel)
    if known and getattr(kernel, "degree", 1) <= HIGHEST:
        return document_of(problem)
    return gram_document(problem)


def optimum_document(problem, optimum):
    """The certificate of an Optimum of the problem, as a document. O(n d).

    TypeError unless kernel values are fractions.

    >>> from refsvm.problem import Problem
    >>> from refsvm.proofs.optimum import solve_exactly
    >>> pair = Problem([[-1], [1]], [-1, 1])
    >>> document = optimum_document(pair, solve_exactly(pair))
    >>> document.pop("problem_sha256")[:16]
    '54120bbaed9b3398'
    >>> document == {"claim": "optimum", "alpha": ["1", "1"], "denominator": "2", "value": "1/2",
    ...              "b_low": "0", "b_high": "0"}
    True
    """
    problem = exact(problem)
    if optimum.status == "infeasible":
        return statement(problem, "infeasible", optimum.farkas)
    return statement(
        problem, "optimum", optimum.alpha,
        value=optimum.objective, b_low=optimum.b_low, b_high=optimum.b_high,
    )


def statement(problem, claim, alpha, **numbers):
    """The document of a claim that the multipliers prove."""
    return {
        "problem_sha256": digest(problem_document(problem)),
        "claim": claim,
        **multipliers(alpha),
        **{name: numeral(number) for name, number in numbers.items()},
    }


def multipliers(alpha):
    """Fractions as integers over one denominator.

    >>> from fractions import Fraction
    >>> multipliers([Fraction(1, 2), Fraction(1, 3)])
    {'alpha': ['3', '2'], 'denominator': '6'}
    """
    denominator = lcm(*(a.denominator for a in alpha))
    return {
        "alpha": [numeral(a * denominator) for a in alpha], "denominator": numeral(denominator)
    }
