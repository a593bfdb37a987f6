"""Quadratic programs, whose Lagrange duals can be written down and computed without rounding.

    minimise 1/2 x'Px + q.x    such that    Gx <= h    and    Ax = b

With multipliers alpha for the rows of G and beta for those of A, the Lagrangian is a quadratic
function of x again, with the same P and with q + G'alpha + A'beta in the place of q. So the dual
function is the infimum of a quadratic function: found by linear equations, or -inf, and then there
is a direction along which it falls without bound.

    P            a symmetric matrix, d by d; the program is convex if P is semidefinite
    G, h, A, b   m rows and m numbers; k rows and k numbers; either may be missing
    ' after a matrix: its transpose

Everything is decided and computed on Fractions, also for floats, each of which is a fraction; only
the answer is then rounded. optimum() tries every set of active inequalities: it is for small
programs, which show what the theorems say.

Source: Boyd and Vandenberghe, Convex Optimization, sections 5.2 and 10.1; CS229, section 6.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from math import inf
from typing import NamedTuple

from ..kernels.mercer_condition import mercer
from ..numerics.display import displayed
from ..numerics.factorisations import null_space, row_echelon
from ..numerics.linalg import check_row_lengths, dot, scale, symmetric_size
from ..numerics.types import Kind, Matrix, Number, Vector, VectorLike
from ..numerics.validation import instance_of, matrix, number_kind, sequence, vector
from .constrained import Program, affine, is_feasible, quadratic
from .kkt_theorems import kkt_multipliers
from .lagrange_duality import convert_multipliers


@displayed
class QuadraticProgram(NamedTuple):
    """The program: minimise 1/2 x'Px + q.x such that Gx <= h and Ax = b."""

    P: Matrix
    q: Vector
    G: Matrix
    h: Vector
    A: Matrix
    b: Vector


def quadratic_program(
    P: Matrix,
    q: VectorLike,
    G: Sequence[VectorLike] = (),
    h: VectorLike = (),
    A: Sequence[VectorLike] = (),
    b: VectorLike = (),
) -> QuadraticProgram:
    """Return the program, its numbers checked and of one kind.

    >>> quadratic_program([[1]], [0], [[-1]], [-1]).h              # min x*x/2 such that x >= 1
    [-1.0]
    """
    kind = number_kind(P, q, G, h, A, b)
    P, q = matrix(P, "P", kind), vector(q, "q", kind)
    symmetric_size(P, "P")
    check_row_lengths(len(q), P, "P", "the length of q is")
    G, h = _convert_system(kind, G, h, "G", "h", len(q))
    A, b = _convert_system(kind, A, b, "A", "b", len(q))
    return QuadraticProgram(P, q, G, h, A, b)


def _convert_system(
    kind: Kind, G: Sequence[VectorLike], h: VectorLike, G_name: str, h_name: str, d: int
) -> tuple[Matrix, Vector]:
    """Return m rows of length d and m numbers, which may be none."""
    G, h = sequence(G, G_name), sequence(h, h_name)
    if len(G) != len(h):
        raise ValueError(
            f"{G_name} has {len(G)} rows and {h_name} has length {len(h)}; the two must be equal"
        )
    if not len(G):
        return [], []
    G = matrix(G, G_name, kind)
    check_row_lengths(d, G, G_name, "the length of q is")
    return G, vector(h, h_name, kind)


def as_program(qp: QuadraticProgram) -> Program:
    """Return the program as a Program of functions: objective, then rows Gx - h and Ax - b.

    >>> from refsvm.theory.constrained import values
    >>> values(as_program(quadratic_program([[1]], [0], [[-1]], [-1])), [3])
    Values(objective=4.5, inequalities=[-2.0], equalities=[])
    """
    instance_of(QuadraticProgram, qp, "qp")
    return Program(
        quadratic(qp.P, qp.q),
        [affine(row, -c) for row, c in zip(qp.G, qp.h)],
        [affine(row, -c) for row, c in zip(qp.A, qp.b)],
    )


