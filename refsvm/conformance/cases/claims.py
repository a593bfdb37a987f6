"""Problems at which doubles end: features, penalties and kernel values that are large.

A solver that takes its own rounded sums for exact says there that it converged, and may be off by
as much as the whole objective. Each is asked with a tolerance of 1e-3 (claims.py of conformance).
That is more than doubles hold for most of them, so to say that one has stopped is right.
"""

from __future__ import annotations

from ...kernels.standard import Polynomial
from .entries import column, entry, rows
from .machine_entries import MachineEntry, machine

# fmt: off
AIM = "LimitOfDoubles"
FAR = column(0, 10**9, 2 * 10**9, 3 * 10**9)
HEAVY = rows((3, 1), (8104, 17), (1, 260), (95, 4021), (7, 2), (1500, 9))  # few large numbers
CUBIC = Polynomial(3, coef0=1)

CLAIMS = [
    entry("three rows, cubic", column(3, 8104, 1), "-++", 1, AIM,
          "kernel values from 8 to 3e23: a multiplier moved by its last bit moves f by thousands",
          CUBIC),
    entry("two equal rows, cubic", column(2000, 2000), "+-", 1, AIM,
          "both multipliers are C, though their kernel values are 6e19", Polynomial(3)),
    entry("four points to 3e9", FAR, "-+-+", 1, AIM,
          "one rounding of alpha moves f by hundreds"),
    entry("rows near a thousand, squared", rows(
              (1002, 1000, 1001), (1002, 1001, 1001), (1002, 1001, 1001), (1002, 1000, 1001)),
          "+++-", 2**20, AIM, "equal rows of both classes at a large C: b is 1",
          Polynomial(2, coef0=1)),
    entry("four points, C = 1e17", column(0, 1, 2, 3), "-+-+", 10**17, AIM,
          "C so large that 1 is lost beside the scores"),
    entry("heavy tails, cubic", HEAVY, "-+-+-+", 1000, AIM,
          "whole numbers to 8104 under a cubic kernel", CUBIC),
    entry("heavy tails, linear", HEAVY, "-+-++-", 2**20, AIM,
          "classes that overlap at a large C"),
    entry("heavy tails, squared", HEAVY, "-+-++-", 2**20, AIM,
          "the same under the square", Polynomial(2, coef0=1)),
]


def claims_of(form: str, letter: str) -> list[MachineEntry]:
    """Return such problems of a machine beside C-SVC, whose names begin with its letter."""
    classes, numbers = ([-1, 1, -1, 1, -1, 1], [-1, -1, -1, 1, 1, 1]), ([4, 0, 7, 1, 9, 3],) * 2
    mixed, sorted_ = classes if form == "nu_svc" else numbers
    if form in ("one_class", "svdd"):
        mixed = sorted_ = None
    parameter = {"epsilon_svr": "1/2", "svdd": None}.get(form, "2/5")
    bound = {"nu_svc": 1, "one_class": 1, "svdd": "1/2"}.get(form, 1000)
    moved = [[v + 10**8 for v in x] for x in column(0, 1, 2, 3, 4, 5)]
    return [
        machine(form, f"{letter} heavy tails, cubic", HEAVY, mixed, bound, parameter, AIM,
                "whole numbers to 8104 under a cubic kernel", kernel=CUBIC),
        machine(form, f"{letter} heavy tails, linear", HEAVY, mixed, bound, parameter, AIM,
                "whole numbers to 8104"),
        machine(form, f"{letter} rows from 1e8", moved, sorted_, bound, parameter, AIM,
                "rows so far from the origin that their products are rounded"),
        machine(form, f"{letter} rows from 1e8, squared", moved, sorted_, bound, parameter, AIM,
                "the same under the square", kernel=Polynomial(2, coef0=1)),
    ]
