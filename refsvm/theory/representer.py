"""Why w is a combination of the rows: what is orthogonal to them costs, and buys nothing.

Any w is v + u, with v a combination of the rows and u orthogonal to all of them. Scores see v
alone, since u.x_i = 0, and |w|^2 = |v|^2 + |u|^2. So the objective is higher by |u|^2 / 2 than
without u, and the best w has u = 0: the representer theorem. It holds for any price of the scores.

    w, v, u   vectors of d numbers         X   rows x_i

Sources: Cesa-Bianchi's notes, Theorem 3; New York University slides, the SVM dual solution.
"""

from typing import NamedTuple

from ..numerics.exact_sums import nearest_offset
from ..numerics.factorisations import row_echelon, solve
from ..numerics.linalg import add_scaled, dot, gram_of_rows, matrix_vector, subtract, transpose
from ..numerics.validation import matrix, number_kind, vector
from ..svm.problem import require_problem


class Decomposition(NamedTuple):
    """w = inside + outside."""

    coefficients: list  # inside = sum of coefficients_i x_i; 0 for rows that others combine to
    inside: list  # in the span of the rows
    outside: list  # orthogonal to every row


def span_decomposition(w, X):
    """The part of w in the span of the rows, its coefficients, and the part orthogonal to them.

    The first rows that are no combination of earlier ones are a basis; the coefficients c make
    w - sum c_i x_i orthogonal to each of these: (B B') c = B w. Exact on Fractions.
    O(n*n*d + n*n*n). (Cesa-Bianchi's notes, equations (2) and (3))

    >>> span_decomposition([3, 4], [[1, 0], [2, 0]])
    Decomposition(coefficients=[3.0, 0.0], inside=[3.0, 0.0], outside=[0.0, 4.0])
    """
    kind = number_kind(w, X)
    w, X = vector(w, "w", kind), matrix(X, "X", kind)
    if len(w) != len(X[0]):
        raise ValueError(f"w has length {len(w)}; the rows of X have length {len(X[0])}")
    basis = row_echelon(transpose(X))[1]
    rows = [X[i] for i in basis]
    coefficients, inside = [kind(0)] * len(X), [kind(0)] * len(w)
    solved = solve(gram_of_rows(rows), matrix_vector(rows, w)) if basis else []
    for i, c in zip(basis, solved):
        coefficients[i] = c
        inside = add_scaled(inside, c, X[i])
    return Decomposition(coefficients, inside, subtract(w, inside))


def primal_at(problem, w, b=0):
    """The primal objective at any w and b, also at a w that no alpha makes. Linear only. O(n d).

    Times lam it is F(w) of Cesa-Bianchi's notes, where C = 1 / (lam n): see conventions.py.

    >>> from refsvm.svm.problem import Problem
    >>> pair = Problem([[1, 0], [-1, 0]], [1, -1], C=2)
    >>> primal_at(pair, [0.5, 0]), primal_at(pair, [0.5, 1])
    (2.125, 2.625)
    """
    if not require_problem(problem).linear:
        raise TypeError(f"w is a list of numbers for Linear() only, not for {problem.kernel!r}")
    w = vector(w, "w", number_kind(w, b, problem.kind(0)))
    problem, b = problem.in_common_type(w, b)
    if len(w) != len(problem.X[0]):
        raise ValueError(f"w has length {len(w)}; the rows of X have length {len(problem.X[0])}")
    here = nearest_offset(b, w, problem.shift, 1) if problem.shift else b
    return problem.primal_value(matrix_vector(problem.rows, w), dot(w, w), here)
