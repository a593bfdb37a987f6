"""What a column of a table holds: numbers, dates, texts, or nothing that tells rows apart.

    cell    what stands in a row: a number, a text as a file has it, a date, or a gap: None, NaN,
            "", "NA", "?" and the like, of which nothing is known
    kind    NUMBERS, DATES, TEXTS, or why the column is left out; by all rows, the first that fits:

        only gaps                                          left out
        one value                                          left out
        numbers                                            NUMBERS
        YYYY-MM-DD or YYYY/MM/DD, or dates                 DATES, counted from 1970-01-01
        numbers, written otherwise: written_numbers.py     NUMBERS
        anything else                                      TEXTS

Left out, too, unless they are to be kept: whole numbers, all different, that leave none out from
the least to the largest, in any order, or whose name ends in id (of ten rows or more, without
gaps); texts that are all different (three or more), or more than 50 of them.
the first column of a table, if it has no name and its cells all differ: the names of its rows.
A column is refused if all its cells are numbers, but which is not certain; and a column of texts,
if at least half of its cells are numbers or limits such as <5, and these are more than 10, or its
values more than half as many as its cells (three or more); cells with more than 3 units are no
numbers, but codes. What it means only the owner knows. So is a column of texts that is not in
UTF-8. All that is refused is named in one sentence, with what to leave out.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from datetime import date
from math import isfinite
from typing import Any, NamedTuple

from ..files.text import MAX_TOKEN, finite
from ..numerics.conversion import as_lists, as_number
from ..numerics.cures import adding, with_cure
from ..numerics.numerals import is_short_number
from ..numerics.quoting import quote, shorten
from ..numerics.validation import sequence, text, whole_number
from .layout import NAME_MAX, given_column
from .written_numbers import PLAIN, Manner, manner_of, read_as, written

MISSING_WORDS = {"", "?", "NA", "N/A", "#N/A", "NAN", "NULL"}  # in capitals
MAX_CELL = 2.0**1022  # beyond it a difference may be no double
WITHIN = "from -2^1022 to 2^1022"
MAX_TEXTS = 50  # values of a column of texts: states and districts of a country are 51
MAX_CODES = 10  # numbers beside which texts are others of their kind, as 3+ is beside 1 and 2
MAX_UNITS = 3
PART = 256  # rows that are read at a time, so that their cells stay in the processor's cache
MIN_ROWS = 10  # of which a column can be said to count them
EPOCH = date(1970, 1, 1).toordinal()
MAX_FAULTS = 12  # columns that are named
FAULT_ROOM = 180  # characters for what is said of the columns, and as many for those to leave out
NUMBERS, DATES, TEXTS = "numbers", "days", "texts"


class PlainCells(list[Any]):
    """The plain cells of a column, and their numbers; None: one of them is no plain decimal."""

    def __init__(self) -> None:
        super().__init__()
        self.numbers: list[float | None] | None = []


class Cells(list[PlainCells]):
    """The plain cells of each column: whatever takes rows takes them as well."""


class FoundColumn(NamedTuple):
    """A column of the rows that are learnt from.

    kind     NUMBERS, DATES or TEXTS; None: left out
    cells    floats or texts, None for each gap
    reason   why it is left out, or must be refused
    refused  whether it must be
    manner   in which its numbers are written
    """

    kind: str | None
    cells: list[Any]
    reason: str = ""
    refused: bool = False
    manner: Manner = PLAIN


def column_of(
    cells: Sequence[object],
    name: str,
    as_texts: bool = False,
    keep: bool = False,
    is_first: bool = False,
) -> FoundColumn:
    """Return the FoundColumn of plain cells, of the kind that fits it first (S33.2). O(n).

    is_first: in its table.
    """
    if all(cell is None for cell in cells):
        return FoundColumn(None, list(cells), "only gaps")
    if as_texts:
        return _texts(cells, keep=True)
    found = _numbers_of(cells, name, keep)
    is_key = is_first and not (name or keep) and len({*cells} - {None}) == len(cells)
    if is_key and (found.kind or found.refused):
        return FoundColumn(None, list(cells), "names of the rows")
    return found


def _numbers_of(cells: Sequence[object], name: str, keep: bool) -> FoundColumn:
    """Return a column of numbers or dates, or else one of texts."""
    values = plain_numbers(cells)
    if values is None:
        known = [cell for cell in cells if cell is not None]
        values = [None if cell is None else days_of(cell) for cell in cells]
        if len(values) - values.count(None) == len(known):
            return _numbers(DATES, values, name, keep)
        manner = manner_of(map(text_of, known))
        if manner is None:
            return _unlike_numbers(cells, known) or _texts(cells, keep)
        if isinstance(manner, str):
            return FoundColumn(None, list(cells), manner, refused=True)
        values = [None if cell is None else number_of(cell, manner) for cell in cells]
    else:
        manner = PLAIN
    if largest_size(values) > MAX_CELL:
        return FoundColumn(None, list(cells), f"numbers that are not {WITHIN}", refused=True)
    return _numbers(NUMBERS, values, name, keep)._replace(manner=manner)


def _unlike_numbers(cells: Sequence[object], known: Sequence[object]) -> FoundColumn | None:
    """Return a column that must be refused, as it may be meant as one of numbers; else None."""
    counts = Counter(map(text_of, known))
    others = {cell: count for cell, count in counts.items() if number_of(cell) is None}
    units = {cell: found.unit for cell in others if (found := written(cell))}
    is_meant = len(set(units.values())) <= MAX_UNITS  # more are those of codes, as 41B and 51L
    meant = {
        cell: count
        for cell, count in counts.items()
        if cell not in others or cell in units and is_meant
    }
    if 2 * sum(meant.values()) < len(known):  # exact
        return None
    if len(meant) <= MAX_CODES and (2 * len(counts) <= len(known) or len(known) < 3):
        return None
    commonest = min(others, key=lambda cell: (-others[cell], cell))
    several = sum(others.values())  # exact
    reason = f"{several} of {len(known)} texts, as {quote(commonest, 30)}"
    return FoundColumn(None, list(cells), reason, refused=True)


def plain_numbers(cells: Sequence[Any]) -> list[float | None] | None:
    """Return the numbers of cells; None if one of them is no plain decimal.

    What can be asked of a whole column takes a part of the time of cells.
    """
    if isinstance(cells, PlainCells):
        return cells.numbers
    known = cells if None not in cells else [cell for cell in cells if cell is not None]
    texts = [cell for cell in known if type(cell) is str]
    try:
        numbers: list[Any] = list(map(float, known))
    except ValueError:
        return None
    signs = "".join(texts)
    is_bare = signs.isascii() and "_" not in signs and signs.split() in ([signs], [])
    is_short = max(map(len, texts), default=0) <= MAX_TOKEN
    if not (is_bare and is_short and all(map(isfinite, numbers))):
        return None
    left = iter(numbers)
    return numbers if known is cells else [None if cell is None else next(left) for cell in cells]


def largest_size(numbers: Sequence[float | None]) -> float:
    """Return the largest |v| of numbers, gaps apart; 0 of none.

    >>> largest_size([1.0, None, -2.0])
    2.0
    """
    return max(map(abs, filter(None, numbers)), default=0.0)


def number_of(cell: Any, manner: Manner = PLAIN) -> float | None:
    """Return the number of a plain cell; None if it writes none (S33.1).

    >>> number_of("-5.1"), number_of("\u22125.1"), number_of("5.1 kg", Manner(unit="kg"))
    (-5.1, -5.1, 5.1)
    """
    if isinstance(cell, float) and not manner.unit:
        return cell
    if not manner.unit and (manner.decimal != "," or "." not in cell):
        try:
            return finite(cell, "")
        except ValueError:
            pass
    return read_as(text_of(cell), manner)


def days_of(cell: object) -> float | None:
    """Return the days from 1970-01-01 to a date; None of a cell that is no date.

    >>> days_of("1970-02-01"), days_of("2024/02/30"), days_of("1/2/2024")
    (31.0, None, None)
    """
    found = isinstance(cell, str) and re.fullmatch(r"([0-9]{4})([-/])([0-9]{2})\2([0-9]{2})", cell)
    if not found:
        return None
    try:
        day = date(int(found[1]), int(found[3]), int(found[4]))
    except ValueError:
        return None
    return float(day.toordinal() - EPOCH)


def text_of(cell: Any) -> str:
    """Return a plain cell as a text: a whole number without a point.

    >>> text_of(3.0), text_of(2.5), text_of("a")
    ('3', '2.5', 'a')
    """
    if isinstance(cell, str):
        return cell
    return str(int(cell)) if cell.is_integer() and abs(cell) < 2**53 else repr(cell)


def _numbers(kind: str, values: list[Any], name: str, keep: bool) -> FoundColumn:
    """Return a column of numbers or of days, left out if it tells nothing."""
    known = [v for v in values if v is not None]
    if min(known) == max(known):
        return FoundColumn(None, values, "one value")
    if kind == NUMBERS and not keep and len(known) == len(values) >= MIN_ROWS:
        is_whole = all(v.is_integer() for v in known) and len(set(known)) == len(known)
        if is_whole and max(known) - min(known) == len(known) - 1:
            return FoundColumn(None, values, "it counts the rows")
        if is_whole and name.lower().endswith("id"):
            return FoundColumn(None, values, "a number for each row")
    return FoundColumn(kind, values)


def _texts(cells: Sequence[object], keep: bool) -> FoundColumn:
    """Return a column of texts, left out if it tells nothing, or rows apart."""
    values = [None if cell is None else text_of(cell) for cell in cells]
    known = [v for v in values if v is not None]
    count = len(set(known))
    if not keep and count == len(known) >= 3:
        return FoundColumn(None, values, "a text for each row")
    if not keep and count > MAX_TEXTS:
        return FoundColumn(None, values, f"{count} texts; at most {MAX_TEXTS} become columns")
    if any("\ufffd" in v for v in known):  # by which texts that differ may have become one
        return FoundColumn(None, values, "not in UTF-8; save the table so", refused=True)
    if count == 1:
        return FoundColumn(None, values, "one value")
    return FoundColumn(TEXTS, values)


def refuse_columns(
    found: Sequence[FoundColumn], names: Sequence[str], numbers: Sequence[int]
) -> None:
    """Refuse at once all columns that cannot be read, and those of one name or of none (S33.2).

    numbers: what a sentence calls a column without a name, its place in the table from 1.
    A column without a name may only be one that is left out, as those that count the rows are.
    """
    unread = [k for k, column in enumerate(found) if column.refused]
    twice = _of_one_name(names)
    garbled = [k for k, name in enumerate(names) if "\ufffd" in name]
    nameless = [k for k, name in enumerate(names) if not name and found[k].kind is not None]
    parts = [
        ("that cannot be read", [
            f"{_called(names[k], numbers[k])} ({found[k].reason})" for k in unread]),
        ("named twice", [
            f"{_called(names[group[0]], 0)} ({_shown([str(numbers[k]) for k in group])})"
            for group in twice]),
        ("named in other signs than those of UTF-8", [str(numbers[k]) for k in garbled]),
        ("without a name", [str(numbers[k]) for k in nameless]),
    ]  # fmt: skip
    parts = [(what, which) for what, which in parts if which]
    if parts:
        faults = [f"{what}: {_shown(which, FAULT_ROOM // len(parts))}" for what, which in parts]
        at_fault = {*unread, *garbled, *nameless, *(k for group in twice for k in group[1:])}
        texts = ", read as texts by texts" if unread else ""
        words = f"or leave them out{_drop_of(sorted(at_fault), names, numbers)}"
        raise with_cure(
            ValueError,
            f"columns {'; '.join(faults)}; mend them{texts},",
            adding(words, "drop", *(numbers[k] for k in sorted(at_fault))),
        )


def _drop_of(columns: Sequence[int], names: Sequence[str], numbers: Sequence[int]) -> str:
    """Return how a caller leaves columns out; nothing of more than a table of mistakes has."""
    if len(columns) > MAX_FAULTS:
        return ""
    drop = ", ".join(given_column(names, k, numbers[k]) for k in columns)
    if len(drop) > FAULT_ROOM:
        drop = ", ".join(str(numbers[k]) for k in columns)
    return f" by drop=[{drop}]"


def _of_one_name(names: Sequence[str]) -> list[list[int]]:
    """Return the places of each name that stands more than once."""
    places: dict[str, list[int]] = {}
    for k, name in enumerate(names):
        places.setdefault(name, []).append(k)
    return [group for name, group in places.items() if name and len(group) > 1]


def _called(name: str, number: int) -> str:
    """Return what a sentence calls a column."""
    return quote(name, NAME_MAX) if name else f"column {number}"


def _shown(parts: list[str], room: int = FAULT_ROOM) -> str:
    """Return as many parts as fit into `room` characters, and the count of the others.

    >>> _shown(["a (..)", "b (..)", "c (..)"], 15)
    'a (..), b (..), and 1 more'
    """
    kept = 1
    while kept < min(len(parts), MAX_FAULTS) and len(", ".join(parts[: kept + 1])) <= room:
        kept += 1
    more = [f"and {len(parts) - kept} more"] if parts[kept:] else []
    return ", ".join(parts[:kept] + more)


def is_missing(token: str) -> bool:
    """Tell whether a field stands for a value that is missing (S33.1)."""
    return token.upper() in MISSING_WORDS


def plain_cell(cell: Any, place: str) -> Any:
    """Return a cell as a float, a text, or None for a gap (S33.1).

    A text that writes a number is this number; whether its column is one of numbers is seen later.

    >>> [plain_cell(cell, "rows[0][0]") for cell in (3, "2.50", " a  b ", "NA", True)]
    [3.0, '2.50', 'a b', None, 1.0]
    """
    if cell is None:
        return None
    if issubclass(type(cell), str):
        token = " ".join(str.split(cell))
        return None if is_missing(token) else token
    if issubclass(type(cell), date):
        return date.isoformat(cell)[:10]
    number = as_number(as_lists(cell))
    if number is None:
        raise TypeError(f"{place} is {quote(cell)}; a number, a text, a date or None is needed")
    if number != number:
        return None
    if not -MAX_CELL <= number <= MAX_CELL:
        raise ValueError(f"{place} is {quote(number)}; a number must be {WITHIN}")
    return float(number)


def cells_of(
    rows: Sequence[Sequence[Any]], names: Sequence[str] | None
) -> tuple[Cells, list[str]]:
    """Return the plain cells of each column, and the names of the columns."""
    if isinstance(rows, Cells):
        return rows, list(names or map(str, range(1, len(rows) + 1)))
    lines = [sequence(row, f"rows[{i}]") for i, row in enumerate(sequence(rows, "rows"))]
    if not lines:
        raise ValueError("rows is empty; at least one row is needed")
    width = len(lines[0])
    for i, line in enumerate(lines):
        if len(line) != width:
            raise ValueError(f"rows[{i}] has {len(line)} cells; rows[0] has {width}")
    if names is None:
        given = [str(k + 1) for k in range(width)]
    else:
        given = [text(name, f"names[{k}]") for k, name in enumerate(sequence(names, "names"))]
        if len(given) != width:
            raise ValueError(f"names has {len(given)} names; the rows have {width} cells")
    columns = Cells(PlainCells() for _ in given)
    for i in range(0, len(lines), PART):
        for k, part in enumerate(zip(*lines[i : i + PART])):
            _read_part(columns[k], part, i, k)
    return columns, given


def _read_part(column: PlainCells, part: Sequence[Any], i: int, k: int) -> None:
    """Add cells of column k, from row i on."""
    is_usual = {str, float, type(None)}.issuperset(map(type, part))
    numbers = plain_numbers(part) if is_usual else None
    if numbers is None or largest_size(numbers) > MAX_CELL:
        part = [plain_cell(cell, f"rows[{j}][{k}]") for j, cell in enumerate(part, i)]
        numbers = plain_numbers(part)
    column += part
    if column.numbers is None or numbers is None:
        column.numbers = None
    else:
        column.numbers += numbers


def places_of(columns: Any, given: Sequence[str], numbers: Sequence[int], name: str) -> set[int]:
    """Return the places of columns, each by its name or its number; one may stand alone."""
    alone = issubclass(type(columns), (str, int))
    listed = [columns] if alone else sequence(columns, name)
    return {_place_of(column, given, numbers, f"{name}[{k}]") for k, column in enumerate(listed)}


def _place_of(column: object, given: Sequence[str], numbers: Sequence[int], name: str) -> int:
    """Return the place of a column, from its name or its number, which may be written."""
    if issubclass(type(column), str):
        column = text(column, name)
        if column in given:
            return list(given).index(column)
        if not is_short_number(column):
            known = shorten(", ".join(map(repr, given)), 80)
            raise ValueError(f"{name} is {quote(column, 30)}; the columns are {known}")
        column = int(column)
    number = whole_number(column, name, 1)
    if number not in numbers:
        ends = f"counted from {min(numbers)} to {max(numbers)}"
        raise ValueError(f"{name} is {number}; columns are {ends}")
    return list(numbers).index(number)


def refuse_twice(names: Sequence[str]) -> None:
    """Refuse two columns of one name, such as one called sex=male beside that of a text."""
    for name, count in Counter(names).items():
        if count > 1:
            raise ValueError(f"two columns would be called {quote(name, 30)}; rename one")
