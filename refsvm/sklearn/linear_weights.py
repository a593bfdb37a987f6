"""What LinearSVC and LinearSVR have as scikit-learn's own kind: weights that may be set."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import csr_matrix, issparse

from ..numerics.sparse_rows import SparseRow
from .estimator import ArrayEstimator
from .matrices import sparse_rows

RANDOM_SEEDS = 2**31 - 1  # of which a RandomState draws one


class LinearWeights(ArrayEstimator):
    """The base of the two.

    _weights: a row for each machine, an array or a sparse matrix
    """

    random_state: int | np.random.RandomState | None
    fit_intercept: bool

    _found_by_fit = ("_svc", "_weights", "_is_sparsified")
    _is_sparsified = False

    def _rows_of_weights(self) -> np.ndarray:
        """Return the weights of each machine; AttributeError before fit."""
        if not hasattr(self, "_weights"):
            raise AttributeError("coef_ is there after fit")
        if self._is_sparsified:
            return self._weights.copy()
        coef = self._weights.toarray() if issparse(self._weights) else self._weights.copy()
        coef.flags.writeable = False  # a change in it would change no prediction
        return coef

    def _set_weights(self, coef: Any) -> None:
        """Set the weights of each machine, one or several."""
        self._is_sparsified = issparse(coef)
        self._weights = csr_matrix(coef) if issparse(coef) else np.array(coef, float, ndmin=2)
        self.__dict__.pop("_svc", None)

    def _parameters(self) -> dict[str, Any]:
        given = super()._parameters()
        if isinstance(self.random_state, np.random.RandomState):
            given["random_state"] = int(self.random_state.randint(RANDOM_SEEDS))
        return given

    def _keep_weights(self, plain: Any, W: Any) -> None:
        """Keep a trained plain estimator, and the weights of its machines."""
        self._svc = plain
        self.n_iter_ = plain.n_iter_
        self.intercept_ = np.array(plain.intercept_, float) if self.fit_intercept else 0.0
        sparse = any(isinstance(w, SparseRow) for w in W)
        width = plain.n_features_in_
        self._weights = sparse_rows(W, width, csr_matrix) if sparse else np.array(W, float)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags
