"""Any convex quadratic program, solved exactly on Fractions.

    minimise   1/2 x'P x + q'x        such that   A x = c,   lower <= x <= upper

    x      n unknowns                         P      n by n, symmetric, positive semidefinite
    A, c   m equations; some may be redundant lower, upper    bounds, may be -inf and inf
    G, h   inequalities G x <= h: each becomes an equation G x + s = h with a slack s >= 0

A support vector machine is such a program twice over: as its primal states it (hard_margin.py)
and as its dual (active_set.py). The first has many more unknowns than it has freedom, and a P that
is singular in most of them; the method needs neither to be otherwise.

The answer comes with its proof. At an optimum there are multipliers, one an equation, with

    s = P x + q - A'multipliers,    s_j >= 0 unless x_j is at its upper bound,
                                    s_j <= 0 unless x_j is at its lower bound

If there is no feasible point, the multipliers found instead make one equation of all of them,
multipliers'A x = multipliers'c, whose left side is too small wherever x is within its bounds. If
there is no lowest value, `ray` is a way down without end.

Source: NYU slides, "soft SVM is a quadratic program" (nyu-71); the method is in qp_active_set.py.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import inf
from typing import Any, NamedTuple

from ..numerics.conversion import as_number
from ..numerics.display import displayed
from ..numerics.linalg import dot, matrix_vector, quadratic_form, symmetric_size, transpose
from ..numerics.projections import clip_to_box
from ..numerics.quoting import quote
from ..numerics.submatrix_inverse import ETA_NOISE
from ..numerics.types import Kind, MatrixLike, Number, Vector, VectorLike
from ..numerics.validation import (
    matrix,
    number_kind,
    sequence,
    to_number,
    tolerance,
    vector,
    whole_number,
)
from .dual_program import Numbers
from .qp_active_set import ActiveSetMethod, BoundedQP, Pivot


@displayed
class Minimum(NamedTuple):
    """Where the search ended, and the proof of it (S6.3): on Fractions exact, else as computed.

    x            the last point; None if no point is feasible
    value        1/2 x'P x + q'x there
    multipliers  one for each equation, or inequality: at an optimum, or against feasibility
    reduced      s above, one an unknown
    ray          a direction of unbounded descent, or None
    status       "optimal", "infeasible", "unbounded", "max_iter", "indefinite" or "precision"
    iterations   moves taken from the first feasible point on
    """

    x: Vector | None
    value: Number | None
    multipliers: Numbers
    reduced: Numbers | None
    ray: Numbers | None
    status: str
    iterations: int


def minimise(
    P: Sequence[VectorLike],
    q: VectorLike,
    A: Sequence[VectorLike] = (),
    c: VectorLike = (),
    lower: VectorLike | None = None,
    upper: VectorLike | None = None,
    *,
    start: VectorLike | None = None,
    tol: Number = 0,
    max_iter: int | None = None,
    on_step: Callable[[Pivot], object] | None = None,
) -> Minimum:
    """Find the Minimum of 1/2 x'P x + q'x such that A x = c and lower <= x <= upper (S6.3).

    Parameters
    ----------
    lower, upper : n bounds each, -inf and inf allowed; None for no bounds
    start : n numbers
        a feasible point to start from; None: one is looked for
    tol : number, 0 or more
        how wrong the sign of an s_j may be; on Fractions 0 is reached
    on_step : function
        called with a Pivot after each move

    Raises
    ------
    ValueError
        for shapes that do not fit, P not symmetric, lower above upper, a start not feasible

    Notes
    -----
    A P that is not semidefinite is noticed when a move meets negative curvature; "indefinite" is
    said if that is below 0 in exact arithmetic. On floats a curvature that may be rounding is
    taken for none where no bound is in the way. A move costs O(n k) for k free unknowns.

    Examples
    --------
    >>> minimise([[2, 0], [0, 2]], [0, 0], [[1, 1]], [Fraction(1)]).x
    [Fraction(1, 2), Fraction(1, 2)]
    >>> minimise([[0]], [1], lower=[-2], upper=[inf]).value
    -2.0
    """
    program, start, kind = _as_bounded_qp(P, q, A, c, lower, upper, start)
    tol = tolerance(kind, tol)
    limit = inf if max_iter is None else whole_number(max_iter, "max_iter", 0)
    if start is None:
        start, farkas = _find_feasible_point(program, kind)
        if start is None:
            return Minimum(None, None, farkas or [], None, None, "infeasible", 0)
    falling = program._replace(q=[-v for v in program.q])
    method = ActiveSetMethod(falling, start, kind, on_step, is_ray=lambda direction: True)
    status = method.minimise(tol, limit)
    if status == "indefinite" and not _has_negative_curvature(program, method.negative_direction):
        status = "precision"
    multipliers: Numbers = [kind(0)] * len(program.A)
    for r, v in zip(method.kept_equations, method.z):
        multipliers[r] = -v
    return _minimum_of(program, method, multipliers, status)


def _has_negative_curvature(program: BoundedQP, direction: dict[int, Number]) -> bool:
    """Whether v'P v is below 0 in exact arithmetic, of a direction v."""
    v = {j: Fraction(speed) for j, speed in direction.items() if speed != 0}
    P = [[Fraction(program.row(i)[j]) for j in v] for i in v]
    return bool(quadratic_form(P, list(v.values())) < 0)


