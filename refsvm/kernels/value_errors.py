"""How far a kernel value, as computed in doubles, may lie from the exact one.

    |computed k(x_i, x_j) - k(x_i, x_j)|  <=  roundings u sqrt(sizes_i sizes_j)         u = 2^-53

and |k(x_i, x_j)| <= sqrt(sizes_i sizes_j): where no parameter is negative, sizes_i is k(x_i, x_i),
and the two are the inequality of Cauchy and Schwarz. Each kernel is judged by its formula, in the
order of operations that standard.py states. At most m of the products, or the differences, of two
rows are not zero, and what is zero rounds nothing. Let

    S = sum |x_c z_c|,  at most |x| |z|         T = |gamma| S + |coef0|, of which K_ii has |x_i|^2

    Linear       the m products, and their m - 1 additions in any order:    m u S
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
and functions of the caller's; and as nothing bounds it, it is added up (svm/residual_bounds.py).

Beside this stand terms with u^2, which are far less than a 64th of it: SPARE has room for them,
and for the rounding of the sizes. A tiny product may lose 2^-1074 more, and gamma or a factor
multiplies that: SMALLEST, added to <x, x> and to what is multiplied, covers it.

Source: Higham, Accuracy and Stability of Numerical Algorithms (2002), chapters 3 and 5.
"""

from __future__ import annotations

from math import sqrt
from typing import Any, NamedTuple

from ..numerics.elementary import power
from ..numerics.rounding_bounds import SPARE, above
from ..numerics.sparse_rows import row_numbers
from ..numerics.types import Rows, Vector
from .base import Composite, Kernel, Multiple, Product, Sum
from .extreme_gamma import is_extreme, times_dot
from .standard import Polynomial, Sigmoid

SMALLEST = 2.0**-960
MOST_GAIN = 2.0**50


class ValueErrors(NamedTuple):
    """The bound of the head: for a kernel, and for each of some rows."""

    roundings: float
    sizes: Vector

    @property
    def roots(self) -> Vector:
        """Upper bounds of sqrt(sizes_i)."""
        return [above(sqrt(s), 4) for s in self.sizes]


def value_errors(kernel: Kernel, rows: Rows, m: int) -> ValueErrors:
    """Return how far the kernel's values between these rows may be from exact (S30.3).

    m: how many terms may not be zero (most_terms)

    >>> from refsvm.kernels.standard import Linear, Polynomial
    >>> value_errors(Linear(), [[3.0, 4.0], [0.0, 2.0]], 2).sizes
    [25.0, 4.0]
    >>> value_errors(Polynomial(2), [[3.0, 4.0]], 2).roundings
    10.15625
    """
    return ValueErrors(roundings_of(kernel, m), sizes(kernel, rows))


def most_terms(rows: Rows, width: int) -> int:
    """Return how many terms over these columns may not be zero, at most (S30.3). O(n d).

    A product of rows has as many as either has numbers that are not zero, and a difference as many
    as both; strings, whose width is 0, have none.

    >>> most_terms([[0.0, 0.0, 2.0], [0.0, 5.0, 0.0]], 3), most_terms([[1.0, 3.0, 0.0]], 3)
    (2, 3)
    """
    most = 0
    for row in rows:
        if 2 * most >= width:
            break
        numbers = row_numbers(row)
        most = max(most, len(numbers) - numbers.count(0))
    return min(width, 2 * most)


def roundings_of(kernel: Kernel, m: int) -> float:
    """Return the roundings of values of which at most m terms are not zero."""
    return SPARE * roundings(kernel, m)


def has_norms_as_sizes(kernel: Kernel) -> bool:
    """Return whether sizes_i is |K_ii| + SMALLEST; of a polynomial if T^p is K_ii.

    A tiny product in it loses at most that, whatever gamma multiplies it by.
    """
    if isinstance(kernel, Polynomial):
        return 0 <= min(kernel.gamma, kernel.coef0) and kernel.gamma <= MOST_GAIN
    return not isinstance(kernel, (Sigmoid, Composite))


def may_exceed_its_diagonal(kernel: Kernel) -> bool:
    """Return whether values may be larger than their sizes: of kernels that others compute.

    A Gram matrix or a function need not be one of inner products. The negative distance is none,
    and good for multipliers whose sum is 0; its diagonal is 0.

    >>> from refsvm.kernels.standard import Gaussian, Linear
    >>> may_exceed_its_diagonal(Linear() + min), may_exceed_its_diagonal(Gaussian(1))
    (True, False)
    """
    if isinstance(kernel, Multiple):
        return may_exceed_its_diagonal(kernel.kernel)
    if isinstance(kernel, (Sum, Product)):
        return may_exceed_its_diagonal(kernel.left) or may_exceed_its_diagonal(kernel.right)
    return not (kernel.inner_product or isinstance(kernel, (Polynomial, Sigmoid)))


def size_of_norm(norm: Any) -> Any:
    """Return sizes_i of K_ii, where that is one."""
    return abs(norm) + SMALLEST


def roundings(kernel: Kernel, m: int) -> float:
    """Return the roundings of the head, where at most m terms are not zero (S30.3)."""
    if isinstance(kernel, Multiple):
        return roundings(kernel.kernel, m) + 1
    if isinstance(kernel, (Sum, Product)):
        both = roundings(kernel.left, m), roundings(kernel.right, m)
        return (max(both) if isinstance(kernel, Sum) else both[0] + both[1]) + 1
    return float(kernel.roundings(m))


def sizes(kernel: Any, rows: Rows) -> Vector:
    """Return the sizes of the head (S30.3)."""
    if isinstance(kernel, Multiple):
        return [kernel.factor * v + SMALLEST for v in sizes(kernel.kernel, rows)]
    if isinstance(kernel, (Sum, Product)):
        pairs = zip(sizes(kernel.left, rows), sizes(kernel.right, rows))
        adds = isinstance(kernel, Sum)
        return [(v + w if adds else v * w) + SMALLEST for v, w in pairs]
    if has_norms_as_sizes(kernel):
        return list(map(size_of_norm, kernel.squared_norms(rows, float)))
    gamma, coef0 = abs(kernel.gamma), abs(kernel.coef0)
    lost = SMALLEST * (4 if is_extreme(gamma) else gamma)
    brackets = [times_dot(gamma, x, x) + lost + coef0 for x in map(row_numbers, rows)]
    if isinstance(kernel, Sigmoid):
        return [1 + v for v in brackets]
    return [power(v, kernel.degree) + SMALLEST for v in brackets]
