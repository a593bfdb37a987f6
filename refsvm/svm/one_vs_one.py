"""Several classes by voting: one binary classifier for each pair of classes, one vote each.

An SVM separates two classes. For k classes, train one on each of the k(k-1)/2 pairs, let each
of them vote for one of its two classes, and predict the class with the most votes. When votes
are equal, the class that comes first wins. LIBSVM decides so, and the layout is that of its model
files: each support vector is stored once, however many pairs use it.

    k          number of classes             p, q     the indices of two classes, p < q
    vectors    the support vectors, grouped by class; counts[c] of them belong to class c
    coefs      k-1 lists, an entry for each vector: in the pair (p, q) a vector of class p has the
               coefficient coefs[q-1][v], a vector of class q the coefficient coefs[p][v]
    offsets    b for each pair, in the order (0,1) (0,2) .. (0,k-1) (1,2) .. ; LIBSVM's -rho
    f_pq(x)    sum of coefficient * k(vector, x), + b; above zero a vote for p, otherwise for q


So f_pq has the sign of the EARLIER class: the negative of what training with y = +1 for the later
class returns. Source: Chang and Lin, LIBSVM: A Library for Support Vector Machines, section 7;
Knerr, Personnaz and Dreyfus, Single-layer learning revisited (1990), for the voting. Of
probabilities: coupling.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from ..kernels.base import as_kernel, checked_row_function
from ..kernels.gram_matrices import refuse_infinite_values, refuse_other_type, rows_for
from ..kernels.standard import Linear, Precomputed, comparable
from ..numerics.display import displayed
from ..numerics.exact_sums import nearest_combination
from ..numerics.linalg import total
from ..numerics.pickles import with_format
from ..numerics.sparse_rows import KeptColumns, SparseRow, inner, widened
from ..numerics.types import KernelLike, Kind, Label, Matrix, Number, Row, Rows, Vector, VectorLike
from ..numerics.validation import matrix, number_kind, vector
from .calibration import Calibration
from .coupling import checked_calibrations, class_probabilities


class ClassifierFields(NamedTuple):
    """The fields of a OneAgainstOne, in order."""

    classes: list[Label]
    kernel: KernelLike
    vectors: list[Any]
    counts: list[int]
    coefs: Matrix
    offsets: Vector
    calibrations: list[Calibration] | None = None


@with_format
@displayed
class OneAgainstOne(ClassifierFields):
    """A classifier of several classes, in LIBSVM's layout (see the top of this module; S2.10).

    Attributes
    ----------
    classes : k labels
    kernel : a Kernel, or any k(x, z)
    vectors : V rows
        the support vectors, grouped by class; with Precomputed() the index of each among the
        training examples, and a row to decide about holds its kernel values with all of these
    counts : k ints
        how many vectors each class has
    coefs : k - 1 lists of V numbers
    offsets : k(k-1)/2 numbers
    calibrations : k(k-1)/2 Calibrations, or None
        for each pair the sigmoid that makes the probability of its EARLIER class of f_pq
    svm_type : str or None
        what a model file calls the machine: "nu_svc", or "linear_svc", whose vectors are weights;
        None where that is "c_svc"

    Raises
    ------
    ValueError, TypeError
        by the methods, for a row that does not fit the vectors or holds no finite numbers

    Notes
    -----
    O(V d) a row, for V vectors of d numbers; with a linear kernel O(k V d) once, then O(k*k d).

    Examples
    --------
    >>> low_or_high = OneAgainstOne(["low", "high"], Linear(), [[0], [2]], [1, 1], [[-1, -1]], [2])
    >>> low_or_high.predictions([[0], [1], [2]])
    ['low', 'high', 'high']
    """

    svm_type: str | None = None  # no field: it decides nothing

    def _replace(self, **changes: Any) -> OneAgainstOne:
        """Return the classifier with other fields; what it is called in files stays."""
        found: OneAgainstOne = super()._replace(**changes)
        if self.svm_type is not None:
            found.svm_type = self.svm_type
        return found

    def pair_decisions(self, x: Row) -> Vector:
        """Return [f_01(x), f_02(x), .., f_12(x), ..] for one row x."""
        kind = number_kind(x, _all_numbers(self))
        row = x if isinstance(x, str) else vector(x, "x", kind)
        return next(_decisions_of(self.to(kind), [row], ["x"]))

    def decisions(self, X: Rows) -> Matrix:
        """Return the pair decisions of each row of X."""
        return list(self._each_decisions(X))

    def _each_decisions(self, X: Rows) -> Iterator[Vector]:
        """Give the pair decisions of each row: k classes have k (k - 1) / 2, and k votes."""
        kind = number_kind(X, _all_numbers(self))
        rows = rows_for(X, "X", kind)
        return _decisions_of(self.to(kind), rows, [f"X[{i}]" for i in range(len(rows))])

    def votes(self, x: Row) -> list[int]:
        """Return how many pairs vote for each class, for one row x."""
        return votes_of(self.pair_decisions(x), len(self.classes))

    def predict(self, x: Row) -> Label:
        """Return the label of one row x."""
        return self.classes[first_largest(self.votes(x))]

    def predictions(self, X: Rows) -> list[Label]:
        """Return the label of each row of X."""
        k = len(self.classes)
        votes = (votes_of(f, k) for f in self._each_decisions(X))
        return [self.classes[first_largest(of_row)] for of_row in votes]

    def probabilities(self, X: Rows) -> list[list[float]]:
        """Return each class's probability for each row of X, if pairs are calibrated (S12.4).

        Returns
        -------
        n lists of k floats
            in the order of `classes`: of a LIBSVM model that of its first labels, not sorted

        Raises
        ------
        ValueError
            if `calibrations` is None

        Notes
        -----
        What svm-predict -b 1 does: the sigmoid of each pair, kept from 1e-7 to 1 - 1e-7, and the
        coupling of all pairs. But couple is exact up to rounding, while LIBSVM iterates until its
        equations hold to 0.005 / k: of three classes or more, its probabilities are off in the
        third digit. The most probable class may not be the one with the most votes.

        Examples
        --------
        >>> model = OneAgainstOne([3, 5], Linear(), [[1], [-1]], [1, 1], [[0.5, -0.5]], [0])
        >>> model._replace(calibrations=[Calibration(-2.0, 0.0)]).probabilities([[0], [1]])
        [[0.5, 0.5], [0.8807970779778823, 0.11920292202211769]]
        """
        checked_calibrations(self.calibrations, len(self.classes))  # before the work
        return self.probabilities_from(self.decisions(X))

    def probabilities_from(self, decisions: Matrix) -> list[list[float]]:
        """Return what probabilities returns, from the decisions of the rows. O(k^3) a row."""
        k = len(self.classes)
        return class_probabilities(decisions, checked_calibrations(self.calibrations, k), k)

    def to(self, kind: Kind) -> OneAgainstOne:
        """Return the same model in numbers of this kind."""
        vectors = self.vectors
        if vectors and not isinstance(self.kernel, Precomputed):
            vectors = rows_for(vectors, "vectors", kind)
        return self._replace(
            kernel=as_kernel(self.kernel).to(kind),
            vectors=vectors,
            coefs=matrix(self.coefs, "coefs", kind) if vectors else self.coefs,
            offsets=vector(self.offsets, "offsets", kind),
        )


def pairs(k: int) -> list[tuple[int, int]]:
    """Return the pairs of k classes in their order.

    >>> pairs(3)
    [(0, 1), (0, 2), (1, 2)]
    """
    return [(p, q) for p in range(k) for q in range(p + 1, k)]


def votes_of(decisions: Vector, k: int) -> list[int]:
    """Return the votes for each of k classes, from the decision of each pair (S2.10).

    >>> votes_of([0.5, -1.0, 0.0], 3)
    [1, 0, 2]
    """
    votes = [0] * k
    for f, (p, q) in zip(decisions, pairs(k)):
        votes[p if f > 0 else q] += 1
    return votes


def class_scores(decisions: Vector, k: int) -> Vector:
    """Return the score of each of k classes: its votes, and how clearly its pairs decide (S2.10).

    The clarity s is the sum of the decisions for the class less those against it. It is mapped
    to s / (3 (|s| + 1)), between -1/3 and 1/3, so that it orders classes with equal votes and
    never outweighs a vote. scikit-learn calls this decision_function_shape="ovr".

    >>> [round(score, 3) for score in class_scores([1.0, -2.0, 3.0], 3)]
    [0.833, 1.222, 0.833]
    """
    clarity: Vector = [0] * k
    for f, (p, q) in zip(decisions, pairs(k)):
        clarity[p] += f
        clarity[q] -= f
    return [
        votes + s / (3 * (max(s, -s) + 1)) for votes, s in zip(votes_of(decisions, k), clarity)
    ]


def first_largest(numbers: VectorLike) -> int:
    """Return the first index of the largest number.

    >>> first_largest([1, 3, 3])
    1
    """
    return numbers.index(max(numbers))


def _all_numbers(model: OneAgainstOne) -> list[Any]:
    """Return the numbers of the model, which decide the kind to compute in."""
    features = [] if isinstance(model.kernel, Precomputed) else model.vectors
    return [features, model.coefs, model.offsets, as_kernel(model.kernel).parameters()]


def _require_fit(model: OneAgainstOne, row: Row, name: str) -> None:
    """Raise ValueError if the kernel cannot compare the row with the model's vectors."""
    refuse_other_type(row, model.vectors, name)
    if not model.vectors or isinstance(row, str):
        return
    if isinstance(model.kernel, Precomputed):
        if len(row) <= max(model.vectors):
            raise ValueError(
                f"{name} has length {len(row)}; it must hold a kernel value for every training"
                f" example, and example {max(model.vectors)} is a support vector"
            )
    elif len(row) != len(model.vectors[0]):
        raise ValueError(
            f"{name} has length {len(row)}; the support vectors have length"
            f" {len(model.vectors[0])}"
        )


