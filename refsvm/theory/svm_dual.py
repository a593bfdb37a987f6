"""The Lagrangian of the support vector machine, and how its dual comes out of it.

The primal, with a slack variable for every example, has two constraints an example:

    minimise   1/2 |w|^2 + sum C_i xi_i             over w, b and xi
    such that  1 - y_i (w.x_i + b) - xi_i <= 0      multiplier alpha_i
               -xi_i <= 0                           multiplier lam_i

The multipliers make it the Lagrangian, in which b and, under hinge slack, every xi_i occur only
linearly. Regrouped, so that this is seen:

    L = 1/2 |w|^2 - w.(sum alpha_i y_i x_i) - b sum alpha_i y_i
        + sum alpha_i + sum (C_i - alpha_i - lam_i) xi_i

Its infimum over w, b and xi is the dual function. w = sum alpha_i y_i x_i minimises the first two
terms; what is linear has no minimum unless it is zero everywhere. Hence the two branches:

    theta_D = sum alpha_i - 1/2 |sum alpha_i y_i x_i|^2    if sum alpha_i y_i = 0 and
              -inf otherwise                               alpha_i + lam_i = C_i for every i

    w, b     weights and offset                alpha   multipliers of the margins, >= 0
    xi       slacks, n numbers                 lam     multipliers of xi >= 0; other texts: r, mu
    C_i      penalty of slack; math.inf: the example has no slack, so xi_i and lam_i must be 0
    beta_i   alpha_i y_i

The penalty of squared slack is C_i / 2 xi_i^2: then xi_i = (alpha_i + lam_i) / C_i minimises L,
which replaces the second condition. Without offset (bias=False) b is 0 and there is no first
condition. Comparisons with zero are as computed: give Fractions.

Sources: CS229 lecture notes, sections 7 and 8; NYU slides, "The SVM Dual Problem"; lycpaul, "SVMs
Dual Formulation".
"""

from __future__ import annotations

from math import inf
from typing import Any, NamedTuple

from ..numerics.display import displayed
from ..numerics.linalg import add_scaled, dot, total
from ..numerics.quoting import quote
from ..numerics.types import Kind, Number, Vector, VectorLike
from ..numerics.validation import sequence, vector
from ..svm.dual_form import slack_penalty
from ..svm.problem import Problem, require_problem


@displayed
class Point(NamedTuple):
    """The primal's unknowns (w, b, xi), or a gradient in them; b is None without offset."""

    w: Vector
    b: Any
    xi: Vector


def lagrangian(
    problem: Problem,
    w: VectorLike | None,
    b: Number,
    xi: VectorLike | None,
    alpha: VectorLike | None,
    lam: VectorLike | None,
) -> Number:
    """Return L = 1/2 |w|^2 + sum p(xi_i) + sum alpha_i (1 - y_i f_i - xi_i) - sum lam_i xi_i.

    The penalty p(xi_i) is C_i xi_i, or C_i / 2 xi_i^2 under squared slack (CS229 section 8, NYU
    slides). None stands for zeros in w, xi, alpha and lam, here and below. O(n d).

    >>> lagrangian(Problem([[0], [2]], [-1, 1], C=3), [1], -1, [0.5, 0], [1, 2], [2, 1])
    0.5
    """
    problem, (w, b, xi), alpha, lam = convert_unknowns(problem, w, b, xi, alpha, lam)
    value = dot(w, w) / 2
    for C, v in zip(problem.C, xi):
        if C != inf:
            value += slack_penalty(problem.slack, C, v)
    for a, y, x, v in zip(alpha, problem.y, problem.X, xi):
        value += a * (1 - y * (dot(w, x) + b) - v)
    for r, v in zip(lam, xi):
        value -= r * v
    return value


