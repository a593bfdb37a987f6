"""Vectors and matrices as lists of numbers, with the order of every addition fixed.

A vector is a list of numbers; a matrix is a list of its rows. The same source serves floats and
Fractions: on Fractions every answer here is exact; on floats every answer has the same bits on
every machine, because each sum runs from the first index to the last, begun at the int 0, and each
product and each sum is rounded on its own. What comes in is never changed, what comes out is new.

Numbers are taken as they are and nothing is converted: ints stay ints, and NaN and infinity go
through like any other number. Lengths must fit, though, and one that does not is a ValueError.

    x, z     vectors of d numbers             c        a number
    A, B     matrices                         X        a matrix whose rows are examples
    ' after a matrix: its transpose           I        the identity matrix

Costs are in multiplications. Source: Golub and Van Loan, Matrix Computations, section 1.1.
"""

from fractions import Fraction
from math import sqrt


def total(values):
    """The sum of some numbers, added from the first to the last, begun at the int 0. O(n).

    The built-in sum is not used: since Python 3.12 it adds floats in another way.

    >>> total([1e16, 1.0, -1e16])
    0.0
    """
    result = 0
    for v in values:
        result += v
    return result


def dot(x, z):
    """The inner product x_0 z_0 + x_1 z_1 + ..., added in this order. O(d).

    >>> dot([1, 2], [3, 4])
    11
    >>> dot([1e16, 1.0, -1e16], [1.0, 1.0, 1.0])
    0.0
    >>> dot([1, 2], [3])
    Traceback (most recent call last):
      ...
    ValueError: x has length 2 and z has length 1; the two must be equal
    """
    equal_lengths(x, z, "x", "z")
    total = 0
    for a, b in zip(x, z):
        total += a * b
    return total


def squared_norm(x):
    """The sum of the squares x_0 x_0 + x_1 x_1 + ..., added in this order. O(d).

    >>> squared_norm([Fraction(3, 5), Fraction(4, 5)])
    Fraction(1, 1)
    """
    return dot(x, x)


def norm(x):
    """The length of x, a float: the square root of squared_norm(x). O(d).

    It is infinite when the sum of the squares is larger than any float.
    TypeError for Fractions, whose square roots are seldom fractions.

    >>> norm([3.0, 4.0])
    5.0
    """
    squares = squared_norm(x)
    if isinstance(squares, Fraction):
        raise TypeError("x holds Fractions, and norm takes a square root; use squared_norm")
    return sqrt(squares)


def squared_distance(x, z):
    """The sum of (x_k - z_k)(x_k - z_k), added in the order of k. O(d).

    Not x'x + z'z - 2 x'z: that cancels when the points are far from the origin.

    >>> squared_distance([1e9 + 1], [1e9])
    1.0
    """
    equal_lengths(x, z, "x", "z")
    total = 0
    for a, b in zip(x, z):
        total += (a - b) * (a - b)
    return total


def add(x, z):
    """x + z. O(d).

    >>> add([1, 2], [3, 4])
    [4, 6]
    """
    equal_lengths(x, z, "x", "z")
    return [a + b for a, b in zip(x, z)]


def subtract(x, z):
    """x - z. O(d).

    >>> subtract([1, 2], [3, 5])
    [-2, -3]
    """
    equal_lengths(x, z, "x", "z")
    return [a - b for a, b in zip(x, z)]


def scale(c, x):
    """c x, the vector x made c times as long. O(d).

    >>> scale(2, [1, 2])
    [2, 4]
    """
    return [c * a for a in x]


def add_scaled(x, c, z):
    """x + c z, a step from x along z; the product is rounded before the sum. O(d).

    >>> add_scaled([1, 2], 10, [3, 4])
    [31, 42]
    """
    equal_lengths(x, z, "x", "z")
    return [a + c * b for a, b in zip(x, z)]


