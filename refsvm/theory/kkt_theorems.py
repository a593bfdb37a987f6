"""The conditions at an optimum: of Karush, Kuhn and Tucker, and of Fritz John.

At an optimum x no feasible direction leads downhill. In terms of gradients: the slope of f is
balanced by the slopes of the active constraints,

    grad f(x) + sum alpha_i grad g_i(x) + sum beta_j grad h_j(x) = 0    alpha >= 0,
                                                                       alpha_i = 0 if g_i(x) < 0

kkt_residuals() says how far given multipliers are from these conditions. kkt_multipliers() finds
multipliers, or a direction that proves that there are none. What the conditions prove:

    a point that keeps them is optimal       if the program is convex (no more is needed)
    an optimal point keeps them              if the constraints are affine, or if the program is
                                             convex with a Slater point; not otherwise

What holds at every optimum is weaker, the theorem of Fritz John: the slope of f itself gets a
multiplier alpha_0 >= 0 too, which may be 0 as long as not all of them are.

    f, g, h   the objective, the inequalities and the equalities of a Program (constrained.py)
    alpha     multipliers of the inequalities     beta     multipliers of the equalities
    alpha_0   the multiplier of the objective     d        a direction to leave x in

Source: CS229 lecture notes, equations (15)-(19); Cesa-Bianchi, "Support Vector Machines", Lemma 2
(which leaves out alpha_0); NYU slides, "KKT Conditions"; lycpaul, "KKT Condition".
"""

from __future__ import annotations

from typing import NamedTuple

from ..numerics.display import displayed
from ..numerics.linalg import scale
from ..numerics.polyhedra import nonnegative_combination
from ..numerics.quoting import quote
from ..numerics.types import Number, Vector, VectorLike
from ..numerics.validation import instance_of, number_kind, vector
from .constrained import Program, active, is_feasible, values
from .lagrange_duality import convert_multipliers, gradient


@displayed
class Residuals(NamedTuple):
    """The violation of each condition; all zero at a point of Karush, Kuhn and Tucker.

    Attributes
    ----------
    stationarity : d numbers
        the gradient of L in x, which must be 0
    equalities
        h_j(x), which must be 0: the derivative of L in beta_j
    slackness
        alpha_i g_i(x), which must be 0
    inequalities
        by how much g_i(x) is above 0
    multipliers
        by how much alpha_i is below 0
    worst : number
        the largest of all of them in absolute value
    """

    stationarity: Vector
    equalities: Vector
    slackness: Vector
    inequalities: Vector
    multipliers: Vector
    worst: Number


def kkt_residuals(
    program: Program, x: VectorLike, alpha: VectorLike, beta: VectorLike = ()
) -> Residuals:
    """Return by how much x, alpha and beta violate the conditions (15)-(19) of CS229 (S26.3).

    >>> from refsvm.theory.constrained import affine, quadratic
    >>> above_one = Program(quadratic([[1]], [0]), [affine([-1], 1)])
    >>> kkt_residuals(above_one, [1], [1]).worst, kkt_residuals(above_one, [2], [1]).slackness
    (0.0, [-1.0])
    """
    alpha, beta = convert_multipliers(program, alpha, beta)
    slope = gradient(program, x, alpha, beta)
    _, g, h = values(program, x)
    kind = number_kind(slope, g, h, alpha)
    g, alpha = [kind(v) for v in g], [kind(a) for a in alpha]
    slackness = [a * v for a, v in zip(alpha, g)]
    above = [max(kind(0), v) for v in g]
    below = [max(kind(0), -a) for a in alpha]
    worst = kind(0)
    for v in slope + h + slackness + above + below:
        worst = max(worst, kind(v), -kind(v))
    return Residuals(slope, h, slackness, above, below, worst)


@displayed
class Multipliers(NamedTuple):
    """Multipliers with residuals 0, or else a feasible direction d that leads downhill.

    To first order: grad f.d < 0, grad g_i.d <= 0 where active, grad h_j.d = 0.
    """

    alpha: Vector | None
    beta: Vector | None
    direction: Vector | None


