"""Projections: the point of a set that is nearest to a given point.

    box             lower_i <= x_i <= upper_i              the dual without offset
    box and plane   the same, and  sum x_i = total         the dual with an offset

A step along the gradient may leave the set on which the multipliers must lie; it is brought back
to the nearest point of that set. For the box, each x_i is clipped on its own. For box and plane
together that is not enough, and a move onto the plane followed by clipping is not right either:
clipping leaves the plane again. The nearest point is clip(z_i - nu): all z are moved by the same
nu before they are clipped, and nu is chosen so that the sum is right (nu is the Lagrange
multiplier of the equation).

Throughout this module
    z       the point to bring back             x      the nearest one, which is found
    kink    a nu at which some z_i - nu meets a bound; between two kinks the sum is a straight line
    beta    alpha_i y_i; in beta the plane has no labels: sum beta_i = 0

Source: lycpaul's post, the clamp of its solver (lycpaul-34), for the box; Held, Wolfe and Crowder,
Mathematical Programming 6 (1974), pages 62-88, for both.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Any

from . import linalg
from .linalg import subtraction
from .quoting import quote
from .types import Kind, Number, Vector, VectorLike
from .validation import labels, number_kind, penalties, sequence, to_number, vector

Numbers = list[Any]  # all of one kind, but that bounds may be infinite


def onto_box(z: VectorLike, lower: VectorLike, upper: VectorLike) -> Vector:
    """Find the nearest x with lower_i <= x_i <= upper_i. O(n).

    Parameters
    ----------
    z, lower, upper : n numbers each
        -inf and inf are allowed as bounds

    Raises
    ------
    ValueError
        if a lower bound is above the upper

    Examples
    --------
    >>> onto_box([-1, 0.5, 3], [0, 0, 0], [1, 1, 1])
    [0.0, 0.5, 1.0]
    """
    z, lower, upper, _ = _in_one_kind(z, lower, upper, 0)
    return clip_to_box(z, lower, upper)


def onto_box_and_plane(
    z: VectorLike, lower: VectorLike, upper: VectorLike, total: Number = 0
) -> Vector:
    """Find the nearest x with lower_i <= x_i <= upper_i and sum x_i = total (S5.5).

    Parameters
    ----------
    z, lower, upper : n numbers each
        -inf and inf are allowed as bounds

    Raises
    ------
    ValueError
        if there is no such x

    Notes
    -----
    O(n log n). Exact on Fractions.

    Examples
    --------
    >>> onto_box_and_plane([0.75, -0.25], [0, -1], [1, 0])
    [0.5, -0.5]
    """
    z, lower, upper, total = _in_one_kind(z, lower, upper, total)
    least, most = linalg.total(lower), linalg.total(upper)
    if not least <= total <= most:
        raise ValueError(
            f"total is {quote(total)}; the bounds allow sums from {quote(least)} to"
            f" {quote(most)} only"
        )
    return clip_to_sum(z, lower, upper, total)


def onto_multipliers(z: VectorLike, y: Sequence[int], upper: Number | VectorLike) -> Vector:
    """Find the alpha nearest to z with 0 <= alpha_i <= upper and sum alpha_i y_i = 0 (S5.5).

    This is the projection for the dual with an offset; without one it is onto_box.

    Parameters
    ----------
    z : n numbers
    y : n labels, +1 or -1
    upper : a number or math.inf, or n of them

    Notes
    -----
    O(n log n).

    Examples
    --------
    >>> onto_multipliers([0.75, 0.25], [1, -1], 1)
    [0.5, 0.5]
    """
    kind = number_kind(z, upper)
    z = vector(z, "z", kind)
    y = labels(y, len(z))
    upper = penalties(kind, upper, len(z))
    zero = kind(0)
    beta = clip_to_sum(
        [v * s for v, s in zip(z, y)],
        [zero if s > 0 else -c for s, c in zip(y, upper)],
        [c if s > 0 else zero for s, c in zip(y, upper)],
        zero,
    )
    return [v * s + 0 for v, s in zip(beta, y)]


def clip_to_sum(z: Numbers, lower: Numbers, upper: Numbers, total: Number) -> Numbers:
    """onto_box_and_plane for lists already checked (S5.5).

    A long step may take z so far beyond the bounds that rounding leaves z - nu none of their
    digits. So nu is found roughly first, and once more after moving the kink next to it to 0.
    """
    left, right = _neighbouring_kinks(z, lower, upper, total)
    nu = _common_shift(z, lower, upper, total, left, right)
    kinks = [kink for kink in (left, right) if abs(kink) < inf]
    near = min(kinks, key=lambda kink: abs(nu - kink), default=0)
    z = [v - near for v in z]  # exact for those that end up between their bounds
    left, right = _neighbouring_kinks(z, lower, upper, total)
    return clip_to_box(z, lower, upper, _common_shift(z, lower, upper, total, left, right))


def clip_to_box(z: Numbers, lower: Numbers, upper: Numbers, nu: Number = 0) -> Numbers:
    """z_i - nu, or the bound that it is beyond."""
    return [min(max(v - nu, low), high) for v, low, high in zip(z, lower, upper)]


def _neighbouring_kinks(
    z: Numbers, lower: Numbers, upper: Numbers, total: Number
) -> tuple[Any, Any]:
    """The two kinks, or infinities, between which the clipped z - nu sum to total.

    As nu grows their sum falls, in straight pieces between kinks. The piece with the total on it
    is found by bisection.
    """
    kinks = sorted({v - bound for v, bound in zip(z + z, lower + upper) if abs(bound) < inf})
    first, end = 0, len(kinks)  # the sum is above total at kinks before first, and not from end on
    while first < end:
        middle = (first + end) // 2
        if linalg.total(clip_to_box(z, lower, upper, kinks[middle])) > total:
            first = middle + 1
        else:
            end = middle
    left = kinks[first - 1] if first > 0 else -inf
    right = kinks[first] if first < len(kinks) else inf
    return left, right


def _common_shift(
    z: Numbers, lower: Numbers, upper: Numbers, total: Number, left: Number, right: Number
) -> Number:
    """nu between two neighbouring kinks: the free x_i share equally what the sum is off.

    If no x_i is free, nu is one of the kinks: the one where rounding has made the sum jump.
    """
    missing, free, minus = -total, 0, subtraction(type(total))
    for v, low, high in zip(z, lower, upper):
        if minus(v, high) <= left and right <= minus(v, low):
            missing, free = missing + v, free + 1
        else:
            missing += high if right <= minus(v, high) else low
    if free:
        return missing / free
    return right if left == -inf or missing >= 0 and right < inf else left


def _in_one_kind(
    z: VectorLike, lower: VectorLike, upper: VectorLike, total: Number
) -> tuple[Vector, Vector, Vector, Number]:
    """z, its bounds and the total in one kind of number; the bounds may be infinite."""
    kind = number_kind(z, lower, upper, total)
    z = vector(z, "z", kind)
    lower = _convert_bounds(kind, lower, "lower", len(z), -inf)
    upper = _convert_bounds(kind, upper, "upper", len(z), inf)
    for i, (low, high) in enumerate(zip(lower, upper)):
        if low > high:
            raise ValueError(
                f"lower[{i}] is {quote(low)} and upper[{i}] is {quote(high)}; no number is between"
            )
    return z, lower, upper, to_number(kind, total, "total")


def _convert_bounds(kind: Kind, values: VectorLike, name: str, n: int, free: float) -> Numbers:
    """A list of n numbers, or of the infinity `free` where there is no bound."""
    values = sequence(values, name)
    if len(values) != n:
        raise ValueError(f"{name} has length {len(values)} and z has length {n}")
    return [
        free if v == free else to_number(kind, v, f"{name}[{i}]") for i, v in enumerate(values)
    ]
