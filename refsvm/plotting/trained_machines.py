"""What a picture needs to know of a trained machine, whatever the machine is.

machine  of a model, or of a fitted estimator of any of the packages
about    its kernel, its C, nu, epsilon where they are known, its count of support vectors
task     "classes"; "regression", of one feature; "outliers", which one class and the ball tell
grid     columns and rows of the cells at whose corners decisions are taken: lines and regions are
         drawn from these
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from fractions import Fraction
from math import inf
from typing import Any, NamedTuple

from ..estimators.estimator import BaseEstimator
from ..files.models import fitted_model
from ..files.table_columns import LINEAR_TYPES
from ..kernels.base import Kernel
from ..kernels.standard import Linear, Precomputed
from ..numerics.quoting import quote, shorten
from ..numerics.types import Rows, Vector
from ..svm.ball_problem import BallModel
from ..svm.model import Model
from ..svm.one_class_problem import OneClassModel
from ..svm.one_vs_one import OneAgainstOne
from ..svm.regression_problem import RegressionModel
from .contours import cell_ends
from .svg import HEIGHT, TOP, WIDTH

ONE_CELL = (1, 1)  # columns and rows of the grid on which decisions are taken: exact if linear
FINE, COARSE = (100, 75), (52, 39)  # coarse where there is much to compute at each place
MAX_FINE_WORK = 6, 1000  # classes, as the work grows with their square, and support vectors
LONG_NUMBER = r"\d+\.\d{6,}(e-?\d+)?"


class TrainedMachine(NamedTuple):
    """A trained machine.

    decisions takes rows to the decisions of each row, one for each pair of classes, above 0 for
    the earlier class.
    """

    classes: list[Any]
    vectors: list[Any]
    decisions: Callable[[Any], Any] | None
    is_linear: bool  # f is
    about: str
    task: str = "classes"
    coefs: Vector = []  # of the vectors, where there is one decision
    epsilon: float | None = None  # of a regression, where it is known

    @property
    def features(self) -> int:
        """How many there must be."""
        return 1 if self.task == "regression" else 2


EMPTY_MACHINE = TrainedMachine([], [], None, False, "")


def trained_machine_of(fitted: object, C: object = None) -> TrainedMachine:
    """Return what a picture needs: of an estimator its own C counts, of a model the C given.

    Raises
    ------
    TypeError or ValueError
        for what is no trained machine, and for one whose rows are no points of the plane

    >>> trained_machine_of(Model(0.5, [1.0], [[3.0, 4.0]], Linear(), [3.0, 4.0]), C=10).about
    'Linear(), C = 10, 1 support vector'
    """
    model, others = fitted_model(fitted), []
    if model is not fitted:
        C, others = vars(fitted).get("C"), _tube_text(fitted)
    _require_model(model)
    task = task_of(model)
    _require_points(model, 1 if task == "regression" else 2)
    vectors = _kept_vectors(model)
    if type(model.offsets[0] if isinstance(model, OneAgainstOne) else model[0]) is Fraction:
        model = model.to(float)  # thousands of places are decided, and a picture has few digits
    # With the linear kernel, too, f of a ball is quadratic: it falls with the squared distance.
    is_linear = type(model.kernel) is Linear and not isinstance(model, BallModel)
    about = subtitle(model.kernel, C, vectors, others)
    if isinstance(model, OneAgainstOne):
        every = list(model.classes)
        return TrainedMachine(every, vectors or [], model.decisions, is_linear, about)

    def decisions(X: object) -> Any:
        return [[f] for f in model.decisions(X)]

    return TrainedMachine(
        [] if task == "regression" else [1, -1],
        vectors or [],
        decisions,
        is_linear,
        about,
        task,
        list(model.coef),
        _tube_width(fitted),
    )


def _tube_width(fitted: object) -> float | None:
    """Return epsilon of a regression: what fit found, or what was given; None if not known."""
    width = getattr(fitted, "epsilon_", getattr(fitted, "epsilon", None))
    return None if width is None else float(width)


def task_of(model: Any) -> str:
    """Return what a model is for, as a TrainedMachine says it."""
    if isinstance(model, RegressionModel):
        return "regression"
    return "outliers" if isinstance(model, (OneClassModel, BallModel)) else "classes"


def _tube_text(machine: Any) -> list[str]:
    """Return nu and epsilon of an estimator that has them, in words."""
    return [
        f"{name} = {float(v):.6g}"
        for name in ("nu", "epsilon")
        if (v := vars(machine).get(name)) is not None
    ]


def _kept_vectors(model: Model | OneAgainstOne) -> list[Any] | None:
    """Return the support vectors; None of a LinearSVC or LinearSVR, which keeps w only."""
    has_weights = getattr(model, "svm_type", None) in LINEAR_TYPES
    return None if has_weights else list(model.vectors)


def _require_model(model: Any) -> None:
    """Raise TypeError or ValueError unless this is a trained model."""
    if isinstance(model, (Model, OneAgainstOne, BallModel)):
        return
    needed = "a Model, a OneAgainstOne, a BallModel or a fitted estimator of refsvm is needed"
    if callable(getattr(model, "model", None)):
        needed += "; its model() is one"
    elif hasattr(model, "steps"):
        needed += "; give the estimator inside it, and rows as they reach that"
    elif isinstance(model, BaseEstimator) or type(model).__module__.startswith("refsvm.sklearn"):
        raise ValueError(f"model is {quote(model)}, which is not fitted; call fit(X, y) first")
    raise TypeError(f"model is {quote(model)}; {needed}")


def features_shown(features: int) -> str:
    """Return how many features a picture shows, in words."""
    return f"a picture {'of a regression shows one' if features == 1 else 'shows two features'}"


def _require_points(model: Model | OneAgainstOne | BallModel, features: int) -> None:
    """Refuse a model whose support vectors are no points of the plane, or of a line."""
    first = next(iter(model.vectors), None)
    if isinstance(model.kernel, Precomputed):
        raise ValueError("model has kernel values and no features; a picture shows two")
    if isinstance(first, str):
        raise ValueError("model has strings for rows; a picture shows two features")
    if first is not None and len(first) != features:
        count, shown = f"{len(first)} feature{'s' * (len(first) != 1)}", features_shown(features)
        raise ValueError(f"model has {count}; {shown.removesuffix(' features')}")


def subtitle(
    kernel: Kernel, C: object, vectors: Rows | None = None, others: Iterable[str] = ()
) -> str:
    """Return the line below the title: kernel, C, other parameters, count of support vectors."""
    words = [_kernel_text(kernel), *_penalty_text(C), *others]
    if vectors is not None:
        words.append(f"{len(vectors):,} support vector{'s' * (len(vectors) != 1)}")
    return ", ".join(words)


def _kernel_text(kernel: Any) -> str:
    """Return a kernel in words, its numbers in short: a function of the caller's has its name.

    >>> from refsvm.kernels.standard import Polynomial
    >>> _kernel_text(Polynomial(2, gamma=1 / 3)), _kernel_text(max)
    ('Polynomial(degree=2, gamma=0.333333, coef0=0.0)', 'max(x, z)')
    """
    name = getattr(kernel, "__name__", None)
    text = f"{name}(x, z)" if name else repr(kernel)
    return shorten(re.sub(LONG_NUMBER, lambda found: f"{float(found[0]):.6g}", text))


def _penalty_text(C: object) -> list[str]:
    """Return C in words, alone in a list; nothing where it is not known.

    >>> _penalty_text(0.1), _penalty_text([1, 2.5, 1]), _penalty_text(None)
    (['C = 0.1'], ['C = 1 to 2.5'], [])
    """
    if C is None:
        return []
    every: Iterable[Any] = C if isinstance(C, list) else [C]
    low, high = min(every), max(every)
    ends = [f"{float(c):.6g}" if c != inf else "inf" for c in (low, high)]
    return ["C = " + " to ".join(dict.fromkeys(ends))]


def decision_grids(frame, machine, grid):
    """Return for each pair of classes the grid of its decisions, rows from the top."""
    if not machine.classes:
        return []
    columns, rows = ONE_CELL if machine.is_linear else grid
    us, vs = cell_ends(*frame.u, columns), cell_ends(*frame.v, rows)[::-1]
    decisions = zip(*machine.decisions([[u, v] for v in vs for u in us]))
    wide = len(us)
    return [[f[start : start + wide] for start in range(0, len(f), wide)] for f in decisions]


def grid_size(machine):
    """Return the columns and rows of the grid that a machine needs, if it is not linear."""
    classes, vectors = MAX_FINE_WORK
    return FINE if len(machine.classes) <= classes and len(machine.vectors) <= vectors else COARSE


def grid_places(frame, field):
    """Return x of the columns and y of the rows of a grid of decisions."""
    xs = cell_ends(frame.left, frame.left + WIDTH, len(field[0]) - 1)
    return xs, cell_ends(TOP, TOP + HEIGHT, len(field) - 1)
