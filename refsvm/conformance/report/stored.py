"""A report as JSON, which a later audit can be held against.

Two failures are the same if case, check and, of a policy, the question are the same: numbers in
the reason may differ from run to run, and a bug may have another name once more is known of it.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from math import inf
from typing import Any, NamedTuple

from ...files.text import PathLike, checked_path
from ...numerics.quoting import quote
from ...numerics.validation import text
from ..cases.drawn import place_of
from ..protocol import floats_to_words, words_to_floats
from ..protocol.records import Record, was_asked
from .causes import cause_of, failures_of

FORMAT = "refsvm audit 1"
GAP = re.compile(r"-?[0-9]+(/[1-9][0-9]*)?", re.ASCII)
Key = tuple[str, str, str]  # case, check, question


class Stored(NamedTuple):
    """An earlier report: whose it is, when it was made, and its records."""

    name: str
    date: str | None
    records: list[Record]


class Changes(NamedTuple):
    """What became of failures, against an earlier report."""

    earlier: Stored
    new: list[Record]  # failures that were none
    mended: list[Record]  # that are none any more, as they were
    same: int  # how many failures still are
    unasked: list[Record]  # of which nothing is known, for their case was not asked this time


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


def changes_since(earlier: Stored, records: Sequence[Record]) -> Changes:
    """Return what became of failures since an earlier report.

    A failure that is there more often than before is new as many times.
    """
    now, before = failures_of(records), failures_of(earlier.records)
    known, found = Counter(map(key_of, before)), Counter(map(key_of, now))
    asked = {record.case for record in records if was_asked(record)}
    chosen = {record.case for record in records}
    new, gone = beyond(now, known), beyond(before, found)
    return Changes(
        earlier,
        new,
        [record for record in gone if record.case in asked],
        len(now) - len(new),
        [record for record in gone if record.case in chosen - asked],
    )


def beyond(records: Sequence[Record], known: Counter[Key]) -> list[Record]:
    """Return the records that are there more often than known."""
    left, more = Counter(known), []
    for record in records:
        key = key_of(record)
        if left[key] > 0:
            left[key] -= 1
        else:
            more.append(record)
    return more


def key_of(record: Record) -> Key:
    """Return what makes a failure the same in two reports."""
    return record.case, record.check, question_of(record)


def question_of(record: Record) -> str:
    """Return the question that a record of a policy is about; of another case "".

    >>> question_of(Record("labels", "G7", "fail", None, None, None, "0 and 1: refused"))
    '0 and 1'
    """
    if place_of(record.case) or ": " not in record.reason:
        return ""
    return record.reason.partition(": ")[0]