def _decisions_of(model: OneAgainstOne, rows: Rows, names: list[str]) -> Iterator[Vector]:
    """Give the pair decisions of each row; names say which row an error is about.

    Model and rows are of one kind. What does not depend on the row is computed once.
    """
    for row, name in zip(rows, names):
        _require_fit(model, row, name)
    if not isinstance(model.kernel, Precomputed):
        _, vectors, rows = comparable(model.kernel, model.vectors, rows)
        model = model._replace(vectors=vectors)
    terms = [pair_terms(model, p, q) for p, q in pairs(len(model.classes))]
    decide = _decide_by_weights if type(model.kernel) is Linear else _decide_by_vectors
    return decide(model, terms, rows, names)


def pair_terms(model: OneAgainstOne, p: int, q: int) -> list[tuple[int, Number]]:
    """Return (v, coefficient of vector v) for the vectors of the pair (p, q), in index order.

    >>> model = OneAgainstOne("abc", Linear(), [[0], [1], [2]], [1, 1, 1], [[5, 6, 7], [8, 9, 0]],
    ...                       [0, 0, 0])
    >>> pair_terms(model, 0, 1), pair_terms(model, 0, 2), pair_terms(model, 1, 2)
    ([(0, 5), (1, 6)], [(0, 8), (2, 7)], [(1, 9)])
    """
    terms = []
    for one, coefs in ((p, model.coefs[q - 1]), (q, model.coefs[p])):
        start = sum(model.counts[:one])  # exact
        terms += [(v, coefs[v]) for v in range(start, start + model.counts[one])]
    return [(v, coef) for v, coef in terms if coef != 0]


