"""Runs of every algorithm, with the examples to look at given: step by step, to the last bit.

The problems are small, and chosen so that every branch of a step is taken: multipliers that stop
at 0 and at C, pairs without curvature, examples set aside and taken back, a hard margin and none.
"""

from fractions import Fraction as Q
from math import inf

from ..kernels import Gaussian, Linear, Polynomial, Precomputed, Sigmoid
from ..picks import passes, shuffled_passes, uniform
from ..problem import Problem
from ..strings import Spectrum
from .entries import column, rows, signs
from .runs import Run

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
SADDLE = Problem(rows((0, 2), (2, 0)), signs("-+"), Precomputed(), Q(3))
SMALL = Q(1, 2**20)


def solver_runs():
    """Every solver on every problem that it takes."""
    for name, problem in {**PROBLEMS, **ON_FLOATS}.items():
        for solver in ("smo", "active_set", "projected_gradient", "coordinate_ascent"):
            if solver == "coordinate_ascent" and problem.bias:
                continue
            given = {"problem": problem, "tol": SMALL, "max_iter": 40}
            yield Run(f"{solver}: {name}", solver, "to a tolerance of 2^-20, 40 steps at most",
                      given)
    six = PROBLEMS["six"]
    yield Run("smo: from a start", "smo", "what is too much comes off the heavier class",
              {"problem": six, "tol": SMALL, "max_iter": 40,
               "start": [Q(v) for v in (1, 0, 0, "1/2", 1, 1)]})
    yield Run("smo: no step", "smo", "stopped before the first step",
              {"problem": six, "tol": SMALL, "max_iter": 0}, ("MaxIter",))
    yield Run("smo: one step", "smo", "stopped after the first step",
              {"problem": six, "tol": SMALL, "max_iter": 1}, ("MaxIter",))
    yield Run("smo: a wide tolerance", "smo", "stops before the optimum",
              {"problem": PROBLEMS["plane"], "tol": Q(1, 2), "max_iter": 40})
    yield Run("smo: a saddle", "smo", "negative curvature: to the better end",
              {"problem": SADDLE, "tol": SMALL, "max_iter": 40}, ("Indefinite",))


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
                yield Run(f"{name}: {guess}, b {b}", "kkt", "b is null: half way from m to M",
                          {"problem": problem, "alpha": [Q(v) for v in alpha], "b": b})


def learner_runs():
    """Pegasos, the perceptron and LMS, plain and with kernels."""
    for name, X, y in (("six", SIX, MIXED), ("corners", CORNERS, signs("++---")),
                       ("plane", PLANE, SIGNS)):
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
        yield Run(f"pegasos: {name}, lam {lam}", "pegasos", "w, average, every iterate",
                  {**data, "lam": lam})
        yield Run(f"kernel_pegasos: {name}, lam {lam}", "kernel_pegasos", "counts, not weights",
                  {"kernel": Linear(), **data, "lam": lam})
    yield Run(f"perceptron: {name}", "perceptron", "w and its mistakes", data)
    for kernel in (Linear(), Polynomial(2, coef0=1)):
        yield Run(f"kernel_perceptron: {name}, {kernel!r}", "kernel_perceptron", "mistakes alone",
                  {"kernel": kernel, **data})
    floats = {"X": [list(map(float, x)) for x in X], "y": y, "picks": picked}
    yield Run(f"kernel_pegasos: {name}, Gaussian", "kernel_pegasos", "on doubles only",
              {"kernel": Gaussian(0.5), **floats, "lam": 0.25})


def regression_runs(name, rate):
    """Least mean squares: all errors at once, and one at a time."""
    data = {"X": SQUARE, "y": TARGETS, "rate": rate}
    picked = [0, 1, 2, 3, 3, 1, 0, 2]
    yield Run(f"lms: {name}", "lms", "all errors at once", {**data, "steps": 6})
    yield Run(f"stochastic_lms: {name}", "stochastic_lms", "one error at a time",
              {**data, "picks": picked})
    for kernel in (Linear(), Polynomial(2)):
        yield Run(f"kernel_lms: {name}, {kernel!r}", "kernel_lms", "coefficients, not weights",
                  {"kernel": kernel, **data, "steps": 6})
        yield Run(f"stochastic_kernel_lms: {name}, {kernel!r}", "stochastic_kernel_lms",
                  "one coefficient at a time", {"kernel": kernel, **data, "picks": picked})


VOTES = [
    Run("votes: in a circle", "votes", "E1 at (0, 1): one vote each, and the first class wins",
        {"decisions": [Q(1, 2), Q(-9, 17), Q(21, 11)], "k": 3}, ("VoteCycle",)),
    Run("votes: in the other circle", "votes", "the same circle the other way round",
        {"decisions": [Q(-1, 2), Q(9, 17), Q(-21, 11)], "k": 3}, ("VoteCycle",)),
    Run("votes: zero", "votes", "a decision of 0 is a vote for the later class",
        {"decisions": [Q(0), Q(0), Q(0)], "k": 3}, ("TiedPrediction",)),
    Run("votes: clear", "votes", "one class has all its votes",
        {"decisions": [Q(-2), Q(1), Q(3), Q(1), Q(5, 2), Q(-1)], "k": 4}),
    Run("votes: two classes", "votes", "one pair", {"decisions": [Q(3, 8)], "k": 2}),
]
SOLVERS = list(solver_runs())
CONDITIONS = list(condition_runs())
LEARNERS = [*learner_runs(), *VOTES]
