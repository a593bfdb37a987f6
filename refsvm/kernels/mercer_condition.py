"""Mercer's condition on a matrix: are these the inner products of some vectors?

A square matrix K is the Gram matrix of vectors, K_ij = <phi(x_i), phi(x_j)>, exactly when it is
symmetric and positive semidefinite: v'Kv >= 0 for every v. (v'Kv is the squared length of the sum
of the v_i phi(x_i).) One matrix that fails shows that a function is no kernel; a matrix that
passes shows nothing about other points.

Rounded eigenvalues cannot decide it. Those of a Gram matrix are often zero, and are computed as
-1e-17 or 1e-17. Here the numbers given are taken for the fractions they are and the decision is
exact. When the answer is no, its proof comes along: a vector v with v'Kv < 0, the witness.

    K        the matrix, n by n                 v        a vector that may make v'Kv negative
    M        whole numbers: K times a positive number
    S        what elimination has made of M     used     the rows eliminated with, in order
    w        a direction among the rows not yet used
    det      the determinant of M restricted to the rows and columns used

Source: Mercer's theorem as in Ng and Ma, CS229 lecture notes, part V, section 1.4. Elimination
in whole numbers: Bareiss, Mathematics of Computation 22 (1968), pages 565-578.
"""

from fractions import Fraction
from math import gcd, lcm
from typing import NamedTuple

from refsvm.numerics.eigenvalues import binary_exponent, symmetric_eigenvalues, times_power_of_two
from refsvm.numerics.linalg import dot, first_asymmetry, quadratic_form, square_size
from refsvm.numerics.validation import matrix, number_kind


class Mercer(NamedTuple):
    """Whether a matrix is the Gram matrix of some vectors, and the proof if it is not."""

    symmetric: bool
    psd: bool  # symmetric and positive semidefinite: decided exactly
    smallest: float  # its smallest eigenvalue, rounded; None if not symmetric
    witness: object  # None if psd; v with v'Kv < 0; or (i, j) with K_ij != K_ji


def mercer(K):
    """Whether the square matrix K is a Gram matrix, as Mercer(symmetric, psd, smallest, witness).

    The witness against a symmetric K is a list v with v'Kv < 0 in exact arithmetic: Fractions if
    K holds any, otherwise floats, but Fractions again where rounding them would undo the proof.
    The witness against symmetry is the first (i, j) in row order with K[i][j] != K[j][i].
    `smallest` is rounded, so it may be just below zero for a K that is semidefinite.

    O(n*n*n) products of whole numbers that grow to n times the bits that the entries span (53 for
    floats of one size): two to five seconds for 100 by 100 floats, a second where the answer is
    no. ValueError if K is empty, not square or not finite.

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
    M = whole_numbers(K)
    v = negative_direction(M)
    if v is not None:
        v = as_given(v, M, number_kind(K))
    return Mercer(True, v is None, smallest_eigenvalue(K), v)


def whole_numbers(K):
    """K times a positive number that makes all its entries ints, and small ones."""
    exact = [[Fraction(a) for a in row] for row in K]
    below = lcm(*(a.denominator for row in exact for a in row))
    M = [[a.numerator * (below // a.denominator) for a in row] for row in exact]
    common = gcd(*(a for row in M for a in row)) or 1
    return [[a // common for a in row] for row in M]


def negative_direction(M):
    """A vector v of ints with v'Mv < 0; None if there is none. M: symmetric, of ints.

    Elimination row by row, as for a determinant. At each step the rows and columns not yet used
    hold S = det * (the Schur complement of the used ones), whole numbers all, so the division by
    the det of the step before leaves no remainder. M is positive semidefinite if and only if this
    never meets a negative number on the diagonal, nor a zero there in a row that is not all zero.
    """
    S = [list(row) for row in M]
    n, used, det = len(S), [], 1
    for k in range(n):
        for i in range(k, n):
            if S[i][i] < 0:
                return extended({i: 1}, S, used, det)
        if S[k][k] == 0:
            j = first_nonzero(S[k], k + 1)
            if j is not None:
                return extended(downhill(S, k, j), S, used, det)
            continue  # a row of zeros: nothing to eliminate
        for i in range(k + 1, n):
            for j in range(k + 1, i + 1):
                S[i][j] = S[j][i] = (S[k][k] * S[i][j] - S[k][i] * S[k][j]) // det
        used.append(k)
        det = S[k][k]
    return None


def first_nonzero(row, start):
    """The first index from start on whose entry is not zero, None if all are zero."""
    for j in range(start, len(row)):
        if row[j] != 0:
            return j
    return None


def downhill(S, k, j):
    """w in the plane of k and j with w'Sw < 0, where S_kk = 0 and S_kj is not zero.

    With w_j = 1 it is w'Sw = 2 w_k S_kj + S_jj, negative for a w_k large enough and of the right
    sign. A power of two is large enough and survives rounding.
    """
    size = 1 << (S[j][j] // (2 * abs(S[k][j]))).bit_length()
    return {k: -size if S[k][j] > 0 else size, j: 1}


def extended(w, S, used, det):
    """The vector v that is w on the unused rows and makes (Mv)_k = 0 on the used ones.

    Then v'Mv is w'(Schur complement)w. v_k comes from row k of S, which elimination left alone
    after using it: the sum over j >= k of S_kj v_j is 0. Taking det * w makes every v_k whole.
    """
    v = [det * w.get(i, 0) for i in range(len(S))]
    for k in reversed(used):
        v[k] = -dot(S[k][k + 1 :], v[k + 1 :]) // S[k][k]
    common = gcd(*v)
    return [a // common for a in v]


def as_given(v, M, kind):
    """The witness v as numbers of the kind that was given, if they still are a witness.

    Two ways to round are tried: with the bits of the entries kept, then with their ratios to the
    largest, which are often simple where v is nearly a vector with Mv = 0.
    """
    exact = [Fraction(a) for a in v]
    if kind is Fraction:
        return exact
    largest = max(map(abs, v))
    for unit in (1 << max(0, largest.bit_length() - 53), largest):
        rounded = [float(a / unit) for a in exact]
        if quadratic_form(M, whole_numbers([rounded])[0]) < 0:
            return rounded
    return exact


def smallest_eigenvalue(K):
    """The smallest eigenvalue of K as a float, brought into range and back by a power of two."""
    shift = binary_exponent(K)
    K = [[times_power_of_two(a, -shift) for a in row] for row in K]
    return times_power_of_two(symmetric_eigenvalues(K)[0], shift)
