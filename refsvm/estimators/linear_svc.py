"""LinearSVC: linear classification under the names that scikit-learn made common.

    the offset         is the weight of a constant feature, and penalised as the others are
    several classes    one against the rest: a machine for each class; the largest decision wins
    labels, weights    as in SVC

What is solved, with w' = (w, v) and x' = (x, intercept_scaling), so that b = intercept_scaling v:

    squared_hinge      1/2 |w'|^2 + C sum xi_i^2           xi_i = max(0, 1 - y_i <w', x_i'>)
    hinge              1/2 |w'|^2 + C sum xi_i

SVC(kernel="linear") has an offset that is not penalised, and hinge loss: another answer, which
moves with the rows when they are moved. This one is for many rows of many features, for texts.

Of two classes the machine has y = +1 for the later one. Of more, machine c has y = +1 for class c
and -1 for all others, and penalties that are those of scikit-learn: the weight of a class counts
where it is the one, and not where it is among the rest.

    k    number of classes                n, d     rows and columns of X
    m    machines: 1 for two classes, otherwise k

Source: Fan, Chang, Hsieh, Wang and Lin, LIBLINEAR: A Library for Large Linear Classification, JMLR
9 (2008), for what is solved; Pedregosa et al., Scikit-learn (2011), for what the parameters mean.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import inf
from typing import Any, ClassVar

from ..kernels.standard import Linear
from ..numerics.cures import giving, retold, with_cure
from ..numerics.linalg import total
from ..numerics.powers_of_two import in_ordinary_unit
from ..numerics.sparse_rows import converted, inner, narrowed
from ..numerics.types import (
    Label,
    Matrix,
    Number,
    Row,
    RowsLike,
    Vector,
)
from ..numerics.validation import (
    one_of,
    positive,
    tolerance,
)
from ..svm.conventions import from_squares
from ..svm.model import SolutionFields
from ..svm.one_vs_one import OneAgainstOne, first_largest, pairs
from ..svm.problem import Problem
from ..svm.training_problem import TrainingProblem
from . import linear_machines
from .estimator import (
    Classifier,
    Endings,
    as_it_is,
    keep_parameters,
    not_fitted,
    rows_as_in_fit,
)
from .kernel_estimator import Classes
from .linear_machines import (
    LinearMachine,
    LinearTraining,
    machine_names,
)
from .training_data import (
    Targets,
    TrainingSet,
    Weights,
    labelled_rows,
    other_numbers,
    penalties_of_rows,
    weights_of_classes,
)

SLACKS = {"hinge": "hinge", "squared_hinge": "squared"}  # of a Problem, by the word of `loss`


class LinearSVC(LinearTraining, Classifier):
    """Classify by linear machines whose offset is penalised, one for each class against the rest.

    For an offset that is not penalised take SVC(kernel="linear").

    Parameters
    ----------
    penalty : "l2"
        "l1" is refused by fit
    loss : "squared_hinge" or "hinge"
        what C multiplies: the sum of the squared slacks, or of the slacks
    dual : "auto", True or False
        whether the dual is solved, by passes of coordinate descent, or the primal, by steps of
        Newton's method, of squared hinge only; "auto": the primal where C is finite, of hinge by
        the proximal point method, where steps and passes take turns if there are more columns
        than rows, or than 512; and the dual where C is infinite, and of hinge on Fractions, by
        SMO, or by passes if there are as many columns
    tol : float
        primal: how large the gap may be, as a part of the primal, of hinge a hundredth of it;
        dual: how far the conditions of optimality may be violated, in units of the margin, 1
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
        steps down the primal, and passes over the examples, for each machine; n steps of SMO
        count as a pass; 0 leaves w and b at 0

    Attributes
    ----------
    classes_ : list of k labels, sorted
    coef_ : list of m lists of d numbers
        w of each machine; sparse, if the rows are
    intercept_ : list of m numbers
        b of each machine, 0 without an offset
    n_iter_ : int
        steps of Newton's method and passes that were begun, of the machine that took most
    n_features_in_ : int
        d
    feature_names_in_ : list of d strings
        the columns of a data frame whose names are strings; else not there
    solutions_ : list of m Solution fields
        what the solver returned: status, gap, ..; alpha of the rows whose weight is above 0
    model_ : OneAgainstOne
        whose vectors are coef_. Where two of more classes are equal but for rounding, it may
        predict another one than predict

    Notes
    -----
    With two classes a decision is for classes_[1] where it is 0 or more. A step of Newton's
    method costs O(n d d + d d d) for each machine, with many columns some products of O(n d), and
    some five to ten are usual. A step of SMO costs O(n d), and one to thirty n of them are usual.
    A pass costs as much as there are numbers in X that are not zero; fewest are needed where
    features are of one size and around 0, or where rows are fewer than they.

    Examples
    --------
    >>> LinearSVC().fit([[0], [1], [3], [4]], ["no", "no", "yes", "yes"]).predict([[1], [3]])
    ['no', 'yes']
    """

    penalty: str
    multi_class: str
    verbose: int

    coef_: Matrix
    intercept_: Vector
    n_iter_: int

    _problem_class: ClassVar[Any] = Problem
    _model_class: ClassVar[type[OneAgainstOne]] = OneAgainstOne
    _squared_loss = "squared_hinge"
    _labelled = staticmethod(labelled_rows)
    _signs = staticmethod(linear_machines.signs_of)
    _apart = staticmethod(linear_machines.weights_and_offset)

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
        keep_parameters(self, locals())

    def _solver_settings(self) -> tuple[Any, ...]:
        if isinstance(self.penalty, str) and self.penalty == "l1":
            raise with_cure(
                ValueError,
                "penalty is 'l1';",
                giving(
                    "it must be 'l2', for which the dual is solved here; for weights that are"
                    " mostly zero take scikit-learn's LinearSVC(penalty='l1', dual=False)",
                    "penalty",
                    "l2",
                ),
            )
        one_of(self.penalty, ("l2",), "penalty")
        one_of(self.loss, SLACKS, "loss")
        if isinstance(self.multi_class, str) and self.multi_class == "crammer_singer":
            raise with_cure(
                ValueError,
                "multi_class is 'crammer_singer';",
                giving(
                    "it must be 'ovr', a machine for each class against the rest;"
                    " SVC(kernel='linear') has one for each pair of classes",
                    "multi_class",
                    "ovr",
                ),
            )
        one_of(self.multi_class, ("ovr",), "multi_class")
        self._refuse_settings()
        return ()

    def _training_set(self, X: RowsLike, y: Targets, sample_weight: Weights) -> TrainingSet:
        rows, kind = self._read(X, other_numbers(self, sample_weight))
        data = self._labelled(rows, kind, y, sample_weight)
        # A row of weight 2 is two rows, when classes are balanced: in SVC it counts once.
        counts = _weights_together(data) if isinstance(self.class_weight, str) else []
        class_weights = weights_of_classes(self.class_weight, data.classes, counts, kind)
        C = positive(kind, self.C, "C", infinite=True)
        if self.loss == "squared_hinge" and C != inf:
            C = from_squares(C).C  # which a Problem halves
        elif C == inf and not self.dual:
            raise with_cure(
                ValueError,
                "dual is False; with C=inf",
                giving("it must be 'auto' or True", "dual", "auto"),
            )
        self._constant(kind)
        of_machines = [class_weights] if len(data.classes) == 2 else _alone(class_weights)
        members, weights = data.members, data.weights
        return data._replace(
            class_weights=class_weights,
            C=[penalties_of_rows(C, by_class, members, weights) for by_class in of_machines],
        )

    def _learn(self, data: TrainingSet, *settings: object) -> dict[str, Any]:
        machines = self._machines(data)
        return {
            "classes_": Classes(data.classes),
            "coef_": [machine.w for machine in machines],
            "intercept_": [machine.b for machine in machines],
            "n_iter_": max(machine.rounds for machine in machines),
            "n_features_in_": len(data.rows[0]),
            "solutions_": [machine.solution for machine in machines],
        }

    def _machines(self, data: TrainingSet) -> list[LinearMachine]:
        """Train the machine of two classes, or of each class, in order; ValueError if it fails."""
        tol = tolerance(data.kind, self.tol)  # before it can be blamed on a class
        constant = self._constant(data.kind)

        def train(c: int, problem: TrainingProblem) -> LinearMachine:
            try:
                solution, rounds = self._solve(problem, tol)
                w, b = self._apart(solution, constant)
            except ValueError as error:
                name = machine_names(data.classes)[c]
                raise retold(error, f"training {name}: {error}") from error
            return LinearMachine(w, b, SolutionFields(*solution), rounds)

        return [train(c, problem) for c, problem in enumerate(self._problems(data))]

    def _problems(self, data: TrainingSet) -> Iterator[Any]:
        """Yield the Problem of each machine."""
        rows, slack = self._rows_to_train(data, self._constant(data.kind)), SLACKS[self.loss]
        for ones, C in zip(data.members[-len(data.C) :], data.C):  # or the later of two
            y = self._signs(ones, len(data.rows))
            given = (
                data.kind,
                rows,
                data.present_of(y),
                Linear(),
                data.present_of(C),
                False,
                slack,
            )
            yield self._problem_class.from_validated(*given)

    def _endings(self) -> Endings:
        return machine_names(self.classes_), self.solutions_, "classes"

    def predict(self, X: RowsLike) -> list[Label]:
        """Return the list of labels of the rows of X."""
        machine = as_it_is(self)
        decisions, classes = machine._decisions(X), machine.classes_
        if len(classes) == 2:
            return [classes[f >= 0] for f in decisions]
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
        decisions: Vector | Matrix = as_it_is(self)._decisions(X)
        return decisions

    def _decisions(self, X: RowsLike) -> Any:
        """Return w.x + b for each row x; with more than two classes a list, of each machine."""
        if not hasattr(self, "coef_"):
            raise not_fitted(self)
        rows: list[Any] = rows_as_in_fit(self, X, type(self.intercept_[0]), self.coef_)
        kind = type(rows[0][0])
        W = [converted(w, kind) for w in self.coef_]
        found = _decisions_by(W, list(map(kind, self.intercept_)), rows)
        return [f for (f,) in found] if len(self.classes_) == 2 else found

    @property
    def model_(self) -> OneAgainstOne:
        """The classifier of pairs, as write_model, export and plot take it.

        f_p - f_q decides between two of more classes, so that the largest f has most votes.
        """
        if not hasattr(self, "coef_"):
            raise AttributeError(str(not_fitted(self)))
        classes, W, b = list(self.classes_), list(self.coef_), self.intercept_
        one, k = type(b[0])(1), len(classes)
        if k == 2:  # its only w is of the later class
            model = self._model_class(classes, Linear(), W, [0, 1], [[0 - one]], [0 - b[0]])
        else:  # a vector has 1 where its class is the earlier of a pair
            coefs = [[one if c <= r else 0 - one for c in range(k)] for r in range(k - 1)]
            offsets = [b[p] - b[q] for p, q in pairs(k)]
            model = self._model_class(classes, Linear(), W, [1] * k, coefs, offsets)
        model.svm_type = "linear_svc"
        return model


def _weights_together(data: TrainingSet) -> Vector:
    """Return what the rows of each class weigh together, in a unit in which no sum overflows."""
    weights = data.weights
    if data.kind is float:
        (weights,), _ = in_ordinary_unit([weights])
    return [total(weights[i] for i in rows) for rows in data.members]


def _alone(class_weights: Vector) -> list[Vector]:
    """Return for each class the weights of all classes where that one is against the rest.

    >>> _alone([2.0, 3.0, 5.0])
    [[2.0, 1.0, 1.0], [1.0, 3.0, 1.0], [1.0, 1.0, 5.0]]
    """
    k, one = len(class_weights), type(class_weights[0])(1)
    return [[v if c == j else one for j, v in enumerate(class_weights)] for c in range(k)]


def _decisions_by(W: Matrix, offsets: Vector, rows: list[Row]) -> Matrix:
    """Return w.x + b of every w and b, for each row x; all numbers of one kind.

    >>> _decisions_by([[1.0, 0.0], [0.0, 2.0]], [0.5, -1.0], [[3.0, 4.0]])
    [[3.5, 7.0]]
    """
    _, W, rows = narrowed(W, rows)
    return [[inner(w, x) + b for w, b in zip(W, offsets)] for x in rows]
