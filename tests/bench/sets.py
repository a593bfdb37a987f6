"""The twenty sets of the comparison, and random ones, as arrays: n rows of doubles, labels -1, +1.

Of some the part "classes" takes all labels (labelled).

A set with a value beyond [-1, 1] in its training file is scaled to that range, feature by
feature, by its training rows; the others are taken as they are, zeros and all. The first label in
sorted order is -1, all others are +1. gamma = 1 / d, d as the training file has it.

Reading text takes longer than some fits, so the arrays are kept under build/.
"""

import os
import re
from argparse import ArgumentTypeError
from pathlib import Path

import numpy
from environment import KEPT

from refsvm.files.scaling import Scaling
from refsvm.tables.data import read_data

SETS = (
    "german.numer_scale", "svmguide1", "svmguide3", "splice", "spambase", "a1a", "a4a", "a9a",
    "w1a", "w5a", "mushrooms", "phishing", "satimage.scale", "usps_zip", "letter.scale",
    "madelon", "ijcnn1", "cod-rna", "dna.scale", "digits",
)
SEVERAL = (  # classes, as their files have them
    "iris", "glass.scale", "svmguide4", "segment.scale", "dna.scale", "digits", "satimage.scale",
    "usps_zip", "letter.scale",
)
MADE = ("magic", "letter.whole")  # of no file, and of two


def known(name):
    """The name of a set, as it is; an error for the command line if there is no such set."""
    random = (
        r"random-[1-9]\d*-([3-9]|[1-9]\d+)(-[1-9]\d*)?|classes(-[1-9]\d*){3,4}"
        r"|clouds(-[1-9]\d*){3,4}|text(-[1-9]\d*){3}"
    )
    if name not in (*SETS, *SEVERAL, *MADE) and not re.fullmatch(random, name):
        raise ArgumentTypeError(
            f"there is no set {name!r}; random-N-D or random-N-D-FILLED (D at least 3),"
            " classes-K-N-D or classes-K-N-D-FILLED, clouds-N-D-APART or clouds-N-D-APART-FLIPPED,"
            " text-N-D-WORDS for the parts linear and serving,"
            " or one of " + ", ".join(dict.fromkeys((*SETS, *SEVERAL, *MADE)))
        )
    return name


def training(name):
    """(X, y) of the training file of a set, or a random set."""
    if name.startswith("random-"):
        return random_set(*map(int, name.split("-")[1:]))
    if name.startswith("clouds-"):
        return clouds(*map(int, name.split("-")[1:]))
    if name.startswith("text-"):
        return texts(*map(int, name.split("-")[1:]))
    if name == "magic":
        return magic()
    if name == "letter.whole":
        parts = training("letter.scale"), testing("letter.scale")
        return tuple(map(numpy.concatenate, zip(*parts)))
    if name.startswith("classes-"):
        X, labels = labelled(name)
        return X, numpy.where(labels == 0, -1, 1)
    return kept(name, lambda: made(name))


def labelled(name):
    """(X, labels as the file has them) of the training file of a set, or a random one."""
    if name.startswith("classes-"):
        return random_classes(*map(int, name.split("-")[1:]))
    return kept(name + ".labels", lambda: map(numpy.array, read(name)[:2]))


def testing(name):
    """(X, y) of the test part, scaled as the training rows are; None where there is none."""
    if file_of(name + ".t") is None:
        return None
    return kept(name + ".t", lambda: made(name, name + ".t"))


def kept(name, make):
    """The arrays that make() gives, from build/ if they were made before."""
    path = KEPT / "data" / f"{name}.npz"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        X, y = make()
        numpy.savez(path, X=X, y=y)
    with numpy.load(path) as arrays:
        return arrays["X"], arrays["y"]


def made(name, part=None):
    """(X, y) of a part of a set, -1 for the first label; the training part by default."""
    X, labels, first = read(name, part)
    return numpy.array(X), numpy.array([-1 if label == first else 1 for label in labels])


def read(name, part=None):
    """(rows, scaled; labels; the first label of training) of a part of a set, from the files."""
    X, y = read_data(file_of(name))
    first, scaling = min(y), Scaling.fit(X)
    within = min(scaling.minima) >= -1 and max(scaling.maxima) <= 1
    if part:
        X, y = read_data(file_of(part), features=len(X[0]))
    return X if within else scaling.apply(X), y, first


