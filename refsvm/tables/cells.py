"""Cells: what stands in the rows of a table, as numbers, texts and gaps.

A cell is a number, a text as a file has it, a date, or a gap: None, NaN, "", "NA", "?" and the
like, of which nothing is known.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import date
from typing import Any

from ..numerics.conversion import as_lists, as_number
from ..numerics.numerals import is_short_number
from ..numerics.quoting import quote, shorten
from ..numerics.validation import sequence, text, whole_number

Cells = list[list[Any]]  # of each column
MISSING = {"", "?", "NA", "N/A", "#N/A", "NAN", "NULL"}  # in capitals
LARGEST = 2.0**1022  # beyond it a difference may be no double
WITHIN = "from -2^1022 to 2^1022"


def is_missing(token: str) -> bool:
    """Tell whether a field stands for a value that is missing."""
    return token.upper() in MISSING


def plain_cell(cell: Any, place: str) -> Any:
    """Return a cell as a float, a text, or None for a gap.

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
    if not -LARGEST <= number <= LARGEST:
        raise ValueError(f"{place} is {quote(number)}; a number must be {WITHIN}")
    return float(number)


def cells_of(
    rows: Sequence[Sequence[Any]], names: Sequence[str] | None
) -> tuple[Cells, list[str]]:
    """Return the plain cells of each column, and the names of the columns."""
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
    cells = [
        [plain_cell(line[k], f"rows[{i}][{k}]") for i, line in enumerate(lines)]
        for k in range(width)
    ]
    return cells, given


def places_of(columns: Any, given: Sequence[str], numbers: Sequence[int], name: str) -> set[int]:
    """Return the places of columns, each by its name or its number; one may stand alone."""
    alone = issubclass(type(columns), (str, int))
    listed = [columns] if alone else sequence(columns, name)
    return {_place_of(column, given, numbers, f"{name}[{k}]") for k, column in enumerate(listed)}


def _place_of(column: Any, given: Sequence[str], numbers: Sequence[int], name: str) -> int:
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