def identity(n, kind=int):
    """The n by n identity matrix, of numbers of this kind. O(n*n), no multiplication.

    >>> identity(2, float)
    [[1.0, 0.0], [0.0, 1.0]]
    """
    return [[kind(1 if i == j else 0) for j in range(n)] for i in range(n)]


def transpose(A):
    """A', whose rows are the columns of A. O(m n) for m by n, no multiplication.

    >>> transpose([[1, 2, 3], [4, 5, 6]])
    [[1, 4], [2, 5], [3, 6]]
    """
    columns = width(A, "A")
    return [[row[j] for row in A] for j in range(columns)]


def matrix_vector(A, x):
    """A x: the dot of each row of A with x. O(m n) for m by n.

    >>> matrix_vector([[1, 2], [3, 4]], [1, 10])
    [21, 43]
    """
    rows_of_length(len(x), A, "A", "x has length")
    return [dot(row, x) for row in A]


def matrix_product(A, B):
    """A B: the dot of each row of A with each column of B. O(m k n) for m by k times k by n.

    >>> matrix_product([[1, 2], [3, 4]], [[0, 1], [1, 0]])
    [[2, 1], [4, 3]]
    """
    rows_of_length(len(B), A, "A", "the number of rows of B is")
    width(B, "B")
    columns = transpose(B)
    return [[dot(row, column) for column in columns] for row in A]


def quadratic_form(A, x):
    """x' A x, computed as the dot of x with A x. O(n*n).

    >>> quadratic_form([[0, 1], [1, 0]], [1, -1])
    -2
    """
    equal_lengths(A, x, "A", "x")
    return dot(x, matrix_vector(A, x))


def gram_of_rows(X):
    """X X': all dots of two rows of X, a symmetric matrix. O(n*n d) for n rows of length d.

    >>> gram_of_rows([[1, 2], [3, 4]])
    [[5, 11], [11, 25]]
    """
    width(X, "X")
    gram = [[0] * len(X) for _ in X]
    for i, x in enumerate(X):
        for j in range(i + 1):
            gram[i][j] = gram[j][i] = dot(x, X[j])
    return gram


def equal_lengths(x, z, x_name, z_name):
    """Refuse two sequences of different lengths, which zip would cut to the shorter one."""
    if len(x) != len(z):
        raise ValueError(
            f"{x_name} has length {len(x)} and {z_name} has length {len(z)}; the two must be equal"
        )


def rows_of_length(length, A, name, rule):
    """Refuse a matrix with a row of another length; `rule` says where the length comes from."""
    for i, row in enumerate(A):
        if len(row) != length:
            raise ValueError(
                f"{name}[{i}] has length {len(row)} and {rule} {length}; the two must be equal"
            )


def width(A, name):
    """The number of columns of A, 0 if it has no row; a ragged matrix is refused."""
    columns = len(A[0]) if len(A) else 0
    rows_of_length(columns, A, name, f"{name}[0] has length")
    return columns


def square(A, name):
    """The number of rows of a square matrix; any other is refused.

    >>> square([[1, 2, 3], [4, 5, 6]], "K")
    Traceback (most recent call last):
      ...
    ValueError: K[0] has length 3 and the number of rows of K is 2; the two must be equal
    """
    rows_of_length(len(A), A, name, f"the number of rows of {name} is")
    return len(A)


def symmetric(A, name):
    """The number of rows of a symmetric matrix; any other is refused."""
    n = square(A, name)
    place = first_asymmetry(A)
    if place:
        i, j = place
        raise ValueError(
            f"{name}[{i}][{j}] is {A[i][j]} and {name}[{j}][{i}] is {A[j][i]};"
            f" {name} must be symmetric"
        )
    return n


def first_asymmetry(A):
    """The first (i, j) in row order with A[i][j] != A[j][i], None if A is symmetric. O(n*n).

    There is one NaN here: two of them in mirrored places count as equal.
    """
    for i, row in enumerate(A):
        for j in range(i + 1, len(row)):
            a, b = row[j], A[j][i]
            if a != b and (a == a or b == b):
                return i, j
    return None
