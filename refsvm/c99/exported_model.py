"""What of a model a C file holds: the tables, checked, in one form for two classes and for more.

rows       what x is compared with: for a linear machine the weights, a row for each pair of
           classes, or the centre of a ball; otherwise the support vectors
           without any, as in some regressions, the decision value is a constant
coefs      for each support vector the factors of its kernel value, one for each class but its
           own, in their order; None for a linear machine
offsets    b of each pair of classes, in the order of one_vs_one.py; of a ball R^2
counts     how many support vectors each class has; None except for a OneAgainstOne
labels     of the classes; None where the prediction is +1 or -1, or a value
kernel     with its parameters as floats
task       what the model is for
norm2      |c|^2 of the centre of a ball; None for the others
features   how many numbers x has; 0 where it is not known, for there is no row to compare x with
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Literal, NamedTuple

from ..kernels.base import Kernel, as_kernel
from ..kernels.standard import Linear
from ..numerics.validation import matrix, number_kind, to_number, vector, whole_number
from ..svm.ball_problem import BallModel
from ..svm.model import Model
from ..svm.one_class_problem import OneClassModel
from ..svm.one_vs_one import OneAgainstOne, pair_terms, pair_weights, pairs
from ..svm.regression_problem import RegressionModel
from .kernel_functions import refuse_unless_formula

Task = Literal["two classes", "many classes", "regression", "one class", "ball"]


class ExportedModel(NamedTuple):
    """The numbers of a C file; see the top of this module."""

    rows: list[list[Any]]  # floats, as all numbers here
    coefs: list[list[Any]] | None
    offsets: list[Any]
    counts: list[int] | None
    labels: list[Any] | None
    kernel: Kernel
    task: Task
    norm2: Any = None  # a float
    features: int = 0


def exported_model(
    model: Model | OneAgainstOne | BallModel, features: int | None = None
) -> ExportedModel:
    """Return what a C file holds of a model; anything C cannot hold is refused.

    features: how many a row has, which a model without support vectors does not know.
    """
    if not isinstance(model, (Model, OneAgainstOne, BallModel)):
        raise TypeError(
            f"model is a {type(model).__name__}; a Model, a OneAgainstOne or a BallModel is"
            " needed, or an estimator that is fitted"
        )
    kernel = as_kernel(model.kernel)
    refuse_unless_formula(kernel)
    if number_kind([list(model), kernel.parameters()]) is Fraction:
        raise TypeError(
            "model holds Fractions, and C has none; export model.to(float), which decides by"
            " rounded numbers"
        )
    if isinstance(model, RegressionModel) and not model.vectors and model.w is None:
        _refuse_unless_as_long(model.coef, "coef", 0)
        b = to_number(float, model.b, "b")
        return ExportedModel(
            [], None, [b], None, None, Linear(), "regression", features=features or 0
        )
    if not model.vectors and getattr(model, "w", None) is None:
        raise ValueError("model has no support vector; one is needed, and C has no empty tables")
    found = _of_vectors(model, kernel)
    return found._replace(features=len(found.rows[0]))


def _of_vectors(model: Model | OneAgainstOne | BallModel, kernel: Kernel) -> ExportedModel:
    """Return the ExportedModel of a model with support vectors or weights."""
    if isinstance(model, OneAgainstOne):
        return of_many(model._replace(kernel=kernel))
    if isinstance(model, BallModel):
        radius2 = to_number(float, model.radius2, "radius2")
        norm2 = to_number(float, model.w_norm2, "w_norm2")
        return of_one(model, radius2, kernel.to(float), "ball")._replace(norm2=norm2)
    return of_one(model, to_number(float, model.b, "b"), kernel.to(float), task_of(model))


def task_of(model: Model) -> Task:
    """Return what a Model is for."""
    if isinstance(model, RegressionModel):
        return "regression"
    return "one class" if isinstance(model, OneClassModel) else "two classes"


def of_one(model: Model | BallModel, offset: Any, kernel: Kernel, task: Task) -> ExportedModel:
    """Return what is held of a model with one decision value; the kernel is given in floats."""
    if model.w is not None:
        rows = [vector(model.w, "w", float)]
        return ExportedModel(rows, None, [offset], None, None, kernel, task)
    coef = vector(model.coef, "coef", float)
    _refuse_unless_as_long(coef, "coef", len(model.vectors))
    rows = matrix(model.vectors, "vectors", float)
    return ExportedModel(rows, [[c] for c in coef], [offset], None, None, kernel, task)


def of_many(model: OneAgainstOne) -> ExportedModel:
    """Return the ExportedModel of a OneAgainstOne."""
    model = model.to(float)
    k, V = len(model.classes), len(model.vectors)
    if k < 2:
        raise ValueError(f"classes has length {k}; there must be at least 2")
    _refuse_unless_as_long(model.counts, "counts", k)
    _refuse_unless_as_long(model.coefs, "coefs", k - 1)
    _refuse_unless_as_long(model.coefs[0], "coefs[0]", V)
    _refuse_unless_as_long(model.offsets, "offsets", k * (k - 1) // 2)
    counts = [whole_number(n, f"counts[{c}]", 0) for c, n in enumerate(model.counts)]
    if sum(counts) != V:  # exact
        raise ValueError(f"counts adds up to {sum(counts)}; there are {V} vectors")  # exact
    rows, coefs = model.vectors, [list(of_vector) for of_vector in zip(*model.coefs)]
    if type(model.kernel) is Linear:
        rows = [pair_weights(model, pair_terms(model, p, q)) for p, q in pairs(k)]
        coefs = None
    kernel = as_kernel(model.kernel)
    task: Task = "two classes" if k == 2 else "many classes"
    return ExportedModel(rows, coefs, model.offsets, counts, list(model.classes), kernel, task)


def _refuse_unless_as_long(values: Sequence[Any], name: str, length: int) -> None:
    """ValueError for a table of another length than the others ask for."""
    if len(values) != length:
        raise ValueError(f"{name} has length {len(values)}; it must be {length}")
