"""How long a fit takes, next to LIBSVM in C++ and to the SMO of the textbooks: one table.

    REFSVM_DATA=folder python tests/bench/run.py [--fits N] [--textbook]

What is measured, and how, stands in README.md beside this file. scikit-learn comes from an
environment of its own under build/. Nothing is judged: it prints, and exits with 0.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import environment
from clock import mean
from ours import ROOT, SETS, C, data, fit

from refsvm import textbook_smo

SHORT = 5  # fits of scikit-learn for one of ours: they take a moment
GOALS = {
    "CPython": "goal: at most 60 in the mean, none over 100",
    "PyPy": "goal: at most 12",
}
HEAD = (
    "| set | scikit-learn s | refsvm s | ratio | on PyPy s | ratio | textbook SMO s | to refsvm"
    " | gaps: scikit-learn, refsvm, textbook SMO |"
)


def compare(folder, name, options):
    """The figures of one set, as a dictionary; all programs are timed in turn."""
    import numpy
    from judge import relative_gap
    from trainers import sklearn_dense

    X, y = data(folder, name)
    rows, signs = numpy.array(X), numpy.array(y)

    def gap(alpha):
        return relative_gap(rows, signs, alpha, "gaussian", C)[0]

    ours, theirs = [], []
    for _ in range(options.fits):
        ours.append(fit(X, y))
        theirs += [sklearn_dense(rows, signs, "gaussian", C) for _ in range(SHORT)]
    alpha = ours[0].result.alpha
    found = {
        "ours": min(run.cpu for run in ours), "libsvm": min(run.cpu for run in theirs),
        "our gap": gap(alpha), "libsvm gap": gap(theirs[0].result.alpha),
        "pypy": under_pypy(name, alpha), "textbook": None,
    }
    if options.textbook:
        run = fit(X, y, textbook_smo)
        found["textbook"], found["textbook gap"] = run.cpu, gap(run.result.alpha)
    return found


def under_pypy(name, alpha):
    """The best time of twenty fits in one process of PyPy; None where there is no PyPy."""
    pypy = shutil.which("pypy3")
    if not pypy:
        return None
    command = [pypy, str(Path(__file__).with_name("ours.py")), name, "20"]
    answer = json.loads(subprocess.check_output(command))
    if answer["alpha"] != alpha:
        sys.exit(f"{name}: PyPy and CPython give different bits")
    return min(answer["times"])


def table(folder, options):
    """Print a line for each set as it is done, then the means."""
    print(HEAD)
    print("|---" * (HEAD.count("|") - 1) + "|")
    ratios = {"CPython": [], "PyPy": []}
    for name in SETS:
        found = compare(folder, name, options)
        print(line(name, found), flush=True)
        ratios["CPython"].append(found["ours"] / found["libsvm"])
        if found["pypy"]:
            ratios["PyPy"].append(found["pypy"] / found["libsvm"])
    print()
    for where, numbers in ratios.items():
        if numbers:
            print(f"{where}: geometric mean {mean(numbers):.1f}, largest {max(numbers):.1f}"
                  f" ({GOALS[where]})")


def line(name, found):
    """The figures of one set as a row of the table."""
    unit, ours, pypy, textbook = (found[key] for key in ("libsvm", "ours", "pypy", "textbook"))
    cells = [name, f"{unit:.4f}", f"{ours:.2f}", f"{ours / unit:.1f}"]
    cells += [f"{pypy:.3f}", f"{pypy / unit:.1f}"] if pypy else ["-", "-"]
    gaps = f"{found['libsvm gap']:.1e}, {found['our gap']:.1e}"
    if textbook:
        cells += [f"{textbook:.1f}", f"{textbook / ours:.1f}"]
        gaps += f", {found['textbook gap']:.1e}"
    else:
        cells += ["-", "-"]
    return "| " + " | ".join(cells + [gaps]) + " |"


# A child tells its own CPU time in ms and its largest size in MB (Linux; else the size is 0).
TELL = """
import time
ms = 1000 * time.process_time()
try:
    with open("/proc/self/status") as status:
        size = [int(line.split()[1]) / 1024 for line in status if line.startswith("VmHWM")][0]
except OSError:
    size = 0
print(ms, size)
"""


def importing():
    """What `import refsvm` takes above the bare interpreter: milliseconds, megabytes.

    From bytecode, as after the first import: in a cache of its own, which the first run fills.
    """
    best = {"": [], "import refsvm": []}
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": cache}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        for _ in range(30):
            for code, runs in best.items():
                command = [sys.executable, "-c", code + TELL]
                words = subprocess.check_output(command, cwd=ROOT, env=environment).split()
                runs.append([float(word) for word in words])
    bare, loaded = ([min(column) for column in zip(*runs)] for runs in best.values())
    return loaded[0] - bare[0], loaded[1] - bare[1]


def demo():
    """The CPU seconds of `python -m refsvm demo`; None if it fails."""
    before = os.times()
    with tempfile.TemporaryDirectory() as folder:
        status = subprocess.call(
            [sys.executable, "-m", "refsvm", "demo"], cwd=folder, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, env={**os.environ, "PYTHONPATH": str(ROOT)},
        )
    after = os.times()
    seconds = after.children_user + after.children_system
    seconds -= before.children_user + before.children_system
    return seconds if status == 0 else None


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--fits", type=int, default=5, help="fits of each set (default: 5)")
    parser.add_argument("--textbook", action="store_true", help="fit by textbook_smo, too")
    options = parser.parse_args()
    folder = os.environ.get("REFSVM_DATA")
    if not folder:
        parser.error("set REFSVM_DATA to the folder of LIBSVM data files")
    environment.enter()
    from conditions import conditions

    print(conditions() + "\n", flush=True)
    table(folder, options)
    ms, megabytes = importing()
    print(f"import refsvm: {ms:.1f} ms, {megabytes:.1f} MB above the bare interpreter"
          " (goal: 40 ms, 6 MB)")
    seconds = demo()
    if seconds is not None:
        print(f"python -m refsvm demo: {seconds:.1f} s (goal: 10 s)")


if __name__ == "__main__":
    main()
