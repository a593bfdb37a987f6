"""Factorising a matrix: into triangles, to solve equations; into echelon form, for its rank.

Every function here divides, so all numbers are first converted to one kind: Fractions if there
is a Fraction among them, floats otherwise. On Fractions the answers are exact. On floats each is
computed in the order written, every sum from the first index to the last.

On Fractions a number that ought to be zero is zero. On floats rounding errors hide it, so
`row_echelon`, `rank`, `null_space` and `ldl` take a float for zero if it is at most n * 2^-52
times the largest number that its column (for ldl: the diagonal) held at the start, where n is the
longer side. The threshold grows with the matrix: 2^k A gets the same decisions as A.

    A          the matrix, m by n                 L, U    lower and upper triangle
    b          the right-hand side                D       the diagonal of a diagonal matrix
    P          a permutation of the rows          pivot   the number that is divided by
    ' after a matrix: its transpose               kind    float or Fraction

Source: Golub and Van Loan, Matrix Computations, chapters 3 and 4.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import sqrt
from typing import Any, NamedTuple

from .cures import calling, with_cure
from .display import displayed
from .linalg import (
    add_scaled,
    check_equal_lengths,
    column_count,
    dot,
    identity,
    square_size,
    symmetric_size,
)
from .quoting import quote
from .types import Kind, Matrix, MatrixLike, Number, Vector, VectorLike
from .validation import number_kind

STEPS_IN_ONE = 2**52  # the float after 1 is 1 + 1 / STEPS_IN_ONE


def solve_lower(L: MatrixLike, b: VectorLike) -> Vector:
    """Solve L x = b for a lower triangle L, from the first unknown to the last. O(n*n).

    What L holds above its diagonal is not read.

    Raises
    ------
    ValueError
        if a diagonal entry is zero

    Examples
    --------
    >>> solve_lower([[2.0, 0.0], [1.0, 4.0]], [2.0, 9.0])
    [1.0, 2.0]
    """
    L, b = _check_triangle(L, b, "L")
    x: Vector = []
    for i, row in enumerate(L):
        x.append((b[i] - dot(row[:i], x)) / row[i])
    return x


def solve_upper(U: MatrixLike, b: VectorLike) -> Vector:
    """Solve U x = b for an upper triangle U, from the last unknown to the first. O(n*n).

    What U holds below its diagonal is not read.

    Raises
    ------
    ValueError
        if a diagonal entry is zero

    Examples
    --------
    >>> solve_upper([[2.0, 1.0], [0.0, 4.0]], [4.0, 8.0])
    [1.0, 2.0]
    """
    U, b = _check_triangle(U, b, "U")
    x = list(b)
    for i in reversed(range(len(U))):
        x[i] = (b[i] - dot(U[i][i + 1 :], x[i + 1 :])) / U[i][i]
    return x


def _check_triangle(T: MatrixLike, b: VectorLike, name: str) -> tuple[Matrix, Vector]:
    """T and b as numbers of one kind; ValueError unless T x = b can be solved."""
    square_size(T, name)
    check_equal_lengths(T, b, name, "b")
    kind = number_kind(T, b)
    for i, row in enumerate(T):
        if row[i] == 0:
            raise ValueError(
                f"{name}[{i}][{i}] is {quote(row[i])}; the diagonal must not hold a zero"
            )
    return convert_matrix(T, kind), [kind(c) for c in b]


def convert_matrix(A: MatrixLike, kind: Kind) -> Matrix:
    """A new matrix with the numbers of A, all of this kind."""
    return [[kind(a) for a in row] for row in A]


def solve(A: MatrixLike, b: VectorLike) -> Vector:
    """Solve A x = b by Gaussian elimination with partial pivoting (S3.9). O(n*n*n).

    The pivot of a column is its largest entry in absolute value, the first of equals.

    Raises
    ------
    ValueError
        if all entries left in a column are zero: then A is singular. (If a matrix of floats is
        singular, rounding may still leave an entry that is not zero; the answer is then useless.)

    Examples
    --------
    >>> solve([[0, 2], [1, 1]], [4, 3])
    [1.0, 2.0]
    >>> solve([[Fraction(3)]], [1])
    [Fraction(1, 3)]
    >>> solve([[1, 2], [2, 4]], [1, 1])
    Traceback (most recent call last):
      ...
    ValueError: A is singular: no pivot is left for column 1
    """
    n = square_size(A, "A")
    check_equal_lengths(A, b, "A", "b")
    kind = number_kind(A, b)
    rows = [[kind(a) for a in row] + [kind(c)] for row, c in zip(A, b)]
    for j in range(n):
        swap_in_pivot(rows, j, j)
        pivot = rows[j][j]
        if pivot == 0:
            raise ValueError(f"A is singular: no pivot is left for column {j}")
        for i in range(j + 1, n):
            rows[i] = add_scaled(rows[i], -(rows[i][j] / pivot), rows[j])
    return solve_upper([row[:n] for row in rows], [row[n] for row in rows])


def swap_in_pivot(rows: list[Any], r: int, j: int) -> None:
    """Swap the row with the largest |entry| of column j, from row r on, into row r.

    Of equal entries the first is taken.
    """
    p = r
    for i in range(r + 1, len(rows)):
        if abs(rows[i][j]) > abs(rows[p][j]):
            p = i
    rows[r], rows[p] = rows[p], rows[r]


def cholesky(A: MatrixLike) -> Matrix:
    """Factorise a symmetric positive definite A as L L', with a lower triangle L.

    Row by row: L_ij = (A_ij - dot of rows i and j of L before j) / L_jj, and L_ii is the square
    root of its pivot, A_ii - dot of row i of L with itself.

    Raises
    ------
    ValueError
        if a pivot is not positive: then A is not positive definite, up to rounding
    TypeError
        for Fractions; ldl needs no square root

    Notes
    -----
    O(n*n*n / 6).

    Examples
    --------
    >>> cholesky([[4, 2], [2, 5]])
    [[2.0, 0.0], [1.0, 2.0]]
    >>> cholesky([[1, 2], [2, 1]])
    Traceback (most recent call last):
      ...
    ValueError: pivot 1 is -3.0; a positive definite matrix has positive pivots only
    """
    n = symmetric_size(A, "A")
    if number_kind(A) is Fraction:
        raise with_cure(
            TypeError,
            "A holds Fractions, and cholesky takes square roots;",
            calling("use ldl", "ldl"),
        )
    A = convert_matrix(A, float)
    L: Matrix = [[float(0)] * n for _ in A]
    for i, row in enumerate(L):
        for j in range(i):
            row[j] = (A[i][j] - dot(row[:j], L[j][:j])) / L[j][j]
        pivot = A[i][i] - dot(row[:i], row[:i])
        if not pivot > 0:
            raise ValueError(
                f"pivot {i} is {quote(pivot)}; a positive definite matrix has positive pivots only"
            )
        row[i] = sqrt(pivot)
    return L


@displayed
class LDL(NamedTuple):
    """P A P' = L diag(D) L' + rest, with rest in the last rows and columns."""

    order: list[int]  # row i of P A P' is row order[i] of A, and so for columns
    L: Matrix  # unit lower triangle, n by n
    D: Vector  # n pivots: positive, none larger than those before, then zeros
    rank: int  # how many pivots are positive: the rank of a semidefinite A
    rest: Matrix  # the part for which no positive pivot was left; zero if A is semidefinite


def ldl(A: MatrixLike) -> LDL:
    """Factorise a semidefinite A as L diag(D) L', without square roots.

    The next pivot is the largest diagonal entry left, of equals the first in A. The factorisation
    ends when it is not positive. On Fractions P A P' = L diag(D) L' + rest holds exactly for any
    symmetric A, and A is semidefinite exactly when rest is zero.

    Returns
    -------
    LDL(order, L, D, rank, rest)

    Notes
    -----
    O(n*n*n / 3).

    Examples
    --------
    >>> ldl([[1, 2], [2, 4]])
    LDL(order=[1, 0], L=[[1.0, 0.0], [0.5, 1.0]], D=[4.0, 0.0], rank=1, rest=[[0.0]])
    >>> ldl([[1, 2], [2, 1]]).rest
    [[-3.0]]
    """
    n = symmetric_size(A, "A")
    kind = number_kind(A)
    S = convert_matrix(A, kind)
    order, L = list(range(n)), identity(n, kind)
    D: Vector = []
    tiny = _negligible_size((S[i][i] for i in range(n)), n, kind)
    for k in range(n):
        p = max(range(k, n), key=lambda i: (S[i][i], -order[i]))
        if not S[p][p] > tiny:
            break
        _swap_symmetrically(S, k, p)
        order[k], order[p] = order[p], order[k]
        L[k][:k], L[p][:k] = L[p][:k], L[k][:k]
        D.append(S[k][k])
        for i in range(k + 1, n):
            L[i][k] = S[i][k] / D[k]
            for j in range(k + 1, i + 1):
                S[i][j] = S[j][i] = S[i][j] - L[i][k] * S[j][k]
    rank = len(D)
    zeros: Vector = [kind(0)] * (n - rank)
    return LDL(order, L, D + zeros, rank, [row[rank:] for row in S[rank:]])


def _swap_symmetrically(S: Matrix, k: int, p: int) -> None:
    """Exchange rows k and p of S, and columns k and p."""
    S[k], S[p] = S[p], S[k]
    for row in S:
        row[k], row[p] = row[p], row[k]


def _negligible_size(column: Iterable[Any], n: int, kind: Kind) -> Number:
    """The size up to which a number counts as zero (see the module's docstring)."""
    if kind is Fraction:
        return kind(0)
    return max(map(abs, column), default=0) / STEPS_IN_ONE * n


def row_echelon(A: MatrixLike) -> tuple[Matrix, list[int]]:
    """Compute the reduced row echelon form of A and the list of its pivot columns. O(m*m*n).

    In row i of the form the first entry that is not zero is a 1, in column pivots[i], and the
    only entry of that column that is not zero. Pivots are chosen as in solve. Standard: S3.9.

    Examples
    --------
    >>> row_echelon([[2, 4], [1, 2]])
    ([[1.0, 2.0], [0.0, 0.0]], [0])
    """
    columns = column_count(A, "A")
    kind = number_kind(A)
    R: list[Any] = convert_matrix(A, kind)
    longer = max(len(R), columns)
    tiny = [_negligible_size((row[j] for row in R), longer, kind) for j in range(columns)]
    pivots: list[int] = []
    for j in range(columns):
        r = len(pivots)
        if r == len(R):
            break
        swap_in_pivot(R, r, j)
        if abs(R[r][j]) <= tiny[j]:
            for row in R[r:]:
                row[j] = kind(0)
            continue
        R[r] = [a / R[r][j] for a in R[r]]
        for i, row in enumerate(R):
            if i != r:
                R[i] = add_scaled(row, -row[j], R[r])
        pivots.append(j)
    return R, pivots


def rank(A: MatrixLike) -> int:
    """Count the linearly independent rows of A. O(m*m*n).

    Examples
    --------
    >>> rank([[1, 2], [2, 4], [1, 0]])
    2
    """
    return len(row_echelon(A)[1])


def null_space(A: MatrixLike) -> Matrix:
    """Find a basis of the vectors x with A x = 0 (S3.9). O(m*m*n).

    Returns
    -------
    list of n - rank vectors
        one for each column without a pivot: it is 1 there and 0 at the other such columns

    Examples
    --------
    >>> null_space([[1, 2]])
    [[-2.0, 1.0]]
    """
    R, pivots = row_echelon(A)
    kind = number_kind(A)
    basis = []
    for free in range(column_count(A, "A")):
        if free in pivots:
            continue
        x: Vector = [kind(0)] * len(R[0])
        x[free] = kind(1)
        for row, pivot in zip(R, pivots):  # the rows below, which have no pivot, are zero
            x[pivot] = 0 - row[free]  # not -row[free], which would make a zero negative
        basis.append(x)
    return basis
