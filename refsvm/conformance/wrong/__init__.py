"""How SVMs go wrong: a catalogue of bugs, each of which is a change of a right machine.

    tasks.py      what a program is asked, what an entry is, and the tables that hold them
    pipeline.py   a right machine as stages; a bug changes one of them; two bugs go together
    rows.py       X as the program sees it            problem.py   C, weights, the objective
    machines.py   nu, epsilon, values, rho and R^2    kernel.py    k(x, z)
    solver.py     the multipliers                     offset.py    b from multipliers
    decision.py   f of a row                          state.py     votes, labels, earlier fits

From an entry follow its name in a verdict (naming/), a program that has the bug (`planted`), and
the cases that show it (naming/asked.py). So a bug cannot have a name and no case, or a case and
no name.

    >>> from refsvm import Problem
    >>> bug = BY_NAME["OffsetSign: b has the wrong sign"]
    >>> bug.stage, bug.met
    ('offset', 'Xtra-Computing/thundersvm: no free support vector; intercept_ taken for rho')
    >>> planted(bug)(Problem([[2.0], [4.0]], [-1, 1], C=8)).decisions([[2.0], [4.0]])
    [5.0, 7.0]
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from ...numerics.types import MatrixLike
from . import decision, kernel, machines, offset, problem, rows, solver, state
from .pipeline import ON_ESTIMATORS, SAME, outcome_of
from .tasks import Bug, task_of

TABLES = (
    rows.TABLE,
    problem.TABLE,
    machines.PROBLEM,
    kernel.TABLE,
    solver.TABLE,
    offset.TABLE,
    machines.OFFSET,
    decision.TABLE,
    machines.DECIDE,
    state.PAIRS,
    state.VOTES,
    state.LABELS,
    state.STATE,
)
CATALOGUE: list[Bug] = [bug for table in TABLES for bug in table.bugs]
BY_NAME = {bug.name: bug for bug in CATALOGUE}


class PlantedMachine(NamedTuple):
    """What a program with bugs returns for a problem."""

    problem: Any
    bugs: Sequence[Bug]

    def decisions(self, given: MatrixLike) -> list[float]:
        """Return the decisions about these rows; right ones where the bugs change nothing."""
        task = task_of(self.problem, given)
        outcome = outcome_of(task, self.bugs)
        if outcome is SAME:
            outcome = outcome_of(task)
        if outcome is None:
            raise ValueError("what the program makes of the problem has no optimum")
        found: list[float] = outcome.decisions()
        return found


def planted(*bugs: Bug) -> Callable[..., Any]:
    """Return a program that has these bugs, and can be audited: a function of a problem.

    Of votes, labels and earlier fits it is an estimator.
    """
    if bugs and bugs[0].stage in ON_ESTIMATORS:
        return state.shown_estimator(*bugs)
    return lambda problem: PlantedMachine(problem, bugs)
