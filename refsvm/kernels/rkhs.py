"""The space of functions that a kernel makes: sums of c_i K(x_i, .), with lengths and angles.

Fix one argument of a kernel: K(x, .) is a function, which takes z to K(x, z). The sums of
multiples of such functions form a space, H_K, and the rule <K(x, .), K(z, .)> = K(x, z) gives it
an inner product. So x -> K(x, .) is a feature map for every kernel there is, and the weights w of
a machine are a function g of this space: its value g(x) is <g, K(x, .)>, the score of x.

    f, g        KernelFunctions                  points      x_1, ..., x_n: rows, or strings
    coefs       c_1, ..., c_n                    lam         what |g|^2 / 2 costs

Only positive semidefinite kernels give lengths. Limits of such sums need not be such sums: H_K is
a space with an inner product, and it takes the limits in addition to make it complete. What a
machine learns is always a finite sum, so nothing here misses them.

Source: Cesa-Bianchi, Support Vector Machines (lecture notes, 2023), its last part; Aronszajn,
Theory of reproducing kernels (1950).
"""

from fractions import Fraction
from math import sqrt
from typing import Any, NamedTuple

from ..numerics.factorisations import solve
from ..numerics.linalg import dot, scale, total
from ..numerics.validation import check_length, labels, number_kind, positive, to_number, vector
from .base import as_operand
from .gram_matrices import finite_row, rows_for


class KernelFunction(NamedTuple):
    """The function sum over i of coefs[i] * K(points[i], .); `combination` makes one, checked."""

    kernel: Any
    points: list
    coefs: list


def combination(kernel, points, coefs):
    """The function sum c_i K(x_i, .): any kernel but Precomputed; n points, n coefs.

    >>> from refsvm.kernels.standard import Linear
    >>> value(combination(Linear(), [[1, 2], [0, 1]], [3, -1]), [1, 1])
    8.0
    """
    kernel = as_operand(kernel)
    kind = number_kind(points, coefs, kernel.parameters())
    g = of_kind(kind, KernelFunction(kernel, points, coefs))
    check_length(g.coefs, len(g.points), "coefs")
    return g


def of_kind(kind, g):
    """g in numbers of this kind."""
    points = rows_for(g.points, "points", kind, g.kernel)
    return KernelFunction(g.kernel.to(kind), points, vector(g.coefs, "coefs", kind))


def kind_of(g, *others):
    """The one kind of number for g and whatever else takes part."""
    return number_kind(g.points, g.coefs, g.kernel.parameters(), *others)


def section(kernel, x):
    """K(x, .), the function that takes z to K(x, z): the image of x in H_K.

    >>> from refsvm.kernels.standard import Polynomial
    >>> value(section(Polynomial(2), [3]), [2])
    36.0
    """
    return combination(kernel, [x], [1])


def value(g, x):
    """g(x) = sum c_i K(x_i, x), in the order of the points. O(n) kernel values."""
    return values(g, [x])[0]


def values(g, X):
    """[g(x) for x in X]. O(n) kernel values for each x."""
    kind = kind_of(g, X)
    kernel, points, coefs = of_kind(kind, g)
    X = rows_for(X, "X", kind, kernel)
    refuse_unlike(X, points, "X")
    row = kernel.row_function(points, kind)
    return [dot(coefs, finite_row(row(x), i)) for i, x in enumerate(X)]


def inner(f, g):
    """<f, g> = sum_ij c_i d_j K(x_i, z_j); f and g are of one kernel. O(n m) kernel values.

    >>> from refsvm.kernels.standard import Polynomial
    >>> inner(section(Polynomial(2), [3]), section(Polynomial(2), [2]))
    36.0
    """
    of_one_kernel(f, g)
    kind = kind_of(f, g.points, g.coefs)
    f, g = of_kind(kind, f), of_kind(kind, g)
    return dot(f.coefs, values(g, f.points))


def squared_norm(g):
    """|g|^2 = <g, g> = c'Kc. Negative only if K is not positive semidefinite, or by rounding."""
    return inner(g, g)


