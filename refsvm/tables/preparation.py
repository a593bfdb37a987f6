"""Preparation: a table of numbers, texts and gaps as rows that a kernel compares fairly.

A kernel compares rows by sums over their columns, so columns must be of one size, and all numbers.
By the rows that a machine is trained on a preparation learns, for each column,

    numbers, dates    m, the double nearest to their mean, and s, the one nearest to their standard
                      deviation (dates are days):    v  ->  (v - m) / s
    texts             the values v_1 < v_2 < ..:     v  ->  1 in the column of v, 0 in the others
    what says nothing                                       left out: column_kinds.py

and whatever is unknown is 0: a gap, a text that was not there, a column that is constant. For
numbers that is the mean, for texts it is none of the values. A column of texts stands between 0
and 1, and is not stretched. Rows to predict go through the same map.

The mean and the deviation are those of the exact numbers, rounded once: so they have no order, and
any program that computes them exactly finds the same doubles. S33 states them to the bit.

Source: measured on 107 tables; the mean, deviation and indicators of texts are the usual ones, as
in Hastie, Tibshirani and Friedman, The Elements of Statistical Learning, section 9.3.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Union

from ..numerics.display import displayed, plural
from ..numerics.exact_sums import mean_and_deviation
from ..numerics.pickles import with_format
from ..numerics.quoting import quote
from ..numerics.types import Label
from ..numerics.validation import sequence, whole_number
from .column_kinds import (
    DATES,
    MAX_CELL,
    NUMBERS,
    TEXTS,
    Cells,
    FoundColumn,
    cells_of,
    column_of,
    days_of,
    largest_size,
    number_of,
    places_of,
    plain_numbers,
    refuse_columns,
    refuse_twice,
    text_of,
)
from .written_numbers import Manner

MANNER = Manner._fields
CURE_OF_STRANGE = "mend them, or leave them empty"
MAX_COLUMNS = 5  # columns that a sentence names
INCURABLE = {"only gaps", "one value", "dropped"}  # reasons that `keep` does not outweigh


class NumberColumn(NamedTuple):
    """A column of numbers: (v - mean) / deviation; of dates, if `days`."""

    mean: float
    deviation: float  # 0 where all that was fitted are equal: then the column is 0
    days: bool = False
    decimal: str = ""  # and unit: of written_numbers.py, as its cells were written
    unit: str = ""


class TextColumn(NamedTuple):
    """A column of texts: a column of 0 and 1 for each of its values, by code point."""

    values: list[str]


Learnt = Union[NumberColumn, TextColumn, None]  # None: left out


class Prepared(NamedTuple):
    """Rows that are prepared, what of them was not known, and what was read as a number.

    gaps, unknown    {name of a column: in how many rows it has a gap, or an unknown text}
    written          {name of a column: a cell that is no plain decimal, and its number}
    """

    rows: list[list[float]]
    gaps: dict[str, int]
    unknown: dict[str, int]
    written: dict[str, tuple[str, float]]


@with_format
@displayed
class Preparation(NamedTuple):
    """What was learnt of the columns of a table, by which other rows are prepared alike.

    Attributes
    ----------
    columns : list of NumberColumn, TextColumn or None
        of each column that was given; None: left out
    given : list of strings
        the names of these columns; "1", "2", .. if they have none
    left_out : dict
        {name: why} of the columns that say nothing, or were to be dropped

    Examples
    --------
    >>> rows = [["Dream", 39, "male"], ["Biscoe", 45, None], ["Dream", None, "female"]]
    >>> preparation = Preparation.fit(rows, ["island", "bill", "sex"])
    >>> preparation.names
    ['island=Biscoe', 'island=Dream', 'bill', 'sex=female', 'sex=male']
    >>> preparation.rows([["Dream", 42, "female"], ["Torgersen", None, "male"]])
    [[0.0, 1.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 0.0, 1.0]]
    """

    columns: list[Learnt]
    given: list[str]
    left_out: dict[str, str]

    @classmethod
    def fit(
        cls,
        rows: Sequence[Sequence[Any]],
        names: Sequence[str] | None = None,
        *,
        keep: Sequence[object] = (),
        drop: Sequence[object] = (),
        texts: Sequence[object] = (),
    ) -> Preparation:
        """Learn from rows what each column holds (S33.3).

        Parameters
        ----------
        rows : n rows of d cells
            numbers, texts, dates, and None or NaN for what is not known; a text may write a
            number, as the fields of a file do
        names : d strings
            of the columns
        keep, drop, texts : columns, by their names or their numbers from 1
            to be kept though they seem to tell rows apart only; to be left out; to be read as
            texts, as codes that are written as numbers are

        Returns
        -------
        Preparation

        Raises
        ------
        ValueError
            naming every column that is half numbers and half texts, or has numbers beyond 2^1022,
            with counts, and those of one name or of none; for columns that are not there, rows of
            different lengths, and where no column is left
        TypeError
            for a cell that is none of these

        Notes
        -----
        O(n d).
        """
        cells, given = cells_of(rows, names)
        return fitted(cells, given, range(1, len(given) + 1), keep, texts, drop)

    @property
    def names(self) -> list[str]:
        """The names of the prepared columns: those of numbers, and of texts name=value."""
        found = []
        for name, column in zip(self.given, self._checked_columns()):
            if isinstance(column, NumberColumn):
                found.append(name)
            elif isinstance(column, TextColumn):
                found += [f"{name}={value}" for value in column.values]
        return found

    @property
    def units(self) -> list[tuple[float, float]]:
        """The mean and the deviation of each prepared column; 0 and 1 of a value of a text."""
        found = []
        for column in self._checked_columns():
            if isinstance(column, NumberColumn):
                found.append((column.mean, column.deviation or 1.0))
            elif isinstance(column, TextColumn):
                found += [(0.0, 1.0)] * len(column.values)
        return found

    def rows(self, rows: Sequence[Sequence[Any]]) -> list[list[float]]:
        """Return rows of the same columns, prepared (S33.4). O(n d).

        Raises
        ------
        ValueError
            naming every column of numbers or dates in which something else stands, with counts;
            for rows of another length, and numbers beyond 2^1022
        """
        return self.prepared(rows).rows

    def prepared(self, rows: Sequence[Sequence[Any]]) -> Prepared:
        """Return rows of these columns, prepared (S33.4), and how much of them was not known."""
        cells, _ = cells_of(rows, self.given)
        found: list[list[float]] = []
        gaps: dict[str, int] = {}
        unknown: dict[str, int] = {}
        written: dict[str, tuple[str, float]] = {}
        strange: list[str] = []
        for name, column, learnt in zip(self.given, cells, self._checked_columns()):
            if learnt is None:
                continue
            if isinstance(learnt, TextColumn):
                values: list[Any] = [None if cell is None else text_of(cell) for cell in column]
                others = len([v for v in values if v is not None and v not in learnt.values])
                unknown.update({name: others} if others else {})
                found += [[1.0 if v == value else 0.0 for v in values] for value in learnt.values]
            else:
                values, example = _numbers_in(column, learnt)
                written.update({name: example} if example else {})
                strange += _strange_cells(name, column, values, learnt)
                found.append(_scaled(values, learnt))
            missing = values.count(None)
            gaps.update({name: missing} if missing else {})
        if strange:
            raise ValueError(f"{'; '.join(strange)}; {CURE_OF_STRANGE}")
        return Prepared(
            list(map(list, zip(*found))) or [[] for _ in cells[0]], gaps, unknown, written
        )

    def with_gaps(self, rows: Sequence[Sequence[Label]]) -> tuple[list[list[Any]], dict[str, int]]:
        """Return rows with None for what is no number or date in a column of such (S33.4).

        Returns
        -------
        rows : n rows of cells
        counts : dict
            {name: in how many rows} of the columns that have such cells

        Examples
        --------
        >>> preparation = Preparation.fit([[4, "a"], [6, "b"]], ["n", "t"])
        >>> preparation.with_gaps([["rotary", "c"], [5, "a"]])
        ([[None, 'c'], [5.0, 'a']], {'n': 1})
        """
        found, counts = list(map(list, cells_of(rows, self.given)[0])), {}
        for name, column, learnt in zip(self.given, found, self._checked_columns()):
            if isinstance(learnt, NumberColumn):
                strange = _strange_places(column, _numbers_in(column, learnt)[0])
                for i in strange:
                    column[i] = None
                counts.update({name: len(strange)} if strange else {})
        return list(map(list, zip(*found))), counts

    def refitted(self, rows: Sequence[Sequence[Any]]) -> Preparation:
        """Return the Preparation with the kinds of its columns, and the numbers of other rows.

        For folds of cross-validation: what a column holds is seen in the whole table, means,
        deviations and values are those of the rows to train on. A column that is constant there
        becomes 0. Standard: S33.5.
        """
        cells, _ = cells_of(rows, self.given)
        return self._replace(columns=list(map(_relearnt, self._checked_columns(), cells)))

    def unseen_rows(self, rows: Sequence[Sequence[Label]], folds: Sequence[Sequence[int]]) -> int:
        """Return how many rows have a text that stands in no other fold than theirs. O(n d).

        >>> preparation = Preparation.fit([["a"], ["b"], ["a"]])
        >>> preparation.unseen_rows([["a"], ["b"], ["a"]], [[0, 1], [2]])
        1
        """
        fold_of = {
            whole_number(i, f"folds[{j}]", 0): j
            for j, fold in enumerate(sequence(folds, "folds"))
            for i in sequence(fold, f"folds[{j}]")
        }
        unseen: set[int] = set()
        for column, learnt in zip(cells_of(rows, self.given)[0], self._checked_columns()):
            if isinstance(learnt, TextColumn):
                places: dict[str, list[int]] = {}
                for i, cell in enumerate(column):
                    if cell is not None:
                        places.setdefault(text_of(cell), []).append(i)
                alone = [of for of in places.values() if len({fold_of.get(i) for i in of}) == 1]
                unseen.update(*alone)
        return len(unseen)

    def _checked_columns(self) -> list[Learnt]:
        """Return the columns; a record that a caller has made may hold anything."""
        for j, learnt in enumerate(self.columns):
            if not isinstance(learnt, (NumberColumn, TextColumn, type(None))):
                raise TypeError(
                    f"columns[{j}] is {quote(learnt)}; it must be a NumberColumn, a"
                    " TextColumn or None"
                )
        return self.columns

    def document(self) -> list[Any]:
        """Return what was learnt, as objects of JSON: an entry for each column that was given.

        >>> Preparation.fit([["a", 1, 5], ["b", 2, 5]]).document()
        [{'values': ['a', 'b']}, {'mean': 1.5, 'deviation': 0.5}, None]
        """
        entries: list[Any] = []
        for learnt in self._checked_columns():
            if isinstance(learnt, NumberColumn):
                days = {"days": True} if learnt.days else {}
                manner = {key: v for key, v in zip(MANNER, learnt[3:]) if v}
                numbers = {"mean": learnt.mean, "deviation": learnt.deviation}
                entries.append({**numbers, **days, **manner})
            else:
                entries.append(None if learnt is None else {"values": list(learnt.values)})
        return entries

    def sentences(self) -> list[str]:
        """Return what becomes of the columns, in a line each: numbers, dates, texts, the rest.

        >>> for line in Preparation.fit([["a", 1, 5], ["b", 2, 5]], ["x", "y", "z"]).sentences():
        ...     print(line)
        1 number to mean 0, deviation 1
        1 text to 2 columns of 0 and 1: x (2)
        left out: z (one value)
        """
        kinds = [_kind_of(column) for column in self._checked_columns()]
        lines = [
            f"{plural(kinds.count(kind), noun)} to mean 0, deviation 1"
            for kind, noun in ((NUMBERS, "number"), (DATES, "date"))
            if kind in kinds
        ]
        texts = {
            name: column.values
            for name, column in zip(self.given, self._checked_columns())
            if isinstance(column, TextColumn)
        }
        if texts:
            width = len([value for values in texts.values() for value in values])
            each = _some([f"{name} ({len(values)})" for name, values in texts.items()])
            lines.append(f"{plural(len(texts), 'text')} to {width} columns of 0 and 1: {each}")
        if self.left_out:
            lines.append(f"left out: {_listed_reasons(self.left_out)}")
        return lines


def fitted(
    cells: Cells,
    given: Sequence[str],
    numbers: Sequence[int],
    keep: Sequence[object] = (),
    texts: Sequence[object] = (),
    drop: Sequence[object] = (),
) -> Preparation:
    """Return the Preparation of plain cells, as Preparation.fit does.

    given    names of the columns; "" for one that has none
    numbers  of the columns, where they are counted otherwise than from 1
    """
    kept, dropped, as_texts = (
        places_of(some, given, numbers, what)
        for what, some in (("keep", keep), ("drop", drop), ("texts", texts))
    )
    found = [
        FoundColumn(None, column, "dropped") if k in dropped
        else column_of(column, given[k], k in as_texts, k in kept, numbers[k] == 1)
        for k, column in enumerate(cells)
    ]  # fmt: skip
    refuse_columns(found, ["" if k in dropped else n for k, n in enumerate(given)], numbers)
    names = [name or f"column {number}" for name, number in zip(given, numbers)]
    learnt = [_learnt(column) for column in found]
    left_out = {names[k]: c.reason for k, c in enumerate(found) if learnt[k] is None}
    if not any(learnt):
        helps = not INCURABLE.issuperset(left_out.values())
        cure = "; to keep one, name it in keep" if helps else ""
        raise ValueError(f"no column is left to learn from: {_listed_reasons(left_out)}{cure}")
    made = Preparation(learnt, names, left_out)
    refuse_twice(made.names)
    return made


def preparation_from(document: Sequence[Any], given: Sequence[str]) -> Preparation:
    """Return the Preparation of a document; `given` are the names of its columns."""
    columns: list[Learnt] = []
    for entry in document:
        if entry is None:
            columns.append(None)
        elif "values" in entry:
            columns.append(TextColumn(list(entry["values"])))
        else:
            manner = (entry.get(key, "") for key in MANNER)
            days = entry.get("days", False)
            columns.append(NumberColumn(entry["mean"], entry["deviation"], days, *manner))
    left_out = {name: "" for name, column in zip(given, columns) if column is None}
    return Preparation(columns, list(given), left_out)


# ---- learnt of a column


def _learnt(column: FoundColumn) -> Learnt:
    """Return the learnt column; None if it is left out."""
    known = [cell for cell in column.cells if cell is not None]
    if column.kind == TEXTS:
        return TextColumn(sorted(set(known)))
    if column.kind is None:
        return None
    return NumberColumn(*mean_and_deviation(known), column.kind == DATES, *column.manner)


def _relearnt(learnt: Learnt, cells: list[Any]) -> Learnt:
    """Return what is learnt of the cells of a column whose kind is that of `learnt`."""
    if isinstance(learnt, TextColumn):
        return _learnt(FoundColumn(TEXTS, [None if c is None else text_of(c) for c in cells]))
    if learnt is None:
        return None
    kind, manner = DATES if learnt.days else NUMBERS, Manner(*learnt[3:])
    return _learnt(FoundColumn(kind, _numbers_in(cells, learnt)[0], manner=manner))


def as_learnt(cells: Sequence[Any], learnt: Learnt) -> Sequence[Any]:
    """Return the cells of a column; of one of plain decimals their numbers, which say the same."""
    is_plain = isinstance(learnt, NumberColumn) and not any(learnt[2:])
    return (plain_numbers(cells) if is_plain else None) or cells


def _numbers_in(
    cells: Sequence[Any], learnt: NumberColumn
) -> tuple[list[float | None], tuple[str, float] | None]:
    """Return the numbers of a column, None for another cell, and a cell not in plain decimals."""
    plain = None if any(learnt[2:]) else plain_numbers(cells)
    if plain is not None:
        return list(map(_within, plain)) if largest_size(plain) > MAX_CELL else plain, None
    if learnt.days:
        return [None if cell is None else days_of(cell) for cell in cells], None
    manner = Manner(*learnt[3:])
    numbers = [None if cell is None else _within(number_of(cell, manner)) for cell in cells]
    others = [
        (cell, v)
        for cell, v in zip(cells, numbers)
        if v is not None and isinstance(cell, str) and plain_numbers([cell]) != [v]
    ]
    return numbers, min(others, default=None)


def _within(v: float | None) -> float | None:
    """Return a number; None for one beyond the largest that a column may have."""
    return None if v is None or abs(v) > MAX_CELL else v


def _scaled(numbers: Sequence[float | None], learnt: NumberColumn) -> list[float]:
    """Return each (v - mean) / deviation; 0 for a gap, and in a column that was constant."""
    mean, deviation = learnt.mean, learnt.deviation
    if deviation == 0:
        return [0.0] * len(numbers)
    return [0.0 if v is None else (v - mean) / deviation for v in numbers]


def _kind_of(learnt: Learnt) -> str | None:
    """Return the kind of a column of which this was learnt."""
    if isinstance(learnt, NumberColumn):
        return DATES if learnt.days else NUMBERS
    return None if learnt is None else TEXTS


# ---- input


def _strange_cells(
    name: str, cells: Sequence[object], numbers: Sequence[float | None], learnt: NumberColumn
) -> list[str]:
    """Return a sentence if a column of numbers or dates has something else."""
    strange = _strange_places(cells, numbers)
    if not strange:
        return []
    sort = "a column of dates" if learnt.days else "a column of numbers"
    sort += f" in {quote(learnt.unit)}" if learnt.unit else ""
    others, cell = plural(len(strange), "other cell"), quote(cells[strange[0]], 30)
    return [f"{quote(name, 30)}, {sort}, has {others}, as {cell} in row {strange[0] + 1}"]


def _strange_places(cells: Sequence[object], numbers: Sequence[float | None]) -> list[int]:
    """Return the places of cells that are no gaps, and have no number."""
    return [i for i, v in enumerate(numbers) if v is None and cells[i] is not None]


# ---- words


def _some(words: list[str]) -> str:
    """Return the first words of a list, and .. for others."""
    return ", ".join(words[:MAX_COLUMNS]) + (" .." if words[MAX_COLUMNS:] else "")


def _listed_reasons(left_out: dict[str, str]) -> str:
    """Return columns with the reason why they are left out."""
    return _some([f"{name} ({reason})" for name, reason in left_out.items()])
