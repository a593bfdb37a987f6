"""LinearSVC at its defaults, ours and scikit-learn's, on data as the files have them: one table.

    python tests/bench/linear_defaults.py [--loss hinge] [--runs 5] [SET ..]

REFSVM_DATA names the folder of the files; N-D is a set drawn at random. P is the primal at the
coef_ and intercept_ that each has; what stands of it is how far it is above the lower of the two.
"""

import argparse
import sys
import warnings
from pathlib import Path

import numpy

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "bench")]

from clock import best, in_turns, mean, timed  # noqa: E402
from sets import file_of  # noqa: E402

import refsvm_fast  # noqa: E402

NAMES = (
    "100-4", "20000-20", "100000-5", "wdbc", "wine", "spambase", "cod-rna", "ijcnn1", "svmguide1",
    "german.numer", "madelon", "usps_zip", "a9a",
)


def training(name):
    """(X, y) of a file, the last label against the others; or of N-D."""
    if file_of(name) is None:
        n, d = map(int, name.split("-"))
        random = numpy.random.default_rng(229)
        X = random.normal(size=(n, d))
        return X, numpy.where(X[:, 0] + random.normal(size=n) / 2 > 0, 1, -1)
    data = refsvm_fast.read_data(file_of(name))
    return numpy.array(data.X, float), numpy.where(numpy.array(data.y) == max(data.y), 1, -1)


def primal(machine, X, y, loss):
    """1/2 |w|^2 + 1/2 b^2 + the loss, C = 1."""
    w, b = numpy.array(machine.coef_[0]), float(machine.intercept_[0])
    slack = numpy.maximum(0, 1 - y * (X @ w + b))
    return (w @ w + b * b) / 2 + (slack if loss == "hinge" else slack**2).sum()


def fit_of(cls, X, y, loss):
    """The function that fits, and returns it with its times."""
    return lambda: timed(lambda: cls(loss=loss).fit(X, y))


def main():
    from sklearn.svm import LinearSVC

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="SET", default=NAMES)
    parser.add_argument("--loss", default="squared_hinge", choices=["squared_hinge", "hinge"])
    parser.add_argument("--runs", type=int, default=5)
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    print(f"{'set':16}{'rows':>8}{'columns':>8}{'ours s':>10}{'theirs s':>10}{'ratio':>7}"
          f"{'ours above':>12}{'theirs above':>14}  status")
    ratios = []
    for name in given.names:
        X, y = training(name)
        fits = {"ours": refsvm_fast.LinearSVC, "theirs": LinearSVC}
        work = {who: fit_of(cls, X, y, given.loss) for who, cls in fits.items()}
        runs = in_turns(work, given.runs, 600)
        ours, theirs = (best(runs[who])["cpu"] for who in fits)
        values = [primal(runs[who][-1].result, X, y, given.loss) for who in fits]
        above = [value / min(values) - 1 for value in values]
        ratios.append(theirs / ours)
        status = runs["ours"][-1].result.solutions_[0].status
        print(f"{name:16}{len(X):8}{len(X[0]):8}{ours:10.4f}{theirs:10.4f}{ratios[-1]:7.2f}"
              f"{above[0]:12.1e}{above[1]:14.1e}  {status}", flush=True)
    print(f"mean {mean(ratios):.2f}, least {min(ratios):.2f}")


if __name__ == "__main__":
    main()
