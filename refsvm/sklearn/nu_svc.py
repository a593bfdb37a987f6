"""NuSVC as scikit-learn's own kind; see svc.py."""

from __future__ import annotations

from typing import Any

import numpy as np

import refsvm

from .estimator import library
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
        self.nu = nu
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.shrinking = shrinking
        self.probability = probability
        self.tol = tol
        self.cache_size = cache_size
        self.class_weight = class_weight
        self.verbose = verbose
        self.max_iter = max_iter
        self.decision_function_shape = decision_function_shape
        self.break_ties = break_ties
        self.random_state = random_state

    def _plain(self) -> Any:
        return library().NuSVC(**self._parameters(refsvm.NuSVC))

    def _keep(self, plain: Any, rows: Any, classes: Any) -> None:
        super()._keep(plain, rows, classes)
        self.rho_ = np.array(plain.rho_, float)
