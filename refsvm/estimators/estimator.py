"""What every estimator here has, whatever it solves, and what every classifier has.

parameters    what __init__ takes: its signature declares them, with their defaults, and all else
              reads them there. They are attributes of the same names
fitted        attributes whose names end with an underscore: fit makes them
names         of the columns of a data frame, which must be the same in fit and in predict. A frame
              is known by what it has, so that no library is imported: `columns` (pandas, polars)
              or `column_names` (Arrow). Names count where all of them are strings, as in
              scikit-learn; rows without names are taken as they come

Source: Pedregosa et al., Scikit-learn: Machine Learning in Python (2011), for the interface.
"""

from __future__ import annotations

import sys
from abc import abstractmethod
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from itertools import zip_longest
from operator import itemgetter
from typing import Any, ClassVar, TypeVar
from warnings import warn

from ..kernels.gram_matrices import refuse_other_type, rows_for
from ..numerics.conversion import PLAIN_TYPES, as_sequence
from ..numerics.cures import Cure, with_cure
from ..numerics.display import call_text, notebook_html, text_above
from ..numerics.linalg import total
from ..numerics.pickles import Pickled
from ..numerics.powers_of_two import in_ordinary_unit
from ..numerics.quoting import quote
from ..numerics.types import Kind, Label, Labels, Number, Row, RowsLike
from ..numerics.validation import not_negative, number_kind, one_of, room, tolerance, whole_number
from ..svm.model import Solution, SolutionFields
from .labels import is_same, plain_labels
from .training_data import Targets, TrainingSet, Weights, row_weights

Estimator = TypeVar("Estimator", bound="BaseEstimator")
Endings = tuple[list[str], Sequence[SolutionFields], str]


