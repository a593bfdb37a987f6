"""The gate of the three words that are proofs: "infeasible", "degenerate" and "indefinite".

The first two say that some multipliers make w = sum beta_i phi(x_i) exactly 0. That is a statement
about inner products: sum_ij beta_i beta_j K_ij is |w|^2 only where K is positive semidefinite, and
only then does Q beta = 0 on some examples say that w is 0 for all of them. So both words are said
only where that is shown (is_semidefinite):

    by its formula      Linear, Gaussian, Spectrum .. and what is made of them: whatever the rows
    by elimination      a polynomial with a negative coefficient, a Gram matrix, a function of the
                        caller's: of all n examples, in whole numbers, for small n

"indefinite" says that K is not positive semidefinite. It needs a witness, a vector v with
v'Kv < 0 whatever was rounded (has_negative_curvature). Where neither is shown the status is
"precision".

A sum of features is asked of exact values, which doubles hold seldom (exact_rows):

    polynomials in <x, z>    their values, in whole numbers over one denominator
    other formulas           1 for equal rows, and 0 for others: the sum is 0 if that of the
                             multipliers is, row by row; and of a Gaussian then alone, as the
                             features of different rows are independent
    all others               strings, a Gram matrix, a function of the caller's: as they are

Source: Mercer's theorem; Bareiss (1968) for the elimination (kernels/mercer_condition.py).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import inf
from typing import TYPE_CHECKING, Any

from ..kernels.base import Composite, Kernel
from ..kernels.mercer_condition import integer_matrix, negative_direction
from ..kernels.rational_values import polynomial_rows, usual_coefficients
from ..kernels.standard import FormulaKernel
from ..kernels.strings import Spectrum
from ..kernels.value_errors import may_exceed_its_diagonal, value_errors
from ..numerics.exact_sums import ScaledIntegers, scaled_integers
from ..numerics.linalg import first_asymmetry, total
from ..numerics.rounding_bounds import MIN_DOUBLE, above, of_sum
from ..numerics.types import MatrixLike, Number

if TYPE_CHECKING:
    from ..svm.training_problem import TrainingProblem


MAX_ELIMINATED = 60  # examples whose matrix is eliminated
MAX_BIT_PRODUCTS = 2**37  # which that takes: a few seconds
MAX_WITNESS = 500  # examples in a direction of negative curvature
# A function of the caller's may have rounded its values: curvature this far below zero, relative
# to its terms, is the kernel's.
RELATIVE_NOISE = Fraction(1, 2**40)


def is_semidefinite(problem: TrainingProblem) -> bool:
    """Return whether the kernel matrix of all examples is proved positive semidefinite (S30.10).

    At no cost by its formula; else O(n^3) products of whole numbers that grow, for n up to 60.

    >>> from refsvm.kernels.standard import Precomputed
    >>> from refsvm.svm.problem import Problem
    >>> twins, bent = [[1, 1], [1, 1]], [[1, 2], [2, 1]]
    >>> [is_semidefinite(Problem(K, [1, -1], Precomputed())) for K in (twins, bent)]
    [True, False]
    """
    if _is_semidefinite_by_formula(problem.kernel):
        return True
    n = problem.n
    if not has_exact_values(problem) or n > MAX_ELIMINATED:
        return False
    row = exact_rows(problem, range(n))
    M = integer_matrix([[Fraction(v, q) for v in numbers] for numbers, q in map(row, range(n))])
    bits = max(v.bit_length() for numbers in M for v in numbers)
    if n * (n * bits) ** 2 > MAX_BIT_PRODUCTS or first_asymmetry(M):
        return False
    return negative_direction(M) is None


def has_negative_curvature(problem: TrainingProblem, direction: dict[int, Any] | None) -> bool:
    """Return whether v'Kv is proved below 0 (S30.10), of a direction {variable: speed}. O(s^2).

    Two variables may belong to one example. A kernel value that was rounded counts with its error.

    >>> from refsvm.kernels.standard import Gaussian, Sigmoid
    >>> from refsvm.svm.problem import Problem
    >>> [has_negative_curvature(Problem([[0], [1]], [1, -1], kernel), {0: 1})
    ...  for kernel in (Sigmoid(1, -1), Sigmoid(1, 1), Gaussian(1))]
    [True, False, False]
    """
    kernel = problem.kernel
    if not direction or _is_semidefinite_by_formula(kernel):
        return False
    v = _speeds_of_examples(problem, direction)
    if not 0 < len(v) <= MAX_WITNESS:
        return False
    if has_exact_values(problem):
        row = exact_rows(problem, list(v))
        values = [[Fraction(p, q) for p in numbers] for numbers, q in map(row, range(len(v)))]
        is_exact = problem.kind is not float or usual_coefficients(kernel) is not None
        curvature, size = _quadratic_form(values, list(v.values()))
        return curvature < (0 if is_exact else -RELATIVE_NOISE * size)
    if may_exceed_its_diagonal(kernel):
        return False
    compute = problem.kernel_rows(list(v))
    curvature, _ = _quadratic_form([compute(problem.rows[i]) for i in v], list(v.values()))
    error = _error_of_curvature(problem, v)
    return error < inf and curvature + Fraction(error) < 0


def _speeds_of_examples(
    problem: TrainingProblem, direction: dict[int, Number]
) -> dict[int, Fraction]:
    """Return {example: speed} of a direction, without zeros; the largest is 1."""
    of, speeds = problem.dual_form().of, dict[int, Fraction]()
    for k, speed in direction.items():
        i = k if of is None else of[k]
        speeds[i] = speeds.get(i, Fraction(0)) + Fraction(speed)
    largest = max(map(abs, speeds.values()))
    return {i: speed / largest for i, speed in speeds.items() if speed != 0}


def _quadratic_form(K: MatrixLike, v: list[Fraction]) -> tuple[Fraction, Fraction]:
    """Return v'Kv, and what its terms add up to without their signs; both exact."""
    terms = [a * b * Fraction(k) for row, a in zip(K, v) for k, b in zip(row, v)]
    return sum(terms, Fraction(0)), sum(map(abs, terms), Fraction(0))  # exact


