"""The direction of a step of Newton's method: s with H s = -g, exactly or nearly (newton.py).

H is I and a sum of squares of rows: it has no eigenvalue below 1.

    exact_direction      H = L D L', for few columns d: it takes d^3 / 3 products, and those of H
    conjugate_direction  products of H with vectors alone, of twice the numbers in X each; it ends
                         when what is left, g + H s, is a tenth of g: for many columns. After each
                         step that had to be shortened it may be half as much of g from then on

Conjugate gradients with the diagonal of H as preconditioner make s'g < 0 after each product, and
the quadratic function of the piece falls with each: so s leads down, however few there were.

Source: Golub and Van Loan, Matrix Computations, 4.1 and 11.5; Dembo, Eisenstat and Steihaug,
"Inexact Newton methods", SIAM Journal on Numerical Analysis 19 (1982), for what may be left.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf

from ..numerics.linalg import add_scaled, dot, squared_norm
from .dual_program import Numbers

CG_REDUCTION = 100  # how many times |g + H s|^2 is in |g|^2, at least;
SHARPENING = 4  # it is so many times as much after a step that had to be shortened,
MOST_REDUCTION = CG_REDUCTION * SHARPENING**7  # but no more than this
CHEAP_PRODUCTS = 16  # with H: a factorisation that costs fewer is taken at once


def products_of_factorisation(n: int, d: int, numbers: int) -> int:
    """Return how many products of H with a vector cost as much as to make and to solve it (S31.5).

    n rows of d columns with so many numbers that are not zero; and d at most, as that many end.

    >>> products_of_factorisation(1000, 5, 5000), products_of_factorisation(1000, 500, 500_000)
    (1, 145)
    """
    return min(d, (numbers * numbers // n + d**3 // 3) // max(1, 4 * numbers + 16 * d))


def conjugate_direction(
    times: Callable[[Numbers], Numbers],
    diagonal: Numbers,
    g: Numbers,
    products: int,
    reduction: int,
) -> tuple[Numbers, bool]:
    """Return (s, whether |g + H s|^2 is at most |g|^2 / reduction) after so many products at most.

    times: H times a vector; diagonal: that of H. On doubles. Standard: S31.5.

    >>> conjugate_direction(lambda p: [2 * p[0], 5 * p[1]], [2.0, 5.0], [4.0, -10.0], 9, 100)
    ([-2.0, 2.0], True)
    """
    s, r = [0.0 for _ in g], [-v for v in g]
    p = z = [v / c for v, c in zip(r, diagonal)]
    slope, limit = dot(r, z), squared_norm(g) / reduction
    for _ in range(products):
        q = times(p)
        curvature = dot(p, q)
        if not 0 < curvature < inf:  # beyond the doubles
            break
        t = slope / curvature
        s, r = add_scaled(s, t, p), add_scaled(r, -t, q)
        if squared_norm(r) <= limit:
            return s, True
        z, before = [v / c for v, c in zip(r, diagonal)], slope
        slope = dot(r, z)
        if not 0 < slope < inf:
            break
        p = add_scaled(z, slope / before, p)
    return s, False


def exact_direction(H: list[Numbers], b: Numbers) -> Numbers:
    """Return the s with H s = b, by H = L D L' (S31.3). O(d d d). H becomes L, its diagonal D.

    H : lower triangle of a matrix whose pivots are 1 or more

    >>> exact_direction([[2.0], [1.0, 3.0]], [4.0, 7.0])
    [1.0, 2.0]
    """
    s = list(b)
    for j, row in enumerate(H):
        products: Numbers = []  # L_jk D_k
        for k in range(j):
            c = row[k]
            for above, p in zip(H[k], products):
                c -= above * p
            products.append(c)
        for k, c in enumerate(products):
            row[k] = c / H[k][k]
            row[j] -= row[k] * c
            s[j] -= row[k] * s[k]
        row[j] = max(row[j], type(row[j])(1))
    for j in reversed(range(len(s))):
        s[j] /= H[j][j]
    for j in reversed(range(len(s))):
        for k in range(j):
            s[k] -= H[j][k] * s[j]
    return s
