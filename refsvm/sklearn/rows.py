"""Rows on their way from arrays to refsvm, and back."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..estimators.training_data import takes_gram
from ..kernels.base import Kernel
from ..numerics.scipy_matrices import refuse_broken_matrix
from ..numerics.sparse_rows import row_items

try:
    from sklearn.utils.validation import validate_data
except ImportError:  # before scikit-learn 1.6

    def validate_data(estimator: Any, *given: Any, **rules: Any) -> Any:
        """Return X, or X and y, checked; the estimator learns the columns."""
        return estimator._validate_data(*given, **rules)


def validated(classifier: Any, *given: Any, **rules: Any) -> Any:
    """Return X, or X and y, as scikit-learn checks them: X in doubles, dense or a CSR matrix."""
    refuse_broken_matrix(given[0])
    sparse = not takes_gram(getattr(classifier, "kernel", None)) and "csr"
    return validate_data(classifier, *given, dtype=np.float64, accept_sparse=sparse, **rules)


def strings_of(X: Any, kernel: Any) -> list[str] | None:
    """Return the rows of X if they are strings for a Kernel; a data frame's names are none."""
    if not isinstance(kernel, Kernel) or getattr(X, "ndim", 1) != 1:
        return None
    rows = list(X) if hasattr(X, "__iter__") else []
    strings = rows and isinstance(rows[0], str)
    return [str(row) if isinstance(row, str) else row for row in rows] if strings else None


def sparse_rows(rows: list[Any], width: int, form: Any) -> Any:
    """Return rows, sparse or not, as a sparse matrix of this form."""
    items = [list(row_items(row)) for row in rows]
    places, numbers = [p for row in items for p, _ in row], [v for row in items for _, v in row]
    starts = np.cumsum([0, *map(len, items)])
    return form((numbers, np.array(places, int), starts), shape=(len(rows), width), dtype=float)
