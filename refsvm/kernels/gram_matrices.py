"""Gram matrices: the kernel values of examples with each other, and what must be true of them."""

from ..numerics.validation import matrix, number_kind, sequence, whole_number
from .base import as_kernel, checked_row_function
from .standard import Precomputed

INFINITY = float("inf")


def gram(kernel, X, Z=None, *, threads=1):
    """The matrix of k(x, z) for x in X and z in Z: a list of rows, one for each x.

    Without Z the Gram matrix of X. `threads` is for the compiled twin; any number gives the same
    bits, here always one thread works. A value that is not finite: ValueError. O(n m d).

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
    row = checked_row_function(kernel.to(kind), Z, kind, len(Z))
    return [finite_row(row(x), i) for i, x in enumerate(X)]


def rows_for(X, name, kind, kernel=None):
    """The rows of X: all strings, kept as they are, or all lists of numbers of this kind.

    TypeError for strings, or for numbers, if a kernel is given that cannot take them.
    """
    rows = sequence(X, name)
    if rows and all(isinstance(row, str) for row in rows):
        if kernel is not None:
            refuse_if_string(kernel, rows[0], f"{name}[0]")
        return list(rows)
    if kernel is not None:
        for i, row in enumerate(rows):
            refuse_if_numbers(kernel, row, f"{name}[{i}]")
    return matrix(rows, name, kind)


def refuse_if_string(kernel, row, name):
    """TypeError if the row is a string and the kernel needs numbers."""
    if isinstance(row, str) and not kernel.takes_strings:
        raise TypeError(f"{name} is {row!r}; {kernel!r} needs rows of numbers")


def refuse_if_numbers(kernel, row, name):
    """TypeError if the row is no string and the kernel needs strings."""
    if not isinstance(row, str) and not kernel.takes_numbers:
        raise TypeError(f"{name} is {row!r}; {kernel!r} needs strings")


def refuse_other_type(row, vectors, name):
    """TypeError for a string where the vectors trained on are numbers, or the other way round."""
    if vectors and isinstance(row, str) != isinstance(vectors[0], str):
        sort = "strings" if isinstance(vectors[0], str) else "rows of numbers"
        raise TypeError(f"{name} is {row!r}; the model was trained on {sort}")


def refuse_mismatched_rows(X, Z):
    """Refuse rows Z that cannot be compared with the rows X: another length, or no strings."""
    if isinstance(X[0], str) != isinstance(Z[0], str):
        raise TypeError(f"X[0] is {X[0]!r} and Z[0] is {Z[0]!r}; both must be strings, or neither")
    if not isinstance(X[0], str) and len(X[0]) != len(Z[0]):
        raise ValueError(f"Z has rows of length {len(Z[0])}; those of X have {len(X[0])}")


def finite_row(row, i):
    """The row of kernel values of example i, refused if one of them is not finite.

    >>> finite_row([1.0, float("inf")], 3)
    Traceback (most recent call last):
      ...
    ValueError: the kernel value of examples 3 and 1 is inf; it must be finite
    """
    for j, value in enumerate(row):
        refuse_infinite(value, i, j)
    return row


def refuse_infinite(value, i, j):
    """ValueError unless the kernel value of examples i and j is finite."""
    if not -INFINITY < value < INFINITY:
        raise ValueError(f"the kernel value of examples {i} and {j} is {value}; it must be finite")


def refuse_infinite_values(values, name):
    """Refuse a kernel value of the row called `name` with a support vector that is not finite."""
    for v, value in enumerate(values):
        if not -INFINITY < value < INFINITY:
            raise ValueError(
                f"the kernel value of {name} and support vector {v} is {value}; it must be finite"
            )
