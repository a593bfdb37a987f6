"""The kernels: inner products of feature vectors that are never written down.

    Linear       <x, z>                           Polynomial   (gamma <x, z> + coef0)^degree
    Gaussian     exp(-gamma |x - z|^2)            Sigmoid      tanh(gamma <x, z> + coef0)
    MonomialSum  1 + s + ... + s^degree           Cauchy       1 / (1 + gamma |x - z|^2)
    Precomputed  the caller brings the Gram matrix

(with s = <x, z>; the kernel of strings, Spectrum, is in strings.py)

To add a kernel, for which Cauchy is a pattern:

 1. A class here, a FormulaKernel, with `word` (what SVC and the command line call it) and
    `formula` (for their help); inner_product = True if the formula is one of features, whatever
    the rows are; bounded = True if finite rows have finite values.
 2. __init__ sets the parameters under their own names, where repr, == and pickle read them, each
    checked: positive(kind, value, name), as in positive(number_kind(gamma), gamma, "gamma"), or
    finite_parameter(value, name), or whole_number(value, name, least).
 3. value(x, z); to(kind), if there are parameters, with _floats_only where a value on Fractions
    is none; roundings(m), how far a value in doubles may be off (value_errors.py, whose head gets
    a line). row_function may be faster, with the bits of value.
 4. Its name in FORMULAS, below. Now SVC(kernel=word) has it, `refsvm train --kernel word`, grid,
    certificates; LIBSVM's files and C refuse it by its name; refsvm_fast asks it for values until
    it is compiled there.
 5. Its name in refsvm/__init__.py, __init__.pyi, base.KNOWN, the list of spec/README.md and the
    table in spec/standard/problem.md; a value by hand in tests/test_kernels.py. The rest
    tests/test_new_kernels.py asks of every class in FORMULAS.

    x, z      two rows: lists of numbers of one kind
    kind      float or Fraction, see validation.py
    points    the z that rows are compared with: rows, or for Precomputed the indices of examples

The formulas are part of the definition: the squared distance is the sum of (x - z)(x - z), never
<x, x> + <z, z> - 2 <x, z>, which cancels. Where gamma is near the ends of the doubles, rows are
multiplied by a power of two (extreme_gamma.py). Exponentials exist on floats only, so Gaussian and
Sigmoid refuse Fractions. What every kernel can do, and their arithmetic, is in base.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from inspect import signature
from math import inf
from typing import Any, NoReturn

from ..numerics.cures import Cure, in_floats, with_cure
from ..numerics.elementary import exp, exps, power, tanh
from ..numerics.linalg import dot
from ..numerics.quoting import quote
from ..numerics.sparse_rows import laid_out, narrowed, row_numbers
from ..numerics.types import Kind, MatrixLike, Number, RowFunction, Vector, VectorLike
from ..numerics.validation import number_kind, positive, vector, whole_number
from .base import Composite, Kernel, finite_parameter
from .columns import Columns
from .extreme_gamma import (
    gamma_of_sigma,
    is_extreme,
    row_function_in_unit,
    times_dot,
    times_squared_distance,
)

LARGEST_OF_T = 0.3679  # t e^-t is at most 1 / e = 0.36787..


class FormulaKernel(Kernel):
    """A kernel given by a formula on numbers. It checks its rows; strings are refused.

    >>> class Squared(FormulaKernel):
    ...     def value(self, x, z):
    ...         return dot(x, z) * dot(x, z)
    >>> Squared()([1, 2], [3, 4])
    121.0
    """

    takes_strings, symmetric = False, True

    def __call__(self, x: Any, z: Any) -> Number:
        kind = number_kind(x, z, self.parameters())
        x, z = vector(x, "x", kind), vector(z, "z", kind)
        if len(x) != len(z):
            raise ValueError(f"z has length {len(z)}; x has length {len(x)}")
        _, (x,), (z,) = comparable(self, [x], [z])
        return self.to(kind).value(x, z)

    def of_one_kind(self, x: Any, z: Any) -> Number:
        # The rows of a sum or product may be sparse, or of two lengths: __call__ sees to these.
        plain = type(x) is type(z) is list and len(x) == len(z)
        return self.value(x, z) if plain else self(x, z)

    def to(self, kind: Kind) -> FormulaKernel:
        return self

    def value(self, x: Any, z: Any) -> Number:
        """k(x, z) for two lists of numbers of the kernel's own kind, unchecked."""
        raise NotImplementedError("a kernel defines value(x, z)")

    def parameters(self) -> list[Number]:
        return list(vars(self).values())

    def squared_norms(self, X: MatrixLike, kind: Kind) -> Vector:
        return [self.value(x, x) for x in map(row_numbers, X)]  # zeros add nothing to <x, x>

    def row_function(self, points: Sequence[VectorLike], kind: Kind) -> RowFunction:
        return lambda x: [self.value(x, z) for z in points]


