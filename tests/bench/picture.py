"""Part "picture": the records drawn, in build/bench/benchmark.svg and .png. Needs matplotlib."""

from environment import KEPT
from records import kept
from scaling import curves
from training import KEYS, PEERS, quickest, times_ours

COLOURS = {
    "refsvm": "black", "sklearn": "tab:blue", "scikit-learn": "tab:blue",
    "libsvm": "tab:orange", "LIBSVM": "tab:orange", "onedal": "tab:green", "oneDAL": "tab:green",
}
MARKS = (0.5, 1, 2, 3, 5, 10, 20, 50, 100)


def measure(options):
    """Nothing: it draws what the other parts measured."""


def tables(options):
    """Draw, and say where."""
    try:
        import matplotlib
    except ImportError:
        return "no picture: matplotlib is not here"
    matplotlib.use("svg")
    from matplotlib import pyplot

    figure, places = pyplot.subplot_mosaic(
        [["ratios", "ratios"], ["n", "d"]], figsize=(11, 9), layout="constrained"
    )
    draw_ratios(places["ratios"], options)
    for axis, lines in curves("wall").items():
        draw_curves(places[axis], axis, lines)
    path = KEPT / "benchmark.svg"
    figure.savefig(path)
    figure.savefig(path.with_suffix(".png"), dpi=100)
    return f"drawn: {path}"


def draw_ratios(place, options):
    """For each Gaussian fit a dot for each program: how many times our time it takes."""
    records = kept("training", *KEYS)
    tasks = [(name, "gaussian", C) for name in options.sets for C in options.C]
    for peer in ("scikit-learn", "LIBSVM", "oneDAL"):
        ratios = [
            times_ours(records.get((*task, "refsvm")), quickest(records, task, PEERS[peer]))
            for task in tasks
        ]
        points = [(x, times) for x, times in enumerate(ratios) if times]
        if points:
            place.plot(*zip(*points), "o", color=COLOURS[peer], label=peer)
    place.axhline(1, color="black", linewidth=1)
    place.set_yscale("log")
    place.set_yticks(MARKS, [f"{mark:g}" for mark in MARKS])
    place.minorticks_off()
    place.set_xlim(-1, len(tasks))
    place.set_ylabel("CPU time, times that of refsvm")
    words = [f"{name}, C = {C:g}" for name, _, C in tasks]
    place.set_xticks(range(len(tasks)), words, rotation=90, fontsize=8)
    place.grid(axis="y", alpha=0.3)
    place.set_title("Training with a Gaussian kernel, one thread")
    if len(place.lines) > 1:
        place.legend()


def draw_curves(place, axis, lines):
    """Time against n or d, a line for each program; dashed on two threads."""
    for program, points in lines.items():
        if points:
            style = "--" if program.endswith("-2") else "-"
            colour = COLOURS[program.partition("-")[0]]
            place.plot(*zip(*points), "o" + style, color=colour, label=program, markersize=4)
    place.set_xscale("log")
    place.set_yscale("log")
    place.set_xlabel({"n": "n, with 20 features", "d": "d, with 2000 rows"}[axis])
    place.set_ylabel("seconds on the wall")
    place.grid(alpha=0.3)
    if any(lines.values()):
        place.legend()
