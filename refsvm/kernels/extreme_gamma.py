"""gamma <x, z> and gamma |x - z|^2 where gamma is near the ends of the doubles.

Such a gamma belongs to rows whose numbers are near the ends, too. Then <x, z> and |x - z|^2 are
infinite or zero, or lose digits, while their product with gamma is an ordinary number. So where
gamma is below 2^-500 or above 2^500 the numbers are multiplied by a power of two, u, and gamma is
divided by u^2, which brings it to between 1 and 4. No digit changes on the way:

    gamma <x, z>  =  (gamma / u^2) <u x, u z>       gamma |x - z|^2  =  (gamma / u^2) |u (x - z)|^2

With any other gamma a square that overflows makes a term above 2^500, and one that underflows a
term below 2^-500: the exponential is 0, or 1, in either way.

    x, z    two rows of floats, or of Fractions, which have no ends: u is 1
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import Any

from ..numerics.linalg import dot, squared_distance, squared_norm
from ..numerics.powers_of_two import binary_exponent, times_power_of_two
from ..numerics.types import Kind, Number, RowFunction, Vector, VectorLike

MAX_GAMMA = float(2**500)
MIN_GAMMA = 1 / MAX_GAMMA


def is_extreme(gamma: Number) -> bool:
    """Whether the rows are multiplied by a power of two (S2.3).

    >>> is_extreme(1e-3), is_extreme(1e-300)
    (False, True)
    """
    return type(gamma) is float and gamma != 0 and not MIN_GAMMA <= abs(gamma) <= MAX_GAMMA


@lru_cache(maxsize=64)  # asked of the same gamma for every pair of rows
def _ordinary_unit(gamma: Number) -> tuple[float, float]:
    """(gamma / u^2, u) of an extreme gamma, the first of them from 1 to 4 in size.

    >>> _ordinary_unit(3 * 2.0**-1000)
    (3.0, 3.054936363499605e-151)
    """
    half = binary_exponent([[gamma]]) // 2
    return times_power_of_two(gamma, -2 * half), times_power_of_two(1, half)


def times_dot(gamma: Number, x: VectorLike, z: VectorLike) -> Number:
    """gamma <x, z>.

    >>> times_dot(2.0**-1040, [2.0**520], [2.0**521])
    2.0
    """
    if not is_extreme(gamma):
        return gamma * dot(x, z)
    gamma, u = _ordinary_unit(gamma)
    return gamma * dot([u * v for v in x], [u * v for v in z])


def times_squared_distance(gamma: Number, x: VectorLike, z: VectorLike) -> Number:
    """gamma |x - z|^2.

    >>> times_squared_distance(2.0**1020, [2.0**-510], [2.0**-509])
    1.0
    """
    if not is_extreme(gamma):
        return gamma * squared_distance(x, z)
    gamma, u = _ordinary_unit(gamma)
    return gamma * squared_norm([u * (a - b) for a, b in zip(x, z)])


def row_function_in_unit(
    kernel: Any, row_function: Callable[[Any, Any, Kind], RowFunction], points: Any, kind: Kind
) -> RowFunction:
    """row_function(kernel, points, kind), of a kernel whose gamma is extreme.

    It is that of the same kernel with gamma / u^2, of rows that are multiplied by u; unless a
    number of theirs then overflows or loses digits: such a row is compared pair by pair.
    """
    from copy import copy  # rarely needed

    gamma, u = _ordinary_unit(kernel.gamma)
    twin = copy(kernel)
    twin.gamma = gamma
    scaled = [_multiplied(z, u) for z in points]
    row = None if None in scaled else row_function(twin, scaled, kind)

    def values(x: VectorLike) -> Vector:
        found = None if row is None else _multiplied(x, u)
        if row is None or found is None:
            return [kernel.value(x, z) for z in points]
        return row(found)

    return values


def _multiplied(x: VectorLike, u: float) -> Vector | None:
    """u x; None if a number overflows or loses digits, so that it is not found back."""
    found: Vector = [u * v for v in x]
    return found if all(w / u == v for v, w in zip(x, found)) else None


def gamma_of_sigma(sigma: Number) -> Number:
    """1 / (2 sigma^2), rounded to 0 or infinity only where it is beyond the doubles.

    >>> gamma_of_sigma(2.0**-520 * 2.0**10)
    5.617791046444737e+306
    """
    if isinstance(sigma, Fraction):
        return 1 / (2 * (sigma * sigma))
    e = binary_exponent([[sigma]])
    sigma = times_power_of_two(sigma, -e)
    return times_power_of_two(1 / (2 * (sigma * sigma)), -2 * e)
