"""Which rows of the training data the support vectors of a model file are.

A model file repeats the features of its vectors, often with fewer digits than the data: LIBSVM
writes 8. A program may also have kept the data in single precision before. So a vector is matched
to a row with the same label that becomes equal to it when rounded to the digits of the file, or
to single precision and then to those digits. If several do, the nearest is taken, then the first;
each row stands for one vector only, so that rows that occur twice are matched one to one.

    digits      how many significant digits the numbers of the file carry
    key         a row as it would stand in the file: its numbers that are not zero, and where
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from typing import Any

from ..kernels.standard import Precomputed
from ..numerics.linalg import squared_distance
from ..numerics.quoting import quote
from ..numerics.sparse_rows import narrowed, row_items
from ..numerics.types import Label, Vector, VectorLike
from ..svm.model import Model
from ..svm.one_class_problem import OneClassModel
from ..svm.one_vs_one import OneAgainstOne, pair_terms
from ..svm.problem import Problem
from ..svm.regression_problem import RegressionModel

Items = list[tuple[int, float]]  # the places and the numbers of a row that are not zero
MIN_DIGITS = 6  # what programs write that do not care; fewer are seen only if the data have fewer
MAX_DIGITS = 17  # two doubles that differ, differ when written with so many


def _significant_digits(value: float) -> int:
    """Return how many decimal digits a double needs, from the first that is not zero.

    >>> [_significant_digits(value) for value in (0.25, 100.0, 0.1 + 0.2, 3e-9)]
    [2, 1, 17, 1]
    """
    mantissa = repr(abs(value)).partition("e")[0]
    return len(mantissa.replace(".", "").strip("0"))


def digits_of(rows: Iterable[Sequence[float]]) -> int:
    """Return the digits that the numbers of some rows carry."""
    return max(
        [MIN_DIGITS] + [_significant_digits(value) for row in rows for _, value in row_items(row)]
    )


def _round_row(numbers: Items, digits: int) -> tuple[tuple[int, float], ...]:
    """Return the key of a row, of which these are the numbers that are not zero."""
    if digits >= MAX_DIGITS:
        return tuple(numbers)
    return tuple((k, float(f"{value:.{digits}g}")) for k, value in numbers)


def _in_single_precision(numbers: Items) -> list[tuple[int, float]]:
    """Return the numbers rounded to single precision, without those that become zero."""
    places, values = zip(*numbers) if numbers else ((), ())
    return [(k, v) for k, v in zip(places, array("f", values)) if v != 0]


def match_rows(model: OneAgainstOne, X: list[VectorLike], y: list[Label]) -> list[int]:
    """Return for each support vector the index of its row; X is as wide as the vectors.

    ValueError for labels that differ from the model's and for a vector without a row.
    """
    _require_labels(model.classes, y)
    labels = [c for c, n in zip(model.classes, model.counts) for _ in range(n)]
    return _match_labelled(model, labels, X, y)


def _match_labelled(model: Any, labels: list[Any], X: list[Any], y: list[Any]) -> list[int]:
    """Return for each support vector, which has a label, the index of a row with that label.

    A machine without classes has None for every label.
    """
    if isinstance(model.kernel, Precomputed):
        return _match_indices(model.vectors, labels, y)
    _, vectors, X = narrowed(model.vectors, X)
    digits = digits_of(vectors)
    rows_of: dict[Any, dict[int, None]] = {}
    for i, (row, label) in enumerate(zip(X, y)):
        numbers = list(row_items(row))
        for form in (numbers, _in_single_precision(numbers)):
            rows_of.setdefault((label, _round_row(form, digits)), {})[i] = None
    found: list[int] = []
    taken: set[int] = set()
    for v, (vector, label) in enumerate(zip(vectors, labels)):
        free = [i for i in rows_of.get((label, tuple(row_items(vector))), ()) if i not in taken]
        if not free:
            raise ValueError(
                f"no row{_of_label(label)} is left that equals support vector {v + 1} of the model"
                f" to {digits} digits; the data must be those it was trained on"
            )
        found.append(min(free, key=lambda i: (squared_distance(X[i], vector), i)))
        taken.add(found[-1])
    return found


def _of_label(label: object) -> str:
    """Return the label of a row in words, if rows have labels."""
    return "" if label is None else f" of label {quote(label)}"


def vectors_as_rows(
    model: OneAgainstOne | OneClassModel | RegressionModel, serials: Sequence[float]
) -> OneAgainstOne | OneClassModel | RegressionModel:
    """Return a model of kernel values whose vectors are rows, and not serial numbers less 1.

    A row that stands twice is one vector, then the other.
    """
    rows_of: dict[float, list[int]] = {}
    for i, serial in reversed([*enumerate(serials)]):
        rows_of.setdefault(serial, []).append(i)
    found = []
    for v, place in enumerate(model.vectors):
        if not rows_of.get(place + 1):
            raise ValueError(
                f"support vector {v + 1} of the model has the serial number {place + 1}; no row of"
                " the data is left that has it"
            )
        found.append(rows_of[place + 1].pop())
    return model._replace(vectors=found)


def net_multipliers(model: Model, X: list[VectorLike], y: Vector) -> Vector:
    """Return the multiplier of each row, of a model of regression or of one class.

    Rows that are equal take theirs in the order of their values y, the least first: so it is at
    any optimum of regression. y is [] for one class.
    """
    n = len(X)
    alpha: Vector = [0.0] * n
    found = _match_labelled(model, [None] * len(model.vectors), X, [None] * n)
    for i, coef in zip(found, model.coef):
        alpha[i] = coef
    if not y or isinstance(model.kernel, Precomputed):
        return alpha
    equal: dict[Any, list[int]] = {}
    for i, row in enumerate(X):
        equal.setdefault(tuple(row_items(row)), []).append(i)
    for rows in equal.values():
        in_order = zip(sorted(rows, key=y.__getitem__), sorted(alpha[i] for i in rows))
        for i, a in in_order:
            alpha[i] = a
    return alpha


def _require_labels(classes: list[Label], y: list[Label]) -> None:
    """Refuse data that have other labels than the model."""
    for i, label in enumerate(y):
        if label not in classes:
            known = ", ".join(map(str, classes))
            raise ValueError(f"row {i + 1} has the label {quote(label)}; the model has {known}")
    for label in classes:
        if label not in y:
            raise ValueError(
                f"the data have no row of label {quote(label)}; the model has that label"
            )


def _match_indices(vectors: list[int], labels: list[Label], y: list[Label]) -> list[int]:
    """Return the vectors of a precomputed kernel, which are indices of rows already."""
    for v, (i, label) in enumerate(zip(vectors, labels)):
        if i >= len(y) or y[i] != label or i in vectors[:v]:
            raise ValueError(
                f"support vector {v + 1} of the model is row {i + 1}{_of_label(label)}; the data"
                " have no such row, or the model has it twice"
            )
    return vectors


def pair_multipliers(
    model: OneAgainstOne,
    matched: list[int],
    p: int,
    q: int,
    pair_rows: list[int],
    problem: Problem,
) -> list[float]:
    """alpha of each row of the pair p, q, whose problem has y = +1 for q."""
    place = {i: k for k, i in enumerate(pair_rows)}
    alpha = [0.0] * problem.n
    for v, coef in pair_terms(model, p, q):
        k = place[matched[v]]
        alpha[k] = -problem.y[k] * coef
    return alpha
