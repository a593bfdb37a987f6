"""Feature maps: the vectors whose inner products are kernel values, written down.

A feature map phi takes a row of attributes x to a row of features phi(x), the image of x. The
inner product of two images is a kernel, k(x, z) = <phi(x), phi(z)>. A method that uses only inner
products needs no images; these may be long, or have infinitely many features. Here they are
written down all the same: to be seen, to be counted, and to check the kernels against.

    x, z        two rows                        d        how many attributes a row has
    phi         a function from rows to lists   p        how many features it gives
    monomial    a product of attributes, such as x_0 x_0 x_2
    degree      how many factors the monomials have at most
    ordered     x_0 x_2 and x_2 x_0 are two monomials; distinct: they are one

The feature maps of Polynomial and Gaussian contain square roots; they are in
weighted_features.py.

Source: Ng and Ma, CS229 lecture notes, part V, sections 1.1 to 1.4.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import comb
from typing import Any

from ..numerics.elementary import power
from ..numerics.linalg import add_scaled, check_equal_lengths, dot, squared_norm
from ..numerics.quoting import quote
from ..numerics.types import Kind, Matrix, MatrixLike, Number, RowFunction, Vector, VectorLike
from ..numerics.validation import matrix, number_kind, sequence, to_number, vector, whole_number
from .base import Kernel, convert_value, own_copy

FeatureMap = Callable[[Any], VectorLike]


def cubic(x: Number) -> Vector:
    """Compute phi(x) = [1, x, x^2, x^3] of a number x.

    Notes
    -----
    Source: CS229, equation (1).

    Examples
    --------
    >>> cubic(2)
    [1.0, 2.0, 4.0, 8.0]
    """
    x = to_number(number_kind(x), x, "x")
    return [power(x, m) for m in range(4)]


def horner(theta: VectorLike, x: Number) -> Number:
    """Evaluate the polynomial theta_0 + theta_1 x + theta_2 x^2 + ... at the number x (S27.1).

    It is not linear in x, but in the features of x: horner(theta, x) is <theta, cubic(x)> for four
    numbers theta.

    Notes
    -----
    O(len(theta)). Source: CS229, section 1.1.

    Examples
    --------
    >>> horner([1, 0, 0, 2], 3)
    55.0
    """
    kind = number_kind(theta, x)
    theta, x = vector(theta, "theta", kind), to_number(kind, x, "x")
    result: Number = 0
    for coefficient in reversed(theta):
        result = coefficient + x * result
    return result


def images(feature_map: FeatureMap, X: Sequence[Any]) -> Matrix:
    """Compute [phi(x) for x in X] (S27.1).

    Parameters
    ----------
    feature_map : function
        takes a row of attributes to a list of p numbers
    X : n rows of attributes

    Returns
    -------
    list of n rows of p features, all of one kind

    Raises
    ------
    ValueError, TypeError
        if feature_map returns rows of different lengths, or no numbers

    Examples
    --------
    >>> images(cubic, [0, 2])
    [[1.0, 0.0, 0.0, 0.0], [1.0, 2.0, 4.0, 8.0]]
    """
    return matrix([feature_map(x) for x in sequence(X, "X")], "phi(X)")


class MapKernel(Kernel):
    """The kernel of a feature map: k(x, z) = <phi(x), phi(z)>.

    Parameters
    ----------
    feature_map : function
        takes a row, of any type, to a list of p numbers

    Notes
    -----
    O(p), and two calls of feature_map, a value; row_function maps each point only once.
    Source: CS229, equation (10).

    Examples
    --------
    >>> MapKernel(cubic)(2, 3)
    259.0
    """

    symmetric = True

    def __init__(self, feature_map: FeatureMap) -> None:
        if not callable(feature_map):
            raise TypeError(f"feature_map is {quote(feature_map)}; a function is needed")
        self.feature_map = feature_map

    def __call__(self, x: Any, z: Any) -> Number:
        return dot(*images(self.feature_map, [x, z]))

    def squared_norms(self, X: Sequence[VectorLike], kind: Kind) -> Vector:
        return [convert_value(kind, squared_norm(self.image(x, kind))) for x in X]

    def row_function(self, points: Sequence[VectorLike], kind: Kind) -> RowFunction:
        point_images = [self.image(z, kind) for z in points]

        def row(x: VectorLike) -> Vector:
            x_image = self.image(x, kind)
            return [convert_value(kind, dot(x_image, z_image)) for z_image in point_images]

        return row

    def image(self, x: VectorLike, kind: Kind) -> Vector:
        """phi(x) in numbers of this kind."""
        return vector(self.feature_map(own_copy(x)), "phi(x)", kind)


def ordered_pairs(x: VectorLike) -> Vector:
    """Compute [x_i x_j] for all i and j, j the faster.

    Returns
    -------
    list of d d numbers
        their kernel is <x, z>^2

    Notes
    -----
    Source: CS229, section 1.4.

    Examples
    --------
    >>> ordered_pairs([1, 2])
    [1.0, 2.0, 2.0, 4.0]
    """
    x = vector(x, "x")
    return [a * b for a in x for b in x]


def ordered_monomials(x: VectorLike, degree: int = 3) -> Vector:
    """Compute [1, all x_i, all x_i x_j, all x_i x_j x_k, ...], the features of MonomialSum.

    Parameters
    ----------
    x : d numbers
    degree : int
        0 or more

    Returns
    -------
    list of count_ordered(d, degree) numbers
        in the order of the indices, the first the slowest

    Notes
    -----
    One multiplication a feature. Source: CS229, equation (5).

    Examples
    --------
    >>> ordered_monomials([2, 3], 2)
    [1.0, 2.0, 3.0, 4.0, 6.0, 6.0, 9.0]
    """
    x, degree = vector(x, "x"), whole_number(degree, "degree", 0)
    block = [power(x[0], 0)]
    features = list(block)
    for _ in range(degree):
        block = [monomial * a for monomial in block for a in x]
        features += block
    return features


def count_ordered(d: int, degree: int) -> int:
    """Count the ordered monomials: 1 + d + d^2 + ... + d^degree.

    Notes
    -----
    Source: CS229, footnote 1.

    Examples
    --------
    >>> count_ordered(1000, 3)
    1001001001
    """
    d, degree = whole_number(d, "d", 1), whole_number(degree, "degree", 0)
    return sum(d**m for m in range(degree + 1))  # exact


def count_distinct(d: int, degree: int) -> int:
    """Count the distinct monomials of d attributes up to this degree: C(d + degree, degree).

    Notes
    -----
    Source: CS229, section 1.4. Standard: S27.1.

    Examples
    --------
    >>> count_distinct(3, 2), count_distinct(1000, 3)
    (10, 167668501)
    """
    return comb(whole_number(d, "d", 1) + whole_number(degree, "degree", 0), degree)


def count_of_degree(d: int, degree: int) -> int:
    """Count the distinct monomials of exactly this degree: C(d + degree - 1, degree) (S27.1).

    Examples
    --------
    >>> count_of_degree(3, 2)
    6
    """
    return comb(whole_number(d, "d", 1) + whole_number(degree, "degree", 0) - 1, degree)


def combination_squared_norm(rows: MatrixLike, v: VectorLike) -> Number:
    """Compute |sum v_i phi(x_i)|^2 from the images: a sum of squares, so never negative (S27.3).

    It is v'Kv of the Gram matrix K of the images.

    Parameters
    ----------
    rows : n images of p numbers
    v : n numbers

    Notes
    -----
    O(n p). Source: CS229, section 1.4, necessary conditions.

    Examples
    --------
    >>> combination_squared_norm([[1, 0], [1, 1]], [1, -1])
    1.0
    """
    kind = number_kind(rows, v)
    rows, v = matrix(rows, "rows", kind), vector(v, "v", kind)
    check_equal_lengths(rows, v, "rows", "v")
    combination: Vector = [kind(0)] * len(rows[0])
    for c, image in zip(v, rows):
        combination = add_scaled(combination, c, image)
    return squared_norm(combination)
