"""Look for a table that `train` neither takes nor refuses with all that is at fault.

    python tests/fuzz_tables.py --tables 500 --seed 1
    python tests/fuzz_tables.py --only 1234567 --show      one table again, by the number printed

Tables are drawn as people have them: numbers, codes, texts, dates, gaps, columns that say nothing,
and columns that cannot be read, written with any separator, quotes, ends of lines and marks. What
must hold of each:

    it is trained on the rows that have a label, or refused in one sentence that names a row, or
    every column at fault
    without the columns that the sentence tells to leave out it is trained
    no word of Python is said, and nothing ends in a fault of refsvm's own
    its rows in another order are prepared the same, bit for bit
    the model decides the same about the rows of a table whose columns stand in another order
"""

import argparse
import csv
import io
import re
import shlex
import sys
import tempfile
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from random import Random
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE)]

from refsvm.commands import main as command  # noqa: E402
from refsvm.tables.layout import choice_of  # noqa: E402
from refsvm.tables.prepared_data import learn, read_cells  # noqa: E402
from tests.seven_points import without_engine  # noqa: E402

LONGEST = 600  # letters of a refusal
PYTHON = re.compile(
    r"\b(None|Traceback|[A-Z][a-z]+Error|NoneType|tuple|dict|isinstance|lambda|self)\b"
    r"|\b(rows|names|X|y)\[|\b(drop|label|header|format|keep|texts)=|<class|object at 0x")
GAPS = ["", "NA", "?", "n/a", "NaN", "null", "#N/A"]
WORDS = ["red", "dark blue", "Zürich", "o'Neil", "São Paulo", "a|b", "Doe, John", "x=1",
         "100m", "-"]


class Drawn(NamedTuple):
    """A table as it is drawn.

    header    names of all columns, the label's among them; names that a sentence must call
    bad       what a sentence must call the columns at fault: names, or numbers from 1
    broken    a word that the refusal of the whole table must have; "" if none is broken
    """

    header: list
    rows: list
    bad: list
    broken: str
    style: dict

    def text(self, order=None, columns=None):
        """The bytes of the file; its rows, or its columns, in another order."""
        header, rows, style = self.header, self.rows, self.style
        rows = rows if order is None else [rows[i] for i in order]
        if columns is not None:
            header = [header[k] for k in columns]
            rows = [[row[k] for k in columns] for row in rows]
        text = io.StringIO()
        writer = csv.writer(text, delimiter=style["delimiter"], lineterminator=style["end"],
                            quoting=style["quoting"])
        for k, row in enumerate([header, *rows]):
            writer.writerow([*row, *[""] * style["trailing"]])
            if k in style["blank"]:
                text.write(style["end"])
        first = f"sep={style['delimiter']}{style['end']}" if style["sep"] else ""
        return (first + text.getvalue()).encode(style["encoding"], "replace")


# ---- columns that can be read


def numbers(random, n):
    scale = 10 ** random.randint(-3, 6)
    return [f"{random.gauss(5, 2) * scale:.{random.randint(4, 7)}g}" for _ in range(n)]


def counts(random, n):
    return [str(random.randint(-2, random.choice([1, 3, 90]))) for _ in range(n)]


def money(random, n):
    return [f"{random.lognormvariate(8, 2):.2f}" for _ in range(n)]


def words(random, n):
    some = random.sample(WORDS, random.randint(2, 6))
    return [random.choice(some) for _ in range(n)]


def rare_words(random, n):
    return [random.choice(["usual"] * 9 + [f"rare{random.randint(1, 9)}"]) for _ in range(n)]


def codes(random, n):
    return [f"{random.randint(1, 12):02}" for _ in range(n)]


def truths(random, n):
    return [random.choice(["True", "False"]) for _ in range(n)]


def dates(random, n):
    sign = random.choice("-/")
    return [f"{random.randint(1900, 2030)}{sign}{random.randint(1, 12):02}{sign}"
            f"{random.randint(1, 28):02}" for _ in range(n)]


def local_dates(random, n):
    return [f"{random.randint(1, 12)}/{random.randint(1, 28)}/2020" for _ in range(n)]


def bands(random, n):
    return [random.choice(["<18", "18-65", ">65"]) for _ in range(n)]


