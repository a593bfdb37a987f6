"""LinearSVC: linear classification under the names that scikit-learn made common.

    the offset         is the weight of a constant feature, and penalised as the others are
    several classes    one against the rest: a machine for each class; the largest decision wins
    labels, weights    as in SVC

What is solved, with w' = (w, v) and x' = (x, intercept_scaling), so that b = intercept_scaling v:

    squared_hinge      1/2 |w'|^2 + C sum xi_i^2           xi_i = max(0, 1 - y_i <w', x_i'>)
    hinge              1/2 |w'|^2 + C sum xi_i

SVC(kernel="linear") has an offset that is not penalised, and hinge loss: another answer, which
moves with the rows when they are moved. This one is for many rows of many features, for texts.

    k    number of classes                n, d     rows and columns of X
    m    machines: 1 for two classes, otherwise k

Source: Fan, Chang, Hsieh, Wang and Lin, LIBLINEAR, JMLR 9 (2008); Pedregosa et al., Scikit-learn:
Machine Learning in Python (2011), for the interface.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..kernels.standard import Linear
from ..numerics.options import one_of, yes_or_no
from ..numerics.picks import WORD
from ..numerics.quoting import quote
from ..numerics.sparse_rows import converted, inner, narrowed
from ..numerics.types import (
    Label,
    Labels,
    Matrix,
    Number,
    Row,
    RowsLike,
    Shaped,
    Vector,
    VectorLike,
)
from ..numerics.validation import not_negative, number_kind, whole_number
from ..svm.one_vs_one import OneAgainstOne, first_largest
from .classifier import Classifier
from .estimator import not_fitted, rows_as_in_fit, warn_unless_optimal
from .feature_names import feature_names
from .fitted_attributes import Classes
from .one_vs_rest_training import (
    LinearMachine,
    LinearTrainingSet,
    names_of,
    train_machines,
    training_set,
)

LOSSES = ("hinge", "squared_hinge")
USUAL_SEED = 0  # of random_state None: all that is computed here can be repeated


class LinearSVC(Classifier):
    """Classify by linear machines whose offset is penalised, one for each class against the rest.

    For an offset that is not penalised take SVC(kernel="linear").

    Parameters
    ----------
    penalty : "l2"
        "l1" is refused by fit
    loss : "squared_hinge" or "hinge"
        what C multiplies: the sum of the squared slacks, or of the slacks
    dual : "auto" or True
        the dual is what is solved; False is refused by fit
    tol : float
        how far the conditions of optimality may be violated, in units of the margin, which is 1
    C : positive number or math.inf
        penalty of slack
    multi_class : "ovr"
        "crammer_singer" is refused by fit
    fit_intercept : bool
        whether there is an offset
    intercept_scaling : positive number
        the constant feature whose weight makes the offset: the larger, the less that is penalised
    class_weight : None, "balanced" or dict
        factors of C: {label: weight}; if balanced, the weight of all rows by k times that of the
        rows of the class. With several classes it counts where the class is against the rest, not
        among the rest
    verbose : int
        kept, and without effect
    random_state : None or int from 0 to 2^64 - 1
        where the generator starts that shuffles the examples before each pass; None is 0
    max_iter : int
        passes over the examples, for each machine; 0 leaves w and b at 0

    Attributes
    ----------
    classes_ : list of k labels, sorted
    coef_ : list of m lists of d numbers
        w of each machine; sparse, if the rows are
    intercept_ : list of m numbers
        b of each machine, 0 without an offset
    n_iter_ : int
        passes that were begun, of the machine that took most
    n_features_in_ : int
        d
    feature_names_in_ : list of d strings
        the columns of a data frame whose names are strings; else not there
    solutions_ : list of m Solution fields
        what the solver returned: status, gap, ..; alpha of the rows whose weight is above 0
    model_ : OneAgainstOne
        of two classes, whose only vector is w

    Notes
    -----
    With two classes a decision is for classes_[1] where it is 0 or more. A pass costs as much as
    there are numbers in X that are not zero, for each machine. The first passes come close to the
    optimum, the last digits take many: fewest where features are of one size and around 0.

    Examples
    --------
    >>> LinearSVC().fit([[0], [1], [3], [4]], ["no", "no", "yes", "yes"]).predict([[1], [3]])
    ['no', 'yes']
    """

    coef_: Matrix
    intercept_: Vector
    n_iter_: int

    # What fit is made of; refsvm_fast has its own, with the same results.
    _training_set = staticmethod(training_set)
    _train_machines = staticmethod(train_machines)
    _model_class = OneAgainstOne

    def __init__(
        self,
        penalty: str = "l2",
        loss: str = "squared_hinge",
        dual: bool | str = "auto",
        tol: Number = 1e-4,
        C: Number = 1.0,
        multi_class: str = "ovr",
        fit_intercept: bool = True,
        intercept_scaling: Number = 1,
        class_weight: None | str | Mapping[Any, Number] = None,
        verbose: int = 0,
        random_state: int | None = None,
        max_iter: int = 1000,
    ) -> None:
        self.penalty = penalty
        self.loss = loss
        self.dual = dual
        self.tol = tol
        self.C = C
        self.multi_class = multi_class
        self.fit_intercept = fit_intercept
        self.intercept_scaling = intercept_scaling
        self.class_weight = class_weight
        self.verbose = verbose
        self.random_state = random_state
        self.max_iter = max_iter

    def fit(
        self, X: RowsLike, y: Labels, sample_weight: VectorLike | Shaped | None = None
    ) -> LinearSVC:
        """Train on n rows and n labels, and return self.

        Parameters
        ----------
        X : n rows of d numbers
        y : n labels of one sort that can be sorted, of two classes or more
            numbers are whole; none is missing
        sample_weight : n numbers, none negative
            factors of C; a row of weight 0 is as if absent

        Raises
        ------
        ValueError or TypeError
            for bad input; then nothing of an earlier fit is lost

        Notes
        -----
        Warns of a machine whose training does not end optimal.
        """
        self._train(X, y, sample_weight)
        warn_unless_optimal(names_of(self.classes_), self.solutions_, "classes")
        return self

    def _train(self, X: Any, y: Any, sample_weight: Any) -> None:
        """Do what fit does, but warn of nothing."""
        names, data = feature_names(X), self._accept(X, y, sample_weight)
        seed = USUAL_SEED if self.random_state is None else self.random_state
        machines = self._train_machines(data, self.tol, self.max_iter, seed)
        self._keep(fitted_attributes(data, machines), names)

    def _accept(self, X: Any, y: Any, sample_weight: Any) -> LinearTrainingSet:
        refuse_settings(self)
        data: LinearTrainingSet = self._training_set(self, X, y, sample_weight)
        not_negative(data.kind, self.tol, "tol")
        return data

    def predict(self, X: RowsLike) -> list[Label]:
        """Return the list of labels of the rows of X."""
        decisions, classes = self._decisions(X), self.classes_
        if len(classes) == 2:
            return [classes[f >= 0] for (f,) in decisions]
        return [classes[first_largest(of_row)] for of_row in decisions]

    def decision_function(self, X: RowsLike) -> Vector | Matrix:
        """Return how the rows of X are decided; no row's answer depends on the other rows.

        Returns
        -------
        list of numbers, with two classes
            classes_[1] is predicted where a number is >= 0
        list of lists, with more
            a number for each class against the rest; the first of the largest is predicted
        """
        decisions = self._decisions(X)
        return [f for (f,) in decisions] if len(self.classes_) == 2 else decisions

    def _decisions(self, X: RowsLike) -> Matrix:
        """Return w.x + b of each machine, for each row x."""
        if not hasattr(self, "coef_"):
            raise not_fitted(self)
        rows: list[Any] = rows_as_in_fit(self, X, type(self.intercept_[0]), self.coef_)
        kind = type(rows[0][0])
        W = [converted(w, kind) for w in self.coef_]
        return decisions_by(W, list(map(kind, self.intercept_)), rows)

    @property
    def model_(self) -> OneAgainstOne:
        """The classifier of two classes, as write_model, export and plot take it."""
        if not hasattr(self, "coef_"):
            raise AttributeError(str(not_fitted(self)))
        k = len(self.classes_)
        if k > 2:
            raise AttributeError(
                f"a LinearSVC of {k} classes, each against the rest, is no model of pairs; train"
                " one LinearSVC for two classes, or SVC(kernel='linear')"
            )
        (w,), (b,) = self.coef_, self.intercept_
        coef: Vector = [0 * b - 1]  # for the earlier class
        return self._model_class(list(self.classes_), Linear(), [w], [0, 1], [coef], [0 - b])


def refuse_settings(svc: LinearSVC) -> None:
    """Raise an error for a bad parameter; what goes with the data is checked with these."""
    if isinstance(svc.penalty, str) and svc.penalty == "l1":
        raise ValueError(
            "penalty is 'l1'; it must be 'l2', for which the dual is solved here; for weights that"
            " are mostly zero take scikit-learn's LinearSVC(penalty='l1', dual=False)"
        )
    one_of(svc.penalty, ("l2",), "penalty")
    one_of(svc.loss, LOSSES, "loss")
    if isinstance(svc.multi_class, str) and svc.multi_class == "crammer_singer":
        raise ValueError(
            "multi_class is 'crammer_singer'; it must be 'ovr', a machine for each class against"
            " the rest; SVC(kernel='linear') has one for each pair of classes"
        )
    one_of(svc.multi_class, ("ovr",), "multi_class")
    if not isinstance(svc.dual, str) and not yes_or_no(svc.dual, "dual"):
        raise ValueError(
            f"dual is {quote(svc.dual)}; it must be 'auto' or True: the dual is solved here, and"
            " its answer is that of the primal"
        )
    if isinstance(svc.dual, str):
        one_of(svc.dual, ("auto",), "dual")
    yes_or_no(svc.fit_intercept, "fit_intercept")
    whole_number(svc.max_iter, "max_iter", 0)
    if svc.random_state is not None:
        whole_number(svc.random_state, "random_state", 0, WORD)
    not_negative(number_kind(svc.tol), svc.tol, "tol")


def fitted_attributes(data: LinearTrainingSet, machines: list[LinearMachine]) -> dict[str, Any]:
    """Return the fitted attributes; each list is new."""
    steps = max(machine.solution.iterations for machine in machines)
    return {
        "classes_": Classes(data.classes),
        "coef_": [machine.w for machine in machines],
        "intercept_": [machine.b for machine in machines],
        "n_iter_": -(-steps // len(data.present)),
        "n_features_in_": len(data.rows[0]),
        "solutions_": [machine.solution for machine in machines],
    }


def decisions_by(W: Matrix, offsets: Vector, rows: list[Row]) -> Matrix:
    """Return w.x + b of every w and b, for each row x; all numbers of one kind.

    >>> decisions_by([[1.0, 0.0], [0.0, 2.0]], [0.5, -1.0], [[3.0, 4.0]])
    [[3.5, 7.0]]
    """
    _, W, rows = narrowed(W, rows)
    return [[inner(w, x) + b for w, b in zip(W, offsets)] for x in rows]
