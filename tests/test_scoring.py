"""Cross-validation and grid search of regression: R^2 and the mean squared error."""

from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction as Q

import pytest
from peers import Peer

from refsvm import SVDD, SVR, NuSVR, OneClassSVM, cross_validate, grid
from refsvm.estimators.folds import shuffled_folds
from refsvm.estimators.scores import scoring_named
from refsvm.estimators.svc import SVC
from refsvm.estimators.svr import r2_of, r2_score

metrics, sklearn_svm = Peer("sklearn.metrics"), Peer("sklearn.svm")

X = [[float(v), float(v * v % 5)] for v in range(20)]
Y = [0.5 * a - b + (3 if a > 11 else 0) for a, b in X]


@pytest.mark.parametrize("machine", [SVR(C=10), NuSVR(C=10, kernel="linear")])
def test_every_row_is_predicted_by_a_machine_of_the_other_folds(machine):
    found = cross_validate(machine, X, Y, folds=4, seed=3)
    assert found.folds == shuffled_folds(20, 4, 3) and found.decisions is None
    for fold, score in zip(found.folds, found.scores):
        kept = [i for i in range(20) if i not in fold]
        fresh = type(machine)(**machine.get_params())
        fresh.fit([X[i] for i in kept], [Y[i] for i in kept])
        assert fresh.predict([X[i] for i in fold]) == [found.predictions[i] for i in fold]
        assert score == fresh.score([X[i] for i in fold], [Y[i] for i in fold])
    assert found.score == pytest.approx(r2_score(Y, found.predictions))
    missed = [(v - f) ** 2 for v, f in zip(Y, found.predictions)]
    assert found.mean_squared_error == pytest.approx(sum(missed) / 20)
    with ThreadPoolExecutor(2) as pool:
        assert cross_validate(machine, X, Y, folds=4, seed=3, executor=pool) == found


def test_fractions_are_scored_exactly():
    rows, y = [[Q(v)] for v in range(6)], [Q(v, 3) for v in range(6)]
    found = cross_validate(SVR(kernel="linear", C=100, epsilon=0, tol=0), rows, y, folds=3)
    assert found.score == 1 and type(found.score) in (Q, int) and found.mean_squared_error == 0


def test_the_grid_takes_the_best_r2():
    found = grid(SVR(), {"C": [0.01, 10, 10], "epsilon": [0.1]}, X, Y, folds=4)
    scores = [point.score for point in found.table]
    assert found.best == {"C": 10, "epsilon": 0.1} and scores[1] == scores[2] == found.score
    assert scores[0] < scores[1]
    assert found.table[1].scores == cross_validate(SVR(C=10), X, Y, folds=4).scores
    with pytest.raises(ValueError, match="epsilon is -1.0; it must not be negative"):
        grid(SVR(), {"epsilon": [0.1, -1]}, X, Y)


def test_both_scores_are_exact_on_fractions():
    y = [Q(1), Q(2), Q(4)]  # of mean 7/3, from which the squares add up to 14/3
    r2, accuracy = scoring_named(None, "values"), scoring_named(None, "classes")
    assert (r2.name, accuracy.name) == ("r2", "accuracy")
    assert r2.tally(y, [Q(0), Q(2), Q(6)]) == 5
    assert r2.score(y, [Q(1, 2), Q(1, 2)]) == Q(11, 14)
    assert r2_of(Q(1), [Q(0), Q(3)], [Q(1), Q(2)]) == Q(5, 6)
    assert r2.score([Q(2)] * 3, [Q(0)]) == 1 and r2.score([Q(2)] * 3, [Q(1)]) == 0
    assert accuracy.tally("abca", "abba") == 3 and accuracy.score("abcd", [1, 2]) == 0.75


def test_what_a_machine_is_scored_by():
    y = [0, 1] * 10
    assert cross_validate(SVC(), X, y, folds=2) == cross_validate(
        SVC(), X, y, folds=2, score="accuracy")
    assert cross_validate(SVR(), X, Y) == cross_validate(SVR(), X, Y, score="r2")
    for machine in (OneClassSVM(), SVDD()):
        with pytest.raises(TypeError, match="it predicts no y with which its answers could be"):
            cross_validate(machine, X, Y)


def test_an_estimator_of_scikit_learn_is_scored_likewise():
    found = cross_validate(sklearn_svm.SVR(C=10), X, Y, folds=4)
    assert found.score == pytest.approx(metrics.r2_score(Y, found.predictions))
    error = metrics.mean_squared_error(Y, found.predictions)
    assert found.mean_squared_error == pytest.approx(error)


def test_folds_and_values_are_checked():
    with pytest.raises(ValueError, match="folds is 21; it must be at most 20, the number of rows"):
        cross_validate(SVR(), X, Y, folds=21)
    with pytest.raises(ValueError, match="y has length 3; there are 20 examples"):
        cross_validate(SVR(), X, Y[:3])
    with pytest.raises(ValueError, match=r"y\[2\] is nan"):
        cross_validate(SVR(), X, [0.0, 1.0, float("nan"), *Y[3:]])
