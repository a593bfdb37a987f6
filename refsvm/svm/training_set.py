"""The rows of a training set, converted and checked against the kernel."""

from __future__ import annotations

from typing import Any

from ..kernels.base import Kernel
from ..kernels.gram_matrices import rows_for
from ..kernels.standard import Precomputed
from ..numerics.quoting import quote
from ..numerics.sparse_rows import aligned
from ..numerics.types import Kind, Matrix, Rows


def training_rows(X: Rows, kernel: Kernel, kind: Kind) -> list[Any]:
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
            raise ValueError(
                f"X[{i}][{j}] is {quote(column[i])} and X[{j}][{i}] is {quote(row[i])};"
                " a precomputed Gram matrix is symmetric, so take (K + K.T) / 2"
            )
