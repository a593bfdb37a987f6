"""How long a fit takes, next to LIBSVM in C++ and to the usual SMO in NumPy: one table.

    REFSVM_DATA=folder python tests/bench/run.py [--fits N] [--patience TIMES]

What is measured, and how, stands in README.md beside this file. Without scikit-learn it makes its
own environment under build/, as the tests do. Nothing is judged: it prints, and exits with 0.
"""

import argparse
import json
import os
import platform
import runpy
import shutil
import subprocess
import sys
import tempfile
import time
from datetime import date
from importlib.util import find_spec
from math import exp, inf, log
from pathlib import Path

for library in ("OMP", "OPENBLAS", "MKL"):
    os.environ.setdefault(f"{library}_NUM_THREADS", "1")  # before NumPy reads it

from ours import C, ROOT, SETS, TOL, data, fit  # noqa: E402

SHORT = 5  # fits of scikit-learn for one of ours: they take a moment
GOALS = {
    "CPython": "goal: at most 60 in the mean, none over 100",
    "PyPy": "goal: at most 12",
}
HEAD = (
    "| set | scikit-learn s | refsvm s | ratio | on PyPy s | ratio | NumPy SMO s | to refsvm"
    " | gaps: scikit-learn, refsvm, NumPy SMO |"
)


def find_peers():
    """Make scikit-learn and NumPy importable: from this Python, or from build/."""
    if find_spec("sklearn") and find_spec("numpy"):
        return
    tests = runpy.run_path(str(ROOT / "tests" / "__main__.py"), run_name="tools")
    tag = f"{sys.implementation.name}-{sys.version_info[0]}.{sys.version_info[1]}"
    folder = ROOT / "build" / f"test-tools-{tag}" / "peers"
    if not tests["installed"](folder, tests["PEERS"]):
        sys.exit("the benchmark needs scikit-learn, and pip cannot install it here")
    sys.path.insert(0, str(folder))


def libsvm(X, y):
    """alpha of one fit of scikit-learn's SVC, which is LIBSVM, and its time."""
    import numpy
    from sklearn.svm import SVC

    start = time.process_time()
    machine = SVC(kernel="rbf", gamma=1 / X.shape[1], C=C, tol=TOL).fit(X, y)
    seconds = time.process_time() - start
    alpha = numpy.zeros(len(y))
    alpha[machine.support_] = abs(machine.dual_coef_[0])
    return alpha, seconds


class Judge:
    """Measures the gap of any alpha in doubles, relative to its dual, all by the same lines.

    alpha is made feasible first, and is given the offset at which its primal is least: the
    derivative along b is zero where as many y_i - s_i lie below b as there are positive examples.
    """

    def __init__(self, X, y):
        from against_libsvm import gram_matrix

        self.K, self.y = gram_matrix(X, "gaussian"), y

    def gap(self, alpha):
        import numpy
        from against_libsvm import feasible

        alpha = feasible(alpha, self.y, C)
        beta = alpha * self.y
        scores = self.K @ beta
        quadratic = beta @ scores / 2
        b = numpy.sort(self.y - scores)[(self.y > 0).sum() - 1]
        slacks = numpy.maximum(0, 1 - self.y * (scores + b))
        dual = alpha.sum() - quadratic
        gap = quadratic + C * slacks.sum() - dual
        return float(gap / dual) if dual > 0 else inf


def compare(folder, name, options):
    """The figures of one set, as a dictionary; all programs are timed in turn."""
    import numpy
    from simplified_smo import simplified_smo

    X, y = data(folder, name)
    rows, signs = numpy.array(X), numpy.array(y)
    judge = Judge(X, signs)
    our_times, their_times = [], []
    for _ in range(options.fits):
        solution, seconds = fit(X, y)
        our_times.append(seconds)
        for _ in range(SHORT):
            theirs, seconds = libsvm(rows, signs)
            their_times.append(seconds)
    found = {
        "ours": min(our_times), "libsvm": min(their_times),
        "our gap": judge.gap(solution.alpha), "libsvm gap": judge.gap(theirs),
        "pypy": under_pypy(name, solution.alpha), "numpy": None,
    }
    if options.patience:
        found["numpy"] = simplified_smo(
            rows, signs, 1 / rows.shape[1], C, TOL, judge.gap, found["our gap"],
            options.patience * found["ours"],
        )
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
    unit, ours, pypy, run = (found[key] for key in ("libsvm", "ours", "pypy", "numpy"))
    cells = [name, f"{unit:.4f}", f"{ours:.2f}", f"{ours / unit:.1f}"]
    cells += [f"{pypy:.3f}", f"{pypy / unit:.1f}"] if pypy else ["-", "-"]
    gaps = f"{found['libsvm gap']:.1e}, {found['our gap']:.1e}"
    if run:
        more = "" if run.reached else ">"
        cells += [f"{more}{run.seconds:.1f}", f"{more}{run.seconds / ours:.0f}"]
        gaps += f", {run.gap:.1e}"
        if run.quiet_gap is not None:
            gaps += f" (quiet at {run.quiet_gap:.1e})"
    else:
        cells += ["-", "-"]
    return "| " + " | ".join(cells + [gaps]) + " |"


def mean(numbers):
    """The geometric mean."""
    total = 0.0
    for v in numbers:
        total += log(v)
    return exp(total / len(numbers))


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


def processor():
    """The name of the CPU."""
    try:
        with open("/proc/cpuinfo") as lines:
            return [s.split(":")[1].strip() for s in lines if s.startswith("model name")][0]
    except (OSError, IndexError):
        return platform.processor() or platform.machine()


def conditions():
    """What the numbers depend on."""
    import numpy
    import sklearn

    parts = [
        f"{date.today()}", processor(), f"{platform.system()} {platform.machine()}",
        f"{platform.python_implementation()} {platform.python_version()}",
        f"scikit-learn {sklearn.__version__}", f"NumPy {numpy.__version__}",
    ]
    if shutil.which("pypy3"):
        code = "import sys; print('PyPy %d.%d.%d' % sys.pypy_version_info[:3])"
        parts.append(subprocess.check_output(["pypy3", "-c", code], text=True).strip())
    return "; ".join(parts)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--fits", type=int, default=5, help="fits of each set (default: 5)")
    parser.add_argument(
        "--patience", type=float, default=50,
        help="stop the NumPy SMO at so many times our time; 0 leaves it out (default: 50)",
    )
    options = parser.parse_args()
    folder = os.environ.get("REFSVM_DATA")
    if not folder:
        parser.error("set REFSVM_DATA to the folder of LIBSVM data files")
    find_peers()
    print(conditions() + "\n", flush=True)
    table(folder, options)
    print("import refsvm: %.1f ms, %.1f MB above the bare interpreter (goal: 40 ms, 6 MB)"
          % importing())
    seconds = demo()
    if seconds is not None:
        print(f"python -m refsvm demo: {seconds:.1f} s (goal: 10 s)")


if __name__ == "__main__":
    main()
