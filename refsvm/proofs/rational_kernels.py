"""Exact problems: each number given is the fraction it is, and kernel rows are whole numbers.

A double is a whole number over a power of two, so a problem on floats states, to the last digit,
one problem on Fractions: these rows, these penalties, this kernel. That one has an optimum which
no rounding has touched, and it is the one that every proof here is about.

Arithmetic on Fractions looks for a common divisor at every step. Where everything is over one
denominator there is none to look for, and a row costs a fiftieth. Nearly every kernel here is a
polynomial in s = <x, z>, whose coefficients can be read off its formula:

    k(x, z) = c_0 + c_1 s + ... + c_d s^d        (sums and products of such kernels too)

With rows in whole numbers over q, s is a whole number over q^2, and with c_k = p_k / r

    k = (p_0 q^2d + p_1 q^2(d-1) S + ... + p_d S^d) / (r q^2d)        S = q^2 s

A kernel that is no such polynomial is asked for its Fractions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import comb, lcm
from typing import Any

from ..kernels.base import Kernel, Multiple, Product, Sum
from ..kernels.standard import Linear, MonomialSum, Polynomial
from ..numerics.exact_sums import ScaledIntegers, integer_dot, scaled_integers
from ..numerics.linalg import add
from ..numerics.quoting import quote
from ..numerics.sparse_rows import row_numbers
from ..svm.training_problem import AnyProblem, TrainingProblem, require_training_problem

USUAL = 10  # a degree up to which no value is too long
MOST_DIGITS = 20_000  # of a kernel value
Exact = Any  # a Fraction; what functions for floats and Fractions return is not said to be one


def exact(problem: AnyProblem) -> AnyProblem:
    """Return the same problem on Fractions: rows, C and the parameters of the kernel. O(n d).

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
    if degree <= USUAL:
        return
    rows = [row_numbers(x) for x in problem.points]
    bits = max(size_of(v) for row in [*rows, problem.kernel.parameters()] for v in row)
    digits = 2 * degree * bits * 3 // 10
    if digits > MOST_DIGITS:
        raise ValueError(
            f"kernel is {quote(problem.kernel)}; its exact values would have about {quote(digits)}"
            f" digits, and at most {MOST_DIGITS} are computed, so take a lower degree"
        )


def size_of(v: Any) -> int:
    """The binary digits of a number, as a fraction."""
    p, q = v.as_integer_ratio()
    return int(p.bit_length() + q.bit_length())


def degree_of(kernel: Any) -> int:
    """The degree of a kernel as a polynomial in <x, z>; 0 of one that is none.

    >>> degree_of(2 * Polynomial(3) * Linear() + MonomialSum(2))
    4
    """
    if isinstance(kernel, Multiple):
        return degree_of(kernel.kernel)
    if isinstance(kernel, (Sum, Product)):
        degrees = degree_of(kernel.left), degree_of(kernel.right)
        return max(degrees) if isinstance(kernel, Sum) else sum(degrees)  # exact
    if isinstance(kernel, (MonomialSum, Polynomial)):
        return kernel.degree
    return 1 if isinstance(kernel, Linear) else 0


def is_rational(kernel: Kernel) -> bool:
    """Whether the kernel takes Fractions to Fractions.

    >>> from refsvm.kernels.standard import Gaussian, Linear
    >>> is_rational(Linear()), is_rational(Linear() + Gaussian(1))
    (True, False)
    """
    try:
        kernel.to(Fraction)
    except TypeError:
        return False
    return True


class IntegerRows:
    """The rows of K of a problem on Fractions, with the ridge of squared slack or without it.

    of: the example of each variable, where rows are wanted for variables (svm/dual_form.py)

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
        if self.of is not None:
            numbers, denominator = self.kernel_row(self.of[i])
            return ScaledIntegers([numbers[j] for j in self.of], denominator)
        numbers, denominator = self.kernel_row(i)
        ridge = self.ridge[i]
        if ridge == 0:
            return ScaledIntegers(numbers, denominator)
        common = lcm(denominator, ridge.denominator)
        numbers = [v * (common // denominator) for v in numbers]
        numbers[i] += ridge.numerator * (common // ridge.denominator)
        return ScaledIntegers(numbers, common)


def polynomial_coefficients(kernel: Any) -> list[Any] | None:
    """[c_0, c_1, ..], if the kernel is the sum of c_k <x, z>^k by its formula; else None.

    >>> list(map(int, polynomial_coefficients(Polynomial(2, coef0=1) + 3 * Linear())))
    [1, 5, 1]
    """
    if isinstance(kernel, Multiple):
        inside = polynomial_coefficients(kernel.kernel)
        return inside and [kernel.factor * c for c in inside]
    if isinstance(kernel, (Sum, Product)):
        left, right = map(polynomial_coefficients, (kernel.left, kernel.right))
        combine = add_polynomials if isinstance(kernel, Sum) else multiply_polynomials
        return left and right and combine(left, right)
    if isinstance(kernel, Linear):
        return [0, 1]
    if isinstance(kernel, MonomialSum):
        return [1] * (kernel.degree + 1)
    if isinstance(kernel, Polynomial):
        d, gamma, coef0 = kernel.degree, Fraction(kernel.gamma), Fraction(kernel.coef0)
        return [comb(d, k) * gamma**k * coef0 ** (d - k) for k in range(d + 1)]
    return None


def add_polynomials(p: list[Any], q: list[Any]) -> list[Any]:
    """The coefficients of their sum."""
    longer = max(len(p), len(q))
    return add(*([*r, *[0] * (longer - len(r))] for r in (p, q)))


def multiply_polynomials(p: list[Any], q: list[Any]) -> list[Any]:
    """The coefficients of their product.

    >>> multiply_polynomials([1, 1], [1, 1])
    [1, 2, 1]
    """
    product = [0] * (len(p) + len(q) - 1)
    for i, a in enumerate(p):
        for j, b in enumerate(q):
            product[i + j] += a * b
    return product


def polynomial_rows(
    rows: Sequence[Any], coefficients: Sequence[Any]
) -> Callable[[int], ScaledIntegers]:
    """The function that takes i to row i of the matrix of a polynomial in <x, z>."""
    X, q = integer_rows(rows)
    p, denominator = scaled_integers([Fraction(c) for c in coefficients])
    degree = len(p) - 1
    scaled = [c * q ** (2 * (degree - k)) for k, c in enumerate(p)]
    denominator *= q ** (2 * degree)

    def row(i: int) -> ScaledIntegers:
        products = [integer_dot(X[i], z) for z in X]
        values = [scaled[-1]] * len(X)
        for c in reversed(scaled[:-1]):
            values = [v * s + c for v, s in zip(values, products)]
        return ScaledIntegers(values, denominator)

    return row


def integer_rows(rows: Sequence[Any]) -> tuple[list[list[int]], int]:
    """The rows in whole numbers, and the one denominator of all of them."""
    scaled = [scaled_integers(x) for x in rows]
    q = lcm(*(denominator for _, denominator in scaled))
    return [[v * (q // denominator) for v in numbers] for numbers, denominator in scaled], q
