"""What a kernel is, and its arithmetic: sums, products and multiples of kernels are kernels.

A kernel is any function k(x, z) that is pure and symmetric. A Kernel can also be added, multiplied
and scaled, and can take one row against many at once; a plain function is wrapped into one.

Throughout this module
    x, z      two rows: lists of numbers of one kind, or strings if the kernel takes them
    kind      float or Fraction, see validation.py
    points    what a row is compared with
"""

from fractions import Fraction
from math import inf, isfinite

from ..numerics.validation import as_lists, number_kind, same_length, sequence, to_number, vector


class Kernel:
    """What every kernel can do: k(x, z), k1 + k2, k1 * k2 and c * k.

    Subclass it and define __call__(x, z) to give a kernel of your own the arithmetic; a plain
    function works wherever a kernel is asked for, but cannot be the left side of a sum.

    >>> class Jaccard(Kernel):
    ...     def __call__(self, x, z):
    ...         return len(set(x) & set(z)) / len(set(x) | set(z))
    >>> k = 2 * Jaccard() + Jaccard()
    """

    bounded = False  # True says: finite rows give finite values, so nobody needs to look
    has_rows = True  # whether what it compares are rows, which another kernel can compare, too
    takes_strings = True  # whether a row may be a string; a kernel of your own knows itself
    takes_numbers = True  # whether a row may be a list of numbers

    def __call__(self, x, z):
        raise NotImplementedError("a kernel defines __call__(x, z)")

    def to(self, kind):
        """This kernel with its parameters as numbers of this kind."""
        return self

    def numbers(self):
        """The parameters that decide, with the data, which kind of number is used."""
        return []

    def points(self, X):
        """What the rows of X are as points to be compared with: the rows themselves."""
        return X

    def squared_norms(self, X, kind):
        """[k(x, x) for x in X], unchecked: the diagonal of the Gram matrix."""
        return [kernel_value(kind, self(x, x)) for x in X]

    def against(self, points, kind):
        """The function that takes x to the list of k(x, z) for z in points.

        The rows must be lists of numbers of this kind already; values are not checked.
        """
        return lambda x: [kernel_value(kind, self(x, z)) for z in points]

    def __add__(self, other):
        return Sum(self, other)

    def __radd__(self, other):
        return Sum(other, self)

    def __mul__(self, other):
        return Product(self, other) if callable(other) else Multiple(other, self)

    def __rmul__(self, other):
        return Product(other, self) if callable(other) else Multiple(other, self)

    def __repr__(self):
        given = ", ".join(f"{name}={value!r}" for name, value in vars(self).items())
        return f"{type(self).__name__}({given})"

    def __eq__(self, other):
        return type(self) is type(other) and vars(self) == vars(other)

    def __hash__(self):
        return hash((type(self), tuple(vars(self).items())))


class Composite(Kernel):
    """A kernel made of kernels: takes whatever rows its parts take, numbers or strings."""

    def __call__(self, x, z):
        kind = number_kind(x, z, self.numbers())
        x = x if isinstance(x, str) else vector(x, "x", kind)
        z = z if isinstance(z, str) else vector(z, "z", kind)
        return self.to(kind).value(x, z)


class Combination(Composite):
    """Two kernels made into one, value by value."""

    def __init__(self, left, right):
        self.left, self.right = as_part(left), as_part(right)

    @property
    def bounded(self):
        return self.left.bounded and self.right.bounded

    @property
    def takes_strings(self):
        return self.left.takes_strings and self.right.takes_strings

    @property
    def takes_numbers(self):
        return self.left.takes_numbers and self.right.takes_numbers

    def numbers(self):
        return self.left.numbers() + self.right.numbers()

    def to(self, kind):
        return type(self)(self.left.to(kind), self.right.to(kind))

    def value(self, x, z):
        return self.of_values(*of_one_kind(x, z, self.left(x, z), self.right(x, z)))

    def squared_norms(self, X, kind):
        norms = self.left.squared_norms(X, kind), self.right.squared_norms(X, kind)
        return list(map(self.of_values, *norms))

    def against(self, points, kind):
        left, right = self.left.against(points, kind), self.right.against(points, kind)
        return lambda x: list(map(self.of_values, left(x), right(x)))


class Sum(Combination):
    """k1 + k2: the features of both, side by side.

    >>> from refsvm.kernels.standard import Linear
    >>> (Linear() + Linear())([1, 2], [3, 4])
    22.0
    """

    def of_values(self, p, q):
        return p + q

    def __repr__(self):
        return f"({self.left!r} + {self.right!r})"


class Product(Combination):
    """k1 * k2: every feature of one times every feature of the other."""

    def of_values(self, p, q):
        return p * q

    def __repr__(self):
        return f"{self.left!r} * {grouped(self.right)}"