def regrouped(
    problem: Problem,
    w: VectorLike | None,
    b: Number,
    xi: VectorLike | None,
    alpha: VectorLike | None,
    lam: VectorLike | None,
) -> Number:
    """Return L with the slacks collected: their coefficients are what must vanish. O(n d).

    1/2 |w|^2 + sum alpha_i (1 - y_i f_i) + sum (C_i - alpha_i - lam_i) xi_i; under squared slack
    the last sum is of xi_i (C_i / 2 xi_i - alpha_i - lam_i). It is added (lycpaul prints a minus).

    >>> regrouped(Problem([[0], [2]], [-1, 1], C=3), [1], -1, [0.5, 0], [1, 2], [2, 1])
    0.5
    """
    problem, (w, b, xi), alpha, lam = convert_unknowns(problem, w, b, xi, alpha, lam)
    value = dot(w, w) / 2
    for a, y, x in zip(alpha, problem.y, problem.X):
        value += a * (1 - y * (dot(w, x) + b))
    for C, v, a, r in zip(problem.C, xi, alpha, lam):
        if C != inf:
            value += v * ((C if problem.slack == "hinge" else C * v / 2) - a - r)
    return value


def hard_lagrangian(
    problem: Problem, w: VectorLike | None, b: Number, alpha: VectorLike | None
) -> Number:
    """Return 1/2 |w|^2 - sum alpha_i (y_i (w.x_i + b) - 1) (S26.4; CS229 (20)). O(n d).

    >>> hard_lagrangian(Problem([[0], [2]], [-1, 1]), [2], -1, [0.5, 0.5])
    1.0
    """
    return lagrangian(problem, w, b, None, alpha, None)


def gradient(
    problem: Problem,
    w: VectorLike | None,
    b: Number,
    xi: VectorLike | None,
    alpha: VectorLike | None,
    lam: VectorLike | None,
) -> Point:
    """Return the derivatives of L in w, b and xi. O(n d).

        in w      w - sum alpha_i y_i x_i
        in b      - sum alpha_i y_i               (None without offset)
        in xi_i   C_i - alpha_i - lam_i           (squared slack: C_i xi_i - alpha_i - lam_i)

    >>> gradient(Problem([[0], [2]], [-1, 1], C=3), [1], -1, [0.5, 0], [1, 2], [2, 0])
    Point(w=[-3.0], b=-1.0, xi=[0.0, 1.0])
    """
    problem, (w, b, xi), alpha, lam = convert_unknowns(problem, w, b, xi, alpha, lam)
    beta = problem.beta(alpha)
    for c, x in zip(beta, problem.X):
        w = add_scaled(w, -c, x)
    slopes = [problem.kind(0)] * problem.n
    for i, (C, v, a, r) in enumerate(zip(problem.C, xi, alpha, lam)):
        if C != inf:
            slopes[i] = (C if problem.slack == "hinge" else C * v) - a - r
    return Point(w, 0 - total(beta) if problem.bias else None, slopes)


def minimiser(problem: Problem, alpha: VectorLike | None, lam: VectorLike | None) -> Point | None:
    """Return a point where all derivatives of L vanish, or None if there is none. O(n d).

    w = sum alpha_i y_i x_i (CS229 (21)); under squared slack xi_i = (alpha_i + lam_i) / C_i. In
    b and, under hinge slack, in xi L is constant or has no bound: then 0 is one of the minimisers
    or there is none.

    >>> minimiser(Problem([[0], [2]], [-1, 1], C=3), [2, 2], [1, 1])
    Point(w=[4.0], b=0.0, xi=[0.0, 0.0])
    >>> minimiser(Problem([[0], [2]], [-1, 1], C=3), [2, 1], [1, 2]) is None
    True
    """
    problem, _, alpha, lam = convert_unknowns(problem, alpha=alpha, lam=lam)
    zero = problem.kind(0)
    w, b, xi = problem.weights(alpha), zero, [zero] * problem.n
    if problem.slack == "squared":
        xi = [zero if C == inf else (a + r) / C for C, a, r in zip(problem.C, alpha, lam)]
    slope = gradient(problem, w, b, xi, alpha, lam)
    if problem.bias and slope.b != 0:
        return None
    if problem.slack == "hinge" and any(v != 0 for v in slope.xi):
        return None
    return Point(w, b, xi)


def dual_function(problem: Problem, alpha: VectorLike | None, lam: VectorLike | None) -> Number:
    """Return theta_D(alpha, lam), the infimum of L (S26.4): L at its minimiser, or -inf.

    With lam = C - alpha (squared slack: lam = 0) it is Problem.dual(alpha). O(n d).

    >>> problem = Problem([[0], [2]], [-1, 1], C=3)
    >>> dual_function(problem, [0.5, 0.5], [2.5, 2.5]), dual_function(problem, [1, 0.5], [2, 2.5])
    (0.5, -inf)
    """
    point = minimiser(problem, alpha, lam)
    return -inf if point is None else lagrangian(problem, *point, alpha=alpha, lam=lam)


