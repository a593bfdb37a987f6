"""Tables in Markdown, from the records."""

from records import kept, mean

PEERS = {"scikit-learn": ("sklearn-dense", "sklearn-sparse"), "LIBSVM": ("libsvm",),
         "oneDAL": ("onedal",)}


def training_table(sets, kernels, prices):
    """Times of all programs, ratios of CPU time to ours, iterations and gaps."""
    records = kept()
    head = ["set", "kernel", "C", "refsvm s", "iterations", "gap"]
    for peer in PEERS:
        head += [f"{peer} s", "times ours", "iterations", "gap"]
    lines, ratios = [head, ["---"] * len(head)], {peer: [] for peer in PEERS}
    for kernel in kernels:
        for name in sets:
            for C in prices:
                lines.append([name, kernel, f"{C:g}", *cells(records, (name, kernel, C), ratios)])
    text = "\n".join("| " + " | ".join(line) + " |" for line in lines)
    return text + "\n" + "\n".join(summary(*item) for item in ratios.items() if item[1])


def cells(records, task, ratios):
    """The cells of one row; the ratios are added to `ratios`."""
    ours = best(records, task, ["refsvm"])
    row = figures(ours)
    for peer, programs in PEERS.items():
        record = best(records, task, programs)
        time, *rest = figures(record)
        ratio = ""
        if finished(ours) and finished(record):
            ratios[peer].append(record["cpu"] / ours["cpu"])
            ratio = f"{ratios[peer][-1]:.2f}"
        row += [time, ratio, *rest]
    return row


def best(records, task, programs):
    """The record of the quickest program; one that was ended if none came to its end, or None."""
    tried = [records[(*task, p)] for p in programs if (*task, p) in records]
    return min(filter(finished, tried), key=lambda r: r["cpu"], default=(tried or [None])[0])


def finished(record):
    """Whether there is a record, and of a fit that came to its end."""
    return record is not None and "cpu" in record


def figures(record):
    """Time, iterations and gap of a record."""
    if record is None:
        return ["", "", ""]
    if not finished(record):
        return [f">{record['patience']:g}", "", ""]
    steps = record["iterations"]
    return [f"{record['cpu']:.4g}", "" if steps is None else f"{steps}", f"{record['gap']:.1e}"]


def summary(peer, ratios):
    """The mean and the least of the ratios to a peer."""
    return f"- {peer} takes {mean(ratios):.2f} times as long in the mean, {min(ratios):.2f} at least"
