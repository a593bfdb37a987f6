"""Part "machines": SVR, NuSVR, NuSVC and OneClassSVM, ours and scikit-learn's: fit, then predict.

tol goes down a ladder for each program by itself, until (primal - dual) / |dual| is at most GOAL,
and the fit at that step is what is timed: tol means a share of the machine's own unit to one of
them, and an absolute number to the other. Gaps are computed by the same lines for both.

Classes and outliers are those of the sets. Regression predicts a column from the others, the one
of the largest deviation, and the values of scikit-learn's diabetes; values have mean 0 and
deviation 1. Both are given arrays.
"""

from math import inf

import numpy
from clock import best, in_turns, mean, timed
from judge import scores
from records import keep, kept, table
from sets import SETS, training
from trainers import named

GOAL = 1e-3
LADDER = [10.0 ** (1 - k / 2) for k in range(13)]  # 10 down to 1e-5
NUMBERS = {
    "SVR": {"C": 1.0, "epsilon": 0.1}, "NuSVR": {"C": 1.0, "nu": 0.5}, "NuSVC": {"nu": 0.3},
    "OneClassSVM": {"nu": 0.1},
}
OF_CLASSES = ("german.numer_scale", "splice", "a4a", "spambase", "satimage.scale")
OF_VALUES = ("diabetes", "svmguide1", "spambase", "satimage.scale")
KEYS = ("machine", "set", "kernel", "program")
PROGRAMS = ("refsvm", "sklearn")


def wanted(options):
    """(machine, set, kernel) of what the options name; without --sets those above."""
    kernels = [kernel for kernel in options.kernels if kernel != "flat"]
    for machine in NUMBERS:
        names = OF_VALUES if "SVR" in machine else OF_CLASSES
        for name in names if options.sets is SETS else options.sets:
            yield from ((machine, name, kernel) for kernel in kernels)


def data(machine, name):
    """(X, y) of a set, as a machine is trained on it."""
    if name == "diabetes":
        from sklearn.datasets import load_diabetes

        X, y = load_diabetes(return_X_y=True)
        X = 2 * (X - X.min(axis=0)) / (X.max(axis=0) - X.min(axis=0)) - 1
    else:
        X, y = training(name)
    if "SVR" not in machine:
        return X, y
    if name != "diabetes":
        column = int(numpy.argmax(X.std(axis=0)))
        X, y = numpy.delete(X, column, axis=1), X[:, column]
    return X, (y - y.mean()) / y.std()


def measure(options):
    """Time both on all that the options name."""
    from sklearn import svm

    import refsvm_fast as ours

    for machine, name, kernel in wanted(options):
        X, y = data(machine, name)
        given = {**NUMBERS[machine], **named(kernel)}
        libraries = dict(zip(PROGRAMS, (ours, svm)))
        found = {p: descended(library, machine, given, X, y) for p, library in libraries.items()}
        if None in found.values():
            continue
        times = [
            in_turns({p: timer(*w) for p, w in works.items()}, options.runs, options.patience)
            for works in (
                {p: (fitted.fit, X, y) for p, (fitted, _) in found.items()},
                {p: (fitted.predict, X) for p, (fitted, _) in found.items()},
            )
        ]
        for p, (fitted, gap) in found.items():
            fit, predict = (best(runs[p])["cpu"] for runs in times)
            keep(
                "machines", **dict(zip(KEYS, (machine, name, kernel, p))), rows=len(y), gap=gap,
                tol=fitted.tol, fit=fit, predict=predict,
            )


def timer(work, *given):
    """The work, timed."""
    return lambda: timed(lambda: work(*given))


def descended(library, machine, given, X, y):
    """(the estimator, its gap) of the first step of the ladder that gets to the goal, if any."""
    for tol in LADDER:
        try:
            fitted = getattr(library, machine)(tol=tol, **given).fit(X, y)
        except ValueError:  # there is no such machine
            return None
        gap = relative_gap(fitted, machine, X, y)
        if gap <= GOAL:
            return fitted, gap
    return None


