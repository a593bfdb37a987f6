"""What known bugs of regression, nu and outliers would answer: the optimum of another problem.

    guess    scores, and the offsets that go with them, on the scale of the answer

A bug makes of each problem another one, which is solved here in floats. A guess names a bug; it
judges nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from math import ceil, floor, inf, isfinite, sqrt
from typing import Any, NamedTuple

from ..kernels.standard import Gaussian, Linear, Polynomial, Precomputed
from ..numerics.linalg import dot, total
from ..solvers.smo import smo
from ..svm.problem import Problem
from .explanations import Floats, Guess, float_kernel_rows, guess_optimum
from .forms import FORMS, bounds_of, changed_problem, form_of_problem, labels_of
from .protocol import NumericProblem

GUESS_TOL = 1e-8
MOST_STEPS = 3000
SWEEPS = 3000  # of coordinate descent
HUGE = 2.0**20  # times C: a penalty that is never reached


class WrongMachine(NamedTuple):
    """A problem that a bug makes of another; why ends a sentence about the answer."""

    flag: str
    why: str
    guess: Callable[[], Guess | None]


def wrong_machines(problem: NumericProblem, rows: list[Any]) -> Iterator[WrongMachine]:
    """Yield what known bugs make of a problem on floats."""
    form: Any = form_of_problem(problem)
    every = [wrong_weights(problem), wrong_kernels(problem), wrong_examples(problem)]
    if form.has_C:
        every.append(wrong_penalties(problem))
    if form.parameter == "nu":
        every.append(wrong_shares(problem))
    if form.name == "epsilon_svr":
        every.append(wrong_tubes(problem))
    if form.answers == "values":
        every.append(wrong_values(problem))
    for flag, why, changes in (one for some in every for one in some):
        if is_change(problem, changes):
            yield WrongMachine(flag, why, solver(problem, rows, changes))
    yield from other_machines(problem, rows)


Change = tuple[str, str, dict[str, Any]]  # flag, why, what changed_problem is given


def is_change(problem: NumericProblem, changes: dict[str, Any]) -> bool:
    """Return whether something is another than it was."""
    same = {"bounds": bounds_of(problem), "y": labels_of(problem), "X": problem.X}
    return any(
        same[key] != value if key in same else vars_of(problem, key) != value
        for key, value in changes.items()
        if key != "rows"
    )


def vars_of(problem: NumericProblem, name: str) -> Any:
    """Return an attribute; a kernel as its words."""
    value = getattr(problem, name)
    return repr(value) if name == "kernel" else value


def solver(
    problem: NumericProblem, rows: list[Any], changes: dict[str, Any]
) -> Callable[[], Guess | None]:
    """Return the function that solves the problem with these changes."""

    def guess() -> Guess | None:
        with suppress(ValueError, TypeError, OverflowError):
            given = {k: v for k, v in changes.items() if k != "rows"}
            return solved(changed_problem(problem, **given), changes.get("rows", rows))
        return None

    return guess


def solved(problem: NumericProblem, rows: list[Any]) -> Guess | None:
    """Return the Guess that this problem is solved; None if that is not found at once."""
    solution: Any = smo(problem, tol=GUESS_TOL, max_iter=MOST_STEPS)
    if solution.status not in ("optimal", "precision"):
        return None
    b, low, high = solution.b, solution.b_low, solution.b_high
    scores = [f - b for f in solution.model().decisions(rows)]
    if form_of_problem(problem) is FORMS["nu_svc"]:
        rho = solution.offsets.rho.value
        if not rho > 0:
            return None
        scores, low, high = [s / rho for s in scores], low / rho, high / rho
    low, high = sorted((low, high))
    return Guess(scores, low, high) if all(map(isfinite, scores)) else None


# ---- changes of one problem


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
    """Yield other weights, where they differ."""
    bounds, n = bounds_of(problem), problem.n
    if len(set(bounds)) == 1:
        return
    mean = total(bounds) / n
    for words, values in (
        ("one weight, 1, for all", [1.0] * n),
        ("one weight, the mean, for all", [mean] * n),
    ):
        yield "WeightsIgnored", f"it is the optimum with {words}", {"bounds": values}
    for words, values in (
        ("squared weights", [c * c for c in bounds]),
        ("inverted weights", [1 / c for c in bounds]),
        ("weights of mean 1", [c / mean for c in bounds]),
        ("weights in another order", bounds[::-1]),
    ):
        yield "WeightsScaled", f"it is the optimum with {words}", {"bounds": values}


def wrong_shares(problem: NumericProblem) -> Iterator[Change]:
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


def wrong_tubes(problem: NumericProblem) -> Iterator[Change]:
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


def wrong_values(problem: NumericProblem) -> Iterator[Change]:
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


def wrong_examples(problem: NumericProblem) -> Iterator[Change]:
    """Yield the problem without its first or last example, or feature."""
    X, y, bounds = problem.X, labels_of(problem), bounds_of(problem)
    if problem.n > 2 and problem.kernel.has_rows:
        for words, part in (("first", slice(1, None)), ("last", slice(None, -1))):
            yield (
                "ExampleIgnored",
                f"the {words} example is left out",
                {
                    "X": X[part],
                    "y": y[part],
                    "bounds": bounds[part],
                },
            )


# ---- other machines


def other_machines(problem: NumericProblem, rows: list[Any]) -> Iterator[WrongMachine]:
    """Yield what is no problem of the same machine."""
    form: Any = form_of_problem(problem)
    if form.name == "nu_svc":
        C = problem.nu

        def with_penalty() -> Guess | None:
            return guess_optimum(Problem(problem.X, problem.y, problem.kernel, C), rows)

        yield WrongMachine("NuAsPenalty", "it is C-SVC with C = nu", with_penalty)
    if form.name == "one_class":
        means = [total(column) / problem.n for column in zip(*problem.X)]
        moved = [[v - m for v, m in zip(x, means)] for x in problem.X]
        if isinstance(problem.kernel, Linear):
            there = [[v - m for v, m in zip(x, means)] for x in rows]
            changes = {"X": moved, "rows": there}
            guess = solver(problem, rows, changes)
            yield WrongMachine("Centred", "its rows are centred first", guess)
    if form.name != "epsilon_svr" or max(bounds_of(problem)) == inf:
        return
    for flag, words, more, ridge in (
        ("NoOffset", "it is the optimum without an offset", 0.0, 0.0),
        ("RegularisedOffset", "the offset is regularised, too", 1.0, 0.0),
        ("SquaredLoss", "its slacks are squared", None, 0.5),
        ("SquaredLoss", "its slacks are squared, and halved", None, 1.0),
    ):
        yield WrongMachine(flag, words, other_regression(problem, rows, more, ridge))


def other_regression(
    problem: NumericProblem, rows: list[Any], more: float | None, ridge: float
) -> Callable[[], Guess | None]:
    """Return what solves regression with `more` added to K and no offset, or with a ridge."""

    def guess() -> Guess | None:
        K: Any = [list(row) for row in float_kernel_rows(problem, problem.X)]
        at: Any = float_kernel_rows(problem, rows)
        bounds = bounds_of(problem)
        if more is not None:
            K, at = ([[v + more for v in row] for row in some] for some in (K, at))
            beta = without_offset(K, problem.y, problem.epsilon, bounds)
            f: Any = [dot(beta, row) for row in at]
            return Guess(f, 0.0, 0.0)
        for i, row in enumerate(K):
            row[i] += ridge / bounds[i]
        free = [HUGE * c for c in bounds]
        changed = changed_problem(problem, X=K, kernel=Precomputed(), bounds=free)
        solution: Any = smo(changed, tol=GUESS_TOL, max_iter=MOST_STEPS)
        if solution.status not in ("optimal", "precision"):
            return None
        scores: Any = [dot(solution.alpha, row) for row in at]
        low, high = sorted((solution.b_low, solution.b_high))
        return Guess(scores, low, high)

    return guess


def without_offset(K: Any, y: Any, epsilon: float, bounds: Any) -> Floats:
    """Return the net multipliers of regression without an offset, by coordinate descent."""
    beta = [0.0] * len(y)
    for _ in range(SWEEPS):
        largest = 0.0
        for i, row in enumerate(K):
            if row[i] > 0:
                g = y[i] - dot(beta, row) + row[i] * beta[i]
                step = max(abs(g) - epsilon, 0.0) / row[i]
                new = min(step, bounds[i]) * (1 if g > 0 else -1)
                largest = max(largest, abs(new - beta[i]))
                beta[i] = new
        if largest <= 1e-12 * max([abs(v) for v in beta]):
            break
    return beta
