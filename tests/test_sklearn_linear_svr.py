"""refsvm.sklearn.LinearSVR: the bits of refsvm.LinearSVR, with what scikit-learn asks for."""

import pickle

import pytest
from peers import peer

peer("sklearn")  # without it there is nothing to test
import numpy as np  # noqa: E402
from scipy import sparse  # noqa: E402
from sklearn.utils.estimator_checks import parametrize_with_checks  # noqa: E402

import refsvm  # noqa: E402
from refsvm.sklearn import LinearSVR  # noqa: E402

LOSSES = ["epsilon_insensitive", "squared_epsilon_insensitive"]


def line(n=60):
    rng = np.random.default_rng(n)
    X = rng.normal(size=(n, 4))
    return X, X @ [1, 2, 0, -1] + 3 + rng.normal(size=n) / 4


def objective(machine, X, y, weights):
    b, squared = np.ravel(machine.intercept_)[0], machine.loss == LOSSES[1]
    missed = np.maximum(0, abs(y - X @ machine.coef_ - b) - machine.epsilon)
    penalty = weights @ (missed**2 if squared else missed)
    return (machine.coef_ @ machine.coef_ + (b / machine.intercept_scaling) ** 2) / 2 + penalty


@parametrize_with_checks([LinearSVR(tol=1e-10, loss=LOSSES[1])])
def test_scikit_learns_checks_pass(estimator, check):
    check(estimator)


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("scaling, epsilon", [(1.0, 0.0), (4.0, 0.25)])
def test_the_objective_is_at_most_scikit_learns(loss, scaling, epsilon):
    (X, y), theirs = line(), peer("sklearn.svm").LinearSVR
    weights = np.where(np.arange(len(y)) % 3, 1.0, 2.0)
    given = {"loss": loss, "epsilon": epsilon, "intercept_scaling": scaling, "tol": 1e-8,
             "max_iter": 100_000, "random_state": 0}
    ours, other = (cls(**given).fit(X, y, weights) for cls in (LinearSVR, theirs))
    assert ours.coef_ == pytest.approx(other.coef_, abs=1e-3)
    least, value = (objective(machine, X, y, weights) for machine in (ours, other))
    assert value - 1e-4 < least < value + 1e-8


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix])
def test_the_answers_are_refsvms_to_the_last_bit(form):
    X, y = line()
    ours = LinearSVR(C=0.5, loss=LOSSES[1]).fit(form(X), y)
    plain = refsvm.LinearSVR(C=0.5, loss=LOSSES[1]).fit(X.tolist(), y.tolist())
    again = pickle.loads(pickle.dumps(ours))
    for machine in (ours, again):
        assert machine.coef_.tolist() == plain.coef_ and machine.coef_.shape == (4,)
        assert machine.intercept_.tolist() == plain.intercept_
        assert machine.predict(form(X)).tolist() == plain.predict(X.tolist())
    assert ours.model_.predictions(X.tolist()) == ours.predict(X).tolist()
    assert ours.score(X, y) == pytest.approx(plain.score(X.tolist(), y.tolist()))


def test_its_parameters_are_scikit_learns():
    theirs = peer("sklearn.svm").LinearSVR
    assert LinearSVR().get_params() == theirs().get_params() == refsvm.LinearSVR().get_params()


def test_weights_and_offset_may_be_set():
    machine = LinearSVR()
    machine.coef_, machine.intercept_ = [1, 2], -2
    assert machine.predict([[0, 0], [5, 1]]).tolist() == [-2, 5]
    X, y = line()
    machine = LinearSVR(fit_intercept=False).fit(X, y)
    assert machine.intercept_ == 0.0 and (machine.predict(X) == X @ machine.coef_).mean() > 0.1
    with pytest.raises(ValueError):
        machine.coef_[0] = 1


@pytest.mark.parametrize("loss", LOSSES)
def test_check_passes(loss):
    X, y = line()
    assert refsvm.check(LinearSVR(loss=loss).fit(X, y), X, y).passed
