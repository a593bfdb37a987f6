"""Our dual optimum against LIBSVM's, on real data: every set, kernel and C that is promised.

    python tests/against_libsvm.py [--sets NAME ..] [--kernels NAME ..] [--C NUMBER ..]
                                   [--limit SECONDS]

The promise, at tol = 1e-6: our dual is at least LIBSVM's less 1e-6 of it, wherever LIBSVM ends
within 10^6 iterations. Where it does not, our own gap is stated. Both duals are evaluated by the
same lines here, in doubles, after LIBSVM's multipliers were made feasible.

Needs NumPy and scikit-learn (which contains LIBSVM), and REFSVM_DATA: the folder of data files.
The exit status is 0 if every row keeps the promise, otherwise 1.

    alpha    multipliers           K    Gram matrix           dual    sum alpha - 1/2 beta' K beta
"""

import argparse
import os
import sys
import time
import warnings
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from refsvm import Gaussian, Linear, Polynomial  # noqa: E402
from refsvm.files.scaling import Scaling  # noqa: E402
from refsvm.tables.data import read_data  # noqa: E402
from refsvm_fast import Problem, smo  # noqa: E402 - refsvm's answers, sooner

TO_SCALE = ("svmguide1", "svmguide3")  # to [-1, 1], by their own rows
SETS = (
    "heart_scale", "australian_scale", "breast-cancer_scale", "diabetes_scale",
    "german.numer_scale", "ionosphere_scale", "sonar_scale", "fourclass_scale",
    "splice", "a1a", "w1a", *TO_SCALE,
)
KERNELS = ("linear", "cubic", "gaussian")
PENALTIES = (0.1, 1, 100)
TOL = 1e-6
MOST = 10**6  # iterations, for both
PROMISE = 1e-6  # of LIBSVM's dual
ROUNDING = 1e-9  # of our dual: a gap further below zero shows multipliers that are not feasible


class Row(NamedTuple):
    """One problem, solved twice; duals as evaluated here, times in seconds of this process."""

    name: str
    kernel: str
    C: float
    their_end: bool  # whether LIBSVM ended within MOST iterations
    their_steps: int
    their_time: float
    their_dual: float
    our_steps: int
    our_time: float
    our_dual: Any  # None if we were stopped by --limit
    our_gap: Any
    status: str

    def difference(self):
        """How far our dual is above LIBSVM's, relative to it."""
        return (self.our_dual - self.their_dual) / abs(self.their_dual)

    def verdict(self):
        if self.our_dual is None:
            return "TIME"
        if self.our_gap < -ROUNDING * abs(self.our_dual):
            return "WRONG"
        if not self.their_end:
            return "gap"
        return "ok" if self.difference() >= -PROMISE else "LESS"


def load(folder, name):
    """X and y of a data set as lists; the larger label is +1."""
    X, y = read_data(Path(folder) / f"{name}.libsvm")
    if name in TO_SCALE:
        X = Scaling.fit(X).apply(X)
    largest = max(y)
    return X, [1 if label == largest else -1 for label in y]


def gram_matrix(X, kernel):
    """K in NumPy. Linear: of centred columns; the dual is the same, and nothing cancels."""
    import numpy

    X = numpy.array(X)
    gamma = 1 / X.shape[1]
    if kernel == "linear":
        X = X - X.mean(axis=0)
        return X @ X.T
    if kernel == "cubic":
        return (gamma * (X @ X.T)) ** 3
    K = numpy.empty((len(X), len(X)))
    for i, x in enumerate(X):
        K[i] = numpy.exp(-gamma * ((X - x) ** 2).sum(axis=1))
    return K


def dual(K, y, alpha):
    """sum alpha - 1/2 beta' K beta."""
    import numpy

    beta = numpy.array(alpha) * numpy.array(y)
    return float(numpy.array(alpha).sum() - beta @ (K @ beta) / 2)


def feasible(alpha, y, C):
    """alpha clipped to the box, then the heavier class scaled down to the weight of the other."""
    import numpy

    alpha, y = numpy.clip(alpha, 0, C), numpy.array(y)
    weights = {s: alpha[y == s].sum() for s in (1, -1)}
    least = min(weights.values())
    for s, weight in weights.items():
        if weight > 0:
            alpha[y == s] *= least / weight
    return alpha


