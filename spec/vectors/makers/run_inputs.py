"""What the runs are given: arithmetic at its corners, and every algorithm, step by step.

The runs of arithmetic (exp, tanh, powers, the generator, kernels) stand at the places where
implementations differ: ties of the rounding, subnormal numbers, the last number that does not
overflow, both zeros, 0^0, a draw that is rejected, 2^64.

The problems of the algorithms are small, and chosen for the branches that they take: multipliers
that stop at 0 and at C, pairs without curvature, negative curvature, a hard margin and none, a
start, no step at all. The examples to look at are given.

Of probabilities: labels that decisions separate, overlap or contradict; equal decisions; an
outlier; units of every size; one example of a class among many. Pairs that agree, that form a
cycle, that are certain.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction as Q
from itertools import combinations
from math import inf
from typing import Any

from refsvm.kernels.standard import Gaussian, Linear, MonomialSum, Polynomial, Precomputed, Sigmoid
from refsvm.kernels.strings import Spectrum
from refsvm.numerics.picks import passes, shuffled_passes, splitmix64, uniform
from refsvm.svm.problem import Problem

from .function_runs import Run
from .small_data import C25_X, C25_Y, XOR, column, rows, signs

# fmt: off
fromhex = float.fromhex
LN2 = fromhex("0x1.62e42fefa39efp-1")
EXPONENTS = [
    0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 0.41, LN2, -LN2, LN2 / 2, -LN2 / 2, 1.5 * LN2, 10.0, -10.0,
    -36.0, 88.7, -103.9, 700.0, -700.0, -708.0, -708.5, -720.25, -740.0, -744.9, -745.0, 709.0,
    709.7, 2.0**-53, -(2.0**-53), 2.0**-54, 2.0**-1074, -(2.0**-1074), 1e-300, 1e300, -1e300,
    fromhex("0x1.62e42fefa39efp+9"), fromhex("0x1.62e42fefa39f0p+9"),
    fromhex("-0x1.74910d52d3051p+9"), fromhex("-0x1.74910d52d3052p+9"), 709.782712893384, 710.0,
    711.0, -746.0, -747.0, inf, -inf, float("nan"),
]
ANGLES = [
    0.0, -0.0, 0.125, -0.125, 0.17, 0.5, -0.5, 1.0, -1.0, 3.0, 10.0, 18.0, 19.0, 20.0, 21.9, 22.0,
    22.1, -30.0, 1000.0, 2.0**-28, 2.0**-600, 2.0**-1074, -(2.0**-1074), LN2 / 4,
    LN2 / 4 + 2.0**-54, inf, -inf, float("nan"),
]
POWERS: list[tuple[Any, int]] = [
    (0, 0), (0, 1), (0, 5), (1, 100), (-1, 7), (2, 10), (-2, 3), ("3/2", 3), ("-1/2", 4), (3, 40),
    ("5/4", 13), ("1/8", 2), (2, 1023), ("1/2", 1074), ("4503599627370497/4503599627370496", 7),
]
SEEDS = ("0", "1", "1234567", "18446744073709551615", "6457827717110365317")


def _runs_of_doubles(function: str, values: list[float]) -> Iterator[Run]:
    """Yield a run for each value."""
    for k, x in enumerate(values, 1):
        yield Run(f"{function} {k}", function, f"{function}({x!r})", {"x": x})


def _draw_runs() -> Iterator[Run]:
    """Yield runs of draws, and of the orders that are made of them."""
    for seed in SEEDS:
        yield Run(f"words from {seed}", "words", "SplitMix64", {"seed": seed, "count": 8})
        yield Run(f"units from {seed}", "units", "the highest 53 bits times 2^-53",
                  {"seed": seed, "count": 8})
    for n in ("1", "2", "3", "5", "6", "8", "9", "1000", "4294967297", "18446744073709551616"):
        yield Run(f"draws below {n}", "below", "from the highest bits, others rejected",
                  {"n": n, "seed": "7", "count": 12})
    for n in (1, 2, 3, 6, 17):
        yield Run(f"shuffle of {n}", "shuffle", "Fisher and Yates, from the last place",
                  {"n": n, "seed": "7"})
    yield Run("passes", "passes", "0 to n - 1, over and over", {"n": 3, "times": 2})
    yield Run("no passes", "passes", "none at all", {"n": 3, "times": 0})
    yield Run("shuffled passes", "shuffled_passes", "one generator for all passes",
              {"n": 5, "times": 3, "seed": "7"})
    yield Run("uniform", "uniform", "with replacement", {"n": 6, "steps": 20, "seed": "7"})
    for n, k in ((7, 3), (6, 6), (10, 2)):
        yield Run(f"folds {n} {k}", "folds", "parts of a shuffle, each in order",
                  {"n": n, "k": k, "seed": "7"})


ARITHMETIC_RUNS = [
    *_runs_of_doubles("exp", EXPONENTS),
    *_runs_of_doubles("tanh", ANGLES),
    *(
        Run(f"power {k}", "power", f"({b})^{n}", {"b": Q(b), "n": n})
        for k, (b, n) in enumerate(POWERS, 1)
    ),
    *_draw_runs(),
]

RUN_KERNELS = [
    Linear(), Polynomial(0), Polynomial(1), Polynomial(2), Polynomial(3, Q(1, 2), -1),
    Polynomial(2, 1, 1), Polynomial(7, Q(1, 4), Q(3, 8)), MonomialSum(0), MonomialSum(1),
    MonomialSum(2), MonomialSum(5), Gaussian(0.5), Gaussian(1.0), Gaussian(0.1),
    Gaussian(2.0**-40), Sigmoid(1.0, 0.0), Sigmoid(0.25, -1.0), Sigmoid(-0.5, 0.5),
    Linear() + Polynomial(2), Linear() * Polynomial(2, 1, 1), 3 * Linear(),
    Linear() + Gaussian(0.5), 0.25 * Sigmoid(1.0, 0.0) + Linear(),
]
NUMBER_PAIRS: list[Any] = [
    ((0, 0), (0, 0)), ((1, 2), (3, 4)), ((1, -2), (3, "1/4")), ((-1, 1), (-1, 1)),
    (("1/8", 3), (-5, "7/2")), ((2**20, 1), (2**20, 2)), ((0, 5), (3, 0)),
    ((Q(0.1), Q(0.2)), (Q(0.3), Q(0.7))),
]
STRING_PAIRS = [
    ("banana", "ananas"), ("aaaa", "aaa"), ("a", "a"), ("", "abc"), ("abab", "baba"),
    ("the same", "the same"), ("abc", "xyz"),
]


def _kernel_runs() -> Iterator[Run]:
    """Yield runs of every kernel on every pair of rows; of strings on pairs of words."""
    for k, kernel in enumerate(RUN_KERNELS, 1):
        for place, (x, z) in enumerate(NUMBER_PAIRS, 1):
            given = {"kernel": kernel, "x": list(map(Q, x)), "z": list(map(Q, z))}
            yield Run(f"kernel {k} on pair {place}", "kernel", repr(kernel), given, ("Kernel",))
    for length in (1, 2, 3):
        for place, (x, z) in enumerate(STRING_PAIRS, 1):
            given = {"kernel": Spectrum(length), "x": x, "z": z}
            yield Run(f"substrings of {length} in pair {place}", "kernel",
                      "pairs of equal substrings", given, ("Kernel", "Strings"))


KERNEL_RUNS = list(_kernel_runs())


# ---- algorithms

QUARTERS_X = rows(("1/2", "5/4"), ("-3/4", "1/2"), (1, "-1/4"), ("-1/2", -1), ("1/4", "1/4"))
QUARTERS_FLOATS = [list(map(float, x)) for x in QUARTERS_X]
QUARTERS_Y = signs("+-+--")
CORNERS_X, CORNERS_Y = rows((2, 1), (1, 2), (-1, 1), (-2, -1), (1, -2)), signs("++---")
REGRESSION_X = rows((1, 0), (0, 1), (1, 1), (1, -1))
REGRESSION_Y = [Q(v) for v in (2, 4, "1/2", -1)]

PROBLEMS = {
    "six": Problem(C25_X, C25_Y),
    "six, C of 8": Problem(C25_X, C25_Y, C=Q(8)),
    "six, hard": Problem(column(0, 1, 2, 5, 6, 9), signs("---+++"), C=inf),
    "six, impossible": Problem(C25_X, C25_Y, C=inf),
    "six, no offset": Problem(C25_X, C25_Y, bias=False),
    "six, squared": Problem(C25_X, C25_Y, C=Q(2), slack="squared"),
    "six, weighted": Problem(C25_X, C25_Y, C=[Q(v) for v in (1, 2, "1/2", 4, 1, 1)]),
    "far away": Problem([[x[0] + 2**20] for x in C25_X], C25_Y),
    "opposite twins": Problem(rows((1, 1), (1, 1), (0, 0), (2, 3)), signs("+--+"), C=Q(5)),
    "exclusive or": Problem(XOR, signs("--++"), Polynomial(2, coef0=Q(1)), Q(8)),
    "plane": Problem(QUARTERS_X, QUARTERS_Y, C=Q(2)),
    "plane, no offset": Problem(QUARTERS_X, QUARTERS_Y, C=Q(2), bias=False),
    "plane, squared, no offset":
        Problem(QUARTERS_X, QUARTERS_Y, C=Q(2), bias=False, slack="squared"),
    "plane, polynomial": Problem(QUARTERS_X, QUARTERS_Y, Polynomial(3, Q(1, 2), 1), Q(10)),
    "matrix": Problem(rows((2, 1, 0), (1, 2, 1), (0, 1, 2)), signs("+-+"), Precomputed(), Q(1)),
    "words": Problem(["banana", "ananas", "bandana", "nabob"], signs("++-+"), Spectrum(2), Q(1)),
}
ON_FLOATS = {
    "plane, Gaussian": Problem(QUARTERS_FLOATS, QUARTERS_Y, Gaussian(0.5), 10.0),
    "plane, Gaussian, no offset":
        Problem(QUARTERS_FLOATS, QUARTERS_Y, Gaussian(0.5), 10.0, bias=False),
    "plane, Gaussian, moved": Problem(
        [[v + 0.1 for v in x] for x in QUARTERS_FLOATS], QUARTERS_Y, Gaussian(0.3), 0.7
    ),
    "plane, Sigmoid": Problem(QUARTERS_FLOATS, QUARTERS_Y, Sigmoid(1.0, -1.0), 1.0),
}
RUN_TOL = Q(1, 2**20)
SADDLE = Problem(rows((0, 2), (2, 0)), signs("-+"), Precomputed(), Q(3))
FREE_SADDLE = Problem(rows((-1, 0), (0, 1)), signs("-+"), Precomputed(), Q(3), bias=False)
TWINS = Problem(rows((1, 1), (1, 1)), signs("+-"), C=inf)
ZERO = Problem(rows((0, 0), (1, 1)), signs("+-"), C=inf, bias=False)
WITH_OFFSET = ("smo", "active_set", "projected_gradient")
START_ALPHA = [Q(v) for v in (1, 0, 0, "1/2", 1, 1)]


def _solver_runs() -> Iterator[Run]:
    """Yield runs of every solver on every problem that it takes; then of ways to end."""
    for name, problem in {**PROBLEMS, **ON_FLOATS}.items():
        yield from _runs_on(name, problem, "to a tolerance of 2^-20, 40 steps at most", 40)
    yield from _runs_on("one step", PROBLEMS["plane"], "stopped after the first step", 1,
                       "MaxIter")
    yield from _runs_on("no step", PROBLEMS["plane"], "stopped before the first", 0, "MaxIter")
    yield from _runs_on("a saddle", SADDLE, "negative curvature: to the better end", 40,
                       "Indefinite")
    yield from _runs_on("a saddle, no offset", FREE_SADDLE, "negative curvature along one axis",
                        40, "Indefinite")
    yield from _runs_on("twins, hard", TWINS, "no curvature and no bound: at once", 40,
                       "Infeasible")
    yield from _runs_on("zero, hard, no offset", ZERO, "a row of zeros has no margin", 40,
                       "Infeasible")
    for name, problem in {
        "forty drawn": Problem(*drawn_data(40, 3, 1), Gaussian(0.5), 10.0),
        "forty drawn, squared": Problem(*drawn_data(40, 3, 2), Gaussian(2.0), slack="squared"),
        "forty drawn, no offset": Problem(
            *drawn_data(40, 3, 4), Gaussian(2.0), 100.0, bias=False
        ),
        "forty drawn, indefinite": Problem(*drawn_data(40, 3, 5), Sigmoid(1.0, -1.0)),
    }.items():
        yield Run(f"smo: {name}", "smo", "large enough for faces that many enter and leave (12.7)",
                  {"problem": problem, "tol": RUN_TOL, "max_iter": 400})
    for solver in WITH_OFFSET:
        yield Run(f"{solver}: from a start", solver, "too much comes off the heavier class",
                  {"problem": PROBLEMS["six"], "tol": RUN_TOL, "max_iter": 40,
                   "start": START_ALPHA})
        yield Run(f"{solver}: a wide tolerance", solver, "stops before the optimum",
                  {"problem": PROBLEMS["plane"], "tol": Q(1, 2), "max_iter": 40})


def drawn_data(n: int, d: int, seed: int) -> tuple[list[list[float]], list[int]]:
    """Return n rows of doubles from -2 to 2, and labels that a parabola and some chance decide."""
    words = splitmix64(seed)
    X = [[(next(words) >> 11) * 2.0**-53 * 4 - 2 for _ in range(d)] for _ in range(n)]
    return X, [1 if x[0] * x[0] + x[1] > (next(words) >> 11) * 2.0**-53 * 2 else -1 for x in X]


def _runs_on(
    name: str, problem: Problem, comment: str, max_iter: int, *flags: str
) -> Iterator[Run]:
    """Yield a run of each solver that takes the problem."""
    solvers = WITH_OFFSET if problem.bias else (*WITH_OFFSET, "coordinate_ascent")
    for solver in solvers:
        given = {"problem": problem, "tol": RUN_TOL, "max_iter": max_iter}
        yield Run(f"{solver}: {name}", solver, comment, given, flags)


def _condition_runs() -> Iterator[Run]:
    """Yield runs of kkt at multipliers that are optimal, wrong and impossible."""
    guesses: dict[str, list[Any]] = {
        "optimal": [0, "5/9", 1, 1, "5/9", 0],
        "zero": [0] * 6,
        "all at C": [1] * 6,
        "half": ["1/2"] * 6,
        "unbalanced": [1, 0, 0, 0, "1/4", 0],
        "below and above": ["-1/2", 0, 2, 0, 0, "3/2"],
        "far above": [3, 0, 9, 6, 0, 0],
    }
    for name in ("six", "six, no offset", "six, squared", "six, hard", "far away"):
        problem = PROBLEMS[name]
        for guess, alpha in guesses.items():
            for b in (None, Q(-5, 2)) if problem.bias else (None, Q(0)):
                yield Run(f"{name}: {guess}, b {b}", "kkt", "b is null: half way from m to M",
                          {"problem": problem, "alpha": [Q(v) for v in alpha], "b": b})
    for name in ("six", "six, no offset", "six, squared", "far away"):
        problem = PROBLEMS[name]
        for guess, alpha in guesses.items():
            for b in (None, Q(-5, 2)) if problem.bias else (None, Q(0)):
                yield Run(f"gap_bounds: {name}: {guess}, b {b}", "gap_bounds",
                          "b is null: the best for this w; alpha need not be feasible",
                          {"problem": problem, "alpha": [Q(v) for v in alpha], "b": b})


def _learner_runs() -> Iterator[Run]:
    """Yield runs of Pegasos, the perceptron and LMS, plain and with kernels."""
    for name, X, y in (
        ("six", C25_X, C25_Y),
        ("corners", CORNERS_X, CORNERS_Y),
        ("plane", QUARTERS_X, QUARTERS_Y),
    ):
        n = len(X)
        orders = {
            "passes": list(passes(n, 3)),
            "shuffled": list(shuffled_passes(n, 3, 7)),
            "uniform": list(uniform(n, 12, 7)),
        }
        for order, picked in orders.items():
            yield from _classifier_runs(f"{name}, {order}", X, y, picked)
    for name, rate in (("small rate", Q(1, 8)), ("large rate", Q(1))):
        yield from _regression_runs(name, rate)


def _classifier_runs(name: str, X: list[Any], y: list[int], picked: list[int]) -> Iterator[Run]:
    """Yield runs of the learners of two classes, on the examples picked."""
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


def _regression_runs(name: str, rate: Q) -> Iterator[Run]:
    """Yield runs of least mean squares: all errors at once, and one at a time."""
    data = {"X": REGRESSION_X, "y": REGRESSION_Y, "rate": rate}
    picked = [0, 1, 2, 3, 3, 1, 0, 2]
    yield Run(f"lms: {name}", "lms", "all errors at once", {**data, "steps": 6})
    yield Run(f"stochastic_lms: {name}", "stochastic_lms", "one error at a time",
              {**data, "picks": picked})
    for kernel in (Linear(), Polynomial(2)):
        yield Run(f"kernel_lms: {name}, {kernel!r}", "kernel_lms", "coefficients, not weights",
                  {"kernel": kernel, **data, "steps": 6})
        yield Run(f"stochastic_kernel_lms: {name}, {kernel!r}", "stochastic_kernel_lms",
                  "one coefficient at a time", {"kernel": kernel, **data, "picks": picked})


VOTE_RUNS = [
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
SOLVER_RUNS = list(_solver_runs())
CONDITION_RUNS = list(_condition_runs())
LEARNER_RUNS = [*_learner_runs(), *VOTE_RUNS]


# ---- probabilities

SEVEN = [-2.5, -1.0, -0.25, 0.5, 0.75, 1.5, 3.0]
MIXED = [-1, -1, 1, -1, 1, 1, 1]
APART = [-1.0, -1e-6, 1e-6, 1.0]
SAMPLES: list[tuple[str, list[float], list[int]]] = [
    ("labels overlap", SEVEN, MIXED),
    ("the labels and signs of all are the other ones", [-v for v in SEVEN], [-v for v in MIXED]),
    ("decisions times 2^-900", [v * 2.0**-900 for v in SEVEN], MIXED),
    ("decisions times 2^900", [v * 2.0**900 for v in SEVEN], MIXED),
    ("decisions speak for the other label", SEVEN, [-v for v in MIXED]),
    ("a threshold separates the labels", APART, [-1, -1, 1, 1]),
    ("two decisions", [3.0, 5.0], [-1, 1]),
    ("equal decisions: A is 0", [0.1] * 5, [1, 1, 1, -1, 1]),
    ("an outlier on the wrong side", [*SEVEN, 1e9], [*MIXED, -1]),
    ("an outlier that squares to infinity", [*SEVEN, -1e300], [*MIXED, 1]),
    ("far from zero", [v + 2.0**30 for v in SEVEN], MIXED),
    ("one among many", [0.0] * 30 + [1.0], [-1] * 30 + [1]),
]
SIGMOIDS = [(-2.0, 0.5), (1.5, -0.25), (0.0, 1.0), (-1e300, 1e300)]
ARGUMENTS = [0.0, 1.0, -1.0, 20.0, -20.0, 400.0, -400.0, 1e300]
TRIPLES: list[tuple[str, Any]] = [
    ("no two pairs agree", ("3/4", "2/3", "1/2")),
    ("all pairs agree", ("3/5", "3/4", "2/3")),
    ("a cycle", ("3/4", "1/4", "3/4")),
    ("a cycle of certainties", (1, 0, 1)),
    ("one class is certain", (1, 1, "1/2")),
    ("rounding would be below zero", (1, "4/5", 0)),
    ("as LIBSVM bounds a pair", (Q(1e-7), 1 - Q(1e-7), "1/2")),
]
RESIDUALS: list[tuple[str, list[Any]]] = [
    ("a mean of sizes", [1, -3, 2]),
    ("the eighth is an outlier", [1, -1, 1, 1, -1, 1, 1, 1000]),
    ("the seventh is none", [1, -1, 1, 1, -1, 1, 1000]),
    ("all are zero", [0, 0, 0]),
    ("squares beyond the doubles", [Q(2)**1000, -Q(2)**1001]),
]


def _drawn_decisions(n: int, seed: int) -> tuple[list[float], list[int]]:
    """Return n decisions between -2 and 2, and labels that they speak for most of the time."""
    bits = splitmix64(seed)
    units = [(next(bits) >> 11) * 2.0**-53 for _ in range(2 * n)]
    f = [4 * u - 2 for u in units[:n]]
    return f, [1 if v + 2 * u > 1 else -1 for v, u in zip(f, units[n:])]


def _matrix_of(k: int, upper: Any) -> list[list[Q]]:
    """Return R with these numbers above its diagonal, row by row."""
    R = [[Q(0)] * k for _ in range(k)]
    for value, (i, j) in zip(map(Q, upper), combinations(range(k), 2)):
        R[i][j], R[j][i] = value, 1 - value
    return R


def _probability_runs() -> Iterator[Run]:
    """Yield the runs of every function in turn."""
    samples = [*SAMPLES, *((f"{n} drawn", *_drawn_decisions(n, seed=n)) for n in (20, 50))]
    for k, (comment, f, y) in enumerate(samples, 1):
        yield Run(f"calibration {k}", "calibrate", comment, {"decisions": f, "y": y})
    for k, (A, B) in enumerate(SIGMOIDS, 1):
        yield Run(f"sigmoid {k}", "sigmoid", f"1 / (1 + e^({A} f + {B}))",
                  {"A": A, "B": B, "decisions": ARGUMENTS})
    yield Run("two classes", "couple", "R itself", {"R": _matrix_of(2, ["3/8"])})
    for k, (comment, upper) in enumerate(TRIPLES, 1):
        yield Run(f"three classes {k}", "couple", comment, {"R": _matrix_of(3, upper)})
    for k in (4, 6):
        bits = splitmix64(k)
        upper = [Q(next(bits) >> 58, 64) for _ in range(k * (k - 1) // 2)]
        yield Run(f"{k} classes", "couple", "drawn", {"R": _matrix_of(k, upper)})
    for k, f in enumerate(([0.0] * 3, [1.5, -0.25, 2.0], [900.0, 900.0, -900.0]), 1):
        sigmoids = {"A": [-2.0, -1.0, -1.5], "B": [0.5, -0.25, 0.0]}
        yield Run(f"classes {k}", "class_probabilities", "each pair from 1e-7 to 1 - 1e-7",
                  {"decisions": f, **sigmoids, "k": 3})
    for k, (comment, r) in enumerate(RESIDUALS, 1):
        yield Run(f"residuals {k}", "laplace_scale", comment, {"residuals": list(map(Q, r))})


PROBABILITY_RUNS = list(_probability_runs())
