"""The rows of a training problem, whatever machine is trained: with their kernel, and w.

    X         rows of numbers, or strings        rows    what is computed with: shifted points
    beta      the coefficient of each example: w = sum beta_i phi(x_i)
    s_i       <w, phi(x_i)>, the score without offset

Columns that are zero in every row are left out where rows are sparse (numerics/sparse_rows.py):
calculations see the points, which are the rows without them. A linear problem is solved on shifted
columns (below) where that is the same problem.

A pickle holds what the problem is made of. To open it makes the problem anew, and checks it. So a
pickle is the same whether the rows were packed or not, and a damaged one is refused as any other
bad argument is, before anything is computed from it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from fractions import Fraction
from math import inf
from typing import Any, ClassVar, TypeVar

from ..kernels.base import Kernel, as_kernel, checked_row_function
from ..kernels.gram_matrices import checked_squared_norms, refuse_infinite, rows_for
from ..kernels.standard import Linear, Precomputed, comparable
from ..kernels.value_errors import (
    ValueErrors,
    has_norms_as_sizes,
    may_exceed_its_diagonal,
    most_terms,
    roundings_of,
    size_of_norm,
    value_errors,
)
from ..numerics.cures import Cure, symmetrised, with_cure
from ..numerics.exact_sums import (
    integer_dot,
    nearest_offset,
    nearest_products,
    nearest_weights,
    scaled_integers,
)
from ..numerics.linalg import dot
from ..numerics.pickles import Pickled, attributes, require_state, set_attributes
from ..numerics.quoting import quote
from ..numerics.sparse_rows import KeptColumns, aligned, converted, inner, row_items, widened
from ..numerics.types import Kind, Matrix, Number, Row, Rows, Vector, VectorLike
from ..numerics.validation import nearest, number_kind, to_number
from .box_bounds import exact_weights
from .column_shift import shift_of, shift_rows

AnyProblem = TypeVar("AnyProblem", bound="ProblemRows")
LISTS = list, KeptColumns  # what may be changed in place


class ProblemRows(Pickled):
    """The rows that a problem is about. They never change once made.

    box        the attribute that the bounds of each example are proportional to
    made_of    what a pickle holds: the arguments of set_converted, in order
    numbers    the attributes of these that are numbers, or lists of them, besides X
    """

    offsets_class: ClassVar[Any]
    box: ClassVar[str] = "example_weights"
    made_of: ClassVar[tuple[str, ...]]
    numbers: ClassVar[tuple[str, ...]]
    computed = ("n", "linear", "kept", "points", "point_shift", "rows")

    kind: Kind
    kernel: Kernel
    X: list[Any]  # rows of numbers, or strings
    points: list[Any]  # X as plain lists, without the columns that are left out
    n: int
    linear: bool
    point_shift: Vector | None
    rows: list[Any]  # the points, shifted

    @classmethod
    def from_validated(cls: type[AnyProblem], *values: Any, **options: Any) -> AnyProblem:
        """Make the problem of values that were checked and converted before; see set_validated."""
        problem = cls.__new__(cls)
        problem.set_validated(*values, **options)
        return problem

    def convert_rows(self, X: Rows, kernel: Kernel, kind: Kind) -> list[Row]:
        """Return the rows of X in numbers of this kind; refuse what does not suit the kernel."""
        return training_rows(X, kernel, kind)

    def set_points(self, rows: list[Any], kernel: Kernel, shift: Vector | None = None) -> None:
        """Set what follows from validated rows and the kernel; the shift, if rows are shifted."""
        self.kernel, self.n, self.linear = kernel, len(rows), type(kernel) is Linear
        self.set_rows(rows)
        self.compute_shifted_rows(shift)

    def set_rows(self, rows: list[Row]) -> None:
        """Set X, and the points: the same rows without the columns that are left out."""
        self.X = rows
        self.kept, self.points = comparable(self.kernel, rows)

    def compute_shifted_rows(self, shift: Vector | None = None) -> None:
        """Set point_shift, computed unless given, and rows, the shifted points."""
        if shift is None and self.linear and self.may_shift():
            shift = shift_of(self.points, self.kind)
        self.point_shift = shift
        # Of Fractions the shift is 0.
        moves = bool(shift) and self.kind is float
        self.rows = shift_rows(self.points, shift or []) if moves else self.points

    def __copy__(self: AnyProblem) -> AnyProblem:
        # Not as copy() does it, by a pickle: that would check and shift all rows anew.
        other = type(self).__new__(type(self))
        set_attributes(other, attributes(self))
        return other

    def detached(self: AnyProblem) -> AnyProblem:
        """Return the same problem with lists of its own. O(n d).

        A callback, or a kernel of the caller's, may change what it reaches: the problem that was
        given, and not this one.
        """
        other, own = self.__copy__(), {*self.made_of, *self.computed}
        lists = {
            name: value
            for name, value in attributes(self).items()
            if name in own and isinstance(value, LISTS)
        }
        set_attributes(other, {**deepcopy(lists), "kernel": self.kernel.to(self.kind)})
        return other

    def __setstate__(self, state: Any) -> None:
        state = require_state(state, type(self), self.made_of)
        given = {name: state.pop(name) for name in self.made_of}
        if given["kind"] is not float and given["kind"] is not Fraction:
            raise ValueError("the kind of a pickled Problem is neither float nor Fraction")
        set_attributes(self, state)  # what a subclass added
        given["kernel"] = as_kernel(given["kernel"])
        self.set_converted(*given.values())

    def to(self: AnyProblem, kind: Kind) -> AnyProblem:
        """Return the same problem in numbers of this kind."""
        if kind is self.kind:
            return self
        other = self._with_numbers(kind)
        other.kernel = self.kernel.to(kind)
        if not isinstance(self.X[0], str):
            other.set_rows([converted(x, kind) for x in self.X])
        other.compute_shifted_rows()
        return other

    def with_rows(self: AnyProblem, rows: list[Any], kernel: Kernel, kind: Kind) -> AnyProblem:
        """Return the same problem with as many other rows and their kernel, in this kind."""
        other = self._with_numbers(kind)
        other.set_points(rows, kernel)
        return other

    def _with_numbers(self: AnyProblem, kind: Kind) -> AnyProblem:
        """Return a copy whose numbers, besides rows and kernel, are of this kind."""
        given, other = {name: getattr(self, name) for name in self.numbers}, self.__copy__()
        other.kind = kind
        for name, numbers in given.items():
            setattr(other, name, _numbers_of_kind(numbers, kind, name))
        if kind is Fraction and {"C", "example_weights"} <= {*given} and given["C"] < inf:
            setattr(other, self.box, exact_weights(given["C"], given[self.box]))
        return other

    def of_examples(self: AnyProblem, examples: Sequence[int], box: Vector) -> AnyProblem:
        """Return the problem of some of the examples, with other C, or weights, for these."""
        other: Any = self.__copy__()
        if hasattr(other, "y"):
            other.y = [other.y[i] for i in examples]
        setattr(other, self.box, box)
        other.set_points([self.X[i] for i in examples], self.kernel)
        return other  # type: ignore[no-any-return]

    def may_shift(self) -> bool:
        """Return whether the problem stays the same when all rows are moved by one vector."""
        return True

    @property
    def shift(self) -> Vector | None:
        """What the columns of X are shifted by; None if they are not."""
        return self.point_shift and widened(self.kept, self.point_shift)

    def in_common_type(self: AnyProblem, alpha: object, b: Number) -> tuple[AnyProblem, Number]:
        """Return the problem and b in Fractions if the problem, alpha or b holds one."""
        kind = Fraction if self.kind is Fraction else number_kind(alpha, b)
        return self.to(kind), to_number(kind, b, "b")

    def kernel_rows(self, examples: list[int] | None = None) -> Callable[[Any], Vector]:
        """Return the function from a row of self.rows to its kernel values with all examples.

        examples : list of int
            with these alone
        """
        points = self.kernel.reference_points(self.rows)
        if examples is not None:
            points = [points[i] for i in examples]
        return checked_row_function(self.kernel, points, self.kind, len(points))

    def value_errors(self) -> ValueErrors:
        """Return how far kernel values of the rows may be from exact, on floats."""
        kernel, m = self.kernel, self.most_terms()
        if has_norms_as_sizes(kernel) or may_exceed_its_diagonal(kernel):
            sizes: Vector = [size_of_norm(v) for v in self.squared_norms()]
            return ValueErrors(roundings_of(kernel, m), sizes)
        return value_errors(kernel, self.rows, m)

    def squared_norms(self) -> Vector:
        """Return K_ii of every example; ValueError if one is not finite."""
        norms = checked_squared_norms(self.kernel, self.rows, self.kind)
        for i, norm in enumerate(norms):
            refuse_infinite(norm, i, i)
        return norms

    def weights(self, alpha: VectorLike) -> Vector:
        """Return w = sum beta_i x_i, each number rounded once; linear kernel only. O(n d)."""
        if not self.linear:
            raise TypeError(
                f"w is a list of numbers for Linear() only, not for {quote(self.kernel)}"
            )
        return widened(self.kept, self.point_weights(alpha))

    def point_weights(self, alpha: VectorLike) -> Vector:
        """Return w in the columns of the points."""
        problem, _ = self.in_common_type(alpha, 0)
        return nearest_weights(problem.beta(alpha), problem.points)

    def in_columns_of_points(self, w: VectorLike) -> Vector:
        """Return weights of all columns in those of the points: the others meet no number."""
        return list(w) if self.kept is None else [w[place] for place in self.kept.places]

    def weights_of_other_columns(self, w: VectorLike) -> Vector:
        """Return the weights, but for zeros, of columns in which no row has a number."""
        if self.kept is None:
            return []
        places = set(self.kept.places)
        return [v for place, v in row_items(w) if place not in places]

    def rows_of_w(self) -> Matrix:
        """Return the rows that the w of the scores is made of: the points."""
        return self.points

    def scores_of_weights(self, w: Vector) -> Vector:
        """Return w.x of each of the rows; w in the columns of the points."""
        return [inner(w, x) for x in self.rows]

    def nearest_scores(self, w: Vector) -> Vector:
        """Return the same on doubles, each the exact sum, rounded once."""
        return nearest_products(w, self.rows)

    def scores_and_norm2(self, beta: Vector) -> tuple[Vector, Number]:
        """Return the scores s_i of the shifted rows, and |w|^2 (S2.6). O(n n d), linear O(n d).

        The linear kernel goes by way of w; the others sum over beta_j != 0 in index order.
        """
        if self.linear:
            w = nearest_weights(beta, self.rows_of_w())
            return self.scores_of_weights(w), inner(w, w)
        row, scores = self.kernel_rows(), [self.kind(0)] * self.n
        for b, x in zip(beta, self.rows):
            if b != 0:
                scores = [s + b * k for s, k in zip(scores, row(x))]
        return scores, dot(beta, scores)

    def shifted_offset(self, b: Number, alpha: VectorLike) -> Number:
        """Return the offset that belongs to the shifted rows, from the caller's b."""
        return self.translated_offsets([b], alpha, +1)[0]

    def unshifted_offset(self, b: Number, alpha: VectorLike) -> Number:
        """Return the caller's offset, from the b that belongs to the shifted rows.

        It uses the very w that a Model holds, so that w.x + b is right for w as rounded.
        """
        return self.translated_offsets([b], alpha, -1)[0]

    def translated_offsets(self, offsets: Vector, alpha: VectorLike, sign: int) -> Vector:
        """Return each b + sign <w, shift>, rounded once; b itself if nothing is shifted."""
        if self.point_shift is None or not any(self.point_shift):
            return offsets
        w = self.point_weights(alpha)
        return [nearest_offset(b, w, self.point_shift, sign) for b in offsets]

    def shift_of_b(self) -> Vector:
        """Return what the points are shifted by; [] where that moves no b."""
        return (self.point_shift if "b" in self.offsets_class._fields else None) or []

    def moved_by_shift(self, alpha: VectorLike) -> Fraction:
        """Return what b is more on shifted rows: <w, shift>, exactly, with the w of a Model."""
        shift = self.shift_of_b()
        if not any(shift):
            return Fraction(0)
        (w, unit_of_w), (moved, unit) = map(scaled_integers, (self.point_weights(alpha), shift))
        return Fraction(integer_dot(w, moved), unit_of_w * unit)

    def support_rows(self, support: list[int]) -> list[Any]:
        """Return what a model keeps of these examples: rows of X; their indices if precomputed."""
        points = self.kernel.reference_points(self.X)
        return [points[i] for i in support]

    def rows_at(self, examples: Sequence[int]) -> list[Row]:
        """Return the rows of X of these examples."""
        return [self.X[i] for i in examples]

    def row_length(self) -> int:
        """Return how many numbers a row has; 0 if rows are strings."""
        return 0 if isinstance(self.X[0], str) else len(self.X[0])

    def most_terms(self) -> int:
        """Return how many terms of a kernel value may not be zero, at most. O(n d)."""
        return most_terms(self.rows, self.row_length())

    def column_count(self) -> int:
        """Return how many columns the points have."""
        return self.row_length() if self.kept is None else len(self.kept.places)

    # What a problem defines:

    def set_converted(self, *values: Any, **options: Any) -> None:
        """Set the attributes from values that are checked, and converted to one kind."""
        raise NotImplementedError

    def set_validated(self, *values: Any, **options: Any) -> None:
        """Set the attributes from validated values, all numbers of one kind."""
        raise NotImplementedError

    def beta(self, alpha: VectorLike, name: str = "alpha") -> Vector:
        """Return the coefficient of each example in w, in numbers of the problem's kind."""
        raise NotImplementedError


