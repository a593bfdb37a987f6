"""A constrained problem, made of functions with gradients.

    minimise f(x)    such that    g_i(x) <= 0    and    h_j(x) = 0

A Program is made of any functions that can be called and that know their gradient; affine() and
quadratic() make the two sorts that are solved exactly elsewhere. The functions here say of a
point: is it feasible, is it strictly feasible, and which constraints are active there?
Comparisons are exact, with no tolerance: give Fractions.

    x         a list of d numbers              P        a symmetric matrix, d by d
    f, g, h   the objective, the inequalities and the equalities of a Program
    active    an inequality with g_i(x) = 0

Source: CS229 lecture notes, section 6; lycpaul, "Lagrange Duality".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from ..numerics.display import displayed
from ..numerics.linalg import (
    check_equal_lengths,
    check_row_lengths,
    dot,
    matrix_vector,
    symmetric_size,
)
from ..numerics.types import Matrix, Number, Vector, VectorLike
from ..numerics.validation import instance_of, matrix, number_kind, to_number, vector


@displayed
class Differentiable(NamedTuple):
    """A function of d numbers, together with its gradient; is_affine if it is a.x + c."""

    value: Callable[[VectorLike], Number]
    gradient: Callable[[VectorLike], Vector]
    is_affine: bool = False


@displayed
class Program(NamedTuple):
    """The program (S26.1): minimise objective(x) with inequalities <= 0 and equalities 0."""

    objective: Differentiable
    inequalities: Sequence[Differentiable] = ()
    equalities: Sequence[Differentiable] = ()


def affine(a: VectorLike, c: Number = 0) -> Differentiable:
    """Return the function x -> a.x + c (S26.1): linear but for the c (CS229, footnote 7).

    >>> affine([2, -1], 3).value([1, 1]), affine([2, -1], 3).gradient([1, 1])
    (4.0, [2.0, -1.0])
    """
    kind = number_kind(a, c)
    a, c = vector(a, "a", kind), to_number(kind, c, "c")

    def value(x: VectorLike) -> Number:
        kind = number_kind(a, c, x)
        return dot(list(map(kind, a)), vector(x, "x", kind)) + kind(c)

    def gradient(x: VectorLike) -> Vector:
        check_equal_lengths(a, x, "a", "x")
        return list(map(number_kind(a, c, x), a))

    return Differentiable(value, gradient, is_affine=True)


def quadratic(P: Matrix, q: VectorLike, c: Number = 0) -> Differentiable:
    """Return the function x -> 1/2 x'Px + q.x + c, with gradient Px + q; P is symmetric (S26.1).

    >>> bowl = quadratic([[2, 0], [0, 4]], [0, -4])
    >>> bowl.value([1, 1]), bowl.gradient([1, 1])
    (-1.0, [2.0, 0.0])
    """
    kind = number_kind(P, q, c)
    P, q, c = matrix(P, "P", kind), vector(q, "q", kind), to_number(kind, c, "c")
    symmetric_size(P, "P")
    check_row_lengths(len(q), P, "P", "the length of q is")

    def in_common_type(x: VectorLike) -> tuple[Matrix, Vector, Vector]:
        kind = number_kind(P, x)
        return [list(map(kind, row)) for row in P], list(map(kind, q)), vector(x, "x", kind)

    def value(x: VectorLike) -> Number:
        P, q, x = in_common_type(x)
        return dot(x, matrix_vector(P, x)) / 2 + dot(q, x) + type(x[0])(c)

    def gradient(x: VectorLike) -> Vector:
        P, q, x = in_common_type(x)
        return [s + t for s, t in zip(matrix_vector(P, x), q)]

    return Differentiable(value, gradient)


@displayed
class Values(NamedTuple):
    """The functions of a program at one point, all numbers of one kind."""

    objective: Number
    inequalities: Vector
    equalities: Vector


def values(program: Program, x: VectorLike) -> Values:
    """Return f(x), every g_i(x) and every h_j(x).

    >>> nearest_above_one = Program(quadratic([[1]], [0]), [affine([-1], 1)])
    >>> values(nearest_above_one, [3])
    Values(objective=4.5, inequalities=[-2.0], equalities=[])
    """
    x, program = vector(x, "x"), instance_of(Program, program, "program")
    f = program.objective.value(x)
    g = [function.value(x) for function in program.inequalities]
    h = [function.value(x) for function in program.equalities]
    kind = number_kind(x, f, g, h)
    return Values(
        to_number(kind, f, "f(x)"),
        [to_number(kind, v, f"g[{i}](x)") for i, v in enumerate(g)],
        [to_number(kind, v, f"h[{j}](x)") for j, v in enumerate(h)],
    )


def is_feasible(program: Program, x: VectorLike) -> bool:
    """Return whether x keeps every constraint: g_i(x) <= 0 and h_j(x) = 0."""
    _, g, h = values(program, x)
    return all(v <= 0 for v in g) and all(v == 0 for v in h)


def is_strictly_feasible(program: Program, x: VectorLike) -> bool:
    """Return whether x keeps the equalities, and every inequality strictly: g_i(x) < 0.

    >>> positive = Program(affine([1]), [affine([-1])])     # min x  such that -x <= 0
    >>> is_strictly_feasible(positive, [0]), is_strictly_feasible(positive, [1])
    (False, True)
    """
    _, g, h = values(program, x)
    return all(v < 0 for v in g) and all(v == 0 for v in h)


def is_slater_point(program: Program, x: VectorLike) -> bool:
    """Return whether x fulfils Slater's condition, so that a convex program has no gap.

    Every inequality that is not affine must be strict, g_i(x) < 0; an affine one need only hold.
    The equalities must hold and be affine. That the program is convex is not checked.

    >>> only_zero = Program(affine([1]), [quadratic([[2]], [0])])       # min x  such that x*x <= 0
    >>> is_feasible(only_zero, [0]), is_slater_point(only_zero, [0])
    (True, False)
    """
    if not is_feasible(program, x):
        return False
    curved = [function for function in program.inequalities if not function.is_affine]
    straight = all(function.is_affine for function in program.equalities)
    return straight and is_strictly_feasible(Program(program.objective, curved), x)


def active(program: Program, x: VectorLike) -> list[int]:
    """Return the indices of the inequalities that hold with equality at x: g_i(x) = 0.

    >>> active(Program(affine([1]), [affine([-1]), affine([-1], -2)]), [0])
    [0]
    """
    return [i for i, v in enumerate(values(program, x).inequalities) if v == 0]
