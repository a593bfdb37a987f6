"""Training one against the rest: a linear machine for each class, by dual coordinate descent.

For two classes there is one machine, with y = +1 for the later class. For more, machine c has
y = +1 for class c and y = -1 for all others, and penalties that are those of scikit-learn: the
weight of a class counts where it is the one, and not where it is among the rest.

    kind         float or Fraction         present    the indices of the rows whose weight is not 0
    members      for each class the indices of its rows, among all rows given
    constant     what stands behind the numbers of each row, whose weight times it is the offset;
                 None: there is no offset (svm/constant_feature.py)
    alpha, w     of one machine: its multipliers; its weights, that of the constant included

Source: Fan, Chang, Hsieh, Wang and Lin, LIBLINEAR: A Library for Large Linear Classification, JMLR
9 (2008), for what is solved; Pedregosa et al., Scikit-learn (2011), for what the parameters mean.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import compress
from math import inf
from typing import Any, NamedTuple

from ..kernels.gram_matrices import rows_for
from ..kernels.standard import Linear
from ..numerics.linalg import total
from ..numerics.picks import shuffled_passes
from ..numerics.powers_of_two import in_ordinary_unit
from ..numerics.quoting import quote
from ..numerics.sparse_rows import aligned
from ..numerics.types import Kind, Label, Number, RowsLike, Vector
from ..numerics.validation import not_negative, number_kind, positive
from ..solvers.dual_coordinate_descent import dual_coordinate_descent
from ..svm.constant_feature import offset_apart, with_constant
from ..svm.conventions import from_squares
from ..svm.model import SolutionFields
from ..svm.problem import Problem
from .labels import classes_of, plain_labels
from .training_data import penalties, weights, weights_of_classes


class LinearTrainingSet(NamedTuple):
    """A training set of a LinearSVC, checked and converted."""

    rows: Any  # all that were given, as lists or packed; all numbers of one kind
    present: list[int]
    classes: list[Label]  # sorted
    members: list[list[int]]
    C: list[Vector]  # the penalty of every row, for each machine
    kind: Kind
    constant: Number | None
    slack: str


class LinearMachine(NamedTuple):
    """One trained machine."""

    w: Vector
    b: Number
    solution: SolutionFields


def training_set(svc: Any, X: RowsLike, y: Any, sample_weight: Any) -> LinearTrainingSet:
    """Return the LinearTrainingSet of a LinearSVC's parameters and of what its fit was given."""
    kind = number_kind(X, numbers_beside(svc, sample_weight))
    rows = aligned(rows_for(X, "X", kind, Linear()))
    return training_set_of(svc, rows, y, sample_weight, kind)


def training_set_of(
    svc: Any, rows: Any, y: Any, sample_weight: Any, kind: Kind
) -> LinearTrainingSet:
    """Return the LinearTrainingSet, once the rows are read."""
    y = plain_labels(y, len(rows))
    sample_weight = weights(kind, sample_weight, len(rows))
    present = list(compress(range(len(rows)), sample_weight))
    classes, members = classes_of(y, present)
    is_word = isinstance(svc.class_weight, str)
    counts = weight_of_rows(members, sample_weight, kind) if is_word else []
    class_weights = weights_of_classes(svc.class_weight, classes, counts, kind)
    C, slack = positive(kind, svc.C, "C", infinite=True), "hinge"
    if svc.loss == "squared_hinge":
        C, slack = C if C == inf else from_squares(C).C, "squared"
    of_machines = [class_weights] if len(classes) == 2 else alone(class_weights)
    constant = positive(kind, svc.intercept_scaling, "intercept_scaling")
    return LinearTrainingSet(
        rows=rows,
        present=present,
        classes=classes,
        members=members,
        C=[penalties(C, of_classes, members, sample_weight) for of_classes in of_machines],
        kind=kind,
        constant=constant if svc.fit_intercept else None,
        slack=slack,
    )


def weight_of_rows(members: list[list[int]], sample_weight: Vector, kind: Kind) -> Vector:
    """Return what the rows of each class weigh together, in a unit in which no sum overflows.

    >>> weight_of_rows([[0], [1, 2]], [1.0, 1.0, 0.5], float)
    [1.0, 1.5]
    """
    if kind is float:
        (sample_weight,), _ = in_ordinary_unit([sample_weight])
    return [total(sample_weight[i] for i in rows) for rows in members]


def alone(class_weights: Vector) -> list[Vector]:
    """Return for each class the weights of all classes where that one is against the rest.

    >>> alone([2.0, 3.0, 5.0])
    [[2.0, 1.0, 1.0], [1.0, 3.0, 1.0], [1.0, 1.0, 5.0]]
    """
    places = range(len(class_weights))
    one = type(class_weights[0])(1)
    return [[v if c == j else one for j, v in enumerate(class_weights)] for c in places]


def numbers_beside(svc: Any, sample_weight: Any) -> list[Any]:
    """Return the numbers beside X that decide the kind, also those in class_weight."""
    of_classes = svc.class_weight if isinstance(svc.class_weight, dict) else {}
    return [svc.C, svc.intercept_scaling, sample_weight, list(of_classes.values())]


def rows_to_train(data: LinearTrainingSet) -> list[Any]:
    """Return the rows that are present, with the constant behind them."""
    rows = [data.rows[i] for i in data.present]
    return rows if data.constant is None else with_constant(rows, data.constant)


def train_machines(
    data: LinearTrainingSet,
    tol: Number,
    max_iter: int,
    seed: int,
    rows_of: Callable[[LinearTrainingSet], Any] = rows_to_train,
    problem_of: Callable[..., Problem] = Problem.from_validated,
    passes_of: Callable[[int, int, int], Iterator[int]] = shuffled_passes,
    solve: Callable[..., Any] = dual_coordinate_descent,
) -> list[LinearMachine]:
    """Train the machine of two classes, or one for each class; return them in their order.

    Each makes at most max_iter passes over its examples, in an order that begins at this seed.
    Raises ValueError for a tol below zero, or where a machine has no answer.

    refsvm_fast gives its own functions.
    """
    tol, rows, n = not_negative(data.kind, tol, "tol"), rows_of(data), len(data.present)

    def train(c: int, C: Vector) -> LinearMachine:
        ones = set(data.members[c])
        y = [1 if i in ones else -1 for i in data.present]
        chosen = [C[i] for i in data.present]
        problem = problem_of(data.kind, rows, y, Linear(), chosen, False, data.slack)
        try:
            solution = solve(problem, passes_of(n, max_iter, seed), tol)
            w, b = problem.weights(solution.alpha), data.kind(0)
            if data.constant is not None:
                w, b = offset_apart(w, data.constant)
        except ValueError as error:
            raise ValueError(f"training {names_of(data.classes)[c - first]}: {error}") from error
        return LinearMachine(w, b, SolutionFields(*solution))

    first = 1 if len(data.classes) == 2 else 0
    return [train(c, C) for c, C in enumerate(data.C, first)]


def names_of(classes: list[Any]) -> list[str]:
    """Return what the machines are called in a sentence.

    >>> names_of(["low", "high"]), names_of([1, 2, 3])[2]
    (["the classes 'low' and 'high'"], 'class 3 against the rest')
    """
    if len(classes) == 2:
        return [f"the classes {quote(classes[0])} and {quote(classes[1])}"]
    return [f"class {quote(c)} against the rest" for c in classes]
