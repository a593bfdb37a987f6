"""The report of an audit: what was found, as Markdown or as one HTML page that needs nothing else.

    verdict     how many checks passed, were acceptable, failed
    bugs        the kinds of bug that the failures show, the most frequent first
    failures    each of them, with the row where the answer is worst
    problems    the cases that failed, with their exact optima: enough to try them by hand
    grid        every case and every check

The report is written once, as a list of blocks; Markdown and HTML are two ways to spell it.
"""

from collections import Counter
from html import escape
from math import inf
from typing import NamedTuple

from .cases import FILES, cases
from .cases.flags import BUGS, FLAGS

CHECKS = {
    "G1": "optimality: the objective, and the shape of the decisions",
    "G2": "multipliers: bounds, balance, conditions",
    "G3": "offset: inside the interval of optimal offsets",
    "G4": "arithmetic: decisions are those of the stated model",
    "G5": "invariance: the same problem in another dress",
    "G6": "consistency: attributes and predictions agree",
    "G7": "input: what must be refused, and what must not",
    "G8": "termination: in time, finite, honest",
    "G9": "round trip: saved and loaded, it decides as before",
}
MARKS = {"pass": "ok", "fail": "FAIL", "acceptable": "(ok)"}


class Heading(NamedTuple):
    """A line above the blocks that follow."""

    text: str
    level: int = 2


class Paragraph(NamedTuple):
    text: str


class Table(NamedTuple):
    """Rows of words under a head; marks says whether cells are results, to be coloured."""

    head: list
    rows: list
    marks: bool = False


def described(flag):
    """What a kind of bug is, in a sentence: of kinds.py, or of the case that shows it."""
    return BUGS[flag] if flag in BUGS else FLAGS[flag].description


def counted(records):
    """The verdict: a sentence.

    >>> counted([])
    '0 checks of 0 cases: 0 passed, 0 acceptable, 0 failed'
    """
    of = Counter(record.result for record in records)
    n = len({record.case for record in records})
    return (
        f"{len(records)} checks of {n} cases: {of['pass']} passed, {of['acceptable']} acceptable,"
        f" {of['fail']} failed"
    )


def bugs(records):
    """[(flag, records that show it)], the most frequent first."""
    found = {}
    for record in records:
        if record.result == "fail":
            found.setdefault(record.flag, []).append(record)
    return sorted(found.items(), key=lambda item: -len(item[1]))


def blocks(name, records):
    """The report as a list of blocks."""
    failures = [record for record in records if record.result == "fail"]
    found = [Heading(f"Audit of {name}", 1), Paragraph(counted(records) + ".")]
    if not failures:
        found.append(Paragraph("No failure was found."))
    if failures:
        found += [Heading("Kinds of bug"), bug_table(records)]
        found += [Heading("Failures"), failure_table(failures)]
        found += [Heading("The problems that failed"), problem_table(failures)]
    excused = [record for record in records if record.result == "acceptable"]
    if excused:
        found += [Heading("Acceptable"), excuse_table(excused)]
    found += [Heading("Every case, every check"), grid(records), legend()]
    return found


def bug_table(records):
    return Table(
        ["bug", "checks", "cases", "what it is"],
        [
            [flag, str(len(shown)), names(record.case for record in shown), described(flag)]
            for flag, shown in bugs(records)
        ],
    )


def names(cases, most=4):
    """The first few different names."""
    every = list(dict.fromkeys(cases))
    return ", ".join(every[:most]) + (f" and {len(every) - most} more" if every[most:] else "")


def failure_table(failures):
    return Table(
        ["case", "check", "bug", "worst row", "gap", "what happened"],
        [
            [
                r.case,
                r.check,
                r.flag,
                "" if r.worst_x is None else row_text(r.worst_x),
                "" if r.gap is None else f"{float(r.gap):.3g}",
                r.reason,
            ]
            for r in failures
        ],
    )


def row_text(row):
    """A row of numbers, in short.

    >>> row_text([0.5, 3.0])
    '(0.5, 3)'
    """
    return "(" + ", ".join(f"{v:.12g}" for v in row) + ")"


