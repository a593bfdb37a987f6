"""From the options of a command to trained pairs of classes, and to those of each fold."""

from typing import Any, NamedTuple

from ..estimators.svc import SVC
from ..estimators.training_data import TrainingSet
from ..kernels.value_errors import may_exceed_its_diagonal, value_errors
from ..numerics.linalg import total
from ..numerics.rounding_bounds import of_sum
from .console import progress
from .engine import library
from .machine_options import tol_given, type_of

LESS = 0.99  # of a margin, for what rounding takes off the comparison
OFFSET_SYMBOLS = {"radius2": "R^2"}  # as they are called in a report
OFFSET_MEANINGS = {
    "b": "offset",
    "rho": "level of the margin",
    "epsilon": "half width of the tube",
    "radius2": "of the ball",
}


def machine(given):
    """Return the estimator of the library in use, not yet trained, that the options describe."""
    return getattr(library(given), type_of(given).estimator)(
        **machine_parameters(given),
        **tol_given(given),
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


def training_predictions(model, trained, accepted, X, y):
    """Return what a model predicts of the rows that it was trained on.

    A row whose alpha is below its bound has a margin, and need not be asked about if that is more
    than the model may be off where it decides, in every pair. So most rows cost nothing.
    """
    doubtful = doubtful_rows(model.kernel, trained, accepted.data.C, X)
    with progress("predicting what it was trained on"):
        found = model.predictions([X[i] for i in doubtful]) if doubtful else []
    predicted = list(y)
    for i, label in zip(doubtful, found):
        predicted[i] = label
    return predicted


def doubtful_rows(kernel, trained, C, X):
    """Return the rows whose label the Solutions leave open.

    Let f be the decision of the machine that is kept, exactly. Where alpha may rise, y f is at
    least the margin that _least_margin tells. A model is off from f by less than

        (q + v + 8) u (sqrt(s_i) S + |b|)        S = sum sqrt(s_j) |alpha_j|, of q vectors

    in its products, its sum, w, and what nu-classification divides by; v and s are those of
    kernels/value_errors.py. Of a kernel that has none every row is asked about.
    """
    if may_exceed_its_diagonal(kernel):
        return list(range(len(X)))
    of_values = value_errors(kernel, X, 0 if isinstance(X[0], str) else len(X[0]))
    terms, roots = of_values.roundings, of_values.roots
    doubtful = set()
    for pair in trained:
        found, margin = pair.solution, _least_margin(pair.solution)
        vectors = [(a, roots[i]) for a, i in zip(found.alpha, pair.rows) if a != 0]
        mass, off = total(a * s for a, s in vectors), terms + len(vectors) + 8
        for a, i in zip(found.alpha, pair.rows):
            error = of_sum(off, roots[i] * mass + abs(found.b))
            if a == C[i] or not error < LESS * margin:
                doubtful.add(i)
    return sorted(doubtful)


def _least_margin(solution):
    """Return what y f is at least, of a row whose alpha may rise; negative if nothing is known.

    By the conditions it is no less than the margin, 1 or rho, less m - M, and less what b may be
    off. b_low .. b_high hold the true m and M.
    """
    unit = getattr(solution.offsets, "rho", None)
    b = solution.offsets.b
    away = max(b.high - b.value, b.value - b.low, 0)
    return (1 if unit is None else unit.low) - 2 * max(solution.violation, 0) - away
