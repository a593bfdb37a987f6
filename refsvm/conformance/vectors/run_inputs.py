"""Runs of every algorithm, with the examples to look at given: step by step, to the last bit.

The problems are small, and chosen for the branches that they take: multipliers that stop at 0 and
at C, pairs without curvature, negative curvature, a hard margin and none, a start, no step at all.
"""

from fractions import Fraction as Q
from math import inf

from ...kernels.standard import Gaussian, Linear, Polynomial, Precomputed, Sigmoid
from ...kernels.strings import Spectrum
from ...numerics.picks import passes, shuffled_passes, splitmix64, uniform
from ...svm.problem import Problem
from ..cases.entry import column, rows, signs
from .function_runs import Run

SIX, MIXED = column(0, 1, 2, 3, 4, 5), signs("--+-++")
XOR = rows((-1, -1), (1, 1), (-1, 1), (1, -1))
PLANE = rows(("1/2", "5/4"), ("-3/4", "1/2"), (1, "-1/4"), ("-1/2", -1), ("1/4", "1/4"))
ON_PLANE = [list(map(float, x)) for x in PLANE]
SIGNS = signs("+-+--")
CORNERS = rows((2, 1), (1, 2), (-1, 1), (-2, -1), (1, -2))
TARGETS = [Q(v) for v in (2, 4, "1/2", -1)]
SQUARE = rows((1, 0), (0, 1), (1, 1), (1, -1))

PROBLEMS = {
    "six": Problem(SIX, MIXED),
    "six, C of 8": Problem(SIX, MIXED, C=Q(8)),
    "six, hard": Problem(column(0, 1, 2, 5, 6, 9), signs("---+++"), C=inf),
    "six, impossible": Problem(SIX, MIXED, C=inf),
    "six, no offset": Problem(SIX, MIXED, bias=False),
    "six, squared": Problem(SIX, MIXED, C=Q(2), slack="squared"),
    "six, weighted": Problem(SIX, MIXED, C=[Q(v) for v in (1, 2, "1/2", 4, 1, 1)]),
    "far away": Problem([[x[0] + 2**20] for x in SIX], MIXED),
    "opposite twins": Problem(rows((1, 1), (1, 1), (0, 0), (2, 3)), signs("+--+"), C=Q(5)),
    "exclusive or": Problem(XOR, signs("--++"), Polynomial(2, coef0=Q(1)), Q(8)),
    "plane": Problem(PLANE, SIGNS, C=Q(2)),
    "plane, no offset": Problem(PLANE, SIGNS, C=Q(2), bias=False),
    "plane, squared, no offset": Problem(PLANE, SIGNS, C=Q(2), bias=False, slack="squared"),
    "plane, polynomial": Problem(PLANE, SIGNS, Polynomial(3, Q(1, 2), 1), Q(10)),
    "matrix": Problem(rows((2, 1, 0), (1, 2, 1), (0, 1, 2)), signs("+-+"), Precomputed(), Q(1)),
    "words": Problem(["banana", "ananas", "bandana", "nabob"], signs("++-+"), Spectrum(2), Q(1)),
}
ON_FLOATS = {
    "plane, Gaussian": Problem(ON_PLANE, SIGNS, Gaussian(0.5), 10.0),
    "plane, Gaussian, no offset": Problem(ON_PLANE, SIGNS, Gaussian(0.5), 10.0, bias=False),
    "plane, Gaussian, moved": Problem(
        [[v + 0.1 for v in x] for x in ON_PLANE], SIGNS, Gaussian(0.3), 0.7
    ),
    "plane, Sigmoid": Problem(ON_PLANE, SIGNS, Sigmoid(1.0, -1.0), 1.0),
}
SMALL = Q(1, 2**20)
SADDLE = Problem(rows((0, 2), (2, 0)), signs("-+"), Precomputed(), Q(3))
FREE_SADDLE = Problem(rows((-1, 0), (0, 1)), signs("-+"), Precomputed(), Q(3), bias=False)
TWINS = Problem(rows((1, 1), (1, 1)), signs("+-"), C=inf)
ZERO = Problem(rows((0, 0), (1, 1)), signs("+-"), C=inf, bias=False)
WITH_OFFSET = ("smo", "active_set", "projected_gradient")
START = [Q(v) for v in (1, 0, 0, "1/2", 1, 1)]


