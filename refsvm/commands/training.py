"""From the options of a command to trained pairs of classes, and the folds of cross-validation."""

from typing import Any, NamedTuple

from ..estimators.svc import SVC, solver_settings
from ..estimators.training_data import TrainingSet
from ..files.data import read_data
from ..numerics.picks import shuffle, splitmix64
from .console import number, progress, ratio
from .engine import library

STATUS = {
    "optimal": "the conditions of optimality hold to within tol",
    "max_iter": "the last step allowed was taken",
    "infeasible": "no machine separates the classes, as C = inf asks",
    "indefinite": "the kernel is not that of an inner product on these rows",
    "precision": "rounding stands between this answer and tol; the gap tells how far it is",
}


def machine(given):
    """Return the SVC of the library in use, not yet trained, that the options describe."""
    return library(given).SVC(
        **machine_parameters(given),
        tol=given.tol,
        cache_size=given.cache_mb,
        max_iter=given.max_iter,
    )


def machine_parameters(given):
    """Return the parameters of SVC that say what to train, from the options."""
    names = ("C", "kernel", "degree", "gamma", "coef0", "class_weight")
    return {name: getattr(given, name) for name in names}


def read_for(kernel, path):
    """Read the data of a file, which holds kernel values if the kernel is "precomputed"."""
    with progress(f"reading {path}"):
        return read_data(path, precomputed=kernel == "precomputed")


class Accepted(NamedTuple):
    """An SVC and a training set that are checked, and ready for the work."""

    svc: SVC
    steps: Any  # at most, for a pair
    cache_mb: Any
    data: TrainingSet


def accept(svc, X, y):
    """Check all that SVC.fit checks before the work."""
    return Accepted(svc, *solver_settings(svc), svc._training_set(svc, X, y, None))


def train(accepted, what="training"):
    """Train as SVC.fit does, with progress shown; return (OneAgainstOne, Pairs)."""
    svc, steps, cache_mb, data = accepted

    def watch(first, second):
        return progress(f"{what}, {first} against {second}")

    trained = svc._train_pairs(data, svc.tol, steps, cache_mb, watch=watch)
    return svc._gather(data, trained)[1], trained


def stratified_folds(y, k, seed):
    """Deal the rows into k parts at random, each class evenly; return k lists of indices.

    Each class is shuffled, then all rows are dealt out in turn, one class after the other: the
    sizes of the parts differ by at most one, and so does what each has of a class.

    >>> stratified_folds([1, 1, 1, 1, 2, 2], 2, seed=1)
    [[0, 3, 5], [1, 2, 4]]
    """
    if not 2 <= k <= len(y):
        raise ValueError(f"the number of folds is {k}; it must be from 2 to {len(y)}, the rows")
    bits, order = splitmix64(seed), []
    for label in sorted(set(y)):
        order += shuffle([i for i, of_row in enumerate(y) if of_row == label], bits)
    return [sorted(order[j::k]) for j in range(k)]


def facts(pair, C):
    """Return (name, value, meaning) of what the solver returned for a pair, for tables."""
    found = pair.solution
    primal = found.objective + found.gap
    alpha_C = [(a, C[i]) for a, i in zip(found.alpha, pair.rows)]
    return [
        ("status", found.status, STATUS[found.status]),
        ("steps", str(found.iterations), "of the solver"),
        ("vectors", str(len([a for a, _ in alpha_C if a > 0])), "support vectors, alpha > 0"),
        ("at C", str(len([a for a, c in alpha_C if a == c])), "of them with all they may have"),
        ("dual", number(found.objective, 9), "objective reached; the optimum is not below it"),
        ("primal", number(primal, 9), "margin and slacks together; the optimum is not above"),
        ("gap", number(found.gap, 3), "between them: how far from the optimum it can be at most"),
        ("gap/primal", ratio(found.gap, abs(primal)), "the same in proportion"),
        ("b from", number(found.b_low, 8), "the offsets that suit every example within tol"),
        ("b to", number(found.b_high, 8), "lie around these two"),
    ]
