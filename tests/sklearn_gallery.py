"""The map of C and gamma on iris that scikit-learn's gallery draws, by both: 845 fits of each.

    python3 -m tests --all --python tests/sklearn_gallery.py       prints the map

The data, the folds and the 13 times 13 values are those of its example "RBF SVM parameters". A
cell is how many of 150 rows (five times 30) are predicted right by refsvm, trained to TOL, and
behind it by how many scikit-learn's SVC differs, if it does. Each of the 2535 machines of two
classes has a status: "optimal" is proved in exact arithmetic. spec/use/iris-map.md has the map.
"""

import warnings
from collections import Counter

from sklearn.datasets import load_iris
from sklearn.model_selection import StratifiedShuffleSplit
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import refsvm_fast

PENALTIES = [10.0**k for k in range(-2, 11)]
WIDTHS = [10.0**k for k in range(-9, 4)]
TOL = 1e-8


def folds():
    """(rows, labels) to train on and to predict, five times, as the gallery has them."""
    X, y = load_iris(return_X_y=True)
    X = StandardScaler().fit_transform(X)
    parts = StratifiedShuffleSplit(n_splits=5, test_size=0.2, random_state=42).split(X, y)
    return [(X[train], y[train], X[test], y[test]) for train, test in parts]


def cell(C, gamma, parts):
    """(right, right by scikit-learn, Solutions of each pair and fold) of a cell."""
    ours, theirs, solutions = 0, 0, []
    for X, y, X_new, y_new in parts:
        svc = refsvm_fast.SVC(C=C, gamma=gamma, tol=TOL).fit(X.tolist(), y.tolist())
        ours += int((svc.predict(X_new.tolist()) == y_new).sum())
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            theirs += int((SVC(C=C, gamma=gamma).fit(X, y).predict(X_new) == y_new).sum())
        solutions += svc.solutions_
    return ours, theirs, solutions


def line(C, cells):
    """The line of a C."""
    told = [f"{ours}{theirs - ours:+}".removesuffix("+0") for ours, theirs, _ in cells]
    return f"{C:.0e}" + "".join(f"{word:>8}" for word in told)


def main():
    parts = folds()
    print("    C" + "".join(f"{gamma:>8.0e}" for gamma in WIDTHS) + "  gamma")
    found = []
    for C in PENALTIES:
        found.append([cell(C, gamma, parts) for gamma in WIDTHS])
        print(line(C, found[-1]), flush=True)
    cells = sum(found, [])
    off = [abs(ours - theirs) for ours, theirs, _ in cells if ours != theirs]
    ended = Counter(s.status for *_, solutions in cells for s in solutions)
    print(f"{len(off)} of {len(cells)} cells differ, by up to {max(off)} of 150 rows")
    print("status of the machines:", ", ".join(f"{name} {n}" for name, n in ended.items()))


if __name__ == "__main__":
    main()
