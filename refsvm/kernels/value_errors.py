"""How far a kernel value, as computed in doubles, may lie from the exact one.

    |computed k(x_i, x_j) - k(x_i, x_j)|  <=  roundings u sqrt(sizes_i sizes_j)         u = 2^-53

and |k(x_i, x_j)| <= sqrt(sizes_i sizes_j): where no parameter is negative, sizes_i is k(x_i, x_i),
and the two are the inequality of Cauchy and Schwarz. Each kernel is judged by its formula, in the
order of operations that standard.py states. Let m be the numbers that are not zero in a row, or in
the difference of two, and

    S = sum |x_c z_c|,  at most |x| |z|         T = |gamma| S + |coef0|, of which K_ii has |x_i|^2

    Linear       the m products, and their m - 1 additions:    m u S
    Polynomial   gamma s + coef0 is wrong by (m + 2) u T; the power multiplies that by p T^(p - 1),
                 and rounds p - 1 times itself:                 p (m + 3) u T^p
    MonomialSum  Horner's rule rounds 2 p times, and s is wrong by m u S:   p (m + 2) u sum S^k
    Gaussian     t = gamma |x - z|^2 is wrong by (m + 3) u t, as its terms do not cancel, and exp
                 by 2 u:  u K (2 + (m + 3) t); and K t = t e^-t is at most 1 / e
    Cauchy       t as above; 1 + t and the quotient round, too:  u K (2 + (m + 3) t / (1 + t)), and
                 K t / (1 + t) = t / (1 + t)^2 is at most 1 / 4
    Sigmoid      the slope of tanh is at most 1, and its rounding 8 u K:    u (8 + (m + 2) T)
    sums         u (the larger of both + 1);   products u (both + 1);   multiples u (its own + 1)

Strings have small whole numbers as values. What others compute is taken as it is, a Gram matrix
and functions of the caller's; and as nothing bounds it, it is added up (solvers/proved_status.py).

Beside this stand terms with u^2, which are far less than a 64th of it: SPARE has room for them,
and for the rounding of the sizes. A tiny product may lose 2^-1074 more, and gamma or a factor
multiplies that: SMALLEST, added to <x, x> and to what is multiplied, covers it.

Source: Higham, Accuracy and Stability of Numerical Algorithms (2002), chapters 3 and 5.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Any

from ..numerics.elementary import power
from ..numerics.records import NamedTuple
from ..numerics.rounding_bounds import SPARE, grain
from ..numerics.sparse_rows import row_items, row_numbers
from ..numerics.types import Vector
from .base import Multiple, Product, Sum
from .extreme_gamma import is_extreme, times_dot
from .standard import Gaussian, Linear, Polynomial, Precomputed, Sigmoid
from .strings import Spectrum

SMALLEST = 2.0**-960
MOST_GAIN = 2.0**50


class ValueErrors(NamedTuple):
    """The bound of the head: for a kernel, and for each of some rows."""

    roundings: float
    sizes: Vector


def value_errors(kernel: Any, rows: Sequence[Any]) -> ValueErrors:
    """Return how far the kernel's values between these rows of floats may be from exact. O(n d).

    >>> from refsvm.kernels.standard import Linear, Polynomial
    >>> value_errors(Linear(), [[3.0, 4.0], [0.0, 2.0]]).sizes
    [25.0, 4.0]
    >>> value_errors(Polynomial(2), [[3.0, 4.0]]).roundings
    10.15625
    """
    return ValueErrors(roundings_of(kernel, rows), sizes(kernel, rows))


def roundings_of(kernel: Any, rows: Sequence[Any]) -> float:
    """Return the roundings of values between these rows. O(n d)."""
    numbers = 0
    if kernel.has_rows and not isinstance(rows[0], str):
        numbers = _most_in_difference(rows)
    return SPARE * roundings(kernel, numbers)


def _most_in_difference(rows: Sequence[Any]) -> int:
    """Return how many numbers are not zero at most in a row, or in the difference of two.

    >>> _most_in_difference([[1.0, 0.0, 0.0], [0.0, 0.0, 2.0]])
    2
    """
    most, filled = 0, set()  # columns in which some row is not zero
    for x in rows:
        places = [c for c, v in row_items(x) if v != 0]
        if len(places) == len(x):
            return len(x)
        most = max(most, len(places))
        filled.update(places)
    return min(2 * most, len(filled))


def may_exceed_its_diagonal(kernel: Any) -> bool:
    """Return whether values may be larger than their sizes: of kernels that others compute.

    A Gram matrix or a function need not be one of inner products. The negative distance is none,
    and good for multipliers whose sum is 0; its diagonal is 0.

    >>> may_exceed_its_diagonal(Linear() + min), may_exceed_its_diagonal(Gaussian(1))
    (True, False)
    """
    if isinstance(kernel, Multiple):
        return may_exceed_its_diagonal(kernel.kernel)
    if isinstance(kernel, (Sum, Product)):
        return may_exceed_its_diagonal(kernel.left) or may_exceed_its_diagonal(kernel.right)
    return not (kernel.inner_product or isinstance(kernel, (Polynomial, Sigmoid)))


def bound_by_diagonal(kernel: Any, width: int, gain: float = 1) -> float:
    """Return the roundings where sizes_i is K_ii + SMALLEST, for rows of this width, or infinity.

    gain: by how much what a tiny product loses is multiplied. Where the other factor of a product
    may be any number, or the gain is large, K_ii does not tell.

    >>> bound_by_diagonal(Linear(), 64), bound_by_diagonal(Sigmoid(1, 0), 64)
    (65.0, inf)
    """
    if may_exceed_its_diagonal(kernel):
        return inf
    if isinstance(kernel, Multiple):
        return bound_by_diagonal(kernel.kernel, width, gain * max(1, kernel.factor)) + 2
    if isinstance(kernel, Product) and not (kernel.left.bounded or kernel.right.bounded):
        return inf
    if isinstance(kernel, (Sum, Product)):
        both = [bound_by_diagonal(part, width, gain) for part in (kernel.left, kernel.right)]
        return both[0] + both[1] + 2
    signed = isinstance(kernel, Sigmoid)
    if isinstance(kernel, Polynomial):
        signed, gain = min(kernel.gamma, kernel.coef0) < 0, gain * max(1, kernel.gamma)
    return inf if signed or gain > MOST_GAIN else SPARE * roundings(kernel, width)


def roundings(kernel: Any, m: int) -> float:
    """Return the roundings of the head, where at most m numbers are not zero."""
    if isinstance(kernel, Multiple):
        return roundings(kernel.kernel, m) + 1
    if isinstance(kernel, (Sum, Product)):
        both = roundings(kernel.left, m), roundings(kernel.right, m)
        return (max(both) if isinstance(kernel, Sum) else both[0] + both[1]) + 1
    return float(kernel.roundings(m))


def sizes(kernel: Any, rows: Sequence[Any]) -> Vector:
    """Return the sizes of the head."""
    if isinstance(kernel, Multiple):
        return [kernel.factor * v + SMALLEST for v in sizes(kernel.kernel, rows)]
    if isinstance(kernel, (Sum, Product)):
        pairs = zip(sizes(kernel.left, rows), sizes(kernel.right, rows))
        adds = isinstance(kernel, Sum)
        return [(v + w if adds else v * w) + SMALLEST for v, w in pairs]
    if isinstance(kernel, Gaussian):
        return [1.0] * len(rows)
    if isinstance(kernel, (Polynomial, Sigmoid)):
        gamma, coef0 = abs(kernel.gamma), abs(kernel.coef0)
        lost = SMALLEST * (4 if is_extreme(gamma) else gamma)
        brackets = [times_dot(gamma, x, x) + lost + coef0 for x in map(row_numbers, rows)]
        if isinstance(kernel, Sigmoid):
            return [1 + v for v in brackets]
        return [power(v, kernel.degree) + SMALLEST for v in brackets]
    return [abs(v) + SMALLEST for v in kernel.squared_norms(rows, float)]


def grain_of_values(kernel: Any, of_rows: float) -> float:
    """Return a power of two of which all values are multiples; 0 if none is known.

    of_rows: the same of the numbers of the rows. Whole numbers have whole inner products and
    powers. Where sizes stay below 2^53 grains, the values are exact, and so are their sums
    (numerics/rounding_bounds.py).

    >>> grain_of_values(Linear(), 0.5), grain_of_values(Gaussian(1), 1.0)
    (0.25, 0.0)
    """
    if isinstance(kernel, (Spectrum, Precomputed)):
        return of_rows
    if not isinstance(kernel, (Linear, Polynomial)):
        return 0.0
    of_products = of_rows * of_rows
    if of_rows < inf == of_products:  # beyond the doubles
        return 0.0
    if isinstance(kernel, Linear):
        return of_products
    bracket: Any = min(grain([kernel.gamma]) * of_products, grain([kernel.coef0]))
    return float(power(bracket, kernel.degree)) if bracket < inf else 1.0