class Linear(FormulaKernel):
    """The kernel k(x, z) = <x, z> (S2.3).

    >>> Linear()([1, 2], [3, 4])
    11.0
    """

    word, formula, inner_product = "linear", "x.z", True

    def roundings(self, m: int) -> float:
        return m

    def value(self, x: VectorLike, z: VectorLike) -> Number:
        return dot(x, z)

    def row_function(self, points: MatrixLike, kind: Kind) -> RowFunction:
        return Columns(points, kind).dots


class Polynomial(FormulaKernel):
    """The kernel k(x, z) = (gamma <x, z> + coef0)^degree, with 0^0 = 1 (S2.3).

    Parameters
    ----------
    degree : int
        0 or more
    gamma, coef0 : finite numbers
        not checked for Mercer's condition, which holds if neither is negative

    Examples
    --------
    >>> Polynomial(2, coef0=1)([1, 2], [3, 4])
    144.0
    """

    word, formula = "poly", "(gamma x.z + coef0)^degree"

    def __init__(self, degree: int, gamma: Number = 1, coef0: Number = 0) -> None:
        self.degree = whole_number(degree, "degree", 0)
        self.gamma = finite_parameter(gamma, "gamma")
        self.coef0 = finite_parameter(coef0, "coef0")

    @property
    def inner_product(self) -> bool:  # type: ignore[override]
        return self.gamma >= 0 and self.coef0 >= 0

    def to(self, kind: Kind) -> Polynomial:
        return Polynomial(self.degree, kind(self.gamma), kind(self.coef0))

    def roundings(self, m: int) -> float:
        return self.degree * (m + 3)

    def value(self, x: VectorLike, z: VectorLike) -> Number:
        return power(times_dot(self.gamma, x, z) + self.coef0, self.degree)

    def row_function(self, points: MatrixLike, kind: Kind) -> RowFunction:
        if is_extreme(self.gamma):
            return row_function_in_unit(self, Polynomial.row_function, points, kind)
        gamma, coef0, degree = self.gamma, self.coef0, self.degree
        dots = Columns(points, kind).dots
        return lambda x: [power(gamma * s + coef0, degree) for s in dots(x)]


class MonomialSum(FormulaKernel):
    """The kernel k(x, z) = 1 + s + s^2 + ... + s^degree with s = <x, z> (S2.3).

    Its features are all products of at most `degree` attributes, x_i x_j and x_j x_i both:
    feature_maps.ordered_monomials. Polynomial(degree, coef0=1) has the same ones with other
    weights: its value is (1 + s)^degree.

    Parameters
    ----------
    degree : int
        0 or more

    Notes
    -----
    Source: Ng and Ma, CS229 lecture notes, part V, equations (5) and (9).

    Examples
    --------
    >>> MonomialSum(3)([1, 1], [1, 1]), Polynomial(3, coef0=1)([1, 1], [1, 1])
    (15.0, 27.0)
    """

    inner_product = True

    def __init__(self, degree: int) -> None:
        self.degree = whole_number(degree, "degree", 0)

    def roundings(self, m: int) -> float:
        return self.degree * (m + 2)

    def value(self, x: VectorLike, z: VectorLike) -> Number:
        return _horner_sum(dot(x, z), self.degree)

    def row_function(self, points: MatrixLike, kind: Kind) -> RowFunction:
        degree, dots = self.degree, Columns(points, kind).dots
        return lambda x: [_horner_sum(s, degree) for s in dots(x)]


