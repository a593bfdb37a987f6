"""Training one machine on all rows, and what is told of it: of regression, and of outliers."""

from functools import partial
from typing import Any, NamedTuple

from ..estimators.folds import all_but, part_of_groups, select_rows
from .console import plural, progress, say, show, table
from .deciding import decide, signs
from .reports import fit_of_values, outside
from .training import STATUS, offsets_reached, values_reached


class Ready(NamedTuple):
    """An estimator, the rows to train it on and those to test it with, all checked."""

    machine: Any
    problem: Any
    X: list
    y: list
    tested: list
    X_tested: list
    y_tested: list


def ready(given, machine, answers, data):
    """Check all that fit checks before the work; return a Ready."""
    X, y = data.X, data.y if answers == "values" else []
    tested = []
    if given.test_size is not None:
        tested = part_of_groups([list(range(len(X)))], given.test_size, given.seed)
    kept = all_but(tested, len(X))
    columns = kept if given.kernel == "precomputed" else None
    X, X_tested = (select_rows(data.X, rows, columns) for rows in (kept, tested))
    y, y_tested = ([y[i] for i in rows] if y else [] for rows in (kept, tested))
    problem = machine._problem(machine._accept(X, y or None, None))
    return Ready(machine, problem, X, y, tested, X_tested, y_tested)


def train_one(given, ready, answers):
    """Train a machine on the rows, and print what became of it."""
    machine = ready.machine
    if ready.tested:
        n, m = len(ready.X), len(ready.tested)
        say(f"{plural(n, 'row')} to train on, {m} to test with (seed {given.seed})")
    with progress("training", machine.tol) as on_step:
        machine._solve = partial(machine._solve, on_step=on_step)
        machine._train(ready.X, ready.y or None, None)
    say(f"{machine.model_.kernel!r}, {plural(len(machine.support_), 'support vector')}\n")
    show(table(_facts_of_one(machine.solution_, ready.problem), "lrl"))
    parts = [("training", ready.X, ready.y), ("test", ready.X_tested, ready.y_tested)]
    for part, X, y in parts[: 2 if ready.tested else 1]:
        f = decide(given, machine.model_, X)
        say(f"{part} {fit_of_values(y, f) if answers == 'values' else outside(signs(f))}")
    if answers == "values" and not ready.tested:
        say("(of rows that it has seen; for others see -v 5 or --test-size 0.25)")
    say()


def _facts_of_one(found, problem):
    """Return (name, value, meaning) of what the solver returned, for a table."""
    form, bound = problem.dual_form(), 0
    for x, low, high in zip(problem.variables_of(found.alpha), form.lower, form.upper):
        bound += x != 0 and x in (low, high)
    vectors = len([a for a in found.alpha if a != 0])
    return [
        ("status", found.status, STATUS[found.status]),
        ("steps", str(found.iterations), "of the solver"),
        ("vectors", str(vectors), "support vectors, alpha not 0"),
        ("at bound", str(bound), "of them with all they may have"),
        *values_reached(found),
        *offsets_reached(found),
    ]