def row_numbers(random, n):
    return [str(k + 1) for k in range(n)]


def keys(random, n):
    return [f"K{k:05}" for k in random.sample(range(99999), n)]


def constant(random, n):
    return [random.choice(["0", "same"])] * n


def nothing(random, n):
    return [""] * n


def percents(random, n):
    return [f"{random.uniform(0, 99):.2f}%" for _ in range(n)]


def thousands(random, n):
    return [f"{random.randint(1000, 99999999):,}" for _ in range(n)]


def decimal_commas(random, n):
    return [f"{random.uniform(0, 999):.2f}".replace(".", ",") for _ in range(n)]


def signs(random, n):
    form = random.choice(["\u2212{}", "{}-", "-{} mm", "\u2013{}", "-{}D+00"])
    return [form.format(f"{random.uniform(0, 99):.2f}") for _ in range(n)]


# ---- columns that cannot be read: what their fields mean is not known


def below_limits(random, n):
    return [f"{k / 7:.4f}" if k % 3 else f"<{random.choice(['5', '0.1'])}" for k in range(n)]


def mistyped(random, n):
    return [f"{random.gauss(0, 9):.5f}" if k % 20 else "n.d." for k in range(n)]


def prices(random, n):
    return [f"{random.choice(['$', '€'])}{random.uniform(1, 99):.2f}" for _ in range(n)]


READABLE = [numbers, counts, money, words, rare_words, codes, truths, dates, local_dates, bands,
            row_numbers, keys, constant, nothing, percents, thousands, decimal_commas, signs]
UNREADABLE = [below_limits, mistyped, prices]


def _tells_nothing(kind, rate):
    """Whether a column is left out, and so needs no name; one with gaps counts no rows."""
    return kind in (keys, constant, nothing) or kind is row_numbers and not rate


def drawn(number):
    """The table of a number."""
    random = Random(number)
    n = random.choice([52, 60, 75])
    kinds = [numbers, *random.choices(READABLE, k=random.randint(1, 7)),
             *random.sample(UNREADABLE, random.choice([0, 0, 1, 2, 3]))]
    random.shuffle(kinds)
    names, cells, bad = [], [], []
    for k, kind in enumerate(kinds):
        name = f"{kind.__name__}{k}" if random.random() < 0.9 else f"{kind.__name__}, {k}"
        rate = random.choice([0, 0, 0, 0.1, 0.4])
        if kind is row_numbers and random.random() < 0.5:
            rate, name = 0, ""
        elif random.random() < 0.03 and kind is not local_dates:  # which may be left out
            name = ""
        mark = random.choice(GAPS)
        told = kind(random, n)  # a gap must not hide the few cells that cannot be read
        cells.append([mark if i % 20 and random.random() < rate else told[i] for i in range(n)])
        names.append(name)
        if kind in UNREADABLE or not name and not _tells_nothing(kind, rate):
            bad.append(k)
    if random.random() < 0.12:
        k, other = random.sample(range(len(kinds)), 2) if len(kinds) > 1 else (0, 0)
        if names[k] and names[other] and k != other:
            names[other] = names[k]
            bad = sorted({*bad, k, other})
    labels = random.choice([["no", "yes"], ["0", "1"], ["a", "b", "c"], ["1.0", "2.0"]])
    y = [labels[k % len(labels)] for k in range(n)]
    random.shuffle(y)
    rows = [list(row) for row in zip(*cells, y)]
    broken = _broken(random, rows) if random.random() < 0.1 else ""
    called = [names[k] or str(k + 1) for k in bad]
    return Drawn([*names, "label"], rows, called, broken, _style(random, n, cells))


def _broken(random, rows):
    """Break a row of a table; a word that the refusal must have."""
    i = random.randrange(len(rows))
    if random.random() < 0.5:
        rows[i][-1] = random.choice(GAPS)  # a row that is left out
        return ""
    rows[i].append("1")
    return "fields"


