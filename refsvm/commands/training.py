"""From the options of a command to trained pairs of classes, and to those of each fold."""

from typing import Any, NamedTuple

from ..estimators.svc import SVC
from ..estimators.training_data import TrainingSet
from .console import number, progress, ratio
from .engine import library
from .machine_types import type_of

SURE = 0.5  # a tol below leaves no doubt about the side of a margin of 1 - tol
STATUS = {
    "optimal": "the conditions of optimality hold to within tol",
    "max_iter": "the last step allowed was taken",
    "infeasible": "no machine separates the classes, as C = inf asks",
    "indefinite": "the kernel is not that of an inner product on these rows",
    "degenerate": "w is 0, and there is no machine",
    "precision": "rounding stands between this answer and tol; the gap tells how far it is",
}
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


class Accepted(NamedTuple):
    """An SVC and a training set that are checked, and ready for the work."""

    svc: SVC
    steps: Any  # at most, for a pair
    cache_mb: Any
    data: TrainingSet


def accept(svc, X, y):
    """Check all that SVC.fit checks before the work."""
    return Accepted(svc, *svc._solver_settings(), svc._training_set(X, y, None))


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


def facts(pair, C):
    """Return (name, value, meaning) of what the solver returned for a pair, for tables."""
    found = pair.solution
    alpha_C = [(a, C[i]) for a, i in zip(found.alpha, pair.rows)]
    return [
        ("status", found.status, STATUS[found.status]),
        ("steps", str(found.iterations), "of the solver"),
        ("vectors", str(len([a for a, _ in alpha_C if a > 0])), "support vectors, alpha > 0"),
        ("at C", str(len([a for a, c in alpha_C if a == c])), "of them with all they may have"),
        *values_reached(found),
        *offsets_reached(found),
    ]


def values_reached(found):
    """Return facts: the values of primal and dual."""
    primal = found.objective + found.gap
    return [
        ("dual", number(found.objective, 9), "objective reached; the optimum is not below it"),
        ("primal", number(primal, 9), "margin and slacks together; the optimum is not above"),
        ("gap", number(found.gap, 3), "between them: how far from the optimum it can be at most"),
        ("gap/primal", ratio(found.gap, abs(primal)), "the same in proportion"),
    ]


def offsets_reached(found):
    """Return facts: the offsets, each with its interval."""
    if not hasattr(found, "offsets"):
        return [
            ("b from", number(found.b_low, 8), "the offsets that suit every example within tol"),
            ("b to", number(found.b_high, 8), "lie around these two"),
        ]
    return [
        (
            OFFSETS.get(name, name),
            number(value, 8),
            f"{MEANINGS[name]}, from {number(min(ends))} to {number(max(ends))} within tol",
        )
        for name, (value, *ends) in zip(found.offsets._fields, found.offsets)
    ]
