"""Is a vector in the cone of others? Multipliers if it is, a separating direction if not.

The cone of v_1, ..., v_m is the set of the sums alpha_k v_k with every alpha_k >= 0. Lagrange
multipliers are such coefficients, so whether they exist is a question about cones. Exactly one of
two things is the case, and each comes with its proof (the lemma of Farkas):

    there are  alpha >= 0  with  sum alpha_k v_k = target
    there is   d           with  v_k.d <= 0 for every k  and  target.d > 0

It is decided by the first phase of the simplex method: every equation gets an artificial unknown
that stands for what is still missing, and what is missing in all is minimised. Bland's rule, the
lowest index always, makes sure that it ends. All in Fractions, so that nothing is rounded.

    v_k      m vectors of d numbers             target   a vector of d numbers
    alpha    m coefficients                     d        a direction

    rows     the equations: coefficients, artificial columns, right-hand side, in this order
    basis    for each row the column that is solved for in it
    cost     the bottom row: how what is missing changes as a column is raised from 0

Source: Bland, Mathematics of Operations Research 2 (1977), pages 103-107.
"""

from fractions import Fraction
from typing import Any, NamedTuple

from .linalg import add_scaled, identity, rows_of_length, scale
from .validation import matrix, number_kind, vector


class Combination(NamedTuple):
    """Coefficients that make the target, or a direction that proves that there are none."""

    coefs: Any  # m numbers >= 0, or None
    direction: Any  # None, or d numbers


def nonnegative_combination(vectors, target):
    """The alpha >= 0 with sum alpha_k v_k = target, as Combination. At most d are not zero.

    Decided without rounding, also for floats, which are taken for the fractions they are; only
    the answer is then rounded. A number of pivots that is small in practice, O(d (m + d)) each.

    >>> nonnegative_combination([[1, 0], [1, 1]], [3, 1])
    Combination(coefs=[2.0, 1.0], direction=None)
    >>> nonnegative_combination([[1, 0], [1, 1]], [0, 1])
    Combination(coefs=None, direction=[-1.0, 1.0])
    """
    kind = number_kind(vectors, target)
    vectors = matrix(vectors, "vectors", kind) if len(vectors) else []
    target = vector(target, "target", kind)
    rows_of_length(len(target), vectors, "vectors", "the length of target is")
    rows, signs = equations(vectors, target)
    basis = [len(vectors) + r for r in range(len(rows))]
    cost = first_cost(rows, len(vectors))
    raise_columns(rows, basis, cost, len(vectors))
    if cost[-1] != 0:
        artificial = cost[len(vectors) : -1]
        return Combination(None, [kind(s * (1 - c)) for s, c in zip(signs, artificial)])
    coefs = [kind(0)] * len(vectors)
    for column, row in zip(basis, rows):
        if column < len(vectors):
            coefs[column] = kind(row[-1])
    return Combination(coefs, None)


def equations(vectors, target):
    """The rows of the tableau, and the sign each was given to make its right-hand side >= 0."""
    signs = [-1 if t < 0 else 1 for t in target]
    unit = identity(len(target), Fraction)
    rows = []
    for r, sign in enumerate(signs):
        left = [sign * Fraction(v[r]) for v in vectors]
        rows.append(left + unit[r] + [sign * Fraction(target[r])])
    return rows, signs


def first_cost(rows, m):
    """Minus the sum of the rows, 0 in the artificial columns: what raising a column saves."""
    cost = scale(0, rows[0])
    for row in rows:
        cost = add_scaled(cost, -1, row)
    return cost[:m] + [Fraction(0)] * len(rows) + cost[-1:]


def raise_columns(rows, basis, cost, m):
    """Pivot until no column saves anything: rows, basis and cost are changed."""
    while True:
        j = next((j for j in range(m) if cost[j] < 0), None)
        if j is None:
            return
        # What is missing is never negative, so a column that saves meets a row that stops it.
        stops = [r for r, row in enumerate(rows) if row[j] > 0]
        r = min(stops, key=lambda r: (rows[r][-1] / rows[r][j], basis[r]))
        rows[r] = scale(1 / rows[r][j], rows[r])
        for i, row in enumerate(rows):
            if i != r:
                rows[i] = add_scaled(row, -row[j], rows[r])
        cost[:] = add_scaled(cost, -cost[j], rows[r])
        basis[r] = j
