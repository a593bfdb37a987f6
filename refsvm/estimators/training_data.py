"""The training set of an SVC, checked and converted: rows, classes, penalties and the kernel.

All bad input is refused here, before any work. From here on a class is a place in the sorted list
of classes, and an example is the index of its row. labels.py has the classes, kernel_choice.py the
kernel.

    classes     the distinct labels, sorted          members   the indices of each class's rows
    present     the rows whose weight is not 0: a row of weight 0 is as if it were not there,
                except that it keeps its index
    penalty     C_i = C * weight of the class * weight of the row

Source: Pedregosa et al., Scikit-learn: Machine Learning in Python (2011), for what the parameters
mean; the words "scale", "auto" and "balanced" are its.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import compress
from math import inf
from typing import Any, NamedTuple

from ..kernels.base import Kernel
from ..kernels.gram_matrices import refuse_if_numbers, refuse_if_string, rows_for
from ..kernels.standard import Linear, Precomputed
from ..numerics.linalg import total
from ..numerics.options import one_of
from ..numerics.powers_of_two import product
from ..numerics.quoting import quote
from ..numerics.sparse_rows import aligned, narrowed
from ..numerics.types import Kind, Label, Number, Row, RowsLike, Vector
from ..numerics.validation import check_length, number_kind, positive, vector
from ..svm.column_shift import shift_of
from ..svm.training_set import require_gram
from .kernel_choice import VarianceAt, kernel_for, variance_of
from .labels import classes_of, is_true, plain_labels


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
    rows = aligned(rows_for(X, "X", kind))
    return training_set_of(svc, rows, y, sample_weight, kind)


def training_set_of(
    svc: Any,
    rows: list[Any],
    y: Any,
    sample_weight: Any,
    kind: Kind,
    variance_at: VarianceAt = variance_of,
    shift_at: Callable[..., Vector | None] | None = None,
) -> TrainingSet:
    """Return the TrainingSet, once the rows are read.

    refsvm_fast gives its own variance_at and shift_at, functions of (rows, present, kind), and
    rows that are no list: then a Gram matrix is known to be one.
    """
    first = rows[0]
    if isinstance(first, str) and isinstance(svc.kernel, str):
        raise TypeError(
            f"X[0] is {quote(first)}; the kernel {quote(svc.kernel)} needs rows of numbers"
        )
    y = plain_labels(y, len(rows))
    sample_weight = weights(kind, sample_weight, len(rows))
    present = list(compress(range(len(rows)), sample_weight))
    classes, members = classes_of(y, present)
    class_weights = weights_of_classes(svc.class_weight, classes, list(map(len, members)), kind)
    C = penalties(positive(kind, svc.C, "C", infinite=True), class_weights, members, sample_weight)
    kernel = kernel_for(svc, rows, present, kind, variance_at).to(kind)
    refuse_if_string(kernel, first, "X[0]")
    refuse_if_numbers(kernel, first, "X[0]")
    if isinstance(kernel, Precomputed) and type(rows) is list:
        require_gram(rows)
    shift = (shift_at or common_shift)(rows, present, kind) if type(kernel) is Linear else None
    return TrainingSet(rows, classes, members, C, class_weights, kernel, kind, shift)


def numbers_beside(svc: Any, sample_weight: Any) -> list[Any]:
    """Return the numbers beside X that decide the kind, also those in class_weight and kernel."""
    of_classes = svc.class_weight if isinstance(svc.class_weight, dict) else {}
    of_kernel = svc.kernel.parameters() if isinstance(svc.kernel, Kernel) else []
    own = [svc.C, getattr(svc, "nu", None), svc.gamma, svc.coef0]
    return [own, sample_weight, list(of_classes.values()), of_kernel]


def takes_gram(kernel: object) -> bool:
    """Tell whether the rows of X are those of a Gram matrix, by SVC's parameter `kernel`.

    The parameter may be anything: an array compared with a word would be no truth value.
    """
    return isinstance(kernel, Precomputed) or isinstance(kernel, str) and kernel == "precomputed"


def weights(kind: Kind, sample_weight: Any, n: int) -> Vector:
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
    class_weight: Any, classes: list[Any], counts: Vector, kind: Kind
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


def penalties(
    C: Number, class_weights: Vector, members: list[list[int]], sample_weight: Vector
) -> Vector:
    """Return C times the weight of the class times that of the row, for every row; 0 if absent."""
    if set(class_weights) == set(sample_weight) == {1}:
        return [C] * len(sample_weight)
    of_row: Vector = [0 * weight for weight in sample_weight]
    for class_weight, rows in zip(class_weights, members):
        for i in rows:
            of_row[i] = penalty = product(C, class_weight, sample_weight[i])
            if penalty == 0 or penalty == inf != C:
                raise ValueError(
                    f"C * class_weight * sample_weight of X[{i}] is {quote(penalty)}; it must be"
                    " positive and finite"
                )
    return of_row


def common_shift(rows: list[Any], present: list[int], kind: Kind) -> Vector | None:
    """Return the shift of the rows present, the same for all pairs of classes.

    What is computed of a row for one pair holds then for the others.
    """
    _, points = narrowed(rows)
    return shift_of([points[i] for i in present], kind)
