"""What was measured, kept as lines of JSON under build/, and written as tables in Markdown.

A record is a dictionary; its "part" says which part of the benchmark it belongs to. A later
record with the same keys takes the place of an earlier one.
"""

import json
from datetime import datetime

from environment import KEPT

FILE = KEPT / "records.jsonl"


def keep(part, **record):
    """Append a record of a part."""
    when = datetime.now().isoformat(timespec="minutes")
    with open(FILE, "a") as lines:
        lines.write(json.dumps({"part": part, **record, "date": when}) + "\n")


def kept(part, *keys):
    """{the values of these keys: the last record with them} of a part."""
    if not FILE.exists():
        return {}
    records = [json.loads(line) for line in FILE.read_text().splitlines()]
    return {tuple(r[key] for key in keys): r for r in records if r["part"] == part}


def table(head, rows):
    """A table in Markdown; `head` is a line with | between the names of the columns."""
    lines = [f"| {head} |", "|---" * (head.count("|") + 1) + "|"]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def seconds(record, key="cpu"):
    """The time of a record as a word: nothing if there is none, > if the program was ended."""
    if record is None:
        return ""
    return f"{record[key]:.4g}" if key in record else f">{record['patience']:g}"