def norm(g):
    """|g|, a float. TypeError for Fractions; ValueError if |g|^2 is negative.

    >>> from refsvm.kernels.standard import Linear
    >>> norm(section(Linear(), [3, 4]))
    5.0
    """
    squares = squared_norm(g)
    if isinstance(squares, Fraction):
        raise TypeError("g holds Fractions, and norm takes a square root; use squared_norm")
    if squares < 0:
        raise ValueError(f"the squared norm is {squares}; it must not be negative")
    return sqrt(squares)


def add(f, g):
    """f + g, each point kept once, with the sum of its coefs. O((n + m)^2 d)."""
    of_one_kernel(f, g)
    kind = kind_of(f, g.points, g.coefs)
    f, g = of_kind(kind, f), of_kind(kind, g)
    points, coefs = [], []
    for point, c in zip(f.points + g.points, f.coefs + g.coefs):
        if point in points:
            coefs[points.index(point)] += c
        else:
            points.append(point)
            coefs.append(c)
    return KernelFunction(f.kernel, points, coefs)


def multiple(c, g):
    """c g, for any number c."""
    kind = kind_of(g, c)
    g = of_kind(kind, g)
    return g._replace(coefs=scale(to_number(kind, c, "c"), g.coefs))


def subtract(f, g):
    """f - g."""
    return add(f, multiple(-1, g))


def cosine(f, g):
    """<f, g> / (|f| |g|), a float: 1 in the same direction, 0 at a right angle.

    K(x, z) itself is no measure of similarity, as it grows with x and z; this is one.
    ValueError if f or g is zero. Source: CS229, section 1.4, kernels as similarity metrics.

    >>> from refsvm.kernels.standard import Linear
    >>> cosine(section(Linear(), [1]), section(Linear(), [10]))
    1.0
    """
    lengths = norm(f) * norm(g)
    if lengths == 0:
        raise ValueError("|f| |g| is 0; a function of length 0 has no direction")
    return inner(f, g) / lengths


def squared_distance(f, g):
    """|f - g|^2; for K(x, .) and K(z, .) it is K(x, x) - 2 K(x, z) + K(z, z).

    >>> from refsvm.kernels.standard import Linear
    >>> squared_distance(section(Linear(), [1]), section(Linear(), [10]))
    81.0
    """
    return squared_norm(subtract(f, g))


def projection(g, points):
    """The function nearest to g among the sums of c_i K(x_i, .) over these points.

    It has the values of g at the points, and what is left, g minus it, is 0 there. ValueError if
    the Gram matrix of the points is singular: then leave a point out. O(n*n*n).
    """
    kind = kind_of(g, points)
    points = rows_for(points, "points", kind, g.kernel)
    row = g.kernel.to(kind).row_function(points, kind)
    coefs = solve([row(x) for x in points], values(g, points))
    return KernelFunction(g.kernel.to(kind), points, coefs)


def objective(g, X, y, lam):
    """(1/m) sum max(0, 1 - y_t g(x_t)) + lam/2 |g|^2: what a machine without offset minimises.

    X, y: m rows and labels; lam > 0. Source: Cesa-Bianchi, F_K(g).

    >>> from refsvm.kernels.standard import Linear
    >>> objective(section(Linear(), [1]), [[2], [0]], [1, -1], 1)
    1.0
    """
    kind = kind_of(g, X, lam)
    g, lam = of_kind(kind, g), positive(kind, lam, "lam")
    scores, zero = values(g, X), kind(0)
    y = labels(y, len(scores))
    losses = total(max(1 - sign * score, zero) for sign, score in zip(y, scores))
    return losses / len(scores) + lam * squared_norm(g) / 2


def of_one_kernel(f, g):
    """Refuse functions of two kernels: they live in two spaces."""
    if f.kernel != g.kernel:
        raise ValueError(f"g is a function of {g.kernel!r} and f of {f.kernel!r}; not one space")
    refuse_unlike(g.points, f.points, "g.points")


def refuse_unlike(rows, points, name):
    """Refuse rows that cannot be compared with the points of a function."""
    if isinstance(rows[0], str) != isinstance(points[0], str):
        raise TypeError(f"{name}[0] is {rows[0]!r}; the function has the point {points[0]!r}")
    if not isinstance(rows[0], str) and len(rows[0]) != len(points[0]):
        raise ValueError(
            f"{name} has rows of length {len(rows[0])}; the function has points of length"
            f" {len(points[0])}"
        )
