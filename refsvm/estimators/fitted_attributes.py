"""What fit leaves on an estimator with a kernel, named and nested as in scikit-learn.

k    number of classes          n, d    rows and columns of X
p, q the places of two classes in classes_, p < q
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import neg, pos
from typing import Any, Callable

from ..kernels.standard import Precomputed
from ..numerics.sparse_rows import converted, rows_from
from ..numerics.types import Label, Matrix, Number, Vector
from ..svm.one_vs_one import OneAgainstOne, pair_terms, pair_weights, pairs
from .training_data import TrainingSet


class Classes(list):  # type: ignore[type-arg]
    """A list of labels with the one method that scikit-learn's scorers expect of an array."""

    def tolist(self) -> list[Label]:
        return list(self)


def attributes_of_pairs(
    data: TrainingSet, support: list[int], model: OneAgainstOne
) -> dict[str, Any]:
    """Return the attributes of machines for all pairs of classes, but for the model's own, and
    those of attributes_of_endings."""
    # With two classes they speak for the later one.
    turned: Callable[[Vector], Vector]
    turned = (lambda numbers: [-v for v in numbers]) if len(model.classes) == 2 else list
    return {
        "classes_": Classes(model.classes),
        "class_weight_": data.class_weights,
        "support_": support,
        "n_support_": list(model.counts),
        "dual_coef_": [turned(coefs) for coefs in model.coefs],
        "intercept_": turned(model.offsets),
        **_attributes_of_rows(data.rows),
    }


def attributes_of_endings(solutions: list[Any]) -> dict[str, Any]:
    """Return the attributes that tell how the training of each pair of classes ended."""
    return {
        "n_iter_": [solution.iterations for solution in solutions],
        "fit_status_": 0 if all(found.status == "optimal" for found in solutions) else 1,
        "solutions_": solutions,
    }


def attributes_of_one(data: TrainingSet, solution: Any) -> dict[str, Any]:
    """Return the attributes of one machine for all rows, but for the model's own."""
    coefs = solution.problem.beta(solution.alpha)
    used = [(i, c) for i, c in zip(data.present, coefs) if c != 0]
    return {
        "support_": [i for i, _ in used],
        "n_support_": [len(used)],
        "dual_coef_": [[c for _, c in used]],
        "n_iter_": solution.iterations,
        "fit_status_": 0 if solution.status == "optimal" else 1,
        "solution_": solution.without_problem(),
        **_attributes_of_rows(data.rows),
    }


def _attributes_of_rows(rows: Any) -> dict[str, Any]:
    """Return what is kept of the form of X; strings have no columns."""
    n, first = len(rows), rows[0]
    if isinstance(first, str):
        return {"shape_fit_": (n,)}
    return {"shape_fit_": (n, len(first)), "n_features_in_": len(first)}


def weights_by_pair(
    model: OneAgainstOne, d: int, weights: Callable[..., Sequence[Number]] = pair_weights
) -> Matrix:
    """Return coef_ of a linear model of d features; weights(model, terms) is w of one pair."""
    k = len(model.classes)
    none = rows_from([([], [])], d, 0)[0]  # when no step was allowed there is no vector
    W = [weights(model, pair_terms(model, p, q)) or none for p, q in pairs(k)]
    return [converted(w, neg if k == 2 else pos) for w in W]


def model_attributes(model: Any) -> dict[str, Any]:
    """Return the fitted attributes that are the model's own: itself, and a copy of its rows."""
    rows = [] if isinstance(model.kernel, Precomputed) else model.vectors
    vectors = [list(row) if isinstance(row, list) else row for row in rows]
    return {"support_vectors_": vectors, "model_": model}
