"""The training set of an estimator, checked and converted: rows, weights, labels or values.

All bad input is refused here and in kernel_estimator.py, before any work. From here on a class is
a place in the sorted list of classes (labels.py), and an example is the index of its row.

    classes     the distinct labels, sorted          members   the indices of each class's rows
    present     the rows whose weight is not 0: a row of weight 0 is as if it were not there,
                except that it keeps its index
    penalty     C_i = C * weight of the class * weight of the row

Source: Pedregosa et al., Scikit-learn: Machine Learning in Python (2011), for what the parameters
mean; the word "balanced" is its.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from itertools import compress
from math import inf
from typing import Any, NamedTuple, Union

from ..kernels.base import Kernel
from ..kernels.gram_matrices import rows_for
from ..kernels.standard import Linear
from ..numerics.linalg import total
from ..numerics.powers_of_two import product
from ..numerics.quoting import quote
from ..numerics.sparse_rows import aligned
from ..numerics.types import Kind, Label, Number, Rows, RowsLike, Shaped, Vector, VectorLike
from ..numerics.validation import check_length, number_kind, one_of, positive, vector
from ..svm.dual_form import distinct
from .labels import classes_of, is_true, plain_labels

# The parameters that are numbers of the same kind as those of the rows: Fractions if one is.
NUMBER_PARAMETERS = ("C", "nu", "epsilon", "gamma", "coef0", "intercept_scaling")


Targets = Union[Sequence[Union[Label, Number]], Shaped, None]  # y: labels, values or none
Weights = Union[VectorLike, Shaped, None]  # of the rows


class TrainingSet(NamedTuple):
    """A training set, checked and converted; an estimator fills in what it needs."""

    rows: Any  # all that were given, as lists, or packed by refsvm_fast; all numbers of one kind
    kind: Kind
    weights: Vector  # of every row
    present: list[int]
    kernel: Kernel = Linear()
    y: Vector | None = None  # of regression: the value of every row
    classes: list[Label] = []  # of classifiers, as all that follows
    members: list[list[int]] = []  # those of weight 0 left out
    class_weights: Vector = []
    C: list[Any] = []  # the penalty of every row; in LinearSVC such a list for each machine
    shift: Vector | None = None  # of the rows of all pairs (svm/problem.py), if they have one
    total_weights: list[Fraction] = []  # of each class, in nu-classification

    def present_of(self, values: Any) -> list[Any]:
        """Return the values of the rows that are present, of values for every row; [] of None."""
        if values is None:
            return []
        if len(self.present) == len(values):
            return list(values)
        return [values[i] for i in self.present]


def read_rows(
    X: RowsLike, beside: Sequence[object], kernel: Kernel | None = None
) -> tuple[Any, Kind]:
    """Return the rows of X, and the kind of all numbers: of X, and of those beside it."""
    kind = number_kind(X, beside)
    return aligned(rows_for(X, "X", kind, kernel)), kind


def other_numbers(estimator: object, *arguments: object) -> list[object]:
    """Return the numbers that decide the kind beside X: parameters and arguments of fit."""
    own = [getattr(estimator, name, None) for name in NUMBER_PARAMETERS]
    of_classes = getattr(estimator, "class_weight", None)
    kernel = getattr(estimator, "kernel", None)
    return [
        own,
        list(of_classes.values()) if isinstance(of_classes, dict) else [],
        kernel.parameters() if isinstance(kernel, Kernel) else [],
        *arguments,
    ]


def labelled_rows(rows: Any, kind: Kind, y: Targets, sample_weight: Weights) -> TrainingSet:
    """Return the TrainingSet of rows with labels, of which those present have two classes."""
    labels = plain_labels(y, len(rows))
    weights = row_weights(kind, sample_weight, len(rows))
    present = list(compress(range(len(rows)), weights))
    classes, members = classes_of(labels, present)
    return TrainingSet(rows, kind, weights, present, classes=classes, members=members)


def valued_rows(rows: Rows, kind: Kind, y: Targets, sample_weight: Weights) -> TrainingSet:
    """Return the TrainingSet of rows with values, or with none if y is None."""
    if y is not None:
        y = vector(y, "y", kind)
        check_length(y, len(rows), "y")
    weights = row_weights(kind, sample_weight, len(rows))
    present = list(compress(range(len(rows)), weights))
    if not present:
        raise ValueError("sample_weight is 0 for every row; one must be positive")
    return TrainingSet(rows, kind, weights, present, y=y)


def row_weights(kind: Kind, sample_weight: Weights, n: int) -> Vector:
    """Return a weight for each of n rows, 1 if none are given; none is negative."""
    if sample_weight is None:
        return [kind(1)] * n
    sample_weight = vector(sample_weight, "sample_weight", kind)
    check_length(sample_weight, n, "sample_weight")
    for i, weight in enumerate(sample_weight):
        if weight < 0:
            raise ValueError(f"sample_weight[{i}] is {quote(weight)}; it must not be negative")
    return sample_weight


def weights_of_classes(
    class_weight: object, classes: list[Label], counts: Vector, kind: Kind
) -> Vector:
    """Return the weight of each class; "balanced" makes them equal in count times weight.

    >>> weights_of_classes("balanced", ["a", "b"], [1, 3], float)
    [2.0, 0.6666666666666666]
    """
    if isinstance(class_weight, str):
        one_of(class_weight, ("balanced",), "class_weight")
        whole = kind(total(counts))
        return [whole / (len(classes) * count) for count in counts]
    if class_weight is None:
        return [kind(1) for _ in classes]
    if not isinstance(class_weight, dict):
        raise TypeError(
            f"class_weight is {quote(class_weight)}; None, 'balanced' or a dict of weights is"
            " needed"
        )
    known = set(classes)
    for label in class_weight:
        if not is_true(partial(known.__contains__, label)):
            raise ValueError(
                f"class_weight has the key {quote(label)}; the classes are {quote(classes)}"
            )
    return [
        positive(kind, class_weight.get(label, 1), f"class_weight[{quote(label)}]")
        for label in classes
    ]


def penalties_of_rows(
    C: Number, class_weights: Vector, members: list[list[int]], sample_weight: Vector
) -> Vector:
    """Return C times class weight times row weight for every row; 0 for an absent row.

    Of regression all rows that are present are of one class.
    """
    if set(class_weights) == set(distinct(sample_weight)) == {1}:  # the common case
        return [C] * len(sample_weight)
    of_row: Vector = [0 * weight for weight in sample_weight]
    for class_weight, rows in zip(class_weights, members):
        for i in rows:
            of_row[i] = penalty = product(C, class_weight, sample_weight[i])
            if penalty == 0 or penalty == inf != C:  # beyond the doubles
                factors = "C * class_weight" if members[1:] else "C"
                raise ValueError(
                    f"{factors} * sample_weight of X[{i}] is {quote(penalty)}; it must be"
                    " positive and finite"
                )
    return of_row
