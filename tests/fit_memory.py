"""What a fit of refsvm_fast takes at its peak beside what was there, and what it may take.

Each fit has a process of its own, whose peak is set back before it begins; Linux tells it.
"""

import subprocess
import sys
from array import array
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parents[1]
FIT = """
import sys
sys.path[:0] = [{root!r}, {root!r} + "/tests"]
import refsvm_fast
from fit_memory import peak, rows_in

X, y = rows_in({form!r}, {n}, {d})

def fit(X, y):
    problem = refsvm_fast.Problem(X, y, refsvm_fast.Gaussian(1 / {d}), 1.0)
    refsvm_fast.smo(problem, max_iter={steps}, cache_mb={cache})

fit(*rows_in({form!r}, 100, {d}))
with open("/proc/self/clear_refs", "w") as file:
    file.write("5")
before = peak("VmRSS")
fit(X, y)
print(peak("VmHWM") - before)
"""


def taken(form, n, d, cache=200, steps=None):
    """Bytes that a fit of n rows takes at its peak, above what was there."""
    code = FIT.format(root=str(ROOT), form=form, n=n, d=d, cache=cache, steps=steps)
    return int(subprocess.check_output([sys.executable, "-c", code], text=True))


def allowed(n, d, cache=200):
    """Bytes that it may take: packed rows, kept kernel rows, 16 MB, and 128 bytes an example."""
    return 8 * n * d + max(cache * 2**20, 34 * 8 * n) + 16 * 2**20 + 128 * n


def peak(name):
    """A figure of this process, in bytes."""
    with open("/proc/self/status") as lines:
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(name))


def rows_in(form, n, d):
    """n rows of two classes that overlap, and their labels: in an array of Python's own (`d`), one
    of NumPy by row or by column, of floats, or a sparse matrix with three in ten not zero."""
    random = Random(229)
    y = [random.choice((-1, 1)) for _ in range(n)]
    X = array("d", (random.gauss(1.5 * s * (k == 0), 1) for s in y for k in range(d)))
    X = memoryview(X).cast("B").cast("d", (n, d))
    if form == "d":
        return X, y
    import numpy

    if form == "sparse":
        from scipy.sparse import csr_matrix

        return csr_matrix(numpy.array(X) * (numpy.random.default_rng(2).random((n, d)) < 0.3)), y
    if form == "float32":
        return numpy.array(X, dtype="f"), y
    return numpy.array(X, order={"by row": "C", "by column": "F"}[form]), y