def problem_table(failures):
    known = {case.name: case for case in cases(*FILES)}
    failed = dict.fromkeys(record.case for record in failures if record.case in known)
    return Table(
        ["case", "X", "y", "C", "kernel", "exact optimum", "what it is for"],
        [problem_row(known[name]) for name in failed],
    )


def problem_row(case):
    """A case in words."""
    given = case.given
    return [
        case.name,
        " ".join(map(data_text, given["X"])),
        "".join("+" if label == 1 else "-" if label == -1 else "?" for label in given["y"]),
        prices_text(given["C"]),
        kernel_text(given["kernel"]),
        optimum_text(case),
        case.comment,
    ]


def data_text(row):
    return repr(row) if isinstance(row, str) else row_text(map(float, row))


def kernel_text(kernel):
    """A kernel, with floats for its Fractions."""
    if isinstance(kernel, dict):
        return kernel["name"]
    given = ", ".join(
        f"{key}={float(v):g}" if hasattr(v, "__float__") else f"{key}={v!r}"
        for key, v in vars(kernel).items()
    )
    return f"{type(kernel).__name__}({given})"


def prices_text(C):
    """C, once if it is the same for all."""
    every = C if isinstance(C, list) else [C]
    some = every[:1] if len(set(every)) == 1 else every
    return ", ".join("inf" if c == inf else f"{float(c):.9g}" for c in some)


def optimum_text(case):
    """The optimum of a case: exact where it is short."""
    best = case.optimum
    if best is None:
        return "none: must be refused"
    if best.status == "infeasible":
        return "none: there is no hard margin"
    low, high = exact_text(best.b_low), exact_text(best.b_high)
    b = f"b = {low}" if low == high else f"b from {low} to {high}"
    return f"p* = {exact_text(best.objective)}, {b}"


def exact_text(value):
    """A fraction as it is if it is short, else rounded; of an interval the middle."""
    if isinstance(value, tuple):
        value = (value.low + value.high) / 2
    text = str(value)
    return text if len(text) <= 16 else f"{float(value):.9g}"


def excuse_table(excused):
    """The reasons that made failures acceptable, each with its cases."""
    by_reason = {}
    for record in excused:
        by_reason.setdefault((record.check, record.reason), []).append(record.case)
    return Table(
        ["check", "reason", "cases"],
        [[check, reason, names(found)] for (check, reason), found in by_reason.items()],
    )


def grid(records):
    """A row a case, a column a check; only what was judged has a mark."""
    rows = {}
    for record in records:
        rows.setdefault(record.case, {})[record.check] = MARKS[record.result]
    return Table(
        ["case", *CHECKS],
        [[case, *[marks.get(check, "") for check in CHECKS]] for case, marks in rows.items()],
        marks=True,
    )


def legend():
    return Table(["check", "what it asks"], [list(item) for item in CHECKS.items()])


def markdown(name, records):
    """The report as Markdown text."""
    return "\n\n".join(map(in_markdown, blocks(name, records))) + "\n"


def in_markdown(block):
    if isinstance(block, Heading):
        return "#" * block.level + " " + block.text
    if isinstance(block, Paragraph):
        return block.text
    lines = [block.head, ["---"] * len(block.head), *block.rows]
    return "\n".join("| " + " | ".join(map(in_cell, line)) + " |" for line in lines)


def in_cell(word):
    """A word that breaks no table."""
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


def html(name, records):
    """The report as one HTML page."""
    body = "\n".join(map(in_html, blocks(name, records)))
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>Audit of {escape(name)}</title>\n<style>\n{STYLE}</style>\n</head>\n"
        f"<body>\n{body}\n</body>\n</html>\n"
    )


def in_html(block):
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


def cell(word):
    return f"<td>{escape(word)}</td>"


def mark_cell(word):
    """A cell coloured by its result, which it says in words, too."""
    result = {mark: result for result, mark in MARKS.items()}.get(word)
    return f'<td class="{result}">{escape(word)}</td>' if result else cell(word)