def libsvm(X, y, kernel, C):
    """LIBSVM's alpha made feasible, its iterations, its time, and whether it came to its end."""
    import numpy
    from sklearn.svm import SVC

    machine = SVC(
        kernel={"linear": "linear", "cubic": "poly", "gaussian": "rbf"}[kernel],
        degree=3, coef0=0, gamma="auto", C=C, tol=TOL, max_iter=MOST, cache_size=500,
    )
    X = numpy.array(X)
    start = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that max_iter was reached is told below
        machine.fit(X, y)
    seconds = time.process_time() - start
    alpha = numpy.zeros(len(y))
    alpha[machine.support_] = abs(machine.dual_coef_[0])
    return feasible(alpha, y, C), int(machine.n_iter_[0]), seconds, machine.fit_status_ == 0


class TooLong(Exception):
    """Our solver was stopped by --limit."""


def ours(X, y, kernel, C, limit=None):
    """Our Solution (None if it took more than `limit` seconds), its steps so far, its time."""
    d = len(X[0])
    k = {"linear": Linear(), "cubic": Polynomial(3, 1 / d), "gaussian": Gaussian(1 / d)}[kernel]
    start, steps = time.process_time(), [0]

    def watch(step):
        steps[0] = step.iteration
        if time.process_time() - start > limit:
            raise TooLong

    try:
        problem = Problem(X, y, k, C)
        solution = smo(problem, tol=TOL, max_iter=MOST, on_step=watch if limit else None)
        return solution, solution.iterations, time.process_time() - start
    except TooLong:
        return None, steps[0], time.process_time() - start


def compare(X, y, name, kernel, C, limit=None):
    """The Row of one problem."""
    K = gram_matrix(X, kernel)
    alpha, their_steps, their_time, their_end = libsvm(X, y, kernel, C)
    solution, our_steps, our_time = ours(X, y, kernel, C, limit)
    if solution is None:
        answer = None, None, "stopped"
    else:
        answer = dual(K, y, solution.alpha), solution.gap, solution.status
    return Row(
        name, kernel, C, their_end, their_steps, their_time, dual(K, y, alpha),
        our_steps, our_time, *answer,
    )


TITLE = (
    f"{'set':19} {'kernel':8} {'C':>5} | {'LIBSVM it':>9} {'s':>7} | {'our it':>7} {'s':>7}"
    f" {'status':10} | {'dual - dual':>11} {'gap / dual':>10}"
)


def line(row):
    """A Row as a line of the table; differences and gap are relative to the dual."""
    if row.our_dual is None:
        numbers = f"{'':11} {'':10}"
    else:
        numbers = f"{row.difference():11.1e} {row.our_gap / abs(row.our_dual):10.1e}"
    steps = f"{row.their_steps}" if row.their_end else f">{row.their_steps}"
    return (
        f"{row.name:19} {row.kernel:8} {row.C:5} | {steps:>9} {row.their_time:7.2f} |"
        f" {row.our_steps:7} {row.our_time:7.2f} {row.status:10} | {numbers} {row.verdict()}"
    )


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--sets", nargs="+", default=SETS)
    parser.add_argument("--kernels", nargs="+", choices=KERNELS, default=KERNELS)
    parser.add_argument("--C", nargs="+", type=float, default=PENALTIES)
    parser.add_argument("--limit", type=float, help="stop a run of ours after so many seconds")
    options = parser.parse_args(arguments)
    folder = os.environ.get("REFSVM_DATA")
    if not folder:
        parser.error("set REFSVM_DATA to the folder of LIBSVM data files")
    verdicts = Counter()
    print(TITLE)
    for name in options.sets:
        X, y = load(folder, name)
        for kernel in options.kernels:
            for C in options.C:
                row = compare(X, y, name, kernel, C, options.limit)
                verdicts[row.verdict()] += 1
                print(line(row), flush=True)
    print(
        f"{verdicts['ok']} keep the promise; {verdicts['gap']} have only our gap to show, as"
        f" LIBSVM did not end; {verdicts['LESS']} are less than LIBSVM's;"
        f" {verdicts['WRONG']} have a dual above their primal;"
        f" {verdicts['TIME']} were stopped by --limit"
    )
    return 1 if set(verdicts) - {"ok", "gap"} else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