def sum_of_powers(s: Number, degree: int) -> Number:
    """1 + s + s^2 + ... + s^degree as 1 + s (1 + s (1 + ...)): O(degree), a number like s.

    >>> sum_of_powers(2.0, 3)
    15.0
    """
    return _horner_sum(finite_parameter(s, "s"), whole_number(degree, "degree", 0))


def _horner_sum(s: Number, degree: int) -> Number:
    """The same of an s that may be infinite, as a product of rows of large numbers is."""
    total = power(s, 0)
    for _ in range(degree):
        total = 1 + s * total
    return total


class Gaussian(FormulaKernel):
    """The kernel k(x, z) = exp(-gamma |x - z|^2); floats only (S2.3).

    Parameters
    ----------
    gamma : float
        positive

    Examples
    --------
    >>> Gaussian(0.5)([1, 2], [1, 2])
    1.0
    """

    word, formula = "rbf", "exp(-gamma |x - z|^2)"
    inner_product = bounded = True

    def __init__(self, gamma: Number) -> None:
        self.gamma: Any = positive(number_kind(gamma), gamma, "gamma")

    @classmethod
    def from_sigma(cls, sigma: Number) -> Gaussian:
        """Make the Gaussian of width sigma: gamma = 1 / (2 sigma^2).

        >>> Gaussian.from_sigma(1)
        Gaussian(gamma=0.5)
        """
        sigma = positive(number_kind(sigma), sigma, "sigma")
        gamma = gamma_of_sigma(sigma)
        if not 0 < gamma < inf:
            raise ValueError(
                f"sigma is {quote(sigma)}; 1 / (2 sigma^2) must be a number a double holds"
            )
        return cls(gamma)

    def to(self, kind: Kind) -> Gaussian:
        return Gaussian(_floats_only(self, kind)(self.gamma))

    def roundings(self, m: int) -> float:
        return 2 + (m + 3) * LARGEST_OF_T

    def value(self, x: VectorLike, z: VectorLike) -> Number:
        s: Any = times_squared_distance(self.gamma, x, z)
        return exp(-s)

    def squared_norms(self, X: MatrixLike, kind: Kind) -> Vector:
        norms: Vector = [exp(0.0)] * len(X)  # every row is at distance 0 from itself
        return norms

    def row_function(self, points: Sequence[VectorLike], kind: Kind) -> RowFunction:
        if is_extreme(self.gamma):
            return row_function_in_unit(self, Gaussian.row_function, points, kind)
        gamma, distances = self.gamma, Columns(points, kind).squared_distances
        return lambda x: exps([-gamma * s for s in distances(x)])  # the bits of -(gamma * s)


class Sigmoid(FormulaKernel):
    """The kernel k(x, z) = tanh(gamma <x, z> + coef0); floats only (S2.3).

    It does not fulfil Mercer's condition in general.

    >>> Sigmoid(1, 0)([0, 0], [3, 4])
    0.0
    """

    word, formula = "sigmoid", "tanh(gamma x.z + coef0)"

    def __init__(self, gamma: Number, coef0: Number) -> None:
        self.gamma: Any = finite_parameter(gamma, "gamma")
        self.coef0: Any = finite_parameter(coef0, "coef0")

    def to(self, kind: Kind) -> Sigmoid:
        kind = _floats_only(self, kind)
        return Sigmoid(kind(self.gamma), kind(self.coef0))

    def roundings(self, m: int) -> float:
        return 8 + m + 2

    def value(self, x: VectorLike, z: VectorLike) -> Number:
        return tanh(times_dot(self.gamma, x, z) + self.coef0)

    def row_function(self, points: Sequence[VectorLike], kind: Kind) -> RowFunction:
        if is_extreme(self.gamma):
            return row_function_in_unit(self, Sigmoid.row_function, points, kind)
        gamma, coef0, dots = self.gamma, self.coef0, Columns(points, kind).dots
        return lambda x: [tanh(gamma * s + coef0) for s in dots(x)]


