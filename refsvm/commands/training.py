"""From the options of a command to trained pairs of classes, and to those of each fold."""

from typing import Any, NamedTuple

from ..estimators.svc import SVC
from ..estimators.training_data import TrainingSet
from .console import progress
from .engine import library
from .machine_options import type_of

SURE = 0.5  # a tol below leaves no doubt about the side of a margin of 1 - tol
OFFSETS = {"radius2": "R^2"}  # as they are called in a report
MEANINGS = {
    "b": "offset",
    "rho": "level of the margin",
    "epsilon": "half width of the tube",
    "radius2": "of the ball",
}


def machine(given):
    """Return the estimator of the library in use, not yet trained, that the options describe."""
    return getattr(library(given), type_of(given).estimator)(
        **machine_parameters(given),
        tol=given.tol,
        cache_size=given.cache_mb,
        max_iter=given.max_iter,
    )


def machine_parameters(given):
    """Return the parameters of an estimator that say what to train, from the options."""
    names = ("kernel", "degree", "gamma", "coef0", *type_of(given).options)
    return {name: getattr(given, name) for name in names}


class _Accepted(NamedTuple):
    """An SVC and a training set that are checked, and ready for the work."""

    svc: SVC
    steps: Any  # at most, for a pair
    cache_mb: Any
    data: TrainingSet


def accept(svc, X, y):
    """Check all that SVC.fit checks before the work."""
    return _Accepted(svc, *svc._solver_settings(), svc._training_set(X, y, None))


def train(accepted, what="training"):
    """Train as SVC.fit does, with progress shown; return (OneAgainstOne, Pairs)."""
    svc, steps, cache_mb, data = accepted

    def watch(first, second):
        return progress(f"{what}, {first} against {second}", svc.tol)

    trained = svc._trained(data, steps, cache_mb, watch)
    return svc._gather(data, svc._in_units_of_margin(trained))[1], trained


def training_hits(model, trained, accepted, X, y):
    """Return how many of the rows that it was trained on a model predicts rightly.

    Where alpha is below C, the margin is at least 1 - tol: such a row need not be asked about, if
    it is so in every pair. So most rows cost nothing.
    """
    svc, _, _, data = accepted
    doubtful = set()
    for pair in trained:
        certain = pair.solution.status == "optimal" and svc.tol < SURE
        alpha = zip(pair.rows, pair.solution.alpha)
        doubtful.update(i for i, a in alpha if a == data.C[i] or not certain)
    asked = sorted(doubtful)
    with progress("predicting what it was trained on"):
        predicted = model.predictions([X[i] for i in asked]) if asked else []
    return len(y) - len([1 for i, label in zip(asked, predicted) if label != y[i]])
