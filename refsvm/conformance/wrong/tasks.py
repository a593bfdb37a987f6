"""What a program is asked, and what a bug changes in it: the words of the catalogue.

task     a problem in doubles, of any of the six machines, and some rows
bug      an entry of the catalogue: one change of one stage, its name, its effect, where it was met

    stage    where in the pipeline it sits              change   what it does there
    flag     its name in a verdict: a key of BUGS
    words    what the program does
    effect   what that does to people                   met      where it was met

A kind of bug is written down once, with its variants: each of them is an entry.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ...kernels.base import as_kernel
from ...kernels.standard import Precomputed
from ...numerics.types import Rows
from ...svm.problem import Problem
from ...svm.training_problem import TrainingProblem
from ..protocol.forms import (
    C_SVC,
    FORMS,
    bounds_of,
    form_of_problem,
    labels_of,
    make_problem,
    parameter_of,
)

Change = Any  # a function of a task, or of a trained machine, see pipeline.py


class Bug(NamedTuple):
    """An entry of the catalogue."""

    stage: str
    flag: str
    words: str
    change: Change
    effect: str
    met: str

    @property
    def name(self) -> str:
        """The flag and the words, which no other entry has."""
        return f"{self.flag}: {self.words}"


class BugTable:
    """The bugs of one stage, as they are written down."""

    def __init__(self, stage: str) -> None:
        self.stage, self.bugs = stage, list[Bug]()

    def add(self, flag: str, effect: str, met: str, variants: Mapping[str, Change]) -> None:
        """Add a kind of bug: {what the program does: the change}."""
        for words, change in variants.items():
            self.bugs.append(Bug(self.stage, flag, words, change, effect, met))


Floats = list[float]


class Task(NamedTuple):
    """What a program is asked: a problem in doubles, and rows to decide about.

    form       "c_svc", or a key of FORMS              y          labels, or values
    bounds     C_i; the weights where there is no C     parameter  epsilon or nu, or None
    kernel     a Kernel, or a function of two rows      there      the one it decides with, or None
    norms2     k(x, x) of the rows to decide about, where the kernel cannot tell
    penalised  there is no free offset, but one that is the weight of a feature 1
    targets    f of an example of class -1 must not exceed the first, of +1 must reach the second
    """

    form: str
    X: list[Any]
    rows: list[Any]
    y: list[Any]
    bounds: Floats
    kernel: Any
    parameter: float | None = None
    bias: bool = True
    penalised: bool = False
    slack: str = "hinge"
    there: Any = None
    norms2: Floats | None = None
    targets: tuple[float, float] = (-1.0, 1.0)

    @property
    def n(self) -> int:
        """The number of examples."""
        return len(self.X)

    @property
    def margin(self) -> float:
        """Half the distance of the targets."""
        return (self.targets[1] - self.targets[0]) / 2

    @property
    def has_features(self) -> bool:
        """Whether a row is numbers of its own: no string, and no row of a Gram matrix."""
        return not isinstance(self.X[0], str) and not isinstance(self.kernel, Precomputed)

    @property
    def has_C(self) -> bool:
        """Whether the bounds are penalties."""
        return self.form == C_SVC or FORMS[self.form].has_C

    @property
    def is_labelled(self) -> bool:
        """Whether y are two labels."""
        return self.form in (C_SVC, "nu_svc")

    def but(self, **changes: Any) -> Task:
        """Return the task with some fields changed."""
        return self._replace(**changes)


def task_of(problem: TrainingProblem, rows: Rows) -> Task:
    """Return the task of a problem on floats."""
    form = form_of_problem(problem)
    parameter = next(iter(parameter_of(problem).values()), None)
    return Task(
        C_SVC if form is None else form.name,
        list(problem.X),
        list(rows),
        labels_of(problem),
        bounds_of(problem),
        problem.kernel,
        parameter,
        getattr(problem, "bias", True),
        slack=getattr(problem, "slack", "hinge"),
    )


def problem_of(task: Task) -> Any:
    """Return the problem of a task, with its offset."""
    if task.form == C_SVC:
        return Problem(task.X, task.y, task.kernel, task.bounds, task.bias, task.slack)
    form = FORMS[task.form]
    return make_problem(form, task.X, task.y, task.kernel, task.bounds, task.parameter)


def as_gram(task: Task) -> Task:
    """Return the task on its Gram matrix, in which a bug may change single values."""
    if isinstance(task.kernel, Precomputed):
        return task
    kernel = as_kernel(task.kernel if task.there is None else task.there)
    fit = as_kernel(task.kernel).row_function(task.X, float)
    values = kernel.row_function(task.X, float)
    norms2 = [float(kernel(x, x)) for x in task.rows] if task.form == "svdd" else None
    return task.but(
        X=[list(fit(x)) for x in task.X],
        rows=[list(values(x)) for x in task.rows],
        kernel=Precomputed(),
        there=None,
        norms2=norms2,
    )


def keep(task: Task, kept: Sequence[int]) -> Task | None:
    """Return the task with some of its examples; None where a class would be gone."""
    y = [task.y[i] for i in kept]
    if len(kept) == task.n or not kept or (task.is_labelled and len(set(y)) < 2):
        return None
    X, rows = [task.X[i] for i in kept], task.rows
    if isinstance(task.kernel, Precomputed):
        X, rows = ([[x[i] for i in kept] for x in some] for some in (X, rows))
    return task.but(X=X, rows=rows, y=y, bounds=[task.bounds[i] for i in kept])
