"""Is a kernel of the caller's symmetric? As far as that can be seen at little cost.

To compare all values of n examples takes n n values, and training may need few of these. So the
values k(x, z) and k(z, x) are compared for rows x and z that stand one after the other: 2 n, a few
in a hundred of what training asks for. What is exact needs the whole matrix, and compares all of
it (proofs/definiteness.py).
"""

from __future__ import annotations

from math import inf, sqrt
from typing import Any

from ..numerics.quoting import quote
from ..numerics.types import Kind, Number, Rows, Vector
from .base import Kernel, checked_row_function, convert_values

HALF = 2.0**-26  # half of a double's digits: rounding may cost so many, but no more


def checked_squared_norms(kernel: Kernel, X: Rows, kind: Kind) -> Vector:
    """kernel.squared_norms(X, kind), checked: one number of this kind for each row.

    ValueError if the kernel is seen not to be symmetric.
    """
    norms = kernel.squared_norms(X, kind)
    norms = convert_values(kind, norms, len(X), "squared_norms(X) of the kernel")
    if not kernel.symmetric and all(-inf < v < inf for v in norms):
        _require_symmetric(kernel, X, kind, norms)
    return norms


def _require_symmetric(kernel: Kernel, X: Rows, kind: Kind, norms: Any) -> None:
    """Raise ValueError if two values that are compared differ, on doubles by more than rounding.

    A value is at most the root of k(x, x) k(z, z), which may be lost where it is near 0.
    """
    points, sizes = kernel.reference_points(X), [abs(v) for v in norms]
    for i in range(len(X) - 1):
        (there,), (back,) = (
            checked_row_function(kernel, points[b : b + 1], kind, 1)(X[a])
            for a, b in ((i, i + 1), (i + 1, i))
        )
        within: Any = 0
        if kind is float:
            root = sqrt(sizes[i]) * sqrt(sizes[i + 1])
            within = HALF * max(abs(there), abs(back), root)
        if abs(there - back) > within:
            raise asymmetry(i, i + 1, there, back)


def asymmetry(i: int, j: int, there: Number, back: Number) -> ValueError:
    """The refusal of a kernel whose values of the examples i and j, and of j and i, differ."""
    return ValueError(
        f"the kernel value of examples {i} and {j} is {quote(there)}, and that of {j} and {i} is"
        f" {quote(back)}; a kernel is symmetric, so take (k(x, z) + k(z, x)) / 2"
    )
