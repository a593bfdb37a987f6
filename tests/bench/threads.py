"""Part "threads": large sets on 1, 2, 4 and 16 threads, as far as there are cores, on the wall.

Beside ours stands oneDAL, through scikit-learn-intelex, where that is installed. Threads of a busy
machine wait for each other: nothing else should run.
"""

import os
from functools import partial

from clock import best, in_turns, mean
from environment import missing
from large import NAMES, absent
from records import keep, kept, seconds, table
from sets import SETS, training
from trainers import PACKAGE, TRAINERS

KEYS = ("set", "C", "program", "threads")
PROGRAMS = ("refsvm", "onedal")


def counts():
    """How many threads are tried."""
    return [threads for threads in (1, 2, 4, 16) if threads <= (os.cpu_count() or 1)]


def tasks(options):
    """(set, C) of what the options name."""
    names = NAMES if options.sets is SETS else options.sets
    return [(name, C) for name in names if name not in absent() for C in options.C]


def measure(options):
    """Fit each set with each program on each number of threads, in turns."""
    programs = [p for p in PROGRAMS if p in options.programs and PACKAGE.get(p) not in missing()]
    for name, C in tasks(options):
        given = *training(name), "gaussian", C
        contestants = {
            (program, k): partial(TRAINERS[program], *given, threads=k)
            for program in programs for k in counts()
        }
        runs = in_turns(contestants, options.runs, options.patience)
        for (program, k), done in runs.items():
            record = dict(zip(KEYS, (name, C, program, k)), patience=options.patience)
            keep("threads", **record, **best(done))


def tables(options):
    """Wall times of each number of threads, and how many times as fast as one thread they are."""
    records, rows, gains = kept("threads", *KEYS), [], {}
    for name, C in tasks(options):
        for program in PROGRAMS:
            found = {k: records.get((name, C, program, k)) for k in counts()}
            if not any(found.values()):
                continue
            rows.append([name, f"{C:g}", program, *(seconds(r, "wall") for r in found.values())])
            for k, record in found.items():
                if k > 1 and record and found[1] and "wall" in record and "wall" in found[1]:
                    gains.setdefault((program, k), []).append(found[1]["wall"] / record["wall"])
    head = "gaussian, on the wall | C | program" + "".join(f" | {k} threads s" for k in counts())
    return table(head, rows) + "".join(
        f"\n- {program}, {k} threads: {mean(found):.2f} times as fast as one in the mean"
        for (program, k), found in gains.items()
    ) if rows else ""
