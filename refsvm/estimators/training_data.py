"""The training set of an SVC, checked and converted: rows, classes, penalties and the kernel.

All bad input is refused here, before any work. From here on a class is a place in the sorted list
of classes, and an example is the index of its row.

    classes     the distinct labels, sorted          members   the indices of each class's rows
    present     the rows whose weight is not 0: a row of weight 0 is as if it were not there,
                except that it keeps its index
    penalty     C_i = C * weight of the class * weight of the row

Source: Pedregosa et al., Scikit-learn: Machine Learning in Python (2011), for what the parameters
mean; the words "scale", "auto" and "balanced" are its.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from itertools import compress
from math import inf
from typing import Any, NamedTuple

from ..kernels.base import Kernel, as_kernel
from ..kernels.gram_matrices import refuse_if_numbers, refuse_if_string, rows_for
from ..kernels.standard import Gaussian, Linear, Polynomial, Precomputed, Sigmoid
from ..numerics.conversion import as_lists
from ..numerics.linalg import dot, squared_distance, total
from ..numerics.types import Kind, Label, Number, Row, RowsLike, Vector
from ..numerics.validation import (
    check_length,
    number_kind,
    one_of,
    positive,
    sequence,
    vector,
)
from ..svm.column_shift import shift_of
from ..svm.training_set import require_gram

KERNELS = ("linear", "poly", "rbf", "sigmoid", "precomputed")


class TrainingSet(NamedTuple):
    """A training set, checked and converted."""

    rows: list[Row]  # all numbers of one kind
    classes: list[Label]  # sorted
    members: list[list[int]]  # for each class the indices of its rows, those of weight 0 left out
    C: Vector  # the penalty of every row
    class_weights: Vector
    kernel: Kernel
    kind: Kind
    shift: Vector | None = None  # of the rows of all pairs (svm/problem.py), if they have one


def training_set(svc: Any, X: RowsLike, y: Any, sample_weight: Any) -> TrainingSet:
    """Return the TrainingSet of an SVC's parameters and of what its fit was given."""
    kind = number_kind(X, numbers_beside(svc, sample_weight))
    return training_set_of(svc, rows_for(X, "X", kind), y, sample_weight, kind)


def training_set_of(
    svc: Any,
    rows: list[Any],
    y: Any,
    sample_weight: Any,
    kind: Kind,
    variance_at: Callable[..., Number] | None = None,
    shift_at: Callable[..., Vector | None] | None = None,
) -> TrainingSet:
    """Return the TrainingSet, once the rows are read.

    refsvm_fast gives its own variance_at and shift_at, functions of (rows, present, kind).
    """
    first = rows[0]
    if isinstance(first, str) and isinstance(svc.kernel, str):
        raise TypeError(f"X[0] is {first!r}; the kernel {svc.kernel!r} needs rows of numbers")
    y = plain_labels(y, len(rows))
    sample_weight = weights(kind, sample_weight, len(rows))
    present = list(compress(range(len(rows)), sample_weight))
    classes, members = classes_of(y, present)
    class_weights = weights_of_classes(svc.class_weight, classes, members, kind)
    C = penalties(positive(kind, svc.C, "C", infinite=True), class_weights, members, sample_weight)
    kernel = kernel_for(svc, rows, present, kind, variance_at or variance_of).to(kind)
    refuse_if_string(kernel, first, "X[0]")
    refuse_if_numbers(kernel, first, "X[0]")
    if isinstance(kernel, Precomputed):
        require_gram(rows)
    shift = (shift_at or common_shift)(rows, present, kind) if type(kernel) is Linear else None
    return TrainingSet(rows, classes, members, C, class_weights, kernel, kind, shift)


def numbers_beside(svc: Any, sample_weight: Any) -> list[Any]:
    """Return the numbers beside X that decide the kind, also those in class_weight and kernel."""
    of_classes = svc.class_weight if isinstance(svc.class_weight, dict) else {}
    of_kernel = svc.kernel.parameters() if isinstance(svc.kernel, Kernel) else []
    return [svc.C, svc.gamma, svc.coef0, sample_weight, list(of_classes.values()), of_kernel]


def takes_gram(kernel: object) -> bool:
    """Tell whether the rows of X are those of a Gram matrix, by SVC's parameter `kernel`.

    The parameter may be anything: an array compared with a word would be no truth value.
    """
    return isinstance(kernel, Precomputed) or isinstance(kernel, str) and kernel == "precomputed"


def plain_labels(y: Any, n: int) -> list[Any]:
    """Return the n labels as Python objects; NumPy's scalars become those.

    >>> plain_labels([1, [2]], 2)
    Traceback (most recent call last):
      ...
    TypeError: y[1] is [2]; a label must be a single value, one that can be hashed
    """
    y = list(sequence(y, "y"))
    check_length(y, n, "y")
    if any(hasattr(cls, "dtype") for cls in set(map(type, y))):
        y = [as_lists(label) if hasattr(label, "dtype") else label for label in y]
    try:
        fit = all(label == label for label in set(y))
    except (TypeError, ValueError):  # the latter of a memoryview that can be written to
        fit = False
    if not fit:
        refuse_label(y)
    return y


def refuse_label(y: list[Any]) -> None:
    """Raise the error of the first label that cannot be hashed, or is not equal to itself."""
    for i, label in enumerate(y):
        try:
            hash(label)
        except (TypeError, ValueError):
            raise TypeError(
                f"y[{i}] is {label!r}; a label must be a single value, one that can be hashed"
            ) from None
        if label != label:
            raise ValueError(f"y[{i}] is {label!r}; a label must be equal to itself")


