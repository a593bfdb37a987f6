"""Inner products and distances of one vector with many, column by column: the sums of linalg.

A row of a Gram matrix needs <x, z> or |x - z|^2 for every example z. linalg.dot adds up one pair
after the other, and in Python that is slow. Here the examples are stored by column, a column for
each feature, and one pass adds the terms of several features to the running total of every
example. Each total still receives its terms one at a time, in the order of the features, so each
result has the bits that linalg.dot and linalg.squared_distance give for that pair.

Two savings change no bit either:

    a term that is zero is not added            t + 0 == t, as no total is ever -0.0
    terms computed before are looked up         a feature with few levels has few lists of terms

    x           the one vector            z           one of the n examples
    totals      the n running sums        terms       what one feature adds to each of them
    levels      the distinct values of a feature
    waiting     columns, each with its value in x, whose terms are still to be added
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from ..numerics.sparse_rows import filled_columns, row_items
from ..numerics.types import Kind, MatrixLike, Number, Row, Vector, VectorLike

REPEATS = 4  # levels are few if each occurs this often, on average
BYTES_KEPT = 64 * 1024 * 1024  # room for lists of terms, at 8 bytes a term


class Columns:
    """n examples of d features, stored by feature. O(n d) to build.

    >>> table = Columns([[1.0, 0.0], [2.0, 3.0]], float)
    >>> table.dots([10.0, 1.0])
    [10.0, 23.0]
    >>> table.squared_distances([1.0, 1.0])
    [1.0, 5.0]
    """

    def __init__(self, rows: Sequence[VectorLike], kind: Kind) -> None:
        self.zeros: Vector = [kind(0)] * len(rows)
        filled = filled_columns(rows)
        self.columns = [FeatureColumn(self.zeros, *column) for column in filled]
        room = BYTES_KEPT // (8 * max(len(rows), 1))  # lists of terms, one a level
        for column in sorted(self.columns, key=lambda c: len(c.levels)):
            room -= len(column.levels)
            column.keeps_terms = room >= 0 and REPEATS * len(column.levels) <= len(rows)
        # The squares of scattered columns, one after the other, and where each column begins.
        self.full = [k for k, column in enumerate(self.columns) if not column.scattered]
        self.squares: list[tuple[int, Number]] = []
        self.begins = [0]
        for column in self.columns:
            self.squares += [(i, z * z) for i, z in column.nonzero]
            self.begins.append(len(self.squares))

    def dots(self, x: Row) -> Vector:
        """[<x, z> for each example z]. O(n d), less where features are zero."""
        totals = list(self.zeros)
        waiting: Waiting = []
        for k, value in row_items(x) if totals else ():
            column = self.columns[k]
            if column.scattered:
                _add_terms(totals, waiting, PRODUCT)
                waiting = []
                _add_entries(totals, ((i, value * z) for i, z in column.nonzero))
            else:
                waiting.append((value, column))
        _add_terms(totals, waiting, PRODUCT)
        return totals

    def squared_distances(self, x: Row) -> Vector:
        """[|x - z|^2 for each example z]. O(n d), less where features are zero in both."""
        totals = list(self.zeros)
        waiting: Waiting = []
        done = 0  # columns before this one are dealt with
        for k, value in self.visited(x):
            begin, end = self.begins[done], self.begins[k]
            if begin < end:
                _add_terms(totals, waiting, SQUARE)
                waiting = []
                _add_entries(totals, self.squares[begin:end])
            waiting.append((value, self.columns[k]))
            done = k + 1
        _add_terms(totals, waiting, SQUARE)
        _add_entries(totals, self.squares[self.begins[done] :])
        return totals

    def visited(self, x: Row) -> Iterable[tuple[int, Any]]:
        """The columns whose terms are not the squares of their numbers, with their x, in order."""
        if not self.zeros:
            return ()
        if len(self.full) == len(self.columns):
            return enumerate(x)
        numbers = dict(row_items(x))
        return [(k, numbers.get(k, 0)) for k in sorted({*self.full, *numbers})]


class FeatureColumn:
    """The values of one feature, and the lists of its terms that were computed before.

    keeps_terms says whether the terms of a level are kept; Columns sets it, where there are few
    levels and enough memory.
    """

    __slots__ = ("zeros", "keeps_terms", "kept", "scattered", "nonzero", "levels", "column")

    def __init__(self, zeros: Vector, places: Sequence[int], numbers: VectorLike) -> None:
        n, count = len(zeros), len(numbers) - numbers.count(0)
        self.zeros, self.keeps_terms = zeros, False
        self.kept: dict[Any, Vector] = {}
        # If fewer than one in four values are not zero, visiting these alone is faster.
        self.scattered = 4 * count < n
        self.nonzero = (
            [(i, z) for i, z in zip(places, numbers) if z != 0] if self.scattered else []
        )
        self.levels = {*numbers, *zeros[:1]} if len(numbers) < n else set(numbers)
        self.column = [] if self.scattered else _with_zeros(zeros, zip(places, numbers))

    @property
    def values(self) -> Vector:
        """The values of all examples. Those of a scattered column are not kept."""
        return _with_zeros(self.zeros, self.nonzero) if self.scattered else self.column

    def terms(self, x: Number, formula: Formula) -> Vector:
        """The terms of all examples. Those of a level x are computed once, if terms are kept."""
        if not self.keeps_terms:
            return formula.terms(x, self.values)
        if (x, formula) in self.kept:
            return self.kept[x, formula]
        of_level = dict(zip(self.levels, formula.terms(x, self.levels)))
        terms = [of_level[z] for z in self.values]
        if x in self.levels:
            self.kept[x, formula] = terms
        return terms


class Formula(NamedTuple):
    """A term, x z or (x - z)^2, as two functions.

    terms       takes x and the values z of a feature to the list of terms
    add_four    adds to totals the terms of four features, from their x and their values
    """

    terms: Callable[[Number, Iterable[Number]], Vector]
    add_four: Callable[[Vector, VectorLike, MatrixLike], None]


def _products(x: Number, zs: Iterable[Number]) -> Vector:
    """[x z for each z]."""
    return [x * z for z in zs]


def _add_four_products(totals: Vector, four: VectorLike, columns: MatrixLike) -> None:
    """Add the products of four features to totals, one after the other."""
    p, q, r, s = four
    a, b, c, d = columns
    for i, t in enumerate(totals):
        totals[i] = t + p * a[i] + q * b[i] + r * c[i] + s * d[i]


def _squares(x: Number, zs: Iterable[Number]) -> Vector:
    """[(x - z)^2 for each z]."""
    return [(x - z) * (x - z) for z in zs]


def _add_four_squares(totals: Vector, four: VectorLike, columns: MatrixLike) -> None:
    """Add the squared differences of four features to totals, one after the other."""
    p, q, r, s = four
    a, b, c, d = columns
    for i, t in enumerate(totals):
        e, f = p - a[i], q - b[i]
        g, h = r - c[i], s - d[i]
        totals[i] = t + e * e + f * f + g * g + h * h


def _with_zeros(zeros: Vector, entries: Iterable[tuple[int, Number]]) -> Vector:
    """The values of a column: zeros but for these."""
    values = list(zeros)
    for i, z in entries:
        values[i] = z
    return values


def _add_entries(totals: Vector, entries: Iterable[tuple[int, Any]]) -> None:
    """Add a term to the total of each example that has one."""
    for i, term in entries:
        totals[i] += term


Waiting = list[tuple[Number, FeatureColumn]]
PRODUCT = Formula(_products, _add_four_products)
SQUARE = Formula(_squares, _add_four_squares)


def _add_terms(totals: Vector, waiting: Waiting, formula: Formula) -> None:
    """Add the terms of the waiting columns to totals, in their order.

    Four columns together that keep no terms need no lists of terms.
    """
    k = 0
    lists: list[Vector] = []
    while k < len(waiting):
        four = waiting[k : k + 4]
        if len(four) == 4 and not any(column.keeps_terms for _, column in four):
            add_lists(totals, lists)
            lists = []
            columns = [column.values for _, column in four]
            formula.add_four(totals, [x for x, _ in four], columns)
            k += 4
        else:
            x, column = waiting[k]
            lists.append(column.terms(x, formula))
            k += 1
    add_lists(totals, lists)


def add_lists(totals: Vector, lists: Sequence[VectorLike]) -> None:
    """Add each list of terms to totals, in their order; eight lists in one pass are fastest.

    The loops look up each number by its index: as fast as zip in CPython, and ten times as fast
    in PyPy.
    """
    k = 0
    while k + 8 <= len(lists):
        a, b, c, d, e, f, g, h = lists[k : k + 8]
        for i, t in enumerate(totals):
            totals[i] = t + a[i] + b[i] + c[i] + d[i] + e[i] + f[i] + g[i] + h[i]
        k += 8
    if k + 4 <= len(lists):
        a, b, c, d = lists[k : k + 4]
        for i, t in enumerate(totals):
            totals[i] = t + a[i] + b[i] + c[i] + d[i]
        k += 4
    for terms in lists[k:]:
        for i, t in enumerate(terms):
            totals[i] += t
