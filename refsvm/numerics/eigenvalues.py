"""The eigenvalues of a symmetric matrix, by Jacobi's rotations.

A rotation in the plane of the coordinates p and q can make the entry A_pq zero. It spoils some of
the zeros made before, but the sum of the squares off the diagonal falls by 2 A_pq^2 each time.
Sweeps over all pairs, one after the other, lead to a diagonal matrix: it holds the eigenvalues.

    A          the matrix, n by n, symmetric      p, q    the plane of a rotation, p < q
    V          its eigenvectors, as rows          c, s    cosine and sine of its angle
    t          s / c, at most 1 in size           theta   cotangent of twice the angle

The pairs (p, q) are taken in the order (0, 1), (0, 2), ..., (1, 2), ... . A pair needs no rotation
when adding |A_pq| to |A_pp| changes no bit, and adding it to |A_qq| neither. The method ends when
no pair of a sweep needs a rotation. It works on A times a power of two, the one that brings the
largest entry to between 1 and 2: so nothing overflows on the way, and the eigenvalues of 2^k A are
exactly 2^k times those of A, as long as no number is subnormal.

Floats only: eigenvalues are roots of polynomials, seldom fractions.
Source: Golub and Van Loan, Matrix Computations, 4th edition, section 8.5.
"""

from __future__ import annotations

from fractions import Fraction
from math import isfinite, sqrt
from typing import NamedTuple

from .cures import Cure, in_floats, with_cure
from .display import displayed
from .linalg import symmetric_size
from .powers_of_two import binary_exponent, times_power_of_two
from .quoting import quote
from .types import MatrixLike
from .validation import number_kind

MAX_SWEEPS = 64  # about ten are needed


@displayed
class Eigen(NamedTuple):
    """The eigenvalues of a symmetric matrix, and a vector for each."""

    values: list[float]  # the eigenvalues, smallest first
    vectors: list[list[float]]  # vectors[i] belongs to values[i]: orthogonal, of length 1


def symmetric_eigenvalues(A: MatrixLike) -> list[float]:
    """Compute the eigenvalues of a symmetric matrix of floats.

    Returns
    -------
    list of n floats
        smallest first. After r rotations the i-th is within (32 r + n) 2^-53 |A| of the exact
        i-th, where |A| is the root of the sum of the squares of the entries. One too large for a
        float is infinite.

    Raises
    ------
    ValueError
        for a matrix that is not symmetric or not finite
    TypeError
        for Fractions

    Notes
    -----
    O(n*n*n) a sweep; about ten sweeps are needed.

    Examples
    --------
    >>> symmetric_eigenvalues([[0, 1], [1, 0]])
    [-1.0, 1.0]
    """
    return _eigendecomposition(A, [[] for _ in A]).values  # vectors of no entries cost no work


def symmetric_eigen(A: MatrixLike) -> Eigen:
    """Compute the eigenvalues of a symmetric matrix of floats and its eigenvectors.

    Returns
    -------
    Eigen(values, vectors)
        the values have the bits that symmetric_eigenvalues gives; errors as there

    Examples
    --------
    >>> symmetric_eigen([[2, 0], [0, 1]])
    Eigen(values=[1.0, 2.0], vectors=[[0.0, 1.0], [1.0, 0.0]])
    """
    unit = [[float(i == j) for j in range(len(A))] for i in range(len(A))]
    return _eigendecomposition(A, unit)


def _eigendecomposition(A: MatrixLike, V: list[list[float]]) -> Eigen:
    """The eigenvalues of A; its vectors are the rows of V, rotated along with A."""
    n = symmetric_size(A, "A")
    if number_kind(A) is Fraction:
        raise with_cure(
            TypeError,
            "A holds Fractions, and eigenvalues are irrational;",
            Cure("give floats", "A", in_floats),
        )
    for i, row in enumerate(A):
        for j, a in enumerate(row):
            if not isfinite(a):
                raise ValueError(f"A[{i}][{j}] is {quote(a)}; eigenvalues need finite numbers")
    shift = binary_exponent(A)
    R = [[times_power_of_two(a, -shift) for a in row] for row in A]
    _diagonalise(R, V)
    order = sorted(range(n), key=lambda i: R[i][i])  # stable: equals stay in index order
    return Eigen([times_power_of_two(R[i][i], shift) for i in order], [V[i] for i in order])


def _diagonalise(A: list[list[float]], V: list[list[float]]) -> None:
    """Rotate A in place until it is diagonal, and the rows of V with it."""
    n = len(A)
    for _ in range(MAX_SWEEPS):
        rotated = False
        for p in range(n):
            for q in range(p + 1, n):
                if _is_significant(A[p][q], A[p][p]) or _is_significant(A[p][q], A[q][q]):
                    rotate(A, V, p, q)
                    rotated = True
        if not rotated:
            return
    raise ValueError(f"A is not diagonal after {MAX_SWEEPS} sweeps of rotations")


def _is_significant(a: float, b: float) -> bool:
    """Whether a is not negligible beside b: adding |a| to |b| changes a bit."""
    return abs(b) + abs(a) != abs(b)


def rotate(A: list[list[float]], V: list[list[float]], p: int, q: int) -> None:
    """Make A_pq zero by a rotation in the plane of p and q, and rotate the rows of V."""
    a, app, aqq = A[p][q], A[p][p], A[q][q]
    theta = (aqq - app) / (2 * a)
    t = 1 / (abs(theta) + sqrt(1 + theta * theta))  # the smaller root of t^2 + 2 theta t = 1
    if theta < 0:
        t = -t
    c = 1 / sqrt(1 + t * t)
    s = t * c
    A[p], A[q] = _rotate_pair(A[p], A[q], c, s)
    V[p], V[q] = _rotate_pair(V[p], V[q], c, s)
    for row, b, d in zip(A, A[p], A[q]):
        row[p], row[q] = b, d
    A[p][p], A[q][q] = app - t * a, aqq + t * a
    A[p][q] = A[q][p] = float(0)


def _rotate_pair(
    x: list[float], z: list[float], c: float, s: float
) -> tuple[list[float], list[float]]:
    """The vectors c x - s z and s x + c z."""
    pairs = list(zip(x, z))
    return [c * a - s * b for a, b in pairs], [s * a + c * b for a, b in pairs]
