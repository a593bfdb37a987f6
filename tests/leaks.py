"""Fits of each kind, again and again: the memory of the process must stay.

    python3 -m tests --python tests/leaks.py [--count 10000]

Counted is what grows between the first tenth of the fits, when all caches are full, and the last.
"""

import argparse
import contextlib
import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import refsvm_fast  # noqa: E402
from tests.fit_memory import peak  # noqa: E402

ALLOWED = 64  # bytes a fit: a list of one number that is kept is more
ROUNDOFF = 2**20  # bytes by which the allocator's own pages may change
DRAW = random.Random(7)
X = [[DRAW.gauss(0, 1) for _ in range(5)] for _ in range(24)]
Y = [1 if x[0] + x[1] > 0 else -1 for x in X]
THREE = ["abc"[i % 3] for i in range(24)]
VALUES = [x[0] - x[1] for x in X]

KINDS = {
    "SVC": lambda: refsvm_fast.SVC().fit(X, Y).predict(X),
    "SVC, linear": lambda: refsvm_fast.SVC(kernel="linear").fit(X, Y).decision_function(X),
    "SVC, three classes": lambda: refsvm_fast.SVC().fit(X, THREE).predict(X),
    "SVC, a kernel of Python": lambda: refsvm_fast.SVC(kernel=product).fit(X[:8], Y[:8]),
    "NuSVC": lambda: refsvm_fast.NuSVC(nu=0.2).fit(X, Y).predict(X),
    "SVR": lambda: refsvm_fast.SVR().fit(X, VALUES).predict(X),
    "NuSVR": lambda: refsvm_fast.NuSVR().fit(X, VALUES).predict(X),
    "OneClassSVM": lambda: refsvm_fast.OneClassSVM().fit(X).predict(X),
    "SVDD": lambda: refsvm_fast.SVDD().fit(X).predict(X),
    "LinearSVC": lambda: refsvm_fast.LinearSVC().fit(X, Y).predict(X),
    "projected_gradient": lambda: refsvm_fast.projected_gradient(refsvm_fast.Problem(X, Y)),
    "active_set": lambda: refsvm_fast.active_set(refsvm_fast.Problem(X, Y)),
    "coordinate_ascent": lambda: refsvm_fast.coordinate_ascent(
        refsvm_fast.Problem(X, Y, refsvm_fast.Gaussian(1.0), bias=False)),
    "newton": lambda: refsvm_fast.newton(
        refsvm_fast.Problem(X, Y, bias=False, slack="squared")),
    "proximal_point": lambda: refsvm_fast.proximal_point(
        refsvm_fast.Problem(X, Y, bias=False)),
    "pegasos": lambda: refsvm_fast.pegasos(X, Y, 0.1, range(24)),
    "a callback": lambda: refsvm_fast.smo(refsvm_fast.Problem(X, Y), on_step=str),
    "a refusal": lambda: refused(lambda: refsvm_fast.SVC(C=-1.0).fit(X, Y)),
}


def product(x, z):
    return x[0] * z[0] + x[1] * z[1]


def refused(call):
    with contextlib.suppress(ValueError, TypeError):
        call()


def growth(fit, count):
    for _ in range(count // 10):
        fit()
    before = peak("VmRSS")
    for _ in range(count - count // 10):
        fit()
    return peak("VmRSS") - before


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=10_000)
    given = parser.parse_args()
    worst = 0
    for name, fit in KINDS.items():
        grown = growth(fit, given.count)
        grows = grown > ALLOWED * given.count + ROUNDOFF
        worst += grows
        print(f"{name}: {grown / 1024:.0f} KB more after {given.count} fits{' LEAK' * grows}",
              flush=True)
    return 1 if worst else 0


if __name__ == "__main__":
    sys.exit(main())
