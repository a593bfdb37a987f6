"""What every estimator here has, whatever it solves: parameters, and rows as in fit.

parameters    what the constructor takes; they are attributes of the same names
fitted        attributes whose names end with an underscore: fit makes them

Source: Pedregosa et al., Scikit-learn: Machine Learning in Python (2011), for the interface.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from typing import Any
from warnings import warn

from ..kernels.gram_matrices import refuse_other_type, rows_for
from ..numerics.display import call_text, notebook_html
from ..numerics.options import one_of
from ..numerics.pickles import Pickled
from ..numerics.quoting import quote
from ..numerics.types import Kind, Row, RowsLike
from ..numerics.validation import not_negative, number_kind, positive, whole_number
from ..svm.model import SolutionFields
from .feature_names import refuse_other_names


class BaseEstimator(Pickled):
    """The base of the estimators, which have fit and predict."""

    n_features_in_: int
    feature_names_in_: list[str]

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
    def predict(self, X: RowsLike) -> Any:
        """Return a list of what is predicted for the rows of X."""

    def _check_parameters(self, data: Any) -> None:
        """Refuse what of the parameters only a problem refuses, on these few rows."""

    def _keep(self, attributes: dict[str, Any], names: list[str] | None) -> None:
        """Keep what fit found, and the names of the columns, instead of what it found before."""
        for name in [name for name in vars(self) if name.endswith("_")]:
            delattr(self, name)
        vars(self).update(attributes)
        if names is not None:
            self.feature_names_in_ = names

    def _more_tags(self) -> dict[str, bool]:
        """Return the tags of scikit-learn before 1.6: which rows are cut on both sides."""
        return {"pairwise": False}


def read_defaults(cls: Any) -> dict[str, Any]:
    """Return the parameters of a class, in their order, and their defaults: no **kwargs."""
    from inspect import signature  # which takes long to import

    parameters = signature(cls).parameters.values()
    return {p.name: p.default for p in parameters if p.kind != p.VAR_KEYWORD}


defaults: Callable[[Any], dict[str, Any]] = cache(read_defaults)  # asked for with each fit


def solver_limits(machine: Any) -> tuple[int | None, Any]:
    """Return (steps, cache_mb) for the solver; tol, needed later, is checked here, too."""
    steps = whole_number(machine.max_iter, "max_iter", -1)
    cache_mb = positive(number_kind(machine.cache_size), machine.cache_size, "cache_size")
    not_negative(number_kind(machine.tol), machine.tol, "tol")
    return None if steps == -1 else steps, cache_mb


class NoMachine(ValueError):
    """There is no machine for these parameters and rows: the status of a solver says why."""

    def __init__(self, status: str, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status

    def __reduce__(self) -> tuple[type[NoMachine], tuple[str, str]]:
        return NoMachine, (self.status, str(self))


def not_fitted(estimator: BaseEstimator) -> ValueError:
    """Return the error of an estimator that is asked before fit."""
    return ValueError(f"{quote(estimator)} is not fitted; call fit(X, y) first")


def rows_as_in_fit(
    estimator: BaseEstimator, X: RowsLike, kind: Kind, vectors: Sequence[Any]
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
