"""The reproducing kernel Hilbert space: the functions sum c_i K(x_i, .), with lengths and angles.

Fix one argument of a kernel: K(x, .) is the function that takes z to K(x, z). The sums of
multiples of such functions form a space, H_K, and the rule <K(x, .), K(z, .)> = K(x, z) gives it
an inner product. So x -> K(x, .) is a feature map, for every kernel, and the weights w of a
machine are a function g of this space: its value g(x) is <g, K(x, .)>, the score of x.

    f, g        KernelFunctions                  points      x_1, ..., x_n: rows, or strings
    coefs       c_1, ..., c_n                    lam         the weight of |g|^2 / 2

Only positive semidefinite kernels give lengths. The sums form a space with an inner product; with
their limits it is complete, a Hilbert space. What a machine learns is always a finite sum, so the
limits are not needed here.

Source: Cesa-Bianchi, Support Vector Machines (lecture notes, 2023), its last part; Aronszajn,
Theory of reproducing kernels (1950).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import sqrt
from typing import Any, NamedTuple

from ..numerics.cures import calling, with_cure
from ..numerics.display import displayed
from ..numerics.factorisations import solve
from ..numerics.linalg import dot, scale, total
from ..numerics.quoting import quote
from ..numerics.types import KernelLike, Kind, Number, Row, Rows, Vector, VectorLike
from ..numerics.validation import (
    check_length,
    instance_of,
    labels,
    number_kind,
    positive,
    to_number,
    vector,
)
from .base import Kernel, as_operand
from .gram_matrices import finite_row, rows_for


@displayed
class KernelFunction(NamedTuple):
    """The function sum over i of coefs[i] * K(points[i], .); `combination` makes one, checked."""

    kernel: Kernel
    points: Sequence[Any]
    coefs: VectorLike


def combination(kernel: KernelLike, points: Rows, coefs: VectorLike) -> KernelFunction:
    """Make the function sum c_i K(x_i, .).

    Parameters
    ----------
    kernel : any kernel but Precomputed
    points : n rows or strings
    coefs : n numbers

    Examples
    --------
    >>> from refsvm.kernels.standard import Linear
    >>> value(combination(Linear(), [[1, 2], [0, 1]], [3, -1]), [1, 1])
    8.0
    """
    kernel = as_operand(kernel)
    kind = number_kind(points, coefs, kernel.parameters())
    g = _convert_function(kind, KernelFunction(kernel, points, coefs))
    check_length(g.coefs, len(g.points), "coefs")
    return g


def _convert_function(kind: Kind, g: KernelFunction) -> KernelFunction:
    """g with all its numbers converted to this kind."""
    points = rows_for(g.points, "points", kind, g.kernel)
    return KernelFunction(g.kernel.to(kind), points, vector(g.coefs, "coefs", kind))


def _common_kind(g: KernelFunction, *others: Any) -> Kind:
    """The one kind of number for g and the other arguments."""
    instance_of(KernelFunction, g, "the function")
    return number_kind(g.points, g.coefs, g.kernel.parameters(), *others)


def section(kernel: KernelLike, x: Row) -> KernelFunction:
    """Make K(x, .), the function that takes z to K(x, z): the image of x in H_K (S27.5).

    Examples
    --------
    >>> from refsvm.kernels.standard import Polynomial
    >>> value(section(Polynomial(2), [3]), [2])
    36.0
    """
    return combination(kernel, [x], [1])


def value(g: KernelFunction, x: Row) -> Number:
    """Compute g(x) = sum c_i K(x_i, x), in the order of the points (S27.5). O(n) kernel values."""
    return values(g, [x])[0]


def values(g: KernelFunction, X: Rows) -> Vector:
    """Compute [g(x) for x in X]. O(n) kernel values for each x."""
    kind = _common_kind(g, X)
    kernel, points, coefs = _convert_function(kind, g)
    X = rows_for(X, "X", kind, kernel)
    _check_comparable(X, points, "X")
    row = kernel.row_function(points, kind)
    return [dot(coefs, finite_row(row(x), i)) for i, x in enumerate(X)]


def inner(f: KernelFunction, g: KernelFunction) -> Number:
    """Compute <f, g> = sum_ij c_i d_j K(x_i, z_j); f and g must have the same kernel.

    Notes
    -----
    O(n m) kernel values.

    Examples
    --------
    >>> from refsvm.kernels.standard import Polynomial
    >>> inner(section(Polynomial(2), [3]), section(Polynomial(2), [2]))
    36.0
    """
    _check_same_kernel(f, g)
    kind = _common_kind(f, g.points, g.coefs)
    f, g = _convert_function(kind, f), _convert_function(kind, g)
    return dot(f.coefs, values(g, f.points))


def squared_norm(g: KernelFunction) -> Number:
    """|g|^2 = <g, g> = c'Kc. Negative only if K is not positive semidefinite, or by rounding.

    >>> from refsvm.kernels.standard import Linear
    >>> squared_norm(section(Linear(), [3]))
    9.0
    """
    return inner(g, g)


def norm(g: KernelFunction) -> float:
    """Compute |g|, a float.

    Raises
    ------
    TypeError
        for Fractions, whose square roots are seldom fractions
    ValueError
        if |g|^2 is negative

    Examples
    --------
    >>> from refsvm.kernels.standard import Linear
    >>> norm(section(Linear(), [3, 4]))
    5.0
    """
    squares = squared_norm(g)
    if isinstance(squares, Fraction):
        raise with_cure(
            TypeError,
            "g holds Fractions, and norm takes a square root;",
            calling("use squared_norm", "squared_norm"),
        )
    if squares < 0:
        raise ValueError(f"the squared norm is {quote(squares)}; it must not be negative")
    return sqrt(squares)


def add(f: KernelFunction, g: KernelFunction) -> KernelFunction:
    """f + g, with each point once and the sum of its coefs. O((n + m)^2 d).

    >>> from refsvm.kernels.standard import Linear
    >>> add(section(Linear(), [3]), section(Linear(), [3])).coefs
    [2.0]
    """
    _check_same_kernel(f, g)
    kind = _common_kind(f, g.points, g.coefs)
    f, g = _convert_function(kind, f), _convert_function(kind, g)
    points: list[Any] = []
    coefs: Vector = []
    for point, c in zip([*f.points, *g.points], [*f.coefs, *g.coefs]):
        if point in points:
            coefs[points.index(point)] += c
        else:
            points.append(point)
            coefs.append(c)
    return KernelFunction(f.kernel, points, coefs)


def multiple(c: Number, g: KernelFunction) -> KernelFunction:
    """c g, for any number c.

    >>> from refsvm.kernels.standard import Linear
    >>> value(multiple(2, section(Linear(), [3])), [5])
    30.0
    """
    kind = _common_kind(g, c)
    g = _convert_function(kind, g)
    return g._replace(coefs=scale(to_number(kind, c, "c"), g.coefs))


def subtract(f: KernelFunction, g: KernelFunction) -> KernelFunction:
    """f - g.

    >>> from refsvm.kernels.standard import Linear
    >>> value(subtract(section(Linear(), [3]), section(Linear(), [1])), [5])
    10.0
    """
    return add(f, multiple(-1, g))


def cosine(f: KernelFunction, g: KernelFunction) -> Number:
    """Compute <f, g> / (|f| |g|): 1 in the same direction, 0 at a right angle (S27.5).

    It measures similarity; K(x, z) itself does not, as it grows with the lengths of x and z.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        if f or g is zero

    Notes
    -----
    Source: CS229, section 1.4, kernels as similarity metrics.

    Examples
    --------
    >>> from refsvm.kernels.standard import Linear
    >>> cosine(section(Linear(), [1]), section(Linear(), [10]))
    1.0
    """
    lengths = norm(f) * norm(g)
    if lengths == 0:
        raise ValueError("|f| |g| is 0; a function of length 0 has no direction")
    return inner(f, g) / lengths


def squared_distance(f: KernelFunction, g: KernelFunction) -> Number:
    """Compute |f - g|^2; for K(x, .) and K(z, .) it is K(x, x) - 2 K(x, z) + K(z, z) (S27.5).

    Examples
    --------
    >>> from refsvm.kernels.standard import Linear
    >>> squared_distance(section(Linear(), [1]), section(Linear(), [10]))
    81.0
    """
    return squared_norm(subtract(f, g))


def projection(g: KernelFunction, points: Rows) -> KernelFunction:
    """Find the function nearest to g among the sums of c_i K(x_i, .) over these points (S27.5).

    It has the values of g at the points, and g minus it is 0 there.

    Raises
    ------
    ValueError
        if the Gram matrix of the points is singular: then leave a point out

    Notes
    -----
    O(n*n*n).

    Examples
    --------
    >>> from refsvm.kernels.standard import Linear
    >>> projection(section(Linear(), [3, 4]), [[1, 0]]).coefs
    [3.0]
    """
    kind = _common_kind(g, points)
    points = rows_for(points, "points", kind, g.kernel)
    row = g.kernel.to(kind).row_function(points, kind)
    coefs = solve([row(x) for x in points], values(g, points))
    return KernelFunction(g.kernel.to(kind), points, coefs)


def objective(g: KernelFunction, X: Rows, y: VectorLike, lam: Number) -> Number:
    """Compute (1/m) sum max(0, 1 - y_t g(x_t)) + lam/2 |g|^2, the objective without offset.

    Parameters
    ----------
    X : m rows or strings
    y : m labels, +1 or -1
    lam : float
        positive

    Notes
    -----
    Source: Cesa-Bianchi, F_K(g).

    Examples
    --------
    >>> from refsvm.kernels.standard import Linear
    >>> objective(section(Linear(), [1]), [[2], [0]], [1, -1], 1)
    1.0
    """
    kind = _common_kind(g, X, lam)
    g, lam = _convert_function(kind, g), positive(kind, lam, "lam")
    scores, zero = values(g, X), kind(0)
    y = labels(y, len(scores))
    losses = total(max(1 - sign * score, zero) for sign, score in zip(y, scores))
    return losses / len(scores) + lam * squared_norm(g) / 2


def _check_same_kernel(f: KernelFunction, g: KernelFunction) -> None:
    """Raise ValueError unless f and g have the same kernel, and so lie in one space."""
    for function in (f, g):
        instance_of(KernelFunction, function, "the function")
    if f.kernel != g.kernel:
        raise ValueError(
            f"g is a function of {quote(g.kernel)} and f of {quote(f.kernel)}; not one space"
        )
    _check_comparable(g.points, f.points, "g.points")


def _check_comparable(rows: Rows, points: Rows, name: str) -> None:
    """Raise an error for rows of another length, or another type, than the points."""
    if isinstance(rows[0], str) != isinstance(points[0], str):
        raise TypeError(
            f"{name}[0] is {quote(rows[0])}; the function has the point {quote(points[0])}"
        )
    if not isinstance(rows[0], str) and len(rows[0]) != len(points[0]):
        raise ValueError(
            f"{name} has rows of length {len(rows[0])}; the function has points of length"
            f" {len(points[0])}"
        )
