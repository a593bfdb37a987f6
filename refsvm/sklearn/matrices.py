"""Rows and kernel matrices: as scikit-learn checks them, as refsvm takes them, and back.

refsvm asks for symmetry to the last bit; what NumPy computes is symmetric but for rounding. Where
K_ij and K_ji differ by no more than that, their mean is taken. What counts as rounding:

    precomputed     4 units in the last place of sqrt(K_ii K_jj)
    of a function   the last half of its digits: rbf_kernel loses as many where rows are far from 0
                    and near each other, and only the function itself could be mended

X, Z    what a function takes: n and m rows of any kind        K    the matrix of kernel values
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from scipy.sparse import csr_array, csr_matrix, issparse
from sklearn.utils import check_array
from sklearn.utils.validation import _num_samples

from ..estimators.kernel_estimator import takes_gram
from ..kernels.base import Kernel
from ..kernels.gram_matrices import gram
from ..numerics.conversion import refuse_broken_matrix
from ..numerics.cures import Cure, with_cure
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
    if rules == {"reset": False} and _is_valid(classifier, given[0]):
        return given[0]  # as it would come back, but sooner
    sparse = not takes_gram(getattr(classifier, "kernel", None)) and "csr"
    return validate_data(classifier, *given, dtype=np.float64, accept_sparse=sparse, **rules)


def _is_valid(estimator: Any, X: Any) -> bool:
    """Tell whether X is a CSR matrix of finite doubles, as wide as in fit, which saw no names."""
    is_plain = type(X) in (csr_matrix, csr_array) and X.dtype == np.float64 and X.ndim == 2
    own = vars(estimator)
    if not is_plain or "feature_names_in_" in own or takes_gram(own.get("kernel")):
        return False
    fits = X.shape[0] > 0 and X.shape[1] == own.get("n_features_in_")
    return bool(fits and np.isfinite(X.data).all())


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


def takes_matrices(kernel: Any) -> bool:
    """Tell whether a kernel is a function of two matrices: any function that is no Kernel."""
    return callable(kernel) and not isinstance(kernel, (Kernel, type))


def precomputed_matrix(K: Any, given: Any) -> Any:
    """Return the matrix K in doubles, mended in the precision in which it was given."""
    return _mended(K, 4, _floats_of(given))


def training_matrix(kernel: Any, X: Any) -> Any:
    """Return the matrix that a kernel function gives for X and X, in doubles and mended."""
    K = matrix_of(kernel, X, X)
    half = 2.0 ** (np.finfo(_floats_of(K)).nmant // 2)
    symmetric = _mended(K.astype(float), half, _floats_of(K))
    for i, j in np.argwhere(symmetric != symmetric.T)[:1]:
        raise ValueError(
            f"kernel(X, X) holds {K[i, j]} at [{i}, {j}] and {K[j, i]} at [{j}, {i}]; a kernel"
            " matrix is symmetric"
        )
    return symmetric


def matrix_of(kernel: Any, X: Any, Z: Any) -> Any:
    """Return the matrix that a kernel function gives for X and Z; ValueError if it is none."""
    K = kernel(X, Z)
    K = np.asarray(K.toarray() if issparse(K) else K)
    shape = _num_samples(X), _num_samples(Z)
    if K.shape != shape:
        words = "give partial(refsvm.gram, k) for a function k(x, z) of two rows"
        raise with_cure(
            ValueError,
            f"kernel returned values of shape {K.shape} for matrices of {shape[0]} and {shape[1]}"
            f" rows; the shape must be {shape}, so",
            Cure(words, "kernel", partial(partial, gram)),
        )
    return check_array(K, input_name="kernel(X, Z)")


def _mended(K: Any, units: float, dtype: Any = float) -> Any:
    """Return K with the means of those K_ij and K_ji that differ, but by rounding only.

    That is by at most so many units in the last place of sqrt(K_ii K_jj) as a float of dtype.

    >>> _mended(np.array([[2.0, 1.0], [1.0 + 2.0**-51, 2.0]]), 4)[1, 0].hex()
    '0x1.0000000000001p+0'
    """
    if K.shape[0] != K.shape[1] or (K == K.T).all():
        return K
    root = np.sqrt(np.abs(K.diagonal()))
    unit = np.spacing(np.outer(root, root).astype(dtype)).astype(float)
    near = (K != K.T) & (np.abs(K - K.T) <= units * unit)
    return np.where(near, K / 2 + K.T / 2, K)


def _floats_of(X: Any) -> Any:
    """Return the type of the numbers of X if it is one of floats, else that of doubles."""
    dtype = getattr(X, "dtype", float)
    return dtype if np.issubdtype(dtype, np.floating) else float
