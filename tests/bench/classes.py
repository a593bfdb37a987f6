"""Part "classes": SVC with all classes of a set, ours and scikit-learn's: fit, then predict.

Both train one against one: among k classes that is k (k - 1) / 2 small problems. Ours is given the
array of doubles; theirs that, or sparse rows made before the clock starts: the quicker counts.
Predicted are the rows of the training file. `alike` is the share of them that both give the same
label; it need not be 1, as both stop at tol.
"""

import numpy
from clock import best, in_turns, mean, timed
from records import keep, kept, table
from sets import SETS, SEVERAL, labelled
from trainers import machine

KEYS = ("set", "kernel", "C", "program")
PROGRAMS = ("refsvm", "sklearn-dense", "sklearn-sparse")
WORKS = ("fit", "predict")


def wanted(options):
    """(set, kernel, C) of what the options name; without --sets all that have several classes."""
    names = SEVERAL if options.sets is SETS else list(filter(has_several, options.sets))
    kernels = [kernel for kernel in options.kernels if kernel != "flat"]
    return [(name, kernel, C) for name in names for kernel in kernels for C in options.C]


def has_several(name):
    """Whether a set has several classes."""
    return name in SEVERAL or name.startswith("classes-")


def measure(options):
    """Time both on all that the options name."""
    for name, kernel, C in wanted(options):
        X, y = labelled(name)
        machines = contestants(X, kernel, C)
        times = {
            "fit": taking_turns(machines, lambda svc, rows, y=y: svc.fit(rows, y), options),
            "predict": taking_turns(machines, lambda svc, rows: svc.predict(rows), options),
        }
        theirs, ours = (machines[program][0].predict(X) for program in ("sklearn-dense", "refsvm"))
        alike = float(numpy.mean(theirs == numpy.array(ours)))
        for program in machines:
            found = {work: times[work][program]["cpu"] for work in WORKS}
            record = dict(zip(KEYS, (name, kernel, C, program)))
            keep("classes", **record, classes=len(set(y)), rows=len(y), alike=alike, **found)


def contestants(X, kernel, C):
    """{program: (its machine, the rows as it is given them)}."""
    from scipy.sparse import csr_matrix
    from sklearn.svm import SVC

    import refsvm_fast as ours

    return {
        "refsvm": (machine(ours.SVC, kernel, C), X),
        "sklearn-dense": (machine(SVC, kernel, C), X),
        "sklearn-sparse": (machine(SVC, kernel, C), csr_matrix(X)),
    }


def taking_turns(machines, work, options):
    """{program: the least times of a work on each machine and its rows}."""
    turns = {
        program: lambda svc=svc, rows=rows: timed(lambda: work(svc, rows))
        for program, (svc, rows) in machines.items()
    }
    return {
        program: best(runs)
        for program, runs in in_turns(turns, options.runs, options.patience).items()
    }


def tables(options):
    """A table of what the options name, and the means of each kernel."""
    records, rows, ratios = kept("classes", *KEYS), [], {}
    for name, kernel, C in wanted(options):
        found = [records.get((name, kernel, C, p)) for p in PROGRAMS]
        if not all(found):
            continue
        ours, *theirs = found
        times = [min(r[work] for r in theirs) / ours[work] for work in WORKS]
        for work, ratio in zip(WORKS, times):
            ratios.setdefault((kernel, work), []).append(ratio)
        rows.append([
            name, str(ours["classes"]), kernel, f"{C:g}", f"{ours['fit']:.4g}", f"{times[0]:.2f}",
            f"{ours['predict']:.4g}", f"{times[1]:.2f}", f"{ours['alike']:.4f}",
        ])
    if not rows:
        return ""
    head = "set | classes | kernel | C | fit s | SVC | predict s | SVC | alike"
    return table(head, rows) + "".join(
        f"\n- {kernel}, {work}: SVC takes {mean(found):.2f} times our time in the mean, at least"
        f" {min(found):.2f}"
        for (kernel, work), found in ratios.items()
    )
