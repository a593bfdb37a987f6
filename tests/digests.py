"""What a package answers, as digests: the same on every machine, plain and compiled.

    python3 tests/digests.py refsvm            a line for each answer: its name and a SHA-256
    python3 tests/digests.py refsvm_fast       the same lines

It needs nothing but the two packages and spec/vectors, so that any Python on any processor can run
it; other_machines.py compares what they say.
"""

import hashlib
import json
import sys
from array import array
from importlib import import_module
from itertools import islice
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import refsvm  # noqa: E402
from refsvm.conformance.bits.functions import answer_to  # noqa: E402
from refsvm.numerics.elementary import exp, tanh  # noqa: E402
from refsvm.numerics.picks import splitmix64  # noqa: E402
from refsvm.numerics.roundings import answers  # noqa: E402
from spec.vectors.makers import RUNS  # noqa: E402

VECTORS = Path(__file__).resolve().parent.parent / "spec" / "vectors"


def units(seed, count):
    """Doubles from 0 to 1, by the generator of the specification."""
    return [(word >> 11) * 2.0**-53 for word in islice(splitmix64(seed), count)]


def cloud(n, d, seed):
    drawn = units(seed, n * d)
    X = [[2 * v - 1 for v in drawn[i * d : (i + 1) * d]] for i in range(n)]
    return X, [1 if sum(x[:2]) + 0.2 * x[-1] > 0 else -1 for x in X]


def data():
    """{name: (X, y)}: what is stored in other ways, and reaches other ends of the doubles."""
    X, y = cloud(24, 5, 1)
    wide, of_wide = cloud(16, 70, 2)
    return {
        "cloud": (X, y),
        "whole": ([[float(round(9 * v)) for v in x] for x in X], y),
        "bits": ([[float(v > 0) for v in x] for x in X], y),
        "tiny": ([[v * 2.0**-530 for v in x] for x in X], y),  # products are subnormal
        "large": ([[v * 2.0**200 for v in x] for x in X], y),
        "sparse": ([[v if k % 7 == i % 7 else 0.0 for k, v in enumerate(x)]
                    for i, x in enumerate(wide)], of_wide),
    }  # fmt: skip


def kernels():
    return {
        "linear": refsvm.Linear(),
        "polynomial": refsvm.Polynomial(3, 0.1, 1.0),
        "gaussian": refsvm.Gaussian(0.3),
        "narrow": refsvm.Gaussian(40.0),  # values down to the subnormal ones
        "sigmoid": refsvm.Sigmoid(0.1, -0.2),
        "sum": 0.5 * refsvm.Gaussian(3.0) + refsvm.MonomialSum(2),
    }


def shown(value):
    """A value with every bit of its numbers, as text."""
    if isinstance(value, float):
        return "nan" if value != value else value.hex()
    if hasattr(value, "_asdict"):
        return shown(value._asdict())
    if isinstance(value, dict):
        return "{" + ",".join(f"{key}:{shown(value[key])}" for key in value) + "}"
    if isinstance(value, (list, tuple, array)):
        return "[" + ",".join(map(shown, value)) + "]"
    if isinstance(value, refsvm.Problem):
        return shown([value.X, value.y])
    return str(value)


def answered(function, *arguments, **options):
    """What a call returns, as text; or the sentence of its refusal."""
    try:
        return shown(function(*arguments, **options))
    except ValueError as error:
        return str(error)


def of_elementary(package):
    """The functions of one number, and what is rounded where."""
    yield "roundings", str(answers())
    wide = [-746 + 1456 * u for u in units(3, 4000)]
    near = [-708.4 - k * 0.0091 for k in range(4200)]  # below the least normal number
    yield "exp", shown([exp(x) for x in wide + near])
    yield "tanh", shown([tanh(46 * u - 23) for u in units(4, 3000)])