class Cauchy(FormulaKernel):
    """The kernel k(x, z) = 1 / (1 + gamma |x - z|^2) (S2.3): long tails, on Fractions, too.

    >>> Cauchy(0.5)([1, 2], [1, 4])
    0.3333333333333333
    """

    word, formula = "cauchy", "1/(1 + gamma |x - z|^2)"
    inner_product = bounded = True

    def __init__(self, gamma: Number) -> None:
        self.gamma: Any = positive(number_kind(gamma), gamma, "gamma")

    def to(self, kind: Kind) -> Cauchy:
        return Cauchy(kind(self.gamma))

    def value(self, x: VectorLike, z: VectorLike) -> Number:
        return 1 / (1 + times_squared_distance(self.gamma, x, z))

    def roundings(self, m: int) -> float:
        return 2 + (m + 3) / 4


class Precomputed(Kernel):
    """The kernel whose Gram matrix the caller brings (S2.3): X[i][j] is that of examples i and j.

    A row to predict holds its kernel values with every training example, in their order.

    >>> from refsvm.estimators.svc import SVC
    >>> SVC(kernel=Precomputed()).fit([[2, 1], [1, 2]], ["no", "yes"]).predict([[0, 1]])
    ['yes']
    """

    word = "precomputed"
    has_rows, takes_strings, symmetric = False, False, True

    def __call__(self, x: Any, z: Any) -> NoReturn:
        raise TypeError("Precomputed has no formula; its values are the entries of X")

    def reference_points(self, X: MatrixLike) -> list[int]:
        return list(range(len(X)))

    def squared_norms(self, X: MatrixLike, kind: Kind) -> Vector:
        return [x[i] for i, x in enumerate(X)]

    def row_function(self, points: Sequence[int], kind: Kind) -> RowFunction:
        return lambda x: [x[i] for i in points]


FORMULAS = (Linear, Polynomial, MonomialSum, Gaussian, Sigmoid, Cauchy)
KERNELS: tuple[type[Kernel], ...] = (*FORMULAS, Precomputed)  # a kernel of this file is one here
WORDS = {kernel.word: kernel for kernel in KERNELS if kernel.word}


def parameters_of(kernel: type[Kernel]) -> list[str]:
    """The names of the parameters of a class of kernels.

    >>> parameters_of(Sigmoid), parameters_of(Linear)
    (['gamma', 'coef0'], [])
    """
    return [name for name in signature(kernel).parameters if name not in ("args", "kwargs")]


def ignores_empty_columns(kernel: object) -> bool:
    """Whether columns that are zero in both rows change no value: by its formula, not its name.

    >>> ignores_empty_columns(2 * Linear() + Gaussian(1)), ignores_empty_columns(max)
    (True, False)
    """
    if isinstance(kernel, Composite):
        return all(map(ignores_empty_columns, kernel.parts))
    return type(kernel) in FORMULAS


def comparable(kernel: object, *groups: Any) -> Any:
    """The columns kept, and groups of rows as lists that the kernel can compare; see narrowed.

    A kernel of the caller's own may look at every column: for it, rows are laid out.
    """
    return narrowed(*groups) if ignores_empty_columns(kernel) else (None, *map(laid_out, groups))


def _floats_only(kernel: Kernel, kind: Kind) -> type[float]:
    """float; TypeError if kind is Fraction: an exponential of a Fraction is not a Fraction."""
    if kind is not float:
        sentence = f"the values of {type(kernel).__name__} on Fractions are not Fractions;"
        raise with_cure(TypeError, sentence, Cure("give floats", "X", in_floats))
    return float
