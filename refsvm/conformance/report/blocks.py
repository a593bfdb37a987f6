"""What a report is made of: headings, paragraphs, tables, lines to paste."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, Union


class Heading(NamedTuple):
    """A line above the blocks that follow."""

    text: str
    level: int = 2


class Paragraph(NamedTuple):
    """A few sentences."""

    text: str


class Table(NamedTuple):
    """Rows of words under a head.

    title says what the table shows, to those who do not see it; marks says whether cells are
    results, to be coloured. Rows that are shorter than the head are filled with empty cells.
    """

    title: str
    head: list[str]
    rows: list[list[str]]
    marks: bool = False


class Lines(NamedTuple):
    """Lines for a shell, each to be pasted whole."""

    lines: list[str]


Block = Union[Heading, Paragraph, Table, Lines]


def table_if_any(title: str, head: list[str], rows: Iterable[list[str]]) -> list[Table]:
    """Return the table as a list of one block; no block where it has no rows."""
    filled = list(rows)
    return [Table(title, head, filled)] if filled else []


def first_names(names: Iterable[str], most: int = 4) -> str:
    """Return the first few different names, and how many more there are.

    >>> first_names(["C01", "kernel 9", "C01", "two points, C = 1"], 2)
    'C01; kernel 9 and 1 more'
    """
    every = list(dict.fromkeys(names))  # of which some hold a comma
    return "; ".join(every[:most]) + (f" and {len(every) - most} more" if every[most:] else "")


def plural(count: int, one: str, more: str | None = None) -> str:
    """Return a count with its noun.

    >>> plural(1, "case"), plural(2, "case")
    ('1 case', '2 cases')
    """
    return f"{count} {one if count == 1 else more or one + 's'}"
