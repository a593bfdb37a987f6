"""Exact problems: each number given is the fraction it is, and kernel rows are whole numbers.

A double is a whole number over a power of two, so a problem on floats states, to the last digit,
one problem on Fractions: these rows, these penalties, this kernel. That one has an optimum which
no rounding has touched, and it is the one that every proof here is about.

Kernels that are polynomials in <x, z> have their rows from kernels/rational_values.py; another one
is asked for its Fractions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from math import lcm
from typing import Any

from ..kernels.rational_values import (
    MAX_USUAL_DEGREE,
    degree_of,
    is_rational,
    polynomial_coefficients,
    polynomial_rows,
)
from ..numerics.cures import Cure, with_cure
from ..numerics.exact_sums import ScaledIntegers, scaled_integers
from ..numerics.quoting import quote
from ..numerics.sparse_rows import row_numbers
from ..numerics.types import Number
from ..svm.training_problem import AnyProblem, TrainingProblem, require_training_problem

MOST_DIGITS = 20_000  # of a kernel value
Exact = Any  # a Fraction; what functions for floats and Fractions return is not said to be one


def exact(problem: AnyProblem) -> AnyProblem:
    """Return the same problem on Fractions: rows, C and kernel parameters (S15.1). O(n d).

    Raises
    ------
    TypeError
        if the kernel has no values on Fractions (Gaussian, Sigmoid, and what is made of them)

    Examples
    --------
    >>> from refsvm.svm.problem import Problem
    >>> exact(Problem([[0.5], [2]], [-1, 1], C=0.1)).C[0]
    Fraction(3602879701896397, 36028797018963968)
    """
    require_training_problem(problem)
    if not is_rational(problem.kernel):
        raise TypeError(
            f"problem has the kernel {quote(problem.kernel)}, whose values are no Fractions;"
            " solve_exactly(problem, bits=64) encloses the optimum, and certify(problem, alpha)"
            " bounds how far an answer is from it"
        )
    return problem.to(Fraction)


def refuse_long_values(problem: TrainingProblem) -> None:
    """Raise ValueError where exact kernel values have too many digits to compute with."""
    degree = degree_of(problem.kernel)
    if degree <= MAX_USUAL_DEGREE:
        return
    rows = [row_numbers(x) for x in problem.points]
    bits = max(_binary_digits(v) for row in [*rows, problem.kernel.parameters()] for v in row)
    digits = 2 * degree * bits * 3 // 10
    if digits > MOST_DIGITS:
        raise with_cure(
            ValueError,
            f"kernel is {quote(problem.kernel)}; its exact values would have about"
            f" {quote(digits)} digits, and at most {MOST_DIGITS} are computed, so",
            Cure("take a lower degree", "degree", partial(min, MAX_USUAL_DEGREE)),
        )


def _binary_digits(v: Number) -> int:
    """The binary digits of a number, as a fraction."""
    p, q = v.as_integer_ratio()
    return int(p.bit_length() + q.bit_length())


class IntegerRows:
    """The rows of K of a problem on Fractions, with the ridge of squared slack or without it.

    of: the example of each variable, where rows are wanted for variables (svm/dual_form.py)

    >>> from refsvm.kernels.standard import Polynomial
    >>> from refsvm.svm.problem import Problem
    >>> half = Fraction(1, 2)
    >>> IntegerRows(Problem([[half], [1]], [-1, 1], Polynomial(2, coef0=1))).row(0)
    ScaledIntegers(numbers=[25, 36], denominator=16)
    """

    def __init__(
        self, problem: TrainingProblem, ridge: bool = True, of: Sequence[int] | None = None
    ) -> None:
        self.of = of
        self.ridge: list[Any] = problem.ridge() if ridge else [0] * problem.n
        self.kernel_row: Callable[[int], ScaledIntegers]
        coefficients = polynomial_coefficients(problem.kernel)
        if coefficients is None:
            compute = problem.kernel_rows()
            self.kernel_row = lambda i: scaled_integers(compute(problem.rows[i]))
        else:
            self.kernel_row = polynomial_rows(problem.rows, coefficients)

    def row(self, i: int) -> ScaledIntegers:
        """Row i. O(n d)."""
        example = i if self.of is None else self.of[i]
        numbers, denominator = self.kernel_row(example)
        if self.of is not None:
            numbers = [numbers[j] for j in self.of]
        ridge = self.ridge[example]
        if ridge == 0:
            return ScaledIntegers(numbers, denominator)
        common = lcm(denominator, ridge.denominator)
        numbers = [v * (common // denominator) for v in numbers]
        numbers[i] += ridge.numerator * (common // ridge.denominator)
        return ScaledIntegers(numbers, common)
