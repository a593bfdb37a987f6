"""Feature maps with weights: the images of the polynomial and the Gaussian kernel, kept exact.

Some features have a square root for a factor: (<x, z> + c)^2 has sqrt(2 c) x_0 among them. No
Fraction is that root. So these maps return each feature as Feature(value, weight), which means
sqrt(weight) * value. The inner product needs the weights only, and is exact; `coordinates` takes
the roots, on floats.

    x, z        two rows of d attributes, or two numbers
    degree, c   of the kernel (<x, z> + c)^degree
    f, g        lists of p Features               K, L, D    a Gram matrix, and its factors

Source: Ng and Ma, CS229 lecture notes, part V, section 1.4.
"""

from fractions import Fraction
from itertools import combinations_with_replacement
from math import factorial, sqrt
from typing import Any, NamedTuple

from ..numerics.elementary import exp, power
from ..numerics.factorisations import ldl
from ..numerics.linalg import check_equal_lengths
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


class Feature(NamedTuple):
    """The number sqrt(weight) * value, with the root not taken."""

    value: Any
    weight: Any


def inner(f, g):
    """<phi(x), phi(z)> from two lists of Features: the sum of weight * (value * value). O(p).

    Exact on Fractions. ValueError if the lists do not have the same weights.

    >>> inner([Feature(3, 2)], [Feature(5, 2)])
    30
    """
    refuse_unless_features(f, "f")
    refuse_unless_features(g, "g")
    check_equal_lengths(f, g, "f", "g")
    total = 0
    for m, (a, b) in enumerate(zip(f, g)):
        if a.weight != b.weight:
            raise ValueError(f"g[{m}] has the weight {b.weight}; f[{m}] has {a.weight}")
        total += a.weight * (a.value * b.value)
    return total


def refuse_unless_features(f, name):
    """TypeError unless f is a list of Features."""
    for m, feature in enumerate(sequence(f, name)):
        if not isinstance(feature, Feature):
            raise TypeError(f"{name}[{m}] is {feature!r}; a Feature is needed")


def coordinates(f):
    """The list of sqrt(weight) * value, floats. TypeError for Fractions, which have no roots.

    >>> coordinates([Feature(3.0, 4.0)])
    [6.0]
    """
    refuse_unless_features(f, "f")
    if number_kind(f) is Fraction:
        raise TypeError("f holds Fractions, and coordinates takes square roots; use inner")
    return [sqrt(feature.weight) * feature.value for feature in f]


def quadratic(x, c):
    """x_i x_j, sqrt(2 c) x_i, c: the d d + d + 1 Features whose kernel is (<x, z> + c)^2.

    c weighs the first order against the second. c >= 0: below it there are no roots, and the
    kernel is none (c is refused). Source: CS229, section 1.4.

    >>> for feature in quadratic([3], 2):
    ...     print(feature)
    Feature(value=9.0, weight=1.0)
    Feature(value=3.0, weight=4.0)
    Feature(value=2.0, weight=1.0)
    """
    kind = number_kind(x, c)
    x, c = vector(x, "x", kind), offset_of(c, kind)
    one = power(c, 0)
    second = [Feature(pair, one) for pair in ordered_pairs(x)]
    return second + [Feature(a, 2 * c) for a in x] + [Feature(c, one)]


def polynomial(x, degree, c):
    """The Features of (<x, z> + c)^degree: each distinct monomial once, the shorter ones first.

    The weight of a monomial counts the ways to pick its factors out of the `degree` brackets,
    with c from those left over: degree! / (a_1! a_2! ... m!) c^m, where the attribute i occurs
    a_i times and m brackets are left over. So there are count_distinct(d, degree) Features, and
    count_of_degree(d, degree) if c is 0. Source: CS229, section 1.4 (dimension); the multinomial
    theorem (weights).

    >>> [tuple(feature) for feature in polynomial([3], 2, 1)]
    [(1.0, 1.0), (3.0, 2.0), (9.0, 1.0)]
    """
    kind = number_kind(x, c)
    x, c, degree = vector(x, "x", kind), offset_of(c, kind), whole_number(degree, "degree", 0)
    features = []
    for m in range(degree + 1):
        left_over = power(c, degree - m)
        if left_over == 0:
            continue
        for indices in combinations_with_replacement(range(len(x)), m):
            features.append(Feature(monomial(x, indices), picks(indices, degree) * left_over))
    return features


