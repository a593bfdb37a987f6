"""How many instructions fixed pieces of work take: times are noisy, these hardly are.

    python tests/bench/instructions.py              compare with instructions.json
    python tests/bench/instructions.py --rewrite    write that file anew

The exit status is 1 if any piece takes more than MORE of what it took, and which is said. Needs
the compiled modules and valgrind, which has no AVX-512, so the loops for AVX2 run. A compiler or
a Python of another version makes other instructions; where these are not those of the file,
nothing is compared, and that is said, too.

Callgrind counts in a process of its own and writes a file of totals at each call of sched_yield,
which nothing else here calls: each piece is done once to warm up, and once between two of these.
"""

import argparse
import gc
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve()
ROOT = HERE.parents[2]
sys.path.insert(0, str(ROOT))

import refsvm_fast as ours  # noqa: E402
from refsvm.files.scaling import Scaling  # noqa: E402
from refsvm.numerics.picks import splitmix64, uniform  # noqa: E402
from refsvm.tables.data import read_data  # noqa: E402

KEPT = HERE.with_suffix(".json")
MORE = 1.05


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rewrite", action="store_true", help="keep the numbers of this run")
    parser.add_argument("--work", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.work:
        return work()
    lacking = [what for what, there in needs().items() if not there]
    if lacking:
        print(f"instructions are not counted: {' and '.join(lacking)} not here")
        return 0
    counts = counted()
    if options.rewrite:
        KEPT.write_text(json.dumps({"with": tools(), "counts": counts}, indent=1) + "\n")
        return 0
    return compared(counts, json.loads(KEPT.read_text()))


def needs():
    """What must be here, and whether it is."""
    return {"valgrind": shutil.which("valgrind"), "the compiled modules": ours.COMPILED}


def tools():
    """What made the instructions."""
    compiler = subprocess.check_output(["cc", "--version"], text=True).split("\n")[0]
    return f"{compiler}; {platform.python_implementation()} {platform.python_version()};" \
        f" {platform.machine()}"


def pieces():
    """{name: (the compiled function it needs, the work)}."""
    X, labels = read_data(ROOT / "refsvm" / "data" / "wdbc.libsvm")
    X, y = Scaling.fit(X).apply(X), [1 if label else -1 for label in labels]
    n, d = len(X), len(X[0])
    few, sparse, dense = drawn(500, 4, 1), drawn(500, 60, 20), drawn(500, 60, 2)
    many = drawn(300, 400, 1)
    marks = [[float(v > 0) for v in row] for row in dense[0]], dense[1]
    classes = [min(4, int(3 * (row[1] + 1))) for row in X]
    gaussian = ours.Gaussian(1 / d)
    model = ours.smo(ours.Problem(X, y, gaussian, 1)).model()
    picks = list(uniform(n, 4 * n, 229))

    def smo(rows, signs, kernel, C):
        return lambda: ours.smo(ours.Problem(rows, signs, kernel, C))

    def flat():
        return ours.Problem(X, y, gaussian, 1, bias=False)

    return {
        "smo, Gaussian": ("smo", smo(X, y, gaussian, 1)),
        "smo, cubic": ("smo", smo(X, y, ours.Polynomial(3, 1 / d), 10)),
        "smo, linear": ("smo", smo(X, y, ours.Linear(), 1)),
        "smo, many features": ("smo", smo(*many, ours.Gaussian(1 / 400), 1)),
        "smo, few features": ("smo", smo(*few, ours.Gaussian(1 / 4), 100)),
        "smo, few that are not zero": ("smo", smo(*sparse, ours.Gaussian(1 / 60), 1)),
        "smo, two values a feature": ("smo", smo(*marks, ours.Gaussian(1 / 60), 1)),
        "SVC, five classes": ("SVC", lambda: ours.SVC(kernel="linear").fit(X, classes)),
        "coordinate_ascent": ("coordinate_ascent", lambda: ours.coordinate_ascent(flat())),
        "gram": ("gram", lambda: ours.gram(gaussian, X)),
        "decisions": ("Model", lambda: model.decisions(X)),
        "pegasos": ("pegasos", lambda: ours.pegasos(X, y, 1 / n, picks)),
        "kernel_pegasos": (
            "kernel_pegasos", lambda: ours.kernel_pegasos(gaussian, X, y, 1 / n, picks)
        ),
        "perceptron": ("perceptron", lambda: ours.perceptron(X, y, picks)),
        "kernel_perceptron": (
            "kernel_perceptron", lambda: ours.kernel_perceptron(gaussian, X, y, picks)
        ),
    }


def compiled():
    """The pieces whose loops are compiled; the oracle would take minutes under callgrind."""
    return {
        name: work for name, (needed, work) in pieces().items() if needed in ours.COMPILED_NAMES
    }


def drawn(n, d, zeros):
    """n rows of d numbers in [-1, 1], all but one in `zeros` of them 0; labels half by chance."""
    bits = splitmix64(229)
    rows = [
        [0.0 if next(bits) % zeros else next(bits) / 2**63 - 1 for _ in range(d)]
        for _ in range(n)
    ]
    return rows, [1 if row[0] + row[1] * row[2] > next(bits) / 2**64 - 0.5 else -1 for row in rows]


def work():
    """Do every piece twice, with a mark before and after the second time."""
    gc.disable()
    for piece in compiled().values():
        piece()
        os.sched_yield()
        piece()
        os.sched_yield()
    return 0


def counted():
    """{name: instructions} of the pieces."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.check_call(
            ["valgrind", "--quiet", "--tool=callgrind", "--dump-before=sched_yield",
             f"--callgrind-out-file={folder}/out", sys.executable, str(HERE), "--work"],
            env={**os.environ, "REFSVM_ISA": "avx2", "PYTHONHASHSEED": "0"},
        )
        names = list(compiled())
        dumps = [Path(folder, f"out.{2 * k}") for k in range(1, len(names) + 1)]
        return dict(zip(names, map(total, dumps)))


def total(dump):
    """The instructions that a file of callgrind counts."""
    lines = dump.read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("totals:"))


def compared(counts, kept):
    """Print each count beside the one that was kept; 1 if one has grown too much, else 0."""
    print(f"{'':28}{'kept':>14}{'now':>14}  ratio")
    grown = []
    for name, now in counts.items():
        before = kept["counts"].get(name)
        if before is None:
            print(f"{name:28}{'-':>14}{now:>14}")
            continue
        print(f"{name:28}{before:>14}{now:>14}  {now / before:.3f}")
        grown += [name] if now > MORE * before else []
    if kept["with"] != tools():
        print(f"not compared: kept for {kept['with']}; here it is {tools()}")
        return 0
    if grown:
        print(f"more than {MORE} times as many instructions: {', '.join(grown)}")
    return 1 if grown else 0


if __name__ == "__main__":
    sys.exit(main())