class Multiple(Composite):
    """c * k for a number c >= 0: the features of k, each times the root of c.

    >>> from refsvm.kernels.standard import Linear
    >>> (0.5 * Linear())([1, 2], [3, 4])
    5.5
    """

    def __init__(self, factor, kernel):
        self.factor, self.kernel = checked(factor, "the factor of a kernel"), as_part(kernel)
        if self.factor < 0:
            raise ValueError(f"the factor of a kernel is {factor}; it must not be negative")

    @property
    def bounded(self):
        return self.kernel.bounded and self.factor <= 1

    @property
    def takes_strings(self):
        return self.kernel.takes_strings

    @property
    def takes_numbers(self):
        return self.kernel.takes_numbers

    def numbers(self):
        return [self.factor] + self.kernel.numbers()

    def to(self, kind):
        return Multiple(kind(self.factor), self.kernel.to(kind))

    def value(self, x, z):
        factor, value = of_one_kind(x, z, self.factor, self.kernel(x, z))
        return factor * value

    def squared_norms(self, X, kind):
        return [self.factor * value for value in self.kernel.squared_norms(X, kind)]

    def against(self, points, kind):
        factor, values = self.factor, self.kernel.against(points, kind)
        return lambda x: [factor * value for value in values(x)]

    def __repr__(self):
        return f"{self.factor!r} * {grouped(self.kernel)}"


class Function(Kernel):
    """A function of the caller's as a kernel."""

    def __init__(self, function):
        self.function = function

    def __call__(self, x, z):
        return self.function(x, z)

    def __repr__(self):
        return getattr(self.function, "__name__", repr(self.function))


def as_kernel(kernel):
    """A Kernel for any callable k(x, z); TypeError for anything else."""
    if isinstance(kernel, Kernel):
        return kernel
    if isinstance(kernel, str):
        raise ValueError(
            f"kernel is {kernel!r}; the known ones are Linear(), Polynomial(degree),"
            " MonomialSum(degree), Gaussian(gamma), Sigmoid(gamma, coef0), Spectrum(length),"
            " Precomputed(), or a function k(x, z)"
        )
    if not callable(kernel) or isinstance(kernel, type):
        raise TypeError(f"kernel is {kernel!r}; a kernel or a function k(x, z) is needed")
    return Function(kernel)


def as_part(kernel):
    """A Kernel that may be part of a sum, product or multiple.

    Precomputed may not: its X is a matrix of values, and holds no rows for the other part.
    """
    kernel = as_kernel(kernel)
    if not kernel.has_rows:
        name = type(kernel).__name__
        raise TypeError(f"{name} cannot be part of a sum, product or multiple of kernels")
    return kernel


def checked(value, name):
    """A parameter as a finite number of its own kind."""
    return to_number(number_kind(value), value, name)


def rows_against(kernel, points, kind, n):
    """kernel.against(points, kind), whose rows are what they should be: n numbers of this kind.

    Those of a caller's class may be arrays, or too short.
    """
    row = kernel.against(points, kind)
    return lambda x: kernel_values(kind, row(x), n, "a row of kernel values")


def norms_of(kernel, X, kind):
    """kernel.squared_norms(X, kind), one number of this kind for each row."""
    norms = kernel.squared_norms(X, kind)
    return kernel_values(kind, norms, len(X), "squared_norms(X) of the kernel")


def kernel_values(kind, values, n, name):
    """The n values that a kernel returned at once, as a new list of numbers of this kind."""
    if type(values) is list and len(values) == n and set(map(type, values)) <= {kind}:
        return list(values)
    values = sequence(values, name)
    same_length(values, n, name)
    return [kernel_value(kind, value) for value in values]


def grouped(kernel):
    """The repr of a right operand, in parentheses where it would be read as two operands."""
    return f"({kernel!r})" if isinstance(kernel, (Product, Multiple)) else repr(kernel)


def of_one_kind(x, z, p, q):
    """p and q as numbers of the one kind that x, z, p and q decide."""
    kind = number_kind(x, z, p, q)
    return kernel_value(kind, p), kernel_value(kind, q)


def kernel_value(kind, value):
    """What a caller's kernel returned, as a number of this kind; it may be NaN or infinite.

    >>> kernel_value(float, None)
    Traceback (most recent call last):
      ...
    TypeError: a kernel returned None; a number is needed
    """
    if type(value) is float and kind is float:
        return value
    value = as_lists(value)
    if not hasattr(value, "__float__"):
        raise TypeError(f"a kernel returned {value!r}; a number is needed")
    if kind is not float and isinstance(value, Fraction):
        return value
    if kind is not float and hasattr(value, "__index__"):
        return kind(value.__index__())  # an int, not NumPy's, which would overflow in silence
    try:
        value = float(value)
    except OverflowError:
        return inf if value > 0 else -inf
    except (TypeError, ValueError):  # a class, and a NaN that signals
        raise TypeError(f"a kernel returned {value!r}; a number is needed") from None
    return kind(value) if isfinite(value) else value
