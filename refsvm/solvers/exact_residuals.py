"""Residuals without rounding, for a few variables: what doubles leave in doubt they decide.

    r_k  =  target_k - sum over examples j of beta_j K_ij - ridge_i beta_k        k of example i

Multipliers are doubles, and every double is a fraction, so these are numbers that can be had. The
kernel matters: a polynomial in <x, z> has exact values; the linear kernel needs none, since
sum beta_j K_ij is <w, x_i>, with an exact w, that of the rows as given. Of other kernels the
values are taken as computed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from math import lcm
from typing import Any

from ..kernels.rational_values import polynomial_rows, usual_coefficients
from ..kernels.standard import Linear
from ..numerics.exact_sums import ScaledIntegers, integer_dot, scaled_integers
from ..numerics.sparse_rows import row_items
from ..svm.dual_form import Numbers

Score = Callable[[int], Fraction]  # of an example: sum beta_j K_ij


class ExactResiduals:
    """The residuals of a problem on floats at these variables, each computed when asked for.

    of      the example of each variable
    coefs   the coefficient in w of each example, where it is not 0
    """

    def __init__(
        self, problem: Any, form: Any, of: Sequence[int], beta: Numbers, coefs: Numbers
    ) -> None:
        self.of, self.beta = of, beta
        self.coefs = {i: c for i, c in enumerate(coefs) if c != 0}
        self.target, self.ridge = problem.exact_target(form), problem.exact_ridge()
        self.score = cache(_score_function(problem, self.coefs))

    def residual(self, k: int) -> Fraction:
        """r_k."""
        i = self.of[k]
        exact: Fraction = self.target[k] - self.score(i) - self.ridge[i] * Fraction(self.beta[k])
        return exact


def has_exact_values(problem: Any) -> bool:
    """Whether residuals are those of the kernel's formula, not of its values as computed."""
    return usual_coefficients(problem.kernel) is not None


def _score_function(problem: Any, coefs: dict[int, Any]) -> Score:
    """The function from an example to its exact score."""
    if not coefs:
        return lambda i: Fraction(0)
    if type(problem.kernel) is Linear:
        return _linear_score(problem.rows_of_w(), problem.rows, coefs)
    support, (factors, denominator) = list(coefs), scaled_integers(coefs.values())
    row: Callable[[int], ScaledIntegers]
    if has_exact_values(problem):
        coefficients: Any = usual_coefficients(problem.kernel)
        row = polynomial_rows(problem.rows, coefficients, support)
    else:
        row = _values_as_computed(problem, support)

    def score(i: int) -> Fraction:
        values, unit = row(i)
        return Fraction(integer_dot(factors, values), unit * denominator)

    return score


def _values_as_computed(problem: Any, support: list[int]) -> Callable[[int], ScaledIntegers]:
    """The function from an example to its kernel values with the support."""
    compute = problem.kernel_rows(support)
    return lambda i: scaled_integers(compute(problem.rows[i]))


def _linear_score(given: Sequence[Any], rows: Sequence[Any], coefs: dict[int, Any]) -> Score:
    """The same of the linear kernel, by way of w in whole numbers. O(d) each, once w is made.

    given: the rows that w is made of

    >>> _linear_score([[0.5, 3.0], [1.0, 0.0]], [[0.5, 3.0], [1.0, 0.0]], {0: 2.0})(1)
    Fraction(1, 1)
    """
    factors, denominator = scaled_integers(coefs.values())
    scaled = {i: scaled_integers(v for _, v in row_items(given[i])) for i in coefs}
    common = lcm(*(row.denominator for row in scaled.values()))
    w: dict[int, int] = {}
    for factor, (i, (numbers, unit)) in zip(factors, scaled.items()):
        for (c, _), v in zip(row_items(given[i]), numbers):
            w[c] = w.get(c, 0) + factor * v * (common // unit)

    def score(i: int) -> Fraction:
        numbers, unit = scaled_integers(v for _, v in row_items(rows[i]))
        weights = [w.get(c, 0) for c, _ in row_items(rows[i])]
        return Fraction(integer_dot(weights, numbers), common * unit * denominator)

    return score
