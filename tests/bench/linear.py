"""Part "linear": many rows with the linear kernel, ours and LIBLINEAR through scikit-learn, C = 1.

    offset      the offset is free: smo
    constant    it is the weight of a constant feature, and penalised: LinearSVC, ours and theirs
    flat        there is none: dual_coordinate_descent, and LIBLINEAR on the same problem

All have hinge loss. tol goes down a ladder, 0.1, 0.01, .., until (primal - optimum) / optimum is
at most GOAL; the last step is what is told. The optimum is that of the problem itself: the dual
that smo comes to at TIGHT, where coordinate descent would take thousands of passes more. A fit is
ended after 600 s unless --patience says otherwise.
"""

from clock import best, in_turns
from records import keep, kept, seconds, table
from sets import SETS, training
from workers import Worker

GOAL, TIGHT, C = 1e-5, 1e-5, 1.0
LADDER = (0.1, 0.01, 1e-3, 1e-4, 1e-5)
PATIENCE = 600
KEYS = ("set", "kind", "program")
DENSE = ("clouds-50000-20-2", "clouds-200000-50-2")
NAMES = (*DENSE, "text-20000-100000-50")
PROGRAMS = {
    "offset": ("refsvm-linear",), "constant": ("refsvm-linear", "liblinear"),
    "flat": ("refsvm-linear", "liblinear"),
}


def tasks(options):
    """(set, kind) of what the options name; without --sets those of the goals."""
    names = NAMES if options.sets is SETS else options.sets
    return [(name, kind) for name in names for kind in PROGRAMS]


def measure(options):
    """Take each program down the ladder on each task."""
    options.patience = max(options.patience, PATIENCE)
    workers = {program: Worker(program) for program in (*PROGRAMS["flat"], "refsvm-smo")}
    try:
        for name, kind in tasks(options):
            tight = workers["refsvm-smo"].fit((name, kind, C, TIGHT), options.patience)
            if tight is None:
                print(f"{name}, {kind}: the optimum was not found in {options.patience:g} s")
                continue
            _, optimum = primal_and_dual(name, kind, tight.result)
            for program in PROGRAMS[kind]:
                found = descended(workers[program], (name, kind), optimum, options)
                record = dict(zip(KEYS, (name, kind, program)), patience=options.patience)
                keep("linear", **record, **found)
    finally:
        for worker in workers.values():
            worker.stop()


def descended(worker, task, optimum, options):
    """The record of the first step of the ladder that gets to the goal, or else of the last."""
    found = {}
    for tol in LADDER:
        work = {"": lambda tol=tol: worker.fit((*task, C, tol), options.patience)}
        done = in_turns(work, options.runs, options.patience)[""]
        found = {"tol": tol, **best(done)}
        if not done:
            break  # closer would take longer still
        primal, _ = primal_and_dual(*task, done[-1].result)
        found["gap"] = (primal - optimum) / optimum
        if found["gap"] <= GOAL:
            break
    return found


def primal_and_dual(name, kind, answer):
    """The values of the kind's problem at an answer; of weights alone there is no dual."""
    from judge import primal_of, relative_gap

    X, y = training(name)
    if kind == "constant":
        X = lengthened(X)
    if answer.alpha is None:
        return primal_of(X, y, answer.w, C), None
    gap, dual = relative_gap(X, y, answer.alpha, "linear" if kind == "offset" else "flat", C)
    return dual * (1 + gap), dual


def lengthened(X):
    """The rows with 1 behind their numbers."""
    import numpy
    from scipy import sparse

    ones = numpy.ones((X.shape[0], 1))
    return sparse.hstack([X, ones], "csr") if sparse.issparse(X) else numpy.hstack([X, ones])


def tables(options):
    """The time of each program, at which tol, and how near it came."""
    records, rows = kept("linear", *KEYS), []
    for name, kind in tasks(options):
        ours = records.get((name, kind, "refsvm-linear"))
        for program in PROGRAMS[kind]:
            record = records.get((name, kind, program))
            if record:
                gap = f"{record['gap']:.1e}" if "gap" in record else ""
                both = ours and "cpu" in ours and "cpu" in record
                times = f"{record['cpu'] / ours['cpu']:.2f}" if both else ""
                step = f"{record['tol']:g}"
                rows.append([name, kind, program, step, seconds(record), gap, times])
    head = "linear, one thread | problem | program | tol | s | gap to its optimum | to refsvm"
    return table(head, rows) if rows else ""
