"""Kernels: inner products of images that are never written down.

    Linear       <x, z>                           Polynomial   (gamma <x, z> + coef0)^degree
    Gaussian     exp(-gamma |x - z|^2)            Sigmoid      tanh(gamma <x, z> + coef0)
    MonomialSum  1 + s + ... + s^degree           Precomputed  the caller brings the Gram matrix

(with s = <x, z>; the kernel of strings, Spectrum, is in strings.py)

Throughout this module
    x, z      two rows: lists of numbers of one kind (a kernel of your own may take strings)
    kind      float or Fraction, see validation.py
    points    what a row is compared with: rows, or for Precomputed the indices of examples

What every kernel can do, and their arithmetic, is in base.py.

The formulas are part of the definition: the squared distance is the sum of (x - z)(x - z), never
<x, x> + <z, z> - 2 <x, z>, which cancels. Exponentials exist on floats only, so Gaussian and
Sigmoid refuse Fractions.
"""

from math import inf

from ..numerics.elementary import exp, exps, power, tanh
from ..numerics.linalg import dot, squared_distance
from ..numerics.validation import number_kind, positive, vector, whole_number
from .base import Kernel, checked
from .columns import Columns


class FormulaKernel(Kernel):
    """A kernel given by a formula on numbers: checks its rows, and computes many at once."""

    takes_strings = False

    def __call__(self, x, z):
        kind = number_kind(x, z, self.numbers())
        x, z = vector(x, "x", kind), vector(z, "z", kind)
        if len(x) != len(z):
            raise ValueError(f"z has length {len(z)}; x has length {len(x)}")
        return self.to(kind).value(x, z)

    def numbers(self):
        return list(vars(self).values())

    def squared_norms(self, X, kind):
        return [self.value(x, x) for x in X]


class Linear(FormulaKernel):
    """k(x, z) = <x, z>.

    >>> Linear()([1, 2], [3, 4])
    11.0
    """

    def value(self, x, z):
        """k(x, z) for two lists of numbers of the kernel's own kind, unchecked."""
        return dot(x, z)

    def against(self, points, kind):
        return Columns(points, kind).dots


class Polynomial(FormulaKernel):
    """k(x, z) = (gamma <x, z> + coef0)^degree, with 0^0 = 1; degree a whole number from 0.

    >>> Polynomial(2, coef0=1)([1, 2], [3, 4])
    144.0
    """

    def __init__(self, degree, gamma=1, coef0=0):
        self.degree = whole_number(degree, "degree", 0)
        self.gamma = checked(gamma, "gamma")
        self.coef0 = checked(coef0, "coef0")

    def to(self, kind):
        return Polynomial(self.degree, kind(self.gamma), kind(self.coef0))

    def value(self, x, z):
        return power(self.gamma * dot(x, z) + self.coef0, self.degree)

    def against(self, points, kind):
        gamma, coef0, degree = self.gamma, self.coef0, self.degree
        dots = Columns(points, kind).dots
        return lambda x: [power(gamma * s + coef0, degree) for s in dots(x)]


class MonomialSum(FormulaKernel):
    """k(x, z) = 1 + s + s^2 + ... + s^degree with s = <x, z>; degree a whole number from 0.

    Its features are all products of at most `degree` attributes, x_i x_j and x_j x_i both:
    features.ordered_monomials. Polynomial(degree, coef0=1) has the same ones, weighted otherwise:
    its value is (1 + s)^degree.

    Source: Ng and Ma, CS229 lecture notes, part V, equations (5) and (9).

    >>> MonomialSum(3)([1, 1], [1, 1]), Polynomial(3, coef0=1)([1, 1], [1, 1])
    (15.0, 27.0)
    """

    def __init__(self, degree):
        self.degree = whole_number(degree, "degree", 0)

    def value(self, x, z):
        return sum_of_powers(dot(x, z), self.degree)

    def against(self, points, kind):
        degree, dots = self.degree, Columns(points, kind).dots
        return lambda x: [sum_of_powers(s, degree) for s in dots(x)]


def sum_of_powers(s, degree):
    """1 + s + s^2 + ... + s^degree as 1 + s (1 + s (1 + ...)): O(degree), a number like s.

    >>> sum_of_powers(2.0, 3)
    15.0
    """
    total = power(s, 0)
    for _ in range(degree):
        total = 1 + s * total
    return total


class Gaussian(FormulaKernel):
    """k(x, z) = exp(-gamma |x - z|^2) with gamma > 0; floats only.

    >>> Gaussian(0.5)([1, 2], [1, 2])
    1.0
    """

    bounded = True

    def __init__(self, gamma):
        self.gamma = positive(number_kind(gamma), gamma, "gamma")

    @classmethod
    def from_sigma(cls, sigma):
        """The Gaussian of width sigma: gamma = 1 / (2 sigma^2).

        >>> Gaussian.from_sigma(1)
        Gaussian(gamma=0.5)
        """
        sigma = positive(number_kind(sigma), sigma, "sigma")
        twice_square = 2 * (sigma * sigma)
        if not 0 < twice_square < inf or 1 / twice_square == inf:
            raise ValueError(f"sigma is {sigma}; 1 / (2 sigma^2) must be a number a double holds")
        return cls(1 / twice_square)

    def to(self, kind):
        return Gaussian(floats_only(self, kind)(self.gamma))

    def value(self, x, z):
        return exp(-self.gamma * squared_distance(x, z))

    def squared_norms(self, X, kind):
        return [exp(kind(0))] * len(X)  # every row is at distance 0 from itself

    def against(self, points, kind):
        gamma, distances = self.gamma, Columns(points, kind).squared_distances
        return lambda x: exps([-gamma * s for s in distances(x)])


class Sigmoid(FormulaKernel):
    """k(x, z) = tanh(gamma <x, z> + coef0); floats only. Not a Mercer kernel in general.

    >>> Sigmoid(1, 0)([0, 0], [3, 4])
    0.0
    """

    def __init__(self, gamma, coef0):
        self.gamma = checked(gamma, "gamma")
        self.coef0 = checked(coef0, "coef0")

    def to(self, kind):
        kind = floats_only(self, kind)
        return Sigmoid(kind(self.gamma), kind(self.coef0))

    def value(self, x, z):
        return tanh(self.gamma * dot(x, z) + self.coef0)

    def against(self, points, kind):
        gamma, coef0, dots = self.gamma, self.coef0, Columns(points, kind).dots
        return lambda x: [tanh(gamma * s + coef0) for s in dots(x)]


class Precomputed(Kernel):
    """The Gram matrix is given: X[i][j] is the kernel value of the examples i and j.

    A row to predict holds its kernel values with every training example, in their order.
    """

    has_rows = False
    takes_strings = False

    def __call__(self, x, z):
        raise TypeError("Precomputed has no formula; its values are the entries of X")

    def points(self, X):
        return list(range(len(X)))

    def squared_norms(self, X, kind):
        return [x[i] for i, x in enumerate(X)]

    def against(self, points, kind):
        return lambda x: [x[i] for i in points]


def floats_only(kernel, kind):
    """float, or a TypeError: an exponential of a Fraction is not a Fraction."""
    if kind is not float:
        raise TypeError(
            f"{type(kernel).__name__} needs floats; its values on Fractions are not Fractions"
        )
    return kind
