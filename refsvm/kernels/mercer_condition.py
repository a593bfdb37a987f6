"""Mercer's condition on a matrix: are these the inner products of some vectors?

A square matrix K is the Gram matrix of vectors, K_ij = <phi(x_i), phi(x_j)>, exactly when it is
symmetric and positive semidefinite: v'Kv >= 0 for every v. (v'Kv is the squared length of the sum
of the v_i phi(x_i).) One matrix that fails shows that a function is no kernel; a matrix that
passes shows nothing about other points.

Rounded eigenvalues cannot decide it: those of a Gram matrix are often zero, and are computed as
-1e-17 or 1e-17. Here every number is taken for the fraction that it is, and the decision is exact.
If the answer is no, a proof is returned: a vector v with v'Kv < 0, the witness.

    K        the matrix, n by n                 v        a vector that may make v'Kv negative
    M        whole numbers: K times a positive number
    S        what elimination has made of M     used     the rows eliminated with, in order
    w        a direction among the rows not yet used
    det      the determinant of M restricted to the rows and columns used

Source: Mercer's theorem as in Ng and Ma, CS229 lecture notes, part V, section 1.4. Elimination
in whole numbers: Bareiss, Mathematics of Computation 22 (1968), pages 565-578.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import gcd
from typing import Any, NamedTuple, Union

from ..numerics.display import displayed
from ..numerics.eigenvalues import symmetric_eigenvalues
from ..numerics.linalg import dot, first_asymmetry, quadratic_form, square_size
from ..numerics.powers_of_two import binary_exponent, times_power_of_two
from ..numerics.types import Kind, MatrixLike, Vector
from ..numerics.validation import matrix, number_kind
from .rational_values import integer_rows

Witness = Union[Vector, tuple[int, int]]  # v with v'Kv < 0; or (i, j) with K_ij != K_ji


@displayed
class Mercer(NamedTuple):
    """Whether a matrix is the Gram matrix of some vectors, and the proof if it is not."""

    symmetric: bool
    psd: bool  # symmetric and positive semidefinite: decided exactly
    smallest: float | None  # the smallest eigenvalue, rounded; None if not symmetric
    witness: Witness | None  # None if psd; v with v'Kv < 0; or (i, j) with K_ij != K_ji


def mercer(K: MatrixLike) -> Mercer:
    """Decide whether a square matrix is a Gram matrix: symmetric and positive semidefinite (S2.3).

    Parameters
    ----------
    K : n rows of n finite numbers

    Returns
    -------
    Mercer(symmetric, psd, smallest, witness)
        psd is decided exactly. The witness against a symmetric K is a list v with v'Kv < 0 in
        exact arithmetic: Fractions if K holds any, otherwise floats, but Fractions if rounding
        would undo the proof. The witness against symmetry is the first (i, j) in row order with
        K[i][j] != K[j][i]; where these differ by rounding alone, ask about (K + K.T) / 2.
        `smallest` is rounded: it may be just below zero for a semidefinite K.

    Raises
    ------
    ValueError
        if K is empty, not square or not finite

    Notes
    -----
    O(n*n*n) products of whole numbers, which grow to n times the bits that the entries span (53
    for floats of one size): two to five seconds for 100 by 100 floats, one second if the answer
    is no.

    Examples
    --------
    >>> mercer([[1, 1], [1, 1]])
    Mercer(symmetric=True, psd=True, smallest=0.0, witness=None)
    >>> mercer([[0, 1], [1, 0]])
    Mercer(symmetric=True, psd=False, smallest=-1.0, witness=[-1.0, 1.0])
    >>> mercer([[1, 1], [-1, 1]])
    Mercer(symmetric=False, psd=False, smallest=None, witness=(0, 1))
    """
    K = matrix(K, "K")
    square_size(K, "K")
    place = first_asymmetry(K)
    if place:
        return Mercer(False, False, None, place)
    M = integer_matrix(K)
    v = negative_direction(M)
    witness = None if v is None else _round_witness(v, M, number_kind(K))
    return Mercer(True, v is None, _smallest_eigenvalue(K), witness)


def integer_matrix(K: MatrixLike) -> list[list[int]]:
    """K times the positive number that makes its entries the smallest whole numbers."""
    M, _ = integer_rows(K)
    common = gcd(*(a for row in M for a in row)) or 1
    return [[a // common for a in row] for row in M]


def negative_direction(M: Sequence[Sequence[int]]) -> list[int] | None:
    """A vector v of ints with v'Mv < 0; None if there is none. M: symmetric, of ints.

    Elimination row by row, as for a determinant. At each step the rows and columns not yet used
    hold S = det * (the Schur complement of the used ones). All are whole numbers, so the division
    by the det of the step before leaves no remainder. M is positive semidefinite if and only if
    the diagonal never holds a negative number, nor a zero in a row that is not all zero.
    """
    S = [list(row) for row in M]
    n, det = len(S), 1
    used: list[int] = []
    for k in range(n):
        for i in range(k, n):
            if S[i][i] < 0:
                return _extend_to_used_rows({i: 1}, S, used, det)
        if S[k][k] == 0:
            j = _first_nonzero(S[k], k + 1)
            if j is not None:
                return _extend_to_used_rows(_negative_plane_vector(S, k, j), S, used, det)
            continue  # a row of zeros: nothing to eliminate
        for i in range(k + 1, n):
            for j in range(k + 1, i + 1):
                S[i][j] = S[j][i] = (S[k][k] * S[i][j] - S[k][i] * S[k][j]) // det
        used.append(k)
        det = S[k][k]
    return None


def _first_nonzero(row: Sequence[int], start: int) -> int | None:
    """The first index from `start` on whose entry is not zero; None if all are zero."""
    for j in range(start, len(row)):
        if row[j] != 0:
            return j
    return None


def _negative_plane_vector(S: Sequence[Sequence[int]], k: int, j: int) -> dict[int, int]:
    """w with w'Sw < 0 that is zero except at k and j, where S_kk = 0 and S_kj is not zero.

    With w_j = 1, w'Sw = 2 w_k S_kj + S_jj. That is negative if w_k has the right sign and is large
    enough; a power of two is taken, which rounding does not change.
    """
    size = 1 << (S[j][j] // (2 * abs(S[k][j]))).bit_length()
    return {k: -size if S[k][j] > 0 else size, j: 1}


def _extend_to_used_rows(
    w: dict[int, int], S: Sequence[Sequence[int]], used: list[int], det: int
) -> list[int]:
    """The vector v that equals w on the unused rows and makes (Mv)_k = 0 on the used ones.

    Then v'Mv is w'(Schur complement)w. v_k comes from row k of S, which elimination did not change
    after using it: the sum over j >= k of S_kj v_j is 0. Taking det * w makes every v_k whole.
    """
    v: list[Any] = [det * w.get(i, 0) for i in range(len(S))]
    for k in reversed(used):
        v[k] = -dot(S[k][k + 1 :], v[k + 1 :]) // S[k][k]
    common = gcd(*v)
    return [a // common for a in v]


def _round_witness(v: list[int], M: list[list[int]], kind: Kind) -> Vector:
    """The witness v in numbers of this kind; in Fractions if rounding would undo the proof.

    Two ways to round are tried: the entries themselves, then their ratios to the largest, which
    are often simple if v is nearly a vector with Mv = 0.
    """
    exact: Vector = [Fraction(a) for a in v]
    if kind is Fraction:
        return exact
    largest = max(map(abs, v))
    for unit in (1 << max(0, largest.bit_length() - 53), largest):
        rounded: Vector = [float(a / unit) for a in exact]
        if quadratic_form(M, integer_matrix([rounded])[0]) < 0:
            return rounded
    return exact


def _smallest_eigenvalue(K: MatrixLike) -> float:
    """The smallest eigenvalue of K as a float; K is scaled by a power of two, lest it overflow."""
    shift = binary_exponent(K)
    K = [[times_power_of_two(a, -shift) for a in row] for row in K]
    return times_power_of_two(symmetric_eigenvalues(K)[0], shift)
