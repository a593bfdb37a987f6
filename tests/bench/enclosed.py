"""How long the optimum of real sets takes whose kernel values are no fractions.

    REFSVM_DATA=folder python tests/bench/enclosed.py [--sets NAME ..] [--C NUMBER ..]
                                                      [--bits NUMBER ..]

The Gaussian kernel with gamma = 1 / d. Without options: the seven small sets of exact.py, C = 1,
64 bits. Times are CPU seconds of one process from the Problem to its Optimum.

    width   of the objective's interval, as the power of two that is not below it
    L M U ? how many examples have this status
"""

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from refsvm import Gaussian, Problem, solve_exactly  # noqa: E402
from tests.bench.clock import timed  # noqa: E402
from tests.bench.exact import SETS, counts, examples  # noqa: E402

HEAD = "set                      n      C  bits  CPU s     objective   width     L    M    U    ?"


def line(name, X, y, C, bits):
    """The line of the table for one problem."""
    problem = Problem(X, y, Gaussian(1 / len(X[0])), C)
    best, _, seconds = timed(lambda: solve_exactly(problem, bits=bits))
    width = best.objective.width
    power = width.numerator.bit_length() - width.denominator.bit_length() + 1
    return (
        f"{name:20} {len(X):5} {C:6g} {bits:5} {seconds:6.1f} {float(best.objective.low):13.7g}"
        f"  2^{power:<6}{counts(best.status, 'LMU?')}"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sets", nargs="+", default=SETS)
    parser.add_argument("--C", nargs="+", type=float, default=[1.0])
    parser.add_argument("--bits", nargs="+", type=int, default=[64])
    given = parser.parse_args()
    print(HEAD)
    for name in given.sets:
        X, y = examples(name)
        for C in given.C:
            for bits in given.bits:
                print(line(name, X, y, C, bits), flush=True)


if __name__ == "__main__":
    main()