def classes_of(y: list[Any], present: list[int]) -> tuple[list[Any], list[list[int]]]:
    """Return (classes, members) of the rows present.

    classes are the distinct labels, sorted, at least two; members holds for each of them the
    indices of its rows, which grow.

    >>> classes_of(["b", "a", "b"], [0, 1, 2])
    (['a', 'b'], [[1], [0, 2]])
    >>> classes_of(["b", "a", "b"], [0, 2])
    Traceback (most recent call last):
      ...
    ValueError: y holds the label 'b' only, among the rows of positive weight; two are needed
    """
    members: dict[Any, list[int]] = defaultdict(list)
    for i in present:
        members[y[i]].append(i)
    if len(members) < 2:
        only = f"the label {y[present[0]]!r} only" if present else "no label"
        where = ", among the rows of positive weight" if len(present) < len(y) else ""
        raise ValueError(f"y holds {only}{where}; two are needed")
    try:
        classes = sorted(members)
    except TypeError:
        types = ", ".join(sorted({type(label).__name__ for label in members}))
        raise TypeError(
            f"y holds labels of the types {types}; labels must be of types that can be sorted"
        ) from None
    return classes, [members[label] for label in classes]


def weights(kind: Kind, sample_weight: Any, n: int) -> Vector:
    """Return a weight for each of n rows, 1 if none are given; none is negative."""
    if sample_weight is None:
        return [kind(1)] * n
    sample_weight = vector(sample_weight, "sample_weight", kind)
    check_length(sample_weight, n, "sample_weight")
    for i, weight in enumerate(sample_weight):
        if weight < 0:
            raise ValueError(f"sample_weight[{i}] is {weight}; it must not be negative")
    return sample_weight


def weights_of_classes(
    class_weight: Any, classes: list[Any], members: list[list[int]], kind: Kind
) -> Vector:
    """Return the weight of each class; "balanced" counts rows, whatever they weigh."""
    if isinstance(class_weight, str):
        one_of(class_weight, ("balanced",), "class_weight")
        counts = [len(rows) for rows in members]
        n = sum(counts)  # exact
        return [kind(n) / (len(classes) * count) for count in counts]
    if class_weight is None:
        return [kind(1) for _ in classes]
    if not isinstance(class_weight, dict):
        raise TypeError(
            f"class_weight is {class_weight!r}; None, 'balanced' or a dict of weights is needed"
        )
    for label in class_weight:
        if label not in classes:
            raise ValueError(f"class_weight has the key {label!r}; the classes are {classes!r}")
    return [
        positive(kind, class_weight.get(label, 1), f"class_weight[{label!r}]") for label in classes
    ]


def penalties(
    C: Number, class_weights: Vector, members: list[list[int]], sample_weight: Vector
) -> Vector:
    """Return C times the weight of the class times that of the row, for every row; 0 if absent."""
    if set(class_weights) == set(sample_weight) == {1}:
        return [C] * len(sample_weight)
    of_row: Vector = [0 * weight for weight in sample_weight]
    for class_weight, rows in zip(class_weights, members):
        of_class = C * class_weight
        for i in rows:
            of_row[i] = penalty = of_class * sample_weight[i]
            if penalty == 0 or penalty == inf != C:
                raise ValueError(
                    f"C * class_weight * sample_weight of X[{i}] is {penalty}; it must be"
                    " positive and finite"
                )
    return of_row


def kernel_for(
    svc: Any, rows: list[Any], present: list[int], kind: Kind, variance_at: Callable[..., Number]
) -> Kernel:
    """Return the kernel object that the parameters of SVC mean, for the rows present."""
    if not isinstance(svc.kernel, str):
        return as_kernel(svc.kernel)
    one_of(svc.kernel, KERNELS, "kernel")
    if svc.kernel in ("linear", "precomputed"):
        return Linear() if svc.kernel == "linear" else Precomputed()
    gamma = gamma_for(svc.gamma, rows, present, kind, variance_at)
    if svc.kernel == "rbf":
        return Gaussian(gamma)
    if svc.kernel == "sigmoid":
        return Sigmoid(gamma, svc.coef0)
    return Polynomial(svc.degree, gamma, svc.coef0)


def gamma_for(
    gamma: str | Number,
    rows: list[Any],
    present: list[int],
    kind: Kind,
    variance_at: Callable[..., Number],
) -> Number:
    """Return gamma as a number: "scale", "auto" or the positive number given."""
    if not isinstance(gamma, str):
        return positive(kind, gamma, "gamma")
    one_of(gamma, ("scale", "auto"), "gamma")
    spread = kind(1) if gamma == "auto" else variance_at(rows, present, kind)
    return 1 / (len(rows[0]) * spread) if spread != 0 else kind(1)


def common_shift(rows: list[Any], present: list[int], kind: Kind) -> Vector | None:
    """Return the shift of the rows present, the same for all pairs of classes.

    What is computed of a row for one pair holds then for the others.
    """
    return shift_of([rows[i] for i in present], kind)


def variance_of(rows: list[Any], present: list[int], kind: Kind) -> Number:
    """Return the variance of the rows present."""
    return variance([rows[i] for i in present], kind)


def variance(rows: list[Vector], kind: Kind) -> Number:
    """Return the mean squared distance of all numbers from their mean; each row sums by itself.

    They are measured from the first number, so that equal numbers have variance 0 exactly.

    >>> variance([[1.0, 2.0], [3.0, 6.0]], float)
    3.5
    """
    first, d = rows[0][0], len(rows[0])
    ones, count = [1] * d, kind(len(rows) * d)
    excess = total(dot(ones, [value - first for value in row]) for row in rows)
    mean = [first + excess / count] * d
    return total(squared_distance(row, mean) for row in rows) / count