def _minimum_of(
    program: BoundedQP, method: ActiveSetMethod, multipliers: Numbers, status: str
) -> Minimum:
    """The Minimum where the method ended, from its x and multipliers."""
    x = method.x
    slopes = [dot(program.row(j), x) + v for j, v in enumerate(program.q)]
    value = (dot(x, slopes) + dot(x, program.q)) / 2
    columns = transpose(program.A) if program.A else [[]] * len(x)
    reduced = [s - dot(column, multipliers) for s, column in zip(slopes, columns)]
    return Minimum(x, value, multipliers, reduced, method.ray, status, method.iterations)


def minimise_inequalities(
    P: Sequence[VectorLike],
    q: VectorLike,
    G: Sequence[VectorLike],
    h: VectorLike,
    *,
    start: VectorLike | None = None,
    tol: Number = 0,
    max_iter: int | None = None,
    on_step: Callable[[Pivot], object] | None = None,
) -> Minimum:
    """Find the Minimum of 1/2 x'P x + q'x such that G x <= h (S6.3); the rest is as in minimise.

    Returns
    -------
    Minimum
        with multipliers >= 0, one an inequality. At an optimum P x + q + G'multipliers = 0. If no
        point is feasible G'multipliers = 0 and h'multipliers < 0.

    Examples
    --------
    >>> minimise_inequalities([[1]], [0], [[-1]], [Fraction(-3)]).multipliers
    [Fraction(3, 1)]
    """
    kind = number_kind(P, q, G, h, start, tol)
    P, G, q, h = matrix(P, "P", kind), matrix(G, "G", kind), sequence(q, "q"), vector(h, "h", kind)
    n, m = len(P), len(G)
    _require_length(h, m, "h", "rows of G")
    _require_length(G[0], n, "G[0]", "unknowns")
    zero, one = kind(0), kind(1)
    if start is not None:
        start = vector(start, "start", kind)
        _require_length(start, n, "start", "unknowns")
        start = start + [b - v for b, v in zip(h, matrix_vector(G, start))]
    found = minimise(
        [row + [zero] * m for row in P] + [[zero] * (n + m) for _ in range(m)],
        [*q, *[zero] * m],
        [row + [one if a == b else zero for b in range(m)] for a, row in enumerate(G)],
        h,
        [-inf] * n + [zero] * m,
        start=start,
        tol=tol,
        max_iter=max_iter,
        on_step=on_step,
    )
    without_slacks = {
        name: part[:n]
        for name in ("x", "reduced", "ray")
        for part in [getattr(found, name)]
        if part is not None
    }
    return found._replace(multipliers=[-v for v in found.multipliers], **without_slacks)


