"""Probabilities of several classes from those of each pair: pairwise coupling.

One against one, a pair of classes gives the probability r_ij of class i, if it is i or j. From
these come the probabilities p_i of all classes together. If the pairs agree, p_i / (p_i + p_j) is
r_ij for all of them, and so r_ji p_i = r_ij p_j. They seldom agree; then p is as near to that as
a p with sum 1 can be:

    minimise   sum over i and j != i of (r_ji p_i - r_ij p_j)^2    with    sum p_i = 1

Half of this is p'Q p with Q_ii = sum over s != i of r_si^2 and Q_ij = -r_ji r_ij. Where it is
least, Q p is the same for every class; p and a number v are the solution of a linear system:

    Q p + v e = 0,    e'p = 1          e    k ones

It has one solution, whatever the r_ij from 0 to 1. For suppose that there were another: their
difference u, v has Q u + v e = 0 and e'u = 0, so u'Q u = 0, and r_ji u_i = r_ij u_j for every
pair. Where r_ij = 1, u_j is 0. So only classes that lose to none for certain can have u_i != 0;
among these all r_ij lie between 0 and 1, so their u_i have one sign, and as they add up to 0, all
are 0. Then v is 0, too.

No p_i is negative. For |p_i| in the place of p_i makes no term larger, and the sum at least 1;
divided by their sum, they would be a second minimum. Rounding may bring a p_i below 0 all the
same; then it is taken to be 0.

Source: Wu, Lin and Weng, Probability estimates for multi-class classification by pairwise coupling
(2004), the second method; svm_predict_probability of LIBSVM for what is made of decision values.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations

from ..numerics.cures import giving, with_cure
from ..numerics.factorisations import solve
from ..numerics.linalg import square_size, total
from ..numerics.quoting import quote
from ..numerics.types import Matrix, MatrixLike, Vector
from ..numerics.validation import matrix, number_kind
from .calibration import Calibration

NEAR_ONE = 2.0**-50  # how far r_ij + r_ji may be from 1: the roundings of two sigmoids


def couple(R: MatrixLike) -> Vector:
    """Return the probabilities of k classes from those of each pair of them (S12.3).

    Parameters
    ----------
    R : k lists of k numbers, k >= 2
        R[i][j] is the probability of class i, if it is class i or j: from 0 to 1, and 1 - R[j][i].
        What stands on the diagonal is not used

    Returns
    -------
    list of k numbers
        none is below 0. Of Fractions they are exact, and add up to 1

    Raises
    ------
    ValueError
        for what is no such matrix

    Notes
    -----
    O(k*k*k). LIBSVM iterates until its equations hold to 0.005 / k, and so its probabilities are
    off in the third digit. The module's docstring has the formula, and why there is one solution.

    Examples
    --------
    >>> half, certain = Fraction(1, 2), Fraction(1)
    >>> couple([[half, Fraction(3, 5)], [Fraction(2, 5), half]])
    [Fraction(3, 5), Fraction(2, 5)]
    >>> couple([[0, certain, certain], [0, 0, half], [0, half, 0]])
    [Fraction(1, 1), Fraction(0, 1), Fraction(0, 1)]
    """
    return _coupled(_checked_pairs(R))


def _coupled(R: Matrix) -> Vector:
    """Return what couple returns, of a matrix that is right."""
    k = len(R)
    if k == 2:
        return [R[0][1], R[1][0]]
    ones = [1] * k
    system = [[*row, 1] for row in coupling_matrix(R)] + [[*ones, 0]]
    p = solve(system, [0] * k + [1])[:k]
    zero = p[0] * 0
    return [max(zero, value) for value in p]


def coupling_matrix(R: Matrix) -> Matrix:
    """Return Q: r_ji p_i - r_ij p_j, squared and added up, is p'Q p twice (S12.3).

    >>> coupling_matrix([[0, 1], [3, 0]])
    [[9, -3], [-3, 1]]
    """
    k = len(R)
    return [
        [
            total(R[s][i] * R[s][i] for s in range(k) if s != i) if i == j else -R[j][i] * R[i][j]
            for j in range(k)
        ]
        for i in range(k)
    ]


def _checked_pairs(R: MatrixLike) -> Matrix:
    """Return R as numbers of one kind, refused unless R[i][j] is from 0 to 1 and 1 - R[j][i]."""
    kind = number_kind(R)
    R = matrix(R, "R", kind)
    k = square_size(R, "R")
    if k < 2:
        raise ValueError("R has one row; there must be one for each of two classes or more")
    far = 0 if kind is Fraction else NEAR_ONE
    for i in range(k):
        for j in range(k):
            if i != j and not 0 <= R[i][j] <= 1:
                raise ValueError(f"R[{i}][{j}] is {quote(R[i][j])}; it must be from 0 to 1")
            if i < j and not -far <= R[i][j] + R[j][i] - 1 <= far:
                raise with_cure(
                    ValueError,
                    f"R[{i}][{j}] is {quote(R[i][j])} and R[{j}][{i}] is {quote(R[j][i])};"
                    f" they must add up to 1, so",
                    giving(f"take 1 - R[{i}][{j}]", f"R[{j}][{i}]", 1 - R[i][j]),
                )
    return R


# From decision values to probabilities, as LIBSVM does it
#
# A pair (p, q) of classes has a decision value f_pq, positive for p, and a sigmoid that makes of
# it the probability of p, if it is p or q. No pair is taken to be more certain than 1 - 1e-7: that
# is LIBSVM's rule, without which one pair could make a class impossible for all others.
#
#     k    number of classes; the pairs are (0,1) (0,2) .. (0,k-1) (1,2) ..
#     R    k by k: the probability of the class of the row, if it is that or the one of the column

MIN_PAIR_PROBABILITY = 1e-7  # the probability of a class of a pair


def checked_calibrations(calibrations: Sequence[Calibration] | None, k: int) -> list[Calibration]:
    """Return the Calibration of each pair, refused if there are none or not as many as pairs."""
    if calibrations is None:
        raise ValueError(
            "the model has no calibrations, which probabilities are made of; those of a file"
            " have them, in lines probA and probB, after svm-train -b 1 or train --probabilities"
        )
    if not isinstance(calibrations, list) or len(calibrations) != k * (k - 1) // 2:
        raise ValueError(
            f"calibrations is {quote(calibrations)}; it must be a list of one for each pair of"
            f" classes, which are {k * (k - 1) // 2}"
        )
    return [Calibration(*pair) for pair in calibrations]


def class_probabilities(
    decisions: Matrix, calibrations: list[Calibration], k: int
) -> list[list[float]]:
    """Return the probability of each class for each row, from the decision of each pair (S12.4).

    >>> class_probabilities([[0.0], [1.0]], [Calibration(-2.0, 0.0)], 2)
    [[0.5, 0.5], [0.8807970779778823, 0.11920292202211769]]
    """
    of_pairs = probabilities_of_pairs(decisions, calibrations)
    return [_coupled(pairwise(of_row, k)) for of_row in zip(*of_pairs)]  # type: ignore[misc]


def probabilities_of_pairs(decisions: Matrix, calibrations: list[Calibration]) -> Matrix:
    """Return for each pair the probability of its earlier class, for every row."""
    return [
        calibration.probabilities([row[c] for row in decisions])  # type: ignore[misc]
        for c, calibration in enumerate(calibrations)
    ]


def pairwise(probabilities: tuple[float, ...], k: int) -> Matrix:
    """Return R, from the probability of the earlier class of each pair.

    >>> pairwise((0.75,), 2), pairwise((1.0,), 2)
    ([[0, 0.75], [0.25, 0]], [[0, 0.9999999], [9.999999994736442e-08, 0]])
    """
    R: Matrix = [[0] * k for _ in range(k)]
    for r, (p, q) in zip(probabilities, combinations(range(k), 2)):
        R[p][q] = min(max(r, MIN_PAIR_PROBABILITY), 1 - MIN_PAIR_PROBABILITY)
        R[q][p] = 1 - R[p][q]
    return R