def _style(random, n, cells):
    """How a table is written."""
    has_commas = any("," in cell for column in cells for cell in column)
    return {
        "delimiter": random.choice(";\t" if has_commas and random.random() < 0.8 else ",,;\t"),
        "end": random.choice(["\n", "\n", "\r\n"]),
        "quoting": random.choice([csv.QUOTE_MINIMAL, csv.QUOTE_MINIMAL, csv.QUOTE_ALL]),
        "trailing": random.choice([0] * 7 + [1, 2]),
        "blank": random.sample(range(n), random.choice([0, 0, 3])),
        "sep": random.random() < 0.08,
        "encoding": random.choice(["utf-8"] * 5 + ["utf-8-sig"]),
    }


# ---- what must hold


def said(*words):
    """(exit status, stdout, stderr) of a command line."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        status = command(list(words))
    return status, out.getvalue(), without_engine(err.getvalue())


def wrong_words(told):
    """What is wrong with the words of a command; None if nothing is."""
    found = PYTHON.search(told)
    return f"Python's {found[0]!r} in {told!r}" if found else None


def tried(number, folder):
    """What is wrong with the answer to a table, in words; None if nothing is."""
    table = drawn(number)
    path, model = str(folder / "t.csv"), str(folder / "m")
    Path(path).write_bytes(table.text())
    asked = ["train", path, "-o", model, "--max-iter", "200"]
    status, out, err = said(*asked)
    wrong = wrong_words(out + err)
    if wrong or status not in (0, 2):
        return wrong or f"exit status {status}: {err[-300:]}"
    if status == 2 and (err.count("\n") != 1 or len(err) > LONGEST):
        return f"no short sentence: {err!r}"
    if table.broken or table.bad:
        return _wrongly_refused(table, asked, status, err)
    if status == 2:
        return f"refused: {err}"
    return _order_seen(table, path, number) or _other_decisions(table, folder, number)


def _wrongly_refused(table, asked, status, err):
    """What is wrong with the refusal of a table that is at fault."""
    if status == 0:
        return f"trained, though {table.broken or table.bad} is at fault"
    if table.broken:
        return None if table.broken in err else f"not of the row at fault: {err}"
    missed = [name for name in table.bad if name not in err]
    if missed:
        return f"{missed} not named: {err}"
    dropped = re.search("--drop (.+)$", err)
    if not dropped:
        return f"no columns to drop are told: {err}"
    status, out, err = said(*asked, *shlex.split(dropped[0]))
    if status and "no column is left" not in err and "there is one column" not in err:
        return f"still refused with {dropped[0]}: {err}"
    return wrong_words(out)


def _order_seen(table, path, number):
    """What of a preparation changes with the order of the rows."""
    order = list(range(len(table.rows)))
    Random(number).shuffle(order)
    learnt = []
    for text in (table.text(), table.text(order)):
        Path(path).write_bytes(text)
        data = read_cells(path, "csv", choice_of(None, None, (), None))
        learnt.append(repr(learn(data).preparation))
    return None if learnt[0] == learnt[1] else f"rows have an order: {learnt}"


def _other_decisions(table, folder, number):
    """What a model decides otherwise when the columns stand in another order."""
    columns = list(range(len(table.header)))
    Random(number).shuffle(columns)
    answers = []
    for text in (table.text(), table.text(columns=columns)):
        (folder / "new.csv").write_bytes(text)
        status, out, err = said("predict", str(folder / "new.csv"), str(folder / "m"),
                                "-o", str(folder / "p.csv"))
        if status:
            return f"refused to predict: {err}"
        if wrong_words(out):
            return wrong_words(out)
        answers.append((folder / "p.csv").read_text())
    return None if answers[0] == answers[1] else "columns in another order decide otherwise"


def fuzz(tables, seed):
    """Findings among so many tables, as (number, what is wrong)."""
    numbers_of_tables = Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(tables):
            number = numbers_of_tables.getrandbits(40)
            wrong = tried(number, Path(folder))
            if wrong:
                yield number, wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--tables", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int, help="one table, by its number")
    parser.add_argument("--show", action="store_true", help="print the table of --only, too")
    given = parser.parse_args()
    if given.only is not None:
        if given.show:
            print(drawn(given.only).text().decode())
        with tempfile.TemporaryDirectory() as folder:
            print(tried(given.only, Path(folder)))
        return 0
    found = 0
    for number, wrong in fuzz(given.tables, given.seed):
        found += 1
        print(f"{number}: {wrong}", flush=True)
    print(f"{given.tables} tables, {found} findings")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
