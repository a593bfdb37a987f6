"""Part "steps": rounds of Pegasos a second, ours and those of scikit-learn's SGDClassifier.

Both look at one example a round, in the order of the rows, without offset, with lam = 1 / n:
pegasos() and SGDClassifier (hinge, alpha = lam, no shuffling, no stopping rule), for as many
passes as make ROUNDS rounds. Theirs is given an array or sparse rows, and the quicker counts; ours
an array, and it keeps the average of the iterates as well.
"""

from clock import best, in_turns, mean, timed
from records import keep, kept, table
from sets import training

ROUNDS = 1_000_000  # so many that it does not matter how the rows were given
KEYS = ("set", "program")


def measure(options):
    """Time all three on every set that the options name."""
    for name in options.sets:
        X, y = training(name)
        passes = max(1, ROUNDS // len(y))
        contestants = {
            program: lambda work=work: timed(work)
            for program, work in works(X, y, 1 / len(y), passes).items()
        }
        runs = in_turns(contestants, options.runs, options.patience)
        for program, done in runs.items():
            keep("steps", set=name, program=program, steps=passes * len(y), **best(done))


def works(X, y, lam, passes):
    """{program: a function that makes its rounds}."""
    from scipy.sparse import csr_matrix
    from sklearn.linear_model import SGDClassifier

    import refsvm_fast as ours
    from refsvm_fast.numerics.picks import passes as in_order

    sgd = SGDClassifier(
        loss="hinge", alpha=lam, fit_intercept=False, shuffle=False, max_iter=passes, tol=None
    )
    sparse = csr_matrix(X)
    return {
        "refsvm": lambda: ours.pegasos(X, y, lam, in_order(len(y), passes), history=False),
        "sgd-dense": lambda: sgd.fit(X, y),
        "sgd-sparse": lambda: sgd.fit(sparse, y),
    }


def tables(options):
    """A table of the sets that the options name."""
    records, rows, ratios = kept("steps", *KEYS), [], []
    for name in options.sets:
        found = [records.get((name, p)) for p in ("refsvm", "sgd-dense", "sgd-sparse")]
        if all(found):
            ours, *theirs = (r["steps"] / r["cpu"] for r in found)
            ratios.append(ours / max(theirs))
            rows.append([name, f"{ours:.3g}", f"{max(theirs):.3g}", f"{ratios[-1]:.2f}"])
    if not rows:
        return ""
    head = "rounds a second | Pegasos, refsvm | SGDClassifier | ours to theirs"
    return table(head, rows) + (
        f"\n\n- Pegasos: {mean(ratios):.2f} times the rounds in the mean, at least"
        f" {min(ratios):.2f}"
    )
