"""What was measured, kept as lines of JSON under build/, and read back as tables.

A later line about the same set, kernel, C and program takes the place of an earlier one.
"""

import json
from math import exp, log

from environment import KEPT

FITS = KEPT / "fits.jsonl"


def keep(record):
    """Append a record, a dictionary."""
    with open(FITS, "a") as lines:
        lines.write(json.dumps(record) + "\n")


def kept():
    """{(set, kernel, C, program): the last record of it}."""
    if not FITS.exists():
        return {}
    records = map(json.loads, FITS.read_text().splitlines())
    return {(r["set"], r["kernel"], r["C"], r["program"]): r for r in records}


def mean(numbers):
    """The geometric mean."""
    total = 0.0
    for v in numbers:
        total += log(v)
    return exp(total / len(numbers))
