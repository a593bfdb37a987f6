"""What test_pickles.py pickles, of both packages: every public name, and objects in every state.

As a program it is one configuration: of each line of JSON, ["write", ..] or ["read", ..], it calls
that function, and answers with a line of JSON.
"""

import json
import pickle
import sys
from fractions import Fraction
from functools import partial
from inspect import isfunction
from math import inf

from equality import PACKAGES, Node, find, tree

import refsvm
import refsvm_fast
from refsvm.numerics.sparse_rows import rows_from

X = [[0.0, 5.0], [1.0, 2.0], [3.0, 2.5], [4.0, 7.0]]
Y = [-1, -1, 1, 1]
EXACT = [[Fraction(v) / 3 for v in x] for x in X]
WIDE = rows_from([([7], [0.5]), ([90], [2.0]), ([7, 200], [1.0, 3.0]), ([], [])], 300)
WORDS = ["abab", "aab", "bcb", "cbc"]
PROTOCOLS = 2, 3, 4, 5


class Overlap(refsvm.Kernel):
    """A kernel of the caller's."""

    def __call__(self, x, z):
        return len({*x} & {*z})


def product(x, z):
    return x[0] * z[0] + 1


class OwnSVC(refsvm_fast.SVC):
    """A caller's estimator, with a parameter of its own, and with a slot."""

    __slots__ = ("factor",)

    def __init__(self, C=1.0, own=2):
        super().__init__(C=C)
        self.own = self.factor = own

    def decision_function(self, X):
        return [self.factor * f for f in super().decision_function(X)]


class OwnProblem(refsvm_fast.Problem):
    """A caller's problem, which has an attribute more."""

    own = None


class OwnModel(refsvm_fast.Model):
    """A caller's model, which says the opposite."""

    def decision(self, x):
        return -super().decision(x)


def kernels_of(package):
    yield from (package.Linear(), package.Gaussian(0.5), package.Polynomial(2, 1, 1))
    yield from (package.MonomialSum(3), package.Sigmoid(0.25, -1), package.Spectrum(2))
    yield package.Cauchy(0.5)
    yield from (package.Precomputed(), Overlap(), 0.5 * package.Gaussian(1) + package.Linear())


def problems_of(package):
    yield package.Problem(X, Y)
    yield package.Problem(X, Y, package.Gaussian(0.5), [1, 2, inf, 3])
    yield package.Problem(X, Y, package.Polynomial(2, 1, 1), bias=False, slack="squared")
    yield package.Problem(EXACT, Y, C=Fraction(1, 3))
    yield package.Problem(WORDS, Y, package.Spectrum(1))
    yield package.Problem(package.gram(package.Gaussian(1), X), Y, package.Precomputed())
    yield package.Problem(X, Y, product)
    yield package.Problem(WIDE, Y)
    gaussian = package.Gaussian(0.5)
    yield from (package.NuProblem(X, Y, gaussian), package.NuProblem(EXACT, Y, nu=Fraction(1, 3)))
    yield from (package.RegressionProblem(X, Y), package.NuRegressionProblem(X, Y, gaussian))
    yield from (package.OneClassProblem(X, gaussian, 0.25), package.BallProblem(X, C=inf))
    own = OwnProblem(X, Y)
    own.own = "kept"
    yield own


def estimators_of(package):
    yield from (package.SVC(), package.SVC(kernel=package.Gaussian(0.5), C=inf), OwnSVC(3, own=4))
    for kernel in ("linear", "rbf", product):
        yield package.SVC(kernel=kernel).fit(X, ["a", "b", "c", "a"])
        yield package.SVC(kernel=kernel, C=2).fit(X, Y)
    yield package.SVC(kernel="linear").fit(EXACT, Y)
    yield package.SVC(kernel=package.Spectrum(1)).fit(WORDS, Y)
    yield package.SVC(kernel="precomputed").fit(package.gram(package.Linear(), X), Y)
    yield package.SVC(gamma=1.0).fit(WIDE, Y)
    yield from (package.LinearSVC(C=2), package.LinearSVC(tol=0.1).fit(X, ["a", "b", "c", "a"]))
    yield package.LinearSVC(tol=0.1).fit(WIDE, Y)
    yield from (package.LinearSVR(C=2), package.LinearSVR(tol=0.1).fit(X, Y))
    yield from (package.SVR(), package.SVR(C=2).fit(X, Y), package.NuSVR().fit(WIDE, Y))
    yield from (package.NuSVC().fit(X, Y), package.OneClassSVM().fit(X), package.SVDD().fit(X))
    changed = package.SVC().fit(X, Y)
    changed.model_, changed.support_vectors_ = package.SVC(C=2).fit(X, Y).model_, []
    yield changed
    yield OwnSVC().fit(X, Y)