class BaseEstimator(Pickled):
    """The base of the estimators, which have fit and predict."""

    tol: Number
    max_iter: int

    n_features_in_: int
    feature_names_in_: list[str]

    # "classifier", "regressor" or "outlier_detector"; asked for by scikit-learn before 1.6
    _estimator_type: ClassVar[str]

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters by name, as they were given; `deep` is for scikit-learn."""
        return {name: getattr(self, name) for name in sorted(defaults(type(self)))}

    def set_params(self: Estimator, **params: Any) -> Estimator:
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
    def predict(self, X: RowsLike) -> Any:
        """Return a list of what is predicted for the rows of X."""

    # ---- What fit is made of. refsvm_fast has its own of some of these, with the same results.

    def _fit(self: Estimator, X: RowsLike, y: Targets, sample_weight: Weights) -> Estimator:
        """Train, and warn of what did not end optimal; to be called by fit itself."""
        self._train(X, y, sample_weight)
        warn_unless_optimal(*self._endings())
        return self

    def _train(self, X: RowsLike, y: Targets, sample_weight: Weights) -> None:
        """Do what fit does, but warn of nothing."""
        settings = self._solver_settings()
        names = feature_names(X)
        found = self._learn(self._training_set(X, y, sample_weight), *settings)
        if names is not None:
            found["feature_names_in_"] = names
        kept = {name: v for name, v in vars(self).items() if not name.endswith("_")}
        self.__dict__ = {**kept, **found}  # at once: others may predict now

    def _accept(self, X: RowsLike, y: Targets, sample_weight: Weights) -> TrainingSet:
        """Return the training set, checked: what fit refuses before the work is refused here."""
        self._solver_settings()
        data = self._training_set(X, y, sample_weight)
        tolerance(data.kind, self.tol)
        return data

    @abstractmethod
    def _solver_settings(self) -> tuple[Any, ...]:
        """Return what _learn takes beside the data; refuse bad parameters that need no data."""

    @abstractmethod
    def _training_set(self, X: RowsLike, y: Targets, sample_weight: Weights) -> TrainingSet:
        """Return what the parameters and the arguments of fit make, checked and converted."""

    @abstractmethod
    def _learn(self, data: TrainingSet, *settings: object) -> dict[str, Any]:
        """Train on a training set, and return the fitted attributes; each list is new."""

    @abstractmethod
    def _endings(self) -> Endings:
        """Return what each trained machine tells apart, such as "the classes 0 and 1", what its
        solver returned, and what there is a machine for, such as "pairs"."""

    def _check_parameters(self, data: TrainingSet) -> None:
        """Refuse bad parameters by building the problem of these few rows, if it checks some."""

    # ---- What scikit-learn asks.

    def _more_tags(self) -> dict[str, bool]:
        """Return the tags of scikit-learn before 1.6: which rows are cut on both sides."""
        return {"pairwise": False}

    def __sklearn_tags__(self) -> Any:
        """Return the tags of scikit-learn 1.6 and later, which is loaded when it asks."""
        tags: Any = sys.modules["sklearn.utils"]
        kind = self._estimator_type
        return tags.Tags(
            estimator_type=kind,
            target_tags=tags.TargetTags(required=kind != "outlier_detector"),
            classifier_tags=tags.ClassifierTags() if kind == "classifier" else None,
            regressor_tags=tags.RegressorTags() if kind == "regressor" else None,
            input_tags=tags.InputTags(sparse=True, **self._more_tags()),
        )


class Classifier(BaseEstimator):
    """The base of the classifiers, which have fit, predict and decision_function."""

    C: Number
    class_weight: Any

    classes_: list[Label]
    solutions_: Sequence[SolutionFields]

    _estimator_type = "classifier"

    def fit(self: Estimator, X: RowsLike, y: Labels, sample_weight: Weights = None) -> Estimator:
        """Train on n rows and n labels, and return self.

        Parameters
        ----------
        X : n rows of d numbers, or n strings for a kernel of strings
        y : n labels of one sort that can be sorted, of two classes or more
            numbers are whole; none is missing
        sample_weight : n numbers, none negative
            factors of C; of NuSVC the largest multiplier of each row. A row of weight 0 is as if
            absent

        Raises
        ------
        ValueError or TypeError
            for bad input; by NuSVC also for a nu that is too large for a pair of classes, or so
            small that their reduced hulls meet. Then nothing of an earlier fit is lost

        Notes
        -----
        Warns of a machine whose training does not end optimal. A step of the solver costs O(n d)
        at most, but for Newton's method (LinearSVC).
        """
        return self._fit(X, y, sample_weight)

    @abstractmethod
    def predict(self, X: RowsLike) -> list[Label]:
        """Return the list of labels of the rows of X."""

    def score(self, X: RowsLike, y: Labels, sample_weight: Weights = None) -> Number:
        """Return the accuracy: the share of rows whose label is predicted, each by its weight."""
        predicted = self.predict(X)
        y = plain_labels(y, len(predicted))
        kind = number_kind(sample_weight)
        weights = row_weights(kind, sample_weight, len(y))
        if kind is float:  # so that the sum is finite
            (weights,), _ = in_ordinary_unit([weights])
        whole = total(weights)
        if whole == 0:
            raise ValueError("sample_weight is 0 for every row; one must be positive")
        return total(v for v, a, b in zip(weights, predicted, y) if is_same(a, b)) / whole


def as_it_is(estimator: Estimator) -> Estimator:
    """Return an estimator with the attributes that this one has now.

    What a fit in another thread finds does not reach it: fit replaces all attributes at once. What
    an answer keeps for the next one, both keep.
    """
    now = object.__new__(type(estimator))
    now.__dict__ = vars(estimator)
    return now


def keep_parameters(estimator: object, given: dict[str, Any]) -> None:
    """Keep what __init__ was given, its locals(), as attributes of the same names."""
    for name, value in given.items():
        if name != "self":
            setattr(estimator, name, value)


def _read_defaults(cls: Any) -> dict[str, Any]:
    """Return the parameters of a class, in their order, and their defaults: no **kwargs."""
    from inspect import signature  # which takes long to import

    parameters = signature(cls).parameters.values()
    return {p.name: p.default for p in parameters if p.kind != p.VAR_KEYWORD}


defaults: Callable[[Any], dict[str, Any]] = cache(_read_defaults)  # asked for with each fit


def solver_limits(machine: Any) -> tuple[int | None, Any]:
    """Return (steps, cache_mb) for the solver; tol, needed later, is checked here, too."""
    steps = whole_number(machine.max_iter, "max_iter", -1)
    cache_mb = room(machine.cache_size, "cache_size")
    not_negative(number_kind(machine.tol), machine.tol, "tol")
    return None if steps == -1 else steps, cache_mb


NO_CURE = "neither another nu nor kernel='rbf' was found to help"


class NoMachine(ValueError):
    """There is no machine for these parameters and rows: the status of a solver says why."""

    def __init__(self, status: str, sentence: str, cure: Cure | None = None) -> None:
        super().__init__(f"{sentence}: {cure.words if cure else NO_CURE}")
        self.status, self.sentence, self.cure = status, sentence, cure

    def __reduce__(self) -> tuple[type[NoMachine], tuple[Any, ...]]:
        return NoMachine, (self.status, self.sentence, self.cure)


def may_be_degenerate(solution: Solution) -> bool:
    """Return whether doubles have ended before rho of a Solution was sure to be above 0.

    The primal of the machine that is kept is at least -nu W rho.
    """
    return solution.status == "precision" and not solution.optimum_at_most < 0


def not_fitted(estimator: BaseEstimator) -> ValueError:
    """Return the error of an estimator that is asked before fit."""
    return ValueError(f"{quote(estimator)} is not fitted; call fit(X, y) first")


def rows_as_in_fit(
    estimator: BaseEstimator, X: RowsLike, kind: Kind, vectors: Sequence[Row]
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


def feature_names(X: object) -> list[str] | None:
    """Return the names of the columns of X, None if it has none; TypeError if some are no strings.

    >>> feature_names([[1.0, 2.0]]) is None
    True
    """
    if type(X) in PLAIN_TYPES:
        return None
    names = (
        as_sequence(_attribute(X, "column_names")) or as_sequence(_attribute(X, "columns")) or ()
    )
    strings = [name for name in names if isinstance(name, str)]
    if len(strings) < len(names) and strings:
        other = next(name for name in names if not isinstance(name, str))
        raise TypeError(
            f"X has columns named {quote(strings[0])} and {quote(other)}; all names must be"
            " strings, or none"
        )
    return list(map(str, strings)) or None


def _attribute(X: object, name: str) -> list[str] | None:
    """Return an attribute of an object of another library, None if it has none to give."""
    try:
        return getattr(X, name, None)
    except Exception:
        return None


def refuse_other_names(X: object, expected: list[str] | None) -> None:
    """Raise an error if X has names and they are not those that fit saw, in their order.

    >>> class Frame:
    ...     columns = ["b", "a"]
    >>> refuse_other_names(Frame(), ["a", "b"])
    Traceback (most recent call last):
      ...
    ValueError: X has column 0 named 'b' where fit had 'a'; give the columns of fit in their order
    """
    names = feature_names(X)
    if names is None or expected is None or names == list(expected):
        return
    pairs = enumerate(zip_longest(names, expected))
    place, (name, wanted) = next((k, pair) for k, pair in pairs if pair[0] != pair[1])
    if name is None:
        found = f"X has no column {quote(wanted)}, which fit had at place {place}"
    elif wanted is None:
        found = f"X has column {place} named {quote(name)}, which fit had not"
    else:
        found = f"X has column {place} named {quote(name)} where fit had {quote(wanted)}"
    cure = Cure("give the columns of fit in their order", "X", itemgetter(list(expected)))
    raise with_cure(ValueError, f"{found};", cure)


def warn_unless_optimal(
    names: Sequence[str],
    solutions: Sequence[SolutionFields],
    each: str,
    category: type[Warning] = UserWarning,
) -> None:
    """Warn, in one sentence, of the machines whose training did not end optimal; see _endings.

    The gap is a bound that holds. Where doubles cannot show more, the sentence says why.
    """
    by_machine = zip(names, solutions)
    others = [(name, solution) for name, solution in by_machine if solution.status != "optimal"]
    if others:
        name, solution = others[0]
        more = f" (and {len(others) - 1} more {each})" if others[1:] else ""
        limit = getattr(solution, "limit", "")
        warn(
            f"training {name} ended with status {quote(solution.status)} and gap"
            f" {text_above(solution.gap, 4)}{more}{': ' * bool(limit)}{limit}",
            category,
            stacklevel=4,  # the line that called fit, which called _fit
        )