def pair_weights(model: OneAgainstOne, terms: list[tuple[int, Number]]) -> Vector:
    """Return w = sum of coefficient * vector over the terms of a pair, each rounded once."""
    if terms:
        return nearest_combination([c for _, c in terms], [model.vectors[v] for v, _ in terms])
    zero: Number = type(model.offsets[0])(0)
    width = len(model.vectors[0]) if model.vectors else 0
    if width and isinstance(model.vectors[0], SparseRow):
        return widened(KeptColumns([0], width), [zero])
    return [zero] * width


def _decide_by_weights(
    model: OneAgainstOne, terms: list[list[tuple[int, Number]]], rows: Rows, names: list[str]
) -> Iterator[Vector]:
    """Give the decisions of a linear kernel: w.x + b for each pair."""
    if not model.vectors:
        return (list(model.offsets) for _ in rows)
    weights = [pair_weights(model, of_pair) for of_pair in terms]
    return ([inner(w, x) + b for w, b in zip(weights, model.offsets)] for x in rows)


def _decide_by_vectors(
    model: OneAgainstOne, terms: list[list[tuple[int, Number]]], rows: Rows, names: list[str]
) -> Iterator[Vector]:
    """Give the decisions of any other kernel; the kernel values of a row serve every pair."""
    kind, vectors = type(model.offsets[0]), model.vectors
    kernel = as_kernel(model.kernel)
    kernel_values = checked_row_function(kernel, vectors, kind, len(vectors))
    for x, name in zip(rows, names):
        values = kernel_values(x)
        if not kernel.bounded:
            refuse_infinite_values(values, name)
        yield [_decision_of_pair(values, *pair) for pair in zip(terms, model.offsets)]


def _decision_of_pair(values: Vector, terms: list[tuple[int, Number]], b: Number) -> Number:
    """Return the sum of coefficient * value over the terms, in their order, then + b."""
    return total(coef * values[v] for v, coef in terms) + b
