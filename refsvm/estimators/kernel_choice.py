"""The kernel that the parameters of an SVC mean: its name, and gamma as a word.

gamma "scale" is 1 / (d v), with v the variance of all numbers of X, and 1 where v = 0. Squares
of numbers near the ends of the doubles are beyond them. So v is computed of numbers in an ordinary
unit, a power of two (numerics/powers_of_two.py), and gamma is brought back from there: data
scaled by 2^k have the gamma scaled by 4^-k.

    d    columns of X          present    the rows whose weight is not 0
    e    the exponent of the unit: the numbers were divided by 2^e
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import inf
from typing import Any

from ..kernels.base import Kernel, as_kernel
from ..kernels.standard import Gaussian, Linear, Polynomial, Precomputed, Sigmoid
from ..numerics.linalg import total
from ..numerics.options import one_of
from ..numerics.powers_of_two import in_ordinary_unit, times_power_of_two
from ..numerics.sparse_rows import total_of
from ..numerics.types import Kind, Number, Vector
from ..numerics.validation import positive

KERNELS = ("linear", "poly", "rbf", "sigmoid", "precomputed")
# Below 2^-1022 a double has fewer digits, and a gamma rounded to these belongs to data a little
# longer or shorter than those given. Down to here it has 27 or more, so that the error is at most
# 2^-27 of gamma; below, half of the digits are gone, and the data are refused with the cure.
LEAST_GAMMA = times_power_of_two(1, -1048)
VarianceAt = Callable[[list[Any], list[int], Kind], tuple[Number, int]]


def kernel_for(
    svc: Any, rows: list[Any], present: list[int], kind: Kind, variance_at: VarianceAt
) -> Kernel:
    """Return the kernel object that the parameters of SVC mean, for the rows present."""
    if not isinstance(svc.kernel, str):
        return as_kernel(svc.kernel)
    one_of(svc.kernel, KERNELS, "kernel")
    if svc.kernel in ("linear", "precomputed"):
        return Linear() if svc.kernel == "linear" else Precomputed()
    gamma = gamma_for(svc.gamma, rows, present, kind, variance_at)
    if svc.kernel == "rbf":
        return Gaussian(gamma)
    if svc.kernel == "sigmoid":
        return Sigmoid(gamma, svc.coef0)
    return Polynomial(svc.degree, gamma, svc.coef0)


def gamma_for(
    gamma: str | Number,
    rows: list[Any],
    present: list[int],
    kind: Kind,
    variance_at: VarianceAt,
) -> Number:
    """Return gamma as a number: "scale", "auto" or the positive number given."""
    if not isinstance(gamma, str):
        return positive(kind, gamma, "gamma")
    one_of(gamma, ("scale", "auto"), "gamma")
    spread, e = (kind(1), 0) if gamma == "auto" else variance_at(rows, present, kind)
    if spread == 0:
        return kind(1)
    in_unit = 1 / (len(rows[0]) * spread)
    return in_unit if e == 0 else gamma_in_doubles(in_unit, e)


def gamma_in_doubles(in_unit: Number, e: int) -> float:
    """Return gamma of the numbers themselves; ValueError if it is beyond the doubles.

    >>> gamma_in_doubles(1.5, -600)
    Traceback (most recent call last):
      ...
    ValueError: gamma 'scale' is 1 / (features * variance), beyond the doubles, as the \
numbers of X are around 2e-181 in size; scale them, for example by 2.0**600
    """
    gamma = times_power_of_two(in_unit, -2 * e)
    if not LEAST_GAMMA <= gamma < inf:
        size = times_power_of_two(1, e)
        raise ValueError(
            "gamma 'scale' is 1 / (features * variance), beyond the doubles, as the numbers of X"
            f" are around {size:.0e} in size; scale them, for example by 2.0**{-e}"
        )
    return gamma


def variance_of(rows: list[Any], present: list[int], kind: Kind) -> tuple[Number, int]:
    """Return (v, e): the variance of the rows present is v 4^e."""
    return variance([rows[i] for i in present], kind)


def variance(rows: list[Vector], kind: Kind) -> tuple[Number, int]:
    """Return (v, e): the mean squared distance of all numbers from their mean is v 4^e.

    Each row sums by itself. Numbers are measured from the first of them, so that equal numbers
    have variance 0 exactly.

    >>> variance([[1.0, 2.0], [3.0, 6.0]], float)
    (0.21875, 2)
    """
    rows, e = (rows, 0) if kind is Fraction else in_ordinary_unit(rows)
    first, count = rows[0][0], kind(len(rows) * len(rows[0]))
    excess = total(total_of(row, lambda v: v - first) for row in rows)
    mean = first + excess / count
    return total(total_of(row, lambda v: (v - mean) * (v - mean)) for row in rows) / count, e
