"""Is there a cliff? Training on either side of each number that decides how refsvm solves.

    python tests/bench/just_across.py [--runs 3] [NAME ..]

Two sets that differ by a row or a column, and CPU seconds of ours and scikit-learn's on both:
where ours are alike, there is none. The names are those of the constants.
"""

import argparse
import sys
import warnings
from pathlib import Path

import numpy

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "bench")]

from clock import best, in_turns, timed  # noqa: E402

import refsvm_fast  # noqa: E402
from refsvm.estimators.linear_machines import MOST_COLUMNS  # noqa: E402
from refsvm.solvers.conjugate_gradient import MAX_CG_FACE  # noqa: E402
from refsvm.solvers.smo import MAX_SMO_ROWS, MAX_STEP_ROWS  # noqa: E402

TOGETHER = 400  # rows of the set with as many columns


def drawn(n, d, flipped):
    """Rows around 0 whose labels follow half of the columns, but for a part that is flipped."""
    random = numpy.random.default_rng(d)
    X = random.normal(size=(n, d))
    y = X[:, : (d + 1) // 2].sum(axis=1) > 0
    return X, numpy.where(random.random(n) < flipped, ~y, y).astype(int)


# A column more is the constant behind each row.
ACROSS = {
    "rows": ("LinearSVC", {}, [(TOGETHER, TOGETHER - 1), (TOGETHER, TOGETHER)]),
    "rows, C = 100": ("LinearSVC", {"C": 100}, [(TOGETHER, TOGETHER - 1), (TOGETHER, TOGETHER)]),
    "MOST_COLUMNS": ("LinearSVC", {}, [(2000, MOST_COLUMNS - 1), (2000, MOST_COLUMNS)]),
    "hinge": ("LinearSVC", {"loss": "hinge"}, [(2000, MOST_COLUMNS - 1), (2000, MOST_COLUMNS)]),
    "MAX_STEP_ROWS": ("SVC", {"C": 100}, [(MAX_STEP_ROWS, 4), (MAX_STEP_ROWS + 1, 4)]),
    "MAX_SMO_ROWS": ("SVC", {"C": 10}, [(MAX_SMO_ROWS, 12), (MAX_SMO_ROWS + 1, 12)]),
    "MAX_CG_FACE": ("SVC", {"C": 1e6, "gamma": 1}, [(MAX_CG_FACE, 8), (MAX_CG_FACE + 1, 8)]),
}


def fit_of(package, machine, options, rows):
    """The function that fits, and returns it with its times."""
    cls = getattr(package, machine)
    return lambda: timed(lambda: cls(**options).fit(*rows))


def main():
    from sklearn import svm

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", default=list(ACROSS))
    parser.add_argument("--runs", type=int, default=3)
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    print(f"{'name':16}{'rows':>8}{'columns':>8}{'ours s':>10}{'theirs s':>10}{'ratio':>8}")
    for name in given.names:
        machine, options, sizes = ACROSS[name]
        for n, d in sizes:
            rows = drawn(n, d, 0.05)
            work = [fit_of(of, machine, options, rows) for of in (refsvm_fast, svm)]
            runs = in_turns(dict(enumerate(work)), given.runs, 600)
            ours, theirs = (best(runs[k])["cpu"] for k in runs)
            print(f"{name:16}{n:8}{d:8}{ours:10.4f}{theirs:10.4f}{theirs / ours:8.2f}"
                  f"  {runs[0][-1].result.solutions_[0].status}", flush=True)


if __name__ == "__main__":
    main()
