"""What repeats is told once: an exception in many cases, a wrong answer to many questions.

A program that cannot be called as the audit calls it raises the same exception in every case. The
first is a failure; the others are not judged. Two sentences are the same if they
have the same words: numbers may differ. Of a malformed answer it is the field that counts.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from ..protocol.plain_values import one_line
from ..protocol.records import NOT_JUDGED, Record
from . import Finding

FIELD_NAME = re.compile(r" (?:is|has|holds|cannot|wrote|returned) |\[")  # ends a field's name
EXCEPTION = re.compile(r"\b[A-Za-z_]\w*(?:Error|Exception|Exit): .*")
NUMBER = r"(?:0x[0-9a-f]+|[-+]?\d[\w.+-]*|[-+]?\binf\b|\bnan\b)"
NUMBERS = re.compile(rf"{NUMBER}(?:[,\s]+{NUMBER})*")
DELIVERY = ("Crash", "Exit", "Refused")  # no answer came: the whole sentence says why
MOST_QUESTIONS = 3  # of a case, that fail alike
Key = tuple[str, str]


def words_of(sentence: str) -> str:
    """Return a sentence with one sign for numbers, however many they are.

    >>> words_of("shapes (3, 2) and (4,) do not fit at 0x7f3a")
    'shapes (#) and (#,) do not fit at #'
    """
    return NUMBERS.sub("#", sentence)


def _key_of(record: Record) -> Key | None:
    """Return what two failures have in common that are told once; None of a wrong answer."""
    if record.result != "fail":
        return None
    if record.flag == "NoAnswer":
        return "field", FIELD_NAME.split(record.reason)[0].rpartition(": ")[2]
    raised = EXCEPTION.search(record.reason)
    if raised is not None:
        return "exception", words_of(raised[0])
    if record.flag in DELIVERY:
        return record.flag, words_of(record.reason)
    return None


class Repeats:
    """The failures that were told, and how often each was met again."""

    def __init__(self) -> None:
        self.first: dict[Key, Record] = {}
        self.again: Counter[Key] = Counter()

    def told_once(self, record: Record) -> Record:
        """Return the record; not a failure if one before was for the same reason."""
        key = _key_of(record)
        if key is None:
            return record
        first = self.first.setdefault(key, record)
        if first is record:
            return record
        self.again[key] += 1
        reason = one_line(f"{NOT_JUDGED} {first.case}: {record.reason}")
        return record._replace(result="not judged", flag=None, reason=reason)

    def with_total(self, record: Record) -> Record:
        """Return a record that was told; the first of several with their number."""
        more = self.again[_key_of(record) or ("", "")]
        if not more:
            return record
        many = "once more" if more == 1 else f"{more} times more"
        return record._replace(reason=f"{record.reason} (and {many})")


def tell_once(records: Sequence[Record]) -> list[Record]:
    """Return the records, of which a failure that repeats is one only, with its number."""
    repeats = Repeats()
    return list(map(repeats.with_total, list(map(repeats.told_once, records))))


def questions_told_once(findings: Iterable[tuple[str, Finding]]) -> list[tuple[str, Finding]]:
    """Return what a case's checks found; of many questions that fail alike the first few fail."""
    alike: dict[tuple[str, str | None, str], list[str]] = {}
    told = []
    for check, finding in findings:
        question = finding.question
        if finding.result == "fail" and question is not None:
            known = alike.setdefault((check, finding.flag, words_of(finding.reason)), [])
            known.append(question)
            if len(set(known)) > MOST_QUESTIONS:
                reason = f"{NOT_JUDGED} {known[0]}: {finding.reason}"
                finding = finding._replace(result="not judged", flag=None, reason=reason)
        told.append((check, finding))
    return told