def file_of(name):
    """The file of a part of a set, plain or gzipped; None if there is none."""
    folder = Path(os.environ["REFSVM_DATA"])
    for ending in (".libsvm", ".libsvm.gz"):
        if (folder / (name + ending)).exists():
            return folder / (name + ending)
    return None


def random_set(n, d, filled=None):
    """Rows uniform on [-1, 1]^d; y is the sign of x_1 x_2 + x_3 / 2, wrong for one in twenty.

    With `filled`, at most so many features of a row are not zero, a few of them often and most
    seldom, as words are; then y is the sign of <w, x>.
    """
    random = numpy.random.default_rng(229)
    X = random.uniform(-1, 1, (n, d))
    if filled is None:
        score = X[:, 0] * X[:, 1] + X[:, 2] / 2
    else:
        kept = numpy.zeros((n, d), bool)
        features = (d * random.uniform(size=(n, filled)) ** 3).astype(int)
        kept[numpy.arange(n)[:, None], features] = True
        X[~kept] = 0
        score = X @ random.normal(size=d)
    y = numpy.where(score > 0, 1, -1)
    return X, numpy.where(random.uniform(size=n) < 0.05, -y, y)


def clouds(n, d, apart, flipped=0):
    """Two Gaussian clouds, their centres so many deviations apart; so many percent of the labels
    are flipped."""
    random = numpy.random.default_rng(229)
    y = numpy.where(random.uniform(size=n) < 0.5, -1, 1)
    X = random.normal(size=(n, d))
    X[:, 0] += apart / 2 * y
    return X, numpy.where(random.uniform(size=n) < flipped / 100, -y, y)


def texts(n, d, words):
    """Rows of length 1 with so many words among d, the first of them often, as a CSR matrix of
    SciPy; 5 percent of the labels are flipped."""
    from scipy import sparse

    random = numpy.random.default_rng(229)
    places = (d * random.uniform(size=(n, words)) ** 3).astype(int)
    places = [numpy.unique(row) for row in places]
    starts = numpy.cumsum([0, *map(len, places)])
    numbers = [random.uniform(0.1, 1, len(row)) for row in places]
    numbers = [row / numpy.sqrt(row @ row) for row in numbers]
    parts = numpy.concatenate(numbers), numpy.concatenate(places), starts
    X = sparse.csr_matrix(parts, shape=(n, d))
    y = numpy.where(X @ random.normal(size=d) > 0, 1, -1)
    return X, numpy.where(random.uniform(size=n) < 0.05, -y, y)


def magic():
    """19,020 rows of 10 features, skewed and overlapping, mean 0 and deviation 1: like showers of
    particles, though not the set of that name."""
    random = numpy.random.default_rng(229)
    y = numpy.where(random.uniform(size=19_020) < 0.35, -1, 1)
    hidden = random.normal(size=(len(y), 4)) + 0.6 * (y < 0)[:, None]
    X = hidden @ random.normal(size=(4, 10)) / 2 + random.normal(size=(len(y), 10)) / 2
    X[:, :5] = numpy.exp(X[:, :5] / 1.5)
    return (X - X.mean(axis=0)) / X.std(axis=0), y


def random_classes(k, n, d, filled=None):
    """n rows around the centres of k classes, and the class of each.

    With `filled`, at most so many features of a row are not zero, one half of them such as are
    usual in all classes, the other in its own.
    """
    random = numpy.random.default_rng(229)
    labels = numpy.arange(n) % k
    if filled is None:
        return random.normal(size=(k, d))[labels] / 3 + random.normal(size=(n, d)), labels
    usual = (d * random.uniform(size=(n, filled)) ** 3).astype(int)
    names = numpy.array([random.permutation(d) for _ in range(k)])
    usual[:, ::2] = names[labels[:, None], usual[:, ::2]]
    X = numpy.zeros((n, d))
    X[numpy.arange(n)[:, None], usual] = random.uniform(0.1, 1, (n, filled))
    return X, labels
