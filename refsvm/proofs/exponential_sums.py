"""Is c_1 e^q_1 + c_2 e^q_2 + ... zero? For fractions that can be decided, without any rounding.

The theorem of Lindemann and Weierstrass: powers of e with different algebraic exponents are
linearly independent over the algebraic numbers. So if the exponents are different fractions and
the coefficients fractions, the sum is zero only if every coefficient is. And sums and products of
such sums are such sums. Values of a Gaussian kernel are of this kind, and what is made of them and
of kernels whose values are fractions; a hyperbolic tangent is a quotient, and is not.

Source: Weierstrass, Sitzungsberichte der Berliner Akademie 5 (1885), pages 1067-1085.
"""

from fractions import Fraction
from itertools import combinations

from ..kernels.base import Multiple, Product, Sum
from ..kernels.standard import Gaussian
from ..numerics.linalg import squared_distance
from .rational_kernels import rational


class ExponentialSum:
    """c_1 e^q_1 + ..: `terms` takes each q to its c; none of them is 0. With +, -, *, and bool.

    >>> e = ExponentialSum({Fraction(1): Fraction(1)})
    >>> bool(e * e - e), bool((e + e) * e - e * e - e * e)
    (True, False)
    """

    def __init__(self, terms):
        self.terms = {q: c for q, c in terms.items() if c != 0}

    @classmethod
    def of(cls, number):
        """The sum that is this Fraction, c e^0."""
        return cls({Fraction(0): number})

    def __bool__(self):
        return bool(self.terms)

    def __add__(self, other):
        terms = dict(self.terms)
        for q, c in other.terms.items():
            terms[q] = terms.get(q, 0) + c
        return ExponentialSum(terms)

    def __neg__(self):
        return ExponentialSum({q: -c for q, c in self.terms.items()})

    def __sub__(self, other):
        return self + -other

    def __mul__(self, other):
        terms = {}
        for q, c in self.terms.items():
            for r, d in other.terms.items():
                terms[q + r] = terms.get(q + r, 0) + c * d
        return ExponentialSum(terms)


def kernel_sum(kernel, x, z):
    """k(x, z) as an ExponentialSum; None if it is no such sum. x and z: Fractions.

    >>> kernel_sum(Gaussian(0.5), [Fraction(0)], [Fraction(2)]).terms
    {Fraction(-2, 1): 1}
    """
    if rational(kernel):
        value = kernel.to(Fraction)(x, z)
        return ExponentialSum.of(value)
    if type(kernel) is Gaussian:
        return ExponentialSum({-Fraction(kernel.gamma) * squared_distance(x, z): 1})
    if type(kernel) is Multiple:
        part = kernel_sum(kernel.kernel, x, z)
        return part and ExponentialSum.of(Fraction(kernel.factor)) * part
    if type(kernel) in (Sum, Product):
        p, q = kernel_sum(kernel.left, x, z), kernel_sum(kernel.right, x, z)
        if p is not None and q is not None:
            return p + q if type(kernel) is Sum else p * q
    return None


def determinant(rows):
    """The determinant of a square matrix of ExponentialSums, without division. O(2^n n) products.

    The minors of the first rows, for each choice of as many columns, from those of a row less.
    """
    n, minors = len(rows), {(): ExponentialSum.of(Fraction(1))}
    for m, row in enumerate(rows):
        longer = {}
        for columns in combinations(range(n), m + 1):
            total = ExponentialSum({})
            for place, j in enumerate(columns):
                part = row[j] * minors[columns[:place] + columns[place + 1 :]]
                total = total + part if (m - place) % 2 == 0 else total - part
            longer[columns] = total
        minors = longer
    return minors[tuple(range(n))]
