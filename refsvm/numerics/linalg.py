"""Vectors and matrices as lists of numbers, with the order of every addition fixed.

A vector is a list of numbers; a matrix is a list of its rows. The same functions serve floats and
Fractions. On Fractions every answer is exact. On floats every answer has the same bits on every
machine: each sum runs from the first index to the last and begins at the int 0, and each product
and each sum is rounded on its own. Arguments are never changed; every answer is a new list.

Numbers are not converted: ints stay ints, and NaN and infinity go through like any other number.
Lengths must fit: if they do not, a function raises ValueError.

    x, z     vectors of d numbers             c        a number
    A, B     matrices                         X        a matrix whose rows are examples
    ' after a matrix: its transpose           I        the identity matrix

Costs are in multiplications. Source: Golub and Van Loan, Matrix Computations, section 1.1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from math import isfinite, sqrt
from operator import sub
from typing import Any

from .cures import Cure, calling, symmetrised, with_cure
from .quoting import quote
from .types import Kind, Matrix, MatrixLike, Number, Vector, VectorLike


def total(values: Iterable[Number]) -> Number:
    """Add some numbers from the first to the last, beginning with the int 0 (S1.2). O(n).

    The built-in sum is not used: since Python 3.12 it adds floats in another way.

    Examples
    --------
    >>> total([1e16, 1.0, -1e16])
    0.0
    """
    result: Number = 0
    for v in values:
        result += v
    return result


def dot(x: VectorLike, z: VectorLike) -> Number:
    """Compute the inner product x_0 z_0 + x_1 z_1 + ..., added in this order (S1.2). O(d).

    Examples
    --------
    >>> dot([1, 2], [3, 4])
    11
    >>> dot([1e16, 1.0, -1e16], [1.0, 1.0, 1.0])
    0.0
    >>> dot([1, 2], [3])
    Traceback (most recent call last):
      ...
    ValueError: x has length 2 and z has length 1; the two must be equal
    """
    check_equal_lengths(x, z, "x", "z")
    result: Number = 0
    for a, b in zip(x, z):
        result += a * b
    return result


def squared_norm(x: VectorLike) -> Number:
    """Compute the sum of the squares x_0 x_0 + x_1 x_1 + ..., added in this order. O(d).

    Examples
    --------
    >>> squared_norm([Fraction(3, 5), Fraction(4, 5)])
    Fraction(1, 1)
    """
    return dot(x, x)


def norm(x: VectorLike) -> float:
    """Compute the length of x: the square root of squared_norm(x). O(d).

    Returns
    -------
    float
        infinite if the sum of the squares is larger than any float

    Raises
    ------
    TypeError
        for Fractions, whose square roots are seldom fractions

    Examples
    --------
    >>> norm([3.0, 4.0])
    5.0
    """
    squares = squared_norm(x)
    if isinstance(squares, Fraction):
        raise with_cure(
            TypeError,
            "x holds Fractions, and norm takes a square root;",
            calling("use squared_norm", "squared_norm"),
        )
    return sqrt(squares)


def squared_distance(x: VectorLike, z: VectorLike) -> Number:
    """Compute the sum of (x_k - z_k)(x_k - z_k), added in the order of k (S1.2). O(d).

    Not x'x + z'z - 2 x'z: that cancels if the points are far from the origin.

    Examples
    --------
    >>> squared_distance([1e9 + 1], [1e9])
    1.0
    """
    check_equal_lengths(x, z, "x", "z")
    result: Number = 0
    for a, b in zip(x, z):
        result += (a - b) * (a - b)
    return result


def add(x: VectorLike, z: VectorLike) -> Vector:
    """Compute x + z. O(d).

    Examples
    --------
    >>> add([1, 2], [3, 4])
    [4, 6]
    """
    check_equal_lengths(x, z, "x", "z")
    return [a + b for a, b in zip(x, z)]


def subtract(x: VectorLike, z: VectorLike) -> Vector:
    """Compute x - z. O(d).

    Examples
    --------
    >>> subtract([1, 2], [3, 5])
    [-2, -3]
    """
    check_equal_lengths(x, z, "x", "z")
    return [a - b for a, b in zip(x, z)]


def scale(c: Number, x: VectorLike) -> Vector:
    """Compute c x. O(d).

    Examples
    --------
    >>> scale(2, [1, 2])
    [2, 4]
    """
    return [c * a for a in x]


def add_scaled(x: VectorLike, c: Number, z: VectorLike) -> Vector:
    """Compute x + c z; each product is rounded before it is added. O(d).

    Examples
    --------
    >>> add_scaled([1, 2], 10, [3, 4])
    [31, 42]
    """
    check_equal_lengths(x, z, "x", "z")
    return [a + c * b for a, b in zip(x, z)]


def identity(n: int, kind: Callable[[int], Number] = int) -> Matrix:
    """Make the n by n identity matrix, of numbers of this kind. O(n*n), no multiplication.

    Examples
    --------
    >>> identity(2, float)
    [[1.0, 0.0], [0.0, 1.0]]
    """
    return [[kind(1 if i == j else 0) for j in range(n)] for i in range(n)]


def transpose(A: MatrixLike) -> Matrix:
    """Make A', whose rows are the columns of A. O(m n) for m by n, no multiplication.

    Examples
    --------
    >>> transpose([[1, 2, 3], [4, 5, 6]])
    [[1, 4], [2, 5], [3, 6]]
    """
    columns = column_count(A, "A")
    return [[row[j] for row in A] for j in range(columns)]


def matrix_vector(A: MatrixLike, x: VectorLike) -> Vector:
    """Compute A x: the dot of each row of A with x. O(m n) for m by n.

    Examples
    --------
    >>> matrix_vector([[1, 2], [3, 4]], [1, 10])
    [21, 43]
    """
    check_row_lengths(len(x), A, "A", "x has length")
    return [dot(row, x) for row in A]


def matrix_product(A: MatrixLike, B: MatrixLike) -> Matrix:
    """Compute A B: the dot of each row of A with each column of B. O(m k n) for m by k and k by n.

    Examples
    --------
    >>> matrix_product([[1, 2], [3, 4]], [[0, 1], [1, 0]])
    [[2, 1], [4, 3]]
    """
    check_row_lengths(len(B), A, "A", "the number of rows of B is")
    column_count(B, "B")
    columns = transpose(B)
    return [[dot(row, column) for column in columns] for row in A]


def quadratic_form(A: MatrixLike, x: VectorLike) -> Number:
    """Compute x'A x, the dot of x with A x. O(n*n).

    Examples
    --------
    >>> quadratic_form([[0, 1], [1, 0]], [1, -1])
    -2
    """
    check_equal_lengths(A, x, "A", "x")
    return dot(x, matrix_vector(A, x))


def gram_of_rows(X: MatrixLike) -> Matrix:
    """Compute X X': the dots of all pairs of rows of X. O(n*n d) for n rows of length d.

    Examples
    --------
    >>> gram_of_rows([[1, 2], [3, 4]])
    [[5, 11], [11, 25]]
    """
    column_count(X, "X")
    gram: Matrix = [[0] * len(X) for _ in X]
    for i, x in enumerate(X):
        for j in range(i + 1):
            gram[i][j] = gram[j][i] = dot(x, X[j])
    return gram


def check_equal_lengths(x: Sequence[Any], z: Sequence[Any], x_name: str, z_name: str) -> None:
    """Raise ValueError for two sequences of different lengths (zip would cut one in silence)."""
    if len(x) != len(z):
        raise ValueError(
            f"{x_name} has length {len(x)} and {z_name} has length {len(z)}; the two must be equal"
        )


def check_row_lengths(length: int, A: MatrixLike, name: str, rule: str) -> None:
    """Raise ValueError for a row of another length; `rule` says where the length comes from."""
    for i, row in enumerate(A):
        if len(row) != length:
            raise ValueError(
                f"{name}[{i}] has length {len(row)} and {rule} {length}; the two must be equal"
            )


def column_count(A: MatrixLike, name: str) -> int:
    """The number of columns of A, 0 if A has no row. ValueError if its rows differ in length."""
    columns = len(A[0]) if len(A) else 0
    check_row_lengths(columns, A, name, f"{name}[0] has length")
    return columns


def square_size(A: MatrixLike, name: str) -> int:
    """The number of rows of a square matrix. ValueError for any other matrix.

    >>> square_size([[1, 2, 3], [4, 5, 6]], "K")
    Traceback (most recent call last):
      ...
    ValueError: K[0] has length 3 and the number of rows of K is 2; the two must be equal
    """
    check_row_lengths(len(A), A, name, f"the number of rows of {name} is")
    return len(A)


def symmetric_size(A: MatrixLike, name: str) -> int:
    """The number of rows of a symmetric matrix. ValueError for any other matrix."""
    n = square_size(A, name)
    place = first_asymmetry(A)
    if place:
        i, j = place
        raise with_cure(
            ValueError,
            f"{name}[{i}][{j}] is {quote(A[i][j])} and {name}[{j}][{i}] is {quote(A[j][i])};"
            f" {name} must be symmetric, so",
            Cure(f"take ({name} + {name}.T) / 2", name, symmetrised),
        )
    return n


def first_asymmetry(A: MatrixLike) -> tuple[int, int] | None:
    """The first (i, j) in row order with A[i][j] != A[j][i], None if A is symmetric. O(n*n).

    Two NaNs in mirrored places count as equal.

    >>> first_asymmetry([[1, 2], [2, 1]]), first_asymmetry([[1, 2], [3, 1]])
    (None, (0, 1))
    """
    for i, row in enumerate(A):
        for j in range(i + 1, len(row)):
            a, b = row[j], A[j][i]
            if a != b and (a == a or b == b):
                return i, j
    return None


# Differences of numbers of which some may be infinite, as a bound is that is no bound
#
# Infinity is the float inf, beside Fractions too. Python makes floats of both before it subtracts
# one from the other, and fails where no double holds the Fraction. Here infinity stays infinity.


def subtraction(kind: Kind) -> Callable[[Any, Any], Any]:
    """a - b as a function, for numbers of this kind and infinities."""
    return sub if kind is float else difference


def difference(a: Number, b: Number) -> Number:
    """a - b; exact if one is a Fraction, infinite if one is infinite.

    >>> difference(float("inf"), Fraction(10**400)), difference(Fraction(1, 3), float("inf"))
    (inf, -inf)
    """
    if isinstance(a, Fraction) and isinstance(b, float):
        return a - Fraction(b) if isfinite(b) else -b
    if isinstance(a, float) and isinstance(b, Fraction):
        return Fraction(a) - b if isfinite(a) else a
    return a - b
