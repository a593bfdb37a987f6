"""SVC: support vector classification under the names that scikit-learn made common.

    labels of any sort     whole numbers, strings, bools: whatever can be sorted
    several classes        one against one: an SVM for each pair, and votes (one_vs_one.py)
    kernels by name        "linear", "poly", "rbf", "precomputed" .., or a function
    weights                C is multiplied by the weight of the example's class and by its own

Nothing here computes anything new: fit turns labels into pairs, solves each pair (solvers/smo.py)
and gathers the answers. It needs neither NumPy nor scikit-learn, takes arrays, data frames and
sparse matrices all the same, and works in scikit-learn's pipelines and searches.

    k        number of classes                n, d     rows and columns of X
    p, q     the places of two classes in classes_, p < q; training uses y = +1 for q
    V        number of support vectors        kind     float or Fraction (numerics/validation.py)

Source: Pedregosa et al., Scikit-learn: Machine Learning in Python (2011), for the interface;
Chang and Lin, LIBSVM: A Library for Support Vector Machines, for the meaning of every number.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..kernels.standard import Linear
from ..numerics.sparse_rows import narrowed
from ..numerics.types import (
    KernelLike,
    Label,
    Matrix,
    Number,
    Row,
    RowsLike,
    Vector,
)
from ..numerics.validation import one_of, positive, yes_or_no
from ..svm.column_shift import shift_of
from ..svm.model import Solution
from ..svm.one_vs_one import OneAgainstOne, class_scores, first_largest
from ..svm.problem import Problem
from .estimator import (
    Classifier,
    Endings,
    keep_parameters,
    not_fitted,
    rows_as_in_fit,
    solver_limits,
)
from .kernel_estimator import (
    KernelEstimator,
    attributes_of_endings,
    attributes_of_pairs,
    weights_by_pair,
)
from .pairwise_training import (
    Pair,
    PairTraining,
    Watch,
    gather,
    pair_data,
    pair_names,
    train_pairs,
    unwatched,
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

DECISION_SHAPES = ("ovr", "ovo")


class SVC(Classifier, KernelEstimator):
    """Classify into two or more classes by support vector machines, one for each pair.

    A number that the kernel does not use is not looked at. Rows are taken as they are, and not
    scaled: a kernel sees little of a column beside one of numbers a thousand times as large.
    Preparation brings the columns of a table to one size, Scaling those of rows of numbers.

    Parameters
    ----------
    C : positive number or math.inf
        penalty of the sum of the slacks
    kernel : str, Kernel or function
        "linear", "poly", "rbf", "precomputed" or another word that kernels/standard.py has, a
        Kernel, or any function k(x, z) of two ROWS (scikit-learn's functions take two matrices)
    degree, gamma, coef0 : numbers
        of the kernels called by name, as kernels/standard.py uses them; gamma "scale" is
        1 / (d * variance of X), or 1 if that is 0, "scale/4" a quarter of it (any number may
        stand there); "auto" is 1 / d
    tol : float
        how far the conditions of optimality may be violated, in units of the margin, which is 1
    cache_size : float
        memory for kernel rows, in MB
    class_weight : None, "balanced" or dict
        factors of C: n / (k * rows of the class) if balanced, or {label: weight}
    max_iter : int
        steps for each pair of classes at most; -1: as many as it takes
    decision_function_shape : "ovr" or "ovo"
        a score for each class, or a number for each pair
    break_ties : bool
        predict the class of the best score, not the first with most votes

    Attributes
    ----------
    classes_ : list of k labels, sorted
    support_ : list of V ints
        the rows that are support vectors, by class, then in the order given
    n_support_ : list of k ints
        how many of them belong to each class
    support_vectors_ : list of V rows
        [] if precomputed
    dual_coef_ : (k-1) lists of V numbers
        alpha with a sign; with two classes alpha_i y_i, where y = +1 for classes_[1]
    intercept_, coef_ : lists, an entry for each pair
        b and w; coef_ with a linear kernel only
    class_weight_ : list of k numbers
    n_features_in_ : int
        d; not there if the rows are strings
    feature_names_in_ : list of d strings
        the columns of a data frame whose names are strings; else not there. Another frame must
        have the same ones in the same order
    shape_fit_ : (n, d), or (n,) if the rows are strings
    n_iter_ : list of ints
        steps for each pair
    fit_status_ : int
        0 if every pair ended optimal, else 1
    solutions_ : list of Solution fields, for the pairs (0,1) (0,2) .. (1,2) ..
        what the solver returned: status, gap, ..
    model_ : OneAgainstOne

    Notes
    -----
    With two classes dual_coef_, intercept_, coef_ and decision_function speak for classes_[1];
    with more, those of a pair (p, q) speak for p. scikit-learn does so too.

    Examples
    --------
    >>> SVC(kernel="linear").fit([[0], [1], [3], [4]], ["no", "no", "yes", "yes"]).predict([[2.5]])
    ['yes']
    """

    decision_function_shape: str
    break_ties: bool

    class_weight_: Vector
    n_iter_: list[int]
    solutions_: list[Solution]
    model_: OneAgainstOne

    _libsvm_type: str | None = None  # where it is not the usual one of the model

    def __init__(
        self,
        C: Number = 1.0,
        kernel: str | KernelLike = "rbf",
        degree: int = 3,
        gamma: str | Number = "scale",
        coef0: Number = 0.0,
        tol: Number = 1e-3,
        cache_size: float = 200,
        class_weight: None | str | Mapping[Any, Number] = None,
        max_iter: int = -1,
        decision_function_shape: str = "ovr",
        break_ties: bool = False,
    ) -> None:
        keep_parameters(self, locals())

    def _solver_settings(self) -> tuple[Any, ...]:
        one_of(self.decision_function_shape, DECISION_SHAPES, "decision_function_shape")
        yes_or_no(self.break_ties, "break_ties")
        return solver_limits(self)

    def _training_set(self, X: RowsLike, y: Targets, sample_weight: Weights) -> TrainingSet:
        rows, kind = self._read(X, other_numbers(self, sample_weight))
        self._refuse_strings(rows[0])
        data = labelled_rows(rows, kind, y, sample_weight)
        counts: Vector = list(map(len, data.members))
        class_weights = weights_of_classes(self.class_weight, data.classes, counts, kind)
        C = positive(kind, self.C, "C", infinite=True)
        C_of_rows = penalties_of_rows(C, class_weights, data.members, data.weights)
        kernel = self._checked_kernel(data)
        shift = self._shift(data) if type(kernel) is Linear else None
        return data._replace(kernel=kernel, class_weights=class_weights, C=C_of_rows, shift=shift)

    def _shift(self, data: TrainingSet) -> Vector | None:
        """Return the column shift of the rows present, which all pairs of classes share.

        What is computed of a row for one pair holds then for the others.
        """
        _, points = narrowed(data.rows)
        return shift_of(data.present_of(points), data.kind)

    def _learn(self, data: TrainingSet, *settings: Any) -> dict[str, Any]:
        trained = self._trained(data, *settings)
        support, model = self._gather(data, self._in_units_of_margin(trained))
        if self._libsvm_type is not None:
            model.svm_type = self._libsvm_type
        return {
            **attributes_of_pairs(data, support, model),
            **self._attributes_of_endings(trained),
            **self._model_attributes(model),
            **self._own_attributes(trained),
        }

    def _trained(
        self, data: TrainingSet, steps: int | None, cache_mb: Number, watch: Watch = unwatched
    ) -> list[Pair]:
        """Return what the training of each pair of classes found; see train_pairs."""
        make, solve = self._pair_problem, self._solve
        return train_pairs(data, PairTraining(self.tol, steps, cache_mb, make, solve, watch))

    def _pair_problem(self, data: TrainingSet, p: int, q: int) -> tuple[list[int], Problem]:
        """Return the rows of the classes p and q in the order given, and their problem."""
        rows, X, y, C = pair_data(data, p, q)
        return rows, Problem.from_validated(data.kind, X, y, data.kernel, C, shift=data.shift)

    def _in_units_of_margin(self, trained: list[Pair]) -> list[Pair]:
        """Return the pairs with a margin of 1, as they are here."""
        return trained

    def _gather(self, data: TrainingSet, trained: list[Pair]) -> tuple[list[int], OneAgainstOne]:
        """Return (support, model); see pairwise_training.gather."""
        return gather(data, trained)

    def _attributes_of_endings(self, trained: list[Pair]) -> dict[str, Any]:
        """Return the fitted attributes that tell how the training of each pair ended."""
        return attributes_of_endings([pair.solution for pair in trained])

    def _own_attributes(self, trained: list[Pair]) -> dict[str, Any]:
        """Return the fitted attributes that SVC does not have."""
        return {}

    def _endings(self) -> Endings:
        if self.fit_status_ == 0:  # of many classes the names alone would take long
            return [], [], "pairs"
        return pair_names(self.classes_), self.solutions_, "pairs"

    def predict(self, X: RowsLike) -> list[Label]:
        """Return the list of labels of the rows of X."""
        model, rows = _checked_rows(self, X)
        if not yes_or_no(self.break_ties, "break_ties"):
            return model.predictions(rows)
        if self.decision_function_shape == "ovo":
            raise ValueError(
                "break_ties is True and decision_function_shape is 'ovo'; only 'ovr' has a score"
                " for each class that could break ties"
            )
        if len(model.classes) == 2:
            return model.predictions(rows)
        one_of(self.decision_function_shape, DECISION_SHAPES, "decision_function_shape")
        scores = [class_scores(row, len(model.classes)) for row in model.decisions(rows)]
        return [model.classes[first_largest(of_row)] for of_row in scores]

    def decision_function(self, X: RowsLike) -> Vector | Matrix:
        """Return how the rows of X are decided; no row's answer depends on the other rows.

        Returns
        -------
        list of numbers, with two classes
            classes_[1] is predicted where a number is >= 0
        list of lists, with more
            for "ovr" k scores (votes, and confidence below a vote), for "ovo" k(k-1)/2 numbers,
            positive for the first class of the pair
        """
        model, rows = _checked_rows(self, X)
        shape = one_of(self.decision_function_shape, DECISION_SHAPES, "decision_function_shape")
        decisions, k = model.decisions(rows), len(model.classes)
        if k == 2:
            return [-f for (f,) in decisions]  # the model speaks for the earlier class
        return decisions if shape == "ovo" else [class_scores(row, k) for row in decisions]

    @property
    def coef_(self) -> Matrix:
        """The weights w of each pair of classes, a list of lists; AttributeError unless linear."""
        model = getattr(self, "model_", None)
        if model is None or type(model.kernel) is not Linear:
            raise AttributeError("coef_ is there after fit, and with a linear kernel only")
        return weights_by_pair(model, self.n_features_in_)


def _checked_rows(svc: SVC, X: RowsLike) -> tuple[OneAgainstOne, list[Row]]:
    """Return the fitted model, and the rows of X, checked against those given to fit."""
    model = getattr(svc, "model_", None)
    if model is None:
        raise not_fitted(svc)
    return model, rows_as_in_fit(svc, X, type(model.offsets[0]), model.vectors)
