"""Part "prediction": decision values of the same machine, by scikit-learn's SVC and by ours.

SVC is trained once (and kept under build/); our Model is then made of its support vectors,
coefficients and offset, so both sum the same terms. Rows are those of the test part, or of the
training file where there is none, at most MANY of them, as an array of doubles. `difference` is
the largest between the two answers, relative to the largest value: it shows that both did the
same work.
"""

import pickle

import numpy
from clock import best, in_turns, mean, timed
from environment import KEPT
from records import keep, kept, table
from sets import testing, training
from trainers import machine

MANY = 5000
KEYS = ("set", "kernel", "C", "program")


def measure(options):
    """Time both on every set and kernel that the options name."""
    for name in options.sets:
        for kernel in options.kernels:
            if kernel != "flat":
                for C in options.C[:1]:
                    measure_machine(name, kernel, C, options)


def measure_machine(name, kernel, C, options):
    """Time both on one machine."""
    svc = trained(name, kernel, C)
    rows = (testing(name) or training(name))[0][:MANY]
    model = ours(svc, kernel)
    works = {
        "sklearn": lambda: svc.decision_function(rows),
        "refsvm": lambda: model.decisions(rows),
    }
    runs = in_turns(
        {program: lambda work=work: timed(work) for program, work in works.items()},
        options.runs, options.patience,
    )
    theirs, our = (numpy.array(runs[program][-1].result) for program in works)
    difference = float(abs(theirs - our).max() / abs(theirs).max())
    for program, done in runs.items():
        keep(
            "prediction", **dict(zip(KEYS, (name, kernel, C, program))), rows=len(rows),
            vectors=len(svc.support_), difference=difference, **best(done),
        )


def trained(name, kernel, C):
    """scikit-learn's SVC after training, from build/ if it was trained before."""
    path = KEPT / "machines" / f"{name}-{kernel}-{C:g}.pickle"
    if not path.exists():
        from sklearn.svm import SVC

        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(pickle.dumps(machine(SVC, kernel, C).fit(*training(name))))
    return pickle.loads(path.read_bytes())


def ours(svc, kernel):
    """Our Model of the same machine."""
    import refsvm_fast as ours

    d = svc.shape_fit_[1]
    form = {
        "gaussian": ours.Gaussian(1 / d), "cubic": ours.Polynomial(3, 1 / d),
        "linear": ours.Linear(),
    }[kernel]
    w = svc.coef_[0].tolist() if kernel == "linear" else None
    coef, vectors = svc.dual_coef_[0].tolist(), svc.support_vectors_.tolist()
    return ours.Model(float(svc.intercept_[0]), coef, vectors, form, w)


def tables(options):
    """A table of what the options name."""
    records, rows, ratios = kept("prediction", *KEYS), [], []
    for name in options.sets:
        for kernel in options.kernels:
            ours, theirs = (
                records.get((name, kernel, options.C[0], p)) for p in ("refsvm", "sklearn")
            )
            if ours and theirs:
                ratios.append(theirs["cpu"] / ours["cpu"])
                rows.append([
                    name, kernel, f"{ours['rows']}", f"{ours['vectors']}", f"{ours['cpu']:.4g}",
                    f"{theirs['cpu']:.4g}", f"{ratios[-1]:.2f}", f"{ours['difference']:.1e}",
                ])
    if not rows:
        return ""
    head = "prediction | kernel | rows | vectors | refsvm s | SVC s | to refsvm | difference"
    return table(head, rows) + (
        f"\n\n- SVC: {mean(ratios):.2f} times our time in the mean, at least {min(ratios):.2f}"
    )
