"""Certificates as documents: what checker.py checks, and nothing else is needed to believe it.

    claim         states of the problem whose SHA-256 it bears
    optimum       value is the optimum's; the optimal offsets are those from b_low to b_high
    gap           primal is the primal value at w = sum alpha_i y_i phi(x_i) and b, where the
                  optimum's is between dual and primal
    infeasible    there is no hard margin

The proof is always the multipliers: integers, alpha, over one denominator. Chapter 19 says why
they prove it. Only kernels whose values are fractions are spoken of.
"""

from math import lcm

from .canonical import digest, document_of, numeral
from .exactly import exact


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
        "problem_sha256": digest(document_of(problem)),
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
