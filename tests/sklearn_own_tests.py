"""Run scikit-learn's own tests of sklearn.svm on refsvm.sklearn: what is other, and why.

    python3 -m tests --all --python tests/sklearn_own_tests.py     words after it go to pytest

The tests are those of the scikit-learn that is installed, all of three files; where they say
svm.SVC and the like, they get the classes of refsvm.sklearn. A test may fail in a refusal of
REFUSALS, or if NAMED has it; each reason has its line on the page of differences
(spec/use/scikit-learn.md). The tests of sparse matrices ask for probabilities and use none:
without that they run on.
"""

import os
import re
import sys
from collections import Counter

import pytest
import sklearn.svm

import refsvm.sklearn

FILES = [f"sklearn.svm.tests.{name}" for name in ("test_svm", "test_sparse", "test_bounds")]
WORDS = "refused in other words"
WITHIN_TOL = "linear is solved on shifted columns: two answers within tol that are not the same"
SOLVED = "solved within that many steps, so there is nothing to warn of"
INTERNAL = "reads or changes a private attribute of scikit-learn's"
NO_PROBABILITY = "there is no predict_proba, probA_ or probB_"
REFUSALS = {  # by how the text of the exception begins
    "probability is True;": "probability=True is refused",
    "penalty is 'l1';": "penalty='l1' is refused",
    "multi_class is 'crammer_singer';": "multi_class='crammer_singer' is refused",
    r"sample_weight\[\d+\] is -0.5;": "a negative weight is refused; there it is as 0",
    "C is inf;": "C=inf is refused in regression",
    r"nu is 0\.5; .*(meet|told apart|reduced hull)": "rows whose reduced hulls meet are refused",
    "kernel returned values of shape": "a kernel function that gives no matrix is refused by fit",
    "Regex pattern did not match": WORDS,
}
NAMED = {
    "test_precomputed": WITHIN_TOL,
    "test_svc_clone_with_callable_kernel": WITHIN_TOL,
    "test_sparse_svc_clone_with_callable_kernel": WITHIN_TOL,
    "test_tweak_params": INTERNAL,
    "test_gamma_scale": INTERNAL,
    "test_svc_raises_error_internal_representation": INTERNAL,
    "test_svc_nusvc_probA_probB_deprecated": NO_PROBABILITY,
    "test_probability_raises_futurewarning": NO_PROBABILITY,
    "test_hasattr_predict_proba": NO_PROBABILITY,
    "test_unsorted_indices": NO_PROBABILITY,
    "test_bad_input": "a model of dense rows predicts sparse ones",
    "test_libsvm_convergence_warnings": SOLVED,
    "test_linear_svm_convergence_warnings": SOLVED,
    "test_timeout": SOLVED,
    "test_svc_ovr_tie_breaking": "where a decision is 0, scores follow the votes that are counted",
}


class Unasked(refsvm.sklearn.SVC):
    """An SVC for the tests of sparse matrices."""

    def fit(self, X, y, sample_weight=None):
        self.probability = False
        return super().fit(X, y, sample_weight)


Unasked.__name__ = "SVC"


class Differences:
    """Counts a test that fails for a reason of the tables as an expected failure."""

    def __init__(self):
        self.found = Counter()

    @staticmethod
    def pytest_runtest_setup(item):
        sklearn.svm.SVC = Unasked if item.path.stem == "test_sparse" else refsvm.sklearn.SVC

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(self, item, call):
        report = (yield).get_result()
        reason = reason_of(item, call.excinfo.value) if report.failed else None
        if reason is not None:
            report.outcome, report.wasxfail = "skipped", reason
            self.found[reason] += 1


def reason_of(item, error):
    named = NAMED.get(getattr(item, "originalname", item.name))
    told = (reason for words, reason in REFUSALS.items() if re.match(words, str(error)))
    return named or next(told, None)


def main(words):
    for name in set(sklearn.svm.__all__) & set(refsvm.sklearn.__all__):
        setattr(sklearn.svm, name, getattr(refsvm.sklearn, name))
    options = ["-c", os.devnull, "-p", "no:cacheprovider", "-q", "-W", "ignore"]
    differences = Differences()
    status = pytest.main([*options, "--pyargs", *FILES, *words], plugins=[differences])
    for reason, count in differences.found.most_common():
        print(f"{count:4}  {reason}")
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
