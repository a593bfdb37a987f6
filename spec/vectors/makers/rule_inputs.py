"""Runs that see a rule of the standard broken which no other run sees (tests/breaking_rules.py).

FOR_RULES has the numbers of questions of seed 1 (bits/drawing.py), of each function and machine;
LONG_FOR_RULES those whose answers are long, of which the digests are stated.
The others were made for one rule each: a score that is 0 in one order of addition and not in
another, a margin that is 1, numbers so large or small that their squares are no doubles.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import inf

from refsvm.kernels.standard import Gaussian, Linear, Polynomial, Precomputed
from refsvm.svm.ball_problem import BallProblem
from refsvm.svm.problem import Problem

from .function_runs import Run

# fmt: off
FOR_RULES: dict[str, list[int]] = {
    "smo:svc": [224, 419, 454, 620],
    "smo:nu": [1174, 1259],
    "smo:regression": [1464],
    "smo:one_class": [1042],
    "smo:ball": [463, 903],
    "decomposition:svc": [262, 420, 648],
    "decomposition:ball": [478],
    "coordinate_ascent": [321],
    "active_set": [98, 1176, 1337],
    "projected_gradient": [237, 364, 1302],
    "dual_coordinate_descent": [1132, 1368],
    "calibrate": [900],
    "couple": [344],
    "perceptron": [1209],
    "lms": [1253],
    "stochastic_lms": [512],
    "pegasos": [662],
}
# fmt: on
LONG_FOR_RULES = {"smo:nu": [685], "smo:one_class": [829], "decomposition:svc": [198]}
FEW_STEPS = {"tol": 1e-3, "max_iter": 60}
FOLDS = {"n": 11, "k": 4, "seed": "7"}
CERTAIN = [[0.0, 0.8, 1.0], [1 - 0.8, 0.0, 1.0], [0.0, 0.0, 0.0]]
CANCELLING = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.3, 0.1, 0.4]]
ONE_OF_MANY = [  # of which the last is the one: Newton's steps are too long
    -1.5, 1.2, 0.0, -18.3, -2.1, -1.0, -0.1, 2.1, 0.8, 30.2, -0.6, 0.3, -706.8, 0.8, 0.6, -0.5,
    0.4, 0.5, 4.0, -0.5, -0.6, 0.1, 2.4, -13.1, 59.2,
]  # fmt: skip
WITHOUT_END = [[1.25], [0.0], [0.75], [0.75], [-1.0], [-0.75]]
NEARLY = [[-1.2, 0.2], [0.5, 0.6], [0.0, -4.8], [-6.9, -0.4], [-0.6, 7.0], [0.7, 4.3]]
NO_INNER_PRODUCT = [[0.0, 2.0, 0.0, 0.0], [2.0, 0.0, 0.0, 0.0], *[[0.0, 0.0, 1.0, 1.0]] * 2]
TIED = [[0.0, 1.0, -6.0, 0.0], [1.0, 0.0, 0.0, 0.0], [-6.0, 0.0, 1.0, 30.0], [0.0, 0.0, 30.0, 1.0]]
THREE = [[1.0, 1.0, 0.0], [1.0, 1.0, 1.0], [0.0, 1.0, 1.0]]
BENT_TWICE = [
    [1.0, 1 + 2.0**-42, 0.0, 0.0],
    [1 + 2.0**-42, 1.0, 0.0, 0.0],
    [0.0, 0.0, 0.0, 1.0],
    [0.0, 0.0, 1.0, 0.0],
]
FAR_AWAY = [[2.0**25, 2.0**25, 0.0], [2.0**25, 2.0**25, 1.0]]
AXES = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
UNEQUAL = [[1e16, 0.1], [0.1, 0.3], [0.3, 1e9], [1.0, 0.7]]


def rule_runs(*functions: str) -> Iterator[Run]:
    """Yield the runs of these functions that were made for a rule."""
    yield from (run for run in _RUNS if run.function in functions)


_RUNS = [
    Run("tanh of 18.125", "tanh", "not yet 1", {"x": 18.125}),
    Run("folds 11 4", "folds", "parts of different lengths", FOLDS),
    Run(
        "kernel of gamma 2^-1040",
        "kernel",
        "rows whose product is no double",
        {
            "kernel": Polynomial(2, 2.0**-1040, 1.0),
            "x": [2.0**520, 3 * 2.0**519],
            "z": [5 * 2.0**518, 2.0**520],
        },
        exact=False,
    ),
    Run(
        "kernel of gamma 2^1020",
        "kernel",
        "rows whose distance, squared, is no double",
        {"kernel": Gaussian(2.0**1020), "x": [2.0**-540, 0.0], "z": [0.0, 2.0**-511]},
        exact=False,
    ),
    Run(
        "kernel of gamma 2^450",
        "kernel",
        "which is not extreme: the product of these rows is 0",
        {"kernel": Polynomial(1, 2.0**450), "x": [3 * 2.0**-540], "z": [5 * 2.0**-541]},
        exact=False,
    ),
    Run(
        "residuals near the largest double",
        "laplace_scale",
        "their sum is no double",
        {"residuals": [1.5e308, -1.25e308, 1e308]},
        exact=False,
    ),
    Run(
        "calibration: one of many",
        "calibrate",
        "some steps are taken in part",
        {"decisions": ONE_OF_MANY, "y": [-1] * 24 + [1]},
    ),
    Run(
        "three classes, one impossible",
        "couple",
        "rounding would be below zero",
        {"R": CERTAIN},
        exact=False,
    ),
    Run(
        "kernel_perceptron: a score of 0",
        "kernel_perceptron",
        "in the order of the examples",
        {"kernel": Linear(), "X": CANCELLING, "y": [1, 1, -1, -1], "picks": [0, 1, 2, 3]},
        exact=False,
    ),
    Run(
        "pegasos: a margin of 1",
        "pegasos",
        "where the sum is divided, and not w",
        {"X": [[3.8], [0.1 / 3.8], [0.0]], "y": [1, 1, -1], "lam": 0.1, "picks": [0, 1, 0]},
        exact=False,
    ),
    Run(
        "smo: columns of unequal sizes",
        "smo",
        "they are not shifted, as differences round",
        {"problem": Problem(UNEQUAL, [1, -1, 1, -1]), "tol": 2.0**-10, "max_iter": 20},
        exact=False,
    ),
    Run(
        "smo: a bound that is no sum",
        "smo",
        "both end on C, which no rounded sum is",
        {
            "problem": Problem([[-0.125], [0.125]], [-1, 1], C=1 + 2.0**-52),
            "start": [2.0**-53] * 2,
            "tol": 2.0**-10,
            "max_iter": 20,
        },
        exact=False,
    ),
    Run(
        "smo: a way without end",
        "smo",
        "it moves an example of finite C, so it proves nothing",
        {
            "problem": Problem(
                WITHOUT_END, [-1, 1, 1, 1, -1, 1], C=[*[inf] * 5, 1.0], slack="squared"
            ),
            "tol": 2.0**-10,
            "max_iter": 20,
        },
        exact=False,
    ),
    Run(
        "smo: twins beside a saddle",
        "smo",
        "nothing is infeasible where K is no matrix of inner products",
        {
            "problem": Problem(NO_INNER_PRODUCT, [-1, 1, 1, -1], Precomputed(), [3, 3, inf, inf]),
            "tol": 2.0**-10,
            "max_iter": 20,
        },
        exact=False,
    ),
    Run(
        "smo: a saddle after what may be rounding",
        "smo",
        "the most negative curvature counts, not the first",
        {"problem": Problem(BENT_TWICE, [1, -1, 1, -1], Precomputed(), 2.0), **FEW_STEPS},
        exact=False,
    ),
    Run(
        "smo: no inner products, hard",
        "smo",
        "the equations of two rows prove nothing: other multipliers have the margins 1, 3, 1",
        {"problem": Problem(THREE, [1, -1, 1], Precomputed(), inf), **FEW_STEPS},
        exact=False,
    ),
    Run(
        "smo: a ball far away",
        "smo",
        "the scores are exact, and |c|^2 is not",
        {"problem": BallProblem(FAR_AWAY, Polynomial(1)), **FEW_STEPS},
        exact=False,
    ),
    Run(
        "smo: a ball of long weights",
        "smo",
        "the scores are exact, and what a model computes is not",
        {"problem": BallProblem(AXES, Linear(), 1.0, [107374183 / 2**30, 1, 1]), **FEW_STEPS},
        exact=False,
    ),
    Run(
        "smo: a proof at the second look",
        "smo",
        "after six steps: neither after three nor later",
        {"problem": Problem([[0.3], [2.3], [0.4]], [1, 1, -1], C=inf), **FEW_STEPS},
        exact=False,
    ),
    Run(
        "smo: a proof that no look finds",
        "smo",
        "it would be there after nine steps, but looks are after three, six and twelve",
        {"problem": Problem([[2.0], [1.1], [2.3]], [1, -1, -1], C=inf), **FEW_STEPS},
        exact=False,
    ),
    Run(
        "smo: both ends of a saddle as good",
        "smo",
        "forward by 1 or backward by 3: the step adds 3 to the dual either way",
        {
            "problem": Problem(TIED, [1, -1, -1, 1], Precomputed(), [4.0, 4.0, 1.0, 1.0]),
            "start": [3.0, 3.0, 1.0, 1.0],
            **FEW_STEPS,
        },
        exact=False,
    ),
    Run(
        "smo: a proof that vanishes by its length",
        "smo",
        "the sum of its terms is a few roundings",
        {
            "problem": Problem(NEARLY, [-1, -1, 1, -1, 1, -1], C=inf),
            "tol": 1e-3,
            "max_iter": 60,
        },
        exact=False,
    ),
]
