"""What a column of a table holds: numbers, dates, texts, or nothing that tells rows apart.

    cell    what stands in a row: a number, a text, a date, or None for a gap (cells.py)
    kind    NUMBERS, DAYS, TEXTS, or why the column is left out; by all rows, the first that fits:

        only gaps                                          left out
        one value                                          left out
        numbers                                            NUMBERS
        YYYY-MM-DD or YYYY/MM/DD, or dates                 DAYS, counted from 1970-01-01
        anything else                                      TEXTS

Left out, too, unless they are to be kept: whole numbers, all different, that leave none out from
the least to the largest, in any order, or whose name ends in id (of ten rows or more, without
gaps); texts that are all different (three or more), or more than 50 of them.
A column of texts is refused if at least half of its cells are numbers, or may be meant as such,
like "<5", "1,5" and "16 %", and its values are more than 50, or more than half as many as its
cells (three or more): what it means only the owner knows. So is one that is not in UTF-8.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from datetime import date
from typing import Any, NamedTuple

from ..numerics.quoting import quote
from .cells import LARGEST, WITHIN
from .layout import is_number

MOST_TEXTS = 50  # values of a column of texts: states and districts of a country are 51
FEWEST_ROWS = 10  # of which a column can be said to count them
EPOCH = date(1970, 1, 1).toordinal()
# A number as people write it: 1,234.5  1.234,5  16 %  $ 3  <5
MEANT = re.compile(
    r"[<>~\u2264\u2265]?=? ?[+-]?[$\u20ac\u00a3]? ?"
    r"([0-9]{1,3}([,.' ][0-9]{3})+|[0-9]+)([.,][0-9]*)? ?[%$\u20ac\u00a3]?"
)
NUMBERS, DAYS, TEXTS = "numbers", "days", "texts"


class FoundColumn(NamedTuple):
    """A column of the rows that are learnt from.

    kind     NUMBERS, DAYS or TEXTS; None: left out
    cells    floats or texts, None for each gap
    reason   why it is left out, or must be refused
    refused  whether it must be
    """

    kind: str | None
    cells: list[Any]
    reason: str = ""
    refused: bool = False


def column_of(
    cells: Sequence[Any], name: str, as_texts: bool = False, keep: bool = False
) -> FoundColumn:
    """Return the FoundColumn of plain cells, of the kind that fits it first. O(n)."""
    known = [cell for cell in cells if cell is not None]
    if not known:
        return FoundColumn(None, list(cells), "only gaps")
    if as_texts:
        return _texts(cells, keep=True)
    for kind, read in ((NUMBERS, number_of), (DAYS, days_of)):
        values = [None if cell is None else read(cell) for cell in cells]
        if len([v for v in values if v is not None]) == len(known):
            if any(v is not None and abs(v) > LARGEST for v in values):
                reason = f"numbers that are not {WITHIN}"
                return FoundColumn(None, list(cells), reason, refused=True)
            return _numbers(kind, values, name, keep)
    return _unlike_numbers(cells, known) or _texts(cells, keep)


def _unlike_numbers(cells: Sequence[Any], known: Sequence[Any]) -> FoundColumn | None:
    """Return a column that must be refused, as it may be meant as one of numbers; else None."""
    others = Counter(text_of(cell) for cell in known if number_of(cell) is None)
    several = sum(others.values())  # exact
    meant = sum(count for cell, count in others.items() if MEANT.fullmatch(cell))  # exact
    values = len(set(map(text_of, known)))
    if 2 * (len(known) - several + meant) < len(known):
        return None
    if values <= MOST_TEXTS and (2 * values <= len(known) or len(known) < 3):
        return None
    commonest = min(others, key=lambda cell: (-others[cell], cell))
    reason = f"{several} of {len(known)} texts, as {quote(commonest, 30)}"
    return FoundColumn(None, list(cells), reason, refused=True)


def number_of(cell: Any) -> float | None:
    """Return the number of a plain cell; None if it writes none."""
    if isinstance(cell, float):
        return cell
    return float(cell) if is_number(cell) else None


def days_of(cell: Any) -> float | None:
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
    if kind == NUMBERS and not keep and len(known) == len(values) >= FEWEST_ROWS:
        is_whole = all(v.is_integer() for v in known) and len(set(known)) == len(known)
        if is_whole and max(known) - min(known) == len(known) - 1:
            return FoundColumn(None, values, "it counts the rows")
        if is_whole and name.lower().endswith("id"):
            return FoundColumn(None, values, "a number for each row")
    return FoundColumn(kind, values)


def _texts(cells: Sequence[Any], keep: bool) -> FoundColumn:
    """Return a column of texts, left out if it tells nothing, or rows apart."""
    values = [None if cell is None else text_of(cell) for cell in cells]
    known = [v for v in values if v is not None]
    count = len(set(known))
    if not keep and count == len(known) >= 3:
        return FoundColumn(None, values, "a text for each row")
    if not keep and count > MOST_TEXTS:
        return FoundColumn(None, values, f"{count} texts; at most {MOST_TEXTS} become columns")
    if any("\ufffd" in v for v in known):  # by which texts that differ may have become one
        return FoundColumn(None, values, "not in UTF-8; save the table so", refused=True)
    if count == 1:
        return FoundColumn(None, values, "one value")
    return FoundColumn(TEXTS, values)
