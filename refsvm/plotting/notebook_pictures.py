"""The picture that a notebook shows below the numbers of a result, where there is one to show."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from typing import Any

from ..estimators.outliers import OutlierDetector
from ..estimators.svc import SVC
from ..kernels.standard import Linear, Precomputed
from ..numerics.quoting import markup
from ..numerics.types import Label, Number
from ..svm.ball_problem import BallModel
from ..svm.model import Model, Solution
from ..svm.nu_problem import NuProblem
from ..svm.one_class_problem import OneClassModel
from ..svm.one_vs_one import OneAgainstOne
from ..svm.problem import Problem
from ..svm.regression_problem import RegressionModel
from ..tables.data import Data
from .drawing import axis_names, draw_machine, picture
from .tracing import Trace
from .trained_machines import COARSE, trained_machine_of

MOST_VECTORS, MOST_ROWS = 150, 5000  # of a picture that is drawn in less than a second


def picture_html(thing: object) -> str:
    """Return the HTML of the picture of a thing; nothing where there is none.

    A table is shown whatever the picture's functions think of the rows, so no error leaves here.
    """
    try:
        return _picture_of(thing)
    except Exception:  # a kernel of the caller's may raise anything
        return ""


def _picture_of(thing: object) -> str:
    """Return the picture of a thing that has one."""
    if isinstance(thing, Trace):
        told = "\n".join(map(markup, thing.text().split("\n")))
        return f"<pre>{told}</pre>{_moving_image(thing)}"
    if isinstance(getattr(thing, "kernel", None), Precomputed):
        return ""
    if isinstance(thing, (Problem, NuProblem, Data)):
        return picture(thing.X, thing.y) if _are_points(thing.X) else ""
    if isinstance(thing, Solution):
        return _of_solution(thing)
    if isinstance(thing, OutlierDetector):
        return of_machine(thing, thing.support_vectors_, None)
    if isinstance(thing, (OneClassModel, BallModel)):
        return of_machine(thing, thing.vectors, None)
    if isinstance(thing, RegressionModel):  # which does not know its values
        return ""
    if isinstance(thing, Model):
        return of_machine(thing, thing.vectors, [1 if c > 0 else -1 for c in thing.coef])
    model = getattr(thing, "model_", None) if isinstance(thing, SVC) else thing
    if isinstance(model, OneAgainstOne) and _are_points(model.vectors):
        labels = [c for c, count in zip(model.classes, model.counts) for _ in range(count)]
        return of_machine(thing, model.vectors, labels)
    return ""


def _moving_image(trace: Trace) -> str:
    """Return the moving picture of a trace; nothing where there is none, or of many examples."""
    problem = trace.problem
    if not isinstance(problem, Problem) or problem.n > 500 or not _are_points(problem.X):
        return ""
    moving = b64encode(trace.svg().encode("ascii")).decode("ascii")
    return f'<img alt="" src="data:image/svg+xml;base64,{moving}"/>'


def _of_solution(solution: Solution) -> str:
    """Return the picture of what was trained, with all examples; nothing without a machine."""
    problem = solution.problem
    if solution.status in ("infeasible", "degenerate"):
        return ""
    tube = getattr(getattr(solution, "offsets", None), "epsilon", None)
    epsilon = getattr(problem, "epsilon", None) if tube is None else tube.value
    y, C = getattr(problem, "y", None), getattr(problem, "C", None)
    model = solution.model()
    if isinstance(problem, NuProblem):
        model = _in_units_of_margin(model, solution.offsets.rho.value)
    return of_machine(model, problem.X, y, C, epsilon)


def _in_units_of_margin(model: Model, rho: Number) -> Model:
    """Return the model divided by rho: then its margins lie at f = -1 and +1."""
    w = None if model.w is None else [v / rho for v in model.w]
    return model._replace(b=model.b / rho, coef=[c / rho for c in model.coef], w=w)


def of_machine(
    machine: Any, X: Any, y: Sequence[Label] | None, C: Any = None, epsilon: Number | None = None
) -> str:
    """Return the picture of a machine with some examples; nothing if it would take long."""
    model = getattr(machine, "model_", machine)
    quick = type(model.kernel) is Linear or len(model.vectors) <= MOST_VECTORS
    if not quick or not _are_points(X, 1 if isinstance(model, RegressionModel) else 2):
        return ""
    machine = trained_machine_of(machine, C)
    if epsilon is not None:
        machine = machine._replace(epsilon=float(epsilon))
    return draw_machine(machine, X, y, names=axis_names(machine, machine), grid=COARSE)


def _are_points(X: Any, features: int = 2) -> bool:
    """Tell whether rows are points of the plane, or of a line, and not too many."""
    return 0 < len(X) <= MOST_ROWS and not isinstance(X[0], (str, int)) and len(X[0]) == features
