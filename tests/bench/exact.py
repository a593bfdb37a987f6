"""How long the exact optimum of real sets takes.

    REFSVM_DATA=folder python tests/bench/exact.py [--sets NAME ..] [--kernels NAME ..]
                                                   [--C NUMBER ..] [--scaled]

Without options: the seven small sets, linear and (x.z + 1)^2, C = 0.1, 1, 100; scaled: to [-1, 1]
by their own rows. The first label in sorted order is -1. Times are CPU seconds of one process from
the Problem to its Optimum, proof included.

    free    examples with 0 < alpha < C         bits    of the longest denominator in alpha
    L M U   how many examples have this status
"""

import argparse
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from refsvm import Linear, Polynomial, Problem, Scaling, read_data, solve_exactly  # noqa: E402
from tests.bench.clock import timed  # noqa: E402

SETS = (
    "heart_scale", "sonar_scale", "ionosphere_scale", "australian_scale", "breast-cancer_scale",
    "diabetes_scale", "fourclass_scale",
)
KERNELS = {"linear": Linear(), "poly": Polynomial(2, coef0=1)}
PENALTIES = (0.1, 1, 100)
HEAD = "set                      n  kernel      C  CPU s  free   bits     L    M    U  alpha  b"


def examples(name, scaled=False):
    """(X, y) of a set."""
    X, y = read_data(Path(os.environ["REFSVM_DATA"]) / f"{name}.libsvm")
    first = min(y)
    return Scaling.fit(X).apply(X) if scaled else X, [-1 if v == first else 1 for v in y]


def counts(status, letters="LMU"):
    """How many examples have each of these statuses, in columns."""
    return " ".join(f"{status.count(letter):4}" for letter in letters)


def line(name, X, y, kernel, C):
    """The line of the table for one problem."""
    problem = Problem(X, y, KERNELS[kernel], C)
    best, _, seconds = timed(lambda: solve_exactly(problem))
    free = len([a for a in best.alpha if 0 < a < C])
    bits = max(a.denominator.bit_length() for a in best.alpha)
    unique = " ".join(f"{'one' if only else 'many':>5}" for only in best[9:11])
    return (
        f"{name:20} {len(X):5}  {kernel:6} {C:6g} {seconds:6.1f} {free:5} {bits:6}"
        f"  {counts(best.status)} {unique}"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sets", nargs="+", default=SETS)
    parser.add_argument("--kernels", nargs="+", default=list(KERNELS), choices=KERNELS)
    parser.add_argument("--C", nargs="+", type=float, default=PENALTIES)
    parser.add_argument("--scaled", action="store_true")
    given = parser.parse_args()
    print(HEAD)
    for name in given.sets:
        X, y = examples(name, given.scaled)
        for kernel in given.kernels:
            for C in given.C:
                print(line(name, X, y, kernel, C), flush=True)


if __name__ == "__main__":
    main()
