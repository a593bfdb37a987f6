"""The tables of a report: kinds of bug, failures, what is acceptable, every case and check."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ..checks import CHECKS, short_text
from ..protocol.records import Record
from .blocks import Block, Heading, Paragraph, Table, first_names, table_if_any
from .causes import words_for
from .coverage import groups_of
from .examples import row_text

MARKS = {"pass": "ok", "acceptable": "(ok)", "fail": "FAIL"}  # the worst is last
Records = Sequence[Record]


def bugs_found(failures: Records) -> list[tuple[str, list[Record]]]:
    """Return [(flag, records that show it)], that of most cases first."""
    found: dict[str, list[Record]] = {}
    for record in failures:
        found.setdefault(record.flag or "Wrong", []).append(record)
    return sorted(found.items(), key=lambda item: -len({record.case for record in item[1]}))


def bug_table(failures: Records) -> list[Table]:
    """Return a row for each bug that was found."""
    rows = [
        [
            flag,
            str(len({record.case for record in shown})),
            words_for(flag),
            first_names(record.case for record in shown),
        ]
        for flag, shown in bugs_found(failures)
    ]
    return table_if_any("kinds of bug", ["bug", "cases", "what it is", "seen in"], rows)


def failure_table(failures: Records, with_case: bool = True) -> list[Table]:
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


def excuse_table(records: Records) -> list[Table]:
    """Return a row for each reason that made failures acceptable, with its cases."""
    by_reason: dict[tuple[str, str], list[str]] = {}
    for record in records:
        if record.result == "acceptable":
            by_reason.setdefault((record.check, record.reason), []).append(record.case)
    rows = [
        [check, reason, str(len(set(found))), first_names(found)]
        for (check, reason), found in by_reason.items()
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


def every_case(records: Records) -> Iterable[Block]:
    """Yield what the checks ask, and the grid of each group of cases with what it is for."""
    if not records:
        return
    yield Heading("Every case, every check")
    yield legend(records)
    for group in groups_of(records):
        yield Heading(group.title[:1].upper() + group.title[1:], 3)
        yield Paragraph(group.purpose)
        yield case_grid(group.records)


def legend(records: Records) -> Table:
    """Return what each check asks that has a record."""
    there = {record.check for record in records}
    rows = [[check, asks] for check, asks in CHECKS.items() if check in there]
    return Table("checks", ["check", "what it asks"], rows)
