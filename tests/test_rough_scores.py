"""certify of a Gaussian: examples surely beyond their margin cost nothing and change nothing."""

from fractions import Fraction as Q
from itertools import product
from math import inf
from random import Random
from unittest.mock import patch

import pytest
from profiles import one_in

from refsvm import (
    BallProblem,
    Gaussian,
    NuProblem,
    NuRegressionProblem,
    OneClassProblem,
    Problem,
    RegressionProblem,
    certify,
    smo,
)
from refsvm.proofs import rough_scores
from refsvm.proofs.fitted_check import exact_judgement
from refsvm.svm.residual_bounds import bounded_residuals


def cloud_of(n, seed=3):
    random = Random(seed)
    X = [[random.gauss(0, 1), random.gauss(0, 1)] for _ in range(n)]
    return X, [1 if x[0] + random.gauss(0, 0.5) > 0 else -1 for x in X]


def test_kernel_values_of_examples_beyond_their_margin_are_not_enclosed():
    X, y = cloud_of(80)
    problem = Problem(X, y, Gaussian(0.5), C=2)
    s = smo(problem)
    found = certify(problem, s)
    vectors = [i for i, a in enumerate(s.alpha) if a]
    assert 8 < len(vectors) < 40 and found.gap < 0.1
    assert sorted(found.problem.kernel._places) == vectors
    assert exact_judgement(found, s.alpha, Q(1, 100)).verdict == "pass"
    assert len(found.problem.kernel._places) == len(vectors)
    assert found.b_interval.width < 1  # which asks for all
    assert len(found.problem.kernel._places) == 80


def test_where_most_are_vectors_no_rough_scores_are_made():
    X, y = cloud_of(20)
    problem = Problem(X, y, Gaussian(20), C=2)
    with patch.object(rough_scores, "bounded_residuals", None):
        assert certify(problem, smo(problem)).gap < 0.1


MADE = [
    lambda X, y, k: Problem(X, y, k, C=2), lambda X, y, k: Problem(X, y, k, C=inf),
    lambda X, y, k: Problem(X, y, k, 2, slack="squared"),
    lambda X, y, k: NuProblem(X, y, k, 0.3), lambda X, y, k: OneClassProblem(X, k, 0.3),
    lambda X, y, k: BallProblem(X, k, 0.1), lambda X, y, k: BallProblem(X, k, inf),
    lambda X, y, k: RegressionProblem(X, [x[0] for x in X], k, 1, 0.5),
    lambda X, y, k: NuRegressionProblem(X, [x[0] for x in X], k, 1, 0.4)]


@pytest.mark.parametrize("off, make", one_in(4, [*product([-0.1, 0.001, 0.1], MADE)]))
def test_rough_scores_change_nothing_however_wrong_they_are(off, make):
    """Residuals in doubles that are off by as much as their error allows, of either sign."""
    X, y = cloud_of(30)
    problem = make(X, y, Gaussian(0.5))
    s = smo(problem, tol=0.1)
    offsets = [v.value for v in s.offsets]
    wrong = [off * (k % 4) * (-1) ** (k // len(X)) for k in range(2 * len(X))]
    exactly = patch.object(rough_scores, "MAX_MULTIPLIER", -1)

    def off_by_their_errors(*given):
        found = bounded_residuals(*given)
        errors = [e + abs(more) for e, more in zip(found.errors, wrong)]
        return found._replace(r=[r + more for r, more in zip(found.r, wrong)], errors=errors)

    more = [a + 0.125 * (k % 3 == 1) for k, a in enumerate(s.alpha)]
    less, one = [a / 4 for a in s.alpha], [0.0625] + [0.0] * (len(X) - 1)
    far, wide = [v - 2 for v in offsets], [v + k for k, v in enumerate(offsets)]
    answers = (s.alpha, offsets), (more, offsets), (less, wide), (one, far), (one, wide)
    for alpha, given in answers:
        with patch.object(rough_scores, "bounded_residuals", off_by_their_errors):
            found = certify(problem, alpha, *given)
        with exactly:
            whole = certify(problem, alpha, *given)
        assert whole.side.weights.is_whole and found[:6] == whole[:6]
        told = [exact_judgement(of, alpha, Q(1, 1000)) for of in (found, whole)]
        assert told[0] == told[1]
        assert found.b_interval == whole.b_interval and found.bound(X[0]) == whole.bound(X[0])
