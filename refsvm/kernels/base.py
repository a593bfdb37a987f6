"""What a kernel is, and its arithmetic: sums, products and multiples of kernels are kernels.

A kernel is any function k(x, z) that is pure and symmetric. A Kernel can also be added, multiplied
and scaled, and computes the values of one row with many others at once. A plain function is
wrapped in a Kernel where one is needed.

    x, z      two rows: lists of numbers of one kind, or strings if the kernel takes them
    kind      float or Fraction, see validation.py
    points    the z that rows are compared with; see Kernel.reference_points
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import wraps
from math import isfinite
from typing import Any

from ..numerics.conversion import as_lists, as_number
from ..numerics.pickles import Pickled
from ..numerics.quoting import quote
from ..numerics.rounding_bounds import nearest_double
from ..numerics.types import Kind, Number, Row, RowFunction, Rows, Vector, VectorLike
from ..numerics.validation import check_length, number_kind, sequence, to_number, vector

MAX_NESTING = 100  # kernels in kernels
KNOWN = (  # how those of this package are made
    *("Linear()", "Polynomial(degree)", "MonomialSum(degree)", "Gaussian(gamma)"),
    *("Sigmoid(gamma, coef0)", "Cauchy(gamma)", "Spectrum(length)", "Precomputed()"),
)


class Kernel(Pickled):
    """What every kernel can do: k(x, z), k1 + k2, k1 * k2 and c * k (S2.3).

    Subclass it and define __call__(x, z) to give a kernel of your own the arithmetic. A plain
    function works wherever a kernel is needed, but cannot be the left side of a sum.

    Notes
    -----
    A subclass may override the other methods to be faster or stricter; standard.py says how.

    Examples
    --------
    >>> class Jaccard(Kernel):
    ...     def __call__(self, x, z):
    ...         return len(set(x) & set(z)) / len(set(x) | set(z))
    >>> k = 2 * Jaccard() + Jaccard()
    >>> k("ab", "bc")
    1.0
    """

    depth: int = 0  # of kernels in kernels
    word: str = ""  # what an estimator and the command line call it
    formula: str = ""  # as the help of the command line has it
    inner_product: bool = False  # True: its formula alone says so, whatever the rows are
    bounded: bool = False  # True: finite rows give finite values, which need not be checked
    symmetric: bool = False  # True: its formula alone says so; else some values are compared
    has_rows: bool = True  # whether it compares rows, which another kernel can compare too
    takes_strings: bool = True  # whether a row may be a string
    takes_numbers: bool = True  # whether a row may be a list of numbers
    is_callers: bool = False  # whether it calls code of others, which may change what it reaches

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if not cls.__module__.startswith("refsvm."):
            cls.is_callers = True
            for name, guarded in GUARDS.items():
                if name in vars(cls):
                    setattr(cls, name, guarded(vars(cls)[name]))

    def __call__(self, x: Any, z: Any) -> Number:
        raise NotImplementedError("a kernel defines __call__(x, z)")

    def of_one_kind(self, x: Row, z: Row) -> Number:
        """k(x, z) for rows that were converted to the kind of the parameters before."""
        return self(own_copy(x), own_copy(z))

    def to(self, kind: Kind) -> Kernel:
        """This kernel with its parameters converted to this kind of number."""
        return self

    def parameters(self) -> list[Number]:
        """The parameters that decide, together with the data, the kind of number to use."""
        return []

    def roundings(self, m: int) -> float:
        """How far a value may be off, see value_errors.py; m: terms that are not zero, at most.

        What others compute is taken as it is.
        """
        return 0

    def reference_points(self, X: Any) -> Any:
        """The z that stand for the rows of X in row_function: the rows themselves.

        Precomputed has no use for rows; for it they are the indices of the examples.
        """
        return X

    def squared_norms(self, X: Any, kind: Kind) -> Vector:
        """[k(x, x) for x in X], unchecked: the diagonal of the Gram matrix."""
        return [convert_value(kind, self.of_one_kind(x, x)) for x in X]

    def row_function(self, points: Any, kind: Kind) -> RowFunction:
        """The function that takes x to the row [k(x, z) for z in points].

        x and the points must be lists of numbers of this kind already (or strings). The values
        are not checked.
        """
        return lambda x: [convert_value(kind, self.of_one_kind(x, z)) for z in points]

    def __add__(self, other: Any) -> Kernel:
        return Sum(self, other)

    def __radd__(self, other: object) -> Kernel:
        return Sum(other, self)

    def __mul__(self, other: object) -> Kernel:
        return Product(self, other) if callable(other) else Multiple(other, self)

    def __rmul__(self, other: object) -> Kernel:
        return Product(other, self) if callable(other) else Multiple(other, self)

    def __repr__(self) -> str:
        given = ", ".join(f"{name}={value!r}" for name, value in vars(self).items())
        return f"{type(self).__name__}({given})"

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash((type(self), tuple(vars(self).items())))


# What methods of other classes get, and give
#
# A class of the caller's may do anything to the rows that its methods are given. So these are
# copies; and what comes back is looked at once, here.


def _with_own_rows(method: Any) -> Any:
    """A method of rows, or of a list of rows and more, that gets copies of these."""

    @wraps(method)
    def guarded(self: Kernel, X: Any, *more: Any) -> Any:
        return method(self, _own_rows(X), *map(own_copy, more))

    return guarded


def _with_own_points(row_function: Any) -> Any:
    """A row_function that gets copies of the points, and whose function gets copies of rows."""

    @wraps(row_function)
    def guarded(self: Kernel, points: Any, kind: Kind) -> RowFunction:
        row = row_function(self, _own_rows(points), kind)
        if not callable(row):
            raise TypeError(
                f"row_function of the kernel returned {quote(row)}; a function of a row is needed"
            )
        return lambda x: row(own_copy(x))

    return guarded


def _one_a_row(reference_points: Any) -> Any:
    """A reference_points that gives as many points as there are rows, or is refused."""

    @wraps(reference_points)
    def guarded(self: Kernel, X: Any) -> Any:
        name, n = "reference_points(X) of the kernel", len(X)
        points = sequence(reference_points(self, _own_rows(X)), name)
        check_length(points, n, name)
        return points

    return guarded


def _to_a_kernel(to: Any) -> Any:
    """A method `to` that gives a Kernel, or is refused."""

    @wraps(to)
    def guarded(self: Kernel, kind: Kind) -> Kernel:
        kernel = to(self, kind)
        if not isinstance(kernel, Kernel):
            raise TypeError(f"to(kind) of the kernel returned {quote(kernel)}; a Kernel is needed")
        return kernel

    return guarded


def _own_rows(X: Any) -> Any:
    """Copies of rows, or of a row; as it is what stands for rows that a kernel does not read."""
    return [own_copy(x) for x in X] if type(X) is list else X


GUARDS = {
    "of_one_kind": _with_own_rows,
    "squared_norms": _with_own_rows,
    "row_function": _with_own_points,
    "reference_points": _one_a_row,
    "to": _to_a_kernel,
}


class Composite(Kernel):
    """A kernel made of kernels. It takes the rows that all of its parts take."""

    computed = ("depth",)

    @property
    def parts(self) -> tuple[Kernel, ...]:
        """The kernels that it is made of."""
        raise NotImplementedError

    @property
    def inner_product(self) -> bool:  # type: ignore[override]
        return all(part.inner_product for part in self.parts)

    @property
    def is_callers(self) -> bool:  # type: ignore[override]
        return any(part.is_callers for part in self.parts)

    @property
    def bounded(self) -> bool:  # type: ignore[override]
        return all(part.bounded for part in self.parts)

    @property
    def symmetric(self) -> bool:  # type: ignore[override]
        return all(part.symmetric for part in self.parts)

    @property
    def takes_strings(self) -> bool:  # type: ignore[override]
        return all(part.takes_strings for part in self.parts)

    @property
    def takes_numbers(self) -> bool:  # type: ignore[override]
        return all(part.takes_numbers for part in self.parts)

    def __call__(self, x: Row, z: Any) -> Number:
        kind = number_kind(x, z, self.parameters())
        x = x if isinstance(x, str) else vector(x, "x", kind)
        z = z if isinstance(z, str) else vector(z, "z", kind)
        return self.to(kind).value(x, z)

    def to(self, kind: Kind) -> Composite:
        raise NotImplementedError

    def of_one_kind(self, x: Row, z: Row) -> Number:
        return self.value(x, z)

    def value(self, x: Any, z: Any) -> Number:
        """k(x, z) for rows and parameters of one kind."""
        raise NotImplementedError


class Combination(Composite):
    """Two kernels combined value by value."""

    def __init__(self, left: object, right: object) -> None:
        self.left, self.right = as_operand(left), as_operand(right)
        self.depth = _depth_over(self.parts)

    @property
    def parts(self) -> tuple[Kernel, ...]:
        return self.left, self.right

    def combine(self, p: Number, q: Number) -> Number:
        """The value of the combination where the two kernels have the values p and q."""
        raise NotImplementedError

    def parameters(self) -> list[Number]:
        return self.left.parameters() + self.right.parameters()

    def to(self, kind: Kind) -> Combination:
        return type(self)(self.left.to(kind), self.right.to(kind))

    def value(self, x: Row, z: Row) -> Number:
        p, q = self.left.of_one_kind(x, z), self.right.of_one_kind(x, z)
        return self.combine(*_to_one_kind(x, z, p, q))

    def squared_norms(self, X: Rows, kind: Kind) -> Vector:
        norms = self.left.squared_norms(X, kind), self.right.squared_norms(X, kind)
        return list(map(self.combine, *norms))

    def row_function(self, points: Rows, kind: Kind) -> RowFunction:
        left, right = self.left.row_function(points, kind), self.right.row_function(points, kind)
        return lambda x: list(map(self.combine, left(x), right(x)))


class Sum(Combination):
    """k1 + k2: the features of both, side by side.

    >>> from refsvm.kernels.standard import Linear
    >>> (Linear() + Linear())([1, 2], [3, 4])
    22.0
    """

    def combine(self, p: Number, q: Number) -> Number:
        return p + q

    def __repr__(self) -> str:
        return f"({self.left!r} + {self.right!r})"


class Product(Combination):
    """k1 * k2: every feature of one times every feature of the other."""

    def combine(self, p: Number, q: Number) -> Number:
        return p * q

    def __repr__(self) -> str:
        return f"{self.left!r} * {_with_parentheses(self.right)}"


class Multiple(Composite):
    """c * k for a number c >= 0: the features of k, each times the root of c.

    >>> from refsvm.kernels.standard import Linear
    >>> (0.5 * Linear())([1, 2], [3, 4])
    5.5
    """

    def __init__(self, factor: object, kernel: object) -> None:
        self.factor = finite_parameter(factor, "the factor of a kernel")
        self.kernel = as_operand(kernel)
        if self.factor < 0:
            raise ValueError(f"the factor of a kernel is {quote(factor)}; it must not be negative")
        self.depth = _depth_over(self.parts)

    @property
    def parts(self) -> tuple[Kernel, ...]:
        return (self.kernel,)

    @property
    def bounded(self) -> bool:  # type: ignore[override]
        return self.kernel.bounded and self.factor <= 1

    def parameters(self) -> list[Number]:
        return [self.factor, *self.kernel.parameters()]

    def to(self, kind: Kind) -> Multiple:
        return Multiple(kind(self.factor), self.kernel.to(kind))

    def value(self, x: Row, z: Row) -> Number:
        factor, value = _to_one_kind(x, z, self.factor, self.kernel.of_one_kind(x, z))
        return factor * value

    def squared_norms(self, X: Rows, kind: Kind) -> Vector:
        return [self.factor * value for value in self.kernel.squared_norms(X, kind)]

    def row_function(self, points: Rows, kind: Kind) -> RowFunction:
        factor, values = self.factor, self.kernel.row_function(points, kind)
        return lambda x: [factor * value for value in values(x)]

    def __repr__(self) -> str:
        return f"{self.factor!r} * {_with_parentheses(self.kernel)}"


class FunctionKernel(Kernel):
    """A plain function k(x, z), wrapped as a Kernel."""

    is_callers = True

    def __init__(self, function: Any) -> None:
        self.function = function

    def __call__(self, x: Row, z: Row) -> Any:
        return self.function(x, z)

    def __repr__(self) -> str:
        return getattr(self.function, "__name__", repr(self.function))


def as_kernel(kernel: Any) -> Kernel:
    """A Kernel for any callable k(x, z); TypeError for anything else."""
    if isinstance(kernel, Kernel):
        return kernel
    if isinstance(kernel, str):
        raise ValueError(
            f"kernel is {quote(kernel)}; the known ones are {', '.join(KNOWN)},"
            " or a function k(x, z)"
        )
    if not callable(kernel) or isinstance(kernel, type):
        raise TypeError(f"kernel is {quote(kernel)}; a kernel or a function k(x, z) is needed")
    return FunctionKernel(kernel)


def own_copy(x: Row) -> Row:
    """A row for a function of the caller's: what it does to the list changes nothing here."""
    return x[:] if type(x) is list else x


