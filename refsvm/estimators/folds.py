"""Folds: rows dealt into parts at random, each class evenly, and rows cut out of data.

    part    a list of indices of rows
    fold    one of several parts; every row is in one of them

A table is prepared by the rows that are trained on alone, anew for each fold: PreparedMachine.

Source: Kohavi, A study of cross-validation and bootstrap (IJCAI 1995), on parts that are
stratified.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import compress
from typing import Any

from ..numerics.conversion import refuse_broken_matrix
from ..numerics.picks import shuffle, splitmix64
from ..numerics.quoting import quote
from ..numerics.types import Label
from ..numerics.validation import sequence, whole_number
from ..tables.column_kinds import cells_of
from ..tables.preparation import Preparation
from .labels import classes_of


def stratified_folds(y: list[Label], folds: int, seed: int) -> list[list[int]]:
    """Deal the rows into folds at random, each class evenly; return lists of indices (S13.1).

    Each class is shuffled, then all rows are dealt out in turn, one class after the other: the
    sizes of the folds differ by at most one, and so does what each has of a class.

    >>> stratified_folds([1, 1, 1, 1, 2, 2], 2, seed=1)
    [[0, 3, 5], [1, 2, 4]]
    """
    k = whole_number(folds, "folds", 2)
    if k > len(y):
        raise ValueError(f"folds is {k}; it must be at most {len(y)}, the number of rows")
    bits = splitmix64(seed)
    order: list[int] = []
    for members in classes_of(y, list(range(len(y))))[1]:
        order += shuffle(members, bits)
    return [sorted(order[j::k]) for j in range(k)]  # as cards are dealt


def shuffled_folds(n: int, folds: int, seed: int) -> list[list[int]]:
    """Deal n rows into folds at random; return lists of indices (S13.2).

    >>> shuffled_folds(6, 2, seed=1)
    [[2, 3, 5], [0, 1, 4]]
    """
    k = whole_number(folds, "folds", 2)
    if k > n:
        raise ValueError(f"folds is {k}; it must be at most {n}, the number of rows")
    order = shuffle(list(range(n)), splitmix64(seed))
    return [sorted(order[j::k]) for j in range(k)]


def stratified_part(y: list[Label], test_size: float, seed: int) -> list[int]:
    """Take a share of the rows at random, the same of each class; return their indices.

    A class keeps at least one row, and of all rows the share is rounded down.

    >>> stratified_part([1, 1, 1, 1, 2, 2], 0.5, seed=1)
    [0, 1, 5]
    """
    return part_of_groups(classes_of(y, list(range(len(y))))[1], test_size, seed)


def part_of_groups(groups: list[list[int]], test_size: float, seed: int) -> list[int]:
    """Take a share of the indices at random, the same of each group, but never all of one.

    >>> part_of_groups([[0, 1, 2, 3]], 0.5, seed=1)
    [0, 1]
    """
    if not 0 < test_size < 1:
        raise ValueError(f"test_size is {quote(test_size)}; it must be above 0 and below 1")
    share, bits = Fraction(str(test_size)), splitmix64(seed)
    part: list[int] = []
    seen = 0
    for members in groups:
        begun, seen = seen, seen + len(members)
        # Shares of running totals: so of all rows together the share is rounded down once.
        taken_here = int(share * seen) - int(share * begun)
        part += shuffle(members, bits)[: min(taken_here, len(members) - 1)]
    if not part:
        raise ValueError(f"test_size is {quote(test_size)}; of {seen} rows that leaves none")
    return sorted(part)


def all_but(left_out: list[int], n: int) -> list[int]:
    """Return the indices below n that are not left out.

    >>> all_but([1, 2], 5)
    [0, 3, 4]
    """
    kept = bytearray(b"\1") * n
    for i in left_out:
        kept[i] = 0
    return list(compress(range(n), kept))


def rows_to_cut(X: object) -> Any:
    """Return X as it is, if it is an array or frame that can be cut; else as a list of rows."""
    refuse_broken_matrix(X)
    try:
        if hasattr(X, "shape"):
            select_rows(X, [0, 0], [0])
            return X
    except Exception:  # of another library: what it is, is found out below
        pass
    X = sequence(X, "X")
    if not X:
        raise ValueError("X is empty; it must have at least one row")
    return [*X]  # the caller's list may change while folds are cut


def select_rows(X: Any, rows: list[int], columns: list[int] | None) -> Any:
    """Return these rows of X, in the form of X; with `columns` given, these columns only."""
    by_place = getattr(X, "iloc", X)
    if hasattr(X, "shape"):
        X = by_place[rows]
        return X if columns is None else getattr(X, "iloc", X)[:, columns]
    if columns is None:
        return [X[i] for i in rows]
    return [[X[i][j] for j in columns] for i in rows]


class PreparedMachine:
    """An estimator behind a Preparation, whose rows are cells.

    Its parameters by name are those of the estimator.
    """

    def __init__(self, machine: Any, preparation: Preparation) -> None:
        self.machine, self.preparation = machine, preparation

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return what it is made of; deep: the parameters of the estimator."""
        if deep:
            return dict(self.machine.get_params())
        return {"machine": self.machine, "preparation": self.preparation}

    def set_params(self, **parameters: Any) -> PreparedMachine:
        """Set parameters of the estimator."""
        self.machine.set_params(**parameters)
        return self

    def fit(self, rows: Sequence[Sequence[Label]], y: Sequence[Label]) -> PreparedMachine:
        """Learn of rows of cells what their columns hold, and train on the rows that are made."""
        cells, _ = cells_of(rows, self.preparation.given)
        self.preparation = self.preparation.refitted(cells)
        self.machine.fit(self.preparation.rows(cells), y)
        return self

    def predict(self, cells: Sequence[Any]) -> Any:
        """Return what the estimator predicts of the rows that are made of the cells."""
        return self.machine.predict(self.preparation.rows(cells))

    def _decision_function(self, cells: Sequence[Any]) -> Any:
        """Return how the estimator decides about the rows that are made of the cells."""
        return self.machine.decision_function(self.preparation.rows(cells))

    def __getattr__(self, name: str) -> Any:
        """Return what the estimator has learnt; and decision_function, if it has that."""
        if name == "decision_function" and hasattr(self.machine, name):
            return self._decision_function
        if name == "_estimator_type" or name.endswith("_") and not name.startswith("_"):
            return getattr(self.machine, name)
        raise AttributeError(name)