def downhill(problem: Problem, alpha: VectorLike | None, lam: VectorLike | None) -> Point | None:
    """Return a direction in which L falls without bound, where the dual function is -inf (S26.4).

    Along it L falls at a steady rate, from every point. None where the dual function is finite.

    >>> downhill(Problem([[0], [2]], [-1, 1], C=3), [2, 1], [1, 2])
    Point(w=[0.0], b=-1.0, xi=[0.0, 0.0])
    """
    if minimiser(problem, alpha, lam) is not None:
        return None
    problem, start, alpha, lam = convert_unknowns(problem, alpha=alpha, lam=lam)
    slope = gradient(problem, *start, alpha=alpha, lam=lam)
    zero = problem.kind(0)
    b = zero if slope.b is None else 0 - slope.b
    linear = problem.slack == "hinge"
    return Point(start.w, b, [0 - v if linear else zero for v in slope.xi])


@displayed
class Terms(NamedTuple):
    """The four terms of L after w = sum alpha_i y_i x_i is substituted.

    Attributes
    ----------
    half_square
        A / 2, where A = sum_ij alpha_i alpha_j y_i y_j K_ij
    alphas
        sum alpha_i
    minus_square
        -A
    offset
        -b sum alpha_i y_i
    """

    half_square: Number
    alphas: Number
    minus_square: Number
    offset: Number


def substituted(problem: Problem, alpha: VectorLike, b: Number = 0) -> Terms:
    """Return the four terms of the substitution (lycpaul, hard margin), any kernel. O(n n d).

    The last is zero where sum alpha_i y_i = 0, and only there may it be left out.

    >>> substituted(Problem([[0], [2]], [-1, 1]), [2, 1], b=3)
    Terms(half_square=2.0, alphas=3.0, minus_square=-4.0, offset=3.0)
    """
    problem, b = require_problem(problem).in_common_type(alpha, b)
    beta = problem.beta(alpha)
    rows = problem.kernel.row_function(problem.kernel.reference_points(problem.X), problem.kind)
    A = total(c * dot(beta, rows(x)) for c, x in zip(beta, problem.X))
    alphas = total(c * y for c, y in zip(beta, problem.y))
    return Terms(A / 2, alphas, 0 - A, 0 - b * total(beta))


def convert_unknowns(
    problem: Problem,
    w: VectorLike | None = None,
    b: Number = 0,
    xi: VectorLike | None = None,
    alpha: VectorLike | None = None,
    lam: VectorLike | None = None,
) -> tuple[Problem, Point, Vector, Vector]:
    """Return the problem, Point(w, b, xi), alpha and lam in numbers of one kind.

    None stands for zeros. ValueError for a wrong length, and for xi_i or lam_i != 0 where C_i is
    inf.
    """
    if not require_problem(problem).linear:
        raise TypeError(
            f"w is a list of numbers for Linear() only, not for {quote(problem.kernel)}"
        )
    problem, b = problem.in_common_type([w, b, xi, alpha, lam], b)
    n, kind = problem.n, problem.kind
    point = Point(_zeros_or(w, len(problem.X[0]), "w", kind), b, _zeros_or(xi, n, "xi", kind))
    alpha, lam = _zeros_or(alpha, n, "alpha", kind), _zeros_or(lam, n, "lam", kind)
    for i, C in enumerate(problem.C):
        if C == inf and (point.xi[i] != 0 or lam[i] != 0):
            raise ValueError(f"C[{i}] is inf: there is no slack; xi[{i}] and lam[{i}] must be 0")
    return problem, point, alpha, lam


def _zeros_or(values: VectorLike | None, length: int, name: str, kind: Kind) -> Vector:
    """Return the values as `length` numbers of this kind; zeros for None."""
    if values is None:
        return [kind(0)] * length
    values = sequence(values, name)
    if len(values) != length:
        raise ValueError(f"{name} has length {len(values)}; it must have length {length}")
    return vector(values, name, kind)