def as_operand(kernel: Any) -> Kernel:
    """A Kernel that may be part of a sum, product or multiple; TypeError for Precomputed.

    The X of Precomputed is a matrix of values: it holds no rows for the other part.
    """
    kernel = as_kernel(kernel)
    if not kernel.has_rows:
        name = type(kernel).__name__
        raise TypeError(f"{name} cannot be part of a sum, product or multiple of kernels")
    return kernel


def finite_parameter(value: object, name: str) -> Number:
    """A parameter of a kernel as a finite number, of the kind that it has by itself."""
    return to_number(number_kind(value), value, name)


def checked_row_function(kernel: Kernel, points: Any, kind: Kind, n: int) -> RowFunction:
    """kernel.row_function(points, kind), with each row checked: n numbers of this kind.

    A kernel of the caller's own may return an array, or a row that is too short.
    """
    row = kernel.row_function(points, kind)
    return lambda x: convert_values(kind, row(x), n, "a row of kernel values")


def _depth_over(parts: Sequence[Kernel]) -> int:
    """The depth of a kernel of these parts; refused where Python would call itself too often."""
    depth = 1 + max(part.depth for part in parts)
    if depth > MAX_NESTING:
        raise ValueError(
            f"kernel is made of kernels {depth} deep; it must be at most {MAX_NESTING}, so add"
            " many kernels in pairs, and the sums in pairs again"
        )
    return depth


