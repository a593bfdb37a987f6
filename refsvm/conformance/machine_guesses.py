"""What known bugs of regression, nu and outliers would answer: the optimum of another problem.

    guess    scores, and the offsets that go with them, on the scale of the answer

A bug makes of each problem another one, which is solved here in floats. A guess names a bug; it
judges nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from math import inf, isfinite
from typing import Any, NamedTuple

from ..kernels.standard import Linear, Precomputed
from ..numerics.linalg import dot, total
from ..solvers.smo import smo
from ..svm.dual_form import group_extremes, spread
from ..svm.problem import Problem
from .explanations import Floats, Guess, float_kernel_rows, guess_optimum
from .forms import FORMS, bounds_of, changed_problem, form_of_problem, labels_of
from .machine_changes import HUGE, changes_of
from .protocol import NumericProblem
from .wrong_features import wrong_features
from .wrong_problems import wrong_examples

GUESS_TOL = 1e-8
MOST_STEPS = 3000
NEARLY = 1e-6  # of the largest multiplier
SWEEPS = 3000  # of coordinate descent


class WrongMachine(NamedTuple):
    """A problem that a bug makes of another; why ends a sentence about the answer.

    problem: the one with the same rows, y and kernel, if it has these
    weight, variant: as in Explanation
    """

    flag: str
    why: str
    guess: Callable[[], Guess | None]
    problem: Callable[[], Any] = lambda: None
    weight: float = 1.0
    variant: str = ""


def wrong_machines(problem: NumericProblem, rows: list[Any]) -> Iterator[WrongMachine]:
    """Yield what known bugs make of a problem on floats."""
    for flag, why, changes in changes_of(problem):
        if _is_change(problem, changes):
            same = {"X", "y", "kernel"}.isdisjoint(changes)
            make = partial(changed_problem, problem, **changes) if same else lambda: None
            yield WrongMachine(flag, why, solver(problem, rows, changes), make)
    yield from _other_machines(problem, rows)
    yield from other_rows(problem, rows)


def _is_change(problem: NumericProblem, changes: dict[str, Any]) -> bool:
    """Return whether something is another than it was."""
    same = {"bounds": bounds_of(problem), "y": labels_of(problem), "X": problem.X}
    return any(
        same[key] != value if key in same else _vars_of(problem, key) != value
        for key, value in changes.items()
        if key != "rows"
    )


def _vars_of(problem: NumericProblem, name: str) -> Any:
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


# ---- other rows


def other_rows(problem: NumericProblem, rows: list[Any]) -> Iterator[WrongMachine]:
    """Yield features and examples that are lost, cut, scaled: as C-SVC's (wrong_problems.py)."""
    for wrong in (*wrong_features(problem, rows), *wrong_examples(problem, rows)):
        guess = partial(_solved_as_made, wrong.make)
        why, variant = (f"it is the optimum {words}" for words in (wrong.why, wrong.variant))
        yield WrongMachine(
            wrong.flag, why, guess, weight=wrong.weight, variant=variant if wrong.variant else why
        )


def _solved_as_made(make: Callable[[], Any]) -> Guess | None:
    """Return the Guess that the problem which is made is solved."""
    with suppress(ValueError, TypeError, OverflowError):
        made = make()
        return None if made is None else solved(*made)
    return None


# ---- other machines


def _other_machines(problem: NumericProblem, rows: list[Any]) -> Iterator[WrongMachine]:
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
        yield WrongMachine(flag, words, _other_regression(problem, rows, more, ridge))


def _other_regression(
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


def has_optimum(problem: NumericProblem, alpha: Floats) -> bool:
    """Return whether multipliers are feasible for a problem on floats, and optimal."""
    form = problem.dual_form()
    x = problem.variables_of(alpha)
    room = NEARLY * max(map(abs, x))
    if any(not low - room <= v <= high + room for v, low, high in zip(x, form.lower, form.upper)):
        return False
    for group, s in zip(form.groups, form.sums):
        if abs(total([x[k] for k in group]) - float(s)) > room * problem.n:
            return False
    x = [min(max(v, low), high) for v, low, high in zip(x, form.lower, form.upper)]
    scores, _ = problem.scores_and_norm2(problem.beta(problem.multipliers_of(x)))
    r = [t - s for t, s in zip(form.target, spread(form, scores))]
    size = max(map(abs, r))
    return all(m - M <= size / 1000 for m, M in group_extremes(form, snapped(form, x, room), r))


def snapped(form: Any, x: Any, room: Any) -> Any:
    """Return variables that are nearly at a bound at the bound."""
    return [
        low if v <= low + room else high if v >= high - room else v
        for v, low, high in zip(x, form.lower, form.upper)
    ]
