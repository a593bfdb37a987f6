"""Lagrange duality: a constrained problem and its multipliers.

Instead of forbidding a violated constraint, charge for it: alpha_i for every unit of g_i and
beta_j for every unit of h_j. Objective and charges together are the Lagrangian

    L(x, alpha, beta) = f(x) + sum alpha_i g_i(x) + sum beta_j h_j(x)

One player chooses x to make L small, the other the multipliers, alpha >= 0, to make it large. The
order of the two decides which problem is solved, and the player who moves last is not worse off:

    theta_P(x) = sup over multipliers of L  f(x) where x is feasible, inf elsewhere
    theta_D(alpha, beta) = inf over x of L  a lower bound of the optimum, for all multipliers
    d* = sup theta_D  <=  inf theta_P = p*  weak duality; strong duality when the two are equal

    f, g, h   the objective, the inequalities and the equalities of a Program (constrained.py)
    alpha     a multiplier for each inequality; other texts: lambda
    beta      a multiplier for each equality, of either sign

The functions are anything that can be called, so p* and d* are found here only where x has
finitely many values to choose from. qp_duality.py solves what is quadratic, kkt_theorems.py
finds the multipliers of a point, svm_dual.py is the support vector machine.

Source: CS229 lecture notes, section 6; NYU slides, "The Lagrangian" and the pages after it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf
from typing import NamedTuple

from ..numerics.display import displayed
from ..numerics.linalg import dot, transpose
from ..numerics.quoting import quote
from ..numerics.types import Kind, Matrix, Number, Vector, VectorLike
from ..numerics.validation import instance_of, matrix, number_kind, sequence, to_number, vector
from ..svm.dual_form import gap_between
from .constrained import Program, is_feasible, values


def lagrangian(
    program: Program, x: VectorLike, alpha: VectorLike, beta: VectorLike = ()
) -> Number:
    """Return L(x, alpha, beta) = f(x) + sum alpha_i g_i(x) + sum beta_j h_j(x) (S26.1).

    >>> from refsvm.theory.constrained import affine, quadratic
    >>> lagrangian(Program(quadratic([[1]], [0]), [affine([-1], 1)]), [3], [0.5])
    3.5
    """
    at = values(program, x)
    alpha, beta = convert_multipliers(program, alpha, beta)
    kind = number_kind(at, alpha, beta)
    total = kind(at.objective)
    for a, v in zip(alpha + beta, at.inequalities + at.equalities):
        total += kind(a) * kind(v)
    return total


def gradient(program: Program, x: VectorLike, alpha: VectorLike, beta: VectorLike = ()) -> Vector:
    """Return the gradient of L in x: grad f + sum alpha_i grad g_i + sum beta_j grad h_j.

    >>> from refsvm.theory.constrained import affine, quadratic
    >>> gradient(Program(quadratic([[1]], [0]), [affine([-1], 1)]), [3], [0.5])
    [2.5]
    """
    x = vector(x, "x")
    alpha, beta = convert_multipliers(program, alpha, beta)
    slopes = [function.gradient(x) for function in [*program.inequalities, *program.equalities]]
    of_objective = program.objective.gradient(x)
    kind = number_kind(of_objective, slopes, alpha, beta)
    gradient: Vector = [kind(v) for v in of_objective]
    for a, slope in zip(alpha + beta, slopes):
        gradient = [v + kind(a) * kind(s) for v, s in zip(gradient, slope)]
    return gradient


def convert_multipliers(
    program: Program, alpha: VectorLike, beta: VectorLike
) -> tuple[Vector, Vector]:
    """Return alpha and beta in numbers of one kind, one an inequality and one an equality."""
    instance_of(Program, program, "program")
    kind = number_kind(alpha, beta)
    return (
        _convert_each(kind, alpha, len(program.inequalities), "alpha", "inequalities"),
        _convert_each(kind, beta, len(program.equalities), "beta", "equalities"),
    )


def _convert_each(kind: Kind, given: VectorLike, n: int, name: str, constraints: str) -> Vector:
    """Return the multipliers of n constraints, in numbers of this kind."""
    given = sequence(given, name)
    if len(given) != n:
        raise ValueError(f"{name} has length {len(given)}; there are {n} {constraints}")
    return [to_number(kind, v, f"{name}[{i}]") for i, v in enumerate(given)]


def theta_primal(program: Program, x: VectorLike) -> Number:
    """Return sup of L over alpha >= 0 and any beta: f(x) if x is feasible, else inf (S26.1).

    A supremum and not a maximum: where it is inf, no multipliers reach it (see explosion).

    >>> from refsvm.theory.constrained import affine, quadratic
    >>> above_one = Program(quadratic([[1]], [0]), [affine([-1], 1)])
    >>> theta_primal(above_one, [3]), theta_primal(above_one, [0])
    (4.5, inf)
    """
    return values(program, x).objective if is_feasible(program, x) else inf


@displayed
class Explosion(NamedTuple):
    """Multipliers with L(x, t alpha, t beta) = f(x) + t slope, slope > 0: no bound as t grows."""

    alpha: Vector
    beta: Vector
    slope: Number


def explosion(program: Program, x: VectorLike) -> Explosion | None:
    """Return the multipliers along which L(x, .) grows without bound, None where x is feasible.

    Each violated constraint is charged in proportion to its violation. Standard: S26.1.

    >>> from refsvm.theory.constrained import affine, quadratic
    >>> explosion(Program(quadratic([[1]], [0]), [affine([-1], 1)]), [-1])
    Explosion(alpha=[2.0], beta=[], slope=4.0)
    """
    if is_feasible(program, x):
        return None
    _, g, h = values(program, x)
    alpha = [max(type(v)(0), v) for v in g]
    return Explosion(alpha, h, dot(alpha + h, alpha + h))


@displayed
class DualityBounds(NamedTuple):
    """Bounds on p*: dual <= lagrangian <= primal.

    Attributes
    ----------
    dual : number
        theta_D(alpha, beta)
    lagrangian : number
        L(x, alpha, beta)
    primal : number
        theta_P(x)
    gap : number
        primal - dual: a bound on how far each is from p*
    """

    dual: Number
    lagrangian: Number
    primal: Number
    gap: Number


def certificate(
    program: Program,
    theta_dual: Callable[[Vector, Vector], Number],
    x: VectorLike,
    alpha: VectorLike,
    beta: VectorLike = (),
) -> DualityBounds:
    """Return the bounds that a point and multipliers give for each other; alpha >= 0 (S26.2).

    theta_dual(alpha, beta) is the dual function. The lower step, L - theta_D, is how far x is
    from minimising L; the upper one, f - L, is - sum alpha_i g_i(x). The gap is 0 if and only if
    both x and the multipliers are optimal and there is strong duality: then both steps are 0, and
    the second is complementary slackness. Where x is not feasible primal and gap are inf.

    >>> from refsvm.theory.constrained import affine, quadratic
    >>> above_one = Program(quadratic([[1]], [0]), [affine([-1], 1)])
    >>> theta = lambda alpha, beta: alpha[0] - alpha[0] * alpha[0] / 2
    >>> certificate(above_one, theta, [2], [0.5])
    DualityBounds(dual=0.375, lagrangian=1.5, primal=2.0, gap=1.625)
    >>> certificate(above_one, theta, [1], [1]).gap
    0.0
    """
    alpha, beta = convert_multipliers(program, alpha, beta)
    for i, a in enumerate(alpha):
        if a < 0:
            raise ValueError(
                f"alpha[{i}] is {quote(a)}; with a negative multiplier there is no bound"
            )
    dual, primal = theta_dual(alpha, beta), theta_primal(program, x)
    gap = gap_between(primal, dual)
    return DualityBounds(dual, lagrangian(program, x, alpha, beta), primal, gap)


def finite_dual(
    program: Program, points: Sequence[VectorLike], alpha: VectorLike, beta: VectorLike = ()
) -> Number:
    """Return theta_D where x is one of the points, the least L(x, alpha, beta) (S26.2). O(points).

    As a minimum of affine functions of the multipliers it is concave, whatever f may be.

    >>> from refsvm.theory.constrained import affine
    >>> rise = Program(affine([-1]), [affine([1], -0.5)])      # min -x such that x <= 1/2
    >>> [finite_dual(rise, [[0], [1]], [a]) for a in (0, 1, 2)]     # x is 0 or 1
    [-1.0, -0.5, -1.0]
    """
    return smallest([lagrangian(program, x, alpha, beta) for x in sequence(points, "points")])


def finite_primal(program: Program, points: Sequence[VectorLike]) -> Number:
    """Return p* where x is one of the points: the smallest theta_P(x), inf if none is feasible.

    >>> from refsvm.theory.constrained import affine
    >>> finite_primal(Program(affine([-1]), [affine([1], -0.5)]), [[0], [1]])
    0.0
    """
    return smallest([theta_primal(program, x) for x in sequence(points, "points")])


def smallest(numbers: Vector) -> Number:
    """Return the least of the numbers; ValueError if there is none."""
    if not numbers:
        raise ValueError("points is empty; x needs at least one value to take")
    return min(numbers)


def maxmin(M: Matrix) -> Number:
    """Return the largest of the row minima: what the row player gets by moving first.

    M_ij is what the player of the rows is paid by the player of the columns.

    >>> maxmin([[1, -1], [-1, 1]]), minmax([[1, -1], [-1, 1]])
    (-1.0, 1.0)
    """
    return max(min(row) for row in matrix(M, "M"))


def minmax(M: Matrix) -> Number:
    """Return the smallest of the column maxima: what the row player gets by moving last.

    It is at least maxmin: let row i be the choice of maxmin and column j that of minmax; then
    maxmin <= M_ij <= minmax, which proves weak duality.

    >>> minmax([[3, 1], [2, 0]]), maxmin([[3, 1], [2, 0]])      # a saddle point: row 0, column 1
    (1.0, 1.0)
    """
    return min(map(max, transpose(matrix(M, "M"))))