def _with_parentheses(kernel: Kernel) -> str:
    """The repr of a right operand, in parentheses where it would be read as two operands."""
    return f"({kernel!r})" if isinstance(kernel, (Product, Multiple)) else repr(kernel)


# What a kernel returned, as numbers of one kind; it may be NaN or infinite


def convert_values(kind: Kind, values: VectorLike, n: int, name: str) -> Vector:
    """n values that a kernel returned, as a new list of numbers of this kind."""
    if type(values) is list and len(values) == n and set(map(type, values)) <= {kind}:
        return list(values)
    values = sequence(values, name)
    check_length(values, n, name)
    return [convert_value(kind, value) for value in values]


def _to_one_kind(x: Row, z: Row, p: Number, q: Number) -> tuple[Number, Number]:
    """p and q, converted to the one kind of number that they decide together with x and z, rows of
    one kind already."""
    kind = number_kind(x[:1], z[:1], p, q)
    return convert_value(kind, p), convert_value(kind, q)


def convert_value(kind: Kind, value: object) -> Number:
    """A value that a kernel returned, as a number of this kind; it may be NaN or infinite.

    >>> convert_value(float, None)
    Traceback (most recent call last):
      ...
    TypeError: a kernel returned None; a number is needed
    """
    if type(value) is float and kind is float:
        return value
    value = as_lists(value)
    number = as_number(value)  # NumPy's ints would overflow in silence
    if number is None:
        raise TypeError(f"a kernel returned {quote(value)}; a number is needed")
    if kind is not float and not isinstance(number, float):
        return kind(number)
    double = nearest_double(number)
    return kind(double) if isfinite(double) else double