def of_problems(package):
    """Gram matrices, solvers and decisions."""
    for name, (X, y) in data().items():
        for called, kernel in kernels().items():
            yield f"gram {name} {called}", answered(package.gram, kernel, X)
            yield f"smo {name} {called}", answered(solved, package, X, y, kernel)
        picks = import_module(f"{package.__name__}.numerics.picks")
        yield f"picks {name}", shown(list(picks.uniform(len(X), 40, 7)))
        yield f"pegasos {name}", answered(
            package.pegasos, X, y, 0.1, picks.uniform(len(X), 200, 5)
        )
        yield f"perceptron {name}", answered(package.perceptron, X, y, picks.passes(len(X), 3))
        free = package.Problem(X, y, bias=False)
        order = picks.shuffled_passes(len(X), 5, 1)
        yield f"descent {name}", answered(package.dual_coordinate_descent, free, order)
        squared = package.Problem(X, y, bias=False, slack="squared")
        yield f"newton {name}", answered(package.newton, squared)
        yield f"proximal_point {name}", answered(package.proximal_point, free)


def solved(package, X, y, kernel):
    """A solution, and what its model decides."""
    solution = package.smo(package.Problem(X, y, kernel, C=2.0), max_iter=100)
    return [solution, [solution.model().decision(x) for x in X]]


def of_estimators(package):
    """Machines as they are trained in use, their files, and their C."""
    X, y = data()["cloud"]
    words = [("low", "high", "none")[k % 3] for k in range(len(X))]
    values = [x[0] * x[1] + x[2] for x in X]
    made = {
        "SVC": package.SVC(C=10.0).fit(X, words),
        "NuSVC": package.NuSVC(nu=0.1).fit(X, words),
        "SVR": package.SVR(epsilon=0.05).fit(X, values),
        "NuSVR": package.NuSVR(nu=0.3).fit(X, values),
        "OneClassSVM": package.OneClassSVM(nu=0.2).fit(X),
        "SVDD": package.SVDD(C=0.1).fit(X),
        "LinearSVC": package.LinearSVC().fit(X, y),
    }
    for name, machine in made.items():
        yield f"{name} predict", shown(machine.predict(X))
        yield f"{name} decision", shown(getattr(machine, "decision_function", machine.predict)(X))
        yield f"{name} as C", package.export(machine)


def of_large_numbers(package):
    """What takes a whole number takes one of 63 bits, also where a long of C has 32."""
    X, y = [[0.0], [1.0], [2.0], [3.0]], [-1, 1, -1, 1]
    problem, free = package.Problem(X, y), package.Problem(X, y, bias=False)
    picks = import_module(f"{package.__name__}.numerics.picks")
    for n in (2**31 - 1, 2**31, 2**32 + 1, 2**63 - 1, 2**63, 2**70):
        for option in ("max_iter", "threads", "cache_mb"):
            yield f"smo {option}={n}", answered(package.smo, problem, **{option: n})
            yield f"ascent {option}={n}", answered(package.coordinate_ascent, free, **{option: n})
        yield f"degree={n}", answered(lambda n=n: package.gram(package.Polynomial(n), X[:1]))
        yield f"passes={n}", shown(list(islice(picks.passes(3, n), 5)))
        yield f"below={n}", answered(lambda n=n: list(islice(picks.uniform(n, 3, 1), 3)))
        yield f"pick={n}", answered(package.perceptron, X, y, [0, n])
        yield f"row={n}", answered(package.Problem, [[n], [1]], y[:2])
        yield f"SVC={n}", answered(lambda n=n: package.SVC(max_iter=n).fit(X, y).predict(X))


def of_vectors(package):
    """What its functions answer to the tests in spec/vectors."""
    for name in RUNS:
        groups = json.loads((VECTORS / f"{name}.json").read_text())["testGroups"]
        for number, group in enumerate(groups):
            given = [test["given"] for test in group["tests"]]
            found = [answer_to(group["type"], one, package.__name__) for one in given]
            yield f"{name} {number} {group['type']}", json.dumps(found, sort_keys=True)


def main(name):
    package = import_module(name)
    if package is not refsvm and not package.COMPILED:
        sys.exit(f"{name} is not compiled")
    for part in (of_elementary, of_problems, of_estimators, of_large_numbers, of_vectors):
        for what, text in part(package):
            print(what.replace(" ", "_"), hashlib.sha256(text.encode("ascii")).hexdigest()[:16])


if __name__ == "__main__":
    main(*sys.argv[1:])
