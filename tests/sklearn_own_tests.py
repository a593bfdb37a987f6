"""Run scikit-learn's own tests of its SVC on refsvm.sklearn.SVC: what is other, and why.

    python3 -m tests --all --python tests/sklearn_own_tests.py     words after it go to pytest

The tests are those of the scikit-learn that is installed; of them those run that train an SVC.
What DIFFERENCES names is expected to fail, for the reason given.
"""

import inspect
import os
import re
import sys

import pytest
import sklearn.svm
from sklearn.svm._base import BaseLibSVM

from refsvm.sklearn import SVC

FILES = ["sklearn.svm.tests.test_svm", "sklearn.svm.tests.test_sparse"]
PROBABILITY = "probability=True is refused; the message names CalibratedClassifierCV"
WORDS = "refused in other words"
NEGATIVE = "a negative weight is refused; scikit-learn takes it for 0"
WITHIN_TOL = "linear is solved on shifted columns: two answers within tol that are not the same"
SOLVED = "solved within that many steps, so there is nothing to warn of"
INTERNAL = "reads or changes a private attribute of scikit-learn's"
DIFFERENCES = {
    "test_precomputed": WITHIN_TOL,
    "test_svc_clone_with_callable_kernel": WITHIN_TOL,
    "test_tweak_params": INTERNAL,
    "test_gamma_scale": INTERNAL,
    "test_svc_raises_error_internal_representation": INTERNAL,
    "test_svc_nusvc_probA_probB_deprecated": PROBABILITY,
    "test_probability": PROBABILITY,
    "test_hasattr_predict_proba": PROBABILITY,
    "test_probability_raises_futurewarning": PROBABILITY,
    "test_unsorted_indices": PROBABILITY,
    "test_sparse_svc_clone_with_callable_kernel": PROBABILITY,
    "test_negative_sample_weights_mask_all_samples": WORDS,
    "test_negative_weights_svc_leave_just_one_label": WORDS,
    "test_negative_weights_svc_leave_two_labels[partial-mask-label-1-SVC]": NEGATIVE,
    "test_negative_weight_equal_coeffs[partial-mask-label-1-SVC]": NEGATIVE,
    "test_svc_nonfinite_params": WORDS,
    "test_sparse_precomputed": WORDS,
    "test_svc_invalid_break_ties_param": WORDS,
    "test_bad_input": "a model of dense rows predicts sparse ones",
    "test_libsvm_convergence_warnings": SOLVED,
    "test_timeout": SOLVED,
    "test_svc_ovr_tie_breaking": "where a decision is 0, scores follow the votes that are counted",
}


class Unasked(SVC):
    """An SVC for the tests of sparse matrices, which ask for probabilities and use none."""

    def fit(self, X, y, sample_weight=None):
        self.probability = False
        return super().fit(X, y, sample_weight)


Unasked.__name__ = "SVC"


class Selection:
    """Keeps the tests that train an SVC, and expects the differences."""

    @staticmethod
    def pytest_collection_modifyitems(config, items):
        chosen = [item for item in items if is_of_svc(item)]
        config.hook.pytest_deselected(items=[item for item in items if item not in chosen])
        items[:] = chosen
        for item in items:
            reason = DIFFERENCES.get(item.name) or DIFFERENCES.get(item.originalname)
            if reason:
                item.add_marker(pytest.mark.xfail(reason=reason))

    @staticmethod
    def pytest_runtest_setup(item):
        sparse = item.path.stem == "test_sparse"
        sklearn.svm.SVC = Unasked if sparse else SVC


def is_of_svc(item):
    """Whether a test trains an SVC: it names it, or it is one of its parameters."""
    given = getattr(item, "callspec", None)
    values = list(given.params.values()) if given else []
    classes = [value if isinstance(value, type) else type(value) for value in values]
    if any(issubclass(cls, BaseLibSVM) for cls in classes):
        return False
    named = re.search(r"\bsvm\.SVC\b", inspect.getsource(item.function))
    return SVC in classes or bool(named)


def main(words):
    sklearn.svm.SVC = SVC
    options = ["-c", os.devnull, "-p", "no:cacheprovider", "-q", "-rfEX", "-W", "ignore"]
    return pytest.main([*options, "--pyargs", *FILES, *words], plugins=[Selection])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
