"""Certificates as documents: what checker.py checks, and nothing else is needed to believe it.

    alpha         the multipliers: n integers, over one denominator; where no multipliers have the
                  sums of a machine, 1 for the examples whose bounds are too small together, else 0
    dual          their dual value: a lower bound of the optimum's. "inf" if they prove that there
                  is no hard margin, and so no optimum; "-inf" if no multipliers have the sums
    primal        the primal value at w = sum alpha_i y_i phi(x_i) and b: an upper bound of the
                  optimum's. "inf" if no multiple of w and b keeps the hard margins, "-inf" if it
                  falls without end

For the machines beside classification alpha and w are those of their problems, and the offsets
stand in the place of b. So alpha is optimal where dual and primal are one number. Why all this is
proved: spec/standard/certificates.md, "A certificate as a document".
The kernel has fractions for values; and of these kernels the checker knows three. A problem with
another one is certified as that of its Gram matrix.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import inf, lcm
from typing import Any

from ..kernels.standard import Linear, Polynomial
from ..numerics.numerals import numeral
from ..numerics.quoting import quote
from ..numerics.validation import instance_of
from ..svm.dual_form import infeasible_group
from ..svm.problem import Problem
from ..svm.training_problem import TrainingProblem, require_training_problem
from .canonical_json import digest, document_of, gram_document
from .plain_json import Document
from .rational_kernels import exact
from .verification import Optimum

HIGHEST = 999  # the degree up to which the checker computes powers


def problem_document(problem: TrainingProblem) -> Document:
    """Write the document that every certificate of the problem is bound to (S16.8).

    It is document_of(problem), if the checker can see at once that the kernel is an inner product:
    if it is Linear, or Polynomial without a negative number, or Precomputed. Otherwise, and where
    rows are sparse, it is that of the exact Gram matrix. So a certificate is one of this problem,
    whatever its kernel, if digest(problem_document(problem)) is its problem_sha256.

    Raises
    ------
    TypeError
        unless kernel values are fractions

    Notes
    -----
    O(n d), or O(n n d) for the Gram matrix.

    Examples
    --------
    >>> from refsvm.kernels.standard import MonomialSum
    >>> from refsvm.svm.problem import Problem
    >>> problem_document(Problem([[0], [2]], [-1, 1], MonomialSum(2)))["X"]
    [['1', '1'], ['1', '21']]
    """
    kernel = require_training_problem(problem).kernel
    inner_product = type(kernel) in (Linear, Polynomial) and kernel.inner_product
    laid_out = problem.kept is None  # rows that are nearly all zero would be written in full
    if inner_product and laid_out and getattr(kernel, "degree", 1) <= HIGHEST:
        return document_of(problem)
    return gram_document(problem)


def optimum_document(problem: TrainingProblem, optimum: Optimum) -> Document:
    """Write the certificate of an Optimum of the problem; its b is b_low (S16.8). O(n d).

    If there is no optimum, that of farkas with offsets 0. For the other machines the offsets are
    the values in the middle of their intervals.

    Raises
    ------
    TypeError
        unless kernel values are fractions

    Examples
    --------
    >>> from refsvm.svm.problem import Problem
    >>> from refsvm.proofs.optimum import solve_exactly
    >>> pair = Problem([[-1], [1]], [-1, 1])
    >>> document = optimum_document(pair, solve_exactly(pair))
    >>> document.pop("problem_sha256")[:16]
    '54120bbaed9b3398'
    >>> document == {"alpha": ["1", "1"], "denominator": "2", "b": "0", "dual": "1/2",
    ...              "primal": "1/2"}
    True
    """
    problem, names = exact(problem), problem.offsets_class._fields
    optimum = instance_of(Optimum, optimum, "optimum")
    if optimum.status == "infeasible":
        # Along farkas the dual rises; where no multipliers have the sums the primal falls.
        value = inf if infeasible_group(problem.dual_form()) is None else -inf
        return statement(problem, optimum.farkas, dict.fromkeys(names, 0), value, value)
    if type(optimum.offsets) is not problem.offsets_class:
        raise TypeError(f"optimum is {quote(optimum)}; that of {quote(problem)} is needed")
    # Documents of classification came first, and have the least of the optimal b.
    end = "low" if isinstance(problem, Problem) else "value"
    offsets = {name: getattr(ends, end) for name, ends in zip(names, optimum.offsets)}
    value = optimum.objective
    return statement(problem, optimum.alpha, offsets, value, value)


def statement(
    problem: TrainingProblem, alpha: Any, offsets: Mapping[str, Any], dual: Any, primal: Any
) -> Document:
    """The document that states these values of the multipliers and the offsets."""
    return {
        "problem_sha256": digest(problem_document(problem)),
        **over_one_denominator(alpha),
        **{name: numeral(value) for name, value in offsets.items()},
        "dual": numeral(dual),
        "primal": numeral(primal),
    }


def over_one_denominator(alpha: Sequence[Fraction]) -> Document:
    """Fractions as integers over one denominator.

    >>> from fractions import Fraction
    >>> over_one_denominator([Fraction(1, 2), Fraction(1, 3)])
    {'alpha': ['3', '2'], 'denominator': '6'}
    """
    denominator = lcm(*(a.denominator for a in alpha))
    return {
        "alpha": [numeral(a * denominator) for a in alpha],
        "denominator": numeral(denominator),
    }