def is_convex(P: Matrix) -> bool:
    """Return whether 1/2 x'Px + q.x is convex: its Hessian P is positive semidefinite. Exact.

    The Hessian of a quadratic function is the same everywhere; for other functions it would have
    to be semidefinite at every point (CS229, footnote 6).

    >>> is_convex([[1, 1], [1, 1]]), is_convex([[1, 2], [2, 1]])
    (True, False)
    """
    symmetric_size(matrix(P, "P"), "P")
    return mercer(P).psd


@displayed
class Infimum(NamedTuple):
    """The infimum of a quadratic function.

    Attributes
    ----------
    value : number
        -inf if there is no bound
    minimiser : d numbers, or None
        one of them; None if there is no bound
    direction : d numbers, or None
        from 0 the function falls without bound along it; None if there is a bound
    """

    value: Number
    minimiser: Vector | None
    direction: Vector | None


def infimum(P: Matrix, q: VectorLike) -> Infimum:
    """Return the infimum of 1/2 x'Px + q.x over all x. O(d*d*d), exact.

    It is finite if and only if P is semidefinite and Px = -q has a solution.

    >>> infimum([[2]], [2])
    Infimum(value=-1.0, minimiser=[-1.0], direction=None)
    >>> infimum([[1, 0], [0, 0]], [5, 1])
    Infimum(value=-inf, minimiser=None, direction=[0.0, -1.0])
    """
    kind = number_kind(P, q)
    P, q = fractions(quadratic_program(P, q))[:2]
    bend = mercer(P).witness
    if bend is not None:  # here the function curves down; start in the direction it falls in
        sign = 1 if dot(q, bend) <= 0 else -1
        return Infimum(-inf, None, _round_all(scale(sign, bend), kind))
    x = _any_solution(P, scale(-1, q))
    if x is not None:
        return Infimum(_round_all([dot(q, x) / 2], kind)[0], _round_all(x, kind), None)
    flat = next(d for d in null_space(P) if dot(q, d) != 0)
    return Infimum(-inf, None, _round_all(scale(-dot(q, flat), flat), kind))


def dual_function(qp: QuadraticProgram, alpha: VectorLike, beta: VectorLike = ()) -> Number:
    """Return theta_D(alpha, beta), the infimum of L over all x (S26.2); may be -inf. Exact.

    >>> above_one = quadratic_program([[1]], [0], [[-1]], [-1])
    >>> [dual_function(above_one, [a]) for a in (0, 1, 2)]        # alpha - alpha^2 / 2
    [0.0, 0.5, 0.0]
    >>> dual_function(quadratic_program([[0]], [1], [[-1]], [0]), [2])
    -inf
    """
    alpha, beta = convert_multipliers(as_program(qp), alpha, beta)
    kind = number_kind(qp, alpha, beta)
    P, q, G, h, A, b = fractions(qp)
    constant = Fraction(0)
    for a, row, c in zip(alpha + beta, G + A, h + b):
        q = [s + Fraction(a) * t for s, t in zip(q, row)]
        constant -= Fraction(a) * c
    value = infimum(P, q).value
    return value if value == -inf else _round_all([value + constant], kind)[0]


def kkt_point(
    P: Matrix, q: VectorLike, A: Sequence[VectorLike], b: VectorLike
) -> tuple[Vector, Vector] | None:
    """Return x and beta where the derivatives of 1/2 x'Px + q.x + beta.(Ax - b) vanish, or None.

    One system of linear equations, Px + A'beta = -q and Ax = b: the method of Lagrange multipliers
    (CS229, section 6). If P is semidefinite, x minimises among all x with Ax = b. Of several
    solutions one; None if there is none. O((d + k)^3), exact.

    >>> kkt_point([[1, 0], [0, 1]], [0, 0], [[1, 1]], [2])       # the point nearest to 0 of a line
    ([1.0, 1.0], [-1.0])
    """
    kind = number_kind(P, q, A, b)
    P, q, _, _, A, b = fractions(quadratic_program(P, q, A=A, b=b))
    k = len(A)
    system = [row + [line[i] for line in A] for i, row in enumerate(P)]
    system += [line + [Fraction(0)] * k for line in A]
    solution = _any_solution(system, scale(-1, q) + b)
    if solution is None:
        return None
    return _round_all(solution[: len(q)], kind), _round_all(solution[len(q) :], kind)