def solver_runs():
    """Every solver on every problem that it takes; then the ways in which a run can end."""
    for name, problem in {**PROBLEMS, **ON_FLOATS}.items():
        yield from solved(name, problem, "to a tolerance of 2^-20, 40 steps at most", 40)
    yield from solved("one step", PROBLEMS["plane"], "stopped after the first step", 1, "MaxIter")
    yield from solved("no step", PROBLEMS["plane"], "stopped before the first", 0, "MaxIter")
    yield from solved(
        "a saddle", SADDLE, "negative curvature: to the better end", 40, "Indefinite"
    )
    yield from solved(
        "a saddle, no offset", FREE_SADDLE, "negative curvature along one axis", 40, "Indefinite"
    )
    yield from solved("twins, hard", TWINS, "no curvature and no bound: at once", 40, "Infeasible")
    yield from solved(
        "zero, hard, no offset", ZERO, "a row of zeros has no margin", 40, "Infeasible"
    )
    for name, problem in {
        "forty drawn": Problem(*drawn(40, 3, 1), Gaussian(0.5), 10.0),
        "forty drawn, squared": Problem(*drawn(40, 3, 2), Gaussian(2.0), slack="squared"),
        "forty drawn, no offset": Problem(*drawn(40, 3, 4), Gaussian(2.0), 100.0, bias=False),
        "forty drawn, indefinite": Problem(*drawn(40, 3, 5), Sigmoid(1.0, -1.0)),
    }.items():
        yield Run(
            f"smo: {name}",
            "smo",
            "large enough for faces that many enter and leave (12.7)",
            {"problem": problem, "tol": SMALL, "max_iter": 400},
        )
    for solver in WITH_OFFSET:
        yield Run(
            f"{solver}: from a start",
            solver,
            "too much comes off the heavier class",
            {"problem": PROBLEMS["six"], "tol": SMALL, "max_iter": 40, "start": START},
        )
        yield Run(
            f"{solver}: a wide tolerance",
            solver,
            "stops before the optimum",
            {"problem": PROBLEMS["plane"], "tol": Q(1, 2), "max_iter": 40},
        )


def drawn(n, d, seed):
    """n rows of doubles from -2 to 2, and labels that a parabola and some chance decide."""
    words = splitmix64(seed)
    X = [[(next(words) >> 11) * 2.0**-53 * 4 - 2 for _ in range(d)] for _ in range(n)]
    return X, [1 if x[0] * x[0] + x[1] > (next(words) >> 11) * 2.0**-53 * 2 else -1 for x in X]


def solved(name, problem, comment, most, *flags):
    """The solvers that take the problem, with so many steps at most."""
    solvers = WITH_OFFSET if problem.bias else (*WITH_OFFSET, "coordinate_ascent")
    for solver in solvers:
        given = {"problem": problem, "tol": SMALL, "max_iter": most}
        yield Run(f"{solver}: {name}", solver, comment, given, flags)


def condition_runs():
    """The conditions of optimality at multipliers that are good, bad and impossible."""
    guesses = {
        "optimal": [0, "5/9", 1, 1, "5/9", 0],
        "zero": [0] * 6,
        "all at C": [1] * 6,
        "half": ["1/2"] * 6,
        "unbalanced": [1, 0, 0, 0, "1/4", 0],
        "below and above": ["-1/2", 0, 2, 0, 0, "3/2"],
    }
    for name in ("six", "six, no offset", "six, squared", "six, hard", "far away"):
        problem = PROBLEMS[name]
        for guess, alpha in guesses.items():
            for b in (None, Q(-5, 2)) if problem.bias else (None, Q(0)):
                yield Run(
                    f"{name}: {guess}, b {b}",
                    "kkt",
                    "b is null: half way from m to M",
                    {"problem": problem, "alpha": [Q(v) for v in alpha], "b": b},
                )