def _as_bounded_qp(
    P: MatrixLike,
    q: VectorLike,
    A: MatrixLike,
    c: VectorLike,
    lower: VectorLike | None,
    upper: VectorLike | None,
    start: VectorLike | None,
) -> tuple[BoundedQP, Any, Kind]:
    """The program as a BoundedQP (with q, not -q), the start, and the kind of number."""
    A, c = sequence(A, "A"), sequence(c, "c")
    kind = number_kind(P, q, A, c, lower, upper, start)
    P, q = matrix(P, "P", kind), vector(q, "q", kind)
    n = symmetric_size(P, "P")
    _require_length(q, n, "q", "unknowns")
    A = matrix(A, "A", kind) if len(A) else []
    c = vector(c, "c", kind) if len(c) else []
    _require_length(c, len(A), "c", "rows of A")
    if A:
        _require_length(A[0], n, "A[0]", "unknowns")
    lower, upper = (
        _convert_bounds(lower, n, "lower", -inf, kind),
        _convert_bounds(upper, n, "upper", inf, kind),
    )
    for j, (low, high) in enumerate(zip(lower, upper)):
        if low > high:
            raise ValueError(
                f"lower[{j}] is {quote(low)} and upper[{j}] is {quote(high)}; it must not be above"
            )
    program = BoundedQP(P.__getitem__, q, A, c, lower, upper)
    if start is not None:
        start = vector(start, "start", kind)
        _refuse_infeasible(program, start, kind)
    return program, start, kind


def _require_length(values: VectorLike, n: int, name: str, of_what: str) -> None:
    """Refuse a list of another length."""
    if len(values) != n:
        raise ValueError(f"{name} has length {len(values)}; the number of {of_what} is {n}")


def _convert_bounds(
    values: VectorLike | None, n: int, name: str, default: float, kind: Kind
) -> Numbers:
    """n bounds, each a number of this kind or the infinity that bounds nothing."""
    if values is None:
        return [default] * n
    values = sequence(values, name)
    _require_length(values, n, name, "unknowns")
    return [
        default if as_number(v) == default else to_number(kind, v, f"{name}[{j}]")
        for j, v in enumerate(values)
    ]


def _refuse_infeasible(program: BoundedQP, start: Numbers, kind: Kind) -> None:
    """ValueError unless the start is within its bounds and fulfils the equations."""
    _require_length(start, len(program.q), "start", "unknowns")
    for j, (v, low, high) in enumerate(zip(start, program.lower, program.upper)):
        if not low <= v <= high:
            raise ValueError(
                f"start[{j}] is {quote(v)}; it must be from {quote(low)} to {quote(high)}"
            )
    for r, (row, right) in enumerate(zip(program.A, program.c)):
        if not _fulfils(row, start, right, kind):
            raise ValueError(
                f"start gives equation {r} the value {quote(dot(row, start))}; it must be"
                f" {quote(right)}"
            )


def _fulfils(row: Numbers, x: Numbers, right: Any, kind: Kind) -> bool:
    """Whether row x = right; on floats, up to a small part of the terms."""
    left: Number = dot(row, x)
    if kind is Fraction:
        return bool(left == right)
    size = dot(list(map(abs, row)), list(map(abs, x))) + abs(right)
    return bool(abs(left - right) <= ETA_NOISE * size)


def _find_feasible_point(
    program: BoundedQP, kind: Kind
) -> tuple[Numbers, None] | tuple[None, Numbers]:
    """(x, None) with A x = c within the bounds, or (None, multipliers that prove there is none).

    Every equation is given an elastic of its own, which takes up at first what is missing. The sum
    of the elastics is minimised, a quadratic program with P = 0 whose start is known.
    """
    zero, one, n, m = kind(0), kind(1), len(program.q), len(program.A)
    x = clip_to_box([zero] * n, program.lower, program.upper)
    missing = [v - dot(row, x) for row, v in zip(program.A, program.c)]
    A = [
        row + [(one if v >= 0 else -one) if a == b else zero for b in range(m)]
        for a, (row, v) in enumerate(zip(program.A, missing))
    ]
    empty = [zero] * (n + m)
    elastic = BoundedQP(
        lambda j: empty,
        [zero] * n + [-one] * m,
        A,
        program.c,
        program.lower + [zero] * m,
        program.upper + [inf] * m,
    )
    method = ActiveSetMethod(elastic, x + list(map(abs, missing)), kind)
    method.minimise(zero, inf)
    x = method.x[:n]
    if all(_fulfils(row, x, v, kind) for row, v in zip(program.A, program.c)):
        return x, None
    return None, [-v for v in method.z[:m]]