def records_of(package):
    """Results: of each public class that is none of the above, and of the online learners."""
    problem, steps = package.Problem(X, Y), []
    solution = package.smo(problem, on_step=steps.append)
    yield from (steps[0], package.kkt(problem, solution.alpha), package.solve_exactly(problem))
    yield package.certify(problem, solution.alpha, solution.b)
    yield package.certify(package.Problem(X, Y, package.Gaussian(1)), [0.5] * 4, 0)
    best = package.solve_exactly(package.OneClassProblem(EXACT, nu=Fraction(1, 3)))
    yield from (best, best.offsets.rho)
    yield package.certify(package.NuProblem(X, Y, package.Gaussian(1)), [0.5] * 4)
    yield package.mercer([[1, 2], [2, 1]])
    yield package.check(package.SVC().fit(X, Y), X, Y)
    yield find(package, "svm.conventions.from_average_slack")(1, 4)
    model = package.SVC().fit(X, Y).model_
    yield from (package.Data(X, Y), package.Scaling.fit(X), package.Preparation.fit(X), model)
    sigmoid = find(package, "svm.calibration.Calibration")(-2.0, 0.5)
    yield from (sigmoid, model._replace(calibrations=[sigmoid]))
    svc = package.SVC()
    yield from (package.cross_validate(svc, X, Y, 2), package.grid(svc, {"C": [1, 2]}, X, Y, 2))
    picks = [0, 1, 2, 3, 0, 2]
    yield from (package.pegasos(X, Y, 1, picks), package.perceptron(X, Y, picks))
    yield package.lms(X, Y, 0.01, 3)
    yield find(package, "online.lms.stochastic_lms")(X, Y, 0.01, picks)
    for kernel in (package.Linear(), package.Gaussian(1)):
        yield package.kernel_pegasos(kernel, X, Y, 1, picks)
        yield package.kernel_perceptron(kernel, X, Y, picks)
        yield package.kernel_lms(kernel, X, Y, 0.01, 3)
        yield find(package, "online.lms.stochastic_kernel_lms")(kernel, X, Y, 0.01, picks)


def objects_of(package):
    """Objects as they are made: unfitted, fitted, solved."""
    yield from kernels_of(package)
    yield from estimators_of(package)
    yield from records_of(package)
    for problem in problems_of(package):
        solution = package.smo(problem)
        yield from (problem, solution, solution.model())
    yield OwnModel(*solution.model())


def names_in(package):
    """Every public name and every public method of a class, with what it stands for; and the
    names of modules that are compiled."""
    for name in [*package.__all__, "solvers.decomposition.decomposition"]:
        value = find(package, name)
        yield name, value
        methods = dir(find(refsvm, name)) if isinstance(value, type) else ()
        for method in methods:
            if not method.startswith("_") and isfunction(getattr(value, method)):
                yield f"{name}.{method}", getattr(value, method)
    for name, value in vars(find(refsvm, "numerics.picks")).items():
        if isfunction(value) and not name.startswith("_"):
            yield f"numerics.picks.{name}", find(package, f"numerics.picks.{name}")


def seen(value):
    """All that can be seen of an object, and what it answers, as a tree."""
    calls = [partial(getattr(value, name), rows)
             for name in ("predict", "decision_function", "predictions", "decisions", "apply",
                          "probabilities")
             if callable(getattr(value, name, None)) for rows in (X, WORDS, WIDE)]
    if isinstance(value, refsvm.Kernel):
        calls += [partial(value, *rows[:2]) for rows in (X, WORDS)]
    if isinstance(value, refsvm.Problem):
        calls += [partial(package.smo, value) for package in PACKAGES.values()]
    if hasattr(value, "bound"):
        calls.append(partial(value.bound, X[0]))
    for name in ("intervals", "b_interval"):
        calls.append(partial(getattr, value, name, None))
    answers = [told(call) for call in calls]  # at first: some are kept with the object, as seen
    answers += [tree(value), tree(getattr(value, "own", None))]
    return Node("seen", tuple((str(k), answer) for k, answer in enumerate(answers)))


def told(call):
    try:
        return tree(call())
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def write(path, protocols):
    """Pickle everything: names in every protocol, each object in so many of them in turn."""
    found = []  # (package, name, pickle, what is seen of the object; None of a name)
    for label, package in PACKAGES.items():
        for name, value in names_in(package):
            found += [(label, name, pickle.dumps(value, p), None) for p in PROTOCOLS]
        for k, value in enumerate(objects_of(package)):
            for p in range(protocols):
                text = pickle.dumps(value, PROTOCOLS[(k + p) % len(PROTOCOLS)])
                found.append((label, f"{type(value).__name__} {k}", text, seen(value)))
    with open(path, "wb") as file:
        pickle.dump(found, file)
    return len(found)


def read(path):
    """What differs, or fails, of all that was written to a file."""
    with open(path, "rb") as file:
        found = pickle.load(file)
    return [f"{package}: {name}: {fault}" for package, name, text, expected in found
            if (fault := fault_of(name, text, expected))]


def fault_of(name, text, expected):
    """What is wrong with a pickle when it is opened here; None if nothing is."""
    try:
        value = pickle.loads(text)
    except Exception as error:
        return repr(error)
    if expected is None:
        right = value in [find(package, name) for package in PACKAGES.values()]
    else:
        right = seen(value) == expected
    return None if right else f"{value!r:.200}"


if __name__ == "__main__":
    import pickled  # under the name that pickles hold

    for line in sys.stdin:
        what, *given = json.loads(line)
        print(json.dumps(getattr(pickled, what)(*given)), flush=True)