def _numbers_of_kind(given: Any, kind: Kind, name: str) -> Any:
    """Return a number, or a list of them, in this kind; infinity stays infinity."""
    if isinstance(given, list):
        return [_numbers_of_kind(c, kind, f"{name}[{i}]") for i, c in enumerate(given)]
    return given if given == inf else nearest(kind, given, name)


# Rows as they are given


def training_rows(X: Rows, kernel: Kernel, kind: Kind) -> list[Row]:
    """Return the rows of X: strings as they are, or numbers of this kind; sparse ones aligned."""
    rows = rows_for(X, "X", kind, kernel)
    if isinstance(kernel, Precomputed):
        require_gram(rows)
    return aligned(rows)


def require_gram(K: Matrix) -> None:
    """Raise ValueError unless K is square and symmetric, to the last bit."""
    for i, row in enumerate(K):
        if len(row) != len(K):
            raise ValueError(
                f"X[{i}] has length {len(row)}; a precomputed Gram matrix of {len(K)} rows"
                " is square"
            )
    for j, (row, column) in enumerate(zip(K, zip(*K))):
        if tuple(row) != column:
            i = next(i for i in range(len(K)) if row[i] != column[i])
            raise with_cure(
                ValueError,
                f"X[{i}][{j}] is {quote(column[i])} and X[{j}][{i}] is {quote(row[i])};"
                f" a precomputed Gram matrix is symmetric, so",
                Cure("take (K + K.T) / 2", "X", symmetrised),
            )
