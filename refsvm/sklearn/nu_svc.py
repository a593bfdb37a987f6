"""NuSVC as scikit-learn's own kind; see svc.py."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..estimators.estimator import keep_parameters
from .svc import SVC


class NuSVC(SVC):
    """Classify with a share of margin errors: refsvm.NuSVC as scikit-learn's own kind.

    Parameters
    ----------
    nu : number above 0, at most 1
        the share of rows that may be margin errors
    kernel, degree, gamma, coef0, shrinking, probability, tol, cache_size, class_weight, verbose, \
max_iter, decision_function_shape, break_ties, random_state
        as in SVC; class_weight weighs the largest multiplier of a row

    Attributes
    ----------
    rho_ : array
        the functional margin by which the answer of each pair was divided
    classes_, support_, n_support_, support_vectors_, dual_coef_, intercept_, coef_, n_iter_, \
class_weight_, n_features_in_, feature_names_in_, shape_fit_, fit_status_, model_
        as in SVC

    Examples
    --------
    >>> X, y = [[0, 0], [1, 0], [3, 1], [4, 1]], [1, 1, 2, 2]
    >>> NuSVC(kernel="linear").fit(X, y).predict([[0.5, 0.5], [3.5, 0.5]])
    array([1, 2])
    """

    _plain_name = "NuSVC"
    _libsvm_type = "nu_svc"

    def __init__(
        self,
        *,
        nu: Any = 0.5,
        kernel: Any = "rbf",
        degree: Any = 3,
        gamma: Any = "scale",
        coef0: Any = 0.0,
        shrinking: Any = True,
        probability: Any = False,
        tol: Any = 1e-3,
        cache_size: Any = 200,
        class_weight: Any = None,
        verbose: Any = False,
        max_iter: Any = -1,
        decision_function_shape: Any = "ovr",
        break_ties: Any = False,
        random_state: Any = None,
    ) -> None:
        keep_parameters(self, locals())

    def _keep(self, plain: Any, rows: Any) -> None:
        super()._keep(plain, rows)
        self.rho_ = np.array(plain.rho_, float)
