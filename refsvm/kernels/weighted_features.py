"""The feature maps of the polynomial and the Gaussian kernel, with square roots kept exact.

Some features have a square root as a factor: those of (<x, z> + c)^2 include sqrt(2 c) x_0, and no
Fraction is that root. So these maps return each feature as Feature(value, weight), which means
sqrt(weight) * value. An inner product needs only the weights, and is exact; `coordinates` takes
the roots, in floats.

    x, z        two rows of d attributes, or two numbers
    degree, c   of the kernel (<x, z> + c)^degree
    f, g        lists of p Features               K, L, D    a Gram matrix, and its factors

Source: Ng and Ma, CS229 lecture notes, part V, section 1.4.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations_with_replacement
from math import factorial, sqrt
from typing import Any, NamedTuple

from ..numerics.cures import Cure, calling, with_cure
from ..numerics.display import displayed
from ..numerics.elementary import exp, power
from ..numerics.factorisations import ldl
from ..numerics.linalg import check_equal_lengths, symmetric_size, total
from ..numerics.quoting import quote
from ..numerics.types import Kind, MatrixLike, Number, VectorLike
from ..numerics.validation import (
    matrix,
    number_kind,
    positive,
    sequence,
    to_number,
    vector,
    whole_number,
)
from .feature_maps import ordered_pairs
from .mercer_condition import mercer


@displayed
class Feature(NamedTuple):
    """The number sqrt(weight) * value, with the root not taken."""

    value: Number
    weight: Number


Features = Sequence[Feature]


def inner(f: Features, g: Features) -> Number:
    """Compute <phi(x), phi(z)> from two lists of Features: the sum of weight * (value * value).

    Raises
    ------
    ValueError
        if the lists do not have the same weights

    Notes
    -----
    O(p), exact on Fractions. Standard: S27.1.

    Examples
    --------
    >>> inner([Feature(3, 2)], [Feature(5, 2)])
    30
    """
    _check_features(f, "f")
    _check_features(g, "g")
    check_equal_lengths(f, g, "f", "g")
    for m, (a, b) in enumerate(zip(f, g)):
        if a.weight != b.weight:
            raise ValueError(
                f"g[{m}] has the weight {quote(b.weight)}; f[{m}] has {quote(a.weight)}"
            )
    return total(a.weight * (a.value * b.value) for a, b in zip(f, g))


def _check_features(f: Features, name: str) -> None:
    """Raise TypeError unless f is a list of Features."""
    for m, feature in enumerate(sequence(f, name)):
        if not isinstance(feature, Feature):
            raise TypeError(f"{name}[{m}] is {quote(feature)}; a Feature is needed")


def coordinates(f: Features) -> list[float]:
    """Compute the list of sqrt(weight) * value.

    Returns
    -------
    list of floats

    Raises
    ------
    TypeError
        for Fractions, which have no roots

    Examples
    --------
    >>> coordinates([Feature(3.0, 4.0)])
    [6.0]
    """
    _check_features(f, "f")
    if number_kind(f) is Fraction:
        raise with_cure(
            TypeError,
            "f holds Fractions, and coordinates takes square roots;",
            calling("use inner", "inner"),
        )
    return [sqrt(feature.weight) * feature.value for feature in f]


def quadratic(x: VectorLike, c: Number) -> list[Feature]:
    """Compute the Features of (<x, z> + c)^2: x_i x_j, sqrt(2 c) x_i and c (S27.1).

    Parameters
    ----------
    x : d numbers
    c : number
        weighs the features of first order against those of second order; not negative, as there
        would be no roots, and the function would be no kernel

    Returns
    -------
    list of d d + d + 1 Features

    Notes
    -----
    Source: CS229, section 1.4.

    Examples
    --------
    >>> for feature in quadratic([3], 2):
    ...     print(feature)
    Feature(value=9.0, weight=1.0)
    Feature(value=3.0, weight=4.0)
    Feature(value=2.0, weight=1.0)
    """
    kind = number_kind(x, c)
    x, c = vector(x, "x", kind), _nonnegative_offset(c, kind)
    one = power(c, 0)
    second = [Feature(pair, one) for pair in ordered_pairs(x)]
    return second + [Feature(a, 2 * c) for a in x] + [Feature(c, one)]


def polynomial(x: VectorLike, degree: int, c: Number) -> list[Feature]:
    """Compute the Features of (<x, z> + c)^degree (S27.1): each monomial once, short ones first.

    Parameters
    ----------
    x : d numbers
    degree : int
        0 or more
    c : number
        not negative

    Returns
    -------
    list of Features
        count_distinct(d, degree) of them; count_of_degree(d, degree) if c is 0

    Notes
    -----
    The weight of a monomial counts the ways to take its factors from the `degree` brackets, and c
    from the m brackets that are left: degree! / (a_1! a_2! ... m!) c^m, if attribute i occurs a_i
    times. Source: CS229, section 1.4 (dimension); the multinomial theorem (weights).

    Examples
    --------
    >>> [tuple(feature) for feature in polynomial([3], 2, 1)]
    [(1.0, 1.0), (3.0, 2.0), (9.0, 1.0)]
    """
    kind = number_kind(x, c)
    x, c = vector(x, "x", kind), _nonnegative_offset(c, kind)
    degree = whole_number(degree, "degree", 0)
    features = []
    for m in range(degree + 1):
        left_over = power(c, degree - m)
        if left_over == 0:
            continue
        for indices in combinations_with_replacement(range(len(x)), m):
            weight = bracket_choices(indices, degree) * left_over
            features.append(Feature(monomial(x, indices), weight))
    return features


def _nonnegative_offset(c: Number, kind: Kind) -> Number:
    """c as a number of this kind; ValueError if it is negative."""
    number = to_number(kind, c, "c")
    if number < 0:
        raise ValueError(
            f"c is {quote(c)}; it must not be negative, as sqrt(c) is part of the features"
        )
    return number


def monomial(x: VectorLike, indices: Sequence[int]) -> Number:
    """Compute the product of x_i over the indices.

    Examples
    --------
    >>> monomial([2.0, 3.0], (0, 1, 1))
    18.0
    """
    x = vector(x, "x")
    product = power(x[0], 0)
    for k, i in enumerate(sequence(indices, "indices")):
        if whole_number(i, f"indices[{k}]", 0) >= len(x):
            raise ValueError(f"indices[{k}] is {i}; x has length {len(x)}")
        product *= x[i]
    return product


def bracket_choices(indices: Sequence[int], degree: int) -> int:
    """Count the ways in which `degree` brackets give these factors, one from each bracket or none.

    Examples
    --------
    >>> bracket_choices((0, 1), 2), bracket_choices((0, 0), 2), bracket_choices((0,), 2)
    (2, 1, 2)
    """
    degree = whole_number(degree, "degree", 0)
    indices = [whole_number(i, "an index", 0) for i in sequence(indices, "indices")]
    if len(indices) > degree:
        raise ValueError(f"indices has length {len(indices)}; there are {degree} brackets")
    ways = factorial(degree) // factorial(degree - len(indices))
    for i in set(indices):
        ways //= factorial(indices.count(i))
    return ways


def exponential(x: Number, rate: Number, terms: int) -> list[Feature]:
    """Compute the first Features of exp(rate x z): x^m with weight rate^m / m!, m < terms.

    There are infinitely many; no finite number of them is enough.

    Parameters
    ----------
    x : number
    rate : number
        positive
    terms : int
        1 or more

    Examples
    --------
    >>> [tuple(feature) for feature in exponential(3, 2, 3)]
    [(1.0, 1.0), (3.0, 2.0), (9.0, 2.0)]
    """
    kind = number_kind(x, rate)
    x, rate = to_number(kind, x, "x"), positive(kind, rate, "rate")
    features = [Feature(power(x, 0), power(rate, 0))]
    for m in range(1, whole_number(terms, "terms", 1)):
        value, weight = features[-1]
        features.append(Feature(value * x, weight * rate / m))
    return features


def gaussian(x: Number, gamma: Number, terms: int) -> list[float]:
    """Compute the first of the infinitely many features of Gaussian(gamma) in one dimension.

    Parameters
    ----------
    x : float
    gamma : float
        positive
    terms : int
        how many, 1 or more

    Returns
    -------
    list of floats

    Notes
    -----
    exp(-gamma (x - z)^2) = exp(-gamma x^2) exp(-gamma z^2) exp(2 gamma x z), so they are those of
    exp(2 gamma x z), each times exp(-gamma x^2). Source: CS229, section 1.4. Standard: S27.2.

    Examples
    --------
    >>> gaussian(0, 0.5, 3)
    [1.0, 0.0, 0.0]
    """
    if number_kind(x, gamma) is Fraction:
        name = "x" if number_kind(x) is Fraction else "gamma"
        sentence = "an exponential of a Fraction is not a Fraction;"
        raise with_cure(TypeError, sentence, Cure(f"give {name} as a float", name, float))
    gamma = positive(float, gamma, "gamma")
    features = coordinates(exponential(x, 2 * gamma, terms))
    square: Any = power(to_number(float, x, "x"), 2)
    return [exp(-gamma * square) * feature for feature in features]


def gaussian_remainder(x: Number, z: Number, gamma: Number, terms: int) -> Number:
    """Bound the error of so many features: |t|^terms / terms! with t = 2 gamma x z (S27.2).

    Notes
    -----
    The error is exp(-gamma (x^2 + z^2)) (t^terms / terms! + ...). By Lagrange's form of the
    remainder, the series is at most exp(|t|) times its first term, and |t| <= gamma (x^2 + z^2).

    Examples
    --------
    >>> gaussian_remainder(Fraction(1), 1, Fraction(1, 2), 20) < Fraction(1, 10**18)
    True
    """
    kind, terms = number_kind(x, z, gamma), whole_number(terms, "terms", 1)
    x, z = to_number(kind, x, "x"), to_number(kind, z, "z")
    t: Any = 2 * positive(kind, gamma, "gamma") * x * z
    return power(abs(t), terms) / factorial(terms)


def from_gram(K: MatrixLike) -> list[list[Feature]]:
    """Find features whose inner products are K: every semidefinite matrix is a Gram matrix.

    Parameters
    ----------
    K : n rows of n numbers

    Returns
    -------
    n lists of r Features, r being the rank of K
        inner(rows[i], rows[j]) is K_ij, exactly on Fractions

    Raises
    ------
    ValueError
        if K is not symmetric and positive semidefinite; the message holds the proof

    Notes
    -----
    O(n*n*n). Source: CS229, section 1.4, Mercer's theorem, the half that says "sufficient";
    P K P' = L D L'. Standard: S27.3.

    Examples
    --------
    >>> rows = from_gram([[1, 2], [2, 4]])
    >>> rows
    [[Feature(value=0.5, weight=4.0)], [Feature(value=1.0, weight=4.0)]]
    >>> inner(rows[0], rows[1])
    2.0
    """
    found = mercer(K)  # which checks the numbers
    symmetric_size(K, "K")
    if not found.psd:
        raise ValueError(
            f"K is not positive semidefinite: v'Kv < 0 for v = {quote(found.witness)}"
        )
    factors = ldl(matrix(K, "K"))
    rows: list[list[Feature]] = [[] for _ in factors.order]
    for values, i in zip(factors.L, factors.order):
        rows[i] = [Feature(v, d) for v, d in zip(values[: factors.rank], factors.D)]
    return rows
