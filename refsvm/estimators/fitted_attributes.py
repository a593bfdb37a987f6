"""What fit leaves on an SVC, under the names and in the nesting of scikit-learn.

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
from .pairwise_training import Pair
from .training_data import TrainingSet


class Classes(list):  # type: ignore[type-arg]
    """A list of labels with the one method that scikit-learn's scorers expect of an array."""

    def tolist(self) -> list[Label]:
        return list(self)


def fitted_attributes(
    data: TrainingSet, trained: list[Pair], support: list[int], model: OneAgainstOne
) -> dict[str, Any]:
    """Return the fitted attributes but for the model's own; each list is new."""
    # With two classes they speak for the later one.
    turned: Callable[[Vector], Vector]
    turned = (lambda numbers: [-v for v in numbers]) if len(model.classes) == 2 else list
    first, n = data.rows[0], len(data.rows)
    attributes = {
        "classes_": Classes(model.classes),
        "class_weight_": data.class_weights,
        "support_": support,
        "n_support_": list(model.counts),
        "dual_coef_": [turned(coefs) for coefs in model.coefs],
        "intercept_": turned(model.offsets),
        "n_iter_": [pair.solution.iterations for pair in trained],
        "fit_status_": 0 if all(pair.solution.status == "optimal" for pair in trained) else 1,
        "shape_fit_": (n,) if isinstance(first, str) else (n, len(first)),
        "solutions_": [pair.solution for pair in trained],
    }
    if not isinstance(first, str):
        attributes["n_features_in_"] = len(first)
    return attributes


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