def relative_gap(fitted, machine, X, y):
    """(primal - dual) / |dual| of an estimator's feasible multipliers and the best offsets."""
    problem = problem_of(machine, X, y)
    form = problem.dual_form()
    beta, of = feasible(problem, form, multipliers(fitted, machine, y)), form.of or range(len(y))
    net = numpy.bincount(numpy.array(of), beta, len(y))
    s = scores(X, X, net, {"rbf": "gaussian", "poly": "cubic"}.get(fitted.kernel, fitted.kernel))
    r = numpy.array(form.target) - s[of]
    half = net @ s / 2
    dual = numpy.dot(form.target, beta) - half
    primal = half
    for group, total in zip(form.groups, form.sums):
        primal += part_of_primal(form, group, float(total), r)
    return float((primal - dual) / abs(dual)) if dual else inf


def problem_of(machine, X, y):
    """The problem of a machine, whose kernel does not matter here."""
    import refsvm

    numbers, rows = NUMBERS[machine], numpy.zeros((len(y), 1)).tolist()
    return {
        "SVR": lambda: refsvm.RegressionProblem(rows, y, **numbers),
        "NuSVR": lambda: refsvm.NuRegressionProblem(rows, y, **numbers),
        "NuSVC": lambda: refsvm.NuProblem(rows, y.tolist(), **numbers),
        "OneClassSVM": lambda: refsvm.OneClassProblem(rows, **numbers),
    }[machine]()


def multipliers(fitted, machine, y):
    """alpha of all rows; those of NuSVC were divided by the margin."""
    alpha = numpy.zeros(len(y))
    alpha[fitted.support_] = numpy.array(fitted.dual_coef_)[0]
    if machine == "NuSVC":
        alpha = abs(alpha)
        for label in (-1, 1):
            alpha[y == label] *= fitted.nu * len(y) / 2 / alpha[y == label].sum()
    return alpha


def feasible(problem, form, alpha):
    """The variables within their bounds and with the right sums, each moved by its share."""
    lower, upper = numpy.array(form.lower), numpy.array(form.upper)
    beta = numpy.clip(problem.variables_of(alpha.tolist()), lower, upper)
    for g, s in zip(form.groups, form.sums):
        part = slice(g.start, g.stop)
        lack = float(s) - beta[part].sum()
        room = (upper if lack > 0 else lower)[part] - beta[part]
        if lack:
            beta[part] += room * (lack / room.sum())
    return beta


def part_of_primal(form, group, s, r):
    """The least, over the group's multiplier, of what the primal has of it (svm/dual_form.py)."""
    part = slice(group.start, group.stop)
    lower, upper, r = (numpy.array(v)[part] for v in (form.lower, form.upper, r))
    order = numpy.argsort(-r)
    slope = s - lower.sum() - numpy.cumsum((upper - lower)[order])
    lam = r[order[numpy.argmax(slope <= 0)]]
    return s * lam + numpy.maximum(upper * (r - lam), lower * (r - lam)).sum()


def tables(options):
    """A table of what the options name, and the means of each machine."""
    records, rows, ratios = kept("machines", *KEYS), [], {}
    for machine, name, kernel in wanted(options):
        ours, theirs = (records.get((machine, name, kernel, p)) for p in PROGRAMS)
        if not ours or not theirs:
            continue
        times = [theirs[work] / ours[work] for work in ("fit", "predict")]
        for work, ratio in zip(("fit", "predict"), times):
            ratios.setdefault((machine, work), []).append(ratio)
        rows.append([
            machine, name, kernel, f"{ours['rows']}", f"{ours['gap']:.0e}", f"{theirs['gap']:.0e}",
            f"{ours['fit']:.4g}", f"{times[0]:.2f}", f"{ours['predict']:.4g}", f"{times[1]:.2f}",
        ])
    if not rows:
        return ""
    head = "machine | set | kernel | rows | gap | theirs | fit s | theirs | predict s | theirs"
    return table(head, rows) + "".join(
        f"\n- {machine}, {work}: theirs takes {mean(found):.2f} times our time in the mean, at"
        f" least {min(found):.2f}"
        for (machine, work), found in ratios.items()
    )
