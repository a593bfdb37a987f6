"""What a picture needs to know of a machine, whatever the machine is.

scene    of a model, or of a fitted estimator of any of the packages
about    its kernel, its C, nu, epsilon where they are known, its count of support vectors
task     "classes"; "regression", of one feature; "outliers", which one class and the ball tell
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from fractions import Fraction
from math import inf
from typing import Any, NamedTuple

from ..estimators.estimator import BaseEstimator
from ..files.fitted import model_of
from ..kernels.standard import Linear, Precomputed
from ..numerics.quoting import quote, shorten
from ..svm.ball_problem import BallModel
from ..svm.model import Model
from ..svm.one_class_problem import OneClassModel
from ..svm.one_vs_one import OneAgainstOne
from ..svm.regression_problem import RegressionModel

LONG_NUMBER = r"\d+\.\d{6,}(e-?\d+)?"


class Scene(NamedTuple):
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
    coefs: list[Any] = []  # of the vectors, where there is one decision
    epsilon: float | None = None  # of a regression, where it is known

    @property
    def features(self) -> int:
        """How many there must be."""
        return 1 if self.task == "regression" else 2


NOTHING = Scene([], [], None, False, "")


def scene_of(machine: Any, C: Any = None) -> Scene:
    """Return the Scene of a machine; of an estimator its own C counts, of a model the C given.

    Raises
    ------
    TypeError or ValueError
        for what is no trained machine, and for one whose rows are no points of the plane

    >>> scene_of(Model(0.5, [1.0], [[3.0, 4.0]], Linear(), [3.0, 4.0]), C=10).about
    'Linear(), C = 10, 1 support vector'
    """
    model, others = model_of(machine), []
    if model is not machine:
        C, others = vars(machine).get("C"), _tube_text(machine)
    _require_model(model)
    task = task_of(model)
    _require_points(model, 1 if task == "regression" else 2)
    vectors = support_vectors(machine, model)
    if type(model.offsets[0] if isinstance(model, OneAgainstOne) else model[0]) is Fraction:
        model = model.to(float)
    is_linear = type(model.kernel) is Linear and not isinstance(model, BallModel)
    about = describe(model.kernel, C, vectors, others)
    if isinstance(model, OneAgainstOne):
        return Scene(list(model.classes), vectors or [], model.decisions, is_linear, about)

    def decisions(X: Any) -> Any:
        return [[f] for f in model.decisions(X)]

    classes = [] if task == "regression" else [1, -1]
    width = getattr(machine, "epsilon_", getattr(machine, "epsilon", None))
    epsilon = None if width is None else float(width)
    coefs = list(model.coef)
    return Scene(classes, vectors or [], decisions, is_linear, about, task, coefs, epsilon)


def task_of(model: Any) -> str:
    """Return what a model is for, as a Scene says it."""
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


def support_vectors(machine: Any, model: Model | OneAgainstOne) -> list[Any] | None:
    """Return the support vectors; None of a LinearSVC, which keeps w only."""
    is_known = model is machine or hasattr(machine, "kernel")
    return list(model.vectors) if is_known else None


def _require_model(model: Any) -> None:
    """Refuse what is no model."""
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


def shows(features: int) -> str:
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
        count = f"{len(first)} feature{'s' * (len(first) != 1)}"
        raise ValueError(f"model has {count}; {shows(features).removesuffix(' features')}")


def describe(
    kernel: Any, C: Any, vectors: list[Any] | None = None, others: Iterable[str] = ()
) -> str:
    """Return what is said below the title: the kernel, C, others, the count of support vectors."""
    words = [kernel_text(kernel), *penalty_text(C), *others]
    if vectors is not None:
        words.append(f"{len(vectors):,} support vector{'s' * (len(vectors) != 1)}")
    return ", ".join(words)


def kernel_text(kernel: Any) -> str:
    """Return a kernel in words, its numbers in short: a function of the caller's has its name.

    >>> from refsvm.kernels.standard import Polynomial
    >>> kernel_text(Polynomial(2, gamma=1 / 3)), kernel_text(max)
    ('Polynomial(degree=2, gamma=0.333333, coef0=0.0)', 'max(x, z)')
    """
    name = getattr(kernel, "__name__", None)
    text = f"{name}(x, z)" if name else repr(kernel)
    return shorten(re.sub(LONG_NUMBER, lambda found: f"{float(found[0]):.6g}", text))


def penalty_text(C: Any) -> list[str]:
    """Return C in words, alone in a list; nothing where it is not known.

    >>> penalty_text(0.1), penalty_text([1, 2.5, 1]), penalty_text(None)
    (['C = 0.1'], ['C = 1 to 2.5'], [])
    """
    if C is None:
        return []
    every: Iterable[Any] = C if isinstance(C, list) else [C]
    low, high = min(every), max(every)
    ends = [f"{float(c):.6g}" if c != inf else "inf" for c in (low, high)]
    return ["C = " + " to ".join(dict.fromkeys(ends))]


def in_order(labels: Iterable[Any]) -> list[Any]:
    """Return the labels of all classes in the order that gives each its sign.

    >>> in_order([7, 2, 2]), in_order(["b", 1])
    ([2, 7], [1, 'b'])
    """
    every = list(dict.fromkeys(labels))
    try:
        return sorted(every)
    except TypeError:  # a model and the data may have labels of two sorts
        return sorted(every, key=lambda label: (type(label).__name__, str(label)))


def class_name(label: Any) -> str:
    """Return what a legend calls a class, if it is not told: a text by itself, others by class.

    >>> class_name("yes"), class_name(-1)
    ('yes', 'class -1')
    """
    return label if isinstance(label, str) else f"class {label}"
