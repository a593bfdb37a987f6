"""A problem that is asked: its right answer, what each bug would answer, and whether that shows.

What a bug answers depends on the problem only. So it is found once a process, for all subjects.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import inf, isfinite
from random import Random
from typing import Any

from ...kernels.standard import Precomputed
from ...numerics.rounding_bounds import nearest_double
from ..cases import Case
from ..checks.rounding import allow_rounding
from ..protocol import as_doubles
from ..truth import ENGINEERING, NoOptimum, Truth, truth_of
from ..wrong.pipeline import SAME, AfterTraining, Outcome, fitted_with, outcome_of, trained
from ..wrong.tasks import Bug, Task, task_of

DECISION_ROUNDING = 1e-6  # of the largest decision
WHOLE_MODEL = ("RhoNotDivided",)  # changes what is told of a model as it changes decisions
MAX_KEPT = 4000  # problems that are kept
FRESH_SEED = 1  # of the fresh problems
NEAR, FAR = 0.25, 0.5  # by which a factor is from 1, and a value moves in its unit, at most
Floats = list[float]


class AskedProblem:
    """A problem as it was asked, with its right answer and what each bug would answer.

    scores     of the rows, and how far a decision may be from what is right: of rho 1
    alpha      multipliers of an optimum, where they are known
    """

    def __init__(
        self, task: Task, scores: Floats, allowed: Floats, alpha: Floats | None = None
    ) -> None:
        self.task, self.scores, self.allowed = task, scores, allowed
        self.alpha = alpha or []
        self.outcomes: dict[tuple[str, ...], Outcome | None] = {}
        self._right: list[AfterTraining | None] = []

    @classmethod
    def of_truth(cls, task: Task, truth: Truth) -> AskedProblem:
        """Return a problem whose truth is known."""
        rho = nearest_double(getattr(truth.measure, "solved_rho", 1)) or 1.0
        scores, allowed = (
            [nearest_double(v) / rho for v in values] for values in (truth.scores, truth.allowed)
        )
        return cls(task, scores, allowed, list(map(nearest_double, truth.optimum.alpha or ())))

    @classmethod
    def fresh(cls, task: Task) -> AskedProblem | None:
        """Return a problem that is solved here, in doubles; None if it has no answer."""
        try:
            fitted = trained(task)
            rho = fitted.widths()[0] if fitted is not None and fitted.widths() else 0.0
        except (ArithmeticError, LookupError, TypeError, ValueError):
            return None
        if fitted is None or not rho or not all(map(isfinite, fitted.scores)):
            return None
        made = cls(task, [s / rho for s in fitted.scores], [], fitted.alpha)
        made._right.append(fitted)
        right = made.outcome(())
        if right is None:
            return None
        made.allowed = [float(ENGINEERING) * max(map(abs, right.decisions()))] * len(task.rows)
        return made

    @property
    def size(self) -> tuple[int, int]:
        """How many examples and features."""
        return self.task.n, len(self.task.X[0])

    @property
    def kind(self) -> object:
        """What decides which bugs show."""
        t = self.task
        return type(t.kernel), len(set(t.bounds)) > 1, t.bias, t.slack

    @property
    def right(self) -> AfterTraining | None:
        """The machine without a bug; None if it is not found soon, or beyond doubles."""
        if not self._right:
            try:
                fitted = self._fitted()
            except (ArithmeticError, LookupError, TypeError, ValueError):
                fitted = None
            self._right.append(fitted if fitted is not None and self._is_true(fitted) else None)
        return self._right[0]

    def _fitted(self) -> AfterTraining | None:
        """Return the machine of the known optimum; it is solved where examples of weight 0 are."""
        if len(self.alpha) == self.task.n:
            return fitted_with(self.task, self.alpha)
        return trained(self.task)

    def _is_true(self, fitted: AfterTraining) -> bool:
        """Return whether a machine has the scores that are true, as far as doubles allow."""
        found = [s / rho for rho in fitted.widths()[:1] for s in fitted.scores]
        return (
            bool(found) and shifts(found, self.scores, [2 * a for a in self.allowed]) is not None
        )

    def outcome(self, bugs: Sequence[Bug]) -> Outcome | None:
        """Return what a program with these bugs answers; None where they change nothing."""
        key = tuple(bug.name for bug in bugs)
        if key not in self.outcomes:
            right = self.right
            found = None if right is None else outcome_of(self.task, bugs, right)
            self.outcomes[key] = None if found is SAME else found
        return self.outcomes[key]

    def outcome_as_told(self, bugs: Sequence[Bug], tells_w: bool) -> Outcome | None:
        """Return the same of a program that tells a model, and does not decide itself.

        What it has learnt of rows that it sees wrongly is held against the rows as they are.
        """
        outcome = self.outcome(bugs)
        says_more = any(bug.stage == "decide" and bug.flag not in WHOLE_MODEL for bug in bugs)
        if outcome is None or says_more:
            return None
        fitted, asked = outcome.fitted, self.task
        if fitted.task.X == asked.X and fitted.task.kernel == asked.kernel:
            return outcome
        rows, kernel = (fitted.task.X, fitted.task.kernel) if tells_w else (asked.X, asked.kernel)
        if len(rows) != len(fitted.beta):  # some examples were left out
            return outcome
        if tells_w and len(rows[0]) != len(asked.rows[0]):
            return None
        there = asked.but(X=rows, kernel=kernel)
        return outcome._replace(fitted=fitted.with_scores_of(there))

    def scores_of(self, beta: Floats) -> Floats:
        """Return the scores that multipliers make."""
        right = self.right
        return [] if right is None else right._replace(beta=beta).with_scores_of(self.task).scores

    def room(self, f: Floats) -> Floats:
        """Return how far a decision may be from a guess."""
        more = DECISION_ROUNDING * max(map(abs, f))
        return [a + more for a in self.allowed]

    def shows(self, *bugs: Bug) -> bool:
        """Return whether bugs change the answer by more than is allowed, whatever they choose."""
        outcome, right = self.outcome(bugs), self.outcome(())
        if outcome is None or right is None:
            return False
        f = outcome.decisions()
        return not is_said(right, f, self.room(f))

    def is_right(self, f: Floats) -> bool:
        """Return whether decisions are right, as far as is allowed."""
        right = self.outcome(())
        return right is not None and is_said(right, f, self.room(f))


def shifts(f: Floats, scores: Floats, room: Floats) -> tuple[float, float] | None:
    """Return the least and the largest b for which f is scores + b; None if there is none."""
    off = [p - s for p, s in zip(f, scores)]
    least = max(o - a for o, a in zip(off, room))
    most = min(o + a for o, a in zip(off, room))
    return (least, most) if least <= most else None


def is_said(outcome: Outcome, f: Floats, room: Floats) -> bool:
    """Return whether decisions are those of an outcome."""
    if outcome.said is not None:
        return any(all(abs(p - q) <= a for p, q, a in zip(f, s, room)) for s in outcome.said)
    for rho in outcome.fitted.widths():
        found = shifts(f, [s / rho for s in outcome.fitted.scores], room)
        if found and found[0] <= outcome.high / rho and outcome.low / rho <= found[1]:
            return True
    return False


_KNOWN: dict[Any, AskedProblem] = {}


def asked_of(task: Task, truth: Truth) -> AskedProblem:
    """Return what is known of a task: the same of all subjects."""
    key = repr(task)
    if key not in _KNOWN:
        if len(_KNOWN) >= MAX_KEPT:
            _KNOWN.clear()
        _KNOWN[key] = AskedProblem.of_truth(task, truth)
    return _KNOWN[key]


# ---- the cases of the audit


def truth_about(case: Case) -> tuple[Any, Truth, list[Any]]:
    """Return the problem of a case on doubles, what is true of it, and the rows to decide about.

    NoOptimum where it has none.
    """
    problem, rows = as_doubles(case.problem, [query.x for query in case.queries])
    return problem, allow_rounding(truth_of(problem, rows, case)), rows


def asked_about(case: Case) -> AskedProblem | None:
    """Return what is asked in a case; None of invalid input, and where there is no optimum."""
    if case.problem is None:
        return None
    try:
        problem, truth, rows = truth_about(case)
    except NoOptimum:
        return None
    return asked_of(task_of(problem, rows), truth)


# ---- fresh problems: what shows a bug is the kind of a problem, which is kept; rows are others


def problems_like(tasks: Sequence[Task]) -> Iterator[Task]:
    """Yield fresh problems without end: one like each of these, by turns."""
    draw = Random(FRESH_SEED)
    while tasks:
        yield from (_with_other_rows(task, draw) for task in tasks)


def _with_other_rows(task: Task, draw: Random) -> Task:
    """Return a task with other rows, and values; what was equal is equal, and constants stay."""
    if not task.is_labelled and task.form not in ("one_class", "svdd"):
        unit = _unit_of(task.y)
        to = {v: v + unit * draw.uniform(-FAR, FAR) for v in dict.fromkeys(task.y)}
        task = task.but(y=[to[v] for v in task.y])
    if isinstance(task.kernel, Precomputed):
        return _of_stretched_gram(task, draw)
    return _of_moved_rows(task, draw) if task.has_features else task


def _unit_of(values: Sequence[float]) -> float:
    """Return how far values lie apart; 0 of a column without two numbers."""
    apart = max(values) - min(values)
    return apart if apart < inf else 0.0


def _of_moved_rows(task: Task, draw: Random) -> Task:
    """Return the task with rows that are moved by parts of how far apart the columns lie."""
    units = list(map(_unit_of, zip(*task.X)))
    to: dict[tuple[float, ...], Floats] = {}
    for row in map(tuple, (*task.X, *task.rows)):
        if row not in to:
            to[row] = [v + u * draw.uniform(-FAR, FAR) for v, u in zip(row, units)]
    X, rows = ([to[tuple(row)] for row in some] for some in (task.X, task.rows))
    return task.but(X=X, rows=rows)


def _of_stretched_gram(task: Task, draw: Random) -> Task:
    """Return the task with each example's features times a number: the matrix stays definite."""
    scale = [1 + draw.uniform(-NEAR, NEAR) for _ in task.X]
    at = {tuple(row): s for row, s in zip(task.X, scale)}

    def stretched(rows: Sequence[Floats]) -> list[Floats]:
        return [[at.get(tuple(row), 1.0) * v * s for v, s in zip(row, scale)] for row in rows]

    return task.but(X=stretched(task.X), rows=stretched(task.rows))
