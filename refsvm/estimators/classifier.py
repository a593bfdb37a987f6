"""What every classifier here has, whatever it solves: parameters, a score, rows as in fit.

parameters    what the constructor takes; they are attributes of the same names
fitted        attributes whose names end with an underscore: fit makes them

Source: Pedregosa et al., Scikit-learn: Machine Learning in Python (2011), for the interface.
"""

from __future__ import annotations

import sys
from abc import abstractmethod
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from typing import Any
from warnings import warn

from ..kernels.gram_matrices import refuse_other_type, rows_for
from ..numerics.display import call_text, notebook_html
from ..numerics.linalg import total
from ..numerics.options import one_of
from ..numerics.pickles import Pickled
from ..numerics.powers_of_two import in_ordinary_unit
from ..numerics.quoting import quote
from ..numerics.types import Kind, Label, Labels, Number, Row, RowsLike, Shaped, VectorLike
from ..numerics.validation import number_kind
from ..svm.model import SolutionFields
from .feature_names import refuse_other_names
from .labels import is_same, plain_labels
from .training_data import weights


class Classifier(Pickled):
    """The base of the classifiers, which have fit, predict and decision_function."""

    classes_: list[Label]
    n_features_in_: int
    feature_names_in_: list[str]
    solutions_: Sequence[SolutionFields]

    _estimator_type = "classifier"  # asked for by scikit-learn before 1.6

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters by name, as they were given; `deep` is for scikit-learn."""
        return {name: getattr(self, name) for name in sorted(defaults(type(self)))}

    def set_params(self, **params: Any) -> Any:
        """Set parameters by name and return self; an unknown name is a ValueError."""
        known = sorted(defaults(type(self)))
        for name in params:
            one_of(name, known, "the parameter")
        for name, value in params.items():
            setattr(self, name, value)
        return self

    _repr_html_ = notebook_html

    def __repr__(self) -> str:
        given = self.get_params()
        changed = [n for n, usual in defaults(type(self)).items() if repr(given[n]) != repr(usual)]
        return call_text(type(self).__name__, [(name, given[name]) for name in sorted(changed)])

    @abstractmethod
    def _accept(self, X: Any, y: Any, sample_weight: Any) -> Any:
        """Return the training set, checked: what fit refuses before the work is refused here."""

    @abstractmethod
    def predict(self, X: RowsLike) -> list[Label]:
        """Return the list of labels of the rows of X."""

    def score(
        self, X: RowsLike, y: Labels, sample_weight: VectorLike | Shaped | None = None
    ) -> Number:
        """Return the accuracy: the share of rows whose label is predicted, each by its weight."""
        predicted = self.predict(X)
        y = plain_labels(y, len(predicted))
        kind = number_kind(sample_weight)
        row_weights = weights(kind, sample_weight, len(y))
        if kind is float:  # so that the sum is finite
            (row_weights,), _ = in_ordinary_unit([row_weights])
        whole = total(row_weights)
        if whole == 0:
            raise ValueError("sample_weight is 0 for every row; one must be positive")
        return total(v for v, a, b in zip(row_weights, predicted, y) if is_same(a, b)) / whole

    def _keep(self, attributes: dict[str, Any], names: list[str] | None) -> None:
        """Keep what fit found, and the names of the columns, instead of what it found before."""
        for name in [name for name in vars(self) if name.endswith("_")]:
            delattr(self, name)
        vars(self).update(attributes)
        if names is not None:
            self.feature_names_in_ = names

    def __sklearn_tags__(self) -> Any:
        """Return the tags of scikit-learn 1.6 and later, which is loaded when it asks."""
        tags: Any = sys.modules["sklearn.utils"]
        return tags.Tags(
            estimator_type="classifier",
            target_tags=tags.TargetTags(required=True),
            classifier_tags=tags.ClassifierTags(),
            input_tags=tags.InputTags(sparse=True, **self._more_tags()),
        )

    def _more_tags(self) -> dict[str, bool]:
        """Return the tags of scikit-learn before 1.6: which rows are cut on both sides."""
        return {"pairwise": False}


def read_defaults(cls: Any) -> dict[str, Any]:
    """Return the parameters of a class, in their order, and their defaults: no **kwargs."""
    from inspect import signature  # which takes long to import

    parameters = signature(cls).parameters.values()
    return {p.name: p.default for p in parameters if p.kind != p.VAR_KEYWORD}


defaults: Callable[[Any], dict[str, Any]] = cache(read_defaults)  # asked for with each fit


def not_fitted(estimator: Classifier) -> ValueError:
    """Return the error of an estimator that is asked before fit."""
    return ValueError(f"{quote(estimator)} is not fitted; call fit(X, y) first")


def rows_as_in_fit(
    estimator: Classifier, X: RowsLike, kind: Kind, vectors: Sequence[Any]
) -> list[Row]:
    """Return the rows of X, checked against those given to fit: names, type, length.

    kind: of the numbers that were learnt; vectors: rows that were learnt from, or learnt.
    """
    refuse_other_names(X, getattr(estimator, "feature_names_in_", None))
    rows = rows_for(X, "X", Fraction if number_kind(X) is Fraction else kind)
    width = getattr(estimator, "n_features_in_", None)
    for i, row in enumerate(rows):
        refuse_other_type(row, vectors, f"X[{i}]")
        if width is not None and len(row) != width:
            raise ValueError(
                f"X[{i}] has length {len(row)}; the rows given to fit had length {width}"
            )
    return rows


def warn_unless_optimal(
    names: Sequence[str],
    solutions: Sequence[SolutionFields],
    each: str,
    category: type[Warning] = UserWarning,
) -> None:
    """Warn, in one sentence, of the machines whose training did not end optimal.

    names: what each of them tells apart, such as "the classes 0 and 1"; each: what there is a
    machine for, such as "pairs".
    """
    by_machine = zip(names, solutions)
    others = [(name, solution) for name, solution in by_machine if solution.status != "optimal"]
    if others:
        name, solution = others[0]
        more = f" (and {len(others) - 1} more {each})" if others[1:] else ""
        warn(
            f"training {name} ended with status {quote(solution.status)} and gap"
            f" {float(solution.gap):.3g}{more}",
            category,
            stacklevel=3,
        )
