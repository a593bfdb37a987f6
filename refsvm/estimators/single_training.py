"""Training one machine on all rows, as regression, one class and the smallest ball do.

present    the indices of the rows whose weight is not 0: another is as if it were not there,
           except that it keeps its index
weights    of the present rows: each multiplies the largest multiplier of its row
"""

from __future__ import annotations

from itertools import compress
from typing import Any, NamedTuple

from ..kernels.base import Kernel
from ..kernels.gram_matrices import refuse_if_numbers, refuse_if_string, rows_for
from ..kernels.standard import Linear, Precomputed
from ..numerics.quoting import quote
from ..numerics.sparse_rows import aligned
from ..numerics.types import Kind, Row, RowsLike, Vector
from ..numerics.validation import check_length, number_kind, vector
from ..svm.training_set import require_gram
from .kernel_choice import VarianceAt, kernel_for, variance_of
from .training_data import weights as row_weights


class SingleTrainingSet(NamedTuple):
    """A training set, checked and converted."""

    rows: list[Row]  # all, as given; numbers of one kind
    y: Vector | None  # of all rows; None where there is none
    present: list[int]
    weights: Vector
    kernel: Kernel
    kind: Kind

    def present_values(self) -> Vector:
        """Return the y of the rows to train on."""
        return [self.y[i] for i in self.present] if self.y is not None else []


def single_training_set(
    machine: Any, X: RowsLike, y: Any, sample_weight: Any, numbers: list[Any]
) -> SingleTrainingSet:
    """Return the training set of an estimator's parameters and of what its fit was given.

    numbers: parameters that decide the kind of all numbers, beside those of the kernel.
    """
    kind = number_kind(X, numbers_beside(machine, y, sample_weight, numbers))
    rows = aligned(rows_for(X, "X", kind))
    return single_training_set_of(machine, rows, y, sample_weight, kind)


def numbers_beside(machine: Any, y: Any, sample_weight: Any, numbers: list[Any]) -> list[Any]:
    """Return the numbers beside X that decide the kind."""
    of_kernel = machine.kernel.parameters() if isinstance(machine.kernel, Kernel) else []
    return [y, machine.gamma, machine.coef0, sample_weight, numbers, of_kernel]


def single_training_set_of(
    machine: Any,
    rows: list[Any],
    y: Any,
    sample_weight: Any,
    kind: Kind,
    variance_at: VarianceAt = variance_of,
) -> SingleTrainingSet:
    """Return the training set, once the rows are read.

    refsvm_fast gives its own variance_at, and rows that are no list: then a Gram matrix is known
    to be one.
    """
    first = rows[0]
    if isinstance(first, str) and isinstance(machine.kernel, str):
        raise TypeError(
            f"X[0] is {quote(first)}; the kernel {quote(machine.kernel)} needs rows of numbers"
        )
    if y is not None:
        y = vector(y, "y", kind)
        check_length(y, len(rows), "y")
    given = row_weights(kind, sample_weight, len(rows))
    present = list(compress(range(len(rows)), given))
    if not present:
        raise ValueError("sample_weight is 0 for every row; one must be positive")
    kernel = kernel_for(machine, rows, present, kind, variance_at).to(kind)
    refuse_if_string(kernel, first, "X[0]")
    refuse_if_numbers(kernel, first, "X[0]")
    if isinstance(kernel, Precomputed) and type(rows) is list:
        require_gram(rows)
    return SingleTrainingSet(rows, y, present, [given[i] for i in present], kernel, kind)


def present_rows(data: SingleTrainingSet) -> list[Any]:
    """Return the rows to train on; of a Gram matrix these columns only."""
    rows = [data.rows[i] for i in data.present]
    if isinstance(data.kernel, Precomputed):
        return [[row[j] for j in data.present] for row in rows]
    return rows


def single_model(data: SingleTrainingSet, solution: Any) -> Any:
    """Return the model; precomputed values are counted by all rows, not by those present."""
    model = solution.model()
    if not isinstance(data.kernel, Precomputed):
        return model
    return model._replace(vectors=[data.present[i] for i in model.vectors])


def single_attributes(data: SingleTrainingSet, solution: Any) -> dict[str, Any]:
    """Return the fitted attributes that each of these estimators has, but for the model's own."""
    coefs = solution.problem.beta(solution.alpha)
    used = [(i, c) for i, c in zip(data.present, coefs) if c != 0]
    first = data.rows[0]
    attributes = {
        "support_": [i for i, _ in used],
        "n_support_": [len(used)],
        "dual_coef_": [[c for _, c in used]],
        "n_iter_": solution.iterations,
        "fit_status_": 0 if solution.status == "optimal" else 1,
        "shape_fit_": (
            (len(data.rows),) if isinstance(first, str) else (len(data.rows), len(first))
        ),
        "solution_": solution.without_problem(),
    }
    if not isinstance(first, str):
        attributes["n_features_in_"] = len(first)
    return attributes


def linear_weights(machine: Any) -> list[Vector]:
    """Return coef_, one row; AttributeError unless linear and fitted."""
    model = machine._kept_model()
    if model is None or type(model.kernel) is not Linear:
        raise AttributeError("coef_ is there after fit, and with a linear kernel only")
    return [model.w]
