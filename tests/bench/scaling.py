"""Part "scaling": how the time grows with n, with d and with threads, on random sets.

The sets are random_set of sets.py; Gaussian kernel, C = 1. The records are those of the part
"training".
"""

from records import kept, seconds, table
from training import KEYS, measure_sets

N = [500, 1000, 2000, 4000, 8000, 16000]  # with 20 features
D = [4, 16, 64, 256, 1024]  # with 2000 rows
CURVES = {
    "n": [(n, f"random-{n}-20") for n in N],
    "d": [(d, f"random-2000-{d}") for d in D],
}
LINES = ("refsvm", "refsvm-2", "sklearn-dense", "libsvm", "onedal", "onedal-2")


def measure(options):
    """Fit all the random sets."""
    sets = [name for points in CURVES.values() for _, name in points]
    measure_sets(options, sets, ["gaussian"], [1.0])


def curves(key):
    """{what grows: {program: [(how large, seconds)]}} from the records."""
    records = kept("training", *KEYS)
    return {
        axis: {
            program: [
                (size, records[name, "gaussian", 1.0, program][key])
                for size, name in points
                if key in records.get((name, "gaussian", 1.0, program), {})
            ]
            for program in LINES
        }
        for axis, points in CURVES.items()
    }


def tables(options):
    """Wall times: a line for each set."""
    records, rows = kept("training", *KEYS), []
    for name in dict.fromkeys(name for points in CURVES.values() for _, name in points):
        found = [records.get((name, "gaussian", 1.0, program)) for program in LINES]
        if any(found):
            rows.append([name.partition("-")[2], *(seconds(record, "wall") for record in found)])
    return table(f"wall s, rows-features | {' | '.join(LINES)}", rows) if rows else ""
