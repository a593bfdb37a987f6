"""Gram matrices: the kernel values of examples with each other, and checks of rows and values."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from math import inf, sqrt
from typing import Any

from ..numerics.cures import Cure, with_cure
from ..numerics.quoting import quote
from ..numerics.types import KernelLike, Kind, Matrix, Number, Row, Rows, Vector
from ..numerics.validation import matrix, number_kind, sequence, text, whole_number
from .base import Kernel, as_kernel, checked_row_function, convert_values
from .standard import Precomputed, comparable

HALF_OF_DIGITS = 2.0**-26  # half of a double's digits: rounding may cost so many, but no more


def gram(kernel: KernelLike, X: Rows, Z: Rows | None = None, *, threads: int = 1) -> Matrix:
    """Compute the matrix of k(x, z) for x in X and z in Z.

    Parameters
    ----------
    kernel : a Kernel, or a function k(x, z)
        not Precomputed: its X already is the Gram matrix
    X : n rows of numbers, or n strings
    Z : m rows like those of X
        without Z it is X, and the matrix the Gram matrix of X
    threads : int
        at most so many work, in refsvm_fast; changes no bit. One does where they share fewer than
        some 50 million cycles: with AVX2 up to 240 columns, and up to 500 rows of 784

    Returns
    -------
    list of n rows of m numbers

    Raises
    ------
    ValueError
        if a kernel value is not finite, or the rows differ in length
    TypeError
        if the kernel cannot take the rows

    Notes
    -----
    O(n m d).

    Examples
    --------
    >>> from refsvm.kernels.standard import Linear
    >>> gram(Linear(), [[1, 0], [1, 2]])
    [[1.0, 1.0], [1.0, 5.0]]
    >>> gram(lambda x, z: len(set(x) & set(z)), ["ab", "bc"])
    [[2.0, 1.0], [1.0, 2.0]]
    """
    whole_number(threads, "threads", 1)
    kernel = as_kernel(kernel)
    if isinstance(kernel, Precomputed):
        raise TypeError("gram of Precomputed: X already is the Gram matrix")
    kind = number_kind(X, Z, kernel.parameters())
    X = rows_for(X, "X", kind, kernel)
    Z = X if Z is None else rows_for(Z, "Z", kind, kernel)
    refuse_mismatched_rows(X, Z)
    _, X, Z = comparable(kernel, X, Z)
    row = checked_row_function(kernel.to(kind), Z, kind, len(Z))
    return [finite_row(row(x), i) for i, x in enumerate(X)]


def rows_for(X: Any, name: str, kind: Kind, kernel: Kernel | None = None) -> list[Any]:
    """The rows of X, checked: all strings, as they are, or all lists of numbers of this kind.

    TypeError for strings, or for numbers, if the kernel cannot take them.
    """
    rows = sequence(X, name)
    if rows and all(isinstance(row, str) for row in rows):
        if kernel is not None:
            refuse_if_string(kernel, rows[0], f"{name}[0]")
        return [text(row, f"{name}[{i}]") for i, row in enumerate(rows)]
    if kernel is not None:
        for i, row in enumerate(rows):
            refuse_if_numbers(kernel, row, f"{name}[{i}]")
    return matrix(rows, name, kind)


def refuse_if_string(kernel: Kernel, row: Row, name: str) -> None:
    """Raise TypeError if the row is a string and the kernel needs numbers."""
    if isinstance(row, str) and not kernel.takes_strings:
        raise TypeError(f"{name} is {quote(row)}; {quote(kernel)} needs rows of numbers")


def refuse_if_numbers(kernel: Kernel, row: Row, name: str) -> None:
    """Raise TypeError if the row is no string and the kernel needs strings."""
    if not isinstance(row, str) and not kernel.takes_numbers:
        raise TypeError(f"{name} is {quote(row)}; {quote(kernel)} needs strings")


def refuse_other_type(row: Any, vectors: Sequence[Any], name: str) -> None:
    """Raise TypeError for a string if the model was trained on numbers, or the other way round."""
    if vectors and isinstance(row, str) != isinstance(vectors[0], str):
        sort = "strings" if isinstance(vectors[0], str) else "rows of numbers"
        raise TypeError(f"{name} is {quote(row)}; the model was trained on {sort}")


def refuse_mismatched_rows(X: Rows, Z: Rows) -> None:
    """Raise an error for rows Z that have another length than those of X, or another type."""
    if isinstance(X[0], str) != isinstance(Z[0], str):
        raise TypeError(
            f"X[0] is {quote(X[0])} and Z[0] is {quote(Z[0])}; both must be strings, or neither"
        )
    if not isinstance(X[0], str) and len(X[0]) != len(Z[0]):
        raise ValueError(f"Z has rows of length {len(Z[0])}; those of X have {len(X[0])}")


def finite_row(row: Vector, i: int) -> Vector:
    """The row of kernel values of example i; ValueError if one of them is not finite.

    >>> finite_row([1.0, float("inf")], 3)
    Traceback (most recent call last):
      ...
    ValueError: the kernel value of examples 3 and 1 is inf; it must be finite
    """
    for j, value in enumerate(row):
        refuse_infinite(value, i, j)
    return row


def refuse_infinite(value: Number, i: int, j: int) -> None:
    """Raise ValueError unless the kernel value of examples i and j is finite."""
    if not -inf < value < inf:
        raise ValueError(
            f"the kernel value of examples {i} and {j} is {quote(value)}; it must be finite"
        )


def refuse_infinite_values(values: Iterable[Number], name: str) -> None:
    """Raise ValueError if a kernel value of the row `name` with a support vector is not finite."""
    for v, value in enumerate(values):
        if not -inf < value < inf:
            raise ValueError(
                f"the kernel value of {name} and support vector {v} is {quote(value)}; it"
                " must be finite"
            )


# The rows of a problem's kernel matrix, computed when needed and kept as memory allows
#
# The kernel matrix of n examples has n^2 numbers, too many to keep for large n. A solver of the
# dual reads it a row at a time, and comes back to some rows again and again. KernelRows computes
# a row when it is asked for, and keeps the rows used last. A KernelBlock has the rows of a few
# examples, among these alone.


def checked_squared_norms(kernel: Kernel, X: Rows, kind: Kind) -> Vector:
    """Return kernel.squared_norms(X, kind), checked: one number of this kind for each row.

    ValueError if the kernel is seen not to be symmetric. To compare all values of n examples takes
    n n of them, and training may need few. So k(x, z) and k(z, x) are compared for rows that stand
    one after the other: 2 n. What is exact compares all (proofs/definiteness.py).
    """
    norms = kernel.squared_norms(X, kind)
    norms = convert_values(kind, norms, len(X), "squared_norms(X) of the kernel")
    if not kernel.symmetric and all(-inf < v < inf for v in norms):
        _require_symmetric(kernel, X, kind, norms)
    return norms


def _require_symmetric(kernel: Kernel, X: Rows, kind: Kind, norms: Any) -> None:
    """Raise ValueError if two values that are compared differ, on doubles by more than rounding.

    A value is at most the root of k(x, x) k(z, z), which may be lost where it is near 0.
    """
    points, sizes = kernel.reference_points(X), [abs(v) for v in norms]
    for i in range(len(X) - 1):
        (there,), (back,) = (
            checked_row_function(kernel, points[b : b + 1], kind, 1)(X[a])
            for a, b in ((i, i + 1), (i + 1, i))
        )
        within: Any = 0
        if kind is float:
            root = sqrt(sizes[i]) * sqrt(sizes[i + 1])
            within = HALF_OF_DIGITS * max(abs(there), abs(back), root)
        if abs(there - back) > within:
            raise asymmetry(i, i + 1, there, back)


def asymmetry(i: int, j: int, there: Number, back: Number) -> ValueError:
    """The refusal of a kernel whose values of the examples i and j, and of j and i, differ."""
    return with_cure(
        ValueError,
        f"the kernel value of examples {i} and {j} is {quote(there)}, and that of {j} and {i}"
        f" is {quote(back)}; a kernel is symmetric, so",
        Cure("take (k(x, z) + k(z, x)) / 2", "kernel", _mean_of_both_orders),
    )


def _mean_of_both_orders(kernel: KernelLike) -> KernelLike:
    """Return the symmetric kernel (k(x, z) + k(z, x)) / 2."""
    return lambda x, z: (kernel(x, z) + kernel(z, x)) / 2


BYTES_A_NUMBER = 32  # a list holds a pointer (8 bytes) and the float it points to (24)


class KernelRows:
    """The rows of K, with the ridge of the problem added to the diagonal.

    The rows used last are kept: as many as fit into cache_mb megabytes, and at least two. How many
    fit changes no bit of any answer.

    diagonal    [K_ii for every i], with the ridge
    """

    def __init__(self, problem: Any, cache_mb: float) -> None:
        self.rows = problem.rows
        self.compute = problem.kernel_rows()
        self.bounded = problem.kernel.bounded
        self.ridge = problem.ridge()
        self.diagonal = [k + c for k, c in zip(problem.squared_norms(), self.ridge)]
        row_bytes = BYTES_A_NUMBER * problem.n
        cache_bytes = min(float(cache_mb) * 1024 * 1024, row_bytes * problem.n)  # may be infinite
        self.capacity = max(2, int(cache_bytes // row_bytes))
        self.kept: OrderedDict[int, Vector] = OrderedDict()

    def row(self, i: int) -> Vector:
        """[K_ij for every j]. ValueError if a value is not finite."""
        if i in self.kept:
            self.kept.move_to_end(i)
            return self.kept[i]
        row: Vector = self.compute(self.rows[i])
        if not self.bounded:
            finite_row(row, i)
        row[i] += self.ridge[i]
        if len(self.kept) >= self.capacity:
            self.kept.popitem(last=False)
        self.kept[i] = row
        return row


class VariableRows:
    """The rows of K for variables that stand for examples; several may stand for the same one.

    of    the example of each variable
    """

    def __init__(self, rows: KernelRows, of: list[int]) -> None:
        self.rows, self.of = rows, of
        self.diagonal = [rows.diagonal[i] for i in of]

    def row(self, k: int) -> Vector:
        """Row k: the kernel values of its example with those of all variables."""
        row = self.rows.row(self.of[k])
        return [row[i] for i in self.of]


class KernelBlock:
    """The rows of K among some examples, with the ridge on the diagonal; all computed at once.

    An example may occur twice, then it has no ridge. diagonal: K_ii of these
    """

    def __init__(self, problem: Any, examples: list[int], diagonal: Vector) -> None:
        row, ridge = problem.kernel_rows(examples), problem.ridge()
        self.rows = [row(problem.rows[i]) for i in examples]
        for a, i in enumerate(examples):
            for j, value in zip(examples, self.rows[a]):
                refuse_infinite(value, i, j)
            self.rows[a][a] += ridge[i]
        self.diagonal = diagonal

    def row(self, a: int) -> Vector:
        """[K_ij for every j of these], where i is number a among them."""
        row: Vector = self.rows[a]
        return row
