"""Kernel values as fractions, by whole numbers: of kernels that are polynomials in <x, z>.

Arithmetic on Fractions looks for a common divisor at every step. Where everything is over one
denominator there is none to look for, and a row costs a fiftieth. Nearly every kernel here is a
polynomial in s = <x, z>, whose coefficients can be read off its formula:

    k(x, z) = c_0 + c_1 s + ... + c_d s^d        (sums and products of such kernels too)

With rows in whole numbers over q, s is a whole number over q^2, and with c_k = p_k / r

    k = (p_0 q^2d + p_1 q^2(d-1) S + ... + p_d S^d) / (r q^2d)        S = q^2 s
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import comb, lcm
from typing import Any

from ..numerics.exact_sums import ScaledIntegers, integer_dot, scaled_integers
from ..numerics.linalg import add
from ..numerics.sparse_rows import SparseRow, row_items
from ..numerics.types import Rows, Vector, VectorLike
from .base import Composite, Kernel, Multiple, Product, Sum
from .standard import Linear, MonomialSum, Polynomial

MAX_USUAL_DEGREE = 10  # a degree up to which no value is too long


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


def degree_of(kernel: Kernel) -> int:
    """The degree of a kernel as a polynomial in <x, z>; 0 of one that is none.

    >>> degree_of(2 * Polynomial(3) * Linear() + MonomialSum(2))
    4
    """
    if isinstance(kernel, Composite):
        degrees = map(degree_of, kernel.parts)
        return sum(degrees) if isinstance(kernel, Product) else max(degrees)  # exact
    if isinstance(kernel, (MonomialSum, Polynomial)):
        return kernel.degree
    return 1 if isinstance(kernel, Linear) else 0


def usual_coefficients(kernel: Kernel) -> Vector | None:
    """polynomial_coefficients of a kernel on floats, exactly; None too of a high degree."""
    usual = degree_of(kernel) <= MAX_USUAL_DEGREE and is_rational(kernel)
    return polynomial_coefficients(kernel.to(Fraction)) if usual else None


def polynomial_coefficients(kernel: Kernel) -> Vector | None:
    """[c_0, c_1, ..], if the kernel is the sum of c_k <x, z>^k by its formula; else None.

    >>> list(map(int, polynomial_coefficients(Polynomial(2, coef0=1) + 3 * Linear())))
    [1, 5, 1]
    """
    if isinstance(kernel, Multiple):
        inside = polynomial_coefficients(kernel.kernel)
        return inside and [kernel.factor * c for c in inside]
    if isinstance(kernel, (Sum, Product)):
        left, right = map(polynomial_coefficients, (kernel.left, kernel.right))
        combine = _add_polynomials if isinstance(kernel, Sum) else _multiply_polynomials
        return left and right and combine(left, right)
    if isinstance(kernel, Linear):
        return [0, 1]
    if isinstance(kernel, MonomialSum):
        return [1] * (kernel.degree + 1)
    if isinstance(kernel, Polynomial):
        d, gamma, coef0 = kernel.degree, Fraction(kernel.gamma), Fraction(kernel.coef0)
        return [comb(d, k) * gamma**k * coef0 ** (d - k) for k in range(d + 1)]
    return None


def _add_polynomials(p: Vector, q: Vector) -> Vector:
    """The coefficients of their sum."""
    longer = max(len(p), len(q))
    return add(*([*r, *[0] * (longer - len(r))] for r in (p, q)))


def _multiply_polynomials(p: list[Any], q: list[Any]) -> list[Any]:
    """The coefficients of their product.

    >>> _multiply_polynomials([1, 1], [1, 1])
    [1, 2, 1]
    """
    product = [0] * (len(p) + len(q) - 1)
    for i, a in enumerate(p):
        for j, b in enumerate(q):
            product[i + j] += a * b
    return product


def polynomial_rows(
    rows: Rows, coefficients: VectorLike, examples: Sequence[int] | None = None
) -> Callable[[int], ScaledIntegers]:
    """The function that takes i to row i of the matrix of a polynomial in <x, z>.

    examples: the columns of the matrix that are wanted; all of them by default.
    """
    sparse = any(isinstance(x, SparseRow) for x in rows)
    X, q = _sparse_integer_rows(rows) if sparse else integer_rows(rows)
    product: Any = _sparse_integer_dot if sparse else integer_dot
    points = X if examples is None else [X[j] for j in examples]
    p, denominator = scaled_integers([Fraction(c) for c in coefficients])
    degree = len(p) - 1
    scaled = [c * q ** (2 * (degree - k)) for k, c in enumerate(p)]
    denominator *= q ** (2 * degree)

    def row(i: int) -> ScaledIntegers:
        products = [product(X[i], z) for z in points]
        values = [scaled[-1]] * len(points)
        for c in reversed(scaled[:-1]):
            values = [v * s + c for v, s in zip(values, products)]
        return ScaledIntegers(values, denominator)

    return row


def integer_rows(rows: Sequence[Any]) -> tuple[list[list[int]], int]:
    """The rows in whole numbers, and the one denominator of all of them."""
    scaled = [scaled_integers(x) for x in rows]
    q = lcm(*(denominator for _, denominator in scaled))
    return [[v * (q // denominator) for v in numbers] for numbers, denominator in scaled], q


def _sparse_integer_rows(rows: Sequence[Any]) -> tuple[list[dict[int, int]], int]:
    """The same by the places of the numbers that are not zero."""
    items = [list(row_items(x)) for x in rows]
    numbers, q = integer_rows([[v for _, v in row] for row in items])
    return [{c: v for (c, _), v in zip(*pair)} for pair in zip(items, numbers)], q


def _sparse_integer_dot(x: dict[int, int], z: dict[int, int]) -> int:
    """The inner product of two such rows."""
    return sum(v * z[c] for c, v in x.items() if c in z)  # exact
