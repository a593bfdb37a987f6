"""A report, and the facts that its head tells."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

from ...version import __version__
from ..protocol.records import Record
from .blocks import plural
from .examples import Example
from .stored import Changes

Records = Sequence[Record]


def _no_line(record: Record) -> str | None:
    """Return None: there is no line to paste."""
    return None


class Facts(NamedTuple):
    """What the head of a report tells beside the name; None for what is not known.

    Parameters
    ----------
    date : str
        when the audit ended, as 2026-11-26 20:15
    seconds : float
        how long it took
    formulation : str
        which problem the subject solves, in words
    tol : float
        told to the subject, if it can be
    deadline : float
        seconds for each answer
    """

    date: str | None = None
    seconds: float | None = None
    formulation: str | None = None
    tol: float | None = None
    deadline: float | None = None

    def sentences(self) -> str:
        """Return the facts as a few sentences."""
        took = None if self.seconds is None else f"it took {duration(self.seconds)}"
        tol = None if self.tol is None else f"tol = {self.tol:g}, where it can be told"
        words = [f"refsvm {__version__}", self.date, took, tol]
        solves = "" if self.formulation is None else f" It solves: {self.formulation}."
        return f"Asked by {'; '.join(word for word in words if word is not None)}.{solves}"


class AuditReport(NamedTuple):
    """All that a report tells.

    Parameters
    ----------
    name : str
        of the subject, with its version
    records : as audit returns them
    facts : Facts
    examples : list of Example
        the smallest cases that fail
    line_of : function
        a record -> the line that shows its failure again, or None
    changes : Changes or None
        against an earlier report: then only failures that are new are told
    """

    name: str
    records: Records
    facts: Facts = Facts()
    examples: Sequence[Example] = ()
    line_of: Callable[[Record], str | None] = _no_line
    changes: Changes | None = None

    @property
    def failures(self) -> Records:
        """The failures to be told."""
        return failures_of(self.records) if self.changes is None else self.changes.new


def failures_of(records: Records) -> list[Record]:
    """Return the records that are failures."""
    return [record for record in records if record.result == "fail"]


def counts(records: Records) -> str:
    """Return how many checks had which result: a sentence without its full stop.

    >>> counts([])
    '0 checks of 0 cases: 0 passed, 0 acceptable, 0 failed'
    """
    of = Counter(record.result for record in records)
    checks = plural(len(records), "check")
    cases = plural(len({record.case for record in records}), "case")
    return (
        f"{checks} of {cases}: {of['pass']} passed, {of['acceptable']} acceptable,"
        f" {of['fail']} failed"
    )


def duration(seconds: float) -> str:
    """Return a time in words.

    >>> duration(0.44), duration(7.4), duration(100)
    ('0.4 s', '7 s', '1 min 40 s')
    """
    if seconds < 60:
        return f"{seconds:.1f} s" if seconds < 5 else f"{seconds:.0f} s"
    return f"{int(seconds) // 60} min {int(seconds) % 60} s"