def kkt_multipliers(program: Program, x: VectorLike) -> Multipliers:
    """Return the alpha >= 0 and beta with residuals 0 at a feasible x (S26.3). Decided exactly.

    Of several, those that the simplex method finds first. ValueError if x is not feasible.

    >>> from refsvm.theory.constrained import affine, quadratic
    >>> above_one = Program(quadratic([[1]], [0]), [affine([-1], 1)])
    >>> kkt_multipliers(above_one, [1])
    Multipliers(alpha=[1.0], beta=[], direction=None)
    >>> kkt_multipliers(above_one, [3])
    Multipliers(alpha=None, beta=None, direction=[-1.0])
    """
    x, tight = _feasible_point(program, x)
    gradients_g = [program.inequalities[i].gradient(x) for i in tight]
    gradients_h = [function.gradient(x) for function in program.equalities]
    # A multiplier of either sign is the difference of two that are not negative.
    sides = gradients_g + gradients_h + [scale(-1, slope) for slope in gradients_h]
    target = scale(-1, program.objective.gradient(x))
    combination = nonnegative_combination(sides, target)
    if combination.coefs is None:
        return Multipliers(None, None, combination.direction)
    m, k = len(gradients_g), len(gradients_h)
    beta = [p - q for p, q in zip(combination.coefs[m : m + k], combination.coefs[m + k :])]
    zero = number_kind(sides, target)(0)
    return Multipliers(_for_each(program, tight, combination.coefs[:m], zero), beta, None)


@displayed
class FritzJohn(NamedTuple):
    """Multipliers not all zero, alpha_0 of the objective; or else a direction that lowers f.

    With alpha_0 > 0 they are scaled to alpha_0 = 1 and are those of kkt_multipliers. Where only
    alpha_0 = 0 is possible they add up to 1. The direction has grad f.d < 0 and grad g_i.d < 0
    where active: a short step along it stays feasible and lowers f, so x is not optimal.
    """

    alpha_0: Number | None
    alpha: Vector | None
    direction: Vector | None


def fritz_john(program: Program, x: VectorLike) -> FritzJohn:
    """Return alpha_0, alpha >= 0, not all 0: alpha_0 grad f + sum alpha_i grad g_i = 0 (S26.3).

    Only active inequalities have alpha_i > 0. They exist at every optimum of every program of
    differentiable inequalities; ValueError if there are equalities, or x is not feasible.

    >>> from refsvm.theory.constrained import affine, quadratic
    >>> only_zero = Program(affine([1]), [quadratic([[2]], [0])])      # min x such that x*x <= 0
    >>> fritz_john(only_zero, [0]), kkt_multipliers(only_zero, [0]).alpha
    (FritzJohn(alpha_0=0.0, alpha=[1.0], direction=None), None)
    """
    if instance_of(Program, program, "program").equalities:
        raise ValueError("the program has equalities; fritz_john takes inequalities only")
    x, tight = _feasible_point(program, x)
    usual = kkt_multipliers(program, x)
    if usual.alpha is not None:
        return FritzJohn(number_kind(usual.alpha, x)(1), usual.alpha, None)
    slopes = [program.objective.gradient(x)]
    slopes += [program.inequalities[i].gradient(x) for i in tight]
    # A last coordinate of 1 in each makes the multipliers add up to 1: then not all are 0.
    total = [0] * len(x) + [1]
    combination = nonnegative_combination([[*slope, 1] for slope in slopes], total)
    if combination.direction is not None:
        return FritzJohn(None, None, combination.direction[:-1])
    alpha_0, *alpha = combination.coefs or []
    return FritzJohn(alpha_0, _for_each(program, tight, alpha, 0 * alpha_0), None)


def _feasible_point(program: Program, x: VectorLike) -> tuple[Vector, list[int]]:
    """Return x as numbers and the active inequalities; ValueError if x is not feasible."""
    x = vector(x, "x")
    if not is_feasible(program, x):
        _, g, h = values(program, x)
        broken = [f"g[{i}](x) is {quote(v)}" for i, v in enumerate(g) if v > 0]
        broken += [f"h[{j}](x) is {quote(v)}" for j, v in enumerate(h) if v != 0]
        raise ValueError(f"x is not feasible: {broken[0]}")
    return x, active(program, x)


def _for_each(program: Program, tight: list[int], coefs: Vector, zero: Number) -> Vector:
    """Return one multiplier for each inequality: the coefs of the active ones, zero elsewhere."""
    alpha = [zero] * len(program.inequalities)
    for i, coef in zip(tight, coefs):
        alpha[i] = coef
    return alpha
