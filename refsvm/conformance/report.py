"""The report of an audit: what was found, as Markdown or as one HTML page that needs nothing else.

    verdict     how many checks passed, were acceptable, failed
    bugs        the kinds of bug that the failures show, the most frequent first
    failures    each of them, with the row where the answer is worst
    problems    the cases that failed, with their exact optima: enough to try them by hand
    grid        every case and every check

The report is written once, as a list of blocks; Markdown and HTML are two ways to spell it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from html import escape
from math import inf
from typing import Any, NamedTuple, Union

from ..numerics.intervals import Interval
from .cases import FILES, Case, cases
from .cases.flags import BUGS, FLAGS
from .checks import CHECKS, short_text
from .records import Record

MARKS = {"pass": "ok", "acceptable": "(ok)", "fail": "FAIL"}  # the worst is last


class Heading(NamedTuple):
    """A line above the blocks that follow."""

    text: str
    level: int = 2


class Paragraph(NamedTuple):
    """A sentence or two."""

    text: str


class Table(NamedTuple):
    """Rows of words under a head; marks says whether cells are results, to be coloured."""

    head: list[str]
    rows: list[list[str]]
    marks: bool = False


Block = Union[Heading, Paragraph, Table]
Records = Sequence[Record]


def describe_bug(flag: str) -> str:
    """Return what a kind of bug is, in a sentence: of BUGS, or of the case that shows it."""
    return BUGS[flag] if flag in BUGS else FLAGS[flag].description


def verdict(records: Records) -> str:
    """Return the verdict: a sentence.

    >>> verdict([])
    '0 checks of 0 cases: 0 passed, 0 acceptable, 0 failed'
    """
    of = Counter(record.result for record in records)
    n = len({record.case for record in records})
    return (
        f"{len(records)} checks of {n} cases: {of['pass']} passed, {of['acceptable']} acceptable,"
        f" {of['fail']} failed"
    )


def bugs_found(records: Records) -> list[tuple[str, list[Record]]]:
    """Return [(flag, records that show it)], the most frequent first."""
    found: dict[str, list[Record]] = {}
    for record in records:
        if record.result == "fail":
            found.setdefault(record.flag or "", []).append(record)
    return sorted(found.items(), key=lambda item: -len(item[1]))


def blocks(name: str, records: Records) -> list[Block]:
    """Return the report as a list of blocks."""
    failures = [record for record in records if record.result == "fail"]
    found: list[Block] = [Heading(f"Audit of {name}", 1), Paragraph(verdict(records) + ".")]
    if not failures:
        found.append(Paragraph("No failure was found."))
    if failures:
        found += [Heading("Kinds of bug"), bug_table(records)]
        found += [Heading("Failures"), failure_table(failures)]
        found += [Heading("The problems that failed"), problem_table(failures)]
    excused = [record for record in records if record.result == "acceptable"]
    if excused:
        found += [Heading("Acceptable"), excuse_table(excused)]
    found += [Heading("Every case, every check"), case_grid(records), legend()]
    return found


def bug_table(records: Records) -> Table:
    """Return a row for each bug that was found."""
    return Table(
        ["bug", "checks", "cases", "what it is"],
        [
            [
                flag,
                str(len(shown)),
                first_names(record.case for record in shown),
                describe_bug(flag),
            ]
            for flag, shown in bugs_found(records)
        ],
    )


def first_names(cases: Iterable[str], most: int = 4) -> str:
    """Return the first few different names."""
    every = list(dict.fromkeys(cases))
    return ", ".join(every[:most]) + (f" and {len(every) - most} more" if every[most:] else "")


def failure_table(failures: Records) -> Table:
    """Return a row for each failure."""
    return Table(
        ["case", "check", "bug", "worst row", "gap", "what happened"],
        [
            [
                r.case,
                r.check,
                r.flag or "",
                "" if r.worst_x is None else row_text(r.worst_x),
                "" if r.gap is None else short_text(r.gap, 3),
                r.reason,
            ]
            for r in failures
        ],
    )


def row_text(row: Iterable[float]) -> str:
    """Return a row of numbers, in short.

    >>> row_text([0.5, 3.0])
    '(0.5, 3)'
    """
    return "(" + ", ".join(f"{v:.12g}" for v in row) + ")"


def problem_table(failures: Records) -> Table:
    """Return a row for each case that failed."""
    known = {case.name: case for case in cases(*FILES)}
    failed = dict.fromkeys(record.case for record in failures if record.case in known)
    return Table(
        ["case", "X", "y", "C", "kernel", "exact optimum", "what it is for"],
        [problem_row(known[name]) for name in failed],
    )


def problem_row(case: Case) -> list[str]:
    """Return a case in words."""
    given = case.given
    return [
        case.name,
        " ".join(map(data_text, given["X"])),
        "".join("+" if label == 1 else "-" if label == -1 else "?" for label in given["y"]),
        penalty_text(given["C"]),
        kernel_text(given["kernel"]),
        optimum_text(case),
        case.comment,
    ]


def data_text(row: Any) -> str:
    """Return a row of X: numbers, or a string."""
    return repr(row) if isinstance(row, str) else row_text(map(float, row))


def kernel_text(kernel: Any) -> str:
    """Return a kernel, with floats for its Fractions."""
    if isinstance(kernel, dict):
        return str(kernel["name"])
    given = ", ".join(
        f"{key}={float(v):g}" if hasattr(v, "__float__") else f"{key}={v!r}"
        for key, v in vars(kernel).items()
    )
    return f"{type(kernel).__name__}({given})"


def penalty_text(C: Any) -> str:
    """Return C, once if it is the same for all."""
    every = C if isinstance(C, list) else [C]
    some = every[:1] if len(set(every)) == 1 else every
    return ", ".join("inf" if c == inf else f"{float(c):.9g}" for c in some)


def optimum_text(case: Case) -> str:
    """Return the optimum of a case: exact where it is short."""
    best = case.optimum
    if best is None:
        return "none: must be refused"
    if best.status == "infeasible":
        return "none: there is no hard margin"
    low, high = exact_text(best.b_low), exact_text(best.b_high)
    b = f"b = {low}" if low == high else f"b from {low} to {high}"
    return f"p* = {exact_text(best.objective)}, {b}"


def exact_text(value: Any) -> str:
    """Return a fraction as it is if it is short, else rounded; of an interval the middle."""
    if isinstance(value, Interval):
        value = (value.low + value.high) / 2
    text = str(value)
    return text if len(text) <= 16 else f"{float(value):.9g}"


def excuse_table(excused: Records) -> Table:
    """Return a row for each reason that made failures acceptable, with its cases."""
    by_reason: dict[tuple[str, str], list[str]] = {}
    for record in excused:
        by_reason.setdefault((record.check, record.reason), []).append(record.case)
    return Table(
        ["check", "reason", "cases"],
        [[check, reason, first_names(found)] for (check, reason), found in by_reason.items()],
    )


def case_grid(records: Records) -> Table:
    """Return a row a case, a column a check; only what was judged has a mark, of the worst."""
    rows: dict[str, dict[str, str]] = {}
    worse = list(MARKS.values()).index
    for record in records:
        marks, mark = rows.setdefault(record.case, {}), MARKS[record.result]
        marks[record.check] = max(marks.get(record.check, mark), mark, key=worse)
    return Table(
        ["case", *CHECKS],
        [[case, *[marks.get(check, "") for check in CHECKS]] for case, marks in rows.items()],
        marks=True,
    )


def legend() -> Table:
    """Return what each check asks."""
    return Table(["check", "what it asks"], [list(item) for item in CHECKS.items()])


def markdown(name: str, records: Records) -> str:
    """Return the report as Markdown text."""
    return "\n\n".join(map(block_markdown, blocks(name, records))) + "\n"


def block_markdown(block: Block) -> str:
    """Return a block as Markdown."""
    if isinstance(block, Heading):
        return "#" * block.level + " " + block.text
    if isinstance(block, Paragraph):
        return block.text
    lines = [block.head, ["---"] * len(block.head), *block.rows]
    return "\n".join("| " + " | ".join(map(escape_bars, line)) + " |" for line in lines)


def escape_bars(word: str) -> str:
    """Return a word that breaks no table of Markdown."""
    return word.replace("|", "\\|")


STYLE = """\
:root { --ink: #222; --soft: #667; --line: #dde; --paper: #fff; --ok: #dff0e3; --no: #b3261e;
  --may: #fbf0cc; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e6ea; --soft: #a3a3b2; --line: #3a3a46;
  --paper: #17171c; --ok: #1d3a27; --no: #d8554c; --may: #4a4016; } }
body { font: 15px/1.45 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  max-width: 72rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; margin-bottom: .3rem; } h2 { font-size: 1.1rem; margin-top: 2.2rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: .85rem; }
th, td { text-align: left; vertical-align: top; padding: .3rem .6rem;
  border-bottom: 1px solid var(--line); }
th { color: var(--soft); font-weight: 600; white-space: nowrap; }
td:first-child { white-space: nowrap; }
.marks td:not(:first-child), .marks th:not(:first-child) { text-align: center; padding: .2rem;
  min-width: 2.6rem; border: 2px solid var(--paper); }
.pass { background: var(--ok); } .fail { background: var(--no); color: #fff; font-weight: 600; }
.acceptable { background: var(--may); }
"""


def html(name: str, records: Records) -> str:
    """Return the report as one HTML page."""
    body = "\n".join(map(block_html, blocks(name, records)))
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>Audit of {escape(name)}</title>\n<style>\n{STYLE}</style>\n</head>\n"
        f"<body>\n{body}\n</body>\n</html>\n"
    )


def block_html(block: Block) -> str:
    """Return a block as HTML."""
    if isinstance(block, Heading):
        return f"<h{block.level}>{escape(block.text)}</h{block.level}>"
    if isinstance(block, Paragraph):
        return f"<p>{escape(block.text)}</p>"
    head = "".join(f"<th>{escape(word)}</th>" for word in block.head)
    rows = "\n".join(
        "<tr>" + "".join(map(mark_cell if block.marks else cell, row)) + "</tr>"
        for row in block.rows
    )
    kind = ' class="marks"' if block.marks else ""
    return (
        f'<div class="wide"><table{kind}>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}\n'
        "</tbody></table></div>"
    )


def cell(word: str) -> str:
    """Return a cell of a table."""
    return f"<td>{escape(word)}</td>"


def mark_cell(word: str) -> str:
    """Return a cell coloured by its result, which it says in words, too."""
    result = {mark: result for result, mark in MARKS.items()}.get(word)
    return f'<td class="{result}">{escape(word)}</td>' if result else cell(word)
