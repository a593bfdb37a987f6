"""What a report is made of, and its tables: of bugs, of failures, of cases and checks.

A block is a Heading, a paragraph (a str), a Table, or a list of lines for a shell, each of which
is pasted whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, Union

from ..checks import CHECKS, short_text
from ..protocol.records import Record
from .causes import words_for
from .coverage import count_cases, grouped, groups_of
from .examples import problem_words, row_text

MARKS = {"pass": "ok", "acceptable": "(ok)", "fail": "FAIL"}  # the worst is last
MOST_CAUSES = 4  # that are told in sentences
MOST_FAILURES = 8  # rows of a table on a terminal
MOST_BUGS = 8
Records = Sequence[Record]
LineOf = Callable[[Record], Union[str, None]]  # what shows a failure again


class Heading(NamedTuple):
    """A line above the blocks that follow."""

    text: str
    level: int = 2


class Table(NamedTuple):
    """Rows of words under a head.

    title says what the table shows, to those who do not see it; marks says whether cells are
    results, to be coloured. Rows that are shorter than the head are filled with empty cells.
    """

    title: str
    head: list[str]
    rows: list[list[str]]
    marks: bool = False


Block = Union[Heading, str, Table, list[str]]


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


# ---- tables


def bugs_found(failures: Records) -> list[tuple[str, list[Record]]]:
    """Return [(flag, records that show it)], that of most cases first."""
    found = grouped(failures, lambda record: record.flag or "Wrong")
    return sorted(found.items(), key=lambda item: -count_cases(item[1]))


def _bug_table(failures: Records) -> list[Table]:
    """Return a row for each bug that was found."""
    rows = [
        [
            flag,
            str(count_cases(shown)),
            words_for(flag),
            first_names(record.case for record in shown),
        ]
        for flag, shown in bugs_found(failures)
    ]
    return table_if_any("kinds of bug", ["bug", "cases", "what it is", "seen in"], rows)


def _failure_table(failures: Records, with_case: bool = True) -> list[Table]:
    """Return a row for each failure; the bug comes before what happened."""
    head = ["case", "check", "bug", "what happened", "worst row", "gap"]
    rows = [
        [
            record.case,
            record.check,
            record.flag or "",
            record.reason,
            "" if record.worst_x is None else row_text(record.worst_x),
            "" if record.gap is None else short_text(record.gap, 3),
        ]
        for record in failures
    ]
    start = 0 if with_case else 1
    return table_if_any("failures", head[start:], [row[start:] for row in rows])


def _excuse_table(records: Records) -> list[Table]:
    """Return a row for each reason that made failures acceptable, with its cases."""
    excused = [record for record in records if record.result == "acceptable"]
    rows = [
        [check, reason, str(count_cases(found)), first_names(r.case for r in found)]
        for (check, reason), found in grouped(excused, lambda r: (r.check, r.reason)).items()
    ]
    return table_if_any("acceptable", ["check", "reason", "cases", "seen in"], rows)


def case_grid(records: Records) -> Table:
    """Return a row a case, a column a check; only what was judged has a mark, of the worst."""
    rows: dict[str, dict[str, str]] = {}
    worse: Any = list(MARKS.values()).index
    for record in records:
        marks, mark = rows.setdefault(record.case, {}), MARKS[record.result]
        marks[record.check] = max(marks.get(record.check, mark), mark, key=worse)
    return Table(
        "cases and checks",
        ["case", *CHECKS],
        [[case, *[marks.get(check, "") for check in CHECKS]] for case, marks in rows.items()],
        marks=True,
    )


def _every_case(records: Records) -> Iterable[Block]:
    """Yield what the checks ask, and the grid of each group of cases with what it is for."""
    if not records:
        return
    yield Heading("Every case, every check")
    yield legend(records)
    for group in groups_of(records):
        yield Heading(group.title[:1].upper() + group.title[1:], 3)
        yield group.purpose
        yield case_grid(group.records)


def legend(records: Records) -> Table:
    """Return what each check asks that has a record."""
    there = {record.check for record in records}
    rows = [[check, asks] for check, asks in CHECKS.items() if check in there]
    return Table("checks", ["check", "what it asks"], rows)


def lines_of(failures: Iterable[Record], line_of: LineOf, most: int | None = None) -> list[Block]:
    """Return the lines that show failures again, each once, as a list of at most one block."""
    lines = dict.fromkeys(line for line in map(line_of, failures) if line is not None)
    return [list(lines)[:most]] if lines else []


# ---- all of them


def brief_tables(failures: Records, examples: int) -> Iterable[Block]:
    """Yield a table of bugs and one of failures, as far as a screen holds them.

    examples: so many cases have been told already.
    """
    if not failures:
        return
    if len(bugs_found(failures)) > MOST_CAUSES:
        yield Heading("Kinds of bug")
        for table in _bug_table(failures):
            yield _shortened(table, MOST_BUGS)
    if count_cases(failures) > examples:
        yield Heading("Failures")
        for table in _failure_table(_once_a_case(failures)):
            without = table._replace(head=table.head[:-2], rows=[row[:-2] for row in table.rows])
            yield _shortened(without, MOST_FAILURES)  # without the worst row and the gap
    yield legend(failures)


def _once_a_case(failures: Records) -> Records:
    """Return a record for each case and bug, the first, with the checks of all."""
    return [
        records[0]._replace(check=" ".join(dict.fromkeys(record.check for record in records)))
        for records in grouped(failures, lambda r: (r.case, r.flag)).values()
    ]


def _shortened(table: Table, most: int) -> Table:
    """Return a table without its last rows, which are counted."""
    left = len(table.rows) - most
    if left <= 0:
        return table
    return table._replace(rows=[*table.rows[:most], [f".. and {left} more, which -o REPORT has"]])


def full_tables(
    records: Records, failures: Records, line_of: LineOf, every: bool
) -> Iterable[Block]:
    """Yield every table, and each case that fails; every: and the marks of all cases."""
    if failures:
        yield Heading("Kinds of bug")
        yield from _bug_table(failures)
        yield Heading("Every case that fails")
        yield legend(failures)
    for name, of_one in grouped(failures, lambda record: record.case).items():
        yield Heading(name, 3)
        yield from problem_words(name)
        yield from _failure_table(of_one, with_case=False)
        yield from lines_of(of_one, line_of)
    excuses = _excuse_table(records)
    if excuses:
        yield Heading("Acceptable")
        yield "Not what was asked for, and no mistake either."
        yield from excuses
    if every:
        yield from _every_case(records)
