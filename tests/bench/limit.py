"""Part "limit": the time that the needed kernel rows alone take at the processor's full rate.

limit.c measures that rate. The rows a fit needs are those of the examples it ever picked into a
pair, each counted once and whole: n subtractions, multiplications and additions for each of d
features, and n times exp. A fit can do with less than that where features are zero in both
rows; the figure is a yardstick, not a bound.
"""

import subprocess
from statistics import median

from clock import mean
from environment import KEPT, ROOT
from records import keep, kept, seconds, table
from sets import training
from trainers import TOL

import refsvm_fast

KEYS = ("set", "C")


def rates():
    """How many (x - z)^2 are summed, and how many exp are made, a second."""
    program, found = KEPT / "limit", []
    source = str(ROOT / "tests" / "bench" / "limit.c")
    for sums in (4, 8, 16):
        subprocess.check_call([
            "cc", "-O3", *widest_vectors(), f"-DSUMS={sums}", "-ffp-contract=off",
            source, "-o", str(program),
        ])
        runs = [subprocess.check_output([str(program)]).split() for _ in range(3)]
        # the median: a clock that leaps now and then shows a rate that nothing has
        found.append([median(map(float, column)) for column in zip(*runs)])
    return [max(column) for column in zip(*found)]


def widest_vectors():
    """The compiler's option for the widest vectors that this processor has."""
    try:
        with open("/proc/cpuinfo") as lines:
            flags = next((line.split() for line in lines if line.startswith("flags")), [])
    except OSError:
        flags = []
    return [f"-m{name}" for name in ("avx512f", "avx2") if name in flags][:1]


def measure(options):
    """Count the needed rows of every set that the options name, and measure the rates."""
    if not refsvm_fast.COMPILED:
        print("refsvm_fast is not compiled here: rows are not counted")
        return
    for name in options.sets:
        X, y = training(name)
        n, d = X.shape
        for C in options.C:
            sums, exps = rates()
            rows = needed_rows(X, y, C)
            keep(
                "limit", set=name, C=C, rows=rows, n=n, sums=sums, exps=exps,
                limit=rows * n * (d / sums + 1 / exps),
            )


def needed_rows(X, y, C):
    """How many examples a Gaussian fit picks into a pair."""
    rows = set()
    problem = refsvm_fast.Problem(X, y, refsvm_fast.Gaussian(1 / X.shape[1]), C)
    refsvm_fast.smo(problem, TOL, on_step=lambda step: rows.update((step.i, step.j)))
    return len(rows)


def tables(options):
    """The limit of every fit that the options name, beside its time."""
    limits, times = kept("limit", *KEYS), kept("training", *KEYS, "kernel", "program")
    rows, ratios = [], []
    for task in [(name, C) for name in options.sets for C in options.C]:
        limit, ours = limits.get(task), times.get((*task, "gaussian", "refsvm"))
        if limit and ours and "cpu" in ours:
            ratios.append(ours["cpu"] / limit["limit"])
            rows.append([
                task[0], f"{task[1]:g}", f"{limit['rows']} of {limit['n']}",
                f"{limit['limit']:.4g}", seconds(ours), f"{ratios[-1]:.2f}",
            ])
    if not rows:
        return ""
    head = "gaussian | C | rows needed | at full rate s | refsvm s | times the limit"
    return table(head, rows) + footer(limits, ratios)


def footer(limits, ratios):
    """The rates, as last measured, and the mean."""
    last = list(limits.values())[-1]
    return (
        f"\n\n- {last['sums']:.3g} sums of (x - z)^2 and {last['exps']:.3g} exp a second\n"
        f"- refsvm: {mean(ratios):.2f} times the limit in the mean, at most {max(ratios):.2f}"
    )
