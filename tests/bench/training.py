"""Part "training": every program on every set, with three kernels and two penalties.

A record holds the least wall and CPU time of the runs, and of the last answer the iterations, the
support vectors and the gap. The times compared are CPU times for one thread, and times on the
wall for two.
"""

from clock import best, in_turns, mean
from environment import missing
from records import keep, kept, seconds, table
from sets import training
from trainers import PACKAGE, can
from workers import Worker

KEYS = ("set", "kernel", "C", "program")
PEERS = {
    "scikit-learn": ("sklearn-dense", "sklearn-sparse"), "LIBSVM": ("libsvm",),
    "oneDAL": ("onedal",), "LIBLINEAR": ("liblinear-dense", "liblinear-sparse"),
}


def measure(options):
    """Fit all that the options name."""
    measure_sets(options, options.sets, options.kernels, options.C)


def measure_sets(options, sets, kernels, penalties):
    """Fit these sets with the programs that the options name, and keep what was found."""
    absent = missing()
    workers = [Worker(p) for p in options.programs if PACKAGE.get(p) not in absent]
    try:
        for name in sets:
            for kernel in kernels:
                able = [worker for worker in workers if can(worker.program, kernel)]
                for C in penalties:
                    measure_task(able, (name, kernel, C), options)
    finally:
        for worker in workers:
            worker.stop()


def measure_task(workers, task, options):
    """Fit one task with all programs in turn, and keep what was found."""
    patience = options.patience
    runs = in_turns(
        {w.program: lambda w=w: w.fit(task, patience) for w in workers}, options.runs, patience
    )
    for program, done in runs.items():
        record = dict(zip(KEYS, (*task, program)), patience=patience, **best(done))
        if done:
            record.update(judged(task, done[-1].result))
        keep("training", **record)


def judged(task, answer):
    """What is to be known of an answer beside its time."""
    from judge import primal_of, relative_gap

    name, kernel, C = task
    X, y = training(name)
    if answer.alpha is None:
        return {"iterations": answer.iterations, "primal": primal_of(X, y, answer.w, C)}
    gap, dual = relative_gap(X, y, answer.alpha, kernel, C)
    support = int((answer.alpha > 0).sum())
    return {"iterations": answer.iterations, "support": support, "gap": gap, "dual": dual}


def tables(options):
    """The tables of the sets, kernels and penalties that the options name, in Markdown."""
    parts = []
    for kernel in options.kernels:
        tasks = [(name, kernel, C) for name in options.sets for C in options.C]
        parts += [one_thread(kernel, tasks), two_threads(kernel, tasks)]
    return "\n\n".join(part for part in parts if part)


def one_thread(kernel, tasks):
    """CPU times on one thread, ratios to ours, iterations and gaps."""
    records = kept("training", *KEYS)
    peers = [peer for peer, programs in PEERS.items() if can(programs[0], kernel)]
    ratios, rows = {peer: [] for peer in peers}, []
    for task in tasks:
        ours = records.get((*task, "refsvm"))
        found = [quickest(records, task, PEERS[peer]) for peer in peers]
        if ours or any(found):
            row = [task[0], f"{task[2]:g}", *figures(ours, ours)]
            for peer, record in zip(peers, found):
                row += [*figures(record, ours), ratio(ours, record, "cpu", ratios[peer])]
            rows.append(row)
    columns = "".join(f" | {peer} s | steps | gap | to refsvm" for peer in peers)
    text = table(f"{kernel}, one thread | C | refsvm s | steps | gap" + columns, rows)
    return text + summaries(ratios) if rows else ""


def two_threads(kernel, tasks):
    """Wall times on two threads, ours and oneDAL's."""
    records, ratios, rows = kept("training", *KEYS), {"oneDAL": []}, []
    for task in tasks:
        ours, theirs = (records.get((*task, program)) for program in ("refsvm-2", "onedal-2"))
        if ours or theirs:
            times = [seconds(ours, "wall"), seconds(theirs, "wall")]
            words = ratio(ours, theirs, "wall", ratios["oneDAL"])
            rows.append([task[0], f"{task[2]:g}", *times, words])
    head = f"{kernel}, two threads, on the wall | C | refsvm s | oneDAL s | to refsvm"
    return table(head, rows) + summaries(ratios) if rows else ""


def quickest(records, task, programs):
    """The record of the quickest of programs; if none came to its end, of one that was ended."""
    tried = [records[(*task, p)] for p in programs if (*task, p) in records]
    return min(tried, key=lambda r: r.get("cpu", r["patience"]), default=None)


def figures(record, ours):
    """Time, iterations and gap of a record; without multipliers the gap is to our dual."""
    if record is None or "cpu" not in record:
        return [seconds(record), "", ""]
    gap = record.get("gap")
    if gap is None and ours and "dual" in ours:
        gap = (record["primal"] - ours["dual"]) / ours["dual"]
    steps = record["iterations"]
    words = ["" if steps is None else f"{steps}", "" if gap is None else f"{gap:.1e}"]
    return [seconds(record), *words]


def ratio(ours, theirs, key, ratios):
    """Their time over ours as a word, and added to the list of ratios; or nothing."""
    times = times_ours(ours, theirs, key)
    if times is None:
        return ""
    ratios.append(times)
    return f"{times:.2f}"


def times_ours(ours, theirs, key="cpu"):
    """Their time over ours; None unless both came to their end."""
    if not ours or not theirs or key not in ours or key not in theirs:
        return None
    return theirs[key] / ours[key]


def summaries(ratios):
    """A line for each list of ratios: how much longer than ours the others take."""
    lines = [
        f"- {peer}: {mean(numbers):.2f} times our time in the mean of {len(numbers)},"
        f" at least {min(numbers):.2f}"
        for peer, numbers in ratios.items() if numbers
    ]
    return "".join("\n" + line for line in ["", *lines]) if lines else ""