def offset_of(c, kind):
    """c as a number that is not negative."""
    number = to_number(kind, c, "c")
    if number < 0:
        raise ValueError(f"c is {c}; it must not be negative, as sqrt(c) is part of the features")
    return number


def monomial(x, indices):
    """The product of x_i over the indices.

    >>> monomial([2.0, 3.0], (0, 1, 1))
    18.0
    """
    product = power(x[0], 0)
    for i in indices:
        product *= x[i]
    return product


def picks(indices, degree):
    """In how many ways `degree` brackets can each give one of these factors, or none: an int.

    >>> picks((0, 1), 2), picks((0, 0), 2), picks((0,), 2)
    (2, 1, 2)
    """
    ways = factorial(degree) // factorial(degree - len(indices))
    for i in set(indices):
        ways //= factorial(indices.count(i))
    return ways


def exponential(x, rate, terms):
    """x^m with weight rate^m / m!, m = 0 .. terms - 1: the first Features of exp(rate x z).

    x is a number, rate > 0. They never end: no finite number of them is enough.

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


def gaussian(x, gamma, terms):
    """The first `terms` of the endless features of Gaussian(gamma) in one dimension; floats.

    exp(-gamma (x - z)^2) = exp(-gamma x^2) exp(-gamma z^2) exp(2 gamma x z), so they are those of
    exp(2 gamma x z), each times exp(-gamma x^2). Source: CS229, section 1.4.

    >>> gaussian(0, 0.5, 3)
    [1.0, 0.0, 0.0]
    """
    if number_kind(x, gamma) is Fraction:
        raise TypeError("gaussian needs floats; an exponential of a Fraction is not a Fraction")
    gamma = positive(float, gamma, "gamma")
    features = coordinates(exponential(x, 2 * gamma, terms))
    x = to_number(float, x, "x")
    return [exp(-gamma * (x * x)) * feature for feature in features]


def gaussian_remainder(x, z, gamma, terms):
    """|t|^terms / terms! with t = 2 gamma x z: how far `terms` features can be from the kernel.

    What is left out is exp(-gamma (x^2 + z^2)) (t^terms / terms! + ...), and by Lagrange's form of
    the remainder the series is at most exp(|t|) times its first term; |t| <= gamma (x^2 + z^2).

    >>> gaussian_remainder(Fraction(1), 1, Fraction(1, 2), 20) < Fraction(1, 10**18)
    True
    """
    kind, terms = number_kind(x, z, gamma), whole_number(terms, "terms", 1)
    x, z = to_number(kind, x, "x"), to_number(kind, z, "z")
    t = abs(2 * positive(kind, gamma, "gamma") * x * z)
    return power(t, terms) / factorial(terms)


def from_gram(K):
    """Features whose inner products are K: a list of n lists, one Feature for each rank of K.

    inner(rows[i], rows[j]) is K_ij, exactly on Fractions: every positive semidefinite matrix is a
    Gram matrix. ValueError, with the proof, if K is not. O(n*n*n).
    Source: CS229, section 1.4, Mercer's theorem, the half that says "sufficient"; P K P' = L D L'.

    >>> rows = from_gram([[1, 2], [2, 4]])
    >>> rows
    [[Feature(value=0.5, weight=4.0)], [Feature(value=1.0, weight=4.0)]]
    >>> inner(rows[0], rows[1])
    2.0
    """
    found = mercer(K)
    if not found.symmetric:
        i, j = found.witness
        raise ValueError(f"K[{i}][{j}] is {K[i][j]} and K[{j}][{i}] is {K[j][i]}; no Gram matrix")
    if not found.psd:
        raise ValueError(f"K is not positive semidefinite: v'Kv < 0 for v = {found.witness}")
    K = matrix(K, "K")
    factors = ldl(K)
    rows = [None] * len(K)
    for values, i in zip(factors.L, factors.order):
        rows[i] = [Feature(v, d) for v, d in zip(values[: factors.rank], factors.D)]
    return rows