@displayed
class QPOptimum(NamedTuple):
    """The optimum p*, a point where it is attained, and multipliers that prove it."""

    value: Number
    x: Vector
    alpha: Vector
    beta: Vector


def optimum(qp: QuadraticProgram) -> QPOptimum | None:
    """Return the optimum of a convex program; None if it is infeasible or unbounded. Exact.

    Every set of inequalities is tried as the active ones, smallest sets first; a feasible point is
    the optimum if it has multipliers. 2^m systems: for small m. Standard: S26.3.

    >>> optimum(quadratic_program([[1]], [0], [[-1]], [-1]))
    QPOptimum(value=0.5, x=[1.0], alpha=[1.0], beta=[])
    """
    if not is_convex(instance_of(QuadraticProgram, qp, "qp").P):
        raise ValueError("P is not positive semidefinite; only a convex program is solved here")
    kind = number_kind(qp)
    exact = fractions(qp)
    program = as_program(exact)
    for size in range(len(qp.G) + 1):
        for held in combinations(range(len(qp.G)), size):
            rows, right = [exact.G[i] for i in held], [exact.h[i] for i in held]
            point = kkt_point(exact.P, exact.q, exact.A + rows, exact.b + right)
            if point is None or not is_feasible(program, point[0]):
                continue
            x = point[0]
            alpha, beta, _ = kkt_multipliers(program, x)
            if alpha is not None and beta is not None:
                (value,) = _round_all([program.objective.value(x)], kind)
                return QPOptimum(value, *(_round_all(v, kind) for v in (x, alpha, beta)))
    return None


def relaxed(qp: QuadraticProgram, u: VectorLike, v: VectorLike | None = None) -> QuadraticProgram:
    """Return the program with Gx <= h + u and Ax = b + v: each constraint relaxed a little.

    The multipliers bound what that gains: p*(u, v) >= p*(0, 0) - alpha.u - beta.v, so where p*
    has a derivative in u_i, it is -alpha_i. Standard: S26.3.

    >>> above_one = quadratic_program([[1]], [0], [[-1]], [-1])
    >>> optimum(relaxed(above_one, [0.5])).value - optimum(above_one).value         # >= -1 * 0.5
    -0.375
    """
    u, v = convert_multipliers(as_program(qp), u, scale(0, qp.b) if v is None else v)
    return quadratic_program(qp.P, qp.q, qp.G, _add_exactly(qp.h, u), qp.A, _add_exactly(qp.b, v))


def _add_exactly(c: VectorLike, u: VectorLike) -> Vector:
    """Return c + u, exact if either holds Fractions."""
    kind = number_kind(c, u)
    return [kind(s) + kind(t) for s, t in zip(c, u)]


def _any_solution(M: Matrix, right: Vector) -> Vector | None:
    """Return one solution of M z = right on Fractions, zero where it is free, or None."""
    n = len(M[0])
    form, pivots = row_echelon([row + [c] for row, c in zip(M, right)])
    if n in pivots:
        return None
    z: Vector = [Fraction(0)] * n
    for row, pivot in zip(form, pivots):
        z[pivot] = row[n]
    return z


def fractions(qp: QuadraticProgram) -> QuadraticProgram:
    """Return the same program in Fractions."""

    def exact(row: Vector) -> Vector:
        return [Fraction(v) for v in row]

    P, G, A = ([exact(row) for row in M] for M in (qp.P, qp.G, qp.A))
    return QuadraticProgram(P, exact(qp.q), G, exact(qp.h), A, exact(qp.b))


def _round_all(numbers: VectorLike, kind: Kind) -> Vector:
    """Return the numbers in this kind; ValueError if one is beyond any double."""
    try:
        return [kind(v) for v in numbers]
    except OverflowError:
        raise ValueError("the answer is beyond any double; give Fractions") from None
