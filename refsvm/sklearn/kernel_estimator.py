"""What the estimators with a kernel share: rows for it, support vectors, tags."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from scipy.sparse import issparse
from sklearn.utils import check_consistent_length
from sklearn.utils.validation import check_is_fitted

from ..estimators.training_data import takes_gram
from ..numerics.conversion import as_lists
from .estimator import ArrayEstimator
from .kernel_matrices import matrix_of, precomputed_matrix, takes_matrices, training_matrix
from .rows import sparse_rows, strings_of, validated


class KernelEstimator(ArrayEstimator):
    """The base of these estimators.

    _kernel, _function, _X_fit: the Kernel of fit; of a function of two matrices this function, and
    the rows that it was given.
    """

    _takes_y: ClassVar[bool] = True
    _found_by_fit: ClassVar[tuple[str, ...]] = ("_svc", "_kernel", "_function", "_X_fit")

    def _training_rows(self, X: Any, y: Any) -> Any:
        rows = strings_of(X, self.kernel)
        if rows is not None or takes_matrices(self.kernel):
            check_consistent_length(*([X, y] if self._takes_y else [X]))
        elif self._takes_y:
            rows, y = validated(self, X, y, **self._rules)
        else:
            rows = validated(self, X)
        y = self._targets(y) if self._takes_y else None
        if takes_matrices(self.kernel):
            self._function, self._X_fit = self.kernel, X
            rows = training_matrix(self.kernel, X)
        elif takes_gram(self.kernel):
            rows = precomputed_matrix(rows, X)
        return rows, y

    def _parameters(self, plain: Any) -> dict[str, Any]:
        """Return the parameters of the plain class, as they are now."""
        given = {name: getattr(self, name) for name in plain().get_params()}
        if takes_matrices(self.kernel):
            given["kernel"] = "precomputed"
        return given

    def _keep_vectors(self, plain: Any, rows: Any) -> None:
        """Keep the support vectors and their coefficients, as arrays."""
        self._svc, self._kernel = plain, plain._kept_model().kernel
        self.fit_status_, self.shape_fit_ = plain.fit_status_, plain.shape_fit_
        for name in ("support_", "n_support_"):
            setattr(self, name, np.array(getattr(plain, name), np.int32))
        dual = np.array(plain.dual_coef_, float)
        self.dual_coef_ = type(rows)(dual) if issparse(rows) else dual
        if takes_gram(self._kernel):
            self.support_vectors_ = np.empty((0, 0))
        elif isinstance(rows, list):
            self.support_vectors_ = np.array(rows, object)[self.support_]
        else:
            self.support_vectors_ = rows[self.support_]

    def _vectors(self) -> Any:
        """Return what a model of refsvm keeps of the support vectors."""
        if takes_gram(self._kernel):
            return self.support_.tolist()
        return as_lists(self.support_vectors_)

    def _coefs(self) -> Any:
        """Return the coefficients of the support vectors as an array."""
        return self.dual_coef_.toarray() if issparse(self.dual_coef_) else self.dual_coef_

    @property
    def coef_(self) -> Any:
        """The weights w, a row for each machine; AttributeError unless linear and fitted."""
        if not hasattr(self, "dual_coef_"):
            raise AttributeError("coef_ is there after fit, and with a linear kernel only")
        weights = self._fitted().coef_
        if issparse(self.support_vectors_):
            return sparse_rows(weights, self.n_features_in_, type(self.support_vectors_))
        coef = np.array(weights)
        coef.flags.writeable = False  # a change of it would change no prediction
        return coef

    def _ready(self, X: Any) -> Any:
        check_is_fitted(self)
        if hasattr(self, "_function"):  # the kernel of fit, which may not be the parameter now
            return self._fitted(), matrix_of(self._function, X, self._X_fit)
        rows = strings_of(X, self._kernel)
        return self._fitted(), validated(self, X, reset=False) if rows is None else rows

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = takes_gram(self.kernel)
        tags.input_tags.sparse = not takes_gram(self.kernel)
        return tags

    def _more_tags(self) -> dict[str, bool]:
        """Return the tags of scikit-learn before 1.6."""
        return {"pairwise": takes_gram(self.kernel)}
