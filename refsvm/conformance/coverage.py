"""How much of an audit could be asked, what stood in the way of the rest, and the cure.

not offered    the subject, or its adapter, has no word for it: another kernel, squared slacks
not asked      given up: too many late answers to its like, a process that ended in vain
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from inspect import isclass
from typing import NamedTuple

from .estimator_adapter import Estimator
from .records import NOT_OFFERED, Record, was_asked
from .subjects import CommandLine, Subject

HALF = Fraction(1, 2)
SHOWN = 80  # letters of a reason among others
Cases = dict[str, list[str]]  # {why: the names of the cases}


class Coverage(NamedTuple):
    """How many cases there are, how many were asked, and why the others were not.

    Parameters
    ----------
    cases, asked : int
    not_offered : dict
        {reason: names of cases} of those that the subject has no word for
    not_asked : dict
        {reason: names of cases} of those that were given up
    """

    cases: int
    asked: int
    not_offered: Cases
    not_asked: Cases

    def share(self) -> Fraction:
        """Return the share of the cases that was asked."""
        return Fraction(self.asked, max(1, self.cases))

    def left(self) -> list[tuple[str, int, Cases]]:
        """Return (words, number of cases, reasons) of what was not on offer, or given up."""
        kinds = ("not on offer", self.not_offered), ("not asked", self.not_asked)
        return [
            (words, len([name for names in reasons.values() for name in names]), reasons)
            for words, reasons in kinds
            if reasons
        ]


def coverage_of(records: Sequence[Record]) -> Coverage:
    """Return how much was asked.

    A case counts as asked if any of its records is about an answer.

    Examples
    --------
    >>> records = [
    ...     Record("C01", "G1", "pass", None, None, None, ""),
    ...     Record("C02", "G7", "acceptable", None, None, None, "not on offer: no kernel"),
    ... ]
    >>> coverage_of(records)
    Coverage(cases=2, asked=1, not_offered={'no kernel': ['C02']}, not_asked={})
    """
    asked = {record.case for record in records if was_asked(record)}
    reasons = {r.case: r.reason for r in reversed(records) if r.case not in asked}
    not_offered: Cases = {}
    not_asked: Cases = {}
    for case, reason in reversed(reasons.items()):
        kind = not_offered if reason.startswith(NOT_OFFERED) else not_asked
        kind.setdefault(reason.partition(": ")[2], []).append(case)
    return Coverage(len(asked) + len(reasons), len(asked), not_offered, not_asked)


def complain_of_coverage(subject: Subject, records: Sequence[Record]) -> str | None:
    """Return a sentence if fewer than half of the cases could be asked: why, and the cure."""
    found = coverage_of(records)
    if found.share() >= HALF:
        return None
    reasons = {**found.not_offered, **found.not_asked}
    most = sorted(reasons, key=lambda reason: -len(reasons[reason]))[:2]
    why = ", ".join(f"{reason[:SHOWN]} ({len(reasons[reason])})" for reason in most)
    cure = _cure_for(subject)
    if most[0] in found.not_asked:
        cure = "a longer deadline may help" if "late" in most[0] else "its last words say why"
    left = found.cases - found.asked
    return f"{left} of {found.cases} cases could not be asked: {why}; {cure}"


def hint_of_repeats(subject: Subject, records: Sequence[Record]) -> str | None:
    """Return a sentence if fewer than half of the cases could be judged, for one exception."""
    cases = {record.case for record in records}
    judged = {r.case for r in records if r.result == "pass" or r.gap is not None}
    if 2 * len(judged) >= len(cases) or complain_of_coverage(subject, records) is not None:
        return None
    left = len(cases) - len(judged)
    return f"{left} of {len(cases)} cases could not be judged; {_cure_for(subject)}"


def _cure_for(subject: Subject) -> str:
    """Return what helps a subject that has no words for what it is asked."""
    if isinstance(subject, CommandLine):
        page = 'spec/standard/audit.md, "Programs in other languages",'
        return f"{page} says what a program reads and writes"
    if isinstance(subject, Estimator) or isclass(getattr(subject, "function", None)):
        return f"refsvm audit --adapter {subject.name} prints a function to audit in its place"
    page = 'spec/standard/audit.md, "What can be audited"'
    return f"audit a function of a Problem that calls it, as in {page}"
