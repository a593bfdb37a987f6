"""Our part of the benchmark, which needs nothing but Python: the five sets, and fits of them.

Run as a program it fits one set several times and prints what it found as JSON; so run.py has the
same work done by another interpreter:

    pypy3 tests/bench/ours.py NAME FITS

Times are process times in seconds, from rows as lists to the Solution: the building of the
Problem is part of a fit.
"""

import json
import os
import sys
from math import sqrt
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from against_libsvm import load  # noqa: E402
from clock import timed  # noqa: E402

from refsvm import Gaussian, Problem, smo  # noqa: E402

SETS = ("german.numer_scale", "svmguide1", "diabetes_scale", "splice", "a1a")
TO_STANDARDISE = ("splice",)
C, TOL = 1, 1e-3


def data(folder, name):
    """X and y of a set: svmguide1 scaled to [-1, 1], splice to mean 0 and deviation 1."""
    X, y = load(folder, name)
    if name in TO_STANDARDISE:
        X = [list(row) for row in zip(*map(standardised, zip(*X)))]
    return X, y


def standardised(column):
    """The column less its mean, over its standard deviation; the same bits on every Python."""
    mean = total(column) / len(column)
    deviations = [v - mean for v in column]
    size = sqrt(total([v * v for v in deviations]) / len(column))
    return [v / size for v in deviations] if size > 0 else deviations


def total(values):
    """The sum from left to right: that of Python 3.12 and later has other bits."""
    result = 0
    for v in values:
        result += v
    return result


def fit(X, y, solver=smo):
    """The Solution of one fit, Timed."""
    return timed(lambda: solver(Problem(X, y, Gaussian(1 / len(X[0])), C), tol=TOL))


def main(name, fits):
    """Fit several times in one process: the first find a compiler that is still learning."""
    X, y = data(os.environ["REFSVM_DATA"], name)
    runs = [fit(X, y) for _ in range(int(fits))]
    print(json.dumps({"times": [run.cpu for run in runs], "alpha": runs[0].result.alpha}))


if __name__ == "__main__":
    main(*sys.argv[1:])
