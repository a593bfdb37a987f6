"""What known bugs make of a problem of regression, nu or outliers: the same with other numbers.

Each change is a flag, words that end a sentence about the answer, and what changed_problem is
given in the place of the problem's own: bounds, epsilon, nu, y, the kernel or the rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil, floor, inf, sqrt
from typing import Any

from ..kernels.standard import Gaussian, Linear, Polynomial, Precomputed
from ..numerics.linalg import total
from .forms import FORMS, bounds_of, form_of_problem
from .protocol import NumericProblem

HUGE = 2.0**20  # times C: a penalty that is never reached
UNWEIGHTED = (
    "it is the optimum with one weight, 1, for all",
    "it is the optimum with one weight, the mean, for all",
    "it is the optimum with weight 1 for rows that are there twice",
)
Change = tuple[str, str, dict[str, Any]]  # flag, why, what changed_problem is given


def changes_of(problem: NumericProblem) -> Iterator[Change]:
    """Yield what known bugs make of a problem on floats."""
    form: Any = form_of_problem(problem)
    every = [wrong_weights(problem), wrong_kernels(problem)]
    if form.has_C:
        every.append(wrong_penalties(problem))
    if form.parameter == "nu":
        every.append(_wrong_shares(problem))
    if form.name == "epsilon_svr":
        every.append(_wrong_tubes(problem))
    if form.answers == "values":
        every.append(_wrong_values(problem))
    for some in every:
        yield from some


def wrong_penalties(problem: NumericProblem) -> Iterator[Change]:
    """Yield other penalties in the place of C."""
    bounds, n = bounds_of(problem), problem.n
    yield "PriceIgnored", "it is the optimum for C = 1", {"bounds": [1.0] * n}
    if max(bounds) < inf:
        most = [HUGE * max(bounds)] * n
        yield "PriceIgnored", "it is the optimum for an infinite C", {"bounds": most}
        for words, factor in (("2 C", 2.0), ("C / 2", 0.5), ("C n", n), ("C / n", 1 / n)):
            yield (
                "PriceScaled",
                f"it is the optimum for {words}",
                {"bounds": [factor * c for c in bounds]},
            )
        inverse = {"bounds": [1 / c for c in bounds]}
        yield "PriceScaled", "it is the optimum for 1 / C", inverse


def wrong_weights(problem: NumericProblem) -> Iterator[Change]:
    """Yield other weights, where they differ, or are no C and not 1."""
    form, bounds, n = form_of_problem(problem), bounds_of(problem), problem.n
    if len(set(bounds)) == 1 and (form is None or form.has_C or bounds[0] == 1):
        return
    mean, X = total(bounds) / n, problem.X
    for why, values in zip(UNWEIGHTED, ([1.0] * n, [mean] * n, _unless_alone(X, bounds))):
        yield "WeightsIgnored", why, {"bounds": values}
    for words, values in (
        ("squared weights", [c * c for c in bounds]),
        ("inverted weights", [1 / c for c in bounds]),
        ("weights of mean 1", [c / mean for c in bounds]),
        ("weights in another order", bounds[::-1]),
    ):
        yield "WeightsScaled", f"it is the optimum with {words}", {"bounds": values}


def _unless_alone(X: Any, bounds: list[float]) -> list[float]:
    """Return the bounds, but 1 for a row that is there more than once."""
    return [1.0 if X.count(x) > 1 else c for x, c in zip(X, bounds)]


def _wrong_shares(problem: NumericProblem) -> Iterator[Change]:
    """Yield other shares in the place of nu, and bounds that are not there."""
    nu, n, bounds = problem.nu, problem.n, bounds_of(problem)
    yield "NuIgnored", "it is the optimum for nu = 1/2", {"nu": 0.5}
    yield "NuIgnored", "it is the optimum for nu = 1/10", {"nu": 0.1}
    others = (("nu / 2", nu / 2), ("2 nu", 2 * nu), ("1 - nu", 1 - nu), ("nu^2", nu * nu))
    for words, value in others:
        if 0 < value <= 1:
            yield "NuScaled", f"it is the optimum for {words}", {"nu": value}
    whole = nu * n
    for words, count in (("down", floor(whole)), ("up", ceil(whole)), ("", round(whole))):
        if 0 < count <= n and len(set(bounds)) == 1:
            yield (
                "RemainderRounded",
                f"nu n is rounded {words}".rstrip() + " to a whole number",
                {"nu": count / n},
            )
    if form_of_problem(problem) is not FORMS["nu_svr"]:
        most = nu * total(bounds)
        yield (
            "BoxIgnored",
            "its multipliers have no upper bound",
            {
                "bounds": [most] * n,
                "nu": 1 / n,
            },
        )
    else:
        yield (
            "BoxIgnored",
            "its multipliers have other bounds than C",
            {
                "bounds": [1.0] * n,
                "nu": min(1.0, nu * max(bounds)),
            },
        )


def _wrong_tubes(problem: NumericProblem) -> Iterator[Change]:
    """Yield other widths of the tube."""
    width = problem.epsilon
    for words, value in (("0", 0.0), ("0.1", 0.1), ("1e-3", 1e-3)):
        yield "EpsilonIgnored", f"it is the optimum for epsilon = {words}", {"epsilon": value}
    for words, value in (
        ("2 epsilon", 2 * width),
        ("epsilon / 2", width / 2),
        ("epsilon^2", width * width),
        ("epsilon C", width * bounds_of(problem)[0]),
    ):
        yield "EpsilonScaled", f"it is the optimum for {words}", {"epsilon": value}


def _wrong_values(problem: NumericProblem) -> Iterator[Change]:
    """Yield other targets, and other units of C and epsilon."""
    y, bounds = problem.y, bounds_of(problem)
    yield "TargetsRounded", "y is rounded to whole numbers", {"y": [float(round(v)) for v in y]}
    yield "TargetsRounded", "y is cut to whole numbers", {"y": [float(int(v)) for v in y]}
    mean = total(y) / len(y)
    deviation = sqrt(total([(v - mean) * (v - mean) for v in y]) / len(y))
    spread = max(y) - min(y)
    for words, unit in (("deviation", deviation), ("spread", spread), ("size", max(map(abs, y)))):
        if 0 < unit < inf:
            tube = {"epsilon": unit * problem.epsilon} if hasattr(problem, "epsilon") else {}
            yield (
                "TargetsScaled",
                f"C and epsilon are in units of the {words} of y",
                {
                    "bounds": [unit * c for c in bounds],
                    **tube,
                },
            )


def wrong_kernels(problem: NumericProblem) -> Iterator[Change]:
    """Yield other parameters of the kernel."""
    kernel, d = problem.kernel, len(problem.X[0])
    others: list[tuple[str, Any]] = []
    if isinstance(kernel, Gaussian):
        g = kernel.gamma
        gammas = (1.0, 1 / d, g / 2, 2 * g, g * g, 1 / g, 1 / (2 * g * g))
        others = [(f"gamma = {v:g}", Gaussian(v)) for v in gammas]
    if isinstance(kernel, Polynomial):
        degree, g, r = kernel.degree, kernel.gamma, kernel.coef0
        others = [
            ("coef0 = 0", Polynomial(degree, g, 0.0)),
            ("coef0 = 1", Polynomial(degree, g, 1.0)),
            ("gamma = 1", Polynomial(degree, 1.0, r)),
            ("gamma = 1 / d", Polynomial(degree, 1 / d, r)),
            ("degree 3", Polynomial(3, g, r)),
            ("a degree more", Polynomial(degree + 1, g, r)),
            ("a degree less", Polynomial(degree - 1, g, r)),
        ]
    if not isinstance(kernel, (Linear, Precomputed)):
        others.append(("the linear kernel", Linear()))
    for words, other in others:
        yield "KernelParameters", f"it is the optimum with {words}", {"kernel": other}
