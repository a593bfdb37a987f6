"""A problem as it was asked: its right answer, what each bug would answer, and whether that shows.

What a bug answers depends on the problem only. So it is found once a process, for all subjects.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...numerics.rounding_bounds import nearest_double
from ..cases import Case
from ..checks.rounding import allow_rounding
from ..protocol import as_doubles
from ..truth import NoOptimum, Truth, truth_of
from ..wrong.pipeline import SAME, AfterTraining, Outcome, fitted_with, outcome_of, trained
from ..wrong.tasks import Bug, Task, task_of

ROUNDING = 1e-6  # of the largest decision
WHOLE_MODEL = ("RhoNotDivided",)  # changes what is told of a model as it changes decisions
MOST_KNOWN = 4000  # problems that are kept
Floats = list[float]


class AskedProblem:
    """A problem as it was asked, with its right answer and what each bug would answer."""

    def __init__(self, task: Task, truth: Truth) -> None:
        self.task = task
        self.alpha = list(map(nearest_double, truth.optimum.alpha or ()))  # of small cases
        self.outcomes: dict[tuple[str, ...], Outcome | None] = {}
        self._right: list[AfterTraining | None] = []
        self.scale = nearest_double(getattr(truth.measure, "solved_rho", 1)) or 1.0
        self.allowed = [nearest_double(a) / self.scale for a in truth.allowed]
        self.scores = [nearest_double(v) / self.scale for v in truth.scores]

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
        more = ROUNDING * max(map(abs, f))
        return [a + more for a in self.allowed]

    def shows(self, *bugs: Bug) -> bool:
        """Return whether bugs change the answer by more than is allowed, whatever they choose."""
        outcome, right = self.outcome(bugs), self.outcome(())
        if outcome is None or right is None:
            return False
        f = outcome.decisions()
        return not is_said(right, f, self.room(f))


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
        if len(_KNOWN) >= MOST_KNOWN:
            _KNOWN.clear()
        _KNOWN[key] = AskedProblem(task, truth)
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
