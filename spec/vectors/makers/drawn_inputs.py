"""Runs that were drawn, and those whose digests are stated.

DRAWN has the numbers of questions of seed 1 (bits/drawing.py): for each function and machine the
smallest that together show every ending, kernel, sort of bound, start and tolerance, among them
"precision", tol = 0, no max_iter, decomposition of 20 rows and more, linear ones of more than six;
and a few in which conjugate gradients begin anew.

The digests are of sixty rows each: long runs, in which conjugate gradients end and begin anew; and
of drawn questions with long answers, each of which sees a rule broken.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import inf
from typing import Any

from refsvm.conformance.bits.drawing import question_of
from refsvm.conformance.bits.functions import arguments_of
from refsvm.kernels.standard import Gaussian, Linear, Polynomial, Sigmoid
from refsvm.numerics.picks import shuffled_passes
from refsvm.svm.ball_problem import BallProblem
from refsvm.svm.nu_problem import NuProblem
from refsvm.svm.one_class_problem import OneClassProblem
from refsvm.svm.problem import Problem
from refsvm.svm.regression_problem import NuRegressionProblem, RegressionProblem

from .function_runs import Run
from .rule_inputs import FOR_RULES, LONG_FOR_RULES
from .run_inputs import RUN_KERNELS, drawn_data

# fmt: off
DRAWN: dict[str, list[int]] = {
    "kkt": [
        4, 47, 68, 71, 122, 131, 153, 161, 172, 202, 215, 225, 331,
    ],
    "gap_bounds:svc": [
        4, 68, 78, 83, 131, 153, 172, 177, 202, 204, 215, 331,
    ],
    "gap_bounds:nu": [
        41, 47, 86, 104, 127, 156, 161, 177, 215, 298, 369,
    ],
    "gap_bounds:regression": [
        47, 86, 104, 119, 127, 172, 177, 215, 305, 331, 369,
    ],
    "gap_bounds:nu_regression": [
        41, 47, 86, 104, 119, 127, 161, 172, 177, 215, 369,
    ],
    "gap_bounds:one_class": [
        25, 29, 41, 86, 127, 131, 172, 177, 215, 298, 369,
    ],
    "gap_bounds:ball": [
        29, 41, 47, 86, 104, 127, 156, 177, 215, 298, 369,
    ],
    "smo:svc": [
        15, 59, 64, 70, 78, 113, 133, 163, 197, 198, 242, 270, 294, 329, 338, 344, 346, 354,
        372, 380, 397, 756,
    ],
    "smo:nu": [
        4, 10, 24, 35, 110, 158, 172, 173, 174, 182, 195, 197, 238, 242, 268, 311, 326, 331,
        352, 380, 897,
    ],
    "smo:regression": [
        24, 70, 120, 172, 182, 184, 218, 224, 231, 233, 242, 261, 303, 345, 380,
    ],
    "smo:nu_regression": [
        78, 113, 120, 159, 163, 169, 172, 173, 197, 242, 261, 294, 303, 334, 353,
    ],
    "smo:one_class": [
        10, 35, 74, 78, 132, 168, 172, 176, 182, 192, 195, 197, 222, 242, 291, 303, 311, 325,
        372,
    ],
    "smo:ball": [
        4, 10, 24, 73, 120, 158, 164, 169, 172, 182, 197, 216, 235, 242, 261, 354, 374, 665,
    ],
    "coordinate_ascent": [
        17, 78, 135, 182, 196, 197, 203, 242, 301, 334, 338, 339, 346, 350, 372, 397,
    ],
    "projected_gradient": [
        4, 5, 15, 60, 70, 119, 160, 163, 168, 176, 191, 197, 216, 230, 270, 295, 301, 346, 352,
        353, 372, 708,
    ],
    "active_set": [
        15, 120, 127, 163, 176, 182, 197, 203, 224, 230, 301, 303, 329, 339, 346, 354, 372, 382,
        383, 397,
    ],
    "decomposition:svc": [
        5, 8, 17, 42, 64, 163, 168, 173, 176, 182, 186, 202, 203, 216, 230, 242, 291, 294, 310,
        338, 344, 357, 372, 380, 437,
    ],
    "decomposition:nu": [
        83, 110, 130, 283, 299, 312, 396,
    ],
    "decomposition:regression": [
        120, 135, 138, 215, 303, 344,
    ],
    "decomposition:nu_regression": [
        83, 248, 294, 334, 344,
    ],
    "decomposition:one_class": [
        35, 168, 179, 238, 248, 299,
    ],
    "decomposition:ball": [
        168, 176, 223, 233, 299, 386,
    ],
    "dual_coordinate_descent": [
        27, 51, 66, 98, 159, 223, 243, 298, 311, 341, 363,
    ],
    "newton": [
        14, 162, 206, 214, 294,
    ],
    "proximal_point": [
        5, 20, 29, 136, 604, 613, 646,
    ],
    "pegasos": [
        158, 313,
    ],
    "kernel_pegasos": [
        5, 59, 61, 83, 104, 158, 275, 285, 313, 363,
    ],
    "kernel_perceptron": [
        5, 59, 61, 83, 104, 158, 275, 285, 313, 363,
    ],
    "lms": [
        162, 337,
    ],
    "kernel_lms": [
        5, 57, 77, 104, 151, 162, 187, 223, 363, 388,
    ],
    "stochastic_kernel_lms": [
        5, 104, 158, 178, 187, 227, 305, 313, 363,
    ],
}
# fmt: on


def drawn_runs(*functions: str) -> Iterator[Run]:
    """Yield the runs of these functions that were drawn."""
    for kind, numbers in (*DRAWN.items(), *FOR_RULES.items()):
        if kind.partition(":")[0] in functions:
            yield from _questions(kind, numbers)


def _questions(kind: str, numbers: list[int]) -> Iterator[Run]:
    """Yield the runs of drawn questions of a function, or of a function and machine."""
    function, _, machine = kind.partition(":")
    for number in numbers:
        question = question_of(f"{kind} 1 {number}/{number}")
        name = " ".join(filter(None, [f"{function}: drawn", machine, str(number)]))
        given = arguments_of(function, question["given"])
        yield Run(name, function, f"question {number} of seed 1", given, exact=False)


# ---- kernel values of many features

WIDTHS = (3, 5, 8, 17)
FAR_GAMMAS = (2.0**-501, 2.0**501, 5 * 2.0**-540)


def wide_kernel_runs() -> Iterator[Run]:
    """Yield runs of every kernel on rows of several features, of which none is exact."""
    for k, kernel in enumerate(RUN_KERNELS, 1):
        for d, more in product(WIDTHS, range(4 if isinstance(kernel, Linear) else 1)):
            (x, z), _ = drawn_data(2, d, 1000 * more + 100 * k + d)
            given = {"kernel": kernel, "x": x, "z": z}
            name = f"kernel {k} of {d} features" + (f", {more + 1}" if more else "")
            exact = d < 8 and not more  # fractions of many digits
            yield Run(name, "kernel", repr(kernel), given, ("Kernel",), exact=exact)
    for gamma in FAR_GAMMAS:
        for place, kernel in enumerate(
            (Gaussian(gamma), Polynomial(1, gamma, 0.1), Sigmoid(gamma, 0.1)), 1
        ):
            scale = 2.0**-250 if gamma > 1 else 2.0**250
            rows, _ = drawn_data(2, 5, place)
            x, z = ([scale * v for v in row] for row in rows)
            name = f"kernel {place} with gamma {gamma.hex()}"
            given = {"kernel": kernel, "x": x, "z": z}
            yield Run(name, "kernel", "beyond 2^500", given, ("Kernel",))


def power_runs() -> Iterator[Run]:
    """Yield powers of numbers that round."""
    for b in (1.1, -0.7, 1 + 2.0**-52, 0.999):
        for n in (3, 6, 7, 13, 45, 100, 1023):
            yield Run(
                f"power of {b!r}, {n}", "power", f"({b!r})^{n}", {"b": b, "n": n}, exact=False
            )


# ---- digests


def _run(name: str, problem: Any, function: str = "smo", **more: Any) -> Run:
    """Return a run whose digest is stated."""
    given = {"problem": problem, "tol": 1e-6, **more}
    return Run(f"{function}: {name}", function, "sixty rows, drawn", given)


def _classifiers() -> Iterator[tuple[str, Any]]:
    """Yield problems of classification of sixty rows."""
    yield "Gaussian", Problem(*drawn_data(60, 3, 1), Gaussian(0.5), C=10.0)
    squares = Polynomial(2, coef0=1.0)
    yield "polynomial, squared", Problem(*drawn_data(60, 3, 2), squares, C=1.0, slack="squared")
    yield "linear", Problem(*drawn_data(60, 2, 3), C=1.0)
    yield "linear, squared", Problem(*drawn_data(60, 3, 7), C=2.0, slack="squared")
    yield "linear, no offset", Problem(*drawn_data(60, 3, 8), C=1.0, bias=False)
    yield "no offset", Problem(*drawn_data(60, 3, 4), Gaussian(2.0), C=100.0, bias=False)
    yield "Sigmoid", Problem(*drawn_data(60, 3, 5), Sigmoid(1.0, -1.0), C=1.0)
    yield "no hard margin", Problem(*drawn_data(60, 3, 6), C=inf)
    wide = Problem(*drawn_data(60, 5, 10), C=1e6)
    yield "linear, large C", wide
    yield "nearly singular", Problem(*drawn_data(60, 3, 9), Gaussian(0.01), C=1e9)


def _others() -> Iterator[tuple[str, Any]]:
    """Yield problems of the other machines of sixty rows."""
    X, y = drawn_data(60, 3, 11)
    values = [x[0] * x[0] + x[1] for x in X]
    for kernel in (Linear(), Gaussian(0.5), Polynomial(2, coef0=1.0)):
        for name, problem in (
            ("nu", NuProblem(X, y, kernel, nu=0.25)),
            ("regression", RegressionProblem(X, values, kernel, C=2.0, epsilon=0.5)),
            ("nu-regression", NuRegressionProblem(X, values, kernel, C=2.0, nu=0.25)),
            ("one class", OneClassProblem(X, kernel, nu=0.25)),
            ("ball", BallProblem(X, kernel, C=0.125)),
        ):
            yield f"{name}, {kernel!r}", problem


def _digest_runs() -> Iterator[Run]:
    """Yield the runs whose digests are stated."""
    for k, (name, problem) in enumerate(_classifiers()):
        yield _run(name, problem, max_iter=3000)
        yield _run(name, problem, "decomposition", members=4 + k, max_iter=3000)
    for name, problem in _others():
        yield _run(name, problem)
        if "Gaussian" in name:
            yield _run(name, problem, "decomposition", members=10)
    for slack, tol, seed in (("hinge", 1e-3, 1), ("squared", 1e-3, 2), ("hinge", 0.0, 3)):
        picks = list(shuffled_passes(60, 12, seed))
        problem = Problem(*drawn_data(60, 3, seed), C=1.0, bias=False, slack=slack)
        yield _run(f"{slack}, tol {tol:g}", problem, "dual_coordinate_descent",
                   tol=tol, picks=picks)  # fmt: skip
    for kind, numbers in LONG_FOR_RULES.items():
        yield from _questions(kind, numbers)


ORDER = ("smo", "decomposition", "dual_coordinate_descent")
DIGEST_RUNS = sorted(_digest_runs(), key=lambda run: ORDER.index(run.function))
