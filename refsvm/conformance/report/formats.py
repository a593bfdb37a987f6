"""A report as JSON, which a later audit can be held against, and as one page of HTML.

The page has no script and no file beside it. It is read on a phone as on a wide screen, by day and
by night, and aloud: tables have captions and the first cell of a row is its head.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from fractions import Fraction
from math import inf
from typing import Any

from ...files.text import PathLike, checked_path
from ...numerics.quoting import markup, quote
from ...numerics.validation import text
from ..protocol import floats_to_words, words_to_floats
from ..protocol.records import Record
from .causes import cause_of
from .contents import AuditReport, Block, Heading, Stored, Table, blocks

FORMAT = "refsvm audit 1"
GAP = re.compile(r"-?[0-9]+(/[1-9][0-9]*)?", re.ASCII)

STYLE = """\
:root { color-scheme: light dark; --ink: #222; --soft: #5b5b6b; --line: #dcdce6; --paper: #fff;
  --panel: #f4f4f8; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e6ea; --soft: #a9a9ba; --line: #3a3a46;
  --paper: #17171c; --panel: #22222a; } }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  max-width: 64rem; margin: 1.5rem auto; padding: 0 1rem; overflow-wrap: break-word; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .5rem; }
h2 { font-size: 1.2rem; margin: 2.2rem 0 .5rem; }
h3 { font-size: 1rem; margin: 1.6rem 0 .3rem; }
p { margin: .4rem 0; max-width: 46rem; }
.wide { overflow-x: auto; margin: .6rem 0; }
table { border-collapse: collapse; font-size: .875rem; }
caption { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
th, td { text-align: left; vertical-align: top; padding: .3rem .7rem .3rem 0;
  border-bottom: 1px solid var(--line); }
thead th { color: var(--soft); font-weight: 600; white-space: nowrap; }
tbody th { font-weight: 600; }
td { min-width: 3rem; } td.long { min-width: 16rem; }
pre { background: var(--panel); padding: .6rem .8rem; margin: .6rem 0; border-radius: 4px;
  font-size: .8rem; white-space: pre-wrap; overflow-wrap: anywhere; max-height: 12rem;
  overflow-y: auto; }
"""
LONG = 40  # letters of a cell that is given room
FOCUS = ' tabindex="0"'  # of what may have to be scrolled, so that keys can do it
NARROW = 3  # columns of a table that every screen has room for


# ---- JSON


def to_json(name: str, facts: dict[str, Any], records: Sequence[Record]) -> str:
    """Return a report as the text of a JSON file: the verdict, then a record a line."""
    head = {"format": FORMAT, "subject": name, **facts, "verdict": _verdict_of(records)}
    lines = ",\n".join(json.dumps(document_of(record)) for record in records)
    return f'{json.dumps(head)[:-1]}, "records": [\n{lines}\n]}}\n'


def _verdict_of(records: Sequence[Record]) -> list[dict[str, Any]]:
    """Return the causes as objects of JSON, that of most cases first; none if nothing failed."""
    cause = cause_of(records)
    causes = [] if cause is None else [cause, *cause.others]
    return [
        {"flag": c.flag, "sentence": c.sentence, "explained": c.explained, "failing": c.failing}
        for c in causes
    ]


def document_of(record: Record) -> dict[str, Any]:
    """Return a record as an object of JSON, the gap as a fraction in a string."""
    gap = None if record.gap is None else str(record.gap)
    return {**record._asdict(), "gap": gap, "worst_x": floats_to_words(record.worst_x)}


def record_from(document: dict[str, Any]) -> Record:
    """Return the record that an object of JSON describes."""
    for key in ("case", "check", "result", "reason"):
        text(document[key], key)
    gap = _gap_of(document["gap"])
    return Record(**{**document, "gap": gap, "worst_x": words_to_floats(document["worst_x"])})


def _gap_of(word: Any) -> Any:
    """Return the gap that a word stands for; a Fraction of 1e99999999 would take all memory."""
    if word is None:
        return None
    if word == "inf":
        return inf
    if not GAP.fullmatch(text(word, "gap")):
        raise ValueError
    return Fraction(word)


def read_stored(path: PathLike) -> Stored:
    """Read an earlier report; ValueError for a file that is none."""
    path = checked_path(path)
    with open(path, encoding="utf-8") as file:
        try:
            document = json.load(file)
            if document["format"] != FORMAT:
                raise ValueError
            records = [record_from(record) for record in document["records"]]
            name, date = text(document["subject"], "subject"), document.get("date")
            return Stored(name, date and text(date, "date"), records)
        except (ValueError, TypeError, KeyError, RecursionError):
            raise ValueError(
                f"{quote(str(path))} is no earlier report; it must be a file that audit wrote"
                " with -o NAME.json"
            ) from None


# ---- the page


def html(report: AuditReport) -> str:
    """Return the report as one HTML page."""
    body = "\n".join(map(_block_html, blocks(report)))
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>Audit of {markup(report.name)}</title>\n<style>\n{STYLE}</style>\n</head>\n"
        f"<body>\n<main>\n{body}\n</main>\n</body>\n</html>\n"
    )


def _block_html(block: Block) -> str:
    """Return a block as HTML."""
    if isinstance(block, Heading):
        return f"<h{block.level}>{markup(block.text)}</h{block.level}>"
    if isinstance(block, str):
        return f"<p>{markup(block)}</p>"
    if isinstance(block, list):
        return "\n".join(f"<pre{FOCUS}><code>{markup(line)}</code></pre>" for line in block)
    return table_html(block)


def table_html(table: Table) -> str:
    """Return a table as HTML, in a box that scrolls where the screen is too narrow."""
    head = "".join(f'<th scope="col">{markup(word)}</th>' for word in table.head)
    rows = "\n".join(_row_html(row, len(table.head)) for row in table.rows)
    label = f'{FOCUS} role="region" aria-label="{markup(table.title)}"'
    return (
        f'<div class="wide"{label if len(table.head) > NARROW else ""}>'
        f"<table>\n<caption>{markup(table.title)}</caption>\n"
        f"<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}\n</tbody></table></div>"
    )


def _row_html(row: list[str], width: int) -> str:
    """Return a row; its first cell is its head, and a long text has room."""
    kinds = [' class="long"' if len(word) > LONG else "" for word in row]
    cells = "".join(f"<td{kind}>{markup(word)}</td>" for kind, word in zip(kinds[1:], row[1:]))
    empty = "<td></td>" * (width - len(row))
    return f'<tr><th scope="row">{markup(row[0])}</th>{cells}{empty}</tr>'
