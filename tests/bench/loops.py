"""Part "loops": each compiled loop against the code of the oracle, on 500 examples or more.

Both get the same arguments, and both answers must be the same, written out in full, or the part
ends there. The oracle's times are seconds, so it runs once; ours is the best of several.
"""

import sys
from importlib import import_module

from clock import best, mean, timed
from records import keep, kept, table
from sets import training

import refsvm
import refsvm_fast


def loops(X, y):
    """{name: what is timed, as a function of the package} for rows of doubles and labels."""
    n, d = X.shape
    alpha, lam = [1e-3 * (i % 5) for i in range(n)], 1 / n

    def gaussian(p):
        return p.Gaussian(1 / d)

    def problem(p, kernel):
        return p.Problem(X, y, kernel, 1)

    def flat(p):
        return p.Problem(X, y, gaussian(p), 1, bias=False)

    picks = list(draws(refsvm).uniform(n, 4 * n, 229))

    def trained(p):
        return p.smo(problem(p, gaussian(p)), 0.1, max_iter=200).model()

    return {
        "smo, Gaussian": lambda p: p.smo(problem(p, gaussian(p))),
        "smo, cubic": lambda p: p.smo(problem(p, p.Polynomial(3, 1 / d))),
        "smo, linear": lambda p: p.smo(problem(p, p.Linear())),
        "coordinate_ascent": lambda p: p.coordinate_ascent(flat(p)),
        "kkt": lambda p: p.kkt(problem(p, gaussian(p)), alpha),
        "gram, Gaussian": lambda p: p.gram(gaussian(p), X),
        "gram, cubic": lambda p: p.gram(p.Polynomial(3, 1 / d), X),
        "decisions": (lambda p, model: model.decisions(X), trained),
        "pegasos, all iterates": lambda p: p.pegasos(X, y, lam, picks),
        "pegasos": lambda p: p.pegasos(X, y, lam, picks, history=False),
        "kernel_pegasos": lambda p: p.kernel_pegasos(gaussian(p), X, y, lam, picks),
        "perceptron": lambda p: p.perceptron(X, y, picks),
        "kernel_perceptron": lambda p: p.kernel_perceptron(gaussian(p), X, y, picks),
        "uniform": lambda p: list(draws(p).uniform(n, 100 * n, 229)),
        "shuffled_passes": lambda p: list(draws(p).shuffled_passes(n, 100, 229)),
    }


def draws(package):
    """The module picks of a package; that of refsvm where it has none of its own."""
    try:
        return import_module(f"{package.__name__}.picks")
    except ImportError:
        return import_module("refsvm.numerics.picks")


def measure(options):
    """Time every loop, by the oracle and compiled."""
    if not refsvm_fast.COMPILED:
        print("refsvm_fast is not compiled here: there is nothing to compare")
        return
    X, y = training("random-1000-20")
    for name, work in loops(X, y).items():
        slow, fast = prepared(work, refsvm), prepared(work, refsvm_fast)
        oracle = timed(slow)
        compiled = [timed(fast) for _ in range(options.runs)]
        if repr(oracle.result) != repr(compiled[-1].result):
            sys.exit(f"{name}: the compiled answer is not the oracle's")
        keep("loops", loop=name, oracle=oracle.cpu, **best(compiled))


def prepared(work, package):
    """The function to time: of the package alone, or of something made before the clock starts."""
    if isinstance(work, tuple):
        work, make = work
        made = make(package)
        return lambda: work(package, made)
    return lambda: work(package)


def tables(options):
    """A table of all loops."""
    records = {name: r for (name,), r in kept("loops", "loop").items()}
    if not records:
        return ""
    ratios = [r["oracle"] / r["cpu"] for r in records.values()]
    rows = [
        [name, f"{r['oracle']:.3g}", f"{r['cpu']:.3g}", f"{ratio:.0f}"]
        for (name, r), ratio in zip(records.items(), ratios)
    ]
    head = "loop, 1000 x 20 | refsvm s | refsvm_fast s | times as fast"
    return table(head, rows) + (
        f"\n\n- compiled: {mean(ratios):.0f} times as fast in the mean, at least {min(ratios):.0f}"
    )