def learner_runs():
    """Pegasos, the perceptron and LMS, plain and with kernels."""
    for name, X, y in (
        ("six", SIX, MIXED),
        ("corners", CORNERS, signs("++---")),
        ("plane", PLANE, SIGNS),
    ):
        n = len(X)
        orders = {
            "passes": list(passes(n, 3)),
            "shuffled": list(shuffled_passes(n, 3, 7)),
            "uniform": list(uniform(n, 12, 7)),
        }
        for order, picked in orders.items():
            yield from classifier_runs(f"{name}, {order}", X, y, picked)
    for name, rate in (("small rate", Q(1, 8)), ("large rate", Q(1))):
        yield from regression_runs(name, rate)


def classifier_runs(name, X, y, picked):
    """The learners of two classes, on the examples picked."""
    data = {"X": X, "y": y, "picks": picked}
    for lam in (Q(1, 4), Q(1)):
        yield Run(
            f"pegasos: {name}, lam {lam}",
            "pegasos",
            "w, average, every iterate",
            {**data, "lam": lam},
        )
        yield Run(
            f"kernel_pegasos: {name}, lam {lam}",
            "kernel_pegasos",
            "counts, not weights",
            {"kernel": Linear(), **data, "lam": lam},
        )
    yield Run(f"perceptron: {name}", "perceptron", "w and its mistakes", data)
    for kernel in (Linear(), Polynomial(2, coef0=1)):
        yield Run(
            f"kernel_perceptron: {name}, {kernel!r}",
            "kernel_perceptron",
            "mistakes alone",
            {"kernel": kernel, **data},
        )
    floats = {"X": [list(map(float, x)) for x in X], "y": y, "picks": picked}
    yield Run(
        f"kernel_pegasos: {name}, Gaussian",
        "kernel_pegasos",
        "on doubles only",
        {"kernel": Gaussian(0.5), **floats, "lam": 0.25},
    )


def regression_runs(name, rate):
    """Least mean squares: all errors at once, and one at a time."""
    data = {"X": SQUARE, "y": TARGETS, "rate": rate}
    picked = [0, 1, 2, 3, 3, 1, 0, 2]
    yield Run(f"lms: {name}", "lms", "all errors at once", {**data, "steps": 6})
    yield Run(
        f"stochastic_lms: {name}",
        "stochastic_lms",
        "one error at a time",
        {**data, "picks": picked},
    )
    for kernel in (Linear(), Polynomial(2)):
        yield Run(
            f"kernel_lms: {name}, {kernel!r}",
            "kernel_lms",
            "coefficients, not weights",
            {"kernel": kernel, **data, "steps": 6},
        )
        yield Run(
            f"stochastic_kernel_lms: {name}, {kernel!r}",
            "stochastic_kernel_lms",
            "one coefficient at a time",
            {"kernel": kernel, **data, "picks": picked},
        )


VOTES = [
    Run(
        "votes: in a circle",
        "votes",
        "E1 at (0, 1): one vote each, and the first class wins",
        {"decisions": [Q(1, 2), Q(-9, 17), Q(21, 11)], "k": 3},
        ("VoteCycle",),
    ),
    Run(
        "votes: in the other circle",
        "votes",
        "the same circle the other way round",
        {"decisions": [Q(-1, 2), Q(9, 17), Q(-21, 11)], "k": 3},
        ("VoteCycle",),
    ),
    Run(
        "votes: zero",
        "votes",
        "a decision of 0 is a vote for the later class",
        {"decisions": [Q(0), Q(0), Q(0)], "k": 3},
        ("TiedPrediction",),
    ),
    Run(
        "votes: clear",
        "votes",
        "one class has all its votes",
        {"decisions": [Q(-2), Q(1), Q(3), Q(1), Q(5, 2), Q(-1)], "k": 4},
    ),
    Run("votes: two classes", "votes", "one pair", {"decisions": [Q(3, 8)], "k": 2}),
]
SOLVERS = list(solver_runs())
CONDITIONS = list(condition_runs())
LEARNERS = [*learner_runs(), *VOTES]
