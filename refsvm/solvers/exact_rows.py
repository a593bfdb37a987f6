"""Rows of a matrix by which sums of features are proved to be 0, of an answer in doubles.

sum beta_i phi(x_i) is 0 if and only if sum_j beta_j K_ij is 0 for each i with a beta_i. That has
to be asked of exact values, and doubles hold them seldom:

    polynomials in <x, z>    their values, in whole numbers over one denominator
    other formulas           1 for equal rows, and 0 for others: the sum is 0 if that of the
                             multipliers is, row by row; and of a Gaussian then alone, as the
                             features of different rows are independent
    all others               strings, a Gram matrix, a function of the caller's: as they are
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..kernels.base import Composite
from ..kernels.rational_values import polynomial_rows, usual_coefficients
from ..kernels.standard import FormulaKernel
from ..numerics.exact_sums import ScaledIntegers, scaled_integers


def are_inner_products(kernel: Any) -> bool:
    """Return whether the rows are those of inner products by their formula, whatever X is."""
    coefficients = usual_coefficients(kernel)
    if coefficients is not None:
        return bool(min(coefficients) >= 0)
    return isinstance(kernel, (Composite, FormulaKernel))


def exact_rows(problem: Any, examples: Sequence[int]) -> Callable[[int], ScaledIntegers]:
    """Return the function from a to row a of the matrix of these examples.

    >>> from refsvm.kernels.standard import Gaussian
    >>> from refsvm.svm.problem import Problem
    >>> problem = Problem([[0.1], [0.7], [0.1]], [1, 1, -1], Gaussian(1))
    >>> exact_rows(problem, [0, 1, 2])(0)
    ScaledIntegers(numbers=[1, 0, 1], denominator=1)
    """
    coefficients = usual_coefficients(problem.kernel)
    if coefficients is not None:
        return polynomial_rows([problem.points[i] for i in examples], coefficients)
    if isinstance(problem.kernel, (Composite, FormulaKernel)):
        points = [tuple(problem.points[i]) for i in examples]
        return lambda a: ScaledIntegers([int(points[a] == z) for z in points], 1)
    row = problem.kernel_rows(list(examples))
    return lambda a: scaled_integers(row(problem.rows[examples[a]]))
