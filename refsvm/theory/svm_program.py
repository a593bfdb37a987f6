"""The support vector machine as a quadratic program in w, b and the slacks.

The unknowns are written one after the other in a single list z: first w, then b (with an offset),
then a slack xi_i for every example whose C_i is finite. The constraints, in this order:

    1 - y_i (w.x_i + b) - xi_i <= 0     one for each example; its multiplier is alpha_i
    -xi_i <= 0                          one for each slack; its multiplier is lam_i

All of them are affine and the objective is convex, so one feasible point is enough for strong
duality, and for multipliers at the optimum. With slack for every example there always is one; for
a hard margin any separating hyperplane makes one, by scaling it up.

    z       the unknowns in one list              soft    the examples with a slack: C_i is finite

Source: NYU slides, "Strong Duality by Slater's Constraint Qualification"; CS229 lecture notes,
section 7; Cesa-Bianchi, "Support Vector Machines", after Lemma 2.
"""

from __future__ import annotations

from math import inf

from ..numerics.linalg import dot, scale
from ..numerics.quoting import quote
from ..numerics.types import Kind, Matrix, Number, Vector, VectorLike
from ..svm.problem import Problem
from .qp_duality import QuadraticProgram, quadratic_program
from .svm_dual import convert_unknowns


def svm_program(problem: Problem) -> QuadraticProgram:
    """Return the problem as a QuadraticProgram in z: d + 1 + n unknowns, 2n constraints (S26.4).

    Without offset there is no b, and no slack where C_i is inf. Linear kernel only. O(n (d + n)).

    >>> qp = svm_program(Problem([[0], [2]], [-1, 1], C=3))
    >>> qp.q, qp.G[0], qp.h[0]              # the first constraint: 0 w + b - xi_0 <= -1
    ([0.0, 0.0, 3.0, 3.0], [0.0, 1.0, -1.0, 0.0], -1.0)
    """
    problem, _, _, _ = convert_unknowns(problem)
    parts = primal_program(
        problem.kind, problem.X, problem.y, problem.C, problem.slack, problem.bias
    )
    return quadratic_program(*parts)


def primal_program(
    kind: Kind,
    X: Matrix,
    y: list[int],
    C: Vector,
    slack: str,
    bias: bool,
    nonnegative: bool = True,
) -> tuple[Matrix, Vector, Matrix, Vector]:
    """Return (P, q, G, h) of the primal: minimise 1/2 z'Pz + q.z such that Gz <= h.

    All numbers are of this kind. Without `nonnegative` the constraints xi_i >= 0 are left out.
    """
    soft = [i for i, c in enumerate(C) if c != inf]
    first = len(X[0]) + bias  # where the slacks begin
    size = first + len(soft)
    P = [[kind(0)] * size for _ in range(size)]
    q = [kind(0)] * size
    for j in range(len(X[0])):
        P[j][j] = kind(1)
    for k, i in enumerate(soft, first):
        if slack == "hinge":
            q[k] = C[i]
        else:
            P[k][k] = C[i]
    margins = [
        scale(-s, x) + [kind(-s)] * bias + [kind(-1 if j == i else 0) for j in soft]
        for i, (x, s) in enumerate(zip(X, y))
    ]
    slacks = [
        [kind(-1 if j == k else 0) for j in range(size)]
        for k in range(first, size if nonnegative else first)
    ]
    return P, q, margins + slacks, [kind(-1)] * len(margins) + [kind(0)] * len(slacks)


def unknowns(problem: Problem, w: VectorLike, b: Number, xi: VectorLike | None = None) -> Vector:
    """Return z: w, b and the slacks in the order of svm_program; by default the least slacks.

    >>> unknowns(Problem([[0], [2]], [-1, 1], C=3), [1], -1.5)
    [1.0, -1.5, 0.0, 0.5]
    """
    xi = _least_slacks(problem, w, b) if xi is None else xi
    problem, (w, b, xi), _, _ = convert_unknowns(problem, w, b, xi)
    return w + [b] * problem.bias + _of_soft(problem, xi)


def _of_soft(problem: Problem, values: Vector) -> Vector:
    """Return the values of the examples that have a slack."""
    return [v for v, C in zip(values, problem.C) if C != inf]


def _least_slacks(problem: Problem, w: VectorLike, b: Number) -> Vector:
    """Return max(0, 1 - y_i (w.x_i + b)) where there is slack, 0 where there is none."""
    problem, (w, b, _), _, _ = convert_unknowns(problem, w, b)
    zero = problem.kind(0)
    return [
        zero if C == inf else max(zero, 1 - y * (dot(w, x) + b))
        for C, y, x in zip(problem.C, problem.y, problem.X)
    ]


def multipliers(problem: Problem, alpha: VectorLike, lam: VectorLike | None = None) -> Vector:
    """Return alpha and the multipliers of the slacks in the order of svm_program.

    lam is by default what an optimal alpha implies: C_i - alpha_i, or 0 under squared slack.

    >>> multipliers(Problem([[0], [2]], [-1, 1], C=3), [0.5, 0.5])
    [0.5, 0.5, 2.5, 2.5]
    """
    lam = slack_multipliers(problem, alpha) if lam is None else lam
    problem, _, alpha, lam = convert_unknowns(problem, alpha=alpha, lam=lam)
    return alpha + _of_soft(problem, lam)


def slack_multipliers(problem: Problem, alpha: VectorLike) -> Vector:
    """Return lam = C - alpha where there is slack, else 0; under squared slack 0 everywhere.

    >>> slack_multipliers(Problem([[0], [2]], [-1, 1], C=2), [0.5, 0.5])
    [1.5, 1.5]
    """
    problem, _, alpha, _ = convert_unknowns(problem, alpha=alpha)
    zero = problem.kind(0)
    hinge = problem.slack == "hinge"
    return [C - a if hinge and C != inf else zero for C, a in zip(problem.C, alpha)]


def strictly_inside(problem: Problem, w: VectorLike | None = None, b: Number = 0) -> Vector:
    """Return a z with every inequality strict, which proves that there is no duality gap.

    With slack for every example it is w = 0, b = 0, xi = 2. Otherwise give a separating (w, b);
    it is scaled up until its least margin is 2. ValueError if (w, b) does not separate.

    >>> strictly_inside(Problem([[0], [2]], [-1, 1], C=3))
    [0.0, 0.0, 2.0, 2.0]
    >>> strictly_inside(Problem([[0], [2]], [-1, 1], C=inf), [0.5], -0.5)
    [2.0, -2.0]
    """
    problem, (w, b, _), _, _ = convert_unknowns(problem, w, b)
    margins = {
        i: problem.y[i] * (dot(w, problem.X[i]) + b) for i, C in enumerate(problem.C) if C == inf
    }
    for i, margin in margins.items():
        if not margin > 0:
            raise ValueError(
                f"the margin of example {i} is {quote(margin)}; (w, b) must separate it"
            )
    factor = 2 / min(margins.values()) if margins else problem.kind(1)
    w, b = scale(factor, w), factor * b
    xi = [0 if i in margins else s + 1 for i, s in enumerate(_least_slacks(problem, w, b))]
    return unknowns(problem, w, b, xi)