def _error_of_curvature(problem: TrainingProblem, v: dict[int, Fraction]) -> float:
    """Return an upper bound of the part of v'Kv that is rounding of kernel values."""
    of_values = value_errors(problem.kernel, [problem.rows[i] for i in v], problem.most_terms())
    mass = total(s * abs(float(speed)) for s, speed in zip(of_values.roots, v.values()))
    size = above(mass * mass, 2 * len(v) + 4)
    return float(above(of_sum(of_values.roundings, size) + MIN_DOUBLE, 8))


def _is_semidefinite_by_formula(kernel: Kernel) -> bool:
    """Return whether the formula alone shows that, of values that are those of the formula."""
    coefficients = usual_coefficients(kernel)
    if coefficients is not None:
        return bool(min(coefficients) >= 0)
    return bool(kernel.inner_product and isinstance(kernel, (Composite, FormulaKernel, Spectrum)))


def has_exact_values(problem: TrainingProblem) -> bool:
    """Return whether exact_rows has the kernel's own values."""
    kernel = problem.kernel
    if problem.kind is not float or usual_coefficients(kernel) is not None:
        return True
    return not isinstance(kernel, (Composite, FormulaKernel))


def exact_rows(
    problem: TrainingProblem, examples: Sequence[int]
) -> Callable[[int], ScaledIntegers]:
    """Return the function from a to row a of the matrix of these examples, as the head says.

    >>> from refsvm.kernels.standard import Gaussian
    >>> from refsvm.svm.problem import Problem
    >>> problem = Problem([[0.1], [0.7], [0.1]], [1, 1, -1], Gaussian(1))
    >>> exact_rows(problem, [0, 1, 2])(0)
    ScaledIntegers(numbers=[1, 0, 1], denominator=1)
    """
    coefficients = usual_coefficients(problem.kernel)
    if coefficients is not None:
        return polynomial_rows([problem.points[i] for i in examples], coefficients)
    if not has_exact_values(problem):
        points = [tuple(problem.points[i]) for i in examples]
        return lambda a: ScaledIntegers([int(points[a] == z) for z in points], 1)
    row = problem.kernel_rows(list(examples))
    return lambda a: scaled_integers(row(problem.rows[examples[a]]))
